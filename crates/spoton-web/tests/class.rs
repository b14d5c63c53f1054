//! A class: one code, and everyone gets a partner.

use crate::plain_browser;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::BodyDataStream;
use axum::http::StatusCode;
use plain_browser::{Browser, Page, Server, server, server_with, unescaped};
use spoton_web::store::sqlite::SqliteStore;
use tokio_stream::StreamExt;

/// Opens a class. Returns its page and the code as the teacher sees it.
async fn class(teacher: &mut Browser) -> (Page, String) {
    let page = teacher.post("/class", &[("game", "number-maze"), ("target", "34")]).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let code = page.between("<p class=\"code\">", "<").unwrap();
    (page, code)
}

/// Whether the teacher's page counts this many pupils.
fn joined(page: &Page, pupils: usize) -> bool {
    page.text.contains(&format!("id=\"here\">{pupils} pupil"))
}

async fn comes(server: &Server, code: &str, name: &str) -> (Browser, Page) {
    let mut pupil = server.browser();
    let page = pupil.post("/join", &[("code", code), ("name", name)]).await;
    (pupil, page)
}

#[tokio::test]
async fn pupils_are_paired_in_turn_and_the_teacher_watches() {
    let server = server();
    let mut teacher = server.browser();
    let form = teacher.get("/class").await;
    form.is_safe();
    assert!(form.text.contains("Number Maze") && !form.text.contains("Your classes"));
    let (page, code) = class(&mut teacher).await;
    page.is_safe();
    assert!(joined(&page, 0) && page.text.contains("<svg"), "{}", page.text);

    let (mut ann, anns) = comes(&server, &code, "Ann").await;
    assert!(anns.text.contains("Waiting for a partner…") && anns.moves().is_empty(), "{}", anns.text);
    assert!(!anns.text.contains("Send this link"), "pupils get no invitation link");
    // Case, spaces and dashes don't matter.
    let (mut ben, bens) = comes(&server, &format!(" {} ", code.to_lowercase()), "Ben").await;
    assert_eq!(bens.path, anns.path);
    let (_, cleos) = comes(&server, &code.replace(' ', "-"), "<b>Cleo</b>").await;
    assert_ne!(cleos.path, anns.path);

    let anns = ann.get(&anns.path).await;
    assert!(anns.text.contains("exactly on 34") && anns.text.contains("Ben"), "{}", anns.text);
    let bens = match anns.moves().is_empty() {
        true => ben.first_move(&bens).await,
        false => ann.first_move(&anns).await,
    };
    assert_eq!(bens.status, StatusCode::OK);

    let seen = teacher.get(&page.path).await;
    seen.is_safe();
    assert!(joined(&seen, 3) && seen.text.contains("&#60;b&#62;Cleo"), "{}", seen.text);
    assert!(seen.text.contains("Waiting for a partner") && seen.text.contains("&#39;s turn"));
    let watched = teacher.get(&anns.path).await;
    assert!(watched.moves().is_empty() && watched.text.contains("Ann"), "the teacher only watches");
    assert!(teacher.get("/class").await.text.contains(&page.path), "the way back");
    // The page is the teacher's alone.
    assert_eq!(ann.get(&page.path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ann.post(&format!("{}/close", page.path), &[]).await.status, StatusCode::NOT_FOUND);
    assert!(teacher.get(&page.path).await.text.contains("id=\"close\""));

    // Returning pupils get their round, including by QR code.
    for name in ["Ann", "ann", ""] {
        assert_eq!(ann.post("/join", &[("code", &code), ("name", name)]).await.path, anns.path, "{name}");
    }
    let address = format!("/join?code={}", code.replace(' ', ""));
    assert_eq!(ann.get(&address).await.path, anns.path);
    assert_eq!(server.browser().get(&address).await.path, "/join");
}

/// The rows under a heading.
fn rows(page: &Page, heading: &str) -> Vec<String> {
    let Some(table) = page.between(&format!("<h2>{heading}</h2>"), "</table>") else { return vec![] };
    table.split("<tr>").skip(2).map(str::to_owned).collect()
}

#[tokio::test]
async fn finished_rounds_are_separate_and_two_mias_differ() {
    let server = server();
    let mut teacher = server.browser();
    let (page, code) = class(&mut teacher).await;
    let (mut mia, first) = comes(&server, &code, "Mia").await;
    comes(&server, &code, "Ben").await;
    let (_, second) = comes(&server, &code, "Mia").await;
    assert!(second.text.contains("<bdi>Mia 2</bdi>"), "{}", second.text);
    let seen = teacher.get(&page.path).await;
    assert_eq!((rows(&seen, "Rounds").len(), rows(&seen, "Finished").len()), (2, 0), "{}", seen.text);
    assert!(rows(&seen, "Rounds")[0].contains(&format!("<a href=\"{}\">Watch</a>", first.path)));
    assert!(!rows(&seen, "Rounds")[1].contains("<a "), "no round to watch yet");
    mia.act(&first, "resign").await;
    let seen = teacher.get(&page.path).await;
    seen.is_safe();
    let (playing, finished) = (rows(&seen, "Rounds"), rows(&seen, "Finished"));
    assert!(playing.len() == 1 && playing[0].contains("<bdi>Mia 2</bdi>"), "{playing:?}");
    let ended = format!("<td>Ben won.</td><td><a href=\"{}/look-back\">Review</a></td></tr>", first.path);
    assert!(finished.len() == 1 && finished[0].contains(&ended), "{finished:?}");
}

/// On a shared tablet, the page asks who is playing before it uses another pupil's seat.
#[tokio::test]
async fn a_shared_tablet_asks_for_the_name() {
    let server = server();
    let mut teacher = server.browser();
    let (class, code) = class(&mut teacher).await;
    let (mut tablet, mias) = comes(&server, &code, "Mia").await;
    comes(&server, &code, "Ben").await;

    let asked = tablet.post("/join", &[("code", &code), ("name", "Nina <3")]).await;
    asked.is_safe();
    assert_eq!((asked.status, asked.path.as_str()), (StatusCode::OK, "/join"), "{}", asked.text);
    assert!(asked.read().contains("Playing on this device: <bdi>Mia</bdi>."), "{}", asked.text);
    assert!(asked.read().contains("Play as <bdi>Nina <3</bdi>"), "{}", asked.text);
    assert!(joined(&teacher.get(&class.path).await, 2), "asking takes no seat");
    let goes_on = [("code", code.as_str()), ("name", "Mia")];
    assert_eq!(tablet.post("/join", &goes_on).await.path, mias.path);

    // The new pupil gets her own seat; a second press returns to it.
    let is_new = [("code", code.as_str()), ("name", "Nina <3"), ("new", "yes")];
    let ninas = tablet.post("/join", &is_new).await;
    assert!(ninas.path != mias.path && ninas.text.contains("Waiting for a partner…"), "{}", ninas.text);
    assert_eq!(tablet.post("/join", &is_new).await.path, ninas.path);
    assert!(joined(&teacher.get(&class.path).await, 3));
    // Each finds her seat by name. Without a name, the page lists both.
    assert_eq!(tablet.post("/join", &goes_on).await.path, mias.path);
    assert_eq!(tablet.post("/join", &[("code", &code), ("name", "Nina <3")]).await.path, ninas.path);
    let both = "Playing on this device: <bdi>Mia and Nina <3</bdi>.";
    let nameless = tablet.post("/join", &[("code", &code), ("name", " ")]).await;
    assert!(nameless.read().contains(both), "{}", nameless.text);
    let by_picture = tablet.get(&format!("/join?code={}", code.replace(' ', ""))).await;
    assert!(by_picture.read().contains(both) && by_picture.text.contains("name=\"name\" required"));
    // The board also has a link to switch players.
    assert!(ninas.text.contains("id=\"hand-over\""), "{}", ninas.text);
    let form = tablet.get(&format!("/join?code={}&new=yes", code.replace(' ', ""))).await;
    assert!(form.text.contains(&code) && form.text.contains("name=\"new\" value=\"yes\""), "{}", form.text);
    assert!(form.text.contains("name=\"name\" value=\"\""), "the name is empty");
    // The next pupil plays Nina, and the round against the computer is hers, not Mia's.
    let meanwhile = tablet.act(&ninas, "computer").await;
    assert!(meanwhile.read().contains("<bdi>You</bdi>"), "{}", meanwhile.text);
    let (_, cleos) = comes(&server, &code, "Cleo").await;
    assert_eq!(cleos.path, ninas.path);
    assert!(tablet.get(&meanwhile.path).await.text.contains("id=\"partner\"><bdi>Cleo</bdi>"));
}

/// Mia 2 can still enter "Mia".
#[tokio::test]
async fn nobody_is_asked_for_the_number_behind_their_name() {
    let server = server();
    let (_, code) = class(&mut server.browser()).await;
    comes(&server, &code, "Mia").await;
    let (mut second, place) = comes(&server, &code, "Mia").await;
    assert!(place.text.contains("<bdi>Mia 2</bdi>"), "{}", place.text);
    for name in ["Mia", "mia 2"] {
        assert_eq!(second.post("/join", &[("code", &code), ("name", name)]).await.path, place.path);
    }
    let asked = second.post("/join", &[("code", &code), ("name", "Mi")]).await;
    assert!(asked.text.contains("Playing on this device: <bdi>Mia 2</bdi>."), "{}", asked.text);
}

/// Whether a board offers the next partner.
fn may_go_on(page: &Page) -> bool {
    page.text.contains("id=\"do-next\"")
        && !page.text.contains("data-when-away=\"1\" hidden")
        && !page.text.contains("data-when-away=\"2\" hidden")
}

/// After a round, pupils get the next waiting partner, but not the same one again immediately.
#[tokio::test]
async fn a_pupil_who_is_done_gets_the_next_partner() {
    let server = server();
    let mut teacher = server.browser();
    let (class, code) = class(&mut teacher).await;
    let (mut ann, first) = comes(&server, &code, "Ann").await;
    let (mut ben, _) = comes(&server, &code, "Ben").await;
    let (mut cleo, second) = comes(&server, &code, "Cleo").await;
    let (mut dora, _) = comes(&server, &code, "Dora").await;
    let over = ann.act(&first, "resign").await;
    assert!(may_go_on(&over) && over.text.contains("id=\"do-rematch\""), "{}", over.text);
    let anns = ann.act(&first, "next").await;
    assert!(anns.path != first.path && anns.text.contains("Waiting for a partner…"), "{}", anns.text);
    assert!(!may_go_on(&anns), "she is already waiting");
    // A second press, or the code again, leads to the same seat.
    assert_eq!(ann.act(&first, "next").await.path, anns.path);
    assert_eq!(ann.act(&anns, "next").await.path, anns.path);
    assert_eq!(ann.post("/join", &[("code", &code), ("name", "Ann")]).await.path, anns.path);

    let left = ben.get(&first.path).await;
    left.is_safe();
    assert!(left.text.contains("Ann moved on to the next partner."), "{}", left.text);
    assert!(may_go_on(&left) && !left.text.contains("id=\"do-rematch\""), "nobody is left to accept");
    assert_eq!(ben.act(&first, "rematch").await.status, StatusCode::CONFLICT);
    let bens = ben.act(&first, "next").await;
    assert_ne!(bens.path, anns.path, "not the same partner again");
    cleo.act(&second, "resign").await;
    assert_eq!(cleo.act(&second, "next").await.path, anns.path);
    assert_eq!(dora.act(&second, "next").await.path, bens.path);

    // The logs hold all of it.
    server.tables.rooms.forget_all();
    assert!(ann.get(&anns.path).await.text.contains("<bdi>Cleo</bdi>"));
    assert_eq!(ann.post("/join", &[("code", &code), ("name", "")]).await.path, anns.path);
    let seen = teacher.get(&class.path).await;
    assert!(joined(&seen, 4), "{}", seen.text);
    let (playing, finished) = (rows(&seen, "Rounds"), rows(&seen, "Finished"));
    assert_eq!((playing.len(), finished.len()), (2, 2), "{}", seen.text);
    assert!(playing[0].contains("Ann") && playing[0].contains("Cleo"), "{playing:?}");
    assert!(playing[1].contains("Ben") && playing[1].contains("Dora"), "{playing:?}");
    // Repeated presses create no extra rounds.
    let sittings = server.tables.store.class_sittings(code.replace(' ', "")).await.unwrap();
    assert_eq!(sittings.len(), 4);
    // Strangers can't move a pupil on.
    assert_eq!(
        server.browser().post(&format!("{}/next", anns.path), &[]).await.status,
        StatusCode::FORBIDDEN
    );
}

/// If no other pupil is waiting, two who just played may play again.
#[tokio::test]
async fn two_who_both_wait_may_play_again() {
    let server = server();
    let (_, code) = class(&mut server.browser()).await;
    let (mut ann, first) = comes(&server, &code, "Ann").await;
    let (mut ben, _) = comes(&server, &code, "Ben").await;
    ben.act(&first, "resign").await;
    let anns = ann.act(&first, "next").await;
    let mut stream = ann.listen(&anns.path).await;
    hears(&mut stream, "event: changed").await;
    let bens = ben.act(&first, "next").await;
    hears(&mut stream, "event: again\ndata: look\n").await;
    let told = ann.get(&anns.path).await;
    assert!(told.text.contains("Play with <bdi>Ben</bdi>"), "{}", told.text);
    let again = ann.act(&anns, "next").await;
    assert_eq!(again.path, bens.path);
    assert!(again.text.contains("<bdi>Ann</bdi>") && again.text.contains("<bdi>Ben</bdi>"), "{}", again.text);
    assert_eq!(ann.get(&anns.path).await.path, bens.path, "the waiting room redirects to her round");
}

/// Pupils can leave an absent partner, but not a present one.
#[tokio::test]
async fn a_round_can_be_left_while_the_partner_is_away() {
    let server = server();
    let mut teacher = server.browser();
    let (class, code) = class(&mut teacher).await;
    let (mut ann, first) = comes(&server, &code, "Ann").await;
    let (ben, _) = comes(&server, &code, "Ben").await;
    let mut stream = ben.listen(&first.path).await;
    hears(&mut stream, "event: changed").await;
    let here = ann.get(&first.path).await;
    assert!(here.text.contains("is here") && !may_go_on(&here), "{}", here.text);
    let refused = ann.act(&first, "next").await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    let row = rows(&teacher.get(&class.path).await, "Rounds").swap_remove(0);
    assert!(
        row.contains("<bdi>Ann</bdi> <span class=\"quiet\">(away)</span> – <bdi>Ben</bdi></td>"),
        "{row}"
    );

    let (mut mia, second) = comes(&server, &code, "Mia").await;
    let (mut zoe, zoes) = comes(&server, &code, "Zoe").await;
    assert!(may_go_on(&zoes) && zoes.text.contains("id=\"do-next\""), "{}", zoes.text);
    // Mia came back, so Zoe sees that first.
    let seq = zoes.between("name=\"seq\" value=\"", "\"").unwrap();
    let page = mia.get(&second.path).await;
    let mover = if page.moves().is_empty() { &mut zoe } else { &mut mia };
    let page = mover.get(&second.path).await;
    mover.first_move(&page).await;
    let next = format!("{}/next", second.path);
    assert_eq!(zoe.post(&next, &[("seq", &seq)]).await.path, second.path);
    let waits = zoe.act(&second, "next").await;
    assert!(waits.path != second.path && waits.text.contains("Waiting for a partner…"), "{}", waits.text);
    let seen = teacher.get(&class.path).await;
    let left = rows(&seen, "Finished");
    assert!(left.len() == 1 && left[0].contains("Zoe moved on to the next partner."), "{left:?}");
    assert!(!zoe.get("/").await.text.contains(&second.path), "it's no longer hers");
    // Mia comes back and can also move on.
    let back = mia.post("/join", &[("code", &code), ("name", "Mia")]).await;
    assert!(back.text.contains("Zoe moved on to the next partner.") && may_go_on(&back), "{}", back.text);
    let (_, noras) = comes(&server, &code, "Nora").await;
    assert_eq!(noras.path, waits.path);
    assert_ne!(mia.act(&second, "next").await.path, second.path);
    assert!(joined(&teacher.get(&class.path).await, 5));
}

/// A pupil whose tablet was handed over stops waiting.
#[tokio::test]
async fn the_next_pupil_at_a_tablet_replaces_the_waiting_one() {
    let server = server();
    let (_, code) = class(&mut server.browser()).await;
    let (mut tablet, mias) = comes(&server, &code, "Mia").await;
    let is_new = [("code", code.as_str()), ("name", "Nina"), ("new", "yes")];
    let ninas = tablet.post("/join", &is_new).await;
    assert_ne!(ninas.path, mias.path);
    assert_eq!(comes(&server, &code, "Cleo").await.1.path, ninas.path);
    // When Mia comes back she waits again.
    let again = tablet.post("/join", &[("code", &code), ("name", "Mia")]).await;
    assert!(again.text.contains("<bdi>Mia</bdi>") && again.text.contains("Waiting for a partner…"));
    assert_eq!(comes(&server, &code, "Dora").await.1.path, again.path);
}

/// In a closed class, pupils still get partners.
#[tokio::test]
async fn partners_change_in_a_class_that_is_closed() {
    let server = server();
    let mut teacher = server.browser();
    let (class, code) = class(&mut teacher).await;
    let (mut ann, first) = comes(&server, &code, "Ann").await;
    let (mut ben, _) = comes(&server, &code, "Ben").await;
    let (mut cleo, waits) = comes(&server, &code, "Cleo").await;
    teacher.post(&format!("{}/close", class.path), &[]).await;
    let alone = cleo.get(&waits.path).await;
    assert_ne!(alone.path, waits.path);
    ann.act(&first, "resign").await;
    assert_eq!(ann.act(&first, "next").await.path, waits.path);
    assert!(cleo.get(&alone.path).await.text.contains("id=\"partner\"><bdi>Ann</bdi>"));
    let bens = ben.act(&first, "next").await;
    assert!(bens.text.contains("Waiting for a partner…") && bens.text.contains("id=\"meanwhile\""));
    let seen = teacher.get(&class.path).await;
    let playing = rows(&seen, "Rounds");
    assert!(playing.iter().any(|row| row.contains("Ben") && row.contains("Waiting")), "{playing:?}");
}

/// Every pupil gets exactly one seat.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_one_pupils_make_fifteen_pairs() {
    let server = Arc::new(server());
    let (_, code) = class(&mut server.browser()).await;
    let start = Arc::new(tokio::sync::Barrier::new(31));
    let arrivals: Vec<_> = (0..31)
        .map(|number| {
            let (server, code, start) = (Arc::clone(&server), code.clone(), Arc::clone(&start));
            tokio::spawn(async move {
                start.wait().await;
                // The same name every time: the class numbers them.
                let (pupil, page) = comes(&server, &code, "Kim").await;
                assert_eq!(page.status, StatusCode::OK, "{number}: {}", page.text);
                (pupil, page)
            })
        })
        .collect();
    let mut places: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for arrival in arrivals {
        let (pupil, page) = arrival.await.unwrap();
        let seats = server.tables.store.seats(page.id(), pupil.holder()).await.unwrap();
        assert_eq!(seats.len(), 1, "one seat each");
        places.entry(page.path).or_default().push(seats[0].number());
    }
    let sizes: Vec<usize> = places.values().map(Vec::len).collect();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (16, 31), "{places:?}");
    for seats in places.values_mut() {
        seats.sort_unstable();
        assert!(matches!(seats[..], [1] | [1, 2]), "{seats:?}");
    }
}

#[tokio::test]
async fn an_odd_pupil_plays_the_computer_until_a_partner_joins() {
    let server = server();
    let mut teacher = server.browser();
    let (_, code) = class(&mut teacher).await;
    let (mut ann, waiting) = comes(&server, &code, "Ann").await;
    let meanwhile = ann.act(&waiting, "computer").await;
    assert_ne!(meanwhile.path, waiting.path);
    server.wait_for_people(&meanwhile).await;
    let alone = ann.get(&meanwhile.path).await;
    assert!(!alone.moves().is_empty() && !alone.text.contains("id=\"partner\""), "{}", alone.text);
    // A second press leads to the same round.
    assert_eq!(ann.act(&waiting, "computer").await.path, meanwhile.path);

    let (_, bens) = comes(&server, &code, "Ben").await;
    assert_eq!(bens.path, waiting.path, "Ann is still waiting there");
    let told = ann.get(&meanwhile.path).await;
    assert!(told.text.contains("id=\"partner\"><bdi>Ben</bdi>"), "{}", told.text);
    assert!(told.text.contains(&format!("href=\"{}\"", waiting.path)));
    assert_eq!(ann.post("/join", &[("code", &code), ("name", "Ann")]).await.path, waiting.path);
}

#[tokio::test]
async fn when_nobody_else_comes_the_one_left_over_gets_the_computer() {
    let server = server();
    let mut teacher = server.browser();
    let (class, code) = class(&mut teacher).await;
    let (mut ann, anns) = comes(&server, &code, "Ann").await;
    let (_, bens) = comes(&server, &code, "Ben").await;
    let (mut cleo, cleos) = comes(&server, &code, "Cleo").await;
    let closed = teacher.post(&format!("{}/close", class.path), &[]).await;
    assert!(closed.text.contains("Class closed.") && joined(&closed, 3), "{}", closed.text);
    let instead = cleo.get(&cleos.path).await;
    assert_ne!(instead.path, cleos.path);
    server.wait_for_people(&instead).await;
    assert!(!cleo.get(&instead.path).await.moves().is_empty(), "Cleo can play");
    // The others keep playing, and new pupils can't join.
    assert_eq!(ann.get(&bens.path).await.path, anns.path);
    assert_eq!(ann.post("/join", &[("code", &code), ("name", "Ann")]).await.path, anns.path);
    let (mut dora, late) = comes(&server, &code, "Dora").await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.text);
    assert!(late.text.contains("role=\"alert\""));
    // After reopening, Dora gets Cleo, who waited.
    teacher.post(&format!("{}/open", class.path), &[]).await;
    assert_eq!(dora.post("/join", &[("code", &code), ("name", "Dora")]).await.path, cleos.path);
    assert!(cleo.get(&instead.path).await.text.contains("id=\"partner\"><bdi>Dora</bdi>"));
}

#[tokio::test]
async fn a_class_outlasts_a_restart() {
    let folder = std::env::temp_dir().join(format!("spoton-class-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("class.db");
    let store = Arc::new(SqliteStore::open(&path).await.unwrap());
    let before = server_with(store.clone());
    let mut teacher = before.browser();
    let (page, code) = class(&mut teacher).await;
    let (mut ann, anns) = comes(&before, &code, "Ann").await;
    let (_, bens) = comes(&before, &code, "Ben").await;
    let (_, cleos) = comes(&before, &code, "Cleo").await;
    assert_eq!((bens.path == anns.path, cleos.path == anns.path), (true, false));
    drop(before);
    store.close().await;

    let after = server_with(Arc::new(SqliteStore::open(&path).await.unwrap()));
    (teacher.app, ann.app) = (after.app.clone(), after.app.clone());
    let seen = teacher.get(&page.path).await;
    assert!(joined(&seen, 3) && seen.text.contains(&code), "{}", seen.text);
    assert_eq!(ann.post("/join", &[("code", &code), ("name", "Ann")]).await.path, anns.path);
    let (_, doras) = comes(&after, &code, "Dora").await;
    assert_eq!(doras.path, cleos.path, "Cleo is still waiting");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn codes_cannot_be_guessed_for_long() {
    let server = server();
    let (_, code) = class(&mut server.browser()).await;
    let mut eve = server.browser();
    for typed in ["", "AEIOUY", "BCDFG", "12345678"] {
        let page = eve.post("/join", &[("code", typed), ("name", "Eve")]).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{typed} is no guess");
    }
    for number in 0..10 {
        let wrong = if number % 2 == 0 { "BBBBBB" } else { "BBBBBBBB" };
        let page = eve.post("/join", &[("code", wrong), ("name", "Eve")]).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{number}");
        page.is_safe();
    }
    // Now even the right code is refused.
    let page = eve.post("/join", &[("code", &code), ("name", "Eve")]).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS, "{}", page.text);
    // People and programs both see how long to wait.
    let seconds = page.headers["retry-after"].to_str().unwrap();
    assert!((1..=6).contains(&seconds.parse::<u32>().unwrap()), "{seconds}");
    let said = page.between("role=\"alert\">", "<").unwrap();
    assert!(said.contains(&format!(" {seconds} second")), "{said}");
    let (_, anns) = comes(&server, &code, "Ann").await;
    assert_eq!(anns.status, StatusCode::OK);
}

#[tokio::test]
async fn the_teacher_learns_that_a_game_is_unplayable() {
    let server = server();
    let mut teacher = server.browser();
    let bad = teacher.post("/class", &[("game", "number-maze"), ("target", "many")]).await;
    assert_eq!(bad.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", bad.text);
    let unknown = teacher.post("/class", &[("game", "no-such-game")]).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    // An invalid name is refused and takes no seat.
    let (page, code) = class(&mut teacher).await;
    assert_eq!(comes(&server, &code, " ").await.1.status, StatusCode::UNPROCESSABLE_ENTITY);
    let (mut ann, refused) = comes(&server, &code, "a\u{202e}b").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert!(joined(&teacher.get(&page.path).await, 0));
    let anns = ann.post("/join", &[("code", &code), ("name", "Ann")]).await;
    assert!(anns.text.contains("Waiting for a partner…"), "{}", anns.text);
}

/// The page shows the terms, and contradicting ones are refused.
#[tokio::test]
async fn a_class_page_shows_its_settings() {
    let server = server();
    let mut teacher = server.browser();
    let fields = |more: &[(&'static str, &'static str)]| [&[("game", "number-maze")], more].concat();
    for (ticked, said) in [
        (
            &[][..],
            "You can undo a move if you both agree. Hints are off. Hints are available against the computer.",
        ),
        (&[("hints", "on"), ("no_take_back", "on")], "There's no undo. Hints are on."),
        (
            &[("discover", "on")],
            "You can undo a move if you both agree. Discovery mode: no hints or answers, even after the game.",
        ),
    ] {
        let page = teacher.post("/class", &fields(ticked)).await;
        assert_eq!(
            page.between("id=\"terms\">", "<").map(|terms| unescaped(&terms)).as_deref(),
            Some(said),
            "{}",
            page.text
        );
    }
    let both = teacher.post("/class", &fields(&[("hints", "on"), ("discover", "on")])).await;
    both.is_safe();
    assert_eq!(both.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", both.text);
    assert!(both.text.contains("choose one of the two.") && both.text.contains("name=\"discover\" checked"));
}

/// A generous timeout.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for an event on a stream.
async fn hears(stream: &mut BodyDataStream, what: &str) {
    loop {
        let next = tokio::time::timeout(PATIENCE, stream.next()).await.expect("the event arrives in time");
        let told = next.expect("the stream is open").unwrap();
        if told.windows(what.len()).any(|part| part == what.as_bytes()) {
            return;
        }
    }
}

/// Streams report a new partner immediately, although nothing happened in the round on screen.
#[tokio::test]
async fn a_waiting_pupil_hears_immediately() {
    let server = server();
    let mut teacher = server.browser();
    let (page, code) = class(&mut teacher).await;
    let (mut ann, waits) = comes(&server, &code, "Ann").await;
    let meanwhile = ann.act(&waits, "computer").await;
    assert_ne!(meanwhile.path, waits.path);
    let mut stream = ann.listen(&meanwhile.path).await;
    hears(&mut stream, "event: changed").await;
    comes(&server, &code, "Ben").await;
    hears(&mut stream, "event: again\ndata: look\n").await;
    assert!(ann.get(&meanwhile.path).await.text.contains("id=\"partner\""));

    let (mut cleo, waits) = comes(&server, &code, "Cleo").await;
    let mut stream = cleo.listen(&waits.path).await;
    hears(&mut stream, "event: changed").await;
    teacher.post(&format!("{}/close", page.path), &[]).await;
    hears(&mut stream, "event: again\ndata: look\n").await;
    assert_ne!(
        cleo.get(&waits.path).await.path,
        waits.path,
        "the page redirects to the round against the computer"
    );
}

/// A class can play a shared rule book, with another target and against the computer.
#[tokio::test]
async fn a_class_plays_a_shared_book() {
    let server = server();
    let mut teacher = server.browser();
    let book = "title = \"Hops & steps\"\nstart = 0\ntarget = 12\nmoves = [\"+1\", \"+3\"]\n";
    let shared = teacher.post("/workshop/share", &[("rulebook", book)]).await;
    let short = shared.path.strip_prefix("/b/").unwrap_or_else(|| panic!("{}", shared.text)).to_owned();
    assert!(shared.text.contains("For a class") && !shared.text.contains("/puzzles/"), "{}", shared.text);
    // From the class form, or directly from the book's page.
    let form = teacher.get(&format!("/class?book={short}")).await;
    form.is_safe();
    assert!(form.text.contains(&format!("name=\"book\" value=\"{short}\"")), "{}", form.text);
    assert!(
        form.text.contains("Hops &#38; steps") && !form.text.contains("<select name=\"game\""),
        "{}",
        form.text
    );
    let page = teacher.post("/class", &[("book", &short), ("target", "15"), ("mode", "")]).await;
    page.is_safe();
    assert!(page.text.contains("Hops &#38; steps"), "{}", page.text);
    let code = page.between("<p class=\"code\">", "<").unwrap();
    let (_, anns) = comes(&server, &code, "Ann").await;
    let (_, bens) = comes(&server, &code, "Ben").await;
    assert!(anns.path == bens.path && bens.text.contains("exactly on 15"), "{}", bens.text);
    let (mut cleo, waits) = comes(&server, &code, "Cleo").await;
    let alone = cleo.act(&waits, "computer").await;
    assert!(alone.status == StatusCode::OK && alone.text.contains("Hops &#38; steps"), "{}", alone.text);
    assert!(teacher.get("/class").await.text.contains("Hops &#38; steps"));
    for nothing in ["x", "00000000000000000000000000"] {
        assert_eq!(teacher.get(&format!("/class?book={nothing}")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(teacher.post("/class", &[("book", nothing)]).await.status, StatusCode::NOT_FOUND);
    }
}
