//! A round that plays itself to its end, so that it can be watched.

use std::collections::VecDeque;
use std::time::Duration;

use spoton::engine::play::Move;

/// From one move to the next, if there are few.
const STEP: Duration = Duration::from_millis(600);
/// However many there are, nobody watches for longer.
const LONGEST: Duration = Duration::from_secs(6);
/// Steps are not shorter than this; then several moves are made at once.
const SHORTEST: Duration = Duration::from_millis(48);

pub struct PlayingOut {
    rest: VecDeque<Move>,
    step: Duration,
    /// How many moves a step makes.
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

    /// When the next move is made.
    pub fn next_at(&self) -> Duration {
        self.next_at
    }

    /// The moves of the next step, which begins now.
    pub fn due(&mut self, now: Duration) -> Vec<Move> {
        self.next_at = now + self.step;
        let count = self.at_once.min(self.rest.len());
        self.rest.drain(..count).collect()
    }

    pub fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    /// All moves that have not been made.
    pub fn rest(self) -> VecDeque<Move> {
        self.rest
    }
}
