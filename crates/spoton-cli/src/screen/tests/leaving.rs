//! Leaving a board doesn't lose anything or count anything twice.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::series::Match;
use spoton::format::{Changes, MatchForm, catalog};
use spoton::sitting::{Dice, Help, Setup};

use super::Try;
use crate::game;
use crate::sitting::resume::adapting;
use crate::solving::look_ahead;

fn saves(at: &Try) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(at.folder.join("saves")) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut saves: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "spoton")).collect();
    saves.sort();
    saves
}

fn rounds(at: &Try) -> usize {
    fs::read_to_string(at.folder.join("rounds.txt")).unwrap_or_default().matches("[Result ").count()
}

const PLAIN: &str = "title = 'Plain'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']\n";

#[test]
fn a_match_is_saved_between_rounds() {
    let mut at = Try::new();
    at.sit_down(PLAIN, |setup| {
        setup.series = Some(Match::new(MatchForm::FirstTo(3), Player::One));
    });
    at.keys("gg");
    at.sees("next round");
    // A signal now would save the match.
    assert!(at.app.world.autosave.keep().unwrap().is_some());
    at.press(KeyCode::Esc);
    at.sees("Round saved.");
    at.restart();
    at.press(KeyCode::Up);
    at.enter();
    at.sees("Player 1  0 : 1  Player 2");
    at.sees("Player 2's turn");
    assert_eq!(rounds(&at), 1);
}

/// A resumed match continues with the same adaptive opponent.
#[test]
fn the_adaptive_opponent_of_the_next_round_is_saved() {
    let mut at = Try::new();
    // The first player can win immediately.
    let text = "title = 'Quick'\nstart = 1\ntarget = 3\nmoves = ['+1', '+2', 'x3']\n";
    let (folders, games) = (at.app.world.folders.clone(), Rc::clone(&at.app.world.games));
    at.sit_down(text, |setup| {
        let rulebook = Arc::new(setup.rulebook().unwrap());
        let adaptive = adapting(Player::Two, "level".to_owned(), &rulebook, false, &games, &folders).unwrap();
        setup.computers[Player::Two] = Some(adaptive.opponent());
        setup.names[Player::Two] = adaptive.opponent().title().to_owned();
        setup.adaptive = Some(adaptive);
        setup.series = Some(Match::new(MatchForm::FirstTo(3), Player::One));
    });
    at.keys("2");
    at.sees("Next opponent: Dash.");
    at.sees("You  1 : 0  Pip");
    at.press(KeyCode::Esc);
    at.restart();
    at.press(KeyCode::Up);
    at.enter();
    at.sees("You  1 : ");
    at.sees("Dash");
}

/// A save that can't be removed is reported, and the round still ends once.
#[test]
fn a_round_ends_once() {
    let mut at = Try::new();
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    at.press(KeyCode::Up);
    at.enter();
    let save = saves(&at).pop().unwrap();
    // A folder in place of the save can't be removed like a file.
    fs::remove_file(&save).unwrap();
    fs::create_dir_all(save.join("full")).unwrap();
    at.keys("gg");
    at.sees("can't remove");
    at.sees("play again");
    at.keys("gg");
    assert_eq!(rounds(&at), 1);
    at.sees("0 : 1");
}

/// A round that can't be resumed here stays saved for line mode.
#[test]
fn a_round_that_cannot_be_resumed_stays_saved() {
    let mut at = Try::new();
    let large = "title = 'Large'\nstart = 1\ntarget = 100000000000\nmoves = ['+1', '+2', 'x2', '-1']\n";
    at.sit_down(large, |_| {});
    at.keys("1");
    at.press(KeyCode::Esc);
    let kept = saves(&at).pop().unwrap();
    // Pretend that the round was played in line mode, which has a larger memory limit.
    let sealed = fs::read(&kept).unwrap();
    let text =
        spoton::records::unseal(&sealed).unwrap().replace("[Player2 ", "[Computer2 \"perfect\"]\n[Player2 ");
    fs::write(&kept, spoton::records::seal(&text)).unwrap();
    let before = fs::read(&kept).unwrap();
    at.restart();
    at.press(KeyCode::Up);
    at.enter();
    at.sees("Can't resume here: ");
    // Another round gets another save.
    at.press(KeyCode::Down);
    at.enter();
    at.keys("1");
    at.press(KeyCode::Esc);
    assert_eq!(saves(&at).len(), 2);
    assert_eq!(fs::read(&kept).unwrap(), before);
}

/// A forced ending includes skipped turns.
#[test]
fn the_rest_is_played_out_over_skipped_turns() {
    let mut at = Try::new();
    let text = "title = 'Skips'\nnumbers = 'separate'\nstart = [3, 0]\ntarget = 4\nmoves = ['+2']\n\
                past = 'forbidden'\nstuck = 'skips'\n";
    at.sit_down(text, |_| {});
    at.sees("play it out");
    at.enter();
    at.sees("review");
    assert_eq!(rounds(&at), 1);
}

#[test]
fn nobody_plays_against_their_own_name() {
    let mut at = Try::new();
    at.app.world.remember("names", "Pip,");
    at.enter();
    at.sees("You  0 : 0  Pip");
    let game = game::find(catalog::FIRST.as_ref(), &Changes::default()).unwrap();
    let games = Rc::clone(&at.app.world.games);
    let mut setup =
        look_ahead(&games, |ahead| Setup::gentle(game, Help::default(), Dice::new(1), ahead)).unwrap();
    setup.call(Player::One, "Ann".to_owned());
    assert_eq!(setup.names.0, ["Ann", "Pip"]);
}

/// Two-column characters don't run off the edge.
#[test]
fn wide_names_stay_inside() {
    let mut at = Try::new();
    at.sit_down(PLAIN, |setup| {
        setup.names = ByPlayer(["数独の達人数独の達人".to_owned(), "対戦相手対戦相手対戦相手".to_owned()]);
    });
    at.keys("gg");
    let text = at.text();
    let said: Vec<&str> = text.lines().filter(|line| line.contains('数') || line.contains('対')).collect();
    assert!(said.len() >= 3, "{text}");
    for line in said.iter().filter(|line| line.contains('│')) {
        assert!(line.trim_end().ends_with('│'), "{text}");
    }
    at.keys("r");
    at.sees("Review: ");
}
