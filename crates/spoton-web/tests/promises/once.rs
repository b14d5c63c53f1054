//! W3, S3 and S4: an invitation works once, one of many concurrent requests wins, and retries are safe.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Barrier;

use crate::support::{Answer, Program, ask, browser, of_browser, of_program, request, send, text};

/// Sends many requests at the same moment, over open connections.
async fn at_once(server: &Program, requests: Vec<String>) -> Vec<Answer> {
    let start = Arc::new(Barrier::new(requests.len()));
    let asking: Vec<_> = requests
        .into_iter()
        .map(|request| {
            let (start, address) = (Arc::clone(&start), server.address.clone());
            tokio::spawn(async move {
                let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
                start.wait().await;
                stream.write_all(request.as_bytes()).await.unwrap();
                let mut whole = Vec::new();
                stream.read_to_end(&mut whole).await.unwrap();
                Answer::read(&whole).unwrap()
            })
        })
        .collect();
    let mut answers = Vec::new();
    for asked in asking {
        answers.push(asked.await.unwrap());
    }
    answers
}

/// W3: a hundred views by machines or people use up nothing; of two hundred concurrent joins one succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_taken_once() {
    let server = Program::start("link");
    let host = of_browser(&server.address, &browser(999));
    let made = server.ask("POST", "/new", &host, "mode=friend").await;
    assert_eq!(made.status, 303, "{made:?}");
    let id = made.head.lines().find_map(|line| line.strip_prefix("location: /r/")).unwrap().to_owned();
    let board = server.ask("GET", &format!("/r/{id}"), &host, "").await.body;
    let secret = board.split_once(&format!("/j/{id}#")).unwrap().1.split('"').next().unwrap().to_owned();
    for look in 0..100 {
        let headers = match look % 3 {
            0 => String::new(),
            1 => of_browser(&server.address, &browser(look)),
            _ => "user-agent: Preview/1.0\r\n".to_owned(),
        };
        let path = [format!("/j/{id}"), format!("/j/{id}?secret={secret}")][look % 2].clone();
        let seen = server.ask(["GET", "HEAD"][look / 2 % 2], &path, &headers, "").await;
        assert_eq!(seen.status, 200, "{seen:?}");
    }
    assert_eq!(server.events(&id).await.len(), 1, "a view changed something");

    // Half of them on the page, half through the interface.
    let requests = (0..200).map(|number| {
        let (path, headers, body) = match number % 2 {
            0 => {
                let headers = of_browser(&server.address, &browser(number));
                (format!("/j/{id}"), headers, format!("secret={secret}&name=Guest{number}"))
            }
            _ => {
                let body = json!({ "secret": secret }).to_string();
                (format!("/api/v1/rounds/{id}/seats"), of_program(""), body)
            }
        };
        request(&server.address, "POST", &path, &headers, &body)
    });
    let answers = at_once(&server, requests.collect()).await;
    let events = server.events(&id).await;
    assert_eq!((events.len(), &events[1]["kind"]), (2, &json!("seat-taken")), "{events:?}");
    // On the page latecomers get the board too, to watch; only one browser has a seat there.
    let tokens =
        answers.iter().filter(|answer| answer.status == 200 && answer.body.contains("\"token\"")).count();
    let mut seated = tokens;
    for number in (0..200).step_by(2) {
        let headers = of_browser(&server.address, &browser(number));
        let board = server.ask("GET", &format!("/r/{id}"), &headers, "").await;
        assert_eq!(board.status, 200);
        seated += usize::from(board.body.contains(&format!("/r/{id}/device")));
    }
    assert_eq!(seated, 1, "{answers:?}");
    for answer in answers {
        assert!(matches!(answer.status, 200 | 303 | 409 | 410), "{answer:?}");
    }
}

/// S3: fifty requests with the same last event: one succeeds, and the others get the current state.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_fifty_is_first_on_every_turn() {
    let server = Program::start("first");
    let table = server.table(json!({ "game": "number-maze", "target": 1000 })).await;
    let mut state = table.state.clone();
    for _ in 0..4 {
        let turn = state["turn"].as_u64().unwrap() as usize;
        let legal = state["legal"].as_array().unwrap().clone();
        let seq = state["seq"].as_u64().unwrap();
        let requests = (0..50).map(|number| {
            let body = json!({ "move": legal[number % legal.len()], "expected_seq": seq }).to_string();
            let path = format!("/api/v1/rounds/{}/moves", table.id);
            request(&server.address, "POST", &path, &of_program(&table.tokens[turn - 1]), &body)
        });
        let answers = at_once(&server, requests.collect()).await;
        let (done, late): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!((done.len(), late.len()), (1, 49));
        let now = done[0].json()["state"].clone();
        for answer in late {
            assert_eq!(answer.status, 409, "{answer:?}");
            assert_eq!(answer.json()["state"], now, "the conflict has the current state");
        }
        assert_eq!(now["seq"], json!(seq + 1));
        state = now;
    }
    assert!(server.is_gapless(&table.id).await);
    assert_eq!(server.events(&table.id).await.len(), 2 + 4);
}

/// A proxy that receives each whole answer but forwards only some tenths of it.
async fn cutting_proxy(server: &str, tenths: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = server.to_owned();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut asked = Vec::new();
            let mut part = [0; 4096];
            // The body matches its Content-Length.
            let is_whole = |asked: &[u8]| {
                let text = String::from_utf8_lossy(asked).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
                let length = head.split_once("content-length: ").unwrap().1.split("\r\n").next().unwrap();
                body.len() >= length.parse::<usize>().unwrap()
            };
            while !is_whole(&asked) {
                match client.read(&mut part).await {
                    Ok(bytes @ 1..) => asked.extend(&part[..bytes]),
                    _ => return,
                }
            }
            // Once the answer arrives, the command is done and on disk.
            let answer = send(&server, &asked).await;
            assert!(answer.starts_with(b"HTTP/1.1 "), "the server answers");
            let _ = client.write_all(&answer[..answer.len() * tenths / 10]).await;
        }
    });
    address
}

/// S4: a keyed request's answer is lost ten times, cut off at ten different points. Ten more retries get the same
/// answer, and the command has run only once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trying_again_is_free() {
    let server = Program::start("again");
    let mut proxies = Vec::new();
    for tenths in 0..10 {
        proxies.push(cutting_proxy(&server.address, tenths).await);
    }
    // The server's host, not the proxy's.
    let lost_and_found = async |path: &str, token: &str, key: &str, body: Json| -> Json {
        let headers = format!("{}idempotency-key: {key}\r\n", of_program(token));
        let path = format!("/api/v1{path}");
        let body = body.to_string();
        for proxy in &proxies {
            let bytes = request(&server.address, "POST", &path, &headers, &body);
            let cut = send(proxy, bytes.as_bytes()).await;
            let length = Answer::read(&cut).map(|answer| answer.body.len());
            assert!(length.is_none_or(|length| length < 10_000), "it was cut");
        }
        let mut answers = Vec::new();
        for _ in 0..10 {
            answers.push(ask(&server.address, "POST", &path, &headers, &body).await.unwrap());
        }
        for answer in &answers {
            assert!(matches!(answer.status, 200 | 201), "{answer:?}");
            assert_eq!((answer.status, &answer.body), (answers[0].status, &answers[0].body));
        }
        answers[0].json()
    };
    let long_key = |number: u8| format!("4b2c9f1e-0000-4000-8000-0000000000{number:02}");
    let set = lost_and_found("/rounds", "", &long_key(1), json!({ "game": "number-maze" })).await;
    let (id, one) = (text(&set["id"]), text(&set["tokens"]["1"]));
    assert_eq!(server.events(&id).await.len(), 1);
    let secret = json!({ "secret": set["invitation"]["secret"], "name": "Guest" });
    let taken = lost_and_found(&format!("/rounds/{id}/seats"), "", &long_key(2), secret).await;
    let two = text(&taken["token"]);
    let path = |what: &str| format!("/rounds/{id}/{what}");
    let asked = json!({ "move": "x2", "expected_seq": 2 });
    let moved = lost_and_found(&path("moves"), &one, "a", asked.clone()).await;
    assert_eq!(moved["state"]["history"], json!(["x2"]));
    lost_and_found(&path("moves"), &two, "a", json!({ "move": "+1", "expected_seq": 3 })).await;
    lost_and_found(&path("take-back"), &two, "b", json!({})).await;
    lost_and_found(&path("take-back"), &one, "b", json!({})).await;
    // A retry of the first move gets its original answer, however late.
    assert_eq!(lost_and_found(&path("moves"), &one, "a", asked).await, moved);
    lost_and_found(&path("resign"), &two, "c", json!({})).await;
    lost_and_found(&path("rematch"), &one, "d", json!({})).await;
    let begun = lost_and_found(&path("rematch"), &two, "d", json!({})).await;
    assert_eq!((&begun["state"]["round"], &begun["state"]["history"]), (&json!(2), &json!([])));
    let kinds: Vec<String> = server.events(&id).await.iter().map(|event| text(&event["kind"])).collect();
    let once = [
        "created",
        "seat-taken",
        "move",
        "move",
        "offered",
        "taken-back",
        "resigned",
        "offered",
        "round-begun",
    ];
    assert_eq!(kinds, once);
}

/// The same on a page: its form has the key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pressing_again_is_free() {
    let server = Program::start("press");
    let headers = of_browser(&server.address, &browser(1));
    let made = server.ask("POST", "/new", &headers, "mode=two&game=number-maze").await;
    let id = made.head.lines().find_map(|line| line.strip_prefix("location: /r/")).unwrap().to_owned();
    let board = server.ask("GET", &format!("/r/{id}"), &headers, "").await.body;
    let field = |name: &str| {
        let (_, rest) = board.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let body = format!("seq={}&key={}&move=x2", field("seq"), field("key"));
    let bytes = request(&server.address, "POST", &format!("/r/{id}/move"), &headers, &body);
    for tenths in 0..10 {
        let proxy = cutting_proxy(&server.address, tenths).await;
        send(&proxy, bytes.as_bytes()).await;
    }
    for _ in 0..10 {
        let answer = server.ask("POST", &format!("/r/{id}/move"), &headers, &body).await;
        assert_eq!(answer.status, 303, "{answer:?}");
    }
    assert_eq!(server.events(&id).await.len(), 2);
}
