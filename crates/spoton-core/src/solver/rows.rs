//! Assigns rows of tiles to one or more threads, and tracks the progress of each row.
//!
//! Only the tiles on the diagonal of the square and on one side of it are filled. Rows are filled from last
//! to first, and each row from its last column to the diagonal. A tile can be filled once the tile below it,
//! in the previously taken row, is filled.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct Rows {
    count: usize,
    state: Mutex<RowProgress>,
    changed: Condvar,
}

struct RowProgress {
    /// The number of untaken rows.
    free: usize,
    /// The number of filled tiles per row.
    filled: Vec<usize>,
    /// The number of filled tiles.
    done: usize,
    /// A thread abandoned a row, so the others must stop.
    given_up: bool,
}

/// A row taken by a thread.
pub(super) struct Row<'a> {
    rows: &'a Rows,
    pub(super) place: usize,
}

impl Rows {
    pub(super) fn new(count: usize) -> Rows {
        let state = RowProgress { free: count, filled: vec![0; count], done: 0, given_up: false };
        Rows { count, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, RowProgress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next row; `None` if there are none left, or a thread has stopped.
    pub(super) fn take(&self) -> Option<Row<'_>> {
        let mut state = self.state();
        let place = state.free.checked_sub(1).filter(|_| !state.given_up)?;
        state.free = place;
        Some(Row { rows: self, place })
    }

    fn wait(&self, until: impl Fn(&RowProgress) -> bool) -> MutexGuard<'_, RowProgress> {
        let waits = |state: &mut RowProgress| !until(state) && !state.given_up;
        self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Row<'_> {
    /// Its columns, in the order they are filled.
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> + use<> {
        let columns: Range<usize> = self.place..self.rows.count;
        columns.rev()
    }

    /// Waits until a column's tile can be filled. Returns the number of filled tiles, or `None` if a thread
    /// has stopped.
    pub(super) fn wait_for(&self, column: usize) -> Option<usize> {
        // A tile on the diagonal has no tile below it.
        let below = self.place + 1;
        let needed = self.rows.count - column.max(below);
        let ready = |state: &RowProgress| state.filled.get(below).is_none_or(|filled| *filled >= needed);
        let state = self.rows.wait(ready);
        (!state.given_up).then_some(state.done)
    }

    /// Marks the next column's tile as filled.
    pub(super) fn fill(&self) {
        let mut state = self.rows.state();
        state.filled[self.place] += 1;
        state.done += 1;
        drop(state);
        self.rows.changed.notify_all();
    }
}

impl Drop for Row<'_> {
    /// A row dropped before its end, even by a panic, must not block other threads.
    fn drop(&mut self) {
        let mut state = self.rows.state();
        if state.filled[self.place] < self.rows.count - self.place {
            state.given_up = true;
            drop(state);
            self.rows.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single thread never waits, and fills every tile after those below it and behind it.
    #[test]
    fn tiles_are_filled_in_order() {
        let rows = Rows::new(5);
        let mut filled = vec![];
        while let Some(row) = rows.take() {
            for column in row.columns() {
                assert_eq!(row.wait_for(column), Some(filled.len()));
                let below = (row.place + 1..=column).map(|below| (below, column));
                let behind = (column + 1..5).map(|behind| (row.place, behind));
                assert!(below.chain(behind).all(|tile| filled.contains(&tile)), "{} {column}", row.place);
                filled.push((row.place, column));
                row.fill();
            }
        }
        assert_eq!(filled.len(), 15);
    }

    /// Threads don't wait for the tiles of a thread that has stopped.
    #[test]
    fn threads_do_not_wait_for_a_stopped_thread() {
        let rows = Rows::new(3);
        let (last, next) = (rows.take().unwrap(), rows.take().unwrap());
        drop(last);
        assert_eq!(next.wait_for(2), None);
        assert!(rows.take().is_none());
    }
}
