//! Screenshots for the README. Every run takes them; this command saves them:
//! `SPOTON_PICTURES=docs/pictures cargo test -p spoton-web --test browser pictures`, from the root.

use std::path::PathBuf;

use crate::driver::{Browser, Chrome, DARK, Kind, PHONE, Server};
use crate::rounds::{LOOK_BACK, accept, play_to_the_end};

/// Takes a screenshot. Returns its size.
async fn take(browser: &Browser, name: &str) -> (u32, u32) {
    let picture = browser.driver.screenshot_as_png().await.unwrap();
    if let Some(folder) = std::env::var_os("SPOTON_PICTURES") {
        // Tests run in their crate's folder.
        let folder = PathBuf::from("../..").join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), &picture).unwrap();
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
