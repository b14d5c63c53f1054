//! Games with a known solution. They validate the oracle first.

use crate::version2::agreement::agrees;
use crate::version2::books::{Amount, Book, Item, Listed};
use crate::version2::oracle::{Graph, Worth};

/// Books with their openings' verdicts, in short.
fn known() -> Vec<(String, Book, &'static str)> {
    let mut games = Vec::new();
    let mut add = |name: String, book: Book, wins: bool| {
        games.push((name, book, if wins { "win" } else { "loss" }));
    };
    for start in 1..=60_i64 {
        let from =
            |sign, amount| Book { range: Some((0, 60)), ..Book::new(start, vec![Item::new(sign, amount)]) };
        // Subtracting a divisor from an even number can leave an odd one, which only leads to even ones.
        add(format!("-divisor from {start}"), from('-', Amount::Divisor), start % 2 == 0);
        // The last digit can be subtracted if it isn't 0.
        add(format!("-digit from {start}"), from('-', Amount::Digit), start % 10 != 0);
        // Leave one less than a power of 2.
        let lost = (start + 1).count_ones() == 1;
        add(format!("-1..half from {start}"), from('-', Amount::Half), !lost);
        // Every move removes one prime factor.
        let (mut primes, mut rest) = (0, start);
        for divisor in 2..=start {
            while rest % divisor == 0 {
                rest /= divisor;
                primes += 1;
            }
        }
        add(format!("/prime from {start}"), from('/', Amount::Prime), primes % 2 == 1);
        // One move can remove all prime factors but one, and a prime ends the round.
        add(format!("/divisor from {start}"), from('/', Amount::Divisor), primes > 1);
    }
    // Each number can be used once, and the target is one more than the largest. Whatever the first move, its
    // complement is available.
    for largest in 2..=9 {
        let span = Item { uses: Some((1, true)), ..Item::new('+', Amount::Span(1, largest)) };
        let book = Book { target: Some(largest + 1), past: "wins", ..Book::new(0, vec![span]) };
        add(format!("each of 1 to {largest} once"), book, false);
    }
    // All numbers must be used, so the last player is known.
    for largest in 2..=5 {
        let span = Item { uses: Some((1, true)), ..Item::new('+', Amount::Span(1, largest)) };
        let target = largest * (largest + 1) / 2;
        let book = Book { target: Some(target), ..Book::new(0, vec![span]) };
        add(format!("all of 1 to {largest}"), book, largest % 2 == 1);
    }
    games.extend(duels());
    games
}

/// Separate numbers: moves on the opponent's number, and closeness.
fn duels() -> Vec<(String, Book, &'static str)> {
    let one = Amount::Fixed(1);
    let strike = |sign| Item { on_other: true, ..Item::new(sign, one) };
    let duel = |items| Book { separate: true, target: Some(10), past: "forbidden", ..Book::new(8, items) };
    let ups = || vec![Item::new('+', one), Item::new('+', Amount::Fixed(2))];
    let mut games = Vec::new();
    let mut add = |name: &str, book: Book, worth: &'static str| games.push((name.to_owned(), book, worth));
    add(
        "it is the owner who wins",
        duel(vec![Item { on_other: true, ..Item::new('+', Amount::Fixed(2)) }]),
        "loss",
    );
    let loses =
        Book { reach: "loses", ..duel(vec![Item { on_other: true, ..Item::new('+', Amount::Fixed(2)) }]) };
    add("it is the owner who loses", loses, "win");
    let over = vec![Item { on_other: true, ..Item::new('+', Amount::Fixed(3)) }];
    add("past the target the owner loses", Book { past: "loses", ..duel(over.clone()) }, "win");
    add("past the target the owner wins", Book { past: "wins", ..duel(over.clone()) }, "loss");
    add("nobody may go past", Book { stuck: "draws", ..duel(over) }, "draw");
    let seven = Book { range: Some((0, 10)), ..duel(vec![strike('-')]) };
    add("a number that loses", Book { losing: vec![Listed::Integer(7)], ..seven.clone() }, "win");
    add("a number that wins", Book { winning: vec![Listed::Span(6, 7)], ..seven.clone() }, "loss");
    add("a number that nobody may go to", Book { forbidden: vec![Listed::Integer(7)], ..seven }, "loss");
    add(
        "as close as the other after a turn each",
        Book { turns: Some(1), ..duel(vec![Item::new('+', one)]) },
        "draw",
    );
    let ahead = Book { start: (8, 7), turns: Some(1), ..duel(vec![Item::new('+', one)]) };
    add("closer after a turn each", ahead.clone(), "win");
    add("whatever reaching means", Book { reach: "loses", ..ahead }, "win");
    add("the target comes first", Book { turns: Some(1), ..duel(ups()) }, "win");
    let last = Book { start: (7, 8), turns: Some(1), ..duel(ups()) };
    add("the target comes first on the last turn too", last, "loss");
    let stuck = Book { start: (7, 9), stuck: "closest", ..duel(vec![Item::new('+', Amount::Fixed(4))]) };
    add("neither has a move", stuck.clone(), "loss");
    add("neither has a move, as close", Book { start: (8, 8), ..stuck.clone() }, "draw");
    // From 3 there is one move, to 7, and the opponent can't move before or after it.
    add("the other skips", Book { start: (3, 7), ..stuck.clone() }, "draw");
    add("the other skips, and is closer", Book { start: (3, 8), ..stuck.clone() }, "loss");
    add("a skip comes first", Book { start: (8, 3), ..stuck }, "win");
    games
}

fn worth(book: &Book) -> &'static str {
    let graph = Graph::of_openings(book, 20_000).expect("the game is small enough");
    match graph.worth(0) {
        Worth::Win(_) => "win",
        Worth::Draw => "draw",
        Worth::Loss(_) => "loss",
    }
}

#[test]
fn the_oracle_knows_what_is_known() {
    for (name, book, expected) in known() {
        assert_eq!(worth(&book), expected, "{name}\n{}", book.text());
    }
}

#[test]
fn version_2_known_games_agree() {
    for (name, book, _) in known() {
        let checked = agrees(0, &book, 20_000);
        let positions = checked.unwrap_or_else(|why| panic!("{name}\n{}\n{why}", book.text()));
        assert!(positions.is_some(), "{name}");
    }
}
