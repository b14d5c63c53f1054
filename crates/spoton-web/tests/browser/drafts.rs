//! The workshop restores an older draft with a notice, and offers the original.

use crate::driver::{Browser, Chrome, Kind, Server};

const MINE: &str = "title = \"Mine\"\nstart = 0\ntarget = 12\nmoves = [\"+1\", \"+3\"]\n";

async fn text(browser: &Browser) -> String {
    browser.ask("document.querySelector('#rulebook').value").await.as_str().unwrap().to_owned()
}

async fn shows(browser: &Browser, notice: &str) {
    browser.wait_for(&format!("document.querySelector('#older').textContent.includes('{notice}')")).await;
    assert_eq!(browser.ask("document.querySelector('#older').hidden").await, false);
}

#[tokio::test]
async fn an_older_draft_is_reported_and_both_texts_are_offered() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    let change = format!("{}/workshop?like=number-maze", server.address);
    browser.open(&change).await;
    let original = text(&browser).await;
    assert_eq!(browser.ask("document.querySelector('#older').hidden").await, true, "there is no draft yet");
    browser.rewrite("#rulebook", MINE).await;
    let mine = text(&browser).await;
    assert_ne!(mine, original);
    browser.open(&format!("{}/games/number-maze", server.address)).await;
    browser.press("#change").await;
    browser.wait_for("location.pathname === '/workshop' && document.readyState === 'complete'").await;
    shows(&browser, "your earlier draft").await;
    assert_eq!(text(&browser).await, mine);
    browser.press("#older button").await;
    shows(&browser, "the original rules").await;
    assert_eq!(text(&browser).await, original);
    // A reload keeps both.
    browser.open(&change).await;
    shows(&browser, "the original rules").await;
    assert_eq!(text(&browser).await, original);
    browser.press("#older button").await;
    shows(&browser, "your earlier draft").await;
    assert_eq!(text(&browser).await, mine);
    // Another game has its own draft. Without a game, the latest draft comes with a notice.
    browser.open(&format!("{}/workshop?like=race-to-23", server.address)).await;
    assert_eq!(browser.ask("document.querySelector('#older').hidden").await, true);
    assert!(text(&browser).await.contains("race-to-23"));
    browser.open(&format!("{}/workshop", server.address)).await;
    shows(&browser, "your earlier draft").await;
    assert_eq!(text(&browser).await, mine);
    browser.has_no_complaints().await;
    browser.close().await;
}
