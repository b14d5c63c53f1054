//! Fairness: notices before a round, and seats in the next one.

use crate::plain_browser;

use axum::http::StatusCode;
use plain_browser::{Browser, Page, Server, server};
use spoton::engine::position::Player;
use spoton::format::catalog;

/// Leaving a multiple of 4 wins, so the second player can force a win.
const FOURS: &str = "title = 'Fours'\nstart = 0\ntarget = 8\nmoves = ['+1', '+2', '+3']\n";

async fn first(server: &Server, page: &Page) -> Player {
    server.tables.rooms.room(page.id()).await.unwrap().sitting().round().first()
}

/// Gives up and presses a button after the end.
async fn lose_and(browser: &mut Browser, page: &Page, button: &str) -> Page {
    let over = browser.act(page, "resign").await;
    assert_eq!(over.status, StatusCode::OK, "{}", over.text);
    assert!(over.text.contains(&format!("id=\"do-{button}\"")), "{}", over.text);
    browser.act(&over, button).await
}

/// Wins from the second seat: after each move of the computer, the number is a multiple of 4 again.
async fn win_from_the_second_seat(server: &Server, browser: &mut Browser, mut page: Page) -> Page {
    loop {
        server.wait_for_people(&page).await;
        page = browser.get(&page.path).await;
        if page.moves().is_empty() {
            return page;
        }
        let room = server.tables.rooms.room(page.id()).await.unwrap();
        let round = room.sitting().round();
        let written = format!("+{}", 4 - round.number_of(Player::One) % 4);
        let seq = room.seq().to_string();
        page = browser.post(&format!("{}/move", page.path), &[("move", &written), ("seq", &seq)]).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    }
}

#[tokio::test]
async fn a_player_keeps_the_seat_that_can_win_until_they_have_won_from_it() {
    let server = server();
    let mut ann = server.browser();
    let fields = [("mode", "computer"), ("rulebook", FOURS), ("opponent", "perfect"), ("first", "1")];
    let page = ann.post("/new", &fields).await;
    assert_eq!(first(&server, &page).await, Player::One);
    let over = ann.act(&page, "resign").await;
    assert!(over.text.contains("Play again <small>you go second</small>"), "{}", over.text);
    assert!(over.text.contains("Same seats <small class=\"quiet\">you go first</small>"), "{}", over.text);
    // The first seat has lost, the second can win.
    let page = ann.act(&over, "rematch").await;
    assert_eq!(first(&server, &page).await, Player::Two);
    server.wait_for_people(&page).await;
    let over = ann.act(&page, "resign").await;
    assert!(over.text.contains("Play again <small>you go second</small>"), "{}", over.text);
    assert!(over.text.contains("Swap seats <small class=\"quiet\">you go first</small>"), "{}", over.text);
    let page = ann.act(&over, "rematch").await;
    assert_eq!(first(&server, &page).await, Player::Two, "lost from the winning seat: the same seat again");
    let won = win_from_the_second_seat(&server, &mut ann, page).await;
    assert!(won.text.contains("You win!"), "{}", won.text);
    assert!(won.text.contains("Play again <small>you go first</small>"), "{}", won.text);
    let page = ann.act(&won, "rematch").await;
    assert_eq!(first(&server, &page).await, Player::One, "won from it: the other seat");
    let page = lose_and(&mut ann, &page, "swap-seats").await;
    assert_eq!(first(&server, &page).await, Player::One, "not the winning seat");
    // The new target decides which seat can win.
    let page = lose_and(&mut ann, &page, "another-target").await;
    let room = server.tables.rooms.room(page.id()).await.unwrap();
    let target = room.sitting().rulebook().target().unwrap();
    let can_win = if target % 4 == 0 { Player::Two } else { Player::One };
    assert_eq!(first(&server, &page).await, can_win, "to {target}");
}

#[tokio::test]
async fn two_people_take_turns_to_start() {
    let server = server();
    let mut ann = server.browser();
    let mut page = ann.post("/new", &[("mode", "two"), ("rulebook", FOURS)]).await;
    for expected in [Player::Two, Player::One, Player::Two] {
        let over = ann.act(&page, "resign").await;
        assert!(over.text.contains("Rematch") && !over.text.contains("swap-seats"), "{}", over.text);
        assert_eq!(ann.act(&over, "swap-seats").await.status, StatusCode::CONFLICT);
        page = ann.act(&over, "rematch").await;
        assert_eq!(first(&server, &page).await, expected);
    }
}

const OUT_OF_REACH: &str = "Nobody can land on 23.";

#[tokio::test]
async fn every_page_of_a_game_shows_an_unreachable_target() {
    let server = server();
    let mut ann = server.browser();
    for game in catalog::ids() {
        let page = ann.get(&format!("/games/{game}")).await;
        assert_eq!(page.text.contains("Nobody can land on"), game == "operation-target", "{game}");
    }
    let game = ("game", "operation-target");
    let page = ann.get("/games/operation-target").await;
    assert!(page.text.contains(OUT_OF_REACH), "{}", page.text);
    for mode in ["two", "computer"] {
        let board = ann.post("/new", &[("mode", mode), game, ("opponent", "pip")]).await;
        assert!(board.text.contains(OUT_OF_REACH), "{mode}: {}", board.text);
        let over = ann.act(&board, "resign").await;
        assert!(!over.text.contains(OUT_OF_REACH), "after the end it's too late: {}", over.text);
    }
    let board = ann.post("/new", &[("mode", "friend"), game]).await;
    assert!(board.text.contains(OUT_OF_REACH), "{}", board.text);
    let invitation = server.browser().get(&board.path.replace("/r/", "/j/")).await;
    assert!(invitation.text.contains(OUT_OF_REACH), "{}", invitation.text);
    let class = ann.post("/class", &[game]).await;
    assert!(class.text.contains(OUT_OF_REACH), "{}", class.text);
    // The rules decide, not the name: a variant has no notice, but another book does.
    let board = ann.post("/new", &[("mode", "two"), game, ("variant", "three-operations")]).await;
    assert!(board.status == StatusCode::OK && !board.text.contains("Nobody can land on"), "{}", board.text);
    let evens = "title = 'Evens'\nstart = 0\ntarget = 7\nmoves = ['+2', '+4']\n";
    let shared = ann.post("/workshop/share", &[("rulebook", evens)]).await;
    assert!(shared.text.contains("Nobody can land on 7."), "{}", shared.text);
}

/// The preselected option of every list of games on a page.
fn preselected(page: &Page) -> Vec<String> {
    let lists = page.text.split("<select name=\"").skip(1);
    let lists = lists.filter(|list| list.starts_with("game\"") || list.starts_with("like\""));
    let shown = |list: &str| {
        let options: Vec<&str> =
            list.split("</select>").next().unwrap().split("<option value=\"").skip(1).collect();
        let selected = options.iter().find(|option| option.split('>').next().unwrap().ends_with(" selected"));
        selected.unwrap_or(&options[0]).split('"').next().unwrap().to_owned()
    };
    lists.map(shown).collect()
}

#[tokio::test]
async fn nothing_preselects_a_game_whose_target_is_out_of_reach() {
    let server = server();
    let mut ann = server.browser();
    let mut lists = 0;
    for path in ["/", "/class", "/workshop", "/games", "/puzzles", "/join"] {
        let page = ann.get(path).await;
        for game in preselected(&page) {
            lists += 1;
            assert_ne!(game, "operation-target", "{path}");
        }
    }
    assert!(lists >= 2, "a class and the workshop have lists of games");
    // A form with an error.
    let again = ann.post("/class", &[("target", "soon")]).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(preselected(&again).len(), 1);
    assert!(!preselected(&again).contains(&"operation-target".to_owned()), "{}", again.text);
    // The default games.
    for mode in ["now", "two", "friend"] {
        let board = ann.post("/new", &[("mode", mode)]).await;
        assert!(!board.text.contains("Operation Target"), "{mode}: {}", board.text);
    }
    assert!(!ann.post("/class", &[]).await.text.contains("Operation Target"));
}

#[tokio::test]
async fn a_valid_book_that_nobody_can_play_is_reported_first() {
    let server = server();
    let mut ann = server.browser();
    let book = "title = 'My Game'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']\n";
    let why = "The first player can't move, so this game can't be played.";
    for path in ["/workshop", "/workshop/share"] {
        let page = ann.post(path, &[("rulebook", book)]).await;
        let read = page.read();
        assert!(page.status == StatusCode::OK && read.contains(why), "{path}: {read}");
        let valid = read.find("My Game is valid.");
        assert!(valid.is_none_or(|valid| valid > read.find(why).unwrap()), "{path}: {read}");
        // Above the rules, so that people see it first.
        assert!(read.find(why) < read.find("<li>"), "{path}: {read}");
    }
    let shared = ann.post("/workshop/share", &[("rulebook", book)]).await;
    let short = shared.path.trim_start_matches("/b/").to_owned();
    let invited = ann.post("/new", &[("mode", "friend"), ("book", &short)]).await;
    let pages = [
        format!("/class?book={short}"),
        format!("/b/{short}"),
        format!("/b/{short}/facts"),
        format!("/b/{short}/map"),
        invited.path.clone(),
        invited.path.replace("/r/", "/j/"),
    ];
    for path in &pages {
        // Only a guest sees an invitation.
        let mut guest = server.browser();
        let browser = if path.starts_with("/j/") { &mut guest } else { &mut ann };
        let read = browser.get(path).await.read();
        assert!(read.contains(why), "{path}: {read}");
        let rules = read.find("Take turns");
        assert!(rules.is_none_or(|rules| read.find(why) < Some(rules)), "{path}: {read}");
    }
    // A variant can also be unplayable.
    let variants =
        "title = 'Mine'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']\n[variants.far]\nstart = 50\n";
    let page = ann.post("/workshop", &[("rulebook", variants)]).await.read();
    assert!(page.contains(&format!("Variant \"far\": {why} Mine is valid, with 1 variant.")), "{page}");
    let playable = ann.post("/workshop", &[("rulebook", FOURS)]).await;
    assert!(playable.text.contains("Fours is valid."), "{}", playable.text);
}
