//! A game's audit: exact figures about its rule book, and tests of its claims.
//!
//! The audit computes everything from the solution and all lines of play, without sampling. The audit ignores the house
//! rule against repetition because it isn't part of a game's value.
//!
//! | file | contents |
//! |---|---|
//! | `always.rs` | the moves that always win when repeated |
//! | `claims.rs` | tests the claims of a book |
//! | `one_line.rs` | searches for a simple rule that always wins |
//! | `never.rs` | rules that never matter |
//! | `sweep.rs` | the same game over many targets |
//! | `better.rs` | small changes that improve a book |
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::{Claim, catalog};
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//!
//! let book = catalog::draft("target-twenty-one").unwrap().build()?;
//! let audit = SolvedGame::new(Arc::new(book)).audit(&mut Budget::patient(16 << 20))?;
//! assert!(!audit.figures.always_ends);
//! let no_draws = audit.claims.iter().find(|tested| tested.claim == Claim::NoDraws).unwrap();
//! assert!(!no_draws.holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod always;
pub mod better;
mod claims;
pub(crate) mod never;
pub mod one_line;
pub mod sweep;

use std::sync::Arc;

use crate::engine::position::{ByPlayer, Player};
use crate::evaluate::chances::{NoOdds, Odds, odds};
use crate::evaluate::opponent::{Ladder, Opponent};
use crate::solved::SolvedGame;
use crate::solved::lines::{Lines, Next};
use crate::solver::{Budget, Solver, Unsolved, Value, Verdict};

use one_line::{OneLine, Reading};

pub use claims::{Against, TestedClaim};
pub use never::NeverFires;

/// Figures counted over every line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Reachable positions that aren't over, normalized to the player to move.
    pub positions: u64,
    /// How many of these are decisions: positions where the choice matters.
    pub decisions: u64,
    /// How many of the decisions have a best move that isn't obvious.
    pub subtle: u64,
    /// Positions with exactly one legal move, not counting skipped turns.
    pub forced: u64,
    /// The best result the starter can force.
    pub opening: Verdict,
    /// Whether every line ends.
    pub always_ends: bool,
    /// Whether some line is drawn or never ends.
    pub can_draw: bool,
    /// The maximum length of a round in moves, including skipped turns; `None` if it can go on forever.
    pub longest: Option<u64>,
    /// The longest run of forced positions at the end of a round.
    pub dead_tail: u64,
}

impl Figures {
    pub(crate) fn from_lines(lines: &Lines) -> Figures {
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

    /// The player who can force a win; `None` if neither can.
    pub fn winner(&self) -> Option<Player> {
        self.opening.value.winner(Player::One)
    }
}

/// The odds for each pairing of the random and the perfect player, by who goes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceOdds {
    /// Random against random.
    pub random_random: Odds,
    /// Perfect first, against random.
    pub perfect_random: Odds,
    /// Random first, against perfect.
    pub random_perfect: Odds,
    /// Perfect against perfect.
    pub perfect_perfect: Odds,
}

impl ReferenceOdds {
    /// Each with its JSON key.
    pub fn by_key(&self) -> [(&'static str, Odds); 4] {
        [
            ("random-random", self.random_random),
            ("perfect-random", self.perfect_random),
            ("random-perfect", self.random_perfect),
            ("perfect-perfect", self.perfect_perfect),
        ]
    }

    /// How often perfect play beats random play from its worse seat.
    pub fn skill(&self) -> f64 {
        self.perfect_random.wins[Player::One].min(self.random_perfect.wins[Player::Two])
    }
}

/// The exact facts about a rule book.
pub struct Audit {
    /// The counted figures.
    pub figures: Figures,
    /// How often the careful guesser wins from the winning seat against perfect play; `None` if neither seat wins.
    pub guess: Option<f64>,
    /// A simple rule that always wins, if there is one.
    pub one_line: OneLine,
    /// The book's rules that never matter.
    pub never_fires: Vec<NeverFires>,
    /// The odds between perfect and random play.
    pub references: ReferenceOdds,
    /// The opponents with the odds for every pair; `None` if that takes too long.
    pub ladder: Option<Arc<Ladder>>,
    /// The book's claims, tested.
    pub claims: Vec<TestedClaim>,
    /// A line of best play in notation, up to its end or the first repetition.
    pub best_line: String,
}

impl Audit {
    /// Audits a game. The budget covers everything.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub(crate) fn for_game(game: &SolvedGame, budget: &mut Budget<'_>) -> Result<Audit, Unsolved> {
        let solver = game.solver(budget)?;
        let ladder = game.quick_ladder();
        let lines = budget.beside(game.bytes(), |budget| Lines::from_solver(&solver, budget))?;
        let figures = Figures::from_lines(&lines);
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
        // The game tracks its own memory.
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

    /// Whether all the book's claims are true.
    pub fn keeps_its_claims(&self) -> bool {
        self.claims.iter().all(|tested| tested.holds)
    }
}

/// Exact odds between opponents, taken from the ladder if there is one.
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
            // The game is solved, but its moves may not be counted.
            NoOdds::NeedsSolution => Unsolved::Uncounted,
        })
    }
}

impl SolvedGame {
    /// The audit of the rule book and its claims.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn audit(&self, budget: &mut Budget<'_>) -> Result<Arc<Audit>, Unsolved> {
        self.once(budget.left(), || Audit::for_game(self, budget))
    }

    /// The audit's counted figures, which are much cheaper than the rest. Not cached.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn figures(&self, budget: &mut Budget<'_>) -> Result<Figures, Unsolved> {
        let solver = self.solver(budget)?;
        budget.beside(self.bytes(), |budget| Ok(Figures::from_lines(&Lines::from_solver(&solver, budget)?)))
    }
}
