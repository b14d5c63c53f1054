//! Whole rounds, as a person plays them.

use crate::full_screen::Terminal;

const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const HOME: &str = "\x1b[H";

/// Opens a game's card and its set-up. `next` is the key that moves to the next card.
fn choose(terminal: &mut Terminal, place: usize, title: &str, next: &str) {
    for _ in ["Today's duel", "Two players", "All games"] {
        terminal.send(DOWN);
    }
    terminal.waits("the cursor on All games", |screen| {
        screen.contents().lines().any(|line| line.contains('▸') && line.contains("All games"))
    });
    terminal.send("\r");
    // The cursor starts on a game whose target can be reached.
    terminal.shows("2 of ");
    terminal.send(HOME);
    terminal.shows("1 of ");
    for _ in 0..place {
        terminal.send(next);
    }
    terminal.shows(&format!("▸ {title}"));
    terminal.send("\r");
    terminal.shows("Set-up");
    terminal.shows(title);
}

/// Plays until the round is over.
fn play_to_the_end(terminal: &mut Terminal) {
    for turn in 0..200 {
        terminal.waits("a turn or the end", |screen| {
            let text = screen.contents();
            text.contains("'s turn") || text.contains("Your turn") || text.contains("review")
        });
        if terminal.picture().contains("review") {
            return;
        }
        // Double to finish quickly. If that isn't allowed, adding is.
        terminal.press(if turn % 2 == 0 { "2" } else { "1" });
    }
    panic!("the round does not end:\n{}", terminal.picture());
}

const GAMES: [&str; 5] =
    ["Operation Target", "Sequence Math Duel", "Target Twenty-One", "Number Maze", "Double or Add"];

/// Two people play every game, from Home to the end and back.
#[test]
fn every_game_by_keys() {
    let mut terminal = Terminal::new(80, 24, &[]);
    for (place, title) in GAMES.into_iter().enumerate() {
        terminal.start();
        choose(&mut terminal, place, title, DOWN);
        // Press Right until the opponent is a friend.
        terminal.waits("the line of the opponent", |screen| {
            screen.contents().lines().any(|line| line.contains('▸') && line.contains("Opponent"))
        });
        for _ in 0..12 {
            if terminal.picture().contains("a friend here") {
                break;
            }
            terminal.press(RIGHT);
        }
        terminal.shows("a friend here");
        terminal.send("\r");
        terminal.shows("Player 1's turn");
        play_to_the_end(&mut terminal);
        terminal.shows("win");
        terminal.send("r");
        terminal.shows("Review: ");
        terminal.shows("Esc back");
        // Esc directly followed by Enter would be read as one key.
        terminal.send("\x1b");
        terminal.shows_no_more("Review: ");
        terminal.shows("play again");
        terminal.send("\r");
        terminal.shows("Player 2's turn");
        terminal.send("\x1b");
        terminal.shows("Play now");
        terminal.send("q");
        terminal.is_given_back();
    }
    let rounds = terminal.folder.read("spoton/rounds.txt");
    assert_eq!(rounds.matches("[Result ").count(), GAMES.len(), "{rounds}");
}

/// Every game against the computer.
#[test]
fn every_game_against_the_computer() {
    let mut terminal = Terminal::new(120, 40, &[]);
    for (place, title) in GAMES.into_iter().enumerate() {
        terminal.start();
        choose(&mut terminal, place, title, RIGHT);
        terminal.send("\r");
        terminal.shows("Your turn");
        play_to_the_end(&mut terminal);
        terminal.shows("win");
        terminal.send("\x1b");
        terminal.shows("Play now");
        terminal.send("q");
        terminal.is_given_back();
    }
}

/// A whole round by mouse.
#[test]
fn a_round_by_mouse() {
    let mut terminal = Terminal::new(80, 24, &[]);
    terminal.start();
    terminal.click("Play now");
    terminal.shows("Your turn");
    for _ in 0..40 {
        terminal.waits("a turn or the end", |screen| {
            let text = screen.contents();
            text.contains("Your turn") || text.contains("review")
        });
        if terminal.picture().contains("review") {
            break;
        }
        // The trailing space matches a button, not the log of moves.
        terminal.changes(|terminal| terminal.click("Add 1 "));
    }
    terminal.click("review");
    terminal.shows("Review: ");
    terminal.click("Esc back");
    terminal.click("Esc home");
    terminal.shows("Take turns changing a number.");
    terminal.click("Quit");
    terminal.is_given_back();
}

/// The markers on the number line are never dim.
#[test]
fn markers_are_never_dim() {
    for colours in [&[("COLORTERM", "")][..], &[("COLORTERM", "truecolor")], &[("NO_COLOR", "1")]] {
        let mut terminal = Terminal::new(80, 24, colours);
        terminal.start();
        terminal.send("\r");
        terminal.shows("Your turn");
        terminal.press("2");
        let (rows, columns) = terminal.screen().size();
        let mut seen = Vec::new();
        for (row, column) in
            (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)))
        {
            let cell = terminal.screen().cell(row, column).unwrap();
            assert!(!(cell.bold() && cell.dim()), "{:?} at {row}, {column}", cell.contents());
            if ["●", "◎", "┴"].contains(&cell.contents()) {
                assert!(!cell.dim(), "{:?} at {row}, {column}", cell.contents());
                seen.push(cell.contents().to_owned());
            }
        }
        assert!(seen.contains(&"●".to_owned()) && seen.contains(&"◎".to_owned()), "{seen:?}");
        terminal.send("\x1b");
        terminal.shows("Play now");
        terminal.send("q");
        terminal.is_given_back();
    }
}

/// Holding Enter at most starts today's duel. It never makes a move, because that would count.
#[test]
fn a_second_enter_on_home_spends_nothing() {
    let mut terminal = Terminal::new(100, 30, &[]);
    terminal.start();
    for (item, downs) in [("Today's duel", 1), ("Puzzles", 3)] {
        for _ in 0..downs {
            terminal.send(DOWN);
        }
        terminal.waits(item, |screen| {
            screen.contents().lines().any(|line| line.contains('▸') && line.contains(item))
        });
        terminal.send("\r\r");
        terminal.shows("Your turn");
        terminal.send("\r\r\r");
        terminal.shows("Choose a move first.");
        terminal.shows("Your turn");
        let picture = terminal.picture();
        assert!(!picture.contains("You: ") && !picture.contains("Player 1: "), "{picture}");
        if picture.contains("Esc close") {
            terminal.press("\x1b");
        }
        terminal.send("\x1b");
        terminal.shows("Play now");
    }
    terminal.send("q");
    terminal.is_given_back();
    assert!(!terminal.folder.path().join("spoton/puzzles.spoton").exists(), "no puzzle was tried");
}

/// The words on a screen, regardless of line breaks.
fn words(picture: &str) -> String {
    picture.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The player can't see the board, so no key affects the round.
#[test]
fn keys_in_a_window_that_is_too_small_change_nothing() {
    let mut terminal = Terminal::new(60, 18, &[]);
    terminal.start();
    terminal.send("\r");
    terminal.shows("Your turn");
    terminal.press("1");
    let is_answered = |terminal: &Terminal| terminal.is_whole() && terminal.picture().contains("Your turn");
    terminal.waits_until("the answer", is_answered);
    let before = words(&terminal.picture());
    terminal.resize(59, 18);
    terminal.shows("press q to quit");
    terminal.send("12\r\r\x1b[Bugg?h");
    // The wheel scrolls.
    terminal.send("\x1b[<64;5;5M");
    // By the second of these pictures, all keys have been read.
    for (columns, rows) in [(58, 17), (57, 16)] {
        terminal.resize(columns, rows);
        let told = format!("This window has {columns} x {rows}.");
        terminal.waits(&told, |screen| words(&screen.contents()).contains(&told));
    }
    terminal.resize(60, 18);
    terminal.waits("the same board", |screen| words(&screen.contents()) == before);
    terminal.resize(40, 12);
    terminal.shows("press q to quit");
    terminal.send("q");
    terminal.is_given_back();
    terminal.resize(80, 24);
    // The round is saved.
    terminal.start();
    terminal.shows("Continue");
    terminal.send("\x03");
    terminal.is_given_back();
}
