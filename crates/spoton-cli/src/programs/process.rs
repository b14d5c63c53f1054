//! A running program in its own process group. It answers line by line and is always cleaned up.
//!
//! Threads read and write its pipes, so a program that neither reads nor writes blocks only those threads.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::family::{MARK, ask_to_end, has_ended, kill_family};
use crate::failure::Failure;

/// Longer lines are truncated.
const LONGEST_LINE: usize = 64 * 1024;
/// Output limit per turn.
const FLOOD: u64 = 1024 * 1024;
/// How many bytes to keep from the end of standard error.
const LAST_WORDS: usize = 8192;
/// How long a program may take to exit after a request.
const GRACE: Duration = Duration::from_secs(1);
/// How often to check that the program still runs while waiting for an answer.
const GLANCE: Duration = Duration::from_millis(100);

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskError {
    Late,
    Died,
    Flooded,
}

/// Output of the program. The channel closes with its standard output.
enum Said {
    /// A line, or several lines written together.
    Lines(String),
    Flood,
}

pub struct Process {
    child: Child,
    mark: String,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Said>,
    /// Bytes written since the last question.
    written: Arc<AtomicU64>,
    /// The beginning of a line that has no line break yet.
    unfinished: Arc<Mutex<Vec<u8>>>,
    /// Whether it had written anything before the last question.
    has_written: bool,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// The thread that reads standard error.
    listener: Option<JoinHandle<()>>,
    /// Timed-out questions. The next lines answer them.
    owed: usize,
    /// How often it wrote unsolicited lines.
    pub unasked: u64,
    /// The first of them.
    pub first_unasked: Option<String>,
    /// The output in place of the last answer, if that was incomplete.
    pub instead: String,
    /// Whether it has answered a question, in time or not.
    has_answered: bool,
    /// Whether all of its processes are gone.
    is_cleaned_up: bool,
}

/// An exited program's figures.
pub struct ExitReport {
    /// Its exit status, if it exited by itself.
    pub status: Option<ExitStatus>,
    pub last_words: Option<String>,
    pub unasked: u64,
    /// Whether it has written anything.
    pub has_written: bool,
}

impl ExitReport {
    /// Its exit code, unless a signal ended it.
    pub fn code(&self) -> Option<i32> {
        self.status?.code()
    }
}

/// How output is split into answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// All lines written together.
    AsWritten,
    Lines,
}

impl Process {
    pub fn start(command: &str, pieces: Pieces) -> Result<Process, Failure> {
        Process::start_and_read(command, pieces, |stdout| stdout)
    }

    /// Like [`Process::start`], with a filter on its standard output.
    fn start_and_read<R: Read + Send + 'static>(
        command: &str,
        pieces: Pieces,
        through: impl FnOnce(ChildStdout) -> R,
    ) -> Result<Process, Failure> {
        let mut running = running();
        let mark = format!("{}-{}", std::process::id(), running.started);
        let mut program = run(command);
        program.env(MARK, &mark).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = program.spawn();
        let mut child = child.map_err(|error| {
            Failure::Usage(format!("can't start {command}: {}", crate::failure::plain(&error)))
        })?;
        running.started += 1;
        running.programs.push((child.id(), mark.clone()));
        drop(running);
        let (to, questions) = channel::<Vec<u8>>();
        let (answers, from) = channel::<Said>();
        let written = Arc::new(AtomicU64::new(0));
        let unfinished = Arc::new(Mutex::new(Vec::new()));
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let mut listener = None;
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_questions(stdin, &questions));
        }
        if let Some(stdout) = child.stdout.take() {
            let (written, unfinished) = (Arc::clone(&written), Arc::clone(&unfinished));
            let stdout = through(stdout);
            thread::spawn(move || read_answers(stdout, pieces, &answers, &written, &unfinished));
        }
        if let Some(stderr) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            listener = Some(thread::spawn(move || keep_the_end(stderr, &last_words)));
        }
        let to = Some(to);
        Ok(Process {
            child,
            mark,
            to,
            from,
            written,
            unfinished,
            has_written: false,
            last_words,
            listener,
            owed: 0,
            unasked: 0,
            first_unasked: None,
            instead: String::new(),
            has_answered: false,
            is_cleaned_up: false,
        })
    }

    pub fn has_answered(&self) -> bool {
        self.has_answered
    }

    /// The output after its last line break, if any.
    pub fn unfinished(&self) -> Option<String> {
        let unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&unfinished).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    pub fn has_written(&self) -> bool {
        self.has_written || self.written.load(Ordering::Relaxed) > 0
    }

    /// Sends a line and waits for the line that `ends` the answer. Earlier lines are part of the answer. Calls `waiting`
    /// regularly with the time so far.
    pub fn ask(
        &mut self,
        question: &[u8],
        limit: Duration,
        ends: impl Fn(&str) -> bool,
        mut waiting: impl FnMut(Duration),
    ) -> Result<String, AskError> {
        // Output before the question isn't an answer.
        loop {
            match self.from.try_recv() {
                Ok(Said::Lines(lines)) => self.was_not_asked(&lines),
                Ok(Said::Flood) => return Err(AskError::Flooded),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(AskError::Died),
            }
        }
        self.has_written |= self.written.swap(0, Ordering::Relaxed) > 0;
        // A failed send shows up below, as a missing answer.
        let _ = self.to.as_ref().map(|to| to.send([question, b"\n"].concat()));
        let mut said = String::new();
        let answered = self.hear(&mut said, limit, ends, &mut waiting);
        match answered {
            Ok(()) => {
                self.has_answered = true;
                Ok(said)
            }
            Err(gone) => {
                // A later line answers this question.
                self.owed += 1;
                self.instead = said;
                Err(gone)
            }
        }
    }

    /// Reads until the answer is complete.
    fn hear(
        &mut self,
        said: &mut String,
        limit: Duration,
        ends: impl Fn(&str) -> bool,
        waiting: &mut impl FnMut(Duration),
    ) -> Result<(), AskError> {
        let begun = Instant::now();
        let (mut had_ended, mut is_alone) = (false, false);
        loop {
            match self.from.recv_timeout(limit.saturating_sub(begun.elapsed()).min(GLANCE)) {
                Ok(Said::Lines(lines)) => {
                    if let Some(answer) = self.not_owed(&lines) {
                        said.push_str(answer);
                        if ends(answer) {
                            return Ok(());
                        }
                        said.push('\n');
                    }
                }
                Ok(Said::Flood) => return Err(AskError::Flooded),
                Err(RecvTimeoutError::Timeout) if begun.elapsed() < limit => {
                    waiting(begun.elapsed());
                    // A child of an exited program may keep the pipe open. Killing it closes the pipe, and everything
                    // that the program wrote before is still read.
                    if had_ended && !is_alone {
                        kill_family(self.child.id(), &self.mark);
                        is_alone = true;
                    }
                    had_ended = has_ended(&self.child);
                }
                Err(RecvTimeoutError::Timeout) if had_ended => return Err(AskError::Died),
                Err(RecvTimeoutError::Timeout) => return Err(AskError::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(AskError::Died),
            }
        }
    }

    /// Counts unsolicited lines, except answers to timed-out questions.
    fn was_not_asked(&mut self, lines: &str) {
        if let Some(lines) = self.not_owed(lines) {
            self.unasked += 1;
            self.first_unasked.get_or_insert_with(|| lines.to_owned());
        }
    }

    /// Drops the lines that answer timed-out questions. Returns `None` if nothing is left.
    fn not_owed<'l>(&mut self, lines: &'l str) -> Option<&'l str> {
        let mut left = lines;
        while self.owed > 0 {
            self.owed -= 1;
            self.has_answered = true;
            match left.split_once('\n') {
                Some((_, after)) => left = after,
                None => return None,
            }
        }
        Some(left)
    }

    /// Cleans up after a program that closed its output, usually by exiting.
    pub fn wait_for_exit(mut self) -> ExitReport {
        self.to = None;
        self.wait_for_its_end(GRACE);
        self.clean_up()
    }

    /// Lets it exit by itself.
    pub fn finish(mut self) -> ExitReport {
        self.let_it_end();
        self.clean_up()
    }

    /// Kills it.
    pub fn kill_now(mut self) -> ExitReport {
        self.clean_up()
    }

    /// Kills what is left of it and its children.
    fn clean_up(&mut self) -> ExitReport {
        let ended_by_itself = has_ended(&self.child);
        let id = self.child.id();
        // Kill them before `wait`, because the process id can't be reused until then.
        kill_family(id, &self.mark);
        let _ = self.child.kill();
        let status = self.child.wait().ok().filter(|_| ended_by_itself);
        self.is_cleaned_up = true;
        running().programs.retain(|(known, _)| *known != id);
        self.hear_it_out();
        // Count the rest as unsolicited. The timeout covers a hidden process that keeps the pipe open.
        while let Ok(Said::Lines(lines)) = self.from.recv_timeout(GRACE / 2) {
            self.was_not_asked(&lines);
        }
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&last_words).into_owned();
        ExitReport {
            status,
            last_words: last_words_of(&said),
            unasked: self.unasked,
            has_written: self.has_written(),
        }
    }

    /// Waits for the reader of standard error to finish.
    fn hear_it_out(&self) {
        let begun = Instant::now();
        while self.listener.as_ref().is_some_and(|listener| !listener.is_finished())
            && begun.elapsed() < GRACE / 2
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Closes its input. A program that doesn't exit gets SIGTERM.
    fn let_it_end(&mut self) {
        self.to = None;
        if !self.wait_for_its_end(GRACE) {
            ask_to_end(self.child.id());
            self.wait_for_its_end(GRACE / 2);
        }
    }

    /// Waits for its exit. Returns whether it exited in time.
    pub fn wait_for_its_end(&self, limit: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if has_ended(&self.child) {
                return true;
            }
            thread::sleep(Duration::from_millis(5));
        }
        has_ended(&self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_cleaned_up {
            self.let_it_end();
            self.clean_up();
        }
    }
}

fn write_questions(mut stdin: impl Write, questions: &Receiver<Vec<u8>>) {
    while let Ok(question) = questions.recv() {
        if stdin.write_all(&question).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_answers(
    stdout: impl Read,
    pieces: Pieces,
    answers: &Sender<Said>,
    written: &AtomicU64,
    unfinished: &Mutex<Vec<u8>>,
) {
    let mut stdout = BufReader::new(stdout);
    let mut line: Vec<u8> = Vec::new();
    loop {
        let piece = match stdout.fill_buf() {
            Ok([]) => break,
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let end = piece.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(piece.len(), |end| end + 1);
        let kept = end.unwrap_or(piece.len()).min(LONGEST_LINE.saturating_sub(line.len()));
        line.extend_from_slice(&piece[..kept]);
        stdout.consume(taken);
        let begun = if end.is_none() { &line[..line.len().min(LAST_WORDS)] } else { &[] };
        begun.clone_into(&mut unfinished.lock().unwrap_or_else(PoisonError::into_inner));
        if written.fetch_add(taken as u64, Ordering::Relaxed) > FLOOD {
            let _ = answers.send(Said::Flood);
            return;
        }
        if end.is_some() {
            // Output written together belongs together, including an incomplete last line.
            if pieces == Pieces::AsWritten && !stdout.buffer().is_empty() {
                line.push(b'\n');
                continue;
            }
            if answers.send(Said::Lines(text(&mut line))).is_err() {
                return;
            }
        }
    }
    // The last line may lack a line break.
    if !line.is_empty() {
        let _ = answers.send(Said::Lines(text(&mut line)));
    }
}

fn text(line: &mut Vec<u8>) -> String {
    let text = String::from_utf8_lossy(line).into_owned();
    line.clear();
    text
}

fn keep_the_end(mut stderr: impl Read, last_words: &Mutex<Vec<u8>>) {
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = stderr.read(&mut piece) {
        let mut kept = last_words.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&piece[..length]);
        let too_many = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..too_many);
    }
}

/// The last few lines of standard error. Skips indented lines, which are stack traces: the message may be above or
/// below them.
fn last_words_of(said: &str) -> Option<String> {
    /// Limits for lines and their length.
    const LINES: usize = 4;
    const LENGTH: usize = 200;
    let all = || said.lines().rev().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<&str> =
        all().filter(|line| !line.starts_with(char::is_whitespace)).take(LINES).collect();
    if lines.is_empty() {
        lines.extend(all().next());
    }
    let shortened =
        |line: &&str| spoton::format::shown(&line.trim().chars().take(LENGTH).collect::<String>());
    let lines: Vec<String> = lines.iter().rev().map(shortened).collect();
    (!lines.is_empty()).then(|| lines.join(" | "))
}

/// All running programs, so that a signal can end them.
struct Running {
    programs: Vec<(u32, String)>,
    /// Number of programs started so far.
    started: u64,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { programs: Vec::new(), started: 0 });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs because Spot On is exiting. Keeps the lock, so no more can start.
pub fn end_all() {
    let running = running();
    for (id, mark) in &running.programs {
        kill_family(*id, mark);
    }
    std::mem::forget(running);
}

/// Runs a command directly if it is plain words, else through the shell.
fn run(command: &str) -> Command {
    let is_plain = |c: char| c.is_alphanumeric() || " ./_-+=:,@%".contains(c);
    let mut words = command.split_whitespace();
    let mut run = match words.next() {
        // A word with = would set a variable in a shell.
        Some(program) if command.chars().all(is_plain) && !program.contains('=') && !is_of_shell(program) => {
            let mut run = Command::new(program);
            run.args(words);
            run
        }
        _ => {
            let (shell, option) = if cfg!(unix) { ("sh", "-c") } else { ("cmd", "/C") };
            let mut run = Command::new(shell);
            run.args([option, command]);
            run
        }
    };
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut run, 0);
    run
}

/// Whether a word is a shell builtin.
fn is_of_shell(word: &str) -> bool {
    let words =
        [":", ".", "cd", "exec", "exit", "export", "eval", "read", "set", "trap", "ulimit", "umask", "unset"];
    words.contains(&word)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Delays a program's output until well after its exit, as on a very busy machine.
    struct Busy(ChildStdout);

    impl Read for Busy {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(into);
            thread::sleep(GLANCE * 6);
            read
        }
    }

    const PATIENCE: Duration = Duration::from_secs(60);

    /// An answer written before the exit is an answer, not unsolicited output.
    #[test]
    fn an_answer_is_heard_after_the_end_of_the_program() {
        let mut process = Process::start_and_read("read l; echo +1", Pieces::AsWritten, Busy).unwrap();
        let answer = process.ask(b"which?", PATIENCE, |_| true, |_| ());
        assert_eq!(answer, Ok("+1".to_owned()));
        let gone = process.ask(b"and now?", PATIENCE, |_| true, |_| ());
        assert_eq!(gone, Err(AskError::Died));
        let report = process.wait_for_exit();
        assert_eq!((report.code(), report.unasked), (Some(0), 0));
    }

    #[test]
    fn the_last_words_say_what_happened() {
        let node = "/bots/bot.js:4\n    throw new Error('no such move');\n    ^\n\nError: no such move\n    \
                    at Interface.<anonymous> (/bots/bot.js:4:11)\n    at Interface.emit (node:events:524:28)\n\n\
                    Node.js v20.20.2\n";
        let words = last_words_of(node).unwrap();
        assert_eq!(words, "/bots/bot.js:4 | Error: no such move | Node.js v20.20.2");
        assert_eq!(last_words_of("a\nb\nc\nd\n\n \ne\n").unwrap(), "b | c | d | e");
        assert_eq!(last_words_of("  one\n  two \n").unwrap(), "two");
        assert_eq!(last_words_of(&"x".repeat(5000)).unwrap(), "x".repeat(200));
        assert_eq!(last_words_of("\n \n"), None);
    }

    /// A late answer may arrive during cleanup. It doesn't count as unsolicited output.
    #[test]
    fn an_answer_that_is_too_late_was_asked_for() {
        let mut process = Process::start_and_read("read l; echo +1", Pieces::AsWritten, Busy).unwrap();
        let late = process.ask(b"which?", GLANCE * 5 / 2, |_| true, |_| ());
        assert!(late.is_err());
        assert_eq!(process.wait_for_exit().unasked, 0);
    }
}
