//! Random small books that use features from version 2 of the format: computed amounts, `when`, moves on the other
//! player's number, kinds of numbers in lists, and ends by closeness.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::read;

/// An entry of `moves`. With separate numbers, it may change the opponent's number.
fn entry(separate: bool) -> impl Strategy<Value = String> {
    let ops = vec![
        "-divisor", "+divisor", "/divisor", "-prime", "+prime", "/prime", "-digit", "+digit", "-1..half",
        "+1", "+2", "+3", "-1", "-2", "-5", "x2", "x3", "/2",
    ];
    let when = select(vec![
        "",
        "",
        "",
        "",
        "'odd'",
        "'even'",
        "'prime'",
        "'square'",
        "'multiple of 3'",
        "'below 6'",
        "'above 4'",
        "'from 2 to 7'",
        "['odd', 'above 2']",
        "['multiple of 2', 'below 9']",
    ]);
    let bounds =
        select(vec!["", "", "", ", from = 2", ", to = 3", ", from = 2, to = 4", ", from = 3, to = 3"]);
    let uses = select(vec!["", "", "", "", ", uses = 1", ", uses = 2, pool = 'shared'"]);
    (select(ops), when, bounds, uses, prop::bool::weighted(0.35)).prop_map(
        move |(op, when, bounds, uses, other)| {
            let computed = op.contains(|c: char| c.is_ascii_alphabetic() && c != 'x');
            let bounds = if computed { bounds } else { "" };
            let on = if separate && other { ", on = 'other'" } else { "" };
            let when = if when.is_empty() { String::new() } else { format!(", when = {when}") };
            format!("{{ op = '{op}'{on}{bounds}{when}{uses} }}")
        },
    )
}

/// A list's numbers: integers, spans and kinds.
fn list(key: &'static str) -> impl Strategy<Value = String> {
    let items = vec!["3", "7", "'prime'", "'square'", "'even'", "'multiples of 4'", "'5..6'", "'-3..-1'"];
    option::weighted(0.2, vec(select(items), 1..3)).prop_map(move |items| match items {
        Some(items) => format!("{key} = [{}]\n", items.join(", ")),
        None => String::new(),
    })
}

fn any_book() -> impl Strategy<Value = String> {
    any::<bool>().prop_flat_map(|separate| {
        let start = (1..=12i64, 1..=12i64);
        // The target: none, below the starts, or above them.
        let target = select(vec!["range = [0, 14]\n", "target = 0\n", "target = 0\nrange = [0, 14]\n", "target = 14\n"]);
        let past = select(vec!["", "past = 'forbidden'\n", "past = 'wins'\n"]);
        let reach = select(vec!["", "", "reach = 'loses'\n"]);
        let stuck = select(vec!["", "stuck = 'wins'\n", "stuck = 'draws'\n", "stuck = 'skips'\n", "stuck = 'closest'\n"]);
        let turns = option::weighted(0.25, 1..=3u8);
        let memory = select(vec!["", "", "", "no_repeat = 'own'\n", "no_repeat = 'opponent'\n", "passes = 1\n"]);
        let repetition = select(vec!["", "repetition = 2\n"]);
        let lists = (list("winning"), list("losing"), list("forbidden"));
        let ends = (past, reach, stuck, turns);
        (start, target, ends, memory, repetition, lists, vec(entry(separate), 1..4)).prop_map(
            move |((a, b), target, (past, reach, stuck, turns), memory, repetition, lists, moves)| {
                let (past, reach) = if target.contains("target") { (past, reach) } else { ("", "") };
                let closeness = separate && target.contains("target");
                let stuck = if stuck.contains("closest") && !closeness { "" } else { stuck };
                let turns = turns.filter(|_| closeness).map_or(String::new(), |turns| format!("turns = {turns}\n"));
                let start =
                    if separate { format!("numbers = 'separate'\nstart = [{a}, {b}]\n") } else { format!("start = {a}\n") };
                let (winning, losing, forbidden) = lists;
                format!(
                    "title = 'R'\n{start}{target}{past}{reach}{stuck}{turns}{memory}{repetition}{winning}{losing}{forbidden}moves = [{}]\n",
                    moves.join(", ")
                )
            },
        )
    })
}

/// Playable version 2 books.
pub fn richer() -> impl Strategy<Value = String> {
    any_book().prop_filter("a valid book", |text| read(text).build().is_ok())
}

/// A game goes only one way if no usable move goes the other way.
#[test]
fn the_direction_of_a_game_is_the_same_from_any_start() {
    for (rules, one_way) in [
        (
            "start = 1\ntarget = 0\nrange = [0, 14]\nmoves = ['x2', { op = '/prime', when = 'above 4' }]",
            false,
        ),
        (
            "start = 3\nrange = [-9, 9]\nmoves = [{ op = '-5', when = 'above 0' }, { op = '+1', when = 'below 0' }]",
            false,
        ),
        ("start = 3\nrange = [-9, 9]\nmoves = [{ op = '-5', when = 'above 0' }, '-1']", true),
        ("start = 9\nrange = [0, 9]\nmoves = ['-divisor', '-digit']", true),
        ("start = 6\ntarget = 0\nrange = [0, 14]\nmoves = [{ op = 'x2', when = 'below 6' }]", true),
    ] {
        let rulebook = crate::support::book(&format!("title = 'T'\n{rules}"));
        assert_eq!(rulebook.goes_one_way(), one_way, "{rules}");
    }
}
