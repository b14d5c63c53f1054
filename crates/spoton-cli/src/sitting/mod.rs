//! Rounds between the same two, one after another: everything about them that is the same whatever shows it.
//!
//! Line mode and the full screen each hold a [`Sitting`], ask it and tell of it; neither decides anything by itself.

pub mod adaptive;
mod coach;
pub mod dice;
pub mod keeper;
pub mod record_file;
pub mod setup;
pub mod truth;

use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::engine::round::Round;
use spoton::engine::series::Match;
use spoton::format::{Game, Rulebook};
use spoton::people::opponent::Opponent;
use spoton::people::review::Review;
use spoton::records::{Circumstances, Record};
use spoton::solver::Value;
use spoton::words::phrases;

use crate::failure::Failure;
use crate::folders::Folders;
use coach::Hints;
use dice::Dice;
use keeper::{Keeper, Unfinished};
use record_file::RecordFile;
use setup::{ADAPTS, SEED, Setup, TARGETS, TERMS};
use truth::Truth;

/// Two computers that go on for so long are stopped.
const MOST_PLIES: usize = 10_000;

pub struct Sitting {
    pub setup: Setup,
    /// The round that is played, or was played last.
    pub round: Round,
    pub keeper: Keeper,
    /// What looking ahead has found out.
    pub truth: Truth,
    /// How many answers of this round were refused.
    pub illegal: ByPlayer<u32>,
    /// Where finished rounds are written because somebody asked for it.
    record: Option<RecordFile>,
    /// Where those of people are always written, to look back on.
    pub rounds: Option<RecordFile>,
    /// Whether this is a round on the side, which counts for nothing and is not kept.
    aside: bool,
    hints: Hints,
}

/// What the end of a round brought with it.
#[derive(Default)]
pub struct Aftermath {
    /// Who sits there next time, where the adaptive opponent went up or down.
    pub next_opponent: Option<Opponent>,
    /// What could not be remembered: no reason to stop playing.
    pub trouble: Option<Failure>,
}

impl Aftermath {
    /// Who sits there next time, in words.
    pub fn meets_next(&self) -> Option<String> {
        self.next_opponent
            .map(|opponent| format!("Next time you meet {}. {}.", opponent.title(), opponent.habit()))
    }
}

impl Sitting {
    /// Sits down to the first round, or to one that is taken up again.
    ///
    /// An opponent that needs to see through the game must be able to, before the first word is said.
    pub fn begin(
        mut setup: Setup,
        keeper: Keeper,
        record: Option<RecordFile>,
        truth: Truth,
    ) -> Result<Sitting, Failure> {
        let round = match setup.resumed.take() {
            Some(round) => round,
            None => Round::new(Arc::new(setup.rulebook()?), setup.first),
        };
        for opponent in setup.computers.0.iter().flatten() {
            truth.chances(*opponent, &round)?;
        }
        let illegal = ByPlayer::default();
        let hints = Hints::default();
        Ok(Sitting { setup, round, keeper, truth, illegal, record, rounds: None, aside: false, hints })
    }

    /// Sits down to a round on the side: a person has left a number, and perfect play shows what can be done there.
    /// The round that is under way elsewhere stays what is kept if the program has to end.
    pub fn aside(
        rulebook: &Rulebook,
        number: i64,
        truth: Truth,
        folders: Folders,
    ) -> Result<Sitting, Failure> {
        let computers = ByPlayer([None, Some(Opponent::perfect())]);
        let game = Game::from_number(rulebook, number);
        // Perfect play draws no lots that matter, and can be seen again.
        let setup = Setup::new(game, computers, Player::Two, Dice::new(Some(0)));
        let sitting = Sitting::begin(setup, Keeper::new(folders), None, truth)?;
        Ok(Sitting { aside: true, ..sitting })
    }

    pub fn is_aside(&self) -> bool {
        self.aside
    }

    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.round.rulebook()
    }

    /// The one person who plays against a computer.
    pub fn only_person(&self) -> Option<Player> {
        setup::only_person(&self.setup.computers)
    }

    pub fn a_person_plays(&self) -> bool {
        self.setup.computers.0.iter().any(Option::is_none)
    }

    /// What an opponent tends to do here, in a sentence.
    pub fn habit(&self, opponent: Opponent) -> String {
        // Whoever plays by what each move is worth cannot do so in a game that is too large to be seen through.
        if opponent.looks_ahead() && self.truth.outlook(&self.round).is_err() {
            let title = opponent.title();
            return format!(
                "{title} cannot see through a game this large, and only sees what loses at once."
            );
        }
        format!("{}.", opponent.habit())
    }

    /// The computer on turn, if it is one.
    pub fn computer(&self) -> Option<Opponent> {
        self.setup.computers[self.round.position().turn()]
    }

    /// What the computer on turn chooses. Nothing where two of them have gone on for so long that they are stopped.
    pub fn computers_choice(&mut self, opponent: Opponent) -> Result<Option<Choice>, Failure> {
        let plies = self.round.history().len();
        if !self.a_person_plays() && plies >= MOST_PLIES {
            self.round.stop();
            return Ok(None);
        }
        let draw = self.setup.dice.draw(self.setup.round_number, plies);
        match self.truth.chances(opponent, &self.round)?.pick(draw) {
            Some(choice) => Ok(Some(choice)),
            None => Err(Failure::Failed("the computer found no move; please report this".to_owned())),
        }
    }

    /// Makes a legal move.
    pub fn make(&mut self, a_move: Move) -> Result<(), Failure> {
        if self.round.play(a_move).is_err() {
            return Err(Failure::Failed("a move that was legal was refused; please report this".to_owned()));
        }
        self.keeper.follow(a_move);
        Ok(())
    }

    /// Takes back the last move; against a computer, back to the person's own last turn. What was taken back, in words;
    /// as an error, why nothing was.
    pub fn take_back(&mut self) -> Result<String, &'static str> {
        if !self.setup.undo {
            return Err("Moves are not taken back in this round.");
        }
        const NOTHING: &str = "There is nothing to take back.";
        let asks = self.round.position().turn();
        let against_computer = self.setup.computers[!asks].is_some();
        let mut trial = self.round.clone();
        let mut taken_back = Vec::new();
        loop {
            let ply = trial.undo().filter(|ply| ply.a_move != Move::Skip).ok_or(NOTHING)?;
            taken_back.push(trial.rulebook().write(ply.a_move));
            if !against_computer || ply.player() == asks {
                break;
            }
        }
        self.round = trial;
        self.note();
        taken_back.reverse();
        Ok(format!("Taken back: {}.", taken_back.join(" ")))
    }

    /// What a record says beside the round.
    pub fn circumstances(&self) -> Circumstances {
        let Setup { game, names, computers, series, round_number, .. } = &self.setup;
        Circumstances {
            rulebook: game.id().to_owned(),
            own_file: game.book.own_file,
            variant: game.variant.clone(),
            settings: game.written_settings(),
            players: names.clone(),
            computers: ByPlayer::from_fn(|player| computers[player].map(|opponent| opponent.to_string())),
            in_match: series.as_ref().map(|series| (series.form(), *round_number)),
        }
    }

    /// Notes the round as it stands, to be kept if the program has to end.
    pub fn note(&self) {
        self.note_round(self.round.clone());
    }

    fn note_round(&self, round: Round) {
        if self.aside {
            return;
        }
        let mut tags = vec![(SEED.to_owned(), self.setup.dice.seed().to_string())];
        if let Some(targets) = &self.setup.game.targets {
            tags.push((TARGETS.to_owned(), format!("{}..{}", targets.start(), targets.end())));
        }
        if let Some(adaptive) = &self.setup.adaptive {
            tags.push((ADAPTS.to_owned(), format!("{} {}", adaptive.player.number(), adaptive.name)));
        }
        tags.extend(self.setup.terms().map(|terms| (TERMS.to_owned(), terms)));
        self.keeper.note(Unfinished {
            round,
            circumstances: self.circumstances(),
            tags,
            earlier: Arc::clone(&self.setup.earlier),
        });
    }

    /// Whether there is something to keep when the players leave now.
    pub fn has_begun(&self) -> bool {
        !self.round.history().is_empty() || !self.setup.earlier.is_empty()
    }

    /// The round is over: it is written down and counted, and the adaptive opponent learns from it.
    pub fn round_is_over(&mut self) -> Result<Aftermath, Failure> {
        let mut record = Record::of(&self.round, &self.circumstances());
        let illegal = std::mem::take(&mut self.illegal);
        for player in Player::BOTH.into_iter().filter(|player| illegal[*player] > 0) {
            record.other_tags.push((format!("Illegal{}", player.number()), illegal[player].to_string()));
        }
        // What was tried out after looking back counts for nothing.
        let mut aftermath = if self.setup.tried_out { Aftermath::default() } else { self.adapt() };
        if let Some(file) = self.record.as_mut().filter(|_| !self.setup.tried_out) {
            file.add(&record)?;
        }
        if let Some(file) = self.rounds.as_mut().filter(|_| !self.setup.tried_out)
            && let Err(failure) = file.add(&record)
        {
            aftermath.trouble = Some(failure);
        }
        self.setup.round_number += 1;
        if let (Some(series), Some(outcome)) = (&mut self.setup.series, self.round.outcome()) {
            series.count(outcome);
            Arc::make_mut(&mut self.setup.earlier).push(record);
        }
        if let Err(failure) = self.keeper.round_is_over() {
            aftermath.trouble = Some(failure);
        }
        if self.match_goes_on() {
            // Whoever has to leave between two rounds of a match comes back to the next one.
            let next = Round::new(Arc::new(self.setup.rulebook()?), !self.round.first());
            self.setup.hints_used = 0;
            let before = self.change_opponent();
            self.note_round(next);
            // Until then, those sit here who have just played.
            (self.setup.names, self.setup.computers) = before;
        }
        Ok(aftermath)
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

    /// The adaptive opponent learns from a round with a person, and another one may sit there next time.
    fn adapt(&mut self) -> Aftermath {
        let a_person_plays = self.a_person_plays();
        let adaptive = self.setup.adaptive.as_mut().filter(|_| a_person_plays);
        let (Some(adaptive), Some(outcome)) = (adaptive, self.round.outcome()) else {
            return Aftermath::default();
        };
        let before = adaptive.opponent();
        let trouble = adaptive.learn(outcome.winner).err();
        let opponent = adaptive.opponent();
        Aftermath { next_opponent: (opponent != before).then_some(opponent), trouble }
    }

    /// Whoever fits now takes the adaptive opponent's seat. Who sat there before.
    fn change_opponent(&mut self) -> (ByPlayer<String>, ByPlayer<Option<Opponent>>) {
        let before = (self.setup.names.clone(), self.setup.computers);
        if let Some(adaptive) = &self.setup.adaptive {
            let opponent = adaptive.opponent();
            self.setup.computers[adaptive.player] = Some(opponent);
            if !adaptive.named && self.setup.names[!adaptive.player] != opponent.title() {
                self.setup.names[adaptive.player] = opponent.title().to_owned();
            }
        }
        before
    }

    /// The next round of the match, or the first of another. The starter alternates.
    pub fn next_round(&mut self) -> Result<(), Failure> {
        // On the side it is always the same that is tried: what can be done at the number that was left.
        let first = if self.aside { self.round.first() } else { !self.round.first() };
        self.change_opponent();
        if let Some(series) = self.setup.series.filter(|series| series.result().is_some()) {
            self.setup.first = first;
            self.setup.series = Some(Match::new(series.form(), first));
            self.setup.round_number = 1;
            self.setup.dice = self.setup.dice.again();
            self.setup.earlier = Arc::default();
        }
        self.start(Round::new(Arc::new(self.setup.rulebook()?), first), false);
        Ok(())
    }

    /// Whether this round counts: what is tried out after looking back does not.
    pub fn counts(&self) -> bool {
        !self.setup.tried_out
    }

    /// Takes the round up again after its first so many moves.
    pub fn play_on_from(&mut self, moves: usize) -> Result<(), Failure> {
        let mut from = Round::new(Arc::clone(self.rulebook()), self.round.first());
        for ply in &self.round.history()[..moves] {
            from.play(ply.a_move)
                .map_err(|_| Failure::Failed("the round cannot be played again".to_owned()))?;
        }
        self.start(from, true);
        Ok(())
    }

    fn start(&mut self, round: Round, tried_out: bool) {
        self.round = round;
        self.setup.tried_out = tried_out;
        self.hints = Hints::default();
        self.setup.hints_used = 0;
        self.note();
    }

    /// Looks back on the round.
    pub fn review(&self) -> Result<Review, Failure> {
        self.truth.review(&self.round)
    }

    /// The seat of a person who lost against the computer, where nobody can win from it against best play; and whether
    /// they gave nothing away themselves.
    pub fn seat_was_lost(&self) -> Option<(&'static str, bool)> {
        let winner = self.round.outcome()?.winner?;
        let person = !winner;
        if self.aside || self.only_person() != Some(person) {
            return None;
        }
        let review = self.review().ok()?;
        let seat = if self.round.first() == person { "first" } else { "second" };
        (review.seat(person) == Value::Loss).then(|| (seat, review.is_blameless(person)))
    }
}
