//! The duels of days: each is invented once, and how many days in a row somebody has won is worked out from theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spoton::people::day::Day;
use spoton::people::today::{Duel, Streak};
use spoton::sitting::Lookahead;
use spoton::solver::Budget;

use crate::api::Problem;
use crate::ids::{Hash, SittingId};
use crate::limits::{CACHE_BYTES, MOST_DUELS, TIME_TO_INVENT};
use crate::store::Millis;
use crate::tables::{Tables, now};
use crate::writer::Failed;

/// The duels that are known.
#[derive(Default)]
pub struct Duels {
    known: Mutex<BTreeMap<Day, Arc<Duel>>>,
}

impl Duels {
    /// Remembers a duel.
    pub fn keep(&self, duel: Arc<Duel>) {
        let mut known = self.known();
        if known.len() >= MOST_DUELS {
            // Any of them can be invented again.
            known.retain(|day, _| may_be_today(*day));
        }
        known.insert(duel.day, duel);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Day, Arc<Duel>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a browser's streak is remembered by.
const STREAK: &str = "today";

/// How the places of its attempts are remembered, each with the day behind it.
const ATTEMPT: &str = "duel ";

/// What day it is here.
pub fn today() -> Day {
    day_of(now())
}

/// The day of a time.
pub fn day_of(at: Millis) -> Day {
    Day::since_1970(at / (24 * 60 * 60 * 1000))
}

/// Whether it may be this day where somebody is: somewhere it is tomorrow already, or still yesterday.
pub fn may_be_today(day: Day) -> bool {
    let here = today();
    day == here || day.next() == here || here.next() == day
}

/// The duel of a day.
pub async fn duel(tables: &Tables, day: Day) -> Result<Arc<Duel>, Problem> {
    if let Some(duel) = tables.duels.known().get(&day) {
        return Ok(Arc::clone(duel));
    }
    let again = tables.clone();
    let invent = move |ahead: &mut Lookahead<'_>| {
        // Someone else may have asked for the same day, and been first.
        if let Some(duel) = again.duels.known().get(&day) {
            return Ok(Arc::clone(duel));
        }
        Duel::of(day, &mut Budget::new(CACHE_BYTES, ahead.keep_going)).map(Arc::new)
    };
    // Everyone wants today's; few want another one.
    let duel = match may_be_today(day) {
        true => tables.thinking.question(Hash::of(day.to_string()), TIME_TO_INVENT, invent).await?,
        false => tables.thinking.report(None, TIME_TO_INVENT, invent).await?,
    };
    let duel = duel.map_err(|_| Problem::from(crate::thinking::TooBusy))?;
    tables.duels.keep(Arc::clone(&duel));
    Ok(duel)
}

/// How somebody stands with the duels of days.
#[derive(Debug, Default)]
pub struct Standing {
    pub streak: Streak,
    /// The attempts that count and are not over.
    pub left: BTreeMap<Day, SittingId>,
    /// The days whose attempts went to another device.
    pub moved: BTreeSet<Day>,
}

/// How a browser stands: what is remembered, and what has come to an end since.
pub async fn standing(tables: &Tables, holder: Hash) -> Result<Standing, Failed> {
    let mut standing = Standing::default();
    let mut attempts = BTreeMap::new();
    for (key, value) in tables.store.remembered(holder).await? {
        if key == STREAK {
            // What cannot be understood was not written by this version, and begins anew.
            standing.streak = value.parse().unwrap_or_default();
        } else if let Some(day) = key.strip_prefix(ATTEMPT)
            && let (Ok(day), Ok(id)) = (day.parse::<Day>(), value.parse::<SittingId>())
        {
            attempts.insert(day, id);
        }
    }
    for (day, id) in attempts {
        let room = match tables.heads.room(id).await {
            Ok(room) => room,
            // It was left before the first move, or cannot be read any more.
            Err(Failed::Unknown | Failed::Damaged) => continue,
            Err(failed) => return Err(failed),
        };
        if tables.store.seats(id, holder).await?.is_empty() {
            standing.moved.insert(day);
            continue;
        }
        match room.todays() {
            _ if !standing.streak.takes(day) => {}
            Some((_, score)) => {
                standing.streak = standing.streak.counted(day, score).unwrap_or(standing.streak);
            }
            None => drop(standing.left.insert(day, id)),
        }
    }
    standing.left.retain(|day, _| standing.streak.takes(*day));
    Ok(standing)
}

/// Remembers where the attempt of a day is, and what came of those before: they don't stay for ever.
pub async fn remember(
    tables: &Tables,
    holder: Hash,
    streak: Streak,
    day: Day,
    id: SittingId,
) -> Result<(), Failed> {
    let remember = |key: String, value: String| tables.store.remember(holder, key, Some(value), now());
    remember(STREAK.to_owned(), streak.to_string()).await?;
    remember(format!("{ATTEMPT}{day}"), id.to_string()).await?;
    Ok(())
}

/// The attempt that counts goes along to another device.
pub async fn take_along(tables: &Tables, id: SittingId, holder: Hash) -> Result<(), Failed> {
    let room = tables.heads.room(id).await?;
    let attempt = room.sitting().setup().today.filter(|attempt| attempt.counts);
    let Some(attempt) = attempt else { return Ok(()) };
    let standing = standing(tables, holder).await?;
    // Who has an attempt at this duel here already keeps that one.
    match standing.streak.takes(attempt.day) && !standing.left.contains_key(&attempt.day) {
        true => remember(tables, holder, standing.streak, attempt.day, id).await,
        false => Ok(()),
    }
}
