//! A match: several rounds between the same players, with alternating starters and a score.
//!
//! ```
//! use spoton::engine::play::{Ending, Outcome};
//! use spoton::engine::position::Player;
//! use spoton::engine::series::{Match, MatchResult};
//! use spoton::format::MatchForm;
//!
//! let mut series = Match::new(MatchForm::FirstTo(2), Player::One);
//! for _ in 0..2 {
//!     assert_eq!(series.result(), None);
//!     series.count(Outcome { winner: Some(Player::Two), ending: Ending::Reached });
//! }
//! assert_eq!(series.result(), Some(MatchResult::Won(Player::Two)));
//! ```

use crate::engine::play::Outcome;
use crate::engine::position::{ByPlayer, Player};
use crate::engine::rulebook::MatchForm;

/// This many draws in a row end a first-to match at the current score.
pub const MOST_DRAWS_IN_A_ROW: u32 = 10;

/// A match in progress or finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    form: MatchForm,
    first: Player,
    score: ByPlayer<u32>,
    played: u32,
    draws_in_a_row: u32,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchResult {
    /// One player won it.
    Won(Player),
    /// Both players won the same number of rounds.
    Tied,
}

impl Match {
    /// A new match. `first` starts the first round.
    pub fn new(form: MatchForm, first: Player) -> Match {
        Match { form, first, score: ByPlayer::default(), played: 0, draws_in_a_row: 0 }
    }

    /// How the match is decided.
    pub fn form(&self) -> MatchForm {
        self.form
    }

    /// The rounds each player has won.
    pub fn score(&self) -> ByPlayer<u32> {
        self.score
    }

    /// The rounds played, including draws.
    pub fn played(&self) -> u32 {
        self.played
    }

    /// The player who starts the next round.
    pub fn starter(&self) -> Player {
        if self.played.is_multiple_of(2) { self.first } else { !self.first }
    }

    /// Counts a finished round.
    pub fn count(&mut self, outcome: Outcome) {
        self.played += 1;
        match outcome.winner {
            Some(winner) => {
                self.score[winner] += 1;
                self.draws_in_a_row = 0;
            }
            None => self.draws_in_a_row += 1,
        }
    }

    /// Whether draws in a row ended a first-to match.
    pub fn is_ended_by_draws(&self) -> bool {
        matches!(self.form, MatchForm::FirstTo(_)) && self.draws_in_a_row >= MOST_DRAWS_IN_A_ROW
    }

    /// The result, if the match is decided.
    pub fn result(&self) -> Option<MatchResult> {
        let ByPlayer([one, two]) = self.score;
        let over = match self.form {
            MatchForm::FirstTo(wins) => one.max(two) >= u32::from(wins) || self.is_ended_by_draws(),
            MatchForm::Rounds(rounds) => self.played >= u32::from(rounds),
        };
        over.then(|| match one.cmp(&two) {
            std::cmp::Ordering::Greater => MatchResult::Won(Player::One),
            std::cmp::Ordering::Less => MatchResult::Won(Player::Two),
            std::cmp::Ordering::Equal => MatchResult::Tied,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::play::Ending;

    fn outcome(winner: Option<Player>) -> Outcome {
        Outcome { winner, ending: Ending::Reached }
    }

    #[test]
    fn starters_alternate_and_first_to_stops_at_the_number() {
        let mut series = Match::new(MatchForm::FirstTo(2), Player::Two);
        assert_eq!(series.starter(), Player::Two);
        series.count(outcome(Some(Player::One)));
        assert_eq!((series.starter(), series.result()), (Player::One, None));
        series.count(outcome(None));
        assert_eq!((series.starter(), series.result()), (Player::Two, None));
        series.count(outcome(Some(Player::One)));
        assert_eq!(series.result(), Some(MatchResult::Won(Player::One)));
        assert_eq!((series.score(), series.played()), (ByPlayer([2, 0]), 3));
    }

    #[test]
    fn all_rounds_are_played_and_may_end_level() {
        let mut series = Match::new(MatchForm::Rounds(3), Player::One);
        for winner in [Some(Player::One), Some(Player::Two)] {
            series.count(outcome(winner));
            assert_eq!(series.result(), None);
        }
        series.count(outcome(None));
        assert_eq!(series.result(), Some(MatchResult::Tied));
    }

    #[test]
    fn ten_draws_in_a_row_end_a_first_to_match_with_its_score() {
        let mut series = Match::new(MatchForm::FirstTo(5), Player::One);
        for _ in 0..9 {
            series.count(outcome(None));
        }
        series.count(outcome(Some(Player::Two)));
        for _ in 0..9 {
            series.count(outcome(None));
            assert_eq!(series.result(), None);
        }
        series.count(outcome(None));
        assert_eq!(series.result(), Some(MatchResult::Won(Player::Two)));
    }
}
