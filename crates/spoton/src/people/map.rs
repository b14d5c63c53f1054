//! The map of a game: what it is worth to be on turn at each number, as far as numbers can tell.
//!
//! [`SolvedGame::map`](super::solved_game::SolvedGame::map) chooses the picture that fits the game; the words for it are in [`words::map`](crate::words::map).
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::Draft;
//! use spoton::people::map::{Mark, Picture};
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::solver::Budget;
//!
//! let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
//! let game = SolvedGame::new(Arc::new(Draft::read("five.toml", text).build().unwrap()));
//! let map = game.map(None, &mut Budget::patient(1 << 20))?;
//! let Picture::Strip { lowest, marks, .. } = map.picture else { panic!("a strip") };
//! assert_eq!(lowest, 0);
//! let letters: String = marks.into_iter().map(Mark::letter).collect();
//! assert_eq!(letters, "++o++"); // leave 2, and then reach 5
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::operation::Way;
use crate::engine::play::{Move, Step};
use crate::engine::position::{ByPlayer, Choice, Player, Position};
use crate::format::{Direction, NoRepeat, Numbers, Rulebook};
use crate::solver::chart::{self, Chart, Piece};
use crate::solver::coming_up::{ComingUp, all_numbers_come_up};
use crate::solver::{self, Budget, Survey, Unsolved, Value};
use crate::words::phrases;
use crate::words::typed;

/// What a number, or a pair of numbers, shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Whoever is on turn here can force a win.
    Win,
    /// A stepping stone: whoever is on turn here cannot help losing.
    Stone,
    /// Neither can force a win.
    Draw,
    /// It depends on what was chosen or used before.
    Depends,
    /// A move can lead here, and then the round is over: nobody is on turn.
    Ends,
    /// Play cannot come here.
    Never,
    /// Play cannot come here by the last moves that were asked about; by others it may.
    NotAfterThese,
}

impl Mark {
    /// Every mark, in the order in which they are explained.
    pub const ALL: [Mark; 7] =
        [Mark::Win, Mark::Stone, Mark::Draw, Mark::Depends, Mark::Ends, Mark::Never, Mark::NotAfterThese];

    fn of(value: Value) -> Mark {
        match value {
            Value::Win => Mark::Win,
            Value::Loss => Mark::Stone,
            Value::Draw => Mark::Draw,
        }
    }

    /// What two positions at the same place come to.
    fn with(self, value: Value) -> Mark {
        if self == Mark::of(value) { self } else { Mark::Depends }
    }

    /// The letter that stands for it wherever there are only letters.
    pub fn letter(self) -> char {
        match self {
            Mark::Win => '+',
            Mark::Stone => 'o',
            Mark::Draw => '=',
            Mark::Depends => '*',
            Mark::Ends => '#',
            Mark::Never | Mark::NotAfterThese => '.',
        }
    }

    /// What it means in a game, for people.
    pub fn meaning_in(self, rulebook: &Rulebook) -> &'static str {
        let shared = rulebook.numbers() == Numbers::Shared;
        match self {
            Mark::Win => "if it's your turn here, you can force a win",
            Mark::Stone => "a stepping stone: leave this to the other player, and you can force a win",
            Mark::Draw => "neither can force a win",
            Mark::Depends => depends(rulebook),
            Mark::Ends if shared => "the round ends here (a listed number)",
            Mark::Ends => "the round is over here",
            Mark::Never if shared => "this number cannot come up",
            Mark::Never => "these two numbers cannot come up together",
            Mark::NotAfterThese if shared => "this number cannot come up after these moves",
            Mark::NotAfterThese => "these two numbers cannot come up after these moves",
        }
    }
}

/// What was chosen before is not all that a number may depend on.
fn depends(rulebook: &Rulebook) -> &'static str {
    let limits = rulebook.passes().is_some() || rulebook.moves().iter().any(|entry| entry.uses.is_some());
    let chosen = rulebook.no_repeat() != NoRepeat::None || limits;
    match rulebook.turns() {
        Some(_) if chosen => "it depends on how many turns are left, and on what was chosen before",
        Some(_) => "it depends on how many turns are left",
        None => "it depends on what was chosen before",
    }
}

/// Every number of a game at a glance.
pub struct Map {
    /// The picture that fits the game.
    pub picture: Picture,
    /// The numbers at which a round begins although a move that lands there ends it, as far as a move can.
    pub listed_starts: Vec<i64>,
    /// Whether somebody can be on turn wherever a worth is shown. Where the number alone decides, every number has one,
    /// even if play cannot come there from where the round begins.
    pub all_come_up: bool,
}

/// What a map shows.
pub enum Picture {
    /// Every number of a shared one.
    Strip {
        /// The number that the first mark is about.
        lowest: i64,
        /// What each number shows, from the lowest on.
        marks: Vec<Mark>,
        /// The chart, if the number alone decides.
        chart: Option<Chart>,
    },
    /// More numbers than anybody could look at, put together into stretches, from the lowest up.
    Ranges(Vec<Piece<Mark>>),
    /// A few numbers, far between.
    Scattered(Vec<(i64, Mark)>),
    /// Separate numbers that never touch: the moves from each number to the target.
    Distances(Vec<(i64, u64)>),
    /// Separate numbers that do: one's own down, the other player's across.
    Square {
        /// The numbers along either side, from the lowest on.
        numbers: Vec<i64>,
        /// What each pair shows, one's own number first.
        marks: BTreeMap<(i64, i64), Mark>,
        /// What a pair shows that is missing there.
        others: Mark,
    },
}

/// How many marks are put together between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

impl Map {
    /// Every number of a chart. The budget is for what is held beside the chart.
    pub(super) fn of_chart(chart: Chart, budget: &mut Budget<'_>) -> Result<Map, Unsolved> {
        let numbers = chart.highest().abs_diff(chart.lowest()) as usize + 1;
        budget.require(0, numbers as u128, size_of::<Mark>() as u64)?;
        let (start, _) = chart.rulebook().start();
        let beside = (numbers * size_of::<Mark>()) as u64;
        let coming_up = budget.beside(beside, |budget| ComingUp::of(&chart, budget))?;
        let mut marks = Vec::with_capacity(numbers);
        let mut all_come_up = true;
        for (number, verdict) in chart.numbers() {
            // Only landing counts: whatever the start is, whoever begins is on turn there.
            let verdict = if number == start { chart.opening() } else { verdict };
            marks.push(match verdict {
                Some(verdict) => Mark::of(verdict.value),
                None if coming_up.ends(number) => Mark::Ends,
                None => Mark::Never,
            });
            all_come_up &= verdict.is_none() || coming_up.on_turn(number);
            budget.ask(marks.len() as u64, PATIENCE, None)?;
        }
        let listed_starts = if coming_up.ends(start) { vec![start] } else { vec![] };
        let picture = Picture::Strip { lowest: chart.lowest(), marks, chart: Some(chart) };
        Ok(Map { picture, listed_starts, all_come_up })
    }

    /// Stretches of numbers, from the lowest up. Numbers that play cannot come to are among them; those at which nobody is
    /// on turn lie between them.
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
            let pattern = pattern.into_iter().map(|value| value.map_or(Mark::Depends, Mark::of)).collect();
            ranges.push(Piece { from, to, pattern });
            next = to + 1;
        }
        ranges.extend((next..=highest).map(between));
        // By which last moves play comes where, and around listed numbers, nobody has looked at.
        let all_come_up = rulebook.no_repeat() != NoRepeat::None
            || rulebook.has_lists()
            || all_numbers_come_up(rulebook, (lowest, highest));
        Map { picture: Picture::Ranges(ranges), listed_starts: vec![], all_come_up }
    }

    /// The moves that each player needs from each number alone.
    pub(super) fn of_distances(distances: Vec<(i64, u64)>) -> Map {
        // A distance is what it is, whether the number was landed on or not.
        Map { picture: Picture::Distances(distances), listed_starts: vec![], all_come_up: true }
    }

    /// What the numbers of all positions come to that can be reached.
    pub(super) fn of_positions(
        rulebook: &Rulebook,
        last: Option<&Last>,
        budget: &mut Budget<'_>,
    ) -> Result<Map, Unsolved> {
        let survey = solver::survey(rulebook, budget)?;
        let others = if last.is_some() { Mark::NotAfterThese } else { Mark::Never };
        budget.beside(survey.bytes(), |budget| match rulebook.numbers() {
            Numbers::Shared => {
                let places = Places::of(survey, rulebook, last, budget, |_, numbers| numbers[Player::One])?;
                let listed_starts = places.listed_starts.iter().copied().collect();
                Ok(Map { picture: strip(places, others), listed_starts, all_come_up: true })
            }
            Numbers::Separate => {
                // A pair as the player on turn sees it.
                let pair = |turn: Player, numbers: ByPlayer<i64>| (numbers[turn], numbers[!turn]);
                let places = Places::of(survey, rulebook, last, budget, pair)?;
                let listed_starts = places.listed_starts.iter().copied().collect();
                Ok(Map { picture: square(places, others), listed_starts, all_come_up: true })
            }
        })
    }

    /// The number of a strip that is uncovered next; `None` if all lie open, or this is no strip.
    pub fn next_covered(&self, cover: &Cover) -> Option<i64> {
        let Picture::Strip { lowest, marks, .. } = &self.picture else { return None };
        Some(lowest + cover.next(marks.len())? as i64)
    }

    /// Whether there is nothing to show: no position fits.
    pub fn is_empty(&self) -> bool {
        self.places() == 0
    }

    /// How many places there are: numbers or stretches of a list, or pairs of a square.
    pub fn places(&self) -> usize {
        match &self.picture {
            Picture::Strip { marks, .. } => marks.len(),
            Picture::Ranges(list) => list.len(),
            Picture::Scattered(list) => list.len(),
            Picture::Distances(list) => list.len(),
            Picture::Square { numbers, .. } => numbers.len() * numbers.len(),
        }
    }

    /// Where a number of a list stands, alone or in its stretch, from 0; `None` if it is not in the list, or this is a
    /// square.
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

    /// Where a position stands, from 0: in a list the number of the player on turn, in a square both numbers, row by row.
    pub fn place_of_position(&self, position: &Position) -> Option<usize> {
        let turn = position.turn();
        let Picture::Square { numbers, .. } = &self.picture else {
            return self.place_of(position.number_of(turn));
        };
        let place = |player: Player| numbers.binary_search(&position.number_of(player)).ok();
        Some(place(turn)? * numbers.len() + place(!turn)?)
    }

    /// How many moves the game lasts from a number if both play their best; `None` if that is not known from the
    /// number alone, or nobody is on turn there.
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

    /// What a pair of a square shows, one's own number first.
    pub fn pair(&self, own: i64, other: i64) -> Mark {
        match &self.picture {
            Picture::Square { marks, others, .. } => marks.get(&(own, other)).copied().unwrap_or(*others),
            _ => Mark::Never,
        }
    }

    /// The marks that can be seen, each once, in the order in which they are explained.
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

/// What happens at each place, a number or a pair of numbers.
struct Places<K> {
    /// Where somebody is on turn, and what all such positions come to.
    on_turn: BTreeMap<K, Mark>,
    /// Where a move ends the round.
    ended: BTreeSet<K>,
    /// The numbers at which a round begins and on which a move lands, which ends it.
    listed_starts: BTreeSet<i64>,
}

impl<K: Ord + Copy> Places<K> {
    /// Looks at every position. A place is made of whose turn it is and of the numbers; where the round is over, it is
    /// as the player would see it whose turn it would be.
    fn of(
        mut survey: Survey,
        rulebook: &Rulebook,
        last: Option<&Last>,
        budget: &mut Budget<'_>,
        place: impl Fn(Player, ByPlayer<i64>) -> K,
    ) -> Result<Places<K>, Unsolved> {
        let mut places =
            Places { on_turn: BTreeMap::new(), ended: BTreeSet::new(), listed_starts: BTreeSet::new() };
        let (starter, other) = rulebook.start();
        let mut count = 0;
        while let Some((position, verdict)) = survey.next() {
            count += 1;
            for (landed, numbers) in final_numbers(rulebook, &position) {
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
                let here = place(position.turn(), position.numbers);
                places.on_turn.entry(here).and_modify(of).or_insert(Mark::of(verdict.value));
            }
            budget.require(count, places.len() as u128, BYTES_A_PLACE)?;
            budget.ask(count, PATIENCE, None)?;
        }
        Ok(places)
    }

    fn len(&self) -> usize {
        self.on_turn.len() + self.ended.len()
    }
}

/// What a place takes in a tree that may be half empty, and again in the picture that is made of it.
const BYTES_A_PLACE: u64 = 4 * size_of::<((i64, i64), Mark)>() as u64;

/// For each move that ends the round by what it lands on, or as the last turn: the number that it lands on, and both
/// numbers after it. Numbers that are too large for a position are left out: nobody is ever on turn there.
fn final_numbers(
    rulebook: &Rulebook,
    position: &Position,
) -> impl Iterator<Item = (Option<i64>, ByPlayer<i64>)> {
    rulebook.situation(position).moves().filter_map(|a_move| {
        let Ok(Step::Over { number, .. }) = rulebook.play(position, a_move) else { return None };
        if a_move == Move::Skip {
            return Some((None, position.numbers));
        }
        let (number, owner) = (i64::try_from(number).ok()?, rulebook.owner(position, a_move));
        let changes = |player| rulebook.numbers() == Numbers::Shared || player == owner;
        let after = |player: Player| if changes(player) { number } else { position.numbers[player] };
        Some((Some(number), ByPlayer(Player::BOTH.map(after))))
    })
}

fn strip(places: Places<i64>, others: Mark) -> Picture {
    // Numbers that nobody is ever on turn at have their place in a strip, as long as they are not most of it.
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
    // The sides are the numbers at which somebody can be on turn; only there is it shown that a round ends.
    let is_shown = |number: &i64| numbers.binary_search(number).is_ok();
    for pair in places.ended.into_iter().filter(|(own, other)| is_shown(own) && is_shown(other)) {
        marks.entry(pair).or_insert(Mark::Ends);
    }
    Picture::Square { numbers, marks, others }
}

/// What the players chose last, as the player on turn sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    own: Option<Choice>,
    other: Option<Choice>,
}

/// Why it is not known what was chosen last.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadLast {
    /// It makes no difference.
    #[error("this game does not look at what was chosen last")]
    MakesNoDifference,
    /// It is not written as two moves of the game.
    #[error("two moves are needed, one's own and the other player's, each of them {} or - for none", phrases::or_list(.moves))]
    NotMoves {
        /// The moves that there are.
        moves: Vec<String>,
    },
}

impl Last {
    /// Reads one's own last move and the other player's, such as `+1,x2`; `-` stands for none.
    ///
    /// # Errors
    ///
    /// If the game does not look at them, or these are not two of its moves.
    pub fn read(text: &str, rulebook: &Rulebook) -> Result<Last, BadLast> {
        if rulebook.no_repeat() == NoRepeat::None {
            return Err(BadLast::MakesNoDifference);
        }
        let find = |word: &str| match word.trim() {
            "-" => Some(None),
            word => typed::written(word).and_then(|written| rulebook.choice(written)).map(Some),
        };
        let read = || {
            let (own, other) = text.split_once(',')?;
            Some(Last { own: find(own)?, other: find(other)? })
        };
        read().ok_or_else(|| BadLast::NotMoves { moves: rulebook.written_entries() })
    }

    /// The position in which these moves were the last, seen from a position that remembers them: that position itself, or
    /// the one after the other player's move, where one's own is forgotten once it was answered. `None` if it remembers
    /// others.
    fn lead_to(&self, rulebook: &Rulebook, position: &Position) -> Option<Position> {
        let turn = position.turn();
        let forgets_own = !rulebook.remembers(turn, turn);
        match self.other {
            Some(answer) if forgets_own => match rulebook.play(position, Move::Operation(answer)) {
                Ok(Step::On(next)) if position.last_of(!turn) == self.own => Some(next),
                _ => None,
            },
            // Nobody has moved where the other player has not: without a skip, one's own move is answered.
            _ if forgets_own && self.own.is_some() => None,
            _ => {
                let own = forgets_own || position.last_of(turn) == self.own;
                (own && position.last_of(!turn) == self.other).then_some(*position)
            }
        }
    }

    /// One's own and the other player's.
    pub(super) fn choices(self) -> (Option<Choice>, Option<Choice>) {
        (self.own, self.other)
    }

    /// One's own last move and the other player's, as they are written.
    pub fn written(&self, rulebook: &Rulebook) -> [Option<String>; 2] {
        [self.own, self.other].map(|chosen| chosen.map(|choice| rulebook.write(Move::Operation(choice))))
    }
}

/// What lies over a strip while its players want to find out for themselves: it is taken away a number at a time,
/// from the target backwards.
///
/// ```
/// use spoton::format::Draft;
/// use spoton::people::map::Cover;
///
/// let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']";
/// let rulebook = Draft::read("five.toml", text).build().unwrap();
/// let cover = Cover::new(&rulebook, 0).uncovered();
/// assert!(cover.hides(3, 5) && !cover.hides(4, 5)); // of 0 to 4, the last is seen
/// assert_eq!(cover.next(5), Some(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// How many numbers lie open, from the target backwards.
    open: usize,
    /// Whether the target lies at the high end.
    climbs: bool,
}

impl Cover {
    /// The cover of a game's strip, of which so many numbers have been uncovered.
    pub fn new(rulebook: &Rulebook, open: usize) -> Cover {
        // Without a target, a game that only goes down ends at the low end.
        let goes_down = match rulebook.direction() {
            Some(direction) => direction == Direction::Countdown,
            None => rulebook.only_way() == Some(Way::Down),
        };
        Cover { open, climbs: !goes_down }
    }

    /// How many numbers lie open.
    pub fn open(&self) -> usize {
        self.open
    }

    /// The same with one more number uncovered.
    #[must_use]
    pub fn uncovered(self) -> Cover {
        Cover { open: self.open.saturating_add(1), ..self }
    }

    /// Whether the number at this place of a strip of so many cannot be seen.
    pub fn hides(&self, index: usize, count: usize) -> bool {
        if self.climbs { index.saturating_add(self.open) < count } else { index >= self.open }
    }

    /// The place of the number that is uncovered next; `None` if all of them are.
    pub fn next(&self, count: usize) -> Option<usize> {
        let left = count.checked_sub(self.open)?.checked_sub(1)?;
        Some(if self.climbs { left } else { self.open })
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
    fn what_was_chosen_last_is_read_or_refused() {
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
