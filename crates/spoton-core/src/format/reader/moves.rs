//! The key `moves`: operations, spans, computed amounts, and tables with conditions.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::{LONGEST_TEXT, Reader, Value};
use crate::engine::computed::{Computed, LARGEST_AMOUNT};
use crate::engine::number_kind::{Condition, NotAKind};
use crate::engine::operation::{NotAnOperation, Operation, plain_amount};
use crate::engine::position::MOST_MOVES;
use crate::engine::rulebook::with_amount;
use crate::engine::rulebook::{On, Pool};
use crate::engine::spelling;
use crate::engine::written::ON_OTHER;
use crate::format::draft::GivenMoves;
use crate::format::source::{Located, Problem, nearest};
use crate::format::{Entry, LARGEST, Op, Uses};
use crate::text::quotable;

/// The keys of a move's table.
const KEYS: [&str; 8] = ["op", "on", "from", "to", "when", "uses", "pool", "label"];

impl Reader<'_> {
    pub(super) fn moves(&mut self, value: &Value<'_>) -> Option<Located<GivenMoves>> {
        let array = self.array("moves", value, "moves such as \"+1\", \"x2\" or \"+1..4\"")?;
        let mut moves = GivenMoves { entries: Vec::new(), places: Vec::new() };
        let mut known = BTreeSet::new();
        let mut sound = true;
        for item in array.iter() {
            let Some(read) = self.entries(item) else {
                sound = false;
                continue;
            };
            if let Some(twice) = read.iter().find(|entry| !known.insert(entry.identity())) {
                sound = false;
                let message = format!("`moves` lists {} twice", twice.name());
                let problem = Problem::error(self.place(item.span()), message);
                let is_bounded = matches!(twice.op, Op::Computed(computed) if computed.is_bounded());
                self.problems.push(if is_bounded {
                    problem
                        .help("two entries must differ in `op`, `on` or `when`; `from` and `to` don't count")
                } else {
                    problem
                });
            }
            moves.places.extend(read.iter().map(|_| self.place(item.span())));
            moves.entries.extend(read);
        }
        if !sound {
            return None;
        }
        if !(1..=MOST_MOVES).contains(&moves.entries.len()) {
            return self.fail(
                value.span(),
                format!(
                    "`moves` has {} moves, counting every move of a span; it needs 1 to {MOST_MOVES}",
                    moves.entries.len()
                ),
            );
        }
        Some(self.located(moves, value))
    }

    /// Reads one item of `moves`: an operation, a span, or a table with conditions.
    fn entries(&mut self, item: &Value<'_>) -> Option<Vec<Entry>> {
        match item.get_ref() {
            DeValue::String(text) => {
                let ops = self.ops("moves", item, text)?;
                let plain = |op| Entry { op, on: On::Own, when: Vec::new(), uses: None, label: None };
                Some(ops.into_iter().map(plain).collect())
            }
            DeValue::Table(table) => self.move_table(item, table),
            _ => self.wrong_type("moves", item, "moves such as \"+1\" or { op = \"x2\", uses = 3 }"),
        }
    }

    fn move_table(&mut self, item: &Value<'_>, table: &DeTable<'_>) -> Option<Vec<Entry>> {
        let problems_before = self.problems.len();
        let (mut ops, mut limit, mut pool, mut label) = (None, None, None, None);
        let (mut on, mut from, mut to, mut when) = (None, None, None, Vec::new());
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            match name {
                "op" => ops = self.op(value),
                "on" => on = self.word("on", value, On::WORDS, On::from_word),
                "from" => from = self.integer("from", value, 1..=LARGEST_AMOUNT.into()),
                "to" => to = self.integer("to", value, 1..=LARGEST_AMOUNT.into()),
                "when" => when = self.when(value).unwrap_or_default(),
                "uses" => limit = self.small("uses", value, 1..=255),
                "pool" => pool = self.word("pool", value, Pool::WORDS, Pool::from_word),
                "label" => label = self.label(value),
                other => {
                    let place = self.place(key.span());
                    self.unknown_key("move key", other, place, KEYS.into_iter());
                }
            }
        }
        if !table.contains_key("op") {
            self.fail::<()>(item.span(), "this move has no `op`; add one, such as op = \"x2\"".to_owned());
        }
        if let Some(pool) = &pool
            && !table.contains_key("uses")
        {
            let problem =
                Problem::error(pool.place.clone(), "`pool` needs `uses`; add uses = 1, for example");
            self.problems.push(problem);
        }
        let is_computed = |op: &Op| matches!(op, Op::Computed(_));
        if let Some(op) = ops.iter().flatten().find(|op| !is_computed(op)) {
            for (key, bound) in [("from", &from), ("to", &to)] {
                let Some(bound) = bound else { continue };
                let message =
                    format!("`{key}` limits a computed amount, as in \"-divisor\", but {op} has a fixed one");
                self.problems.push(Problem::error(bound.place.clone(), message));
            }
        } else if let (Some(from), Some(to)) = (&from, &to)
            && from.value > to.value
        {
            let message = format!("`from` must not be above `to`, but {} is above {}", from.value, to.value);
            self.problems.push(Problem::error(from.place.clone(), message));
        }
        if self.problems.len() > problems_before {
            return None;
        }
        let bound = |bound: Option<Located<i64>>| bound.map(|bound| bound.value as u16);
        let (from, to, ops) = (bound(from), bound(to), ops?);
        let uses =
            limit.map(|limit| Uses { limit: limit.value, pool: pool.map_or(Pool::Own, |pool| pool.value) });
        let op_text = table.get("op").and_then(|op| op.get_ref().as_str()).unwrap_or_default();
        let mut entries = Vec::new();
        for op in ops {
            let label = match (&label, op) {
                // Labels of a span include the amount.
                (Some(label), Op::Fixed(operation)) if op_text.contains("..") => {
                    Some(self.label_with(label, operation.amount())?)
                }
                (label, _) => label.as_ref().map(|label| label.value.clone()),
            };
            entries.push(Entry {
                op: match op {
                    Op::Computed(computed) => Op::Computed(computed.bounded(from, to)),
                    fixed => fixed,
                },
                on: on.as_ref().map_or(On::Own, |on| on.value),
                when: when.clone(),
                uses,
                label,
            });
        }
        Some(entries)
    }

    /// The label of one move of a span.
    fn label_with(&mut self, label: &Located<String>, amount: i64) -> Option<String> {
        let filled_in = with_amount(&label.value, amount);
        if filled_in.len() > LONGEST_TEXT {
            let message = format!(
                "`label` has {} bytes with the amount {amount}; the limit is {LONGEST_TEXT}",
                filled_in.len()
            );
            self.problems.push(Problem::error(label.place.clone(), message));
            return None;
        }
        Some(filled_in)
    }

    fn op(&mut self, value: &Value<'_>) -> Option<Vec<Op>> {
        let text = self.text("op", value, LONGEST_TEXT, false)?.value;
        self.ops("op", value, &text)
    }

    /// Parses text such as `+1`, `+1..4` or `-divisor`.
    fn ops(&mut self, key: &str, value: &Value<'_>, text: &str) -> Option<Vec<Op>> {
        if let Ok(computed) = text.parse() {
            return Some(vec![Op::Computed(computed)]);
        }
        match span_of_operations(text) {
            Ok(operations) => Some(operations.into_iter().map(Op::Fixed).collect()),
            Err(why) => {
                let place = self.place(value.span());
                let problem = Problem::error(place, format!("`{key}`: \"{}\": {why}", quotable(text)));
                self.problems.push(match help_for_operation(text) {
                    Some(help) => problem.help(help),
                    None => problem,
                });
                None
            }
        }
    }

    /// Reads the key `when`: a condition, or a list of conditions that must all hold.
    fn when(&mut self, value: &Value<'_>) -> Option<Vec<Condition>> {
        let mut when = match value.get_ref() {
            DeValue::Array(_) => {
                self.list("when", value, "conditions such as \"odd\"", Reader::condition)?.value
            }
            _ => vec![self.condition(value)?],
        };
        if when.is_empty() {
            let message = "`when` is an empty list; leave it out if any number will do".to_owned();
            return self.fail(value.span(), message);
        }
        when.sort_unstable();
        when.dedup();
        Some(when)
    }

    fn condition(&mut self, value: &Value<'_>) -> Option<Condition> {
        let forms = || {
            let forms = Condition::FORMS.iter().map(|form| format!("\"{form}\"")).collect::<Vec<_>>();
            forms.join(", ")
        };
        let DeValue::String(text) = value.get_ref() else {
            return self.wrong_type("when", value, &format!("one of {}, or a list of them", forms()));
        };
        let why = match text.parse() {
            Ok(condition) => return Some(condition),
            Err(why) => why,
        };
        let allowed = match why {
            NotAKind::Words => format!("one of {}, or a list of them", forms()),
            NotAKind::Bounds => {
                "numbers in plain digits from -10^18 to 10^18, with K at least 1 in \"multiple of K\""
                    .to_owned()
            }
            NotAKind::Downwards => "\"from A to B\" with B not below A".to_owned(),
        };
        let place = self.place(value.span());
        let problem = Problem::error(place, format!("`when` takes {allowed}, not \"{}\"", quotable(text)));
        let meant = super::meant(text, Condition::FORMS).filter(|_| why == NotAKind::Words);
        self.problems.push(match (super::span_of_numbers(text), meant) {
            (Some((from, to)), _) => problem.help(format!("write \"from {from} to {to}\"")),
            (None, Some(meant)) => problem.help(format!("did you mean \"{meant}\"?")),
            (None, None) => problem,
        });
        None
    }

    fn label(&mut self, value: &Value<'_>) -> Option<Located<String>> {
        let label = self.text("label", value, LONGEST_TEXT, false)?;
        if label.value.trim().is_empty() {
            return self.fail(value.span(), "`label` is empty; leave it out to use the default".to_owned());
        }
        Some(label)
    }
}

/// Suggests a valid move for invalid text.
fn help_for_operation(text: &str) -> Option<String> {
    if let Some(op) = text.strip_prefix(ON_OTHER) {
        let op = canonical(op).unwrap_or_else(|| op.trim_start().to_owned());
        return Some(format!("write {{ op = \"{}\", on = \"other\" }}", quotable(&op)));
    }
    if let Some(canonical) = canonical(text).filter(|canonical| canonical != text) {
        return Some(format!("write \"{canonical}\""));
    }
    let amounts =
        super::span_of_numbers(text).filter(|(from, to)| *from >= 1 && to - from < MOST_MOVES as i64);
    if let Some((from, to)) = amounts {
        return Some(format!("write \"+{from}..{to}\", or with -, x or / instead of +"));
    }
    // Suggest a word only if the text contains one.
    let after_sign = text.get(1..).unwrap_or_default();
    if !after_sign.contains(|c: char| c.is_ascii_lowercase() && c != 'x') {
        return None;
    }
    Some(match nearest(text, Computed::forms()) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => {
            let forms: Vec<String> = Computed::forms().map(|form| format!("\"{form}\"")).collect();
            format!("computed amounts are written {}", forms.join(", "))
        }
    })
}

/// The rule book notation for another spelling of a move or a span: `+3` for `+ 3`, `x2` for `*2`, `+1..4`
/// for `+1-4`.
fn canonical(text: &str) -> Option<String> {
    let own = |text: &str| spelling::written(text).filter(|written| written.on == On::Own);
    if let Some(written) = own(text) {
        return Some(written.to_string());
    }
    let (first, last) = super::ends_of_span(text)?;
    let first = own(first)?.operation;
    let last = last.trim_start_matches(first.kind().sign()).trim_start().parse().ok()?;
    let last = Operation::new(first.kind(), last).filter(|last| last.amount() > first.amount())?;
    Some(format!("{first}..{}", last.amount()))
}

/// The operations of `+1` or `+1..4`.
fn span_of_operations(text: &str) -> Result<Vec<Operation>, String> {
    let Some((first, last)) = text.split_once("..") else {
        return Ok(vec![text.parse::<Operation>().map_err(|why| why.to_string())?]);
    };
    let first: Operation = first.parse().map_err(|why: NotAnOperation| why.to_string())?;
    let last = plain_amount(last).map_err(|why| why.to_string())?;
    if last < first.amount() {
        let turned = Operation::new(first.kind(), last).map_or(String::new(), |low| format!("{low}.."));
        return Err(format!("write the smaller amount of a span first: {turned}{}", first.amount()));
    }
    if last > LARGEST {
        return Err(NotAnOperation::Bounds.to_string());
    }
    if last - first.amount() >= MOST_MOVES as i64 {
        return Err(format!("this span has {} moves; the limit is {MOST_MOVES}", last - first.amount() + 1));
    }
    let operation = |amount| Operation::new(first.kind(), amount).ok_or(NotAnOperation::Bounds.to_string());
    (first.amount()..=last).map(operation).collect()
}
