//! The ladder of a game.

use std::collections::HashMap;

use proptest::prelude::*;
use spoton::engine::position::Player;
use spoton::evaluate::opponent::{Ladder, Opponent};
use spoton::format::Rulebook;
use spoton::solver::{Solver, Value};

use crate::people::forward::Game;
use crate::people::{any_book, everything, generous, legal, named, shipped, solved};
use crate::solver::brute::Brute;
use crate::support::{book, cases};

/// The first opponent's expected points against the second over both seats, by forward computation. `None` if play
/// takes too long to follow.
fn points(game: &mut Game<'_>, one: Opponent, two: Opponent) -> Option<f64> {
    let mut points = 0.0;
    for first in Player::BOTH {
        let odds = game.odds(one, two, first);
        if odds.open > 1e-12 {
            return None;
        }
        points += (odds.wins[0] + odds.drawn / 2.0) / 2.0;
    }
    Some(points)
}

/// Checks a ladder; skips it if play between some pair takes too long to follow.
fn check(rulebook: &Rulebook, solver: &Solver, brute: &Brute) -> Option<Ladder> {
    let ladder = generous(|budget| Ladder::compute(rulebook, solver, budget));
    let mut game = Game::new(rulebook, solver);
    let people: Vec<String> = Opponent::for_people().map(|opponent| opponent.to_string()).collect();
    let everybody: Vec<String> = Opponent::all().map(|opponent| opponent.to_string()).collect();
    let mut table: HashMap<(&str, &str), f64> = HashMap::new();
    let mut seats: HashMap<(&str, &str), [f64; 2]> = HashMap::new();
    for one in &everybody {
        for two in &everybody {
            table.insert((one, two), points(&mut game, named(one), named(two))?);
            let wins = game.odds(named(one), named(two), Player::One).wins;
            let told = ladder.odds(named(one), named(two)).expect("both opponents are on the ladder").wins.0;
            assert!((0..2).all(|player| (wins[player] - told[player]).abs() < 1e-8), "{one} and {two}");
            seats.insert((one, two), wins);
        }
    }
    // The greatest difference between two opponents, over all opponents and seats.
    let apart = |one: &str, two: &str| {
        let pairs = everybody.iter().flat_map(|other| {
            let other = other.as_str();
            [(seats[&(one, other)], seats[&(two, other)]), (seats[&(other, one)], seats[&(other, two)])]
        });
        pairs.flat_map(|(a, b)| [(a[0] - b[0]).abs(), (a[1] - b[1]).abs()]).fold(0.0, f64::max)
    };

    // Each opponent is on exactly one rung.
    let ids = |rung: &spoton::evaluate::opponent::Rung| {
        rung.opponents.iter().map(Opponent::to_string).collect::<Vec<_>>()
    };
    let rungs: Vec<Vec<String>> = ladder.rungs.iter().map(ids).collect();
    let mut everybody = rungs.concat();
    everybody.sort();
    let mut expected = people.clone();
    expected.sort();
    assert_eq!(everybody, expected);
    assert_eq!(ladder.has_levels(), rungs.len() >= 3);

    // Opponents share a rung if and only if they play alike.
    let rung_of =
        |id: &String| rungs.iter().position(|rung| rung.contains(id)).expect("every opponent has a rung");
    for one in &people {
        for two in &people {
            let alike =
                brute.positions().filter(|position| !legal(rulebook, position).is_empty()).all(|position| {
                    let [one, two] = [one, two].map(|id| named(id).chances(rulebook, position, Some(solver)));
                    one == two
                });
            if alike {
                assert_eq!(rung_of(one), rung_of(two), "{one} and {two} play alike");
            }
            if rung_of(one) == rung_of(two) {
                assert!(apart(one, two) < 1e-8, "{one} and {two} do not play alike");
            } else {
                assert!(apart(one, two) > 1e-10, "{one} and {two} fare alike");
            }
        }
    }

    // Ordered by expected points against the other rungs.
    let mut before = f64::MIN;
    for (index, rung) in ladder.rungs.iter().enumerate() {
        let others: Vec<f64> = (0..rungs.len())
            .filter(|other| *other != index)
            .map(|other| table[&(rungs[index][0].as_str(), rungs[other][0].as_str())])
            .collect();
        let strength = if others.is_empty() { 0.0 } else { others.iter().sum::<f64>() / others.len() as f64 };
        assert!(
            (rung.strength - strength).abs() < 1e-6,
            "{:?}: {} is not {strength}",
            rungs[index],
            rung.strength
        );
        assert!(rung.strength >= before, "{rungs:?} are not in order");
        before = rung.strength;
    }
    Some(ladder)
}

/// How often a rung loses to `careful` from the better seat: the winning one or, in a drawn game, the one where it
/// loses less.
fn loses_to_careful(rulebook: &Rulebook, solver: &Solver, opening: Value, opponent: Opponent) -> f64 {
    let mut game = Game::new(rulebook, solver);
    let [first, second] = Player::BOTH.map(|first| game.odds(opponent, named("careful"), first).wins[1]);
    match opening {
        Value::Win => first,
        Value::Draw => first.min(second),
        Value::Loss => second,
    }
}

#[test]
fn on_all_that_ships() {
    let mut too_strong = Vec::new();
    for name in everything() {
        let rulebook = shipped(&name);
        let solver = solved(&rulebook);
        let brute = Brute::new(&rulebook, usize::MAX).expect("the search has no limit");
        let ladder = check(&rulebook, &solver, &brute).expect("play ends soon enough");
        let opening = brute.verdict(&rulebook.opening(Player::One)).value;
        assert!(ladder.has_levels(), "{name}");
        for opponent in &ladder.rungs[0].opponents {
            let loses = loses_to_careful(&rulebook, &solver, opening, *opponent);
            if loses < 0.6 {
                too_strong.push(format!("{name}: {opponent} loses only {loses} to careful"));
            }
        }
    }
    assert_eq!(too_strong, Vec::<String>::new());
}

/// The lowest level plays like a beginner: from either seat, it wins no more against a guesser than another guesser
/// would.
#[test]
fn the_lowest_level_is_no_better_than_guessing() {
    let random = named("random");
    let mut too_strong = Vec::new();
    for name in everything() {
        let rulebook = shipped(&name);
        let ladder = generous(|budget| Ladder::compute(&rulebook, &solved(&rulebook), budget));
        let points =
            |one, two, seat| ladder.odds(one, two).expect("both opponents are on the ladder").points(seat);
        // In the games themselves, "easy" isn't better than a guesser either, even if another level is lower.
        let easy = (!name.contains('/')).then(|| named("easy"));
        for lowest in ladder.rungs[0].opponents.iter().copied().chain(easy) {
            let first = points(lowest, random, Player::One) - points(random, random, Player::One);
            let second = points(random, lowest, Player::Two) - points(random, random, Player::Two);
            if first > 1e-9 || second > 1e-9 {
                too_strong
                    .push(format!("{name}: {lowest} wins {first:+.3} going first, {second:+.3} second"));
            }
        }
    }
    assert_eq!(too_strong, Vec::<String>::new());
}

#[test]
fn a_game_without_choices_has_no_levels() {
    for moves in ["'+1'", "'+1', 'x1'"] {
        let text = format!("title = 'T'\nstart = 1\ntarget = 9\nmoves = [{moves}]\npasses = 0");
        let rulebook = book(&text);
        let ladder = generous(|budget| Ladder::compute(&rulebook, &solved(&rulebook), budget));
        assert_eq!(ladder.rungs.len(), 1);
        assert_eq!(ladder.rungs[0].opponents.len(), Opponent::for_people().count());
        assert!(!ladder.has_levels());
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn on_any_rule_book(text in any_book()) {
        let rulebook = book(&text);
        if let Some(brute) = Brute::new(&rulebook, 60) {
            check(&rulebook, &solved(&rulebook), &brute);
        }
    }
}
