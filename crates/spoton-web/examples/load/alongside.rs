//! Measures the waiting times for Play now and a computer's move, alone and during the slowest known work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use super::connection::Connection;
use super::server::Server;
use super::{Arguments, Failure, part, say, slow_books, text};

/// How long the other connections run before the measurement.
const WARM_UP: Duration = Duration::from_secs(3);
/// Under load, players may wait at most this many times as long as alone.
const GOAL: f64 = 2.0;

/// Both waiting times, sorted.
struct Waits {
    play_now: Vec<Duration>,
    moves: Vec<Duration>,
}

pub async fn compare(arguments: &Arguments, others: usize) -> Result<bool, Failure> {
    let server = Server::find(arguments)?;
    let seconds = Duration::from_secs(arguments.seconds);
    let _ = measure(&server.address, WARM_UP).await?;
    let alone = measure(&server.address, seconds).await?;
    let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    // Built once: this program's own work would slow down the server.
    let checks = [slow_books::full_of_mistakes(), slow_books::full_of_variants()];
    let checks = Arc::new(checks.map(|book| json!({ "rulebook": book }).to_string()));
    let mut slow = JoinSet::new();
    for number in 0..others {
        let (address, stop, answered) = (server.address.clone(), Arc::clone(&stop), Arc::clone(&answered));
        let checks = Arc::clone(&checks);
        slow.spawn(async move {
            let mut turn = number;
            while !stop.load(Ordering::Relaxed) {
                // Reopens a closed connection.
                if let Ok(connection) = Connection::open(&address).await {
                    let _ = annoy(connection, &mut turn, &checks[..], &stop, &answered).await;
                }
            }
        });
    }
    tokio::time::sleep(WARM_UP).await;
    let alongside = measure(&server.address, seconds).await?;
    stop.store(true, Ordering::Relaxed);
    slow.abort_all();
    let count = answered.load(Ordering::Relaxed);
    say(&format!(
        "{others} connections sent the worst known books, checks, days and new rounds: {count} answers"
    ))?;
    let ratios = [
        compared("Play now", &alone.play_now, &alongside.play_now)?,
        compared("a computer's move", &alone.moves, &alongside.moves)?,
    ];
    Ok(ratios.into_iter().all(|ratio| ratio <= GOAL))
}

/// Prints both and returns the ratio of the 99th percentiles.
fn compared(what: &str, alone: &[Duration], alongside: &[Duration]) -> Result<f64, Failure> {
    let ratio = part(alongside, 0.99) / part(alone, 0.99);
    let line = |times: &[Duration]| {
        let (middle, most) = (part(times, 0.5), part(times, 0.99));
        format!("p50 {middle:.1} ms, p99 {most:.1} ms ({} times)", times.len())
    };
    say(&format!("{what}, alone: {}", line(alone)))?;
    say(&format!("{what}, alongside: {}", line(alongside)))?;
    say(&format!("{what}, p99: {ratio:.2} times as long"))?;
    Ok(ratio)
}

/// Runs a player who presses Play now and one who plays a computer, again and again.
async fn measure(address: &str, time: Duration) -> Result<Waits, Failure> {
    let until = Instant::now() + time;
    let (play_now, moves) = tokio::try_join!(play_now(address, until), moves(address, until))?;
    Ok(Waits { play_now, moves })
}

async fn play_now(address: &str, until: Instant) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    let mut connection = Connection::open(address).await?;
    let form = format!("origin: http://{address}\r\ncontent-type: application/x-www-form-urlencoded\r\n");
    while Instant::now() < until {
        // A new browser each time.
        let cookie = format!("cookie: seat={:052}\r\n", rand());
        let begun = Instant::now();
        let (status, _) = connection.ask("POST", "/new", &format!("{form}{cookie}"), "mode=now").await?;
        if status != 303 {
            return Err(format!("Play now got status {status}").into());
        }
        times.push(begun.elapsed());
    }
    times.sort();
    Ok(times)
}

/// Returns a number that no other call returns.
fn rand() -> u128 {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() * 1_000 + COUNT.fetch_add(1, Ordering::Relaxed) as u128 % 1_000
}

async fn moves(address: &str, until: Instant) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    let mut connection = Connection::open(address).await?;
    while Instant::now() < until {
        let asked = json!({ "game": "number-maze", "target": 200, "seats": ["me", "perfect"] });
        let (status, set) = connection.post("/rounds", "", &asked).await?;
        if status != 201 {
            return Err(format!("a new round got status {status}: {}", set["detail"]).into());
        }
        let (id, token) = (text(&set["id"])?, text(&set["tokens"]["1"])?);
        let mut stream = Connection::listen(address, &id, &token).await?;
        let mut state = set["state"].clone();
        while state["outcome"].is_null() && Instant::now() < until {
            let asked = json!({ "move": state["legal"][0], "expected_seq": state["seq"] });
            let begun = Instant::now();
            let (status, moved) = connection.post(&format!("/rounds/{id}/moves"), &token, &asked).await?;
            if status != 200 {
                return Err(format!("a move got status {status}: {}", moved["detail"]).into());
            }
            if !moved["state"]["outcome"].is_null() {
                break;
            }
            stream.hear(moved["seq"].as_u64().ok_or("the answer has no seq")? + 1).await?;
            times.push(begun.elapsed());
            let path = format!("/api/v1/rounds/{id}");
            let (_, body) = connection.ask("GET", &path, "", "").await?;
            state = serde_json::from_str(&body)?;
        }
    }
    times.sort();
    Ok(times)
}

/// Sends slow requests one after another.
async fn annoy(
    mut connection: Connection,
    turn: &mut usize,
    checks: &[String],
    stop: &AtomicBool,
    answered: &AtomicUsize,
) -> Result<(), Failure> {
    while !stop.load(Ordering::Relaxed) {
        *turn += 1;
        // Books that differ in a word are different games and are solved again.
        let book = slow_books::BOOKS[*turn % slow_books::BOOKS.len()];
        let book = book.replacen("title = \"", &format!("title = \"{} ", rand() % 1_000_000_000), 1);
        match *turn % 6 {
            0 => {
                let (day, month) = (1 + *turn % 28, 1 + *turn / 28 % 12);
                let path = format!("/today?day={}-{month:02}-{day:02}", 1990 + *turn / 336 % 60);
                drop(connection.ask("GET", &path, "", "").await?);
            }
            kind @ (1 | 2) => {
                let json = "content-type: application/json\r\n";
                drop(connection.ask("POST", "/api/v1/check", json, &checks[kind - 1]).await?);
            }
            3 => drop(connection.post("/solve", "", &json!({ "rulebook": book })).await?),
            _ => {
                let asked = json!({ "rulebook": book, "seats": ["me", "perfect"] });
                let (status, set) = connection.post("/rounds", "", &asked).await?;
                if status == 201 {
                    let (id, token) = (text(&set["id"])?, text(&set["tokens"]["1"])?);
                    drop(connection.ask("GET", &format!("/r/{id}"), "", "").await?);
                    let asked = json!({ "move": set["state"]["legal"][0], "expected_seq": set["seq"] });
                    drop(connection.post(&format!("/rounds/{id}/moves"), &token, &asked).await?);
                }
            }
        }
        answered.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}
