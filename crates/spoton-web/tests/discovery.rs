//! Discovery mode: no address shows a pupil who wins or which numbers matter, but the teacher sees everything. The
//! addresses come from the server's own lists, so a new one without a decision here fails.

use crate::plain_browser;

use std::collections::BTreeSet;

use axum::http::StatusCode;
use plain_browser::{Browser, Page, Server, server};
use spoton::format::catalog;
use spoton_web::{api, pages};

/// A game with recognisable spoilers.
const BOOK: &str = "\
# COMMENT: leave 3, then every 5.
title = \"My Race\"
notes = [\"NOTE: leave 18.\"]
start = 0
target = 23
moves = [\"+1..4\"]
past = \"forbidden\"
claims = [\"ends\", \"no-draws\", \"first-wins\"]
";

/// The same for the API.
const SENT: &str = r#"{"rulebook": "title = 'R'\nstart = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'\nclaims = ['first-wins']\n"}"#;

/// Claims, notes, values, hints, turning points and the numbers to leave.
const SPOILERS: &[&str] = &[
    "COMMENT",
    "NOTE",
    "first-wins",
    "force a win",
    "keeps your win",
    "Turning point",
    "turning point",
    "turning_point",
    "Better:",
    "choices mattered",
    "every 5 from 3",
    "\"value\"",
    "\"remoteness\"",
    "first_player_wins",
    "class=\"stone",
];

/// A request to an address.
enum Ask {
    Get(&'static str),
    Post(&'static [(&'static str, &'static str)]),
    Json(&'static str),
    /// The address has no game content.
    Nothing,
}
use Ask::{Get, Json, Nothing, Post};

const ROUND: Ask = Json(r#"{"expected_seq": 1, "why": true}"#);

/// Every page with its requests. Names in braces are filled in.
const PAGES: &[(&str, &[Ask])] = &[
    ("/", &[Get("")]),
    (
        "/new",
        &[
            Get(""),
            Post(&[("mode", "computer"), ("game", "race-to-23"), ("opponent", "pip"), ("hints", "on")]),
        ],
    ),
    ("/games", &[Get("")]),
    ("/games/{name}", &[Get("")]),
    ("/games/{name}/facts", &[Get(""), Get("?target=24")]),
    ("/games/{name}/map", &[Get(""), Get("?target=24")]),
    // The first hops only.
    ("/games/{name}/picture.png", &[Nothing]),
    ("/b/{short}/picture.png", &[Nothing]),
    ("/b/{short}", &[Get(""), Get("?shared")]),
    ("/b/{short}/book.toml", &[Get("")]),
    ("/b/{short}/facts", &[Get("")]),
    ("/b/{short}/map", &[Get("")]),
    (
        "/workshop",
        &[
            Get(""),
            Get("?like=race-to-23"),
            Get("?book={short}"),
            Get("?every_key"),
            Post(&[("rulebook", PLAIN)]),
            Post(&[("rulebook", PLAIN), ("part", "meaning")]),
            Post(&[("rulebook", PLAIN), ("better", "on")]),
            Post(&[("rulebook", PLAIN), ("part", "better")]),
        ],
    ),
    ("/workshop/share", &[Get(""), Post(&[("rulebook", PLAIN)])]),
    ("/j/{id}", &[Get("")]),
    ("/r/{id}", &[Get(""), Get("?idea=leave+4")]),
    ("/r/{id}/move", &[Post(&[("move", "+1"), ("seq", "1")])]),
    ("/r/{id}/both", &[Post(&[])]),
    // Only reports that something changed.
    ("/r/{id}/stream", &[Nothing]),
    (
        "/r/{id}/look-back",
        &[Get(""), Get("?step=0"), Get("?step=3"), Get("?step=20"), Get("?round=1&step=23")],
    ),
    ("/r/{id}/picture.png", &[Nothing]),
    ("/r/{id}/device", &[Get("")]),
    ("/r/{id}/computer", &[Post(&[])]),
    ("/r/{id}/next", &[Post(&[])]),
    ("/r/{id}/play-on", &[Post(&[("round", "1"), ("moves", "4")])]),
    ("/r/{id}/{what}", &[Post(&[])]),
    ("/class", &[Get(""), Get("?book={short}")]),
    ("/class/{code}", &[Get("")]),
    ("/class/{code}/{what}", &[Post(&[])]),
    ("/join", &[Get(""), Get("?code={code}")]),
    ("/device", &[Get("")]),
    ("/today", &[Get(""), Post(&[])]),
    ("/puzzles", &[Get("")]),
    ("/puzzles/{which}", &[Get(""), Post(&[])]),
    ("/puzzles/{which}/next", &[Post(&[])]),
    ("/past", &[Get("")]),
    ("/ladder", &[Get("")]),
    // Static files.
    ("/static/app.css", &[Nothing]),
    ("/static/app.js", &[Nothing]),
    ("/static/motion.js", &[Nothing]),
    ("/static/workshop.js", &[Nothing]),
    ("/static/join.js", &[Nothing]),
    ("/static/class.js", &[Nothing]),
    ("/static/today.js", &[Nothing]),
    ("/static/manifest.json", &[Nothing]),
    ("/static/icon-180.png", &[Nothing]),
    ("/static/icon-192.png", &[Nothing]),
    ("/static/icon-512.png", &[Nothing]),
    ("/static/icon.svg", &[Nothing]),
    ("/static/turn.svg", &[Nothing]),
];

const PLAIN: &str = "title = 'R'\nstart = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'\n";

/// Every address of the API.
const INTERFACE: &[(&str, &[Ask])] = &[
    // The same for all games.
    ("/openapi.json", &[Nothing]),
    ("/games", &[Get("")]),
    ("/games/{name}", &[Get("")]),
    ("/check", &[Json(SENT)]),
    ("/solve", &[Json(SENT), Json(r#"{"game": "race-to-23", "moves": "+3"}"#)]),
    ("/audit", &[Json(SENT), Json(r#"{"game": "race-to-23"}"#)]),
    ("/rounds", &[Json(r#"{"game": "race-to-23", "seats": ["me", "pip"], "terms": {"hints": true}}"#)]),
    ("/rounds/{id}", &[Get("")]),
    ("/rounds/{id}/seats", &[Json(r#"{"secret": "x"}"#)]),
    ("/rounds/{id}/moves", &[Json(r#"{"move": "+1", "expected_seq": 1}"#)]),
    ("/rounds/{id}/take-back", &[ROUND]),
    ("/rounds/{id}/rematch", &[ROUND]),
    ("/rounds/{id}/resign", &[ROUND]),
    ("/rounds/{id}/abandon", &[ROUND]),
    ("/rounds/{id}/cancel", &[ROUND]),
    ("/rounds/{id}/hint", &[ROUND]),
    ("/rounds/{id}/events", &[Get("?wait=0")]),
    ("/rounds/{id}/record", &[Get("")]),
    ("/rounds/{id}/record.txt", &[Get("")]),
    ("/rounds/{id}/record.json", &[Get("")]),
    ("/rounds/{id}/review", &[Get(""), Get("?round=1")]),
];

/// All addresses with their requests.
fn asked() -> Vec<(String, &'static [Ask])> {
    let pages = PAGES.iter().map(|(path, asks)| ((*path).to_owned(), *asks));
    pages.chain(INTERFACE.iter().map(|(path, asks)| (format!("/api/v1{path}"), *asks))).collect()
}

#[test]
fn every_address_has_a_decision() {
    let known = |paths: Vec<&'static str>| paths.into_iter().collect::<BTreeSet<_>>();
    let pages = pages::routes().into_iter().map(|route| route.path).collect();
    assert_eq!(known(pages), known(PAGES.iter().map(|(path, _)| *path).collect()));
    let interface = api::routes().into_iter().map(|route| route.path).collect();
    assert_eq!(known(interface), known(INTERFACE.iter().map(|(path, _)| *path).collect()));
}

/// A class with a finished round.
struct Class {
    server: Server,
    teacher: Browser,
    pupil: Browser,
    short: String,
    code: String,
    board: Page,
}

async fn class(terms: &[(&str, &str)]) -> Class {
    let server = server();
    let (mut teacher, mut pupil, mut other) = (server.browser(), server.browser(), server.browser());
    let shared = teacher.post("/workshop/share", &[("rulebook", BOOK)]).await;
    let short = shared.path.strip_prefix("/b/").expect("a shared book").to_owned();
    let fields = [&[("book", short.as_str()), ("game", "race-to-23")][..], terms].concat();
    let page = teacher.post("/class", &fields).await;
    let code = page.between("<p class=\"code\">", "<").expect("a class").replace(' ', "");
    let mut board = pupil.post("/join", &[("code", &code), ("name", "Ann")]).await;
    other.post("/join", &[("code", &code), ("name", "Ben")]).await;
    for _ in 0..23 {
        board = pupil.get(&board.path).await;
        let player = if board.moves().is_empty() { &mut other } else { &mut pupil };
        let page = player.get(&board.path).await;
        player.first_move(&page).await;
    }
    let board = pupil.get(&board.path).await;
    assert!(board.text.contains("look-back"), "the round is over: {}", board.text);
    Class { server, teacher, pupil, short, code, board }
}

impl Class {
    /// Requests every address and returns the responses.
    async fn ask_everything(&self, browser: &mut Browser) -> Vec<(String, Page)> {
        let id = self.board.path.strip_prefix("/r/").expect("a board");
        let fill = |text: &str| {
            let (short, code) = (self.short.as_str(), self.code.as_str());
            let names = [("{name}", "race-to-23"), ("{short}", short), ("{id}", id), ("{code}", code)];
            let text = names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
            text.replace("{which}", "race-to-23").replace("{what}", "hint")
        };
        let mut answers = Vec::new();
        for (path, asks) in asked() {
            for ask in asks {
                let page = match ask {
                    Get(query) => browser.get(&fill(&format!("{path}{query}"))).await,
                    Post(fields) => browser.post(&fill(&path), fields).await,
                    Json(body) => browser.post_json(&fill(&path), body).await,
                    Nothing => continue,
                };
                assert!(!page.status.is_server_error(), "{path}: {}", page.text);
                answers.push((path.clone(), page));
            }
        }
        answers
    }
}

fn spoilers(page: &Page) -> Vec<&'static str> {
    SPOILERS.iter().copied().filter(|spoiler| page.read().contains(spoiler)).collect()
}

#[tokio::test]
async fn no_address_shows_a_pupil_who_wins() {
    let class = class(&[("discover", "on")]).await;
    for (path, page) in class.ask_everything(&mut class.pupil.clone()).await {
        assert_eq!(spoilers(&page), Vec::<&str>::new(), "{path}: {}", page.text);
    }
    // Nor to watchers.
    let mut watcher = class.server.browser();
    let look_back = format!("{}/look-back", class.board.path);
    for path in [
        class.board.path.clone(),
        look_back,
        format!("/api/v1{}/review", class.board.path.replace("/r/", "/rounds/")),
    ] {
        let page = watcher.get(&path).await;
        assert_eq!(spoilers(&page), Vec::<&str>::new(), "{path}: {}", page.text);
    }
}

/// Also checks the list of spoilers: the teacher must find them at these addresses.
#[tokio::test]
async fn the_person_who_opened_the_class_sees_everything() {
    for terms in [&[("discover", "on")][..], &[]] {
        let class = class(terms).await;
        let mut sees = vec![class.teacher.clone()];
        if terms.is_empty() {
            sees.push(class.pupil.clone());
        }
        for mut browser in sees {
            let answers = class.ask_everything(&mut browser).await;
            for telling in [
                "/games/{name}/facts",
                "/games/{name}/map",
                "/b/{short}",
                "/b/{short}/book.toml",
                "/b/{short}/facts",
                "/b/{short}/map",
                "/workshop",
                "/r/{id}/look-back",
                "/api/v1/games/{name}",
                "/api/v1/solve",
                "/api/v1/audit",
                "/api/v1/rounds/{id}/review",
            ] {
                let tells = |(path, page): &&(String, Page)| path == telling && !spoilers(page).is_empty();
                assert!(answers.iter().any(|answer| tells(&answer)), "{telling}");
            }
        }
    }
}

/// Rounds outside the class are no way around it.
#[tokio::test]
async fn pupils_get_no_hints_on_other_pages_either() {
    let mut class = class(&[("discover", "on")]).await;
    let alone = [("mode", "two"), ("game", "race-to-23"), ("hints", "on")];
    let board = class.pupil.post("/new", &alone).await;
    assert!(!board.text.contains("Hint"), "{}", board.text);
    let refused = class.pupil.act(&board, "hint").await;
    assert_eq!(spoilers(&refused), Vec::<&str>::new(), "{}", refused.text);
    class.pupil.act(&board, "resign").await;
    // A puzzle reveals that there is a win, but not which.
    let puzzle = class.pupil.get("/puzzles/race-to-23?start=1").await;
    let id = puzzle.between("name=\"puzzle\" value=\"", "\"").expect("a puzzle");
    let gave_up = class.pupil.post("/puzzles/race-to-23", &[("puzzle", &id), ("made", "0")]).await;
    assert!(
        gave_up.read().contains("Discovery mode is on, so Spot On doesn't show why."),
        "{}",
        gave_up.text
    );
    assert_eq!(spoilers(&gave_up), Vec::<&str>::new(), "{}", gave_up.text);
    let facts = class.pupil.get("/games/race-to-23/facts").await;
    assert_eq!(facts.status, StatusCode::FORBIDDEN);
    assert!(facts.read().contains("Your class is in discovery mode, so this is hidden."), "{}", facts.text);
    let game = class.pupil.get("/games/race-to-23").await;
    assert!(!game.text.contains("/facts") && !game.text.contains("/map"), "{}", game.text);
}

/// The winning seat is secret, so pupils always start against the computer.
#[tokio::test]
async fn no_seat_gives_away_who_wins() {
    let server = server();
    let first_of = async |game: &str, discover: &str| {
        let mut fields = vec![("mode", "now"), ("game", game)];
        fields.extend((discover == "on").then_some(("discover", "on")));
        let board = server.browser().post("/new", &fields).await;
        server.tables.rooms.room(board.id()).await.unwrap().sitting().round().first()
    };
    let (mut usual, mut hidden) = (BTreeSet::new(), BTreeSet::new());
    for game in catalog::ids() {
        usual.insert(first_of(game, "off").await.number());
        hidden.insert(first_of(game, "on").await.number());
    }
    assert_eq!((usual.len(), hidden.len()), (2, 1), "{usual:?} {hidden:?}");
    // The same in a class. Here the second player can win.
    for (discover, first) in [("off", 2), ("on", 1)] {
        let mut fields = vec![("game", "race-to-23"), ("target", "20")];
        fields.extend((discover == "on").then_some(("discover", "on")));
        let page = server.browser().post("/class", &fields).await;
        let code = page.between("<p class=\"code\">", "<").expect("a class").replace(' ', "");
        let mut pupil = server.browser();
        let waits = pupil.post("/join", &[("code", &code), ("name", "Ann")]).await;
        let board = pupil.act(&waits, "computer").await;
        let room = server.tables.rooms.room(board.id()).await.unwrap();
        assert_eq!(room.sitting().round().first().number(), first, "discovery {discover}");
    }
}

/// An earlier board is no way around it: the next round's starter alternates, no matter which player can win.
#[tokio::test]
async fn play_again_on_an_older_board_keeps_the_secret() {
    for (in_class, starters) in [(false, [2, 2]), (true, [2, 1])] {
        let server = server();
        let (mut teacher, mut pupil) = (server.browser(), server.browser());
        // Here the second player can win.
        let game = [("game", "race-to-23"), ("target", "20"), ("mode", "computer"), ("opponent", "pip")];
        let mut firsts = Vec::new();
        for first in ["1", "2"] {
            let fields = [&game[..], &[("first", first)]].concat();
            let board = pupil.post("/new", &fields).await;
            pupil.act(&board, "resign").await;
            firsts.push(board);
        }
        if in_class {
            let page = teacher.post("/class", &[("game", "race-to-23"), ("discover", "on")]).await;
            let code = page.between("<p class=\"code\">", "<").expect("a class").replace(' ', "");
            pupil.post("/join", &[("code", &code), ("name", "Ann")]).await;
        }
        let mut found = Vec::new();
        for board in &firsts {
            let page = pupil.get(&board.path).await;
            pupil.act(&page, "rematch").await;
            let room = server.tables.rooms.room(board.id()).await.unwrap();
            assert_eq!(room.round_number(), 2, "{}", page.text);
            found.push(room.sitting().round().first().number());
        }
        assert_eq!(found, starters, "in a class: {in_class}");
    }
}

/// A friend's board, and a board from before the class, show the book's notes to everyone but pupils of the class.
#[tokio::test]
async fn other_boards_of_the_game_hide_it_too() {
    let server = server();
    let (mut teacher, mut pupil, mut friend) = (server.browser(), server.browser(), server.browser());
    let noted = catalog::ids().find_map(|id| {
        let rulebook = catalog::draft(id)?.build().ok()?;
        Some((id, rulebook.notes().first()?.clone()))
    });
    let (game, note) = noted.expect("a shipped game with a note");
    let new = |mode| [("game", game), ("mode", mode)];
    let own = pupil.post("/new", &new("two")).await;
    let friends = friend.post("/new", &new("two")).await;
    assert!(own.read().contains(&note), "{note}: {}", own.text);
    let page = teacher.post("/class", &[("game", game), ("discover", "on")]).await;
    let code = page.between("<p class=\"code\">", "<").expect("a class").replace(' ', "");
    pupil.post("/join", &[("code", &code), ("name", "Ann")]).await;
    for path in [&own.path, &friends.path] {
        let page = pupil.get(path).await;
        assert!(!page.read().contains(&note), "{path}: {}", page.text);
        let page = friend.get(path).await;
        assert!(page.read().contains(&note), "{path}: {}", page.text);
    }
}

/// The class should find out that nobody can land on the target.
#[tokio::test]
async fn a_target_out_of_reach_is_left_to_the_class() {
    let server = server();
    let board = async |terms: &[(&str, &str)]| {
        let fields = [&[("game", "operation-target"), ("mode", "two")][..], terms].concat();
        server.browser().post("/new", &fields).await.read()
    };
    assert!(board(&[]).await.contains("can land on 23"));
    assert!(!board(&[("discover", "on")]).await.contains("can land on 23"));
    // A friend's invitation also hides it from the class.
    let (mut teacher, mut pupil, mut friend) = (server.browser(), server.browser(), server.browser());
    let page = teacher.post("/class", &[("game", "operation-target"), ("discover", "on")]).await;
    let code = page.between("<p class=\"code\">", "<").expect("a class").replace(' ', "");
    pupil.post("/join", &[("code", &code), ("name", "Ann")]).await;
    let invited = friend.post("/new", &[("game", "operation-target"), ("mode", "friend")]).await;
    let invitation = invited.path.replace("/r/", "/j/");
    for page in [&invitation, "/games/operation-target"] {
        assert!(!pupil.get(page).await.read().contains("can land on 23"), "{page}");
        assert!(server.browser().get(page).await.read().contains("can land on 23"), "{page}");
    }
}

#[tokio::test]
async fn the_look_back_leads_back_to_the_class() {
    let mut class = class(&[]).await;
    let look_back = format!("{}/look-back", class.board.path);
    let link = |page: &Page| page.between("id=\"class\" href=\"", "\"");
    let seen = class.teacher.get(&look_back).await;
    assert_eq!(link(&seen), Some(format!("/class/{}", class.code)));
    assert!(class.teacher.get(&format!("/class/{}", class.code)).await.text.contains("Finished"));
    let seen = class.pupil.get(&look_back).await;
    let back = link(&seen).expect("the page links back");
    assert_eq!(class.pupil.get(&back).await.path, class.board.path, "{back}");
    assert_eq!(link(&class.server.browser().get(&look_back).await), None);
}
