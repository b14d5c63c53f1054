//! The fixed set of games never changes, and keeps what it promises.

use spoton::people::bench::{Played, Reviewed, Set};
use spoton::people::opponent::Opponent;
use spoton::people::solved_game::SolvedGame;
use spoton::records;
use spoton::solver::Budget;

/// Changing this number means that results of before and after cannot be compared: make version 2 instead.
const FINGERPRINT: &str = "4d8e962d8fd3cfc6";

#[test]
fn version_1_is_what_its_seeds_give_for_ever() {
    let set = Set::fixed();
    assert_eq!((set.name.as_str(), set.fingerprint().as_str()), ("1", FINGERPRINT));
    let again = Set::invented_again(&mut Budget::patient(64 << 20)).unwrap();
    assert_eq!(again, set);
}

/// From one hidden choice to twenty, all different, none drawn or endless, and guessing gets nowhere in the deep ones.
#[test]
fn its_books_are_as_deep_as_they_say() {
    let set = Set::fixed();
    let mut prints = std::collections::HashSet::new();
    for book in &set.books {
        let rulebook = std::sync::Arc::new(book.game().unwrap().rulebook().unwrap());
        assert!(prints.insert(rulebook.fingerprint()), "{}", book.id);
        let budget = &mut Budget::patient(64 << 20);
        let figures = SolvedGame::new(rulebook).audit(budget).unwrap().figures;
        assert_eq!(figures.subtle, book.depth, "{}", book.id);
        assert!(figures.always_ends && !figures.can_draw, "{}", book.id);
    }
    let depths: Vec<u64> = set.books.iter().map(|book| book.depth).collect();
    assert_eq!((depths.len(), depths[0], depths[49]), (50, 1, 20));
    assert!(depths.is_sorted() && (1..=20).all(|depth| depths.contains(&depth)));
}

/// A day has its own set.
#[test]
fn the_set_of_a_day_is_another_one() {
    let (fixed, day) = (Set::fixed(), "2026-11-16".parse().unwrap());
    let fresh = Set::fresh(day, &mut Budget::patient(64 << 20)).unwrap();
    assert_eq!((fresh.books.len(), fresh.name.as_str()), (50, "2026-11-16"));
    assert_eq!(fresh.books[6].id, "bench-2026-11-16-07");
    assert!(fresh.books.iter().all(|book| !fixed.text().contains(&book.text)));
    assert_ne!(fresh.fingerprint(), fixed.fingerprint());
}

/// Rounds of Number Maze that were won by whoever went first, each between these two, with these further tags.
fn rounds(of: &[(&str, &str, &str)]) -> Vec<Reviewed> {
    let replayed = of.iter().flat_map(|(one, two, more)| {
        let tags = format!("[Player1 \"{one}\"]\n[Player2 \"{two}\"]\n{more}");
        let text = format!("[Rulebook \"number-maze\"]\n{tags}\n\n1. +1 x2 2. +1 x2 3. x2 *\n");
        records::replay_all(&text).unwrap()
    });
    let reviewed = replayed.map(|(record, round)| {
        let game = SolvedGame::new(std::sync::Arc::clone(round.rulebook()));
        let review = game.review(&round, &mut Budget::patient(16 << 20)).unwrap();
        (record, round, review)
    });
    reviewed.collect()
}

/// The records say whom a player met, by their tags before their names.
#[test]
fn a_score_is_against_whoever_was_met() {
    let opponent = |name: &str| Opponent::parse(name).unwrap();
    let met = |against: Option<&str>, of: &[(&str, &str, &str)]| {
        Played::of("bot", against.map(opponent), rounds(of)).map(|played| played.opponent)
    };
    assert_eq!(met(None, &[("bot", "careful", ""), ("Careful", "bot", "")]), Ok(opponent("careful")));
    assert_eq!(met(Some("careful"), &[("bot", "careful", "")]), Ok(opponent("careful")));
    // Somebody may be called like anybody.
    assert_eq!(met(None, &[("bot", "otto", "[Computer2 \"dash:slip=0.5\"]")]), Ok(opponent("dash:slip=0.5")));
    assert_eq!(met(Some("nina"), &[("bot", "Ann", ""), ("Ben", "bot", "")]), Ok(opponent("nina")));
    let program = "[Computer2 \"exec:./play\"]";
    for (against, of, why) in [
        (None, &[][..], "there is no round to be scored: no record was given"),
        (Some("nina"), &[][..], "there is no round to be scored: no record was given"),
        (
            None,
            &[("Ann", "careful", "")][..],
            "one of the players has to be bot; this round is Ann against careful",
        ),
        (None, &[("bot", "bot", "")][..], "one of the players has to be bot; this round is bot against bot"),
        (
            None,
            &[("bot", "Ann", "")][..],
            "bot met Ann, which is not the name of a computer player: what perfect play would win depends on who it was, so say that",
        ),
        (
            Some("perfect"),
            &[("bot", "Ann", program)][..],
            "bot met exec:./play: what perfect play would win is only known against a computer player of Spot On",
        ),
        (Some("perfect"), &[("bot", "careful", "")][..], "bot met careful, and not perfect"),
        (
            None,
            &[("bot", "careful", ""), ("bot", "perfect", "")][..],
            "bot met careful and perfect: score the rounds against each of them apart",
        ),
    ] {
        assert_eq!(met(against, of).unwrap_err().to_string(), why);
    }
    // The side of the table makes another meeting of it.
    let sides = [("bot", "otto", ""), ("otto", "bot", ""), ("bot", "otto", "")];
    let played = Played::of("bot", None, rounds(&sides)).unwrap();
    assert_eq!(played.games.iter().map(|game| game.rounds.len()).collect::<Vec<_>>(), [2, 1]);
}
