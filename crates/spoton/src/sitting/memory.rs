//! A round's lookahead results. Cache: safe to drop.

use std::sync::Arc;

use super::{Cannot, Lookahead};
use crate::engine::round::Round;
use crate::evaluate::opponent::{Chances, Opponent};
use crate::solved::outlook::Outlook;
use crate::solver::Unsolved;

/// A round's cached lookahead.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// The outlook of the player to move, computed once per turn.
    pub(super) outlook: Option<Arc<Outlook>>,
}

impl Memory {
    pub(super) fn outlook(
        &mut self,
        round: &Round,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Option<Arc<Outlook>>, Cannot> {
        if round.outcome().is_some() {
            return Ok(None);
        }
        if self.outlook.is_none() {
            let found = ahead.ask(round.rulebook(), |game, budget| game.outlook(round, budget))?;
            self.outlook = found.map(Arc::new);
        }
        Ok(self.outlook.clone())
    }

    /// The probabilities of an opponent's moves. Solves the game only if the opponent needs it. Some opponents can do
    /// without it if the game is too large.
    pub(super) fn chances(
        &mut self,
        opponent: Opponent,
        round: &Round,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Chances, Cannot> {
        if !opponent.looks_ahead() {
            return opponent.chances_in_round(round, None, None).ok_or(Cannot::NeedsSolution);
        }
        match self.outlook(round, ahead) {
            Ok(outlook) => {
                let solver = ahead.ask(round.rulebook(), |game, budget| game.solver(budget))?;
                let chances = opponent.chances_in_round(round, Some(&solver), outlook.as_deref());
                chances.ok_or(Cannot::Unsolved(Unsolved::Uncounted))
            }
            Err(why) if why.is_too_large() => opponent.chances_in_round(round, None, None).ok_or(why),
            Err(why) => Err(why),
        }
    }
}
