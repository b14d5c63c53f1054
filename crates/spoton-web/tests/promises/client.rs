//! The example client in the repository plays as it claims.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use serde_json::Value as Json;

use crate::support::Program;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/web_client.py");

fn plays(link: &str) -> Child {
    let started = Command::new("python3").args([EXAMPLE, link]).stdout(Stdio::piped()).spawn();
    started.expect("python3 runs the example")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_of_the_example_client_play_a_round_to_its_end() {
    let lines = std::fs::read_to_string(EXAMPLE).unwrap().lines().count();
    assert!(lines <= 40, "{lines} lines are too long for an example");
    let server = Program::start("client");
    let mut host = plays(&format!("http://{}", server.address));
    let mut told = BufReader::new(host.stdout.take().unwrap());
    let mut link = String::new();
    told.read_line(&mut link).unwrap();
    let (id, secret) = link.trim().split_once("/j/").unwrap().1.split_once('#').unwrap();
    let mut guest = plays(link.trim());
    let (mut of_host, mut of_guest) = (String::new(), String::new());
    told.read_to_string(&mut of_host).unwrap();
    guest.stdout.take().unwrap().read_to_string(&mut of_guest).unwrap();
    assert!(host.wait().unwrap().success() && guest.wait().unwrap().success(), "{of_host} {of_guest}");

    // Both print the record's result.
    let record = server.get(&format!("/rounds/{id}/record")).await.json();
    let outcome: Json = serde_json::from_str(of_host.trim()).unwrap();
    assert_eq!(of_guest.trim().split_once('\n').unwrap(), ("player 2", of_host.trim()));
    let result = if outcome["winner"] == 1 { "1-0" } else { "0-1" };
    assert_eq!(record["result"], result, "{record} {outcome}");
    assert_eq!(record["ending"], outcome["ending"], "{record} {outcome}");
    let events = server.events(id).await;
    let moves: Vec<&Json> = events.iter().filter(|event| event["kind"] == "move").collect();
    assert!(moves.len() > 1 && server.is_gapless(id).await);
    assert_eq!(record["moves"].as_array().unwrap().len(), moves.len(), "{record}");
    // Each moved for one seat, and the secret appears nowhere.
    for player in [1, 2] {
        assert!(moves.iter().any(|event| event["player"] == player), "{moves:?}");
    }
    assert!(!server.log().contains(secret));

    // A later client with the same link gets the reason.
    let late = Command::new("python3").args([EXAMPLE, link.trim()]).output().unwrap();
    assert!(
        !late.status.success()
            && String::from_utf8_lossy(&late.stderr).contains("this invitation has expired")
    );
}
