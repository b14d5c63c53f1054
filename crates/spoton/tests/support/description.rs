//! Random rule books as plain descriptions, written out as TOML, so that tests know the rules without the
//! library.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// The largest number in the format.
pub const LARGEST: i64 = 1_000_000_000_000_000_000;

/// Everything that affects play.
#[derive(Clone, Debug)]
pub struct Description {
    pub separate: bool,
    /// The starting player's number and the opponent's.
    pub start: (i64, i64),
    pub target: Option<i64>,
    pub moves: Vec<Offer>,
    pub reach: &'static str,
    pub past: &'static str,
    pub winning: Vec<i64>,
    pub losing: Vec<i64>,
    pub forbidden: Vec<i64>,
    pub range: Option<(i64, i64)>,
    pub no_repeat: &'static str,
    pub passes: Option<u8>,
    pub stuck: &'static str,
    pub repetition: u8,
    /// Whether to write keys with default values.
    pub says_defaults: bool,
}

/// A move of a description.
#[derive(Clone, Debug)]
pub struct Offer {
    pub sign: char,
    pub amount: i64,
    /// The limit, and whether both players share it.
    pub uses: Option<(u8, bool)>,
}

impl Description {
    /// The rule book's text without its title.
    pub fn rules(&self) -> String {
        let mut text = String::new();
        let mut key = |name: &str, value: String, is_default: bool| {
            if self.says_defaults || !is_default {
                text.push_str(&format!("{name} = {value}\n"));
            }
        };
        let word = |word: &str| format!("\"{word}\"");
        let (a, b) = self.start;
        key("numbers", word(if self.separate { "separate" } else { "shared" }), !self.separate);
        key("start", if a == b { a.to_string() } else { format!("[{a}, {b}]") }, false);
        let moves: Vec<String> = self.moves.iter().map(Offer::written).collect();
        key("moves", format!("[{}]", moves.join(", ")), false);
        key("winning", format!("{:?}", self.winning), self.winning.is_empty());
        key("losing", format!("{:?}", self.losing), self.losing.is_empty());
        key("forbidden", format!("{:?}", self.forbidden), self.forbidden.is_empty());
        key("no_repeat", word(self.no_repeat), self.no_repeat == "none");
        key("stuck", word(self.stuck), self.stuck == "loses");
        key("repetition", self.repetition.to_string(), self.repetition == 3);
        if let Some(target) = self.target {
            key("target", target.to_string(), false);
            key("reach", word(self.reach), self.reach == "wins");
            key("past", word(self.past), self.past == "loses");
        }
        if let Some((low, high)) = self.range {
            key("range", format!("[{low}, {high}]"), false);
        }
        if let Some(passes) = self.passes {
            key("passes", passes.to_string(), false);
        }
        text
    }

    /// The rule book's text.
    pub fn text(&self) -> String {
        format!("title = \"Any game\"\n{}", self.rules())
    }
}

impl Offer {
    pub fn operation(&self) -> String {
        format!("{}{}", self.sign, self.amount)
    }

    fn written(&self) -> String {
        match self.uses {
            None => format!("\"{}\"", self.operation()),
            Some((uses, false)) => format!("{{ op = \"{}\", uses = {uses} }}", self.operation()),
            Some((uses, true)) => {
                format!("{{ op = \"{}\", uses = {uses}, pool = \"shared\" }}", self.operation())
            }
        }
    }
}

/// Any valid description. Most are near 0, some at the extremes.
pub fn descriptions() -> impl Strategy<Value = Description> {
    let anchor = prop_oneof![6 => Just(0), 1 => Just(LARGEST), 1 => Just(-LARGEST)];
    anchor.prop_flat_map(|anchor| (numbers(anchor), rules())).prop_map(|(numbers, rules)| {
        let Numbers { separate, start, target, range, lists: [winning, losing, forbidden] } = numbers;
        Description { separate, start, target, range, winning, losing, forbidden, ..rules }
    })
}

#[derive(Debug)]
struct Numbers {
    separate: bool,
    start: (i64, i64),
    target: Option<i64>,
    range: Option<(i64, i64)>,
    lists: [Vec<i64>; 3],
}

fn within(number: i64) -> i64 {
    number.clamp(-LARGEST, LARGEST)
}

/// Starts, target, range and lists that fit together.
fn numbers(anchor: i64) -> impl Strategy<Value = Numbers> {
    let near = move |width: i64| (-width..=width).prop_map(move |offset| within(anchor + offset));
    let list = move || prop_oneof![2 => Just(vec![]), 1 => vec(near(25), 1..5)];
    let slack = prop_oneof![4 => 0..15i64, 1 => Just(2 * LARGEST)];
    let range = option::of((slack.clone(), slack));
    let start = || prop_oneof![4 => near(12), 1 => near(2)];
    (any::<bool>(), start(), start(), option::weighted(0.8, near(25)), range, [list(), list(), list()])
        .prop_map(|(separate, a, b, target, range, lists)| {
            let same = if a < LARGEST { a + 1 } else { a - 1 };
            let target = target.map(|target| if target == a { same } else { target });
            let apart = target.is_some_and(|target| target == b || (a < target) != (b < target));
            let start = (a, if separate && !apart { b } else { a });
            let ends = [start.0, start.1, target.unwrap_or(a)];
            let (low, high) = (ends.into_iter().min().unwrap(), ends.into_iter().max().unwrap());
            let range = range.or(target.is_none().then_some((5, 5)));
            let range = range.map(|(below, above)| (within(low - below), within(high + above)));
            let mut taken: Vec<i64> = target.into_iter().collect();
            let lists = lists.map(|mut list| {
                list.retain(|number| !taken.contains(number));
                taken.extend(&list);
                list
            });
            Numbers { separate, start, target, range, lists }
        })
}

/// All the settings that don't depend on the numbers.
fn rules() -> impl Strategy<Value = Description> {
    let words = (
        select(vec!["wins", "loses"]),
        select(vec!["loses", "forbidden", "wins"]),
        select(vec!["none", "own", "opponent", "both"]),
        select(vec!["loses", "wins", "draws", "skips"]),
    );
    let counts = (option::of(0..3u8), select(vec![0u8, 2, 2, 3, 3, 4]));
    (moves(), words, counts, any::<bool>()).prop_map(|(moves, words, (passes, repetition), says_defaults)| {
        let (reach, past, no_repeat, stuck) = words;
        Description {
            separate: false,
            start: (0, 0),
            target: None,
            moves,
            reach,
            past,
            winning: vec![],
            losing: vec![],
            forbidden: vec![],
            range: None,
            no_repeat,
            passes,
            stuck,
            repetition,
            says_defaults,
        }
    })
}

/// Moves of any kind. In some books, all unlimited moves go one way and limited ones lead back, so that
/// repeating a position takes a detour.
fn moves() -> impl Strategy<Value = Vec<Offer>> {
    let uses = || (1..=3u8, any::<bool>());
    let any_kind = offers(vec!['+', '-', 'x', '/'], option::weighted(0.25, uses()));
    let one_way = |ways: Vec<char>, back: Vec<char>| {
        let limited = vec(offers(back, uses().prop_map(Some)), 0..3);
        (vec(offers(ways, Just(None)), 1..4), limited).prop_map(|(ways, back)| [ways, back].concat())
    };
    let offers = prop_oneof![
        12 => vec(any_kind.clone(), 1..6),
        2 => vec(any_kind, 6..=16),
        3 => one_way(vec!['+', 'x'], vec!['-', '/', 'x']),
        3 => one_way(vec!['-', '/'], vec!['+', 'x', '/']),
        2 => one_way(vec!['-', 'x'], vec!['+', '/']),
    ];
    offers.prop_map(|offers| {
        let mut distinct: Vec<Offer> = Vec::new();
        for offer in offers {
            if distinct.iter().all(|known| known.operation() != offer.operation()) {
                distinct.push(offer);
            }
        }
        distinct
    })
}

fn offers(
    signs: Vec<char>,
    uses: impl Strategy<Value = Option<(u8, bool)>> + Clone,
) -> impl Strategy<Value = Offer> + Clone {
    let amount = prop_oneof![
        12 => 1..=4i64,
        3 => 5..=12i64,
        1 => select(vec![1_000_000_000, LARGEST / 2, LARGEST - 1, LARGEST]),
    ];
    (select(signs), amount, uses).prop_map(|(sign, amount, uses)| Offer { sign, amount, uses })
}
