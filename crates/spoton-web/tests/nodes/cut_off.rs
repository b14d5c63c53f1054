//! M3: a node without its database refuses, the others play, and all is well when the database is back.

use std::time::Duration;

use sqlx::{Connection, PgConnection};
use tokio::sync::watch;

use crate::client::{Client, Got, Order, tick};
use crate::cluster::Cluster;
use crate::fleet::Fleet;
use crate::history::{Outcome, Round};
use crate::proxy::Way;
use crate::random::Random;
use crate::stream::{ReconnectsAfter, follow};
use crate::support::PATIENCE;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_without_its_database_refuses_and_recovers() {
    let fleet = Fleet::of_three("cut-off", Cluster::shared()).await;
    let [cut, others @ ..] = &fleet.nodes[..] else { unreachable!() };
    let only_cut = fleet.world_of(&[cut]);
    let only_others = fleet.world_of(&others.iter().collect::<Vec<_>>());
    let mut client = Client::new(&only_others, 1);
    let (id, tokens) = client.sets_up().await;
    let (seen, mut told) = watch::channel(0);
    let most = client.knows + 8;
    let follows = follow(&only_cut, Random::new(2), &id, most, ReconnectsAfter::Silence(PATIENCE), seen);
    let plays = async {
        for bad in [Way::Silent, Way::Cut] {
            moves(&mut client, &id, &tokens).await;
            told.wait_for(|seen| *seen >= client.knows).await.unwrap();
            let mut plain = PgConnection::connect(&cut.data).await.unwrap();
            cut.ways[0].set(bad);
            let query = async move { sqlx::query("SELECT 1").execute(&mut plain).await.is_ok() };
            let without_deadline = tokio::spawn(query);
            // Nothing passes.
            let outside = PgConnection::connect(&cut.data);
            let outside = tokio::time::timeout(Duration::from_millis(500), outside).await;
            assert!(!matches!(outside, Ok(Ok(_))), "{bad:?}");
            // The answer comes while the database is still away.
            let order = next_move(&mut client, &id, &tokens).await;
            let sent = tick();
            let Got::Answer(refused) = only_cut.give(&cut.address, &order).await else { panic!("no answer") };
            assert!(refused.status == 503 && refused.says_when(), "{refused:?}");
            let looked = only_cut.ask(&cut.address, "GET", &format!("/r/{id}"), "", "").await;
            assert!(matches!(looked, Got::Answer(answer) if answer.status == 503), "a page may be old");
            cut.becomes(503).await;
            // The control: without a deadline, the node would still wait.
            assert!(bad == Way::Cut || !without_deadline.is_finished());
            let is_known = !refused.body.contains("same key");
            if is_known {
                client.commands.push(order.became(sent, tick(), Outcome::Refused(503), false));
            }
            moves(&mut client, &id, &tokens).await;
            cut.ways[0].set(Way::Open);
            assert_eq!(without_deadline.await.unwrap(), bad == Way::Silent);
            cut.becomes(200).await;
            if !is_known {
                client.settle(&order).await;
            }
            // The node that was cut off knows everything that happened meanwhile.
            let order = next_move(&mut client, &id, &tokens).await;
            let mut of_cut = Client::new(&only_cut, 3);
            of_cut.does(&order).await;
            client.knows = of_cut.knows;
            client.commands.append(&mut of_cut.commands);
        }
        while client.knows < most {
            moves(&mut client, &id, &tokens).await;
        }
    };
    let ((), streamed) = tokio::join!(plays, follows);
    let (commands, reads) = (client.commands, client.reads);
    let rounds = vec![Round { id, commands, reads, seen: vec![streamed], log: vec![] }];
    fleet.check(rounds).await.assert_faultless();
}

/// Returns the current player's next move.
pub async fn next_move(client: &mut Client<'_>, id: &str, tokens: &[String; 2]) -> Order {
    let state = client.read(id).await;
    let (player, seq) = (state["turn"].as_u64().unwrap(), state["seq"].as_u64().unwrap());
    Order::a_move(id, &tokens[player as usize - 1], player, "+1", seq)
}

/// Makes a move through any of the client's nodes.
pub async fn moves(client: &mut Client<'_>, id: &str, tokens: &[String; 2]) {
    let order = next_move(client, id, tokens).await;
    client.does(&order).await;
}
