//! Home: a round with one press, and the other ways to play.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{Changes, Setting, catalog};
use spoton::people::opponent::Opponent;
use spoton::sitting::{Dice, Setup};

use super::{Told, books, html, workshop};
use crate::ids::SittingId;
use crate::limits::TIME_TO_THINK;
use crate::picture;
use crate::seats::Browser;
use crate::store::WaitsFor;
use crate::tables::{NewSeat, NewTable, Tables, Terms, find_game};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    picture: String,
    waiting: Vec<(String, String)>,
    games: usize,
}

/// How many rounds are listed.
const MOST_LISTED: usize = 20;

pub async fn page(State(tables): State<Tables>, browser: Option<Browser>) -> Result<Response, Told> {
    let mut waiting = Vec::new();
    if let Some(browser) = browser {
        let holder = browser.holder();
        let sittings =
            tables.store.sittings_of(holder, MOST_LISTED).await.map_err(crate::writer::Failed::from)?;
        for (id, listed) in sittings {
            let WaitsFor::Player(turn) = listed.waits_for else { continue };
            let seats = tables.store.seats(id, holder).await.map_err(crate::writer::Failed::from)?;
            if let (true, Ok(room)) = (seats.contains(&turn), tables.heads.room(id).await) {
                let title = room.sitting().rulebook().title();
                waiting.push((id.to_string(), format!("{title}, with {}", room.name(!turn))));
            }
        }
    }
    Ok(html(&Home { picture: example(), waiting, games: catalog::ids().count() }))
}

/// A round on a number line, as a picture of what this is about.
fn example() -> String {
    let round = (|| {
        let rulebook = catalog::draft(catalog::FIRST)?.build().ok()?;
        let mut round = Round::new(std::sync::Arc::new(rulebook), Player::One);
        for place in [0, 1, 0, 1, 0] {
            let legal = round.rulebook().legal(round.position());
            let choice = legal.get(place.min(legal.len().saturating_sub(1)))?;
            round.play(spoton::engine::play::Move::Operation(choice)).ok()?;
        }
        Some(round)
    })();
    round.as_ref().map(picture::of_round).unwrap_or_default()
}

/// What a form asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct New {
    mode: String,
    game: Option<String>,
    /// The address of a shared rule book instead.
    book: Option<String>,
    /// Or a rule book's text.
    rulebook: Option<String>,
    variant: Option<String>,
    target: Option<String>,
    opponent: Option<String>,
    first: Option<u8>,
}

/// A round begins.
pub async fn new(
    State(tables): State<Tables>,
    browser: Browser,
    Form(asked): Form<New>,
) -> Result<Response, Told> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let changes = Changes {
        variant: given(&asked.variant),
        settings: given(&asked.target)
            .map(|target| Setting::Target(target.trim().to_owned()))
            .into_iter()
            .collect(),
    };
    let book = match (given(&asked.book), &asked.rulebook) {
        (Some(short), _) => Some(books::find(&tables, &short).await?),
        (None, Some(text)) => match workshop::playable(&tables, text).await? {
            Ok(text) => Some(text),
            Err(mistakes) => return Ok(mistakes),
        },
        (None, None) => None,
    };
    let name = given(&asked.game).unwrap_or_else(|| catalog::FIRST.to_owned());
    let game = find_game(Some(&name), book.as_deref(), &changes).map_err(crate::api::Problem::from)?;
    let game = game.ok_or_else(Told::nothing_here)?;
    let me = || NewSeat::Me { name: None };
    let terms = Terms { hints: asked.mode != "friend", take_back: true, discover: false };
    let mut first = asked.first.and_then(Player::from_number).unwrap_or(Player::One);
    let seats = match asked.mode.as_str() {
        "friend" => ByPlayer([me(), NewSeat::Friend]),
        "two" => ByPlayer([me(), me()]),
        "computer" => {
            let opponent = given(&asked.opponent).unwrap_or_default();
            let opponent = Opponent::parse(&opponent).map_err(|unknown| {
                Told::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, unknown.to_string())
            })?;
            ByPlayer([me(), NewSeat::Computer(opponent)])
        }
        _ => {
            // The gentlest opponent, from a seat that can win.
            let gentle = game.clone();
            let found =
                tables.thinking.about(TIME_TO_THINK, move |ahead| Setup::gentle(gentle, Dice::new(0), ahead));
            let setup = found.await.map_err(crate::api::Problem::from)?.map_err(crate::api::Problem::from)?;
            first = setup.first;
            ByPlayer([me(), setup.computers[Player::Two].map_or(NewSeat::Friend, NewSeat::Computer)])
        }
    };
    let id = SittingId::random();
    let table = NewTable { game, book, seats, first, terms };
    tables.set(id, table, browser.holder(), &browser.invitation(id)).await?;
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
}
