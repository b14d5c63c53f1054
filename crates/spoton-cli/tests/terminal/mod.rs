//! Line mode on a real pseudo-terminal: editing, colours, offers, signals, sizes, suspend and resume.
#![cfg(target_os = "linux")]

mod promises;
mod rounds;
use crate::support;

use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;
use std::time::Instant;

use expectrl::{Expect, Session};
use support::{Folder, PATIENCE, PAUSE};

type Terminal = expectrl::session::OsSession;

/// A shell on a terminal, with the program on its PATH and a temporary data folder.
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

/// Waits for a text and returns everything up to its end.
#[track_caller]
fn until(terminal: &mut Terminal, text: &str) -> String {
    let begun = Instant::now();
    loop {
        let found = terminal.check(text).unwrap_or_else(|error| panic!("{text:?} never appeared: {error}"));
        if !found.as_bytes().is_empty() {
            return String::from_utf8_lossy(found.as_bytes()).into_owned();
        }
        if begun.elapsed() > PATIENCE {
            let there = terminal.check(expectrl::Regex("(?s-u).+")).unwrap();
            panic!("{text:?} never appeared; the screen has {:?}", String::from_utf8_lossy(there.as_bytes()));
        }
        // Polling without a pause would take processor time from the program.
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

/// The terminal's slave side.
fn their_side(terminal: &Terminal) -> File {
    // O_NOCTTY keeps it from becoming the test's controlling terminal.
    let options = File::options().read(true).write(true).custom_flags(0o400).clone();
    options.open(format!("/proc/{}/fd/0", terminal.get_process().pid())).unwrap()
}

/// The bytes a program has read since it started.
fn has_read(program: &str) -> u64 {
    let told = fs::read_to_string(format!("/proc/{program}/io")).unwrap();
    told.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

/// Whether a program's main thread is waiting.
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
