//! All positions of thousands of random books, in the library and in the oracle.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use spoton::engine::play::{Move, Outcome, Situation, Step};
use spoton::engine::position::{ByPlayer, Choice, Player, Position};
use spoton::evaluate::chances::odds;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Draft, Rulebook};
use spoton::solver::chart::Chart;
use spoton::solver::{Budget, Solver, Value, Verdict, survey};

use crate::random_books::Dice;
use crate::version2::books::{Amount, Book, Version, book};
use crate::version2::oracle::{End, Graph, Habit, Leads, Legal, Rules, Spot, Turn, Worth, Written};

/// Skips books with more positions, except in the test of large books.
const MOST: usize = 1_500;

/// The difference, in words.
type Checked = Result<(), String>;

macro_rules! ensure {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err(format!($($words)+));
        }
    };
}

fn patient() -> Budget<'static> {
    Budget::patient(1 << 30)
}

pub fn built(text: &str) -> Result<Arc<Rulebook>, String> {
    let built = Draft::read("book.toml", text).build();
    built.map(Arc::new).map_err(|problems| format!("refused: {problems:#?}"))
}

fn in_short(outcome: Outcome) -> String {
    let who = outcome.winner.map_or("draw".to_owned(), |winner| winner.number().to_string());
    format!("{who} {}", outcome.ending.word())
}

fn expected_end(end: End) -> String {
    let who = end.winner.map_or("draw".to_owned(), |winner| (winner + 1).to_string());
    format!("{who} {}", end.why)
}

fn expected_verdict(worth: Worth) -> Verdict {
    match worth {
        Worth::Win(moves) => Verdict::new(Value::Win, moves),
        Worth::Draw => Verdict::DRAW,
        Worth::Loss(moves) => Verdict::new(Value::Loss, moves),
    }
}

fn player(seat: usize) -> Player {
    Player::BOTH[seat]
}

/// The legal moves in menu order. If several entries offer a move, it appears at the first one that has the amount and
/// whose condition holds.
fn in_order(rules: &Rules<'_>, spot: &Spot, legal: &[Legal]) -> Vec<Written> {
    let given: Vec<Written> = legal.iter().map(|legal| legal.written).collect();
    let mut order: Vec<Written> = Vec::new();
    for (entry, written) in rules.of_each_entry(spot) {
        if rules.condition_holds(spot, entry) && given.contains(&written) && !order.contains(&written) {
            order.push(written);
        }
    }
    order
}

/// A parallel walk through the library's game and the oracle's.
struct Walk<'a> {
    graph: &'a Graph<'a>,
    rulebook: &'a Arc<Rulebook>,
    /// The library's position for each of the oracle's.
    positions: Vec<Option<Position>>,
    /// The first predecessor of each, and the move.
    parents: Vec<Option<(usize, String)>>,
    places: HashMap<Position, usize>,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph<'a>, rulebook: &'a Arc<Rulebook>) -> Walk<'a> {
        let count = graph.nodes.len();
        Walk {
            graph,
            rulebook,
            positions: vec![None; count],
            parents: vec![None; count],
            places: HashMap::new(),
        }
    }

    /// The moves to a position, and its text.
    fn line(&self, place: usize) -> String {
        let mut moves: Vec<&str> = Vec::new();
        let mut at = place;
        while let Some((before, written)) = &self.parents[at] {
            moves.push(written);
            at = *before;
        }
        moves.reverse();
        let (root, here) = (&self.graph.nodes[at].spot, &self.graph.nodes[place].spot);
        let rules = &self.graph.rules;
        format!("from {}: {} -> {}", rules.text(root), moves.join(" "), rules.text(here))
    }

    fn meet(&mut self, place: usize, position: Position, parent: Option<(usize, String)>) -> Checked {
        if let Some(known) = &self.positions[place] {
            ensure!(*known == position, "two positions {known:?} and {position:?} are one");
            return Ok(());
        }
        let text = self.graph.rules.text(&self.graph.nodes[place].spot);
        let found = self.rulebook.position_text(&position);
        ensure!(found == text, "the position is written {found}, expected {text}");
        let again = self.rulebook.read_position(&text).map_err(|bad| format!("{text} is not read: {bad}"))?;
        ensure!(again == position, "{text} is read as {again:?} instead of {position:?}");
        let spot = &self.graph.nodes[place].spot;
        let numbers = Player::BOTH.map(|player| position.number_of(player));
        ensure!(numbers == spot.numbers, "numbers {numbers:?}, expected {:?}", spot.numbers);
        let twice = self.places.insert(position, place);
        ensure!(twice.is_none(), "{position:?} matches two positions");
        self.positions[place] = Some(position);
        self.parents[place] = parent;
        Ok(())
    }

    /// From the oracle's first positions to all reachable ones.
    fn walk(&mut self, roots: &[Position]) -> Checked {
        for (place, root) in roots.iter().enumerate() {
            self.meet(place, *root, None)?;
        }
        for place in 0..self.graph.nodes.len() {
            self.look_at(place).map_err(|why| format!("{}\n{why}", self.line(place)))?;
        }
        Ok(())
    }

    fn position(&self, place: usize) -> Position {
        self.positions[place].expect("parents are visited before their children")
    }

    fn look_at(&mut self, place: usize) -> Checked {
        let (graph, rulebook) = (self.graph, self.rulebook);
        let node = &graph.nodes[place];
        let position = self.position(place);
        ensure!(position.turn() == player(node.spot.turn), "{} is on turn", position.turn());
        let choices: Vec<Choice> = rulebook.legal(&position).iter().collect();
        let name = |choice: &Choice| rulebook.write(Move::Operation(*choice));
        let names: Vec<String> = choices.iter().map(name).collect();
        let legal: Vec<Legal> = node.turns.iter().filter_map(|turn| turn.legal).collect();
        let expected: Vec<String> =
            in_order(&graph.rules, &node.spot, &legal).iter().map(Written::to_string).collect();
        ensure!(names == expected, "legal are {names:?}, expected {expected:?}");
        self.compare_offers(&position, &choices, node.turns.as_slice())?;
        let skips = node.turns.iter().any(|turn| turn.legal.is_none());
        let facing = match rulebook.situation(&position) {
            Situation::Choose(offered) => {
                ensure!(
                    offered.iter().eq(choices.iter().copied()),
                    "the choices differ from the legal moves"
                );
                "a choice".to_owned()
            }
            Situation::Skip => "a skip".to_owned(),
            Situation::Over(outcome) => in_short(outcome),
        };
        let expected = match node.over {
            Some(end) => expected_end(end),
            None if skips => "a skip".to_owned(),
            None => "a choice".to_owned(),
        };
        ensure!(facing == expected, "the player faces {facing}, expected {expected}");
        if !skips {
            let skipped = rulebook.play(&position, Move::Skip);
            ensure!(skipped.is_err(), "a turn goes over that should not: {skipped:?}");
        }
        for turn in &node.turns {
            let (a_move, written) = match turn.legal {
                None => (Move::Skip, "skip".to_owned()),
                Some(legal) => {
                    let written = legal.written.to_string();
                    let index = names.iter().position(|name| *name == written);
                    (Move::Operation(choices[index.expect("the choices were compared")]), written)
                }
            };
            self.take(place, turn, a_move, &written).map_err(|why| format!("{written}: {why}"))?;
        }
        Ok(())
    }

    /// The offers include all legal moves in the same order, each of them once.
    fn compare_offers(&self, position: &Position, choices: &[Choice], turns: &[Turn]) -> Checked {
        let all: Vec<_> = self.rulebook.offers(position).collect();
        ensure!(
            all.iter().all(|offer| offer.choice.is_some() || offer.result.is_err()),
            "a line without a move is legal: {all:?}"
        );
        let offers: Vec<_> = all.into_iter().filter(|offer| offer.choice.is_some()).collect();
        let legal: Vec<Choice> =
            offers.iter().filter(|offer| offer.result.is_ok()).filter_map(|offer| offer.choice).collect();
        ensure!(legal == choices, "on offer is {legal:?}, legal is {choices:?}");
        let names: Vec<String> = offers.iter().map(|offer| self.rulebook.write_offer(offer)).collect();
        let distinct: BTreeSet<&String> = names.iter().collect();
        ensure!(distinct.len() == names.len(), "a written move is offered twice: {names:?}");
        for entry in &self.graph.rules.entries {
            if let Amount::Fixed(amount) = entry.amount {
                let written = Written { on_other: entry.on_other, sign: entry.sign, amount }.to_string();
                ensure!(distinct.contains(&written), "{written} is not on offer: {names:?}");
            }
        }
        for legal in turns.iter().filter_map(|turn| turn.legal) {
            let written = legal.written.to_string();
            let offer = offers.iter().zip(&names).find(|(_, name)| **name == written);
            let (offer, _) = offer.ok_or_else(|| format!("{written} is not on offer: {names:?}"))?;
            ensure!(
                offer.result == Ok(legal.result),
                "{written} gives {:?}, expected {}",
                offer.result,
                legal.result
            );
            ensure!(
                offer.entry.place() == legal.entry,
                "{written} comes from entry {}, expected {}",
                offer.entry.place(),
                legal.entry
            );
        }
        Ok(())
    }

    fn take(&mut self, place: usize, turn: &Turn, a_move: Move, written: &str) -> Checked {
        let position = self.position(place);
        let step = self.rulebook.play(&position, a_move).map_err(|refusal| format!("refused: {refusal}"))?;
        let at_once = self.rulebook.ends_at_once(&position, a_move).map(in_short);
        match (turn.leads, step) {
            (Leads::To(next), Step::On(found)) => {
                let expected = self.graph.nodes[next].over.map(expected_end);
                ensure!(at_once == expected, "ends immediately: {at_once:?}, expected {expected:?}");
                self.meet(next, found, Some((place, written.to_owned())))
            }
            (Leads::To(_), Step::Over { outcome, .. }) => {
                Err(format!("ends with {}, but should continue", in_short(outcome)))
            }
            (Leads::Over(end), Step::Over { number, outcome }) => {
                let (found, expected) = (in_short(outcome), expected_end(end));
                ensure!(found == expected, "ends with {found}, expected {expected}");
                ensure!(at_once == Some(expected), "ends immediately: {at_once:?}");
                let result = turn.legal.map(|legal| legal.result);
                ensure!(
                    result.is_none_or(|result| result == number),
                    "ends at {number}, expected {result:?}"
                );
                Ok(())
            }
            (Leads::Over(end), Step::On(next)) => {
                // The last turn may end in the position after it, like being stuck.
                let Situation::Over(outcome) = self.rulebook.situation(&next) else {
                    return Err(format!("continues, but should end with {}", expected_end(end)));
                };
                let (found, expected) = (in_short(outcome), expected_end(end));
                ensure!(end.why == "turns", "continues, but should end immediately with {expected}");
                ensure!(found == expected, "ends with {found}, expected {expected}");
                ensure!(at_once == Some(expected), "ends immediately: {at_once:?}");
                Ok(())
            }
        }
    }

    /// The verdicts of all positions and moves.
    fn compare_worth(&self, solver: &Solver) -> Checked {
        for place in 0..self.graph.nodes.len() {
            self.compare_worth_at(solver, place).map_err(|why| format!("{}\n{why}", self.line(place)))?;
        }
        Ok(())
    }

    fn compare_worth_at(&self, solver: &Solver, place: usize) -> Checked {
        let position = self.position(place);
        let (found, expected) = (solver.verdict(&position), expected_verdict(self.graph.worth(place)));
        ensure!(found == Some(expected), "value {found:?}, expected {expected:?}");
        let found: BTreeMap<String, Verdict> = solver
            .moves(&position)
            .into_iter()
            .map(|judged| (self.rulebook.write(judged.a_move), judged.verdict))
            .collect();
        let name = |turn: &Turn| turn.legal.map_or("skip".to_owned(), |legal| legal.written.to_string());
        let expected: BTreeMap<String, Verdict> = self.graph.nodes[place]
            .turns
            .iter()
            .map(|turn| (name(turn), expected_verdict(self.graph.worth_of(place, turn))))
            .collect();
        ensure!(found == expected, "move values are {found:?}, expected {expected:?}");
        Ok(())
    }
}

/// A book survives a round trip through its line.
fn comes_back_from_its_line(rulebook: &Rulebook) -> Checked {
    let rules = rulebook.rules_line();
    let with_title = format!("{{title = 'Any game', {}", rules.trim_start_matches('{'));
    for line in [rulebook.whole_line(), with_title] {
        let again = Draft::read_line("line", &line).build();
        let again = again.map_err(|problems| format!("the line is refused: {line}\n{problems:#?}"))?;
        ensure!(again == *rulebook, "another book comes back from the line {line}");
        ensure!(again.rules_line() == rules, "{line} becomes {}", again.rules_line());
        ensure!(again.fingerprint() == rulebook.fingerprint(), "another fingerprint after {line}");
    }
    Ok(())
}

/// Compares everything about one book. Returns its number of positions, or `None` if it's too large.
pub fn agrees(number: u64, book: &Book, most: usize) -> Result<Option<usize>, String> {
    let rulebook = built(&book.text())?;
    comes_back_from_its_line(&rulebook)?;
    let Some(graph) = Graph::of_openings(book, most) else { return Ok(None) };
    let mut walk = Walk::new(&graph, &rulebook);
    let openings = Player::BOTH.map(|first| rulebook.opening(first));
    walk.walk(&openings)?;
    let solver = Solver::new(Arc::clone(&rulebook), &mut patient()).map_err(|why| why.to_string())?;
    walk.compare_worth(&solver)?;
    if number.is_multiple_of(4) {
        let searched =
            Solver::from_positions(Arc::clone(&rulebook), [openings[0]], HashSet::new(), &mut patient());
        walk.compare_worth(&searched.map_err(|why| why.to_string())?)
            .map_err(|why| format!("searched: {why}"))?;
        // If `turns` ends a round, the format doesn't specify whether the end is a position.
        if book.turns.is_none() {
            let found = survey(&rulebook, &mut patient()).map_err(|why| why.to_string())?.len();
            let expected = graph.len_as_seen();
            ensure!(found == expected, "{found} positions are surveyed, expected {expected}");
        }
    }
    if number.is_multiple_of(3) {
        agrees_elsewhere(number, book, &rulebook)?;
    }
    Ok(Some(graph.nodes.len()))
}

/// Compares the strategies that [`Solver::new`] picks with less and less memory, the stretches, and the chart of all
/// numbers, reachable or not.
pub fn agrees_by_every_strategy(book: &Book, most: usize) -> Checked {
    let rulebook = built(&book.text())?;
    let Some(graph) = Graph::of_openings(book, most) else { return Ok(()) };
    let mut walk = Walk::new(&graph, &rulebook);
    walk.walk(&Player::BOTH.map(|first| rulebook.opening(first)))?;
    let mut known = u64::MAX;
    for bytes in (9..24).rev().map(|power| 1 << power) {
        let Ok(solver) = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(bytes)) else { break };
        // The same size is the same strategy.
        if solver.bytes() != known {
            known = solver.bytes();
            walk.compare_worth(&solver).map_err(|why| format!("with {bytes} bytes: {why}"))?;
        }
    }
    let stretches = Solver::by_intervals(Arc::clone(&rulebook), &mut patient());
    if let Some(solver) = stretches.map_err(|why| why.to_string())? {
        walk.compare_worth(&solver).map_err(|why| format!("by stretches: {why}"))?;
    }
    let Some(chart) = Chart::from_rulebook(&rulebook, &mut patient()).map_err(|why| why.to_string())? else {
        return Ok(());
    };
    for (number, found) in chart.numbers() {
        let Some(found) = found else { continue };
        let rules = Rules::new(book);
        let spot = Spot { numbers: [number; 2], ..rules.opening(0) };
        let Some(graph) = Graph::from(rules, &[spot], most) else { continue };
        let expected = expected_verdict(graph.worth(0));
        ensure!(found == expected, "the chart has {found:?} at {number}, expected {expected:?}");
    }
    Ok(())
}

/// The same from a position that may be unreachable.
fn agrees_elsewhere(number: u64, book: &Book, rulebook: &Arc<Rulebook>) -> Checked {
    let mut dice = Dice::new(number);
    let rules = Rules::new(book);
    let mut spot = rules.opening(dice.below(2));
    let (low, high) = book.bounds();
    let (low, high) = match (book.target, book.climbs()) {
        (Some(target), Some(true)) => (low, target - 1),
        (Some(target), Some(false)) => (target + 1, high),
        _ => (low, high),
    };
    // Close enough to the start to keep the game small.
    let (low, high) = (low.max(book.start.0.saturating_sub(70)), high.min(book.start.0.saturating_add(70)));
    spot.numbers = [(); 2].map(|()| dice.between(low, high));
    if !book.separate {
        spot.numbers[1] = spot.numbers[0];
    }
    for (entry, used) in rules.entries.iter().zip(&mut spot.used) {
        if let Some((uses, shared)) = entry.uses {
            *used = [(); 2].map(|()| dice.between(0, uses.into()) as u8);
            if shared {
                used[1] = 0;
            }
        }
    }
    if let Some(passes) = book.passes {
        spot.passes = [(); 2].map(|()| dice.between(0, passes.into()) as u8);
    }
    if let Some(turns) = book.turns {
        spot.plies = dice.below(2 * usize::from(turns)) as u16;
    }
    let text = rules.text(&spot);
    let Some(graph) = Graph::from(rules, &[spot], MOST / 2) else { return Ok(()) };
    let position = rulebook.read_position(&text).map_err(|bad| format!("{text} is not read: {bad}"))?;
    let mut walk = Walk::new(&graph, rulebook);
    walk.walk(&[position])?;
    let solver = Solver::from_positions(Arc::clone(rulebook), [position], HashSet::new(), &mut patient());
    walk.compare_worth(&solver.map_err(|why| why.to_string())?)
}

pub fn with_book<T>(number: u64, book: &Book, checked: Result<T, String>) -> T {
    checked.unwrap_or_else(|why| panic!("book {number}\n{}\n{why}", book.text()))
}

/// Both engines agree on books with these numbers, and enough of the books are small enough.
fn all_agree(numbers: std::ops::Range<u64>, version: Version, most: usize) {
    let (count, mut small, mut positions) = (numbers.end - numbers.start, 0, 0);
    for number in numbers {
        let book = book(number, version);
        if let Some(found) = with_book(number, &book, agrees(number, &book, most)) {
            small += 1;
            positions += found;
        }
    }
    assert!(small * 10 >= count * 8, "only {small} of {count} books are small enough");
    assert!(positions as u64 >= 80 * count, "only {positions} positions in {count} books");
}

// Split up, so that the parts run in parallel.

#[test]
fn version_1_books_agree() {
    all_agree(0..1_000, Version::One, MOST);
}

#[test]
fn version_2_books_agree_1() {
    all_agree(0..1_200, Version::Two, MOST);
}

#[test]
fn version_2_books_agree_2() {
    all_agree(1_200..2_400, Version::Two, MOST);
}

#[test]
fn version_2_books_agree_3() {
    all_agree(2_400..3_600, Version::Two, MOST);
}

#[test]
fn version_2_large_books_agree() {
    all_agree(10_000..10_100, Version::Two, 20_000);
}

fn chances_agree(numbers: std::ops::Range<u64>, version: Version) {
    let (count, mut compared) = (numbers.end - numbers.start, 0);
    for number in numbers {
        let book = book(number, version);
        let Some(graph) = Graph::of_openings(&book, 250) else { continue };
        let rulebook = with_book(number, &book, built(&book.text()));
        let solver = Solver::new(Arc::clone(&rulebook), &mut patient()).expect("the game is small enough");
        let random = Opponent::parse("random").expect("the opponent exists");
        let opponents = [(Habit::Random, random), (Habit::Perfect, Opponent::perfect())];
        for (one, first) in opponents {
            for (two, second) in opponents {
                let Some(expected) = graph.chances(0, [one, two]) else { continue };
                let players = ByPlayer([first, second]);
                let found = odds(&rulebook, &players, Player::One, Some(&solver), &mut patient());
                let found = found.expect("the game is small enough").wins.0;
                let close = (0..2).all(|seat| (found[seat] - expected[seat]).abs() < 1e-10);
                let words = format!("{one:?} against {two:?}: {found:?}, expected {expected:?}");
                with_book(number, &book, if close { Ok(()) } else { Err(words) });
                compared += 1;
            }
        }
    }
    assert!(compared >= count, "only {compared} chances of {count} books");
}

#[test]
fn version_1_chances_agree() {
    chances_agree(0..200, Version::One);
}

#[test]
fn version_2_chances_agree() {
    chances_agree(0..2_000, Version::Two);
}

/// Coverage check: random books have every feature. Without it, the tests above could pass without testing them.
#[test]
fn random_books_are_of_every_kind() {
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    for number in 0..1_200 {
        let book = book(number, Version::Two);
        let Some(graph) = Graph::of_openings(&book, MOST) else {
            *met.entry("too large".to_owned()).or_default() += 1;
            continue;
        };
        let mut kinds: BTreeSet<String> = graph.kinds().into_keys().collect();
        for node in &graph.nodes {
            let legal: Vec<Legal> = node.turns.iter().filter_map(|turn| turn.legal).collect();
            let by_entry: Vec<Written> = legal.iter().map(|legal| legal.written).collect();
            if by_entry != in_order(&graph.rules, &node.spot, &legal) {
                kinds.insert("a move listed at another entry".to_owned());
            }
        }
        for place in 0..graph.nodes.len() {
            match graph.worth(place) {
                Worth::Win(moves) if moves >= 7 => kinds.insert("a long win".to_owned()),
                Worth::Loss(moves) if moves >= 6 => kinds.insert("a long loss".to_owned()),
                Worth::Draw => kinds.insert("a draw".to_owned()),
                _ => false,
            };
        }
        for kind in kinds {
            *met.entry(kind).or_default() += 1;
        }
    }
    let mut expected: Vec<String> = Vec::new();
    for why in ["reached", "overshot", "landed"] {
        expected.extend([1, 2].map(|winner| format!("{why}: Player {winner}")));
        expected.extend(["won", "not won"].map(|how| format!("{why} on the other's number: {how}")));
    }
    for why in ["stuck", "closest", "turns"] {
        expected.extend(["Player 1", "Player 2", "draw"].map(|who| format!("{why}: {who}")));
    }
    for word in ["even", "odd", "prime", "square", "multiple", "below", "above", "from"] {
        expected.extend([true, false].map(|holds| format!("{word}: {holds}")));
    }
    for op in ["-divisor", "+divisor", "/divisor", "-prime", "+prime", "/prime", "-digit", "+digit", "-half"]
    {
        expected.extend(["", "@"].map(|at| format!("a move {at}{op}")));
    }
    for sign in ['+', '-', 'x', '/'] {
        expected.extend(["", "@"].map(|at| format!("a move {at}{sign}k")));
    }
    for kind in [
        "a skip under skips",
        "a skip under closest",
        "a move of several entries",
        "a move of a later entry because of uses",
        "a move of a later entry because of a condition",
        "a move listed at another entry",
        "several conditions that hold",
        "no amount",
        "a long win",
        "a long loss",
        "a draw",
    ] {
        expected.push(kind.to_owned());
    }
    for kind in expected {
        assert!(met.get(&kind).is_some_and(|times| *times >= 8), "{kind}: {met:#?}");
    }
    assert!(met.get("too large").is_none_or(|times| *times < 240), "{met:#?}");
}
