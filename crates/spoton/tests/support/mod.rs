//! Shared test helpers. Not every test uses all of them.
#![allow(dead_code)]

pub mod description;

use std::sync::Arc;

use proptest::test_runner::{Config, RngSeed};
use spoton::engine::play::{Move, Outcome, Situation};
use spoton::engine::position::{Choice, EntryIndex, Player, Position};
use spoton::engine::round::Round;
use spoton::format::{Draft, Problem, Rulebook};
use spoton::records::read_move;

/// A small climb that tests change key by key.
pub const PLAIN: &[(&str, &str)] =
    &[("title", "'Plain'"), ("start", "1"), ("target", "20"), ("moves", "['+1', 'x2']")];

/// The text of [`PLAIN`] with some keys replaced and others added.
pub fn plain_with(keys: &[(&str, &str)]) -> String {
    let given = |key| keys.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
    let known = PLAIN.iter().map(|(key, value)| (*key, given(*key).unwrap_or(*value)));
    let further = keys.iter().filter(|(key, _)| PLAIN.iter().all(|(known, _)| known != key)).copied();
    known.chain(further).map(|(key, value)| format!("{key} = {value}\n")).collect()
}

pub fn read(text: &str) -> Draft {
    Draft::read("book.toml", text)
}

/// Builds a rule book that must be valid.
pub fn book(text: &str) -> Arc<Rulebook> {
    finished(&read(text))
}

pub fn finished(draft: &Draft) -> Arc<Rulebook> {
    Arc::new(draft.build().unwrap_or_else(|problems| panic!("not a valid book: {problems:#?}")))
}

/// The problems of a text that must not be valid.
pub fn problems(text: &str) -> Vec<Problem> {
    problems_of(&read(text))
}

pub fn problems_of(draft: &Draft) -> Vec<Problem> {
    draft.build().expect_err("a book that is not valid").into()
}

/// Removes the marks `¶` from a text. Returns their lines and columns.
pub fn marked(text: &str) -> (String, Vec<(usize, usize)>) {
    let mut places = Vec::new();
    let (mut line, mut column) = (1, 1);
    for c in text.chars() {
        match c {
            '¶' => places.push((line, column)),
            '\n' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
    }
    (text.replace('¶', ""), places)
}

/// The choice with this notation.
pub fn choice(book: &Rulebook, operation: &str) -> Choice {
    let found = operation.parse().ok().and_then(|operation| book.choice(operation));
    found.unwrap_or_else(|| panic!("{operation} is not one of the moves"))
}

/// The index of the entry with this operation.
pub fn entry(book: &Rulebook, operation: &str) -> EntryIndex {
    let found = book.entries().find(|(_, entry)| entry.to_string() == operation);
    found.unwrap_or_else(|| panic!("{operation} is not one of the entries")).0
}

/// The legal moves in rule book notation, in order: `+1 x2`.
pub fn legal(book: &Rulebook, position: &Position) -> String {
    let legal: Vec<String> =
        book.legal(position).iter().map(|choice| book.write(Move::Operation(choice))).collect();
    legal.join(" ")
}

/// Plays moves in record notation.
pub fn play(round: &mut Round, moves: &str) {
    for written in moves.split_whitespace() {
        let a_move = read_move(written, round)
            .unwrap_or_else(|why| panic!("{written} at {}: {why}", round.position().number()));
        round.play(a_move).unwrap_or_else(|why| panic!("{written}: {why:?}"));
    }
}

/// A round of a book that Player 1 starts, after some moves.
pub fn played(book: &Arc<Rulebook>, moves: &str) -> Round {
    played_from(book, Player::One, moves)
}

pub fn played_from(book: &Arc<Rulebook>, first: Player, moves: &str) -> Round {
    let mut round = Round::new(Arc::clone(book), first);
    play(&mut round, moves);
    round
}

/// The legal move at an index, modulo the number of legal moves; a skip if nothing else is legal; `None` after the end.
pub fn any_move(round: &Round, index: usize) -> Option<Move> {
    match round.situation() {
        Situation::Choose(legal) => legal.get(index % legal.len()).map(Move::Operation),
        Situation::Skip => Some(Move::Skip),
        Situation::Over(_) => None,
    }
}

/// How a round ended, in short: `1 reached`, `2 stuck`, `draw repetition`, `open`.
pub fn ended(round: &Round) -> String {
    round.outcome().map_or("open".to_owned(), in_short)
}

pub fn in_short(outcome: Outcome) -> String {
    let who = outcome.winner.map_or("draw".to_owned(), |winner| winner.number().to_string());
    format!("{who} {}", outcome.ending.word())
}

/// Configures this number of cases, deterministic by default. `PROPTEST_CASES` and `PROPTEST_RNG_SEED` change that.
pub fn cases(cases: u32) -> Config {
    let usual = Config::default();
    let asked_for = std::env::var_os("PROPTEST_CASES").is_some();
    let rng_seed = match usual.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0x5907_0417),
        chosen => chosen,
    };
    Config {
        cases: if asked_for { usual.cases } else { cases },
        rng_seed,
        failure_persistence: None,
        ..usual
    }
}
