//! A side round that shows why an idea fails.

use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::engine::position::ByPlayer;
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::Game;
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::phrases;
use spoton::words::typed::{self, Typed};

use super::commands::Command;
use super::console::Answer;
use super::session::Session;
use crate::failure::Failure;
use crate::solving::look_ahead;

impl Session<'_> {
    /// Plays a side round: the computer plays its best from the number that the person left.
    pub(super) fn play_out(&mut self, number: i64) -> Result<(), Failure> {
        let person = self.sitting.round().position().turn();
        let rulebook = Arc::new(Game::from_number(self.sitting.rulebook(), number).rulebook()?);
        let mut aside = Round::new(rulebook, !person);
        aside.skip_forced_turns();
        let names = self.sitting.setup().names.clone();
        self.console.say(&format!("\nYou left {number}. Type quit to return to your round."))?;
        while aside.outcome().is_none() {
            match aside.position().turn() == person {
                false => {
                    let games = self.sitting.games();
                    let best = look_ahead(games, |ahead| ahead.chances(Opponent::perfect(), &aside))?;
                    let Some(choice) = best.pick(0.0) else { break };
                    let operation = aside.rulebook().write(Move::Operation(choice));
                    if aside.choose(choice).is_err() {
                        break;
                    }
                    let number = aside.number_of(!person);
                    self.console.say(&format!("I play {operation}: {number}."))?;
                }
                true => {
                    let operations = aside.rulebook().legal(aside.position());
                    let operations =
                        operations.iter().map(|choice| aside.rulebook().write(Move::Operation(choice)));
                    let prompt = format!("Your move ({}): ", phrases::or_list(operations));
                    let line = match self.console.ask(&prompt)? {
                        Answer::Line(line) => line,
                        Answer::End => break,
                        Answer::Interrupted => return Err(Failure::Interrupted),
                    };
                    match Command::read(&line) {
                        Some(Command::Quit) => break,
                        Some(_) => {
                            self.console.say("Type a move, or quit to return to your round.")?;
                            continue;
                        }
                        None => {}
                    }
                    match typed::read(&line, &aside) {
                        Ok(Typed::Choice(choice)) => drop(aside.choose(choice)),
                        Ok(Typed::Kind(_)) => self.console.say("Type the whole move, such as +1.")?,
                        Err(why) => self.console.say(&why)?,
                    }
                }
            }
        }
        let voice = Voice { names: &names, computers: ByPlayer::default(), paint: &|_, text| text };
        if let Some(ending) = (Dialogue { round: &aside, voice: &voice }).ending() {
            self.console.say(&ending)?;
        }
        self.console.say("Back to your round.")?;
        Ok(())
    }
}
