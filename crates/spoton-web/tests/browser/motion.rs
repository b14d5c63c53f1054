//! Motion is only on top: a tap in the middle of a hop counts, and nothing waits for an animation.

use serde_json::json;

use crate::driver::{Browser, Chrome, DARK, Kind, PHONE, Server};

const HOPS: &str = "document.documentElement.classList.contains('hopping')";

/// Two people on one device.
async fn two(server: &Server, browser: &Browser, game: &str) {
    browser.open(&format!("{}/games/{game}", server.address)).await;
    browser.press("button[name=mode][value=two]").await;
    browser.wait_for("document.querySelector('#choices')").await;
}

/// Runs a script on the page as soon as a dot hops, and counts the hops.
async fn when_it_hops(browser: &Browser, script: &str) {
    let watch = format!(
        "window.hops = 0; new MutationObserver(() => {{ if ({HOPS} && window.hops++ === 0) {{ {script} }} }})\
         .observe(document.documentElement, {{ attributes: true, attributeFilter: ['class'] }});"
    );
    browser.driver.execute(watch, vec![]).await.unwrap();
}

async fn moves(browser: &Browser) -> u64 {
    browser.ask("Number(document.querySelector('.track').dataset.moves)").await.as_u64().unwrap()
}

#[tokio::test]
async fn a_tap_in_mid_hop_counts() {
    let (server, chrome) = (Server::start(), Chrome::start());
    for kind in [PHONE, DARK] {
        let browser = chrome.browser(kind).await;
        two(&server, &browser, "race-to-23").await;
        let tap = "window.during = { status: document.querySelector('#status').textContent, \
                   enabled: !document.querySelector('#m2').disabled, \
                   number: document.querySelector('#number').textContent }; \
                   document.querySelector('#m2').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); \
                   window.during.hops = document.documentElement.classList.contains('hopping'); \
                   document.querySelector('#m2').click();";
        when_it_hops(&browser, tap).await;
        browser.press("#m3").await;
        browser.wait_for("document.querySelector('.track').dataset.moves === '2'").await;
        // In the middle of the hop, the page already was where the move leads.
        let during = browser.ask("window.during").await;
        assert_eq!(during["number"], "The number is 3", "{during}");
        assert_eq!((&during["enabled"], &during["hops"]), (&json!(true), &json!(false)), "{during}");
        assert!(during["status"].as_str().unwrap().contains("0 → 3."), "{during}");
        browser.wait_for("document.querySelector('#number').textContent === 'The number is 5'").await;
        // Once the last hop is over, no trace of motion is left.
        browser.wait_for(&format!("!{HOPS} && !document.querySelector('.mover, .moving')")).await;
        browser
            .wait_for("[...document.querySelectorAll('.hop path')].every((path) => !path.style.opacity)")
            .await;
        browser.has_no_complaints().await;
        browser.close().await;
    }
}

#[tokio::test]
async fn motion_can_be_switched_off() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    two(&server, &browser, "number-maze").await;
    when_it_hops(&browser, "").await;
    browser.press("#m1").await;
    browser.wait_for("window.hops > 0").await;
    // By the setting, which is remembered.
    browser.press("#more").await;
    browser.wait_for("document.querySelector('#motion').textContent.endsWith('on')").await;
    browser.press("#motion").await;
    browser.wait_for("document.querySelector('#motion').textContent.endsWith('off')").await;
    two(&server, &browser, "number-maze").await;
    when_it_hops(&browser, "").await;
    browser.press("#m1").await;
    browser.wait_for("document.querySelector('.track').dataset.moves === '1'").await;
    browser.press("#m1").await;
    browser.wait_for("document.querySelector('.track').dataset.moves === '2'").await;
    assert_eq!(browser.ask("window.hops").await, 0);
    // By the system.
    browser.ask("localStorage.clear()").await;
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.devtools("Emulation.setEmulatedMedia", still).await;
    two(&server, &browser, "number-maze").await;
    when_it_hops(&browser, "").await;
    browser.press("#m1").await;
    browser.wait_for("document.querySelector('.track').dataset.moves === '1'").await;
    browser.press("#m1").await;
    browser.wait_for("document.querySelector('.track').dataset.moves === '2'").await;
    assert_eq!(browser.ask("window.hops").await, 0);
    browser.has_no_complaints().await;
    browser.close().await;
}

#[tokio::test]
async fn the_bubbles_of_a_first_round_never_come_back() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(PHONE).await;
    let shown = "[...document.querySelectorAll('.tip:not([hidden])')].map((tip) => tip.id).join()";
    two(&server, &browser, "number-maze").await;
    for tip in ["tip-move", "tip-ring", "tip-past", ""] {
        browser.wait_for(&format!("{shown} === '{tip}'")).await;
        let before = moves(&browser).await;
        browser.press("#m1").await;
        browser.wait_for(&format!("document.querySelector('.track').dataset.moves > {before}")).await;
    }
    two(&server, &browser, "number-maze").await;
    assert_eq!(browser.ask(shown).await, "");
    browser.close().await;
}

#[tokio::test]
async fn the_end_explains_the_turning_point_in_place() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    two(&server, &browser, "race-to-23").await;
    for expected in 1..=23 {
        browser.wait_for("document.querySelector('#m1:enabled')").await;
        browser.press("#m1").await;
        browser.wait_for(&format!("document.querySelector('.track').dataset.moves === '{expected}'")).await;
    }
    let board = browser.at().await;
    browser.press("#explain").await;
    browser.wait_for("document.querySelector('#why-here .better')").await;
    assert_eq!(browser.at().await, board, "the person stays where they are");
    assert!(browser.text("#why-here").await.contains("Better:"), "{}", browser.text("#why-here").await);
    browser.press("#why-here [name=moves]").await;
    browser.wait_for("document.querySelector('#choices')").await;
    assert!(browser.at().await != board, "a copy from the turning point");
    browser.has_no_complaints().await;
    browser.close().await;
}
