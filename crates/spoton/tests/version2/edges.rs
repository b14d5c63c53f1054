//! Small random books biased towards edge cases: rounds that end because a player is stuck, landing that
//! loses, one move from several entries, passes, shared uses, skips, closeness, turns, and moves on the
//! other's number.

use crate::random_books::Dice;
use crate::version2::books::{Amount, Book, Condition, Item, Kind, Listed, Version};

/// The book with this number.
pub fn edge_book(number: u64, version: Version) -> Book {
    let new = version == Version::Two;
    let mut dice = Dice::new(number.wrapping_mul(4).wrapping_add(u64::from(new)).wrapping_add(0xed6e));
    loop {
        let book = drawn(&mut dice, new);
        let mut names: Vec<String> = book.entries().iter().map(name).collect();
        names.sort();
        names.dedup();
        if names.len() == book.entries().len() && !names.is_empty() {
            return book;
        }
    }
}

/// The same, with only the number deciding.
pub fn plain_edge_book(number: u64, version: Version) -> Book {
    plain(edge_book(number, version))
}

/// A book without anything but the number to decide.
pub fn plain(mut book: Book) -> Book {
    book.separate = false;
    book.start.1 = book.start.0;
    book.no_repeat = "none";
    book.passes = None;
    book.turns = None;
    if book.stuck == "closest" {
        book.stuck = "skips";
    }
    for item in &mut book.items {
        item.on_other = false;
        item.uses = None;
    }
    let mut known = Vec::new();
    book.items.retain(|item| {
        let name = name(item);
        let is_new = !known.contains(&name);
        known.push(name);
        is_new
    });
    book
}

fn name(item: &Item) -> String {
    let mut when: Vec<String> = item.when.iter().map(ToString::to_string).collect();
    when.sort();
    format!("{}{:?}{}{when:?}", item.sign, item.amount, item.on_other)
}

fn drawn(dice: &mut Dice, new: bool) -> Book {
    let separate = dice.chance(40);
    let up = dice.chance(60);
    let width = if separate { dice.between(2, 7) } else { dice.between(3, 26) };
    let low = dice.pick(&[0, 0, 0, 1, 1, 2, -3, 10]);
    let high = low + width;
    let near = if up { low } else { high };
    let mut book = Book::new(near, vec![]);
    book.separate = separate;
    if separate && dice.chance(40) {
        book.start.1 = near + if up { 1 } else { -1 };
    }
    let has_target = dice.chance(85);
    let end = if up { high } else { low };
    book.target = has_target.then_some(end).filter(|end| *end != book.start.1);
    book.range = (book.target.is_none() || dice.chance(30))
        .then(|| (low - dice.between(0, 2), high + dice.between(0, 2)));
    book.reach = dice.pick(&["wins", "wins", "wins", "loses"]);
    book.past = dice.pick(&["loses", "loses", "forbidden", "wins"]);
    book.no_repeat = dice.pick(&["none", "none", "own", "opponent", "both"]);
    book.passes = dice.chance(30).then(|| dice.between(0, 2) as u8);
    book.stuck = dice.pick(&["loses", "wins", "draws", "skips", "skips"]);
    if new && separate && book.target.is_some() {
        if dice.chance(40) {
            book.stuck = "closest";
        }
        book.turns = dice.chance(30).then(|| dice.between(1, 3) as u8);
    }
    book.style = dice.below(1_000_000) as u64;
    lists(&mut book, (low - 2, high + 3), dice, new);
    let count = dice.between(1, 4);
    let mut limits = 2;
    for _ in 0..count {
        let mut item = item(up, dice, new);
        if new && dice.chance(35) {
            item.when = (0..dice.between(1, 2)).map(|_| condition(low, high, dice)).collect();
            item.when.sort();
            item.when.dedup();
        }
        // Often the same move again, with another condition or source.
        if new
            && dice.chance(35)
            && let Some(Item { sign, amount, on_other, .. }) = book.items.last().cloned()
        {
            item = Item { sign, on_other, ..item };
            if !item.is_computed() || dice.chance(30) {
                item.amount = amount;
            }
            if !matches!(item.sign, '+' | '-' | '/') && item.is_computed() {
                item.amount = Amount::Fixed(2);
            }
        } else if new && separate {
            item.on_other = dice.chance(30);
        }
        if item.sign == '/' && matches!(item.amount, Amount::Digit | Amount::Half)
            || item.sign == '+' && item.amount == Amount::Half
        {
            item.amount = Amount::Prime;
        }
        if !item.is_computed() {
            (item.from, item.to) = (None, None);
        }
        if limits > 0 && dice.chance(35) {
            item.uses = Some((dice.pick(&[1, 1, 2]), dice.chance(50)));
            limits -= 1;
        }
        book.items.push(item);
    }
    book
}

fn lists(book: &mut Book, (low, high): (i64, i64), dice: &mut Dice, new: bool) {
    let mut taken: Vec<i64> = book.target.into_iter().collect();
    let lists = [(); 3].map(|()| {
        let mut list = Vec::new();
        for _ in 0..if dice.chance(35) { dice.between(1, 2) } else { 0 } {
            let number = dice.between(low, high);
            let listed = match dice.below(10) {
                0 | 1 if new => Listed::Span(number, number + dice.between(1, 3)),
                2..=4 if new => Listed::Kind(kind(dice)),
                _ if taken.contains(&number) => continue,
                _ => {
                    taken.push(number);
                    Listed::Integer(number)
                }
            };
            if !list.contains(&listed) {
                list.push(listed);
            }
        }
        list
    });
    [book.winning, book.losing, book.forbidden] = lists;
}

fn kind(dice: &mut Dice) -> Kind {
    let of = dice.between(2, 7);
    dice.pick(&[Kind::Even, Kind::Odd, Kind::Prime, Kind::Square, Kind::Multiples(of)])
}

fn condition(low: i64, high: i64, dice: &mut Dice) -> Condition {
    let number = dice.between(low, high);
    match dice.below(6) {
        0 => Condition::Below(number + 1),
        1 => Condition::Above(number - 1),
        2 => Condition::Between(number, number + dice.between(0, 4)),
        _ => Condition::Kind(kind(dice)),
    }
}

fn item(up: bool, dice: &mut Dice, new: bool) -> Item {
    let sign = dice.pick(if up { b"+++xx-" } else { b"---//+" }) as char;
    if new && dice.chance(35) {
        let up = [('+', Amount::Divisor), ('+', Amount::Prime), ('+', Amount::Digit)];
        let down = [
            ('-', Amount::Divisor),
            ('-', Amount::Prime),
            ('-', Amount::Digit),
            ('-', Amount::Half),
            ('/', Amount::Divisor),
            ('/', Amount::Prime),
        ];
        let (sign, amount) = if "+x".contains(sign) { dice.pick(&up) } else { dice.pick(&down) };
        let from = dice.chance(20).then(|| dice.between(1, 3));
        let to = dice.chance(20).then(|| dice.between(3, 6));
        return Item { from, to, ..Item::new(sign, amount) };
    }
    // x1 and /1 are passes.
    let least = if "x/".contains(sign) && dice.chance(60) { 2 } else { 1 };
    Item::new(sign, Amount::Fixed(dice.between(least, 5)))
}
