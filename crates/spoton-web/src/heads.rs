//! Sittings as they stand, as far as they were needed lately, so that whoever plays need not wait for the store. What is
//! kept there decides; this is only quicker, and holds nothing that is not kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spoton::engine::position::{ByPlayer, Player};

use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_EVENTS_AT_ONCE, MOST_HEADS};
use crate::room::Room;
use crate::store::Store;
use crate::writer::Failed;

pub struct Heads {
    store: Arc<dyn Store>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    heads: HashMap<SittingId, Head>,
    /// How often something was forgotten. What somebody began to read before that is not kept after it: it may be older
    /// than what was forgotten.
    forgotten: u64,
}

/// A sitting as it stands.
#[derive(Clone)]
struct Head {
    room: Arc<Room>,
    /// Who holds the seats.
    holders: ByPlayer<Option<Hash>>,
}

impl Heads {
    pub fn new(store: Arc<dyn Store>) -> Heads {
        Heads { store, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A room as it stands.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub async fn room(&self, id: SittingId) -> Result<Arc<Room>, Failed> {
        Ok(self.head(id).await?.room)
    }

    /// The seats of a holder in a sitting.
    ///
    /// # Errors
    ///
    /// If there is no such sitting, or it cannot be read.
    pub async fn seats(&self, id: SittingId, holder: Hash) -> Result<Vec<Player>, Failed> {
        let holders = self.head(id).await?.holders;
        Ok(Player::BOTH.into_iter().filter(|player| holders[*player] == Some(holder)).collect())
    }

    async fn head(&self, id: SittingId) -> Result<Head, Failed> {
        let forgotten = {
            let known = self.known();
            if let Some(head) = known.heads.get(&id) {
                return Ok(head.clone());
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
            tracing::error!(seq = damaged.seq, "a log does not replay");
            Failed::Damaged
        })?;
        let room = Arc::new(room.ok_or(Failed::Unknown)?);
        // After the log: whoever takes a seat adds an event, so that holders who are too new for the room do not last,
        // and they are never too old.
        let mut holders = ByPlayer::default();
        for (player, holder) in self.store.holders(id).await? {
            holders[player] = Some(holder);
        }
        let head = Head { room, holders };
        let mut known = self.known();
        match known.heads.get(&id) {
            // The one who writes was faster.
            Some(later) if later.room.seq() > head.room.seq() => return Ok(later.clone()),
            _ if known.forgotten != forgotten => return Ok(head),
            _ => {}
        }
        if known.heads.len() >= MOST_HEADS {
            // Any of them can be read again.
            known.heads.clear();
            known.forgotten += 1;
        }
        known.heads.insert(id, head.clone());
        Ok(head)
    }

    /// Takes in what a room has come to, and who has got which seat, once that is kept in the store.
    pub fn keep(&self, id: SittingId, room: &Arc<Room>, seats: &[(Player, Hash)]) {
        let mut known = self.known();
        let (room, seq) = (Arc::clone(room), room.seq());
        match known.heads.get_mut(&id) {
            Some(head) if head.room.seq() < seq => {
                head.room = room;
                for (player, holder) in seats {
                    head.holders[*player] = Some(*holder);
                }
            }
            // It was read after it was kept.
            Some(_) => {}
            // It is new, or was forgotten meanwhile. Whoever is just reading it may have come too early.
            None => known.forgotten += 1,
        }
    }

    pub fn forget(&self, id: SittingId) {
        let mut known = self.known();
        known.heads.remove(&id);
        known.forgotten += 1;
    }

    /// All of them are read again when they are needed.
    pub fn forget_all(&self) {
        let mut known = self.known();
        known.heads.clear();
        known.forgotten += 1;
    }

    /// How many are held.
    pub fn count(&self) -> usize {
        self.known().heads.len()
    }
}
