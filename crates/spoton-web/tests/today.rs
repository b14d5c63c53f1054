//! Today's duel.

use crate::plain_browser;

use axum::http::StatusCode;
use plain_browser::{Browser, Page, Server, server};
use spoton_web::clock::Clock;

fn today() -> String {
    Clock::default().today().to_string()
}

async fn begin(browser: &mut Browser, day: &str) -> Page {
    let page = browser.post("/today", &[("day", day)]).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    page
}

/// The end of the line to share: the result.
fn result(page: &Page) -> String {
    let line = page.between("readonly rows=\"2\">", "<").unwrap_or_else(|| panic!("{}", page.text));
    assert!(line.starts_with("Spot On "), "{line}");
    line.rsplit_once(" · ").unwrap().1.to_owned()
}

/// A double Enter or click on Home or on the duel's page begins one round, without a move.
#[tokio::test]
async fn a_double_submit_plays_no_move() {
    let server = server();
    let (mut ann, day) = (server.browser(), today());
    for _ in 0..2 {
        let home = ann.get("/").await;
        assert!(home.text.contains("<a href=\"/today\">"), "{}", home.text);
        let page = ann.get("/today").await;
        // Following the link twice begins nothing.
        assert!(page.text.contains("Win today to start a streak."), "{}", page.text);
    }
    // Both submits are from the same browser, so it needs its cookie first.
    ann.post("/new", &[("mode", "two"), ("game", "race-to-23")]).await;
    let (mut once, mut twice) = (ann.clone(), ann.clone());
    let fields = [("day", day.as_str())];
    let (once, twice) = tokio::join!(once.post("/today", &fields), twice.post("/today", &fields));
    assert_eq!(once.path, twice.path, "two rounds begin");
    let board = begin(&mut ann, &day).await;
    assert_eq!(board.path, once.path);
    server.wait_for_people(&board).await;
    let card = ann.get(&board.path).await;
    // The card shows only before the player's first move. It has no button that plays one.
    assert!(card.text.contains("start-card") && card.moves().is_empty(), "{}", card.text);
    assert!(!card.text.contains("<form") && !card.text.contains("autofocus"), "{}", card.text);
    let board = ann.get(&card.between("id=\"start\" href=\"", "\"").unwrap()).await;
    assert!(!board.moves().is_empty() && !board.text.contains("autofocus"), "{}", board.text);
}

#[tokio::test]
async fn the_first_attempt_counts_and_those_after_it_are_practice() {
    let server = server();
    let (mut ann, day) = (server.browser(), today());
    let page = ann.get("/today").await;
    page.is_safe();
    assert!(
        page.read().contains("This one counts: hints are recorded and there's no undo."),
        "{}",
        page.text
    );
    assert!(page.text.contains("Win today to start a streak."));
    let board = begin(&mut ann, &day).await;
    server.wait_for_people(&board).await;
    // Opened later, it begins with a card and nothing else to press.
    let card = ann.get(&board.path).await;
    assert!(
        card.read().contains("This one counts: hints are recorded and there's no undo."),
        "{}",
        card.text
    );
    assert!(card.moves().is_empty() && !card.text.contains("<form"), "{}", card.text);
    let board = ann.get(&card.between("id=\"start\" href=\"", "\"").unwrap()).await;
    assert!(!board.moves().is_empty() && board.text.contains("Otto"), "{}", board.text);
    // Only the player sees the card.
    assert!(!server.browser().get(&board.path).await.text.contains("start-card"));
    // Leaving doesn't give a second attempt that counts.
    assert_eq!(begin(&mut ann, &day).await.path, board.path);
    assert!(ann.get(&format!("/today?day={day}")).await.text.contains(&format!("href=\"{}\"", board.path)));

    let hinted = ann.act(&board, "hint").await;
    assert_eq!(hinted.status, StatusCode::OK);
    assert!(!hinted.moves().is_empty() && !hinted.text.contains("start-card"), "{}", hinted.text);
    let moved = ann.first_move(&board).await;
    server.wait_for_people(&moved).await;
    let back = ann.act(&board, "take-back").await;
    assert!(back.status.is_client_error(), "no undo in an attempt that counts");
    let over = ann.act(&board, "resign").await;
    assert!(
        result(&over).starts_with("gave up after ") && result(&over).ends_with(", 1 hint"),
        "{}",
        result(&over)
    );
    assert!(over.text.contains("Win the next duel to start a streak."), "{}", over.text);
    assert!(!over.text.contains("Another target"), "another target would be another game");
    // The player also sees the line in the review.
    let looked = ann.get(&format!("{}/look-back", board.path)).await;
    assert_eq!(result(&looked), result(&over));
    let others = server.browser().get(&format!("{}/look-back", board.path)).await;
    assert!(others.status == StatusCode::OK && !others.text.contains("todays-line"), "{}", others.text);

    // Afterwards the page shows the result, and the next attempt is practice.
    let page = ann.get(&format!("/today?day={day}")).await;
    assert_eq!(result(&page), result(&over));
    assert!(page.read().contains("This is practice and doesn't count."), "{}", page.text);
    let practice = begin(&mut ann, &day).await;
    assert_ne!(practice.path, board.path);
    let practised = ann.act(&practice, "resign").await;
    assert!(result(&practised).ends_with("(practice)"), "{}", practised.text);
    // So is a rematch.
    let rematch = ann.act(&over, "rematch").await;
    assert!(rematch.path == board.path && !rematch.text.contains("paste"), "{}", rematch.text);
    let again = ann.act(&rematch, "resign").await;
    assert!(result(&again).ends_with("(practice)"), "{}", again.text);
    let first = ann.get(&format!("{}/look-back?round=1", board.path)).await;
    assert!(!first.text.contains("todays-line"), "the line belongs to another round");
    assert_eq!(result(&ann.get(&format!("/today?day={day}")).await), result(&over), "the first result stays");
}

async fn remember_streak(server: &Server, browser: &Browser, streak: &str) {
    let kept = server.tables.store.remember(browser.holder(), "today".into(), Some(streak.into()), 1);
    kept.await.unwrap();
}

#[tokio::test]
async fn a_streak_goes_on_and_ends() {
    let server = server();
    let mut ann = server.browser();
    ann.post("/new", &[("mode", "two")]).await;
    // Yesterday's was the third win in a row.
    let day = Clock::default().today();
    let yesterday = spoton_web::clock::day_of(Clock::default().now() - 24 * 60 * 60 * 1000);
    remember_streak(&server, &ann, &format!("{yesterday} won 15 0 3 7")).await;
    let page = ann.get(&format!("/today?day={day}")).await;
    assert!(page.text.contains("Your streak: 3 days. Your best: 7 days."), "{}", page.text);
    // Yesterday's no longer counts, even if it's still yesterday somewhere.
    let late = ann.get(&format!("/today?day={yesterday}")).await;
    assert!(late.text.contains("Play for practice"), "{}", late.text);
    let board = begin(&mut ann, &day.to_string()).await;
    let over = ann.act(&board, "resign").await;
    assert!(over.text.contains("No streak right now. Your best: 7 days."), "{}", over.text);
    // Another browser has its own streak.
    assert!(!server.browser().get("/today").await.text.contains("7 days"));
}

/// Best play wins the duel, since the person has the winning seat.
#[tokio::test]
async fn a_duel_that_is_won_makes_a_streak() {
    use spoton::solved::SolvedGames;
    use spoton::solver::Value;
    let server = server();
    let mut ann = server.browser();
    let mut page = begin(&mut ann, &today()).await;
    let games = SolvedGames::new(64 << 20);
    loop {
        server.wait_for_people(&page).await;
        page = ann.get(&format!("{}?start", page.path)).await;
        if page.moves().is_empty() {
            break;
        }
        let room = server.tables.rooms.room(page.id()).await.unwrap();
        let round = room.sitting().round();
        let outlook = games.ask(round.rulebook(), &mut |_| true, |game, budget| game.outlook(round, budget));
        let outlook = outlook.unwrap().unwrap();
        assert_eq!(outlook.verdict.value, Value::Win, "the seat can still win");
        let best = outlook.reasons().iter().find(|reason| reason.verdict.value == Value::Win).unwrap();
        let (written, seq) = (round.rulebook().write(best.a_move), room.seq().to_string());
        page = ann.post(&format!("{}/move", page.path), &[("move", &written), ("seq", &seq)]).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    }
    assert!(result(&page).starts_with("won in ") && result(&page).ends_with(", no hints"), "{}", page.text);
    assert!(page.text.contains("Your streak: 1 day."), "{}", page.text);
    // The streak outlives the attempt.
    let day = Clock::default().today().next().to_string();
    begin(&mut ann, &day).await;
    server.tables.store.remove(page.id()).await.unwrap();
    server.tables.rooms.forget(page.id());
    assert!(ann.get(&format!("/today?day={day}")).await.text.contains("Your streak: 1 day."));
}

#[tokio::test]
async fn another_day_is_practice_and_says_so() {
    let server = server();
    let mut ann = server.browser();
    let page = ann.get("/today?day=2020-02-29").await;
    assert!(page.text.contains("Duel of 29 Feb 2020"), "{}", page.text);
    assert!(page.read().contains("This is practice and doesn't count."), "{}", page.text);
    let board = begin(&mut ann, "2020-02-29").await;
    let over = ann.act(&board, "resign").await;
    assert!(result(&over).ends_with("(practice)"), "{}", over.text);
    for wrong in ["2026-02-30", "yesterday", "9"] {
        assert_eq!(ann.get(&format!("/today?day={wrong}")).await.status, StatusCode::UNPROCESSABLE_ENTITY);
        let posted = ann.post("/today", &[("day", wrong)]).await;
        assert_eq!(posted.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tabs_start_one_attempt() {
    let server = server();
    let mut ann = server.browser();
    ann.post("/new", &[("mode", "two")]).await;
    let day = today();
    let tabs: Vec<_> = (0..6)
        .map(|_| {
            let (mut tab, day) = (ann.clone(), day.clone());
            tokio::spawn(async move { begin(&mut tab, &day).await.path })
        })
        .collect();
    let mut paths = Vec::new();
    for tab in tabs {
        paths.push(tab.await.unwrap());
    }
    paths.dedup();
    assert_eq!(paths.len(), 1, "{paths:?}");
}
