//! A calendar day. The caller supplies the current day.
//!
//! ```
//! use spoton::day::Day;
//!
//! let day: Day = "2028-02-29".parse()?;
//! assert_eq!(day.next().to_string(), "2028-03-01");
//! assert_eq!(day.in_words(), "29 Feb");
//! assert_eq!(day.in_words_on("2029-01-01".parse()?), "29 Feb 2028");
//! assert!("2027-02-29".parse::<Day>().is_err());
//! # Ok::<(), spoton::day::NoSuchDay>(())
//! ```

use std::fmt;
use std::str::FromStr;

/// A day in the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// The day doesn't exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a date like 2026-11-15")]
pub struct NoSuchDay;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The prefix of daily duels' ids.
const DUEL: &str = "today-";

impl Day {
    /// The id of this day's duel: `today-2026-11-15`.
    pub fn duel(self) -> String {
        format!("{DUEL}{self}")
    }

    /// Parses the day from the id of its duel.
    pub(crate) fn of_duel(id: &str) -> Option<Day> {
        id.strip_prefix(DUEL)?.parse().ok()
    }

    /// Builds a day from year, month and day of the month.
    ///
    /// # Errors
    ///
    /// If it doesn't exist.
    pub fn new(year: u16, month: u8, day: u8) -> Result<Day, NoSuchDay> {
        let fits = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of(year, month)).contains(&day);
        if fits { Ok(Day { year, month, day }) } else { Err(NoSuchDay) }
    }

    /// The day `days` days after 1 January 1970.
    pub fn since_1970(days: u64) -> Day {
        let mut left = days;
        let mut year = 1970;
        while year < 9999 && left >= 365 + u64::from(is_leap(year)) {
            left -= 365 + u64::from(is_leap(year));
            year += 1;
        }
        let mut month = 1;
        while month < 12 && left >= u64::from(days_of(year, month)) {
            left -= u64::from(days_of(year, month));
            month += 1;
        }
        Day { year, month, day: left.min(30) as u8 + 1 }
    }

    /// The next day. Saturates at the last one.
    #[must_use]
    pub fn next(self) -> Day {
        let Day { year, month, day } = self;
        let later = [(year, month, day + 1), (year, month + 1, 1), (year + 1, 1, 1)];
        let next = later.into_iter().find_map(|(year, month, day)| Day::new(year, month, day).ok());
        next.unwrap_or(self)
    }

    /// The day as one number: 20261115.
    pub fn number(self) -> u64 {
        u64::from(self.year) * 10_000 + u64::from(self.month) * 100 + u64::from(self.day)
    }

    /// The day without its year: `15 Nov`.
    pub fn in_words(self) -> String {
        format!("{} {}", self.day, MONTHS[usize::from(self.month) - 1])
    }

    /// The day with its year, unless that's the current one: `15 Nov`, `15 Nov 2020`.
    pub fn in_words_on(self, today: Day) -> String {
        if self.year == today.year { self.in_words() } else { format!("{} {}", self.in_words(), self.year) }
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of(year: u16, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Day {
    type Err = NoSuchDay;

    fn from_str(text: &str) -> Result<Day, NoSuchDay> {
        let mut parts = text.splitn(3, '-');
        let mut part = |length: usize| {
            let part = parts.next().filter(|part| part.len() == length).ok_or(NoSuchDay)?;
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            if digits { part.parse::<u16>().map_err(|_| NoSuchDay) } else { Err(NoSuchDay) }
        };
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        Day::new(year, month as u8, day as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each day follows the one before, no matter how it's computed.
    #[test]
    fn days_follow_each_other() {
        let mut day: Day = "1970-01-01".parse().unwrap();
        for days in 0..200_000 {
            assert_eq!(Day::since_1970(days), day);
            assert_eq!(day.to_string().parse(), Ok(day));
            assert!(day.next() > day);
            day = day.next();
        }
        let known = [
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_772, "2026-11-15"),
            (20_818, "2026-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ];
        for (days, day) in known {
            assert_eq!(Day::since_1970(days).to_string(), day);
        }
    }

    #[test]
    fn an_invalid_date_is_refused() {
        for text in
            ["", "2026-11", "2026-11-31", "2026-00-01", "0000-01-01", "26-11-15", "2026-11-15-1", "+026-1-15"]
        {
            assert_eq!(text.parse::<Day>(), Err(NoSuchDay), "{text}");
        }
        let last: Day = "9999-12-31".parse().unwrap();
        assert_eq!(last.next(), last);
        assert_eq!(Day::since_1970(u64::MAX).to_string(), "9999-12-31");
    }
}
