//! One round after another: what is said between them.

use std::sync::Arc;

use spoton::engine::play::Ending;
use spoton::people::review::{self, Audience};
use spoton::sitting;
use spoton::sitting::discovery::Spoiler;
use spoton::words::opponents::too_few_choices;
use spoton::words::page::wrap;
use spoton::words::phrases;

use super::commands::{Command, rules_page};
use super::console::{Answer, Console};
use super::table::Leaving;
use crate::failure::Failure;
use crate::game;
use crate::output::Colour;
use crate::sitting::Sitting;
use crate::sitting::autosave::kept_at;

/// What is said of a round that cannot be kept.
pub(super) const PROGRAM_IS_NOT_KEPT: &str = "A round with a program is not kept: no file may start one.";

pub struct Session<'a> {
    pub sitting: Sitting,
    pub console: &'a mut dyn Console,
    pub colour: Colour,
    /// Whether it has been said of this round that the rest plays itself.
    pub announced: bool,
}

impl Session<'_> {
    pub fn run(&mut self, mut taken_up: bool) -> Result<(), Failure> {
        if self.console.is_terminal() && self.sitting.a_person_plays() {
            let tip = "Type help at any time to see what you can type.\n";
            self.console.say(&self.colour.aside(tip))?;
            for opponent in self.sitting.setup().computers.0.into_iter().flatten() {
                let habit = self.sitting.habit(opponent)?;
                self.console.say(&self.colour.aside(&format!("{}\n", wrap(&habit, "", ""))))?;
            }
        }
        if self.console.is_terminal() && self.sitting.setup().help.discover {
            let on = "Discovery is on: find the secret yourselves. spoton discover off turns it off.\n";
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
                    // Whatever went wrong, the round is not lost.
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

    /// In a game with too few choices all opponents play much the same; better to know that.
    fn tell_of_levels(&mut self) -> Result<(), Failure> {
        let setup = self.sitting.setup();
        let mut opponents = setup.computers.0.iter().flatten();
        if !self.console.is_terminal() || !opponents.any(|opponent| !opponent.is_reference()) {
            return Ok(());
        }
        // If this cannot be found out quickly, there are choices enough.
        let games = self.sitting.games();
        let Some(ladder) = games.game(self.sitting.rulebook()).quick_ladder() else { return Ok(()) };
        if let Some(said) = too_few_choices(&ladder, &setup.game, games, game::by_variant) {
            self.console.say(&format!("{}\n", wrap(&said, "", "")))?;
        }
        Ok(())
    }

    /// Whoever begins a round that cannot be finished, or lets computers play it, should know.
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
            played if played > SHOWN => format!("{played} moves, the last of them {}", last.join(" ")),
            _ => last.join(" "),
        };
        let rulebook = Arc::clone(self.sitting.rulebook());
        self.console.notice(&format!("{}, taken up again. So far: {so_far}", rulebook.title()))?;
        if self.console.is_terminal() {
            let goal = self.goal();
            self.console.notice(&goal)?;
        }
        let setup = self.sitting.setup();
        if let Some(series) = setup.series.filter(|series| series.played() > 0) {
            self.console.notice(&phrases::score(&series, &setup.names))?;
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
        // The end of the input may be an accident; somebody who leaves a match before its first move means it.
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

    /// Looks back on the round; whether the players play on from its turning point.
    fn look_back(&mut self) -> Result<bool, Failure> {
        let review = match self.sitting.review() {
            Ok(review) => review,
            Err(failure @ Failure::TooLarge(_)) => {
                self.console.say(&format!("No look back: {failure}."))?;
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
        let plays_on = self.agrees("Play on from the turning point? [y/N] ")?;
        if plays_on {
            self.sitting.act(sitting::Command::PlayOn { moves: place })?;
        }
        Ok(plays_on)
    }

    /// A question that is answered with yes or no; no answer means no.
    fn agrees(&mut self, question: &str) -> Result<bool, Failure> {
        match self.console.ask(question)? {
            Answer::Line(line) => Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes")),
            Answer::End => Ok(false),
            Answer::Interrupted => Err(Failure::Interrupted),
        }
    }

    /// Whether there is another round: because the match goes on, or because the players want one.
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
            (true, true) => "Again? [Y/n] (s swaps seats, r looks back) ",
            (true, false) => "Swap seats and play again? [Y/n] (s keeps the seats, r looks back) ",
            (false, _) if self.sitting.setup().today.is_some() => {
                "Again, for practice? [Y/n] (r looks back) "
            }
            (false, _) => "Again? [Y/n] (r looks back) ",
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
                                (true, true) => "s swaps seats, ",
                                (true, false) => "s keeps the seats, ",
                                (false, _) => "",
                            };
                            let how = format!(
                                "Please answer y or n; {seats}r looks back, rules shows the rules of the game."
                            );
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
            self.console.say(&self.colour.aside("\nThis round is for practice, and counts for nothing."))?;
        }
        Ok(AfterRound::Round)
    }
}

/// What comes after a round.
enum AfterRound {
    Round,
    /// The same round again, from its turning point.
    PlayedOn,
    Nothing,
}
