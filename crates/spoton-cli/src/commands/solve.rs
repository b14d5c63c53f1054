//! `spoton solve`: evaluates a position and each move.

use std::collections::{HashMap, hash_map};
use std::ffi::OsString;
use std::io::{Write, stdin};
use std::sync::Arc;

use clap::Args;
use spoton::discovery::Spoiler;
use spoton::format::{Game, Rulebook};
use spoton::json::{self, Question, Solution};
use spoton::records::{listed_moves, set_up};
use spoton::solved::SolvedGames;
use spoton::words::solution;

use crate::args::{Entry, GameArgs, Memory, json_option, read};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::lines;
use crate::progress::refuse_if_hidden;
use crate::shown::{answer_out, json_out, unplayable_first};
use crate::solving::{ask, games};

pub const COMMAND: Entry = Entry {
    group: Some("Look"),
    name: "solve",
    about: "Evaluate a position and each move",
    arguments: SolveArgs::augment_args,
    json: |matches| json_option(matches) || matches.get_flag("stdin"),
    run: |matches, _| run(&read(matches)?),
};

const SOLVE_HELP: &str = "\
To evaluate any number, change the start: --rule start=12. If moves can go
down, give the range, too: --rule start=12 --rule range=1,20.
In --moves, write skip for a turn without a legal move.

With --stdin, each line is a query: moves such as x2 +1, or
  {\"game\":\"number-maze\",\"set\":{\"target\":50},\"moves\":[\"x2\"]}
Each answer is a line of JSON. If a line can't be read, the answer is
{\"error\":…,\"at\":LINE}.";

#[derive(Args, Debug)]
#[command(after_help = SOLVE_HELP)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Start after these moves, such as "x2 +1"
    #[arg(long, allow_hyphen_values = true)]
    pub moves: Option<String>,

    /// Answer one query per line of standard input
    #[arg(long, conflicts_with = "moves")]
    pub stdin: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

fn run(args: &SolveArgs) -> Result<(), Failure> {
    refuse_if_hidden(&Folders::usual(), Spoiler::Values)?;
    if args.stdin {
        return answer_lines(args);
    }
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let moves = args.moves.as_deref().unwrap_or_default();
    let round =
        set_up(&rulebook, listed_moves(moves)).map_err(|bad| Failure::Usage(format!("--moves: {bad}")))?;
    let solver = ask(&games(args.memory.mebibytes), &rulebook, |game, budget| game.solver(budget))?;
    if args.json {
        answer_out(true).answer(&json::solution(&game, &solver, &round))?;
    } else {
        unplayable_first(&rulebook)?;
        answer_out(false).write_all(solution::in_words(&solver, &round).as_bytes())?;
    }
    Ok(())
}

/// Answers one query per line.
fn answer_lines(args: &SolveArgs) -> Result<(), Failure> {
    let mut out = json_out();
    let mut input = stdin().lock();
    let mut known = Known { books: HashMap::new(), games: games(args.memory.mebibytes) };
    for number in 1_u64.. {
        let cannot = |error| Failure::Failed(format!("can't read standard input: {error}"));
        let Some(line) = lines::next(&mut input).map_err(cannot)? else { break };
        let asked = line.map_err(Failure::Usage).and_then(|line| answer(line.trim(), args, &mut known));
        match asked {
            Ok(answer) => out.answer(&answer)?,
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => out.answer(&json::error_at(&failure.to_string(), number))?,
        }
        out.flush()?;
    }
    Ok(())
}

/// Cache: the games that queries have used.
struct Known {
    books: HashMap<String, (Game, Arc<Rulebook>)>,
    games: SolvedGames,
}

/// Size limit of the cache.
const MOST_BOOKS: usize = 1000;

fn answer(line: &str, args: &SolveArgs, known: &mut Known) -> Result<Solution, Failure> {
    let Question { game, changes, moves } =
        Question::read(line, &args.game.changes).map_err(|bad| Failure::Usage(bad.to_string()))?;
    let name = game.map_or_else(|| args.game.game.clone(), OsString::from);
    let key = format!("{name:?} {changes:?}");
    if known.books.len() >= MOST_BOOKS {
        known.books.clear();
    }
    let (game, rulebook) = match known.books.entry(key) {
        hash_map::Entry::Occupied(known) => known.into_mut(),
        hash_map::Entry::Vacant(free) => {
            let game = game::find(&name, &changes)?;
            let rulebook = Arc::new(game.rulebook()?);
            free.insert((game, rulebook))
        }
    };
    let solver = ask(&known.games, rulebook, |game, budget| game.solver(budget))?;
    let round =
        set_up(rulebook, moves.iter().map(String::as_str)).map_err(|bad| Failure::Usage(bad.to_string()))?;
    Ok(json::solution(game, &solver, &round))
}
