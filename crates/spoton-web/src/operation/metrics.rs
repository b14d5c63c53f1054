//! What is counted, for whoever runs this.

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

/// What is counted.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    pub moves: Counter,
    commit_time: Histogram,
    batch: Histogram,
    pub store_errors: Counter,
    pub panics: Counter,
    pub tidied: Counter,
    streams: Gauge,
    pub tasks: Gauge,
    pub thinking: Gauge,
    waiting: Family<InQueue, Gauge>,
    pub rooms: Gauge,
    pub data: Gauge<u64, AtomicU64>,
}

/// How a request was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    /// The pattern of the address, never the address.
    route: String,
    status: u16,
}

/// A queue of solver jobs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InQueue {
    queue: &'static str,
}

/// Something that is open; it counts until it is dropped.
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
            // From a tenth of a millisecond to three seconds.
            commit_time: Histogram::new(exponential_buckets(0.0001, 2.0, 16)),
            batch: Histogram::new(exponential_buckets(1.0, 2.0, 7)),
            store_errors: Counter::default(),
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
        registry.register("moves", "Moves that were kept", metrics.moves.clone());
        let (help, time) = ("Time until what was written is on the disk", metrics.commit_time.clone());
        registry.register_with_unit("commit", help, Unit::Seconds, time);
        registry.register("batch_commands", "Commands written in one commit", metrics.batch.clone());
        registry.register("store_errors", "Times that nothing could be kept", metrics.store_errors.clone());
        registry.register("panics", "Requests that ended in a panic", metrics.panics.clone());
        registry.register("tidied_sittings", "Sittings nobody came back to", metrics.tidied.clone());
        registry.register("streams_open", "Streams that are open", metrics.streams.clone());
        registry.register("tasks", "Tasks that are alive", metrics.tasks.clone());
        registry.register("thinking", "Solver jobs waiting", metrics.thinking.clone());
        registry.register("waiting", "Solver jobs waiting, by queue", metrics.waiting.clone());
        registry.register("rooms_held", "Rooms that are held in memory", metrics.rooms.clone());
        registry.register_with_unit("data", "How much is kept", Unit::Bytes, metrics.data.clone());
        for queue in Queue::ALL {
            metrics.waits_in(queue.name(), 0);
        }
        Metrics { registry, ..metrics }
    }
}

impl Metrics {
    pub fn answered(&self, method: &'static str, route: String, status: u16) {
        self.requests.get_or_create(&Answered { method, route, status }).inc();
    }

    /// So many solver jobs wait in a queue.
    pub fn waits_in(&self, queue: &'static str, jobs: i64) {
        self.waiting.get_or_create(&InQueue { queue }).set(jobs);
    }

    /// So many commands were written together.
    pub fn committed(&self, commands: usize, time: Duration) {
        self.batch.observe(commands as f64);
        self.commit_time.observe(time.as_secs_f64());
    }

    pub fn opens_stream(self: &Arc<Metrics>) -> Open {
        self.streams.inc();
        Open(self.streams.clone())
    }

    /// All of it, as Prometheus reads it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            // A text takes whatever is written to it.
            Err(_) => String::new(),
        }
    }
}
