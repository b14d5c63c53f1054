//! Read-only queries on a sitting.

use std::sync::Arc;

use super::{Aftermath, Cannot, Lookahead, MOST_PLIES, Setup, Sitting, Unfinished, save};
use crate::design::today::{Attempt, Score};
use crate::discovery::{Spoiler, View};
use crate::engine::position::{ByPlayer, Choice, Player};
use crate::engine::round::Round;
use crate::evaluate::opponent::{Chances, Opponent};
use crate::format::Rulebook;
use crate::records::Record;
use crate::solved::outlook::Outlook;
use crate::solver::Value;
use crate::teach::review::Review;
use crate::words::phrases;

/// Shown for an opponent that counts moves in a game where that's impossible.
const CANNOT_COUNT: &str = "can't count the moves of a game this large. Play against Sound instead.";

impl Sitting {
    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The players' permissions.
    pub fn view(&self) -> View {
        View::of_player(self.setup.help.discover)
    }

    /// The current round, or the last one.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// This round's rule book, including its target.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.round.rulebook()
    }

    /// The results of the round; `None` while it isn't over.
    pub fn aftermath(&self) -> Option<&Aftermath> {
        self.aftermath.as_ref()
    }

    /// The only person, against a computer.
    pub fn only_person(&self) -> Option<Player> {
        self.setup.only_person()
    }

    /// Whether any person plays.
    pub fn a_person_plays(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.setup.is_person(player))
    }

    /// Whether an outside program plays.
    pub fn a_program_plays(&self) -> bool {
        self.setup.programs.0.iter().any(Option::is_some)
    }

    /// The computer to move, if any.
    pub fn computer(&self) -> Option<Opponent> {
        self.setup.computers[self.round.position().turn()]
    }

    /// Whether a match is being played and is still undecided.
    pub fn match_goes_on(&self) -> bool {
        self.setup.series.is_some_and(|series| series.result().is_none())
    }

    /// The score or the result of the match.
    pub fn match_in_words(&self) -> Option<String> {
        let series = self.setup.series?;
        let names = self.names_to_read();
        Some(match series.result() {
            Some(result) => phrases::match_result(&series, result, &names),
            None => phrases::score(&series, &names),
        })
    }

    /// The players' names. The only person, who plays against a computer, is "You".
    pub fn names_to_read(&self) -> ByPlayer<String> {
        let mut names = self.setup.names.clone();
        if let Some(you) = self.only_person() {
            phrases::YOU.clone_into(&mut names[you]);
        }
        names
    }

    /// Whether this round counts. A try-out after a review doesn't.
    pub fn counts(&self) -> bool {
        !self.setup.tried_out
    }

    /// The score of a daily duel; `None` if the round isn't one, isn't over, or is a try-out.
    pub fn todays_score(&self) -> Option<(Attempt, Score)> {
        let attempt = self.setup.today.filter(|_| self.counts())?;
        Some((attempt, Score::for_round(&self.round, self.only_person()?, attempt.hints)?))
    }

    /// Whether only counted help is available, as in a daily duel that counts. The line to share wouldn't show the use
    /// of maps and tested ideas.
    pub fn counts_help(&self) -> bool {
        self.round.outcome().is_none()
            && self.counts()
            && self.setup.today.is_some_and(|attempt| attempt.counts)
    }

    /// Whether there's anything to save if the players leave now.
    pub fn has_begun(&self) -> bool {
        self.setup.has_begun(&self.round)
    }

    /// The state to save if the players leave now: the current round, or the next one in a match. `None` if nothing is
    /// unfinished, for a side round, or if an outside program plays, since a save must never start a program.
    pub fn unfinished(&self) -> Option<Unfinished> {
        if self.setup.aside || self.a_program_plays() {
            return None;
        }
        if self.round.outcome().is_none() {
            let round = self.round.clone();
            return Some(Unfinished::new(&self.setup, round, self.refused, save::Form::Save));
        }
        if !self.match_goes_on() {
            return None;
        }
        let next = self.next_setup();
        let rulebook = next.rulebook().ok()?;
        let round = Round::new(Arc::new(rulebook), self.alternating_first());
        // The starter may be stuck immediately.
        let nothing_refused = ByPlayer::default();
        round.outcome().is_none().then(|| Unfinished::new(&next, round, nothing_refused, save::Form::Save))
    }

    /// The round's record so far, without the seed that determines the rest.
    pub fn record(&self) -> Record {
        let over = self.aftermath.as_ref().map(|aftermath| aftermath.record.clone());
        over.unwrap_or_else(|| {
            let mut record = Record::from_round(&self.round, &save::circumstances(&self.setup));
            record.tell_refused(&self.refused);
            record
        })
    }

    /// The full state as text, for the start of a log.
    pub(super) fn log_text(&self) -> String {
        Unfinished::new(&self.setup, self.round.clone(), self.refused, save::Form::Log).text()
    }

    /// Whether two computers or programs have reached the ply limit.
    pub fn goes_on_for_too_long(&self) -> bool {
        !self.a_person_plays() && self.round.history().len() >= MOST_PLIES
    }

    /// The computer's choice. `None` if two of them have reached the ply limit.
    ///
    /// # Errors
    ///
    /// If it needs a solution and there's none.
    pub fn computers_choice(&mut self, ahead: &mut Lookahead<'_>) -> Result<Option<Choice>, Cannot> {
        if self.goes_on_for_too_long() {
            return Ok(None);
        }
        let plies = self.round.history().len();
        let Some(opponent) = self.computer() else { return Err(Cannot::NotTheirTurn) };
        let draw = self.setup.dice.draw(self.setup.round_number, plies);
        let choice = self.chances(opponent, ahead)?.pick(draw);
        choice.map(Some).ok_or(Cannot::RoundIsOver)
    }

    /// The outlook of the player to move; `None` if the round is over. Computed once per turn.
    ///
    /// # Errors
    ///
    /// If the game is too large to solve or the caller cancels.
    pub fn outlook(&mut self, ahead: &mut Lookahead<'_>) -> Result<Option<Arc<Outlook>>, Cannot> {
        self.memory.outlook(&self.round, ahead)
    }

    pub(super) fn chances(
        &mut self,
        opponent: Opponent,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Chances, Cannot> {
        self.memory.chances(opponent, &self.round, ahead)
    }

    /// An opponent's habit in this game, in a sentence.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn habit(&mut self, opponent: Opponent, ahead: &mut Lookahead<'_>) -> Result<String, Cannot> {
        // Opponents can't look ahead if the game is too large to solve.
        let title = opponent.title();
        match if opponent.looks_ahead() { self.outlook(ahead) } else { Ok(None) } {
            Err(why) if why.is_too_large() => {
                let cannot = "can't solve a game this large, so it guesses.";
                return Ok(format!("{title} {cannot}"));
            }
            Err(why) => return Err(why),
            Ok(Some(outlook)) if opponent.counts_moves() && outlook.verdict.is_of_unknown_length() => {
                return Ok(format!("{title} {CANNOT_COUNT}"));
            }
            Ok(_) => {}
        }
        Ok(format!("{}.", opponent.habit()))
    }

    /// Reviews the round.
    ///
    /// # Errors
    ///
    /// If the game is too large to solve or the caller cancels.
    pub fn review(&self, ahead: &mut Lookahead<'_>) -> Result<Review, Cannot> {
        Ok(ahead.ask(self.rulebook(), |game, budget| game.review(&self.round, budget))?)
    }

    /// The seat of a person who lost to the computer, if that seat can't win against best play, and whether they made
    /// no mistake. Also `None` if there's no quick answer, or in discovery mode.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn seat_was_lost(&self, ahead: &mut Lookahead<'_>) -> Result<Option<(&'static str, bool)>, Cannot> {
        let winner = self.round.outcome().and_then(|outcome| outcome.winner);
        let Some(person) = self.only_person().filter(|person| winner == Some(!*person)) else {
            return Ok(None);
        };
        if self.setup.aside || self.view().hides(Spoiler::TurningPoint) {
            return Ok(None);
        }
        let review = ahead.at_a_glance(|ahead| self.review(ahead))?;
        let seat = if self.round.first() == person { "first" } else { "second" };
        let lost =
            review.filter(|review| review.seat(person) == Value::Loss && !review.gave_up_unplayed(person));
        Ok(lost.map(|review| (seat, review.is_blameless(person))))
    }
}
