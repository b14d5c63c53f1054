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
use crate::format::{self, BookText, Draft, Game, MatchForm, Rulebook, Setting, catalog, is_unfit, quotable};

/// The newest version of both forms. A round whose rules need only version 1 of the rule book format is
/// written as version 1, so that older versions of Spot On can read it.
pub const VERSION: u32 = 2;

/// A finished or unfinished round as played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id of the game, or a file's name without folder and extension.
    pub rulebook: String,
    /// The variant, if any.
    pub variant: Option<String>,
    /// The settings, such as `target=15`.
    pub settings: Vec<String>,
    /// The target, for human readers.
    pub target: Option<String>,
    /// The rules on one line. Only handwritten records omit them.
    pub rules: Option<String>,
    /// The players' names.
    pub players: ByPlayer<String>,
    /// The computer opponent that played as each player, if any.
    pub computers: ByPlayer<Option<String>>,
    /// The player with the first turn.
    pub first: Player,
    /// The match, and the number of this round in it.
    pub in_match: Option<(MatchForm, u32)>,
    /// The moves in order, including skipped turns.
    pub moves: Vec<RecordedMove>,
    /// The result, if the round is over.
    pub result: RoundResult,
    /// Why it ended.
    pub ending: Option<Ending>,
    /// All other tags, in order.
    pub other_tags: Vec<(String, String)>,
    /// Earlier values of repeated tags. Only the last value counts.
    pub superseded: Vec<(String, String)>,
}

/// A move in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move in the usual notation: `+1`, `@-3` on the opponent's number, or `skip`.
    pub written: String,
    /// A mark such as `?!`; usually empty.
    pub mark: String,
    /// A comment; usually empty.
    pub comment: String,
}

/// The result of a round, as in records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundResult {
    /// `1-0` or `0-1`
    Won(Player),
    /// `1/2-1/2`
    Drawn,
    /// `*`: the round isn't over, or was aborted
    Open,
}

impl RoundResult {
    const ALL: [RoundResult; 4] =
        [RoundResult::Won(Player::One), RoundResult::Won(Player::Two), RoundResult::Drawn, RoundResult::Open];

    /// The notation in records.
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

    fn from_outcome(outcome: Option<Outcome>) -> RoundResult {
        match outcome {
            None => RoundResult::Open,
            // Not a draw, which would count as a result.
            Some(outcome) if outcome.ending.is_without_result() => RoundResult::Open,
            Some(Outcome { winner: Some(winner), .. }) => RoundResult::Won(winner),
            Some(Outcome { winner: None, .. }) => RoundResult::Drawn,
        }
    }
}

/// Why a record is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", self.line.map(|line| format!("line {line}: ")).unwrap_or_default())]
#[non_exhaustive]
pub struct BadRecord {
    /// The 1-based line in the text, if known.
    pub line: Option<usize>,
    /// The error in words.
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

/// The context of a round for its record.
#[derive(Clone, Debug)]
pub struct Circumstances {
    /// The id of the game, or a file's name.
    pub rulebook: String,
    /// Whether the rule book is the player's own file, so that the record must include its wording.
    pub own_file: bool,
    /// The variant, if any.
    pub variant: Option<String>,
    /// The settings.
    pub settings: Vec<String>,
    /// The players' names.
    pub players: ByPlayer<String>,
    /// The computer opponent that plays as each player, if any.
    pub computers: ByPlayer<Option<String>>,
    /// The match, and the number of this round in it, from 1.
    pub in_match: Option<(MatchForm, u32)>,
}

impl Record {
    /// The record of a round, finished or not.
    pub fn from_round(round: &Round, circumstances: &Circumstances) -> Record {
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
            result: RoundResult::from_outcome(round.outcome()),
            ending: round.outcome().map(|outcome| outcome.ending),
            other_tags: Vec::new(),
            superseded: Vec::new(),
        }
    }

    /// An empty record for a reader to fill in.
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

    /// The rules of the round, with the wording of the game if it comes with Spot On.
    ///
    /// # Errors
    ///
    /// If the record has no rules and Spot On doesn't know the game or the variant.
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
            // A title means that the whole book is included, possibly a player's own with the name of a
            // shipped game.
            (Some(rules), _) if rules.title().is_some() => Ok(rules),
            // Variants and settings only add wording here, so an unknown variant does no harm.
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
                "this Spot On has no game \"{}\", and the record doesn't include its rules",
                quotable(&self.rulebook)
            ))),
        }
    }

    /// The game of the round, with the targets to draw from if its match draws them.
    ///
    /// # Errors
    ///
    /// As for [`Record::draft`].
    pub fn game(&self, targets: Option<RangeInclusive<i64>>) -> Result<Game, BadRecord> {
        let id = self.rulebook.clone();
        let own_file = self.carries_whole_book();
        let draft = self.draft()?;
        // The record's target is one of the drawn ones. For a shipped book, the others are on the same side
        // of the start. For any other book, the record doesn't show the side.
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

    /// The rule book of the round.
    ///
    /// # Errors
    ///
    /// If there is none, it isn't valid, or its target differs from the record's.
    pub fn rulebook(&self) -> Result<Rulebook, BadRecord> {
        let rulebook = self.draft()?.build().map_err(|problems| {
            let some: Vec<String> = problems.iter().take(5).map(format::Problem::to_string).collect();
            BadRecord::new(some.join("; "))
        })?;
        match &self.target {
            Some(target) if rulebook.target().map(|target| target.to_string()).as_ref() != Some(target) => {
                Err(BadRecord::new(format!(
                    "the record has target {}, but its rules have another target",
                    quotable(target)
                )))
            }
            _ => Ok(rulebook),
        }
    }

    /// Replays the round and checks that it ends as recorded.
    ///
    /// # Errors
    ///
    /// If the rules aren't valid, a move isn't legal, or the round ends differently.
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

    /// Whether the record includes the wording of its game, because it was a player's own.
    pub fn carries_whole_book(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| Draft::read_line("Rules", rules).title().is_some())
    }

    /// How many invalid answers a player gave, according to the record.
    pub fn refusals(&self, player: Player) -> Refusals {
        let mut refusals = Refusals::default();
        for refused in Refused::ALL {
            let tag = refused_tag(refused, player);
            let count = self.other_tags.iter().find(|(known, _)| *known == tag).map(|(_, count)| count);
            let is_number = |count: &&String| !count.is_empty() && count.chars().all(|c| c.is_ascii_digit());
            // Saturates: a larger number counts as `u64::MAX`.
            let count = count.filter(is_number).map_or(0, |count| count.parse().unwrap_or(u64::MAX));
            refusals.add(refused, count);
        }
        refusals
    }

    /// Records the counts of invalid answers.
    pub fn tell_refused(&mut self, refusals: &ByPlayer<Refusals>) {
        for player in Player::BOTH {
            for (refused, count) in refusals[player].iter().filter(|(_, count)| *count > 0) {
                self.other_tags.push((refused_tag(refused, player), count.to_string()));
            }
        }
    }

    /// The version the record needs: that of its rules.
    pub(crate) fn version(&self) -> u32 {
        let of_rules = |rules: &String| Draft::read_line("Rules", rules).needs_version_2();
        if self.rules.as_ref().is_some_and(of_rules) { 2 } else { 1 }
    }

    /// Records how the round ended.
    pub fn state(&mut self, outcome: Option<Outcome>) {
        self.result = RoundResult::from_outcome(outcome);
        self.ending = outcome.map(|outcome| outcome.ending);
    }

    /// A round may also end by resignation and the like. Endings that follow from the moves must match.
    fn come_to_the_end(&self, round: &mut Round) -> Result<(), BadRecord> {
        match (round.outcome(), self.ending, self.result) {
            (None, Some(Ending::Resigned), RoundResult::Won(winner)) => round.resign(!winner),
            (None, Some(Ending::Stopped), RoundResult::Drawn) => round.stop(),
            (None, Some(Ending::Forfeited), RoundResult::Open) => round.forfeit(),
            (None, Some(Ending::Abandoned), RoundResult::Open) => round.abandon(),
            _ => {}
        }
        let reached = RoundResult::from_outcome(round.outcome());
        let reached_ending = round.outcome().map(|outcome| outcome.ending);
        let states_result = self.result != RoundResult::Open;
        if states_result && reached != self.result || self.ending.is_some() && reached_ending != self.ending {
            let say = |result: RoundResult, ending: Option<Ending>| {
                format!("{} {}", result.word(), ending.map_or("", Ending::word)).trim_end().to_owned()
            };
            return Err(BadRecord::new(format!(
                "the record ends with {}, but its moves end with {}",
                say(self.result, self.ending),
                say(reached, reached_ending)
            )));
        }
        Ok(())
    }
}

/// The tag for a player's invalid answers of one kind: `Illegal1`.
fn refused_tag(refused: Refused, player: Player) -> String {
    let (first, rest) = refused.word().split_at(1);
    format!("{}{rest}{}", first.to_uppercase(), player.number())
}

/// Whether text could be a move of some game.
fn is_move(written: &str) -> bool {
    written == SKIP || written.parse::<Written>().is_ok()
}

/// The marks of moves: `!`, `??`, `?!` and so on.
const MARKS: [char; 2] = ['!', '?'];

/// Normalizes a comment for both forms: single spaces, because lines may break anywhere, and no closing
/// brace.
fn read_comment(said: &str) -> Result<String, BadRecord> {
    let comment = said.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")");
    if comment.chars().any(is_unfit) {
        return Err(BadRecord::new("a comment contains a control character"));
    }
    Ok(comment)
}

/// The two forms of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tags and moves, for people.
    Text,
    /// One object per line, for programs.
    Json,
}

/// Detects the record format from the start of the text; `None` if it isn't a record.
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

/// Whether the text is JSON. A text record may start with a comment in braces; an object continues with a key.
fn is_json(text: &str) -> bool {
    let object = text.trim_start().strip_prefix('{').map(str::trim_start);
    object.is_some_and(|rest| rest.starts_with(['"', '}']))
}

/// Reads any number of records, in either form.
///
/// # Errors
///
/// The first error, with its line.
pub fn read_all(text: &str) -> Result<Vec<Record>, BadRecord> {
    if is_json(text) { json::read_all(text) } else { text::read_all(text) }
}

/// Reads at least one record and replays each. Sets each record's result and ending from its moves.
///
/// # Errors
///
/// The first error, with its line or the number of its round.
pub fn replay_all(text: &str) -> Result<Vec<(Record, Round)>, BadRecord> {
    replay_each(text)?.collect()
}

/// [`replay_all`] as an iterator, so that callers with many records can stop early.
///
/// # Errors
///
/// If the text can't be read. The iterator returns errors of single rounds, with their numbers.
pub fn replay_each(
    text: &str,
) -> Result<impl Iterator<Item = Result<(Record, Round), BadRecord>> + use<>, BadRecord> {
    let records = read_all(text)?;
    if records.is_empty() {
        return Err(BadRecord::new("there are no rounds in this file"));
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
