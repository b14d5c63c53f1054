//! Batched rounds of one game for learning programs, each against a computer opponent that answers within the same
//! step.
//!
//! The agent is [Player 1](AGENT); its seat decides who goes first. A step plays one action per round and lets the
//! opponent answer. An action is a move's index in the book's [alphabet](crate::engine::alphabet). If a round ended in
//! the previous step, the step ignores its action and starts the next round. So the agent sees the end before the
//! restart.
//!
//! The rounds follow [`Round`], including the house rule. If no position can repeat, each move's effects and replies
//! are computed once for all rounds and then looked up ([`Duels::are_looked_up`]). Otherwise each round is played
//! separately, with the same results.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::evaluate::opponent::Opponent;
//! use spoton::format::catalog;
//! use spoton::sitting::Lookahead;
//! use spoton::sitting::duels::{Duels, Seat};
//! use spoton::solved::SolvedGames;
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let games = SolvedGames::new(16 << 20);
//! let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
//!
//! let mut duels = Duels::new(maze, 3, Opponent::parse("perfect")?, Seat::First);
//! duels.reset(&[Some(7), Some(8), Some(9)], |_| true, None, ahead)?;
//! while duels.facts().iter().any(|facts| !facts.is_terminated()) {
//!     duels.step(&[1, 1, 1].map(i64::to_ne_bytes), ahead)?; // all agents double
//! }
//! assert!(duels.facts().iter().all(|facts| facts.reward() == -1));
//! duels.step(&[0, 0, 0].map(i64::to_ne_bytes), ahead)?; // starts the next rounds
//! let (mut observations, mut masks) = ([[0; 8]; 6], [0; 6]);
//! duels.show(&mut observations, &mut masks);
//! assert_eq!(observations.map(i64::from_ne_bytes), [1, 1, 1, 1, 1, 1]); // the number, and whether it's the agent's turn
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_engine;
mod lookup;

use std::sync::Arc;

use super::{Cannot, Lookahead, QuickDice};
use crate::engine::alphabet::Alphabet;
use crate::engine::observation::{features, observe};
use crate::engine::play::{Ending, Outcome};
use crate::engine::position::{Player, Position};
use crate::engine::round::Round;
use crate::evaluate::opponent::Opponent;
use crate::format::Rulebook;
use by_engine::ByEngine;
use lookup::Lookup;

/// The learning player; the opponent is the other one.
pub const AGENT: Player = Player::One;

/// The agent's seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The agent goes first.
    First,
    /// The opponent goes first.
    Second,
    /// A coin toss per round.
    Random,
}

impl Seat {
    /// Parses a seat.
    pub fn from_word(word: &str) -> Option<Seat> {
        match word {
            "first" => Some(Seat::First),
            "second" => Some(Seat::Second),
            "random" => Some(Seat::Random),
            _ => None,
        }
    }

    /// The starter of a round with these dice.
    pub fn first(self, dice: QuickDice) -> Player {
        match self {
            Seat::First => AGENT,
            Seat::Second => !AGENT,
            Seat::Random if dice.coin() => AGENT,
            Seat::Random => !AGENT,
        }
    }
}

/// Batched rounds against a computer opponent; see the [module](self).
pub struct Duels {
    pairing: Pairing,
    seat: Seat,
    rounds: Rounds,
    chairs: Vec<Chair>,
    dice: Vec<QuickDice>,
    /// The results of the last step. If a round is over, the next step starts another.
    facts: Vec<Facts>,
    illegal: Vec<(usize, i64)>,
    /// Scratch space for actions with unknown effects and for the indices of finished rounds.
    left: Vec<(usize, i64)>,
    waiting: Vec<u32>,
    /// Invariant: false before the first reset and after an interrupted step.
    is_ready: bool,
}

/// The game and the opponent.
struct Pairing {
    rulebook: Arc<Rulebook>,
    alphabet: Alphabet,
    opponent: Opponent,
    /// The length of an observation.
    features: usize,
}

/// The two ways to store rounds.
#[expect(clippy::large_enum_variant, reason = "only one exists for thousands of rounds")]
enum Rounds {
    Lookup(Lookup),
    ByEngine(ByEngine),
}

/// A store of current rounds.
trait Keeps {
    /// Starts a round and plays until it's the agent's turn or the round is over. Returns the outcome, if it's over.
    fn begin(&mut self, first: Player, turn: &mut Turn<'_, '_>) -> Result<Option<Outcome>, Cannot>;

    /// Like `play`, but for all rounds whose action has a known effect. Pushes the other rounds to `left` with their
    /// index and action. May also play finished rounds, since they restart anyway.
    fn play_known(
        &mut self,
        actions: &[[u8; 8]],
        dice: &[QuickDice],
        facts: &mut [Facts],
        left: &mut Vec<(usize, i64)>,
    );

    /// Plays the agent's move and continues until it's the agent's turn again or the round is over. Returns the outcome
    /// if the round is over, and `None` if the move isn't legal. If the round was over before the agent's first turn,
    /// returns that outcome for any action.
    fn play(&mut self, action: i64, turn: &mut Turn<'_, '_>) -> Result<Option<Option<Outcome>>, Cannot>;

    /// Writes each round's observation and legal actions.
    fn show(&self, pairing: &Pairing, observations: &mut [[u8; 8]], masks: &mut [u8]);

    fn position(&self, place: usize) -> Position;
}

/// A round to play, with its context.
struct Turn<'a, 'b> {
    place: usize,
    dice: QuickDice,
    pairing: &'a Pairing,
    ahead: &'a mut Lookahead<'b>,
}

/// The sequence of rounds at one index: the base for its dice and the current round number. Stored separately from the
/// data that every step reads.
#[derive(Clone, Copy)]
struct Chair {
    seed: QuickDice,
    round: u64,
}

impl Chair {
    fn of_seed(seed: u64) -> Chair {
        Chair { seed: QuickDice::of_seed(seed), round: 0 }
    }
}

/// The result of a step for a round.
///
/// A branch on whether a round is over would be mispredicted, so all fields are packed into one number that is copied
/// and compared without branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts(u32);

impl Facts {
    /// The round continues.
    const NONE: Facts = Facts(0);

    /// An illegal action, which lost the round.
    const ILLEGAL: Facts = Facts(u32::from_le_bytes([u8::MAX, 1, 0, 0]));

    fn from_outcome(outcome: Option<Outcome>) -> Facts {
        let Some(Outcome { winner, ending }) = outcome else { return Facts::NONE };
        let reward: i8 = match winner {
            None => 0,
            Some(AGENT) => 1,
            Some(_) => -1,
        };
        // A stopped round didn't end by the rules.
        let is_stopped = ending == Ending::Stopped;
        let bytes = [reward.cast_unsigned(), u8::from(!is_stopped), u8::from(is_stopped), ending as u8 + 1];
        Facts(u32::from_le_bytes(bytes))
    }

    /// Only the ending.
    fn only_ending(self) -> Facts {
        Facts(u32::from_le_bytes([0, 0, 0, self.byte(3)]))
    }

    /// One of four bytes: the reward, whether the round has ended, whether it was stopped, and the ending.
    #[inline]
    fn byte(self, kind: u32) -> u8 {
        (self.0 >> (kind * u8::BITS)) as u8
    }

    /// 1 if the agent won the round, -1 if it lost, otherwise 0.
    #[inline]
    pub fn reward(self) -> i8 {
        self.byte(0).cast_signed()
    }

    /// Whether the round ended by the rules or by an illegal action.
    #[inline]
    pub fn is_terminated(self) -> bool {
        self.byte(1) == 1
    }

    /// Whether the round took too long and was stopped.
    #[inline]
    pub fn is_truncated(self) -> bool {
        self.byte(2) == 1
    }

    /// Whether the round has ended or stopped and the agent has seen it.
    #[inline]
    fn is_over(self) -> bool {
        self.0 & u32::from_le_bytes([0, 1, 1, 0]) != 0
    }

    /// The ending, if the round is over, even before the agent's first turn.
    pub fn ending(self) -> Option<Ending> {
        Ending::ALL.get(usize::from(self.ending_number()).checked_sub(1)?).copied()
    }

    /// The ending as a number: its index in [`Ending::ALL`] plus one, or 0.
    #[inline]
    pub fn ending_number(self) -> u8 {
        self.byte(3)
    }
}

impl Duels {
    /// A batch of rounds that haven't [started](Duels::reset) yet.
    pub fn new(rulebook: Arc<Rulebook>, rounds: usize, opponent: Opponent, seat: Seat) -> Duels {
        let alphabet = rulebook.alphabet();
        let features = features(&rulebook, &alphabet).len();
        let pairing = Pairing { rulebook, alphabet, opponent, features };
        // If no position repeats, history doesn't matter.
        let kept = if pairing.rulebook.may_repeat() {
            Rounds::ByEngine(ByEngine::new(&pairing, rounds))
        } else {
            Rounds::Lookup(Lookup::new(&pairing, rounds))
        };
        Duels {
            pairing,
            seat,
            rounds: kept,
            chairs: vec![Chair::of_seed(0); rounds],
            dice: vec![QuickDice::of_seed(0); rounds],
            facts: vec![Facts::NONE; rounds],
            illegal: Vec::new(),
            left: Vec::new(),
            waiting: vec![0; rounds],
            is_ready: false,
        }
    }

    /// The number of rounds.
    #[expect(clippy::len_without_is_empty, reason = "callers never ask for zero rounds")]
    pub fn len(&self) -> usize {
        self.chairs.len()
    }

    /// Whether this book's rounds use the lookup table.
    pub fn are_looked_up(&self) -> bool {
        matches!(self.rounds, Rounds::Lookup(_))
    }

    /// Starts the rounds that `which` selects. A given seed starts its first round; without one, the current seed's
    /// next round starts. `seat` overrides the default this time. Starts all rounds if not all of them are running or a
    /// step was interrupted.
    ///
    /// # Errors
    ///
    /// If the opponent needs a solution and there's none, or the caller cancels. The rounds then need another reset.
    ///
    /// # Panics
    ///
    /// If `seeds` doesn't have one entry per round.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        which: impl Fn(usize) -> bool,
        seat: Option<Seat>,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        assert_eq!(seeds.len(), self.len(), "expected one seed per round");
        let all = !std::mem::take(&mut self.is_ready);
        self.illegal.clear();
        for (place, seed) in seeds.iter().enumerate().filter(|(place, _)| all || which(*place)) {
            if let Some(seed) = *seed {
                self.chairs[place] = Chair::of_seed(seed);
            }
            let (rounds, mut table) = self.parts();
            table.seat = seat.unwrap_or(table.seat);
            match rounds {
                Rounds::Lookup(rounds) => table.begin(rounds, place, ahead)?,
                Rounds::ByEngine(rounds) => table.begin(rounds, place, ahead)?,
            }
        }
        self.is_ready = true;
        Ok(())
    }

    /// Plays an action in each round and lets the opponent answer. If a round is over, starts the next one instead. An
    /// illegal action loses the round. Actions are native-endian 64-bit integers.
    ///
    /// # Errors
    ///
    /// As for [`Duels::reset`]; also if the rounds haven't started.
    ///
    /// # Panics
    ///
    /// If `actions` doesn't have one entry per round.
    pub fn step(&mut self, actions: &[[u8; 8]], ahead: &mut Lookahead<'_>) -> Result<(), Cannot> {
        assert_eq!(actions.len(), self.len(), "expected one action per round");
        if !std::mem::take(&mut self.is_ready) {
            return Err(Cannot::NotBegun);
        }
        if let Rounds::Lookup(rounds) = &mut self.rounds {
            rounds.keep_small(&self.pairing);
        }
        self.illegal.clear();
        let (rounds, mut table) = self.parts();
        match rounds {
            Rounds::Lookup(rounds) => table.step(rounds, actions, ahead)?,
            Rounds::ByEngine(rounds) => table.step(rounds, actions, ahead)?,
        }
        self.is_ready = true;
        Ok(())
    }

    fn parts(&mut self) -> (&mut Rounds, Table<'_>) {
        let Duels { pairing, seat, rounds, chairs, dice, facts, illegal, left, waiting, .. } = self;
        (rounds, Table { pairing, seat: *seat, chairs, dice, facts, illegal, left, waiting })
    }

    /// The results of the last step or reset.
    pub fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// The rounds that an illegal action lost in the last step, with that action.
    pub fn illegal(&self) -> &[(usize, i64)] {
        &self.illegal
    }

    /// Writes each round's [observation](crate::engine::observation) as native-endian integers, and its legal actions
    /// as one byte (1 or 0) per action in the alphabet.
    ///
    /// # Panics
    ///
    /// If a slice has the wrong length.
    pub fn show(&self, observations: &mut [[u8; 8]], masks: &mut [u8]) {
        let (features, actions) = self.widths();
        assert_eq!((observations.len(), masks.len()), (self.len() * features, self.len() * actions));
        match &self.rounds {
            Rounds::Lookup(rounds) => rounds.show(&self.pairing, observations, masks),
            Rounds::ByEngine(rounds) => rounds.show(&self.pairing, observations, masks),
        }
    }

    /// The length of an observation and the number of actions.
    pub fn widths(&self) -> (usize, usize) {
        (self.pairing.features, self.pairing.alphabet.choices().len())
    }

    /// A round's position; after its end, the position before or after the last move.
    ///
    /// # Panics
    ///
    /// If the index is out of range.
    pub fn position(&self, place: usize) -> Position {
        match &self.rounds {
            Rounds::Lookup(rounds) => rounds.position(place),
            Rounds::ByEngine(rounds) => rounds.position(place),
        }
    }
}

/// Everything except the rounds.
struct Table<'a> {
    pairing: &'a Pairing,
    seat: Seat,
    chairs: &'a mut [Chair],
    dice: &'a mut [QuickDice],
    facts: &'a mut [Facts],
    illegal: &'a mut Vec<(usize, i64)>,
    left: &'a mut Vec<(usize, i64)>,
    waiting: &'a mut [u32],
}

impl Table<'_> {
    /// Starts the next round at an index. If it's over immediately, sets only its ending.
    #[inline]
    fn begin<R: Keeps>(
        &mut self,
        rounds: &mut R,
        place: usize,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        let chair = &mut self.chairs[place];
        chair.round += 1;
        let dice = chair.seed.of_round(chair.round);
        self.dice[place] = dice;
        let mut turn = Turn { place, dice, pairing: self.pairing, ahead };
        self.facts[place] =
            Facts::from_outcome(rounds.begin(self.seat.first(dice), &mut turn)?).only_ending();
        Ok(())
    }

    fn step<R: Keeps>(
        &mut self,
        rounds: &mut R,
        actions: &[[u8; 8]],
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        // Avoids mispredicted branches on whether a round is over: plays finished rounds along with the others and
        // restarts them afterwards.
        let mut waiting = 0;
        for (place, facts) in self.facts.iter().enumerate() {
            self.waiting[waiting] = place as u32;
            waiting += usize::from(facts.is_over());
        }
        self.left.clear();
        rounds.play_known(actions, self.dice, self.facts, self.left);
        for (place, action) in self.left.iter().copied() {
            if self.facts[place].is_over() {
                continue;
            }
            let mut turn = Turn { place, dice: self.dice[place], pairing: self.pairing, ahead };
            self.facts[place] = match rounds.play(action, &mut turn)? {
                Some(outcome) => Facts::from_outcome(outcome),
                None => {
                    self.illegal.push((place, action));
                    Facts::ILLEGAL
                }
            };
        }
        for at in 0..waiting {
            self.begin(rounds, self.waiting[at] as usize, ahead)?;
        }
        Ok(())
    }
}

impl Pairing {
    /// A position as the agent sees it.
    fn observe(&self, position: &Position, numbers: [i128; 2], is_over: bool) -> Vec<[u8; 8]> {
        let seen = observe(&self.rulebook, &self.alphabet, position, numbers, is_over, AGENT);
        seen.into_iter().map(i64::to_ne_bytes).collect()
    }

    /// A round at a position, without history.
    fn round_at(&self, position: Position) -> Round {
        Round::from_position(Arc::clone(&self.rulebook), position)
    }
}
