//! Every address that stores something has a limit, and is open to nobody but those whom the table names. The addresses
//! come from the tables that the server is built from, so that none can be forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::json;
use spoton::people::today::Duel;
use spoton::solver::Budget;
use spoton_web::guard::Place;
use spoton_web::limits::{CACHE_BYTES, Limits};
use spoton_web::routes::{Route, Stores, Who};
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;
use spoton_web::{api, pages};

use crate::support::{Answer, Ask, Server, browser, form, get, post};

const BOOK: &str = "title%20%3D%20%22Mine%22%0Astart%20%3D%200%0Atarget%20%3D%20NUMBER%0Amoves%20%3D%20%5B%22%2B1%22%2C%20%22%2B2%22%5D";

/// How often each address is asked. The limits are lower, and a little of a share comes back meanwhile.
const TIMES: usize = 12;
const MOST: u32 = 3;

/// Every share has room for so many.
fn low() -> Limits {
    Limits {
        new_of_a_browser: MOST,
        new_of_an_address: MOST,
        books_of_a_browser: MOST,
        books_of_an_address: MOST,
        classes_of_a_browser: MOST,
        classes_of_an_address: MOST,
        puzzle_moves_of_a_browser: MOST,
        puzzle_moves_of_an_address: MOST,
        commands_of_a_browser: MOST,
        commands_of_an_address: MOST,
        ..Limits::default()
    }
}

/// A server on which there is one of everything, and what its addresses are filled in with.
struct World {
    server: Server,
    store: Arc<MemoryStore>,
    id: String,
    /// The round of a pupil in a class who waits.
    waits: String,
    token: String,
    secret: String,
    code: String,
    short: String,
}

/// The seat in the round and the class are this browser's.
fn owner() -> String {
    browser(1)
}

impl World {
    async fn new() -> World {
        let store = Arc::new(MemoryStore::default());
        let server = Server::on(store.clone(), Limits::default(), Place::default());
        let place = |answer: &Answer| answer.header("location").rsplit('/').next().unwrap().to_owned();
        let new = form("/new", "mode=friend&game=number-maze&target=1000").cookie(&owner());
        let id = place(&server.ask(new).await);
        let code = place(&server.ask(form("/class", "game=number-maze").cookie(&owner())).await);
        let joined = form("/join", &format!("code={code}&name=Mia")).cookie(&owner());
        let waits = place(&server.ask(joined).await);
        let shared = server.ask(form("/workshop/share", &share_body(20)).cookie(&owner())).await;
        let short = place(&shared).replace("?shared", "");
        let set = server.ask(post("/rounds", &json!({ "game": "number-maze", "target": 1000 }))).await.json();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        World {
            server,
            store,
            id: format!("{id} {}", text(&set["id"])),
            waits,
            token: text(&set["tokens"]["1"]),
            secret: text(&set["invitation"]["secret"]),
            code,
            short,
        }
    }

    /// The same data behind other limits.
    fn with(&self, limits: Limits) -> Server {
        Server::on(self.store.clone(), limits, Place::default())
    }

    /// All that is stored.
    fn stored(&self) -> String {
        format!("{:?}", self.store)
    }

    /// The address of a page or of the interface, filled in.
    fn filled(&self, beginning: &str, path: &str, what: &str) -> String {
        let (page, table) = self.id.split_once(' ').unwrap();
        let id = match path {
            "/r/{id}/computer" | "/r/{id}/next" => self.waits.as_str(),
            _ if beginning.is_empty() => page,
            _ => table,
        };
        let which = if path.starts_with("/puzzles") { "number-maze" } else { "" };
        let path = path.replace("{id}", id).replace("{code}", &self.code).replace("{short}", &self.short);
        let path = path.replace("{name}", "number-maze").replace("{which}", which).replace("{what}", what);
        format!("{beginning}{path}")
    }
}

fn share_body(number: usize) -> String {
    format!("rulebook={}", BOOK.replace("NUMBER", &number.to_string()))
}

/// Forms that a page takes, one for each thing that its address can do, the number of times it was sent before. They are
/// such that something comes of them, if anything can.
fn forms(path: &str, number: usize, world: &World) -> Vec<(&'static str, String)> {
    let wants = |wants: &[&'static str]| wants.iter().map(|what| (*what, String::new())).collect();
    let one = |body: String| vec![("", body)];
    match path {
        "/new" => one("mode=friend&game=number-maze".to_owned()),
        "/workshop" | "/workshop/share" => one(share_body(30 + number)),
        "/j/{id}" => one("secret=nothing&name=Eve".to_owned()),
        "/r/{id}/move" => one("move=%2B1".to_owned()),
        "/r/{id}/both" | "/r/{id}/device" | "/r/{id}/computer" | "/r/{id}/next" => one(String::new()),
        "/r/{id}/play-on" => one("round=1&moves=0&step=0".to_owned()),
        "/r/{id}/{what}" => {
            // Those first that are refused for another reason than the limit.
            let some = ["rematch", "cancel", "hint", "why", "take-back", "another-target", "swap-seats"];
            wants(&[&some[..], &["abandon", "resign", "decline"]].concat())
        }
        "/class" => one("game=number-maze".to_owned()),
        "/class/{code}/{what}" => wants(&["close", "open"]),
        "/join" => one(format!("code={}&name=Pupil{number}&new=yes", world.code)),
        "/today" => one("day=2020-01-01".to_owned()),
        "/puzzles/{which}" => one("puzzle=x&made=0&move=%2B1".to_owned()),
        "/puzzles/{which}/next" => one(String::new()),
        path => panic!("{path} takes forms: say here which, so that its limits are tried"),
    }
}

/// The same for a program.
fn body(path: &str, number: usize, world: &World) -> serde_json::Value {
    match path {
        "/check" | "/solve" | "/audit" | "/rounds" => json!({ "game": "number-maze" }),
        "/rounds/{id}/seats" if number == 0 => json!({ "secret": world.secret }),
        path if path.starts_with("/rounds/{id}/") => {
            json!({ "move": "+1", "expected_seq": 1 + number, "secret": "nothing" })
        }
        path => panic!("{path} takes commands: say here which, so that its limits are tried"),
    }
}

/// What is sent to an address, for the so-manieth time, by the one who holds everything or by a stranger.
fn asks(world: &World, beginning: &str, path: &str, number: usize, is_owner: bool) -> Vec<Ask> {
    let from = |ask: Ask| ask.from("10.0.0.1");
    match beginning {
        "" => {
            let key = if is_owner { owner() } else { browser(99) };
            let asks = forms(path, number, world).into_iter();
            let asks = asks.map(|(what, body)| form(&world.filled("", path, what), &body).cookie(&key));
            asks.map(from).collect()
        }
        _ => {
            let filled = world.filled(beginning, path, "");
            let ask = post(filled.strip_prefix(beginning).unwrap(), &body(path, number, world));
            let ask = if is_owner { ask.token(&world.token) } else { ask.token("nobody") };
            vec![from(ask)]
        }
    }
}

fn all() -> Vec<(&'static str, Route)> {
    let pages = pages::routes().into_iter().map(|route| ("", route));
    pages.chain(api::routes().into_iter().map(|route| (api::BEGINNING, route))).collect()
}

/// Whether an address takes anything but questions.
async fn takes_more(server: &Server, address: &str) -> bool {
    let asked = Ask { method: "POST", ..get(address) }.with("origin", "http://localhost");
    server.ask(asked).await.status != StatusCode::METHOD_NOT_ALLOWED
}

#[tokio::test]
async fn no_address_stores_more_often_than_its_limit() {
    let mut wrote: BTreeMap<String, usize> = BTreeMap::new();
    for (beginning, Route { path, stores, .. }) in all() {
        let world = World::new().await;
        let server = world.with(low());
        let address = world.filled(beginning, path, "x");
        let name = format!("{beginning}{path}");
        // Questions store nothing, however often; but that a book is opened is noted, once.
        let before = world.stored();
        for _ in 0..TIMES {
            drop(server.begin(get(&address).cookie(&owner()).from("10.0.0.1")).await);
        }
        if path != "/b/{short}" {
            assert_eq!(world.stored(), before, "GET {name} has stored something");
        }
        if !takes_more(&world.with(Limits::default()), &address).await {
            continue;
        }
        if path == "/today" {
            // Inventing it may take longer than a request.
            let day = "2020-01-01".parse().unwrap();
            let duel = Duel::of(day, &mut Budget::new(CACHE_BYTES, &mut |_| true)).unwrap();
            server.tables.duels.keep(Arc::new(duel));
        }
        let (mut writes, mut refused) = (0, 0);
        for number in 0..TIMES {
            for ask in asks(&world, beginning, path, number, true) {
                let before = world.stored();
                let answer = server.ask(ask).await;
                // Computers may move at any time; what is refused has not begun anything for them.
                match answer.status == StatusCode::TOO_MANY_REQUESTS && answer.says_when() {
                    true => refused += 1,
                    false => writes += usize::from(world.stored() != before),
                }
            }
        }
        match stores {
            Stores::Nothing => assert_eq!(writes, 0, "{name} says that it stores nothing"),
            // One may come back on a slow machine.
            _ => {
                assert!(writes <= MOST as usize + 1, "{name} has stored {writes} times");
                assert!(refused > 0, "{name} has never refused anything");
            }
        }
        wrote.insert(name, writes);
    }
    // Else this would try nothing.
    for name in [
        "/new",
        "/workshop/share",
        "/r/{id}/both",
        "/r/{id}/device",
        "/r/{id}/computer",
        "/r/{id}/{what}",
        "/class",
        "/class/{code}/{what}",
        "/join",
        "/today",
        "/api/v1/rounds",
        "/api/v1/rounds/{id}/seats",
        "/api/v1/rounds/{id}/cancel",
    ] {
        assert!(wrote[name] > 0, "{name} has stored nothing: {wrote:?}");
    }
}

#[tokio::test]
async fn only_those_who_may_store_anything() {
    for (beginning, Route { path, who, .. }) in all() {
        if who == Who::Anyone {
            continue;
        }
        let world = World::new().await;
        let before = world.stored();
        for number in 1..3 {
            for ask in asks(&world, beginning, path, number, false) {
                let answer = world.server.ask(ask).await;
                assert!(!answer.status.is_success(), "{path}: {answer:?}");
            }
        }
        assert_eq!(world.stored(), before, "{beginning}{path} has obeyed a stranger");
    }
}

/// The last tenth of the store is for moves in rounds that have begun.
#[tokio::test]
async fn a_full_store_is_left_to_rounds_that_have_begun() {
    for (beginning, Route { path, stores, .. }) in all() {
        let world = World::new().await;
        let bytes = world.store.bytes().await.unwrap();
        let server = world.with(Limits { data_bytes: bytes, ..Limits::default() });
        let address = world.filled(beginning, path, "x");
        if stores == Stores::Commands || !takes_more(&server, &address).await {
            continue;
        }
        let before = world.stored();
        for ask in asks(&world, beginning, path, 1, true) {
            server.ask(ask).await;
        }
        assert_eq!(world.stored(), before, "{beginning}{path} has taken from the last tenth");
    }
    let world = World::new().await;
    let bytes = world.store.bytes().await.unwrap();
    let server = world.with(Limits { data_bytes: bytes, ..Limits::default() });
    let (_, id) = world.id.split_once(' ').unwrap();
    let seat = post(&format!("/rounds/{id}/seats"), &json!({ "secret": world.secret }));
    assert_eq!(server.ask(seat).await.status, StatusCode::OK);
    let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 2 }));
    assert_eq!(server.ask(moves.token(&world.token)).await.status, StatusCode::OK);
    // When the round is over, another one would be something new.
    let resign = post(&format!("/rounds/{id}/resign"), &json!({})).token(&world.token);
    assert_eq!(server.ask(resign).await.status, StatusCode::OK);
    let rematch = post(&format!("/rounds/{id}/rematch"), &json!({})).token(&world.token);
    assert_eq!(server.ask(rematch).await.status, StatusCode::SERVICE_UNAVAILABLE);
    // The same against a computer.
    let asked = json!({ "game": "number-maze", "seats": ["me", "pip"] });
    let set = world.server.ask(post("/rounds", &asked)).await.json();
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    let command = |what: &str| post(&format!("/rounds/{id}/{what}"), &json!({})).token(token);
    assert_eq!(server.ask(command("resign")).await.status, StatusCode::OK);
    let again = server.ask(command("rematch")).await;
    assert_eq!(again.status, StatusCode::SERVICE_UNAVAILABLE, "{again:?}");
}
