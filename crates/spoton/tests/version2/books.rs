//! Random rule books with every key of both versions, as plain descriptions written out as TOML.
//!
//! A book's number always gives the same book. Independent of the library.

use std::collections::BTreeSet;
use std::fmt;

use crate::random_books::Dice;
use crate::version2::oracle::Graph;

pub const LARGEST: i64 = 1_000_000_000_000_000_000;

/// The largest computed amount, and the limit for numbers whose divisors and primes are used.
pub const LARGEST_AMOUNT: i64 = 9_999;

/// The keys that a book may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    One,
    Two,
}

/// Everything that affects play.
#[derive(Clone, Debug)]
pub struct Book {
    pub separate: bool,
    /// The starting player's number and the opponent's.
    pub start: (i64, i64),
    pub target: Option<i64>,
    pub items: Vec<Item>,
    pub reach: &'static str,
    pub past: &'static str,
    pub winning: Vec<Listed>,
    pub losing: Vec<Listed>,
    pub forbidden: Vec<Listed>,
    pub range: Option<(i64, i64)>,
    pub no_repeat: &'static str,
    pub passes: Option<u8>,
    pub stuck: &'static str,
    pub repetition: Option<u8>,
    pub turns: Option<u8>,
    /// Decides details of the text: explicit defaults, quotes, tables.
    pub style: u64,
}

/// An item of `moves`: an operation, a span, or a computed one.
#[derive(Clone, Debug)]
pub struct Item {
    pub sign: char,
    pub amount: Amount,
    pub on_other: bool,
    pub from: Option<i64>,
    pub to: Option<i64>,
    pub when: Vec<Condition>,
    /// The limit, and whether both players share it.
    pub uses: Option<(u8, bool)>,
    pub label: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Fixed(i64),
    /// Inclusive; expanded by [`Book::entries`].
    Span(i64, i64),
    Divisor,
    Prime,
    Digit,
    Half,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Even,
    Odd,
    Prime,
    Square,
    Multiples(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    Kind(Kind),
    Below(i64),
    Above(i64),
    Between(i64, i64),
}

/// An item of a number list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    Integer(i64),
    Span(i64, i64),
    Kind(Kind),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Even => f.write_str("even"),
            Kind::Odd => f.write_str("odd"),
            Kind::Prime => f.write_str("prime"),
            Kind::Square => f.write_str("square"),
            Kind::Multiples(of) => write!(f, "multiples of {of}"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Covers both spellings.
            Condition::Kind(Kind::Multiples(of)) if of % 2 == 0 => write!(f, "multiple of {of}"),
            Condition::Kind(kind) => kind.fmt(f),
            Condition::Below(than) => write!(f, "below {than}"),
            Condition::Above(than) => write!(f, "above {than}"),
            Condition::Between(a, b) => write!(f, "from {a} to {b}"),
        }
    }
}

impl Item {
    pub fn new(sign: char, amount: Amount) -> Item {
        Item { sign, amount, on_other: false, from: None, to: None, when: vec![], uses: None, label: None }
    }

    fn op(&self) -> String {
        let sign = self.sign;
        match self.amount {
            Amount::Fixed(amount) => format!("{sign}{amount}"),
            Amount::Span(from, to) => format!("{sign}{from}..{to}"),
            Amount::Divisor => format!("{sign}divisor"),
            Amount::Prime => format!("{sign}prime"),
            Amount::Digit => format!("{sign}digit"),
            Amount::Half => format!("{sign}1..half"),
        }
    }

    /// One entry per operation of a span; otherwise the item itself.
    pub fn entries(&self) -> Vec<Item> {
        match self.amount {
            Amount::Span(from, to) => {
                (from..=to).map(|amount| Item { amount: Amount::Fixed(amount), ..self.clone() }).collect()
            }
            _ => vec![self.clone()],
        }
    }

    pub fn is_computed(&self) -> bool {
        !matches!(self.amount, Amount::Fixed(_) | Amount::Span(..))
    }

    /// The key in which two entries must differ.
    fn name(&self) -> (String, bool, BTreeSet<Condition>) {
        (self.op(), self.on_other, self.when.iter().copied().collect())
    }

    pub fn written(&self, separate: bool, dice: &mut Dice) -> String {
        let quote = dice.pick(&["'", "\""]);
        let text = |text: &str| format!("{quote}{text}{quote}");
        let mut keys = vec![format!("op = {}", text(&self.op()))];
        if self.on_other {
            keys.push(format!("on = {}", text("other")));
        } else if separate && self.is_computed() && dice.chance(10) {
            keys.push(format!("on = {}", text("own")));
        }
        keys.extend(self.from.map(|from| format!("from = {from}")));
        keys.extend(self.to.map(|to| format!("to = {to}")));
        match self.when.as_slice() {
            [] => {}
            [one] if dice.chance(80) => keys.push(format!("when = {}", text(&one.to_string()))),
            all => {
                let all: Vec<String> = all.iter().map(|condition| text(&condition.to_string())).collect();
                keys.push(format!("when = [{}]", all.join(", ")));
            }
        }
        if let Some((uses, shared)) = self.uses {
            keys.push(format!("uses = {uses}"));
            if shared {
                keys.push(format!("pool = {}", text("shared")));
            } else if dice.chance(20) {
                keys.push(format!("pool = {}", text("own")));
            }
        }
        keys.extend(self.label.as_ref().map(|label| format!("label = {}", text(label))));
        if keys.len() == 1 { text(&self.op()) } else { format!("{{ {} }}", keys.join(", ")) }
    }
}

impl Book {
    /// A shared number from a start, with defaults for the rest.
    pub fn new(start: i64, items: Vec<Item>) -> Book {
        Book {
            separate: false,
            start: (start, start),
            target: None,
            items,
            reach: "wins",
            past: "loses",
            winning: vec![],
            losing: vec![],
            forbidden: vec![],
            range: None,
            no_repeat: "none",
            passes: None,
            stuck: "loses",
            repetition: None,
            turns: None,
            style: 1,
        }
    }

    /// `moves` with expanded spans.
    pub fn entries(&self) -> Vec<Item> {
        self.items.iter().flat_map(Item::entries).collect()
    }

    pub fn climbs(&self) -> Option<bool> {
        self.target.map(|target| target > self.start.0)
    }

    /// The given range, or the default from the lowest to the highest of starts and target.
    pub fn bounds(&self) -> (i64, i64) {
        let (a, b) = self.start;
        let target = self.target.unwrap_or(a);
        self.range.unwrap_or((a.min(b).min(target), a.max(b).max(target)))
    }

    pub fn text(&self) -> String {
        self.text_with(&[], &[])
    }

    /// The rule book's text with more items in `moves`, and some keys replaced or added.
    pub fn text_with(&self, items: &[&str], keys: &[(&str, &str)]) -> String {
        let mut dice = Dice::new(self.style);
        let mut lines: Vec<(&str, String)> = vec![("title", "'Any game'".to_owned())];
        let mut key = |name: &'static str, value: String, is_default: bool| {
            if !is_default || self.style.is_multiple_of(3) {
                lines.push((name, value));
            }
        };
        let word = |word: &str| format!("'{word}'");
        let (a, b) = self.start;
        key("numbers", word(if self.separate { "separate" } else { "shared" }), !self.separate);
        key("start", if a == b { a.to_string() } else { format!("[{a}, {b}]") }, false);
        if let Some(target) = self.target {
            key("target", target.to_string(), false);
            key("reach", word(self.reach), self.reach == "wins");
            key("past", word(self.past), self.past == "loses");
        }
        let own: Vec<String> = self.items.iter().map(|item| item.written(self.separate, &mut dice)).collect();
        let all: Vec<&str> = own.iter().map(String::as_str).chain(items.iter().copied()).collect();
        key("moves", format!("[{}]", all.join(", ")), false);
        for (name, list) in
            [("winning", &self.winning), ("losing", &self.losing), ("forbidden", &self.forbidden)]
        {
            let items: Vec<String> = list
                .iter()
                .map(|listed| match listed {
                    Listed::Integer(number) => number.to_string(),
                    Listed::Span(from, to) => format!("'{from}..{to}'"),
                    Listed::Kind(kind) => format!("'{kind}'"),
                })
                .collect();
            key(name, format!("[{}]", items.join(", ")), list.is_empty());
        }
        if let Some((low, high)) = self.range {
            key("range", format!("[{low}, {high}]"), false);
        }
        key("no_repeat", word(self.no_repeat), self.no_repeat == "none");
        if let Some(passes) = self.passes {
            key("passes", passes.to_string(), false);
        }
        key("stuck", word(self.stuck), self.stuck == "loses");
        if let Some(repetition) = self.repetition {
            key("repetition", repetition.to_string(), false);
        }
        if let Some(turns) = self.turns {
            key("turns", turns.to_string(), false);
        }
        for (name, value) in keys {
            lines.retain(|(known, _)| known != name);
            lines.push((*name, (*value).to_owned()));
        }
        lines.iter().map(|(name, value)| format!("{name} = {value}\n")).collect()
    }

    /// The range without the part past the target, which has no effect.
    fn bounds_in_play(&self) -> (i64, i64) {
        let (low, high) = self.bounds();
        match (self.climbs(), self.target) {
            (Some(true), Some(target)) => (low, target),
            (Some(false), Some(target)) => (target, high),
            _ => (low, high),
        }
    }

    /// An upper bound on the moves in one menu, as the format counts them.
    fn most_moves(&self) -> usize {
        let (low, high) = self.bounds_in_play();
        let (own, other): (Vec<Item>, Vec<Item>) =
            self.entries().into_iter().partition(|entry| !entry.on_other);
        let most = |entries: &[Item]| {
            if high.abs_diff(low) > 2_000 {
                entries.iter().map(most_amounts).sum()
            } else {
                (low..=high).map(|number| moves_at(entries, number)).max().unwrap_or(0)
            }
        };
        most(&own) + most(&other)
    }

    /// Checks the bounds of the format that the drawing ignores.
    fn is_within_bounds(&self) -> bool {
        let (low, high) = self.bounds_in_play();
        let factors = self.items.iter().any(|item| matches!(item.amount, Amount::Divisor | Amount::Prime));
        let entries = self.entries();
        let names: BTreeSet<_> = entries.iter().map(Item::name).collect();
        (!factors || (low >= -LARGEST_AMOUNT && high <= LARGEST_AMOUNT))
            && (1..=16).contains(&entries.len())
            && names.len() == entries.len()
            && self.most_moves() <= 64
    }
}

/// The maximum number of amounts that an entry has at any number.
fn most_amounts(entry: &Item) -> usize {
    match entry.amount {
        Amount::Digit => 9,
        Amount::Half => (entry.to.unwrap_or(LARGEST_AMOUNT) - entry.from.unwrap_or(1) + 1) as usize,
        Amount::Divisor | Amount::Prime => 1_000,
        Amount::Fixed(_) | Amount::Span(..) => 1,
    }
}

/// The number of moves at a given number, ignoring conditions.
fn moves_at(entries: &[Item], number: i64) -> usize {
    let mut written = BTreeSet::new();
    for entry in entries {
        let (from, to) = (entry.from.unwrap_or(1), entry.to.unwrap_or(LARGEST_AMOUNT));
        let bounded = (1..=number.min(LARGEST_AMOUNT)).filter(|amount| (from..=to).contains(amount));
        let amounts: Vec<i64> = match entry.amount {
            Amount::Fixed(amount) => vec![amount],
            Amount::Half => bounded.filter(|amount| *amount <= number / 2).collect(),
            Amount::Digit => bounded.filter(|amount| *amount <= 9).collect(),
            _ => bounded.filter(|amount| number % amount == 0).collect(),
        };
        written.extend(amounts.into_iter().map(|amount| (entry.sign, amount)));
    }
    written.len()
}

/// The book with this number. If its round is over immediately, tries a few others, so that most books are playable.
pub fn book(number: u64, version: Version) -> Book {
    let mut dice = Dice::new(number.wrapping_mul(2).wrapping_add(u64::from(version == Version::Two)));
    let mut positions = dice.pick(&[0, 8, 20, 40, 80]);
    loop {
        let book = Drawing { dice: &mut dice, version }.book();
        if !book.is_within_bounds() {
            continue;
        }
        if positions == 0 || Graph::of_openings(&book, positions).is_none() {
            return book;
        }
        positions -= positions.div_ceil(10);
    }
}

struct Drawing<'a> {
    dice: &'a mut Dice,
    version: Version,
}

/// The region of play.
#[derive(Clone, Copy)]
struct Zone {
    low: i64,
    high: i64,
    climbs: Option<bool>,
    separate: bool,
}

impl Drawing<'_> {
    fn is_new(&self) -> bool {
        self.version == Version::Two
    }

    fn book(&mut self) -> Book {
        let zone = self.zone();
        let Zone { low, high, climbs, separate } = zone;
        let near = (high - low) / 4;
        let (a, b) = match climbs {
            Some(true) => (low + self.dice.between(0, near), low + self.dice.between(0, near)),
            Some(false) => (high - self.dice.between(0, near), high - self.dice.between(0, near)),
            None => (self.dice.between(low, high), self.dice.between(low, high)),
        };
        let start = (a, if separate && self.dice.chance(60) { b } else { a });
        let target = climbs.map(|climbs| {
            let short = self.dice.between(0, near);
            if climbs { high - short } else { low + short }
        });
        let target = target.filter(|target| *target != start.0 && *target != start.1);
        let range = (target.is_none() || self.dice.chance(45)).then(|| self.range(zone, target.is_some()));
        let mut book = Book {
            separate,
            start,
            target,
            items: vec![],
            reach: self.dice.pick(&["wins", "wins", "wins", "loses"]),
            past: self.dice.pick(&["loses", "forbidden", "forbidden", "wins"]),
            winning: vec![],
            losing: vec![],
            forbidden: vec![],
            range,
            no_repeat: self.dice.pick(&["none", "none", "none", "own", "opponent", "both"]),
            passes: self.dice.chance(20).then(|| self.dice.between(0, 2) as u8),
            stuck: self.dice.pick(&["loses", "wins", "draws", "skips", "skips"]),
            repetition: self.dice.chance(15).then(|| self.dice.pick(&[0, 2, 4])),
            turns: None,
            style: self.dice.below(1_000_000) as u64,
        };
        if self.is_new() && separate && target.is_some() {
            if self.dice.chance(35) {
                book.stuck = "closest";
            }
            book.turns = self.dice.chance(25).then(|| self.dice.pick(&[1, 2, 2, 3, 3, 4, 6, 255]));
        }
        self.lists(&mut book);
        self.items(&mut book, zone);
        book
    }

    fn zone(&mut self) -> Zone {
        let separate = self.dice.chance(60);
        let climbs = self.dice.pick(&[Some(true), Some(true), Some(false), Some(false), None]);
        let width = match (separate, self.dice.below(10)) {
            (true, _) => self.dice.between(3, 11),
            (false, 0..=5) => self.dice.between(6, 30),
            (false, _) => self.dice.between(20, 64),
        };
        let (low, high) = match self.dice.below(20) {
            0 => (LARGEST - width, LARGEST),
            1 => (-LARGEST, width - LARGEST),
            2 => {
                let low = self.dice.pick(&[9_999 - width, 999_999_995, LARGEST - 10, 9_990]);
                (low, (low + width).min(LARGEST))
            }
            3 => (-9_999, width - 9_999),
            4..=6 => {
                let low = -self.dice.between(1, width);
                (low, low + width)
            }
            _ => {
                let low = self.dice.between(0, 3);
                (low, low + width)
            }
        };
        Zone { low, high, climbs, separate }
    }

    fn range(&mut self, zone: Zone, has_target: bool) -> (i64, i64) {
        let Zone { low, high, .. } = zone;
        if has_target && self.dice.chance(10) {
            // The range can be huge, because a target limits play.
            return if zone.climbs == Some(true) { (low, LARGEST) } else { (-LARGEST, high) };
        }
        let most = if has_target { 5 } else { 2 };
        let (below, above) = (self.dice.between(0, most), self.dice.between(0, most));
        ((low - below).max(-LARGEST), (high + above).min(LARGEST))
    }

    fn lists(&mut self, book: &mut Book) {
        let (low, high) = match book.target {
            Some(target) => {
                (book.start.0.min(target).saturating_sub(3), book.start.0.max(target).saturating_add(3))
            }
            None => book.bounds(),
        };
        let (low, high) = (low.max(-LARGEST), high.min(LARGEST));
        let mut taken: Vec<i64> = book.target.into_iter().collect();
        let lists = [(); 3].map(|()| {
            let mut list: Vec<Listed> = Vec::new();
            let count = if self.dice.chance(28) { self.dice.between(1, 3) } else { 0 };
            for _ in 0..count {
                let number = self.dice.between(low, high);
                let listed = match self.dice.below(10) {
                    0..=2 if self.is_new() => {
                        Listed::Span(number, (number + self.dice.between(1, 4)).min(LARGEST))
                    }
                    3..=5 if self.is_new() => Listed::Kind(self.kind()),
                    _ if taken.contains(&number) => continue,
                    _ => {
                        taken.push(number);
                        Listed::Integer(number)
                    }
                };
                if !list.contains(&listed) {
                    list.push(listed);
                }
            }
            list.retain(|listed| !matches!(listed, Listed::Span(a, b) if a == b));
            list
        });
        [book.winning, book.losing, book.forbidden] = lists;
    }

    fn kind(&mut self) -> Kind {
        let of = self.dice.pick(&[1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 10, 13]);
        let kinds = [
            Kind::Even,
            Kind::Odd,
            Kind::Prime,
            Kind::Square,
            Kind::Multiples(of),
            Kind::Multiples(of),
            Kind::Multiples(if self.dice.chance(10) { LARGEST } else { 7 }),
        ];
        self.dice.pick(&kinds)
    }

    fn condition(&mut self, zone: Zone) -> Condition {
        let (low, high) = (zone.low.max(2 - LARGEST), zone.high.min(LARGEST - 2));
        let number = self.dice.between(low, high.max(low));
        match self.dice.below(9) {
            0..=4 => Condition::Kind(self.kind()),
            5 => Condition::Below(number + 1),
            6 => Condition::Above(number - 1),
            7 => Condition::Between(number, (number + self.dice.between(0, 8)).min(LARGEST)),
            _ => {
                let huge = self.dice.pick(&[LARGEST, -LARGEST]);
                if self.dice.chance(50) { Condition::Below(huge) } else { Condition::Above(huge) }
            }
        }
    }

    fn conditions(&mut self, zone: Zone) -> Vec<Condition> {
        let count = if self.dice.chance(75) { 1 } else { 2 };
        let all: BTreeSet<Condition> = (0..count).map(|_| self.condition(zone)).collect();
        all.into_iter().collect()
    }

    fn items(&mut self, book: &mut Book, zone: Zone) {
        let computed = if self.is_new() { self.dice.pick(&[0, 35, 60, 85]) } else { 0 };
        let conditions = if self.is_new() { self.dice.pick(&[0, 0, 30, 60]) } else { 0 };
        let others = if self.is_new() && book.separate { self.dice.pick(&[0, 40, 70]) } else { 0 };
        let count = if self.dice.chance(12) { self.dice.between(5, 8) } else { self.dice.between(1, 4) };
        // Limits multiply the number of positions, and so do separate numbers.
        let mut limits = if self.dice.chance(45) { if book.separate { 2 } else { 3 } } else { 0 };
        for _ in 0..count {
            let mut item = self.plain_item(zone, computed);
            item.on_other = self.dice.chance(others);
            if self.dice.chance(conditions) {
                item.when = self.conditions(zone);
            }
            if self.is_new() && !book.items.is_empty() && self.dice.chance(12) {
                // The same operation again, with a different condition.
                let known = book.items[self.dice.below(book.items.len())].clone();
                item = Item { when: item.when, uses: None, label: None, ..known };
            }
            let limited = limits > 0 && self.dice.chance(50);
            let each = item.entries().len() as i64;
            if limited && (self.is_new() || each == 1) {
                item.uses = Some((self.dice.pick(&[1, 1, 2, 3]), self.dice.chance(50)));
                limits -= each.min(limits);
            }
            let may_be_table = self.is_new() || each == 1;
            if may_be_table && self.dice.chance(8) {
                let amount =
                    if item.is_computed() || each > 1 { self.dice.pick(&["", " by {amount}"]) } else { "" };
                let name = self.dice.pick(&["Hop", "Leap on", "Go"]);
                // One letter each, so that labels are unique.
                let letter = char::from(b'a' + book.items.len() as u8);
                item.label = Some(format!("{name} {letter}{amount}"));
            }
            let known: Vec<_> = book.entries().iter().map(Item::name).collect();
            if item.entries().iter().all(|entry| !known.contains(&entry.name())) {
                book.items.push(item);
            }
        }
    }

    fn plain_item(&mut self, zone: Zone, computed: usize) -> Item {
        if self.dice.chance(computed) {
            let (sign, amount) = self.computed(zone);
            let wide = zone.high > 200;
            let (mut from, mut to) = (None, None);
            if amount == Amount::Half && wide {
                let low = self.dice.between(1, 6);
                (from, to) = if self.dice.chance(20) {
                    (Some(9_990 + low), None)
                } else {
                    (Some(low), Some(low + self.dice.between(0, 4)))
                };
            } else if self.dice.chance(35) {
                let low = self.dice.between(1, 5);
                from = self.dice.chance(60).then_some(low);
                to = self.dice.chance(70).then(|| low + self.dice.between(0, 6));
                if self.dice.chance(5) {
                    (from, to) = (Some(LARGEST_AMOUNT - 9), Some(LARGEST_AMOUNT));
                }
            }
            return Item { from, to, ..Item::new(sign, amount) };
        }
        let signs = match zone.climbs {
            Some(true) if self.dice.chance(80) => "+++xx-/",
            Some(false) if self.dice.chance(80) => "----/+x",
            _ => "++--x/",
        };
        let sign = self.dice.pick(signs.as_bytes()).into();
        let from = match self.dice.below(30) {
            0 => self.dice.pick(&[1_000_000_000, LARGEST / 2, LARGEST]),
            1..=4 => self.dice.between(5, 12),
            _ => self.dice.between(1, 4),
        };
        let longer = if self.dice.chance(75) { 0 } else { self.dice.between(1, 3) };
        let to = (from + longer).min(LARGEST);
        let amount = if from == to { Amount::Fixed(from) } else { Amount::Span(from, to) };
        Item::new(sign, amount)
    }

    fn computed(&mut self, zone: Zone) -> (char, Amount) {
        let down = [
            ('-', Amount::Divisor),
            ('-', Amount::Prime),
            ('-', Amount::Digit),
            ('-', Amount::Half),
            ('/', Amount::Divisor),
            ('/', Amount::Prime),
        ];
        let up = [('+', Amount::Divisor), ('+', Amount::Prime), ('+', Amount::Digit)];
        let against = self.dice.chance(25);
        let factors = zone.low >= -LARGEST_AMOUNT - 2 && zone.high <= LARGEST_AMOUNT + 2;
        loop {
            let drawn = if (zone.climbs == Some(true)) != against {
                self.dice.pick(&up)
            } else {
                self.dice.pick(&down)
            };
            if factors || !matches!(drawn.1, Amount::Divisor | Amount::Prime) {
                return drawn;
            }
        }
    }
}
