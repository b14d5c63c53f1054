//! Screenshots for the README and for looking at every state. Every run takes them; this command saves them:
//! `SPOTON_PICTURES=docs/pictures cargo test -p spoton-web --test browser pictures`, from the root.

use std::path::PathBuf;

use crate::driver::{Browser, Chrome, DARK, Kind, PHONE, Server};
use crate::rounds::{LOOK_BACK, accept, make_a_move, play_to_the_end};

/// Takes a screenshot. Returns its size.
async fn take(browser: &Browser, name: &str) -> (u32, u32) {
    let picture = browser.driver.screenshot_as_png().await.unwrap();
    if let Some(folder) = std::env::var_os("SPOTON_PICTURES") {
        // Tests run in their crate's folder.
        let folder = PathBuf::from("../..").join(folder);
        let file = folder.join(format!("{name}.png"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, &picture).unwrap();
    }
    // In a PNG the size follows the first sixteen bytes.
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn pictures_of_a_round() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let phone = chrome.browser(PHONE).await;
    let desktop = chrome.browser(DARK).await;
    let watcher = chrome.browser(Kind::default()).await;
    phone.open(&format!("{}/games/number-maze", server.address)).await;
    phone.ask("(document.querySelector('[name=name]').value = 'Ann')").await;
    phone.press("button[name=mode][value=friend]").await;
    accept(&phone, &desktop, "Ben").await;
    for (player, written) in [(&phone, "+1"), (&desktop, "x2"), (&phone, "+1"), (&desktop, "x2")] {
        let before = player.seq().await;
        let choice = format!("#choices button[value='{written}']:enabled");
        player.wait_for(&format!("document.querySelector(\"{choice}\")")).await;
        player.press(&choice).await;
        for browser in [&phone, &desktop] {
            browser.wait_for(&format!("document.querySelector('#board').dataset.seq > {before}")).await;
        }
    }
    assert_eq!(take(&phone, "board-phone").await, (720, 1280));
    let (width, _) = take(&desktop, "board-desktop").await;
    assert!(width >= 1000);
    watcher.open(&phone.at().await).await;
    play_to_the_end([&phone, &desktop], &watcher).await;
    watcher.press(LOOK_BACK).await;
    watcher.wait_for("document.querySelector('#look-back')").await;
    take(&watcher, "look-back").await;
    watcher.open(&format!("{}/workshop", server.address)).await;
    take(&watcher, "workshop").await;
    for browser in [phone, desktop, watcher] {
        browser.close().await;
    }
}

/// A state of a page, once nothing moves.
async fn state(browser: &Browser, kind: &str, name: &str) {
    browser.wait_for("!document.documentElement.classList.contains('hopping')").await;
    browser.wait_for("document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)").await;
    let (width, height) = take(browser, &format!("states/{name}-{kind}")).await;
    assert!(width > 300 && height > 300, "{name}: {width} x {height}");
}

/// Starts a round from a game's page.
async fn begin(browser: &Browser, server: &Server, game: &str, mode: &str) {
    browser.open(&format!("{}/games/{game}", server.address)).await;
    browser.press(&format!("button[name=mode][value={mode}]")).await;
    browser.wait_for("document.querySelector('#board')").await;
}

/// Fifteen states, each on a phone and on a desktop in dark.
#[tokio::test]
async fn pictures_of_every_state() {
    let (server, chrome) = (Server::start(), Chrome::start());
    for (kind, name) in [(PHONE, "phone"), (DARK, "desktop")] {
        let browser = chrome.browser(kind).await;
        let guest = chrome.browser(kind).await;
        let pages = [
            ("home", "/"),
            ("games", "/games"),
            ("game", "/games/number-maze"),
            ("today", "/today"),
            ("puzzle", "/puzzles/race-to-23?start"),
            ("workshop", "/workshop"),
        ];
        for (page, path) in pages {
            browser.open(&format!("{}{path}", server.address)).await;
            state(&browser, name, page).await;
        }
        begin(&browser, &server, "number-maze", "friend").await;
        state(&browser, name, "waiting").await;
        let link = browser.ask("document.querySelector('#link').value").await;
        guest.open(link.as_str().unwrap()).await;
        state(&guest, name, "join").await;
        begin(&browser, &server, "two-castles", "two").await;
        state(&browser, name, "first-turn").await;
        make_a_move(&browser).await;
        state(&browser, name, "two-numbers").await;
        begin(&browser, &server, "race-to-23", "two").await;
        make_a_move(&browser).await;
        state(&browser, name, "turn").await;
        browser.press("#more").await;
        state(&browser, name, "more").await;
        browser.press("#more-sheet .close").await;
        while !browser.has(LOOK_BACK).await {
            make_a_move(&browser).await;
        }
        state(&browser, name, "end").await;
        browser.press(LOOK_BACK).await;
        browser.wait_for("document.querySelector('#look-back')").await;
        state(&browser, name, "review").await;
        browser.open(&format!("{}/ladder", server.address)).await;
        state(&browser, name, "ladder").await;
        for one in [browser, guest] {
            one.close().await;
        }
    }
}
