//! Cache of recently used sittings, so players needn't wait for the store. It holds only committed state, and the store
//! is the source of truth.
//!
//! If several servers share the store, a cached room may be behind. A read therefore first asks the store for the last
//! event ([`RoomCache::room`]). A command uses the room as it is ([`RoomCache::known`]): only its commit decides, and
//! before a refusal the writer looks again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::metrics::counter::Counter;
use quick_cache::unsync::Cache;
use spoton::engine::position::{ByPlayer, Player};

use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_CACHED_ROOMS, MOST_EVENTS_AT_ONCE};
use crate::room::{Event, Room};
use crate::store::{Listed, Store};
use crate::tables::writer::{Failed, Planted};

pub struct RoomCache {
    store: Arc<dyn Store>,
    /// Whether other servers write to the store.
    is_shared: bool,
    planted: Planted,
    /// Counts rooms that were behind the store when they were read.
    behind: Counter,
    known: Mutex<Known>,
}

struct Known {
    rooms: Cache<SittingId, Cached>,
    /// The reads in progress, by sitting.
    reads: BTreeMap<SittingId, Reads>,
    /// Counts the times that everything was dropped.
    forgotten: u64,
}

/// A cached sitting.
#[derive(Clone)]
struct Cached {
    seated: Seated,
    /// The last event that the store or another server has announced.
    announced: u64,
}

/// Reads of a sitting in progress.
#[derive(Default)]
struct Reads {
    count: usize,
    /// Counts changes. A read that began before one mustn't be cached after it: it may be outdated.
    changes: u64,
}

/// The state of a sitting.
#[derive(Clone)]
pub struct Seated {
    pub room: Arc<Room>,
    /// The seat holders. Never older than the room.
    pub holders: Holders,
}

pub type Holders = ByPlayer<Option<Hash>>;

impl Seated {
    /// Returns the holder's seats.
    pub fn seats(&self, holder: Hash) -> Vec<Player> {
        Player::BOTH.into_iter().filter(|player| self.holders[*player] == Some(holder)).collect()
    }
}

impl Known {
    /// Notes that a sitting has changed.
    fn changed(&mut self, id: SittingId) {
        if let Some(reads) = self.reads.get_mut(&id) {
            reads.changes += 1;
        }
    }
}

/// A read in progress.
struct Reading<'a> {
    cache: &'a RoomCache,
    id: SittingId,
    changes: u64,
    forgotten: u64,
}

impl Reading<'_> {
    /// Returns whether nothing has changed since it began.
    fn is_valid(&self, known: &Known) -> bool {
        let changes = known.reads.get(&self.id).map(|reads| reads.changes);
        changes == Some(self.changes) && known.forgotten == self.forgotten
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let mut known = self.cache.lock();
        if let Some(reads) = known.reads.get_mut(&self.id) {
            reads.count -= 1;
            if reads.count == 0 {
                known.reads.remove(&self.id);
            }
        }
    }
}

impl RoomCache {
    pub fn new(store: Arc<dyn Store>, behind: Counter, planted: Planted) -> RoomCache {
        let known = Known { rooms: Cache::new(MOST_CACHED_ROOMS), reads: BTreeMap::new(), forgotten: 0 };
        let is_shared = store.bell().is_some();
        RoomCache { store, is_shared, planted, behind, known: Mutex::new(known) }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether other servers write to the store, so a cached room may be behind.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Returns a room's current state.
    ///
    /// # Errors
    ///
    /// Fails if it doesn't exist or can't be read.
    pub async fn room(&self, id: SittingId) -> Result<Arc<Room>, Failed> {
        Ok(self.current(id).await?.room)
    }

    /// Returns the holder's seats in a sitting, as new as the last [`RoomCache::room`].
    ///
    /// # Errors
    ///
    /// Fails if the sitting doesn't exist or can't be read.
    pub async fn seats(&self, id: SittingId, holder: Hash) -> Result<Vec<Player>, Failed> {
        Ok(self.known(id).await?.seats(holder))
    }

    /// Returns a sitting's current state.
    ///
    /// # Errors
    ///
    /// Fails if it doesn't exist or can't be read.
    pub async fn current(&self, id: SittingId) -> Result<Seated, Failed> {
        self.look(&[id]).await?;
        self.known(id).await
    }

    /// Returns a room that has at least the event that the store's list names.
    ///
    /// # Errors
    ///
    /// Fails if it doesn't exist or can't be read.
    pub async fn listed(&self, id: SittingId, listed: &Listed) -> Result<Arc<Room>, Failed> {
        if self.is_shared && self.announce(id, listed.seq) {
            self.behind.inc();
        }
        Ok(self.known(id).await?.room)
    }

    /// Asks the store for newer events of cached sittings, if other servers may have added some.
    ///
    /// # Errors
    ///
    /// Fails if the store does.
    pub async fn look(&self, ids: &[SittingId]) -> Result<(), Failed> {
        if !self.is_shared || self.planted.stale_reads {
            return Ok(());
        }
        let cached: Vec<(SittingId, u64)> = {
            let known = self.lock();
            let seq = |id: &SittingId| Some((*id, known.rooms.peek(id)?.seated.room.seq()));
            ids.iter().filter_map(seq).collect()
        };
        if cached.is_empty() {
            return Ok(());
        }
        let last = self.store.last_events(cached.iter().map(|(id, _)| *id).collect()).await?;
        let last: BTreeMap<SittingId, u64> = last.into_iter().collect();
        for (id, before) in cached {
            match last.get(&id) {
                Some(seq) if *seq >= before => {
                    if self.announce(id, *seq) {
                        self.behind.inc();
                    }
                }
                // Another server has removed it, and perhaps begun it again.
                _ => self.forget(id),
            }
        }
        Ok(())
    }

    /// Notes a sitting's last event according to the store or another server. Returns whether the cached room was
    /// behind.
    pub fn announce(&self, id: SittingId, seq: u64) -> bool {
        let mut known = self.lock();
        let is_behind = match known.rooms.get_mut(&id) {
            Some(cached) if cached.announced.max(cached.seated.room.seq()) >= seq => return false,
            Some(mut cached) => {
                cached.announced = seq;
                true
            }
            None => false,
        };
        known.changed(id);
        is_behind
    }

    /// Returns a sitting's state as far as this server knows. Without other servers that's the current one.
    ///
    /// # Errors
    ///
    /// Fails if it doesn't exist or can't be read.
    pub async fn known(&self, id: SittingId) -> Result<Seated, Failed> {
        let (before, reading) = {
            let known = &mut *self.lock();
            let before = known.rooms.get(&id).cloned();
            if let Some(cached) = &before
                && cached.announced <= cached.seated.room.seq()
            {
                return Ok(cached.seated.clone());
            }
            let reads = known.reads.entry(id).or_default();
            reads.count += 1;
            (before, Reading { cache: self, id, changes: reads.changes, forgotten: known.forgotten })
        };
        let later = match &before {
            Some(cached) => self.later(id, &cached.seated).await?,
            None => None,
        };
        let (room, holders) = match later {
            Some(later) => later,
            None => (self.replay(id).await?, None),
        };
        let holders = match holders {
            Some(holders) => holders,
            // Read after the log: joining adds an event, so holders newer than the room are soon replaced, and they are
            // never older.
            None => self.holders(id).await?,
        };
        let seated = Seated { room: Arc::new(room), holders };
        let mut known = self.lock();
        match known.rooms.peek(&id) {
            // The writer was faster.
            Some(later) if later.seated.room.seq() > seated.room.seq() => return Ok(later.seated.clone()),
            _ if !reading.is_valid(&known) => return Ok(seated),
            _ => {}
        }
        known.rooms.insert(id, Cached { seated: seated.clone(), announced: 0 });
        Ok(seated)
    }

    async fn holders(&self, id: SittingId) -> Result<Holders, Failed> {
        let mut holders = Holders::default();
        for (player, holder) in self.store.holders(id).await? {
            holders[player] = Some(holder);
        }
        Ok(holders)
    }

    /// Returns a cached room after its newer events, with its seat holders if they are the same; `None` if it must be
    /// replayed from the start.
    async fn later(&self, id: SittingId, seated: &Seated) -> Result<Option<(Room, Option<Holders>)>, Failed> {
        let newer = self.store.events(id, seated.room.seq(), MOST_EVENTS_AT_ONCE).await?;
        if newer.is_empty() || newer.len() == MOST_EVENTS_AT_ONCE {
            return Ok(None);
        }
        let mut later = Room::clone(&seated.room);
        let mut are_same = true;
        for stored in &newer {
            if later.follow(stored).is_err() {
                return Ok(None);
            }
            // Every change of a holder adds one of these.
            are_same &= !matches!(later.last(), Some(Event::SeatTaken { .. } | Event::SeatMoved { .. }));
        }
        Ok(Some((later, are_same.then_some(seated.holders))))
    }

    async fn replay(&self, id: SittingId) -> Result<Room, Failed> {
        let mut log = Vec::new();
        loop {
            let more = self.store.events(id, log.len() as u64, MOST_EVENTS_AT_ONCE).await?;
            let is_last = more.len() < MOST_EVENTS_AT_ONCE;
            log.extend(more);
            if is_last {
                break;
            }
        }
        let room = Room::replay(&log).map_err(|damaged| {
            tracing::error!(seq = damaged.seq, "can't replay a log: it's corrupted");
            Failed::Damaged
        })?;
        room.ok_or(Failed::Unknown)
    }

    /// Caches a room and new seat holders after their commit. `before` is the last event before them.
    pub fn keep(&self, id: SittingId, before: u64, room: &Arc<Room>, seats: &[(Player, Hash)]) {
        let known = &mut *self.lock();
        known.changed(id);
        let Some(mut cached) = known.rooms.get_mut(&id) else { return };
        let seated = &mut cached.seated;
        if seated.room.seq() == before {
            seated.room = Arc::clone(room);
            for (player, holder) in seats {
                seated.holders[*player] = Some(*holder);
            }
        } else if seated.room.seq() < before {
            // It's behind, and so are its holders.
            cached.announced = room.seq().max(cached.announced);
        }
    }

    pub fn forget(&self, id: SittingId) {
        let mut known = self.lock();
        known.rooms.remove(&id);
        known.changed(id);
    }

    /// Drops everything: cache entries are read again when needed.
    pub fn forget_all(&self) {
        let mut known = self.lock();
        known.rooms.clear();
        known.forgotten += 1;
    }

    /// Returns the number of cached rooms.
    pub fn count(&self) -> usize {
        self.lock().rooms.len()
    }
}
