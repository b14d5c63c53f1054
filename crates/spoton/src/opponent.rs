//! Computer players.

use crate::coach::Outlook;
use crate::play::Move;
use crate::position::Choices;
use crate::round::Round;

/// The reference players. Figures rest on them, so what they do never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Picks evenly among the legal operations.
    Random,
    /// Takes an operation that wins at once; else picks evenly among those that do not lose at once.
    Careful,
    /// Picks evenly among the quickest wins; without one, among the draws; without one, among the slowest losses.
    Perfect,
}

impl Opponent {
    /// All of them.
    pub const ALL: [Opponent; 3] = [Opponent::Random, Opponent::Careful, Opponent::Perfect];

    /// The name to type.
    pub fn name(self) -> &'static str {
        match self {
            Opponent::Random => "random",
            Opponent::Careful => "careful",
            Opponent::Perfect => "perfect",
        }
    }

    /// What to call it in a dialogue.
    pub fn title(self) -> &'static str {
        match self {
            Opponent::Random => "Random",
            Opponent::Careful => "Careful",
            Opponent::Perfect => "Perfect",
        }
    }

    /// The opponent of that name.
    pub fn from_name(name: &str) -> Option<Opponent> {
        Opponent::ALL.into_iter().find(|opponent| opponent.name() == name)
    }

    /// The operations among which it picks evenly; none where nothing is legal. Looking ahead is only asked for by
    /// those who do.
    ///
    /// # Errors
    ///
    /// Where looking ahead fails.
    pub fn candidates<E>(
        self,
        round: &Round,
        look_ahead: impl FnOnce() -> Result<Option<Outlook>, E>,
    ) -> Result<Choices, E> {
        match self {
            Opponent::Random => Ok(round.rulebook().legal(round.position())),
            Opponent::Careful => Ok(careful(round)),
            Opponent::Perfect => Ok(look_ahead()?.map(|outlook| outlook.best()).unwrap_or_default()),
        }
    }
}

fn careful(round: &Round) -> Choices {
    let legal = round.rulebook().legal(round.position());
    let turn = round.position().turn();
    let (mut winning, mut safe) = (Choices::default(), Choices::default());
    for choice in legal {
        let outcome = round.rulebook().ends_at_once(round.position(), Move::Operation(choice));
        let winner = outcome.and_then(|outcome| outcome.winner);
        winning.insert_if(choice, winner == Some(turn));
        safe.insert_if(choice, winner != Some(!turn));
    }
    [winning, safe, legal].into_iter().find(|choices| !choices.is_empty()).unwrap_or_default()
}
