//! Outside programs that play: `exec:COMMAND`. Each turn it is sent a line of JSON, and answers with a line.
//!
//! Nothing that such a program does may hurt us: it is asked within a time, what it writes is bounded, and it is
//! cleaned up with all that it has started. See [`process`] for how.

mod process;

use std::time::Duration;

use spoton::engine::position::{ByPlayer, Player};
use spoton::records::Refused;
use spoton::sitting::{PROGRAM, Setup};
use spoton::words::phrases;

use crate::args::ProgramArgs;
use crate::failure::Failure;
pub use process::end_all;
use process::{Gone, Process};

/// The outside programs of a sitting, and how they are dealt with.
#[derive(Default)]
pub struct Programs {
    pub seats: ByPlayer<Option<Program>>,
    /// How often a program is asked again on a turn.
    pub tries: u32,
    /// Whether they are told which moves are legal.
    pub with_legal: bool,
}

impl Programs {
    /// The programs that a setup names; none of them is started yet.
    pub fn of(setup: &Setup, args: &ProgramArgs) -> Programs {
        let limit = Duration::from_millis(args.move_time);
        let program = |player: Player| {
            let command = setup.programs[player].as_ref()?.strip_prefix(PROGRAM)?.to_owned();
            Some(Program { command, limit, ..Program::default() })
        };
        Programs { seats: ByPlayer::from_fn(program), tries: args.tries, with_legal: !args.no_legal_list }
    }
}

impl Programs {
    /// Another game begins: its rounds are counted anew, and its rules have to be told.
    pub fn new_game(&mut self) {
        for program in self.seats.0.iter_mut().flatten() {
            program.knows_rules_of = None;
        }
    }
}

/// A program that plays; it runs from its first turn on.
#[derive(Default)]
pub struct Program {
    pub command: String,
    /// How long it may think about a move.
    limit: Duration,
    process: Option<Process>,
    /// The round whose rules the running process has been told.
    knows_rules_of: Option<u32>,
    /// Whether it has ever given an answer.
    has_answered: bool,
    /// How many rounds it has forfeited, and why the last of them, in words.
    forfeited: (u64, String),
    /// How often it said something that nobody had asked for, before the process that runs now.
    unasked: u64,
    /// What it said last on its standard error before it was gone.
    last_words: Option<String>,
}

impl Program {
    /// Asks for a move in a round. The question is told whether it has to bring the rules. In the end there is a line, or
    /// why there is none.
    pub fn ask(
        &mut self,
        round: u32,
        question: impl Fn(bool) -> String,
    ) -> Result<Result<String, Refused>, Failure> {
        loop {
            let process = match &mut self.process {
                Some(process) => process,
                None => {
                    self.knows_rules_of = None;
                    self.process.insert(Process::start(&self.command)?)
                }
            };
            let with_rules = self.knows_rules_of != Some(round);
            let had_answered = process.has_answered();
            let gone = match process.ask(&question(with_rules), self.limit) {
                Ok(answer) => {
                    self.knows_rules_of = Some(round);
                    self.has_answered = true;
                    return Ok(Ok(answer));
                }
                Err(gone) => gone,
            };
            match gone {
                // It may still be thinking; what comes too late is passed over.
                Gone::Late => return Ok(Err(Refused::Late)),
                Gone::Flooded => {
                    self.end_now();
                    return Ok(Err(Refused::Flooded));
                }
                Gone::Died => {
                    let status = self.process.take().map(Process::buried);
                    self.unasked += status.as_ref().map_or(0, |buried| buried.unasked);
                    self.last_words = status.as_ref().and_then(|buried| buried.last_words.clone());
                    let code = status.and_then(|buried| buried.code);
                    // Whoever ends well after an answer only wants to be started for each one.
                    if had_answered && code == Some(0) {
                        continue;
                    }
                    if !self.has_answered && matches!(code, Some(126 | 127)) {
                        let why = self.last_words.as_deref().unwrap_or("there is no such program");
                        return Err(Failure::Usage(format!("cannot start {}: {why}", self.command)));
                    }
                    return Ok(Err(Refused::Died));
                }
            }
        }
    }

    /// A round is forfeited, because it does not answer: it is ended without asking, and started anew for its next turn.
    pub fn forfeit(&mut self, why: String) {
        self.forfeited = (self.forfeited.0 + 1, why);
        self.end_now();
    }

    /// What there is to complain about, a sentence each.
    pub fn trouble(&self, name: &str) -> Vec<String> {
        let mut told = Vec::new();
        let (many, why) = &self.forfeited;
        if *many > 0 {
            let said = self.last_words.as_ref().map(|said| format!("; it last said: {said}"));
            let many = phrases::count(*many, "round", "rounds");
            told.push(format!("{name} forfeited {many}: {why}{}", said.unwrap_or_default()));
        }
        let unasked = self.unasked + self.process.as_ref().map_or(0, |process| process.unasked);
        if unasked > 0 {
            let many = phrases::count(unasked, "time", "times");
            told.push(format!("{name} wrote something without being asked, {many}; it was passed over"));
        }
        told
    }

    fn end_now(&mut self) {
        if let Some(process) = self.process.take() {
            let buried = process.killed();
            self.unasked += buried.unasked;
            self.last_words = buried.last_words.or(self.last_words.take());
        }
    }
}

/// What is said of a program that gave no answer.
pub fn in_words(refused: Refused) -> &'static str {
    match refused {
        Refused::Illegal => "the move is not legal",
        Refused::Unreadable => "the answer is no move",
        Refused::Late => "the answer took too long",
        Refused::Died => "the program ended before it had answered",
        Refused::Flooded => "the program wrote far more than an answer",
    }
}
