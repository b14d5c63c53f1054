//! The full screen on a real pseudo-terminal: whole rounds by keys and by the mouse, and what must hold when things go
//! wrong.
#![cfg(target_os = "linux")]

mod promises;
mod rounds;
#[path = "../support/mod.rs"]
mod support;

use std::io::Write;
use std::num::NonZeroU16;
use std::process::Command;
use std::time::{Duration, Instant};

use expectrl::Session;
use support::Folder;

/// How long something may take before a test gives up. Far more than it ever does.
const PATIENCE: Duration = Duration::from_secs(20);

/// A shell on a terminal whose picture can be looked at.
pub struct Terminal {
    session: expectrl::session::OsSession,
    parser: vt100::Parser,
    pub folder: Folder,
    runs: u32,
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
        let mut terminal = Terminal { session, parser, folder, runs: 0 };
        terminal.resize(columns, rows);
        terminal.shows("READY> ");
        terminal
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.session.get_process_mut().set_window_size(columns, rows).unwrap();
        self.parser.screen_mut().set_size(size(rows), size(columns));
    }

    /// Starts the full screen, in which nothing moves by itself and chance is always the same.
    pub fn start(&mut self) {
        self.send("clear; spoton --no-motion --screen-seed 7\r");
        self.shows("Land exactly on the target.");
    }

    pub fn send(&mut self, keys: &str) {
        self.send_bytes(keys.as_bytes());
    }

    /// Sends a little at a time and reads in between: with both its ends full, a terminal would stand still.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(64) {
            self.session.write_all(part).unwrap();
            self.session.flush().unwrap();
            if bytes.len() > 64 {
                std::thread::sleep(Duration::from_micros(500));
                while self.look() {}
            }
        }
    }

    /// Takes in what has been drawn by now; whether there was anything.
    pub fn look(&mut self) -> bool {
        let mut bytes = [0; 65536];
        match self.session.try_read(&mut bytes) {
            Ok(count) if count > 0 => {
                self.parser.process(&bytes[..count]);
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

    /// Waits until the picture is as it should be.
    #[track_caller]
    pub fn waits(&mut self, what: &str, is: impl Fn(&vt100::Screen) -> bool) {
        let begun = Instant::now();
        while !is(self.parser.screen()) {
            if !self.look() {
                assert!(begun.elapsed() < PATIENCE, "{what} did not come; there is\n{}", self.picture());
                std::thread::sleep(Duration::from_millis(2));
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

    /// The shell has the terminal again, as it was: the usual screen, a cursor, no mouse.
    #[track_caller]
    pub fn is_given_back(&mut self) {
        self.waits("the usual screen", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
                && screen.contents().contains("READY> ")
        });
    }

    /// The terminal goes away; the folder stays.
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
