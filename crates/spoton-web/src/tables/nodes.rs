//! Several servers on one database: each tells the others what has changed, and checks every two seconds whether it missed
//! something. So a lost message costs two seconds, never a move. A server with its own database does none of this.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use crate::ids::SittingId;
use crate::limits::GONE_AFTER;
use crate::live::others::{Outbox, Ring};
use crate::stop::told_to_stop;
use crate::store::Unavailable;
use crate::store::bell::{Bell, LONGEST_RING};
use crate::tables::Tables;

/// The pause after each text: what happens meanwhile goes into the next one.
const PAUSE: Duration = Duration::from_millis(10);

/// The pause after a text that couldn't be sent, and before listening again.
const RETRY: Duration = Duration::from_millis(500);

/// How often a server rings, even without news, and checks all watched sittings.
const BEAT: Duration = Duration::from_secs(2);

/// If nothing is heard for this long, not even this server's own ring, the connection is lost.
const SILENCE: Duration = Duration::from_secs(5);

/// How often a server repeats who is here, in beats.
const REPEAT: u32 = 7;

/// How often a server reads the database's time, in beats.
const READ_TIME: u32 = 8;

/// A slower answer says too little about the time.
const QUICK: Duration = Duration::from_secs(1);

/// How often a server checks whether its store takes writes, and how long it waits for that.
const CHECK_STORE: Duration = Duration::from_millis(750);
const TIME_TO_CHECK_STORE: Duration = Duration::from_millis(2_500);

/// After this time without the store, streams end: perhaps another server still has it.
const CUT_AFTER: Duration = Duration::from_secs(3);

/// Time for the last texts at shutdown.
const TIME_TO_LEAVE: Duration = Duration::from_secs(1);

/// The news from other servers.
#[derive(Debug, Default)]
pub struct Heard {
    /// Changes that the last check found. If no bell announces them until the next one, it was lost.
    found: Mutex<BTreeMap<SittingId, u64>>,
    /// When each server rang last.
    servers: Mutex<BTreeMap<String, Instant>>,
    /// Whether the store takes writes, if that's checked.
    readiness: Mutex<Option<Result<(), Unavailable>>>,
}

impl Heard {
    /// Returns whether the store takes writes; `None` if nobody checks that.
    pub fn readiness(&self) -> Option<Result<(), Unavailable>> {
        self.readiness.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_readiness(&self, readiness: Option<Result<(), Unavailable>>) {
        *self.readiness.lock().unwrap_or_else(PoisonError::into_inner) = readiness;
    }

    fn announced(&self, id: SittingId, seq: u64) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.get(&id).is_some_and(|found| *found <= seq) {
            found.remove(&id);
        }
    }

    /// Notes that a server rang, and returns the number of servers that are there.
    fn rang(&self, server: &str, now: Instant) -> usize {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        servers.retain(|_, last| *last + GONE_AFTER > now);
        servers.insert(server.to_owned(), now);
        servers.len()
    }
}

impl Tables {
    /// Keeps in touch with the other servers until shutdown, if there may be some.
    pub async fn keep_in_touch(self, mut stop: watch::Receiver<bool>) {
        let (Some(bell), Some(outbox)) = (self.store.bell(), self.live.outbox()) else { return };
        let in_touch = async {
            tokio::join!(
                biased;
                self.ring(&*bell, &outbox),
                self.listen(&*bell, &outbox),
                self.beat(),
                self.watch_store()
            )
        };
        tokio::select! {
            biased;
            () = told_to_stop(&mut stop) => {}
            _ = in_touch => {}
        }
        self.heard.set_readiness(None);
        outbox.add(|ring| ring.leaves = true);
        let leave = async {
            loop {
                let (text, news) = outbox.take(LONGEST_RING);
                if news.is_empty() || bell.ring(text).await.is_err() {
                    return;
                }
            }
        };
        // The others notice anyway, only later.
        let _ = timeout(TIME_TO_LEAVE, leave).await;
    }

    /// Sends news to the other servers.
    async fn ring(&self, bell: &dyn Bell, outbox: &Outbox) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = outbox.filled() => {}
                _ = beats.tick() => {}
            }
            let (text, news) = outbox.take(LONGEST_RING);
            let is_news = !news.is_empty();
            match bell.ring(text).await {
                Ok(()) => {
                    self.metrics.bells_sent.inc_by(u64::from(is_news));
                    sleep(PAUSE).await;
                }
                Err(why) => {
                    tracing::debug!("can't notify the other servers: {why}");
                    outbox.put_back(news);
                    sleep(RETRY).await;
                }
            }
        }
    }

    /// Hears the news of other servers.
    async fn listen(&self, bell: &dyn Bell, outbox: &Outbox) {
        let mut was_listening = false;
        loop {
            if let Ok(mut listening) = bell.listen().await {
                was_listening = true;
                // Nobody knows what happened before.
                self.rooms.forget_all();
                outbox.add(|ring| ring.asks = true);
                self.check().await;
                while let Ok(Ok(text)) = timeout(SILENCE, listening.hear()).await {
                    self.hear(&text, outbox);
                }
            }
            if std::mem::take(&mut was_listening) {
                tracing::warn!("lost the connection to the other servers");
                self.metrics.bell_losses.inc();
            }
            sleep(RETRY).await;
        }
    }

    /// Takes in a text.
    fn hear(&self, text: &str, outbox: &Outbox) {
        let (server, ring) = Ring::read(text);
        let now = Instant::now();
        let count = self.heard.rang(server, now);
        self.metrics.nodes.set(i64::try_from(count).unwrap_or(i64::MAX));
        for (id, seq) in &ring.changed {
            self.heard.announced(*id, *seq);
        }
        if server == outbox.server {
            return;
        }
        if !ring.is_empty() {
            self.metrics.bells_heard.inc();
        }
        for (id, seq) in ring.changed {
            // The room first: watchers look at it.
            self.rooms.announce(id, seq);
            self.live.hear(id, seq);
        }
        for id in ring.again {
            self.live.hear_again(id);
        }
        for (id, here) in ring.here {
            self.live.hear_here(id, server, here, now);
        }
        if ring.asks {
            self.live.repeat_who_is_here();
        }
        if ring.leaves {
            self.live.hear_leaving(server, now);
        }
    }

    /// Checks regularly whether something was missed.
    async fn beat(&self) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for beat in 1_u32.. {
            beats.tick().await;
            self.check().await;
            self.live.forget_the_gone(Instant::now());
            if beat.is_multiple_of(REPEAT) {
                self.live.repeat_who_is_here();
            }
            if beat.is_multiple_of(READ_TIME) {
                // The next time is soon enough.
                let _ = self.read_time().await;
            }
        }
    }

    /// Sets the clock to the store's time, if that's what counts.
    ///
    /// # Errors
    ///
    /// Fails if the store doesn't answer.
    pub async fn read_time(&self) -> Result<(), Unavailable> {
        let asked = Instant::now();
        if let Some(time) = self.store.time().await? {
            let took = asked.elapsed();
            if took < QUICK || !self.clock.is_set() {
                self.clock.set(time, asked + took / 2);
            }
        }
        Ok(())
    }

    /// Checks all the time whether the store takes writes.
    async fn watch_store(&self) {
        let mut last_ready = Instant::now();
        let mut is_cut = false;
        loop {
            let late = || Unavailable("the store doesn't respond in time".to_owned());
            let ready = timeout(TIME_TO_CHECK_STORE, self.store.is_ready()).await;
            let ready = ready.unwrap_or_else(|_| Err(late()));
            match &ready {
                Ok(()) => (last_ready, is_cut) = (Instant::now(), false),
                Err(why) if !is_cut && last_ready.elapsed() >= CUT_AFTER => {
                    tracing::error!("the streams end, because the store is gone: {why}");
                    self.live.cut();
                    is_cut = true;
                }
                Err(_) => {}
            }
            self.heard.set_readiness(Some(ready));
            sleep(CHECK_STORE).await;
        }
    }

    /// Compares all watched sittings with the store.
    async fn check(&self) {
        let watched = self.live.watched();
        let last = match watched.is_empty() {
            true => vec![],
            false => match self.store.last_events(watched).await {
                Ok(last) => last,
                Err(_) => return,
            },
        };
        let mut found = BTreeMap::new();
        for (id, seq) in last {
            let was_behind = self.rooms.announce(id, seq);
            let knew = self.live.hear(id, seq);
            if was_behind || knew.is_some_and(|seq| seq > 0) {
                found.insert(id, seq);
            }
        }
        let mut before = self.heard.found.lock().unwrap_or_else(PoisonError::into_inner);
        // By now, a bell that was only late has rung.
        self.metrics.bells_missed.inc_by(before.len() as u64);
        *before = found;
    }
}
