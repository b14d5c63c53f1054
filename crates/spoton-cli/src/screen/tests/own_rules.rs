//! Your own rules.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::screen::idea::IdeaTest;
use crate::screen::map::MapView;
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
    at.sees("You haven't written a game yet");
    at.sees("Your rule books are in");
    at.keys("n");
    at.sees("my-game");
    at.enter();
    at.sees("Created ");
    at.keys("n");
    at.sees("my-game-2");
    at.enter();
    at.press(KeyCode::Up);
    at.looks_like("own-rules-new");
    at.keys("?");
    at.sees("Rules: My Game");
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
    at.sees("This game has errors.");
    fs::write(folder.join("stairs.toml"), BROKEN.replace("'twenty'", "20").replace("y2", "x2")).unwrap();
    a_second_later(&mut at, 2);
    at.sees("1 error");
    fs::write(folder.join("stairs.toml"), GOOD.replace("Kitchen Duel", "Stairs, Mended")).unwrap();
    a_second_later(&mut at, 4);
    at.sees("Stairs, Mended");
    // When other files appear or disappear, the cursor stays on its file.
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
fn an_unreadable_folder_is_reported() {
    let mut at = Try::new();
    let rulebooks = at.app.world.folders.rulebooks().unwrap();
    fs::create_dir_all(rulebooks.parent().unwrap()).unwrap();
    fs::write(&rulebooks, "not a folder").unwrap();
    open(&mut at);
    at.sees("can't read");
    at.keys("n");
    at.enter();
    at.sees("create the folder");
    fs::remove_file(&rulebooks).unwrap();
    a_second_later(&mut at, 3);
    at.sees("You haven't written a game yet");
}

/// A new game can copy another one under a name that the player chooses.
#[test]
fn a_new_game_copies_another_under_a_new_name() {
    let mut at = Try::new();
    open(&mut at);
    at.keys("n");
    at.press(KeyCode::Left);
    at.sees("Two Castles");
    for _ in 0.."my-game".len() {
        at.press(KeyCode::Backspace);
    }
    at.enter();
    at.sees("Use letters, digits and -");
    at.keys("three b");
    at.sees("Name   three b");
    at.enter();
    at.sees("three-b.toml");
    at.sees("Three B");
    at.sees("Strike a prime factor");
    // An existing file stays unchanged.
    at.keys("n");
    for _ in 0.."my-game".len() {
        at.press(KeyCode::Backspace);
    }
    at.keys("three-b");
    at.enter();
    at.sees("three-b already exists.");
    at.press(KeyCode::Esc);
    at.sees("n new");
}

#[test]
fn an_unplayable_game_says_so_first() {
    let mut at = Try::new();
    let stuck = "title = 'Stuck'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']\n";
    fs::write(folder(&at).join("stuck.toml"), stuck).unwrap();
    open(&mut at);
    at.sees("The first player can't move");
    assert!(!at.text().contains("No problems found") && !at.text().contains("Playable"), "{}", at.text());
    at.enter();
    at.sees("Set-up");
    at.sees("The first player can't move");
    assert!(!at.text().contains("Land exactly on 20"), "{}", at.text());
    at.keys("?");
    at.sees("Rules: Stuck");
    at.sees("The first player can't move");
    at.press(KeyCode::Esc);
    let rulebook = Arc::new(spoton::format::Draft::read("stuck.toml", stuck).build().unwrap());
    let idea = Arc::clone(&rulebook);
    at.open(|_| Box::new(IdeaTest::new(idea)));
    at.sees("The first player can't move");
    at.open(|world| Box::new(MapView::new(rulebook, world).unwrap()));
    at.sees("The first player can't move");
    at.sees("if you start here, your opponent can force a win");
}
