//! Games whose target can't be reached.

use crate::engine::play::{Ending, Step};
use crate::engine::position::Player;
use crate::format::Rulebook;
use crate::solver::{Interner, as_seen};

/// Search limit: the warning must not delay the game.
const MOST_MOVES: u32 = 50_000;

/// The possible endings, if none is on the target. Searches depth-first, which finds a reachable target quickly.
pub(crate) fn endings_without_the_target(rulebook: &Rulebook) -> Option<Vec<Ending>> {
    let opening = rulebook.opening(Player::One);
    let (mut seen, mut waiting, mut endings) = (Interner::default(), vec![opening], Vec::new());
    seen.add(as_seen(&opening));
    let mut moves = 0;
    while let Some(position) = waiting.pop() {
        let mut ends = |ending: Ending| {
            if !endings.contains(&ending) {
                endings.push(ending);
            }
        };
        if let Some(outcome) = rulebook.over_at(&position) {
            ends(outcome.ending);
            continue;
        }
        for a_move in rulebook.situation(&position).moves() {
            moves += 1;
            match rulebook.play(&position, a_move) {
                _ if moves > MOST_MOVES => return None,
                Ok(Step::Over { outcome, .. }) if outcome.ending == Ending::Reached => return None,
                Ok(Step::Over { outcome, .. }) => ends(outcome.ending),
                Ok(Step::On(next)) => {
                    let (next, before) = (as_seen(&next), seen.len());
                    seen.add(next);
                    if seen.len() > before {
                        waiting.push(next);
                    }
                }
                Err(_) => {}
            }
        }
    }
    Some(endings)
}
