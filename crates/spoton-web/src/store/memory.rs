//! The in-memory reference implementation. Tests compare the others with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spoton::engine::position::Player;

use super::bell::{Bell, MemoryBell};
use super::{
    Before, Book, Class, IdempotentAnswer, Invitation, Listed, Millis, NotCommitted, OfClass, Pending,
    Refused, Store, Stored, Unavailable, WaitsFor, Write,
};
use crate::ids::{Hash, SittingId};

/// Loses everything when it's dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<Kept>,
    bell: Option<Arc<MemoryBell>>,
}

#[derive(Debug, Default)]
struct Kept {
    sittings: BTreeMap<SittingId, Sitting>,
    keys: BTreeMap<Hash, Key>,
    books: BTreeMap<Hash, KeptBook>,
    classes: BTreeMap<String, KeptClass>,
    remembered: BTreeMap<(Hash, String), (String, Millis)>,
}

#[derive(Debug)]
struct KeptClass {
    class: Class,
    sittings: Vec<OfClass>,
}

#[derive(Debug)]
struct Sitting {
    events: Vec<Stored>,
    listed: Listed,
    seats: BTreeMap<Player, Hash>,
    invitations: BTreeMap<Hash, Invitation>,
    books: BTreeSet<Hash>,
}

#[derive(Debug)]
struct Key {
    id: SittingId,
    at: Millis,
    asked: IdempotentAnswer,
}

#[derive(Debug)]
struct KeptBook {
    text: String,
    used: Millis,
    /// 0 if it never was.
    last_played: Millis,
}

impl Kept {
    /// Returns why a write is refused.
    fn refusal(&self, write: &Write) -> Option<Refused> {
        if let Some(key) = write.asked.as_ref().and_then(|asked| self.keys.get(&asked.key)) {
            return Some(Refused::Again(key.asked.clone()));
        }
        let sitting = self.sittings.get(&write.id);
        let last = sitting.map_or(0, |sitting| sitting.events.len() as u64);
        let follows = write.events.iter().zip(last + 1..).all(|(event, next)| event.seq == next);
        if !follows || write.listed.seq == 0 || write.listed.seq != last + write.events.len() as u64 {
            return Some(Refused::Taken);
        }
        let at = write.listed.at;
        if let Some(burnt) = write.burns {
            let invitation = sitting.and_then(|sitting| sitting.invitations.get(&burnt));
            let is_good = invitation.is_some_and(|invitation| is_good(invitation, at));
            if !is_good {
                return Some(Refused::NoInvitation);
            }
        }
        let class = self.classes.get(write.open_class.as_ref()?).map(|kept| &kept.class);
        let is_open = class.is_some_and(|class| class.is_open && class.until > at);
        (!is_open).then_some(Refused::ClosedClass)
    }

    fn write(&mut self, write: Write) -> Result<(), Refused> {
        if let Some(refusal) = self.refusal(&write) {
            return Err(refusal);
        }
        let at = write.listed.at;
        if let Some(asked) = write.asked {
            self.keys.insert(asked.key, Key { id: write.id, at, asked });
        }
        let sitting = self.sittings.entry(write.id).or_insert_with(|| Sitting {
            events: Vec::new(),
            listed: write.listed,
            seats: BTreeMap::new(),
            invitations: BTreeMap::new(),
            books: BTreeSet::new(),
        });
        sitting.events.extend(write.events);
        sitting.listed = write.listed;
        if let Some(burnt) = write.burns {
            sitting.invitations.remove(&burnt);
        }
        sitting.invitations.extend(write.invites.into_iter().map(|made| (made.secret, made)));
        sitting.seats.extend(write.seats);
        if let Some(book) = write.book {
            sitting.books.insert(book.hash);
            self.keep_book(book, at);
        }
        Ok(())
    }

    fn keep_book(&mut self, book: Book, now: Millis) {
        let kept =
            self.books.entry(book.hash).or_insert(KeptBook { text: book.text, used: now, last_played: 0 });
        kept.used = kept.used.max(now);
    }

    /// Records when the sittings' books were last played, before those sittings are deleted.
    fn note_played_books(&mut self) {
        for sitting in self.sittings.values().filter(|sitting| sitting.listed.moved) {
            for book in &sitting.books {
                if let Some(book) = self.books.get_mut(book) {
                    book.last_played = book.last_played.max(sitting.listed.at);
                }
            }
        }
    }

    fn tidy(&mut self, Before { unmoved, idle, unplayed_books, books }: Before) -> u64 {
        self.note_played_books();
        let before = self.sittings.len();
        self.sittings.retain(|_, sitting| {
            let Listed { at, moved, .. } = sitting.listed;
            at >= idle && (moved || at >= unmoved)
        });
        self.keys.retain(|_, key| key.at >= unmoved);
        for sitting in self.sittings.values_mut() {
            sitting.invitations.retain(|_, invitation| is_good(invitation, unmoved));
        }
        let played: BTreeSet<Hash> = self.sittings.values().flat_map(|s| s.books.iter().copied()).collect();
        self.books.retain(|hash, book| {
            let stays = match book.last_played {
                0 => book.used >= unplayed_books,
                last_played => book.used.max(last_played) >= books,
            };
            stays || played.contains(hash)
        });
        self.classes.retain(|_, kept| kept.class.until > unmoved);
        self.remembered.retain(|_, (_, at)| *at >= books);
        (before - self.sittings.len()) as u64
    }

    fn bytes(&self) -> usize {
        let events = |sitting: &Sitting| sitting.events.iter().map(|event| event.body.len()).sum::<usize>();
        let sittings: usize = self.sittings.values().map(events).sum();
        let keys: usize = self.keys.values().map(|key| key.asked.answer.len()).sum();
        let books: usize = self.books.values().map(|book| book.text.len()).sum();
        let remembered: usize = self.remembered.values().map(|(value, _)| value.len()).sum();
        sittings + keys + books + remembered
    }

    fn keep_class(&mut self, class: Class) -> bool {
        let kept = self.classes.entry(class.code.clone());
        let kept = kept.or_insert_with(|| KeptClass { class: class.clone(), sittings: Vec::new() });
        let is_ours = kept.class.holder == class.holder;
        if is_ours {
            kept.class = class;
        }
        is_ours
    }

    fn class_of(&self, id: SittingId) -> Option<&KeptClass> {
        self.classes.values().find(|kept| kept.sittings.iter().any(|of_class| of_class.id == id))
    }
}

/// Returns whether an invitation is valid.
fn is_good(invitation: &Invitation, now: Millis) -> bool {
    invitation.until.is_none_or(|until| until > now)
}

impl MemoryStore {
    /// Returns a store for several servers in this process.
    pub fn shared() -> MemoryStore {
        MemoryStore::with_bell(Arc::default())
    }

    /// Like [`MemoryStore::shared`], with this bell.
    pub fn with_bell(bell: Arc<MemoryBell>) -> MemoryStore {
        MemoryStore { bell: Some(bell), ..MemoryStore::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // No operation stops halfway, so the state is consistent even after a panic in another thread.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wraps an immediate answer.
fn at_once<T: Send + 'static>(answer: T) -> Pending<'static, T> {
    Box::pin(std::future::ready(Ok::<T, Unavailable>(answer)))
}

impl Store for MemoryStore {
    fn bell(&self) -> Option<Arc<dyn Bell>> {
        Some(self.bell.clone()? as Arc<dyn Bell>)
    }

    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Vec<Result<(), Refused>>, NotCommitted> {
        // Lazy, like the other stores: nothing happens until the future is polled.
        Box::pin(async move {
            let mut kept = self.kept();
            Ok(writes.into_iter().map(|write| kept.write(write)).collect())
        })
    }

    fn events(&self, id: SittingId, after: u64, most: usize) -> Pending<'_, Vec<Stored>> {
        let kept = self.kept();
        let events = kept.sittings.get(&id).map_or(&[][..], |sitting| &sitting.events);
        at_once(events.iter().filter(|event| event.seq > after).take(most).cloned().collect())
    }

    fn last_events(&self, ids: Vec<SittingId>) -> Pending<'_, Vec<(SittingId, u64)>> {
        let kept = self.kept();
        let ids: BTreeSet<SittingId> = ids.into_iter().collect();
        let last = |id| kept.sittings.get(&id).map(|sitting| (id, sitting.listed.seq));
        at_once(ids.into_iter().filter_map(last).collect())
    }

    fn asked(&self, key: Hash) -> Pending<'_, Option<IdempotentAnswer>> {
        at_once(self.kept().keys.get(&key).map(|key| key.asked.clone()))
    }

    fn holders(&self, id: SittingId) -> Pending<'_, Vec<(Player, Hash)>> {
        let kept = self.kept();
        let seats = kept.sittings.get(&id).map(|sitting| &sitting.seats).into_iter().flatten();
        at_once(seats.map(|(player, holder)| (*player, *holder)).collect())
    }

    fn sittings_of(&self, holder: Hash, most: usize) -> Pending<'_, Vec<(SittingId, Listed)>> {
        let kept = self.kept();
        let held = kept.sittings.iter().filter(|(_, sitting)| sitting.seats.values().any(|by| *by == holder));
        let mut list: Vec<_> = held.map(|(id, sitting)| (*id, sitting.listed)).collect();
        list.sort_by_key(|(id, listed)| (std::cmp::Reverse(listed.at), *id));
        list.truncate(most);
        at_once(list)
    }

    fn invitation(&self, id: SittingId, secret: Hash, now: Millis) -> Pending<'_, Option<Player>> {
        let kept = self.kept();
        let invitation = kept.sittings.get(&id).and_then(|sitting| sitting.invitations.get(&secret));
        at_once(invitation.filter(|invitation| is_good(invitation, now)).map(|invitation| invitation.player))
    }

    fn invited_where(&self, secret: Hash, now: Millis) -> Pending<'_, Option<(SittingId, Player)>> {
        let kept = self.kept();
        let found = kept.sittings.iter().find_map(|(id, sitting)| {
            let invitation =
                sitting.invitations.get(&secret).filter(|invitation| is_good(invitation, now))?;
            Some((*id, invitation.player))
        });
        at_once(found)
    }

    fn waiting_computers(&self, since: Millis, most: usize) -> Pending<'_, Vec<SittingId>> {
        let kept = self.kept();
        let listed = kept.sittings.iter().map(|(id, sitting)| (sitting.listed, *id));
        let mut list: Vec<_> = listed
            .filter(|(listed, _)| listed.waits_for == WaitsFor::Computer && listed.at <= since)
            .map(|(listed, id)| (listed.at, id))
            .collect();
        list.sort();
        at_once(list.into_iter().take(most).map(|(_, id)| id).collect())
    }

    fn keep_book(&self, book: Book, now: Millis) -> Pending<'_, ()> {
        Box::pin(async move {
            self.kept().keep_book(book, now);
            Ok(())
        })
    }

    fn book(&self, short: String) -> Pending<'_, Option<Book>> {
        let kept = self.kept();
        let found = kept.books.iter().find(|(hash, _)| hash.short() == short);
        at_once(found.map(|(hash, book)| Book { hash: *hash, text: book.text.clone() }))
    }

    fn keep_class(&self, class: Class) -> Pending<'_, bool> {
        Box::pin(async move { Ok(self.kept().keep_class(class)) })
    }

    fn class(&self, code: String) -> Pending<'_, Option<Class>> {
        at_once(self.kept().classes.get(&code).map(|kept| kept.class.clone()))
    }

    fn classes_of(&self, holder: Hash, now: Millis) -> Pending<'_, Vec<Class>> {
        let kept = self.kept();
        let classes = kept.classes.values().map(|kept| &kept.class);
        at_once(classes.filter(|class| class.holder == holder && class.until > now).cloned().collect())
    }

    fn add_to_class(&self, code: String, of_class: OfClass) -> Pending<'_, ()> {
        Box::pin(async move {
            let mut kept = self.kept();
            if kept.class_of(of_class.id).is_none()
                && let Some(class) = kept.classes.get_mut(&code)
            {
                class.sittings.push(of_class);
            }
            Ok(())
        })
    }

    fn class_sittings(&self, code: String) -> Pending<'_, Vec<OfClass>> {
        at_once(self.kept().classes.get(&code).map(|kept| kept.sittings.clone()).unwrap_or_default())
    }

    fn class_of(&self, id: SittingId) -> Pending<'_, Option<Class>> {
        at_once(self.kept().class_of(id).map(|kept| kept.class.clone()))
    }

    fn remembered(&self, holder: Hash) -> Pending<'_, Vec<(String, String)>> {
        let kept = self.kept();
        let of_holder = kept.remembered.iter().filter(|((by, _), _)| *by == holder);
        at_once(of_holder.map(|((_, key), (value, _))| (key.clone(), value.clone())).collect())
    }

    fn remember(&self, holder: Hash, key: String, value: Option<String>, now: Millis) -> Pending<'_, ()> {
        Box::pin(async move {
            let mut kept = self.kept();
            match value {
                Some(value) => drop(kept.remembered.insert((holder, key), (value, now))),
                None => drop(kept.remembered.remove(&(holder, key))),
            }
            Ok(())
        })
    }

    fn replace_remembered(
        &self,
        holder: Hash,
        key: String,
        old: Option<String>,
        new: String,
        now: Millis,
    ) -> Pending<'_, bool> {
        Box::pin(async move {
            let mut kept = self.kept();
            let is_old = kept.remembered.get(&(holder, key.clone())).map(|(value, _)| value) == old.as_ref();
            if is_old {
                kept.remembered.insert((holder, key), (new, now));
            }
            Ok(is_old)
        })
    }

    fn forget_remembered(&self, holder: Hash, key: String, old: String) -> Pending<'_, bool> {
        Box::pin(async move {
            let mut kept = self.kept();
            let place = (holder, key);
            let is_old = kept.remembered.get(&place).is_some_and(|(value, _)| *value == old);
            if is_old {
                kept.remembered.remove(&place);
            }
            Ok(is_old)
        })
    }

    fn remove(&self, id: SittingId) -> Pending<'_, bool> {
        Box::pin(async move {
            let mut kept = self.kept();
            kept.keys.retain(|_, key| key.id != id);
            Ok(kept.sittings.remove(&id).is_some())
        })
    }

    fn remove_book(&self, short: String) -> Pending<'_, bool> {
        Box::pin(async move {
            let mut kept = self.kept();
            let found: Vec<Hash> = kept.books.keys().filter(|hash| hash.short() == short).copied().collect();
            for hash in &found {
                kept.books.remove(hash);
                for sitting in kept.sittings.values_mut() {
                    sitting.books.remove(hash);
                }
            }
            Ok(!found.is_empty())
        })
    }

    fn tidy(&self, before: Before) -> Pending<'_, u64> {
        Box::pin(async move { Ok(self.kept().tidy(before)) })
    }

    fn bytes(&self) -> Pending<'_, u64> {
        at_once(self.kept().bytes() as u64)
    }

    fn is_ready(&self) -> Pending<'_, ()> {
        at_once(())
    }
}
