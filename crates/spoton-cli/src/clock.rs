//! Today's date.

use std::time::SystemTime;

use chrono::{Datelike, Local};
use spoton::day::Day;

/// Today in the player's time zone.
pub fn today() -> Day {
    let here = Local::now();
    let day = Day::new(here.year().try_into().unwrap_or(0), here.month() as u8, here.day() as u8);
    day.unwrap_or_else(|_| day_of(SystemTime::now()))
}

/// The UTC day of a time.
pub fn day_of(time: SystemTime) -> Day {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Day::since_1970(since.as_secs() / (24 * 60 * 60))
}
