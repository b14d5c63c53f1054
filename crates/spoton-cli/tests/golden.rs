//! The program's answers about games, recorded by meaning: values, moves and structure as JSON, without sentences.
//!
//! All answers come from the built program, so the library can change underneath. Each shipped game has a file to
//! read. Each of 1,000 random books has a line of hashes, one per kind of answer. `pages/` pins words: one snapshot per
//! page that the program prints.
//!
//! To keep runs short, some kinds of answers are checked only for every second or third random book.
//! `SPOTON_ALL=1 cargo test -p spoton-cli --test all golden::` checks everything.
//! `SPOTON_UPDATE=1 cargo test -p spoton-cli --test all golden::` records again; a refactoring must never need that.
//! `SPOTON_SHOW=17 cargo test -p spoton-cli --test all golden::random` prints all answers about random book 17, so you can
//! compare them with an older build.

mod pages;
mod program;
mod random;
mod shipped;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn update() -> bool {
    std::env::var_os("SPOTON_UPDATE").is_some()
}

/// Runs jobs on two threads and returns their results in order.
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
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker thread panicked")).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The start of a text, for a message.
fn beginning(text: &str) -> String {
    const MOST: usize = 6000;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}\n… and {} bytes more", &text[..at], text.len() - at),
    }
}
