//! Opponents: who they are, what they tend to do, and how they fare against each other.

use std::ffi::OsStr;
use std::rc::Rc;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, Game, Rulebook, catalog};
use spoton::people::chances::Odds;
use spoton::people::opponent::{Ladder, Opponent};
use spoton::people::solved_game::SolvedGames;
use spoton::sitting::Setup;
use spoton::sitting::discovery::Spoiler;

use super::canvas::{Canvas, below, columns, inset, row, words_that_fit};
use super::menu::Cursor;
use super::seats;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::game;
use crate::solving::ask;

/// The columns of a name in the table: the longest, and one to the next.
const COLUMN: u16 = 8;
/// The columns of what a row of the table is about.
const LABEL: u16 = 12;

pub struct Opponents {
    /// Those that are solved already.
    solved: Rc<SolvedGames>,
    games: Vec<Shown>,
    /// Which of the games is shown.
    game: usize,
    /// On whom the cursor is, in the order of the list.
    cursor: Cursor,
    /// Whether nothing is to be given away: then there are names and habits only.
    discovers: bool,
}

/// A game, with what was worked out when it was first shown.
struct Shown {
    game: Game,
    rulebook: Arc<Rulebook>,
    /// The ladder, or why there is none.
    ladder: Option<Result<Arc<Ladder>, String>>,
}

/// A line of the list.
enum Line {
    About(String),
    /// The place in the list, the rung from 1 on, and who stands there.
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

    /// The same, in a shipped game; in the one that Play now starts if there is none of this id.
    pub fn in_game(world: &World, id: &str) -> Result<Opponents, Failure> {
        let mut opponents = Opponents::new(world)?;
        let place = opponents.games.iter().position(|shown| shown.game.id() == id);
        opponents.game = place.unwrap_or(opponents.game);
        opponents.work_out()?;
        Ok(opponents)
    }

    /// Works out how everybody fares in the game that is shown, once.
    fn work_out(&mut self) -> Result<(), Failure> {
        let discovers = self.discovers;
        if let Some(shown) =
            self.games.get_mut(self.game).filter(|shown| shown.ladder.is_none() && !discovers)
        {
            shown.ladder =
                Some(match ask(&self.solved, &shown.rulebook, |game, budget| game.ladder(budget)) {
                    Ok(ladder) => Ok(ladder),
                    Err(Failure::TooLarge(why)) => Err(format!("How well they do here is not known: {why}.")),
                    Err(failure) => return Err(failure),
                });
        }
        Ok(())
    }

    fn ladder(&self) -> Option<&Ladder> {
        self.games.get(self.game)?.ladder.as_ref()?.as_deref().ok()
    }

    /// Everybody in order: those on the ladder with their rung, from 1 on, and then the references.
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
                "From gentle to strong; with so few choices, many are equally strong here."
            }
            Some(_) => "From gentle to strong; those with the same number are equally strong here.",
            None => "From the gentlest to the strongest:",
        };
        let mut lines = vec![Line::About(over.to_owned())];
        let mut before_references = true;
        for (index, (rung, opponent)) in self.everybody().into_iter().enumerate() {
            if opponent.is_reference() && std::mem::take(&mut before_references) {
                lines.push(Line::About("For comparison; these never change:".to_owned()));
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
                    // The habit begins with the name.
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

    /// The rows of the table: how often the chosen one wins, and draws if that happens, from both seats.
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
                let why = "Discovery is on: how well they do in a game is not given away.";
                canvas.wrapped(area, Tone::Plain, why);
                return;
            }
        };
        let Some(chosen) = self.chosen() else { return };
        let fit = usize::from(area.width.saturating_sub(LABEL) / COLUMN);
        let others = self.everybody().into_iter().map(|(_, opponent)| opponent);
        let others: Vec<Opponent> = others.filter(|other| *other != chosen).take(fit).collect();
        let title = chosen.title();
        canvas.text(
            row(area, 0),
            Tone::Strong,
            &format!("How often {title} wins, out of 100 rounds against"),
        );
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
            true => "Exact chances, not samples. Sage, who avoids going in circles, is counted without that.",
            false => "These are exact chances, not samples.",
        };
        canvas.wrapped(below(area, 3 + rows.len() as u16), Tone::Faint, note);
    }

    fn show(&mut self, step: usize) -> Result<(), Failure> {
        let chosen = self.chosen();
        self.game = (self.game + step) % self.games.len().max(1);
        self.work_out()?;
        // The same one, wherever it stands in this game.
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
            (Tone::Faint, format!("   ({keys} another)")),
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
            Offer::enter(format!("play {name} here")),
            Offer::escape("back"),
            Offer::new(Input::Key(KeyCode::Right), "Right", "another game"),
            Offer::new(Input::Key(KeyCode::Down), "Down", "somebody else"),
        ]
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let games = self.games.len();
        let items = self.everybody().len();
        match input {
            Input::ESCAPE => return Ok(Go::Back),
            Input::Key(KeyCode::Left) => self.show(games.saturating_sub(1))?,
            Input::Key(KeyCode::Right) => self.show(1)?,
            // A click looks at somebody; it does not start a round.
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
