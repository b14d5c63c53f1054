//! The number line, as drawn in a classroom. Every move is an arc in the mover's colour and pattern, above the line for
//! the first player and below for the second. With separate numbers, each player has a line. The dot is the number now,
//! the ring is the target.
//!
//! All places are percentages, so one picture fits any width and height. Only its labels depend on the space: some appear
//! on wide screens only.

use std::collections::BTreeSet;
use std::fmt::Write;

use spoton::engine::operation::Way;
use spoton::engine::play::{Ending, Move};
use spoton::engine::position::Player;
use spoton::engine::round::{Ply, Round};
use spoton::engine::written::{ON_OTHER, On};
use spoton::format::{Numbers, Reach, Rulebook};
use spoton::view::scale::{self, Scale};
use spoton::view::{self, MoveView};

/// The line on a phone, in pixels: the least space that labels must fit.
const NARROW: f64 = 328.0;
/// The line on a wide screen.
const WIDE: f64 = 900.0;
/// The line's height on a phone.
const HEIGHT: f64 = 176.0;
/// Space for the line, in percent: a margin on either side, and space for each hop's label.
pub(super) const ROOM: scale::Room = scale::Room { from: 8.0, width: 84.0, legible: 5.0 };
/// The height of an arc's label, in pixels.
const LABEL: f64 = 15.0;
/// The width of a digit below the line, in pixels: of a short number, and of a long one, which is smaller.
const DIGIT: [f64; 2] = [11.0, 7.5];
/// The number of digits of the longest short number.
const SHORT: usize = 7;
/// The heights of the flattest arcs above and below the line, in percent. Below, a label has to clear the numbers.
const FLATTEST: [f64; 2] = [9.0, 17.0];
/// The number of latest moves drawn as arcs. Earlier ones leave a tick.
pub(super) const MOST_ARCS: usize = 8;
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
            drawing.better = Some(Hop { place: step.moves, from, to: *to, player: ply.player(), written });
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
    /// The number of moves before it in the round.
    place: usize,
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
    let hops = plies.iter().enumerate().filter(|(_, ply)| ply.a_move != Move::Skip && is_of(ply, of));
    let hop = |(place, ply): (usize, &Ply)| Hop {
        place,
        from: i128::from(ply.before.number_of(ply.owner)),
        to: ply.number,
        player: ply.player(),
        written: on_its_line(&round.rulebook().write(ply.a_move)),
    };
    hops.map(hop).collect()
}

/// Where the parts of a picture are, in percent of its height.
#[derive(Clone, Copy)]
struct Heights {
    class: &'static str,
    /// The baseline of the large number.
    number: f64,
    line: f64,
    /// The highest arc above the line, and the deepest below; 0 if there are none.
    above: f64,
    below: f64,
    /// Where a dot comes to rest that fell off the line.
    fallen: f64,
}

const BOTH_SIDES: Heights =
    Heights { class: "both-sides", number: 23.0, line: 60.0, above: 22.0, below: 24.0, fallen: 92.0 };
const ONE_SIDE: Heights =
    Heights { class: "one-side", number: 30.0, line: 74.0, above: 28.0, below: 0.0, fallen: 96.0 };

/// The dot's fate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rests {
    OnTheLine,
    OnTheTarget,
    PastTheTarget,
}

/// A line's contents.
struct Drawing {
    heights: Heights,
    /// The number of moves in the round so far, on both lines.
    moves: usize,
    start: i128,
    target: Option<i128>,
    /// Whether landing on the target loses.
    is_pit: bool,
    hops: Vec<Hop>,
    now: i128,
    rests: Rests,
    turn: Player,
    /// The player whose colour the dot has.
    colour: Player,
    /// The possible moves, each with its choice index and result.
    may: Vec<(usize, i128)>,
    /// The end of the line if there is no target.
    end: Option<i128>,
    /// Further numbers that need a position on the line.
    whole: Vec<i128>,
    better: Option<Hop>,
    turned: Option<i128>,
}

/// Both players' arcs need a side each, unless only the owner of a line draws on it.
fn heights(rulebook: &Rulebook, of: Option<Player>) -> Heights {
    let strikes = rulebook.moves().iter().any(|entry| entry.on == On::Other);
    if of.is_none() || strikes { BOTH_SIDES } else { ONE_SIDE }
}

impl Drawing {
    /// The line after the given number of moves.
    fn after_moves(round: &Round, moves: usize, of: Option<Player>) -> Drawing {
        let rulebook = round.rulebook();
        let plies = &round.history()[..moves];
        let hops = hops(round, plies, of);
        let (first, second) = rulebook.start();
        let start = i128::from(if of.is_none_or(|of| of == round.first()) { first } else { second });
        // Without a target, a number that only goes down still ends at the bottom of its range.
        let end = match (rulebook.target(), rulebook.only_way()) {
            (None, Some(Way::Down)) => Some(i128::from(rulebook.range().0)),
            _ => None,
        };
        let target = rulebook.target().map(i128::from);
        let now = hops.last().map_or(start, |hop| hop.to);
        let has_overshot = || {
            let is_last = plies.last().is_some_and(|ply| is_of(ply, of)) && moves == round.history().len();
            is_last && round.outcome().is_some_and(|outcome| outcome.ending == Ending::Overshot)
        };
        let turn = plies.last().map_or(round.first(), |ply| !ply.player());
        Drawing {
            heights: heights(rulebook, of),
            moves,
            start,
            target,
            is_pit: rulebook.reach() == Reach::Loses,
            now,
            rests: match target == Some(now) {
                true if !hops.is_empty() => Rests::OnTheTarget,
                _ if has_overshot() => Rests::PastTheTarget,
                _ => Rests::OnTheLine,
            },
            hops,
            turn: if moves == round.history().len() { round.position().turn() } else { turn },
            colour: of.unwrap_or(turn),
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
        let Heights { class, line, .. } = self.heights;
        let rests = match self.rests {
            Rests::OnTheLine => "",
            Rests::OnTheTarget => " on-target",
            Rests::PastTheTarget => " past-target",
        };
        let mut svg = format!(
            "<svg class=\"track {class}{rests}\" role=\"img\" aria-label=\"{}\" data-moves=\"{}\" data-line=\"{line}\">",
            self.in_words(),
            self.moves
        );
        let _ = write!(svg, "<line class=\"axis\" x1=\"2%\" y1=\"{line}%\" x2=\"98%\" y2=\"{line}%\"/>");
        for (place, to) in &self.may {
            let arc = Arc::new(scale, &self.heights, (self.now, *to), self.turn);
            let _ = write!(svg, "<g class=\"may may-{place}\">");
            arc.draw(&mut svg, "", "");
            let x = scale.place(*to);
            let _ = write!(svg, "<circle class=\"ghost\" cx=\"{x:.1}%\" cy=\"{line}%\" r=\"6\"/></g>");
        }
        let better = self.better.as_ref();
        for (place, hop) in self.shown().iter().rev().enumerate() {
            let arc = Arc::new(scale, &self.heights, (hop.from, hop.to), hop.player);
            let last = if place == 0 { " last" } else { "" };
            let data = format!(
                " data-hop=\"{:.1} {:.1} {:.1} {} {}\" data-move=\"{}\"",
                arc.from, arc.to, arc.height, hop.from, hop.to, hop.place
            );
            arc.draw(&mut svg, &format!(" of-{}{last}", hop.player.number()), &data);
        }
        if let Some(hop) = better {
            Arc::new(scale, &self.heights, (hop.from, hop.to), hop.player).draw(&mut svg, " better", "");
        }
        self.marks(&mut svg, scale);
        self.labels(&mut svg, scale);
        self.numbers(&mut svg, scale);
        self.dot(&mut svg, scale);
        svg + "</svg>"
    }

    /// Draws the arcs' labels: in the middle, or nearer to the end if that's taken. If there's no free position, an arc has
    /// no label. On a wide screen, more labels fit.
    fn labels(&self, svg: &mut String, scale: &Scale) {
        let hops = self.shown().iter().rev().map(|hop| (hop, format!("op-{}", hop.player.number())));
        let mut left: Vec<_> =
            hops.chain(self.better.iter().map(|hop| (hop, "op-better".to_owned()))).collect();
        let mut placed: Vec<(f64, f64, usize)> = Vec::new();
        for (width, on_wide) in [(NARROW, ""), (WIDE, " on-wide")] {
            left.retain(|(hop, class)| {
                let arc = Arc::new(scale, &self.heights, (hop.from, hop.to), hop.player);
                let count = hop.written.chars().count();
                let half = |count: usize| 4.5 * count as f64 / width * 100.0;
                let is_free = |x: f64| {
                    placed.iter().all(|(other, y, length)| {
                        (x - other).abs() > half(count) + half(*length) + 0.4
                            || (arc.label - y).abs() > LABEL / HEIGHT * 100.0 - 0.5
                    })
                };
                let middle = f64::midpoint(arc.from, arc.to);
                let Some(x) =
                    [middle, f64::midpoint(middle, arc.to), arc.to].into_iter().find(|x| is_free(*x))
                else {
                    return true;
                };
                placed.push((x, arc.label, count));
                let (y, dy) = (arc.label, if arc.height < 0.0 { "-.35em" } else { "1.05em" });
                let _ = write!(
                    svg,
                    "<text class=\"op {class}{on_wide}\" data-of=\"{}\" x=\"{x:.1}%\" y=\"{y:.1}%\" dy=\"{dy}\">{}</text>",
                    hop.place, hop.written
                );
                false
            });
        }
    }

    /// Draws the ticks, the target and the turning point.
    fn marks(&self, svg: &mut String, scale: &Scale) {
        let line = self.heights.line;
        let ticks: BTreeSet<i128> =
            self.hops.iter().flat_map(|hop| [hop.from, hop.to]).chain([self.start]).chain(self.end).collect();
        let mut last = f64::NEG_INFINITY;
        for x in ticks.iter().map(|number| scale.place(*number)) {
            // Merges ticks too close to distinguish.
            if x - last >= 1.0 {
                let _ = write!(svg, "<circle class=\"tick\" cx=\"{x:.1}%\" cy=\"{line}%\" r=\"3\"/>");
                last = x;
            }
        }
        // A picture in pixels around a point of the line.
        let mut at = |x: f64, inside: &str| {
            let _ = write!(svg, "<svg class=\"at\" x=\"{x:.1}%\" y=\"{line}%\">{inside}</svg>");
        };
        if let Some(x) = self.turned.map(|number| scale.place(number)) {
            at(x, "<path class=\"turned\" d=\"M0-9 9 0 0 9-9 0Z\"/>");
        }
        if let Some(x) = self.target.map(|target| scale.place(target)) {
            at(
                x,
                match self.is_pit {
                    true => "<circle class=\"pit\" r=\"13\"/><path class=\"pit\" d=\"M-6-6 6 6M-6 6 6-6\"/>",
                    false => "<circle class=\"target\" r=\"13\"/>",
                },
            );
        }
    }

    /// Draws the dot with its number above, on a stem.
    fn dot(&self, svg: &mut String, scale: &Scale) {
        let Heights { number, line, fallen, .. } = self.heights;
        let (x, text) = (scale.place(self.now), self.now.to_string());
        let y = if self.rests == Rests::PastTheTarget { fallen } else { line };
        let (class, pixels) = match text.len() {
            ..=3 => ("short", 46.0),
            4..=6 => ("medium", 40.0),
            7..=10 => ("long", 32.0),
            _ => ("longest", 21.0),
        };
        // A long number at the end of the line moves inwards.
        let half = 0.31 * pixels * text.len() as f64 / NARROW * 100.0;
        let middle = x.clamp(half.min(50.0), (100.0 - half).max(50.0));
        let foot = number + 3.0;
        let colour = self.colour.number();
        let _ = write!(
            svg,
            "<line class=\"stem\" x1=\"{x:.1}%\" y1=\"{foot}%\" x2=\"{x:.1}%\" y2=\"{y}%\"/>\
             <circle class=\"dot of-{colour}\" cx=\"{x:.1}%\" cy=\"{y}%\" r=\"9\"/>\
             <text class=\"here {class}\" x=\"{middle:.1}%\" y=\"{number}%\">{text}</text>"
        );
    }

    /// Draws the numbers below the line as they fit, most important first: target, turning point, start, then earlier
    /// moves. On a wide screen, more of them fit.
    fn numbers(&self, svg: &mut String, scale: &Scale) {
        let way = self.shown().iter().rev().flat_map(|hop| [hop.to, hop.from]);
        let better = self.better.iter().map(|hop| hop.to);
        let numbers = self.target.into_iter().chain([self.now]).chain(self.turned).chain([self.start]);
        let numbers = numbers.chain(better).chain(way).chain(self.end);
        let (mut left, mut known): (Vec<i128>, BTreeSet<i128>) = (Vec::new(), BTreeSet::new());
        left.extend(numbers.filter(|number| known.insert(*number)));
        let mut placed: Vec<(f64, usize)> = Vec::new();
        for (width, on_wide) in [(NARROW, ""), (WIDE, " on-wide")] {
            left.retain(|number| {
                let length = number.to_string().len();
                let digit = |length: usize| DIGIT[usize::from(length > SHORT)];
                let half = |length: usize| digit(length) / 2.0 * length as f64 / width * 100.0;
                let most = (100.0 - half(length)).max(half(length));
                let x = scale.place(*number).clamp(half(length), most);
                let gap = 4.0 / width * 100.0;
                if placed.iter().any(|(other, taken)| (x - other).abs() < half(length) + half(*taken) + gap) {
                    return true;
                }
                placed.push((x, length));
                let class = match *number {
                    number if Some(number) == self.target && self.is_pit => "pit-number",
                    number if Some(number) == self.target => "target-number",
                    number if number == self.now => "now",
                    _ => "",
                };
                let (line, long) = (self.heights.line, if length > SHORT { " small" } else { "" });
                let _ = write!(
                    svg,
                    "<text class=\"below {class}{long}{on_wide}\" x=\"{x:.1}%\" y=\"{line}%\">{number}</text>"
                );
                false
            });
        }
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

/// An arc, in percent.
struct Arc {
    from: f64,
    to: f64,
    line: f64,
    /// Negative above the line.
    height: f64,
    /// The height of its label.
    label: f64,
}

/// The curves above and below the line, to the right and to the left, in a square of 100. Their control points are a third
/// higher than the curve.
const CURVES: [[&str; 2]; 2] = [
    ["M0 100C0-33 100-33 100 100", "M100 100C100-33 0-33 0 100"],
    ["M0 0C0 133 100 133 100 0", "M100 0C100 133 0 133 0 0"],
];

/// Half the width of a pass, which is a small loop.
const LOOP: f64 = 2.0;

impl Arc {
    fn new(scale: &Scale, heights: &Heights, (from, to): (i128, i128), player: Player) -> Arc {
        let (mut x1, mut x2) = (scale.place(from), scale.place(to));
        if from == to {
            (x1, x2) = (x1 - LOOP, x2 + LOOP);
        }
        // If the line has room on one side only, all arcs go there.
        let is_above = heights.below == 0.0 || player == Player::One;
        let most = if is_above { heights.above } else { heights.below };
        let flattest = FLATTEST[usize::from(!is_above)];
        let height = ((x2 - x1).abs() * 0.9).clamp(flattest, most) * if is_above { -1.0 } else { 1.0 };
        Arc { from: x1, to: x2, line: heights.line, height, label: heights.line + height }
    }

    /// Draws the curve in a picture that stretches with the line.
    fn draw(&self, svg: &mut String, class: &str, data: &str) {
        let curve = CURVES[usize::from(self.height > 0.0)][usize::from(self.to < self.from)];
        let (x, width) = (self.from.min(self.to), (self.to - self.from).abs());
        let (y, height) = (self.line.min(self.line + self.height), self.height.abs());
        let _ = write!(
            svg,
            "<svg class=\"hop\" x=\"{x:.1}%\" y=\"{y:.1}%\" width=\"{width:.1}%\" height=\"{height:.1}%\" \
             viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\"{data}><path class=\"arc{class}\" d=\"{curve}\"/></svg>"
        );
    }
}
