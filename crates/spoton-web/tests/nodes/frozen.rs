//! M4: a dead or frozen node stops nobody, and a thawed one writes nothing stale.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, PgConnection};

use crate::client::{Client, Got};
use crate::cluster::Cluster;
use crate::cut_off::{moves, next_move};
use crate::fleet::{Fleet, waits_until};
use crate::history::{Outcome, Round};
use crate::play::{Playing, Style};
use crate::random::Random;
use crate::stream::{ReconnectsAfter, follow};
use crate::support::PATIENCE;

/// The rest of the nodes continue every round, by the last event that each client saw.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_continue_without_a_node() {
    let fleet = Fleet::of_three("dead", Cluster::shared()).await;
    let world = Arc::new(fleet.world(Duration::from_secs(1)));
    // Short rounds: a client that asks the frozen node waits in vain, again and again.
    let playing = Playing::start(&world, Style { moves: 4, ..Style::default() }, 4, 1);
    playing.some_more(2).await;
    fleet.nodes[0].kill();
    playing.some_more(2).await;
    fleet.nodes[1].freeze();
    playing.some_more(2).await;
    fleet.nodes[1].thaw();
    fleet.nodes[0].start_again();
    playing.some_more(2).await;
    let report = fleet.check(playing.end().await).await;
    report.assert_faultless();
}

/// A node freezes in the middle of a transaction. It knows nothing of what the others do, until it continues.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thawed_node_writes_nothing_stale() {
    let fleet = Fleet::of_three("frozen", Cluster::shared()).await;
    let [frozen, others @ ..] = &fleet.nodes[..] else { unreachable!() };
    let only_frozen = fleet.world_of(&[frozen]);
    let only_others = fleet.world_of(&others.iter().collect::<Vec<_>>());
    let mut client = Client::new(&only_others, 1);
    let (id, tokens) = client.sets_up().await;
    // The node knows the round.
    let mut of_frozen = Client::new(&only_frozen, 2);
    of_frozen.knows = client.knows;
    moves(&mut of_frozen, &id, &tokens).await;
    client.knows = of_frozen.knows;
    client.commands.append(&mut of_frozen.commands);

    // Another transaction has the round's lock, and nothing ends it.
    let mut other = PgConnection::connect(&fleet.database).await.unwrap();
    let mut transaction = other.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM spoton.sitting FOR UPDATE").execute(&mut *transaction).await.unwrap();
    // The control: nobody can move until it ends.
    let order = next_move(&mut client, &id, &tokens).await;
    assert!(client.send(&order).await.is_none());
    let order = next_move(&mut client, &id, &tokens).await;
    let late = only_frozen.give(&frozen.address, &order);
    let meanwhile = async {
        let waits = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        waits_until(&fleet.database, waits).await;
        frozen.freeze();
        // From now on the frozen node has the lock, until the database ends its transaction.
        transaction.rollback().await.unwrap();
        client.settle(&order).await;
        for _ in 0..4 {
            moves(&mut client, &id, &tokens).await;
        }
        frozen.thaw();
    };
    let (late, ()) = tokio::join!(late, meanwhile);
    // The same key, the same answer; or the node doesn't know.
    let Got::Answer(late) = late else { panic!("the thawed node doesn't answer") };
    let acknowledged = client.commands.iter().rev().find(|command| command.key == order.key).unwrap();
    match late.status {
        200 => {
            let seq = late.json()["seq"].as_u64().unwrap();
            assert_eq!(acknowledged.outcome, Outcome::Acknowledged(seq));
        }
        status => assert_eq!(status, 503, "{late:?}"),
    }
    // It shows nothing old and refuses nothing because of it.
    of_frozen.knows = client.knows;
    moves(&mut of_frozen, &id, &tokens).await;
    let (seen, _) = tokio::sync::watch::channel(0);
    let silence = ReconnectsAfter::Silence(PATIENCE);
    let streamed = follow(&only_frozen, Random::new(3), &id, of_frozen.knows, silence, seen).await;
    let commands = [client.commands, of_frozen.commands].concat();
    let reads = [client.reads, of_frozen.reads].concat();
    let rounds = vec![Round { id, commands, reads, seen: vec![streamed], log: vec![] }];
    fleet.check(rounds).await.assert_faultless();
}
