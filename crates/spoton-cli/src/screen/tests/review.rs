//! The review screen.

use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use ratatui::style::Modifier;

use spoton::engine::position::Player;

use super::Try;
use super::past::{WON_BY_ONE, open_past, record, with_rounds};
use crate::screen::theme::Tone;

/// Opens the review of one recorded round.
fn looking_back(game: &str, tags: &str, moves: &str) -> Try {
    let mut at = with_rounds(&[record(game, tags, ["Ann", "Ben"], moves)]);
    open_past(&mut at);
    at.enter();
    at
}

/// Whether the screen has a line.
fn has_line(at: &mut Try, words: &str) -> bool {
    at.text().lines().any(|line| line.trim() == words)
}

#[test]
fn a_round_step_by_step() {
    let mut at = looking_back("number-maze", "", WON_BY_ONE);
    // The review opens at the turning point.
    at.sees("after 1 of 5 moves");
    at.sees("At 2, Ben chose x2: 4. That gave away the win.");
    at.looks_like_when_large("review");
    at.looks_like_in_ascii("review-ascii");
    at.press(KeyCode::Right);
    at.sees("At 4, Ann chose +1: 5.");
    at.press(KeyCode::Home);
    at.sees("At 1, Ann chose +1: 2. Ben could still force a win.");
    at.looks_like("review-start");
    at.press(KeyCode::Left);
    at.sees("start, 5 moves");
    at.press(KeyCode::End);
    at.looks_like("review-end");
    at.press(KeyCode::Right);
    at.keys("p");
    at.sees("The round ends here.");
    at.keys("t");
    at.sees("after 1 of 5 moves");
    at.press(KeyCode::Esc);
    at.sees("Past rounds");
}

#[test]
fn a_past_round_is_played_on_from_a_point_of_it() {
    let mut at = looking_back("number-maze", "", WON_BY_ONE);
    at.keys("p");
    at.sees("Ben's turn");
    at.sees("Moves: +1");
    // It doesn't count.
    at.keys("1gg");
    at.sees("gave up.");
    at.press(KeyCode::Esc);
    open_past(&mut at);
    at.sees("1 round");
    at.enter();
    at.press(KeyCode::End);
    at.press(KeyCode::Left);
    at.keys("p");
    at.sees("Moves: +1 x2 +1 x2");
}

#[test]
fn from_the_board_and_back_to_it() {
    let mut at = Try::new();
    at.enter();
    at.keys("2gg");
    at.keys("r");
    at.sees("Review: Number Maze");
    // The review opens at the player's own mistake.
    at.sees("At 2, you chose x2: 4.");
    at.looks_like("review-given-up");
    // The position when the player gave up.
    at.press(KeyCode::End);
    at.sees("You gave up at 8, but could still force a win.");
    at.sees("Pip wins this one.");
    let moves = at.text();
    at.keys("p");
    at.sees("Your turn");
    at.sees("Moves: x2 x2 x2");
    assert!(moves.contains("end, 3 moves"), "{moves}");
    at.keys("gg");
    // The replay doesn't count.
    at.sees("You  0 : 1  Pip");
    at.keys("r");
    at.press(KeyCode::Home);
    at.keys("p");
    assert!(!at.text().contains("Moves: x2 x2 x2"), "{}", at.text());
}

#[test]
fn discovery_gives_nothing_away() {
    let mut at = with_rounds(&[record("number-maze", "", ["Ann", "Ben"], WON_BY_ONE)]);
    at.app.world.remember("discover", "on");
    open_past(&mut at);
    at.enter();
    at.looks_like("review-discovery");
    for _ in 0..5 {
        at.press(KeyCode::Left);
    }
    for _ in 0..5 {
        let text = at.text();
        assert!(!text.contains("win") && !text.contains("etter"), "{text}");
        at.press(KeyCode::Right);
    }
}

#[test]
fn separate_numbers() {
    let moves = "1. x2 +1 2. x2 +1 3. +1 +1 4. x2 +1 5. x2 1-0";
    let mut at = looking_back("sequence-math-duel", "", moves);
    at.press(KeyCode::End);
    at.press(KeyCode::Left);
    at.looks_like("review-separate");
    let mut at = looking_back("sequence-math-duel", "", "1. x2 +1 2. x2 +1 3. x2 +1 4. x2 +1 5. x2 0-1");
    at.looks_like_when_large("review-separate-turned");
}

/// Even with long names, the sentences about the chosen move are never cut.
#[test]
fn long_names() {
    let long = ["Ann of the rather very long name", "Ben of the rather very long name"];
    let moves = "1. x2 +1 2. x2 +1 3. x2 +1 4. x2 +1 5. x2 0-1";
    let mut at = with_rounds(&[record("sequence-math-duel", "", long, moves)]);
    open_past(&mut at);
    at.enter();
    at.looks_like("review-long-names");
    let smallest = super::text(&at.buffer((60, 18)));
    let words = smallest.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("number") && words.contains("name can force a win. ← back"), "{smallest}");
}

/// A click on a point selects it.
#[test]
fn a_click_on_a_number_goes_there() {
    let mut at = looking_back("number-maze", "", WON_BY_ONE);
    let text = at.text();
    let (y, line) = text.lines().enumerate().find(|(_, line)| line.trim().starts_with("number")).unwrap();
    let x = line.chars().position(|letter| letter == '5').unwrap();
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: x as u16,
        row: y as u16,
        modifiers: KeyModifiers::NONE,
    };
    at.app.handle(&Event::Mouse(click));
    at.sees("At 5, Ben chose x2: 10.");
}

#[test]
fn a_long_round() {
    let moves = "+1 ".repeat(60) + "0-1";
    let mut at = looking_back("number-maze", "[Target \"61\"]\n", &moves);
    at.looks_like("review-long");
    at.press(KeyCode::Home);
    at.sees("start, 60 moves");
    at.press(KeyCode::PageDown);
    at.press(KeyCode::PageDown);
    at.press(KeyCode::PageDown);
    at.sees("after 30 of 60 moves");
    at.looks_like_when_large("review-long-middle");
}

#[test]
fn a_game_too_large_says_so() {
    let tags = "[Setting \"passes=1\"]\n[Target \"1000000000000\"]\n[Ending \"resigned\"]\n";
    let mut at = looking_back("number-maze", tags, "1. x2 x2 2. +1 1-0");
    at.looks_like("review-too-large");
    at.press(KeyCode::Right);
    assert!(has_line(&mut at, "At 2, Ben chose x2: 4."));
    at.keys("t");
    at.keys("p");
    at.sees("Ben's turn");
}

/// Players and winners are signs in the players' colours, and nothing is repeated.
#[test]
fn it_reads_at_a_glance() {
    let mut at = looking_back("number-maze", "", WON_BY_ONE);
    let text = at.text();
    assert_eq!(text.matches("Better: ").count(), 1, "{text}");
    assert!(!text.contains("neither"), "{text}");
    let buffer = at.buffer(super::pictures::USUAL);
    for (label, signs) in [("player", "●◆●◆●"), ("can win", "◆◆●●●●")] {
        let (y, line) = text.lines().enumerate().find(|(_, line)| line.trim().starts_with(label)).unwrap();
        let shown: String = line.chars().filter(|sign| "●◆".contains(*sign)).collect();
        assert_eq!(shown, signs);
        for (x, sign) in line.chars().enumerate() {
            let player = if sign == '●' { Player::One } else { Player::Two };
            let cell = &buffer[(x as u16, y as u16)];
            // The chosen point is in reverse video, without colour.
            if "●◆".contains(sign) && !cell.modifier.contains(Modifier::REVERSED) {
                assert_eq!(cell.style().fg, super::DARK.style(Tone::Player(player)).fg);
            }
        }
    }
    // If a round can be a draw, the legend explains the sign.
    let mut at = looking_back("target-twenty-one", "[Ending \"resigned\"]\n", "1. +3 x2 1-0");
    at.sees("= for nobody");
}
