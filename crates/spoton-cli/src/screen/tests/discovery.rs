//! With discovery on, no screen that can be reached from Home shows who wins, or which numbers matter.

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::progress;
use crate::screen::app::Asks;

/// Claims, values, hints, turning points and the numbers to leave.
const SPOILERS: [&str; 10] = [
    "first-wins",
    "second-wins",
    "force a win",
    "can win:",
    "keeps your win",
    "ound turned",
    "turning point",
    "Better:",
    "You want to",
    "choices mattered.",
];

const LARGE: (u16, u16) = (120, 40);

#[track_caller]
fn scan(at: &mut Try, way: &str) {
    let text = super::text(&at.buffer(LARGE));
    for spoiler in SPOILERS {
        assert!(!text.contains(spoiler), "{way} shows {spoiler:?}:\n{text}");
    }
}

fn discovering() -> Try {
    let at = Try::new();
    progress::discover(&at.app.world.folders, true).unwrap();
    at
}

/// Each item of Home, and behind it each key that asks for something. A number that is uncovered (u) and an idea (i) are
/// guesses of the player's own, and checked.
#[test]
fn no_screen_shows_who_wins() {
    for place in 0.. {
        for keys in ["", "ff", "m", "o", "?", "p", "v", "h", "w", "t", "r", "n", "c"] {
            let mut at = discovering();
            for _ in 0..place {
                at.press(KeyCode::Down);
            }
            if at.press(KeyCode::Enter) == Asks::Quit {
                assert!(place >= 6, "the last item is not the last");
                return;
            }
            let way = format!("item {place}, {keys}");
            scan(&mut at, &way);
            at.keys(keys);
            scan(&mut at, &way);
            at.enter();
            scan(&mut at, &format!("{way}, Enter"));
            at.keys("hw");
            scan(&mut at, &format!("{way}, Enter, h, w"));
        }
    }
}

/// A round and the look back on it, move by move.
#[test]
fn no_round_shows_where_it_turned() {
    let book = "title = 'R'\nstart = 0\ntarget = 6\nmoves = ['+1', '+2']\nclaims = ['second-wins']\n";
    let mut at = discovering();
    at.sit_down(book, |setup| setup.help.discover = true);
    for _ in 0..6 {
        scan(&mut at, "the board");
        at.keys("hw");
        scan(&mut at, "the board, h, w");
        at.press(KeyCode::Esc);
        at.keys("1");
    }
    scan(&mut at, "the end");
    at.keys("r");
    at.sees("Looking back");
    for _ in 0..8 {
        scan(&mut at, "looking back");
        at.keys("t");
        at.press(KeyCode::Left);
    }
}
