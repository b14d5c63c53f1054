//! M1: any node, the same truth. People play through random nodes while nodes are killed, frozen and cut off.
//!
//! The test takes about a minute. For ten minutes, with figures every minute:
//!
//!     SPOTON_NODES_MINUTES=10 cargo test --release -p spoton-web --test nodes any_node::whatever_happens -- --nocapture

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Client, Order, tick};
use crate::cluster::Cluster;
use crate::fleet::{Fleet, Node};
use crate::history::{Fault, Outcome, Report, Round};
use crate::play::{Playing, Style};
use crate::proxy::Way;

/// The rounds of a short run, and the pairs who play at the same time.
const ROUNDS: u64 = 300;
const PAIRS: u64 = 12;

/// How long a client waits before it asks another node.
const PATIENCE_OF_CLIENTS: Duration = Duration::from_secs(2);

const SECOND: Duration = Duration::from_secs(1);

/// Something that happens to a node.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    Killed,
    /// Its connections to the database end once.
    Cut,
    /// Nothing reaches the database for a while.
    CutOff(Duration),
    /// Every answer of the database is late.
    Slow,
    Frozen(Duration),
    /// The database's answers to commits are lost.
    LosesCommits,
    /// It misses notifications.
    Deaf,
}

/// Twice some are longer than the deadlines of nodes and clients.
const MISHAPS: [Mishap; 9] = [
    Mishap::Killed,
    Mishap::Cut,
    Mishap::CutOff(SECOND),
    Mishap::LosesCommits,
    Mishap::Frozen(SECOND),
    Mishap::Slow,
    Mishap::CutOff(Duration::from_secs(6)),
    Mishap::Deaf,
    Mishap::Frozen(Duration::from_secs(6)),
];

async fn happens(mishap: Mishap, node: &Node) {
    let way = &node.ways[0];
    let for_a_while = async |bad: Way, time: Duration| {
        way.set(bad);
        tokio::time::sleep(time).await;
        way.set(Way::Open);
    };
    match mishap {
        Mishap::Killed => {
            node.kill();
            tokio::time::sleep(SECOND / 2).await;
            node.start_again();
        }
        Mishap::Cut => way.cut(),
        Mishap::CutOff(time) => for_a_while(Way::Silent, time).await,
        Mishap::Slow => for_a_while(Way::Slow(Duration::from_millis(50)), 2 * SECOND).await,
        Mishap::LosesCommits => for_a_while(Way::LosesCommits, SECOND).await,
        Mishap::Deaf => for_a_while(Way::Deaf, 2 * SECOND).await,
        Mishap::Frozen(time) => {
            node.freeze();
            tokio::time::sleep(time).await;
            node.thaw();
        }
    }
}

fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_to_nodes_nothing_is_lost_or_doubled() {
    let minutes: Option<u64> = std::env::var("SPOTON_NODES_MINUTES").ok().map(|text| text.parse().unwrap());
    let until = minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let cluster = Cluster::start(&[]);
    let fleet = Fleet::of_three("any", &cluster).await;
    let world = Arc::new(fleet.world(PATIENCE_OF_CLIENTS));
    let playing = Playing::start(&world, Style::default(), PAIRS, ROUNDS);
    playing.some_more(1).await;
    // A short run has each mishap twice, and over both runs of them each node has some.
    let mut last_said = Instant::now();
    for number in 0.. {
        if until.map_or(number == 2 * MISHAPS.len(), |until| Instant::now() >= until) {
            break;
        }
        let node = &fleet.nodes[(number + number / MISHAPS.len()) % fleet.nodes.len()];
        happens(MISHAPS[number % MISHAPS.len()], node).await;
        // So players aren't only busy with mishaps.
        playing.some_more(2).await;
        if minutes.is_some() && last_said.elapsed() > 60 * SECOND {
            say(&format!("{number} mishaps, {} rounds", playing.count()));
            last_said = Instant::now();
        }
    }
    let rounds = playing.end().await;
    for node in &fleet.nodes {
        node.becomes(200).await;
    }
    let report = fleet.check(rounds).await;
    say(&format!("M1: {report}"));
    report.assert_faultless();
    assert!(report.rounds >= ROUNDS && report.unknown > 0 && report.unknown == report.settled, "{report}");
}

/// The control: a client that takes a lost answer for a refusal is wrong, and the checker notices.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_ask_again_is_wrong() {
    let cluster = Cluster::shared();
    let fleet = Fleet::of_three("careless", cluster).await;
    let world = fleet.world(Duration::from_secs(60));
    let mut client = Client::new(&world, 1);
    let (id, [token, _]) = client.sets_up().await;
    let order = Order::a_move(&id, &token, 1, "+1", client.knows);
    // The answer is never read.
    let sent = tick();
    let mut stream = TcpStream::connect(&world.doors[0]).await.unwrap();
    let request = order.request(&world.doors[0]);
    stream.write_all(request.as_bytes()).await.unwrap();
    while client.read(&id).await["seq"] == 2 {}
    drop(stream);
    let mut careless = client.commands.clone();
    careless.push(order.became(sent, tick(), Outcome::Refused(503), false));
    client.send(&order).await;
    let history = |commands| vec![Round { id: id.clone(), commands, ..Round::default() }];
    fleet.check(history(client.commands)).await.assert_faultless();
    let report: Report = fleet.check(history(careless)).await;
    assert_eq!(report.count(Fault::RefusedAndDone), 1, "{report}");
}
