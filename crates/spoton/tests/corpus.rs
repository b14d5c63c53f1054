//! Runs the fuzz targets on the corpus: interesting inputs, and inputs that once broke something. See `fuzz/`.

use crate::fuzzing;

use std::fs;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Thousands of times the normal duration, to identify an input that would never end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a target on all files of its corpus.
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
        let (sender, done) = channel();
        thread::spawn(move || {
            body(&bytes);
            sender.send(()).expect("the receiver is waiting");
        });
        match done.recv_timeout(PATIENCE) {
            Ok(()) => {}
            Err(RecvTimeoutError::Disconnected) => panic!("{} breaks something", file.display()),
            Err(RecvTimeoutError::Timeout) => panic!("{} hangs", file.display()),
        }
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
