//! A batch's rounds equal the engine's rounds, move for move, on both paths.

use crate::random_books;
use crate::solver::books;

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use spoton::design::invent::{Bounds, Inventor};
use spoton::engine::batch::{Batch, CannotStep, NoBatch, Tally, WAIT};
use spoton::engine::play::{Move, Outcome, Situation, Step};
use spoton::engine::position::{ByPlayer, Player, Position};
use spoton::evaluate::chances::odds;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Rulebook, catalog};
use spoton::solver::Budget;

use crate::support::description::descriptions;
use crate::support::{book, cases, finished, plain_with, read};

/// Not a multiple of the 128 rounds per chunk.
const ROUNDS: usize = 131;

/// A round as the engine plays it, including skipped turns.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Played {
    position: Position,
    moves: u32,
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Came {
    On,
    Over(Option<Player>),
    CutOff,
}

fn after_skips(book: &Rulebook, mut position: Position) -> Result<Position, Outcome> {
    loop {
        match book.situation(&position) {
            Situation::Choose(_) => return Ok(position),
            Situation::Over(outcome) => return Err(outcome),
            Situation::Skip => match book.play(&position, Move::Skip).unwrap() {
                Step::On(next) => position = next,
                Step::Over { outcome, .. } => return Err(outcome),
            },
        }
    }
}

impl Played {
    fn opening(book: &Rulebook) -> Option<Played> {
        Some(Played { position: after_skips(book, book.opening(Player::One)).ok()?, moves: 0 })
    }

    fn play(&mut self, book: &Rulebook, batch: &Batch, action: u16, most_moves: u32) -> Came {
        let choice = batch.actions()[usize::from(action)];
        self.moves += 1;
        let next = match book.play(&self.position, Move::Operation(choice)).unwrap() {
            Step::On(next) => after_skips(book, next),
            Step::Over { outcome, .. } => Err(outcome),
        };
        let came = match next {
            Err(outcome) => Came::Over(outcome.winner),
            Ok(_) if self.moves >= most_moves => Came::CutOff,
            Ok(position) => {
                self.position = position;
                return Came::On;
            }
        };
        *self = Played::opening(book).unwrap();
        came
    }
}

/// Compares everything that a batch shows of a round with the engine.
fn assert_shows(batch: &Batch, round: usize, book: &Rulebook, played: &Played, came: Came) {
    let at = || format!("round {round} of {book:?}");
    let reward = match came {
        Came::Over(Some(Player::One)) => 1,
        Came::Over(Some(Player::Two)) => -1,
        _ => 0,
    };
    assert_eq!(batch.position(round), played.position, "{}", at());
    assert_eq!(batch.rewards()[round], reward, "{came:?} {}", at());
    assert_eq!(batch.ended()[round] == 1, matches!(came, Came::Over(_)), "{came:?} {}", at());
    assert_eq!(batch.cut_off()[round] == 1, came == Came::CutOff, "{came:?} {}", at());
    assert_eq!(batch.on_turn()[round], played.position.turn().number(), "{}", at());
    let legal: BTreeSet<String> =
        book.legal(&played.position).iter().map(|choice| book.write(Move::Operation(choice))).collect();
    let shown = batch.actions().iter().enumerate();
    let shown = shown.filter(|(action, _)| batch.legal()[action * batch.len() + round] == 1);
    let shown: BTreeSet<String> = shown.map(|(_, choice)| book.write(Move::Operation(*choice))).collect();
    assert_eq!(shown, legal, "{}", at());
}

fn count(tally: &mut Tally, came: Came, moves: u32) {
    match came {
        Came::On => return,
        Came::Over(Some(winner)) => tally.wins[winner] += 1,
        Came::Over(None) => tally.draws += 1,
        Came::CutOff => tally.cut_off += 1,
    }
    tally.longest = tally.longest.max(moves.into());
}

/// Plays a book with given actions (some rounds wait now and then), and then with the batch's own random
/// moves, in parallel with the engine. Returns whether the book is fast, and the totals; `None` if there is
/// nothing to play.
fn held_against_the_engine(book: &Arc<Rulebook>, steps: usize, most_moves: u32) -> Option<(bool, Tally)> {
    let Some(opening) = Played::opening(book) else {
        let batch = Batch::new(Arc::clone(book), ROUNDS, most_moves, 1);
        assert_eq!(batch.err(), Some(NoBatch::OverAtOnce), "{book:?}");
        return None;
    };
    let mut batch = Batch::new(Arc::clone(book), ROUNDS, most_moves, 1).unwrap();
    let mut rounds = [opening; ROUNDS];
    let mut random = 1_u32;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) as usize % bound
    };
    for (round, played) in rounds.iter().enumerate() {
        assert_shows(&batch, round, book, played, Came::On);
    }
    for _ in 0..steps {
        let mut actions = [WAIT; ROUNDS];
        for (round, action) in actions.iter_mut().enumerate() {
            if below(10) == 0 {
                continue;
            }
            let legal = (0..batch.actions().len()).filter(|a| batch.legal()[a * ROUNDS + round] == 1);
            let legal: Vec<usize> = legal.collect();
            *action = legal[below(legal.len())] as u16;
        }
        let mut came = [Came::On; ROUNDS];
        for round in (0..ROUNDS).filter(|round| actions[*round] != WAIT) {
            came[round] = rounds[round].play(book, &batch, actions[round], most_moves);
        }
        batch.step(&actions).unwrap();
        for round in 0..ROUNDS {
            assert_shows(&batch, round, book, &rounds[round], came[round]);
        }
    }

    // Replays one batch's random moves. Another batch makes them without showing them.
    let [mut chooser, mut alone] =
        [(); 2].map(|()| Batch::new(Arc::clone(book), ROUNDS, most_moves, 7).unwrap());
    let mut slow = Batch::by_engine(Arc::clone(book), ROUNDS, most_moves, 7).unwrap();
    let mut rounds = [opening; ROUNDS];
    let mut tally = Tally { moves: (steps * ROUNDS) as u64, ..Tally::default() };
    let mut actions = [WAIT; ROUNDS];
    for _ in 0..steps {
        chooser.choose(&mut actions).unwrap();
        for round in 0..ROUNDS {
            let moves = rounds[round].moves + 1;
            let came = rounds[round].play(book, &chooser, actions[round], most_moves);
            count(&mut tally, came, moves);
        }
        chooser.step(&actions).unwrap();
    }
    // The steps aren't multiples of the number of moves per draw.
    let mut together = Tally::default();
    for moves in [1, 2, steps as u64 - 3] {
        let more = alone.self_play(moves);
        together.moves += more.moves;
        together.wins = ByPlayer::from_fn(|player| together.wins[player] + more.wins[player]);
        together.draws += more.draws;
        together.cut_off += more.cut_off;
        together.longest = together.longest.max(more.longest);
    }
    assert_eq!(together, tally, "{book:?}");
    assert_eq!(slow.self_play(steps as u64), tally, "{book:?}");
    for (round, played) in rounds.iter().enumerate() {
        assert_eq!(chooser.position(round), played.position, "{book:?}");
        assert_shows(&alone, round, book, played, Came::On);
        assert_shows(&slow, round, book, played, Came::On);
    }
    Some((batch.is_fast(), tally))
}

#[test]
fn shipped_books() {
    let mut fast = BTreeSet::new();
    for id in catalog::ids() {
        let draft = catalog::draft(id).unwrap();
        let variants: Vec<String> = draft.variants().map(str::to_owned).collect();
        let varied = variants.iter().map(|name| draft.clone().variant(name).unwrap());
        for (index, draft) in [draft.clone()].into_iter().chain(varied).enumerate() {
            let (is_fast, tally) = held_against_the_engine(&finished(&draft), 40, 20).unwrap();
            assert!(tally.rounds() > 0, "{id}");
            if is_fast && index == 0 {
                fast.insert(id);
            }
        }
    }
    let known =
        ["double-or-add", "number-maze", "race-to-23", "take-away", "target-twenty-one", "twenty-one-loses"];
    assert_eq!(fast, BTreeSet::from(known));
}

#[test]
fn invented_books() {
    let mut inventor = Inventor::new(11, Bounds::usual());
    let mut budget = Budget::patient(64 << 20);
    for _ in 0..10 {
        let invented = inventor.next(&mut budget).unwrap().unwrap();
        assert!(held_against_the_engine(&invented.rulebook, 30, 30).is_some());
    }
}

#[test]
fn random_books_of_the_golden_kind() {
    let books = (0..300).filter_map(|number| {
        let text = random_books::random_book(number).text;
        read(&text).build().ok()
    });
    let (mut fast, mut slow, mut cut_off, mut draws) = (0, 0, 0, 0);
    for book in books {
        let Some((is_fast, tally)) = held_against_the_engine(&Arc::new(book), 30, 20) else { continue };
        *(if is_fast { &mut fast } else { &mut slow }) += 1;
        cut_off += u32::from(is_fast && tally.cut_off > 0);
        draws += u32::from(is_fast && tally.draws > 0);
    }
    assert!(fast > 30 && slow > 100 && cut_off > 10 && draws > 0, "{fast} {slow} {cut_off} {draws}");
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn random_books_of_all_kinds(
        text in prop_oneof![
            1 => descriptions().prop_map(|description| description.text()),
            2 => books::books(),
            2 => books::plain(),
        ]
    ) {
        if let Ok(book) = read(&text).build() {
            held_against_the_engine(&Arc::new(book), 30, 25);
        }
    }
}

/// All counts of moves, all lane widths, up and down, with every ending and every rule for stuck players.
#[test]
fn books_of_affine_moves() {
    let (mut books, mut draws) = (0, 0);
    for far in [20_i64, 30_000, 2_000_000_000, 1_000_000_000_000_000_000] {
        for moves in [
            "'+1', 'x2'",
            "'+3', '+1', '-2'",
            "'+1..7', 'x3'",
            "'+1..9', 'x2..4', '-1'",
            "'x2'",
            "'x1', '-5', 'x3'",
        ] {
            for rules in [
                "past = 'loses'",
                "past = 'forbidden'\nstuck = 'wins'",
                "past = 'forbidden'\nstuck = 'draws'",
                "past = 'forbidden'\nstuck = 'skips'\nreach = 'loses'",
                "past = 'wins'\nreach = 'loses'",
            ] {
                // Starts close to the target, so that rounds end.
                let text =
                    format!("title = 'T'\nstart = {}\ntarget = {far}\nmoves = [{moves}]\n{rules}", far - 11);
                let climb = book(&text);
                // If the only move would go past the target, there is nothing to play.
                let came_to = held_against_the_engine(&climb, 24, 9);
                let Some((is_fast, tally)) = came_to else { continue };
                assert!(is_fast, "{text}");
                (books, draws) = (books + 1, draws + tally.draws);
                let turned = moves.replace('+', "~").replace('-', "+").replace('~', "-");
                let text = format!(
                    "title = 'T'\nstart = {}\ntarget = -{far}\nmoves = [{turned}]\n{rules}",
                    11 - far
                );
                // The mirrored game must be the same.
                let countdown = book(&text);
                assert_eq!(held_against_the_engine(&countdown, 24, 9), Some((true, tally)), "{text}");
            }
        }
    }
    assert!(books > 100 && draws > 0, "{books} {draws}");
}

#[test]
fn a_result_too_large_for_any_lane_goes_through_the_engine() {
    let text = plain_with(&[("target", "1000000000000000000"), ("moves", "['+1', 'x1000000000000000000']")]);
    let (is_fast, tally) = held_against_the_engine(&book(&text), 20, 100).unwrap();
    assert!(!is_fast && tally.rounds() > 0);
}

/// Over many random rounds, the results approach the exact probabilities.
#[test]
fn chance_is_even() {
    let random = ByPlayer([Opponent::parse("random").unwrap(); 2]);
    for (id, variant) in [
        ("number-maze", None),
        ("race-to-23", None),
        ("take-away", None),
        ("double-or-add", Some("race-to-31")),
        ("operation-target", None),
        ("break-it-down", None),
    ] {
        let mut draft = catalog::draft(id).unwrap();
        if let Some(variant) = variant {
            draft = draft.variant(variant).unwrap();
        }
        let book = finished(&draft);
        let mut batch = Batch::new(Arc::clone(&book), 1_000, 10_000, 3).unwrap();
        let tally = batch.self_play(if batch.is_fast() { 20_000 } else { 200 });
        let odds = odds(&book, &random, Player::One, None, &mut Budget::patient(64 << 20)).unwrap();
        let rounds = tally.rounds() as f64;
        let share = tally.wins[Player::One] as f64 / rounds;
        let chance = odds.wins[Player::One];
        let deviation = (chance * (1.0 - chance) / rounds).sqrt();
        // Rounds in progress at the end are left out, and they are longer on average. So allow slightly more
        // than the random error.
        let left_out = 1_000.0 / rounds;
        assert!(
            (share - chance).abs() < 4.0 * deviation + left_out,
            "{id}: {share}, expected {chance}: {tally:?}"
        );
    }
}

#[test]
fn an_action_is_a_written_move_in_the_order_of_the_book() {
    let actions = |text: &str| -> Vec<String> {
        let book = book(text);
        let batch = Batch::new(Arc::clone(&book), 1, 10, 1).unwrap();
        batch.actions().iter().map(|choice| book.write(Move::Operation(*choice))).collect()
    };
    let start = "title = 'T'\nstart = 12\n";
    assert_eq!(
        actions(&format!("{start}target = 40\nmoves = ['x2', '+1..3', '-1']")),
        ["x2", "+1", "+2", "+3", "-1"]
    );
    assert_eq!(
        actions(&format!("{start}target = 0\nmoves = ['-prime', '-1']")),
        ["-2", "-3", "-5", "-7", "-11", "-1"]
    );
    // A move that is twice in the book, but once in the alphabet; proper divisors of numbers up to 12.
    assert_eq!(
        actions(&format!("{start}range = [1, 12]\nmoves = ['-2', '-divisor', '/divisor']")),
        ["-2", "-1", "-3", "-4", "-5", "-6", "/2", "/3", "/4", "/5", "/6"]
    );
    assert_eq!(
        actions("title = 'T'\nstart = 35\ntarget = 50\nmoves = [{ op = '+digit', from = 3, to = 5 }]"),
        ["+3", "+4", "+5"]
    );
    assert_eq!(
        actions(&format!("{start}target = 0\nmoves = ['-1..half', '-1']")),
        ["-1", "-2", "-3", "-4", "-5", "-6"]
    );
}

#[test]
fn an_illegal_move_changes_nothing() {
    let text = plain_with(&[("target", "5"), ("start", "3"), ("past", "'forbidden'")]);
    let book = book(&text);
    for mut batch in [
        Batch::new(Arc::clone(&book), 3, 9, 1).unwrap(),
        Batch::by_engine(Arc::clone(&book), 3, 9, 1).unwrap(),
    ] {
        assert_eq!(batch.step(&[0, 0, 1]), Err(CannotStep::Illegal { round: 2, action: 1 }));
        assert_eq!(batch.step(&[0, 2, 0]), Err(CannotStep::Illegal { round: 1, action: 2 }));
        assert_eq!(batch.step(&[0, 0]), Err(CannotStep::Count { rounds: 3, actions: 2 }));
        assert_eq!(batch.choose(&mut [0; 4]), Err(CannotStep::Count { rounds: 3, actions: 4 }));
        let mut numbers = [0; 3];
        batch.numbers_of(Player::One, &mut numbers).unwrap();
        assert_eq!((numbers, batch.on_turn()), ([3; 3], &[1; 3][..]));
        batch.step(&[0, WAIT, 0]).unwrap();
        batch.numbers_of(Player::Two, &mut numbers).unwrap();
        assert_eq!((numbers, batch.on_turn()), ([4, 3, 4], &[2, 1, 2][..]));
    }
    assert_eq!(Batch::new(Arc::clone(&book), 0, 9, 1).err(), Some(NoBatch::Empty));
    assert_eq!(Batch::new(book, 3, 0, 1).err(), Some(NoBatch::Empty));
}
