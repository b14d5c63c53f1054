//! The single writer: batches commands into group commits. Each command is checked against the room as it will be after
//! the earlier ones. Clients get their answer after the commit, and watchers are notified after that.

mod settling;

use std::collections::BTreeMap;
use std::sync::Arc;

use spoton::engine::position::{ByPlayer, Player};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_IN_A_BATCH, MOST_IN_THE_QUEUE, SLOW_FAILURE, TIME_TO_SETTLE};
use crate::live::Live;
use crate::metrics::Metrics;
use crate::panics::caught;
use crate::rates::TooMany;
use crate::room::{self, Command, Event, Refusal, Room};
use crate::store::{
    Book, IdempotentAnswer, Invitation, Millis, NotCommitted, Refused, Store, Stored, Unavailable, Write,
};
use crate::tables::room_cache::{RoomCache, Seated};
use settling::settle;

/// A request to write.
pub struct Request {
    pub id: SittingId,
    pub wants: Wants,
    /// The sender, if a seat decides what they may do.
    pub holder: Option<Hash>,
    /// The seats of other senders; for new invitations, the seats that they give.
    pub seats: Vec<Player>,
    /// The last event the sender saw; `None` if it doesn't matter.
    pub expected_seq: Option<u64>,
    /// An idempotency key and the hash of its request.
    pub key: Option<(Hash, Hash)>,
    /// Changes to who may sit here.
    pub access: Access,
    pub now: Millis,
}

/// The kind of write.
pub enum Wants {
    /// A new sitting: its first event and the resulting room.
    Create(Event, Arc<Room>),
    Command(Command),
    /// Only `access` changes.
    Access,
}

/// Changes to seats and invitations.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub burns: Option<Hash>,
    pub invites: Vec<Invitation>,
    pub seats: Vec<(Player, Hash)>,
    pub book: Option<Book>,
    /// The code of a class that must still let pupils in.
    pub open_class: Option<String>,
}

/// A request's result.
#[derive(Clone)]
pub enum Done {
    /// Committed; this is the current room.
    Kept(Arc<Room>),
    /// A repeated key: the sequence number returned the first time.
    Again(u64),
}

/// Faults that tests plant to prove that they notice.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planted {
    /// The other servers hear of events that aren't committed.
    pub bell_before_commit: bool,
    /// Reads don't ask the store whether there are newer events.
    pub stale_reads: bool,
    /// Refusals rely on cached rooms.
    pub stale_refusals: bool,
}

/// Why a request failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failed {
    #[error("nothing here; check the address")]
    Unknown,
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The expected sequence number is outdated.
    #[error("the round has changed; check it and try again")]
    Outdated(Arc<Room>),
    #[error("you used this key for another request; send a new key")]
    KeyUsed,
    #[error("this invitation has expired; ask for a new one")]
    NoInvitation,
    #[error("this class is closed; ask your teacher to reopen it")]
    ClosedClass,
    #[error("this round is corrupted; start a new one")]
    Damaged,
    #[error("the server is busy; try again in a moment")]
    Busy,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store is almost full.
    #[error("the server is full, so you can't start anything new; existing rounds continue")]
    Full,
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The connection to the store was lost during the commit.
    #[error(
        "the server lost its database and can't tell whether that was saved; send it again with the same key to find out"
    )]
    Unsettled,
}

type Reply = oneshot::Sender<Result<Done, Failed>>;

/// Handle of the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<(Request, Reply)>,
}

impl Writer {
    /// Starts the writer. It ends after the last handle is dropped and all requests are done.
    pub fn start(
        store: Arc<dyn Store>,
        rooms: Arc<RoomCache>,
        live: Arc<Live>,
        metrics: Arc<Metrics>,
        planted: Planted,
    ) -> (Writer, tokio::task::JoinHandle<()>) {
        let (queue, mut asked) = mpsc::channel(MOST_IN_THE_QUEUE);
        let desk = Desk { store, rooms, live, metrics, planted };
        let ended = tokio::spawn(async move {
            let mut batch = Vec::new();
            while asked.recv_many(&mut batch, MOST_IN_A_BATCH).await > 0 {
                // Lets other tasks enqueue first: a commit costs the same for many commands.
                tokio::task::yield_now().await;
                while batch.len() < MOST_IN_A_BATCH
                    && let Ok(next) = asked.try_recv()
                {
                    batch.push(next);
                }
                let batch = std::mem::take(&mut batch);
                // The batch's senders get an error, and the writer continues.
                match caught(desk.write(batch)).await {
                    Ok(Ok(())) => {}
                    // Requests that waited meanwhile have waited long enough.
                    Ok(Err(why)) => {
                        while let Ok((_, reply)) = asked.try_recv() {
                            let _ = reply.send(Err(why.clone().into()));
                        }
                    }
                    Err(_) => {
                        tracing::error!("the writer panicked");
                        desk.metrics.panics.inc();
                        desk.rooms.forget_all();
                    }
                }
            }
        });
        (Writer { queue }, ended)
    }

    /// Sends a request and waits for its commit.
    ///
    /// # Errors
    ///
    /// Returns why nothing was written, or that the outcome is unknown.
    pub async fn ask(&self, request: Request) -> Result<Done, Failed> {
        let (reply, answer) = oneshot::channel();
        self.queue.try_send((request, reply)).map_err(|_| Failed::Busy)?;
        answer.await.map_err(|_| Failed::Busy)?
    }
}

/// A request in a batch.
struct Asked {
    request: Request,
    reply: Reply,
    /// Its place in the batch.
    place: usize,
    /// Whether another writer was faster once.
    was_overtaken: bool,
}

impl Asked {
    fn answer(self, answer: Result<Done, Failed>) {
        // Its sender may be gone.
        let _ = self.reply.send(answer);
    }
}

/// A staged request, until its outcome is known.
struct Waiting {
    asked: Asked,
    /// The sender's seats.
    seats: Vec<Player>,
    /// The room after the request.
    room: Arc<Room>,
    events: Vec<Event>,
}

impl Waiting {
    fn before(&self) -> u64 {
        self.room.seq() - self.events.len() as u64
    }

    /// Returns what to commit: always the same, so committing it again finds out whether it was saved.
    fn write(&self) -> Write {
        let Waiting { asked: Asked { request, .. }, seats, room, events } = self;
        let by = seats.first().copied();
        let events = (self.before() + 1..).zip(events).map(|(seq, event)| Stored {
            seq,
            at: request.now,
            body: room::write(event, by),
        });
        let asked =
            request.key.map(|(key, body)| IdempotentAnswer { key, body, answer: room.seq().to_string() });
        let Access { burns, invites, seats, book, open_class } = request.access.clone();
        let listed = room.listed();
        let (id, events) = (request.id, events.collect());
        Write { id, events, listed, asked, burns, invites, seats, book, open_class }
    }
}

enum Staged {
    Write {
        seats: Vec<Player>,
        room: Arc<Room>,
        events: Vec<Event>,
    },
    Done(Done),
    /// It can't follow an earlier request of the batch, whose commit isn't certain yet.
    Later,
}

/// Everything that a batch needs.
struct Desk {
    store: Arc<dyn Store>,
    rooms: Arc<RoomCache>,
    live: Arc<Live>,
    metrics: Arc<Metrics>,
    planted: Planted,
}

impl Desk {
    /// Commits a batch and answers its senders. Fails if that failed slowly, because the database isn't there.
    async fn write(&self, batch: Vec<(Request, Reply)>) -> Result<(), Unavailable> {
        let asked = |(place, (request, reply))| Asked { request, reply, place, was_overtaken: false };
        let mut batch: Vec<Asked> = batch.into_iter().enumerate().map(asked).collect();
        // Each pass settles at least the first request of each sitting, or finds it overtaken for the first time.
        while !batch.is_empty() {
            batch = self.write_once(batch).await?;
            batch.sort_by_key(|asked| asked.place);
        }
        Ok(())
    }

    /// Commits what can be committed together. Returns the requests that must be staged again.
    async fn write_once(&self, batch: Vec<Asked>) -> Result<Vec<Asked>, Unavailable> {
        let begun = Instant::now();
        let (mut writes, mut waiting, mut later) = (Vec::new(), Vec::new(), Vec::new());
        // Rooms after the batch's earlier writes.
        let mut staged: BTreeMap<SittingId, Seated> = BTreeMap::new();
        let used = self.used_keys(&batch).await;
        let mut batch = batch.into_iter();
        while let Some(asked) = batch.next() {
            let stage = match &used {
                Ok(used) => self.stage(used, &mut staged, &asked.request).await,
                Err(unavailable) => Err(unavailable.clone().into()),
            };
            match stage {
                Ok(Staged::Write { seats, room, events }) => {
                    let staged = Waiting { asked, seats, room, events };
                    writes.push(staged.write());
                    waiting.push(staged);
                }
                Ok(Staged::Done(done)) => asked.answer(Ok(done)),
                Ok(Staged::Later) => later.push(asked),
                // The database isn't there, so the others don't wait for it one after another.
                Err(Failed::Unavailable(why)) if begun.elapsed() >= SLOW_FAILURE => {
                    let staged = waiting.into_iter().map(|waiting| waiting.asked);
                    let all = std::iter::once(asked).chain(staged).chain(later).chain(batch);
                    all.for_each(|asked| asked.answer(Err(why.clone().into())));
                    return Err(why);
                }
                Err(failed) => asked.answer(Err(failed)),
            }
        }
        if writes.is_empty() {
            return Ok(later);
        }
        if self.planted.bell_before_commit {
            waiting.iter().for_each(|waiting| self.live.tell(waiting.asked.request.id, waiting.room.seq()));
        }
        let (begun, commands) = (Instant::now(), writes.len());
        let kept = match self.store.commit(writes).await {
            Err(NotCommitted::Unknown(why)) => {
                tracing::warn!("lost the connection during a commit, retrying: {why}");
                self.metrics.unknown_commits.inc();
                let settled = settle(&*self.store, &self.metrics, &waiting, begun + TIME_TO_SETTLE).await;
                match &settled {
                    Some(_) => self.metrics.settled_commits.inc(),
                    None => self.metrics.unsettled_writes.inc_by(commands as u64),
                };
                settled.ok_or(NotCommitted::Unknown(why))
            }
            kept => kept,
        };
        match kept {
            Err(failed) => {
                tracing::error!("{failed}");
                self.metrics.store_errors.inc();
                for Waiting { asked, .. } in waiting {
                    self.rooms.forget(asked.request.id);
                    let why = match &failed {
                        NotCommitted::Unavailable(unavailable) => unavailable.clone().into(),
                        NotCommitted::Unknown(_) => {
                            // In case it was saved.
                            self.live.look_again(asked.request.id);
                            Failed::Unsettled
                        }
                    };
                    asked.answer(Err(why));
                }
                if begun.elapsed() >= SLOW_FAILURE {
                    let why = Unavailable(failed.to_string());
                    later.into_iter().for_each(|asked| asked.answer(Err(why.clone().into())));
                    return Err(why);
                }
            }
            Ok(kept) => {
                self.metrics.committed(commands, begun.elapsed());
                for (waiting, kept) in waiting.into_iter().zip(kept) {
                    later.extend(self.finish(waiting, kept).await);
                }
            }
        }
        Ok(later)
    }

    /// Answers a request after the commit, or returns it if another writer was faster.
    async fn finish(&self, waiting: Waiting, kept: Result<(), Refused>) -> Option<Asked> {
        let before = waiting.before();
        let Waiting { mut asked, room, .. } = waiting;
        let Request { id, wants, key, access, .. } = &asked.request;
        let (id, is_new) = (*id, matches!(wants, Wants::Create(..)));
        let answer = match kept {
            Ok(()) => {
                if matches!(wants, Wants::Command(Command::Move(_) | Command::ComputerMoves(_))) {
                    self.metrics.moves.inc();
                }
                self.rooms.keep(id, before, &room, &access.seats);
                self.live.tell(id, room.seq());
                Ok(Done::Kept(room))
            }
            Err(Refused::Taken) => {
                // Another server was faster, or an earlier write of the batch was refused.
                self.metrics.conflicts.inc();
                self.rooms.forget(id);
                if !is_new && !asked.was_overtaken {
                    asked.was_overtaken = true;
                    return Some(asked);
                }
                match self.rooms.room(id).await {
                    Ok(room) => Err(Failed::Outdated(room)),
                    Err(failed) => Err(failed),
                }
            }
            Err(Refused::Again(used)) => again(&used, *key),
            Err(Refused::NoInvitation) => Err(Failed::NoInvitation),
            Err(Refused::ClosedClass) => Err(Failed::ClosedClass),
        };
        if answer.is_err() {
            self.rooms.forget(id);
        }
        asked.answer(answer);
        None
    }

    /// Returns the earlier uses of the batch's keys.
    async fn used_keys(&self, batch: &[Asked]) -> Result<BTreeMap<Hash, IdempotentAnswer>, Unavailable> {
        let keys: Vec<Hash> =
            batch.iter().filter_map(|asked| asked.request.key).map(|(key, _)| key).collect();
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let used = self.store.all_asked(keys).await?;
        Ok(used.into_iter().map(|asked| (asked.key, asked)).collect())
    }

    /// Repeats the answer to an earlier request with the same key, if the sender still has a seat.
    async fn repeat(&self, asked: &IdempotentAnswer, request: &Request) -> Result<Staged, Failed> {
        if let Some(holder) = request.holder
            && self.rooms.current(request.id).await?.seats(holder).is_empty()
        {
            return Err(Refusal::NotYourSeat.into());
        }
        again(asked, request.key).map(Staged::Done)
    }

    async fn stage(
        &self,
        used: &BTreeMap<Hash, IdempotentAnswer>,
        staged: &mut BTreeMap<SittingId, Seated>,
        request: &Request,
    ) -> Result<Staged, Failed> {
        let id = request.id;
        if let Some(asked) = request.key.and_then(|(key, _)| used.get(&key)) {
            return self.repeat(asked, request).await;
        }
        let decided = match staged.get(&id) {
            // Invariant: one write per sitting. If another server takes the first one's place in the log, the second
            // one's number still follows, but not its decision.
            Some(_) if self.rooms.is_shared() => return Ok(Staged::Later),
            // Never refuse because of something that isn't committed yet.
            Some(seated) => match decide(request, Some(seated)) {
                Ok(decided) => decided,
                Err(_) => return Ok(Staged::Later),
            },
            None if matches!(request.wants, Wants::Create(..)) => decide(request, None)?,
            None => match decide(request, Some(&self.rooms.known(id).await?)) {
                Err(_) if self.rooms.is_shared() && !self.planted.stale_refusals => {
                    let decided = decide(request, Some(&self.rooms.current(id).await?));
                    // Another server may have saved the same request since its key was looked up.
                    if decided.is_err()
                        && let Some((key, _)) = request.key
                        && let Some(asked) = self.store.asked(key).await?
                    {
                        return self.repeat(&asked, request).await;
                    }
                    decided?
                }
                decided => decided?,
            },
        };
        let Decided { seats, events, after } = decided;
        let room = Arc::clone(&after.room);
        staged.insert(id, after);
        Ok(Staged::Write { seats, room, events })
    }
}

/// A request's effect.
struct Decided {
    seats: Vec<Player>,
    events: Vec<Event>,
    after: Seated,
}

/// Decides a request about a sitting as it is now; `None` if it doesn't exist.
fn decide(request: &Request, now: Option<&Seated>) -> Result<Decided, Failed> {
    let (mut after, events, seats) = match (&request.wants, now) {
        (Wants::Create(event, room), _) => {
            let after = Seated { room: Arc::clone(room), holders: ByPlayer::default() };
            (after, vec![event.clone()], request.seats.clone())
        }
        (_, None) => return Err(Failed::Unknown),
        (wants, Some(now)) => {
            let seats = match request.holder {
                Some(holder) => now.seats(holder),
                None => request.seats.clone(),
            };
            if request.holder.is_some() && seats.is_empty() {
                return Err(Refusal::NotYourSeat.into());
            }
            if request.expected_seq.is_some_and(|seq| seq != now.room.seq()) {
                return Err(Failed::Outdated(Arc::clone(&now.room)));
            }
            match wants {
                Wants::Command(command) => {
                    let (events, room) = now.room.decide(&seats, command, request.now)?;
                    (Seated { room: Arc::new(room), holders: now.holders }, events, seats)
                }
                // The invitations are for these seats.
                _ if seats != request.seats => return Err(Refusal::NotYourSeat.into()),
                _ => (now.clone(), vec![], seats),
            }
        }
    };
    for (player, holder) in &request.access.seats {
        after.holders[*player] = Some(*holder);
    }
    Ok(Decided { seats, events, after })
}

/// Returns the answer to a repeated key.
pub fn again(asked: &IdempotentAnswer, key: Option<(Hash, Hash)>) -> Result<Done, Failed> {
    match (key, asked.answer.parse()) {
        (Some((_, body)), Ok(seq)) if body == asked.body => Ok(Done::Again(seq)),
        _ => Err(Failed::KeyUsed),
    }
}
