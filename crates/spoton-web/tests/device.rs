//! Moving to another device.

use crate::plain_browser;

use axum::http::StatusCode;
use plain_browser::{Browser, Page, server};

async fn code(browser: &mut Browser, board: &Page) -> (Page, String) {
    let page = browser.act(board, "device").await;
    let code = page.between("<p class=\"code\">", "<").unwrap_or_else(|| panic!("{}", page.text));
    (page, code)
}

#[tokio::test]
async fn a_seat_moves_once_and_the_round_goes_on() {
    let server = server();
    let (mut laptop, mut phone, mut eve) = (server.browser(), server.browser(), server.browser());
    let board = laptop.post("/new", &[("mode", "two"), ("game", "number-maze")]).await;
    assert!(board.text.contains("/device\""));
    // A GET makes no code, and strangers can't make one.
    let before = laptop.get(&format!("{}/device", board.path)).await;
    before.is_safe();
    assert!(before.text.contains("id=\"make-code\"") && !before.text.contains("class=\"code\""));
    assert_eq!(eve.act(&board, "device").await.status, StatusCode::FORBIDDEN);

    let (_, code) = code(&mut laptop, &board).await;
    // The QR code leads to a form with the code filled in, which takes nothing.
    let typed = phone.get(&format!("/join?code={}", code.replace(' ', ""))).await;
    typed.is_safe();
    assert!(typed.path == "/device" && typed.text.contains(&format!("value=\"{code}\"")), "{}", typed.text);
    let moved = phone.post("/join", &[("code", &code.to_lowercase())]).await;
    assert_eq!((moved.status, &moved.path), (StatusCode::OK, &board.path), "{}", moved.text);
    // Both seats moved.
    let next = phone.first_move(&moved).await;
    let next = phone.first_move(&next).await;
    assert!(!next.moves().is_empty() || next.text.contains("Review"), "{}", next.text);
    let left = laptop.get(&board.path).await;
    assert!(left.moves().is_empty() && !left.text.contains("/device\""), "{}", left.text);
    let again = eve.post("/join", &[("code", &code)]).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND, "it works once");
    assert!(eve.get(&board.path).await.moves().is_empty());
}

#[tokio::test]
async fn a_move_before_the_friend_joins_keeps_the_invitation() {
    let server = server();
    let (mut laptop, mut phone) = (server.browser(), server.browser());
    let board = laptop.post("/new", &[("mode", "friend")]).await;
    let first = board.between("readonly value=\"", "\"").unwrap();
    let (_, code) = code(&mut laptop, &board).await;
    let moved = phone.post("/join", &[("code", &code)]).await;
    let second = moved.between("readonly value=\"", "\"").unwrap();
    assert_ne!(first, second);
    // The new link works, and so would the old one.
    let join = board.path.replace("/r/", "/j/");
    let mut ben = server.browser();
    let seated = ben.post(&join, &[("secret", &second), ("name", "Ben")]).await;
    assert_eq!((seated.status, &seated.path), (StatusCode::OK, &board.path), "{}", seated.text);
    // A link isn't a code, and a code isn't a link.
    assert_eq!(ben.post("/join", &[("code", &first)]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, code) = self::code(&mut phone, &board).await;
    assert!(server.browser().post(&join, &[("secret", &code)]).await.status.is_client_error());
    assert_eq!(phone.get(&board.path).await.path, board.path);
    assert!(phone.get(&board.path).await.text.contains("/device\""), "the seat is still there");
}

#[tokio::test]
async fn the_duel_of_a_day_goes_along() {
    let server = server();
    let (mut laptop, mut phone) = (server.browser(), server.browser());
    let day = spoton_web::clock::Clock::default().today().to_string();
    let address = format!("/today?day={day}");
    let board = laptop.post("/today", &[("day", &day)]).await;
    let (_, code) = code(&mut laptop, &board).await;
    phone.post("/join", &[("code", &code)]).await;
    let here = phone.get(&address).await;
    assert!(here.text.contains(&format!("href=\"{}\"", board.path)), "{}", here.text);
    let over = phone.act(&board, "resign").await;
    // On some days the computer moves first.
    let line = over.between("readonly rows=\"2\">", "</textarea>").unwrap();
    assert!(line.contains("gave up after ") && line.ends_with(", no hints"), "it counts: {line}");
    // Moving gives no second attempt that counts.
    let there = laptop.get(&address).await;
    assert!(there.text.contains("You moved this duel to another device."), "{}", there.text);
    let second = laptop.post("/today", &[("day", &day)]).await;
    assert_ne!(second.path, board.path);
    assert!(laptop.act(&second, "resign").await.text.contains("(practice)"));
}

#[tokio::test]
async fn the_page_of_a_code_shows_it_again_until_it_is_used() {
    let server = server();
    let (mut laptop, mut phone, mut eve) = (server.browser(), server.browser(), server.browser());
    let board = laptop.post("/new", &[("mode", "two")]).await;
    let (page, code) = code(&mut laptop, &board).await;
    page.is_safe();
    // Strangers don't see it.
    assert!(!eve.get(&page.path).await.text.contains(&code));
    phone.post("/join", &[("code", &code)]).await;
    let used = laptop.get(&page.path).await;
    assert!(used.path == board.path && !used.text.contains(&code));
}
