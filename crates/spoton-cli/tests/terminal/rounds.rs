//! Rounds in lines, and what is asked before, between and after them.

use expectrl::Expect;

use crate::support::Folder;
use crate::{run, shell, type_line, until, without_colours};

#[test]
fn a_round_in_the_same_words_and_another_one() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    type_line(&mut terminal, "spoton play number-maze --target 3");
    let mut seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Type help at any time"), "{seen}");
    // A slip is taken back with the backspace key, and the line before comes back with the arrow key.
    terminal.send("x3\x7f2\r").unwrap();
    seen += &until(&mut terminal, "(1 or 2): ");
    terminal.send("\x1b[A\r").unwrap();
    seen += &until(&mut terminal, "(r looks back) ");
    let plain = without_colours(&seen);
    let expected = "\
New Current Number: 4

Player 2 has exceeded the goal number!
Player 1 wins the game!

Again? [Y/n] (r looks back) ";
    assert!(plain.ends_with(expected), "{plain}");
    assert!(
        plain.contains(
            "Welcome to Number Maze!\nGoal Number: 3\nStarting Number: 1\n\n-- Player 1's Turn --\n"
        ),
        "{plain}"
    );
    assert!(seen.contains("\x1b["), "there are colours");
    type_line(&mut terminal, "");
    let seen = without_colours(&until(&mut terminal, "(1 or 2): "));
    assert!(seen.contains("-- Player 2's Turn --\nCurrent Number: 1\n"), "the other player starts: {seen}");
    type_line(&mut terminal, "resign");
    until(&mut terminal, "(r looks back) ");
    type_line(&mut terminal, "maybe");
    until(&mut terminal, "Please answer y or n; r looks back");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
    assert_eq!(folder.saves().len(), 0);
}

#[test]
fn play_alone_offers_the_games_and_starts_one() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    type_line(&mut terminal, "spoton play");
    let list = until(&mut terminal, "or q to leave: ");
    assert!(list.contains("Double or Add: The Race to 20"), "{list}");
    type_line(&mut terminal, "5");
    until(&mut terminal, "two people here? (1 or 2): ");
    type_line(&mut terminal, "2");
    until(&mut terminal, "Enter your choice (1 or 2): ");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

#[test]
fn against_the_computer_the_seat_is_asked_for() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs careful");
    let asked = until(&mut terminal, "first or second? (1 or 2): ");
    assert!(asked.contains("Add 1 or Multiply by 2") && asked.contains("Land exactly on 20"), "{asked}");
    type_line(&mut terminal, "2");
    let seen = until(&mut terminal, "-- Player 1's Turn --");
    assert!(seen.contains("Careful plays ") && !seen.contains("Careful's Turn"), "{seen}");
    // Only the line editor takes this for the end of the input; wait for it.
    until(&mut terminal, "(1 or 2): ");
    terminal.send("\x04").unwrap();
    until(&mut terminal, "READY> ");
}

#[test]
fn the_end_that_plays_itself_is_announced_once() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play double-or-add --set start=15");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("From here it is +1 all the way: finish"), "{seen}");
    type_line(&mut terminal, "+1");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(!seen.contains("all the way"), "{seen}");
    type_line(&mut terminal, "finish");
    let seen = until(&mut terminal, "(r looks back) ");
    assert!(seen.contains("wins the game!"), "{seen}");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
}

#[test]
fn an_idea_that_fails_can_be_played_out() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play race-to-23");
    until(&mut terminal, "3 or 4): ");
    type_line(&mut terminal, "idea leave 3 9");
    let seen = until(&mut terminal, "from there? [y/N] ");
    assert!(seen.contains("Not true: if you leave 9, the other player can force a win."), "{seen}");
    type_line(&mut terminal, "y");
    let seen = until(&mut terminal, "Your move (+1, +2, +3 or +4): ");
    assert!(seen.contains("You have left 9.") && seen.contains("I play +4: 13."), "{seen}");
    type_line(&mut terminal, "+1");
    until(&mut terminal, "I play +4: 18.");
    until(&mut terminal, "Your move");
    type_line(&mut terminal, "quit");
    let seen = until(&mut terminal, "3 or 4): ");
    assert!(seen.contains("Back to your round.") && seen.contains("The number is 0."), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

#[test]
fn whoever_waits_for_a_program_sees_how_far_it_is() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    type_line(&mut terminal, "spoton bench 'exec:cat >/dev/null' --move-time 3000 --tries 0; echo status $?");
    until(&mut terminal, "Round 1 of 100: bench-1-01: waiting for an answer, ");
    let said = until(&mut terminal, "status 3");
    assert!(said.contains("\r\x1b[Kspoton: ") && said.contains("flush=True"), "{said:?}");
}

#[test]
fn a_long_search_shows_how_far_it_is() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    // Left alone, this takes more than a minute.
    let args = "--target 900000 --set no_repeat=both --set moves=+1..16";
    type_line(&mut terminal, &format!("spoton solve maze {args}"));
    let seen = until(&mut terminal, "positions");
    assert!(seen.contains("Looking ahead: "), "{seen}");
    terminal.send("\x03").unwrap();
    until(&mut terminal, "READY> ");
    let told = run(&mut terminal, "echo STATUS=$?");
    assert!(told.contains("STATUS=130"), "{told}");
}

#[test]
fn the_round_can_be_looked_back_on_and_played_on_from_its_turning_point() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --target 10 --names Ann,Ben");
    for answer in ["x2", "x2", "+1", "x2"] {
        until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, answer);
    }
    until(&mut terminal, "(r looks back) ");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "turning point? [y/N] ");
    assert!(seen.contains("One of Ann's choices mattered. It could have gone better."), "{seen}");
    assert!(seen.contains("The turning point: at 4, Ann chose +1."), "{seen}");
    assert!(seen.contains("Better: x2 leaves 8: whatever Ben does, Ann can force a win."), "{seen}");
    type_line(&mut terminal, "y");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("-- Ann's Turn --") && seen.contains("Current Number: 4"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// Whoever had the win in their hands after all is not told that it was not their fault.
#[test]
fn a_mistake_in_a_lost_seat_is_a_mistake() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs dash:slip=0 --first 1 --target 7");
    // 1, 2, 4, 5: x2 is the biggest step, and from 5 it would go past 7.
    for answer in ["+1", "+1", "resign"] {
        until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, answer);
    }
    let seen = until(&mut terminal, "r looks back) ");
    assert!(seen.contains("It was a hard seat: whoever goes first here cannot win"), "{seen}");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "r looks back) ");
    assert!(seen.contains("You gave up at 6, where you could still force a win."), "{seen}");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
}

/// The review is about whoever sat there, even where somebody else sits there next time.
#[test]
fn the_adaptive_opponent_changes_after_the_look_back() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    let game = "spoton play number-maze --set moves=+1,+2,x3 --target 3 --vs adaptive --first 1 --discover";
    type_line(&mut terminal, game);
    let seen = until(&mut terminal, "): ");
    assert!(seen.contains("Discovery is on: find the secret yourselves."), "{seen}");
    type_line(&mut terminal, "+2");
    let seen = until(&mut terminal, "r looks back) ");
    assert!(seen.contains("Next time you meet Dash."), "{seen}");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "r looks back) ");
    assert!(seen.contains("Discovery is on: no hints or answers.") && !seen.contains("Dash"), "{seen}");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
}

#[test]
fn somebody_who_says_nothing_is_asked_against_whom() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play");
    until(&mut terminal, "or q to leave: ");
    type_line(&mut terminal, "maze");
    until(&mut terminal, "two people here? (1 or 2): ");
    type_line(&mut terminal, "1");
    until(&mut terminal, "first or second? (1 or 2): ");
    type_line(&mut terminal, "2");
    let seen = until(&mut terminal, "-- Player 1's Turn --");
    assert!(seen.contains("Pip plays"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// In a game too large to be seen through, nobody claims to see through it.
#[test]
fn a_habit_that_cannot_be_kept_is_not_claimed() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play maze --target 1000000000000 --set passes=1 --vs easy --first 1");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Pip cannot solve a game this large") && !seen.contains("helps you"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

#[test]
fn a_seat_that_could_not_win_is_no_shame() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs hard --first 1 --target 15");
    until(&mut terminal, "(1 or 2): ");
    // Without a move there would be nothing to be consoled for.
    type_line(&mut terminal, "1");
    until(&mut terminal, "(1 or 2): ");
    type_line(&mut terminal, "resign");
    let seen = until(&mut terminal, "[Y/n] (s keeps the seats, r looks back) ");
    assert!(
        seen.contains("It was not your fault: whoever goes first here cannot win against perfect play."),
        "{seen}"
    );
    assert!(seen.contains("Swap seats and play again?"), "{seen}");
    type_line(&mut terminal, "y");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Sage plays"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

#[test]
fn a_computers_turn_is_one_line() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    folder.write(
        "duel.toml",
        "title = 'Duel'\nnumbers = 'separate'\nstart = 10\ntarget = 0\nrange = [0, 20]\nstuck = 'skips'\n\
         moves = [{ op = '-3', on = 'other', uses = 1 }, { op = '-2', uses = 1 }, '-1']\nno_repeat = 'both'\n",
    );
    type_line(&mut terminal, "spoton play duel.toml --vs momo --first 2 --seed 1");
    let seen = until(&mut terminal, "Player 1's turn");
    let lines: Vec<&str> = seen.lines().filter(|line| line.contains("Momo plays")).collect();
    let [line] = lines[..] else { panic!("not one line of Momo's: {seen}") };
    let plays = [
        "Momo plays -3 on your number, from 10 to 7.",
        "Momo plays -2, from 10 to 8.",
        "Momo plays -1, from 10 to 9.",
    ];
    assert!(plays.contains(&line.trim_end()), "{line}");
    assert!(!seen.contains("not now"), "the computer's menu is shown: {seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// Going first wins to 10. Somebody who lost from there gets another chance, and may swap seats.
#[test]
fn after_a_loss_the_seat_that_can_win_stays() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs hard --first 1 --target 10");
    until(&mut terminal, "(1 or 2): ");
    for _ in 0..2 {
        type_line(&mut terminal, "resign");
        until(&mut terminal, "Again? [Y/n] (s swaps seats, r looks back) ");
        type_line(&mut terminal, "");
        let seen = until(&mut terminal, "(1 or 2): ");
        assert!(!seen.contains("Sage"), "{seen}");
    }
    type_line(&mut terminal, "resign");
    until(&mut terminal, "Again? [Y/n] (s swaps seats, r looks back) ");
    type_line(&mut terminal, "s");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Sage"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// On a terminal; piped, the book has its own words and no others.
#[test]
fn a_target_that_nobody_can_land_on_is_told() {
    const LINE: &str = "Nobody can land on 23. The player who overshoots loses.";
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play operation-target");
    let seen = until(&mut terminal, "Enter the number of your chosen operation: ");
    assert!(seen.contains(LINE), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
    type_line(&mut terminal, "spoton play operation-target --vs easy");
    let seen = until(&mut terminal, "first or second? (1 or 2): ");
    assert!(seen.contains(LINE) && !seen.contains("Land exactly on 23"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
    type_line(&mut terminal, "echo quit | spoton play operation-target 2>&1 | cat; echo 'DO''NE'");
    let seen = until(&mut terminal, "DONE");
    assert!(seen.contains("Game Start!") && !seen.contains("Nobody can land"), "{seen}");
}
