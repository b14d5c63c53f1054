//! The board.

use std::time::Duration;

use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, MouseEvent, MouseEventKind};

use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Changes, Draft, Setting};
use spoton::sitting::{Dice, Setup};

use super::Try;
use crate::game;
use crate::screen::app::{Asks, LEAST};
use crate::screen::board::keys::KEYS;
use crate::screen::seats;
use crate::screen::theme::Tone;

#[test]
fn a_round_under_way() {
    let mut at = Try::new();
    at.enter();
    at.keys("2");
    at.looks_like_when_large("board");
    at.looks_like_when_small("board");
    at.looks_like_in_ascii("board-ascii");
    at.keys("hh");
    at.looks_like("board-hints");
    at.keys("w");
    at.looks_like_when_large("board-why");
}

#[test]
fn the_end_of_a_round() {
    let mut at = Try::new();
    at.enter();
    at.keys("gg");
    at.looks_like_when_large("board-given-up");
    at.looks_like_when_small("board-given-up");
    at.enter();
    at.sees("Your turn");
}

/// The player can't see what keys do, so they do nothing.
#[test]
fn in_a_window_that_is_too_small_no_key_does_anything() {
    let mut at = Try::new();
    at.enter();
    let before = at.text();
    for size in [(59, 40), (100, 17), (1, 1)] {
        at.buffer(size);
        for key in [KeyCode::Enter, KeyCode::Esc, KeyCode::Down, KeyCode::F(2)] {
            assert_eq!(at.press(key), Asks::Nothing);
        }
        at.keys("1212ggu?hbn");
        at.app.handle(&Event::Mouse(MouseEvent {
            kind: MouseEventKind::ScrollDown,
            column: 0,
            row: 0,
            modifiers: KeyModifiers::NONE,
        }));
        assert_eq!(at.text(), before);
    }
    // A resize takes effect before the next frame.
    at.app.handle(&Event::Resize(59, 40));
    assert_eq!(at.press(KeyCode::Char('1')), Asks::Nothing);
    assert_eq!(at.text(), before);
    at.buffer((59, 40));
    assert_eq!(at.press(KeyCode::Char('q')), Asks::Quit);
}

/// Without undo, a second Enter in Set-up must not be a move.
#[test]
fn without_undo_no_move_is_preselected() {
    let mut at = Try::new();
    at.sit_down("title = 'T'\nstart = 0\ntarget = 9\nmoves = ['+1', '+2']\n", |setup| setup.undo = false);
    at.sees_not("▸ Add");
    at.enter();
    at.sees("Choose a move first.");
    at.sees("Player 1's turn");
    // The first arrow key shows the cursor.
    at.press(KeyCode::Right);
    at.sees("▸ Add 1");
    at.press(KeyCode::Right);
    at.enter();
    at.sees("Player 1: Add 2");
    at.enter();
    at.sees("Player 2's turn");
    at.keys("+1");
    at.enter();
    at.sees("Player 2: Add 1");
}

/// Against a computer, the loser gets the winning seat until they win from it.
#[test]
fn after_a_loss_the_seat_that_can_win_stays() {
    let mut at = Try::new();
    // The first player can win by playing 1, which leaves 3 to go.
    at.sit_down("title = 'T'\nstart = 0\ntarget = 4\nmoves = ['+1', '+2']\npast = 'forbidden'\n", |setup| {
        *setup = Setup::new(
            setup.game.clone(),
            ByPlayer([None, Some(Opponent::perfect())]),
            Player::One,
            Dice::new(7),
        );
    });
    for _ in 0..2 {
        at.sees("Your turn");
        at.keys("gg");
        at.sees("Enter play again");
        at.sees("s swap seats");
        at.enter();
        at.settle();
        at.sees_not("You: ");
        at.sees_not("Perfect: ");
    }
    at.keys("1");
    at.settle();
    let rest = if at.text().contains("▸ Your turn.  Perfect: Add 1") { "2" } else { "1" };
    at.keys(rest);
    at.sees("You win!");
    at.sees("Enter swap seats");
    at.sees("s same seats");
    at.enter();
    at.settle();
    at.sees("Perfect: Add");
    at.keys("gg");
    at.sees("Enter swap seats");
    at.keys("s");
    at.settle();
    at.sees("Perfect: Add");
}

/// The field on the board accepts the same input as line mode.
#[test]
fn signs_and_words_are_typed() {
    for (words, told) in [
        (&["+1", "add 1", "plus 1"][..], "Ann: Add 1, 6 → 7"),
        (&["-2", "−2", "subtract 2"], "Ann: Subtract 2, 6 → 4"),
        (&["x2", "X2", "*2", "×2", "double", "times 2"], "Ann: Multiply by 2, 6 → 12"),
        (&["/3", "÷3", ":3", "divide by 3"], "Ann: Divide by 3, 6 → 2"),
    ] {
        for typed in words {
            let mut at = Try::new();
            sit_down(&mut at, "number-maze", &["moves=+1,-2,x2,/3", "start=6", "range=0,100"]);
            at.keys(typed);
            at.enter();
            let text = at.text();
            assert!(text.contains(told), "{typed}\n{text}");
        }
    }
}

/// The score is per game.
#[test]
fn the_score_of_one_game_does_not_show_in_another() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &[]);
    at.keys("gg");
    at.sees("Ann  0 : 1  Ben");
    at.press(KeyCode::Esc);
    sit_down(&mut at, "race-to-23", &[]);
    at.sees("Ann  0 : 0  Ben");
    at.press(KeyCode::Esc);
    sit_down(&mut at, "number-maze", &["target=30"]);
    at.sees("Ann  0 : 1  Ben");
}

/// The test checks the rules, not the name.
#[test]
fn an_unreachable_target_is_announced() {
    const LINE: &str = "Nobody can land on 23. The player who overshoots loses.";
    let mut at = Try::new();
    for size in [LEAST, super::pictures::USUAL, (120, 40)] {
        sit_down(&mut at, "operation-target", &[]);
        let text = super::text(&at.buffer(size));
        assert!(text.contains(LINE) && !text.contains("Land exactly on 23"), "{size:?}\n{text}");
    }
    at.keys("?");
    at.sees(LINE);
    at.press(KeyCode::Esc);
    at.press(KeyCode::Esc);
    sit_down(&mut at, "operation-target", &["target=24"]);
    at.sees("Land exactly on 24 to win.");
    at.sees_not("Nobody can land");
    at.press(KeyCode::Esc);
    let odd = "title = 'Evens'\nstart = 0\ntarget = 7\nmoves = ['+2', '+4']\npast = 'forbidden'\n";
    at.sit_down(odd, |_| ());
    at.sees("Nobody can land on 7. The player who can't move loses.");
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let mut at = Try::new();
    let text = super::text(&at.buffer((40, 10)));
    assert!(text.contains("60 x 18") && text.contains("40 x 10") && text.contains("q to quit"), "{text}");
    for (width, height) in [(1, 1), (2, 1), (1, 30), (300, 1), LEAST, (500, 200)] {
        at.buffer((width, height));
        at.press(KeyCode::Enter);
    }
}

/// A board for two people.
pub fn sit_down(at: &mut Try, game: &str, settings: &[&str]) {
    let settings = settings.iter().map(|setting| Setting::Set((*setting).to_owned())).collect();
    let game = game::find(game.as_ref(), &Changes { variant: None, settings }).unwrap();
    at.open(|world| {
        let mut setup = Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(7));
        setup.names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
        setup.help.open = true;
        Box::new(seats::sit_down(setup, world).unwrap())
    });
}

#[test]
fn every_game_has_its_board() {
    for (game, keys) in [
        ("operation-target", "2"),
        ("sequence-math-duel", "1222"),
        ("target-twenty-one", "35"),
        ("number-maze", "1212"),
        ("double-or-add", "2222"),
        ("take-away", "31"),
    ] {
        let mut at = Try::new();
        sit_down(&mut at, game, &[]);
        at.keys(keys);
        at.looks_like_when_large(&format!("board-{game}"));
    }
}

/// Long advice is never cut.
#[test]
fn many_reasons_fit() {
    let mut at = Try::new();
    sit_down(&mut at, "target-twenty-one", &[]);
    at.keys("35w");
    at.looks_like_when_large("board-many-reasons");
    for size in [(60, 18), super::pictures::USUAL, (104, 30), (200, 60)] {
        let text = super::text(&at.buffer(size));
        for reason in ["+2, +3, x1 and x2: neither", "+1 leaves 7", "x3 leaves 18"] {
            assert!(text.contains(reason), "{reason} at {size:?}\n{text}");
        }
    }
}

#[test]
fn a_strange_book_has_its_board_too() {
    let mut at = Try::new();
    let settings = [
        "moves=+1,+3,-2,x2,x3,/2,+10",
        "past=forbidden",
        "range=-50,1000",
        "start=-7",
        "passes=2",
        "no_repeat=own",
    ];
    sit_down(&mut at, "number-maze", &settings);
    at.keys("41");
    at.looks_like_when_large("board-strange");
}

/// For every book and window size: all moves and keys are visible, and players can finish the round.
#[test]
fn odd_books_at_any_size() {
    let books = [
        "target = 60\nstart = 1\nmoves = ['+1..9', 'x2..8']",
        "target = -999999999999999990\nstart = -1000000000000000000\nmoves = ['+1', '+3', '+7']",
        "target = -7\nstart = 40\nmoves = ['-1', '-2', '-5', '/2']\npast = 'forbidden'\nstuck = 'draws'",
        "start = 5\nrange = [0, 30]\nmoves = ['+1', '-1', 'x2']\nwinning = [17, 23]\nlosing = [13]\nrepetition = 3",
        "numbers = 'separate'\nstart = [1, 4]\ntarget = 30\nmoves = ['+2', 'x3', '-1']\nrange = [0, 50]\n\
         no_repeat = 'both'\nstuck = 'skips'\npasses = 1",
    ];
    for book in books {
        let mut at = Try::new();
        let text = format!("title = 'Odd'\n{book}\n");
        let rulebook = Draft::read("odd", &text).build().unwrap();
        at.sit_down(&text, |setup| setup.help.open = true);
        for turn in 0..60 {
            if at.text().contains("review") {
                break;
            }
            for size in [(60, 18), (80, 24), (103, 23), (104, 30), (131, 50), (300, 90)] {
                let text = super::text(&at.buffer(size));
                for (key, rule) in KEYS.chars().zip(rulebook.moves()) {
                    let key_shown = text.contains(&format!("╭ {key} ─"))
                        || text.contains(&format!(" {key} "))
                        || text.contains(&format!("▸{key} "));
                    assert!(key_shown && text.contains(&rule.label()), "{key} of {book} at {size:?}\n{text}");
                }
                assert!(text.contains("Esc leave") && text.contains("Odd"), "{text}");
            }
            at.keys(["1", "2", "3"][turn % 3]);
            at.keys("1");
        }
    }
}

/// A board against Pip, as Player 1.
fn against_pip(at: &mut Try, moves: &str) {
    let text = format!("title = 'Ten'\nstart = 0\ntarget = 10\n{moves}\n");
    at.sit_down(&text, |setup| {
        setup.computers[Player::Two] = Some(Opponent::parse("pip").unwrap());
        setup.names = ByPlayer(["Ann".to_owned(), "Pip".to_owned()]);
    });
}

/// The colour of some words.
fn tone_of(at: &mut Try, words: &str) -> Option<ratatui::style::Color> {
    let buffer = at.buffer(super::pictures::USUAL);
    let text = super::text(&buffer);
    let (y, line) = text.lines().enumerate().find(|(_, line)| line.contains(words)).expect(words);
    let x = line[..line.find(words).unwrap()].chars().count();
    buffer[(x as u16, y as u16)].style().fg
}

#[test]
fn a_win_is_green_and_a_loss_is_red() {
    let good = super::DARK.style(Tone::Good).fg;
    let bad = super::DARK.style(Tone::Bad).fg;
    let mut at = Try::new();
    against_pip(&mut at, "moves = ['+10', '+11']");
    at.keys("1");
    at.sees("Spot on. You win!");
    assert_eq!(tone_of(&mut at, "Spot on."), good);
    at.looks_like("board-won");
    let mut at = Try::new();
    against_pip(&mut at, "moves = ['+13', '+1']");
    at.keys("1");
    at.sees("Pip wins this one.");
    at.sees("You added 13 to 0 and overshot 10 by 3.");
    // The target is still visible.
    at.sees("◎");
    assert_eq!(tone_of(&mut at, "Pip wins this one."), bad);
    at.looks_like("board-lost");
    // No "Spot on." if landing on the target loses.
    let mut at = Try::new();
    against_pip(&mut at, "reach = 'loses'\nmoves = ['+10', '+1']");
    at.keys("1");
    assert!(!at.text().contains("Spot on."), "{}", at.text());
    let mut at = Try::new();
    against_pip(&mut at, "moves = ['+5']");
    at.keys("1");
    at.settle();
    at.sees("Pip wins this one.");
    assert!(!at.text().contains("Spot on."), "{}", at.text());
    let mut at = Try::new();
    against_pip(&mut at, "past = 'wins'\nmoves = ['+11', '+1']");
    at.keys("1");
    at.sees("You win!");
    assert!(!at.text().contains("Spot on."), "{}", at.text());
}

#[test]
fn two_people_are_called_by_name() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &["target=2"]);
    at.keys("1");
    at.sees("Spot on. Ann wins!");
}

/// A win shows sparks, and then nothing runs.
#[test]
fn a_flourish_ends() {
    let mut at = Try::new();
    at.app.world.motion = true;
    against_pip(&mut at, "moves = ['+10', '+11']");
    at.keys("1");
    let sparks = |at: &mut Try| at.text().matches('✦').count();
    let (mut seen, mut woken) = (0, 0);
    while let Some(due) = at.app.wakes_at() {
        at.app.wake(due);
        seen += sparks(&mut at);
        woken += 1;
        assert!(due < Duration::from_secs(3) && woken < 100);
    }
    assert!(seen > 0 && sparks(&mut at) == 0, "{seen}");
    for motion in [true, false] {
        let mut at = Try::new();
        at.app.world.motion = motion;
        against_pip(&mut at, "moves = ['+10', '+11']");
        at.keys("1");
        assert_eq!(at.app.wakes_at().is_some(), motion);
        // A key ends the animation.
        at.press(KeyCode::F(12));
        assert_eq!(at.app.wakes_at(), None);
    }
}

/// Opens a round with a forced ending.
fn plays_itself(at: &mut Try, target: u32) {
    at.sit_down(
        &format!("title = 'Steps'\nstart = 0\ntarget = {target}\nmoves = ['+1', '+9999']\n"),
        |setup| {
            setup.names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
        },
    );
}

#[test]
fn playing_it_out_can_be_watched() {
    let mut at = Try::new();
    at.app.world.motion = true;
    plays_itself(&mut at, 5);
    at.sees("Enter: play it out");
    at.enter();
    at.sees("The rest is forced");
    let mut seen = Vec::new();
    while let Some(due) = at.app.wakes_at() {
        at.app.wake(due);
        let text = at.text();
        let so_far = text.lines().find(|line| line.contains("Add 1,")).map(|line| line.trim().to_owned());
        seen.extend(so_far);
        assert!(due < Duration::from_secs(20));
    }
    seen.dedup();
    // Move by move, the first immediately.
    assert!(seen.len() >= 5, "{seen:?}");
    at.sees("Spot on. Ann wins!");
}

#[test]
fn playing_it_out_can_be_skipped() {
    for motion in [true, false] {
        let mut at = Try::new();
        at.app.world.motion = motion;
        plays_itself(&mut at, 5);
        at.enter();
        if motion {
            at.sees("Enter skip to end");
            at.enter();
        }
        at.sees("Spot on. Ann wins!");
    }
}

/// Playing out thousands of moves takes seconds.
#[test]
fn playing_out_a_long_round_takes_seconds() {
    let mut at = Try::new();
    at.app.world.motion = true;
    plays_itself(&mut at, 9001);
    at.enter();
    let mut last = Duration::ZERO;
    while let Some(due) = at.app.wakes_at() {
        at.app.wake(due);
        last = due;
        assert!(due < Duration::from_secs(12));
    }
    assert!(last > Duration::from_secs(3), "{last:?}");
    at.sees("Spot on. Ann wins!");
}

/// The verdict is never cut, at any window size.
#[test]
fn an_end_with_many_words_is_seen_whole() {
    let mut at = Try::new();
    against_pip(&mut at, "moves = ['+13', '+1', '+2', '+3', '+4', '+5', '+6', '+7']");
    at.keys("1");
    for size in [(60, 18), super::pictures::USUAL, (104, 30), (200, 60)] {
        let text = super::text(&at.buffer(size));
        for words in ["Pip wins this one.", "You added 13 to 0 and overshot 10 by 3.", "◎"] {
            assert!(text.contains(words), "{words} at {size:?}\n{text}");
        }
    }
}

/// Esc closes advice before it leaves the round.
#[test]
fn escape_closes_the_advice_first() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &[]);
    at.keys("1w");
    at.sees("Esc close");
    at.press(KeyCode::Esc);
    at.sees("Esc leave");
    at.sees("turn.");
    at.press(KeyCode::Esc);
    at.sees("Round saved.");
}

/// Holding Enter never overshoots the target.
#[test]
fn the_cursor_leaves_a_move_that_goes_past() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &["start=19", "moves=['x2', '+1']"]);
    at.sees("38, past 20");
    at.sees("▸ Add 1");
}

/// If a player gives up before the first move, there is no consolation and no review of choices.
#[test]
fn giving_up_before_the_first_move_is_just_that() {
    let mut at = Try::new();
    against_pip(&mut at, "moves = ['+5']");
    at.keys("gg");
    at.sees("Pip wins this one.");
    at.sees_not("fault");
    at.sees_not("Tough seat");
    at.keys("r");
    at.sees("No moves were made");
    at.sees_not("No choice");
    at.sees("p play on");
    at.keys("?");
    at.sees("Rules: Ten");
}

#[test]
fn the_winner_is_named_once() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &["target=2"]);
    at.keys("1");
    assert_eq!(at.text().matches("wins").count(), 1, "{}", at.text());
}

/// The line leaves out an end of the range if it is out of reach.
#[test]
fn a_countdown_line_begins_at_the_start() {
    let mut at = Try::new();
    sit_down(&mut at, "fair-shares", &[]);
    at.sees_not("100");
    at.sees("Take away a divisor.");
}

/// A losing target looks different, and each line shows its owner's name.
#[test]
fn a_number_to_keep_away_from_looks_like_one() {
    let mut at = Try::new();
    sit_down(&mut at, "two-castles", &[]);
    at.sees("╳──");
    at.sees_not("◎");
    at.sees("0  Ann");
    at.sees("0  Ben");
}

/// A preview past the target shows its result there.
#[test]
fn a_preview_past_the_target_is_shown_in_place() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &["start=16"]);
    at.press(KeyCode::Right);
    at.sees("◎───────»");
    at.sees("20      32");
}
