//! A solved game: what anybody can ask about it, found once and shared.
//!
//! Hints, reasons, reviews, maps, ideas, opponents and cards all ask a [`SolvedGame`]. Each part of it is found when it
//! is first asked for and then kept, and [`SolvedGames`] keeps the games that were asked for last.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::people::solved_game::SolvedGames;
//!
//! let games = SolvedGames::new(16 << 20); // 16 MiB for all of them together
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build().unwrap());
//! let round = Round::new(Arc::clone(&maze), Player::One);
//! let review = games.ask(&maze, &mut |_| true, |game, budget| game.review(&round, budget))?;
//! assert_eq!(review.opening.remoteness(), Some(14));
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::audit::lines::Lines;
use super::audit::{Audit, Figures};
use super::chances::{NoOdds, Odds, odds};
use super::coach::{Foresight, Outlook, Pattern, house_rule_matters};
use super::idea::{self, Answer, Idea};
use super::landings::Landings;
use super::map::{Last, Map};
use super::opponent::{Ladder, Opponent};
use super::out_of_reach;
use super::portrait::Portrait;
use super::review::Review;
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::format::{Numbers, Rulebook};
use crate::solver::chart::{self, Chart, Piece};
use crate::solver::coming_up::ComingUp;
use crate::solver::{Budget, Hands, Progress, Solver, Unsolved, Value};

/// A game and what has been found out about it so far. It can be shared between threads.
///
/// The budgets of its questions are for everything: what the game holds already is counted.
pub struct SolvedGame {
    rulebook: Arc<Rulebook>,
    solver: Memo<Solver>,
    chart: Memo<Option<Chart>>,
    ladder: Memo<Ladder>,
    quick_ladder: Memo<Option<Arc<Ladder>>>,
    portrait: Memo<Portrait>,
    length: Memo<Option<u32>>,
    audit: Memo<Audit>,
    stretches: Memo<Option<Stretches>>,
    out_of_reach: Memo<Option<String>>,
    coming_up: Memo<ComingUp>,
    /// The game of the last round that the house rule made another game of.
    foresight: Mutex<Foresight>,
    /// The bytes of all that was found.
    bytes: AtomicU64,
}

/// Who wins at each number, from the lowest up.
type Stretches = Vec<Piece<Option<Value>>>;

/// A book with so few numbers is solved for all of them at once, whether or not play can come to them: then its chart
/// needs no second search.
const FEW_NUMBERS: u64 = 1 << 16;

/// Nobody finishes a round of more moves.
const LONGEST: u64 = 1_000_000;

/// What a number takes in lists that are made of a chart, such as that of the numbers to leave.
const BYTES_A_NUMBER: u64 = 16;

impl SolvedGame {
    /// A game that nothing is known of yet.
    pub fn new(rulebook: Arc<Rulebook>) -> SolvedGame {
        SolvedGame {
            rulebook,
            solver: Memo::default(),
            chart: Memo::default(),
            ladder: Memo::default(),
            quick_ladder: Memo::default(),
            portrait: Memo::default(),
            length: Memo::default(),
            audit: Memo::default(),
            stretches: Memo::default(),
            out_of_reach: Memo::default(),
            coming_up: Memo::default(),
            foresight: Mutex::default(),
            bytes: AtomicU64::new(0),
        }
    }

    /// The rule book of the game.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// What every position is worth that play can come to. It says `None` to any other; those can be solved with
    /// [`Solver::from_positions`].
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub fn solver(&self, budget: &mut Budget<'_>) -> Result<Arc<Solver>, Unsolved> {
        self.solver.get(budget.left(), || {
            let solver = budget.beside(self.bytes(), |budget| match self.is_charted_at_once() {
                true => Chart::everywhere(&self.rulebook, budget),
                false => Solver::new(Arc::clone(&self.rulebook), budget),
            })?;
            self.bytes.fetch_add(solver.bytes(), Ordering::Relaxed);
            Ok(solver)
        })
    }

    fn is_charted_at_once(&self) -> bool {
        let (lowest, highest) = chart::numbers(&self.rulebook);
        chart::number_alone_decides(&self.rulebook)
            && !self.rulebook.goes_one_way()
            && highest.abs_diff(lowest) < FEW_NUMBERS
    }

    /// What every number is worth; `None` if the number alone does not decide.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn chart(&self, budget: &mut Budget<'_>) -> Result<Option<Chart>, Unsolved> {
        if !chart::number_alone_decides(&self.rulebook) {
            return Ok(None);
        }
        // So many numbers have no chart, whatever it takes to solve the game: that is known before anything is held.
        let (lowest, highest) = chart::numbers(&self.rulebook);
        budget.require(0, u128::from(highest.abs_diff(lowest)) + 1, 1)?;
        let shares_the_solver = self.rulebook.goes_one_way() || self.is_charted_at_once();
        let solver = if shares_the_solver { Some(self.solver(budget)?) } else { None };
        if solver.as_ref().is_some_and(|solver| solver.has_no_table()) {
            // There was no memory for a table, and whoever goes through a chart number by number wants no more of them.
            budget.require(0, u128::from(highest.abs_diff(lowest)) + 1, BYTES_A_NUMBER)?;
        }
        let chart = self.chart.get(budget.left(), || {
            budget.beside(self.bytes(), |budget| match solver {
                Some(solver) => Chart::from_solver(&solver, budget),
                None => {
                    let everywhere = Arc::new(Chart::everywhere(&self.rulebook, budget)?);
                    let bytes = everywhere.bytes();
                    let chart = budget.beside(bytes, |budget| Chart::from_solver(&everywhere, budget))?;
                    self.bytes.fetch_add(bytes, Ordering::Relaxed);
                    Ok(chart)
                }
            })
        });
        chart.map(|chart| chart.as_ref().clone())
    }

    /// The opponents in order, with exact chances.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn ladder(&self, budget: &mut Budget<'_>) -> Result<Arc<Ladder>, Unsolved> {
        let solver = self.solver(budget)?;
        self.ladder.get(budget.left(), || {
            budget.beside(self.bytes(), |budget| ladder(&self.rulebook, &solver, budget))
        })
    }

    /// The ladder if it takes no time that anybody would notice, else `None`. Steps are counted, not seconds, so that it
    /// comes to the same on every machine.
    pub fn quick_ladder(&self) -> Option<Arc<Ladder>> {
        const BYTES: u64 = 6 << 20;
        // About so many positions are visited by an opponent that looks three moves ahead; all others need fewer. Many
        // lines lead to the same positions, which are looked at once, and most of all where amounts are computed.
        let choices = self.rulebook.usual_choices() as u64;
        let visited = if self.rulebook.has_only_fixed_moves() {
            choices.pow(2) * choices.min(3)
        } else {
            choices.pow(2) / 4
        };
        let moves = visited.max(30);
        let found = self.quick_ladder.get(BYTES, || {
            let found = in_steps(BYTES, 200_000 / moves, |budget| match self.solver.found() {
                Some(solver) => Ok(solver),
                None => self.solver(budget),
            });
            let found = found.and_then(|solver| {
                in_steps(BYTES, 200_000 / moves, |budget| ladder(&self.rulebook, &solver, budget))
            });
            Ok(found.ok().map(Arc::new))
        });
        found.ok().and_then(|ladder| ladder.as_ref().clone())
    }

    /// What a card shows of the game.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn portrait(&self, budget: &mut Budget<'_>) -> Result<Portrait, Unsolved> {
        let solver = self.solver(budget)?;
        let found = self
            .portrait
            .get(budget.left(), || budget.beside(self.bytes(), |budget| Portrait::of(&solver, budget)));
        found.map(|portrait| *portrait)
    }

    /// What the rule book is worth, and whether it keeps what it claims.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn audit(&self, budget: &mut Budget<'_>) -> Result<Arc<Audit>, Unsolved> {
        self.audit.get(budget.left(), || Audit::of(self, budget))
    }

    /// A line for players of a game whose target nobody can land on: "Nobody can land on 23. The player who overshoots
    /// loses." `None` if somebody can, or if there are too many positions to be sure. It follows from the rules alone and
    /// is found quickly, without solving the game.
    pub fn out_of_reach(&self) -> Option<String> {
        let found = self.out_of_reach.get(0, || Ok(out_of_reach::in_words(&self.rulebook)));
        found.ok().and_then(|found| found.as_ref().clone())
    }

    /// What can be counted of the game: a part of its audit that takes far less. It is not kept.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn figures(&self, budget: &mut Budget<'_>) -> Result<Figures, Unsolved> {
        let solver = self.solver(budget)?;
        budget.beside(self.bytes(), |budget| Ok(Figures::of(&Lines::of(&solver, budget)?)))
    }

    /// What the player on turn can force; `None` if the round is over. If the house rule makes another game of a round,
    /// the last such game is kept for the next turn.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn outlook(&self, round: &Round, budget: &mut Budget<'_>) -> Result<Option<Outlook>, Unsolved> {
        let solver = self.solver(budget)?;
        if round.outcome().is_some() {
            return Ok(None);
        }
        let drawn = round.drawn_next_time();
        if !house_rule_matters(&drawn, &solver) {
            return Ok(Outlook::new(round, &solver, &drawn));
        }
        let mut foresight = self.foresight.lock().unwrap_or_else(PoisonError::into_inner);
        // What is kept there may be let go of.
        self.bytes.fetch_sub(foresight.bytes(), Ordering::Relaxed);
        let found = budget.beside(self.bytes(), |budget| foresight.outlook(round, &solver, budget));
        self.bytes.fetch_add(foresight.bytes(), Ordering::Relaxed);
        found
    }

    /// More moves than so many powers of ten, if a round in which both play their best takes so long that nobody would
    /// finish it. Exactly how many would tell who makes the last of them. `None` as well if that cannot be found out at
    /// once.
    pub fn length_beyond_patience(&self) -> Option<u32> {
        if !SolvedGame::is_vast(&self.rulebook) {
            return None;
        }
        self.length.get(0, || Ok(self.find_length())).ok().and_then(|length| *length)
    }

    /// Whether [`SolvedGame::length_beyond_patience`] has to look for anything.
    pub fn is_vast(rulebook: &Rulebook) -> bool {
        // Where numbers go one way, a round has no more moves than there are numbers; and elsewhere nobody can tell at once.
        let (lowest, highest) = chart::numbers(rulebook);
        rulebook.goes_one_way() && highest.abs_diff(lowest) >= LONGEST
    }

    fn find_length(&self) -> Option<u32> {
        const BYTES: u64 = 16 << 20;
        const STEPS: u64 = 2000;
        let opening = self.rulebook.opening(Player::One);
        let find = |budget: &mut Budget<'_>| Solver::by_intervals(Arc::clone(&self.rulebook), budget);
        let verdict = match self.solver.found() {
            Some(solver) => solver.verdict(&opening),
            None => in_steps(BYTES, STEPS, find).ok()??.verdict(&opening),
        };
        let moves = verdict?.remoteness().filter(|moves| *moves > LONGEST)?;
        Some(moves.ilog10())
    }

    /// Lets go of what is only kept to save time.
    fn tidy_up(&self) {
        let mut foresight = self.foresight.lock().unwrap_or_else(PoisonError::into_inner);
        self.bytes.fetch_sub(foresight.bytes(), Ordering::Relaxed);
        *foresight = Foresight::default();
    }

    /// A pattern that holds around a number to leave, if there is one.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn pattern(&self, leaves: i128, budget: &mut Budget<'_>) -> Result<Option<Pattern>, Unsolved> {
        // A chart has to be gone through; stretches say it at once.
        let stretches = self.stretches(budget)?;
        let chart = match &*stretches {
            Some(_) => Chart::without_limit(&self.solver(budget)?),
            None => self.chart(budget)?,
        };
        let Some(chart) = chart else { return Ok(None) };
        let coming_up = self.coming_up.get(budget.left(), || {
            let found = budget.beside(self.bytes(), |budget| match stretches.is_some() {
                true => {
                    ComingUp::from_first(&chart, budget)?.map_or_else(|| ComingUp::of(&chart, budget), Ok)
                }
                false => ComingUp::of(&chart, budget),
            })?;
            self.bytes.fetch_add(found.bytes(), Ordering::Relaxed);
            Ok(found)
        })?;
        let landings = Landings { chart: &chart, coming_up: &coming_up };
        Ok(match &*stretches {
            Some(stretches) => Pattern::among(&landings, stretches, leaves),
            None => Pattern::around(&landings, leaves),
        })
    }

    /// Who wins at every number, in stretches that repeat, however many numbers there are; `None` if the number alone does
    /// not decide, or if that cannot be told like this.
    fn stretches(&self, budget: &mut Budget<'_>) -> Result<Arc<Option<Stretches>>, Unsolved> {
        if !chart::number_alone_decides(&self.rulebook) {
            return Ok(Arc::new(None));
        }
        let solver = self.solver(budget)?;
        self.stretches.get(budget.left(), || {
            let found = budget.beside(self.bytes(), |budget| match solver.has_no_table() {
                true => solver.stretches(None, budget),
                false => Ok(quick_stretches(&self.rulebook)),
            })?;
            let bytes = |piece: &Piece<_>| size_of_val(piece) + size_of_val(&piece.pattern[..]);
            let bytes: usize = found.iter().flatten().map(bytes).sum();
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
            Ok(found)
        })
    }

    /// The exact odds between two opponents, by who goes first.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn odds(
        &self,
        players: &ByPlayer<Opponent>,
        budget: &mut Budget<'_>,
    ) -> Result<ByPlayer<Odds>, Unsolved> {
        let solver = self.solver(budget)?;
        budget.beside(self.bytes(), |budget| {
            let mut from = |first: Player| match odds(&self.rulebook, players, first, Some(&solver), budget) {
                Ok(odds) => Ok(odds),
                Err(NoOdds::Unsolved(why)) => Err(why),
                // It is solved, but perhaps not counted.
                Err(NoOdds::NeedsSolution) => Err(Unsolved::Uncounted),
            };
            Ok(ByPlayer([from(Player::One)?, from(Player::Two)?]))
        })
    }

    /// Looks back on a round.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn review(&self, round: &Round, budget: &mut Budget<'_>) -> Result<Review, Unsolved> {
        let solver = self.solver(budget)?;
        budget.beside(self.bytes(), |budget| Review::of(round, &solver, budget))
    }

    /// The map of the game; if the game looks at what was chosen last, on request for one such case alone.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn map(&self, last: Option<&Last>, budget: &mut Budget<'_>) -> Result<Map, Unsolved> {
        // Games with a vast range may still have few numbers that come up; more than a few are not looked for.
        const FEW: u64 = 64 << 20;
        match self.map_of_chart(budget) {
            Ok(Some(map)) => return Ok(map),
            Ok(None) => {}
            Err(why @ Unsolved::TooLarge { .. }) => {
                let few = budget.beside(self.bytes(), |budget| {
                    budget.within(FEW, |budget| Map::of_positions(&self.rulebook, last, budget))
                });
                return match few {
                    Err(Unsolved::TooLarge { .. }) => self.map_of_stretches(last, why, budget),
                    found => found,
                };
            }
            Err(why) => return Err(why),
        }
        if self.rulebook.numbers() == Numbers::Separate && last.is_none() {
            let solver = self.solver(budget)?;
            let distances = budget.beside(self.bytes(), |budget| solver.distances(budget))?;
            if let Some(distances) = distances {
                return Ok(Map::of_distances(distances));
            }
        }
        match budget.beside(self.bytes(), |budget| Map::of_positions(&self.rulebook, last, budget)) {
            Err(why @ Unsolved::TooLarge { .. }) => self.map_of_stretches(last, why, budget),
            found => found,
        }
    }

    /// The map of a game with too many numbers for any other, or else the reason why there is none.
    fn map_of_stretches(
        &self,
        last: Option<&Last>,
        why: Unsolved,
        budget: &mut Budget<'_>,
    ) -> Result<Map, Unsolved> {
        let solver = match self.solver(budget) {
            Ok(solver) => solver,
            Err(Unsolved::TooLarge { .. }) => return Err(why),
            Err(stopped) => return Err(stopped),
        };
        let last = last.map(|last| last.choices());
        let found = budget.beside(self.bytes(), |budget| solver.stretches(last, budget))?;
        found.map(|stretches| Map::of_stretches(&self.rulebook, stretches)).ok_or(why)
    }

    fn map_of_chart(&self, budget: &mut Budget<'_>) -> Result<Option<Map>, Unsolved> {
        let Some(chart) = self.chart(budget)? else { return Ok(None) };
        budget.beside(self.bytes(), |budget| Map::of_chart(chart, budget)).map(Some)
    }

    /// Tests a player's idea against the solution.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn test(&self, idea: &Idea, budget: &mut Budget<'_>) -> Result<Answer, Unsolved> {
        let (chart, too_many) = match self.chart(budget) {
            Ok(chart) => (chart, None),
            // A game that is solved can be asked all the same: by stretches, or if few of its numbers come up.
            Err(why @ Unsolved::TooLarge { .. }) => match self.solver(budget) {
                Ok(solver) => (Chart::without_limit(&solver), Some(why)),
                Err(Unsolved::TooLarge { .. }) => return Err(why),
                Err(stopped) => return Err(stopped),
            },
            Err(why) => return Err(why),
        };
        let Some(chart) = chart else {
            return Ok(Answer::NumberDoesNotDecide { also: chart::what_else_decides(&self.rulebook) });
        };
        match budget.beside(self.bytes(), |budget| idea::test(idea, &chart, budget)) {
            Err(why @ Unsolved::TooLarge { .. }) => Err(too_many.unwrap_or(why)),
            answer => answer,
        }
    }
}

/// Who wins at every number of a game that has a table as well, if that takes no time that anybody would notice.
fn quick_stretches(rulebook: &Arc<Rulebook>) -> Option<Stretches> {
    const BYTES: u64 = 1 << 20;
    const STEPS: u64 = 200;
    in_steps(BYTES, STEPS, |budget| match Solver::by_intervals(Arc::clone(rulebook), budget)? {
        Some(solver) => solver.stretches(None, budget),
        None => Ok(None),
    })
    .ok()?
}

fn ladder(rulebook: &Rulebook, solver: &Solver, budget: &mut Budget<'_>) -> Result<Ladder, Unsolved> {
    Ladder::of(rulebook, solver, budget).map_err(|why| match why {
        NoOdds::Unsolved(why) => why,
        // It is solved, but perhaps not counted.
        NoOdds::NeedsSolution => Unsolved::Uncounted,
    })
}

/// Runs something that may ask only so often whether to go on.
pub(crate) fn in_steps<T>(
    bytes: u64,
    mut steps: u64,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Unsolved> {
    let mut keep_going = |_: Progress| {
        steps = steps.saturating_sub(1);
        steps > 0
    };
    run(&mut Budget::new(bytes, &mut keep_going))
}

/// A memoised answer: found when it is first asked for, and kept. A refusal is kept too, until more memory is offered.
struct Memo<T>(Mutex<Known<T>>);

enum Known<T> {
    Unasked,
    Found(Arc<T>),
    Refused { bytes: u64, why: Unsolved },
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo(Mutex::new(Known::Unasked))
    }
}

impl<T> Memo<T> {
    /// A panic while the answer is looked for leaves nothing half done, so a poisoned lock is still good.
    fn lock(&self) -> MutexGuard<'_, Known<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self) -> Option<Arc<T>> {
        match &*self.lock() {
            Known::Found(found) => Some(Arc::clone(found)),
            _ => None,
        }
    }

    /// The answer. A thread that asks while another one looks for it waits, so that it is found only once.
    fn get(&self, bytes: u64, find: impl FnOnce() -> Result<T, Unsolved>) -> Result<Arc<T>, Unsolved> {
        let mut known = self.lock();
        match &*known {
            Known::Found(found) => return Ok(Arc::clone(found)),
            Known::Refused { bytes: refused, why } if bytes <= *refused => return Err(why.clone()),
            Known::Refused { .. } | Known::Unasked => {}
        }
        match find() {
            Ok(found) => {
                let found = Arc::new(found);
                *known = Known::Found(Arc::clone(&found));
                Ok(found)
            }
            Err(why) => {
                // A question that was stopped may be asked again.
                if !matches!(why, Unsolved::Stopped { .. }) {
                    *known = Known::Refused { bytes, why: why.clone() };
                }
                Err(why)
            }
        }
    }
}

/// The games that were asked for last, as many as fit into a budget.
///
/// They are told apart by their whole line, words included, and by what they claim, which an audit tells of: the
/// fingerprint leaves all that out, and can be forged.
pub struct SolvedGames {
    /// The most bytes that all of them may hold together, the one that is asked included.
    bytes: u64,
    /// The most bytes that one of them may take.
    bytes_each: u64,
    hands: Option<Hands>,
    /// Each with its line; the one that was asked for last is at the end.
    games: Mutex<Vec<(String, Arc<SolvedGame>)>>,
}

/// More games are not kept, however small they are.
const MOST_GAMES: usize = 256;

impl SolvedGames {
    /// An empty cache of so many bytes.
    pub fn new(bytes: u64) -> SolvedGames {
        SolvedGames::with_limit_each(bytes, bytes)
    }

    /// An empty cache of so many bytes, of which one game alone may take no more than some.
    pub fn with_limit_each(bytes: u64, bytes_each: u64) -> SolvedGames {
        SolvedGames { bytes, bytes_each, hands: None, games: Mutex::default() }
    }

    /// The same with further threads for games that take long.
    #[must_use]
    pub fn with_hands(self, hands: Hands) -> SolvedGames {
        SolvedGames { hands: Some(hands), ..self }
    }

    fn games(&self) -> MutexGuard<'_, Vec<(String, Arc<SolvedGame>)>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game of a rule book: the same for everybody who asks, as long as it is kept.
    pub fn game(&self, rulebook: &Arc<Rulebook>) -> Arc<SolvedGame> {
        let line = line(rulebook);
        let mut games = self.games();
        let known = games.iter().position(|(known, _)| *known == line);
        let (line, game) = match known {
            Some(place) => games.remove(place),
            None => (line, Arc::new(SolvedGame::new(Arc::clone(rulebook)))),
        };
        games.push((line, Arc::clone(&game)));
        // The least recently used make room; the one that was asked for stays.
        let held =
            |games: &[(String, Arc<SolvedGame>)]| games.iter().map(|(_, game)| game.bytes()).sum::<u64>();
        let mut evicted = Vec::new();
        while games.len() > 1 && (games.len() > MOST_GAMES || held(&games) > self.bytes) {
            evicted.push(games.remove(0));
        }
        // Freeing large tables takes a while, and nobody else should wait for that.
        drop(games);
        drop(evicted);
        game
    }

    /// The bytes that all other games hold.
    fn beside(&self, game: &Arc<SolvedGame>) -> u64 {
        let games = self.games();
        games.iter().filter(|(_, other)| !Arc::ptr_eq(other, game)).map(|(_, other)| other.bytes()).sum()
    }

    /// Asks a game something. What other games hold counts, and is given up for the one that is asked if need be.
    ///
    /// # Errors
    ///
    /// If that takes more than there is, or the caller does not want to go on.
    pub fn ask<T>(
        &self,
        rulebook: &Arc<Rulebook>,
        keep_going: &mut dyn FnMut(Progress) -> bool,
        mut question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved>,
    ) -> Result<T, Unsolved> {
        let game = self.game(rulebook);
        let beside = self.beside(&game);
        let others_are_in_the_way = self.bytes.saturating_sub(beside) < self.bytes_each;
        let mut budget = Budget::new(self.bytes, keep_going).with_hands(self.hands);
        let answer =
            budget.beside(beside, |budget| budget.within(self.bytes_each, |budget| question(&game, budget)));
        let Err(Unsolved::TooLarge { .. }) = answer else { return answer };
        // What is only kept to save time makes room, and the question is put once more.
        let held = game.bytes();
        game.tidy_up();
        if !others_are_in_the_way && game.bytes() == held {
            return answer;
        }
        if others_are_in_the_way {
            let is_other = |kept: &mut (String, Arc<SolvedGame>)| !Arc::ptr_eq(&kept.1, &game);
            // As above, freed without the lock.
            let evicted: Vec<_> = self.games().extract_if(.., is_other).collect();
            drop(evicted);
        }
        let bytes = self.bytes.min(self.bytes_each);
        question(&game, &mut Budget::new(bytes, keep_going).with_hands(self.hands))
    }
}

/// What a game is known by.
fn line(rulebook: &Rulebook) -> String {
    let claims = rulebook.claims().iter().map(|claim| format!(" {claim}"));
    rulebook.whole_line() + &claims.collect::<String>()
}
