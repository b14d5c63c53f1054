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

use crate::engine::choices::{Choices, Menu, MenuIter};
use crate::engine::operation::Operation;
use crate::engine::position::{ByPlayer, Choice, Clock, EntryIndex, MOST_MOVES, Player, Position};
use crate::format::{Direction, NoRepeat, Numbers, Op, Past, Pool, Reach, Rulebook, Stuck};

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
pub enum Situation<'a> {
    /// One of these operations is to be chosen; there is at least one.
    Choose(Choices<'a>),
    /// There is none to choose, and the turn goes over.
    Skip,
    /// There is none to choose, and that ends the round.
    Over(Outcome),
}

impl<'a> Situation<'a> {
    /// The moves that can be made: those to choose from, or the skipped turn; none if the round is over.
    #[inline]
    pub fn moves(self) -> impl Iterator<Item = Move> + use<'a> {
        let (choices, skip) = match self {
            Situation::Choose(choices) => (choices, None),
            Situation::Skip => (Choices::first(0), Some(Move::Skip)),
            Situation::Over(_) => (Choices::first(0), None),
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
    /// A number landed on the target.
    Reached,
    /// A number went past the target.
    Overshot,
    /// Somebody had no legal operation.
    Stuck,
    /// A number landed on one of the `winning` or `losing` list.
    Landed,
    /// Neither player had a legal operation, and the number closer to the target decided.
    Closest,
    /// All turns were taken, and the number closer to the target decided.
    Turns,
    /// The same position came up as often as the house rule allows.
    Repetition,
    /// Somebody gave the round up.
    Resigned,
    /// Two computers went on for too long.
    Stopped,
    /// An outside program gave no answer that counts.
    Forfeited,
    /// The player on turn did not come back to it.
    Abandoned,
}

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 11] = [
        Ending::Reached,
        Ending::Overshot,
        Ending::Stuck,
        Ending::Landed,
        Ending::Closest,
        Ending::Turns,
        Ending::Repetition,
        Ending::Resigned,
        Ending::Stopped,
        Ending::Forfeited,
        Ending::Abandoned,
    ];

    /// The word that records and JSON use.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Reached => "reached",
            Ending::Overshot => "overshot",
            Ending::Stuck => "stuck",
            Ending::Landed => "landed",
            Ending::Closest => "closest",
            Ending::Turns => "turns",
            Ending::Repetition => "repetition",
            Ending::Resigned => "resigned",
            Ending::Stopped => "stopped",
            Ending::Forfeited => "forfeited",
            Ending::Abandoned => "abandoned",
        }
    }

    /// Whether the round was broken off, so that it has no result: nobody won it, and it is no draw.
    pub fn is_without_result(self) -> bool {
        matches!(self, Ending::Forfeited | Ending::Abandoned)
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
        /// The entry, whose uses are counted whatever the amount.
        entry: EntryIndex,
        /// How often it may be used.
        limit: u8,
        /// By whom.
        pool: Pool,
    },
    /// The player chose it on their own last turn.
    #[error("the player has chosen it on their own last turn")]
    RepeatsOwn,
    /// The opponent chose it last.
    #[error("it was the other player's last move")]
    RepeatsOpponent,
    /// It may not be used at this number: the `when` of its entry is not met.
    #[error("it may not be used at this number")]
    NotHere {
        /// The entry.
        entry: EntryIndex,
        /// The number that it would change.
        number: i64,
    },
    /// The number has no such divisor, prime factor or digit, or half of it is less.
    #[error("{number} does not have that amount")]
    NoAmount {
        /// The entry, whose amounts are computed.
        entry: EntryIndex,
        /// The number that it would change.
        number: i64,
        /// The amount that was asked for; `None` if there is no amount at all.
        amount: Option<i64>,
    },
    /// Several entries could give it, and none of them does now.
    #[error("no entry gives it now")]
    NoEntry {
        /// The move.
        choice: Choice,
        /// The number that it would change.
        number: i64,
        /// The entries that give it at this number but have no uses left, as bits by their places.
        used_up: u16,
    },
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
    #[error("a turn is only skipped where no move is legal")]
    NotStuck,
}

/// What comes of a choice: a [`Step`] or a refusal.
///
/// This is a type of its own so that [`Rulebook::play`] takes it apart and puts its answer together itself. If it handed
/// on an answer that a call has put into memory, the position of the quick way would have to go through memory as well.
enum Chosen {
    On(Position),
    Over { number: i128, outcome: Outcome },
    Refused(Refusal),
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
            // Written out, since the defaults of arrays are calls.
            uses: ByPlayer([[0; MOST_MOVES]; 2]),
            last: ByPlayer([None; 2]),
            passes: ByPlayer([0; 2]),
            clock: Clock::new(first, 0),
        }
    }

    /// The number that a choice gives, or the reason why it may not be chosen.
    ///
    /// # Errors
    ///
    /// The first rule that refuses it; [`Refusal::NotOffered`] if the choice is none of this rule book's. If several
    /// entries of `moves` could give it and each has a reason of its own, [`Refusal::NoEntry`].
    pub fn result(&self, position: &Position, choice: Choice) -> Result<i128, Refusal> {
        self.judged(position, choice).ok_or(Refusal::NotOffered)?.1
    }

    /// The entry that gives a choice here, with the number that it gives or the reason against it; `None` if the choice
    /// is none of this rule book's.
    pub(crate) fn judged(
        &self,
        position: &Position,
        choice: Choice,
    ) -> Option<(EntryIndex, Result<i128, Refusal>)> {
        if self.fixed.one_each() {
            let entry = self.entry_of(position, choice)?;
            let operation = self.operation(choice)?;
            return Some((entry, self.through(position, choice, entry, operation)));
        }
        let written = self.written(choice)?;
        let (mut first, mut first_used_up, mut common) = (None, None, None);
        let (mut entries, mut used_up) = (0, 0);
        for entry in self.entries_with(written) {
            entries += 1;
            let result = self.through(position, choice, entry, written.operation);
            let this = Some((entry, result));
            match result {
                Ok(_) => return this,
                Err(Refusal::NotHere { .. } | Refusal::NoAmount { .. }) => first = first.or(this),
                Err(Refusal::UsedUp { .. }) => {
                    used_up |= 1 << entry.place();
                    first_used_up = first_used_up.or(this);
                }
                // All other rules look at the move, whichever entry gives it.
                Err(_) => common = common.or(this),
            }
        }
        if common.is_some() || entries == 1 {
            return common.or(first_used_up).or(first);
        }
        let (entry, _) = first_used_up.or(first)?;
        let number = position.number_of(written.on.of(position.turn()));
        Some((entry, Err(Refusal::NoEntry { choice, number, used_up })))
    }

    /// What a choice gives through one entry of `moves` that has it.
    #[inline(always)] // A call would make its answer be copied, which takes longer than the rest.
    fn through(
        &self,
        position: &Position,
        choice: Choice,
        entry: EntryIndex,
        operation: Operation,
    ) -> Result<i128, Refusal> {
        let before = position.number_of(self.moves()[entry.place()].owner(position.turn()));
        self.may_be_used_at(entry, before, operation)?;
        self.has_uses_left(position, entry)?;
        self.may_follow(position, choice)?;
        let number = operation.apply(before).ok_or(Refusal::Remainder)?;
        self.admits(number)?;
        self.has_pass_left(position, before, number)?;
        Ok(number)
    }

    /// Every rule that bars a move through an entry that offers it here, not only the first of them.
    pub(crate) fn barred_by(
        &self,
        position: &Position,
        choice: Choice,
        entry: EntryIndex,
        operation: Operation,
    ) -> impl Iterator<Item = Refusal> {
        let before = position.number_of(self.moves()[entry.place()].owner(position.turn()));
        let of_number = operation.apply(before).map(|number| {
            let forbidden =
                if self.is_forbidden(number) { Err(Refusal::Forbidden { number }) } else { Ok(()) };
            [forbidden, self.is_within_bounds(number), self.has_pass_left(position, before, number)]
        });
        [self.has_uses_left(position, entry), self.may_follow(position, choice)]
            .into_iter()
            .chain(of_number.into_iter().flatten())
            .filter_map(Result::err)
    }

    /// Whether an entry of `moves` gives an operation at a number.
    #[inline]
    fn may_be_used_at(&self, entry: EntryIndex, number: i64, operation: Operation) -> Result<(), Refusal> {
        let rule = &self.moves()[entry.place()];
        if !rule.may_be_used_at(number) {
            return Err(Refusal::NotHere { entry, number });
        }
        match rule.op {
            Op::Computed(computed) if !computed.offers(number, operation.amount()) => {
                Err(Refusal::NoAmount { entry, number, amount: Some(operation.amount()) })
            }
            _ => Ok(()),
        }
    }

    /// Whether the player on turn may use an entry of `moves` once more.
    #[inline]
    fn has_uses_left(&self, position: &Position, entry: EntryIndex) -> Result<(), Refusal> {
        match self.moves()[entry.place()].uses {
            Some(uses) if position.uses_of(position.turn(), entry) >= uses.limit => {
                Err(Refusal::UsedUp { entry, limit: uses.limit, pool: uses.pool })
            }
            _ => Ok(()),
        }
    }

    /// Whether a choice may be made after those that were made last.
    #[inline]
    fn may_follow(&self, position: &Position, choice: Choice) -> Result<(), Refusal> {
        let (turn, no_repeat) = (position.turn(), self.no_repeat());
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
        if self.forbidden().lists(number) {
            return Err(Refusal::Forbidden { number });
        }
        self.is_within_bounds(number)?;
        if self.forbidden().describes(number) && self.is_described(number) {
            return Err(Refusal::Forbidden { number });
        }
        Ok(())
    }

    /// Whether `forbidden` has a number, wherever it lies.
    fn is_forbidden(&self, number: i128) -> bool {
        self.forbidden().lists(number) || self.forbidden().describes(number) && self.is_described(number)
    }

    /// Whether spans and kinds decide what a number means: it is not the target nor past it, and no list has the number
    /// itself.
    fn is_described(&self, number: i128) -> bool {
        self.target().map(i128::from) != Some(number)
            && !self.passes_target(number)
            && !self.winning().lists(number)
            && !self.losing().lists(number)
    }

    /// The list whose spans and kinds decide what a number means, if any does.
    pub(crate) fn described_by(&self, number: i128) -> Option<&'static str> {
        let lists = [("forbidden", self.forbidden()), ("winning", self.winning()), ("losing", self.losing())];
        let decides = self.is_described(number) && !self.forbidden().lists(number);
        let mut lists = lists.into_iter().filter(|(_, list)| decides && list.describes(number));
        lists.next().map(|(key, _)| key)
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

    /// Whether the player on turn may leave a number as it was.
    #[inline]
    fn has_pass_left(&self, position: &Position, before: i64, number: i128) -> Result<(), Refusal> {
        match self.passes() {
            Some(limit) if number == i128::from(before) && position.passes[position.turn()] >= limit => {
                Err(Refusal::NoPassLeft { limit })
            }
            _ => Ok(()),
        }
    }

    /// The choices that are legal for the player on turn; none if they are stuck.
    #[inline]
    pub fn legal<'a>(&'a self, position: &Position) -> Choices<'a> {
        // What takes long is called. It gets a copy of the position and gives no more than a number: so the quick way
        // stays in registers.
        match self.quiet.choices(position.number()) {
            Some(choices) => choices,
            None => Choices::from_bits(self.legal_bits(*position), self.menu_at(position)),
        }
    }

    #[inline(never)]
    fn legal_bits(&self, position: Position) -> u64 {
        self.offered(&position).only(|choice| self.result(&position, choice).is_ok()).bits()
    }

    /// Whether a player without a legal operation may have to let the turn go over, in some position.
    #[inline]
    pub(crate) fn may_skip(&self) -> bool {
        matches!(self.stuck(), Stuck::Skips | Stuck::Closest)
    }

    /// What the player on turn faces: a choice, a turn that goes over, or the end of the round.
    #[inline]
    pub fn situation<'a>(&'a self, position: &Position) -> Situation<'a> {
        let legal = self.legal(position);
        if !legal.is_empty() {
            return Situation::Choose(legal);
        }
        self.stuck_at(*position).map_or(Situation::Skip, Situation::Over)
    }

    /// How the round ends if the player on turn has no legal operation; `None` if the turn goes over.
    fn stuck_at(&self, position: Position) -> Option<Outcome> {
        if self.may_skip() && !self.legal(&self.with_turn_over(&position)).is_empty() {
            return None;
        }
        let turn = position.turn();
        let (winner, ending) = match self.stuck() {
            Stuck::Loses => (Some(!turn), Ending::Stuck),
            Stuck::Wins => (Some(turn), Ending::Stuck),
            Stuck::Draws | Stuck::Skips => (None, Ending::Stuck),
            Stuck::Closest => (self.closest(position.numbers.map(i128::from)), Ending::Closest),
        };
        Some(Outcome { winner, ending })
    }

    /// Whose number is closer to the target; `None` if they are equally close.
    fn closest(&self, numbers: ByPlayer<i128>) -> Option<Player> {
        let target = self.target().map_or(0, i128::from);
        let ByPlayer([one, two]) = numbers.map(|number| number.abs_diff(target));
        match one.cmp(&two) {
            std::cmp::Ordering::Less => Some(Player::One),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Player::Two),
        }
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// The reason why the move is not legal here. A choice or a position of another rule book is no exception: it is
    /// judged by this one's rules.
    #[inline(always)] // Whoever calls it takes the answer apart; so it need not be put together at all.
    pub fn play(&self, position: &Position, a_move: Move) -> Result<Step, Refusal> {
        let Move::Operation(choice) = a_move else {
            return match self.situation(position) {
                Situation::Skip => Ok(self.skipped(position)),
                _ => Err(Refusal::NotStuck),
            };
        };
        if let Some(number) = self.quiet.result(position.number(), choice) {
            return Ok(Step::On(self.after(position, number)));
        }
        match self.choose(*position, choice) {
            Chosen::On(next) => Ok(Step::On(next)),
            Chosen::Over { number, outcome } => Ok(Step::Over { number, outcome }),
            Chosen::Refused(why) => Err(why),
        }
    }

    /// Makes a choice by every rule there is. It gets a copy, as the position itself shall stay in registers.
    #[inline(never)]
    fn choose(&self, position: Position, choice: Choice) -> Chosen {
        let (entry, number) = match self.judged(&position, choice) {
            Some((entry, Ok(number))) => (entry, number),
            Some((_, Err(why))) => return Chosen::Refused(why),
            None => return Chosen::Refused(Refusal::NotOffered),
        };
        let owner = self.moves()[entry.place()].owner(position.turn());
        if let Some(outcome) = self.landing(&position, owner, number) {
            return Chosen::Over { number, outcome };
        }
        // A number that goes on lies inside the range, and so fits.
        let number = number as i64;
        let is_pass = number == position.number_of(owner);
        Chosen::On(Position {
            numbers: self.numbers_after(&position, owner, number),
            uses: self.spent(&position, entry),
            passes: self.passed(&position, is_pass),
            last: self.remembered(position.last, position.turn(), choice),
            clock: self.clock_after(&position),
        })
    }

    /// What comes of a turn that goes over, which changes whose turn it is and nothing else. It may be the last.
    fn skipped(&self, position: &Position) -> Step {
        match self.last_turn(position, position.numbers.map(i128::from)) {
            Some(outcome) => Step::Over { number: position.number().into(), outcome },
            None => Step::On(self.with_turn_over(position)),
        }
    }

    pub(crate) fn with_turn_over(&self, position: &Position) -> Position {
        Position { clock: self.clock_after(position), ..*position }
    }

    /// How the round ends if the turn at this position was the last one, with the numbers as they are after it.
    fn last_turn(&self, before: &Position, after: ByPlayer<i128>) -> Option<Outcome> {
        let is_last = self.turns().is_some_and(|turns| before.plies() + 1 >= 2 * u16::from(turns));
        is_last.then(|| Outcome { winner: self.closest(after), ending: Ending::Turns })
    }

    /// How a move ends the round at once, by what it lands on or because the other player is stuck; `None` if the round
    /// goes on, or the move is not legal.
    pub fn ends_at_once(&self, position: &Position, a_move: Move) -> Option<Outcome> {
        match self.play(position, a_move) {
            Ok(Step::Over { outcome, .. }) => Some(outcome),
            Ok(Step::On(next)) => self.over_at(&next),
            Err(_) => None,
        }
    }

    /// How the round ends because the player on turn has no legal operation; `None` if it goes on. One legal operation
    /// is enough to tell, so this takes less than listing all of them.
    pub(crate) fn over_at(&self, position: &Position) -> Option<Outcome> {
        if self.has_a_legal_choice(position) {
            return None;
        }
        match self.situation(position) {
            Situation::Over(outcome) => Some(outcome),
            Situation::Choose(_) | Situation::Skip => None,
        }
    }

    fn has_a_legal_choice(&self, position: &Position) -> bool {
        let is_legal = |choice: Choice| self.result(position, choice).is_ok();
        if self.has_only_fixed_moves() {
            return !self.legal(position).is_empty();
        }
        // Counting computed moves takes as long as going through all of them.
        MenuIter::new(Menu::at(self, position)).any(is_legal)
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

    /// The lowest and the highest number of the range, the target among them, but nothing past it.
    pub(crate) fn numbers_before_target(&self) -> (i64, i64) {
        let (low, high) = self.range();
        match (self.target(), self.direction()) {
            (Some(target), Some(Direction::Countdown)) => (target, high),
            (Some(target), _) => (low, target),
            (None, _) => (low, high),
        }
    }

    /// How the round ends when the player on turn brings a number there, their own or the other's; `None` if it goes on.
    pub(crate) fn landing(&self, before: &Position, owner: Player, number: i128) -> Option<Outcome> {
        match self.landing_of_number(number) {
            Some((wins, ending)) => Some(Outcome { winner: Some(if wins { owner } else { !owner }), ending }),
            None if self.turns().is_none() => None,
            None => {
                let mut after = before.numbers.map(i128::from);
                after[owner] = number;
                self.last_turn(before, after)
            }
        }
    }

    /// Whether a number wins for its owner as soon as it is landed on, and what that is called; `None` if landing there
    /// ends nothing.
    pub(crate) fn landing_of_number(&self, number: i128) -> Option<(bool, Ending)> {
        if self.target().map(i128::from) == Some(number) {
            Some((self.reach() == Reach::Wins, Ending::Reached))
        } else if self.passes_target(number) {
            Some((self.past() == Past::Wins, Ending::Overshot))
        } else if self.winning().lists(number) {
            Some((true, Ending::Landed))
        } else if self.losing().lists(number) {
            Some((false, Ending::Landed))
        } else if self.forbidden().describes(number) {
            // Nobody can land there.
            None
        } else if self.winning().describes(number) {
            Some((true, Ending::Landed))
        } else if self.losing().describes(number) {
            Some((false, Ending::Landed))
        } else {
            None
        }
    }

    /// Whether a move may land on a number and the round goes on there, as far as the number alone decides that.
    pub(crate) fn goes_on_at(&self, number: i128) -> bool {
        self.admits(number).is_ok() && self.landing_of_number(number).is_none()
    }

    /// The position after a move that is certainly legal and ends nothing, in a game that remembers nothing.
    #[inline]
    fn after(&self, position: &Position, number: i64) -> Position {
        Position {
            numbers: self.numbers_after(position, position.turn(), number),
            clock: position.clock.over(),
            ..*position
        }
    }

    /// The numbers once a player's, or the shared one, has become another.
    #[inline]
    fn numbers_after(&self, position: &Position, owner: Player, number: i64) -> ByPlayer<i64> {
        // Writing to one of two places would need them in memory; choosing between values does not.
        let ByPlayer([one, two]) = position.numbers;
        let changes = |player| self.numbers() == Numbers::Shared || owner == player;
        ByPlayer([
            if changes(Player::One) { number } else { one },
            if changes(Player::Two) { number } else { two },
        ])
    }

    #[inline]
    fn clock_after(&self, position: &Position) -> Clock {
        match self.turns() {
            None => position.clock.over(),
            Some(_) => position.clock.counted(),
        }
    }

    /// The uses that are spent once the player on turn has used an entry of `moves`; only limited ones are counted.
    #[inline]
    fn spent(&self, position: &Position, entry: EntryIndex) -> ByPlayer<[u8; MOST_MOVES]> {
        let mut spent = position.uses;
        if let Some(uses) = self.moves()[entry.place()].uses {
            // A position of another rule book may hold anything.
            let spend = |spent: &mut u8| *spent = spent.saturating_add(1);
            spend(&mut spent[position.turn()][entry.place()]);
            if uses.pool == Pool::Shared {
                spend(&mut spent[!position.turn()][entry.place()]);
            }
        }
        spent
    }

    /// The passes that are made once the player on turn has moved; only limited ones are counted.
    #[inline]
    fn passed(&self, position: &Position, is_pass: bool) -> ByPlayer<u8> {
        let mut made = position.passes;
        if self.passes().is_some() && is_pass {
            let made = &mut made[position.turn()];
            *made = made.saturating_add(1);
        }
        made
    }

    /// A position after a move, all but its numbers; `None` if something else than the number bars the move. It counts
    /// against the first of its entries that has uses left. A choice that nobody looks at again need not be named.
    pub(crate) fn memory_after(
        &self,
        before: &Position,
        choice: Option<Choice>,
        mut entries: impl Iterator<Item = EntryIndex>,
        is_pass: bool,
    ) -> Option<Position> {
        let turn = before.turn();
        if let Some(choice) = choice {
            self.may_follow(before, choice).ok()?;
        }
        if is_pass {
            self.has_pass_left(before, before.number_of(turn), before.number_of(turn).into()).ok()?;
        }
        let entry = entries.find(|entry| self.has_uses_left(before, *entry).is_ok())?;
        Some(Position {
            numbers: before.numbers,
            uses: self.spent(before, entry),
            passes: self.passed(before, is_pass),
            last: choice.map_or(before.last, |choice| self.remembered(before.last, turn, choice)),
            clock: self.clock_after(before),
        })
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
