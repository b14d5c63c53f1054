//! Rounds of any book, played one after the other.

use std::sync::Arc;

use super::{AGENT, Keeps, Pairing};
use crate::engine::play::{Move, Outcome};
use crate::engine::position::{Player, Position};
use crate::engine::round::Round;
use crate::sitting::{Cannot, Lookahead, QuickDice, go_on};

pub(super) struct ByEngine {
    rounds: Vec<Round>,
}

impl ByEngine {
    pub(super) fn new(pairing: &Pairing, rounds: usize) -> ByEngine {
        ByEngine { rounds: vec![Round::new(Arc::clone(&pairing.rulebook), AGENT); rounds] }
    }

    /// Lets the opponent move until the agent is on turn.
    fn answer(
        &mut self,
        place: usize,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        let round = &mut self.rounds[place];
        go_on(round);
        while round.outcome().is_none() && round.position().turn() != AGENT {
            let draw = dice.draw(round.history().len() as u32);
            let choice = ahead.chances(pairing.opponent, round)?.pick(draw).ok_or(Cannot::NeedsSolution)?;
            round.play(Move::Operation(choice)).expect("opponents choose among legal moves");
            go_on(round);
        }
        Ok(())
    }
}

impl Keeps for ByEngine {
    fn begin(
        &mut self,
        place: usize,
        first: Player,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        self.rounds[place] = Round::new(Arc::clone(&pairing.rulebook), first);
        self.answer(place, dice, pairing, ahead)
    }

    fn play(
        &mut self,
        place: usize,
        action: i64,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Option<Option<Outcome>>, Cannot> {
        let choices = pairing.alphabet.choices();
        let choice = usize::try_from(action).ok().and_then(|action| choices.get(action));
        let is_legal = choice.is_some_and(|choice| self.rounds[place].play(Move::Operation(*choice)).is_ok());
        if !is_legal {
            return Ok(None);
        }
        self.answer(place, dice, pairing, ahead)?;
        Ok(Some(self.outcome(place)))
    }

    fn outcome(&self, place: usize) -> Option<Outcome> {
        self.rounds[place].outcome()
    }

    fn show(&self, pairing: &Pairing, observations: &mut [[u8; 8]], masks: &mut [u8]) {
        masks.fill(0);
        let (features, actions) = (pairing.features, pairing.alphabet.choices().len());
        for (place, round) in self.rounds.iter().enumerate() {
            let numbers = Player::BOTH.map(|player| round.number_of(player));
            let seen = pairing.observe(round.position(), numbers, round.outcome().is_some());
            observations[place * features..][..features].copy_from_slice(&seen);
            let legal = round.situation().moves().filter_map(Move::choice);
            for action in legal.filter_map(|choice| pairing.alphabet.place(choice)) {
                masks[place * actions + action] = 1;
            }
        }
    }

    fn position(&self, place: usize) -> Position {
        *self.rounds[place].position()
    }
}
