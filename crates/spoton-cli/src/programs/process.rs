//! A running program: started in a process group of its own, asked line by line, and always cleaned up.
//!
//! Threads read and write its pipes, so that a program that neither reads nor writes holds up nobody but them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::family::{MARK, ask_to_end, has_ended, kill_family};
use crate::failure::Failure;

/// No more of a line than this is looked at.
const LONGEST_LINE: usize = 64 * 1024;
/// Whoever writes more than this on one turn is not answering.
const FLOOD: u64 = 1024 * 1024;
/// So much of what it says on standard error is kept, the end of it.
const LAST_WORDS: usize = 8192;
/// How long a program may take to end after it was told so.
const GRACE: Duration = Duration::from_secs(1);
/// How long it is waited for an answer before a look at whether the program still runs.
const GLANCE: Duration = Duration::from_millis(100);

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    Late,
    Died,
    Flooded,
}

/// What came from the program's standard output. If it is closed, nothing more comes.
enum Said {
    /// A line, or lines that were written in one go.
    Lines(String),
    Flood,
}

pub struct Process {
    child: Child,
    mark: String,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Said>,
    /// How much it has written since it was asked.
    written: Arc<AtomicU64>,
    /// Whether it had written anything before that.
    has_written: bool,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Who listens to them.
    listener: Option<JoinHandle<()>>,
    /// Questions that were given up on before an answer came: the next lines are theirs.
    owed: usize,
    /// How often it said something that nobody had asked for.
    pub unasked: u64,
    /// What it said then, the first time.
    pub first_unasked: Option<String>,
    /// What came instead of the last answer, if that did not come to its end.
    pub instead: String,
    /// Whether it has answered a question, be it too late.
    has_answered: bool,
    /// Whether nothing of it runs any more.
    is_cleaned_up: bool,
}

/// What is left of a program.
pub struct Buried {
    /// How it ended, if it did so by itself.
    pub status: Option<ExitStatus>,
    pub last_words: Option<String>,
    pub unasked: u64,
    /// Whether it has written anything.
    pub has_written: bool,
}

impl Buried {
    /// Its exit status, if it ended by itself and not by a signal.
    pub fn code(&self) -> Option<i32> {
        self.status?.code()
    }
}

/// What is one answer of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Lines that are written in one go belong together.
    AsWritten,
    Lines,
}

impl Process {
    pub fn start(command: &str, pieces: Pieces) -> Result<Process, Failure> {
        Process::start_and_read(command, pieces, |stdout| stdout)
    }

    /// The same, with something between its standard output and us.
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
            Failure::Usage(format!("cannot start {command}: {}", crate::failure::plain(&error)))
        })?;
        running.started += 1;
        running.programs.push((child.id(), mark.clone()));
        drop(running);
        let (to, questions) = channel::<Vec<u8>>();
        let (answers, from) = channel::<Said>();
        let written = Arc::new(AtomicU64::new(0));
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let mut listener = None;
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_questions(stdin, &questions));
        }
        if let Some(stdout) = child.stdout.take() {
            let written = Arc::clone(&written);
            let stdout = through(stdout);
            thread::spawn(move || read_answers(stdout, pieces, &answers, &written));
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

    /// Whether anything at all came from its standard output, be it no answer and no whole line.
    pub fn has_written(&self) -> bool {
        self.has_written || self.written.load(Ordering::Relaxed) > 0
    }

    /// Sends a line, and waits for what ends the answer to it. What was said before that is a part of the answer. Every
    /// now and then `waiting` is told for how long it has been.
    pub fn ask(
        &mut self,
        question: &[u8],
        limit: Duration,
        ends: impl Fn(&str) -> bool,
        mut waiting: impl FnMut(Duration),
    ) -> Result<String, Gone> {
        // What was said before it was asked is no answer.
        loop {
            match self.from.try_recv() {
                Ok(Said::Lines(lines)) => self.was_not_asked(&lines),
                Ok(Said::Flood) => return Err(Gone::Flooded),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(Gone::Died),
            }
        }
        self.has_written |= self.written.swap(0, Ordering::Relaxed) > 0;
        // If it does not listen any more, it will hardly answer; that shows below.
        let _ = self.to.as_ref().map(|to| to.send([question, b"\n"].concat()));
        let mut said = String::new();
        let answered = self.hear(&mut said, limit, ends, &mut waiting);
        match answered {
            Ok(()) => {
                self.has_answered = true;
                Ok(said)
            }
            Err(gone) => {
                // If it still comes, it is the answer to this.
                self.owed += 1;
                self.instead = said;
                Err(gone)
            }
        }
    }

    /// Listens until an answer has ended.
    fn hear(
        &mut self,
        said: &mut String,
        limit: Duration,
        ends: impl Fn(&str) -> bool,
        waiting: &mut impl FnMut(Duration),
    ) -> Result<(), Gone> {
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
                Ok(Said::Flood) => return Err(Gone::Flooded),
                Err(RecvTimeoutError::Timeout) if begun.elapsed() < limit => {
                    waiting(begun.elapsed());
                    // A child of a program that has ended may keep its output open. Without them the output comes to its
                    // end, and what the program wrote before it ended is heard first, however busy the machine is.
                    if had_ended && !is_alone {
                        kill_family(self.child.id(), &self.mark);
                        is_alone = true;
                    }
                    had_ended = has_ended(&self.child);
                }
                Err(RecvTimeoutError::Timeout) if had_ended => return Err(Gone::Died),
                Err(RecvTimeoutError::Timeout) => return Err(Gone::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(Gone::Died),
            }
        }
    }

    /// Counts what was said without a question, unless it is an answer that is owed.
    fn was_not_asked(&mut self, lines: &str) {
        if let Some(lines) = self.not_owed(lines) {
            self.unasked += 1;
            self.first_unasked.get_or_insert_with(|| lines.to_owned());
        }
    }

    /// What is left of some lines without those that are owed to earlier questions; `None` if nothing is.
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

    /// Cleans up after a program that has closed its output: mostly because it has ended.
    pub fn buried(mut self) -> Buried {
        self.to = None;
        self.wait_for_its_end(GRACE);
        self.clean_up()
    }

    /// Lets it end by itself, since nothing more is asked.
    pub fn finished(mut self) -> Buried {
        self.let_it_end();
        self.clean_up()
    }

    /// Ends it at once.
    pub fn killed(mut self) -> Buried {
        self.clean_up()
    }

    /// Kills whatever is left of it and its children.
    fn clean_up(&mut self) -> Buried {
        let ended_by_itself = has_ended(&self.child);
        let id = self.child.id();
        // Before it is waited for: until then no other process can get its number.
        kill_family(id, &self.mark);
        let _ = self.child.kill();
        let status = self.child.wait().ok().filter(|_| ended_by_itself);
        self.is_cleaned_up = true;
        running().programs.retain(|(known, _)| *known != id);
        self.hear_it_out();
        // Answers to nothing. If they never end, because somebody has hidden and holds the output open, so be it.
        while let Ok(Said::Lines(lines)) = self.from.recv_timeout(GRACE / 2) {
            self.was_not_asked(&lines);
        }
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&last_words).into_owned();
        Buried {
            status,
            last_words: last_words_of(&said),
            unasked: self.unasked,
            has_written: self.has_written(),
        }
    }

    /// What it said before it ended may still be on its way.
    fn hear_it_out(&self) {
        let begun = Instant::now();
        while self.listener.as_ref().is_some_and(|listener| !listener.is_finished())
            && begun.elapsed() < GRACE / 2
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The end of its input tells a program that it is over; whoever does not heed that is told once more.
    fn let_it_end(&mut self) {
        self.to = None;
        if !self.wait_for_its_end(GRACE) {
            ask_to_end(self.child.id());
            self.wait_for_its_end(GRACE / 2);
        }
    }

    /// Whether it ends within a time.
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

fn read_answers(stdout: impl Read, pieces: Pieces, answers: &Sender<Said>, written: &AtomicU64) {
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
        if written.fetch_add(taken as u64, Ordering::Relaxed) > FLOOD {
            let _ = answers.send(Said::Flood);
            return;
        }
        if end.is_some() {
            // What was written in one go belongs together, a last line that is not at its end included.
            if pieces == Pieces::AsWritten && !stdout.buffer().is_empty() {
                line.push(b'\n');
                continue;
            }
            if answers.send(Said::Lines(text(&mut line))).is_err() {
                return;
            }
        }
    }
    // The last line may do without an end.
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

/// What is worth telling of what a program said on its standard error: its last few lines. Those that are set in tell where
/// it happened, a step of the calls on each. There can be many of them, and what happened may stand above or below.
fn last_words_of(said: &str) -> Option<String> {
    /// No more lines than these, and no more of a line.
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

/// All programs that run, for a program of ours that is told to end.
struct Running {
    programs: Vec<(u32, String)>,
    /// How many have been started.
    started: u64,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { programs: Vec::new(), started: 0 });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all programs, because ours has to end. None can be started any more.
pub fn end_all() {
    let running = running();
    for (id, mark) in &running.programs {
        kill_family(*id, mark);
    }
    std::mem::forget(running);
}

/// How a command is run: by itself if it is plain words, else by the shell, which then stands between it and us.
fn run(command: &str) -> Command {
    let is_plain = |c: char| c.is_alphanumeric() || " ./_-+=:,@%".contains(c);
    let mut words = command.split_whitespace();
    let mut run = match words.next() {
        // A word with a = would set a variable.
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

/// Whether only a shell knows what this does.
fn is_of_shell(word: &str) -> bool {
    let words =
        [":", ".", "cd", "exec", "exit", "export", "eval", "read", "set", "trap", "ulimit", "umask", "unset"];
    words.contains(&word)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// What a program writes comes to us only a good while after it has ended, as on a machine that is very busy.
    struct Busy(ChildStdout);

    impl Read for Busy {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(into);
            thread::sleep(GLANCE * 6);
            read
        }
    }

    const PATIENCE: Duration = Duration::from_secs(60);

    /// An answer that was written before the end of the program is its answer, and not something that nobody asked for.
    #[test]
    fn an_answer_is_heard_after_the_end_of_the_program() {
        let mut process = Process::start_and_read("read l; echo +1", Pieces::AsWritten, Busy).unwrap();
        let answer = process.ask(b"which?", PATIENCE, |_| true, |_| ());
        assert_eq!(answer, Ok("+1".to_owned()));
        let gone = process.ask(b"and now?", PATIENCE, |_| true, |_| ());
        assert_eq!(gone, Err(Gone::Died));
        let buried = process.buried();
        assert_eq!((buried.code(), buried.unasked), (Some(0), 0));
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

    /// What was given up on may still come while the program is cleaned up. It was asked for.
    #[test]
    fn an_answer_that_is_too_late_was_asked_for() {
        let mut process = Process::start_and_read("read l; echo +1", Pieces::AsWritten, Busy).unwrap();
        let late = process.ask(b"which?", GLANCE * 5 / 2, |_| true, |_| ());
        assert!(late.is_err());
        assert_eq!(process.buried().unasked, 0);
    }
}
