//! Every page for everyone: accessibility checks in light and dark and on a phone, and the size of a first visit.

use serde_json::{Value as Json, json};
use spoton::format::catalog;

use crate::driver::{Browser, Chrome, DARK, Kind, PHONE, Server};
use crate::rounds::{invite, make_a_move, play_to_the_end};

/// The accessibility checker axe-core.
const AXE: &str = include_str!("axe/axe.min.js");

async fn nothing_serious(browser: &Browser, what: &str) {
    browser.driver.execute(AXE, vec![]).await.unwrap();
    let run = "const done = arguments[arguments.length - 1]; axe.run(document, { resultTypes: ['violations'] }).then(
        (found) => done(found.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
            .map((one) => one.id + ': ' + one.help + ': ' + one.nodes.map((node) => node.html).join(' | '))),
        (error) => done(['axe has failed: ' + error]));";
    let found = browser.driver.execute_async(run, vec![]).await.unwrap().json().clone();
    assert_eq!(found, Json::Array(vec![]), "{what} at {}", browser.at().await);
}

/// Asserts that the page doesn't scroll sideways.
async fn fits_its_width(browser: &Browser, what: &str) {
    let width =
        browser.ask("[document.documentElement.scrollWidth, document.documentElement.clientWidth]").await;
    assert!(width[0].as_u64() <= width[1].as_u64(), "{what}: {width} at {}", browser.at().await);
}

/// Every page that doesn't need a round.
fn pages() -> Vec<String> {
    let fixed = [
        "/",
        "/games",
        "/class",
        "/join",
        "/device",
        "/today",
        "/puzzles",
        "/puzzles/any",
        "/past",
        "/ladder",
        "/games?show=short",
        "/workshop",
        "/no-such-page",
    ];
    let mut pages: Vec<String> = fixed.map(str::to_owned).into();
    for game in catalog::ids() {
        pages.extend([
            format!("/games/{game}"),
            format!("/games/{game}/facts"),
            format!("/games/{game}/map"),
        ]);
    }
    pages
}

#[tokio::test]
async fn no_page_shuts_anyone_out() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let phone = chrome.browser(PHONE).await;
    let dark = chrome.browser(DARK).await;
    for path in pages() {
        for (browser, what) in [(&phone, "light, on a phone"), (&dark, "dark, on a desktop")] {
            browser.open(&format!("{}{path}", server.address)).await;
            nothing_serious(browser, what).await;
            fits_its_width(browser, what).await;
        }
    }
    // A user's own rule book, with errors and shared.
    for browser in [&phone, &dark] {
        browser.open(&format!("{}/workshop", server.address)).await;
        browser.rewrite("#rulebook", "title = 'Odd'\nstart = 'x'").await;
        browser.press("#look").await;
        browser.wait_for("document.querySelector('.mistakes, #mistakes') || document.body.textContent.includes('start')").await;
        nothing_serious(browser, "mistakes").await;
        browser.open(&format!("{}/workshop?like=number-maze", server.address)).await;
        browser.press("#share").await;
        browser.wait_for("location.pathname.startsWith('/b/')").await;
        nothing_serious(browser, "a shared book").await;
        fits_its_width(browser, "a shared book").await;
    }
    // A class, as the teacher sees it.
    phone.open(&format!("{}/class", server.address)).await;
    phone.press("#open-class").await;
    phone.wait_for("document.querySelector('.code')").await;
    nothing_serious(&phone, "a class").await;
    let class = phone.at().await;
    for name in ["Maximiliane-Charlotte von Hohenz", "Wilhelmine-Alexandra von Hohenz"] {
        let code = phone.ask("document.querySelector('.code').textContent").await;
        dark.driver.delete_all_cookies().await.unwrap();
        dark.open(&format!("{}/join", server.address)).await;
        dark.fill("[name=code]", code.as_str().unwrap()).await;
        dark.fill("[name=name]", name).await;
        dark.press("#come-in").await;
        dark.wait_for("document.querySelector('#board')").await;
    }
    for width in [180, 320, 360, 1100] {
        phone.is_as_wide_as(width).await;
        phone.open(&class).await;
        phone.wait_for("document.querySelector('.rounds td a')").await;
        nothing_serious(&phone, "a class with long names").await;
        fits_its_width(&phone, "a class with long names").await;
        let lines = "document.querySelector('.rounds td a').getClientRects().length";
        assert_eq!(phone.ask(lines).await, 1, "the link stays on one line");
    }
    phone.is_as_wide_as(360).await;
    // A round in all its states: waiting, invited, to move, not their turn, watched, over, reviewed.
    let watcher = chrome.browser(Kind::default()).await;
    phone.open(&format!("{}/games/number-maze", server.address)).await;
    phone.press("button[name=mode][value=friend]").await;
    phone.wait_for("document.querySelector('#link')").await;
    nothing_serious(&phone, "waiting").await;
    let link = phone.ask("document.querySelector('#link').value").await;
    dark.open(link.as_str().unwrap()).await;
    nothing_serious(&dark, "invited").await;
    for game in ["number-maze", "sequence-math-duel", "two-castles"] {
        invite(&server, &phone, &dark, game, "Ben").await;
        let address = phone.at().await;
        watcher.open(&address).await;
        make_a_move(&phone).await;
        dark.wait_for("document.querySelector('#board').dataset.seq >= 3").await;
        for browser in [&phone, &dark, &watcher] {
            nothing_serious(browser, "in a round").await;
            fits_its_width(browser, "in a round").await;
        }
        play_to_the_end([&phone, &dark], &watcher).await;
        for browser in [&phone, &dark] {
            nothing_serious(browser, "at the end").await;
            browser.open(&format!("{address}/look-back")).await;
            nothing_serious(browser, "looking back").await;
            fits_its_width(browser, "looking back").await;
        }
    }
    for browser in [phone, dark, watcher] {
        browser.close().await;
    }
}

/// A turn fits a small phone without scrolling, in any game with up to eight choices.
#[tokio::test]
async fn a_turn_fits_a_small_phone() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let phone = chrome.browser(PHONE).await;
    for game in catalog::ids() {
        phone.open(&format!("{}/games/{game}", server.address)).await;
        phone.press("button[name=mode][value=two]").await;
        phone.wait_for("document.querySelector('#choices')").await;
        let choices = phone.ask("document.querySelectorAll('#choices button[name=move]').length").await;
        let bottom = phone.ask("document.querySelector('#choices').getBoundingClientRect().bottom").await;
        assert_eq!(phone.ask("window.scrollY").await.as_f64(), Some(0.0), "{game}");
        if choices.as_u64() <= Some(8) {
            assert!(bottom.as_f64() <= Some(640.0), "{game}: {choices} choices end at {bottom}");
        }
        fits_its_width(&phone, game).await;
    }
    phone.has_no_complaints().await;
    phone.close().await;
}

/// A name stays on one line and is never cut off.
#[tokio::test]
async fn names_on_a_board_are_whole() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    for width in [180, 320, 360, 1100] {
        browser.is_as_wide_as(width).await;
        for mode in ["computer", "two"] {
            browser.open(&format!("{}/games/race-to-23", server.address)).await;
            browser.press(&format!("button[name=mode][value={mode}]")).await;
            browser.wait_for("document.querySelector('#board')").await;
            for player in [1, 2] {
                let name = format!("document.querySelector('#player-{player} bdi')");
                let lines = format!(
                    "(() => {{ const range = document.createRange(); range.selectNodeContents({name}); \
                     return new Set([...range.getClientRects()].map((box) => box.top)).size; }})()"
                );
                let said = browser.ask(&format!("{name}.textContent")).await;
                assert_eq!(browser.ask(&lines).await, 1, "{said} at {width}");
                let whole = format!("{name}.clientWidth >= {name}.scrollWidth && {name}.clientWidth > 10");
                assert_eq!(browser.ask(&whole).await, true, "{said} at {width}");
            }
            fits_its_width(&browser, mode).await;
        }
    }
    browser.close().await;
}

/// A tapped move leaves no arc for the next turn.
#[tokio::test]
async fn a_tap_leaves_no_arc_behind() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let phone = chrome.browser(PHONE).await;
    phone.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
    phone.open(&format!("{}/games/race-to-23", server.address)).await;
    phone.press("button[name=mode][value=two]").await;
    phone.wait_for("document.querySelector('#choices')").await;
    let before = phone.seq().await;
    let at = "(() => { const box = document.querySelector('#m2').getBoundingClientRect(); \
              return [box.x + box.width / 2, box.y + box.height / 2]; })()";
    let at = phone.ask(at).await;
    let touch = |kind: &str, points: Json| json!({ "type": kind, "touchPoints": points });
    let point = json!([{ "x": at[0], "y": at[1] }]);
    phone.devtools("Input.dispatchTouchEvent", touch("touchStart", point)).await;
    phone.devtools("Input.dispatchTouchEvent", touch("touchEnd", json!([]))).await;
    phone.wait_for(&format!("document.querySelector('#board').dataset.seq > {before}")).await;
    assert!(phone.ask("document.querySelectorAll('.may').length").await.as_u64() > Some(1));
    // The browser keeps a tapped button active for a moment, and with it the arc.
    let hidden = "[...document.querySelectorAll('.may')].every((arc) => getComputedStyle(arc).visibility === 'hidden')";
    phone.wait_for(hidden).await;
    phone.close().await;
}

/// A first visit is small and loads nothing from other servers.
#[tokio::test]
async fn a_first_visit_is_small_and_asks_nobody_else() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    browser.open(&server.address).await;
    let loaded =
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]";
    let bytes = browser.ask(&format!("{loaded}.reduce((sum, one) => sum + one.transferSize, 0)")).await;
    assert!(bytes.as_u64().is_some_and(|bytes| 0 < bytes && bytes < 60_000), "{bytes} bytes");
    let from = browser.ask(&format!("{loaded}.every((one) => one.name.startsWith(location.origin))")).await;
    assert_eq!(from, true);
    browser.has_no_complaints().await;
    browser.close().await;
}
