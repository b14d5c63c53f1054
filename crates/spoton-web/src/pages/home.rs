//! The home page: start a round with one press, or play in any other way.

use askama::Template;
use axum::Form;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Changes, Game, catalog};
use spoton::words::{describe, phrases};

use super::called::called;
use super::preview::Preview;
use super::{ErrorPage, book, books, changes, games, given, html, past, sentence, workshop};
use crate::ids::SittingId;
use crate::picture;
use crate::picture::face::{Mood, face};
use crate::place::Here;
use crate::room::Offer;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::store::{Millis, WaitsFor};
use crate::tables::writer::Failed;
use crate::tables::{NewSeat, NewTable, Tables, Terms, find_game};
use crate::tables::{daily, discovery};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/", page),
        Route::takes(
            "/new",
            Who::Anyone,
            Stores::Rounds,
            get(async || Redirect::to("/")).post(new).layer(book()),
        ),
    ]
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    /// A short round that plays by itself.
    picture: String,
    /// The face of the gentlest opponent.
    face: String,
    /// Whether the browser has played before: then the page begins with what is waiting.
    has_played: bool,
    streak: String,
    preview: Option<Preview>,
    yours: Vec<Waits>,
    others: Vec<Waits>,
    /// Whether there are more than the page shows.
    more: bool,
    games: usize,
    /// The game to play with a friend.
    with_friend: String,
    name: String,
    /// Why the invitation failed.
    problem: Option<String>,
}

/// A round that is waiting for a player.
struct Waits {
    id: String,
    title: String,
    with: String,
    /// The player's task, if it isn't a move.
    what: &'static str,
    since: String,
}

/// The number of rounds in each list.
const MOST_LISTED: usize = 5;
/// How many rounds to search, and the limit for finished ones, which may have a rematch offer.
const MOST_LOOKED_AT: usize = 60;
const MOST_OVER: usize = 10;

pub async fn page(
    State(tables): State<Tables>,
    Extension(here): Extension<Here>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let sentence = "Land exactly on the target to win.".to_owned();
    let picture = format!("/games/{}/picture.png", catalog::FIRST);
    let preview = Preview::new(&here, "/", "Spot On".to_owned(), sentence, &picture);
    Ok(html(&Home { preview, ..home(&tables, browser.as_ref()).await? }))
}

async fn home(tables: &Tables, browser: Option<&Browser>) -> Result<Home, ErrorPage> {
    let (mut yours, mut others) = match browser {
        Some(browser) => waiting(tables, browser).await?,
        None => (vec![], vec![]),
    };
    let more = yours.len() > MOST_LISTED || others.len() > MOST_LISTED;
    yours.truncate(MOST_LISTED);
    others.truncate(MOST_LISTED);
    let has_played = match browser {
        Some(browser) => {
            !tables.store.sittings_of(browser.holder(), 1).await.map_err(Failed::from)?.is_empty()
        }
        None => false,
    };
    let streak = match browser.filter(|_| has_played) {
        Some(browser) => {
            daily::standing(tables, browser.holder()).await?.streak.in_words(tables.clock.today())
        }
        None => String::new(),
    };
    Ok(Home {
        picture: example(),
        face: Opponent::for_people().next().map(|gentlest| face(gentlest, Mood::Waiting)).unwrap_or_default(),
        has_played,
        streak,
        preview: None,
        yours,
        others,
        more,
        games: catalog::ids().count(),
        with_friend: with_friend(tables, browser).await?,
        name: called(tables, browser).await?,
        problem: None,
    })
}

/// The default game with a friend.
async fn with_friend(tables: &Tables, browser: Option<&Browser>) -> Result<String, ErrorPage> {
    let again = match browser {
        Some(browser) => latest(tables, browser).await?,
        None => None,
    };
    let game = match again {
        Some((game, _, _)) => game,
        None => find_game(Some(catalog::FOR_TWO), None, &Changes::default())?,
    };
    Ok(describe::spoken_title(&game, &game.rulebook()?))
}

/// The rounds waiting for this browser, and those waiting for others, newest first.
async fn waiting(tables: &Tables, browser: &Browser) -> Result<(Vec<Waits>, Vec<Waits>), Failed> {
    let (holder, now) = (browser.holder(), tables.clock.now());
    let (mut yours, mut others, mut over) = (Vec::new(), Vec::new(), 0);
    for (id, listed) in tables.store.sittings_of(holder, MOST_LOOKED_AT).await? {
        over += usize::from(listed.waits_for == WaitsFor::Nobody);
        let is_old = listed.waits_for == WaitsFor::Nobody && over > MOST_OVER;
        // Computers are quick.
        if listed.waits_for == WaitsFor::Computer || is_old {
            continue;
        }
        let seats = tables.store.seats(id, holder).await?;
        let Ok(room) = tables.rooms.listed(id, &listed).await else { continue };
        let offer = room.offer().filter(|(player, _)| !seats.contains(player));
        let (list, what) = match (listed.waits_for, offer) {
            (_, Some((_, Offer::TakeBack))) => (&mut yours, "asks to undo a move"),
            (_, Some((_, Offer::Rematch))) => (&mut yours, "asks for a rematch"),
            (_, Some((_, Offer::AnotherTarget))) => (&mut yours, "asks for a rematch with another target"),
            (WaitsFor::Player(turn), None) if seats.contains(&turn) => (&mut yours, ""),
            (WaitsFor::Guest, None) => (&mut others, "nobody has joined yet"),
            (WaitsFor::Player(_), None) => (&mut others, ""),
            (WaitsFor::Computer | WaitsFor::Nobody, None) => continue,
        };
        list.push(Waits {
            id: id.to_string(),
            title: room.sitting().rulebook().title().to_owned(),
            with: past::names(&room, &seats),
            what,
            since: ago(listed.at, now),
        });
    }
    Ok((yours, others))
}

/// Roughly how long ago something happened.
fn ago(then: Millis, now: Millis) -> String {
    let minutes = now.saturating_sub(then) / 60_000;
    let (hours, days) = (minutes / 60, minutes / (24 * 60));
    let ago = |count: String| format!("{count} ago");
    match (days, hours, minutes) {
        (0, 0, 0) => "just now".to_owned(),
        (0, 0, minutes) => ago(phrases::count(minutes, "minute", "minutes")),
        (0, hours, _) => ago(phrases::count(hours, "hour", "hours")),
        (days, _, _) => ago(phrases::count(days, "day", "days")),
    }
}

/// A sample round on a number line. It ends on the target.
fn example() -> String {
    let round = (|| {
        let rulebook = catalog::draft(catalog::FIRST)?.build().ok()?;
        let mut round = Round::new(std::sync::Arc::new(rulebook), Player::One);
        for place in [0, 1, 0, 1, 1] {
            let legal = round.rulebook().legal(round.position());
            let choice = legal.get(place.min(legal.len().saturating_sub(1)))?;
            round.play(spoton::engine::play::Move::Operation(choice)).ok()?;
        }
        Some(round)
    })();
    round.as_ref().map(picture::of_round).unwrap_or_default()
}

/// The fields in the form for a new round.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct New {
    pub mode: String,
    pub game: Option<String>,
    /// Alternatively, a shared rule book's address.
    pub book: Option<String>,
    /// Or a rule book's text.
    pub rulebook: Option<String>,
    pub variant: String,
    pub target: String,
    pub opponent: String,
    pub first: String,
    /// The player's name, and that of a second player on the same device.
    pub name: String,
    pub other: String,
    /// `on` or `off`; the default is on, but off with a friend.
    pub hints: String,
    pub no_take_back: Option<String>,
    pub discover: Option<String>,
}

impl New {
    /// Whether it's the home page's form for a friend, which names no game.
    fn is_from_home(&self) -> bool {
        self.mode == "friend" && self.game.is_none() && self.book.is_none() && self.rulebook.is_none()
    }

    fn terms(&self) -> Terms {
        let hints = match self.hints.as_str() {
            "on" => true,
            "off" => false,
            _ => self.mode != "friend",
        };
        Terms { hints, take_back: self.no_take_back.is_none(), discover: self.discover.is_some() }
    }
}

/// A browser's latest game, to play with a friend: the game, its text if it isn't a shipped one, and the terms.
async fn latest(tables: &Tables, browser: &Browser) -> Result<Option<(Game, Option<String>, Terms)>, Failed> {
    let Some((id, listed)) = tables.store.sittings_of(browser.holder(), 1).await?.pop() else {
        return Ok(None);
    };
    let Ok(room) = tables.rooms.listed(id, &listed).await else { return Ok(None) };
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
        // Hints against a computer don't carry over to a friend.
        hints: room.hints() && between_two,
        take_back: setup.undo,
        discover: setup.help.discover,
    };
    Ok(Some((setup.game.clone(), book, terms)))
}

/// Starts a round. If the form has an error, shows it again with the error.
pub async fn new(
    State(tables): State<Tables>,
    browser: Browser,
    Form(asked): Form<New>,
) -> Result<Response, ErrorPage> {
    match begin(&tables, &browser, &asked).await {
        Err(error) if error.can_be_mended() && asked.is_from_home() => {
            let page = home(&tables, Some(&browser)).await?;
            let problem = Some(sentence(&error.message));
            Ok((error.status, html(&Home { name: asked.name, problem, ..page })).into_response())
        }
        Err(error) if error.can_be_mended() && asked.rulebook.is_none() => {
            games::once_more(&tables, &browser, asked, error).await
        }
        done => done,
    }
}

async fn begin(tables: &Tables, browser: &Browser, asked: &New) -> Result<Response, ErrorPage> {
    let changes = changes(Some(&asked.variant), Some(&asked.target))?;
    let book = match (given(asked.book.as_deref()), &asked.rulebook) {
        (Some(short), _) => Some(books::find(tables, &short).await?),
        (None, Some(text)) => match workshop::playable(tables, text).await? {
            Ok(text) => Some(text),
            Err(mistakes) => return Ok(mistakes),
        },
        (None, None) => None,
    };
    let again = match asked.mode.as_str() {
        _ if asked.is_from_home() => latest(tables, browser).await?,
        _ => None,
    };
    let (game, book, terms) = match again {
        Some(again) => again,
        None => {
            let usual = if asked.mode == "friend" { catalog::FOR_TWO } else { catalog::FIRST };
            let name = given(asked.game.as_deref()).unwrap_or_else(|| usual.to_owned());
            let game = tables.find_game(Some(&name), book.as_deref(), &changes).await?;
            (game, book, asked.terms())
        }
    };
    let terms = discovery::terms(tables, browser.holder(), terms).await?;
    let named = |name: &str| NewSeat::Me { name: given(Some(name)) };
    let me = || named(&asked.name);
    let first = asked.first.parse().ok().and_then(Player::from_number);
    let mut first = first.unwrap_or(Player::One);
    let seats = match asked.mode.as_str() {
        "friend" => ByPlayer([me(), NewSeat::Friend]),
        "two" => ByPlayer([me(), named(&asked.other)]),
        "computer" => {
            let opponent = Opponent::parse(asked.opponent.trim()).map_err(|unknown| {
                ErrorPage::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, unknown.to_string())
            })?;
            ByPlayer([me(), NewSeat::Computer(opponent)])
        }
        _ => {
            let (gentlest, starts) = tables.gentlest(&game, terms).await?;
            first = starts;
            ByPlayer([me(), gentlest])
        }
    };
    let id = SittingId::random();
    let table = NewTable { game, book, seats, first, terms };
    tables.set(id, table, browser.holder(), &browser.invitation(id)).await?;
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
}
