//! All games and their variants.

use std::fs;

use ratatui::crossterm::event::KeyCode;

use super::{Try, text};
use crate::screen::games::Games;

/// All games with their badges.
fn all_games() -> Try {
    let mut at = Try::new();
    at.open(|world| Box::new(Games::new(world)));
    at.settle();
    at
}

/// All games with the player's own files.
fn with_files(files: &[(&str, &str)]) -> Try {
    let mut at = Try::new();
    let folder = at.folder.join("rulebooks");
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    at.open(|world| Box::new(Games::new(world)));
    at.settle();
    at
}

/// Moves the cursor to a card.
fn go_to(at: &mut Try, title: &str) {
    at.press(KeyCode::Home);
    for _ in 0..50 {
        if at.text().contains(&format!("▸ {title}")) {
            return;
        }
        at.press(KeyCode::Down);
    }
    panic!("no card {title}");
}

#[test]
fn all_games_on_cards() {
    let mut at = all_games();
    at.looks_like_when_large("games");
    at.press(KeyCode::End);
    at.looks_like("games-end");
}

#[test]
fn every_shipped_game_has_a_card_with_badges_and_none_says_who_wins() {
    let mut at = all_games();
    let mut go_on_for_ever = 0;
    for id in spoton::format::catalog::ids() {
        let rulebook = spoton::format::catalog::draft(id).unwrap().build().unwrap();
        go_to(&mut at, rulebook.title());
        let seen = at.text();
        let from_card = &seen[seen.find(&format!("▸ {}", rulebook.title())).unwrap()..];
        let card = &from_card[..from_card.find('╰').unwrap()];
        let badges = ["· few choices", "· many choices", "│ many choices matter ·", "· one choice"];
        assert!(badges.iter().any(|badge| card.contains(badge)), "{id}\n{card}");
        go_on_for_ever += card.matches("can go on forever").count();
        for secret in ["can win", "can force", "starts wins", "first wins", "second wins"] {
            assert!(!seen.contains(secret), "{seen}");
        }
    }
    assert_eq!(go_on_for_ever, 1);
}

#[test]
fn a_card_offers_the_other_ways_to_play() {
    let mut at = all_games();
    go_to(&mut at, "Number Maze");
    at.keys("v");
    at.settle();
    at.looks_like_when_large("games-ways");
    at.sees("Standard");
    at.press(KeyCode::Esc);
    go_to(&mut at, "Operation Target");
    at.press(KeyCode::Right);
    at.settle();
    at.sees("three operations");
    at.sees("deepest");
    at.press(KeyCode::Down);
    at.enter();
    at.sees("<  three operations  >");
    at.press(KeyCode::Esc);
    at.press(KeyCode::Left);
    at.sees("All games");
}

#[test]
fn a_game_with_one_way_to_play_says_so() {
    let mut at = all_games();
    go_to(&mut at, "Take Away");
    assert!(!at.text().contains("v variants"));
    at.keys("v");
    at.sees("This game has no variants.");
}

#[test]
fn every_key_of_a_card_opens_something() {
    for (key, title) in [("?", "Rules: "), ("m", ""), ("i", ""), ("o", "")] {
        let mut at = all_games();
        at.keys(key);
        let opened = at.text();
        assert!(!opened.starts_with(" All games") && opened.contains(title), "{key}: {opened}");
        at.press(KeyCode::Esc);
        at.sees("All games");
    }
}

#[test]
fn cards_can_be_clicked() {
    let mut at = all_games();
    at.click("Target Twenty-One");
    at.sees("Set-up");
    at.sees("<  Target Twenty-One  >");
}

#[test]
fn your_own_files_have_cards_too() {
    let deep = "title = 'Far away'\nsummary = 'Too far to look.'\nstart = 0\ntarget = 1000000000\nmoves = ['+1', '+2']";
    let mut at = with_files(&[
        ("mine.toml", "title = 'My game'\nstart = 0\ntarget = 9\nmoves = ['+1', '+2']"),
        ("far.toml", deep),
        ("broken.toml", "title = 3"),
    ]);
    at.press(KeyCode::End);
    at.looks_like_when_large("games-own");
    at.sees("My game");
    at.sees("1 of your files has errors. See Your own rules.");
    at.enter();
    at.sees("Set-up");
    at.enter();
    at.sees("Land exactly on 9 to win.");
    // A game that is too large to solve can still be played.
    at.open(|world| Box::new(Games::new(world)));
    go_to(&mut at, "Far away");
    at.enter();
    at.sees("Set-up");
    at.enter();
    at.sees("Land exactly on 1,000,000,000 to win.");
}

/// With two columns, the arrow keys follow the layout.
#[test]
fn arrows_go_by_what_is_seen() {
    let mut at = all_games();
    let wide = |at: &mut Try| text(&at.buffer((120, 40))).lines().next().unwrap().trim_end().to_owned();
    let count = spoton::format::catalog::ids().count();
    // The cursor starts on a game whose target can be reached.
    assert!(wide(&mut at).ends_with(&format!("2 of {count}")));
    at.press(KeyCode::Home);
    for (key, place) in [
        (KeyCode::Right, 2),
        (KeyCode::Down, 4),
        (KeyCode::Left, 3),
        (KeyCode::Up, 1),
        (KeyCode::Up, 1),
        (KeyCode::End, count),
        (KeyCode::Down, count),
    ] {
        at.press(key);
        assert!(wide(&mut at).ends_with(&format!(" {place} of {count}")), "{key:?}");
    }
}

#[test]
fn every_size_can_be_drawn() {
    for size in [(60, 18), (77, 23), (105, 22), (110, 24), (200, 60), (500, 200)] {
        let mut at = all_games();
        at.press(KeyCode::Home);
        let seen = text(&at.buffer(size));
        assert!(seen.contains("Operation Target") && seen.contains("about 8 moves"), "{seen}");
        at.keys("v");
        at.settle();
        let seen = text(&at.buffer(size));
        assert!(seen.contains("deepest"), "{seen}");
        at.enter();
        let seen = text(&at.buffer(size));
        assert!(seen.contains("Your name") && seen.contains("Gets stronger"), "{seen}");
    }
}

/// The facts reveal who wins, so they need two key presses.
#[test]
fn asking_twice_shows_the_facts() {
    let mut at = all_games();
    go_to(&mut at, "Number Maze");
    at.keys("f");
    at.sees("The facts reveal who wins. Press f again to see them.");
    at.sees_not("can force a win");
    at.keys("f");
    at.sees("Facts: Number Maze");
    at.sees("Player 2 can force a win within 14 moves.");
    at.looks_like("facts");
    at.press(KeyCode::Esc);
    at.sees("All games");
    // Another game asks again.
    at.press(KeyCode::Down);
    at.keys("f");
    at.sees("Press f again");
}

#[test]
fn discovery_keeps_the_facts() {
    let mut at = all_games();
    crate::progress::discover(&at.app.world.folders, true).unwrap();
    at.keys("ff");
    at.sees("Discovery mode is on, so the facts are hidden.");
}
