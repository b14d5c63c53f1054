//! Computer players: how each of them chooses, as probabilities over the legal moves of a position.
//!
//! Three are reference players and never change, because figures depend on them. The others are a ladder for people:
//! they make human mistakes, and no memorized line beats them.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the list of opponents: names, habits and error rates |
//! | `mind.rs` | how each opponent chooses |
//! | `careful.rs` | the careful guesser |
//! | `ladder.rs`, `table.rs` | the opponents ordered by strength in a game; the odds of every pair |
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//! use spoton::people::opponent::Opponent;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let dash = Opponent::parse("dash")?;
//! assert_eq!(dash.habit(), "Dash takes the biggest step whenever it fits");
//! let chances = dash.chances(&maze, &maze.read_position("3;1")?, None).expect("it needs no solution");
//! let choice = chances.pick(0.5).expect("the round is not over");
//! assert_eq!(maze.operation(choice).unwrap().to_string(), "x2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod careful;
mod ladder;
mod mind;
mod table;

use std::borrow::Cow;
use std::fmt;

use crate::engine::position::{Choice, Position};
use crate::format::{Rulebook, nearest, quotable};
use crate::people::coach::Outlook;
use crate::solver::{MoveVerdict, Solver};

pub use ladder::{Ladder, Rung, deeper_variant};
pub use table::Table;

/// Who a computer player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mind {
    Random,
    Careful,
    Perfect,
    Sound,
    Pip,
    Dash,
    Momo,
    Otto,
    Nina,
    Sage,
}

/// What is known of a computer player. The id never changes.
struct About {
    mind: Mind,
    id: &'static str,
    title: &'static str,
    habit: &'static str,
    /// How often it picks any legal move at all instead of its own choice.
    slip: f64,
    reference: bool,
}

const EVERYBODY: &[About] = &[
    About {
        mind: Mind::Pip,
        id: "pip",
        title: "Pip",
        habit: "Pip means well, and often makes the move that helps you",
        slip: 0.4,
        reference: false,
    },
    About {
        mind: Mind::Dash,
        id: "dash",
        title: "Dash",
        habit: "Dash takes the biggest step whenever it fits",
        slip: 0.2,
        reference: false,
    },
    About {
        mind: Mind::Momo,
        id: "momo",
        title: "Momo",
        habit: "Momo looks one move ahead, and slips now and then",
        slip: 0.15,
        reference: false,
    },
    About {
        mind: Mind::Otto,
        id: "otto",
        title: "Otto",
        habit: "Otto looks three moves ahead, and rarely slips",
        slip: 0.1,
        reference: false,
    },
    About {
        mind: Mind::Nina,
        id: "nina",
        title: "Nina",
        habit: "Nina knows the last stretch by heart",
        slip: 0.05,
        reference: false,
    },
    About {
        mind: Mind::Sage,
        id: "sage",
        title: "Sage",
        habit: "Sage never gives a won game away, and sets traps when lost",
        slip: 0.0,
        reference: false,
    },
    About {
        mind: Mind::Random,
        id: "random",
        title: "Random",
        habit: "Random picks evenly among the legal moves",
        slip: 0.0,
        reference: true,
    },
    About {
        mind: Mind::Careful,
        id: "careful",
        title: "Careful",
        habit: "Careful wins at once where that can be done, and does not lose at once",
        slip: 0.0,
        reference: true,
    },
    About {
        mind: Mind::Perfect,
        id: "perfect",
        title: "Perfect",
        habit: "Perfect wins as fast as possible; otherwise draws, or holds out longest",
        slip: 0.0,
        reference: true,
    },
];

/// Who stands in for the perfect one in a game in which nobody can count the moves. It is asked for by name, and is in no
/// list: where moves are counted, nobody needs it.
const STAND_IN: About = About {
    mind: Mind::Sound,
    id: "sound",
    title: "Sound",
    habit: "Sound picks evenly among the moves that are worth most, however long they take",
    slip: 0.0,
    reference: true,
};

/// Other names for rungs of the ladder.
const ALIASES: &[(&str, &str)] = &[("easy", "pip"), ("medium", "momo"), ("hard", "sage")];

/// A computer player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opponent {
    mind: Mind,
    slip: f64,
}

/// There is no opponent of this name, or it cannot be changed like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownOpponent(String);

impl Opponent {
    /// Everybody, the ladder first, from the gentlest on.
    pub fn all() -> impl Iterator<Item = Opponent> {
        EVERYBODY.iter().map(|about| Opponent { mind: about.mind, slip: about.slip })
    }

    /// The ladder for people, from the gentlest on.
    pub fn for_people() -> impl Iterator<Item = Opponent> {
        Opponent::all().filter(|opponent| !opponent.is_reference())
    }

    /// The reference player of that id.
    pub fn perfect() -> Opponent {
        Opponent { mind: Mind::Perfect, slip: 0.0 }
    }

    /// The reference players: one picks evenly, one is careful, one is perfect.
    pub fn references() -> [Opponent; 3] {
        [Mind::Random, Mind::Careful, Mind::Perfect].map(|mind| Opponent { mind, slip: 0.0 })
    }

    /// An opponent by its id, an alias, or changed like `dash:slip=0.1`; capital letters make no difference.
    ///
    /// # Errors
    ///
    /// What is wrong with the name, and what was perhaps meant.
    pub fn parse(text: &str) -> Result<Opponent, UnknownOpponent> {
        let lower = text.to_lowercase();
        let (name, change) = match lower.split_once(':') {
            Some((name, change)) => (name, Some(change)),
            None => (lower.as_str(), None),
        };
        let id = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, id)| id);
        let about = EVERYBODY.iter().chain([&STAND_IN]).find(|about| about.id == id).ok_or_else(|| {
            let ids = || EVERYBODY.iter().chain([&STAND_IN]).map(|about| about.id);
            let known = || ids().chain(ALIASES.iter().map(|(alias, _)| *alias));
            let hint = match nearest(name, known()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("there are {}", crate::words::phrases::and_list(known())),
            };
            UnknownOpponent(format!("nobody is called \"{}\"; {hint}", quotable(name)))
        })?;
        let slip = match change {
            None => about.slip,
            Some(change) => {
                let slip = change.strip_prefix("slip=").and_then(|slip| slip.parse::<f64>().ok());
                slip.filter(|slip| (0.0..=1.0).contains(slip)).ok_or_else(|| {
                    let example = format!("{name}:slip=0.1");
                    UnknownOpponent(format!(
                        "\"{}\": a change looks like {example}, from 0 to 1",
                        quotable(text)
                    ))
                })?
            }
        };
        Ok(Opponent { mind: about.mind, slip })
    }

    fn about(self) -> &'static About {
        // Every mind but one has its line in the table, which a test sees to.
        EVERYBODY.iter().find(|about| about.mind == self.mind).unwrap_or(&STAND_IN)
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        self.about().title
    }

    /// What it tends to do, in a sentence.
    pub fn habit(self) -> Cow<'static, str> {
        if self.is_as_usual() {
            return self.about().habit.into();
        }
        let (title, often) = (self.title(), self.slip * 100.0);
        format!("{title} picks any move at all {often:.0} times out of 100, and is otherwise as usual").into()
    }

    /// Whether figures rest on it, so that it never changes.
    pub fn is_reference(self) -> bool {
        self.about().reference && self.is_as_usual()
    }

    /// Whether it slips as often as it always did.
    fn is_as_usual(self) -> bool {
        self.slip == self.about().slip
    }

    /// Whether the solution of the game makes a difference to it.
    pub fn looks_ahead(self) -> bool {
        matches!(self.mind, Mind::Perfect | Mind::Sound | Mind::Pip | Mind::Nina | Mind::Sage)
    }

    /// Whether it goes by how many moves there are to the end, so that it cannot play where nobody can count them.
    pub fn counts_moves(self) -> bool {
        self.mind == Mind::Perfect
    }

    /// Its chances over the legal moves of a position, without any history. They add up to 1, and are empty if
    /// nothing can be chosen. `None` if it needs a solution and there is none, or needs to know how long rounds take and
    /// the solution does not tell.
    pub fn chances(
        self,
        rulebook: &Rulebook,
        position: &Position,
        solver: Option<&Solver>,
    ) -> Option<Chances> {
        let verdicts = || Some(solver?.moves(position));
        let chances = mind::choose(self.mind, rulebook, position, solver, None, verdicts)?;
        self.with_slips(rulebook, position, chances)
    }

    /// The same in a round: what has come up before counts, so an opponent that avoids repeating positions can do so.
    pub fn chances_in_round(
        self,
        round: &crate::engine::round::Round,
        solver: Option<&Solver>,
        outlook: Option<&Outlook>,
    ) -> Option<Chances> {
        let (rulebook, position) = (round.rulebook(), round.position());
        let verdicts = || Some(outlook?.moves.clone());
        let chances = mind::choose(self.mind, rulebook, position, solver, Some(round), verdicts)?;
        self.with_slips(rulebook, position, chances)
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
    /// The id, with what was changed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = self.about();
        write!(f, "{}", about.id)?;
        if self.is_as_usual() { Ok(()) } else { write!(f, ":slip={}", self.slip) }
    }
}

/// Chances over choices that add up to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chances(Vec<(Choice, f64)>);

impl Chances {
    /// The same chance for each.
    pub fn evenly(choices: impl IntoIterator<Item = Choice>) -> Chances {
        let choices: Vec<Choice> = choices.into_iter().collect();
        let each = 1.0 / choices.len().max(1) as f64;
        Chances(choices.into_iter().map(|choice| (choice, each)).collect())
    }

    /// Chances in proportion to weights, of which at least one is above 0.
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

    /// Each choice that may be made, with its chance.
    pub fn iter(&self) -> impl Iterator<Item = (Choice, f64)> {
        self.0.iter().copied()
    }

    /// The choice that a draw from 0 to 1 falls on.
    pub fn pick(&self, draw: f64) -> Option<Choice> {
        let place = falls_on(self.0.iter().map(|(_, chance)| *chance), draw)?;
        Some(self.0[place].0)
    }
}

/// The place of the chance that a draw from 0 to 1 falls on, if all of them add up to 1; the last where rounding leaves the
/// draw beyond it.
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

/// Whether it is not known how long some moves of a list take.
fn is_uncounted(verdicts: &[MoveVerdict]) -> bool {
    verdicts.iter().any(|judged| judged.verdict.is_of_unknown_length())
}

/// The choices of the best moves of a list that is sorted best first, and among equals by the rule book's order.
fn best_of(verdicts: &[MoveVerdict]) -> impl Iterator<Item = Choice> {
    let best = verdicts.first().map(|judged| judged.verdict);
    let choices = verdicts.iter().filter(move |judged| Some(judged.verdict) == best);
    choices.filter_map(|judged| judged.a_move.choice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_found_by_name_alias_and_change() {
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
        assert!(slipping.habit().contains("any move at all 50 times out of 100"));
        assert!(!Opponent::parse("perfect:slip=0.5").unwrap().is_reference());
        for (wrong, hint) in
            [("dahs", "did you mean dash?"), ("x", "there are pip"), ("dash:slip=2", "slip=0.1")]
        {
            assert!(Opponent::parse(wrong).unwrap_err().to_string().contains(hint), "{wrong}");
        }
    }
}
