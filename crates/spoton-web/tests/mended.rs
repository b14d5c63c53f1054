//! Problems that new users found: lost forms, forgotten rounds, unexplained choices.

use crate::plain_browser;

use axum::http::StatusCode;
use plain_browser::{Page, server};

fn refused(page: &Page, why: &str, kept: &[&str]) {
    page.is_safe();
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", page.text);
    let said = page.between("role=\"alert\">", "<").unwrap_or_default();
    assert!(said.contains(why) && !said.contains("--"), "{said}");
    for value in kept {
        assert!(page.text.contains(value), "{value} is lost: {}", page.text);
    }
}

#[tokio::test]
async fn an_invalid_form_keeps_its_input() {
    let server = server();
    let mut ann = server.browser();
    let number = "The target must be a whole number";
    let form = [("game", "number-maze"), ("target", "7x"), ("no_take_back", "on"), ("hints", "on")];
    let class = ann.post("/class", &form).await;
    refused(
        &class,
        number,
        &[
            "value=\"number-maze\" selected",
            "value=\"7x\"",
            "name=\"no_take_back\" checked",
            "value=\"on\" checked",
        ],
    );
    let form = [
        ("game", "number-maze"),
        ("mode", "computer"),
        ("opponent", "nina"),
        ("first", "2"),
        ("target", "7x"),
        ("name", "Ann"),
        ("discover", "on"),
    ];
    let game = ann.post("/new", &form).await;
    let kept = [
        "<bdi>Number Maze</bdi></h1>",
        "value=\"7x\"",
        "value=\"nina\" checked",
        "value=\"2\" selected",
        "value=\"Ann\"",
        "name=\"discover\" checked",
    ];
    refused(&game, number, &kept);
    // A number, but not a valid target.
    let behind = ann.post("/new", &[("game", "number-maze"), ("mode", "two"), ("target", "-5")]).await;
    refused(&behind, "arget", &["value=\"-5\""]);
    let alike = [("game", "number-maze"), ("mode", "two"), ("name", "Ann"), ("other", "Ann")];
    refused(&ann.post("/new", &alike).await, "name", &["name=\"other\"", "value=\"Ann\""]);
    for page in ["facts", "map"] {
        let asked = ann.get(&format!("/games/number-maze/{page}?target=abc")).await;
        refused(&asked, number, &["value=\"abc\"", "<button>Show</button>"]);
        assert!(!asked.text.contains("Too large"), "{}", asked.text);
    }
    let span = ann.get("/games/number-maze/facts?target=9..3").await;
    refused(&span, "such as 20..60", &["value=\"9..3\""]);
}

#[tokio::test]
async fn a_friend_reads_the_name_of_the_host() {
    let server = server();
    let (mut ann, mut ben) = (server.browser(), server.browser());
    let home = ann.get("/").await;
    home.is_safe();
    let form = home.between("value=\"friend\">", "</form>").unwrap();
    assert!(form.contains("id=\"with-friend\"") && form.contains("name=\"name\""), "{form}");
    let board = ann.post("/new", &[("mode", "friend"), ("name", " Ann ")]).await;
    let invited = ben.get(&board.path.replace("/r/", "/j/")).await;
    assert!(invited.text.contains("<bdi>Ann</bdi> invites you"), "{}", invited.text);
}

#[tokio::test]
async fn home_lists_rounds_by_whose_turn_it_is() {
    let server = server();
    let (mut ann, mut ben) = (server.browser(), server.browser());
    let two = [("mode", "two"), ("game", "number-maze"), ("name", "Ann"), ("other", "Tom")];
    for _ in 0..6 {
        ann.post("/new", &two).await;
    }
    let home = ann.get("/").await;
    home.is_safe();
    assert_eq!(home.text.matches("Ann and Tom").count(), 5, "{}", home.text);
    assert!(home.text.contains("just now") && home.text.contains("<a href=\"/past\">"));

    let waiting = ann.post("/new", &[("mode", "friend"), ("game", "number-maze"), ("name", "Ann")]).await;
    let home = ann.get("/").await;
    let others = home.between("Waiting for others</h2>", "</ul>").unwrap();
    assert!(others.contains(&waiting.path) && others.contains("nobody has joined yet"), "{others}");

    let link = waiting.between("readonly value=\"", "\"").unwrap();
    let (_, secret) = link.split_once('#').unwrap();
    let join = waiting.path.replace("/r/", "/j/");
    let board = ben.post(&join, &[("secret", secret), ("name", "Ben")]).await;
    assert_eq!(board.status, StatusCode::OK, "{}", board.text);
    let ben_waits = ben.get("/").await;
    let others = ben_waits.between("Waiting for others</h2>", "</ul>").unwrap();
    assert!(others.contains("with Ann"), "{others}");
    assert!(ann.get("/").await.between("Your turn</h2>", "</ul>").unwrap().contains("with Ben"));

    // Ann asks to undo her move.
    let board = ann.get(&waiting.path).await;
    let board = ann.first_move(&board).await;
    assert!(ann.get("/").await.between("Waiting for others</h2>", "</ul>").unwrap().contains("with Ben"));
    ann.act(&board, "take-back").await;
    let asked = ben.get("/").await;
    let yours = asked.between("Your turn</h2>", "</ul>").unwrap();
    assert!(yours.contains("asks to undo a move"), "{yours}");
    // After the round, she asks for a rematch.
    ben.act(&board, "resign").await;
    assert!(!ben.get("/").await.text.contains("with Ann"), "nobody waits");
    ann.act(&board, "rematch").await;
    assert!(ben.get("/").await.text.contains("asks for a rematch"));
}

#[tokio::test]
async fn opponents_and_variants_are_explained() {
    let server = server();
    let mut ann = server.browser();
    let page = ann.get("/games/target-twenty-one").await;
    page.is_safe();
    for said in [
        "Otto looks three moves ahead and rarely slips.",
        "<option value=\"limited-passes\">Limited passes</option>",
        "<dt>Limited passes</dt><dd>",
    ] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    let today = ann.get("/today").await;
    assert!(today.text.contains("Otto looks three moves ahead"), "{}", today.text);
}

#[tokio::test]
async fn cards_say_how_long_a_game_is_and_not_who_wins() {
    let server = server();
    let mut ann = server.browser();
    // On a busy machine some badges appear only on a later request.
    let mut page = ann.get("/games").await;
    while !page.text.contains(">about 14 moves</span> <span class=\"chip\">many choices matter</span>") {
        page = ann.get("/games").await;
    }
    page.is_safe();
    assert!(page.text.contains("For players who like "), "{}", page.text);
    assert!(!page.text.contains("force a win"));
}

#[tokio::test]
async fn discovery_has_no_hints() {
    let server = server();
    let mut ann = server.browser();
    let form = [("mode", "two"), ("game", "number-maze"), ("hints", "on"), ("discover", "on")];
    let board = ann.post("/new", &form).await;
    assert!(board.moves().len() > 1, "{}", board.text);
    let refused = ann.act(&board, "hint").await;
    assert!(refused.status.is_client_error(), "{}", refused.text);
    assert!(ann.get("/games/number-maze").await.text.contains("name=\"discover\""));
}

#[tokio::test]
async fn a_watching_teacher_finds_the_way_back() {
    let server = server();
    let (mut teacher, mut pupil, mut other) = (server.browser(), server.browser(), server.browser());
    let class = teacher.post("/class", &[("game", "race-to-23"), ("target", "17")]).await;
    assert!(class.text.contains("<h1>Race to 17</h1>"), "{}", class.text);
    let code = class.between("<p class=\"code\">", "<").unwrap();
    let board = pupil.post("/join", &[("code", &code), ("name", "Kim")]).await;
    other.post("/join", &[("code", &code), ("name", "Lee")]).await;
    let back = format!("<a href=\"{}\"", class.path);
    assert!(teacher.get(&board.path).await.text.contains(&back));
    assert!(!pupil.get(&board.path).await.text.contains(&back), "the class is the teacher's");
    assert!(!server.browser().get(&board.path).await.text.contains(&back));
    let past = pupil.get("/past").await;
    assert!(past.text.contains("<strong>Race to 17</strong>"), "{}", past.text);
}

#[tokio::test]
async fn errors_follow_the_order_of_the_text() {
    let server = server();
    let mut ann = server.browser();
    let text = "title = 'A'\nstart = 'x'\ncolour = 1\ntarget = 'y'\nmoves = ['+1', '?']\n";
    let page = ann.post("/workshop", &[("rulebook", text), ("part", "mistakes")]).await;
    let lines: Vec<u32> =
        page.text.split(">Line ").skip(1).filter_map(|rest| rest.split_once('<')?.0.parse().ok()).collect();
    assert!(lines.len() >= 4 && lines.is_sorted(), "{lines:?}");
}

#[tokio::test]
async fn improvements_are_described_in_words() {
    let server = server();
    let mut ann = server.browser();
    let text = "title = 'A'\nstart = 0\ntarget = 20\nmoves = ['+1..3']\n";
    let page = ann.post("/workshop", &[("rulebook", text), ("part", "better")]).await;
    let change = page.between("class=\"change\"><p>", "</form>").expect("this game can be better");
    let (rule, figures) = change.split_once("<p class=\"quiet\">").expect("figures come after the rules");
    assert!(rule.contains("</p>") && !rule.contains('='), "{rule}");
    assert!(figures.contains("Careful guessing wins"), "{figures}");
}

#[tokio::test]
async fn tables_of_facts_show_the_names_of_opponents() {
    let server = server();
    let mut ann = server.browser();
    let page = ann.get("/games/race-to-23/facts").await;
    page.is_safe();
    assert!(page.text.contains("<th scope=\"row\">1 ") && page.text.contains("Otto"), "{}", page.text);
    assert!(!page.text.contains("<li>pip"), "names have capitals");
}

/// A name that someone typed into an address or a form finds the same game as in a terminal.
#[tokio::test]
async fn part_of_a_name_is_enough() {
    let server = server();
    let mut ann = server.browser();
    assert_eq!(ann.get("/games/maze").await.path, "/games/number-maze");
    let pages =
        ["/games/maze/facts", "/games/maze/map", "/puzzles/maze", "/workshop?like=maze"].map(str::to_owned);
    for page in pages {
        let (part, whole) = (ann.get(&page).await, ann.get(&page.replace("maze", "number-maze")).await);
        assert_eq!((part.status, &part.text), (StatusCode::OK, &whole.text), "{page}");
    }
    let board = ann.post("/new", &[("mode", "two"), ("game", "maze")]).await;
    assert!(board.text.contains("Number Maze"), "{}", board.text);
    let class = ann.post("/class", &[("game", "maze")]).await;
    assert!(class.text.contains("Number Maze"), "{}", class.text);
    let why = "\"target\" could be operation-target or target-twenty-one; type more of the name.";
    for address in ["/new", "/class"] {
        let refused = ann.post(address, &[("mode", "two"), ("game", "target")]).await;
        refused.is_safe();
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{address}");
        assert!(refused.read().contains(why), "{address}: {}", refused.text);
    }
}
