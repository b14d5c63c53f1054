//! Facts about a game, and its map. Both tell who wins, so they are a click away from the game's page.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use spoton::format::{Changes, Game, Rulebook, Setting};
use spoton::words::describe;

use super::{Told, books, html};
use crate::api::Problem;
use crate::facts::{self, Drawing, Drawn, MAP_TOO_LARGE, Report, TOO_LARGE};
use crate::seats::Browser;
use crate::tables::{Tables, find_game};

/// What the address asks for beside the game.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    variant: Option<String>,
    target: Option<String>,
}

/// A game that is asked about.
struct About {
    game: Game,
    rulebook: Arc<Rulebook>,
    /// The page of the game.
    address: String,
    /// Where its rules are changed.
    change: String,
}

impl About {
    fn new(
        name: Option<&str>,
        text: Option<&str>,
        (address, change): (String, String),
        asked: Asked,
    ) -> Result<About, Told> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let target = given(asked.target).map(|target| Setting::Target(target.trim().to_owned()));
        let changes = Changes { variant: given(asked.variant), settings: target.into_iter().collect() };
        let game = find_game(name, text, &changes).map_err(Problem::from)?.ok_or_else(Told::nothing_here)?;
        let rulebook = Arc::new(game.rulebook().map_err(Problem::from)?);
        Ok(About { game, rulebook, address, change })
    }

    fn of_game(name: &str, asked: Asked) -> Result<About, Told> {
        let addresses = (format!("/games/{name}"), format!("/workshop?like={name}"));
        About::new(Some(name), None, addresses, asked)
    }

    async fn of_book(tables: &Tables, short: &str, asked: Asked) -> Result<About, Told> {
        let text = books::find(tables, short).await?;
        About::new(None, Some(&text), (format!("/b/{short}"), format!("/workshop?book={short}")), asked)
    }

    /// Variants have names of letters, digits and dashes, and a target is a number: nothing is to be encoded.
    fn query(&self) -> String {
        let variant = self.game.variant.iter().map(|variant| format!("variant={variant}"));
        let target = self.rulebook.target().filter(|_| !self.game.settings.is_empty());
        let all: Vec<String> = variant.chain(target.map(|target| format!("target={target}"))).collect();
        if all.is_empty() { String::new() } else { format!("?{}", all.join("&")) }
    }

    fn heading(&self) -> Heading {
        Heading {
            title: describe::title(&self.game, &self.rulebook),
            address: self.address.clone(),
            change: self.change.clone(),
            variants: self.game.draft.variants().map(str::to_owned).collect(),
            variant: self.game.variant.clone().unwrap_or_default(),
            target: self.rulebook.target(),
            query: self.query(),
        }
    }
}

/// What stands over facts and map alike.
struct Heading {
    title: String,
    address: String,
    change: String,
    variants: Vec<String>,
    variant: String,
    target: Option<i64>,
    /// What the address asks for beside the game, for the way from facts to map and back.
    query: String,
}

#[derive(Template)]
#[template(path = "facts.html")]
struct Facts {
    heading: Heading,
    report: Option<Arc<Report>>,
    too_large: &'static str,
}

#[derive(Template)]
#[template(path = "map.html")]
struct MapPage {
    heading: Heading,
    drawn: Option<Arc<Drawn>>,
    too_large: &'static str,
}

async fn facts_page(tables: &Tables, browser: Option<Browser>, about: About) -> Result<Response, Told> {
    let holder = browser.map(|browser| browser.holder());
    let report = facts::report(tables, holder, &about.game, &about.rulebook).await?;
    Ok(html(&Facts { heading: about.heading(), report, too_large: TOO_LARGE }))
}

async fn map_page(tables: &Tables, browser: Option<Browser>, about: About) -> Result<Response, Told> {
    let holder = browser.map(|browser| browser.holder());
    let drawn = facts::map(tables, holder, &about.game, &about.rulebook).await?;
    Ok(html(&MapPage { heading: about.heading(), drawn, too_large: MAP_TOO_LARGE }))
}

pub async fn of_game(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Told> {
    facts_page(&tables, browser, About::of_game(&name, asked)?).await
}

pub async fn of_book(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(short): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Told> {
    let about = About::of_book(&tables, &short, asked).await?;
    facts_page(&tables, browser, about).await
}

pub async fn map_of_game(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Told> {
    map_page(&tables, browser, About::of_game(&name, asked)?).await
}

pub async fn map_of_book(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(short): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Told> {
    let about = About::of_book(&tables, &short, asked).await?;
    map_page(&tables, browser, about).await
}
