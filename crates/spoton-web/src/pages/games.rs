//! All games, and each of them: its rules, and how to begin a round.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use spoton::format::{BookText, Changes, Game, Listed, Rulebook};
use spoton::people::opponent::Opponent;
use spoton::sitting::discovery::{Spoiler, View};
use spoton::words::{describe, phrases, rules};

use super::called::called;
use super::home::New;
use super::{Told, books, given, html, sentence};
use crate::discovery;
use crate::facts;
use crate::seats::Browser;
use crate::tables::{Tables, find_game};

#[derive(Template)]
#[template(path = "games.html")]
struct List {
    games: Vec<Card>,
}

struct Card {
    id: String,
    title: String,
    summary: String,
    suits: String,
    /// How long it lasts and how much there is to choose, as far as that is known.
    badges: String,
}

pub async fn list(State(tables): State<Tables>) -> Response {
    let shipped: Vec<_> =
        Listed::shipped().filter_map(|listed| Some((listed.id, Arc::new(listed.rulebook?)))).collect();
    let rulebooks: Vec<_> = shipped.iter().map(|(_, rulebook)| Arc::clone(rulebook)).collect();
    let badges = facts::badges(&tables, &rulebooks).await;
    let card = |((id, rulebook), badges): ((String, Arc<Rulebook>), Vec<String>)| Card {
        id,
        title: rulebook.title().to_owned(),
        summary: describe::summary(&rulebook),
        suits: rulebook.suits().map(|suits| format!("For {suits}.")).unwrap_or_default(),
        badges: phrases::capitalised(&badges.join(", ")),
    };
    let games = shipped.into_iter().zip(badges).map(card).collect();
    html(&List { games })
}

#[derive(Template)]
#[template(path = "game.html")]
pub(super) struct One {
    /// What a form calls the game by: a name, or the address of a shared book.
    key: &'static str,
    id: String,
    /// The address of its page, and where its rules are changed.
    address: String,
    change: String,
    shared: Option<Shared>,
    title: String,
    summary: String,
    notice: Option<String>,
    target: Option<i64>,
    variants: Vec<Variant>,
    opponents: Vec<Rival>,
    /// What was filled in before, and what is wrong with it.
    filled: New,
    problem: Option<String>,
    rules: Vec<String>,
    notes: Vec<String>,
    /// Whether facts and map are shown here.
    tells_facts: bool,
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
    /// What it tends to do.
    pub habit: String,
}

/// What the page of a shared book has beside.
pub(super) struct Shared {
    pub link: String,
    pub qr: String,
    /// The text as it can be shown.
    pub text: String,
    /// Whether somebody has just shared it, and wants the link first of all.
    pub just_now: bool,
}

pub async fn one(
    State(tables): State<Tables>,
    Path(name): Path<String>,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let book = BookText::shipped(&name).ok_or_else(Told::nothing_here)?;
    let game = Game::new(book, name.clone(), &Changes::default())?;
    let view = discovery::of_games(&tables, browser.as_ref().map(Browser::holder)).await?;
    Ok(html(&One::of(&tables, &game, name, None, view).await?.for_browser(&tables, browser.as_ref()).await?))
}

/// The page of the game that a form was about, filled in as it was, with what is wrong. Where there is no such page, it
/// is told by itself.
pub(super) async fn once_more(
    tables: &Tables,
    browser: &Browser,
    filled: New,
    told: Told,
) -> Result<Response, Told> {
    let view = discovery::of_games(tables, Some(browser.holder())).await?;
    let page = match (given(filled.book.as_deref()), given(filled.game.as_deref())) {
        (Some(short), _) => books::shown(tables, browser.here(), short, view).await?,
        (None, Some(name)) => {
            let game = find_game(Some(&name), None, &Changes::default())?;
            One::of(tables, &game.ok_or_else(Told::nothing_here)?, name, None, view).await?
        }
        (None, None) => return Err(told),
    };
    let problem = Some(sentence(&told.message));
    Ok((told.status, html(&One { filled, problem, ..page })).into_response())
}

/// What to know of a game before playing: that nobody can play it, or that nobody can land on its target.
pub(super) async fn notice(tables: &Tables, rulebook: &Arc<Rulebook>) -> Option<String> {
    match rulebook.unplayable() {
        None => facts::out_of_reach(tables, rulebook).await,
        why => why,
    }
}

/// The games in a form.
pub(super) fn titles() -> Vec<(String, String)> {
    let titled = |listed: Listed| Some((listed.id, listed.rulebook?.title().to_owned()));
    Listed::shipped().filter_map(titled).collect()
}

/// The choices of opponents in a form.
pub(super) fn opponents() -> Vec<Rival> {
    let rival = |opponent: Opponent| Rival {
        id: opponent.to_string(),
        name: opponent.title(),
        habit: opponent.habit().into_owned(),
    };
    Opponent::for_people().map(rival).collect()
}

/// The variants of a game. One that is not valid alone cannot be chosen.
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
    /// With the name that was typed last filled in.
    pub(super) async fn for_browser(self, tables: &Tables, browser: Option<&Browser>) -> Result<One, Told> {
        let filled = New { name: called(tables, browser).await?, ..self.filled };
        Ok(One { filled, ..self })
    }

    /// With the link on top, if somebody has just shared it.
    pub(super) fn sharing(mut self, just_now: bool) -> One {
        if let Some(shared) = &mut self.shared {
            shared.just_now = just_now;
        }
        self
    }

    /// The page of a game of ours, or of a shared book.
    pub(super) async fn of(
        tables: &Tables,
        game: &Game,
        id: String,
        shared: Option<Shared>,
        view: View,
    ) -> Result<One, Told> {
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
            summary: describe::summary(&rulebook),
            notice: notice(tables, &rulebook).await,
            target: rulebook.target(),
            variants: variants(game),
            opponents: opponents(),
            filled: New::default(),
            problem: None,
            rules: describe::rules(&rulebook),
            notes: rules::notes(&rulebook, view).to_vec(),
            tells_facts: !view.hides(Spoiler::Facts),
        })
    }
}
