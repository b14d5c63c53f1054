//! Positions are equal if and only if everything that affects later play is equal.

use std::collections::HashSet;

use spoton::engine::position::{Player, Position};

use crate::support::{book, choice, entry, plain_with, played};

/// Whether two lines of play lead to the same position.
fn same(keys: &[(&str, &str)], one_way: &str, other_way: &str) -> bool {
    let book = book(&plain_with(keys));
    let (one, other) = (played(&book, one_way), played(&book, other_way));
    assert!(one.outcome().is_none() && other.outcome().is_none(), "{one_way} or {other_way} ends the round");
    let different: HashSet<Position> = [*one.position(), *other.position()].into();
    assert_eq!(different.len() == 1, one.position() == other.position(), "equal positions hash alike");
    one.position() == other.position()
}

#[test]
fn a_position_stores_the_number_and_the_turn() {
    let both_ways = [("moves", "['+1', '-1', 'x2']"), ("range", "[0, 20]")];
    assert!(!same(&both_ways, "+1", "-1"));
    assert!(!same(&both_ways, "x2", "+1 x2 -1 -1"), "2 with another player to move");
    assert!(same(&both_ways, "", "+1 -1"));
    let book = book(&plain_with(&[]));
    assert_ne!(book.opening(Player::One), book.opening(Player::Two));
}

#[test]
fn with_separate_numbers_a_position_stores_both() {
    let separate = [("numbers", "'separate'"), ("moves", "['+1', '+2']")];
    assert!(!same(&separate, "+1 +2", "+2 +1"));
    assert!(same(&separate, "+1 +2 +2 +1", "+2 +1 +1 +2"));
}

#[test]
fn last_moves_are_stored_only_if_repeats_are_barred() {
    // From 1, +1 and x2 give the same number. So do +1 x2 and x2 x2, where only Player 1's move differs.
    let moves = ("moves", "['+1', 'x2', '+3']");
    for (no_repeat, stuck, players_own, opponents) in [
        ("'none'", "'loses'", true, true),
        ("'own'", "'loses'", false, false),
        ("'both'", "'loses'", false, false),
        ("'opponent'", "'loses'", true, false),
        ("'opponent'", "'wins'", true, false),
        ("'opponent'", "'draws'", true, false),
        ("'opponent'", "'skips'", false, false),
    ] {
        let keys = [moves, ("no_repeat", no_repeat), ("stuck", stuck)];
        assert_eq!(same(&keys, "+1", "x2"), opponents, "opponent's last, {no_repeat} {stuck}");
        assert_eq!(same(&keys, "+1 +3", "x2 +3"), players_own, "player's own last, {no_repeat} {stuck}");
    }
    let own = [moves, ("no_repeat", "'own'")];
    assert!(same(&own, "+1 x2 +3 +3", "x2 x2 +3 +3"), "what was chosen before the last turn");
}

#[test]
fn uses_are_stored_only_if_they_are_limited() {
    let unlimited = ("moves", "['+1', '+2']");
    assert!(same(&[unlimited], "+1 +1 +1 +1 +1 +1", "+2 +2 +1 +1"));
    let own = ("moves", "['+1', { op = '+2', uses = 9 }]");
    assert!(!same(&[own], "+1 +2", "+2 +1"), "whose use it was");
    assert!(same(&[own], "+1 +2 +2 +1", "+2 +1 +1 +2"), "when it was used");
    let shared = ("moves", "['+1', { op = '+2', uses = 9, pool = 'shared' }]");
    assert!(same(&[shared], "+1 +2", "+2 +1"), "both use the same");
    assert!(!same(&[shared], "+1 +1 +1 +1 +1 +1", "+2 +2 +1 +1"), "how many are spent");
}

#[test]
fn passes_are_stored_only_if_they_are_limited() {
    let free = [("moves", "['+1', 'x1']"), ("repetition", "0")];
    assert!(same(&free, "+1 x1 x1 +1", "+1 +1"));
    let limited = [&free[..], &[("passes", "9")]].concat();
    assert!(!same(&limited, "+1 x1 x1 +1", "+1 +1"));
    assert!(!same(&limited, "+1 x1", "x1 +1"), "whose pass it was");
}

#[test]
fn state_that_a_position_does_not_store_reads_as_empty() {
    let book = book(&plain_with(&[("moves", "['+1', 'x1']")]));
    let round = played(&book, "x1 +1");
    let x1 = choice(&book, "x1");
    for player in Player::BOTH {
        assert_eq!(round.position().last_of(player), None);
        assert_eq!(round.position().uses_of(player, entry(&book, "x1")), 0);
        assert_eq!(round.position().passes_of(player), 0);
    }
    assert_eq!(
        round.last_choice_of(Player::One).map(|(_, choice)| choice),
        Some(x1),
        "the round keeps its own history"
    );
}
