//! The animation of a changing number.

use std::time::Duration;

use spoton::engine::position::Player;

/// How long the animation lasts.
pub const GLIDE: Duration = Duration::from_millis(320);

/// A number gliding to its new value.
pub struct Glide {
    pub player: Player,
    pub from: i128,
    pub to: i128,
    pub begun: Duration,
    pub now: Duration,
}

impl Glide {
    /// The current value: fast at first, then slower.
    pub fn at(&self) -> i128 {
        let share = (self.now.saturating_sub(self.begun)).as_secs_f64() / GLIDE.as_secs_f64();
        let left = (1.0 - share.clamp(0.0, 1.0)).powi(3);
        self.to - ((self.to - self.from) as f64 * left) as i128
    }
}
