//! A round looked back on: which choices mattered, where it turned, and what would have been better.
//!
//! Forced moves, and moves in a position that was lost anyway, are never called mistakes.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::catalog;
//! use spoton::people::review::{self, Audience, Review};
//! use spoton::records::set_up;
//! use spoton::solver::{Budget, Solver};
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let solver = Solver::new(Arc::clone(&race), budget)?;
//! let round = set_up(&race, ["+1", "+2"])?; // only +3 would have kept the win
//! let review = Review::of(&round, &solver, budget)?;
//! assert!(review.moves[0].is_mistake() && !review.moves[1].is_mistake());
//! let names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
//! let audience = Audience { names: &names, you: None, discover: false };
//! let said = review::of_move(&review, 0, &round, &audience);
//! assert_eq!(said[..2], ["At 0, Ann chose +1: 1.", "That gave the win away."]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod picture;
mod words;

use std::sync::Arc;

use crate::engine::play::{Ending, Move, Outcome};
use crate::engine::position::{ByPlayer, Player, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::people::coach::{Foresight, Outlook, Reason};
use crate::records::Record;
use crate::solver::{Budget, MoveVerdict, Solver, Unsolved, Value, Verdict};

pub use picture::{Point, points, strip};
pub use words::{Audience, happened, in_words, of_move, page};

/// A move that was made, held against what could have been.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// Whose move it was.
    pub player: Player,
    /// The move.
    pub a_move: Move,
    /// The number of the player who made it, before it.
    pub at: i64,
    /// Whose number it changed.
    pub owner: Player,
    /// The number that it changed, before it.
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
        self.made.value.winner(self.player)
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
    /// The share of choices that were right; `None` if none mattered.
    pub fn accuracy(self) -> Option<f64> {
        (self.met > 0).then(|| f64::from(self.kept) / f64::from(self.met))
    }

    /// Adds what was counted in another round.
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

/// The choice that a player had when they ended the round instead: by no legal answer, or by giving up on their turn.
///
/// It counts as met and not kept. Otherwise a player who refuses whenever it is hard would have only easy choices counted.
#[derive(Clone, Copy, Debug)]
pub struct Unmade {
    /// Whose choice it was.
    pub player: Player,
    /// The best that they could force.
    pub best: Verdict,
    /// Whether the legal moves had different values.
    pub decision: bool,
    /// Whether the difference was hidden.
    pub subtle: bool,
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
    /// The choice that ended the round by not being made, if one did.
    pub unmade: Option<Unmade>,
    /// The choices that mattered, by player.
    pub tally: ByPlayer<Tally>,
    /// How the round ended, if it has.
    pub outcome: Option<Outcome>,
    /// In a race: the moves that each player made, and the fewest in which they could have arrived.
    pub par: Option<ByPlayer<(u32, u64)>>,
}

impl Review {
    /// Looks back on a round. The budget is for what is held beside the solution.
    ///
    /// # Errors
    ///
    /// If looking ahead from some position takes more than the budget.
    pub fn of(round: &Round, solver: &Solver, budget: &mut Budget<'_>) -> Result<Review, Unsolved> {
        let mut again = Round::new(Arc::clone(round.rulebook()), round.first());
        let mut foresight = Foresight::default();
        let opening = foresight.outlook(&again, solver, budget)?;
        let opening = match (opening, again.outcome()) {
            (Some(outlook), _) => outlook.verdict,
            (None, Some(outcome)) => Verdict::new(Value::of(outcome, round.first()), 0),
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

    /// The move that decided the round: the last mistake of the player who did not win. `None` if nobody gave
    /// anything away that was not given back.
    pub fn turning_point(&self) -> Option<(usize, &JudgedMove)> {
        let outcome = self.outcome.filter(|outcome| !outcome.ending.is_without_result())?;
        // A mistake of the winner comes last only if the other then gave up.
        let last = self.moves.iter().enumerate().rev().find(|(_, judged)| judged.is_mistake());
        last.filter(|(_, judged)| Some(judged.player) != outcome.winner)
    }

    /// Whether any choice mattered to anybody.
    pub fn has_decisions(&self) -> bool {
        Player::BOTH.iter().any(|player| self.tally[*player].met > 0)
    }

    /// Who could force a win after the last move, if anybody.
    pub fn who_could_win_at_the_end(&self) -> Option<Player> {
        match self.moves.last() {
            Some(judged) => judged.who_can_win(),
            None => self.opening.value.winner(self.first),
        }
    }

    /// Whether a player gave up without having made a move, so that nothing can be said of how they played.
    pub fn gave_up_unplayed(&self, player: Player) -> bool {
        let resigned =
            |outcome: Outcome| outcome.ending == Ending::Resigned && outcome.winner == Some(!player);
        self.outcome.is_some_and(resigned) && self.moves.iter().all(|judged| judged.player != player)
    }

    /// Whether a player never gave anything away: by no move, and not by giving up or forfeiting what they still had.
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

    /// The record of the round with a mark at every move that deserves one, and the accuracy of both players.
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

    /// What a player could force from their seat at the opening.
    pub fn seat(&self, player: Player) -> Value {
        if player == self.first { self.opening.value } else { !self.opening.value }
    }
}

/// Who ended the round on their own turn instead of making a move.
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

/// Whether it matters what is chosen.
pub(crate) struct Weight {
    /// The legal moves are of different worth.
    pub(crate) decision: bool,
    /// The difference cannot be seen at once: no move wins at once, and some worse one does not lose at once.
    pub(crate) subtle: bool,
}

/// Weighs the choice in a position by what each legal move is worth.
pub(crate) fn weigh(rulebook: &Rulebook, position: &Position, moves: &[MoveVerdict]) -> Weight {
    let at_once = |judged: &MoveVerdict| {
        let outcome = rulebook.ends_at_once(position, judged.a_move);
        outcome.map(|outcome| Value::of(outcome, position.turn()))
    };
    Weight::of(moves, |judged| judged.verdict.value, at_once)
}

impl Weight {
    /// Weighs moves of any form by what each is worth and how it ends the round at once, if it does.
    pub(crate) fn of<T>(
        moves: &[T],
        worth: impl Fn(&T) -> Value,
        at_once: impl Fn(&T) -> Option<Value>,
    ) -> Weight {
        let best = moves.iter().map(&worth).max();
        let mut worse = moves.iter().filter(|one| Some(worth(one)) != best).peekable();
        let decision = worse.peek().is_some();
        let wins_at_once = || moves.iter().any(|one| at_once(one) == Some(Value::Win));
        let subtle = decision && !wins_at_once() && worse.any(|one| at_once(one) != Some(Value::Loss));
        Weight { decision, subtle }
    }
}

/// In a race, how many moves each player made, and how few would have done.
fn par(round: &Round, solver: &Solver) -> Option<ByPlayer<(u32, u64)>> {
    let fewest = solver.moves_to_win(&round.rulebook().opening(round.first()))?;
    let made = |player| {
        let own = round.history().iter().filter(|ply| ply.player() == player && ply.a_move != Move::Skip);
        own.count() as u32
    };
    Some(ByPlayer::from_fn(|player| (made(player), fewest[player])))
}
