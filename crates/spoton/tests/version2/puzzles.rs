//! Compares puzzles with brute force: all grades, all replies, and the difficulty of the puzzles served.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::format::Draft;
use spoton::solved::SolvedGame;
use spoton::solver::Budget;
use spoton::teach::puzzle::{HARD_ENOUGH, Puzzles, Reply};

use crate::version2::audits::Brute;
use crate::version2::books::{Version, book};
use crate::version2::oracle::{Graph, Leads, Rules, Turn, Worth};

/// The probability that the careful guesser in a seat wins from a position, against the strongest replies.
fn grade(brute: &Brute<'_>, place: usize, seat: usize, known: &mut HashMap<(usize, usize), f64>) -> f64 {
    if let Some(known) = known.get(&(place, seat)) {
        return *known;
    }
    let node = &brute.graph.nodes[place];
    let holds = match brute.graph.worth(place) {
        Worth::Win(_) => node.spot.turn == seat,
        Worth::Loss(_) => node.spot.turn != seat,
        Worth::Draw => false,
    };
    let found = match node.over {
        _ if !holds => 0.0,
        Some(_) => 1.0,
        None => {
            let mut after = |turn: &Turn| match turn.leads {
                Leads::Over(end) => f64::from(u8::from(end.winner == Some(seat))),
                Leads::To(next) => grade(brute, next, seat, known),
            };
            if node.spot.turn == seat {
                let winner = |turn: &Turn| brute.graph.ends_at_once(turn).map(|end| end.winner);
                let wins = |turn: &&Turn| winner(turn) == Some(Some(seat));
                let loses = |turn: &&Turn| winner(turn) == Some(Some(1 - seat));
                let mut picks: Vec<&Turn> = node.turns.iter().filter(wins).collect();
                if picks.is_empty() {
                    picks = node.turns.iter().filter(|turn| !loses(turn)).collect();
                }
                if picks.is_empty() {
                    picks = node.turns.iter().collect();
                }
                picks.iter().map(|turn| after(turn)).sum::<f64>() / picks.len() as f64
            } else {
                node.turns.iter().map(after).fold(1.0, f64::min)
            }
        }
    };
    known.insert((place, seat), found);
    found
}

fn all_agree(numbers: std::ops::Range<u64>, version: Version) -> (usize, usize, u32) {
    let (mut graded, mut served, mut skipped) = (0, 0, 0);
    for number in numbers {
        let book = book(number, version);
        let rules = Rules::new(&book);
        let opening = rules.opening(0);
        let Some(graph) = Graph::from(rules, &[opening], 600) else { continue };
        let brute = Brute::new(&graph);
        let rulebook =
            Arc::new(Draft::read("book.toml", &book.text()).build().expect("the rule book is valid"));
        let game = SolvedGame::new(Arc::clone(&rulebook));
        let puzzles =
            Puzzles::for_game(&game, &mut Budget::patient(1 << 30)).expect("the game is small enough");
        let ends = brute.longest(0, &mut HashMap::new()).is_some();
        assert_eq!(puzzles.is_some(), ends, "book {number}\n{}", book.text());
        let Some(puzzles) = puzzles else { continue };
        let known = &mut HashMap::new();
        let mut hard = BTreeSet::new();
        for (place, node) in graph.nodes.iter().enumerate() {
            let text = graph.rules.text(&node.spot);
            let words = || format!("book {number} at {text}\n{}", book.text());
            let position = rulebook.read_position(&text).expect("the text is a position");
            let to_win = node.over.is_none() && matches!(graph.worth(place), Worth::Win(_));
            let found = puzzles.grade(&position);
            assert_eq!(found.is_some(), to_win, "{}", words());
            let Some(found) = found else { continue };
            let expected = grade(&brute, place, node.spot.turn, known);
            assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}: {}", words());
            graded += 1;
            // If there is no choice, a puzzle starts later.
            if expected <= HARD_ENOUGH && node.turns.len() > 1 {
                hard.insert(graph.rules.text(&graph.as_seen(place)));
            }
            for a_move in rulebook.situation(&position).moves() {
                let written = rulebook.write(a_move);
                skipped += u32::from(a_move == Move::Skip);
                let legal = |turn: &&Turn| {
                    turn.legal.map_or("skip".to_owned(), |legal| legal.written.to_string()) == written
                };
                let turn = node.turns.iter().find(legal).expect("both engines have the move");
                let left = match turn.leads {
                    Leads::Over(_) => None,
                    Leads::To(next) => Some(next).filter(|next| graph.nodes[*next].over.is_none()),
                };
                let wins = matches!(graph.worth_of(place, turn), Worth::Win(_));
                let chance = left.map(|next| grade(&brute, next, node.spot.turn, known));
                match puzzles.reply(&position, a_move).expect("the move is legal") {
                    Reply::GivesItAway => assert!(!wins, "{written}: {}", words()),
                    Reply::Solved => {
                        assert!(wins && chance.is_none_or(|chance| chance == 1.0), "{written}: {}", words())
                    }
                    Reply::Defence(defence) => {
                        let next = left.expect("the round isn't over");
                        let answer = graph.nodes[next].turns.iter().find(|turn| {
                            let legal =
                                turn.legal.map_or("skip".to_owned(), |legal| legal.written.to_string());
                            legal == rulebook.write(defence)
                        });
                        let after = match answer.expect("both engines have the move").leads {
                            Leads::Over(_) => 1.0,
                            Leads::To(after) => grade(&brute, after, node.spot.turn, known),
                        };
                        assert!(wins && chance == Some(after) && after < 1.0, "{written}: {}", words());
                    }
                }
            }
        }
        let pool = puzzles.pool();
        let names: BTreeSet<String> = pool.iter().map(|puzzle| puzzles.name(puzzle)).collect();
        assert_eq!((names.len(), &names), (pool.len(), &hard), "book {number}\n{}", book.text());
        for puzzle in &pool {
            let round = puzzles.begin(puzzle);
            assert_eq!(puzzles.grade(round.position()), Some(puzzle.grade), "book {number}");
            assert_eq!(round.history().len(), puzzle.moves.len());
        }
        served += pool.len();
    }
    (graded, served, skipped)
}

#[test]
fn grades_and_replies_agree() {
    let (graded, served, skipped) = all_agree(0..400, Version::One);
    let (richer, more, too) = all_agree(0..800, Version::Two);
    assert!(graded > 2_000 && richer > 2_000 && served + more > 100, "{graded} {richer} {served} {more}");
    assert!(skipped + too > 100, "{skipped} {too}");
}
