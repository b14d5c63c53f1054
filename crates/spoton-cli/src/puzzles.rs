//! Puzzles on this machine: their source, the date and earlier results.

use std::cell::RefCell;

use spoton::format::{BookText, Changes, Game, Setting, catalog};
use spoton::solved::SolvedGames;
use spoton::teach::puzzle::{
    self, Attempt, AttemptState, Became, Course, NextPuzzle, OwnRound, Served, Shelf, Tried,
};
use spoton::words::puzzle::nothing_left;
use spoton::words::{self, describe};

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::past_rounds::{self, PastRounds};
use crate::progress;
use crate::shell;
use crate::solving::look_ahead;

/// Puzzles one after another, from one game or from all of Spot On's games.
pub struct Desk {
    folders: Folders,
    shelves: Vec<Shelf>,
    /// The title of the game, with changes, if there is only one.
    title: Option<String>,
    /// The reason that the only game can't be played.
    unplayable: Option<String>,
    /// The game's id without the changes, if there are any.
    unchanged: Option<String>,
    /// Results of this run, in case they can't be saved.
    tried: RefCell<Tried>,
    /// Rounds played on this machine.
    rounds: Vec<OwnRound>,
}

impl Desk {
    /// Puzzles of one game.
    pub fn of_game(game: Game, folders: &Folders) -> Result<Desk, Failure> {
        let rulebook = game.rulebook()?;
        let title = match (&game.variant, &game.settings[..]) {
            (None, [Setting::Target(target)]) => format!("{} to {target}", rulebook.title()),
            _ => describe::title(&game, &rulebook),
        };
        let is_changed = game.variant.is_some() || !game.settings.is_empty();
        let unchanged = is_changed.then(|| game.id().to_owned());
        let unplayable = rulebook.unplayable();
        Ok(Desk { unchanged, unplayable, ..Desk::new(vec![Shelf::from_game(game)?], Some(title), folders) })
    }

    /// Puzzles of all games.
    pub fn of_all(folders: &Folders) -> Result<Desk, Failure> {
        let book = |id: &str| {
            Some(Shelf::from_game(
                Game::new(BookText::shipped(id)?, id.to_owned(), &Changes::default()).ok()?,
            ))
        };
        let shelves = catalog::ids().filter_map(book).collect::<Result<Vec<_>, _>>()?;
        Ok(Desk::new(shelves, None, folders))
    }

    fn new(shelves: Vec<Shelf>, title: Option<String>, folders: &Folders) -> Desk {
        // Without past rounds there are still plenty of puzzles.
        let past = PastRounds::read(folders).unwrap_or_default();
        let own = |past: past_rounds::PastRound| {
            let day = past.day().and_then(|day| day.parse().ok());
            OwnRound { record: past.record, day }
        };
        let rounds = past.rounds.into_iter().map(own).collect();
        let (folders, tried) = (folders.clone(), RefCell::default());
        Desk { folders, shelves, title, unplayable: None, unchanged: None, tried, rounds }
    }

    /// The error from an unreadable results file. Puzzles work without it.
    pub fn trouble(&self) -> Option<Failure> {
        progress::tried(&self.folders).err()
    }

    /// Results so far, saved or not.
    fn tried(&self) -> Tried {
        let mut tried = progress::tried(&self.folders).unwrap_or_default();
        for (id, became) in self.tried.borrow().pairs() {
            tried.note(id.clone(), became);
        }
        tried
    }

    /// Number of solved puzzles.
    pub fn solved(&self) -> usize {
        self.tried().solved()
    }

    /// The next puzzle, or a sentence on why there is none.
    pub fn next(&self, games: &SolvedGames) -> Result<Result<Served, String>, Failure> {
        let tried = self.tried();
        let today = clock::today();
        let course = Course { tried: &tried, rounds: &self.rounds, today };
        let next = look_ahead(games, |ahead| {
            Ok(match &self.shelves[..] {
                [only] if self.is_of_one_game() => {
                    puzzle::next(only, &course, ahead.games, ahead.keep_going)?
                }
                shelves => puzzle::next_of_all(shelves, &course, ahead.games, ahead.keep_going)?,
            })
        })?;
        let nothing = nothing_left(&next, self.title.as_deref(), today);
        match next {
            NextPuzzle::Puzzle(served) => Ok(Ok(*served)),
            _ => {
                let why = self.unplayable.iter().cloned().chain(nothing).collect::<Vec<_>>();
                Ok(Err(why.join(" ")))
            }
        }
    }

    /// Lines about a puzzle.
    pub fn about(&self, served: &Served) -> Vec<String> {
        words::puzzle::about(served, clock::today())
    }

    /// Stores the result of a finished puzzle, at least in memory.
    pub fn note(&self, attempt: &Attempt) -> Result<(), Failure> {
        let today = clock::today();
        let became = match attempt.state() {
            AttemptState::Open => return Ok(()),
            AttemptState::Solved => Became::Solved(today),
            AttemptState::Missed(_) => Became::Missed(today),
        };
        self.tried.borrow_mut().note(attempt.served().id.clone(), became);
        progress::note_tried(&self.folders, &attempt.served().id, became)
    }

    /// Advice if this game has no puzzles.
    pub fn elsewhere(&self) -> Option<String> {
        self.title.as_ref()?;
        let unchanged = self
            .unchanged
            .as_ref()
            .map(|game| format!("spoton puzzle {} uses the game without changes. ", shell::quoted(game)));
        let any = "spoton puzzle without a game picks one from any game.";
        Some(unchanged.unwrap_or_default() + any)
    }

    /// Whether all puzzles are from one game.
    pub fn is_of_one_game(&self) -> bool {
        self.title.is_some()
    }
}
