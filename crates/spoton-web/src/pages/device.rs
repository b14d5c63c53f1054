//! Moving to another device: a code that works once, for ten minutes.

use std::net::IpAddr;
use std::time::Instant;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;

use super::board::qr;
use super::{ErrorPage, html};
use crate::codes::{self, TooManyTries, Try};
use crate::ids::{Secret, SittingId};
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::Tables;
use crate::tables::classes::{self, Arrival, Comer};
use crate::tables::daily;
use crate::tables::writer::Failed;

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::takes("/r/{id}/device", Who::SeatHolder, Stores::Commands, get(page).post(make)),
        Route::reads("/device", enter),
    ]
}

#[derive(Template)]
#[template(path = "device.html")]
struct Move {
    id: String,
    /// The code, if one is still valid.
    code: Option<String>,
    /// Whether there was a code.
    had_code: bool,
    address: String,
    only_here: bool,
    qr: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Made {
    made: String,
}

/// Shows the code, or the button for one.
pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(made): Query<Made>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let Some(browser) = browser else { return Err(ErrorPage::nothing_here()) };
    let code = browser.device_code(id, &made.made);
    let is_good = !made.made.is_empty() && tables.is_moving(id, &code).await?;
    let holds = !tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?.is_empty();
    if !holds {
        // If there was a code, the seat moved; otherwise it was never here.
        let moved = if made.made.is_empty() { "" } else { "?moved" };
        return Ok(Redirect::to(&format!("/r/{id}{moved}")).into_response());
    }
    Ok(html(&Move {
        id: id.to_string(),
        code: is_good.then(|| codes::shown(&code)),
        had_code: !made.made.is_empty(),
        qr: if is_good { qr(&browser.here().url(&format!("/device?code={code}"))) } else { String::new() },
        address: browser.here().url("/device"),
        only_here: browser.here().is_only_here(),
    }))
}

/// Makes a code.
pub async fn make(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let made: String = Secret::random().reveal().chars().take(12).collect();
    tables.offer_move(id, browser.holder(), &browser.device_code(id, &made)).await?;
    Ok(Redirect::to(&format!("/r/{id}/device?made={made}")).into_response())
}

#[derive(Template)]
#[template(path = "device_enter.html")]
struct Enter {
    code: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Typed {
    code: String,
}

/// The form to enter the code. A GET takes nothing.
pub async fn enter(Query(typed): Query<Typed>) -> Response {
    let code = codes::read(&typed.code).map(|code| codes::shown(&code));
    html(&Enter { code: code.unwrap_or_default() })
}

/// Resolves a code: to a place in a class, or to a seat that moves here. Counts and delays wrong codes.
pub async fn try_code(
    tables: &Tables,
    browser: &Browser,
    address: Option<IpAddr>,
    typed: &str,
    comer: Comer,
) -> Result<Arrival, ErrorPage> {
    let holder = browser.holder();
    // A malformed code isn't a guess.
    let Some(code) = codes::read(typed) else {
        let why = "A class code has 6 letters. A device code has 8. Codes have no vowels, no L and no Y.";
        return Err(ErrorPage::new(StatusCode::UNPROCESSABLE_ENTITY, why));
    };
    let is_of_class = code.len() == codes::OF_CLASS;
    // Pupils who have a seat get in without a code check.
    if is_of_class && !classes::pupils(tables, &code, holder).await?.is_empty() {
        return Ok(classes::arrive(tables, &code, comer, holder).await?);
    }
    let too_many = |too_many: TooManyTries| ErrorPage {
        wait: Some(too_many.wait),
        ..ErrorPage::new(StatusCode::TOO_MANY_REQUESTS, too_many.to_string())
    };
    let store = &*tables.store;
    let tried = Try { store, code: &code, browser: holder, address, now: Instant::now() };
    tables.tries.may_try(tried).await.map_err(Failed::from)?.map_err(too_many)?;
    let delay = tables.tries.delay(tried).await.map_err(Failed::from)?;
    tokio::time::sleep(delay).await;
    let is_right = match is_of_class {
        true => classes::find(tables, &code).await?.is_some(),
        false => tables.is_device_code(&code).await?,
    };
    if !is_right {
        let tried = Try { now: Instant::now(), ..tried };
        let hold_up = tables.tries.was_wrong(tried).await.map_err(Failed::from)?.map_err(too_many)?;
        if delay.is_zero() {
            tokio::time::sleep(hold_up.time).await;
        }
        return Err(wrong_code());
    }
    if is_of_class {
        return Ok(classes::arrive(tables, &code, comer, holder).await?);
    }
    match tables.move_seat(&code, holder, |id| browser.invitation(id)).await {
        Ok(id) => {
            daily::take_along(tables, id, holder).await?;
            Ok(Arrival::At(id))
        }
        // Another device was faster.
        Err(Failed::NoInvitation) => Err(wrong_code()),
        Err(failed) => Err(failed.into()),
    }
}

fn wrong_code() -> ErrorPage {
    ErrorPage::new(
        StatusCode::NOT_FOUND,
        "This code is wrong or has expired. Check it, or ask for a new one.",
    )
}
