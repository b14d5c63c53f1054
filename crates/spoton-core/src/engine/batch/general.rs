//! Rounds of any book, played by the engine one after another.

use std::sync::Arc;

use crate::engine::alphabet::Alphabet;
use crate::engine::batch::chance::Dice;
use crate::engine::batch::{CHUNK, Rounds, Seen, Tally, WAIT};
use crate::engine::choices::Choices;
use crate::engine::play::{Move, Outcome, Situation, Step};
use crate::engine::position::{Choice, Player, Position};
use crate::engine::rulebook::Rulebook;

pub(super) struct General {
    rulebook: Arc<Rulebook>,
    alphabet: Arc<Alphabet>,
    opening: Round,
    most_moves: u32,
    rounds: Vec<Round>,
}

#[derive(Clone, Copy)]
struct Round {
    position: Position,
    /// The legal choices as a bit set; never empty.
    legal: u64,
    moves: u32,
}

/// How a round ended: by the rules, or cut off.
#[derive(Clone, Copy)]
enum End {
    Over(Outcome),
    CutOff,
}

/// The first position with a choice, after skipped turns; `None` if the round is already over.
pub(super) fn opening(rulebook: &Rulebook) -> Option<Position> {
    settled(rulebook, Step::On(rulebook.opening(Player::One))).ok().map(|(position, _)| position)
}

/// Skips turns until a player has a choice. Returns that position and its choices, or how the round ends.
fn settled(rulebook: &Rulebook, mut step: Step) -> Result<(Position, u64), Outcome> {
    loop {
        let position = match step {
            Step::On(position) => position,
            Step::Over { outcome, .. } => return Err(outcome),
        };
        match rulebook.situation(&position) {
            Situation::Choose(legal) => return Ok((position, legal.bits())),
            Situation::Over(outcome) => return Err(outcome),
            Situation::Skip => step = played(rulebook, &position, Move::Skip),
        }
    }
}

fn played(rulebook: &Rulebook, position: &Position, a_move: Move) -> Step {
    rulebook.play(position, a_move).expect("only legal moves are made here")
}

impl General {
    pub(super) fn new(
        rulebook: Arc<Rulebook>,
        alphabet: Arc<Alphabet>,
        opening: Position,
        rounds: usize,
        most_moves: u32,
    ) -> General {
        let opening = Round { position: opening, legal: rulebook.legal(&opening).bits(), moves: 0 };
        General { rulebook, alphabet, opening, most_moves, rounds: vec![opening; rounds] }
    }

    /// Plays a legal choice, and restarts the round if that ends it.
    fn make(&mut self, round: usize, choice: Choice) -> Option<(End, u32)> {
        let Round { position, moves, .. } = self.rounds[round];
        let step = played(&self.rulebook, &position, Move::Operation(choice));
        let moves = moves + 1;
        let (next, end) = match settled(&self.rulebook, step) {
            Err(outcome) => (None, Some(End::Over(outcome))),
            Ok(_) if moves >= self.most_moves => (None, Some(End::CutOff)),
            Ok((position, legal)) => (Some(Round { position, legal, moves }), None),
        };
        self.rounds[round] = next.unwrap_or(self.opening);
        end.map(|end| (end, moves))
    }

    fn legal(&self, round: usize) -> Choices<'_> {
        let Round { position, legal, .. } = &self.rounds[round];
        Choices::from_bits(*legal, self.rulebook.menu_at(position))
    }

    fn pick(&self, round: usize, dice: &mut Dice) -> Choice {
        let legal = self.legal(round);
        let picked = dice.pick(round % CHUNK, legal.len() as u32);
        legal.get(picked as usize).expect("the index is below the length")
    }

    fn action(&self, choice: Choice) -> usize {
        self.alphabet.place(choice).expect("the alphabet contains every legal move")
    }

    fn look_at(&self, round: usize, seen: &mut Seen) {
        seen.on_turn[round] = self.rounds[round].position.turn().number();
        let rounds = self.rounds.len();
        for action in 0..self.alphabet.choices().len() {
            seen.legal[action * rounds + round] = 0;
        }
        for choice in self.legal(round) {
            seen.legal[self.action(choice) * rounds + round] = 1;
        }
    }
}

impl Rounds for General {
    fn self_play(&mut self, moves: u64, dice: &mut [Dice], tally: &mut Tally) {
        for (chunk, dice) in dice.iter_mut().enumerate() {
            let rounds = chunk * CHUNK..self.rounds.len().min((chunk + 1) * CHUNK);
            let mut to_make = moves;
            while to_make > 0 {
                let now = dice.ready(to_make);
                to_make -= now;
                for round in (0..now).flat_map(|_| rounds.clone()) {
                    let choice = self.pick(round, dice);
                    match self.make(round, choice) {
                        Some((End::Over(outcome), moves)) => tally.count(outcome.winner, false, moves),
                        Some((End::CutOff, moves)) => tally.count(None, true, moves),
                        None => {}
                    }
                }
            }
        }
    }

    fn step(&mut self, actions: &[u16], seen: &mut Seen) {
        for (round, action) in actions.iter().enumerate().filter(|(_, action)| **action != WAIT) {
            let choice = self.alphabet.choices()[usize::from(*action)];
            match self.make(round, choice).map(|(end, _)| end) {
                Some(End::CutOff) => seen.cut_off[round] = 1,
                Some(End::Over(outcome)) => {
                    seen.ended[round] = 1;
                    seen.rewards[round] = match outcome.winner {
                        Some(Player::One) => 1,
                        Some(Player::Two) => -1,
                        None => 0,
                    };
                }
                None => {}
            }
            self.look_at(round, seen);
        }
    }

    fn look(&self, seen: &mut Seen) {
        (0..self.rounds.len()).for_each(|round| self.look_at(round, seen));
    }

    fn choose(&self, _: &Seen, dice: &mut [Dice], actions: &mut [u16]) {
        for (round, action) in actions.iter_mut().enumerate() {
            let dice = &mut dice[round / CHUNK];
            if round % CHUNK == 0 {
                dice.ready(1);
            }
            *action = self.action(self.pick(round, dice)) as u16;
        }
    }

    fn position(&self, round: usize) -> Position {
        self.rounds[round].position
    }
}
