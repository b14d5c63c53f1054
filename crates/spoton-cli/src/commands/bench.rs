//! `spoton bot bench`: measures players on fifty games, a fixed set or a fresh one.

use std::io::Write;
use std::sync::Arc;

use spoton::design::sets::Set;
use spoton::discovery::Spoiler;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::arena::Meeting;
use spoton::evaluate::bench::{Score, Terms};
use spoton::evaluate::opponent::Opponent;
use spoton::json;
use spoton::words::bench;

use crate::args::{BenchArgs, Seats};
use crate::contest::{self, Contest, contestant};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::refuse_if_hidden;
use crate::shown::answer_out;
use crate::solving::{ask, work};

/// Default rounds per game for programs, and for opponents, which take almost no time.
const ROUNDS: u32 = 2;
const MANY_ROUNDS: u32 = 20;

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    refuse_if_hidden(&folders, Spoiler::Values)?;
    for player in &args.players {
        contestant(player)?;
    }
    let against = contestant(&args.vs)?.ok_or_else(|| {
        Failure::Usage(format!(
            "--vs {}: perfect play's result is only known against an opponent from spoton games --opponents",
            args.vs
        ))
    })?;
    let set = match args.fresh {
        Some(day) => work(|budget| Set::fresh(day, budget))?,
        None => Set::fixed(),
    };
    let mut out = answer_out(args.json);
    let (mut measured, mut all_ended) = (Vec::new(), Ok(()));
    for player in &args.players {
        let Measured { terms, score, games, ended } = measure(player, &set, args, against, folders.clone())?;
        if args.json {
            out.answer(&json::bench(&set, player, &terms, &score, games))?;
        } else {
            let head = match args.markdown {
                _ if !measured.is_empty() => String::new(),
                true => bench::table_head(&set, &terms),
                false => bench::head(&set, &terms),
            };
            let results = match args.markdown {
                true => bench::table(player, &score),
                false => bench::page(player, &terms, &score),
            };
            out.write_all((head + &results).as_bytes())?;
        }
        out.flush()?;
        measured.push((player.as_str(), terms, score));
        all_ended = all_ended.and(ended);
    }
    let foot = match (args.json, args.markdown) {
        (true, _) => String::new(),
        (false, true) => {
            bench::table_foot(measured.iter().map(|(player, terms, score)| (*player, terms, score)))
        }
        (false, false) => bench::legend(),
    };
    out.write_all(foot.as_bytes())?;
    all_ended
}

/// A player's result.
struct Measured {
    terms: Terms,
    score: Score,
    games: Vec<json::Meeting>,
    /// The outcome of the contest, returned at the end.
    ended: Result<(), Failure>,
}

/// Plays every game of a set and adds up the results.
fn measure(
    player: &str,
    set: &Set,
    args: &BenchArgs,
    against: Opponent,
    folders: Folders,
) -> Result<Measured, Failure> {
    let is_program = contestant(player)?.is_none();
    let rounds = args.rounds.unwrap_or(if is_program { ROUNDS } else { MANY_ROUNDS });
    let terms = contest::Terms {
        players: ByPlayer([player.to_owned(), args.vs.clone()]),
        names: None,
        programs: &args.programs,
        seats: args.seat,
        rounds,
        seed: args.seed,
    };
    let mut contest = Contest::new(terms, set.books.len(), args.memory.mebibytes, folders)?;
    let (mut score, mut games) = (Score::against(against), Vec::new());
    for book in &set.books {
        let game = book.game()?;
        let setup = contest.setup(&game);
        let rulebook = Arc::new(setup.rulebook()?);
        let mut meeting = ask(&contest.games, &rulebook, |game, budget| {
            Meeting::measured(game, &contest.contestants, Player::One, budget)
        })?;
        contest.play(&setup, &rulebook, &mut meeting)?;
        score.count(&book.id, &meeting, &setup.names);
        if args.json {
            games.push(json::meeting(
                &game,
                &rulebook,
                &ByPlayer([player.to_owned(), args.vs.clone()]),
                &setup.names,
                &meeting,
            ));
        }
    }
    let terms = Terms {
        version: env!("CARGO_PKG_VERSION"),
        against,
        seed: args.seed,
        rounds,
        // With one round per game, a program only ever goes first.
        seat: if is_program && rounds == 1 && args.seat == Seats::Both { "first" } else { args.seat.word() },
        asked: contest.asked(),
        move_time: is_program.then_some(args.programs.move_time),
    };
    Ok(Measured { terms, score, games, ended: contest.end() })
}
