//! Several nodes in one process, on a database that crashes, with connections that break and a bell that loses texts.
//! People play and watch at random nodes. Nothing that was acknowledged may be lost, doubled, reordered or hidden.
//!
//! Everything follows from a seed: chance, delays and the clock, which jumps to the next event. So thousands of runs take
//! a minute, and each can be replayed with all its events:
//!
//! ```text
//! SPOTON_SEED=17 cargo test -p spoton-web --test simulation keeps_every_promise -- --nocapture
//! ```
//!
//! The nodes are real, except for their sockets and their store. Computers don't play here: solvers use real threads.
//!
//! | file | contents |
//! |---|---|
//! | `chance.rs` | seeded chance |
//! | `trace.rs` | everything that happened, as a hash |
//! | `database.rs` | the database, the bell and how they fail |
//! | `cluster.rs` | the nodes and how they fail |
//! | `people.rs` | clients and watchers |
//! | `history.rs` | what must be true of a history |
//! | `outrun.rs` | a separate test of a fault that was found here |

mod chance;
mod cluster;
mod database;
mod history;
mod outrun;
mod people;
mod trace;

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use spoton_web::tables::writer::Planted;

use chance::Chance;
use cluster::Cluster;
use database::Database;
use history::{Faults, Kind, Outcome, check};
use people::World;
use trace::Trace;

/// The number of runs.
const SEEDS: u64 = 2000;

/// A run takes at most this long, on its own clock.
const LONGEST: Duration = Duration::from_secs(3600);

/// A fault for a control.
#[derive(Clone, Copy, Debug, Default)]
struct Plant {
    planted: Planted,
    syncs_late: bool,
}

/// A run's result.
struct Ended {
    faults: Faults,
    hash: u64,
    lines: Vec<String>,
    counts: Counts,
}

/// How often things happened in some runs.
#[derive(Debug, Default)]
struct Counts {
    acknowledged: u64,
    refused: u64,
    /// Attempts without an answer.
    unanswered: u64,
    reads: u64,
    streamed: u64,
    commits: u64,
    unknown_commits: u64,
    unknown_but_saved: u64,
    node_crashes: u64,
    database_crashes: u64,
    lost_texts: u64,
    doubled_texts: u64,
}

impl Counts {
    fn fields(&mut self) -> [(&'static str, &mut u64); 12] {
        [
            ("acknowledged", &mut self.acknowledged),
            ("refused", &mut self.refused),
            ("unanswered", &mut self.unanswered),
            ("reads", &mut self.reads),
            ("streamed", &mut self.streamed),
            ("commits", &mut self.commits),
            ("unknown commits", &mut self.unknown_commits),
            ("unknown but saved", &mut self.unknown_but_saved),
            ("node crashes", &mut self.node_crashes),
            ("database crashes", &mut self.database_crashes),
            ("lost texts", &mut self.lost_texts),
            ("doubled texts", &mut self.doubled_texts),
        ]
    }

    fn add(&mut self, mut other: Counts) {
        for ((_, sum), (_, more)) in self.fields().into_iter().zip(other.fields()) {
            *sum += *more;
        }
    }
}

/// Runs a seed.
fn run(seed: u64, Plant { planted, syncs_late }: Plant, keeps_lines: bool) -> Ended {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let chance = Chance::new(seed);
        let trace = Arc::new(Trace::new(keeps_lines));
        let database = Database::new(Arc::clone(&trace), chance.fork(), syncs_late);
        let cluster = Cluster::start(Arc::clone(&database), planted, chance.fork());
        let world = World::new(Arc::clone(&cluster));
        tokio::time::timeout(LONGEST, people::play(&world, &chance))
            .await
            .unwrap_or_else(|_| panic!("seed {seed} never ends"));
        let history = world.end();
        let faults = check(&history, &database.written());
        let outcomes =
            || history.commands.iter().flat_map(|command| &command.attempts).map(|attempt| &attempt.outcome);
        let count = |is: fn(&Outcome) -> bool| outcomes().filter(|outcome| is(outcome)).count() as u64;
        let of = database.counts();
        let counts = Counts {
            acknowledged: count(|outcome| matches!(outcome, Outcome::Kept { .. })),
            refused: count(|outcome| matches!(outcome, Outcome::Refused(_))),
            unanswered: count(|outcome| matches!(outcome, Outcome::Unknown)),
            reads: history.reads.len() as u64,
            streamed: history.streams.iter().map(|stream| stream.events.len() as u64).sum(),
            commits: of.commits,
            unknown_commits: of.unknown,
            unknown_but_saved: of.unknown_saved,
            node_crashes: cluster.crashes(),
            database_crashes: of.crashes,
            lost_texts: of.lost_texts,
            doubled_texts: of.doubled_texts,
        };
        let (hash, lines) = trace.end();
        Ended { faults, hash, lines, counts }
    })
}

/// Runs seeds on all cores until one has a fault that counts. Returns the first such seed, and the sums.
fn search(plant: Plant, seeds: u64, counts_as: fn(Kind) -> bool) -> (Option<u64>, Counts) {
    let (next, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let work = || {
        let mut sums = Counts::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds || seed > first.load(Ordering::Relaxed) {
                return sums;
            }
            let ended = run(seed, plant, false);
            if ended.faults.iter().any(|(kind, _)| counts_as(*kind)) {
                first.fetch_min(seed, Ordering::Relaxed);
            }
            sums.add(ended.counts);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut sums = Counts::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            sums.add(thread.join().unwrap());
        }
    });
    let first = first.into_inner();
    ((first < u64::MAX).then_some(first), sums)
}

/// Prints a run with everything that happened.
fn show(seed: u64, plant: Plant) -> Faults {
    let ended = run(seed, plant, true);
    let mut out = std::io::stderr().lock();
    for line in &ended.lines {
        writeln!(out, "{line}").unwrap();
    }
    ended.faults
}

#[test]
fn every_seed_keeps_every_promise() {
    if let Ok(seed) = std::env::var("SPOTON_SEED") {
        let faults = show(seed.parse().unwrap(), Plant::default());
        assert!(faults.is_empty(), "{faults:#?}");
        return;
    }
    let begun = Instant::now();
    let (first, mut counts) = search(Plant::default(), SEEDS, |_| true);
    if let Some(seed) = first {
        let faults = show(seed, Plant::default());
        panic!("seed {seed}: {faults:#?}");
    }
    writeln!(std::io::stderr(), "{SEEDS} seeds in {:?}: {counts:?}", begun.elapsed()).unwrap();
    // All of it really happened.
    for (what, count) in counts.fields() {
        assert!(*count > 100, "{what}: {count}");
    }
}

#[test]
fn the_same_seed_has_the_same_trace() {
    let hashes = || (0..30).map(|seed| run(seed, Plant::default(), false).hash).collect::<Vec<u64>>();
    let (one, two) = std::thread::scope(|scope| {
        let [one, two] = [(); 2].map(|()| scope.spawn(hashes));
        (one.join().unwrap(), two.join().unwrap())
    });
    assert_eq!(one, two);
    assert!(one.is_sorted_by(|a, b| a != b), "each seed has its own");
}

/// Asserts that a planted fault is found.
fn finds(what: &str, plant: Plant, within: u64, counts_as: fn(Kind) -> bool) {
    let (first, _) = search(plant, within, counts_as);
    let mut out = std::io::stderr();
    writeln!(out, "{what}: found by seed {first:?}").unwrap();
    assert!(first.is_some(), "{what} isn't found within {within} seeds");
}

#[test]
fn a_bell_before_its_commit_is_found() {
    let planted = Planted { bell_before_commit: true, ..Planted::default() };
    finds("bell before commit", Plant { planted, ..Plant::default() }, 100, |kind| kind == Kind::Missed);
}

#[test]
fn stale_reads_are_found() {
    let planted = Planted { stale_reads: true, ..Planted::default() };
    finds("stale reads", Plant { planted, ..Plant::default() }, 100, |kind| kind == Kind::Stale);
}

#[test]
fn stale_refusals_are_found() {
    let planted = Planted { stale_refusals: true, ..Planted::default() };
    finds("stale refusals", Plant { planted, ..Plant::default() }, 100, |kind| {
        kind == Kind::RefusedForNothing
    });
}

#[test]
fn acknowledged_before_synced_is_found() {
    finds("late sync", Plant { syncs_late: true, ..Plant::default() }, 100, |kind| kind == Kind::Lost);
}
