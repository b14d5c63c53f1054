//! Thousands of small books on both sides of 0, where a computed amount lands exactly on 0, a division never reaches
//! it, and a multiplication turns around below it. Compares all of them with the oracle.

use crate::random_books::Dice;
use crate::version2::agreement::{agrees, agrees_by_every_strategy, built, with_book};
use crate::version2::books::{Amount, Book, Condition, Item, Kind, Listed};
use crate::version2::oracle::Graph;

/// Skips books with more positions.
const MOST: usize = 800;

/// The book with this number: it starts near 0, and leads below it or up to it.
pub fn book_around_zero(number: u64) -> Book {
    let mut dice = Dice::new(number.wrapping_add(0x2e60));
    loop {
        let book = drawn(&mut dice);
        if !book.items.is_empty() {
            return book;
        }
    }
}

fn drawn(dice: &mut Dice) -> Book {
    let separate = dice.chance(20);
    let width = if separate { 7 } else { 14 };
    let start = dice.between(-width / 2, width);
    let mut book = Book::new(start, vec![]);
    book.separate = separate;
    if separate && dice.chance(50) {
        book.start.1 = dice.between(start - 2, start + 2);
    }
    let (low, high) = (book.start.0.min(book.start.1), book.start.0.max(book.start.1));
    book.target = match dice.below(10) {
        0..=5 => Some(low - dice.between(1, width)),
        6..=8 => Some(high + dice.between(1, width)),
        _ => None,
    };
    let ends = [low, high].map(|end| book.target.unwrap_or(end));
    let (low, high) = (low.min(ends[0]), high.max(ends[1]));
    book.range = (book.target.is_none() || dice.chance(40))
        .then(|| (low - dice.between(0, 5), high + dice.between(0, 5)));
    book.reach = dice.pick(&["wins", "wins", "loses"]);
    book.past = dice.pick(&["loses", "forbidden", "wins"]);
    book.stuck = dice.pick(&["loses", "wins", "draws", "skips"]);
    book.no_repeat = dice.pick(&["none", "none", "none", "own", "opponent", "both"]);
    book.passes = dice.chance(20).then(|| dice.between(0, 2) as u8);
    book.style = dice.below(1_000_000) as u64;
    if dice.chance(30) {
        let number = dice.between(low, high);
        let listed = dice.pick(&[
            Listed::Integer(number),
            Listed::Span(number, number + 1),
            Listed::Kind(Kind::Square),
            Listed::Kind(Kind::Multiples(3)),
        ]);
        if listed != Listed::Integer(book.target.unwrap_or(i64::MAX)) {
            let lists = [&mut book.winning, &mut book.losing, &mut book.forbidden];
            let list = dice.below(3);
            for (_, given) in lists.into_iter().enumerate().filter(|(place, _)| *place == list) {
                given.push(listed);
            }
        }
    }
    let mut limits = 1;
    for _ in 0..dice.between(2, 4) {
        let mut item = item(dice);
        if dice.chance(50) {
            item.when = (0..dice.between(1, 2)).map(|_| condition(low, high, dice)).collect();
            item.when.sort();
            item.when.dedup();
        }
        item.on_other = separate && dice.chance(25);
        if limits > 0 && dice.chance(15) {
            item.uses = Some((dice.pick(&[1, 2]), dice.chance(50)));
            limits -= 1;
        }
        let is_known = |known: &Item| {
            (known.sign, known.amount, known.on_other) == (item.sign, item.amount, item.on_other)
                && known.when == item.when
        };
        if !book.items.iter().any(is_known) {
            book.items.push(item);
        }
    }
    book
}

fn condition(low: i64, high: i64, dice: &mut Dice) -> Condition {
    let number = dice.between(low, high);
    match dice.below(10) {
        0..=2 => Condition::Below(dice.pick(&[-2, -1, 0, 0, 1, 2])),
        3..=5 => Condition::Above(dice.pick(&[-2, -1, 0, 0, 1, 5])),
        6 => Condition::Between(low, number),
        7 => Condition::Between(number, number + dice.between(0, 4)),
        _ => Condition::Kind(dice.pick(&[Kind::Even, Kind::Odd, Kind::Prime, Kind::Multiples(3)])),
    }
}

fn item(dice: &mut Dice) -> Item {
    if dice.chance(45) {
        let (sign, amount) = dice.pick(&[
            ('-', Amount::Prime),
            ('-', Amount::Prime),
            ('-', Amount::Digit),
            ('-', Amount::Digit),
            ('-', Amount::Divisor),
            ('-', Amount::Half),
            ('/', Amount::Prime),
            ('/', Amount::Divisor),
            ('+', Amount::Digit),
            ('+', Amount::Prime),
        ]);
        let from = dice.chance(10).then(|| dice.between(1, 2));
        let to = dice.chance(10).then(|| dice.between(3, 6));
        return Item { from, to, ..Item::new(sign, amount) };
    }
    let fixed = [('/', 1), ('/', 2), ('/', 3), ('x', 1), ('x', 2), ('+', 1), ('+', 2), ('-', 1), ('-', 2)];
    let (sign, amount) = dice.pick(&fixed);
    Item::new(sign, Amount::Fixed(amount))
}

/// Compares the books with these numbers.
fn all_agree(numbers: std::ops::Range<u64>) {
    let (count, mut small, mut positions) = (numbers.end - numbers.start, 0, 0);
    for number in numbers {
        let book = book_around_zero(number);
        // The number decides which extra checks run, and each third book is checked from an unreachable position.
        let found = with_book(number, &book, agrees(number, &book, MOST));
        if let Some(found) = found {
            with_book(number, &book, agrees_by_every_strategy(&book, MOST));
            small += 1;
            positions += found;
        }
    }
    assert!(small * 10 >= count * 9, "only {small} of {count} books are small enough");
    assert!(positions as u64 >= 5 * count, "only {positions} positions in {count} books");
}

#[test]
fn books_around_zero_agree_1() {
    all_agree(0..3_000);
}

#[test]
fn books_around_zero_agree_2() {
    all_agree(3_000..6_000);
}

/// The books that were wrong: a computed amount lands on 0, and another entry would turn back below it.
#[test]
fn a_computed_amount_lands_on_zero_and_goes_no_further() {
    let below = |condition: Condition, sign, amount| Item {
        when: vec![condition],
        ..Item::new(sign, Amount::Fixed(amount))
    };
    let half = below(Condition::Below(0), '/', 2);
    let mut books = Vec::new();
    for amount in [Amount::Prime, Amount::Digit] {
        for turns_back in [half.clone(), below(Condition::Below(0), '+', 1)] {
            let book = Book::new(2, vec![Item::new('-', amount), turns_back]);
            books.push(Book { target: Some(-2), ..book.clone() });
            books.push(Book { range: Some((-3, 2)), ..book });
        }
        let above = Item { when: vec![Condition::Above(1)], ..Item::new('-', amount) };
        let stays = below(Condition::Below(-1), '/', 1);
        books.push(Book { target: Some(-6), ..Book::new(2, vec![above, stays]) });
    }
    for (number, book) in (0..).zip(&books) {
        with_book(number, book, agrees(0, book, MOST));
        with_book(number, book, agrees_by_every_strategy(book, MOST));
    }
}

/// Coverage check: the books have the intended features. Without it, the tests above could pass without testing them.
#[test]
fn books_around_zero_are_of_every_kind() {
    let (mut on_zero, mut below, mut one_way) = (0, 0, 0);
    for number in 0..3_000 {
        let book = book_around_zero(number);
        let Some(graph) = Graph::of_openings(&book, MOST) else { continue };
        let numbers = || graph.nodes.iter().flat_map(|node| node.spot.numbers);
        let computed = book.items.iter().any(Item::is_computed);
        on_zero += u32::from(computed && book.start.0 > 0 && numbers().any(|number| number == 0));
        below += u32::from(book.start.0 > 0 && numbers().any(|number| number < 0));
        let rulebook = with_book(number, &book, built(&book.text()));
        one_way += u32::from(rulebook.goes_one_way() && graph.nodes.len() > 4);
    }
    assert!(on_zero > 150 && below > 40 && one_way > 150, "{on_zero} {below} {one_way}");
}
