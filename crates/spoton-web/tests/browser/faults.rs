//! Bad connections, sleeping phones, second tabs and a killed server.

use serde_json::json;

use crate::driver::{Chrome, Kind, PHONE, Server};
use crate::rounds::{CHOICE, invite, make_a_move, play_to_the_end, two_on_this_device};

/// The server is killed during a round and restarts: both players continue without a manual reload.
#[tokio::test]
async fn a_round_goes_on_after_the_server_was_killed() {
    let (mut server, chrome) = (Server::start(), Chrome::start());
    let host = chrome.browser(Kind::default()).await;
    let friend = chrome.browser(Kind::default()).await;
    let watcher = chrome.browser(Kind::default()).await;
    invite(&server, &host, &friend, "number-maze", "Ben").await;
    watcher.open(&host.at().await).await;
    // A reload would remove this mark.
    for browser in [&host, &friend, &watcher] {
        browser.ask("(document.body.dataset.never = 'reloaded')").await;
    }
    make_a_move(&host).await;
    make_a_move(&friend).await;
    server.kill();
    server.start_again();
    play_to_the_end([&host, &friend], &watcher).await;
    for browser in [host, friend, watcher] {
        assert_eq!(browser.ask("document.body.dataset.never").await, "reloaded");
        browser.close().await;
    }
}

/// If the server is down, the page reports a failed move, and the player can make it again.
#[tokio::test]
async fn a_move_into_the_void_can_be_made_again() {
    let (mut server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    browser.open(&server.address).await;
    two_on_this_device(&browser).await;
    browser.wait_for(&format!("document.querySelector('{CHOICE}')")).await;
    let before = browser.seq().await;
    server.kill();
    browser.press(CHOICE).await;
    browser.wait_for("document.querySelector('#alert').textContent != ''").await;
    server.start_again();
    browser.wait_for("document.querySelector('#alert').textContent == ''").await;
    make_a_move(&browser).await;
    assert!(browser.seq().await > before);
    browser.close().await;
}

/// A phone that was offline catches up as soon as it's back online.
#[tokio::test]
async fn a_phone_reconnects_after_a_tunnel() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let phone = chrome.browser(PHONE).await;
    let friend = chrome.browser(Kind::default()).await;
    invite(&server, &phone, &friend, "number-maze", "Ben").await;
    let line = |offline: bool| json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    make_a_move(&phone).await;
    phone.devtools("Network.enable", json!({})).await;
    phone.devtools("Network.emulateNetworkConditions", line(true)).await;
    make_a_move(&friend).await;
    let seq = friend.seq().await;
    phone.devtools("Network.emulateNetworkConditions", line(false)).await;
    phone.wait_for(&format!("document.querySelector('#board').dataset.seq >= {seq}")).await;
    make_a_move(&phone).await;
    for browser in [phone, friend] {
        browser.close().await;
    }
}

/// A suspended phone catches up when it wakes.
#[tokio::test]
async fn a_phone_that_slept_comes_back() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let phone = chrome.browser(PHONE).await;
    let friend = chrome.browser(Kind::default()).await;
    invite(&server, &phone, &friend, "number-maze", "Ben").await;
    make_a_move(&phone).await;
    phone.signal("STOP");
    make_a_move(&friend).await;
    let seq = friend.seq().await;
    phone.signal("CONT");
    phone.wait_for(&format!("document.querySelector('#board').dataset.seq >= {seq}")).await;
    make_a_move(&phone).await;
    for browser in [phone, friend] {
        browser.close().await;
    }
}

/// One player with two tabs: both show the round, and either can move.
#[tokio::test]
async fn two_tabs_of_one_player() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let host = chrome.browser(Kind::default()).await;
    let friend = chrome.browser(Kind::default()).await;
    invite(&server, &host, &friend, "number-maze", "Ben").await;
    let first = host.driver.window().await.unwrap();
    let address = host.at().await;
    let second = host.driver.new_tab().await.unwrap();
    host.driver.switch_to_window(second.clone()).await.unwrap();
    host.open(&address).await;
    for round in 0..2 {
        let (moves, looks) = if round == 0 { (&first, &second) } else { (&second, &first) };
        host.driver.switch_to_window(moves.clone()).await.unwrap();
        make_a_move(&host).await;
        let seq = host.seq().await;
        host.driver.switch_to_window(looks.clone()).await.unwrap();
        host.wait_for(&format!("document.querySelector('#board').dataset.seq >= {seq}")).await;
        make_a_move(&friend).await;
        let seq = friend.seq().await;
        for tab in [&first, &second] {
            host.driver.switch_to_window(tab.clone()).await.unwrap();
            host.wait_for(&format!("document.querySelector('#board').dataset.seq >= {seq}")).await;
        }
    }
    host.has_no_complaints().await;
    for browser in [host, friend] {
        browser.close().await;
    }
}
