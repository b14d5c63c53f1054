//! Subscriptions: a sitting's watchers get its latest committed sequence number and the players who are present. Event
//! streams pass them on to pages and programs. If several servers share a database, they exchange this with the others.

pub mod others;

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{self, Sse};
use spoton::engine::position::{ByPlayer, Player};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

use crate::ids::{Hash, SittingId};
use crate::limits::{AWAY_AFTER, GONE_AFTER, HEARTBEAT, SLOWEST_READER, STREAMS_OF_A_BROWSER};
use others::Outbox;

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
    /// News for the other servers, if there are any.
    outbox: Option<Arc<Outbox>>,
}

#[derive(Default)]
struct Watchers {
    tables: HashMap<SittingId, Watched>,
    /// The players at other servers, by sitting and server.
    elsewhere: BTreeMap<SittingId, BTreeMap<String, Elsewhere>>,
    /// Open streams per browser.
    browsers: HashMap<Hash, usize>,
    ended: bool,
}

/// Players at another server. It repeats this, so those of a dead server are gone after a while.
#[derive(Clone, Copy, Debug)]
struct Elsewhere {
    here: ByPlayer<bool>,
    until: Instant,
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

    /// The players who have it open at this server.
    fn here(&self) -> ByPlayer<bool> {
        ByPlayer::from_fn(|player| self.open[player] > 0)
    }
}

impl Watchers {
    /// Returns the players who are at other servers.
    fn elsewhere(&self, id: SittingId) -> ByPlayer<bool> {
        let servers = self.elsewhere.get(&id);
        let is_there = |player| servers.is_some_and(|all| all.values().any(|at| at.here[player]));
        ByPlayer::from_fn(is_there)
    }

    /// Forgets one server's players in a sitting, or those of servers that are gone.
    fn forget_elsewhere(&mut self, id: SittingId, now: Instant, server: Option<&str>) {
        if let Some(servers) = self.elsewhere.get_mut(&id) {
            servers.retain(|name, at| at.until > now && server != Some(name));
            if servers.is_empty() {
                self.elsewhere.remove(&id);
            }
        }
    }

    /// Publishes presence if it changed.
    fn tell_who_is_here(&self, id: SittingId) {
        let Some(watched) = self.tables.get(&id) else { return };
        let (own, elsewhere) = (watched.here(), self.elsewhere(id));
        let here = ByPlayer::from_fn(|player| own[player] || elsewhere[player]);
        watched.news.send_if_modified(|news| std::mem::replace(&mut news.here, here) != here);
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
    /// Returns the subscriptions of one of several servers.
    pub fn among_others(outbox: Arc<Outbox>) -> Live {
        Live { outbox: Some(outbox), ..Live::default() }
    }

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
        let news = state.tables.entry(id).or_default().news.subscribe();
        // Players may have come to other servers before.
        state.tell_who_is_here(id);
        news
    }

    /// Publishes a sequence number.
    pub fn tell(&self, id: SittingId, seq: u64) {
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_modify(|news| news.seq = seq);
        }
        if let Some(outbox) = &self.outbox {
            outbox.changed(id, seq);
        }
    }

    /// Makes the sitting's pages reload although it has no new event.
    pub fn look_again(&self, id: SittingId) {
        self.hear_again(id);
        if let Some(outbox) = &self.outbox {
            outbox.again(id);
        }
    }

    /// Publishes a sequence number from elsewhere. Returns the one that watchers knew, if they didn't know this one.
    pub(crate) fn hear(&self, id: SittingId, seq: u64) -> Option<u64> {
        let mut known = None;
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_if_modified(|news| {
                if news.seq < seq {
                    known = Some(std::mem::replace(&mut news.seq, seq));
                }
                known.is_some()
            });
        }
        known
    }

    /// Like [`Live::look_again`], if another server said so.
    pub(crate) fn hear_again(&self, id: SittingId) {
        if let Some(watched) = self.state().tables.get(&id) {
            watched.news.send_modify(|news| news.again += 1);
        }
    }

    /// Notes who has a sitting open at another server.
    pub(crate) fn hear_here(&self, id: SittingId, server: &str, here: ByPlayer<bool>, now: Instant) {
        let mut state = self.state();
        match here == ByPlayer::default() {
            true => state.forget_elsewhere(id, now, Some(server)),
            false => {
                let at = Elsewhere { here, until: now + GONE_AFTER };
                state.elsewhere.entry(id).or_default().insert(server.to_owned(), at);
            }
        }
        state.tell_who_is_here(id);
    }

    /// Notes that another server shuts down. Its players have a moment to come to another one.
    pub(crate) fn hear_leaving(&self, server: &str, now: Instant) {
        let until = now + AWAY_AFTER;
        for servers in self.state().elsewhere.values_mut() {
            if let Some(at) = servers.get_mut(server) {
                at.until = until.min(at.until);
            }
        }
    }

    /// Forgets the players of servers that are gone.
    pub(crate) fn forget_the_gone(&self, now: Instant) {
        let mut state = self.state();
        let gone = |servers: &BTreeMap<String, Elsewhere>| servers.values().any(|at| at.until <= now);
        let ids: Vec<SittingId> =
            state.elsewhere.iter().filter(|(_, servers)| gone(servers)).map(|(id, _)| *id).collect();
        for id in ids {
            state.forget_elsewhere(id, now, None);
            state.tell_who_is_here(id);
        }
    }

    /// Tells the other servers again who is here.
    pub(crate) fn repeat_who_is_here(&self) {
        let Some(outbox) = &self.outbox else { return };
        let state = self.state();
        let tables = state.tables.iter().map(|(id, watched)| (*id, watched.here()));
        let here = tables.filter(|(_, here)| *here != ByPlayer::default());
        outbox.here(here);
    }

    /// Returns the watched sittings, sorted.
    pub fn watched(&self) -> Vec<SittingId> {
        let state = self.state();
        let watched = state.tables.iter().filter(|(_, watched)| watched.news.receiver_count() > 0);
        let mut ids: Vec<SittingId> = watched.map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids
    }

    /// Returns the news for other servers, if there are any.
    pub(crate) fn outbox(&self) -> Option<Arc<Outbox>> {
        self.outbox.clone()
    }

    /// Ends all streams, so that their clients connect again, perhaps to another server.
    pub(crate) fn cut(&self) {
        for watched in self.state().tables.values_mut() {
            // Players stay present until their streams' tasks end.
            let news = *watched.news.borrow();
            watched.news = watch::channel(news).0;
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
        let state = self.state();
        match state.tables.get(&id) {
            Some(watched) => watched.news.borrow().here,
            None => state.elsewhere(id),
        }
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
        self.count_here(id, &seats, |open| open + 1);
        Present { live: Arc::clone(self), id, seats }
    }

    /// Changes how often players have a sitting open here, and publishes who is here if that changed.
    fn count_here(&self, id: SittingId, seats: &[Player], count: impl Fn(usize) -> usize) {
        let mut state = self.state();
        let Some(watched) = state.tables.get_mut(&id) else { return };
        let before = watched.here();
        for player in seats {
            watched.open[*player] = count(watched.open[*player]);
        }
        let here = watched.here();
        if here != before {
            state.tell_who_is_here(id);
            if let Some(outbox) = &self.outbox {
                outbox.here([(id, here)]);
            }
        }
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
            biased;
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
        self.live.count_here(self.id, &self.seats, |open| open.saturating_sub(1));
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

    #[test]
    fn players_at_other_servers_are_here_until_their_server_is_gone() {
        let outbox = Arc::new(Outbox::new("own".to_owned()));
        let (live, now) = (Arc::new(Live::among_others(Arc::clone(&outbox))), Instant::now());
        let here = || live.here(TABLE).0;
        let (one, two) = (ByPlayer([true, false]), ByPlayer([false, true]));
        live.hear_here(TABLE, "a", one, now);
        assert_eq!(here(), [true, false], "also of a sitting that nobody watches here");
        let watching = live.watch(TABLE);
        assert_eq!(watching.borrow().here, one);
        live.hear_here(TABLE, "b", two, now);
        assert_eq!((here(), watching.has_changed().unwrap()), ([true, true], true));
        live.hear_here(TABLE, "a", ByPlayer::default(), now);
        assert_eq!(here(), [false, true]);
        // One server repeats what it said, the other is dead.
        live.hear_here(TABLE, "a", one, now);
        let later = now + GONE_AFTER * 2 / 3;
        live.hear_here(TABLE, "a", one, later);
        live.forget_the_gone(later);
        assert_eq!(here(), [true, true]);
        live.forget_the_gone(now + GONE_AFTER);
        assert_eq!(here(), [true, false]);
        // A server that shuts down leaves its players a moment.
        live.hear_leaving("a", later);
        live.forget_the_gone(later);
        assert_eq!(here(), [true, false]);
        live.forget_the_gone(later + AWAY_AFTER);
        assert_eq!(here(), [false, false]);
        assert!(live.state().elsewhere.is_empty());
        // The others hear only of players at this server.
        let present = live.arrive(TABLE, vec![Player::One]);
        let news = |outbox: &Outbox| outbox.take(100).1.here;
        assert_eq!(news(&outbox), [(TABLE, one)].into());
        live.repeat_who_is_here();
        assert_eq!(news(&outbox), [(TABLE, one)].into());
        drop(present);
        assert_eq!(news(&outbox), [(TABLE, ByPlayer::default())].into());
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
