//! The map.

use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use spoton::format::{Draft, Rulebook, catalog};

use super::Try;
use crate::progress;
use crate::screen::map::MapView;

const DOUBLING: &str = "title = 'Doubling'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']";
pub const RACE: &str = "title = 'Race'\nstart = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'";
pub const OWN_NUMBERS: &str =
    "title = 'Side by Side'\nnumbers = 'separate'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']";
const NO_COPYING: &str = "title = 'Do Not Copy'\nnumbers = 'separate'\nstart = 1\ntarget = 60\n\
                          moves = ['+1', '+3', 'x2']\nno_repeat = 'opponent'";
const NEVER_TWICE: &str =
    "title = 'Never Twice'\nstart = 1\ntarget = 23\nmoves = ['+1', 'x2']\nno_repeat = 'own'";
const COUNTDOWN: &str = "title = 'Countdown'\nstart = 21\ntarget = 0\nmoves = ['-1..3']\npast = 'forbidden'";

pub fn rulebook(text: &str) -> Arc<Rulebook> {
    Arc::new(Draft::read("test", text).build().unwrap())
}

fn map_of(rulebook: Arc<Rulebook>) -> Try {
    let mut at = Try::new();
    at.open(|world| Box::new(MapView::new(rulebook, world).unwrap()));
    at
}

#[test]
fn every_number_at_a_glance() {
    let mut at = map_of(rulebook(DOUBLING));
    at.looks_like("map");
    at.press(KeyCode::Down);
    at.press(KeyCode::Right);
    at.sees("12: stepping stone");
    for _ in 0..30 {
        at.press(KeyCode::Right);
    }
    at.sees("19: if it's your turn here, you can force a win, in 1 move.");
    at.press(KeyCode::Esc);
    at.sees("Play now");
}

#[test]
fn a_long_map_scrolls() {
    let mut at = map_of(rulebook(&DOUBLING.replace("20", "100000")));
    at.looks_like_when_large("map-long");
    at.press(KeyCode::End);
    at.sees("99999: if it's your turn");
    at.press(KeyCode::PageUp);
    at.press(KeyCode::Up);
    at.press(KeyCode::Home);
    at.sees("1: ");
}

#[test]
fn maps_of_games_with_more_than_one_number() {
    map_of(rulebook(NEVER_TWICE)).looks_like("map-depends");
    map_of(rulebook(OWN_NUMBERS)).looks_like("map-distances");
    let mut at = map_of(rulebook(NO_COPYING));
    at.looks_like_when_large("map-square");
    for _ in 0..200 {
        at.press(KeyCode::Right);
        at.press(KeyCode::Down);
    }
    at.buffer((60, 18));
}

#[test]
fn a_game_that_is_too_large_is_reported() {
    let large = DOUBLING.replace("20", "1000000000000");
    let mut at = map_of(rulebook(&format!("{large}\npasses = 1")));
    at.sees("No map: ");
    for key in [KeyCode::Down, KeyCode::End, KeyCode::Char('u'), KeyCode::PageDown] {
        at.press(key);
    }
}

/// The map shows a huge range as stretches (runs of numbers).
#[test]
fn numbers_without_end() {
    let mut at = map_of(rulebook(&DOUBLING.replace("20", "1000000000000000000")));
    at.sees("2: to 3814697265625  +o");
    // The legend has the same letters.
    at.sees("o  stepping stone");
    at.press(KeyCode::Down);
    at.sees("every even number from 2 to 3,814,697,265,624 +, every odd number from 3 to");
    at.press(KeyCode::End);
    at.sees("number from 500,000,000,000,000,002 to");
    at.buffer((60, 18));
}

/// The map lists sparse numbers one by one.
#[test]
fn a_few_numbers_far_apart() {
    let text =
        "title = 'Far Apart'\nstart = 1\ntarget = 1000000000\nmoves = ['x7', 'x30']\nno_repeat = 'own'";
    let mut at = map_of(rulebook(text));
    at.looks_like("map-far-apart");
    at.press(KeyCode::End);
    at.press(KeyCode::Down);
    at.text();
}

#[test]
fn under_discovery_it_is_uncovered_from_the_target_backwards() {
    let mut at = Try::new();
    progress::discover(&at.app.world.folders, true).unwrap();
    let race = || rulebook(RACE);
    at.open(|world| Box::new(MapView::new(race(), world).unwrap()));
    at.looks_like("map-covered");
    at.sees("22 is covered");
    assert!(!at.text().contains("▴"), "{}", at.text());
    at.keys("uuuuu");
    at.looks_like("map-uncovering");
    at.sees("18: stepping stone");
    // The screen and the map command store progress under the same name.
    let name = format!("uncovered {}", race().fingerprint());
    assert_eq!(at.app.world.remembered(&name).as_deref(), Some("5"));
    at.restart();
    at.open(|world| Box::new(MapView::new(race(), world).unwrap()));
    at.sees("17 is covered");
    at.keys(&"u".repeat(40));
    at.sees("0: if it's your turn");
    assert!(!at.text().contains("u uncover"), "{}", at.text());
    assert_eq!(at.app.world.remembered(&name).as_deref(), Some("23"));
    // In a countdown, uncovering also starts at the target.
    at.open(|world| Box::new(MapView::new(rulebook(COUNTDOWN), world).unwrap()));
    at.keys("uuuu");
    at.sees("4: stepping stone");
    at.open(|world| Box::new(MapView::new(rulebook(OWN_NUMBERS), world).unwrap()));
    at.sees("you can't uncover this map");
}

/// A covered map ends at the last number.
#[test]
fn a_covered_map_ends_where_the_game_begins() {
    let mut at = Try::new();
    at.keys("d");
    let take_away = Arc::new(catalog::draft("take-away").unwrap().build().unwrap());
    at.open(|world| Box::new(MapView::new(take_away, world).unwrap()));
    at.sees(" 21 ?");
    at.sees_not(" 22 ?");
}
