//! A load client: whole rounds over HTTP between two players, each with a separate connection and stream, against a
//! running server or one that it starts. A move counts when the opponent has seen it. Prints moves per second, their
//! latency, the server's processor time per move, and all errors.
//!
//!     cargo build --release -p spoton-web --bin spoton-web --example load
//!     target/release/examples/load --rounds-at-once 500
//!     target/release/examples/load --idle-streams 10000
//!     target/release/examples/load --alongside 100
//!     target/release/examples/load --databases
//!
//! If you start the server yourself, raise its limits: `--limit new-of-an-address=1000000
//! --limit commands-of-a-seat=1000000 --limit commands-at-once=1000000 --limit streams-of-an-address=1000000
//! --limit connections-of-an-address=1000000 --limit commands-of-an-address=1000000000
//! --limit new-bytes-of-an-address=4000000000`.

mod alongside;
#[cfg(all(unix, feature = "postgres"))]
#[path = "../../tests/fixtures/cluster/mod.rs"]
#[allow(dead_code, reason = "tests need more of it")]
mod cluster;
mod connection;
#[cfg(all(unix, feature = "postgres"))]
mod databases;
mod server;
#[path = "../../tests/fixtures/slow/mod.rs"]
mod slow_books;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value as Json, json};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use connection::Connection;
use server::Server;

/// Load-test spoton-web with many concurrent rounds
#[derive(Parser, Debug)]
struct Arguments {
    /// Address of a running server, such as 127.0.0.1:8080; starts one by default
    #[arg(long, requires = "pid")]
    server: Option<String>,

    /// Process id of that server, for its processor time and memory
    #[arg(long)]
    pid: Option<u32>,

    /// Server to start; by default the one next to this program
    #[arg(long)]
    program: Option<PathBuf>,

    /// Concurrent rounds
    #[arg(long, default_value_t = 50)]
    rounds_at_once: usize,

    /// Seconds to play, after all rounds have started plus two seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// Core for the server started here
    #[arg(long)]
    server_core: Option<usize>,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,

    /// Open this many idle streams instead and measure their cost
    #[arg(long)]
    idle_streams: Option<usize>,

    /// Instead, time Play now and a computer's move, alone and next to this many connections that send the worst known
    /// books, checks, days and new rounds
    #[arg(long)]
    alongside: Option<usize>,

    /// Instead, compare one server on SQLite, one on PostgreSQL and three on PostgreSQL, started here
    #[cfg(all(unix, feature = "postgres"))]
    #[arg(long)]
    databases: bool,

    /// Game; long rounds need fewer starts
    #[arg(long, default_value = "number-maze")]
    game: String,

    /// Target
    #[arg(long, default_value_t = 200)]
    target: u64,
}

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    #[cfg(all(unix, feature = "postgres"))]
    if arguments.databases {
        return ended(databases::compare(&arguments).await);
    }
    ended(match (arguments.idle_streams, arguments.alongside) {
        (Some(count), _) => idle(&arguments, count).await,
        (None, Some(count)) => alongside::compare(&arguments, count).await,
        (None, None) => play(&arguments).await,
    })
}

fn ended(done: Result<bool, Failure>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn say(line: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// Every connection needs a file descriptor.
fn raise_file_limit(wanted: usize) -> Result<(), Failure> {
    let limit = getrlimit(Resource::Nofile);
    let wanted = wanted as u64 + 100;
    match limit.maximum {
        Some(most) if most < wanted => Err(format!(
            "this needs {wanted} open files, but the limit is {most}; raise it: ulimit -n {wanted}"
        )
        .into()),
        _ => Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?),
    }
}

fn text(json: &Json) -> Result<String, Failure> {
    Ok(json.as_str().ok_or_else(|| format!("{json} isn't text"))?.to_owned())
}

/// Creates a table for two programs. Returns its id and their tokens.
async fn set(
    connection: &mut Connection,
    arguments: &Arguments,
) -> Result<(String, [String; 2], Json), Failure> {
    let asked = json!({ "game": arguments.game, "target": arguments.target });
    let (status, set) = connection.post("/rounds", "", &asked).await?;
    if status != 201 {
        return Err(format!("a new round got status {status}: {}", set["detail"]).into());
    }
    let id = text(&set["id"])?;
    let secret = json!({ "secret": set["invitation"]["secret"] });
    let (status, taken) = connection.post(&format!("/rounds/{id}/seats"), "", &secret).await?;
    if status != 200 {
        return Err(format!("joining got status {status}: {}", taken["detail"]).into());
    }
    Ok((id, [text(&set["tokens"]["1"])?, text(&taken["token"])?], taken["state"].clone()))
}

/// A pair's results.
#[derive(Default)]
struct PairResults {
    answered: Vec<Duration>,
    seen: Vec<Duration>,
    errors: BTreeMap<String, u64>,
    rounds: u64,
}

impl PairResults {
    fn add(&mut self, other: PairResults) {
        self.answered.extend(other.answered);
        self.seen.extend(other.seen);
        self.rounds += other.rounds;
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
    }
}

/// The test's phase.
#[derive(Clone, Copy, PartialEq)]
enum Time {
    /// Rounds start, but nothing is measured yet.
    WarmUp,
    /// Moves count from now on.
    Counts,
    Over,
}

/// Timeout until all rounds have started.
const TIME_TO_BEGIN: Duration = Duration::from_secs(120);

/// Two players who play rounds until time is up.
struct Pair {
    /// Each player's server.
    addresses: [String; 2],
    arguments: Arc<Arguments>,
    time: watch::Receiver<Time>,
    /// Notified once, when the first round has started.
    begun: Option<mpsc::Sender<()>>,
    results: PairResults,
}

impl Pair {
    async fn play(mut self) -> PairResults {
        while !self.is_over() {
            match self.round().await {
                Ok(()) => self.results.rounds += 1,
                Err(error) => {
                    *self.results.errors.entry(error.to_string()).or_default() += 1;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
        self.results
    }

    fn is_over(&self) -> bool {
        *self.time.borrow() == Time::Over
    }

    async fn round(&mut self) -> Result<(), Failure> {
        let [one, two] = &self.addresses;
        let mut own = Connection::open(one).await?;
        let (id, tokens, mut state) = set(&mut own, &self.arguments).await?;
        let mut connections = [own, Connection::open(two).await?];
        let mut streams = [
            Connection::listen(one, &id, &tokens[0]).await?,
            Connection::listen(two, &id, &tokens[1]).await?,
        ];
        let path = format!("/rounds/{id}/moves");
        while state["outcome"].is_null() && !self.is_over() {
            let mover = match state["turn"].as_u64() {
                Some(1) => 0,
                Some(2) => 1,
                _ => return Err("it's nobody's turn".into()),
            };
            let asked = json!({ "move": state["legal"][0], "expected_seq": state["seq"] });
            let counts = *self.time.borrow() == Time::Counts;
            let sent = Instant::now();
            let (status, mut answer) = connections[mover].post(&path, &tokens[mover], &asked).await?;
            let answered = sent.elapsed();
            if status != 200 {
                return Err(format!("a move got status {status}: {}", answer["detail"]).into());
            }
            streams[1 - mover].hear(answer["seq"].as_u64().ok_or("the answer has no seq")?).await?;
            if counts {
                self.results.answered.push(answered);
                self.results.seen.push(sent.elapsed());
            }
            state = answer["state"].take();
            if let Some(begun) = self.begun.take() {
                begun.send(()).await?;
            }
        }
        Ok(())
    }
}

/// Returns a percentile in milliseconds.
fn part(sorted: &[Duration], share: f64) -> f64 {
    let place = (sorted.len() as f64 * share) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default().as_secs_f64() * 1e3
}

/// Returns the median time of a write to the server's data disk, in milliseconds, without other load.
fn commit_time() -> Result<f64, Failure> {
    let path = std::env::temp_dir().join(format!("spoton-load-{}.commit", std::process::id()));
    let mut file = std::fs::File::create(&path)?;
    let mut times = Vec::new();
    for _ in 0..100 {
        let begun = Instant::now();
        file.write_all(&[1; 4096])?;
        file.sync_data()?;
        times.push(begun.elapsed());
    }
    std::fs::remove_file(path)?;
    times.sort();
    Ok(part(&times, 0.5))
}

/// The measurements. The times are sorted.
struct Measured {
    answered: Vec<Duration>,
    seen: Vec<Duration>,
    rounds: u64,
    errors: BTreeMap<String, u64>,
    lasted: Duration,
    /// The processor time of all servers, and of something else.
    spent: Duration,
    spent_elsewhere: Duration,
}

impl Measured {
    fn a_second(&self) -> f64 {
        self.seen.len() as f64 / self.lasted.as_secs_f64()
    }

    /// Returns microseconds per move.
    fn a_move(&self, spent: Duration) -> f64 {
        spent.as_secs_f64() * 1e6 / self.seen.len().max(1) as f64
    }

    fn errors(&self) -> u64 {
        self.errors.values().sum()
    }

    fn is_good(&self) -> bool {
        self.errors() == 0 && !self.seen.is_empty()
    }
}

/// Plays rounds and measures. If there are several servers, the players of a round use different ones.
async fn measure(
    arguments: &Arguments,
    servers: &[Server],
    elsewhere: impl Fn() -> Result<Duration, Failure>,
) -> Result<Measured, Failure> {
    let (tell_time, time) = watch::channel(Time::WarmUp);
    let (begun, mut have_begun) = mpsc::channel(1);
    let shared = Arc::new(Arguments::parse());
    let mut pairs = JoinSet::new();
    for number in 0..arguments.rounds_at_once {
        let address = |player: usize| servers[(number + player) % servers.len()].address.clone();
        let pair = Pair {
            addresses: [address(0), address(1)],
            arguments: Arc::clone(&shared),
            time: time.clone(),
            begun: Some(begun.clone()),
            results: PairResults::default(),
        };
        pairs.spawn(pair.play());
    }
    let all_begin = async {
        for _ in 0..arguments.rounds_at_once {
            have_begun.recv().await;
        }
    };
    let all_begun = tokio::time::timeout(TIME_TO_BEGIN, all_begin).await.is_ok();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let of_servers = || servers.iter().map(Server::processor_time).sum::<Result<Duration, Failure>>();
    let (before, before_elsewhere, counted_from) = (of_servers()?, elsewhere()?, Instant::now());
    tell_time.send(Time::Counts)?;
    tokio::time::sleep(Duration::from_secs(arguments.seconds)).await;
    tell_time.send(Time::Over)?;
    let lasted = counted_from.elapsed();
    let (spent, spent_elsewhere) = (of_servers()? - before, elsewhere()? - before_elsewhere);
    let mut all = PairResults::default();
    for results in pairs.join_all().await {
        all.add(results);
    }
    if !all_begun {
        *all.errors.entry("not all rounds started".to_owned()).or_default() += 1;
    }
    all.answered.sort();
    all.seen.sort();
    let PairResults { answered, seen, errors, rounds } = all;
    Ok(Measured { answered, seen, rounds, errors, lasted, spent, spent_elsewhere })
}

async fn play(arguments: &Arguments) -> Result<bool, Failure> {
    raise_file_limit(4 * arguments.rounds_at_once)?;
    let commit = commit_time()?;
    let servers = [Server::find(arguments)?];
    let all = measure(arguments, &servers, || Ok(Duration::ZERO)).await?;
    let memory = servers[0].memory()? as f64 / (1 << 20) as f64;
    let (errors, a_second, a_move) = (all.errors(), all.a_second(), all.a_move(all.spent));
    if arguments.json {
        let results = json!({
            "moves_a_second": a_second,
            "p50_ms": part(&all.seen, 0.5),
            "p99_ms": part(&all.seen, 0.99),
            "processor_us_a_move": a_move,
            "memory_mib": memory,
            "commit_ms": commit,
            "errors": errors,
        });
        say(&results.to_string())?;
        return Ok(all.is_good());
    }
    say(&format!(
        "{} concurrent rounds, {} s, {} rounds played",
        arguments.rounds_at_once, arguments.seconds, all.rounds
    ))?;
    say(&format!("{a_second:.0} moves per second"))?;
    let line = |name: &str, sorted: &[Duration]| {
        format!("{name}: p50 {:.2} ms, p99 {:.2} ms", part(sorted, 0.5), part(sorted, 0.99))
    };
    say(&line("answered and on disk", &all.answered))?;
    say(&line("seen by the opponent on a stream", &all.seen))?;
    say(&format!("a single write to disk: {commit:.2} ms"))?;
    say(&format!(
        "server's processor time: {a_move:.0} µs per move, {:.2} s in total",
        all.spent.as_secs_f64()
    ))?;
    say(&format!("server's memory: {memory:.1} MiB"))?;
    say(&format!("{errors} errors"))?;
    for (error, count) in &all.errors {
        say(&format!("  {count} times: {error}"))?;
    }
    Ok(all.is_good())
}

/// Opens very many idle streams, two per sitting, and measures their cost.
async fn idle(arguments: &Arguments, count: usize) -> Result<bool, Failure> {
    raise_file_limit(count)?;
    let server = Server::find(arguments)?;
    let mut connection = Connection::open(&server.address).await?;
    let mut ids = Vec::new();
    for _ in 0..count.div_ceil(2) {
        let (id, tokens, _) = set(&mut connection, arguments).await?;
        ids.push((id, tokens));
    }
    // Excludes the memory of the sittings themselves.
    let before = server.memory()?;
    let mut streams = Vec::with_capacity(count);
    for place in 0..count {
        let (id, tokens) = &ids[place / 2];
        streams.push(Connection::listen(&server.address, id, &tokens[place % 2]).await?);
    }
    let memory = server.memory()?.saturating_sub(before);
    let quiet = server.processor_time()?;
    tokio::time::sleep(Duration::from_secs(arguments.seconds)).await;
    let spent = server.processor_time()? - quiet;
    say(&format!("{count} streams open, on {} sittings", ids.len()))?;
    let all = server.memory()? as f64 / (1 << 20) as f64;
    let each = memory as f64 / 1024.0 / count.max(1) as f64;
    say(&format!("{each:.1} KiB of memory per stream; the server uses {all:.0} MiB in total"))?;
    let share = spent.as_secs_f64() / arguments.seconds.max(1) as f64 * 100.0;
    say(&format!("{share:.1}% of a processor while idle"))?;
    // A new client still gets an answer.
    set(&mut Connection::open(&server.address).await?, arguments).await?;
    Ok(streams.len() == count)
}
