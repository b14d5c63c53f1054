//! Several servers on one store: they behave as one. Each protection has a control without it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::{Value as Json, json};
use spoton_web::app::app;
use spoton_web::limits::Limits;
use spoton_web::place::Place;
use spoton_web::store::Store;
use spoton_web::store::bell::MemoryBell;
use spoton_web::store::memory::MemoryStore;
use spoton_web::tables::Tables;
use spoton_web::tables::writer::Planted;
use tokio::sync::watch;
use tokio_stream::StreamExt;

use crate::operation::faults::{Faulty, WAITS, WELL};
use crate::operation::support::{Answer, Ask, Server, browser, form, get, post};

/// Only reached if something is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server among others.
pub struct Node {
    pub server: Server,
    /// Ends its contact with the others; `None` if it has none.
    stop: Option<watch::Sender<bool>>,
}

impl std::ops::Deref for Node {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Node {
    pub fn start(store: Arc<dyn Store>) -> Node {
        let node = Node::alone(store, Planted::default());
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(node.tables.clone().keep_in_touch(stopped));
        Node { stop: Some(stop), ..node }
    }

    /// Starts a server that neither rings nor hears the bell.
    fn alone(store: Arc<dyn Store>, planted: Planted) -> Node {
        // Computers don't pause, and a test that waits must not run into the timeout.
        let limits = Limits { time_for_request: Duration::from_secs(600), ..Limits::default() };
        let (tables, _) = Tables::open_planted(store, Duration::ZERO, limits, planted);
        let app = app(tables.clone(), Place::default());
        Node { server: Server { app, tables }, stop: None }
    }

    async fn seq(&self, id: &str) -> u64 {
        self.ask(get(&format!("/api/v1/rounds/{id}"))).await.json()["seq"].as_u64().unwrap()
    }

    async fn moves(&self, (id, token): &(String, String), seq: u64) -> Answer {
        self.ask(a_move(id, token, seq)).await
    }

    /// Waits until a metric isn't 0 any more.
    async fn counts(&self, metric: &str) {
        let zero = format!("spoton_{metric} 0\n");
        let begun = Instant::now();
        while self.tables.metrics.text().contains(&zero) {
            assert!(begun.elapsed() < PATIENCE, "{metric} stays 0");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn a_move(id: &str, token: &str, seq: u64) -> Ask {
    post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": seq })).token(token)
}

fn stale_reads() -> Planted {
    Planted { stale_reads: true, ..Planted::default() }
}

fn stale_refusals() -> Planted {
    Planted { stale_refusals: true, ..Planted::default() }
}

/// Waits for the event after this one: a long poll.
async fn next_event(node: &Server, id: &str, after: u64, seconds: u64) -> Json {
    let path = format!("/api/v1/rounds/{id}/events?after={after}&wait={seconds}");
    node.ask(get(&path)).await.json()["events"][0].clone()
}

/// Polls at one server while another one plays, until the event is there.
async fn play_across(one: &Node, other: &Node, table: &(String, String), seq: u64) {
    let (server, id) = (other.server.clone(), table.0.clone());
    let polls = tokio::spawn(async move { next_event(&server, &id, seq, 30).await });
    let watched = Instant::now();
    while other.tables.live.watched().is_empty() {
        assert!(watched.elapsed() < PATIENCE);
        tokio::task::yield_now().await;
    }
    let moved = one.moves(table, seq).await;
    assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
    assert_eq!(polls.await.unwrap()["seq"], json!(seq + 1));
}

/// A store that two servers share, twice.
type Stores = [Arc<dyn Store>; 2];

fn memory() -> Stores {
    let store = Arc::new(MemoryStore::shared());
    [store.clone(), store]
}

#[cfg(feature = "postgres")]
async fn postgres() -> (String, Stores) {
    use spoton_web::store::postgres::{Durability, PostgresStore};
    let address = crate::operation::cluster::Cluster::shared().database().await;
    let mut stores: Vec<Arc<dyn Store>> = Vec::new();
    for _ in 0..2 {
        let store = PostgresStore::open(address.parse().unwrap(), Durability::Checked).await.unwrap();
        stores.push(Arc::new(store));
    }
    let stores = stores.try_into().unwrap_or_else(|_| unreachable!());
    (address, stores)
}

async fn a_move_reaches_watchers_at_other_servers(stores: Stores) {
    let [one, two] = stores.map(Node::start);
    let table = one.table().await;
    for seq in 1..=4 {
        let (here, there) = if seq % 2 == 0 { (&two, &one) } else { (&one, &two) };
        play_across(here, there, &table, seq).await;
    }
    two.counts("bells_heard_total").await;
    one.counts("bells_sent_total").await;
    // A page that changed without an event.
    let mut stream =
        two.begin(get(&format!("/r/{}/stream?after=5", table.0))).await.into_body().into_data_stream();
    let presence = stream.next().await.unwrap().unwrap();
    assert!(presence.starts_with(b"event: presence"), "{presence:?}");
    one.tables.live.look_again(table.0.parse().unwrap());
    let again = stream.next().await.unwrap().unwrap();
    assert!(again.starts_with(b"event: again"), "{again:?}");
}

async fn players_at_other_servers_are_present(stores: Stores) {
    let [one, two] = stores.map(Node::start);
    let (id, token) = one.table().await;
    let sitting = id.parse().unwrap();
    // A server that only just came hears of them too.
    let ask = get(&format!("/api/v1/rounds/{id}/events?after=1")).token(&token);
    let stream = one.begin(ask).await;
    let becomes = async |node: &Node, here: bool| {
        let begun = Instant::now();
        while node.tables.live.here(sitting).0 != [here; 2] {
            assert!(begun.elapsed() < PATIENCE, "never {here}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    becomes(&one, true).await;
    becomes(&two, true).await;
    let late = Node::start(Arc::clone(&two.tables.store));
    becomes(&late, true).await;
    // They leave, and so does a server.
    drop(stream);
    becomes(&two, false).await;
    let stream = one.begin(get(&format!("/api/v1/rounds/{id}/events?after=1")).token(&token)).await;
    becomes(&two, true).await;
    one.stop.as_ref().unwrap().send(true).unwrap();
    becomes(&two, false).await;
    drop(stream);
}

/// Without any bell: reads ask the store, and refusals look again.
async fn nothing_relies_on_memory(stores: Stores) {
    let fresh = |store: &Arc<dyn Store>| Node::alone(Arc::clone(store), Planted::default());
    let [one, two] = [fresh(&stores[0]), fresh(&stores[1])];
    let stale = Node::alone(Arc::clone(&stores[1]), stale_reads());
    let refusing = Node::alone(Arc::clone(&stores[1]), stale_refusals());
    let table = one.table().await;
    let (id, token) = &table;
    for node in [&two, &stale, &refusing] {
        assert_eq!(node.seq(id).await, 1, "now it's cached");
    }
    assert_eq!(one.moves(&table, 1).await.status, StatusCode::OK);
    assert_eq!(stale.seq(id).await, 1, "the control: the person sees an older board than before");
    // The control: a good move is refused.
    assert_eq!(refusing.moves(&table, 2).await.status, StatusCode::CONFLICT);
    // The move comes first: it doesn't rely on a read before it.
    let moved = two.moves(&table, 2).await;
    assert_eq!((moved.status, &moved.json()["seq"]), (StatusCode::OK, &json!(3)), "{moved:?}");
    assert_eq!(one.seq(id).await, 3);
    assert_eq!(one.moves(&table, 3).await.status, StatusCode::OK);
    let page = two.ask(get(&format!("/r/{id}"))).await.text;
    assert!(page.contains("data-seq=\"4\""), "{page}");
    two.counts("stale_rooms_total").await;
    // Without an expected number, a command follows what happened meanwhile, as on one server.
    let undone = one.ask(post(&format!("/rounds/{id}/take-back"), &json!({})).token(token)).await;
    assert_eq!(undone.status, StatusCode::OK, "{undone:?}");
    let resigned = two.ask(post(&format!("/rounds/{id}/resign"), &json!({})).token(token)).await;
    assert_eq!((resigned.status, &resigned.json()["seq"]), (StatusCode::OK, &json!(6)), "{resigned:?}");
    two.counts("conflicts_total").await;
}

/// A seat that was taken at one server is good at the others.
async fn a_seat_is_good_at_every_server(stores: Stores) {
    let [one, two] = stores.clone().map(|store| Node::alone(store, Planted::default()));
    let refusing = Node::alone(Arc::clone(&stores[1]), stale_refusals());
    let asked = json!({ "game": "number-maze", "target": 1000, "seats": ["me", "friend"] });
    let set = one.ask(post("/rounds", &asked)).await.json();
    let id = set["id"].as_str().unwrap();
    for node in [&two, &refusing] {
        assert_eq!(node.seq(id).await, 1);
    }
    let joined = one.ask(post(&format!("/rounds/{id}/seats"), &set["invitation"])).await;
    let token = joined.json()["token"].as_str().unwrap().to_owned();
    let resign = || post(&format!("/rounds/{id}/resign"), &json!({})).token(&token);
    let resigned = two.ask(resign()).await;
    assert_eq!(resigned.status, StatusCode::OK, "{resigned:?}");
}

/// A seat that moved to another device gets nothing from any server, not even an old hint.
async fn a_burnt_seat_gets_nothing(stores: Stores) {
    let [one, two] = stores.clone().map(|store| Node::alone(store, Planted::default()));
    let stale = Node::alone(Arc::clone(&stores[1]), stale_reads());
    let (laptop, phone) = (browser(1), browser(2));
    let new = form("/new", "mode=two&game=number-maze&target=1000&hints=on").cookie(&laptop);
    let board = one.ask(new).await.header("location").to_owned();
    let id = board.strip_prefix("/r/").unwrap();
    let hint = || post(&format!("/rounds/{id}/hint"), &json!({})).token(&laptop);
    let told = two.ask(hint()).await;
    assert_eq!(told.status, StatusCode::OK, "{told:?}");
    assert_eq!(stale.ask(hint()).await.status, StatusCode::OK);
    let seq = two.seq(id).await;

    let made = one.ask(form(&format!("{board}/device"), "").cookie(&laptop)).await;
    let shown = one.ask(get(made.header("location")).cookie(&laptop)).await.text;
    let code = shown.split_once("<p class=\"code\">").unwrap().1.split('<').next().unwrap();
    let moved = one.ask(form("/join", &format!("code={}", code.replace(' ', ""))).cookie(&phone)).await;
    assert_eq!(moved.header("location"), board, "{moved:?}");

    // The control: another server still thinks that the seat is there, and tells.
    assert_eq!(stale.ask(hint()).await.status, StatusCode::OK);
    let hidden = two.ask(get(&board).cookie(&laptop)).await.text;
    assert!(!hidden.contains("/hint\""), "{hidden}");
    let resigns = || post(&format!("/rounds/{id}/resign"), &json!({})).token(&laptop);
    let moves = || a_move(id, &laptop, seq);
    for (what, ask) in [("hint", hint()), ("resign", resigns()), ("move", moves())] {
        // Each asks a server that hasn't looked since.
        let late = Node::alone(Arc::clone(&stores[1]), Planted::default());
        assert_eq!(late.seq(id).await, seq + 1);
        let refused = late.ask(ask).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{what}: {refused:?}");
    }
    for (what, ask) in [("hint", hint()), ("move", moves()), ("resign", resigns())] {
        let refused = two.ask(ask).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{what}: {refused:?}");
    }
    assert_eq!(one.seq(id).await, seq + 1, "nothing was added");
}

/// Both servers think about the same turn. One answer counts, and the other is dropped.
async fn a_computer_moves_once(stores: Stores) {
    let [one, two] = stores.map(|store| Node::alone(store, Planted::default()));
    let asked = json!({ "game": "number-maze", "target": 1000, "seats": ["pip", "me"] });
    let set = one.ask(post("/rounds", &asked)).await.json();
    let id = set["id"].as_str().unwrap();
    let sitting = id.parse().unwrap();
    let (first, second) =
        tokio::join!(one.tables.computer_plays(sitting), two.tables.computer_plays(sitting));
    drop((first, second));
    while one.seq(id).await < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    two.tables.computer_plays(sitting).await.unwrap();
    assert_eq!((one.seq(id).await, two.seq(id).await), (2, 2));
}

/// Runs each case on a memory store and on PostgreSQL.
macro_rules! on_both {
    ($($case:ident),*) => {
        mod in_memory {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    super::$case(super::memory()).await;
                }
            )*
        }

        #[cfg(feature = "postgres")]
        mod on_postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    super::$case(super::postgres().await.1).await;
                }
            )*
        }
    };
}

on_both!(
    a_move_reaches_watchers_at_other_servers,
    players_at_other_servers_are_present,
    nothing_relies_on_memory,
    a_seat_is_good_at_every_server,
    a_burnt_seat_gets_nothing,
    a_computer_moves_once
);

/// Without the bell, the check finds what happened. Without the check too, nobody does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_bell_costs_one_check() {
    let bell = Arc::new(MemoryBell::default());
    let store: Arc<dyn Store> = Arc::new(MemoryStore::with_bell(bell.clone()));
    let [one, two] = [Arc::clone(&store), Arc::clone(&store)].map(Node::start);
    let table = one.table().await;
    play_across(&one, &two, &table, 1).await;
    bell.muffle();
    play_across(&one, &two, &table, 2).await;
    two.counts("bells_missed_total").await;
    two.counts("bell_losses_total").await;
    // The control: no check either.
    let deaf = Node::alone(store, Planted::default());
    assert_eq!(deaf.seq(&table.0).await, 3);
    let (server, id) = (deaf.server.clone(), table.0.clone());
    let polls = tokio::spawn(async move { next_event(&server, &id, 3, 3).await });
    while deaf.tables.live.watched().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(one.moves(&table, 3).await.status, StatusCode::OK);
    assert_eq!(polls.await.unwrap(), Json::Null);
}

/// Whether the others hear of a move before its commit.
async fn rings_early(planted: Planted) -> bool {
    let store = Arc::new(Faulty::among_others());
    let node = Node::alone(store.clone(), planted);
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(node.tables.clone().keep_in_touch(stopped));
    let table = node.table().await;
    let mut listening = store.bell().unwrap().listen().await.unwrap();
    store.is_now(WAITS);
    let (server, commits) = (node.server.clone(), store.commits.load(Ordering::SeqCst));
    let (id, token) = table.clone();
    let moves = tokio::spawn(async move { server.ask(a_move(&id, &token, 1)).await });
    loop {
        let changed = store.changed.notified();
        if store.commits.load(Ordering::SeqCst) > commits {
            break;
        }
        changed.await;
    }
    // Now it's in the commit. The next texts have all news from before.
    let word = format!("{}:2", table.0);
    let mut is_early = false;
    for _ in 0..2 {
        is_early |= listening.hear().await.unwrap().contains(&word);
    }
    store.is_now(WELL);
    assert_eq!(moves.await.unwrap().status, StatusCode::OK);
    while !is_early && !listening.hear().await.unwrap().contains(&word) {}
    drop(stop);
    is_early
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bell_rings_after_the_commit() {
    assert!(!rings_early(Planted::default()).await);
    // The control: it's noticed.
    assert!(rings_early(Planted { bell_before_commit: true, ..Planted::default() }).await);
}

/// The connection that listens is ended again and again: nobody misses anything.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_listener_comes_back() {
    let (address, stores) = postgres().await;
    let name = address.rsplit('/').next().unwrap().to_owned();
    let [one, two] = stores.map(Node::start);
    let table = one.table().await;
    for seq in 1..=3 {
        play_across(&one, &two, &table, seq).await;
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'";
        crate::operation::cluster::Cluster::shared().execute(&name, end.into()).await;
    }
    two.counts("bell_losses_total").await;
    play_across(&one, &two, &table, 4).await;
}

/// The server that a computer's turn belongs to is gone, so another one finds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_server_moves_for_a_computer() {
    let [first, second] = memory();
    // It would move only after the test.
    let (gone, _) = Tables::open(first, Duration::from_secs(6000));
    let gone = Server { app: app(gone.clone(), Place::default()), tables: gone };
    let asked = json!({ "game": "number-maze", "target": 1000, "seats": ["pip", "me"] });
    let id = gone.ask(post("/rounds", &asked)).await.json()["id"].as_str().unwrap().to_owned();
    let node = Node::start(second);
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(node.tables.clone().sweep(stopped));
    assert_eq!(next_event(&node, &id, 1, 30).await["seq"], json!(2));
    drop(stop);
}

#[cfg(feature = "postgres")]
async fn joins(node: &Node, code: &str, pupil: usize) -> Answer {
    node.ask(form("/join", &format!("code={code}&name=Pupil {pupil}")).cookie(&browser(pupil))).await
}

/// Pupils join at two servers at the same time, and everyone gets a partner.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_class_is_paired_across_servers() {
    const PUPILS: usize = 12;
    let (_, stores) = postgres().await;
    let [one, two] = stores.map(|store| Node::alone(store, Planted::default()));
    let opened = one.ask(form("/class", "game=number-maze&target=34").cookie(&browser(0))).await;
    let code = opened.header("location").strip_prefix("/class/").unwrap().to_owned();
    let nodes = [one.server.clone(), two.server.clone()];
    let (one, two) = (Arc::new(one), Arc::new(two));
    let tasks: Vec<_> = (1..=PUPILS)
        .map(|pupil| {
            let (node, code) = (Arc::clone(if pupil % 2 == 0 { &one } else { &two }), code.clone());
            tokio::spawn(async move { joins(&node, &code, pupil).await })
        })
        .collect();
    let mut boards: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for task in tasks {
        let joined = task.await.unwrap();
        assert_eq!(joined.status, StatusCode::SEE_OTHER, "{joined:?}");
        *boards.entry(joined.header("location").to_owned()).or_default() += 1;
    }
    assert!(boards.len() == PUPILS / 2 && boards.values().all(|pupils| *pupils == 2), "{boards:?}");

    // While another server pairs, a pupil waits; after a while they are asked to try again.
    let held = nodes[0].tables.store.lock(format!("class {code}")).await.unwrap();
    let refused = joins(&two, &code, PUPILS + 1).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused:?}");
    assert!(refused.says_when() && refused.text.contains("busy"), "{refused:?}");
    drop(held);
    assert_eq!(joins(&two, &code, PUPILS + 1).await.status, StatusCode::SEE_OTHER);
    // Closed at one server, closed at all.
    let closed = one.ask(form(&format!("/class/{code}/close"), "").cookie(&browser(0))).await;
    assert_eq!(closed.status, StatusCode::SEE_OTHER, "{closed:?}");
    let late = joins(&two, &code, PUPILS + 2).await;
    assert!(late.status.is_client_error() && late.text.contains("class is closed"), "{late:?}");
}

/// A browser can't try more codes at another server.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_codes_count_at_every_server() {
    let (_, stores) = postgres().await;
    let [one, two] = stores.map(|store| Node::alone(store, Planted::default()));
    for number in 0..10 {
        let wrong = joins(if number % 2 == 0 { &one } else { &two }, "BCDFGH", 1).await;
        assert_eq!(wrong.status, StatusCode::NOT_FOUND, "{wrong:?}");
    }
    for node in [&one, &two] {
        let refused = joins(node, "BCDFGH", 1).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
    }
    assert_eq!(joins(&one, "BCDFGH", 2).await.status, StatusCode::NOT_FOUND, "another browser may");
}

/// Servers use the database's time, however wrong their clocks are.
#[cfg(feature = "postgres")]
#[tokio::test]
async fn clocks_do_not_matter() {
    const HOUR: u64 = 60 * 60 * 1000;
    let (_, stores) = postgres().await;
    let nodes = stores.map(|store| Node::alone(store, Planted::default()));
    let apart = || nodes[0].tables.clock.now().abs_diff(nodes[1].tables.clock.now());
    let now = nodes[0].tables.clock.now();
    nodes[0].tables.clock.set(now + HOUR, tokio::time::Instant::now());
    nodes[1].tables.clock.set(now - HOUR, tokio::time::Instant::now());
    assert!(apart() > HOUR, "the control");
    for node in &nodes {
        node.tables.read_time().await.unwrap();
    }
    assert!(apart() < HOUR / 2);
}

/// Without the database, streams end so that their clients find another server. Later they are back.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_end_without_the_database() {
    use spoton_web::operation::admin::admin;
    use spoton_web::store::postgres::{Durability, PostgresStore};
    let cluster = crate::operation::cluster::Cluster::start(&[]);
    let address = cluster.database().await;
    let store = PostgresStore::open(address.parse().unwrap(), Durability::Checked).await.unwrap();
    let node = Node::start(Arc::new(store));
    let health = Server { app: admin(node.tables.clone()), ..node.server.clone() };
    let becomes = async |status: StatusCode| {
        let begun = Instant::now();
        while health.ask(get("/readyz")).await.status != status {
            assert!(begun.elapsed() < PATIENCE, "never {status}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    becomes(StatusCode::OK).await;
    let (id, token) = node.table().await;
    let stream = || get(&format!("/api/v1/rounds/{id}/events?after=1"));
    let mut open = node.begin(stream()).await.into_body().into_data_stream();
    cluster.control(&["stop", "-m", "immediate"]);
    while let Some(Ok(_)) = open.next().await {}
    becomes(StatusCode::SERVICE_UNAVAILABLE).await;
    let refused = node.ask(stream()).await;
    assert!(refused.status == StatusCode::SERVICE_UNAVAILABLE && refused.says_when(), "{refused:?}");
    cluster.control(&["start"]);
    becomes(StatusCode::OK).await;
    let mut open = node.begin(stream()).await.into_body().into_data_stream();
    assert_eq!(node.moves(&(id.clone(), token), 1).await.status, StatusCode::OK);
    let told = open.next().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&told).contains("id: 2"), "{told:?}");
}
