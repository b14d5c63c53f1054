//! Many rounds of one game at once, each against a computer player who answers within the same step: for programs that
//! learn to play.
//!
//! Whoever learns is [Player 1](AGENT); their seat says who goes first. A step makes an action in each round, which is a move's
//! place in the book's [alphabet](crate::engine::alphabet), and lets the opponent answer. Where a round ended in the step
//! before, the action is passed over and the next round begins: the end is seen before anything begins anew.
//!
//! The rounds are those of [`Round`], house rule included. Where no position can come up twice, what a move leads to
//! and what the opponent makes of it is worked out once for all rounds, and looked up from then on
//! ([`Duels::are_looked_up`]); every other book is played round by round, with the same answers.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::people::opponent::Opponent;
//! use spoton::people::solved_game::SolvedGames;
//! use spoton::sitting::Lookahead;
//! use spoton::sitting::duels::{Duels, Seat};
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let games = SolvedGames::new(16 << 20);
//! let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
//!
//! let mut duels = Duels::new(maze, 3, Opponent::parse("perfect")?, Seat::First);
//! duels.reset(&[Some(7), Some(8), Some(9)], |_| true, None, ahead)?;
//! while duels.facts().iter().any(|facts| !facts.is_terminated()) {
//!     duels.step(&[1, 1, 1].map(i64::to_ne_bytes), ahead)?; // everybody doubles
//! }
//! assert!(duels.facts().iter().all(|facts| facts.reward() == -1));
//! duels.step(&[0, 0, 0].map(i64::to_ne_bytes), ahead)?; // begins anew
//! let (mut observations, mut masks) = ([[0; 8]; 6], [0; 6]);
//! duels.show(&mut observations, &mut masks);
//! assert_eq!(observations.map(i64::from_ne_bytes), [1, 1, 1, 1, 1, 1]); // the number, and whether it is one's turn
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
use crate::format::Rulebook;
use crate::people::opponent::Opponent;
use by_engine::ByEngine;
use lookup::Lookup;

/// Who learns; the opponent is the other player.
pub const AGENT: Player = Player::One;

/// When the agent has its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// It goes first.
    First,
    /// The opponent does.
    Second,
    /// A coin is thrown for every round.
    Random,
}

impl Seat {
    /// The seat of a word.
    pub fn from_word(word: &str) -> Option<Seat> {
        match word {
            "first" => Some(Seat::First),
            "second" => Some(Seat::Second),
            "random" => Some(Seat::Random),
            _ => None,
        }
    }

    /// Who goes first in a round with these dice.
    pub fn first(self, dice: QuickDice) -> Player {
        match self {
            Seat::First => AGENT,
            Seat::Second => !AGENT,
            Seat::Random if dice.coin() => AGENT,
            Seat::Random => !AGENT,
        }
    }
}

/// Rounds against a computer player that are stepped together; see the [module](self).
pub struct Duels {
    pairing: Pairing,
    seat: Seat,
    rounds: Rounds,
    chairs: Vec<Chair>,
    dice: Vec<QuickDice>,
    /// Where they say that a round is over, the next step begins another.
    facts: Vec<Facts>,
    illegal: Vec<(usize, i64)>,
    /// Room for the actions of which it is not known what they bring, and for the places of the rounds that are over.
    left: Vec<(usize, i64)>,
    waiting: Vec<u32>,
    /// Whether all rounds are where they should be: not before the first of them, and not if a step was broken off.
    is_ready: bool,
}

/// What is played, and against whom.
struct Pairing {
    rulebook: Arc<Rulebook>,
    alphabet: Alphabet,
    opponent: Opponent,
    /// How many numbers an observation has.
    features: usize,
}

/// The two ways to keep rounds.
#[expect(clippy::large_enum_variant, reason = "there is one of it for thousands of rounds")]
enum Rounds {
    Lookup(Lookup),
    ByEngine(ByEngine),
}

/// Rounds under way, however they are kept.
trait Keeps {
    /// Begins a round, and plays until the agent is on turn or the round is over: how it ended, if it did.
    fn begin(&mut self, first: Player, turn: &mut Turn<'_, '_>) -> Result<Option<Outcome>, Cannot>;

    /// The same as `play` in all rounds at one go, where it is known what the action brings; the others are left, by their place
    /// and with their action. Rounds that are over may be played on as well: they begin anew in any case.
    fn play_known(
        &mut self,
        actions: &[[u8; 8]],
        dice: &[QuickDice],
        facts: &mut [Facts],
        left: &mut Vec<(usize, i64)>,
    );

    /// Makes the agent's move, and plays until it is on turn again or the round is over: how it ended, if it did, and `None` if
    /// the move is not legal. Where it was over before the agent had a turn, that is told, whatever the action.
    fn play(&mut self, action: i64, turn: &mut Turn<'_, '_>) -> Result<Option<Option<Outcome>>, Cannot>;

    /// What the agent sees of each round, and which actions are legal.
    fn show(&self, pairing: &Pairing, observations: &mut [[u8; 8]], masks: &mut [u8]);

    fn position(&self, place: usize) -> Position;
}

/// A round that is to go on, with what that takes.
struct Turn<'a, 'b> {
    place: usize,
    dice: QuickDice,
    pairing: &'a Pairing,
    ahead: &'a mut Lookahead<'b>,
}

/// Where one round is played after the other: what the dice are made from, and which of the seed's rounds this is. It is kept
/// apart from what every step looks at.
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

/// What a step brought to a round.
///
/// Whether a round is over cannot be foreseen, so that all of it is one number, which is copied and compared without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts(u32);

impl Facts {
    /// The round goes on.
    const NONE: Facts = Facts(0);

    /// An illegal action has lost the round.
    const ILLEGAL: Facts = Facts(u32::from_le_bytes([u8::MAX, 1, 0, 0]));

    fn of(outcome: Option<Outcome>) -> Facts {
        let Some(Outcome { winner, ending }) = outcome else { return Facts::NONE };
        let reward: i8 = match winner {
            None => 0,
            Some(AGENT) => 1,
            Some(_) => -1,
        };
        // A round that went on for too long has not come to its end.
        let is_stopped = ending == Ending::Stopped;
        let bytes = [reward.cast_unsigned(), u8::from(!is_stopped), u8::from(is_stopped), ending as u8 + 1];
        Facts(u32::from_le_bytes(bytes))
    }

    /// Nothing but how it ended.
    fn only_ending(self) -> Facts {
        Facts(u32::from_le_bytes([0, 0, 0, self.byte(3)]))
    }

    /// One of the four: the reward; whether the round has ended; whether it was stopped; how it ended.
    #[inline]
    fn byte(self, kind: u32) -> u8 {
        (self.0 >> (kind * u8::BITS)) as u8
    }

    /// 1 if the agent won the round, -1 if it lost, else 0.
    #[inline]
    pub fn reward(self) -> i8 {
        self.byte(0).cast_signed()
    }

    /// Whether the round ended by the rules, or by an illegal action.
    #[inline]
    pub fn is_terminated(self) -> bool {
        self.byte(1) == 1
    }

    /// Whether the round went on for too long, and was stopped.
    #[inline]
    pub fn is_truncated(self) -> bool {
        self.byte(2) == 1
    }

    /// Whether the agent was told that the round is over, for one reason or the other.
    #[inline]
    fn is_over(self) -> bool {
        self.0 & u32::from_le_bytes([0, 1, 1, 0]) != 0
    }

    /// How the round ended, if it has; also told where it was over before the agent had a turn.
    pub fn ending(self) -> Option<Ending> {
        Ending::ALL.get(usize::from(self.ending_number()).checked_sub(1)?).copied()
    }

    /// The same as a number: one more than the place in [`Ending::ALL`], 0 if it has not ended.
    #[inline]
    pub fn ending_number(self) -> u8 {
        self.byte(3)
    }
}

impl Duels {
    /// So many rounds that have yet to [begin](Duels::reset).
    pub fn new(rulebook: Arc<Rulebook>, rounds: usize, opponent: Opponent, seat: Seat) -> Duels {
        let alphabet = rulebook.alphabet();
        let features = features(&rulebook, &alphabet).len();
        let pairing = Pairing { rulebook, alphabet, opponent, features };
        // Where nothing comes up twice, what came before makes no difference to anybody.
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

    /// How many rounds there are.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks for no rounds")]
    pub fn len(&self) -> usize {
        self.chairs.len()
    }

    /// Whether the book is one of those whose rounds are looked up.
    pub fn are_looked_up(&self) -> bool {
        matches!(self.rounds, Rounds::Lookup(_))
    }

    /// Begins the rounds that `which` names: the first of a seed where one is given, else the next of the seed there. `seat`
    /// stands in for the usual one this time. Where not all have begun, or a step was broken off, all of them begin.
    ///
    /// # Errors
    ///
    /// If the opponent needs to see through the game and cannot, or the caller does not want to go on. The rounds have to
    /// begin again then.
    ///
    /// # Panics
    ///
    /// If there is not a seed, or `None`, for each round.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        which: impl Fn(usize) -> bool,
        seat: Option<Seat>,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        assert_eq!(seeds.len(), self.len(), "there is a seed for each round");
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

    /// Makes an action in each round, and lets the opponent answer; where the round is over, begins the next. An illegal action
    /// loses the round. Actions are integers of 64 bits in the bytes of this machine, as they are handed on.
    ///
    /// # Errors
    ///
    /// As for [`Duels::reset`]; also if the rounds have not begun.
    ///
    /// # Panics
    ///
    /// If there is not an action for each round.
    pub fn step(&mut self, actions: &[[u8; 8]], ahead: &mut Lookahead<'_>) -> Result<(), Cannot> {
        assert_eq!(actions.len(), self.len(), "there is an action for each round");
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

    /// What the last step brought to each round, or its beginning.
    pub fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// The rounds that an illegal action has lost in the last step, each with that action.
    pub fn illegal(&self) -> &[(usize, i64)] {
        &self.illegal
    }

    /// What the agent sees of each round: as many numbers as an [observation](crate::engine::observation) has, in the bytes of
    /// this machine, so that they can be handed on; and which actions are legal, a byte for each of the alphabet, 1 or 0.
    ///
    /// # Panics
    ///
    /// If there is not a place for each of them.
    pub fn show(&self, observations: &mut [[u8; 8]], masks: &mut [u8]) {
        let (features, actions) = self.widths();
        assert_eq!((observations.len(), masks.len()), (self.len() * features, self.len() * actions));
        match &self.rounds {
            Rounds::Lookup(rounds) => rounds.show(&self.pairing, observations, masks),
            Rounds::ByEngine(rounds) => rounds.show(&self.pairing, observations, masks),
        }
    }

    /// How many numbers an observation has, and how many actions there are.
    pub fn widths(&self) -> (usize, usize) {
        (self.pairing.features, self.pairing.alphabet.choices().len())
    }

    /// Where a round stands; after its end, where the last move was made from or led to.
    ///
    /// # Panics
    ///
    /// If there is no such round.
    pub fn position(&self, place: usize) -> Position {
        match &self.rounds {
            Rounds::Lookup(rounds) => rounds.position(place),
            Rounds::ByEngine(rounds) => rounds.position(place),
        }
    }
}

/// Everything but the rounds, however they are kept.
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
    /// Begins the next round at a place. If it is over at once, only its ending is told so far.
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
        self.facts[place] = Facts::of(rounds.begin(self.seat.first(dice), &mut turn)?).only_ending();
        Ok(())
    }

    fn step<R: Keeps>(
        &mut self,
        rounds: &mut R,
        actions: &[[u8; 8]],
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        // Which rounds are over cannot be foreseen, so that nothing branches on it: they are played on with the others, and begin
        // anew afterwards.
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
                Some(outcome) => Facts::of(outcome),
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

    /// A round that stands at a position, whatever came before.
    fn round_at(&self, position: Position) -> Round {
        Round::from_position(Arc::clone(&self.rulebook), position)
    }
}
