//! The pages without scripts: everything works, and nothing foreign runs.

use crate::plain_browser;

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use plain_browser::server;
use spoton::format::catalog;
use tower::ServiceExt;

#[tokio::test]
async fn two_browsers_play_every_game_by_a_link_without_scripts() {
    let server = server();
    for game in catalog::ids() {
        let (mut ann, mut ben, mut eve) = (server.browser(), server.browser(), server.browser());
        let waiting = ann.post("/new", &[("mode", "friend"), ("game", game)]).await;
        assert_eq!(waiting.status, StatusCode::OK, "{game}: {}", waiting.text);
        let link = waiting.between("readonly value=\"", "\"").unwrap();
        let (_, secret) = link.split_once('#').unwrap();
        assert!(!waiting.can_move(), "nobody has joined yet");
        // Without the secret, the page asks for it. A GET takes nothing.
        let join = ben.get(&waiting.path.replace("/r/", "/j/")).await;
        assert!(join.text.contains("id=\"take-seat\"") && !join.text.contains(secret), "{game}");
        let wrong = ben.post(&join.path, &[("secret", "wrong"), ("name", "Ben")]).await;
        assert_eq!(wrong.status, StatusCode::GONE);
        let seated = ben.post(&join.path, &[("secret", secret), ("name", "Ben")]).await;
        assert_eq!((seated.status, &seated.path), (StatusCode::OK, &waiting.path), "{}", seated.text);
        let late = eve.post(&join.path, &[("secret", secret), ("name", "Eve")]).await;
        assert!(late.status.is_client_error(), "{}", late.text);
        let mut moves = 0;
        loop {
            let (one, two) = (ann.get(&waiting.path).await, ben.get(&waiting.path).await);
            let watched = eve.get(&waiting.path).await;
            assert!(
                !watched.can_move() && !watched.text.contains("id=\"actions\""),
                "{game}: watchers can't act"
            );
            let made = match (one.can_move(), two.can_move()) {
                (true, false) => ann.first_move(&one).await,
                (false, true) => ben.first_move(&two).await,
                (false, false) => break,
                (true, true) => panic!("{game}: both are on turn"),
            };
            assert_eq!(made.status, StatusCode::OK, "{game}: {}", made.text);
            moves += 1;
            assert!(moves < 200, "{game} does not end");
        }
        let end = eve.get(&waiting.path).await;
        assert!(end.text.contains("Review"), "{game}: {}", end.text);
        let back = eve.get(&format!("{}/look-back", waiting.path)).await;
        assert_eq!(back.status, StatusCode::OK, "{game}: {}", back.text);
    }
}

#[tokio::test]
async fn a_quick_round_is_against_the_computer() {
    let server = server();
    let mut ann = server.browser();
    let mut page = ann.post("/new", &[("mode", "now")]).await;
    let hinted = ann.post(&format!("{}/hint", page.path), &[]).await;
    assert!(hinted.text.contains("id=\"advice\"") || !page.can_move(), "{}", hinted.text);
    // Far more than it ever takes.
    for _ in 0..12_000 {
        if page.text.contains("Review") {
            return;
        }
        page = if page.can_move() { ann.first_move(&page).await } else { ann.get(&page.path).await };
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the round doesn't end: {}", page.text);
}

#[tokio::test]
async fn two_on_one_screen_take_turns_and_undo_without_asking() {
    let server = server();
    let mut ann = server.browser();
    let first = ann.post("/new", &[("mode", "two"), ("game", "number-maze"), ("target", "34")]).await;
    let second = ann.first_move(&first).await;
    assert!(second.text.contains("Player 2&#39;s turn.") && second.can_move(), "{}", second.text);
    let back = ann.post(&format!("{}/take-back", first.path), &[]).await;
    assert!(back.text.contains("Player 1&#39;s turn."), "{}", back.text);
    // An outdated form does nothing and gets the current board.
    let stale = ann.first_move(&first).await;
    assert!(stale.text.contains("Player 1&#39;s turn."), "{}", stale.text);
}

/// W5: every response has the headers. W6: what people type appears as text.
#[tokio::test]
async fn nothing_foreign_runs() {
    let server = server();
    let mut ann = server.browser();
    let waiting = ann.post("/new", &[("mode", "friend")]).await;
    let secret = waiting.between("readonly value=\"", "\"").unwrap();
    let join = waiting.path.replace("/r/", "/j/");
    let name = "<b onclick=x>'\"&";
    let mut ben = server.browser();
    // A name that reverses text is refused; markup in a name is only text.
    let refused = ben.post(&join, &[("secret", &secret), ("name", "a\u{202e}b")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let seated = ben.post(&join, &[("secret", &secret), ("name", name)]).await;
    assert!(!seated.text.contains(name) && seated.text.contains("&#60;b onclick=x&#62;"), "{}", seated.text);
    for path in [
        "/",
        "/games",
        "/games/number-maze",
        "/nothing",
        &waiting.path,
        &join,
        "/static/app.css",
        "/api/v1/games",
    ] {
        let page = ann.get(path).await;
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}");
        assert_eq!(page.headers["x-content-type-options"], "nosniff", "{path}");
        for inline in
            ["<style", "style=\"", "<script>", "onclick=\"", "onload=", "javascript:", "http://www.", "//cdn"]
        {
            assert!(!page.text.contains(inline) || path == "/static/app.css", "{path}: {inline}");
        }
    }
}

/// W4: another site can't act for a browser, and can't pretend to be this one.
#[tokio::test]
async fn other_sites_cannot_act() {
    let server = server();
    let send = async |method: &str, path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        server.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status()
    };
    let here = ("host", "localhost:8080");
    for headers in [
        &[here][..],
        &[here, ("origin", "null")],
        &[here, ("origin", "http://evil.example")],
        &[here, ("sec-fetch-site", "cross-site"), ("origin", "http://localhost:8080")],
    ] {
        assert_eq!(send("POST", "/new", headers).await, StatusCode::FORBIDDEN, "{headers:?}");
    }
    for host in ["evil.example", "localhost.evil.example", ""] {
        assert_eq!(send("GET", "/", &[("host", host)]).await, StatusCode::MISDIRECTED_REQUEST, "{host}");
    }
    assert_eq!(send("GET", "/", &[here]).await, StatusCode::OK);
}

/// The host cancels an invitation: its link stops working and it leaves all lists.
#[tokio::test]
async fn an_invitation_is_cancelled() {
    let server = server();
    let (mut ann, mut ben) = (server.browser(), server.browser());
    let board = ann.post("/new", &[("mode", "friend"), ("name", "Ann")]).await;
    assert!(board.text.contains("Cancel invitation"), "{}", board.text);
    assert!(ann.get("/").await.text.contains(&board.path));
    let link = board.between("id=\"link\" readonly value=\"", "\"").unwrap();
    let (join, secret) = link.split_once("http://localhost:8080").unwrap().1.split_once('#').unwrap();
    assert!(ben.get(join).await.text.contains("invites you"));
    // Only the host can.
    assert_eq!(ben.act(&board, "cancel").await.status, StatusCode::FORBIDDEN);
    let home = ann.act(&board, "cancel").await;
    assert_eq!((home.status, home.path.as_str()), (StatusCode::OK, "/"));
    assert!(!home.text.contains(&board.path), "{}", home.text);
    assert!(!ann.get("/past").await.text.contains(&board.path));
    let taken = ben.post(join, &[("secret", secret), ("name", "Ben")]).await;
    let pages = [ben.get(join).await, ben.get(&board.path).await, ann.get(&board.path).await, taken];
    for page in pages {
        assert_eq!(page.status, StatusCode::GONE, "{}", page.text);
        assert!(page.text.contains("This invitation was cancelled."), "{}", page.text);
    }
    // Idempotent. After the guest joined it's too late.
    assert_eq!(ann.act(&board, "cancel").await.path, "/");
    let board = ann.post("/new", &[("mode", "friend"), ("name", "Ann")]).await;
    let both = ann.act(&board, "both").await;
    let refused = ann.act(&both, "cancel").await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text.contains("There&#39;s no invitation to cancel."), "{}", refused.text);
    // A class has no invitations.
    let class = ann.post("/class", &[]).await;
    let code = class.path.rsplit('/').next().unwrap().to_owned();
    let waits = ben.post("/join", &[("code", &code), ("name", "Ben")]).await;
    assert!(!waits.text.contains("Cancel invitation"), "{}", waits.text);
    assert_eq!(ben.act(&waits, "cancel").await.status, StatusCode::CONFLICT);
}
