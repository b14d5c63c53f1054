//! `spoton map`: the whole game at a glance.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use spoton::engine::position::{Choice, Position};
use spoton::format::{Direction, Game, NoRepeat, Numbers, Rulebook};
use spoton::solver::chart::{self, Chart, Piece};
use spoton::solver::{self, Value, Verdict};

use crate::args::MapArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::{Colour, wrap};
use crate::progress::{DISCOVERING, Progress, is_discovering};
use crate::solving::with_budget;

/// More numbers than this are put together into stretches.
const MOST_SINGLE: usize = 200;
/// A square with longer sides does not fit on a screen.
const LONGEST_SIDE: usize = 40;

/// What is said over a map of distances, and below it.
pub const DISTANCES: &str = "The fewest moves from each number to a win, for one who is left alone:";
pub const WHO_IS_AHEAD: &str =
    "Whoever is on turn can force a win where their own number needs no more moves than the other's.";
/// What is said over a square.
pub const DOWN_AND_ACROSS: &str = "Down: the number of the player on turn. Across: the other player's.";
/// What is said where there is nothing to uncover.
pub const NO_STRIP: &str = "Discovery is on, and this game has no strip of numbers to uncover one by one.";

/// What a number, or a square, shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    Win,
    Stone,
    Draw,
    /// It depends on what was chosen or used before.
    Depends,
    /// Nobody is ever on turn here.
    Nobody,
}

impl Mark {
    fn of(value: Value) -> Mark {
        match value {
            Value::Win => Mark::Win,
            Value::Loss => Mark::Stone,
            Value::Draw => Mark::Draw,
        }
    }

    fn of_all(values: &[Value]) -> Mark {
        match values {
            [] => Mark::Nobody,
            [first, rest @ ..] if rest.iter().all(|value| value == first) => Mark::of(*first),
            _ => Mark::Depends,
        }
    }

    pub fn letter(self) -> char {
        match self {
            Mark::Win => '+',
            Mark::Stone => 'o',
            Mark::Draw => '=',
            Mark::Depends => '*',
            Mark::Nobody => '.',
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Win => "whoever is on turn here can force a win",
            Mark::Stone => "a stepping stone: leave the other player here, and you can force a win",
            Mark::Draw => "neither can force a win",
            Mark::Depends => "it depends on what was chosen before",
            Mark::Nobody => "nobody is on turn here",
        }
    }

    fn painted(self, colour: Colour) -> String {
        colour.mark(self.letter(), matches!(self, Mark::Win), matches!(self, Mark::Stone))
    }
}

pub fn run(args: &MapArgs, colour: Colour) -> Result<(), Failure> {
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let last = args.last.as_deref().map(|last| Last::read(last, &rulebook)).transpose()?;
    if is_discovering(&Folders::usual())? && args.json {
        return Err(Failure::Usage(DISCOVERING.to_owned()));
    }
    if is_discovering(&Folders::usual())? && !args.blank {
        return covered(args, &rulebook, colour);
    }
    let map = Map::of(&rulebook, last.as_ref(), args.memory.mebibytes)?;
    let page = if args.json {
        format!("{}\n", map.to_json(&game))
    } else {
        map.in_words(&rulebook, args.blank, colour)
    };
    stdout().write_all(page.as_bytes())?;
    Ok(())
}

/// While discovery is on, the map opens covered, and uncovers a number at a time from the target backwards.
fn covered(args: &MapArgs, rulebook: &Arc<Rulebook>, colour: Colour) -> Result<(), Failure> {
    let folders = Folders::usual();
    let mut cover = Cover::load(rulebook, &folders)?;
    if args.uncover {
        cover.uncover(&folders)?;
    }
    let map = Map::of(rulebook, None, args.memory.mebibytes)?;
    let mut out = stdout().lock();
    let Map::Strip { lowest, marks, .. } = &map else {
        writeln!(out, "{NO_STRIP}")?;
        return Ok(());
    };
    let count = marks.len();
    writeln!(out, "{}\n", rulebook.title())?;
    let width = (lowest + count as i64).to_string().len();
    let cells = (*lowest..).zip(marks.iter().enumerate()).map(|(number, (index, mark))| {
        let mark = if cover.hides(index, count) { "?".to_owned() } else { mark.painted(colour) };
        format!("  {number:>width$} {mark}")
    });
    out.write_all(rows(cells.collect(), 10).as_bytes())?;
    writeln!(out, "\nDiscovery is on. What would the next number be? --uncover shows it.")?;
    Ok(())
}

/// What lies over a map while discovery is on, and how much of it somebody has taken away.
pub struct Cover {
    /// What this is remembered by.
    name: String,
    /// How many numbers lie open, from the target backwards.
    open: usize,
    /// Whether the target lies at the high end.
    climbs: bool,
}

impl Cover {
    pub fn load(rulebook: &Rulebook, folders: &Folders) -> Result<Cover, Failure> {
        let name = format!("uncovered {}", rulebook.fingerprint());
        let open = Progress::load(folders)?.get(&name).and_then(|count| count.parse().ok()).unwrap_or(0);
        Ok(Cover { name, open, climbs: rulebook.direction() != Some(Direction::Countdown) })
    }

    /// Uncovers one more number, and remembers it.
    pub fn uncover(&mut self, folders: &Folders) -> Result<(), Failure> {
        let open = self.open.saturating_add(1);
        Progress::remember(folders, &self.name, &open.to_string())?;
        self.open = open;
        Ok(())
    }

    /// Whether the number at this place of a strip of so many cannot be seen.
    pub fn hides(&self, index: usize, count: usize) -> bool {
        if self.climbs { index.saturating_add(self.open) < count } else { index >= self.open }
    }

    /// The place of the number that is uncovered next; nothing where all of them are.
    pub fn next(&self, count: usize) -> Option<usize> {
        let left = count.checked_sub(self.open)?.checked_sub(1)?;
        Some(if self.climbs { left } else { self.open })
    }
}

/// What the players chose last, as the player on turn sees it.
pub struct Last {
    own: Option<Choice>,
    other: Option<Choice>,
}

impl Last {
    fn read(text: &str, rulebook: &Rulebook) -> Result<Last, Failure> {
        if rulebook.no_repeat() == NoRepeat::None {
            return Err(Failure::Usage("--last: this game does not look at what was chosen last".to_owned()));
        }
        let known = || spoton::words::phrases::or_list(rulebook.moves());
        let choice = |word: &str| match word.trim() {
            "-" => Some(None),
            word => {
                let word = word.to_lowercase().replace(['*', '×'], "x");
                word.parse().ok().and_then(|operation| rulebook.choice(operation)).map(Some)
            }
        };
        let wrong =
            || Failure::Usage(format!("--last takes OWN,OTHER, each of them {} or - for none", known()));
        let (own, other) = text.split_once(',').ok_or_else(wrong)?;
        Ok(Last { own: choice(own).ok_or_else(wrong)?, other: choice(other).ok_or_else(wrong)? })
    }

    fn fits(&self, position: &Position) -> bool {
        let turn = position.turn();
        position.last_of(turn) == self.own && position.last_of(!turn) == self.other
    }
}

pub enum Map {
    /// Every number of a shared one, with the chart where the number alone decides.
    Strip { lowest: i64, marks: Vec<Mark>, chart: Option<Box<Chart>> },
    /// A few numbers, far between.
    Scattered(Vec<(i64, Mark)>),
    /// Separate numbers that never touch: the moves from each number to the target.
    Distances(Vec<(i64, u64)>),
    /// Separate numbers that do: one's own down, the other player's across.
    Square { numbers: Vec<i64>, marks: BTreeMap<(i64, i64), Mark> },
}

impl Map {
    pub fn of(rulebook: &Arc<Rulebook>, last: Option<&Last>, mebibytes: u64) -> Result<Map, Failure> {
        with_budget(mebibytes, |budget| -> Result<Map, solver::Unsolved> {
            if let Some(chart) = Chart::of(rulebook, budget)? {
                let mark = |verdict: Option<Verdict>| {
                    verdict.map_or(Mark::Nobody, |verdict| Mark::of(verdict.value))
                };
                let mut marks = Vec::new();
                for (number, verdict) in chart.numbers() {
                    marks.push(mark(verdict));
                    let progress = solver::Progress { positions: marks.len() as u64, of: None };
                    if number % (1 << 16) == 0 && !(budget.keep_going)(progress) {
                        return Err(solver::Unsolved::Stopped { reached: marks.len() as u64 });
                    }
                }
                return Ok(Map::Strip { lowest: chart.lowest(), marks, chart: Some(Box::new(chart)) });
            }
            if rulebook.numbers() == Numbers::Separate
                && last.is_none()
                && let Some(distances) = solver::distances(rulebook, budget)?
            {
                return Ok(Map::Distances(distances));
            }
            let survey = solver::survey(rulebook, budget)?;
            let fitting =
                survey.into_iter().filter(|(position, _)| last.is_none_or(|last| last.fits(position)));
            Ok(if rulebook.numbers() == Numbers::Shared { strip(fitting) } else { square(fitting) })
        })
    }

    fn to_json(&self, game: &Game) -> Json {
        let word = |mark: Mark| match mark {
            Mark::Win => Json::from("win"),
            Mark::Stone => Json::from("loss"),
            Mark::Draw => Json::from("draw"),
            Mark::Depends => Json::from("depends"),
            Mark::Nobody => Json::Null,
        };
        let (key, list): (&str, Vec<Json>) = match self {
            Map::Strip { lowest, marks, chart } => {
                let verdict =
                    |number: i64| chart.as_ref().and_then(|chart| chart.verdict(i128::from(number)));
                let remoteness = |number: i64| verdict(number).and_then(Verdict::remoteness);
                let of = |(number, mark): (i64, &Mark)| json!({ "number": number, "value": word(*mark), "remoteness": remoteness(number) });
                ("numbers", (*lowest..).zip(marks).map(of).collect())
            }
            Map::Scattered(marks) => {
                let of = |(number, mark): &(i64, Mark)| json!({ "number": number, "value": word(*mark) });
                ("numbers", marks.iter().map(of).collect())
            }
            Map::Distances(distances) => {
                let of = |(number, moves): &(i64, u64)| json!({ "number": number, "moves": moves });
                ("distances", distances.iter().map(of).collect())
            }
            Map::Square { marks, .. } => {
                let of = |((own, other), mark): (&(i64, i64), &Mark)| json!({ "own": own, "other": other, "value": word(*mark) });
                ("pairs", marks.iter().map(of).collect())
            }
        };
        json!({ "game": game.id(), "variant": game.variant, "settings": game.written_settings(), key: list })
    }

    fn in_words(&self, rulebook: &Rulebook, blank: bool, colour: Colour) -> String {
        let shown = |mark: Mark| if blank { "_".to_owned() } else { mark.painted(colour) };
        let mut page = format!("{}\n\n", rulebook.title());
        let mut used: Vec<Mark> = Vec::new();
        match self {
            Map::Strip { lowest, marks, .. } => {
                used.extend(marks);
                if marks.len() <= MOST_SINGLE || blank {
                    page.push_str(&grid(*lowest, marks, shown));
                } else {
                    for piece in chart::pieces(*lowest, marks) {
                        page.push_str(&wrap(&stretch(&piece), "  ", "      "));
                        page.push('\n');
                    }
                }
            }
            Map::Scattered(marks) if marks.is_empty() => {
                page.push_str("No position of this game fits.\n");
                return page;
            }
            Map::Scattered(marks) => {
                used.extend(marks.iter().map(|(_, mark)| *mark));
                let cells = marks
                    .iter()
                    .take(MOST_SINGLE)
                    .map(|(number, mark)| format!("  {number} {}", shown(*mark)));
                page.push_str(&rows(cells.collect(), 4));
                if marks.len() > MOST_SINGLE {
                    page.push_str(&format!(
                        "  and {} more; --json has them all\n",
                        marks.len() - MOST_SINGLE
                    ));
                }
            }
            Map::Distances(distances) => {
                page.push_str(&format!("{DISTANCES}\n\n"));
                let cells = distances.iter().map(|(number, moves)| {
                    let moves = if blank { "_".to_owned() } else { moves.to_string() };
                    format!("{number:>6}: {moves:<3}")
                });
                page.push_str(&rows(cells.collect(), 8));
                if !blank {
                    page.push_str(&format!("\n{WHO_IS_AHEAD}\n"));
                }
                return page;
            }
            Map::Square { numbers, .. } if numbers.len() > LONGEST_SIDE => {
                page.push_str(&wrap(
                    &format!(
                        "A square of {0} by {0} numbers does not fit on a screen. Choose a nearer target, such as \
                         --target {LONGEST_SIDE}, or take --json.",
                        numbers.len()
                    ),
                    "",
                    "",
                ));
                page.push('\n');
                return page;
            }
            Map::Square { numbers, marks } => {
                page.push_str(&format!("{DOWN_AND_ACROSS}\n\n"));
                let width = numbers.iter().map(|number| number.to_string().len()).max().unwrap_or(1);
                let head: Vec<String> = numbers.iter().map(|number| format!("{number:>width$}")).collect();
                page.push_str(&format!("{:>width$}  {}\n", "", head.join(" ")));
                for own in numbers {
                    let cell = |other: &i64| {
                        let mark = marks.get(&(*own, *other)).copied().unwrap_or(Mark::Nobody);
                        format!("{}{}", " ".repeat(width - 1), shown(mark))
                    };
                    let cells: Vec<String> = numbers.iter().map(cell).collect();
                    page.push_str(&format!("{own:>width$}  {}\n", cells.join(" ")));
                }
                used.extend(marks.values());
                if marks.len() < numbers.len() * numbers.len() {
                    used.push(Mark::Nobody);
                }
            }
        }
        used.sort_unstable();
        used.dedup();
        page.push('\n');
        if blank {
            used = vec![Mark::Win, Mark::Stone, Mark::Draw];
            page.push_str("Fill in:\n");
        }
        for mark in used {
            page.push_str(&format!(
                "  {}  {}\n",
                if blank { mark.letter().to_string() } else { mark.painted(colour) },
                mark.meaning()
            ));
        }
        page
    }
}

fn strip(survey: impl Iterator<Item = (Position, Verdict)>) -> Map {
    let mut values: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
    for (position, verdict) in survey {
        values.entry(position.number()).or_default().push(verdict.value);
    }
    let marks: Vec<(i64, Mark)> =
        values.iter().map(|(number, values)| (*number, Mark::of_all(values))).collect();
    let (Some((lowest, _)), Some((highest, _))) = (marks.first(), marks.last()) else {
        return Map::Scattered(marks);
    };
    let (lowest, highest) = (*lowest, *highest);
    // Numbers that nobody is ever on turn at have their place in a strip, as long as they are not most of it.
    if highest.abs_diff(lowest) >= 4 * marks.len() as u64 + MOST_SINGLE as u64 {
        return Map::Scattered(marks);
    }
    let mut strip = vec![Mark::Nobody; highest.abs_diff(lowest) as usize + 1];
    for (number, mark) in marks {
        strip[number.abs_diff(lowest) as usize] = mark;
    }
    Map::Strip { lowest, marks: strip, chart: None }
}

fn square(survey: impl Iterator<Item = (Position, Verdict)>) -> Map {
    let mut values: BTreeMap<(i64, i64), Vec<Value>> = BTreeMap::new();
    for (position, verdict) in survey {
        let turn = position.turn();
        values.entry((position.number_of(turn), position.number_of(!turn))).or_default().push(verdict.value);
    }
    let mut numbers: Vec<i64> = values.keys().flat_map(|(own, other)| [*own, *other]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let marks = values.into_iter().map(|(pair, values)| (pair, Mark::of_all(&values))).collect();
    Map::Square { numbers, marks }
}

fn grid(lowest: i64, marks: &[Mark], shown: impl Fn(Mark) -> String) -> String {
    let highest = lowest + marks.len() as i64;
    let width = lowest.to_string().len().max(highest.to_string().len());
    let cells = (lowest..).zip(marks).map(|(number, mark)| format!("{number:>width$} {}", shown(*mark)));
    rows(cells.map(|cell| format!("  {cell}")).collect(), 10)
}

fn rows(cells: Vec<String>, across: usize) -> String {
    cells.chunks(across).map(|row| row.concat() + "\n").collect()
}

/// A stretch of numbers in words.
fn stretch(piece: &Piece<Mark>) -> String {
    let numbers = match piece.to == piece.from {
        true => piece.from.to_string(),
        false => format!("{} to {}", piece.from, piece.to),
    };
    match piece.pattern[..] {
        [mark] => format!("{numbers}: {} {}", mark.letter(), mark.meaning()),
        [first, second] => {
            let (even, odd) = if piece.from % 2 == 0 { (first, second) } else { (second, first) };
            format!("{numbers}: even numbers {}, odd numbers {}", even.letter(), odd.letter())
        }
        ref pattern => {
            let letters: Vec<String> = pattern.iter().map(|mark| mark.letter().to_string()).collect();
            format!("{numbers}: {} again and again", letters.join(" "))
        }
    }
}
