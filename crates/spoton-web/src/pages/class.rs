//! A class: one code for everyone. The teacher sees every round; each pupil gets a partner.

use std::collections::HashSet;
use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use spoton::discovery::View;
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, Game, Numbers, Rulebook, catalog};
use spoton::words::{describe, phrases};

use super::board::qr;
use super::called::called;
use super::device;
use super::status::status;
use super::{ErrorPage, books, changes, games, given, html, join, sentence};
use crate::address::Address;
use crate::api::{Problem, again};
use crate::codes;
use crate::ids::SittingId;
use crate::room::Room;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::store::{Class, OfClass};
use crate::tables::Tables;
use crate::tables::classes::{self, Arrival, Comer, NoPlace, Plays, Pupil};
use crate::tables::writer::Failed;
use spoton::words::ending::End;

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::takes("/class", Who::Anyone, Stores::Classes, get(page).post(open)),
        Route::reads("/class/{code}", show),
        Route::takes("/class/{code}/{what}", Who::Teacher, Stores::Commands, post(let_in)),
        Route::takes("/join", Who::Anyone, Stores::Codes, get(join_page).post(join)),
        Route::takes("/r/{id}/computer", Who::SeatHolder, Stores::Rounds, post(play_computer)),
        Route::takes("/r/{id}/next", Who::SeatHolder, Stores::Rounds, post(go_on)),
    ]
}

impl From<NoPlace> for ErrorPage {
    fn from(no_place: NoPlace) -> ErrorPage {
        match no_place {
            NoPlace::NoTable(no_table) => no_table.into(),
            NoPlace::Unknown | NoPlace::NoGame => ErrorPage::new(StatusCode::NOT_FOUND, no_place.to_string()),
            NoPlace::NoName => ErrorPage::new(StatusCode::UNPROCESSABLE_ENTITY, no_place.to_string()),
            NoPlace::Closed | NoPlace::Full | NoPlace::NotYet => {
                ErrorPage::new(StatusCode::CONFLICT, no_place.to_string())
            }
            NoPlace::TooManyClasses => ErrorPage::new(StatusCode::TOO_MANY_REQUESTS, no_place.to_string()),
        }
    }
}

#[derive(Template)]
#[template(path = "class_new.html")]
struct New {
    /// The teacher's open classes.
    classes: Vec<(String, String, String)>,
    games: Vec<(String, String)>,
    /// The address and title of a shared rule book to play instead.
    book: Option<(String, String)>,
    /// A notice to read before playing that book.
    notice: Option<String>,
    /// The form as it was filled in, and what is wrong with it.
    filled: AskedClass,
    problem: Option<String>,
}

/// The game, if the link names one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedGame {
    book: String,
}

/// The form for a new class.
pub async fn page(
    State(tables): State<Tables>,
    Query(asked): Query<AskedGame>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let filled = AskedClass { book: asked.book, ..AskedClass::default() };
    Ok(html(&form(&tables, browser.as_ref(), filled, None).await?))
}

async fn form(
    tables: &Tables,
    browser: Option<&Browser>,
    mut filled: AskedClass,
    problem: Option<String>,
) -> Result<New, ErrorPage> {
    if filled.game.is_empty() {
        filled.game = catalog::FOR_TWO.to_owned();
    }
    let classes = match browser {
        Some(browser) => {
            tables.store.classes_of(browser.holder(), tables.clock.now()).await.map_err(Failed::from)?
        }
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
            let rulebook = game.rulebook().map_err(Problem::from)?;
            let rulebook = Arc::new(rulebook);
            let book = Some((short.to_owned(), rulebook.title().to_owned()));
            // Only its teacher sees this page.
            (book, games::notice(tables, &rulebook, View::of_everything()).await)
        }
    };
    Ok(New { classes: listed, games: games::titles(), book, notice, filled, problem })
}

/// A class's game.
async fn played(tables: &Tables, class: &Class) -> Option<(Game, Arc<Rulebook>)> {
    let (game, _) = classes::plays(class).ok()?.find(tables).await.ok()?;
    let rulebook = Arc::new(game.rulebook().ok()?);
    Some((game, rulebook))
}

/// Its title.
async fn title(tables: &Tables, class: &Class) -> String {
    let played = played(tables, class).await;
    played.map(|(game, rulebook)| describe::spoken_title(&game, &rulebook)).unwrap_or_default()
}

/// A class's terms in words.
fn terms(class: &Class) -> String {
    let Ok(plays) = classes::plays(class) else { return String::new() };
    let mut said = join::in_words(plays.terms()).to_vec();
    if plays.terms_with_computer().hints && !plays.terms().hints {
        said.push("Hints are available against the computer.");
    }
    said.join(" ")
}

/// The form's fields.
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

/// Opens a class. If the form has an error, shows it again with the error.
pub async fn open(
    State(tables): State<Tables>,
    browser: Browser,
    Form(asked): Form<AskedClass>,
) -> Result<Response, ErrorPage> {
    match open_class(&tables, &browser, &asked).await {
        Ok(class) => {
            Ok(([browser.cookie()], Redirect::to(&format!("/class/{}", class.code))).into_response())
        }
        Err(error) if error.can_be_mended() => {
            let page = form(&tables, Some(&browser), asked, Some(sentence(&error.message))).await?;
            Ok((error.status, html(&page)).into_response())
        }
        Err(error) => Err(error),
    }
}

async fn open_class(tables: &Tables, browser: &Browser, asked: &AskedClass) -> Result<Class, ErrorPage> {
    // Errors that need no rule book.
    changes(Some(&asked.variant), Some(&asked.target))?;
    if asked.hints == "on" && asked.discover.is_some() {
        let why = "discovery mode has no hints, so choose one of the two";
        return Err(ErrorPage::new(StatusCode::UNPROCESSABLE_ENTITY, why));
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
    Ok(classes::open(tables, browser.holder(), plays).await?)
}

#[derive(Template)]
#[template(path = "class.html")]
struct Shown {
    code: String,
    shown: String,
    title: String,
    /// A notice to read before playing.
    notice: Option<String>,
    terms: String,
    join: String,
    qr: String,
    is_open: bool,
    /// Whether it hasn't expired.
    is_good: bool,
    here: String,
    only_here: bool,
    /// Current and finished rounds.
    parts: Vec<Part>,
}

/// Rounds under a heading.
struct Part {
    heading: &'static str,
    rounds: Vec<Row>,
}

struct Row {
    /// The names, and whether the player is away during a round.
    names: [(String, bool); 2],
    number: String,
    status: String,
    /// The link to the round, and its label.
    look: Option<(String, &'static str)>,
}

impl Row {
    fn for_room(id: SittingId, room: &Room, here: ByPlayer<bool>) -> Row {
        let waits = classes::open_seat(room).is_some();
        let round = room.sitting().round();
        let number = |player: Player| round.number_of(player).to_string();
        // The review has the details.
        let result = || End { round, names: &room.all_names(), you: None }.result();
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
            status: match round.outcome() {
                _ if waits => "Waiting for a partner…".to_owned(),
                Some(_) => result().unwrap_or_default(),
                None => status(room, &[]),
            },
            look: match room.is_over() {
                _ if waits => None,
                true => Some((format!("/r/{id}/look-back"), "Review")),
                false => Some((format!("/r/{id}"), "Watch")),
            },
        }
    }
}

/// The class, if this browser opened it. For everyone else it doesn't exist.
async fn own_class(tables: &Tables, code: &str, browser: Option<&Browser>) -> Result<Class, ErrorPage> {
    let code = codes::read(code).ok_or_else(ErrorPage::nothing_here)?;
    let class = tables.store.class(code).await.map_err(Failed::from)?;
    let own = class.filter(|class| browser.is_some_and(|browser| browser.holder() == class.holder));
    own.ok_or_else(ErrorPage::nothing_here)
}

/// The teacher's page.
pub async fn show(
    State(tables): State<Tables>,
    Path(code): Path<String>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let class = own_class(&tables, &code, browser.as_ref()).await?;
    let Some(browser) = browser else { return Err(ErrorPage::nothing_here()) };
    let (mut going_on, mut over) = (Vec::new(), Vec::new());
    // Names are unique. A pupil who plays the computer while waiting counts once.
    let mut people = HashSet::new();
    let rounds = classes::rounds(&tables, &class.code).await?;
    for (place, (OfClass { id, holder }, room)) in rounds.iter().enumerate() {
        let has_computer = classes::has_computer(room);
        let seated = Player::BOTH.into_iter().filter(|player| !has_computer && !room.is_open(*player));
        people.extend(seated.map(|player| room.name(player)));
        // Not listed: the waiting rounds of pupils who got the computer when the class closed, or who moved on.
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
        list.push(Row::for_room(*id, room, tables.live.here(*id)));
    }
    let mut parts = vec![Part { heading: "Rounds", rounds: going_on }];
    if !over.is_empty() {
        parts.push(Part { heading: "Finished", rounds: over });
    }
    let (title, notice) = match played(&tables, &class).await {
        Some((game, rulebook)) => {
            let notice = games::notice(&tables, &rulebook, View::of_everything()).await;
            (describe::spoken_title(&game, &rulebook), notice)
        }
        None => (String::new(), None),
    };
    let join = browser.here().url("/join");
    let is_good = class.until > tables.clock.now();
    Ok(html(&Shown {
        shown: codes::shown(&class.code),
        title,
        notice,
        terms: terms(&class),
        qr: qr(&format!("{join}?code={}", class.code)),
        join,
        is_open: class.is_open,
        is_good,
        here: phrases::count(people.len() as u64, "pupil has joined", "pupils have joined"),
        only_here: browser.here().is_only_here(),
        parts,
        code: class.code,
    }))
}

/// Closes or reopens a class.
pub async fn let_in(
    State(tables): State<Tables>,
    Path((code, what)): Path<(String, String)>,
    browser: Browser,
) -> Result<Response, ErrorPage> {
    let class = own_class(&tables, &code, Some(&browser)).await?;
    let is_open = match what.as_str() {
        "open" => true,
        "close" => false,
        _ => return Err(ErrorPage::nothing_here()),
    };
    tables.rates.admit_command(browser.holder()).map_err(Failed::from)?;
    classes::let_in(&tables, &class.code, is_open).await?;
    Ok(Redirect::to(&format!("/class/{}", class.code)).into_response())
}

#[derive(Template)]
#[template(path = "code.html")]
struct Join {
    code: String,
    name: String,
    /// Whether a new pupil takes over this device.
    is_new: bool,
    problem: Option<String>,
    /// This device's pupils and their rounds; they need no code.
    places: Vec<(String, SittingId)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedCode {
    code: String,
    name: String,
    /// Whether a new pupil takes over this device.
    new: String,
}

/// Asks which pupil is at this device now.
#[derive(Template)]
#[template(path = "who.html")]
struct WhichPupil {
    code: String,
    /// The name entered, if any.
    name: String,
    /// This device's pupils.
    known: Vec<String>,
}

impl WhichPupil {
    fn from_pupils(code: &str, name: String, pupils: Vec<Pupil>) -> WhichPupil {
        let known = pupils.into_iter().map(|pupil| pupil.name).collect();
        WhichPupil { code: codes::shown(code), name, known }
    }

    /// Their names as a list.
    fn plays_as(&self) -> String {
        match self.known.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// The form to join with a code. A GET takes no seat.
pub async fn join_page(
    State(tables): State<Tables>,
    Query(asked): Query<AskedCode>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    // Device codes have their own page.
    if let Some(code) = codes::read(&asked.code).filter(|code| code.len() == codes::OF_DEVICE) {
        return Ok(Redirect::to(&format!("/device?code={code}")).into_response());
    }
    // Pupils with a round go there. To others the page doesn't reveal whether a code is right.
    let is_new = !asked.new.is_empty();
    if let (false, Some(code), Some(browser)) = (is_new, codes::read(&asked.code), &browser) {
        let pupils = classes::pupils(&tables, &code, browser.holder()).await?;
        match pupils.as_slice() {
            [] => {}
            [Pupil { place: Some(only), .. }] => {
                return Ok(Redirect::to(&format!("/r/{only}")).into_response());
            }
            _ => return Ok(html(&WhichPupil::from_pupils(&code, String::new(), pupils))),
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

/// Joins with a class code, or moves a seat to this device with a device code.
pub async fn join(
    State(tables): State<Tables>,
    Address(address): Address,
    browser: Browser,
    Form(asked): Form<AskedCode>,
) -> Result<Response, ErrorPage> {
    let once_more = async |error: ErrorPage| {
        let (code, name) = (asked.code.clone(), asked.name.clone());
        let is_new = !asked.new.is_empty();
        let places = places(&tables, Some(&browser)).await?;
        let page = html(&Join { code, name, is_new, problem: Some(sentence(&error.message)), places });
        let wait = again(error.status, error.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
        // Sets the cookie, so that further wrong codes count for this browser.
        Ok((error.status, [browser.cookie()], wait, page).into_response())
    };
    let name = Some(asked.name.trim().to_owned()).filter(|name| !name.is_empty());
    let comer = Comer { name, is_new: !asked.new.is_empty() };
    match device::try_code(&tables, &browser, address, &asked.code, comer).await {
        Ok(Arrival::WhoIsIt(pupils)) => {
            let code = codes::read(&asked.code).unwrap_or_default();
            let page = html(&WhichPupil::from_pupils(&code, asked.name.trim().to_owned(), pupils));
            Ok(([browser.cookie()], page).into_response())
        }
        Ok(Arrival::At(id)) => Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response()),
        Err(error) if error.status.is_client_error() => once_more(error).await,
        Err(error) => Err(error),
    }
}

/// A waiting pupil plays the computer.
pub async fn play_computer(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let holder = browser.holder();
    let class = tables.store.class_of(id).await.map_err(Failed::from)?;
    let seats = tables.store.seats(id, holder).await.map_err(Failed::from)?;
    let (Some(class), Some(own)) = (class, seats.first()) else { return Err(ErrorPage::nothing_here()) };
    let room = tables.rooms.room(id).await?;
    let id = classes::play_computer(&tables, &class, &room, (*own, holder)).await?;
    Ok(Redirect::to(&format!("/r/{id}")).into_response())
}

/// The last event the pupil saw.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Seen {
    seq: Option<u64>,
}

/// Moves on to the next partner.
pub async fn go_on(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(seen): Form<Seen>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let id = classes::go_on(&tables, id, browser.holder(), seen.seq).await?;
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
}
