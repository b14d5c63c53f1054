//! M5: a restart or failover of the database loses nothing that was acknowledged.

use std::sync::Arc;
use std::time::Duration;

use crate::client::Client;
use crate::cluster::Cluster;
use crate::cut_off::moves;
use crate::fleet::{Fleet, waits_until};
use crate::history::{Fault, Report, Round};
use crate::play::{Playing, Style};

const PAIRS: u64 = 6;

fn control(cluster: &Cluster, arguments: &[&str]) {
    tokio::task::block_in_place(|| cluster.control(arguments));
}

fn plays(fleet: &Fleet) -> Playing {
    let world = Arc::new(fleet.world(Duration::from_secs(5)));
    let style = Style { pause: Duration::ZERO, ..Style::default() };
    Playing::start(&world, style, PAIRS, 1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restarts_of_the_database_lose_nothing() {
    let cluster = Cluster::start(&[]);
    let fleet = Fleet::of_three("restart", &cluster).await;
    let playing = plays(&fleet);
    for _ in 0..3 {
        playing.some_more(4).await;
        control(&cluster, &["restart", "-m", "immediate"]);
    }
    playing.some_more(4).await;
    let report = fleet.check(playing.end().await).await;
    report.assert_faultless();
}

/// The nodes follow a failover by themselves.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_loses_nothing() {
    let primary = Cluster::start(&[]);
    let database = primary.database().await;
    let standby = primary.standby();
    let set = "ALTER SYSTEM SET synchronous_standby_names = '*'".to_owned();
    primary.execute("postgres", set).await;
    control(&primary, &["reload"]);
    let synced = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    waits_until(&database, synced).await;
    let fleet = Fleet::start("failover", &[&primary, &standby], &database, 3, |_, _| {}).await;
    let playing = plays(&fleet);
    playing.some_more(6).await;
    control(&primary, &["stop", "-m", "immediate"]);
    control(&standby, &["promote"]);
    playing.some_more(6).await;
    let report = fleet.check(playing.end().await).await;
    report.assert_faultless();
}

/// The control: if the database acknowledges before it has saved, the checker notices what is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_synchronous_commits_a_restart_loses_moves() {
    // Otherwise a background process may be fast enough to write them.
    let cluster = Cluster::start(&["wal_writer_delay = 10s"]);
    after_a_restart(&cluster, "on").await.assert_faultless();
    // It may write them just before the restart, but not three times.
    let mut lost = 0;
    for _ in 0..3 {
        lost += after_a_restart(&cluster, "off").await.count(Fault::Lost);
    }
    assert!(lost > 0);
}

/// Makes some moves, restarts the database, and checks what it still has.
async fn after_a_restart(cluster: &Cluster, synchronous_commit: &str) -> Report {
    let database = cluster.database().await;
    let careless =
        |_, start: &mut crate::support::Start| start.arguments.push("--unsafe-database".to_owned());
    let fleet = Fleet::start("careless-database", &[cluster], &database, 2, careless).await;
    let world = fleet.world(Duration::from_secs(60));
    let mut client = Client::new(&world, 1);
    let (id, tokens) = client.sets_up().await;
    let name = database.rsplit('/').next().unwrap();
    let set = format!("ALTER DATABASE {name} SET synchronous_commit = {synchronous_commit}");
    cluster.execute("postgres", set).await;
    for node in &fleet.nodes {
        // New connections have the setting.
        node.ways[0].cut();
    }
    for _ in 0..10 {
        moves(&mut client, &id, &tokens).await;
    }
    control(cluster, &["restart", "-m", "immediate"]);
    cluster.execute("postgres", format!("ALTER DATABASE {name} RESET ALL")).await;
    // Their memory would know more than the database.
    for node in &fleet.nodes {
        node.kill();
        node.start_again();
    }
    let rounds = vec![Round { id, commands: client.commands, reads: client.reads, ..Round::default() }];
    fleet.check(rounds).await
}
