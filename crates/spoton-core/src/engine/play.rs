//! The engine: the opening, legality, results of moves, and endings.
//!
//! [`Rulebook::result`] is the one legality check. Listing moves, playing them and explaining refusals all
//! use it. The only exception is `quiet`, which knows in advance where nothing is refused. The check has
//! parts that can be queried separately. `Rulebook::landing` alone decides how a move ends a round.
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
use crate::engine::rulebook::{Direction, NoRepeat, Numbers, Op, Past, Pool, Reach, Rulebook, Stuck};

/// A turn: a move, or a skip because no move is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A move of the rule book.
    Operation(Choice),
    /// A turn skipped because no move is legal. Players can't choose to skip.
    Skip,
}

impl Move {
    /// The chosen move; `None` for a skipped turn.
    pub fn choice(self) -> Option<Choice> {
        match self {
            Move::Operation(choice) => Some(choice),
            Move::Skip => None,
        }
    }
}

/// The options of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation<'a> {
    /// The player chooses one of these. Never empty.
    Choose(Choices<'a>),
    /// No move is legal, and the turn is skipped.
    Skip,
    /// No move is legal, and that ends the round.
    Over(Outcome),
}

impl<'a> Situation<'a> {
    /// The possible moves: the choices, or the skip; none if the round is over.
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

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The opponent's turn. They may be stuck: see [`Rulebook::situation`].
    On(Position),
    /// The number landed on ended the round. It may be too large for a position.
    Over {
        /// The exact number landed on.
        number: i128,
        /// How the round ended.
        outcome: Outcome,
    },
}

/// The winner, if any, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` if the round is drawn.
    pub winner: Option<Player>,
    /// Why the round ended.
    pub ending: Ending,
}

/// Why a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A number landed on the target.
    Reached,
    /// A number went past the target.
    Overshot,
    /// A player had no legal move.
    Stuck,
    /// A number landed on the `winning` or `losing` list.
    Landed,
    /// Neither player had a legal move, and the number closer to the target decided.
    Closest,
    /// All turns were taken, and the number closer to the target decided.
    Turns,
    /// The same position occurred as often as the house rule allows.
    Repetition,
    /// A player resigned.
    Resigned,
    /// Two computers played for too long.
    Stopped,
    /// An outside program gave no valid answer.
    Forfeited,
    /// The player to move didn't come back.
    Abandoned,
}

impl Ending {
    /// All endings.
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

    /// The word in records and JSON.
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

    /// Whether the round was aborted: nobody wins, and it isn't a draw.
    pub fn is_without_result(self) -> bool {
        matches!(self, Ending::Forfeited | Ending::Abandoned)
    }

    /// Parses the word.
    pub fn from_word(word: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.word() == word)
    }
}

/// Why a move isn't legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It isn't one of this rule book's moves, for example because it belongs to another rule book.
    #[error("it isn't one of this game's moves")]
    NotOffered,
    /// It has no uses left.
    #[error("it has no uses left")]
    UsedUp {
        /// The entry. All amounts count toward its uses.
        entry: EntryIndex,
        /// The limit on uses.
        limit: u8,
        /// Whether players share the uses.
        pool: Pool,
    },
    /// It was the player's own last move.
    #[error("it was the player's own last move")]
    RepeatsOwn,
    /// It was the opponent's last move.
    #[error("it was the opponent's last move")]
    RepeatsOpponent,
    /// The `when` of its entry excludes this number.
    #[error("it isn't allowed at this number")]
    NotHere {
        /// The entry.
        entry: EntryIndex,
        /// The number to change.
        number: i64,
    },
    /// The number has no such divisor, prime factor or digit, or half of the number is less than this amount.
    #[error("that amount isn't available at {number}")]
    NoAmount {
        /// The entry with computed amounts.
        entry: EntryIndex,
        /// The number to change.
        number: i64,
        /// The requested amount; `None` if the number has no amounts at all.
        amount: Option<i64>,
    },
    /// Several entries could offer it, but none does now.
    #[error("no entry offers it now")]
    NoEntry {
        /// The move.
        choice: Choice,
        /// The number to change.
        number: i64,
        /// The entries that have no uses left, as bits by index.
        used_up: u16,
    },
    /// The division leaves a remainder.
    #[error("the division leaves a remainder")]
    Remainder,
    /// It lands on a forbidden number.
    #[error("it lands on {number}, which is forbidden")]
    Forbidden {
        /// The forbidden number.
        number: i128,
    },
    /// It goes past the target, which isn't allowed.
    #[error("it goes past {target}, to {number}")]
    PastTarget {
        /// The result of the move.
        number: i128,
        /// The target.
        target: i64,
    },
    /// It leaves the range.
    #[error("it leaves the range, to {number}")]
    OutOfRange {
        /// The result of the move.
        number: i128,
    },
    /// It leaves the number unchanged, and the player has no passes left.
    #[error("it leaves the number unchanged, and no passes are left")]
    NoPassLeft {
        /// The limit on passes per player.
        limit: u8,
    },
    /// A turn can only be skipped if no move is legal.
    #[error("you can only skip a turn when no move is legal")]
    NotStuck,
}

/// The result of a choice: a [`Step`] or a refusal.
///
/// A separate type, so that [`Rulebook::play`] destructures it and builds its own result. Passing on a result
/// from a call would force the fast path's position through memory too.
enum Chosen {
    On(Position),
    Over { number: i128, outcome: Outcome },
    Refused(Refusal),
}

impl Rulebook {
    /// The opening position.
    #[inline]
    pub fn opening(&self, first: Player) -> Position {
        let (starter, other) = self.start();
        let mut numbers = ByPlayer([starter, starter]);
        numbers[!first] = other;
        Position {
            numbers,
            // Spelled out, because array defaults compile to calls.
            uses: ByPlayer([[0; MOST_MOVES]; 2]),
            last: ByPlayer([None; 2]),
            passes: ByPlayer([0; 2]),
            clock: Clock::new(first, 0),
        }
    }

    /// The number that a choice gives, or why it isn't legal.
    ///
    /// # Errors
    ///
    /// The first rule that refuses it, or [`Refusal::NotOffered`] if it isn't one of this rule book's moves.
    /// If several entries of `moves` could offer it and refuse it for different reasons,
    /// [`Refusal::NoEntry`].
    pub fn result(&self, position: &Position, choice: Choice) -> Result<i128, Refusal> {
        self.judged(position, choice).ok_or(Refusal::NotOffered)?.1
    }

    /// The entry that offers a choice here, with its result or refusal; `None` if it isn't one of this rule
    /// book's moves.
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
                Err(Refusal::NotHere { .. } | Refusal::NoAmount { .. }) => {
                    first = first.or(this);
                    // Without uses left, it can't offer the move at another number either.
                    let is_used_up = self.has_uses_left(position, entry).is_err();
                    used_up |= u16::from(is_used_up) << entry.place();
                }
                Err(Refusal::UsedUp { .. }) => {
                    used_up |= 1 << entry.place();
                    first_used_up = first_used_up.or(this);
                }
                // All other rules apply to the move no matter which entry offers it.
                Err(_) => common = common.or(this),
            }
        }
        if common.is_some() || entries == 1 {
            return common.or(first_used_up).or(first);
        }
        let (entry, _) = first_used_up.or(first)?;
        let number = position.number_of(written.on.affected(position.turn()));
        Some((entry, Err(Refusal::NoEntry { choice, number, used_up })))
    }

    /// The result of a choice through one of its entries.
    #[inline(always)] // A call would copy the result, which costs more than the rest.
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

    /// Every rule, not only the first, that makes a move illegal when played through an entry that offers it
    /// here.
    pub fn barred_by(
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

    /// Whether an entry of `moves` offers an operation at a number.
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

    /// Whether the player to move has any uses of an entry left.
    #[inline]
    fn has_uses_left(&self, position: &Position, entry: EntryIndex) -> Result<(), Refusal> {
        match self.moves()[entry.place()].uses {
            Some(uses) if position.uses_of(position.turn(), entry) >= uses.limit => {
                Err(Refusal::UsedUp { entry, limit: uses.limit, pool: uses.pool })
            }
            _ => Ok(()),
        }
    }

    /// Whether the rule against repeats allows a choice.
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

    /// Whether a move may land on a number, judging by the number alone.
    #[inline]
    pub fn admits(&self, number: i128) -> Result<(), Refusal> {
        if self.forbidden().lists(number) {
            return Err(Refusal::Forbidden { number });
        }
        self.is_within_bounds(number)?;
        if self.forbidden().describes(number) && self.is_described(number) {
            return Err(Refusal::Forbidden { number });
        }
        Ok(())
    }

    /// Whether `forbidden` includes a number of any size.
    fn is_forbidden(&self, number: i128) -> bool {
        self.forbidden().lists(number) || self.forbidden().describes(number) && self.is_described(number)
    }

    /// Whether spans and kinds decide what landing on a number does: it isn't the target or past it, and
    /// neither `winning` nor `losing` lists the number itself.
    fn is_described(&self, number: i128) -> bool {
        self.target().map(i128::from) != Some(number)
            && !self.passes_target(number)
            && !self.winning().lists(number)
            && !self.losing().lists(number)
    }

    /// The list whose spans and kinds decide what landing on a number does, if any.
    pub(crate) fn described_by(&self, number: i128) -> Option<&'static str> {
        let lists = [("forbidden", self.forbidden()), ("winning", self.winning()), ("losing", self.losing())];
        let decides = self.is_described(number) && !self.forbidden().lists(number);
        let mut lists = lists.into_iter().filter(|(_, list)| decides && list.describes(number));
        lists.next().map(|(key, _)| key)
    }

    /// Whether a number is within the bounds for moves: in the range or, if allowed, past the target. Ignores
    /// single forbidden numbers.
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

    /// Whether the player to move may make a pass.
    #[inline]
    fn has_pass_left(&self, position: &Position, before: i64, number: i128) -> Result<(), Refusal> {
        match self.passes() {
            Some(limit) if number == i128::from(before) && position.passes[position.turn()] >= limit => {
                Err(Refusal::NoPassLeft { limit })
            }
            _ => Ok(()),
        }
    }

    /// The legal choices of the player to move; none if they are stuck.
    #[inline]
    pub fn legal<'a>(&'a self, position: &Position) -> Choices<'a> {
        // The slow path is a call that takes a copy of the position and returns only an integer, so the fast
        // path stays in registers.
        match self.quiet.choices(position.number()) {
            Some(choices) => choices,
            None => Choices::from_bits(self.legal_bits(*position), self.menu_at(position)),
        }
    }

    #[inline(never)]
    fn legal_bits(&self, position: Position) -> u64 {
        self.offered(&position).only(|choice| self.result(&position, choice).is_ok()).bits()
    }

    /// Whether turns can be skipped in some position.
    #[inline]
    pub fn may_skip(&self) -> bool {
        matches!(self.stuck(), Stuck::Skips | Stuck::Closest)
    }

    /// The options of the player to move: a choice, a skip, or the end of the round.
    #[inline]
    pub fn situation<'a>(&'a self, position: &Position) -> Situation<'a> {
        let legal = self.legal(position);
        if !legal.is_empty() {
            return Situation::Choose(legal);
        }
        self.stuck_at(*position).map_or(Situation::Skip, Situation::Over)
    }

    /// How the round ends if the player to move has no legal move; `None` if the turn is skipped.
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

    /// The player whose number is closer to the target; `None` for a tie.
    fn closest(&self, numbers: ByPlayer<i128>) -> Option<Player> {
        let target = self.target().map_or(0, i128::from);
        let ByPlayer([one, two]) = numbers.map(|number| number.abs_diff(target));
        match one.cmp(&two) {
            std::cmp::Ordering::Less => Some(Player::One),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Player::Two),
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Why the move isn't legal here. This rule book's rules also apply to choices and positions of another
    /// one.
    #[inline(always)] // Callers destructure the result, so it need not be built.
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

    /// Plays a choice by the full rules. Takes a copy, so that the caller's position stays in registers.
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
        // The round continues, so the number is in range and fits.
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

    /// The result of a skipped turn, which only changes whose turn it is. It may be the last turn.
    fn skipped(&self, position: &Position) -> Step {
        match self.last_turn(position, position.numbers.map(i128::from)) {
            Some(outcome) => Step::Over { number: position.number().into(), outcome },
            None => Step::On(self.with_turn_over(position)),
        }
    }

    /// The same position with the turn over.
    pub fn with_turn_over(&self, position: &Position) -> Position {
        Position { clock: self.clock_after(position), ..*position }
    }

    /// How the round ends if the turn at this position was the last, given the numbers after it.
    fn last_turn(&self, before: &Position, after: ByPlayer<i128>) -> Option<Outcome> {
        let is_last = self.turns().is_some_and(|turns| before.plies() + 1 >= 2 * u16::from(turns));
        is_last.then(|| Outcome { winner: self.closest(after), ending: Ending::Turns })
    }

    /// How a move ends the round right away, by its number or by leaving the opponent stuck; `None` if the round
    /// continues or the move isn't legal.
    pub fn ends_at_once(&self, position: &Position, a_move: Move) -> Option<Outcome> {
        match self.play(position, a_move) {
            Ok(Step::Over { outcome, .. }) => Some(outcome),
            Ok(Step::On(next)) => self.over_at(&next),
            Err(_) => None,
        }
    }

    /// How the round ends because the player to move has no legal move; `None` if it continues. Cheaper than listing
    /// moves: it stops at the first legal one.
    pub fn over_at(&self, position: &Position) -> Option<Outcome> {
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
        // Iterating computed moves is as fast as counting them.
        MenuIter::new(Menu::at(self, position)).any(is_legal)
    }

    /// The lowest and highest numbers that a player can have on their turn: in the range and before the
    /// target.
    pub fn numbers_on_turn(&self) -> (i64, i64) {
        let (low, high) = self.range();
        match (self.target(), self.direction()) {
            (Some(target), Some(Direction::Countdown)) => (target + 1, high),
            (Some(target), _) => (low, target - 1),
            (None, _) => (low, high),
        }
    }

    /// The lowest and highest numbers of the range up to and including the target.
    pub(crate) fn numbers_before_target(&self) -> (i64, i64) {
        let (low, high) = self.range();
        match (self.target(), self.direction()) {
            (Some(target), Some(Direction::Countdown)) => (target, high),
            (Some(target), _) => (low, target),
            (None, _) => (low, high),
        }
    }

    /// How the round ends if the player to move changes `owner`'s number to `number`; `None` if it continues.
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

    /// Whether landing on a number wins for its owner, and the kind of ending; `None` if the round continues.
    pub fn landing_of_number(&self, number: i128) -> Option<(bool, Ending)> {
        if self.target().map(i128::from) == Some(number) {
            Some((self.reach() == Reach::Wins, Ending::Reached))
        } else if self.passes_target(number) {
            Some((self.past() == Past::Wins, Ending::Overshot))
        } else if self.winning().lists(number) {
            Some((true, Ending::Landed))
        } else if self.losing().lists(number) {
            Some((false, Ending::Landed))
        } else if self.forbidden().describes(number) {
            // No move can land there.
            None
        } else if self.winning().describes(number) {
            Some((true, Ending::Landed))
        } else if self.losing().describes(number) {
            Some((false, Ending::Landed))
        } else {
            None
        }
    }

    /// Whether a move may land on a number without ending the round, judging by the number alone.
    pub fn goes_on_at(&self, number: i128) -> bool {
        self.admits(number).is_ok() && self.landing_of_number(number).is_none()
    }

    /// The position after a legal move that doesn't end the round, in a game without memory.
    #[inline]
    fn after(&self, position: &Position, number: i64) -> Position {
        Position {
            numbers: self.numbers_after(position, position.turn(), number),
            clock: position.clock.over(),
            ..*position
        }
    }

    /// The numbers after a change of a player's number, or of the shared one.
    #[inline]
    fn numbers_after(&self, position: &Position, owner: Player, number: i64) -> ByPlayer<i64> {
        // Selecting values avoids an indexed write, which would need memory.
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

    /// The use counts after the player to move uses an entry. Only limited entries are counted.
    #[inline]
    fn spent(&self, position: &Position, entry: EntryIndex) -> ByPlayer<[u8; MOST_MOVES]> {
        let mut spent = position.uses;
        if let Some(uses) = self.moves()[entry.place()].uses {
            // A position of another rule book may hold any value.
            let spend = |spent: &mut u8| *spent = spent.saturating_add(1);
            spend(&mut spent[position.turn()][entry.place()]);
            if uses.pool == Pool::Shared {
                spend(&mut spent[!position.turn()][entry.place()]);
            }
        }
        spent
    }

    /// The pass counts after a move by the player to move. Passes are only counted if they are limited.
    #[inline]
    fn passed(&self, position: &Position, is_pass: bool) -> ByPlayer<u8> {
        let mut made = position.passes;
        if self.passes().is_some() && is_pass {
            let made = &mut made[position.turn()];
            *made = made.saturating_add(1);
        }
        made
    }

    /// The position after a move except for its numbers; `None` if a rule that isn't about the resulting
    /// number makes the move illegal. Counts against the first entry with uses left. A choice that is never
    /// checked again may be omitted.
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

    /// Whether a player's last choice is remembered on `turn`'s turn.
    pub fn remembers(&self, player: Player, turn: Player) -> bool {
        match self.no_repeat() {
            NoRepeat::None => false,
            NoRepeat::Own | NoRepeat::Both => true,
            // A player's own last move matters again only after a skip.
            NoRepeat::Opponent => player != turn || self.may_skip(),
        }
    }

    /// The remembered choices after another choice.
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
                // The next player's own last choice matters again only after a skip.
                if !self.may_skip() {
                    last[!mover] = None;
                }
            }
        }
        last
    }
}
