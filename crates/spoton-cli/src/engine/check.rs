//! Checks that an engine follows the protocol: one finding per rule. Each rule starts a new process, so that errors
//! don't spread. The last rule covers any output outside the protocol.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::{Rulebook, catalog, quotable};
use spoton::records::read_move;
use spoton::solved::{SolvedGame, SolvedGames};
use spoton::solver::{Budget, Seen, Verdict, best_seen};
use spoton::words::phrases::and_list;
use spoton::words::protocol::{How, Reply, Request};

use crate::failure::Failure;
use crate::programs::{Gone, Pieces, Process};
use crate::solving::games;

/// A passed rule, perhaps with a remark, or why it failed.
pub type Finding = Result<Option<String>, String>;

/// Why a check stopped: the rule failed, or the engine can't be started at all.
enum Halt {
    Broken(String),
    Failed(Failure),
}

type Checked = Result<Option<String>, Halt>;

/// Games that an engine accepts.
type Books = Vec<Arc<Rulebook>>;

/// A rule and its check.
type Rule = (&'static str, fn(&Check) -> Checked);

const RULES: [Rule; 10] = [
    ("Identifies itself", says_who_it_is),
    ("Answers every line", answers_every_line),
    ("Accepts rules and positions", takes_rules_and_positions),
    ("Survives bad rules and positions", answers_bad_ones),
    ("Plays legal moves", makes_legal_moves),
    ("Chooses among the given moves", chooses_among),
    ("Respects the time limit", keeps_to_its_time),
    ("Evaluates positions truthfully", tells_the_truth),
    ("Exits on quit and at the end of its input", ends),
    ("Writes only the protocol to standard output", writes_nothing_else),
];

/// Maximum number of stray lines reported.
const MOST_STRAYS: usize = 5;

/// Checks the rules one by one.
pub fn all(command: &str, limit: Duration) -> impl Iterator<Item = (&'static str, Result<Finding, Failure>)> {
    let games = games(crate::solving::MEBIBYTES);
    let check = Check { command: command.to_owned(), limit, games, strays: RefCell::default() };
    RULES.into_iter().map(move |(rule, look)| {
        let finding = match look(&check) {
            Ok(remark) => Ok(Ok(remark)),
            Err(Halt::Broken(why)) => Ok(Err(why)),
            Err(Halt::Failed(failure)) => Err(failure),
        };
        (rule, finding)
    })
}

struct Check {
    command: String,
    /// Time limit per answer.
    limit: Duration,
    games: SolvedGames,
    /// Distinct lines outside the protocol, and when each first appeared; at most one more than is reported.
    strays: RefCell<Vec<(String, String)>>,
}

/// A conversation with a running engine.
struct Talk<'a> {
    check: &'a Check,
    process: Process,
}

impl Check {
    fn start(&self) -> Result<Talk<'_>, Halt> {
        let process = Process::start(&self.command, Pieces::Lines).map_err(Halt::Failed)?;
        Ok(Talk { check: self, process })
    }

    fn note_stray(&self, said: &str, when: &str) {
        let (said, mut strays) = (quotable(said), self.strays.borrow_mut());
        if strays.len() <= MOST_STRAYS && !strays.iter().any(|(known, _)| *known == said) {
            strays.push((said, when.to_owned()));
        }
    }

    fn greeted(&self) -> Result<Talk<'_>, Halt> {
        let mut talk = self.start()?;
        talk.ask(&Request::Hello)?;
        Ok(talk)
    }

    /// Returns a new conversation, the shipped games that the engine accepts, and the ids of the others.
    fn taken(&self) -> Result<(Talk<'_>, Books, Vec<&'static str>), Halt> {
        let (mut talk, mut taken, mut refused) = (self.greeted()?, Vec::new(), Vec::new());
        for id in catalog::ids() {
            let Some(rulebook) = catalog::draft(id).and_then(|draft| draft.build().ok()) else { continue };
            match talk.accepts(&Request::Rules(rulebook.rules_line()))? {
                true => taken.push(Arc::new(rulebook)),
                false => refused.push(id),
            }
        }
        match taken.is_empty() {
            true => broken("it accepts the rules of none of Spot On's games".to_owned()),
            false => Ok((talk, taken, refused)),
        }
    }
}

impl Talk<'_> {
    /// Sends a request. Returns all lines of the answer.
    fn ask(&mut self, request: &Request) -> Result<Vec<Reply>, Halt> {
        let line = request.to_string();
        self.send(line.as_bytes(), |said| request.is_answered_by(said))
    }

    /// Sends a line. Returns the parsed answer, up to the line that ends it.
    fn send(&mut self, line: &[u8], ends: impl Fn(&str) -> bool) -> Result<Vec<Reply>, Halt> {
        let sent = quotable(&String::from_utf8_lossy(line));
        let had_answered = self.process.has_answered();
        let asked = self.process.ask(line, self.check.limit, ends, |_| ());
        if let Some(unasked) = self.process.first_unasked.take() {
            self.check.note_stray(&unasked, "without being asked");
        }
        let said = asked.as_ref().unwrap_or(&self.process.instead);
        let strays = said.lines().filter(|line| Reply::read(line).is_none());
        strays.for_each(|stray| self.check.note_stray(stray, &format!("after \"{sent}\"")));
        let gone = match asked {
            Ok(said) => return Ok(said.lines().filter_map(Reply::read).collect()),
            Err(gone) => gone,
        };
        let instead = || self.process.instead.lines();
        let misread = instead().find_map(|line| Some((line, Reply::why_not(line)?)));
        let what = match (gone, misread.or_else(|| Some((instead().next()?, "")))) {
            (Gone::Late, None | Some((_, ""))) if self.process.unfinished().is_some() => {
                let line = quotable(&self.process.unfinished().unwrap_or_default());
                format!("came \"{line}\" without a line break; end each answer with one")
            }
            (Gone::Late, Some((line, ""))) => {
                format!("came \"{}\", and no answer within the time limit", quotable(line))
            }
            (Gone::Late, Some((line, why))) => {
                format!("came \"{}\", which is not in the protocol: {why}", quotable(line))
            }
            (Gone::Late, None) if had_answered => {
                "it answered earlier lines, but not this one in time".to_owned()
            }
            (Gone::Late, None) => "no answer came within the time limit; flush each answer".to_owned(),
            (Gone::Died, _) => "the engine exited or closed its output".to_owned(),
            (Gone::Flooded, _) => "the answer was longer than 1 MiB".to_owned(),
        };
        broken(format!("after \"{sent}\" {what}"))
    }

    /// Starts a round of a game.
    fn begin(&mut self, rulebook: &Rulebook) -> Result<(), Halt> {
        let rules = Request::Rules(rulebook.rules_line());
        match self.accepts(&Request::NewGame)? && self.accepts(&rules)? {
            true => Ok(()),
            false => broken(format!("it no longer accepts \"{rules}\"")),
        }
    }

    /// Sends a request. Returns whether the answer was `ok`.
    fn accepts(&mut self, request: &Request) -> Result<bool, Halt> {
        Ok(self.ask(request)?.last() == Some(&Reply::Ok))
    }

    /// Asks for a move in a round. Returns the other lines and the move, or `None` for an error.
    fn go(&mut self, round: &Round, how: How, given: &[Move]) -> Result<Option<(Vec<Reply>, Move)>, Halt> {
        let rulebook = round.rulebook();
        let position = Request::Position {
            at: Some(rulebook.position_text(round.opening())),
            moves: round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect(),
        };
        let where_to = || quotable(&position.to_string());
        if !self.accepts(&position)? {
            return broken(format!("it doesn't accept \"{}\" of {}", where_to(), rulebook.rules_line()));
        }
        let among: Vec<String> = given.iter().map(|a_move| rulebook.write(*a_move)).collect();
        let mut replies = self.ask(&Request::Go { how, among })?;
        match replies.pop() {
            Some(Reply::BestMove(written)) => match read_move(&written, round) {
                Ok(a_move) if given.contains(&a_move) => Ok(Some((replies, a_move))),
                Ok(_) => broken(format!(
                    "it chose {written}, which wasn't among the given moves, after \"{}\"",
                    where_to()
                )),
                Err(why) => {
                    let why = Reply::why_not(&written).map_or(why.to_string(), str::to_owned);
                    let written = quotable(&written);
                    broken(format!("bestmove {written} after \"{}\": {why}", where_to()))
                }
            },
            _ => Ok(None),
        }
    }
}

fn broken<T>(why: String) -> Result<T, Halt> {
    Err(Halt::Broken(why))
}

fn says_who_it_is(check: &Check) -> Checked {
    let replies = check.start()?.ask(&Request::Hello)?;
    let name = replies.iter().find_map(|reply| match reply {
        Reply::Id(what, name) if what == "name" => Some(name),
        _ => None,
    });
    match (name, replies.last()) {
        (Some(name), Some(Reply::Hello)) => Ok(Some(quotable(name))),
        (_, Some(Reply::Hello)) => broken("the line \"id name …\" before spotonok is missing".to_owned()),
        _ => broken("the answer to spoton isn't spotonok".to_owned()),
    }
}

fn answers_every_line(check: &Check) -> Checked {
    let mut talk = check.greeted()?;
    let long = "x".repeat(100_000);
    let lines: [&[u8]; 9] = [
        b"no such thing",
        b"",
        b"   ",
        b"\xff\xfe\x00\x1b[2J",
        long.as_bytes(),
        b"go",
        b"go depth 0",
        b"position",
        b"spoton spoton",
    ];
    let mut wrong = Vec::new();
    for line in lines {
        // Any parsed line ends the answer. The next step checks whether it is an error.
        let replies = talk.send(line, |said| Reply::read(said).is_some())?;
        if !matches!(replies[..], [.., Reply::Error(_)]) {
            wrong.push(format!("\"{}\"", quotable(&String::from_utf8_lossy(line))));
        }
    }
    talk.ask(&Request::Hello)?;
    match &wrong[..] {
        [] => Ok(None),
        [one] => broken(format!("the answer to {one} isn't error …")),
        many => broken(format!("the answers to {} aren't error …", and_list(many))),
    }
}

fn takes_rules_and_positions(check: &Check) -> Checked {
    let (mut talk, taken, refused) = check.taken()?;
    for rulebook in &taken {
        talk.begin(rulebook)?;
        for first in Player::BOTH {
            let at = Some(rulebook.position_text(&rulebook.opening(first)));
            let position = Request::Position { at, moves: Vec::new() };
            if !talk.accepts(&position)? {
                return broken(format!("it doesn't accept \"{position}\" of {}", rulebook.rules_line()));
            }
        }
        if !talk.accepts(&Request::Position { at: None, moves: Vec::new() })? {
            return broken(format!("it doesn't accept \"position opening\" of {}", rulebook.rules_line()));
        }
    }
    Ok((!refused.is_empty()).then(|| format!("It doesn't play {}.", and_list(refused))))
}

/// The engine may answer `ok` or `error`, but must keep running.
fn answers_bad_ones(check: &Check) -> Checked {
    let (mut talk, taken, _) = check.taken()?;
    talk.begin(&taken[0])?;
    for line in [
        "rules {start = 1}",
        "rules {start = 1, target = 2, moves = ['y1']}",
        "rules {",
        "position 1",
        "position 99999999999999999999;3",
        "position opening moves +1 no +1",
    ] {
        talk.send(line.as_bytes(), |said| matches!(Reply::read(said), Some(Reply::Ok | Reply::Error(_))))?;
    }
    let rules = Request::Rules(taken[0].rules_line());
    match talk.accepts(&rules)? {
        true => Ok(None),
        false => broken("after that it rejects rules that it accepted before".to_owned()),
    }
}

/// Makes the engine play every accepted game against itself, from both seats. Passes each answer to `see`.
fn play_rounds(
    check: &Check,
    how: How,
    mut see: impl FnMut(&Round, &[Reply], Move) -> Result<(), Halt>,
) -> Checked {
    /// Maximum length of a round.
    const MOST_PLIES: usize = 60;
    let (mut talk, taken, _) = check.taken()?;
    let mut cannot = false;
    for rulebook in &taken {
        talk.begin(rulebook)?;
        for first in Player::BOTH {
            let mut round = Round::new(Arc::clone(rulebook), first);
            round.skip_forced_turns();
            while round.history().len() < MOST_PLIES && round.outcome().is_none() {
                let legal: Vec<Move> = round.situation().moves().collect();
                let Some((replies, a_move)) = talk.go(&round, how, &legal)? else {
                    cannot = true;
                    break;
                };
                see(&round, &replies, a_move)?;
                round.play(a_move).map_err(|why| Halt::Broken(why.to_string()))?;
                round.skip_forced_turns();
            }
        }
    }
    Ok(cannot.then(|| format!("It sometimes answers \"go {how}\" with an error.")))
}

fn makes_legal_moves(check: &Check) -> Checked {
    match play_rounds(check, How::Time(50), |_, _, _| Ok(()))? {
        Some(_) => broken("it answers \"go time 50\" with an error".to_owned()),
        None => play_rounds(check, How::Depth(2), |_, _, _| Ok(())),
    }
}

fn chooses_among(check: &Check) -> Checked {
    let (mut talk, taken, _) = check.taken()?;
    for rulebook in &taken {
        talk.begin(rulebook)?;
        let round = Round::new(Arc::clone(rulebook), Player::One);
        for only in round.situation().moves() {
            if talk.go(&round, How::Time(50), &[only])?.is_none() {
                let only = rulebook.write(only);
                return broken(format!("it answers \"go time 50 among {only}\" with an error"));
            }
        }
    }
    Ok(None)
}

fn keeps_to_its_time(check: &Check) -> Checked {
    /// Allowance for a busy machine.
    const GRACE: Duration = Duration::from_secs(2);
    let (mut talk, taken, _) = check.taken()?;
    for rulebook in &taken {
        talk.begin(rulebook)?;
        let round = Round::new(Arc::clone(rulebook), Player::One);
        let legal: Vec<Move> = round.situation().moves().collect();
        let time = |talk: &mut Talk<'_>| {
            let begun = Instant::now();
            talk.go(&round, How::Time(100), &legal)?;
            Ok(begun.elapsed())
        };
        // Take the best of three: a busy machine is rarely slow three times in a row.
        let took = (0..3).map(|_| time(&mut talk)).collect::<Result<Vec<_>, Halt>>()?.into_iter().min();
        if took.is_some_and(|took| took > Duration::from_millis(100) + GRACE) {
            let took = took.unwrap_or_default().as_millis();
            return broken(format!("\"go time 100\" took {took} milliseconds in {}", rulebook.rules_line()));
        }
    }
    Ok(None)
}

/// Compares its evaluations, and its moves after `go perfect`, with the solution.
fn tells_the_truth(check: &Check) -> Checked {
    let mut said = 0_u64;
    let mut hold = |round: &Round, replies: &[Reply], a_move: Move, perfect: bool| {
        let Some(moves) = truth(check, round) else { return Ok(()) };
        let at = || {
            let rulebook = round.rulebook();
            format!("at {} of {}", rulebook.position_text(round.position()), rulebook.rules_line())
        };
        let Some(best) = best_seen(&moves) else { return Ok(()) };
        for reply in replies {
            let Reply::Info { value, remoteness, .. } = reply else { continue };
            let is_true = value == "unknown"
                || value == best.value.word() && remoteness.is_none_or(|it| Some(it) == best.remoteness());
            if !is_true {
                return broken(format!("\"{reply}\" {}: it is {}", at(), Reply::info(None, Some(best))));
            }
            said += u64::from(value != "unknown");
        }
        let made = moves.iter().find(|seen| seen.a_move == a_move).and_then(|seen| seen.verdict);
        match made.map(|made: Verdict| made.value) {
            Some(value) if perfect && value != best.value => {
                let written = round.rulebook().write(a_move);
                broken(format!("\"go perfect\" {}: {written} is not one of the best", at()))
            }
            _ => Ok(()),
        }
    };
    let perfect = play_rounds(check, How::Perfect, |round, replies, made| hold(round, replies, made, true))?;
    play_rounds(check, How::Depth(4), |round, replies, made| hold(round, replies, made, false))?;
    play_rounds(check, How::Time(20), |round, replies, made| hold(round, replies, made, false))?;
    let claims = (said == 0).then(|| "It never evaluates a position.".to_owned());
    Ok(match (perfect, claims) {
        (Some(perfect), Some(claims)) => Some(format!("{perfect} {claims}")),
        (perfect, claims) => perfect.or(claims),
    })
}

/// The value of every move in a round. Returns `None` if the game is too large, or if the repetition rule is about to apply,
/// which an engine needn't know.
fn truth(check: &Check, round: &Round) -> Option<Vec<Seen>> {
    if !round.drawn_next_time().is_empty() {
        return None;
    }
    let verdicts = |game: &SolvedGame, budget: &mut Budget<'_>| super::verdicts(game, round, budget);
    check.games.ask(round.rulebook(), &mut |_| true, verdicts).ok()
}

fn ends(check: &Check) -> Checked {
    let mut talk = check.greeted()?;
    if talk.ask(&Request::Quit)?.last() != Some(&Reply::Bye) {
        return broken("the answer to quit isn't bye".to_owned());
    }
    if !talk.process.wait_for_its_end(check.limit) {
        return broken("it keeps running after quit".to_owned());
    }
    let by_quit = talk.process.buried().code();
    let with_input = check.greeted()?.process.buried().code();
    match [by_quit, with_input] {
        [Some(_), Some(_)] => Ok(None),
        [_, None] => broken("it keeps running after the end of its input".to_owned()),
        [None, _] => broken("a signal ended it".to_owned()),
    }
}

fn writes_nothing_else(check: &Check) -> Checked {
    let strays = check.strays.borrow();
    let told = strays.iter().take(MOST_STRAYS).map(|(said, when)| format!("\"{said}\" came {when}"));
    let told = and_list(told.collect::<Vec<_>>());
    match strays.len() {
        0 => Ok(None),
        1..=MOST_STRAYS => broken(told),
        _ => broken(format!("{told}; and more")),
    }
}
