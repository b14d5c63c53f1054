//! Stretches of numbers with more to remember: last moves, and what is used up.
//!
//! What may be done at a control, and where that leads, is the same at every number of a stretch. So it is put together once,
//! and each control has equally many links: where it has fewer, one of them is said again, which changes nothing.

use std::ops::Range;

use super::from_the_end;
use crate::engine::operation::Affine;
use crate::engine::position::MOST_MOVES;
use crate::solver::filling::{Filling, PATIENCE};
use crate::solver::steps::Without;
use crate::solver::value::Score;
use crate::solver::{Budget, Unsolved};

/// What is common to the numbers of a stretch.
pub(super) struct Linked<S> {
    lowest: i64,
    /// What each move that stays in the table does.
    hops: Vec<Affine>,
    /// What each control has at least, by moves that leave the table.
    floors: Vec<S>,
    /// Where each control leads, so many links for each.
    links: Vec<Link>,
    links_each: usize,
    /// The controls without a move: what they are worth, or the control to which the turn goes over.
    without: Vec<(usize, S)>,
    skips: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
struct Link {
    hop: u32,
    /// The control there.
    to: u32,
}

impl<S: Score> Linked<S> {
    /// For the stretch around a number: the moves that stay in the table, and what leaving it is worth, if that may be
    /// done.
    pub(super) fn of(
        filling: &Filling<'_, S, &mut [S]>,
        rank: usize,
        lowest: i64,
        staying: Vec<(usize, Affine)>,
        left: S,
    ) -> Linked<S> {
        let moves = filling.moves;
        let controls = moves.grid.controls as usize;
        let mut floors = vec![S::NONE; controls];
        let mut counts = vec![0; controls];
        for (place, links) in moves.links.iter().enumerate() {
            let stays = staying.iter().any(|(staying, _)| *staying == place);
            for link in links {
                match stays {
                    true => counts[link.from as usize] += 1,
                    false => floors[link.from as usize] = left,
                }
            }
        }
        let links_each = counts.iter().copied().max().unwrap_or_default();
        let mut all = vec![Link { hop: 0, to: 0 }; controls * links_each];
        counts.fill(0);
        for (hop, (place, _)) in staying.iter().enumerate() {
            for link in &moves.links[*place] {
                let (from, count) = (link.from as usize, &mut counts[link.from as usize]);
                // From here on to the end: what comes later takes the places of its own.
                all[from * links_each + *count..(from + 1) * links_each]
                    .fill(Link { hop: hop as u32, to: link.to });
                *count += 1;
            }
        }
        let (mut without, mut skips) = (Vec::new(), Vec::new());
        for control in (0..controls).filter(|control| counts[*control] == 0 && floors[*control] == S::NONE) {
            match moves.without_step(rank * controls + control) {
                Without::Ended(verdict) => without.push((control, S::of(verdict))),
                Without::Skips(next) => skips.push((control, next % controls)),
            }
        }
        // Those with nothing but a floor have no link to say again.
        let only_floor = (0..controls).filter(|control| counts[*control] == 0 && floors[*control] != S::NONE);
        without.extend(only_floor.map(|control| (control, floors[control])));
        let hops = staying.into_iter().map(|(_, does)| does).collect();
        Linked { lowest, hops, floors, links: all, links_each, without, skips }
    }

    /// Fills a stretch from its end back.
    pub(super) fn fill(
        &self,
        filling: &mut Filling<'_, S, &mut [S]>,
        stretch: Range<usize>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let controls = self.floors.len();
        for part in from_the_end(stretch, PATIENCE.div_ceil(controls)) {
            let done = filling.cells.len() - part.start * controls;
            // With the count known, the loop over the links is unrolled.
            match self.links_each {
                1 => self.fill_numbers(filling.cells, part, self.links.as_chunks::<1>().0),
                2 => self.fill_numbers(filling.cells, part, self.links.as_chunks::<2>().0),
                3 => self.fill_numbers(filling.cells, part, self.links.as_chunks::<3>().0),
                4 => self.fill_numbers(filling.cells, part, self.links.as_chunks::<4>().0),
                each => {
                    let links: Vec<&[Link]> = self.links.chunks_exact(each.max(1)).collect();
                    self.fill_numbers(filling.cells, part, &links);
                }
            }
            filling.ask(done, budget)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn fill_numbers(&self, cells: &mut [S], ranks: Range<usize>, links: &[impl AsRef<[Link]>]) {
        let controls = self.floors.len();
        let mut firsts = [0; MOST_MOVES];
        for rank in ranks.rev() {
            for (first, hop) in firsts.iter_mut().zip(&self.hops) {
                let height = (rank as i64 + self.lowest) * hop.factor + hop.addend;
                *first = (height - self.lowest) as usize * controls;
            }
            // Moves lead to later numbers only.
            let (here, later) = cells.split_at_mut((rank + 1) * controls);
            let (here, filled) = (&mut here[rank * controls..], (rank + 1) * controls);
            for ((cell, floor), links) in here.iter_mut().zip(&self.floors).zip(links) {
                let mut best = *floor;
                for link in links.as_ref() {
                    let next = firsts[link.hop as usize % MOST_MOVES] + link.to as usize - filled;
                    best = best.max(later[next].before_move());
                }
                *cell = best;
            }
            for (control, score) in &self.without {
                here[*control] = *score;
            }
            for (control, next) in &self.skips {
                here[*control] = here[*next].before_move();
            }
        }
    }
}
