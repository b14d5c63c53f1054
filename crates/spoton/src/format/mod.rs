//! Rule books: games as data.
//!
//! [`Draft`] is anything that was read, right or wrong; [`Rulebook`] is a draft that was built, and can always be
//! played. [`catalog`] holds the games that come with Spot On, and [`Game`] is one as somebody asked for it. What
//! `draft` holds is read by `reader` (from TOML) and `setting` (from `key=value`), made a rule book by `build`,
//! searched for oddities by `check`, and written on one line by `canonical`.
//!
//! ```
//! use spoton::format::{Draft, RulebookBuilder};
//!
//! let text = "title = 'Ten'\nstart = 1\ntarget = 10\nmoves = ['+1', 'x2']";
//! let read = Draft::read("ten.toml", text).build()?;
//! let built = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! assert_eq!(read, built);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

mod build;
mod builder;
mod canonical;
pub mod catalog;
mod check;
mod draft;
mod game;
mod listed;
mod numbers;
mod reader;
mod setting;
mod shown;
mod source;
mod template;
mod vocabulary;
mod wording;

use std::fmt;

pub use builder::{NewEntry, NewItem, RulebookBuilder};
pub(crate) use canonical::fingerprint;
pub use check::check;
pub use draft::{Direction, Draft, UnknownVariant};
pub use game::{BadGame, BookText, Changes, Game, Setting, span_of_targets};
pub use listed::Listed;
pub use numbers::NumberList;
pub use reader::LARGEST_FILE;
pub(crate) use shown::is_unfit;
pub use shown::{is_hidden, quotable, shown, shown_lines};
pub use source::{Place, Problem, Problems, Severity, Source, nearest};
pub use template::TEMPLATE;
pub use vocabulary::{Menu, NoRepeat, Numbers, On, Past, Pool, Reach, Stuck};
pub use wording::{Sentence, SentenceInfo, Template, Wording};

use crate::engine::choices::MOST_CHOICES;
use crate::engine::computed::Computed;
use crate::engine::number_kind::Condition;
use crate::engine::operation::{Kind, Operation, Way};
use crate::engine::position::{MOST_MOVES, Player};
use crate::engine::quiet::Quiet;
use crate::engine::written::{FixedMoves, ON_OTHER, Written};

/// No integer in a rule book or a position is larger than this, or smaller than its negative.
pub const LARGEST: i64 = 1_000_000_000_000_000_000;

/// How often a position may occur if the rule book does not say: the house rule.
pub(crate) const DEFAULT_REPETITION: u8 = 3;

/// An entry of a rule book's `moves`: an operation with its conditions.
///
/// It is written as the rule book writes it: `+1`, `-divisor`, on the other player's number `@-3`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What it does.
    pub op: Op,
    /// Whose number it changes.
    pub on: On,
    /// What must hold of the number that it would change: all of these, in a fixed order. Empty if it may be used at
    /// every number.
    pub when: Vec<Condition>,
    /// How often it may be used; `None` if that is not limited.
    pub uses: Option<Uses>,
    /// What the rule book calls it; `None` if it has no name of its own for it.
    pub label: Option<String>,
}

/// What an entry of `moves` does: one operation, or one for each amount that the number has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Always the same.
    Fixed(Operation),
    /// With an amount that comes from the number.
    Computed(Computed),
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Fixed(operation) => operation.fmt(f),
            Op::Computed(computed) => computed.fmt(f),
        }
    }
}

/// What stands for the amount in the label of a computed entry.
const AMOUNT: &str = "{amount}";

/// A label with an amount in it: in its place, or at the end.
fn with_amount(label: &str, amount: i64) -> String {
    if label.contains(AMOUNT) {
        label.replace(AMOUNT, &amount.to_string())
    } else {
        format!("{label} ({amount})")
    }
}

impl Entry {
    /// What to call it as a whole: `Add 1`, `Subtract a divisor`, or the rule book's own name.
    pub fn label(&self) -> String {
        match (&self.label, self.op) {
            (Some(label), Op::Fixed(_)) => label.clone(),
            (Some(label), Op::Computed(computed)) => label.replace(AMOUNT, computed.amount_in_words()),
            (None, Op::Fixed(operation)) => Written { operation, on: self.on }.label(),
            (None, Op::Computed(computed)) => computed.label(self.on),
        }
    }

    /// What to call a move that it gives: `Add 1`, `Take away a divisor (3)`.
    pub fn label_of(&self, written: Written) -> String {
        match (&self.label, self.op) {
            (None, _) => written.label(),
            (Some(label), Op::Fixed(_)) => label.clone(),
            (Some(label), Op::Computed(_)) => with_amount(label, written.operation.amount()),
        }
    }

    /// How its moves are written: `+1`; `-K (K a divisor)` if the amount is computed, which nobody could write otherwise.
    pub(crate) fn form(&self) -> String {
        let Op::Computed(computed) = self.op else { return self.to_string() };
        let on = if self.on == On::Other { ON_OTHER.to_string() } else { String::new() };
        let bounds = match (computed.from, computed.to) {
            (None, None) => String::new(),
            (Some(from), None) => format!(" from {from} on"),
            (None, Some(to)) => format!(" up to {to}"),
            (Some(from), Some(to)) => format!(" from {from} to {to}"),
        };
        let what = computed.amount_in_words();
        format!("{on}{}K (K {what}{bounds})", computed.kind().sign())
    }

    /// What tells it apart from the other entries of its rule book: they differ in this.
    pub(crate) fn identity(&self) -> (Op, On, Vec<Condition>) {
        let op = match self.op {
            Op::Computed(computed) => Op::Computed(computed.bounded(None, None)),
            fixed => fixed,
        };
        (op, self.on, self.when.clone())
    }

    /// What to call it where it must be told from others with the same operation: `+1 when odd`.
    pub(crate) fn name(&self) -> String {
        let when = self.when.iter().map(Condition::to_string).collect::<Vec<_>>().join(" and ");
        if when.is_empty() { self.to_string() } else { format!("{self} when {when}") }
    }

    /// The owner of the number that a player changes by it.
    #[inline]
    pub fn owner(&self, player: Player) -> Player {
        self.on.of(player)
    }

    /// Its sign.
    pub fn kind(&self) -> Kind {
        match self.op {
            Op::Fixed(operation) => operation.kind(),
            Op::Computed(computed) => computed.kind(),
        }
    }

    /// Whether it may be used at a number, as far as `when` says.
    #[inline]
    pub fn may_be_used_at(&self, number: i64) -> bool {
        self.when.iter().all(|condition| condition.holds(number))
    }

    /// What it can do at a number.
    pub(crate) fn operations_at(&self, number: i64) -> impl Iterator<Item = Operation> {
        let (fixed, computed) = match self.op {
            Op::Fixed(operation) => (Some(operation), None),
            Op::Computed(computed) => (None, Some(computed)),
        };
        let computed = computed.into_iter().flat_map(move |computed| {
            computed.amounts(number).filter_map(move |amount| computed.with(amount))
        });
        let usable = self.may_be_used_at(number);
        fixed.into_iter().chain(computed).filter(move |_| usable)
    }

    /// Whether it offers a move at a number.
    pub(crate) fn offers(&self, written: Written, number: i64) -> bool {
        self.can_give(written)
            && self.may_be_used_at(number)
            && match self.op {
                Op::Fixed(_) => true,
                Op::Computed(computed) => computed.offers(number, written.operation.amount()),
            }
    }

    /// Whether it gives a move at some number, as far as its sign and its bounds tell.
    pub(crate) fn can_give(&self, written: Written) -> bool {
        self.on == written.on
            && match self.op {
                Op::Fixed(operation) => operation == written.operation,
                Op::Computed(computed) => {
                    let (from, to) = computed.bounds();
                    computed.kind() == written.operation.kind()
                        && (from..=to).contains(&written.operation.amount())
                }
            }
    }

    /// Which way it goes from these numbers, which all have the same sign: that is the same for all. `None` if it cannot
    /// be used at any of them.
    pub(crate) fn way_from(&self, (first, last): (i64, i64)) -> Option<Way> {
        let (from, to) = self.ends_of_when();
        if first.max(from) > last.min(to) {
            return None;
        }
        match self.op {
            Op::Fixed(operation) => Some(operation.way_from(first)),
            Op::Computed(computed) => computed.way_from(first),
        }
    }

    /// The lowest and the highest number that could meet its `when`.
    pub(crate) fn ends_of_when(&self) -> (i64, i64) {
        self.when.iter().fold((i64::MIN, i64::MAX), |(low, high), condition| {
            let (from, to) = condition.ends();
            (low.max(from), high.min(to))
        })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on == On::Other {
            write!(f, "{ON_OTHER}")?;
        }
        self.op.fmt(f)
    }
}

/// How often an operation may be used in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// From 1.
    pub limit: u8,
    /// Whether each player has so many or both together.
    pub pool: Pool,
}

/// How a match is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchForm {
    /// Whoever first wins so many rounds.
    FirstTo(u16),
    /// Whoever won more after so many rounds.
    Rounds(u16),
}

/// Something that a book promises about its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// No line of play goes on for ever.
    Ends,
    /// No line of play is drawn or goes on for ever.
    NoDraws,
    /// Perfect play beats random play more than three times in four from either seat.
    SkillWins,
    /// The first player wins under perfect play.
    FirstWins,
    /// The second player wins under perfect play.
    SecondWins,
    /// No line of play is longer.
    MovesAtMost(u64),
    /// There are at least so many subtle decisions.
    SubtleAtLeast(u64),
}

impl Claim {
    /// The claims without a number, and the forms of the others.
    pub(crate) const FORMS: &[&str] =
        &["ends", "no-draws", "skill-wins", "first-wins", "second-wins", "moves <= N", "subtle >= N"];

    pub(crate) fn parse(text: &str) -> Option<Claim> {
        let number = |rest: &str| match rest.trim_start() {
            "0" => Some(0),
            rest => crate::engine::operation::plain_amount(rest).ok().filter(|number| *number <= LARGEST),
        };
        Some(match text {
            "ends" => Claim::Ends,
            "no-draws" => Claim::NoDraws,
            "skill-wins" => Claim::SkillWins,
            "first-wins" => Claim::FirstWins,
            "second-wins" => Claim::SecondWins,
            _ => {
                if let Some(rest) = text.strip_prefix("moves <=") {
                    Claim::MovesAtMost(number(rest)? as u64)
                } else if let Some(rest) = text.strip_prefix("subtle >=") {
                    Claim::SubtleAtLeast(number(rest)? as u64)
                } else {
                    return None;
                }
            }
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Ends => write!(f, "ends"),
            Claim::NoDraws => write!(f, "no-draws"),
            Claim::SkillWins => write!(f, "skill-wins"),
            Claim::FirstWins => write!(f, "first-wins"),
            Claim::SecondWins => write!(f, "second-wins"),
            Claim::MovesAtMost(most) => write!(f, "moves <= {most}"),
            Claim::SubtleAtLeast(least) => write!(f, "subtle >= {least}"),
        }
    }
}

/// A game that can be played: every key has a value, and nothing contradicts itself.
///
/// It is only made by [`Draft::build`], to which [`RulebookBuilder::build`] leads as well, so nothing after that checks
/// again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    pub(crate) title: String,
    pub(crate) summary: String,
    /// Before `{target}` and `{start}` are filled in, which can make it longer than a title may be.
    pub(crate) title_as_given: String,
    pub(crate) summary_as_given: String,
    pub(crate) suits: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) numbers: Numbers,
    pub(crate) start: (i64, i64),
    pub(crate) target: Option<i64>,
    pub(crate) direction: Option<Direction>,
    pub(crate) moves: Vec<Entry>,
    pub(crate) reach: Reach,
    pub(crate) past: Past,
    pub(crate) winning: NumberList,
    pub(crate) losing: NumberList,
    pub(crate) forbidden: NumberList,
    pub(crate) range: (i64, i64),
    pub(crate) no_repeat: NoRepeat,
    pub(crate) passes: Option<u8>,
    pub(crate) stuck: Stuck,
    pub(crate) repetition: u8,
    pub(crate) turns: Option<u8>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) match_form: Option<MatchForm>,
    pub(crate) wording: Wording,
    /// These follow from the keys above.
    pub(crate) fixed: FixedMoves,
    pub(crate) quiet: Quiet,
}

impl Rulebook {
    /// The title, filled in.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the game is about, in a sentence; may be empty.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Whom the game suits.
    pub fn suits(&self) -> Option<&str> {
        self.suits.as_deref()
    }

    /// Rulings and remarks.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// One number or two.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The starter's opening number and the other player's.
    #[inline]
    pub fn start(&self) -> (i64, i64) {
        self.start
    }

    /// The number to land on; `None` if there is none.
    #[inline]
    pub fn target(&self) -> Option<i64> {
        self.target
    }

    /// Whether the game climbs or counts down to its target; `None` if it has none.
    pub fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// Whether a number lies past the target.
    #[inline]
    pub fn passes_target(&self, number: i128) -> bool {
        match (self.target, self.direction) {
            (Some(target), Some(Direction::Climb)) => number > i128::from(target),
            (Some(target), Some(Direction::Countdown)) => number < i128::from(target),
            _ => false,
        }
    }

    /// The entries of `moves`, in their order: 1 to 16. Which moves they come to at a position, [`Rulebook::offers`]
    /// tells.
    #[inline]
    pub fn moves(&self) -> &[Entry] {
        &self.moves
    }

    /// What landing on the target does.
    #[inline]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// What going past the target does.
    #[inline]
    pub fn past(&self) -> Past {
        self.past
    }

    /// Further numbers that win for their owner when they are landed on.
    #[inline]
    pub fn winning(&self) -> &NumberList {
        &self.winning
    }

    /// Further numbers that lose for their owner when they are landed on.
    #[inline]
    pub fn losing(&self) -> &NumberList {
        &self.losing
    }

    /// Numbers that no move may land on.
    #[inline]
    pub fn forbidden(&self) -> &NumberList {
        &self.forbidden
    }

    /// The lowest and the highest number that play may stand on.
    #[inline]
    pub fn range(&self) -> (i64, i64) {
        self.range
    }

    /// Which operation may not be chosen again at once.
    #[inline]
    pub fn no_repeat(&self) -> NoRepeat {
        self.no_repeat
    }

    /// How many moves that leave the number unchanged each player may make; `None` if that is not limited.
    #[inline]
    pub fn passes(&self) -> Option<u8> {
        self.passes
    }

    /// What happens to a player without a legal operation.
    #[inline]
    pub fn stuck(&self) -> Stuck {
        self.stuck
    }

    /// How often a position may occur before the round is drawn; `None` if it may go on for ever.
    pub fn repetition(&self) -> Option<u8> {
        (self.repetition > 0).then_some(self.repetition)
    }

    /// How many turns each player has, after which the number closer to the target wins; `None` if that is not limited.
    #[inline]
    pub fn turns(&self) -> Option<u8> {
        self.turns
    }

    /// What the book promises.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The match form that the book suggests.
    pub fn match_form(&self) -> Option<MatchForm> {
        self.match_form
    }

    /// How the game speaks.
    pub fn wording(&self) -> &Wording {
        &self.wording
    }
}

impl Rulebook {
    /// Whether the rules are about more than fixed operations and single numbers: whether they use what version 2 of the
    /// format adds.
    pub fn has_richer_numbers(&self) -> bool {
        let is_richer = |entry: &Entry| {
            entry.on == On::Other || !entry.when.is_empty() || matches!(entry.op, Op::Computed(_))
        };
        self.moves.iter().any(is_richer)
            || [&self.winning, &self.losing, &self.forbidden].iter().any(|list| list.has_descriptions())
            || self.turns.is_some()
            || self.stuck == Stuck::Closest
    }
}

impl Rulebook {
    /// Whether every move changes the number in the same direction, so that a number never comes up twice.
    pub fn goes_one_way(&self) -> bool {
        self.one_way(|_, _| true).is_some()
    }

    /// The way that every move goes, if they all go one way; `None` as well if no move goes anywhere.
    pub fn only_way(&self) -> Option<Way> {
        self.one_way(|_, _| true).flatten()
    }

    /// The most moves that can be legal at once.
    pub(crate) fn most_choices(&self) -> usize {
        if self.has_only_fixed_moves() { MOST_MOVES } else { MOST_CHOICES }
    }

    /// How many moves there can be to choose from, by the look of some numbers.
    pub(crate) fn usual_choices(&self) -> usize {
        const SAMPLE: u64 = 200;
        if self.has_only_fixed_moves() {
            return self.moves.len();
        }
        let (low, high) = self.numbers_on_turn();
        let step = high.abs_diff(low) / SAMPLE + 1;
        let choices = |number: i64| self.moves.iter().map(|entry| entry.operations_at(number).count()).sum();
        // The starts as well: often, they have the most.
        let sample = (low..=high).step_by(step as usize).chain([self.start.0, self.start.1]);
        sample.map(choices).max().unwrap_or_default()
    }

    /// Whether the same position can come up twice in a round. Uses and passes that are spent do not come back, so only
    /// what is not limited counts.
    pub fn may_repeat(&self) -> bool {
        let is_limited_pass = |way: Way| way == Way::Stays && self.passes.is_some();
        self.turns.is_none()
            && self.one_way(|entry, way| entry.uses.is_none() && !is_limited_pass(way)).is_none()
    }

    /// The way that all the moves which count go, from wherever play can come to; `None` if some go up and some down, or
    /// nowhere. The way itself is `None` if there are no such moves.
    fn one_way(&self, counts: impl Fn(&Entry, Way) -> bool) -> Option<Option<Way>> {
        let mut known = None;
        for entry in &self.moves {
            for numbers in self.signs_within_reach() {
                let Some(way) = entry.way_from(numbers) else { continue };
                if counts(entry, way) && (way == Way::Stays || *known.get_or_insert(way) != way) {
                    return None;
                }
            }
        }
        Some(known)
    }
    /// The numbers that play may come to, and perhaps more: those below 0, 0, and those above it. A way depends on the
    /// number only by its sign. The first number is larger than the last where there are none.
    fn signs_within_reach(&self) -> [(i64, i64); 3] {
        let (low, high) = self.range;
        let (mut least, mut most) = (self.start.0.min(self.start.1), self.start.0.max(self.start.1));
        let signs = |least: i64, most: i64| {
            [(least, most.min(-1)), (least.max(0), most.min(0)), (least.max(1), most)]
        };
        loop {
            let before = (least, most);
            // Of all moves, limited ones among them, only fixed ones that lead away from 0 lead across it. Towards it, a
            // division leads no further than to 1 or -1, and a computed move no further than to 0.
            for entry in &self.moves {
                let across = |way| matches!(entry.op, Op::Fixed(fixed) if fixed.way_from(0) == way);
                let nearest = if matches!(entry.op, Op::Fixed(_)) { 1 } else { 0 };
                for numbers in signs(least, most) {
                    match entry.way_from(numbers) {
                        Some(Way::Up) if numbers.0 > 0 || across(Way::Up) => most = high,
                        Some(Way::Up) => most = most.max(-nearest),
                        Some(Way::Down) if numbers.1 < 0 || across(Way::Down) => least = low,
                        Some(Way::Down) => least = least.min(nearest),
                        Some(Way::Stays) | None => {}
                    }
                }
            }
            if before == (least, most) {
                return signs(least, most);
            }
        }
    }
}
