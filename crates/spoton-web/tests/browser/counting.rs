//! A double click never uses up an attempt: every way to today's duel and to a puzzle, pressed twice.

use serde_json::{Value as Json, json};

use crate::driver::{Browser, Chrome, Kind, PHONE, Server};

const ENTER: &str = "\u{e007}";

/// An enabled move.
const MOVE: &str = "button[name=move]:enabled";

/// Scrolls an element into view. Returns its middle, or that of its first line if it wraps.
async fn middle(browser: &Browser, what: &str) -> [Json; 2] {
    let middle = format!(
        "(() => {{ const found = document.querySelector('{what}'); found.scrollIntoView({{ block: 'center' }}); \
         const box = found.getClientRects()[0]; return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    );
    let middle = browser.ask(&middle).await;
    [middle[0].clone(), middle[1].clone()]
}

/// Clicks at a position. `count` is 2 for the second click of a double click.
async fn click(browser: &Browser, [x, y]: &[Json; 2], count: u32) {
    for kind in ["mousePressed", "mouseReleased"] {
        let with = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": count });
        browser.devtools("Input.dispatchMouseEvent", with).await;
    }
}

/// Clicks an element, waits for the next page, and clicks the same position again.
async fn press_twice(browser: &Browser, what: &str, leads_to: &str) {
    let place = middle(browser, what).await;
    click(browser, &place, 1).await;
    browser.wait_for(leads_to).await;
    click(browser, &place, 1).await;
}

/// The same with the Enter key.
async fn enter_twice(browser: &Browser, what: &str, leads_to: &str) {
    browser.ask(&format!("document.querySelector('{what}').focus()")).await;
    browser.type_keys(ENTER).await;
    browser.wait_for(leads_to).await;
    browser.type_keys(ENTER).await;
}

/// A condition: the page with this path has loaded.
fn page(path: &str, has: &str) -> String {
    format!(
        "location.pathname.startsWith('{path}') && document.readyState === 'complete' && document.querySelector('{has}')"
    )
}

/// How many moves the person has made in the duel on the page.
async fn own_moves(browser: &Browser) -> usize {
    let state = "(() => { const asks = new XMLHttpRequest(); \
                 asks.open('GET', location.pathname.replace('/r/', '/api/v1/rounds/'), false); asks.send(); \
                 return JSON.parse(asks.responseText); })()";
    let state = browser.ask(state).await;
    // The players take turns, and the person is player 1.
    (state["history"].as_array().unwrap().len() + usize::from(state["first"] == 1)) / 2
}

#[tokio::test]
async fn pressing_twice_spends_no_move_of_todays_duel() {
    let (server, chrome) = (Server::start(), Chrome::start());
    for kind in [PHONE, Kind::default()] {
        let browser = chrome.browser(kind).await;
        let to_today = page("/today", "#play");
        browser.open(&server.address).await;
        enter_twice(&browser, "a[href=\"/today\"]", &to_today).await;
        browser.open(&server.address).await;
        press_twice(&browser, "a[href=\"/today\"]", &to_today).await;
        browser.open(&format!("{}/today", server.address)).await;
        if browser.has("#play").await {
            press_twice(&browser, "#play", &page("/r/", MOVE)).await;
        }
        // From the home page, a started round shows its card before the first move.
        for twice in [false, true] {
            browser.open(&server.address).await;
            let to_board = page("/r/", "#board");
            match twice {
                true => press_twice(&browser, ".waits a", &to_board).await,
                false => enter_twice(&browser, ".waits a", &to_board).await,
            }
            let board = browser.at().await;
            assert_eq!(own_moves(&browser).await, 0, "on the way from Home");
            browser.open(&board).await;
            browser.wait_for(&page("/r/", "#start")).await;
            assert!(browser.text("#start-card").await.contains("This one counts"));
            assert!(!browser.has(MOVE).await, "there's nothing to press but the card");
            match twice {
                true => press_twice(&browser, "#start", &page("/r/", MOVE)).await,
                false => enter_twice(&browser, "#start", &page("/r/", MOVE)).await,
            }
            assert_eq!(browser.ask("Boolean(document.activeElement.closest('form'))").await, false);
            assert_eq!(own_moves(&browser).await, 0, "on the way from the card");
            // An intended move counts once.
            if twice {
                browser.open(&format!("{board}?start")).await;
                browser.wait_for(&page("/r/", MOVE)).await;
                let before = browser.seq().await;
                let place = middle(&browser, MOVE).await;
                click(&browser, &place, 2).await;
                click(&browser, &place, 1).await;
                browser.wait_for(&format!("document.querySelector('#board').dataset.seq > {before}")).await;
                assert_eq!(own_moves(&browser).await, 1);
            }
        }
        browser.has_no_complaints().await;
        browser.close().await;
    }
}

#[tokio::test]
async fn pressing_twice_spends_no_try_at_a_puzzle() {
    let (server, chrome) = (Server::start(), Chrome::start());
    for kind in [PHONE, Kind::default()] {
        let browser = chrome.browser(kind).await;
        let is_untouched = async || {
            browser.open(&format!("{}/puzzles/any?start", server.address)).await;
            assert_eq!(browser.ask("document.querySelector('[name=made]').value").await, "0");
        };
        let card = page("/puzzles/any", "#start");
        for twice in [false, true] {
            browser.open(&server.address).await;
            let way = [("a[href=\"/puzzles\"]", page("/puzzles", "#any")), ("#any", card.clone())];
            for (what, leads_to) in &way {
                match twice {
                    true => press_twice(&browser, what, leads_to).await,
                    false => enter_twice(&browser, what, leads_to).await,
                }
                if *what != "#any" {
                    browser.open(&format!("{}/puzzles", server.address)).await;
                }
            }
            browser.open(&format!("{}/puzzles/any", server.address)).await;
            assert!(browser.text("#start-card").await.contains("one try"));
            assert!(!browser.has("#puzzle form").await, "there's nothing to press but the card");
            match twice {
                true => press_twice(&browser, "#start", &page("/puzzles/any", MOVE)).await,
                false => enter_twice(&browser, "#start", &page("/puzzles/any", MOVE)).await,
            }
            is_untouched().await;
        }
        // The second click of a double click isn't a move; a later click is.
        let place = middle(&browser, MOVE).await;
        click(&browser, &place, 2).await;
        is_untouched().await;
        let place = middle(&browser, MOVE).await;
        click(&browser, &place, 1).await;
        browser.wait_for("!document.querySelector('[name=made]') || document.querySelector('[name=made]').value === '1'").await;
        // Giving up asks first.
        browser.open(&format!("{}/puzzles/race-to-23?start", server.address)).await;
        browser.press("#give-up summary").await;
        assert!(!browser.has("#next").await);
        browser.press("#do-give-up").await;
        browser.wait_for("document.querySelector('#next')").await;
        press_twice(&browser, "#next", &page("/puzzles/race-to-23", "#start")).await;
        browser.open(&format!("{}/puzzles/race-to-23?start", server.address)).await;
        assert_eq!(browser.ask("document.querySelector('[name=made]').value").await, "0");
        browser.has_no_complaints().await;
        browser.close().await;
    }
}
