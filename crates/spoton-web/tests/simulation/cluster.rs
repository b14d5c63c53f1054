//! The nodes, and what happens to them.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use spoton_web::app::app;
use spoton_web::ids::SittingId;
use spoton_web::limits::Limits;
use spoton_web::place::Place;
use spoton_web::tables::Tables;
use spoton_web::tables::writer::Planted;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::chance::{Chance, wait};
use crate::database::{Connection, Database};
use crate::trace::note;

const NODES: usize = 3;

/// A running node.
#[derive(Clone)]
pub struct Node {
    pub number: usize,
    pub tables: Tables,
    pub app: Router,
    connection: Connection,
    /// Everything that ends with it.
    tasks: Arc<Mutex<Vec<AbortHandle>>>,
    _stop: Arc<watch::Sender<bool>>,
}

impl Node {
    /// Runs something at this node; `None` if the node crashes before it's done.
    pub async fn run<T: Send + 'static>(&self, what: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let task = tokio::spawn(what);
        self.tasks().push(task.abort_handle());
        match task.await {
            Ok(done) => Some(done),
            Err(ended) if ended.is_panic() => resume_unwind(ended.into_panic()),
            Err(_) => None,
        }
    }

    fn tasks(&self) -> MutexGuard<'_, Vec<AbortHandle>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Cluster {
    pub database: Arc<Database>,
    planted: Planted,
    chance: Chance,
    nodes: Mutex<[Option<Node>; NODES]>,
    /// The sittings with a watcher, by node. Tokio wakes several watchers of a sitting in random order.
    watched: Mutex<BTreeSet<(usize, SittingId)>>,
    crashes: Mutex<u64>,
}

impl Cluster {
    pub fn start(database: Arc<Database>, planted: Planted, chance: Chance) -> Arc<Cluster> {
        let (nodes, watched, crashes) = (Mutex::default(), Mutex::default(), Mutex::default());
        let cluster = Arc::new(Cluster { database, planted, chance, nodes, watched, crashes });
        cluster.start_all();
        cluster
    }

    fn nodes(&self) -> MutexGuard<'_, [Option<Node>; NODES]> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_all(&self) {
        (0..NODES).for_each(|number| self.start_node(number));
    }

    /// Starts a node, unless it runs.
    fn start_node(&self, number: usize) {
        if self.nodes()[number].is_some() {
            return;
        }
        note!(self.database.trace, "node {number} starts");
        let connection =
            Connection::new(format!("node {number}"), Arc::clone(&self.database), self.chance.fork());
        // Rates use the real clock.
        let limits =
            Limits { commands_of_a_seat: 1_000_000, commands_at_once: 1_000_000, ..Limits::default() };
        let store = Arc::new(connection.clone());
        let (tables, writer) = Tables::open_planted(store, Duration::ZERO, limits, self.planted);
        let (stop, stopped) = watch::channel(false);
        let in_touch = tokio::spawn(tables.clone().keep_in_touch(stopped));
        let tasks = Arc::new(Mutex::new(vec![writer.abort_handle(), in_touch.abort_handle()]));
        let app = app(tables.clone(), Place::default());
        let node = Node { number, tables, app, connection, tasks, _stop: Arc::new(stop) };
        self.nodes()[number] = Some(node);
    }

    /// Kills a node in the middle of everything.
    fn crash(&self, number: usize) {
        let Some(node) = self.nodes()[number].take() else { return };
        note!(self.database.trace, "node {number} crashes");
        *self.crashes.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        node.connection.kill();
        node.tasks().iter().for_each(AbortHandle::abort);
    }

    pub fn crashes(&self) -> u64 {
        *self.crashes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all running nodes.
    pub fn running(&self) -> Vec<Node> {
        self.nodes().iter().flatten().cloned().collect()
    }

    /// Returns a random running node.
    pub fn any(&self, chance: &Chance) -> Option<Node> {
        chance.pick(&self.running()).cloned()
    }

    /// Reserves a random node for a watcher of a sitting.
    pub fn reserve(self: &Arc<Self>, chance: &Chance, id: SittingId) -> Option<(Node, Reserved)> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.running();
        free.retain(|node| !watched.contains(&(node.number, id)));
        let node = chance.pick(&free)?.clone();
        watched.insert((node.number, id));
        let place = (node.number, id);
        Some((node, Reserved { cluster: Arc::clone(self), place }))
    }

    /// Makes trouble.
    pub async fn trouble(self: Arc<Self>, chance: Chance) {
        loop {
            wait(chance.between(50, 1200)).await;
            let number = chance.below(NODES as u64) as usize;
            let later = chance.between(50, 3000);
            match chance.below(10) {
                0..4 => {
                    self.crash(number);
                    let cluster = Arc::clone(&self);
                    tokio::spawn(async move {
                        wait(later).await;
                        cluster.start_node(number);
                    });
                }
                4..6 => {
                    self.database.crash().await;
                    wait(later / 2).await;
                    self.database.start();
                }
                6..8 => {
                    let node = self.nodes()[number].clone();
                    if let Some(Node { connection, .. }) = node {
                        connection.cut();
                        tokio::spawn(async move {
                            wait(2 * later).await;
                            connection.mend();
                        });
                    }
                }
                _ => self.database.deafen(&chance),
            }
        }
    }

    /// Ends all trouble.
    pub fn heal(&self) {
        note!(self.database.trace, "the trouble ends");
        self.database.calm_down();
        self.running().iter().for_each(|node| node.connection.mend());
        self.start_all();
    }
}

/// A guard for a watcher's node.
pub struct Reserved {
    cluster: Arc<Cluster>,
    place: (usize, SittingId),
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.cluster.watched.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.place);
    }
}
