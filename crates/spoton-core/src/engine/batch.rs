//! Many rounds of a game in parallel, without an allocation per move, for evaluation and learning.
//!
//! A [`Batch`] holds rounds of one rule book. Player 1 starts each of them. All rounds step together, either
//! with the caller's actions ([`Batch::step`]) or with uniformly random legal moves ([`Batch::self_play`]). A
//! finished round is counted and restarts.
//!
//! An **action** is an index into the book's alphabet of moves ([`Batch::actions`]), the same in every
//! position. A skipped turn isn't an action: the batch skips automatically. Only a
//! [`Round`](crate::engine::round::Round) applies the house rule against repetition. A batch cuts off rounds
//! after a given number of moves instead.
//!
//! **The fast path.** It needs one shared number, and moves that only add, subtract or multiply. Nothing else
//! may affect play: no `no_repeat`, `uses`, `passes`, `when`, `winning`, `losing` or `forbidden`. It plays
//! such books without branches, in 16-bit lanes if all results fit (about a billion moves per second
//! on one core, at least ten times as fast as playing rounds one after another). Otherwise it uses 32-bit
//! lanes or, with less benefit from vector instructions, 64-bit lanes. The engine plays all other books move
//! by move, with the same interface and results. [`Batch::is_fast`] returns whether the fast path is used.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::batch::Batch;
//! use spoton::format::RulebookBuilder;
//!
//! let ten = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let mut batch = Batch::new(Arc::new(ten), 64, 1_000, 7)?;
//!
//! // With given actions: both players double, 1 2 4 8 16, and the fourth move loses.
//! for _ in 0..4 {
//!     batch.step(&[1; 64])?;
//! }
//! assert_eq!((batch.ended()[0], batch.rewards()[0]), (1, 1)); // from Player 1's view
//! assert_eq!(batch.position(0).number(), 1); // restarted
//!
//! // Random play: a thousand moves in each round.
//! let tally = batch.self_play(1_000);
//! assert_eq!(tally.moves, 64_000);
//! assert_eq!(tally.rounds(), tally.wins.0[0] + tally.wins.0[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chance;
mod game;
mod general;
mod lane;
mod lanes;

use std::sync::Arc;

use crate::engine::alphabet::Alphabet;
use crate::engine::batch::chance::{Dice, dice};
use crate::engine::batch::general::General;
use crate::engine::position::{ByPlayer, Choice, Player, Position};
use crate::engine::rulebook::Rulebook;

pub use chance::{ODD, mixed};

/// The action that leaves a round unchanged.
pub const WAIT: u16 = u16::MAX;

/// Rounds per chunk: few enough for the L1 cache, and enough for the compiler to emit vector loops instead of
/// unrolled code.
pub(crate) const CHUNK: usize = 128;

/// Rounds of one rule book that step together; see the [module](self).
pub struct Batch {
    alphabet: Arc<Alphabet>,
    rounds: Box<dyn Rounds>,
    is_fast: bool,
    dice: Vec<Dice>,
    seen: Seen,
}

/// Rounds in progress, in any representation.
trait Rounds: Send + Sync {
    /// Plays `moves` uniformly random legal moves in each round.
    fn self_play(&mut self, moves: u64, dice: &mut [Dice], tally: &mut Tally);

    /// Plays a legal action in each round, and records the results in `seen`.
    fn step(&mut self, actions: &[u16], seen: &mut Seen);

    /// Writes the legal actions and whose turn it is to `seen`.
    fn look(&self, seen: &mut Seen);

    /// Picks a uniformly random legal action for each round.
    fn choose(&self, seen: &Seen, dice: &mut [Dice], actions: &mut [u16]);

    fn position(&self, round: usize) -> Position;
}

/// The observable state of all rounds, as a structure of arrays.
struct Seen {
    rewards: Vec<i8>,
    ended: Vec<u8>,
    cut_off: Vec<u8>,
    on_turn: Vec<u8>,
    /// For each action, an entry per round.
    legal: Vec<u8>,
}

/// Totals over rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The moves made, including those of unfinished rounds. Skipped turns don't count.
    pub moves: u64,
    /// The rounds each player won. Player 1 started them all.
    pub wins: ByPlayer<u64>,
    /// The drawn rounds.
    pub draws: u64,
    /// The rounds that were cut off because they took too long.
    pub cut_off: u64,
    /// The number of moves in the longest finished round.
    pub longest: u64,
}

impl Tally {
    /// Counts a finished round of this many moves.
    fn count(&mut self, winner: Option<Player>, is_cut_off: bool, moves: u32) {
        match winner {
            Some(winner) => self.wins[winner] += 1,
            None if is_cut_off => self.cut_off += 1,
            None => self.draws += 1,
        }
        self.longest = self.longest.max(moves.into());
    }

    /// The number of finished rounds, including cut-off ones.
    pub fn rounds(&self) -> u64 {
        let ByPlayer([one, two]) = self.wins;
        one + two + self.draws + self.cut_off
    }
}

/// Why a batch can't be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoBatch {
    /// The starting player has no legal move, which ends the round.
    #[error("this game has no first move, so there's nothing to run")]
    OverAtOnce,
    /// There are no rounds, or they have no moves.
    #[error("a batch needs at least one round with at least one move")]
    Empty,
}

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotStep {
    /// Each round needs an action.
    #[error("{rounds} rounds need {rounds} actions, but there are {actions}")]
    Count {
        /// The number of rounds.
        rounds: usize,
        /// The number of actions.
        actions: usize,
    },
    /// An action is not legal in its round.
    #[error("action {action} is not legal in round {round}")]
    Illegal {
        /// The round, from 0.
        round: usize,
        /// Its action.
        action: u16,
    },
}

impl Batch {
    /// Creates rounds at the opening, each cut off after `most_moves`. The same seed picks the same moves.
    ///
    /// # Errors
    ///
    /// If there would be nothing to play.
    pub fn new(rulebook: Arc<Rulebook>, rounds: usize, most_moves: u32, seed: u64) -> Result<Batch, NoBatch> {
        let lanes = lanes::suited(&rulebook, rounds, most_moves);
        Batch::with(rulebook, rounds, most_moves, seed, lanes)
    }

    /// [`Batch::new`] without the fast path: the reference implementation for tests.
    ///
    /// # Errors
    ///
    /// If there would be nothing to play.
    pub fn by_engine(
        rulebook: Arc<Rulebook>,
        rounds: usize,
        most_moves: u32,
        seed: u64,
    ) -> Result<Batch, NoBatch> {
        Batch::with(rulebook, rounds, most_moves, seed, None)
    }

    fn with(
        rulebook: Arc<Rulebook>,
        rounds: usize,
        most_moves: u32,
        seed: u64,
        lanes: Option<Box<dyn Rounds>>,
    ) -> Result<Batch, NoBatch> {
        if rounds == 0 || most_moves == 0 {
            return Err(NoBatch::Empty);
        }
        let opening = general::opening(&rulebook).ok_or(NoBatch::OverAtOnce)?;
        let alphabet = Arc::new(rulebook.alphabet());
        let most_choices =
            if rulebook.has_only_fixed_moves() { alphabet.choices().len() } else { rulebook.most_choices() };
        let mut seen = Seen::new(rounds, alphabet.choices().len());
        let is_fast = lanes.is_some();
        let by_engine =
            || Box::new(General::new(rulebook, Arc::clone(&alphabet), opening, rounds, most_moves));
        let under_way = lanes.unwrap_or_else(|| by_engine());
        under_way.look(&mut seen);
        let dice = dice(seed, rounds, most_choices);
        Ok(Batch { alphabet, rounds: under_way, is_fast, dice, seen })
    }

    /// The number of rounds.
    #[expect(clippy::len_without_is_empty, reason = "there is always a round")]
    pub fn len(&self) -> usize {
        self.seen.ended.len()
    }

    /// Whether the fast path plays this book.
    pub fn is_fast(&self) -> bool {
        self.is_fast
    }

    /// The alphabet: all moves that can be written in this game, in the order of `moves`, amounts ascending.
    /// Actions are indices into it.
    pub fn actions(&self) -> &[Choice] {
        self.alphabet.choices()
    }

    /// Plays `moves` uniformly random legal moves in each round (uniform to within one in a million), and
    /// counts the finished rounds. A second call continues.
    pub fn self_play(&mut self, moves: u64) -> Tally {
        let mut tally = Tally { moves: moves * self.len() as u64, ..Tally::default() };
        self.rounds.self_play(moves, &mut self.dice, &mut tally);
        self.seen.begin_step();
        self.rounds.look(&mut self.seen);
        tally
    }

    /// Picks a uniformly random legal action for each round, from the batch's own generator. Alternating with
    /// [`Batch::step`], this plays the same moves as `self_play`.
    ///
    /// # Errors
    ///
    /// If `actions` doesn't have one slot per round.
    pub fn choose(&mut self, actions: &mut [u16]) -> Result<(), CannotStep> {
        self.check_count(actions)?;
        self.rounds.choose(&self.seen, &mut self.dice, actions);
        Ok(())
    }

    /// Plays an action in each round, or none if it's [`WAIT`]. A finished round restarts. Afterwards,
    /// [`Batch::rewards`], [`Batch::ended`], [`Batch::cut_off`], [`Batch::on_turn`] and [`Batch::legal`]
    /// return the new state.
    ///
    /// # Errors
    ///
    /// If there isn't one action per round, or an action isn't legal. On error, nothing changes.
    pub fn step(&mut self, actions: &[u16]) -> Result<(), CannotStep> {
        self.check_count(actions)?;
        if let Some(round) = self.seen.first_illegal(actions) {
            return Err(CannotStep::Illegal { round, action: actions[round] });
        }
        self.seen.begin_step();
        self.rounds.step(actions, &mut self.seen);
        Ok(())
    }

    fn check_count(&self, actions: &[u16]) -> Result<(), CannotStep> {
        let (rounds, actions) = (self.len(), actions.len());
        if rounds == actions { Ok(()) } else { Err(CannotStep::Count { rounds, actions }) }
    }

    /// Player 1's rewards of the last step: 1 for a won round, -1 for a lost one, else 0. Player 2's are the
    /// negatives.
    pub fn rewards(&self) -> &[i8] {
        &self.seen.rewards
    }

    /// 1 if the last step ended the round by the rules, else 0.
    pub fn ended(&self) -> &[u8] {
        &self.seen.ended
    }

    /// 1 if the round was cut off after the last step, else 0.
    pub fn cut_off(&self) -> &[u8] {
        &self.seen.cut_off
    }

    /// The player to move: 1 or 2.
    pub fn on_turn(&self) -> &[u8] {
        &self.seen.on_turn
    }

    /// The legal actions: for each action, in order, an array with a 1 for every round where it's legal, else
    /// 0. The index is `action * batch.len() + round`.
    pub fn legal(&self) -> &[u8] {
        &self.seen.legal
    }

    /// The position of a round.
    ///
    /// # Panics
    ///
    /// If there is no such round.
    pub fn position(&self, round: usize) -> Position {
        assert!(round < self.len(), "there are only {} rounds", self.len());
        self.rounds.position(round)
    }

    /// Writes a player's number in each round to `numbers`, or the shared number.
    ///
    /// # Errors
    ///
    /// If `numbers` doesn't have one slot per round.
    pub fn numbers_of(&self, player: Player, numbers: &mut [i64]) -> Result<(), CannotStep> {
        let (rounds, actions) = (self.len(), numbers.len());
        if rounds != actions {
            return Err(CannotStep::Count { rounds, actions });
        }
        for (round, number) in numbers.iter_mut().enumerate() {
            *number = self.rounds.position(round).number_of(player);
        }
        Ok(())
    }
}

impl Seen {
    fn new(rounds: usize, actions: usize) -> Seen {
        Seen {
            rewards: vec![0; rounds],
            ended: vec![0; rounds],
            cut_off: vec![0; rounds],
            on_turn: vec![0; rounds],
            legal: vec![0; rounds * actions],
        }
    }

    fn rounds(&self) -> usize {
        self.ended.len()
    }

    fn begin_step(&mut self) {
        self.rewards.fill(0);
        self.ended.fill(0);
        self.cut_off.fill(0);
    }

    /// The first round whose action is neither legal nor [`WAIT`].
    fn first_illegal(&self, actions: &[u16]) -> Option<usize> {
        let is_legal = |(round, action): (usize, &u16)| {
            let place = usize::from(*action) * self.rounds() + round;
            *action == WAIT || self.legal.get(place) == Some(&1)
        };
        actions.iter().enumerate().position(|of_round| !is_legal(of_round))
    }
}
