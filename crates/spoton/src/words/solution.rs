//! A position's solution: who can force a win, and where each move leads.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::Draft;
//! use spoton::records::set_up;
//! use spoton::solver::{Budget, Solver};
//! use spoton::words::solution;
//!
//! let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
//! let rulebook = Arc::new(Draft::read("five.toml", text).build().unwrap());
//! let mut budget = Budget::patient(1 << 20);
//! let solver = Solver::new(Arc::clone(&rulebook), &mut budget)?;
//! let round = set_up(&rulebook, ["+2"])?;
//! let page = solution::in_words(&solver, &round);
//! assert!(page.contains("The number is 2. It's Player 2's turn.\nPlayer 1 can force a win"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::phrases;
use crate::engine::play::Move;
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::format::Numbers;
use crate::solver::Solver;

/// The position, its verdict, and each move's verdict.
pub fn in_words(solver: &Solver, round: &Round) -> String {
    let rulebook = round.rulebook();
    let names = ByPlayer::from_fn(|player: Player| player.to_string());
    let (position, turn) = (round.position(), round.position().turn());
    let mut lines = vec![rulebook.title().to_owned(), String::new()];
    lines.extend(standing(round));
    if round.outcome().is_some() {
        return lines.join("\n") + "\n";
    }
    if let Some(verdict) = solver.verdict(position) {
        lines.push(format!("{}.", phrases::verdict(verdict, turn, &names)));
    }
    lines.push(String::new());
    for judged in solver.moves(position) {
        let leaves = match judged.a_move {
            Move::Skip => "the turn is skipped".to_owned(),
            Move::Operation(choice) => {
                let number = rulebook.result(position, choice).unwrap_or_default();
                let owner = rulebook.owner(position, judged.a_move);
                format!("from {} to {number}", position.number_of(owner))
            }
        };
        let verdict = phrases::verdict(judged.verdict, turn, &names);
        lines.push(format!("  {:<4} {leaves}: {verdict}.", rulebook.write(judged.a_move)));
    }
    for offer in rulebook.offers(position) {
        if let Err(why) = offer.result {
            let (operation, why) = (rulebook.write_offer(&offer), phrases::refusal(rulebook, why));
            lines.push(format!("  {operation:<4} not allowed: {why}."));
        }
    }
    lines.join("\n") + "\n"
}

/// The position or the result, in a line or two.
pub fn standing(round: &Round) -> Vec<String> {
    let (rulebook, position) = (round.rulebook(), round.position());
    if let Some(outcome) = round.outcome() {
        let won = outcome.winner.map_or("It's a draw".to_owned(), |winner| format!("{winner} won"));
        return vec![format!("The round is over. {won} ({}).", outcome.ending.word())];
    }
    let turn = position.turn();
    let mut lines = vec![match rulebook.numbers() {
        Numbers::Shared => format!("The number is {}. It's {turn}'s turn.", position.number()),
        Numbers::Separate => format!(
            "It's {turn}'s turn, with {}. {} has {}.",
            position.number(),
            !turn,
            position.number_of(!turn)
        ),
    }];
    if let Some(turns) = rulebook.turns() {
        lines.push(format!("Turn {} of {turns}.", position.plies() / 2 + 1));
    }
    lines
}
