//! The number line as SVG, as drawn in a classroom. Every move is an arc in the mover's colour and pattern, above the
//! line for the first player and below for the second. With separate numbers, each player has a line. Handwritten,
//! because it needs only a few elements, all with numbers and our own words, so there is nothing that a crate would escape.

use std::collections::BTreeSet;
use std::fmt::Write;

use spoton::engine::operation::Way;
use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::engine::round::{Ply, Round};
use spoton::engine::written::{ON_OTHER, On};
use spoton::format::{Numbers, Reach, Rulebook};
use spoton::view::scale::{self, Scale};
use spoton::view::{self, MoveView};

const WIDTH: f64 = 360.0;
/// Space for the line: a margin on either side, and space for each hop's label.
const ROOM: scale::Room = scale::Room { from: 20.0, width: WIDTH - 40.0, legible: 17.0 };
/// The height of an arc's label, and of the numbers below the line.
const LABEL: f64 = 13.0;
const NUMBERS: f64 = 26.0;
/// The width of a digit in a wide font.
const DIGIT: f64 = 9.6;
/// The height of the flattest arc.
const FLATTEST: f64 = 11.0;
/// The number of latest moves drawn as arcs. Earlier ones leave a tick.
const MOST_ARCS: usize = 8;
/// With up to this many possible moves, every result gets a position on the line. With more, only the extremes do.
const MOST_PLACES: usize = 8;

/// The shared number line, or one player's line.
pub struct Line {
    pub owner: Option<Player>,
    /// The picture. Contains no user-written text.
    pub svg: String,
}

/// A step in a review.
pub struct Step {
    /// The number of moves before the one shown.
    pub moves: usize,
    /// The turning point.
    pub turned: Option<usize>,
    /// The better move and its result.
    pub better: Option<(String, i128)>,
}

/// All lines of a round, concatenated.
pub fn of_round(round: &Round) -> String {
    lines(round, &view::moves(round)).into_iter().map(|line| line.svg).collect()
}

/// The lines of a round in progress, with hidden arcs for these moves.
pub fn lines(round: &Round, moves: &[MoveView]) -> Vec<Line> {
    drawn(round, |of| {
        let mut drawing = Drawing::after_moves(round, round.history().len(), of);
        let on_line = |a_move: &MoveView| of.is_none_or(|of| of == a_move.owner);
        let result = |(place, a_move): (usize, &MoveView)| Some((place, *a_move.to.as_ref().ok()?));
        drawing.may = (1..).zip(moves).filter(|(_, a_move)| on_line(a_move)).filter_map(result).collect();
        drawing
    })
}

/// A review step's lines. They span the whole round, so that nothing shifts between steps.
pub fn looking_back(round: &Round, step: &Step) -> Vec<Line> {
    drawn(round, |of| {
        let chosen = round.history().get(step.moves);
        let mut drawing = Drawing::after_moves(round, step.moves + usize::from(chosen.is_some()), of);
        drawing.whole = hops(round, round.history(), of).iter().flat_map(|hop| [hop.from, hop.to]).collect();
        if let (Some(ply), Some((written, to))) = (chosen.filter(|ply| is_of(ply, of)), &step.better) {
            let from = i128::from(ply.before.number_of(ply.owner));
            let written = on_its_line(written);
            drawing.better = Some(Hop { from, to: *to, player: ply.player(), written });
        }
        let turned = step.turned.and_then(|place| round.history().get(place)).filter(|ply| is_of(ply, of));
        drawing.turned = turned.map(|ply| i128::from(ply.before.number_of(ply.owner)));
        drawing
    })
}

/// Draws the lines. Two lines share a scale, so that equal numbers line up.
fn drawn(round: &Round, drawing: impl Fn(Option<Player>) -> Drawing) -> Vec<Line> {
    let owners = match round.rulebook().numbers() {
        Numbers::Shared => vec![None],
        Numbers::Separate => Player::BOTH.map(Some).into(),
    };
    let drawings: Vec<Drawing> = owners.iter().map(|owner| drawing(*owner)).collect();
    let (numbers, hops): (Vec<_>, Vec<_>) = drawings.iter().map(Drawing::places).unzip();
    let scale = Scale::new(numbers.into_iter().flatten(), &hops.concat(), ROOM);
    let line = |(owner, drawing): (Option<Player>, Drawing)| Line { owner, svg: drawing.svg(&scale) };
    owners.into_iter().zip(drawings).map(line).collect()
}

/// A move as an arc's label. The line already shows the owner.
fn on_its_line(written: &str) -> String {
    written.trim_start_matches(ON_OTHER).to_owned()
}

#[derive(Clone)]
struct Hop {
    from: i128,
    to: i128,
    player: Player,
    written: String,
}

fn is_of(ply: &Ply, of: Option<Player>) -> bool {
    of.is_none_or(|of| of == ply.owner)
}

/// The moves drawn on a line, without skips.
fn hops(round: &Round, plies: &[Ply], of: Option<Player>) -> Vec<Hop> {
    let hops = plies.iter().filter(|ply| ply.a_move != Move::Skip && is_of(ply, of));
    let hop = |ply: &Ply| Hop {
        from: i128::from(ply.before.number_of(ply.owner)),
        to: ply.number,
        player: ply.player(),
        written: on_its_line(&round.rulebook().write(ply.a_move)),
    };
    hops.map(hop).collect()
}

/// A line's contents.
struct Drawing {
    room: Room,
    start: i128,
    target: Option<i128>,
    /// Whether landing on the target loses.
    is_pit: bool,
    hops: Vec<Hop>,
    now: i128,
    turn: Player,
    /// The possible moves, each with its choice index and result.
    may: Vec<(usize, i128)>,
    /// The end of the line if there is no target.
    end: Option<i128>,
    /// Further numbers that need a position on the line.
    whole: Vec<i128>,
    better: Option<Hop>,
    turned: Option<i128>,
}

/// The maximum height of arcs on either side of the line; 0 if there are none.
struct Room {
    above: f64,
    below: f64,
}

impl Room {
    fn for_rulebook(rulebook: &Rulebook, of: Option<Player>) -> Room {
        let strikes = rulebook.moves().iter().any(|entry| entry.on == On::Other);
        match of {
            None => Room { above: 44.0, below: 30.0 },
            Some(_) if strikes => Room { above: 26.0, below: 22.0 },
            Some(Player::One) => Room { above: 30.0, below: 0.0 },
            Some(Player::Two) => Room { above: 0.0, below: 30.0 },
        }
    }

    /// The y coordinate of the line.
    fn middle(&self) -> f64 {
        if self.above > 0.0 { LABEL + self.above + 5.0 } else { 11.0 }
    }

    fn height(&self) -> f64 {
        self.middle() + NUMBERS + if self.below > 0.0 { self.below + LABEL + 5.0 } else { 0.0 }
    }
}

impl Drawing {
    /// The line after the given number of moves.
    fn after_moves(round: &Round, moves: usize, of: Option<Player>) -> Drawing {
        let rulebook = round.rulebook();
        let hops = hops(round, &round.history()[..moves], of);
        let (first, second) = rulebook.start();
        let start = i128::from(if of.is_none_or(|of| of == round.first()) { first } else { second });
        // Without a target, a number that only goes down still ends at the bottom of its range.
        let end = match (rulebook.target(), rulebook.only_way()) {
            (None, Some(Way::Down)) => Some(i128::from(rulebook.range().0)),
            _ => None,
        };
        Drawing {
            room: Room::for_rulebook(rulebook, of),
            start,
            target: rulebook.target().map(i128::from),
            is_pit: rulebook.reach() == Reach::Loses,
            now: hops.last().map_or(start, |hop| hop.to),
            hops,
            turn: round.position().turn(),
            may: vec![],
            end,
            whole: vec![],
            better: None,
            turned: None,
        }
    }

    fn shown(&self) -> &[Hop] {
        &self.hops[self.hops.len().saturating_sub(MOST_ARCS)..]
    }

    /// The numbers on the line, and the hops that must stay legible.
    fn places(&self) -> (BTreeSet<i128>, Vec<(i128, i128)>) {
        let shown = || self.shown().iter().chain(&self.better);
        let mut ends: Vec<i128> = self.may.iter().map(|(_, to)| *to).collect();
        ends.sort_unstable();
        if ends.len() > MOST_PLACES {
            ends = [ends.first().copied(), ends.last().copied()].into_iter().flatten().collect();
        }
        let hops = shown().map(|hop| (hop.from, hop.to)).chain(ends.iter().map(|to| (self.now, *to)));
        let numbers = shown().flat_map(|hop| [hop.from, hop.to]).chain(self.whole.iter().copied());
        let numbers = numbers
            .chain(ends.iter().copied())
            .chain([self.start, self.now])
            .chain(self.target)
            .chain(self.end);
        (numbers.collect(), hops.collect())
    }

    fn svg(&self, scale: &Scale) -> String {
        let middle = self.room.middle();
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\">",
            self.room.height(),
            self.in_words()
        );
        let end = WIDTH - 6.0;
        let _ = write!(svg, "<line class=\"axis\" x1=\"6\" y1=\"{middle}\" x2=\"{end}\" y2=\"{middle}\"/>");
        for (place, to) in &self.may {
            let arc = self.arc(scale, self.now, *to, self.turn);
            let _ = write!(svg, "<path class=\"arc may may-{place}\" d=\"{}\"/>", arc.path);
        }
        let mut taken = Vec::new();
        for (place, hop) in self.shown().iter().rev().enumerate() {
            let last = if place == 0 { " last" } else { "" };
            let number = hop.player.number();
            let classes = (format!("of-{number}{last}"), format!("op-{number}"));
            self.hop(&mut svg, scale, hop, classes, &mut taken);
        }
        if let Some(hop) = &self.better {
            let classes = ("better".to_owned(), "op-better".to_owned());
            self.hop(&mut svg, scale, hop, classes, &mut taken);
        }
        self.marks(&mut svg, scale);
        self.numbers(&mut svg, scale);
        svg + "</svg>"
    }

    /// Draws an arc and its label: in the middle, or nearer to the end if that's taken. If there's no free position, it
    /// has no label.
    fn hop(
        &self,
        svg: &mut String,
        scale: &Scale,
        hop: &Hop,
        (class, of_label): (String, String),
        taken: &mut Vec<(f64, f64, f64)>,
    ) {
        let arc = self.arc(scale, hop.from, hop.to, hop.player);
        let _ = write!(svg, "<path class=\"arc {class}\" d=\"{}\"/>", arc.path);
        let half = 4.0 * hop.written.chars().count() as f64;
        let is_free = |at: f64| {
            let apart = |(x, y, other): &(f64, f64, f64)| {
                (at - x).abs() > half + other + 1.0 || (arc.y - y).abs() > LABEL - 1.0
            };
            taken.iter().all(apart)
        };
        let towards = scale.place(hop.to);
        if let Some(x) = [arc.x, f64::midpoint(arc.x, towards), towards].into_iter().find(|x| is_free(*x)) {
            let (y, written) = (arc.y, &hop.written);
            let _ = write!(svg, "<text class=\"op {of_label}\" x=\"{x:.1}\" y=\"{y:.1}\">{written}</text>");
            taken.push((x, arc.y, half));
        }
    }

    /// Draws the ticks, the number, the target and the turning point.
    fn marks(&self, svg: &mut String, scale: &Scale) {
        let middle = self.room.middle();
        let ticks: BTreeSet<i128> =
            self.hops.iter().flat_map(|hop| [hop.from, hop.to]).chain([self.start]).chain(self.end).collect();
        let mut last = f64::NEG_INFINITY;
        for x in ticks.iter().map(|number| scale.place(*number)) {
            // Merges ticks too close to distinguish.
            if x - last >= 2.0 {
                let (top, foot) = (middle - 4.0, middle + 4.0);
                let _ = write!(
                    svg,
                    "<line class=\"axis\" x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{foot}\"/>"
                );
                last = x;
            }
        }
        if let Some(x) = self.turned.map(|number| scale.place(number)) {
            let (top, foot) = (middle - 6.0, middle + 6.0);
            let _ = write!(
                svg,
                "<path class=\"turned\" d=\"M{x:.1} {top} L{:.1} {middle} L{x:.1} {foot} L{:.1} {middle} Z\"/>",
                x + 6.0,
                x - 6.0
            );
        }
        if let Some(x) = self.target.map(|target| scale.place(target)) {
            let (left, right, top, foot) = (x - 7.0, x + 7.0, middle - 7.0, middle + 7.0);
            let _ = match self.is_pit {
                true => write!(
                    svg,
                    "<path class=\"pit\" d=\"M{left:.1} {top} L{right:.1} {foot} M{left:.1} {foot} L{right:.1} {top}\"/>"
                ),
                false => write!(svg, "<circle class=\"target\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"8\"/>"),
            };
        }
        let x = scale.place(self.now);
        let _ = write!(svg, "<circle class=\"here\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"4.5\"/>");
    }

    /// Draws the numbers below the line as they fit, most important first: target, current number, turning point,
    /// start, then earlier moves.
    fn numbers(&self, svg: &mut String, scale: &Scale) {
        let way = self.shown().iter().rev().flat_map(|hop| [hop.to, hop.from]);
        let better = self.better.iter().map(|hop| hop.to);
        let numbers = self.target.into_iter().chain([self.now]).chain(self.turned).chain([self.start]);
        let numbers = numbers.chain(better).chain(way);
        let numbers = numbers.chain(self.end);
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for number in numbers {
            let half = DIGIT / 2.0 * number.to_string().len() as f64;
            let most = (WIDTH - half).max(half);
            let x = scale.place(number).clamp(half, most);
            if taken.iter().any(|(other, width)| (x - other).abs() < half + width + 4.0) {
                continue;
            }
            taken.push((x, half));
            let class = match number {
                number if Some(number) == self.target && self.is_pit => " class=\"pit-number\"",
                number if Some(number) == self.target => " class=\"target-number\"",
                number if number == self.now => " class=\"now\"",
                _ => "",
            };
            let y = self.room.middle() + 22.0;
            let _ = write!(svg, "<text{class} x=\"{x:.1}\" y=\"{y}\">{number}</text>");
        }
    }

    fn arc(&self, scale: &Scale, from: i128, to: i128, player: Player) -> Arc {
        let (x1, x2) = (scale.place(from), scale.place(to));
        // If the line has room on one side only, all arcs go there.
        let above = match (self.room.above > 0.0, self.room.below > 0.0) {
            (true, true) => player == Player::One,
            (above, _) => above,
        };
        let (y, way, most) = match above {
            true => (self.room.middle() - 3.0, -1.0, self.room.above),
            // Leaves room for the numbers.
            false => (self.room.middle() + NUMBERS, 1.0, self.room.below),
        };
        let height = ((x2 - x1).abs() / 2.0).clamp(FLATTEST, most);
        // The curve reaches three quarters of the way to its control points.
        let towards = y + way * height / 0.75;
        // A pass is a small loop.
        let (c1, c2) = if from == to { (x1 - 12.0, x1 + 12.0) } else { (x1, x2) };
        let path = format!("M{x1:.1} {y:.1} C{c1:.1} {towards:.1} {c2:.1} {towards:.1} {x2:.1} {y:.1}");
        let label = y + way * height + if above { -3.0 } else { LABEL };
        Arc { path, x: f64::midpoint(x1, x2), y: label }
    }

    /// The picture in words, for screen readers. Moves and numbers need no escaping.
    fn in_words(&self) -> String {
        let moves: Vec<String> =
            self.shown().iter().map(|hop| format!("{} to {}", hop.written, hop.to)).collect();
        let target = match self.target {
            Some(target) if self.is_pit => format!(", {target} loses"),
            Some(target) => format!(", target {target}"),
            None => String::new(),
        };
        let moves = if moves.is_empty() { "no moves yet".to_owned() } else { moves.join(", ") };
        format!("A number line at {}{target}: {moves}", self.now)
    }
}

/// An arc and the position of its label.
struct Arc {
    path: String,
    x: f64,
    y: f64,
}

#[cfg(test)]
mod tests;
