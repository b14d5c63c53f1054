//! The board and the review page, in process and without scripts.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Changes, Setting};
use spoton_web::app::app;
use spoton_web::ids::{Secret, SittingId};
use spoton_web::limits::{ABANDONED_AFTER, STREAMS_OF_A_BROWSER};
use spoton_web::place::Place;
use spoton_web::room::Room;
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::{Store, Write};
use spoton_web::tables::{NewSeat, NewTable, Tables, Terms, find_game};
use tokio_stream::StreamExt;
use tower::ServiceExt;

/// A generous timeout.
const PATIENCE: Duration = Duration::from_secs(60);

const RACE: &str = "title = 'Race'\nstart = 0\ntarget = 23\nmoves = ['+1..4']";

struct Server {
    app: Router,
    tables: Tables,
}

impl Server {
    fn start() -> Server {
        Server::on(Arc::new(MemoryStore::default()))
    }

    fn on(store: Arc<dyn Store>) -> Server {
        let (tables, _) = Tables::open(store, Duration::ZERO);
        Server { app: app(tables.clone(), Place::default()), tables }
    }

    fn browser(&self) -> Browser {
        Browser { app: self.app.clone(), key: Secret::random() }
    }

    /// Sets up a table for a browser.
    async fn table(&self, host: &Browser, book: &str, seats: [NewSeat; 2], hints: bool) -> Board {
        let changes = Changes { variant: None, settings: Vec::<Setting>::new() };
        let game = find_game(None, Some(book), &changes).unwrap();
        let terms = Terms { hints, take_back: true, discover: false };
        let id = SittingId::random();
        let book = Some(book.to_owned());
        let table = NewTable { game, book, seats: ByPlayer(seats), first: Player::One, terms };
        self.tables.set(id, table, host.key.hash(), &Secret::sent("secret")).await.unwrap();
        Board { id, path: format!("/r/{id}") }
    }

    /// Ann and Ben, each in their own browser.
    async fn two_people(&self, book: &str, hints: bool) -> (Browser, Browser, Board) {
        let (ann, ben) = (self.browser(), self.browser());
        let board = self.table(&ann, book, [me("Ann"), NewSeat::Friend], hints).await;
        let name = Some("Ben".to_owned());
        self.tables.take_seat(board.id, &Secret::sent("secret"), name, ben.key.hash()).await.unwrap();
        (ann, ben, board)
    }
}

fn me(name: &str) -> NewSeat {
    NewSeat::Me { name: Some(name.to_owned()) }
}

struct Board {
    id: SittingId,
    path: String,
}

impl Board {
    fn to(&self, rest: &str) -> String {
        format!("{}/{rest}", self.path)
    }
}

/// A returning browser without scripts.
struct Browser {
    app: Router,
    key: Secret,
}

struct Page {
    status: StatusCode,
    path: String,
    text: String,
}

impl Browser {
    async fn ask(&self, method: &str, path: &str, form: Option<&str>) -> Response {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost")
            .header("origin", "http://localhost")
            .header("cookie", format!("seat={}", self.key.reveal()))
            .header("content-type", "application/x-www-form-urlencoded");
        let body = form.map_or_else(Body::empty, |form| Body::from(form.to_owned()));
        self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap()
    }

    async fn send(&self, method: &str, path: &str, form: Option<&str>) -> Page {
        let mut response = self.ask(method, path, form).await;
        let mut path = path.to_owned();
        while response.status() == StatusCode::SEE_OTHER {
            path = response.headers()["location"].to_str().unwrap().to_owned();
            response = self.ask("GET", &path, None).await;
        }
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        Page { status, path, text: String::from_utf8(bytes.into()).unwrap() }
    }

    async fn get(&self, path: &str) -> Page {
        self.send("GET", path, None).await
    }

    /// Posts a form with encoded fields.
    async fn post(&self, path: &str, form: &str) -> Page {
        self.send("POST", path, Some(form)).await
    }

    /// Makes moves, `%2B1` and the like.
    async fn moves(&self, board: &Board, moves: &[&str]) -> Page {
        for written in moves {
            let made = self.post(&board.to("move"), &format!("move={written}")).await;
            assert_eq!(made.status, StatusCode::OK, "{written}: {}", made.text);
        }
        self.get(&board.path).await
    }

    async fn listen(&self, board: &Board) -> Result<Listening, StatusCode> {
        let response = self.ask("GET", &board.to("stream"), None).await;
        match response.status() {
            StatusCode::OK => Ok(Listening(Box::pin(response.into_body().into_data_stream()))),
            status => Err(status),
        }
    }
}

/// An open stream.
struct Listening(std::pin::Pin<Box<axum::body::BodyDataStream>>);

impl Listening {
    /// The next event, without heartbeats.
    async fn next(&mut self) -> String {
        loop {
            let next =
                tokio::time::timeout(PATIENCE, self.0.next()).await.expect("the event arrives in time");
            let bytes: Bytes = next.expect("the stream is open").unwrap();
            let told = String::from_utf8(bytes.into()).unwrap();
            if !told.starts_with(':') {
                return told;
            }
        }
    }
}

impl Page {
    /// The text of the element with this id, without tags.
    fn said(&self, id: &str) -> String {
        let Some(at) = self.text.find(&format!("id=\"{id}\"")) else { return String::new() };
        let inside = &self.text[at..];
        let inside = &inside[inside.find('>').unwrap() + 1..];
        let tag = if id == "advice" || id == "said" { "</div>" } else { "</p>" };
        let inside = &inside[..inside.find(tag).unwrap()];
        let plain: Vec<&str> =
            inside.split('<').map(|piece| piece.split_once('>').map_or(piece, |p| p.1)).collect();
        plain.join(" ").replace("&#39;", "'").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// Whether there is an enabled button with this id.
    fn works(&self, id: &str) -> bool {
        let at = self.text.find(&format!("id=\"{id}\""));
        at.is_some_and(|at| !self.text[at..].split('>').next().unwrap().contains("disabled"))
    }

    /// A text's position.
    fn at(&self, text: &str) -> usize {
        self.text.find(text).unwrap_or_else(|| panic!("no {text} in {}", self.text))
    }
}

#[tokio::test]
async fn more_than_eight_choices_are_a_grid_and_can_be_typed() {
    let server = Server::start();
    let ann = server.browser();
    let shares = "title = 'Shares'\nstart = 60\nrange = [1, 60]\nmoves = ['-divisor']";
    let board = server.table(&ann, shares, [me("Ann"), me("Ben")], true).await;
    let first = ann.get(&board.path).await;
    assert!(first.has("name=\"typed\"") && first.has("class=\"cells\""), "{}", first.text);
    // Enter in the field submits the typed move, not the first button.
    assert!(first.at("id=\"go\"") < first.at("name=\"move\""));
    let wrong = ann.post(&board.to("move"), "typed=7").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let why = wrong.said("alert");
    assert!(
        wrong.has("id=\"choices\"") && why == "You can't subtract 7: 60 divided by 7 leaves a remainder.",
        "{why}"
    );
    let markup = ann.post(&board.to("move"), "typed=%3Cb%3E").await;
    assert!(!markup.has("<b>") && !markup.said("alert").is_empty(), "{}", markup.text);
    let made = ann.post(&board.to("move"), "typed=20").await;
    assert_eq!(
        (made.status, made.said("number").as_str()),
        (StatusCode::OK, "The number is 40"),
        "{}",
        made.text
    );
    // A plain number is an amount, never a button's position. If it's ambiguous, the page asks.
    let even = "title = 'Even'\nstart = 2\ntarget = 99\nmoves = ['+2', '+4', '+6', '+8', '+10', '+12', '+14', '+16', 'x2']";
    let board = server.table(&ann, even, [me("Ann"), me("Ben")], true).await;
    assert_eq!(ann.post(&board.to("move"), "typed=4").await.said("number"), "The number is 6");
    let two = ann.post(&board.to("move"), "typed=2").await;
    assert_eq!(
        (two.said("alert").as_str(), two.said("number").as_str()),
        ("Which one: +2 or x2?", "The number is 6")
    );
    let odd = ann.post(&board.to("move"), "typed=3").await.said("alert");
    assert!(odd.contains("+2, +4") && !odd.contains("help"), "{odd}");
    // With few choices there is no field.
    let few = server.table(&ann, RACE, [me("Ann"), me("Ben")], true).await;
    assert!(!ann.get(&few.path).await.has("name=\"typed\""));
}

#[tokio::test]
async fn barred_moves_say_why_in_words() {
    let server = Server::start();
    let ann = server.browser();
    let few = "title = 'x'\nstart = 3\ntarget = 6\nmoves = ['+1', '+5']\npast = 'forbidden'";
    let board = server.table(&ann, few, [me("Ann"), me("Ben")], true).await;
    let page = ann.get(&board.path).await;
    assert!(page.has("<span class=\"why\">goes past 6</span>"), "{}", page.text);
    let refused = ann.post(&board.to("move"), "move=%2B5").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("id=\"board\"") && refused.said("alert").contains("past 6"), "{}", refused.text);
    let many = "title = 'x'\nstart = 3\ntarget = 6\nmoves = ['+1..12']\npast = 'forbidden'";
    let board = server.table(&ann, many, [me("Ann"), me("Ben")], true).await;
    let page = ann.get(&board.path).await;
    assert!(page.has("+10, &#43;11") || page.has("+10, +11"), "grouped by reason: {}", page.text);
    assert_eq!(page.text.matches("goes past 6").count(), 1, "{}", page.text);
}

#[tokio::test]
async fn a_strike_says_whose_number_it_changes() {
    let server = Server::start();
    let castles = spoton::format::catalog::text("two-castles").unwrap();
    let (ann, ben, board) = server.two_people(castles, false).await;
    let page = ann.get(&board.path).await;
    assert!(
        page.has("<bdi>Ben</bdi> → 12") && page.text.matches("<svg class=\"track").count() == 2,
        "{}",
        page.text
    );
    assert!(
        page.has("<p class=\"whose player-1\"><bdi>Ann</bdi></p>"),
        "each line has its owner: {}",
        page.text
    );
    ann.moves(&board, &["@-3"]).await;
    let struck = ben.get(&board.path).await;
    assert!(
        struck.said("status").contains("Ann played “Strike with 3”: your number 15 → 12."),
        "{}",
        struck.text
    );
    // People never see the notation of programs.
    ann.post(&board.to("resign"), "").await;
    let back = ann.get(&board.to("look-back?step=0")).await;
    assert!(back.has("<b>Strike with 3</b>") && !back.said("said").contains('@'), "{}", back.text);
}

#[tokio::test]
async fn only_the_player_who_asks_sees_a_hint_step_by_step() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, true).await;
    let other = ben.get(&board.path).await;
    assert!(!other.works("do-hint") && other.has("do-hint"), "it isn't Ben's turn: {}", other.text);
    let first = ann.post(&board.to("hint"), "").await;
    let hint = first.said("advice");
    assert_eq!(hint, "Only one move keeps your win.");
    assert_eq!(ann.get(&board.path).await.said("advice"), hint, "still there after a reload");
    let other = ben.get(&board.path).await;
    assert!(
        other.said("advice").is_empty() && other.said("status").contains("Ann used a hint."),
        "{}",
        other.text
    );
    let second = ann.post(&board.to("hint"), "").await.said("advice");
    assert!(!second.is_empty() && second != hint, "{second}");
    let why = ann.post(&board.to("why"), "").await.said("advice");
    assert!(why.contains("You can force a win"), "{why}");
    assert_eq!(ann.get(&board.path).await.said("advice"), why);
    let after = ann.moves(&board, &["%2B3"]).await;
    assert!(after.said("advice").is_empty() && !after.said("status").contains("hint"), "{}", after.text);
}

#[tokio::test]
async fn without_hints_there_is_no_help() {
    let server = Server::start();
    let (ann, _, board) = server.two_people(RACE, false).await;
    let page = ann.get(&format!("{}?idea=leave+3+8+13+18", board.path)).await;
    for help in ["do-hint", "do-why", "id=\"idea\""] {
        assert!(!page.has(help), "{help}: {}", page.text);
    }
    assert!(page.said("advice").is_empty());
    let refused = ann.post(&board.to("hint"), "").await;
    assert_eq!(refused.said("alert"), "Hints are off in this round.");
}

#[tokio::test]
async fn an_idea_is_tested_for_players_only() {
    let server = Server::start();
    let (ann, _, board) = server.two_people(RACE, true).await;
    let idea = |idea: &str| format!("{}?idea={idea}", board.path);
    assert!(ann.get(&idea("leave+3+8+13+18")).await.said("advice").starts_with("True"));
    assert!(ann.get(&idea("leave+4")).await.said("advice").starts_with("Not true"));
    let odd = ann.get(&idea("%3Ci%3E")).await;
    assert!(!odd.has("<i>") && odd.said("advice").contains("I don't understand"), "{}", odd.text);
    let eve = server.browser();
    assert!(eve.get(&idea("leave+4")).await.said("advice").is_empty());
}

#[tokio::test]
async fn giving_up_needs_confirmation_and_is_announced() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    let page = ann.get(&board.path).await;
    let (opens, button) = (page.at("<details id=\"give-up\""), page.at("id=\"do-resign\""));
    assert!(
        opens < button && button < opens + page.text[opens..].find("</details>").unwrap(),
        "giving up asks first"
    );
    let end = ann.post(&board.to("resign"), "").await;
    assert!(end.said("status").starts_with("Ben wins this one. You gave up."), "{}", end.text);
    let won = ben.get(&board.path).await;
    assert!(won.said("status").starts_with("You win!") && won.has("class=\"verdict won\""), "{}", won.text);
    let watched = server.browser().get(&board.path).await;
    assert!(watched.said("status").starts_with("Ben wins! Ann gave up."), "{}", watched.text);
    assert!(!watched.has("verdict won"), "watchers have nothing to celebrate: {}", watched.text);
    // The next actions, most important first.
    let order =
        ["id=\"do-rematch\"", "look-back?round=1", "id=\"do-another-target\"", "href=\"/\" id=\"home\""];
    let places: Vec<usize> = order.iter().map(|what| end.at(what)).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[tokio::test]
async fn both_players_see_an_offer_and_its_answer() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    let eve = server.browser();
    ann.moves(&board, &["%2B1"]).await;
    let offered = ann.post(&board.to("take-back"), "").await;
    let waits = "You asked to undo +1. Ben hasn't answered yet.";
    assert!(offered.said("status").contains(waits) && !offered.works("do-take-back"), "{}", offered.text);
    let asked = ben.get(&board.path).await;
    assert!(asked.said("status").contains("Ann asks to undo +1."), "{}", asked.text);
    assert!(asked.works("do-take-back") && asked.works("do-decline"));
    assert_eq!(asked.text.matches("id=\"do-take-back\"").count(), 1, "{}", asked.text);
    assert!(!eve.get(&board.path).await.has("do-decline"), "watchers can't answer");
    ben.post(&board.to("decline"), "").await;
    assert!(ann.get(&board.path).await.said("status").contains("Ben declined."));
    ben.post(&board.to("resign"), "").await;
    let offered = ben.post(&board.to("rematch"), "").await;
    assert!(
        offered.said("status").ends_with("You asked for a rematch. Ann hasn't answered yet."),
        "{}",
        offered.text
    );
    let next = ann.post(&board.to("rematch"), "").await;
    assert!(next.said("status").starts_with("Round 2 begins."), "{}", next.text);
    assert!(ben.get(&board.path).await.has("id=\"choices\""), "the starter alternates");
}

#[tokio::test]
async fn undo_goes_back_to_the_last_turn_of_the_player_who_asks() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    ann.moves(&board, &["%2B1"]).await;
    ben.moves(&board, &["%2B2"]).await;
    ann.post(&board.to("take-back"), "").await;
    let asked = ben.get(&board.path).await.said("status");
    assert!(asked.contains("Ann asks to undo +1 and everything after it."), "{asked}");
    let agreed = ben.post(&board.to("take-back"), "").await;
    assert!(agreed.said("status").contains("2 moves undone."), "{}", agreed.text);
    assert!(agreed.said("status").contains("Ann's turn."), "{}", agreed.text);
    // Before their first move, players have nothing to undo.
    ann.moves(&board, &["%2B1"]).await;
    assert!(!ben.get(&board.path).await.works("do-take-back"));
    assert!(ben.post(&board.to("take-back"), "").await.status.is_client_error());
}

#[tokio::test]
async fn the_title_and_the_icon_show_whose_turn_it_is() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    let (own, other) = (ann.get(&board.path).await, ben.get(&board.path).await);
    assert!(
        own.has("<title>● Your turn · Race · Spot On</title>") && own.has("href=\"/static/turn.svg\""),
        "{}",
        own.text
    );
    assert!(
        other.has("<title>Ann&#39;s turn · Race · Spot On</title>") && other.has("href=\"/static/icon.svg\""),
        "{}",
        other.text
    );
    let icon = ann.get("/static/turn.svg").await;
    assert!(icon.status == StatusCode::OK && icon.has("<svg"));
    let moved = ann.moves(&board, &["%2B3"]).await;
    assert_eq!(moved.said("status"), "You played +3: 0 → 3. Ben's turn.");
    assert_eq!(ben.get(&board.path).await.said("status"), "Ann played +3: 0 → 3. Your turn.");
}

#[tokio::test]
async fn watchers_see_the_same_board_without_buttons() {
    let server = Server::start();
    let (ann, _, board) = server.two_people(RACE, true).await;
    ann.moves(&board, &["%2B3"]).await;
    let eve = server.browser();
    let page = eve.get(&board.path).await;
    assert!(page.said("goal").contains("You're watching.") && page.has("<svg"), "{}", page.text);
    assert!(!page.has("<form") && !page.has("name=\"move\"") && !page.has("id=\"more\""), "{}", page.text);
    let refused = eve.post(&board.to("move"), "move=%2B1").await;
    assert_eq!(
        (refused.status, refused.said("alert").as_str()),
        (StatusCode::FORBIDDEN, "This isn't your seat.")
    );
}

#[tokio::test]
async fn the_second_time_of_a_position_is_announced() {
    let server = Server::start();
    let ann = server.browser();
    let circles = "title = 'x'\nstart = 5\ntarget = 17\nmoves = ['+1', '-1']\nrepetition = 3";
    let board = server.table(&ann, circles, [me("Ann"), me("Ben")], true).await;
    let warning = "This position has come up twice. The third time is a draw.";
    assert!(!ann.moves(&board, &["%2B1"]).await.said("status").contains(warning));
    assert!(ann.moves(&board, &["-1"]).await.said("status").contains(warning));
    let drawn = ann.moves(&board, &["%2B1", "-1"]).await;
    assert!(drawn.has("do-rematch") && !drawn.said("status").contains(warning), "{}", drawn.text);
}

#[tokio::test]
async fn a_round_that_nobody_comes_back_to_can_be_closed() {
    let (fresh, ancient) = (Server::start(), Arc::new(MemoryStore::default()));
    let (ann, ben, board) = fresh.two_people(RACE, false).await;
    ann.moves(&board, &["%2B1"]).await;
    ben.moves(&board, &["%2B1"]).await;
    let early = ben.get(&board.path).await;
    assert!(!early.has("do-abandon") && !early.said("status").contains("close"), "{}", early.text);
    let refused = ben.post(&board.to("abandon"), "").await;
    assert_eq!(refused.said("alert"), "Your opponent has three days to move.");
    // The same log, three days older.
    let mut log = fresh.tables.store.events(board.id, 0, 100).await.unwrap();
    for event in &mut log {
        event.at = spoton_web::clock::Clock::default().now() - ABANDONED_AFTER;
    }
    let listed = Room::replay(&log).unwrap().unwrap().listed();
    let seats = vec![(Player::One, ann.key.hash()), (Player::Two, ben.key.hash())];
    let write = Write {
        id: board.id,
        events: log,
        listed,
        asked: None,
        burns: None,
        invites: vec![],
        seats,
        book: None,
        open_class: None,
    };
    assert_eq!(ancient.commit(vec![write]).await, Ok(vec![Ok(())]));
    let server = Server::on(ancient);
    let [ann, ben] = [ann, ben].map(|browser| Browser { app: server.app.clone(), ..browser });
    assert!(!ann.get(&board.path).await.has("do-abandon"), "it's her turn");
    // An offer doesn't prolong the wait.
    let offered = ben.post(&board.to("take-back"), "").await;
    assert!(
        offered.said("status").contains("You can close the round.") && offered.has("do-abandon"),
        "{}",
        offered.text
    );
    let closed = ben.post(&board.to("abandon"), "").await;
    assert!(
        closed.has("do-rematch") && closed.said("status") == "Nobody wins. Ann didn't come back.",
        "{}",
        closed.text
    );
}

#[tokio::test]
async fn a_computer_is_neither_here_nor_away() {
    let server = Server::start();
    let ann = server.browser();
    let pip = NewSeat::Computer(Opponent::parse("pip").unwrap());
    let board = server.table(&ann, RACE, [me("Ann"), pip], false).await;
    let page = ann.get(&board.path).await;
    assert!(page.has("Pip") && !page.has("is away") && !page.has("is here"), "{}", page.text);
}

#[tokio::test]
async fn streams_report_changes_and_presence() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    assert!(ann.get(&board.path).await.has(">is away</span>"));
    let mut anns = ann.listen(&board).await.unwrap();
    assert_eq!(anns.next().await, "event: presence\ndata: {\"1\":true,\"2\":false}\n\n", "it has no id");
    assert_eq!(anns.next().await, "event: changed\ndata: 2\nid: 2\n\n");
    // Watchers don't count as present players.
    let eve = server.browser();
    let mut eves = eve.listen(&board).await.unwrap();
    assert_eq!(eves.next().await, "event: presence\ndata: {\"1\":true,\"2\":false}\n\n");
    let bens = ben.listen(&board).await.unwrap();
    assert_eq!(anns.next().await, "event: presence\ndata: {\"1\":true,\"2\":true}\n\n");
    assert!(ann.get(&board.path).await.has(">is here</span>"));
    // A second tab of the same player causes no event.
    drop(ben.listen(&board).await.unwrap());
    ann.moves(&board, &["%2B3"]).await;
    assert_eq!(anns.next().await, "event: changed\ndata: 3\nid: 3\n\n");
    drop(bens);
    assert_eq!(anns.next().await, "event: presence\ndata: {\"1\":true,\"2\":false}\n\n");
}

#[tokio::test]
async fn a_browser_gets_at_most_four_streams() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    let mut open = Vec::new();
    for _ in 0..STREAMS_OF_A_BROWSER {
        open.push(ann.listen(&board).await.unwrap());
    }
    assert_eq!(ann.listen(&board).await.err(), Some(StatusCode::NO_CONTENT));
    assert!(ben.listen(&board).await.is_ok(), "other browsers are unaffected");
    open.pop();
    let again = async {
        while ann.listen(&board).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.expect("closing one frees a slot");
}

#[tokio::test]
async fn looking_back_goes_step_by_step() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, false).await;
    let early = ann.get(&board.to("look-back")).await;
    assert_eq!(early.status, StatusCode::CONFLICT);
    for (player, written) in [(&ann, "%2B1"), (&ben, "%2B2"), (&ann, "%2B1")] {
        player.moves(&board, &[written]).await;
    }
    ann.post(&board.to("resign"), "").await;
    // Anyone may open the review. It starts at the turning point.
    let eve = server.browser();
    let turned = eve.get(&board.to("look-back")).await;
    assert!(turned.said("said").contains("That gave away the win. "), "{}", turned.text);
    assert!(turned.said("said").contains("Better: +3"), "{}", turned.text);
    for drawn in ["arc better", "class=\"turned\"", "◆ Turning point", "aria-current=\"step\""] {
        assert!(turned.has(drawn), "{drawn}: {}", turned.text);
    }
    assert!(turned.has("step=1") && turned.has("record.txt?round=1") && turned.has("download="));
    let second = eve.get(&board.to("look-back?round=1&step=1")).await;
    assert!(second.said("said").contains("Ben") && second.said("said").contains("+2"), "{}", second.text);
    assert!(second.has("step=0") && second.has("step=2") && !second.has("arc better"));
    let end = eve.get(&board.to("look-back?round=1&step=99")).await;
    assert!(end.said("said") == "Ben wins!" && !end.has("id=\"step-on\""), "{}", end.text);
    let odd = eve.get(&board.to("look-back?step=x")).await;
    assert_eq!(odd.said("said"), turned.said("said"));
    // The address still works during the next round.
    ann.post(&board.to("rematch"), "").await;
    ben.post(&board.to("rematch"), "").await;
    assert_eq!(eve.get(&board.to("look-back?round=1&step=1")).await.text, second.text);
    assert_eq!(eve.get(&board.to("look-back?round=2")).await.status, StatusCode::CONFLICT);
    assert_eq!(eve.get(&board.to("look-back?round=99")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_round_is_played_on_from_the_step_shown() {
    let server = Server::start();
    let ann = server.browser();
    let pip = NewSeat::Computer(Opponent::parse("pip").unwrap());
    let board = server.table(&ann, RACE, [me("Ann"), pip], true).await;
    ann.moves(&board, &["%2B1"]).await;
    ann.post(&board.to("resign"), "").await;
    let back = ann.get(&board.to("look-back?step=0")).await;
    assert!(back.has("id=\"play-on\""), "{}", back.text);
    let eve = server.browser();
    let on = eve.post(&board.to("play-on"), "round=1&moves=0").await;
    assert_eq!(on.status, StatusCode::OK, "{}", on.text);
    assert!(on.path != board.path && on.path.starts_with("/r/"), "{}", on.path);
    assert!(on.has("id=\"choices\"") && on.has("Pip"), "against the same computer: {}", on.text);
    assert_eq!(on.said("number"), "The number is 0");
    // It's Eve's own round: nobody else can move there, and the old one is unchanged.
    assert!(!ann.get(&on.path).await.has("id=\"choices\""));
    assert!(ann.get(&board.path).await.has("do-rematch"));
    // A round between two people continues on one device, from the number reached.
    let (ann, ben, board) = server.two_people(RACE, false).await;
    ann.moves(&board, &["%2B1"]).await;
    ben.moves(&board, &["%2B4"]).await;
    ben.post(&board.to("resign"), "").await;
    // The page shows the second move and its result, and lets the reader choose again.
    let second = ben.get(&board.to("look-back?step=1")).await;
    assert!(second.has("id=\"play-on\" name=\"moves\" value=\"2\""), "{}", second.text);
    assert!(second.has("id=\"choose-again\" name=\"moves\" value=\"1\""), "{}", second.text);
    let again = ben.post(&board.to("play-on"), "round=1&moves=1").await;
    assert_eq!(again.said("number"), "The number is 1");
    let on = ben.post(&board.to("play-on"), "round=1&moves=2").await;
    assert_eq!(on.said("number"), "The number is 5");
    let made = ben.post(&format!("{}/move", on.path), "move=%2B1").await;
    assert!(made.has("id=\"choices\"") && made.said("number") == "The number is 6", "{}", made.text);
}

#[tokio::test]
async fn a_finished_line_cannot_be_played_on() {
    let server = Server::start();
    let ann = server.browser();
    let short = "title = 'x'\nstart = 0\ntarget = 2\nmoves = ['+1', '+2']";
    let board = server.table(&ann, short, [me("Ann"), me("Ben")], true).await;
    ann.moves(&board, &["%2B2"]).await;
    for step in 0..2 {
        assert!(!ann.get(&board.to(&format!("look-back?step={step}"))).await.has("id=\"play-on\""));
    }
    let refused = ann.post(&board.to("play-on"), "round=1&moves=1").await;
    assert!(refused.status.is_client_error(), "{}", refused.text);
}

#[tokio::test]
async fn without_scripts_a_waiting_page_refreshes() {
    let server = Server::start();
    let ann = server.browser();
    let refreshes = |board: &Board, page: &Page, seconds: u32| {
        let meta =
            format!("<noscript><meta http-equiv=\"refresh\" content=\"{seconds}; url={}\">", board.path);
        page.has(&meta) && page.has("id=\"look-again\"")
    };
    let board = server.table(&ann, RACE, [me("Ann"), NewSeat::Friend], false).await;
    let waiting = ann.get(&board.path).await;
    assert!(refreshes(&board, &waiting, 15), "{}", waiting.text);
    let (ann, ben, board) = server.two_people(RACE, false).await;
    assert!(!ann.get(&board.path).await.has("http-equiv"), "no reload on your own turn");
    assert!(refreshes(&board, &ben.get(&board.path).await, 15));
    // The computer may or may not have moved by now.
    let pip = NewSeat::Computer(Opponent::parse("pip").unwrap());
    let board = server.table(&ann, RACE, [me("Ann"), pip], true).await;
    let after = ann.post(&board.to("move"), "move=%2B1").await;
    assert_eq!(after.has("http-equiv"), !after.has("id=\"choices\""), "{}", after.text);
    ann.post(&board.to("resign"), "").await;
    assert!(!ann.get(&board.path).await.has("http-equiv"), "no reload after the end");
}

#[tokio::test]
async fn buttons_stay_in_place_and_work_if_they_apply() {
    let server = Server::start();
    let (ann, ben, board) = server.two_people(RACE, true).await;
    let buttons =
        |page: &Page| ["do-hint", "do-why", "do-take-back"].map(|id| (page.has(id), page.works(id)));
    let first = ann.get(&board.path).await;
    assert_eq!(buttons(&first), [(true, true), (true, true), (true, false)], "{}", first.text);
    assert!(first.has("Ask to undo"));
    let moved = ann.moves(&board, &["%2B1"]).await;
    assert_eq!(buttons(&moved), [(true, false), (true, false), (true, true)], "{}", moved.text);
    // Ben hasn't moved yet.
    assert_eq!(buttons(&ben.get(&board.path).await), [(true, true), (true, true), (true, false)]);
}

#[tokio::test]
async fn latecomers_can_watch_and_the_secret_leaves_the_address() {
    let server = Server::start();
    let (ann, _, board) = server.two_people(RACE, true).await;
    let invitation = board.path.replace("/r/", "/j/");
    let eve = server.browser();
    let to = |response: Response| response.headers()["location"].to_str().unwrap().to_owned();
    // The new fragment replaces the secret.
    assert_eq!(to(ann.ask("GET", &invitation, None).await), format!("{}#board", board.path));
    assert_eq!(to(eve.ask("GET", &invitation, None).await), format!("{}?taken#board", board.path));
    let page = eve.get(&invitation).await;
    assert!(page.said("goal").contains("This seat is taken. You can watch."), "{}", page.text);
    assert!(!ann.get(&format!("{}?taken", board.path)).await.has("This seat is taken"));
}

#[tokio::test]
async fn a_refused_guest_keeps_the_form() {
    let server = Server::start();
    let (ann, ben) = (server.browser(), server.browser());
    let board = server.table(&ann, RACE, [me("Ann"), NewSeat::Friend], false).await;
    let invitation = board.path.replace("/r/", "/j/");
    let taken = ben.post(&invitation, "secret=secret&name=Ann").await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(taken.said("alert").contains("looks like your opponent's"), "{}", taken.text);
    assert!(taken.has("value=\"Ann\"") && taken.has("value=\"secret\""), "{}", taken.text);
    let wrong = ben.post(&invitation, "secret=secre&name=Ben").await;
    assert_eq!(wrong.status, StatusCode::GONE);
    let why = "This link is incomplete, or its seat is taken. Check the link, or ask for a new one.";
    assert_eq!(wrong.said("alert"), why, "{}", wrong.text);
    assert!(wrong.has("value=\"Ben\"") && wrong.has("aria-invalid"), "{}", wrong.text);
    let seated = ben.post(&invitation, "secret=secret&name=Ben").await;
    assert_eq!((seated.status, &seated.path), (StatusCode::OK, &board.path), "{}", seated.text);
}
