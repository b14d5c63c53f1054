//! A sitting's text form: the records of its match and current round, with extra tags. Used by saves on disk and at the
//! start of an event log.

use std::sync::Arc;

use super::{Adaptive, Cannot, Dice, Setup};
use crate::design::today::Attempt;
use crate::engine::position::{ByPlayer, Choice, Player};
use crate::engine::round::Round;
use crate::engine::series::Match;
use crate::evaluate::opponent::Opponent;
use crate::format::span_of_targets;
use crate::records::{self, BadRecord, Circumstances, Record, Refusals};

/// Extra tags of a save.
const SEED: &str = "Seed";
const TARGETS: &str = "Targets";
const ADAPTS: &str = "Adaptive";
const TERMS: &str = "Terms";
/// Only used in logs. On disk, the adaptive opponent's level is stored per game and its rungs are recomputed.
const RUNGS: &str = "Rungs";

/// The words of the terms.
const COACHED: &str = "coach";
const OPEN: &str = "open";
const NO_UNDO: &str = "no-undo";
const TRIED_OUT: &str = "tried-out";
const HINTS: &str = "hints-";
/// A daily duel: the day, the hints shown, and whether it's practice.
const DAY: &str = "day-";
const TOLD: &str = "told-";
const PRACTICE: &str = "practice";
/// Only used in logs. On disk, discovery mode is a stored setting and earlier rounds have their own records.
const DISCOVER: &str = "discover";
const ASIDE: &str = "aside";
const ROUND: &str = "round-";

/// The name for a person at the keyboard.
pub const HUMAN: &str = "human";

/// The prefix of an outside program's command.
pub const PROGRAM: &str = "exec:";

/// The same for a program that uses the engine protocol.
pub const ENGINE: &str = "engine:";

/// An outside program's command; `None` if the name isn't a program.
pub fn command_of(name: &str) -> Option<&str> {
    [PROGRAM, ENGINE].into_iter().find_map(|begins| name.strip_prefix(begins))
}

/// The text's purpose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// For resuming later on the same machine.
    Save,
    /// For replaying anywhere. Self-contained.
    Log,
}

/// A current round with its save data. It can follow moves, since rebuilding it for each move would slow down long
/// rounds.
#[derive(Clone, Debug)]
pub struct Unfinished {
    round: Round,
    circumstances: Circumstances,
    /// The rejected answers so far.
    refused: ByPlayer<Refusals>,
    /// Extra tags.
    tags: Vec<(String, String)>,
    /// The earlier rounds of the match.
    earlier: Arc<Vec<Record>>,
    /// Whether counted hints were shown.
    helped: bool,
}

impl Unfinished {
    pub(super) fn new(setup: &Setup, round: Round, refused: ByPlayer<Refusals>, form: Form) -> Unfinished {
        let mut tags = vec![(SEED.to_owned(), setup.dice.seed().to_string())];
        if let Some(targets) = &setup.game.targets {
            tags.push((TARGETS.to_owned(), format!("{}..{}", targets.start(), targets.end())));
        }
        if let Some(adaptive) = &setup.adaptive {
            tags.push((ADAPTS.to_owned(), format!("{} {}", adaptive.player.number(), adaptive.name)));
            if form == Form::Log {
                let rungs: Vec<String> = adaptive.rungs.iter().map(Opponent::to_string).collect();
                let named = if adaptive.named { " named" } else { "" };
                tags.push((RUNGS.to_owned(), format!("{} {}{named}", adaptive.level, rungs.join(","))));
            }
        }
        tags.extend(terms(setup, form).map(|terms| (TERMS.to_owned(), terms)));
        let circumstances = circumstances(setup);
        let helped = setup.was_helped();
        Unfinished { round, circumstances, refused, tags, earlier: Arc::clone(&setup.earlier), helped }
    }

    /// The game, for naming a save.
    pub fn game(&self) -> &str {
        &self.circumstances.rulebook
    }

    /// Whether the round is over after the followed moves.
    pub fn is_over(&self) -> bool {
        self.round.outcome().is_some()
    }

    /// Whether anything would be lost without a save: a move, a counted hint, or an earlier round of the match.
    pub fn has_begun(&self) -> bool {
        !self.round.history().is_empty() || !self.earlier.is_empty() || self.helped
    }

    /// The number of moves and skipped turns.
    pub fn plies(&self) -> usize {
        self.round.history().len()
    }

    /// Whether it belongs to a match. A match is saved even before the first move.
    pub fn is_in_match(&self) -> bool {
        self.circumstances.in_match.is_some()
    }

    /// Follows a choice made in the sitting, with the forced skips after it.
    pub fn follow(&mut self, choice: Choice) {
        // Invariant: it was legal there, and this is the same round.
        let _ = self.round.choose(choice);
    }

    /// The text of a save.
    pub fn text(&self) -> String {
        let mut record = Record::from_round(&self.round, &self.circumstances);
        record.tell_refused(&self.refused);
        record.other_tags.extend(self.tags.iter().cloned());
        let rounds = self.earlier.iter().chain([&record]);
        rounds.map(Record::to_string).collect::<Vec<_>>().join("\n")
    }
}

/// A record's data, except for the round.
pub(super) fn circumstances(setup: &Setup) -> Circumstances {
    let Setup { game, names, computers, programs, series, round_number, .. } = setup;
    Circumstances {
        rulebook: game.book.id.clone(),
        own_file: game.book.own_file,
        variant: game.variant.clone(),
        settings: game.written_settings(),
        players: names.clone(),
        computers: ByPlayer::from_fn(|player| {
            let program = || programs[player].clone();
            computers[player].map(|opponent| opponent.to_string()).or_else(program)
        }),
        in_match: series.as_ref().map(|series| (series.form(), *round_number)),
    }
}

/// The settings, except for the game and players; `None` if they're all defaults.
fn terms(setup: &Setup, form: Form) -> Option<String> {
    let log = form == Form::Log;
    let words = [
        (setup.help.coach, COACHED),
        (setup.help.open, OPEN),
        (!setup.undo, NO_UNDO),
        (setup.tried_out, TRIED_OUT),
        (log && setup.help.discover, DISCOVER),
        (log && setup.aside, ASIDE),
    ];
    let said = words.into_iter().filter_map(|(holds, word)| holds.then_some(word.to_owned()));
    let hints = (setup.hints_used > 0).then(|| format!("{HINTS}{}", setup.hints_used));
    let round = (log && setup.series.is_none() && setup.round_number > 1)
        .then(|| format!("{ROUND}{}", setup.round_number));
    let day = setup.today.iter().flat_map(|attempt| {
        let practice = (!attempt.counts).then(|| PRACTICE.to_owned());
        let told = (attempt.hints > 0).then(|| format!("{TOLD}{}", attempt.hints));
        [Some(format!("{DAY}{}", attempt.day)), practice, told].into_iter().flatten()
    });
    let said: Vec<String> = said.chain(hints).chain(round).chain(day).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

impl Setup {
    /// Whether there's anything to save: a move, a counted hint, or an earlier round of the match.
    pub(super) fn has_begun(&self, round: &Round) -> bool {
        !round.history().is_empty() || !self.earlier.is_empty() || self.was_helped()
    }

    /// Whether counted hints were shown. Leaving before the first move must not erase them.
    fn was_helped(&self) -> bool {
        self.today.is_some_and(|attempt| attempt.counts && attempt.hints > 0)
    }

    /// Applies stored terms. Ignores unknown words, which come from a newer version.
    fn take_terms(&mut self, terms: &str, form: Form) {
        let log = form == Form::Log;
        fn number<T: std::str::FromStr>(word: &str, before: &str) -> Option<T> {
            word.strip_prefix(before)?.parse().ok()
        }
        for word in terms.split(' ') {
            match word {
                COACHED => self.help.coach = true,
                OPEN => self.help.open = true,
                NO_UNDO => self.undo = false,
                TRIED_OUT => self.tried_out = true,
                DISCOVER if log => self.help.discover = true,
                ASIDE if log => self.aside = true,
                word => {
                    if let Some(day) = number(word, DAY) {
                        self.today = Some(Attempt::new(day, true));
                    }
                    if let Some(attempt) = &mut self.today {
                        attempt.counts &= word != PRACTICE;
                        attempt.hints = number(word, TOLD).unwrap_or(attempt.hints);
                    }
                    self.hints_used = number(word, HINTS).unwrap_or(self.hints_used);
                    if log {
                        self.round_number = number(word, ROUND).unwrap_or(self.round_number);
                    }
                }
            }
        }
    }

    /// Parses the output of [`Unfinished::text`], or the record of an unfinished round. For an adaptive opponent, a
    /// save only names the current level. The caller supplies the rungs.
    ///
    /// # Errors
    ///
    /// If the text isn't such a record, or the round is over.
    pub fn from_text(text: &str, seed: u64) -> Result<Setup, Cannot> {
        let setup = Setup::read(text, seed, Form::Save)?;
        match setup.resumed.as_ref().and_then(Round::outcome) {
            Some(_) => Err(Cannot::RoundIsOver),
            None => Ok(setup),
        }
    }

    /// Parses the start of a log, where the round may already be over.
    pub(super) fn from_log(text: &str) -> Result<Setup, Cannot> {
        Setup::read(text, 0, Form::Log)
    }

    fn read(text: &str, seed: u64, form: Form) -> Result<Setup, Cannot> {
        let mut rounds = records::read_all(text)?;
        let last = rounds.pop().ok_or(Cannot::NoRound)?;
        let round = last.replay()?;
        let mut series = None;
        if let Some((form, _)) = last.in_match {
            let first = rounds.first().map_or(last.first, |record| record.first);
            let series = series.insert(Match::new(form, first));
            for record in &rounds {
                series.count(record.replay()?.outcome().ok_or(Cannot::EarlierRoundOpen)?);
            }
        }
        let tag =
            |name: &str| last.other_tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
        let computers = computers(&last)?;
        let targets = tag(TARGETS).and_then(|targets| span_of_targets(targets).ok().flatten());
        let dice = Dice::new(tag(SEED).and_then(|seed| seed.parse().ok()).unwrap_or(seed));
        let round_number = last.in_match.map_or(1, |(_, number)| number);
        // The first round's starter, so that starters keep alternating.
        let first = if round_number % 2 == 1 { last.first } else { !last.first };
        let mut setup = Setup {
            names: last.players.clone(),
            adaptive: adaptive(&last, &computers, tag(ADAPTS), tag(RUNGS).filter(|_| form == Form::Log)),
            series,
            round_number,
            resumed: Some(round),
            refused: ByPlayer::from_fn(|player| last.refusals(player)),
            earlier: Arc::new(rounds),
            ..Setup::new(last.game(targets)?, computers, first, dice)
        };
        setup.take_terms(tag(TERMS).unwrap_or_default(), form);
        Ok(setup)
    }

    /// A setup that continues a recorded round after some moves, outside its match.
    ///
    /// # Errors
    ///
    /// If the record can't be replayed.
    pub fn from_record(record: &Record, moves: usize, dice: Dice) -> Result<Setup, Cannot> {
        let mut begun = record.clone();
        begun.moves.truncate(moves);
        begun.state(None);
        let round = begun.replay()?;
        Ok(Setup {
            names: record.players.clone(),
            resumed: Some(round),
            ..Setup::new(record.game(None)?, computers(record)?, record.first, dice)
        })
    }
}

fn computers(record: &Record) -> Result<ByPlayer<Option<Opponent>>, Cannot> {
    let computer = |player: Player| match &record.computers[player] {
        // The user takes an outside program's seat, because a file must never start a program.
        Some(name) if command_of(name).is_some() => Ok(None),
        Some(name) if !name.eq_ignore_ascii_case(HUMAN) => Opponent::parse(name).map(Some),
        _ => Ok(None),
    };
    Ok(ByPlayer([computer(Player::One)?, computer(Player::Two)?]))
}

fn adaptive(
    record: &Record,
    computers: &ByPlayer<Option<Opponent>>,
    adapts: Option<&str>,
    rungs: Option<&str>,
) -> Option<Adaptive> {
    let (number, name) = adapts?.split_once(' ')?;
    let player = Player::BOTH.into_iter().find(|player| player.number().to_string() == number)?;
    let opponent = computers[player]?;
    let mut adaptive = Adaptive {
        player,
        name: name.to_owned(),
        rungs: vec![opponent],
        level: 0,
        named: record.players[player] != opponent.title(),
    };
    let mut words = rungs.unwrap_or_default().split(' ');
    if let (Some(Ok(level)), Some(rungs)) = (words.next().map(str::parse), words.next()) {
        let rungs: Result<Vec<Opponent>, _> = rungs.split(',').map(Opponent::parse).collect();
        adaptive = Adaptive { level, rungs: rungs.ok()?, named: words.next().is_some(), ..adaptive };
    }
    Some(adaptive)
}

impl From<BadRecord> for Cannot {
    fn from(bad: BadRecord) -> Cannot {
        Cannot::BadRecord(bad)
    }
}
