//! Odd requests of all kinds: each gets a sentence or is cut off, none hangs or causes a server error, and later
//! requests work.

use serde_json::json;

use crate::support::{Answer, Program, browser, of_browser, of_program, send};

/// Sends raw bytes and returns the raw answers.
async fn raw(server: &Program, bytes: &[u8]) -> Vec<u8> {
    // An open connection ends at the header timeout, at the latest.
    send(&server.address, bytes).await
}

fn is_no_fault(answer: &[u8], what: &str) {
    let text = String::from_utf8_lossy(answer);
    assert!(!text.contains("HTTP/1.1 500") && !text.contains("HTTP/1.1 502"), "{what}: {text}");
    if let Some(answer) = Answer::read(answer) {
        assert!(answer.status < 500 || answer.status == 503 && answer.says_when(), "{what}: {answer:?}");
    }
}

async fn serves_others(server: &Program) {
    let table = server.table(json!({ "game": "number-maze" })).await;
    let asked = json!({ "move": "x2", "expected_seq": 2 });
    let moved = server.post(&format!("/rounds/{}/moves", table.id), &table.tokens[0], &asked).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    let log = server.log();
    assert!(!log.contains("panic") && !log.contains("ERROR"), "{log}");
    assert_eq!(server.metric("spoton_panics_total").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_forms_are_answered_in_words() {
    let server = Program::start("forms");
    let headers = of_browser(&server.address, &browser(1));
    let made = server.ask("POST", "/new", &headers, "mode=two&game=number-maze").await;
    let id = made.head.lines().find_map(|line| line.strip_prefix("location: /r/")).unwrap().to_owned();
    let class = server.ask("POST", "/class", &headers, "game=number-maze").await;
    let code = class.head.lines().find_map(|line| line.strip_prefix("location: /class/"));
    let code = code.unwrap_or_else(|| panic!("{class:?}")).to_uppercase();
    let paths = [
        "/new",
        "/class",
        "/join",
        "/today",
        "/puzzles/any",
        "/puzzles/any/next",
        "/puzzles/number-maze",
        "/workshop",
        "/workshop/share",
        "/r/ID/move",
        "/r/ID/both",
        "/r/ID/device",
        "/r/ID/computer",
        "/r/ID/next",
        "/r/ID/play-on",
        "/r/ID/hint",
        "/r/ID/why",
        "/r/ID/take-back",
        "/r/ID/rematch",
        "/r/ID/another-target",
        "/r/ID/decline",
        "/r/ID/abandon",
        "/j/ID",
        "/class/CODE/open",
        "/class/CODE/close",
        "/class/CODE/nothing",
    ];
    let huge = "9".repeat(400);
    let long = "x".repeat(10_000);
    let mut bodies: Vec<Vec<u8>> = [
        "",
        "=",
        "&",
        "&&&===",
        "%",
        "%zz",
        "%00",
        "\0",
        "a",
        "move",
        "move=",
        "move=%00",
        "move=x2&move=x3",
        "seq=1&seq=2",
        "seq=",
        "seq=-1",
        "seq=x",
        "seq=1.5",
        "seq=1e99",
        "seq=99999999999999999999",
        "round=0",
        "round=-1",
        "round=18446744073709551615",
        "step=18446744073709551615",
        "step=-1",
        "round=1&step=99999999999999999999",
        "made=18446744073709551615&puzzle=x&move=x2",
        "puzzle=%00&made=0",
        "puzzle=number-maze&made=0&move=%ff",
        "day=0000-00-00",
        "day=9999-12-31",
        "day=99999-01-01",
        "day=-1",
        "day=%00",
        "day=2026-02-30",
        "mode=computer",
        "mode=computer&opponent=%00",
        "mode=computer&opponent=perfect&first=0",
        "mode=two&first=255",
        "mode=two&first=256",
        "mode=friend&target=-1",
        "mode=friend&target=1e3",
        "mode=two&target=0",
        "game=../../x",
        "game=%2e%2e%2f",
        "book=../../etc/passwd",
        "book=00000000000000000000000000",
        "variant=%00&mode=two",
        "mode=two&name=%F0%9F%98%80&other=%E2%80%AE",
        "name=%ff%fe&mode=two",
        "mode=two&name=%00",
        "secret=",
        "secret=%00",
        "code=BCDFGH&name=",
        "code=BCDFGH&name=%E2%80%8B",
        "code=BCDFGHJK&name=Ann",
        "code=%00%00%00%00%00%00",
        "rulebook=",
        "rulebook=%00",
        "rulebook=%5B%5B%5B",
        "text=%FF",
        "rulebook=target%20%3D%201e999",
        "typed=%00",
        "typed=%2B99999999999999999999999999999999999999999",
        "why=1&key=",
        "key=%00&move=x2&seq=1",
    ]
    .iter()
    .map(|body| body.as_bytes().to_vec())
    .collect();
    bodies.push(b"move=\xff\xfe\x00".to_vec());
    bodies.push(b"\xff\xfe".to_vec());
    bodies.push(
        format!("seq={huge}&target={huge}&round={huge}&made={huge}&first={huge}&mode=two").into_bytes(),
    );
    bodies.push(format!("mode=two&target={huge}").into_bytes());
    bodies.push(
        format!("typed={long}&move={long}&name={long}&code={long}&secret={long}&idea={long}").into_bytes(),
    );
    bodies.push(format!("mode=two&name={long}").into_bytes());
    bodies.push("a=1&".repeat(3_000).into_bytes());
    for path in paths {
        let path = path.replace("ID", &id).replace("CODE", &code);
        for body in &bodies {
            let head = format!(
                "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n",
                server.address,
                body.len()
            );
            let answer = raw(&server, &[head.as_bytes(), body].concat()).await;
            let what = format!("{path} {}", String::from_utf8_lossy(&body[..body.len().min(80)]));
            assert!(!answer.is_empty(), "{what} got no answer");
            is_no_fault(&answer, &what);
        }
    }
    serves_others(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_json_is_answered_in_words() {
    let server = Program::start("json");
    let table = server.table(json!({ "game": "number-maze", "terms": { "hints": true } })).await;
    let headers = of_program(&table.tokens[0]);
    let commands = ["moves", "take-back", "rematch", "resign", "abandon", "hint", "seats"];
    let mut paths: Vec<String> = commands.map(|what| format!("/rounds/{}/{what}", table.id)).into();
    paths.extend(["/rounds", "/check", "/solve", "/audit"].map(str::to_owned));
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let odd = [
        "",
        "null",
        "0",
        "\"\"",
        "[]",
        "{",
        "{}x",
        "{\"move\":1}",
        "{\"move\":null}",
        "{\"move\":\"\\u0000\",\"expected_seq\":2}",
        "{\"move\":\"\\ud800\",\"expected_seq\":2}",
        "{\"move\":\"x2\",\"expected_seq\":-1}",
        "{\"move\":\"x2\",\"expected_seq\":1e400}",
        "{\"move\":\"x2\",\"expected_seq\":18446744073709551616}",
        "{\"move\":\"x2\",\"move\":\"x3\",\"expected_seq\":2}",
        "{\"decline\":\"yes\"}",
        "{\"game\":\"number-maze\",\"target\":1e30}",
        "{\"game\":\"number-maze\",\"target\":-5}",
        "{\"game\":\"number-maze\",\"target\":0.5}",
        "{\"game\":[]}",
        "{\"game\":\"number-maze\",\"target\":9223372036854775807}",
        "{\"game\":\"number-maze\",\"target\":1000000000000000000}",
        "{\"game\":\"number-maze\",\"settings\":{\"start\":\"x\"}}",
        "{\"game\":\"number-maze\",\"settings\":[1]}",
        "{\"game\":\"number-maze\",\"seats\":[]}",
        "{\"game\":\"number-maze\",\"seats\":[\"me\"]}",
        "{\"game\":\"number-maze\",\"seats\":[\"pip\",\"sage\"]}",
        "{\"game\":\"number-maze\",\"first\":3}",
        "{\"game\":\"number-maze\",\"first\":-1}",
        "{\"game\":\"number-maze\",\"name\":\"\\u202e\"}",
        "{\"rulebook\":\"\"}",
        "{\"rulebook\":\"\\u0000\"}",
        "{\"rulebook\":\"[[moves]]\",\"game\":\"number-maze\"}",
        "{\"secret\":\"\"}",
        "{\"secret\":\"x\",\"name\":\"\"}",
        &deep,
        "\u{feff}{}",
    ];
    for path in &paths {
        for body in odd {
            let answer = server.ask("POST", &format!("/api/v1{path}"), &headers, body).await;
            let what = format!("{path} {}", &body[..body.len().min(80)]);
            assert!(answer.status < 500, "{what}: {answer:?}");
            if answer.status >= 400 {
                assert!(answer.head.contains("application/problem+json"), "{what}: {answer:?}");
                assert!(answer.json()["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{what}");
            }
        }
        // Not even text, with every content type.
        for kind in
            ["application/json", "text/plain", "application/json; charset=latin1", "", "multipart/form-data"]
        {
            let head = format!(
                "POST /api/v1{path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: {kind}\r\n\
                 authorization: Bearer {}\r\ncontent-length: 4\r\n\r\n",
                server.address, table.tokens[0]
            );
            is_no_fault(&raw(&server, &[head.as_bytes(), b"\xff\x00{}"].concat()).await, path);
        }
    }
    serves_others(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_addresses_and_headers_are_answered_in_words() {
    let server = Program::start("addresses");
    let table = server.table(json!({ "game": "number-maze" })).await;
    let id = &table.id;
    let paths = [
        "/..",
        "/../",
        "/static/../Cargo.toml",
        "/static/..%2f..%2fCargo.toml",
        "/static/%2e%2e/%2e%2e/x",
        "//",
        "//evil.example",
        "/%",
        "/%00",
        "/%ff",
        "/r/%00",
        "/r/%2f",
        "/r/ID%2fmove",
        "/r/ID/",
        "/r/ID//",
        "/r/ID/..",
        "/r/ID%00",
        "/r/..%2fID",
        "/games/..",
        "/games/%2e%2e",
        "/games/%00",
        "/games/number-maze%2ffacts",
        "/games/number-maze/facts?variant=%00",
        "/games/number-maze/facts?target=99999999999999999999",
        "/games/number-maze/map?target=-1",
        "/b/",
        "/b/%00",
        "/b/..",
        "/b/zzzzzzzzzzzzzzzzzzzzzzzzzz",
        "/b/zzzzzzzzzzzzzzzzzzzzzzzzzz/map",
        "/class/",
        "/class/%00",
        "/class/BCDFGH",
        "/class?book=%00",
        "/class?book=..",
        "/class?book=a&book=b",
        "/join?code=%00",
        "/join?code=BCDFGH&code=BCDFGH",
        "/device?code=%ff",
        "/puzzles/%00",
        "/puzzles/..",
        "/past?page=-1",
        "/past?page=0",
        "/past?page=99999999999999999999",
        "/past?page=x",
        "/today?day=%00",
        "/today?day=0001-01-01",
        "/today?day=9999-12-31",
        "/today?day=2026-13-45",
        "/r/ID?idea=%00",
        "/r/ID?idea=%ff&idea=x",
        "/r/ID/stream?after=-1",
        "/r/ID/stream?after=99999999999999999999",
        "/r/ID/look-back?step=99999999999999999999",
        "/workshop?like=%00",
        "/workshop?book=%00",
        "/workshop?like=..",
        "/api/v1/rounds/ID/events?after=-1",
        "/api/v1/rounds/ID/events?after=18446744073709551615&wait=0",
        "/api/v1/rounds/ID/events?wait=-1",
        "/api/v1/rounds/ID/events?wait=x",
        "/api/v1/rounds/ID/record?round=0",
        "/api/v1/rounds/ID/record?round=18446744073709551615",
        "/api/v1/rounds/ID/record?round=a&round=b",
        "/api/v1/rounds/ID/review",
        "/api/v1/rounds/%00",
        "/api/v1/rounds/..%2f..",
        "/api/v1/games/%2e%2e",
        "/api/v1/games/%00",
        "/api/v1/",
        "/api/v1",
        "/api/",
        "/api/v1/openapi.json?x=%00",
        "/?x=%00",
        "*",
        "http://evil.example/",
        "relative",
    ];
    for path in paths {
        let path = path.replace("ID", id);
        for method in ["GET", "HEAD", "OPTIONS", "PUT", "TRACE", "CONNECT", "get", "PROPFIND"] {
            let request =
                format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address);
            // A stream has no end; other tests cover it.
            if method == "GET" && path.contains("/stream?after=9") {
                continue;
            }
            let answer = raw(&server, request.as_bytes()).await;
            assert!(!answer.is_empty(), "{method} {path} got no answer");
            is_no_fault(&answer, &format!("{method} {path}"));
        }
    }
    let long = "x".repeat(8_000);
    let headers = [
        "cookie: seat",
        "cookie: seat=",
        "cookie: =",
        "cookie: ;;;",
        "cookie: seat=\u{7f}",
        "cookie: seat=\"x\"",
        "cookie: seat=a; seat=b; seat=c",
        "cookie: seat=é",
        "range: bytes=0-1",
        "range: bytes=-1",
        "range: bytes=9999-",
        "range: x",
        "range: bytes=5-1,7-",
        "if-none-match: *",
        "if-none-match: \"",
        "if-modified-since: never",
        "expect: x",
        "accept-encoding: gzip;q=nan, br, *",
        "accept-encoding: \u{1}",
        "accept: x/y",
        "te: trailers",
        "upgrade: h2c",
        "connection: upgrade",
        "http2-settings: x",
        "x-forwarded-for: ,,,",
        "x-forwarded-for: 999.999.999.999",
        "x-seq: -1",
        "x-seq: 99999999999999999999",
        "last-event-id: \u{b5}",
        "last-event-id: -1",
        "idempotency-key: ",
        "host: evil.example",
        "authorization: Bearer \u{ff}",
        "authorization: Bearer",
        "origin: null",
        "origin: \u{ff}",
        "sec-fetch-site: x",
        "transfer-encoding: x",
        "content-length: -1",
        "content-length: x",
        "content-length: 99999999999999999999",
        "x",
        ": x",
        "x : y",
        "content-type: \u{ff}",
    ];
    let long_cookie = format!("cookie: seat={long}");
    let many = "x: y\r\n".repeat(90);
    let all =
        headers.iter().map(|header| (*header).to_owned()).chain([long_cookie, many.trim_end().to_owned()]);
    for header in all {
        for (method, path) in [
            ("GET", "/".to_owned()),
            ("GET", "/static/app.css".to_owned()),
            ("GET", format!("/r/{id}")),
            ("GET", format!("/api/v1/rounds/{id}")),
            ("POST", format!("/r/{id}/move")),
            ("POST", format!("/api/v1/rounds/{id}/moves")),
        ] {
            let request = format!(
                "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{header}\r\n\r\n",
                server.address
            );
            is_no_fault(&raw(&server, request.as_bytes()).await, &format!("{method} {path} {header}"));
        }
    }
    serves_others(&server).await;
}

/// Other protocol errors.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_conversations_end() {
    let server = Program::start("conversations");
    let host = format!("host: {}\r\n", server.address);
    let json = "content-type: application/json\r\n";
    let check = "{\"game\":\"number-maze\"}";
    let talks = [
        // HTTP/1.0, with and without a host.
        format!("GET / HTTP/1.0\r\n{host}\r\n"),
        "GET / HTTP/1.0\r\n\r\n".to_owned(),
        "GET /\r\n\r\n".to_owned(),
        format!("GET / HTTP/2.0\r\n{host}\r\n"),
        format!("GET / HTTP/9.9\r\n{host}\r\n"),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\r\n\r\n\r\n".to_owned(),
        "\0\0\0\0\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}".to_owned(),
        // A body without a length, one longer than its length, and both.
        format!("POST /api/v1/check HTTP/1.1\r\n{host}{json}connection: close\r\n\r\n{check}"),
        format!(
            "POST /api/v1/check HTTP/1.1\r\n{host}{json}content-length: 3\r\nconnection: close\r\n\r\n{check}"
        ),
        format!(
            "POST /api/v1/check HTTP/1.1\r\n{host}{json}content-length: 3\r\ncontent-length: 4\r\n\r\n{check}"
        ),
        format!(
            "POST /api/v1/check HTTP/1.1\r\n{host}{json}content-length: 3\r\ntransfer-encoding: chunked\r\n\
             connection: close\r\n\r\n0\r\n\r\n"
        ),
        format!(
            "POST /api/v1/check HTTP/1.1\r\n{host}{json}transfer-encoding: chunked\r\nconnection: close\r\n\r\n\
             zz\r\n{check}\r\n0\r\n\r\n"
        ),
        format!(
            "POST /api/v1/check HTTP/1.1\r\n{host}{json}transfer-encoding: chunked\r\nconnection: close\r\n\r\n\
             ffffffffffffffff\r\n{check}"
        ),
        format!(
            "POST /api/v1/check HTTP/1.1\r\n{host}{json}expect: 100-continue\r\nconnection: close\r\n\r\n"
        ),
    ];
    for talk in talks {
        let mut bytes = talk.clone().into_bytes();
        // Some of them would wait for more.
        bytes.extend(b"");
        is_no_fault(&raw(&server, &bytes).await, &talk);
    }
    // A chunked body works like one with a length.
    let length = check.len();
    let pieces = format!(
        "POST /api/v1/solve HTTP/1.1\r\n{host}{json}transfer-encoding: chunked\r\nconnection: close\r\n\r\n\
         {length:x}\r\n{check}\r\n0\r\n\r\n"
    );
    let answer = Answer::read(&raw(&server, pieces.as_bytes()).await).unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");

    // Pipelined requests: each gets an answer, in order.
    let paths = ["/", "/games", "/nothing", "/api/v1/games", "/static/app.css"];
    let mut talk: String = paths.map(|path| format!("GET {path} HTTP/1.1\r\n{host}\r\n")).concat();
    talk += &format!("GET /past HTTP/1.1\r\n{host}connection: close\r\n\r\n");
    let answers = String::from_utf8_lossy(&raw(&server, talk.as_bytes()).await).into_owned();
    let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|rest| &rest[..3]).collect();
    assert_eq!(statuses, ["200", "200", "404", "200", "200", "200"], "{answers}");
    serves_others(&server).await;
}
