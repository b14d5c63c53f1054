//! A map as a page of text. Surfaces supply the marks' colours, and advice if a map is too large for a page.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::Draft;
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//! use spoton::teach::map::Mark;
//! use spoton::words::map::{self, Look};
//!
//! let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
//! let rulebook = Arc::new(Draft::read("five.toml", text).build().unwrap());
//! let game = SolvedGame::new(Arc::clone(&rulebook));
//! let drawn = game.map(None, &mut Budget::patient(1 << 20))?;
//! let look = Look { blank: false, paint: &|mark: Mark| mark.letter().to_string(), too_large: &|_| String::new() };
//! let page = map::page(&drawn, &rulebook, &look).to_string();
//! assert!(page.starts_with("Five\n\n  0 +  1 +  2 o  3 +  4 +\n\n  +  if it's your turn here, you can force a win\n"));
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::fmt;

use super::describe;
use super::hand_out;
use super::page::{WIDTH, wrap};
use super::phrases::{self, separated};
use crate::engine::number_kind::NumberKind;
use crate::format::{NoRepeat, Numbers, Rulebook};
use crate::solver::chart::{self, Piece};
use crate::teach::map::{Cover, Map, Mark, Picture};

/// The heading for a map of distances.
pub const DISTANCES: &str = "Fewest moves from each number to a win if nothing gets in the way:";
/// The explanation below a map of distances.
pub const WHO_IS_AHEAD: &str =
    "On your turn, you can force a win if you need no more moves than your opponent.";
/// The heading for a square map.
pub const DOWN_AND_ACROSS: &str = "Down: the number of the player to move. Across: the opponent's number.";
/// The reply if there is nothing to show.
pub const NOTHING_FITS: &str = "No position matches.";
/// The reply in discovery mode if there is nothing to uncover.
pub const NO_STRIP: &str = "Discovery mode is on, and you can't uncover this map.";

/// Summarizes longer strips as stretches (ranges with a repeating pattern).
pub const MOST_SINGLE: usize = 200;
/// Doesn't spell out longer patterns.
const MOST_LETTERS: usize = 60;
/// Larger squares don't fit on a page.
pub const LONGEST_SIDE: usize = 40;

/// Rendering options for a map.
pub struct Look<'a> {
    /// Whether to leave the marks out, to fill in by hand.
    pub blank: bool,
    /// Writes a mark, such as its letter in colour.
    pub paint: &'a dyn Fn(Mark) -> String,
    /// The advice if the page doesn't show part of the map.
    pub too_large: &'a dyn Fn(TooLarge) -> String,
}

/// The part that doesn't fit on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// This many more numbers.
    More(usize),
    /// A square with this many numbers per side, more than [`LONGEST_SIDE`].
    Square(usize),
}

/// A map as a page: the title, the numbers and the legend. Streams because a large map as one string would need more
/// memory than the map itself.
pub fn page<'a>(map: &'a Map, rulebook: &'a Rulebook, look: &'a Look<'a>) -> impl fmt::Display + 'a {
    Page { map, rulebook, look }
}

struct Page<'a> {
    map: &'a Map,
    rulebook: &'a Rulebook,
    look: &'a Look<'a>,
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.look.blank {
            hand_out::head(f, self.rulebook)?;
            self.body(f)?;
            return hand_out::foot(f);
        }
        write!(f, "{}\n\n", self.rulebook.title())?;
        self.body(f)
    }
}

impl Page<'_> {
    /// The numbers and the legend.
    fn body(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { map, rulebook, look } = self;
        let shown = |mark: Mark| if look.blank { "_".to_owned() } else { (look.paint)(mark) };
        match &map.picture {
            Picture::Strip { lowest, marks, .. } if look.blank => {
                hand_out::numbers(f, *lowest..*lowest + marks.len() as i64)?;
                return write!(f, "{}", legend(map, rulebook, look));
            }
            Picture::Strip { lowest, marks, .. } if marks.len() <= MOST_SINGLE => {
                grid(f, *lowest, marks, shown)?;
            }
            Picture::Strip { lowest, marks, .. } => {
                if let Some(split) = split(self.rulebook, *lowest, marks) {
                    writeln!(f, "{}", wrap(&split, "  ", "      "))?;
                    return write!(f, "\n{}", legend(map, rulebook, look));
                }
                for piece in chart::pieces(*lowest, marks) {
                    writeln!(f, "{}", wrap(&stretch(&piece, rulebook), "  ", "      "))?;
                }
            }
            Picture::Ranges(ranges) => {
                // Maps of stretches have no hand-out. If blank, lists the stretches without marks.
                for piece in ranges.iter().take(MOST_SINGLE) {
                    let said = match look.blank {
                        true => format!("{}: _", numbers_of(piece)),
                        false => stretch(piece, rulebook),
                    };
                    writeln!(f, "{}", wrap(&said, "  ", "      "))?;
                }
                if let Some(more @ 1..) = ranges.len().checked_sub(MOST_SINGLE) {
                    writeln!(f, "  {}", (look.too_large)(TooLarge::More(more)))?;
                }
            }
            _ if map.is_empty() => return writeln!(f, "{NOTHING_FITS}"),
            Picture::Scattered(marks) => {
                let cell = |(number, mark): &(i64, Mark)| format!("  {number} {}", shown(*mark));
                let digits = marks.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(1);
                rows(f, marks.iter().take(MOST_SINGLE).map(cell), across(digits, 4))?;
                if let Some(more @ 1..) = marks.len().checked_sub(MOST_SINGLE) {
                    writeln!(f, "  {}", (look.too_large)(TooLarge::More(more)))?;
                }
            }
            Picture::Distances(distances) => {
                write!(f, "{DISTANCES}\n\n")?;
                if look.blank {
                    return hand_out::numbers(f, distances.iter().map(|(number, _)| *number));
                }
                let digits = distances.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(1);
                let width = digits.max(6);
                let cells = distances.iter().map(|(number, moves)| format!("{number:>width$}: {moves:<3}"));
                rows(f, cells, across(width + 1, 8))?;
                return write!(f, "\n{WHO_IS_AHEAD}\n");
            }
            Picture::Square { numbers, .. } if numbers.len() > LONGEST_SIDE => {
                let said = (look.too_large)(TooLarge::Square(numbers.len()));
                return writeln!(f, "{}", wrap(&said, "", ""));
            }
            Picture::Square { numbers, .. } => {
                write!(f, "{DOWN_AND_ACROSS}\n\n")?;
                f.write_str(&square(numbers, |own, other| shown(map.pair(own, other))))?;
            }
        }
        write!(f, "\n{}", legend(map, rulebook, look))
    }
}

/// A partly covered strip as a page, which also streams; `None` if the map isn't a strip.
pub fn covered<'a>(
    map: &'a Map,
    rulebook: &'a Rulebook,
    cover: &'a Cover,
    paint: impl Fn(Mark) -> String + 'a,
) -> Option<impl fmt::Display + 'a> {
    let Picture::Strip { lowest, marks, .. } = &map.picture else { return None };
    Some(Covered { rulebook, cover, lowest: *lowest, marks, paint })
}

struct Covered<'a, P> {
    rulebook: &'a Rulebook,
    cover: &'a Cover,
    lowest: i64,
    marks: &'a [Mark],
    paint: P,
}

impl<P: Fn(Mark) -> String> fmt::Display for Covered<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.marks.len();
        let highest = self.lowest + count as i64;
        let width = self.lowest.to_string().len().max(highest.to_string().len());
        let cells = (self.lowest..).zip(self.marks.iter().enumerate()).map(|(number, (index, mark))| {
            let mark = if self.cover.hides(index, count) { "?".to_owned() } else { (self.paint)(*mark) };
            format!("  {number:>width$} {mark}")
        });
        write!(f, "{}\n\n", self.rulebook.title())?;
        rows(f, cells, across(width, 10))
    }
}

/// Describes all numbers in one sentence if one kind of number predicts the marks with few exceptions: `1 to 999:
/// multiples of 10 o, all others +`. Returns `None` if no kind does, or if the game isn't about kinds of numbers.
pub fn split(rulebook: &Rulebook, lowest: i64, marks: &[Mark]) -> Option<String> {
    const MOST_EXCEPTIONS: usize = 3;
    if !rulebook.has_richer_numbers() {
        return None;
    }
    let all = || (lowest..).zip(marks.iter().copied());
    let multiples = (3..=24).map(NumberKind::MultipleOf);
    let kinds = multiples.chain([NumberKind::Prime, NumberKind::Square]);
    let told_by = |kind: NumberKind| {
        let of_kind = most_common(all().filter(|(number, _)| kind.holds(*number)).map(|(_, mark)| mark))?;
        let other = most_common(all().filter(|(number, _)| !kind.holds(*number)).map(|(_, mark)| mark))?;
        let fits = |number: i64, mark: Mark| mark == if kind.holds(number) { of_kind } else { other };
        let exceptions: Vec<(i64, Mark)> =
            all().filter(|(number, mark)| !fits(*number, *mark)).take(MOST_EXCEPTIONS + 1).collect();
        (of_kind != other && exceptions.len() <= MOST_EXCEPTIONS)
            .then_some((kind, of_kind, other, exceptions))
    };
    let (kind, of_kind, other, exceptions) =
        kinds.filter_map(told_by).min_by_key(|(_, _, _, exceptions)| exceptions.len())?;
    let highest = lowest + marks.len() as i64 - 1;
    let numbers = describe::numbers_of(kind);
    let but: String = exceptions
        .iter()
        .map(|(number, mark)| format!(", but {} {}", separated(*number), mark.letter()))
        .collect();
    let (lowest, highest) = (separated(lowest), separated(highest));
    Some(format!("{lowest} to {highest}: {numbers} {}, all others {}{but}", of_kind.letter(), other.letter()))
}

/// The most common mark; `None` if there are no marks.
fn most_common(marks: impl Iterator<Item = Mark>) -> Option<Mark> {
    let mut times = [0_usize; Mark::ALL.len()];
    marks.for_each(|mark| times[mark as usize] += 1);
    let most = Mark::ALL.into_iter().max_by_key(|mark| times[*mark as usize])?;
    (times[most as usize] > 0).then_some(most)
}

/// A stretch of numbers in words: `every odd number from 1 to 99 o, every even number from 2 to 98 +`.
pub fn stretch(piece: &Piece<Mark>, rulebook: &Rulebook) -> String {
    let numbers = numbers_of(piece);
    match piece.pattern[..] {
        [mark] => format!("{numbers}: {} {}", mark.letter(), mark.meaning_in(rulebook)),
        ref pattern => every_so_many(piece).unwrap_or_else(|| match pattern.len() {
            ..=MOST_LETTERS => {
                let letters: Vec<String> = pattern.iter().map(|mark| mark.letter().to_string()).collect();
                format!("{numbers}: {} repeating", letters.join(" "))
            }
            marks => format!("{numbers}: a repeating pattern of {marks} marks, too long to show"),
        }),
    }
}

/// A repeating stretch in words, if all marks but one occur only once in the pattern: `every 5th number from 3 to 98 o, all
/// others from 1 to 99 +`.
fn every_so_many(piece: &Piece<Mark>) -> Option<String> {
    let Piece { from, to, pattern } = piece;
    let period = pattern.len() as i64;
    let times = |mark: &Mark| pattern.iter().filter(|other| *other == mark).count();
    let single = |place: &i64| times(&pattern[*place as usize]) == 1;
    let every = |place: i64| {
        let (first, mark) = (from + place, pattern[place as usize]);
        let which = match period {
            2 if first % 2 == 0 => "even".to_owned(),
            2 => "odd".to_owned(),
            _ => phrases::nth(period.unsigned_abs()),
        };
        let last = first + (to - first) / period * period;
        format!("every {which} number from {} to {} {}", separated(first), separated(last), mark.letter())
    };
    let mut said: Vec<String> = (0..period).filter(single).map(every).collect();
    let mut others = pattern.iter().filter(|mark| times(mark) > 1);
    if let Some(mark) = others.next() {
        if said.is_empty() || others.any(|other| other != mark) {
            return None;
        }
        said.push(format!("all others from {} to {} {}", separated(*from), separated(*to), mark.letter()));
    }
    Some(said.join(", "))
}

/// `1 to 99`
fn numbers_of(piece: &Piece<Mark>) -> String {
    match piece.to == piece.from {
        true => separated(piece.from),
        false => format!("{} to {}", separated(piece.from), separated(piece.to)),
    }
}

fn grid(
    f: &mut fmt::Formatter<'_>,
    lowest: i64,
    marks: &[Mark],
    shown: impl Fn(Mark) -> String,
) -> fmt::Result {
    let highest = lowest + marks.len() as i64;
    let width = lowest.to_string().len().max(highest.to_string().len());
    let cell = |(number, mark): (i64, &Mark)| format!("  {number:>width$} {}", shown(*mark));
    rows(f, (lowest..).zip(marks).map(cell), across(width, 10))
}

/// How many marked numbers with this many digits fit in a row, up to `most`.
fn across(digits: usize, most: usize) -> usize {
    (WIDTH / (digits + "   o".len())).clamp(1, most)
}

/// Writes cells in rows of `across`.
fn rows(f: &mut fmt::Formatter<'_>, cells: impl Iterator<Item = String>, across: usize) -> fmt::Result {
    let mut written = 0;
    for cell in cells {
        f.write_str(&cell)?;
        written += 1;
        if written % across == 0 {
            f.write_str("\n")?;
        }
    }
    if written % across == 0 { Ok(()) } else { f.write_str("\n") }
}

fn square(numbers: &[i64], shown: impl Fn(i64, i64) -> String) -> String {
    let width = numbers.iter().map(|number| number.to_string().len()).max().unwrap_or(1);
    let head: Vec<String> = numbers.iter().map(|number| format!("{number:>width$}")).collect();
    let mut page = format!("{:>width$}  {}\n", "", head.join(" "));
    for own in numbers {
        let cell = |other: &i64| format!("{}{}", " ".repeat(width - 1), shown(*own, *other));
        let cells: Vec<String> = numbers.iter().map(cell).collect();
        page.push_str(&format!("{own:>width$}  {}\n", cells.join(" ")));
    }
    page
}

/// The legend. On a blank map, lists the marks to fill in.
fn legend(map: &Map, rulebook: &Rulebook, look: &Look<'_>) -> String {
    let line = |sign: String, mark: Mark| format!("  {sign}  {}\n", mark.meaning_in(rulebook));
    if look.blank {
        // Lists only the marks that occur, but always the one for the start: it would reveal who wins.
        let occur = map.marks(None);
        let marks = Mark::ALL.into_iter().filter(|mark| *mark == Mark::Loss || occur.contains(mark));
        let lines: String = marks.map(|mark| line(mark.letter().to_string(), mark)).collect();
        return format!("Fill in:\n{lines}");
    }
    let mut legend: String = map.marks(None).into_iter().map(|mark| line((look.paint)(mark), mark)).collect();
    for said in remarks(map, rulebook) {
        legend.push_str(&format!("\n{}\n", wrap(&said, "", "")));
    }
    legend
}

/// Remarks about the marks: starts where landing would end the round, and numbers that play can't reach.
pub fn remarks(map: &Map, rulebook: &Rulebook) -> Vec<String> {
    let said = |start: &i64| {
        let (wins, _) = rulebook.landing_of_number((*start).into())?;
        let wins = if wins { "wins" } else { "loses" };
        Some(match rulebook.numbers() {
            Numbers::Shared => {
                format!("The mark at {start} is for the first turn only. Landing on {start} later {wins}.")
            }
            Numbers::Separate => format!(
                "Marks at {start} are for a number that started there and hasn't moved yet. Landing on {start} {wins}{}.",
                describe::for_its_owner(rulebook)
            ),
        })
    };
    let mut remarks: Vec<String> = map.listed_starts.iter().filter_map(said).collect();
    if !map.all_reachable {
        let (start, _) = rulebook.start();
        remarks.push(format!(
            "A round from {start} can't reach all the marked numbers. Their marks show what would happen there."
        ));
    }
    if matches!(map.picture, Picture::Ranges(_)) {
        if rulebook.no_repeat() != NoRepeat::None {
            remarks.push(
                "The marks allow for any last move, even if no round can reach the number that way."
                    .to_owned(),
            );
        } else if rulebook.has_lists() {
            remarks.push("All numbers are marked, even if no round can reach them.".to_owned());
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    /// Converts a sentence back into marks: `every 3rd number from 2 to 8 o, all others from 1 to 9 +`.
    fn parsed(said: &str, numbers: std::ops::RangeInclusive<i64>) -> Vec<char> {
        let mut marks: Vec<Option<char>> = numbers.clone().map(|_| None).collect();
        for part in said.split(", ") {
            let words: Vec<&str> = part.split(' ').collect();
            let (which, rest) = match words[..] {
                ["every", which, "number", ref rest @ ..] => (Some(which), rest),
                ["all", "others", ref rest @ ..] => (None, rest),
                _ => panic!("{said}"),
            };
            let ["from", from, "to", to, letter] = rest[..] else { panic!("{said}") };
            let (from, to): (i64, i64) = (from.parse().unwrap(), to.parse().unwrap());
            let step = match which {
                Some("even" | "odd") => 2,
                Some(nth) => nth.trim_end_matches(char::is_alphabetic).parse().unwrap(),
                None => 1,
            };
            assert_eq!(
                (which == Some("even"), which == Some("odd")),
                (step == 2 && from % 2 == 0, step == 2 && from % 2 != 0)
            );
            assert_eq!((to - from) % step, 0, "{said}");
            for number in (from..=to).step_by(step as usize) {
                let place = &mut marks[(number - numbers.start()) as usize];
                match which {
                    Some(_) => assert_eq!(place.replace(letter.parse().unwrap()), None, "{said}"),
                    None => *place = place.or(letter.parse().ok()),
                }
            }
        }
        marks.into_iter().map(|mark| mark.unwrap_or_else(|| panic!("{said}"))).collect()
    }

    #[test]
    fn a_stretch_names_the_mark_of_each_of_its_numbers() {
        let text = "title = 'T'\nstart = 0\ntarget = 5\nmoves = ['+1']";
        let rulebook = Draft::read("t", text).build().unwrap();
        let marks = [Mark::Win, Mark::Stone, Mark::Draw];
        let mut in_words = 0;
        for period in 2..=5_u32 {
            for code in 0..3_usize.pow(period) {
                let pattern: Vec<Mark> =
                    (0..period).map(|place| marks[code / 3_usize.pow(place) % 3]).collect();
                for (from, more) in [(1, 0), (-7, 1), (6, 2), (0, 7)] {
                    let to = from + 3 * i64::from(period) - 1 + more;
                    let piece = Piece { from, to, pattern: pattern.clone() };
                    let said = stretch(&piece, &rulebook);
                    if let Some(letters) = said.strip_suffix(" repeating") {
                        let letters = letters.split_once(": ").unwrap().1.replace(' ', "");
                        assert_eq!(letters, pattern.iter().map(|mark| mark.letter()).collect::<String>());
                        continue;
                    }
                    in_words += 1;
                    let expected: Vec<char> = (from..=to).map(|number| piece.mark(number).letter()).collect();
                    assert_eq!(parsed(&said, from..=to), expected, "{said}");
                }
            }
        }
        assert!(in_words > 200, "{in_words}");
        let piece = Piece { from: 12, to: 19, pattern: vec![Mark::Stone, Mark::Win] };
        assert_eq!(
            stretch(&piece, &rulebook),
            "every even number from 12 to 18 o, every odd number from 13 to 19 +"
        );
    }
}
