//! Opponents.

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::progress;
use crate::screen::opponents::Opponents;

fn opponents(discovers: bool) -> Try {
    let mut at = Try::new();
    progress::discover(&at.app.world.folders, discovers).unwrap();
    at.open(|world| Box::new(Opponents::new(world).unwrap()));
    at
}

#[test]
fn every_opponent_with_its_odds() {
    let mut at = opponents(false);
    at.looks_like("opponents");
    for _ in 0..5 {
        at.press(KeyCode::Down);
    }
    at.sees("Sage's wins in 100 rounds against");
    let before = at.text();
    let games = spoton::format::catalog::ids().count();
    for game in 0..games {
        at.press(KeyCode::Right);
        at.sees("Sage's wins in 100 rounds against");
        assert_eq!(at.text() == before, game + 1 == games, "{}", at.text());
    }
    at.press(KeyCode::Left);
    at.press(KeyCode::End);
    at.sees("Perfect's wins in 100 rounds against");
}

#[test]
fn a_game_that_can_be_drawn_and_one_with_few_choices() {
    let mut at = opponents(false);
    at.press(KeyCode::PageDown);
    for (seen, picture) in [("and draws", "opponents-draws"), ("2 Momo", "opponents-alike")] {
        for _ in spoton::format::catalog::ids() {
            if !at.text().contains(seen) {
                at.press(KeyCode::Right);
            }
        }
        at.sees(seen);
        at.looks_like(picture);
        at.buffer((60, 18));
    }
}

#[test]
fn a_round_against_the_chosen_one() {
    let mut at = opponents(false);
    at.press(KeyCode::Down);
    at.enter();
    at.sees("Dash");
    at.sees("Your turn");
}

#[test]
fn in_discovery_mode_only_names_and_habits_are_shown() {
    let mut at = opponents(true);
    at.looks_like("opponents-discovery");
    assert!(!at.text().contains("100 rounds"), "{}", at.text());
}
