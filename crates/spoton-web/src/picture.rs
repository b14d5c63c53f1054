//! The number line as a classroom draws it, as SVG: every move is an arc, above the line for the first player and below
//! for the second, in the mover's colour and pattern.

use std::collections::BTreeMap;
use std::fmt::Write;

use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::Numbers;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 150.0;
const MARGIN: f64 = 22.0;
/// The line itself.
const MIDDLE: f64 = 78.0;
/// The tallest arc.
const TALLEST: f64 = 52.0;
/// The last moves of a long round; those before have long been seen.
const MOST_ARCS: usize = 24;

/// Where numbers stand. Long stretches without anything in them are drawn shorter than they are.
struct Scale {
    stops: BTreeMap<i128, f64>,
}

impl Scale {
    fn of(numbers: impl IntoIterator<Item = i128>) -> Scale {
        let mut stops: BTreeMap<i128, f64> = numbers.into_iter().map(|number| (number, 0.0)).collect();
        let ends = stops.keys().next().copied().zip(stops.keys().next_back().copied());
        let (low, high) = ends.unwrap_or((0, 0));
        let span = (high - low).max(1) as f64;
        let gaps = stops.len().saturating_sub(1).max(1) as f64;
        // Half by the number, half by its rank: so every number that matters has some room.
        let share = if span <= 30.0 { 0.0 } else { 0.5 };
        for (rank, (number, place)) in stops.iter_mut().enumerate() {
            let by_number = (number - low) as f64 / span;
            let by_rank = rank as f64 / gaps;
            *place = MARGIN + (WIDTH - 2.0 * MARGIN) * (by_number * (1.0 - share) + by_rank * share);
        }
        Scale { stops }
    }

    fn x(&self, number: i128) -> f64 {
        self.stops.get(&number).copied().unwrap_or(WIDTH / 2.0)
    }
}

/// The line of a round, or of each player's own number.
pub fn of_round(round: &Round) -> String {
    match round.rulebook().numbers() {
        Numbers::Shared => line(round, None),
        Numbers::Separate => Player::BOTH.map(|player| line(round, Some(player))).concat(),
    }
}

struct Hop {
    from: i128,
    to: i128,
    player: Player,
    written: String,
}

/// One line; of a player's own number if they have one each.
fn line(round: &Round, of: Option<Player>) -> String {
    let (rulebook, position) = (round.rulebook(), round.position());
    let is_here = |owner: Player| of.is_none_or(|of| of == owner);
    let hops = round.history().iter().filter(|ply| ply.a_move != Move::Skip && is_here(ply.owner));
    let hops: Vec<Hop> = hops
        .map(|ply| Hop {
            from: i128::from(ply.before.number_of(ply.owner)),
            to: ply.number,
            player: ply.player(),
            written: rulebook.write(ply.a_move),
        })
        .collect();
    let shown = &hops[hops.len().saturating_sub(MOST_ARCS)..];
    let now = of.map_or_else(|| i128::from(position.number()), |of| i128::from(position.number_of(of)));
    let now = shown.last().map_or(now, |hop| hop.to);
    let is_over = round.outcome().is_some();
    let may: Vec<(usize, i128)> = rulebook
        .offers(position)
        .enumerate()
        .filter(|(_, offer)| {
            let a_move = offer.choice.map_or(Move::Skip, Move::Operation);
            !is_over && is_here(rulebook.owner(position, a_move))
        })
        .filter_map(|(place, offer)| Some((place + 1, offer.result.ok()?)))
        .take(8)
        .collect();
    let target = rulebook.target().map(i128::from);
    let (start, other) = rulebook.start();
    let start = i128::from(if of.is_none_or(|of| of == round.first()) { start } else { other });
    let numbers = shown.iter().flat_map(|hop| [hop.from, hop.to]);
    let numbers = numbers.chain(may.iter().map(|(_, to)| *to)).chain([now, start]).chain(target);
    let scale = Scale::of(numbers);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        in_words(shown, now, target)
    );
    let _ =
        write!(svg, "<line class=\"axis\" x1=\"8\" y1=\"{MIDDLE}\" x2=\"{}\" y2=\"{MIDDLE}\"/>", WIDTH - 8.0);
    for (place, to) in &may {
        let above = position.turn() == round.first();
        let _ = write!(svg, "<path class=\"arc may may-{place}\" d=\"{}\"/>", arc(&scale, now, *to, above).0);
    }
    for (place, hop) in shown.iter().enumerate() {
        let above = hop.player == round.first();
        let (path, x, y) = arc(&scale, hop.from, hop.to, above);
        let number = hop.player.number();
        let last = if place + 1 == shown.len() { " last" } else { "" };
        let _ = write!(svg, "<path class=\"arc of-{number}{last}\" d=\"{path}\"/>");
        let _ =
            write!(svg, "<text class=\"op op-{number}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", hop.written);
    }
    // Numbers that stand too close to the one before them are left out, but for those that matter most.
    let mut last: Option<f64> = None;
    let matters = |number: i128| number == now || Some(number) == target;
    for (number, x) in &scale.stops {
        let is_close = last.is_some_and(|last| x - last < 9.0 + 7.0 * number.to_string().len() as f64);
        if Some(*number) == target {
            let _ = write!(svg, "<circle class=\"target\" cx=\"{x:.1}\" cy=\"{MIDDLE}\" r=\"8\"/>");
        }
        if *number == now {
            let _ = write!(svg, "<circle class=\"here\" cx=\"{x:.1}\" cy=\"{MIDDLE}\" r=\"5\"/>");
        } else {
            let _ = write!(
                svg,
                "<line class=\"axis\" x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{}\"/>",
                MIDDLE - 4.0,
                MIDDLE + 4.0
            );
        }
        if !is_close || matters(*number) {
            let class = if Some(*number) == target { " class=\"target-number\"" } else { "" };
            let _ = write!(svg, "<text{class} x=\"{x:.1}\" y=\"{}\">{number}</text>", MIDDLE + 22.0);
            last = Some(*x);
        }
    }
    svg + "</svg>"
}

/// An arc between two numbers, and where its label stands.
fn arc(scale: &Scale, from: i128, to: i128, above: bool) -> (String, f64, f64) {
    let (x1, x2) = (scale.x(from), scale.x(to));
    let height = ((x2 - x1).abs() / 2.0).clamp(14.0, TALLEST);
    let way = if above { -1.0 } else { 1.0 };
    // What is below the line leaves room for the numbers.
    let y = if above { MIDDLE - 3.0 } else { MIDDLE + 26.0 };
    let height = if above { height } else { height.min(TALLEST - 18.0) };
    let top = y + way * height;
    let path = format!("M{x1:.1} {y:.1} C{x1:.1} {top:.1} {x2:.1} {top:.1} {x2:.1} {y:.1}");
    let label = y + way * height * 0.75 + if above { -4.0 } else { 12.0 };
    (path, f64::midpoint(x1, x2), label)
}

/// What the picture shows, for those who do not see it. Moves and numbers need no escaping.
fn in_words(shown: &[Hop], now: i128, target: Option<i128>) -> String {
    let moves: Vec<String> = shown.iter().map(|hop| format!("{} to {}", hop.written, hop.to)).collect();
    let target = target.map(|target| format!(", target {target}")).unwrap_or_default();
    let moves = if moves.is_empty() { "no moves yet".to_owned() } else { moves.join(", ") };
    format!("A number line at {now}{target}: {moves}")
}
