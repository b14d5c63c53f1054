//! Making games: the workshop, shared books, facts and maps, in process and without scripts.

use crate::plain_browser;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use plain_browser::{Browser, Page, server_with, unescaped};
use spoton::format::{Draft, catalog};
use spoton::sitting::Lookahead;
use spoton::solved::SolvedGame;
use spoton::solver::{Budget, Progress};
use spoton::words::{audit, describe};
use spoton_web::ids::Hash;
use spoton_web::limits::{BOOK_BYTES, MOST_WAITING_TO_THINK};
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::{Before, Book, Store};
use spoton_web::tables::Tables;
use tower::ServiceExt;

const MINE: &str = "title = 'Mine'\nstart = 1\ntarget = 20\nmoves = ['+1', '+3', 'x2']\n";

/// A server and a browser.
struct Designer {
    browser: Browser,
    tables: Tables,
}

impl Designer {
    fn start() -> Designer {
        Designer::on(Arc::new(MemoryStore::default()))
    }

    fn on(store: Arc<dyn Store>) -> Designer {
        let server = server_with(store);
        Designer { browser: server.browser(), tables: server.tables }
    }

    async fn get(&mut self, path: &str) -> Page {
        self.browser.get(path).await
    }

    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.browser.post(path, fields).await
    }

    async fn look(&mut self, book: &str) -> Page {
        self.post("/workshop", &[("rulebook", book)]).await
    }

    /// Sends a rule book to the API.
    async fn ask(&self, path: &str, book: &str) -> (StatusCode, serde_json::Value) {
        let request = Request::post(format!("/api/v1/{path}"))
            .header("host", "localhost")
            .header("content-type", "application/json")
            .body(Body::from(serde_json::json!({ "rulebook": book }).to_string()))
            .unwrap();
        let response = self.browser.app.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 4 << 20).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap())
    }
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after} after {before}")).0
}

/// The book in the text area.
fn written(page: &Page) -> String {
    let area = between(&page.text, "<textarea id=\"rulebook\"", "</textarea>");
    unescaped(area.split_once(">\n").unwrap().1)
}

/// The library's rules and facts for a book.
fn facts_of(book: &str) -> Vec<String> {
    let rulebook = Arc::new(Draft::read("book", book).build().unwrap());
    let game = SolvedGame::new(Arc::clone(&rulebook));
    let found = game.audit(&mut Budget::patient(64 << 20)).unwrap();
    let facts = audit::sections(&rulebook, &found).into_iter().flat_map(|section| section.lines);
    describe::rules(&rulebook).into_iter().chain(facts).collect()
}

#[tokio::test]
async fn a_game_is_made_looked_at_shared_played_and_continued_without_scripts() {
    let mut ann = Designer::start();
    let home = ann.get("/").await;
    assert!(home.text.contains("href=\"/workshop\""));
    let begun = ann.get("/workshop").await;
    let example = written(&begun);
    assert!(Draft::read("example", &example).build().is_ok() && example.contains('#'), "{example}");
    let looked = ann.look(MINE).await;
    assert_eq!((looked.status, written(&looked).as_str()), (StatusCode::OK, MINE));
    assert!(looked.read().contains("Mine is valid."), "{}", looked.read());
    for line in facts_of(MINE) {
        assert!(looked.read().contains(&line), "{line}");
    }
    assert!(
        looked.text.contains("<li class=\"mark-stone\"><span>18</span> <b>o</b></li>"),
        "{}",
        looked.text
    );
    // Checking stores nothing.
    let address = format!("/b/{}", Hash::digest(MINE).short());
    assert_eq!(ann.get(&address).await.status, StatusCode::NOT_FOUND);
    let shared = ann.post("/workshop/share", &[("rulebook", MINE)]).await;
    assert_eq!((shared.status, &shared.path), (StatusCode::OK, &address));
    assert!(
        shared.read().contains(&format!("value=\"http://localhost:8080{address}\"")),
        "{}",
        shared.read()
    );
    assert!(shared.text.contains("<svg") && shared.read().contains(MINE));
    assert!(!shared.read().contains("can force a win"), "that would be a spoiler");
    let file = ann.get(&format!("{address}/book.toml")).await;
    assert_eq!(file.text, MINE);
    assert!(file.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    assert!(file.headers["content-type"].to_str().unwrap().starts_with("text/plain"));
    let facts = ann.get(&format!("{address}/facts")).await;
    assert!(facts.read().contains(&facts_of(MINE)[6]), "{}", facts.read());
    assert!(ann.get(&format!("{address}/map")).await.text.contains("mark-stone"));
    // The board links back to the book.
    let short = address.trim_start_matches("/b/");
    let board = ann.post("/new", &[("book", short), ("mode", "two")]).await;
    assert!(board.path.starts_with("/r/") && board.read().contains(">Mine</h1>"), "{}", board.read());
    assert!(board.text.contains(&format!("href=\"{address}\"")), "{}", board.text);
    let continued = ann.get(&format!("/workshop?book={short}")).await;
    assert_eq!(written(&continued), MINE);
    let again = ann.post("/workshop/share", &[("rulebook", &format!("{MINE}# more\n"))]).await;
    assert_ne!(again.path, address, "another text has another address");
    assert_eq!(ann.get(&format!("{address}/book.toml")).await.text, MINE);
}

#[tokio::test]
async fn a_game_is_played_from_the_workshop_in_every_way() {
    let mut ann = Designer::start();
    for (mode, sign) in
        [("two", "id=\"choices\""), ("friend", "id=\"invitation\""), ("computer", "id=\"give-up\"")]
    {
        let fields = [("rulebook", MINE), ("mode", mode), ("opponent", "pip"), ("first", "1")];
        let board = ann.post("/new", &fields).await;
        assert!(board.path.starts_with("/r/") && board.read().contains(sign), "{mode}: {}", board.read());
        assert!(board.text.contains(&Hash::digest(MINE).short()), "{mode}");
    }
}

#[tokio::test]
async fn errors_show_their_places_and_change_nothing() {
    let mut ann = Designer::start();
    let book = "title = 'Müsli'\nstart = 1\ntraget = 20\nmoves = ['+1']\n";
    for (path, status) in [("/workshop", 200), ("/workshop/share", 422), ("/new", 422)] {
        let page = ann.post(path, &[("rulebook", book), ("mode", "two")]).await;
        assert_eq!((page.status.as_u16(), written(&page).as_str()), (status, book), "{path}");
        assert!(
            page.read().contains("unknown key `traget`") && page.read().contains("did you mean `target`?")
        );
        // In UTF-16 code units: ü is one.
        let at = book.find("traget").unwrap() - 1;
        let place = format!("data-from=\"{at}\" data-to=\"{}\">Line 3</a>", at + "traget".len());
        assert!(page.text.contains(&place), "{path}: {}", page.text);
        assert!(!page.read().contains("can force a win"));
    }
    assert_eq!(ann.get(&format!("/b/{}", Hash::digest(book).short())).await.status, StatusCode::NOT_FOUND);
    // Warnings don't prevent playing.
    let odd = ann.look("title = 'Odd'\nstart = 1\ntarget = 20\nmoves = ['+2']\n").await;
    assert!(
        odd.read().contains("no sequence of moves lands on the target 20")
            && odd.read().contains("Odd is valid.")
    );
}

/// Scripts get only the part they request, and the server does no more work than that.
#[tokio::test]
async fn parts_of_the_page_come_alone() {
    let mut ann = Designer::start();
    let part = async |ann: &mut Designer, part: &str| {
        let page = ann.post("/workshop", &[("rulebook", MINE), ("part", part)]).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(!page.text.contains("<textarea") && page.text.contains("id=\"status\""), "{part}");
        page.read()
    };
    let mistakes = part(&mut ann, "mistakes").await;
    assert!(mistakes.contains("Mine is valid.") && !mistakes.contains("<li>"), "{mistakes}");
    let meaning = part(&mut ann, "meaning").await;
    assert!(meaning.contains("<li>") && meaning.contains("can force a win") && meaning.contains("mark-"));
    let better = part(&mut ann, "better").await;
    assert!(better.contains("Careful guessing wins") && !better.contains("mark-"), "{better}");
}

#[tokio::test]
async fn changes_for_the_better_can_be_put_into_the_text_and_played() {
    let mut ann = Designer::start();
    let page = ann.post("/workshop", &[("rulebook", MINE), ("better", "1")]).await;
    let suggested =
        between(&page.text, "<form method=\"post\" action=\"/workshop\" class=\"change\">", "</form>");
    let said = between(suggested, "<p class=\"quiet\">", ":").to_owned();
    let changed = unescaped(between(suggested, "name=\"rulebook\" value=\"", "\""));
    let (one, two) = (Draft::read("a", MINE), Draft::read("b", &changed).build().unwrap());
    let meant = unescaped(&said).split(" and ").fold(one, |draft, setting| draft.set("--set", setting));
    assert_eq!(meant.build().unwrap().rules_line(), two.rules_line(), "{said}: {changed}");
    let put = ann.look(&changed).await;
    assert_eq!(written(&put), changed);
    let board = ann.post("/new", &[("rulebook", &changed), ("mode", "now")]).await;
    assert!(board.path.starts_with("/r/") && board.text.contains(&Hash::digest(&changed).short()));
}

#[tokio::test]
async fn the_workshop_can_start_from_any_game() {
    let mut ann = Designer::start();
    for id in catalog::ids() {
        let page = ann.get(&format!("/games/{id}")).await;
        assert!(page.text.contains(&format!("href=\"/workshop?like={id}\"")), "{id}");
        let text = written(&ann.get(&format!("/workshop?like={id}")).await);
        assert!(
            text.ends_with(catalog::text(id).unwrap()) && text.contains(&format!("rule book of {id}.")),
            "{id}"
        );
    }
    for nothing in ["like=nothing", "book=nothing", "book=00000000000000000000000000"] {
        assert_eq!(ann.get(&format!("/workshop?{nothing}")).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
    let every_key = written(&ann.get("/workshop?every_key=1").await);
    assert_eq!(every_key, spoton::format::TEMPLATE);
}

#[tokio::test]
async fn every_game_has_its_facts_and_its_map_a_click_away() {
    let mut ann = Designer::start();
    for id in catalog::ids() {
        let page = ann.get(&format!("/games/{id}")).await;
        for what in ["facts", "map"] {
            assert!(page.text.contains(&format!("href=\"/games/{id}/{what}\"")), "{id}");
        }
        let facts = ann.get(&format!("/games/{id}/facts")).await;
        let rulebook = catalog::draft(id).unwrap().build().unwrap();
        let rules = describe::rules(&rulebook).len();
        for line in facts_of(catalog::text(id).unwrap()).into_iter().skip(rules) {
            assert!(facts.read().contains(&line), "{id}: {line}");
        }
        let map = ann.get(&format!("/games/{id}/map")).await;
        assert_eq!(map.status, StatusCode::OK);
        assert!(map.text.contains("class=\"map\"") && !map.text.contains("too-large"), "{id}");
    }
}

#[tokio::test]
async fn facts_and_maps_take_variants_and_targets() {
    let mut ann = Designer::start();
    let usual = ann.get("/games/number-maze/facts").await.read();
    let other = ann.get("/games/number-maze/facts?target=15&variant=").await.read();
    assert!(
        other.contains("Number Maze, target 15")
            && other.contains("href=\"/games/number-maze/map?target=15\"")
    );
    let told = |page: &str| between(page, "<div class=\"report\">", "</div>").to_owned();
    assert_ne!(told(&usual), told(&other));
    let id = catalog::ids().find(|id| catalog::draft(id).unwrap().variants().next().is_some()).unwrap();
    let variant = catalog::draft(id).unwrap().variants().next().unwrap().to_owned();
    let map = ann.get(&format!("/games/{id}/map?variant={variant}")).await;
    assert!(map.read().contains(&format!(", {}</bdi></h1>", variant.replace('-', " "))), "{}", map.read());
    for (query, said) in [
        ("variant=nothing", "no variant \"nothing\""),
        ("target=x", "The target must be a whole number"),
        ("target=20..60", "single target"),
        ("target=%3Cscript%3E", "<script>"),
    ] {
        let page = ann.get(&format!("/games/number-maze/facts?{query}")).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert!(page.read().contains(said) && !page.text.contains("<script>"), "{query}: {}", page.read());
    }
    // A map of very many numbers shows ranges.
    let far = ann.get("/games/race-to-23/map?target=1000000").await;
    let (read, told) = (far.read(), "every 5th number from 5 to 999,995 o, all others");
    assert!(read.contains(told) && far.text.len() < 20_000, "{read}");
}

/// A game too large for the server still shows its rules, and reports that facts and map are too large.
#[tokio::test]
async fn a_game_that_is_too_large_is_reported() {
    let mut ann = Designer::start();
    let huge = "title = 'Huge'\nstart = 1\ntarget = 1000000000000\nrange = [0, 1000000000000]\n\
                moves = ['+1', '-1', 'x2', '/3']\n";
    let page = ann.look(huge).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.read().contains("Land exactly on 1,000,000,000,000 to win."), "{}", page.read());
    assert!(page.read().contains("Too large here. Try `spoton audit` in a terminal."), "{}", page.read());
    assert!(page.read().contains("Too large here. Try `spoton map` in a terminal."), "{}", page.read());
    let better = ann.post("/workshop", &[("rulebook", huge), ("part", "better")]).await;
    assert!(better.read().contains("Too large here"), "{}", better.read());
    for path in ["solve", "audit"] {
        let (status, told) = ann.ask(path, huge).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(told["detail"].as_str().unwrap().starts_with("too large for this server"), "{told}");
    }
}

/// Checking a rule book of a thousand large variants would take many seconds, so it times out.
#[tokio::test]
async fn a_check_that_takes_too_long_is_reported() {
    let mut ann = Designer::start();
    let numbers: Vec<String> = (0..8000).map(|number| (3 * number + 2).to_string()).collect();
    let variants: String = (0..1000).map(|number| format!("[variants.a{number}]\n")).collect();
    let book = format!(
        "title = 'A'\nstart = 1\ntarget = 9000\nmoves = ['+1..9']\nlosing = [{}]\n{variants}",
        numbers.join(",")
    );
    let said = "his rule book is too large to check here; use `spoton check` in a terminal";
    for (path, status) in [("/workshop", 200), ("/workshop/share", 422)] {
        let page = ann.post(path, &[("rulebook", &book)]).await;
        assert_eq!(page.status.as_u16(), status);
        assert!(page.read().contains(said) && written(&page) == book, "{path}");
    }
    let (status, told) = ann.ask("check", &book).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(told["detail"].as_str().unwrap().contains(said), "{told}");
}

/// 64 KiB, and one byte over.
#[tokio::test]
async fn a_rule_book_has_a_maximum_size() {
    let mut ann = Designer::start();
    // Line endings take the most room in a form.
    let largest = format!("{MINE}{}", "\n".repeat(BOOK_BYTES - MINE.len()));
    let larger = format!("{largest}\n");
    let far_larger = larger.repeat(20);
    let looked = ann.look(&largest).await;
    assert!(looked.read().contains("Mine is valid."), "{}", looked.status);
    let board = ann.post("/new", &[("rulebook", &largest), ("mode", "two")]).await;
    assert!(board.path.starts_with("/r/"), "{}", board.read());
    let shared = ann.post("/workshop/share", &[("rulebook", &largest)]).await;
    assert_eq!(shared.path, format!("/b/{}", Hash::digest(&largest).short()));
    for path in ["/workshop", "/workshop/share"] {
        for book in [&larger, &far_larger] {
            let refused = ann.post(path, &[("rulebook", book), ("mode", "two")]).await;
            assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
            assert!(
                refused.read().contains("This rule book is too long; the limit is 64 KiB"),
                "{path}: {}",
                refused.read()
            );
        }
    }
    assert_eq!(
        ann.post("/new", &[("rulebook", &larger), ("mode", "two")]).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    for path in ["check", "solve", "audit", "rounds"] {
        let (status, _) = ann.ask(path, &largest).await;
        assert!(status.is_success(), "{path}: {status}");
        let (status, told) = ann.ask(path, &larger).await;
        assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
        assert!(told["detail"].as_str().unwrap().contains("the limit is 64 KiB"), "{path}: {told}");
    }
}

/// Thousands of errors don't make a huge response.
#[tokio::test]
async fn thousands_of_errors_are_cut_short() {
    let mut ann = Designer::start();
    let garbage = "a=\n".repeat(20_000);
    let page = ann.look(&garbage).await;
    assert!(
        page.text.len() < 2 * BOOK_BYTES && page.read().contains("more</p>"),
        "{} bytes",
        page.text.len()
    );
    let (_, checked) = ann.ask("check", &garbage).await;
    assert!(checked.to_string().len() < 20_000 && checked["valid"] == false);
    assert!(checked["more"].as_u64().unwrap() > 1000, "{}", checked["more"]);
    let (status, told) = ann.ask("audit", &garbage).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(told.to_string().len() < 20_000);
}

/// W6: text from a rule book appears as text.
#[tokio::test]
async fn nothing_that_a_rule_book_says_runs() {
    let mut ann = Designer::start();
    let scripts = [
        "<script>alert(1)</script>",
        "</textarea></pre></title><script>alert(1)</script>",
        "\\\"><img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "{{ 7 }} {% include x %} ${7}",
        "javascript:alert(1)",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "</p><style>*{display:none}</style>",
    ];
    for script in scripts {
        let escaped = script.replace("\\\"", "\"");
        let text = script.replace('{', "(").replace('}', ")");
        let book = format!(
            "# {script}\ntitle = \"{text}\"\nsummary = \"{text}\"\nsuits = \"{text}\"\nnotes = [\"{text}\"]\n\
             start = 1\ntarget = 9\nmoves = [{{ op = '+1', label = \"{text}\" }}, '+2']\n\
             [wording]\nwins = \"{text}\"\n[variants.more]\ntarget = 12\n"
        );
        let looked = ann.look(&book).await;
        assert!(looked.read().contains(" is valid, with 1 variant."), "{script}: {}", looked.read());
        assert_eq!(written(&looked), book, "{script}");
        let shared = ann.post("/workshop/share", &[("rulebook", &book)]).await;
        let address = shared.path.clone();
        let board = ann.post("/new", &[("rulebook", &book), ("mode", "two")]).await;
        let mut pages = vec![looked, shared, board];
        for path in [
            format!("{address}/facts?variant=more"),
            format!("{address}/map"),
            format!("/workshop?book={}", &address[3..]),
        ] {
            pages.push(ann.get(&path).await);
        }
        for page in pages {
            assert_eq!(page.status, StatusCode::OK, "{script} on {}: {}", page.path, page.read());
            assert!(
                page.read().contains(&escaped.replace('{', "(").replace('}', ")")),
                "{script} on {}",
                page.path
            );
            let policy = page.headers["content-security-policy"].to_str().unwrap();
            assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
            for tag in ["<script>", "<img", "<svg/", "<style", "&lt;script", "onerror=alert(1)>"] {
                assert!(!page.text.contains(tag), "{script} on {}: {tag}", page.path);
            }
        }
    }
}

/// Characters that reorder or hide text are errors, and visible where the text is shown.
#[tokio::test]
async fn invisible_characters_are_reported_and_shown() {
    let mut ann = Designer::start();
    for hidden in ["\u{202e}", "\u{2066}", "\u{1b}[2J", "\u{0}", "\u{9b}"] {
        let book = MINE.replace("Mine", &format!("Mi{hidden}ne"));
        let page = ann.look(&book).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(
            page.text.contains("class=\"mistakes\"") && !page.text.contains("id=\"facts\""),
            "{hidden:?}"
        );
    }
    // Allowed in a comment, but made visible to readers.
    let book = format!("# nothing \u{202e}here\n{MINE}");
    let shared = ann.post("/workshop/share", &[("rulebook", &book)]).await;
    assert!(!shared.text.contains('\u{202e}') && shared.text.contains("nothing \u{fffd}here"));
    assert_eq!(ann.get(&format!("{}/book.toml", shared.path)).await.text, book);
}

#[tokio::test]
async fn a_shared_book_lives_as_long_as_people_open_it() {
    let store = Arc::new(MemoryStore::default());
    let mut ann = Designer::on(store.clone());
    let long_ago = 1000;
    for text in [MINE.to_owned(), MINE.replace("Mine", "Yours")] {
        store.keep_book(Book { hash: Hash::digest(&text), text }, long_ago).await.unwrap();
    }
    let mine = format!("/b/{}", Hash::digest(MINE).short());
    let yours = format!("/b/{}", Hash::digest(MINE.replace("Mine", "Yours")).short());
    assert_eq!(ann.get(&mine).await.status, StatusCode::OK);
    let yesterday = spoton_web::clock::Clock::default().now() - 24 * 60 * 60 * 1000;
    let before = Before { unmoved: 0, idle: 0, unplayed_books: yesterday, books: yesterday };
    store.tidy(before).await.unwrap();
    assert_eq!(ann.get(&mine).await.status, StatusCode::OK);
    assert_eq!(ann.get(&yours).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_same_rules_keep_their_own_words() {
    let mut ann = Designer::start();
    for title in ["Mine", "Yours"] {
        for claims in ["", "claims = ['second-wins']\n", "claims = ['first-wins']\n"] {
            let page = ann.look(&format!("{}{claims}", MINE.replace("Mine", title))).await;
            assert!(page.read().contains(&format!("<bdi>{title}</bdi>")), "{}", page.read());
            let told =
                ["second-wins", "first-wins"].map(|claim| page.read().contains(&format!("({claim}): ")));
            assert_eq!(told, [claims.contains("second"), claims.contains("first")], "{claims}");
        }
    }
}

/// If the queue is full, the response is 503 with Retry-After.
#[tokio::test]
async fn too_many_questions_are_refused_for_now() {
    let mut ann = Designer::start();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1);
    let mut asked = Vec::new();
    let begun = Arc::new(AtomicUsize::new(0));
    for place in 0..workers + MOST_WAITING_TO_THINK + 1 {
        let (thinking, begun) = (ann.tables.thinking.clone(), Arc::clone(&begun));
        let counts = Arc::clone(&begun);
        asked.push(tokio::spawn(async move {
            let work = move |ahead: &mut Lookahead<'_>| {
                counts.fetch_add(1, Ordering::SeqCst);
                while (ahead.keep_going)(Progress { positions: 0, of: None }) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            };
            thinking.report(None, Duration::from_secs(600), work).await
        }));
        // The workers take the first jobs before the queue fills.
        while begun.load(Ordering::SeqCst) < workers.min(place + 1) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    assert!(asked.pop().unwrap().await.unwrap().is_err(), "the last one doesn't fit");
    for path in ["/games/number-maze/facts", "/games/number-maze/map"] {
        let page = ann.get(path).await;
        assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert!(page.headers.contains_key("retry-after"), "{path}");
        assert!(
            page.read().contains("The server is busy; try again in a moment."),
            "{path}: {}",
            page.read()
        );
    }
    for path in ["solve", "audit"] {
        assert_eq!(ann.ask(path, MINE).await.0, StatusCode::SERVICE_UNAVAILABLE, "{path}");
    }
    // Checks and play still work.
    assert_eq!(ann.ask("check", MINE).await.0, StatusCode::OK);
    let board = ann.post("/new", &[("rulebook", MINE), ("mode", "two")]).await;
    assert!(board.path.starts_with("/r/"));
    ann.tables.thinking.end();
}

/// A round can be played to its end while all report workers are busy and more jobs wait.
#[tokio::test]
async fn slow_questions_do_not_slow_down_a_round() {
    let mut ann = Designer::start();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (begins, mut begun) = tokio::sync::mpsc::unbounded_channel();
    for _ in 0..2 * cores {
        let (thinking, begins) = (ann.tables.thinking.clone(), begins.clone());
        tokio::spawn(async move {
            let asked = thinking.report(None, Duration::from_secs(600), move |ahead| {
                let _ = begins.send(());
                while (ahead.keep_going)(Progress { positions: 0, of: None }) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            asked.await
        });
    }
    for _ in 0..cores.saturating_sub(1).max(1) {
        begun.recv().await.unwrap();
    }
    let mut news = None;
    let mut page = ann.post("/new", &[("mode", "computer"), ("opponent", "sage"), ("target", "12")]).await;
    while !page.read().contains("Review") {
        let id = page.path.trim_start_matches("/r/").parse().unwrap();
        let news = news.get_or_insert_with(|| ann.tables.live.watch(id));
        page = match page.text.contains("id=\"choices\"") {
            true => {
                let form = between(&page.text, "id=\"choices\"", "</form>");
                let choice =
                    form.split("<button").skip(1).find(|button| !button.contains(" disabled")).unwrap();
                let [seq, key, choice] =
                    [("seq", form), ("key", form), ("move", choice)].map(|(name, within)| {
                        between(within, &format!("name=\"{name}\" value=\""), "\"").to_owned()
                    });
                let path = format!("{}/move", page.path);
                let choice = choice.replace("&#43;", "+");
                ann.post(&path, &[("seq", &seq), ("key", &key), ("move", &choice)]).await
            }
            false => {
                let seen = ann.get(&page.path).await;
                if !seen.text.contains("id=\"choices\"") && !seen.read().contains("Review") {
                    news.changed().await.unwrap();
                }
                ann.get(&page.path).await
            }
        };
    }
    assert!(begun.try_recv().is_err(), "the report workers are still busy");
    ann.tables.thinking.end();
}
