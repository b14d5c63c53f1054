//! What a language model is told on its turn, and how its answer is read: one way for every surface.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::words::prompt::Telling;
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let round = Round::new(Arc::clone(&maze), Player::One);
//! let plain = Telling::new(&maze, true, None)?;
//! assert!(plain.prompt(&round, None).contains("Your legal moves: +1, x2"));
//! let disguised = Telling::new(&maze, true, Some(2))?;
//! assert!(!disguised.prompt(&round, None).contains("x2"));
//! for choice in maze.legal(round.position()).iter() {
//!     let answer = format!("move: {}", disguised.write(&maze, choice));
//!     assert_eq!(disguised.read(&answer, &round).unwrap(), choice);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::answer::{self, NoMove, Vocabulary};
use super::describe;
use super::disguise::{Disguise, NoWords};
use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::engine::round::Round;
use crate::engine::written::SKIP;
use crate::format::{Entry, Numbers, On, Rulebook};
use crate::records::Refused;

/// How a game is told: as it is or as another story, with the legal moves or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    with_legal: bool,
    disguise: Option<Disguise>,
}

impl Telling {
    /// A way to tell a game; `disguise` is the seed of a story to tell it as.
    ///
    /// # Errors
    ///
    /// If the story has no words for something in the rule book.
    pub fn new(rulebook: &Rulebook, with_legal: bool, disguise: Option<u64>) -> Result<Telling, NoWords> {
        let disguise = disguise.map(|seed| Disguise::new(seed, rulebook)).transpose()?;
        Ok(Telling { with_legal, disguise })
    }

    /// Whether the legal moves are listed.
    pub fn with_legal(&self) -> bool {
        self.with_legal
    }

    /// The story that the game is told as, if it is.
    pub fn disguise(&self) -> Option<&Disguise> {
        self.disguise.as_ref()
    }

    /// A move as it is told.
    pub fn write(&self, rulebook: &Rulebook, choice: Choice) -> String {
        match (&self.disguise, rulebook.written(choice)) {
            (Some(disguise), Some(written)) => disguise.name(written),
            _ => rulebook.write(Move::Operation(choice)),
        }
    }

    /// The legal moves in a round, as they are told.
    pub fn legal(&self, round: &Round) -> Vec<String> {
        let rulebook = round.rulebook();
        rulebook.legal(round.position()).iter().map(|choice| self.write(rulebook, choice)).collect()
    }

    /// The rules, as they are told: those of `spoton rules`, or the same in the words of the story.
    pub fn rules(&self, rulebook: &Rulebook) -> Vec<String> {
        match &self.disguise {
            Some(disguise) => disguise.rules(rulebook),
            None => describe::rules(rulebook),
        }
    }

    /// What the player on turn is told: the rules, the round so far, where it stands, and how to answer. It never tells
    /// what anything is worth; the notes of a rule book, which may, are left out. `refused` is why the last answer did
    /// not count.
    pub fn prompt(&self, round: &Round, refused: Option<(Refused, &str)>) -> String {
        let rulebook = round.rulebook();
        let you = round.position().turn();
        let title = match &self.disguise {
            Some(disguise) => disguise.title(),
            None => rulebook.title(),
        };
        let mut told =
            format!("You are playing \"{title}\", a game for two players. You are {you}.\n\nRules:\n");
        for rule in self.rules(rulebook) {
            told.push_str(&format!("- {rule}\n"));
        }
        told.push_str(&format!("\n{}\n", self.so_far(round)));
        told.push_str(&format!("\n{}\n", self.standing(round)));
        if let Some((why, reason)) = refused {
            told.push_str(&format!("\nYour last answer did not count ({}): {reason}.\n", why.word()));
        }
        let form = match self.with_legal {
            true => "just as it is written in the list",
            false => "just as the rules write it, with its amount",
        };
        told.push_str(&format!(
            "\nIt is your turn. Think as long as you like, then end your answer with one line of this form, with one \
             legal move, {form}:\nmove: MOVE\n"
        ));
        told
    }

    /// The moves so far, one a line.
    fn so_far(&self, round: &Round) -> String {
        let first = round.first();
        if round.history().is_empty() {
            return format!("No move has been made yet. {first} goes first.");
        }
        format!("The round so far:\n{}", self.moves(round, 0).join("\n"))
    }

    /// The moves of a round after its first so many, one a line, each with what it led to.
    pub fn moves(&self, round: &Round, after: usize) -> Vec<String> {
        let rulebook = round.rulebook();
        let lines = (1..).zip(round.history()).skip(after).map(|(number, ply)| {
            let player = ply.player();
            let Some(choice) = ply.a_move.choice() else {
                return format!("{number}. {player}: {SKIP} (no legal move)");
            };
            let whose = match (rulebook.numbers(), ply.owner) {
                (Numbers::Shared, _) => String::new(),
                (Numbers::Separate, owner) => format!("{owner} "),
            };
            let led_to = match &self.disguise {
                Some(disguise) => disguise.count(ply.number),
                None => ply.number.to_string(),
            };
            format!("{number}. {player}: {} ({whose}now {led_to})", self.write(rulebook, choice))
        });
        lines.collect()
    }

    /// Where the round stands for the player on turn, and their legal moves if those are listed. It never tells what
    /// anything is worth.
    pub fn standing(&self, round: &Round) -> String {
        let now = self.now(round).join(" ");
        match self.with_legal {
            true => format!("{now}\n\nYour legal moves: {}", self.legal(round).join(", ")),
            false => now,
        }
    }

    /// Where the round stands, in sentences.
    fn now(&self, round: &Round) -> Vec<String> {
        let (rulebook, position) = (round.rulebook(), round.position());
        let number = |on: On| i128::from(position.number_of(on.of(position.turn())));
        let standing = |on: On| match (&self.disguise, rulebook.numbers(), on) {
            (Some(disguise), ..) => disguise.standing(rulebook, on, number(on)),
            (None, Numbers::Shared, _) => format!("The number is {}.", number(on)),
            (None, Numbers::Separate, On::Own) => format!("Your number is {}.", number(on)),
            (None, Numbers::Separate, On::Other) => format!("The other player's number is {}.", number(on)),
        };
        let mut said = vec![format!("Now: {}", standing(On::Own))];
        said.extend((rulebook.numbers() == Numbers::Separate).then(|| standing(On::Other)));
        let label = |entry: &Entry| match &self.disguise {
            Some(disguise) => disguise.entry(entry),
            None => entry.label(),
        };
        said.extend(describe::memory_by(rulebook, position, &|choice| self.write(rulebook, choice), &label));
        said.extend(
            describe::which_turn(rulebook, position).map(|turn| format!("This is your turn {turn}.")),
        );
        said.extend(super::phrases::drawn_next_time(round));
        said
    }

    /// Reads an answer by the same grammar as [`answer::read`], with the names that were told.
    ///
    /// # Errors
    ///
    /// If it names no move, several, or one that is not legal now.
    pub fn read(&self, said: &str, round: &Round) -> Result<Choice, NoMove> {
        answer::read_by(said, round, &Vocabulary::new(round, self.disguise.as_ref()))
    }
}
