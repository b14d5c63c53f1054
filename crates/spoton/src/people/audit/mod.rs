//! The audit of a game: exact figures about its rule book, and tests of its claims.
//!
//! Everything follows from the solution and all lines of play, without sampling. The audit ignores the house rule
//! against repetition because it isn't part of a game's value.
//!
//! | file | contents |
//! |---|---|
//! | `lines.rs` | all lines of play as a graph |
//! | `claims.rs` | tests the claims of a book |
//! | `one_line.rs` | searches for a simple rule that always wins |
//! | `never.rs` | rules that never matter |
//! | `sweep.rs` | the same game over many targets |
//! | `better.rs` | small changes that improve a book |
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::{Claim, catalog};
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::solver::Budget;
//!
//! let book = catalog::draft("target-twenty-one").unwrap().build()?;
//! let audit = SolvedGame::new(Arc::new(book)).audit(&mut Budget::patient(16 << 20))?;
//! assert!(!audit.figures.always_ends);
//! let no_draws = audit.claims.iter().find(|tested| tested.claim == Claim::NoDraws).unwrap();
//! assert!(!no_draws.holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod better;
mod claims;
pub(crate) mod lines;
pub(crate) mod never;
pub mod one_line;
pub mod sweep;

use std::sync::Arc;

use crate::engine::position::{ByPlayer, Player};
use crate::people::chances::{NoOdds, Odds, odds};
use crate::people::opponent::{Ladder, Opponent};
use crate::people::solved_game::SolvedGame;
use crate::solver::{Budget, Solver, Unsolved, Value, Verdict};
use lines::{Lines, Next};
use one_line::{OneLine, Reading};

pub use claims::{Against, TestedClaim};
pub use never::NeverFires;

/// What can be counted over every line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Positions that can come up and are not over, counted as the player on turn sees them.
    pub positions: u64,
    /// Of these, the ones in which the legal moves are of different worth.
    pub decisions: u64,
    /// The decisions in which the difference does not show at once.
    pub subtle: u64,
    /// The positions with just one legal move; a skipped turn is none.
    pub forced: u64,
    /// What the player who starts can force.
    pub opening: Verdict,
    /// Whether every line of play ends.
    pub always_ends: bool,
    /// Whether some line is drawn or goes on for ever.
    pub can_draw: bool,
    /// The most moves that a round can last, skipped turns counted; `None` if it can go on for ever.
    pub longest: Option<u64>,
    /// The most forced positions in a row before the end of a round.
    pub dead_tail: u64,
}

impl Figures {
    pub(crate) fn of(lines: &Lines) -> Figures {
        let longest = lines.longest();
        let draws = lines.over_at_once().is_some_and(|outcome| outcome.winner.is_none())
            || lines
                .indices()
                .any(|index| lines.ways(index).iter().any(|way| way.next == Next::Over(Value::Draw)));
        let mut figures = Figures {
            positions: lines.len() as u64,
            decisions: 0,
            subtle: 0,
            forced: 0,
            opening: lines.opening(),
            always_ends: longest.is_some(),
            can_draw: draws || longest.is_none(),
            longest: longest.map(|longest| longest.first().copied().unwrap_or(0)),
            dead_tail: lines.dead_tail(),
        };
        for index in lines.indices() {
            let weight = lines.weight(index);
            figures.decisions += u64::from(weight.decision);
            figures.subtle += u64::from(weight.subtle);
            figures.forced += u64::from(lines.is_forced(index));
        }
        figures
    }

    /// Who can force a win; `None` if neither can.
    pub fn winner(&self) -> Option<Player> {
        self.opening.value.winner(Player::One)
    }
}

/// The chances between the two reference players, each of whom may go first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceOdds {
    /// Both pick evenly.
    pub random_random: Odds,
    /// The first plays perfectly.
    pub perfect_random: Odds,
    /// The second does.
    pub random_perfect: Odds,
    /// Both do.
    pub perfect_perfect: Odds,
}

impl ReferenceOdds {
    /// Each with the key that JSON uses.
    pub fn by_key(&self) -> [(&'static str, Odds); 4] {
        [
            ("random-random", self.random_random),
            ("perfect-random", self.perfect_random),
            ("random-perfect", self.random_perfect),
            ("perfect-perfect", self.perfect_perfect),
        ]
    }

    /// How often perfect play beats random play from the seat that suits it less.
    pub fn skill(&self) -> f64 {
        self.perfect_random.wins[Player::One].min(self.random_perfect.wins[Player::Two])
    }
}

/// Everything that can be said of a rule book without playing it.
pub struct Audit {
    /// What can be counted.
    pub figures: Figures,
    /// How often the careful guesser wins from the winning seat against perfect play; `None` if neither seat wins.
    pub guess: Option<f64>,
    /// A rule of one line that always wins, if there is one.
    pub one_line: OneLine,
    /// Rules of the book that never make a difference.
    pub never_fires: Vec<NeverFires>,
    /// The chances between perfect and random play.
    pub references: ReferenceOdds,
    /// The opponents with the odds of every pair; `None` if that takes long.
    pub ladder: Option<Arc<Ladder>>,
    /// What the book claims, tested.
    pub claims: Vec<TestedClaim>,
    /// A line in which both play their best, as it is written, up to its end or to where a position comes up again.
    pub best_line: String,
}

impl Audit {
    /// The audit of a game. The budget is for everything.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub(crate) fn of(game: &SolvedGame, budget: &mut Budget<'_>) -> Result<Audit, Unsolved> {
        let solver = game.solver(budget)?;
        let ladder = game.quick_ladder();
        let lines = budget.beside(game.bytes(), |budget| Lines::of(&solver, budget))?;
        let figures = Figures::of(&lines);
        let (references, guess) = budget.beside(game.bytes() + lines.bytes(), |budget| {
            let chances = Chances { solver: &solver, ladder: ladder.as_deref() };
            let [random, _, perfect] = Opponent::references();
            let references = ReferenceOdds {
                random_random: chances.between(random, random, budget)?,
                perfect_random: chances.between(perfect, random, budget)?,
                random_perfect: chances.between(random, perfect, budget)?,
                perfect_perfect: chances.between(perfect, perfect, budget)?,
            };
            let guess = chances.guess(&figures, budget)?;
            Ok((references, guess))
        })?;
        // What the game holds is counted by the game itself when it is asked.
        let one_line = budget
            .beside(lines.bytes(), |budget| one_line::find(&lines, game, Reading::AsPrinted, budget))?;
        Ok(Audit {
            figures,
            guess,
            one_line,
            never_fires: never::find(&lines),
            references,
            claims: claims::test(&lines, &figures, &references),
            best_line: lines.write(&lines.best_line()),
            ladder,
        })
    }

    /// Whether everything that the book claims is true.
    pub fn keeps_its_claims(&self) -> bool {
        self.claims.iter().all(|tested| tested.holds)
    }
}

/// The exact odds between opponents, from the ladder if that is known.
pub(crate) struct Chances<'a> {
    pub(crate) solver: &'a Solver,
    pub(crate) ladder: Option<&'a Ladder>,
}

impl Chances<'_> {
    /// How often the careful guesser wins from the winning seat against perfect play; `None` if neither seat wins.
    pub(crate) fn guess(&self, figures: &Figures, budget: &mut Budget<'_>) -> Result<Option<f64>, Unsolved> {
        let [_, careful, perfect] = Opponent::references();
        Ok(match figures.winner() {
            None => None,
            Some(Player::One) => Some(self.between(careful, perfect, budget)?.wins[Player::One]),
            Some(Player::Two) => Some(self.between(perfect, careful, budget)?.wins[Player::Two]),
        })
    }

    fn between(&self, first: Opponent, second: Opponent, budget: &mut Budget<'_>) -> Result<Odds, Unsolved> {
        if let Some(known) = self.ladder.and_then(|ladder| ladder.odds(first, second)) {
            return Ok(known);
        }
        let players = ByPlayer([first, second]);
        let found = odds(self.solver.rulebook(), &players, Player::One, Some(self.solver), budget);
        found.map_err(|why| match why {
            NoOdds::Unsolved(why) => why,
            // It is solved, but perhaps not counted.
            NoOdds::NeedsSolution => Unsolved::Uncounted,
        })
    }
}
