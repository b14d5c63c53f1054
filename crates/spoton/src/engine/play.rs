//! The whole engine: the opening, what is legal, what a move leads to, and how a round ends.
//!
//! [`Rulebook::result`] is the one legality check. Listing moves, making them and explaining a refusal
//! all go through it, save where the rule book has told beforehand that it would refuse nothing (`quiet`). It is made of
//! parts, so that whoever needs only one of them can ask for that one; `Rulebook::landing` is the one place that says
//! how a move ends a round.
//!
//! ```
//! use spoton::engine::play::{Ending, Move, Refusal, Step};
//! use spoton::engine::position::Player;
//! use spoton::format::Draft;
//!
//! let text = "title = 'Five'\nstart = 3\ntarget = 5\nmoves = ['+1', '+2', '+3']\npast = 'forbidden'";
//! let five = Draft::read("five.toml", text).build()?;
//! let opening = five.opening(Player::One);
//! let [one, two, three] = ["+1", "+2", "+3"].map(|written| five.choice(written.parse().unwrap()).unwrap());
//!
//! assert!(matches!(five.play(&opening, Move::Operation(one)), Ok(Step::On(next)) if next.number() == 4));
//! let Ok(Step::Over { outcome, .. }) = five.play(&opening, Move::Operation(two)) else { panic!("it lands on 5") };
//! assert_eq!((outcome.winner, outcome.ending), (Some(Player::One), Ending::Reached));
//! assert_eq!(five.result(&opening, three), Err(Refusal::PastTarget { number: 6, target: 5 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::position::{ByPlayer, Choice, Choices, EntryIndex, MOST_MOVES, Player, Position};
use crate::format::{Direction, NoRepeat, Numbers, Past, Pool, Reach, Rulebook, Stuck};

/// A turn taken: an operation made, or the turn going over because there was none to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// This operation of the rule book.
    Operation(Choice),
    /// A player without a legal operation lets the turn go over. Nobody chooses this: it happens.
    Skip,
}

impl Move {
    /// The operation that was chosen; `None` for a turn that went over.
    pub fn choice(self) -> Option<Choice> {
        match self {
            Move::Operation(choice) => Some(choice),
            Move::Skip => None,
        }
    }
}

/// What the player on turn faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// One of these operations is to be chosen; there is at least one.
    Choose(Choices),
    /// There is none to choose, and the turn goes over.
    Skip,
    /// There is none to choose, and that ends the round.
    Over(Outcome),
}

impl Situation {
    /// The moves that can be made: those to choose from, or the skipped turn; none if the round is over.
    #[inline]
    pub fn moves(self) -> impl Iterator<Item = Move> {
        let (choices, skip) = match self {
            Situation::Choose(choices) => (choices, None),
            Situation::Skip => (Choices::default(), Some(Move::Skip)),
            Situation::Over(_) => (Choices::default(), None),
        };
        choices.into_iter().map(Move::Operation).chain(skip)
    }
}

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The other player's turn. They may be stuck: [`Rulebook::situation`] tells.
    On(Position),
    /// The number that was landed on ended the round. It may be too large for a position.
    Over {
        /// The number landed on, in full.
        number: i128,
        /// How the round ended.
        outcome: Outcome,
    },
}

/// Who won, if anybody, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` if the round is drawn.
    pub winner: Option<Player>,
    /// What brought the round to its end.
    pub ending: Ending,
}

/// What can bring a round to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// Somebody landed on the target.
    Reached,
    /// Somebody went past the target.
    Overshot,
    /// Somebody had no legal operation.
    Stuck,
    /// Somebody landed on a number of the `winning` or `losing` list.
    Landed,
    /// The same position came up as often as the house rule allows.
    Repetition,
    /// Somebody gave the round up.
    Resigned,
    /// Two computers went on for too long.
    Stopped,
}

impl Ending {
    const ALL: [Ending; 7] = [
        Ending::Reached,
        Ending::Overshot,
        Ending::Stuck,
        Ending::Landed,
        Ending::Repetition,
        Ending::Resigned,
        Ending::Stopped,
    ];

    /// The word that records and JSON use.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Reached => "reached",
            Ending::Overshot => "overshot",
            Ending::Stuck => "stuck",
            Ending::Landed => "landed",
            Ending::Repetition => "repetition",
            Ending::Resigned => "resigned",
            Ending::Stopped => "stopped",
        }
    }

    /// The ending with that word.
    pub fn from_word(word: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.word() == word)
    }
}

/// Why a move may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It is none of this rule book's moves; a choice of another rule book can be that.
    #[error("it is not one of the moves of this game")]
    NotOffered,
    /// Its uses are spent.
    #[error("its uses are spent")]
    UsedUp {
        /// How often it may be used.
        limit: u8,
        /// By whom.
        pool: Pool,
    },
    /// The player chose it on their own last turn.
    #[error("the player has chosen it on their own last turn")]
    RepeatsOwn,
    /// The opponent chose it last.
    #[error("the other player has just chosen it")]
    RepeatsOpponent,
    /// The division leaves a remainder.
    #[error("the division leaves a remainder")]
    Remainder,
    /// It lands on a forbidden number.
    #[error("it lands on {number}, which is forbidden")]
    Forbidden {
        /// That number.
        number: i128,
    },
    /// It goes past the target, which is not allowed.
    #[error("it goes past {target}, to {number}")]
    PastTarget {
        /// The number it would give.
        number: i128,
        /// The target.
        target: i64,
    },
    /// It leaves the range.
    #[error("it leaves the range, to {number}")]
    OutOfRange {
        /// The number it would give.
        number: i128,
    },
    /// It leaves the number as it is, and the player has no passes left.
    #[error("it leaves the number as it is, and no passes are left")]
    NoPassLeft {
        /// How many passes each player has.
        limit: u8,
    },
    /// A turn only goes over where no operation is legal.
    #[error("a turn only goes over where no operation is legal")]
    NotStuck,
}

impl Rulebook {
    /// The position in which a round begins.
    #[inline]
    pub fn opening(&self, first: Player) -> Position {
        let (starter, other) = self.start();
        let mut numbers = ByPlayer([starter, starter]);
        numbers[!first] = other;
        Position {
            numbers,
            uses: ByPlayer::default(),
            last: ByPlayer::default(),
            passes: ByPlayer::default(),
            turn: first,
        }
    }

    /// The number that a choice gives, or the reason why it may not be chosen.
    ///
    /// # Errors
    ///
    /// The first rule that refuses it; [`Refusal::NotOffered`] if the choice is none of this rule book's.
    pub fn result(&self, position: &Position, choice: Choice) -> Result<i128, Refusal> {
        let entry = self.entry_of(position, choice).ok_or(Refusal::NotOffered)?;
        let operation = self.operation(choice).ok_or(Refusal::NotOffered)?;
        self.has_uses_left(position, entry)?;
        self.may_follow(position, choice)?;
        let number = operation.apply(position.number()).ok_or(Refusal::Remainder)?;
        self.admits(number)?;
        self.has_pass_left(position, number)?;
        Ok(number)
    }

    /// Whether the player on turn may use an entry of `moves` once more.
    #[inline]
    fn has_uses_left(&self, position: &Position, entry: EntryIndex) -> Result<(), Refusal> {
        match self.moves()[entry.place()].uses {
            Some(uses) if position.uses_of(position.turn, entry) >= uses.limit => {
                Err(Refusal::UsedUp { limit: uses.limit, pool: uses.pool })
            }
            _ => Ok(()),
        }
    }

    /// Whether a choice may be made after those that were made last.
    #[inline]
    fn may_follow(&self, position: &Position, choice: Choice) -> Result<(), Refusal> {
        let (turn, no_repeat) = (position.turn, self.no_repeat());
        if no_repeat.looks_at_own() && position.last[turn] == Some(choice) {
            return Err(Refusal::RepeatsOwn);
        }
        if no_repeat.looks_at_opponent() && position.last[!turn] == Some(choice) {
            return Err(Refusal::RepeatsOpponent);
        }
        Ok(())
    }

    /// Whether a move may land on a number, as far as the number alone decides that.
    #[inline]
    pub(crate) fn admits(&self, number: i128) -> Result<(), Refusal> {
        if lists(self.forbidden(), number) {
            return Err(Refusal::Forbidden { number });
        }
        self.is_within_bounds(number)
    }

    /// Whether a number lies where a move may lead, but for the numbers that are forbidden one by one: inside the
    /// range or, where that is allowed, past the target.
    #[inline]
    pub(crate) fn is_within_bounds(&self, number: i128) -> Result<(), Refusal> {
        match self.target() {
            Some(target) if self.passes_target(number) => match self.past() {
                Past::Forbidden => Err(Refusal::PastTarget { number, target }),
                Past::Loses | Past::Wins => Ok(()),
            },
            _ => {
                let (low, high) = self.range();
                let inside = number >= i128::from(low) && number <= i128::from(high);
                if inside { Ok(()) } else { Err(Refusal::OutOfRange { number }) }
            }
        }
    }

    /// Whether the player on turn may go to a number if that is the one they are at.
    #[inline]
    fn has_pass_left(&self, position: &Position, number: i128) -> Result<(), Refusal> {
        match self.passes() {
            Some(limit)
                if number == i128::from(position.number()) && position.passes[position.turn] >= limit =>
            {
                Err(Refusal::NoPassLeft { limit })
            }
            _ => Ok(()),
        }
    }

    /// The choices that are legal for the player on turn; none if they are stuck.
    #[inline]
    pub fn legal(&self, position: &Position) -> Choices {
        self.quiet.choices(position.number()).unwrap_or_else(|| self.each_that_is_legal(position))
    }

    fn each_that_is_legal(&self, position: &Position) -> Choices {
        self.offered(position).only(|choice| self.result(position, choice).is_ok())
    }

    /// Whether a player without a legal operation may have to let the turn go over, in some position.
    #[inline]
    pub(crate) fn may_skip(&self) -> bool {
        self.stuck() == Stuck::Skips
    }

    /// What the player on turn faces: a choice, a turn that goes over, or the end of the round.
    #[inline]
    pub fn situation(&self, position: &Position) -> Situation {
        let legal = self.legal(position);
        if !legal.is_empty() {
            return Situation::Choose(legal);
        }
        let turn = position.turn;
        let winner = match self.stuck() {
            Stuck::Loses => Some(!turn),
            Stuck::Wins => Some(turn),
            Stuck::Draws => None,
            Stuck::Skips => {
                if !self.legal(&with_turn_over(position)).is_empty() {
                    return Situation::Skip;
                }
                None
            }
        };
        Situation::Over(Outcome { winner, ending: Ending::Stuck })
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// The reason why the move is not legal here. A choice or a position of another rule book is no exception: it is
    /// judged by this one's rules.
    #[inline]
    pub fn play(&self, position: &Position, a_move: Move) -> Result<Step, Refusal> {
        let Move::Operation(choice) = a_move else {
            return match self.situation(position) {
                Situation::Skip => Ok(Step::On(with_turn_over(position))),
                _ => Err(Refusal::NotStuck),
            };
        };
        if let Some(number) = self.quiet.result(position.number(), choice) {
            return Ok(Step::On(self.after(position, number)));
        }
        self.choose(position, choice)
    }

    /// Makes a choice by every rule there is.
    #[inline]
    fn choose(&self, position: &Position, choice: Choice) -> Result<Step, Refusal> {
        let entry = self.entry_of(position, choice).ok_or(Refusal::NotOffered)?;
        let number = self.result(position, choice)?;
        if let Some(outcome) = self.landing(position, number) {
            return Ok(Step::Over { number, outcome });
        }
        // A number that goes on lies inside the range, and so fits.
        let number = number as i64;
        let is_pass = number == position.number();
        let next = self.after(position, number);
        Ok(Step::On(Position {
            uses: self.spent(position, entry),
            passes: self.passed(position, is_pass),
            last: self.remembered(position.last, position.turn, choice),
            ..next
        }))
    }

    /// How a move ends the round at once, by what it lands on or because the other player is stuck; `None` if the round
    /// goes on, or the move is not legal.
    pub fn ends_at_once(&self, position: &Position, a_move: Move) -> Option<Outcome> {
        match self.play(position, a_move) {
            Ok(Step::Over { outcome, .. }) => Some(outcome),
            Ok(Step::On(next)) => match self.situation(&next) {
                Situation::Over(outcome) => Some(outcome),
                _ => None,
            },
            Err(_) => None,
        }
    }

    /// The lowest and the highest number at which somebody can be on turn: within the range, and before the target.
    pub(crate) fn numbers_on_turn(&self) -> (i64, i64) {
        let (low, high) = self.range();
        match (self.target(), self.direction()) {
            (Some(target), Some(Direction::Countdown)) => (target + 1, high),
            (Some(target), _) => (low, target - 1),
            (None, _) => (low, high),
        }
    }

    /// How the round ends when the player on turn moves to a number; `None` if it goes on.
    pub(crate) fn landing(&self, before: &Position, number: i128) -> Option<Outcome> {
        let mover = before.turn;
        let (wins, ending) = if self.target().map(i128::from) == Some(number) {
            (self.reach() == Reach::Wins, Ending::Reached)
        } else if self.passes_target(number) {
            (self.past() == Past::Wins, Ending::Overshot)
        } else if lists(self.winning(), number) {
            (true, Ending::Landed)
        } else if lists(self.losing(), number) {
            (false, Ending::Landed)
        } else {
            return None;
        };
        Some(Outcome { winner: Some(if wins { mover } else { !mover }), ending })
    }

    /// Whether a move may land on a number and the round goes on there, as far as the number alone decides that.
    pub(crate) fn goes_on_at(&self, before: &Position, number: i128) -> bool {
        self.admits(number).is_ok() && self.landing(before, number).is_none()
    }

    /// The position after a move to a number that does not end the round, if nothing is to be remembered of it.
    #[inline]
    fn after(&self, position: &Position, number: i64) -> Position {
        let mut next = *position;
        match self.numbers() {
            Numbers::Shared => next.numbers = ByPlayer([number; 2]),
            Numbers::Separate => next.numbers[position.turn] = number,
        }
        next.turn = !position.turn;
        next
    }

    /// The uses that are spent once the player on turn has used an entry of `moves`; only limited ones are counted.
    #[inline]
    fn spent(&self, position: &Position, entry: EntryIndex) -> ByPlayer<[u8; MOST_MOVES]> {
        let mut spent = position.uses;
        if let Some(uses) = self.moves()[entry.place()].uses {
            // A position of another rule book may hold anything.
            let spend = |spent: &mut u8| *spent = spent.saturating_add(1);
            spend(&mut spent[position.turn][entry.place()]);
            if uses.pool == Pool::Shared {
                spend(&mut spent[!position.turn][entry.place()]);
            }
        }
        spent
    }

    /// The passes that are made once the player on turn has moved; only limited ones are counted.
    #[inline]
    fn passed(&self, position: &Position, is_pass: bool) -> ByPlayer<u8> {
        let mut made = position.passes;
        if self.passes().is_some() && is_pass {
            made[position.turn] = made[position.turn].saturating_add(1);
        }
        made
    }

    /// Whether a player's last choice is remembered while `turn` is on turn.
    pub(crate) fn remembers(&self, player: Player, turn: Player) -> bool {
        match self.no_repeat() {
            NoRepeat::None => false,
            NoRepeat::Own | NoRepeat::Both => true,
            // One's own is looked at again only after a skip.
            NoRepeat::Opponent => player != turn || self.may_skip(),
        }
    }

    /// What is remembered of the last choices once a player has made one more.
    #[inline]
    pub(crate) fn remembered(
        &self,
        mut last: ByPlayer<Option<Choice>>,
        mover: Player,
        choice: Choice,
    ) -> ByPlayer<Option<Choice>> {
        match self.no_repeat() {
            NoRepeat::None => {}
            NoRepeat::Own | NoRepeat::Both => last[mover] = Some(choice),
            NoRepeat::Opponent => {
                last[mover] = Some(choice);
                // What the player now on turn chose last is looked at again only after a skip.
                if !self.may_skip() {
                    last[!mover] = None;
                }
            }
        }
        last
    }
}

/// A skipped turn changes whose turn it is and nothing else.
fn with_turn_over(position: &Position) -> Position {
    Position { turn: !position.turn, ..*position }
}

#[inline]
fn lists(sorted: &[i64], number: i128) -> bool {
    !sorted.is_empty() && i64::try_from(number).is_ok_and(|n| sorted.binary_search(&n).is_ok())
}
