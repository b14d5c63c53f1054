//! Rounds and records: history, undo, the house rule, and text and JSON that replay forever.

mod golden;
mod history;
mod reading;
mod records;
mod replaying;
mod round_trips;
mod version2;

use spoton::engine::position::ByPlayer;
use spoton::records::{Circumstances, Record, read_all};

/// The context of a record: a shipped game between "Player 1" and "Player 2".
fn circumstances(rulebook: &str) -> Circumstances {
    Circumstances {
        rulebook: rulebook.to_owned(),
        own_file: false,
        variant: None,
        settings: vec![],
        players: ByPlayer(["Player 1".to_owned(), "Player 2".to_owned()]),
        computers: ByPlayer([None, None]),
        in_match: None,
    }
}

/// The only record in a text.
fn read_one(text: &str) -> Record {
    let mut records = read_all(text).unwrap_or_else(|bad| panic!("{bad}\n{text}"));
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}
