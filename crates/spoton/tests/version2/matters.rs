//! Which rules matter: those that refuse a move in a reachable position, including the last one, or change
//! how a round ends. The oracle follows the format's definition, and rules reported as idle are removed to
//! check that nothing changes.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use spoton::design::audit::NeverFires;
use spoton::format::Draft;
use spoton::solved::SolvedGame;
use spoton::solver::Budget;
use spoton::words;

use crate::version2::around_zero::book_around_zero;
use crate::version2::books::{Book, Version};
use crate::version2::edges::edge_book;
use crate::version2::oracle::{
    Facing, Graph, Leads, Next, Rules, Spot, amounts, apply, has_integer, has_span_or_kind, other,
};
use crate::version2::oracle::{Legal, Written};

/// A rule by its key, with the index of its entry, if any.
type Rule = (&'static str, Option<usize>);

/// The rules that refuse a move of the player to move, alone or with others.
fn bars(rules: &Rules<'_>, spot: &Spot) -> BTreeSet<Rule> {
    let book = rules.book;
    let mut found = BTreeSet::new();
    for (place, entry) in rules.entries.iter().enumerate() {
        let number = spot.numbers[Rules::owner(spot, entry.on_other)];
        if !entry.when.iter().all(|condition| condition.holds(number)) {
            continue;
        }
        for amount in amounts(entry, number) {
            let written = Written { on_other: entry.on_other, sign: entry.sign, amount };
            // If arithmetic rules a move out, it isn't a move, so no rule refuses it.
            let Some(result) = apply(number, written) else { continue };
            if !rules.has_uses_left(spot, place) {
                found.insert(("uses", Some(place)));
            }
            if rules.repeats(spot, written) {
                found.insert(("no_repeat", None));
            }
            let is_target = book.target.map(i128::from) == Some(result);
            let listed = has_integer(&book.winning, result) || has_integer(&book.losing, result);
            // Spans and kinds come after integers, and only apply to numbers that aren't past the target.
            let described =
                has_span_or_kind(&book.forbidden, result) && !(is_target || listed || rules.is_past(result));
            if has_integer(&book.forbidden, result) || described {
                found.insert(("forbidden", None));
            }
            if rules.is_past(result) && book.past == "forbidden" {
                found.insert(("past", None));
            }
            let passes_left = book.passes.is_none_or(|passes| spot.passes[spot.turn] < passes);
            if result == i128::from(number) && !passes_left {
                found.insert(("passes", None));
            }
        }
    }
    found
}

/// The entries that offer a move, and the rules that end the round with it.
fn allows(rules: &Rules<'_>, spot: &Spot) -> BTreeSet<Rule> {
    let mut found = BTreeSet::new();
    for legal in rules.legal(spot) {
        found.insert(("moves", Some(legal.entry)));
        let Next::Over(end) = rules.play(spot, legal) else { continue };
        let owner = Rules::owner(spot, legal.written.on_other);
        found.insert(match end.why {
            "reached" => ("target", None),
            "overshot" => ("past", None),
            "turns" => ("turns", None),
            "landed" if end.winner == Some(owner) => ("winning", None),
            "landed" => ("losing", None),
            why => panic!("{why} is not the end of a move"),
        });
    }
    found
}

/// All rules that matter.
fn that_matter(graph: &Graph<'_>) -> BTreeSet<Rule> {
    let rules = &graph.rules;
    let mut found = BTreeSet::new();
    for node in &graph.nodes {
        found.extend(bars(rules, &node.spot));
        if node.over.is_some() {
            found.insert(("stuck", None));
            if matches!(rules.book.stuck, "skips" | "closest") {
                // The round ends because the opponent is also stuck.
                found.extend(bars(rules, &Spot { turn: other(node.spot.turn), ..node.spot.clone() }));
            }
        }
        found.extend(allows(rules, &node.spot));
        for turn in node.turns.iter().filter(|turn| turn.legal.is_none()) {
            found.insert(("stuck", None));
            // The player skips because the other one has a legal move.
            found.extend(allows(rules, &Spot { turn: other(node.spot.turn), ..node.spot.clone() }));
            if matches!(turn.leads, Leads::Over(end) if end.why == "turns") {
                found.insert(("turns", None));
            }
        }
    }
    found
}

/// All rules of a book.
fn of_book(book: &Book) -> BTreeSet<Rule> {
    let mut rules: BTreeSet<Rule> = BTreeSet::from([("stuck", None)]);
    let said = [
        ("target", book.target.is_some()),
        ("past", book.target.is_some()),
        ("no_repeat", book.no_repeat != "none"),
        ("passes", book.passes.is_some()),
        ("turns", book.turns.is_some()),
        ("winning", !book.winning.is_empty()),
        ("losing", !book.losing.is_empty()),
        ("forbidden", !book.forbidden.is_empty()),
    ];
    rules.extend(said.into_iter().filter(|(_, said)| *said).map(|(key, _)| (key, None)));
    for (place, entry) in book.entries().iter().enumerate() {
        rules.insert(("moves", Some(place)));
        if entry.uses.is_some() {
            rules.insert(("uses", Some(place)));
        }
    }
    rules
}

/// The book with a rule removed or changed.
fn without(book: &Book, (key, place): Rule) -> Vec<Book> {
    let mut changed = Book { items: book.entries(), ..book.clone() };
    let with = |words: &[&'static str], set: &dyn Fn(&mut Book, &'static str)| {
        let other = |word: &&'static str| {
            let mut other = changed.clone();
            set(&mut other, word);
            other
        };
        words.iter().map(other).collect()
    };
    match (key, place) {
        ("target", _) => return with(&["wins", "loses"], &|book, word| book.reach = word),
        ("past", _) => return with(&["wins", "loses", "forbidden"], &|book, word| book.past = word),
        ("stuck", _) => return with(&["wins", "loses", "draws"], &|book, word| book.stuck = word),
        ("no_repeat", _) => changed.no_repeat = "none",
        ("passes", _) => changed.passes = None,
        ("turns", _) => changed.turns = None,
        ("winning", _) => changed.winning.clear(),
        ("losing", _) => changed.losing.clear(),
        ("forbidden", _) => changed.forbidden.clear(),
        ("uses", Some(place)) => changed.items[place].uses = None,
        ("moves", Some(place)) => drop(changed.items.remove(place)),
        rule => panic!("{rule:?}"),
    }
    vec![changed]
}

/// Whether all rounds of two books are the same.
fn play_alike(one: &Book, two: &Book) -> bool {
    let (one, two) = (Rules::new(one), Rules::new(two));
    let mut waiting = vec![(one.opening(0), two.opening(0))];
    let mut seen = HashSet::new();
    while let Some((first, second)) = waiting.pop() {
        if !seen.insert((first.clone(), second.clone())) {
            continue;
        }
        let sorted = |mut legal: Vec<Legal>| {
            legal.sort_by_key(|legal| legal.written);
            legal
        };
        let nexts: Vec<(Next, Next)> = match (one.facing(&first), two.facing(&second)) {
            (Facing::Over(one), Facing::Over(two)) if one == two => vec![],
            (Facing::Skip, Facing::Skip) => vec![(one.skip(&first), two.skip(&second))],
            (Facing::Choose(legal), Facing::Choose(other)) => {
                let (legal, other) = (sorted(legal), sorted(other));
                let moves = |legal: &[Legal]| legal.iter().map(|legal| legal.written).collect::<Vec<_>>();
                if moves(&legal) != moves(&other) {
                    return false;
                }
                let pairs = legal.into_iter().zip(other);
                pairs.map(|(mine, theirs)| (one.play(&first, mine), two.play(&second, theirs))).collect()
            }
            _ => return false,
        };
        for next in nexts {
            match next {
                (Next::On(first), Next::On(second)) => waiting.push((first, second)),
                (Next::Over(one), Next::Over(two)) if one == two => {}
                _ => return false,
            }
        }
    }
    true
}

fn rule(never: NeverFires) -> Rule {
    (never.key(), never.entry().map(|entry| entry.place()))
}

/// Checks that the audit reports exactly the rules that don't matter as idle, and that nothing changes
/// without them.
pub fn agree(graph: &Graph<'_>, never_fires: &[NeverFires]) -> Result<(), String> {
    let book = graph.rules.book;
    let found: BTreeSet<Rule> = never_fires.iter().map(|never| rule(*never)).collect();
    let expected: BTreeSet<Rule> = of_book(book).difference(&that_matter(graph)).copied().collect();
    if found != expected {
        return Err(format!("idle: {found:?}, expected {expected:?}"));
    }
    for rule in found {
        let others = without(book, rule);
        if let Some(other) = others.iter().find(|other| !play_alike(book, other)) {
            return Err(format!("{rule:?} is called idle, but this plays otherwise:\n{}", other.text()));
        }
    }
    Ok(())
}

fn never_fires(text: &str) -> (Vec<NeverFires>, Vec<String>) {
    let rulebook =
        Arc::new(Draft::read("book.toml", text).build().unwrap_or_else(|bad| panic!("{text}\n{bad}")));
    let game = SolvedGame::new(Arc::clone(&rulebook));
    let audit = game.audit(&mut Budget::patient(1 << 30)).expect("the game is small enough");
    let words = audit.never_fires.iter().map(|rule| words::audit::never_fires(&rulebook, *rule)).collect();
    (audit.never_fires.clone(), words)
}

#[test]
fn a_rule_that_ends_the_round_matters() {
    let never = |keys: &str| never_fires(&format!("title = 'T'\nstart = 0\n{keys}")).1;
    let lands = "No move ever lands on 10.";
    for (keys, words) in [
        ("target = 10\nmoves = ['+1']\nno_repeat = 'opponent'", vec![lands, "No move can go past 10."]),
        ("target = 10\nmoves = ['+1']\nforbidden = [2]", vec![lands, "No move can go past 10."]),
        ("target = 3\nmoves = ['+2']\npast = 'forbidden'", vec!["No move ever lands on 3."]),
        (
            "target = 10\nmoves = [{ op = '+1', uses = 1, pool = 'shared' }]",
            vec![lands, "No move can go past 10."],
        ),
        ("target = 10\nmoves = ['x2']\npasses = 1", vec![lands, "No move can go past 10."]),
    ] {
        assert_eq!(never(keys), words, "{keys}");
    }
    // The third use is the last move, so no fourth is ever refused.
    let idle = never("target = 3\nmoves = [{ op = '+1', uses = 3, pool = 'shared' }]");
    assert!(idle.contains(&"The limit on +1 never rules out a move (uses).".to_owned()), "{idle:?}");
    // Once /2 is used up, no division would be exact anyway.
    let keys =
        "start = 18\ntarget = 0\nmoves = [{ op = '/2', uses = 2, pool = 'shared' }, '-3']\npast = 'loses'";
    let idle = never_fires(&format!("title = 'T'\n{keys}")).1;
    assert!(idle.contains(&"The limit on /2 never rules out a move (uses).".to_owned()), "{idle:?}");
    // Each of these moves is played, but never through the second entry.
    let idle = never("target = 9\nmoves = ['+1', { op = '+1', when = 'odd' }]");
    assert!(idle.contains(&"+1 when odd never adds a move.".to_owned()), "{idle:?}");
}

/// Audits of small books biased towards edge cases.
fn edges_agree(book_of: impl Fn(u64) -> Book, least: usize) {
    let (mut compared, mut last_only) = (0, 0);
    for number in 0..2_000 {
        let book = book_of(number);
        let rules = Rules::new(&book);
        let opening = rules.opening(0);
        let Some(graph) = Graph::from(rules, &[opening], 150) else { continue };
        let (found, _) = never_fires(&book.text());
        agree(&graph, &found).unwrap_or_else(|why| panic!("book {number}\n{}\n{why}", book.text()));
        compared += 1;
        // Rules that only refuse moves in the last position of a round.
        let before: BTreeSet<Rule> = graph
            .nodes
            .iter()
            .filter(|node| node.over.is_none())
            .flat_map(|node| bars(&graph.rules, &node.spot))
            .collect();
        let at_last = graph.nodes.iter().filter(|node| node.over.is_some());
        let at_last: BTreeSet<Rule> = at_last.flat_map(|node| bars(&graph.rules, &node.spot)).collect();
        last_only += at_last.difference(&before).count();
    }
    assert!(compared > 1_500 && last_only > least, "{compared} books, {last_only} rules at the end alone");
}

#[test]
fn idle_rules_of_version_1_books_at_the_edges() {
    edges_agree(|number| edge_book(number, Version::One), 200);
}

#[test]
fn idle_rules_of_version_2_books_at_the_edges() {
    edges_agree(|number| edge_book(number, Version::Two), 200);
}

#[test]
fn idle_rules_of_books_around_zero() {
    edges_agree(book_around_zero, 50);
}
