//! The server under test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{Arguments, Failure};

/// A server, started here or already running.
pub struct Server {
    pub address: String,
    pid: u32,
    child: Option<(Child, PathBuf)>,
}

impl Server {
    pub fn find(arguments: &Arguments) -> Result<Server, Failure> {
        if let (Some(address), Some(pid)) = (&arguments.server, arguments.pid) {
            return Ok(Server { address: address.clone(), pid, child: None });
        }
        Server::start(arguments, None)
    }

    /// Starts a server on a database, or on a new file.
    pub fn start(arguments: &Arguments, data: Option<&str>) -> Result<Server, Failure> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let beside = std::env::current_exe()?.with_file_name("../spoton-web");
        let program = arguments.program.clone().unwrap_or(beside);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("spoton-load-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let file = folder.join("data.db");
        let data = data.map_or(file.as_path(), Path::new);
        let mut command = match arguments.server_core {
            // Otherwise it would inherit this program's core.
            Some(core) => {
                let mut command = Command::new("taskset");
                command.arg("-c").arg(core.to_string()).arg(&program);
                command
            }
            None => Command::new(&program),
        };
        // A pause would hide the time of a computer's move.
        command.args(["--computer-pause", "0"]);
        command.args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"]).arg(data);
        for limit in [
            "new-of-an-address",
            "new-bytes-of-an-address",
            "commands-of-a-seat",
            "commands-at-once",
            "commands-of-an-address",
            "streams-of-an-address",
            "connections-of-an-address",
        ] {
            command.arg("--limit").arg(format!("{limit}=4000000000"));
        }
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("can't start {}: {error}", program.display()))?;
        let out = child.stdout.take().ok_or("the server prints nothing")?;
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line)?;
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.ok_or("the server's first line isn't an address")?.to_owned();
        Ok(Server { address, pid: child.id(), child: Some((child, folder)) })
    }

    /// Returns its processor time so far.
    pub fn processor_time(&self) -> Result<Duration, Failure> {
        let [user, system, ..] = processor_times(self.pid)?;
        Ok(user + system)
    }

    /// Returns its memory in bytes.
    pub fn memory(&self) -> Result<u64, Failure> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .ok_or("can't read the server's memory")?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kibibytes << 10)
    }
}

/// Returns a process's times so far: its own for programs and for the system, and the same of its ended children. The
/// system counts in units of 10 ms.
pub fn processor_times(pid: u32) -> Result<[Duration; 4], Failure> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The program's name is in parentheses and may contain spaces.
    let (_, fields) = stat.rsplit_once(')').ok_or("can't read a server's processor time")?;
    let mut times = [Duration::ZERO; 4];
    for (time, field) in times.iter_mut().zip(fields.split_whitespace().skip(11)) {
        *time = Duration::from_millis(10 * field.parse::<u64>()?);
    }
    Ok(times)
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some((child, folder)) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
