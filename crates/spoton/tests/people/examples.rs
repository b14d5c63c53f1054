//! The wording of a review, in rounds that are easy to follow by hand.

use spoton::engine::play::Ending;
use spoton::engine::position::Player;
use spoton::words::review::{Audience, of_move};

use crate::people::review::reviewed;
use crate::people::shipped;
use crate::people::words::{check, names, said};
use crate::support::{book, played};

#[test]
fn a_round_that_turned() {
    let round = played(&shipped("number-maze"), "+1 x2 +1 x2 x2");
    check(&round);
    assert_eq!(
        said(&round, None, false),
        [
            "Two of Ann's choices mattered. Ann got both right.",
            "One of Bo's choices mattered. There was a better move.",
            "Turning point: at 2, Bo chose x2.",
            "Better: +1 leaves 3: Bo can force a win.",
        ]
    );
    assert_eq!(
        said(&round, Some(Player::Two), false),
        [
            "One of your choices mattered. There was a better move.",
            "Turning point: at 2, you chose x2.",
            "Better: +1 leaves 3: you can force a win.",
        ]
    );
    assert_eq!(said(&round, Some(Player::Two), true), ["Discovery mode is on: no hints or answers."]);
}

#[test]
fn one_move_after_another() {
    let round = played(&shipped("number-maze"), "+1 x2 +1 x2 x2");
    let review = reviewed(&round);
    let audience = Audience { names: &names(), you: Some(Player::Two), discover: false };
    let of = |place: usize| of_move(&review, place, &round, &audience).join(" ");
    // Lost anyway: no blame.
    assert_eq!(of(0), "At 1, Ann chose +1: 2. You could still force a win.");
    assert_eq!(
        of(1),
        "At 2, you chose x2: 4. That gave away the win. After that, Ann could force a win. \
         Better: +1 leaves 3: you can force a win."
    );
    assert_eq!(
        of(2),
        "At 4, Ann chose +1: 5. It was the only move that kept the win. Ann could still force a win."
    );
    assert_eq!(of(4), "At 10, Ann chose x2: 20. It was the only move that kept the win. That's how Ann won.");
}

#[test]
fn a_race() {
    let round = played(&shipped("sequence-math-duel"), "x2 +1 x2 +1 +1 +1 x2 +1 x2");
    check(&round);
    assert_eq!(
        said(&round, Some(Player::One), false),
        ["Three of your choices mattered. You got all of them right.", "You took 5 moves; the fewest is 5."]
    );
}

#[test]
fn a_round_without_a_choice() {
    let round = played(&book("title = 'T'\nstart = 1\ntarget = 4\nmoves = ['+1']"), "+1 +1 +1");
    check(&round);
    let nothing = "No choice in this round changed who could force a win.";
    let why = "You could force a win from the start.";
    assert_eq!(said(&round, Some(Player::One), false), [format!("{nothing} {why}")]);
    assert_eq!(said(&round, Some(Player::One), true), ["Discovery mode is on: no hints or answers."]);
}

/// A player who won anyway learns from their own mistake, not the opponent's.
#[test]
fn the_winners_own_slip() {
    let round = played(&shipped("number-maze"), "+1 x2 x2 x2 +1 +1 +1 +1");
    check(&round);
    assert_eq!(round.outcome().expect("the round is over").winner, Some(Player::Two));
    assert_eq!(
        said(&round, Some(Player::Two), false),
        [
            "Four of your choices mattered. You got three right.",
            "Turning point: at 4, Ann chose x2.",
            "Your mistake: at 2, you chose x2.",
            "Better: +1 leaves 3: you can force a win.",
        ]
    );
}

/// If only the computer had a choice that mattered, the review says so.
#[test]
fn a_player_without_a_choice() {
    let round = played(&shipped("operation-target"), "x2 +1 +1 x2 x2 +1");
    check(&round);
    let told = said(&round, Some(Player::Two), false);
    assert_eq!(told[0], "One of Ann's choices mattered. Ann got it right.");
    assert_eq!(told[1], "None of your choices changed who could force a win.");
}

/// If the opponent overshot, the winner didn't reach the target, so the review shows no move count.
#[test]
fn a_race_that_nobody_finished() {
    let race = shipped("sequence-math-duel");
    let round = played(&race, "x2 +1 x2 +1 x2 +1 x2 +1 x2");
    check(&round);
    assert_eq!(round.outcome().expect("the round is over").ending, Ending::Overshot);
    let told = said(&round, None, false);
    assert!(told.iter().all(|sentence| !sentence.contains("possible")), "{told:?}");
    let mut given_up = played(&race, "x2 +1");
    given_up.resign(Player::Two);
    check(&given_up);
    let told = said(&given_up, None, false);
    assert!(told.iter().all(|sentence| !sentence.contains("possible")), "{told:?}");
}
