//! The values of all numbers as periodic stretches instead of a table.
//!
//! A stretch goes down from a number. Its scores are periodic. If moves are counted, each position in the
//! period also grows by its own amount per period. Numbers that don't repeat are stored as they are.

use crate::solver::value::Score;

/// The score at a position in the first period of a stretch, and its growth per period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) score: i64,
    pub(super) slope: i64,
}

impl Cell {
    /// Extrapolating beyond a stretch may give an invalid score. It's never used, and must not panic.
    fn after(self, periods: i64) -> i64 {
        self.score.wrapping_add(self.slope.wrapping_mul(periods))
    }
}

/// A stretch of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) top: i64,
    pub(super) bottom: i64,
    /// The period; the whole length if it doesn't repeat.
    pub(super) period: i64,
    repeats: bool,
    /// Its first cell.
    first: usize,
}

/// The location of a number's cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    first: usize,
    periods: i64,
}

/// The stretches so far, from the highest number down. Each number has one cell per memory.
pub(super) struct Strip {
    pub(super) memories: usize,
    pub(super) pieces: Vec<Piece>,
    cells: Vec<Cell>,
}

impl Strip {
    pub(super) fn new(memories: usize) -> Strip {
        Strip { memories, pieces: vec![], cells: vec![] }
    }

    /// Its size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.pieces.capacity() * size_of::<Piece>() + self.cells.capacity() * size_of::<Cell>()) as u64
    }

    /// The peak bytes of adding `numbers` numbers: growing a list copies it.
    pub(super) fn bytes_to_grow(&self, numbers: usize) -> u128 {
        let cells = self.cells.len() + (numbers + 1) * self.memories;
        let pieces = self.pieces.len() + 4;
        3 * (cells * size_of::<Cell>() + pieces * size_of::<Piece>()) as u128
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.pieces.shrink_to_fit();
        self.cells.shrink_to_fit();
    }

    /// The index of the piece with a number, which must exist.
    pub(super) fn find(&self, number: i64) -> usize {
        self.pieces.partition_point(|piece| piece.bottom > number)
    }

    /// The first cell of a number in a piece, and its distance from the first period, in periods.
    #[inline]
    pub(super) fn place(&self, piece: &Piece, number: i64) -> Place {
        // The range past the end goes up to the largest integer, so this can exceed `i64::MAX`.
        let (below, period) = (piece.top.abs_diff(number), piece.period as u64);
        // Most numbers are within the first period, and division costs more than everything else.
        let (periods, place) = if below < period { (0, below) } else { (below / period, below % period) };
        Place { first: piece.first + place as usize * self.memories, periods: periods as i64 }
    }

    /// The cell of a memory at a number.
    #[inline]
    pub(super) fn cell_at(&self, place: Place, memory: usize) -> Cell {
        self.cells[place.first + memory]
    }

    /// The score of a memory at a number.
    #[inline]
    pub(super) fn score_at(&self, place: Place, memory: usize) -> i64 {
        self.cell_at(place, memory).after(place.periods)
    }

    #[inline]
    pub(super) fn score(&self, piece: &Piece, number: i64, memory: usize) -> i64 {
        self.score_at(self.place(piece, number), memory)
    }

    /// Appends numbers with the same score for all memories.
    pub(super) fn push_constant(&mut self, top: i64, bottom: i64, score: i64) {
        let first = self.cells.len();
        self.cells.extend(std::iter::repeat_n(Cell { score, slope: 0 }, self.memories));
        self.pieces.push(Piece { top, bottom, period: 1, repeats: true, first });
    }

    /// Appends the next number down.
    pub(super) fn push_number(&mut self, number: i64, scores: &[i64]) {
        let last = self.pieces.last().copied();
        if let Some(last) = last.filter(|last| last.repeats)
            && self.foretells(&last, number, scores)
        {
            self.lengthen(number);
            return;
        }
        self.cells.extend(scores.iter().map(|score| Cell { score: *score, slope: 0 }));
        match self.pieces.last_mut() {
            Some(last) if !last.repeats => {
                last.bottom = number;
                last.period += 1;
            }
            _ => {
                let first = self.cells.len() - self.memories;
                self.pieces.push(Piece { top: number, bottom: number, period: 1, repeats: false, first });
            }
        }
    }

    /// Whether these scores continue a piece.
    fn foretells(&self, piece: &Piece, number: i64, scores: &[i64]) -> bool {
        let place = self.place(piece, number);
        (0..).zip(scores).all(|(memory, score)| self.score_at(place, memory) == *score)
    }

    fn lengthen(&mut self, bottom: i64) {
        if let Some(last) = self.pieces.last_mut() {
            last.bottom = bottom;
        }
    }

    /// Appends a periodic stretch from the next number down. Absorbs the numbers above it that fit.
    pub(super) fn push_run(&mut self, top: i64, bottom: i64, mut pattern: Vec<Cell>) {
        let width = self.memories;
        let period = shortest_period(&pattern, width);
        let times = (pattern.len() / width / period) as i64;
        pattern.truncate(period * width);
        pattern.iter_mut().for_each(|cell| cell.slope /= times);
        let period = period as i64;
        let at = |number: i64, memory: usize| {
            let below = top - number;
            let cell = pattern[below.rem_euclid(period) as usize * width + memory];
            (cell, cell.after(below.div_euclid(period)))
        };
        let mut begins = top;
        while let Some(last) = self.pieces.last_mut().filter(|last| !last.repeats) {
            let own = &self.cells[self.cells.len() - width..];
            // Growth never crosses 0, or leaves the range of scores.
            let fits = |(memory, cell): (usize, &Cell)| {
                let (here, score) = at(last.bottom, memory);
                score == cell.score && score.signum() == here.score.signum() && cell.score != i64::NONE
            };
            if !(0..).zip(own).all(fits) {
                break;
            }
            self.cells.truncate(self.cells.len() - width);
            begins = last.bottom;
            last.bottom += 1;
            last.period -= 1;
            if last.period == 0 {
                self.pieces.pop();
            }
        }
        if let Some(last) = self.pieces.last().copied().filter(|last| last.repeats && last.period == period) {
            let continues = |below: i64, memory: usize| {
                let place = self.place(&last, begins - below);
                let (other, score) = at(begins - below, memory);
                self.score_at(place, memory) == score && self.cell_at(place, memory).slope == other.slope
            };
            if (0..period).all(|below| (0..width).all(|memory| continues(below, memory))) {
                self.lengthen(bottom);
                return;
            }
        }
        let first = self.cells.len();
        for below in 0..period {
            for memory in 0..width {
                let (cell, score) = at(begins - below, memory);
                self.cells.push(Cell { score, slope: cell.slope });
            }
        }
        self.pieces.push(Piece { top: begins, bottom, period, repeats: true, first });
    }

    /// The period of the lowest piece; 1 if it doesn't repeat.
    pub(super) fn last_period(&self) -> i64 {
        self.pieces.last().filter(|last| last.repeats).map_or(1, |last| last.period)
    }
}

/// The shortest period of a pattern, in numbers.
fn shortest_period(pattern: &[Cell], width: usize) -> usize {
    let whole = pattern.len() / width;
    let tells = |period: usize| {
        let times = (whole / period) as i64;
        let slope = |cell: &Cell| cell.slope / times;
        let divides = pattern.iter().all(|cell| cell.slope % times == 0);
        let mut pairs = pattern.iter().zip(pattern.iter().skip(period * width));
        divides
            && pairs.all(|(one, next)| {
                next.slope == one.slope && next.score == one.score.wrapping_add(slope(one))
            })
    };
    (1..whole).filter(|period| whole.is_multiple_of(*period)).find(|period| tells(*period)).unwrap_or(whole)
}
