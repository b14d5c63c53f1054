//! Outside programs as players. `exec:COMMAND` gets a line of JSON on each turn and answers with a line.
//! `engine:COMMAND` speaks the engine protocol.
//!
//! Invariant: no program can harm Spot On. Requests time out, output is bounded, and every process that a program
//! started is cleaned up.
//!
//! | file | contents |
//! |---|---|
//! | `options.rs` | their options on the command line |
//! | `process.rs` | runs a program in its process group, with threads for its pipes |
//! | `family.rs` | finds and ends the processes that a program started |

mod family;
mod options;
mod process;

use std::time::{Duration, Instant};

use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::format::{Rulebook, quotable};
use spoton::json::Turn;
use spoton::records::{Refusals, Refused};
use spoton::sitting::{ENGINE, Setup, command_of};
use spoton::words::answer::{self, NoMove};
use spoton::words::phrases;
use spoton::words::prompt::Telling;
use spoton::words::protocol::{How, Reply, Request};

use crate::failure::Failure;
use crate::solving::ProgressLine;
pub use options::ProgramArgs;
use process::ExitReport;
pub use process::{AskError, Pieces, Process, end_all};

/// The outside programs of a sitting, with their options.
#[derive(Default)]
pub struct Programs {
    pub seats: ByPlayer<Option<Program>>,
    /// Retries per turn.
    pub tries: u32,
    /// Whether they receive the legal moves.
    pub with_legal: bool,
    /// Whether they receive a prompt for a language model.
    prompt: bool,
    /// The seed of the disguise, if any.
    disguise: Option<u64>,
    /// Shows progress while Spot On waits for a program.
    pub progress: ProgressLine,
}

impl Programs {
    /// The programs in a setup. They start on their first turn.
    pub fn for_setup(setup: &Setup, args: &ProgramArgs) -> Programs {
        let limit = Duration::from_millis(args.move_time);
        let program = |player: Player| {
            let name = setup.programs[player].as_ref()?;
            let speaks = match name.starts_with(ENGINE) {
                // Leave time for starting the engine, and for sending and reading lines.
                true => Language::Engine(args.go.unwrap_or(How::Time((args.move_time * 4 / 5).max(1)))),
                false => Language::Json,
            };
            Some(Program { command: command_of(name)?.to_owned(), speaks, limit, ..Program::default() })
        };
        Programs {
            seats: ByPlayer::from_fn(program),
            tries: args.tries,
            with_legal: !args.no_legal_list,
            prompt: args.prompt || args.disguise.is_some(),
            disguise: args.disguise,
            progress: ProgressLine::hidden(),
        }
    }

    /// The prompt for language models. Returns `None` if programs receive JSON.
    pub fn telling(&self, rulebook: &Rulebook) -> Result<Option<Telling>, Failure> {
        let is_engine = |program: &Program| program.speaks != Language::Json;
        if !self.prompt {
            return Ok(None);
        }
        if self.seats.0.iter().flatten().any(is_engine) {
            return Err(Failure::Usage(
                "engines receive the rules directly; --prompt and --disguise are for exec:COMMAND".to_owned(),
            ));
        }
        match Telling::new(rulebook, self.with_legal, self.disguise) {
            Ok(telling) => Ok(Some(telling)),
            Err(why) => Err(Failure::Usage(format!("{}: {why}", rulebook.title()))),
        }
    }
}

impl Programs {
    /// Starts another game: its rounds count from 1, and programs need its rules.
    pub fn new_game(&mut self) {
        for program in self.seats.0.iter_mut().flatten() {
            program.knows_rules_of = None;
        }
    }

    /// Ends the programs and counts their remaining output.
    pub fn finish(&mut self) {
        for program in self.seats.0.iter_mut().flatten() {
            if let Some(process) = program.process.take() {
                let report = process.finish();
                program.remember(&report);
            }
        }
    }

    /// How often each program wrote unsolicited lines.
    pub fn unasked(&self) -> ByPlayer<u64> {
        ByPlayer::from_fn(|player| self.seats[player].as_ref().map_or(0, Program::unasked))
    }
}

/// The protocol of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Language {
    #[default]
    Json,
    /// The engine protocol, with the search to request.
    Engine(How),
}

/// A program that plays. Its process starts on its first turn.
#[derive(Default)]
pub struct Program {
    pub command: String,
    speaks: Language,
    /// Time limit per answer.
    limit: Duration,
    process: Option<Process>,
    /// The round whose rules the running process knows.
    knows_rules_of: Option<u32>,
    /// Whether it has ever answered.
    has_answered: bool,
    /// Whether it has ever answered on a turn, legally or not.
    has_answered_a_turn: bool,
    /// Whether an earlier process has written anything.
    has_written: bool,
    /// Forfeited rounds.
    pub forfeited: u64,
    /// Why it forfeited the last of its forfeited rounds.
    why_forfeited: Option<NoMove>,
    /// How often earlier processes wrote unsolicited lines.
    unasked: u64,
    /// The end of its standard error.
    last_words: Option<String>,
    refusals: Refusals,
    /// How it last exited without an answer, with its last output.
    death: String,
    /// The engine's output in place of its last answer, which was late.
    silence: Option<String>,
}

impl Program {
    /// Asks for a move. Returns a legal one, or why there is none. Sends the rules if needed.
    pub fn choose(
        &mut self,
        turn: Turn<'_>,
        progress: &mut ProgressLine,
    ) -> Result<Result<Choice, NoMove>, Failure> {
        let refused = |why: Refused| NoMove { why, reason: in_words(why).to_owned() };
        let chosen = match self.speaks {
            Language::Json => self.ask(turn, progress)?.map(|said| match turn.telling {
                Some(telling) => telling.read(&said, turn.round),
                None => answer::read(&said, turn.round),
            }),
            Language::Engine(how) => self.ask_engine(turn, how, progress)?.map(|reply| match reply {
                Reply::BestMove(written) => best_move(&written, turn),
                Reply::Error(why) => {
                    let reason = format!("the engine answered: error {}", quotable(&why));
                    Err(NoMove { why: Refused::Unreadable, reason })
                }
                _ => Err(refused(Refused::Unreadable)),
            }),
        };
        self.has_answered_a_turn |= chosen.is_ok();
        let chosen = chosen.unwrap_or_else(|why| {
            let reason = self.silence.take().filter(|_| why == Refused::Late);
            Err(reason.map_or_else(|| refused(why), |reason| NoMove { why, reason }))
        });
        if let Err(no_move) = &chosen {
            self.refusals.count(no_move.why);
        }
        Ok(chosen)
    }

    /// Sends a line of JSON. Returns the answer, or why there is none.
    fn ask(
        &mut self,
        turn: Turn<'_>,
        progress: &mut ProgressLine,
    ) -> Result<Result<String, Refused>, Failure> {
        loop {
            self.running(Pieces::AsWritten)?;
            let with_rules = self.knows_rules_of != Some(turn.number);
            let question =
                serde_json::to_vec(&Turn { with_rules, ..turn }.request()).map_err(std::io::Error::from)?;
            let limit = self.limit;
            let (process, _) = self.running(Pieces::AsWritten)?;
            let asked = process.ask(&question, limit, |_| true, |since| progress.waiting(since));
            let has_answered = process.has_answered();
            match asked {
                Ok(answer) => {
                    self.knows_rules_of = Some(turn.number);
                    self.has_answered = true;
                    return Ok(Ok(answer));
                }
                // It may still be thinking. A late answer is ignored.
                Err(AskError::Late) => return Ok(Err(Refused::Late)),
                Err(AskError::Flooded) => {
                    self.end_now();
                    return Ok(Err(Refused::Flooded));
                }
                // A program that exits cleanly after each answer is restarted for each question. Whether we notice the
                // exit before or after sending this question is a race, so ask again.
                Err(AskError::Died) if self.died()? == Some(0) && has_answered => continue,
                Err(AskError::Died) => return Ok(Err(Refused::Died)),
            }
        }
    }

    /// Sends the position to an engine and asks for a move, all within the time limit.
    fn ask_engine(
        &mut self,
        turn: Turn<'_>,
        how: How,
        progress: &mut ProgressLine,
    ) -> Result<Result<Reply, Refused>, Failure> {
        let (begun, limit) = (Instant::now(), self.limit);
        let (round, rulebook) = (turn.round, turn.round.rulebook());
        let (_, is_new) = self.running(Pieces::Lines)?;
        let mut requests: Vec<Request> = is_new.then_some(Request::Hello).into_iter().collect();
        if self.knows_rules_of != Some(turn.number) {
            requests.extend([Request::NewGame, Request::Rules(rulebook.rules_line())]);
        }
        requests.push(Request::Position {
            at: Some(rulebook.position_text(round.opening())),
            moves: round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect(),
        });
        let legal = rulebook.legal(round.position());
        let legal = legal.iter().map(|choice| rulebook.write(Move::Operation(choice)));
        requests.push(Request::Go { how, among: legal.filter(|_| turn.with_legal).collect() });
        let mut last = Reply::Ok;
        for request in requests {
            let left = limit.saturating_sub(begun.elapsed());
            let (process, _) = self.running(Pieces::Lines)?;
            let ends = |line: &str| request.is_answered_by(line);
            let waiting = |_| progress.waiting(begun.elapsed());
            last = match process.ask(request.to_string().as_bytes(), left, ends, waiting) {
                Ok(said) => said.lines().last().and_then(Reply::read).unwrap_or(Reply::Ok),
                Err(AskError::Died) => {
                    self.died()?;
                    return Ok(Err(Refused::Died));
                }
                // The engine knew its time limit. A later answer couldn't be matched to a question.
                Err(AskError::Late) => {
                    self.silence = Some(silence(process, &request, limit));
                    self.end_now();
                    return Ok(Err(Refused::Late));
                }
                Err(AskError::Flooded) => {
                    self.end_now();
                    return Ok(Err(Refused::Flooded));
                }
            };
            self.has_answered = true;
            if matches!(last, Reply::Error(_)) {
                return Ok(Ok(last));
            }
        }
        self.knows_rules_of = Some(turn.number);
        Ok(Ok(last))
    }

    /// The process, and whether it has just started.
    fn running(&mut self, pieces: Pieces) -> Result<(&mut Process, bool), Failure> {
        let is_new = self.process.is_none();
        if is_new {
            self.knows_rules_of = None;
            self.process = Some(Process::start(&self.command, pieces)?);
        }
        match &mut self.process {
            Some(process) => Ok((process, is_new)),
            None => Err(Failure::Failed(format!("{} isn't running", self.command))),
        }
    }

    /// Cleans up after an exited process. Returns its exit status if it exited by itself. A command that doesn't exist is a
    /// usage error.
    fn died(&mut self) -> Result<Option<i32>, Failure> {
        let Some(process) = self.process.take() else { return Ok(None) };
        let report = process.wait_for_exit();
        self.remember(&report);
        let status = report.status.map(|status| format!(", with {}", status.to_string().replace(": ", " ")));
        self.death = status.unwrap_or_default() + &it_last_said(report.last_words.as_deref());
        if !self.has_answered && matches!(report.code(), Some(126 | 127)) {
            let why = self.last_words.as_deref().unwrap_or("no such program");
            return Err(Failure::Usage(format!("can't start {}: {why}", self.command)));
        }
        Ok(report.code())
    }

    /// Forfeits the round. Kills the process; its next turn starts a new one.
    pub fn forfeit(&mut self, why: Option<NoMove>) {
        self.forfeited += 1;
        self.why_forfeited = why;
        self.end_now();
    }

    /// Problems with the program, one sentence each.
    pub fn trouble(&self, name: &str) -> Vec<String> {
        let mut told = Vec::new();
        let forfeited = self.why_forfeited.as_ref();
        if let Some(NoMove { why, reason }) = forfeited {
            let many = phrases::count(self.forfeited, "round", "rounds");
            told.push(format!("{name} forfeited {many}: {reason}{}", self.details(*why)));
        }
        // Illegal and unreadable answers are part of how it plays.
        for why in [Refused::Died, Refused::Late, Refused::Flooded] {
            if self.refusals[why] > 0 {
                let many = phrases::count(self.refusals[why], "time", "times");
                let is_told = forfeited.is_some_and(|forfeited| forfeited.why == why);
                let details = if is_told { String::new() } else { self.details(why) };
                told.push(format!("{name} failed {many}: {}{details}", in_words(why)));
            }
        }
        if self.unasked() > 0 {
            let many = phrases::count(self.unasked(), "time", "times");
            told.push(format!("{name} wrote {many} without being asked; Spot On ignored it"));
        }
        told
    }

    /// Why a program forfeited a round before its first answer; `None` if it didn't.
    pub fn never_answered(&self, name: &str) -> Option<String> {
        let NoMove { why, reason } = self.why_forfeited.as_ref().filter(|_| !self.has_answered_a_turn)?;
        let seconds = self.limit.as_secs_f64();
        let about = match why {
            Refused::Late if self.speaks != Language::Json => {
                format!("{reason}. --move-time raises the limit")
            }
            Refused::Late if self.has_written => format!(
                "it wrote no complete answer within {seconds} s. End each answer with a line break; \
                 --move-time raises the limit"
            ),
            Refused::Late => format!(
                "it wrote nothing within {seconds} s. Flush each answer (flush=True in Python); \
                 --move-time raises the limit"
            ),
            why => format!("{reason}{}", self.details(*why)),
        };
        Some(format!("{name} never answered: {about}. To play on anyway, use --keep-going"))
    }

    /// More details on why there was no answer.
    fn details(&self, why: Refused) -> String {
        match why {
            Refused::Died => self.death.clone(),
            _ => it_last_said(self.last_words.as_deref()),
        }
    }

    /// How often it wrote unsolicited lines.
    fn unasked(&self) -> u64 {
        self.unasked + self.process.as_ref().map_or(0, |process| process.unasked)
    }

    fn end_now(&mut self) {
        if let Some(process) = self.process.take() {
            let report = process.kill_now();
            self.remember(&report);
        }
    }

    /// Adds an exited process's figures to the totals.
    fn remember(&mut self, report: &ExitReport) {
        self.unasked += report.unasked;
        self.has_written |= report.has_written;
        self.last_words = report.last_words.clone().or(self.last_words.take());
    }
}

/// An engine's output after a request, if it isn't an answer.
fn silence(process: &Process, request: &Request, limit: Duration) -> String {
    let (sent, seconds) = (quotable(&request.to_string()), limit.as_secs_f64());
    let instead = || process.instead.lines();
    if let Some((line, why)) = instead().find_map(|line| Some((line, Reply::why_not(line)?))) {
        return format!("it answered \"{sent}\" with \"{}\": {why}", quotable(line));
    }
    if let Some(line) = process.unfinished() {
        let line = quotable(&line);
        return format!("it answered \"{sent}\" with \"{line}\" but no line break within {seconds} s");
    }
    match instead().next() {
        Some(line) => {
            let (line, answer) = (quotable(line), request.answer());
            format!("it answered \"{sent}\" with \"{line}\", but no {answer} came within {seconds} s")
        }
        None if process.has_answered() => {
            format!("it answered earlier lines, but nothing after \"{sent}\" within {seconds} s")
        }
        None => format!(
            "it answered nothing after \"{sent}\" within {seconds} s. Flush each answer \
             (flush=True in Python)"
        ),
    }
}

/// Reads an engine's move: exactly one word.
fn best_move(written: &str, turn: Turn<'_>) -> Result<Choice, NoMove> {
    if let Some(why) = Reply::why_not(written) {
        let reason = format!("bestmove \"{}\": {why}", quotable(written));
        return Err(NoMove { why: Refused::Unreadable, reason });
    }
    if written.split_whitespace().count() == 1 {
        return answer::read(written, turn.round);
    }
    let reason = format!("\"{}\" isn't a single move", quotable(written));
    Err(NoMove { why: Refused::Unreadable, reason })
}

fn it_last_said(words: Option<&str>) -> String {
    words.map(|words| format!("; its last output: {words}")).unwrap_or_default()
}

/// A refusal in words.
fn in_words(refused: Refused) -> &'static str {
    match refused {
        Refused::Illegal => "the move isn't legal",
        Refused::Unreadable => "the answer isn't a move",
        Refused::Late => "the answer took too long",
        Refused::Died => "the program exited before it answered",
        Refused::Flooded => "the program wrote far too much",
    }
}
