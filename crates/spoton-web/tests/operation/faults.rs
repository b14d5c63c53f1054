//! W10: errors reveal no internals, and a panic ends one request.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use axum::http::StatusCode;
use serde_json::json;
use spoton::engine::position::Player;
use spoton_web::ids::{Hash, SittingId};
use spoton_web::limits::Limits;
use spoton_web::operation::admin::admin;
use spoton_web::place::Place;
use spoton_web::store::bell::Bell;
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::{
    Before, Book, Class, IdempotentAnswer, Listed, Millis, NotCommitted, OfClass, Pending, Refused, Store,
    Stored, Unavailable, Write,
};

use tokio::sync::Notify;

use crate::operation::support::{Ask, Server, browser, form, get, post};

pub const WELL: u8 = 0;
const FAILS: u8 = 1;
const PANICS: u8 = 2;
/// Only writes fail.
const WRITING_FAILS: u8 = 3;
const WRITING_PANICS: u8 = 4;
/// Writes stop forever: before the commit, or after it but before watchers are notified.
pub const STOPS_BEFORE: u8 = 5;
pub const STOPS_AFTER: u8 = 6;
/// Writes wait for recovery.
pub const WAITS: u8 = 7;
/// The connection is lost after a write was saved, or before: once, or until the store recovers.
const LOST_ONCE_SAVED: u8 = 8;
const LOST_ONCE_UNSAVED: u8 = 9;
const LOST_SAVED: u8 = 10;
/// The connection is lost once, and another server saves the same events for a request with another key.
const LOST_TO_ANOTHER: u8 = 11;
/// The next read of a key or of the holders is from before another server's write.
const KEY_LATE: u8 = 12;
const HOLDERS_LATE: u8 = 13;

/// The disk's error, which no client may see.
const INSIDES: &str = "unable to open /var/lib/secret-place.db";

/// A store with a switch: everything works, fails or panics.
#[derive(Default)]
pub struct Faulty {
    store: MemoryStore,
    mode: AtomicU8,
    /// Notifies tests of a mode change.
    pub changed: Notify,
    /// Counts write attempts.
    pub commits: AtomicUsize,
}

impl Faulty {
    /// Returns a store that several servers may share.
    pub fn among_others() -> Faulty {
        Faulty { store: MemoryStore::shared(), ..Faulty::default() }
    }

    pub fn is_now(&self, mode: u8) {
        self.mode.store(mode, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    /// Returns whether this is the mode, and ends it.
    fn is_late(&self, mode: u8) -> bool {
        self.mode.compare_exchange(mode, WELL, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn now<'a, T: Send + 'a>(&'a self, answer: Pending<'a, T>) -> Pending<'a, T> {
        Box::pin(async move {
            match self.mode.load(Ordering::SeqCst) {
                FAILS => Err(Unavailable(INSIDES.to_owned())),
                PANICS => panic!("{INSIDES}"),
                _ => answer.await,
            }
        })
    }
}

impl Store for Faulty {
    fn bell(&self) -> Option<Arc<dyn Bell>> {
        self.store.bell()
    }
    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Vec<Result<(), Refused>>, NotCommitted> {
        Box::pin(async move {
            self.commits.fetch_add(1, Ordering::SeqCst);
            self.changed.notify_waiters();
            match self.mode.load(Ordering::SeqCst) {
                STOPS_BEFORE => std::future::pending().await,
                STOPS_AFTER => {
                    self.store.commit(writes).await?;
                    self.commits.fetch_add(1, Ordering::SeqCst);
                    self.changed.notify_waiters();
                    std::future::pending().await
                }
                WAITS => {
                    loop {
                        let changed = self.changed.notified();
                        if self.mode.load(Ordering::SeqCst) != WAITS {
                            break;
                        }
                        changed.await;
                    }
                    self.store.commit(writes).await
                }
                FAILS | WRITING_FAILS => Err(Unavailable(INSIDES.to_owned()).into()),
                mode @ (LOST_ONCE_SAVED | LOST_ONCE_UNSAVED | LOST_SAVED) => {
                    if mode != LOST_ONCE_UNSAVED {
                        self.store.commit(writes).await?;
                    }
                    if mode != LOST_SAVED {
                        self.is_now(WELL);
                    }
                    Err(NotCommitted::Unknown(INSIDES.to_owned()))
                }
                LOST_TO_ANOTHER => {
                    let asked = || IdempotentAnswer {
                        key: Hash::digest("another"),
                        body: Hash::digest(""),
                        answer: String::new(),
                    };
                    let theirs = writes.into_iter().map(|write| Write { asked: Some(asked()), ..write });
                    self.store.commit(theirs.collect()).await?;
                    self.is_now(WELL);
                    Err(NotCommitted::Unknown(INSIDES.to_owned()))
                }
                PANICS | WRITING_PANICS => panic!("{INSIDES}"),
                _ => self.store.commit(writes).await,
            }
        })
    }
    fn events(&self, id: SittingId, after: u64, most: usize) -> Pending<'_, Vec<Stored>> {
        self.now(self.store.events(id, after, most))
    }
    fn last_events(&self, ids: Vec<SittingId>) -> Pending<'_, Vec<(SittingId, u64)>> {
        self.now(self.store.last_events(ids))
    }
    fn asked(&self, key: Hash) -> Pending<'_, Option<IdempotentAnswer>> {
        if self.is_late(KEY_LATE) {
            return Box::pin(async { Ok(None) });
        }
        self.now(self.store.asked(key))
    }
    fn holders(&self, id: SittingId) -> Pending<'_, Vec<(Player, Hash)>> {
        if self.is_late(HOLDERS_LATE) {
            return Box::pin(async { Ok(vec![]) });
        }
        self.now(self.store.holders(id))
    }
    fn sittings_of(&self, holder: Hash, most: usize) -> Pending<'_, Vec<(SittingId, Listed)>> {
        self.now(self.store.sittings_of(holder, most))
    }
    fn invitation(&self, id: SittingId, secret: Hash, now: Millis) -> Pending<'_, Option<Player>> {
        self.now(self.store.invitation(id, secret, now))
    }
    fn waiting_computers(&self, since: Millis, most: usize) -> Pending<'_, Vec<SittingId>> {
        self.now(self.store.waiting_computers(since, most))
    }
    fn keep_book(&self, book: Book, now: Millis) -> Pending<'_, ()> {
        self.now(self.store.keep_book(book, now))
    }
    fn book(&self, short: String) -> Pending<'_, Option<Book>> {
        self.now(self.store.book(short))
    }
    fn invited_where(&self, secret: Hash, now: Millis) -> Pending<'_, Option<(SittingId, Player)>> {
        self.now(self.store.invited_where(secret, now))
    }
    fn keep_class(&self, class: Class) -> Pending<'_, bool> {
        self.now(self.store.keep_class(class))
    }
    fn class(&self, code: String) -> Pending<'_, Option<Class>> {
        self.now(self.store.class(code))
    }
    fn classes_of(&self, holder: Hash, now: Millis) -> Pending<'_, Vec<Class>> {
        self.now(self.store.classes_of(holder, now))
    }
    fn add_to_class(&self, code: String, of_class: OfClass) -> Pending<'_, ()> {
        self.now(self.store.add_to_class(code, of_class))
    }
    fn class_sittings(&self, code: String) -> Pending<'_, Vec<OfClass>> {
        self.now(self.store.class_sittings(code))
    }
    fn class_of(&self, id: SittingId) -> Pending<'_, Option<Class>> {
        self.now(self.store.class_of(id))
    }
    fn remembered(&self, holder: Hash) -> Pending<'_, Vec<(String, String)>> {
        self.now(self.store.remembered(holder))
    }
    fn remember(&self, holder: Hash, key: String, value: Option<String>, now: Millis) -> Pending<'_, ()> {
        self.now(self.store.remember(holder, key, value, now))
    }
    fn replace_remembered(
        &self,
        holder: Hash,
        key: String,
        old: Option<String>,
        new: String,
        now: Millis,
    ) -> Pending<'_, bool> {
        self.now(self.store.replace_remembered(holder, key, old, new, now))
    }
    fn forget_remembered(&self, holder: Hash, key: String, old: String) -> Pending<'_, bool> {
        self.now(self.store.forget_remembered(holder, key, old))
    }
    fn remove(&self, id: SittingId) -> Pending<'_, bool> {
        self.now(self.store.remove(id))
    }
    fn remove_book(&self, short: String) -> Pending<'_, bool> {
        self.now(self.store.remove_book(short))
    }
    fn tidy(&self, before: Before) -> Pending<'_, u64> {
        self.now(self.store.tidy(before))
    }
    fn bytes(&self) -> Pending<'_, u64> {
        // Called before everything else; the faults should come later.
        self.store.bytes()
    }
    fn is_ready(&self) -> Pending<'_, ()> {
        self.now(self.store.is_ready())
    }
}

/// Returns a request of every kind that needs the store.
fn all(id: &str, token: &str) -> Vec<Ask> {
    let api = |what: &str| format!("/rounds/{id}/{what}");
    let asked = json!({ "move": "+1", "expected_seq": 1 });
    let mut all = vec![
        get("/").cookie(&browser(1)),
        get(&format!("/r/{id}")).cookie(&browser(1)),
        get(&format!("/j/{id}")).cookie(&browser(1)),
        get(&format!("/r/{id}/look-back")),
        get(&format!("/api/v1/rounds/{id}")),
        get(&format!("/api/v1/rounds/{id}/events?wait=0")),
        get(&format!("/api/v1/rounds/{id}/record.txt")),
        form("/new", "mode=two").cookie(&browser(1)),
        form(&format!("/r/{id}/move"), "move=x2").cookie(&browser(1)),
        form(&format!("/r/{id}/hint"), "").cookie(&browser(1)),
        post("/rounds", &json!({ "game": "number-maze" })),
        post(&api("seats"), &json!({ "secret": "x" })),
    ];
    let commands = ["moves", "take-back", "rematch", "resign", "abandon", "hint"];
    all.extend(commands.map(|what| post(&api(what), &asked).token(token)));
    all
}

#[tokio::test]
async fn a_failing_store_acknowledges_nothing_and_recovers() {
    let store = Arc::new(Faulty::default());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let (id, token) = server.table().await;
    store.mode.store(FAILS, Ordering::SeqCst);
    for ask in all(&id, &token) {
        // Empties the cache.
        server.tables.rooms.forget_all();
        let what = format!("{} {}", ask.method, ask.path);
        let answer = server.ask(ask).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{what}: {answer:?}");
        assert!(answer.says_when(), "{what}: {answer:?}");
        assert!(answer.text.to_lowercase().contains("save moves right now"), "{what}: {answer:?}");
        assert!(
            !answer.text.contains("secret-place") && !answer.text.contains("unable"),
            "{what}: {answer:?}"
        );
    }
    let admin = Server { app: admin(server.tables.clone()), ..server.clone() };
    let unready = admin.ask(get("/readyz")).await;
    assert_eq!(unready.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!unready.text.contains("secret-place"), "{unready:?}");
    assert_eq!(admin.ask(get("/healthz")).await.status, StatusCode::OK);
    store.mode.store(WELL, Ordering::SeqCst);
    assert_eq!(admin.ask(get("/readyz")).await.status, StatusCode::OK);
    let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 1 }));
    assert_eq!(
        server.ask(moves.token(&token)).await.status,
        StatusCode::OK,
        "the failed attempts did nothing"
    );
}

#[tokio::test]
async fn a_panic_ends_one_request_and_no_other() {
    let store = Arc::new(Faulty::default());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let (id, token) = server.table().await;
    for ask in all(&id, &token) {
        server.tables.rooms.forget_all();
        store.mode.store(PANICS, Ordering::SeqCst);
        let what = format!("{} {}", ask.method, ask.path);
        let answer = server.ask(ask).await;
        assert!(answer.status.is_server_error(), "{what}: {answer:?}");
        assert!(
            !answer.text.contains("secret-place") && !answer.text.contains("panic"),
            "{what}: {answer:?}"
        );
        assert!(!answer.header("content-security-policy").is_empty(), "{what}: {answer:?}");
        if answer.status == StatusCode::INTERNAL_SERVER_ERROR {
            assert!(answer.text.contains("omething went wrong on the server"), "{what}: {answer:?}");
        }
        store.mode.store(WELL, Ordering::SeqCst);
        assert_eq!(server.ask(get(&format!("/r/{id}"))).await.status, StatusCode::OK, "after {what}");
    }
    let metrics = server.tables.metrics.text();
    assert!(!metrics.contains("spoton_panics_total 0\n"), "{metrics}");
}

/// The same for a panic in the writer: the sender gets an error, and the next request works.
#[tokio::test]
async fn after_an_error_in_the_writer_the_next_request_works() {
    let store = Arc::new(Faulty::default());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let (id, token) = server.table().await;
    let moves = |seq: u64| {
        let asked = json!({ "move": "+1", "expected_seq": seq });
        post(&format!("/rounds/{id}/moves"), &asked).token(&token)
    };
    for (mode, seq) in [(WRITING_FAILS, 1), (WRITING_PANICS, 2)] {
        store.mode.store(mode, Ordering::SeqCst);
        for ask in [moves(seq), post("/rounds", &json!({ "game": "number-maze" }))] {
            let answer = server.ask(ask).await;
            assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
            assert!(answer.says_when() && !answer.text.contains("secret-place"), "{answer:?}");
        }
        store.mode.store(WELL, Ordering::SeqCst);
        let moved = server.ask(moves(seq)).await;
        assert_eq!((moved.status, &moved.json()["seq"]), (StatusCode::OK, &json!(seq + 1)), "{moved:?}");
    }
    let metrics = server.tables.metrics.text();
    assert!(metrics.contains("spoton_panics_total 2\n") && metrics.contains("spoton_store_errors_total 2\n"));
}

/// A commit that loses its connection: the server finds out whether it was saved, and nothing is saved twice.
#[tokio::test]
async fn a_lost_commit_is_settled_before_the_answer() {
    let store = Arc::new(Faulty::default());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let (id, token) = server.table().await;
    let moves = |seq: u64, key: Option<&str>| {
        let asked = json!({ "move": "+1", "expected_seq": seq });
        let ask = post(&format!("/rounds/{id}/moves"), &asked).token(&token);
        match key {
            Some(key) => ask.with("idempotency-key", key),
            None => ask,
        }
    };
    let modes =
        [LOST_ONCE_SAVED, LOST_ONCE_UNSAVED].into_iter().flat_map(|mode| [(mode, None), (mode, Some("k"))]);
    for ((mode, key), seq) in modes.zip(1..) {
        let key = key.map(|key| format!("{key} {seq}"));
        store.is_now(mode);
        let moved = server.ask(moves(seq, key.as_deref())).await;
        assert_eq!(
            (moved.status, &moved.json()["seq"]),
            (StatusCode::OK, &json!(seq + 1)),
            "{mode}: {moved:?}"
        );
        // Another move doesn't get the lost one's answer.
        let outdated = server.ask(moves(seq, None)).await;
        assert_eq!(outdated.status, StatusCode::CONFLICT, "{outdated:?}");
    }
    // Two tabs made the same move in the same millisecond. Only one of them may get an acknowledgement.
    store.is_now(LOST_TO_ANOTHER);
    let late = server.ask(moves(5, Some("of this tab"))).await;
    assert_eq!((late.status, &late.json()["state"]["seq"]), (StatusCode::CONFLICT, &json!(6)), "{late:?}");
    let metrics = server.tables.metrics.text();
    let counted = metrics.contains("spoton_unknown_commits_total 5\n");
    assert!(counted && metrics.contains("spoton_settled_commits_total 5\n"), "{metrics}");
}

/// A client that asks another server before the first one is done gets the first one's answer, not a refusal.
#[tokio::test]
async fn a_retry_that_overtakes_its_request_gets_its_answer() {
    let store = Arc::new(Faulty::among_others());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let set = server.ask(post("/rounds", &json!({ "game": "number-maze", "target": 1000 }))).await.json();
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    let secret = json!({ "secret": set["invitation"]["secret"] });
    let key = "a key that is hard to guess";
    let joins = post(&format!("/rounds/{id}/seats"), &secret).with("idempotency-key", key);
    let asked = json!({ "move": "+1", "expected_seq": 2 });
    let moves = post(&format!("/rounds/{id}/moves"), &asked).token(token).with("idempotency-key", key);
    for (ask, mode) in [(joins, HOLDERS_LATE), (moves, KEY_LATE)] {
        let first = server.ask(ask.clone()).await;
        assert_eq!(first.status, StatusCode::OK, "{first:?}");
        store.is_now(mode);
        let again = server.ask(ask).await;
        assert_eq!((again.status, &again.text), (StatusCode::OK, &first.text));
        assert_eq!(store.mode.load(Ordering::SeqCst), WELL, "the read was late");
    }
}

/// If the server can't find out, the answer says so. A retry with the same key gets the outcome.
#[tokio::test]
async fn a_lasting_unknown_outcome_is_reported_with_the_cookie() {
    let store = Arc::new(Faulty::default());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let (id, token) = server.table().await;
    let asked = json!({ "move": "+1", "expected_seq": 1 });
    let moves =
        || post(&format!("/rounds/{id}/moves"), &asked).token(&token).with("idempotency-key", "the same key");
    store.is_now(LOST_SAVED);
    let unknown = server.ask(moves()).await;
    assert_eq!(unknown.status, StatusCode::SERVICE_UNAVAILABLE, "{unknown:?}");
    assert!(unknown.says_when() && unknown.text.contains("same key"), "{unknown:?}");
    assert!(
        !unknown.text.contains("secret-place") && !unknown.text.contains("nothing changed"),
        "{unknown:?}"
    );
    // A first-time browser: its round exists, and only the cookie opens it.
    let begun = server.ask(form("/new", "mode=two")).await;
    assert_eq!(begun.status, StatusCode::SERVICE_UNAVAILABLE, "{begun:?}");
    let cookie = begun.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    store.is_now(WELL);
    let past = server.ask(get("/past").with("cookie", cookie)).await;
    assert!(past.text.contains("/r/"), "{past:?}");
    // The same for a seat.
    let open = server.ask(post("/rounds", &json!({ "game": "number-maze" }))).await.json();
    let (id, secret) = (open["id"].as_str().unwrap(), open["invitation"]["secret"].as_str().unwrap());
    store.is_now(LOST_SAVED);
    let joined = server.ask(form(&format!("/j/{id}"), &format!("secret={secret}&name=Ben"))).await;
    store.is_now(WELL);
    let cookie = joined.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    let board = server.ask(get(&format!("/r/{id}")).with("cookie", cookie)).await;
    assert!(board.text.contains("/resign"), "the seat is this browser's: {joined:?} {board:?}");
    let moved = server.ask(moves()).await;
    assert_eq!((moved.status, &moved.json()["seq"]), (StatusCode::OK, &json!(2)), "{moved:?}");
}
