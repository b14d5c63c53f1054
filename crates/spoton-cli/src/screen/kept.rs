//! Unfinished rounds, to resume or delete.

use std::path::{Path, PathBuf};

use ratatui::layout::Rect;
use spoton::design::today::Duel;
use spoton::engine::position::ByPlayer;
use spoton::records::{self, Record};
use spoton::sitting::{self, only_person};
use spoton::words::phrases;

use super::board::Board;
use super::canvas::{Canvas, below};
use super::menu::{Cursor, draw_item, draw_list};
use super::seats;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::clock;
use crate::failure::Failure;
use crate::past_rounds::day_of_file;
use crate::save::Save;
use crate::sitting::resume::resume;
use crate::sitting::today;

pub struct Kept {
    /// The latest first.
    rounds: Vec<KeptRound>,
    cursor: Cursor,
    /// The round to delete if d is pressed again.
    to_delete: Option<PathBuf>,
}

struct KeptRound {
    path: PathBuf,
    about: String,
}

/// The saves of unfinished rounds, latest first, except those open in another window.
pub fn saves(world: &World) -> Vec<PathBuf> {
    world.folders.saves().and_then(|folder| Save::free(&folder)).unwrap_or_default()
}

/// A save's game and players. Returns `None` if it can't be read.
pub fn about(path: &Path) -> Option<String> {
    about_record(&read(path)?)
}

fn about_record(record: &Record) -> Option<String> {
    // A duel's title is long and not very useful, so this shows its date instead.
    if let Some(day) = Duel::day_of(&record.rulebook).filter(|_| record.carries_whole_book()) {
        return Some(format!("the duel of {}", day.in_words_on(clock::today())));
    }
    let rulebook = record.draft().ok()?.build().ok()?;
    let players = match only_person(&record.computers) {
        Some(person) => format!("you vs {}", record.players[!person]),
        None => {
            let ByPlayer([one, two]) = &record.players;
            format!("{one} vs {two}")
        }
    };
    Some(format!("{}: {players}", rulebook.title()))
}

/// The record in a save.
fn read(path: &Path) -> Option<Record> {
    let text = Save::peek(path).ok()?;
    records::read_all(&text).ok()?.pop()
}

/// Resumes a save.
pub fn go_on(path: &Path, world: &mut World) -> Result<Board, Failure> {
    let help = sitting::Help { discover: world.discovers(), ..sitting::Help::default() };
    let setup = resume(Some(path), help, &world.autosave, &world.games, &world.folders)?;
    let attempt = setup.today.filter(|_| !setup.tried_out);
    match seats::sit_down(setup, world) {
        Ok(mut board) => {
            if let Some(attempt) = attempt {
                let streak = today::streak(&world.folders).unwrap_or_default();
                board.tell_terms(attempt.in_words(&streak, (world.today)()), world);
            }
            Ok(board)
        }
        Err(failure) => {
            // Release the save for line mode.
            world.autosave.put_away(false)?;
            Err(Failure::Failed(format!("Can't resume here: {failure}. Try spoton play --resume.")))
        }
    }
}

impl Kept {
    pub fn new(world: &World) -> Kept {
        let mut kept = Kept { rounds: Vec::new(), cursor: Cursor::default(), to_delete: None };
        kept.refresh(world);
        kept
    }

    fn refresh(&mut self, world: &World) {
        let kept = |path: PathBuf| {
            let day = day_of_file(&path).map(|day| format!("{day}  "));
            let about = read(&path).and_then(|record| {
                let moves = phrases::count(record.moves.len() as u64, "move", "moves");
                Some(format!("{}, {moves}", about_record(&record)?))
            });
            let about = about.unwrap_or_else(|| "Unreadable save".to_owned());
            KeptRound { about: day.unwrap_or_default() + &about, path }
        };
        self.rounds = saves(world).into_iter().map(kept).collect();
        self.cursor = Cursor(self.cursor.0.min(self.rounds.len().saturating_sub(1)));
    }

    /// Deletes a round if d was pressed twice.
    fn delete(&mut self, sure: Option<PathBuf>, world: &mut World) -> Result<Go, Failure> {
        let Some(chosen) = self.rounds.get(self.cursor.0) else { return Ok(Go::Stay) };
        if sure.as_deref() != Some(&chosen.path) {
            self.to_delete = Some(chosen.path.clone());
            world.notice = Some("Press d again to delete this round.".to_owned());
            return Ok(Go::Stay);
        }
        Save::discard(&chosen.path)?;
        world.notice = Some("Round deleted.".to_owned());
        self.refresh(world);
        Ok(if self.rounds.is_empty() { Go::Back } else { Go::Stay })
    }
}

impl Screen for Kept {
    fn title(&self) -> String {
        "Unfinished rounds".to_owned()
    }

    fn corner(&self) -> String {
        phrases::count(self.rounds.len() as u64, "round", "rounds")
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        if self.rounds.is_empty() {
            canvas.text(below(area, 1), Tone::Plain, "No unfinished rounds.");
        }
        draw_list(canvas, area, self.cursor, self.rounds.len(), 1, |canvas, place, index, here| {
            draw_item(canvas, place, &self.rounds[index].about, here);
        });
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers = Vec::new();
        if !self.rounds.is_empty() {
            let delete = if self.to_delete.is_some() { "confirm delete" } else { "delete" };
            offers.extend([Offer::enter("continue"), Offer::letter('d', delete)]);
        }
        offers.push(Offer::escape("home"));
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let sure = self.to_delete.take();
        if input == Input::ESCAPE {
            return Ok(Go::Back);
        }
        if self.cursor.moved(input, self.rounds.len()) {
            return Ok(Go::Stay);
        }
        if input == Input::letter('d') {
            return self.delete(sure, world);
        }
        match self.cursor.chosen(input, self.rounds.len()) {
            Some(index) => Go::open(go_on(&self.rounds[index].path, world)?),
            None => Ok(Go::Stay),
        }
    }

    fn returned(&mut self, world: &mut World) -> Result<(), Failure> {
        self.cursor = Cursor::default();
        self.refresh(world);
        Ok(())
    }
}
