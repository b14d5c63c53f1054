//! Home.

use ratatui::crossterm::event::KeyCode;

use super::Try;

#[test]
fn home_for_the_first_time() {
    Try::new().looks_like("home");
}

#[test]
fn help() {
    let mut at = Try::new();
    at.keys("?");
    at.looks_like("help");
}

/// Two keys to the first move: one to start, one to choose.
#[test]
fn a_round_is_two_keys_away() {
    let mut at = Try::new();
    at.enter();
    at.sees("Number Maze");
    at.sees("Your turn");
    at.keys("1");
    at.sees("So far: ");
    let text = at.text();
    let moves =
        text.lines().find_map(|line| line.trim().strip_prefix("So far: ")).unwrap().split(' ').count();
    assert!(moves >= 2, "{text}");
}

#[test]
fn a_round_that_was_left_can_be_taken_up_again() {
    let mut at = Try::new();
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    at.sees("Your round is kept");
    at.sees("Go on");
    at.restart();
    at.press(KeyCode::Up);
    at.enter();
    at.sees("So far: ");
}
