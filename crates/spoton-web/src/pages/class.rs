//! A class: one code for all. Whoever opened it sees how the rounds stand; whoever brings the code gets somebody to play
//! with.

use std::collections::HashSet;
use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, Game, Numbers, Rulebook, catalog};
use spoton::words::{describe, phrases};

use super::board::qr;
use super::called::called;
use super::device;
use super::stands::stands;
use super::{Told, books, changes, games, given, html, join, sentence};
use crate::address::Address;
use crate::api::{Problem, again};
use crate::classes::{self, Arrival, Comer, NoPlace, Plays, Pupil};
use crate::codes;
use crate::ids::SittingId;
use crate::room::Room;
use crate::seats::Browser;
use crate::store::{Class, OfClass};
use crate::tables::{Tables, now};
use crate::writer::Failed;

impl From<NoPlace> for Told {
    fn from(no_place: NoPlace) -> Told {
        match no_place {
            NoPlace::NoTable(no_table) => no_table.into(),
            NoPlace::Unknown | NoPlace::NoGame => Told::new(StatusCode::NOT_FOUND, no_place.to_string()),
            NoPlace::NoName => Told::new(StatusCode::UNPROCESSABLE_ENTITY, no_place.to_string()),
            NoPlace::Closed | NoPlace::Full | NoPlace::NotYet => {
                Told::new(StatusCode::CONFLICT, no_place.to_string())
            }
            NoPlace::TooManyClasses => Told::new(StatusCode::TOO_MANY_REQUESTS, no_place.to_string()),
        }
    }
}

#[derive(Template)]
#[template(path = "class_new.html")]
struct New {
    /// The classes that are open already.
    classes: Vec<(String, String, String)>,
    games: Vec<(String, String)>,
    /// The address and the title of a shared rule book, if it is to be played instead.
    book: Option<(String, String)>,
    /// What to know of that book before playing.
    notice: Option<String>,
    /// What was filled in before, and what is wrong with it.
    filled: AskedClass,
    problem: Option<String>,
}

/// Which game is about to be chosen, if that is settled.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedGame {
    book: String,
}

/// A class is about to be opened.
pub async fn page(
    State(tables): State<Tables>,
    Query(asked): Query<AskedGame>,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let filled = AskedClass { book: asked.book, ..AskedClass::default() };
    Ok(html(&form(&tables, browser.as_ref(), filled, None).await?))
}

async fn form(
    tables: &Tables,
    browser: Option<&Browser>,
    mut filled: AskedClass,
    problem: Option<String>,
) -> Result<New, Told> {
    if filled.game.is_empty() {
        filled.game = catalog::FOR_TWO.to_owned();
    }
    let classes = match browser {
        Some(browser) => tables.store.classes_of(browser.holder(), now()).await.map_err(Failed::from)?,
        None => vec![],
    };
    let mut listed = Vec::new();
    for class in classes {
        let title = title(tables, &class).await;
        listed.push((codes::shown(&class.code), class.code, title));
    }
    let (book, notice) = match filled.book.as_str() {
        "" => (None, None),
        short => {
            let text = books::find(tables, short).await?;
            let game = tables.find_game(None, Some(&text), &Changes::default()).await?;
            let rulebook = game.ok_or_else(Told::nothing_here)?.rulebook().map_err(Problem::from)?;
            let rulebook = Arc::new(rulebook);
            let book = Some((short.to_owned(), rulebook.title().to_owned()));
            (book, games::notice(tables, &rulebook).await)
        }
    };
    Ok(New { classes: listed, games: games::titles(), book, notice, filled, problem })
}

/// What a class plays.
async fn played(tables: &Tables, class: &Class) -> Option<(Game, Arc<Rulebook>)> {
    let (game, _) = classes::plays(class).ok()?.find(tables).await.ok()?;
    let rulebook = Arc::new(game.rulebook().ok()?);
    Some((game, rulebook))
}

/// The same in words.
async fn title(tables: &Tables, class: &Class) -> String {
    let played = played(tables, class).await;
    played.map(|(game, rulebook)| describe::spoken_title(&game, &rulebook)).unwrap_or_default()
}

/// What is settled in a class beside the game, in words.
fn terms(class: &Class) -> String {
    let Ok(plays) = classes::plays(class) else { return String::new() };
    let mut said = join::in_words(plays.terms()).to_vec();
    if plays.terms_with_computer().hints && !plays.terms().hints {
        said.push("Against the computer they may be asked for.");
    }
    said.join(" ")
}

/// What a form asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedClass {
    game: String,
    book: String,
    variant: String,
    target: String,
    hints: String,
    no_take_back: Option<String>,
    discover: Option<String>,
}

/// A class is opened. If something in the form cannot be, it is shown again, with what is wrong.
pub async fn open(
    State(tables): State<Tables>,
    browser: Browser,
    Form(asked): Form<AskedClass>,
) -> Result<Response, Told> {
    match open_class(&tables, &browser, &asked).await {
        Ok(class) => {
            Ok(([browser.cookie()], Redirect::to(&format!("/class/{}", class.code))).into_response())
        }
        Err(told) if told.can_be_mended() => {
            let page = form(&tables, Some(&browser), asked, Some(sentence(&told.message))).await?;
            Ok((told.status, html(&page)).into_response())
        }
        Err(told) => Err(told),
    }
}

async fn open_class(tables: &Tables, browser: &Browser, asked: &AskedClass) -> Result<Class, Told> {
    // What can be said of them at once.
    changes(Some(&asked.variant), Some(&asked.target))?;
    if asked.hints == "on" && asked.discover.is_some() {
        let why = "in discovery nothing is given away, so there are no hints: choose one of the two";
        return Err(Told::new(StatusCode::UNPROCESSABLE_ENTITY, why));
    }
    let plays = Plays {
        game: given(Some(&asked.game)).unwrap_or_else(|| catalog::FOR_TWO.to_owned()),
        book: given(Some(&asked.book)),
        variant: given(Some(&asked.variant)),
        target: given(Some(&asked.target)),
        hints: asked.hints == "on",
        take_back: asked.no_take_back.is_none(),
        discover: asked.discover.is_some(),
    };
    Ok(classes::open(tables, browser.holder(), &plays).await?)
}

#[derive(Template)]
#[template(path = "class.html")]
struct Shown {
    code: String,
    shown: String,
    title: String,
    /// What to know of the game before playing.
    notice: Option<String>,
    terms: String,
    join: String,
    qr: String,
    is_open: bool,
    /// Whether its time has not passed.
    is_good: bool,
    here: String,
    only_here: bool,
    /// The rounds that go on, and those that are over.
    parts: Vec<Part>,
}

/// Rounds under a heading.
struct Part {
    heading: &'static str,
    rounds: Vec<Row>,
}

struct Row {
    /// The names, with whether they are away while they should play.
    names: [(String, bool); 2],
    number: String,
    stands: String,
    /// Where there is something to see, and what.
    look: Option<(String, &'static str)>,
}

impl Row {
    fn of(id: SittingId, room: &Room, here: ByPlayer<bool>) -> Row {
        let waits = classes::open_seat(room).is_some();
        let round = room.sitting().round();
        let number = |player: Player| round.number_of(player).to_string();
        // How it ended in all its words, the look back tells.
        let ended = |winner: Option<Player>| match winner {
            Some(winner) => format!("{} has won.", room.name(winner)),
            None => "Nobody has won.".to_owned(),
        };
        Row {
            names: Player::BOTH.map(|player| match room.is_open(player) {
                true => ("…".to_owned(), false),
                false => {
                    let plays = !room.is_over() && !room.is_left_by_anybody() && room.is_person_here(player);
                    (room.name(player), plays && !here[player])
                }
            }),
            number: match room.sitting().rulebook().numbers() {
                Numbers::Shared => number(round.position().turn()),
                Numbers::Separate => Player::BOTH.map(number).join(" : "),
            },
            stands: match round.outcome() {
                _ if waits => "Waiting for a partner…".to_owned(),
                Some(outcome) => ended(outcome.winner),
                None => stands(room, &[]),
            },
            look: match room.is_over() {
                _ if waits => None,
                true => Some((format!("/r/{id}/look-back"), "Look back")),
                false => Some((format!("/r/{id}"), "Watch")),
            },
        }
    }
}

/// The class of the browser that asks; nobody else is told whether there is one.
async fn own_class(tables: &Tables, code: &str, browser: Option<&Browser>) -> Result<Class, Told> {
    let code = codes::read(code).ok_or_else(Told::nothing_here)?;
    let class = tables.store.class(code).await.map_err(Failed::from)?;
    let own = class.filter(|class| browser.is_some_and(|browser| browser.holder() == class.holder));
    own.ok_or_else(Told::nothing_here)
}

/// How a class stands.
pub async fn show(
    State(tables): State<Tables>,
    Path(code): Path<String>,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let class = own_class(&tables, &code, browser.as_ref()).await?;
    let Some(browser) = browser else { return Err(Told::nothing_here()) };
    let (mut going_on, mut over) = (Vec::new(), Vec::new());
    // Each has a name of their own. Whoever plays the computer meanwhile is counted where they wait.
    let mut people = HashSet::new();
    let rounds = classes::rounds(&tables, &class.code).await?;
    for (place, (OfClass { id, holder }, room)) in rounds.iter().enumerate() {
        let has_computer = classes::has_computer(room);
        let seated = Player::BOTH.into_iter().filter(|player| !has_computer && !room.is_open(*player));
        people.extend(seated.map(|player| room.name(player)));
        // If nobody else comes, those who play the computer don't wait any more; and whoever has gone on does not either.
        let has_got_computer = || {
            let mut later = rounds[place..].iter();
            later.any(|(later, room)| later.holder == *holder && classes::has_computer(room))
        };
        let is_out = match classes::waiting(room) {
            Some(_) => !class.is_open && has_got_computer(),
            None => classes::open_seat(room).is_some(),
        };
        if is_out {
            continue;
        }
        let is_through = room.is_over() || room.is_left_by_anybody();
        let list = if is_through { &mut over } else { &mut going_on };
        list.push(Row::of(*id, room, tables.live.here(*id)));
    }
    let mut parts = vec![Part { heading: "Rounds", rounds: going_on }];
    if !over.is_empty() {
        parts.push(Part { heading: "Finished", rounds: over });
    }
    let (title, notice) = match played(&tables, &class).await {
        Some((game, rulebook)) => {
            (describe::spoken_title(&game, &rulebook), games::notice(&tables, &rulebook).await)
        }
        None => (String::new(), None),
    };
    let join = browser.here().url("/join");
    let is_good = class.until > now();
    Ok(html(&Shown {
        shown: codes::shown(&class.code),
        title,
        notice,
        terms: terms(&class),
        qr: qr(&format!("{join}?code={}", class.code)),
        join,
        is_open: class.is_open,
        is_good,
        here: phrases::count(people.len() as u64, "has come", "have come"),
        only_here: browser.here().is_only_here(),
        parts,
        code: class.code,
    }))
}

/// More may come, or nobody else.
pub async fn let_in(
    State(tables): State<Tables>,
    Path((code, what)): Path<(String, String)>,
    browser: Browser,
) -> Result<Response, Told> {
    let class = own_class(&tables, &code, Some(&browser)).await?;
    let is_open = match what.as_str() {
        "open" => true,
        "close" => false,
        _ => return Err(Told::nothing_here()),
    };
    classes::let_in(&tables, &class.code, is_open).await?;
    Ok(Redirect::to(&format!("/class/{}", class.code)).into_response())
}

#[derive(Template)]
#[template(path = "code.html")]
struct Join {
    code: String,
    name: String,
    /// Whether it is somebody who has not played at this browser.
    is_new: bool,
    problem: Option<String>,
    /// Who plays at this browser already, and where: they need no code.
    places: Vec<(String, SittingId)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedCode {
    code: String,
    name: String,
    /// Whether it is somebody who has not played at this browser.
    new: String,
}

/// Who is it, of those who play at this browser, or somebody else?
#[derive(Template)]
#[template(path = "who.html")]
struct Who {
    code: String,
    /// The name that was typed, if any.
    name: String,
    /// Who they may be.
    known: Vec<String>,
}

impl Who {
    fn of(code: &str, name: String, pupils: Vec<Pupil>) -> Who {
        let known = pupils.into_iter().map(|pupil| pupil.name).collect();
        Who { code: codes::shown(code), name, known }
    }

    /// All who play here, in a sentence.
    fn plays_as(&self) -> String {
        match self.known.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// Somebody is about to come in. Looking at it takes nothing.
pub async fn join_page(
    State(tables): State<Tables>,
    Query(asked): Query<AskedCode>,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    // A code for a device has a page of its own.
    if let Some(code) = codes::read(&asked.code).filter(|code| code.len() == codes::OF_DEVICE) {
        return Ok(Redirect::to(&format!("/device?code={code}")).into_response());
    }
    // Whoever has a place already goes there; to anybody else it is not told whether a code is right.
    let is_new = !asked.new.is_empty();
    if let (false, Some(code), Some(browser)) = (is_new, codes::read(&asked.code), &browser) {
        let pupils = classes::pupils(&tables, &code, browser.holder()).await?;
        match pupils.as_slice() {
            [] => {}
            [Pupil { place: Some(only), .. }] => {
                return Ok(Redirect::to(&format!("/r/{only}")).into_response());
            }
            _ => return Ok(html(&Who::of(&code, String::new(), pupils))),
        }
    }
    let code = codes::read(&asked.code).map(|code| codes::shown(&code)).unwrap_or_default();
    let name = match asked.name.is_empty() {
        true if !is_new => called(&tables, browser.as_ref()).await?,
        _ => asked.name,
    };
    let places = places(&tables, browser.as_ref()).await?;
    Ok(html(&Join { code, name, is_new, problem: None, places }))
}

async fn places(tables: &Tables, browser: Option<&Browser>) -> Result<Vec<(String, SittingId)>, Failed> {
    match browser {
        Some(browser) => classes::places(tables, browser.holder()).await,
        None => Ok(vec![]),
    }
}

/// Somebody comes in with a code: that of a class, or the one that moves a seat to this device.
pub async fn join(
    State(tables): State<Tables>,
    Address(address): Address,
    browser: Browser,
    Form(asked): Form<AskedCode>,
) -> Result<Response, Told> {
    let once_more = async |told: Told| {
        let (code, name) = (asked.code.clone(), asked.name.clone());
        let is_new = !asked.new.is_empty();
        let places = places(&tables, Some(&browser)).await?;
        let page = html(&Join { code, name, is_new, problem: Some(sentence(&told.message)), places });
        let wait = again(told.status, told.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
        // With its key, so that the next wrong one is counted as this browser's too.
        Ok((told.status, [browser.cookie()], wait, page).into_response())
    };
    let name = Some(asked.name.trim().to_owned()).filter(|name| !name.is_empty());
    let comer = Comer { name, is_new: !asked.new.is_empty() };
    match device::try_code(&tables, &browser, address, &asked.code, comer).await {
        Ok(Arrival::WhoIsIt(pupils)) => {
            let code = codes::read(&asked.code).unwrap_or_default();
            let page = html(&Who::of(&code, asked.name.trim().to_owned(), pupils));
            Ok(([browser.cookie()], page).into_response())
        }
        Ok(Arrival::At(id)) => Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response()),
        Err(told) if told.status.is_client_error() => once_more(told).await,
        Err(told) => Err(told),
    }
}

/// Somebody who waits plays the computer meanwhile.
pub async fn play_computer(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let holder = browser.holder();
    let class = tables.store.class_of(id).await.map_err(Failed::from)?;
    let seats = tables.store.seats(id, holder).await.map_err(Failed::from)?;
    let (Some(class), Some(own)) = (class, seats.first()) else { return Err(Told::nothing_here()) };
    let room = tables.heads.room(id).await?;
    let id = classes::play_computer(&tables, &class, &room, (*own, holder)).await?;
    Ok(Redirect::to(&format!("/r/{id}")).into_response())
}

/// The board that somebody saw who goes on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Seen {
    seq: Option<u64>,
}

/// Somebody goes on to the next partner.
pub async fn go_on(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(seen): Form<Seen>,
) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let id = classes::go_on(&tables, id, browser.holder(), seen.seq).await?;
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
}
