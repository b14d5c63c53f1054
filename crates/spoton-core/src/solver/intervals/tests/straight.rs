//! A table written directly from the format's definition: all numbers below the target, with all pairs of
//! last moves if they matter. Independent of memories, stretches and the engine.

use super::super::super::sweep::Memory;
use crate::format::{NoRepeat, Past, Reach, Rulebook, Stuck};

pub(super) struct Table {
    /// A win in `r` moves is `i32::MAX - r`, a loss is the negative, a draw is 0.
    scores: Vec<i32>,
    /// The numbers of distinct last moves (one's own and the opponent's), including none.
    mine: usize,
    theirs: usize,
}

/// No choice.
const NONE: i32 = i32::MIN;

impl Table {
    /// The table of a book that climbs from 1.
    pub(super) fn climbing(rulebook: &Rulebook, target: i64) -> Table {
        let does: Vec<_> = rulebook
            .fixed_choices()
            .map(|choice| rulebook.operation(choice).unwrap().as_affine().unwrap())
            .collect();
        let moves = does.len();
        let (own, opponent) = match rulebook.no_repeat() {
            NoRepeat::None => (false, false),
            NoRepeat::Own => (true, false),
            NoRepeat::Opponent => (false, true),
            NoRepeat::Both => (true, true),
        };
        // After a move, a player's own last move becomes the opponent's last move in the opponent's view.
        // It matters to them after a skip.
        let looks_at_both = own || opponent && rulebook.stuck() == Stuck::Skips;
        let mine = if looks_at_both { moves + 1 } else { 1 };
        let theirs = if own || opponent { moves + 1 } else { 1 };
        // The result of landing on a number that ends the round, for the player who lands there.
        let (wins, loses) = (i32::MAX - 1, 1 - i32::MAX);
        let listed = |number: i128| {
            let within = |list: &[i64]| list.iter().any(|listed| i128::from(*listed) == number);
            if within(&rulebook.forbidden().integers) {
                return Some(NONE);
            }
            if number > target.into() {
                return Some(match rulebook.past() {
                    Past::Loses => loses,
                    Past::Wins => wins,
                    Past::Forbidden => NONE,
                });
            }
            let won = within(&rulebook.winning().integers);
            (won || within(&rulebook.losing().integers)).then_some(if won { wins } else { loses })
        };
        let reached = if rulebook.reach() == Reach::Wins { wins } else { loses };
        let mut table = Table { scores: vec![0; target as usize * mine * theirs], mine, theirs };
        let mut options = vec![NONE; moves];
        let mut leads_to = vec![0; moves];
        for number in (1..target).rev() {
            for (place, does) in does.iter().enumerate() {
                let next = i128::from(number) * i128::from(does.factor) + i128::from(does.addend);
                let ends = if next == target.into() { Some(reached) } else { listed(next) };
                options[place] = ends.unwrap_or(0);
                leads_to[place] = if ends.is_some() { 0 } else { next as i64 };
            }
            let mut is_stuck = false;
            for mine in 0..table.mine {
                for theirs in 0..table.theirs {
                    let mut best = NONE;
                    for place in 0..moves {
                        if own && mine == place + 1 || opponent && theirs == place + 1 {
                            continue;
                        }
                        // After the move, the opponent sees both last moves.
                        let score = match leads_to[place] {
                            0 => options[place],
                            next => before_move(table.scores[table.place(next, theirs, place + 1)]),
                        };
                        best = best.max(score);
                    }
                    let here = table.place(number, mine, theirs);
                    table.scores[here] = best;
                    is_stuck |= best == NONE;
                }
            }
            if is_stuck {
                table.settle_stuck(number, rulebook.stuck());
            }
        }
        table
    }

    /// Settles the players without a move at a number.
    fn settle_stuck(&mut self, number: i64, stuck: Stuck) {
        let first = self.place(number, 0, 0);
        let before = self.scores[first..first + self.mine * self.theirs].to_vec();
        for mine in 0..self.mine {
            for theirs in 0..self.theirs {
                let here = self.place(number, mine, theirs);
                if self.scores[here] != NONE {
                    continue;
                }
                self.scores[here] = match stuck {
                    Stuck::Loses => -i32::MAX,
                    Stuck::Wins => i32::MAX,
                    Stuck::Skips => match before[self.place(0, theirs, mine)] {
                        NONE => 0,
                        other => before_move(other),
                    },
                    _ => 0,
                };
            }
        }
    }

    fn place(&self, number: i64, mine: usize, theirs: usize) -> usize {
        (number as usize * self.mine + mine.min(self.mine - 1)) * self.theirs + theirs.min(self.theirs - 1)
    }

    /// The score of a number after these last moves, in the form of stretches.
    pub(super) fn score(&self, number: i64, (mine, theirs): Memory) -> i64 {
        let index =
            |last: Option<crate::engine::position::Choice>| last.map_or(0, |choice| choice.index() + 1);
        let score = self.scores[self.place(number, index(mine), index(theirs))];
        let moves = i64::from(i32::MAX - score.abs());
        i64::from(score.signum()) * (i64::MAX - moves)
    }
}

fn before_move(score: i32) -> i32 {
    score.signum() - score
}
