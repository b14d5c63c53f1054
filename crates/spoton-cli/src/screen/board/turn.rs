//! A turn: preparing it, choosing, and making the move.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use spoton::engine::play::Move;
use spoton::engine::position::{Choice, Player};
use spoton::format::Past;
use spoton::records::Refused;
use spoton::sitting::Command;
use spoton::teach::forced::ForcedEnd;
use spoton::view::{Made, MoveView, history};
use spoton::words::coach;

use super::Board;
use super::advice::MATTERS;
use super::glide::{GLIDE, Glide};
use crate::failure::Failure;
use crate::screen::idea::IdeaTest;
use crate::screen::menu::Cursor;
use crate::screen::{Go, Input, World};

/// How long a computer pretends to think.
pub(super) const THINKS: Duration = Duration::from_millis(650);

impl Board {
    /// Prepares the next turn.
    pub(super) fn next_turn(&mut self, world: &mut World) -> Result<(), Failure> {
        self.told.clear();
        self.is_briefed = false;
        self.warned = None;
        self.gives_up = false;
        self.plays_itself = None;
        self.computer_at = None;
        self.typing = None;
        // Without undo, no move is preselected, so a stray Enter does nothing.
        self.aims = self.sitting.setup().undo;
        if self.sitting.round().outcome().is_some() {
            return self.round_is_over(world);
        }
        if self.sitting.computer().is_some() {
            let waits = match (world.motion, &self.glide) {
                (false, _) => Duration::ZERO,
                (true, None) => THINKS,
                (true, Some(_)) => GLIDE + THINKS,
            };
            self.computer_at = Some(world.now + waits);
            return Ok(());
        }
        // A stray Enter must not overshoot the target.
        let loses = self.sitting.rulebook().past() == Past::Loses;
        let moves = self.view().moves;
        let is_fine = |a_move: &MoveView| a_move.is_legal() && !(loses && a_move.overshoots);
        // With computed amounts, the move at this position has changed.
        if self.goes_by_amounts() || !moves.get(self.cursor.0).is_some_and(is_fine) {
            let first = moves.iter().position(is_fine);
            self.cursor = Cursor(first.or(moves.iter().position(MoveView::is_legal)).unwrap_or(0));
        }
        self.is_briefed = self.briefing.is_some();
        self.told.extend(self.briefing.take());
        if let Some(left) = self.sitting.offers_hints()? {
            self.told.push(format!("{MATTERS} Press h for help ({left} left)."));
        }
        // If the answer is unknown, the game has enough choices.
        if let Ok(ForcedEnd::Line(line)) = self.sitting.forced_end() {
            self.plays_itself = coach::announcement(self.sitting.round(), &line);
        }
        Ok(())
    }

    pub(super) fn make(&mut self, choice: Choice, world: &mut World) -> Result<(), Failure> {
        let owner = self.owner(choice);
        let from = self.sitting.round().number_of(owner);
        let place = self.sitting.round().history().len();
        self.sitting.make(choice)?;
        self.glide_from(owner, from, world);
        self.tell_skips(place + 1, world);
        self.next_turn(world)
    }

    /// The player whose number a choice changes.
    pub(super) fn owner(&self, choice: Choice) -> Player {
        self.sitting.rulebook().owner(self.sitting.round().position(), Move::Operation(choice))
    }

    /// Reports the last skipped turn, if it's among the moves from a place on.
    pub(super) fn tell_skips(&self, from: usize, world: &mut World) {
        let skipped = history(self.sitting.round()).skip(from).rfind(Made::is_skip);
        if let Some(skipped) = skipped {
            let who = self.name(skipped.player());
            world.notice = Some(format!("{who} can't move, so the turn is skipped."));
        }
    }

    /// Animates a player's number from its old value.
    pub(super) fn glide_from(&mut self, player: Player, from: i128, world: &World) {
        let to = self.sitting.round().number_of(player);
        if world.motion {
            self.glide = Some(Glide { player, from, to, begun: world.now, now: world.now });
        }
    }

    /// Chooses the move at a position on the board.
    pub(super) fn choose_at(&mut self, place: usize, world: &mut World) -> Result<(), Failure> {
        let Some(a_move) = self.view().moves.into_iter().nth(place) else { return Ok(()) };
        match (a_move.choice, a_move.reason()) {
            (Some(choice), _) => self.choose(choice, world)?,
            // The entry has no legal amount.
            (None, Some(why)) => {
                world.notice = Some(format!("{}: {why}.", a_move.label));
                self.aim_at(place);
                self.sitting.act(Command::Refuse(Refused::Illegal))?;
            }
            (None, None) => {}
        }
        Ok(())
    }

    pub(super) fn choose(&mut self, choice: Choice, world: &mut World) -> Result<(), Failure> {
        self.aim_at(self.place_of(choice).unwrap_or(self.cursor.0));
        let a_move = self.view().moves.into_iter().find(|a_move| a_move.choice == Some(choice));
        if let Some(a_move) = &a_move
            && let Some(why) = a_move.reason()
        {
            world.notice = Some(format!("{}: {why}.", a_move.written));
            self.sitting.act(Command::Refuse(Refused::Illegal))?;
            return Ok(());
        }
        if self.sitting.warns_of(choice) && self.warned != Some(choice) {
            let operation = self.sitting.rulebook().write(Move::Operation(choice));
            self.warned = Some(choice);
            self.told = vec![format!("{operation} loses immediately. Choose it again to play it anyway.")];
            return Ok(());
        }
        self.make(choice, world)
    }

    /// Moves the cursor to a position on the board.
    pub(super) fn aim_at(&mut self, place: usize) {
        self.cursor = Cursor(place);
        self.aims = true;
    }

    /// The cursor's position, or `None` if no move is selected.
    pub(super) fn aimed_at(&self) -> Option<usize> {
        (self.aims && self.asks()).then_some(self.cursor.0)
    }

    /// Whether it is a person's turn to choose.
    pub(super) fn asks(&self) -> bool {
        self.ending.is_none() && self.playing_out.is_none() && self.sitting.computer().is_none()
    }

    pub(super) fn undo(&mut self, world: &mut World) -> Result<(), Failure> {
        let said = self.sitting.take_back();
        if said.is_ok() {
            self.glide = None;
            self.next_turn(world)?;
        }
        world.notice = Some(said.unwrap_or_else(|cannot| cannot.to_string()));
        Ok(())
    }

    pub(super) fn on_turn(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let gives_up = std::mem::take(&mut self.gives_up);
        let operations = self.offered();
        match input {
            Input::ENTER if self.plays_itself.is_some() => self.play_out(world)?,
            Input::Key(KeyCode::Char('h')) => self.hint()?,
            Input::Key(KeyCode::Char('w')) => return self.why(),
            Input::Key(KeyCode::Char('u')) => self.undo(world)?,
            Input::Key(KeyCode::Char('i')) => {
                return Go::open(IdeaTest::new(self.sitting.rulebook().clone()));
            }
            Input::Key(KeyCode::Char('g')) if gives_up => {
                self.sitting.resign()?;
                self.next_turn(world)?;
            }
            Input::Key(KeyCode::Char('g')) => {
                self.gives_up = true;
                world.notice = Some("Press g again to give up.".to_owned());
            }
            Input::ENTER if !self.aims => world.notice = Some("Choose a move first.".to_owned()),
            // The first arrow key only shows the cursor.
            Input::Key(
                KeyCode::Left
                | KeyCode::Right
                | KeyCode::Up
                | KeyCode::Down
                | KeyCode::PageUp
                | KeyCode::PageDown
                | KeyCode::Home
                | KeyCode::End,
            ) if !self.aims => self.aims = true,
            Input::Key(KeyCode::Left) => {
                self.cursor.moved(Input::Key(KeyCode::Up), operations);
            }
            Input::Key(KeyCode::Right) => {
                self.cursor.moved(Input::Key(KeyCode::Down), operations);
            }
            Input::Key(KeyCode::Char(letter)) => self.by_letter(letter, world)?,
            input => {
                if !self.seen.moves(&mut self.cursor, input, operations)
                    && !self.cursor.moved(input, operations)
                    && let Some(place) = self.cursor.chosen(input, operations)
                {
                    self.choose_at(place, world)?;
                }
            }
        }
        Ok(Go::Stay)
    }
}
