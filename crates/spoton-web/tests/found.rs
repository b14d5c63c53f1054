//! Problems that new users found: who can open an address, which game it opens, what a copy is, where a seat moved.

use crate::plain_browser;

use axum::http::StatusCode;
use plain_browser::{Browser, Page, Server, server, unescaped};

/// Two players, each at a browser: the host and the guest.
async fn two_people(server: &Server) -> (Browser, Browser, Page) {
    let (mut ann, mut ben) = (server.browser(), server.browser());
    let form = [("mode", "friend"), ("game", "number-maze"), ("name", "Ann")];
    let waiting = ann.post("/new", &form).await;
    let link = waiting.between("readonly value=\"", "\"").unwrap();
    let (_, secret) = link.split_once('#').unwrap();
    let join = waiting.path.replace("/r/", "/j/");
    let seated = ben.post(&join, &[("secret", secret), ("name", "Ben")]).await;
    assert_eq!(seated.status, StatusCode::OK, "{}", seated.text);
    let board = ann.get(&waiting.path).await;
    (ann, ben, board)
}

fn title(page: &Page) -> String {
    page.between("<title>", "</title>").unwrap()
}

#[tokio::test]
async fn an_address_that_only_this_computer_can_open_says_so() {
    let server = server();
    for (host, is_only_here) in [
        ("localhost:8080", true),
        ("127.0.0.1:8080", true),
        ("[::1]:8080", true),
        ("192.168.1.20:8080", false),
    ] {
        let mut ann = server.browser_at(host);
        let invitation = ann.post("/new", &[("mode", "friend"), ("game", "number-maze")]).await;
        let device = ann.act(&invitation, "device").await;
        let class = ann.post("/class", &[("game", "number-maze")]).await;
        for page in [invitation, device, class] {
            page.is_safe();
            assert!(page.text.contains(&format!("http://{host}/")), "{}", page.text);
            let says = page.text.contains("Only this computer can open this address.");
            assert_eq!(says, is_only_here, "{host}{}: {}", page.path, page.text);
        }
    }
}

#[tokio::test]
async fn home_says_which_game_it_will_be_with_a_friend() {
    let server = server();
    let mut ann = server.browser();
    for game in [None, Some("double-or-add")] {
        if let Some(game) = game {
            ann.post("/new", &[("mode", "two"), ("game", game), ("target", "41")]).await;
        }
        let home = ann.get("/").await;
        home.is_safe();
        let said = home.between("<bdi id=\"friend-game\">", "</bdi>").unwrap();
        assert_eq!(said.contains("41"), game.is_some(), "{said}");
        let board = ann.post("/new", &[("mode", "friend")]).await;
        assert_eq!(board.between("<h1 id=\"title\">", "<").unwrap().contains("41"), game.is_some());
        let past = ann.get("/past").await;
        assert!(past.text.contains(&format!("<strong>{said}</strong>")), "{said}: {}", past.text);
    }
}

#[tokio::test]
async fn an_invalid_name_can_be_corrected_on_home() {
    let server = server();
    let mut ann = server.browser();
    let refused = ann.post("/new", &[("mode", "friend"), ("name", "An\u{202e}n")]).await;
    refused.is_safe();
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = refused.between("value=\"friend\">", "</form>").unwrap();
    assert!(form.contains("role=\"alert\">Use 1 to 32 visible characters."), "{form}");
    assert!(form.contains("value=\"An\u{202e}n\""), "the name is lost: {form}");
}

#[tokio::test]
async fn names_are_typed_once() {
    let server = server();
    let (mut ann, mut ben, board) = two_people(&server).await;
    let field = |page: &Page| {
        let field = page.text.split("<input name=\"name\"").nth(1).and_then(|rest| rest.split('>').next());
        field.unwrap_or_else(|| panic!("{}", page.text)).to_owned()
    };
    for path in ["/", "/games/number-maze", "/join"] {
        for (browser, name) in [(&mut ann, "Ann"), (&mut ben, "Ben")] {
            let page = browser.get(path).await;
            assert!(field(&page).contains(&format!("value=\"{name}\"")), "{path}: {}", field(&page));
        }
        let page = server.browser().get(path).await;
        assert!(!field(&page).contains("Ann") && !field(&page).contains("Ben"), "{path}");
    }
    // A round without a name doesn't replace the last name.
    ann.post("/new", &[("mode", "now")]).await;
    assert!(field(&ann.get("/").await).contains("value=\"Ann\""));
    let waiting = ann.post("/new", &[("mode", "friend"), ("name", "Ann")]).await;
    let invited = ben.get(&waiting.path.replace("/r/", "/j/")).await;
    assert!(field(&invited).contains("value=\"Ben\""), "{}", invited.text);
    assert_ne!(waiting.path, board.path);
}

#[tokio::test]
async fn an_invitation_shows_the_terms() {
    let server = server();
    let mut ann = server.browser();
    let usual = [("mode", "friend"), ("game", "number-maze"), ("name", "Ann")];
    let strict = [&usual[..], &[("first", "2"), ("no_take_back", "on"), ("discover", "on")]].concat();
    let hinted = [&usual[..], &[("hints", "on")]].concat();
    for (form, terms) in [
        (usual.to_vec(), "Ann goes first. You can undo a move if you both agree. Hints are off."),
        (hinted, "Ann goes first. You can undo a move if you both agree. Hints are on."),
        (strict, "You go first. There's no undo. Discovery mode: no hints or answers, even after the game."),
    ] {
        let waiting = ann.post("/new", &form).await;
        let invited = server.browser().get(&waiting.path.replace("/r/", "/j/")).await;
        invited.is_safe();
        assert_eq!(
            invited.between("id=\"terms\">", "<").map(|said| unescaped(&said)).as_deref(),
            Some(terms),
            "{}",
            invited.text
        );
    }
}

#[tokio::test]
async fn an_offer_appears_in_the_title() {
    let server = server();
    let (mut ann, mut ben, board) = two_people(&server).await;
    ann.first_move(&board).await;
    let moved = ben.get(&board.path).await;
    assert!(title(&moved).starts_with("● Your turn"), "{}", title(&moved));
    let moved = ben.first_move(&moved).await;
    assert!(!title(&moved).contains('●') && !moved.text.contains("turn.svg"), "{}", title(&moved));
    ann.act(&board, "take-back").await;
    let asked = ben.get(&board.path).await;
    assert!(title(&asked).starts_with("● Ann asks to undo · "), "{}", title(&asked));
    assert!(asked.text.contains("/static/turn.svg"), "{}", asked.text);
    ben.act(&board, "decline").await;
    ben.act(&board, "resign").await;
    ann.act(&board, "rematch").await;
    let asked = ben.get(&board.path).await;
    assert!(title(&asked).starts_with("● Ann asks for a rematch · "), "{}", title(&asked));
    let asks = ann.get(&board.path).await;
    assert!(!title(&asks).contains('●'), "the player who asked waits: {}", title(&asks));
}

#[tokio::test]
async fn a_copy_of_a_round_says_what_it_is_and_leads_back() {
    let server = server();
    let (mut ann, mut ben, board) = two_people(&server).await;
    ann.first_move(&board).await;
    ben.act(&board, "resign").await;
    let back = ben.get(&format!("{}/look-back", board.path)).await;
    back.is_safe();
    assert!(back.between("id=\"on-what\">", "<").unwrap().contains("both sides"), "{}", back.text);
    let copy = ben.post(&format!("{}/play-on", board.path), &[("round", "1"), ("moves", "1")]).await;
    let says = |page: &Page| page.between("id=\"copy-of\">", "</p>").unwrap_or_default();
    let link = format!("<a href=\"{}/look-back?round=1\">Back to the review</a>", board.path);
    for page in [&copy, &ben.first_move(&copy).await] {
        assert_ne!(page.path, board.path);
        assert!(says(page).contains("You play both seats") && says(page).contains(&link), "{}", page.text);
    }
    assert!(says(&ben.get(&board.path).await).is_empty(), "the round itself is no copy");
    // Against the computer the player has one seat.
    let round = ann.post("/new", &[("mode", "now")]).await;
    server.wait_for_people(&round).await;
    ann.act(&round, "resign").await;
    let back = ann.get(&format!("{}/look-back", round.path)).await;
    assert!(
        back.between("id=\"on-what\">", "<").is_none_or(|said| !said.contains("both sides")),
        "{}",
        back.text
    );
    let copy = ann.post(&format!("{}/play-on", round.path), &[("round", "1"), ("moves", "0")]).await;
    assert!(says(&copy).contains("copy") && !says(&copy).contains("both seats"), "{}", copy.text);
}

#[tokio::test]
async fn the_device_that_had_the_seat_says_where_it_is() {
    let server = server();
    let (mut laptop, mut phone) = (server.browser(), server.browser());
    let board = laptop.post("/new", &[("mode", "two"), ("game", "number-maze")]).await;
    let page = laptop.act(&board, "device").await;
    let back = format!("{}?moved", board.path);
    assert!(page.text.contains(&format!("href=\"{back}\"")), "{}", page.text);
    // While it has the seat there's no notice.
    let said = "Your seat moved to another device.";
    assert!(!laptop.get(&back).await.text.contains(said));
    let code = page.between("<p class=\"code\">", "<").unwrap();
    phone.post("/join", &[("code", &code)]).await;
    assert!(laptop.get(&back).await.text.contains(said));
    assert!(!phone.get(&back).await.text.contains(said));
    assert!(!server.browser().get(&board.path).await.text.contains(said));
}

#[tokio::test]
async fn the_line_of_a_duel_has_a_caption() {
    let server = server();
    let mut ann = server.browser();
    let board = ann.post("/today", &[]).await;
    server.wait_for_people(&board).await;
    let over = ann.act(&board, "resign").await;
    assert!(over.text.contains("<label for=\"todays-line\">"), "{}", over.text);
    let line = over.between("<textarea id=\"todays-line\" readonly rows=\"2\">", "<").unwrap();
    assert!(line.contains(" moves, no hints") || line.contains(" 1 move, no hints"), "{line}");
    let today = ann.get("/today").await;
    assert!(today.text.contains("<label for=\"link\">"), "{}", today.text);
}

#[tokio::test]
async fn the_page_of_a_game_has_one_main_button() {
    let page = server().browser().get("/games/number-maze").await;
    assert_eq!(page.text.matches("<button class=\"large\"").count(), 1, "{}", page.text);
    assert!(page.text.contains("<button class=\"large\" name=\"mode\" value=\"computer\">"), "{}", page.text);
}

#[tokio::test]
async fn sharing_a_book_shows_the_link_first() {
    let server = server();
    let mut ann = server.browser();
    let book = "title = 'Hops'\nstart = 0\ntarget = 12\nmoves = ['+1', '+3']\n";
    let shared = ann.post("/workshop/share", &[("rulebook", book)]).await;
    shared.is_safe();
    let at = |page: &Page, what: &str| page.text.find(what).unwrap_or_else(|| panic!("{}", page.text));
    assert!(at(&shared, "id=\"link\"") < at(&shared, "class=\"set-up\""), "{}", shared.text);
    assert_eq!(shared.text.matches("id=\"link\"").count(), 1);
    // People who open the link see the game first.
    let opened = server.browser().get(&shared.path).await;
    assert!(at(&opened, "id=\"link\"") > at(&opened, "class=\"set-up\""), "{}", opened.text);
}

#[tokio::test]
async fn a_round_that_nobody_can_finish_says_so_before_its_first_move() {
    let server = server();
    let mut ann = server.browser();
    for (target, is_too_long) in [("20", false), ("1000000000000000000", true)] {
        let board = ann.post("/new", &[("mode", "two"), ("game", "number-maze"), ("target", target)]).await;
        assert_eq!(board.status, StatusCode::OK, "{}", board.text);
        assert_eq!(board.text.contains("Nobody can finish it"), is_too_long, "{}", board.text);
        let moved = ann.first_move(&board).await;
        assert!(!moved.text.contains("Nobody can finish it"), "{}", moved.text);
    }
}

#[tokio::test]
async fn the_goal_mentions_the_rule_against_repeating() {
    let server = server();
    let mut ann = server.browser();
    let book = "title = 'Two'\nstart = 0\ntarget = 9\nmoves = ['+1', '+2']\nno_repeat = 'own'";
    for (book, is_said) in [(book.to_owned(), true), (book.replace("own", "none"), false)] {
        let board = ann.post("/new", &[("mode", "two"), ("rulebook", &book)]).await;
        let goal = board.between("id=\"goal\">", "</p>").unwrap();
        assert_eq!(unescaped(&goal).contains("You can't repeat your own last move."), is_said, "{goal}");
    }
}

#[tokio::test]
async fn a_game_too_large_for_hints_says_so_in_plain_words() {
    let server = server();
    let mut ann = server.browser();
    let form = [("mode", "two"), ("game", "digit-climb"), ("target", "1000000000000000000"), ("hints", "on")];
    let board = ann.post("/new", &form).await;
    for what in ["hint", "why"] {
        let mut told = ann.act(&board, what).await;
        // On a busy machine, the time may be up before the memory is.
        for _ in 0..20 {
            if told.text.contains("Stopped after") {
                told = ann.act(&board, what).await;
            }
        }
        assert!(told.text.contains("This game is too large for hints."), "{}", told.text);
        assert!(!told.text.contains("MiB"), "{}", told.text);
    }
}

#[tokio::test]
async fn the_address_of_a_form_that_failed_leads_on() {
    let server = server();
    let mut ann = server.browser();
    for (path, leads_to) in [("/new", "/"), ("/workshop/share", "/workshop")] {
        let page = ann.get(path).await;
        assert_eq!((page.status, page.path.as_str()), (StatusCode::OK, leads_to));
    }
}

#[tokio::test]
async fn the_rounds_before_a_rematch_can_be_found_again() {
    let server = server();
    let mut ann = server.browser();
    let book = "title = 'One step'\nstart = 0\ntarget = 1\nmoves = ['+1']";
    let mut board = ann.post("/new", &[("mode", "two"), ("rulebook", book)]).await;
    for round in 1..=3 {
        let before = board.between("id=\"before\"><a href=\"", "\"");
        assert_eq!(before.is_some(), round > 1, "{}", board.text);
        if let Some(before) = before {
            assert_eq!(before, format!("{}/look-back?round={}", board.path, round - 1));
        }
        ann.first_move(&board).await;
        board = ann.act(&board, "rematch").await;
    }
    for (round, neighbours) in [(1, [false, true]), (2, [true, true]), (3, [true, false])] {
        let page = ann.get(&format!("{}/look-back?round={round}", board.path)).await;
        let leads_to = |round| page.text.contains(&format!("<a href=\"?round={round}\" rel"));
        assert_eq!([leads_to(round - 1), leads_to(round + 1)], neighbours, "{}", page.text);
    }
}
