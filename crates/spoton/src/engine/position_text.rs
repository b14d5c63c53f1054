//! A position as a short text that can be read back: for links, puzzles, and programs in other languages.
//!
//! The text is `numbers;turn;previous;uses;passes;plies`. A field that the rule book does not need is left empty, and empty
//! fields at the end are left out, semicolons and all: most positions are as short as `10;1`. Within a field there are
//! commas, Player 1's part first.
//!
//! | field | what it holds | needed |
//! |---|---|---|
//! | `numbers` | the shared number, or one for each player | always |
//! | `turn` | `1` or `2` | always |
//! | `previous` | what each player chose last, `-` for nothing | where `no_repeat` looks at it |
//! | `uses` | for each limited entry of `moves`, in order: `a/b` if each player has a pool, `a` if they share it | where uses are limited |
//! | `passes` | how many passes each player has made | where passes are limited |
//! | `plies` | how many turns have been taken by both together | where turns are limited |
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
//!     "`numbers` takes two whole numbers from 1 to 19 with a comma between them, Player 1's first, not \"3,20\""
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is just one text for a position, so that two texts of one rule book are the same if the positions are. A
//! position that play cannot come to can be written all the same; how to solve a game from there,
//! [`Solver::from_positions`](crate::solver::Solver::from_positions) shows.

use std::fmt;

use crate::engine::play::Move;
use crate::engine::position::{ByPlayer, Choice, Clock, EntryIndex, MOST_MOVES, Player, Position};
use crate::format::{NoRepeat, Numbers, Pool, Rulebook, Uses, quotable};

/// What stands between two fields.
const BETWEEN_FIELDS: char = ';';
/// What stands between the parts of a field.
const BETWEEN_PARTS: char = ',';
/// What stands between the players' uses of one entry.
const BETWEEN_POOLS: char = '/';
/// What stands for a move that nobody has made yet.
const NOTHING: &str = "-";

/// A field of a position's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The shared number, or one for each player.
    Numbers,
    /// Who is on turn.
    Turn,
    /// What each player chose last.
    Previous,
    /// How often the limited entries of `moves` have been used.
    Uses,
    /// How many passes each player has made.
    Passes,
    /// How many turns have been taken, where they are limited.
    Plies,
}

impl Field {
    /// All fields, in the order of the text.
    pub const ALL: [Field; 6] =
        [Field::Numbers, Field::Turn, Field::Previous, Field::Uses, Field::Passes, Field::Plies];

    /// What it is called in errors.
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

/// Why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("`{field}` takes {allowed}, {}", self.in_words())]
pub struct BadPosition {
    /// The field that is wrong; where there are several, the first.
    pub field: Field,
    /// What it holds; empty if nothing is given.
    pub given: String,
    /// What it may hold in this game, in words.
    pub allowed: String,
}

impl BadPosition {
    fn new(field: Field, given: &str, allowed: impl Into<String>) -> BadPosition {
        BadPosition { field, given: given.to_owned(), allowed: allowed.into() }
    }

    fn in_words(&self) -> String {
        match self.given.as_str() {
            "" => "and there is nothing".to_owned(),
            given => format!("not \"{}\"", quotable(given)),
        }
    }
}

impl Rulebook {
    /// A position of this game as a short text, which [`Rulebook::read_position`] reads back.
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

    /// The entries of `moves` whose uses are limited, with their limits.
    fn limited_entries(&self) -> impl Iterator<Item = (EntryIndex, Uses)> {
        self.entries().filter_map(|(index, entry)| Some((index, entry.uses?)))
    }

    /// Reads a position that is written as [`Rulebook::position_text`] writes it.
    ///
    /// Play need not be able to come to it: a number that no moves lead to is one to ask about like any other, and so
    /// is one of the `winning`, `losing` and `forbidden` lists, since only landing there counts. What cannot be is
    /// refused.
    ///
    /// # Errors
    ///
    /// The first field that is wrong: a number outside of the range, on the target or past it, where nobody is on turn;
    /// more uses or passes than there are; a move of another game; anything in a field that this game does not need,
    /// and nothing in one that it needs.
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
        // Every field is right as it is, but an empty one at the end is one text too many for the position.
        if given.last().is_some_and(|last| last.is_empty()) {
            let filled = given.iter().rposition(|field| !field.is_empty()).unwrap_or_default();
            let rest = &BETWEEN_FIELDS.to_string().repeat(given.len() - 1 - filled);
            let allowed = "nothing in this game, and empty fields at the end are left out";
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
                format!("two whole numbers from {low} to {high} with a comma between them, Player 1's first"),
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
        // What is not remembered may not be given: it would make two positions of one.
        let fits = |last: &ByPlayer<Option<Choice>>| {
            Player::BOTH.into_iter().all(|player| last[player].is_none() || self.remembers(player, turn))
        };
        pair(given, BETWEEN_PARTS, last).filter(fits).ok_or_else(|| {
            let moves: Vec<String> = self.moves().iter().map(ToString::to_string).collect();
            let forgotten = if self.remembers(turn, turn) {
                String::new()
            } else {
                format!("; always - for Player {}, who is on turn", turn.number())
            };
            let allowed = format!(
                "two of {} and - for none with a comma between them, Player 1's first{forgotten}",
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
                format!("the uses of each limited move with commas between them: {}", limits.join(", "));
            BadPosition::new(Field::Uses, given, allowed)
        })
    }

    fn read_passes(&self, given: &str) -> Result<ByPlayer<u8>, BadPosition> {
        let Some(limit) = self.passes() else {
            not_needed(Field::Passes, given)?;
            return Ok(ByPlayer::default());
        };
        pair(given, BETWEEN_PARTS, |part| count(part, limit)).ok_or_else(|| {
            let allowed =
                format!("two whole numbers from 0 to {limit} with a comma between them, Player 1's first");
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

/// Refuses what stands in a field that the game does not need.
fn not_needed(field: Field, given: &str) -> Result<(), BadPosition> {
    match given {
        "" => Ok(()),
        given => Err(BadPosition::new(field, given, "nothing in this game")),
    }
}

/// A part for each player; `None` if there are not two, or one of them cannot be read.
fn pair<T>(given: &str, between: char, read: impl Fn(&str) -> Option<T>) -> Option<ByPlayer<T>> {
    let (one, two) = given.split_once(between)?;
    Some(ByPlayer([read(one)?, read(two)?]))
}

/// A whole number in the one way in which it is written: no blanks, no plus, no zeros before it.
fn integer(given: &str) -> Option<i64> {
    given.parse::<i64>().ok().filter(|number| number.to_string() == given)
}

/// A count from 0 to a limit.
fn count(given: &str, limit: u8) -> Option<u8> {
    u8::try_from(integer(given)?).ok().filter(|count| *count <= limit)
}
