//! A position as short text that can be parsed back: for links, puzzles, and programs in other languages.
//!
//! The text is `numbers;turn;previous;uses;passes;plies`. Fields that the rule book doesn't need are empty.
//! Empty fields at the end are omitted with their semicolons, so most positions are as short as `10;1`.
//! Commas separate the parts of a field, Player 1 first.
//!
//! | field | contents | needed |
//! |---|---|---|
//! | `numbers` | the shared number, or one per player | always |
//! | `turn` | `1` or `2` | always |
//! | `previous` | each player's last move, `-` for none | if `no_repeat` checks it |
//! | `uses` | for each limited entry of `moves`, in order: `a/b` if each player has a pool, `a` if they share it | if uses are limited |
//! | `passes` | each player's number of passes | if passes are limited |
//! | `plies` | the number of turns taken by both players | if turns are limited |
//!
//! ```
//! use spoton::format::Draft;
//!
//! let text = "title = 'Duel'\nnumbers = 'separate'\nstart = 1\ntarget = 20\nno_repeat = 'opponent'
//! moves = ['+1', { op = 'x2', uses = 3 }]";
//! let duel = Draft::read("duel.toml", text).build()?;
//! let position = duel.read_position("3,5;2;+1,-;1/0")?;
//! assert_eq!((position.turn().number(), position.number()), (2, 5));
//! assert_eq!(duel.position_text(&position), "3,5;2;+1,-;1/0");
//!
//! let bad = duel.read_position("3,20;2;+1,-;1/0").unwrap_err();
//! assert_eq!(
//!     bad.to_string(),
//!     "`numbers` takes two whole numbers from 1 to 19 separated by a comma, Player 1 first, not \"3,20\""
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A position has exactly one text, so texts of one rule book are equal if the positions are. Positions that
//! play can't reach also have a text. [`Solver::from_positions`](crate::solver::Solver::from_positions) shows
//! how to solve a game from there.

use std::fmt;

use crate::engine::play::Move;
use crate::engine::position::{ByPlayer, Choice, Clock, EntryIndex, MOST_MOVES, Player, Position};
use crate::engine::rulebook::{NoRepeat, Numbers, Pool, Rulebook, Uses};
use crate::text::quotable;

/// Separates fields.
const BETWEEN_FIELDS: char = ';';
/// Separates the parts of a field.
const BETWEEN_PARTS: char = ',';
/// Separates the players' uses of one entry.
const BETWEEN_POOLS: char = '/';
/// No last move.
const NOTHING: &str = "-";

/// A field of a position's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The shared number, or one per player.
    Numbers,
    /// The player to move.
    Turn,
    /// Each player's last move.
    Previous,
    /// How often each limited entry has been used.
    Uses,
    /// Each player's number of passes.
    Passes,
    /// The number of turns taken, if limited.
    Plies,
}

impl Field {
    /// All fields, in order.
    pub const ALL: [Field; 6] =
        [Field::Numbers, Field::Turn, Field::Previous, Field::Uses, Field::Passes, Field::Plies];

    /// The name in errors.
    pub fn name(self) -> &'static str {
        match self {
            Field::Numbers => "numbers",
            Field::Turn => "turn",
            Field::Previous => "previous",
            Field::Uses => "uses",
            Field::Passes => "passes",
            Field::Plies => "plies",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why text isn't a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("`{field}` takes {allowed}, {}", self.in_words())]
pub struct BadPosition {
    /// The first wrong field.
    pub field: Field,
    /// Its contents; empty if missing.
    pub given: String,
    /// The allowed contents in this game, in words.
    pub allowed: String,
}

impl BadPosition {
    fn new(field: Field, given: &str, allowed: impl Into<String>) -> BadPosition {
        BadPosition { field, given: given.to_owned(), allowed: allowed.into() }
    }

    fn in_words(&self) -> String {
        match self.given.as_str() {
            "" => "but it's empty".to_owned(),
            given => format!("not \"{}\"", quotable(given)),
        }
    }
}

impl Rulebook {
    /// Writes a position as short text. [`Rulebook::read_position`] parses it.
    ///
    /// ```
    /// use spoton::engine::position::Player;
    /// use spoton::format::catalog;
    ///
    /// let maze = catalog::draft("number-maze").unwrap().build()?;
    /// assert_eq!(maze.position_text(&maze.opening(Player::Two)), "1;2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position_text(&self, position: &Position) -> String {
        let each = |part: &dyn Fn(Player) -> String| Player::BOTH.map(part).join(&BETWEEN_PARTS.to_string());
        let numbers = match self.numbers() {
            Numbers::Shared => position.number().to_string(),
            Numbers::Separate => each(&|player| position.number_of(player).to_string()),
        };
        let previous = |player| {
            let last = position.last_of(player).map(Move::Operation);
            last.map_or(NOTHING.to_owned(), |a_move| self.write(a_move))
        };
        let fields = [
            numbers,
            position.turn().number().to_string(),
            if self.no_repeat() == NoRepeat::None { String::new() } else { each(&previous) },
            self.uses_text(position),
            self.passes().map_or(String::new(), |_| each(&|player| position.passes_of(player).to_string())),
            self.turns().map_or(String::new(), |_| position.plies().to_string()),
        ];
        let text = fields.join(&BETWEEN_FIELDS.to_string());
        text.trim_end_matches(BETWEEN_FIELDS).to_owned()
    }

    fn uses_text(&self, position: &Position) -> String {
        let used = |(entry, uses): (EntryIndex, Uses)| {
            let [one, two] = Player::BOTH.map(|player| position.uses_of(player, entry));
            match uses.pool {
                Pool::Own => format!("{one}{BETWEEN_POOLS}{two}"),
                Pool::Shared => one.to_string(),
            }
        };
        self.limited_entries().map(used).collect::<Vec<_>>().join(&BETWEEN_PARTS.to_string())
    }

    /// The entries of `moves` with limited uses, and their limits.
    fn limited_entries(&self) -> impl Iterator<Item = (EntryIndex, Uses)> {
        self.entries().filter_map(|(index, entry)| Some((index, entry.uses?)))
    }

    /// Parses the output of [`Rulebook::position_text`].
    ///
    /// The position need not be reachable. Numbers on the `winning`, `losing` and `forbidden` lists are also
    /// valid, because only landing there counts. Impossible positions are errors.
    ///
    /// # Errors
    ///
    /// The first wrong field: a number out of range, on the target or past it; more uses or passes than the
    /// limit; a move of another game; a value in a field that this game doesn't need; or an empty field that
    /// it needs.
    pub fn read_position(&self, text: &str) -> Result<Position, BadPosition> {
        let given: Vec<&str> = text.splitn(Field::ALL.len(), BETWEEN_FIELDS).collect();
        let field = |field: Field| given.get(field as usize).copied().unwrap_or_default();
        let numbers = self.read_numbers(field(Field::Numbers))?;
        let turn = field(Field::Turn);
        let turn = Player::BOTH
            .into_iter()
            .find(|player| player.number().to_string() == turn)
            .ok_or_else(|| BadPosition::new(Field::Turn, turn, "1 or 2"))?;
        let last = self.read_previous(field(Field::Previous), turn)?;
        let uses = self.read_uses(field(Field::Uses))?;
        let passes = self.read_passes(field(Field::Passes))?;
        let plies = self.read_plies(field(Field::Plies))?;
        // All fields are valid, but a trailing empty one would give the position a second text.
        if given.last().is_some_and(|last| last.is_empty()) {
            let filled = given.iter().rposition(|field| !field.is_empty()).unwrap_or_default();
            let rest = &BETWEEN_FIELDS.to_string().repeat(given.len() - 1 - filled);
            let allowed = "nothing in this game; leave out empty fields at the end";
            return Err(BadPosition::new(Field::ALL[filled + 1], rest, allowed));
        }
        Ok(Position { numbers, uses, last, passes, clock: Clock::new(turn, plies) })
    }

    fn read_numbers(&self, given: &str) -> Result<ByPlayer<i64>, BadPosition> {
        let (low, high) = self.numbers_on_turn();
        let number = |part: &str| integer(part).filter(|number| (low..=high).contains(number));
        let (numbers, allowed) = match self.numbers() {
            Numbers::Shared => (
                number(given).map(|number| ByPlayer([number; 2])),
                format!("a whole number from {low} to {high}"),
            ),
            Numbers::Separate => (
                pair(given, BETWEEN_PARTS, number),
                format!("two whole numbers from {low} to {high} separated by a comma, Player 1 first"),
            ),
        };
        numbers.ok_or_else(|| BadPosition::new(Field::Numbers, given, allowed))
    }

    fn read_previous(&self, given: &str, turn: Player) -> Result<ByPlayer<Option<Choice>>, BadPosition> {
        if self.no_repeat() == NoRepeat::None {
            not_needed(Field::Previous, given)?;
            return Ok(ByPlayer::default());
        }
        let last = |part: &str| match part {
            NOTHING => Some(None),
            written => Some(Some(self.choice(written.parse().ok()?)?)),
        };
        // Forgotten moves must be omitted: otherwise one position would have two texts.
        let fits = |last: &ByPlayer<Option<Choice>>| {
            Player::BOTH.into_iter().all(|player| last[player].is_none() || self.remembers(player, turn))
        };
        pair(given, BETWEEN_PARTS, last).filter(fits).ok_or_else(|| {
            let moves: Vec<String> = self.moves().iter().map(ToString::to_string).collect();
            let forgotten = if self.remembers(turn, turn) {
                String::new()
            } else {
                format!("; for Player {}, whose turn it is, always -", turn.number())
            };
            let allowed = format!(
                "two of {} or - for none, separated by a comma, Player 1 first{forgotten}",
                moves.join(", ")
            );
            BadPosition::new(Field::Previous, given, allowed)
        })
    }

    fn read_uses(&self, given: &str) -> Result<ByPlayer<[u8; MOST_MOVES]>, BadPosition> {
        let mut used = ByPlayer::<[u8; MOST_MOVES]>::default();
        if self.limited_entries().next().is_none() {
            not_needed(Field::Uses, given)?;
            return Ok(used);
        }
        let mut parts = given.split(BETWEEN_PARTS);
        let mut read = || {
            for (entry, Uses { limit, pool }) in self.limited_entries() {
                let part = parts.next()?;
                let count = |part: &str| count(part, limit);
                let counts = match pool {
                    Pool::Own => pair(part, BETWEEN_POOLS, count)?,
                    Pool::Shared => ByPlayer([count(part)?; 2]),
                };
                for player in Player::BOTH {
                    used[player][entry.place()] = counts[player];
                }
            }
            parts.next().is_none().then_some(used)
        };
        read().ok_or_else(|| {
            let limits = self.limited_entries().filter_map(|(index, Uses { limit, pool })| {
                let entry = self.entry(index)?;
                Some(match pool {
                    Pool::Own => format!("{entry} from 0/0 to {limit}/{limit}"),
                    Pool::Shared => format!("{entry} from 0 to {limit}"),
                })
            });
            let limits: Vec<String> = limits.collect();
            let allowed =
                format!("the uses of each limited move, separated by commas: {}", limits.join(", "));
            BadPosition::new(Field::Uses, given, allowed)
        })
    }

    fn read_passes(&self, given: &str) -> Result<ByPlayer<u8>, BadPosition> {
        let Some(limit) = self.passes() else {
            not_needed(Field::Passes, given)?;
            return Ok(ByPlayer::default());
        };
        pair(given, BETWEEN_PARTS, |part| count(part, limit)).ok_or_else(|| {
            let allowed = format!("two whole numbers from 0 to {limit} separated by a comma, Player 1 first");
            BadPosition::new(Field::Passes, given, allowed)
        })
    }
}

impl Rulebook {
    fn read_plies(&self, given: &str) -> Result<u16, BadPosition> {
        let Some(turns) = self.turns() else {
            not_needed(Field::Plies, given)?;
            return Ok(0);
        };
        let last = 2 * i64::from(turns) - 1;
        let plies = integer(given).filter(|plies| (0..=last).contains(plies));
        let bad = || BadPosition::new(Field::Plies, given, format!("a whole number from 0 to {last}"));
        plies.map(|plies| plies as u16).ok_or_else(bad)
    }
}

/// Returns an error if a field that the game doesn't need has a value.
fn not_needed(field: Field, given: &str) -> Result<(), BadPosition> {
    match given {
        "" => Ok(()),
        given => Err(BadPosition::new(field, given, "nothing in this game")),
    }
}

/// Parses a part per player; `None` unless there are two valid parts.
fn pair<T>(given: &str, between: char, read: impl Fn(&str) -> Option<T>) -> Option<ByPlayer<T>> {
    let (one, two) = given.split_once(between)?;
    Some(ByPlayer([read(one)?, read(two)?]))
}

/// Parses an integer in canonical form: no spaces, plus sign or leading zeros.
fn integer(given: &str) -> Option<i64> {
    given.parse::<i64>().ok().filter(|number| number.to_string() == given)
}

/// Parses a count from 0 to a limit.
fn count(given: &str, limit: u8) -> Option<u8> {
    u8::try_from(integer(given)?).ok().filter(|count| *count <= limit)
}
