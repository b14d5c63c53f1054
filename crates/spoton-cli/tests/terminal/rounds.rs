//! Rounds in line mode, and the questions before, between and after them.

use expectrl::Expect;

use crate::support::Folder;
use crate::terminal::{run, shell, type_line, until, without_colours};

#[test]
fn a_round_in_the_same_words_and_another_one() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    type_line(&mut terminal, "spoton play number-maze --target 3");
    let mut seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Type help at any time"), "{seen}");
    // Backspace edits the line, and the arrow key recalls the previous one.
    terminal.send("x3\x7f2\r").unwrap();
    seen += &until(&mut terminal, "(1 or 2): ");
    terminal.send("\x1b[A\r").unwrap();
    seen += &until(&mut terminal, "(r: review) ");
    let plain = without_colours(&seen);
    let expected = "\
New Current Number: 4

Player 2 has exceeded the goal number!
Player 1 wins the game!

Play again? [Y/n] (r: review) ";
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
    assert!(seen.contains("-- Player 2's Turn --\nCurrent Number: 1\n"), "the opponent starts: {seen}");
    type_line(&mut terminal, "resign");
    until(&mut terminal, "(r: review) ");
    type_line(&mut terminal, "maybe");
    until(&mut terminal, "Type y or n, r for the review");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
    assert_eq!(folder.saves().len(), 0);
}

#[test]
fn play_alone_offers_the_games_and_starts_one() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play");
    let list = until(&mut terminal, "or q to quit: ");
    assert!(list.contains("Double or Add: The Race to 20"), "{list}");
    type_line(&mut terminal, "5");
    until(&mut terminal, "a friend here? (1 or 2): ");
    type_line(&mut terminal, "2");
    until(&mut terminal, "(or press Enter): ");
    type_line(&mut terminal, "Ann,Ann");
    until(&mut terminal, "Type two different names");
    type_line(&mut terminal, "Ann, Ben");
    let seen = until(&mut terminal, "Enter your choice (1 or 2): ");
    assert!(seen.contains("It's Ann's turn."), "{seen}");
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
    // Only the line editor treats this as end of input, so wait for it.
    until(&mut terminal, "(1 or 2): ");
    terminal.send("\x04").unwrap();
    until(&mut terminal, "READY> ");
}

#[test]
fn the_end_that_plays_itself_is_announced_once() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play double-or-add --rule start=15");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("From here it's +1 all the way: finish"), "{seen}");
    type_line(&mut terminal, "+1");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(!seen.contains("all the way"), "{seen}");
    type_line(&mut terminal, "finish");
    let seen = until(&mut terminal, "(r: review) ");
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
    assert!(seen.contains("Not true: if you leave 9, your opponent can force a win."), "{seen}");
    type_line(&mut terminal, "y");
    let seen = until(&mut terminal, "Your move (+1, +2, +3 or +4): ");
    assert!(seen.contains("You left 9.") && seen.contains("I play +4: 13."), "{seen}");
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
fn waiting_for_a_program_shows_progress() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    type_line(
        &mut terminal,
        "spoton bot bench 'exec:cat >/dev/null' --move-time 3000 --tries 0; echo status $?",
    );
    until(&mut terminal, "Round 1 of 100: bench-1-01: waiting for an answer (");
    let said = until(&mut terminal, "status 3");
    assert!(said.contains("\r\x1b[Kspoton: ") && said.contains("flush=True"), "{said:?}");
}

#[test]
fn a_long_search_shows_how_far_it_is() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    // This takes more than a minute.
    let args = "--target 900000 --rule no_repeat=both --rule moves=+1..16 --rule 'losing=multiples of 7000'";
    type_line(&mut terminal, &format!("spoton solve maze {args}"));
    let seen = until(&mut terminal, "positions");
    assert!(seen.contains("Solving: "), "{seen}");
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
    until(&mut terminal, "(r: review) ");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "turning point? [y/N] ");
    assert!(seen.contains("One of Ann's choices mattered. There was a better move."), "{seen}");
    assert!(seen.contains("Turning point: at 4, Ann chose +1."), "{seen}");
    assert!(seen.contains("Better: x2 leaves 8: Ann can force a win."), "{seen}");
    type_line(&mut terminal, "y");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("-- Ann's Turn --") && seen.contains("Current Number: 4"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// Spot On never tells a player who could have won that they couldn't.
#[test]
fn a_mistake_in_a_lost_seat_is_a_mistake() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs dash:slip=0 --first 1 --target 7");
    // The numbers are 1, 2, 4, 5: x2 is the biggest step, and from 5 it would go past 7.
    for answer in ["+1", "+1", "resign"] {
        until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, answer);
    }
    let seen = until(&mut terminal, "r: review) ");
    assert!(seen.contains("Tough seat. Going first, you can't win here"), "{seen}");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "r: review) ");
    assert!(seen.contains("You gave up at 6, but could still force a win."), "{seen}");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
}

/// The review names the opponent of that round, not the next one.
#[test]
fn the_adaptive_opponent_changes_after_the_look_back() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    let game = "spoton play number-maze --rule moves=+1,+2,x3 --target 3 --vs adaptive --first 1 --discover";
    type_line(&mut terminal, game);
    let seen = until(&mut terminal, "): ");
    assert!(seen.contains("Discovery mode is on. To turn it off: "), "{seen}");
    type_line(&mut terminal, "+2");
    let seen = until(&mut terminal, "r: review) ");
    assert!(seen.contains("Next opponent: Dash."), "{seen}");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "r: review) ");
    assert!(seen.contains("Discovery mode is on: no hints or answers.") && !seen.contains("Dash"), "{seen}");
    type_line(&mut terminal, "n");
    until(&mut terminal, "READY> ");
}

#[test]
fn without_an_option_the_program_asks_for_the_opponent() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play");
    until(&mut terminal, "or q to quit: ");
    type_line(&mut terminal, "maze");
    until(&mut terminal, "a friend here? (1 or 2): ");
    type_line(&mut terminal, "1");
    until(&mut terminal, "first or second? (1 or 2): ");
    type_line(&mut terminal, "2");
    let seen = until(&mut terminal, "-- Player 1's Turn --");
    assert!(seen.contains("Pip plays"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// In a game too large to solve, no opponent claims to solve it.
#[test]
fn no_opponent_claims_to_solve_a_game_that_is_too_large() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play maze --target 1000000000000 --rule passes=1 --vs easy --first 1");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Pip can't solve a game this large") && !seen.contains("helps you"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

#[test]
fn a_loss_from_a_lost_seat_gets_a_consolation() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs hard --first 1 --target 15");
    until(&mut terminal, "(1 or 2): ");
    // If a player gives up before the first move, there is no consolation.
    type_line(&mut terminal, "1");
    until(&mut terminal, "(1 or 2): ");
    type_line(&mut terminal, "resign");
    let seen = until(&mut terminal, "[Y/n] (s: keep seats, r: review) ");
    assert!(
        seen.contains("It wasn't your fault. Going first, you can't win here against perfect play."),
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
    let seen = until(&mut terminal, "Your turn.");
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

/// The original dialogues: one line on a terminal, the whole menu with the typed answer on a pipe.
#[test]
fn a_computers_turn_is_one_line_in_the_original_dialogues_too() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    for (game, plays, prompt, piped) in [
        (
            "operation-target",
            "x2, from 1 to 2.",
            "Enter the number of your chosen operation: ",
            "Perfect's Turn:\nPrevious Operation: None\nAvailable Operations: [1] Add 1, [2] Multiply by 2\n\
             Enter the number of your chosen operation: 2\nPerfect chose to Multiply by 2.\n",
        ),
        (
            "target-twenty-one",
            "x3, from 0 to 0.",
            "Player 1, choose operation (add/multiply): ",
            "Perfect, choose operation (add/multiply): multiply\nChoose a number (1-3): 3\nNew Value: 0\n",
        ),
        (
            "sequence-math-duel",
            "x2, from 1 to 2.",
            "Enter 1 or 2: ",
            "Perfect, it's your turn.\nPerfect's Current Number: 1\nChoose an operation:\n1. Add 1\n\
             2. Multiply by 2\nEnter 1 or 2: 2\nPerfect chose to multiply by 2.\n",
        ),
        (
            "double-or-add",
            "x2, from 1 to 2.",
            "Enter your choice (1 or 2): ",
            "It's Perfect's turn.\nChoose an operation:\n1. Add 1\n2. Multiply by 2\n\
             Enter your choice (1 or 2): 2\nPerfect chose to Multiply by 2.\n",
        ),
        (
            "number-maze",
            "x2, from 1 to 2.",
            "Enter your choice (1 or 2): ",
            "-- Perfect's Turn --\nCurrent Number: 1\nChoose an operation:\n1. Add 1\n2. Multiply by 2\n\
             Enter your choice (1 or 2): 2\nPerfect chose to Multiply by 2.\n",
        ),
    ] {
        let command = format!("spoton play {game} --vs perfect --first 2 --seed 1");
        type_line(&mut terminal, &command);
        let seen = without_colours(&until(&mut terminal, prompt));
        let lines: Vec<&str> = seen.lines().filter(|line| line.starts_with("Perfect ")).collect();
        assert!(lines.contains(&format!("Perfect plays {plays}").as_str()), "{game}: {seen}");
        assert!(!seen.contains("Perfect chose") && !seen.contains("Perfect's"), "{game}: {seen}");
        type_line(&mut terminal, "quit");
        until(&mut terminal, "READY> ");
        type_line(&mut terminal, &format!("{command} < /dev/null | cat; echo 'DO''NE'"));
        let seen = without_colours(&until(&mut terminal, "DONE"));
        assert!(seen.contains(piped) && !seen.contains("Perfect plays"), "{game}: {seen}");
        until(&mut terminal, "READY> ");
    }
}

/// Going first wins the race to 10. A player who lost from that seat keeps it, but may swap.
#[test]
fn after_a_loss_the_seat_that_can_win_stays() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play number-maze --vs hard --first 1 --target 10");
    until(&mut terminal, "(1 or 2): ");
    for _ in 0..2 {
        type_line(&mut terminal, "resign");
        until(&mut terminal, "Play again? [Y/n] (s: swap seats, r: review) ");
        type_line(&mut terminal, "");
        let seen = until(&mut terminal, "(1 or 2): ");
        assert!(!seen.contains("Sage"), "{seen}");
    }
    type_line(&mut terminal, "resign");
    until(&mut terminal, "Play again? [Y/n] (s: swap seats, r: review) ");
    type_line(&mut terminal, "s");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("Sage"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// Appears only on a terminal; a pipe gets the book's dialogue and nothing else.
#[test]
fn an_unreachable_target_is_announced() {
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
    until(&mut terminal, "READY> ");
    // In discovery mode, the players find out.
    for (command, question) in [
        ("spoton play operation-target --vs easy --discover=on", "first or second? (1 or 2): "),
        ("spoton play operation-target", "Enter the number of your chosen operation: "),
    ] {
        type_line(&mut terminal, command);
        let seen = until(&mut terminal, question);
        assert!(!seen.contains("can land on"), "{seen}");
        type_line(&mut terminal, "quit");
        until(&mut terminal, "READY> ");
    }
}

#[test]
fn an_unplayable_game_is_reported_before_the_first_question() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    folder.write(
        "mine.toml",
        "title = 'My Game'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']\npast = 'forbidden'\n",
    );
    type_line(&mut terminal, "spoton play mine.toml --vs easy");
    let seen = until(&mut terminal, "first or second? (1 or 2): ");
    assert!(seen.contains("The first player can't move, so this game can't be played."), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}
