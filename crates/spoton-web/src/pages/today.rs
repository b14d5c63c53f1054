//! Today's duel: a new game every day, the same for everyone.

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use spoton::day::Day;
use spoton::design::today::{OPPONENT, Terms as Counts};
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::words::describe;
use spoton::words::today::{LATER, line};

use super::{ErrorPage, html};
use crate::ids::SittingId;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::daily::{self, Standing};
use crate::tables::discovery;
use crate::tables::writer::Failed;
use crate::tables::{NewSeat, NewTable, NoTable, Tables, Terms};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![Route::takes("/today", Who::Anyone, Stores::Rounds, get(page).post(play))]
}

/// The start card's text, for a duel that counts.
pub(super) const IT_COUNTS: &str = "This one counts: hints are recorded and there's no undo.";

#[derive(Template)]
#[template(path = "today.html")]
struct Today {
    day: String,
    heading: String,
    /// Whether the day is the server's, because the request named none.
    is_guessed: bool,
    title: String,
    glance: String,
    rules: Vec<String>,
    /// The result to share.
    line: Option<String>,
    /// The opponent.
    opponent: String,
    /// Notices to read before the first move.
    terms: Vec<String>,
    streak: String,
    /// The attempt to continue.
    goes_on: Option<String>,
    /// A notice to read before a round that counts.
    counts: &'static str,
    button: &'static str,
}

/// The form field or query string.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DayField {
    day: String,
}

impl DayField {
    /// The day. Defaults to the server's.
    fn day(&self, tables: &Tables) -> Result<Day, ErrorPage> {
        match self.day.trim() {
            "" => Ok(tables.clock.today()),
            text => text.parse().map_err(|no_day: spoton::day::NoSuchDay| {
                ErrorPage::new(StatusCode::UNPROCESSABLE_ENTITY, no_day.to_string())
            }),
        }
    }
}

async fn standing(tables: &Tables, browser: Option<&Browser>) -> Result<Standing, Failed> {
    match browser {
        Some(browser) => daily::standing(tables, browser.holder()).await,
        None => Ok(Standing::default()),
    }
}

/// Whether an attempt at a day's duel would count.
fn counts(tables: &Tables, standing: &Standing, day: Day) -> bool {
    daily::may_be_today(tables, day) && standing.streak.takes(day) && !standing.moved.contains(&day)
}

pub async fn page(
    State(tables): State<Tables>,
    Query(asked): Query<DayField>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let (day, now) = (asked.day(&tables)?, tables.clock.today());
    let standing = standing(&tables, browser.as_ref()).await?;
    let duel = daily::duel(&tables, day).await?;
    let counts = counts(&tables, &standing, day);
    let score = standing.streak.score(day);
    let goes_on = standing.left.get(&day).map(SittingId::to_string);
    let mut said = Vec::new();
    if standing.moved.contains(&day) {
        said.push("You moved this duel to another device.".to_owned());
    } else if daily::may_be_today(&tables, day) && !counts && score.is_none() {
        said.push(LATER.to_owned());
    }
    // The start card explains an attempt that counts.
    said.push(match counts {
        true => format!("You go {}.", if duel.person_goes_first() { "first" } else { "second" }),
        false => duel.in_words(Counts::Practice),
    });
    let heading = match daily::may_be_today(&tables, day) {
        true => format!("Today's duel, {}", day.in_words_on(now)),
        false => format!("Duel of {}", day.in_words_on(now)),
    };
    let rulebook = &duel.invented.rulebook;
    Ok(html(&Today {
        day: day.to_string(),
        heading,
        is_guessed: asked.day.trim().is_empty(),
        title: duel.title().to_owned(),
        glance: describe::at_a_glance_with_repeats(rulebook, None),
        rules: describe::rules(rulebook),
        opponent: opponent()?.habit().into_owned(),
        line: score.map(|score| line(day, now, duel.title(), score, true)),
        terms: if goes_on.is_some() { vec![] } else { said },
        streak: standing.streak.in_words(day),
        goes_on,
        counts: if counts { IT_COUNTS } else { "" },
        button: if counts { "Play" } else { "Play for practice" },
    }))
}

/// The opponent, the same every day.
fn opponent() -> Result<Opponent, ErrorPage> {
    let unknown = |unknown: spoton::evaluate::opponent::UnknownOpponent| {
        ErrorPage::new(StatusCode::INTERNAL_SERVER_ERROR, unknown.to_string())
    };
    Opponent::parse(OPPONENT).map_err(unknown)
}

/// Starts or continues an attempt.
pub async fn play(
    State(tables): State<Tables>,
    browser: Browser,
    Form(asked): Form<DayField>,
) -> Result<Response, ErrorPage> {
    let (day, holder) = (asked.day(&tables)?, browser.holder());
    // The form is on the start card.
    let to = |id: SittingId| ([browser.cookie()], Redirect::to(&format!("/r/{id}?start"))).into_response();
    let standing = daily::standing(&tables, holder).await?;
    // Leaving and starting again must not improve the first result.
    if let Some(id) = standing.left.get(&day) {
        return Ok(to(*id));
    }
    let counts = counts(&tables, &standing, day);
    let duel = daily::duel(&tables, day).await?;
    // An attempt that counts has no undo, and records hints.
    let terms = Terms { hints: true, take_back: !counts, discover: false };
    let table = NewTable {
        game: duel.game()?,
        book: None,
        seats: ByPlayer([NewSeat::Me { name: None }, NewSeat::Computer(opponent()?)]),
        first: if duel.person_goes_first() { Player::One } else { Player::Two },
        terms: discovery::terms(&tables, holder, terms).await?,
    };
    let id = if counts { browser.duel(day) } else { SittingId::random() };
    match tables.set(id, table, holder, &browser.invitation(id)).await {
        // Another tab was faster.
        Ok(_) | Err(NoTable::Failed(Failed::Outdated(_))) => {}
        Err(no_table) => return Err(no_table.into()),
    }
    if counts {
        daily::remember(&tables, holder, standing.streak, day, id).await?;
    }
    Ok(to(id))
}
