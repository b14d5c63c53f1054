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
struct One {
    id: String,
    title: String,
    summary: String,
    target: Option<i64>,
    variants: Vec<String>,
    opponents: Vec<(String, String)>,
    rules: Vec<String>,
    notes: Vec<String>,
}

pub async fn one(Path(name): Path<String>) -> Result<Response, Told> {
    let book = BookText::shipped(&name).ok_or_else(Told::nothing_here)?;
    let game = Game::new(book, name.clone(), &Changes::default()).map_err(crate::api::Problem::from)?;
    let rulebook = game.rulebook().map_err(crate::api::Problem::from)?;
    let opponent = |opponent: Opponent| (opponent.to_string(), opponent.title().to_owned());
    Ok(html(&One {
        id: name,
        title: rulebook.title().to_owned(),
        summary: describe::summary(&rulebook),
        target: rulebook.target(),
        variants: game.draft.variants().map(str::to_owned).collect(),
        opponents: Opponent::for_people().map(opponent).collect(),
        rules: describe::rules(&rulebook),
        notes: rulebook.notes().to_vec(),
    }))
}
