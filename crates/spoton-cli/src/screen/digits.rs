//! Numbers as large as fit, so that they can be read from across a table.

use ratatui::layout::Rect;

use super::canvas::{Canvas, middle, row};
use super::theme::Tone;

/// A picture of three by five for each digit, row by row.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];
const MINUS: [u8; 5] = [0, 0, 0b111, 0, 0];

/// How many rows a large number takes.
pub const HEIGHT: u16 = 5;

/// Draws a number in the middle of an area: with two columns to a dot, with one, or as plain text.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, tone: Tone, number: i128) {
    let text = number.to_string();
    let columns = |dot: u16| text.len() as u16 * (3 * dot + dot) - dot;
    let fits = |dot: &u16| area.height >= HEIGHT && text.len() < 40 && columns(*dot) <= area.width;
    let Some(dot) = [2, 1].into_iter().find(fits) else {
        let line = middle(area, area.width, 1);
        return canvas.centred(line, tone, &text);
    };
    let place = middle(area, columns(dot), HEIGHT);
    let on = canvas.theme.signs.block.repeat(usize::from(dot));
    let off = " ".repeat(usize::from(dot));
    for line in 0..5 {
        let pictures = text.bytes().map(|byte| match byte {
            b'-' => MINUS[line],
            digit => DIGITS[usize::from(digit - b'0') % 10][line],
        });
        let drawn: Vec<String> = pictures
            .map(|bits| {
                (0..3).rev().map(|bit| if bits >> bit & 1 == 1 { on.as_str() } else { &off }).collect()
            })
            .collect();
        canvas.text(row(place, line as u16), tone, drawn.join(&off).trim_end());
    }
}
