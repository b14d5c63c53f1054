//! In discovery mode, no screen reachable from Home shows who wins or which numbers matter.

use std::ffi::OsStr;

use ratatui::crossterm::event::KeyCode;
use spoton::format::Changes;

use super::Try;
use crate::game;
use crate::progress;
use crate::screen::app::Asks;
use crate::screen::games::Games;
use crate::screen::set_up::SetUp;

/// Claims, values, hints, turning points and stepping stones.
const SPOILERS: [&str; 11] = [
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
    "can land on",
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

/// Every item on Home, with every key that requests something. Uncovering (u) and ideas (i) are left out, because they
/// check the player's own guesses.
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

/// Nobody can land on the target of the first game, which the players should find out.
#[test]
fn no_screen_shows_that_a_target_is_out_of_reach() {
    let fact = "can land on 23";
    let ways = |discover: bool| {
        let open = |keys: &str| {
            let mut at = Try::new();
            progress::discover(&at.app.world.folders, discover).unwrap();
            let game = game::find(OsStr::new("operation-target"), &Changes::default()).unwrap();
            at.open(|world| Box::new(SetUp::for_game(game, world).unwrap()));
            at.keys(keys);
            at
        };
        let mut of_games = Try::new();
        progress::discover(&of_games.app.world.folders, discover).unwrap();
        of_games.open(|world| Box::new(Games::new(world)));
        of_games.press(KeyCode::Home);
        of_games.keys("?");
        let mut started = open("");
        started.enter();
        let mut rules = open("");
        rules.enter();
        rules.keys("?");
        [
            ("Set-up", open("")),
            ("Set-up, ?", open("?")),
            ("All games, ?", of_games),
            ("the board", started),
            ("the board, ?", rules),
        ]
    };
    for (way, mut at) in ways(false) {
        let text = super::text(&at.buffer(LARGE));
        assert!(text.contains(fact), "{way}:\n{text}");
    }
    for (way, mut at) in ways(true) {
        scan(&mut at, way);
    }
    // Trying other help in Set-up reveals nothing either.
    let [(way, mut at), ..] = ways(true);
    for _ in 0..12 {
        at.press(KeyCode::Down);
        for _ in 0..4 {
            at.press(KeyCode::Right);
            if at.text().contains("Operation Target") {
                scan(&mut at, way);
            }
        }
    }
}

/// A round and its review, move by move.
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
    at.sees("Review: ");
    for _ in 0..8 {
        scan(&mut at, "looking back");
        at.keys("t");
        at.press(KeyCode::Left);
    }
}
