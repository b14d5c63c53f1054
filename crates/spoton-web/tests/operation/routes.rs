//! Every route that stores something has a limit, and only its declared callers may use it. The routes come from the
//! tables that the server is built from, so that none is forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::json;
use spoton::design::today::Duel;
use spoton::solver::Budget;
use spoton_web::limits::{CACHE_BYTES, Limits};
use spoton_web::place::Place;
use spoton_web::routes::{Route, Stores, Who};
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;
use spoton_web::{api, pages};

use crate::operation::support::{Answer, Ask, Server, browser, form, get, post};

const BOOK: &str = "title%20%3D%20%22Mine%22%0Astart%20%3D%200%0Atarget%20%3D%20NUMBER%0Amoves%20%3D%20%5B%22%2B1%22%2C%20%22%2B2%22%5D";

/// Requests per route. The limits are lower, and a little is restored meanwhile.
const TIMES: usize = 12;
const MOST: u32 = 3;

/// Every limit allows this many.
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

/// A server with one item of every kind, and the values for its routes' parameters.
struct World {
    server: Server,
    store: Arc<MemoryStore>,
    id: String,
    /// A waiting pupil's round in a class.
    waits: String,
    token: String,
    secret: String,
    /// More rounds with invitations, one per attempt: an invitation works once.
    invited: Vec<(String, String)>,
    code: String,
    short: String,
}

/// This browser holds the seat in the round and opened the class.
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
        let mut invited = Vec::new();
        for _ in 0..TIMES {
            let set = server.ask(post("/rounds", &json!({ "game": "number-maze" }))).await.json();
            invited.push((text(&set["id"]), text(&set["invitation"]["secret"])));
        }
        World {
            server,
            store,
            id: format!("{id} {}", text(&set["id"])),
            waits,
            token: text(&set["tokens"]["1"]),
            secret: text(&set["invitation"]["secret"]),
            invited,
            code,
            short,
        }
    }

    /// The same data with different limits.
    fn with(&self, limits: Limits) -> Server {
        Server::on(self.store.clone(), limits, Place::default())
    }

    /// Everything that's stored.
    fn stored(&self) -> String {
        format!("{:?}", self.store)
    }

    /// Fills in a route's parameters.
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

/// A route's forms, one per action, each for the given attempt. They succeed if anything can.
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
            // First those that are refused for another reason than the limit.
            let some = ["rematch", "cancel", "hint", "why", "take-back", "another-target", "swap-seats"];
            wants(&[&some[..], &["abandon", "resign", "decline"]].concat())
        }
        "/class" => one("game=number-maze".to_owned()),
        "/class/{code}/{what}" => wants(&["close", "open"]),
        "/join" => one(format!("code={}&name=Pupil{number}&new=yes", world.code)),
        "/today" => one("day=2020-01-01".to_owned()),
        "/puzzles/{which}" => one("puzzle=x&made=0&move=%2B1".to_owned()),
        "/puzzles/{which}/next" => one(String::new()),
        path => panic!("{path} takes forms: add them here to test its limits"),
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
        path => panic!("{path} takes commands: add them here to test its limits"),
    }
}

/// Returns the requests to a route for the given attempt, by the owner or by a stranger.
fn asks(world: &World, beginning: &str, path: &str, number: usize, is_owner: bool) -> Vec<Ask> {
    let from = |ask: Ask| ask.from("10.0.0.1");
    let (id, secret) = &world.invited[number];
    match beginning {
        // A move needs both players.
        "" if is_owner && path == "/r/{id}/move" => {
            let asks = [("/r/{id}/both", ""), ("/r/{id}/move", "move=%2B1")];
            let ask = |(path, body)| from(form(&world.filled(beginning, path, "x"), body).cookie(&owner()));
            asks.map(ask).into()
        }
        "" if is_owner && path == "/j/{id}" => {
            vec![from(form(&format!("/j/{id}"), &format!("secret={secret}&name=Eve")).cookie(&owner()))]
        }
        _ if is_owner && path == "/rounds/{id}/seats" => {
            vec![from(post(&format!("/rounds/{id}/seats"), &json!({ "secret": secret })))]
        }
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

/// Returns whether a route accepts POST.
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
        // GET requests store nothing, however often, except a book's first opening.
        let before = world.stored();
        for _ in 0..TIMES {
            drop(server.begin(get(&address).cookie(&owner()).from("10.0.0.1")).await);
        }
        if path != "/b/{short}" {
            assert_eq!(world.stored(), before, "GET {name} stored something");
        }
        if !takes_more(&world.with(Limits::default()), &address).await {
            continue;
        }
        if path == "/today" {
            // Inventing it may take longer than a request's timeout.
            let day = "2020-01-01".parse().unwrap();
            let duel = Duel::for_day(day, &mut Budget::new(CACHE_BYTES, &mut |_| true)).unwrap();
            server.tables.daily.keep(Arc::new(duel), server.tables.clock.today());
        }
        let (mut writes, mut refused) = (0, 0);
        for number in 0..TIMES {
            for ask in asks(&world, beginning, path, number, true) {
                let before = world.stored();
                let answer = server.ask(ask).await;
                // Computers may move at any time; a refused request started nothing for them.
                match answer.status == StatusCode::TOO_MANY_REQUESTS && answer.says_when() {
                    true => refused += 1,
                    false => writes += usize::from(world.stored() != before),
                }
            }
        }
        match stores {
            Stores::Nothing => assert_eq!(writes, 0, "{name} claims to store nothing"),
            // A slow machine restores one.
            _ => {
                assert!(writes <= MOST as usize + 1, "{name} stored {writes} times");
                // Taking both seats works once, so there's nothing to limit.
                assert!(refused > 0 || name == "/r/{id}/both", "{name} never refused anything");
            }
        }
        wrote.insert(name, writes);
    }
    // Otherwise the test would prove nothing.
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
        "/j/{id}",
        "/r/{id}/move",
    ] {
        assert!(wrote[name] > 0, "{name} stored nothing: {wrote:?}");
    }
}

#[tokio::test]
async fn only_permitted_callers_store_anything() {
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
        assert_eq!(world.stored(), before, "{beginning}{path} obeyed a stranger");
    }
}

/// The last tenth of the store is reserved for moves in existing rounds.
#[tokio::test]
async fn a_full_store_still_saves_moves_of_existing_rounds() {
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
        assert_eq!(world.stored(), before, "{beginning}{path} used the last tenth");
    }
    let world = World::new().await;
    let bytes = world.store.bytes().await.unwrap();
    let server = world.with(Limits { data_bytes: bytes, ..Limits::default() });
    let (_, id) = world.id.split_once(' ').unwrap();
    let seat = post(&format!("/rounds/{id}/seats"), &json!({ "secret": world.secret }));
    assert_eq!(server.ask(seat).await.status, StatusCode::OK);
    let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 2 }));
    assert_eq!(server.ask(moves.token(&world.token)).await.status, StatusCode::OK);
    // After the round, a rematch would start something new.
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
