//! Advice in words: hints, reasons, patterns and forced endings.

use crate::engine::play::{Ending, Move, Outcome};
use crate::engine::position::{Choice, MOST_MOVES, Player};
use crate::engine::round::Round;
use crate::engine::written::On;
use crate::format::{Numbers, Rulebook};
use crate::solved::outlook::{Consequence, Outlook, Reason};
use crate::solver::{Value, Verdict};
use crate::teach::coach::{Hint, Pattern};
use crate::words::{describe, phrases};

/// Phrases the facts for the player to move.
pub struct Words<'a> {
    /// The game.
    pub rulebook: &'a Rulebook,
    /// The player to move, addressed as "you".
    pub turn: Player,
}

impl Words<'_> {
    /// A hint in words. The proof needs the outlook's reasons.
    pub fn hint(&self, hint: &Hint, outlook: &Outlook) -> String {
        match hint {
            Hint::OnlyMove => "There's only one move.".to_owned(),
            Hint::AllTheSame { moves, value } => {
                let all = if *moves == 2 { "Both moves".to_owned() } else { format!("All {moves} moves") };
                match value {
                    Value::Loss => "Whatever you choose, your opponent can force a win.".to_owned(),
                    Value::Win | Value::Draw => format!("{all} are equally good."),
                }
            }
            Hint::Matters { keep, moves, value } => {
                let kept = if *value == Value::Win { "your win" } else { "the draw" };
                match keep {
                    1 => format!("Only one move keeps {kept}."),
                    keep => format!("{keep} of {moves} moves keep {kept}."),
                }
            }
            Hint::WhatIf { on, leaves, goes_on: true } => {
                format!("If you {} {leaves}, what can they do?", self.bring(*on))
            }
            Hint::WhatIf { on: On::Own, leaves, .. } => format!("If you go to {leaves}, what happens?"),
            Hint::WhatIf { on, leaves, .. } => format!("If you {} {leaves}, what happens?", self.bring(*on)),
            Hint::Stone { on, leaves } => format!("You want to {} {leaves}.", self.bring(*on)),
            Hint::Proof { choice } => {
                let chosen = |reason: &&Reason| reason.a_move == Move::Operation(*choice);
                let reason = outlook.reasons().iter().find(chosen);
                let because = reason.map(|reason| self.reason(reason)).unwrap_or_default();
                let operation = self.operation(Move::Operation(*choice));
                match outlook.verdict.value {
                    Value::Loss if outlook.reasons().len() > 1 => {
                        let longest =
                            outlook.reasons().iter().filter(|reason| reason.verdict == outlook.verdict);
                        let longest: Vec<String> =
                            longest.map(|reason| self.operation(reason.a_move)).collect();
                        let lasts = if longest.len() == 1 { "lasts" } else { "last" };
                        match outlook.verdict.remoteness() {
                            Some(1) => "Every move loses immediately.".to_owned(),
                            // Which move lasts longest is unknown.
                            None => format!("You lose if they play perfectly. {because}"),
                            _ => format!(
                                "You lose if they play perfectly. {} {lasts} longest. {because}",
                                some_of(longest)
                            ),
                        }
                    }
                    _ => format!("Play {operation}. {because}"),
                }
            }
        }
    }

    /// Explains what the player can force and where each move leads.
    pub fn why(&self, outlook: &Outlook, pattern: Option<&Pattern>) -> Vec<String> {
        let mut said = vec![self.forced(outlook.verdict)];
        // If there are too many moves, explains only the best ones individually.
        let mut one_by_one = if outlook.reasons().len() > MOST_MOVES { 12 } else { MOST_MOVES };
        let mut told_together = Vec::new();
        let mut untold = Vec::new();
        for reason in outlook.reasons() {
            let together = Words::of_several(reason);
            let alike = outlook.reasons().iter().filter(|other| Words::of_several(other) == together);
            match together {
                Some(together) if told_together.contains(&together) => {}
                Some(together) if alike.clone().count() > 1 => {
                    let moves = alike.map(|reason| self.operation(reason.a_move)).collect();
                    let moves = some_of(moves);
                    said.push(format!("  {moves}{together}."));
                    told_together.push(together);
                }
                None if one_by_one == 0 => untold.push(reason.verdict.value),
                _ => {
                    said.push(format!("  {}", self.reason(reason)));
                    one_by_one = one_by_one.saturating_sub(1);
                }
            }
        }
        for value in [Value::Win, Value::Draw, Value::Loss] {
            let alike = untold.iter().filter(|untold| **untold == value).count() as u64;
            let moves = phrases::count(alike, "other move", "other moves");
            match value {
                _ if alike == 0 => {}
                Value::Win => said.push(format!("  After {moves} you can force a win, too.")),
                Value::Draw => said.push(format!("  After {moves} neither of you can force a win.")),
                Value::Loss => said.push(format!("  After {moves} your opponent can force a win.")),
            }
        }
        said.extend(pattern.map(|pattern| format!("Pattern: {pattern}.")));
        said
    }

    /// A shared reason for several moves, to follow their list; `None` if each needs its own reason.
    fn of_several(reason: &Reason) -> Option<&'static str> {
        match (&reason.then, reason.verdict.value) {
            // Which number is closer depends on the resulting number.
            (Consequence::Over(Outcome { ending: Ending::Closest | Ending::Turns, .. }), _) => None,
            (Consequence::Over(_), Value::Win) => Some(" win immediately"),
            (Consequence::Over(_), Value::Draw) => Some(" draw immediately"),
            (Consequence::Over(_), Value::Loss) => Some(" lose immediately"),
            (Consequence::Answer { .. }, Value::Win) => Some(": you can force a win"),
            (Consequence::Answer { .. }, Value::Draw) => Some(": neither of you can force a win"),
            (Consequence::Answer { .. }, Value::Loss) | (Consequence::Repeats, _) => None,
        }
    }

    /// The best result, in a sentence.
    pub fn forced(&self, verdict: Verdict) -> String {
        let within = phrases::within(verdict.remoteness());
        match verdict.value {
            Value::Win => format!("You can force a win{within}."),
            Value::Loss => format!("Your opponent can force a win{within}."),
            Value::Draw => "Neither of you can force a win.".to_owned(),
        }
    }

    /// The consequence of a move, in a sentence.
    pub fn reason(&self, reason: &Reason) -> String {
        self.reason_about(reason, "them")
    }

    /// The same, with the opponent's name.
    pub(crate) fn reason_about(&self, reason: &Reason, them: &str) -> String {
        let leaves = self.leaves(reason, them);
        match reason.then {
            Consequence::Over(outcome) => self.over(reason, outcome, them),
            Consequence::Repeats => {
                let times = phrases::ordinal(self.rulebook.repetition().unwrap_or_default());
                format!("{leaves}: the same position for the {times} time, so it's a draw (house rule).")
            }
            Consequence::Answer { a_move, on, leaves: after, ends } => match reason.verdict.value {
                Value::Win => format!("{leaves}: you can force a win."),
                Value::Draw => format!("{leaves}: neither of you can force a win."),
                Value::Loss => {
                    let answer = self.operation(a_move);
                    let answer = match (a_move, on) {
                        (Move::Skip, _) if ends => {
                            "they can't move, the turns run out, and they win".to_owned()
                        }
                        (Move::Skip, _) => "they can't move, but they can force a win".to_owned(),
                        _ if ends => format!("they play {answer} and win"),
                        (_, On::Other) => format!("they play {answer} (your number: {after})"),
                        _ => format!("they play {answer} ({after})"),
                    };
                    let win = if ends || a_move == Move::Skip { "" } else { " and can force a win" };
                    format!("{leaves}: {answer}{win}.")
                }
            },
        }
    }

    /// The result of a move that ends the round.
    fn over(&self, reason: &Reason, outcome: Outcome, them: &str) -> String {
        let made = match (reason.a_move, reason.on) {
            (Move::Skip, _) => "The turn is skipped".to_owned(),
            (_, On::Own) => format!("{} goes to {}", self.operation(reason.a_move), reason.leaves),
            (_, On::Other) => self.leaves(reason, them),
        };
        let value = Value::from_outcome(outcome, self.turn);
        let target = match outcome.ending {
            Ending::Closest | Ending::Turns => self.rulebook.target(),
            _ => None,
        };
        let (end, close) = match value {
            Value::Win => ("wins", "closer to"),
            Value::Loss => ("loses", "not as close to"),
            Value::Draw => ("draws", "just as close to"),
        };
        // The number alone doesn't show which player is closer.
        let because = match (target, reason.on) {
            (None, _) => String::new(),
            (Some(target), On::Own) => format!(", {close} {target}"),
            (Some(target), On::Other) => {
                let are = if matches!(them, "them" | "you") { "are" } else { "is" };
                let they = if them == "them" { "they" } else { them };
                match value {
                    Value::Win => format!(": {they} {are} further from {target}"),
                    Value::Loss => format!(": {they} {are} closer to {target}"),
                    Value::Draw => format!(": both are equally close to {target}"),
                }
            }
        };
        match reason.a_move {
            Move::Skip => format!("{made}, and that {end}{because}."),
            Move::Operation(_) => format!("{made} and {end}{because}."),
        }
    }

    /// A move with its resulting number, and the opponent's name.
    pub(crate) fn leaves(&self, reason: &Reason, them: &str) -> String {
        let (made, leaves) = (self.operation(reason.a_move), reason.leaves);
        match (reason.a_move, reason.on) {
            (Move::Skip, _) => "The turn is skipped".to_owned(),
            (_, On::Other) => format!("{made} makes {} number {leaves}", whose(them)),
            _ if self.is_shared() => format!("{made} leaves {leaves}"),
            _ => format!("{made} goes to {leaves}"),
        }
    }

    /// The verb for a number: you leave a shared one, but go to your own.
    fn bring(&self, on: On) -> &'static str {
        match on {
            On::Other => "make their number",
            On::Own if self.is_shared() => "leave",
            On::Own => "go to",
        }
    }

    fn is_shared(&self) -> bool {
        self.rulebook.numbers() == Numbers::Shared
    }

    fn operation(&self, a_move: Move) -> String {
        self.rulebook.write(a_move)
    }
}

/// The possessive of a name.
fn whose(them: &str) -> String {
    match them {
        "them" => "their".to_owned(),
        "you" => "your".to_owned(),
        name => format!("{name}'s"),
    }
}

/// Lists moves; if there are too many, only the first few.
fn some_of(mut moves: Vec<String>) -> String {
    const MOST: usize = 8;
    const FIRST: usize = 6;
    if moves.len() > MOST {
        let others = moves.split_off(FIRST).len();
        moves.push(format!("{others} other moves"));
    }
    phrases::and_list(moves)
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Pattern { from, every, to, kind } = self;
        match (kind, every) {
            (Some(kind), _) => write!(f, "leave {} from {from} to {to}", describe::a_number(*kind)),
            (None, 2) => write!(
                f,
                "leave an {} number from {from} to {to}",
                if from % 2 == 0 { "even" } else { "odd" }
            ),
            _ => write!(f, "leave {from}, {} and so on, every {every} up to {to}", from + every),
        }
    }
}

/// Announces such a line: `From here it's +1 all the way`. `None` if it's too short to matter.
pub fn announcement(round: &Round, line: &[Move]) -> Option<String> {
    let choices: Vec<Choice> = line.iter().filter_map(|a_move| a_move.choice()).collect();
    let first = *choices.first()?;
    if choices.len() < 2 {
        return None;
    }
    Some(match choices.iter().all(|choice| *choice == first) {
        true => format!("From here it's {} all the way", round.rulebook().write(Move::Operation(first))),
        false => "From here every move is forced".to_owned(),
    })
}
