//! Subscriptions: a sitting's watchers get its latest committed sequence number and the players who are present. Event
//! streams pass them on to pages and programs.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{self, Sse};
use spoton::engine::position::{ByPlayer, Player};
use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

use crate::ids::{Hash, SittingId};
use crate::limits::{AWAY_AFTER, HEARTBEAT, SLOWEST_READER, STREAMS_OF_A_BROWSER};

/// A table's latest news.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The last published event. The store may have later ones, so watchers check first.
    pub seq: u64,
    /// The players who have it open.
    pub here: ByPlayer<bool>,
    /// Counts changes that the table's page shows but that happen outside the table.
    again: u64,
}

/// The watched sittings.
#[derive(Default)]
pub struct Live {
    state: Mutex<Watchers>,
}

#[derive(Default)]
struct Watchers {
    tables: HashMap<SittingId, Watched>,
    /// Open streams per browser.
    browsers: HashMap<Hash, usize>,
    ended: bool,
}

struct Watched {
    news: watch::Sender<News>,
    /// Open streams per player: two tabs of one player don't disturb each other.
    open: ByPlayer<usize>,
}

impl Default for Watched {
    fn default() -> Watched {
        Watched { news: watch::channel(News::default()).0, open: ByPlayer::default() }
    }
}

impl Watched {
    fn is_needed(&self) -> bool {
        self.news.receiver_count() > 0 || self.open.0.iter().any(|open| *open > 0)
    }

    /// Publishes presence if it changed.
    fn tell_who_is_here(&self) {
        let here = ByPlayer::from_fn(|player| self.open[player] > 0);
        self.news.send_if_modified(|news| std::mem::replace(&mut news.here, here) != here);
    }
}

/// A subscriber.
pub struct Listener {
    pub id: SittingId,
    /// Their seats; empty for watchers.
    pub seats: Vec<Player>,
    /// The last event they know.
    pub after: u64,
    /// Whether they want presence events.
    pub presence: bool,
    /// Its slot in the browser's list of streams.
    pub slot: Option<Slot>,
}

/// Returns the last event a client knows. After a reconnect the browser's header wins over the old query.
pub(crate) fn last_seen(headers: &HeaderMap, asked: Option<u64>) -> u64 {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    last.or(asked).unwrap_or(0)
}

impl Live {
    fn state(&self) -> MutexGuard<'_, Watchers> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Subscribes to a sitting.
    pub fn watch(&self, id: SittingId) -> watch::Receiver<News> {
        let mut state = self.state();
        if state.ended {
            // A closed channel: subscribers notice the shutdown.
            return watch::channel(News::default()).1;
        }
        // Drops sittings without watchers.
        if state.tables.len().is_power_of_two() {
            state.tables.retain(|_, watched| watched.is_needed());
        }
        state.tables.entry(id).or_default().news.subscribe()
    }

    /// Publishes a sequence number.
    pub fn tell(&self, id: SittingId, seq: u64) {
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_modify(|news| news.seq = seq);
        }
    }

    /// Makes the sitting's pages reload although it has no new event.
    pub(crate) fn look_again(&self, id: SittingId) {
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_modify(|news| news.again += 1);
        }
    }

    /// Ends all streams and subscriptions.
    pub fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.tables.clear();
    }

    /// Returns the players who have a sitting open.
    pub fn here(&self, id: SittingId) -> ByPlayer<bool> {
        self.state().tables.get(&id).map_or_else(ByPlayer::default, |watched| watched.news.borrow().here)
    }

    /// Reserves a stream for a browser; `None` at the limit. Browsers limit the connections per host, and page loads
    /// need some.
    pub fn slot(self: &Arc<Live>, browser: Hash) -> Option<Slot> {
        let mut state = self.state();
        let open = state.browsers.entry(browser).or_default();
        if *open >= STREAMS_OF_A_BROWSER {
            return None;
        }
        *open += 1;
        Some(Slot { live: Arc::clone(self), browser })
    }

    /// Marks players as present until the guard is dropped.
    pub fn arrive(self: &Arc<Live>, id: SittingId, seats: Vec<Player>) -> Present {
        let mut state = self.state();
        if let Some(watched) = state.tables.get_mut(&id) {
            for player in &seats {
                watched.open[*player] += 1;
            }
            watched.tell_who_is_here();
        }
        drop(state);
        Present { live: Arc::clone(self), id, seats }
    }

    /// Streams what `look` finds after an event, now and after each change. Ends if `look` returns `None`, at
    /// shutdown, or if the client is gone or doesn't read.
    pub fn stream<L, F>(
        self: &Arc<Live>,
        listener: Listener,
        look: L,
    ) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>> + use<L, F>>
    where
        L: Fn(u64) -> F + Send + 'static,
        F: Future<Output = Option<Vec<(u64, sse::Event)>>> + Send,
    {
        let (tell, told) = mpsc::channel(16);
        let live = Arc::clone(self);
        tokio::spawn(async move {
            let Listener { id, seats, mut after, presence, slot } = listener;
            let mut news = live.watch(id);
            let present = live.arrive(id, seats);
            let teller = Teller { tell, patience: SLOWEST_READER };
            let mut known = None;
            let mut looked = news.borrow().again;
            while news.has_changed().is_ok() {
                let News { here, again, .. } = *news.borrow_and_update();
                if presence && known.replace(here) != Some(here) && !teller.tell(who_is_here(here)).await {
                    break;
                }
                // Browsers ignore events without data.
                let look_again = sse::Event::default().event("again").data("look");
                if presence
                    && std::mem::replace(&mut looked, again) != again
                    && !teller.tell(look_again).await
                {
                    break;
                }
                let Some(found) = look(after).await else { break };
                let mut gone = false;
                for (seq, event) in found {
                    after = seq;
                    gone = !teller.tell(event.id(seq.to_string())).await;
                    if gone {
                        break;
                    }
                }
                if gone || !teller.waits(&mut news).await {
                    break;
                }
            }
            drop((teller, look, slot));
            // A page reload isn't an absence.
            tokio::time::sleep(AWAY_AFTER).await;
            drop(present);
        });
        Sse::new(ReceiverStream::new(told)).keep_alive(sse::KeepAlive::new().interval(HEARTBEAT))
    }
}

/// It has no id, so reconnecting browsers still send the last real event's id.
fn who_is_here(here: ByPlayer<bool>) -> sse::Event {
    let [one, two] = here.0;
    sse::Event::default().event("presence").data(format!("{{\"1\":{one},\"2\":{two}}}"))
}

/// The sending half of a stream.
struct Teller {
    tell: mpsc::Sender<Result<sse::Event, Infallible>>,
    patience: Duration,
}

impl Teller {
    /// Sends an event; `false` if the client is gone or reads too slowly. It can reconnect with its last event's id.
    async fn tell(&self, event: sse::Event) -> bool {
        matches!(tokio::time::timeout(self.patience, self.tell.send(Ok(event))).await, Ok(Ok(())))
    }

    /// Waits for news; `false` if the client is gone.
    async fn waits(&self, news: &mut watch::Receiver<News>) -> bool {
        tokio::select! {
            changed = news.changed() => changed.is_ok(),
            () = self.tell.closed() => false,
        }
    }
}

/// Guard for a browser's stream.
pub struct Slot {
    live: Arc<Live>,
    browser: Hash,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.live.state();
        if let Some(open) = state.browsers.get_mut(&self.browser) {
            *open -= 1;
            if *open == 0 {
                state.browsers.remove(&self.browser);
            }
        }
    }
}

/// Guard for present players.
pub struct Present {
    live: Arc<Live>,
    id: SittingId,
    seats: Vec<Player>,
}

impl Present {
    /// Marks them as away after a moment, unless they return.
    pub fn leave(self) {
        if !self.seats.is_empty() {
            tokio::spawn(async move {
                tokio::time::sleep(AWAY_AFTER).await;
                drop(self);
            });
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut state = self.live.state();
        if let Some(watched) = state.tables.get_mut(&self.id) {
            for player in &self.seats {
                watched.open[*player] = watched.open[*player].saturating_sub(1);
            }
            watched.tell_who_is_here();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: SittingId = SittingId([7; 16]);

    #[test]
    fn a_player_is_here_as_long_as_one_of_their_tabs_is() {
        let live = Arc::new(Live::default());
        let watching = live.watch(TABLE);
        let here = || live.here(TABLE).0;
        let [first_tab, second_tab] = [(); 2].map(|()| live.arrive(TABLE, vec![Player::Two]));
        let watcher = live.arrive(TABLE, vec![]);
        assert_eq!(here(), [false, true]);
        drop(first_tab);
        assert_eq!(here(), [false, true], "the other tab is still open");
        drop(second_tab);
        assert_eq!(here(), [false, false]);
        drop(watcher);
        assert!(watching.has_changed().unwrap());
    }

    #[test]
    fn a_browser_has_so_many_streams_and_gets_back_what_it_closes() {
        let live = Arc::new(Live::default());
        let (ann, ben) = (Hash::digest("ann"), Hash::digest("ben"));
        let mut open: Vec<Slot> = (0..STREAMS_OF_A_BROWSER).map(|_| live.slot(ann).unwrap()).collect();
        assert!(live.slot(ann).is_none() && live.slot(ben).is_some());
        open.pop();
        assert!(live.slot(ann).is_some());
        drop(open);
        assert!(live.state().browsers.is_empty(), "closed streams leave no entry");
    }

    #[tokio::test]
    async fn a_reader_who_takes_nothing_is_let_go() {
        let (tell, mut told) = mpsc::channel(1);
        let teller = Teller { tell, patience: Duration::from_millis(1) };
        assert!(teller.tell(sse::Event::default()).await, "the buffer holds one");
        assert!(!teller.tell(sse::Event::default()).await, "the buffer is full");
        assert!(told.recv().await.is_some());
        assert!(teller.tell(sse::Event::default()).await);
    }

    #[test]
    fn a_listener_after_the_end_leaves_immediately() {
        let live = Live::default();
        let before = live.watch(TABLE);
        live.end();
        assert!(before.has_changed().is_err() && live.watch(TABLE).has_changed().is_err());
    }
}
