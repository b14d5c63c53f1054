//! The duel of a day: a new game every day, the same for everybody, with a line to paste and a streak.
//!
//! Its game is the one that is [invented](super::invent) from the number of the day. What day it is, whoever has a
//! clock says; where the streak is kept, whoever has files.
//!
//! ```
//! use spoton::people::today::{Duel, HowItEnded, Score, Streak, line};
//! use spoton::solver::Budget;
//!
//! let day = "2026-11-15".parse()?;
//! let duel = Duel::of(day, &mut Budget::patient(16 << 20))?;
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

use super::day::Day;
use super::invent::{Bounds, Invented, Inventor};
use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::{BadGame, BookText, Changes, Game};
use crate::solver::{Budget, Unsolved};
use crate::words::phrases;

/// The id of the opponent of every day.
pub const OPPONENT: &str = "otto";

/// How the ids of these games begin.
const ID: &str = "today-";

/// The game of a day.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The day.
    pub day: Day,
    /// The game that was invented for it.
    pub invented: Invented,
}

impl Duel {
    /// The duel of a day. Generator 1 never changes, so neither does the game of a day.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
    pub fn of(day: Day, budget: &mut Budget<'_>) -> Result<Duel, Unsolved> {
        let mut seed = day.number();
        loop {
            if let Some(invented) = Inventor::new(seed, Bounds::usual()).next(budget)? {
                return Ok(Duel { day, invented });
            }
            // No day is known to have no game. If one should, a seed stands in that is no day's.
            seed += 100_000_000;
        }
    }

    /// What the game is called.
    pub fn title(&self) -> &str {
        self.invented.rulebook.title()
    }

    /// Whether the person goes first. They have the seat that can win, as in the first round that anybody plays: these
    /// games are never drawn, so there is exactly one.
    pub fn person_goes_first(&self) -> bool {
        self.invented.certificate.figures.winner() == Some(Player::One)
    }

    /// What the person should know before the first move. That their seat can win is not told.
    pub fn in_words(&self, terms: Terms) -> String {
        let seat = if self.person_goes_first() { "first" } else { "second" };
        let terms = match terms {
            Terms::Counts => "It counts: hints are counted too, and no move is taken back.",
            Terms::CannotBeKept => "It cannot be kept, so your streak stays as it is.",
            Terms::Practice => "It is for practice, and counts for nothing.",
        };
        format!("You go {seat}. {terms}")
    }

    /// The rule book. Its remarks are left out, since they tell who wins.
    pub fn text(&self) -> &str {
        self.invented.text_without_remarks()
    }

    /// The game, to sit down to.
    ///
    /// # Errors
    ///
    /// Never, since it was valid when it was invented.
    pub fn game(&self) -> Result<Game, BadGame> {
        let book = self.book();
        let name = book.id.clone();
        Game::new(book, name, &Changes::default())
    }

    /// The same before it is made into a game. Records of it carry their rules, as those of anybody's own games do.
    pub fn book(&self) -> BookText {
        let id = format!("{ID}{}", self.day);
        let source_name = format!("{id}.toml");
        BookText { id, own_file: true, source_name, text: self.text().to_owned() }
    }

    /// The day whose game has this id, such as `today-2026-11-15`.
    pub fn day_of(id: &str) -> Option<Day> {
        id.strip_prefix(ID)?.parse().ok()
    }
}

/// On which terms the duel of a day is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// It is the one that counts.
    Counts,
    /// It would count, but there is nowhere to keep what it comes to.
    CannotBeKept,
    /// It counts for nothing.
    Practice,
}

/// A round of the duel of a day, as far as a sitting has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Of which day.
    pub day: Day,
    /// Whether it is the one that counts. The others are for practice.
    pub counts: bool,
    /// How many hints and reasons were told in it.
    pub hints: u64,
}

impl Attempt {
    /// The first attempt of a day, or one for practice.
    pub fn new(day: Day, counts: bool) -> Attempt {
        Attempt { day, counts, hints: 0 }
    }

    /// What it is to somebody who takes it up again on a day: `This is the duel of 15 Nov, and it counts.`
    pub fn in_words(self, streak: &Streak, today: Day) -> String {
        let which = format!("This is the duel of {}", self.day.in_words_on(today));
        match (self.counts, streak.takes(self.day)) {
            (true, true) if self.day == today => format!("{which}, and it counts."),
            (true, true) => format!("{which}. It counts if you finish it before a later one."),
            (true, false) => format!("{which}. It counts for nothing: a later one has counted."),
            (false, _) => format!("{which}, for practice. It counts for nothing."),
        }
    }

    /// One more after it, for practice.
    #[must_use]
    pub fn again(self) -> Attempt {
        Attempt::new(self.day, false)
    }
}

/// How the duel ended for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowItEnded {
    /// The person won, by whatever rule.
    Won,
    /// The computer won.
    Lost,
    /// Nobody won.
    Drawn,
    /// The person gave up, which is a loss too.
    GaveUp,
}

impl HowItEnded {
    /// All of them.
    pub const ALL: [HowItEnded; 4] =
        [HowItEnded::Won, HowItEnded::Lost, HowItEnded::Drawn, HowItEnded::GaveUp];

    /// The word for it in texts that programs read.
    pub fn word(self) -> &'static str {
        match self {
            HowItEnded::Won => "won",
            HowItEnded::Lost => "lost",
            HowItEnded::Drawn => "drawn",
            HowItEnded::GaveUp => "gave-up",
        }
    }
}

/// What a finished duel came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How it ended.
    pub ended: HowItEnded,
    /// How many moves it took, of both players together.
    pub moves: u64,
    /// How many hints and reasons were told.
    pub hints: u64,
}

impl Score {
    /// What a round came to for a person in it; `None` while it goes on.
    pub fn of(round: &Round, person: Player, hints: u64) -> Option<Score> {
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

/// In words: `won in 15, no hints`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { ended, moves, hints } = *self;
        let how = match ended {
            HowItEnded::GaveUp => format!("gave up after {}", phrases::count(moves, "move", "moves")),
            HowItEnded::Won => format!("won in {moves}"),
            HowItEnded::Lost => format!("lost in {moves}"),
            HowItEnded::Drawn => format!("drawn in {moves}"),
        };
        let hints = if hints == 0 { "no hints".to_owned() } else { phrases::count(hints, "hint", "hints") };
        write!(f, "{how}, {hints}")
    }
}

/// What stands between the parts of the line to paste, where it may be broken.
pub const DOT: &str = " · ";

/// The line to paste, as it is told on a day. One that did not count says so: anybody wins at the third try.
pub fn line(day: Day, today: Day, title: &str, score: Score, counted: bool) -> String {
    let practice = if counted { "" } else { " (practice)" };
    format!("Spot On {}{DOT}{title}{DOT}{score}{practice}", day.in_words_on(today))
}

/// What is said of a duel that cannot count, since a later one has.
pub const LATER: &str = "You have played the duel of a later day, so this one counts for nothing.";

/// What is said after a duel that did not count.
pub const PRACTICE: &str = "This was practice, and counts for nothing.";

/// Days in a row on which the duel was won.
///
/// The first attempt of a day that is finished counts; those after it are for practice. A day that is lost or left out
/// ends the streak. A day that is not later than the last one that counted changes nothing, so that neither a clock that
/// goes back nor a journey across time zones does.
///
/// As a text it is `2026-11-15 won 15 0 3 7`: the last day with its score, then the streak and the best one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streak {
    last: Option<(Day, Score)>,
    current: u64,
    best: u64,
}

/// That a text is no streak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a streak looks like 2026-11-15 won 15 0 3 7")]
pub struct NoStreak;

impl Streak {
    /// Whether a duel of this day would count.
    pub fn takes(&self, day: Day) -> bool {
        self.last.is_none_or(|(last, _)| day > last)
    }

    /// The streak after the duel of a day; `None` if that changes nothing.
    #[must_use]
    pub fn counted(&self, day: Day, score: Score) -> Option<Streak> {
        if !self.takes(day) {
            return None;
        }
        let current = if score.ended == HowItEnded::Won { self.on(day).saturating_add(1) } else { 0 };
        Some(Streak { last: Some((day, score)), current, best: self.best.max(current) })
    }

    /// The last day that counted, and what its duel came to.
    pub fn last(&self) -> Option<(Day, Score)> {
        self.last
    }

    /// What the duel of a day came to, if it was the last that counted.
    pub fn score(&self, day: Day) -> Option<Score> {
        self.last.filter(|(last, _)| *last == day).map(|(_, score)| score)
    }

    /// How many days it is on a day: none once a day was left out.
    pub fn on(&self, day: Day) -> u64 {
        let goes_on = self.last.is_some_and(|(last, _)| day <= last.next());
        if goes_on { self.current } else { 0 }
    }

    /// The best there was.
    pub fn best(&self) -> u64 {
        self.best
    }

    /// A sentence or two on how it stands.
    pub fn in_words(&self, day: Day) -> String {
        let days = |count: u64| phrases::count(count, "day", "days");
        match (self.on(day), self.best) {
            (0, 0) => "A streak begins with the first day that you win.".to_owned(),
            (0, best) => format!("No streak just now. Your best: {}.", days(best)),
            (1, 1) => "Your streak: 1 day.".to_owned(),
            (now, best) if now == best => format!("Your streak: {}, your best so far.", days(now)),
            (now, best) => format!("Your streak: {}. Your best: {}.", days(now), days(best)),
        }
    }

    /// A few words beside the duel of a day in a menu.
    pub fn beside(&self, day: Day) -> String {
        let days = phrases::count(self.on(day), "day", "days");
        match (self.score(day), self.on(day)) {
            (Some(score), 0) => format!("{score} today"),
            (Some(score), _) => format!("{score}; streak: {days}"),
            // On a journey across time zones, or by a clock that was put back.
            (None, _) if !self.takes(day) => "for practice: a later day has counted".to_owned(),
            (None, 0) => "a new game every day, for everybody".to_owned(),
            (None, _) => format!("win it to keep your streak of {days}"),
        }
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

    #[test]
    fn the_line_tells_how_it_ended_and_how_much_help_there_was() {
        let told = |ended, moves, hints, counted| {
            let fifth = day("2026-11-05");
            let line = line(fifth, fifth, "+1 +4 +5 x3 to 36", Score { ended, moves, hints }, counted);
            line.strip_prefix("Spot On 5 Nov · +1 +4 +5 x3 to 36 · ").unwrap().to_owned()
        };
        assert_eq!(told(HowItEnded::Won, 15, 0, true), "won in 15, no hints");
        assert_eq!(told(HowItEnded::Won, 9, 1, false), "won in 9, 1 hint (practice)");
        assert_eq!(told(HowItEnded::Lost, 12, 2, true), "lost in 12, 2 hints");
        assert_eq!(told(HowItEnded::Drawn, 20, 0, true), "drawn in 20, no hints");
        assert_eq!(told(HowItEnded::GaveUp, 4, 3, true), "gave up after 4 moves, 3 hints");
        let score = Score { ended: HowItEnded::Won, moves: 9, hints: 0 };
        let years_ago = line(day("2020-02-29"), day("2026-11-05"), "+1 to 9", score, false);
        assert_eq!(years_ago, "Spot On 29 Feb 2020 · +1 to 9 · won in 9, no hints (practice)");
    }

    /// Over all sequences of what can happen on six days, told in any order of three clocks, the streak is what a list of
    /// all days says.
    #[test]
    fn the_streak_is_what_a_list_of_days_says() {
        const DAYS: usize = 6;
        // Across the end of a February.
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
                // Neither another try nor a clock that was put back changes anything.
                for earlier in &days[..=place] {
                    assert_eq!(streak.counted(*earlier, score(HowItEnded::Won)), None);
                    assert_eq!(streak.counted(*earlier, score(HowItEnded::Lost)), None);
                }
                assert_eq!(streak.to_string().parse(), Ok(streak));
            }
            // The list: runs of won days, and the one that reaches the day in question or the day before it.
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
    fn the_streak_in_words() {
        let mut streak = Streak::default();
        let mut today = day("2026-12-30");
        assert_eq!(streak.beside(today), "a new game every day, for everybody");
        assert_eq!(streak.in_words(today), "A streak begins with the first day that you win.");
        let mut told = Vec::new();
        for ended in [HowItEnded::Won, HowItEnded::Won, HowItEnded::Lost, HowItEnded::Won] {
            streak = streak.counted(today, score(ended)).unwrap();
            told.push((streak.in_words(today), streak.beside(today), streak.beside(today.next())));
            today = today.next();
        }
        let new = "a new game every day, for everybody";
        let expected = [
            (
                "Your streak: 1 day.",
                "won in 12, 2 hints; streak: 1 day",
                "win it to keep your streak of 1 day",
            ),
            (
                "Your streak: 2 days, your best so far.",
                "won in 12, 2 hints; streak: 2 days",
                "win it to keep your streak of 2 days",
            ),
            ("No streak just now. Your best: 2 days.", "lost in 12, 2 hints today", new),
            (
                "Your streak: 1 day. Your best: 2 days.",
                "won in 12, 2 hints; streak: 1 day",
                "win it to keep your streak of 1 day",
            ),
        ];
        let told: Vec<_> = told.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
        assert_eq!(told, expected);
        assert_eq!(streak.on(day("2027-02-01")), 0);
        // Nothing is promised for a day before the last one that counted.
        assert_eq!(streak.beside(day("2026-12-31")), "for practice: a later day has counted");
    }

    #[test]
    fn what_is_no_streak_is_refused() {
        for text in
            ["", "2026-11-15", "2026-11-31 won 1 0 1 1", "2026-11-15 one 1 0 1 1", "2026-11-15 won 1 0 1 -1"]
        {
            assert_eq!(text.parse::<Streak>(), Err(NoStreak), "{text}");
        }
        assert_eq!(Streak::default().to_string().parse(), Ok(Streak::default()));
    }

    #[test]
    fn an_attempt_that_was_left_says_whether_it_counts() {
        let (eve, today) = (day("2026-12-31"), day("2027-01-01"));
        let streak = Streak::default();
        let told = |attempt: Attempt, streak: &Streak| attempt.in_words(streak, today);
        assert_eq!(told(Attempt::new(today, true), &streak), "This is the duel of 1 Jan, and it counts.");
        assert_eq!(
            told(Attempt::new(eve, true), &streak),
            "This is the duel of 31 Dec 2026. It counts if you finish it before a later one."
        );
        let later = streak.counted(today, score(HowItEnded::Lost)).unwrap();
        assert_eq!(
            told(Attempt::new(eve, true), &later),
            "This is the duel of 31 Dec 2026. It counts for nothing: a later one has counted."
        );
        assert!(told(Attempt::new(today, false), &streak).contains("for practice"));
    }

    /// Generator 1 never changes, so neither does the game of a day, nor who goes first in it.
    #[test]
    fn the_game_of_a_day_is_the_same_for_ever() {
        let known = [
            ("2026-11-15", "+2 +3 +5 +9 +digit to 57, no multiples of 5", true, "8dcce524d995a444"),
            ("2026-11-18", "+2 +3 +4 +8 to 49, no multiples of 4", false, "664ff0b84765be81"),
            ("2028-02-29", "+2 +4 +9 to 56", true, "befa4c0b93cef466"),
        ];
        for (text, title, first, fingerprint) in known {
            let duel = Duel::of(day(text), &mut Budget::patient(16 << 20)).unwrap();
            let rulebook = duel.game().unwrap().rulebook().unwrap();
            assert_eq!(duel.title(), title);
            assert_eq!(Duel::day_of(&duel.book().id), Some(duel.day));
            assert_eq!((duel.person_goes_first(), rulebook.fingerprint().as_str()), (first, fingerprint));
            assert_eq!(rulebook.fingerprint(), duel.invented.rulebook.fingerprint());
            assert!(!duel.text().contains('#'), "the remarks tell who wins");
        }
    }
}
