//! M8: the nodes' clocks don't matter. They differ by more than a day here, so even the date does.

use std::time::{SystemTime, UNIX_EPOCH};

use spoton_web::clock::Clock;

use crate::client::{Client, Got, World};
use crate::cluster::Cluster;
use crate::cut_off::moves;
use crate::fleet::{Fleet, Node};
use crate::history::Round;
use crate::support::{Answer, PATIENCE, Start, browser, of_browser};

/// The time on each node's clock.
const CLOCKS: [&str; 3] = ["+25h", "-25h", "+0"];

/// Debian's library for wrong clocks.
fn library() -> String {
    let folders = std::fs::read_dir("/usr/lib").unwrap().flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketime.so.1"));
    let found = found.find(|path| path.exists());
    found.expect("libfaketime isn't installed; ./test installs it").to_str().unwrap().to_owned()
}

fn with_its_clock(place: usize, start: &mut Start) {
    let faked = [
        ("LD_PRELOAD", library()),
        ("FAKETIME", CLOCKS[place].to_owned()),
        // Only the time of day is wrong, and time passes as fast as always.
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ];
    start.environment.extend(faked);
}

async fn ask(node: &Node, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let world = World::new(vec![], PATIENCE);
    match world.ask(&node.address, method, path, headers, body).await {
        Got::Answer(answer) => answer,
        Got::NotSent | Got::Lost => panic!("{method} {path} got no answer"),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}

async fn fleet(name: &'static str) -> Fleet {
    let cluster = Cluster::shared();
    let database = cluster.database().await;
    let fleet = Fleet::start(name, &[cluster], &database, CLOCKS.len(), with_its_clock).await;
    // The control: the clocks are really wrong.
    let mut dates = Vec::new();
    for node in &fleet.nodes {
        let answer = ask(node, "GET", "/", "", "").await;
        let date = answer.head.lines().find_map(|line| line.strip_prefix("date: ")).unwrap();
        dates.push(date.split(' ').take(3).collect::<Vec<_>>().join(" "));
    }
    dates.sort();
    dates.dedup();
    assert_eq!(dates.len(), CLOCKS.len(), "{dates:?}");
    fleet
}

/// All events have the database's time, whichever node wrote them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_have_the_time_of_the_database() {
    let fleet = fleet("clocks").await;
    let begun = now();
    let world = fleet.world(PATIENCE);
    let mut client = Client::new(&world, 1);
    let (id, tokens) = client.sets_up().await;
    for _ in 0..12 {
        moves(&mut client, &id, &tokens).await;
    }
    let path = format!("/api/v1/rounds/{id}/events?after=0&wait=0");
    let events = ask(&fleet.nodes[0], "GET", &path, "", "").await.json();
    let times: Vec<u64> =
        events["events"].as_array().unwrap().iter().map(|event| event["at"].as_u64().unwrap()).collect();
    // A node that reads the time now and then is a moment off, but not an hour.
    const HOUR: u64 = 60 * 60 * 1000;
    assert_eq!(times.len(), 14);
    assert!(times.iter().all(|at| (begun - HOUR..now() + HOUR).contains(at)), "{begun}: {times:?}");
    let rounds = vec![Round { id, commands: client.commands, reads: client.reads, ..Round::default() }];
    fleet.check(rounds).await.assert_faultless();
}

/// A code or invitation from one node is valid on every other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn codes_of_one_node_work_on_the_others() {
    let fleet = fleet("codes").await;
    for (number, (from, to)) in [(0, 1), (1, 0), (2, 0), (1, 2)].into_iter().enumerate() {
        let (from, to) = (&fleet.nodes[from], &fleet.nodes[to]);
        // A code that moves a seat to another device works for ten minutes.
        let [laptop, phone] = [0, 1].map(|device| browser(10 * number + device));
        let on = |node: &Node, key: &str| of_browser(&node.address, key);
        let made = ask(from, "POST", "/new", &on(from, &laptop), "mode=two&game=number-maze").await;
        let board = location(&made);
        let made = ask(from, "POST", &format!("{board}/device"), &on(from, &laptop), "").await;
        let shown = ask(from, "GET", &location(&made), &on(from, &laptop), "").await;
        let joins = format!("code={}", code_on(&shown));
        let moved = ask(to, "POST", "/join", &on(to, &phone), &joins).await;
        assert_eq!(location(&moved), board, "{moved:?}");
        // A class is open for four hours.
        let form = "game=number-maze&target=34";
        let teacher = ask(from, "POST", "/class", &on(from, &laptop), form).await;
        let class = location(&teacher);
        let page = ask(from, "GET", &class, &on(from, &laptop), "").await;
        let joined = format!("code={}&name=Ann", code_on(&page));
        let joined = ask(to, "POST", "/join", &on(to, &phone), &joined).await;
        assert_eq!(joined.status, 303, "{class}: {joined:?}");
    }
}

/// Returns the code that a page shows, without spaces.
fn code_on(page: &Answer) -> String {
    let (_, code) = page.body.split_once("<p class=\"code\">").unwrap_or_else(|| panic!("{page:?}"));
    code.split('<').next().unwrap().replace(' ', "")
}

fn location(answer: &Answer) -> String {
    let place = answer.head.lines().find_map(|line| line.strip_prefix("location: "));
    place.unwrap_or_else(|| panic!("{answer:?} leads nowhere")).to_owned()
}

/// Today is the same day on every node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn today_is_the_same_day_everywhere() {
    let fleet = fleet("today").await;
    let before = Clock::default().today();
    let mut days = Vec::new();
    for node in &fleet.nodes {
        let page = ask(node, "GET", "/today", "", "").await;
        let (_, day) = page.body.split_once("name=\"day\" value=\"").unwrap_or_else(|| panic!("{page:?}"));
        days.push(day.split('"').next().unwrap().to_owned());
    }
    // Unless it's midnight.
    let today = [before, Clock::default().today()].map(|day| day.to_string());
    assert!(days.iter().all(|day| today.contains(day)), "{days:?} instead of {today:?}");
}
