//! M6: nodes are replaced one after the other, behind nginx, and nobody notices.

use std::sync::Arc;
use std::time::Duration;

use crate::client::{Got, World};
use crate::cluster::Cluster;
use crate::fleet::Fleet;
use crate::nginx::Nginx;
use crate::play::{Playing, Style};
use crate::support::Start;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_are_replaced_in_turn_stop_nobody() {
    let cluster = Cluster::shared();
    let database = cluster.database().await;
    let behind_nginx = |_, start: &mut Start| {
        start.arguments.extend(["--trust-proxy", "127.0.0.1"].map(str::to_owned));
    };
    let fleet = Fleet::start("deploys", &[cluster], &database, 3, behind_nginx).await;
    let nodes: Vec<&str> = fleet.nodes.iter().map(|node| node.address.as_str()).collect();
    let nginx = tokio::task::block_in_place(|| Nginx::start(&nodes));
    // Longer than nginx waits.
    let world = Arc::new(World::new(vec![nginx.address.clone()], Duration::from_secs(20)));
    let playing = Playing::start(&world, Style::default(), 8, 1);
    for node in &fleet.nodes {
        playing.some_more(4).await;
        node.shut_down();
        playing.some_more(2).await;
        node.start_again();
        node.becomes(200).await;
    }
    playing.some_more(4).await;
    let rounds = playing.end().await;
    // The control: replaced together, they would stop everybody.
    fleet.nodes.iter().for_each(|node| node.shut_down());
    let asked = world.ask(&nginx.address, "GET", "/games", "", "").await;
    assert!(matches!(asked, Got::Answer(answer) if answer.status == 503), "no node is there");
    for node in &fleet.nodes {
        node.start_again();
        node.becomes(200).await;
    }
    fleet.check(rounds).await.assert_faultless();
}
