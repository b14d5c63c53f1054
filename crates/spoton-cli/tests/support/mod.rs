//! Runs the real program with a separate data folder.
#![allow(dead_code)] // every test file uses a different part

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

/// The timeout for tests: far more than needed on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Polling interval.
pub const PAUSE: Duration = Duration::from_millis(2);

/// Polls until a condition holds.
#[track_caller]
pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "waited for {what} in vain");
        std::thread::sleep(PAUSE);
    }
}

/// A temporary folder.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("spoton-test-{}-{count}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Folder(path),
                // A killed test with the same process id may have left one.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    /// The saved rounds, in order.
    pub fn saves(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.file("spoton/saves")).into_iter().flatten();
        let mut saves: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        saves.sort();
        saves
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A call of the program.
pub struct Spoton {
    pub args: Vec<OsString>,
    input: Vec<u8>,
    folder: Option<PathBuf>,
}

/// The result of a call.
#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub status: i32,
}

pub fn spoton<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Spoton {
    let args = args.into_iter().map(|arg| arg.as_ref().to_owned()).collect();
    Spoton { args, input: Vec::new(), folder: None }
}

impl Spoton {
    pub fn input(mut self, input: impl AsRef<[u8]>) -> Spoton {
        self.input = input.as_ref().to_owned();
        self
    }

    /// One answer per line.
    pub fn answers(self, answers: &[&str]) -> Spoton {
        let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
        self.input(lines)
    }

    /// The data folder; by default a temporary one.
    pub fn folder(mut self, folder: &Folder) -> Spoton {
        self.folder = Some(folder.path().to_owned());
        self
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spoton"));
        command.args(&self.args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if let Some(folder) = &self.folder {
            command.env("XDG_DATA_HOME", folder).current_dir(folder);
        }
        command
    }

    pub fn run(self) -> Ran {
        let scratch = Folder::new();
        let this = if self.folder.is_none() { self.folder(&scratch) } else { self };
        let mut command = this.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = this.input;
        // In a thread, because both pipes may fill up. The program may exit without reading everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output: Output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code().unwrap_or(-1),
        }
    }
}

impl Ran {
    /// Asserts success. Returns standard output.
    pub fn success(self) -> String {
        assert_eq!(self.status, 0, "{self:?}");
        self.stdout
    }

    /// Asserts a status, and `{"error":…}` on standard output with these words.
    pub fn fails_with_json(self, status: i32, words: &str) {
        assert_eq!(self.status, status, "{self:?}");
        let told: Json = serde_json::from_str(&self.stdout).unwrap();
        assert!(told["error"].as_str().unwrap().contains(words), "{self:?}");
        assert!(self.stderr.contains(words), "{self:?}");
    }

    /// Asserts a status, empty standard output, and these words on standard error.
    pub fn fails(self, status: i32, words: &[&str]) {
        assert_eq!((self.status, self.stdout.as_str()), (status, ""), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not in {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// The result of `spoton bot arena GAME …`, for one game.
pub fn arena(args: &[&str]) -> Json {
    let ran = spoton(["bot", "arena"].iter().chain(args).copied().chain(["--json"])).run();
    serde_json::from_str(&ran.success()).unwrap()
}

/// Like [`arena`], for a program that finishes no round.
pub fn arena_in_vain(args: &[&str]) -> Json {
    let ran = spoton(["bot", "arena"].iter().chain(args).copied().chain(["--json", "--keep-going"])).run();
    assert_eq!(ran.status, 3, "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// A player's count in it, over both seats.
pub fn counted(answer: &Json, player: &str, key: &str) -> u64 {
    let lines = answer["played"].as_array().unwrap().iter().filter(|line| line["player"] == player);
    lines.map(|line| line[key].as_u64().unwrap()).sum()
}

/// The processes with a mark in their environment.
pub fn marked(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_marked = |path: &PathBuf| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(mark.as_bytes()))
    };
    processes.map(|entry| entry.path()).filter(is_marked).map(|path| path.display().to_string()).collect()
}
