//! The review of a round: what mattered, move by move.

use std::collections::HashSet;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::{Spoiler, View};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::Numbers;
use spoton::records::Record;
use spoton::sitting::{Setup, only_person};
use spoton::teach::review::{self, Point, Review};
use spoton::words;
use spoton::words::ending::End;
use spoton::words::review::Audience;

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
    /// The player called "you".
    you: Option<Player>,
    discover: bool,
    /// `None` if the game is too large.
    review: Option<Review>,
    /// Sentences about the whole round.
    words: Vec<String>,
    /// All points, from start to end.
    points: Vec<Point>,
    /// The point shown.
    step: usize,
    comes_from: ComesFrom,
}

/// The maximum width.
const WIDEST: u16 = 124;
/// Rows for each player's arcs in a normal window.
const ARCS: u16 = 2;
/// In larger windows: rows for the number, and extra rows for arcs.
const LARGE: [(u16, u16); 7] = [(17, 4), (12, 3), (12, 2), (7, 2), (7, 1), (7, 0), (0, 1)];

/// Rows left to distribute.
struct Room(u16);

impl Room {
    /// Takes rows if enough are left. Returns whether it took them.
    fn takes(&mut self, rows: u16) -> bool {
        let enough = rows <= self.0;
        if enough {
            self.0 -= rows;
        }
        enough
    }
}

/// The source of a round, which decides how to play on.
enum ComesFrom {
    /// The board below this screen.
    Board,
    /// A board in a match. Every round counts, so the player can't play on.
    Match,
    Record(Box<Record>),
}

impl ReviewView {
    /// Reviews the round just played. Its own board is used for playing on.
    pub fn of_sitting(sitting: &mut Sitting) -> Result<ReviewView, Failure> {
        let review = sitting.review();
        let setup = sitting.setup();
        let computers = ByPlayer::from_fn(|player| setup.computers[player].is_some());
        let (round, names) = (sitting.round().clone(), setup.names.clone());
        let comes_from = if setup.series.is_some() { ComesFrom::Match } else { ComesFrom::Board };
        ReviewView::new(round, names, computers, sitting.view(), review, comes_from)
    }

    /// Reviews a recorded round.
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
                let words = words::review::in_words(&judged, &round, &audience);
                (Some(judged).filter(|_| !discover), words)
            }
            // The player can still step through the moves.
            Err(Failure::TooLarge(why)) => (
                None,
                vec![
                    format!("No review. The game is {why}."),
                    "You can still step through the moves.".to_owned(),
                ],
            ),
            Err(failure) => return Err(failure),
        };
        let points = review::points(&round, review.as_ref());
        // Drop sentences that appear with their move.
        let said_of =
            |place| review.as_ref().map(|review| words::review::of_move(review, place, &round, &audience));
        let said: HashSet<String> = (0..round.history().len()).filter_map(said_of).flatten().collect();
        let words = words.into_iter().filter(|sentence| !said.contains(sentence)).collect();
        // Start at the turning point, or else at the player's last mistake.
        let turned = points.iter().position(|point| point.turned);
        let own_slip = review.as_ref().and_then(|review| {
            review.moves.iter().rposition(|judged| judged.is_mistake() && Some(judged.player) == you)
        });
        let step = turned.or(own_slip).unwrap_or(0);
        let mut names = names;
        if let Some(you) = you {
            "You".clone_into(&mut names[you]);
        }
        Ok(ReviewView { round, names, you, discover, review, words, points, step, comes_from })
    }

    fn last(&self) -> usize {
        self.points.len() - 1
    }

    fn turned(&self) -> Option<usize> {
        self.points.iter().position(|point| point.turned)
    }

    /// The next mistake, wrapping around at the end.
    fn next_better(&self) -> Option<usize> {
        let review = self.review.as_ref()?;
        let moves = || review.moves.iter().enumerate().filter(|(_, judged)| judged.is_mistake());
        let mut places = moves().map(|(place, _)| place);
        places.clone().find(|place| *place > self.step).or_else(|| places.next())
    }

    /// Sentences about the current point: the move, or how the round ended.
    fn said(&self) -> Vec<String> {
        let audience = Audience { names: &self.names, you: self.you, discover: self.discover };
        if self.step == self.last() {
            let end = End { round: &self.round, names: &self.names, you: self.you };
            let how = end.how().unwrap_or_else(|| "The round wasn't finished.".to_owned());
            return [how].into_iter().chain(end.verdict()).collect();
        }
        match &self.review {
            Some(review) => words::review::of_move(review, self.step, &self.round, &audience),
            None => words::review::happened(&self.round, self.step, &audience).into_iter().collect(),
        }
    }

    /// Whether the sentences about the whole round already include how it ended: `Ben gave up at 1 …`
    fn is_in_words(&self, sentence: &str) -> bool {
        let start = sentence.strip_suffix(" gave up.").map(|who| format!("{who} gave up at "));
        start.is_some_and(|start| self.words.iter().any(|known| known.starts_with(&start)))
    }

    /// Whether the player can play on from the current point.
    fn can_play_on(&self) -> bool {
        let mut before = Round::new(self.round.rulebook().clone(), self.round.first());
        let played = self.round.history().iter().take(self.step).try_for_each(|ply| before.play(ply.a_move));
        played.is_ok() && before.outcome().is_none()
    }

    fn play_on(&self, world: &mut World) -> Result<Go, Failure> {
        if !self.can_play_on() {
            world.notice = Some("The round ends here. Step back to play on.".to_owned());
            return Ok(Go::Stay);
        }
        match &self.comes_from {
            ComesFrom::Match => {
                world.notice = Some("You can't replay a round of a match.".to_owned());
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

    /// Whether to show who could force a win.
    fn tells_who_can_win(&self) -> bool {
        self.review.is_some()
    }

    /// The strip's legend: the players' signs and the last row, on one or two lines.
    fn legend(&self, signs: &Signs, width: u16) -> Vec<Vec<Piece>> {
        let of = |player: Player| {
            (Tone::Player(player), format!("{} {}   ", strip::sign(player, signs), self.names[player]))
        };
        let names: Vec<Piece> = Player::BOTH.map(of).into();
        if !self.tells_who_can_win() {
            return vec![names];
        }
        let drawn = self.points.iter().any(|point| point.mark == Some('='));
        let neither = if drawn { ", = for nobody" } else { "" };
        let meaning = (Tone::Faint, format!("can win: who could force a win{neither}."));
        let all: usize = names.iter().chain([&meaning]).map(|(_, text)| columns(text)).sum();
        match all <= usize::from(width) {
            true => vec![names.into_iter().chain([meaning]).collect()],
            false => vec![names, vec![meaning]],
        }
    }
}

/// Packs sentences into lines.
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
        format!("Review: {}", self.round.rulebook().title())
    }

    fn corner(&self) -> String {
        let (step, last) = (self.step, self.last());
        let moves = if last == 1 { "move" } else { "moves" };
        match step {
            0 => format!("start, {last} {moves}"),
            step if step == last => format!("end, {last} {moves}"),
            step => format!("after {step} of {last} {moves}"),
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let area = middle(area, WIDEST, area.height);
        let mut said = self.said();
        said.retain(|sentence| !self.is_in_words(sentence));
        let said = pack(&said, area.width);
        let line = self.number_line();
        let strip = Strip::for_review(self, area.width);
        let mut legend = self.legend(canvas.theme.signs, area.width);
        // On a small screen, drop sentences about the whole round one by one. Drop the picture before cutting the
        // sentences about a move.
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
        // Reserve rows for the sentences of a move, so that nothing above them shifts.
        let least_said = (said.len() as u16).max(4);
        let fixed = words.len() as u16 + line_height(0) + legend.len() as u16 + least_said;
        let mut room = Room(area.height.saturating_sub(fixed + strip.height(0)));
        // Priorities: visible arcs, all moves, gaps, then larger pictures.
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
            offers.push(Offer::letter('p', "play on"));
        }
        if self.turned().is_some_and(|turned| turned != self.step) {
            offers.push(Offer::letter('t', "turning point"));
        }
        if self.next_better().is_some_and(|next| next != self.step) {
            offers.push(Offer::letter('n', "mistake"));
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
                None => world.notice = Some(self.nothing_to_show("No single choice decided this round.")),
            },
            Input::Key(KeyCode::Char('n')) => match self.next_better() {
                Some(place) => self.step = place,
                None => world.notice = Some(self.nothing_to_show("There are no mistakes in this round.")),
            },
            Input::Key(KeyCode::Char('p')) => return self.play_on(world),
            Input::Key(KeyCode::Char('?')) => {
                return Go::open(
                    Rules::seen_by(View::of_player(self.discover), self.round.rulebook(), world)
                        .with_keys("", &self.offers()),
                );
            }
            Input::Pick(step) => self.step = step.min(last),
            _ => {}
        }
        Ok(Go::Stay)
    }
}

impl ReviewView {
    /// The notice if there is nothing to jump to: `why`, unless there is no review.
    fn nothing_to_show(&self, why: &str) -> String {
        if self.review.is_some() { why } else { "There's no review of this round." }.to_owned()
    }

    /// Draws the number at this point, large.
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
