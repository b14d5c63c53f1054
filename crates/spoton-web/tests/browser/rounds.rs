//! Whole rounds.

use spoton::format::catalog;

use crate::driver::{Browser, Chrome, Kind, PHONE, Server, WITHOUT_SCRIPTS, network_address};

/// A selector for the legal moves.
pub const CHOICE: &str = "#choices button[name=move]:enabled";

/// A selector for the link that appears when a round is over.
pub const LOOK_BACK: &str = "#back";

/// The host invites a friend, who joins. Returns the link once both see the board.
pub async fn invite(server: &Server, host: &Browser, friend: &Browser, game: &str, name: &str) -> String {
    host.open(&format!("{}/games/{game}", server.address)).await;
    host.press("button[name=mode][value=friend]").await;
    accept(host, friend, name).await
}

/// The friend opens the host's link and joins. Returns the link.
pub async fn accept(host: &Browser, friend: &Browser, name: &str) -> String {
    // Waits for the board, since a shared book's page also has a link.
    host.wait_for("location.pathname.startsWith('/r/') && document.querySelector('#link')").await;
    let link = host.ask("document.querySelector('#link').value").await.as_str().unwrap().to_owned();
    friend.open(&link).await;
    friend.fill("[name=name]", name).await;
    friend.press("#take-seat").await;
    friend.wait_for("document.querySelector('#board')").await;
    host.wait_for("!document.querySelector('#link')").await;
    link
}

/// Starts a round for two people on this device, from the home page.
pub async fn two_on_this_device(browser: &Browser) {
    browser.press("#two > summary").await;
    browser.press("#two-here").await;
}

/// Clicks the last legal move, which usually ends rounds quickest.
pub async fn make_a_move(player: &Browser) {
    let before = player.seq().await;
    player.wait_for(&format!("document.querySelector('{CHOICE}')")).await;
    let choices = player.ask(&format!("document.querySelectorAll('{CHOICE}').length")).await;
    let id = player
        .ask(&format!("document.querySelectorAll('{CHOICE}')[{choices} - 1].id"))
        .await
        .as_str()
        .unwrap()
        .to_owned();
    player.press(&format!("#{id}")).await;
    player.wait_for(&format!("document.querySelector('#board').dataset.seq > {before}")).await;
}

async fn sees(browser: &Browser, seq: u64) {
    browser.wait_for(&format!("document.querySelector('#board').dataset.seq >= {seq}")).await;
}

async fn is_over(browser: &Browser) -> bool {
    browser.has(LOOK_BACK).await
}

/// Two players take turns to the end while a third browser watches. Nobody reloads.
pub async fn play_to_the_end(players: [&Browser; 2], watcher: &Browser) {
    // Some games can repeat forever, so after this many turns a player gives up.
    const MOST: usize = 40;
    for turn in 0.. {
        if is_over(players[0]).await {
            break;
        }
        if turn == MOST {
            players[0].press("#more").await;
            players[0].press("#give-up summary").await;
            players[0].press("#do-resign").await;
            players[0].wait_for(&format!("document.querySelector('{LOOK_BACK}')")).await;
        } else {
            let first_may = players[0].has(CHOICE).await;
            make_a_move(players[usize::from(!first_may)]).await;
        }
        let seq = players[0].seq().await.max(players[1].seq().await);
        for browser in [players[0], players[1], watcher] {
            sees(browser, seq).await;
        }
        assert!(!watcher.has(CHOICE).await, "watchers can't move");
    }
    let said = players[0].text("#status").await;
    assert!(!said.is_empty());
    assert!(is_over(players[1]).await && is_over(watcher).await, "everyone sees the end");
}

/// Two real browsers play every shipped game by link, and a third watches.
#[tokio::test]
async fn every_shipped_game_is_played_by_link_and_watched() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let host = chrome.browser(PHONE).await;
    let friend = chrome.browser(Kind::default()).await;
    let watcher = chrome.browser(Kind::default()).await;
    for game in catalog::ids() {
        invite(&server, &host, &friend, game, "Ben").await;
        let address = host.at().await;
        watcher.open(&address).await;
        assert!(friend.text("#board").await.contains("Ben"));
        assert!(!friend.at().await.contains('#'), "the secret is out of the address");
        play_to_the_end([&host, &friend], &watcher).await;
        watcher.open(&format!("{address}/look-back")).await;
        assert!(watcher.text("main").await.len() > 100, "{game}: everyone may look back");
    }
    for browser in [host, friend, watcher] {
        browser.has_no_complaints().await;
        browser.close().await;
    }
}

/// Without scripts, a whole round and the review work as plain forms and links.
#[tokio::test]
async fn a_whole_round_without_scripts() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(WITHOUT_SCRIPTS).await;
    browser.open(&server.address).await;
    two_on_this_device(&browser).await;
    let mut moves = 0;
    while !browser.has(LOOK_BACK).await {
        let before = browser.seq().await;
        browser.press(CHOICE).await;
        while browser.seq().await == before {}
        moves += 1;
    }
    assert!(moves > 3, "{moves} moves");
    browser.press(LOOK_BACK).await;
    while !browser.at().await.contains("/look-back") {}
    assert!(browser.text("main").await.contains("+"));
    browser.close().await;
}

/// A whole round without a mouse.
#[tokio::test]
async fn a_round_by_keyboard_alone() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let browser = chrome.browser(Kind::default()).await;
    browser.open(&server.address).await;
    // Tab reaches the choice and, once it's open, its button.
    for there in
        ["document.activeElement.parentElement.id === 'two'", "document.activeElement.id === 'two-here'"]
    {
        for _ in 0..30 {
            if browser.ask(there).await == true {
                break;
            }
            browser.type_keys("\u{e004}").await;
        }
        assert_eq!(browser.ask(there).await, true, "{there}");
        browser.type_keys("\u{e007}").await;
    }
    browser.wait_for("document.querySelector('#board')").await;
    for _ in 0..30 {
        if browser.ask("Boolean(document.activeElement.closest('#choices'))").await == true {
            break;
        }
        browser.type_keys("\u{e004}").await;
    }
    let mut moves = 0;
    while browser.has(CHOICE).await {
        let before = browser.seq().await;
        // Each move has a digit key.
        let place = browser.ask(&format!("document.querySelector('{CHOICE}').dataset.key")).await;
        browser.type_keys(place.as_str().unwrap()).await;
        browser.wait_for(&format!("document.querySelector('#board').dataset.seq > {before}")).await;
        moves += 1;
        let inside = "Boolean(document.activeElement.closest('#board'))";
        assert_eq!(browser.ask(inside).await, true, "after move {moves} the focus stays in the board");
    }
    assert!(moves > 3, "{moves} moves");
    browser.has_no_complaints().await;
    browser.close().await;
}

/// A round over a network address without TLS, where browsers have no clipboard, no `randomUUID` and no Sec-Fetch
/// headers.
#[tokio::test]
async fn a_round_over_a_plain_network_address() {
    let Some(address) = network_address() else {
        panic!("this machine has only a loopback address, so this test can't run here");
    };
    let (mut server, chrome) = (Server::at("0.0.0.0:0"), Chrome::start());
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    server.address = format!("http://{address}:{port}");
    let host = chrome.browser(Kind::default()).await;
    let friend = chrome.browser(PHONE).await;
    let watcher = chrome.browser(Kind::default()).await;
    let link = invite(&server, &host, &friend, "number-maze", "Ben").await;
    assert!(link.starts_with(&server.address), "{link}");
    watcher.open(&host.at().await).await;
    assert_eq!(host.ask("window.isSecureContext").await, false);
    play_to_the_end([&host, &friend], &watcher).await;
    for browser in [host, friend, watcher] {
        browser.has_no_complaints().await;
        browser.close().await;
    }
}

/// A designer writes and shares a rule book; another person opens the link and plays it with a friend.
#[tokio::test]
async fn a_rule_book_is_written_shared_and_played() {
    const BOOK: &str = "title = \"Threes\"\nstart = 0\ntarget = 12\nmoves = [\"+1\", \"+3\"]\n";
    let (server, chrome) = (Server::start(), Chrome::start());
    let designer = chrome.browser(Kind::default()).await;
    designer.open(&format!("{}/workshop", server.address)).await;
    // Errors appear while typing.
    designer
        .rewrite("#rulebook", "title = \"Threes\"\nstart = 0\ntarget = 12\nmoves = [\"+1\", \"+?\"]\n")
        .await;
    designer.wait_for("document.querySelector('#status').textContent.includes('error')").await;
    designer.rewrite("#rulebook", BOOK).await;
    designer.wait_for("!document.querySelector('#status').textContent.includes('error')").await;
    designer.press("#share").await;
    designer.wait_for("location.pathname.startsWith('/b/')").await;
    let address = designer.at().await;
    let (host, friend) = (chrome.browser(PHONE).await, chrome.browser(Kind::default()).await);
    host.open(&address).await;
    assert!(host.text("h1").await.contains("Threes"));
    host.press("button[name=mode][value=friend]").await;
    accept(&host, &friend, "Ben").await;
    designer.open(&host.at().await).await;
    play_to_the_end([&host, &friend], &designer).await;
    for browser in [designer, host, friend] {
        browser.has_no_complaints().await;
        browser.close().await;
    }
}

/// A teacher opens a class, two pupils join with its code and play, and the teacher watches.
#[tokio::test]
async fn a_class_comes_in_by_one_code() {
    let (server, chrome) = (Server::start(), Chrome::start());
    let teacher = chrome.browser(Kind::default()).await;
    teacher.open(&format!("{}/class", server.address)).await;
    teacher.press("#open-class").await;
    teacher.wait_for("document.querySelector('.code')").await;
    let code = teacher.text(".code").await;
    let pupils = [chrome.browser(PHONE).await, chrome.browser(Kind::default()).await];
    for (pupil, name) in pupils.iter().zip(["Ada", "Ben"]) {
        pupil.open(&format!("{}/join", server.address)).await;
        pupil.fill("[name=code]", &code).await;
        pupil.fill("[name=name]", name).await;
        pupil.press("main form button").await;
        pupil.wait_for("document.querySelector('#board')").await;
    }
    // Without a reload, the waiting pupil sees the partner, and the teacher sees both.
    pupils[0].wait_for("document.querySelector('#board').textContent.includes('Ben')").await;
    teacher
        .wait_for("document.body.textContent.includes('Ada') && document.body.textContent.includes('Ben')")
        .await;
    teacher.open(&pupils[0].at().await).await;
    play_to_the_end([&pupils[0], &pupils[1]], &teacher).await;
    let [one, two] = pupils;
    for browser in [teacher, one, two] {
        browser.has_no_complaints().await;
        browser.close().await;
    }
}
