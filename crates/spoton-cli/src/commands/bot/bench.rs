//! `spoton bot bench`: measures players on fifty games, a fixed set or a fresh one.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use spoton::day::Day;
use spoton::design::sets::Set;
use spoton::discovery::Spoiler;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::arena::Meeting;
use spoton::evaluate::bench::{Score, Terms};
use spoton::evaluate::opponent::Opponent;
use spoton::json;
use spoton::words::bench;

use crate::args::{Entry, Memory, Seats, day, json_option, read, suggest};
use crate::contest::{self, Contest, contestant};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::programs::ProgramArgs;
use crate::progress::refuse_if_hidden;
use crate::shown::answer_out;
use crate::solving::{ask, work};

pub const COMMAND: Entry = Entry {
    group: Some("Programs"),
    name: "bench",
    about: "Measure players on fifty games, fixed or fresh",
    arguments: BenchArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const BENCH_EXAMPLES: &str = "\
Examples:
  spoton bot bench \"exec:python3 my-bot.py\"
  spoton bot bench \"exec:python3 my-bot.py\" --fresh 2026-11-16
  spoton bot bench exec:./ask-a-model --disguise 7
  spoton bot bench random careful otto sage perfect --markdown

The fixed set never changes. A date's fresh set is the same for everyone.
For each seat, the report shows how often perfect play, guessing and the player
win, and then how many choices were right. Against perfect, no player can win
more than perfect play. Against a weaker opponent, setting traps can win more.
Anyone can make the fresh set for any date. For games that nobody else has, use
spoton invent and keep the seed to yourself. See docs/benchmark.md, and
docs/outside-programs.md for what programs receive.

If a program never answers in its first round, Spot On gives up on it. The exit
status is then 3. It is also 3 if a program finishes no round.";

#[derive(Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub struct BenchArgs {
    /// Opponents, or programs: exec:COMMAND, engine:COMMAND
    #[arg(required = true, value_name = "PLAYER", value_parser = suggest::computer(), hide_possible_values = true)]
    pub players: Vec<String>,

    /// The opponent to play against
    #[arg(long, value_name = "WHO", help_heading = "Rounds", default_value = "perfect", value_parser = suggest::computer(), hide_possible_values = true)]
    pub vs: String,

    /// Use the fresh set for a date, such as 2026-11-15
    #[arg(long, value_name = "DATE", help_heading = "Rounds", value_parser = day)]
    pub fresh: Option<Day>,

    #[command(flatten)]
    pub memory: Memory,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds per game [default: 2 for programs, else 20]
    #[arg(long, value_name = "N", help_heading = "Rounds", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// The player's seat: first, second or both
    #[arg(
        long,
        value_name = "SEAT",
        help_heading = "Rounds",
        default_value = "both",
        hide_possible_values = true
    )]
    pub seat: Seats,

    /// Random seed
    #[arg(long, value_name = "N", help_heading = "Rounds", default_value_t = 1)]
    pub seed: u64,

    /// Print a Markdown table
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub markdown: bool,

    /// Print one JSON object per player, one per line
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Default rounds per game for programs, and for opponents, which take almost no time.
const ROUNDS: u32 = 2;
const MANY_ROUNDS: u32 = 20;

fn run(args: &BenchArgs) -> Result<(), Failure> {
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
