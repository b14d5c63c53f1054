//! Today's duel: a new game every day, the same for everyone, with a line to share and a streak.
//!
//! The game is [invented](super::invent) with the day's number as the seed. The caller supplies the day and stores the
//! streak.
//!
//! ```
//! use spoton::design::today::{Duel, HowItEnded, Score, Streak};
//! use spoton::words::today::line;
//! use spoton::solver::Budget;
//!
//! let day = "2026-11-15".parse()?;
//! let duel = Duel::for_day(day, &mut Budget::patient(16 << 20))?;
//! let score = Score { ended: HowItEnded::Won, moves: 15, hints: 0 };
//! assert_eq!(
//!     line(day, day, duel.title(), score, true),
//!     "Spot On 15 Nov · +2 +3 +5 +9 +digit to 57, no multiples of 5 · won in 15, no hints",
//! );
//!
//! let streak = Streak::default().counted(day, score).expect("no day was counted before");
//! assert_eq!(streak.in_words(day), "Your streak: 1 day.");
//! assert_eq!(streak.counted(day, score), None);
//! assert_eq!(streak.to_string().parse(), Ok(streak));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::day::Day;
use crate::design::invent::{Bounds, Invented, Inventor};
use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::{BadGame, BookText, Changes, Game};
use crate::solver::{Budget, Unsolved};

/// The opponent's id, the same every day.
pub const OPPONENT: &str = "otto";

/// A day's game.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The day.
    pub day: Day,
    /// The game invented for it.
    pub invented: Invented,
}

impl Duel {
    /// A day's duel. Invariant: generator 1 never changes, so neither does a day's game.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn for_day(day: Day, budget: &mut Budget<'_>) -> Result<Duel, Unsolved> {
        let mut seed = day.number();
        loop {
            if let Some(invented) = Inventor::new(seed, Bounds::usual()).next(budget)? {
                return Ok(Duel { day, invented });
            }
            // Every day so far has a game. The fallback seeds don't belong to any day.
            seed += 100_000_000;
        }
    }

    /// The title of the game.
    pub fn title(&self) -> &str {
        self.invented.rulebook.title()
    }

    /// Whether the person goes first. They get the winning seat, which always exists because these games are never
    /// drawn.
    pub fn person_goes_first(&self) -> bool {
        self.invented.certificate.figures.winner() == Some(Player::One)
    }

    /// The rule book without its comments, which reveal who wins.
    pub fn text(&self) -> &str {
        self.invented.text_without_remarks()
    }

    /// The playable game.
    ///
    /// # Errors
    ///
    /// Never: it was valid when it was invented.
    pub fn game(&self) -> Result<Game, BadGame> {
        let book = self.book();
        let name = book.id.clone();
        Game::new(book, name, &Changes::default())
    }

    /// The book before it becomes a game. Records include its rules, as for any custom game.
    pub fn book(&self) -> BookText {
        let id = self.day.duel();
        let source_name = format!("{id}.toml");
        BookText { id, own_file: true, source_name, text: self.text().to_owned() }
    }

    /// Parses the day from an id such as `today-2026-11-15`.
    pub fn day_of(id: &str) -> Option<Day> {
        Day::of_duel(id)
    }
}

/// The terms of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// It counts.
    Counts,
    /// The duel would count, but the result can't be saved.
    CannotBeKept,
    /// It doesn't count.
    Practice,
}

/// The parts of a duel's attempt that a sitting needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its day.
    pub day: Day,
    /// Whether the attempt counts. Others are practice.
    pub counts: bool,
    /// The number of hints and reasons shown.
    pub hints: u64,
}

impl Attempt {
    /// A day's first attempt, or a practice attempt.
    pub fn new(day: Day, counts: bool) -> Attempt {
        Attempt { day, counts, hints: 0 }
    }

    /// The next attempt, for practice.
    #[must_use]
    pub fn again(self) -> Attempt {
        Attempt::new(self.day, false)
    }
}

/// The duel's result for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowItEnded {
    /// The person won, no matter how.
    Won,
    /// The computer won.
    Lost,
    /// A draw.
    Drawn,
    /// The person gave up, which also counts as a loss.
    GaveUp,
}

impl HowItEnded {
    /// All of them.
    pub const ALL: [HowItEnded; 4] =
        [HowItEnded::Won, HowItEnded::Lost, HowItEnded::Drawn, HowItEnded::GaveUp];

    /// The word in machine-readable text.
    pub fn word(self) -> &'static str {
        match self {
            HowItEnded::Won => "won",
            HowItEnded::Lost => "lost",
            HowItEnded::Drawn => "drawn",
            HowItEnded::GaveUp => "gave-up",
        }
    }
}

/// The score of a finished duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How it ended.
    pub ended: HowItEnded,
    /// Both players' moves, added up.
    pub moves: u64,
    /// The hints and reasons shown.
    pub hints: u64,
}

impl Score {
    /// A person's score in a round; `None` while it isn't over.
    pub fn for_round(round: &Round, person: Player, hints: u64) -> Option<Score> {
        let outcome = round.outcome()?;
        let ended = match outcome.winner {
            None => HowItEnded::Drawn,
            Some(winner) if winner == person => HowItEnded::Won,
            Some(_) if outcome.ending == Ending::Resigned => HowItEnded::GaveUp,
            Some(_) => HowItEnded::Lost,
        };
        Some(Score { ended, moves: round.history().len() as u64, hints })
    }
}

/// Consecutive days with a won duel.
///
/// A day's first finished attempt counts. Later attempts are practice. A lost or missed day ends the streak. A day that
/// isn't later than the last counted one changes nothing, so setting the clock back or crossing time zones does no
/// harm.
///
/// The text form is `2026-11-15 won 15 0 3 7`: the last day with its score, then the current streak and the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streak {
    last: Option<(Day, Score)>,
    current: u64,
    best: u64,
}

/// The text isn't a streak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a streak like 2026-11-15 won 15 0 3 7")]
pub struct NoStreak;

impl Streak {
    /// Whether a duel of this day would count.
    pub fn takes(&self, day: Day) -> bool {
        self.last.is_none_or(|(last, _)| day > last)
    }

    /// The streak after a duel; `None` if it doesn't change.
    #[must_use]
    pub fn counted(&self, day: Day, score: Score) -> Option<Streak> {
        if !self.takes(day) {
            return None;
        }
        let current = if score.ended == HowItEnded::Won { self.on(day).saturating_add(1) } else { 0 };
        Some(Streak { last: Some((day, score)), current, best: self.best.max(current) })
    }

    /// The last counted day with its score.
    pub fn last(&self) -> Option<(Day, Score)> {
        self.last
    }

    /// A day's score, if that day is the last counted one.
    pub fn score(&self, day: Day) -> Option<Score> {
        self.last.filter(|(last, _)| *last == day).map(|(_, score)| score)
    }

    /// The streak in days on a given day; 0 after a missed day.
    pub fn on(&self, day: Day) -> u64 {
        let goes_on = self.last.is_some_and(|(last, _)| day <= last.next());
        if goes_on { self.current } else { 0 }
    }

    /// The best streak.
    pub fn best(&self) -> u64 {
        self.best
    }
}

impl fmt::Display for Streak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Streak { last, current, best } = self;
        match last {
            Some((day, Score { ended, moves, hints })) => {
                write!(f, "{day} {} {moves} {hints} {current} {best}", ended.word())
            }
            None => write!(f, "none"),
        }
    }
}

impl FromStr for Streak {
    type Err = NoStreak;

    fn from_str(text: &str) -> Result<Streak, NoStreak> {
        if text == "none" {
            return Ok(Streak::default());
        }
        let words: Vec<&str> = text.split(' ').collect();
        let [day, ended, moves, hints, current, best] = words[..] else { return Err(NoStreak) };
        let number = |word: &str| word.parse::<u64>().map_err(|_| NoStreak);
        let day = day.parse().map_err(|_| NoStreak)?;
        let ended = HowItEnded::ALL.into_iter().find(|known| known.word() == ended).ok_or(NoStreak)?;
        let score = Score { ended, moves: number(moves)?, hints: number(hints)? };
        Ok(Streak { last: Some((day, score)), current: number(current)?, best: number(best)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn score(ended: HowItEnded) -> Score {
        Score { ended, moves: 12, hints: 2 }
    }

    /// For every sequence of results over six days, even if earlier days are reported again, the streak matches a list
    /// of all days.
    #[test]
    fn the_streak_is_what_a_list_of_days_says() {
        const DAYS: usize = 6;
        // These days cross the end of February.
        let days: Vec<Day> =
            std::iter::successors(Some(day("2028-02-26")), |day| Some(day.next())).take(DAYS + 2).collect();
        let what = [None, Some(HowItEnded::Won), Some(HowItEnded::Lost), Some(HowItEnded::GaveUp)];
        for number in 0..what.len().pow(DAYS as u32) {
            let happens: Vec<Option<HowItEnded>> =
                (0..DAYS).map(|place| what[number / what.len().pow(place as u32) % what.len()]).collect();
            let mut streak = Streak::default();
            for (place, ended) in happens.iter().enumerate() {
                let Some(ended) = ended else { continue };
                streak = streak.counted(days[place], score(*ended)).unwrap();
                // Neither another try nor setting the clock back changes anything.
                for earlier in &days[..=place] {
                    assert_eq!(streak.counted(*earlier, score(HowItEnded::Won)), None);
                    assert_eq!(streak.counted(*earlier, score(HowItEnded::Lost)), None);
                }
                assert_eq!(streak.to_string().parse(), Ok(streak));
            }
            // From the list: the runs of won days, and the run that reaches the day or the day before it.
            let won: Vec<bool> = happens.iter().map(|ended| *ended == Some(HowItEnded::Won)).collect();
            let runs = won.split(|won| !won).map(<[bool]>::len);
            assert_eq!(streak.best(), runs.max().unwrap() as u64, "{happens:?}");
            let last = happens.iter().rposition(Option::is_some);
            for asked in last.unwrap_or(0)..DAYS + 2 {
                let until = if won.get(asked) == Some(&true) { asked + 1 } else { asked };
                let lost_now = happens.get(asked).is_some_and(|ended| ended.is_some() && !won[asked]);
                let before: Vec<bool> = (0..until).map(|place| won.get(place) == Some(&true)).collect();
                let run = before.iter().rev().take_while(|won| **won).count();
                let expected = if lost_now { 0 } else { run as u64 };
                assert_eq!(streak.on(days[asked]), expected, "{happens:?} on {}", days[asked]);
            }
        }
    }

    #[test]
    fn an_invalid_streak_is_refused() {
        for text in
            ["", "2026-11-15", "2026-11-31 won 1 0 1 1", "2026-11-15 one 1 0 1 1", "2026-11-15 won 1 0 1 -1"]
        {
            assert_eq!(text.parse::<Streak>(), Err(NoStreak), "{text}");
        }
        assert_eq!(Streak::default().to_string().parse(), Ok(Streak::default()));
    }

    /// Generator 1 never changes, so neither do a day's game and who goes first.
    #[test]
    fn a_days_game_never_changes() {
        let known = [
            ("2026-11-15", "+2 +3 +5 +9 +digit to 57, no multiples of 5", true, "8dcce524d995a444"),
            ("2026-11-18", "+2 +3 +4 +8 to 49, no multiples of 4", false, "664ff0b84765be81"),
            ("2028-02-29", "+2 +4 +9 to 56", true, "befa4c0b93cef466"),
        ];
        for (text, title, first, fingerprint) in known {
            let duel = Duel::for_day(day(text), &mut Budget::patient(16 << 20)).unwrap();
            let rulebook = duel.game().unwrap().rulebook().unwrap();
            assert_eq!(duel.title(), title);
            assert_eq!(Duel::day_of(&duel.book().id), Some(duel.day));
            assert_eq!((duel.person_goes_first(), rulebook.fingerprint().as_str()), (first, fingerprint));
            assert_eq!(rulebook.fingerprint(), duel.invented.rulebook.fingerprint());
            assert!(!duel.text().contains('#'), "the comments reveal who wins");
        }
    }
}
