//! Pictures of dots, as large as fit: large numbers and the logo.

use ratatui::layout::Rect;

use super::canvas::{Canvas, middle, row};
use super::theme::Tone;

/// Rows of dots; `#` is a dot.
pub type Picture = Vec<String>;

/// The size of a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dot {
    /// Columns and rows.
    Block(u16, u16),
    /// One column, half a row.
    Half,
}

impl Dot {
    /// All dot sizes, largest first. A dot of two columns and one row is about square.
    const SIZES: [Dot; 5] =
        [Dot::Block(6, 3), Dot::Block(4, 2), Dot::Block(2, 1), Dot::Block(1, 1), Dot::Half];

    /// A picture's columns and rows.
    pub fn extent(self, picture: &Picture) -> (u16, u16) {
        let dots = picture.iter().map(|line| line.chars().count()).max().unwrap_or(0) as u16;
        let lines = picture.len() as u16;
        match self {
            Dot::Block(width, height) => (dots.saturating_mul(width), lines.saturating_mul(height)),
            Dot::Half => (dots, lines.div_ceil(2)),
        }
    }

    /// The largest dot that makes a picture fit in an area, if any.
    pub fn largest(canvas: &Canvas<'_>, picture: &Picture, area: Rect) -> Option<Dot> {
        let there_is = |dot: &Dot| *dot != Dot::Half || canvas.theme.signs.halves.is_some();
        let fits = |dot: &Dot| {
            let (width, height) = dot.extent(picture);
            width <= area.width && height <= area.height
        };
        Dot::SIZES.into_iter().filter(there_is).find(fits)
    }
}

/// Draws a picture in the middle of an area.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, tone: Tone, picture: &Picture, dot: Dot) {
    let (width, height) = dot.extent(picture);
    let place = middle(area, width, height);
    let lines = match (dot, canvas.theme.signs.halves) {
        (Dot::Half, Some(halves)) => in_halves(picture, canvas.theme.signs.block, halves),
        (Dot::Half, None) => in_blocks(picture, canvas.theme.signs.block, (1, 1)),
        (Dot::Block(width, height), _) => in_blocks(picture, canvas.theme.signs.block, (width, height)),
    };
    for (y, line) in (0..).zip(&lines) {
        draw_over(canvas, row(place, y), tone, line);
    }
}

/// Draws a line's characters; spaces are transparent.
fn draw_over(canvas: &mut Canvas<'_>, area: Rect, tone: Tone, line: &str) {
    let signs: Vec<char> = line.chars().collect();
    let mut x = 0;
    for run in signs.chunk_by(|one, other| (*one == ' ') == (*other == ' ')) {
        let width = run.len() as u16;
        if run.first() != Some(&' ') {
            let place = Rect { x: area.x + x, width, ..area };
            canvas.text(place, tone, &run.iter().collect::<String>());
        }
        x += width;
    }
}

fn in_blocks(picture: &Picture, block: &str, (width, height): (u16, u16)) -> Vec<String> {
    let sign = |dot: char| if dot == '#' { block } else { " " };
    let line = |line: &String| line.chars().map(|dot| sign(dot).repeat(width.into())).collect::<String>();
    picture.iter().flat_map(|dots| vec![line(dots); height.into()]).collect()
}

/// Two rows of dots per row of characters.
fn in_halves(picture: &Picture, block: &str, [upper, lower]: [&str; 2]) -> Vec<String> {
    let pair = |pair: &[String]| {
        let at = |line: Option<&String>, x: usize| line.and_then(|line| line.chars().nth(x)) == Some('#');
        let width = pair.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let signs = (0..width).map(|x| match (at(pair.first(), x), at(pair.get(1), x)) {
            (true, true) => block,
            (true, false) => upper,
            (false, true) => lower,
            (false, false) => " ",
        });
        signs.collect::<String>()
    };
    picture.chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_of_every_size() {
        let picture: Picture = ["## ", "# #", " ##"].map(str::to_owned).into();
        assert_eq!(in_blocks(&picture, "█", (2, 1)), ["████  ", "██  ██", "  ████"]);
        assert_eq!(in_halves(&picture, "█", ["▀", "▄"]), ["█▀▄", " ▀▀"]);
        assert_eq!((Dot::Half.extent(&picture), Dot::Block(4, 2).extent(&picture)), ((3, 2), (12, 6)));
    }
}
