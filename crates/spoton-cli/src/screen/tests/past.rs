//! Past rounds, and the score on Home.

use std::fs;

use ratatui::crossterm::event::KeyCode;
use spoton::engine::position::{ByPlayer, Player};

use super::Try;
use crate::screen::past::{Past, score};

/// Number Maze: the turning point is Player 2's choice at 2.
pub const WON_BY_ONE: &str = "1. +1 x2 2. +1 x2 3. x2 1-0";

/// A record as in the file.
pub fn record(game: &str, tags: &str, names: [&str; 2], moves: &str) -> String {
    let [one, two] = names;
    let result = moves.rsplit(' ').next().unwrap();
    format!(
        "[SpotOn \"1\"]\n[Rulebook \"{game}\"]\n{tags}[Player1 \"{one}\"]\n[Player2 \"{two}\"]\n\
         [Result \"{result}\"]\n\n{moves}\n\n"
    )
}

/// An app with these past rounds.
pub fn with_rounds(rounds: &[String]) -> Try {
    let mut at = Try::new();
    fs::create_dir_all(&at.folder).unwrap();
    fs::write(at.app.world.folders.rounds().unwrap(), rounds.concat()).unwrap();
    at.restart();
    at
}

pub fn open_past(at: &mut Try) {
    at.open(|world| Box::new(Past::new(world)));
}

fn maze(names: [&str; 2]) -> String {
    record("number-maze", "", names, WON_BY_ONE)
}

#[test]
fn no_rounds_yet() {
    let mut at = Try::new();
    open_past(&mut at);
    at.looks_like("past-empty");
    at.enter();
    at.press(KeyCode::Esc);
    at.sees("Play now");
}

#[test]
fn the_newest_comes_first() {
    let long = "A name of thirty-two characters.";
    let mut rounds = vec![
        maze(["Ann", "Ben"]),
        record("number-maze", "[Ending \"resigned\"]\n", ["Ben", "Ann"], "1. +1 0-1"),
        record("sequence-math-duel", "", [long, long], "1. x2 +1 2. x2 +1 3. x2 +1 4. x2 +1 5. x2 0-1"),
        record("number-maze", "", ["Ann", "Ben"], "1. +1 *"),
    ];
    let mut at = with_rounds(&rounds);
    open_past(&mut at);
    at.looks_like_when_large("past");
    // A list longer than the screen, with a damaged record in the middle.
    rounds.insert(2, "[SpotOn \"1\"]\n[Rulebook \"number-maze\"\n\n1. {what\n".to_owned());
    rounds.extend((0..40).map(|_| maze(["Ann", "Pip"])));
    let mut at = with_rounds(&rounds);
    open_past(&mut at);
    at.press(KeyCode::PageDown);
    at.press(KeyCode::PageDown);
    at.looks_like_when_large("past-many");
    at.press(KeyCode::End);
    at.sees("Ann went first. Ann beat Ben in 5 moves.");
    at.enter();
    at.sees("Review: Number Maze");
}

#[test]
fn a_round_that_cannot_be_replayed_is_reported() {
    let mut at = with_rounds(&[maze(["Ann", "Ben"]), record("number-maze", "", ["Ann", "Ben"], "1. +7 1-0")]);
    open_past(&mut at);
    at.enter();
    at.sees("Can't show this round");
    at.press(KeyCode::Down);
    at.enter();
    at.sees("Review: ");
}

#[test]
fn bytes_in_the_file_of_rounds_hide_no_round() {
    let mut at = Try::new();
    fs::create_dir_all(&at.folder).unwrap();
    let mut bytes = maze(["Ann", "Ben"]).into_bytes();
    bytes.extend([0xff, 0xfe, 0, b'\n']);
    bytes.extend(maze(["Ben", "Ann"]).into_bytes());
    fs::write(at.app.world.folders.rounds().unwrap(), bytes).unwrap();
    open_past(&mut at);
    at.sees("1 round couldn't be read.");
    at.sees("Ben beat Ann");
}

#[test]
fn home_shows_the_score_between_two() {
    let mut at = with_rounds(&[
        maze(["Ann", "Ben"]),
        maze(["Ben", "Ann"]),
        maze(["Ann", "Annette"]),
        record("number-maze", "[Ending \"resigned\"]\n", ["Ben", "Ann"], "1. +1 0-1"),
    ]);
    at.app.world.remember("names", "Ann,Ben");
    at.restart();
    at.sees("Ann  2 : 1  Ben");
}

#[test]
fn rounds_have_a_day_and_can_be_found_and_deleted() {
    let on = |day: &str| format!("[UTCDate \"{day}\"]\n");
    let mut at = with_rounds(&[
        record("number-maze", &on("2026.11.14"), ["Ann", "Ben"], WON_BY_ONE),
        record("double-or-add", &on("2026.11.15"), ["Ann", "Cleo"], "1. x2 *"),
        maze(["Ben", "Cleo"]),
    ]);
    open_past(&mut at);
    at.sees("2026-11-14");
    at.looks_like("past-days");
    at.keys("fcleo");
    at.sees("Find: cleo");
    at.enter();
    at.sees("2 of 3 rounds");
    assert!(!at.text().contains("2026-11-14"), "{}", at.text());
    at.press(KeyCode::Down);
    at.sees("Played on 2026-11-15.");
    at.keys("d");
    at.sees("Press d again");
    at.keys("d");
    at.sees("1 of 2 rounds");
    at.press(KeyCode::Esc);
    at.sees("2 rounds");
    open_past(&mut at);
    at.sees("2 rounds");
    let rest = fs::read_to_string(at.app.world.folders.rounds().unwrap()).unwrap();
    assert!(!rest.contains("double-or-add") && rest.contains("[Player1 \"Ben\"]"), "{rest}");
}

/// Rounds in the program's own file have dates.
#[test]
fn a_round_that_was_played_has_a_day() {
    let mut at = Try::new();
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    at.enter();
    for _ in 0..40 {
        at.keys("1");
    }
    let rounds = fs::read_to_string(at.app.world.folders.rounds().unwrap()).unwrap();
    assert_eq!(rounds.matches("[UTCDate \"20").count(), rounds.matches("[SpotOn ").count(), "{rounds}");
    assert!(rounds.contains("[UTCDate"), "{rounds}");
}

#[test]
fn the_adaptive_opponent_is_one_person() {
    let computer = |name: &str| format!("[Computer2 \"{name}\"]\n");
    let at = with_rounds(&[
        record("number-maze", &computer("pip"), ["Ann", "Pip"], WON_BY_ONE),
        record("number-maze", &computer("momo"), ["Ann", "Momo"], WON_BY_ONE),
        maze(["Ann", "Ben"]),
    ]);
    let names = ByPlayer(["Ann".to_owned(), "Momo".to_owned()]);
    assert_eq!(score(&at.app.world.folders, &names, Some(Player::Two), None), ByPlayer([2, 0]));
    assert_eq!(score(&at.app.world.folders, &names, None, None), ByPlayer([1, 0]));
}

/// Home counts these rounds.
#[test]
fn ten_thousand_rounds_are_counted_and_listed() {
    let rules = "[Rules \"{start = 1, target = 20, moves = ['+1', 'x2']}\"]\n[Target \"20\"]\n";
    let rounds: Vec<String> =
        (0..10_000).map(|_| record("number-maze", rules, ["Ann", "Ben"], WON_BY_ONE)).collect();
    let mut at = with_rounds(&rounds);
    let names = ByPlayer(["Ben".to_owned(), "Ann".to_owned()]);
    assert_eq!(score(&at.app.world.folders, &names, None, None), ByPlayer([0, 10_000]));
    open_past(&mut at);
    at.sees("10,000 rounds");
}
