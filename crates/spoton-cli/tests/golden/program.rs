//! Asking the built program, with what depends on the machine taken out of its answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::support::Folder;

/// What stands in an answer instead of the words about a game that is too large: they tell bytes, which may change.
pub const TOO_LARGE: &str = "too-large";

fn command(folder: &Folder, args: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spoton"));
    command.args(args).current_dir(folder.path()).env("XDG_DATA_HOME", folder.path());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// Everything that the program says to a command: what it prints and, where it has complaints, these as well.
pub fn ask(folder: &Folder, args: &[String], input: &str) -> String {
    let mut child = command(folder, args).stderr(Stdio::piped()).spawn().unwrap();
    // No input here is longer than a pipe takes at once; and the program may leave without reading it all.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let ran = child.wait_with_output().unwrap();
    let mut said = String::from_utf8(ran.stdout).unwrap();
    let complaints = String::from_utf8(ran.stderr).unwrap();
    let status = ran.status.code().unwrap_or(-1);
    if status != 0 && complaints.contains("too large") {
        return TOO_LARGE.to_owned();
    }
    if status != 0 || !complaints.is_empty() {
        said.push_str(&format!("(status {status})\n{complaints}"));
    }
    said.replace(&folder.path().display().to_string(), "FOLDER")
        .split_inclusive('\n')
        .map(|line| if line.contains("too large") { "too-large\n" } else { line })
        .collect()
}

/// `solve --stdin`: questions one after the other, so that one can depend on the answer to another.
pub struct Questions {
    program: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Questions {
    pub fn new(folder: &Folder) -> Questions {
        let args = ["solve", "race-to-23", "--stdin"].map(str::to_owned);
        let mut program = command(folder, &args).stderr(Stdio::null()).spawn().unwrap();
        let (questions, answers) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        Questions { program, questions, answers: BufReader::new(answers) }
    }

    pub fn ask(&mut self, question: &serde_json::Value) -> String {
        writeln!(self.questions, "{question}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        if answer.contains("too large") { TOO_LARGE.to_owned() } else { answer }
    }

    pub fn end(mut self) {
        drop(self.questions);
        self.program.wait().unwrap();
    }
}

/// A short name for a text (FNV-1a, folded to 32 bits).
pub fn hash(text: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
}
