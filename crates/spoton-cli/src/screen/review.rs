//! Looking back on a round: what mattered, and the moves one after another.

use std::collections::HashSet;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::Numbers;
use spoton::people::review::{self, Audience, Point, Review};
use spoton::records::Record;
use spoton::sitting::discovery::{Spoiler, View};
use spoton::sitting::{Setup, only_person};
use spoton::words::dialogue::{Dialogue, Voice};

use super::canvas::{Canvas, Piece, below, columns, middle, row, wrap};
use super::digits;
use super::help::Rules;
use super::number_line::NumberLine;
use super::seats;
use super::theme::{Signs, Tone};
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::Sitting;
use crate::solving::look_ahead;
use strip::Strip;

mod strip;

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

/// Nothing here gets better by being wider.
const WIDEST: u16 = 124;
/// How many rows the arcs of each player take in a window of the usual size.
const ARCS: u16 = 2;
/// In larger windows: the rows of the number, and how many more the arcs take.
const LARGE: [(u16, u16); 7] = [(17, 4), (12, 3), (12, 2), (7, 2), (7, 1), (7, 0), (0, 1)];

/// Rows that are left.
struct Room(u16);

impl Room {
    /// Takes so many, if there are as many.
    fn takes(&mut self, rows: u16) -> bool {
        let enough = rows <= self.0;
        if enough {
            self.0 -= rows;
        }
        enough
    }
}

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
        ReviewView::new(round, names, computers, sitting.view(), review, comes_from)
    }

    /// Looks back on a round that was recorded.
    pub fn of_record(record: Record, round: Round, world: &World) -> Result<ReviewView, Failure> {
        let computers = ByPlayer::from_fn(|player| record.computers[player].is_some());
        let judged = look_ahead(&world.games, |ahead| {
            Ok(ahead.ask(round.rulebook(), |game, budget| game.review(&round, budget))?)
        });
        let names = record.players.clone();
        ReviewView::new(round, names, computers, world.view(), judged, ComesFrom::Record(Box::new(record)))
    }

    fn new(
        round: Round,
        names: ByPlayer<String>,
        computers: ByPlayer<bool>,
        view: View,
        judged: Result<Review, Failure>,
        comes_from: ComesFrom,
    ) -> Result<ReviewView, Failure> {
        let you = only_person(&ByPlayer::from_fn(|player| computers[player].then_some(())));
        let discover = view.hides(Spoiler::TurningPoint);
        let audience = Audience { names: &names, you, discover };
        let (review, words) = match judged {
            Ok(judged) => {
                let words = review::in_words(&judged, &round, &audience);
                (Some(judged).filter(|_| !discover), words)
            }
            // The moves can be gone through all the same.
            Err(Failure::TooLarge(why)) => {
                let told = format!("What mattered cannot be told here. The game is {why}.");
                (None, vec![told, "The moves can be gone through all the same.".to_owned()])
            }
            Err(failure) => return Err(failure),
        };
        let points = review::points(&round, review.as_ref());
        // What is said where it happened need not be said of the whole round as well.
        let said_of = |place| review.as_ref().map(|review| review::of_move(review, place, &round, &audience));
        let said: HashSet<String> = (0..round.history().len()).filter_map(said_of).flatten().collect();
        let words = words.into_iter().filter(|sentence| !said.contains(sentence)).collect();
        // What somebody looks back for: where it turned, or else their own slip.
        let turned = points.iter().position(|point| point.turned);
        let own_slip = review.as_ref().and_then(|review| {
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
        let review = self.review.as_ref()?;
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
        line.names = Some(self.names.clone());
        line.turned = self.turned().map(|place| (self.points[place].player, self.points[place].number));
        let judged = self.review.as_ref().and_then(|review| review.moves.get(self.step));
        let better = judged.filter(|judged| judged.is_mistake() && !self.own_numbers());
        line.stones =
            better.and_then(|judged| i64::try_from(judged.better.leaves).ok()).into_iter().collect();
        line
    }

    /// Whether it is told who could force a win.
    fn tells_who_can_win(&self) -> bool {
        self.review.is_some()
    }

    /// Whose signs the strip shows, and what its last row means; on two lines if one is too short.
    fn legend(&self, signs: &Signs, width: u16) -> Vec<Vec<Piece>> {
        let of = |player: Player| {
            (Tone::Player(player), format!("{} {}   ", strip::sign(player, signs), self.names[player]))
        };
        let names: Vec<Piece> = Player::BOTH.map(of).into();
        if !self.tells_who_can_win() {
            return vec![names];
        }
        let drawn = self.points.iter().any(|point| point.mark == Some('='));
        let neither = if drawn { ", = is neither" } else { "" };
        let meaning = (Tone::Faint, format!("can win: who could force a win there{neither}."));
        let all: usize = names.iter().chain([&meaning]).map(|(_, text)| columns(text)).sum();
        match all <= usize::from(width) {
            true => vec![names.into_iter().chain([meaning]).collect()],
            false => vec![names, vec![meaning]],
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
        let area = middle(area, WIDEST, area.height);
        let said = pack(&self.said(), area.width);
        let line = self.number_line();
        let strip = Strip::of(self, area.width);
        let mut legend = self.legend(canvas.theme.signs, area.width);
        // If names are long and the screen is small, sentences about the whole round are left out, one at a time.
        // Before what is said of a move is cut off, the picture goes.
        let has_line = usize::from(line.height(0) + strip.height(0)) + said.len() <= area.height.into();
        let line_height = |arcs: u16| if has_line { line.height(arcs) } else { 0 };
        let needed = usize::from(line_height(0) + strip.height(0)) + said.len();
        let left = usize::from(area.height).saturating_sub(needed);
        if legend.len() > left {
            legend.clear();
        }
        let fits = |count: &usize| pack(&self.words[..*count], area.width).len() + legend.len() <= left;
        let count = (0..=self.words.len()).rev().find(fits).unwrap_or(0);
        let words = pack(&self.words[..count], area.width);
        // What is said of a move may take more or less; what stands above stays where it is.
        let least_said = (said.len() as u16).max(4);
        let fixed = words.len() as u16 + line_height(0) + legend.len() as u16 + least_said;
        let mut room = Room(area.height.saturating_sub(fixed + strip.height(0)));
        // First come arcs that can be seen, then all of the moves, then some air, and then everything grows.
        let arcs = (1..=ARCS).rev().find(|rows| room.takes(2 * rows)).unwrap_or(0);
        let strip_height = strip.height(strip.height(0) + room.0.saturating_sub(3));
        room.takes(strip_height - strip.height(0));
        let [below_strip, above_strip, below_words] = [(); 3].map(|()| u16::from(room.takes(1)));
        let grown = LARGE.into_iter().find(|(number, more)| room.takes(number + 2 * more));
        let (number_height, more) = grown.unwrap_or((0, 0));
        let arcs = arcs + more;
        let mut y = room.0 / 2;
        for line in &words {
            canvas.text(row(area, y), Tone::Plain, line);
            y += 1;
        }
        y += below_words;
        if number_height > 0 {
            self.draw_numbers(canvas, Rect { height: number_height, ..below(area, y) });
            y += number_height;
        }
        if has_line {
            line.draw(canvas, Rect { height: line.height(arcs), ..below(area, y) });
        }
        y += line_height(arcs) + above_strip;
        strip.draw(canvas, Rect { height: strip_height, ..below(area, y) }, self.step);
        y += strip_height;
        for line in legend {
            canvas.pieces(row(area, y), line);
            y += 1;
        }
        y += below_strip;
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
        if self.step > 0 {
            offers.push(key(KeyCode::Left, "Left", "back"));
        }
        if self.step < self.last() {
            offers.push(key(KeyCode::Right, "Right", "next"));
        }
        if self.can_play_on() && !matches!(self.comes_from, ComesFrom::Match) {
            offers.push(Offer::letter('p', "play on here"));
        }
        if self.turned().is_some_and(|turned| turned != self.step) {
            offers.push(Offer::letter('t', "turning point"));
        }
        if self.next_better().is_some_and(|next| next != self.step) {
            offers.push(Offer::letter('n', "next slip"));
        }
        offers.push(Offer::letter('?', "help"));
        offers.push(Offer::escape("back"));
        if self.step < self.last() {
            offers.push(key(KeyCode::End, "End", "last"));
        }
        if self.step > 0 {
            offers.push(key(KeyCode::Home, "Home", "first"));
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
            Input::Key(KeyCode::Char('?')) => {
                return Go::open(Rules::with_keys(self.round.rulebook(), &world.games, "", &self.offers()));
            }
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
            let number = Rect { height: area.height.saturating_sub(1), ..place };
            digits::draw(canvas, number, tone, runner.at);
            if let Some(player) = runner.player {
                canvas.centred(row(place, area.height.saturating_sub(1)), tone, &self.names[player]);
            }
        }
    }
}
