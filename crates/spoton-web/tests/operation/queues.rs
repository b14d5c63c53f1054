//! Slow work doesn't delay players: neither the worst known books nor full queues.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value as Json, json};
use spoton::engine::position::Player;
use spoton::sitting::Lookahead;
use spoton_web::ids::{Hash, Secret, SittingId};
use spoton_web::limits::Limits;
use spoton_web::room::Room;
use spoton_web::store::Write;
use spoton_web::tables::game;
use spoton_web::thinking::Queue;

use crate::operation::slow_books;
use crate::operation::support::{Server, browser, form, get, post};

/// Far more than any test takes.
const LONG: Duration = Duration::from_secs(600);

/// More jobs than a queue has workers.
const MANY: usize = 200;

/// Blocks all workers of the lower queues until the latch is dropped.
async fn everything_slow_is_busy(server: &Server) -> mpsc::Sender<()> {
    let (latch, waits) = mpsc::channel::<()>();
    let waits = Arc::new(Mutex::new(waits));
    for queue in [Queue::Questions, Queue::Reports] {
        for number in 0..MANY {
            let (tables, waits) = (server.tables.clone(), Arc::clone(&waits));
            tokio::spawn(async move {
                let blocks = move || {
                    let _: Result<(), _> = waits.lock().unwrap().recv();
                };
                match queue {
                    Queue::Questions => {
                        let game = Hash::digest(format!("slow {number}"));
                        let _ = tables.thinking.question(game, LONG, move |_| blocks()).await;
                    }
                    _ => {
                        let _ = tables.thinking.report(None, LONG, move |_| blocks()).await;
                    }
                }
            });
        }
        let thinking = &server.tables.thinking;
        while thinking.idle(queue) > 0 || thinking.waiting(queue) == 0 {
            tokio::task::yield_now().await;
        }
    }
    latch
}

/// Plays until the computer has answered a move.
async fn computer_answers(server: &Server, set: &Json) {
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    let asked = json!({ "move": set["state"]["legal"][0], "expected_seq": set["seq"] });
    let moved = server.ask(post(&format!("/rounds/{id}/moves"), &asked).token(token)).await;
    assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
    let seq = moved.json()["seq"].as_u64().unwrap();
    loop {
        let news = server.ask(get(&format!("/api/v1/rounds/{id}/events?after={seq}&wait=30"))).await.json();
        if !news["events"].as_array().unwrap().is_empty() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_and_play_now_start_while_everything_slow_is_busy() {
    let server = Server::start(Limits::default());
    let latch = everything_slow_is_busy(&server).await;
    let begun = server.ask(form("/new", "mode=now").cookie(&browser(1))).await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER, "{begun:?}");
    let board = server.ask(get(begun.header("location")).cookie(&browser(1))).await;
    assert_eq!(board.status, StatusCode::OK, "{board:?}");
    for opponent in ["pip", "perfect"] {
        let asked = json!({ "game": "number-maze", "seats": ["me", opponent] });
        let set = server.ask(post("/rounds", &asked)).await;
        assert_eq!(set.status, StatusCode::CREATED, "{set:?}");
        computer_answers(&server, &set.json()).await;
    }
    assert!(server.tables.thinking.waiting(Queue::Reports) > 0, "the queue is still busy");
    drop(latch);
}

/// Refused as too large without a search.
const TOO_LARGE: &str = "title = 'Up and down'\nstart = 1\ntarget = 1000000000000000\nmoves = ['+1', '-1', 'x3']\n\
    range = [0, 2000000000000000]\n";

/// A round that started with a solution continues without it: later there may be no time or memory for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opponent_that_cannot_solve_the_game_still_moves() {
    let server = Server::start(Limits::default());
    let set = |opponent: &str| post("/rounds", &json!({ "rulebook": TOO_LARGE, "seats": ["me", opponent] }));
    let refused = server.ask(set("perfect")).await;
    assert!(refused.status.is_client_error(), "{refused:?}");
    let begun = server.ask(set("pip")).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{begun:?}");
    // The same round against the other opponent, as if it had started that way.
    let begun = begun.json();
    let store = &server.tables.store;
    let pips = begun["id"].as_str().unwrap().parse().unwrap();
    let mut first = store.events(pips, 0, 1).await.unwrap().remove(0);
    assert!(first.body.contains("pip"), "{first:?}");
    first.body = first.body.replace("pip", "perfect");
    let room = Room::replay(std::slice::from_ref(&first)).unwrap().unwrap();
    let (id, token) = (SittingId::random(), Secret::random());
    let write = Write {
        id,
        events: vec![first],
        listed: room.listed(),
        asked: None,
        burns: None,
        invites: vec![],
        seats: vec![(Player::One, token.hash())],
        book: None,
        open_class: None,
    };
    store.commit(vec![write]).await.unwrap()[0].clone().unwrap();
    let set =
        json!({ "id": id.to_string(), "tokens": { "1": token.reveal() }, "seq": 1, "state": begun["state"] });
    computer_answers(&server, &set).await;
}

/// The worst known books, with an opponent that needs the solution: existing rounds continue, and every request gets an
/// answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_worst_known_books_are_answered() {
    let server = Server::start(Limits::default());
    for text in [slow_books::full_of_mistakes(), slow_books::full_of_variants()] {
        let checked = server.ask(post("/check", &json!({ "rulebook": text }))).await;
        assert!(checked.status.is_success() || checked.status.is_client_error(), "{checked:?}");
    }
    for text in slow_books::BOOKS {
        let set = server.ask(post("/rounds", &json!({ "rulebook": text, "seats": ["me", "perfect"] }))).await;
        match set.status {
            StatusCode::CREATED => computer_answers(&server, &set.json()).await,
            // There was no time for it.
            StatusCode::UNPROCESSABLE_ENTITY | StatusCode::SERVICE_UNAVAILABLE => {}
            _ => panic!("{set:?}\n{text}"),
        }
    }
}

/// A slow computer isn't asked again for the same turn.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_thought_about_once() {
    let server = Server::start(Limits::default());
    let asked = json!({ "game": "number-maze", "target": 1000, "seats": ["me", "pip"] });
    let set = server.ask(post("/rounds", &asked)).await;
    assert_eq!(set.status, StatusCode::CREATED, "{set:?}");
    let set = set.json();
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    let sitting: SittingId = id.parse().unwrap();
    let room = server.tables.rooms.room(sitting).await.unwrap();
    let latch = block(&server, Queue::Moves, game(&room)).await;
    let asked = json!({ "move": set["state"]["legal"][0], "expected_seq": set["seq"] });
    let moved = server.ask(post(&format!("/rounds/{id}/moves"), &asked).token(token)).await;
    assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
    while server.tables.thinking.waiting(Queue::Moves) == 0 {
        tokio::task::yield_now().await;
    }
    for _ in 0..20 {
        server.tables.computer_plays(sitting).await.unwrap();
    }
    assert_eq!(server.tables.thinking.waiting(Queue::Moves), 1);
    drop(latch);
}

/// Runs a job of a game until the latch is dropped. No other job with the same key runs in this queue.
async fn block(server: &Server, queue: Queue, key: Hash) -> mpsc::Sender<()> {
    let ((latch, waits), (begins, mut begun)) = (mpsc::channel::<()>(), tokio::sync::mpsc::channel(1));
    let (tables, waits) = (server.tables.clone(), Mutex::new(waits));
    tokio::spawn(async move {
        let blocks = move |_: &mut Lookahead<'_>| {
            let _ = begins.try_send(());
            let _: Result<(), _> = waits.lock().unwrap().recv();
        };
        let _ = match queue {
            Queue::Moves => tables.thinking.moves(key, LONG, blocks).await,
            _ => tables.thinking.question(key, LONG, blocks).await,
        };
    });
    begun.recv().await.unwrap();
    latch
}

/// A board renders without its slow lines, and the next round starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_and_the_next_round_wait_for_no_slow_solution() {
    let server = Server::start(Limits::default());
    let new = form("/new", "mode=computer&game=number-maze&opponent=pip").cookie(&browser(1));
    let board = server.ask(new).await.header("location").to_owned();
    let id: SittingId = board.strip_prefix("/r/").unwrap().parse().unwrap();
    let resigned = server.ask(form(&format!("{board}/resign"), "").cookie(&browser(1))).await;
    assert_eq!(resigned.status, StatusCode::SEE_OTHER, "{resigned:?}");
    let room = server.tables.rooms.room(id).await.unwrap();
    let first = room.sitting().round().first();
    let latches = [
        block(&server, Queue::Moves, game(&room)).await,
        block(&server, Queue::Questions, game(&room)).await,
    ];
    let over = server.ask(get(&board).cookie(&browser(1))).await;
    assert_eq!(over.status, StatusCode::OK, "{over:?}");
    assert!(over.text.contains("Play again"), "{over:?}");
    let again = server.ask(form(&format!("{board}/rematch"), "").cookie(&browser(1))).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{again:?}");
    let room = server.tables.rooms.room(id).await.unwrap();
    assert_eq!((room.round_number(), room.sitting().round().first()), (2, !first), "the starter alternates");
    drop(latches);
}

/// However many players try a game's puzzles, they use one worker.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn puzzles_of_a_game_are_worked_on_one_at_a_time() {
    let server = Server::start(Limits::default());
    let rulebook = spoton::format::catalog::draft("number-maze").unwrap().build().unwrap();
    let latch = block(&server, Queue::Questions, Hash::digest(rulebook.whole_line())).await;
    let asks = (0..3).map(|number| {
        let server = server.clone();
        tokio::spawn(async move { server.ask(get("/puzzles/number-maze").cookie(&browser(number))).await })
    });
    let asks: Vec<_> = asks.collect();
    while server.tables.thinking.waiting(Queue::Questions) < asks.len() {
        assert!(!asks.iter().any(|ask| ask.is_finished()), "it took another worker");
        tokio::task::yield_now().await;
    }
    drop(latch);
    for ask in asks {
        assert_eq!(ask.await.unwrap().status, StatusCode::OK);
    }
}
