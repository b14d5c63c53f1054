//! The fixed set of games never changes and keeps its promises.

use spoton::design::sets::Set;
use spoton::evaluate::bench::{Played, Reviewed};
use spoton::evaluate::opponent::Opponent;
use spoton::records;
use spoton::solved::SolvedGame;
use spoton::solver::Budget;

/// If this number changes, old and new results can't be compared: make a version 2 instead.
const FINGERPRINT: &str = "4d8e962d8fd3cfc6";

#[test]
fn version_1_never_changes() {
    let set = Set::fixed();
    assert_eq!((set.name.as_str(), set.fingerprint().as_str()), ("1", FINGERPRINT));
    let again = Set::invented_again(&mut Budget::patient(64 << 20)).unwrap();
    assert_eq!(again, set);
}

/// The games have one to twenty hidden choices. All are different, none is drawn or endless, and guessing fails in the
/// deep ones.
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

/// Each day has its own set.
#[test]
fn the_set_of_a_day_is_another_one() {
    let (fixed, day) = (Set::fixed(), "2026-11-16".parse().unwrap());
    let fresh = Set::fresh(day, &mut Budget::patient(64 << 20)).unwrap();
    assert_eq!((fresh.books.len(), fresh.name.as_str()), (50, "2026-11-16"));
    assert_eq!(fresh.books[6].id, "bench-2026-11-16-07");
    assert!(fresh.books.iter().all(|book| !fixed.text().contains(&book.text)));
    assert_ne!(fresh.fingerprint(), fixed.fingerprint());
}

/// Rounds of Number Maze between these two players with extra tags, won by the starter.
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

/// The records name the opponent: first by tag, otherwise by player name.
#[test]
fn a_score_names_the_opponents() {
    let opponent = |name: &str| Opponent::parse(name).unwrap();
    let met = |against: Option<&str>, of: &[(&str, &str, &str)]| {
        Played::from_reviews("bot", against.map(opponent), rounds(of)).map(|played| played.opponent)
    };
    assert_eq!(met(None, &[("bot", "careful", ""), ("Careful", "bot", "")]), Ok(opponent("careful")));
    assert_eq!(met(Some("careful"), &[("bot", "careful", "")]), Ok(opponent("careful")));
    // A player may have any name.
    assert_eq!(met(None, &[("bot", "otto", "[Computer2 \"dash:slip=0.5\"]")]), Ok(opponent("dash:slip=0.5")));
    assert_eq!(met(Some("nina"), &[("bot", "Ann", ""), ("Ben", "bot", "")]), Ok(opponent("nina")));
    let program = "[Computer2 \"exec:./play\"]";
    for (against, of, why) in [
        (None, &[][..], "no rounds to score: give at least one record"),
        (Some("nina"), &[][..], "no rounds to score: give at least one record"),
        (
            None,
            &[("Ann", "careful", "")][..],
            "exactly one of the players must be bot; this round is Ann against careful",
        ),
        (
            None,
            &[("bot", "bot", "")][..],
            "exactly one of the players must be bot; this round is bot against bot",
        ),
        (
            None,
            &[("bot", "Ann", "")][..],
            "bot played against Ann, which isn't the name of a computer opponent; name the opponent, because the score depends on it",
        ),
        (
            Some("perfect"),
            &[("bot", "Ann", program)][..],
            "bot played against exec:./play: only rounds against Spot On's computer opponents have a score",
        ),
        (Some("perfect"), &[("bot", "careful", "")][..], "bot played against careful, not perfect"),
        (
            None,
            &[("bot", "careful", ""), ("bot", "perfect", "")][..],
            "bot played against careful and perfect: score each opponent separately",
        ),
    ] {
        assert_eq!(met(against, of).unwrap_err().to_string(), why);
    }
    // The counts are separate for each seat.
    let sides = [("bot", "otto", ""), ("otto", "bot", ""), ("bot", "otto", "")];
    let played = Played::from_reviews("bot", None, rounds(&sides)).unwrap();
    assert_eq!(played.games.iter().map(|game| game.rounds.len()).collect::<Vec<_>>(), [2, 1]);
}
