//! A player's puzzle results and their stored form.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::day::Day;
use crate::format::Rulebook;

/// A puzzle's stable id: its rules, regardless of their wording, and its position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzleId {
    rules: String,
    position: String,
}

impl PuzzleId {
    /// The id of the puzzle with this name in a rule book.
    pub fn new(rulebook: &Rulebook, name: String) -> PuzzleId {
        PuzzleId { rules: rulebook.fingerprint(), position: name }
    }

    /// Whether the puzzle belongs to these rules.
    pub(super) fn is_of(&self, fingerprint: &str) -> bool {
        self.rules == fingerprint
    }

    /// The puzzle's name within its rule book.
    pub fn name(&self) -> &str {
        &self.position
    }
}

/// `72bf953c3946837e 10;1`
impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rules, self.position)
    }
}

impl FromStr for PuzzleId {
    type Err = ();

    fn from_str(text: &str) -> Result<PuzzleId, ()> {
        let (rules, position) = text.split_once(' ').ok_or(())?;
        Ok(PuzzleId { rules: rules.to_owned(), position: position.to_owned() })
    }
}

/// A puzzle's result and its day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// It's never repeated.
    Solved(Day),
    /// It's repeated the next day.
    Missed(Day),
}

/// `solved 2026-11-16`
impl fmt::Display for Became {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Became::Solved(day) => write!(f, "solved {day}"),
            Became::Missed(day) => write!(f, "missed {day}"),
        }
    }
}

impl FromStr for Became {
    type Err = ();

    fn from_str(text: &str) -> Result<Became, ()> {
        let (what, day) = text.split_once(' ').ok_or(())?;
        let day = day.parse().map_err(|_| ())?;
        match what {
            "solved" => Ok(Became::Solved(day)),
            "missed" => Ok(Became::Missed(day)),
            _ => Err(()),
        }
    }
}

/// All puzzles a player has tried.
///
/// ```
/// use spoton::teach::puzzle::Tried;
///
/// let kept = "72bf953c3946837e 10;1 = solved 2026-11-16";
/// let tried = Tried::read([kept.split_once(" = ").unwrap()]);
/// assert_eq!(tried.solved(), 1);
/// let (puzzle, became) = tried.pairs().next().unwrap();
/// assert_eq!(format!("{puzzle} = {became}"), kept);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried(BTreeMap<PuzzleId, Became>);

impl Tried {
    /// Parses stored pairs of puzzle and result. Skips invalid ones: the puzzle then counts as new.
    pub fn read<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Tried {
        let pair = |(id, became): (&str, &str)| Some((id.parse().ok()?, became.parse().ok()?));
        Tried(pairs.into_iter().filter_map(pair).collect())
    }

    /// The pairs to store.
    pub fn pairs(&self) -> impl Iterator<Item = (&PuzzleId, Became)> {
        self.0.iter().map(|(id, became)| (id, *became))
    }

    /// Records a result. A solved puzzle stays solved.
    pub fn note(&mut self, id: PuzzleId, became: Became) {
        match self.0.get(&id) {
            Some(Became::Solved(_)) => {}
            _ => drop(self.0.insert(id, became)),
        }
    }

    /// A puzzle's result, if the player tried it.
    pub fn result(&self, id: &PuzzleId) -> Option<Became> {
        self.0.get(id).copied()
    }

    /// The number of solved puzzles.
    pub fn solved(&self) -> usize {
        self.0.values().filter(|became| matches!(became, Became::Solved(_))).count()
    }

    /// A rule book's tried puzzles with their results.
    pub(super) fn of_rules(&self, fingerprint: &str) -> impl Iterator<Item = (&PuzzleId, Became)> {
        let first = PuzzleId { rules: fingerprint.to_owned(), position: String::new() };
        let same = move |(id, _): &(&PuzzleId, &Became)| id.rules == first.rules;
        let first = PuzzleId { rules: fingerprint.to_owned(), position: String::new() };
        self.0.range(first..).take_while(same).map(|(id, became)| (id, *became))
    }
}
