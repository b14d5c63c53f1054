//! Plays out a forced ending, move by move.

use std::collections::VecDeque;
use std::time::Duration;

use spoton::engine::play::Move;
use spoton::teach::forced::ForcedEnd;

use super::Board;
use crate::failure::Failure;
use crate::screen::World;

/// The time between moves if there are only a few.
const STEP: Duration = Duration::from_millis(600);
/// The longest total time.
const LONGEST: Duration = Duration::from_secs(6);
/// The shortest step. Longer lines make several moves per step.
const SHORTEST: Duration = Duration::from_millis(48);

pub struct PlayingOut {
    rest: VecDeque<Move>,
    step: Duration,
    /// Moves per step.
    at_once: usize,
    next_at: Duration,
}

impl PlayingOut {
    pub fn new(line: Vec<Move>, now: Duration) -> PlayingOut {
        let moves = u32::try_from(line.len()).unwrap_or(u32::MAX).max(1);
        let step = (LONGEST / moves).clamp(SHORTEST, STEP);
        let steps = (LONGEST.as_millis() / step.as_millis()).max(1) as usize;
        PlayingOut { at_once: line.len().div_ceil(steps).max(1), rest: line.into(), step, next_at: now }
    }

    /// When the next step is due.
    pub fn next_at(&self) -> Duration {
        self.next_at
    }

    /// Starts the next step and returns its moves.
    pub fn due(&mut self, now: Duration) -> Vec<Move> {
        self.next_at = now + self.step;
        let count = self.at_once.min(self.rest.len());
        self.rest.drain(..count).collect()
    }

    pub fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    /// The remaining moves.
    pub fn rest(self) -> VecDeque<Move> {
        self.rest
    }
}

impl Board {
    /// Plays the round out, move by move, or all together if animation is off.
    pub fn play_out(&mut self, world: &mut World) -> Result<(), Failure> {
        let ForcedEnd::Line(line) = self.sitting.forced_end()? else { return Ok(()) };
        self.told.clear();
        self.plays_itself = None;
        self.playing_out = Some(PlayingOut::new(line, world.now));
        if world.motion { self.play_on(world) } else { self.play_to_the_end(world) }
    }

    /// Makes the moves that are due.
    pub fn play_on(&mut self, world: &mut World) -> Result<(), Failure> {
        let Some(playing) = &mut self.playing_out else { return Ok(()) };
        let due = playing.due(world.now);
        let glides = due.len() == 1;
        for choice in due.into_iter().filter_map(Move::choice) {
            let owner = self.owner(choice);
            let from = self.sitting.round().number_of(owner);
            self.sitting.make(choice)?;
            if glides {
                self.glide_from(owner, from, world);
            }
        }
        if self.playing_out.as_ref().is_none_or(PlayingOut::is_over) {
            self.playing_out = None;
            return self.next_turn(world);
        }
        Ok(())
    }

    /// Makes all remaining moves now.
    pub fn play_to_the_end(&mut self, world: &mut World) -> Result<(), Failure> {
        let rest = self.playing_out.take().into_iter().flat_map(PlayingOut::rest);
        for choice in rest.filter_map(Move::choice) {
            self.sitting.make(choice)?;
        }
        self.next_turn(world)
    }
}
