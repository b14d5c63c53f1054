//! Promises when things go wrong: signals, sizes, invalid UTF-8, dumb terminals.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;

use expectrl::Expect;
use rustix::termios::{Action, LocalModes, tcflow, tcgetattr};

use crate::support::{Folder, wait_for};
use crate::terminal::{
    has_read, program_of, run, send_signal, settings, shell, their_side, type_line, until,
    waits_for_something, without_colours,
};

/// T3: at every kind of question, every way to end the program restores the terminal and saves the round.
#[test]
fn t3_every_end_leaves_terminal_and_round_whole() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    let before = settings(&mut terminal);
    let questions: &[(&str, &[&str], &str, bool)] = &[
        ("spoton play", &[], "or q to quit: ", false),
        ("spoton play maze --vs random", &[], "(1 or 2): ", false),
        ("spoton play maze --first choose", &[], "(1 or 2): ", false),
        ("spoton play maze", &[], "(1 or 2): ", false),
        ("spoton play maze --moves x2", &[], "(1 or 2): ", true),
        ("spoton play target-twenty --moves +1", &[], "(add/multiply): ", true),
        ("spoton play target-twenty --moves +1", &["add"], "(1-3): ", true),
        ("spoton play maze --target 2", &["x2"], "(r: review) ", false),
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
                until(&mut terminal, " resumed. ");
                until(&mut terminal, ": ");
                type_line(&mut terminal, "resign");
                until(&mut terminal, "(r: review) ");
                type_line(&mut terminal, "n");
                until(&mut terminal, "READY> ");
            }
        }
    }
}

/// T3: an interrupt at a side question also ends the program and saves the round.
#[test]
fn t3_an_interrupt_is_not_an_answer() {
    let questions: &[(&str, &[&str], &str)] = &[
        (
            "spoton play number-maze --rule start=10 --rule range=1,20 --moves +1 --coach",
            &["x2"],
            "it anyway? [y/N] ",
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
        until(&mut terminal, "Saved to ");
        until(&mut terminal, "READY> ");
        let told = run(&mut terminal, "echo STATUS=$?");
        assert!(told.contains("STATUS=130"), "{question}: {told}");
        assert_eq!(folder.saves().len(), 1, "{question}");
    }
}

/// T3: a signal also ends the program while it handles a key.
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
        // Output is blocked, so the program can't get past this key.
        tcflow(&theirs, Action::OOff).unwrap();
        let read = has_read(&program);
        terminal.send("x").unwrap();
        wait_for("the key to be read", || has_read(&program) > read);
        send_signal(signal, &program);
        tcflow(&theirs, Action::OOn).unwrap();
        until(&mut terminal, "Saved to ");
        until(&mut terminal, "READY> ");
        let told = run(&mut terminal, "echo STATUS=$?");
        assert!(told.contains(&format!("STATUS={status}")), "{signal}: {told}");
        assert_eq!(settings(&mut terminal), before, "{signal}");
        assert_eq!(folder.saves().len(), 1, "{signal}");
    }
}

/// T3: typing while the program saves the round doesn't trigger another question or leave the terminal in raw mode.
#[test]
fn t3_nothing_is_asked_while_the_round_is_being_saved() {
    let folder = Folder::new();
    let mut terminal = shell(&folder, &[]);
    let before = settings(&mut terminal);
    // Standard error is a full pipe, so the message about the save blocks until the test reads the pipe.
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
    wait_for("the terminal to be restored", given_back);
    let read = has_read(&program);
    type_line(&mut terminal, "help");
    wait_for("the line to be read", || has_read(&program) > read);
    wait_for("the program to be idle", || waits_for_something(&program));
    while pipe.read(&mut [0; 4096]).is_ok() {}
    until(&mut terminal, "READY> ");
    assert_eq!(folder.saves().len(), 1);
    assert_eq!(settings(&mut terminal), before);
}

/// T5: a suspended game restores the terminal and continues where it was.
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

/// T5: any size and any number of resizes.
#[test]
fn t5_any_size() {
    let folder = Folder::new();
    for (columns, rows) in [(1, 1), (2, 3), (20, 5), (500, 200)] {
        let mut terminal = shell(&folder, &[]);
        type_line(&mut terminal, "spoton play maze --target 3");
        until(&mut terminal, "1 or 2");
        terminal.get_process_mut().set_window_size(columns, rows).unwrap();
        terminal.send("x2\r").unwrap();
        // A narrow screen breaks lines, but the end of the round still appears.
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

/// T6: invalid UTF-8 is neither an answer nor the end of input.
#[test]
fn t6_bytes_that_are_not_text() {
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
        // Also with CI set.
        let mut terminal = shell(&folder, &[env, ("CI", "true")]);
        type_line(&mut terminal, "spoton play maze --target 3");
        let mut seen = until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, "x2");
        seen += &until(&mut terminal, "(1 or 2): ");
        type_line(&mut terminal, "+1");
        seen += &until(&mut terminal, "(r: review) ");
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
