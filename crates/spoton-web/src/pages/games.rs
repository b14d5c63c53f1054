//! The list of games, and a page for each: its rules and the form for a new round.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Extension, Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::design::portrait::HowMuchChoice;
use spoton::discovery::{Spoiler, View};
use spoton::engine::computed::Source;
use spoton::engine::operation::Kind;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Changes, Game, Listed, Numbers, Op, Rulebook};
use spoton::words::{describe, phrases, rules};

use super::called::called;
use super::home::New;
use super::preview::{self, Preview};
use super::{ErrorPage, books, given, html, sentence};
use crate::picture::emblem::{Emblem, emblem};
use crate::picture::face::{Mood, face};
use crate::place::Here;
use crate::routes::Route;
use crate::seats::Browser;
use crate::tables::discovery;
use crate::tables::facts;
use crate::tables::{Tables, find_game, shipped};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/games", list),
        Route::reads("/games/{name}", one),
        Route::reads("/games/{name}/picture.png", picture),
    ]
}

#[derive(Template)]
#[template(path = "games.html")]
struct List {
    filters: Vec<Filter>,
    games: Vec<Card>,
}

struct Card {
    id: String,
    title: String,
    emblem: String,
    summary: String,
    suits: String,
    /// Its length, its number of choices, and what it needs.
    chips: Vec<String>,
}

/// A link that shows some of the games.
struct Filter {
    id: &'static str,
    name: &'static str,
    is_chosen: bool,
}

/// The filters: each with its name, and the games that it shows.
type Shows = fn(&Rulebook, &[String]) -> bool;
const FILTERS: &[(&str, &str, Shows)] = &[
    ("", "All", |_, _| true),
    ("short", "Short", |_, badges| length(badges).is_some_and(|moves| moves <= SHORT)),
    ("deep", "Deep", |_, badges| badges.iter().any(|badge| badge == HowMuchChoice::Many.words())),
    ("beginners", "For beginners", |rulebook, _| is_simple(rulebook)),
    ("two", "A number each", |rulebook, _| rulebook.numbers() == Numbers::Separate),
];

/// A short game has at most this many moves.
const SHORT: u64 = 10;
/// A game for beginners has at most this many moves to choose from.
const FEW_MOVES: usize = 4;

/// The number of moves on a badge such as `about 14 moves`.
fn length(badges: &[String]) -> Option<u64> {
    badges.iter().find_map(|badge| badge.strip_prefix("about ")?.split(' ').next()?.parse().ok())
}

/// Whether a beginner can work out every move: one number, and few operations that are always the same.
fn is_simple(rulebook: &Rulebook) -> bool {
    let fixed = |op: Op| matches!(op, Op::Fixed(_));
    let entries = rulebook.moves();
    rulebook.numbers() == Numbers::Shared
        && entries.len() <= FEW_MOVES
        && entries.iter().all(|entry| fixed(entry.op))
}

fn needs_division(rulebook: &Rulebook) -> bool {
    rulebook.moves().iter().any(|entry| match entry.op {
        Op::Fixed(operation) => operation.kind() == Kind::Divide,
        Op::Computed(computed) => {
            computed.kind() == Kind::Divide || matches!(computed.source(), Source::Divisor | Source::Prime)
        }
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListQuery {
    show: String,
}

pub async fn list(State(tables): State<Tables>, Query(asked): Query<ListQuery>) -> Response {
    let shipped: Vec<_> =
        Listed::shipped().filter_map(|listed| Some((listed.id, Arc::new(listed.rulebook?)))).collect();
    let rulebooks: Vec<_> = shipped.iter().map(|(_, rulebook)| Arc::clone(rulebook)).collect();
    let badges = facts::badges(&tables, &rulebooks).await;
    let (chosen, _, shows) = FILTERS.iter().find(|(id, _, _)| *id == asked.show).unwrap_or(&FILTERS[0]);
    let filter =
        |(id, name, _): &(&'static str, &'static str, Shows)| Filter { id, name, is_chosen: id == chosen };
    let games = shipped.into_iter().zip(badges).filter(|((_, rulebook), badges)| shows(rulebook, badges));
    html(&List { filters: FILTERS.iter().map(filter).collect(), games: games.map(card).collect() })
}

fn card(((id, rulebook), badges): ((String, Arc<Rulebook>), Vec<String>)) -> Card {
    let needs = needs_division(&rulebook).then(|| "needs division".to_owned());
    let each = (rulebook.numbers() == Numbers::Separate).then(|| "a number each".to_owned());
    Card {
        id,
        title: rulebook.title().to_owned(),
        emblem: emblem(&rulebook),
        summary: describe::summary(&rulebook),
        suits: rulebook.suits().map(|suits| format!("For {suits}.")).unwrap_or_default(),
        chips: badges.into_iter().chain(each).chain(needs).collect(),
    }
}

#[derive(Template)]
#[template(path = "game.html")]
pub(super) struct One {
    /// The form field that names the game: `game`, or `book` for a shared book.
    key: &'static str,
    id: String,
    /// The addresses of its page, and of the workshop with its rules.
    address: String,
    change: String,
    shared: Option<Shared>,
    title: String,
    emblem: String,
    summary: String,
    notice: Option<String>,
    target: Option<i64>,
    variants: Vec<Variant>,
    opponents: Vec<Rival>,
    /// The form as it was filled in, and what is wrong with it.
    filled: New,
    problem: Option<String>,
    rules: Vec<String>,
    notes: Vec<String>,
    /// Whether the page links to facts and map.
    tells_facts: bool,
    preview: Option<Preview>,
}

/// A variant of a game, as a form shows it.
pub(super) struct Variant {
    pub id: String,
    pub name: String,
    pub about: String,
}

/// An opponent, as a form shows it.
pub(super) struct Rival {
    pub id: String,
    pub name: &'static str,
    pub face: String,
    /// Its style of play.
    pub habit: String,
}

/// The part that only a shared book's page has.
pub(super) struct Shared {
    pub link: String,
    pub qr: String,
    /// The text, safe to show.
    pub text: String,
    /// Whether it was just shared, so that the link comes first.
    pub just_now: bool,
}

pub async fn one(
    State(tables): State<Tables>,
    Path(name): Path<String>,
    Extension(here): Extension<Here>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let book = shipped(&name)?;
    if book.id != name {
        return Ok(Redirect::to(&format!("/games/{}", book.id)).into_response());
    }
    let game = Game::new(book, name.clone(), &Changes::default())?;
    let view = discovery::of_games(&tables, browser.as_ref().map(Browser::holder)).await?;
    Ok(html(
        &One::for_game(&tables, &game, name, None, view)
            .await?
            .for_browser(&tables, browser.as_ref())
            .await?
            .previewed(&here),
    ))
}

/// A game's picture, for link previews.
pub async fn picture(Path(name): Path<String>) -> Result<Response, ErrorPage> {
    let game = Game::new(shipped(&name)?, name, &Changes::default())?;
    Ok(preview::picture_of_game(&Emblem::new(&Arc::new(game.rulebook()?))))
}

/// Shows the page of the form's game again, filled in as it was, with the error. If there is no such page, returns the
/// error.
pub(super) async fn once_more(
    tables: &Tables,
    browser: &Browser,
    filled: New,
    error: ErrorPage,
) -> Result<Response, ErrorPage> {
    let view = discovery::of_games(tables, Some(browser.holder())).await?;
    let page = match (given(filled.book.as_deref()), given(filled.game.as_deref())) {
        (Some(short), _) => books::shown(tables, browser.here(), short, view).await?,
        (None, Some(name)) => {
            let game = find_game(Some(&name), None, &Changes::default())?;
            One::for_game(tables, &game, game.id().to_owned(), None, view).await?
        }
        (None, None) => return Err(error),
    };
    let problem = Some(sentence(&error.message));
    Ok((error.status, html(&One { filled, problem, ..page })).into_response())
}

/// A notice to read before playing: the game can't be played, or nobody can land on its target. The second is hidden
/// with the other facts.
pub(super) async fn notice(tables: &Tables, rulebook: &Arc<Rulebook>, view: View) -> Option<String> {
    match rulebook.unplayable() {
        None => facts::out_of_reach(tables, rulebook, view).await,
        why => why,
    }
}

/// Ids and titles of the shipped games, for a form.
pub(super) fn titles() -> Vec<(String, String)> {
    let titled = |listed: Listed| Some((listed.id, listed.rulebook?.title().to_owned()));
    Listed::shipped().filter_map(titled).collect()
}

/// The opponents in a form.
pub(super) fn opponents() -> Vec<Rival> {
    let rival = |opponent: Opponent| Rival {
        id: opponent.to_string(),
        name: opponent.title(),
        face: face(opponent, Mood::Waiting),
        habit: opponent.habit().into_owned(),
    };
    Opponent::for_people().map(rival).collect()
}

/// A game's valid variants.
pub(super) fn variants(game: &Game) -> Vec<Variant> {
    let variant = |id: &str| {
        let changes = Changes { variant: Some(id.to_owned()), ..Changes::default() };
        let rulebook = game.changed(&changes).ok()?.rulebook().ok()?;
        let name = phrases::capitalised(&id.replace('-', " "));
        Some(Variant { id: id.to_owned(), name, about: describe::summary(&rulebook) })
    };
    game.draft.variants().filter_map(variant).collect()
}

impl One {
    /// Fills in the last name.
    pub(super) async fn for_browser(
        self,
        tables: &Tables,
        browser: Option<&Browser>,
    ) -> Result<One, ErrorPage> {
        let filled = New { name: called(tables, browser).await?, ..self.filled };
        Ok(One { filled, ..self })
    }

    /// Adds the link preview.
    pub(super) fn previewed(self, here: &Here) -> One {
        let picture = format!("{}/picture.png", self.address);
        let preview = Preview::new(here, &self.address, self.title.clone(), self.summary.clone(), &picture);
        One { preview, ..self }
    }

    /// Puts the link on top if the book was just shared.
    pub(super) fn sharing(mut self, just_now: bool) -> One {
        if let Some(shared) = &mut self.shared {
            shared.just_now = just_now;
        }
        self
    }

    /// The page for a shipped game or a shared book.
    pub(super) async fn for_game(
        tables: &Tables,
        game: &Game,
        id: String,
        shared: Option<Shared>,
        view: View,
    ) -> Result<One, ErrorPage> {
        let rulebook = Arc::new(game.rulebook()?);
        let (key, address, change) = match shared {
            None => ("game", format!("/games/{id}"), format!("/workshop?like={id}")),
            Some(_) => ("book", format!("/b/{id}"), format!("/workshop?book={id}")),
        };
        Ok(One {
            key,
            id,
            address,
            change,
            shared,
            title: rulebook.title().to_owned(),
            emblem: emblem(&rulebook),
            summary: describe::summary(&rulebook),
            notice: notice(tables, &rulebook, view).await,
            target: rulebook.target(),
            variants: variants(game),
            opponents: opponents(),
            filled: New::default(),
            problem: None,
            rules: describe::rules(&rulebook),
            notes: rules::notes(&rulebook, view).to_vec(),
            tells_facts: !view.hides(Spoiler::Facts),
            preview: None,
        })
    }
}
