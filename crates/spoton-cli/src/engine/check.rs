//! Whether an engine keeps to the protocol: one finding for each rule, each with a process of its own, so that what goes
//! wrong in one does not show in the others. What came in all of them that is no part of the protocol is the last rule.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use spoton::engine::play::{Move, Situation};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::{Rulebook, catalog, quotable};
use spoton::people::solved_game::{SolvedGame, SolvedGames};
use spoton::records::read_move;
use spoton::solver::{Budget, Seen, Verdict, best_seen};
use spoton::words::phrases::and_list;
use spoton::words::protocol::{How, Reply, Request};

use crate::failure::Failure;
use crate::programs::{Gone, Pieces, Process};
use crate::solving::games;

/// A rule that is kept, perhaps with a remark, or why it is broken.
pub type Finding = Result<Option<String>, String>;

/// Why a rule could not be looked at to its end: it is broken, or the engine cannot be started at all.
enum Halt {
    Broken(String),
    Failed(Failure),
}

type Checked = Result<Option<String>, Halt>;

/// Games that an engine takes.
type Books = Vec<Arc<Rulebook>>;

/// A rule, and who looks at it.
type Rule = (&'static str, fn(&Check) -> Checked);

const RULES: [Rule; 10] = [
    ("It says who it is", says_who_it_is),
    ("It answers every line, and goes on", answers_every_line),
    ("It takes rules and positions", takes_rules_and_positions),
    ("It answers bad rules and positions, and goes on", answers_bad_ones),
    ("Its moves are legal, round after round", makes_legal_moves),
    ("It chooses among the moves that it is given", chooses_among),
    ("It keeps to its time", keeps_to_its_time),
    ("What it says of a position is true", tells_the_truth),
    ("It ends when it is told to, and with its input", ends),
    ("It writes nothing but the protocol on its standard output", writes_nothing_else),
];

/// No more lines that are no part of the protocol are told.
const MOST_STRAYS: usize = 5;

/// Every rule with what was found, one after another.
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
    /// How long any answer may take.
    limit: Duration,
    games: SolvedGames,
    /// Lines that are no part of the protocol, each once, with when it came first; at most one more than are told.
    strays: RefCell<Vec<(String, String)>>,
}

/// An engine that was started and has said who it is.
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

    /// An engine with the games of Spot On that it takes, and the ids of those that it does not.
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
            true => broken("it takes the rules of none of the games of Spot On".to_owned()),
            false => Ok((talk, taken, refused)),
        }
    }
}

impl Talk<'_> {
    /// Sends a request: all lines of the answer.
    fn ask(&mut self, request: &Request) -> Result<Vec<Reply>, Halt> {
        let line = request.to_string();
        self.send(line.as_bytes(), |said| request.is_answered_by(said))
    }

    /// Sends a line: what was understood of the answer, to the line that ends it.
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
            (Gone::Late, Some((line, ""))) => {
                format!("came \"{}\", and no answer within the time", quotable(line))
            }
            (Gone::Late, Some((line, why))) => {
                format!("came \"{}\", which is not in the protocol: {why}", quotable(line))
            }
            (Gone::Late, None) if had_answered => {
                "it answered earlier lines, but not this one in time".to_owned()
            }
            (Gone::Late, None) => {
                "no answer came within the time; it has to be written out at once".to_owned()
            }
            (Gone::Died, _) => "the engine ended, or closed its output".to_owned(),
            (Gone::Flooded, _) => "more than a mebibyte came".to_owned(),
        };
        broken(format!("after \"{sent}\" {what}"))
    }

    /// Begins a round of a game.
    fn begin(&mut self, rulebook: &Rulebook) -> Result<(), Halt> {
        let rules = Request::Rules(rulebook.rules_line());
        match self.accepts(&Request::NewGame)? && self.accepts(&rules)? {
            true => Ok(()),
            false => broken(format!("it does not take \"{rules}\" any more")),
        }
    }

    /// Sends a request that has to be answered with `ok`: whether it was, and not with an error.
    fn accepts(&mut self, request: &Request) -> Result<bool, Halt> {
        Ok(self.ask(request)?.last() == Some(&Reply::Ok))
    }

    /// Asks for a move in a round: what it said of the position, and the move; `None` if it said that it cannot.
    fn go(&mut self, round: &Round, how: How, given: &[Move]) -> Result<Option<(Vec<Reply>, Move)>, Halt> {
        let rulebook = round.rulebook();
        let position = Request::Position {
            at: Some(rulebook.position_text(round.opening())),
            moves: round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect(),
        };
        let where_to = || quotable(&position.to_string());
        if !self.accepts(&position)? {
            return broken(format!("it does not take \"{}\" of {}", where_to(), rulebook.rules_line()));
        }
        let among: Vec<String> = given.iter().map(|a_move| rulebook.write(*a_move)).collect();
        let mut replies = self.ask(&Request::Go { how, among })?;
        match replies.pop() {
            Some(Reply::BestMove(written)) => match read_move(&written, round) {
                Ok(a_move) if given.contains(&a_move) => Ok(Some((replies, a_move))),
                Ok(_) => broken(format!("it was not given {written} to choose after \"{}\"", where_to())),
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
        (_, Some(Reply::Hello)) => broken("there is no line \"id name …\" before spotonok".to_owned()),
        _ => broken("spoton is not answered with spotonok".to_owned()),
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
        // Any line that is understood ends the answer: whether it is an error is asked next.
        let replies = talk.send(line, |said| Reply::read(said).is_some())?;
        if !matches!(replies[..], [.., Reply::Error(_)]) {
            wrong.push(format!("\"{}\"", quotable(&String::from_utf8_lossy(line))));
        }
    }
    talk.ask(&Request::Hello)?;
    match &wrong[..] {
        [] => Ok(None),
        [one] => broken(format!("{one} is not answered with error …")),
        many => broken(format!("{} are not answered with error …", and_list(many))),
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
                return broken(format!("it does not take \"{position}\" of {}", rulebook.rules_line()));
            }
        }
        if !talk.accepts(&Request::Position { at: None, moves: Vec::new() })? {
            return broken(format!("it does not take \"position opening\" of {}", rulebook.rules_line()));
        }
    }
    Ok((!refused.is_empty()).then(|| format!("It does not play {}.", and_list(refused))))
}

/// Whether they are taken for what they are is up to the engine; that it goes on is not.
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
        false => broken("after that it does not take rules that it took before".to_owned()),
    }
}

/// Plays a round of every game that it takes against itself, from either seat. `see` is told of each of its answers.
fn play_rounds(
    check: &Check,
    how: How,
    mut see: impl FnMut(&Round, &[Reply], Move) -> Result<(), Halt>,
) -> Checked {
    /// Rounds are broken off here.
    const MOST_PLIES: usize = 60;
    let (mut talk, taken, _) = check.taken()?;
    let mut cannot = false;
    for rulebook in &taken {
        talk.begin(rulebook)?;
        for first in Player::BOTH {
            let mut round = Round::new(Arc::clone(rulebook), first);
            while round.history().len() < MOST_PLIES {
                let a_move = match round.situation() {
                    Situation::Over(_) => break,
                    Situation::Skip => Move::Skip,
                    Situation::Choose(_) => {
                        let legal: Vec<Move> = round.situation().moves().collect();
                        let Some((replies, a_move)) = talk.go(&round, how, &legal)? else {
                            cannot = true;
                            break;
                        };
                        see(&round, &replies, a_move)?;
                        a_move
                    }
                };
                round.play(a_move).map_err(|why| Halt::Broken(why.to_string()))?;
            }
        }
    }
    Ok(cannot.then(|| format!("Sometimes it answers \"go {how}\" with error.")))
}

fn makes_legal_moves(check: &Check) -> Checked {
    match play_rounds(check, How::Time(50), |_, _, _| Ok(()))? {
        Some(_) => broken("it answers \"go time 50\" with error".to_owned()),
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
                return broken(format!("it answers \"go time 50 among {only}\" with error"));
            }
        }
    }
    Ok(None)
}

fn keeps_to_its_time(check: &Check) -> Checked {
    /// What a busy machine may take beside it.
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
        // A busy machine is slow now and then, but hardly three times in a row.
        let took = (0..3).map(|_| time(&mut talk)).collect::<Result<Vec<_>, Halt>>()?.into_iter().min();
        if took.is_some_and(|took| took > Duration::from_millis(100) + GRACE) {
            let took = took.unwrap_or_default().as_millis();
            return broken(format!("\"go time 100\" took {took} milliseconds in {}", rulebook.rules_line()));
        }
    }
    Ok(None)
}

/// Whatever it says of a position, and however it plays where it is asked to play perfectly, is held against the solution.
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
    let claims = (said == 0).then(|| "It never says what a position is worth.".to_owned());
    Ok(match (perfect, claims) {
        (Some(perfect), Some(claims)) => Some(format!("{perfect} {claims}")),
        (perfect, claims) => perfect.or(claims),
    })
}

/// What every move in a round is worth; `None` if that is too large to find out, or the house rule is about to count,
/// which an engine need not know.
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
        return broken("quit is not answered with bye".to_owned());
    }
    if !talk.process.wait_for_its_end(check.limit) {
        return broken("it goes on after quit".to_owned());
    }
    let by_quit = talk.process.buried().code();
    let with_input = check.greeted()?.process.buried().code();
    match [by_quit, with_input] {
        [Some(_), Some(_)] => Ok(None),
        [_, None] => broken("it goes on after the end of its input".to_owned()),
        [None, _] => broken("it was ended by a signal".to_owned()),
    }
}

fn writes_nothing_else(check: &Check) -> Checked {
    let strays = check.strays.borrow();
    let told = strays.iter().take(MOST_STRAYS).map(|(said, when)| format!("\"{said}\" came {when}"));
    let told = and_list(told.collect::<Vec<_>>());
    match strays.len() {
        0 => Ok(None),
        1..=MOST_STRAYS => broken(told),
        _ => broken(format!("{told}; and others")),
    }
}
