//! An invitation: who invites to what, and the button that takes the seat. Looking at it takes nothing.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::position::Player;
use spoton::words::describe;

use super::{Told, html};
use crate::ids::{Secret, SittingId};
use crate::seats::Browser;
use crate::tables::Tables;
use crate::writer::Failed;

#[derive(Template)]
#[template(path = "join.html")]
struct Join {
    id: String,
    host: String,
    title: String,
    rules: Vec<String>,
}

/// So many rules fit an invitation.
const RULES: usize = 4;

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let room = tables.heads.room(id).await?;
    let guest = Player::BOTH.into_iter().find(|player| room.is_open(*player));
    let own = match &browser {
        Some(browser) => tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?,
        None => vec![],
    };
    // Whoever sits there already, or comes too late, goes to the board.
    let Some(guest) = guest.filter(|_| own.is_empty()) else {
        return Ok(Redirect::to(&format!("/r/{id}")).into_response());
    };
    let rulebook = room.sitting().rulebook();
    Ok(html(&Join {
        id: id.to_string(),
        host: room.name(!guest),
        title: rulebook.title().to_owned(),
        rules: describe::rules(rulebook).into_iter().take(RULES).collect(),
    }))
}

#[derive(Debug, Deserialize)]
pub struct Asked {
    secret: String,
    #[serde(default)]
    name: String,
}

pub async fn take(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(asked): Form<Asked>,
) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let name = Some(asked.name.trim().to_owned()).filter(|name| !name.is_empty());
    // Somebody may paste the whole link.
    let secret = asked.secret.rsplit('#').next().unwrap_or_default();
    if let Err(failed) = tables.take_seat(id, &Secret::sent(secret), name, browser.holder()).await {
        // Whoever has pressed twice sits there already.
        let seats = tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?;
        if seats.is_empty() {
            return Err(failed.into());
        }
    }
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
}
