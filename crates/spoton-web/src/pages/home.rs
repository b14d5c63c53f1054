//! Home: a round with one press, and the other ways to play.

use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{Changes, Game, Setting, catalog};
use spoton::people::opponent::Opponent;

use super::{Told, books, html, workshop};
use crate::ids::SittingId;
use crate::picture;
use crate::seats::Browser;
use crate::store::WaitsFor;
use crate::tables::{NewSeat, NewTable, Tables, Terms, find_game};
use crate::writer::Failed;

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
    /// The name of whoever sets the table, and of the second on the same screen.
    name: Option<String>,
    other: Option<String>,
    /// `on` or `off`; else there are hints, but not with a friend.
    hints: Option<String>,
    no_take_back: Option<String>,
    discover: Option<String>,
}

impl New {
    fn terms(&self) -> Terms {
        let hints = match self.hints.as_deref() {
            Some("on") => true,
            Some("off") => false,
            _ => self.mode != "friend",
        };
        Terms { hints, take_back: self.no_take_back.is_none(), discover: self.discover.is_some() }
    }
}

/// What a browser has played last, to be played again with a friend: the game, its text if it is not one of ours, and
/// the terms.
async fn latest(tables: &Tables, browser: &Browser) -> Result<Option<(Game, Option<String>, Terms)>, Failed> {
    let Some((id, _)) = tables.store.sittings_of(browser.holder(), 1).await?.pop() else { return Ok(None) };
    let Ok(room) = tables.heads.room(id).await else { return Ok(None) };
    let setup = room.sitting().setup();
    if setup.today.is_some() {
        return Ok(None);
    }
    let book = match room.book() {
        Some(short) => match tables.store.book(short.to_owned()).await? {
            Some(book) => Some(book.text),
            None => return Ok(None),
        },
        None => None,
    };
    let between_two = Player::BOTH.into_iter().all(|player| !room.is_computer(player));
    let terms = Terms {
        // What the computer does not mind, a friend might.
        hints: room.hints() && between_two,
        take_back: setup.undo,
        discover: setup.help.discover,
    };
    Ok(Some((setup.game.clone(), book, terms)))
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
    let again = match asked.mode.as_str() {
        "friend" if asked.game.is_none() && book.is_none() => latest(&tables, &browser).await?,
        _ => None,
    };
    let (game, book, terms) = match again {
        Some(again) => again,
        None => {
            let usual = if asked.mode == "friend" { catalog::FOR_TWO } else { catalog::FIRST };
            let name = given(&asked.game).unwrap_or_else(|| usual.to_owned());
            let game =
                find_game(Some(&name), book.as_deref(), &changes).map_err(crate::api::Problem::from)?;
            (game.ok_or_else(Told::nothing_here)?, book, asked.terms())
        }
    };
    let named = |name: &Option<String>| NewSeat::Me { name: given(name).map(|name| name.trim().to_owned()) };
    let me = || named(&asked.name);
    let mut first = asked.first.and_then(Player::from_number).unwrap_or(Player::One);
    let seats = match asked.mode.as_str() {
        "friend" => ByPlayer([me(), NewSeat::Friend]),
        "two" => ByPlayer([me(), named(&asked.other)]),
        "computer" => {
            let opponent = given(&asked.opponent).unwrap_or_default();
            let opponent = Opponent::parse(&opponent).map_err(|unknown| {
                Told::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, unknown.to_string())
            })?;
            ByPlayer([me(), NewSeat::Computer(opponent)])
        }
        _ => {
            // The gentlest opponent, from a seat that can win.
            let (gentlest, starts) = tables.gentlest(&game).await?;
            first = starts;
            ByPlayer([me(), gentlest])
        }
    };
    let id = SittingId::random();
    let table = NewTable { game, book, seats, first, terms };
    tables.set(id, table, browser.holder(), &browser.invitation(id)).await?;
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
}
