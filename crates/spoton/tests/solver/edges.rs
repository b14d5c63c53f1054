//! Extreme numbers: targets, starts and amounts up to 10^18 on both sides of 0. Verdicts must follow from the moves.
//! The tests compute moves with big integers from the format's definition, without the engine.

use std::sync::Arc;

use num_bigint::BigInt;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spoton::engine::position::Player;
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solver::{Budget, Solver, Value, Verdict};
use spoton::teach::map::Picture;

use crate::solver::brute::rank;
use crate::solver::{DRAW, loss, win};
use crate::support::book;

const MOST: i64 = 1_000_000_000_000_000_000;

/// A book by key.
#[derive(Clone)]
struct Rules {
    separate: bool,
    /// The starting player's number comes first.
    start: [i64; 2],
    target: Option<i64>,
    range: Option<(i64, i64)>,
    moves: Vec<String>,
    reach: &'static str,
    past: &'static str,
    stuck: &'static str,
    no_repeat: &'static str,
    winning: Vec<i64>,
    losing: Vec<i64>,
    forbidden: Vec<i64>,
}

/// A position as the player to move sees it: their own number and last move first. A shared number appears
/// twice.
#[derive(Clone, Debug)]
struct Place {
    numbers: [BigInt; 2],
    last: [Option<usize>; 2],
}

/// The result of a move.
enum Leads {
    /// The move ends the round. The flag is whether the mover wins.
    Ends(bool),
    On(Place),
}

impl Rules {
    fn new(start: i64, target: i64, moves: &str) -> Rules {
        Rules {
            separate: false,
            start: [start; 2],
            target: Some(target),
            range: None,
            moves: moves.split(' ').map(str::to_owned).collect(),
            reach: "wins",
            past: "loses",
            stuck: "loses",
            no_repeat: "none",
            winning: vec![],
            losing: vec![],
            forbidden: vec![],
        }
    }

    fn text(&self) -> String {
        let mut text = format!("title = 'Edge'\nmoves = {:?}\nstuck = '{}'\n", self.moves, self.stuck);
        text.push_str(&format!("no_repeat = '{}'\nwinning = {:?}\n", self.no_repeat, self.winning));
        text.push_str(&format!("losing = {:?}\nforbidden = {:?}\n", self.losing, self.forbidden));
        match (self.separate, self.start) {
            (true, [one, two]) => {
                text.push_str(&format!("numbers = 'separate'\nstart = [{one}, {two}]\n"));
            }
            (false, [one, _]) => text.push_str(&format!("start = {one}\n")),
        }
        if let Some(target) = self.target {
            text.push_str(&format!("target = {target}\nreach = '{}'\npast = '{}'\n", self.reach, self.past));
        }
        if let Some((low, high)) = self.range {
            text.push_str(&format!("range = [{low}, {high}]\n"));
        }
        text
    }

    fn climbs(&self) -> bool {
        self.target.is_none_or(|target| target > self.start[0])
    }

    fn range(&self) -> (i64, i64) {
        let ends = self.start.into_iter().chain(self.target);
        self.range.unwrap_or_else(|| (ends.clone().min().unwrap(), ends.max().unwrap()))
    }

    /// The numbers that can have a turn.
    fn on_turn(&self) -> (i64, i64) {
        match (self.range(), self.target) {
            ((low, _), Some(target)) if self.climbs() => (low, target - 1),
            ((_, high), Some(target)) => (target + 1, high),
            (range, None) => range,
        }
    }

    /// Whether landing on a number wins or loses; `Err` if no move may land there.
    fn landing(&self, number: &BigInt) -> Result<Option<bool>, ()> {
        let is_in = |list: &[i64]| list.iter().any(|listed| BigInt::from(*listed) == *number);
        if is_in(&self.forbidden) {
            return Err(());
        }
        if let Some(target) = self.target.map(BigInt::from) {
            if *number == target {
                return Ok(Some(self.reach == "wins"));
            }
            if (*number > target) == self.climbs() {
                return if self.past == "forbidden" { Err(()) } else { Ok(Some(self.past == "wins")) };
            }
        }
        let (low, high) = self.range();
        match () {
            () if *number < low.into() || *number > high.into() => Err(()),
            () if is_in(&self.winning) => Ok(Some(true)),
            () if is_in(&self.losing) => Ok(Some(false)),
            () => Ok(None),
        }
    }

    fn options(&self, place: &Place) -> Vec<Leads> {
        let [mine, theirs] = &place.last;
        let (own, opponent) = match self.no_repeat {
            "own" => (true, false),
            "opponent" => (false, true),
            "both" => (true, true),
            _ => (false, false),
        };
        let mut options = vec![];
        for (index, a_move) in self.moves.iter().enumerate() {
            if own && *mine == Some(index) || opponent && *theirs == Some(index) {
                continue;
            }
            let (sign, amount) = a_move.split_at(1);
            let (number, amount) = (&place.numbers[0], amount.parse::<BigInt>().unwrap());
            let result = match sign {
                "+" => number + amount,
                "-" => number - amount,
                "x" => number * amount,
                _ if number % &amount == BigInt::ZERO => number / amount,
                _ => continue,
            };
            options.extend(match self.landing(&result) {
                Err(()) => None,
                Ok(Some(wins)) => Some(Leads::Ends(wins)),
                Ok(None) => {
                    let mine = if self.separate { place.numbers[1].clone() } else { result.clone() };
                    let last = [*theirs, Some(index)].map(|last| last.filter(|_| own || opponent));
                    Some(Leads::On(Place { numbers: [mine, result], last }))
                }
            });
        }
        options
    }

    /// A position's verdict, computed from its successors' verdicts.
    fn by_laws(&self, place: &Place, worth: impl Fn(&Place) -> Verdict) -> Verdict {
        let turned = |verdict: Verdict| match (verdict.value, verdict.remoteness()) {
            (Value::Win, Some(moves)) => loss(moves + 1),
            (Value::Loss, Some(moves)) => win(moves + 1),
            // A draw, or unknown.
            (_, None) => verdict.before_move(),
            (Value::Draw, Some(_)) => unreachable!("a draw has no end"),
        };
        let options = self.options(place).into_iter().map(|leads| match leads {
            Leads::Ends(true) => win(1),
            Leads::Ends(false) => loss(1),
            Leads::On(next) => turned(worth(&next)),
        });
        if let Some(best) = options.min_by_key(|verdict| rank(*verdict)) {
            return best;
        }
        let ([mine, theirs], [own, other]) = (place.numbers.clone(), place.last);
        let skipped = Place { numbers: [theirs, mine], last: [other, own] };
        match self.stuck {
            "loses" => loss(0),
            "wins" => win(0),
            "skips" if !self.options(&skipped).is_empty() => turned(worth(&skipped)),
            _ => DRAW,
        }
    }

    /// This position in the library's notation.
    fn written(&self, place: &Place) -> String {
        let keeps_mine = self.no_repeat != "opponent" || self.stuck == "skips";
        let last = |index: usize| match place.last[index].filter(|_| index == 1 || keeps_mine) {
            Some(last) => &self.moves[last],
            None => "-",
        };
        let numbers = match (self.separate, &place.numbers) {
            (true, [mine, theirs]) => format!("{mine},{theirs}"),
            (false, [number, _]) => number.to_string(),
        };
        match self.no_repeat {
            "none" => format!("{numbers};1"),
            _ => format!("{numbers};1;{},{}", last(0), last(1)),
        }
    }

    /// All combinations of remembered last moves.
    fn memories(&self) -> Vec<[Option<usize>; 2]> {
        let all = || std::iter::once(None).chain((0..self.moves.len()).map(Some));
        match self.no_repeat {
            "none" => vec![[None; 2]],
            "opponent" if self.stuck != "skips" => all().map(|theirs| [None, theirs]).collect(),
            _ => all().flat_map(|mine| all().map(move |theirs| [mine, theirs])).collect(),
        }
    }

    /// Checks the laws at these numbers. Returns the number of positions.
    fn hold(&self, rulebook: &Rulebook, solver: &Solver, numbers: &[[i64; 2]]) -> usize {
        let listed = |number: &i64| {
            [&self.winning, &self.losing, &self.forbidden].iter().any(|list| list.contains(number))
        };
        let verdict = |place: &Place| {
            let text = self.written(place);
            let position =
                rulebook.read_position(&text).unwrap_or_else(|why| panic!("{why}\n{}", self.text()));
            solver.verdict(&position)
        };
        let mut held = 0;
        for numbers in numbers.iter().filter(|numbers| !numbers.iter().any(listed)) {
            for last in self.memories() {
                let place = Place { numbers: numbers.map(BigInt::from), last };
                let Some(found) = verdict(&place) else { continue };
                let expected = self.by_laws(&place, |next| {
                    verdict(next).unwrap_or_else(|| panic!("{next:?} after {place:?}\n{}", self.text()))
                });
                let known = found.remoteness().is_some() || found.value == Value::Draw;
                assert_eq!(found.value, expected.value, "{place:?}\n{}", self.text());
                assert!(!known || found == expected, "{found:?}, {expected:?} {place:?}\n{}", self.text());
                held += 1;
            }
        }
        held
    }

    /// Numbers of all sizes: random ones, and ones near every possible change: the ends, the ends of displayed
    /// stretches (runs of numbers), fractions of the target, and the limits of the number type.
    fn numbers(&self, rulebook: &Arc<Rulebook>, chance: &mut ChaCha8Rng) -> Vec<i64> {
        let (low, high) = self.on_turn();
        let mut breaks = vec![low, high, 0, MOST, -MOST];
        let game = SolvedGame::new(Arc::clone(rulebook));
        if let Ok(map) = game.map(None, &mut Budget::patient(1 << 26))
            && let Picture::Ranges(ranges) = &map.picture
        {
            breaks.extend(ranges.iter().flat_map(|range| [range.from, range.to]));
        }
        let amounts = self.moves.iter().map(|a_move| a_move[1..].parse::<i64>().unwrap());
        for amount in amounts {
            let ends = self.target.into_iter().chain([i64::MAX, i64::MIN, MOST, -MOST]);
            for mut end in ends {
                breaks.extend([end.saturating_sub(amount), end.saturating_add(amount)]);
                for _ in 0..if amount > 1 { 60 } else { 0 } {
                    end /= amount;
                    breaks.push(end);
                }
            }
        }
        breaks.extend(self.winning.iter().chain(&self.losing).chain(&self.forbidden));
        let mut numbers: Vec<i64> =
            breaks.into_iter().flat_map(|number| (-3..=3).map(move |by| number.saturating_add(by))).collect();
        for _ in 0..1000 {
            numbers.push(chance.random_range(low..=high));
            let size: i64 = chance.random_range(0..60);
            let near = chance.random_range(-(1_i64 << size)..=1 << size);
            numbers.extend([near, low.saturating_add(near.abs()), high.saturating_sub(near.abs())]);
        }
        numbers.retain(|number| (low..=high).contains(number));
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn solved(&self) -> (Arc<Rulebook>, Solver) {
        let rulebook = book(&self.text());
        let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(1 << 26));
        let solver = solver.unwrap_or_else(|why| panic!("{why}\n{}", self.text()));
        assert!(solver.verdict(&rulebook.opening(Player::One)).is_some());
        (rulebook, solver)
    }
}

/// The same rules with different endings.
fn with_ends(rules: &Rules) -> Vec<Rules> {
    let ends = [
        ("wins", "loses", "loses", "none"),
        ("wins", "forbidden", "loses", "none"),
        ("loses", "wins", "loses", "none"),
        ("wins", "wins", "loses", "none"),
        ("loses", "forbidden", "skips", "none"),
        ("wins", "loses", "loses", "own"),
        ("wins", "forbidden", "skips", "own"),
        ("wins", "forbidden", "wins", "opponent"),
        ("loses", "loses", "draws", "opponent"),
        ("wins", "forbidden", "skips", "opponent"),
    ];
    let with = |(reach, past, stuck, no_repeat)| Rules { reach, past, stuck, no_repeat, ..rules.clone() };
    ends.map(with).into()
}

/// Games without a table, up and down, on both sides of 0.
fn endless() -> Vec<Rules> {
    let most = MOST;
    let shapes = [
        Rules::new(1, most, "+1 x2"),
        Rules::new(1, most - 1, "+1 +2 +3 x2 x3"),
        // Multiplied by 9, nearly all numbers fit in 64 bits. Multiplied by 10, they don't.
        Rules::new(1, most, "+1 x9"),
        Rules::new(2, most - 1, "+1 x10"),
        Rules::new(1, most, "+1 x1000000000000000000"),
        Rules::new(1, most, "+1 x999999999999999999 x2"),
        Rules::new(1, most, "+1 +1000000000000000000 x2"),
        Rules::new(1, most, "+2 +3 +999999999999999998"),
        // From the lowest to the highest number.
        Rules::new(-most, most, "+1 +2 +5"),
        Rules::new(-most, most, "+1 +3 +1000000000000000000"),
        Rules::new(-most, -1, "+1 +4"),
        Rules::new(-most, 1, "+2 +3"),
        // Countdowns: to 0, past it, above it and below it.
        Rules::new(most, 0, "-1 -2 -3"),
        Rules::new(most, -most, "-1 -4"),
        Rules::new(most, 7, "-1 -2 -1000000000000000000"),
        Rules::new(most, most / 2, "-3 -4"),
        Rules::new(-1, -most, "-1 x2"),
        Rules::new(-1, 1 - most, "-1 -3 x3"),
        Rules::new(-3, -most, "-2 x10"),
    ];
    let mut all: Vec<Rules> = shapes.iter().flat_map(with_ends).collect();
    let listed = [
        Rules {
            winning: vec![17, most - 10, most / 2],
            losing: vec![most - 3, most - 4, most / 2 + 1],
            forbidden: vec![most / 4, most - 7],
            ..Rules::new(1, most - 1, "+1 x2")
        },
        // Single forbidden numbers also apply past the target.
        Rules {
            range: Some((1, most)),
            forbidden: vec![most, most - 2],
            losing: vec![most / 3],
            ..Rules::new(1, most - 3, "+1 +2 x2")
        },
        Rules {
            losing: vec![-most + 2, 5 - most, -most / 2],
            winning: vec![0],
            forbidden: vec![3 - most],
            ..Rules::new(most, -most, "-1 -2 -3")
        },
    ];
    all.extend(listed.iter().flat_map(with_ends));
    // Without a target, play gets stuck at the ends of the range.
    for no_repeat in ["none", "own", "both"] {
        for stuck in ["loses", "wins", "draws"] {
            let rules =
                Rules { target: None, range: Some((-most, most)), no_repeat, stuck, ..shapes[8].clone() };
            all.push(rules.clone());
            all.push(Rules { winning: vec![most], losing: vec![most - 2, 1], ..rules });
            let down = Rules {
                start: [most; 2],
                moves: vec!["-1".into(), "-2".into()],
                ..all[all.len() - 2].clone()
            };
            all.push(down);
        }
    }
    all
}

#[test]
fn values_follow_from_the_moves_as_far_as_numbers_go() {
    let mut chance = ChaCha8Rng::seed_from_u64(18);
    for rules in endless() {
        let (rulebook, solver) = rules.solved();
        let mut numbers = rules.numbers(&rulebook, &mut chance);
        // If positions remember more, fewer numbers give the same number of positions.
        let most = 3_000 / rules.memories().len();
        if numbers.len() > most {
            let picked: Vec<i64> =
                (0..most).map(|_| numbers[chance.random_range(0..numbers.len())]).collect();
            let ends = numbers.len() - 20..;
            numbers = [&picked[..], &numbers[..20], &numbers[ends]].concat();
        }
        let pairs: Vec<[i64; 2]> = numbers.iter().map(|number| [*number; 2]).collect();
        let held = rules.hold(&rulebook, &solver, &pairs);
        assert!(held > 500, "{held} positions\n{}", rules.text());
    }
}

/// Separate numbers as far from the target as possible.
#[test]
fn races_follow_from_the_moves_as_far_as_numbers_go() {
    let mut chance = ChaCha8Rng::seed_from_u64(19);
    let shapes = [
        Rules::new(1, MOST, "+1 x2"),
        Rules::new(1, MOST - 1, "+1 +3 x10"),
        Rules::new(-MOST, MOST, "+1 +7"),
        Rules::new(MOST, -MOST, "-1 -4 -1000000000000000000"),
        Rules::new(-1, -MOST, "-1 x9"),
    ];
    for shape in shapes {
        for (past, no_repeat) in [("loses", "none"), ("forbidden", "none"), ("wins", "none"), ("wins", "own")]
        {
            let rules = Rules { separate: true, past, no_repeat, ..shape.clone() };
            let (rulebook, solver) = rules.solved();
            let numbers = rules.numbers(&rulebook, &mut chance);
            let any = |chance: &mut ChaCha8Rng| numbers[chance.random_range(0..numbers.len())];
            let pairs: Vec<[i64; 2]> = (0..2_000)
                .map(|_| match [any(&mut chance), any(&mut chance)] {
                    // If the players are far apart, one of them wins anyway.
                    [one, _] if chance.random_bool(0.5) => {
                        let (low, high) = rules.on_turn();
                        [one, one.saturating_add(chance.random_range(-9..=9)).clamp(low, high)]
                    }
                    pair => pair,
                })
                .collect();
            let held = rules.hold(&rulebook, &solver, &pairs);
            // Two alternating moves reach few numbers.
            let is_forced = rules.no_repeat == "own" && rules.moves.len() == 2;
            assert!(held >= if is_forced { 1 } else { 2_000 }, "{held} positions\n{}", rules.text());
        }
    }
}

/// Tables at both extremes, where play goes up and down or jumps far: all positions.
#[test]
fn tables_follow_from_the_moves_at_both_ends_of_the_numbers() {
    let sets = [
        "+1 -2 x2",
        "+3 -1 /2 x1",
        "+1 x1000000000000000000 -1",
        "+1000000000000000000 -3 +2",
        "-1000000000000000000 +1 -1",
        "/1000000000000000000 +1 -2",
        "/999999999999999999 -1 +4 /1",
        "+1 +2",
        "-2 -3",
    ];
    let ends = |low: i64, high: i64| {
        let plain = Rules { range: Some((low, high)), ..Rules::new(low + 3, high, "+1") };
        let down = Rules { start: [high - 3; 2], target: Some(low), ..plain.clone() };
        let free = Rules { target: None, start: [high - 9; 2], ..plain.clone() };
        let listed = Rules {
            winning: vec![low + 1],
            losing: vec![high - 1, low + 7],
            forbidden: vec![high - 5, low + 4],
            start: [low + 9; 2],
            ..free.clone()
        };
        [plain, down, free, listed]
    };
    let mut held = 0;
    for (low, high) in [(MOST - 24, MOST), (-MOST, 24 - MOST)] {
        for (shape, moves) in ends(low, high).iter().flat_map(|shape| sets.map(|moves| (shape, moves))) {
            let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
            for rules in with_ends(&Rules { moves, ..shape.clone() }) {
                for separate in [false, true] {
                    let rules = Rules { separate, ..rules.clone() };
                    let (rulebook, solver) = rules.solved();
                    let (low, high) = rules.on_turn();
                    let pairs: Vec<[i64; 2]> = match separate {
                        false => (low..=high).map(|number| [number; 2]).collect(),
                        true => {
                            (low..=high).flat_map(|one| (low..=high).map(move |two| [one, two])).collect()
                        }
                    };
                    held += rules.hold(&rulebook, &solver, &pairs);
                }
            }
        }
    }
    assert!(held > 300_000, "{held} positions");
}

/// Subtracting 1 to k has a known solution: leave a multiple of k + 1.
#[test]
fn taking_away_is_what_it_always_was() {
    let mut chance = ChaCha8Rng::seed_from_u64(20);
    for (start, target, sign) in [(MOST, 0, '-'), (MOST, -MOST, '-'), (-MOST, MOST, '+'), (-MOST, -5, '+')] {
        for most in [1, 2, 3, 9, 15] {
            let moves: Vec<String> = (1..=most).map(|amount| format!("{sign}{amount}")).collect();
            let rules = Rules { past: "forbidden", ..Rules::new(start, target, &moves.join(" ")) };
            let (rulebook, solver) = rules.solved();
            for number in rules.numbers(&rulebook, &mut chance) {
                let (rounds, rest) = {
                    let left = target.abs_diff(number);
                    (left / (most + 1), left % (most + 1))
                };
                let expected = if rest == 0 { loss(2 * rounds) } else { win(2 * rounds + 1) };
                let position = rulebook.read_position(&format!("{number};1")).unwrap();
                assert_eq!(solver.verdict(&position), Some(expected), "{number}\n{}", rules.text());
            }
        }
    }
}
