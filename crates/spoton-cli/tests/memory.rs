//! A command uses at most `--memory-limit` plus 32 MiB, whatever it prints. A system limit enforces it here: a program that
//! needs more is killed.
#![cfg(target_os = "linux")]

use crate::support;

use std::fs;
use std::process::{Command, Stdio};

use support::Folder;

/// The memory limit here, and the total limit of a process.
const MEMORY: [&str; 2] = ["--memory-limit", "4"];
const MEBIBYTES: u64 = 4 + 32;

/// Runs the program with this much memory. Returns its status, how many bytes it printed, and its error output.
fn run(mebibytes: u64, args: &[&str], folder: &Folder) -> (Option<i32>, u64, String) {
    let limit = mebibytes * 1024;
    let complaints = folder.path().join("complaints");
    let mut program = Command::new("sh")
        .args(["-c", "ulimit -d \"$0\" && exec \"$@\"", &limit.to_string(), env!("CARGO_BIN_EXE_spoton")])
        .args(args)
        .current_dir(folder.path())
        .env("XDG_DATA_HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&complaints).unwrap())
        .spawn()
        .unwrap();
    let mut printed = program.stdout.take().unwrap();
    let bytes = std::io::copy(&mut printed, &mut std::io::sink()).unwrap();
    let status = program.wait().unwrap().code();
    (status, bytes, fs::read_to_string(complaints).unwrap())
}

#[test]
fn no_command_takes_more_than_its_memory() {
    let folder = Folder::new();
    let far = ["--target", "700000"];
    let answered: &[&[&str]] = &[
        &["solve", "race-to-23"],
        &["solve", "race-to-23", "--json"],
        &["map", "race-to-23"],
        &["map", "race-to-23", "--json"],
        &["map", "race-to-23", "--blank"],
        &["map", "number-maze"],
        &["idea", "race-to-23", "leave every 5 from 0"],
        // If there is no room for a table, the solver works by stretches (runs of numbers).
        &["solve", "race-to-23", "--target", "2000000"],
        &["map", "race-to-23", "--target", "2000000", "--json"],
    ];
    for command in answered {
        let (status, printed, complaints) =
            run(MEBIBYTES, &[&command[..2], &far[..], &command[2..], &MEMORY[..]].concat(), &folder);
        assert_eq!(status, Some(0), "{command:?}: {complaints}");
        assert!(printed > 0);
    }
    // A query that doesn't fit reports that, without using more memory to find out.
    let refused: &[&[&str]] = &[
        &["map", "race-to-23", "--target", "2000000", "--rule", "passes=1", "--json"],
        &["map", "target-twenty-one", "--target", "300000", "--json"],
        &["solve", "sequence-math-duel", "--variant", "no-copying", "--target", "3000"],
        &["map", "sequence-math-duel", "--variant", "no-copying", "--target", "3000", "--json"],
        &["idea", "double-or-add", "--variant", "subtract", "--target", "300000", "leave even"],
        &["opponents", "target-twenty-one", "--target", "300000"],
        &["audit", "target-twenty-one", "--target", "300000"],
        &["audit", "number-maze", "--target", "300000"],
    ];
    for command in refused {
        let (status, _, complaints) = run(MEBIBYTES, &[command, &MEMORY[..]].concat(), &folder);
        assert_eq!(status, Some(1), "{command:?}: {complaints}");
        assert!(complaints.contains("too large"), "{command:?}: {complaints}");
    }
    // Control: with less memory than the solution takes, the system ends the program.
    let table = ["solve", "race-to-23", "--target", "700000", "--rule", "losing=multiples of 7000"];
    let (status, ..) = run(3, &table, &folder);
    assert_ne!(status, Some(0));
}

#[test]
fn a_review_keeps_to_its_memory() {
    let folder = Folder::new();
    let mut record = "[Rulebook \"target-twenty-one\"]\n[Setting \"target=3000\"]\n\n".to_owned();
    // A long round in which earlier positions matter, so the review checks them at every move.
    record.push_str(&"x1 ".repeat(2));
    record.push_str(&"+1 ".repeat(120));
    record.push('*');
    fs::write(folder.path().join("round.txt"), record).unwrap();
    let (status, printed, complaints) =
        run(MEBIBYTES, &["review", "round.txt", "--memory-limit", "4"], &folder);
    assert_eq!(status, Some(0), "{complaints}");
    assert!(printed > 0);
}
