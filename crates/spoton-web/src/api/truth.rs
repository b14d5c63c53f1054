//! Games and evaluations: the same answers as the commands with `--json`.

use std::sync::Arc;

use axum::Json as Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use spoton::discovery::{Spoiler, View};
use spoton::format::{Changes, Game, Listed, Rulebook, Setting};
use spoton::json;
use spoton::records::{listed_moves, set_up};

use super::Problem;
use super::rounds::holder;
use crate::limits::{BOOK_BYTES, MOST_MISTAKES, TIME_FOR_FACTS};
use crate::seats::Browser;
use crate::tables::books::{self, TooLong};
use crate::tables::discovery;
use crate::tables::{Tables, find_game, shipped};

/// A game: either its id or a rule book's text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AskedGame {
    /// A shipped game's id, such as number-maze. Part of it is enough if only one game matches.
    pub game: Option<String>,
    /// Alternatively, a rule book's text.
    #[schemars(length(max = BOOK_BYTES))]
    pub rulebook: Option<String>,
    pub variant: Option<String>,
    /// New values for the rule book's keys.
    pub settings: Map<String, Json>,
    #[schemars(extend("type" = ["integer", "string", "null"]))]
    pub target: Option<Json>,
}

impl AskedGame {
    /// Finds the game and applies the variant, settings and target.
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
        if self.game.is_none() && self.rulebook.is_none() {
            return Err(Problem::bad_request("send a \"game\" or a \"rulebook\""));
        }
        Ok(find_game(self.game.as_deref(), self.rulebook.as_deref(), &changes)?)
    }

    /// Like `find`, but parses a long rule book off the async threads.
    pub async fn find_with(&self, tables: &Tables) -> Result<Game, Problem> {
        if self.rulebook.is_none() {
            return self.find();
        }
        let asked = self.clone();
        tables.thinking.read(move || asked.find()).await?
    }
}

/// Turns a rejected body into a problem.
pub fn body<T>(body: Result<Body<T>, JsonRejection>) -> Result<T, Problem> {
    match body {
        Ok(Body(body)) => Ok(body),
        Err(rejection) => Err(Problem::new(rejection.status(), rejection.body_text())),
    }
}

pub async fn games() -> Body<Vec<json::ListedGame>> {
    Body(json::games(Listed::shipped().collect::<Vec<_>>().iter()))
}

/// Returns the view of games for the seat's holder or the browser.
async fn view(tables: &Tables, headers: &HeaderMap, browser: Option<&Browser>) -> Result<View, Problem> {
    let holder = holder(headers).or(browser.map(Browser::holder));
    Ok(discovery::of_games(tables, holder).await?)
}

/// A game's rules and its rule book.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Rules")]
pub struct WholeGame {
    #[serde(flatten)]
    rules: json::Rules,
    /// The whole rule book as TOML.
    rulebook: String,
}

pub async fn game(
    State(tables): State<Tables>,
    Path(name): Path<String>,
    browser: Option<Browser>,
    headers: HeaderMap,
) -> Result<Body<WholeGame>, Problem> {
    let book = shipped(&name)?;
    let view = view(&tables, &headers, browser.as_ref()).await?;
    let text = discovery::text(book.text.clone(), view).ok_or_else(Problem::hidden)?;
    let name = book.id.clone();
    let game = Game::new(book, name, &Changes::default())?;
    Ok(Body(WholeGame { rules: json::rules(&game, &game.rulebook()?, view), rulebook: text }))
}

/// Checks a rule book.
pub async fn check(
    State(tables): State<Tables>,
    asked: Result<Body<AskedGame>, JsonRejection>,
) -> Result<Body<json::Check>, Problem> {
    let asked = body(asked)?;
    let text = match (&asked.rulebook, &asked.game) {
        (Some(text), _) => text.clone(),
        (None, Some(name)) => shipped(name)?.text,
        (None, None) => return Err(Problem::bad_request("send a \"rulebook\"")),
    };
    if text.len() > BOOK_BYTES {
        return Err(TooLong.into());
    }
    let checked = books::check(&tables, "rulebook", &text).await?;
    let checked =
        checked.map_err(|too_much| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, too_much.to_string()))?;
    let told = &checked.problems[..checked.problems.len().min(MOST_MISTAKES)];
    let omitted = checked.problems.len() - told.len();
    Ok(Body(json::Check {
        // Not derived from the list, because it may omit the error.
        valid: checked.rulebook.is_some(),
        unplayable: checked.rulebook.as_ref().and_then(|rulebook| rulebook.unplayable()),
        unplayable_variants: checked.unplayable_variants.into_iter().collect(),
        more: (omitted > 0).then_some(omitted),
        ..json::check("rulebook", told)
    }))
}

/// Reads a game and its rule book off the async threads: parsing a long one takes a moment.
async fn read(tables: &Tables, asked: AskedGame) -> Result<(Game, Arc<Rulebook>), Problem> {
    let found = tables.thinking.read(move || {
        let game = asked.find()?;
        let rulebook = Arc::new(game.rulebook()?);
        Ok((game, rulebook))
    });
    found.await?
}

/// A position of a game.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AskedPosition {
    #[serde(flatten)]
    game: AskedGame,
    /// The moves from the start to the position.
    moves: Moves,
}

/// Moves as a list or as one text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

/// Evaluates a position and each move.
pub async fn solve(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    headers: HeaderMap,
    asked: Result<Body<AskedPosition>, JsonRejection>,
) -> Result<Body<json::Solution>, Problem> {
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

/// Audits a rule book.
pub async fn audit(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    headers: HeaderMap,
    asked: Result<Body<AskedGame>, JsonRejection>,
) -> Result<Body<json::Audit>, Problem> {
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

/// Suggests the terminal program, which has a higher memory limit.
pub fn too_large<T>(found: Result<T, spoton::solver::Unsolved>) -> Result<T, Problem> {
    found.map_err(|why| {
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("too large for this server; try spoton in a terminal: {why}"),
        )
    })
}
