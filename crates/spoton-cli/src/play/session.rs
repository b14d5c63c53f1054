//! One round after another: matches, their score, and what is kept of them.

use std::sync::Arc;

use spoton::describe;
use spoton::phrases;
use spoton::position::{ByPlayer, Player};
use spoton::record::{Circumstances, Record};
use spoton::review::Telling;
use spoton::round::Round;
use spoton::series::Match;
use spoton::solver::Value;

use super::commands::{Command, rules_page};
use super::console::{Answer, Console};
use super::keeper::{Keeper, Unfinished, kept_at};
use super::record_file::RecordFile;
use super::setup::{self, ADAPTS, SEED, Setup, TARGETS};
use super::table::{Leaving, Table};
use super::truth::Truth;
use crate::commands::opponents;
use crate::commands::review::{self, Desk};
use crate::failure::Failure;
use crate::output::Colour;
use crate::solving::MEBIBYTES;

pub struct Session<'a> {
    pub setup: Setup,
    pub console: &'a mut dyn Console,
    pub colour: Colour,
    pub keeper: Keeper,
    /// What looking ahead has found out.
    pub truth: Truth,
    /// Who started the round before.
    pub last_first: Option<Player>,
    /// Whether this round was taken up at the turning point of the one before.
    pub played_on: bool,
    /// How many answers of this round were refused.
    pub illegal: ByPlayer<u32>,
    pub record: Option<RecordFile>,
}

impl Session<'_> {
    pub fn run(mut self) -> Result<(), Failure> {
        self.see_that_everybody_can_play()?;
        if self.console.is_terminal() && self.a_person_plays() {
            let tip = "Type help at any time to see what you can type.\n";
            self.console.say(&self.colour.aside(tip))?;
            for opponent in self.setup.computers.0.iter().flatten() {
                self.console.say(&self.colour.aside(&format!("{}.\n", opponent.habit())))?;
            }
        }
        self.tell_of_levels()?;
        loop {
            let (round, is_new) = match self.setup.resumed.take() {
                Some(round) => (round, false),
                None => (self.new_round()?, true),
            };
            if !is_new {
                self.tell_where_it_stands(&round)?;
            }
            let mut table =
                Table { session: &mut self, round, hints_given: None, announced: false, hints_used: 0 };
            let left = table.play(is_new);
            let round = table.round;
            match left {
                Ok(None) => {}
                Ok(Some(leaving)) => return self.leave(&round, leaving),
                Err(failure) => {
                    // Whatever went wrong, the round is not lost.
                    if round.outcome().is_none() {
                        self.note(&round);
                        self.keeper.keep()?;
                    }
                    return Err(failure);
                }
            }
            self.last_first = Some(round.first());
            self.round_is_over(&round)?;
            if !self.goes_on(&round)? {
                return Ok(());
            }
            self.console.say("")?;
        }
    }

    /// An opponent that needs to see through the game must be able to, before the first word is said.
    fn see_that_everybody_can_play(&self) -> Result<(), Failure> {
        let round = match &self.setup.resumed {
            Some(round) => round.clone(),
            None => self.new_round()?,
        };
        for opponent in self.setup.computers.0.iter().flatten() {
            self.truth.chances(*opponent, &round)?;
        }
        Ok(())
    }

    /// In a game with too few choices all opponents play much the same; better to know that.
    fn tell_of_levels(&mut self) -> Result<(), Failure> {
        let mut opponents = self.setup.computers.0.iter().flatten();
        if !self.console.is_terminal() || !opponents.any(|opponent| !opponent.is_reference()) {
            return Ok(());
        }
        let rulebook =
            Arc::new(setup::rulebook_for(&self.setup.game, self.setup.dice, self.setup.round_number)?);
        // Where this cannot be found out quickly, there are choices enough.
        let Ok(ladder) = opponents::ladder(&rulebook, opponents::QUICK) else { return Ok(()) };
        if !ladder.has_levels() {
            let deeper = opponents::deeper_variant(&self.setup.game);
            let deeper = deeper
                .map(|name| format!(" Its variant {name} has more: --variant {name}"))
                .unwrap_or_default();
            self.console.say(&format!("This game has too few choices for levels.{deeper}\n"))?;
        }
        Ok(())
    }

    fn a_person_plays(&self) -> bool {
        Player::BOTH.iter().any(|player| self.setup.computers[*player].is_none())
    }

    fn new_round(&self) -> Result<Round, Failure> {
        let Setup { game, dice, round_number, first, .. } = &self.setup;
        let rulebook = setup::rulebook_for(game, *dice, *round_number)?;
        // As in a match, the starter alternates.
        let starter = self.last_first.map_or(*first, |last| !last);
        Ok(Round::new(Arc::new(rulebook), starter))
    }

    fn tell_where_it_stands(&mut self, round: &Round) -> Result<(), Failure> {
        const SHOWN: usize = 12;
        let moves = Record::of(round, &self.circumstances()).moves;
        let last: Vec<&str> = moves
            .iter()
            .skip(moves.len().saturating_sub(SHOWN))
            .map(|recorded| recorded.written.as_str())
            .collect();
        let so_far = match moves.len() {
            0 => "no moves yet".to_owned(),
            played if played > SHOWN => format!("{played} moves, the last of them {}", last.join(" ")),
            _ => last.join(" "),
        };
        let rulebook = round.rulebook();
        self.console.notice(&format!("{}, taken up again. So far: {so_far}", rulebook.title()))?;
        if self.console.is_terminal() {
            self.console.notice(&describe::goal(rulebook))?;
        }
        if let Some(series) = self.setup.series.filter(|series| series.played() > 0) {
            self.console.notice(&phrases::score(&series, &self.setup.names))?;
        }
        if self.console.is_terminal() {
            self.console.say("")?;
        }
        Ok(())
    }

    /// What a record says beside the round.
    fn circumstances(&self) -> Circumstances {
        let Setup { game, names, computers, series, round_number, .. } = &self.setup;
        Circumstances {
            rulebook: game.id.clone(),
            own_file: game.own_file,
            variant: game.variant.clone(),
            settings: game.written_settings(),
            players: names.clone(),
            computers: ByPlayer::from_fn(|player| computers[player].map(|opponent| opponent.to_string())),
            in_match: series.as_ref().map(|series| (series.form(), *round_number)),
        }
    }

    /// Notes the round as it stands, to be kept if the program has to end.
    pub fn note(&self, round: &Round) {
        let mut tags = vec![(SEED.to_owned(), self.setup.dice.seed().to_string())];
        if let Some(targets) = &self.setup.game.targets {
            tags.push((TARGETS.to_owned(), format!("{}..{}", targets.start(), targets.end())));
        }
        if let Some(adaptive) = &self.setup.adaptive {
            tags.push((ADAPTS.to_owned(), adaptive.player.number().to_string()));
        }
        self.keeper.note(Unfinished {
            round: round.clone(),
            circumstances: self.circumstances(),
            tags,
            earlier: Arc::clone(&self.setup.earlier),
        });
    }

    fn leave(&mut self, round: &Round, leaving: Leaving) -> Result<(), Failure> {
        // The end of the input may be an accident; somebody who leaves before the first move means it.
        let begun = !round.history().is_empty() || !self.setup.earlier.is_empty();
        if begun || leaving != Leaving::Quit {
            self.note(round);
            if let Some(path) = self.keeper.keep()? {
                self.console.notice(&kept_at(&path))?;
            }
        }
        match leaving {
            Leaving::Interrupted => Err(Failure::Interrupted),
            Leaving::Quit | Leaving::EndOfInput => Ok(()),
        }
    }

    fn round_is_over(&mut self, round: &Round) -> Result<(), Failure> {
        let mut record = Record::of(round, &self.circumstances());
        let illegal = std::mem::take(&mut self.illegal);
        for player in Player::BOTH.into_iter().filter(|player| illegal[*player] > 0) {
            record.other_tags.push((format!("Illegal{}", player.number()), illegal[player].to_string()));
        }
        if let Some(file) = &mut self.record {
            file.add(&record)?;
        }
        self.setup.round_number += 1;
        // What was tried out after looking back counts for nothing.
        if !std::mem::take(&mut self.played_on) {
            self.adapt(round)?;
        }
        let (Some(series), Some(outcome)) = (&mut self.setup.series, round.outcome()) else {
            return self.keeper.round_is_over();
        };
        series.count(outcome);
        let series = *series;
        Arc::make_mut(&mut self.setup.earlier).push(record);
        self.keeper.round_is_over()?;
        let names = &self.setup.names;
        let told = match series.result() {
            Some(result) => phrases::match_result(&series, result, names),
            None => phrases::score(&series, names),
        };
        self.console.say(&format!("\n{told}"))?;
        Ok(())
    }

    /// Looks back on the round; from its turning point the players may play on.
    fn look_back(&mut self, round: &Round) -> Result<Option<Round>, Failure> {
        let mut desk = Desk { mebibytes: MEBIBYTES, solved: None };
        let review = match desk.review(round) {
            Ok(review) => review,
            Err(failure @ Failure::Failed(_)) => {
                self.console.say(&format!("No look back: {failure}."))?;
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        let you = review::only_person(&self.setup.computers);
        let telling = Telling { names: &self.setup.names, you, discover: self.setup.help.discover };
        let said = review::in_words(round, &review, &telling);
        self.console.say(&format!("\n{said}"))?;
        let Some((place, _)) = review.turning_point().filter(|_| self.setup.series.is_none()) else {
            return Ok(None);
        };
        if !self.agrees("Play on from the turning point? [y/N] ")? {
            return Ok(None);
        }
        let mut from = Round::new(Arc::clone(round.rulebook()), round.first());
        for ply in &round.history()[..place] {
            if from.play(ply.a_move).is_err() {
                return Ok(None);
            }
        }
        Ok(Some(from))
    }

    /// A question that is answered with yes or no, and with no where nothing is said.
    fn agrees(&mut self, question: &str) -> Result<bool, Failure> {
        match self.console.ask(question)? {
            Answer::Line(line) => Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes")),
            Answer::End => Ok(false),
            Answer::Interrupted => Err(Failure::Interrupted),
        }
    }

    /// The seat of a person who lost against the computer, where nobody could have won from it.
    fn seat_was_lost(&self, round: &Round) -> Option<&'static str> {
        let winner = round.outcome()?.winner?;
        let person = !winner;
        if self.setup.computers[person].is_some() || self.setup.computers[winner].is_none() {
            return None;
        }
        let opening = Round::new(Arc::clone(round.rulebook()), round.first());
        let forced = match opening.outcome() {
            Some(outcome) => Value::of(outcome, round.first()),
            None => self.truth.outlook(&opening).ok()??.verdict.value,
        };
        let goes_first = round.first() == person;
        let lost = if goes_first { Value::Loss } else { Value::Win };
        (forced == lost).then_some(if goes_first { "first" } else { "second" })
    }

    /// The adaptive opponent learns from the round, and another one may sit there next time.
    fn adapt(&mut self, round: &Round) -> Result<(), Failure> {
        let (Some(adaptive), Some(outcome)) = (&mut self.setup.adaptive, round.outcome()) else {
            return Ok(());
        };
        let before = adaptive.opponent();
        if let Err(failure) = adaptive.learn(outcome.winner) {
            // A level that cannot be remembered is no reason to stop playing.
            failure.tell(false, Colour::none());
        }
        let opponent = adaptive.opponent();
        self.setup.computers[adaptive.player] = Some(opponent);
        if opponent != before && self.console.is_terminal() {
            let next = format!("\nNext time you meet {}. {}.", opponent.title(), opponent.habit());
            self.console.say(&self.colour.aside(&next))?;
        }
        if !adaptive.named && self.setup.names[!adaptive.player] != opponent.title() {
            self.setup.names[adaptive.player] = opponent.title().to_owned();
        }
        Ok(())
    }

    /// Whether there is another round: because the match goes on, or because the players want one.
    fn goes_on(&mut self, round: &Round) -> Result<bool, Failure> {
        match self.setup.series {
            Some(series) if series.result().is_none() => return Ok(true),
            _ if !self.console.is_terminal() || !self.a_person_plays() => return Ok(false),
            _ => {}
        }
        self.console.say("")?;
        let question = match self.seat_was_lost(round) {
            Some(_) if self.setup.help.discover => "Swap seats and play again? [Y/n] (r looks back) ",
            Some(seat) => {
                let kind =
                    format!("It was not your fault: whoever goes {seat} here cannot win against best play.");
                self.console.say(&kind)?;
                "Swap seats and play again? [Y/n] (r looks back) "
            }
            None => "Again? [Y/n] (r looks back) ",
        };
        loop {
            match self.console.ask(question)? {
                Answer::Line(line) => match line.trim().to_lowercase().as_str() {
                    "" | "y" | "yes" => break,
                    "n" | "no" | "q" | "quit" | "exit" => return Ok(false),
                    "r" => {
                        if let Some(from) = self.look_back(round)? {
                            self.setup.resumed = Some(from);
                            self.played_on = true;
                            return Ok(true);
                        }
                    }
                    line => match Command::read(line) {
                        Some(Command::Rules) => self.console.say(&rules_page(round.rulebook()))?,
                        _ => self
                            .console
                            .say("Please answer y or n; r looks back, rules shows the rules of the game.")?,
                    },
                },
                Answer::End => return Ok(false),
                Answer::Interrupted => return Err(Failure::Interrupted),
            }
        }
        if let Some(series) = &self.setup.series {
            // A new match, started by the other player; rounds alternate by themselves.
            self.setup.first = self.last_first.map_or(self.setup.first, |last| !last);
            self.last_first = None;
            self.setup.series = Some(Match::new(series.form(), self.setup.first));
            self.setup.round_number = 1;
            self.setup.dice = self.setup.dice.again();
            self.setup.earlier = Arc::default();
        }
        Ok(true)
    }
}
