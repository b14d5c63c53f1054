//! Rounds of any book, played one by one.

use std::sync::Arc;

use super::{AGENT, Facts, Keeps, Pairing, Turn};
use crate::engine::play::{Move, Outcome};
use crate::engine::position::{Player, Position};
use crate::engine::round::Round;
use crate::sitting::{Cannot, QuickDice, go_on};

pub(super) struct ByEngine {
    rounds: Vec<Round>,
}

impl ByEngine {
    pub(super) fn new(pairing: &Pairing, rounds: usize) -> ByEngine {
        ByEngine { rounds: vec![Round::new(Arc::clone(&pairing.rulebook), AGENT); rounds] }
    }

    /// Lets the opponent move until it's the agent's turn. Returns the outcome, if the round is over.
    fn answer(&mut self, turn: &mut Turn<'_, '_>) -> Result<Option<Outcome>, Cannot> {
        let round = &mut self.rounds[turn.place];
        go_on(round);
        while round.outcome().is_none() && round.position().turn() != AGENT {
            let draw = turn.dice.draw(round.history().len() as u32);
            let chances = turn.ahead.chances(turn.pairing.opponent, round)?;
            let choice = chances.pick(draw).ok_or(Cannot::NeedsSolution)?;
            round.play(Move::Operation(choice)).expect("opponents choose among legal moves");
            go_on(round);
        }
        Ok(round.outcome())
    }
}

impl Keeps for ByEngine {
    fn begin(&mut self, first: Player, turn: &mut Turn<'_, '_>) -> Result<Option<Outcome>, Cannot> {
        self.rounds[turn.place] = Round::new(Arc::clone(&turn.pairing.rulebook), first);
        self.answer(turn)
    }

    /// No effects are precomputed.
    fn play_known(
        &mut self,
        actions: &[[u8; 8]],
        _: &[QuickDice],
        _: &mut [Facts],
        left: &mut Vec<(usize, i64)>,
    ) {
        left.extend(actions.iter().copied().map(i64::from_ne_bytes).enumerate());
    }

    fn play(&mut self, action: i64, turn: &mut Turn<'_, '_>) -> Result<Option<Option<Outcome>>, Cannot> {
        let choices = turn.pairing.alphabet.choices();
        let choice = usize::try_from(action).ok().and_then(|action| choices.get(action));
        let round = &mut self.rounds[turn.place];
        if round.outcome().is_some() {
            return Ok(Some(round.outcome()));
        }
        if choice.is_none_or(|choice| round.play(Move::Operation(*choice)).is_err()) {
            return Ok(None);
        }
        self.answer(turn).map(Some)
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
