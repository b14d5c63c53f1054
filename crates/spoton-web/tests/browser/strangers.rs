//! Attacks: other sites, and scripts in every text.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

use crate::driver::{Chrome, Kind, Server};
use crate::rounds::{invite, make_a_move, two_on_this_device};

/// Serves a page on another origin until the test ends.
fn foreign_site(page: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
                page.len()
            );
        }
    });
    address
}

/// W4: another site can't move for you, whichever way it tries. The same request from the page itself works.
#[tokio::test]
async fn another_site_cannot_move_for_you() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let victim = chrome.browser(Kind::default()).await;
    victim.open(&server.address).await;
    two_on_this_device(&victim).await;
    victim.wait_for("document.querySelector('#choices')").await;
    let board = victim.at().await;
    let before = victim.seq().await;
    let written = victim.ask("document.querySelector('#choices button[name=move]:enabled').value").await;
    let written = written.as_str().unwrap().to_owned();
    let (target, field) = (format!("{board}/move"), format!("move={written}&seq={before}"));
    // One page per attack: a form in each encoding, and fetch in each mode.
    let form = |kind: &str| {
        format!(
            "<form id=f method=post enctype='{kind}' action='{target}'><input name=move value='{written}'>\
             <input name=seq value={before}></form><script>document.getElementById('f').submit()</script>"
        )
    };
    let fetched = |mode: &str, kind: &str| {
        format!(
            "<script>fetch('{target}', {{ method: 'POST', mode: '{mode}', credentials: 'include', \
             headers: {{ 'content-type': '{kind}' }}, body: '{field}' }}).catch(() => 0)\
             .then(() => document.title = 'tried')</script>"
        )
    };
    let forms = [form("application/x-www-form-urlencoded"), form("text/plain"), form("multipart/form-data")];
    for page in forms {
        let site = foreign_site(page);
        victim.open(&site).await;
        victim.wait_for(&format!("location.href.startsWith('{target}')")).await;
        assert!(!victim.has("#board").await, "the request is refused");
    }
    let plain = "application/x-www-form-urlencoded";
    let fetches = [fetched("no-cors", plain), fetched("cors", plain), fetched("no-cors", "text/plain")];
    for page in fetches {
        let site = foreign_site(page);
        victim.open(&site).await;
        victim.wait_for("document.title == 'tried'").await;
    }
    victim.open(&board).await;
    assert_eq!(victim.seq().await, before, "nothing happened");
    // The control: from the page itself the same request is a move.
    let own = format!(
        "fetch('{target}', {{ method: 'POST', headers: {{ 'content-type': '{plain}' }}, body: '{}' }})\
         .then((answer) => document.body.dataset.answer = answer.status)",
        field.replace('+', "%2B")
    );
    victim.ask(&own).await;
    victim.wait_for("document.body.dataset.answer").await;
    victim.open(&board).await;
    assert_eq!(victim.seq().await, before + 1, "from here it counts");
    victim.close().await;
}

/// A proxy that asks for a user and a password. From then on browsers send them with every request, whichever page it
/// comes from.
fn basic_auth_proxy(server: &str) -> String {
    let server = server.trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (Ok(client), server) = (client, server.clone()) else { return };
            std::thread::spawn(move || forward(client, &server));
        }
    });
    address
}

/// Passes one request on, and its answer back.
fn forward(mut client: TcpStream, server: &str) {
    let (mut head, mut some) = (Vec::new(), [0; 4096]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match client.read(&mut some) {
            Ok(count @ 1..) => head.extend_from_slice(&some[..count]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    if !head.contains("Authorization: Basic ") {
        let _ = client.write_all(
            b"HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic realm=\"school\"\r\n\
              content-length: 0\r\nconnection: close\r\n\r\n",
        );
        return;
    }
    let Ok(mut behind) = TcpStream::connect(server) else { return };
    // One request per connection, so that none gets past the password.
    let _ = behind.write_all(head.replace("Connection: keep-alive", "Connection: close").as_bytes());
    let (mut from_client, mut to_server) = (client.try_clone().unwrap(), behind.try_clone().unwrap());
    std::thread::spawn(move || std::io::copy(&mut from_client, &mut to_server));
    let _ = std::io::copy(&mut behind, &mut client);
    let _ = client.shutdown(Shutdown::Both);
}

/// W4: a stored password doesn't prove that a request comes from our page.
#[tokio::test]
async fn another_site_cannot_give_up_for_you_behind_a_password() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let proxy = basic_auth_proxy(&server.address);
    let victim = chrome.browser(Kind::default()).await;
    victim.open(&format!("http://teacher:secret@{proxy}/")).await;
    two_on_this_device(&victim).await;
    victim.wait_for("document.querySelector('#choices')").await;
    let board = victim.at().await.replace("teacher:secret@", "");
    assert!(
        board.starts_with(&format!("http://{proxy}/r/")),
        "the round is played behind the proxy: {board}"
    );
    let before = victim.seq().await;
    let target = format!("{board}/resign");
    let form = format!(
        "<form id=f method=post action='{target}'></form>\
         <script>document.getElementById('f').submit()</script>"
    );
    victim.open(&foreign_site(form)).await;
    victim.wait_for(&format!("location.href.startsWith('{target}')")).await;
    assert!(!victim.has("#board").await, "the request is refused");
    let fetched = format!(
        "<script>fetch('{target}', {{ method: 'POST', mode: 'no-cors', credentials: 'include' }})\
         .catch(() => 0).then(() => document.title = 'tried')</script>"
    );
    victim.open(&foreign_site(fetched)).await;
    victim.wait_for("document.title == 'tried'").await;
    victim.open(&board).await;
    assert_eq!(victim.seq().await, before, "the foreign page made a move");
    // The control: the player can.
    let own = format!(
        "fetch('{target}', {{ method: 'POST', headers: {{ 'content-type': 'application/x-www-form-urlencoded' }} }})\
         .then((answer) => document.body.dataset.answer = answer.status)"
    );
    victim.ask(&own).await;
    victim.wait_for("document.body.dataset.answer").await;
    victim.open(&board).await;
    assert_eq!(victim.seq().await, before + 1, "from here it counts");
    victim.close().await;
}

/// W6: names appear as text and never run.
#[tokio::test]
async fn names_are_shown_and_never_run() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let host = chrome.browser(Kind::default()).await;
    let friend = chrome.browser(Kind::default()).await;
    let names = [
        "<script>ran=1</script>",
        "<img src=x onerror=ran=1>",
        "\"'><svg onload=ran=1>",
        "{{7*7}}${7*7}&lt;b",
    ];
    for name in names {
        invite(&server, &host, &friend, "number-maze", name).await;
        make_a_move(&host).await;
        friend.wait_for("document.querySelector('#board').dataset.seq >= 3").await;
        for browser in [&host, &friend] {
            assert!(browser.text("#board").await.contains(name), "{name} is shown as text");
            assert_eq!(browser.ask("typeof window.ran").await, "undefined", "{name} ran");
        }
    }
    for browser in [host, friend] {
        browser.has_no_complaints().await;
        browser.close().await;
    }
}

/// W2: after moves in a round by link, secrets are only where they belong.
#[tokio::test]
async fn secrets_are_nowhere_to_be_found() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let host = chrome.browser(Kind::default()).await;
    let friend = chrome.browser(Kind::default()).await;
    let link = invite(&server, &host, &friend, "number-maze", "Ben").await;
    make_a_move(&host).await;
    friend.wait_for("document.querySelector('#board').dataset.seq >= 3").await;
    make_a_move(&friend).await;
    let mut secrets = vec![link.split_once('#').unwrap().1.to_owned()];
    for browser in [&host, &friend] {
        let cookies = browser.driver.get_all_cookies().await.unwrap();
        secrets.extend(cookies.iter().map(|cookie| cookie.value.clone()));
        assert_eq!(browser.ask("document.cookie").await, "", "scripts can't read the cookie");
    }
    assert_eq!(secrets.len(), 3, "{secrets:?}");
    let mut places = vec![("the log".to_owned(), server.log().into_bytes())];
    for file in [server.data(), server.data().with_extension("db-wal")] {
        places.push((file.display().to_string(), std::fs::read(&file).unwrap()));
    }
    for browser in [&host, &friend] {
        let asked =
            "JSON.stringify([location.href, performance.getEntries().map((one) => one.name), history.state])";
        let asked = browser.ask(asked).await.to_string().into_bytes();
        places.push(("the requested addresses".to_owned(), asked));
        let page = browser.driver.source().await.unwrap().into_bytes();
        places.push(("the page after the seat was taken".to_owned(), page));
    }
    for secret in &secrets {
        assert!(secret.len() > 20, "{secret}");
        for (name, bytes) in &places {
            let found = bytes.windows(secret.len()).any(|some| some == secret.as_bytes());
            assert!(!found, "a secret leaked into {name}");
        }
    }
    for browser in [host, friend] {
        browser.close().await;
    }
}
