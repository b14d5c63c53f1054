//! A round looked back on: which choices mattered, where it turned, and what would have been better.
//!
//! Forced moves, and moves in a position that was lost anyway, are never called mistakes.

use std::sync::Arc;

use crate::coach::{Outlook, Reason, Words};
use crate::play::{Move, Outcome};
use crate::position::{ByPlayer, Player};
use crate::round::Round;
use crate::solver::{Budget, Solver, Unsolved, Value, Verdict, distance_to_win};

/// A move that was made, held against what could have been.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// Whose move it was.
    pub player: Player,
    /// The move.
    pub a_move: Move,
    /// The number before it.
    pub from: i64,
    /// The number that it gave.
    pub to: i128,
    /// The best that the player could force before it.
    pub best: Verdict,
    /// What the move made was worth to them.
    pub made: Verdict,
    /// Whether the legal moves were of different worth.
    pub decision: bool,
    /// Whether the difference could not be seen at once.
    pub subtle: bool,
    /// Whether just one move kept the best.
    pub only_one: bool,
    /// The best move and what it leads to.
    pub better: Reason,
}

impl JudgedMove {
    /// Whether the move kept the best that there was.
    pub fn kept(&self) -> bool {
        self.made.value == self.best.value
    }

    /// Whether something was given away.
    pub fn is_mistake(&self) -> bool {
        self.decision && !self.kept()
    }

    /// The mark in a written-back record; mostly empty.
    pub fn mark(&self) -> &'static str {
        match (self.best.value, self.made.value) {
            _ if !self.decision => "",
            (Value::Win, Value::Draw) => "?!",
            (Value::Draw, Value::Loss) => "?",
            (Value::Win, Value::Loss) => "??",
            _ if self.only_one && self.subtle => "!",
            _ => "",
        }
    }

    /// Who can force a win after the move, if anybody.
    pub fn who_can_win(&self) -> Option<Player> {
        match self.made.value {
            Value::Win => Some(self.player),
            Value::Draw => None,
            Value::Loss => Some(!self.player),
        }
    }
}

/// How many choices mattered to a player, and how many of them were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Choices that mattered.
    pub met: u32,
    /// Of these, how many kept the best.
    pub kept: u32,
    /// Choices that mattered without showing at once.
    pub subtle_met: u32,
    /// Of these, how many kept the best.
    pub subtle_kept: u32,
}

impl Tally {
    /// The share of choices that were right; nothing where none mattered.
    pub fn accuracy(self) -> Option<f64> {
        (self.met > 0).then(|| f64::from(self.kept) / f64::from(self.met))
    }

    fn count(&mut self, judged: &JudgedMove) {
        if judged.decision {
            let kept = u32::from(judged.kept());
            self.met += 1;
            self.kept += kept;
            if judged.subtle {
                self.subtle_met += 1;
                self.subtle_kept += kept;
            }
        }
    }
}

/// A round looked back on.
#[derive(Clone, Debug)]
pub struct Review {
    /// What the player who started could force at the opening.
    pub opening: Verdict,
    /// Who started.
    pub first: Player,
    /// The moves in order, skipped turns among them.
    pub moves: Vec<JudgedMove>,
    /// The choices that mattered, by player.
    pub tally: ByPlayer<Tally>,
    /// How the round ended, if it has.
    pub outcome: Option<Outcome>,
    /// In a race: the moves that each player made, and the fewest in which they could have arrived.
    pub par: Option<ByPlayer<(u32, u64)>>,
}

impl Review {
    /// Looks back on a round.
    ///
    /// # Errors
    ///
    /// Where looking ahead from some position takes more than the budget.
    pub fn of(round: &Round, solver: &Solver, budget: &mut Budget<'_>) -> Result<Review, Unsolved> {
        let mut again = Round::new(Arc::clone(round.rulebook()), round.first());
        let opening = Outlook::of(&again, solver, budget)?;
        let opening = match (opening, again.outcome()) {
            (Some(outlook), _) => outlook.verdict,
            (None, Some(outcome)) => Verdict::new(Value::of(outcome, round.first()), 0),
            (None, None) => Verdict::DRAW,
        };
        let mut moves = Vec::new();
        let mut tally = ByPlayer([Tally::default(); 2]);
        for ply in round.history() {
            if let Some(outlook) = Outlook::of(&again, solver, budget)?
                && let Some(judged) = judge(&again, &outlook, ply.a_move, ply.number)
            {
                tally[judged.player].count(&judged);
                moves.push(judged);
            }
            if again.play(ply.a_move).is_err() {
                break;
            }
        }
        let par = par(round, budget)?;
        Ok(Review { opening, first: round.first(), moves, tally, outcome: round.outcome(), par })
    }

    /// The move that decided the round: the last mistake of the player who did not win. Nothing where nobody gave
    /// anything away that was not given back.
    pub fn turning_point(&self) -> Option<(usize, &JudgedMove)> {
        let outcome = self.outcome?;
        let gave_away = |judged: &JudgedMove| match outcome.winner {
            Some(winner) => judged.player != winner && judged.is_mistake(),
            None => judged.is_mistake(),
        };
        self.moves.iter().enumerate().rev().find(|(_, judged)| gave_away(judged))
    }

    /// Whether any choice mattered to anybody.
    pub fn has_decisions(&self) -> bool {
        Player::BOTH.iter().any(|player| self.tally[*player].met > 0)
    }

    /// What a player could force from their seat at the opening.
    pub fn seat(&self, player: Player) -> Value {
        if player == self.first { self.opening.value } else { !self.opening.value }
    }
}

fn judge(round: &Round, outlook: &Outlook, a_move: Move, to: i128) -> Option<JudgedMove> {
    let position = round.position();
    let made = outlook.moves.iter().find(|judged| judged.a_move == a_move)?.verdict;
    let best = outlook.verdict;
    let differs = |verdict: Verdict| verdict.value != best.value;
    let decision = outlook.moves.iter().any(|judged| differs(judged.verdict));
    let at_once = |a_move: Move| {
        let outcome = round.rulebook().ends_at_once(position, a_move);
        outcome.map(|outcome| Value::of(outcome, position.turn()))
    };
    let wins_at_once = outlook.moves.iter().any(|judged| at_once(judged.a_move) == Some(Value::Win));
    let hidden = |judged: &crate::solver::MoveVerdict| {
        differs(judged.verdict) && at_once(judged.a_move) != Some(Value::Loss)
    };
    let subtle = decision && !wins_at_once && outlook.moves.iter().any(hidden);
    Some(JudgedMove {
        player: position.turn(),
        a_move,
        from: position.number(),
        to,
        best,
        made,
        decision,
        subtle,
        only_one: outlook.keepers().count() == 1,
        better: *outlook.reasons().first()?,
    })
}

/// In a race, how many moves each player made, and how few would have done.
fn par(round: &Round, budget: &mut Budget<'_>) -> Result<Option<ByPlayer<(u32, u64)>>, Unsolved> {
    let opening = round.rulebook().opening(round.first());
    let Some(fewest) = distance_to_win(round.rulebook(), &opening, budget)? else { return Ok(None) };
    let made = |player| {
        let own = round.history().iter().filter(|ply| ply.player() == player && ply.a_move != Move::Skip);
        own.count() as u32
    };
    Ok(Some(ByPlayer::from_fn(|player| (made(player), fewest[player]))))
}

/// A review in words, for the names of the players. Where discovery is on, only the number where the round turned is
/// told, and nothing of what would have been better.
pub fn in_words(review: &Review, round: &Round, names: &ByPlayer<String>, discover: bool) -> Vec<String> {
    let mut said = Vec::new();
    if !review.has_decisions() {
        said.push(no_decision(review, names, discover));
    }
    for player in Player::BOTH {
        let Tally { met, kept, .. } = review.tally[player];
        if met > 0 {
            let mattered =
                if met == 1 { "1 choice mattered".to_owned() } else { format!("{met} choices mattered") };
            said.push(format!(
                "{}: {mattered}, and {kept} of them {} right.",
                names[player],
                if kept == 1 { "was" } else { "were" }
            ));
        }
    }
    if let Some((_, judged)) = review.turning_point() {
        let operation = written(round, judged.a_move);
        let who = &names[judged.player];
        if discover {
            said.push(format!(
                "The round turned at {}, with {who} on turn. What else could {who} have done?",
                judged.from
            ));
        } else {
            said.push(format!("The turning point: at {}, {who} chose {operation}.", judged.from));
            let words = Words { rulebook: round.rulebook(), turn: judged.player };
            said.push(format!("Better, seen from {who}: {}", words.reason(&judged.better)));
        }
    }
    if let (Some(par), false) = (&review.par, discover) {
        for player in Player::BOTH {
            let (made, fewest) = par[player];
            let arrived = round.outcome().is_some_and(|outcome| outcome.winner == Some(player));
            if arrived {
                said.push(format!(
                    "{} took {}; {fewest} is possible.",
                    names[player],
                    crate::phrases::count(made, "move", "moves")
                ));
            }
        }
    }
    said
}

fn no_decision(review: &Review, names: &ByPlayer<String>, discover: bool) -> String {
    let why = match review.opening.value {
        _ if discover => String::new(),
        Value::Draw => " Neither could have forced a win at any time.".to_owned(),
        value => {
            let winner = if value == Value::Win { review.first } else { !review.first };
            format!(" {} could force a win from the start, whatever was chosen.", names[winner])
        }
    };
    format!("No choice mattered in this round: all moves came to the same.{why}")
}

fn written(round: &Round, a_move: Move) -> String {
    match a_move {
        Move::Operation(choice) => round.rulebook().moves()[choice.place()].operation.to_string(),
        Move::Skip => crate::record::SKIP.to_owned(),
    }
}

/// The moves with the numbers they gave and who could force a win after each: `1`, `2`, or `=` for neither.
pub fn strip(review: &Review, round: &Round) -> String {
    let opening = match review.opening.value {
        Value::Draw => None,
        Value::Win => Some(review.first),
        Value::Loss => Some(!review.first),
    };
    let mark = |who: Option<Player>| who.map_or("=".to_owned(), |player| player.number().to_string());
    let (start, _) = round.rulebook().start();
    let mut cells = vec![("start".to_owned(), start.to_string(), mark(opening))];
    for judged in &review.moves {
        cells.push((written(round, judged.a_move), judged.to.to_string(), mark(judged.who_can_win())));
    }
    const WIDTH: usize = 78;
    let mut lines = Vec::new();
    let mut rows = [String::new(), String::new(), String::new()];
    for (operation, number, mark) in cells {
        let width = operation.len().max(number.len()) + 2;
        if rows[0].len() + width > WIDTH {
            lines.extend(rows.iter_mut().map(std::mem::take));
        }
        for (row, text) in rows.iter_mut().zip([operation, number, mark]) {
            row.push_str(&format!("{text:>width$}"));
        }
    }
    lines.extend(rows);
    lines.join("\n")
}
