//! The number line: the start, the hops so far as arcs, the current number and the target.

use std::collections::HashSet;

use ratatui::layout::Rect;
use spoton::engine::operation::Way;
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::{Ply, Round};
use spoton::format::{Direction, Numbers, Past, Reach};

use super::arcs::{self, Hop, Side};
use super::canvas::{Canvas, below, columns, middle, row};
use super::scale::Scale;
use super::theme::Tone;

/// The maximum number of hops drawn as arcs. Older hops are ticks.
const SHOWN: usize = 8;
/// The label of the turning point.
const TURNED: &str = "turning point";
/// Columns past the target.
const PAST: u16 = 8;

/// The number line of a position.
pub struct NumberLine {
    lowest: i64,
    highest: i64,
    target: Option<i64>,
    /// Whether landing on the target loses.
    shuns_target: bool,
    /// The direction in which the target can be passed.
    past: Option<Direction>,
    runners: Vec<Runner>,
    /// Stepping stones, marked below the line.
    pub stones: Vec<i64>,
    /// The turning point: the player to move and the number.
    pub turned: Option<(Player, i128)>,
    /// The players' names, shown if each has a number.
    pub names: Option<ByPlayer<String>>,
}

/// A number that moves: the shared one, or a player's own.
pub struct Runner {
    pub player: Option<Player>,
    start: i128,
    jumps: Vec<Jump>,
    /// A preview of a hop.
    pub thought: Option<Jump>,
    /// The furthest result of the next move, which needs room.
    pub ahead: Option<i128>,
    /// The value drawn now; differs from the number while it glides.
    pub at: i128,
}

/// A hop from number to number.
#[derive(Clone, Copy)]
pub struct Jump {
    pub from: i128,
    pub to: i128,
    /// The player who made it.
    pub player: Player,
}

impl NumberLine {
    /// The line of a round.
    pub fn for_round(round: &Round) -> NumberLine {
        NumberLine::at(round, round.history().len())
    }

    /// The line after the given number of moves. It spans the whole round, so that nothing shifts as the player steps
    /// through it.
    pub fn at(round: &Round, moves: usize) -> NumberLine {
        let rulebook = round.rulebook();
        let (first, second) = rulebook.start();
        let starts = |player: Player| if player == round.first() { first } else { second };
        let runners = match rulebook.numbers() {
            Numbers::Shared => vec![Runner::new(None, first, round)],
            Numbers::Separate => {
                Player::BOTH.map(|player| Runner::new(Some(player), starts(player), round)).into()
            }
        };
        let target = rulebook.target();
        let (low, high) = rulebook.range();
        // If every move goes the same way, the start is at one end.
        let (low, high) = match rulebook.only_way() {
            Some(Way::Down) => (low, high.min(first.max(second))),
            Some(Way::Up) => (low.max(first.min(second)), high),
            Some(Way::Stays) | None => (low, high),
        };
        // Numbers past the target get separate room.
        let reached = || {
            let numbers = runners.iter().flat_map(Runner::numbers);
            numbers.filter(|number| !rulebook.passes_target(*number))
        };
        let within = |number: i128| number.clamp(i128::from(low), i128::from(high)) as i64;
        // Without a target, show the whole range if it is small.
        let glance = target.is_none() && high.saturating_sub(low) <= 200;
        let ends = [first, second]
            .into_iter()
            .chain(target)
            .chain(glance.then_some([low, high]).into_iter().flatten());
        // Otherwise, show the numbers so far, with a small margin.
        let further = reached().max().map(|most| within(if target.is_none() { most + 10 } else { most }));
        let lowest = ends.clone().chain(reached().min().map(within)).min().unwrap_or(low);
        let highest = ends
            .chain(further)
            .chain(target.is_none().then_some(lowest.saturating_add(10)))
            .max()
            .unwrap_or(high);
        let past = rulebook.direction().filter(|_| rulebook.past() != Past::Forbidden);
        let mut line = NumberLine {
            lowest,
            highest,
            target,
            shuns_target: rulebook.reach() == Reach::Loses,
            past,
            runners,
            stones: Vec::new(),
            turned: None,
            names: None,
        };
        // The next move is shown as a preview.
        let next = round.history().get(moves).filter(is_hop);
        for runner in &mut line.runners {
            let own = |ply: &&Ply| runner.player.is_none_or(|player| ply.owner == player);
            let steps = round.history().iter().take(moves).filter(own).filter(is_hop).count();
            runner.thought = runner.jumps.get(steps).copied().filter(|_| next.is_some_and(|ply| own(&ply)));
            runner.ahead = runner.thought.map(|jump| jump.to);
            runner.jumps.truncate(steps);
            runner.at = runner.last();
        }
        line
    }

    /// An empty line.
    pub fn empty() -> NumberLine {
        NumberLine {
            lowest: 0,
            highest: 1,
            target: None,
            shuns_target: false,
            past: None,
            runners: Vec::new(),
            stones: Vec::new(),
            turned: None,
            names: None,
        }
    }

    pub fn runners_mut(&mut self) -> &mut [Runner] {
        &mut self.runners
    }

    /// The line's height in rows, if each player's arcs have this height.
    pub fn height(&self, arcs: u16) -> u16 {
        2 * self.runners.len() as u16 + u16::from(self.turned.is_some()) + 2 * arcs
    }

    /// Free columns past the target.
    fn room_past(&self, width: u16) -> u16 {
        match self.past {
            None => 0,
            Some(_) if width > 6 * PAST => PAST,
            Some(_) => 1,
        }
    }

    /// A width that gives every number the same number of columns, so that equal hops look alike. Uses the whole width
    /// if that would waste too much.
    fn even_width(&self, width: u16) -> u16 {
        let room = width.saturating_sub(1 + self.room_past(width));
        let steps = self.highest.abs_diff(self.lowest).max(1);
        let Some(taken) = u16::try_from(steps).ok().map(|steps| room / steps * steps) else { return width };
        if u32::from(taken) * 4 >= u32::from(room) * 3 { taken + width - room } else { width }
    }

    fn scale(&self, width: u16) -> Scale {
        let hops_of = |runner: &Runner| {
            let ahead = runner.ahead.map(|ahead| (runner.last(), ahead));
            let made = runner.shown().iter().map(|jump| (jump.from, jump.to));
            made.chain(ahead).collect::<Vec<_>>()
        };
        let hops: Vec<(i128, i128)> = self.runners.iter().flat_map(hops_of).collect();
        let room = self.room_past(width);
        let past = match self.past {
            Some(Direction::Climb) => (0, room),
            Some(Direction::Countdown) => (room, 0),
            None => (0, 0),
        };
        Scale::new((self.lowest.into(), self.highest.into()), &hops, width, past)
    }

    /// Draws the line with arcs as high as fit.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        if area.width < 4 {
            return;
        }
        let area = middle(area, self.even_width(area.width), area.height);
        let scale = self.scale(area.width);
        let arcs = area.height.saturating_sub(self.height(0)) / 2;
        let mut y = 0;
        for (index, runner) in self.runners.iter().enumerate() {
            runner.draw_hops(canvas, Rect { height: arcs, ..below(area, y) }, Side::Above, &scale);
            y += arcs;
            self.draw_runner(canvas, row(area, y), (runner, index), &scale);
            self.label(canvas, row(area, y + 1), runner, &scale);
            y += 2;
            if runner.player.is_none() {
                runner.draw_hops(canvas, Rect { height: arcs, ..below(area, y) }, Side::Below, &scale);
                y += arcs;
            }
            let whose = |player: Player| runner.player.is_none_or(|own| own == player);
            if let Some((_, number)) = self.turned.filter(|(player, _)| whose(*player)) {
                draw_turned(canvas, row(area, y), scale.column(number));
                y += 1;
            }
        }
    }

    /// The tone and symbol of the target: one to hit, or one to avoid.
    fn look_of_target<'a>(&self, goal: &'a str, shunned: &'a str) -> (Tone, &'a str) {
        if self.shuns_target { (Tone::Bad, shunned) } else { (Tone::Target, goal) }
    }

    fn is_beyond(&self, number: i128) -> bool {
        number > i128::from(self.highest) || number < i128::from(self.lowest)
    }

    fn draw_runner(
        &self,
        canvas: &mut Canvas<'_>,
        area: Rect,
        (runner, index): (&Runner, usize),
        scale: &Scale,
    ) {
        let signs = canvas.theme.signs;
        canvas.text(area, Tone::Faint, &signs.line.repeat(usize::from(area.width)));
        let mut mark = |number: i128, tone: Tone, sign: &str| {
            let x = area.x + scale.column(number);
            canvas.text(Rect { x, width: 1, ..area }, tone, sign);
        };
        for number in runner.visited(scale) {
            mark(number, Tone::Plain, signs.tick);
        }
        if let Some(target) = self.target {
            let (tone, sign) = self.look_of_target(signs.target, signs.shunned);
            mark(target.into(), tone, sign);
        }
        let tone = runner.player.map_or(Tone::Number, Tone::Player);
        let [before, after] = signs.beyond;
        if let Some(to) = runner.thought.map(|jump| jump.to).filter(|to| self.is_beyond(*to)) {
            mark(to, Tone::Bad, if to < self.lowest.into() { before } else { after });
        }
        match self.target {
            _ if runner.at > self.highest.into() => mark(runner.at, Tone::Bad, after),
            _ if runner.at < self.lowest.into() => mark(runner.at, Tone::Bad, before),
            Some(target) if runner.at == target.into() => {
                let (tone, sign) = self.look_of_target(signs.hit, signs.shunned);
                mark(runner.at, tone, sign);
            }
            _ => mark(runner.at, tone, signs.here[index % 2]),
        }
    }

    /// Draws as many labels as fit: the current number, the target, the start, the stones, and then the visited numbers.
    fn label(&self, canvas: &mut Canvas<'_>, area: Rect, runner: &Runner, scale: &Scale) {
        let stone = canvas.theme.signs.stone;
        let tone = match runner.player {
            _ if self.is_beyond(runner.at) => Tone::Bad,
            _ if self.target.is_some_and(|target| runner.at == target.into()) => {
                self.look_of_target("", "").0
            }
            player => player.map_or(Tone::Number, Tone::Player),
        };
        let mut labels: Vec<(i128, Tone, String)> = vec![(runner.at, tone, runner.at.to_string())];
        // The result of a preview beyond the end of the line.
        let past = runner.thought.map(|jump| jump.to).filter(|to| self.is_beyond(*to));
        labels.extend(past.map(|to| (to, Tone::Bad, to.to_string())));
        let (of_target, _) = self.look_of_target("", "");
        labels.extend(self.target.map(|target| (target.into(), of_target, target.to_string())));
        labels.push((runner.start, Tone::Plain, runner.start.to_string()));
        let ends = [self.lowest, self.highest].into_iter().filter(|_| self.target.is_none());
        labels.extend(ends.map(|end| (end.into(), Tone::Plain, end.to_string())));
        let stones = self.stones.iter().rev();
        labels.extend(stones.map(|number| ((*number).into(), Tone::Good, format!("{stone}{number}"))));
        let way = runner.visited(scale).into_iter();
        labels.extend(way.map(|number| (number, Tone::Plain, number.to_string())));
        let mut taken: Vec<(u16, u16)> = Vec::new();
        for (number, tone, text) in labels {
            let width = columns(&text) as u16;
            let centre = scale.column(number);
            let x = centre.saturating_sub(width / 2).min(area.width.saturating_sub(width));
            if width > area.width || taken.iter().any(|(from, to)| x < to + 1 && x + width + 1 > *from) {
                continue;
            }
            taken.push((x, x + width));
            canvas.text(Rect { x: area.x + x, width, ..area }, tone, &text);
        }
        let named = runner.player.zip(self.names.as_ref()).map(|(player, names)| (player, &names[player]));
        if let Some((player, name)) = named {
            let width = columns(name) as u16;
            // The leftmost position at least two columns away from every number.
            let is_free = |x: &u16| taken.iter().all(|(from, to)| *x >= to + 2 || x + width + 2 <= *from);
            if let Some(x) = (0..(area.width + 1).saturating_sub(width)).find(is_free) {
                canvas.text(Rect { x: area.x + x, width, ..area }, Tone::Player(player), name);
            }
        }
    }
}

/// Draws the turning point with its label.
fn draw_turned(canvas: &mut Canvas<'_>, area: Rect, x: u16) {
    let sign = canvas.theme.signs.turned;
    let width = TURNED.len() as u16 + 2;
    let (from, told) = match x + width <= area.width {
        true => (x, format!("{sign} {TURNED}")),
        false => ((x + 1).saturating_sub(width), format!("{TURNED} {sign}")),
    };
    canvas.text(Rect { x: area.x + from, width: width.min(area.width), ..area }, Tone::Bad, &told);
}

/// A skipped turn isn't a hop.
fn is_hop(ply: &&Ply) -> bool {
    ply.a_move != Move::Skip
}

impl Runner {
    fn new(player: Option<Player>, start: i64, round: &Round) -> Runner {
        let own = round.history().iter().filter(|ply| player.is_none_or(|player| ply.owner == player));
        let jump = |ply: &Ply| Jump {
            from: ply.before.number_of(ply.owner).into(),
            to: ply.number,
            player: ply.player(),
        };
        let jumps: Vec<Jump> = own.filter(is_hop).map(jump).collect();
        let mut runner = Runner { player, start: start.into(), jumps, thought: None, ahead: None, at: 0 };
        runner.at = runner.last();
        runner
    }

    /// The start and each hop's result.
    fn numbers(&self) -> impl Iterator<Item = i128> {
        std::iter::once(self.start).chain(self.jumps.iter().map(|jump| jump.to))
    }

    /// The visited numbers, latest first, one per column.
    fn visited(&self, scale: &Scale) -> Vec<i128> {
        let mut seen = HashSet::new();
        let numbers = self.jumps.iter().rev().map(|jump| jump.to).chain([self.start]);
        numbers.filter(|number| seen.insert(scale.column(*number))).collect()
    }

    fn last(&self) -> i128 {
        self.jumps.last().map_or(self.start, |jump| jump.to)
    }

    /// The visible hops.
    fn shown(&self) -> &[Jump] {
        &self.jumps[self.jumps.len().saturating_sub(SHOWN)..]
    }

    /// Draws the arcs on one side of the line. For a shared number, Player 1's arcs are above and Player 2's below. For a
    /// player's own number, all are above.
    fn draw_hops(&self, canvas: &mut Canvas<'_>, area: Rect, side: Side, scale: &Scale) {
        let here = |jump: &Jump| match (self.player, jump.player) {
            (Some(_), _) | (None, Player::One) => side == Side::Above,
            (None, Player::Two) => side == Side::Below,
        };
        let made = self.shown().iter().enumerate().map(|(index, jump)| {
            let last = index + 1 == self.shown().len();
            // A gliding hop ends at the current value.
            (Jump { to: if last { self.at } else { jump.to }, ..*jump }, false)
        });
        let all = made.chain(self.thought.map(|jump| (jump, true)));
        let hops: Vec<Hop> = all
            .filter(|(jump, _)| here(jump))
            .map(|(jump, dotted)| Hop {
                from: scale.column(jump.from),
                to: scale.column(jump.to),
                player: jump.player,
                dotted,
            })
            .collect();
        for stroke in arcs::draw(&hops, area.width, area.height, side, canvas.theme.signs.pen) {
            let place = Rect { x: area.x + stroke.x, width: 1, ..row(area, stroke.y) };
            canvas.text(place, Tone::Player(stroke.player), stroke.sign.encode_utf8(&mut [0; 4]));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use spoton::format::Draft;
    use spoton::records::read_move;

    use super::*;

    fn line(rules: &str, moves: &str) -> NumberLine {
        let text = format!("title = 'Odd'\n{rules}\n");
        let rulebook = Arc::new(Draft::read("odd", &text).build().unwrap());
        let mut round = Round::new(rulebook, Player::One);
        for written in moves.split_whitespace() {
            let a_move = read_move(written, &round).unwrap();
            round.play(a_move).unwrap();
        }
        NumberLine::for_round(&round)
    }

    #[test]
    fn the_last_eight_hops_are_drawn() {
        let line = line("start = 0\ntarget = 50\nmoves = ['+1', '+2']", &"+1 ".repeat(12));
        let shown: Vec<i128> = line.runners[0].shown().iter().map(|jump| jump.to).collect();
        assert_eq!(shown, (5..=12).collect::<Vec<_>>());
    }

    /// The start, the number and the target each have a column. The target's column never changes, and overshoots are
    /// past it.
    #[test]
    fn everything_has_its_place() {
        let rules = "start = 1\ntarget = 20\nmoves = ['+1', 'x2', 'x3']";
        for (moves, places) in
            [("", [0, 0, 67]), ("x2 x2", [0, 11, 67]), ("x3 x3 x2", [0, 60, 67]), ("x3 x3 x3", [0, 75, 67])]
        {
            let line = line(rules, moves);
            let scale = line.scale(76);
            let at = line.runners[0].at;
            assert_eq!([1, at, 20].map(|number| scale.column(number)), places, "{moves}");
        }
        // In a countdown, overshoots are to the left.
        let line = line("start = 20\ntarget = 0\nmoves = ['-9', '-1']", "-9 -9 -9");
        let scale = line.scale(76);
        assert_eq!([20, 11, 2, 0, -7].map(|number| scale.column(number)), [75, 45, 15, 8, 0]);
    }

    /// Hops of equal length look the same everywhere.
    #[test]
    fn equal_hops_are_equally_wide() {
        let line = line("start = 1\ntarget = 20\nmoves = ['+1', '+3']", "+3 +3 +3");
        let scale = line.scale(line.even_width(76));
        let columns: Vec<u16> = (1..=20).map(|number| scale.column(number)).collect();
        assert!(columns.windows(2).all(|pair| pair[1] - pair[0] == 3), "{columns:?}");
    }

    /// If every number has a column, nothing shifts.
    #[test]
    fn the_scale_stays_while_a_round_goes_on() {
        let rules = "start = 12\ntarget = 70\nmoves = ['+1', 'x2']";
        let columns = |moves: &str| {
            let scale = line(rules, moves).scale(76);
            (12..=70).map(|number| scale.column(number)).collect::<Vec<u16>>()
        };
        assert_eq!(columns("+1 +1 +1"), columns(""));
    }

    /// With separate numbers, a hop is on the line of the number it changed.
    #[test]
    fn a_strike_is_a_hop_of_the_other_number() {
        let rules = "numbers = 'separate'\nstart = 10\ntarget = 30\n\
                     moves = ['+4', { op = '-3', on = 'other' }]";
        let line = line(rules, "+4 @-3");
        assert_eq!(line.runners.iter().map(|runner| runner.at).collect::<Vec<_>>(), [11, 10]);
        let players: Vec<Player> = line.runners[0].jumps.iter().map(|jump| jump.player).collect();
        assert_eq!(players, Player::BOTH);
    }
}
