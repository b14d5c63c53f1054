//! Counters: a picture of a small number that only shrinks.

use ratatui::layout::Rect;
use spoton::engine::operation::Kind;
use spoton::format::{Numbers, Rulebook};

use crate::screen::canvas::{Canvas, middle, row};
use crate::screen::theme::Tone;

/// The maximum number of counters that are easy to count.
const MOST: i64 = 60;
/// Counters per row, with a gap after every five.
const ACROSS: u16 = 10;

/// The number of counters at the start. Returns `None` unless the game is played with counters: one shared number that
/// only shrinks, down to 0 or 1.
pub fn starting_count(rulebook: &Rulebook) -> Option<u16> {
    let (start, _) = rulebook.start();
    let last = rulebook.target().unwrap_or(rulebook.range().0);
    let down = match rulebook.target() {
        Some(target) => target == 0,
        None => (0..=1).contains(&last),
    };
    let only_taken = rulebook.moves().iter().all(|entry| entry.kind() == Kind::Subtract);
    let counters = rulebook.numbers() == Numbers::Shared && down && only_taken && (1..=MOST).contains(&start);
    counters.then(|| u16::try_from(start).ok()).flatten()
}

/// The counters: how many in total, how many left, and how many would be left.
pub struct Counters {
    /// The number at the start.
    pub all: u16,
    pub left: i128,
    /// The number of counters after the highlighted move, and the player's tone.
    pub thought: Option<(i128, Tone)>,
}

impl Counters {
    fn rows(&self) -> u16 {
        self.all.div_ceil(ACROSS)
    }

    /// The columns and rows of the counters at a given spacing.
    fn extent(&self, apart: u16) -> (u16, u16) {
        (ACROSS * 2 * apart + 2 * apart - 1, self.rows() * apart - (apart - 1))
    }

    /// Whether they fit in an area.
    pub fn fit(&self, area: Rect) -> bool {
        let (width, height) = self.extent(1);
        width <= area.width && height <= area.height
    }

    /// Draws the counters in the middle of an area: those left, those about to be taken, and those gone.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let fits = |apart: &u16| {
            let (width, height) = self.extent(*apart);
            width <= area.width && height <= area.height
        };
        let Some(apart) = [2, 1].into_iter().find(fits) else { return };
        let (width, height) = self.extent(apart);
        let place = middle(area, width, height);
        let [there, thought_of, gone] = canvas.theme.signs.counters;
        for counter in 0..self.all {
            let (column, line) = (counter % ACROSS, counter / ACROSS);
            let x = (column * 2 + column / 5 * 2) * apart;
            let (tone, sign) = match self.thought {
                _ if i128::from(counter) >= self.left => (Tone::Faint, gone),
                Some((after, tone)) if i128::from(counter) >= after => (tone, thought_of),
                _ => (Tone::Number, there),
            };
            let spot = Rect { x: place.x + x, width: 1, ..row(place, line * apart) };
            canvas.text(spot, tone, sign);
        }
    }
}

#[cfg(test)]
mod tests {
    use spoton::format::{Draft, catalog};

    use super::*;

    fn counters(rules: &str) -> Option<u16> {
        starting_count(&Draft::read("odd", &format!("title = 'Odd'\n{rules}\n")).build().unwrap())
    }

    #[test]
    fn the_shape_of_a_game_includes_its_counters() {
        assert_eq!(counters("start = 21\ntarget = 0\nmoves = ['-1', '-2', '-3']"), Some(21));
        assert_eq!(counters("start = 24\nrange = [1, 36]\nmoves = ['-1..half']"), Some(24));
        // No counters: too many, another target, other operations, or separate numbers.
        assert_eq!(counters("start = 100\ntarget = 0\nmoves = ['-1']"), None);
        assert_eq!(counters("start = 21\ntarget = 5\nmoves = ['-1']"), None);
        assert_eq!(counters("start = 21\ntarget = 0\nmoves = ['-1', '/2']"), None);
        assert_eq!(counters("start = 0\ntarget = 21\nmoves = ['+1']"), None);
        assert_eq!(counters("numbers = 'separate'\nstart = 21\ntarget = 0\nmoves = ['-1']"), None);
    }

    #[test]
    fn no_game_of_the_books_that_climbs_has_any() {
        for id in catalog::ids() {
            let rulebook = catalog::draft(id).unwrap().build().unwrap();
            let (start, _) = rulebook.start();
            assert!(starting_count(&rulebook).is_none_or(|all| i64::from(all) == start && start > 1), "{id}");
        }
    }
}
