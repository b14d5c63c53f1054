//! Metrics for the operator.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::thinking::Queue;

/// All metrics of the server.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    pub moves: Counter,
    commit_time: Histogram,
    batch: Histogram,
    pub store_errors: Counter,
    /// Commits that lost their connection, and how many of those were settled.
    pub unknown_commits: Counter,
    pub settled_commits: Counter,
    pub unsettled_writes: Counter,
    settled_writes: Family<SettledAs, Counter>,
    /// Writes that another one overtook.
    pub conflicts: Counter,
    /// Cached rooms that were behind the store when they were read.
    pub stale_rooms: Counter,
    pub bells_sent: Counter,
    pub bells_heard: Counter,
    /// Changes that no bell announced.
    pub bells_missed: Counter,
    pub bell_losses: Counter,
    pub nodes: Gauge,
    pub panics: Counter,
    pub tidied: Counter,
    streams: Gauge,
    pub tasks: Gauge,
    pub thinking: Gauge,
    waiting: Family<InQueue, Gauge>,
    pub rooms: Gauge,
    pub data: Gauge<u64, AtomicU64>,
}

/// Labels of an answered request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    /// The route's pattern, never the path itself: that contains ids.
    route: String,
    status: u16,
}

/// How a write of an unknown commit was settled: it was saved, is saved now, or another one was faster.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SettledAs {
    outcome: &'static str,
}

pub(crate) const FOUND: &str = "found";
pub(crate) const WRITTEN: &str = "written";
pub(crate) const REFUSED: &str = "refused";

/// A queue of solver jobs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InQueue {
    queue: &'static str,
}

/// Guard for an open stream, which counts until the guard is dropped.
pub struct Open(Gauge);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("spoton");
        let metrics = Metrics {
            requests: Family::default(),
            moves: Counter::default(),
            // From 0.1 ms to 3 s.
            commit_time: Histogram::new(exponential_buckets(0.0001, 2.0, 16)),
            batch: Histogram::new(exponential_buckets(1.0, 2.0, 7)),
            store_errors: Counter::default(),
            unknown_commits: Counter::default(),
            settled_commits: Counter::default(),
            unsettled_writes: Counter::default(),
            settled_writes: Family::default(),
            conflicts: Counter::default(),
            stale_rooms: Counter::default(),
            bells_sent: Counter::default(),
            bells_heard: Counter::default(),
            bells_missed: Counter::default(),
            bell_losses: Counter::default(),
            nodes: Gauge::default(),
            panics: Counter::default(),
            tidied: Counter::default(),
            streams: Gauge::default(),
            tasks: Gauge::default(),
            thinking: Gauge::default(),
            waiting: Family::default(),
            rooms: Gauge::default(),
            data: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("requests", "Requests by route and status", metrics.requests.clone());
        registry.register("moves", "Moves saved", metrics.moves.clone());
        let (help, time) = ("Time to commit a batch to disk", metrics.commit_time.clone());
        registry.register_with_unit("commit", help, Unit::Seconds, time);
        registry.register("batch_commands", "Commands per commit", metrics.batch.clone());
        registry.register("store_errors", "Failed writes", metrics.store_errors.clone());
        let (help, unknown) = ("Commits with an unknown outcome at first", metrics.unknown_commits.clone());
        registry.register("unknown_commits", help, unknown);
        let (help, settled) =
            ("Unknown commits whose outcome was found in time", metrics.settled_commits.clone());
        registry.register("settled_commits", help, settled);
        let (help, writes) = ("Writes of unknown commits by outcome", metrics.settled_writes.clone());
        registry.register("settled_writes", help, writes);
        let (help, writes) = ("Writes whose outcome stayed unknown", metrics.unsettled_writes.clone());
        registry.register("unsettled_writes", help, writes);
        let (help, conflicts) = ("Writes that another one overtook", metrics.conflicts.clone());
        registry.register("conflicts", help, conflicts);
        let (help, stale) = ("Reads that found newer events than the cache", metrics.stale_rooms.clone());
        registry.register("stale_rooms", help, stale);
        registry.register("bells_sent", "Notifications for other servers", metrics.bells_sent.clone());
        registry.register("bells_heard", "Notifications from other servers", metrics.bells_heard.clone());
        registry.register("bells_missed", "Changes without a notification", metrics.bells_missed.clone());
        registry.register("bell_losses", "Losses of the notifications", metrics.bell_losses.clone());
        registry.register("nodes", "Servers on this database", metrics.nodes.clone());
        registry.register("panics", "Requests that panicked", metrics.panics.clone());
        registry.register("tidied_sittings", "Abandoned sittings deleted", metrics.tidied.clone());
        registry.register("streams_open", "Open event streams", metrics.streams.clone());
        registry.register("tasks", "Running tasks", metrics.tasks.clone());
        registry.register("thinking", "Solver jobs waiting", metrics.thinking.clone());
        registry.register("waiting", "Solver jobs waiting, by queue", metrics.waiting.clone());
        registry.register("rooms_held", "Rooms cached in memory", metrics.rooms.clone());
        registry.register_with_unit("data", "Size of the database", Unit::Bytes, metrics.data.clone());
        for queue in Queue::ALL {
            metrics.waits_in(queue.name(), 0);
        }
        for outcome in [FOUND, WRITTEN, REFUSED] {
            drop(metrics.settled_writes.get_or_create(&SettledAs { outcome }));
        }
        metrics.nodes.set(1);
        Metrics { registry, ..metrics }
    }
}

impl Metrics {
    pub fn answered(&self, method: &'static str, route: String, status: u16) {
        self.requests.get_or_create(&Answered { method, route, status }).inc();
    }

    /// Sets the number of jobs waiting in a queue.
    pub(crate) fn waits_in(&self, queue: &'static str, jobs: i64) {
        self.waiting.get_or_create(&InQueue { queue }).set(jobs);
    }

    /// Counts a write of an unknown commit.
    pub(crate) fn settled(&self, outcome: &'static str) {
        self.settled_writes.get_or_create(&SettledAs { outcome }).inc();
    }

    /// Records a commit of several commands.
    pub fn committed(&self, commands: usize, time: Duration) {
        self.batch.observe(commands as f64);
        self.commit_time.observe(time.as_secs_f64());
    }

    pub(crate) fn opens_stream(self: &Arc<Metrics>) -> Open {
        self.streams.inc();
        Open(self.streams.clone())
    }

    /// Returns all metrics in the OpenMetrics text format.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            // Writing to a `String` can't fail.
            Err(_) => String::new(),
        }
    }
}
