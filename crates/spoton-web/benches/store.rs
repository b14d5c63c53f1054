//! Store speed: commits and events per second for several batch sizes, and the time per commit, on the disk of the
//! build folder. Run it with `cargo bench -p spoton-web --bench store`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use spoton::engine::position::Player;
use spoton_web::ids::{Hash, SittingId};
use spoton_web::store::sqlite::SqliteStore;
use spoton_web::store::{IdempotentAnswer, Listed, Store, Stored, WaitsFor, Write};

const BATCHES: [usize; 3] = [1, 8, 64];
const SITTINGS: u64 = 500;
const TIME: Duration = Duration::from_secs(4);

/// Returns a run's command `number`: moves in rotating sittings, of realistic size.
fn a_move(number: u64) -> Write {
    let (sitting, seq) = (number % SITTINGS, number / SITTINGS + 1);
    let mut id = [0; 16];
    id.copy_from_slice(&Hash::digest(sitting.to_be_bytes()).0[..16]);
    let body = format!(
        r#"{{"v":1,"seq":{seq},"by":{},"event":{{"kind":"move","move":"x2","number":{number}}}}}"#,
        seq % 2 + 1
    );
    let answer = format!(r#"{{"seq":{seq},"state":"{}"}}"#, "x".repeat(400));
    Write {
        id: SittingId(id),
        events: vec![Stored { seq, at: number, body }],
        listed: Listed { seq, at: number, moved: true, waits_for: WaitsFor::Player(Player::One) },
        asked: Some(IdempotentAnswer {
            key: Hash::digest(number.to_le_bytes()),
            body: Hash::digest("body"),
            answer,
        }),
        burns: None,
        invites: vec![],
        seats: vec![],
        book: None,
        open_class: None,
    }
}

async fn run(path: &Path, batch: usize, out: &mut impl std::io::Write) {
    remove(path);
    let store = SqliteStore::open(path).await.unwrap_or_else(|why| panic!("{why}"));
    let (mut number, mut times) = (0, Vec::new());
    let processor = processor_time();
    let start = Instant::now();
    while start.elapsed() < TIME {
        let writes: Vec<Write> = (number..).take(batch).map(a_move).collect();
        number += batch as u64;
        let begin = Instant::now();
        let answers = store.commit(writes).await.unwrap_or_else(|why| panic!("{why}"));
        times.push(begin.elapsed());
        assert!(answers.iter().all(Result::is_ok), "a move was refused");
    }
    let seconds = start.elapsed().as_secs_f64();
    let processor = (processor_time() - processor) * 1e6 / number as f64;
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    writeln!(
        out,
        "batches of {batch:2}: {:6.0} commits a second, {:6.0} events a second; one commit {:.2} ms, \
         99 of 100 within {:.2} ms, the longest {:.2} ms; {processor:.0} µs of processor time an event",
        times.len() as f64 / seconds,
        number as f64 / seconds,
        at(0.5),
        at(0.99),
        at(1.0),
    )
    .ok();
    if batch == 64 {
        let begin = Instant::now();
        let count = 5_000;
        for read in 0..count {
            let events = store.events(a_move(read).id, 0, 100).await.unwrap_or_else(|why| panic!("{why}"));
            assert!(!events.is_empty());
        }
        let micros = begin.elapsed().as_secs_f64() * 1e6 / count as f64;
        writeln!(out, "reading up to 100 events of a sitting: {micros:.0} µs").ok();
    }
    store.close().await;
    remove(path);
}

/// Returns this process's CPU seconds, if Linux reports them.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name may contain spaces and ends with a parenthesis; a tick is 10 ms.
    let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    numbers.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(format!("{}{end}", path.display())).ok();
    }
}

#[tokio::main]
async fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(folder).unwrap_or_else(|why| panic!("{why}"));
    let path = folder.join(format!("bench-{}.db", std::process::id()));
    let mut out = std::io::stdout();
    for batch in BATCHES {
        run(&path, batch, &mut out).await;
    }
}
