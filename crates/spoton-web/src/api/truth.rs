//! Games, and the truth about them: what the commands of the terminal print with `--json`.

use std::sync::Arc;

use axum::Json as Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use spoton::format::{self, BookText, Changes, Game, Listed, Rulebook, Setting, catalog};
use spoton::json;
use spoton::records::{listed_moves, set_up};
use spoton::sitting::discovery::{Spoiler, View};

use super::Problem;
use super::rounds::holder;
use crate::books::{self, TooLong};
use crate::discovery;
use crate::limits::{BOOK_BYTES, MOST_MISTAKES, TIME_FOR_FACTS};
use crate::seats::Browser;
use crate::tables::{Tables, find_game};

/// A game as a request names it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedGame {
    /// The id of a shipped game.
    pub game: Option<String>,
    /// Or a rule book's text.
    pub rulebook: Option<String>,
    pub variant: Option<String>,
    pub settings: Map<String, Json>,
    pub target: Option<Json>,
}

impl AskedGame {
    /// The game, with all that lies over it.
    pub fn find(&self) -> Result<Game, Problem> {
        if self.rulebook.as_ref().is_some_and(|text| text.len() > BOOK_BYTES) {
            return Err(TooLong.into());
        }
        let set =
            |(key, value): (&String, &Json)| Setting::Set(format!("{key}={}", json::setting_value(value)));
        let mut settings: Vec<Setting> = self.settings.iter().map(set).collect();
        if let Some(target) = &self.target {
            let target = target.as_str().map_or_else(|| target.to_string(), str::to_owned);
            settings.push(Setting::Target(target));
        }
        let changes = Changes { variant: self.variant.clone(), settings };
        let game = find_game(self.game.as_deref(), self.rulebook.as_deref(), &changes)?;
        game.ok_or_else(|| match &self.game {
            Some(name) => Problem::new(StatusCode::NOT_FOUND, no_such_game(name)),
            None => Problem::bad_request("name a \"game\", or send a \"rulebook\""),
        })
    }

    /// The same. A long rule book takes a while to read, so that is done off the threads that answer.
    pub async fn find_with(&self, tables: &Tables) -> Result<Game, Problem> {
        if self.rulebook.is_none() {
            return self.find();
        }
        let asked = self.clone();
        tables.thinking.read(move || asked.find()).await?
    }
}

fn no_such_game(name: &str) -> String {
    match format::nearest(name, catalog::ids()) {
        Some(meant) => format!("there is no game \"{}\"; did you mean {meant}?", format::quotable(name)),
        None => format!("there is no game \"{}\"", format::quotable(name)),
    }
}

/// A body that is not what it has to be is told like everything else.
pub fn body<T>(body: Result<Body<T>, JsonRejection>) -> Result<T, Problem> {
    match body {
        Ok(Body(body)) => Ok(body),
        Err(rejection) => Err(Problem::new(rejection.status(), rejection.body_text())),
    }
}

pub async fn games() -> Body<Json> {
    Body(json::games(Listed::shipped().collect::<Vec<_>>().iter()))
}

/// What somebody may see of games: the holder of a seat, or the browser that asks.
async fn view(tables: &Tables, headers: &HeaderMap, browser: Option<&Browser>) -> Result<View, Problem> {
    let holder = holder(headers).or(browser.map(Browser::holder));
    Ok(discovery::of_games(tables, holder).await?)
}

pub async fn game(
    State(tables): State<Tables>,
    Path(name): Path<String>,
    browser: Option<Browser>,
    headers: HeaderMap,
) -> Result<Body<Json>, Problem> {
    let book =
        BookText::shipped(&name).ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, no_such_game(&name)))?;
    let view = view(&tables, &headers, browser.as_ref()).await?;
    let text = discovery::text(book.text.clone(), view).ok_or_else(Problem::hidden)?;
    let game = Game::new(book, name, &Changes::default())?;
    let mut rules = json::rules(&game, &game.rulebook()?, view);
    rules["rulebook"] = json!(text);
    Ok(Body(rules))
}

/// A rule book is checked.
pub async fn check(
    State(tables): State<Tables>,
    asked: Result<Body<AskedGame>, JsonRejection>,
) -> Result<Body<Json>, Problem> {
    let asked = body(asked)?;
    let text = match (&asked.rulebook, &asked.game) {
        (Some(text), _) => text.clone(),
        (None, Some(name)) => catalog::text(name)
            .ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, no_such_game(name)))?
            .to_owned(),
        (None, None) => return Err(Problem::bad_request("send a \"rulebook\"")),
    };
    if text.len() > BOOK_BYTES {
        return Err(TooLong.into());
    }
    let checked = books::check(&tables, "rulebook", &text).await?;
    let checked =
        checked.map_err(|too_much| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, too_much.to_string()))?;
    let told = &checked.problems[..checked.problems.len().min(MOST_MISTAKES)];
    let mut answer = json::check("rulebook", told);
    // A mistake may be among those that are left out.
    answer["valid"] = json!(checked.rulebook.is_some());
    if let Some(why) = checked.rulebook.as_ref().and_then(|rulebook| rulebook.unplayable()) {
        answer["unplayable"] = json!(why);
    }
    if told.len() < checked.problems.len() {
        answer["more"] = json!(checked.problems.len() - told.len());
    }
    Ok(Body(answer))
}

/// A game with its rule book. A long one takes a moment to read, in which others are to be answered.
async fn read(tables: &Tables, asked: AskedGame) -> Result<(Game, Arc<Rulebook>), Problem> {
    let found = tables.thinking.read(move || {
        let game = asked.find()?;
        let rulebook = Arc::new(game.rulebook()?);
        Ok((game, rulebook))
    });
    found.await?
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedPosition {
    #[serde(flatten)]
    game: AskedGame,
    moves: Moves,
}

/// Moves as a list or as one text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

/// What a position is worth.
pub async fn solve(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    headers: HeaderMap,
    asked: Result<Body<AskedPosition>, JsonRejection>,
) -> Result<Body<Json>, Problem> {
    if view(&tables, &headers, browser.as_ref()).await?.hides(Spoiler::Values) {
        return Err(Problem::hidden());
    }
    let AskedPosition { game, moves } = body(asked)?;
    let (game, rulebook) = read(&tables, game).await?;
    let moves = match moves {
        Moves::List(moves) => moves,
        Moves::Text(text) => listed_moves(&text).map(str::to_owned).collect(),
    };
    let round = set_up(&rulebook, moves.iter().map(String::as_str))
        .map_err(|bad| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, bad.to_string()))?;
    let solved =
        tables.thinking.report(browser.map(|browser| browser.holder()), TIME_FOR_FACTS, move |ahead| {
            let solver = ahead.ask(&rulebook, |game, budget| game.solver(budget))?;
            Ok(json::solution(&game, &solver, &round))
        });
    Ok(Body(too_large(solved.await?)?))
}

/// What a rule book is worth.
pub async fn audit(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    headers: HeaderMap,
    asked: Result<Body<AskedGame>, JsonRejection>,
) -> Result<Body<Json>, Problem> {
    if view(&tables, &headers, browser.as_ref()).await?.hides(Spoiler::Facts) {
        return Err(Problem::hidden());
    }
    let (game, rulebook) = read(&tables, body(asked)?).await?;
    let audited =
        tables.thinking.report(browser.map(|browser| browser.holder()), TIME_FOR_FACTS, move |ahead| {
            let audit = ahead.ask(&rulebook, |game, budget| game.audit(budget))?;
            Ok(json::audit(&game, &rulebook, &audit, None))
        });
    Ok(Body(too_large(audited.await?)?))
}

/// What is too large here may not be elsewhere.
pub fn too_large<T>(found: Result<T, spoton::solver::Unsolved>) -> Result<T, Problem> {
    found.map_err(|why| {
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("too large here; spoton in a terminal may have room for it: {why}"),
        )
    })
}
