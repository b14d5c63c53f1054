//! The full screen on a real pseudo-terminal: whole rounds by keyboard and mouse, and promises when things go wrong.
#![cfg(target_os = "linux")]

mod editing;
mod promises;
mod rounds;
use crate::support;

use std::io::{ErrorKind, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::time::Instant;

use expectrl::Session;
use support::{Folder, PATIENCE, PAUSE};

/// A shell on an emulated terminal.
pub struct Terminal {
    session: expectrl::session::OsSession,
    parser: vt100::Parser,
    pub folder: Folder,
    runs: u32,
    /// The last bytes drawn.
    tail: Vec<u8>,
}

fn size(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

impl Terminal {
    pub fn new(columns: u16, rows: u16, env: &[(&str, &str)]) -> Terminal {
        let folder = Folder::new();
        let mut command = Command::new("bash");
        command.args(["--norc", "--noprofile", "-i"]).current_dir(folder.path());
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("XDG_DATA_HOME", folder.path()).env("PS1", "READY> ");
        command
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("HISTFILE", "")
            .env("RUST_BACKTRACE", "0");
        command.env_remove("NO_COLOR").env_remove("PROMPT_COMMAND").env_remove("COLORTERM");
        command.envs(env.iter().copied());
        let session = Session::spawn(command).unwrap();
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        let mut terminal = Terminal { session, parser, folder, runs: 0, tail: Vec::new() };
        terminal.resize(columns, rows);
        terminal.shows("READY> ");
        terminal
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.session.get_process_mut().set_window_size(columns, rows).unwrap();
        self.parser.screen_mut().set_size(size(rows), size(columns));
    }

    /// Starts the full screen without animation and with a fixed seed.
    pub fn start(&mut self) {
        self.send("clear; spoton --no-motion --screen-seed 7\r");
        self.shows("Take turns changing a number.");
    }

    pub fn send(&mut self, keys: &str) {
        self.send_bytes(keys.as_bytes());
    }

    /// Sends bytes and reads in between, so that full buffers on both sides can't deadlock.
    #[track_caller]
    pub fn send_bytes(&mut self, mut bytes: &[u8]) {
        let mut terminal = self.session.get_process().get_raw_handle().unwrap();
        let mut begun = Instant::now();
        while !bytes.is_empty() {
            rustix::io::ioctl_fionbio(&terminal, true).unwrap();
            match terminal.write(bytes) {
                Ok(count) => {
                    bytes = &bytes[count..];
                    begun = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    assert!(begun.elapsed() < PATIENCE, "it doesn't read; there is\n{}", self.picture());
                    if !self.look() {
                        std::thread::sleep(PAUSE);
                    }
                }
                Err(error) => panic!("{error}"),
            }
        }
        rustix::io::ioctl_fionbio(&terminal, false).unwrap();
    }

    /// Does something and waits for another complete picture.
    #[track_caller]
    pub fn changes(&mut self, by: impl FnOnce(&mut Terminal)) {
        self.waits_until("a whole picture", Terminal::is_whole);
        let before = self.picture();
        by(self);
        self.waits_until("another picture", |terminal| terminal.is_whole() && terminal.picture() != before);
    }

    #[track_caller]
    pub fn press(&mut self, key: &str) {
        self.changes(|terminal| terminal.send(key));
    }

    /// Whether the picture is complete: each one ends by hiding the cursor, or by showing and placing it.
    fn is_whole(&self) -> bool {
        let shows = |at: &usize| self.tail[*at..].starts_with(b"\x1b[?25h");
        let shown = (0..self.tail.len()).rev().find(shows).map(|at| &self.tail[at + 6..]);
        let put =
            |rest: &[u8]| rest.ends_with(b"H") && rest.iter().filter(|byte| **byte == b'\x1b').count() == 1;
        self.tail.ends_with(b"\x1b[?25l") || shown.is_some_and(put)
    }

    /// Reads pending output. Returns whether there was any.
    pub fn look(&mut self) -> bool {
        let mut bytes = [0; 65536];
        match self.session.try_read(&mut bytes) {
            Ok(count) if count > 0 => {
                self.parser.process(&bytes[..count]);
                self.tail.extend(&bytes[..count]);
                self.tail.drain(..self.tail.len().saturating_sub(20));
                true
            }
            _ => false,
        }
    }

    pub fn picture(&self) -> String {
        self.parser.screen().contents()
    }

    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Waits until the picture meets the condition.
    #[track_caller]
    pub fn waits(&mut self, what: &str, is: impl Fn(&vt100::Screen) -> bool) {
        self.waits_until(what, |terminal| is(terminal.screen()));
    }

    #[track_caller]
    fn waits_until(&mut self, what: &str, is: impl Fn(&Terminal) -> bool) {
        let begun = Instant::now();
        while !is(self) {
            if !self.look() {
                assert!(begun.elapsed() < PATIENCE, "{what} did not come; there is\n{}", self.picture());
                std::thread::sleep(PAUSE);
            }
        }
    }

    #[track_caller]
    pub fn shows(&mut self, words: &str) {
        self.waits(&format!("{words:?}"), |screen| screen.contents().contains(words));
    }

    #[track_caller]
    pub fn shows_no_more(&mut self, words: &str) {
        self.waits(&format!("the end of {words:?}"), |screen| !screen.contents().contains(words));
    }

    /// Runs a command in the shell and returns what it printed.
    #[track_caller]
    pub fn run(&mut self, command: &str) -> String {
        self.runs += 1;
        let done = format!("DONE {}.", self.runs);
        self.send(&format!("clear; {command}; echo 'DONE' {}.\r", self.runs));
        self.waits(&done, |screen| {
            let text = screen.contents();
            text.find(&done).is_some_and(|at| text[at..].contains("READY> "))
        });
        self.picture()
    }

    pub fn settings(&mut self) -> String {
        let printed = self.run("stty -g");
        let settings = printed.lines().find(|line| line.matches(':').count() > 10);
        settings.unwrap_or_else(|| panic!("no settings in {printed:?}")).trim().to_owned()
    }

    /// The program that the shell runs.
    pub fn program(&self) -> String {
        let shell = self.session.get_process().pid();
        let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
        children.trim().to_owned()
    }

    /// Waits until the shell has the terminal back: main screen, cursor, no mouse.
    #[track_caller]
    pub fn is_given_back(&mut self) {
        self.waits("the usual screen", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
                && screen.contents().contains("READY> ")
        });
    }

    /// Closes the terminal and returns its folder.
    pub fn hang_up(self) -> Folder {
        drop(self.session);
        self.folder
    }

    /// Clicks on words that are shown.
    #[track_caller]
    pub fn click(&mut self, words: &str) {
        self.shows(words);
        let (_, columns) = self.screen().size();
        let rows: Vec<String> = self.screen().rows(0, columns.get()).collect();
        let (row, line) = rows.iter().enumerate().find(|(_, line)| line.contains(words)).unwrap();
        let column = line[..line.find(words).unwrap()].chars().count();
        self.send(&format!("\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m", column + 1, row + 1));
    }
}
