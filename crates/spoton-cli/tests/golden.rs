//! What the program says about games, recorded to the byte, so that the library can be built anew underneath it.
//!
//! Everything goes through the built program and nothing through the library's names. For the games that come with
//! Spot On there is a file each with commands and answers, to be read. For a thousand random books there is a line
//! each with a hash of every answer, so that one sees which kind of answer has changed.
//!
//! So that a run stays short, some kinds of answers are asked about every other or third random book only;
//! `SPOTON_ALL=1 cargo test -p spoton-cli --test golden` asks for all that is recorded.
//! `SPOTON_UPDATE=1 cargo test -p spoton-cli --test golden` records anew; a redesign must never need that.
//! `SPOTON_SHOW=17 cargo test -p spoton-cli --test golden random` prints all answers about the random book 17. Do
//! this with an older build as well, and compare.

#[path = "golden/program.rs"]
mod program;
#[path = "golden/random.rs"]
mod random;
#[path = "../../spoton/tests/support/random_books.rs"]
mod random_books;
#[path = "golden/shipped.rs"]
mod shipped;
mod support;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn update() -> bool {
    std::env::var_os("SPOTON_UPDATE").is_some()
}

/// Does jobs side by side, and returns what they came to in order.
fn side_by_side<T: Send>(jobs: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= jobs {
                return done;
            }
            done.push((number, job(number)));
        }
    };
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker has failed")).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, came_to)| came_to).collect()
}

/// The beginning of a text, for a message.
fn beginning(text: &str) -> String {
    const MOST: usize = 6000;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}\n… and {} bytes more", &text[..at], text.len() - at),
    }
}
