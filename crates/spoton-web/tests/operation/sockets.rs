//! Attacks by strangers over a connection: forging requests, impersonation, guessing, filling the store, shutting
//! others out.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketFlags, SocketType};
use serde_json::{Value as Json, json};

use crate::operation::program::{Answer, Folder, JSON, PATIENCE, Program, as_text, run, set};
use crate::operation::support::browser;

/// Returns a form as the page itself sends it.
fn form(server: &Program, cookie: &str, more: &str) -> String {
    format!(
        "cookie: seat={cookie}\r\norigin: http://{}\r\ncontent-type: application/x-www-form-urlencoded\r\n{more}",
        server.address
    )
}

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let line = answer.whole.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.unwrap_or_else(|| panic!("no {name}: {}", answer.whole))
}

/// Only programs skip the origin check: under /api/, without a cookie or with a token.
#[test]
fn a_token_without_headers_replaces_the_origin() {
    let folder = Folder::new("origin");
    let server = Program::start(&folder, &[]);
    let victim = browser(1);
    let made = server.ask("POST", "/new", &form(&server, &victim, ""), "mode=two&game=number-maze");
    let board = header(&made, "location").to_owned();
    let (id, token, _) = set(&server);
    let moves = format!("/api/v1/rounds/{id}/moves");
    let body = json!({ "move": "+1", "expected_seq": 1 }).to_string();
    let cookie = format!("cookie: seat={victim}\r\n");
    let kind = "content-type: application/x-www-form-urlencoded\r\n";
    for authorization in
        ["Basic dTpw", "Bearer x", "Digest x", "bearer", "Negotiate x", &format!("Bearer {token}")]
    {
        for site in
            ["", "origin: http://127.0.0.1:1\r\n", "origin: null\r\n", "sec-fetch-site: same-site\r\n"]
        {
            let headers = format!("{cookie}{kind}{site}authorization: {authorization}\r\n");
            let answer = server.ask("POST", &format!("{board}/resign"), &headers, "");
            assert_eq!(answer.status, 403, "{headers}: {}", answer.whole);
            let is_token = authorization.to_lowercase().starts_with("bearer ");
            let headers = format!("{cookie}{JSON}{site}authorization: {authorization}\r\n");
            let answer = server.ask("POST", "/api/v1/rounds", &headers, "{\"game\": \"number-maze\"}");
            assert_eq!(answer.status, if is_token { 201 } else { 403 }, "{headers}: {}", answer.whole);
        }
    }
    assert!(server.ask("GET", &board, &cookie, "").body.contains("id=\"choices\""), "the round continues");
    // Programs aren't affected.
    let bearer = format!("{JSON}{cookie}authorization: Bearer {token}\r\n");
    assert_eq!(server.ask("POST", &moves, &bearer, &body).status, 200);
    assert_eq!(server.ask("POST", "/api/v1/check", JSON, "{\"game\": \"number-maze\"}").status, 200);
}

#[test]
fn a_host_with_a_user_is_refused() {
    let folder = Folder::new("host");
    let server = Program::start(&folder, &[]);
    for (host, status) in [
        (server.address.clone(), 200),
        (format!("user@{}", server.address), 421),
        (format!("user:password@{}", server.address), 421),
        (format!("@{}", server.address), 421),
        (format!("evil.example@{}", server.address), 421),
    ] {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
        let mut whole = String::new();
        stream.read_to_string(&mut whole).unwrap();
        assert!(whole.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {whole}");
        assert!(!whole.contains("user@") && !whole.contains("evil.example"), "{whole}");
    }
}

/// Opens a class and returns its code.
fn class(server: &Program) -> String {
    let made = server.ask("POST", "/class", &form(server, &browser(1), ""), "game=number-maze");
    header(&made, "location").rsplit('/').next().unwrap().to_owned()
}

#[test]
fn wrong_codes_of_strangers_keep_nobody_out() {
    let folder = Folder::new("codes");
    let server = Program::start(&folder, &["--trust-proxy", "127.0.0.1"]);
    let code = class(&server);
    let join = |key: usize, from: &str, code: &str, name: &str| {
        let headers = form(&server, &browser(key), &format!("x-forwarded-for: {from}\r\n"));
        server.ask("POST", "/join", &headers, &format!("code={code}&name={name}"))
    };
    let wrong = if code == "BBBBBB" { "CCCCCC" } else { "BBBBBB" };
    // More than a thousand within a moment, from everywhere.
    for stranger in 0..1100 {
        let from = format!("203.0.{}.{}", stranger % 200, stranger / 200);
        assert_eq!(join(10_000 + stranger, &from, wrong, "Eve").status, 404);
    }
    let ann = join(2, "192.0.2.1", &code, "Ann");
    assert_eq!(ann.status, 303, "{}", ann.whole);
    // Someone in the next room guesses, each time as another browser.
    for stranger in 0..22 {
        assert_eq!(join(20_000 + stranger, "192.0.2.1", wrong, "Eve").status, 404);
    }
    let ben = join(3, "192.0.2.1", &code, "Ben");
    assert_eq!(ben.status, 303, "{}", ben.whole);
    // A player with a seat finds it without a code, however many wrong ones they entered.
    let is_refused = |_| join(2, "192.0.2.9", wrong, "Ann").status == 429;
    assert!((0..30).any(is_refused), "a browser's wrong codes are limited");
    let seat = header(&ann, "location");
    assert_eq!(header(&join(2, "192.0.2.9", &code, "Ann"), "location"), seat);
    let page = server.ask("GET", "/join", &form(&server, &browser(2), ""), "");
    assert!(
        page.body.contains(&format!("href=\"{seat}\"")) && page.body.contains("Continue as"),
        "{}",
        page.body
    );
}

/// Nobody can impersonate the opponent, however they join.
#[test]
fn nobody_passes_for_the_other_player() {
    let folder = Folder::new("names");
    let server = Program::start(&folder, &[]);
    let begin = |name: &str| {
        let asked = json!({ "game": "number-maze", "name": name });
        let answer = server.ask("POST", "/api/v1/rounds", JSON, &asked.to_string());
        (answer.status, serde_json::from_str::<Json>(&answer.body).unwrap())
    };
    let encoded = |name: &str| name.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let unseen = [
        '\u{ad}',
        '\u{34f}',
        '\u{115f}',
        '\u{2800}',
        '\u{3164}',
        '\u{e0041}',
        '\u{fe0f}',
        '\u{17b4}',
        '\u{e000}',
        '\u{378}',
    ];
    for c in unseen {
        for name in [c.to_string(), format!("Mia{c}")] {
            let (status, problem) = begin(&name);
            assert_eq!(status, 422, "U+{:04X}", u32::from(c));
            assert!(problem["detail"].as_str().unwrap().contains("visible characters"), "{problem}");
            let form = form(&server, &browser(1), "");
            let body = format!("mode=friend&name={}", encoded(&name));
            assert_eq!(server.ask("POST", "/new", &form, &body).status, 422, "U+{:04X}", u32::from(c));
        }
    }
    let (status, table) = begin("Mia");
    assert_eq!(status, 201);
    let (id, secret) = (table["id"].as_str().unwrap(), table["invitation"]["secret"].as_str().unwrap());
    let alike = ["Mia", "mia", " MIA ", "М\u{456}\u{430}", "Ｍｉａ", "Mla\u{34f}"];
    for name in alike {
        let taken = json!({ "secret": secret, "name": name }).to_string();
        let answer = server.ask("POST", &format!("/api/v1/rounds/{id}/seats"), JSON, &taken);
        assert_eq!(answer.status, 422, "{name}: {}", answer.whole);
        let body = format!("secret={secret}&name={}", encoded(name));
        let answer = server.ask("POST", &format!("/j/{id}"), &form(&server, &browser(2), ""), &body);
        assert_eq!(answer.status, 422, "{name}: {}", answer.whole);
    }
    let both = format!("mode=two&name=Mia&other={}", encoded("М\u{456}\u{430}"));
    assert_eq!(server.ask("POST", "/new", &form(&server, &browser(3), ""), &both).status, 422);
    // In a class their names are made distinct.
    let code = class(&server);
    let join = |key: usize, name: &str| {
        let body = format!("code={code}&name={}", encoded(name));
        header(&server.ask("POST", "/join", &form(&server, &browser(key), ""), &body), "location").to_owned()
    };
    let board = join(4, "Mia");
    assert_eq!(join(5, "М\u{456}\u{430}"), board);
    let page = server.ask("GET", &board, &form(&server, &browser(4), ""), "").body;
    assert!(page.contains("М\u{456}\u{430} 2"), "{page}");
}

/// An address that shares too much is refused, and can still play.
#[test]
fn nobody_fills_the_store_with_books_and_books_can_be_removed() {
    let folder = Folder::new("books");
    let server = Program::start(&folder, &["--limit", "books-of-an-address=5"]);
    let (mut shared, mut refused) = (Vec::new(), 0);
    for number in 0..12 {
        let words = "x".repeat(60 << 10);
        let book = format!(
            "title%20%3D%20%22{number}%22%0Astart%20%3D%200%0Atarget%20%3D%2020%0Amoves%20%3D%20%5B%22%2B1%22%5D%0A%23{words}"
        );
        // As another browser each time.
        let answer = server.ask(
            "POST",
            "/workshop/share",
            &form(&server, &browser(number), ""),
            &format!("rulebook={book}"),
        );
        match answer.status {
            303 => shared.push(header(&answer, "location").trim_end_matches("?shared").to_owned()),
            429 => {
                assert!(header(&answer, "retry-after").parse::<u32>().unwrap() > 0);
                refused += 1;
            }
            other => panic!("{other}: {}", answer.whole),
        }
    }
    assert!(shared.len() >= 5 && refused > 0, "{} were shared, {refused} refused", shared.len());
    let begun = server.ask("POST", "/new", &form(&server, &browser(1), ""), "mode=friend&game=number-maze");
    assert_eq!(begun.status, 303, "{}", begun.whole);
    let data = folder.file("data.db");
    let remove = |address: &str| run(&["remove", address, "--data", as_text(&data)]);
    assert_eq!(server.ask("GET", &shared[0], "", "").status, 200);
    let removed = remove(&shared[0]);
    assert!(removed.status.success(), "{removed:?}");
    assert_eq!(String::from_utf8_lossy(&removed.stdout), "Removed the rule book.\n");
    assert_eq!(server.ask("GET", &shared[0], "", "").status, 404);
    assert!(!remove(&shared[0]).status.success());
    assert!(remove(shared[1].trim_start_matches("/b/")).status.success());
}

/// Connects from one of this machine's addresses.
fn connect(from: [u8; 4], to: &str) -> TcpStream {
    // Servers of parallel tests don't inherit it.
    let (kind, flags) = (SocketType::STREAM, SocketFlags::CLOEXEC);
    let socket = rustix::net::socket_with(AddressFamily::INET, kind, flags, None).unwrap();
    rustix::net::bind(&socket, &SocketAddr::new(IpAddr::from(from), 0)).unwrap();
    rustix::net::connect(&socket, &to.parse::<SocketAddr>().unwrap()).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Waits until a condition holds.
fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "timeout");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the status of a request; 0 if the connection closes without one.
fn status(stream: &mut TcpStream) -> u16 {
    let mut begin = [0; 12];
    match stream.read_exact(&mut begin) {
        Ok(()) => String::from_utf8_lossy(&begin[9..]).parse().unwrap(),
        Err(_) => 0,
    }
}

/// Neither with connections nor with long polls.
#[cfg(target_os = "linux")]
#[test]
fn one_address_cannot_shut_out_the_others() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let most = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most }).unwrap();
    assert!(most.is_none_or(|most| most > 3000), "this needs 3000 open files: ulimit -n 3000");
    let folder = Folder::new("connections");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 2048 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spoton-web")]);
    let server = Program::start_by(&mut command, &folder, &folder.file("data.db"), &[]);
    let (id, token, _) = set(&server);
    let waits = format!("/api/v1/rounds/{id}/events?after=1&wait=30");
    let ask = |stream: &mut TcpStream, path: &str| {
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address)
    };
    let mut greedy: Vec<TcpStream> = (0..2200).map(|_| connect([127, 0, 0, 1], &server.address)).collect();
    for stream in &mut greedy {
        // Closed ones fail, which is fine.
        let _ = ask(stream, &waits);
    }
    // Others can look and play, however many connections wait.
    let mut other = connect([127, 0, 0, 2], &server.address);
    ask(&mut other, "/").unwrap();
    assert_eq!(status(&mut other), 200);
    let mut player = connect([127, 0, 0, 3], &server.address);
    let body = json!({ "move": "+1", "expected_seq": 1 }).to_string();
    write!(
        player,
        "POST /api/v1/rounds/{id}/moves HTTP/1.1\r\nhost: {}\r\n{JSON}authorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    )
    .unwrap();
    assert_eq!(status(&mut player), 200);
    // The move is news for the accepted ones only.
    let answered = greedy.iter_mut().map(status).filter(|status| *status == 200).count();
    assert!((500..=1024).contains(&answered), "{answered} were accepted");
}

/// A trusted proxy carries many clients, who count by their own addresses.
#[cfg(target_os = "linux")]
#[test]
fn connections_count_by_address_except_those_of_proxies() {
    let folder = Folder::new("proxies");
    let limits = ["--trust-proxy", "127.0.0.1", "--limit", "connections-of-an-address=2"];
    let server = Program::start(&folder, &limits);
    let (id, _, _) = set(&server);
    let stream = |from| {
        let mut stream = connect(from, &server.address);
        let path = format!("/api/v1/rounds/{id}/events");
        let _ = write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        (status(&mut stream), stream)
    };
    let of_proxy: Vec<_> = (0..5).map(|_| stream([127, 0, 0, 1])).collect();
    assert!(of_proxy.iter().all(|(status, _)| *status == 200));
    let [first, second, third] = [(); 3].map(|()| stream([127, 0, 0, 2]));
    assert_eq!((first.0, second.0), (200, 200), "two are allowed");
    assert!(matches!(third.0, 429 | 0), "{}", third.0);
    // A client that sends nothing can read the whole error response, with the default headers.
    let mut refused = String::new();
    connect([127, 0, 0, 2], &server.address).read_to_string(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    for name in ["content-security-policy", "x-content-type-options", "referrer-policy", "cache-control"] {
        assert!(refused.contains(&format!("\r\n{name}: ")), "{name}: {refused}");
    }
    assert!(refused.ends_with("\r\n\r\nToo many connections. Try again in a few seconds.\n"), "{refused}");
    // A closed connection makes room, as soon as the server notices.
    drop(first);
    until(|| stream([127, 0, 0, 2]).0 == 200);
}

/// Behind a proxy connections don't count by address, but no client gets more than half of them for streams.
#[cfg(target_os = "linux")]
#[test]
fn one_client_behind_a_proxy_cannot_shut_out_the_others() {
    let folder = Folder::new("behind-proxy");
    let mut command = Command::new("sh");
    // 128 of them are reserved.
    command.args(["-c", "ulimit -n 228 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_spoton-web")]);
    let arguments = ["--trust-proxy", "127.0.0.1"];
    let server = Program::start_by(&mut command, &folder, &folder.file("data.db"), &arguments);
    let (id, _, _) = set(&server);
    let ask = |client: &str, path: &str| {
        let mut stream = connect([127, 0, 0, 1], &server.address);
        let host = &server.address;
        let _ = write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nx-forwarded-for: {client}\r\n\r\n");
        (status(&mut stream), stream)
    };
    let events = format!("/api/v1/rounds/{id}/events");
    let mut open = Vec::new();
    for _ in 0..120 {
        let (status, stream) = ask("192.0.2.1", &events);
        if status == 200 {
            open.push(stream);
        }
    }
    assert_eq!(open.len(), 50, "half of 100");
    let (other, _stream) = ask("192.0.2.2", &events);
    assert_eq!(other, 200);
    assert_eq!(ask("192.0.2.2", "/").0, 200);
}

/// Long polls count as streams, however few connections there are.
#[test]
fn requests_that_wait_are_counted_by_address() {
    let folder = Folder::new("polls");
    let server = Program::start(&folder, &["--limit", "streams-of-an-address=3"]);
    let (id, token, _) = set(&server);
    let mut waiting = Vec::new();
    let poll = |from| {
        let mut stream = connect(from, &server.address);
        let path = format!("/api/v1/rounds/{id}/events?after=1&wait=30");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address).unwrap();
        stream
    };
    for _ in 0..3 {
        waiting.push(poll([127, 0, 0, 1]));
    }
    let admin = server.admin();
    let streams = || crate::operation::program::ask(&admin, "GET", "/metrics", "", "").body;
    until(|| streams().contains("spoton_streams_open 3\n"));
    assert_eq!(status(&mut poll([127, 0, 0, 1])), 429);
    // Requests that don't wait aren't counted.
    assert_eq!(server.ask("GET", &format!("/api/v1/rounds/{id}/events?after=1&wait=0"), "", "").status, 200);
    let body = json!({ "move": "+1", "expected_seq": 1 }).to_string();
    let bearer = format!("{JSON}authorization: Bearer {token}\r\n");
    assert_eq!(server.ask("POST", &format!("/api/v1/rounds/{id}/moves"), &bearer, &body).status, 200);
    for stream in &mut waiting {
        assert_eq!(status(stream), 200);
    }
}
