//! Moves as they are written: from a choice to what it does, where it comes from and what it is called, and back.
//!
//! A [`Choice`] stands for a written move (`+1`), an [`Entry`] is what the rule book has in its list of `moves`. They
//! are two things: uses are limited by entry, repeats are barred by what is written. An entry with a computed amount
//! gives many moves, and two entries may give the same one.
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let take_away = catalog::draft("take-away").unwrap().build()?;
//! let opening = take_away.opening(Player::One);
//! let labels: Vec<String> =
//!     take_away.legal(&opening).iter().map(|choice| take_away.label(&opening, choice)).collect();
//! assert_eq!(labels, ["Take 1", "Take 2", "Take 3"]);
//! let two = take_away.choice("-2".parse()?).unwrap();
//! assert_eq!(take_away.result(&opening, two), Ok(19));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::engine::choices::{Choices, Menu};
use crate::engine::computed::LARGEST_AMOUNT;
use crate::engine::operation::{Kind, NotAnOperation, Operation};
use crate::engine::play::{Move, Refusal};
use crate::engine::position::{Choice, EntryIndex, MOST_MOVES, Player, Position};
use crate::format::{Entry, Op, Rulebook};

pub use crate::format::On;

/// How a skipped turn is written.
pub const SKIP: &str = "skip";

/// What stands before a move on the other player's number.
pub const ON_OTHER: char = '@';

/// What is written where a choice is none of a rule book's.
const UNKNOWN: &str = "?";

/// A move as it is written: an operation, and whose number it changes. `-3`; on the other player's number `@-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Written {
    /// The sign and the amount.
    pub operation: Operation,
    /// Whose number it changes.
    pub on: On,
}

impl Written {
    /// The words for a menu: `Add 1`, `Subtract 3 from the other number`.
    pub fn label(self) -> String {
        let label = self.operation.label();
        match self.on {
            On::Own => label,
            On::Other => match self.operation.kind() {
                Kind::Add => format!("{label} to the other number"),
                Kind::Subtract => format!("{label} from the other number"),
                Kind::Multiply | Kind::Divide => {
                    let verb = if self.operation.kind() == Kind::Multiply { "Multiply" } else { "Divide" };
                    format!("{verb} the other number by {}", self.operation.amount())
                }
            },
        }
    }
}

impl From<Operation> for Written {
    fn from(operation: Operation) -> Written {
        Written { operation, on: On::Own }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on {
            On::Own => self.operation.fmt(f),
            On::Other => write!(f, "{ON_OTHER}{}", self.operation),
        }
    }
}

impl FromStr for Written {
    type Err = NotAnOperation;

    fn from_str(text: &str) -> Result<Written, NotAnOperation> {
        Ok(match text.strip_prefix(ON_OTHER) {
            Some(operation) => Written { operation: operation.parse()?, on: On::Other },
            None => Written { operation: text.parse()?, on: On::Own },
        })
    }
}

/// A line of what is on offer to the player on turn: a move that they may make, or one that is barred now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The move; `None` for an entry that has no amount now, which is barred.
    pub choice: Option<Choice>,
    /// The entry of `moves` that it comes from, whose uses it counts against.
    pub entry: EntryIndex,
    /// The number that it gives, or why it may not be made.
    pub result: Result<i128, Refusal>,
}

/// The fixed operations of a rule book, each once, in the order of their entries. They are the first choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FixedMoves {
    written: Vec<Written>,
    /// Whether each entry gives just one move, and no other entry gives it: then a choice has the number of its entry.
    one_each: bool,
    /// Whether all entries are fixed.
    all: bool,
}

impl FixedMoves {
    pub(crate) fn of(moves: &[Entry]) -> FixedMoves {
        let mut written: Vec<Written> = Vec::new();
        for entry in moves {
            if let Op::Fixed(operation) = entry.op
                && !written.contains(&Written { operation, on: entry.on })
            {
                written.push(Written { operation, on: entry.on });
            }
        }
        let all = moves.iter().all(|entry| matches!(entry.op, Op::Fixed(_)));
        FixedMoves { one_each: all && written.len() == moves.len(), all, written }
    }

    #[inline]
    pub(crate) fn one_each(&self) -> bool {
        self.one_each
    }
}

/// The signs that computed amounts go with.
const COMPUTED_KINDS: [Kind; 3] = [Kind::Add, Kind::Subtract, Kind::Divide];

/// The number of a computed move among all that can be written: after the fixed ones, by whose number, sign, amount.
fn computed_index(written: Written) -> Option<usize> {
    let sign = COMPUTED_KINDS.iter().position(|kind| *kind == written.operation.kind())?;
    let group = if written.on == On::Other { COMPUTED_KINDS.len() + sign } else { sign };
    let amount = usize::try_from(written.operation.amount()).ok()?;
    (amount <= usize::from(LARGEST_AMOUNT))
        .then(|| MOST_MOVES + group * usize::from(LARGEST_AMOUNT) + amount - 1)
}

/// The move with a number that [`computed_index`] gave.
fn computed_written(index: usize) -> Option<Written> {
    let index = index.checked_sub(MOST_MOVES)?;
    let (group, amount) = (index / usize::from(LARGEST_AMOUNT), index % usize::from(LARGEST_AMOUNT) + 1);
    let kind = *COMPUTED_KINDS.get(group % COMPUTED_KINDS.len())?;
    let on = *[On::Own, On::Other].get(group / COMPUTED_KINDS.len())?;
    Some(Written { operation: Operation::new(kind, amount as i64)?, on })
}

impl Rulebook {
    /// The entries of `moves` with their places.
    pub fn entries(&self) -> impl Iterator<Item = (EntryIndex, &Entry)> {
        self.moves().iter().enumerate().map(|(place, entry)| (EntryIndex::new(place), entry))
    }

    /// How the moves of each entry are written, each once: `+1`; `-K (K a divisor)`.
    pub(crate) fn written_entries(&self) -> Vec<String> {
        let mut written: Vec<String> = Vec::new();
        for entry in self.moves() {
            let entry = entry.form();
            if !written.contains(&entry) {
                written.push(entry);
            }
        }
        written
    }

    /// The entry of `moves` at a place; `None` if there is none.
    pub fn entry(&self, index: EntryIndex) -> Option<&Entry> {
        self.moves().get(index.place())
    }

    /// The entry that gives this move here: the first through which it is legal now, or else the first that has it at
    /// all. `None` if the move is none of this rule book's.
    #[inline]
    pub fn entry_of(&self, position: &Position, choice: Choice) -> Option<EntryIndex> {
        if self.fixed.one_each {
            let place = choice.index();
            return (place < self.moves().len()).then(|| EntryIndex::new(place));
        }
        self.judged(position, choice).map(|(entry, _)| entry)
    }

    /// The entries that could ever give a move.
    pub(crate) fn entries_with(&self, written: Written) -> impl Iterator<Item = EntryIndex> {
        self.entries().filter(move |(_, entry)| entry.can_give(written)).map(|(index, _)| index)
    }

    /// Whether an entry offers a move at some number that play may come to. In a game with very many numbers only some are
    /// looked at, and if none of those will do, it is taken for granted.
    pub(crate) fn is_offered_somewhere(&self, entry: &Entry, written: Written) -> bool {
        // All numbers of a game that has divisors or primes.
        const MOST: usize = 20_000;
        let ((low, high), (from, to)) = (self.numbers_on_turn(), entry.ends_of_when());
        let (low, high) = (low.max(from), high.min(to));
        let mut numbers = low..=high;
        numbers.by_ref().take(MOST).any(|number| entry.offers(written, number)) || numbers.next().is_some()
    }

    /// Every fixed operation that can be written in this game; computed ones are too many to list.
    pub(crate) fn fixed_choices(&self) -> impl Iterator<Item = Choice> {
        (0..self.fixed.written.len()).map(Choice::from_index)
    }

    /// Whether every operation of this game is fixed: no amount is computed.
    #[inline]
    pub fn has_only_fixed_moves(&self) -> bool {
        self.fixed.all
    }

    /// The moves that could be legal for the player on turn, as far as the numbers decide which there are. Others are
    /// on offer as well, but only ever barred.
    #[inline]
    pub(crate) fn offered<'a>(&'a self, position: &Position) -> Choices<'a> {
        match self.menu_at(position) {
            None => Choices::first(self.fixed.written.len()),
            Some(menu) => Choices::of_menu(menu),
        }
    }

    /// What is on offer at a position; `None` if each entry has one operation of its own, which is then always on offer.
    #[inline]
    pub(crate) fn menu_at<'a>(&'a self, position: &Position) -> Option<Menu<'a>> {
        if self.fixed.one_each { None } else { Some(Menu::at(self, position)) }
    }

    /// The numbers from which a move of this game leads to this one, each with that move. Whether the move is legal there is
    /// not asked, only whether it is on offer.
    pub(crate) fn ways_to(&self, result: i64) -> impl Iterator<Item = (i64, Written)> {
        self.moves().iter().flat_map(move |entry| {
            let ways = entry.sources_of(result);
            ways.map(|(from, operation)| (from, Written { operation, on: entry.on }))
        })
    }

    /// Everything on offer to the player on turn, with what it gives or why it is barred, in the rule book's order.
    /// A move that two entries give stands once, and an entry without an amount now is one barred line.
    pub fn offers<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = Offer> + 'a {
        self.entries().flat_map(move |(index, entry)| self.offers_of(position, index, entry))
    }

    fn offers_of<'a>(
        &'a self,
        position: &'a Position,
        index: EntryIndex,
        entry: &'a Entry,
    ) -> impl Iterator<Item = Offer> + 'a {
        let number = position.number_of(entry.owner(position.turn()));
        let usable = entry.may_be_used_at(number);
        let (fixed, computed) = match entry.op {
            Op::Fixed(operation) => (Some(operation), None),
            Op::Computed(computed) => (None, usable.then_some(computed)),
        };
        let amounts = computed.into_iter().flat_map(move |computed| computed.amounts(number));
        let operations = amounts.filter_map(move |amount| computed?.with(amount)).chain(fixed);
        let moves = operations.filter_map(move |operation| {
            let written = Written { operation, on: entry.on };
            let earlier = &self.moves()[..index.place()];
            let offers = |entry: &Entry| entry.offers(written, number);
            let has_it = |entry: &Entry| entry.op == Op::Fixed(operation) && entry.on == written.on;
            // It stands at the first entry that offers it at this number. A fixed operation that none offers keeps its
            // line, at the first entry that has it.
            let stands_elsewhere = match usable {
                true => earlier.iter().any(offers),
                false => earlier.iter().any(has_it) || self.moves().iter().any(offers),
            };
            if stands_elsewhere {
                return None;
            }
            let choice = self.choice(written)?;
            let (entry, result) = self.judged(position, choice)?;
            Some(Offer { choice: Some(choice), entry, result })
        });
        let none = match entry.op {
            Op::Fixed(_) => None,
            Op::Computed(_) if !usable => Some(Refusal::NotHere { entry: index, number }),
            Op::Computed(computed) if computed.next_amount(number, 0).is_none() => {
                Some(Refusal::NoAmount { entry: index, number, amount: None })
            }
            Op::Computed(_) => None,
        };
        moves.chain(none.map(|why| Offer { choice: None, entry: index, result: Err(why) }))
    }

    /// The choice that is written like this; `None` if the game has no such move anywhere.
    pub fn choice(&self, written: Written) -> Option<Choice> {
        if let Some(place) = self.fixed.written.iter().position(|fixed| *fixed == written) {
            return Some(Choice::from_index(place));
        }
        if self.fixed.all {
            return None;
        }
        self.entries_with(written).next()?;
        computed_index(written).map(Choice::from_index)
    }

    /// What a choice stands for; `None` if it is none of this rule book's.
    #[inline]
    pub fn written(&self, choice: Choice) -> Option<Written> {
        match self.fixed.written.get(choice.index()) {
            Some(written) => Some(*written),
            None if self.fixed.all => None,
            None => computed_written(choice.index()).filter(|written| {
                !self.fixed.written.contains(written) && self.entries_with(*written).next().is_some()
            }),
        }
    }

    /// What a choice does; `None` if it is none of this rule book's.
    #[inline]
    pub fn operation(&self, choice: Choice) -> Option<Operation> {
        self.written(choice).map(|written| written.operation)
    }

    /// Whose number a move changes: that of the player on turn, or the other's. A turn that goes over changes none, and
    /// counts as the own.
    #[inline]
    pub fn owner(&self, position: &Position, a_move: Move) -> Player {
        self.on(a_move).of(position.turn())
    }

    /// Whose number a move changes, as the player who makes it sees it.
    #[inline]
    pub fn on(&self, a_move: Move) -> On {
        let written = a_move.choice().and_then(|choice| self.written(choice));
        written.map_or(On::Own, |written| written.on)
    }

    /// What to call a choice at a position: `Add 1`, or the rule book's own name; `?` if it is none of this rule book's.
    pub fn label(&self, position: &Position, choice: Choice) -> String {
        let entry = self.entry_of(position, choice).and_then(|entry| self.entry(entry));
        match (entry, self.written(choice)) {
            (Some(entry), Some(written)) => entry.label_of(written),
            _ => UNKNOWN.to_owned(),
        }
    }

    /// How a line of what is on offer is written: the move, or the operation of an entry that has no amount now.
    pub fn write_offer(&self, offer: &Offer) -> String {
        match offer.choice {
            Some(choice) => self.write(Move::Operation(choice)),
            None => self.entry(offer.entry).map_or(UNKNOWN.to_owned(), Entry::to_string),
        }
    }

    /// What to call a line of what is on offer.
    pub fn label_of_offer(&self, offer: &Offer) -> String {
        match (self.entry(offer.entry), offer.choice.and_then(|choice| self.written(choice))) {
            (Some(entry), Some(written)) => entry.label_of(written),
            (Some(entry), None) => entry.label(),
            (None, _) => UNKNOWN.to_owned(),
        }
    }

    /// What an entry of `moves` is called where each must have a name of its own: as it is written and, where another
    /// one is written alike, with its `when`.
    pub(crate) fn entry_key(&self, entry: &Entry) -> String {
        let written = entry.to_string();
        let alike = self.moves().iter().filter(|other| other.to_string() == written).count();
        if alike > 1 { entry.name() } else { entry.to_string() }
    }

    /// Whether what an entry is called fits a move of the player on turn, whichever entry gives it.
    pub(crate) fn is_named_by(&self, entry: &Entry, position: &Position, written: Written) -> bool {
        let number = position.number_of(entry.owner(position.turn()));
        let names_its_when = self.entry_key(entry) != entry.to_string();
        entry.can_give(written)
            && (!names_its_when || entry.may_be_used_at(number))
            && match entry.op {
                Op::Fixed(_) => true,
                Op::Computed(computed) => computed.offers(number, written.operation.amount()),
            }
    }

    /// How a move is written, in a record and everywhere else: `+1`, `@-3`, `skip`; `?` if it is none of this rule
    /// book's.
    pub fn write(&self, a_move: Move) -> String {
        match a_move {
            Move::Operation(choice) => {
                self.written(choice).map_or(UNKNOWN.to_owned(), |written| written.to_string())
            }
            Move::Skip => SKIP.to_owned(),
        }
    }
}
