//! Reviews a round: which choices mattered, where the round turned, and better moves.
//!
//! Forced moves, and moves in a lost position, are never mistakes.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::catalog;
//! use spoton::records::set_up;
//! use spoton::solver::{Budget, Solver};
//! use spoton::teach::review::Review;
//! use spoton::words::review::{self, Audience};
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let solver = Solver::new(Arc::clone(&race), budget)?;
//! let round = set_up(&race, ["+1", "+2"])?; // only +3 would have kept the win
//! let review = Review::from_round(&round, &solver, budget)?;
//! assert!(review.moves[0].is_mistake() && !review.moves[1].is_mistake());
//! let names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
//! let audience = Audience { names: &names, you: None, discover: false };
//! let said = review::of_move(&review, 0, &round, &audience);
//! assert_eq!(said[..2], ["At 0, Ann chose +1: 1.", "That gave away the win."]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod picture;

use std::sync::Arc;

use crate::engine::play::{Ending, Move, Outcome};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::records::Record;
use crate::solved::SolvedGame;
use crate::solved::outlook::{Foresight, Outlook, Reason};
use crate::solved::weight::{Weight, weigh};
use crate::solver::{Budget, Solver, Unsolved, Value, Verdict};

pub(crate) use picture::mark;
pub use picture::{Point, points};

/// A move, compared with the alternatives.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// The mover.
    pub player: Player,
    /// The move.
    pub a_move: Move,
    /// The mover's number before the move.
    pub at: i64,
    /// The owner of the changed number.
    pub owner: Player,
    /// The changed number before the move.
    pub from: i64,
    /// The changed number after the move.
    pub to: i128,
    /// The best result the mover could force before the move.
    pub best: Verdict,
    /// The value of the move for the mover.
    pub made: Verdict,
    /// Whether the choice mattered: the legal moves had different values.
    pub decision: bool,
    /// Whether the best move wasn't obvious.
    pub subtle: bool,
    /// Whether only one move kept the best result.
    pub only_one: bool,
    /// The best move, with its reason.
    pub better: Reason,
}

impl JudgedMove {
    /// Whether the move kept the best result.
    pub fn kept(&self) -> bool {
        self.made.value == self.best.value
    }

    /// Whether the move gave something away.
    pub fn is_mistake(&self) -> bool {
        self.decision && !self.kept()
    }

    /// The mark in an annotated record; usually empty.
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

    /// The player who can force a win after the move, if any.
    pub fn who_can_win(&self) -> Option<Player> {
        self.made.value.winner(self.player)
    }
}

/// How many of a player's choices mattered, and how many of those were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Choices that mattered.
    pub met: u32,
    /// How many of these kept the best result.
    pub kept: u32,
    /// How many choices mattered but weren't obvious.
    pub subtle_met: u32,
    /// How many of these kept the best result.
    pub subtle_kept: u32,
}

impl Tally {
    /// The share of right choices; `None` if none mattered.
    pub fn accuracy(self) -> Option<f64> {
        (self.met > 0).then(|| f64::from(self.kept) / f64::from(self.met))
    }

    /// Adds another round's counts.
    pub(crate) fn add(&mut self, other: Tally) {
        self.met += other.met;
        self.kept += other.kept;
        self.subtle_met += other.subtle_met;
        self.subtle_kept += other.subtle_kept;
    }

    fn count(&mut self, Weight { decision, subtle }: Weight, kept: bool) {
        if decision {
            self.met += 1;
            self.kept += u32::from(kept);
        }
        if subtle {
            self.subtle_met += 1;
            self.subtle_kept += u32::from(kept);
        }
    }
}

/// The choice a player had but didn't make, because they ended the round with an illegal answer or by giving up on
/// their turn.
///
/// If it mattered, it counts as a mistake. Otherwise, a player could avoid hard choices and only be scored on easy
/// ones.
#[derive(Clone, Copy, Debug)]
pub struct Unmade {
    /// The player.
    pub player: Player,
    /// The best result they could force.
    pub best: Verdict,
    /// Whether the legal moves had different values.
    pub decision: bool,
    /// Whether the best move wasn't obvious.
    pub subtle: bool,
}

/// The review of a round.
#[derive(Clone, Debug)]
pub struct Review {
    /// The best result the starter could force at the opening.
    pub opening: Verdict,
    /// The starter.
    pub first: Player,
    /// The moves in order, including skipped turns.
    pub moves: Vec<JudgedMove>,
    /// The choice that a player didn't make, if that ended the round.
    pub unmade: Option<Unmade>,
    /// The choices that mattered, by player.
    pub tally: ByPlayer<Tally>,
    /// The outcome, if the round is over.
    pub outcome: Option<Outcome>,
    /// In a race: how many moves each player made, and the fewest they could have needed.
    pub par: Option<ByPlayer<(u32, u64)>>,
}

impl Review {
    /// Reviews a round. The budget covers only memory beyond the solution.
    ///
    /// # Errors
    ///
    /// If looking ahead from any position exceeds the budget.
    pub fn from_round(round: &Round, solver: &Solver, budget: &mut Budget<'_>) -> Result<Review, Unsolved> {
        let mut again = Round::new(Arc::clone(round.rulebook()), round.first());
        let mut foresight = Foresight::default();
        let opening = foresight.outlook(&again, solver, budget)?;
        let opening = match (opening, again.outcome()) {
            (Some(outlook), _) => outlook.verdict,
            (None, Some(outcome)) => Verdict::new(Value::from_outcome(outcome, round.first()), 0),
            (None, None) => Verdict::DRAW,
        };
        let mut moves = Vec::new();
        let mut tally = ByPlayer([Tally::default(); 2]);
        for ply in round.history() {
            if let Some(outlook) = foresight.outlook(&again, solver, budget)?
                && let Some(judged) = judge(&again, &outlook, ply.a_move, ply.number)
            {
                let JudgedMove { decision, subtle, .. } = judged;
                tally[judged.player].count(Weight { decision, subtle }, judged.kept());
                moves.push(judged);
            }
            if again.play(ply.a_move).is_err() {
                break;
            }
        }
        let mut unmade = None;
        if let Some(player) = who_chose_nothing(round)
            && let Some(outlook) = foresight.outlook(&again, solver, budget)?
        {
            let Weight { decision, subtle } = weigh(again.rulebook(), again.position(), &outlook.moves);
            tally[player].count(Weight { decision, subtle }, false);
            unmade = Some(Unmade { player, best: outlook.verdict, decision, subtle });
        }
        let par = par(round, solver);
        Ok(Review { opening, first: round.first(), moves, unmade, tally, outcome: round.outcome(), par })
    }

    /// The turning point: the last mistake of the player who didn't win. `None` if no mistake decided the round.
    pub fn turning_point(&self) -> Option<(usize, &JudgedMove)> {
        let outcome = self.outcome.filter(|outcome| !outcome.ending.is_without_result())?;
        // The winner can only have made the last mistake if the opponent then gave up.
        let last = self.moves.iter().enumerate().rev().find(|(_, judged)| judged.is_mistake());
        last.filter(|(_, judged)| Some(judged.player) != outcome.winner)
    }

    /// Whether any choice mattered.
    pub fn has_decisions(&self) -> bool {
        Player::BOTH.iter().any(|player| self.tally[*player].met > 0)
    }

    /// The player who could force a win after the last move, if any.
    pub(crate) fn who_could_win_at_the_end(&self) -> Option<Player> {
        match self.moves.last() {
            Some(judged) => judged.who_can_win(),
            None => self.opening.value.winner(self.first),
        }
    }

    /// Whether a player gave up before making a move, which shows nothing about their play.
    pub(crate) fn gave_up_unplayed(&self, player: Player) -> bool {
        let resigned =
            |outcome: Outcome| outcome.ending == Ending::Resigned && outcome.winner == Some(!player);
        self.outcome.is_some_and(resigned) && self.moves.iter().all(|judged| judged.player != player)
    }

    /// Whether a player never gave a better result away, either with a move or by giving up or forfeiting.
    pub fn is_blameless(&self, player: Player) -> bool {
        let resigned = self
            .outcome
            .is_some_and(|outcome| outcome.ending == Ending::Resigned && outcome.winner == Some(!player));
        let gave_away = resigned && self.who_could_win_at_the_end() != Some(!player);
        let chose_nothing = self.unmade.is_some_and(|unmade| unmade.player == player && unmade.decision);
        !gave_away
            && !chose_nothing
            && self.moves.iter().all(|judged| judged.player != player || !judged.is_mistake())
    }

    /// The record with a mark on each notable move and both players' accuracy.
    #[must_use]
    pub fn annotate(&self, record: &Record) -> Record {
        let mut marked = record.clone();
        for (recorded, judged) in marked.moves.iter_mut().zip(&self.moves) {
            judged.mark().clone_into(&mut recorded.mark);
        }
        for player in Player::BOTH {
            let tag = format!("Accuracy{}", player.number());
            marked.other_tags.retain(|(known, _)| *known != tag);
            if let Some(accuracy) = self.tally[player].accuracy() {
                marked.other_tags.push((tag, format!("{accuracy:.3}")));
            }
        }
        marked
    }

    /// The best result a player could force from their seat at the opening.
    pub fn seat(&self, player: Player) -> Value {
        if player == self.first { self.opening.value } else { !self.opening.value }
    }
}

/// The player who ended the round on their own turn instead of moving.
fn who_chose_nothing(round: &Round) -> Option<Player> {
    let (outcome, turn) = (round.outcome()?, round.position().turn());
    match outcome.ending {
        Ending::Forfeited => Some(turn),
        Ending::Resigned if outcome.winner == Some(!turn) => Some(turn),
        _ => None,
    }
}

fn judge(round: &Round, outlook: &Outlook, a_move: Move, to: i128) -> Option<JudgedMove> {
    let position = round.position();
    let made = outlook.moves.iter().find(|judged| judged.a_move == a_move)?.verdict;
    let best = outlook.verdict;
    let Weight { decision, subtle } = weigh(round.rulebook(), position, &outlook.moves);
    let owner = round.rulebook().owner(position, a_move);
    Some(JudgedMove {
        player: position.turn(),
        a_move,
        at: position.number(),
        owner,
        from: position.number_of(owner),
        to,
        best,
        made,
        decision,
        subtle,
        only_one: outlook.keepers().count() == 1,
        better: *outlook.reasons().first()?,
    })
}

/// In a race, the number of moves each player made, and the minimum they needed.
fn par(round: &Round, solver: &Solver) -> Option<ByPlayer<(u32, u64)>> {
    let fewest = solver.moves_to_win(&round.rulebook().opening(round.first()))?;
    let made = |player| {
        let own = round.history().iter().filter(|ply| ply.player() == player && ply.a_move != Move::Skip);
        own.count() as u32
    };
    Some(ByPlayer::from_fn(|player| (made(player), fewest[player])))
}

impl SolvedGame {
    /// Reviews a round.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn review(&self, round: &Round, budget: &mut Budget<'_>) -> Result<Review, Unsolved> {
        let solver = self.solver(budget)?;
        budget.beside(self.bytes(), |budget| Review::from_round(round, &solver, budget))
    }
}
