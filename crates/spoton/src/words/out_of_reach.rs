//! Games whose target can't be reached: players should know before they start.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::discovery::View;
//! use spoton::format::Draft;
//! use spoton::solved::SolvedGame;
//!
//! let text = "title = 'Evens'\nstart = 0\ntarget = 7\nmoves = ['+2', '+4']";
//! let evens = SolvedGame::new(Arc::new(Draft::read("evens.toml", text).build()?));
//! let said = evens.out_of_reach(View::of_everything()).expect("7 is odd");
//! assert_eq!(said, "Nobody can land on 7. The player who overshoots loses.");
//! assert_eq!(evens.out_of_reach(View::of_player(true)), None); // a player finds it out in discovery mode
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::discovery::{Spoiler, View};
use crate::engine::play::Ending;
use crate::format::{Past, Rulebook, Stuck};
use crate::solved::SolvedGame;
use crate::solved::out_of_reach::endings_without_the_target;
use crate::words::describe;

/// If no line lands on the target: the warning, with the actual way to win. `None` if one does, if there's no target,
/// or if there are too many lines to be sure.
fn in_words(rulebook: &Rulebook) -> Option<String> {
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

impl SolvedGame {
    /// A warning about an unreachable target: "Nobody can land on 23. The player who overshoots loses." `None` if the
    /// target is reachable, there are too many positions to be sure, or the viewer may not see facts. Follows from the
    /// rules alone, without solving the game.
    pub fn out_of_reach(&self, view: View) -> Option<String> {
        if view.hides(Spoiler::Facts) { None } else { self.find_out_of_reach() }
    }

    /// Whether [`SolvedGame::out_of_reach`] has a warning for anyone.
    pub fn is_out_of_reach(&self) -> bool {
        self.find_out_of_reach().is_some()
    }

    fn find_out_of_reach(&self) -> Option<String> {
        let found = self.once(0, || Ok(Warning(in_words(self.rulebook()))));
        found.ok().and_then(|found| found.0.clone())
    }
}

/// The warning about a game, if there is one.
struct Warning(Option<String>);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::discovery::View;
    use crate::format::{Draft, catalog};
    use crate::solved::SolvedGame;

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
            assert_eq!(game.out_of_reach(View::of_everything()).as_deref(), Some(expected));
            assert_eq!(game.out_of_reach(View::of_host(true)).as_deref(), Some(expected));
            assert_eq!(game.out_of_reach(View::of_player(true)), None);
            assert!(game.is_out_of_reach());
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
    fn there_is_no_sentence_without_a_target_or_without_certainty() {
        assert_eq!(said("start = 5\nrange = [0, 9]\nmoves = ['-1', '-2']"), None);
        assert_eq!(said("start = 0\ntarget = 1000000000000001\nmoves = ['+2', '+4']"), None);
    }

    /// Brute force over games that add and multiply up to a target, with or without a ban on repeating your own last
    /// move.
    fn can_land(target: i64, moves: &[(char, i64)], no_repeat: bool) -> bool {
        // The number, the last move of the player to move, and the opponent's last move.
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
    fn the_sentence_appears_exactly_if_no_line_lands_there() {
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
