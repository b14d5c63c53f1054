//! W9: rate limits hold and don't affect other clients.

use std::sync::Arc;
use std::time::Instant;

use axum::http::StatusCode;
use serde_json::json;
use spoton_web::limits::{
    Limits, NEW_OF_A_BROWSER, NEW_OF_AN_ADDRESS, SENT_BOOK_BYTES, UNFINISHED_OF_A_BROWSER,
};
use spoton_web::place::Place;
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;

use crate::operation::support::{Answer, Ask, Server, browser, form, get, post};

fn begins(key: &str) -> Ask {
    form("/new", "mode=friend").cookie(key)
}

/// Returns whether the answer is a 429 with a sentence and a retry time.
fn is_too_many(answer: &Answer) -> bool {
    assert!(
        answer.status != StatusCode::TOO_MANY_REQUESTS || answer.says_when() && answer.text.len() > 40,
        "{answer:?}"
    );
    answer.status == StatusCode::TOO_MANY_REQUESTS
}

/// Repeats a request until it's refused, and returns the number of successes. A little is restored meanwhile.
async fn until_refused(server: &Server, ask: &Ask, fine: StatusCode) -> (u32, Answer) {
    for done in 0..10_000 {
        let answer = server.ask(ask.clone()).await;
        if is_too_many(&answer) {
            return (done, answer);
        }
        assert_eq!(answer.status, fine, "{done}: {answer:?}");
    }
    panic!("the limit never applied");
}

#[tokio::test]
async fn new_rounds_per_browser_and_hour_are_limited() {
    let server = Server::start(Limits::default());
    let (done, refused) = until_refused(&server, &begins(&browser(1)), StatusCode::SEE_OTHER).await;
    assert!((NEW_OF_A_BROWSER..2 * NEW_OF_A_BROWSER).contains(&done), "{done}");
    assert!(refused.text.contains("<p>You&#39;ve started too many rounds."), "{refused:?}");
    assert_eq!(server.ask(begins(&browser(2))).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn new_rounds_per_address_and_minute_are_limited() {
    let server = Server::start(Limits::default());
    let asked = post("/rounds", &json!({ "game": "number-maze" })).from("10.0.0.1");
    let (done, refused) = until_refused(&server, &asked, StatusCode::CREATED).await;
    assert!(refused.json()["detail"].as_str().unwrap().contains("from your network"), "{refused:?}");
    assert!((NEW_OF_AN_ADDRESS..2 * NEW_OF_AN_ADDRESS).contains(&done), "{done}");
    assert_eq!(server.ask(asked.clone().from("10.0.0.2")).await.status, StatusCode::CREATED);
}

/// A forged header doesn't change the client's address. Only a trusted proxy reports addresses.
#[tokio::test]
async fn nobody_gets_a_new_share_by_a_forged_header() {
    let limits = Limits { new_of_an_address: 3, ..Limits::default() };
    let place = Place { proxies: Arc::new(vec!["10.0.0.9".parse().unwrap()]), ..Place::default() };
    let server = Server::on(Arc::new(MemoryStore::default()), limits, place);
    let ask = |from: &'static str, forwarded: String| {
        let asked = post("/rounds", &json!({ "game": "number-maze" })).from(from);
        server.ask(asked.with("x-forwarded-for", forwarded))
    };
    let mut done = [0; 3];
    for count in 0..10 {
        // A client that isn't a proxy; one behind the proxy that forges a header; another one behind it.
        let askers = [
            ask("10.0.0.1", format!("7.7.7.{count}")).await,
            ask("10.0.0.9", format!("7.7.7.{count}, 8.8.8.8")).await,
            ask("10.0.0.9", format!("9.9.9.{count}")).await,
        ];
        for (done, answer) in done.iter_mut().zip(&askers) {
            *done += usize::from(!is_too_many(answer));
        }
    }
    assert_eq!(done, [3, 3, 10]);
}

#[tokio::test]
async fn a_browser_has_so_many_unfinished_sittings_and_the_oldest_without_a_move_makes_room() {
    let store = Arc::new(MemoryStore::default());
    let server = Server::on(store.clone(), Limits::default(), Place::default());
    let mut addresses = Vec::new();
    for _ in 0..UNFINISHED_OF_A_BROWSER {
        addresses.push(server.ask(begins(&browser(1))).await.header("location").to_owned());
    }
    for address in &addresses {
        assert_eq!(server.ask(get(address)).await.status, StatusCode::OK, "at the limit all exist");
    }
    let next = server.ask(begins(&browser(1))).await;
    assert_eq!(next.status, StatusCode::SEE_OTHER);
    let mut gone = 0;
    for address in &addresses {
        gone += usize::from(server.ask(get(address)).await.status == StatusCode::NOT_FOUND);
    }
    assert_eq!(gone, 1, "one made room");
}

/// Played rounds are never dropped.
#[tokio::test]
async fn a_sitting_with_a_move_never_makes_room() {
    let server = Server::start(Limits { unfinished_of_a_browser: 2, ..Limits::default() });
    let two = form("/new", "mode=two&game=number-maze&target=1000").cookie(&browser(1));
    for _ in 0..2 {
        let board = server.ask(two.clone()).await.header("location").to_owned();
        let moved = server.ask(form(&format!("{board}/move"), "move=x2").cookie(&browser(1))).await;
        assert_eq!(moved.status, StatusCode::SEE_OTHER, "{moved:?}");
    }
    let refused = server.ask(two.clone()).await;
    assert!(is_too_many(&refused) && refused.text.contains("unfinished rounds"), "{refused:?}");
    assert_eq!(server.ask(begins(&browser(2))).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_rate_limit_on_one_seat_does_not_affect_others() {
    let limits = Limits { commands_of_a_seat: 1, commands_at_once: 4, ..Limits::default() };
    let server = Server::start(limits);
    let (id, token) = server.table().await;
    let (other, others_token) = server.table().await;
    let ask = |id: &str, token: &str| {
        post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 0 })).token(token)
    };
    let (done, _) = until_refused(&server, &ask(&id, &token), StatusCode::CONFLICT).await;
    assert!((4..100).contains(&done), "{done}");
    assert_eq!(server.ask(ask(&other, &others_token)).await.status, StatusCode::CONFLICT);
}

/// A seat that may send two commands gives up and plays again.
#[tokio::test]
async fn playing_again_is_one_command() {
    let server = Server::start(Limits { commands_of_a_seat: 1, commands_at_once: 2, ..Limits::default() });
    let asked = json!({ "game": "number-maze", "seats": ["me", "pip"] });
    let set = server.ask(post("/rounds", &asked)).await.json();
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    for what in ["resign", "rematch"] {
        let answer = server.ask(post(&format!("/rounds/{id}/{what}"), &json!({})).token(token)).await;
        assert_eq!(answer.status, StatusCode::OK, "{what}: {answer:?}");
    }
}

/// Strangers at the same address guess and use up all slots for wrong codes. The correct code still works.
#[tokio::test]
async fn wrong_codes_in_flight_keep_no_right_one_out() {
    let server = Server::start(Limits::default());
    let made = server.ask(form("/class", "game=number-maze").cookie(&browser(1))).await;
    let code = made.header("location").rsplit('/').next().unwrap().to_owned();
    let join = |key: usize, code: &str| {
        form("/join", &format!("code={code}&name=Ann")).cookie(&browser(key)).from("10.0.0.1")
    };
    let wrong = if code == "BBBBBB" { "CCCCCC" } else { "BBBBBB" };
    let guesses: Vec<_> = (0..400)
        .map(|key| {
            let (server, guess) = (server.clone(), join(1000 + key, wrong));
            tokio::spawn(async move { server.ask(guess).await.status })
        })
        .collect();
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    let right = server.ask(join(2, &code)).await;
    assert_eq!(right.status, StatusCode::SEE_OTHER, "{right:?}");
    let mut refused = 0;
    for guess in guesses {
        match guess.await.unwrap() {
            StatusCode::TOO_MANY_REQUESTS => refused += 1,
            status => assert_eq!(status, StatusCode::NOT_FOUND),
        }
    }
    assert!(refused > 0, "some get no place");
}

/// A stranger in the school's network floods the page with wrong codes. Every pupil still gets in.
#[tokio::test]
async fn thousands_of_wrong_codes_refuse_no_right_one() {
    let server = Server::start(Limits::default());
    let made = server.ask(form("/class", "game=number-maze").cookie(&browser(1))).await;
    let code = made.header("location").rsplit('/').next().unwrap().to_owned();
    let wrong = if code == "BBBBBB" { "CCCCCC" } else { "BBBBBB" };
    let join = |key: usize, code: &str| {
        form("/join", &format!("code={code}&name=Pupil{key}")).cookie(&browser(key)).from("10.0.0.1")
    };
    let (mut guesses, mut pupils) = (Vec::new(), Vec::new());
    for number in 0..3000 {
        let (to, guess) = (server.clone(), join(10_000 + number, wrong));
        guesses.push(tokio::spawn(async move { to.ask(guess).await.status }));
        if number % 300 == 299 {
            let (server, right) = (server.clone(), join(2 + number / 300, &code));
            pupils.push(tokio::spawn(async move { server.ask(right).await }));
        }
        if number % 50 == 0 {
            tokio::task::yield_now().await;
        }
    }
    for pupil in pupils {
        let joined = pupil.await.unwrap();
        assert_eq!(joined.status, StatusCode::SEE_OTHER, "{joined:?}");
    }
    let mut refused = 0;
    for guess in guesses {
        match guess.await.unwrap() {
            StatusCode::TOO_MANY_REQUESTS => refused += 1,
            status => assert_eq!(status, StatusCode::NOT_FOUND),
        }
    }
    assert!(refused > 1000, "{refused}");
    // Pupils with a seat need no code to be checked.
    let again = server.ask(join(2, &code)).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{again:?}");
}

/// Commands to other people's rounds, or to unknown ones, don't use up the share of players.
#[tokio::test]
async fn commands_without_a_seat_use_up_nothing() {
    let server = Server::start(Limits { commands_of_an_address: 5, ..Limits::default() });
    let (id, token) = server.table().await;
    let moves = |id: &str, token: &str| {
        let ask = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 1 }));
        ask.token(token).from("10.0.0.1")
    };
    for number in 0..20 {
        for round in ["x", &id, &id.replace(|c: char| c.is_ascii_digit(), "1")] {
            let junk = server.ask(moves(round, &format!("stranger {number}"))).await;
            assert!(!junk.status.is_success() && !is_too_many(&junk), "{junk:?}");
        }
        let seat = post(&format!("/rounds/{id}/seats"), &json!({ "secret": "wrong" })).from("10.0.0.1");
        let junk = server.ask(seat).await;
        assert!(!junk.status.is_success() && !is_too_many(&junk), "{junk:?}");
    }
    assert_eq!(server.ask(moves(&id, &token)).await.status, StatusCode::OK);
    let (done, _) = until_refused(&server, &moves(&id, &token), StatusCode::CONFLICT).await;
    assert!((4..10).contains(&done), "{done}");
}

#[tokio::test]
async fn so_many_streams_are_open_to_an_address() {
    let server = Server::start(Limits { streams_of_an_address: 3, ..Limits::default() });
    let (id, _) = server.table().await;
    for stream in [format!("/api/v1/rounds/{id}/events"), format!("/r/{id}/stream")] {
        let open = || server.begin(get(&stream).from("10.0.0.1"));
        let mut streams = Vec::new();
        for _ in 0..3 {
            let response = open().await;
            assert_eq!(response.status(), StatusCode::OK);
            streams.push(response);
        }
        assert!(is_too_many(&server.ask(get(&stream).from("10.0.0.1")).await));
        assert_eq!(server.begin(get(&stream).from("10.0.0.2")).await.status(), StatusCode::OK);
        streams.pop();
        assert_eq!(open().await.status(), StatusCode::OK, "one was closed");
    }
}

/// A class of 30 behind one address plays, streams and looks at the same time without being refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_class_behind_one_address_is_never_refused() {
    let server = Server::start(Limits::default());
    let mut pupils = Vec::new();
    for number in 0..30 {
        let server = server.clone();
        pupils.push(tokio::spawn(async move {
            let key = browser(number);
            let mut streams = Vec::new();
            for _ in 0..5 {
                assert_eq!(server.ask(get("/").from("10.0.0.1").cookie(&key)).await.status, StatusCode::OK);
                let new = form("/new", "mode=two&game=number-maze").from("10.0.0.1").cookie(&key);
                let board = server.ask(new).await.header("location").to_owned();
                streams.push(server.begin(get(&format!("{board}/stream")).from("10.0.0.1")).await);
                for _ in 0..6 {
                    let page = server.ask(get(&board).from("10.0.0.1").cookie(&key)).await;
                    assert_eq!(page.status, StatusCode::OK, "{page:?}");
                    let moved = form(&format!("{board}/move"), "move=%2B1").from("10.0.0.1").cookie(&key);
                    let moved = server.ask(moved).await;
                    let made =
                        [StatusCode::SEE_OTHER, StatusCode::UNPROCESSABLE_ENTITY, StatusCode::CONFLICT];
                    assert!(made.contains(&moved.status), "{moved:?}");
                }
            }
            streams.iter().all(|stream| stream.status() == StatusCode::OK)
        }));
    }
    for pupil in pupils {
        assert!(pupil.await.unwrap());
    }
}

/// Above 90% of the data limit nothing new can start, and play continues.
#[tokio::test]
async fn a_full_store_takes_nothing_new_and_play_goes_on() {
    let store = Arc::new(MemoryStore::default());
    let roomy = Server::on(store.clone(), Limits::default(), Place::default());
    let (id, token) = roomy.table().await;
    let bytes = store.bytes().await.unwrap();
    let full = Limits { data_bytes: bytes, ..Limits::default() };
    let server = Server::on(store.clone(), full, Place::default());
    let refused = server.ask(post("/rounds", &json!({ "game": "number-maze" }))).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{refused:?}");
    assert!(refused.says_when() && refused.text.contains("start anything new"), "{refused:?}");
    let refused = server.ask(begins(&browser(1))).await;
    assert!(refused.status == StatusCode::SERVICE_UNAVAILABLE && refused.says_when(), "{refused:?}");
    let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 1 }));
    assert_eq!(server.ask(moves.token(&token)).await.status, StatusCode::OK);
    // Just below the limit there is room.
    let limits = Limits { data_bytes: (bytes + 10_000) / 9 * 10 + 10, ..Limits::default() };
    let server = Server::on(store, limits, Place::default());
    assert_eq!(server.ask(begins(&browser(1))).await.status, StatusCode::SEE_OTHER);
}

/// Existing data adds nothing.
#[tokio::test]
async fn new_data_per_address_and_day_is_limited() {
    let server = Server::start(Limits { new_bytes_of_an_address: 100_000, ..Limits::default() });
    let share = |number: u32, from| {
        let book = format!("title = 'Mine'\nstart = {number}\ntarget = 20\nmoves = ['+1']\n#");
        let encoded: String = book.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let body = format!("rulebook={encoded}{}", "x".repeat(60 << 10));
        server.ask(form("/workshop/share", &body).from(from))
    };
    assert_eq!(share(1, "10.0.0.1").await.status, StatusCode::SEE_OTHER);
    let refused = share(2, "10.0.0.1").await;
    assert!(
        is_too_many(&refused) && refused.text.contains("reached today&#39;s storage limit"),
        "{refused:?}"
    );
    assert_eq!(share(1, "10.0.0.1").await.status, StatusCode::SEE_OTHER, "the book exists already");
    assert_eq!(share(2, "10.0.0.2").await.status, StatusCode::SEE_OTHER, "others aren't affected");
    // Existing rounds continue.
    let (id, token) = server.table().await;
    let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 1 }));
    assert_eq!(server.ask(moves.token(&token).from("10.0.0.1")).await.status, StatusCode::OK);
}

/// Otherwise the daily limits would promise too much.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_item_takes_at_most_as_many_bytes_as_it_counts() {
    use spoton_web::store::sqlite::SqliteStore;
    const ITEMS: usize = 300;
    let many = 1_000_000;
    let limits = Limits {
        new_of_an_address: many,
        books_of_an_address: many,
        classes_of_an_address: many,
        puzzle_moves_of_an_address: many,
        ..Limits::default()
    };
    let book = |number: usize, notes: usize| {
        let notes = format!("notes = [\"{number} {}\"]", "long ".repeat(notes));
        format!("title = \"Long\"\nstart = 0\ntarget = 9\nmoves = [\"+1\"]\n{notes}\n")
    };
    let escaped = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    for kind in ["friend", "computer", "book", "long book", "share", "class", "pupil", "day", "puzzle"] {
        let folder = crate::operation::program::Folder::new(&format!("bytes-{}", kind.replace(' ', "-")));
        let store = Arc::new(SqliteStore::open(folder.file("data.db")).await.unwrap());
        let server = Server::on(store.clone(), limits.clone(), Place::default());
        let class = server.ask(form("/class", "game=number-maze").cookie(&browser(1))).await;
        let code = class.header("location").rsplit('/').next().unwrap().to_owned();
        let key = |number: usize| browser(1000 + number);
        let (before, address) = (store.bytes().await.unwrap(), "10.0.0.1");
        let begun = Instant::now();
        for number in 0..ITEMS {
            let mine = |ask: Ask| ask.cookie(&key(number)).from(address);
            let begins = |asked: &serde_json::Value| {
                post("/rounds", asked)
                    .from(address)
                    .with("idempotency-key", format!("computer round number {number}"))
            };
            let ask = match kind {
                "friend" => mine(form("/new", "mode=friend&game=number-maze&target=1000")),
                "computer" => begins(&json!({ "game": "number-maze", "seats": ["me", "pip"] })),
                "book" => begins(&json!({ "rulebook": book(number, 1) })),
                "long book" => begins(&json!({ "rulebook": book(number, 300) })),
                "share" => mine(form("/workshop/share", &format!("rulebook={}", escaped(&book(number, 1))))),
                "class" => mine(form("/class", "game=number-maze")),
                "pupil" => mine(form("/join", &format!("code={code}&name=Pupil%20{number}"))),
                "day" => mine(form("/today", "")),
                _ => {
                    let page = server.ask(mine(get("/puzzles/race-to-23?start"))).await.text;
                    let field = |name: &str| {
                        let (_, rest) = page.split_once(&format!("name=\"{name}\" value=\"")).expect(&page);
                        rest.split('"').next().unwrap().to_owned()
                    };
                    let fields =
                        format!("puzzle={}&made=0&move={}", field("puzzle"), escaped(&field("move")));
                    mine(form("/puzzles/race-to-23", &fields))
                }
            };
            let stored = server.ask(ask).await;
            assert!(stored.status.is_success() || stored.status.is_redirection(), "{kind}: {stored:?}");
        }
        let bytes = store.bytes().await.unwrap() - before;
        let counted = u64::from(server.tables.rates.bytes_of(address.parse().unwrap()));
        // The share refills meanwhile.
        let refilled =
            u64::from(limits.new_bytes_of_an_address) * (begun.elapsed().as_secs() + 1) / (24 * 60 * 60);
        assert!(
            bytes <= counted + refilled,
            "{kind}: {bytes} stored, {counted} counted, {refilled} refilled"
        );
        assert!(bytes * 6 > counted, "{kind}: {bytes} stored, {counted} counted");
    }
}

/// Books with mistakes aren't stored, so they don't use up anyone's share.
#[tokio::test]
async fn mistakes_in_a_book_leave_the_share_alone() {
    let limits = Limits { books_of_a_browser: 3, books_of_an_address: 3, ..Limits::default() };
    let server = Server::start(limits);
    let share = |book: &str| {
        form("/workshop/share", &format!("rulebook={book}")).cookie(&browser(1)).from("10.0.0.1")
    };
    for number in 0..10 {
        let refused = server.ask(share(&format!("title{number}"))).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused:?}");
    }
    let book = |target: usize| {
        let book = format!("title = 'Mine'\nstart = 0\ntarget = {target}\nmoves = ['+1']");
        book.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>()
    };
    for target in 20..23 {
        assert_eq!(server.ask(share(&book(target))).await.status, StatusCode::SEE_OTHER);
    }
    assert!(is_too_many(&server.ask(share(&book(23))).await));
    // Checks have a limit, too.
    let (done, _) = until_refused(&server, &share("title"), StatusCode::UNPROCESSABLE_ENTITY).await;
    assert!((10..40).contains(&done), "{done}");
}

/// The limit of commands assumes this size. Each command has a key, as from a page.
#[cfg(unix)]
#[tokio::test]
async fn a_command_takes_as_many_bytes_as_it_counts() {
    use spoton_web::limits::BYTES_OF_A_COMMAND;
    use spoton_web::store::sqlite::SqliteStore;
    const MOVES: u64 = 500;
    for (opponent, replies) in [("me", 0), ("random", 1)] {
        let folder = crate::operation::program::Folder::new(&format!("bytes-{opponent}"));
        let store = Arc::new(SqliteStore::open(folder.file("data.db")).await.unwrap());
        let limits =
            Limits { commands_of_a_seat: 1_000_000, commands_at_once: 1_000_000, ..Limits::default() };
        let server = Server::on(store.clone(), limits, Place::default());
        let book = "title = 'Long'\nstart = 0\ntarget = 1000000\nmoves = ['+1', '+2']\n";
        let set =
            server.ask(post("/rounds", &json!({ "rulebook": book, "seats": ["me", opponent] }))).await.json();
        let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
        let before = store.bytes().await.unwrap();
        for number in 0..MOVES {
            let seq = 1 + number * (1 + replies);
            let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": seq }));
            let moves = moves.token(token).with("idempotency-key", format!("the move number {seq}"));
            let moved = server.ask(moves).await;
            assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
            // A computer's reply arrives in a moment.
            let state = || server.ask(get(&format!("/api/v1/rounds/{id}")).token(token));
            while state().await.json()["seq"].as_u64() < Some(seq + 1 + replies) {
                tokio::task::yield_now().await;
            }
        }
        let bytes = (store.bytes().await.unwrap() - before) / MOVES;
        assert!((1..=u64::from(BYTES_OF_A_COMMAND)).contains(&bytes), "{opponent}: {bytes}");
    }
}

/// Bodies up to the limit are read, and not a byte more.
#[tokio::test]
async fn bodies_are_read_up_to_their_limit() {
    let server = Server::start(Limits::default());
    let (id, token) = server.table().await;
    let limits = Limits::default();
    // Spaces count as body but mean nothing.
    let padded = |ask: Ask, bytes: usize| {
        let spaces = " ".repeat(bytes - ask.body.len());
        Ask { body: ask.body + &spaces, ..ask }
    };
    let command = || post(&format!("/rounds/{id}/take-back"), &json!({})).token(&token);
    let book = || post("/check", &json!({ "game": "number-maze" }));
    for (ask, most, fine) in
        [(command(), limits.body_bytes, StatusCode::CONFLICT), (book(), SENT_BOOK_BYTES, StatusCode::OK)]
    {
        let at = server.ask(padded(ask.clone(), most)).await;
        assert_eq!(at.status, fine, "{at:?}");
        let past = server.ask(padded(ask, most + 1)).await;
        assert_eq!(past.status, StatusCode::PAYLOAD_TOO_LARGE, "{past:?}");
        assert_eq!(past.header("content-type"), "application/problem+json");
    }
    // A page's form, which a page answers.
    let join = |bytes: usize| {
        let name = "x".repeat(bytes - "code=".len());
        server.ask(form("/join", &format!("code={name}")))
    };
    assert_ne!(join(limits.body_bytes).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let past = join(limits.body_bytes + 1).await;
    assert_eq!(past.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(past.text.contains("<p>That&#39;s too much data; send less.</p>"), "{past:?}");
}
