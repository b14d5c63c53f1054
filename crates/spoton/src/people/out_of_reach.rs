//! Games whose target nobody can land on: players should know before they play for it.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::Draft;
//! use spoton::people::solved_game::SolvedGame;
//!
//! let text = "title = 'Evens'\nstart = 0\ntarget = 7\nmoves = ['+2', '+4']";
//! let evens = SolvedGame::new(Arc::new(Draft::read("evens.toml", text).build()?));
//! let said = evens.out_of_reach().expect("7 is odd");
//! assert_eq!(said, "Nobody can land on 7. The player who overshoots loses.");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::engine::play::{Ending, Step};
use crate::engine::position::Player;
use crate::format::{Past, Rulebook, Stuck};
use crate::solver::{Interner, as_seen};
use crate::words::describe;

/// A longer search is given up: nobody waits for this.
const MOST_MOVES: u32 = 50_000;

/// What a game is about instead, if no line of play lands on its target. `None` if one does, if there is no target, or
/// if there are too many lines to be sure.
pub(super) fn in_words(rulebook: &Rulebook) -> Option<String> {
    let target = rulebook.target()?;
    let endings = endings_without_the_target(rulebook)?;
    let overshoots = match describe::strikes(rulebook) {
        true => "The player whose number overshoots",
        false => "The player who overshoots",
    };
    let instead = match (rulebook.past(), rulebook.stuck()) {
        (Past::Loses, _) if endings.contains(&Ending::Overshot) => format!(" {overshoots} loses."),
        (Past::Wins, _) if endings.contains(&Ending::Overshot) => format!(" {overshoots} wins."),
        (_, Stuck::Loses) if endings.contains(&Ending::Stuck) => {
            " The player who can't move loses.".to_owned()
        }
        (_, Stuck::Wins) if endings.contains(&Ending::Stuck) => " The player who can't move wins.".to_owned(),
        _ => String::new(),
    };
    Some(format!("Nobody can land on {target}.{instead}"))
}

/// How rounds can end, if none of them ends on the target. The search goes deep first, which soon lands on a target
/// that can be reached.
fn endings_without_the_target(rulebook: &Rulebook) -> Option<Vec<Ending>> {
    let opening = rulebook.opening(Player::One);
    let (mut seen, mut waiting, mut endings) = (Interner::new(), vec![opening], Vec::new());
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::format::{Draft, catalog};
    use crate::people::solved_game::SolvedGame;

    fn said(text: &str) -> Option<String> {
        let text = format!("title = 'T'\n{text}");
        in_words(&Draft::read("own.toml", &text).build().unwrap_or_else(|problems| panic!("{problems}")))
    }

    #[test]
    fn a_book_that_promises_what_nobody_can_do_is_found_by_its_rules() {
        let draft = catalog::ids().next().and_then(catalog::draft).unwrap();
        let game = SolvedGame::new(Arc::new(draft.clone().build().unwrap()));
        let expected = "Nobody can land on 23. The player who overshoots loses.";
        for _ in 0..2 {
            assert_eq!(game.out_of_reach().as_deref(), Some(expected));
        }
        let variant = draft.variants().next().unwrap().to_owned();
        assert_eq!(in_words(&draft.variant(&variant).unwrap().build().unwrap()), None);
    }

    #[test]
    fn the_line_says_what_happens_instead() {
        let odd = "start = 0\ntarget = 7\nmoves = ['+2', '+4']\n";
        for (rules, instead) in [
            ("", " The player who overshoots loses."),
            ("past = 'wins'", " The player who overshoots wins."),
            ("reach = 'loses'", " The player who overshoots loses."),
            ("past = 'forbidden'", " The player who can't move loses."),
            ("past = 'forbidden'\nstuck = 'wins'", " The player who can't move wins."),
            ("past = 'forbidden'\nstuck = 'draws'", ""),
            ("losing = [6]\nforbidden = [4]\nstuck = 'draws'", ""),
        ] {
            assert_eq!(
                said(&format!("{odd}{rules}")),
                Some(format!("Nobody can land on 7.{instead}")),
                "{rules}"
            );
        }
        assert_eq!(
            said("start = 0\ntarget = 8\nmoves = ['+2', '+4']\nforbidden = [4, 6]"),
            Some("Nobody can land on 8. The player who can't move loses.".to_owned())
        );
        let strikes = "numbers = 'separate'\nstart = 0\ntarget = 7\nmoves = [{ op = '+2', on = 'other' }]";
        let expected = "Nobody can land on 7. The player whose number overshoots loses.";
        assert_eq!(said(strikes).as_deref(), Some(expected));
    }

    #[test]
    fn nothing_is_said_without_a_target_or_without_being_sure() {
        assert_eq!(said("start = 5\nrange = [0, 9]\nmoves = ['-1', '-2']"), None);
        assert_eq!(said("start = 0\ntarget = 1000000000000001\nmoves = ['+2', '+4']"), None);
    }

    /// Adding and multiplying up to a target, with the player's own last move barred or not, looked through by hand.
    fn can_land(target: i64, moves: &[(char, i64)], no_repeat: bool) -> bool {
        // The number, the last move of the player on turn and that of the other.
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![(1, None, None)]);
        while let Some((number, own, other)) = waiting.pop() {
            if number == target {
                return true;
            }
            if number > target || !seen.insert((number, own, other)) {
                continue;
            }
            for (place, (sign, amount)) in moves.iter().enumerate() {
                if !no_repeat || own != Some(place) {
                    let next = if *sign == '+' { number + amount } else { number * amount };
                    waiting.push((next, other, Some(place)));
                }
            }
        }
        false
    }

    #[test]
    fn it_is_said_if_and_only_if_no_line_lands_there() {
        let all = [('+', 1), ('+', 3), ('+', 4), ('x', 2), ('x', 3)];
        let mut out_of_reach = 0;
        for chosen in 1_usize..1 << all.len() {
            let moves: Vec<(char, i64)> = all
                .into_iter()
                .enumerate()
                .filter(|(place, _)| chosen >> place & 1 == 1)
                .map(|(_, a_move)| a_move)
                .collect();
            let written: Vec<String> =
                moves.iter().map(|(sign, amount)| format!("'{sign}{amount}'")).collect();
            for target in 2..40 {
                for no_repeat in [false, true] {
                    let rule = if no_repeat { "own" } else { "none" };
                    let text = format!(
                        "start = 1\ntarget = {target}\nmoves = [{}]\nno_repeat = '{rule}'",
                        written.join(", ")
                    );
                    let lands = can_land(target, &moves, no_repeat);
                    assert_eq!(said(&text).is_none(), lands, "{text}");
                    out_of_reach += usize::from(!lands);
                }
            }
        }
        assert!(out_of_reach > 100, "{out_of_reach}");
    }
}
