//! The words of every page, one snapshot per page, without tags. A page's other states pin their meaning: the elements
//! people can use, and the figures. `SPOTON_UPDATE=1` rewrites the snapshots.

use crate::plain_browser;

use std::path::Path;

use plain_browser::{Page, server, unescaped};

const BOOK: &str = "title = 'Steps'\nstart = 0\ntarget = 7\nmoves = ['+1', '+2']\n";

/// Attributes that people read or hear.
const READ: &[&str] = &[
    "aria-label",
    "placeholder",
    "data-lost",
    "data-unsent",
    "data-here",
    "data-away",
    "data-on",
    "data-off",
    "data-asks",
    "data-draft",
    "data-original",
    "data-title",
];

/// Elements without words, or with a user's own text.
const SKIPPED: &[&str] = &["svg", "pre", "textarea"];

/// Elements that don't begin a new line.
const INLINE: &[&str] = &["a", "b", "bdi", "code", "em", "small", "span", "strong", "time"];

/// Classes of elements left out: their text depends on the time, or is only figures.
const LEFT_OUT: &[&str] = &["when", "badges", "odds"];

/// The text after an element, given its inside. Elements of the same name may be nested.
fn after_element<'a>(mut rest: &'a str, name: &str) -> &'a str {
    let (opens, closes) = (format!("<{name}"), format!("</{name}>"));
    let mut depth = 1;
    while depth > 0 {
        let Some(end) = rest.find(&closes) else { return "" };
        depth += rest[..end].matches(&opens).count();
        depth -= 1;
        rest = &rest[end + closes.len()..];
    }
    rest
}

/// The title and the words of the main part, a line per block.
fn words(page: &Page) -> String {
    let title = page.between("<title>", "</title>").unwrap_or_default();
    let main = page.between("<main id=\"main\">", "</main>").unwrap_or_default();
    let (mut lines, mut line) = (vec![title], String::new());
    let mut rest = main.as_str();
    while let Some((text, after)) = rest.split_once('<') {
        line.push_str(text);
        let (tag, after) = after.split_once('>').expect("a whole tag");
        rest = after;
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default();
        if name == "span" {
            line.push(' ');
        } else if !INLINE.contains(&name) {
            lines.push(std::mem::take(&mut line));
        }
        for attribute in READ {
            if let Some((_, value)) = tag.split_once(&format!(" {attribute}=\"")) {
                let value = value.split('"').next().unwrap_or_default();
                lines.push(format!("({attribute}) {value}"));
            }
        }
        let classes =
            tag.split_once("class=\"").map_or("", |(_, value)| value.split('"').next().unwrap_or(""));
        let is_left_out = classes.split(' ').any(|class| LEFT_OUT.contains(&class));
        if !tag.starts_with('/') && (is_left_out || SKIPPED.contains(&name)) {
            rest = after_element(rest, name);
        }
    }
    lines.push(line);
    let lines = lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    unescaped(&lines.join("\n")).replace("&#43;", "+") + "\n"
}

/// Further states of a page whose words another snapshot pins.
const STATES: &[&str] = &[
    "board-asked",
    "board-class",
    "board-class-over",
    "board-class-waiting",
    "board-copy",
    "board-grid",
    "board-hint",
    "board-hint-used",
    "board-invited",
    "board-lost",
    "board-moved",
    "board-refused",
    "board-two",
    "board-two-over",
    "board-waiting",
    "board-watched",
    "class-closed",
    "class-refused",
    "code-late",
    "code-wrong",
    "facts-error",
    "game-error",
    "home-waiting",
    "home-your-turn",
    "invitation-refused",
    "look-back-end",
    "puzzle-missed",
    "workshop-errors",
];

/// A page's meaning: the ids of its elements, and all figures in its words.
fn meaning(page: &Page) -> String {
    let main = page.between("<main id=\"main\">", "</main>").unwrap_or_default();
    let ids = main.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut lines: Vec<String> = ids.map(|id| format!("#{id}")).collect();
    let text = words(page);
    let figures = |line: &str| {
        let has_figure = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
        line.split_whitespace().filter(has_figure).collect::<Vec<_>>().join(" ")
    };
    lines.extend(text.lines().map(figures).filter(|line| !line.is_empty()));
    lines.join("\n") + "\n"
}

/// Compares a page with its snapshot. `codes` are random texts on it.
fn check(name: &str, page: &Page, codes: &[&str]) {
    let mut words = if STATES.contains(&name) { meaning(page) } else { words(page) };
    for code in codes {
        words = words.replace(code, "CODE");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/words/{name}.txt"));
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, words).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        words == known,
        "{name} reads differently. SPOTON_UPDATE=1 rewrites its snapshot.\n{words}\n--- before:\n{known}"
    );
}

#[tokio::test]
async fn pages_without_a_round() {
    let server = server();
    let mut ann = server.browser();
    for (name, path) in [
        ("home", "/"),
        ("games", "/games"),
        ("game", "/games/race-to-23"),
        ("facts", "/games/race-to-23/facts?target=7"),
        ("map", "/games/race-to-23/map?target=7"),
        ("facts-error", "/games/race-to-23/facts?target=x"),
        ("class-new", "/class"),
        ("code", "/join"),
        ("device-enter", "/device"),
        ("today-practice", "/today?day=2020-02-29"),
        ("puzzles", "/puzzles"),
        ("puzzle-card", "/puzzles/race-to-23"),
        ("puzzle", "/puzzles/race-to-23?start"),
        ("workshop", "/workshop"),
        ("past-empty", "/past"),
        ("ladder", "/ladder"),
        ("not-found", "/nothing"),
    ] {
        check(name, &ann.get(path).await, &[]);
    }
    let page = ann.get("/puzzles/race-to-23?start").await;
    let puzzle = page.between("name=\"puzzle\" value=\"", "\"").unwrap();
    let page = ann.post("/puzzles/race-to-23", &[("puzzle", &puzzle), ("made", "0")]).await;
    check("puzzle-missed", &page, &[]);
}

#[tokio::test]
async fn the_workshop_and_a_shared_book() {
    let server = server();
    let mut ann = server.browser();
    check(
        "workshop-errors",
        &ann.post("/workshop", &[("rulebook", "title = 'x'\nstart = 'y'\n")]).await,
        &[],
    );
    check("workshop-results", &ann.post("/workshop", &[("rulebook", BOOK), ("better", "1")]).await, &[]);
    check("book", &ann.post("/workshop/share", &[("rulebook", BOOK)]).await, &[]);
    check("game-error", &ann.post("/new", &[("game", "race-to-23"), ("target", "x")]).await, &[]);
}

#[tokio::test]
async fn a_round_between_two_people() {
    let server = server();
    let (mut ann, mut ben, mut eve) = (server.browser(), server.browser(), server.browser());
    let form = [("mode", "friend"), ("game", "race-to-23"), ("name", "Ann"), ("hints", "on")];
    let waiting = ann.post("/new", &form).await;
    check("board-waiting", &waiting, &[]);
    check("home-waiting", &ann.get("/").await, &[]);
    let link = waiting.between("readonly value=\"", "\"").unwrap();
    let join = waiting.path.replace("/r/", "/j/");
    check("invitation", &ben.get(&join).await, &[]);
    check("invitation-refused", &ben.post(&join, &[("secret", "x"), ("name", "Ben")]).await, &[]);
    check("board-invited", &eve.get(&waiting.path).await, &[]);
    let (_, secret) = link.split_once('#').unwrap();
    let board = ben.post(&join, &[("secret", secret), ("name", "Ben")]).await;
    check("board-joined", &board, &[]);
    check("board-hint", &ann.act(&board, "hint").await, &[]);
    check("board-hint-used", &ben.get(&board.path).await, &[]);
    check("board-refused", &ben.act(&board, "hint").await, &[]);
    let page = ann.get(&board.path).await;
    check("board-moved", &ann.first_move(&page).await, &[]);
    check("board-watched", &eve.get(&board.path).await, &[]);
    check("board-asked", &ann.act(&board, "take-back").await, &[]);
    check("board-to-answer", &ben.get(&board.path).await, &[]);
    check("home-your-turn", &ben.get("/").await, &[]);
    check("board-lost", &ben.act(&board, "resign").await, &[]);
    check("board-won", &ann.get(&board.path).await, &[]);
    check("look-back", &ann.get(&format!("{}/look-back", board.path)).await, &[]);
    check("look-back-end", &ann.get(&format!("{}/look-back?step=9", board.path)).await, &[]);
    check("past", &ann.get("/past").await, &[]);
    let copy = ann.post(&format!("{}/play-on", board.path), &[("round", "1"), ("moves", "1")]).await;
    check("board-copy", &copy, &[]);
    let waiting = ann.post("/new", &form).await;
    ann.act(&waiting, "cancel").await;
    check("cancelled", &ann.get(&waiting.path).await, &[]);
}

#[tokio::test]
async fn two_players_on_one_device() {
    let server = server();
    let mut ann = server.browser();
    let names = [("mode", "two"), ("rulebook", BOOK), ("name", "Ann"), ("other", "Ben")];
    let mut board = ann.post("/new", &names).await;
    check("board-two", &board, &[]);
    check("device", &ann.get(&format!("{}/device", board.path)).await, &[]);
    let device = ann.act(&board, "device").await;
    let code = device.between("<p class=\"code\">", "<").unwrap();
    check("device-code", &device, &[&code]);
    while !board.moves().is_empty() {
        board = ann.first_move(&board).await;
    }
    check("board-two-over", &board, &[]);
    // More than eight choices are a grid.
    let many = "title = 'Many'\nstart = 3\ntarget = 6\nmoves = ['+1..12']\npast = 'forbidden'\n";
    check("board-grid", &ann.post("/new", &[("mode", "two"), ("rulebook", many)]).await, &[]);
}

#[tokio::test]
async fn a_class() {
    let server = server();
    let (mut teacher, mut ann, mut ben) = (server.browser(), server.browser(), server.browser());
    let fields = [("game", "race-to-23"), ("discover", "on")];
    check("class-refused", &teacher.post("/class", &[&fields[..], &[("hints", "on")]].concat()).await, &[]);
    let class = teacher.post("/class", &fields).await;
    let code = class.between("<p class=\"code\">", "<").unwrap();
    let codes = [code.as_str()];
    check("class", &class, &codes);
    let waiting = ann.post("/join", &[("code", &code), ("name", "Ann")]).await;
    check("board-class-waiting", &waiting, &codes);
    let board = ben.post("/join", &[("code", &code), ("name", "Ben")]).await;
    check("board-class", &board, &codes);
    check("who", &ben.post("/join", &[("code", &code), ("name", "Cleo")]).await, &codes);
    check("code-wrong", &server.browser().post("/join", &[("code", "BBBBBB"), ("name", "Eve")]).await, &[]);
    check("hidden", &ben.get("/games/race-to-23/facts").await, &[]);
    let over = ann.act(&board, "resign").await;
    check("board-class-over", &over, &codes);
    check("class-closed", &teacher.post(&format!("{}/close", class.path), &[]).await, &codes);
    check("code-late", &server.browser().post("/join", &[("code", &code), ("name", "Eve")]).await, &codes);
}
