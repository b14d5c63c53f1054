//! Control characters in rule books, records and file names are never drawn raw.

use std::fs;

use ratatui::crossterm::event::KeyCode;
use spoton::format::is_hidden;

use super::Try;
use super::past::{WON_BY_ONE, open_past, record};
use crate::screen::games::Games;
use crate::screen::own_rules::OwnRules;

const HIDDEN: &str = "\u{200b}\u{200e}\u{200f}\u{61c}\u{feff}";
const NASTY: &str = "\u{85}\u{9b}31m\u{202e}\u{2066}\u{1b}[2J";

#[track_caller]
fn nothing_raw(at: &mut Try) {
    let text = at.text();
    assert_eq!(text.chars().find(|c| is_hidden(*c) && *c != '\n'), None, "{text:?}");
}

#[test]
fn nothing_foreign_is_drawn_raw() {
    let mut at = Try::new();
    let books = at.app.world.folders.rulebooks().unwrap();
    fs::create_dir_all(&books).unwrap();
    let hidden = format!("title = 'A{HIDDEN}B'\nstart = 1\ntarget = 9\nmoves = ['+1', 'x2']\n");
    fs::write(books.join(format!("hidden{NASTY}.toml")), &hidden).unwrap();
    fs::write(books.join(format!("broken{NASTY}.toml")), format!("title = '{NASTY}'\n# {NASTY}\n")).unwrap();
    let rules = format!("[Rules \"{}\"]\n", hidden.replace('\n', ", ").trim_end_matches(", "));
    let rounds =
        record("mine", &format!("[Event \"{HIDDEN}\"]\n"), [&format!("A{HIDDEN}"), "Ben"], WON_BY_ONE);
    let carried = record("mine", &rules, ["Ann", "Ben"], WON_BY_ONE);
    fs::write(at.app.world.folders.rounds().unwrap(), rounds + &carried).unwrap();
    at.app.world.remember("names", &format!("A{HIDDEN},Ben"));
    at.restart();
    nothing_raw(&mut at);
    open_past(&mut at);
    for _ in 0..2 {
        nothing_raw(&mut at);
        at.enter();
        nothing_raw(&mut at);
        at.press(KeyCode::Down);
    }
    at.open(|world| Box::new(Games::new(world)));
    nothing_raw(&mut at);
    at.press(KeyCode::End);
    nothing_raw(&mut at);
    at.enter();
    nothing_raw(&mut at);
    at.open(|world| Box::new(OwnRules::new(world)));
    nothing_raw(&mut at);
    at.press(KeyCode::Down);
    nothing_raw(&mut at);
    at.enter();
    nothing_raw(&mut at);
}
