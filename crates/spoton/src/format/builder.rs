//! Rule books made by a program, key by key, instead of being written by hand.
//!
//! A builder has a method for each key of the format, and comes to the same: it writes a rule book's text and reads it,
//! so that every check and every bound is that of a file, and a problem points at the key in that text. The text can be
//! had as well, to be kept or to be shown.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::draft::Draft;
use super::source::Problems;
use super::wording::Sentence;
use super::{Claim, MatchForm, Menu, NoRepeat, Numbers, On, Op, Past, Pool, Reach, Rulebook, Stuck};
use crate::engine::number_kind::NumberKind;
use crate::engine::operation::Operation;

/// What problems call the text of a builder.
const SOURCE: &str = "builder";

/// A rule book in the making.
///
/// ```
/// use spoton::format::{NewEntry, Past, Pool, RulebookBuilder};
///
/// let book = RulebookBuilder::new("Race to {target}")
///     .start(0)
///     .target(23)
///     .entries(["+1..4"])
///     .entry(NewEntry::new("x2").uses(1).pool(Pool::Shared).label("Double it"))
///     .past(Past::Forbidden)
///     .build()?;
/// assert_eq!((book.title(), book.moves().len()), ("Race to 23", 5));
///
/// let problems = RulebookBuilder::new("Nowhere").start(3).target(3).entries(["+1"]).build().unwrap_err();
/// let message = "`target` is 3, and so is a start: there would be nothing to play";
/// assert_eq!(problems.to_string(), format!("builder:3:10: {message}"));
/// # Ok::<(), spoton::format::Problems>(())
/// ```
///
/// Giving a key again replaces what was given before; only entries, notes and claims add up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a builder does nothing until it is built"]
pub struct RulebookBuilder {
    /// Keys with their values as TOML, in the order in which they were first given.
    keys: Vec<(&'static str, String)>,
    entries: Vec<String>,
    notes: Vec<String>,
    claims: Vec<String>,
    /// The table `wording`, likewise.
    wording: Vec<(&'static str, String)>,
}

/// An entry of `moves` to be given to a [`RulebookBuilder`]; what it is made of is only checked there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an entry does nothing until a builder is given it"]
pub struct NewEntry {
    operation: String,
    conditions: Vec<(&'static str, String)>,
    when: Vec<String>,
}

/// An item of `winning`, `losing` or `forbidden` to be given to a [`RulebookBuilder`]: a number, a span such as `30..=39`,
/// a [`NumberKind`], or a text as rule books write it.
///
/// ```
/// use spoton::engine::number_kind::NumberKind;
/// use spoton::format::{NewItem, RulebookBuilder};
///
/// let winning = [NewItem::from(7), (30..=39).into(), NumberKind::Prime.into(), "multiples of 12".into()];
/// let book = RulebookBuilder::new("Many").start(0).target(50).entries(["+1..4"]).winning_list(winning).build()?;
/// assert_eq!(book.winning().written().collect::<Vec<_>>(), ["7", "30..39", "prime", "multiples of 12"]);
/// # Ok::<(), spoton::format::Problems>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewItem(String);

impl From<i64> for NewItem {
    fn from(number: i64) -> NewItem {
        NewItem(number.to_string())
    }
}

impl From<RangeInclusive<i64>> for NewItem {
    fn from(span: RangeInclusive<i64>) -> NewItem {
        NewItem(quoted(&format!("{}..{}", span.start(), span.end())))
    }
}

impl From<NumberKind> for NewItem {
    fn from(kind: NumberKind) -> NewItem {
        NewItem(quoted(&kind.to_string()))
    }
}

impl From<&str> for NewItem {
    fn from(written: &str) -> NewItem {
        NewItem(quoted(written))
    }
}

impl NewEntry {
    /// An operation as rule books write it, such as `x2`, a span such as `+1..4`, or a computed one such as `-divisor`.
    pub fn new(operation: impl Into<String>) -> NewEntry {
        NewEntry { operation: operation.into(), conditions: Vec::new(), when: Vec::new() }
    }

    /// Whose number it changes; one's own if this is not given.
    pub fn on(mut self, on: On) -> NewEntry {
        put(&mut self.conditions, "on", quoted(on.word()));
        self
    }

    /// The least amount of a computed operation, from 1.
    pub fn least_amount(mut self, least: u16) -> NewEntry {
        put(&mut self.conditions, "from", least.to_string());
        self
    }

    /// The largest amount of a computed operation, to 9,999.
    pub fn largest_amount(mut self, largest: u16) -> NewEntry {
        put(&mut self.conditions, "to", largest.to_string());
        self
    }

    /// One more condition on the number that it would change: a [`Condition`], or a text such as `"odd"`. All of them must
    /// hold.
    ///
    /// [`Condition`]: crate::engine::number_kind::Condition
    pub fn when(mut self, condition: impl Display) -> NewEntry {
        self.when.push(quoted(&condition.to_string()));
        self
    }

    /// How often it may be used in a round, from 1.
    pub fn uses(mut self, limit: u8) -> NewEntry {
        put(&mut self.conditions, "uses", limit.to_string());
        self
    }

    /// Whether each player has so many uses, or both together.
    pub fn pool(mut self, pool: Pool) -> NewEntry {
        put(&mut self.conditions, "pool", quoted(pool.word()));
        self
    }

    /// What the menu calls it; `{amount}` stands for the amount of a computed operation, or of one of a span.
    pub fn label(mut self, label: &str) -> NewEntry {
        put(&mut self.conditions, "label", quoted(label));
        self
    }

    fn text(&self) -> String {
        let operation = quoted(&self.operation);
        let when = match &self.when[..] {
            [] => None,
            [condition] => Some(condition.clone()),
            several => Some(list(several)),
        };
        if self.conditions.is_empty() && when.is_none() {
            return operation;
        }
        let conditions = self.conditions.iter().map(|(key, value)| format!(", {key} = {value}"));
        let when = when.map(|when| format!(", when = {when}")).unwrap_or_default();
        format!("{{ op = {operation}{}{when} }}", conditions.collect::<String>())
    }
}

impl From<&str> for NewEntry {
    fn from(operation: &str) -> NewEntry {
        NewEntry::new(operation)
    }
}

impl From<String> for NewEntry {
    fn from(operation: String) -> NewEntry {
        NewEntry::new(operation)
    }
}

impl From<Op> for NewEntry {
    /// A computed one with its bounds.
    fn from(op: Op) -> NewEntry {
        let entry = NewEntry::new(op.to_string());
        let Op::Computed(computed) = op else { return entry };
        let entry = computed.from.into_iter().fold(entry, NewEntry::least_amount);
        computed.to.into_iter().fold(entry, NewEntry::largest_amount)
    }
}

impl From<Operation> for NewEntry {
    fn from(operation: Operation) -> NewEntry {
        NewEntry::new(operation.to_string())
    }
}

impl RulebookBuilder {
    /// A book with nothing but a title. It needs a start and moves, and a target or a range.
    pub fn new(title: &str) -> RulebookBuilder {
        let keys = vec![("title", quoted(title))];
        RulebookBuilder { keys, entries: vec![], notes: vec![], claims: vec![], wording: vec![] }
    }

    fn with(mut self, key: &'static str, value: impl Display) -> RulebookBuilder {
        put(&mut self.keys, key, value.to_string());
        self
    }

    /// What the game is about, in a sentence.
    pub fn summary(self, summary: &str) -> RulebookBuilder {
        self.with("summary", quoted(summary))
    }

    /// Whom the game suits.
    pub fn suits(self, suits: &str) -> RulebookBuilder {
        self.with("suits", quoted(suits))
    }

    /// One more ruling or remark.
    pub fn note(mut self, note: &str) -> RulebookBuilder {
        self.notes.push(quoted(note));
        self
    }

    /// One number or two; one if it is not given.
    pub fn numbers(self, numbers: Numbers) -> RulebookBuilder {
        self.with("numbers", quoted(numbers.word()))
    }

    /// The number to begin at, for both players.
    pub fn start(self, start: i64) -> RulebookBuilder {
        self.with("start", start)
    }

    /// The number that whoever starts begins at and the other player's, where each has one.
    pub fn starts(self, starter: i64, other: i64) -> RulebookBuilder {
        self.with("start", list([starter, other]))
    }

    /// The number to land on.
    pub fn target(self, target: i64) -> RulebookBuilder {
        self.with("target", target)
    }

    /// One more entry of `moves`: `"+1"`, an [`Operation`], or a [`NewEntry`] with conditions.
    pub fn entry(mut self, entry: impl Into<NewEntry>) -> RulebookBuilder {
        self.entries.push(entry.into().text());
        self
    }

    /// More entries of `moves`.
    pub fn entries<E: Into<NewEntry>>(self, entries: impl IntoIterator<Item = E>) -> RulebookBuilder {
        entries.into_iter().fold(self, RulebookBuilder::entry)
    }

    /// What landing on the target does; it wins if this is not given.
    pub fn reach(self, reach: Reach) -> RulebookBuilder {
        self.with("reach", quoted(reach.word()))
    }

    /// What going past the target does; it loses if this is not given.
    pub fn past(self, past: Past) -> RulebookBuilder {
        self.with("past", quoted(past.word()))
    }

    /// Further numbers that win for whoever lands on them.
    pub fn winning(self, numbers: impl IntoIterator<Item = i64>) -> RulebookBuilder {
        self.with("winning", list(numbers))
    }

    /// Further numbers that lose for whoever lands on them.
    pub fn losing(self, numbers: impl IntoIterator<Item = i64>) -> RulebookBuilder {
        self.with("losing", list(numbers))
    }

    /// Numbers that no move may land on.
    pub fn forbidden(self, numbers: impl IntoIterator<Item = i64>) -> RulebookBuilder {
        self.with("forbidden", list(numbers))
    }

    /// Numbers, spans and kinds that win for whoever lands on them: [`RulebookBuilder::winning`] with more than numbers.
    pub fn winning_list<I: Into<NewItem>>(self, items: impl IntoIterator<Item = I>) -> RulebookBuilder {
        self.with("winning", items_of(items))
    }

    /// Numbers, spans and kinds that lose for whoever lands on them.
    pub fn losing_list<I: Into<NewItem>>(self, items: impl IntoIterator<Item = I>) -> RulebookBuilder {
        self.with("losing", items_of(items))
    }

    /// Numbers, spans and kinds that no move may land on.
    pub fn forbidden_list<I: Into<NewItem>>(self, items: impl IntoIterator<Item = I>) -> RulebookBuilder {
        self.with("forbidden", items_of(items))
    }

    /// The lowest and the highest number that play may stand on; from the start to the target if this is not given.
    pub fn range(self, lowest: i64, highest: i64) -> RulebookBuilder {
        self.with("range", list([lowest, highest]))
    }

    /// Which operation may not be chosen again at once; any may if this is not given.
    pub fn no_repeat(self, no_repeat: NoRepeat) -> RulebookBuilder {
        self.with("no_repeat", quoted(no_repeat.word()))
    }

    /// How many moves that leave the number unchanged each player may make; any number if this is not given.
    pub fn passes(self, passes: u8) -> RulebookBuilder {
        self.with("passes", passes)
    }

    /// What happens to a player without a legal operation; they lose if this is not given.
    pub fn stuck(self, stuck: Stuck) -> RulebookBuilder {
        self.with("stuck", quoted(stuck.word()))
    }

    /// The round is drawn when a position comes up for the so-manyth time, or never if this is 0; 3 if it is not given.
    pub fn repetition(self, repetition: u8) -> RulebookBuilder {
        self.with("repetition", repetition)
    }

    /// How many turns each player has, after which the number closer to the target wins; any number if this is not given.
    pub fn turns(self, turns: u8) -> RulebookBuilder {
        self.with("turns", turns)
    }

    /// One more thing that the book promises about its game.
    pub fn claim(mut self, claim: Claim) -> RulebookBuilder {
        self.claims.push(quoted(&claim.to_string()));
        self
    }

    /// The match form that the book suggests.
    pub fn match_form(self, form: MatchForm) -> RulebookBuilder {
        let (key, number) = match form {
            MatchForm::FirstTo(wins) => ("first_to", wins),
            MatchForm::Rounds(rounds) => ("rounds", rounds),
        };
        self.with("match", format!("{{ {key} = {number} }}"))
    }

    /// How the menu of line mode behaves.
    pub fn menu(mut self, menu: Menu) -> RulebookBuilder {
        put(&mut self.wording, "menu", quoted(menu.word()));
        self
    }

    /// How the game puts something, with placeholders in braces.
    pub fn sentence(mut self, sentence: Sentence, text: &str) -> RulebookBuilder {
        put(&mut self.wording, sentence.info().key, quoted(text));
        self
    }

    /// The book as a file would have it.
    #[must_use]
    pub fn text(&self) -> String {
        let lists = [("moves", &self.entries), ("notes", &self.notes), ("claims", &self.claims)];
        let lists = lists.into_iter().filter(|(_, items)| !items.is_empty());
        let lists = lists.map(|(key, items)| line(key, &list(items)));
        let keys = self.keys.iter().map(|(key, value)| line(key, value));
        let wording = self.wording.iter().map(|(key, value)| line(key, value));
        let head = (!self.wording.is_empty()).then(|| "\n[wording]\n".to_owned());
        keys.chain(lists).chain(head).chain(wording).collect()
    }

    /// The book as if it had been read from a file, for settings to be laid over it.
    #[must_use]
    pub fn draft(&self) -> Draft {
        Draft::read(SOURCE, &self.text())
    }

    /// The rule book, or everything that is wrong with it.
    ///
    /// # Errors
    ///
    /// As for [`Draft::build`]. The problems point at places in [`RulebookBuilder::text`], and name the keys.
    pub fn build(&self) -> Result<Rulebook, Problems> {
        self.draft().build()
    }
}

/// Gives a key a value; the one that it had is replaced.
fn put(keys: &mut Vec<(&'static str, String)>, key: &'static str, value: String) {
    match keys.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => keys.push((key, value)),
    }
}

fn line(key: &str, value: &str) -> String {
    format!("{key} = {value}\n")
}

fn items_of<I: Into<NewItem>>(items: impl IntoIterator<Item = I>) -> String {
    list(items.into_iter().map(|item| item.into().0))
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// Any text as a TOML string on one line. What is not allowed in a rule book is left for the reader to refuse, so it has
/// to come through.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
