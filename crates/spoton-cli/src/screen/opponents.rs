//! The opponents, their habits, and their odds against each other.

use std::ffi::OsStr;
use std::rc::Rc;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::Spoiler;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::chances::Odds;
use spoton::evaluate::opponent::{Ladder, Opponent};
use spoton::format::{Changes, Game, Rulebook, catalog};
use spoton::sitting::Setup;
use spoton::solved::SolvedGames;

use super::canvas::{Canvas, below, columns, inset, row, words_that_fit};
use super::menu::Cursor;
use super::seats;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::game;
use crate::solving::ask;

/// The width of a name in the table.
const COLUMN: u16 = 8;
/// Columns of a row's label.
const LABEL: u16 = 12;

pub struct Opponents {
    /// Cache of solved games.
    solved: Rc<SolvedGames>,
    games: Vec<Shown>,
    /// The game shown.
    game: usize,
    /// The chosen opponent, in list order.
    cursor: Cursor,
    /// In discovery mode only names and habits are shown.
    discovers: bool,
}

/// A game with its ladder, computed when first shown.
struct Shown {
    game: Game,
    rulebook: Arc<Rulebook>,
    /// The ladder, or why there is none.
    ladder: Option<Result<Arc<Ladder>, String>>,
}

/// A line of the list.
enum Line {
    About(String),
    /// An opponent, with its list index and its rung, counted from 1.
    Somebody(usize, Option<usize>, Opponent),
}

impl Opponents {
    pub fn new(world: &World) -> Result<Opponents, Failure> {
        let shown = |id: &str| -> Result<Shown, Failure> {
            let game = game::find(OsStr::new(id), &Changes::default())?;
            let rulebook = Arc::new(game.rulebook()?);
            Ok(Shown { game, rulebook, ladder: None })
        };
        let games = catalog::ids().map(shown).collect::<Result<Vec<Shown>, Failure>>()?;
        let discovers = world.view().hides(Spoiler::Facts);
        let mut opponents = Opponents {
            solved: Rc::clone(&world.games),
            games,
            game: catalog::ids().position(|id| id == catalog::FIRST).unwrap_or(0),
            cursor: Cursor::default(),
            discovers,
        };
        opponents.work_out()?;
        Ok(opponents)
    }

    /// The opponents in a shipped game, or in the Play now game if the id is unknown.
    pub fn in_game(world: &World, id: &str) -> Result<Opponents, Failure> {
        let mut opponents = Opponents::new(world)?;
        let place = opponents.games.iter().position(|shown| shown.game.id() == id);
        opponents.game = place.unwrap_or(opponents.game);
        opponents.work_out()?;
        Ok(opponents)
    }

    /// Computes the current game's ladder once.
    fn work_out(&mut self) -> Result<(), Failure> {
        let discovers = self.discovers;
        if let Some(shown) =
            self.games.get_mut(self.game).filter(|shown| shown.ladder.is_none() && !discovers)
        {
            shown.ladder =
                Some(match ask(&self.solved, &shown.rulebook, |game, budget| game.ladder(budget)) {
                    Ok(ladder) => Ok(ladder),
                    Err(Failure::TooLarge(why)) => Err(format!("No win rates here: the game is {why}.")),
                    Err(failure) => return Err(failure),
                });
        }
        Ok(())
    }

    fn ladder(&self) -> Option<&Ladder> {
        self.games.get(self.game)?.ladder.as_ref()?.as_deref().ok()
    }

    /// All opponents in order: those on the ladder with their rung, then the references.
    fn everybody(&self) -> Vec<(Option<usize>, Opponent)> {
        let references = Opponent::all().filter(|opponent| opponent.is_reference());
        let on_ladder: Vec<(Option<usize>, Opponent)> = match self.ladder() {
            Some(ladder) => {
                let rungs = ladder.rungs.iter().enumerate();
                let on_rung = rungs.flat_map(|(index, rung)| {
                    rung.opponents.iter().map(move |opponent| (Some(index + 1), *opponent))
                });
                on_rung.collect()
            }
            None => Opponent::for_people().map(|opponent| (None, opponent)).collect(),
        };
        on_ladder.into_iter().chain(references.map(|opponent| (None, opponent))).collect()
    }

    fn chosen(&self) -> Option<Opponent> {
        self.everybody().get(self.cursor.0).map(|(_, opponent)| *opponent)
    }

    fn lines(&self) -> Vec<Line> {
        let over = match self.ladder() {
            Some(ladder) if !ladder.has_levels() => {
                "Easy to strong. With few choices, many are equally strong."
            }
            Some(_) => "Easy to strong. Same number: equally strong here.",
            None => "Easiest to strongest:",
        };
        let mut lines = vec![Line::About(over.to_owned())];
        let mut before_references = true;
        for (index, (rung, opponent)) in self.everybody().into_iter().enumerate() {
            if opponent.is_reference() && std::mem::take(&mut before_references) {
                lines.push(Line::About("For comparison (they never change):".to_owned()));
            }
            lines.push(Line::Somebody(index, rung, opponent));
        }
        lines
    }

    fn draw_lines(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let lines = self.lines();
        let is_here = |line: &Line| matches!(line, Line::Somebody(index, _, _) if *index == self.cursor.0);
        let here = lines.iter().position(is_here).unwrap_or(0);
        let fit = usize::from(area.height);
        let first = here.saturating_sub(fit / 2).min(lines.len().saturating_sub(fit));
        for (y, line) in lines.iter().skip(first).take(fit).enumerate() {
            let place = row(area, y as u16);
            match line {
                Line::About(about) => canvas.text(place, Tone::Faint, &words_that_fit(about, place.width)),
                Line::Somebody(index, rung, opponent) => {
                    let here = *index == self.cursor.0;
                    let sign = if here { canvas.theme.signs.cursor } else { " " };
                    let rung = rung.map_or(" ".to_owned(), |rung| rung.to_string());
                    let habit = opponent.habit();
                    // The habit starts with the name.
                    let (name, habit) = match habit.strip_prefix(opponent.title()) {
                        Some(rest) => (opponent.title(), rest.to_owned()),
                        None => ("", habit.into_owned()),
                    };
                    let tone = if here { Tone::Chosen } else { Tone::Strong };
                    let taken = columns(sign) + columns(&rung) + columns(name) + 2;
                    let habit = words_that_fit(&habit, place.width.saturating_sub(taken as u16));
                    canvas.pieces(
                        place,
                        [
                            (Tone::Strong, format!("{sign} ")),
                            (Tone::Faint, format!("{rung} ")),
                            (tone, name.to_owned()),
                            (Tone::Plain, habit),
                        ],
                    );
                    canvas.spot(place, Input::Pick(*index));
                }
            }
        }
    }

    /// The table rows: the chosen opponent's wins from both seats, and draws if there are any.
    fn rows(&self, ladder: &Ladder, chosen: Opponent, others: &[Opponent]) -> Vec<(&'static str, Vec<f64>)> {
        let nobody_wins = Odds { wins: ByPlayer::default() };
        let between = |first, second| ladder.odds(first, second).unwrap_or(nobody_wins);
        let of = |share: &dyn Fn(Opponent) -> f64| others.iter().map(|other| share(*other)).collect();
        let draws_first: Vec<f64> = of(&|other| between(chosen, other).drawn());
        let draws_second: Vec<f64> = of(&|other| between(other, chosen).drawn());
        let mut rows = vec![
            ("goes first", of(&|other| between(chosen, other).wins[Player::One])),
            ("goes second", of(&|other| between(other, chosen).wins[Player::Two])),
        ];
        if draws_first.iter().chain(&draws_second).any(|share| *share > 5e-4) {
            rows.insert(1, ("   and draws", draws_first));
            rows.push(("   and draws", draws_second));
        }
        rows
    }

    fn draw_table(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let ladder = match self.games.get(self.game).and_then(|shown| shown.ladder.as_ref()) {
            Some(Ok(ladder)) => ladder,
            Some(Err(why)) => {
                canvas.wrapped(area, Tone::Plain, why);
                return;
            }
            None => {
                let why = "Discovery mode is on, so win rates are hidden.";
                canvas.wrapped(area, Tone::Plain, why);
                return;
            }
        };
        let Some(chosen) = self.chosen() else { return };
        let fit = usize::from(area.width.saturating_sub(LABEL) / COLUMN);
        let others = self.everybody().into_iter().map(|(_, opponent)| opponent);
        let others: Vec<Opponent> = others.filter(|other| *other != chosen).take(fit).collect();
        let title = chosen.title();
        canvas.text(row(area, 0), Tone::Strong, &format!("{title}'s wins in 100 rounds against"));
        let names: String = others.iter().map(|other| format!("{:>8}", other.title())).collect();
        let label = usize::from(LABEL);
        canvas.text(row(area, 1), Tone::Faint, &format!("{:label$}{names}", ""));
        let rows = self.rows(ladder, chosen, &others);
        for (y, (about, shares)) in (2..).zip(&rows) {
            let cells: String = shares.iter().map(|share| format!("{:>8.1}", share * 100.0)).collect();
            let tone = if about.starts_with(' ') { Tone::Faint } else { Tone::Plain };
            canvas.pieces(row(area, y), [(Tone::Faint, format!("{about:<label$}")), (tone, cells)]);
        }
        let circles = self.games.get(self.game).is_some_and(|shown| shown.rulebook.may_repeat());
        let note = match circles {
            true => "These odds are exact, but they ignore Sage's habit of avoiding repeats.",
            false => "These odds are exact.",
        };
        canvas.wrapped(below(area, 3 + rows.len() as u16), Tone::Faint, note);
    }

    fn show(&mut self, step: usize) -> Result<(), Failure> {
        let chosen = self.chosen();
        self.game = (self.game + step) % self.games.len().max(1);
        self.work_out()?;
        // Keep the same opponent chosen.
        let place = self.everybody().iter().position(|(_, opponent)| Some(*opponent) == chosen);
        self.cursor = Cursor(place.unwrap_or(0));
        Ok(())
    }
}

impl Screen for Opponents {
    fn title(&self) -> String {
        "Opponents".to_owned()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let area = inset(area, area.width.saturating_sub(90) / 2);
        let title = self.games.get(self.game).map_or("", |shown| shown.rulebook.title());
        let keys = canvas.theme.signs.left_right;
        let pieces = [
            (Tone::Plain, "Game: ".to_owned()),
            (Tone::Number, title.to_owned()),
            (Tone::Faint, format!("   ({keys} to change)")),
        ];
        canvas.pieces(row(area, 0), pieces);
        let table = 6.min(area.height / 2);
        let list = below(area, 1);
        let lines = self.lines().len() as u16;
        let height = lines.min(list.height.saturating_sub(table + 1));
        self.draw_lines(canvas, Rect { height, ..list });
        self.draw_table(canvas, below(list, height + 1));
    }

    fn offers(&self) -> Vec<Offer> {
        let name = self.chosen().map_or("them", Opponent::title);
        vec![
            Offer::enter(format!("play {name}")),
            Offer::escape("back"),
            Offer::new(Input::Key(KeyCode::Right), "Right", "next game"),
            Offer::new(Input::Key(KeyCode::Down), "Down", "next opponent"),
        ]
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let games = self.games.len();
        let items = self.everybody().len();
        match input {
            Input::ESCAPE => return Ok(Go::Back),
            Input::Key(KeyCode::Left) => self.show(games.saturating_sub(1))?,
            Input::Key(KeyCode::Right) => self.show(1)?,
            // A click selects an opponent; it doesn't start a round.
            Input::Pick(index) if index < items => self.cursor = Cursor(index),
            Input::ENTER => {
                if let (Some(opponent), Some(shown)) = (self.chosen(), self.games.get(self.game)) {
                    let computers = ByPlayer([None, Some(opponent)]);
                    let mut setup = Setup::new(shown.game.clone(), computers, Player::One, world.dice());
                    setup.help.discover = world.discovers();
                    if let Some(name) = seats::remembered_name(world) {
                        setup.names[Player::One] = name;
                    }
                    return Go::open(seats::sit_down(setup, world)?);
                }
            }
            input => {
                self.cursor.moved(input, items);
            }
        }
        Ok(Go::Stay)
    }
}
