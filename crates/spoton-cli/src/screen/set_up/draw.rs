//! Drawing of Set-up.

use ratatui::layout::{Position, Rect};
use spoton::engine::position::Player;
use spoton::words::describe;

use super::input::LONGEST_NAME;
use super::{LEFT, RIGHT, Row, SURPRISE, SetUp, Target};
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, cut, inset, middle, row, sentences_that_fit, wrap};
use crate::screen::theme::Tone;

/// From this width on, the explanation and the rules are next to the options.
const WIDE: u16 = 104;
const SIDE: u16 = 46;
/// The maximum width.
const WIDEST: u16 = 128;
/// Columns of the labels.
const LABELS: u16 = 16;

pub fn draw(set_up: &SetUp, canvas: &mut Canvas<'_>, area: Rect) {
    let area = middle(area, WIDEST, area.height);
    let rows = set_up.rows();
    let wide = area.width >= WIDE;
    let main = if wide { Rect { width: area.width - SIDE - 3, ..area } } else { area };
    canvas.text(row(main, 0), Tone::Faint, sentences_that_fit(&set_up.goal(), main.width));
    // If there's room, leaves a blank row between options.
    let height = if main.height >= 2 * rows.len() as u16 + 6 { 2 } else { 1 };
    let mut y = 2;
    for (index, line) in rows.iter().enumerate() {
        draw_row(set_up, canvas, row(main, y), index, *line);
        y += height;
    }
    if wide {
        let side = Rect { x: area.right() - SIDE, width: SIDE, ..area };
        draw_side(set_up, canvas, side);
    } else {
        canvas.rule(row(main, y));
        draw_about(set_up, canvas, below(main, y + 1));
    }
}

fn label(set_up: &SetUp, line: Row) -> &'static str {
    match line {
        Row::Game => "Game",
        Row::Way => "Variant",
        Row::Target => "Target",
        Row::Rival => "Opponent",
        Row::First => "Goes first",
        Row::Form => "Match",
        Row::Help => "Help",
        Row::Undo => "Undo",
        Row::Name(Player::One) if set_up.two_play() => "Player 1",
        Row::Name(Player::One) => "Your name",
        Row::Name(Player::Two) => "Player 2",
    }
}

fn draw_row(set_up: &SetUp, canvas: &mut Canvas<'_>, area: Rect, index: usize, line: Row) {
    let here = set_up.here == line;
    canvas.spot(area, Input::Pick(index));
    let sign = if here { canvas.theme.signs.cursor } else { " " };
    canvas.text(Rect { width: 1, ..area }, Tone::Strong, sign);
    let tone = if here { Tone::Strong } else { Tone::Plain };
    canvas.text(Rect { x: area.x + 2, width: LABELS - 2, ..area }, tone, label(set_up, line));
    let value = Rect { x: area.x + LABELS, width: area.width.saturating_sub(LABELS), ..area };
    match line {
        Row::Name(player) => draw_name(set_up, canvas, value, player, here),
        _ => draw_value(set_up, canvas, value, index, line, here),
    }
}

/// Draws a value between two clickable arrows.
fn draw_value(set_up: &SetUp, canvas: &mut Canvas<'_>, area: Rect, index: usize, line: Row, here: bool) {
    let value = set_up.value(line);
    let text = cut(&value, area.width.saturating_sub(6).into());
    let width = columns(text) as u16;
    let tone = if here { Tone::Chosen } else { Tone::Plain };
    let left = Rect { width: 2.min(area.width), ..area };
    let right = Rect { x: area.x + 4 + width, width: 2, ..area };
    canvas.text(left, Tone::Strong, "<");
    canvas.text(Rect { x: area.x + 2, width: width + 2, ..area }, tone, &format!(" {text} "));
    canvas.text(Rect { x: right.x + 1, width: 1, ..right }, Tone::Strong, ">");
    canvas.spot(left, Input::Pick(LEFT + index));
    canvas.spot(right, Input::Pick(RIGHT + index));
    if line == Row::Target && set_up.target != Target::Drawn {
        let own = matches!(set_up.target, Target::Own);
        let note = if own { "default" } else { "" };
        let after = Rect { x: right.x + 4, width: area.right().saturating_sub(right.x + 4), ..area };
        canvas.text(after, Tone::Faint, note);
        let surprise = Rect { x: after.x + if own { 11 } else { 0 }, width: 13, ..area };
        canvas.pieces(surprise, [(Tone::Strong, "s".to_owned()), (Tone::Plain, " surprise me".to_owned())]);
        canvas.spot(surprise, Input::Pick(SURPRISE));
    }
}

/// Draws a field for a name, with the default name faint if it is empty.
fn draw_name(set_up: &SetUp, canvas: &mut Canvas<'_>, area: Rect, player: Player, here: bool) {
    let field = Rect { width: (LONGEST_NAME as u16 + 3).min(area.width), ..area };
    let name = &set_up.names[player];
    let edge = if here { Tone::Strong } else { Tone::Faint };
    canvas.text(field, edge, "[");
    canvas.text(Rect { x: field.right() - 1, width: 1, ..field }, edge, "]");
    let inside = inset(field, 1);
    match name.is_empty() {
        true => canvas.text(inside, Tone::Faint, &set_up.usual_name(player)),
        false => canvas.text(inside, if here { Tone::Strong } else { Tone::Plain }, name),
    }
    if here {
        canvas.caret = Some(Position { x: inside.x + columns(name) as u16, y: inside.y });
    }
}

/// Draws the explanation of the chosen option. Returns the number of rows.
fn draw_about(set_up: &SetUp, canvas: &mut Canvas<'_>, area: Rect) -> u16 {
    let mut y = 0;
    for (index, said) in set_up.about().iter().enumerate() {
        let is_wrong = set_up.here == Row::Target && set_up.wrong.is_some() && index == 0;
        let tone = if is_wrong { Tone::Bad } else { Tone::Plain };
        y += canvas.wrapped(below(area, y), tone, said);
    }
    y
}

fn draw_side(set_up: &SetUp, canvas: &mut Canvas<'_>, area: Rect) {
    let inside = inset(canvas.framed(area, Tone::Faint, label(set_up, set_up.here)), 1);
    let mut y = draw_about(set_up, canvas, inside) + 1;
    canvas.rule(row(inside, y));
    y += 2;
    let heading = match set_up.target {
        Target::Drawn => "Rules (default target)",
        Target::Own | Target::Typed(_) => "Rules",
    };
    canvas.text(row(inside, y), Tone::Strong, heading);
    y += 1;
    for rule in describe::rules(&set_up.rulebook) {
        for (index, line) in wrap(&rule, inside.width.saturating_sub(2)).iter().enumerate() {
            let sign = if index == 0 { "- " } else { "  " };
            canvas.text(row(inside, y), Tone::Plain, &format!("{sign}{line}"));
            y += 1;
        }
    }
}
