//! New games, each certified by its audit: it always ends, is never drawn, is neither too short nor too long, has
//! choices that matter without showing it, leaves a guesser little chance, and no rule of one line wins it.
//!
//! The same seed gives the same games on every machine and in every later version. Generator 1 therefore never
//! changes: not how it draws (plain words of ChaCha8), not what it draws from, not what it accepts, not how it writes.
//! Whoever wants other games writes generator 2 beside it.
//!
//! ```
//! use spoton::people::invent::{Bounds, Inventor};
//! use spoton::solver::Budget;
//!
//! let budget = &mut Budget::patient(16 << 20);
//! let game = Inventor::new(7, Bounds::usual()).next(budget)?.expect("there are many");
//! assert!(game.certificate.figures.always_ends && !game.certificate.figures.can_draw);
//! assert!(game.certificate.guess <= 0.05 && game.certificate.figures.subtle >= 8);
//! assert!(game.text.contains("title = "));
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::play::{Ending, Refusal};
use crate::engine::position::{EntryIndex, Player, Position};
use crate::engine::written::Offer;
use crate::format::{Draft, Entry, NoRepeat, Numbers, Rulebook};
use crate::people::audit::lines::Lines;
use crate::people::audit::one_line::{self, OneLine, Reading};
use crate::people::audit::{Chances, Figures};
use crate::people::solved_game::SolvedGame;
use crate::solver::{Budget, Unsolved};

/// What an invented game must be like.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// How many moves a round lasts if both play their best.
    pub length: RangeInclusive<u64>,
    /// How many choices matter without showing it at once.
    pub subtle: RangeInclusive<u64>,
    /// How often the careful guesser may win from the winning seat; `None` if that does not count.
    pub guess: Option<f64>,
}

/// The levels that there are.
pub const LEVELS: RangeInclusive<u8> = 1..=5;

/// One win in twenty for the guesser.
const RARELY: f64 = 0.05;

impl Bounds {
    /// A game worth some thought.
    pub fn usual() -> Bounds {
        Bounds { length: 7..=21, subtle: 8..=u64::MAX, guess: Some(RARELY) }
    }

    /// A game of a level, from 1 to 5; `None` if there is no such level.
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
            && figures.opening.remoteness().is_some_and(|length| self.length.contains(&length))
            && self.subtle.contains(&figures.subtle)
    }

    /// A chance that is exactly at the bound may come out a little above it.
    fn accepts_guess(&self, guess: f64) -> bool {
        self.guess.is_none_or(|most| guess <= most + 1e-9)
    }
}

/// What is proved of an invented game, beside that it always ends, is never drawn and has no rule of one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// What can be counted.
    pub figures: Figures,
    /// How often the careful guesser wins from the winning seat.
    pub guess: f64,
}

/// A game that was invented.
#[derive(Clone, Debug)]
pub struct Invented {
    /// The rule book, with its certificate as a comment.
    pub text: String,
    /// The same, ready to be played.
    pub rulebook: Arc<Rulebook>,
    /// What is proved of it.
    pub certificate: Certificate,
    /// The seed that it came from.
    pub seed: u64,
    /// Which of the games of that seed it is, from 1.
    pub number: u64,
}

impl Invented {
    /// The rule book without its remarks, which tell who wins.
    pub fn text_without_remarks(&self) -> &str {
        self.text.split_once("\n\n").map_or("", |(_, keys)| keys)
    }
}

/// Invents games, one after another, all of them different.
pub struct Inventor {
    seed: u64,
    words: Words,
    bounds: Bounds,
    like: Option<Arc<Rulebook>>,
    invented: u64,
    /// The fingerprints and the figures that there were already.
    known: HashSet<String>,
}

/// So many drafts are tried for a game before it is given up: nothing fits such bounds.
const MOST_TRIES: u32 = 50_000;
/// A draft that takes more than this to be solved is not looked at.
const BYTES: u64 = 8 << 20;

impl Inventor {
    /// An inventor with a seed.
    pub fn new(seed: u64, bounds: Bounds) -> Inventor {
        Inventor { seed, words: Words::new(seed), bounds, like: None, invented: 0, known: HashSet::new() }
    }

    /// One whose games are like another one: they keep what it does at its ends and what it forbids, and get another
    /// target and other moves.
    #[must_use]
    pub fn like(self, rulebook: Arc<Rulebook>) -> Inventor {
        Inventor { like: Some(rulebook), ..self }
    }

    /// The next game; `None` if none was found that fits the bounds.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Invented>, Unsolved> {
        for tried in 0..MOST_TRIES {
            budget.ask_now(tried.into(), None)?;
            let sketch = match &self.like {
                Some(like) => Sketch::like(like, &mut self.words),
                None => Sketch::draw(&mut self.words),
            };
            let Ok(rulebook) = Draft::read("invented.toml", &sketch.keys()).build() else { continue };
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

/// Whether a game fits, and what is then proved of it. What takes little time is asked first.
fn certified(
    game: &SolvedGame,
    bounds: &Bounds,
    budget: &mut Budget<'_>,
) -> Result<Option<Certificate>, Unsolved> {
    let solver = game.solver(budget)?;
    let lines = Lines::of(&solver, budget)?;
    let figures = Figures::of(&lines);
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

/// Whether a target that nobody can land on, or a ban that bans nothing, is a promise that is not kept. Generator 1 looks
/// only at positions where somebody can move. That rejects more than the audit would, and stays so for ever.
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

/// The certificate as the comment of a file.
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

/// Plain words of ChaCha8 with the seed as its key.
struct Words(ChaCha8Rng);

impl Words {
    fn new(seed: u64) -> Words {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..24].copy_from_slice(b"spoton invents 1");
        Words(ChaCha8Rng::from_seed(key))
    }

    /// From 0 to one below the bound.
    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::from(self.below((high - low + 1) as u32))
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u32) as usize]
    }

    /// So many of the items, in their order.
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

/// The keys of a game that is about to be tried.
struct Sketch {
    separate: bool,
    start: i64,
    target: i64,
    moves: Vec<String>,
    /// How often each player may make the last of the moves, if that is limited.
    uses: Option<u32>,
    past: &'static str,
    no_repeat: &'static str,
    /// The kind of numbers that nobody may land on.
    forbidden: Option<&'static str>,
    stuck: &'static str,
}

const ADDITIONS: [&str; 9] = ["+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"];
const SUBTRACTIONS: [&str; 9] = ["-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"];

impl Sketch {
    /// Any game.
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
        // A target that nobody may land on would be odd, though it can be played.
        let forbidden = Some(words.pick(&kinds)).filter(|kind| !kind.is_empty() && !is_of(kind, target));
        let moves = moves.into_iter().map(str::to_owned).collect();
        Sketch { separate: false, start, target, moves, uses, past, no_repeat, forbidden, stuck: "loses" }
    }

    /// A game with the ends and the bans of another one.
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
        // Some of its own moves stay.
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

    /// The rule book.
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
        // What a climb starts from hardly matters to whoever reads a title; a countdown is told by it.
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

/// Numbers of a kind.
fn plural(kind: &str) -> String {
    if kind.starts_with("multiples") { kind.to_owned() } else { format!("{kind}s") }
}
