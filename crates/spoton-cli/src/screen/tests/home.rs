//! Home.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, catalog};
use spoton::sitting::{Dice, Setup};

use super::Try;
use crate::game;
use crate::screen::app::Asks;
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

/// Idle, the program uses no processor time: wherever one goes from Home, soon nothing happens by itself any more. Only the
/// folder of one's own rules is looked at again, after a second.
#[test]
fn every_screen_comes_to_rest() {
    for place in 0.. {
        let mut at = Try::new();
        at.app.world.motion = true;
        for _ in 0..place {
            at.press(KeyCode::Down);
        }
        if at.press(KeyCode::Enter) == Asks::Quit {
            assert!(place >= 6, "the last item is not the last");
            return;
        }
        let rest = if at.text().contains("Your own rules") { Duration::from_secs(1) } else { Duration::MAX };
        let mut now = Duration::ZERO;
        let mut wakes = 0;
        while let Some(then) = at.app.wakes_at().filter(|then| then.saturating_sub(now) < rest) {
            now = now.max(then);
            at.app.wake(now);
            wakes += 1;
            assert!(wakes < 1000, "it never comes to rest:\n{}", at.text());
        }
    }
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
    at.sees("Taking back is off in this round.");
}

#[test]
fn discovery_is_turned_on_and_off_here_and_seen_on_the_board() {
    let mut at = Try::new();
    at.keys("d");
    at.sees("Discovery is on: nothing gives a secret away. d turns it off.");
    at.restart();
    at.sees("d end discovery");
    at.enter();
    at.sees("(discovery)");
    assert!(!at.text().contains("w why"), "{}", at.text());
    at.press(KeyCode::Esc);
    at.keys("d");
    at.sees("Discovery is off.");
    at.press(KeyCode::Down);
    assert!(!at.text().contains("Discovery is on"), "{}", at.text());
}
