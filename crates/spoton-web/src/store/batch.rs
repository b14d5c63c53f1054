//! Pure computation of a batch: which writes are accepted, and the rows that result. Doesn't touch the database.

use std::collections::{BTreeMap, BTreeSet};

use spoton::engine::position::Player;

use super::{IdempotentAnswer, Invitation, Listed, Millis, Refused, Stored, Write};
use crate::ids::{Hash, SittingId};

/// The existing rows that a batch refers to.
#[derive(Debug, Default)]
pub struct Found {
    /// The last event of each sitting.
    pub last: BTreeMap<SittingId, u64>,
    pub asked: BTreeMap<Hash, IdempotentAnswer>,
    /// When each invitation expires.
    pub invitations: BTreeMap<(SittingId, Hash), Option<Millis>>,
    /// When each open class expires.
    pub open_classes: BTreeMap<String, Millis>,
}

/// The rows to write.
#[derive(Debug, Default)]
pub struct Batch {
    found: Found,
    pub asked: BTreeMap<Hash, (SittingId, Millis, IdempotentAnswer)>,
    /// In order.
    pub events: Vec<(SittingId, Stored)>,
    pub listed: BTreeMap<SittingId, Listed>,
    /// `None` deletes a used invitation.
    pub invitations: BTreeMap<(SittingId, Hash), Option<Invitation>>,
    pub seats: BTreeMap<(SittingId, Player), Hash>,
    /// With the time of their last use.
    pub books: BTreeMap<Hash, (String, Millis)>,
    pub played: BTreeSet<(SittingId, Hash)>,
}

impl Batch {
    pub fn new(found: Found) -> Batch {
        Batch { found, ..Batch::default() }
    }

    /// Returns a sitting's last event before the batch, 0 if it's new.
    #[cfg(feature = "postgres")]
    pub fn before(&self, id: SittingId) -> u64 {
        self.found.last.get(&id).copied().unwrap_or(0)
    }

    /// Adds a write, or returns why it's refused after the earlier ones.
    pub fn add(&mut self, write: Write) -> Result<(), Refused> {
        if let Some(refusal) = self.refusal(&write) {
            return Err(refusal);
        }
        let (id, at) = (write.id, write.listed.at);
        if let Some(asked) = write.asked {
            self.asked.insert(asked.key, (id, at, asked));
        }
        self.events.extend(write.events.into_iter().map(|event| (id, event)));
        self.listed.insert(id, write.listed);
        if let Some(burnt) = write.burns {
            self.invitations.insert((id, burnt), None);
        }
        self.invitations.extend(write.invites.into_iter().map(|made| ((id, made.secret), Some(made))));
        self.seats.extend(write.seats.into_iter().map(|(player, holder)| ((id, player), holder)));
        if let Some(book) = write.book {
            self.played.insert((id, book.hash));
            let (_, used) = self.books.entry(book.hash).or_insert((book.text, at));
            *used = at.max(*used);
        }
        Ok(())
    }

    fn refusal(&self, write: &Write) -> Option<Refused> {
        if let Some(asked) = write.asked.as_ref().and_then(|asked| self.asked_before(asked.key)) {
            return Some(Refused::Again(asked.clone()));
        }
        let mut last = match self.listed.get(&write.id) {
            Some(listed) => listed.seq,
            None => self.found.last.get(&write.id).copied().unwrap_or(0),
        };
        for event in &write.events {
            if event.seq != last + 1 {
                return Some(Refused::Taken);
            }
            last = event.seq;
        }
        if last == 0 || write.listed.seq != last {
            return Some(Refused::Taken);
        }
        let at = write.listed.at;
        if let Some(burnt) = write.burns {
            let until = self.until((write.id, burnt));
            let is_good = until.is_some_and(|until| until.is_none_or(|until| until > at));
            if !is_good {
                return Some(Refused::NoInvitation);
            }
        }
        let until = self.found.open_classes.get(write.open_class.as_ref()?);
        let is_open = until.is_some_and(|until| *until > at);
        (!is_open).then_some(Refused::ClosedClass)
    }

    fn asked_before(&self, key: Hash) -> Option<&IdempotentAnswer> {
        let new = self.asked.get(&key).map(|(_, _, asked)| asked);
        new.or_else(|| self.found.asked.get(&key))
    }

    /// Returns when an invitation expires, if it exists.
    fn until(&self, place: (SittingId, Hash)) -> Option<Option<Millis>> {
        match self.invitations.get(&place) {
            Some(changed) => changed.map(|invitation| invitation.until),
            None => self.found.invitations.get(&place).copied(),
        }
    }
}
