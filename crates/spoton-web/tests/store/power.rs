//! S1: acknowledged writes survive a power cut.
//!
//! A program writes to a file system in an image and is stopped (not killed, which would flush data to the disk). A
//! copy of the image then has what the disk would have after a power cut, without anything that was only in memory. The
//! test mounts the copy, which replays its journal, and checks it. With less durability the same test must find losses;
//! otherwise it would prove nothing.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, WaitOptions, geteuid, kill_process, waitpid};
use spoton_web::store::sqlite::SqliteStore;

use crate::support::{
    Acknowledged, Folder, Random, helper, lines_of, run_again, say_loudly, write_until_killed,
};

const CUTS: u64 = 6;

/// Not a test: the program that writes when the power is cut.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing() {
    if let Some(arguments) = helper() {
        write_until_killed(&arguments).await;
    }
}

#[tokio::test]
async fn a_power_cut_costs_nothing_that_was_acknowledged() {
    if let Some(arguments) = helper() {
        return cuts(Path::new(&arguments[0])).await;
    }
    let folder = Folder::new();
    if let Some(missing) = what_is_missing(folder.path()) {
        say_loudly(&format!("a power cut (S1): {missing}"));
        return;
    }
    // In a separate namespace, so its mounts always end with it.
    let own_world = ["unshare", "--mount"];
    let arguments = [folder.path().to_str().unwrap()];
    let mut command =
        run_again(&own_world, "power::a_power_cut_costs_nothing_that_was_acknowledged", &arguments);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

fn make_image(image: &Path) -> Result<(), String> {
    fs::remove_file(image).ok();
    File::create(image).and_then(|file| file.set_len(48 << 20)).map_err(|error| error.to_string())?;
    succeeds(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(image))
}

/// Mounts an image. The file system flushes nothing by itself for an hour.
fn mount(image: &Path, at: &Path) -> Result<(), String> {
    fs::create_dir_all(at).map_err(|error| error.to_string())?;
    succeeds(Command::new("mount").args(["-t", "ext4", "-o", "loop,commit=3600"]).arg(image).arg(at))
}

fn unmount(at: &Path) -> Result<(), String> {
    succeeds(Command::new("umount").arg(at))
}

/// Returns what this machine lacks for the test.
fn what_is_missing(folder: &Path) -> Option<String> {
    if !geteuid().is_root() {
        return Some("only root may mount an image (sudo, or a container with --privileged)".into());
    }
    let (image, at) = (folder.join("try.img"), folder.join("try"));
    let tried = make_image(&image).and_then(|()| mount(&image, &at)).and_then(|()| unmount(&at));
    tried.err().map(|why| format!("this needs an ext4 image on a loop device: {why}"))
}

async fn cuts(folder: &Path) {
    let mut random = Random::new(3);
    for cut in 0..CUTS {
        let wanted = 1 + random.below(400);
        let (kept, lost) = lost_by_a_cut(folder, "power-cut", wanted, cut).await;
        assert!(kept >= wanted);
        assert_eq!(lost, 0, "of {kept} in cut {cut}");
    }
    // The machine may flush data by itself, but not every time.
    for cut in 0..CUTS {
        let (_, lost) = lost_by_a_cut(folder, "kill", 40, cut).await;
        if lost > 0 {
            return;
        }
    }
    panic!("nothing was lost without syncing either, so this test proves nothing");
}

/// Returns how many events were acknowledged, and how many of them are gone.
async fn lost_by_a_cut(folder: &Path, durability: &str, wanted: u64, seed: u64) -> (u64, u64) {
    let (image, copy) = (folder.join("disk.img"), folder.join("copy.img"));
    let (at, copy_at) = (folder.join("disk"), folder.join("copy"));
    make_image(&image).unwrap();
    mount(&image, &at).unwrap();
    let path = at.join("spoton.db");
    let arguments = [path.to_str().unwrap(), durability, &seed.to_string()];
    let mut child = run_again(&[], "power::writing", &arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = lines_of(&mut child);
    let mut kept = Acknowledged::default();
    kept.read(&mut lines, wanted);

    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::STOP).unwrap();
    // Only then all of its threads are stopped.
    let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
    assert!(status.stopped());
    fs::copy(&image, &copy).unwrap();
    child.kill().unwrap();
    kept.read(&mut lines, u64::MAX);
    child.wait().unwrap();
    unmount(&at).unwrap();

    mount(&copy, &copy_at).unwrap();
    let all = kept.0.values().sum();
    let lost = match SqliteStore::open(copy_at.join("spoton.db")).await {
        Ok(store) => {
            let lost = kept.lost(&store).await;
            store.close().await;
            lost
        }
        // The database itself is lost.
        Err(_) => all,
    };
    unmount(&copy_at).unwrap();
    (all, lost)
}
