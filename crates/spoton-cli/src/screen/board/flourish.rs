//! Sparks around a winning number.

use std::time::Duration;

use ratatui::layout::Rect;

use crate::screen::canvas::Canvas;
use crate::screen::theme::Tone;

/// How long the sparks last.
const LASTS: Duration = Duration::from_millis(1600);
/// The fraction of that time for which one spark glows.
const GLOWS: f64 = 0.35;
/// Cells per spark.
const PLACES: u32 = 14;

/// The animation's state.
pub struct Flourish {
    begins: Duration,
    now: Duration,
}

impl Flourish {
    pub fn new(begins: Duration, now: Duration) -> Flourish {
        Flourish { begins, now }
    }

    pub fn now(&self) -> Duration {
        self.now
    }

    /// Advances to a time. Returns whether the animation continues.
    pub fn goes_on(&mut self, now: Duration) -> bool {
        self.now = now;
        now < self.begins + LASTS
    }

    /// Draws the current sparks into empty cells.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let Some(passed) = self.now.checked_sub(self.begins) else { return };
        let moment = passed.as_secs_f64() / LASTS.as_secs_f64();
        let sparks = canvas.theme.signs.sparks;
        for spark in 0..u32::from(area.width) * u32::from(area.height) / PLACES {
            let lot = scattered(spark);
            let born = f64::from(lot >> 16 & 0xff) / 255.0 * (1.0 - GLOWS);
            let age = (moment - born) / GLOWS;
            if !(0.0..1.0).contains(&age) {
                continue;
            }
            // Maps 0..256 to a cell of the area.
            let place = |lot: u32, length: u16| ((lot & 0xff) * u32::from(length) / 256) as u16;
            let (x, y) = (area.x + place(lot, area.width), area.y + place(lot >> 8, area.height));
            let free = canvas.buffer.cell((x, y)).is_some_and(|cell| cell.symbol() == " ");
            if free {
                // A spark grows and fades.
                let sign = sparks[if (0.25..0.75).contains(&age) { 1 } else { 0 }];
                let tone = if lot >> 24 & 1 == 0 { Tone::Good } else { Tone::Number };
                canvas.text(Rect { x, y, width: 1, height: 1 }, tone, sign);
            }
        }
    }
}

/// A hash: scattered, but always the same.
fn scattered(number: u32) -> u32 {
    let mixed = (number.wrapping_add(1)).wrapping_mul(0x9e37_79b9);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b);
    mixed ^ mixed >> 13
}
