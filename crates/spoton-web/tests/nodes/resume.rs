//! M7: a stream that is cut anywhere and continued on another node is exactly the log.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::client::Client;
use crate::cluster::Cluster;
use crate::cut_off::moves;
use crate::fleet::Fleet;
use crate::history::{Fault, Round};
use crate::play::{Playing, Style};
use crate::random::Random;
use crate::stream::{Reconnects, follow};
use crate::support::PATIENCE;

/// More than the head of an answer and a few events.
const MOST_BYTES: u64 = 2500;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_cut_anywhere_are_the_log() {
    let fleet = Fleet::of_three("resume", Cluster::shared()).await;
    let world = Arc::new(fleet.world(PATIENCE));
    let mut rounds = Vec::new();
    for (players, watcher) in [
        (Reconnects::AfterEachEvent, Reconnects::AfterBytes(MOST_BYTES)),
        (Reconnects::AfterBytes(MOST_BYTES), Reconnects::AfterEachEvent),
    ] {
        let style = Style { moves: 12, players, watcher, pause: Duration::ZERO };
        rounds.extend(Playing::start(&world, style, 4, 12).end().await);
    }
    fleet.check(rounds).await.assert_faultless();
}

/// The control: a client that forgets its last event gets some twice, and the checker notices.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_forgets_its_place_gets_events_twice() {
    let fleet = Fleet::of_three("forgets", Cluster::shared()).await;
    let world = fleet.world(PATIENCE);
    let mut client = Client::new(&world, 1);
    let (id, tokens) = client.sets_up().await;
    moves(&mut client, &id, &tokens).await;
    let mut streamed = Vec::new();
    for _ in 0..2 {
        let (seen, _) = watch::channel(0);
        let cuts = Reconnects::AfterBytes(MOST_BYTES);
        streamed.extend(follow(&world, Random::new(2), &id, client.knows, cuts, seen).await);
    }
    let Client { commands, reads, knows, .. } = client;
    let rounds = vec![Round { id, commands, reads, seen: vec![streamed], log: vec![] }];
    let report = fleet.check(rounds).await;
    assert_eq!(report.count(Fault::StreamRepeats), knows, "{report}");
}
