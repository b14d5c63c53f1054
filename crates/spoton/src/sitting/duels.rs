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
//! while duels.brought().terminated != [1, 1, 1] {
//!     duels.step([1, 1, 1].into_iter(), ahead)?; // everybody doubles
//! }
//! assert_eq!(duels.brought().rewards, [-1, -1, -1]);
//! duels.step([0, 0, 0].into_iter(), ahead)?; // begins anew
//! let mut observations = [[0; 8]; 6];
//! duels.observe(&mut observations);
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
    stages: Vec<(QuickDice, Stage)>,
    brought: Brought,
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
enum Rounds {
    Lookup(Lookup),
    ByEngine(ByEngine),
}

/// Rounds under way, however they are kept.
trait Keeps {
    /// Begins a round, and plays until the agent is on turn: how it ended, if it did.
    fn begin(
        &mut self,
        place: usize,
        first: Player,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Option<Outcome>, Cannot>;

    /// Makes the agent's move, and plays until it is on turn again.
    fn play(
        &mut self,
        place: usize,
        action: i64,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Played, Cannot>;

    /// What the agent sees of a round.
    fn observe(&self, place: usize, pairing: &Pairing, into: &mut [[u8; 8]]);

    /// Which actions are legal in it.
    fn mask(&self, place: usize, pairing: &Pairing, into: &mut [u8]);

    fn position(&self, place: usize) -> Position;
}

/// What came of an action.
enum Played {
    Illegal,
    /// The round went on, or ended so.
    Legal(Option<Outcome>),
}

/// Where one round is played after the other: the seed, and which of its rounds this is. It is kept apart from what every step
/// looks at.
#[derive(Clone, Copy, Default)]
struct Chair {
    seed: u64,
    round: u64,
}

#[derive(Clone, Copy)]
enum Stage {
    UnderWay,
    /// It was over before the agent had a turn: the first step tells.
    OverAtOnce(Outcome),
    Over,
}

/// What the last step, or beginning, brought to all rounds: an array for each kind of fact.
pub struct Brought {
    /// 1 where the step won the agent a round, -1 where it lost one, else 0.
    pub rewards: Vec<i8>,
    /// 1 where the step ended the round by the rules, or by an illegal action.
    pub terminated: Vec<u8>,
    /// 1 where the round went on for too long, and was stopped.
    pub truncated: Vec<u8>,
    /// How the round ended: one more than the place in [`Ending::ALL`], and 0 if it has not.
    pub endings: Vec<u8>,
    /// The rounds that an illegal action has lost, each with that action.
    pub illegal: Vec<(usize, i64)>,
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
            chairs: vec![Chair::default(); rounds],
            stages: vec![(QuickDice::new(0, 0), Stage::Over); rounds],
            brought: Brought::nothing(rounds),
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
        self.brought.clear();
        for (place, seed) in seeds.iter().enumerate().filter(|(place, _)| all || which(*place)) {
            let chair = &mut self.chairs[place];
            if let Some(seed) = *seed {
                (chair.seed, chair.round) = (seed, 0);
            }
            let (pairing, brought, seat) = (&self.pairing, &mut self.brought, seat.unwrap_or(self.seat));
            self.stages[place] = match &mut self.rounds {
                Rounds::Lookup(rounds) => begin(rounds, chair, place, seat, pairing, brought, ahead)?,
                Rounds::ByEngine(rounds) => begin(rounds, chair, place, seat, pairing, brought, ahead)?,
            };
        }
        self.is_ready = true;
        Ok(())
    }

    /// Makes an action in each round, and lets the opponent answer; where the round is over, begins the next. An illegal action
    /// loses the round.
    ///
    /// # Errors
    ///
    /// As for [`Duels::reset`]; also if the rounds have not begun.
    ///
    /// # Panics
    ///
    /// If there is not an action for each round.
    pub fn step(
        &mut self,
        actions: impl ExactSizeIterator<Item = i64>,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        assert_eq!(actions.len(), self.len(), "there is an action for each round");
        if !std::mem::take(&mut self.is_ready) {
            return Err(Cannot::NotBegun);
        }
        if let Rounds::Lookup(rounds) = &mut self.rounds {
            rounds.keep_small(&self.pairing);
        }
        self.brought.clear();
        let Duels { pairing, seat, rounds, chairs, stages, brought, .. } = self;
        let table = (chairs.as_mut_slice(), stages.as_mut_slice());
        match rounds {
            Rounds::Lookup(rounds) => step(rounds, table, actions, *seat, pairing, brought, ahead)?,
            Rounds::ByEngine(rounds) => step(rounds, table, actions, *seat, pairing, brought, ahead)?,
        }
        self.is_ready = true;
        Ok(())
    }

    /// What the last step, or beginning, brought.
    pub fn brought(&self) -> &Brought {
        &self.brought
    }

    /// What the agent sees of each round: as many numbers as an [observation](crate::engine::observation) has, in the bytes of
    /// this machine, so that they can be handed on.
    ///
    /// # Panics
    ///
    /// If there is not a place for each of them.
    pub fn observe(&self, into: &mut [[u8; 8]]) {
        let each = into.chunks_exact_mut(self.pairing.features).enumerate();
        match &self.rounds {
            Rounds::Lookup(rounds) => {
                each.for_each(|(place, into)| rounds.observe(place, &self.pairing, into))
            }
            Rounds::ByEngine(rounds) => {
                each.for_each(|(place, into)| rounds.observe(place, &self.pairing, into))
            }
        }
    }

    /// Which actions are legal in each round: a byte for each of the alphabet, 1 or 0.
    ///
    /// # Panics
    ///
    /// If there is not a place for each of them.
    pub fn masks(&self, into: &mut [u8]) {
        let each = into.chunks_exact_mut(self.pairing.alphabet.choices().len().max(1)).enumerate();
        match &self.rounds {
            Rounds::Lookup(rounds) => each.for_each(|(place, into)| rounds.mask(place, &self.pairing, into)),
            Rounds::ByEngine(rounds) => {
                each.for_each(|(place, into)| rounds.mask(place, &self.pairing, into))
            }
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

fn begin<R: Keeps>(
    rounds: &mut R,
    chair: &mut Chair,
    place: usize,
    seat: Seat,
    pairing: &Pairing,
    brought: &mut Brought,
    ahead: &mut Lookahead<'_>,
) -> Result<(QuickDice, Stage), Cannot> {
    chair.round += 1;
    let dice = QuickDice::new(chair.seed, chair.round);
    let outcome = rounds.begin(place, seat.first(dice), dice, pairing, ahead)?;
    if let Some(outcome) = outcome {
        brought.endings[place] = code(outcome.ending);
    }
    Ok((dice, outcome.map_or(Stage::UnderWay, Stage::OverAtOnce)))
}

fn step<R: Keeps>(
    rounds: &mut R,
    (chairs, stages): (&mut [Chair], &mut [(QuickDice, Stage)]),
    actions: impl Iterator<Item = i64>,
    seat: Seat,
    pairing: &Pairing,
    brought: &mut Brought,
    ahead: &mut Lookahead<'_>,
) -> Result<(), Cannot> {
    for (place, (action, at)) in actions.zip(stages).enumerate() {
        let (dice, stage) = *at;
        let played = match stage {
            Stage::UnderWay => rounds.play(place, action, dice, pairing, ahead)?,
            Stage::OverAtOnce(outcome) => Played::Legal(Some(outcome)),
            Stage::Over => {
                *at = begin(rounds, &mut chairs[place], place, seat, pairing, brought, ahead)?;
                continue;
            }
        };
        match played {
            Played::Legal(None) => continue,
            Played::Legal(Some(outcome)) => brought.end(place, outcome),
            Played::Illegal => brought.lose(place, action),
        }
        at.1 = Stage::Over;
    }
    Ok(())
}

/// An ending as a byte that is not 0.
fn code(ending: Ending) -> u8 {
    ending as u8 + 1
}

impl Brought {
    fn nothing(rounds: usize) -> Brought {
        Brought {
            rewards: vec![0; rounds],
            terminated: vec![0; rounds],
            truncated: vec![0; rounds],
            endings: vec![0; rounds],
            illegal: Vec::new(),
        }
    }

    /// Forgets what the step before brought.
    fn clear(&mut self) {
        self.rewards.fill(0);
        self.terminated.fill(0);
        self.truncated.fill(0);
        self.endings.fill(0);
        self.illegal.clear();
    }

    fn end(&mut self, place: usize, outcome: Outcome) {
        self.rewards[place] = match outcome.winner {
            None => 0,
            Some(AGENT) => 1,
            Some(_) => -1,
        };
        // A round that went on for too long has not come to its end.
        let over = if outcome.ending == Ending::Stopped { &mut self.truncated } else { &mut self.terminated };
        over[place] = 1;
        self.endings[place] = code(outcome.ending);
    }

    fn lose(&mut self, place: usize, action: i64) {
        self.rewards[place] = -1;
        self.terminated[place] = 1;
        self.illegal.push((place, action));
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
