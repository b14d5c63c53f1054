//! Large numbers, readable from across a table.

use ratatui::layout::Rect;

use super::canvas::{Canvas, middle};
use super::pixels::{self, Dot, Picture};
use super::theme::Tone;

/// A 3x5 picture of each digit, row by row.
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

/// Longer numbers are plain text.
const LONGEST: usize = 40;

/// Draws a number in the middle of an area, as large as fits.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, tone: Tone, number: i128) {
    let text = number.to_string();
    let picture = picture(&text);
    match Dot::largest(canvas, &picture, area).filter(|_| text.len() <= LONGEST) {
        Some(dot) => pixels::draw(canvas, area, tone, &picture, dot),
        None => canvas.centred(middle(area, area.width, 1), tone, &text),
    }
}

fn picture(text: &str) -> Picture {
    let line = |line: usize| {
        let digits = text.bytes().map(|byte| match byte {
            b'-' => MINUS[line],
            digit => DIGITS[usize::from(digit.wrapping_sub(b'0')) % 10][line],
        });
        let dots = |bits: u8| (0..3).rev().map(move |bit| if bits >> bit & 1 == 1 { '#' } else { ' ' });
        digits.map(|bits| dots(bits).collect::<String>()).collect::<Vec<_>>().join(" ")
    };
    (0..5).map(line).collect()
}
