//! Today's duel on Home and on the board.

use ratatui::crossterm::event::KeyCode;

use super::Try;
use crate::progress::Progress;
use crate::save::Save;
use crate::screen::canvas::words_that_fit;
use crate::screen::home::todays_duel;

fn sit_down(at: &mut Try) {
    at.open(|world| Box::new(todays_duel(world).unwrap()));
    if at.text().contains("Press Enter to start") {
        at.enter();
    }
    at.settle();
}

/// Plays the best move of the reasons until the round is over.
fn win(at: &mut Try) {
    for _ in 0..40 {
        if at.text().contains("Esc home") {
            return;
        }
        at.keys("w");
        let text = at.text();
        let best = text.lines().skip(3).find_map(|line| {
            let first = line.trim_start_matches(['│', ' ']).split(' ').next()?;
            first.starts_with(['+', '-', 'x']).then(|| first.to_owned())
        });
        at.press(KeyCode::Esc);
        let best = best.unwrap_or_else(|| panic!("no reason in\n{text}"));
        for letter in best.chars() {
            at.press(KeyCode::Char(letter));
        }
        if at.text().contains("Esc cancel") {
            at.enter();
        }
        at.settle();
    }
    panic!("the round never ends:\n{}", at.text());
}

#[test]
fn home_offers_it_and_shows_the_result() {
    let mut at = Try::new();
    at.sees("Today's duel     a new game every day, for everyone");
    at.press(KeyCode::Down);
    at.enter();
    at.settle();
    at.sees("Today's duel, 15 Nov");
    at.sees("You go first. This one counts: hints are recorded");
    at.looks_like_when_large("today-card");
    at.looks_like_when_small("today-card");
    at.enter();
    at.looks_like_when_large("today-begins");
    at.looks_like_when_small("today-begins");
    at.sees_not("u undo");
    at.keys("gg");
    at.sees("Spot On 15 Nov · +2 +3 +5 +9 +digit to 57, no multiples of 5");
    at.sees("gave up after 0");
    at.sees("Win the next duel to start a streak.");
    at.sees_not("n new target");
    at.press(KeyCode::Esc);
    at.sees("Today's duel     gave up after 0 moves, no hints today");
    assert!(at.app.world.line.as_ref().unwrap().ends_with("gave up after 0 moves, no hints"));
    // The line can be shown again and copied.
    at.enter();
    at.looks_like_when_large("today-played");
    at.sees("gave up after 0 moves, no hints");
    at.sees("Win the next duel to start a streak.");
    // Practice doesn't change the result.
    at.enter();
    at.sees("Today's duel, 15 Nov (practice)");
    at.sees("This is practice and doesn't count.");
    at.sees("u undo");
    at.keys("gg");
    at.sees("(practice)");
    assert!(at.app.world.line.as_ref().unwrap().ends_with("gave up after 0 moves, no hints"));
    at.press(KeyCode::Esc);
    // After midnight there is a new duel.
    at.app.world.today = || "2026-11-16".parse().unwrap();
    at.keys("?");
    at.press(KeyCode::Esc);
    at.sees("Today's duel     a new game every day, for everyone");
}

#[test]
fn a_resumed_duel_keeps_its_hints() {
    let mut at = Try::new();
    sit_down(&mut at);
    at.keys("h");
    at.press(KeyCode::Esc);
    at.press(KeyCode::Esc);
    at.sees("Today's duel     resume where you left off");
    at.sees("Round saved. Choose Today's duel to resume.");
    at.sees_not("Continue");
    sit_down(&mut at);
    assert_eq!(Save::all(&at.app.world.folders.saves().unwrap()).unwrap().len(), 1);
    at.keys("m");
    at.sees("No ideas or map while today's duel counts. h and w work, but are recorded.");
    at.keys("i");
    at.sees("No ideas or map while today's duel counts.");
    win(&mut at);
    at.sees("Your streak: 1 day.");
    let line = at.app.world.line.clone().unwrap();
    let (_, score) = line.rsplit_once(" · ").unwrap();
    assert!(score.starts_with("won in ") && !score.ends_with("no hints"), "{line}");
    at.keys("m");
    at.sees("Map");
    at.press(KeyCode::Esc);
    at.press(KeyCode::Esc);
    at.sees("; streak: 1 day");
    // On the next day, the streak is at stake.
    at.app.world.today = || "2026-11-16".parse().unwrap();
    at.keys("?");
    at.press(KeyCode::Esc);
    at.sees("win to keep your streak of 1 day");
}

#[test]
fn the_end_of_it() {
    let mut at = Try::new();
    sit_down(&mut at);
    win(&mut at);
    at.looks_like_when_large("today-won");
    at.looks_like_in_ascii("today-won-ascii");
}

#[test]
fn in_discovery_nothing_is_given_away() {
    let mut at = Try::new();
    at.keys("d");
    sit_down(&mut at);
    at.sees("(discovery)");
    at.sees_not("h hint");
    at.sees_not("w why");
    at.keys("w");
    at.sees("Discovery mode is on: no hints or answers.");
    at.sees("Turn it off with d on Home.");
    at.keys("i");
    at.sees("No ideas or map while today's duel counts.");
}

#[test]
fn a_day_before_the_last_that_counted_promises_nothing() {
    let mut at = Try::new();
    Progress::remember(&at.app.world.folders, "today", "2026-11-16 won 9 1 3 7").unwrap();
    at.restart();
    at.sees("Today's duel     practice: you've finished a later duel");
    sit_down(&mut at);
    at.sees("This is practice and doesn't count.");
}

#[test]
fn a_duel_that_cannot_be_saved_does_not_count() {
    let mut at = Try::new();
    std::fs::create_dir_all(&at.folder).unwrap();
    std::fs::write(at.app.world.folders.progress().unwrap(), "no seal\n").unwrap();
    at.open(|world| Box::new(todays_duel(world).unwrap()));
    at.sees("You go first. It can't be saved, so your streak");
    at.sees_not("It counts");
}

#[test]
fn an_earlier_unfinished_duel_is_labelled() {
    let mut at = Try::new();
    sit_down(&mut at);
    at.keys("1");
    at.settle();
    at.press(KeyCode::Esc);
    at.app.world.today = || "2026-11-16".parse().unwrap();
    at.keys("?");
    at.press(KeyCode::Esc);
    at.click("Continue");
    at.sees("This is the duel of 15 Nov. It counts if you finish it");
    at.enter();
    at.sees("Your turn");
    at.sees("Moves");
    at.sees("The duel of 15 Nov");
}

/// A duel that counts has no undo, so a stray Enter does nothing.
#[test]
fn a_held_enter_makes_no_move() {
    for day in ["2026-11-15", "2026-11-18"] {
        let mut at = Try::new();
        at.app.world.today = if day.ends_with("15") {
            || "2026-11-15".parse().unwrap()
        } else {
            || "2026-11-18".parse().unwrap()
        };
        at.press(KeyCode::Down);
        at.enter();
        at.settle();
        at.sees("Press Enter to start");
        at.sees_not("Otto: ");
        // Nothing has started, so there is nothing to save.
        for key in "123+gghwu".chars() {
            at.press(KeyCode::Char(key));
        }
        at.sees("Press Enter to start");
        at.press(KeyCode::Esc);
        at.sees("Today's duel     a new game every day");
        for _ in 0..6 {
            at.enter();
            at.settle();
        }
        at.sees("Choose a move first.");
        at.sees("Your turn");
        at.sees_not("You: ");
        let cursors = |at: &mut Try| at.text().matches('▸').count();
        assert_eq!(cursors(&mut at), 1, "it only shows whose turn it is");
        at.press(KeyCode::Right);
        assert_eq!(cursors(&mut at), 2);
        at.enter();
        at.settle();
        at.enter();
        at.sees("Choose a move first.");
        assert_eq!(at.text().matches("You: ").count(), 0, "the computer moved last");
    }
}

/// The same if the computer goes first.
#[test]
fn the_rules_appear_on_the_first_turn() {
    let mut at = Try::new();
    at.app.world.today = || "2026-11-18".parse().unwrap();
    sit_down(&mut at);
    at.sees("Otto: ");
    at.sees("Moves: +2, +3, +4 and +8.");
    at.keys("2");
    at.settle();
    at.sees_not("+4 and +8");
}

/// On the computer's turn, "your last move" would be wrong.
#[test]
fn on_the_computers_turn_the_menu_speaks_of_its_moves() {
    let mut at = Try::new();
    at.app.world.today = || "2026-11-16".parse().unwrap();
    sit_down(&mut at);
    at.keys("1");
    at.settle();
    at.sees("it was your own last move");
    at.app.world.motion = true;
    at.keys("3");
    at.sees("Otto is thinking");
    at.sees("it was Otto's own last move");
    at.sees_not("your own last move");
}

#[test]
fn text_that_does_not_fit_ends_at_a_word() {
    assert_eq!(words_that_fit("the duel of 15 Nov", 18), "the duel of 15 Nov");
    assert_eq!(words_that_fit("the duel of 15 Nov", 17), "the duel of ...");
    assert_eq!(words_that_fit("Number Maze: Anneliese and Ben", 24), "Number Maze ...");
    assert_eq!(words_that_fit("Anneliese", 5), " ...");
}
