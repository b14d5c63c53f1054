//! The properties of a book that lanes need.

use crate::engine::batch::general::opening;
use crate::engine::operation::Affine;
use crate::engine::position::Position;
use crate::engine::rulebook::{Direction, NoRepeat, Numbers, On, Op, Past, Reach, Rulebook, Stuck};

/// All moves are legal in every position, and no round can be cut off.
pub(super) const PLAIN: u8 = 0;
/// Some moves aren't legal everywhere, but at least one always is.
pub(super) const LIMITED: u8 = 1;
/// There may be no legal move.
pub(super) const STUCK: u8 = 2;
/// All moves are legal in every position, but a round may be cut off.
pub(super) const FREE: u8 = 3;

/// The lanes' view of a book, as a climb.
pub(super) struct Game {
    pub(super) opening: Position,
    /// -1 if the numbers are negated.
    pub(super) sign: i64,
    pub(super) moves: Vec<Affine>,
    pub(super) start: i64,
    /// The lowest and highest numbers that a player can have on their turn.
    pub(super) on_turn: (i64, i64),
    /// The numbers that a move may lead to.
    pub(super) legal: (i128, i128),
    /// Numbers at or beyond this end the round; `None` if no number does.
    pub(super) target: Option<i64>,
    pub(super) reach_wins: bool,
    pub(super) past_wins: bool,
    pub(super) stuck: Stuck,
    pub(super) most_moves: u32,
    pub(super) kind: u8,
}

impl Game {
    /// Returns `None` if a move isn't affine, or legality and endings depend on more than the number.
    pub(super) fn from_rulebook(rulebook: &Rulebook, most_moves: u32) -> Option<Game> {
        let only_the_number_counts = rulebook.numbers() == Numbers::Shared
            && rulebook.no_repeat() == NoRepeat::None
            && rulebook.passes().is_none()
            && rulebook.turns().is_none()
            && [rulebook.winning(), rulebook.losing(), rulebook.forbidden()].iter().all(|l| l.is_empty());
        if !only_the_number_counts {
            return None;
        }
        let sign = if rulebook.direction() == Some(Direction::Countdown) { -1 } else { 1 };
        let moves = rulebook.moves().iter().map(|entry| match entry.op {
            Op::Fixed(operation) if entry.on == On::Own && entry.when.is_empty() && entry.uses.is_none() => {
                let Affine { factor, addend } = operation.as_affine()?;
                Some(Affine { factor, addend: sign * addend })
            }
            _ => None,
        });
        let moves: Vec<Affine> = moves.collect::<Option<_>>()?;
        let turned = |(low, high): (i64, i64)| if sign < 0 { (-high, -low) } else { (low, high) };
        let on_turn = turned(rulebook.numbers_on_turn());
        let before_target = turned(rulebook.numbers_before_target());
        let target = rulebook.target().map(|target| sign * target);
        let past_is_legal = target.is_some() && rulebook.past() != Past::Forbidden;
        let highest = if past_is_legal { i128::MAX / 2 } else { before_target.1.into() };
        let mut game = Game {
            opening: opening(rulebook)?,
            sign,
            moves,
            start: sign * rulebook.start().0,
            on_turn,
            legal: (before_target.0.into(), highest),
            target,
            reach_wins: rulebook.reach() == Reach::Wins,
            past_wins: rulebook.past() == Past::Wins,
            stuck: rulebook.stuck(),
            most_moves,
            kind: STUCK,
        };
        game.kind = game.kind();
        Some(game)
    }

    /// How much to check after every move.
    fn kind(&self) -> u8 {
        let (low, high) = (i128::from(self.on_turn.0), i128::from(self.on_turn.1));
        let from =
            |step: &Affine| (step.lowest_to(self.legal.0).max(low), step.highest_to(self.legal.1).min(high));
        let mut legal_from: Vec<(i128, i128)> = self.moves.iter().map(from).collect();
        let all_legal = legal_from.iter().all(|from| *from == (low, high));
        legal_from.sort_unstable();
        // From every number up to here, some move is legal.
        let covered = legal_from
            .iter()
            .fold(low - 1, |up_to, (first, last)| if *first <= up_to + 1 { up_to.max(*last) } else { up_to });
        let rises = |step: &Affine| step.factor == 1 && step.addend > 0 || step.factor > 1 && low > 0;
        let ends_in_time = self.moves.iter().all(rises) && high - low < i128::from(self.most_moves);
        match () {
            () if all_legal && ends_in_time => PLAIN,
            () if all_legal => FREE,
            () if covered >= high => LIMITED,
            () => STUCK,
        }
    }
}
