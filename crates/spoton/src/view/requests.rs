//! The requests that a viewer can make now, or why not. The only place that decides this.

use super::viewer::{Seating, Viewer};
use super::{Offer, Stage};
use crate::discovery::{Spoiler, View};
use crate::engine::position::Player;
use crate::sitting::{Cannot, Sitting};
use crate::solver::chart;
use crate::words::phrases;

/// The requests that a viewer can make now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requests {
    /// A hint, or the reasons.
    pub hint: Result<(), WhyNot>,
    /// Testing an idea.
    pub idea: Result<(), WhyNot>,
    /// The map of the game.
    pub map: Result<(), WhyNot>,
    /// Undoing a move, or asking the opponent to agree.
    pub undo: Result<(), WhyNot>,
    /// The facts about the game.
    pub facts: Result<(), WhyNot>,
    /// Giving up.
    pub give_up: Result<(), WhyNot>,
}

/// Why a request isn't possible now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyNot {
    /// The viewer only watches.
    #[error("You're watching.")]
    Watching,
    /// A program gets no ideas and no maps.
    #[error("Programs get no ideas and no maps.")]
    Program,
    /// A seat is open.
    #[error("Your opponent hasn't joined yet.")]
    NobodyThere,
    /// The round is over.
    #[error("The round is over.")]
    Over,
    /// It's the opponent's turn.
    #[error("It's your opponent's turn.")]
    NotYourTurn,
    /// The players agreed to play without hints.
    #[error("Hints are off in this round.")]
    HintsAreOff,
    /// Discovery mode.
    #[error("{}", phrases::NO_ANSWERS)]
    Discovery,
    /// Today's duel counts hints, but not ideas and maps.
    #[error("You can't test ideas or open the map while today's duel counts.")]
    Counts,
    /// The number alone doesn't decide, so an idea about numbers can't be tested.
    #[error("In this game, the number alone doesn't decide who wins.")]
    NumberIsNotAll,
    /// An offer is waiting for an answer.
    #[error("Answer the offer first.")]
    OfferIsOpen,
    /// Undo is off, or there's nothing to undo.
    #[error(transparent)]
    Cannot(Cannot),
}

impl Requests {
    pub(super) fn new(
        sitting: &Sitting,
        viewer: Viewer,
        seating: &Seating,
        stage: &Stage,
        hides: View,
    ) -> Requests {
        let unless = |refused: bool, why: WhyNot| if refused { Err(why) } else { Ok(()) };
        let playing = match stage {
            _ if !viewer.is_seated() => Err(WhyNot::Watching),
            Stage::Open => Err(WhyNot::NobodyThere),
            Stage::Over(_) => Err(WhyNot::Over),
            Stage::Turn { .. } => Ok(()),
        };
        let waits = matches!(stage, Stage::Turn { is_viewers: false, .. });
        let on_turn = unless(waits, WhyNot::NotYourTurn);
        let by_person = unless(matches!(viewer, Viewer::Program(_)), WhyNot::Program);
        let helped = unless(!seating.hints, WhyNot::HintsAreOff);
        let answered = unless(hides.hides(Spoiler::Advice), WhyNot::Discovery);
        let uncounted = unless(sitting.counts_help(), WhyNot::Counts);
        let by_number = unless(!chart::number_alone_decides(sitting.rulebook()), WhyNot::NumberIsNotAll);
        Requests {
            // Hints that are off stay off on the opponent's turn, too.
            hint: all([&playing, &helped, &answered, &on_turn]),
            idea: all([&playing, &by_person, &helped, &uncounted, &by_number]),
            map: all([&by_person, &helped, &uncounted]),
            undo: all([&playing, &undo(sitting, viewer, seating)]),
            facts: unless(hides.hides(Spoiler::Facts), WhyNot::Discovery),
            give_up: playing,
        }
    }
}

/// The first refusal, if there is one.
fn all<const N: usize>(conditions: [&Result<(), WhyNot>; N]) -> Result<(), WhyNot> {
    conditions.into_iter().try_for_each(Clone::clone)
}

/// Whether the viewer may undo a move, or ask for it.
fn undo(sitting: &Sitting, viewer: Viewer, seating: &Seating) -> Result<(), WhyNot> {
    if !sitting.setup().undo {
        return Err(WhyNot::Cannot(Cannot::UndoIsOff));
    }
    if let Some((_, Offer::TakeBack)) = seating.offer {
        return Err(WhyNot::OfferIsOpen);
    }
    let has_moved = |player: Player| {
        super::history(sitting.round()).any(|made| made.player() == player && !made.is_skip())
    };
    match Player::BOTH.into_iter().any(|player| viewer.plays(player) && has_moved(player)) {
        true => Ok(()),
        false => Err(WhyNot::Cannot(Cannot::NothingToTakeBack)),
    }
}
