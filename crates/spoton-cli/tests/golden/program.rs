//! Runs the built program and removes machine-dependent parts from its answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value as Json;

use crate::support::Folder;

/// Replaces an error about a game that is too large: it names bytes, which may change.
pub const TOO_LARGE: &str = "too-large";

fn command(folder: &Folder, args: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spoton"));
    command.args(args).current_dir(folder.path()).env("XDG_DATA_HOME", folder.path());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// Runs a command. Returns its standard output, then its status and standard error if there is an error or a warning.
pub fn ask(folder: &Folder, args: &[String], input: &str) -> String {
    let mut child = command(folder, args).stderr(Stdio::piped()).spawn().unwrap();
    // Every input here fits into a pipe's buffer. The program may exit before it has read all of it.
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

/// An answer without its sentences: each line of JSON with sentences masked, and the status. Drops all other lines.
pub fn meaning(answer: &str) -> String {
    let line = |line: &str| match serde_json::from_str::<Json>(line) {
        Ok(json @ (Json::Object(_) | Json::Array(_))) => Some(format!("{}\n", without_sentences(json))),
        _ if line.starts_with("(status ") || line == TOO_LARGE => Some(format!("{line}\n")),
        _ => None,
    };
    answer.lines().filter_map(line).collect()
}

fn without_sentences(json: Json) -> Json {
    match json {
        Json::String(text) if is_sentence(&text) => Json::from("…"),
        // The number of sentences in an explanation is also wording.
        Json::Array(items) if items.iter().any(|item| item.as_str().is_some_and(is_sentence)) => {
            Json::from("…")
        }
        Json::Array(items) => items.into_iter().map(without_sentences).collect(),
        Json::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| (key, without_sentences(value)));
            Json::Object(fields.collect())
        }
        other => other,
    }
}

/// Two words or more. Moves, names of values and lists of moves have at most one.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    text.split_whitespace().filter(is_word).count() >= 2
}

/// `solve --stdin`, one query at a time, because a query can depend on the answer before it.
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
