//! Who is watching what: whoever waits for news of a sitting is told the number of its last event, after that was kept,
//! and which players are here. Streams tell it to pages and programs.

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

/// What is new at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The last event that was told of. It may be older than what is kept: whoever watches looks first.
    pub seq: u64,
    /// Which players have it open somewhere.
    pub here: ByPlayer<bool>,
    /// How often something beside the table has changed that its page shows.
    again: u64,
}

/// The sittings that somebody watches.
#[derive(Default)]
pub struct Live {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tables: HashMap<SittingId, Watched>,
    /// How many streams each browser has open.
    browsers: HashMap<Hash, usize>,
    ended: bool,
}

struct Watched {
    news: watch::Sender<News>,
    /// How many streams of each player are open: two tabs of one player don't disturb each other.
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

    /// Says who is here, if that has changed.
    fn tell_who_is_here(&self) {
        let here = ByPlayer::from_fn(|player| self.open[player] > 0);
        self.news.send_if_modified(|news| std::mem::replace(&mut news.here, here) != here);
    }
}

/// Somebody who listens.
pub struct Listener {
    pub id: SittingId,
    /// The seats that they hold; a watcher holds none, and is no player.
    pub seats: Vec<Player>,
    /// The last event that they know of.
    pub after: u64,
    /// Whether they want to know who is here.
    pub presence: bool,
    /// One of the streams of a browser.
    pub slot: Option<Slot>,
}

/// What a listener knows already. A browser that comes back says so itself, and that counts more than its old address.
pub fn last_seen(headers: &HeaderMap, asked: Option<u64>) -> u64 {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    last.or(asked).unwrap_or(0)
}

impl Live {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches a sitting.
    pub fn watch(&self, id: SittingId) -> watch::Receiver<News> {
        let mut state = self.state();
        if state.ended {
            // Nobody will tell anything any more, and whoever waits notices.
            return watch::channel(News::default()).1;
        }
        // Those that nobody watches any more make room.
        if state.tables.len().is_power_of_two() {
            state.tables.retain(|_, watched| watched.is_needed());
        }
        state.tables.entry(id).or_default().news.subscribe()
    }

    /// Tells everybody who watches.
    pub fn tell(&self, id: SittingId, seq: u64) {
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_modify(|news| news.seq = seq);
        }
    }

    /// Pages of a sitting look again, though nothing has happened in it.
    pub fn look_again(&self, id: SittingId) {
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_modify(|news| news.again += 1);
        }
    }

    /// Lets everybody go: streams end, and nothing comes any more.
    pub fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.tables.clear();
    }

    /// How many watch a sitting.
    pub fn watchers(&self, id: SittingId) -> usize {
        self.state().tables.get(&id).map_or(0, |watched| watched.news.receiver_count())
    }

    /// Which players have a sitting open somewhere.
    pub fn here(&self, id: SittingId) -> ByPlayer<bool> {
        self.state().tables.get(&id).map_or_else(ByPlayer::default, |watched| watched.news.borrow().here)
    }

    /// One more stream of a browser; `None` if it has as many as it may. Browsers open only so many connections to a
    /// host, and a page has to get through beside them.
    pub fn slot(self: &Arc<Live>, browser: Hash) -> Option<Slot> {
        let mut state = self.state();
        let open = state.browsers.entry(browser).or_default();
        if *open >= STREAMS_OF_A_BROWSER {
            return None;
        }
        *open += 1;
        Some(Slot { live: Arc::clone(self), browser })
    }

    /// Players are here, for as long as what comes back is held.
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

    /// A stream of whatever `look` finds after an event, now and whenever something has happened. It ends if there is
    /// nothing to be found any more, if everybody is let go, or if the other end is gone or takes nothing.
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
                // Browsers pass over an event without any data.
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
            // Whoever only loads the page anew was never away.
            tokio::time::sleep(AWAY_AFTER).await;
            drop(present);
        });
        Sse::new(ReceiverStream::new(told)).keep_alive(sse::KeepAlive::new().interval(HEARTBEAT))
    }
}

/// It has no id: coming back, a browser names the last event that it has seen, and this is none.
fn who_is_here(here: ByPlayer<bool>) -> sse::Event {
    let [one, two] = here.0;
    sse::Event::default().event("presence").data(format!("{{\"1\":{one},\"2\":{two}}}"))
}

/// The near end of a stream.
struct Teller {
    tell: mpsc::Sender<Result<sse::Event, Infallible>>,
    patience: Duration,
}

impl Teller {
    /// Tells something; whether it was taken. Who takes nothing for too long is let go, and comes back by the number of
    /// the last event.
    async fn tell(&self, event: sse::Event) -> bool {
        matches!(tokio::time::timeout(self.patience, self.tell.send(Ok(event))).await, Ok(Ok(())))
    }

    /// Waits for news; whether there is anybody left to tell them to.
    async fn waits(&self, news: &mut watch::Receiver<News>) -> bool {
        tokio::select! {
            changed = news.changed() => changed.is_ok(),
            () = self.tell.closed() => false,
        }
    }
}

/// One of the streams that a browser may have.
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

/// Players who have a table open.
pub struct Present {
    live: Arc<Live>,
    id: SittingId,
    seats: Vec<Player>,
}

impl Present {
    /// They go, unless they come again at once.
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
        let (ann, ben) = (Hash::of("ann"), Hash::of("ben"));
        let mut open: Vec<Slot> = (0..STREAMS_OF_A_BROWSER).map(|_| live.slot(ann).unwrap()).collect();
        assert!(live.slot(ann).is_none() && live.slot(ben).is_some());
        open.pop();
        assert!(live.slot(ann).is_some());
        drop(open);
        assert!(live.state().browsers.is_empty(), "nothing is left of those who are gone");
    }

    #[tokio::test]
    async fn a_reader_who_takes_nothing_is_let_go() {
        let (tell, mut told) = mpsc::channel(1);
        let teller = Teller { tell, patience: Duration::from_millis(1) };
        assert!(teller.tell(sse::Event::default()).await, "there is room for one");
        assert!(!teller.tell(sse::Event::default()).await, "nobody takes it");
        assert!(told.recv().await.is_some());
        assert!(teller.tell(sse::Event::default()).await);
    }

    #[test]
    fn whoever_comes_after_the_end_is_let_go_at_once() {
        let live = Live::default();
        let before = live.watch(TABLE);
        live.end();
        assert!(before.has_changed().is_err() && live.watch(TABLE).has_changed().is_err());
    }
}
