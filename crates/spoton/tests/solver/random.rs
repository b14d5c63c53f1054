//! Thousands of random rule books, every position of them, against brute force.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use proptest::prelude::*;
use spoton::position::Player;
use spoton::rulebook::Rulebook;
use spoton::solver::{Solver, Verdict, survey};

use crate::books::books;
use crate::brute::{Brute, Seen, seen};
use crate::support::{book, cases};
use crate::{generous, in_order};

/// Books with more positions are left out.
const MOST: usize = 1500;

/// Every strategy that applies says the same as brute force about every position.
pub fn agrees(rulebook: &Arc<Rulebook>, brute: &Brute) -> Result<(), TestCaseError> {
    let solver = generous(|budget| Solver::new(Arc::clone(rulebook), budget));
    let opening = rulebook.opening(Player::One);
    let searched =
        generous(|budget| Solver::from_positions(Arc::clone(rulebook), [opening], HashSet::new(), budget));
    let mut surveyed: HashMap<Seen, Verdict> = HashMap::new();
    for (position, verdict) in generous(|budget| survey(rulebook, budget)) {
        let twice = surveyed.insert(seen(rulebook, &position), verdict);
        prop_assert_eq!(twice, None, "surveyed twice: {:?}", position);
    }
    let mut met: HashSet<Seen> = HashSet::new();
    for position in brute.positions() {
        let expected = brute.verdict(position);
        prop_assert_eq!(solver.verdict(position), Some(expected), "{:?}", position);
        prop_assert_eq!(searched.verdict(position), Some(expected), "searched: {:?}", position);
        let as_seen = seen(rulebook, position);
        prop_assert_eq!(surveyed.get(&as_seen), Some(&expected), "surveyed: {:?}", position);
        met.insert(as_seen);
        let moves = brute.moves(position);
        prop_assert_eq!(in_order(&solver, position), moves.clone(), "{:?}", position);
        prop_assert_eq!(in_order(&searched, position), moves, "searched: {:?}", position);
    }
    prop_assert_eq!(surveyed.len(), met.len());
    Ok(())
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn the_solver_equals_brute_force(text in books()) {
        let rulebook = book(&text);
        if let Some(brute) = Brute::new(&rulebook, MOST) {
            agrees(&rulebook, &brute)?;
        }
    }
}
