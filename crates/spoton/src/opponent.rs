//! Computer players that need no more than the rules.

use crate::play::{Move, Step};
use crate::position::Choices;
use crate::round::Round;

/// The reference players. Figures rest on them, so what they do never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Picks evenly among the legal operations.
    Random,
    /// Takes an operation that wins at once; else picks evenly among those that do not lose at once.
    Careful,
}

impl Opponent {
    /// All of them.
    pub const ALL: [Opponent; 2] = [Opponent::Random, Opponent::Careful];

    /// The name to type.
    pub fn name(self) -> &'static str {
        match self {
            Opponent::Random => "random",
            Opponent::Careful => "careful",
        }
    }

    /// What to call it in a dialogue.
    pub fn title(self) -> &'static str {
        match self {
            Opponent::Random => "Random",
            Opponent::Careful => "Careful",
        }
    }

    /// The opponent of that name.
    pub fn from_name(name: &str) -> Option<Opponent> {
        Opponent::ALL.into_iter().find(|opponent| opponent.name() == name)
    }

    /// The operations among which it picks evenly; none where nothing is legal.
    pub fn candidates(self, round: &Round) -> Choices {
        let legal = round.rulebook().legal(round.position());
        if self == Opponent::Random {
            return legal;
        }
        let turn = round.position().turn();
        let (mut winning, mut safe) = (Choices::default(), Choices::default());
        for choice in legal {
            let outcome = match round.rulebook().play(round.position(), Move::Operation(choice)) {
                Ok(Step::Over { outcome, .. }) => Some(outcome),
                Ok(Step::On(next)) => match round.rulebook().situation(&next) {
                    crate::play::Situation::Over(outcome) => Some(outcome),
                    _ => None,
                },
                Err(_) => continue,
            };
            let winner = outcome.and_then(|outcome| outcome.winner);
            winning.insert_if(choice, winner == Some(turn));
            safe.insert_if(choice, winner != Some(!turn));
        }
        [winning, safe, legal].into_iter().find(|choices| !choices.is_empty()).unwrap_or_default()
    }
}
