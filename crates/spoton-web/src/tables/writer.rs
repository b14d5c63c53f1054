//! The single writer: batches commands into group commits. Each command is checked against the room as it will be after
//! the earlier ones. Clients get their answer after the commit, and watchers are notified after that.

mod settling;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use spoton::engine::position::Player;
use tokio::sync::{mpsc, oneshot};

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
use crate::tables::room_cache::RoomCache;
use settling::settle;

/// A request to write.
pub struct Request {
    pub id: SittingId,
    pub wants: Wants,
    /// The sender's seats.
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
}

/// A request's result.
#[derive(Clone)]
pub enum Done {
    /// Committed; this is the current room.
    Kept(Arc<Room>),
    /// A repeated key: the sequence number returned the first time.
    Again(u64),
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
    ) -> (Writer, tokio::task::JoinHandle<()>) {
        let (queue, mut asked) = mpsc::channel(MOST_IN_THE_QUEUE);
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
                match caught(write(&*store, &rooms, &live, &metrics, batch)).await {
                    Ok(Ok(())) => {}
                    // Requests that waited meanwhile have waited long enough.
                    Ok(Err(why)) => {
                        while let Ok((_, reply)) = asked.try_recv() {
                            let _ = reply.send(Err(why.clone().into()));
                        }
                    }
                    Err(_) => {
                        tracing::error!("the writer panicked");
                        metrics.panics.inc();
                        rooms.forget_all();
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

/// A staged request, until its outcome is known.
struct Waiting {
    request: Request,
    reply: Reply,
    /// The room after the request.
    room: Arc<Room>,
    events: Vec<Event>,
}

impl Waiting {
    /// Returns what to commit: always the same, so committing it again finds out whether it was saved.
    fn write(&self) -> Write {
        let Waiting { request, room, events, .. } = self;
        let by = request.seats.first().copied();
        let before = room.seq() - events.len() as u64;
        let events = (before + 1..).zip(events).map(|(seq, event)| Stored {
            seq,
            at: request.now,
            body: room::write(event, by),
        });
        let asked =
            request.key.map(|(key, body)| IdempotentAnswer { key, body, answer: room.seq().to_string() });
        let Access { burns, invites, seats, book } = request.access.clone();
        let listed = room.listed();
        Write { id: request.id, events: events.collect(), listed, asked, burns, invites, seats, book }
    }
}

/// Commits a batch and answers its senders. Fails if that failed slowly, because the database isn't there.
async fn write(
    store: &dyn Store,
    rooms: &RoomCache,
    live: &Live,
    metrics: &Metrics,
    batch: Vec<(Request, Reply)>,
) -> Result<(), Unavailable> {
    // Rooms after the batch's earlier writes.
    let mut staged: HashMap<SittingId, Arc<Room>> = HashMap::new();
    let mut writes = Vec::with_capacity(batch.len());
    let mut waiting = Vec::with_capacity(batch.len());
    for (request, reply) in batch {
        match stage(store, rooms, &mut staged, &request).await {
            Ok(Staged::Write(room, events)) => {
                let staged = Waiting { request, reply, room, events };
                writes.push(staged.write());
                waiting.push(staged);
            }
            Ok(Staged::Done(done)) => drop(reply.send(Ok(done))),
            Err(failed) => drop(reply.send(Err(failed))),
        }
    }
    if writes.is_empty() {
        return Ok(());
    }
    let (begun, commands) = (Instant::now(), writes.len());
    let kept = match store.commit(writes).await {
        Err(NotCommitted::Unknown(why)) => {
            tracing::warn!("lost the connection during a commit, retrying: {why}");
            metrics.unknown_commits.inc();
            let settled = settle(store, &waiting, begun + TIME_TO_SETTLE).await;
            if settled.is_some() {
                metrics.settled_commits.inc();
            }
            settled.ok_or(NotCommitted::Unknown(why))
        }
        kept => kept,
    };
    match kept {
        Err(failed) => {
            tracing::error!("{failed}");
            metrics.store_errors.inc();
            for Waiting { request, reply, .. } in waiting {
                rooms.forget(request.id);
                let _ = reply.send(Err(match &failed {
                    NotCommitted::Unavailable(unavailable) => unavailable.clone().into(),
                    NotCommitted::Unknown(_) => {
                        // In case it was saved.
                        live.look_again(request.id);
                        Failed::Unsettled
                    }
                }));
            }
            if begun.elapsed() >= SLOW_FAILURE {
                return Err(Unavailable(failed.to_string()));
            }
        }
        Ok(kept) => {
            metrics.committed(commands, begun.elapsed());
            for (Waiting { request, reply, room, .. }, kept) in waiting.into_iter().zip(kept) {
                let answer = match kept {
                    Ok(()) => {
                        if matches!(
                            request.wants,
                            Wants::Command(Command::Move(_) | Command::ComputerMoves(_))
                        ) {
                            metrics.moves.inc();
                        }
                        rooms.keep(request.id, &room, &request.access.seats);
                        live.tell(request.id, room.seq());
                        Ok(Done::Kept(room))
                    }
                    Err(Refused::Taken) => {
                        // Another process writes to the same store, or an earlier write of the batch was refused.
                        rooms.forget(request.id);
                        match rooms.room(request.id).await {
                            Ok(room) => Err(Failed::Outdated(room)),
                            Err(failed) => Err(failed),
                        }
                    }
                    Err(Refused::Again(asked)) => again(&asked, request.key),
                    Err(Refused::NoInvitation) => Err(Failed::NoInvitation),
                };
                if answer.is_err() {
                    rooms.forget(request.id);
                }
                let _ = reply.send(answer);
            }
        }
    }
    Ok(())
}

enum Staged {
    /// The room after the request, and its events.
    Write(Arc<Room>, Vec<Event>),
    Done(Done),
}

async fn stage(
    store: &dyn Store,
    rooms: &RoomCache,
    staged: &mut HashMap<SittingId, Arc<Room>>,
    request: &Request,
) -> Result<Staged, Failed> {
    if let Some((key, _)) = request.key
        && let Some(asked) = store.asked(key).await?
    {
        return again(&asked, request.key).map(Staged::Done);
    }
    let id = request.id;
    let known = async || match staged.get(&id) {
        Some(room) => Ok(Arc::clone(room)),
        None => rooms.room(id).await,
    };
    let (events, room) = match &request.wants {
        Wants::Create(event, room) => (vec![event.clone()], Arc::clone(room)),
        Wants::Access => (vec![], known().await?),
        Wants::Command(command) => {
            let room = known().await?;
            if request.expected_seq.is_some_and(|seq| seq != room.seq()) {
                return Err(Failed::Outdated(room));
            }
            let (events, after) = room.decide(&request.seats, command, request.now)?;
            (events, Arc::new(after))
        }
    };
    staged.insert(id, Arc::clone(&room));
    Ok(Staged::Write(room, events))
}

/// Returns the answer to a repeated key.
pub fn again(asked: &IdempotentAnswer, key: Option<(Hash, Hash)>) -> Result<Done, Failed> {
    match (key, asked.answer.parse()) {
        (Some((_, body)), Ok(seq)) if body == asked.body => Ok(Done::Again(seq)),
        _ => Err(Failed::KeyUsed),
    }
}
