//! How the board looks.

use ratatui::layout::Rect;
use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::format::{Entry, NoRepeat, Numbers, Op};
use spoton::words::describe;
use spoton::words::phrases;

use super::grid::Grid;
use super::{Board, KEYS};
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, inset, middle, row, sentences_that_fit, wrap};
use crate::screen::digits;
use crate::screen::number_line::NumberLine;
use crate::screen::theme::Tone;

/// From this width on, what was said and done stands beside the board instead of below it.
const WIDE: u16 = 104;
const SIDE: u16 = 38;

pub fn draw(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let (main, side) = if area.width >= WIDE {
        let side = Rect { x: area.right() - SIDE, width: SIDE, ..area };
        (Rect { width: area.width - SIDE - 3, ..area }, Some(side))
    } else {
        (area, None)
    };
    let goal = describe::goal(board.sitting.rulebook());
    let goal = sentences_that_fit(&goal, main.width);
    let line = number_line(board);
    canvas.text(row(main, 0), Tone::Faint, goal);
    // In a narrow window, below the board: what somebody says, or the moves so far.
    let said = if side.is_none() { 2 } else { 0 };
    let room = main.height.saturating_sub(1 + digits::HEIGHT + line.height() + 1 + said);
    let choices = Buttons::of(board, main.width, room, canvas.theme.signs.arrow);
    // In a tall window the board stands in the middle.
    let wanted = 1 + digits::HEIGHT + 2 + line.height() + 1 + choices.height() + 5;
    let main = below(main, main.height.saturating_sub(wanted) / 3);
    // What can be chosen has to be seen; the number gets what is left, from one row on.
    let fixed = 1 + line.height() + 1 + choices.height() + said;
    let number_height = main.height.saturating_sub(fixed).clamp(1, digits::HEIGHT + 2);
    let mut y = 1;
    draw_numbers(board, canvas, Rect { height: number_height, ..row(main, y) });
    y += number_height;
    line.draw(canvas, Rect { height: line.height(), ..below(main, y) });
    y += line.height();
    if !line.stones.is_empty() {
        let legend = format!("{} a number to leave to the other player", canvas.theme.signs.stone);
        canvas.text(row(main, y - 1), Tone::Faint, &legend);
    }
    draw_turn(board, canvas, row(main, y));
    y += 1;
    match &board.ending {
        Some(ending) => draw_ending(canvas, below(main, y), ending),
        None => choices.draw(canvas, Rect { height: choices.height(), ..below(main, y) }, board),
    }
    y += choices.height();
    match side {
        Some(side) => draw_side(board, canvas, side),
        None if board.ending.is_none() => {
            let above = Rect { height: y - choices.height() - 1, ..main };
            draw_below(board, canvas, below(main, y), above);
        }
        None => {}
    }
    board.draw_typing(canvas, area);
}

fn number_line(board: &Board) -> NumberLine {
    let mut line = NumberLine::of(board.sitting.round());
    if let Some(glide) = &board.glide {
        let shared = board.sitting.rulebook().numbers() == Numbers::Shared;
        for runner in line.runners_mut() {
            if shared || runner.player == Some(glide.player) {
                runner.at = glide.at();
                // It has not arrived yet.
                runner.path.pop();
            }
        }
    }
    if board.sitting.setup().help.open {
        line.stones.clone_from(&board.stones);
    }
    line
}

fn draw_numbers(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let shown = |player: Player| match &board.glide {
        Some(glide) if glide.player == player || !board.own_numbers() => glide.at(),
        _ => board.sitting.round().number_of(player),
    };
    if !board.own_numbers() {
        let turn = board.sitting.round().position().turn();
        return digits::draw(canvas, area, Tone::Number, shown(turn));
    }
    let half = area.width / 2;
    for (index, player) in Player::BOTH.into_iter().enumerate() {
        let place = Rect { x: area.x + index as u16 * half, width: half, ..area };
        let number = Rect { height: area.height.saturating_sub(1), ..place };
        digits::draw(canvas, number, Tone::Player(player), shown(player));
        let name = format!("{} {}", canvas.theme.signs.here[index], board.sitting.setup().names[player]);
        canvas.centred(row(place, area.height - 1), Tone::Player(player), &name);
    }
}

fn draw_turn(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let player = board.sitting.round().position().turn();
    let name = &board.sitting.setup().names[player];
    let mut pieces = Vec::new();
    if board.ending.is_none() {
        let whose = match board.sitting.only_person() {
            Some(person) if person == player => "Your turn".to_owned(),
            _ if board.sitting.computer().is_some() => format!("{name} thinks"),
            _ => format!("{name}'s turn"),
        };
        let which = describe::which_turn(board.sitting.rulebook(), board.sitting.round().position());
        let which = which.map(|which| format!(", {which}")).unwrap_or_default();
        pieces.push((Tone::Player(player), format!("{} {whose}{which}.  ", canvas.theme.signs.cursor)));
    }
    if let Some(ply) = board.sitting.round().history().last() {
        let who = &board.sitting.setup().names[ply.player()];
        let arrow = canvas.theme.signs.arrow;
        let moved = match ply.a_move {
            Move::Operation(choice) => {
                let label = board.sitting.rulebook().label(&ply.before, choice);
                let before = ply.before.number_of(ply.owner);
                let told = match ply.owner == ply.player() {
                    true => format!("{before} {arrow} {}", ply.number),
                    false => {
                        let owner = &board.sitting.setup().names[ply.owner];
                        format!("{owner}: {before} {arrow} {}", ply.number)
                    }
                };
                let taken: usize = pieces.iter().map(|(_, text)| columns(text)).sum();
                let in_words = format!("{who}: {label}, {told}");
                match taken + columns(&in_words) <= usize::from(area.width) {
                    true => in_words,
                    false => format!("{who}: {}, {told}", board.sitting.rulebook().write(ply.a_move)),
                }
            }
            Move::Skip => format!("{who} could not move."),
        };
        pieces.push((Tone::Faint, moved));
    }
    canvas.pieces(area, pieces);
}

/// The operations, as buttons if there is room, else as a list.
struct Buttons {
    items: Vec<Item>,
    columns: u16,
    /// Rows that one of them takes.
    rows: u16,
    asks: bool,
    /// How high they are as a grid, if there are too many for anything else.
    grid: Option<u16>,
}

/// A line of what is on offer.
pub struct Item {
    pub place: usize,
    pub key: char,
    /// As it is written: `-3`.
    pub written: String,
    label: String,
    /// The other player, if it is their number that it changes.
    whose: String,
    /// The number that it gives, or why it is barred.
    pub gives: Result<i128, String>,
    left: Option<String>,
    pub here: bool,
}

impl Item {
    /// Everything that is to be said of it, in a line.
    pub fn in_words(&self, arrow: &str) -> String {
        format!("{}{}", self.label, if self.gives.is_ok() { " " } else { "" }) + &self.gives_in_words(arrow)
    }

    fn gives_in_words(&self, arrow: &str) -> String {
        let left = self.left.as_ref().map(|left| format!("  ({left})")).unwrap_or_default();
        match &self.gives {
            Ok(number) => format!("{}{arrow} {number}{left}", self.whose),
            Err(why) => format!(": {why}"),
        }
    }
}

impl Buttons {
    /// `room` is how many rows they may take without pushing anything else aside.
    fn of(board: &Board, width: u16, room: u16, arrow: &str) -> Buttons {
        let rulebook = board.sitting.rulebook();
        let position = board.sitting.round().position();
        let asks = board.asks();
        let items: Vec<Item> = rulebook
            .offers(position)
            .enumerate()
            .map(|(place, offer)| Item {
                place,
                key: KEYS.chars().nth(place).unwrap_or(' '),
                written: rulebook.write_offer(&offer),
                label: rulebook.label_of_offer(&offer),
                whose: offer.choice.map(|choice| board.whose(choice)).unwrap_or_default(),
                gives: offer.result.map_err(|why| phrases::refusal(rulebook, why)),
                left: describe::left(rulebook, position, &offer),
                here: asks && board.cursor.0 == place,
            })
            .collect();
        let count = items.len().max(1) as u16;
        // As wide as its label wants it, whatever is barred now, so that the buttons never move.
        let is_short = |entry: &Entry| match entry.op {
            Op::Fixed(operation) => entry.uses.is_none() && entry.when.is_empty() && !operation.divides(),
            Op::Computed(_) => false,
        };
        let short = rulebook.no_repeat() == NoRepeat::None
            && rulebook.passes().is_none()
            && rulebook.forbidden().is_empty()
            && rulebook.moves().iter().all(is_short);
        // If reasons can be long they get one more line, so that they are never cut.
        let (least, rows) = if short { (18, 4) } else { (22, 5) };
        let button = items.iter().map(|item| item.label.len() + 7).max().unwrap_or(0).max(least) as u16;
        let as_buttons = (width / button).clamp(1, count);
        if count.div_ceil(as_buttons) * rows <= room {
            return Buttons { items, columns: as_buttons, rows, asks, grid: None };
        }
        // More lines than there are keys come from computed amounts, and change from turn to turn.
        let grid = (items.len() > KEYS.len()).then(|| {
            // To see all of them is worth more than to see the number large.
            let least = if board.own_numbers() { 2 } else { 1 };
            Grid::of(&items, width, arrow).height(room + digits::HEIGHT - least)
        });
        Buttons { items, columns: if count <= room { 1 } else { 2 }, rows: 1, asks, grid }
    }

    fn height(&self) -> u16 {
        if let Some(height) = self.grid {
            return height;
        }
        (self.items.len() as u16).div_ceil(self.columns) * self.rows
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, board: &Board) {
        if self.grid.is_some() {
            let grid = Grid::of(&self.items, area.width, canvas.theme.signs.arrow);
            return grid.draw(canvas, area, self.asks, &board.seen);
        }
        board.seen.forget();
        let width = area.width / self.columns;
        for (index, item) in self.items.iter().enumerate() {
            let (column, line) = (index as u16 % self.columns, index as u16 / self.columns);
            let place = Rect {
                x: area.x + column * width,
                width: width.saturating_sub(2),
                height: self.rows,
                ..row(area, line * self.rows)
            };
            if place.bottom() > area.bottom() {
                break;
            }
            if self.asks {
                canvas.spot(place, Input::Pick(item.place));
            }
            match self.rows {
                1 => self.draw_line(canvas, place, item),
                _ => self.draw_button(canvas, place, item),
            }
        }
    }

    fn tone(&self, item: &Item) -> Tone {
        match (&item.gives, item.here) {
            (_, true) => Tone::Chosen,
            (Err(_), _) => Tone::Faint,
            _ if !self.asks => Tone::Faint,
            _ => Tone::Plain,
        }
    }

    fn draw_button(&self, canvas: &mut Canvas<'_>, area: Rect, item: &Item) {
        let barred = item.gives.is_err();
        let frame = if barred || !self.asks { Tone::Faint } else { Tone::Plain };
        let inside = inset(canvas.framed(area, frame, &item.key.to_string()), 1);
        let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
        if let Err(why) = &item.gives {
            canvas.wrapped(inside, self.tone(item), &format!("{cursor} {}: {why}", item.label));
            return;
        }
        canvas.text(row(inside, 0), self.tone(item), &format!("{cursor} {} ", item.label));
        let gives = item.gives_in_words(canvas.theme.signs.arrow);
        canvas.wrapped(below(inside, 1), self.tone_of_result(), &format!("  {gives}"));
    }

    fn tone_of_result(&self) -> Tone {
        if self.asks { Tone::Number } else { Tone::Faint }
    }

    fn draw_line(&self, canvas: &mut Canvas<'_>, area: Rect, item: &Item) {
        let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
        let gives = item.gives_in_words(canvas.theme.signs.arrow);
        let tone = self.tone(item);
        canvas.pieces(
            area,
            [
                (Tone::Strong, format!("{cursor}{} ", item.key)),
                (tone, if item.gives.is_err() { item.label.clone() } else { format!("{} ", item.label) }),
                (if item.gives.is_err() { Tone::Faint } else { self.tone_of_result() }, gives),
            ],
        );
    }
}

/// The moves so far, as one line.
fn history(board: &Board) -> String {
    let rulebook = board.sitting.rulebook();
    let moves = board.sitting.round().history().iter().map(|ply| rulebook.write(ply.a_move));
    moves.collect::<Vec<_>>().join(" ")
}

/// What somebody who was asked has said, or that the rest plays itself, or the moves so far. What is too long for the
/// place below the choices covers what is above them, which can be done without for a moment.
fn draw_below(board: &Board, canvas: &mut Canvas<'_>, area: Rect, above: Rect) {
    let rows = |width: u16| board.told.iter().map(|said| wrap(said.trim(), width).len() as u16).sum::<u16>();
    let taken = u16::from(board.plays_itself.is_some());
    if rows(area.width) + taken > area.height {
        let inner = above.width.saturating_sub(4);
        canvas.clear(above);
        let panel = Rect { height: (rows(inner) + 2).min(above.height), ..above };
        let mut inside = inset(canvas.framed(panel, Tone::Faint, ""), 1);
        for said in &board.told {
            let taken = canvas.wrapped(inside, Tone::Plain, said.trim());
            inside = below(inside, taken);
        }
        return;
    }
    let mut y = 0;
    if let Some(said) = &board.plays_itself {
        canvas.text(row(area, y), Tone::Good, &format!("{said}. Enter: play it out"));
        y += 1;
    }
    for said in &board.told {
        let place = below(area, y);
        y += canvas.wrapped(place, Tone::Strong, said.trim());
    }
    if y == 0 {
        let told = history(board);
        let all = told.split(' ').count();
        // The end of it counts.
        let fits = |told: &String| columns(told) <= usize::from(area.width);
        let last = (0..all).map(|skipped| {
            let words: Vec<&str> = told.split(' ').skip(skipped).collect();
            format!("So far: {}{}", if skipped > 0 { "... " } else { "" }, words.join(" "))
        });
        if let Some(so_far) = last.into_iter().find(fits).filter(|_| !told.is_empty()) {
            canvas.text(row(area, 0), Tone::Faint, &so_far);
        }
    }
}

/// The same, with more room, beside the board.
fn draw_side(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let half = area.height / 2;
    let coach = inset(canvas.framed(Rect { height: half, ..area }, Tone::Faint, "Advice"), 1);
    let mut y = 0;
    if let Some(said) = &board.plays_itself {
        y += canvas.wrapped(coach, Tone::Good, &format!("{said}. Enter: play it out"));
    }
    for said in &board.told {
        y += canvas.wrapped(below(coach, y), Tone::Strong, said.trim());
    }
    if y == 0 {
        let about = board.habit.as_deref().unwrap_or("h gives a hint to whoever is on turn.");
        canvas.wrapped(coach, Tone::Faint, about);
    }
    let rest = below(area, half);
    let moves = inset(canvas.framed(rest, Tone::Faint, "So far"), 1);
    let lines = wrap(&history(board), moves.width);
    let skip = lines.len().saturating_sub(usize::from(moves.height));
    for (y, line) in lines.iter().skip(skip).enumerate() {
        canvas.text(row(moves, y as u16), Tone::Plain, line);
    }
}

/// Who won and why, in the words of the book, in the place of the choices that nobody has any more.
fn draw_ending(canvas: &mut Canvas<'_>, area: Rect, ending: &[String]) {
    let width = area.width.min(64);
    let lines: Vec<String> = ending.iter().flat_map(|said| wrap(said, width.saturating_sub(4))).collect();
    let place =
        middle(Rect { height: (lines.len() as u16 + 2).min(area.height), ..area }, width, area.height);
    let inside = inset(canvas.framed(place, Tone::Strong, ""), 1);
    for (y, line) in lines.iter().enumerate() {
        let tone = if y < 2 { Tone::Strong } else { Tone::Plain };
        canvas.centred(row(inside, y as u16), tone, line);
    }
}
