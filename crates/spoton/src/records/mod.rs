//! Records of rounds: text that people can read and mail, and a JSON line for programs.
//!
//! Both forms have the same contents, a [`Record`]. A record carries its rules, so it can be replayed without the rule
//! book's file, even if that file has changed.
//!
//! | file | contents |
//! |---|---|
//! | `text.rs`, `json.rs` | the two forms |
//! | `tags.rs` | the tags that both forms share |
//! | `written_move.rs` | reads and writes one move |
//! | `set_up.rs` | sets up a position from a list of moves |
//! | `refused.rs` | counts invalid answers by kind |
//! | `seal.rs` | the checksum of saves |
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::records::{self, RoundResult};
//!
//! let text = "[Rulebook \"number-maze\"]\n\n1. +1 x2 2. +1 x2 3. x2 *\n";
//! let (record, round) = &records::replay_all(text)?[0];
//! assert_eq!((round.number_of(Player::One), record.result), (20, RoundResult::Won(Player::One)));
//! let line = record.to_json().to_string();
//! assert_eq!(records::read_all(&line)?, [record.clone()]);
//! # Ok::<(), records::BadRecord>(())
//! ```

mod json;
mod refused;
mod seal;
mod set_up;
mod tags;
mod text;
mod written_move;

use std::ops::RangeInclusive;
use std::sync::Arc;

pub use refused::{Refusals, Refused};
pub use seal::{seal, unseal};
pub use set_up::{BadMove, listed_moves, set_up};
pub use tags::{NAME_FORM, is_name};
pub use written_move::{Unplayable, canonical, read_move};

use crate::engine::play::{Ending, Outcome};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::written::{SKIP, Written};
use crate::format;
use crate::format::{BookText, Draft, Game, MatchForm, Rulebook, Setting, catalog, is_unfit, quotable};

/// The newest version of both forms. A round whose rules do without version 2 of the rule book format is still written
/// as version 1, so that an older Spot On reads it.
pub const VERSION: u32 = 2;

/// One round as it was played, whole or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id of the game, or the name of a file without folder and ending.
    pub rulebook: String,
    /// The variant that was played, if any.
    pub variant: Option<String>,
    /// Settings that were given, such as `target=15`.
    pub settings: Vec<String>,
    /// The target, for people who read the record.
    pub target: Option<String>,
    /// The rules on one line; only records written by hand go without.
    pub rules: Option<String>,
    /// The players' names.
    pub players: ByPlayer<String>,
    /// The opponents' names where a computer played.
    pub computers: ByPlayer<Option<String>>,
    /// Who had the first turn.
    pub first: Player,
    /// The match that the round belongs to, and which round of it this is.
    pub in_match: Option<(MatchForm, u32)>,
    /// The moves in order, skipped turns among them.
    pub moves: Vec<RecordedMove>,
    /// Who won, where the round is over.
    pub result: RoundResult,
    /// Why it is over.
    pub ending: Option<Ending>,
    /// Whatever else the record's tags say, in their order.
    pub other_tags: Vec<(String, String)>,
    /// What tags that stand several times said before: only the last of each counts.
    pub superseded: Vec<(String, String)>,
}

/// A move in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move as it is written everywhere: `+1`, on the other player's number `@-3`, or `skip`.
    pub written: String,
    /// A mark such as `?!`; mostly empty.
    pub mark: String,
    /// A remark; mostly empty.
    pub comment: String,
}

/// The result of a round, as records write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundResult {
    /// `1-0` or `0-1`
    Won(Player),
    /// `1/2-1/2`
    Drawn,
    /// `*`: the round is not over, or was broken off
    Open,
}

impl RoundResult {
    const ALL: [RoundResult; 4] =
        [RoundResult::Won(Player::One), RoundResult::Won(Player::Two), RoundResult::Drawn, RoundResult::Open];

    /// The word that records use.
    pub fn word(self) -> &'static str {
        match self {
            RoundResult::Won(Player::One) => "1-0",
            RoundResult::Won(Player::Two) => "0-1",
            RoundResult::Drawn => "1/2-1/2",
            RoundResult::Open => "*",
        }
    }

    fn parse(written: &str) -> Option<RoundResult> {
        RoundResult::ALL.into_iter().find(|result| result.word() == written)
    }

    fn of(outcome: Option<Outcome>) -> RoundResult {
        match outcome {
            None => RoundResult::Open,
            // A draw would be a result.
            Some(outcome) if outcome.ending.is_without_result() => RoundResult::Open,
            Some(Outcome { winner: Some(winner), .. }) => RoundResult::Won(winner),
            Some(Outcome { winner: None, .. }) => RoundResult::Drawn,
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", self.line.map(|line| format!("line {line}: ")).unwrap_or_default())]
#[non_exhaustive]
pub struct BadRecord {
    /// The line of the text, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl BadRecord {
    fn new(message: impl Into<String>) -> BadRecord {
        BadRecord { line: None, message: message.into() }
    }

    fn at(line: usize, message: impl Into<String>) -> BadRecord {
        BadRecord { line: Some(line), message: message.into() }
    }
}

/// What a record says beside the round itself.
#[derive(Clone, Debug)]
pub struct Circumstances {
    /// The id of the game, or the name of a file.
    pub rulebook: String,
    /// Whether the rule book is a file of the player's own, whose words must be carried along.
    pub own_file: bool,
    /// The variant that is played, if any.
    pub variant: Option<String>,
    /// Settings that were given.
    pub settings: Vec<String>,
    /// The players' names.
    pub players: ByPlayer<String>,
    /// The opponents' names where a computer plays.
    pub computers: ByPlayer<Option<String>>,
    /// The match that the round belongs to, and which round of it this is, from 1.
    pub in_match: Option<(MatchForm, u32)>,
}

impl Record {
    /// The record of a round, over or not.
    pub fn of(round: &Round, circumstances: &Circumstances) -> Record {
        let Circumstances { rulebook, own_file, variant, settings, players, computers, in_match } =
            circumstances.clone();
        let book = round.rulebook();
        let written = round.history().iter().map(|ply| book.write(ply.a_move));
        Record {
            rulebook,
            variant,
            settings,
            target: book.target().map(|target| target.to_string()),
            rules: Some(if own_file { book.whole_line() } else { book.rules_line() }),
            players,
            computers,
            first: round.first(),
            in_match,
            moves: written.map(|written| RecordedMove { written, ..RecordedMove::default() }).collect(),
            result: RoundResult::of(round.outcome()),
            ending: round.outcome().map(|outcome| outcome.ending),
            other_tags: Vec::new(),
            superseded: Vec::new(),
        }
    }

    /// An empty record, to be filled in by a reader.
    fn empty() -> Record {
        Record {
            rulebook: String::new(),
            variant: None,
            settings: Vec::new(),
            target: None,
            rules: None,
            players: ByPlayer::from_fn(|player| player.to_string()),
            computers: ByPlayer([None, None]),
            first: Player::One,
            in_match: None,
            moves: Vec::new(),
            result: RoundResult::Open,
            ending: None,
            other_tags: Vec::new(),
            superseded: Vec::new(),
        }
    }

    /// The rules that the round was played by, with the words of the game where it comes with Spot On.
    ///
    /// # Errors
    ///
    /// Where the record names no game that is known and carries no rules, or a variant that is not known.
    pub fn draft(&self) -> Result<Draft, BadRecord> {
        let shipped = catalog::draft(&self.rulebook);
        let varied = |draft: Draft| match &self.variant {
            Some(variant) => draft.variant(variant),
            None => Ok(draft),
        };
        let set =
            |draft| self.settings.iter().fold(draft, |draft: Draft, setting| draft.set("Setting", setting));
        let rules = self.rules.as_ref().map(|rules| Draft::read_line("Rules", rules));
        match (rules, shipped) {
            // A title: the whole book is there, perhaps a player's own under the name of one of ours.
            (Some(rules), _) if rules.title().is_some() => Ok(rules),
            // Variant and settings only bring words here, so one that is gone by now does no harm.
            (Some(rules), Some(draft)) => {
                Ok(set(varied(draft.clone()).unwrap_or(draft)).with_rules_of(rules))
            }
            (Some(rules), None) => Ok(rules),
            (None, Some(draft)) => {
                let draft = varied(draft).map_err(|unknown| BadRecord::new(unknown.to_string()))?;
                let set = set(draft);
                Ok(match &self.target {
                    Some(target) => set.set_target("Target", target),
                    None => set,
                })
            }
            (None, None) => Err(BadRecord::new(format!(
                "the game \"{}\" is not known here, and the record carries no rules",
                quotable(&self.rulebook)
            ))),
        }
    }

    /// The game that the round was played at, with the targets to draw from if its match draws them.
    ///
    /// # Errors
    ///
    /// As for [`Record::draft`].
    pub fn game(&self, targets: Option<RangeInclusive<i64>>) -> Result<Game, BadRecord> {
        let id = self.rulebook.clone();
        let own_file = self.carries_whole_book();
        let draft = self.draft()?;
        // The target of the record is one of those that are drawn. In a book of ours the others lie on the same side; of
        // any other book the record does not say on which.
        let known = catalog::draft(&self.rulebook).filter(|_| !own_file);
        let turns = targets.is_some() && known.is_none_or(|known| known.direction().is_none());
        let draft = if turns { draft.turning_either_way() } else { draft };
        Ok(Game {
            name: id.clone(),
            book: BookText { id, own_file, source_name: "Rules".to_owned(), text: String::new() },
            variant: self.variant.clone(),
            settings: self.settings.iter().cloned().map(Setting::Set).collect(),
            draft,
            targets,
        })
    }

    /// The rule book that the round was played by.
    ///
    /// # Errors
    ///
    /// Where there is none, it is not valid, or it has another target than the record states.
    pub fn rulebook(&self) -> Result<Rulebook, BadRecord> {
        let rulebook = self.draft()?.build().map_err(|problems| {
            let some: Vec<String> = problems.iter().take(5).map(format::Problem::to_string).collect();
            BadRecord::new(some.join("; "))
        })?;
        match &self.target {
            Some(target) if rulebook.target().map(|target| target.to_string()).as_ref() != Some(target) => {
                Err(BadRecord::new(format!(
                    "the record's target {} is not the target of its rules",
                    quotable(target)
                )))
            }
            _ => Ok(rulebook),
        }
    }

    /// Plays the round again, move by move, and sees that it comes to the end that the record states.
    ///
    /// # Errors
    ///
    /// Where the rules are not valid, a move is not legal, or the end is another one.
    pub fn replay(&self) -> Result<Round, BadRecord> {
        let mut round = Round::new(Arc::new(self.rulebook()?), self.first);
        for (index, recorded) in self.moves.iter().enumerate() {
            let fail = |why: Unplayable| {
                BadRecord::new(format!("move {}, {}: {why}", index + 1, quotable(&recorded.written)))
            };
            let a_move = read_move(&recorded.written, &round).map_err(fail)?;
            round.play(a_move).map_err(|cannot| fail(Unplayable::new(round.rulebook(), cannot)))?;
        }
        self.come_to_the_end(&mut round)?;
        Ok(round)
    }

    /// Whether the record carries the words of its game as well: it was a player's own.
    pub fn carries_whole_book(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| Draft::read_line("Rules", rules).title().is_some())
    }

    /// How many answers of a player did not count, as far as the record tells.
    pub fn refusals(&self, player: Player) -> Refusals {
        let mut refusals = Refusals::default();
        for refused in Refused::ALL {
            let tag = refused_tag(refused, player);
            let count = self.other_tags.iter().find(|(known, _)| *known == tag).map(|(_, count)| count);
            let is_number = |count: &&String| !count.is_empty() && count.chars().all(|c| c.is_ascii_digit());
            // A number past all counting is as many as can be counted.
            let count = count.filter(is_number).map_or(0, |count| count.parse().unwrap_or(u64::MAX));
            refusals.add(refused, count);
        }
        refusals
    }

    /// Tells how many answers of the players did not count.
    pub fn tell_refused(&mut self, refusals: &ByPlayer<Refusals>) {
        for player in Player::BOTH {
            for (refused, count) in refusals[player].iter().filter(|(_, count)| *count > 0) {
                self.other_tags.push((refused_tag(refused, player), count.to_string()));
            }
        }
    }

    /// The version that the record needs: that of the rules that it carries.
    pub(crate) fn version(&self) -> u32 {
        let of_rules = |rules: &String| Draft::read_line("Rules", rules).needs_version_2();
        if self.rules.as_ref().is_some_and(of_rules) { 2 } else { 1 }
    }

    /// States how the round ended, as its moves came to it.
    pub fn state(&mut self, outcome: Option<Outcome>) {
        self.result = RoundResult::of(outcome);
        self.ending = outcome.map(|outcome| outcome.ending);
    }

    /// A round may also end by somebody's word; what the moves end by themselves must be stated rightly.
    fn come_to_the_end(&self, round: &mut Round) -> Result<(), BadRecord> {
        match (round.outcome(), self.ending, self.result) {
            (None, Some(Ending::Resigned), RoundResult::Won(winner)) => round.resign(!winner),
            (None, Some(Ending::Stopped), RoundResult::Drawn) => round.stop(),
            (None, Some(Ending::Forfeited), RoundResult::Open) => round.forfeit(),
            (None, Some(Ending::Abandoned), RoundResult::Open) => round.abandon(),
            _ => {}
        }
        let reached = RoundResult::of(round.outcome());
        let reached_ending = round.outcome().map(|outcome| outcome.ending);
        let states_result = self.result != RoundResult::Open;
        if states_result && reached != self.result || self.ending.is_some() && reached_ending != self.ending {
            let say = |result: RoundResult, ending: Option<Ending>| {
                format!("{} {}", result.word(), ending.map_or("", Ending::word)).trim_end().to_owned()
            };
            return Err(BadRecord::new(format!(
                "the record states {}, but its moves come to {}",
                say(self.result, self.ending),
                say(reached, reached_ending)
            )));
        }
        Ok(())
    }
}

/// The tag for the answers of a player that did not count for a reason: `Illegal1`.
fn refused_tag(refused: Refused, player: Player) -> String {
    let (first, rest) = refused.word().split_at(1);
    format!("{}{rest}{}", first.to_uppercase(), player.number())
}

/// Whether a text could be a move of some game.
fn is_move(written: &str) -> bool {
    written == SKIP || written.parse::<Written>().is_ok()
}

/// The marks that a move may have: `!`, `??`, `?!` and so on.
const MARKS: [char; 2] = ['!', '?'];

/// A comment as it can be written in either form: words with one blank between them, since lines may be broken
/// anywhere in it, and without the brace that ends it.
fn read_comment(said: &str) -> Result<String, BadRecord> {
    let comment = said.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")");
    if comment.chars().any(is_unfit) {
        return Err(BadRecord::new("a comment has a control character"));
    }
    Ok(comment)
}

/// The two forms of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tags and moves, for people.
    Text,
    /// An object a line, for programs.
    Json,
}

/// In which form a text begins with a record; `None` if it does not begin like one.
///
/// ```
/// use spoton::records::{Form, form_at_the_beginning};
///
/// assert_eq!(form_at_the_beginning("[Rulebook \"number-maze\"]\n\n1. x2 *\n"), Some(Form::Text));
/// assert_eq!(form_at_the_beginning("Dear Ann,\n"), None);
/// ```
pub fn form_at_the_beginning(text: &str) -> Option<Form> {
    match is_json(text) {
        true => json::begins(text).then_some(Form::Json),
        false => text::begins(text).then_some(Form::Text),
    }
}

/// Whether a text is read as JSON. A record as text may begin with a comment in braces; an object goes on with a key.
fn is_json(text: &str) -> bool {
    let object = text.trim_start().strip_prefix('{').map(str::trim_start);
    object.is_some_and(|rest| rest.starts_with(['"', '}']))
}

/// Reads any number of records, in either form.
///
/// # Errors
///
/// The first thing that is wrong, with its line.
pub fn read_all(text: &str) -> Result<Vec<Record>, BadRecord> {
    if is_json(text) { json::read_all(text) } else { text::read_all(text) }
}

/// Reads any number of records, at least one, and replays each; what their moves come to stands in them afterwards.
///
/// # Errors
///
/// The first thing that is wrong, with its line or the number of its round.
pub fn replay_all(text: &str) -> Result<Vec<(Record, Round)>, BadRecord> {
    replay_each(text)?.collect()
}

/// The same, one record after the other: whoever has very many can stop in between.
///
/// # Errors
///
/// If the text cannot be read. What is wrong with a single round, the iterator tells with its number.
pub fn replay_each(
    text: &str,
) -> Result<impl Iterator<Item = Result<(Record, Round), BadRecord>> + use<>, BadRecord> {
    let records = read_all(text)?;
    if records.is_empty() {
        return Err(BadRecord::new("there is no round in it"));
    }
    Ok((1..).zip(records).map(|(number, mut record): (u64, Record)| {
        let round = record.replay().map_err(|bad| BadRecord::new(format!("round {number}: {bad}")))?;
        record.state(round.outcome());
        Ok((record, round))
    }))
}

fn written_form(form: MatchForm) -> String {
    match form {
        MatchForm::FirstTo(wins) => format!("first-to {wins}"),
        MatchForm::Rounds(rounds) => format!("rounds {rounds}"),
    }
}

fn parse_form(written: &str) -> Option<MatchForm> {
    let (form, number) = written.split_once(' ')?;
    let number = number.parse().ok().filter(|number| (1..=999).contains(number))?;
    match form {
        "first-to" => Some(MatchForm::FirstTo(number)),
        "rounds" => Some(MatchForm::Rounds(number)),
        _ => None,
    }
}
