//! A table as one viewer sees it: a pure function from a sitting and a viewer to one value.
//!
//! A [`TableView`] is data: [`table`](fn@crate::json::table) is its JSON.
//! Every surface renders a [`TableView`] and decides nothing itself: whose turn it is, which moves are legal and why
//! others aren't, how the round ended, and which requests (hint, idea, undo …) are allowed now.
//!
//! | file | contents |
//! |---|---|
//! | `viewer.rs` | who is viewing a table, and the surface's own facts: names, open seats, an offer |
//! | `moves.rs` | the moves on offer, with labels and results or the reason why they aren't legal |
//! | `history.rs` | the moves so far |
//! | `requests.rs` | the requests a viewer can make now, or why not |
//! | `scale.rs` | the places of numbers on a number line, for every kind of picture |
//!
//! ```
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::{BookText, Changes, Game};
//! use spoton::sitting::{Command, Dice, Lookahead, Setup, Sitting};
//! use spoton::solved::SolvedGames;
//! use spoton::view::{Stage, TableView, Viewer};
//!
//! let maze = Game::new(BookText::shipped("number-maze").unwrap(), "maze".to_owned(), &Changes::default()).unwrap();
//! let setup = Setup::new(maze, ByPlayer([None, None]), Player::One, Dice::new(7));
//! let games = SolvedGames::new(16 << 20);
//! let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
//! let (mut sitting, _) = Sitting::begin(setup, ahead)?;
//! sitting.act(Command::Write("x2".to_owned()))?;
//!
//! let view = TableView::new(&sitting, Viewer::Seat(Player::Two));
//! assert_eq!(view.stage, Stage::Turn { player: Player::Two, is_viewers: true, is_computers: false });
//! let results: Vec<_> = view.moves.iter().map(|a_move| a_move.to.clone().ok()).collect();
//! assert_eq!(results, [Some(3), Some(4)]);
//! assert_eq!(view.requests.hint, Ok(()));
//! assert_eq!(serde_json::to_value(&view).unwrap()["moves"][1]["to"], 4);
//! assert_eq!(TableView::new(&sitting, Viewer::Seat(Player::One)).requests.hint.unwrap_err().to_string(),
//!     "It's your opponent's turn.");
//! # Ok::<(), spoton::sitting::Cannot>(())
//! ```

mod history;
mod moves;
mod requests;
pub mod scale;
mod viewer;

use crate::discovery::View;
use crate::engine::play::Outcome;
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::series::Match;
use crate::evaluate::opponent::Opponent;
use crate::format::{Numbers, Rulebook};
use crate::sitting::Sitting;
use crate::words::ending::End;
use crate::words::phrases;

pub use history::{Made, history};
pub use moves::{MoveView, moves};
pub use requests::{Requests, WhyNot};
pub use viewer::{Offer, Seating, Viewer};

/// One viewer's view of a table, with the requests they can make.
#[derive(Clone)]
pub struct TableView<'a> {
    sitting: &'a Sitting,
    /// The viewer.
    pub viewer: Viewer,
    /// The spoilers that discovery mode hides from the viewer.
    pub hides: View,
    /// The two players.
    pub players: ByPlayer<PlayerView>,
    /// The input that the round is waiting for, or how it ended.
    pub stage: Stage,
    /// The moves of the player to move, in the book's order; empty once the round is over.
    pub moves: Vec<MoveView>,
    /// The score of the match, if there is one.
    pub score: Option<Match>,
    /// An open offer, and who made it.
    pub offer: Option<(Player, Offer)>,
    /// The requests that the viewer can make now.
    pub requests: Requests,
}

/// A player as the viewer sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerView {
    /// The name to show: "You" for the only person, against a computer.
    pub name: String,
    /// The computer opponent in this seat.
    pub computer: Option<Opponent>,
    /// The player's own number, or the shared one.
    pub number: i128,
    /// Whether the viewer sits here and nowhere else.
    pub is_viewer: bool,
    /// Whether it's this player's turn.
    pub on_turn: bool,
    /// Whether nobody sits here yet.
    pub is_open: bool,
}

/// The input that a round is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A second player has to join.
    Open,
    /// A player has to move.
    Turn {
        /// The player to move.
        player: Player,
        /// Whether that's the viewer.
        is_viewers: bool,
        /// Whether that's a computer.
        is_computers: bool,
    },
    /// The round is over.
    Over(EndView),
}

/// How a round ended, for a viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndView {
    /// The winner, and the reason.
    pub outcome: Outcome,
    /// Whether the viewer has reason to celebrate: they won, or someone on their device did.
    pub is_win: bool,
    /// The verdict: "You win!"
    pub verdict: String,
    /// The event as a sentence: "Ben doubled 11 and overshot 20 by 2."
    pub how: String,
}

impl<'a> TableView<'a> {
    /// A table without surface-specific state.
    pub fn new(sitting: &'a Sitting, viewer: Viewer) -> TableView<'a> {
        TableView::with(sitting, viewer, &Seating::from_sitting(sitting))
    }

    /// A table with the surface's own facts about its seats.
    pub fn with(sitting: &'a Sitting, viewer: Viewer, seating: &Seating) -> TableView<'a> {
        let round = sitting.round();
        let computers = sitting.setup().computers;
        let is_open = |player: Player| seating.open[player];
        let stage = match round.outcome() {
            Some(outcome) => Stage::Over(EndView::new(round, outcome, viewer, seating, &computers)),
            None if Player::BOTH.into_iter().any(is_open) => Stage::Open,
            None => {
                let player = round.position().turn();
                let is_computers = computers[player].is_some();
                Stage::Turn { player, is_viewers: viewer.plays(player), is_computers }
            }
        };
        let on_turn = match stage {
            Stage::Turn { player, .. } => Some(player),
            _ => None,
        };
        let you = viewer.alone();
        let players = ByPlayer::from_fn(|player| PlayerView {
            name: match you == Some(player) && computers[!player].is_some() {
                true => phrases::YOU.to_owned(),
                false => seating.names[player].clone(),
            },
            computer: computers[player],
            number: round.number_of(player),
            is_viewer: you == Some(player),
            on_turn: on_turn == Some(player),
            is_open: is_open(player),
        });
        let hides = if viewer == Viewer::Host {
            View::of_host(sitting.setup().help.discover)
        } else {
            sitting.view()
        };
        TableView {
            sitting,
            viewer,
            hides,
            moves: if round.outcome().is_some() {
                vec![]
            } else {
                moves::at_table(round, viewer, seating, &computers)
            },
            requests: Requests::new(sitting, viewer, seating, &stage, hides),
            players,
            stage,
            score: sitting.setup().series,
            offer: seating.offer,
        }
    }

    /// The round.
    pub fn round(&self) -> &'a Round {
        self.sitting.round()
    }

    /// The round's rule book.
    pub fn rulebook(&self) -> &'a Rulebook {
        self.sitting.rulebook()
    }

    /// The number that both players change; `None` if each has a number.
    pub fn shared_number(&self) -> Option<i128> {
        let is_shared = self.rulebook().numbers() == Numbers::Shared;
        is_shared.then(|| self.players[Player::One].number)
    }

    /// Whether the viewer plays one seat against a computer, and so is called "You".
    pub fn is_against_computer(&self) -> bool {
        self.viewer.alone().is_some_and(|own| self.players[!own].computer.is_some())
    }

    /// The moves so far.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Made<'a>> + ExactSizeIterator + use<'a> {
        history(self.round())
    }

    /// How the round ended.
    pub fn end(&self) -> Option<&EndView> {
        match &self.stage {
            Stage::Over(end) => Some(end),
            _ => None,
        }
    }

    /// Whether it's the viewer's turn.
    pub fn is_viewers_turn(&self) -> bool {
        matches!(self.stage, Stage::Turn { is_viewers: true, .. })
    }

    /// The names to show.
    pub fn names(&self) -> ByPlayer<String> {
        ByPlayer::from_fn(|player| self.players[player].name.clone())
    }
}

impl EndView {
    fn new(
        round: &Round,
        outcome: Outcome,
        viewer: Viewer,
        seating: &Seating,
        computers: &ByPlayer<Option<Opponent>>,
    ) -> EndView {
        let end = End { round, names: &seating.names, you: viewer.alone() };
        let is_win = outcome.winner.is_some_and(|winner| viewer.plays(winner) && computers[winner].is_none());
        EndView {
            outcome,
            is_win,
            verdict: end.verdict().unwrap_or_default(),
            how: end.how().unwrap_or_default(),
        }
    }
}
