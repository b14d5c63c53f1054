//! Compares stretches with tables, for every number and memory.

mod straight;

use std::sync::Arc;

use super::super::Solver;
use super::super::sweep::{Sweep, at};
use super::*;
use crate::engine::play::{Move, Step};
use crate::format::Draft;

/// Moves and other rules of climbing games, with and without multiples.
const GAMES: [&str; 48] = [
    "moves = ['+1', 'x2']",
    "moves = ['+1', 'x2']\npast = 'forbidden'",
    "moves = ['+1', 'x2']\npast = 'wins'",
    "moves = ['+1', 'x2']\nreach = 'loses'",
    "moves = ['+1', 'x2']\nreach = 'loses'\npast = 'forbidden'",
    "moves = ['+1', 'x2']\nno_repeat = 'own'",
    "moves = ['+1', 'x2']\nno_repeat = 'opponent'",
    "moves = ['+1', 'x2']\nno_repeat = 'both'",
    "moves = ['+1', 'x2']\nno_repeat = 'both'\nstuck = 'wins'\npast = 'forbidden'",
    "moves = ['+1', 'x2']\nno_repeat = 'own'\npast = 'forbidden'",
    "moves = ['+1', 'x2']\nno_repeat = 'own'\npast = 'wins'",
    "moves = ['+1', 'x3']",
    "moves = ['+1', 'x3']\npast = 'forbidden'",
    "moves = ['+2', 'x2']\npast = 'forbidden'",
    "moves = ['+2', 'x2']\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['+2', 'x3']\npast = 'forbidden'\nstuck = 'draws'",
    "moves = ['+1..3']",
    "moves = ['+1..4']\npast = 'forbidden'\nno_repeat = 'opponent'",
    "moves = ['+1..3', 'x2', 'x3']",
    "moves = ['+1..3', 'x2', 'x3']\nno_repeat = 'own'",
    "moves = ['+1..3', 'x2', 'x3']\nno_repeat = 'both'\npast = 'forbidden'",
    "moves = ['+1..3', 'x2', 'x3']\npast = 'wins'\nreach = 'loses'",
    "moves = ['+1', '+2', 'x2']",
    "moves = ['+1', '+3', 'x2']\npast = 'forbidden'",
    "moves = ['+1', '+4', 'x5']\nno_repeat = 'own'",
    "moves = ['+2', '+5', '+7', 'x2', 'x3']\npast = 'forbidden'",
    "moves = ['+2', '+5', '+7', 'x2', 'x3']\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['x2', 'x3']",
    "moves = ['x2', 'x3', 'x5']\npast = 'forbidden'\nno_repeat = 'opponent'",
    "moves = ['+1', 'x1000000000000000000']",
    "moves = ['+1', '+1000000000000000000', 'x2']\npast = 'forbidden'",
    "moves = ['+1', '+40', 'x7']",
    "moves = ['+3', '+1100', 'x2']\npast = 'forbidden'",
    "moves = ['+1', 'x2']\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['+1', 'x2']\nreach = 'loses'\npast = 'wins'",
    "moves = ['+1', 'x2']\nreach = 'loses'\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['+2', 'x2']\nreach = 'loses'\npast = 'forbidden'\nstuck = 'skips'",
    "moves = ['+3', '+5', 'x4']\npast = 'forbidden'\nstuck = 'skips'",
    "moves = ['+1', 'x2']\npast = 'forbidden'\nno_repeat = 'own'\nstuck = 'skips'",
    "moves = ['+2', 'x2']\npast = 'forbidden'\nno_repeat = 'opponent'\nstuck = 'skips'",
    "moves = ['+1', 'x3']\npast = 'forbidden'\nno_repeat = 'both'\nstuck = 'skips'",
    "moves = ['x2', 'x3']\npast = 'forbidden'\nno_repeat = 'own'\nstuck = 'skips'",
    "moves = ['+1', '+2', 'x2']\nno_repeat = 'both'\nstuck = 'skips'\nforbidden = [40, 44]",
    "moves = ['+1', 'x2']\nno_repeat = 'both'\nreach = 'loses'\npast = 'wins'\nstuck = 'wins'",
    "moves = ['+1..3', 'x2']\nno_repeat = 'opponent'\npast = 'forbidden'\nstuck = 'draws'\nreach = 'loses'",
    "moves = ['+1', 'x2']\nwinning = [17]\nlosing = [40, 41]\nforbidden = [90]",
    "moves = ['+1', '+2', 'x3']\nno_repeat = 'own'\nforbidden = [3, 17, 100, 2003, 2050]\npast = 'wins'",
    "moves = ['+3', '+4', 'x2']\nlosing = [60]\npast = 'forbidden'\nstuck = 'draws'",
];

fn book(rules: &str, target: i64) -> Option<Rulebook> {
    let text = format!("title = 'Stretches'\nstart = 1\ntarget = {target}\n{rules}");
    Draft::read("stretches", &text).build().ok()
}

/// The mirrored game below 0: additions become subtractions, and all numbers change sign.
fn book_below(rules: &str, target: i64) -> Option<Rulebook> {
    let mut text = format!("title = 'Below'\nstart = -1\ntarget = -{target}\n");
    for line in rules.lines() {
        let line = match line.split_once(" = [") {
            Some((key @ ("winning" | "losing" | "forbidden"), list)) => {
                format!("{key} = [-{}", list.replace(", ", ", -"))
            }
            _ => line.replace('+', "-"),
        };
        text.push_str(&format!("{line}\n"));
    }
    Draft::read("below", &text).build().ok()
}

/// Mirrored games agree in every number and every move.
#[test]
fn below_zero_all_is_the_same() {
    for rules in GAMES {
        for target in [2, 9, 64, 100, 1000, 1_000_000_000_000_000_000] {
            let Some(above) = book(rules, target) else { continue };
            let below = book_below(rules, target).unwrap();
            assert!(suits(&below), "{rules}");
            let mut budget = Budget::patient(1 << 30);
            let both = [&above, &below].map(|book| Intervals::find(book, &mut budget).unwrap().unwrap());
            let numbers = (1..target.min(300)).chain((target - 300).max(1)..target);
            for number in numbers {
                for (one, two) in
                    both[0].recurrence.memories.known.iter().zip(&both[1].recurrence.memories.known)
                {
                    let up = both[0].verdict(&above, &at(number, *one));
                    assert!(up.is_some());
                    assert_eq!(
                        both[1].verdict(&below, &at(-number, *two)),
                        up,
                        "{number} of {target}: {rules}"
                    );
                }
            }
            let [up, down] = [(0, &above), (1, &below)]
                .map(|(place, book)| both[place].stretches(book, None, &budget).unwrap());
            match (up, down) {
                (Some(up), Some(down)) => {
                    assert_eq!(up.len(), down.len());
                    for (up, down) in up.iter().zip(down.iter().rev()) {
                        assert_eq!((up.from, up.to), (-down.to, -down.from));
                        for number in (up.from..=up.to).take(100).chain([up.to]) {
                            assert_eq!(up.mark(number), down.mark(-number));
                        }
                    }
                }
                (up, down) => assert!(up.is_none() && down.is_none()),
            }
        }
    }
}

/// Countdowns that end above 0: the numbers past their end are more than half the number type's range away.
#[test]
fn counting_down_to_a_number_above_zero_is_what_the_table_is() {
    for rules in
        ["", "past = 'forbidden'", "past = 'wins'\nno_repeat = 'own'", "reach = 'loses'\nstuck = 'draws'"]
    {
        for (start, target) in (1..12).flat_map(|target| [(target + 1, target), (90, target), (173, target)])
        {
            let text =
                format!("title = 'Down'\nstart = {start}\ntarget = {target}\nmoves = ['-1..5']\n{rules}");
            let Ok(rulebook) = Draft::read("down", &text).build() else { continue };
            let mut budget = Budget::patient(1 << 30);
            let counted = Intervals::with(&rulebook, Counting::Moves, u64::MAX, &mut budget).unwrap();
            let table = Sweep::<i32>::fill(&rulebook, &mut budget).unwrap();
            for number in target + 1..=start {
                for memory in &counted.recurrence.memories.known {
                    let position = at(number, *memory);
                    assert_eq!(
                        counted.verdict(&rulebook, &position),
                        table.verdict(&rulebook, &position),
                        "{text}: {position:?}"
                    );
                }
            }
        }
    }
}

/// Compares stretches with a table, for every number and memory.
fn agrees(rules: &str, target: i64) {
    let Some(rulebook) = book(rules, target) else { return };
    assert!(suits(&rulebook), "{rules}");
    let mut budget = Budget::patient(1 << 30);
    let counted = Intervals::with(&rulebook, Counting::Moves, u64::MAX, &mut budget).unwrap();
    // Without counts, the same stretches take fewer steps. Some targets are enough to test that.
    let values = (target % 8 == 0 || target < 200)
        .then(|| Intervals::with(&rulebook, Counting::Nothing, u64::MAX, &mut budget).unwrap());
    let table = straight::Table::climbing(&rulebook, target);
    let Recurrence { memories, .. } = &counted.recurrence;
    for number in 1..target {
        for (place, memory) in memories.known.iter().enumerate() {
            let expected = table.score(number, *memory);
            let score = |found: &Intervals| found.recurrence.score(&found.strip, number, place).unwrap();
            let at = || format!("{number} of {target}, {memory:?}: {rules}");
            assert_eq!(score(&counted), expected, "{}", at());
            if let Some(values) = &values {
                assert_eq!(score(values), expected.signum(), "{}", at());
            }
        }
    }
    if target < 150 || memories.known.len() == 1 && target % 16 == 0 {
        agrees_with_the_sweep(&rulebook, &counted, values.as_ref());
    }
}

/// Compares positions with the solver's own table, if it fits.
fn agrees_with_the_sweep(rulebook: &Rulebook, counted: &Intervals, values: Option<&Intervals>) {
    let table = Sweep::<i32>::fill(rulebook, &mut Budget::patient(1 << 30)).unwrap();
    let Recurrence { lowest, highest, memories, .. } = &counted.recurrence;
    for number in *lowest..=*highest {
        for memory in &memories.known {
            let position = at(number, *memory);
            let expected = table.verdict(rulebook, &position).unwrap();
            assert_eq!(counted.verdict(rulebook, &position), Some(expected), "{position:?}");
            let Some(values) = values else { continue };
            let value = values.verdict(rulebook, &position).unwrap();
            assert_eq!(value.value, expected.value, "{position:?}");
            let known = value.remoteness();
            assert!(known.is_none_or(|moves| expected.remoteness() == Some(moves)), "{position:?}");
        }
    }
}

/// A deterministic random generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0) * limit as u128) >> 64) as i64
    }
}

/// All targets up to 2,000, split into two parallel tests.
fn agree_to_2000(games: impl Iterator<Item = &'static &'static str>) {
    for rules in games {
        (2..=2000).for_each(|target| agrees(rules, target));
    }
}

#[test]
fn they_are_what_the_table_is_at_every_target_to_2000() {
    agree_to_2000(GAMES.iter().step_by(2));
}

#[test]
fn they_are_what_the_table_is_at_every_target_to_2000_in_the_other_games() {
    agree_to_2000(GAMES.iter().skip(1).step_by(2));
}

#[test]
fn they_are_what_the_table_is_at_random_targets() {
    let mut chance = Chance(18);
    for rules in GAMES {
        agrees(rules, 2 + chance.below(1_000_000));
    }
}

/// Values follow from the engine's moves: at random numbers of all sizes, and around every break.
#[test]
fn they_obey_the_rules_at_the_largest_targets() {
    let mut chance = Chance(10);
    for rules in GAMES {
        for target in [1_000_000_000_000_000_000, 999_999_999_999_999_999, 1 << 59, 1 + chance.below(1 << 59)]
        {
            let Some(rulebook) = book(rules, target) else { continue };
            let mut budget = Budget::patient(1 << 26);
            let Ok(counted) = Intervals::with(&rulebook, Counting::Moves, 1 << 17, &mut budget) else {
                continue;
            };
            let values = Intervals::with(&rulebook, Counting::Nothing, 1 << 17, &mut budget).unwrap();
            let breaks = counted.strip.pieces.iter().chain(&values.strip.pieces);
            let near =
                |piece: &strip::Piece| [piece.bottom - 1, piece.bottom, piece.bottom + 1, piece.top - 1];
            let mut numbers: Vec<i64> = breaks.take(300).flat_map(near).collect();
            numbers.extend((0..200).map(|_| 1 + chance.below(target - 1)));
            // Small numbers are computed last and are special, so all sizes are sampled.
            numbers.extend((0..200).map(|_| {
                let size = 1 + chance.below(59);
                1 + chance.below(1 << size)
            }));
            numbers.extend(1..100);
            for number in numbers.into_iter().filter(|number| (1..target).contains(number)) {
                for memory in &counted.recurrence.memories.known {
                    let position = at(number, *memory);
                    let found = counted.verdict(&rulebook, &position).unwrap();
                    assert_eq!(
                        found,
                        by_moves(&counted, &rulebook, &position),
                        "{number} of {target}: {rules}"
                    );
                    let value = values.verdict(&rulebook, &position).unwrap().value;
                    assert_eq!(value, found.value, "{number} of {target}: {rules}");
                    assert_eq!(
                        value,
                        by_moves(&values, &rulebook, &position).value,
                        "{number} of {target}: {rules}"
                    );
                }
            }
        }
    }
}

/// The best result of the moves, as the engine plays them.
fn by_moves(found: &Intervals, rulebook: &Rulebook, position: &Position) -> Verdict {
    let situation = rulebook.situation(position);
    if let Situation::Over(outcome) = situation {
        return Verdict::new(Value::from_outcome(outcome, position.turn()), 0);
    }
    let worth = |a_move| match rulebook.play(position, a_move).unwrap() {
        Step::Over { outcome, .. } => Verdict::new(Value::from_outcome(outcome, position.turn()), 1),
        Step::On(next) => found.verdict(rulebook, &next).unwrap().before_move(),
    };
    situation.moves().map(worth).max().unwrap()
}

/// The displayed stretches cover every number with its right value.
#[test]
fn stretches_have_the_value_of_every_number() {
    for rules in GAMES {
        for target in [2, 3, 10, 17, 60, 100, 333, 1000, 1024] {
            let Some(rulebook) = book(rules, target) else { continue };
            let mut budget = Budget::patient(1 << 30);
            let found = Intervals::with(&rulebook, Counting::Moves, u64::MAX, &mut budget).unwrap();
            let memories = &found.recurrence.memories.known;
            let values = |number: i64, memory: Memory| {
                found.verdict(&rulebook, &at(number, memory)).map(|verdict| verdict.value)
            };
            for memory in memories {
                let last = Some(*memory).filter(|_| memories.len() > 1);
                let stretches = found.stretches(&rulebook, last, &budget).unwrap().unwrap();
                // A listed number separates those around it.
                let pairs = stretches.iter().zip(&stretches[1..]).filter(|_| !rulebook.has_lists());
                for (piece, next) in pairs {
                    let is_short = next.to - next.from < 3 * piece.pattern.len() as i64;
                    let continues =
                        (next.from..=next.to).all(|number| piece.mark(number) == next.mark(number));
                    assert!(!is_short || !continues, "{next:?} continues {piece:?}, {target}: {rules}");
                }
                let mut next = 1;
                // Only listed numbers have no mark.
                let skip_listed = |next: &mut i64, to: i64| {
                    assert!((*next..to).all(|number| !rulebook.goes_on_at(number.into())), "{rules}");
                    *next = to;
                };
                for piece in &stretches {
                    skip_listed(&mut next, piece.from);
                    assert!((piece.from + 1..=piece.to).all(|number| rulebook.goes_on_at(number.into())));
                    for number in piece.from..=piece.to {
                        assert_eq!(
                            piece.mark(number),
                            values(number, *memory),
                            "{number} of {target}: {rules}"
                        );
                    }
                    next = piece.to + 1;
                }
                skip_listed(&mut next, target);
                assert_eq!(next, target);
            }
            // Without given last moves: the numbers after two turns, when both players have a last move.
            let Some(stretches) = found.stretches(&rulebook, None, &budget).unwrap() else { continue };
            let keeps_own = rulebook.remembers(Player::One, Player::One);
            let full: Vec<Memory> = memories
                .iter()
                .copied()
                .filter(|(mine, theirs)| {
                    memories.len() == 1 || theirs.is_some() && (mine.is_some() || !keeps_own)
                })
                .collect();
            for piece in stretches.iter() {
                for number in piece.from..=piece.to {
                    let mut all: Vec<_> = full.iter().map(|memory| values(number, *memory)).collect();
                    if number == 1 {
                        all = vec![values(1, (None, None))];
                    }
                    all.dedup();
                    let expected = if all.len() == 1 { all[0] } else { None };
                    assert_eq!(piece.mark(number), expected, "{number} of {target}: {rules}");
                }
            }
        }
    }
}

/// Budgets and stop requests are respected.
#[test]
fn they_keep_the_budget() {
    let hard = book("moves = ['+2', '+5', '+7', 'x2', 'x3']\npast = 'forbidden'", 1_000_000_000_000_000_000);
    let hard = hard.unwrap();
    let refused = Intervals::find(&hard, &mut Budget::patient(1 << 18));
    assert!(matches!(refused, Err(Unsolved::TooLarge { reached: 1.., .. })));
    let mut asked = 0;
    let mut keep_going = |_| {
        asked += 1;
        asked < 20
    };
    let stopped = Intervals::find(&hard, &mut Budget::new(1 << 30, &mut keep_going));
    assert!(matches!(stopped, Err(Unsolved::Stopped { .. })));
    // With slightly more, the values fit but moves aren't counted.
    let steps = Intervals::with(&hard, Counting::Moves, 1 << 12, &mut Budget::patient(1 << 30));
    assert!(matches!(steps, Err(Unsolved::TooLarge { .. })));
}

/// Whether a player who repeats a move wins against every reply. False if the move is ever illegal on their turn.
fn wins_by_repeating(rulebook: &Rulebook, choice: Choice, player: Player, position: &Position) -> bool {
    let won_after = |a_move| match rulebook.play(position, a_move) {
        Ok(Step::Over { outcome, .. }) => outcome.winner == Some(player),
        Ok(Step::On(next)) => wins_by_repeating(rulebook, choice, player, &next),
        Err(_) => false,
    };
    match rulebook.situation(position) {
        Situation::Over(outcome) => outcome.winner == Some(player),
        _ if position.turn() == player => won_after(Move::Operation(choice)),
        situation => situation.moves().all(won_after),
    }
}

#[test]
fn a_repeated_move_always_wins_if_it_beats_every_reply_and_may_be_repeated() {
    let mut found = [0, 0];
    for rules in GAMES {
        for target in 2..20 {
            let Some(rulebook) = book(rules, target) else { continue };
            let opening = rulebook.opening(Player::One);
            let applies = rulebook.no_repeat() == NoRepeat::None && rulebook.stuck() == Stuck::Loses;
            for (choice, player) in
                rulebook.fixed_choices().flat_map(|choice| Player::BOTH.map(|player| (choice, player)))
            {
                let wins = || wins_by_repeating(&rulebook, choice, player, &opening);
                let expected = applies.then(wins);
                let answer =
                    Intervals::always_wins(&rulebook, choice, player, &mut Budget::patient(1 << 20)).unwrap();
                assert_eq!(answer, expected, "{choice:?} by {player:?} to {target}: {rules}");
                found[usize::from(expected == Some(true))] += 1;
            }
        }
    }
    assert!(found.iter().all(|count| *count > 100), "{found:?}");
}

/// With separate numbers, a single number doesn't determine the result of a move.
#[test]
fn separate_numbers_are_not_for_stretches_of_one() {
    for rules in ["", "no_repeat = 'opponent'", "past = 'forbidden'\nstuck = 'skips'"] {
        let rules = format!("numbers = 'separate'\nmoves = ['+1', '+2', 'x2']\n{rules}");
        let rulebook = book(&rules, 30).unwrap();
        let mut budget = Budget::patient(1 << 20);
        assert!(Intervals::find(&rulebook, &mut budget).unwrap().is_none(), "{rules}");
        for choice in rulebook.fixed_choices() {
            assert_eq!(
                Intervals::always_wins(&rulebook, choice, Player::One, &mut budget),
                Ok(None),
                "{rules}"
            );
        }
    }
}

#[test]
fn a_chart_is_the_tables_work_where_stretches_only_spare_one() {
    let text = "title = 'Far'\nstart = 1\ntarget = 100000000\nmoves = ['+1', 'x2']";
    let rulebook = Arc::new(Draft::read("far", text).build().unwrap());
    for (bytes, a_table_fits) in [(1 << 30, true), (1 << 20, false)] {
        let mut budget = Budget::patient(bytes);
        let solver = Solver::new(Arc::clone(&rulebook), &mut budget).unwrap();
        assert_eq!((solver.spared_a_table(), solver.has_no_table()), (a_table_fits, !a_table_fits));
        assert_eq!(solver.stretches(None, &budget).unwrap().is_none(), a_table_fits);
    }
}
