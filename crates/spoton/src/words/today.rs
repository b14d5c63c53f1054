//! The daily duel in words: its terms, its result and the streak.

use std::fmt;

use crate::day::Day;
use crate::design::today::{Attempt, Duel, HowItEnded, Score, Streak, Terms};
use crate::words::phrases;

impl Duel {
    /// The sentence before the first move. It doesn't reveal that the seat can win.
    pub fn in_words(&self, terms: Terms) -> String {
        let seat = if self.person_goes_first() { "first" } else { "second" };
        let terms = match terms {
            Terms::Counts => "This one counts: hints are recorded and there's no undo.",
            Terms::CannotBeKept => "It can't be saved, so your streak won't change.",
            Terms::Practice => "This is practice and doesn't count.",
        };
        format!("You go {seat}. {terms}")
    }
}

impl Attempt {
    /// The sentence shown on resuming the duel: `This is today's duel, and it counts.`
    pub fn in_words(self, streak: &Streak, today: Day) -> String {
        let which = match self.day == today {
            true => "This is today's duel".to_owned(),
            false => format!("This is the duel of {}", self.day.in_words_on(today)),
        };
        match (self.counts, streak.takes(self.day)) {
            (true, true) if self.day == today => format!("{which}, and it counts."),
            (true, true) => format!("{which}. It counts if you finish it before a later one."),
            (true, false) => format!("{which}. It doesn't count: you've finished a later one."),
            (false, _) => format!("{which}, for practice. It doesn't count."),
        }
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

/// The separator in the line to share. The line may break there.
pub const DOT: &str = " · ";

/// The line to share, written on a given day. Marks practice, since anyone can win on the third try.
pub fn line(day: Day, today: Day, title: &str, score: Score, counted: bool) -> String {
    let practice = if counted { "" } else { " (practice)" };
    format!("Spot On {}{DOT}{title}{DOT}{score}{practice}", day.in_words_on(today))
}

/// Shown for a duel that can't count because a later one has.
pub const LATER: &str = "You've finished a later duel, so this one doesn't count.";

/// Shown after a duel that didn't count.
pub const PRACTICE: &str = "That was practice and doesn't count.";

impl Streak {
    /// The streak in a sentence or two.
    pub fn in_words(&self, day: Day) -> String {
        let days = |count: u64| phrases::count(count, "day", "days");
        match (self.on(day), self.best()) {
            (0, 0) if self.takes(day) => "Win today to start a streak.".to_owned(),
            (0, 0) => "Win the next duel to start a streak.".to_owned(),
            (0, best) => format!("No streak right now. Your best: {}.", days(best)),
            (1, 1) => "Your streak: 1 day.".to_owned(),
            (now, best) if now == best => format!("Your streak: {}, your best so far.", days(now)),
            (now, best) => format!("Your streak: {}. Your best: {}.", days(now), days(best)),
        }
    }

    /// A few words next to the duel in a menu.
    pub fn beside(&self, day: Day) -> String {
        let days = phrases::count(self.on(day), "day", "days");
        match (self.score(day), self.on(day)) {
            (Some(score), 0) => format!("{score} today"),
            (Some(score), _) => format!("{score}; streak: {days}"),
            // For example, after crossing time zones or setting the clock back.
            (None, _) if !self.takes(day) => "practice: you've finished a later duel".to_owned(),
            (None, 0) => "a new game every day, for everyone".to_owned(),
            (None, _) => format!("win to keep your streak of {days}"),
        }
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
    fn the_line_shows_the_result_and_the_hints() {
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

    #[test]
    fn the_streak_in_words() {
        let mut streak = Streak::default();
        let mut today = day("2026-12-30");
        assert_eq!(streak.beside(today), "a new game every day, for everyone");
        assert_eq!(streak.in_words(today), "Win today to start a streak.");
        let mut told = Vec::new();
        for ended in [HowItEnded::Won, HowItEnded::Won, HowItEnded::Lost, HowItEnded::Won] {
            streak = streak.counted(today, score(ended)).unwrap();
            told.push((streak.in_words(today), streak.beside(today), streak.beside(today.next())));
            today = today.next();
        }
        let new = "a new game every day, for everyone";
        let expected = [
            ("Your streak: 1 day.", "won in 12, 2 hints; streak: 1 day", "win to keep your streak of 1 day"),
            (
                "Your streak: 2 days, your best so far.",
                "won in 12, 2 hints; streak: 2 days",
                "win to keep your streak of 2 days",
            ),
            ("No streak right now. Your best: 2 days.", "lost in 12, 2 hints today", new),
            (
                "Your streak: 1 day. Your best: 2 days.",
                "won in 12, 2 hints; streak: 1 day",
                "win to keep your streak of 1 day",
            ),
        ];
        let told: Vec<_> = told.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
        assert_eq!(told, expected);
        assert_eq!(streak.on(day("2027-02-01")), 0);
        // No promise for a day before the last counted one.
        assert_eq!(streak.beside(day("2026-12-31")), "practice: you've finished a later duel");
    }

    #[test]
    fn an_attempt_that_was_left_says_whether_it_counts() {
        let (eve, today) = (day("2026-12-31"), day("2027-01-01"));
        let streak = Streak::default();
        let told = |attempt: Attempt, streak: &Streak| attempt.in_words(streak, today);
        assert_eq!(told(Attempt::new(today, true), &streak), "This is today's duel, and it counts.");
        assert_eq!(
            told(Attempt::new(eve, true), &streak),
            "This is the duel of 31 Dec 2026. It counts if you finish it before a later one."
        );
        let later = streak.counted(today, score(HowItEnded::Lost)).unwrap();
        assert_eq!(
            told(Attempt::new(eve, true), &later),
            "This is the duel of 31 Dec 2026. It doesn't count: you've finished a later one."
        );
        assert!(told(Attempt::new(today, false), &streak).contains("for practice"));
    }
}
