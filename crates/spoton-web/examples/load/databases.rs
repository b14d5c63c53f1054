//! Compares one server on SQLite with one and three on PostgreSQL, in one run on one machine. The players of a round use
//! different servers, if there are several.

use std::time::Duration;

use super::cluster::{Cluster, command};
use super::server::{Server, processor_times};
use super::{Arguments, Failure, Measured, commit_time, measure, part, raise_file_limit, say};

/// Clients of pgbench, which commit at the same time: one, and as many as a busy server has commands in a batch.
const CLIENTS: [u32; 2] = [1, 16];

/// The smallest transaction that must reach the disk.
const SCRIPT: &str = "INSERT INTO committed (text) VALUES (repeat('x', 200));\n";

pub async fn compare(arguments: &Arguments) -> Result<bool, Failure> {
    raise_file_limit(4 * arguments.rounds_at_once)?;
    let cluster = Cluster::start(&[]);
    let mut is_good = true;
    say(&format!("{} concurrent rounds, {} s each", arguments.rounds_at_once, arguments.seconds))?;
    say("                       moves/s  seen p50    p99  server µs/move  database µs/move  errors")?;
    for (name, nodes) in [("1 server, SQLite", 0), ("1 server, PostgreSQL", 1), ("3 servers, PostgreSQL", 3)]
    {
        let measured = match nodes {
            0 => measure(arguments, &[Server::start(arguments, None)?], || Ok(Duration::ZERO)).await?,
            _ => {
                let data = cluster.database().await;
                let start = |_| Server::start(arguments, Some(&data));
                let servers = (0..nodes).map(start).collect::<Result<Vec<Server>, Failure>>()?;
                measure(arguments, &servers, || time_of_database(&cluster)).await?
            }
        };
        is_good &= measured.is_good();
        say(&line(name, &measured))?;
        for (error, count) in &measured.errors {
            say(&format!("  {count} times: {error}"))?;
        }
    }
    let database = cluster.database().await;
    let name = database.rsplit('/').next().unwrap_or_default();
    cluster.execute(name, "CREATE TABLE committed (id bigserial PRIMARY KEY, text text)".to_owned()).await;
    for clients in CLIENTS {
        let a_second = pgbench(&cluster, name, clients, arguments.seconds)?;
        say(&format!("pgbench, {clients} at a time: {a_second:.0} commits per second"))?;
    }
    say(&format!("a single write to disk: {:.2} ms", commit_time()?))?;
    Ok(is_good)
}

fn line(name: &str, measured: &Measured) -> String {
    format!(
        "{name:<22} {:>7.0} {:>6.1} ms {:>4.0} ms {:>15.0} {:>17.0} {:>7}",
        measured.a_second(),
        part(&measured.seen, 0.5),
        part(&measured.seen, 0.99),
        measured.a_move(measured.spent),
        measured.a_move(measured.spent_elsewhere),
        measured.errors()
    )
}

/// Returns the processor time of the database's processes, those that have ended included.
fn time_of_database(cluster: &Cluster) -> Result<Duration, Failure> {
    let file = std::fs::read_to_string(cluster.data().join("postmaster.pid"))?;
    let server: u32 = file.lines().next().unwrap_or_default().trim().parse()?;
    let mut sum = processor_times(server)?.into_iter().sum::<Duration>();
    for child in std::fs::read_to_string(format!("/proc/{server}/task/{server}/children"))?.split_whitespace()
    {
        // It may have just ended.
        let times = processor_times(child.parse()?).unwrap_or_default();
        sum += times.into_iter().sum::<Duration>();
    }
    Ok(sum)
}

/// Runs pgbench, which comes with PostgreSQL, and returns its commits per second.
fn pgbench(cluster: &Cluster, database: &str, clients: u32, seconds: u64) -> Result<f64, Failure> {
    let script = cluster.folder().join("commit.sql");
    std::fs::write(&script, SCRIPT)?;
    let mut bench = command("pgbench");
    bench.args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--username=spoton", "--host"]);
    bench.arg(cluster.folder()).arg(format!("--client={clients}")).arg(format!("--time={seconds}"));
    let ran = bench.arg("--file").arg(script).arg(database).output()?;
    let told = String::from_utf8_lossy(&ran.stdout);
    let a_second = told.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    a_second.ok_or_else(|| format!("pgbench failed: {}", String::from_utf8_lossy(&ran.stderr)).into())
}
