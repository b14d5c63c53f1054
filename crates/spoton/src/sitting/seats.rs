//! Decides who starts the next round.

use std::sync::Arc;

use super::{Cannot, Lookahead, Sitting};
use crate::discovery::Spoiler;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::Rulebook;

impl Sitting {
    /// The default starter of the next round, for [`Command::PlayAgain`](super::Command::PlayAgain). Usually
    /// alternates, but a person playing against a computer keeps the winning seat until they win from it. Always
    /// alternates in discovery mode, where the winning seat is secret, and in games too large to solve quickly.
    ///
    /// # Errors
    ///
    /// If the next round's game is invalid or the caller cancels.
    pub fn next_first(&self, ahead: &mut Lookahead<'_>) -> Result<Player, Cannot> {
        let alternating = self.alternating_first();
        let Some(person) = self.only_person().filter(|_| self.can_swap_seats()) else {
            return Ok(alternating);
        };
        if self.view().hides(Spoiler::Values) {
            return Ok(alternating);
        }
        let next = Arc::new(self.next_setup().rulebook()?);
        let found = ahead.at_a_glance(|ahead| {
            let won = self.counts() && self.round.outcome().is_some_and(|over| over.winner == Some(person));
            if won && can_win(person, self.rulebook(), self.round.first(), ahead)? {
                return Ok(alternating);
            }
            for first in [alternating, !alternating] {
                if can_win(person, &next, first, ahead)? {
                    return Ok(first);
                }
            }
            Ok(alternating)
        })?;
        Ok(found.unwrap_or(alternating))
    }

    /// Whether the players may swap seats for the next round. Only one person against a computer can. In a match, seats
    /// alternate. In a daily duel or a side round, they're fixed.
    pub fn can_swap_seats(&self) -> bool {
        let setup = &self.setup;
        self.only_person().is_some() && setup.series.is_none() && setup.today.is_none() && !setup.aside
    }

    /// The starter of the next round, without the solution.
    pub(super) fn alternating_first(&self) -> Player {
        // A side round always tests the number that the person left. A day's duel is the same on every attempt.
        let same = self.setup.aside || self.setup.today.is_some();
        if same { self.round.first() } else { !self.round.first() }
    }
}

/// Whether a player can force a win from the opening.
fn can_win(
    player: Player,
    rulebook: &Arc<Rulebook>,
    first: Player,
    ahead: &mut Lookahead<'_>,
) -> Result<bool, Cannot> {
    let opening = Round::new(Arc::clone(rulebook), first);
    let winner = match opening.outcome() {
        Some(outcome) => outcome.winner,
        None => {
            let outlook = ahead.ask(rulebook, |game, budget| game.outlook(&opening, budget))?;
            outlook.and_then(|outlook| outlook.verdict.value.winner(first))
        }
    };
    Ok(winner == Some(player))
}
