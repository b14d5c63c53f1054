//! Positions as short text: writing them, parsing them back, and refusing them with the name of the wrong field.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use spoton::engine::play::{Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::engine::position_text::Field;
use spoton::format::{Rulebook, catalog};
use spoton::solver::{Budget, Solver};

use crate::random_books::random_book;
use crate::support::description::descriptions;
use crate::support::{book, cases, finished, plain_with, played, read};

/// The first reachable positions, at most `most`.
fn reachable(book: &Rulebook, most: usize) -> Vec<Position> {
    let mut found: Vec<Position> = Player::BOTH.map(|player| book.opening(player)).to_vec();
    let mut known: HashSet<Position> = found.iter().copied().collect();
    let mut next = 0;
    while next < found.len() && found.len() < most {
        let position = found[next];
        next += 1;
        for a_move in book.situation(&position).moves() {
            if let Ok(Step::On(after)) = book.play(&position, a_move)
                && known.insert(after)
            {
                found.push(after);
            }
        }
    }
    found
}

/// Writes and parses every position, and checks that all texts differ. Returns the number of positions.
fn round_trips(book: &Rulebook, most: usize) -> usize {
    let positions = reachable(book, most);
    let mut texts = HashSet::new();
    for position in &positions {
        let text = book.position_text(position);
        let again =
            book.read_position(&text).unwrap_or_else(|bad| panic!("{text}: {bad}\n{}", book.rules_line()));
        assert_eq!(again, *position, "{text}\n{}", book.rules_line());
        assert!(!text.ends_with(';'), "{text}");
        assert!(texts.insert(text), "two positions have one text\n{}", book.rules_line());
    }
    positions.len()
}

#[test]
fn every_position_of_every_shipped_game_comes_back() {
    for id in catalog::ids() {
        let draft = catalog::draft(id).expect("the game is shipped");
        round_trips(&finished(&draft), 20_000);
        for variant in draft.variants() {
            round_trips(&finished(&draft.clone().variant(variant).expect("the variant exists")), 20_000);
        }
    }
}

#[test]
fn positions_of_random_books_come_back() {
    let mut positions = 0;
    for number in 0..400 {
        let random = random_book(number);
        let mut draft = read(&random.text);
        if let Some(variant) = random.variant {
            draft = draft.variant(variant).expect("the variant exists");
        }
        let draft = random.settings.iter().fold(draft, |draft, setting| draft.set("--set", setting));
        if let Ok(book) = draft.build() {
            positions += round_trips(&book, 500);
        }
    }
    assert!(positions > 20_000, "{positions}");
}

fn duel() -> Arc<Rulebook> {
    book(&plain_with(&[
        ("numbers", "'separate'"),
        ("no_repeat", "'opponent'"),
        ("moves", "['+1', { op = 'x2', uses = 3 }]"),
    ]))
}

fn everything_is_limited() -> Arc<Rulebook> {
    book(&plain_with(&[
        ("range", "[-5, 30]"),
        ("no_repeat", "'both'"),
        ("passes", "2"),
        ("moves", "['+1', { op = 'x2', uses = 3 }, 'x1', { op = '-1', uses = 4, pool = 'shared' }]"),
    ]))
}

#[test]
fn the_texts_are_as_they_are_documented() {
    let plain = book(&plain_with(&[]));
    assert_eq!(plain.position_text(&plain.opening(Player::One)), "1;1");
    assert_eq!(plain.position_text(played(&plain, "+1 +1 +1 x2 +1 +1").position()), "10;1");
    let duel = duel();
    assert_eq!(duel.position_text(&duel.opening(Player::Two)), "1,1;2;-,-;0/0");
    assert_eq!(duel.position_text(played(&duel, "+1 x2 +1 x2").position()), "3,4;1;-,x2;0/2");
    let example = duel.read_position("3,5;2;+1,-;1/0").expect("the example from the format page is valid");
    assert_eq!(example.turn(), Player::Two);
    assert_eq!(Player::BOTH.map(|player| example.number_of(player)), [3, 5]);
    let limited = everything_is_limited();
    assert_eq!(limited.position_text(played(&limited, "+1 x2 -1 x1").position()), "3;1;-1,x1;0/1,1;0,1");
    let shared = book(&plain_with(&[("moves", "['+1', { op = '+2', uses = 9, pool = 'shared' }]")]));
    let position = *played(&shared, "+2 +1").position();
    assert_eq!(shared.position_text(&position), "4;1;;1");
    assert_eq!(shared.read_position("4;1;;1"), Ok(position), "a shared pool counts for both");
    let passes = book(&plain_with(&[("moves", "['+1', 'x1']"), ("passes", "1")]));
    assert_eq!(passes.position_text(played(&passes, "x1").position()), "1;2;;;1,0");
}

#[test]
fn every_field_that_is_wrong_is_named() {
    let (plain, duel, limited) = (book(&plain_with(&[])), duel(), everything_is_limited());
    let countdown =
        book(&plain_with(&[("start", "9"), ("target", "2"), ("moves", "['-1']"), ("range", "[0, 12]")]));
    let cases: &[(&Rulebook, &str, Field, &str)] = &[
        (&plain, "", Field::Numbers, ""),
        (&plain, "0;1", Field::Numbers, "0"),
        (&plain, "20;1", Field::Numbers, "20"),
        (&plain, "21;1", Field::Numbers, "21"),
        (&plain, "01;1", Field::Numbers, "01"),
        (&plain, "+1;1", Field::Numbers, "+1"),
        (&plain, " 1;1", Field::Numbers, " 1"),
        (&plain, "1,1;1", Field::Numbers, "1,1"),
        (&plain, "ten;1", Field::Numbers, "ten"),
        (&plain, "99999999999999999999;1", Field::Numbers, "99999999999999999999"),
        (&plain, "1", Field::Turn, ""),
        (&plain, "1;", Field::Turn, ""),
        (&plain, "1;0", Field::Turn, "0"),
        (&plain, "1;3", Field::Turn, "3"),
        (&plain, "1;1 ", Field::Turn, "1 "),
        (&plain, "1;1;-,-", Field::Previous, "-,-"),
        (&plain, "1;1;;0/0", Field::Uses, "0/0"),
        (&plain, "1;1;;;0,0", Field::Passes, "0,0"),
        (&plain, "1;1;;;;4", Field::Plies, "4"),
        (&plain, "1;1;;;;;", Field::Plies, ";"),
        (&plain, "1;1;", Field::Previous, ";"),
        (&plain, "1;1;;;;", Field::Previous, ";;;;"),
        (&countdown, "2;1", Field::Numbers, "2"),
        (&countdown, "1;1", Field::Numbers, "1"),
        (&countdown, "13;1", Field::Numbers, "13"),
        (&duel, "1;1;-,-;0/0", Field::Numbers, "1"),
        (&duel, "1,20;1;-,-;0/0", Field::Numbers, "1,20"),
        (&duel, "1,1,1;1;-,-;0/0", Field::Numbers, "1,1,1"),
        (&duel, "1,1;1", Field::Previous, ""),
        (&duel, "1,1;1;;0/0", Field::Previous, ""),
        (&duel, "1,1;1;-;0/0", Field::Previous, "-"),
        (&duel, "1,1;1;-,+2;0/0", Field::Previous, "-,+2"),
        (&duel, "1,1;1;-,skip;0/0", Field::Previous, "-,skip"),
        (&duel, "1,1;1;-,-,-;0/0", Field::Previous, "-,-,-"),
        (&duel, "1,1;1;+1,-;0/0", Field::Previous, "+1,-"),
        (&duel, "1,1;1;-,+1", Field::Uses, ""),
        (&duel, "1,1;1;-,+1;0", Field::Uses, "0"),
        (&duel, "1,1;1;-,+1;0/4", Field::Uses, "0/4"),
        (&duel, "1,1;1;-,+1;-1/0", Field::Uses, "-1/0"),
        (&duel, "1,1;1;-,+1;0/0,0/0", Field::Uses, "0/0,0/0"),
        (&duel, "1,1;1;-,+1;0/0;", Field::Passes, ";"),
        (&limited, "1;1;-,-;0/0,0/0;0,0", Field::Uses, "0/0,0/0"),
        (&limited, "1;1;-,-;0/0,5;0,0", Field::Uses, "0/0,5"),
        (&limited, "1;1;-,-;0/0,256;0,0", Field::Uses, "0/0,256"),
        (&limited, "1;1;-,-;0/0,0", Field::Passes, ""),
        (&limited, "1;1;-,-;0/0,0;0", Field::Passes, "0"),
        (&limited, "1;1;-,-;0/0,0;0,3", Field::Passes, "0,3"),
        (&limited, "1;1;-,-;0/0,0;-,-", Field::Passes, "-,-"),
        (&limited, "1;1;-,-;0/0,0;0,0;7", Field::Plies, "7"),
    ];
    for (book, text, field, given) in cases {
        let bad = book.read_position(text).expect_err(text);
        assert_eq!((bad.field, bad.given.as_str()), (*field, *given), "{text}: {bad}");
        assert!(bad.to_string().starts_with(&format!("`{}` takes ", field.name())), "{bad}");
        assert!(bad.to_string().contains(&bad.allowed), "{bad}");
    }
}

#[test]
fn an_error_says_what_is_allowed() {
    let told = |book: &Rulebook, text| book.read_position(text).expect_err(text).to_string();
    let (duel, limited) = (duel(), everything_is_limited());
    assert_eq!(told(&limited, "20;1"), "`numbers` takes a whole number from -5 to 19, not \"20\"");
    assert_eq!(told(&limited, "2"), "`turn` takes 1 or 2, but it's empty");
    assert_eq!(
        told(&limited, "2;2;*,-"),
        "`previous` takes two of +1, x2, x1, -1 or - for none, separated by a comma, Player 1 first, not \"*,-\""
    );
    assert_eq!(
        told(&duel, "2,2;2;-,+1;0/0"),
        "`previous` takes two of +1, x2 or - for none, separated by a comma, Player 1 first; \
         for Player 2, whose turn it is, always -, not \"-,+1\""
    );
    assert_eq!(
        told(&limited, "2;2;-,-;9"),
        "`uses` takes the uses of each limited move, separated by commas: x2 from 0/0 to 3/3, -1 from 0 to 4, not \"9\""
    );
    assert_eq!(
        told(&limited, "2;2;-,-;0/0,0;9"),
        "`passes` takes two whole numbers from 0 to 2 separated by a comma, Player 1 first, not \"9\""
    );
    assert_eq!(told(&limited, "2;2;-,-;0/0,0;0,0;0"), "`plies` takes nothing in this game, not \"0\"");
    let control = told(&limited, "\u{1b}[31m;1");
    assert!(!control.contains('\u{1b}'), "{control}");
}

#[test]
fn unreachable_positions_can_be_read_and_solved() {
    // Doubling never reaches 3, and 5 is a winning number.
    let book = book(&plain_with(&[("moves", "['x2', 'x4']"), ("target", "24"), ("winning", "[5]")]));
    for text in ["3;1", "5;2"] {
        let position = book.read_position(text).expect(text);
        let solver = Solver::from_positions(
            Arc::clone(&book),
            [position],
            HashSet::new(),
            &mut Budget::patient(1 << 20),
        );
        assert!(solver.expect("the game is small enough").verdict(&position).is_some(), "{text}");
    }
    let opening =
        Solver::new(Arc::clone(&book), &mut Budget::patient(1 << 20)).expect("the game is small enough");
    let below = book.read_position("1;1").expect("the opening");
    assert!(opening.verdict(&below).is_some());
}

/// The text of a random position within the book's bounds.
fn any_position(book: &Rulebook, picks: &[u64]) -> String {
    let mut picks = picks.iter().cycle();
    let mut below = |bound: u64| picks.next().copied().unwrap_or_default() % bound.max(1);
    let positions = reachable(book, 50);
    let mut parts = || book.position_text(&positions[below(positions.len() as u64) as usize]);
    let texts = [parts(), parts(), parts(), parts(), parts()];
    // Takes each field from another position.
    let fields = texts.iter().enumerate().map(|(index, text)| text.split(';').nth(index).unwrap_or_default());
    let mut fields: Vec<String> = fields.map(str::to_owned).collect();
    let near = |number: &str, by: u64| {
        number.parse::<i64>().map_or(number.to_owned(), |n| (n + by as i64 - 8).to_string())
    };
    let numbers: Vec<String> = fields[0].split(',').map(|number| near(number, below(17))).collect();
    fields[0] = numbers.join(",");
    fields.join(";").trim_end_matches(';').to_owned()
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn whatever_is_read_is_written_back(text in "[-+x/0-9,;]{0,24}") {
        let books = [book(&plain_with(&[])), duel(), everything_is_limited()];
        let index = text.len() % books.len();
        if let Ok(position) = books[index].read_position(&text) {
            prop_assert_eq!(books[index].position_text(&position), text);
        }
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), description in descriptions()) {
        let book = book(&description.text());
        if let Ok(position) = book.read_position(&text) {
            prop_assert_eq!(book.position_text(&position), text);
        }
    }

    #[test]
    fn a_changed_text_is_refused_or_another_position(
        description in descriptions(),
        picks in vec(any::<u64>(), 1..8),
        put in select(vec!["", ";", ",", "/", "-", "0", "1", "9", "+1", " ", "\u{e9}"]),
        at in any::<prop::sample::Index>(),
    ) {
        let book = book(&description.text());
        let positions = reachable(&book, 60);
        let position = positions[picks[0] as usize % positions.len()];
        let text = book.position_text(&position);
        let at = at.index(text.len() + 1);
        let changed = format!("{}{put}{}", &text[..at], &text[(at + 1).min(text.len())..]);
        if let Ok(read) = book.read_position(&changed) {
            prop_assert_eq!(book.position_text(&read), changed);
        }
    }

    /// A solver that doesn't cover a position returns `None`. If it answers, solving from that position gives
    /// the same.
    #[test]
    fn solved_from_anywhere(description in descriptions(), picks in vec(any::<u64>(), 1..12)) {
        let book = book(&description.text());
        let text = any_position(&book, &picks);
        let Ok(position) = book.read_position(&text) else { return Ok(()) };
        prop_assert_eq!(&book.position_text(&position), &text);
        let mut budget = Budget::patient(1 << 22);
        let Ok(there) = Solver::from_positions(Arc::clone(&book), [position], HashSet::new(), &mut budget) else {
            return Ok(());
        };
        let verdict = there.verdict(&position);
        prop_assert!(verdict.is_some());
        let over = matches!(book.situation(&position), Situation::Over(_));
        prop_assert_eq!(over, there.moves(&position).is_empty());
        if let Ok(opening) = Solver::new(Arc::clone(&book), &mut Budget::patient(1 << 22)) {
            let known = opening.verdict(&position);
            prop_assert!(known.is_none() || known == verdict, "{}: {:?} {:?}", text, known, verdict);
        }
    }
}
