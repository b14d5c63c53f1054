//! Shared by the store tests: folders, randomness, writes, and the test program as a child process.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use spoton::engine::position::Player;
use spoton_web::ids::{Hash, SittingId};
use spoton_web::store::memory::MemoryStore;
#[cfg(feature = "postgres")]
use spoton_web::store::postgres::{self, PostgresStore};
use spoton_web::store::sqlite::{Durability, SqliteStore};
use spoton_web::store::{IdempotentAnswer, Listed, Store, Stored, WaitsFor, Write};

pub use crate::random::Random;

/// A temporary folder, deleted on drop.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("store-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// A new store with its folder.
pub struct Fresh {
    pub store: Arc<dyn Store>,
    _folder: Folder,
}

pub async fn memory() -> Fresh {
    Fresh { store: Arc::new(MemoryStore::default()), _folder: Folder::new() }
}

pub async fn sqlite() -> Fresh {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.join("spoton.db")).await.unwrap();
    Fresh { store: Arc::new(store), _folder: folder }
}

#[cfg(feature = "postgres")]
pub async fn postgres() -> Fresh {
    let address = crate::cluster::Cluster::shared().database().await;
    let store = PostgresStore::open(address.parse().unwrap(), postgres::Durability::Checked).await.unwrap();
    Fresh { store: Arc::new(store), _folder: Folder::new() }
}

pub fn id(number: u8) -> SittingId {
    SittingId([number; 16])
}

pub fn hash(name: impl AsRef<[u8]>) -> Hash {
    Hash::digest(name)
}

/// Returns a write of events with these numbers.
pub fn write(id: SittingId, seqs: impl IntoIterator<Item = u64>) -> Write {
    let events: Vec<Stored> = seqs
        .into_iter()
        .map(|seq| Stored { seq, at: 1_000_u64.saturating_add(seq), body: body(id, seq) })
        .collect();
    let last = events.last().map_or(0, |event| event.seq);
    let waits_for = WaitsFor::Player(Player::One);
    Write {
        id,
        listed: Listed { seq: last, at: 1_000_u64.saturating_add(last), moved: true, waits_for },
        events,
        asked: None,
        burns: None,
        invites: vec![],
        seats: vec![],
        book: None,
        open_class: None,
    }
}

/// Returns the body of a test event.
pub fn body(id: SittingId, seq: u64) -> String {
    format!(r#"{{"of":"{id}","seq":{seq},"move":"x2"}}"#)
}

pub fn asked(key: &str, body: &str, answer: &str) -> IdempotentAnswer {
    IdempotentAnswer { key: hash(key), body: hash(body), answer: answer.into() }
}

/// Returns the numbers of a log.
pub async fn seqs(store: &dyn Store, id: SittingId) -> Vec<u64> {
    store.events(id, 0, usize::MAX).await.unwrap().iter().map(|event| event.seq).collect()
}

/// The environment variable that runs the test program as a helper.
const HELPER: &str = "SPOTON_STORE_HELPER";

/// Returns the helper's arguments, if this process is one.
pub fn helper() -> Option<Vec<String>> {
    let arguments = std::env::var(HELPER).ok()?;
    Some(arguments.split('\n').map(str::to_owned).collect())
}

/// Runs one test of this program as a child process with arguments, optionally through another program.
pub fn run_again(through: &[&str], test: &str, arguments: &[&str]) -> Command {
    let program = std::env::current_exe().unwrap();
    let mut command = match through {
        [] => Command::new(program),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
    };
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(HELPER, arguments.join("\n"));
    command
}

/// Reports on standard error, past the test harness's capture, that something couldn't be tested.
pub fn say_loudly(what: &str) {
    writeln!(std::io::stderr(), "\n*** NOT TRIED HERE: {what} ***\n").ok();
}

/// The writes that a child process acknowledged: the last number of each sitting.
#[derive(Default)]
pub struct Acknowledged(pub BTreeMap<SittingId, u64>);

impl Acknowledged {
    /// Reads up to `most` more lines and returns their number.
    pub fn read(&mut self, from: &mut BufReader<ChildStdout>, most: u64) -> u64 {
        let (mut line, mut count) = (String::new(), 0);
        // A line that a kill cut off doesn't count.
        while count < most && from.read_line(&mut line).unwrap() > 0 && line.ends_with('\n') {
            if let Some(said) = line.trim().strip_prefix("kept ") {
                let (id, seq) = said.split_once(' ').unwrap();
                let last = self.0.entry(id.parse().unwrap()).or_default();
                *last = (*last).max(seq.parse().unwrap());
                count += 1;
            }
            line.clear();
        }
        count
    }

    /// Returns how many acknowledged events are missing. The rest must be intact and without gaps.
    pub async fn lost(&self, store: &dyn Store) -> u64 {
        let mut lost = 0;
        for (id, last) in &self.0 {
            let events = store.events(*id, 0, usize::MAX).await.unwrap();
            for (event, seq) in events.iter().zip(1..) {
                assert_eq!((event.seq, &event.body), (seq, &body(*id, seq)), "{id}");
            }
            lost += last.saturating_sub(events.len() as u64);
        }
        lost
    }
}

/// The writing process's sittings.
pub const WRITTEN: u8 = 8;

/// The writing process: commits batches from several tasks and reports them until it's killed. Continues from what the
/// database has.
pub async fn write_until_killed(arguments: &[String]) {
    let [path, durability, seed] = arguments else { panic!("the helper takes three arguments") };
    let durability = match durability.as_str() {
        "power-cut" => Durability::PowerCut,
        _ => Durability::Kill,
    };
    let store = Arc::new(SqliteStore::open_with(path, durability).await.unwrap());
    // Ends the harness's unfinished line.
    std::io::stdout().lock().write_all(b"\n").unwrap();
    let tasks = (0..4_u8).map(|task| {
        let (store, seed) = (Arc::clone(&store), seed.parse::<u64>().unwrap() + u64::from(task));
        tokio::spawn(async move {
            let mut random = Random::new(seed);
            let own = [id(2 * task + 1), id(2 * task + 2)];
            let mut last = [0; 2];
            for place in 0..2 {
                last[place] = seqs(&*store, own[place]).await.len() as u64;
            }
            loop {
                let mut batch = Vec::new();
                let mut said = String::new();
                for _ in 0..=random.below(8) {
                    let place = random.below(2) as usize;
                    let seq = last[place] + 1;
                    last[place] = seq;
                    let mut write = write(own[place], [seq]);
                    let key = format!("{} {seq}", own[place]);
                    write.asked = Some(asked(&key, "", &"long ".repeat(random.below(300) as usize)));
                    batch.push(write);
                    said += &format!("kept {key}\n");
                }
                let answers = store.commit(batch).await.unwrap();
                assert!(answers.iter().all(Result::is_ok), "{answers:?}");
                std::io::stdout().lock().write_all(said.as_bytes()).unwrap();
            }
        })
    });
    // None of the tasks ends, except by a panic.
    if let Some(task) = tasks.collect::<Vec<_>>().pop() {
        task.await.unwrap();
    }
}

/// Returns a child's standard output.
pub fn lines_of(child: &mut Child) -> BufReader<ChildStdout> {
    BufReader::new(child.stdout.take().unwrap())
}
