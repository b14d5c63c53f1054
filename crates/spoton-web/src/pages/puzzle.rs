//! Puzzles: "Win from here". The store keeps the progress, so a puzzle can be resumed and is tried only once.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use spoton::day::Day;
use spoton::discovery::{Spoiler, View};
use spoton::engine::position::Choice;
use spoton::engine::round::Round;
use spoton::format::{BookText, Changes, Game, Numbers, catalog};
use spoton::sitting::Lookahead;
use spoton::solver::Unsolved;
use spoton::teach::puzzle::{
    self, Attempt, AttemptState, Became, Course, NextPuzzle, OwnRound, PuzzleId, Shelf, Tried,
};
use spoton::view::{self, MoveView};
use spoton::words;
use spoton::words::puzzle::TASK;
use spoton::words::{describe, phrases};

use super::named::spoken;
use super::{ErrorPage, html};
use crate::api::Problem;
use crate::clock::day_of;
use crate::ids::Hash;
use crate::limits::{BYTES_OF_A_VALUE, ROUNDS_ON_A_PAGE, TIME_FOR_A_PUZZLE, stored_bytes};
use crate::picture;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::discovery;
use crate::tables::writer::Failed;
use crate::tables::{Tables, shipped};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/puzzles", list),
        Route::takes("/puzzles/{which}", Who::Anyone, Stores::Puzzles, get(page).post(play)),
        Route::takes("/puzzles/{which}/next", Who::Anyone, Stores::Puzzles, post(next)),
    ]
}

/// The address of puzzles from all games.
const ANY: &str = "any";

/// The prefix of keys for results; the puzzle's id follows.
const PUZZLE: &str = "puzzle ";

/// The prefix of keys for progress; the address of the puzzles follows.
const TRYING: &str = "trying ";

/// How far a player got in a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Trying {
    puzzle: String,
    /// The solver's moves so far.
    moves: Vec<String>,
    gave_up: bool,
}

/// A person solving puzzles.
#[derive(Clone, Debug)]
struct Solver {
    /// The puzzles' address: a game's id, or [`ANY`].
    which: String,
    today: Day,
    tried: Tried,
    trying: Option<Trying>,
    rounds: Vec<OwnRound>,
    /// The values that all this was read from. A change replaces only these: another server may have changed them since.
    remembered: Arc<Vec<(String, String)>>,
}

impl Solver {
    async fn load(tables: &Tables, which: &str, holder: Option<Hash>) -> Result<Solver, ErrorPage> {
        let which = if which == ANY { ANY.to_owned() } else { shipped(which)?.id };
        let mut solver = Solver {
            which,
            today: tables.clock.today(),
            tried: Tried::default(),
            trying: None,
            rounds: vec![],
            remembered: Arc::default(),
        };
        let Some(holder) = holder else { return Ok(solver) };
        let remembered = tables.store.remembered(holder).await.map_err(Failed::from)?;
        let pairs = remembered.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        solver.tried =
            Tried::read(pairs.clone().filter_map(|(key, value)| Some((key.strip_prefix(PUZZLE)?, value))));
        let trying = pairs.clone().find(|(key, _)| key.strip_prefix(TRYING) == Some(&solver.which));
        solver.trying = trying.and_then(|(_, value)| serde_json::from_str(value).ok());
        let sittings = tables.store.sittings_of(holder, ROUNDS_ON_A_PAGE).await.map_err(Failed::from)?;
        // Oldest first.
        for (id, listed) in sittings.into_iter().rev() {
            let Ok(room) = tables.rooms.listed(id, &listed).await else { continue };
            let day = Some(day_of(listed.at));
            solver.rounds.extend(room.rounds().iter().map(|record| OwnRound { record: record.clone(), day }));
        }
        solver.remembered = Arc::new(remembered);
        Ok(solver)
    }

    /// Sets a value, unless another server has changed it. Returns whether it was set.
    async fn replace(&self, tables: &Tables, holder: Hash, key: String, new: String) -> Result<bool, Failed> {
        let old = self.remembered.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone());
        Ok(tables.store.replace_remembered(holder, key, old, new, tables.clock.now()).await?)
    }

    /// Removes a value, unless another server has changed it.
    async fn forget(&self, tables: &Tables, holder: Hash, key: String) -> Result<(), Failed> {
        if let Some((_, old)) = self.remembered.iter().find(|(known, _)| *known == key) {
            tables.store.forget_remembered(holder, key, old.clone()).await?;
        }
        Ok(())
    }

    /// The key of solver jobs: the game. Puzzles of all games share one key, so they run one at a time.
    fn key(&self) -> Hash {
        let rulebook = catalog::draft(&self.which).and_then(|draft| draft.build().ok());
        rulebook.map_or_else(|| Hash::digest(ANY), |rulebook| Hash::digest(rulebook.whole_line()))
    }

    fn shelves(&self) -> Vec<Shelf> {
        let ids = catalog::ids().filter(|id| self.which == ANY || *id == self.which);
        let game = |id: &str| Game::new(BookText::shipped(id)?, id.to_owned(), &Changes::default()).ok();
        ids.filter_map(|id| Shelf::from_game(game(id)?).ok()).collect()
    }

    /// The game's title; `None` for all games.
    fn title(&self) -> Option<String> {
        Some(catalog::draft(&self.which)?.build().ok()?.title().to_owned())
    }

    /// The current attempt, or one at the next puzzle; or why there is none.
    fn attempt(&self, ahead: &mut Lookahead<'_>) -> Result<Result<Attempt, String>, Unsolved> {
        let (shelves, today) = (self.shelves(), self.today);
        let course = Course { tried: &self.tried, rounds: &self.rounds, today };
        if let Some(trying) = &self.trying
            && let Ok(id) = trying.puzzle.parse::<PuzzleId>()
            && let Some(served) = puzzle::by_id(&id, &shelves, &course, ahead.games, ahead.keep_going)?
        {
            let mut attempt = Attempt::begin(served);
            for written in &trying.moves {
                if let Some(choice) = choice(&attempt, written) {
                    attempt.play(choice);
                }
            }
            if trying.gave_up {
                attempt.give_up();
            }
            return Ok(Ok(attempt));
        }
        let next = match &shelves[..] {
            [only] => puzzle::next(only, &course, ahead.games, ahead.keep_going)?,
            all => puzzle::next_of_all(all, &course, ahead.games, ahead.keep_going)?,
        };
        let nothing = words::puzzle::nothing_left(&next, self.title().as_deref(), today);
        Ok(match next {
            NextPuzzle::Puzzle(served) => Ok(Attempt::begin(*served)),
            _ => Err(nothing.unwrap_or_default()),
        })
    }
}

/// The legal choice with this notation.
fn choice(attempt: &Attempt, written: &str) -> Option<Choice> {
    let mut moves = view::moves(attempt.round()).into_iter();
    moves.find(|a_move| a_move.is_legal() && a_move.written == written)?.choice
}

fn too_large(why: Unsolved) -> ErrorPage {
    ErrorPage::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        format!("too large here: {why}; try `spoton puzzle` in a terminal"),
    )
}

#[derive(Template)]
#[template(path = "puzzles.html")]
struct List {
    games: Vec<(String, String)>,
    solved: Option<String>,
}

/// The games that may have puzzles.
pub async fn list(State(tables): State<Tables>, browser: Option<Browser>) -> Result<Response, ErrorPage> {
    let solver = Solver::load(&tables, ANY, browser.map(|browser| browser.holder())).await?;
    let title = |id: &str| Some((id.to_owned(), catalog::draft(id)?.build().ok()?.title().to_owned()));
    let solved = solver.tried.solved();
    Ok(html(&List {
        games: catalog::ids().filter_map(title).collect(),
        solved: (solved > 0).then(|| phrases::count(solved as u64, "puzzle", "puzzles")),
    }))
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct Page {
    which: String,
    shown: Option<Shown>,
    /// Why there is no puzzle.
    nothing: String,
}

struct Shown {
    heading: String,
    glance: String,
    about: Vec<String>,
    grade: String,
    /// The number of the player to move, for its colour.
    turn: u8,
    number: Option<i64>,
    /// The number lines; if there are two, with their owners.
    lines: Vec<(Option<&'static str>, String)>,
    told: Vec<String>,
    status: String,
    puzzle: String,
    made: usize,
    choices: Vec<Shows>,
    /// The result, if it's over.
    end: Option<End>,
    /// Whether to show the start card.
    start_card: bool,
    rules: Vec<String>,
}

/// A move, legal or not.
struct Shows {
    written: String,
    label: String,
    leads_to: String,
    reason: Option<String>,
}

struct End {
    solved: bool,
    said: Vec<String>,
}

impl Shown {
    fn from_attempt(
        attempt: &Attempt,
        made: usize,
        started: bool,
        out_of_reach: Option<String>,
        (view, today): (View, Day),
    ) -> Shown {
        let (served, round) = (attempt.served(), attempt.round());
        let rulebook = round.rulebook();
        let begun = served.begin().history().len();
        let end = match attempt.state() {
            AttemptState::Open => None,
            AttemptState::Solved => {
                Some(End { solved: true, said: vec![format!("Solved. {}", words::puzzle::solved(attempt))] })
            }
            AttemptState::Missed(proof) => {
                let mut said = words::puzzle::proof(attempt, proof, view.hides(Spoiler::Values));
                said.push("It'll be back tomorrow.".to_owned());
                Some(End { solved: false, said })
            }
        };
        let shared = rulebook.numbers() == Numbers::Shared;
        let turn = round.position().turn();
        let moves = view::moves(round);
        let whose = |owner| if owner == attempt.solver() { "Your number" } else { "Your opponent's number" };
        Shown {
            heading: format!("{TASK}: {}", describe::spoken_title(&served.game, rulebook)),
            glance: describe::at_a_glance_with_repeats(rulebook, out_of_reach.as_deref()),
            // After the end, an earlier miss isn't news.
            about: if end.is_none() { words::puzzle::about(served, today) } else { vec![] },
            grade: words::puzzle::grade_in_words(served.grade()),
            turn: turn.number(),
            number: shared.then(|| i64::try_from(round.number_of(turn)).unwrap_or(i64::MAX)),
            lines: picture::lines(round, &moves)
                .into_iter()
                .map(|line| (line.owner.map(whose), line.svg))
                .collect(),
            told: words::puzzle::told_since(round, begun, attempt.solver()),
            status: if end.is_none() { words::puzzle::status(round) } else { String::new() },
            puzzle: served.id.to_string(),
            made,
            choices: if end.is_none() { choices(round, &moves) } else { vec![] },
            start_card: !started && made == 0 && end.is_none(),
            end,
            rules: describe::rules(rulebook),
        }
    }
}

fn choices(round: &Round, moves: &[MoveView]) -> Vec<Shows> {
    let leads_to = |a_move: &MoveView, number: i128| {
        let is_own = a_move.owner == round.position().turn();
        let left = a_move.left.as_ref().map(|left| format!(" ({left})"));
        format!("{}{number}{}", if is_own { "" } else { "their number " }, left.unwrap_or_default())
    };
    let shows = |a_move: &MoveView| Shows {
        written: a_move.written.clone(),
        label: spoken(&a_move.label).to_owned(),
        leads_to: a_move.to.as_ref().map(|number| leads_to(a_move, *number)).unwrap_or_default(),
        reason: a_move.reason().map(str::to_owned),
    };
    moves.iter().map(shows).collect()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Looks {
    /// Left the start card.
    start: Option<String>,
}

/// Shows the puzzle. A fresh one begins with a card, so that a double tap on the way here doesn't use up the try.
pub async fn page(
    State(tables): State<Tables>,
    Path(which): Path<String>,
    Query(looks): Query<Looks>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let holder = browser.map(|browser| browser.holder());
    let view = discovery::of_games(&tables, holder).await?;
    let solver = Solver::load(&tables, &which, holder).await?;
    let which = solver.which.clone();
    let started = looks.start.is_some();
    let found = tables.thinking.question(solver.key(), TIME_FOR_A_PUZZLE, move |ahead| {
        let made = solver.trying.as_ref().map_or(0, |trying| trying.moves.len());
        let attempt = match solver.attempt(ahead)? {
            Ok(attempt) => attempt,
            Err(nothing) => return Ok(Err(nothing)),
        };
        let rulebook = Arc::clone(attempt.round().rulebook());
        let out_of_reach = ahead.ask(&rulebook, |game, _| Ok(game.out_of_reach(view)))?;
        Ok(Ok(Shown::from_attempt(&attempt, made, started, out_of_reach, (view, solver.today))))
    });
    let (shown, nothing) = match found.await.map_err(Problem::from)?.map_err(too_large)? {
        Ok(shown) => (Some(shown), String::new()),
        Err(nothing) => (None, nothing),
    };
    Ok(html(&Page { which, shown, nothing }))
}

/// The form's fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PuzzleForm {
    puzzle: String,
    /// The number of moves before this one.
    made: usize,
    #[serde(rename = "move")]
    written: Option<String>,
}

/// The name of a browser's puzzle lock: of two concurrent moves only one counts as the try.
fn turn(holder: Hash) -> String {
    format!("puzzles of {}", holder.short())
}

/// Makes a move or gives up. Outdated forms change nothing and get the current puzzle.
pub async fn play(
    State(tables): State<Tables>,
    Path(which): Path<String>,
    browser: Browser,
    Form(asked): Form<PuzzleForm>,
) -> Result<Response, ErrorPage> {
    let holder = browser.holder();
    let _one_at_a_time = tables.turns.take(&*tables.store, turn(holder)).await?;
    let solver = Solver::load(&tables, &which, Some(holder)).await?;
    let which = solver.which.clone();
    let back = ([browser.cookie()], Redirect::to(&format!("/puzzles/{which}"))).into_response();
    let is_begun = solver.trying.is_some();
    let trying = match &solver.trying {
        Some(trying) => trying.clone(),
        None => Trying { puzzle: asked.puzzle.clone(), ..Trying::default() },
    };
    let is_over = asked.puzzle.parse().is_ok_and(|id| match solver.tried.result(&id) {
        Some(Became::Solved(_)) => true,
        Some(Became::Missed(day)) => day >= solver.today,
        None => false,
    });
    if trying.puzzle != asked.puzzle || trying.moves.len() != asked.made {
        return Ok(back);
    }
    if is_over {
        // It was tried at another address in the meantime, so the next one follows here.
        if is_begun {
            solver.forget(&tables, holder, format!("{TRYING}{which}")).await?;
        }
        return Ok(back);
    }
    let before = Solver { trying: Some(trying.clone()), ..solver.clone() };
    let played = tables.thinking.question(before.key(), TIME_FOR_A_PUZZLE, move |ahead| {
        let Ok(mut attempt) = before.attempt(ahead)? else { return Ok(None) };
        let mut trying = trying.clone();
        // The id is unknown or the attempt is over.
        if attempt.served().id.to_string() != trying.puzzle || !attempt.is_open() {
            return Ok(None);
        }
        match &asked.written {
            None => {
                attempt.give_up();
                trying.gave_up = true;
            }
            Some(written) => match choice(&attempt, written) {
                Some(choice) => {
                    attempt.play(choice);
                    trying.moves.push(written.clone());
                }
                None => return Ok(None),
            },
        }
        let today = before.today;
        let became = match attempt.state() {
            AttemptState::Open => None,
            AttemptState::Solved => Some(Became::Solved(today)),
            AttemptState::Missed(_) => Some(Became::Missed(today)),
        };
        Ok::<_, Unsolved>(Some((trying, became)))
    });
    if let Some((trying, became)) = played.await.map_err(Problem::from)?.map_err(too_large)? {
        tables.has_room().await?;
        let value = serde_json::to_string(&trying).unwrap_or_default();
        let results = if became.is_some() { BYTES_OF_A_VALUE } else { 0 };
        let bytes = BYTES_OF_A_VALUE + stored_bytes(value.len()) + results;
        tables.rates.adds(holder, bytes).map_err(Failed::from)?;
        // The result first: a crash in between must not give a second try. If another server was faster, its result counts.
        if let Some(became) = became {
            let key = format!("{PUZZLE}{}", trying.puzzle);
            if !solver.replace(&tables, holder, key, became.to_string()).await? {
                return Ok(back);
            }
        }
        solver.replace(&tables, holder, format!("{TRYING}{which}"), value).await?;
    }
    Ok(back)
}

/// Moves on to the next puzzle once this one is over.
pub async fn next(
    State(tables): State<Tables>,
    Path(which): Path<String>,
    browser: Browser,
) -> Result<Response, ErrorPage> {
    let holder = browser.holder();
    let _one_at_a_time = tables.turns.take(&*tables.store, turn(holder)).await?;
    let solver = Solver::load(&tables, &which, Some(holder)).await?;
    let which = solver.which.clone();
    let is_over = solver
        .trying
        .as_ref()
        .is_some_and(|trying| trying.puzzle.parse().is_ok_and(|id| solver.tried.result(&id).is_some()));
    if is_over {
        solver.forget(&tables, holder, format!("{TRYING}{which}")).await?;
    }
    Ok(Redirect::to(&format!("/puzzles/{which}")).into_response())
}
