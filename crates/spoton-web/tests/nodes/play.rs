//! Rounds between two players who each use any node, with followers on other nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::client::{Client, Order, World};
use crate::history::Round;
use crate::random::Random;
use crate::stream::{ReconnectsAfter, follow};
use crate::support::PATIENCE;

/// How rounds are played.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub moves: u64,
    /// How the players' streams reconnect, and those of a client that only watches.
    pub players: ReconnectsAfter,
    pub watcher: ReconnectsAfter,
    /// The longest pause before a move.
    pub pause: Duration,
}

impl Default for Style {
    fn default() -> Style {
        // A frozen node's stream is silent, and a heartbeat every 15 seconds is too rare for a test.
        let silence = ReconnectsAfter::Silence(Duration::from_secs(3));
        Style { moves: 8, players: silence, watcher: silence, pause: Duration::from_millis(20) }
    }
}

/// Events before the first move: the round is created, and the seat is taken.
const BEFORE: u64 = 2;

/// Plays a round to its last move.
pub async fn round(world: &World, style: Style, seed: u64) -> Round {
    let mut host = Client::new(world, 4 * seed + 1);
    let mut guest = Client::new(world, 4 * seed + 2);
    let (id, [one, two]) = host.sets_up().await;
    guest.knows = host.knows;
    let last = BEFORE + style.moves;
    let follows = |reconnects, seed: u64| {
        let (seen, told) = watch::channel(0);
        (follow(world, Random::new(seed), &id, last, reconnects, seen), told)
    };
    let (of_host, host_sees) = follows(style.players, 8 * seed + 3);
    let (of_guest, guest_sees) = follows(style.players, 8 * seed + 4);
    let (of_watcher, _sees) = follows(style.watcher, 8 * seed + 5);
    let (_, _, host_saw, guest_saw, watcher_saw) = tokio::join!(
        plays(&mut host, &id, &one, 1, last, host_sees, style),
        plays(&mut guest, &id, &two, 2, last, guest_sees, style),
        of_host,
        of_guest,
        of_watcher
    );
    let mut commands = host.commands;
    commands.extend(guest.commands);
    let mut reads = host.reads;
    reads.extend(guest.reads);
    Round { id, commands, reads, seen: vec![host_saw, guest_saw, watcher_saw], log: vec![] }
}

/// Makes one player's moves. Between them only the stream shows the other player's.
async fn plays(
    client: &mut Client<'_>,
    id: &str,
    token: &str,
    player: u64,
    last: u64,
    mut stream: watch::Receiver<u64>,
    style: Style,
) {
    loop {
        let state = client.read(id).await;
        let seq = state["seq"].as_u64().unwrap();
        if seq >= last {
            return;
        }
        if state["turn"] != player {
            let news = tokio::time::timeout(PATIENCE, stream.wait_for(|seen| *seen > seq)).await;
            let seen = *news.expect("the stream shows the other player's move").expect("the stream goes on");
            client.knows = client.knows.max(seen);
            continue;
        }
        let pause = client.random.below(1 + style.pause.as_millis() as u64);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        let legal = state["legal"].as_array().unwrap();
        let [first, second] = [(); 2].map(|()| {
            let chosen = &legal[client.random.below(legal.len() as u64) as usize];
            Order::a_move(id, token, player, chosen.as_str().unwrap(), seq)
        });
        match client.random.below(6) {
            // Two tabs are faster than one.
            0 => client.send_together([first, second]).await,
            // Sends it again, although it was answered.
            1 => {
                for _ in 0..2 {
                    client.send(&first).await;
                }
            }
            _ => drop(client.send(&first).await),
        }
    }
}

/// Rounds that are played while something happens.
pub struct Playing {
    rounds: JoinSet<Vec<Round>>,
    stop: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
}

impl Playing {
    /// Starts pairs who play round after round, at least a number of them in total.
    pub fn start(world: &Arc<World>, style: Style, pairs: u64, least: u64) -> Playing {
        let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let begun = Arc::new(AtomicU64::new(0));
        let mut rounds = JoinSet::new();
        for _ in 0..pairs {
            let (world, stop) = (Arc::clone(world), Arc::clone(&stop));
            let (begun, done) = (Arc::clone(&begun), Arc::clone(&done));
            rounds.spawn(async move {
                let mut played = Vec::new();
                loop {
                    let number = begun.fetch_add(1, Ordering::SeqCst);
                    if number >= least && stop.load(Ordering::SeqCst) {
                        return played;
                    }
                    played.push(round(&world, style, number).await);
                    done.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        Playing { rounds, stop, done }
    }

    /// Returns how many rounds have ended.
    pub fn count(&self) -> u64 {
        self.done.load(Ordering::SeqCst)
    }

    /// Waits until this many more rounds have ended.
    pub async fn some_more(&self, rounds: u64) {
        let wanted = self.count() + rounds;
        let enough = async {
            while self.count() < wanted {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, enough).await.expect("rounds are played");
    }

    /// Ends the last rounds and returns all.
    pub async fn end(mut self) -> Vec<Round> {
        self.stop.store(true, Ordering::SeqCst);
        let mut rounds = Vec::new();
        while let Some(played) = self.rounds.join_next().await {
            rounds.extend(played.unwrap());
        }
        rounds
    }
}
