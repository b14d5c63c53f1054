//! The systemd units.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use super::nginx::{deploy, free_port};
use super::support::{as_text, shipped, until};
use crate::operation::program::{Folder, ask, program};

/// A node, started with the environment that systemd gives it.
pub struct Node {
    pub port: u16,
    environment: BTreeMap<String, String>,
    child: Child,
    log: std::path::PathBuf,
}

impl Node {
    /// Starts a node on a port, with some of the settings in web.env replaced.
    pub fn start(port: u16, folder: &Folder, replaced: &[(&str, &str)]) -> Node {
        let mut environment = environment(port);
        for (name, value) in replaced {
            let old = environment.insert((*name).to_owned(), (*value).to_owned());
            assert!(old.is_some(), "web.env sets {name}");
        }
        let log = folder.file(&format!("log-{port}"));
        Node { port, child: spawn(&environment, &log), environment, log }
    }

    pub fn admin(&self) -> String {
        self.environment["SPOTON_ADMIN_LISTEN"].clone()
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Restarts it as systemd does: SIGTERM, and then the same again.
    pub fn restart(&mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success(), "{}", fs::read_to_string(&self.log).unwrap());
        self.child = spawn(&self.environment, &self.log);
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(environment: &BTreeMap<String, String>, log: &Path) -> Child {
    let mut command = program();
    let log = fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    let mut child = command.envs(environment).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("http"), "the first line is the public address: {line}");
    child
}

/// Returns the environment of a node on a port: from the unit, and from web.env.
pub fn environment(port: u16) -> BTreeMap<String, String> {
    let unit = shipped("systemd/spoton-web@.service").replace("%i", &port.to_string());
    assert!(unit.contains("\nEnvironmentFile=/etc/spoton/web.env\n") && !unit.contains('%'), "{unit}");
    assert!(unit.contains("\nExecStart=/usr/local/bin/spoton-web\n"), "{unit}");
    let from_unit = unit.lines().filter_map(|line| line.strip_prefix("Environment="));
    let file = shipped("systemd/web.env");
    let from_file = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    // A setting in the file wins.
    from_unit.chain(from_file).map(|line| pair(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

/// A node with the unit's settings serves on its port, and its health is on the admin port.
#[test]
fn a_node_starts_with_the_units_environment() {
    let folder = Folder::new("unit");
    let data = folder.file("data.db");
    let port = free_port();
    let node = Node::start(port, &folder, &[("SPOTON_DATA", as_text(&data))]);
    assert_eq!(node.admin(), format!("127.0.0.1:1{port}"));
    until("the node is ready", || ask(&node.admin(), "GET", "/readyz", "", "").status == 200);
    // Only its public name is served, as web.env says.
    assert_eq!(ask(&format!("127.0.0.1:{port}"), "GET", "/", "", "").status, 421);
}

/// The address of the database in web.env is one that nodes accept: several servers, with their certificates checked.
#[test]
fn the_shipped_database_address_is_valid() {
    use spoton_web::store::postgres::Address;
    let environment = environment(8080);
    let address: Address = environment["SPOTON_DATA"].parse().unwrap();
    assert!(address.servers.len() > 1);
    let checked = |server: &sqlx::postgres::PgConnectOptions| {
        matches!(server.get_ssl_mode(), sqlx::postgres::PgSslMode::VerifyFull)
    };
    assert!(address.servers.iter().all(checked));
    assert!(environment.contains_key("PGPASSWORD"));
}

/// Runs `systemd-analyze` on the units, with the programs where they are here.
fn analyze(folder: &Folder, arguments: &[&str]) -> Output {
    let mut units = Vec::new();
    for entry in fs::read_dir(deploy().join("systemd")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".service") || name.ends_with(".timer") {
            let scripts = deploy().join("postgresql");
            let text = fs::read_to_string(&path).unwrap();
            let text = text.replace("/usr/local/bin/spoton-web", env!("CARGO_BIN_EXE_spoton-web"));
            let text = text.replace("/usr/local/lib/spoton", as_text(&scripts));
            let unit = folder.file(name);
            fs::write(&unit, text).unwrap();
            units.push(unit);
        }
    }
    assert!(units.len() >= 3, "{units:?}");
    let services =
        units.iter().filter(|unit| arguments[0] == "verify" || unit.ends_with("spoton-web@.service"));
    let output = Command::new("systemd-analyze").args(arguments).args(services).output();
    output.expect("systemd-analyze isn't installed; ./test installs it, or run apt-get install systemd")
}

#[test]
fn systemd_accepts_the_units() {
    let folder = Folder::new("units");
    let output = analyze(&folder, &["verify"]);
    // Unknown keys are only warnings.
    let warned = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && warned.is_empty(), "{warned}");
    // 0 is the best, 10 the worst. The rest is that a node uses the network.
    let exposed = analyze(&folder, &["security", "--offline=yes", "--threshold=15", "--no-pager"]);
    assert!(exposed.status.success(), "{}", String::from_utf8_lossy(&exposed.stdout));
}

/// Systemd kills a service that doesn't stop in time, so the unit allows more time than a node takes at most.
#[test]
fn the_unit_gives_a_node_the_time_that_it_needs() {
    let unit = shipped("systemd/spoton-web@.service");
    let seconds = unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec="));
    let seconds: u64 = seconds.unwrap().parse().unwrap();
    // Requests, and then writes.
    let longest = 2 * spoton_web::limits::TIME_TO_END.as_secs();
    assert!(seconds > longest, "{seconds} s");
}
