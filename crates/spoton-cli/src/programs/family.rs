//! A program and whatever it has started. They are found by its process group, and on Linux also by a mark in the
//! environment, which outlasts a change of the group.

use std::process::Child;
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::Duration;

/// The name of the mark in the environment.
pub const MARK: &str = "SPOTON_PROGRAM";

/// Whether a child has ended. It is not waited for: its number stays its own.
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

/// Kills a process group, and whatever else carries the mark.
#[cfg(unix)]
pub fn kill_family(id: u32, mark: &str) {
    use rustix::process::{Signal, kill_process, kill_process_group};
    /// Whoever starts others faster than they are found is not worth more than this.
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

/// Who carries a mark in the environment.
#[cfg(unix)]
struct Relatives {
    marked: Vec<rustix::process::Pid>,
    /// Whether these are all: a process that is just becoming another program shows no environment for a moment.
    are_all: bool,
}

/// The processes that carry a mark, where that can be seen; those that were started before a time are known not to.
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

/// When a process was started, by a clock of the machine's own; `None` if it is gone.
#[cfg(unix)]
fn started_at(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second of the fields is a name, which may hold anything; this is the twentieth after it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// A process that shows no environment may be one of ours on its way, unless it was there before.
    #[test]
    fn whoever_shows_no_environment_was_there_before_or_may_belong_to_a_program() {
        let mut without = Command::new("env").args(["-i", "sleep", "1000"]).spawn().unwrap();
        let read = |file: &str| std::fs::read(format!("/proc/{}/{file}", without.id())).unwrap();
        let begun = Instant::now();
        // Before that it is `env`, with an environment that seems empty only while it starts.
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
