//! A game's emblem, from its rule book: the first hops of its operations as arcs in a circle. So a game written a minute
//! ago has one, too.

use std::fmt::Write;
use std::sync::Arc;

use spoton::engine::play::{Move, Situation};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::{Numbers, Rulebook};
use spoton::view::scale::{Room, Scale};

/// How many hops an emblem shows.
const HOPS: usize = 4;
/// The number of tints in the style sheet.
pub const TINTS: u32 = 6;
/// The part of the line for the hops. The ring is next to it, however far away the target is: otherwise long games would
/// all look alike.
const ROOM: Room = Room { from: 17.0, width: 48.0, legible: 6.0 };
/// Where the ring is, if numbers grow. If they shrink, the picture is mirrored.
const RING: f64 = 78.0;

/// A hop of an emblem, in its units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hop {
    pub from: f64,
    pub to: f64,
    /// The height of its line.
    pub line: f64,
    /// Its height; negative above the line.
    pub height: f64,
    pub player: Player,
}

/// The parts of an emblem. The circle has its centre at 48 and a radius of 46.
#[derive(Clone, Debug, PartialEq)]
pub struct Emblem {
    pub hops: Vec<Hop>,
    /// The height of each line.
    pub lines: Vec<f64>,
    /// Where each dot came to rest.
    pub dots: Vec<(f64, f64)>,
    /// The ring.
    pub target: Option<(f64, f64)>,
    /// The background, one of [`TINTS`].
    pub tint: u32,
}

impl Emblem {
    /// Plays the first hops: each operation in turn, as long as the rules allow it.
    pub fn new(rulebook: &Arc<Rulebook>) -> Emblem {
        let mut round = Round::new(Arc::clone(rulebook), Player::One);
        for turn in 0..HOPS {
            let Situation::Choose(legal) = round.situation() else { break };
            // The last and the first moves take turns: they differ most.
            let place = if turn % 2 == 1 { turn / 2 } else { legal.len().saturating_sub(1 + turn / 2) };
            let Some(choice) = legal.get(place.min(legal.len().saturating_sub(1))) else { break };
            if round.play(Move::Operation(choice)).is_err() {
                break;
            }
        }
        Emblem::of_round(&round)
    }

    /// A whole round in the same way, for a picture of it.
    pub fn of_round(round: &Round) -> Emblem {
        let rulebook = round.rulebook();
        let is_shared = rulebook.numbers() == Numbers::Shared;
        let (first, second) = rulebook.start();
        let hops: Vec<(i128, i128)> = round
            .history()
            .iter()
            .map(|ply| (i128::from(ply.before.number_of(ply.owner)), ply.number))
            .collect();
        let starts = [i128::from(first), i128::from(second)];
        let ends = || hops.iter().flat_map(|(from, to)| [*from, *to]).chain(starts);
        let scale = Scale::new(ends(), &hops, ROOM);
        let target = rulebook.target().map(i128::from);
        let shrinks = target.is_some_and(|target| starts.iter().all(|start| target < *start));
        let is_reached = |target| hops.iter().any(|(_, to)| *to == target);
        let place = |number: i128| match shrinks {
            true => scale.place(number) + 96.0 - 2.0 * ROOM.from - ROOM.width,
            false => scale.place(number),
        };
        let line_of = |player: Player| match (is_shared, player) {
            (true, _) => 52.0,
            (false, Player::One) => 44.0,
            (false, Player::Two) => 60.0,
        };
        let hop = |ply: &spoton::engine::round::Ply| {
            let (from, to) = (place(ply.before.number_of(ply.owner).into()), place(ply.number));
            let height = ((to - from).abs() * 0.7).clamp(8.0, if is_shared { 25.0 } else { 18.0 });
            let is_above = if is_shared { ply.player() } else { ply.owner } == Player::One;
            let height = if is_above { -height } else { height };
            Hop { from, to, line: line_of(ply.owner), height, player: ply.player() }
        };
        let owners: &[Player] = if is_shared { &[Player::One] } else { &Player::BOTH };
        let dot = |owner: &Player| {
            let number = if is_shared { round.position().number().into() } else { round.number_of(*owner) };
            (place(number), line_of(*owner))
        };
        // The last hop may have ended the round, and then the position doesn't know its number.
        let last = round.history().last().map(|ply| (place(ply.number), line_of(ply.owner)));
        let mut dots: Vec<(f64, f64)> = owners.iter().map(dot).collect();
        if let (Some(last), true) = (last, is_shared) {
            dots = vec![last];
        }
        Emblem {
            hops: round.history().iter().filter(|ply| ply.a_move != Move::Skip).map(hop).collect(),
            lines: owners.iter().map(|owner| line_of(*owner)).collect(),
            dots,
            target: target.map(|target| {
                let x = match is_reached(target) {
                    true => place(target),
                    false if shrinks => 96.0 - RING,
                    false => RING,
                };
                (x, if is_shared { line_of(Player::One) } else { 52.0 })
            }),
            tint: hash(&rulebook.whole_line()) % TINTS,
        }
    }

    /// The emblem as SVG. It's hidden from screen readers, because the title is next to it.
    pub fn svg(&self) -> String {
        let mut svg = format!(
            "<svg class=\"emblem tint-{}\" viewBox=\"0 0 96 96\" aria-hidden=\"true\"><circle class=\"disc\" cx=\"48\" cy=\"48\" r=\"46\"/>",
            self.tint
        );
        for line in &self.lines {
            let _ = write!(svg, "<path class=\"axis\" d=\"M13 {line}H83\"/>");
        }
        for Hop { from, to, line, height, player } in &self.hops {
            // The curve reaches three quarters of the way to its control points.
            let control = line + height / 0.75;
            let number = player.number();
            let _ = write!(
                svg,
                "<path class=\"arc of-{number}\" d=\"M{from:.1} {line}C{from:.1} {control:.1} {to:.1} {control:.1} {to:.1} {line}\"/>"
            );
        }
        if let Some((x, y)) = self.target {
            let _ = write!(svg, "<circle class=\"target\" cx=\"{x:.1}\" cy=\"{y}\" r=\"6\"/>");
        }
        for (x, y) in &self.dots {
            let _ = write!(svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y}\" r=\"5\"/>");
        }
        svg + "</svg>"
    }
}

/// A game's emblem as SVG.
pub fn emblem(rulebook: &Arc<Rulebook>) -> String {
    Emblem::new(rulebook).svg()
}

/// A small hash that never changes, so that a game keeps its tint.
fn hash(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}
