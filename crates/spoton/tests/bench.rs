//! The fixed set of games never changes, and keeps what it promises.

use spoton::people::bench::Set;
use spoton::people::solved_game::SolvedGame;
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
