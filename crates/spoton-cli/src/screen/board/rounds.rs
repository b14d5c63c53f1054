//! The end of a round and the start of the next.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use spoton::discovery::Spoiler;
use spoton::sitting::{Command, Event};
use spoton::view::history;
use spoton::words::phrases;

use super::Board;
use super::ending::Finale;
use super::flourish::Flourish;
use super::glide::GLIDE;
use crate::failure::Failure;
use crate::screen::menu::Cursor;
use crate::screen::review::ReviewView;
use crate::screen::{Go, Input, World};

impl Board {
    pub(super) fn begin_again(&mut self, world: &mut World) -> Result<(), Failure> {
        self.ending = None;
        self.glide = None;
        self.flourish = None;
        self.playing_out = None;
        self.cursor = Cursor::default();
        // Computed now, so that drawing never needs the solver.
        self.habit = match self.sitting.setup().computers.0.iter().flatten().next() {
            Some(opponent) => Some(self.sitting.habit(*opponent)?),
            None => None,
        };
        let game = self.sitting.games().game(self.sitting.rulebook());
        if let Some(power) = game.length_beyond_patience() {
            world.notice = Some(phrases::beyond_patience(power));
        }
        self.out_of_reach = game.out_of_reach(self.sitting.view());
        self.deal_card();
        let shows = self.sitting.setup().help.open && !self.sitting.view().hides(Spoiler::Stones);
        self.stones = if shows { self.sitting.stones()? } else { Vec::new() };
        // A new round may begin with a skipped turn.
        if history(self.sitting.round()).all(|made| made.is_skip()) {
            self.tell_skips(0, world);
        }
        self.next_turn(world)
    }

    pub(super) fn round_is_over(&mut self, world: &mut World) -> Result<(), Failure> {
        let mut said: Vec<String> = Vec::new();
        let outcome = self.sitting.round().outcome().filter(|_| self.sitting.counts());
        if let Some(winner) = outcome.and_then(|outcome| outcome.winner) {
            self.won[winner] += 1;
        }
        let end = self.sitting.round_is_over();
        let next = end.meets_next;
        if let Some(trouble) = end.trouble.first() {
            world.notice = Some(trouble.to_string());
        }
        let seat = self.sitting.seat_was_lost()?;
        if let Some((seat, blameless)) = seat {
            said.push(phrases::lost_seat(seat, blameless));
        }
        if !self.sitting.counts() && !self.sitting.setup().aside {
            said.push("You were replaying a past round, so this one doesn't count.".to_owned());
        }
        let mut line = None;
        if let Some((told, streak)) = end.today {
            said.push(streak);
            // Practice doesn't replace the line that counted.
            if world.line.is_none() || self.sitting.setup().today.is_some_and(|attempt| attempt.counts) {
                world.line = Some(told.clone());
            }
            line = Some(told);
        }
        said.extend(next);
        said.extend(self.sitting.match_in_words());
        let finale = Finale::new(&self.sitting, said, line);
        if finale.won && world.motion {
            let arrives = self.glide.as_ref().map_or(Duration::ZERO, |_| GLIDE);
            self.flourish = Some(Flourish::new(world.now + arrives, world.now));
        }
        self.ending = Some(finale);
        self.next_first = Some(self.sitting.next_first()?).filter(|_| self.sitting.can_swap_seats());
        Ok(())
    }

    /// Starts another round with the default first player, or with the other one if `swap`.
    pub(super) fn again(&mut self, swap: bool, world: &mut World) -> Result<(), Failure> {
        self.sitting.act(match self.next_first {
            Some(first) => Command::PlayAgain { first: if swap { !first } else { first } },
            None => Command::NextRound,
        })?;
        self.begin_again(world)
    }

    pub(super) fn another_target(&mut self, world: &mut World) -> Result<(), Failure> {
        match self.sitting.act(Command::AnotherTarget) {
            Ok(Event::TargetChanged { target }) => {
                // With another target, another seat may win.
                self.next_first = Some(self.sitting.next_first()?).filter(|_| self.sitting.can_swap_seats());
                self.again(false, world)?;
                world.notice = Some(format!("New target: {target}."));
            }
            Ok(_) => {}
            Err(failure) => world.notice = Some(failure.to_string()),
        }
        Ok(())
    }

    pub(super) fn after_the_round(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        match input {
            Input::ENTER => self.again(false, world)?,
            Input::Key(KeyCode::Char('s')) if self.next_first.is_some() => self.again(true, world)?,
            Input::Key(KeyCode::Char('n')) if self.has_other_targets() => {
                self.another_target(world)?;
            }
            Input::Key(KeyCode::Char('r')) => {
                return Go::open(ReviewView::of_sitting(&mut self.sitting)?);
            }
            _ => {}
        }
        Ok(Go::Stay)
    }
}
