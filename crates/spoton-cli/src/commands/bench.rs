//! `spoton bench`: players on a fixed set of fifty games, or on a fresh one.

use std::io::Write;
use std::sync::Arc;

use serde_json::Value as Json;
use spoton::engine::position::{ByPlayer, Player};
use spoton::json;
use spoton::people::arena::{Asked, Meeting};
use spoton::people::bench::{Score, Set};
use spoton::words::bench;

use crate::args::BenchArgs;
use crate::contest::{Contest, Terms, contestant};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::{DISCOVERING, is_discovering_or_tell};
use crate::shown::answer_out;
use crate::solving::{ask, work};

/// How many rounds of each game a program plays if nobody says otherwise, and how many somebody who needs no time.
const ROUNDS: u32 = 2;
const MANY_ROUNDS: u32 = 20;

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    if is_discovering_or_tell(&folders) {
        return Err(Failure::Usage(DISCOVERING.to_owned()));
    }
    for player in &args.players {
        contestant(player)?;
    }
    if contestant(&args.vs)?.is_none() {
        return Err(Failure::Usage(format!(
            "--vs {}: what perfect play would win is only known against an opponent of spoton opponents",
            args.vs
        )));
    }
    let set = match args.fresh {
        Some(day) => work(|budget| Set::fresh(day, budget))?,
        None => Set::fixed(),
    };
    let mut out = answer_out(args.json);
    if args.markdown {
        out.write_all(bench::table_head().as_bytes())?;
    } else if !args.json {
        out.write_all(bench::head(&set, &args.vs).as_bytes())?;
    }
    let mut all_ended = Ok(());
    for player in &args.players {
        let Measured { score, asked, answer, ended } = measure(player, &set, args, folders.clone())?;
        let said = match (args.json, args.markdown) {
            (true, _) => format!("{answer}\n"),
            (false, true) => bench::table(player, &score),
            (false, false) => bench::page(player, &score, asked.as_ref()),
        };
        out.write_all(said.as_bytes())?;
        out.flush()?;
        all_ended = all_ended.and(ended);
    }
    all_ended
}

/// What came of a player.
struct Measured {
    score: Score,
    /// How it was asked, if it is a program.
    asked: Option<Asked>,
    /// All of it as JSON.
    answer: Json,
    /// What is to be said after that.
    ended: Result<(), Failure>,
}

/// Plays every game of a set, and counts.
fn measure(player: &str, set: &Set, args: &BenchArgs, folders: Folders) -> Result<Measured, Failure> {
    let known = contestant(player)?;
    let terms = Terms {
        players: ByPlayer([player.to_owned(), args.vs.clone()]),
        names: None,
        programs: &args.programs,
        seats: args.seat,
        rounds: args.rounds.unwrap_or(if known.is_none() { ROUNDS } else { MANY_ROUNDS }),
        seed: args.seed,
    };
    let mut contest = Contest::new(terms, set.books.len(), args.memory.mebibytes, folders)?;
    let (mut score, mut games) = (Score::default(), Vec::new());
    for book in &set.books {
        let game = book.game()?;
        let setup = contest.setup(&game);
        let rulebook = Arc::new(setup.rulebook()?);
        let mut meeting = ask(&contest.games, &rulebook, |game, budget| {
            Meeting::measured(game, &contest.contestants, Player::One, budget)
        })?;
        contest.play(&setup, &rulebook, &mut meeting)?;
        score.count(&meeting, &setup.names);
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
    let asked = contest.asked();
    let answer = json::bench(set, player, &args.vs, asked.as_ref(), &score, games);
    Ok(Measured { score, asked, answer, ended: contest.end() })
}
