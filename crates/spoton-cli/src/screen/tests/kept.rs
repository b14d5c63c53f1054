//! Unfinished rounds: resuming and deleting them.

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::save::Save;
use crate::screen::home::play_now;

/// Starts a round and leaves it.
fn leave_a_round(at: &mut Try) {
    at.open(|world| Box::new(play_now(world).unwrap()));
    at.keys("1");
    at.press(KeyCode::Esc);
}

#[test]
fn several_rounds_are_listed_resumed_and_deleted() {
    let mut at = Try::new();
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    at.sees("Round saved.");
    // The cursor is on Continue.
    at.enter();
    at.sees("Moves: ");
    at.press(KeyCode::Esc);
    leave_a_round(&mut at);
    at.restart();
    at.sees("choose from 2 unfinished rounds");
    at.press(KeyCode::Up);
    at.enter();
    at.sees("Unfinished rounds");
    at.sees("Number Maze: you vs Pip, 3 moves");
    at.sees("2 rounds");
    at.press(KeyCode::Down);
    at.enter();
    at.sees("Moves: ");
    at.press(KeyCode::Esc);
    at.enter();
    at.sees("2 rounds");
    at.keys("d");
    at.sees("Press d again");
    at.press(KeyCode::Down);
    at.keys("d");
    at.sees("Press d again");
    at.keys("d");
    at.sees("Round deleted.");
    assert_eq!(Save::all(&at.app.world.folders.saves().unwrap()).unwrap().len(), 1);
    at.keys("dd");
    at.sees("Play now");
    assert!(!at.text().contains("Continue"));
}
