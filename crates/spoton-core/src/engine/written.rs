//! Conversions between choices, notation, entries and labels.
//!
//! A [`Choice`] is a move as written (`+1`). An [`Entry`] is an item of the rule book's `moves`. Uses are
//! limited per entry, but repeats are checked by notation. An entry with a computed amount offers many moves,
//! and two entries may offer the same one.
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
use crate::engine::rulebook::{Entry, Op, Rulebook};

pub use crate::engine::rulebook::On;

/// The notation of a skipped turn.
pub const SKIP: &str = "skip";

/// Precedes a move on the opponent's number.
pub const ON_OTHER: char = '@';

/// Shown for a choice that isn't from the rule book.
const UNKNOWN: &str = "?";

/// A move as written: an operation, and whose number it changes. `-3`, or `@-3` on the opponent's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Written {
    /// The sign and the amount.
    pub operation: Operation,
    /// The player whose number it changes.
    pub on: On,
}

impl Written {
    /// The label in menus: `Add 1`, `Subtract 3 from the other number`.
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

/// A menu line for the player to move: a legal move, or one that isn't legal now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The move; `None` for an entry that has no amount here, so isn't legal.
    pub choice: Option<Choice>,
    /// Its entry of `moves`. The move counts against this entry's uses.
    pub entry: EntryIndex,
    /// The resulting number, or why it isn't legal.
    pub result: Result<i128, Refusal>,
}

/// The fixed moves of a rule book, each once, in the order of their entries. They are the first choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FixedMoves {
    written: Vec<Written>,
    /// Whether each entry has exactly one move, and no two entries share one. Then choice numbers equal entry
    /// indices.
    one_each: bool,
    /// Whether all entries are fixed.
    all: bool,
}

impl FixedMoves {
    pub(crate) fn from_entries(moves: &[Entry]) -> FixedMoves {
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

/// The signs that computed amounts can have.
const COMPUTED_KINDS: [Kind; 3] = [Kind::Add, Kind::Subtract, Kind::Divide];

/// The index of a computed move in the full list of moves: after the fixed ones, ordered by owner, sign
/// and amount.
fn computed_index(written: Written) -> Option<usize> {
    let sign = COMPUTED_KINDS.iter().position(|kind| *kind == written.operation.kind())?;
    let group = if written.on == On::Other { COMPUTED_KINDS.len() + sign } else { sign };
    let amount = usize::try_from(written.operation.amount()).ok()?;
    (amount <= usize::from(LARGEST_AMOUNT))
        .then(|| MOST_MOVES + group * usize::from(LARGEST_AMOUNT) + amount - 1)
}

/// The inverse of [`computed_index`].
fn computed_written(index: usize) -> Option<Written> {
    let index = index.checked_sub(MOST_MOVES)?;
    let (group, amount) = (index / usize::from(LARGEST_AMOUNT), index % usize::from(LARGEST_AMOUNT) + 1);
    let kind = *COMPUTED_KINDS.get(group % COMPUTED_KINDS.len())?;
    let on = *[On::Own, On::Other].get(group / COMPUTED_KINDS.len())?;
    Some(Written { operation: Operation::new(kind, amount as i64)?, on })
}

impl Rulebook {
    /// The entries of `moves` with their indices.
    pub fn entries(&self) -> impl Iterator<Item = (EntryIndex, &Entry)> {
        self.moves().iter().enumerate().map(|(place, entry)| (EntryIndex::new(place), entry))
    }

    /// The notation of each entry's moves, without duplicates: `+1`, `-K (K a divisor)`.
    pub fn written_entries(&self) -> Vec<String> {
        let mut written: Vec<String> = Vec::new();
        for entry in self.moves() {
            let entry = entry.form();
            if !written.contains(&entry) {
                written.push(entry);
            }
        }
        written
    }

    /// The entry of `moves` at an index.
    pub fn entry(&self, index: EntryIndex) -> Option<&Entry> {
        self.moves().get(index.place())
    }

    /// The entry that offers this move here: the first that makes it legal now, or else the first that has
    /// it. `None` if it isn't one of this rule book's moves.
    #[inline]
    pub fn entry_of(&self, position: &Position, choice: Choice) -> Option<EntryIndex> {
        if self.fixed.one_each {
            let place = choice.index();
            return (place < self.moves().len()).then(|| EntryIndex::new(place));
        }
        self.judged(position, choice).map(|(entry, _)| entry)
    }

    /// The entries that could ever offer a move.
    pub(crate) fn entries_with(&self, written: Written) -> impl Iterator<Item = EntryIndex> {
        self.entries().filter(move |(_, entry)| entry.can_give(written)).map(|(index, _)| index)
    }

    /// Whether an entry offers a move at some reachable number: one where no landing ends the round or
    /// is refused, or a start. In a game with very many numbers, this checks only some of them, and assumes yes
    /// if none fits.
    pub(crate) fn is_offered_somewhere(&self, entry: &Entry, written: Written) -> bool {
        // Enough for all numbers of a game with divisors or primes.
        const MOST: usize = 20_000;
        let ((low, high), (from, to)) = (self.numbers_on_turn(), entry.ends_of_when());
        let (low, high) = (low.max(from), high.min(to));
        let (one, two) = self.start();
        let comes_up = |number: i64| [one, two].contains(&number) || self.goes_on_at(number.into());
        let mut numbers = low..=high;
        numbers.by_ref().take(MOST).any(|number| entry.offers(written, number) && comes_up(number))
            || numbers.next().is_some()
    }

    /// All fixed moves of this game. Computed ones are too many to list.
    pub fn fixed_choices(&self) -> impl Iterator<Item = Choice> {
        (0..self.fixed.written.len()).map(Choice::from_index)
    }

    /// Whether all moves of this game are fixed.
    #[inline]
    pub fn has_only_fixed_moves(&self) -> bool {
        self.fixed.all
    }

    /// The moves that could be legal for the player to move, judging by the numbers. If it includes others,
    /// they are never legal here.
    #[inline]
    pub fn offered<'a>(&'a self, position: &Position) -> Choices<'a> {
        match self.menu_at(position) {
            None => Choices::first(self.fixed.written.len()),
            Some(menu) => Choices::of_menu(menu),
        }
    }

    /// The menu at a position; `None` if each entry has exactly one fixed move, which is then always offered.
    #[inline]
    pub(crate) fn menu_at<'a>(&'a self, position: &Position) -> Option<Menu<'a>> {
        if self.fixed.one_each { None } else { Some(Menu::at(self, position)) }
    }

    /// The numbers that a move of this game changes to `result`, each with that move. The move is offered
    /// there, but may not be legal.
    pub fn ways_to(&self, result: i64) -> impl Iterator<Item = (i64, Written)> {
        self.moves().iter().flat_map(move |entry| {
            let ways = entry.sources_of(result);
            ways.map(|(from, operation)| (from, Written { operation, on: entry.on }))
        })
    }

    /// All menu lines of the player to move, with their results or refusals, in the rule book's order. A move
    /// that two entries offer appears once. An entry without an amount here becomes one line that isn't
    /// legal.
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
            // It appears at the first entry that offers it at this number. A fixed move that no entry offers
            // keeps its line at the first entry that has it.
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

    /// The choice with this notation; `None` if the game has no such move anywhere.
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

    /// The notation of a choice; `None` if it isn't from this rule book.
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

    /// The operation of a choice; `None` if it isn't from this rule book.
    #[inline]
    pub fn operation(&self, choice: Choice) -> Option<Operation> {
        self.written(choice).map(|written| written.operation)
    }

    /// The player whose number a move changes: the mover's or the opponent's. A skipped turn counts as the mover's.
    #[inline]
    pub fn owner(&self, position: &Position, a_move: Move) -> Player {
        self.on(a_move).affected(position.turn())
    }

    /// The player whose number a move changes, from the mover's view.
    #[inline]
    pub fn on(&self, a_move: Move) -> On {
        let written = a_move.choice().and_then(|choice| self.written(choice));
        written.map_or(On::Own, |written| written.on)
    }

    /// The name of a choice at a position: `Add 1`, or the rule book's label; `?` if it isn't from this rule
    /// book.
    pub fn label(&self, position: &Position, choice: Choice) -> String {
        let entry = self.entry_of(position, choice).and_then(|entry| self.entry(entry));
        match (entry, self.written(choice)) {
            (Some(entry), Some(written)) => entry.label_of(written),
            _ => UNKNOWN.to_owned(),
        }
    }

    /// The notation of a menu line: the move, or the operation of an entry without an amount here.
    pub fn write_offer(&self, offer: &Offer) -> String {
        match offer.choice {
            Some(choice) => self.write(Move::Operation(choice)),
            None => self.entry(offer.entry).map_or(UNKNOWN.to_owned(), Entry::to_string),
        }
    }

    /// The label of a menu line.
    pub fn label_of_offer(&self, offer: &Offer) -> String {
        match (self.entry(offer.entry), offer.choice.and_then(|choice| self.written(choice))) {
            (Some(entry), Some(written)) => entry.label_of(written),
            (Some(entry), None) => entry.label(),
            (None, _) => UNKNOWN.to_owned(),
        }
    }

    /// A unique name of an entry of `moves`: its notation, plus its `when` if another entry has the same
    /// notation.
    pub fn entry_key(&self, entry: &Entry) -> String {
        let written = entry.to_string();
        let alike = self.moves().iter().filter(|other| other.to_string() == written).count();
        if alike > 1 { entry.name() } else { entry.to_string() }
    }

    /// Whether an entry's unique name matches a move of the player to move. Any entry may offer that move.
    pub fn is_named_by(&self, entry: &Entry, position: &Position, written: Written) -> bool {
        let number = position.number_of(entry.owner(position.turn()));
        let names_its_when = self.entry_key(entry) != entry.to_string();
        entry.can_give(written)
            && (!names_its_when || entry.may_be_used_at(number))
            && match entry.op {
                Op::Fixed(_) => true,
                Op::Computed(computed) => computed.offers(number, written.operation.amount()),
            }
    }

    /// The notation of a move, in records and everywhere else: `+1`, `@-3`, `skip`; `?` if it isn't from this
    /// rule book.
    pub fn write(&self, a_move: Move) -> String {
        match a_move {
            Move::Operation(choice) => {
                self.written(choice).map_or(UNKNOWN.to_owned(), |written| written.to_string())
            }
            Move::Skip => SKIP.to_owned(),
        }
    }
}
