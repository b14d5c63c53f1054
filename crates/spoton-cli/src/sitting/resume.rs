//! Resumes a save or a record, and finds the adaptive opponent's level.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use spoton::engine::position::Player;
use spoton::evaluate::opponent::{Opponent, UnknownOpponent};
use spoton::format::Rulebook;
use spoton::records;
use spoton::sitting::{ADAPTIVE, Adaptive, Cannot, HUMAN, Help, Setup, command_of, rungs};
use spoton::solved::SolvedGames;

use super::autosave::Autosave;
use crate::entropy;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::progress::Progress;
use crate::save::Save;
use crate::shown;
use crate::solving::look_ahead;

/// A setup from the latest save, or from a file.
pub fn resume(
    file: Option<&Path>,
    help: Help,
    autosave: &Autosave,
    games: &Rc<SolvedGames>,
    folders: &Folders,
) -> Result<Setup, Failure> {
    let path = match file {
        Some(file) => Save::at(file)?,
        None => Save::latest(&folders.saves()?)?,
    };
    let (save, text) = if Save::is_save(&path) {
        let (save, text) = Save::open(&path)?;
        (Some(save), text)
    } else {
        // A record file stays unchanged; the round is saved under a new name.
        let text = files::read_records(&path)?;
        files::tell_warnings(&path, &records::read_all(&text).unwrap_or_default());
        (None, text)
    };
    let mut setup = Setup::from_text(&text, entropy::seed()).map_err(|cannot| match cannot {
        Cannot::UnknownOpponent(unknown) => unknown_opponent(&unknown),
        Cannot::RoundIsOver => {
            Failure::Failed(format!("{}: this round is over. Choose an unfinished one.", shown::path(&path)))
        }
        cannot => Failure::Failed(format!("{}: {cannot}", shown::path(&path))),
    })?;
    setup.help.coach |= help.coach;
    setup.help.discover = help.discover;
    if let (Some(adaptive), Some(round)) = (&mut setup.adaptive, &setup.resumed) {
        let Adaptive { player, name, named, .. } = adaptive.clone();
        *adaptive = adapting(player, name, round.rulebook(), named, games, folders)?;
    }
    if let Some(save) = save {
        autosave.adopt(save);
    }
    Ok(setup)
}

/// The adaptive opponent of a game, at its remembered level.
pub fn adapting(
    player: Player,
    name: String,
    rulebook: &Arc<Rulebook>,
    named: bool,
    games: &Rc<SolvedGames>,
    folders: &Folders,
) -> Result<Adaptive, Failure> {
    let rungs = look_ahead(games, |ahead| rungs(rulebook, ahead))?;
    let rungs = rungs.iter().filter_map(|rung| rung.first().copied()).collect();
    let remembered = Progress::load(folders).unwrap_or_default();
    let level = remembered.get(&name).and_then(|level| level.parse().ok()).unwrap_or(0);
    Ok(Adaptive { player, name, rungs, level, named })
}

/// The opponent with this name. Returns `None` for a person or a program.
pub fn opponent(name: Option<&str>) -> Result<Option<Opponent>, Failure> {
    let is_computer = |name: &&str| !name.eq_ignore_ascii_case(HUMAN) && command_of(name).is_none();
    let Some(name) = name.filter(is_computer) else { return Ok(None) };
    Opponent::parse(name).map(Some).map_err(|unknown| unknown_opponent(&unknown))
}

fn unknown_opponent(unknown: &UnknownOpponent) -> Failure {
    let also = format!("\n  also: {ADAPTIVE}, which adapts to you, and {HUMAN}");
    Failure::Usage(format!("{unknown}{also}"))
}
