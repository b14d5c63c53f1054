//! Bytes that fuzzing found worth keeping, and those that once broke something: see `fuzz/`.

#[path = "support/fuzzing.rs"]
mod fuzzing;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs a target over every file that is kept for it.
fn run(target: &str, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{}: only {} files", folder.display(), files.len());
    for file in files {
        let bytes = fs::read(&file).expect("the file can be read");
        let began = Instant::now();
        assert!(catch_unwind(|| body(&bytes)).is_ok(), "{}", file.display());
        // Far more than any of them needs, even without optimization and beside other tests.
        assert!(began.elapsed() < Duration::from_secs(30), "{} takes too long", file.display());
    }
}

#[test]
fn rulebooks() {
    run("rulebook", fuzzing::rulebook);
}

#[test]
fn records() {
    run("record", fuzzing::record);
}

#[test]
fn settings() {
    run("setting", fuzzing::setting);
}
