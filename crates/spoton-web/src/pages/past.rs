//! This browser's rounds, finished or not.

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use spoton::engine::position::Player;
use spoton::words::describe;

use super::status::status;
use super::{ErrorPage, html};
use crate::clock::day_of;
use crate::limits::ROUNDS_ON_A_PAGE;
use crate::room::Room;
use crate::routes::Route;
use crate::seats::Browser;
use crate::tables::Tables;
use crate::tables::writer::Failed;

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![Route::reads("/past", page)]
}

#[derive(Template)]
#[template(path = "past.html")]
struct Past {
    rounds: Vec<Row>,
    /// Links to the pages with newer and older rounds.
    later: Option<usize>,
    earlier: Option<usize>,
}

struct Row {
    id: String,
    title: String,
    names: String,
    /// The day, machine-readable and in words.
    day: String,
    when: String,
    status: String,
    is_over: bool,
}

/// The page, from 1.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PastQuery {
    page: Option<usize>,
}

/// The maximum number of pages.
const MOST_PAGES: usize = 100;

pub async fn page(
    State(tables): State<Tables>,
    Query(asked): Query<PastQuery>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let page = asked.page.unwrap_or(1).clamp(1, MOST_PAGES);
    let mut past = Past { rounds: Vec::new(), later: (page > 1).then(|| page - 1), earlier: None };
    let Some(browser) = browser else { return Ok(html(&past)) };
    let holder = browser.holder();
    // Fetching one more shows whether there is another page.
    let most = page * ROUNDS_ON_A_PAGE + 1;
    let sittings = tables.store.sittings_of(holder, most).await.map_err(Failed::from)?;
    past.earlier = (sittings.len() == most && page < MOST_PAGES).then_some(page + 1);
    let now = tables.clock.today();
    let on_page = sittings.into_iter().skip((page - 1) * ROUNDS_ON_A_PAGE).take(ROUNDS_ON_A_PAGE);
    for (id, listed) in on_page {
        let seats = tables.store.seats(id, holder).await.map_err(Failed::from)?;
        let day = day_of(listed.at);
        let (title, names, status, is_over) = match tables.rooms.listed(id, &listed).await {
            Ok(room) if room.is_cancelled() => continue,
            Ok(room) => {
                let sitting = room.sitting();
                let title = describe::spoken_title(&sitting.setup().game, sitting.rulebook());
                (title, names(&room, &seats), status(&room, &seats), room.is_over())
            }
            Err(failed @ Failed::Damaged) => (String::new(), String::new(), format!("{failed}."), false),
            // Deleted in the meantime.
            Err(Failed::Unknown) => continue,
            Err(failed) => return Err(failed.into()),
        };
        let (id, when) = (id.to_string(), day.in_words_on(now));
        past.rounds.push(Row { id, title, names, day: day.to_string(), when, status, is_over });
    }
    Ok(html(&past))
}

/// The opponent, or both if the reader has no seat or both seats.
pub(super) fn names(room: &Room, seats: &[Player]) -> String {
    match seats {
        [own] if room.is_open(!*own) => String::new(),
        [own] => format!("with {}", room.name(!*own)),
        _ => room.all_names().0.join(" and "),
    }
}
