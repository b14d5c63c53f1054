//! The number line: where the round began, the way so far, where it stands, and the target.

use ratatui::layout::Rect;
use spoton::engine::position::Player;
use spoton::engine::round::{Ply, Round};
use spoton::format::Numbers;

use super::canvas::{Canvas, columns, row};
use super::theme::Tone;

/// What is to be drawn.
pub struct NumberLine {
    lowest: i64,
    highest: i64,
    target: Option<i64>,
    runners: Vec<Runner>,
    /// Numbers to leave, marked below the line.
    pub stones: Vec<i64>,
    /// Where the round turned: whose number it was, if both have their own, and the number.
    pub turned: Option<(Player, i128)>,
}

/// What stands beside the mark where a round turned.
const TURNED: &str = "the round turned here";

/// A number that moves: the shared one, or a player's own.
pub struct Runner {
    pub player: Option<Player>,
    pub path: Vec<i128>,
    /// Where it is drawn, which may be on its way.
    pub at: i128,
}

impl NumberLine {
    /// The line of a round.
    pub fn of(round: &Round) -> NumberLine {
        NumberLine::at(round, round.history().len())
    }

    /// The line of a round as it stood after its first so many moves. It goes as far as that of the whole round, so
    /// that nothing shifts while somebody steps through it.
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
        let reached = || runners.iter().flat_map(|runner| runner.path.iter().copied());
        let within = |number: i128| number.clamp(i128::from(low), i128::from(high)) as i64;
        // A game without a target goes as far as its numbers do, if these can be seen at a glance.
        let glance = target.is_none() && high.saturating_sub(low) <= 200;
        let ends = [first, second]
            .into_iter()
            .chain(target)
            .chain(glance.then_some([low, high]).into_iter().flatten());
        // If nothing says how far it goes, it goes as far as somebody has been, and a little further. Past the
        // target it goes on as well, unless that were so far that nothing else could be seen.
        let further = reached().max().and_then(|most| match target {
            None => Some(within(most + 10)),
            Some(target) => {
                let far = (i128::from(target) - i128::from(first)).abs().max(10);
                let end = i128::from(target.max(first));
                i64::try_from(most).ok().filter(|most| i128::from(*most) <= end + far)
            }
        });
        let lowest = ends.clone().chain(reached().min().map(within)).min().unwrap_or(low);
        let highest =
            ends.chain(further).chain(target.is_none().then_some(lowest + 10)).max().unwrap_or(high);
        let mut line = NumberLine { lowest, highest, target, runners, stones: Vec::new(), turned: None };
        for runner in &mut line.runners {
            let own = |ply: &&Ply| runner.player.is_none_or(|player| ply.owner == player);
            let steps = round.history().iter().take(moves).filter(own).count();
            runner.path.truncate(1 + steps);
            runner.at = runner.path.last().copied().unwrap_or_default();
        }
        line
    }

    /// A line with nothing on it.
    pub fn empty() -> NumberLine {
        NumberLine {
            lowest: 0,
            highest: 1,
            target: None,
            runners: Vec::new(),
            stones: Vec::new(),
            turned: None,
        }
    }

    pub fn runners_mut(&mut self) -> &mut [Runner] {
        &mut self.runners
    }

    /// How many rows it takes.
    pub fn height(&self) -> u16 {
        2 * self.runners.len() as u16 + 1
    }

    fn column(&self, number: i128, width: u16) -> u16 {
        let span = i128::from(self.highest) - i128::from(self.lowest);
        let number = number.clamp(i128::from(self.lowest), i128::from(self.highest));
        let from_start = number - i128::from(self.lowest);
        (from_start * i128::from(width.saturating_sub(1)) / span.max(1)) as u16
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        if area.width < 4 {
            return;
        }
        let mut y = 0;
        for (index, runner) in self.runners.iter().enumerate() {
            self.draw_runner(canvas, row(area, y), runner, index);
            self.label(canvas, row(area, y + 1), runner);
            y += 2;
            let whose = |player: Player| runner.player.is_none_or(|own| own == player);
            if let Some((_, number)) = self.turned.filter(|(player, _)| whose(*player)) {
                self.draw_turned(canvas, row(area, y), number);
                y += 1;
            }
        }
    }

    /// The mark where the round turned, with its meaning beside it.
    fn draw_turned(&self, canvas: &mut Canvas<'_>, area: Rect, number: i128) {
        let sign = canvas.theme.signs.turned;
        let x = self.column(number, area.width);
        let width = TURNED.len() as u16 + 2;
        let (from, told) = match x + width <= area.width {
            true => (x, format!("{sign} {TURNED}")),
            false => ((x + 1).saturating_sub(width), format!("{TURNED} {sign}")),
        };
        canvas.text(Rect { x: area.x + from, width: width.min(area.width), ..area }, Tone::Bad, &told);
    }

    fn draw_runner(&self, canvas: &mut Canvas<'_>, area: Rect, runner: &Runner, index: usize) {
        let signs = canvas.theme.signs;
        canvas.text(area, Tone::Faint, &signs.line.repeat(usize::from(area.width)));
        let tone = runner.player.map_or(Tone::Number, Tone::Player);
        let mut mark = |number: i128, tone: Tone, sign: &str| {
            let x = area.x + self.column(number, area.width);
            canvas.text(Rect { x, width: 1, ..area }, tone, sign);
        };
        for number in &runner.path {
            mark(*number, tone, signs.step);
        }
        if let Some(target) = self.target {
            mark(i128::from(target), Tone::Target, signs.target);
        }
        let past = runner.at > i128::from(self.highest);
        let here = if past { signs.beyond } else { signs.here[index % 2] };
        mark(runner.at, if past { Tone::Bad } else { tone }, here);
    }

    /// The numbers below the line: where it stands, the target, the start, the stones, and then the way, as they fit.
    fn label(&self, canvas: &mut Canvas<'_>, area: Rect, runner: &Runner) {
        let stone = canvas.theme.signs.stone;
        let tone = runner.player.map_or(Tone::Number, Tone::Player);
        let mut labels: Vec<(i128, Tone, String)> = vec![(runner.at, tone, runner.at.to_string())];
        labels.extend(self.target.map(|target| (target.into(), Tone::Target, target.to_string())));
        let start = runner.path.first().copied();
        labels.extend(start.map(|start| (start, Tone::Faint, start.to_string())));
        let stones = self.stones.iter().rev();
        labels.extend(stones.map(|number| ((*number).into(), Tone::Good, format!("{stone}{number}"))));
        let way = runner.path.iter().rev();
        labels.extend(way.map(|number| (*number, Tone::Faint, number.to_string())));
        let mut taken: Vec<(u16, u16)> = Vec::new();
        for (number, tone, text) in labels {
            let width = columns(&text) as u16;
            let centre = self.column(number, area.width);
            let x = centre.saturating_sub(width / 2).min(area.width.saturating_sub(width));
            if width > area.width || taken.iter().any(|(from, to)| x < to + 1 && x + width + 1 > *from) {
                continue;
            }
            taken.push((x, x + width));
            canvas.text(Rect { x: area.x + x, width, ..area }, tone, &text);
        }
    }
}

impl Runner {
    fn new(player: Option<Player>, start: i64, round: &Round) -> Runner {
        let own = round.history().iter().filter(|ply| player.is_none_or(|player| ply.owner == player));
        let path: Vec<i128> = std::iter::once(i128::from(start)).chain(own.map(|ply| ply.number)).collect();
        let at = path.last().copied().unwrap_or_default();
        Runner { player, path, at }
    }
}
