//! `spoton bot arena`: opponents and outside programs play each other from both seats.

use std::io::Write;
use std::sync::Arc;

use spoton::discovery::Spoiler;
use spoton::engine::position::ByPlayer;
use spoton::evaluate::arena::Meeting;
use spoton::format::{Game, Rulebook};
use spoton::json;
use spoton::records::is_name;
use spoton::sitting::Setup;
use spoton::words::{arena, describe, phrases};

use crate::args::ArenaArgs;
use crate::contest::{Contest, Terms, contestant};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::progress::refuse_if_hidden;
use crate::shown::{self, answer_out};
use crate::sitting::record_file::RecordFile;
use crate::solving::ask;

/// The default number of rounds for programs.
const ROUNDS: u32 = 20;

pub fn run(args: &ArenaArgs) -> Result<(), Failure> {
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
