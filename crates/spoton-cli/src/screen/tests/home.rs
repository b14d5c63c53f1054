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

/// When idle, the program uses no processor time: the wake-ups soon stop on every screen except Your own rules, which
/// checks its folder every second.
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
    at.sees("Moves: ");
    let text = at.text();
    let moves = text.lines().find_map(|line| line.trim().strip_prefix("Moves: ")).unwrap().split(' ').count();
    assert!(moves >= 2, "{text}");
}

#[test]
fn an_unfinished_round_can_be_resumed() {
    let mut at = Try::new();
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    at.sees("Round saved. Choose Continue to resume.");
    at.sees("Continue");
    at.restart();
    at.press(KeyCode::Up);
    at.enter();
    at.sees("Moves: ");
}

/// A resumed round keeps its options.
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
    at.sees("This turn matters. Press h for help (4 left).");
    at.keys("u");
    at.sees("Undo is off in this round.");
}

#[test]
fn discovery_is_turned_on_and_off_here_and_seen_on_the_board() {
    let mut at = Try::new();
    at.keys("d");
    at.sees("Discovery mode: no hints or answers. d turns it off.");
    at.restart();
    at.sees("d end discovery");
    at.enter();
    at.sees("(discovery)");
    assert!(!at.text().contains("w why"), "{}", at.text());
    at.press(KeyCode::Esc);
    at.keys("d");
    at.sees("Discovery mode is off.");
    at.press(KeyCode::Down);
    assert!(!at.text().contains("Discovery mode:"), "{}", at.text());
}
