//! All games, and each of them: its rules, and how to begin a round.

use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use spoton::format::{BookText, Changes, Game, Listed};
use spoton::people::opponent::Opponent;
use spoton::words::describe;

use super::{Told, html};

#[derive(Template)]
#[template(path = "games.html")]
struct List {
    games: Vec<Card>,
}

struct Card {
    id: String,
    title: String,
    summary: String,
}

pub async fn list() -> Response {
    let card = |listed: Listed| {
        let rulebook = listed.rulebook?;
        Some(Card {
            id: listed.id,
            title: rulebook.title().to_owned(),
            summary: describe::summary(&rulebook),
        })
    };
    html(&List { games: Listed::shipped().filter_map(card).collect() })
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
    target: Option<i64>,
    variants: Vec<String>,
    opponents: Vec<(String, String)>,
    rules: Vec<String>,
    notes: Vec<String>,
}

/// What the page of a shared book has beside.
pub(super) struct Shared {
    pub link: String,
    pub qr: String,
    /// The text as it can be shown.
    pub text: String,
}

pub async fn one(Path(name): Path<String>) -> Result<Response, Told> {
    let book = BookText::shipped(&name).ok_or_else(Told::nothing_here)?;
    let game = Game::new(book, name.clone(), &Changes::default()).map_err(crate::api::Problem::from)?;
    Ok(html(&One::of(&game, name, None)?))
}

/// The games in a form.
pub(super) fn titles() -> Vec<(String, String)> {
    let titled = |listed: Listed| Some((listed.id, listed.rulebook?.title().to_owned()));
    Listed::shipped().filter_map(titled).collect()
}

/// The choices of opponents in a form.
pub(super) fn opponents() -> Vec<(String, String)> {
    Opponent::for_people().map(|opponent| (opponent.to_string(), opponent.title().to_owned())).collect()
}

impl One {
    /// The page of a game of ours, or of a shared book.
    pub(super) fn of(game: &Game, id: String, shared: Option<Shared>) -> Result<One, Told> {
        let rulebook = game.rulebook().map_err(crate::api::Problem::from)?;
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
            target: rulebook.target(),
            variants: game.draft.variants().map(str::to_owned).collect(),
            opponents: opponents(),
            rules: describe::rules(&rulebook),
            notes: rulebook.notes().to_vec(),
        })
    }
}
