//! Home.

use ratatui::crossterm::event::KeyCode;

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, catalog};
use spoton::sitting::{Dice, Setup};

use super::Try;
use crate::game;
use crate::screen::seats;

#[test]
fn home_for_the_first_time() {
    Try::new().looks_like_when_large("home");
}

#[test]
fn help() {
    let mut at = Try::new();
    at.keys("?");
    at.looks_like_when_large("help");
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

/// What was settled for a round holds when it is taken up again.
#[test]
fn a_round_goes_on_under_the_same_terms() {
    let mut at = Try::new();
    at.open(|world| {
        let game = game::find(catalog::FIRST.as_ref(), &Changes::default()).unwrap();
        let mut setup = Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(7));
        setup.undo = false;
        setup.help.coach = true;
        Box::new(seats::sit_down(setup, world).unwrap())
    });
    at.keys("2");
    at.press(KeyCode::Esc);
    at.restart();
    at.press(KeyCode::Up);
    at.enter();
    at.sees("This turn matters. h helps (4 left).");
    at.keys("u");
    at.sees("Moves are not taken back in this round.");
}
