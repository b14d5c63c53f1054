//! Puzzles on this machine: where they come from, what day it is, and what became of those before.

use std::cell::RefCell;

use spoton::format::{BookText, Changes, Game, Setting, catalog};
use spoton::people::puzzle::{
    self, Attempt, Became, Course, NextPuzzle, OwnRound, Served, Shelf, State, Tried, nothing_left,
};
use spoton::people::solved_game::SolvedGames;
use spoton::words::describe;

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::past_rounds::{self, PastRounds};
use crate::progress;
use crate::shell;
use crate::solving::look_ahead;

/// Where somebody tries one puzzle after another: those of a game, or of all games that come with Spot On.
pub struct Desk {
    folders: Folders,
    shelves: Vec<Shelf>,
    /// The title of the game as it was asked for, if it is one.
    title: Option<String>,
    /// What the game is called without the changes that were asked for, if there were any.
    unchanged: Option<String>,
    /// What was tried here, in case that it cannot be kept.
    tried: RefCell<Tried>,
    /// The rounds that were played here.
    rounds: Vec<OwnRound>,
}

impl Desk {
    /// The puzzles of one game.
    pub fn of_game(game: Game, folders: &Folders) -> Result<Desk, Failure> {
        let rulebook = game.rulebook()?;
        let title = match (&game.variant, &game.settings[..]) {
            (None, [Setting::Target(target)]) => format!("{} to {target}", rulebook.title()),
            _ => describe::title(&game, &rulebook),
        };
        let is_changed = game.variant.is_some() || !game.settings.is_empty();
        let unchanged = is_changed.then(|| game.id().to_owned());
        Ok(Desk { unchanged, ..Desk::new(vec![Shelf::of(game)?], Some(title), folders) })
    }

    /// The puzzles of all games.
    pub fn of_all(folders: &Folders) -> Result<Desk, Failure> {
        let book = |id: &str| {
            Some(Shelf::of(Game::new(BookText::shipped(id)?, id.to_owned(), &Changes::default()).ok()?))
        };
        let shelves = catalog::ids().filter_map(book).collect::<Result<Vec<_>, _>>()?;
        Ok(Desk::new(shelves, None, folders))
    }

    fn new(shelves: Vec<Shelf>, title: Option<String>, folders: &Folders) -> Desk {
        // Without them, there are puzzles enough.
        let past = PastRounds::read(folders).unwrap_or_default();
        let own = |past: past_rounds::PastRound| {
            let day = past.day().and_then(|day| day.parse().ok());
            OwnRound { record: past.record, day }
        };
        let rounds = past.rounds.into_iter().map(own).collect();
        let (folders, tried) = (folders.clone(), RefCell::default());
        Desk { folders, shelves, title, unchanged: None, tried, rounds }
    }

    /// What is wrong with the file of what became of the puzzles. Nobody is kept from trying some.
    pub fn trouble(&self) -> Option<Failure> {
        progress::tried(&self.folders).err()
    }

    /// What became of the puzzles so far, whether or not it could be kept.
    fn tried(&self) -> Tried {
        let mut tried = progress::tried(&self.folders).unwrap_or_default();
        for (id, became) in self.tried.borrow().pairs() {
            tried.note(id.clone(), became);
        }
        tried
    }

    /// How many were solved.
    pub fn solved(&self) -> usize {
        self.tried().solved()
    }

    /// The next puzzle; else why there is none, in words.
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
            _ => Ok(Err(nothing.unwrap_or_default())),
        }
    }

    /// What is to be known of a puzzle.
    pub fn about(&self, served: &Served) -> Vec<String> {
        puzzle::about(served, clock::today())
    }

    /// Notes what became of a puzzle, once it is over. What cannot be kept is known as long as this desk is there.
    pub fn note(&self, attempt: &Attempt) -> Result<(), Failure> {
        let today = clock::today();
        let became = match attempt.state() {
            State::Open => return Ok(()),
            State::Solved => Became::Solved(today),
            State::Missed(_) => Became::Missed(today),
        };
        self.tried.borrow_mut().note(attempt.served().id.clone(), became);
        progress::note_tried(&self.folders, &attempt.served().id, became)
    }

    /// Where else there may be puzzles, if there are none here.
    pub fn elsewhere(&self) -> Option<String> {
        self.title.as_ref()?;
        let unchanged = self
            .unchanged
            .as_ref()
            .map(|game| format!("spoton puzzle {} looks at the whole book. ", shell::quoted(game)));
        let any = "spoton puzzle, without a game, takes one from any game that has some.";
        Some(unchanged.unwrap_or_default() + any)
    }

    /// Whether one game was asked for.
    pub fn is_of_one_game(&self) -> bool {
        self.title.is_some()
    }
}
