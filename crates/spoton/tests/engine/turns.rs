//! Every rule about turns, tested separately on small books.

use std::sync::Arc;

use spoton::engine::play::{Move, Refusal, Situation};
use spoton::engine::position::{Player, Position};
use spoton::engine::round::{CannotPlay, Round};
use spoton::format::Rulebook;

use crate::support::{book, choice, ended, entry, legal, plain_with, play, played, played_from};

fn with(keys: &[(&str, &str)]) -> Arc<Rulebook> {
    book(&plain_with(keys))
}

/// The result of each move, or why it's refused: `+1: 2, x2: past 40`.
pub fn offers(book: &Rulebook, position: &Position) -> String {
    let short = |refusal| match refusal {
        Refusal::UsedUp { .. } => "used up".to_owned(),
        Refusal::RepeatsOwn => "own".to_owned(),
        Refusal::RepeatsOpponent => "opponent".to_owned(),
        Refusal::Remainder => "remainder".to_owned(),
        Refusal::Forbidden { number } => format!("forbidden {number}"),
        Refusal::PastTarget { number, .. } => format!("past {number}"),
        Refusal::OutOfRange { number } => format!("outside {number}"),
        Refusal::NoPassLeft { .. } => "no pass".to_owned(),
        Refusal::NotStuck => "not stuck".to_owned(),
        why => why.to_string(),
    };
    let told = book.offers(position).map(|offer| match offer.result {
        Ok(number) => format!("{}: {number}", book.write_offer(&offer)),
        Err(refusal) => format!("{}: {}", book.write_offer(&offer), short(refusal)),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn at_opening(book: &Rulebook) -> String {
    offers(book, &book.opening(Player::One))
}

fn on_turn(round: &Round) -> String {
    offers(round.rulebook(), round.position())
}

#[test]
fn landing_on_the_target_wins_or_loses_for_the_mover() {
    for (reach, first, moves, end) in [
        ("'wins'", Player::One, "+1 x2 +1", "1 reached"),
        ("'wins'", Player::Two, "+1 x2 +1", "2 reached"),
        ("'wins'", Player::One, "+1 +1 +1 +1", "2 reached"),
        ("'loses'", Player::One, "+1 x2 +1", "2 reached"),
        ("'loses'", Player::Two, "+1 x2 +1", "1 reached"),
    ] {
        let book = with(&[("target", "5"), ("reach", reach)]);
        assert_eq!(ended(&played_from(&book, first, moves)), end, "{reach} {first} {moves}");
    }
}

#[test]
fn going_past_the_target_loses_wins_or_is_not_allowed() {
    for (past, end) in [("'loses'", "2 overshot"), ("'wins'", "1 overshot")] {
        let climb = with(&[("start", "15"), ("past", past)]);
        let round = played(&climb, "x2");
        assert_eq!((ended(&round), round.number_of(Player::One)), (end.to_owned(), 30));
        let down = with(&[("start", "5"), ("target", "3"), ("moves", "['-3']"), ("past", past)]);
        let round = played(&down, "-3");
        assert_eq!((ended(&round), round.number_of(Player::Two)), (end.to_owned(), 2));
    }
    let climb = with(&[("start", "15"), ("past", "'forbidden'")]);
    assert_eq!(at_opening(&climb), "+1: 16, x2: past 30");
    let mut round = Round::new(Arc::clone(&climb), Player::One);
    let refused = round.play(Move::Operation(choice(&climb, "x2")));
    let why = Refusal::PastTarget { number: 30, target: 20 };
    assert_eq!(refused, Err(CannotPlay::Refused(why)));
    assert_eq!((round.position().number(), round.position().turn()), (15, Player::One));
    assert!(round.history().is_empty());
    let down = with(&[("start", "5"), ("target", "3"), ("moves", "['-3', '-1']"), ("past", "'forbidden'")]);
    assert_eq!(at_opening(&down), "-3: past 2, -1: 4");
}

#[test]
fn the_target_itself_is_not_past_it() {
    let book = with(&[("start", "10"), ("past", "'forbidden'")]);
    assert_eq!(ended(&played(&book, "x2")), "1 reached");
}

#[test]
fn past_the_target_the_lists_of_winning_and_losing_numbers_do_not_count() {
    let keys = [("start", "15"), ("moves", "['x2', '+10']"), ("winning", "[30]"), ("losing", "[25]")];
    let loses = with(&keys);
    assert_eq!(ended(&played(&loses, "x2")), "2 overshot");
    let wins = with(&[&keys[..], &[("past", "'wins'")]].concat());
    assert_eq!(ended(&played(&wins, "+10")), "1 overshot");
}

#[test]
fn a_forbidden_number_past_the_target_is_still_forbidden() {
    let keys = [("start", "15"), ("moves", "['x2', '+10']"), ("forbidden", "[30]")];
    for past in ["'wins'", "'loses'"] {
        let book = with(&[&keys[..], &[("past", past)]].concat());
        assert_eq!(at_opening(&book), "x2: forbidden 30, +10: 25");
    }
}

#[test]
fn lists_win_lose_and_forbid_where_one_lands() {
    let keys = [("start", "5"), ("moves", "['+1', '+2', '+3', '+4']"), ("winning", "[6]"), ("losing", "[7]")];
    let book = with(&[&keys[..], &[("forbidden", "[8]")]].concat());
    assert_eq!(at_opening(&book), "+1: 6, +2: 7, +3: forbidden 8, +4: 9");
    assert_eq!(ended(&played(&book, "+1")), "1 landed");
    assert_eq!(ended(&played(&book, "+2")), "2 landed");
    assert_eq!(ended(&played_from(&book, Player::Two, "+2")), "1 landed");
    assert_eq!(ended(&played(&book, "+4")), "open");
}

#[test]
fn without_a_range_play_stays_between_start_and_target() {
    let book = with(&[("moves", "['-1', '+1']")]);
    assert_eq!(book.range(), (1, 20));
    assert_eq!(at_opening(&book), "-1: outside 0, +1: 2");
    assert_eq!(on_turn(&played(&book, "+1")), "-1: 1, +1: 3");
    let down = with(&[("start", "20"), ("target", "1"), ("moves", "['-1', 'x2']")]);
    assert_eq!(at_opening(&down), "-1: 19, x2: outside 40");
}

#[test]
fn beyond_the_target_the_range_has_no_effect() {
    let book = with(&[("start", "15"), ("range", "[-5, 100]"), ("moves", "['x2', '-20', '-21']")]);
    assert_eq!(at_opening(&book), "x2: 30, -20: -5, -21: outside -6");
    assert_eq!(ended(&played(&book, "x2")), "2 overshot");
    let forbidden = with(&[("start", "15"), ("range", "[-5, 100]"), ("past", "'forbidden'")]);
    assert_eq!(at_opening(&forbidden), "+1: 16, x2: past 30");
    let down =
        with(&[("start", "5"), ("target", "0"), ("range", "[-9, 9]"), ("moves", "['-6', '+4', '+5']")]);
    assert_eq!(at_opening(&down), "-6: -1, +4: 9, +5: outside 10");
    assert_eq!(ended(&played(&down, "-6")), "2 overshot");
}

#[test]
fn a_division_is_legal_only_where_it_divides_exactly() {
    let moves = ("moves", "['/2', '/3', '/4', '/6']");
    let down = with(&[("start", "6"), ("target", "1"), moves]);
    assert_eq!(at_opening(&down), "/2: 3, /3: 2, /4: remainder, /6: 1");
    let climb = with(&[("start", "-6"), ("target", "-1"), moves]);
    assert_eq!(at_opening(&climb), "/2: -3, /3: -2, /4: remainder, /6: -1");
    let zero = with(&[("start", "0"), moves]);
    assert_eq!(at_opening(&zero), "/2: 0, /3: 0, /4: 0, /6: 0");
}

#[test]
fn uses_are_counted_by_each_player_or_by_both_together() {
    let own = with(&[("target", "99"), ("moves", "['+1', { op = 'x2', uses = 1 }]")]);
    let mut round = played(&own, "x2");
    assert_eq!(on_turn(&round), "+1: 3, x2: 4");
    play(&mut round, "x2");
    assert_eq!(on_turn(&round), "+1: 5, x2: used up");
    play(&mut round, "+1");
    assert_eq!(on_turn(&round), "+1: 6, x2: used up");

    let shared = with(&[("target", "99"), ("moves", "['+1', { op = 'x2', uses = 2, pool = 'shared' }]")]);
    let mut round = played(&shared, "x2");
    assert_eq!(on_turn(&round), "+1: 3, x2: 4");
    assert_eq!(round.position().uses_of(Player::Two, entry(&shared, "x2")), 1);
    play(&mut round, "x2");
    assert_eq!(on_turn(&round), "+1: 5, x2: used up");
    play(&mut round, "+1");
    assert_eq!(on_turn(&round), "+1: 6, x2: used up");
}

#[test]
fn the_largest_number_of_uses_can_all_be_used() {
    let book = with(&[("target", "600"), ("moves", "[{ op = '+1', uses = 255 }]")]);
    let mut round = played(&book, &"+1 ".repeat(509));
    assert_eq!((ended(&round), round.position().number()), ("open".to_owned(), 510));
    play(&mut round, "+1");
    assert_eq!(ended(&round), "2 stuck");
}

#[test]
fn passes_are_moves_that_leave_the_number_as_it_is() {
    let keys = [("start", "0"), ("range", "[-9, 20]"), ("moves", "['x1', '/1', 'x2', '/2', '+1', '-1']")];
    let none = with(&[&keys[..], &[("passes", "0")]].concat());
    assert_eq!(at_opening(&none), "x1: no pass, /1: no pass, x2: no pass, /2: no pass, +1: 1, -1: -1");
    assert_eq!(on_turn(&played(&none, "+1")), "x1: no pass, /1: no pass, x2: 2, /2: remainder, +1: 2, -1: 0");

    let one = with(&[&keys[..], &[("passes", "1"), ("repetition", "0")]].concat());
    let mut round = played(&one, "x2");
    assert_eq!(legal(&one, round.position()), "x1 /1 x2 /2 +1 -1", "each player has passes of their own");
    play(&mut round, "+1");
    assert_eq!(on_turn(&round), "x1: no pass, /1: no pass, x2: 2, /2: remainder, +1: 2, -1: 0");
    play(&mut round, "-1 x1");
    assert_eq!(on_turn(&round), "x1: no pass, /1: no pass, x2: no pass, /2: no pass, +1: 1, -1: -1");
    assert_eq!((round.position().passes_of(Player::One), round.position().passes_of(Player::Two)), (1, 1));

    let unlimited = with(&[&keys[..], &[("repetition", "0")]].concat());
    let round = played(&unlimited, &"x1 ".repeat(300));
    assert_eq!(ended(&round), "open");
}

#[test]
fn the_largest_number_of_passes_can_all_be_made() {
    let keys = [("moves", "['x1']"), ("passes", "255"), ("repetition", "0")];
    let mut round = played(&with(&keys), &"x1 ".repeat(509));
    assert_eq!(ended(&round), "open");
    play(&mut round, "x1");
    assert_eq!(ended(&round), "2 stuck");
}

#[test]
fn repeats_are_barred_by_whose_operation_it_was() {
    for (no_repeat, after_one, after_two) in [
        ("'none'", "+1: 3, +2: 4, x2: 4", "+1: 5, +2: 6, x2: 8"),
        ("'own'", "+1: 3, +2: 4, x2: 4", "+1: own, +2: 6, x2: 8"),
        ("'opponent'", "+1: opponent, +2: 4, x2: 4", "+1: 5, +2: opponent, x2: 8"),
        ("'both'", "+1: opponent, +2: 4, x2: 4", "+1: own, +2: opponent, x2: 8"),
    ] {
        let book = with(&[("moves", "['+1', '+2', 'x2']"), ("no_repeat", no_repeat)]);
        let mut round = played(&book, "+1");
        assert_eq!(on_turn(&round), after_one, "{no_repeat}");
        play(&mut round, "+2");
        assert_eq!(on_turn(&round), after_two, "{no_repeat}");
    }
}

#[test]
fn only_the_last_operation_is_remembered() {
    let book = with(&[("moves", "['+1', '+2']"), ("no_repeat", "'own'")]);
    assert_eq!(on_turn(&played(&book, "+1 +1 +2 +2")), "+1: 8, +2: own");
}

#[test]
fn operations_are_compared_by_their_place_and_not_by_what_they_give() {
    let book = with(&[("no_repeat", "'opponent'")]);
    assert_eq!(on_turn(&played(&book, "+1")), "+1: opponent, x2: 4");
    assert_eq!(on_turn(&played(&book, "x2")), "+1: 3, x2: opponent");
}

/// With a single move, every rule against repeats soon leaves a player stuck.
#[test]
fn every_way_of_barring_repeats_meets_every_way_of_being_stuck() {
    for (no_repeat, stuck, moves, end) in [
        ("none", "loses", "+1 +1 +1 +1", "2 reached"),
        ("own", "loses", "+1 +1", "2 stuck"),
        ("own", "wins", "+1 +1", "1 stuck"),
        ("own", "draws", "+1 +1", "draw stuck"),
        ("own", "skips", "+1 +1", "draw stuck"),
        ("opponent", "loses", "+1", "1 stuck"),
        ("opponent", "wins", "+1", "2 stuck"),
        ("opponent", "draws", "+1", "draw stuck"),
        ("opponent", "skips", "+1 skip +1 skip +1 skip +1", "1 reached"),
        ("both", "loses", "+1", "1 stuck"),
        ("both", "wins", "+1", "2 stuck"),
        ("both", "draws", "+1", "draw stuck"),
        ("both", "skips", "+1", "draw stuck"),
    ] {
        let book = with(&[
            ("target", "5"),
            ("moves", "['+1']"),
            ("no_repeat", &format!("'{no_repeat}'")),
            ("stuck", &format!("'{stuck}'")),
        ]);
        assert_eq!(ended(&played(&book, moves)), end, "{no_repeat} {stuck}");
    }
}

/// Player 2 is too close to the target to move, so every other turn is skipped.
#[test]
fn a_skipped_turn_changes_nothing_but_the_turn() {
    let keys = [
        ("numbers", "'separate'"),
        ("start", "[2, 19]"),
        ("past", "'forbidden'"),
        ("stuck", "'skips'"),
        ("moves", "[{ op = '+2', uses = 2 }, '+3', '/1', 'x2']"),
        ("forbidden", "[19]"),
        ("passes", "1"),
    ];
    let book = with(&[&keys[..], &[("no_repeat", "'both'")]].concat());
    let mut round = played(&book, "/1");
    assert_eq!(on_turn(&round), "+2: past 21, +3: past 22, /1: opponent, x2: past 38");
    assert_eq!(round.situation(), Situation::Skip);
    let before = *round.position();
    let refused = round.play(Move::Operation(choice(&book, "+3")));
    assert!(matches!(refused, Err(CannotPlay::Refused(Refusal::PastTarget { number: 22, target: 20 }))));
    play(&mut round, "skip");
    let after = *round.position();
    assert_eq!((before.turn(), after.turn()), (Player::Two, Player::One));
    for player in Player::BOTH {
        assert_eq!(before.number_of(player), after.number_of(player));
        assert_eq!(before.last_of(player), after.last_of(player));
        assert_eq!(before.passes_of(player), after.passes_of(player));
    }
    assert_eq!(on_turn(&round), "+2: 4, +3: 5, /1: own, x2: 4");
    play(&mut round, "+2 skip");
    assert_eq!(on_turn(&round), "+2: own, +3: 7, /1: no pass, x2: 8");
    play(&mut round, "+3 skip +2 skip");
    assert_eq!(on_turn(&round), "+2: used up, +3: 12, /1: no pass, x2: 18");
}

#[test]
fn a_turn_cannot_be_skipped_by_a_player_who_can_move() {
    let book = with(&[("stuck", "'skips'")]);
    let mut round = Round::new(book, Player::One);
    assert_eq!(round.play(Move::Skip), Err(CannotPlay::Refused(Refusal::NotStuck)));
    let stuck = with(&[("moves", "['+30']"), ("past", "'forbidden'"), ("stuck", "'skips'")]);
    assert_eq!(stuck.play(&stuck.opening(Player::One), Move::Skip), Err(Refusal::NotStuck));
    assert_eq!(ended(&Round::new(stuck, Player::One)), "draw stuck", "neither player can move");
}

#[test]
fn a_stuck_starter_ends_the_round() {
    for (stuck, first, end) in [
        ("'loses'", Player::One, "2 stuck"),
        ("'loses'", Player::Two, "1 stuck"),
        ("'wins'", Player::One, "1 stuck"),
        ("'draws'", Player::One, "draw stuck"),
    ] {
        let book = with(&[("moves", "['+30']"), ("past", "'forbidden'"), ("stuck", stuck)]);
        assert_eq!(ended(&Round::new(book, first)), end, "{stuck}");
    }
}

#[test]
fn a_pair_of_starts_gives_the_first_number_to_the_starter() {
    let book = with(&[("numbers", "'separate'"), ("start", "[3, 7]")]);
    for first in Player::BOTH {
        let opening = book.opening(first);
        assert_eq!((opening.number(), opening.number_of(first), opening.number_of(!first)), (3, 3, 7));
        let round = played_from(&book, first, "x2 +1");
        assert_eq!((round.number_of(first), round.number_of(!first)), (6, 8));
    }
}

#[test]
fn with_separate_numbers_each_player_changes_their_own() {
    let book = with(&[("numbers", "'separate'"), ("target", "4")]);
    let round = played(&book, "x2 +1 x2");
    assert_eq!(ended(&round), "1 reached");
    assert_eq!((round.number_of(Player::One), round.number_of(Player::Two)), (4, 2));
    assert_eq!(ended(&played(&book, "x2 x2 +1 x2")), "2 reached");
    assert_eq!(ended(&played(&book, "x2 x2 +1 +1 x2")), "2 overshot");
}

#[test]
fn the_opening_number_does_not_count_as_landed_on() {
    let keys = [("start", "5"), ("moves", "['x1', '+1', '-1']"), ("range", "[0, 20]")];
    for (list, lands_again) in [("winning", "1 landed"), ("losing", "2 landed")] {
        let book = with(&[&keys[..], &[(list, "[5]")]].concat());
        assert_eq!(ended(&Round::new(Arc::clone(&book), Player::One)), "open");
        assert_eq!(ended(&played(&book, "x1")), lands_again, "x1 lands again");
        let other = if list == "winning" { "2 landed" } else { "1 landed" };
        assert_eq!(ended(&played(&book, "+1 -1")), other);
    }
    let book = with(&[&keys[..], &[("forbidden", "[5]")]].concat());
    assert_eq!(at_opening(&book), "x1: forbidden 5, +1: 6, -1: 4");
    assert_eq!(on_turn(&played(&book, "+1")), "x1: 6, +1: 7, -1: forbidden 5");
}

#[test]
fn a_countdown_may_go_up_within_its_range() {
    let keys = [("start", "8"), ("target", "1"), ("moves", "['-1', '/2', 'x2']")];
    assert_eq!(at_opening(&with(&keys)), "-1: 7, /2: 4, x2: outside 16");
    let wide = with(&[&keys[..], &[("range", "[-50, 16]")]].concat());
    assert_eq!(ended(&played(&wide, "x2 /2 /2 /2 -1")), "1 reached");
    let past = played(&with(&[("start", "2"), ("target", "0"), ("moves", "['-3']")]), "-3");
    assert_eq!(ended(&past), "2 overshot");
}

#[test]
fn numbers_below_zero_are_as_good_as_others() {
    let keys = [("start", "-3"), ("target", "5"), ("moves", "['x2', 'x1', '-1', '+8']")];
    assert_eq!(at_opening(&with(&keys)), "x2: outside -6, x1: -3, -1: outside -4, +8: 5");
    let wide = with(&[&keys[..], &[("range", "[-6, 5]")]].concat());
    assert_eq!(at_opening(&wide), "x2: -6, x1: -3, -1: -4, +8: 5");
    let down = with(&[("start", "-3"), ("target", "-9"), ("moves", "['x3', 'x4', '-7']")]);
    assert_eq!(ended(&played(&down, "x3")), "1 reached");
    assert_eq!(ended(&played(&down, "x4")), "2 overshot");
}

#[test]
fn without_a_target_the_range_binds_on_both_sides() {
    let text = "title = 'Open'\nstart = 3\nrange = [0, 6]\nmoves = ['+3', '-3', 'x3']\n";
    let by_stuck = book(&format!("{text}no_repeat = 'both'\n"));
    assert_eq!(at_opening(&by_stuck), "+3: 6, -3: 0, x3: outside 9");
    assert_eq!(on_turn(&played(&by_stuck, "+3")), "+3: opponent, -3: 3, x3: outside 18");
    assert_eq!(ended(&played(&by_stuck, "+3 -3")), "2 stuck");
    let by_list = book(&format!("{text}winning = [6]\nlosing = [0]\n"));
    assert_eq!(ended(&played(&by_list, "+3")), "1 landed");
    assert_eq!(ended(&played(&by_list, "-3")), "2 landed");
}

#[test]
fn a_move_of_two_entries_is_refused_for_a_reason_that_holds_here() {
    let book = book(
        "title = 'T'\nstart = 1\ntarget = 30\nno_repeat = 'opponent'\n\
         moves = [{ op = '+3', when = 'odd' }, { op = '+3', when = 'even' }, '+1']",
    );
    let round = played(&book, "+3");
    assert_eq!(offers(&book, round.position()), "+3: opponent, +1: 5");
    let book = crate::support::book(
        "title = 'T'\nstart = 40\ntarget = 0\nno_repeat = 'both'\nmoves = ['-digit', '-divisor']",
    );
    let told = offers(&book, played(&book, "-4").position());
    assert!(told.contains("-4: opponent"), "{told}");
}
