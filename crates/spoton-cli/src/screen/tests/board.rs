//! The board.

use ratatui::crossterm::event::KeyCode;

use spoton::position::{ByPlayer, Player};

use super::Try;
use crate::args::{Changes, Setting};
use crate::game::Game;
use crate::screen::set_up;
use crate::sitting::dice::Dice;
use crate::sitting::setup::Setup;

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
    assert!(text.contains("76 x 22") && text.contains("40 x 10"), "{text}");
    for (width, height) in [(1, 1), (2, 1), (1, 30), (300, 1), (76, 22), (500, 200)] {
        at.buffer((width, height));
        at.press(KeyCode::Enter);
    }
}

/// A board for two people.
pub fn sit_down(at: &mut Try, game: &str, settings: &[&str]) {
    let settings = settings.iter().map(|setting| Setting::Set((*setting).to_owned())).collect();
    let game = Game::find(game.as_ref(), &Changes { variant: None, settings }).unwrap();
    at.open(|world| {
        let mut setup = Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(Some(7)));
        setup.names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
        setup.help.open = true;
        Box::new(set_up::sit_down(setup, world).unwrap())
    });
}

#[test]
fn every_game_has_its_board() {
    for (game, keys) in [
        ("operation-target", "2"),
        ("sequence-math-duel", "1222"),
        ("target-twenty-one", "35"),
        ("number-maze", "1212"),
        ("double-or-add", "2222"),
        ("take-away", "31"),
    ] {
        let mut at = Try::new();
        sit_down(&mut at, game, &[]);
        at.keys(keys);
        at.looks_like(&format!("board-{game}"));
    }
}

/// What is too long for the place below is shown all the same.
#[test]
fn many_reasons_fit() {
    let mut at = Try::new();
    sit_down(&mut at, "target-twenty-one", &[]);
    at.keys("35w");
    at.looks_like("board-many-reasons");
}

#[test]
fn a_strange_book_has_its_board_too() {
    let mut at = Try::new();
    let settings = [
        "moves=+1,+3,-2,x2,x3,/2,+10",
        "past=forbidden",
        "range=-50,1000",
        "start=-7",
        "passes=2",
        "no_repeat=own",
    ];
    sit_down(&mut at, "number-maze", &settings);
    at.keys("41");
    at.looks_like("board-strange");
}
