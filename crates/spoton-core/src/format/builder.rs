//! Builds rule books key by key, from code.
//!
//! The builder writes the text of a rule book and reads it back. So it has the same checks and bounds as a
//! file, and problems point at keys in that text. [`RulebookBuilder::text`] returns it.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::draft::Draft;
use super::source::Problems;
use super::{Claim, MatchForm, Menu, NoRepeat, Numbers, On, Op, Past, Pool, Reach, Rulebook, Stuck};
use crate::engine::number_kind::NumberKind;
use crate::engine::operation::Operation;
use crate::engine::rulebook::Sentence;

/// The source name that problems show for a builder's text.
const SOURCE: &str = "builder";

/// A builder of rule books.
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
/// let message = "`target` and `start` are both 3; choose another target";
/// assert_eq!(problems.to_string(), format!("builder:3:10: {message}"));
/// # Ok::<(), spoton::format::Problems>(())
/// ```
///
/// Setting a key again replaces it. Entries, notes and claims accumulate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a builder does nothing until it is built"]
pub struct RulebookBuilder {
    /// Keys and their TOML values, in the order in which they were first set.
    keys: Vec<(&'static str, String)>,
    entries: Vec<String>,
    notes: Vec<String>,
    claims: Vec<String>,
    /// The same for the table `wording`.
    wording: Vec<(&'static str, String)>,
}

/// An entry of `moves` for a [`RulebookBuilder`], which checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an entry does nothing until it is passed to a builder"]
pub struct NewEntry {
    operation: String,
    conditions: Vec<(&'static str, String)>,
    when: Vec<String>,
}

/// An item of `winning`, `losing` or `forbidden` for a [`RulebookBuilder`]: a number, a span such as
/// `30..=39`, a [`NumberKind`], or text as in a rule book.
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
    /// A move as in a rule book: `x2`, a span such as `+1..4`, or a computed one such as `-divisor`.
    pub fn new(operation: impl Into<String>) -> NewEntry {
        NewEntry { operation: operation.into(), conditions: Vec::new(), when: Vec::new() }
    }

    /// Sets whose number it changes. Default: the player's own.
    pub fn on(mut self, on: On) -> NewEntry {
        put(&mut self.conditions, "on", quoted(on.word()));
        self
    }

    /// Sets the smallest amount of a computed move, at least 1.
    pub fn least_amount(mut self, least: u16) -> NewEntry {
        put(&mut self.conditions, "from", least.to_string());
        self
    }

    /// Sets the largest amount of a computed move, at most 9,999.
    pub fn largest_amount(mut self, largest: u16) -> NewEntry {
        put(&mut self.conditions, "to", largest.to_string());
        self
    }

    /// Adds a condition on the number to change: a [`Condition`], or text such as `"odd"`. All conditions
    /// must hold.
    ///
    /// [`Condition`]: crate::engine::number_kind::Condition
    pub fn when(mut self, condition: impl Display) -> NewEntry {
        self.when.push(quoted(&condition.to_string()));
        self
    }

    /// Sets how many uses a round allows, at least 1.
    pub fn uses(mut self, limit: u8) -> NewEntry {
        put(&mut self.conditions, "uses", limit.to_string());
        self
    }

    /// Sets whether each player has these uses, or both share them.
    pub fn pool(mut self, pool: Pool) -> NewEntry {
        put(&mut self.conditions, "pool", quoted(pool.word()));
        self
    }

    /// Sets the label in the menu. `{amount}` is the amount of a computed move, or of a move in a
    /// span.
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
    /// Converts a computed move with its bounds.
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
    /// Creates a book with only a title. It needs a start, moves, and a target or a range.
    pub fn new(title: &str) -> RulebookBuilder {
        let keys = vec![("title", quoted(title))];
        RulebookBuilder { keys, entries: vec![], notes: vec![], claims: vec![], wording: vec![] }
    }

    fn with(mut self, key: &'static str, value: impl Display) -> RulebookBuilder {
        put(&mut self.keys, key, value.to_string());
        self
    }

    /// Sets a one-sentence summary.
    pub fn summary(self, summary: &str) -> RulebookBuilder {
        self.with("summary", quoted(summary))
    }

    /// Sets the audience of the game.
    pub fn suits(self, suits: &str) -> RulebookBuilder {
        self.with("suits", quoted(suits))
    }

    /// Adds a note.
    pub fn note(mut self, note: &str) -> RulebookBuilder {
        self.notes.push(quoted(note));
        self
    }

    /// Sets whether the players share a number. Default: they do.
    pub fn numbers(self, numbers: Numbers) -> RulebookBuilder {
        self.with("numbers", quoted(numbers.word()))
    }

    /// Sets the start, for both players.
    pub fn start(self, start: i64) -> RulebookBuilder {
        self.with("start", start)
    }

    /// Sets the starting player's number and the opponent's, if each has one.
    pub fn starts(self, starter: i64, other: i64) -> RulebookBuilder {
        self.with("start", list([starter, other]))
    }

    /// Sets the number to land on.
    pub fn target(self, target: i64) -> RulebookBuilder {
        self.with("target", target)
    }

    /// Adds an entry of `moves`: `"+1"`, an [`Operation`], or a [`NewEntry`] with conditions.
    pub fn entry(mut self, entry: impl Into<NewEntry>) -> RulebookBuilder {
        self.entries.push(entry.into().text());
        self
    }

    /// Adds entries of `moves`.
    pub fn entries<E: Into<NewEntry>>(self, entries: impl IntoIterator<Item = E>) -> RulebookBuilder {
        entries.into_iter().fold(self, RulebookBuilder::entry)
    }

    /// Sets what landing on the target does. Default: it wins.
    pub fn reach(self, reach: Reach) -> RulebookBuilder {
        self.with("reach", quoted(reach.word()))
    }

    /// Sets what going past the target does. Default: it loses.
    pub fn past(self, past: Past) -> RulebookBuilder {
        self.with("past", quoted(past.word()))
    }

    /// Sets more numbers that win for the player who lands there.
    pub fn winning(self, numbers: impl IntoIterator<Item = i64>) -> RulebookBuilder {
        self.with("winning", list(numbers))
    }

    /// Sets numbers that lose for the player who lands there.
    pub fn losing(self, numbers: impl IntoIterator<Item = i64>) -> RulebookBuilder {
        self.with("losing", list(numbers))
    }

    /// Sets numbers that no move may land on.
    pub fn forbidden(self, numbers: impl IntoIterator<Item = i64>) -> RulebookBuilder {
        self.with("forbidden", list(numbers))
    }

    /// Sets numbers, spans and kinds that win for the player who lands there. [`RulebookBuilder::winning`]
    /// takes only numbers.
    pub fn winning_list<I: Into<NewItem>>(self, items: impl IntoIterator<Item = I>) -> RulebookBuilder {
        self.with("winning", items_of(items))
    }

    /// Sets numbers, spans and kinds that lose for the player who lands there.
    pub fn losing_list<I: Into<NewItem>>(self, items: impl IntoIterator<Item = I>) -> RulebookBuilder {
        self.with("losing", items_of(items))
    }

    /// Sets numbers, spans and kinds that no move may land on.
    pub fn forbidden_list<I: Into<NewItem>>(self, items: impl IntoIterator<Item = I>) -> RulebookBuilder {
        self.with("forbidden", items_of(items))
    }

    /// Sets the lowest and highest numbers of the game. Default: from the start to the target.
    pub fn range(self, lowest: i64, highest: i64) -> RulebookBuilder {
        self.with("range", list([lowest, highest]))
    }

    /// Sets which move can't be repeated. Default: none.
    pub fn no_repeat(self, no_repeat: NoRepeat) -> RulebookBuilder {
        self.with("no_repeat", quoted(no_repeat.word()))
    }

    /// Sets how many passes (moves that leave the number unchanged) each player may make. Default: no limit.
    pub fn passes(self, passes: u8) -> RulebookBuilder {
        self.with("passes", passes)
    }

    /// Sets what happens to a player without a legal move. Default: they lose.
    pub fn stuck(self, stuck: Stuck) -> RulebookBuilder {
        self.with("stuck", quoted(stuck.word()))
    }

    /// Sets how often a position may occur before the round is drawn; 0 means never. Default: 3.
    pub fn repetition(self, repetition: u8) -> RulebookBuilder {
        self.with("repetition", repetition)
    }

    /// Sets how many turns each player has. After them, the number closer to the target wins. Default: no
    /// limit.
    pub fn turns(self, turns: u8) -> RulebookBuilder {
        self.with("turns", turns)
    }

    /// Adds a claim about the game.
    pub fn claim(mut self, claim: Claim) -> RulebookBuilder {
        self.claims.push(quoted(&claim.to_string()));
        self
    }

    /// Sets the suggested match form.
    pub fn match_form(self, form: MatchForm) -> RulebookBuilder {
        let (key, number) = match form {
            MatchForm::FirstTo(wins) => ("first_to", wins),
            MatchForm::Rounds(rounds) => ("rounds", rounds),
        };
        self.with("match", format!("{{ {key} = {number} }}"))
    }

    /// Sets how the menu of line mode behaves.
    pub fn menu(mut self, menu: Menu) -> RulebookBuilder {
        put(&mut self.wording, "menu", quoted(menu.word()));
        self
    }

    /// Sets a sentence of the dialogue, with placeholders in braces.
    pub fn sentence(mut self, sentence: Sentence, text: &str) -> RulebookBuilder {
        put(&mut self.wording, sentence.info().key, quoted(text));
        self
    }

    /// Returns the book as the text of a rule book file.
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

    /// Returns the book as a draft, ready for settings.
    #[must_use]
    pub fn draft(&self) -> Draft {
        Draft::read(SOURCE, &self.text())
    }

    /// Builds the rule book, or returns all problems.
    ///
    /// # Errors
    ///
    /// As for [`Draft::build`]. The problems name the keys and point at places in [`RulebookBuilder::text`].
    pub fn build(&self) -> Result<Rulebook, Problems> {
        self.draft().build()
    }
}

/// Sets a key, replacing its value.
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

/// Writes any text as a TOML string on one line. Characters that rule books don't allow must survive, so that
/// the reader can refuse them.
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
