//! Invents games. An audit certifies that each game always ends, is never drawn, has a reasonable length, has choices
//! that aren't obvious, defeats guessing, and has no simple rule that wins.
//!
//! A seed gives the same games on every machine and in every later version. Generator 1 therefore never changes: not
//! its randomness (raw words of ChaCha8), its inputs, its criteria or its text. A different generator would be
//! generator 2.
//!
//! ```
//! use spoton::design::invent::{Bounds, Inventor};
//! use spoton::solver::Budget;
//!
//! let budget = &mut Budget::patient(16 << 20);
//! let game = Inventor::new(7, Bounds::usual()).next(budget)?.expect("the supply of games is endless");
//! assert!(game.certificate.figures.always_ends && !game.certificate.figures.can_draw);
//! assert!(game.certificate.guess <= 0.05 && game.certificate.figures.subtle >= 8);
//! assert!(game.text.contains("title = "));
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

mod look;

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::design::audit::one_line::{self, OneLine, Reading};
use crate::design::audit::{Chances, Figures};
use crate::engine::play::{Ending, Refusal};
use crate::engine::position::{EntryIndex, Player, Position};
use crate::engine::written::Offer;
use crate::format::{Draft, Entry, NoRepeat, Numbers, Rulebook};
use crate::solved::SolvedGame;
use crate::solved::lines::Lines;
use crate::solver::{Budget, Unsolved, Verdict};
use spoton_core::text;

/// The requirements for an invented game.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// The length of a round under best play, in moves.
    pub length: RangeInclusive<u64>,
    /// The number of choices that matter but aren't obvious.
    pub subtle: RangeInclusive<u64>,
    /// The careful guesser's highest win rate from the winning seat; `None` for no limit.
    pub guess: Option<f64>,
}

/// The levels.
pub const LEVELS: RangeInclusive<u8> = 1..=5;

/// The guesser wins at most 1 in 20.
const RARELY: f64 = 0.05;

impl Bounds {
    /// A game that takes some thought.
    pub fn usual() -> Bounds {
        Bounds { length: 7..=21, subtle: 8..=u64::MAX, guess: Some(RARELY) }
    }

    /// The requirements for a level from 1 to 5; `None` for any other level.
    pub fn of_level(level: u8) -> Option<Bounds> {
        let subtle = match level {
            1 => 1..=2,
            2 => 3..=5,
            3 => 6..=9,
            4 => 10..=14,
            5 => 15..=20,
            _ => return None,
        };
        Some(Bounds { subtle, guess: (level >= 3).then_some(RARELY), ..Bounds::usual() })
    }

    fn accepts(&self, figures: &Figures) -> bool {
        figures.always_ends
            && !figures.can_draw
            && self.accepts_length(figures.opening)
            && self.subtle.contains(&figures.subtle)
    }

    fn accepts_length(&self, opening: Verdict) -> bool {
        opening.remoteness().is_some_and(|length| self.length.contains(&length))
    }

    /// Allows for rounding: a rate exactly at the limit may come out slightly higher.
    fn accepts_guess(&self, guess: f64) -> bool {
        self.guess.is_none_or(|most| guess <= most + 1e-9)
    }
}

/// The proven facts about an invented game. It also always ends, is never drawn and has no simple winning rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// The counted figures.
    pub figures: Figures,
    /// The careful guesser's win rate from the winning seat.
    pub guess: f64,
}

/// An invented game.
#[derive(Clone, Debug)]
pub struct Invented {
    /// The rule book, with its certificate as a comment.
    pub text: String,
    /// The same, ready to play.
    pub rulebook: Arc<Rulebook>,
    /// The certificate.
    pub certificate: Certificate,
    /// The seed.
    pub seed: u64,
    /// The game's index for this seed, starting at 1.
    pub number: u64,
}

impl Invented {
    /// The rule book without its comments, which reveal who wins.
    pub fn text_without_remarks(&self) -> &str {
        self.text.split_once("\n\n").map_or("", |(_, keys)| keys)
    }

    /// The rule book to read: the same game, with its certificate in plainer words than the frozen text.
    pub fn text_to_read(&self) -> String {
        let head = self.text.lines().next().unwrap_or_default();
        format!("{head}\n{}\n{}", self.certificate.in_words(), self.text_without_remarks())
    }
}

impl Certificate {
    /// The certificate as comment lines.
    fn in_words(&self) -> String {
        let Certificate { figures, guess } = self;
        let seat = if figures.winner() == Some(Player::One) { "first" } else { "second" };
        let matter = text::count(figures.decisions, "choice matters", "choices matter");
        let hidden = match (figures.decisions, figures.subtle) {
            (1, 1) => "its best move isn't obvious".to_owned(),
            (_, hidden) => format!("in {} of them, the best move isn't obvious", text::separated(hidden)),
        };
        format!(
            "# It always ends after at most {}, never in a draw.\n\
             # The player who goes {seat} can force a win within {}.\n\
             # {matter}; {hidden}.\n\
             # Careful guessing wins {:.2} of 100 rounds from the winning seat.\n\
             # No simple rule always wins.\n",
            text::count(figures.longest.unwrap_or_default(), "move", "moves"),
            text::count(figures.opening.remoteness().unwrap_or_default(), "move", "moves"),
            guess * 100.0,
        )
    }
}

/// Invents a sequence of different games.
pub struct Inventor {
    seed: u64,
    words: Words,
    bounds: Bounds,
    like: Option<Arc<Rulebook>>,
    invented: u64,
    /// The fingerprints and figures used so far.
    known: HashSet<String>,
}

/// The maximum number of drafts per game. After that, the bounds count as impossible.
const MOST_TRIES: u32 = 50_000;
/// Solver memory limit per draft. Skips drafts that need more.
const BYTES: u64 = 8 << 20;

impl Inventor {
    /// An inventor with a seed.
    pub fn new(seed: u64, bounds: Bounds) -> Inventor {
        Inventor { seed, words: Words::new(seed), bounds, like: None, invented: 0, known: HashSet::new() }
    }

    /// Invents games like a given one: with the same endings and bans, but a different target and different moves.
    #[must_use]
    pub fn like(self, rulebook: Arc<Rulebook>) -> Inventor {
        Inventor { like: Some(rulebook), ..self }
    }

    /// The next game; `None` if none fits the bounds.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Invented>, Unsolved> {
        for tried in 0..MOST_TRIES {
            budget.ask_now(tried.into(), None)?;
            let sketch = match &self.like {
                Some(like) => Sketch::like(like, &mut self.words),
                None => Sketch::draw(&mut self.words),
            };
            let Ok(rulebook) = Draft::read("invented.toml", &sketch.keys()).build() else { continue };
            if look::rejects(&rulebook, &self.bounds, budget)? {
                continue;
            }
            let game = SolvedGame::new(Arc::new(rulebook));
            let certified = budget.within(BYTES, |budget| certified(&game, &self.bounds, budget));
            let certificate = match certified {
                Ok(Some(certificate)) => certificate,
                Ok(None) | Err(Unsolved::TooLarge { .. } | Unsolved::TooLong { .. }) => continue,
                Err(why) => return Err(why),
            };
            let rulebook = Arc::clone(game.rulebook());
            let is_new =
                self.known.insert(rulebook.fingerprint()) && self.known.insert(format!("{certificate:?}"));
            if !is_new {
                continue;
            }
            self.invented += 1;
            let comment = comment(self.seed, self.invented, &certificate);
            let text = format!("{comment}\n{}", sketch.keys());
            return Ok(Some(Invented {
                text,
                rulebook,
                certificate,
                seed: self.seed,
                number: self.invented,
            }));
        }
        Ok(None)
    }
}

/// A game's certificate, if it fits the bounds. Cheap checks come first.
fn certified(
    game: &SolvedGame,
    bounds: &Bounds,
    budget: &mut Budget<'_>,
) -> Result<Option<Certificate>, Unsolved> {
    let solver = game.solver(budget)?;
    let lines = Lines::from_solver(&solver, budget)?;
    let figures = Figures::from_lines(&lines);
    if !bounds.accepts(&figures) {
        return Ok(None);
    }
    let chances = Chances { solver: &solver, ladder: None };
    let Some(guess) = chances.guess(&figures, budget)?.filter(|guess| bounds.accepts_guess(*guess)) else {
        return Ok(None);
    };
    if has_idle_rule(&lines) {
        return Ok(None);
    }
    let rule = one_line::find(&lines, game, Reading::ByEntry, budget)?;
    Ok((rule == OneLine::None).then_some(Certificate { figures, guess }))
}

/// Whether a rule never applies: an unreachable target, or a ban that bans nothing. Checks only positions where a
/// player can move, so it rejects more than the audit would. Generator 1 depends on this, so it never changes.
fn has_idle_rule(lines: &Lines) -> bool {
    let rulebook = lines.rulebook();
    let anywhere =
        |holds: &dyn Fn(&Position) -> bool| lines.indices().any(|index| holds(&lines.position(index)));
    let bars = |why: &dyn Fn(Refusal) -> bool| {
        anywhere(&|position| rulebook.offers(position).any(|offer| offer.result.is_err_and(why)))
    };
    let reaches = || {
        anywhere(&|position| {
            let ends = |a_move| rulebook.ends_at_once(position, a_move);
            rulebook.situation(position).moves().filter_map(ends).any(|end| end.ending == Ending::Reached)
        })
    };
    let repeats = |why| matches!(why, Refusal::RepeatsOwn | Refusal::RepeatsOpponent);
    let forbids = |why| matches!(why, Refusal::Forbidden { .. });
    let gives = |index: EntryIndex| {
        let is_given = |offer: Offer| offer.result.is_ok() && offer.entry == index;
        anywhere(&|position| rulebook.offers(position).any(is_given))
    };
    let is_used_up = |index: EntryIndex, limit: u8| {
        anywhere(&|position| Player::BOTH.iter().any(|player| position.uses_of(*player, index) >= limit))
    };
    let is_idle = |(index, entry): (EntryIndex, &Entry)| {
        !gives(index) || entry.uses.is_some_and(|uses| !is_used_up(index, uses.limit))
    };
    !reaches()
        || rulebook.no_repeat() != NoRepeat::None && !bars(&repeats)
        || !rulebook.forbidden().is_empty() && !bars(&forbids)
        || rulebook.entries().any(is_idle)
}

/// The certificate as a comment. Its words never change because generator 1 depends on them.
fn comment(seed: u64, number: u64, certificate: &Certificate) -> String {
    let Certificate { figures, guess } = certificate;
    let who = if figures.winner() == Some(Player::One) { "first" } else { "second" };
    format!(
        "# Invented by Spot On (generator 1, seed {seed}, game {number}) and certified:\n\
         # It always ends, after {} moves at most, and never in a draw.\n\
         # Whoever goes {who} can force a win within {} moves.\n\
         # {}\n\
         # A careful guesser wins {:.2} of 100 rounds from the winning seat.\n\
         # No rule of one line always wins.\n",
        figures.longest.unwrap_or_default(),
        figures.opening.remoteness().unwrap_or_default(),
        choices(figures.decisions, figures.subtle),
        guess * 100.0,
    )
}

fn choices(decisions: u64, subtle: u64) -> String {
    match (decisions, subtle) {
        (1, 1) => "1 choice matters, and does not show it at once.".to_owned(),
        (decisions, subtle) if subtle == decisions => {
            format!("{decisions} choices matter, and none of them shows it at once.")
        }
        (decisions, 1) => format!("{decisions} choices matter, and 1 of them does not show it at once."),
        (decisions, subtle) => {
            format!("{decisions} choices matter, and {subtle} of them do not show it at once.")
        }
    }
}

/// Raw words of ChaCha8, keyed with the seed.
struct Words(ChaCha8Rng);

impl Words {
    fn new(seed: u64) -> Words {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..24].copy_from_slice(b"spoton invents 1");
        Words(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to just below the bound.
    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::from(self.below((high - low + 1) as u32))
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u32) as usize]
    }

    /// A random choice of items, in order.
    fn some<'a>(&mut self, items: &[&'a str], count: usize) -> Vec<&'a str> {
        let mut left = count.min(items.len()) as u32;
        let mut some = Vec::new();
        for (place, item) in items.iter().enumerate() {
            if self.below((items.len() - place) as u32) < left {
                some.push(*item);
                left -= 1;
            }
        }
        some
    }
}

/// The keys of a draft.
struct Sketch {
    separate: bool,
    start: i64,
    target: i64,
    moves: Vec<String>,
    /// The last move's use limit per player, if any.
    uses: Option<u32>,
    past: &'static str,
    no_repeat: &'static str,
    /// The kind of forbidden numbers.
    forbidden: Option<&'static str>,
    stuck: &'static str,
}

const ADDITIONS: [&str; 9] = ["+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"];
const SUBTRACTIONS: [&str; 9] = ["-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"];

impl Sketch {
    /// A random draft.
    fn draw(words: &mut Words) -> Sketch {
        let no_repeat = words.pick(&["none", "none", "none", "own", "opponent", "both"]);
        let past = words.pick(&["loses", "forbidden"]);
        let countdown = words.below(4) == 0;
        let count = 2 + words.below(3) as usize;
        let (start, target, mut moves) = if countdown {
            (words.between(20, 60), 0, words.some(&SUBTRACTIONS, count))
        } else {
            (words.between(1, 3), words.between(20, 60), words.some(&ADDITIONS, count))
        };
        let more: &[&str] = if countdown { &["", "", "/2", "-digit"] } else { &["", "x2", "x3", "+digit"] };
        let more = words.pick(more);
        let mut uses = None;
        if !more.is_empty() {
            moves.push(more);
            uses = Some(words.below(12)).filter(|uses| (1..=3).contains(uses));
        }
        let kinds =
            ["", "", "", "", "", "multiples of 4", "multiples of 5", "multiples of 7", "prime", "square"];
        // A forbidden target would be playable but strange.
        let forbidden = Some(words.pick(&kinds)).filter(|kind| !kind.is_empty() && !is_of(kind, target));
        let moves = moves.into_iter().map(str::to_owned).collect();
        Sketch { separate: false, start, target, moves, uses, past, no_repeat, forbidden, stuck: "loses" }
    }

    /// A draft with another game's endings and bans.
    fn like(rulebook: &Rulebook, words: &mut Words) -> Sketch {
        let any = Sketch::draw(words);
        let start = rulebook.start().0;
        let target = rulebook.target().unwrap_or(any.target);
        let far = target.abs_diff(start).clamp(8, 200) as i64;
        let distance = words.between(far / 2, far * 2);
        let countdown = target < start;
        let count = 2 + words.below(3) as usize;
        let mut moves: Vec<String> = words
            .some(if countdown { &SUBTRACTIONS } else { &ADDITIONS }, count)
            .into_iter()
            .map(str::to_owned)
            .collect();
        // Keeps some of the book's moves.
        for entry in rulebook.moves().iter().map(ToString::to_string) {
            if words.below(2) == 0 && !moves.contains(&entry) {
                moves.push(entry);
            }
        }
        Sketch {
            separate: rulebook.numbers() == Numbers::Separate,
            start,
            target: if countdown { start - distance } else { start + distance },
            moves,
            uses: None,
            past: rulebook.past().word(),
            no_repeat: rulebook.no_repeat().word(),
            forbidden: None,
            stuck: rulebook.stuck().word(),
        }
    }

    /// The rule book text.
    fn keys(&self) -> String {
        let Sketch { start, target, past, no_repeat, .. } = self;
        let mut entries: Vec<String> = self.moves.iter().map(|entry| format!("\"{entry}\"")).collect();
        if let (Some(uses), Some(last)) = (self.uses, entries.last_mut()) {
            *last = format!("{{ op = {last}, uses = {uses} }}");
        }
        let separate = if self.separate { "numbers = \"separate\"\n" } else { "" };
        let forbidden = self.forbidden.map(|kind| format!("forbidden = [\"{kind}\"]\n")).unwrap_or_default();
        let stuck =
            if self.stuck == "loses" { String::new() } else { format!("stuck = \"{}\"\n", self.stuck) };
        format!(
            "title = \"{}\"\nsummary = \"{}\"\n\n{separate}start = {start}\ntarget = {target}\nmoves = [{}]\n\
             past = \"{past}\"\n{forbidden}no_repeat = \"{no_repeat}\"\n{stuck}",
            self.title(),
            self.summary(),
            entries.join(", "),
        )
    }

    fn title(&self) -> String {
        let Sketch { start, target, .. } = self;
        // A countdown's title includes the start; a climb's doesn't.
        let from = if start > target { format!(" from {start}") } else { String::new() };
        let uses = self.uses.map(|uses| format!(" ({uses} each)")).unwrap_or_default();
        let without = self.forbidden.map(|kind| format!(", no {}", plural(kind))).unwrap_or_default();
        format!("{}{uses}{from} to {target}{without}", self.moves.join(" "))
    }

    fn summary(&self) -> String {
        let target = self.target;
        let whose = if self.separate { "Change your own number" } else { "Take turns changing one number" };
        let past = match self.past {
            "loses" => "; going past it loses",
            "forbidden" => "; nobody may go past it",
            _ => "; going past it wins, too",
        };
        let mut more = String::new();
        if let (Some(uses), Some(last)) = (self.uses, self.moves.last()) {
            let times = ["never", "only once", "only twice", "only three times"];
            more.push_str(&format!(" You may use {last} {}.", times[uses.min(3) as usize]));
        }
        if let Some(kind) = self.forbidden {
            more.push_str(&format!(" Nobody may land on {}.", plural(kind)));
        }
        more.push_str(match self.no_repeat {
            "own" => " You may not make the same move twice in a row.",
            "opponent" => " You may not copy the other player's last move.",
            "both" => " You may not repeat your own last move or copy the other player's.",
            _ => "",
        });
        let in_words = |entry: &String| match entry.as_str() {
            "+digit" => "plus one of its digits".to_owned(),
            "-digit" => "minus one of its digits".to_owned(),
            plain => plain.to_owned(),
        };
        let moves: Vec<String> = self.moves.iter().map(in_words).collect();
        let moves = match moves.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => moves.concat(),
        };
        format!("{whose}: {moves}. Land exactly on {target} to win{past}.{more}")
    }
}

fn is_of(kind: &str, number: i64) -> bool {
    match kind {
        "prime" => number > 1 && (2..number).all(|divisor| number % divisor != 0),
        "square" => (0..=number).any(|root| root * root == number),
        "multiples of 4" => number % 4 == 0,
        "multiples of 5" => number % 5 == 0,
        _ => number % 7 == 0,
    }
}

/// The plural of a kind of number.
fn plural(kind: &str) -> String {
    if kind.starts_with("multiples") { kind.to_owned() } else { format!("{kind}s") }
}
