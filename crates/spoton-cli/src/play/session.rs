//! The loop over rounds, and what happens between them.

use std::sync::Arc;

use spoton::discovery::Spoiler;
use spoton::engine::play::Ending;
use spoton::sitting;
use spoton::words::opponents::too_few_choices;
use spoton::words::page::wrap;
use spoton::words::phrases;
use spoton::words::review::{self, Audience};

use super::commands::{Command, rules_page};
use super::console::{Answer, Console};
use super::table::Leaving;
use crate::failure::Failure;
use crate::game;
use crate::output::Colour;
use crate::sitting::Sitting;
use crate::sitting::autosave::kept_at;

/// The notice for a round that can't be saved.
pub(super) const PROGRAM_IS_NOT_KEPT: &str =
    "Rounds with an outside program aren't saved: opening a save must never start a program.";

pub struct Session<'a> {
    pub sitting: Sitting,
    pub console: &'a mut dyn Console,
    pub colour: Colour,
    /// Whether this round's forced ending was announced.
    pub announced: bool,
}

impl Session<'_> {
    pub fn run(&mut self, mut taken_up: bool) -> Result<(), Failure> {
        if self.console.is_terminal() && self.sitting.a_person_plays() {
            let tip = "Type help at any time for the list of commands.\n";
            self.console.say(&self.colour.aside(tip))?;
            for opponent in self.sitting.setup().computers.0.into_iter().flatten() {
                let habit = self.sitting.habit(opponent)?;
                self.console.say(&self.colour.aside(&format!("{}\n", wrap(&habit, "", ""))))?;
            }
        }
        if self.console.is_terminal() && self.sitting.setup().help.discover {
            let on = "Discovery mode is on. To turn it off: spoton config discovery off\n";
            self.console.say(&self.colour.aside(on))?;
        }
        self.tell_of_levels()?;
        self.tell_of_length()?;
        loop {
            if taken_up {
                self.tell_where_it_stands()?;
            }
            self.announced = false;
            match self.play(!taken_up) {
                Ok(None) => {}
                Ok(Some(leaving)) => return self.leave(leaving),
                Err(Failure::Interrupted) => return self.leave(Leaving::Interrupted),
                Err(failure) => {
                    // Save the round before reporting the failure.
                    if self.sitting.round().outcome().is_none() {
                        self.sitting.note();
                        self.sitting.autosave.keep()?;
                    }
                    return Err(failure);
                }
            }
            self.round_is_over()?;
            match self.goes_on()? {
                AfterRound::Round => taken_up = false,
                AfterRound::PlayedOn => taken_up = true,
                AfterRound::Nothing => return Ok(()),
            }
            self.console.say("")?;
        }
    }

    /// Warns about a game with so few choices that all opponents play alike.
    fn tell_of_levels(&mut self) -> Result<(), Failure> {
        let setup = self.sitting.setup();
        let mut opponents = setup.computers.0.iter().flatten();
        if !self.console.is_terminal() || !opponents.any(|opponent| !opponent.is_reference()) {
            return Ok(());
        }
        // If the check takes long, the game has enough choices.
        let games = self.sitting.games();
        let Some(ladder) = games.game(self.sitting.rulebook()).quick_ladder() else { return Ok(()) };
        if let Some(said) = too_few_choices(&ladder, &setup.game, games, game::by_variant) {
            self.console.say(&format!("{}\n", wrap(&said, "", "")))?;
        }
        Ok(())
    }

    /// Warns about a round that is too long to finish.
    fn tell_of_length(&mut self) -> Result<(), Failure> {
        let game = self.sitting.games().game(self.sitting.rulebook());
        if let Some(power) = game.length_beyond_patience() {
            self.console.notice(&format!("{}\n", wrap(&phrases::beyond_patience(power), "", "")))?;
        }
        Ok(())
    }

    fn tell_where_it_stands(&mut self) -> Result<(), Failure> {
        const SHOWN: usize = 12;
        let history = self.sitting.round().history();
        let last: Vec<String> = history[history.len().saturating_sub(SHOWN)..]
            .iter()
            .map(|ply| self.sitting.rulebook().write(ply.a_move))
            .collect();
        let so_far = match history.len() {
            0 => "no moves yet".to_owned(),
            played if played > SHOWN => format!("{played} moves, ending with {}", last.join(" ")),
            _ => last.join(" "),
        };
        let rulebook = Arc::clone(self.sitting.rulebook());
        self.console.notice(&format!("{} resumed. Moves so far: {so_far}", rulebook.title()))?;
        if self.console.is_terminal() {
            let goal = self.goal();
            self.console.notice(&goal)?;
        }
        if let Some(series) = self.sitting.setup().series.filter(|series| series.played() > 0) {
            self.console.notice(&phrases::score(&series, &self.sitting.names_to_read()))?;
        }
        if self.console.is_terminal() {
            self.console.say("")?;
        }
        Ok(())
    }

    fn leave(&mut self, leaving: Leaving) -> Result<(), Failure> {
        if self.sitting.has_begun() && self.sitting.a_program_plays() {
            self.console.notice(PROGRAM_IS_NOT_KEPT)?;
        }
        // End of input may be an accident. Quitting a match before its first move is deliberate.
        if self.sitting.has_begun() || leaving != Leaving::Quit {
            self.sitting.note();
            if let Some(path) = self.sitting.autosave.keep()? {
                self.console.notice(&kept_at(&path, self.sitting.folders()))?;
            }
        }
        match leaving {
            Leaving::Interrupted => Err(Failure::Interrupted),
            Leaving::Quit | Leaving::EndOfInput => Ok(()),
        }
    }

    fn round_is_over(&mut self) -> Result<(), Failure> {
        let end = self.sitting.round_is_over();
        for trouble in end.trouble {
            trouble.tell(false, Colour::none());
        }
        let forfeited =
            self.sitting.round().outcome().is_some_and(|outcome| outcome.ending == Ending::Forfeited);
        for trouble in self.sitting.trouble().into_iter().filter(|_| forfeited) {
            self.console.notice(&trouble)?;
        }
        if let Some((line, streak)) = end.today {
            self.console.say(&format!("\n{line}\n{streak}"))?;
        }
        if let Some(next) = end.meets_next.filter(|_| self.console.is_terminal()) {
            self.console.say(&self.colour.aside(&format!("\n{next}")))?;
        }
        if let Some(told) = self.sitting.match_in_words() {
            self.console.say(&format!("\n{told}"))?;
        }
        Ok(())
    }

    /// Reviews the round. Returns whether to play on from its turning point.
    fn look_back(&mut self) -> Result<bool, Failure> {
        let review = match self.sitting.review() {
            Ok(review) => review,
            Err(failure @ Failure::TooLarge(_)) => {
                self.console.say(&format!("No review: {failure}."))?;
                return Ok(false);
            }
            Err(failure) => return Err(failure),
        };
        let setup = self.sitting.setup();
        let you = self.sitting.only_person();
        let discover = self.sitting.view().hides(Spoiler::TurningPoint);
        let audience = Audience { names: &setup.names, you, discover };
        let said = review::page(&review, self.sitting.round(), &audience);
        self.console.say(&format!("\n{said}"))?;
        let Some((place, _)) = review.turning_point().filter(|_| setup.series.is_none() && !discover) else {
            return Ok(false);
        };
        let plays_on = self.agrees("Replay from the turning point? [y/N] ")?;
        if plays_on {
            self.sitting.act(sitting::Command::PlayOn { moves: place })?;
        }
        Ok(plays_on)
    }

    /// Asks a yes-or-no question; no answer means no.
    fn agrees(&mut self, question: &str) -> Result<bool, Failure> {
        match self.console.ask(question)? {
            Answer::Line(line) => Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes")),
            Answer::End => Ok(false),
            Answer::Interrupted => Err(Failure::Interrupted),
        }
    }

    /// Decides whether to play another round: the next one of a match, or one the players ask for.
    fn goes_on(&mut self) -> Result<AfterRound, Failure> {
        if self.sitting.match_goes_on() {
            self.sitting.act(sitting::Command::NextRound)?;
            return Ok(AfterRound::Round);
        }
        if !self.console.is_terminal() || !self.sitting.a_person_plays() {
            return Ok(AfterRound::Nothing);
        }
        self.console.say("")?;
        if let Some((seat, blameless)) = self.sitting.seat_was_lost()? {
            self.console.say(&phrases::lost_seat(seat, blameless))?;
        }
        let first = self.sitting.next_first()?;
        let (can_swap, same_seats) = (self.sitting.can_swap_seats(), first == self.sitting.round().first());
        let question = match (can_swap, same_seats) {
            (true, true) => "Play again? [Y/n] (s: swap seats, r: review) ",
            (true, false) => "Swap seats and play again? [Y/n] (s: keep seats, r: review) ",
            (false, _) if self.sitting.setup().today.is_some() => {
                "Play again for practice? [Y/n] (r: review) "
            }
            (false, _) => "Play again? [Y/n] (r: review) ",
        };
        let mut swaps = false;
        loop {
            match self.console.ask(question)? {
                Answer::Line(line) => match line.trim().to_lowercase().as_str() {
                    "" | "y" | "yes" => break,
                    "s" if can_swap => {
                        swaps = true;
                        break;
                    }
                    "n" | "no" | "q" | "quit" | "exit" => return Ok(AfterRound::Nothing),
                    "r" => {
                        if self.look_back()? {
                            return Ok(AfterRound::PlayedOn);
                        }
                    }
                    line => match Command::read(line) {
                        Some(Command::Rules) => {
                            self.console.say(&rules_page(self.sitting.rulebook(), self.sitting.view()))?
                        }
                        _ => {
                            let seats = match (can_swap, same_seats) {
                                (true, true) => "s to swap seats, ",
                                (true, false) => "s to keep your seats, ",
                                (false, _) => "",
                            };
                            let how =
                                format!("Type y or n, {seats}r for the review, or rules to see the rules.");
                            self.console.say(&how)?;
                        }
                    },
                },
                Answer::End => return Ok(AfterRound::Nothing),
                Answer::Interrupted => return Err(Failure::Interrupted),
            }
        }
        self.sitting.act(match can_swap {
            true => sitting::Command::PlayAgain { first: if swaps { !first } else { first } },
            false => sitting::Command::NextRound,
        })?;
        if self.sitting.setup().today.is_some() {
            self.console.say(&self.colour.aside("\nThis round is practice and doesn't count."))?;
        }
        Ok(AfterRound::Round)
    }
}

/// The next step after a round.
enum AfterRound {
    Round,
    /// Restarts the round from its turning point.
    PlayedOn,
    Nothing,
}
