//! Cache of recently used sittings, so players needn't wait for the store. It holds only committed state, and the store
//! is the source of truth.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quick_cache::unsync::Cache;
use spoton::engine::position::{ByPlayer, Player};

use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_CACHED_ROOMS, MOST_EVENTS_AT_ONCE};
use crate::room::Room;
use crate::store::Store;
use crate::tables::writer::Failed;

pub struct RoomCache {
    store: Arc<dyn Store>,
    known: Mutex<Known>,
}

struct Known {
    rooms: Cache<SittingId, CachedRoom>,
    /// Counts invalidations. A read that began before one mustn't be cached after it: it may be outdated.
    forgotten: u64,
}

/// The current state of a sitting.
#[derive(Clone)]
struct CachedRoom {
    room: Arc<Room>,
    /// The seat holders.
    holders: ByPlayer<Option<Hash>>,
}

impl RoomCache {
    pub fn new(store: Arc<dyn Store>) -> RoomCache {
        let known = Known { rooms: Cache::new(MOST_CACHED_ROOMS), forgotten: 0 };
        RoomCache { store, known: Mutex::new(known) }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a room's current state.
    ///
    /// # Errors
    ///
    /// Fails if it doesn't exist or can't be read.
    pub async fn room(&self, id: SittingId) -> Result<Arc<Room>, Failed> {
        Ok(self.cached(id).await?.room)
    }

    /// Returns the holder's seats in a sitting.
    ///
    /// # Errors
    ///
    /// Fails if the sitting doesn't exist or can't be read.
    pub async fn seats(&self, id: SittingId, holder: Hash) -> Result<Vec<Player>, Failed> {
        let holders = self.cached(id).await?.holders;
        Ok(Player::BOTH.into_iter().filter(|player| holders[*player] == Some(holder)).collect())
    }

    async fn cached(&self, id: SittingId) -> Result<CachedRoom, Failed> {
        let forgotten = {
            let known = self.known();
            if let Some(cached) = known.rooms.get(&id) {
                return Ok(cached.clone());
            }
            known.forgotten
        };
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
        let room = Arc::new(room.ok_or(Failed::Unknown)?);
        // Read after the log: joining adds an event, so holders newer than the room are soon replaced, and they are
        // never older.
        let mut holders = ByPlayer::default();
        for (player, holder) in self.store.holders(id).await? {
            holders[player] = Some(holder);
        }
        let cached = CachedRoom { room, holders };
        let mut known = self.known();
        match known.rooms.get(&id) {
            // The writer was faster.
            Some(later) if later.room.seq() > cached.room.seq() => return Ok(later.clone()),
            _ if known.forgotten != forgotten => return Ok(cached),
            _ => {}
        }
        let before = known.rooms.len();
        known.rooms.insert(id, cached.clone());
        if known.rooms.len() <= before {
            // It took another room's place, which counts as an invalidation.
            known.forgotten += 1;
        }
        Ok(cached)
    }

    /// Caches a room and new seat holders after their commit.
    pub fn keep(&self, id: SittingId, room: &Arc<Room>, seats: &[(Player, Hash)]) {
        let known = &mut *self.known();
        let (room, seq) = (Arc::clone(room), room.seq());
        match known.rooms.get_mut(&id) {
            Some(mut cached) if cached.room.seq() < seq => {
                cached.room = room;
                for (player, holder) in seats {
                    cached.holders[*player] = Some(*holder);
                }
            }
            // This read already includes the commit.
            Some(_) => {}
            // The sitting is new, or was dropped meanwhile. A read in progress may be outdated.
            None => known.forgotten += 1,
        }
    }

    pub fn forget(&self, id: SittingId) {
        let mut known = self.known();
        known.rooms.remove(&id);
        known.forgotten += 1;
    }

    /// Drops everything: cache entries are read again when needed.
    pub fn forget_all(&self) {
        let mut known = self.known();
        known.rooms.clear();
        known.forgotten += 1;
    }

    /// Returns the number of cached rooms.
    pub fn count(&self) -> usize {
        self.known().rooms.len()
    }
}
