//! Outside programs as players. `exec:COMMAND` gets a line of JSON on each turn and answers with a line.
//! `engine:COMMAND` speaks the engine protocol.
//!
//! Invariant: no program can harm Spot On. Requests time out, output is bounded, and every process it started gets
//! cleaned up.
//!
//! | file | contents |
//! |---|---|
//! | `process.rs` | runs a program in its process group, with threads for its pipes |
//! | `family.rs` | finds and ends the processes that a program started |

mod family;
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

use crate::args::ProgramArgs;
use crate::failure::Failure;
use crate::solving::ProgressLine;
use process::Buried;
pub use process::{Gone, Pieces, Process, end_all};

/// The outside programs of a sitting, and how they are dealt with.
#[derive(Default)]
pub struct Programs {
    pub seats: ByPlayer<Option<Program>>,
    /// How often a program is asked again on a turn.
    pub tries: u32,
    /// Whether they are told which moves are legal.
    pub with_legal: bool,
    /// Whether they are sent a prompt for a language model.
    prompt: bool,
    /// The seed of the story that the game is told as, if it is.
    disguise: Option<u64>,
    /// Where it is shown that one of them is waited for.
    pub progress: ProgressLine,
}

impl Programs {
    /// The programs that a setup names; none of them is started yet.
    pub fn of(setup: &Setup, args: &ProgramArgs) -> Programs {
        let limit = Duration::from_millis(args.move_time);
        let program = |player: Player| {
            let name = setup.programs[player].as_ref()?;
            let speaks = match name.starts_with(ENGINE) {
                // What it takes to start, to send and to read is time, too.
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

    /// How language models are told a game; `None` if programs are told it as it is.
    pub fn telling(&self, rulebook: &Rulebook) -> Result<Option<Telling>, Failure> {
        let is_engine = |program: &Program| program.speaks != Language::Json;
        if !self.prompt {
            return Ok(None);
        }
        if self.seats.0.iter().flatten().any(is_engine) {
            return Err(Failure::Usage(
                "an engine is told the rules themselves; --prompt and --disguise are for exec:COMMAND"
                    .to_owned(),
            ));
        }
        match Telling::new(rulebook, self.with_legal, self.disguise) {
            Ok(telling) => Ok(Some(telling)),
            Err(why) => Err(Failure::Usage(format!("{}: {why}", rulebook.title()))),
        }
    }
}

impl Programs {
    /// Another game begins: its rounds are counted anew, and its rules have to be told.
    pub fn new_game(&mut self) {
        for program in self.seats.0.iter_mut().flatten() {
            program.knows_rules_of = None;
        }
    }

    /// Nothing more is asked: they end, and what they still say is counted.
    pub fn finish(&mut self) {
        for program in self.seats.0.iter_mut().flatten() {
            if let Some(process) = program.process.take() {
                let buried = process.finished();
                program.remember(&buried);
            }
        }
    }

    /// How often each of them wrote something that nobody had asked for.
    pub fn unasked(&self) -> ByPlayer<u64> {
        ByPlayer::from_fn(|player| self.seats[player].as_ref().map_or(0, Program::unasked))
    }
}

/// How a program is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Language {
    #[default]
    Json,
    /// The protocol of engines, with how hard it is to think.
    Engine(How),
}

/// A program that plays; it runs from its first turn on.
#[derive(Default)]
pub struct Program {
    pub command: String,
    speaks: Language,
    /// How long it may think about a move.
    limit: Duration,
    process: Option<Process>,
    /// The round whose rules the running process has been told.
    knows_rules_of: Option<u32>,
    /// Whether it has ever given an answer.
    has_answered: bool,
    /// Whether one of them was the answer to which move it makes, whatever it was worth.
    has_answered_a_turn: bool,
    /// Whether a process that is gone has ever written anything.
    has_written: bool,
    /// How many rounds it has forfeited.
    pub forfeited: u64,
    /// Why the last of them.
    why_forfeited: Option<NoMove>,
    /// How often it said something that nobody had asked for, before the process that runs now.
    unasked: u64,
    /// What it said last on its standard error before it was gone.
    last_words: Option<String>,
    /// How often it gave no legal move.
    refusals: Refusals,
    /// How it ended when it last did so without an answer, and what it had said.
    death: String,
    /// What an engine said instead of the last answer that came too late.
    silence: Option<String>,
}

impl Program {
    /// Asks for a move: a legal one, or why there is none. Whether the rules have to be told is known here.
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
                    let reason = format!("the engine said: error {}", quotable(&why));
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

    /// A line of JSON, and the answer to it, or why there is none.
    fn ask(
        &mut self,
        turn: Turn<'_>,
        progress: &mut ProgressLine,
    ) -> Result<Result<String, Refused>, Failure> {
        loop {
            self.running(Pieces::AsWritten)?;
            let with_rules = self.knows_rules_of != Some(turn.number);
            let question = Turn { with_rules, ..turn }.to_json().to_string();
            let limit = self.limit;
            let (process, _) = self.running(Pieces::AsWritten)?;
            let asked = process.ask(question.as_bytes(), limit, |_| true, |since| progress.waiting(since));
            let has_answered = process.has_answered();
            match asked {
                Ok(answer) => {
                    self.knows_rules_of = Some(turn.number);
                    self.has_answered = true;
                    return Ok(Ok(answer));
                }
                // It may still be thinking; what comes too late is passed over.
                Err(Gone::Late) => return Ok(Err(Refused::Late)),
                Err(Gone::Flooded) => {
                    self.end_now();
                    return Ok(Err(Refused::Flooded));
                }
                // Whoever ends well after an answer only wants to be started for each one. The answer was to an earlier
                // question; whether its end was seen before it was sent this one is a matter of chance.
                Err(Gone::Died) if self.died()? == Some(0) && has_answered => continue,
                Err(Gone::Died) => return Ok(Err(Refused::Died)),
            }
        }
    }

    /// Tells an engine where the round stands, and asks it to think. All of that has to be done within the time.
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
                Err(Gone::Died) => {
                    self.died()?;
                    return Ok(Err(Refused::Died));
                }
                // It was told how long it may think: what comes now would be the answer to nobody knows what.
                Err(Gone::Late) => {
                    self.silence = Some(silence(process, &request, limit));
                    self.end_now();
                    return Ok(Err(Refused::Late));
                }
                Err(Gone::Flooded) => {
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

    /// The process, and whether it was only now started.
    fn running(&mut self, pieces: Pieces) -> Result<(&mut Process, bool), Failure> {
        let is_new = self.process.is_none();
        if is_new {
            self.knows_rules_of = None;
            self.process = Some(Process::start(&self.command, pieces)?);
        }
        match &mut self.process {
            Some(process) => Ok((process, is_new)),
            None => Err(Failure::Failed(format!("{} does not run", self.command))),
        }
    }

    /// Cleans up after a process that has ended: its exit status, if it ended by itself. One that never was there is a
    /// mistake of whoever named it.
    fn died(&mut self) -> Result<Option<i32>, Failure> {
        let Some(process) = self.process.take() else { return Ok(None) };
        let buried = process.buried();
        self.remember(&buried);
        let status = buried.status.map(|status| format!(", with {}", status.to_string().replace(": ", " ")));
        self.death = status.unwrap_or_default() + &it_last_said(buried.last_words.as_deref());
        if !self.has_answered && matches!(buried.code(), Some(126 | 127)) {
            let why = self.last_words.as_deref().unwrap_or("there is no such program");
            return Err(Failure::Usage(format!("cannot start {}: {why}", self.command)));
        }
        Ok(buried.code())
    }

    /// A round is forfeited, because it does not answer: it is ended without asking, and started anew for its next turn.
    pub fn forfeit(&mut self, why: Option<NoMove>) {
        self.forfeited += 1;
        self.why_forfeited = why;
        self.end_now();
    }

    /// What there is to complain about, a sentence each.
    pub fn trouble(&self, name: &str) -> Vec<String> {
        let mut told = Vec::new();
        let forfeited = self.why_forfeited.as_ref();
        if let Some(NoMove { why, reason }) = forfeited {
            let many = phrases::count(self.forfeited, "round", "rounds");
            told.push(format!("{name} forfeited {many}: {reason}{}", self.details(*why)));
        }
        // Other answers that were no legal moves are a part of how it plays.
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
            told.push(format!("{name} wrote something without being asked, {many}; it was passed over"));
        }
        told
    }

    /// What is wrong with a program that has forfeited a round before it gave a single answer; `None` if it is not so.
    pub fn never_answered(&self, name: &str) -> Option<String> {
        let NoMove { why, reason } = self.why_forfeited.as_ref().filter(|_| !self.has_answered_a_turn)?;
        let seconds = self.limit.as_secs_f64();
        let about = match why {
            Refused::Late if self.speaks != Language::Json => {
                format!("{reason}. --move-time gives a program more time")
            }
            Refused::Late if self.has_written => format!(
                "it wrote something, but no whole answer within {seconds} s. An answer has to end its line; \
                 --move-time gives a program more time"
            ),
            Refused::Late => format!(
                "nothing came within {seconds} s. An answer has to be written out at once (flush=True in Python); \
                 --move-time gives a program more time"
            ),
            why => format!("{reason}{}", self.details(*why)),
        };
        Some(format!("{name} has given no answer at all: {about}. With --keep-going the rest is played"))
    }

    /// What else may tell why there was no answer.
    fn details(&self, why: Refused) -> String {
        match why {
            Refused::Died => self.death.clone(),
            _ => it_last_said(self.last_words.as_deref()),
        }
    }

    /// How often it wrote something that nobody had asked for.
    fn unasked(&self) -> u64 {
        self.unasked + self.process.as_ref().map_or(0, |process| process.unasked)
    }

    fn end_now(&mut self) {
        if let Some(process) = self.process.take() {
            let buried = process.killed();
            self.remember(&buried);
        }
    }

    /// What is left of a process.
    fn remember(&mut self, buried: &Buried) {
        self.unasked += buried.unasked;
        self.has_written |= buried.has_written;
        self.last_words = buried.last_words.clone().or(self.last_words.take());
    }
}

/// What an engine said after a request instead of an answer.
fn silence(process: &Process, request: &Request, limit: Duration) -> String {
    let (sent, seconds) = (quotable(&request.to_string()), limit.as_secs_f64());
    let instead = || process.instead.lines();
    if let Some((line, why)) = instead().find_map(|line| Some((line, Reply::why_not(line)?))) {
        return format!("it answered \"{sent}\" with \"{}\": {why}", quotable(line));
    }
    match instead().next() {
        Some(line) => {
            let (line, answer) = (quotable(line), request.answer());
            format!("it answered \"{sent}\" with \"{line}\", and no {answer} came within {seconds} s")
        }
        None if process.has_answered() => {
            format!("it answered the lines before, but said nothing after \"{sent}\" within {seconds} s")
        }
        None => format!(
            "it said nothing after \"{sent}\" within {seconds} s. Flush each answer immediately \
             (flush=True in Python)"
        ),
    }
}

/// The move of an engine: just one, as it is written.
fn best_move(written: &str, turn: Turn<'_>) -> Result<Choice, NoMove> {
    if let Some(why) = Reply::why_not(written) {
        let reason = format!("bestmove \"{}\": {why}", quotable(written));
        return Err(NoMove { why: Refused::Unreadable, reason });
    }
    if written.split_whitespace().count() == 1 {
        return answer::read(written, turn.round);
    }
    let reason = format!("\"{}\" is not one move", quotable(written));
    Err(NoMove { why: Refused::Unreadable, reason })
}

fn it_last_said(words: Option<&str>) -> String {
    words.map(|words| format!("; it last said: {words}")).unwrap_or_default()
}

/// What is said of a program that gave no answer.
fn in_words(refused: Refused) -> &'static str {
    match refused {
        Refused::Illegal => "the move is not legal",
        Refused::Unreadable => "the answer is no move",
        Refused::Late => "the answer took too long",
        Refused::Died => "the program ended before it had answered",
        Refused::Flooded => "the program wrote far more than an answer",
    }
}
