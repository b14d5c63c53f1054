//! What can be asked of a sitting; nothing of this changes it.

use std::sync::Arc;

use super::discovery::{Spoiler, View};
use super::{Aftermath, Cannot, Lookahead, MOST_PLIES, Setup, Sitting, Unfinished, save};
use crate::engine::position::{ByPlayer, Choice, Player};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::people::coach::Outlook;
use crate::people::opponent::{Chances, Opponent};
use crate::people::review::Review;
use crate::people::today::{Attempt, Score};
use crate::records::Record;
use crate::solver::Value;
use crate::words::phrases;

/// What is said of somebody who has to count the moves of a game in which nobody can.
const CANNOT_COUNT: &str = "cannot count the moves of a game this large, and does not play it; Sound does.";

impl Sitting {
    /// Everything that is settled.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What the players may see.
    pub fn view(&self) -> View {
        View::of_player(self.setup.help.discover)
    }

    /// The round that is played, or was played last.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// The game that is played, with the target of this round.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.round.rulebook()
    }

    /// What the end of the round brought; `None` while it goes on.
    pub fn aftermath(&self) -> Option<&Aftermath> {
        self.aftermath.as_ref()
    }

    /// The one person who plays against a computer.
    pub fn only_person(&self) -> Option<Player> {
        self.setup.only_person()
    }

    /// Whether there is anybody but computers.
    pub fn a_person_plays(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.setup.is_person(player))
    }

    /// Whether an outside program plays.
    pub fn a_program_plays(&self) -> bool {
        self.setup.programs.0.iter().any(Option::is_some)
    }

    /// The computer on turn, if it is one.
    pub fn computer(&self) -> Option<Opponent> {
        self.setup.computers[self.round.position().turn()]
    }

    /// Whether there is a match that is not decided yet.
    pub fn match_goes_on(&self) -> bool {
        self.setup.series.is_some_and(|series| series.result().is_none())
    }

    /// How the match stands, or how it ended.
    pub fn match_in_words(&self) -> Option<String> {
        let series = self.setup.series?;
        let names = &self.setup.names;
        Some(match series.result() {
            Some(result) => phrases::match_result(&series, result, names),
            None => phrases::score(&series, names),
        })
    }

    /// Whether this round counts: what is tried out after looking back does not.
    pub fn counts(&self) -> bool {
        !self.setup.tried_out
    }

    /// What the duel of a day came to; `None` if this is none, goes on, or is tried out after looking back.
    pub fn todays_score(&self) -> Option<(Attempt, Score)> {
        let attempt = self.setup.today.filter(|_| self.counts())?;
        Some((attempt, Score::of(&self.round, self.only_person()?, attempt.hints)?))
    }

    /// Whether only help that is counted is to be had: the duel of a day is under way, and its line says how much there
    /// was. Maps and tested ideas would not show in it.
    pub fn counts_help(&self) -> bool {
        self.round.outcome().is_none()
            && self.counts()
            && self.setup.today.is_some_and(|attempt| attempt.counts)
    }

    /// Whether there is something to keep when the players leave now.
    pub fn has_begun(&self) -> bool {
        self.setup.has_begun(&self.round)
    }

    /// What would have to be kept if the players had to leave now: the round under way, or the next one of a match.
    /// `None` if nothing goes on, on the side, or if an outside program plays: no save may start it again.
    pub fn unfinished(&self) -> Option<Unfinished> {
        if self.setup.aside || self.a_program_plays() {
            return None;
        }
        if self.round.outcome().is_none() {
            let round = self.round.clone();
            return Some(Unfinished::of(&self.setup, round, self.refused, save::Form::Save));
        }
        if !self.match_goes_on() {
            return None;
        }
        let next = self.next_setup();
        let rulebook = next.rulebook().ok()?;
        let round = Round::new(Arc::new(rulebook), self.alternating_first());
        // Whoever starts may be stuck at once.
        let nothing_refused = ByPlayer::default();
        round.outcome().is_none().then(|| Unfinished::of(&next, round, nothing_refused, save::Form::Save))
    }

    /// The round so far, as it is written down: without the seed that the rest of it hangs on.
    pub fn record(&self) -> Record {
        let over = self.aftermath.as_ref().map(|aftermath| aftermath.record.clone());
        over.unwrap_or_else(|| {
            let mut record = Record::of(&self.round, &save::circumstances(&self.setup));
            record.tell_refused(&self.refused);
            record
        })
    }

    /// All of the state as a text, for the beginning of a log.
    pub(super) fn log_text(&self) -> String {
        Unfinished::of(&self.setup, self.round.clone(), self.refused, save::Form::Log).text()
    }

    /// Whether two computers or programs have gone on for so long that they are to be stopped.
    pub fn goes_on_for_too_long(&self) -> bool {
        !self.a_person_plays() && self.round.history().len() >= MOST_PLIES
    }

    /// What the computer on turn chooses. `None` if two of them have gone on for so long that they are to be stopped.
    ///
    /// # Errors
    ///
    /// If it needs to see through the game, and cannot.
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

    /// What the player on turn can force; `None` if the round is over. It is found once a turn.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
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

    /// What an opponent tends to do here, in a sentence.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
    pub fn habit(&mut self, opponent: Opponent, ahead: &mut Lookahead<'_>) -> Result<String, Cannot> {
        // Whoever plays by what each move is worth cannot do so in a game that is too large to be seen through.
        let title = opponent.title();
        match if opponent.looks_ahead() { self.outlook(ahead) } else { Ok(None) } {
            Err(why) if why.is_too_large() => {
                let cannot = "cannot solve a game this large, and guesses.";
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

    /// Looks back on the round.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
    pub fn review(&self, ahead: &mut Lookahead<'_>) -> Result<Review, Cannot> {
        Ok(ahead.ask(self.rulebook(), |game, budget| game.review(&self.round, budget))?)
    }

    /// The seat of a person who lost against the computer, if nobody can win from it against best play; and whether they
    /// gave nothing away themselves. `None` as well if that cannot be found out at once: nobody has asked for it. Players
    /// who want to find out for themselves are not told.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
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
