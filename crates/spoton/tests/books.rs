//! The shipped games play as their books claim: all worked examples and all rulings that a rule book can express.
//! Includes the classics and house variants.

use crate::support;

use std::collections::BTreeSet;
use std::sync::Arc;

use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{
    Draft, MatchForm, NoRepeat, Numbers, Past, Pool, Reach, Rulebook, Stuck, Uses, catalog, check,
};
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::typed;
use support::{any_move, ended, finished, legal, play, played};

fn draft(id: &str) -> Draft {
    catalog::draft(id).unwrap_or_else(|| panic!("{id} does not come with Spot On"))
}

fn shipped(id: &str) -> Arc<Rulebook> {
    finished(&draft(id))
}

fn variant(id: &str, name: &str) -> Arc<Rulebook> {
    finished(&draft(id).variant(name).unwrap_or_else(|unknown| panic!("{id}: {unknown}")))
}

/// All shipped games and their variants, by name.
fn everything() -> Vec<(String, Arc<Rulebook>)> {
    let mut all = Vec::new();
    for id in catalog::ids() {
        all.push((id.to_owned(), shipped(id)));
        for name in draft(id).variants() {
            all.push((format!("{id} {name}"), variant(id, name)));
        }
    }
    all
}

fn operations(book: &Rulebook) -> String {
    book.moves().iter().map(|rule| rule.to_string()).collect::<Vec<_>>().join(" ")
}

/// Plays a worked example and checks the expected number after each move.
fn example(book: &Arc<Rulebook>, moves: &[(&str, i128)]) -> Round {
    let mut round = Round::new(Arc::clone(book), Player::One);
    for (index, (a_move, number)) in moves.iter().enumerate() {
        assert_eq!(ended(&round), "open", "before move {}", index + 1);
        let mover = round.position().turn();
        assert_eq!(mover.number() as usize, index % 2 + 1, "the players take turns");
        play(&mut round, a_move);
        assert_eq!(round.number_of(mover), *number, "move {}, {a_move}", index + 1);
    }
    round
}

#[test]
fn number_maze_to_10() {
    let book = finished(&draft("number-maze").set_target("--target", "10"));
    let round = example(&book, &[("x2", 2), ("x2", 4), ("+1", 5), ("x2", 10)]);
    assert_eq!(ended(&round), "2 reached");
}

#[test]
fn number_maze_to_15() {
    let book = variant("number-maze", "to-15");
    let round = example(&book, &[("+1", 2), ("x2", 4), ("x2", 8), ("+1", 9), ("x2", 18)]);
    assert_eq!(ended(&round), "2 overshot");
}

#[test]
fn operation_target_and_what_may_be_chosen_on_each_turn() {
    let book = shipped("operation-target");
    let mut round = Round::new(Arc::clone(&book), Player::One);
    for (available, a_move, number) in [
        ("+1 x2", "x2", 2),
        ("+1 x2", "x2", 4),
        ("+1", "+1", 5),
        ("+1", "+1", 6),
        ("x2", "x2", 12),
        ("x2", "x2", 24),
    ] {
        assert_eq!(legal(&book, round.position()), available, "at {}", round.position().number());
        play(&mut round, a_move);
        assert_eq!(round.number_of(Player::One), number);
    }
    assert_eq!(ended(&round), "1 overshot");
}

#[test]
fn operation_target_lets_a_player_choose_what_the_opponent_chose() {
    let book = shipped("operation-target");
    assert_eq!(legal(&book, played(&book, "+1").position()), "+1 x2");
}

#[test]
fn sequence_math_duel() {
    let book = shipped("sequence-math-duel");
    let moves = [
        ("x2", 2),
        ("x2", 2),
        ("+1", 3),
        ("x2", 4),
        ("x2", 6),
        ("+1", 5),
        ("x2", 12),
        ("x2", 10),
        ("+1", 13),
        ("x2", 20),
    ];
    let round = example(&book, &moves);
    assert_eq!(ended(&round), "2 reached");
    assert_eq!(round.number_of(Player::One), 13);
}

#[test]
fn sequence_math_duel_gives_no_answering_turn() {
    let book = shipped("sequence-math-duel");
    let round = played(&book, "x2 x2 x2 x2 +1 +1 x2 x2 x2");
    assert_eq!((ended(&round), round.number_of(Player::Two)), ("1 reached".to_owned(), 10));
}

#[test]
fn target_twenty_one() {
    let book = shipped("target-twenty-one");
    let moves = [("+3", 3), ("x2", 6), ("+2", 8), ("x2", 16), ("+3", 19), ("+2", 21)];
    assert_eq!(ended(&example(&book, &moves)), "2 reached");
    for choice in ["+1", "+2", "+3", "x1", "x2", "x3"] {
        assert!(legal(&book, &book.opening(Player::One)).contains(choice));
    }
}

#[test]
fn target_twenty_one_from_15_doubling_loses() {
    let book = finished(&draft("target-twenty-one").set("--set", "start=15"));
    let round = example(&book, &[("x2", 30)]);
    assert_eq!(ended(&round), "2 overshot");
}

#[test]
fn double_or_add_with_doubling_barred_near_the_end() {
    let book = shipped("double-or-add");
    let mut round = example(&book, &[("x2", 2), ("x2", 4), ("x2", 8), ("x2", 16)]);
    for number in 16..=19 {
        assert_eq!(round.position().number(), number);
        assert_eq!(legal(&book, round.position()), "+1", "at {number} only adding is possible");
        play(&mut round, "+1");
    }
    assert_eq!(ended(&round), "2 reached");
    assert_eq!(
        legal(&book, played(&book, "x2 x2 x2 +1 +1").position()),
        "+1 x2",
        "at 10 doubling reaches 20"
    );
}

#[test]
fn double_or_add_subtracting_stays_at_the_start_or_above() {
    for name in ["subtract", "three-subtractions"] {
        let book = variant("double-or-add", name);
        assert_eq!(operations(&book), "+1 x2 -1");
        assert_eq!(legal(&book, &book.opening(Player::One)), "+1 x2");
        assert_eq!(legal(&book, played(&book, "+1").position()), "+1 x2 -1");
    }
    let endless = variant("double-or-add", "subtract");
    assert_eq!(ended(&played(&endless, "+1 -1 +1 -1")), "draw repetition");
}

#[test]
fn double_or_add_limits_are_for_each_player() {
    let three = Some(Uses { limit: 3, pool: Pool::Own });
    assert_eq!(variant("double-or-add", "three-doublings").moves()[1].uses, three);
    assert_eq!(variant("double-or-add", "three-subtractions").moves()[2].uses, three);
    let book = variant("double-or-add", "three-subtractions");
    let round = played(&book, "x2 x2 -1 x2 -1 +1 -1 +1");
    assert_eq!(legal(&book, round.position()), "+1 x2", "Player 1 has subtracted three times");
    assert_eq!(legal(&book, played(&book, "x2 x2 -1 x2 -1 +1 -1").position()), "+1 x2 -1");
}

#[test]
fn target_twenty_one_passes_without_limit_until_the_house_rule_strikes() {
    let book = shipped("target-twenty-one");
    assert_eq!((book.passes(), book.repetition()), (None, Some(3)));
    assert_eq!(ended(&played(&book, "x1 x2 x3")), "open");
    assert_eq!(ended(&played(&book, "x1 x2 x3 x1")), "draw repetition");
    let limited = variant("target-twenty-one", "limited-passes");
    assert_eq!(limited.passes(), Some(1));
    let round = played(&limited, "x2 x1");
    assert_eq!(legal(&limited, round.position()), "+1 +2 +3");
}

#[test]
fn the_five_books_have_their_own_numbers_and_moves() {
    for (id, numbers, start, target, moves, past, no_repeat) in [
        ("operation-target", Numbers::Shared, 1, 23, "+1 x2", Past::Loses, NoRepeat::Own),
        ("sequence-math-duel", Numbers::Separate, 1, 20, "+1 x2", Past::Loses, NoRepeat::None),
        ("target-twenty-one", Numbers::Shared, 0, 21, "+1 +2 +3 x1 x2 x3", Past::Loses, NoRepeat::None),
        ("number-maze", Numbers::Shared, 1, 20, "+1 x2", Past::Loses, NoRepeat::None),
        ("double-or-add", Numbers::Shared, 1, 20, "+1 x2", Past::Forbidden, NoRepeat::None),
    ] {
        let book = shipped(id);
        assert_eq!((book.numbers(), book.start()), (numbers, (start, start)), "{id}");
        assert_eq!((book.target(), operations(&book)), (Some(target), moves.to_owned()), "{id}");
        assert_eq!((book.past(), book.no_repeat()), (past, no_repeat), "{id}");
        assert_eq!((book.reach(), book.stuck()), (Reach::Wins, Stuck::Loses), "{id}");
    }
    assert!(matches!(shipped("sequence-math-duel").match_form(), Some(MatchForm::FirstTo(_))));
    assert!(matches!(shipped("double-or-add").match_form(), Some(MatchForm::Rounds(_))));
    assert_eq!(shipped("double-or-add").title(), "Double or Add: The Race to 20");
    assert_eq!(variant("double-or-add", "race-to-31").title(), "Double or Add: The Race to 31");
}

#[test]
fn variants_are_those_that_the_rulings_name_and_our_own() {
    for (id, names) in [
        ("operation-target", &["three-operations"][..]),
        ("sequence-math-duel", &["no-copying"]),
        ("target-twenty-one", &["limited-passes"]),
        ("number-maze", &["to-15", "to-50", "to-100", "to-34"]),
        ("double-or-add", &["race-to-31", "subtract", "three-subtractions", "three-doublings"]),
        ("race-to-23", &[]),
        ("twenty-one-loses", &[]),
        ("take-away", &[]),
    ] {
        assert_eq!(draft(id).variants().collect::<Vec<_>>(), names, "{id}");
    }
    for (name, target) in [("to-15", 15), ("to-34", 34), ("to-50", 50), ("to-100", 100)] {
        assert_eq!(variant("number-maze", name).target(), Some(target));
    }
    assert_eq!(variant("double-or-add", "race-to-31").target(), Some(31));
}

#[test]
fn house_variants() {
    let three = variant("operation-target", "three-operations");
    assert_eq!((operations(&three), three.no_repeat()), ("+1 +3 x2".to_owned(), NoRepeat::Own));
    assert_eq!((three.start(), three.target()), ((1, 1), Some(23)));
    let no_copying = variant("sequence-math-duel", "no-copying");
    assert_eq!(
        (operations(&no_copying), no_copying.no_repeat()),
        ("+1 +3 x2".to_owned(), NoRepeat::Opponent)
    );
    assert_eq!((no_copying.numbers(), no_copying.target()), (Numbers::Separate, Some(20)));
}

#[test]
fn classics() {
    let race = shipped("race-to-23");
    assert_eq!((race.start(), race.target()), ((0, 0), Some(23)));
    assert_eq!((operations(&race), race.past()), ("+1 +2 +3 +4".to_owned(), Past::Forbidden));
    assert_eq!(ended(&played(&race, "+3 +4 +1 +4 +1 +4 +1 +4 +1")), "1 reached");

    let loses = shipped("twenty-one-loses");
    assert_eq!((loses.start(), loses.target()), ((0, 0), Some(21)));
    assert_eq!((operations(&loses), loses.reach()), ("+1 +2 +3".to_owned(), Reach::Loses));
    assert_eq!(ended(&played(&loses, &format!("{}+1", "+1 +3 ".repeat(5)))), "2 reached");

    let take = shipped("take-away");
    assert_eq!((take.start(), take.target()), ((21, 21), Some(0)));
    assert_eq!((operations(&take), take.past()), ("-1 -2 -3".to_owned(), Past::Forbidden));
    let round = played(&take, &format!("-1{}", " -1 -3".repeat(4)));
    assert_eq!(round.position().number(), 4);
    assert_eq!(ended(&played(&take, &format!("-1{}", " -1 -3".repeat(5)))), "1 reached");
}

#[test]
fn claims_are_those_that_the_books_make() {
    for (id, claims) in [
        ("operation-target", &["skill-wins"][..]),
        ("sequence-math-duel", &["no-draws"]),
        ("target-twenty-one", &["no-draws", "skill-wins"]),
        ("number-maze", &["no-draws"]),
        ("double-or-add", &["ends", "no-draws", "skill-wins"]),
    ] {
        let made: Vec<String> = shipped(id).claims().iter().map(ToString::to_string).collect();
        assert_eq!(made, claims, "{id}");
    }
}

#[test]
fn every_book_and_variant_passes_check_without_a_word() {
    for id in catalog::ids() {
        assert_eq!(check(&draft(id)), [], "{id}");
    }
}

#[test]
fn every_book_and_variant_has_a_summary_and_notes() {
    for (name, book) in everything() {
        assert!(!book.summary().is_empty(), "{name} has no summary");
        assert!(book.suits().is_some(), "{name} has no `suits`");
        assert!(!book.notes().is_empty(), "{name} has no notes");
        let texts = [book.title(), book.summary()].into_iter().chain(book.notes().iter().map(String::as_str));
        for text in texts {
            assert!(!text.contains(['{', '}']), "{name} leaves a placeholder open: {text}");
        }
    }
}

/// A game and its variants with other targets and starts.
fn with_other_numbers(id: &str) -> Vec<(String, Arc<Rulebook>)> {
    let variants: Vec<Draft> =
        draft(id).variants().map(|name| draft(id).variant(name).expect("the variant exists")).collect();
    let mut all = Vec::new();
    for draft in [draft(id)].into_iter().chain(variants) {
        let book = finished(&draft);
        let (a, b) = book.start();
        let targets = book.target().map(|target| [(a + target) / 2, target + (target - a).signum() * 7]);
        let targets = targets.into_iter().flatten().map(|target| format!("target={target}"));
        let starts = [3, -3].map(|by| match book.numbers() {
            Numbers::Shared => format!("start={}", a + by),
            Numbers::Separate => format!("start=[{}, {}]", a + by, b + by),
        });
        for setting in targets.chain(starts) {
            // A few starts are outside the book's range.
            if let Ok(changed) = draft.clone().set("--set", &setting).build() {
                all.push((format!("{id} with {setting}"), Arc::new(changed)));
            }
        }
    }
    all
}

/// The numbers in a text, without signs.
fn numbers_in(text: &str) -> impl Iterator<Item = u128> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

#[test]
fn no_sentence_names_a_number_that_has_no_part_in_the_round() {
    let names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
    let voice = Voice { names: &names, computers: ByPlayer([false, false]), paint: &|_, text| text };
    // Seed 0 always picks the first legal move; other seeds vary the move.
    let pick = |seed: usize, turn: usize| seed * (turn / 2 + 1);
    let mut endings = BTreeSet::new();
    let books: Vec<_> = catalog::ids().flat_map(with_other_numbers).collect();
    assert!(books.len() > 150, "only {} books", books.len());
    for (name, book) in books {
        for seed in 0..8 {
            let mut round = Round::new(Arc::clone(&book), Player::One);
            let opening = Dialogue { round: &round, voice: &voice }.opening();
            let mut said = vec![book.title().to_owned(), book.summary().to_owned()];
            said.extend(opening);
            let (a, b) = book.start();
            // 1 is an amount like any other: "a divisor above 1".
            let mut known: BTreeSet<u128> = [Some(1), Some(a), Some(b), book.target()]
                .into_iter()
                .flatten()
                .map(|number| number.unsigned_abs().into())
                .collect();
            for turn in 0.. {
                let offers = book.offers(round.position());
                known.extend(
                    offers.flat_map(|offer| numbers_in(&book.write_offer(&offer)).collect::<Vec<_>>()),
                );
                let Some(a_move) = any_move(&round, pick(seed, turn)) else { break };
                round.play(a_move).expect("the move is legal");
                known.extend(Player::BOTH.map(|player| round.number_of(player).unsigned_abs()));
                said.extend(Dialogue { round: &round, voice: &voice }.moved(round.history().len() - 1));
            }
            let dialogue = Dialogue { round: &round, voice: &voice };
            said.extend(dialogue.ending());
            endings.insert(format!("{:?}", round.outcome().expect("the round is over").ending));
            for text in said {
                let foreign: Vec<u128> = numbers_in(&text).filter(|number| !known.contains(number)).collect();
                assert_eq!(foreign, [], "{name}: {text}");
            }
        }
    }
    for ending in ["Reached", "Overshot", "Stuck"] {
        assert!(endings.contains(ending), "no round ended so: {endings:?}");
    }
}

#[test]
fn an_illegal_amount_gets_the_same_reason_without_its_sign() {
    for id in ["keep-off-primes", "fair-shares"] {
        let round = Round::new(shipped(id), Player::One);
        for number in 2..=99 {
            let [bare, signed] =
                [format!("{number}"), format!("-{number}")].map(|line| typed::read_unnumbered(&line, &round));
            assert_eq!(bare, signed, "{id}: {number}");
        }
    }
}

#[test]
fn games_are_found_by_their_id_or_a_part_of_it() {
    assert_eq!(catalog::find("number-maze"), ["number-maze"]);
    assert_eq!(catalog::find("maze"), ["number-maze"]);
    assert_eq!(catalog::find("target"), ["operation-target", "target-twenty-one"]);
    assert!(catalog::find("chess").is_empty());
    assert!(catalog::find("").is_empty());
    assert!(catalog::draft("chess").is_none());
    let ids: Vec<&str> = catalog::ids().collect();
    assert_eq!(ids.len(), 15);
    for id in ids {
        assert_eq!(catalog::find(id), [id], "an id matches itself even if it is part of another");
    }
}
