//! Drawing of the board.

use ratatui::layout::Rect;
use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::words::describe;

use super::Board;
use super::buttons::Buttons;
use super::counters::{self, Counters};
use super::said::{draw_below, draw_side};
use crate::screen::canvas::{Canvas, Piece, below, columns, inset, middle, row, sentences_that_fit};
use crate::screen::digits;
use crate::screen::number_line::{Jump, NumberLine};
use crate::screen::theme::{Signs, Tone};

/// From this width on, advice and moves are next to the board instead of below it.
const WIDE: u16 = 104;
/// The margin on either side.
const MARGIN: u16 = 2;
/// The board's maximum width.
const WIDEST: u16 = 168;
/// The minimum rows for a player's arcs, unless the moves need the room.
pub const ARCS: u16 = 2;
/// Rows for the number and for each player's arcs, from the largest window to the smallest.
const ROWS: [(u16, u16); 15] = [
    (17, 6),
    (12, 5),
    (12, 4),
    (12, 3),
    (7, 4),
    (7, 3),
    (7, ARCS),
    (6, ARCS),
    (5, ARCS),
    (4, ARCS),
    (3, ARCS),
    (2, ARCS),
    (1, ARCS),
    (1, 1),
    (1, 0),
];

pub fn draw(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    if let Some(card) = &board.card {
        return card.draw(canvas, area);
    }
    // The line to share takes the whole width, below everything else.
    let across = Rect { x: area.x.saturating_sub(MARGIN), width: area.width + 2 * MARGIN, ..area };
    let to_paste = board.ending.as_ref().map_or(0, |ending| ending.rows_to_paste(across.width));
    let area = Rect { height: area.height.saturating_sub(to_paste), ..area };
    if let Some(ending) = &board.ending {
        ending.draw_to_paste(canvas, below(across, area.height));
    }
    let area = middle(area, WIDEST, area.height);
    let (main, side) = if area.width >= WIDE {
        let width = (area.width / 3).clamp(38, 48);
        let side = Rect { x: area.right() - width, width, ..area };
        (Rect { width: area.width - width - 3, ..area }, Some(side))
    } else {
        (area, None)
    };
    let line = number_line(board);
    // The owner's name is below each number.
    let names = u16::from(board.own_numbers());
    let legend = u16::from(!line.stones.is_empty());
    // In a narrow window, advice or the moves so far are below the board.
    let said = if side.is_none() { board.rows_said(main.width) } else { 0 };
    let fixed = 1 + names + legend + 1;
    let room = main.height.saturating_sub(fixed + said + 1 + line.height(ARCS));
    let choices = Buttons::for_board(board, main.width, room, canvas.theme.signs.arrow);
    // The moves or the verdict come first, then the arcs. The number gets the rest.
    let ending = board.ending.as_ref().map_or(0, |ending| ending.height(main.width));
    let left = main.height.saturating_sub(fixed + (choices.height() + said).max(ending));
    let fits = |(number, arcs): &(u16, u16)| number + line.height(*arcs) <= left;
    let (number, arcs) = ROWS.into_iter().find(fits).unwrap_or((1, 0));
    let spare = left.saturating_sub(number + line.height(arcs));
    // A gap between the arcs and the words below.
    let gap = spare.min(1);
    // In a tall window the board is in the middle.
    let main = below(main, (spare - gap) / 2);
    let goal = describe::at_a_glance_knowing(board.sitting.rulebook(), board.out_of_reach.as_deref());
    let goal = sentences_that_fit(&goal, main.width);
    // Next to a side panel, everything is centred.
    let put = |canvas: &mut Canvas<'_>, y: u16, pieces: Vec<Piece>| {
        let line = canvas.line(pieces);
        canvas.put(row(main, y), if side.is_some() { line.centered() } else { line });
    };
    put(canvas, 0, vec![(Tone::Faint, goal.to_owned())]);
    let mut y = 1;
    draw_numbers(board, canvas, Rect { height: number + names, ..below(main, y) });
    if let Some(flourish) = &board.flourish {
        flourish.draw(canvas, Rect { height: number + names, ..below(main, y) });
    }
    y += number + names;
    line.draw(canvas, Rect { height: line.height(arcs), ..below(main, y) });
    y += line.height(arcs) + gap;
    if legend > 0 {
        let told = format!("{} stepping stone: leave this number to your opponent", canvas.theme.signs.stone);
        put(canvas, y, vec![(Tone::Faint, told)]);
        y += legend;
    }
    let turn = whose_turn(board, canvas.theme.signs, main.width);
    put(canvas, y, turn);
    y += 1;
    match &board.ending {
        Some(ending) => ending.draw(canvas, below(main, y)),
        None => choices.draw(canvas, Rect { height: choices.height(), ..below(main, y) }, board),
    }
    match side {
        Some(side) => draw_side(board, canvas, side),
        None if board.ending.is_none() => {
            let above = Rect { height: y - 1, ..main };
            let left = draw_below(board, canvas, below(main, y + choices.height()), above);
            // Advice mentions numbers, so the line is shown with it if there is room.
            let fits = |arcs: &u16| left.is_some_and(|left| line.height(*arcs) <= left.height);
            if let (Some(left), Some(arcs)) = (left, [ARCS, 1, 0].into_iter().find(fits)) {
                line.draw(canvas, Rect { height: line.height(arcs), ..left });
            }
        }
        None => {}
    }
    board.draw_typing(canvas, area);
}

fn number_line(board: &Board) -> NumberLine {
    let mut line = NumberLine::for_round(board.sitting.round());
    line.names = Some(board.names());
    let thought = thought_of(board);
    for runner in line.runners_mut() {
        let own = |player: Player| runner.player.is_none_or(|own| own == player);
        if let Some(glide) = board.glide.as_ref().filter(|glide| own(glide.player)) {
            runner.at = glide.at();
        }
        runner.thought = thought.filter(|(owner, _)| own(*owner)).map(|(_, jump)| jump);
        runner.ahead = furthest(board, own);
    }
    if board.sitting.setup().help.open {
        line.stones.clone_from(&board.stones);
    }
    line
}

/// The furthest result of the next move.
fn furthest(board: &Board, own: impl Fn(Player) -> bool) -> Option<i128> {
    let moves = board.view().moves;
    let results = moves.iter().filter(|a_move| own(a_move.owner)).filter_map(|a_move| {
        let number = *a_move.to.as_ref().ok()?;
        Some((number.abs_diff(a_move.from), number))
    });
    results.max().map(|(_, number)| number)
}

/// The hop for the move under the cursor, and whose number it changes.
fn thought_of(board: &Board) -> Option<(Player, Jump)> {
    let player = board.sitting.round().position().turn();
    let a_move = board.view().moves.into_iter().nth(board.aimed_at()?)?;
    Some((a_move.owner, Jump { from: a_move.from, to: a_move.to.ok()?, player }))
}

fn draw_numbers(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let shown = |player: Player| match &board.glide {
        Some(glide) if glide.player == player || !board.own_numbers() => glide.at(),
        _ => board.sitting.round().number_of(player),
    };
    if !board.own_numbers() {
        let turn = board.sitting.round().position().turn();
        let tone = board.ending.as_ref().map_or(Tone::Number, |ending| ending.tone);
        let counters = counters::starting_count(board.sitting.rulebook()).map(|all| Counters {
            all,
            left: shown(turn),
            thought: thought_of(board).map(|(_, jump)| (jump.to, Tone::Player(jump.player))),
        });
        let share = area.width * 2 / 5;
        let beside = Rect { x: area.x + share, width: area.width - share, ..area };
        return match counters.filter(|counters| counters.fit(beside)) {
            Some(counters) => {
                digits::draw(canvas, inset(Rect { width: share, ..area }, 2), tone, shown(turn));
                counters.draw(canvas, beside);
            }
            None => digits::draw(canvas, area, tone, shown(turn)),
        };
    }
    let half = area.width / 2;
    for (index, player) in Player::BOTH.into_iter().enumerate() {
        let place = Rect { x: area.x + index as u16 * half, width: half, ..area };
        let number = Rect { height: area.height.saturating_sub(1), ..place };
        digits::draw(canvas, number, Tone::Player(player), shown(player));
        let name = format!("{} {}", canvas.theme.signs.here[index], board.name(player));
        canvas.centred(row(place, area.height.saturating_sub(1)), Tone::Player(player), &name);
    }
}

/// The player to move, and the last move.
fn whose_turn(board: &Board, signs: &Signs, width: u16) -> Vec<Piece> {
    let player = board.sitting.round().position().turn();
    let name = board.name(player);
    let mut pieces = Vec::new();
    if board.ending.is_none() {
        let whose = match board.sitting.only_person() {
            _ if board.playing_out.is_some() => "The rest is forced".to_owned(),
            Some(person) if person == player => "Your turn".to_owned(),
            _ if board.sitting.computer().is_some() => format!("{name} is thinking"),
            _ => format!("{name}'s turn"),
        };
        let which = describe::which_turn(board.sitting.rulebook(), board.sitting.round().position());
        let which = which.map(|which| format!(", {which}")).unwrap_or_default();
        pieces.push((Tone::Player(player), format!("{} {whose}{which}.  ", signs.cursor)));
    }
    if let Some(ply) = board.sitting.round().history().last() {
        let who = board.name(ply.player());
        let arrow = signs.arrow;
        let moved = match ply.a_move {
            Move::Operation(choice) => {
                let label = board.sitting.rulebook().label(&ply.before, choice);
                let before = ply.before.number_of(ply.owner);
                let told = match ply.owner == ply.player() {
                    true => format!("{before} {arrow} {}", ply.number),
                    false => {
                        let owner = board.name(ply.owner);
                        format!("{owner}: {before} {arrow} {}", ply.number)
                    }
                };
                let taken: usize = pieces.iter().map(|(_, text)| columns(text)).sum();
                let in_words = format!("{who}: {label}, {told}");
                match taken + columns(&in_words) <= usize::from(width) {
                    true => in_words,
                    false => format!("{who}: {}, {told}", board.sitting.rulebook().write(ply.a_move)),
                }
            }
            Move::Skip => format!("{who} couldn't move."),
        };
        pieces.push((Tone::Faint, moved));
    }
    pieces
}
