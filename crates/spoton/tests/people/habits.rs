//! How each opponent chooses: probabilities over the legal moves of a position. The references follow the format's
//! definition, the others their habits.

use std::collections::HashSet;

use proptest::prelude::*;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::{Choice, Player, Position};
use spoton::evaluate::opponent::{Chances, Opponent};
use spoton::format::Rulebook;
use spoton::solver::{Solver, Value, Verdict};

use crate::people::{
    any_book, everything, legal, loses_at_once, named, over_after, shipped, solved, wins_at_once,
};
use crate::solver::brute::Brute;
use crate::support::{book, cases};

/// Every opponent: default, without slips, and with more slips.
fn everybody() -> Vec<Opponent> {
    Opponent::all()
        .flat_map(|opponent| {
            let id = opponent.to_string();
            [id.clone(), format!("{id}:slip=0"), format!("{id}:slip=0.3")].map(|name| named(&name))
        })
        .collect()
}

/// The choices an opponent may make, with their probabilities, in book order.
fn chances(
    opponent: Opponent,
    rulebook: &Rulebook,
    position: &Position,
    solver: &Solver,
) -> Vec<(Choice, f64)> {
    let chances = opponent.chances(rulebook, position, Some(solver)).expect("the game is solved");
    let mut chances: Vec<(Choice, f64)> = chances.iter().collect();
    chances.sort_by_key(|(choice, _)| *choice);
    chances
}

/// Equal probabilities for some choices.
fn evenly(choices: &[Choice]) -> Vec<(Choice, f64)> {
    choices.iter().map(|choice| (*choice, 1.0 / choices.len() as f64)).collect()
}

fn close(a: &[(Choice, f64)], b: &[(Choice, f64)]) -> bool {
    let sorted = |chances: &[(Choice, f64)]| {
        let mut chances = chances.to_vec();
        chances.sort_by_key(|(choice, _)| *choice);
        chances
    };
    let (a, b) = (sorted(a), sorted(b));
    a.len() == b.len()
        && a.iter()
            .zip(&b)
            .all(|((a, chance_a), (b, chance_b))| a == b && (chance_a - chance_b).abs() < 1e-12)
}

/// The choices that fit, or all of them if none does.
fn if_any(choices: &[Choice], fits: impl Fn(Choice) -> bool) -> Vec<Choice> {
    let fitting: Vec<Choice> = choices.iter().copied().filter(|choice| fits(*choice)).collect();
    if fitting.is_empty() { choices.to_vec() } else { fitting }
}

fn careful(rulebook: &Rulebook, position: &Position) -> Vec<Choice> {
    let legal = legal(rulebook, position);
    if legal.iter().any(|choice| wins_at_once(rulebook, position, *choice)) {
        return legal.into_iter().filter(|choice| wins_at_once(rulebook, position, *choice)).collect();
    }
    if_any(&legal, |choice| !loses_at_once(rulebook, position, choice))
}

/// The choices of a position with their values, in book order.
fn judged(brute: &Brute, position: &Position) -> Vec<(Choice, Verdict)> {
    let moves = brute.moves(position);
    let mut judged: Vec<(Choice, Verdict)> =
        moves.into_iter().filter_map(|(a_move, verdict)| Some((a_move.choice()?, verdict))).collect();
    judged.sort_by_key(|(choice, _)| *choice);
    judged
}

/// The fastest wins; otherwise the draws; otherwise the slowest losses.
fn perfect(brute: &Brute, position: &Position) -> Vec<Choice> {
    let judged = judged(brute, position);
    let wins = judged.iter().filter(|(_, verdict)| verdict.value == Value::Win);
    let losses = judged.iter().filter(|(_, verdict)| verdict.value == Value::Loss);
    let quickest = wins.map(|(_, verdict)| verdict.remoteness()).min();
    let slowest = losses.map(|(_, verdict)| verdict.remoteness()).max();
    let drawn = judged.iter().any(|(_, verdict)| verdict.value == Value::Draw);
    let best = |verdict: Verdict| match (quickest, drawn) {
        (Some(moves), _) => verdict.value == Value::Win && verdict.remoteness() == moves,
        (None, true) => verdict.value == Value::Draw,
        (None, false) => Some(verdict.remoteness()) == slowest,
    };
    judged.iter().filter(|(_, verdict)| best(*verdict)).map(|(choice, _)| *choice).collect()
}

/// Without a win, Sage picks each best move in proportion to how likely a careful player is to err after it. If no move
/// sets a trap, Sage plays perfectly.
fn traps(rulebook: &Rulebook, brute: &Brute, position: &Position) -> Vec<(Choice, f64)> {
    let value = brute.verdict(position).value;
    let holding = judged(brute, position).into_iter().filter(|(_, verdict)| verdict.value == value);
    let weigh = |choice: Choice| {
        let Ok(Step::On(next)) = rulebook.play(position, Move::Operation(choice)) else { return 0.0 };
        let replies = careful(rulebook, &next);
        let owed = brute.verdict(&next).value;
        let errs = |reply: &&Choice| {
            let worth = brute.moves(&next).into_iter().find(|(a_move, _)| a_move.choice() == Some(**reply));
            worth.expect("the reply is legal").1.value < owed
        };
        match replies.len() {
            0 => 0.0,
            replies_in_all => replies.iter().filter(errs).count() as f64 / replies_in_all as f64,
        }
    };
    let weights: Vec<(Choice, f64)> = holding.map(|(choice, _)| (choice, weigh(choice))).collect();
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    if total == 0.0 {
        return evenly(&perfect(brute, position));
    }
    weights
        .into_iter()
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(choice, weight)| (choice, weight / total))
        .collect()
}

/// Invariants for a position with a choice.
fn check(rulebook: &Rulebook, brute: &Brute, solver: &Solver, position: &Position) {
    let legal = legal(rulebook, position);
    let of = |name: &str| chances(named(name), rulebook, position, solver);
    let here = || format!("at {}, {}", position.number(), rulebook.rules_line());

    for opponent in everybody() {
        let chances = chances(opponent, rulebook, position, solver);
        let distinct: HashSet<Choice> = chances.iter().map(|(choice, _)| *choice).collect();
        assert_eq!(distinct.len(), chances.len(), "{opponent} names a move twice {}", here());
        assert!(distinct.iter().all(|choice| legal.contains(choice)), "{opponent} is not legal {}", here());
        assert!(chances.iter().all(|(_, chance)| *chance > 0.0), "{opponent}: {chances:?} {}", here());
        let sum: f64 = chances.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{opponent}: {sum} {}", here());
    }

    assert!(close(&of("random"), &evenly(&legal)), "random {}", here());
    assert!(close(&of("careful"), &evenly(&careful(rulebook, position))), "careful {}", here());
    assert!(close(&of("perfect"), &evenly(&perfect(brute, position))), "perfect {}", here());

    // A slip is any legal move.
    for opponent in Opponent::all() {
        let id = opponent.to_string();
        let own = of(&format!("{id}:slip=0"));
        for slip in [0.0, 0.1, 0.3, 1.0] {
            let mixed: Vec<(Choice, f64)> = legal
                .iter()
                .map(|choice| {
                    let known =
                        own.iter().find(|(known, _)| known == choice).map_or(0.0, |(_, chance)| *chance);
                    (*choice, known * (1.0 - slip) + slip / legal.len() as f64)
                })
                .filter(|(_, chance)| *chance > 0.0)
                .collect();
            assert!(close(&of(&format!("{id}:slip={slip}")), &mixed), "{id}, slip {slip} {}", here());
        }
    }

    // The strongest opponent never gives anything away.
    let value = brute.verdict(position).value;
    let worth =
        |choice: Choice| judged(brute, position).into_iter().find(|(known, _)| *known == choice).unwrap().1;
    for name in ["sage", "perfect"] {
        for (choice, _) in of(name) {
            assert_eq!(worth(choice).value, value, "{name} {}", here());
        }
    }
    let sage = if value == Value::Win {
        evenly(&perfect(brute, position))
    } else {
        traps(rulebook, brute, position)
    };
    assert!(close(&of("sage"), &sage), "sage {} {:?} {sage:?}", here(), of("sage"));

    // The other habits, without slips.
    let sound = if_any(&legal, |choice| !loses_at_once(rulebook, position, choice));
    // Pip helps, but if a move can end the round, half of the choices are guesses.
    let worst = legal.iter().map(|choice| worth(*choice).value).min();
    let helpful: Vec<Choice> =
        legal.iter().copied().filter(|choice| Some(worth(*choice).value) == worst).collect();
    let may_end = legal.iter().any(|choice| over_after(rulebook, position, *choice).is_some());
    let guesses = if may_end { 0.5 } else { 0.0 };
    let helps = |choice: &Choice| if helpful.contains(choice) { 1.0 / helpful.len() as f64 } else { 0.0 };
    let pip =
        legal.iter().map(|choice| (*choice, helps(choice) * (1.0 - guesses) + guesses / legal.len() as f64));
    let pip: Vec<(Choice, f64)> = pip.filter(|(_, chance)| *chance > 0.0).collect();
    assert!(close(&of("pip:slip=0"), &pip), "pip {}", here());

    let step = |choice: Choice| {
        let number = rulebook.result(position, choice).expect("the move is legal");
        let owner = rulebook.owner(position, Move::Operation(choice));
        (number - i128::from(position.number_of(owner))).abs()
    };
    let biggest = sound.iter().map(|choice| step(*choice)).max();
    let dash: Vec<Choice> = sound.iter().copied().filter(|choice| Some(step(*choice)) == biggest).collect();
    assert!(close(&of("dash:slip=0"), &evenly(&dash)), "dash {}", here());

    assert!(close(&of("momo:slip=0"), &evenly(&careful(rulebook, position))), "momo {}", here());

    // Otto looks three moves ahead: he sees wins and losses within them and nothing else, and never misses an immediate
    // win.
    let seen = |choice: Choice| match worth(choice) {
        verdict if verdict.remoteness().is_some_and(|moves| moves <= 3) => verdict.value,
        _ => Value::Draw,
    };
    let best = legal.iter().map(|choice| seen(*choice)).max();
    let otto: Vec<Choice> = legal.iter().copied().filter(|choice| Some(seen(*choice)) == best).collect();
    let otto = if_any(&otto, |choice| wins_at_once(rulebook, position, choice));
    assert!(close(&of("otto:slip=0"), &evenly(&otto)), "otto {}", here());

    let near = brute.verdict(position).remoteness().is_some_and(|moves| moves <= 8);
    let nina = if near { perfect(brute, position) } else { careful(rulebook, position) };
    assert!(close(&of("nina:slip=0"), &evenly(&nina)), "nina {}", here());
}

fn check_all(rulebook: &std::sync::Arc<Rulebook>, brute: &Brute, every: usize) {
    let solver = solved(rulebook);
    for (index, position) in brute.positions().enumerate() {
        if legal(rulebook, position).is_empty() {
            for opponent in Opponent::all() {
                assert!(chances(opponent, rulebook, position, &solver).is_empty());
            }
        } else if index % every == 0 {
            check(rulebook, brute, &solver, position);
        }
    }
}

#[test]
fn every_opponent_at_every_position_of_every_shipped_game() {
    for name in everything() {
        let rulebook = shipped(&name);
        let brute = Brute::new(&rulebook, usize::MAX).expect("the search has no limit");
        // Samples the positions of the largest games.
        check_all(&rulebook, &brute, brute.len() / 150 + 1);
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_opponent_at_every_position_of_random_books(text in any_book()) {
        let rulebook = book(&text);
        if let Some(brute) = Brute::new(&rulebook, 200) {
            check_all(&rulebook, &brute, brute.len() / 20 + 1);
        }
    }
}

/// Without a solution, opponents return `None` if and only if they need one.
#[test]
fn some_opponents_need_a_solution() {
    let rulebook = shipped("number-maze");
    let opening = rulebook.opening(Player::One);
    for opponent in Opponent::all() {
        let id = opponent.to_string();
        let chances = opponent.chances(&rulebook, &opening, None);
        assert_eq!(chances.is_none(), ["perfect", "nina", "sage"].contains(&id.as_str()), "{id}");
        assert!(chances.is_some() || opponent.looks_ahead(), "{id}");
        let other = opponent.chances(&rulebook, &opening, Some(&solved(&rulebook)));
        assert!(other == chances || opponent.looks_ahead(), "{id}");
    }
}

/// A random number from 0 to 1 selects each choice with its probability.
#[test]
fn luck_falls_where_the_chances_say() {
    let rulebook = shipped("target-twenty-one");
    let solver = solved(&rulebook);
    for opponent in everybody() {
        for position in Brute::new(&rulebook, usize::MAX).expect("the search has no limit").positions() {
            let chances: Chances =
                opponent.chances(&rulebook, position, Some(&solver)).expect("the game is solved");
            let mut from = 0.0;
            for (choice, chance) in chances.iter() {
                for part in [0.001, 0.5, 0.999] {
                    assert_eq!(chances.pick(from + part * chance), Some(choice), "{opponent}");
                }
                from += chance;
            }
            let (last, _) = chances.iter().last().expect("every position has a choice");
            assert_eq!(chances.pick(1.0), Some(last));
        }
    }
    assert_eq!(Chances::default().pick(0.5), None);
}

/// Whether an opponent ever has several possible moves in a position that it reaches.
fn surprises(opponent: Opponent, rulebook: &Rulebook, solver: &Solver) -> bool {
    Player::BOTH.into_iter().any(|first| {
        let mut waiting = vec![rulebook.opening(first)];
        let mut seen: HashSet<Position> = HashSet::new();
        let mut surprise = false;
        while let Some(position) = waiting.pop() {
            if !seen.insert(position) {
                continue;
            }
            let own = position.turn() == Player::One;
            let may = match own {
                true => chances(opponent, rulebook, &position, solver).into_iter().map(|(c, _)| c).collect(),
                false => legal(rulebook, &position),
            };
            let steps: Vec<Step> = may
                .iter()
                .map(|choice| rulebook.play(&position, Move::Operation(*choice)).unwrap())
                .collect();
            surprise |= own && steps.iter().any(|step| *step != steps[0]);
            waiting.extend(steps.iter().filter_map(|step| match step {
                Step::On(next) => Some(*next),
                Step::Over { .. } => None,
            }));
        }
        surprise
    })
}

#[test]
fn nobody_can_be_beaten_by_heart() {
    let mut known = Vec::new();
    for name in everything() {
        let rulebook = shipped(&name);
        let solver = solved(&rulebook);
        for opponent in Opponent::for_people() {
            if !surprises(opponent, &rulebook, &solver) {
                known.push(format!("{name}: {opponent}"));
            }
        }
    }
    // There's only ever one right digit, so the best player is predictable. The game's notes say that it's shallow.
    let is_known_to_be = |line: &String| line.starts_with("pick-a-digit") && line.ends_with(": sage");
    assert!(known.iter().all(is_known_to_be), "{known:?}");
}
