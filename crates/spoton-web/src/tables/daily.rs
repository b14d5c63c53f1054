//! Today's duels: each is generated once. A browser's streak is computed from its attempts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spoton::day::Day;
use spoton::design::today::{Duel, Streak};
use spoton::sitting::Lookahead;
use spoton::solver::Budget;

use crate::ids::{Hash, SittingId};
use crate::limits::{CACHE_BYTES, MOST_DAILY_DUELS, TIME_TO_INVENT};
use crate::tables::Tables;
use crate::tables::writer::Failed;
use crate::thinking::{NoReport, TooBusy};

/// Cache of duels: safe to drop.
#[derive(Default)]
pub struct DailyDuels {
    known: Mutex<BTreeMap<Day, Arc<Duel>>>,
}

impl DailyDuels {
    /// Remembers a duel.
    pub fn keep(&self, duel: Arc<Duel>, today: Day) {
        let mut known = self.known();
        if known.len() >= MOST_DAILY_DUELS {
            // Old ones can be generated again.
            known.retain(|day, _| is_around(*day, today));
        }
        known.insert(duel.day, duel);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Day, Arc<Duel>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key for a browser's streak.
const STREAK: &str = "today";

/// The prefix of keys for attempts; the day follows.
const ATTEMPT: &str = "duel ";

/// Whether it may be this day in some time zone.
pub(crate) fn may_be_today(tables: &Tables, day: Day) -> bool {
    is_around(day, tables.clock.today())
}

fn is_around(day: Day, here: Day) -> bool {
    day == here || day.next() == here || here.next() == day
}

/// A day's duel.
pub async fn duel(tables: &Tables, day: Day) -> Result<Arc<Duel>, NoReport> {
    if let Some(duel) = tables.daily.known().get(&day) {
        return Ok(Arc::clone(duel));
    }
    let again = tables.clone();
    let invent = move |ahead: &mut Lookahead<'_>| {
        // Another job may have generated it in the meantime.
        if let Some(duel) = again.daily.known().get(&day) {
            return Ok(Arc::clone(duel));
        }
        Duel::for_day(day, &mut Budget::new(CACHE_BYTES, ahead.keep_going)).map(Arc::new)
    };
    // Today's is popular, so all requests share one job.
    let duel = match may_be_today(tables, day) {
        true => tables.thinking.question(Hash::digest(day.to_string()), TIME_TO_INVENT, invent).await?,
        false => tables.thinking.report(None, TIME_TO_INVENT, invent).await?,
    };
    let duel = duel.map_err(|_| TooBusy)?;
    tables.daily.keep(Arc::clone(&duel), tables.clock.today());
    Ok(duel)
}

/// A browser's duel record.
#[derive(Debug, Default)]
pub struct Standing {
    pub streak: Streak,
    /// Unfinished attempts that count.
    pub left: BTreeMap<Day, SittingId>,
    /// The days whose attempts moved to another device.
    pub moved: BTreeSet<Day>,
}

/// A browser's record: the stored streak, updated by attempts that ended since.
pub async fn standing(tables: &Tables, holder: Hash) -> Result<Standing, Failed> {
    let mut standing = Standing::default();
    let mut attempts = BTreeMap::new();
    for (key, value) in tables.store.remembered(holder).await? {
        if key == STREAK {
            // An unreadable streak is from another version; start over.
            standing.streak = value.parse().unwrap_or_default();
        } else if let Some(day) = key.strip_prefix(ATTEMPT)
            && let (Ok(day), Ok(id)) = (day.parse::<Day>(), value.parse::<SittingId>())
        {
            attempts.insert(day, id);
        }
    }
    let ids: Vec<SittingId> = attempts.values().copied().collect();
    tables.rooms.look(&ids).await?;
    for (day, id) in attempts {
        let room = match tables.rooms.known(id).await {
            Ok(seated) => seated.room,
            // Deleted before its first move, or damaged.
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

/// Stores a day's attempt, and the streak so far, because sittings are deleted eventually.
pub async fn remember(
    tables: &Tables,
    holder: Hash,
    streak: Streak,
    day: Day,
    id: SittingId,
) -> Result<(), Failed> {
    let now = tables.clock.now();
    let remember = |key: String, value: String| tables.store.remember(holder, key, Some(value), now);
    remember(STREAK.to_owned(), streak.to_string()).await?;
    remember(format!("{ATTEMPT}{day}"), id.to_string()).await?;
    Ok(())
}

/// Moves the attempt that counts to another device.
pub(crate) async fn take_along(tables: &Tables, id: SittingId, holder: Hash) -> Result<(), Failed> {
    let room = tables.rooms.room(id).await?;
    let attempt = room.sitting().setup().today.filter(|attempt| attempt.counts);
    let Some(attempt) = attempt else { return Ok(()) };
    let standing = standing(tables, holder).await?;
    // An attempt already on this device takes precedence.
    match standing.streak.takes(attempt.day) && !standing.left.contains_key(&attempt.day) {
        true => remember(tables, holder, standing.streak, attempt.day, id).await,
        false => Ok(()),
    }
}
