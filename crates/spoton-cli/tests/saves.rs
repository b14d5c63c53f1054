//! A round's files, with the real program: other files stay untouched, and no move is lost.
#![cfg(target_os = "linux")]

use crate::support;

use std::io::{BufReader, Write};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use support::{Folder, spoton};

/// A folder with a save `my.spoton`, one move into the round.
fn with_save() -> Folder {
    let folder = Folder::new();
    spoton(["play", "number-maze"]).folder(&folder).answers(&["x2"]).run().success();
    std::fs::rename(folder.saves().remove(0), folder.file("my.spoton")).unwrap();
    folder
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_next_to_a_save_stay_untouched() {
    let folder = with_save();
    let own = ["my.lock", "my.part", "my.spoton.lock", "my.spoton.part", ".my.lock", ".my.part"];
    for name in own {
        folder.write(name, "mine");
    }
    spoton(["play", "--resume=my.spoton"]).folder(&folder).answers(&["+1", "save"]).run().success();
    spoton(["play", "--resume=my.spoton"]).folder(&folder).answers(&["resign"]).run().success();
    for name in own {
        assert_eq!(folder.read(name), "mine", "{name}");
    }
}

#[test]
fn no_link_in_the_place_of_a_lock_or_a_part_file_is_followed() {
    for name in ["my.lock", "my.part", ".my.spoton.spoton-lock", ".my.spoton.spoton-part"] {
        let folder = with_save();
        folder.write("precious", "mine");
        symlink("precious", folder.file(name)).unwrap();
        spoton(["play", "--resume=my.spoton"]).folder(&folder).answers(&["+1", "save", "resign"]).run();
        assert_eq!(folder.read("precious"), "mine", "{name}");
        assert!(folder.file(name).is_symlink(), "{name}");
    }
}

#[test]
fn a_pipe_instead_of_a_lock_or_part_file_does_not_block() {
    for kind in ["lock", "part"] {
        let folder = with_save();
        let pipe = folder.file(&format!(".my.spoton.spoton-{kind}"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let ran = spoton(["play", "--resume=my.spoton"]).folder(&folder).answers(&["+1"]).run();
        assert!(ran.status == 1 && ran.stderr.contains("my.spoton: "), "{ran:?}");
    }
}

#[test]
fn a_save_behind_a_link_is_written_where_it_is() {
    let folder = with_save();
    std::fs::create_dir(folder.file("links")).unwrap();
    symlink("../my.spoton", folder.file("links/today.spoton")).unwrap();
    let resume = "--resume=links/today.spoton";
    let ran = spoton(["play", resume]).folder(&folder).answers(&["+1"]).run();
    assert!(folder.file("links/today.spoton").is_symlink(), "{ran:?}");
    assert!(folder.read("my.spoton").contains("1. x2 +1 *"), "{ran:?}");
    assert_eq!(std::fs::read_dir(folder.file("links")).unwrap().count(), 1);
}

#[test]
fn the_command_to_go_on_with_does_so() {
    let folder = with_save();
    folder.write("spoton/saves/0007-other.spoton", "; not a save\n");
    std::fs::create_dir(folder.file("it's here")).unwrap();
    std::fs::rename(folder.file("my.spoton"), folder.file("it's here/my.spoton")).unwrap();
    let ran = spoton(["play", "--resume=it's here/my.spoton"]).folder(&folder).answers(&["+1"]).run();
    let command = ran.stderr.lines().find_map(|line| line.strip_prefix("Resume with: ")).unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let went_on = Command::new("sh")
        .args(["-c", command])
        .current_dir(std::env::temp_dir())
        .env("PATH", path)
        .env("XDG_DATA_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(went_on.stderr).unwrap();
    assert!(told.contains("Moves so far: x2 +1\n"), "{command}: {told}");
    // A save in the default folder needs no name.
    std::fs::remove_file(folder.file("spoton/saves/0007-other.spoton")).unwrap();
    let ran = spoton(["play", "number-maze"]).folder(&folder).answers(&["x2"]).run();
    assert!(ran.stderr.ends_with("Resume with: spoton play --resume\n"), "{ran:?}");
}

#[test]
fn a_killed_program_loses_no_move() {
    let answers = ["x2", "nonsense", "+1", "undo", "x2"];
    for cut in 1..=answers.len() {
        let folder = Folder::new();
        let mut command = spoton(["play", "number-maze", "--names", "Ann,Ben"]).folder(&folder).command();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        for answer in &answers[..cut] {
            stdin.write_all(format!("{answer}\n").as_bytes()).unwrap();
        }
        // When the next question appears, the program has finished with the answer.
        let mut byte = [0];
        let mut seen = String::new();
        while seen.matches("(1 or 2):").count() <= cut {
            std::io::Read::read_exact(&mut stdout, &mut byte).unwrap();
            seen.push(char::from(byte[0]));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let expected = ["x2", "x2", "x2 +1", "x2", "x2 x2"][cut - 1];
        let resumed = spoton(["play", "--resume", "--record", "r.txt"]).folder(&folder);
        let resumed = resumed.answers(&["resign"]).run();
        assert!(resumed.stderr.contains(&format!("Moves so far: {expected}\n")), "{resumed:?}");
        // The save also keeps invalid answers.
        assert_eq!(folder.read("r.txt").contains("[Illegal2 \"1\"]"), cut > 1, "{cut}");
        assert!(folder.saves().is_empty(), "{:?}", folder.saves());
    }
}

#[test]
fn refused_answers_are_counted_over_a_pause() {
    let folder = Folder::new();
    let play =
        |args: &[&str], answers: &[&str]| spoton(args).folder(&folder).answers(answers).run().success();
    play(&["play", "maze", "--target", "5"], &["x2", "what", "7"]);
    play(&["play", "--resume"], &["9", "+1", "oh"]);
    play(&["play", "--resume", "--record", "r.txt"], &["hm", "resign"]);
    let record = folder.read("r.txt");
    assert!(record.contains("[Illegal1 \"2\"]\n[Illegal2 \"3\"]\n"), "{record}");
}

#[test]
fn a_round_without_a_move_is_saved_only_in_a_match() {
    let folder = Folder::new();
    for answers in [&[][..], &["nonsense"], &["x2", "undo"], &["hint"]] {
        let ran = spoton(["play", "number-maze"]).folder(&folder).answers(answers).run();
        assert_eq!((ran.status, folder.saves().len()), (0, 0), "{ran:?}");
        assert!(!ran.stderr.contains("Kept"), "{ran:?}");
    }
    spoton(["play", "number-maze", "--rounds", "3"]).folder(&folder).run().success();
    for _ in 0..2 {
        assert_eq!(folder.saves().len(), 1);
        let resumed = spoton(["play", "--resume"]).folder(&folder).run();
        assert!(resumed.stderr.contains("no moves yet"), "{resumed:?}");
    }
    std::fs::remove_file(folder.saves().remove(0)).unwrap();
    let ran = spoton(["play", "number-maze", "--target", "2", "--rounds", "3"]).folder(&folder);
    let ran = ran.answers(&["x2"]).run();
    assert_eq!((ran.status, folder.saves().len()), (0, 1), "{ran:?}");
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(
        resumed.stderr.contains("no moves yet") && resumed.stderr.contains("Player 1: 1, Player 2: 0"),
        "{resumed:?}"
    );
}

#[test]
fn a_requested_save_stays_unchanged() {
    let folder = Folder::new();
    let args = ["play", "number-maze"];
    spoton(args).folder(&folder).answers(&["x2", "save", "+1", "resign"]).run().success();
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(resumed.stderr.contains("Moves so far: x2\n"), "{resumed:?}");
}

#[test]
fn a_match_continues_if_its_record_cannot_be_written() {
    let folder = Folder::new();
    let args = ["play", "number-maze", "--target", "2", "--rounds", "2", "--record", "/dev/full"];
    let cut = spoton(args).folder(&folder).answers(&["x2"]).run();
    assert_eq!(cut.status, 1, "{cut:?}");
    assert!(cut.stderr.contains("can't write /dev/full: No space left on device"), "{cut:?}");
    assert_eq!(folder.saves().len(), 1, "{cut:?}");
    let rest = spoton(["play", "--resume"]).folder(&folder).answers(&["x2"]).run();
    assert!(rest.stdout.contains("tied at 1 all"), "{rest:?}");
    let whole = spoton(args).folder(&folder).answers(&["x2", "x2"]).run();
    assert!(whole.status == 1 && whole.stdout.contains("tied at 1 all"), "{whole:?}");
}

#[test]
fn an_unreadable_progress_file_stops_nothing() {
    let commands: [&[&str]; 6] = [
        &["solve", "number-maze"],
        &["map", "number-maze"],
        &["map", "number-maze", "--uncover"],
        &["opponents", "number-maze"],
        &["play", "number-maze", "--target", "2"],
        &["play", "number-maze", "--target", "2", "--vs", "adaptive", "--discover"],
    ];
    for kind in ["pipe", "device", "folder", "damaged"] {
        for args in commands {
            let folder = Folder::new();
            let path = folder.write("spoton/progress.spoton", "; spoton save 1 5 0\nnoise");
            if kind != "damaged" {
                std::fs::remove_file(&path).unwrap();
            }
            match kind {
                "pipe" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
                "device" => symlink("/dev/zero", &path).unwrap(),
                "folder" => std::fs::create_dir(&path).unwrap(),
                _ => {}
            }
            let ran = spoton(args).folder(&folder).answers(&["x2"]).run();
            assert_eq!(ran.status, 0, "{kind} {args:?}: {ran:?}");
            assert!(ran.stderr.contains("progress.spoton"), "{kind} {args:?}: {ran:?}");
            if args[0] == "play" {
                assert!(ran.stdout.contains(" wins the game!\n"), "{kind} {args:?}: {ran:?}");
            }
            assert_eq!(names(&folder), ["spoton"], "{kind} {args:?}");
            if kind == "damaged" {
                assert_eq!(folder.read("spoton/progress.spoton"), "; spoton save 1 5 0\nnoise");
            }
        }
    }
}
