//! Prompts for language models, and how to read their answers. All surfaces share this.
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

use std::sync::Arc;

use super::answer::{self, NoMove};
use super::describe;
use super::disguise::{Disguise, NoWords};
use crate::engine::play::{Move, Situation};
use crate::engine::position::{Choice, Player};
use crate::engine::round::Round;
use crate::engine::written::SKIP;
use crate::format::{Entry, Numbers, On, Rulebook, catalog};
use crate::records::Refused;

/// A fingerprint of the prompts' wording, which prevents mixing results from different wordings.
///
/// It hashes the prompts for every shipped game and variant: plain and as another story, with and without a list of
/// legal moves, on the first four turns, and also after a rejected answer.
pub fn fingerprint() -> String {
    let mut prompts = String::new();
    for id in catalog::ids() {
        let Some(draft) = catalog::draft(id) else { continue };
        let variants = draft.variants().filter_map(|name| draft.clone().variant(name).ok());
        for rulebook in variants.chain([draft.clone()]).filter_map(|draft| draft.build().ok()) {
            let mut round = Round::new(Arc::new(rulebook), Player::One);
            // Covers several turns because later prompts include history and memory.
            for _ in 0..4 {
                let Situation::Choose(legal) = round.situation() else { break };
                for disguise in [None].into_iter().chain((0..6).map(Some)) {
                    for with_legal in [true, false] {
                        let Ok(telling) = Telling::new(round.rulebook(), with_legal, disguise) else {
                            continue;
                        };
                        prompts += &telling.prompt(&round, None);
                        prompts += &telling.prompt(&round, Some((Refused::Illegal, "goes past the target")));
                    }
                }
                let Some(choice) = legal.iter().next() else { break };
                if round.play(Move::Operation(choice)).is_err() {
                    break;
                }
            }
        }
    }
    format!("{:016x}", crate::format::fingerprint(prompts.as_bytes()))
}

/// How prompts present a game: plain or as another story, with or without a list of the legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    with_legal: bool,
    disguise: Option<Disguise>,
}

impl Telling {
    /// `disguise` is a story's seed.
    ///
    /// # Errors
    ///
    /// If the story has no words for something in the rule book.
    pub fn new(rulebook: &Rulebook, with_legal: bool, disguise: Option<u64>) -> Result<Telling, NoWords> {
        let disguise = disguise.map(|seed| Disguise::new(seed, rulebook)).transpose()?;
        Ok(Telling { with_legal, disguise })
    }

    /// Whether prompts list the legal moves.
    pub fn with_legal(&self) -> bool {
        self.with_legal
    }

    /// The story, if the game is disguised.
    pub fn disguise(&self) -> Option<&Disguise> {
        self.disguise.as_ref()
    }

    /// A move as prompts write it.
    pub fn write(&self, rulebook: &Rulebook, choice: Choice) -> String {
        match (&self.disguise, rulebook.written(choice)) {
            (Some(disguise), Some(written)) => disguise.name(written),
            _ => rulebook.write(Move::Operation(choice)),
        }
    }

    /// The legal moves in a round, as prompts write them.
    pub fn legal(&self, round: &Round) -> Vec<String> {
        let rulebook = round.rulebook();
        rulebook.legal(round.position()).iter().map(|choice| self.write(rulebook, choice)).collect()
    }

    /// The rules as prompts write them: those from `spoton rules`, or the same rules in the story's words.
    pub fn rules(&self, rulebook: &Rulebook) -> Vec<String> {
        match &self.disguise {
            Some(disguise) => disguise.rules(rulebook),
            None => describe::rules(rulebook),
        }
    }

    /// The prompt for the player to move: the rules, the round so far, the position, and how to answer. It contains no
    /// values. It leaves out the rule book's notes because they may give values away. `refused` is why the last answer
    /// didn't count.
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
            told.push_str(&format!("\nYour last answer didn't count ({}): {reason}.\n", why.word()));
        }
        let form = match self.with_legal {
            true => "spelled as in the list",
            false => "spelled as in the rules, with its amount",
        };
        told.push_str(&format!(
            "\nIt's your turn. Think as long as you like. Then end your answer with one line that names one legal move, \
             {form}:\nmove: MOVE\n"
        ));
        told
    }

    /// The moves so far, one per line.
    fn so_far(&self, round: &Round) -> String {
        let first = round.first();
        if round.history().is_empty() {
            return format!("No move has been made yet. {first} goes first.");
        }
        format!("The round so far:\n{}", self.moves(round, 0).join("\n"))
    }

    /// A round's moves from ply `after` on, one per line, each with the number it led to.
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

    /// The position for the player to move, plus their legal moves if prompts list those. It contains no values.
    pub fn standing(&self, round: &Round) -> String {
        let now = self.now(round).join(" ");
        match self.with_legal {
            true => format!("{now}\n\nYour legal moves: {}", self.legal(round).join(", ")),
            false => now,
        }
    }

    /// The position in sentences.
    fn now(&self, round: &Round) -> Vec<String> {
        let (rulebook, position) = (round.rulebook(), round.position());
        let number = |on: On| i128::from(position.number_of(on.affected(position.turn())));
        let standing = |on: On| match (&self.disguise, rulebook.numbers(), on) {
            (Some(disguise), ..) => disguise.standing(rulebook, on, number(on)),
            (None, Numbers::Shared, _) => format!("The number is {}.", number(on)),
            (None, Numbers::Separate, On::Own) => format!("Your number is {}.", number(on)),
            (None, Numbers::Separate, On::Other) => format!("Your opponent's number is {}.", number(on)),
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

    /// Reads an answer with the grammar of [`answer::read`] and the names that the prompt used.
    ///
    /// # Errors
    ///
    /// If the answer names no move, several moves, or an illegal one.
    pub fn read(&self, said: &str, round: &Round) -> Result<Choice, NoMove> {
        answer::read_by(said, round, &answer::vocabulary(round, self.disguise.as_ref()))
    }
}
