//! Odds between two opponents.

use proptest::prelude::*;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::chances::{NoOdds, Odds, odds};
use spoton::evaluate::opponent::Opponent;
use spoton::format::Rulebook;
use spoton::solver::{Budget, Solver, Unsolved};

use crate::people::forward::Game;
use crate::people::{any_book, everything, generous, named, shipped, solved};
use crate::solver::brute::Brute;
use crate::support::{book, cases};

fn between(rulebook: &Rulebook, solver: &Solver, one: Opponent, two: Opponent, first: Player) -> Odds {
    generous(|budget| odds(rulebook, &ByPlayer([one, two]), first, Some(solver), budget))
}

/// The probability that Player 1 wins as the starter.
fn starter_wins(game: &str, starter: &str, other: &str) -> f64 {
    let rulebook = shipped(game);
    let odds = between(&rulebook, &solved(&rulebook), named(starter), named(other), Player::One);
    odds.wins[Player::One]
}

fn to_ten_digits(found: f64, known: f64) -> bool {
    format!("{found:.10}") == format!("{known:.10}")
}

#[test]
fn the_chances_that_are_known() {
    for (game, random_random, perfect_random, random_perfect) in [
        ("operation-target", 0.5, 1.0, 0.5),
        ("number-maze", 0.4934425354, 0.9921875, 0.0),
        ("double-or-add", 0.455078125, 0.875, 0.0),
        ("sequence-math-duel", 0.4416780094, 1.0, 0.0859375),
        ("target-twenty-one", 0.5003061571, 1.0, 0.0),
    ] {
        for (starter, other, known) in [
            ("random", "random", random_random),
            ("perfect", "random", perfect_random),
            ("random", "perfect", random_perfect),
        ] {
            let found = starter_wins(game, starter, other);
            assert!(to_ten_digits(found, known), "{game}, {starter} against {other}: {found}");
        }
    }
}

#[test]
fn perfect_against_perfect_ends_as_it_must() {
    for (game, starter, drawn) in [
        ("operation-target", 1.0, 0.0),
        ("number-maze", 0.0, 0.0),
        ("double-or-add", 0.0, 0.0),
        ("sequence-math-duel", 1.0, 0.0),
        ("target-twenty-one", 0.0, 1.0),
        ("double-or-add/subtract", 0.0, 1.0),
        ("target-twenty-one/limited-passes", 1.0, 0.0),
    ] {
        let rulebook = shipped(game);
        let perfect = Opponent::perfect();
        let odds = between(&rulebook, &solved(&rulebook), perfect, perfect, Player::One);
        assert_eq!((odds.wins[Player::One], odds.drawn()), (starter, drawn), "{game}");
    }
}

#[test]
fn careful_in_the_winning_seat_against_perfect() {
    for (game, starts, known) in [
        ("operation-target", true, 0.5),
        ("number-maze", false, 0.125),
        ("double-or-add", false, 0.125),
        ("sequence-math-duel", true, 0.2109375),
    ] {
        let rulebook = shipped(game);
        let first = if starts { Player::One } else { Player::Two };
        let odds = between(&rulebook, &solved(&rulebook), named("careful"), Opponent::perfect(), first);
        assert!(to_ten_digits(odds.wins[Player::One], known), "{game}: {:?}", odds);
    }
}

/// Checks the odds of every pair and seat against forward computation. Returns how many couldn't be followed to the
/// end.
fn all_pairs(rulebook: &Rulebook, solver: &Solver, first: Player) -> u32 {
    let mut game = Game::new(rulebook, solver);
    let mut open = 0;
    for one in Opponent::all() {
        for two in Opponent::all() {
            let found = between(rulebook, solver, one, two, first);
            let slow = game.odds(one, two, first);
            open += u32::from(slow.open >= 1e-12);
            let ByPlayer([wins, loses]) = found.wins;
            for (found, slow_found) in
                [(wins, slow.wins[0]), (loses, slow.wins[1]), (found.drawn(), slow.drawn)]
            {
                let within = slow_found - 1e-9..=slow_found + slow.open + 1e-9;
                assert!(
                    within.contains(&found),
                    "{one} against {two}, {first} first: {found} is not {slow_found} (open: {})\n{}",
                    slow.open,
                    rulebook.rules_line()
                );
            }
            let points = found.points(Player::One) + found.points(Player::Two);
            assert!((points - 1.0).abs() < 1e-12, "{one} against {two}: {points} points in all");
        }
    }
    open
}

#[test]
fn all_pairs_on_all_that_ships() {
    for name in everything() {
        let rulebook = shipped(&name);
        let solver = solved(&rulebook);
        assert_eq!(
            all_pairs(&rulebook, &solver, Player::One),
            0,
            "{name}: play that takes too long to follow"
        );
    }
    // It doesn't matter which opponent is Player 1.
    let rulebook = shipped("double-or-add/subtract");
    assert_eq!(all_pairs(&rulebook, &solved(&rulebook), Player::Two), 0);
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn all_pairs_on_any_rule_book(text in any_book(), first in prop::sample::select(&Player::BOTH)) {
        let rulebook = book(&text);
        if Brute::new(&rulebook, 100).is_some() {
            all_pairs(&rulebook, &solved(&rulebook), first);
        }
    }
}

/// Moves go up or down by 1, between the target and 0, which loses.
fn walk(start: i64, target: i64) -> std::sync::Arc<Rulebook> {
    book(&format!(
        "title = 'T'\nstart = {start}\ntarget = {target}\nrange = [0, {target}]\nmoves = ['+1', '-1']\nlosing = [0]"
    ))
}

/// A random walk reaches the top before the bottom with a probability equal to its relative height (gambler's ruin).
/// From an odd start, the starter makes the last move at either end.
#[test]
fn large_circles() {
    for target in [10, 100, 480, 620, 2000] {
        for start in [target / 2 + 1 - target / 2 % 2, target - 1] {
            let rulebook = walk(start, target);
            let random = named("random");
            let odds = generous(|budget| odds(&rulebook, &ByPlayer([random; 2]), Player::One, None, budget));
            let known = start as f64 / target as f64;
            assert!((odds.wins[Player::One] - known).abs() < 1e-9, "{start} of {target}: {odds:?}");
            assert!((odds.wins[Player::Two] - (1.0 - known)).abs() < 1e-9, "{start} of {target}: {odds:?}");
        }
    }
}

/// Many positions that all lead to each other: two jumping numbers.
#[test]
fn large_circles_with_many_ways() {
    let text = "title = 'T'\nnumbers = 'separate'\nstart = [20, 9]\ntarget = 30\nrange = [0, 30]\n\
                moves = ['+1', '-7', 'x2', '/3', '+5']\npast = 'forbidden'";
    let rulebook = book(text);
    let solver = solved(&rulebook);
    let mut game = Game::new(&rulebook, &solver);
    for (one, two, first) in [
        ("random", "random", Player::One),
        ("random", "random", Player::Two),
        ("careful", "momo", Player::One),
        ("dash", "random", Player::One),
        ("random", "dash", Player::Two),
    ] {
        let found = between(&rulebook, &solver, named(one), named(two), first);
        let slow = game.odds(named(one), named(two), first);
        assert!(slow.open < 1e-12, "{one} against {two}: {}", slow.open);
        for player in Player::BOTH {
            let apart = (found.wins[player] - slow.wins[player as usize]).abs();
            assert!(apart < 1e-9, "{one} against {two}: {found:?}");
        }
    }
}

/// Each move changes parity, so only one player can ever land on the target; by chance they eventually do. Too dense
/// for elimination one by one.
#[test]
fn the_only_player_who_can_land_on_the_target_wins() {
    let steps: Vec<String> =
        (1..16).step_by(2).flat_map(|step| [format!("'+{step}'"), format!("'-{step}'")]).collect();
    let random = ByPlayer([named("random"); 2]);
    for (start, sure) in [(200, Player::One), (201, Player::Two)] {
        let rulebook = book(&format!(
            "title = 'T'\nstart = {start}\ntarget = 401\nrange = [0, 401]\nmoves = [{}]\npast = 'forbidden'",
            steps.join(", ")
        ));
        let odds = generous(|budget| odds(&rulebook, &random, Player::One, None, budget));
        assert!((odds.wins[sure] - 1.0).abs() < 1e-9 && odds.wins[!sure] == 0.0, "{odds:?}");
    }
}

/// Two players who almost always go down would need longer than the age of the universe to climb. The round doesn't end
/// at the bottom, so they eventually reach the top, and the winner is known.
#[test]
fn ends_that_hardly_ever_come_are_still_ends() {
    let text =
        "title = 'T'\nstart = 1\ntarget = 40\nrange = [0, 40]\nmoves = ['+1', '-1', '-2', '-3', '-4', '-5']";
    let rulebook = book(&format!("{text}\npast = 'forbidden'\nstuck = 'skips'"));
    let random = ByPlayer([named("dash:slip=0.05"); 2]);
    let odds = generous(|budget| odds(&rulebook, &random, Player::One, None, budget));
    assert!((odds.wins.0[0] + odds.wins.0[1] - 1.0).abs() < 1e-9, "{odds:?}");
}

#[test]
fn rounding_errors_are_not_draws() {
    assert_eq!(Odds { wins: ByPlayer([0.7, 0.3 - 2e-16]) }.drawn(), 0.0);
    assert!(Odds { wins: ByPlayer([0.7, 0.3 - 1e-9]) }.drawn() > 0.0);
}

#[test]
fn endless_play_is_drawn() {
    let share = |text: &str, one: &str, two: &str| {
        let rulebook = book(&format!("title = 'T'\n{text}"));
        let odds = between(&rulebook, &solved(&rulebook), named(one), named(two), Player::One);
        (odds.wins[Player::One], odds.wins[Player::Two], odds.drawn())
    };
    // Goes around forever.
    let ring = "start = 0\nrange = [-2, 2]\nmoves = ['+1', '-1']";
    for one in Opponent::all() {
        for two in Opponent::all() {
            assert_eq!(share(ring, &one.to_string(), &two.to_string()), (0.0, 0.0, 1.0), "{one}, {two}");
        }
    }
    // One of two equally likely moves wins immediately. After the other, the round never ends: from 1 there's only x1.
    let half = "start = 2\nrange = [1, 3]\nmoves = ['+1', '-1', 'x1']\nwinning = [3]\n\
                no_repeat = 'none'\nforbidden = [2]";
    assert_eq!(share(half, "random", "random"), (0.5, 0.0, 0.5));
    // The same, but the turn alternates at 2 until a player moves: the starter is the first with probability 2/3.
    let waiting = "start = 2\nrange = [1, 3]\nmoves = ['+1', 'x1']\nwinning = [3]";
    let (one, two, drawn) = share(waiting, "random", "random");
    assert!((one - 2.0 / 3.0).abs() < 1e-12 && (two - 1.0 / 3.0).abs() < 1e-12 && drawn < 1e-12);
}

#[test]
fn missing_odds_are_named() {
    let rulebook = shipped("double-or-add/subtract");
    let players = ByPlayer([named("random"), Opponent::perfect()]);
    let missing = odds(&rulebook, &players, Player::One, None, &mut Budget::patient(1 << 30));
    assert_eq!(missing, Err(NoOdds::NeedsSolution));
    let random = ByPlayer([named("random"); 2]);
    let small = odds(&rulebook, &random, Player::One, None, &mut Budget::patient(1 << 10));
    assert!(matches!(small, Err(NoOdds::Unsolved(Unsolved::TooLarge { .. }))), "{small:?}");
    let large = walk(5000, 20_000);
    let stopped = odds(&large, &random, Player::One, None, &mut Budget::new(1 << 30, &mut |_| false));
    assert!(matches!(stopped, Err(NoOdds::Unsolved(Unsolved::Stopped { .. }))), "{stopped:?}");
}

/// The exact odds stay within their budget, even with cycles. Anything larger is refused immediately, not after
/// minutes.
#[test]
fn odds_keep_to_their_budget() {
    let jumps = "title = 'T'\nnumbers = 'separate'\nstart = [8, 3]\ntarget = 12\nrange = [0, 12]\n\
                 moves = ['+1', '-7', 'x2', '/3', '+5']\npast = 'forbidden'";
    let near = "title = 'T'\nstart = 15\ntarget = 31\nrange = [0, 31]\nmoves = ['+1..6', '-1..6']\n\
                losing = [0]\npast = 'forbidden'";
    // An acyclic game with many edges from each position.
    let ways = "title = 'T'\nstart = 0\ntarget = 600\nmoves = ['+1..16']\npast = 'forbidden'";
    let random = ByPlayer([named("random"); 2]);
    // A game so tangled that elimination connects almost everything.
    let mixed = "title = 'T'\nstart = 75\ntarget = 149\nrange = [0, 149]\n\
                 moves = ['+1', '-7', 'x2', '/3', '+29', '-41']\npast = 'forbidden'";
    for rulebook in [walk(301, 600), book(jumps), book(near), book(ways), book(mixed)] {
        let ask = |bytes: u64| {
            let mut found = None;
            let used = allocation_counter::measure(|| {
                found = Some(odds(&rulebook, &random, Player::One, None, &mut Budget::patient(bytes)));
            });
            (used.bytes_max, found.expect("the search ran"))
        };
        let (whole, known) = ask(1 << 30);
        let known = known.expect("the game is small enough");
        let (mut answered, mut refused) = (0, 0);
        for tenths in 1..=40 {
            let bytes = whole * tenths / 10;
            let (used, found) = ask(bytes);
            assert!(used <= bytes.max(1024), "{used} of {bytes} bytes: {}", rulebook.rules_line());
            match found {
                Ok(found) => {
                    answered += 1;
                    let apart = (found.wins[Player::Two] - known.wins[Player::Two]).abs();
                    assert!(apart < 1e-9, "{found:?} with {bytes} bytes: {}", rulebook.rules_line());
                }
                Err(NoOdds::Unsolved(Unsolved::TooLarge { budget, needs, .. })) => {
                    refused += 1;
                    assert!(budget == bytes && needs > u128::from(bytes), "{needs} of {bytes} bytes");
                }
                other => panic!("{other:?} with {bytes} bytes: {}", rulebook.rules_line()),
            }
        }
        // Twice the memory in use is enough; a fraction of it isn't.
        assert!(answered >= 20 && refused >= 5, "{answered}, {refused}: {}", rulebook.rules_line());
    }
}
