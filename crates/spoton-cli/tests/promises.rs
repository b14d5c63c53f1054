//! Tests faults and bad input with the real program. `docs/promises.md` explains the letters.

use crate::support;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use support::{Folder, spoton};

/// Every command that prints something, with enough input for a round.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["--help"],
    &["--version"],
    &["games"],
    &["games", "--json"],
    &["rules", "number-maze"],
    &["rules", "number-maze", "--source"],
    &["rules", "number-maze", "--markdown"],
    &["rules", "number-maze", "--json"],
    &["rules", "nope", "--json"],
    &["check", "game.toml"],
    &["check", "game.toml", "--json"],
    &["new", "made.toml"],
    &["review", "--convert", "record.txt"],
    &["review", "--convert", "record.txt", "--json"],
    &["completions", "bash"],
    &["man"],
    &["man", "play"],
    &["play"],
    &["play", "number-maze"],
    &[
        "play",
        "target-twenty-one",
        "--p1",
        "random",
        "--p2",
        "random",
        "--rule",
        "moves=x1",
        "--rule",
        "repetition=0",
    ],
];

fn prepared() -> Folder {
    let folder = Folder::new();
    folder.write("game.toml", "title = \"Game\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n");
    folder.write("record.txt", "[Rulebook \"number-maze\"]\n\n1. x2 x2 2. x2 *\n");
    folder
}

/// T1: if the reader closes the pipe, after one line or before the first, the program ends quietly.
#[test]
fn t1_a_closed_output_is_a_quiet_end() {
    for args in COMMANDS {
        for lines in [0, 1] {
            let folder = prepared();
            let mut command = spoton(*args).folder(&folder).command();
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let mut reader = BufReader::new(child.stdout.take().unwrap());
            for _ in 0..lines {
                reader.read_line(&mut String::new()).unwrap();
            }
            drop(reader);
            let _ = child.stdin.take().unwrap().write_all("x2\n".repeat(2000).as_bytes());
            let ended = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(ended.stderr).unwrap();
            let expected = if args.contains(&"nope") { 2 } else { 0 };
            assert_eq!(ended.status.code(), Some(expected), "{args:?} {lines}: {stderr}");
            assert!(!stderr.contains("panicked") && !stderr.contains("pipe"), "{args:?} {lines}: {stderr}");
        }
    }
}

/// T1: one line reports a full device.
#[cfg(target_os = "linux")]
#[test]
fn t1_a_full_output_is_reported_in_a_line() {
    for args in COMMANDS {
        let folder = prepared();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = spoton(*args).folder(&folder).command();
        let ended = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        let expected = if args.contains(&"nope") { 2 } else { 1 };
        assert_eq!(ended.status.code(), Some(expected), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        assert!(stderr.starts_with("spoton: "), "{args:?}: {stderr}");
    }
}

/// A game on a pipe that has printed its first question and waits.
fn waiting(folder: &Folder, answers: &str) -> Child {
    let mut command = spoton(["play", "number-maze"]).folder(folder).command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(answers.as_bytes()).unwrap();
    let questions = answers.lines().count() + 1;
    let mut seen = String::new();
    let mut byte = [0];
    while seen.matches("(1 or 2):").count() < questions {
        assert_eq!(child.stdout.as_mut().unwrap().read(&mut byte).unwrap(), 1, "{seen}");
        seen.push(char::from(byte[0]));
    }
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// T3, on a pipe: a signal saves the round, and it can be resumed.
#[cfg(unix)]
#[test]
fn t3_signals_keep_the_round() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        for answers in ["", "x2\n", "x2\n+1\n"] {
            let folder = Folder::new();
            let mut child = waiting(&folder, answers);
            // Keep standard input open, so that the signal ends the program and not the end of the input.
            let stdin = child.stdin.take();
            send(signal, &child);
            let ended = child.wait_with_output().unwrap();
            drop(stdin);
            assert_eq!(ended.status.code(), Some(status), "{signal}");
            let played: Vec<&str> = answers.lines().collect();
            let saves = folder.saves();
            assert_eq!(saves.len(), usize::from(!played.is_empty()), "{saves:?}");
            if !played.is_empty() {
                let resumed = spoton(["play", "--resume"]).folder(&folder).run();
                assert!(
                    resumed.stderr.contains(&format!("Moves so far: {}\n", played.join(" "))),
                    "{resumed:?}"
                );
            }
        }
    }
}

/// T6: any garbage is "not understood", and none of it can harm a terminal.
#[test]
fn t6_garbage_is_refused() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..50 {
        let length = random() % 2000;
        let garbage: Vec<u8> = (0..length).map(|_| random() as u8).collect();
        for game in ["number-maze", "target-twenty-one"] {
            let ran = spoton(["play", game]).input(&garbage).run();
            assert_eq!(ran.status, 0, "{ran:?}");
            let unfit = ran.stdout.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(unfit, None, "{ran:?}");
        }
    }
    let ran =
        spoton(["play", "number-maze"]).input(b"\xff\xfe\n\0\n\x1b[2J\x1b]0;title\x07\n\xe2\x80\xae\n").run();
    assert_eq!(ran.stdout.matches("I don't understand").count(), 4, "{ran:?}");
    assert!(ran.stdout.contains("(1 or 2): \\u{1b}[2J\\u{1b}]0;title\\u{7}\n"), "{ran:?}");
}

/// T6: a line of 100 MiB is rejected like any other, in bounded memory.
#[cfg(target_os = "linux")]
#[test]
fn t6_a_huge_line_takes_no_memory() {
    let folder = Folder::new();
    let mut command = spoton(["play", "number-maze"]).folder(&folder).command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let part = vec![b'9'; 1024 * 1024];
    for _ in 0..100 {
        stdin.write_all(&part).unwrap();
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 40 * 1024, "{peak} KiB");
    stdin.write_all(b"\nx2\n").unwrap();
    drop(stdin);
    let ended = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(ended.stdout).unwrap();
    assert!(
        stdout.contains("Please enter 1 or 2.\n") && stdout.contains("chose to Multiply by 2."),
        "{stdout}"
    );
    assert!(stdout.len() < 2000);
}

/// T6: a path doesn't have to be UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn t6_paths_of_any_bytes_open() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"gr\xfcn.toml");
    std::fs::write(folder.path().join(name), "title = \"Green\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n")
        .unwrap();
    let record = OsStr::from_bytes(b"r\xfc.txt");
    let args =
        [OsStr::new("play"), name, OsStr::new("--target"), OsStr::new("2"), OsStr::new("--record"), record];
    let played = spoton(args).folder(&folder).answers(&["+1"]).run().success();
    assert!(played.starts_with("Green\n") && played.ends_with("wins!\n"), "{played}");
    spoton([OsStr::new("record"), record]).folder(&folder).run().success();
    spoton([OsStr::new("check"), name]).folder(&folder).run().success();
    spoton([OsStr::new("rules"), name]).folder(&folder).run().success();
}

/// F1: if the program is killed under load, the save is either the old one or the new one.
#[cfg(unix)]
#[test]
fn f1_a_killed_program_leaves_a_whole_save() {
    for round in 0..20 {
        let folder = Folder::new();
        let mut child = waiting(&folder, "x2\n");
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let writer = std::thread::spawn(move || while stdin.write_all(b"save\nx2\nsave\nundo\n").is_ok() {});
        // Let it save for a while, a little longer each time.
        let mut lines = 0;
        while lines < 20 + round * 7 {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            lines += usize::from(line.starts_with("Saved"));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        drop(stdout);
        writer.join().unwrap();
        let resumed = spoton(["play", "--resume"]).folder(&folder).run();
        assert_eq!(resumed.status, 0, "{resumed:?}");
        let whole = ["Moves so far: x2\n", "Moves so far: x2 x2\n"]
            .iter()
            .any(|so_far| resumed.stderr.contains(so_far));
        assert!(whole, "{resumed:?}");
        let left: Vec<PathBuf> = folder.saves();
        assert_eq!(left.len(), 1, "partial files of the killed program are removed: {left:?}");
    }
}

/// F3: an error reports a path that can't be written, before any harm is done.
#[cfg(target_os = "linux")]
#[test]
fn f3_disk_errors_are_reported() {
    let folder = Folder::new();
    folder.write("file", "");
    // Not even root can create a folder inside a file.
    let mut command = spoton(["play", "number-maze"]).folder(&folder).command();
    command.env("XDG_DATA_HOME", folder.file("file")).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"x2\n").unwrap();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(&folder.file("file").display().to_string()), "{stderr}");

    let ran =
        spoton(["play", "number-maze", "--target", "2", "--record", "/dev/full"]).answers(&["x2"]).run();
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.stderr.contains("can't write /dev/full: No space left on device"), "{ran:?}");

    spoton(["play", "number-maze", "--record", "missing/r.txt"])
        .run()
        .fails(1, &["can't write missing/r.txt"]);
    spoton(["new", "missing/g.toml"]).run().fails(1, &["can't write missing/g.toml"]);
    spoton(["new", "/dev/full"]).run().fails(2, &["already exists"]);
}

/// F4: only one program at a time holds a save, and no move is lost.
#[cfg(unix)]
#[test]
fn f4_two_programs_on_one_save_lose_no_move() {
    let folder = Folder::new();
    let begun = spoton(["play", "number-maze", "--target", "1000"]).folder(&folder).answers(&["+1"]);
    begun.run().success();
    // Two programs compete for the save. At the end, it has every move that either of them made.
    let play = |folder: &Folder| {
        let ran = spoton(["play", "--resume"]).folder(folder).answers(&["+1"]).run();
        if ran.status == 1 {
            assert!(ran.stderr.contains("is open in another window"), "{ran:?}");
            assert_eq!(ran.stdout, "");
        } else {
            assert_eq!(ran.status, 0, "{ran:?}");
        }
        ran.status == 0
    };
    let made: usize = std::thread::scope(|scope| {
        let players: Vec<_> =
            (0..2).map(|_| scope.spawn(|| (0..40).filter(|_| play(&folder)).count())).collect();
        players.into_iter().map(|player| player.join().unwrap()).sum()
    });
    assert!(made > 0);
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(resumed.stdout.contains(&format!("Current Number: {}\n", made + 2)), "{made}: {resumed:?}");

    // While one plays, the other gets an error, and can start another round.
    let held = spoton(["play", "--resume"])
        .folder(&folder)
        .command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut held = held.unwrap();
    BufReader::new(held.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    spoton(["play", "--resume"]).folder(&folder).run().fails(1, &["is open in another window"]);
    spoton(["play", "double"]).folder(&folder).answers(&["+1"]).run().success();
    // `--resume` picks a save that is free, whichever was written last.
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(resumed.stderr.starts_with("Double or Add"), "{resumed:?}");
    drop(held.stdin.take());
    held.wait().unwrap();
    assert_eq!(folder.saves().len(), 2);
}

/// F5: an error names a damaged save, and the file doesn't change.
#[cfg(unix)]
#[test]
fn f5_a_corrupted_save_is_rejected() {
    let folder = Folder::new();
    spoton(["play", "number-maze"]).folder(&folder).answers(&["x2"]).run().success();
    let save = folder.saves().remove(0);
    let good = std::fs::read(&save).unwrap();
    let resume = format!("--resume={}", save.display());
    let refuse = |words: &[&str]| {
        let before = std::fs::read(&save).ok();
        spoton(["play", &resume])
            .folder(&folder)
            .run()
            .fails(1, &[&[save.to_str().unwrap()], words].concat());
        assert_eq!(std::fs::read(&save).ok(), before, "the file is untouched");
        assert_eq!(folder.saves().len(), 1, "no litter");
    };
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 0x15;
        std::fs::write(&save, &bad).unwrap();
        refuse(&[]);
        std::fs::write(&save, &good[..at]).unwrap();
        refuse(&[]);
    }
    std::fs::write(&save, String::from_utf8(good.clone()).unwrap().replacen("save 1", "save 2", 1)).unwrap();
    refuse(&["version 2", "newer"]);
    std::fs::write(&save, vec![b'x'; 65 * 1024 * 1024]).unwrap();
    refuse(&["too large"]);
    std::fs::remove_file(&save).unwrap();
    std::fs::create_dir(&save).unwrap();
    refuse(&["not a regular file"]);
    std::fs::remove_dir(&save).unwrap();
    assert!(Command::new("mkfifo").arg(&save).status().unwrap().success());
    spoton(["play", &resume]).folder(&folder).run().fails(1, &["not a regular file"]);
    std::fs::remove_file(&save).unwrap();
    spoton(["play", &resume]).folder(&folder).run().fails(2, &["there is no file"]);
    spoton(["play", "--resume"]).folder(&folder).run().fails(1, &["no saved rounds"]);
}

/// R8: huge or odd numbers get an answer or a short error message.
#[test]
fn r8_huge_and_odd_numbers() {
    let million = "9".repeat(100_000);
    for (target, refused) in [
        ("1000000000000000000", false),
        ("1000000000000000001", true),
        (&million, true),
        ("1e999", true),
        ("0x10", false),
        ("-0", true),
        ("٢٠", true),
        ("20.0", true),
        ("", true),
        ("nan", true),
    ] {
        let ran = spoton(["rules", "number-maze", "--target", target]).run();
        assert_eq!(ran.status == 2, refused, "{target:.20}: {ran:?}");
        assert!(ran.stderr.len() < 600, "{ran:?}");
        assert_eq!(ran.stdout.is_empty(), refused);
        let ran = spoton(["play", "number-maze"]).answers(&[target, &format!("x{target}")]).run();
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.stdout.len() < 2000, "{ran:?}");
    }
}
