//! Finding games in files, and jobs in queues.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use spoton::sitting::Lookahead;
use spoton::solved::SolvedGames;
use spoton::solver::Progress;
use spoton_host::workers::{Ask, Done, Queue, Ticket, TooBusy, WorkerPool};
use spoton_host::{Finder, Found, files};

/// Far more than any test takes.
const LONG: Duration = Duration::from_secs(600);

const BOOK: &str = "title = 'Mine'\nstart = 1\ntarget = 9\nmoves = ['+1', 'x2']\n";

/// A data folder with a rule book.
fn data(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(files::book_folder(&data)).unwrap();
    fs::write(files::book_folder(&data).join("my-castles.toml"), BOOK).unwrap();
    data
}

fn found(name: impl AsRef<Path>, data: &Path) -> Result<String, String> {
    let own = files::own_books(Some(data));
    match (Finder { list: "look around" }).anywhere(name.as_ref().as_os_str(), &own) {
        Ok(Found::Book(book)) => Ok(book.id),
        Ok(Found::DuelOf(day)) => Ok(day.to_string()),
        Err(none) => Err(none.to_string()),
    }
}

#[test]
fn a_game_has_many_names() {
    let data = data("names");
    let folder = files::book_folder(&data);
    for (name, id) in [
        ("number-maze", "number-maze"),
        ("Maze", "number-maze"),
        ("my-castles", "my-castles"),
        ("my", "my-castles"),
        ("two-castles", "two-castles"),
        ("today-2026-11-15", "2026-11-15"),
    ] {
        assert_eq!(found(name, &data), Ok(id.to_owned()), "{name}");
    }
    assert_eq!(found(folder.join("my-castles.toml"), &data), Ok("my-castles".to_owned()));
    for (name, why) in [
        ("castles", "\"castles\" could be my-castles or two-castles; type more of the name"),
        ("my-castel", "there is no game \"my-castel\"; did you mean \"my-castles\"?"),
        ("today-2026-02-30", "there is no game \"today-2026-02-30\"; look around"),
        ("qqqq", "there is no game \"qqqq\"; look around"),
    ] {
        assert_eq!(found(name, &data), Err(why.to_owned()));
    }
    assert!(found("my-castles", &data.join("missing")).is_err());
}

#[test]
fn only_short_texts_are_books() {
    let data = data("files");
    let refusal = |content: &[u8]| {
        let path = data.join("a.toml");
        fs::write(&path, content).unwrap();
        found(&path, &data).unwrap_err()
    };
    let refused = refusal(&[b'#'; 70_000]);
    assert!(
        refused.ends_with("a.toml:1:1: the file has 70000 bytes; the limit is 65536 (64 KiB)"),
        "{refused}"
    );
    let refused = refusal(b"title = 'A'\n# \xff");
    assert!(refused.ends_with("a.toml:2:3: the file is not UTF-8 text"), "{refused}");
    assert!(found(data.join("none.toml"), &data).unwrap_err().starts_with("can't read "));
}

/// One worker, and room for one waiting job.
fn workers() -> WorkerPool {
    let queue =
        Queue { name: "jobs", workers: 1, prepare: || (), budget: None, most_waiting: 1, most_of_one: 1 };
    WorkerPool::new(SolvedGames::new(1 << 20), &[queue])
}

type Answer<T> = mpsc::Receiver<Result<Done<T>, TooBusy>>;

fn start<T: Send + 'static>(
    workers: &WorkerPool,
    limit: Duration,
    job: impl FnMut(&mut Lookahead<'_>) -> T + Send + 'static,
) -> (Ticket, Answer<T>) {
    let (done, answer) = mpsc::channel();
    let ask = Ask { queue: 0, limit, game: None, client: None };
    (workers.start(ask, job, move |found| drop(done.send(found))), answer)
}

/// Runs until it's stopped.
fn endless(workers: &WorkerPool, limit: Duration) -> (Ticket, Answer<()>) {
    let (begins, begun) = mpsc::channel();
    let started = start(workers, limit, move |ahead| {
        let _ = begins.send(());
        while (ahead.keep_going)(Progress { positions: 0, of: None }) {
            std::thread::yield_now();
        }
    });
    begun.recv().unwrap();
    started
}

#[test]
fn a_job_stops_at_its_limit_and_without_its_ticket() {
    let workers = workers();
    let (_ticket, answer) = endless(&workers, Duration::from_millis(1));
    assert!(answer.recv().unwrap().unwrap().stopped);
    let (ticket, answer) = endless(&workers, LONG);
    drop(ticket);
    assert!(answer.recv().unwrap().unwrap().stopped);
    let (_ticket, answer) = endless(&workers, LONG);
    workers.end();
    assert!(answer.recv().unwrap().unwrap().stopped);
}

#[test]
fn a_cancelled_job_leaves_its_place_to_the_next() {
    let workers = workers();
    let (running, _answer) = endless(&workers, LONG);
    let (waiting, never) = start(&workers, LONG, |_| 1);
    assert_eq!((workers.idle(0), workers.waiting(0)), (0, 1));
    let (_ticket, refused) = start(&workers, LONG, |_| 2);
    assert_eq!(refused.recv().unwrap().unwrap_err(), TooBusy);
    drop(waiting);
    assert!(never.recv().is_err());
    let (_ticket, answer) = start(&workers, LONG, |_| 3);
    drop(running);
    let Done { found, stopped } = answer.recv().unwrap().unwrap();
    assert_eq!((found, stopped), (3, false));
}

#[test]
fn a_job_that_panics_takes_no_worker_along() {
    let workers = workers();
    let (_ticket, answer) = start(&workers, LONG, |_| std::panic::panic_any("on purpose"));
    assert!(answer.recv().is_err());
    let (_ticket, answer) = start(&workers, LONG, |_| 7);
    assert_eq!(answer.recv().unwrap().unwrap().found, 7);
}
