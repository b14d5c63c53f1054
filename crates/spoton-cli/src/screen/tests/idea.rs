//! Test my idea.

use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;

use super::Try;
use super::map::{OWN_NUMBERS, RACE, rulebook};
use crate::save::Save;
use crate::screen::idea::IdeaTest;

fn ideas_about(game: &str) -> Try {
    let mut at = Try::new();
    let rulebook = rulebook(game);
    at.open(|_| Box::new(IdeaTest::new(Arc::clone(&rulebook))));
    at
}

#[test]
fn ideas_are_tested_in_words() {
    let mut at = ideas_about(RACE);
    at.looks_like("idea");
    for idea in ["leave 3 9", "what?", "leave 13 18", "leave every 5 from 3"] {
        at.keys(idea);
        at.enter();
    }
    at.keys("leave b");
    at.looks_like_when_large("idea-tested");
    at.sees("True! Go first");
    at.sees("2 more numbers to leave");
    for _ in 0..10 {
        at.press(KeyCode::Down);
    }
    at.sees("play from 9");
    for idea in 0..150 {
        at.keys(&format!("{}{idea}", " ".repeat(300)));
        at.enter();
        at.keys(&format!("leave {idea}"));
        at.enter();
    }
    at.press(KeyCode::PageDown);
    at.text();
    at.press(KeyCode::Esc);
    at.sees("Play now");
}

/// A failed idea is played out, and the round below it survives.
#[test]
fn a_false_idea_is_played_out_to_its_end() {
    let mut at = Try::new();
    at.enter();
    at.keys("1i");
    at.keys("leave 9");
    at.enter();
    at.sees("Not true: if you leave 9");
    let saves = at.app.world.folders.saves().unwrap();
    let kept = std::fs::read_to_string(Save::latest(&saves).unwrap()).unwrap();
    at.press(KeyCode::Tab);
    at.looks_like("idea-played-out");
    at.sees("Your turn");
    for _ in 0..20 {
        if at.text().contains("play again") {
            break;
        }
        at.keys("1");
    }
    at.looks_like("idea-lost");
    at.sees("Perfect");
    at.enter();
    at.sees("Your turn");
    at.keys("1");
    at.press(KeyCode::Esc);
    at.sees("leave 9");
    // The side round was neither recorded nor saved.
    let saves = at.app.world.folders.saves().unwrap();
    assert_eq!(std::fs::read_to_string(Save::latest(&saves).unwrap()).unwrap(), kept);
    let rounds = std::fs::read_to_string(at.app.world.folders.rounds().unwrap());
    assert_eq!(rounds.unwrap_or_default(), "");
    at.press(KeyCode::Esc);
    at.sees("Moves: ");
    at.press(KeyCode::Esc);
    at.sees("Round saved.");
    assert!(Save::latest(&at.app.world.folders.saves().unwrap()).is_ok());
}

#[test]
fn the_screen_explains_that_the_number_alone_does_not_decide() {
    let mut at = ideas_about(OWN_NUMBERS);
    at.looks_like("idea-not-here");
    at.keys("leave 5");
    at.enter();
    at.sees("the number alone doesn't decide who wins: each player has a number");
}
