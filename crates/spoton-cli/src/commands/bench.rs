//! `spoton bench`: players on a fixed set of fifty games, or on a fresh one.

use std::io::Write;
use std::sync::Arc;

use serde_json::Value as Json;
use spoton::engine::position::{ByPlayer, Player};
use spoton::json;
use spoton::people::arena::Meeting;
use spoton::people::bench::{Score, Set, Terms};
use spoton::people::opponent::Opponent;
use spoton::sitting::discovery::Spoiler;
use spoton::words::bench;

use crate::args::{BenchArgs, Seats};
use crate::contest::{self, Contest, contestant};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::refuse_if_hidden;
use crate::shown::answer_out;
use crate::solving::{ask, work};

/// How many rounds of each game a program plays if nobody says otherwise, and how many somebody who needs no time.
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
            "--vs {}: what perfect play would win is only known against an opponent of spoton opponents",
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
        let said = match (args.json, args.markdown) {
            (true, _) => format!("{}\n", json::bench(&set, player, &terms, &score, games)),
            (false, true) => bench::table(player, &score),
            (false, false) => bench::page(player, &terms, &score),
        };
        let head = match (args.json, args.markdown) {
            _ if !measured.is_empty() => String::new(),
            (true, _) => String::new(),
            (false, true) => bench::table_head(&set, &terms),
            (false, false) => bench::head(&set, &terms),
        };
        out.write_all((head + &said).as_bytes())?;
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

/// What came of a player.
struct Measured {
    terms: Terms,
    score: Score,
    /// Every game as JSON, if that is wanted.
    games: Vec<Json>,
    /// What is to be said after that.
    ended: Result<(), Failure>,
}

/// Plays every game of a set, and counts.
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
        // A program's only round of each game is from the first seat.
        seat: if is_program && rounds == 1 && args.seat == Seats::Both { "first" } else { args.seat.word() },
        asked: contest.asked(),
        move_time: is_program.then_some(args.programs.move_time),
    };
    Ok(Measured { terms, score, games, ended: contest.end() })
}
