//! Computer opponents: how each one chooses, as probabilities over the legal moves of a position.
//!
//! Three of them are reference players, which never change because published figures depend on them. The others form a
//! ladder for people: they make human mistakes, and no memorized line beats them.
//!
//! | file | contents |
//! |---|---|
//! | `pip.rs` … `sage.rs` | the ladder for people, a file for each opponent |
//! | `random.rs`, `careful.rs`, `perfect.rs`, `sound.rs` | the reference players, and the stand-in for the perfect one |
//! | `mod.rs` | the list of opponents; their names, odds and slips |
//! | `mind.rs` | code that several opponents share |
//! | `ladder.rs`, `table.rs` | opponents by strength in a game; the odds of every pair |
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::evaluate::opponent::Opponent;
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let dash = Opponent::parse("dash")?;
//! assert_eq!(dash.habit(), "Dash takes the biggest step that fits");
//! let chances = dash.chances(&maze, &maze.read_position("3;1")?, None).expect("it needs no solution");
//! let choice = chances.pick(0.5).expect("the round is not over");
//! assert_eq!(maze.operation(choice).unwrap().to_string(), "x2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod careful;
mod dash;
mod ladder;
mod mind;
mod momo;
mod nina;
mod otto;
mod perfect;
mod pip;
mod random;
mod sage;
mod sound;
mod table;

use std::borrow::Cow;
use std::fmt;

use crate::engine::play::Situation;
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::format::{Rulebook, nearest, quotable};
use crate::solved::outlook::Outlook;
use crate::solver::{MoveVerdict, Solver};

pub(crate) use ladder::deeper_variant;
pub use ladder::{Ladder, Rung};
use mind::Turn;
pub use table::Table;

/// The profile of a computer opponent. Each has its own file. The id never changes.
struct About {
    id: &'static str,
    title: &'static str,
    /// How it plays, in a sentence.
    habit: &'static str,
    /// Probability of picking a random legal move instead.
    slip: f64,
    /// Whether published figures depend on it, so it never changes.
    is_reference: bool,
    /// Whether it uses the solution of the game.
    looks_ahead: bool,
    /// Whether it counts the moves to the end, and so can't play if they can't be counted.
    counts_moves: bool,
    /// Its choice without slips; `None` if it needs a solution and there's none.
    choose: fn(&Turn<'_>) -> Option<Chances>,
}

/// The opponents: the ladder for people, easiest to hardest, and then the reference players.
const EVERYBODY: &[&About] = &[
    &pip::PIP,
    &dash::DASH,
    &momo::MOMO,
    &otto::OTTO,
    &nina::NINA,
    &sage::SAGE,
    &random::RANDOM,
    &careful::CAREFUL,
    &perfect::PERFECT,
];

/// Can only be selected by name. It isn't listed because most games don't need it.
const STAND_IN: &About = &sound::SOUND;

/// Aliases for rungs of the ladder.
const ALIASES: &[(&str, &str)] = &[("easy", "pip"), ("medium", "momo"), ("hard", "sage")];

/// A computer opponent.
#[derive(Clone, Copy)]
pub struct Opponent {
    about: &'static About,
    slip: f64,
}

impl PartialEq for Opponent {
    fn eq(&self, other: &Opponent) -> bool {
        self.about.id == other.about.id && self.slip == other.slip
    }
}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opponent({self})")
    }
}

/// Invalid name or change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownOpponent(String);

impl Opponent {
    /// Every opponent: the ladder first, easiest to hardest.
    pub fn all() -> impl Iterator<Item = Opponent> {
        EVERYBODY.iter().map(|about| Opponent::usual(about))
    }

    fn usual(about: &'static About) -> Opponent {
        Opponent { about, slip: about.slip }
    }

    /// The ladder for people, easiest to hardest.
    pub fn for_people() -> impl Iterator<Item = Opponent> {
        Opponent::all().filter(|opponent| !opponent.is_reference())
    }

    /// The perfect reference player.
    pub fn perfect() -> Opponent {
        Opponent::usual(&perfect::PERFECT)
    }

    /// The reference players: random, careful, perfect.
    pub fn references() -> [Opponent; 3] {
        [&random::RANDOM, &careful::CAREFUL, &perfect::PERFECT].map(Opponent::usual)
    }

    /// Parses an id, an alias, or a change such as `dash:slip=0.1`; case-insensitive.
    ///
    /// # Errors
    ///
    /// What's wrong with the name, and a suggestion.
    pub fn parse(text: &str) -> Result<Opponent, UnknownOpponent> {
        let lower = text.to_lowercase();
        let (name, change) = match lower.split_once(':') {
            Some((name, change)) => (name, Some(change)),
            None => (lower.as_str(), None),
        };
        let id = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, id)| id);
        let everybody = || EVERYBODY.iter().copied().chain([STAND_IN]);
        let about = everybody().find(|about| about.id == id).ok_or_else(|| {
            let ids = || everybody().map(|about| about.id);
            let known = || ids().chain(ALIASES.iter().map(|(alias, _)| *alias));
            let hint = match nearest(name, known()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("choose {}", spoton_core::text::or_list(known())),
            };
            UnknownOpponent(format!("there's no opponent \"{}\"; {hint}", quotable(name)))
        })?;
        let slip = match change {
            None => about.slip,
            Some(change) => {
                let slip = change.strip_prefix("slip=").and_then(|slip| slip.parse::<f64>().ok());
                slip.filter(|slip| (0.0..=1.0).contains(slip)).ok_or_else(|| {
                    let example = format!("{name}:slip=0.1");
                    UnknownOpponent(format!(
                        "\"{}\": write a change like {example}, from 0 to 1",
                        quotable(text)
                    ))
                })?
            }
        };
        Ok(Opponent { about, slip })
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        self.about.title
    }

    /// Its habit, in a sentence.
    pub fn habit(self) -> Cow<'static, str> {
        if self.is_as_usual() {
            return self.about.habit.into();
        }
        let (title, often) = (self.title(), self.slip * 100.0);
        format!("{title} picks any legal move {often:.0}% of the time and otherwise plays as usual").into()
    }

    /// Whether published figures depend on it, so it never changes.
    pub fn is_reference(self) -> bool {
        self.about.is_reference && self.is_as_usual()
    }

    /// Whether its slip rate is the default.
    fn is_as_usual(self) -> bool {
        self.slip == self.about.slip
    }

    /// Whether it uses the solution of the game.
    pub fn looks_ahead(self) -> bool {
        self.about.looks_ahead
    }

    /// Whether it counts the moves to the end. If so, it can't play games where they can't be counted.
    pub fn counts_moves(self) -> bool {
        self.about.counts_moves
    }

    /// Its probabilities over a position's legal moves, ignoring history. They sum to 1, or are empty if there's no
    /// choice. `None` if it needs a solution and there's none, or if it needs move counts that the solution lacks.
    pub fn chances(
        self,
        rulebook: &Rulebook,
        position: &Position,
        solver: Option<&Solver>,
    ) -> Option<Chances> {
        self.choose(rulebook, position, solver, None, &|| Some(solver?.moves(position)))
    }

    /// The same in a round with its history, which lets opponents avoid repetition.
    pub fn chances_in_round(
        self,
        round: &Round,
        solver: Option<&Solver>,
        outlook: Option<&Outlook>,
    ) -> Option<Chances> {
        let (rulebook, position) = (round.rulebook(), round.position());
        self.choose(rulebook, position, solver, Some(round), &|| Some(outlook?.moves.clone()))
    }

    fn choose(
        self,
        rulebook: &Rulebook,
        position: &Position,
        solver: Option<&Solver>,
        round: Option<&Round>,
        verdicts: &dyn Fn() -> Option<Vec<MoveVerdict>>,
    ) -> Option<Chances> {
        let own = match rulebook.situation(position) {
            Situation::Choose(legal) => {
                (self.about.choose)(&Turn { rulebook, position, legal, round, solver, verdicts })?
            }
            _ => Chances::default(),
        };
        self.with_slips(rulebook, position, own)
    }

    fn with_slips(self, rulebook: &Rulebook, position: &Position, own: Chances) -> Option<Chances> {
        if self.slip == 0.0 {
            return Some(own);
        }
        let any = Chances::evenly(rulebook.legal(position));
        Some(own.mixed_with(&any, self.slip))
    }
}

impl fmt::Display for Opponent {
    /// The id, with any change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.about.id)?;
        if self.is_as_usual() { Ok(()) } else { write!(f, ":slip={}", self.slip) }
    }
}

/// Probabilities over choices; they sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chances(Vec<(Choice, f64)>);

impl Chances {
    /// Equal probabilities.
    pub fn evenly(choices: impl IntoIterator<Item = Choice>) -> Chances {
        let choices: Vec<Choice> = choices.into_iter().collect();
        let each = 1.0 / choices.len().max(1) as f64;
        Chances(choices.into_iter().map(|choice| (choice, each)).collect())
    }

    /// Probabilities proportional to weights. At least one weight must be positive.
    fn weighted(weights: Vec<(Choice, f64)>) -> Chances {
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let share = |(choice, weight)| (choice, weight / total);
        Chances(weights.into_iter().filter(|(_, weight)| *weight > 0.0).map(share).collect())
    }

    fn mixed_with(&self, other: &Chances, share: f64) -> Chances {
        let mut mixed: Vec<(Choice, f64)> =
            self.0.iter().map(|(choice, chance)| (*choice, chance * (1.0 - share))).collect();
        for (choice, chance) in &other.0 {
            match mixed.iter_mut().find(|(known, _)| known == choice) {
                Some((_, known)) => *known += chance * share,
                None => mixed.push((*choice, chance * share)),
            }
        }
        mixed.retain(|(_, chance)| *chance > 0.0);
        mixed.sort_by_key(|(choice, _)| *choice);
        Chances(mixed)
    }

    /// Each possible choice with its probability.
    pub fn iter(&self) -> impl Iterator<Item = (Choice, f64)> {
        self.0.iter().copied()
    }

    /// The choice selected by a draw from 0 to 1.
    pub fn pick(&self, draw: f64) -> Option<Choice> {
        let place = falls_on(self.0.iter().map(|(_, chance)| *chance), draw)?;
        Some(self.0[place].0)
    }
}

/// The index that a draw from 0 to 1 selects from probabilities that sum to 1. If rounding puts the draw past the end,
/// returns the last index.
#[inline]
pub(crate) fn falls_on(chances: impl ExactSizeIterator<Item = f64>, draw: f64) -> Option<usize> {
    let last = chances.len().checked_sub(1)?;
    let mut left = draw;
    for (place, chance) in chances.enumerate() {
        if left < chance {
            return Some(place);
        }
        left -= chance;
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opponent_is_found_by_name_alias_and_change() {
        for opponent in Opponent::all() {
            assert_eq!(Opponent::parse(&opponent.to_string()), Ok(opponent));
        }
        let sound = Opponent::parse("sound").unwrap();
        assert_eq!(Opponent::parse(&sound.to_string()), Ok(sound));
        assert!(sound.is_reference() && Opponent::all().all(|opponent| opponent != sound));
        assert_eq!(Opponent::parse("easy"), Opponent::parse("pip"));
        assert_eq!(Opponent::parse("PIP"), Opponent::parse("pip"));
        let slipping = Opponent::parse("dash:slip=0.5").unwrap();
        assert_eq!(slipping.to_string(), "dash:slip=0.5");
        assert!(slipping.habit().contains("any legal move 50% of the time"));
        assert!(!Opponent::parse("perfect:slip=0.5").unwrap().is_reference());
        for (wrong, hint) in
            [("dahs", "did you mean dash?"), ("x", "choose pip"), ("dash:slip=2", "slip=0.1")]
        {
            assert!(Opponent::parse(wrong).unwrap_err().to_string().contains(hint), "{wrong}");
        }
    }
}
