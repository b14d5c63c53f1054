//! A game's map: the value of having the turn at each number.
//!
//! [`SolvedGame::map`] chooses the picture that fits the game; its words are in
//! [`words::map`](crate::words::map).
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::Draft;
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//! use spoton::teach::map::{Mark, Picture};
//!
//! let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
//! let game = SolvedGame::new(Arc::new(Draft::read("five.toml", text).build().unwrap()));
//! let map = game.map(None, &mut Budget::patient(1 << 20))?;
//! let Picture::Strip { lowest, marks, .. } = map.picture else { panic!("not a strip") };
//! assert_eq!(lowest, 0);
//! let letters: String = marks.into_iter().map(Mark::letter).collect();
//! assert_eq!(letters, "++o++"); // leave 2, and then reach 5
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::operation::Way;
use crate::engine::play::{Move, Step};
use crate::engine::position::{ByPlayer, Choice, Player, Position};
use crate::engine::spelling;
use crate::format::{Direction, NoRepeat, Numbers, Rulebook};
use crate::solved::SolvedGame;
use crate::solved::landings::Landings;
use crate::solver::chart::{self, Chart, Piece};
use crate::solver::reachable::{Reachable, all_numbers_are_reachable};
use crate::solver::{self, Budget, Survey, Unsolved, Value};
use spoton_core::text;

/// The mark of a number or a pair of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The player to move here can force a win.
    Win,
    /// A stepping stone, which is a number to leave: the player to move here loses against best play.
    Stone,
    /// The same at the start of a round if no move leads there, so nobody can leave it.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The result depends on earlier moves.
    Depends,
    /// A move can end the round here, so it's no one's turn.
    Ends,
    /// Unreachable.
    Never,
    /// Unreachable after the requested last moves; perhaps reachable after others.
    NotAfterThese,
}

impl Mark {
    /// Every mark, in the order of the legend.
    pub const ALL: [Mark; 8] = [
        Mark::Win,
        Mark::Stone,
        Mark::Loss,
        Mark::Draw,
        Mark::Depends,
        Mark::Ends,
        Mark::Never,
        Mark::NotAfterThese,
    ];

    fn from_value(value: Value) -> Mark {
        match value {
            Value::Win => Mark::Win,
            Value::Loss => Mark::Stone,
            Value::Draw => Mark::Draw,
        }
    }

    /// The mark of a start that no move leads to.
    fn of_mere_start(self) -> Mark {
        if self == Mark::Stone { Mark::Loss } else { self }
    }

    /// The combined mark of two positions on the same cell.
    fn with(self, value: Value) -> Mark {
        if self == Mark::from_value(value) { self } else { Mark::Depends }
    }

    /// Its character in text.
    pub fn letter(self) -> char {
        match self {
            Mark::Win => '+',
            Mark::Stone => 'o',
            Mark::Loss => '-',
            Mark::Draw => '=',
            Mark::Depends => '*',
            Mark::Ends => '#',
            Mark::Never | Mark::NotAfterThese => '.',
        }
    }

    /// The mark's meaning in a game, for the legend.
    pub fn meaning_in(self, rulebook: &Rulebook) -> &'static str {
        let shared = rulebook.numbers() == Numbers::Shared;
        match self {
            Mark::Win => "if it's your turn here, you can force a win",
            Mark::Stone => "stepping stone: leave your opponent here to force a win",
            Mark::Loss => "if you start here, your opponent can force a win",
            Mark::Draw => "neither player can force a win",
            Mark::Depends => depends(rulebook),
            Mark::Ends if shared => "the round ends here (a listed number)",
            Mark::Ends => "the round is over here",
            Mark::Never if shared => "this number can't come up",
            Mark::Never => "these two numbers can't come up together",
            Mark::NotAfterThese if shared => "this number can't come up after these moves",
            Mark::NotAfterThese => "these two numbers can't come up after these moves",
        }
    }
}

/// A number may depend not only on earlier moves but also on the turns left.
fn depends(rulebook: &Rulebook) -> &'static str {
    let limits = rulebook.passes().is_some() || rulebook.moves().iter().any(|entry| entry.uses.is_some());
    let chosen = rulebook.no_repeat() != NoRepeat::None || limits;
    match rulebook.turns() {
        Some(_) if chosen => "it depends on the turns left and the earlier moves",
        Some(_) => "it depends on the turns left",
        None => "it depends on the earlier moves",
    }
}

/// All of a game's numbers at a glance.
pub struct Map {
    /// The picture that fits the game.
    pub picture: Picture,
    /// The starting numbers where landing would end the round, if moves can land on them.
    pub listed_starts: Vec<i64>,
    /// Whether every number with a value is reachable. If the number alone decides, every number has a value,
    /// reachable or not.
    pub all_reachable: bool,
}

/// The picture of a map.
pub enum Picture {
    /// Every shared number.
    Strip {
        /// The number of the first mark.
        lowest: i64,
        /// The mark of each number, lowest first.
        marks: Vec<Mark>,
        /// The chart, if the number alone decides.
        chart: Option<Chart>,
    },
    /// Too many numbers to list. They are merged into stretches (ranges whose marks repeat), lowest first.
    Ranges(Vec<Piece<Mark>>),
    /// A few scattered numbers.
    Scattered(Vec<(i64, Mark)>),
    /// Separate numbers that never interact: the moves from each number to the target.
    Distances(Vec<(i64, u64)>),
    /// Separate numbers that interact: yours down, the opponent's across.
    Square {
        /// The numbers on both axes, lowest first.
        numbers: Vec<i64>,
        /// The mark of each pair, your own number first.
        marks: BTreeMap<(i64, i64), Mark>,
        /// The mark for all other pairs.
        others: Mark,
    },
}

/// Marks merged between two checks for cancellation.
const PATIENCE: u64 = 1 << 16;

impl Map {
    /// Every number in a chart. The budget covers memory beyond the chart.
    pub(super) fn of_chart(chart: Chart, budget: &mut Budget<'_>) -> Result<Map, Unsolved> {
        let numbers = chart.highest().abs_diff(chart.lowest()) as usize + 1;
        budget.require(0, numbers as u128, size_of::<Mark>() as u64)?;
        let (start, _) = chart.rulebook().start();
        let beside = (numbers * size_of::<Mark>()) as u64;
        let reachable = budget.beside(beside, |budget| Reachable::from_chart(&chart, budget))?;
        let mut marks = Vec::with_capacity(numbers);
        let mut all_reachable = true;
        for (number, verdict) in chart.numbers() {
            // A listed start only matters for landing: the round begins there regardless.
            let verdict = if number == start { chart.opening() } else { verdict };
            marks.push(match verdict {
                Some(verdict) => Mark::from_value(verdict.value),
                None if reachable.ends(number) => Mark::Ends,
                None => Mark::Never,
            });
            all_reachable &= verdict.is_none() || reachable.on_turn(number);
            budget.ask(marks.len() as u64, PATIENCE, None)?;
        }
        if let Ok(place) = usize::try_from(start - chart.lowest())
            && let Some(mark) = marks.get_mut(place)
            && !(Landings { chart: &chart, reachable: &reachable }).leaves(start)
        {
            *mark = mark.of_mere_start();
        }
        let listed_starts = if reachable.ends(start) { vec![start] } else { vec![] };
        let picture = Picture::Strip { lowest: chart.lowest(), marks, chart: Some(chart) };
        Ok(Map { picture, listed_starts, all_reachable })
    }

    /// Stretches of numbers, lowest first. They include unreachable numbers. Numbers where it's no one's turn lie
    /// between them.
    pub(super) fn of_stretches(rulebook: &Rulebook, stretches: Vec<Piece<Option<Value>>>) -> Map {
        let (lowest, highest) = chart::numbers(rulebook);
        let (start, _) = rulebook.start();
        let is_on_turn = |number: i64| {
            number == start || (lowest..=highest).contains(&number) && rulebook.goes_on_at(number.into())
        };
        let between = |number: i64| {
            let lands = rulebook.landing_of_number(number.into()).is_some()
                && rulebook.ways_to(number).any(|(from, _)| is_on_turn(from));
            Piece { from: number, to: number, pattern: vec![if lands { Mark::Ends } else { Mark::Never }] }
        };
        let mut ranges = Vec::with_capacity(stretches.len());
        let mut next = lowest;
        for Piece { from, to, pattern } in stretches {
            ranges.extend((next..from).map(between));
            let pattern =
                pattern.into_iter().map(|value| value.map_or(Mark::Depends, Mark::from_value)).collect();
            let piece = Piece { from, to, pattern };
            next = to + 1;
            // Numbers only go one way here, so no move leads back to the start.
            if !(from..=to).contains(&start) || piece.mark(start) != Mark::Stone {
                ranges.push(piece);
                continue;
            }
            ranges.extend(piece.part(from, start - 1));
            ranges.push(Piece { from: start, to: start, pattern: vec![Mark::Loss] });
            ranges.extend(piece.part(start + 1, to));
        }
        ranges.extend((next..=highest).map(between));
        // Doesn't check which last moves lead where, or which numbers are reachable around listed ones.
        let all_reachable = rulebook.no_repeat() != NoRepeat::None
            || rulebook.has_lists()
            || all_numbers_are_reachable(rulebook, (lowest, highest));
        Map { picture: Picture::Ranges(ranges), listed_starts: vec![], all_reachable }
    }

    /// The moves each player needs from each number on their own.
    pub(super) fn of_distances(distances: Vec<(i64, u64)>) -> Map {
        // A distance doesn't depend on reachability.
        Map { picture: Picture::Distances(distances), listed_starts: vec![], all_reachable: true }
    }

    /// Combines the marks of all reachable positions.
    pub(super) fn of_positions(
        rulebook: &Rulebook,
        last: Option<&Last>,
        budget: &mut Budget<'_>,
    ) -> Result<Map, Unsolved> {
        let survey = solver::survey(rulebook, budget)?;
        let others = if last.is_some() { Mark::NotAfterThese } else { Mark::Never };
        budget.beside(survey.bytes(), |budget| match rulebook.numbers() {
            Numbers::Shared => {
                let places =
                    Places::collect(survey, rulebook, last, budget, |_, numbers| numbers[Player::One])?;
                let listed_starts = places.listed_starts.iter().copied().collect();
                Ok(Map { picture: strip(places, others), listed_starts, all_reachable: true })
            }
            Numbers::Separate => {
                // A pair from the point of view of the player to move.
                let pair = |turn: Player, numbers: ByPlayer<i64>| (numbers[turn], numbers[!turn]);
                let places = Places::collect(survey, rulebook, last, budget, pair)?;
                let listed_starts = places.listed_starts.iter().copied().collect();
                Ok(Map { picture: square(places, others), listed_starts, all_reachable: true })
            }
        })
    }

    /// The next number to uncover in a strip; `None` if all are open or the map isn't a strip.
    pub fn next_covered(&self, cover: &Cover) -> Option<i64> {
        let Picture::Strip { lowest, marks, .. } = &self.picture else { return None };
        Some(lowest + cover.next(marks.len())? as i64)
    }

    /// Whether the map is empty because no position fits.
    pub fn is_empty(&self) -> bool {
        self.places() == 0
    }

    /// The number of cells: a list's numbers or stretches, or a square's pairs.
    pub fn places(&self) -> usize {
        match &self.picture {
            Picture::Strip { marks, .. } => marks.len(),
            Picture::Ranges(list) => list.len(),
            Picture::Scattered(list) => list.len(),
            Picture::Distances(list) => list.len(),
            Picture::Square { numbers, .. } => numbers.len() * numbers.len(),
        }
    }

    /// The index in a list of a number or its stretch; `None` if it isn't in the list or the map is a square.
    pub fn place_of(&self, wanted: i64) -> Option<usize> {
        match &self.picture {
            Picture::Strip { lowest, marks, .. } => {
                usize::try_from(wanted.saturating_sub(*lowest)).ok().filter(|index| *index < marks.len())
            }
            Picture::Ranges(list) => list.iter().position(|piece| (piece.from..=piece.to).contains(&wanted)),
            Picture::Scattered(list) => list.iter().position(|(number, _)| *number == wanted),
            Picture::Distances(list) => list.iter().position(|(number, _)| *number == wanted),
            Picture::Square { .. } => None,
        }
    }

    /// The index of a position's cell. A list uses the current player's number. A square uses both numbers and counts
    /// row by row.
    pub fn place_of_position(&self, position: &Position) -> Option<usize> {
        let turn = position.turn();
        let Picture::Square { numbers, .. } = &self.picture else {
            return self.place_of(position.number_of(turn));
        };
        let place = |player: Player| numbers.binary_search(&position.number_of(player)).ok();
        Some(place(turn)? * numbers.len() + place(!turn)?)
    }

    /// The number of moves left from a number under best play; `None` if the number alone doesn't determine it or no
    /// one is to move there.
    pub fn remoteness(&self, number: i64) -> Option<u64> {
        let Picture::Strip { chart: Some(chart), lowest, marks } = &self.picture else { return None };
        let mark = marks.get(usize::try_from(number.checked_sub(*lowest)?).ok()?)?;
        let (start, _) = chart.rulebook().start();
        match mark {
            Mark::Ends | Mark::Never | Mark::NotAfterThese => None,
            _ if number == start => chart.opening()?.remoteness(),
            _ => chart.verdict(i128::from(number))?.remoteness(),
        }
    }

    /// A pair's mark in a square, your own number first.
    pub fn pair(&self, own: i64, other: i64) -> Mark {
        match &self.picture {
            Picture::Square { marks, others, .. } => marks.get(&(own, other)).copied().unwrap_or(*others),
            _ => Mark::Never,
        }
    }

    /// The visible marks, each once, in legend order.
    pub fn marks(&self, cover: Option<&Cover>) -> Vec<Mark> {
        let mut seen = [false; Mark::ALL.len()];
        let mut see = |mark: Mark| seen[mark as usize] = true;
        match &self.picture {
            Picture::Strip { marks, .. } => {
                let is_open = |index| cover.is_none_or(|cover| !cover.hides(index, marks.len()));
                let open = marks.iter().enumerate().filter(|(index, _)| is_open(*index));
                open.for_each(|(_, mark)| see(*mark));
            }
            Picture::Ranges(list) => list.iter().flat_map(|piece| &piece.pattern).for_each(|mark| see(*mark)),
            Picture::Scattered(list) => list.iter().for_each(|(_, mark)| see(*mark)),
            Picture::Distances(_) => {}
            Picture::Square { numbers, marks, others } => {
                marks.values().for_each(|mark| see(*mark));
                if marks.len() < numbers.len() * numbers.len() {
                    see(*others);
                }
            }
        }
        Mark::ALL.into_iter().filter(|mark| seen[*mark as usize]).collect()
    }
}

/// The facts about each cell: a number or a pair of numbers.
struct Places<K> {
    /// Cells with a player to move, and the combined mark of their positions.
    on_turn: BTreeMap<K, Mark>,
    /// Cells where a move ends the round.
    ended: BTreeSet<K>,
    /// Starting numbers where landing ends the round.
    listed_starts: BTreeSet<i64>,
}

/// The result of a move.
enum Arrives {
    /// The other player's turn.
    On(Player, ByPlayer<i64>),
    /// The end of the round, by landing on a number or as the last turn.
    Over(Option<i64>, ByPlayer<i64>),
}

impl<K: Ord + Copy> Places<K> {
    /// Visits every position. `place` builds a cell from the turn and the numbers. If the round is over, it uses the
    /// point of view of the player whose turn it would be.
    fn collect(
        mut survey: Survey,
        rulebook: &Rulebook,
        last: Option<&Last>,
        budget: &mut Budget<'_>,
        place: impl Fn(Player, ByPlayer<i64>) -> K,
    ) -> Result<Places<K>, Unsolved> {
        let mut places =
            Places { on_turn: BTreeMap::new(), ended: BTreeSet::new(), listed_starts: BTreeSet::new() };
        let (starter, other) = rulebook.start();
        let opening = rulebook.opening(Player::One);
        let start = place(opening.turn(), opening.numbers());
        let mut may_leave_start = false;
        let mut count = 0;
        while let Some((position, verdict)) = survey.next() {
            count += 1;
            for arrives in arrivals(rulebook, &position) {
                let (landed, numbers) = match arrives {
                    Arrives::On(turn, numbers) => {
                        may_leave_start |= place(turn, numbers) == start;
                        continue;
                    }
                    Arrives::Over(landed, numbers) => (landed, numbers),
                };
                places.ended.insert(place(!position.turn(), numbers));
                let is_listed = |number: &i64| rulebook.landing_of_number((*number).into()).is_some();
                let start = landed.filter(|landed| [starter, other].contains(landed)).filter(is_listed);
                places.listed_starts.extend(start);
            }
            let shown = match last {
                None => Some((position, verdict)),
                Some(last) => last.lead_to(rulebook, &position).and_then(|after| {
                    let verdict = survey.verdict(&after)?;
                    Some((after, verdict))
                }),
            };
            if let Some((position, verdict)) = shown {
                let of = |mark: &mut Mark| *mark = mark.with(verdict.value);
                let here = place(position.turn(), position.numbers());
                places.on_turn.entry(here).and_modify(of).or_insert(Mark::from_value(verdict.value));
            }
            budget.require(count, places.len() as u128, BYTES_A_PLACE)?;
            budget.ask(count, PATIENCE, None)?;
        }
        if let Some(mark) = places.on_turn.get_mut(&start).filter(|_| !may_leave_start) {
            *mark = mark.of_mere_start();
        }
        Ok(places)
    }

    fn len(&self) -> usize {
        self.on_turn.len() + self.ended.len()
    }
}

/// Bytes per cell: a half-empty tree, plus the picture built from it.
const BYTES_A_PLACE: u64 = 4 * size_of::<((i64, i64), Mark)>() as u64;

/// The results of all moves. Skips numbers too large for a position, since no one ever moves there.
fn arrivals(rulebook: &Rulebook, position: &Position) -> impl Iterator<Item = Arrives> {
    rulebook.situation(position).moves().filter_map(|a_move| {
        let number = match rulebook.play(position, a_move) {
            Ok(Step::On(next)) => return Some(Arrives::On(next.turn(), next.numbers())),
            Ok(Step::Over { number, .. }) => number,
            Err(_) => return None,
        };
        if a_move == Move::Skip {
            return Some(Arrives::Over(None, position.numbers()));
        }
        let (number, owner) = (i64::try_from(number).ok()?, rulebook.owner(position, a_move));
        let changes = |player| rulebook.numbers() == Numbers::Shared || player == owner;
        let after = |player: Player| if changes(player) { number } else { position.number_of(player) };
        Some(Arrives::Over(Some(number), ByPlayer(Player::BOTH.map(after))))
    })
}

fn strip(places: Places<i64>, others: Mark) -> Picture {
    // A strip includes unreachable numbers unless they would make up most of it.
    const ALWAYS: u64 = 200;
    let marks: Vec<(i64, Mark)> = places.on_turn.into_iter().collect();
    let (Some((lowest, _)), Some((highest, _))) = (marks.first(), marks.last()) else {
        return Picture::Scattered(marks);
    };
    let (lowest, highest) = (*lowest, *highest);
    if highest.abs_diff(lowest) >= 4 * marks.len() as u64 + ALWAYS {
        return Picture::Scattered(marks);
    }
    let place = |number: i64| number.abs_diff(lowest) as usize;
    let mut strip = vec![others; place(highest) + 1];
    places.ended.range(lowest..=highest).for_each(|number| strip[place(*number)] = Mark::Ends);
    marks.into_iter().for_each(|(number, mark)| strip[place(number)] = mark);
    Picture::Strip { lowest, marks: strip, chart: None }
}

fn square(places: Places<(i64, i64)>, others: Mark) -> Picture {
    let mut marks = places.on_turn;
    let mut numbers: Vec<i64> = marks.keys().flat_map(|(own, other)| [*own, *other]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    // The axes list the numbers with a player to move. Endings appear only at those numbers.
    let is_shown = |number: &i64| numbers.binary_search(number).is_ok();
    for pair in places.ended.into_iter().filter(|(own, other)| is_shown(own) && is_shown(other)) {
        marks.entry(pair).or_insert(Mark::Ends);
    }
    Picture::Square { numbers, marks, others }
}

/// The players' last moves, from the point of view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    own: Option<Choice>,
    other: Option<Choice>,
}

/// The reason the last moves are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadLast {
    /// They make no difference.
    #[error("the last moves make no difference in this game")]
    MakesNoDifference,
    /// They aren't two moves of the game.
    #[error("give two moves, yours and your opponent's: each is {}, or - for none", text::or_list(.moves))]
    NotMoves {
        /// The moves of the game.
        moves: Vec<String>,
    },
}

impl Last {
    /// Parses your own last move and the opponent's, such as `+1,x2`; `-` means none.
    ///
    /// # Errors
    ///
    /// If the game ignores last moves, or these aren't two of its moves.
    pub fn read(text: &str, rulebook: &Rulebook) -> Result<Last, BadLast> {
        if rulebook.no_repeat() == NoRepeat::None {
            return Err(BadLast::MakesNoDifference);
        }
        let find = |word: &str| match word.trim() {
            "-" => Some(None),
            word => spelling::written(word).and_then(|written| rulebook.choice(written)).map(Some),
        };
        let read = || {
            let (own, other) = text.split_once(',')?;
            Some(Last { own: find(own)?, other: find(other)? })
        };
        read().ok_or_else(|| BadLast::NotMoves { moves: rulebook.written_entries() })
    }

    /// The position after these moves, given a position that remembers them. It's that position itself, or the one
    /// after the opponent's move if the game forgets your own move once it's answered. `None` if the given position
    /// remembers other moves.
    fn lead_to(&self, rulebook: &Rulebook, position: &Position) -> Option<Position> {
        let turn = position.turn();
        let forgets_own = !rulebook.remembers(turn, turn);
        match self.other {
            Some(answer) if forgets_own => match rulebook.play(position, Move::Operation(answer)) {
                Ok(Step::On(next)) if position.last_of(!turn) == self.own => Some(next),
                _ => None,
            },
            // If no turn was skipped, your own move was answered, so the opponent must have moved.
            _ if forgets_own && self.own.is_some() => None,
            _ => {
                let own = forgets_own || position.last_of(turn) == self.own;
                (own && position.last_of(!turn) == self.other).then_some(*position)
            }
        }
    }

    /// Your own move and the opponent's.
    pub(super) fn choices(self) -> (Option<Choice>, Option<Choice>) {
        (self.own, self.other)
    }

    /// Your own last move and the opponent's, in notation.
    pub fn written(&self, rulebook: &Rulebook) -> [Option<String>; 2] {
        [self.own, self.other].map(|chosen| chosen.map(|choice| rulebook.write(Move::Operation(choice))))
    }
}

/// Covers a strip in discovery mode. Players uncover one number at a time, from the target backwards.
///
/// ```
/// use spoton::format::Draft;
/// use spoton::teach::map::Cover;
///
/// let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']";
/// let rulebook = Draft::read("five.toml", text).build().unwrap();
/// let cover = Cover::new(&rulebook, 0).uncovered();
/// assert!(cover.hides(3, 5) && !cover.hides(4, 5)); // of 0 to 4, only the last is open
/// assert_eq!(cover.next(5), Some(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The number of open numbers, counted from the target backwards.
    open: usize,
    /// Whether the target is at the strip's high end.
    climbs: bool,
}

impl Cover {
    /// Covers a game's strip except for some open numbers.
    pub fn new(rulebook: &Rulebook, open: usize) -> Cover {
        // Without a target, a game that only goes down ends at the low end.
        let goes_down = match rulebook.direction() {
            Some(direction) => direction == Direction::Countdown,
            None => rulebook.only_way() == Some(Way::Down),
        };
        Cover { open, climbs: !goes_down }
    }

    /// How many numbers are open.
    pub fn open(&self) -> usize {
        self.open
    }

    /// The same with one more number open.
    #[must_use]
    pub fn uncovered(self) -> Cover {
        Cover { open: self.open.saturating_add(1), ..self }
    }

    /// Whether the number at an index of a strip is covered.
    pub fn hides(&self, index: usize, count: usize) -> bool {
        if self.climbs { index.saturating_add(self.open) < count } else { index >= self.open }
    }

    /// The index of the next number to uncover; `None` if all are open.
    pub fn next(&self, count: usize) -> Option<usize> {
        let left = count.checked_sub(self.open)?.checked_sub(1)?;
        Some(if self.climbs { left } else { self.open })
    }
}

impl SolvedGame {
    /// The game's map. If last moves matter, optionally after specific ones.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn map(&self, last: Option<&Last>, budget: &mut Budget<'_>) -> Result<Map, Unsolved> {
        // A game with a huge number range may still have few reachable numbers. The search gives up beyond this much
        // memory.
        const FEW: u64 = 64 << 20;
        match self.map_of_chart(budget) {
            Ok(Some(map)) => return Ok(map),
            Ok(None) => {}
            Err(why @ Unsolved::TooLarge { .. }) => {
                let few = budget.beside(self.bytes(), |budget| {
                    budget.within(FEW, |budget| Map::of_positions(self.rulebook(), last, budget))
                });
                return match few {
                    Err(Unsolved::TooLarge { .. }) => self.map_of_stretches(last, why, budget),
                    found => found,
                };
            }
            Err(why) => return Err(why),
        }
        if self.rulebook().numbers() == Numbers::Separate && last.is_none() {
            let solver = self.solver(budget)?;
            let distances = budget.beside(self.bytes(), |budget| solver.distances(budget))?;
            if let Some(distances) = distances {
                return Ok(Map::of_distances(distances));
            }
        }
        match budget.beside(self.bytes(), |budget| Map::of_positions(self.rulebook(), last, budget)) {
            Err(why @ Unsolved::TooLarge { .. }) => self.map_of_stretches(last, why, budget),
            found => found,
        }
    }

    /// The map of a game with too many numbers for any other kind of map, or the reason there is none.
    fn map_of_stretches(
        &self,
        last: Option<&Last>,
        why: Unsolved,
        budget: &mut Budget<'_>,
    ) -> Result<Map, Unsolved> {
        let solver = match self.solver(budget) {
            Ok(solver) => solver,
            Err(Unsolved::TooLarge { .. }) => return Err(why),
            Err(stopped) => return Err(stopped),
        };
        let last = last.map(|last| last.choices());
        let found = budget.beside(self.bytes(), |budget| solver.stretches(last, budget))?;
        found.map(|stretches| Map::of_stretches(self.rulebook(), stretches)).ok_or(why)
    }

    fn map_of_chart(&self, budget: &mut Budget<'_>) -> Result<Option<Map>, Unsolved> {
        let Some(chart) = self.chart(budget)? else { return Ok(None) };
        budget.beside(self.bytes(), |budget| Map::of_chart(chart, budget)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    fn rulebook(keys: &str) -> Rulebook {
        let text = format!("title = 'T'\nstart = 0\ntarget = 5\nmoves = ['+1', 'x2']\n{keys}");
        Draft::read("t", &text).build().unwrap()
    }

    #[test]
    fn the_last_moves_are_read_or_refused() {
        let looks = rulebook("no_repeat = 'both'");
        let read = |text: &str| Last::read(text, &looks);
        assert_eq!(read("+1,*2"), read(" +1 , X2 "));
        assert_eq!(read("-,-").unwrap(), Last { own: None, other: None });
        for wrong in ["", "+1", "+1,+3", "+1,x2,-"] {
            let moves = vec!["+1".to_owned(), "x2".to_owned()];
            assert_eq!(read(wrong), Err(BadLast::NotMoves { moves }), "{wrong}");
        }
        assert_eq!(Last::read("-,-", &rulebook("")), Err(BadLast::MakesNoDifference));
    }

    #[test]
    fn a_cover_is_taken_away_from_the_target_backwards() {
        let down =
            Draft::read("t", "title = 'T'\nstart = 5\ntarget = 0\nmoves = ['-1', '-2']").build().unwrap();
        for (book, order) in [(rulebook(""), [3, 2, 1, 0]), (down, [0, 1, 2, 3])] {
            let mut cover = Cover::new(&book, 0);
            for place in order {
                assert_eq!(cover.next(4), Some(place));
                assert!(cover.hides(place, 4));
                cover = cover.uncovered();
                assert!(!cover.hides(place, 4));
            }
            assert_eq!(cover.next(4), None);
            assert_eq!(cover.open(), 4);
        }
    }
}
