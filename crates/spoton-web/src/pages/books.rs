//! Shared rule books. Each has its own address and never changes.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use spoton::discovery::View;
use spoton::format::{Changes, shown_lines};

use super::games::{One, Shared};
use super::{ErrorPage, board, html, preview};
use crate::picture::emblem::Emblem;
use crate::place::Here;
use crate::routes::Route;
use crate::seats::Browser;
use crate::tables::Tables;
use crate::tables::books;
use crate::tables::discovery::{self, HIDDEN};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/b/{short}", page),
        Route::reads("/b/{short}/book.toml", text),
        Route::reads("/b/{short}/picture.png", picture),
    ]
}

/// A shared book's text.
pub(super) async fn find(tables: &Tables, short: &str) -> Result<String, ErrorPage> {
    books::shared(tables, short).await?.ok_or_else(ErrorPage::nothing_here)
}

pub async fn page(
    State(tables): State<Tables>,
    Path(short): Path<String>,
    Query(asked): Query<BookQuery>,
    Extension(here): Extension<Here>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let view = discovery::of_games(&tables, browser.as_ref().map(Browser::holder)).await?;
    let page = shown(&tables, &here, short, view).await?.for_browser(&tables, browser.as_ref()).await?;
    Ok(html(&page.sharing(asked.shared.is_some()).previewed(&here)))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BookQuery {
    /// Set right after sharing: the link comes first.
    shared: Option<String>,
}

pub(super) async fn shown(tables: &Tables, here: &Here, short: String, view: View) -> Result<One, ErrorPage> {
    let text = find(tables, &short).await?;
    let game = tables.find_game(None, Some(&text), &Changes::default()).await?;
    let link = here.url(&format!("/b/{short}"));
    let seen = discovery::text(text.clone(), view).ok_or_else(|| ErrorPage::hidden(HIDDEN))?;
    let shared = Shared { qr: board::qr(&link), link, text: shown_lines(&seen), just_now: false };
    let page = One::for_game(tables, &game, short, Some(shared), view).await?;
    books::opened(tables, &text).await;
    Ok(page)
}

/// The game's picture, for link previews.
pub async fn picture(State(tables): State<Tables>, Path(short): Path<String>) -> Result<Response, ErrorPage> {
    let text = find(&tables, &short).await?;
    let game = tables.find_game(None, Some(&text), &Changes::default()).await?;
    Ok(preview::picture_of_game(&Emblem::new(&Arc::new(game.rulebook()?))))
}

/// The text as a file.
pub async fn text(
    State(tables): State<Tables>,
    Path(short): Path<String>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let view = discovery::of_games(&tables, browser.as_ref().map(Browser::holder)).await?;
    let text =
        discovery::text(find(&tables, &short).await?, view).ok_or_else(|| ErrorPage::hidden(HIDDEN))?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"my-game.toml\""),
    ];
    Ok((headers, text).into_response())
}
