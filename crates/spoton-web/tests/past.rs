//! Past rounds, and the terms of new ones.

use crate::plain_browser;

use axum::http::StatusCode;
use plain_browser::server;
use spoton_web::clock::Clock;

/// Waits for the next millisecond, so that events have distinct times.
async fn another_millisecond() {
    let before = Clock::default().now();
    while Clock::default().now() <= before {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn past_rounds_are_those_of_this_browser() {
    let server = server();
    let (mut ann, mut eve) = (server.browser(), server.browser());
    let none = ann.get("/past").await;
    assert!(none.text.contains("No rounds yet."), "{}", none.text);
    let named =
        [("mode", "two"), ("game", "number-maze"), ("target", "34"), ("name", "Ann"), ("other", "<i>Ben")];
    let first = ann.post("/new", &named).await;
    let over = ann.act(&first, "resign").await;
    assert_eq!(over.status, StatusCode::OK);
    another_millisecond().await;
    let waiting = ann.post("/new", &[("mode", "friend"), ("game", "race-to-23")]).await;
    let page = ann.get("/past").await;
    page.is_safe();
    let rows: Vec<&str> = page.text.split("<li>").skip(1).collect();
    assert_eq!(rows.len(), 2, "{}", page.text);
    // Newest first.
    assert!(rows[0].contains(&waiting.path) && rows[0].contains("Waiting for the second player."));
    assert!(!rows[0].contains("Review"));
    assert!(rows[1].contains("target 34") && rows[1].contains("Ann and &#60;i&#62;Ben"), "{}", rows[1]);
    assert!(
        rows[1].contains(" won.") && rows[1].contains(&format!("{}/look-back", first.path)),
        "{}",
        rows[1]
    );
    assert!(rows[1].contains("<time datetime=\"20"));
    assert!(eve.get("/past").await.text.contains("No rounds yet."));
}

#[tokio::test]
async fn many_past_rounds_come_in_pages() {
    let server = server();
    let mut ann = server.browser();
    for _ in 0..52 {
        // Finished, because unfinished rounds have a limit.
        let board = ann.post("/new", &[("mode", "two")]).await;
        ann.post(&format!("{}/resign", board.path), &[]).await;
    }
    let count = |text: &str| text.matches("<li>").count();
    let first = ann.get("/past").await;
    assert_eq!(count(&first.text), 50);
    assert!(first.text.contains("/past?page=2") && !first.text.contains("rel=\"prev\""), "{}", first.text);
    let second = ann.get("/past?page=2").await;
    assert_eq!(count(&second.text), 2);
    assert!(second.text.contains("/past?page=1") && !second.text.contains("rel=\"next\""), "{}", second.text);
    for far in ["0", "3", "99999999999999999999"] {
        assert!(ann.get(&format!("/past?page={far}")).await.status != StatusCode::INTERNAL_SERVER_ERROR);
    }
}

#[tokio::test]
async fn terms_and_names_are_as_they_were_settled() {
    let server = server();
    let mut ann = server.browser();
    let page = ann.get("/games/number-maze").await;
    for field in
        ["variant", "target", "opponent", "first", "name", "other", "hints", "no_take_back", "discover"]
    {
        assert!(page.text.contains(&format!("name=\"{field}\"")) || field == "variant", "{field}");
    }
    let strict = [
        ("mode", "two"),
        ("game", "number-maze"),
        ("first", "2"),
        ("name", "Ann"),
        ("other", "Ben"),
        ("hints", "off"),
        ("no_take_back", "on"),
    ];
    let board = ann.post("/new", &strict).await;
    assert!(board.text.contains("Ben&#39;s turn."), "{}", board.text);
    let board = ann.first_move(&board).await;
    assert!(board.text.contains("Ann&#39;s turn."), "{}", board.text);
    for gone in ["do-hint", "do-take-back"] {
        assert!(!board.text.contains(gone), "{gone}");
    }
    assert!(ann.act(&board, "take-back").await.status.is_client_error());
    assert!(ann.act(&board, "hint").await.status.is_client_error());
    let alike = ann.post("/new", &[("mode", "two"), ("name", "Ann"), ("other", "Ann")]).await;
    assert_eq!(alike.status, StatusCode::UNPROCESSABLE_ENTITY);
    let friendly = ann.post("/new", &[("mode", "two"), ("game", "number-maze")]).await;
    let friendly = ann.first_move(&friendly).await;
    assert!(friendly.text.contains("do-hint") && friendly.text.contains("do-take-back"), "{}", friendly.text);
}

#[tokio::test]
async fn with_a_friend_it_is_the_game_of_last_time() {
    let server = server();
    let mut ann = server.browser();
    let new = ann.post("/new", &[("mode", "friend")]).await;
    assert!(new.text.contains(">Race to 23</h1>"), "{}", new.text);
    another_millisecond().await;
    ann.post("/new", &[("mode", "computer"), ("opponent", "pip"), ("game", "number-maze"), ("target", "34")])
        .await;
    let again = ann.post("/new", &[("mode", "friend")]).await;
    assert!(again.text.contains(">Number Maze</h1>") && again.text.contains("34"), "{}", again.text);
    assert!(again.text.contains("id=\"invitation\""));
    // Hints against the computer don't carry over to a friend.
    assert!(!server.tables.rooms.room(again.id()).await.unwrap().hints());
    // Today's duel doesn't become the default.
    another_millisecond().await;
    ann.post("/today", &[]).await;
    let after = ann.post("/new", &[("mode", "friend")]).await;
    assert!(after.text.contains(">Race to 23</h1>"), "{}", after.text);
}

#[tokio::test]
async fn home_leads_to_all_of_it() {
    let server = server();
    let mut ann = server.browser();
    let home = ann.get("/").await;
    for path in ["/class", "/today", "/puzzles", "/past", "/join", "/games"] {
        assert!(home.text.contains(&format!("href=\"{path}\"")), "{path}");
        let page = ann.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        page.is_safe();
    }
    for script in ["/static/class.js", "/static/today.js"] {
        assert_eq!(ann.get(script).await.headers["content-type"], "text/javascript");
    }
}
