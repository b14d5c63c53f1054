//! The server that the rounds are played on.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{Arguments, Failure};

/// A server, started here or there already.
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
        let beside = std::env::current_exe()?.with_file_name("../spoton-web");
        let program = arguments.program.clone().unwrap_or(beside);
        let folder = std::env::temp_dir().join(format!("spoton-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let mut command = match arguments.server_core {
            // Else it would share the core that this was started on.
            Some(core) => {
                let mut command = Command::new("taskset");
                command.arg("-c").arg(core.to_string()).arg(&program);
                command
            }
            None => Command::new(&program),
        };
        // A pause would hide how long a computer's move takes.
        command.args(["--computer-pause", "0"]);
        command.args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"]).arg(folder.join("data.db"));
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
            .map_err(|error| format!("{} does not start: {error}", program.display()))?;
        let out = child.stdout.take().ok_or("it prints nothing")?;
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line)?;
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.ok_or("its first line is no address")?.to_owned();
        Ok(Server { address, pid: child.id(), child: Some((child, folder)) })
    }

    /// Its processor time so far. The system counts in hundredths of a second.
    pub fn processor_time(&self) -> Result<Duration, Failure> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid))?;
        // The name of the program stands in brackets, and may have spaces.
        let (_, fields) = stat.rsplit_once(')').ok_or("its time cannot be read")?;
        let mut fields = fields.split_whitespace().skip(11);
        let mut ticks = || -> Result<u64, Failure> { Ok(fields.next().ok_or("its time is short")?.parse()?) };
        Ok(Duration::from_millis(10 * (ticks()? + ticks()?)))
    }

    /// Its memory, in bytes.
    pub fn memory(&self) -> Result<u64, Failure> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("it has no memory")?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kibibytes << 10)
    }
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
