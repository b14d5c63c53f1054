//! Picks the next puzzle.
//!
//! Missed puzzles come first, from the next day on. Then come new ones from the book itself, from its variants, and
//! from the same game with other targets, each easiest first. Solved puzzles are never repeated.
//!
//! If a player gave away a win in a round and it was hard enough, it counts as a missed puzzle. It comes up from the
//! next day on, when the answer from the review is no longer fresh. It comes before new puzzles: nothing teaches more
//! than your own mistakes.

use std::sync::Arc;

use super::{Became, HARD_ENOUGH, Puzzle, PuzzleId, Puzzles, Tried};
use crate::day::Day;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::{BadGame, Changes, Game, Rulebook, Setting};
use crate::records::Record;
use crate::solved::SolvedGames;
use crate::solver::{Progress, Unsolved, Value, Verdict};

/// The maximum number of other targets to use, nearest first.
const MOST_TARGETS: usize = 24;
/// The maximum number of a game's rounds to review, latest first.
const MOST_ROUNDS: usize = 50;

/// The source of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The requested game.
    Book,
    /// A variant of it.
    Variant(String),
    /// The same game with another target.
    Target(i64),
    /// A round where the player gave this win away, and its day.
    OwnRound(Option<Day>),
}

/// A round played here.
#[derive(Clone, Debug)]
pub struct OwnRound {
    /// Its record.
    pub record: Record,
    /// Its day, if known.
    pub day: Option<Day>,
}

/// The player's progress, and the day.
pub struct Course<'a> {
    /// The results so far.
    pub tried: &'a Tried,
    /// The rounds played here, oldest first.
    pub rounds: &'a [OwnRound],
    /// The day.
    pub today: Day,
}

/// The reason a book has no puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPuzzles {
    /// Some line never ends.
    Endless,
    /// No position is hard enough.
    TooEasy,
}

/// A puzzle to solve.
pub struct Served {
    /// The game, with the puzzle's variant and settings.
    pub game: Game,
    /// Its source.
    pub source: Source,
    /// The day it was last missed.
    pub missed: Option<Day>,
    /// Its id.
    pub id: PuzzleId,
    /// Why the requested game had no puzzle, if that's why this one comes from another source.
    pub book_has_none: Option<NoPuzzles>,
    /// The requested changes to the book.
    pub asked: Changes,
    puzzle: Puzzle,
    pub(super) puzzles: Puzzles,
}

impl Served {
    /// Its rules.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.puzzles.rulebook()
    }

    /// The probability that the careful guesser solves it.
    pub fn grade(&self) -> f64 {
        self.puzzle.grade
    }

    /// The value of a position in the puzzle.
    pub(crate) fn verdict(&self, round: &Round) -> Option<Verdict> {
        self.puzzles.solver.verdict(round.position())
    }

    /// A round at the start of the puzzle.
    pub fn begin(&self) -> Round {
        self.puzzles.begin(&self.puzzle)
    }
}

/// The next puzzle, or why there is none.
pub enum Next {
    /// This puzzle.
    Puzzle(Box<Served>),
    /// The game has no puzzles, not even in its variants or with the other targets tried.
    NoneAtAll(NoPuzzles),
    /// All of them were tried.
    UsedUp {
        /// The first day a missed one is repeated.
        back_on: Option<Day>,
    },
}

/// A version of a game.
struct Way {
    game: Game,
    rulebook: Arc<Rulebook>,
    fingerprint: String,
    source: Source,
}

/// A game with all its versions that provide puzzles.
pub struct Shelf {
    ways: Vec<Way>,
    /// The requested changes to the book.
    asked: Changes,
}

impl Shelf {
    /// The shelf for a requested game.
    ///
    /// # Errors
    ///
    /// If the game is invalid or draws its target per round.
    pub fn from_game(game: Game) -> Result<Shelf, BadGame> {
        let rulebook = game.rulebook()?;
        let asked = Changes { variant: game.variant.clone(), settings: game.settings.clone() };
        let mut shelf = Shelf { ways: Vec::new(), asked: asked.clone() };
        let target = rulebook.target();
        let add = |shelf: &mut Shelf, changes: &Changes, source: Source| {
            let Ok(changed) = game.changed(changes) else { return };
            if let Ok(rulebook) = changed.rulebook() {
                shelf.add(changed, rulebook, source);
            }
        };
        // Requesting a variant or setting excludes other variants.
        let variants = if asked == Changes::default() { game.draft.variants().collect() } else { vec![] };
        shelf.add(game.clone(), rulebook, Source::Book);
        for variant in variants {
            let changes = Changes { variant: Some(variant.to_owned()), settings: Vec::new() };
            add(&mut shelf, &changes, Source::Variant(variant.to_owned()));
        }
        for target in targets_near(&game, target) {
            let mut changes = asked.clone();
            changes.settings.push(Setting::Target(target.to_string()));
            add(&mut shelf, &changes, Source::Target(target));
        }
        Ok(shelf)
    }

    /// Adds a version, unless one with the same rules exists.
    fn add(&mut self, game: Game, rulebook: Rulebook, source: Source) {
        let fingerprint = rulebook.fingerprint();
        if self.ways.iter().all(|way| way.fingerprint != fingerprint) {
            self.ways.push(Way { game, rulebook: Arc::new(rulebook), fingerprint, source });
        }
    }

    /// How many of its puzzles were tried.
    fn tried(&self, tried: &Tried) -> usize {
        self.ways.iter().map(|way| tried.of_rules(&way.fingerprint).count()).sum()
    }

    /// The rounds of this game in any version, latest first. If a version was requested, only rounds of that version,
    /// with any target.
    fn own_rounds<'a>(&'a self, course: &'a Course<'_>) -> impl Iterator<Item = (&'a OwnRound, Round)> {
        let book = self.ways.first().map(|way| &way.game);
        let is_changed = book.is_some_and(|game| game.variant.is_some() || !game.settings.is_empty());
        let of_this_game = move |own: &&OwnRound| {
            book.is_some_and(|game| {
                own.record.rulebook == game.id() && own.record.carries_whole_book() == game.book.own_file
            })
        };
        let latest = course.rounds.iter().rev().filter(of_this_game).take(MOST_ROUNDS);
        let replayed = latest.filter_map(|own| Some((own, own.record.replay().ok()?)));
        replayed.filter(move |(_, round)| {
            !is_changed || self.ways.iter().any(|way| way.fingerprint == round.rulebook().fingerprint())
        })
    }
}

/// Targets around the game's own, nearest first. Ties go to the lower one.
fn targets_near(game: &Game, target: Option<i64>) -> Vec<i64> {
    let (Some(target), Some(around)) = (target, game.targets_around()) else { return vec![] };
    let both = (1..).map(|far| [target.checked_sub(far), target.checked_add(far)]);
    let near = both.take(around.end().abs_diff(*around.start()).min(1 << 10) as usize).flatten().flatten();
    near.filter(|target| around.contains(target)).take(MOST_TARGETS).collect()
}

/// A missed puzzle that may be repeated.
struct Due<'a> {
    /// The day it was missed; `None` sorts first.
    missed: Option<Day>,
    way: usize,
    id: PuzzleId,
    from: From<'a>,
}

enum From<'a> {
    Way(&'a Way),
    Round(&'a OwnRound, Arc<Rulebook>),
}

/// Finds puzzles for a player.
struct Search<'a> {
    course: &'a Course<'a>,
    games: &'a SolvedGames,
    keep_going: &'a mut dyn FnMut(Progress) -> bool,
}

impl Search<'_> {
    fn puzzles(&mut self, rulebook: &Arc<Rulebook>) -> Result<Option<Puzzles>, Unsolved> {
        self.games.ask(rulebook, self.keep_going, Puzzles::for_game)
    }

    /// Everything missed on a shelf, due or not.
    fn missed<'s>(&mut self, shelf: &'s Shelf, course: &'s Course<'_>) -> Result<Vec<Due<'s>>, Unsolved> {
        let mut missed: Vec<Due<'s>> = Vec::new();
        for (index, way) in shelf.ways.iter().enumerate() {
            for (id, became) in course.tried.of_rules(&way.fingerprint) {
                if let Became::Missed(day) = became {
                    let from = From::Way(way);
                    missed.push(Due { missed: Some(day), way: index, id: id.clone(), from });
                }
            }
        }
        for (own, round) in shelf.own_rounds(course) {
            self.add_given_away(own, &round, shelf.ways.len(), course, &mut missed)?;
        }
        Ok(missed)
    }

    /// The same for rounds of daily duels. They aren't on any shelf: their records contain their rules.
    fn missed_in_duels<'s>(&mut self, course: &'s Course<'_>) -> Result<Vec<Due<'s>>, Unsolved> {
        let mut missed = Vec::new();
        let is_duel =
            |own: &&OwnRound| own.record.carries_whole_book() && Day::of_duel(&own.record.rulebook).is_some();
        for own in course.rounds.iter().rev().filter(is_duel).take(MOST_ROUNDS) {
            if let Ok(round) = own.record.replay() {
                self.add_given_away(own, &round, 0, course, &mut missed)?;
            }
        }
        Ok(missed)
    }

    fn add_given_away<'s>(
        &mut self,
        own: &'s OwnRound,
        round: &Round,
        way: usize,
        course: &Course<'_>,
        missed: &mut Vec<Due<'s>>,
    ) -> Result<(), Unsolved> {
        for id in self.given_away(own, round)? {
            let day = match course.tried.result(&id) {
                Some(Became::Solved(_)) => continue,
                Some(Became::Missed(day)) => Some(day),
                None => own.day,
            };
            if missed.iter().all(|due| due.id != id) {
                let from = From::Round(own, Arc::clone(round.rulebook()));
                missed.push(Due { missed: day, way, id, from });
            }
        }
        Ok(())
    }

    /// Wins that people gave away in rounds, if hard enough.
    fn given_away(&mut self, own: &OwnRound, round: &Round) -> Result<Vec<PuzzleId>, Unsolved> {
        let is_person = |player: Player| own.record.computers[player].is_none();
        let review = self.games.ask(round.rulebook(), self.keep_going, |game, budget| {
            let review = game.review(round, budget)?;
            let moves = review.moves.iter().enumerate();
            let given = moves.filter(|(_, judged)| {
                judged.is_mistake() && judged.best.value == Value::Win && is_person(judged.player)
            });
            Ok(given.map(|(place, _)| place).collect::<Vec<usize>>())
        });
        let given = match review {
            Ok(given) => given,
            // A game that's too large to solve must not block the others.
            Err(Unsolved::TooLarge { .. }) => return Ok(vec![]),
            Err(why) => return Err(why),
        };
        if given.is_empty() {
            return Ok(vec![]);
        }
        let puzzles = match self.puzzles(round.rulebook()) {
            Ok(Some(puzzles)) => puzzles,
            Ok(None) | Err(Unsolved::TooLarge { .. }) => return Ok(vec![]),
            Err(why) => return Err(why),
        };
        let positions = given.into_iter().filter_map(|place| Some(&round.history().get(place)?.before));
        let hard = positions.filter(|at| puzzles.grade(at).is_some_and(|grade| grade <= HARD_ENOUGH));
        let names = hard.filter_map(|position| puzzles.name_at(position));
        Ok(names.map(|name| PuzzleId::new(round.rulebook(), name)).collect())
    }

    /// Serves a missed puzzle; `None` if it doesn't exist.
    fn again(&mut self, due: &Due<'_>) -> Result<Option<Served>, Unsolved> {
        let (game, rulebook, source) = match &due.from {
            From::Way(way) => (way.game.clone(), &way.rulebook, way.source.clone()),
            From::Round(own, rulebook) => match own.record.game(None) {
                Ok(game) => (game, rulebook, Source::OwnRound(own.day)),
                Err(_) => return Ok(None),
            },
        };
        let puzzles = match self.puzzles(rulebook) {
            Ok(Some(puzzles)) => puzzles,
            Ok(None) | Err(Unsolved::TooLarge { .. }) => return Ok(None),
            Err(why) => return Err(why),
        };
        let Some(puzzle) = puzzles.pool().into_iter().find(|puzzle| puzzles.name(puzzle) == due.id.name())
        else {
            return Ok(None);
        };
        let missed = match self.course.tried.result(&due.id) {
            Some(Became::Missed(day)) => Some(day),
            _ => None,
        };
        let (id, asked) = (due.id.clone(), Changes::default());
        Ok(Some(Served { game, source, missed, id, book_has_none: None, asked, puzzle, puzzles }))
    }

    /// Serves a puzzle by its id; `None` if it doesn't exist here.
    fn by_id(&mut self, shelves: &[Shelf], id: &PuzzleId) -> Result<Option<Served>, Unsolved> {
        let course = self.course;
        let mut ways = shelves.iter().flat_map(|shelf| &shelf.ways);
        let own = || course.rounds.iter().rev().filter_map(|own| Some((own, own.record.replay().ok()?)));
        let from = match ways.find(|way| id.is_of(&way.fingerprint)) {
            Some(way) => Some(From::Way(way)),
            None => own().find_map(|(own, round)| {
                let rulebook = round.rulebook();
                id.is_of(&rulebook.fingerprint()).then(|| From::Round(own, Arc::clone(rulebook)))
            }),
        };
        match from {
            Some(from) => self.again(&Due { missed: None, way: 0, id: id.clone(), from }),
            None => Ok(None),
        }
    }

    /// The first untried puzzle of a shelf; otherwise whether it has any, or why it has none.
    fn new_one(
        &mut self,
        shelf: &Shelf,
        missed: &[Due<'_>],
        only_book: bool,
    ) -> Result<Result<Served, Option<NoPuzzles>>, Unsolved> {
        let mut of_book = None;
        let mut has_any = false;
        let ways = if only_book { &shelf.ways[..1] } else { &shelf.ways[..] };
        for way in ways {
            let puzzles = match self.puzzles(&way.rulebook) {
                Ok(puzzles) => puzzles,
                // Only the book itself was requested.
                Err(Unsolved::TooLarge { .. }) if way.source != Source::Book => continue,
                Err(why) => return Err(why),
            };
            let pool = puzzles.as_ref().map(Puzzles::pool).unwrap_or_default();
            if way.source == Source::Book && pool.is_empty() {
                of_book = Some(if puzzles.is_none() { NoPuzzles::Endless } else { NoPuzzles::TooEasy });
            }
            has_any |= !pool.is_empty();
            let Some(puzzles) = puzzles else { continue };
            let id = |puzzle: &Puzzle| PuzzleId::new(&way.rulebook, puzzles.name(puzzle));
            // A win given away today isn't new: the review has shown the answer.
            let is_new = |puzzle: &Puzzle| {
                let id = id(puzzle);
                self.course.tried.result(&id).is_none() && missed.iter().all(|due| due.id != id)
            };
            if let Some(puzzle) = pool.into_iter().find(is_new) {
                let (game, source) = (way.game.clone(), way.source.clone());
                let id = id(&puzzle);
                return Ok(Ok(Served {
                    game,
                    source,
                    missed: None,
                    id,
                    book_has_none: of_book,
                    asked: shelf.asked.clone(),
                    puzzle,
                    puzzles,
                }));
            }
        }
        Ok(Err(of_book.filter(|_| !has_any)))
    }

    fn pick(mut self, shelves: &[Shelf], with_duels: bool) -> Result<Next, Unsolved> {
        let course = self.course;
        let mut missed = if with_duels { self.missed_in_duels(course)? } else { vec![] };
        for shelf in shelves {
            missed.extend(self.missed(shelf, course)?);
        }
        missed.sort_by(|one, two| (one.missed, one.way, &one.id).cmp(&(two.missed, two.way, &two.id)));
        let has_come = |due: &Due<'_>| due.missed.is_none_or(|day| day < course.today);
        for due in missed.iter().filter(|due| has_come(due)) {
            if let Some(served) = self.again(due)? {
                return Ok(Next::Puzzle(Box::new(served)));
            }
        }
        // The game with the fewest tried puzzles comes first, so several games take turns.
        let mut order: Vec<&Shelf> = shelves.iter().collect();
        order.sort_by_key(|shelf| shelf.tried(course.tried));
        let mut has_none = Vec::new();
        // Variants and other targets come only after the books' own puzzles.
        for only_book in [true, false].into_iter().skip(usize::from(shelves.len() == 1)) {
            for shelf in &order {
                match self.new_one(shelf, &missed, only_book) {
                    Ok(Ok(served)) => return Ok(Next::Puzzle(Box::new(served))),
                    Ok(Err(why)) if !only_book => has_none.push(why),
                    Ok(Err(_)) => {}
                    Err(Unsolved::TooLarge { .. }) if shelves.len() > 1 => {}
                    Err(why) => return Err(why),
                }
            }
        }
        if let Some(why) = has_none.iter().find_map(|why| *why)
            && has_none.iter().all(Option::is_some)
        {
            return Ok(Next::NoneAtAll(why));
        }
        let later = missed.iter().filter(|due| !has_come(due)).filter_map(|due| Some(due.missed?.next()));
        Ok(Next::UsedUp { back_on: later.min() })
    }
}

/// The next puzzle of a game.
///
/// # Errors
///
/// If the game exceeds the budget or the caller cancels.
pub fn next(
    shelf: &Shelf,
    course: &Course<'_>,
    games: &SolvedGames,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Result<Next, Unsolved> {
    Search { course, games, keep_going }.pick(std::slice::from_ref(shelf), false)
}

/// The next puzzle of any of these games, or from a daily duel played here. The games take turns.
///
/// # Errors
///
/// If the caller cancels.
pub fn next_of_all(
    shelves: &[Shelf],
    course: &Course<'_>,
    games: &SolvedGames,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Result<Next, Unsolved> {
    Search { course, games, keep_going }.pick(shelves, true)
}

/// The puzzle with this id, regardless of its result, from one of these games or from a round played here. `None` if
/// there's none.
///
/// # Errors
///
/// If the caller cancels.
pub fn by_id(
    id: &PuzzleId,
    shelves: &[Shelf],
    course: &Course<'_>,
    games: &SolvedGames,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Result<Option<Served>, Unsolved> {
    Search { course, games, keep_going }.by_id(shelves, id)
}
