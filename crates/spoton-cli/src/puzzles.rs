//! Puzzles on this machine: where they come from, what day it is, and what became of those before.

use spoton::format::{BookText, Changes, Game, catalog};
use spoton::people::puzzle::{
    self, Attempt, Became, Course, NextPuzzle, OwnRound, Served, Shelf, State, nothing_left,
};
use spoton::people::solved_game::SolvedGames;

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::past_rounds::{self, PastRounds};
use crate::progress;
use crate::solving::look_ahead;

/// Where somebody tries one puzzle after another: those of a game, or of all games that come with Spot On.
pub struct Desk {
    folders: Folders,
    shelves: Vec<Shelf>,
    /// The title of the game, if it is one.
    title: Option<String>,
    /// The rounds that were played here.
    rounds: Vec<OwnRound>,
}

impl Desk {
    /// The puzzles of one game.
    pub fn of_game(game: Game, folders: &Folders) -> Result<Desk, Failure> {
        let title = game.rulebook()?.title().to_owned();
        Ok(Desk::new(vec![Shelf::of(game)?], Some(title), folders))
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
        Desk { folders: folders.clone(), shelves, title, rounds }
    }

    /// The next puzzle; else why there is none, in words.
    pub fn next(&self, games: &SolvedGames) -> Result<Result<Served, String>, Failure> {
        let tried = progress::tried(&self.folders)?;
        let today = clock::today();
        let course = Course { tried: &tried, rounds: &self.rounds, today };
        let next = look_ahead(games, |ahead| {
            Ok(puzzle::next_of_all(&self.shelves, &course, ahead.games, ahead.keep_going)?)
        })?;
        let nothing = nothing_left(&next, self.title.as_deref(), today);
        match next {
            NextPuzzle::Puzzle(served) => Ok(Ok(*served)),
            _ => Ok(Err(nothing.unwrap_or_default())),
        }
    }

    /// Notes what became of a puzzle, once it is over.
    pub fn note(&self, attempt: &Attempt) -> Result<(), Failure> {
        let today = clock::today();
        let became = match attempt.state() {
            State::Open => return Ok(()),
            State::Solved => Became::Solved(today),
            State::Missed(_) => Became::Missed(today),
        };
        progress::note_tried(&self.folders, &attempt.served().id, became)
    }

    /// Whether one game was asked for.
    pub fn is_of_one_game(&self) -> bool {
        self.title.is_some()
    }
}
