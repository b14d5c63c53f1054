//! Several nodes on one database, each behind a proxy that can fail.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value as Json;
use sqlx::{Connection, PgConnection, Row};

use crate::client::{Got, World};
use crate::cluster::Cluster;
use crate::history::{Report, Round};
use crate::nginx::free_port;
use crate::proxy::Proxy;
use crate::support::{PATIENCE, Program, Start, ask};

/// A node with its proxies to the database's servers.
pub struct Node {
    program: Mutex<Program>,
    /// The database as the node sees it.
    pub data: String,
    pub address: String,
    pub admin: String,
    pub ways: Vec<Proxy>,
}

/// Several nodes.
pub struct Fleet {
    pub nodes: Vec<Node>,
    name: &'static str,
    /// The database without proxies, at its first server.
    pub database: String,
    /// The same at each server.
    servers: Vec<String>,
}

/// Changes how a node starts, given its place.
pub type Changes = fn(usize, &mut Start);

impl Fleet {
    /// Starts nodes on a database that these servers have.
    pub async fn start(
        name: &'static str,
        servers: &[&Cluster],
        database: &str,
        nodes: usize,
        changes: Changes,
    ) -> Fleet {
        let name_of_database = database.rsplit('/').next().unwrap();
        let servers_of_it = servers.iter().map(|server| server.address(name_of_database)).collect();
        let database = database.to_owned();
        let mut fleet = Fleet { nodes: vec![], name, database, servers: servers_of_it };
        for place in 0..nodes {
            let mut ways = Vec::new();
            for server in servers {
                ways.push(Proxy::start(server.folder().join(".s.PGSQL.5432")).await);
            }
            let places: Vec<&str> = ways.iter().map(|way| way.address.as_str()).collect();
            let mut start = Start::new(&format!("nodes-{name}-{place}"));
            let data = format!("postgres://spoton@{}/{name_of_database}?sslmode=disable", places.join(","));
            start.data = data.clone().into();
            // A restarted node has the same address.
            let port = free_port();
            let (address, admin) = (format!("127.0.0.1:{port}"), format!("127.0.0.1:{}", port + 10_000));
            start.listen.clone_from(&address);
            start.arguments.extend(["--admin-listen".to_owned(), admin.clone()]);
            changes(place, &mut start);
            let program = tokio::task::spawn_blocking(|| Program::with(start)).await.unwrap();
            fleet.nodes.push(Node { program: Mutex::new(program), data, address, admin, ways });
        }
        fleet
    }

    /// Starts three nodes on a new database of one server.
    pub async fn of_three(name: &'static str, server: &Cluster) -> Fleet {
        let database = server.database().await;
        Fleet::start(name, &[server], &database, 3, |_, _| {}).await
    }

    /// Lets clients ask all nodes.
    pub fn world(&self, patience: Duration) -> World {
        World::new(self.nodes.iter().map(|node| node.address.clone()).collect(), patience)
    }

    /// Lets patient clients ask some nodes.
    pub fn world_of(&self, nodes: &[&Node]) -> World {
        World::new(nodes.iter().map(|node| node.address.clone()).collect(), PATIENCE)
    }

    /// Connects to the server that takes writes, and returns the database there too.
    async fn connection(&self) -> (PgConnection, &str) {
        for database in &self.servers {
            if let Ok(mut connection) = PgConnection::connect(database).await {
                let is_standby = sqlx::query_scalar::<_, bool>("SELECT pg_is_in_recovery()");
                if !is_standby.fetch_one(&mut connection).await.unwrap() {
                    return (connection, database);
                }
            }
        }
        panic!("no server takes writes");
    }

    /// Returns the sum of a metric over all nodes.
    pub async fn metric(&self, name: &str) -> i64 {
        let mut sum = 0;
        for node in &self.nodes {
            sum += node.metric(name).await;
        }
        sum
    }

    /// Adds the logs, and what each node shows of them, to rounds. The logs come from a node that has just started.
    pub async fn check(&self, mut rounds: Vec<Round>) -> Report {
        let (mut connection, database) = self.connection().await;
        let mut start = Start::new(&format!("nodes-{}-fresh", self.name));
        start.data = database.into();
        let fresh = tokio::task::spawn_blocking(|| Program::with(start)).await.unwrap();
        let world = World::new(vec![], PATIENCE);
        for round in &mut rounds {
            round.log = log(&world, &fresh.address, &round.id).await;
            for node in &self.nodes {
                round.seen.push(log(&world, &node.address, &round.id).await);
            }
        }
        // The node reads what the database has.
        let counts = "SELECT (SELECT count(*) FROM spoton.sitting), (SELECT count(*) FROM spoton.event)";
        let counts = sqlx::query(counts).fetch_one(&mut connection).await.unwrap();
        let known = rounds.iter().map(|round| round.log.len() as i64).sum::<i64>();
        assert_eq!(counts.get::<i64, _>(0), rounds.len() as i64, "every round in the database is known");
        assert_eq!(counts.get::<i64, _>(1), known);
        Report::of(&rounds)
    }
}

/// Waits until a query in a database counts something.
pub async fn waits_until(database: &str, count: &'static str) {
    let mut connection = PgConnection::connect(database).await.unwrap();
    let counts = async {
        while sqlx::query_scalar::<_, i64>(count).fetch_one(&mut connection).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, counts).await.unwrap_or_else(|_| panic!("never: {count}"));
}

/// Returns the events of a round that a node shows; none if it can't show the round.
async fn log(world: &World, door: &str, id: &str) -> Vec<Json> {
    let path = format!("/api/v1/rounds/{id}/events?after=0&wait=0");
    let begun = Instant::now();
    loop {
        match world.ask(door, "GET", &path, "", "").await {
            Got::Answer(answer) if answer.status == 200 => {
                return answer.json()["events"].as_array().unwrap().clone();
            }
            Got::Answer(answer) if answer.status != 503 => return vec![],
            _ => assert!(begun.elapsed() < PATIENCE, "a node doesn't show a round"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Node {
    fn program(&self) -> MutexGuard<'_, Program> {
        self.program.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn kill(&self) {
        self.program().kill();
    }

    /// Starts it again after its end, with the same address.
    pub fn start_again(&self) {
        tokio::task::block_in_place(|| self.program().start_again());
    }

    pub fn freeze(&self) {
        self.program().signal(Signal::STOP);
    }

    pub fn thaw(&self) {
        self.program().signal(Signal::CONT);
    }

    /// Shuts it down and waits for its end.
    pub fn shut_down(&self) {
        self.program().signal(Signal::TERM);
        let status = tokio::task::block_in_place(|| self.program().ends());
        assert!(status.success(), "{status}: {}", self.log());
    }

    pub fn log(&self) -> String {
        self.program().log()
    }

    /// Waits until `/readyz` answers this.
    pub async fn becomes(&self, status: u16) {
        let begun = Instant::now();
        loop {
            let answer = ask(&self.admin, "GET", "/readyz", "", "").await;
            if answer.is_some_and(|answer| answer.status == status) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "/readyz never answers {status}: {}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Returns one of its metrics.
    pub async fn metric(&self, name: &str) -> i64 {
        let metrics = ask(&self.admin, "GET", "/metrics", "", "").await.unwrap().body;
        let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("{name} isn't in {metrics}")).parse().unwrap()
    }
}
