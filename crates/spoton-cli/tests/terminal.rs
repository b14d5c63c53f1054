//! Line mode on a real pseudo-terminal: editing, colours, offers, signals, sizes, suspending.
#![cfg(target_os = "linux")]

mod support;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;
use std::time::Instant;

use expectrl::{Expect, Session};
use rustix::termios::{Action, LocalModes, tcflow, tcgetattr};
use support::{Folder, PATIENCE, PAUSE, wait_for};

type Terminal = expectrl::session::OsSession;

/// A shell on a terminal, with the program by its name and a data folder of its own.
fn shell(folder: &Folder, env: &[(&str, &str)]) -> Terminal {
    let mut command = Command::new("bash");
    command.args(["--norc", "--noprofile", "-i"]).current_dir(folder.path());
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    command
        .env("PATH", path)
        .env("XDG_DATA_HOME", folder.path())
        .env("PS1", "READY> ")
        .env("TERM", "xterm-256color");
    command.env("HISTFILE", "").env_remove("NO_COLOR").env_remove("PROMPT_COMMAND");
    for (name, value) in env {
        command.env(name, value);
    }
    let mut terminal: Terminal = Session::spawn(command).unwrap();
    terminal.get_process_mut().set_window_size(100, 40).unwrap();
    until(&mut terminal, "READY> ");
    terminal
}

/// Waits for a text and returns everything up to and with it.
#[track_caller]
fn until(terminal: &mut Terminal, text: &str) -> String {
    let begun = Instant::now();
    loop {
        let found = terminal.check(text).unwrap_or_else(|error| panic!("{text:?} did not come: {error}"));
        if !found.as_bytes().is_empty() {
            return String::from_utf8_lossy(found.as_bytes()).into_owned();
        }
        if begun.elapsed() > PATIENCE {
            let there = terminal.check(expectrl::Regex("(?s-u).+")).unwrap();
            panic!("{text:?} did not come; there is {:?}", String::from_utf8_lossy(there.as_bytes()));
        }
        // Asking without a pause would take the time from the program that is waited for.
        std::thread::sleep(PAUSE);
    }
}

fn type_line(terminal: &mut Terminal, line: &str) {
    terminal.send(format!("{line}\r")).unwrap();
}

/// Runs a command in the shell and returns what it printed.
fn run(terminal: &mut Terminal, command: &str) -> String {
    type_line(terminal, &format!("{command}; echo D''ONE"));
    let printed = until(terminal, "DONE");
    until(terminal, "READY> ");
    printed
}

fn settings(terminal: &mut Terminal) -> String {
    let printed = run(terminal, "stty -g");
    let settings = printed.lines().find(|line| line.matches(':').count() > 10).map(str::trim);
    settings.unwrap_or_else(|| panic!("no settings in {printed:?}")).to_owned()
}

/// The program that the shell runs.
fn program_of(terminal: &Terminal) -> String {
    let shell = terminal.get_process().pid();
    let children = fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    children.trim().to_owned()
}

/// The side of the terminal that the programs on it see.
fn their_side(terminal: &Terminal) -> File {
    // O_NOCTTY: it is not to become the terminal of the test.
    let options = File::options().read(true).write(true).custom_flags(0o400).clone();
    options.open(format!("/proc/{}/fd/0", terminal.get_process().pid())).unwrap()
}

/// How many bytes a program has read since it began.
fn has_read(program: &str) -> u64 {
    let told = fs::read_to_string(format!("/proc/{program}/io")).unwrap();
    told.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

/// Whether the first thread of a program waits for something.
fn waits_for_something(program: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{program}/task/{program}/stat")).unwrap();
    stat.rsplit(')').next().unwrap().trim_start().starts_with('S')
}

fn send_signal(signal: &str, program: &str) {
    assert!(Command::new("kill").args(["-s", signal, program]).status().unwrap().success());
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        plain.push_str(&rest[..at]);
        let sequence = &rest[at..];
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |end| end + 1);
        rest = &sequence[end..];
    }
    (plain + rest).replace('\r', "")
}

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
    assert!(seen.contains("-- Careful's Turn --") && seen.contains("Careful chose to"), "{seen}");
    // Only the line editor takes this for the end of the input; wait for it.
    until(&mut terminal, "(1 or 2): ");
    terminal.send("\x04").unwrap();
    until(&mut terminal, "READY> ");
}

/// T3: at every kind of question, every way to end leaves the terminal as it was and the round kept.
#[test]
fn t3_every_end_leaves_terminal_and_round_whole() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    let before = settings(&mut terminal);
    let questions: &[(&str, &[&str], &str, bool)] = &[
        ("spoton play", &[], "or q to leave: ", false),
        ("spoton play maze --vs random", &[], "(1 or 2): ", false),
        ("spoton play maze --first choose", &[], "(1 or 2): ", false),
        ("spoton play maze", &[], "(1 or 2): ", false),
        ("spoton play maze --moves x2", &[], "(1 or 2): ", true),
        ("spoton play target-twenty --moves +1", &[], "(add/multiply): ", true),
        ("spoton play target-twenty --moves +1", &["add"], "(1-3): ", true),
        ("spoton play maze --target 2", &["x2"], "(r looks back) ", false),
    ];
    for (command, answers, question, kept) in questions {
        for end in ["INT", "TERM", "HUP", "\x03", "\x04"] {
            let saves = folder.saves().len();
            type_line(&mut terminal, command);
            for answer in *answers {
                until(&mut terminal, ": ");
                type_line(&mut terminal, answer);
            }
            until(&mut terminal, question);
            let status = match end {
                "\x03" | "\x04" => {
                    terminal.send(end).unwrap();
                    if end == "\x03" { 130 } else { 0 }
                }
                signal => {
                    send_signal(signal, &program_of(&terminal));
                    128 + match signal {
                        "INT" => 2,
                        "HUP" => 1,
                        _ => 15,
                    }
                }
            };
            let printed = until(&mut terminal, "READY> ");
            assert!(!printed.contains("panicked"), "{printed}");
            let told = run(&mut terminal, "echo STATUS=$?");
            assert!(told.contains(&format!("STATUS={status}")), "{command} {question} {end:?}: {told}");
            assert_eq!(settings(&mut terminal), before, "{command} {question} {end:?}");
            assert_eq!(folder.saves().len() - saves, usize::from(*kept), "{command} {question} {end:?}");
            assert!(!printed.contains("\x1b[?25l"), "the cursor was never hidden");
            if *kept {
                type_line(&mut terminal, "spoton play --resume");
                until(&mut terminal, "taken up again");
                until(&mut terminal, ": ");
                type_line(&mut terminal, "resign");
                until(&mut terminal, "(r looks back) ");
                type_line(&mut terminal, "n");
                until(&mut terminal, "READY> ");
            }
        }
    }
}

/// T3: an interrupt is the end at the questions beside the round as well, and the round is kept.
#[test]
fn t3_an_interrupt_is_not_an_answer() {
    let questions: &[(&str, &[&str], &str)] = &[
        (
            "spoton play number-maze --set start=10 --set range=1,20 --moves +1 --coach",
            &["x2"],
            "all the same? [y/N] ",
        ),
        ("spoton play race-to-23 --moves +1", &["idea leave 3 9"], "from there? [y/N] "),
        ("spoton play race-to-23 --moves +1", &["idea leave 3 9", "y"], "Your move (+1, +2, +3 or +4): "),
    ];
    for (command, answers, question) in questions {
        let folder = Folder::new();
        let mut terminal = shell(&folder, &[]);
        type_line(&mut terminal, command);
        until(&mut terminal, "): ");
        type_line(&mut terminal, answers[0]);
        for answer in &answers[1..] {
            until(&mut terminal, "[y/N] ");
            type_line(&mut terminal, answer);
        }
        until(&mut terminal, question);
        terminal.send("\x03").unwrap();
        until(&mut terminal, "Kept as ");
        until(&mut terminal, "READY> ");
        let told = run(&mut terminal, "echo STATUS=$?");
        assert!(told.contains("STATUS=130"), "{question}: {told}");
        assert_eq!(folder.saves().len(), 1, "{question}");
    }
}

/// T3: a signal that comes while the program is busy with a key, and not waiting for the next one, ends it as well.
#[test]
fn t3_a_signal_between_two_keys_is_not_lost() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = Folder::new();
        let mut terminal = shell(&folder, &[]);
        let before = settings(&mut terminal);
        let theirs = their_side(&terminal);
        type_line(&mut terminal, "spoton play maze --moves x2");
        until(&mut terminal, "(1 or 2): ");
        let program = program_of(&terminal);
        // Nothing can be shown now, so it cannot get further than to this key.
        tcflow(&theirs, Action::OOff).unwrap();
        let read = has_read(&program);
        terminal.send("x").unwrap();
        wait_for("the key to be read", || has_read(&program) > read);
        send_signal(signal, &program);
        tcflow(&theirs, Action::OOn).unwrap();
        until(&mut terminal, "Kept as ");
        until(&mut terminal, "READY> ");
        let told = run(&mut terminal, "echo STATUS=$?");
        assert!(told.contains(&format!("STATUS={status}")), "{signal}: {told}");
        assert_eq!(settings(&mut terminal), before, "{signal}");
        assert_eq!(folder.saves().len(), 1, "{signal}");
    }
}

/// T3: whoever still types while the round is being kept does not get another question, and a terminal that is left to
/// the line editor.
#[test]
fn t3_nothing_is_asked_any_more_while_the_round_is_kept() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    let before = settings(&mut terminal);
    // A full pipe for what goes wrong: telling that the round is kept waits until somebody reads from it.
    let pipe = folder.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let non_blocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut pipe = File::options().read(true).write(true).custom_flags(non_blocking).open(&pipe).unwrap();
    while pipe.write(&[b'x'; 4096]).is_ok() {}
    while pipe.write(b"x").is_ok() {}
    type_line(&mut terminal, "spoton play maze --moves x2 2> pipe");
    until(&mut terminal, "(1 or 2): ");
    let program = program_of(&terminal);
    let theirs = their_side(&terminal);
    send_signal("TERM", &program);
    let given_back = || tcgetattr(&theirs).unwrap().local_modes.contains(LocalModes::ICANON);
    wait_for("the terminal to be given back", given_back);
    let read = has_read(&program);
    type_line(&mut terminal, "help");
    wait_for("the line to be read", || has_read(&program) > read);
    wait_for("the program to have done what it does", || waits_for_something(&program));
    while pipe.read(&mut [0; 4096]).is_ok() {}
    until(&mut terminal, "READY> ");
    assert_eq!(folder.saves().len(), 1);
    assert_eq!(settings(&mut terminal), before);
}

/// T5: a suspended game gives the terminal back, and goes on where it was.
#[test]
fn t5_suspend_and_resume() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    let before = settings(&mut terminal);
    type_line(&mut terminal, "spoton play maze");
    until(&mut terminal, "(1 or 2): ");
    type_line(&mut terminal, "x2");
    until(&mut terminal, "(1 or 2): ");
    terminal.send("\x1a").unwrap();
    until(&mut terminal, "Stopped");
    until(&mut terminal, "READY> ");
    assert_eq!(settings(&mut terminal), before);
    type_line(&mut terminal, "fg");
    until(&mut terminal, "(1 or 2): ");
    type_line(&mut terminal, "x2");
    let seen = without_colours(&until(&mut terminal, "(1 or 2): "));
    assert!(seen.contains("New Current Number: 4\n"), "{seen}");
    terminal.send("\x04").unwrap();
    until(&mut terminal, "READY> ");
}

/// T5: any size and any number of changes of it.
#[test]
fn t5_any_size() {
    let folder = Folder::new();
    for (columns, rows) in [(1, 1), (2, 3), (20, 5), (500, 200)] {
        let mut terminal = shell(&folder, &[]);
        type_line(&mut terminal, "spoton play maze --target 3");
        until(&mut terminal, "1 or 2");
        terminal.get_process_mut().set_window_size(columns, rows).unwrap();
        terminal.send("x2\r").unwrap();
        // What a narrow screen shows is broken up; the end of the round is told all the same.
        until(&mut terminal, "Current");
        terminal.send("+1\r").unwrap();
        until(&mut terminal, "wins");
        terminal.get_process_mut().set_window_size(100, 40).unwrap();
        terminal.send("n\r").unwrap();
        until(&mut terminal, "READY> ");
    }
    let mut terminal = shell(&folder, &[]);
    type_line(&mut terminal, "spoton play maze --target 3");
    until(&mut terminal, "(1 or 2): ");
    for size in 0..1000_u16 {
        terminal.get_process_mut().set_window_size(1 + size * 7 % 500, 1 + size * 3 % 200).unwrap();
    }
    terminal.get_process_mut().set_window_size(100, 40).unwrap();
    type_line(&mut terminal, "x2");
    until(&mut terminal, "New Current Number");
    type_line(&mut terminal, "+1");
    until(&mut terminal, "wins the game!");
}

/// T6: bytes that are no text are no answer, and no end.
#[test]
fn t6_bytes_that_are_no_text() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play maze");
    until(&mut terminal, "(1 or 2): ");
    terminal.send([0xfc]).unwrap();
    until(&mut terminal, "(1 or 2): ");
    type_line(&mut terminal, "x2");
    until(&mut terminal, "New Current Number: 2");
    until(&mut terminal, "(1 or 2): ");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// T5: a dumb terminal gets plain lines, NO_COLOR no colours.
#[test]
fn t5_dumb_terminals_and_no_colours() {
    for env in [("TERM", "dumb"), ("NO_COLOR", "1")] {
        let folder = Folder::new();
        // Also where a build machine says that it is one.
        let mut terminal = shell(&folder, &[env, ("CI", "true")]);
        type_line(&mut terminal, "spoton play maze --target 3");
        let mut seen = until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, "x2");
        seen += &until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, "+1");
        seen += &until(&mut terminal, "(r looks back) ");
        let coloured = seen.split("\x1b[").skip(1).any(|rest| {
            let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
            rest[end..].starts_with('m')
        });
        assert!(!coloured, "{env:?}: {seen:?}");
        if env.0 == "TERM" {
            let dialogue = &seen[seen.find("Welcome").unwrap()..];
            assert!(!dialogue.contains('\x1b'), "{dialogue:?}");
        }
        assert!(seen.contains("Player 2 wins the game!"), "{seen}");
        type_line(&mut terminal, "n");
        until(&mut terminal, "READY> ");
    }
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
    assert!(seen.contains("One of Ann's choices mattered. Ann got it wrong."), "{seen}");
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
    let seen = until(&mut terminal, "[Y/n] (r looks back) ");
    assert!(seen.contains("It was a hard seat: whoever goes first here cannot win"), "{seen}");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "(r looks back) ");
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
    let seen = until(&mut terminal, "(r looks back) ");
    assert!(seen.contains("Next time you meet Dash."), "{seen}");
    type_line(&mut terminal, "r");
    let seen = until(&mut terminal, "(r looks back) ");
    assert!(seen.contains("No single choice decided this round.") && !seen.contains("Dash"), "{seen}");
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
    assert!(seen.contains("Pip chose"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}

/// In a game too large to be seen through, nobody claims to see through it.
#[test]
fn a_habit_that_cannot_be_kept_is_not_claimed() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[("NO_COLOR", "1")]);
    type_line(&mut terminal, "spoton play maze --target 1000000000000 --vs easy --first 1");
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
    let seen = until(&mut terminal, "[Y/n] (r looks back) ");
    assert!(
        seen.contains("It was not your fault: whoever goes first here cannot win against perfect play."),
        "{seen}"
    );
    assert!(seen.contains("Swap seats and play again?"), "{seen}");
    type_line(&mut terminal, "y");
    let seen = until(&mut terminal, "(1 or 2): ");
    assert!(seen.contains("-- Sage's Turn --"), "{seen}");
    type_line(&mut terminal, "quit");
    until(&mut terminal, "READY> ");
}
