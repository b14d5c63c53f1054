//! Advice on a turn, made from the solution: hints step by step, reasons, and patterns.
//!
//! Every sentence is made from facts that stand beside it, so that tests can check each of them against the solution.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::people::coach::{self, Outlook, Words};
//! use spoton::solver::{Budget, Solver};
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let solver = Solver::new(Arc::clone(&race), budget)?;
//! let round = Round::new(Arc::clone(&race), Player::One);
//! let outlook = Outlook::of(&round, &solver, budget)?.expect("the round is not over");
//! let words = Words { rulebook: &race, turn: Player::One };
//! let hints: Vec<String> = coach::ladder(&outlook).iter().map(|hint| words.hint(hint, &outlook)).collect();
//! assert_eq!(hints[0], "Only one move keeps your win.");
//! assert_eq!(hints[2], "You want to leave 3.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;

use crate::engine::number_kind::NumberKind;
use crate::engine::play::{Ending, Move, Outcome, Step};
use crate::engine::position::{Choice, MOST_MOVES, Player, Position};
use crate::engine::round::Round;
use crate::engine::written::On;
use crate::format::{Numbers, Rulebook};
use crate::people::landings::Landings;
use crate::solver::chart::{Chart, Piece};
use crate::solver::{Budget, MoveVerdict, Solver, Unsolved, Value, Verdict};
use crate::words::{describe, phrases};

/// What the player on turn can force, and what each of their moves is worth, the house rule included.
pub struct Outlook {
    /// The best that they can force.
    pub verdict: Verdict,
    /// Every legal move, best first.
    pub moves: Vec<MoveVerdict>,
    /// What each move leads to, in the same order.
    reasons: Vec<Reason>,
}

/// What a move leads to, and why it is worth what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move.
    pub a_move: Move,
    /// Whose number it changes.
    pub on: On,
    /// The number that it gives.
    pub leaves: i128,
    /// What it is worth to the player who makes it.
    pub verdict: Verdict,
    /// What happens then.
    pub then: Consequence,
}

/// What happens after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Consequence {
    /// The round is over at once.
    Over(Outcome),
    /// The same position has come up too often: the house rule calls it even.
    Repeats,
    /// The other player answers best with this, and the round is over or goes on.
    Answer {
        /// The best answer.
        a_move: Move,
        /// Whose number it changes, as the player who answers sees it.
        on: On,
        /// The number that it gives.
        leaves: i128,
        /// Whether it ends the round.
        ends: bool,
    },
}

/// Looks ahead in a round, turn after turn, and remembers what can be used again.
#[derive(Default)]
pub struct Foresight {
    /// The game as the house rule makes it once positions have come up before.
    changed: Option<Solver>,
}

impl Foresight {
    /// The outlook of the player on turn; `None` if the round is over. The budget is for what is held beside the
    /// solution.
    ///
    /// # Errors
    ///
    /// If positions that came up before change what can be forced, and finding out takes more than the budget.
    pub fn outlook(
        &mut self,
        round: &Round,
        solver: &Solver,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Outlook>, Unsolved> {
        if round.outcome().is_some() {
            return Ok(None);
        }
        let drawn = round.drawn_next_time();
        if !house_rule_matters(&drawn, solver) {
            return Ok(Outlook::new(round, solver, &drawn));
        }
        let from_here = self.changed_game(round, drawn, budget)?;
        Ok(Outlook::new(round, from_here, from_here.drawn()))
    }

    /// With the house rule, a position that has come up before is drawn when it comes up again. That is another game,
    /// solved from here. When more positions have come up as often, it is revised.
    fn changed_game(
        &mut self,
        round: &Round,
        drawn: HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<&Solver, Unsolved> {
        let known = self.changed.take();
        let revised = Solver::revised(known, round.rulebook(), round.position(), drawn, budget)?;
        Ok(self.changed.insert(revised))
    }

    /// How many bytes are remembered.
    pub fn bytes(&self) -> u64 {
        self.changed.as_ref().map_or(0, Solver::bytes)
    }
}

/// Whether anything changes because these positions are drawn as soon as they come up again. A position that is a draw
/// anyway may as well be drawn at once: nothing is won or lost through it.
pub(super) fn house_rule_matters(drawn: &HashSet<Position>, solver: &Solver) -> bool {
    drawn.iter().any(|position| solver.verdict(position) != Some(Verdict::DRAW))
}

impl Outlook {
    /// The outlook of the player on turn; `None` if the round is over.
    ///
    /// # Errors
    ///
    /// As for [`Foresight::outlook`], which remembers.
    pub fn of(round: &Round, solver: &Solver, budget: &mut Budget<'_>) -> Result<Option<Outlook>, Unsolved> {
        Foresight::default().outlook(round, solver, budget)
    }

    pub(super) fn new(round: &Round, solver: &Solver, drawn: &HashSet<Position>) -> Option<Outlook> {
        let position = round.position();
        let moves = solver.moves(position);
        let verdict = moves.first()?.verdict;
        let reasons = moves.iter().filter_map(|judged| reason(round, solver, drawn, *judged)).collect();
        Some(Outlook { verdict, moves, reasons })
    }

    /// The moves that are as good as the best, by value.
    pub fn keepers(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(|reason| reason.verdict.value == self.verdict.value)
    }

    /// Among which moves perfect play picks: the quickest wins, else the draws, else the slowest losses.
    pub fn best(&self) -> impl Iterator<Item = Choice> {
        let best = self.moves.iter().filter(|judged| judged.verdict == self.verdict);
        best.filter_map(|judged| judged.a_move.choice())
    }

    /// What each move leads to, best first.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}

fn reason(round: &Round, solver: &Solver, drawn: &HashSet<Position>, judged: MoveVerdict) -> Option<Reason> {
    let rulebook = round.rulebook();
    let position = round.position();
    let MoveVerdict { a_move, verdict } = judged;
    let on = rulebook.on(a_move);
    let (leaves, then) = match rulebook.play(position, a_move).ok()? {
        Step::Over { number, outcome } => (number, Consequence::Over(outcome)),
        Step::On(next) => {
            let leaves = i128::from(next.number_of(on.of(position.turn())));
            let then = match rulebook.over_at(&next) {
                Some(outcome) => Consequence::Over(outcome),
                _ if drawn.contains(&next) => Consequence::Repeats,
                _ => {
                    let answer = solver.moves(&next).first()?.a_move;
                    let on = rulebook.on(answer);
                    let (leaves, ends) = match rulebook.play(&next, answer).ok()? {
                        Step::Over { number, .. } => (number, true),
                        Step::On(after) => {
                            let ends = rulebook.over_at(&after).is_some() || drawn.contains(&after);
                            (i128::from(after.number_of(on.of(next.turn()))), ends)
                        }
                    };
                    Consequence::Answer { a_move: answer, on, leaves, ends }
                }
            };
            (leaves, then)
        }
    };
    Some(Reason { a_move, on, leaves, verdict, then })
}

/// A step of the ladder of hints: each tells more than the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// There is nothing to choose.
    OnlyMove,
    /// All moves are worth the same.
    AllTheSame {
        /// How many there are.
        moves: usize,
        /// What they are worth.
        value: Value,
    },
    /// Some moves keep the best that there is, others do not.
    Matters {
        /// How many keep it.
        keep: usize,
        /// Of how many.
        moves: usize,
        /// What they keep: a win or a draw.
        value: Value,
    },
    /// A question about what a worse move leads to.
    WhatIf {
        /// Whose number it changes.
        on: On,
        /// The number that it gives.
        leaves: i128,
        /// Whether the round goes on after it.
        goes_on: bool,
    },
    /// The number to leave, to be on, or to bring the other player to.
    Stone {
        /// Whose number it is.
        on: On,
        /// That number.
        leaves: i128,
    },
    /// The move, with the proof.
    Proof {
        /// The move to make.
        choice: Choice,
    },
}

/// The hints for a turn, from the least telling to the move itself. A step that would tell no less than the next is
/// left out. An empty list if there is nothing to choose.
pub fn ladder(outlook: &Outlook) -> Vec<Hint> {
    let moves = outlook.reasons.len();
    let value = outlook.verdict.value;
    let keep = outlook.keepers().count();
    let Some(best) = outlook.reasons.first() else { return vec![] };
    let Move::Operation(choice) = best.a_move else { return vec![] };
    let mut hints = vec![match (moves, keep) {
        (1, _) => Hint::OnlyMove,
        _ if keep == moves => Hint::AllTheSame { moves, value },
        _ => Hint::Matters { keep, moves, value },
    }];
    if let Hint::Matters { .. } = hints[0] {
        let ends = |reason: &Reason| matches!(reason.then, Consequence::Over(_) | Consequence::Repeats);
        // If a good and a bad move give the same number, the number tells nothing.
        let worse = || outlook.reasons.iter().filter(|reason| reason.verdict.value != value);
        let gives = |reason: &Reason| (reason.on, reason.leaves);
        let is_good = |reason: &Reason| outlook.keepers().any(|good| gives(good) == gives(reason));
        let told_apart = || worse().filter(|reason| !is_good(reason));
        // A mistake that shows at once teaches less than one that does not.
        if let Some(worse) = told_apart().find(|reason| !ends(reason)).or_else(|| told_apart().next()) {
            hints.push(Hint::WhatIf { on: worse.on, leaves: worse.leaves, goes_on: !ends(worse) });
        }
        if !ends(best) && worse().all(|reason| gives(reason) != gives(best)) {
            hints.push(Hint::Stone { on: best.on, leaves: best.leaves });
        }
    }
    hints.push(Hint::Proof { choice });
    hints
}

/// Puts the facts into words, for the player on turn.
pub struct Words<'a> {
    /// The game that is spoken of.
    pub rulebook: &'a Rulebook,
    /// Who is on turn, and is called "you".
    pub turn: Player,
}

impl Words<'_> {
    /// A hint in words. The proof takes the reasons of the outlook.
    pub fn hint(&self, hint: &Hint, outlook: &Outlook) -> String {
        match hint {
            Hint::OnlyMove => "There is only one move.".to_owned(),
            Hint::AllTheSame { moves, value } => {
                let all = if *moves == 2 { "Both moves".to_owned() } else { format!("All {moves} moves") };
                match value {
                    Value::Loss => "Whichever you choose, the other player can force a win.".to_owned(),
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
                let reason = outlook.reasons.iter().find(chosen);
                let because = reason.map(|reason| self.reason(reason)).unwrap_or_default();
                let operation = self.operation(Move::Operation(*choice));
                match outlook.verdict.value {
                    Value::Loss if outlook.reasons.len() > 1 => {
                        let longest =
                            outlook.reasons.iter().filter(|reason| reason.verdict == outlook.verdict);
                        let longest: Vec<String> =
                            longest.map(|reason| self.operation(reason.a_move)).collect();
                        let lasts = if longest.len() == 1 { "lasts" } else { "last" };
                        match outlook.verdict.remoteness() {
                            Some(1) => "Every move loses at once.".to_owned(),
                            // Which of them lasts longest, nobody can tell.
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

    /// What can be forced, and what each move leads to.
    pub fn why(&self, outlook: &Outlook, pattern: Option<&Pattern>) -> Vec<String> {
        let mut said = vec![self.forced(outlook.verdict)];
        // Of very many moves that need a reason each, only the best are told: nobody reads so long a list.
        let mut one_by_one = if outlook.reasons.len() > MOST_MOVES { 12 } else { MOST_MOVES };
        let mut told_together = Vec::new();
        let mut untold = Vec::new();
        for reason in &outlook.reasons {
            let together = Words::of_several(reason);
            let alike = outlook.reasons.iter().filter(|other| Words::of_several(other) == together);
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
                Value::Loss => said.push(format!("  After {moves} the other player can force a win.")),
            }
        }
        said.extend(pattern.map(|pattern| format!("A pattern: {pattern}.")));
        said
    }

    /// What can be said of several moves at once, after a list of them; `None` if each needs its own reason.
    fn of_several(reason: &Reason) -> Option<&'static str> {
        match (&reason.then, reason.verdict.value) {
            // Whose number is closer depends on the number that the move gives.
            (Consequence::Over(Outcome { ending: Ending::Closest | Ending::Turns, .. }), _) => None,
            (Consequence::Over(_), Value::Win) => Some(" win at once"),
            (Consequence::Over(_), Value::Draw) => Some(" draw at once"),
            (Consequence::Over(_), Value::Loss) => Some(" lose at once"),
            (Consequence::Answer { .. }, Value::Win) => Some(": whatever they do, you can force a win"),
            (Consequence::Answer { .. }, Value::Draw) => Some(": then neither of you can force a win"),
            (Consequence::Answer { .. }, Value::Loss) | (Consequence::Repeats, _) => None,
        }
    }

    /// What can be forced, in a sentence.
    pub fn forced(&self, verdict: Verdict) -> String {
        let within = phrases::within(verdict.remoteness());
        match verdict.value {
            Value::Win => format!("You can force a win{within}."),
            Value::Loss => format!("The other player can force a win{within}."),
            Value::Draw => "Neither of you can force a win.".to_owned(),
        }
    }

    /// What a move leads to, in a sentence.
    pub fn reason(&self, reason: &Reason) -> String {
        self.reason_about(reason, "them")
    }

    /// The same for a move of somebody whose opponent is called by a name.
    pub(crate) fn reason_about(&self, reason: &Reason, them: &str) -> String {
        let leaves = self.leaves(reason, them);
        match reason.then {
            Consequence::Over(outcome) => self.over(reason, outcome, them),
            Consequence::Repeats => {
                let times = phrases::ordinal(self.rulebook.repetition().unwrap_or_default());
                format!("{leaves}: the same position for the {times} time, so it's a draw (house rule).")
            }
            Consequence::Answer { a_move, on, leaves: after, ends } => match reason.verdict.value {
                Value::Win => format!("{leaves}: whatever they do, you can force a win."),
                Value::Draw => format!("{leaves}: then neither of you can force a win."),
                Value::Loss => {
                    let answer = self.operation(a_move);
                    let answer = match (a_move, on) {
                        (Move::Skip, _) if ends => {
                            "they cannot move, all turns are taken, and they win".to_owned()
                        }
                        (Move::Skip, _) => "they cannot move".to_owned(),
                        _ if ends => format!("they answer {answer} and win"),
                        (_, On::Other) => format!("they answer {answer} and make your number {after}"),
                        _ if self.is_shared() => format!("they answer {answer} and leave {after}"),
                        _ => format!("they answer {answer} and go to {after}"),
                    };
                    format!("{leaves}: {answer}{}.", if ends { "" } else { ", and can force a win" })
                }
            },
        }
    }

    /// What a move that ends the round comes to.
    fn over(&self, reason: &Reason, outcome: Outcome, them: &str) -> String {
        let made = match (reason.a_move, reason.on) {
            (Move::Skip, _) => "The turn is skipped".to_owned(),
            (_, On::Own) => format!("{} goes to {}", self.operation(reason.a_move), reason.leaves),
            (_, On::Other) => self.leaves(reason, them),
        };
        let value = Value::of(outcome, self.turn);
        let target = match outcome.ending {
            Ending::Closest | Ending::Turns => self.rulebook.target(),
            _ => None,
        };
        let (end, close) = match value {
            Value::Win => ("wins at once", "closer to"),
            Value::Loss => ("loses at once", "not as close to"),
            Value::Draw => ("draws at once", "just as close to"),
        };
        // Whose number is closer does not show at the number alone.
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

    /// A move with the number that it gives; the other player is called by a name.
    pub(crate) fn leaves(&self, reason: &Reason, them: &str) -> String {
        let (made, leaves) = (self.operation(reason.a_move), reason.leaves);
        match (reason.a_move, reason.on) {
            (Move::Skip, _) => "The turn is skipped".to_owned(),
            (_, On::Other) => format!("{made} makes {} number {leaves}", whose(them)),
            _ if self.is_shared() => format!("{made} leaves {leaves}"),
            _ => format!("{made} goes to {leaves}"),
        }
    }

    /// What one does with a number: a shared one is left, one's own is gone to.
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

/// Whose number it is, of somebody who is called so.
fn whose(them: &str) -> String {
    match them {
        "them" => "their".to_owned(),
        "you" => "your".to_owned(),
        name => format!("{name}'s"),
    }
}

/// A list of moves; of very many only the first.
fn some_of(mut moves: Vec<String>) -> String {
    const MOST: usize = 8;
    const FIRST: usize = 6;
    if moves.len() > MOST {
        let others = moves.split_off(FIRST).len();
        moves.push(format!("{others} other moves"));
    }
    phrases::and_list(moves)
}

/// A rule that holds for every number that it speaks of: leave every third, or fifth, number from some number on, or every
/// number of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pattern {
    /// The first number to leave.
    pub from: i64,
    /// The distance to the next; 1 if the kind alone tells which numbers are meant.
    pub every: i64,
    /// The last number to leave.
    pub to: i64,
    /// The kind of the numbers, if it is told by its name.
    pub kind: Option<NumberKind>,
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

impl Pattern {
    /// The simplest pattern of numbers that can be left and are good to leave, this one among them: as far down as it
    /// holds, and up to the last of them. `None` if there is none of at least three numbers.
    pub(super) fn around(landings: &Landings<'_>, leaves: i128) -> Option<Pattern> {
        let chart = landings.chart;
        let leaves = i64::try_from(leaves).ok().filter(|number| chart.is_stone(i128::from(*number)))?;
        let left = |pattern: Pattern| pattern.where_left(landings, leaves);
        let steps = (2..=12).find_map(|every| Pattern::steps(chart, leaves, every).and_then(left));
        if !chart.rulebook().has_richer_numbers() {
            return steps;
        }
        // A game that is about kinds of numbers has players who know them by name.
        match steps {
            Some(steps) if steps.every > 2 && steps.from % steps.every == 0 => {
                Some(Pattern { kind: Some(NumberKind::MultipleOf(steps.every)), ..steps })
            }
            Some(steps) => Some(steps),
            None => {
                let kinds = [NumberKind::Prime, NumberKind::Square];
                kinds.into_iter().find_map(|kind| Pattern::of_kind(chart, leaves, kind).and_then(left))
            }
        }
    }

    /// The same in a game that is told by stretches: as far up and down as it holds. `None` if this number's stretch has
    /// none of at least three numbers.
    pub(super) fn among(
        landings: &Landings<'_>,
        stretches: &[Piece<Option<Value>>],
        leaves: i128,
    ) -> Option<Pattern> {
        let leaves = i64::try_from(leaves).ok()?;
        let here = stretches.iter().position(|piece| (piece.from..=piece.to).contains(&leaves))?;
        (2..=12).find_map(|every: i64| {
            // Whether every such number of a stretch is one to leave.
            let holds = |piece: &Piece<Option<Value>>| {
                let first = piece.from + (leaves - piece.from).rem_euclid(every);
                let numbers = (first..=piece.to).step_by(every as usize).take(piece.pattern.len());
                numbers.map(|number| piece.mark(number)).all(|value| value == Some(Value::Loss))
            };
            // A few numbers in a row may look like a pattern by chance.
            let home = &stretches[here];
            let first = leaves - (leaves - home.from) / every * every;
            if (home.to - first) / every < 2 || !holds(home) {
                return None;
            }
            // A number of a list lies between two stretches, and is none to leave.
            let (mut first, mut last) = (home, home);
            for piece in stretches[here + 1..].iter().take_while(|piece| holds(piece)) {
                if piece.from != last.to + 1 {
                    break;
                }
                last = piece;
            }
            for piece in stretches[..here].iter().rev().take_while(|piece| holds(piece)) {
                if piece.to != first.from - 1 {
                    break;
                }
                first = piece;
            }
            let from = leaves - (leaves - first.from) / every * every;
            let to = leaves + (last.to - leaves) / every * every;
            Pattern { from, every, to, kind: None }.where_left(landings, leaves)
        })
    }

    /// The part of it around one of its numbers in which every number can be left; `None` if that has less than three.
    fn where_left(self, landings: &Landings<'_>, leaves: i64) -> Option<Pattern> {
        let (from, to) = match landings.coming_up.first_numbers() {
            Some(first) => first.part_that_comes_up((self.from, self.to), self.every)?,
            None => {
                let can_be_left = |number: &i64| landings.leaves(*number);
                let is_named = |number: &i64| self.kind.is_none_or(|kind| kind.holds(*number));
                let every = self.every as usize;
                let up = (leaves..=self.to).step_by(every).filter(is_named).take_while(can_be_left).last()?;
                let below = (0..=(leaves - self.from) / self.every).map(|steps| leaves - steps * self.every);
                (below.filter(is_named).take_while(can_be_left).last()?, up)
            }
        };
        let left = Pattern { from, to, ..self };
        ((from..=to).contains(&leaves) && left.numbers().take(3).count() == 3).then_some(left)
    }

    /// Every so many numbers, as far down as it holds, and up to the end.
    fn steps(chart: &Chart, leaves: i64, every: i64) -> Option<Pattern> {
        let holds = |number: &i64| chart.is_stone(i128::from(*number));
        let to = leaves + (chart.highest() - leaves) / every * every;
        let up = (1..).map(|step| leaves + step * every).take_while(|number| *number <= to);
        let down = (1..).map(|step| leaves - step * every).take_while(|number| *number >= chart.lowest());
        let from = down.take_while(holds).last().unwrap_or(leaves);
        let enough = (to - from) / every >= 2;
        let pattern = Pattern { from, every, to, kind: None };
        (enough && up.into_iter().all(|number| holds(&number))).then_some(pattern)
    }

    /// Every number of a kind, likewise.
    fn of_kind(chart: &Chart, leaves: i64, kind: NumberKind) -> Option<Pattern> {
        let holds = |number: &i64| chart.is_stone(i128::from(*number));
        let is_of_kind = |number: &i64| kind.holds(*number);
        let mut up = (leaves..=chart.highest()).filter(is_of_kind);
        let to = (leaves..=chart.highest()).rev().find(is_of_kind)?;
        if !kind.holds(leaves) || !up.all(|number| holds(&number)) {
            return None;
        }
        let down = (chart.lowest()..=leaves).rev().filter(is_of_kind);
        let from = down.take_while(holds).last().unwrap_or(leaves);
        let pattern = Pattern { from, every: 1, to, kind: Some(kind) };
        (pattern.numbers().take(3).count() == 3).then_some(pattern)
    }

    /// The numbers that it speaks of.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        let numbers = (self.from..=self.to).step_by(self.every as usize);
        numbers.filter(|number| self.kind.is_none_or(|kind| kind.holds(*number)))
    }
}
