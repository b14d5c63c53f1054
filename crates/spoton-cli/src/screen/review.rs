//! Looking back on a round: what mattered, and the moves one after another.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::Numbers;
use spoton::people::review::{self, Audience, Point, Review};
use spoton::records::Record;
use spoton::sitting::{Setup, only_person};
use spoton::words::dialogue::{Dialogue, Voice};

use super::canvas::{Canvas, below, columns, row, wrap};
use super::digits;
use super::number_line::NumberLine;
use super::seats;
use super::theme::{Signs, Tone};
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::Sitting;
use crate::solving::look_ahead;

pub struct ReviewView {
    round: Round,
    names: ByPlayer<String>,
    computers: ByPlayer<bool>,
    /// Who is called "you".
    you: Option<Player>,
    discover: bool,
    /// `None` if the game is too large.
    review: Option<Review>,
    /// What mattered, in words.
    words: Vec<String>,
    /// From the start to the end.
    points: Vec<Point>,
    /// At which of the points somebody looks.
    step: usize,
    comes_from: ComesFrom,
}

/// The rows that the arcs of each player may take, the most first.
const ARCS: [u16; 3] = [3, 2, 1];

/// Where a round comes from, and with that how it is played on.
enum ComesFrom {
    /// The board that lies below.
    Board,
    /// A board, in a match: there is no playing on, since every round of it counts.
    Match,
    Record(Box<Record>),
}

impl ReviewView {
    /// Looks back on the round that was just played. Whoever plays on from here does so at its board.
    pub fn of_sitting(sitting: &mut Sitting) -> Result<ReviewView, Failure> {
        let review = sitting.review();
        let setup = sitting.setup();
        let computers = ByPlayer::from_fn(|player| setup.computers[player].is_some());
        let (round, names) = (sitting.round().clone(), setup.names.clone());
        let comes_from = if setup.series.is_some() { ComesFrom::Match } else { ComesFrom::Board };
        ReviewView::new(round, names, computers, setup.help.discover, review, comes_from)
    }

    /// Looks back on a round that was recorded.
    pub fn of_record(record: Record, round: Round, world: &World) -> Result<ReviewView, Failure> {
        let computers = ByPlayer::from_fn(|player| record.computers[player].is_some());
        let judged = look_ahead(&world.games, |ahead| {
            Ok(ahead.ask(round.rulebook(), |game, budget| game.review(&round, budget))?)
        });
        let names = record.players.clone();
        ReviewView::new(
            round,
            names,
            computers,
            world.discovers(),
            judged,
            ComesFrom::Record(Box::new(record)),
        )
    }

    fn new(
        round: Round,
        names: ByPlayer<String>,
        computers: ByPlayer<bool>,
        discover: bool,
        judged: Result<Review, Failure>,
        comes_from: ComesFrom,
    ) -> Result<ReviewView, Failure> {
        let you = only_person(&ByPlayer::from_fn(|player| computers[player].then_some(())));
        let audience = Audience { names: &names, you, discover };
        let (review, words) = match judged {
            Ok(judged) => {
                let words = review::in_words(&judged, &round, &audience);
                (Some(judged), words)
            }
            // The moves can be gone through all the same.
            Err(Failure::TooLarge(why)) => {
                let told = format!("What mattered cannot be told here. The game is {why}.");
                (None, vec![told, "The moves can be gone through all the same.".to_owned()])
            }
            Err(failure) => return Err(failure),
        };
        let points = review::points(&round, review.as_ref());
        // What somebody looks back for: where it turned, or else their own slip.
        let turned = points.iter().position(|point| point.turned);
        let own_slip = review.as_ref().filter(|_| !discover).and_then(|review| {
            review.moves.iter().rposition(|judged| judged.is_mistake() && Some(judged.player) == you)
        });
        let step = turned.or(own_slip).unwrap_or(0);
        Ok(ReviewView { round, names, computers, you, discover, review, words, points, step, comes_from })
    }

    fn last(&self) -> usize {
        self.points.len() - 1
    }

    fn turned(&self) -> Option<usize> {
        self.points.iter().position(|point| point.turned)
    }

    /// The next point at which something better could have been chosen; after the last, the first again.
    fn next_better(&self) -> Option<usize> {
        let review = self.review.as_ref().filter(|_| !self.discover)?;
        let moves = || review.moves.iter().enumerate().filter(|(_, judged)| judged.is_mistake());
        let mut places = moves().map(|(place, _)| place);
        places.clone().find(|place| *place > self.step).or_else(|| places.next())
    }

    /// What is said of the point that somebody looks at: what was chosen there, or how the round ended.
    fn said(&self) -> Vec<String> {
        let audience = Audience { names: &self.names, you: self.you, discover: self.discover };
        if self.step == self.last() {
            let voice = Voice { names: &self.names, computers: self.computers, paint: &|_, text| text };
            let ending = Dialogue { round: &self.round, voice: &voice }.ending();
            let ending = ending.unwrap_or_else(|| "The round was not played to its end.".to_owned());
            return ending.lines().map(str::to_owned).collect();
        }
        match &self.review {
            Some(review) => review::of_move(review, self.step, &self.round, &audience),
            None => review::happened(&self.round, self.step, &audience).into_iter().collect(),
        }
    }

    /// Whether the round can be played on from the point that somebody looks at.
    fn can_play_on(&self) -> bool {
        let mut before = Round::new(self.round.rulebook().clone(), self.round.first());
        let played = self.round.history().iter().take(self.step).try_for_each(|ply| before.play(ply.a_move));
        played.is_ok() && before.outcome().is_none()
    }

    fn play_on(&self, world: &mut World) -> Result<Go, Failure> {
        if !self.can_play_on() {
            world.notice = Some("The round is over here. Step back, and play on from there.".to_owned());
            return Ok(Go::Stay);
        }
        match &self.comes_from {
            ComesFrom::Match => {
                world.notice = Some("In a match, no round is played twice.".to_owned());
                Ok(Go::Stay)
            }
            ComesFrom::Board => {
                world.play_on = Some(self.step);
                Ok(Go::Back)
            }
            ComesFrom::Record(record) => {
                let mut setup = Setup::from_record(record, self.step, world.dice())?;
                setup.help.discover = self.discover;
                Go::open(seats::try_out(setup, world)?)
            }
        }
    }

    fn own_numbers(&self) -> bool {
        self.round.rulebook().numbers() == Numbers::Separate
    }

    fn number_line(&self) -> NumberLine {
        let mut line = NumberLine::at(&self.round, self.step);
        line.turned = self.turned().map(|place| (self.points[place].player, self.points[place].number));
        let judged = self.review.as_ref().and_then(|review| review.moves.get(self.step));
        let better = judged.filter(|judged| judged.is_mistake() && !self.discover && !self.own_numbers());
        line.stones =
            better.and_then(|judged| i64::try_from(judged.better.leaves).ok()).into_iter().collect();
        line
    }

    /// What the rows of the strip mean.
    fn legend(&self, marks: bool, signs: &Signs) -> String {
        let of = |player: Player| match self.own_numbers() {
            true => format!("{} ({})", self.names[player], signs.here[usize::from(player == Player::Two)]),
            false => self.names[player].clone(),
        };
        let (one, two) = (of(Player::One), of(Player::Two));
        match (marks, self.own_numbers()) {
            (true, _) => {
                format!("can win: who could force a win. 1 is {one}, 2 is {two}, = is neither.")
            }
            (false, true) => format!("1 is {one}, 2 is {two}."),
            (false, false) => String::new(),
        }
    }
}

/// Sentences in lines, several on one if they fit.
fn pack(sentences: &[String], width: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for sentence in sentences {
        let length = columns(sentence);
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + length <= usize::from(width) => {
                line.push(' ');
                line.push_str(sentence);
            }
            _ => lines.extend(wrap(sentence, width)),
        }
    }
    lines
}

impl Screen for ReviewView {
    fn title(&self) -> String {
        format!("Looking back: {}", self.round.rulebook().title())
    }

    fn corner(&self) -> String {
        let (step, last) = (self.step, self.last());
        let moves = if last == 1 { "move" } else { "moves" };
        match step {
            0 => format!("the start, {last} {moves}"),
            step if step == last => format!("the end, after {last} {moves}"),
            step => format!("after {step} of {last} {moves}"),
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let said = pack(&self.said(), area.width);
        let line = self.number_line();
        let strip = Strip::of(self, area.width);
        let mut legend = wrap(&self.legend(strip.marks, canvas.theme.signs), area.width);
        // What is said of a move may take more or less; what stands above stays where it is.
        let least_said = (said.len() as u16).max(4);
        // If names are long and the screen is small, sentences about the whole round are left out, one at a time.
        let needed = usize::from(line.height(0) + strip.height(0)) + said.len();
        let left = usize::from(area.height).saturating_sub(needed);
        if legend.len() > left {
            legend.clear();
        }
        let fits = |count: &usize| pack(&self.words[..*count], area.width).len() + legend.len() <= left;
        let count = (0..=self.words.len()).rev().find(fits).unwrap_or(0);
        let words = pack(&self.words[..count], area.width);
        let fixed = words.len() as u16 + line.height(0) + legend.len() as u16 + least_said;
        let room = area.height.saturating_sub(fixed);
        let strip_height = strip.height(room.saturating_sub(3));
        let mut spare = room.saturating_sub(strip_height);
        let mut gap = |rows: u16| {
            let taken = rows.min(spare);
            spare -= taken;
            if taken == rows { rows } else { 0 }
        };
        let gaps = [gap(1), gap(1), gap(1)];
        let arcs = ARCS.into_iter().find(|rows| gap(2 * rows) > 0).unwrap_or(0);
        let number_height = gap(7);
        let mut y = 0;
        for line in &words {
            canvas.text(row(area, y), Tone::Plain, line);
            y += 1;
        }
        y += gaps[0];
        if number_height > 0 {
            self.draw_numbers(canvas, Rect { height: number_height, ..below(area, y) });
            y += number_height;
        }
        line.draw(canvas, Rect { height: line.height(arcs), ..below(area, y) });
        y += line.height(arcs) + gaps[1];
        strip.draw(canvas, Rect { height: strip_height, ..below(area, y) }, self.step);
        y += strip_height;
        for line in &legend {
            canvas.text(row(area, y), Tone::Faint, line);
            y += 1;
        }
        y += gaps[2];
        for line in &said {
            canvas.text(row(area, y), Tone::Strong, line);
            y += 1;
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let key = |code: KeyCode, name: &'static str, about: &'static str| {
            Offer::new(Input::Key(code), name, about)
        };
        let mut offers = Vec::new();
        if self.step < self.last() {
            offers.push(key(KeyCode::Right, "Right", "next"));
        }
        if self.step > 0 {
            offers.push(key(KeyCode::Left, "Left", "before"));
        }
        if self.turned().is_some_and(|turned| turned != self.step) {
            offers.push(Offer::letter('t', "turning point"));
        }
        if self.next_better().is_some_and(|next| next != self.step) {
            offers.push(Offer::letter('n', "next better move"));
        }
        if self.can_play_on() && !matches!(self.comes_from, ComesFrom::Match) {
            offers.push(Offer::letter('p', "play on from here"));
        }
        offers.push(Offer::escape("back"));
        if self.step > 0 {
            offers.push(key(KeyCode::Home, "Home", "start"));
        }
        if self.step < self.last() {
            offers.push(key(KeyCode::End, "End", "end"));
        }
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let last = self.last();
        match input {
            Input::ESCAPE => return Ok(Go::Back),
            Input::Key(KeyCode::Left | KeyCode::Up) => self.step = self.step.saturating_sub(1),
            Input::Key(KeyCode::Right | KeyCode::Down) => self.step = (self.step + 1).min(last),
            Input::Key(KeyCode::PageUp) => self.step = self.step.saturating_sub(10),
            Input::Key(KeyCode::PageDown) => self.step = (self.step + 10).min(last),
            Input::Key(KeyCode::Home) => self.step = 0,
            Input::Key(KeyCode::End) => self.step = last,
            Input::Key(KeyCode::Char('t')) => match self.turned() {
                Some(place) => self.step = place,
                None => world.notice = Some("No single choice decided this round.".to_owned()),
            },
            Input::Key(KeyCode::Char('n')) => match self.next_better() {
                Some(place) => self.step = place,
                None => world.notice = Some("There was nothing better to do.".to_owned()),
            },
            Input::Key(KeyCode::Char('p')) => return self.play_on(world),
            Input::Pick(step) => self.step = step.min(last),
            _ => {}
        }
        Ok(Go::Stay)
    }
}

impl ReviewView {
    /// The number at this point, large.
    fn draw_numbers(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let mut line = self.number_line();
        let runners = line.runners_mut();
        let share = area.width / runners.len().max(1) as u16;
        for (index, runner) in runners.iter().enumerate() {
            let place = Rect { x: area.x + index as u16 * share, width: share, ..area };
            let tone = runner.player.map_or(Tone::Number, Tone::Player);
            digits::draw(canvas, Rect { height: area.height - 1, ..place }, tone, runner.at);
            if let Some(player) = runner.player {
                canvas.centred(row(place, area.height - 1), tone, &self.names[player]);
            }
        }
    }
}

/// The points of the round side by side, in as many blocks as it takes.
struct Strip {
    labels: Vec<&'static str>,
    /// For each point its rows.
    columns: Vec<Vec<String>>,
    turned: Option<usize>,
    /// Whether it is told who could force a win.
    marks: bool,
    /// The points of each block.
    blocks: Vec<std::ops::Range<usize>>,
}

/// What the labels of the rows take, and a sign that there is more.
const LABELS: u16 = 11;
/// The same sign on the other side.
const MORE: u16 = 4;

impl Strip {
    fn of(view: &ReviewView, width: u16) -> Strip {
        let marks = !view.discover && view.review.is_some();
        let mut labels = vec!["number", "chosen"];
        if view.own_numbers() {
            labels.insert(0, "player");
        }
        if marks {
            labels.push("can win");
        }
        let column = |point: &Point| {
            let mut rows = vec![point.number.to_string(), point.chosen.clone().unwrap_or("end".to_owned())];
            if view.own_numbers() {
                rows.insert(0, point.player.number().to_string());
            }
            if marks {
                rows.push(point.mark.map(String::from).unwrap_or_default());
            }
            rows
        };
        let columns: Vec<Vec<String>> = view.points.iter().map(column).collect();
        let mut blocks = Vec::new();
        let (mut first, mut taken) = (0, 0);
        for (place, column) in columns.iter().enumerate() {
            let wide = wide(column);
            if place > first && LABELS + taken + wide + MORE > width {
                blocks.push(first..place);
                (first, taken) = (place, 0);
            }
            taken += wide;
        }
        blocks.push(first..columns.len());
        Strip { labels, columns, turned: view.turned(), marks, blocks }
    }

    fn block_height(&self) -> u16 {
        self.labels.len() as u16 + u16::from(self.turned.is_some())
    }

    /// How many rows it takes of so many: all blocks, or those that fit, but one at least.
    fn height(&self, room: u16) -> u16 {
        let blocks = (room / self.block_height()).clamp(1, self.blocks.len() as u16);
        blocks * self.block_height()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, step: usize) {
        let fit = usize::from(area.height / self.block_height()).max(1);
        let here = self.blocks.iter().position(|block| block.contains(&step)).unwrap_or(0);
        let first = here.saturating_sub(fit / 2).min(self.blocks.len().saturating_sub(fit));
        for (index, block) in self.blocks.iter().skip(first).take(fit).enumerate() {
            let place = below(area, index as u16 * self.block_height());
            self.draw_block(canvas, place, block.clone(), step);
        }
        // There is more before or after.
        let sign = canvas.theme.signs.dot.repeat(3);
        let shown = self.blocks.len().min(first + fit) - first;
        let edge = Rect { x: area.x + LABELS - 4, width: 3, ..area };
        if first > 0 {
            canvas.text(row(edge, 0), Tone::Faint, &sign);
        }
        if first + shown < self.blocks.len() {
            let last = (shown as u16 - 1) * self.block_height();
            let edge = Rect { x: area.right().saturating_sub(3), ..edge };
            canvas.text(row(edge, last), Tone::Faint, &sign);
        }
    }

    fn draw_block(&self, canvas: &mut Canvas<'_>, area: Rect, block: std::ops::Range<usize>, step: usize) {
        for (y, label) in self.labels.iter().enumerate() {
            canvas.text(row(area, y as u16), Tone::Faint, label);
        }
        let mut x = area.x + LABELS;
        for place in block {
            let column = &self.columns[place];
            let wide = wide(column);
            let spot = Rect { x, width: wide, height: self.block_height().min(area.height), ..area };
            canvas.spot(spot, Input::Pick(place));
            let cursor = canvas.theme.signs.cursor;
            for (y, text) in column.iter().enumerate() {
                let sign = if place == step && self.labels[y] == "number" { cursor } else { " " };
                let told = format!("{:>1$}", format!("{sign}{text}"), usize::from(wide) - 1);
                let line = row(Rect { x: x + 1, width: wide - 1, ..area }, y as u16);
                let tone = if place == step { Tone::Chosen } else { Tone::Plain };
                canvas.text(line, tone, &told);
            }
            if self.turned == Some(place) {
                let line = row(Rect { x: x + wide - 1, width: 1, ..area }, self.labels.len() as u16);
                canvas.text(line, Tone::Bad, canvas.theme.signs.turned);
            }
            x += wide;
        }
    }
}

/// How many columns of the screen a point takes, with a gap and a place for the cursor before it.
fn wide(column: &[String]) -> u16 {
    let longest = column.iter().map(|text| columns(text)).max().unwrap_or(0);
    u16::try_from(longest + 2).unwrap_or(u16::MAX)
}
