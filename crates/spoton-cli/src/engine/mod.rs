//! An engine with a line protocol in the style of UCI: [`Engine`]. [`check`] tests other engines.

pub mod check;

use std::sync::Arc;
use std::time::{Duration, Instant};

use spoton::engine::play::{Move, Situation};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::{Draft, Rulebook, catalog, quotable};
use spoton::records::{canonical, read_move};
use spoton::solved::{SolvedGame, SolvedGames};
use spoton::solver::{Budget, Horizon, MoveVerdict, Progress, Seen, Solver, Unsolved, best_seen};
use spoton::words::protocol::{How, Reply, Request};

/// The state of an engine.
pub struct Engine {
    games: SolvedGames,
    /// Memory limit of the solver.
    bytes: u64,
    /// The current rules and round.
    table: Option<(Arc<Rulebook>, Round)>,
    /// Cache of the limited search.
    horizon: Option<Horizon>,
}

impl Engine {
    pub fn new(bytes: u64) -> Engine {
        Engine { games: SolvedGames::new(bytes), bytes, table: None, horizon: None }
    }

    /// Answers a line with at least one line. `bye` is the last answer.
    pub fn answer(&mut self, line: &str) -> Vec<Reply> {
        match Request::read(line).and_then(|request| self.obey(request)) {
            Ok(replies) => replies,
            Err(why) => vec![Reply::Error(why)],
        }
    }

    fn obey(&mut self, request: Request) -> Result<Vec<Reply>, String> {
        match request {
            Request::Hello => {
                let id = |what: &str, it: &str| Reply::Id(what.to_owned(), it.to_owned());
                let name = format!("Spot On {}", env!("CARGO_PKG_VERSION"));
                return Ok(vec![id("name", &name), id("protocol", "1"), Reply::Hello]);
            }
            Request::NewGame => self.horizon = None,
            Request::Rules(book) => {
                let rulebook = Arc::new(rules(&book)?);
                let round = Round::new(Arc::clone(&rulebook), Player::One);
                self.table = Some((rulebook, round));
                self.horizon = None;
            }
            Request::Position { at, moves } => {
                let (rulebook, round) = self.table.as_mut().ok_or(NO_RULES)?;
                *round = set_up(rulebook, at.as_deref(), &moves)?;
            }
            Request::Go { how, among } => return self.go(how, &among),
            Request::Quit => return Ok(vec![Reply::Bye]),
        }
        Ok(vec![Reply::Ok])
    }

    fn go(&mut self, how: How, among: &[String]) -> Result<Vec<Reply>, String> {
        let (_, round) = self.table.clone().ok_or(NO_RULES)?;
        if let Situation::Over(_) = round.situation() {
            return Err("the round is over".to_owned());
        }
        let read = |written: &String| match read_move(&canonical(written, &round), &round) {
            Ok(a_move) => Ok(a_move),
            Err(why) => Err(format!("among: {}: {why}", quotable(written))),
        };
        let among = among.iter().map(read).collect::<Result<Vec<Move>, String>>()?;
        let (depth, mut moves) = match how {
            How::Perfect => (None, self.solved(&round, None).map_err(|why| why.to_string())?),
            How::Depth(moves) => self.seen(&round, moves, None),
            How::Time(ms) => {
                // Tries to solve the game in half of the time. Otherwise uses the rest for a depth-limited search.
                let (now, time) = (Instant::now(), Duration::from_millis(ms));
                match self.solved(&round, Some(now + time / 2)) {
                    Ok(solved) => (None, solved),
                    Err(_) => self.seen(&round, u8::MAX, Some(now + time * 9 / 10)),
                }
            }
        };
        if !among.is_empty() {
            moves.retain(|seen| among.contains(&seen.a_move));
        }
        let best = moves.first().ok_or("there is no move")?;
        let info = Reply::info(depth.map(u64::from), best_seen(&moves));
        Ok(vec![info, Reply::BestMove(round.rulebook().write(best.a_move))])
    }

    /// Solves the game and returns every legal move with its value, best first.
    fn solved(&self, round: &Round, until: Option<Instant>) -> Result<Vec<Seen>, Unsolved> {
        let mut keep_going = |_: Progress| until.is_none_or(|until| Instant::now() < until);
        self.games.ask(round.rulebook(), &mut keep_going, |game, budget| verdicts(game, round, budget))
    }

    /// Searches to a limited depth. Returns the depth, and every legal move with its value, best first. Stops early if time or
    /// memory runs out.
    fn seen(&mut self, round: &Round, most: u8, until: Option<Instant>) -> (Option<u8>, Vec<Seen>) {
        let mut keep_going = |_: Progress| until.is_none_or(|until| Instant::now() < until);
        let mut budget = Budget::new(self.bytes, &mut keep_going);
        let horizon = self.horizon.get_or_insert_with(|| Horizon::new(Arc::clone(round.rulebook())));
        let unseen = |a_move| Seen { a_move, verdict: None };
        let mut found = (None, round.situation().moves().map(unseen).collect());
        for moves in 1..=most {
            match horizon.moves(round.position(), moves, &mut budget) {
                Ok(seen) => found = (Some(moves), seen),
                Err(Unsolved::TooLarge { .. }) => {
                    // Free the memory; the next search starts over.
                    self.horizon = None;
                    break;
                }
                Err(_) => break,
            }
            if best_seen(&found.1).is_some() || until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        found
    }
}

const NO_RULES: &str = "send rules first";

/// Reads a rule book on one line, or the id of a shipped game.
fn rules(book: &str) -> Result<Rulebook, String> {
    let draft = match catalog::draft(book) {
        Some(draft) => draft,
        None => Draft::read_line("rules", book),
    };
    // A rules line has no title.
    let draft = if draft.title().is_none() { draft.set("rules", "title=\"A game\"") } else { draft };
    draft.build().map_err(|problems| {
        let few: Vec<String> = problems.iter().take(3).map(ToString::to_string).collect();
        few.join("; ")
    })
}

fn set_up(rulebook: &Arc<Rulebook>, at: Option<&str>, moves: &[String]) -> Result<Round, String> {
    let opening = match at {
        Some(at) => rulebook.read_position(at).map_err(|bad| bad.to_string())?,
        None => rulebook.opening(Player::One),
    };
    let mut round = Round::from_position(Arc::clone(rulebook), opening);
    for (index, written) in moves.iter().enumerate() {
        let cannot = |why: String| format!("move {}, {}: {why}", index + 1, quotable(written));
        let a_move = read_move(&canonical(written, &round), &round).map_err(|why| cannot(why.to_string()))?;
        round.play(a_move).map_err(|why| cannot(why.to_string()))?;
    }
    Ok(round)
}

/// Every legal move in a round with its value, best first. An unreachable position is solved separately.
fn verdicts(game: &SolvedGame, round: &Round, budget: &mut Budget<'_>) -> Result<Vec<Seen>, Unsolved> {
    let position = round.position();
    let moves: Vec<MoveVerdict> = match game.solver(budget)?.verdict(position) {
        Some(_) => game.outlook(round, budget)?.map(|outlook| outlook.moves).unwrap_or_default(),
        None => {
            let drawn = round.drawn_next_time();
            let rulebook = Arc::clone(round.rulebook());
            Solver::from_positions(rulebook, [*position], drawn, budget)?.moves(position)
        }
    };
    Ok(moves.iter().map(|judged| Seen { a_move: judged.a_move, verdict: Some(judged.verdict) }).collect())
}
