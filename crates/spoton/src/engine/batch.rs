//! Many rounds of one game at once, without a memory allocation per move: for programs that evaluate or learn.
//!
//! A [`Batch`] holds so many rounds of a rule book, in all of which Player 1 starts. They are stepped together: by
//! actions that the caller hands in ([`Batch::step`]), or by the batch itself, which picks evenly among the legal moves
//! ([`Batch::self_play`]). A round that ends is counted, and begins anew at once.
//!
//! An **action** is the index of a written move in the book's alphabet ([`Batch::actions`]), the same at every position. A
//! turn that goes over because nothing is legal is no action: the batch lets it go over by itself. The house rule
//! against repetition is a matter of a [`Round`](crate::engine::round::Round); here, a round is cut off after as many
//! moves as the caller says.
//!
//! **What is fast.** One shared number, every move an addition, a subtraction or a multiplication, and nothing but the
//! number deciding: no `no_repeat`, `uses`, `passes`, `when`, and no `winning`, `losing` or `forbidden` numbers. Such books
//! are played without a branch, in lanes of 16 bits where all results fit (a thousand million moves a second on one core,
//! ten and more times as many as one round after the other), else of 32 or, with the vectors that every processor has
//! no longer to advantage, of 64. Every other book is played by the engine, move by move, with the same interface and the
//! same answers; [`Batch::is_fast`] tells.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::batch::Batch;
//! use spoton::format::RulebookBuilder;
//!
//! let ten = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let mut batch = Batch::new(Arc::new(ten), 64, 1_000, 7)?;
//!
//! // The caller's actions: everybody doubles, 1 2 4 8 16, and the fourth move loses.
//! for _ in 0..4 {
//!     batch.step(&[1; 64])?;
//! }
//! assert_eq!((batch.ended()[0], batch.rewards()[0]), (1, 1)); // seen from Player 1
//! assert_eq!(batch.position(0).number(), 1); // begun anew
//!
//! // By itself: a thousand moves in each of the rounds.
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
use crate::format::Rulebook;

pub(crate) use chance::{ODD, mixed};

/// The action that leaves a round as it is.
pub const WAIT: u16 = u16::MAX;

/// How many rounds are worked on together: few enough for the fastest memory there is, and so many that the compiler makes
/// loops of vectors of them, instead of writing out every round.
pub(crate) const CHUNK: usize = 128;

/// Rounds of one rule book that are stepped together; see the [module](self).
pub struct Batch {
    alphabet: Arc<Alphabet>,
    rounds: Box<dyn Rounds>,
    is_fast: bool,
    dice: Vec<Dice>,
    seen: Seen,
}

/// Rounds under way, however they are kept.
trait Rounds: Send + Sync {
    /// So many moves in each round, each picked evenly among the legal ones.
    fn self_play(&mut self, moves: u64, dice: &mut [Dice], tally: &mut Tally);

    /// Makes a legal action in each round, and tells what came of it.
    fn step(&mut self, actions: &[u16], seen: &mut Seen);

    /// Tells where the rounds stand: what is legal, and who is on turn.
    fn look(&self, seen: &mut Seen);

    /// Picks evenly among the legal actions of each round.
    fn choose(&self, seen: &Seen, dice: &mut [Dice], actions: &mut [u16]);

    fn position(&self, round: usize) -> Position;
}

/// What a step shows of all rounds, an array for each kind of fact.
struct Seen {
    rewards: Vec<i8>,
    ended: Vec<u8>,
    cut_off: Vec<u8>,
    on_turn: Vec<u8>,
    /// An array of all rounds for each action.
    legal: Vec<u8>,
}

/// What a number of rounds came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The moves that were made, those of rounds that are not over among them. Turns that went over do not count.
    pub moves: u64,
    /// The rounds that each player won. Player 1 started them all.
    pub wins: ByPlayer<u64>,
    /// The rounds that the rules call a draw.
    pub draws: u64,
    /// The rounds that were cut off for their length.
    pub cut_off: u64,
    /// How many moves the longest of the rounds that ended had.
    pub longest: u64,
}

impl Tally {
    /// Counts a round that ended after so many moves.
    fn count(&mut self, winner: Option<Player>, is_cut_off: bool, moves: u32) {
        match winner {
            Some(winner) => self.wins[winner] += 1,
            None if is_cut_off => self.cut_off += 1,
            None => self.draws += 1,
        }
        self.longest = self.longest.max(moves.into());
    }

    /// How many rounds ended, one way or another.
    pub fn rounds(&self) -> u64 {
        let ByPlayer([one, two]) = self.wins;
        one + two + self.draws + self.cut_off
    }
}

/// Why there is no batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoBatch {
    /// Whoever starts has no legal move, and that ends the round.
    #[error("a round of this game is over before its first move")]
    OverAtOnce,
    /// There are no rounds, or they have no moves.
    #[error("a batch needs at least one round, and rounds of at least one move")]
    Empty,
}

/// Why a step was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotStep {
    /// There must be an action for each round.
    #[error("there are {rounds} rounds and {actions} actions")]
    Count {
        /// The rounds of the batch.
        rounds: usize,
        /// The actions that were given.
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
    /// So many rounds at the opening, each cut off after `most_moves`. The same seed picks the same moves.
    ///
    /// # Errors
    ///
    /// If there would be nothing to play.
    pub fn new(rulebook: Arc<Rulebook>, rounds: usize, most_moves: u32, seed: u64) -> Result<Batch, NoBatch> {
        let lanes = lanes::suited(&rulebook, rounds, most_moves);
        Batch::with(rulebook, rounds, most_moves, seed, lanes)
    }

    /// The same through the engine, move by move, whatever the book: what the fast way is held against.
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

    /// How many rounds there are.
    #[expect(clippy::len_without_is_empty, reason = "there is always a round")]
    pub fn len(&self) -> usize {
        self.seen.ended.len()
    }

    /// Whether the book is one of those that are played in lanes.
    pub fn is_fast(&self) -> bool {
        self.is_fast
    }

    /// The alphabet: every move that can be written in this game, in the order of the entries of `moves`, amounts rising. An
    /// action is an index into it.
    pub fn actions(&self) -> &[Choice] {
        self.alphabet.choices()
    }

    /// Makes so many moves in each round, each picked evenly among the legal ones (to within one in a million), and
    /// counts the rounds that ended. Asked twice, it goes on where it was.
    pub fn self_play(&mut self, moves: u64) -> Tally {
        let mut tally = Tally { moves: moves * self.len() as u64, ..Tally::default() };
        self.rounds.self_play(moves, &mut self.dice, &mut tally);
        self.seen.begin_step();
        self.rounds.look(&mut self.seen);
        tally
    }

    /// Picks an action for each round evenly among the legal ones, with the batch's own chance. `self_play` makes the
    /// same moves as this with [`Batch::step`] in turn.
    ///
    /// # Errors
    ///
    /// If there is not a place for each round.
    pub fn choose(&mut self, actions: &mut [u16]) -> Result<(), CannotStep> {
        self.check_count(actions)?;
        self.rounds.choose(&self.seen, &mut self.dice, actions);
        Ok(())
    }

    /// Makes a move in each round: the action at the same place, or none where that is [`WAIT`]. A round that ends thereby
    /// begins anew at once. Afterwards, [`Batch::rewards`], [`Batch::ended`], [`Batch::cut_off`], [`Batch::on_turn`] and
    /// [`Batch::legal`] tell how things stand.
    ///
    /// # Errors
    ///
    /// If there is not an action for each round, or one of them is not legal; nothing is changed then.
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

    /// What the last step brought Player 1: 1 where it won them a round, -1 where it lost them one, else 0. It is the
    /// negative for Player 2.
    pub fn rewards(&self) -> &[i8] {
        &self.seen.rewards
    }

    /// 1 where the last step ended the round by the rules, else 0.
    pub fn ended(&self) -> &[u8] {
        &self.seen.ended
    }

    /// 1 where the round was cut off after the last step for its length, else 0.
    pub fn cut_off(&self) -> &[u8] {
        &self.seen.cut_off
    }

    /// Who is on turn: 1 or 2.
    pub fn on_turn(&self) -> &[u8] {
        &self.seen.on_turn
    }

    /// Which actions are legal: for each action, in order, an array with 1 for every round in which it is legal, else 0.
    /// The place of an action in a round is `action * batch.len() + round`.
    pub fn legal(&self) -> &[u8] {
        &self.seen.legal
    }

    /// Where a round stands.
    ///
    /// # Panics
    ///
    /// If there is no such round.
    pub fn position(&self, round: usize) -> Position {
        assert!(round < self.len(), "there are only {} rounds", self.len());
        self.rounds.position(round)
    }

    /// A player's number in each round, into an array of their own; the shared one where there is one.
    ///
    /// # Errors
    ///
    /// If there is not a place for each round.
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
