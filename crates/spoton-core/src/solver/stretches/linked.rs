//! Stretches with more state: last moves and uses.
//!
//! The legal moves of a memory state and their results are the same at every number of a stretch, so they are
//! precomputed. For each number, all possible results are looked up first. Then each memory state takes the best
//! of its options.

use std::ops::Range;

use super::from_the_end;
use crate::engine::operation::Affine;
use crate::solver::filling::{Filling, PATIENCE};
use crate::solver::steps::Without;
use crate::solver::value::Score;
use crate::solver::{Budget, Unsolved};

/// State shared by all numbers in a range.
pub(super) struct Linked<S> {
    lowest: i64,
    memory_states: usize,
    hops: Vec<Hop>,
    /// The option values. First those that are the same at all numbers (nothing, leaving the table, being
    /// stuck), then the results of the hops.
    worths: Vec<S>,
    /// The options of each memory state, padded to the same count with `NOTHING`, which changes nothing.
    choices: Vec<u32>,
    choices_each: usize,
    /// The memory states with a skip, and where it leads.
    skips: Vec<(usize, usize)>,
}

/// A move that stays in the table.
struct Hop {
    does: Affine,
    /// The memory states it leads to.
    to: Vec<u32>,
}

/// The option indices of doing nothing and of leaving the table.
const NOTHING: u32 = 0;
const LEAVES: u32 = 1;

impl<S: Score> Linked<S> {
    /// Prepares the stretch around a number. `staying` has the moves that stay in the table, with their
    /// indices. `left` is the value of leaving it, if legal.
    pub(super) fn prepare(
        filling: &Filling<'_, S, &mut [S]>,
        rank: usize,
        lowest: i64,
        staying: Vec<(usize, Affine)>,
        left: S,
    ) -> Linked<S> {
        let moves = filling.moves;
        let memory_states = moves.grid.memory_states as usize;
        let (mut worths, mut skips) = (vec![S::NONE, left], Vec::new());
        let stays = |place: usize| staying.iter().any(|(staying, _)| *staying == place);
        let mut counts = vec![0; memory_states];
        for (_, links) in moves.links.iter().enumerate().filter(|(place, _)| stays(*place) || left != S::NONE)
        {
            links.iter().for_each(|link| counts[link.from as usize] += 1);
        }
        let choices_each = counts.iter().copied().max().unwrap_or_default().max(1);
        let mut choices = vec![NOTHING; memory_states * choices_each];
        for (memory_state, count) in counts.iter_mut().enumerate() {
            if std::mem::take(count) == 0 {
                match moves.without_step(rank * memory_states + memory_state) {
                    Without::Ended(verdict) => {
                        choices[memory_state * choices_each] = worths.len() as u32;
                        worths.push(S::from_verdict(verdict));
                    }
                    Without::Skips(next) => skips.push((memory_state, next % memory_states)),
                }
            }
        }
        let mut choose = |from: u32, place: u32| {
            let count = &mut counts[from as usize];
            choices[from as usize * choices_each + *count] = place;
            *count += 1;
        };
        let mut hops = Vec::with_capacity(staying.len());
        for (place, links) in moves.links.iter().enumerate() {
            let Some((_, does)) = staying.iter().find(|(staying, _)| *staying == place) else {
                if left != S::NONE {
                    links.iter().for_each(|link| choose(link.from, LEAVES));
                }
                continue;
            };
            let mut to: Vec<u32> = links.iter().map(|link| link.to).collect();
            to.sort_unstable();
            to.dedup();
            for link in links {
                let place = to.binary_search(&link.to).map_or(NOTHING, |place| (worths.len() + place) as u32);
                choose(link.from, place);
            }
            worths.resize(worths.len() + to.len(), S::NONE);
            hops.push(Hop { does: *does, to });
        }
        Linked { lowest, memory_states, hops, worths, choices, choices_each, skips }
    }

    /// Fills a stretch from its end back.
    pub(super) fn fill(
        mut self,
        filling: &mut Filling<'_, S, &mut [S]>,
        stretch: Range<usize>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let choices = std::mem::take(&mut self.choices);
        for part in from_the_end(stretch, PATIENCE.div_ceil(self.memory_states)) {
            let done = filling.cells.len() - part.start * self.memory_states;
            // A known count lets the compiler unroll the loop over the options.
            match self.choices_each {
                1 => self.fill_numbers(filling.cells, part, choices.as_chunks::<1>().0.iter()),
                2 => self.fill_numbers(filling.cells, part, choices.as_chunks::<2>().0.iter()),
                3 => self.fill_numbers(filling.cells, part, choices.as_chunks::<3>().0.iter()),
                4 => self.fill_numbers(filling.cells, part, choices.as_chunks::<4>().0.iter()),
                each => self.fill_numbers(filling.cells, part, choices.chunks_exact(each)),
            }
            filling.ask(done, budget)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn fill_numbers(
        &mut self,
        cells: &mut [S],
        ranks: Range<usize>,
        choices: impl Iterator<Item: AsRef<[u32]>> + Clone,
    ) {
        let memory_states = self.memory_states;
        let constant = self.worths.len() - self.hops.iter().map(|hop| hop.to.len()).sum::<usize>();
        for rank in ranks.rev() {
            let mut worths = &mut self.worths[constant..];
            for Hop { does, to } in &self.hops {
                let height = (rank as i64 + self.lowest) * does.factor + does.addend;
                let there = &cells[(height - self.lowest) as usize * memory_states..][..memory_states];
                let (these, rest) = worths.split_at_mut(to.len());
                for index in 0..to.len() {
                    these[index] = there[to[index] as usize].before_move();
                }
                worths = rest;
            }
            let here = &mut cells[rank * memory_states..][..memory_states];
            for (memory_state, choices) in choices.clone().enumerate() {
                let worth = |choice: &u32| self.worths[*choice as usize];
                here[memory_state] =
                    choices.as_ref().iter().fold(S::NONE, |best, choice| best.max(worth(choice)));
            }
            for (memory_state, next) in &self.skips {
                here[*memory_state] = here[*next].before_move();
            }
        }
    }
}
