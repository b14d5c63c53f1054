//! `spoton solve`: what a position is worth, and every move from it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsString;
use std::io::{Write, stdin};
use std::sync::Arc;

use serde_json::Value as Json;
use spoton::format::{Game, Rulebook};
use spoton::json::{self, Question};
use spoton::people::solved_game::SolvedGames;
use spoton::records::{listed_moves, set_up};
use spoton::sitting::discovery::Spoiler;
use spoton::words::solution;

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::lines;
use crate::progress::refuse_if_hidden;
use crate::shown::{answer_out, json_out};
use crate::solving::{ask, games};

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
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
    let mut out = answer_out(args.json);
    if args.json {
        writeln!(out, "{}", json::solution(&game, &solver, &round))?;
    } else {
        out.write_all(solution::in_words(&solver, &round).as_bytes())?;
    }
    Ok(())
}

/// A question a line, an answer a line.
fn answer_lines(args: &SolveArgs) -> Result<(), Failure> {
    let mut out = json_out();
    let mut input = stdin().lock();
    let mut known = Known { books: HashMap::new(), games: games(args.memory.mebibytes) };
    for number in 1_u64.. {
        let cannot = |error| Failure::Failed(format!("cannot read standard input: {error}"));
        let Some(line) = lines::next(&mut input).map_err(cannot)? else { break };
        let asked = line.map_err(Failure::Usage).and_then(|line| answer(line.trim(), args, &mut known));
        let answer = match asked {
            Ok(answer) => answer,
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => json::error_at(&failure.to_string(), number),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// The games that were asked about, by what was asked for, and what is known of them.
struct Known {
    books: HashMap<String, (Game, Arc<Rulebook>)>,
    games: SolvedGames,
}

/// More books are not kept at hand.
const MOST_BOOKS: usize = 1000;

fn answer(line: &str, args: &SolveArgs, known: &mut Known) -> Result<Json, Failure> {
    let Question { game, changes, moves } =
        Question::read(line, &args.game.changes).map_err(|bad| Failure::Usage(bad.to_string()))?;
    let name = game.map_or_else(|| args.game.game.clone(), OsString::from);
    let key = format!("{name:?} {changes:?}");
    if known.books.len() >= MOST_BOOKS {
        known.books.clear();
    }
    let (game, rulebook) = match known.books.entry(key) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => {
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
