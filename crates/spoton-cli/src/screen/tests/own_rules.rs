//! Your own rules.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::screen::own_rules::OwnRules;

const GOOD: &str = "title = 'Kitchen Duel'\nsummary = 'Raise one shared number to exactly {target}.'\n\
                    start = 1\ntarget = 30\nmoves = ['+1', '+4', 'x2']\n";
const BROKEN: &str = "title = 'Stairs'\nstart = 1\ntarget = 'twenty'\nmoves = ['+1', 'y2']\nreech = 'wins'\n";

fn folder(at: &Try) -> PathBuf {
    let folder = at.app.world.folders.rulebooks().unwrap();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn open(at: &mut Try) {
    at.open(|world| Box::new(OwnRules::new(world)));
}

fn a_second_later(at: &mut Try, seconds: u64) {
    at.app.wake(Duration::from_secs(seconds));
}

#[test]
fn an_empty_folder_says_what_to_do() {
    let mut at = Try::new();
    open(&mut at);
    at.sees("You have not written a game yet");
    at.sees("Your rule books are in");
    at.keys("n");
    at.sees("my-game");
    at.enter();
    at.sees("Wrote ");
    at.keys("n");
    at.sees("my-game-2");
    at.enter();
    at.press(KeyCode::Up);
    at.looks_like("own-rules-new");
    at.keys("?");
    at.sees("The rules of My Game");
    at.press(KeyCode::Esc);
    at.enter();
    at.sees("Set-up");
    at.sees("My Game");
}

#[test]
fn a_broken_rule_book_is_mended_while_it_is_shown() {
    let mut at = Try::new();
    let folder = folder(&at);
    fs::write(folder.join("kitchen.toml"), GOOD).unwrap();
    fs::write(folder.join("stairs.toml"), BROKEN).unwrap();
    open(&mut at);
    at.looks_like("own-rules");
    at.press(KeyCode::Down);
    at.looks_like_when_large("own-rules-mistakes");
    at.enter();
    at.sees("has mistakes");
    fs::write(folder.join("stairs.toml"), BROKEN.replace("'twenty'", "20").replace("y2", "x2")).unwrap();
    a_second_later(&mut at, 2);
    at.sees("1 mistake");
    fs::write(folder.join("stairs.toml"), GOOD.replace("Kitchen Duel", "Stairs, Mended")).unwrap();
    a_second_later(&mut at, 4);
    at.sees("Stairs, Mended");
    // Others come and go, and the cursor stays where it is.
    fs::write(folder.join("another.toml"), GOOD.replace("Kitchen Duel", "Another")).unwrap();
    fs::remove_file(folder.join("kitchen.toml")).unwrap();
    a_second_later(&mut at, 6);
    at.sees("Another");
    assert!(!at.text().contains("kitchen"), "{}", at.text());
    at.enter();
    at.sees("Stairs, Mended");
    at.sees("Set-up");
}

#[test]
fn whatever_lies_in_the_folder_does_no_harm() {
    let mut at = Try::new();
    let folder = folder(&at);
    fs::write(folder.join(format!("{}.toml", "long".repeat(60))), GOOD).unwrap();
    fs::write(folder.join("bad \u{1b}[31m\u{202e} name.toml"), GOOD).unwrap();
    fs::write(folder.join("binary.toml"), [0xff, 0xfe, 0, 1]).unwrap();
    fs::write(folder.join("large.toml"), "#".repeat(100_000)).unwrap();
    fs::write(folder.join("control.toml"), "title = '\u{1b}[2J'\n\tstart = \u{7}\n".repeat(300)).unwrap();
    fs::write(folder.join("one-line.toml"), format!("moves = [{}", "'+1', ".repeat(5000))).unwrap();
    fs::create_dir(folder.join("folder.toml")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        fs::write(folder.join(std::ffi::OsStr::from_bytes(b"not-\xff-text.toml")), GOOD).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.join("endless.toml")).unwrap();
    }
    open(&mut at);
    for seconds in 0..24 {
        for size in [(60, 18), (80, 24), (200, 60)] {
            let text = super::text(&at.buffer(size));
            assert!(text.contains("Your own rules"), "{text}");
            assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text}");
        }
        a_second_later(&mut at, 2 * seconds);
        at.press(if seconds % 2 == 0 { KeyCode::PageDown } else { KeyCode::Down });
    }
    at.press(KeyCode::Home);
    for _ in 0..12 {
        at.enter();
        if !at.text().contains("Your own rules") {
            at.press(KeyCode::Esc);
            open(&mut at);
        }
        at.press(KeyCode::Down);
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_told() {
    let mut at = Try::new();
    let rulebooks = at.app.world.folders.rulebooks().unwrap();
    fs::create_dir_all(rulebooks.parent().unwrap()).unwrap();
    fs::write(&rulebooks, "not a folder").unwrap();
    open(&mut at);
    at.sees("cannot read");
    at.keys("n");
    at.enter();
    at.sees("cannot make the folder");
    fs::remove_file(&rulebooks).unwrap();
    a_second_later(&mut at, 3);
    at.sees("You have not written a game yet");
}

/// A new game can be like one that is known, and has the name that its player gives it.
#[test]
fn a_new_game_is_like_another_under_a_name_of_its_own() {
    let mut at = Try::new();
    open(&mut at);
    at.keys("n");
    at.press(KeyCode::Left);
    at.sees("Two Castles");
    for _ in 0.."my-game".len() {
        at.press(KeyCode::Backspace);
    }
    at.enter();
    at.sees("A name is made of letters");
    at.keys("three b");
    at.sees("Name   three b");
    at.enter();
    at.sees("three-b.toml");
    at.sees("Three B");
    at.sees("strike a prime factor");
    // What is there stays as it is.
    at.keys("n");
    for _ in 0.."my-game".len() {
        at.press(KeyCode::Backspace);
    }
    at.keys("three-b");
    at.enter();
    at.sees("There is a three-b already.");
    at.press(KeyCode::Esc);
    at.sees("n new");
}
