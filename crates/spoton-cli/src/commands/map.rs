//! `spoton map`: who can force a win at every number.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use spoton::discovery::Spoiler;
use spoton::format::Rulebook;
use spoton::json;
use spoton::teach::map::{BadLast, Last};
use spoton::words::map::{self, LONGEST_SIDE, Look, NO_STRIP, TooLarge};
use spoton::words::phrases;

use crate::args::{Entry, GameArgs, Memory, json_option, read};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress::{self, refuse_if_hidden, view};
use crate::shown::{coloured_out, json_out, unplayable_first};
use crate::solving::{ask, games};

pub const COMMAND: Entry = Entry {
    group: Some("Look"),
    name: "map",
    about: "Show who can force a win at every number",
    arguments: MapArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

const MAP_NOTES: &str = "\
With --last OWN,OTHER, the map shows positions in which the player to move
played OWN last, and the opponent OTHER.";

#[derive(Args, Debug)]
#[command(after_help = MAP_NOTES)]
pub struct MapArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Print a handout: no marks, room to write
    #[arg(long, conflicts_with = "json")]
    pub blank: bool,

    /// In discovery mode: uncover one more number
    #[arg(long)]
    pub uncover: bool,

    /// Only positions after these last moves; - for none
    #[arg(long, value_name = "OWN,OTHER", allow_hyphen_values = true)]
    pub last: Option<String>,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

fn run(args: &MapArgs, colour: Colour) -> Result<(), Failure> {
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let last = args.last.as_deref().map(|last| Last::read(last, &rulebook)).transpose().map_err(bad_last)?;
    let folders = Folders::usual();
    if args.json {
        refuse_if_hidden(&folders, Spoiler::Stones)?;
    } else {
        unplayable_first(&rulebook)?;
    }
    if !args.blank && view(&folders).hides(Spoiler::Stones) {
        return covered(args, &rulebook, colour);
    }
    let games = games(args.memory.mebibytes);
    let map = ask(&games, &rulebook, |game, budget| game.map(last.as_ref(), budget))?;
    // Buffered: a large map has many short lines.
    if args.json {
        let mut out = json_out().buffered();
        out.answer(&json::map(&game, &map, last.map(|last| last.written(&rulebook))))?;
        out.flush()?;
    } else {
        let mut out = coloured_out(colour).buffered();
        let look = Look { blank: args.blank, paint: &|mark| colour.mark(mark), too_large: &too_large };
        write!(out, "{}", map::page(&map, &rulebook, &look))?;
        out.flush()?;
    }
    Ok(())
}

/// The covered map for discovery mode. It uncovers one number at a time, from the target backwards.
fn covered(args: &MapArgs, rulebook: &Arc<Rulebook>, colour: Colour) -> Result<(), Failure> {
    let folders = Folders::usual();
    let mut cover = progress::cover(&folders, rulebook);
    if args.uncover
        && let Err(failure) = progress::uncover(&folders, rulebook, &mut cover)
    {
        failure.tell(false, Colour::none());
    }
    let map = ask(&games(args.memory.mebibytes), rulebook, |game, budget| game.map(None, budget))?;
    let mut out = coloured_out(colour).buffered();
    match map::covered(&map, rulebook, &cover, |mark| colour.mark(mark)) {
        Some(page) => {
            let question = match map.next_covered(&cover) {
                Some(number) => {
                    format!("Discovery mode is on. How is {number} marked? --uncover shows it.")
                }
                None => "Discovery mode is on. You have uncovered every number.".to_owned(),
            };
            writeln!(out, "{page}\n{question}")?;
        }
        None => writeln!(out, "{NO_STRIP}")?,
    }
    out.flush()?;
    Ok(())
}

fn too_large(what: TooLarge) -> String {
    match what {
        TooLarge::More(numbers) => format!("and {numbers} more; --json lists them all"),
        TooLarge::Square(side) => format!(
            "A square of {side} by {side} numbers doesn't fit on a page; the limit is {LONGEST_SIDE} by {LONGEST_SIDE}. \
             spoton map --json lists all of it."
        ),
    }
}

fn bad_last(bad: BadLast) -> Failure {
    Failure::Usage(match bad {
        BadLast::NotMoves { moves } => {
            format!("--last takes OWN,OTHER; each is {} or - for none", phrases::or_list(moves))
        }
        bad => format!("--last: {bad}"),
    })
}
