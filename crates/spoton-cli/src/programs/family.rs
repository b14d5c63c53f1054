//! Finds a program and the processes it started by process group, and on Linux also by a mark in the environment. The
//! mark survives a change of group. The scan of `/proc` is handwritten, because it takes a few lines over two files
//! of each process.

use std::process::Child;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::Duration;

/// The name of the mark in the environment.
pub const MARK: &str = "SPOTON_PROGRAM";

/// Whether a child has exited. Doesn't reap it, so that its id can't be reused.
#[cfg(unix)]
pub fn has_ended(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(not(unix))]
pub fn has_ended(_child: &Child) -> bool {
    false
}

#[cfg(unix)]
pub fn ask_to_end(id: u32) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(group) = pid(id) {
        let _ = kill_process_group(group, Signal::TERM);
    }
}

#[cfg(not(unix))]
pub fn ask_to_end(_id: u32) {}

#[cfg(unix)]
fn pid(id: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(id.cast_signed())
}

/// Kills a process group and all processes with the mark.
#[cfg(unix)]
pub fn kill_family(id: u32, mark: &str) {
    use rustix::process::{Signal, kill_process, kill_process_group};
    /// The number of passes, in case a program forks faster than we can kill.
    const PASSES: usize = 50;
    if let Some(group) = pid(id) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let since = started_at(id).unwrap_or(u64::MAX);
    for _ in 0..PASSES {
        let Relatives { marked, are_all } = relatives(mark, since);
        if marked.is_empty() && are_all {
            return;
        }
        for process in marked {
            let _ = kill_process(process, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(not(unix))]
pub fn kill_family(_id: u32, _mark: &str) {}

/// Processes with the mark.
#[cfg(unix)]
struct Relatives {
    marked: Vec<rustix::process::Pid>,
    /// Whether the list is complete. It may not be: during `exec`, a process briefly has an empty environment.
    are_all: bool,
}

/// The processes with the mark, if `/proc` shows them. Processes started before `since` can't have it.
#[cfg(unix)]
fn relatives(mark: &str, since: u64) -> Relatives {
    let entry = format!("{MARK}={mark}");
    let mut found = Relatives { marked: Vec::new(), are_all: true };
    let Ok(processes) = std::fs::read_dir("/proc") else { return found };
    let ids = processes.flatten().filter_map(|process| process.file_name().to_str()?.parse::<u32>().ok());
    for id in ids {
        match std::fs::read(format!("/proc/{id}/environ")) {
            Ok(environment) if environment.is_empty() => {
                found.are_all &= started_at(id).is_none_or(|started| started < since);
            }
            Ok(environment)
                if environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes()) =>
            {
                found.marked.extend(pid(id));
            }
            _ => {}
        }
    }
    found
}

/// The start time of a process, in clock ticks; `None` if it is gone.
#[cfg(unix)]
fn started_at(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field is a name with arbitrary characters. The start time is the twentieth field after it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// A process with an empty environment may be one of ours during `exec`, unless it is older.
    #[test]
    fn a_process_without_an_environment_is_older_or_may_belong_to_a_program() {
        let mut without = Command::new("env").args(["-i", "sleep", "1000"]).spawn().unwrap();
        let read = |file: &str| std::fs::read(format!("/proc/{}/{file}", without.id())).unwrap();
        let begun = Instant::now();
        // Until `sleep` runs, the process is `env`, whose environment is empty only while `env` starts.
        let is_sleep = || read("cmdline").starts_with(b"sleep") && read("environ").is_empty();
        while !is_sleep() && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(5));
        }
        let started = started_at(without.id()).unwrap();
        assert!(started_at(std::process::id()).unwrap() <= started);
        assert!(!relatives("nobody", started).are_all);
        let _ = without.kill();
        let _ = without.wait();
        assert_eq!(started_at(without.id()), None);
    }
}
