//! Set-up.

use std::ffi::OsStr;
use std::fs;

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::game;
use crate::screen::set_up::SetUp;
use spoton::format::Changes;

/// Set-up for a game.
fn set_up(game: &str) -> Try {
    let mut at = Try::new();
    again(&mut at, game);
    at
}

fn again(at: &mut Try, game: &str) {
    let game = game::find(OsStr::new(game), &Changes::default()).unwrap();
    at.open(|world| Box::new(SetUp::for_game(game, world).unwrap()));
}

/// Set-up for two people.
fn two_people() -> Try {
    let mut at = Try::new();
    at.open(|world| Box::new(SetUp::two_people(world).unwrap()));
    at
}

/// Moves the cursor to an option.
#[track_caller]
fn go_to(at: &mut Try, label: &str) {
    at.press(KeyCode::Home);
    for _ in 0..12 {
        if at.text().contains(&format!("▸ {label}")) {
            return;
        }
        at.press(KeyCode::Down);
    }
    panic!("no option {label} in\n{}", at.text());
}

/// Changes an option until it has a value.
#[track_caller]
fn choose(at: &mut Try, label: &str, value: &str) {
    go_to(at, label);
    for _ in 0..20 {
        if at.text().lines().any(|line| line.contains(label) && line.contains(&format!("<  {value}"))) {
            return;
        }
        at.press(KeyCode::Right);
    }
    panic!("{label} is never {value}: {}", at.text());
}

#[test]
fn set_up_for_a_game() {
    let mut at = set_up("number-maze");
    at.looks_like_when_large("set-up");
    choose(&mut at, "Opponent", "Dash");
    at.looks_like("set-up-opponent");
    go_to(&mut at, "Target");
    at.keys("1");
    at.looks_like("set-up-target");
    at.press(KeyCode::Backspace);
    at.keys("s");
    at.looks_like("set-up-drawn");
    choose(&mut at, "Help", "discovery mode");
    at.looks_like("set-up-help");
}

#[test]
fn set_up_for_two_people() {
    let mut at = two_people();
    at.looks_like("set-up-two");
}

/// The board follows the options: opponent, seat, target.
#[test]
fn the_board_follows_the_options() {
    let mut at = set_up("number-maze");
    choose(&mut at, "Opponent", "Dash");
    choose(&mut at, "Goes first", "your opponent");
    go_to(&mut at, "Target");
    at.keys("15");
    choose(&mut at, "Match", "first to 3 wins");
    choose(&mut at, "Undo", "off");
    go_to(&mut at, "Your name");
    at.keys("Ann");
    at.enter();
    at.sees("Land exactly on 15 to win.");
    at.sees("You  0 : 0  Dash");
    // Dash has already moved.
    at.sees("Moves: ");
    at.looks_like("set-up-played");
    at.keys("u");
    at.sees("Undo is off in this round.");
    at.keys("gg");
    at.sees("Score after 1 round: You: 0, Dash: 1.");
}

#[test]
fn names_are_remembered_and_so_is_the_game() {
    let mut at = two_people();
    at.keys("Ann b?");
    at.press(KeyCode::Backspace);
    at.press(KeyCode::Backspace);
    at.press(KeyCode::Down);
    at.keys("Ben");
    choose(&mut at, "Game", "Take Away");
    at.enter();
    at.sees("Ann  0 : 0  Ben");
    at.restart();
    at.sees("Ann  0 : 0  Ben");
    at.open(|world| Box::new(SetUp::two_people(world).unwrap()));
    at.sees("[Ben");
    at.sees("Take Away");
    at.sees("▸ Game");
}

#[test]
fn invalid_names_are_reported_and_stay() {
    let mut at = two_people();
    at.keys("Ann");
    at.press(KeyCode::Down);
    at.keys("Ann");
    at.enter();
    at.sees("Both players are called Ann.");
    at.keys(",");
    at.sees("Names can't contain a comma.");
    at.keys("abcdefghijklmnopqrstuvwxyz");
    at.sees("up to 20 characters");
    at.enter();
    at.sees("Ann  0 : 0  Annabcdefghijklmnopq");
    // A player can't have the computer's name.
    let mut at = set_up("number-maze");
    choose(&mut at, "Opponent", "Pip");
    go_to(&mut at, "Your name");
    at.keys("Pip");
    at.enter();
    at.sees("Both players are called Pip.");
    at.sees("[Pip");
}

#[test]
fn one_name_alone_makes_no_score() {
    let mut at = set_up("number-maze");
    go_to(&mut at, "Your name");
    at.keys("Ann");
    at.enter();
    at.restart();
    assert!(!at.text().contains("0 : 0"), "{}", at.text());
    at.enter();
    at.sees("You  0 : 0");
}

#[test]
fn a_target_can_be_retyped_later() {
    let mut at = set_up("number-maze");
    go_to(&mut at, "Target");
    at.keys("15");
    at.sees("<  15  >");
    at.press(KeyCode::Down);
    at.press(KeyCode::Up);
    at.keys("34");
    at.sees("<  34  >");
}

#[test]
fn an_invalid_target_is_reported_and_stays() {
    let mut at = set_up("number-maze");
    go_to(&mut at, "Target");
    at.keys("1");
    at.enter();
    at.sees("Set-up");
    at.sees("<  1  >");
    at.press(KeyCode::Right);
    at.sees("<  2  >");
    for _ in 0..3 {
        at.press(KeyCode::Left);
    }
    at.keys("-99999999999999999999999999");
    at.enter();
    at.sees("Set-up");
    at.keys("s");
    at.enter();
    at.sees("Number Maze");
    at.sees("Land exactly on");
}

#[test]
fn discovery_stays_on_until_it_is_turned_off() {
    let mut at = set_up("number-maze");
    choose(&mut at, "Help", "discovery mode");
    assert!(!at.app.world.discovers());
    at.enter();
    assert!(at.app.world.discovers());
    again(&mut at, "number-maze");
    go_to(&mut at, "Help");
    at.sees("discovery mode");
    choose(&mut at, "Help", "coach");
    at.enter();
    assert!(!at.app.world.discovers());
}

#[test]
fn a_game_with_too_few_choices_says_so() {
    let mut at = Try::new();
    let path = at.folder.join("one-way.toml");
    let text = "title = 'One way'\nstart = 0\ntarget = 30\nmoves = ['+1']\n[variants.more-to-do]\nmoves = ['+1', '+2', 'x2']";
    fs::create_dir_all(&at.folder).unwrap();
    fs::write(&path, text).unwrap();
    again(&mut at, path.to_str().unwrap());
    at.looks_like("set-up-too-few");
    at.sees("This game is too simple for levels.");
    at.sees("\"more to do\"");
    assert!(!at.text().contains("--"), "{}", at.text());
}

#[test]
fn a_way_to_play_brings_its_own_target_and_opponents() {
    let mut at = set_up("number-maze");
    choose(&mut at, "Variant", "to 34");
    at.sees("Land exactly on 34");
    at.enter();
    at.sees("Land exactly on 34");
}

#[test]
fn everything_can_be_clicked() {
    let mut at = set_up("number-maze");
    at.click("Goes first");
    at.sees("▸ Goes first");
    at.click("default");
    at.sees("▸ Target");
    at.click("s surprise me");
    at.sees("surprise me: 10 to 39");
    at.click("Enter start");
    at.sees("Number Maze");
    at.sees("Land exactly on");
}

/// Every game can be set up, with every option in any order.
#[test]
fn the_cursor_reaches_every_game_and_line() {
    let mut at = two_people();
    at.press(KeyCode::Home);
    for _ in 0..9 {
        for _ in 0..12 {
            at.press(KeyCode::Right);
            at.press(KeyCode::Left);
            at.press(KeyCode::Left);
            at.press(KeyCode::Right);
            at.text();
            at.press(KeyCode::Down);
        }
        at.press(KeyCode::Home);
        at.press(KeyCode::Right);
    }
    at.enter();
    at.sees("Player 1");
}
