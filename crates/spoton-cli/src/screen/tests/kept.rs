//! Rounds that were left, and going on with them.

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::save::Save;
use crate::screen::home::play_now;

/// A round that was begun and left.
fn leave_a_round(at: &mut Try) {
    at.open(|world| Box::new(play_now(world).unwrap()));
    at.keys("1");
    at.press(KeyCode::Esc);
}

#[test]
fn several_rounds_are_listed_taken_up_and_deleted() {
    let mut at = Try::new();
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    at.sees("Your round is kept");
    // The cursor stands on Go on.
    at.enter();
    at.sees("So far: ");
    at.press(KeyCode::Esc);
    leave_a_round(&mut at);
    at.restart();
    at.sees("with one of the 2 rounds that you left");
    at.press(KeyCode::Up);
    at.enter();
    at.sees("Rounds that you left");
    at.sees("Number Maze: Player 1 and Pip, 3 moves");
    at.sees("2 rounds");
    at.press(KeyCode::Down);
    at.enter();
    at.sees("So far: ");
    at.press(KeyCode::Esc);
    at.enter();
    at.sees("2 rounds");
    at.keys("d");
    at.sees("Press d again");
    at.press(KeyCode::Down);
    at.keys("d");
    at.sees("Press d again");
    at.keys("d");
    at.sees("The round is deleted.");
    assert_eq!(Save::all(&at.app.world.folders.saves().unwrap()).unwrap().len(), 1);
    at.keys("dd");
    at.sees("Play now");
    assert!(!at.text().contains("Go on"));
}
