//! M2: a lost bell costs a moment, never a move.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, PgConnection};

use crate::cluster::Cluster;
use crate::fleet::Fleet;
use crate::play::{Playing, Style};
use crate::proxy::Way;
use crate::stream::Reconnects;
use crate::support::PATIENCE;

/// Nobody reconnects because of silence, so only the nodes' checks help.
fn patient() -> Style {
    let waits = Reconnects::AfterSilence(PATIENCE);
    Style { moves: 6, players: waits, watcher: waits, pause: Duration::ZERO }
}

/// Ends the connections that listen and returns their number.
async fn ends_listeners(database: &str) -> usize {
    let mut connection = PgConnection::connect(database).await.unwrap();
    let ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN %'";
    sqlx::query(ends).fetch_all(&mut connection).await.unwrap().len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_lose_their_bell_miss_no_move() {
    let fleet = Fleet::of_three("bells", Cluster::shared()).await;
    let world = Arc::new(fleet.world(PATIENCE));
    let playing = Playing::start(&world, patient(), 6, 1);
    let mut ended = 0;
    for _ in 0..6 {
        playing.some_more(3).await;
        ended += ends_listeners(&fleet.database).await;
    }
    playing.some_more(3).await;
    fleet.check(playing.end().await).await.assert_faultless();
    assert!(ended >= fleet.nodes.len(), "{ended} listeners");
    assert!(fleet.metric("spoton_bell_losses_total").await > 0);
}

/// The connections are fine, but no notification about a round arrives.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_hear_no_bell_miss_no_move() {
    let fleet = Fleet::of_three("deaf", Cluster::shared()).await;
    let world = Arc::new(fleet.world(PATIENCE));
    let mut rounds = Playing::start(&world, patient(), 4, 4).end().await;
    assert!(fleet.metric("spoton_bells_heard_total").await > 0);
    for node in &fleet.nodes {
        node.ways[0].set(Way::Deaf);
    }
    let before = fleet.metric("spoton_bells_missed_total").await;
    rounds.extend(Playing::start(&world, patient(), 6, 6).end().await);
    // The control: they were really lost, and the check found what they would have announced.
    assert!(fleet.metric("spoton_bells_missed_total").await > before);
    fleet.check(rounds).await.assert_faultless();
}
