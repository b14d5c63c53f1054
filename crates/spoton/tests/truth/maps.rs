//! Every mark of a map is true, checked by brute force on all reachable positions.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use proptest::prelude::*;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{BookText, Changes, Game, Numbers, Rulebook};
use spoton::json;
use spoton::solved::SolvedGame;
use spoton::solver::chart::position_at;
use spoton::solver::{Budget, Value};
use spoton::teach::map::{Cover, Last, Map, Mark, Picture};
use spoton::words::map::{self as words, Look};

use crate::solver::brute::{Brute, moves_of};
use crate::support::{book, cases, finished};
use crate::truth::generous;
use crate::truth::rim::at_the_rim;

/// Skips games with more positions.
const MOST: usize = 2000;

/// The result at each pair of numbers, as the player to move sees it.
struct Truth {
    on_turn: BTreeMap<(i64, i64), BTreeSet<Value>>,
    ended: BTreeSet<(i64, i64)>,
    /// The numbers where a move ends the round by landing on a listed number.
    landed: BTreeSet<i64>,
    /// The number that a move leaves to the opponent.
    left: BTreeSet<(i64, i64)>,
}

impl Truth {
    fn for_rulebook(rulebook: &Rulebook) -> Option<Truth> {
        let brute = Brute::new(rulebook, MOST)?;
        let mut truth = Truth {
            on_turn: BTreeMap::new(),
            ended: BTreeSet::new(),
            landed: BTreeSet::new(),
            left: BTreeSet::new(),
        };
        for position in brute.positions() {
            let me = position.turn();
            let here = (position.number_of(me), position.number_of(!me));
            truth.on_turn.entry(here).or_default().insert(brute.verdict(position).value);
            for a_move in moves_of(rulebook, position) {
                let (number, outcome) = match rulebook.play(position, a_move).expect("the move is legal") {
                    Step::Over { number, outcome } => (number, outcome),
                    Step::On(next) => {
                        truth.left.insert((next.number_of(!me), next.number_of(me)));
                        continue;
                    }
                };
                let Ok(number) = i64::try_from(number) else { continue };
                let mut after = ByPlayer(Player::BOTH.map(|player| position.number_of(player)));
                if a_move != Move::Skip {
                    after[rulebook.owner(position, a_move)] = number;
                }
                if rulebook.numbers() == Numbers::Shared {
                    after = ByPlayer([number, number]);
                }
                truth.ended.insert((after[!me], after[me]));
                if outcome.ending.word() == "landed" {
                    truth.landed.insert(number);
                }
            }
        }
        Some(truth)
    }

    fn mark(&self, place: (i64, i64)) -> Mark {
        let values = self.on_turn.get(&place).map(|values| values.iter().collect::<Vec<_>>());
        match values.as_deref() {
            Some([Value::Win]) => Mark::Win,
            Some([Value::Loss]) if self.left.contains(&place) => Mark::Stone,
            Some([Value::Loss]) => Mark::Loss,
            Some([Value::Draw]) => Mark::Draw,
            Some(_) => Mark::Depends,
            None if self.ended.contains(&place) => Mark::Ends,
            None => Mark::Never,
        }
    }
}

/// Whether no list has the number. If so, a player could move there, if play reached it.
fn is_open(rulebook: &Rulebook, number: i64) -> bool {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    !lists.iter().any(|list| list.lists(number.into()) || list.describes(number.into()))
}

/// A number's value to the player who would move there.
fn would_be(rulebook: &Rulebook, number: i64) -> Mark {
    let position = position_at(rulebook, number).expect("the number alone decides");
    let brute =
        Brute::from(rulebook, &[position], &HashSet::new(), usize::MAX).expect("the search has no limit");
    match brute.verdict(&position).value {
        Value::Win => Mark::Win,
        Value::Loss => Mark::Stone,
        Value::Draw => Mark::Draw,
    }
}

fn map_of(rulebook: &Arc<Rulebook>) -> Map {
    generous(|budget| SolvedGame::new(Arc::clone(rulebook)).map(None, budget))
}

fn page(rulebook: &Arc<Rulebook>) -> String {
    let look =
        Look { blank: false, paint: &|mark: Mark| mark.letter().to_string(), too_large: &|_| String::new() };
    words::page(&map_of(rulebook), rulebook, &look).to_string()
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn every_mark_is_true(rulebook in at_the_rim()) {
        let Some(truth) = Truth::for_rulebook(&rulebook) else { return Ok(()) };
        let map = map_of(&rulebook);
        match &map.picture {
            Picture::Strip { lowest, marks, chart } => {
                let mut all_reachable = true;
                for (number, mark) in (*lowest..).zip(marks) {
                    let expected = match truth.mark((number, number)) {
                        // The value that the number would have if play reached it.
                        Mark::Never if chart.is_some() && is_open(&rulebook, number) => {
                            all_reachable = false;
                            would_be(&rulebook, number)
                        }
                        mark => mark,
                    };
                    prop_assert_eq!(*mark, expected, "{}", number);
                }
                prop_assert_eq!(map.all_reachable, all_reachable);
                let shown = *lowest..=lowest + marks.len() as i64 - 1;
                for (number, _) in truth.on_turn.keys() {
                    prop_assert!(shown.contains(number), "{} is missing", number);
                }
            }
            Picture::Scattered(list) => {
                for (number, mark) in list {
                    prop_assert_eq!(*mark, truth.mark((*number, *number)), "{}", number);
                }
                prop_assert_eq!(list.len(), truth.on_turn.len());
            }
            Picture::Square { numbers, .. } => {
                for (own, other) in numbers.iter().flat_map(|own| numbers.iter().map(move |other| (*own, *other))) {
                    prop_assert_eq!(map.pair(own, other), truth.mark((own, other)), "{} {}", own, other);
                }
                for (own, other) in truth.on_turn.keys() {
                    prop_assert!(numbers.contains(own) && numbers.contains(other));
                }
            }
            Picture::Distances(_) => return Ok(()),
            Picture::Ranges(_) => prop_assert!(false, "a game this small shows every number"),
        }
        // A map opens at the current position of a round.
        for (own, other) in truth.on_turn.keys() {
            // A position normally comes from moves. Here only its numbers matter.
            let position = match rulebook.numbers() {
                Numbers::Separate => rulebook.read_position(&format!("{own},{other};1")).ok(),
                Numbers::Shared => position_at(&rulebook, *own),
            };
            let Some(position) = position else { continue };
            let place = map.place_of_position(&position).expect("the position is on the map");
            match &map.picture {
                Picture::Strip { lowest, .. } => prop_assert_eq!(lowest + place as i64, *own),
                Picture::Scattered(list) => prop_assert_eq!(list[place].0, *own),
                Picture::Square { numbers, .. } => {
                    prop_assert_eq!((numbers[place / numbers.len()], numbers[place % numbers.len()]), (*own, *other));
                }
                Picture::Distances(_) | Picture::Ranges(_) => {}
            }
        }
        // `listed_starts` has exactly the starts that a player can land on.
        let (starter, other) = rulebook.start();
        let starts: BTreeSet<i64> = [starter, other].into_iter().filter(|start| truth.landed.contains(start)).collect();
        prop_assert_eq!(map.listed_starts.iter().copied().collect::<BTreeSet<_>>(), starts);
    }
}

/// The opening never wins, loses or is forbidden, even if a list has it: it's a player's turn there.
#[test]
fn a_listed_opening_has_its_value() {
    let marks = |rules: &str| match map_of(&book(&format!("title = 'T'\n{rules}"))).picture {
        Picture::Strip { marks, .. } => marks.into_iter().map(Mark::letter).collect::<String>(),
        _ => panic!("not a strip"),
    };
    assert_eq!(marks("start = 5\ntarget = 8\nmoves = ['x1', '+1', '+2']\nwinning = [5]"), "+++");
    assert_eq!(
        marks("start = 10\ntarget = 0\nmoves = ['-1', '-3', '-5']\nlosing = ['multiples of 5']"),
        "+o+o#o+o+-"
    );
    assert_eq!(
        marks("start = 0\ntarget = 6\nmoves = ['+2', '+4']\nforbidden = [4]\nno_repeat = 'own'"),
        "-.+"
    );
}

/// A stepping stone is a number that a player can leave. Nobody can leave the start, unless play comes back to it.
#[test]
fn a_start_that_nobody_can_leave_is_no_stepping_stone() {
    let marks = |rules: &str| {
        let rulebook = book(&format!("title = 'T'\n{rules}"));
        let page = page(&rulebook);
        let lost = "  -  if you start here, your opponent can force a win\n";
        match map_of(&rulebook).picture {
            Picture::Strip { marks, .. } => {
                let letters = marks.into_iter().map(Mark::letter).collect::<String>();
                assert_eq!(page.contains(lost), letters.contains('-'), "{page}");
                letters
            }
            Picture::Square { .. } => {
                assert!(page.contains(lost), "{page}");
                page
            }
            _ => panic!("neither a strip nor a square"),
        }
    };
    assert_eq!(marks("start = 0\ntarget = 6\nmoves = ['+1', '+2']"), "-++o++");
    assert_eq!(
        marks("start = 0\ntarget = 6\nmoves = ['+1', '+2']\nno_repeat = 'own'\nreach = 'loses'"),
        "+o*+*o"
    );
    assert_eq!(marks("start = 6\ntarget = 0\nmoves = ['-1', '-2']"), "++o++-");
    // Landing on 10 loses, so nobody can leave it.
    assert_eq!(marks("start = 10\ntarget = 18\nmoves = ['x2', '+1']\nlosing = [10]"), "-+o+o+o+");
    // Play comes back to the start.
    assert!(
        marks("start = 3\ntarget = 7\nrange = [0, 9]\npast = 'forbidden'\nmoves = ['+1', '+3', '-1']")
            .starts_with("+o+o")
    );
    assert_eq!(marks("start = 50\ntarget = 20\nmoves = ['+1', 'x2']\npast = 'forbidden'"), "-");
    let square = marks("numbers = 'separate'\nstart = 1\ntarget = 5\nmoves = ['+1', '+2']\nreach = 'loses'");
    assert!(square.contains(" -"), "{square}");
    // Too many numbers to list.
    let vast = page(&book("title = 'T'\nstart = 0\ntarget = 900000000000000000\nmoves = ['+1', '+2']"));
    assert!(vast.contains("  0: - if you start here, your opponent can force a win\n"), "{vast}");
    assert!(vast.contains("every 3rd number from 3 to "), "{vast}");
}

/// A worksheet's legend is the same if the first or the second player wins.
#[test]
fn a_blank_map_hides_who_wins() {
    let legend = |target: i64| {
        let rulebook = book(&format!("title = 'T'\nstart = 0\ntarget = {target}\nmoves = ['+1', '+2']"));
        let look = Look { blank: true, paint: &|_| String::new(), too_large: &|_| String::new() };
        let page = words::page(&map_of(&rulebook), &rulebook, &look).to_string();
        page.split_once("Fill in:").expect("a legend").1.to_owned()
    };
    assert!(legend(6).contains("  -  if you start here"));
    assert_eq!(legend(6), legend(7));
}

/// Unreachable numbers have marks too, and the page mentions it.
#[test]
fn a_map_mentions_unreachable_numbers() {
    let said = "A round from 0 can't reach all the marked numbers.";
    let page_of = |rules: &str| page(&book(&format!("title = 'T'\nstart = 0\ntarget = 12\n{rules}")));
    let even = page_of("moves = ['+2', '+4']");
    assert!(even.contains("   5 o   6 o   7 +") && even.contains(said), "{even}");
    let all = page_of("moves = ['+1', '+2']");
    assert!(!all.contains(said), "{all}");
    let remembers = page_of("moves = ['+2', '+4']\nno_repeat = 'own'");
    assert!(!remembers.contains(said) && remembers.contains("this number can't come up"), "{remembers}");
}

/// If play can land on the start again, its mark is for the first turn only, and the page mentions it.
#[test]
fn a_page_says_what_landing_on_the_opening_does() {
    let said = "The mark at 5 is for the first turn only. Landing on 5 later";
    let page_of = |rules: &str| page(&book(&format!("title = 'T'\n{rules}")));
    let again = page_of("start = 5\ntarget = 8\nmoves = ['x1', '+1', '+2']\nwinning = [5]");
    assert!(again.contains(&format!("{said} wins.")), "{again}");
    let losing = page_of("start = 5\ntarget = 8\nrange = [3, 8]\nmoves = ['-1', '+2']\nlosing = [5]");
    assert!(losing.contains(&format!("{said} loses.")), "{losing}");
    let never = page_of("start = 5\ntarget = 8\nmoves = ['+1', '+2']\nwinning = [5]");
    assert!(!never.contains("first turn only"), "{never}");
    let separate = page_of(
        "numbers = 'separate'\nstart = 5\ntarget = 8\nrange = [3, 8]\nmoves = ['-1', '+2']\nlosing = [5]\nstuck = 'draws'",
    );
    assert!(
        separate.contains("Marks at 5 are for a number that started there and hasn't moved yet"),
        "{separate}"
    );
}

/// If a range is vast but few numbers come up, the map shows those numbers.
#[test]
fn a_vast_range_with_few_numbers_has_a_map() {
    let rulebook = book("title = 'T'\nstart = 1\ntarget = 1000000000000000000\nmoves = ['x2', 'x3']");
    let Picture::Scattered(list) = map_of(&rulebook).picture else { panic!("not a scattered map") };
    let powers = |factor: i128| (0..60).map(move |times| factor.checked_pow(times).expect("128 bits"));
    let all = powers(2).flat_map(|two| powers(3).map(move |three| two.saturating_mul(three)));
    assert_eq!(list.len(), all.filter(|number| *number < 1_000_000_000_000_000_000).count());
    // Nobody can leave the start.
    assert_eq!(list[0], (1, Mark::Loss));
    assert!(list[1..].iter().all(|(_, mark)| matches!(mark, Mark::Win | Mark::Stone)));
}

/// If players may only not repeat each other's moves, a player's own last move no longer affects play. But it still
/// limits how play can have arrived at a position.
#[test]
fn the_last_move_is_found_even_if_the_position_does_not_store_it() {
    let draft = spoton::format::catalog::draft("sequence-math-duel").expect("the game is shipped");
    let rulebook = finished(&draft.variant("no-copying").expect("the variant exists"));
    let map = |last: &str| {
        let last = Last::read(last, &rulebook).expect("two moves");
        generous(|budget| SolvedGame::new(Arc::clone(&rulebook)).map(Some(&last), budget))
    };
    let (one, first) = (map("+1,x2"), map("-,x2"));
    let (Picture::Square { marks, .. }, Picture::Square { marks: only, .. }) = (&one.picture, &first.picture)
    else {
        panic!("not a pair of squares")
    };
    // The opponent has made the first move of the round.
    let (starter, other) = rulebook.start();
    let on_turn: Vec<_> =
        only.iter().filter(|(_, mark)| **mark != Mark::Ends).map(|(pair, _)| *pair).collect();
    assert_eq!(on_turn, [(other, 2 * starter)]);
    assert!(marks.len() > 1);
    for impossible in ["+1,-", "x2,x2"] {
        assert!(map(impossible).is_empty(), "{impossible}");
    }
    // Some marks depend on the last move, and some positions can't follow these moves.
    let all = map_of(&rulebook);
    assert!(all.marks(None).contains(&Mark::Depends) && one.marks(None).contains(&Mark::NotAfterThese));
    assert!(!one.marks(None).contains(&Mark::Never));
}

/// Maps of every form, and their pages, stay within the memory limit.
#[test]
fn maps_stay_within_their_budget() {
    let strips = "title = 'T'\nstart = 1\ntarget = 60000\nmoves = ['+1', 'x2']";
    let positions =
        "title = 'T'\nstart = 1\ntarget = 3000\nmoves = ['+1', 'x2']\nno_repeat = 'own'\npasses = 1";
    let square = "title = 'T'\nnumbers = 'separate'\nstart = 0\nrange = [0, 60]\nmoves = ['+1', '-1', '+7']\nwinning = [59]\nstuck = 'draws'";
    for (rules, most) in [(strips, 1 << 20), (positions, 8 << 20), (square, 8 << 20)] {
        let rulebook = book(rules);
        for bytes in [most, most / 4, most / 16] {
            let used = allocation_counter::measure(|| {
                let game = SolvedGame::new(Arc::clone(&rulebook));
                let Ok(map) = game.map(None, &mut Budget::patient(bytes)) else { return };
                let look = Look {
                    blank: bytes != most,
                    paint: &|mark: Mark| mark.letter().to_string(),
                    too_large: &|_| String::new(),
                };
                let game = Game::new(
                    BookText::shipped("number-maze").expect("the game is shipped"),
                    "maze".to_owned(),
                    &Changes::default(),
                )
                .expect("a game");
                write!(Nowhere, "{}", words::page(&map, &rulebook, &look)).expect("`Nowhere` never fails");
                serde_json::to_writer(std::io::sink(), &json::map(&game, &map, None))
                    .expect("it's valid JSON");
            });
            assert!(used.bytes_max <= bytes + (1 << 16), "{} of {bytes} bytes, {rules}", used.bytes_max);
        }
    }
}

/// Discards all text.
struct Nowhere;

impl std::fmt::Write for Nowhere {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

/// Negative numbers also stay in their columns under a cover.
#[test]
fn a_covered_map_keeps_its_columns() {
    let rulebook = book("title = 'T'\nstart = -10\ntarget = 2\nmoves = ['+1', '+2']");
    let map = map_of(&rulebook);
    let cover = Cover::new(&rulebook, 1);
    let page = words::covered(&map, &rulebook, &cover, |mark| mark.letter().to_string())
        .expect("a strip")
        .to_string();
    let lines: Vec<&str> = page.lines().skip(2).collect();
    assert_eq!(lines[0], "  -10 ?   -9 ?   -8 ?   -7 ?   -6 ?   -5 ?   -4 ?   -3 ?   -2 ?   -1 ?");
    assert_eq!(lines[1], "    0 ?    1 +");
}
