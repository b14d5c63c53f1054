//! Facts about a game, and its map. Both are spoilers, so they are a click away from the game's page.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use spoton::discovery::{Spoiler, View};
use spoton::format::{Changes, Game, Rulebook};
use spoton::words::describe;

use super::games::{self, Variant};
use super::{ErrorPage, books, changes, html, sentence};
use crate::api::Problem;
use crate::routes::Route;
use crate::seats::Browser;
use crate::tables::discovery;
use crate::tables::facts::{self, Drawing, Drawn, MAP_TOO_LARGE, Report, TOO_LARGE};
use crate::tables::{Tables, find_game, shipped};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/games/{name}/facts", of_game),
        Route::reads("/games/{name}/map", map_of_game),
        Route::reads("/b/{short}/facts", of_book),
        Route::reads("/b/{short}/map", map_of_book),
    ]
}

/// The query string.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FactsQuery {
    variant: Option<String>,
    target: Option<String>,
}

/// The game in question.
struct About {
    game: Game,
    rulebook: Arc<Rulebook>,
    /// The game page's address.
    address: String,
    /// The address of the workshop with its rules.
    change: String,
    /// The target as typed, and the error in the query. With an error, the page shows the unchanged game.
    typed: String,
    problem: Option<ErrorPage>,
}

impl About {
    fn new(
        name: Option<&str>,
        text: Option<&str>,
        (address, change): (String, String),
        asked: FactsQuery,
    ) -> Result<About, ErrorPage> {
        let (variant, target) = (asked.variant.as_deref(), asked.target.as_deref());
        let found = |changes: Result<Changes, ErrorPage>| {
            let game = find_game(name, text, &changes?)?;
            let rulebook = Arc::new(game.rulebook()?);
            Ok::<_, ErrorPage>((game, rulebook))
        };
        let ((game, rulebook), problem) = match found(changes(variant, target)) {
            Ok(found) => (found, None),
            Err(error) if error.can_be_mended() => (found(Ok(Changes::default()))?, Some(error)),
            Err(error) => return Err(error),
        };
        let typed = asked.target.filter(|_| problem.is_some()).unwrap_or_default();
        Ok(About { game, rulebook, address, change, typed, problem })
    }

    fn of_game(name: &str, asked: FactsQuery) -> Result<About, ErrorPage> {
        let id = shipped(name)?.id;
        let addresses = (format!("/games/{id}"), format!("/workshop?like={id}"));
        About::new(Some(&id), None, addresses, asked)
    }

    async fn of_book(tables: &Tables, short: &str, asked: FactsQuery) -> Result<About, ErrorPage> {
        let text = books::find(tables, short).await?;
        let addresses = (format!("/b/{short}"), format!("/workshop?book={short}"));
        let read = tables.thinking.read(move || About::new(None, Some(&text), addresses, asked));
        read.await.map_err(Problem::from)?
    }

    /// The query string. Needs no encoding: names of variants are letters, digits and dashes, and a target is a number.
    fn query(&self) -> String {
        let variant = self.game.variant.iter().map(|variant| format!("variant={variant}"));
        let target = self.rulebook.target().filter(|_| !self.game.settings.is_empty());
        let all: Vec<String> = variant.chain(target.map(|target| format!("target={target}"))).collect();
        if all.is_empty() { String::new() } else { format!("?{}", all.join("&")) }
    }

    fn heading(&self) -> Heading {
        Heading {
            title: describe::spoken_title(&self.game, &self.rulebook),
            address: self.address.clone(),
            change: self.change.clone(),
            variants: games::variants(&self.game),
            variant: self.game.variant.clone().unwrap_or_default(),
            target: self.rulebook.target(),
            typed: self.typed.clone(),
            problem: self.problem.as_ref().map(|error| sentence(&error.message)),
            query: self.query(),
        }
    }
}

/// The heading that facts and map share.
struct Heading {
    title: String,
    address: String,
    change: String,
    variants: Vec<Variant>,
    variant: String,
    target: Option<i64>,
    typed: String,
    problem: Option<String>,
    /// The query string, for the links between facts and map.
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
    /// Why the game can't be played, if so. The facts say it themselves.
    unplayable: Option<String>,
    drawn: Option<Arc<Drawn>>,
    too_large: &'static str,
}

/// Refuses facts and map to pupils in a class in discovery mode.
async fn must_show(tables: &Tables, browser: Option<&Browser>, spoiler: Spoiler) -> Result<(), ErrorPage> {
    match discovery::hidden_from(tables, browser.map(Browser::holder)).await? {
        Some(why) if View::of_player(true).hides(spoiler) => Err(ErrorPage::hidden(why)),
        _ => Ok(()),
    }
}

async fn facts_page(tables: &Tables, browser: Option<Browser>, about: About) -> Result<Response, ErrorPage> {
    must_show(tables, browser.as_ref(), Spoiler::Facts).await?;
    if let Some(error) = &about.problem {
        let page = html(&Facts { heading: about.heading(), report: None, too_large: "" });
        return Ok((error.status, page).into_response());
    }
    let holder = browser.map(|browser| browser.holder());
    let report = facts::report(tables, holder, &about.game, &about.rulebook).await?;
    Ok(html(&Facts { heading: about.heading(), report, too_large: TOO_LARGE }))
}

async fn map_page(tables: &Tables, browser: Option<Browser>, about: About) -> Result<Response, ErrorPage> {
    must_show(tables, browser.as_ref(), Spoiler::Stones).await?;
    if let Some(error) = &about.problem {
        let page = html(&MapPage { heading: about.heading(), unplayable: None, drawn: None, too_large: "" });
        return Ok((error.status, page).into_response());
    }
    let holder = browser.map(|browser| browser.holder());
    let drawn = facts::map(tables, holder, &about.game, &about.rulebook).await?;
    let unplayable = about.rulebook.unplayable();
    Ok(html(&MapPage { heading: about.heading(), unplayable, drawn, too_large: MAP_TOO_LARGE }))
}

pub async fn of_game(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(name): Path<String>,
    Query(asked): Query<FactsQuery>,
) -> Result<Response, ErrorPage> {
    facts_page(&tables, browser, About::of_game(&name, asked)?).await
}

pub async fn of_book(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(short): Path<String>,
    Query(asked): Query<FactsQuery>,
) -> Result<Response, ErrorPage> {
    let about = About::of_book(&tables, &short, asked).await?;
    facts_page(&tables, browser, about).await
}

pub async fn map_of_game(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(name): Path<String>,
    Query(asked): Query<FactsQuery>,
) -> Result<Response, ErrorPage> {
    map_page(&tables, browser, About::of_game(&name, asked)?).await
}

pub async fn map_of_book(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    Path(short): Path<String>,
    Query(asked): Query<FactsQuery>,
) -> Result<Response, ErrorPage> {
    let about = About::of_book(&tables, &short, asked).await?;
    map_page(&tables, browser, about).await
}
