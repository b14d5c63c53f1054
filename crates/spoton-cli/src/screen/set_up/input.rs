//! Keys and clicks in Set-up.

use ratatui::crossterm::event::KeyCode;

use super::{AIDS, FIRSTS, LEFT, RIGHT, Row, SURPRISE, SetUp, Target};
use crate::failure::Failure;
use crate::game;
use crate::screen::{Input, World};
use spoton::format::Changes;

/// How far to search for the next valid target.
const FAR: i64 = 100;

/// The longest name that fits on a board.
pub(super) const LONGEST_NAME: usize = 20;

impl SetUp {
    /// Changes the chosen option.
    fn turn(&mut self, up: bool, world: &mut World) -> Result<(), Failure> {
        match self.here {
            Row::Game => {
                let count = self.games.len();
                let place = self.place.map_or(0, |place| turned(place, count, up));
                if let Some(name) = self.games.get(place) {
                    let game = game::find(name, &Changes::default())?;
                    self.place = Some(place);
                    self.take(game)?;
                }
            }
            Row::Way => {
                self.way = turned(self.way, self.ways.len(), up);
                self.target = Target::Own;
                self.lay_over()?;
            }
            Row::Target => self.turn_target(up, world)?,
            Row::Rival => self.rival = turned(self.rival, self.rivals.len(), up),
            Row::First => self.first = next(&FIRSTS, self.first, up),
            Row::Form => self.form = turned(self.form, self.forms.len(), up),
            Row::Help => {
                self.aid = next(&AIDS, self.aid, up);
                self.tell_out_of_reach();
            }
            Row::Undo => self.undo = !self.undo,
            Row::Name(_) => {}
        }
        Ok(())
    }

    /// Goes to the next valid target.
    fn turn_target(&mut self, up: bool, world: &mut World) -> Result<(), Failure> {
        let now = match &self.target {
            Target::Typed(typed) => typed.parse().ok(),
            Target::Own | Target::Drawn => None,
        };
        let Some(now) = now.or(self.rulebook.target()) else { return Ok(()) };
        let step = if up { 1 } else { -1 };
        let further = (1..=FAR).filter_map(|far| now.checked_add(step * far));
        match further.into_iter().find(|target| self.with_target(*target).is_some()) {
            Some(target) => {
                self.target = Target::Typed(target.to_string());
                self.lay_over()?;
            }
            None => {
                let which = if up { "higher" } else { "lower" };
                world.notice = Some(format!("This game has no {which} target."));
            }
        }
        Ok(())
    }

    fn surprise(&mut self, world: &mut World) -> Result<(), Failure> {
        if self.target == Target::Drawn {
            self.target = Target::Own;
        } else if self.span.is_some() {
            self.target = Target::Drawn;
        } else {
            world.notice = Some("This game has no other targets.".to_owned());
        }
        self.lay_over()
    }

    /// Types into the chosen option.
    fn type_letter(&mut self, letter: char, world: &mut World) -> Result<(), Failure> {
        const LONGEST_NUMBER: usize = 20;
        match self.here {
            Row::Name(player) => {
                let name = &mut self.names[player];
                if letter == ',' {
                    world.notice = Some("Names can't contain a comma.".to_owned());
                } else if name.chars().count() >= LONGEST_NAME {
                    world.notice = Some(format!("Names can have up to {LONGEST_NAME} characters."));
                } else {
                    name.push(letter);
                }
            }
            Row::Target if letter == 's' => self.surprise(world)?,
            Row::Target if letter.is_ascii_digit() || letter == '-' => {
                let mut typed = match &self.target {
                    Target::Typed(typed) if self.types_target => typed.clone(),
                    _ => String::new(),
                };
                self.types_target = true;
                if typed.len() < LONGEST_NUMBER {
                    typed.push(letter);
                    self.target = Target::Typed(typed);
                    self.lay_over()?;
                }
            }
            _ if letter == '-' => self.turn(false, world)?,
            _ if matches!(letter, '+' | ' ') => self.turn(true, world)?,
            _ => {}
        }
        Ok(())
    }

    fn rub_out(&mut self) -> Result<(), Failure> {
        match self.here {
            Row::Name(player) => {
                self.names[player].pop();
            }
            Row::Target => {
                self.types_target = true;
                let mut typed = match &self.target {
                    Target::Typed(typed) => typed.clone(),
                    Target::Own => self.value(Row::Target),
                    Target::Drawn => String::new(),
                };
                typed.pop();
                self.target = if typed.is_empty() { Target::Own } else { Target::Typed(typed) };
                self.lay_over()?;
            }
            _ => {}
        }
        Ok(())
    }

    fn go_to(&mut self, index: usize) {
        if let Some(row) = self.rows().get(index) {
            self.here = *row;
            self.types_target = false;
        }
    }

    fn step(&mut self, down: bool) {
        let rows = self.rows();
        let at = rows.iter().position(|row| *row == self.here).unwrap_or(0);
        let to = if down { (at + 1).min(rows.len() - 1) } else { at.saturating_sub(1) };
        self.go_to(to);
    }

    pub(super) fn change(&mut self, input: Input, world: &mut World) -> Result<(), Failure> {
        match input {
            Input::Key(KeyCode::Up | KeyCode::BackTab) => self.step(false),
            Input::Key(KeyCode::Down | KeyCode::Tab) => self.step(true),
            Input::Key(KeyCode::Home) => self.go_to(0),
            Input::Key(KeyCode::End) => self.go_to(self.rows().len() - 1),
            Input::Key(KeyCode::Left) => self.turn(false, world)?,
            Input::Key(KeyCode::Right) => self.turn(true, world)?,
            Input::Key(KeyCode::Backspace | KeyCode::Delete) => self.rub_out()?,
            Input::Key(KeyCode::Char(letter)) => self.type_letter(letter, world)?,
            Input::Pick(SURPRISE) => {
                self.here = Row::Target;
                self.surprise(world)?;
            }
            Input::Pick(index) if index >= RIGHT => {
                self.go_to(index - RIGHT);
                self.turn(true, world)?;
            }
            Input::Pick(index) if index >= LEFT => {
                self.go_to(index - LEFT);
                self.turn(false, world)?;
            }
            Input::Pick(index) if self.rows().get(index) == Some(&self.here) => self.turn(true, world)?,
            Input::Pick(index) => self.go_to(index),
            Input::Key(_) => {}
        }
        Ok(())
    }
}

/// The next position, wrapping around.
fn turned(place: usize, count: usize, up: bool) -> usize {
    let count = count.max(1);
    if up { (place + 1) % count } else { (place + count - 1) % count }
}

fn next<T: Copy + PartialEq>(all: &[T], now: T, up: bool) -> T {
    let place = all.iter().position(|known| *known == now).unwrap_or(0);
    all.get(turned(place, all.len(), up)).copied().unwrap_or(now)
}
