//! Nodes are replaced one by one while people play.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::cluster::Cluster;
use super::nginx::{Nginx, deploy, free_port};
use super::support::{Round, until};
use super::units::Node;
use crate::operation::program::{Folder, ask};

/// Runs a command here instead of on another machine.
const SSH: &str = "#!/bin/sh\nshift\nexec sh -c \"$*\"\n";
const SUDO: &str = "#!/bin/sh\nexec \"$@\"\n";
/// Asks the test to restart a unit, and waits until it has.
const SYSTEMCTL: &str = r#"#!/bin/sh
[ "$1" = restart ] || exit 1
touch "$UNITS/$2.asked"
while [ -e "$UNITS/$2.asked" ]; do sleep 0.02; done
"#;

/// Runs the shipped script with these programs in place of the real ones.
fn roll(folder: &Folder, ports: &[u16]) -> Output {
    for (name, script) in [("ssh", SSH), ("sudo", SUDO), ("systemctl", SYSTEMCTL)] {
        fs::write(folder.file(name), script).unwrap();
        fs::set_permissions(folder.file(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(folder.0.clone()).chain(std::env::split_paths(&path)));
    let mut command = Command::new(deploy().join("roll"));
    command.args(ports.iter().map(|port| format!("one.example.org:{port}")));
    command.env("PATH", path.unwrap()).env("UNITS", &folder.0).output().unwrap()
}

/// Restarts the units that the script asks for, until it has ended.
fn restart_what_is_asked(folder: &Path, nodes: &Mutex<Vec<Node>>, ended: &AtomicBool) {
    while !ended.load(Ordering::Relaxed) {
        for node in nodes.lock().unwrap().iter_mut() {
            let asked = folder.join(format!("spoton-web@{}.asked", node.port));
            if asked.exists() {
                node.restart();
                fs::remove_file(asked).unwrap();
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_are_replaced_while_people_play() {
    let folder = Folder::new("roll");
    let data = Cluster::shared().database().await;
    let ports = [(); 3].map(|()| free_port());
    let addresses = ports.map(|port| format!("127.0.0.1:{port}"));
    let nginx = Nginx::start(&addresses.each_ref().map(String::as_str));
    let address = nginx.address.clone();
    let public = format!("http://{address}");
    let replaced =
        [("SPOTON_DATA", data.as_str()), ("SPOTON_BASE_URL", &public), ("SPOTON_TRUST_PROXY", "127.0.0.1")];
    let nodes: Vec<Node> = ports.iter().map(|port| Node::start(*port, &folder, &replaced)).collect();
    let before: Vec<u32> = nodes.iter().map(Node::process).collect();
    for node in &nodes {
        until("the nodes are ready", || ask(&node.admin(), "GET", "/readyz", "", "").status == 200);
    }

    let (nodes, ended) = (Arc::new(Mutex::new(nodes)), Arc::new(AtomicBool::new(false)));
    let systemd = {
        let (folder, nodes, ended) = (folder.0.clone(), Arc::clone(&nodes), Arc::clone(&ended));
        thread::spawn(move || restart_what_is_asked(&folder, &nodes, &ended))
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = (0..3)
        .map(|_| {
            let (address, stopped) = (address.clone(), Arc::clone(&stopped));
            thread::spawn(move || {
                let mut round = Round::start(&address);
                while !stopped.load(Ordering::Relaxed) {
                    // Fewer than a seat's limit.
                    thread::sleep(Duration::from_millis(150));
                    // Fails if a move is refused, lost or doubled.
                    round.make_move(&address);
                    until("the page returns", || {
                        let page = ask(&address, "GET", &format!("/r/{}", round.id), "", "");
                        // A node that shuts down may say that it's busy. But nginx always has a node.
                        assert!(!page.body.contains("The server isn't available"), "{}", page.whole);
                        page.status == 200
                    });
                }
                round
            })
        })
        .collect();
    let watched = Round::start(&address);
    let watcher = {
        let (address, id) = (address.clone(), watched.id.clone());
        thread::spawn(move || {
            let round = Round { id, token: String::new(), seq: 0 };
            let mut seen = Vec::new();
            let mut reconnects = 0;
            // One move at a time, until the last one.
            while seen.last() != Some(&LAST) {
                let mut stream = round.stream(&address, seen.last().copied().unwrap_or(0));
                while let Some(seq) = stream.next() {
                    seen.push(seq);
                    if seq == LAST {
                        break;
                    }
                }
                reconnects += 1;
                thread::sleep(Duration::from_millis(10));
            }
            (seen, reconnects)
        })
    };

    let rolled = roll(&folder, &ports);
    assert!(rolled.status.success(), "{}", String::from_utf8_lossy(&rolled.stderr));
    let told = String::from_utf8_lossy(&rolled.stdout).into_owned();
    assert_eq!(told.matches("is ready.").count(), 3, "{told}");
    let after: Vec<u32> = nodes.lock().unwrap().iter().map(Node::process).collect();
    assert!(before.iter().all(|process| !after.contains(process)), "{before:?} {after:?}");
    stopped.store(true, Ordering::Relaxed);
    let mut watched = watched;
    while watched.seq < LAST {
        watched.make_move(&address);
    }
    let (seen, reconnects) = watcher.join().unwrap();
    assert_eq!(seen, (1..=LAST).collect::<Vec<_>>());
    assert!(reconnects > 1, "the stream's node was replaced");
    for player in players {
        let round = player.join().unwrap();
        let events = round.events(&address);
        assert_eq!(events.len() as u64, round.seq);
        assert!(round.seq > 3, "{} moves", round.seq);
    }

    // With a node down, no other one is restarted.
    nodes.lock().unwrap()[2].kill();
    let refused = roll(&folder, &ports);
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && why.contains(&format!(":{} isn't ready", ports[2])), "{why}");
    let unchanged: Vec<u32> = nodes.lock().unwrap().iter().map(Node::process).collect();
    assert_eq!(unchanged, after);
    ended.store(true, Ordering::Relaxed);
    systemd.join().unwrap();
}

/// The last move that the watcher waits for.
const LAST: u64 = 12;
