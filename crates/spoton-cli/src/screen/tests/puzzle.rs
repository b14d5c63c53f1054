//! Puzzles on the full screen.

use ratatui::crossterm::event::KeyCode;
use spoton::format::Changes;
use spoton::teach::puzzle::Became;

use super::Try;
use crate::clock;
use crate::game;
use crate::progress;
use crate::puzzles::Desk;
use crate::save::Save;
use crate::screen::board::puzzle::PuzzleView;

/// The puzzles of a game.
fn puzzles_of(game: &str) -> Try {
    let mut at = Try::new();
    at.open(|world| {
        let game = game::find(game.as_ref(), &Changes::default()).unwrap();
        let desk = Desk::of_game(game, &world.folders).unwrap();
        Box::new(PuzzleView::new(desk, world).unwrap())
    });
    at.sees("Press Enter to start");
    at.enter();
    at
}

/// Mistakes count, so a stray Enter doesn't play a move.
#[test]
fn a_held_enter_makes_no_move() {
    let mut at = Try::new();
    at.click("Puzzles");
    at.looks_like_when_large("puzzle-card");
    at.keys("12ghg");
    at.sees("Press Enter to start");
    for _ in 0..4 {
        at.enter();
        at.settle();
    }
    at.sees("Choose a move first.");
    at.sees("Your turn");
    assert_eq!(became(&at), []);
    assert_eq!(at.text().matches('▸').count(), 1, "it only shows whose turn it is");
    at.press(KeyCode::Esc);
    at.sees("Play now");
}

fn became(at: &Try) -> Vec<Became> {
    progress::tried(&at.app.world.folders).unwrap().pairs().map(|(_, became)| became).collect()
}

#[test]
fn a_puzzle_is_solved() {
    let mut at = puzzles_of("number-maze");
    at.looks_like_when_large("puzzle");
    at.looks_like_in_ascii("puzzle-ascii");
    at.sees("Guessing solves it 1 time in 4.");
    // Only +1 keeps the win, and the defence answers automatically.
    at.keys("1");
    at.settle();
    at.sees("The defence: Add 1, 5");
    at.sees_not("A careful guesser");
    assert_eq!(became(&at), [], "it is not over");
    at.keys("2");
    at.settle();
    at.looks_like("puzzle-solved");
    assert_eq!(became(&at), [Became::Solved(clock::today())]);
    at.sees("1 solved");
    // The next one is another.
    at.enter();
    at.sees_not("Solved!");
    at.sees("Guessing solves it 1 time in 8.");
}

#[test]
fn a_wrong_move_ends_it_with_the_proof() {
    let mut at = puzzles_of("number-maze");
    at.keys("2");
    at.settle();
    at.looks_like_when_large("puzzle-missed");
    at.sees("Missed: x2 gives the win away.");
    at.sees("Only +1 keeps the win.");
    assert_eq!(became(&at), [Became::Missed(clock::today())]);
    // There is no second try.
    at.keys("1u");
    assert_eq!(became(&at).len(), 1);
    at.keys("n");
    at.sees("Your turn");
    at.press(KeyCode::Esc);
    at.sees("Play now");
    let saves = Save::all(&at.app.world.folders.saves().unwrap()).unwrap_or_default();
    assert!(saves.is_empty(), "a puzzle isn't saved");
}

#[test]
fn nothing_is_revealed_during_a_puzzle() {
    let mut at = puzzles_of("number-maze");
    for key in "hwimu".chars() {
        at.keys(&key.to_string());
        at.sees("Puzzles have no hints and no undo.");
        at.sees("Your turn");
    }
    at.keys("?");
    at.sees("Rules: Number Maze");
    at.press(KeyCode::Esc);
    at.keys("g");
    at.sees("Press g again");
    assert_eq!(became(&at), []);
    at.keys("hg");
    assert_eq!(became(&at), [], "something else came between");
    at.keys("g");
    at.sees("You gave up.");
    at.sees("Only +1 keeps the win.");
    assert_eq!(became(&at), [Became::Missed(clock::today())]);
}

#[test]
fn discovery_gives_nothing_away() {
    let mut at = Try::new();
    progress::discover(&at.app.world.folders, true).unwrap();
    at.open(|world| {
        let game = game::find("number-maze".as_ref(), &Changes::default()).unwrap();
        Box::new(PuzzleView::new(Desk::of_game(game, &world.folders).unwrap(), world).unwrap())
    });
    at.enter();
    at.sees("(discovery)");
    at.sees_not("see the answer");
    at.keys("g");
    at.sees("Press g again to give up.");
    at.keys("2");
    at.settle();
    at.sees("Missed: x2 gives the win away.");
    at.sees("Discovery mode is on, so Spot On doesn't show why.");
    at.sees_not("keeps the win");
}

/// Every turn lists everything else that affects the result.
#[test]
fn the_puzzle_shows_everything_that_matters() {
    let mut at = puzzles_of("half-at-most");
    at.sees("They played -5 last");
    at.looks_like_when_large("puzzle-with-memory");
    let mut at = Try::new();
    std::fs::create_dir_all(&at.folder).unwrap();
    std::fs::write(at.app.world.folders.puzzles().unwrap(), "no seal\n").unwrap();
    at.open(|world| {
        let game = game::find("number-maze".as_ref(), &Changes::default()).unwrap();
        Box::new(PuzzleView::new(Desk::of_game(game, &world.folders).unwrap(), world).unwrap())
    });
    at.sees("puzzles.spoton");
    at.enter();
    at.keys("2");
    at.settle();
    at.sees("Your result couldn't be saved");
    at.sees_not("You'll see it again tomorrow.");
    at.enter();
    at.sees("Your turn");
}

#[test]
fn the_way_there_and_what_is_used_up() {
    let mut at = Try::new();
    at.click("Puzzles");
    at.sees("Win from here: Sequence Math Duel");
    at.press(KeyCode::Esc);
    at.click("All games");
    at.press(KeyCode::Home);
    at.keys("p");
    at.sees("Win from here: Operation Target, three-operations");
    at.sees("The standard game has no puzzle that's hard enough");
    at.enter();
    at.looks_like("puzzle-of-a-variant");
    // All puzzles were missed today, so none is left until tomorrow.
    for _ in 0..200 {
        if at.text().contains("There are no new puzzles") {
            break;
        }
        at.keys("ggn");
    }
    at.looks_like("puzzles-used-up");
    at.press(KeyCode::Esc);
    at.sees("All games");
    let endless = at.folder.join("endless.toml");
    let text = "title = 'Endless'\nstart = 1\ntarget = 9\nmoves = ['+1', 'x1']\n";
    std::fs::create_dir_all(&at.folder).unwrap();
    std::fs::write(&endless, text).unwrap();
    at.open(|world| {
        let game = game::find(endless.as_os_str(), &Changes::default()).unwrap();
        Box::new(PuzzleView::new(Desk::of_game(game, &world.folders).unwrap(), world).unwrap())
    });
    at.sees("Endless has no puzzles: some of its rounds never end.");
    at.keys("1gn");
    at.press(KeyCode::Esc);
    at.sees("All games");
}

/// While the player types a number, a letter goes to the board.
#[test]
fn a_letter_after_a_digit_leaves_the_field() {
    let mut at = puzzles_of("two-castles");
    at.keys("2");
    at.sees("Your move: 2");
    at.keys("g");
    at.sees_not("Your move:");
    at.sees("Press g again");
    at.keys("1");
    at.enter();
    at.settle();
    assert_eq!(became(&at), []);
    at.sees("Your turn");
}

/// Puzzles from every game can be finished.
#[test]
fn every_board_takes_a_puzzle() {
    for game in spoton::format::catalog::ids() {
        let mut at = puzzles_of(game);
        for _ in 0..60 {
            at.press(KeyCode::Right);
            at.enter();
            at.settle();
            at.buffer((120, 40));
            if !became(&at).is_empty() {
                break;
            }
        }
        assert_eq!(became(&at).len(), 1, "{game}\n{}", at.text());
    }
}
