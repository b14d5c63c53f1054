//! The logo: the last O is a target with a hit.

use ratatui::layout::Rect;

use super::canvas::{Canvas, middle};
use super::pixels::{self, Dot, Picture};
use super::theme::Tone;

/// The name: `o` is the target's ring, `*` the spot.
const NAME: [&str; 5] = [
    " #### ####   ###  #####     ooo  #   #",
    "#     #   # #   #   #      o   o ##  #",
    " ###  ####  #   #   #      o * o # # #",
    "    # #     #   #   #      o   o #  ##",
    "####  #      ###    #       ooo  #   #",
];

/// The tone of each character.
const TONES: [(char, Tone); 3] = [('#', Tone::Strong), ('o', Tone::Target), ('*', Tone::Number)];

/// The rows of the logo in an area.
pub fn rows(canvas: &Canvas<'_>, area: Rect) -> u16 {
    let name = part(None);
    Dot::largest(canvas, &name, area).map_or(1, |dot| dot.extent(&name).1)
}

/// Draws the logo in the middle of an area, as large as fits, or as text.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let Some(dot) = Dot::largest(canvas, &part(None), area) else {
        return canvas.centred(middle(area, area.width, 1), Tone::Strong, "S P O T   O N");
    };
    for (sign, tone) in TONES {
        pixels::draw(canvas, area, tone, &part(Some(sign)), dot);
    }
}

/// The dots of one character, or all.
fn part(of: Option<char>) -> Picture {
    let dot = |sign: char| if sign != ' ' && of.is_none_or(|of| of == sign) { '#' } else { ' ' };
    NAME.iter().map(|line| line.chars().map(dot).collect()).collect()
}
