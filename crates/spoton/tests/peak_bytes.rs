//! Ceilings on the peak memory of look-ahead. They may fall, but must not rise.
//!
//! `SPOTON_UPDATE=1 cargo test -p spoton --test memory peak_bytes` rewrites the ceilings.

use std::path::Path;
use std::sync::Arc;

use crate::random_books::{Dice, random_book};
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Ladder;
use spoton::format::{Draft, Rulebook, catalog};
use spoton::solved::SolvedGame;
use spoton::solver::chart::Chart;
use spoton::solver::{Budget, Solver};
use spoton::teach::idea;
use spoton::teach::review::Review;

/// Games, each with a distance that makes it large. Exact odds take much longer than everything else, so they get a
/// smaller distance.
const GAMES: [(&str, &str, &str, u32, u32); 14] = [
    ("race-to-23", "", "target", 300_000, 300),
    ("number-maze", "", "target", 300_000, 300),
    ("double-or-add", "", "target", 100_000, 300),
    ("double-or-add", "subtract", "target", 5_000, 60),
    ("double-or-add", "three-subtractions", "target", 400, 40),
    ("double-or-add", "three-doublings", "target", 1_000, 60),
    ("operation-target", "", "target", 100_000, 200),
    ("operation-target", "three-operations", "target", 20_000, 100),
    ("sequence-math-duel", "", "target", 100_000, 30),
    ("sequence-math-duel", "no-copying", "target", 90, 20),
    ("take-away", "", "start", 100_000, 300),
    ("target-twenty-one", "", "target", 20_000, 60),
    ("target-twenty-one", "limited-passes", "target", 2_000, 40),
    ("twenty-one-loses", "", "target", 100_000, 300),
];

const HEAD: &str = "# Peak bytes: game, solve, chart, review, idea, chances.\n";

#[test]
fn looking_ahead_holds_no_more_bytes_than_it_did() {
    let mut lines: Vec<(String, [u64; 5])> = Vec::new();
    for (id, variant, key, far, near) in GAMES {
        let book = |distance: u32| {
            let draft = catalog::draft(id).expect("the game is shipped");
            let draft =
                if variant.is_empty() { draft } else { draft.variant(variant).expect("the variant exists") };
            finished(&draft.set("--set", &format!("{key}={distance}")))
        };
        lines.push((format!("{id}/{variant}/{far}/{near}"), peaks(&book(far), &book(near))));
    }
    // Every twentieth book, starting at an offset with few slow ones.
    for number in (0..50).map(|count| count * 20 + 13) {
        let random = random_book(number);
        let draft = Draft::read("book.toml", &random.text);
        let draft =
            random.variant.iter().fold(draft, |draft, name| draft.variant(name).expect("the variant exists"));
        let draft = random.settings.iter().fold(draft, |draft, setting| draft.set("--set", setting));
        let book = finished(&draft);
        lines.push((format!("random-{number}"), peaks(&book, &book)));
    }

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/peak-bytes.txt");
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        let line = |(name, peaks): &(String, [u64; 5])| {
            format!("{name} {}\n", peaks.map(|peak| peak.to_string()).join(" "))
        };
        return std::fs::write(path, HEAD.to_owned() + &lines.iter().map(line).collect::<String>()).unwrap();
    }
    let recorded = std::fs::read_to_string(path).unwrap();
    let recorded: Vec<Vec<&str>> = recorded.lines().skip(1).map(|line| line.split(' ').collect()).collect();
    assert_eq!(recorded.len(), lines.len());
    let mut risen = String::new();
    for ((name, peaks), recorded) in lines.iter().zip(recorded) {
        assert_eq!(name, recorded[0]);
        for (what, (peak, known)) in
            ["solve", "chart", "review", "idea", "chances"].iter().zip(peaks.iter().zip(&recorded[1..]))
        {
            let known: u64 = known.parse().unwrap();
            if *peak > known + (known / 10).max(4096) {
                risen += &format!("{name}: {what} holds {peak} bytes, and {known} before\n");
            }
        }
    }
    assert!(risen.is_empty(), "\n{risen}");
}

fn finished(draft: &Draft) -> Arc<Rulebook> {
    Arc::new(draft.build().unwrap_or_else(|problems| panic!("{problems:#?}")))
}

/// The peak number of bytes while something runs under a budget. Includes refused queries, which must be cheap.
fn peak<T>(run: impl FnOnce(&mut Budget<'_>) -> T) -> u64 {
    let mut budget = Budget::patient(1 << 30);
    allocation_counter::measure(|| drop(run(&mut budget))).bytes_max
}

/// For solving, the chart, a review, an idea and exact odds.
fn peaks(book: &Arc<Rulebook>, nearer: &Arc<Rulebook>) -> [u64; 5] {
    let solve = |book: &Arc<Rulebook>| Solver::new(Arc::clone(book), &mut Budget::patient(1 << 30)).ok();
    let idea: idea::Idea = "leave every 5 from 3".parse().expect("the idea parses");
    let round = a_round(book);
    let reviewed = solve(book).map_or(0, |solver| peak(|budget| Review::from_round(&round, &solver, budget)));
    let chances = solve(nearer).map_or(0, |solver| peak(|budget| Ladder::compute(nearer, &solver, budget)));
    [
        peak(|budget| Solver::new(Arc::clone(book), budget)),
        peak(|budget| Chart::from_rulebook(book, budget)),
        reviewed,
        peak(|budget| SolvedGame::new(Arc::clone(book)).test(&idea, budget)),
        chances,
    ]
}

/// A round of random moves.
fn a_round(book: &Arc<Rulebook>) -> Round {
    let mut dice = Dice::new(7);
    let mut round = Round::new(Arc::clone(book), Player::One);
    for _ in 0..60 {
        let a_move = match round.situation() {
            Situation::Choose(legal) => {
                Move::Operation(legal.get(dice.below(legal.len())).expect("the index is below the length"))
            }
            Situation::Skip => Move::Skip,
            Situation::Over(_) => break,
        };
        round.play(a_move).expect("the move is legal");
    }
    round
}
