//! Charts, the patterns found in them, and stretches (runs) of marks.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::number_kind::NumberKind;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::{Player, Position};
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solver::chart::{Chart, number_alone_decides, pieces, position_at};
use spoton::solver::{Value, Verdict};

use crate::solver::books::{books, circles, plain};
use crate::solver::brute::{Brute, moves_of};
use crate::support::{book, cases};
use crate::truth::generous;
use crate::truth::richer::richer;

/// The value of every number to the player to move, in the chart and in the game.
struct Truth<'a> {
    rulebook: &'a Rulebook,
    brute: Brute,
}

impl Truth<'_> {
    fn for_chart<'a>(rulebook: &'a Rulebook, chart: &Chart) -> Truth<'a> {
        let numbers = (chart.lowest()..=chart.highest()).filter_map(|number| position_at(rulebook, number));
        let roots: Vec<Position> = [rulebook.opening(Player::One)].into_iter().chain(numbers).collect();
        let brute =
            Brute::from(rulebook, &roots, &HashSet::new(), usize::MAX).expect("the search has no limit");
        Truth { rulebook, brute }
    }

    fn worth(&self, number: i64) -> Verdict {
        self.brute.verdict(&position_at(self.rulebook, number).expect("the number alone decides"))
    }

    /// Whether a list has this number. If so, only the first player can ever be to move there.
    fn listed(&self, number: i64) -> bool {
        let lists = [self.rulebook.winning(), self.rulebook.losing(), self.rulebook.forbidden()];
        let number = number.into();
        let is_past = self.rulebook.passes_target(number);
        lists.iter().any(|list| list.lists(number) || (!is_past && list.describes(number)))
    }
}

fn chart_is_true(truth: &Truth<'_>, chart: &Chart) -> Result<(), TestCaseError> {
    for (number, verdict) in chart.numbers() {
        let expected = (!truth.listed(number)).then(|| truth.worth(number));
        prop_assert_eq!(verdict, expected, "{}", number);
        prop_assert_eq!(chart.verdict(number.into()), expected);
        let lost = expected.is_some_and(|verdict| verdict.value == Value::Loss);
        prop_assert_eq!(chart.is_stone(number.into()), lost);
    }
    let stones: Vec<i64> =
        (chart.lowest()..=chart.highest()).filter(|number| chart.is_stone((*number).into())).collect();
    prop_assert_eq!(chart.stones().collect::<Vec<_>>(), stones);
    for outside in [i128::from(chart.lowest()) - 1, i128::from(chart.highest()) + 1, i128::MAX] {
        prop_assert_eq!(chart.verdict(outside), None);
    }
    Ok(())
}

/// The chart has every number at which a player can move.
fn chart_is_whole(truth: &Truth<'_>, chart: &Chart) -> Result<(), TestCaseError> {
    let opening = truth.rulebook.opening(Player::One);
    prop_assert_eq!(chart.opening(), Some(truth.brute.verdict(&opening)));
    for number in truth.brute.positions().map(|position| position.number()) {
        prop_assert_eq!(
            chart.verdict(number.into()).is_none(),
            truth.listed(number),
            "{} is missing",
            number
        );
    }
    Ok(())
}

/// The numbers that moves can leave to the opponent, to move or stuck.
fn left(rulebook: &Rulebook) -> HashSet<i64> {
    let (start, _) = rulebook.start();
    let (mut left, mut waiting, mut seen) = (HashSet::new(), vec![start], HashSet::from([start]));
    while let Some(number) = waiting.pop() {
        let position = position_at(rulebook, number).expect("the number alone decides");
        for a_move in moves_of(rulebook, &position).into_iter().filter(|a_move| *a_move != Move::Skip) {
            if let Ok(Step::On(next)) = rulebook.play(&position, a_move) {
                left.insert(next.number());
                if seen.insert(next.number()) {
                    waiting.push(next.number());
                }
            }
        }
    }
    left
}

/// A pattern is true for every number, includes the number it's about, and names only numbers that a player can leave.
fn pattern_is_true(truth: &Truth<'_>, game: &SolvedGame, about: i64) -> Result<bool, TestCaseError> {
    let pattern = generous(|budget| game.pattern(about.into(), budget));
    let Some(pattern) = pattern else { return Ok(false) };
    let numbers: Vec<i64> = pattern.numbers().collect();
    prop_assert!(numbers.len() >= 3 && numbers.contains(&about));
    let left = left(truth.rulebook);
    prop_assert_eq!(numbers.iter().find(|number| !left.contains(number)), None, "{}", pattern);
    for number in &numbers {
        prop_assert_eq!(truth.worth(*number).value, Value::Loss, "{} of {:?}", number, pattern);
    }
    // The text gives the first number, the distance and the last number.
    let said = pattern.to_string();
    if let Some(kind) = pattern.kind {
        prop_assert!(rulebook_is_richer(truth.rulebook) && numbers.iter().all(|number| kind.holds(*number)));
        let kind = match kind {
            NumberKind::Prime => "a prime number".to_owned(),
            NumberKind::Square => "a square number".to_owned(),
            NumberKind::MultipleOf(factor) => format!("a multiple of {factor}"),
            other => panic!("{other} has no name in this sentence"),
        };
        let last = numbers.last().expect("a pattern has at least three numbers");
        prop_assert_eq!(said, format!("leave {kind} from {} to {last}", numbers[0]));
    } else if pattern.every == 2 {
        let kind = if pattern.from.rem_euclid(2) == 0 { "even" } else { "odd" };
        prop_assert_eq!(said, format!("leave an {kind} number from {} to {}", numbers[0], pattern.to));
    } else {
        let (first, second) = (numbers[0], numbers[1]);
        let last = numbers.last().expect("a pattern has at least three numbers");
        prop_assert_eq!(
            said,
            format!("leave {first}, {second} and so on, every {} up to {last}", second - first)
        );
    }
    Ok(true)
}

/// Patterns name kinds of numbers only if the book uses them.
fn rulebook_is_richer(rulebook: &Rulebook) -> bool {
    rulebook.has_richer_numbers()
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn charts_are_true(text in prop_oneof![books(), circles(), plain(), richer()]) {
        let rulebook = book(&text);
        let chart = generous(|budget| Chart::from_rulebook(&rulebook, budget));
        prop_assert_eq!(chart.is_some(), number_alone_decides(&rulebook));
        let Some(chart) = chart else { return Ok(()) };
        let truth = Truth::for_chart(&rulebook, &chart);
        chart_is_true(&truth, &chart)?;
        chart_is_whole(&truth, &chart)?;
    }

    #[test]
    fn patterns_are_true(text in prop_oneof![plain(), richer()]) {
        let rulebook = book(&text);
        let Some(chart) = generous(|budget| Chart::from_rulebook(&rulebook, budget)) else { return Ok(()) };
        let truth = Truth::for_chart(&rulebook, &chart);
        let game = SolvedGame::new(Arc::clone(&rulebook));
        for about in chart.lowest() - 2..=chart.highest() + 2 {
            let found = pattern_is_true(&truth, &game, about)?;
            prop_assert!(!found || chart.is_stone(about.into()));
        }
    }

    #[test]
    fn pieces_say_what_the_marks_say(
        blocks in vec((vec(0..3u8, 1..6), 1..9usize), 0..6),
        lowest in -50..50i64,
    ) {
        let marks: Vec<u8> = blocks.iter().flat_map(|(block, times)| block.repeat(*times)).collect();
        let pieces: Vec<_> = pieces(lowest, &marks).collect();
        let mut again = Vec::new();
        for piece in &pieces {
            prop_assert_eq!(piece.from, lowest + again.len() as i64);
            prop_assert!(piece.from <= piece.to && !piece.pattern.is_empty());
            let length = (piece.to - piece.from + 1) as usize;
            prop_assert_eq!((length, piece.pattern.len()), longest_stretch(&marks[again.len()..]), "{:?}", marks);
            again.extend((piece.from..=piece.to).zip(piece.pattern.iter().cycle()).map(|(_, mark)| *mark));
        }
        prop_assert_eq!(again, marks);
        if let [(block, times)] = &blocks[..] {
            prop_assert!(pieces.len() == 1 || *times < 3, "{:?} {} times in {} pieces", block, times, pieces.len());
        }
    }
}

/// How many of the first marks repeat a pattern, and the length of the shortest such pattern: a single mark, or several
/// marks that appear at least three times.
fn longest_stretch(marks: &[u8]) -> (usize, usize) {
    let repeats = |period: usize, length: usize| (period..length).all(|at| marks[at] == marks[at - period]);
    let all = (1..=marks.len()).rev().flat_map(|length| (1..=24).map(move |period| (length, period)));
    let mut fitting =
        all.filter(|(length, period)| (*period == 1 || *length >= 3 * period) && repeats(*period, *length));
    fitting.next().expect("one mark is a stretch")
}

/// Most counting games have a pattern.
#[test]
fn the_classics_have_their_patterns() {
    for (id, about, said) in [
        ("race-to-23", 13, "leave 3, 8 and so on, every 5 up to 18"),
        ("take-away", 8, "leave 4, 8 and so on, every 4 up to 20"),
        ("twenty-one-loses", 12, "leave 4, 8 and so on, every 4 up to 20"),
        ("number-maze", 14, "leave an even number from 12 to 18"),
    ] {
        let draft = spoton::format::catalog::draft(id).expect("the game is shipped");
        let rulebook = crate::support::finished(&draft);
        let chart =
            generous(|budget| Chart::from_rulebook(&rulebook, budget)).expect("the number alone decides");
        let truth = Truth::for_chart(&rulebook, &chart);
        let game = SolvedGame::new(Arc::clone(&rulebook));
        assert!(pattern_is_true(&truth, &game, about).expect("the pattern is true"), "{id}");
        let pattern =
            generous(|budget| game.pattern(about.into(), budget)).expect("the number has a pattern");
        assert_eq!(pattern.to_string(), said, "{id}");
    }
}

/// Players never leave 10: the round begins there, and landing on it loses.
#[test]
fn a_pattern_begins_with_a_number_that_can_be_left() {
    let rulebook = book("title = 'T'\nstart = 10\ntarget = 18\nmoves = ['x2', '+1']\nlosing = [10]");
    let game = SolvedGame::new(Arc::clone(&rulebook));
    let pattern = generous(|budget| game.pattern(12, budget)).expect("the number has a pattern");
    assert_eq!(pattern.to_string(), "leave an even number from 12 to 16");
}
