//! Random rule books small enough for brute force, with every key that affects play. Biased towards books with special
//! strategies.
#![allow(dead_code)]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const LARGEST: i64 = 1_000_000_000_000_000_000;

/// The positions of the starts, the target, the range and the lists.
#[derive(Clone, Debug)]
struct Numbers {
    separate: bool,
    start: (i64, i64),
    target: Option<i64>,
    range: Option<(i64, i64)>,
    winning: Vec<i64>,
    losing: Vec<i64>,
    forbidden: Vec<i64>,
}

impl Numbers {
    fn written(&self) -> String {
        let Numbers { separate, start: (a, b), target, range, winning, losing, forbidden } = self;
        let mut text = String::new();
        if *separate {
            text += "numbers = 'separate'\n";
        }
        text += &if a == b { format!("start = {a}\n") } else { format!("start = [{a}, {b}]\n") };
        if let Some(target) = target {
            text += &format!("target = {target}\n");
        }
        if let Some((low, high)) = range {
            text += &format!("range = [{low}, {high}]\n");
        }
        for (key, list) in [("winning", winning), ("losing", losing), ("forbidden", forbidden)] {
            if !list.is_empty() {
                text += &format!("{key} = {list:?}\n");
            }
        }
        text
    }
}

fn within(number: i64) -> i64 {
    number.clamp(-LARGEST, LARGEST)
}

/// Valid combinations of numbers, a few steps around an anchor.
fn numbers() -> impl Strategy<Value = Numbers> {
    let anchor =
        prop_oneof![10 => Just(0), 2 => Just(9), 2 => Just(-9), 1 => Just(LARGEST), 1 => Just(-LARGEST)];
    anchor.prop_flat_map(|anchor| {
        let near = move |width: i64| (-width..=width).prop_map(move |offset| within(anchor + offset));
        let list = move || prop_oneof![3 => Just(vec![]), 1 => vec(near(20), 1..4)];
        let range = option::of((0..12i64, 0..12i64));
        (any::<bool>(), near(8), near(8), option::weighted(0.85, near(20)), range, [list(), list(), list()])
            .prop_map(|(separate, a, b, target, range, lists)| {
                let beside = if a < LARGEST { a + 1 } else { a - 1 };
                let target = target.map(|target| if target == a { beside } else { target });
                let apart = target.is_some_and(|target| target == b || (a < target) != (b < target));
                let start = (a, if separate && !apart { b } else { a });
                let ends = [start.0, start.1, target.unwrap_or(a)];
                let (low, high) = (ends.into_iter().min().unwrap(), ends.into_iter().max().unwrap());
                let range = range.or(target.is_none().then_some((6, 6)));
                let range = range.map(|(below, above)| (within(low - below), within(high + above)));
                let mut taken: Vec<i64> = target.into_iter().collect();
                let [winning, losing, forbidden] = lists.map(|mut list| {
                    list.retain(|number| !taken.contains(number));
                    taken.extend(&list);
                    list
                });
                Numbers { separate, start, target, range, winning, losing, forbidden }
            })
    })
}

/// An entry of `moves`: an operation or a span, perhaps limited.
#[derive(Clone, Debug)]
struct Entry {
    sign: char,
    from: i64,
    to: i64,
    uses: Option<(u8, bool)>,
}

impl Entry {
    fn written(&self) -> String {
        let Entry { sign, from, to, uses } = self;
        let op = if from == to { format!("{sign}{from}") } else { format!("{sign}{from}..{to}") };
        match uses {
            None => format!("'{op}'"),
            Some((uses, false)) => format!("{{ op = '{op}', uses = {uses} }}"),
            Some((uses, true)) => format!("{{ op = '{op}', uses = {uses}, pool = 'shared' }}"),
        }
    }
}

/// Moves with the chosen signs, each once.
fn moves() -> impl Strategy<Value = String> {
    let signs = select(vec!["+", "-", "x", "/", "+x", "x+", "-/", "-x", "/+", "+-", "+-x", "+-x/"]);
    (signs, prop::bool::weighted(0.3)).prop_flat_map(|(signs, limited)| {
        let sign = select(signs.chars().collect::<Vec<char>>());
        let amount = prop_oneof![
            20 => 1..=4i64,
            4 => 5..=12i64,
            1 => select(vec![1_000_000_000, LARGEST / 2, LARGEST]),
        ];
        let longer = prop_oneof![4 => Just(0), 1 => 1..=2i64];
        let uses = option::of((1..=2u8, any::<bool>())).prop_map(move |uses| uses.filter(|_| limited));
        let entry = (sign, amount, longer, uses).prop_map(|(sign, from, longer, uses)| Entry {
            sign,
            from,
            to: if uses.is_some() { from } else { (from + longer).min(LARGEST) },
            uses,
        });
        prop_oneof![15 => vec(entry.clone(), 1..5), 1 => vec(entry, 5..=8)].prop_map(|entries| {
            let mut taken: Vec<(char, i64)> = Vec::new();
            let mut written: Vec<String> = Vec::new();
            for entry in entries {
                let operations: Vec<(char, i64)> =
                    (entry.from..=entry.to).map(|amount| (entry.sign, amount)).collect();
                let fits = taken.len() + operations.len() <= 16;
                if fits && operations.iter().all(|operation| !taken.contains(operation)) {
                    taken.extend(operations);
                    written.push(entry.written());
                }
            }
            format!("moves = [{}]\n", written.join(", "))
        })
    })
}

/// The text of a random rule book.
pub fn books() -> impl Strategy<Value = String> {
    let words = (
        select(vec!["wins", "wins", "loses"]),
        select(vec!["loses", "forbidden", "wins"]),
        select(vec!["none", "none", "none", "own", "opponent", "both"]),
        select(vec!["loses", "wins", "draws", "skips", "skips"]),
    );
    let counts = (option::weighted(0.25, 0..3u8), select(vec![0u8, 2, 3, 3, 4]));
    (numbers(), moves(), words, counts).prop_map(|(numbers, moves, words, (passes, repetition))| {
        let (reach, past, no_repeat, stuck) = words;
        let mut text = format!("title = 'Any game'\n{}{moves}", numbers.written());
        text += &format!("no_repeat = '{no_repeat}'\nstuck = '{stuck}'\nrepetition = {repetition}\n");
        if numbers.target.is_some() {
            text += &format!("reach = '{reach}'\npast = '{past}'\n");
        }
        if let Some(passes) = passes {
            text += &format!("passes = {passes}\n");
        }
        text
    })
}

/// The text of a random rule book with very few positions, possible cycles, and the house rule.
pub fn circles() -> impl Strategy<Value = String> {
    let operations = vec!["+1", "+2", "+3", "-1", "-2", "-3", "x2", "x3", "/2", "x1"];
    let moves = (prop::sample::subsequence(operations, 2..=4), prop::bool::weighted(0.1));
    let listed = select(vec!["", "winning = [1]", "winning = [2]", "losing = [1]", "losing = [0, 2]"]);
    let words = (
        select(vec!["loses", "wins", "draws", "skips"]),
        select(vec!["loses", "forbidden"]),
        select(vec!["none", "none", "none", "none", "own"]),
    );
    let times = select(vec![2, 2, 2, 3, 4]);
    (0..6i64, 3..6i64, moves, any::<bool>(), listed, words, times).prop_map(
        |(start, high, (moves, limited), has_target, listed, (stuck, past, no_repeat), repetition)| {
            let start = start.min(high);
            let ends = if has_target {
                format!("target = {}\nrange = [0, {}]\npast = '{past}'", high + 1, high + 1)
            } else {
                format!("range = [0, {high}]")
            };
            let mut moves: Vec<String> = moves.iter().map(|operation| format!("'{operation}'")).collect();
            if limited {
                moves[0] = format!("{{ op = {}, uses = 1 }}", moves[0]);
            }
            format!(
                "title = 'Circles'\nstart = {start}\n{ends}\nmoves = [{}]\n{listed}\nstuck = '{stuck}'\n\
                 no_repeat = '{no_repeat}'\nrepetition = {repetition}\n",
                moves.join(", ")
            )
        },
    )
}

/// The text of a random rule book where only the number decides, long enough for patterns.
pub fn plain() -> impl Strategy<Value = String> {
    let moves = prop_oneof![
        3 => (1..4i64, 1..5i64).prop_map(|(from, more)| format!("'+{from}..{}'", from + more)),
        1 => prop::sample::subsequence(vec!["'+1'", "'+2'", "'+3'", "'x2'", "'x3'"], 1..=4)
            .prop_map(|moves| moves.join(", ")),
        1 => (1..4i64, 1..5i64).prop_map(|(from, more)| format!("'-{from}..{}'", from + more)),
    ];
    let listed =
        prop_oneof![3 => Just(String::new()), 1 => (4..30i64).prop_map(|at| format!("losing = [{at}]"))];
    let words = (select(vec!["wins", "loses"]), select(vec!["loses", "forbidden", "wins"]));
    (moves, -3..4i64, 20..40i64, listed, words).prop_map(|(moves, near, far, listed, (reach, past))| {
        let counts_down = moves.contains('-');
        let (start, target) = if counts_down { (far + 40, near) } else { (near, far + 30) };
        format!(
            "title = 'Plain'\nstart = {start}\ntarget = {target}\nmoves = [{moves}]\n{listed}\n\
             reach = '{reach}'\npast = '{past}'\n"
        )
    })
}
