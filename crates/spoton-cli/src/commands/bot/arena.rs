//! `spoton bot arena`: opponents and outside programs play each other from both seats.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use spoton::discovery::Spoiler;
use spoton::engine::position::ByPlayer;
use spoton::evaluate::arena::Meeting;
use spoton::format::{Game, Rulebook};
use spoton::json;
use spoton::records::is_name;
use spoton::sitting::Setup;
use spoton::words::{arena, describe, phrases};

use crate::args::{ChangeArgs, Entry, Memory, Seats, json_option, read, suggest};
use crate::contest::{Contest, Terms, contestant};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::programs::ProgramArgs;
use crate::progress::refuse_if_hidden;
use crate::shown::{self, answer_out};
use crate::sitting::record_file::RecordFile;
use crate::solving::ask;

pub const COMMAND: Entry = Entry {
    group: Some("Programs"),
    name: "arena",
    about: "Let opponents and programs play each other",
    arguments: ArenaArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const ARENA_EXAMPLES: &str = "\
Examples:
  spoton bot arena number-maze --p1 careful --p2 sage
  spoton bot arena number-maze --p1 \"exec:python3 my-bot.py\" --p2 careful
  spoton bot arena games/*.toml --p1 exec:./my-bot --p2 sage --record all.jsonl
  spoton bot arena take-away --p1 engine:./my-engine --p2 sage

Players are programs or opponents from spoton games --opponents. exec:COMMAND
gets a line of JSON on each turn and answers with a move, such as +1. The first
line of a round includes the rules. Flush each answer (flush=True in Python) and
print nothing else. engine:COMMAND speaks the engine protocol. For details, see
docs/outside-programs.md and docs/engines.md.

Spot On judges every choice a program makes. If a program never answers in its
first round, Spot On gives up on it. The exit status is then 3. It is also 3 if
a program finishes no round. Occasional failures count as part of the result.";

#[derive(Args, Debug)]
#[command(after_help = ARENA_EXAMPLES)]
pub struct ArenaArgs {
    /// Game ids, parts of ids, or rule book files
    #[arg(required = true, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub memory: Memory,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Player 1: an opponent, exec:COMMAND or engine:COMMAND
    #[arg(long, value_name = "WHO", value_parser = suggest::computer(), hide_possible_values = true, help_heading = "Players")]
    pub p1: String,

    /// Player 2, likewise
    #[arg(long, value_name = "WHO", value_parser = suggest::computer(), hide_possible_values = true, help_heading = "Players")]
    pub p2: String,

    /// Player names
    #[arg(long, value_name = "A,B", help_heading = "Players")]
    pub names: Option<String>,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds per game [default: 20, or 0 if the odds are exact]
    #[arg(long, value_name = "N", help_heading = "Rounds", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Player 1's seat: first, second or both
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

    /// Append every round to this file as JSON Lines, for review
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,

    /// Print one JSON object per game, one per line
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// The default number of rounds for programs.
const ROUNDS: u32 = 20;

fn run(args: &ArenaArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    refuse_if_hidden(&folders, Spoiler::Values)?;
    let players = ByPlayer([args.p1.clone(), args.p2.clone()]);
    let a_program_plays = contestant(&args.p1)?.is_none() || contestant(&args.p2)?.is_none();
    let asked = args.games.iter().map(|name| game::find(name, &args.changes));
    let asked = asked.collect::<Result<Vec<Game>, Failure>>()?;
    let names = names(args)?;
    let record = args.record.clone().map(RecordFile::open_for_programs).transpose()?;
    // Built-in opponents have exact odds, unless targets are random.
    let is_played = a_program_plays || asked.iter().any(|game| game.targets.is_some());
    let rounds = args.rounds.unwrap_or(if is_played { ROUNDS } else { 0 });
    let terms = Terms { players, names, programs: &args.programs, seats: args.seat, rounds, seed: args.seed };
    let mut contest = Contest::new(terms, asked.len(), args.memory.mebibytes, folders)?;
    contest.record = record;
    let mut out = answer_out(args.json);
    for game in &asked {
        let (setup, rulebook, meeting) = fight(&mut contest, game, rounds)?;
        match args.json {
            true => {
                let players = ByPlayer([args.p1.clone(), args.p2.clone()]);
                out.answer(&json::meeting(game, &rulebook, &players, &setup.names, &meeting))?;
            }
            false => {
                let title = describe::title(game, &rulebook);
                out.write_all(arena::page(&title, &rulebook, &setup.names, &meeting).as_bytes())?;
            }
        }
        out.flush()?;
    }
    if rounds > 0 && !args.json {
        out.write_all(arena::last(&contest.total, asked.len()).as_bytes())?;
    }
    contest.end()
}

/// Plays a game.
fn fight(
    contest: &mut Contest<'_>,
    game: &Game,
    rounds: u32,
) -> Result<(Setup, Arc<Rulebook>, Meeting), Failure> {
    let setup = contest.setup(game);
    let rulebook = Arc::new(setup.rulebook()?);
    // With random targets or in games that are too large, there are no exact odds, but rounds can be played.
    let known = match game.targets {
        Some(_) => Ok(Meeting::default()),
        None => {
            ask(&contest.games, &rulebook, |game, budget| Meeting::known(game, &contest.contestants, budget))
        }
    };
    let mut meeting = match known {
        Err(Failure::TooLarge(why)) if rounds > 0 => {
            let _ = writeln!(shown::err(), "spoton: {}: no exact odds; {why}", game.id());
            Meeting::default()
        }
        known => known?,
    };
    meeting.asked = contest.asked();
    if rounds > 0 {
        if game.targets.is_none() {
            meeting.beyond_patience = contest.games.game(&rulebook).length_beyond_patience();
        }
        if let Some(power) = meeting.beyond_patience {
            let _ = writeln!(shown::err(), "spoton: {}: {}", game.id(), phrases::beyond_patience(power));
        }
        contest.play(&setup, &rulebook, &mut meeting)?;
    }
    Ok((setup, rulebook, meeting))
}

/// The player names from `--names`.
fn names(args: &ArenaArgs) -> Result<Option<ByPlayer<String>>, Failure> {
    let Some(names) = &args.names else { return Ok(None) };
    match names.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [one, two] if is_name(one) && is_name(two) && one != two => {
            Ok(Some(ByPlayer([one.to_owned(), two.to_owned()])))
        }
        _ => Err(Failure::Usage("--names takes two different names, such as Ann,Ben".to_owned())),
    }
}
