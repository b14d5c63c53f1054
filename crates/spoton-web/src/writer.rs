//! The one who writes. Commands queue up here; each is checked by its room as it will be after those before it, and all
//! that came in during one commit go into the next. *Yes* is said after the commit, and others are told after that.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use spoton::engine::position::Player;
use tokio::sync::{mpsc, oneshot};

use crate::heads::Heads;
use crate::ids::{Hash, SittingId};
use crate::limits::{MOST_IN_A_BATCH, MOST_IN_THE_QUEUE};
use crate::live::Live;
use crate::operation::metrics::Metrics;
use crate::panics::caught;
use crate::rates::TooMany;
use crate::room::{self, Command, Event, Refusal, Room};
use crate::store::{Asked, Book, Invitation, Millis, Refused, Store, Stored, Unavailable, Write};

/// What somebody wants to have written.
pub struct Request {
    pub id: SittingId,
    pub wants: Wants,
    /// The seats that whoever asks holds.
    pub seats: Vec<Player>,
    /// The last event that they have seen; `None` if that makes no difference to them.
    pub expected_seq: Option<u64>,
    /// A key and what was asked under it.
    pub key: Option<(Hash, Hash)>,
    /// What changes about who may sit here.
    pub access: Access,
    pub now: Millis,
}

/// What is to happen.
pub enum Wants {
    /// A new sitting: its first event, and the room after it.
    Create(Event, Arc<Room>),
    Command(Command),
    /// Nothing, but that somebody may sit down.
    Access,
}

/// What changes about who may sit somewhere.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub burns: Option<Hash>,
    pub invites: Vec<Invitation>,
    pub seats: Vec<(Player, Hash)>,
    pub book: Option<Book>,
}

/// What became of a request.
#[derive(Clone)]
pub enum Done {
    /// It is kept, and this is the room now.
    Kept(Arc<Room>),
    /// The same was asked before, and this is what was answered then: the number of the last event at that time.
    Again(u64),
}

/// Why nothing was written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failed {
    #[error("there is nothing here")]
    Unknown,
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Somebody was faster.
    #[error("somebody was faster")]
    Outdated(Arc<Room>),
    #[error("this key was used for something else")]
    KeyUsed,
    #[error("this invitation is not good any more")]
    NoInvitation,
    #[error("this round cannot be read any more")]
    Damaged,
    #[error("too much is going on just now")]
    Busy,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// As much is kept as may be.
    #[error("there is no room for anything new just now; what was begun goes on")]
    Full,
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

type Reply = oneshot::Sender<Result<Done, Failed>>;

/// Where requests go.
#[derive(Clone)]
pub struct Writer {
    queue: mpsc::Sender<(Request, Reply)>,
}

impl Writer {
    /// Starts the one who writes. It ends when nobody can ask any more, after all that was asked is done.
    pub fn start(
        store: Arc<dyn Store>,
        heads: Arc<Heads>,
        live: Arc<Live>,
        metrics: Arc<Metrics>,
    ) -> (Writer, tokio::task::JoinHandle<()>) {
        let (queue, mut asked) = mpsc::channel(MOST_IN_THE_QUEUE);
        let ended = tokio::spawn(async move {
            let mut batch = Vec::new();
            while asked.recv_many(&mut batch, MOST_IN_A_BATCH).await > 0 {
                // Whoever is about to ask does so first: a commit costs the same for one as for many.
                tokio::task::yield_now().await;
                while batch.len() < MOST_IN_A_BATCH
                    && let Ok(next) = asked.try_recv()
                {
                    batch.push(next);
                }
                let batch = std::mem::take(&mut batch);
                // Those who asked hear that it did not work; others go on.
                if caught(write(&*store, &heads, &live, &metrics, batch)).await.is_err() {
                    tracing::error!("writing panicked");
                    metrics.panics.inc();
                    heads.forget_all();
                }
            }
        });
        (Writer { queue }, ended)
    }

    /// Has something written.
    ///
    /// # Errors
    ///
    /// Why it was not.
    pub async fn ask(&self, request: Request) -> Result<Done, Failed> {
        let (reply, answer) = oneshot::channel();
        self.queue.try_send((request, reply)).map_err(|_| Failed::Busy)?;
        answer.await.map_err(|_| Failed::Busy)?
    }
}

async fn write(
    store: &dyn Store,
    heads: &Heads,
    live: &Live,
    metrics: &Metrics,
    batch: Vec<(Request, Reply)>,
) {
    // Rooms as they will be after the writes before.
    let mut staged: HashMap<SittingId, Arc<Room>> = HashMap::new();
    let mut writes = Vec::with_capacity(batch.len());
    let mut waiting = Vec::with_capacity(batch.len());
    for (request, reply) in batch {
        match stage(store, heads, &mut staged, &request).await {
            Ok(Staged::Write(write, room)) => {
                waiting.push((request, reply, room));
                writes.push(*write);
            }
            Ok(Staged::Done(done)) => drop(reply.send(Ok(done))),
            Err(failed) => drop(reply.send(Err(failed))),
        }
    }
    if writes.is_empty() {
        return;
    }
    let (begun, commands) = (Instant::now(), writes.len());
    let kept = store.commit(writes).await;
    match kept {
        Err(unavailable) => {
            tracing::error!("{unavailable}");
            metrics.store_errors.inc();
            for (request, reply, _) in waiting {
                heads.forget(request.id);
                let _ = reply.send(Err(unavailable.clone().into()));
            }
        }
        Ok(kept) => {
            metrics.committed(commands, begun.elapsed());
            for ((request, reply, room), kept) in waiting.into_iter().zip(kept) {
                let answer = match kept {
                    Ok(()) => {
                        if matches!(
                            request.wants,
                            Wants::Command(Command::Move(_) | Command::ComputerMoves(_))
                        ) {
                            metrics.moves.inc();
                        }
                        heads.keep(request.id, &room, &request.access.seats);
                        live.tell(request.id, room.seq());
                        Ok(Done::Kept(room))
                    }
                    Err(Refused::Taken) => {
                        // Somebody else writes to the same store, or the write before it was refused.
                        heads.forget(request.id);
                        match heads.room(request.id).await {
                            Ok(room) => Err(Failed::Outdated(room)),
                            Err(failed) => Err(failed),
                        }
                    }
                    Err(Refused::Again(asked)) => again(&asked, request.key),
                    Err(Refused::NoInvitation) => Err(Failed::NoInvitation),
                };
                if answer.is_err() {
                    heads.forget(request.id);
                }
                let _ = reply.send(answer);
            }
        }
    }
}

enum Staged {
    Write(Box<Write>, Arc<Room>),
    Done(Done),
}

async fn stage(
    store: &dyn Store,
    heads: &Heads,
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
        None => heads.room(id).await,
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
    let by = request.seats.first().copied();
    let before = room.seq() - events.len() as u64;
    let events = (before + 1..).zip(&events).map(|(seq, event)| Stored {
        seq,
        at: request.now,
        body: room::write(event, by),
    });
    let events: Vec<Stored> = events.collect();
    staged.insert(id, Arc::clone(&room));
    let asked = request.key.map(|(key, body)| Asked { key, body, answer: room.seq().to_string() });
    let Access { burns, invites, seats, book } = request.access.clone();
    let write = Write { id, events, listed: room.listed(), asked, burns, invites, seats, book };
    Ok(Staged::Write(Box::new(write), room))
}

/// The answer to a key that was used before.
pub fn again(asked: &Asked, key: Option<(Hash, Hash)>) -> Result<Done, Failed> {
    match (key, asked.answer.parse()) {
        (Some((_, body)), Ok(seq)) if body == asked.body => Ok(Done::Again(seq)),
        _ => Err(Failed::KeyUsed),
    }
}
