//! Boards with computed amounts, moves on the other number, and limited turns.

use ratatui::crossterm::event::KeyCode;

use spoton::engine::position::ByPlayer;

use super::Try;

/// Subtract up to half: 36 moves at the start.
const HALVES: &str = "title = 'Up to Half'\nstart = 72\ntarget = 1\nmoves = ['-1..half']\n";

/// The longest possible menu.
const MOST: &str = "title = 'Most'\nstart = 128\ntarget = 1\nmoves = ['-1..half']\n";

const STRIKE: &str = "title = 'Strike'\nnumbers = 'separate'\nstart = 10\ntarget = 30\nrange = [0, 30]\npast = 'forbidden'\n\
    moves = ['+4', { op = '-3', on = 'other' }, { op = '/2', on = 'other', label = 'Halve it' }]\n\
    stuck = 'closest'\nturns = 3\n";

fn sit_down(book: &str) -> Try {
    let mut at = Try::new();
    at.sit_down(book, |setup| setup.names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]));
    at
}

#[test]
fn many_moves_are_listed_in_columns() {
    let mut at = sit_down(HALVES);
    at.looks_like_when_large("board-many-moves");
    at.looks_like_in_ascii("board-many-moves-ascii");
}

#[test]
fn a_move_is_typed() {
    let mut at = sit_down(HALVES);
    at.keys("-22");
    at.looks_like("board-typing");
    // Letters are text now, not keys of the board.
    at.keys("b");
    at.sees("Your move: -22b");
    at.enter();
    at.sees("I don't understand \"-22b\".");
    at.press(KeyCode::Backspace);
    at.enter();
    at.sees("Ben's turn.  Ann: Subtract 22, 72 → 50");
}

#[test]
fn typing_is_left_without_a_move() {
    let mut at = sit_down(HALVES);
    at.keys("-22");
    at.press(KeyCode::Esc);
    at.sees("0-9 type");
    // The cursor is on the typed move.
    at.sees("▸-22 → 50");
    at.keys("-");
    at.press(KeyCode::Backspace);
    at.sees("0-9 type");
    at.keys("-5");
    at.press(KeyCode::Up);
    at.sees("0-9 type");
    at.keys("/");
    at.click("-7 → 65");
    at.sees("Ann: Subtract 7, 72 → 65");
}

#[test]
fn an_illegal_move_shows_why_and_can_be_corrected() {
    let mut at = sit_down(HALVES);
    for (typed, why) in [
        ("-40", "You can't subtract 40: 40 is more than half of 72."),
        ("+1", "\"+1\" isn't one of the moves here: -K (K at most half)."),
        ("-", "Which one: -1, -2, -3 ... -36?"),
    ] {
        at.keys(typed);
        at.enter();
        at.sees(why);
        at.sees(&format!("Your move: {typed}"));
        at.press(KeyCode::Esc);
    }
    at.keys("-");
    at.press(KeyCode::Left);
    at.press(KeyCode::Delete);
    at.keys("12");
    at.enter();
    at.sees("Ann: Subtract 12, 72 → 60");
}

/// Any sign that people type opens the field.
#[test]
fn a_move_is_typed_in_any_spelling() {
    for (typed, label) in
        [("X2", "Multiply by 2"), ("*2", "Multiply by 2"), ("✕ 2", "Multiply by 2"), ("+ 1", "Add 1")]
    {
        let mut at = sit_down("title = 'Ten'\nstart = 1\ntarget = 10\nmoves = ['+1', 'x2']\n");
        at.keys(typed);
        at.sees(&format!("Your move: {typed}"));
        at.enter();
        at.sees(&format!("Ann: {label}, 1 → 2"));
    }
}

/// Moves can be typed in every book, and the coach warns about them.
#[test]
fn fixed_moves_are_typed_as_well() {
    let book = "title = 'Ten'\nstart = 1\ntarget = 10\nmoves = ['+1', 'x2', '+9', '+12']\n";
    let mut at = Try::new();
    at.sit_down(book, |setup| setup.help.coach = true);
    at.keys("x 2");
    at.enter();
    at.sees("Multiply by 2, 1 → 2");
    at.keys("+9");
    at.enter();
    at.sees("+9 loses immediately. Choose it again to play it anyway.");
    at.sees("Your move: +9");
    at.enter();
    at.sees("review");
}

#[test]
fn two_questions_are_one_on_the_board() {
    let book = format!("{HALVES}[wording]\nmenu = 'questions'\n");
    let mut at = sit_down(&book);
    at.keys("-");
    at.enter();
    at.sees("Choose a number (1-36)");
    at.keys("8");
    at.enter();
    at.sees("Ann: Subtract 8, 72 → 64");
}

/// At every window size, the arrow keys and pages reach every move.
#[test]
fn the_cursor_reaches_every_line_of_the_longest_menu() {
    for size in [(60, 18), (80, 24), (104, 24), (131, 50)] {
        let mut at = sit_down(MOST);
        for number in 1..=64 {
            let text = super::text(&at.buffer(size));
            assert!(
                text.contains(&format!("▸-{number} → {}", 128 - number)),
                "-{number} at {size:?}\n{text}"
            );
            assert!(text.contains("Esc leave") && text.contains("0-9 type"), "{text}");
            at.press(KeyCode::Right);
        }
        at.press(KeyCode::Home);
        for _ in 0..64 {
            at.buffer(size);
            at.press(KeyCode::Down);
        }
        let text = super::text(&at.buffer(size));
        // The last row of the first column.
        let foot = (57..=64).any(|number| text.contains(&format!("\n  ▸-{number} ")));
        assert!(foot, "at {size:?}\n{text}");
        for _ in 0..3 {
            at.press(KeyCode::PageUp);
        }
        let text = super::text(&at.buffer(size));
        assert!(text.contains("▸-1 → 127"), "at {size:?}\n{text}");
        at.press(KeyCode::End);
        at.buffer(size);
        at.enter();
        let text = super::text(&at.buffer(size));
        assert!(text.contains("Subtract 64, 128 → 64"), "at {size:?}\n{text}");
    }
}

/// A typed number is an amount, never a line of the menu.
#[test]
fn a_number_is_an_amount() {
    let book = "title = 'Shares'\nstart = 30\nrange = [1, 100]\nmoves = ['-divisor']\n";
    let mut at = sit_down(book);
    at.sees("15 Subtract 15");
    at.keys("5");
    at.sees("Your move: 5");
    at.sees("Subtract 5 → 25");
    at.enter();
    at.sees("Ann: Subtract 5, 30 → 25");
    // 25 has no divisor 4.
    at.keys("4");
    at.enter();
    at.sees("Please enter 1 or 5.");
    at.press(KeyCode::Esc);
    // A letter goes to the board.
    at.keys("5h");
    at.sees_not("Your move");
    at.sees("hint");
}

/// If no amount has two digits, one key is enough. A sign resolves any ambiguity.
#[test]
fn one_digit_plays_immediately() {
    let mut at = sit_down("title = 'Digits'\nstart = 12\ntarget = 80\nmoves = ['+digit', 'x2']\n");
    at.keys("2");
    at.sees("Which one: +2 or x2?");
    at.sees(" x2 ─");
    at.keys("1");
    at.sees("Ann: Add 1, 12 → 13");
    at.keys("2");
    at.sees("Ben: Multiply by 2, 13 → 26");
    at.keys("9");
    at.sees("Please enter +2, 6 or x2.");
    // Enter picks one of the matching moves.
    at.keys("2");
    at.sees("Which one: +2 or x2?");
    at.enter();
    at.sees("Ann: Add 2, 26 → 28");
}

/// An entry without an amount shows why.
#[test]
fn an_entry_without_an_amount_has_no_key() {
    let mut at = sit_down("title = 'Few'\nstart = 7\nrange = [1, 20]\nmoves = ['/divisor', '-1']\n");
    at.sees("Divide by a divisor: no");
    at.keys("1");
    at.enter();
    at.sees("Ann: Subtract 1, 7 → 6");
}

#[test]
fn the_other_number_is_changed_and_turns_are_counted() {
    let mut at = sit_down(STRIKE);
    at.sees("Ann's turn, 1 of 3.");
    at.keys("@-3");
    at.enter();
    at.looks_like_when_large("board-strike");
    // A labelled move names the owner of the number it changes.
    at.sees("Halve it Ann → 5");
    at.keys("1");
    at.sees("Ann's turn, 2 of 3.  Ben: Add 4, 7 → 11");
    at.keys("1212");
    at.sees("The turns are used up, and ");
    at.looks_like("board-turns-taken");
    at.keys("r");
    at.press(KeyCode::Home);
    at.press(KeyCode::Right);
    at.sees("number        10  ▸7");
    at.sees("move         @-3  +4");
    // The line shows how the opponent's number hops.
    at.sees("◆────────┴──");
}

#[test]
fn the_rules_say_that_a_move_can_be_typed() {
    let mut at = sit_down(HALVES);
    at.keys("?");
    let text = at.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("type a number or use the arrow keys to choose a move"), "{text}");
}
