//! The board.

use ratatui::crossterm::event::KeyCode;

use super::Try;

#[test]
fn a_round_under_way() {
    let mut at = Try::new();
    at.enter();
    at.keys("2");
    at.looks_like("board");
    at.keys("hh");
    at.looks_like("board-hints");
    at.keys("w");
    at.looks_like("board-why");
}

#[test]
fn the_end_of_a_round() {
    let mut at = Try::new();
    at.enter();
    at.keys("gg");
    at.looks_like("board-given-up");
    at.enter();
    at.sees("Your turn");
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut at = Try::new();
    let text = super::text(&at.buffer((40, 10)));
    assert!(text.contains("60 x 20") && text.contains("40 x 10"), "{text}");
    for (width, height) in [(1, 1), (2, 1), (1, 30), (300, 1), (60, 20), (500, 200)] {
        at.buffer((width, height));
        at.press(KeyCode::Enter);
    }
}
