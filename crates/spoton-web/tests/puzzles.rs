//! Puzzles: solved, missed, left and resumed.

use crate::plain_browser;

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use plain_browser::{Browser, Page, server};
use spoton::engine::play::Move;
use spoton::format::{BookText, Changes, Game, catalog};
use spoton::solved::SolvedGames;
use spoton::teach::puzzle::{Attempt, Course, NextPuzzle, Shelf, Tried, next};
use spoton_web::ids::Hash;

const GAME: &str = "race-to-23";
const PATH: &str = "/puzzles/race-to-23";
/// The same after its start card.
const STARTED: &str = "/puzzles/race-to-23?start";

/// The first puzzle, from the library.
fn first() -> Attempt {
    let game = Game::new(BookText::shipped(GAME).unwrap(), GAME.to_owned(), &Changes::default()).unwrap();
    let course = Course { tried: &Tried::default(), rounds: &[], today: "2026-11-16".parse().unwrap() };
    let served =
        next(&Shelf::from_game(game).unwrap(), &course, &SolvedGames::new(16 << 20), &mut |_| true).unwrap();
    let NextPuzzle::Puzzle(served) = served else { panic!("no puzzle") };
    Attempt::begin(*served)
}

/// A move that keeps the win (`keeps`) or gives it away.
fn a_move(attempt: &mut Attempt, keeps: bool) -> String {
    let rulebook = attempt.round().rulebook().clone();
    let choices: Vec<_> = rulebook.legal(attempt.round().position()).iter().collect();
    for choice in choices {
        let mut trial = first();
        for ply in &attempt.round().history()[first().round().history().len()..] {
            if let (true, Move::Operation(choice)) = (ply.player() == attempt.solver(), ply.a_move) {
                trial.play(choice);
            }
        }
        trial.play(choice);
        if !matches!(trial.state(), spoton::teach::puzzle::AttemptState::Missed(_)) == keeps {
            attempt.play(choice);
            return rulebook.write(Move::Operation(choice));
        }
    }
    panic!("no such move");
}

async fn play(browser: &mut Browser, page: &Page, written: &str) -> Page {
    let puzzle = page.between("name=\"puzzle\" value=\"", "\"").unwrap();
    let made = page.between("name=\"made\" value=\"", "\"").unwrap();
    browser.post(&page.path, &[("puzzle", &puzzle), ("made", &made), ("move", written)]).await
}

fn puzzle(page: &Page) -> String {
    page.between("name=\"puzzle\" value=\"", "\"").unwrap_or_else(|| panic!("{}", page.text))
}

#[tokio::test]
async fn a_puzzle_is_solved_and_the_next_one_comes() {
    let server = server();
    let mut ann = server.browser();
    let card = ann.get(PATH).await;
    card.is_safe();
    assert!(card.text.contains("Win from here") && card.text.contains("Guessing solves it"));
    assert!(card.text.contains("You get one try.") && card.moves().is_empty(), "{}", card.text);
    assert!(!card.text.contains("<form"), "{}", card.text);
    let begin = ann.get(&card.between("id=\"start\" href=\"", "\"").unwrap()).await;
    begin.is_safe();
    let mut attempt = first();
    assert_eq!(puzzle(&begin), attempt.served().id.to_string());
    let (mut page, mut moves) = (begin, 0);
    while attempt.is_open() {
        let written = a_move(&mut attempt, true);
        page = play(&mut ann, &page, &written).await;
        moves += 1;
        // A reload resumes it; for another browser it hasn't begun.
        assert_eq!(ann.get(PATH).await.text, page.text);
        assert!(server.browser().get(STARTED).await.text.contains("name=\"made\" value=\"0\""));
        assert!(moves < 50, "{}", page.text);
    }
    assert!(page.text.contains("Solved.") && page.moves().is_empty(), "{}", page.text);
    page.is_safe();
    let list = ann.get("/puzzles").await;
    assert!(list.read().contains("You've solved 1 puzzle."), "{}", list.text);
    let next = ann.post(&format!("{PATH}/next"), &[]).await;
    assert!(next.text.contains("id=\"start-card\""), "every puzzle has a card: {}", next.text);
    let next = ann.get(STARTED).await;
    assert_ne!(puzzle(&next), attempt.served().id.to_string());
    assert!(next.text.contains("name=\"made\" value=\"0\""));
}

#[tokio::test]
async fn a_puzzle_that_is_missed_is_explained_and_tried_once() {
    let server = server();
    let mut ann = server.browser();
    let begin = ann.get(STARTED).await;
    let (mut wrong, mut right) = (first(), first());
    let (wrong, right) = (a_move(&mut wrong, false), a_move(&mut right, true));
    // An illegal move changes nothing.
    let same = play(&mut ann, &begin, "x1000").await;
    assert_eq!(same.text, ann.get(PATH).await.text);
    let missed = play(&mut ann, &begin, &wrong).await;
    let said = missed.between("class=\"advice\"", "</div>").expect("an explanation").replace("&#43;", "+");
    assert!(said.contains(&wrong) && said.contains("win"), "{said}");
    // An outdated form in another tab changes nothing.
    let late = play(&mut ann, &begin, &right).await;
    assert_eq!(late.text, missed.text);
    ann.post(&format!("{PATH}/next"), &[]).await;
    let next = ann.get(STARTED).await;
    assert_ne!(puzzle(&next), puzzle(&begin));
    play(&mut ann, &begin, &right).await;
    let later = ann.get(STARTED).await;
    assert_eq!(puzzle(&later), puzzle(&next), "it doesn't come back today");
    assert!(!ann.get("/puzzles").await.read().contains("You've solved"));
}

#[tokio::test]
async fn giving_up_shows_the_winning_moves() {
    let server = server();
    let mut ann = server.browser();
    let begin = ann.get(STARTED).await;
    let fields = [("puzzle", puzzle(&begin)), ("made", "0".to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let given_up = ann.post(PATH, &fields).await;
    assert!(
        given_up.text.contains("You gave up.") && given_up.text.contains("the win."),
        "{}",
        given_up.text
    );
    // The next puzzle needs this one to be over.
    let mut ben = server.browser();
    let moved = ben.get(STARTED).await;
    ben.post(&format!("{PATH}/next"), &[]).await;
    assert_eq!(puzzle(&ben.get(STARTED).await), puzzle(&moved));
}

#[tokio::test]
async fn every_game_has_a_page_of_puzzles() {
    let server = server();
    let mut ann = server.browser();
    let list = ann.get("/puzzles").await;
    list.is_safe();
    for game in catalog::ids().chain(["any"]) {
        assert!(list.text.contains(&format!("/puzzles/{game}")), "{game}");
        let page = ann.get(&format!("/puzzles/{game}")).await;
        assert_eq!(page.status, StatusCode::OK, "{game}: {}", page.text);
        assert!(
            page.text.contains("Win from here") || page.text.contains("no puzzles"),
            "{game}: {}",
            page.text
        );
    }
    for wrong in ["/puzzles/no-such-game", "/puzzles/no-such-game/next"] {
        assert_eq!(ann.get("/puzzles/no-such-game").await.status, StatusCode::NOT_FOUND);
        assert!(ann.post(wrong, &[]).await.status.is_client_error());
    }
    // An unknown puzzle leads to the current one.
    let fields = [("puzzle", "0000000000000000 <b>"), ("made", "0"), ("move", "+1")];
    let page = ann.post(PATH, &fields).await;
    assert!(page.status == StatusCode::OK && !page.text.contains("<b>"), "{}", page.text);
    assert_eq!(puzzle(&ann.get(STARTED).await), first().served().id.to_string());
}

/// Concurrent moves are one try: the first one counts.
#[tokio::test]
async fn two_simultaneous_moves_are_one_try() {
    let server = server();
    let mut ann = server.browser();
    // A returning browser.
    ann.post("/new", &[("mode", "two")]).await;
    let page = ann.get(STARTED).await;
    let [right, wrong] = [true, false].map(|keeps| a_move(&mut first(), keeps));
    // Blocks all solver threads until every move has been sent.
    let gate = Arc::new(tokio::sync::RwLock::new(()));
    let closed = gate.write().await;
    let thinking = &server.tables.thinking;
    for number in 0..=std::thread::available_parallelism().unwrap().get() {
        let (thinking, gate) = (thinking.clone(), Arc::clone(&gate));
        tokio::spawn(async move {
            let key = Hash::digest(format!("gate {number}"));
            let waits = thinking.question(key, Duration::from_secs(60), move |_| drop(gate.blocking_read()));
            waits.await.unwrap();
        });
    }
    tokio::task::yield_now().await;
    let mut asking = Vec::new();
    for written in [&wrong, &right, &wrong, &right] {
        let (mut ann, written) = (ann.clone(), written.clone());
        let fields = [puzzle(&page), page.between("name=\"made\" value=\"", "\"").unwrap()];
        asking.push(tokio::spawn(async move {
            let [puzzle, made] = &fields;
            ann.post(PATH, &[("puzzle", puzzle), ("made", made), ("move", &written)]).await
        }));
    }
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    drop(closed);
    for asked in asking {
        assert_eq!(asked.await.unwrap().status, StatusCode::OK);
    }
    // The wrong move was first, so the puzzle is missed.
    let remembered = server.tables.store.remembered(ann.holder()).await.unwrap();
    let kept = |what: &str| {
        let found = remembered.iter().find(|(key, _)| key.starts_with(what));
        found.unwrap_or_else(|| panic!("{remembered:?}")).1.clone()
    };
    assert!(kept("puzzle ").starts_with("missed"), "{remembered:?}");
    let made = serde_json::from_str::<serde_json::Value>(&kept("trying ")).unwrap()["moves"].clone();
    assert_eq!(made, serde_json::json!([wrong]), "{remembered:?}");
    assert!(ann.get(PATH).await.text.contains("class=\"advice\""));
}

/// A puzzle counts once, whether among those of one game or of all games.
#[tokio::test]
async fn a_puzzle_missed_among_all_games_is_over_in_its_own_too() {
    let server = server();
    let mut ann = server.browser();
    let page = ann.get(STARTED).await;
    let missed = play(&mut ann, &page, &a_move(&mut first(), false)).await;
    assert!(missed.text.contains("class=\"advice\""), "{}", missed.text);
    // As if it had been started among all games before.
    let id = first().served().id.to_string();
    let begun = format!("{{\"puzzle\":\"{id}\",\"moves\":[],\"gave_up\":false}}");
    let keeps = server.tables.store.remember(ann.holder(), "trying any".to_owned(), Some(begun), 1);
    keeps.await.unwrap();
    let right = a_move(&mut first(), true);
    ann.post("/puzzles/any", &[("puzzle", &id), ("made", "0"), ("move", &right)]).await;
    let next = ann.get("/puzzles/any?start").await;
    assert!(next.status == StatusCode::OK && puzzle(&next) != id, "{}", next.text);
    let remembered = server.tables.store.remembered(ann.holder()).await.unwrap();
    assert!(
        remembered.iter().any(|(key, value)| *key == format!("puzzle {id}") && value.starts_with("missed"))
    );
}
