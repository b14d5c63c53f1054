//! The board: the number, the line, the moves, and whatever else can be done.

use std::convert::Infallible;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::Numbers;
use spoton::words::describe;
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::phrases;
use tokio_stream::Stream;

use super::also::Also;
use super::{Told, html};
use crate::classes;
use crate::ids::{Hash, Secret, SittingId};
use crate::limits::HEARTBEAT;
use crate::picture;
use crate::room::{Command, Offer, Room};
use crate::seats::Browser;
use crate::tables::Tables;
use crate::writer::Failed;

#[derive(Template)]
#[template(path = "board.html")]
struct Board {
    id: String,
    game: String,
    seq: u64,
    key: String,
    page_title: String,
    title: String,
    goal: String,
    number: Option<i64>,
    picture: String,
    players: Vec<Seated>,
    status: String,
    choices: Vec<Choice>,
    actions: Vec<(&'static str, &'static str)>,
    advice: Option<Vec<String>>,
    invitation: Option<String>,
    qr: String,
    rules: Vec<String>,
    /// The address of the rule book, if it is somebody's own.
    book: Option<String>,
    over: bool,
    also: Also,
}

struct Seated {
    number: u8,
    name: String,
    own_number: Option<i64>,
    on_turn: bool,
    you: bool,
}

struct Choice {
    written: String,
    label: String,
    leads_to: String,
    reason: Option<String>,
}

fn id(text: &str) -> Result<SittingId, Told> {
    text.parse().map_err(|_| Told::nothing_here())
}

async fn seats(tables: &Tables, id: SittingId, browser: Option<&Browser>) -> Result<Vec<Player>, Told> {
    match browser {
        Some(browser) => Ok(tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?),
        None => Ok(vec![]),
    }
}

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    headers: HeaderMap,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let id = id(&text)?;
    let room = tables.heads.room(id).await?;
    if let Some(elsewhere) = classes::instead_of_waiting(&tables, id, &room, browser.as_ref()).await? {
        return Ok(Redirect::to(&format!("/r/{elsewhere}")).into_response());
    }
    let seen = headers.get("x-seq").and_then(|seq| seq.to_str().ok()?.parse::<u64>().ok());
    if seen == Some(room.seq()) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let seats = seats(&tables, id, browser.as_ref()).await?;
    let also = Also::of(&tables, id, &room, &seats, browser.as_ref()).await?;
    Ok(html(&board(id, &room, &seats, browser.as_ref(), None, also)))
}

fn board(
    id: SittingId,
    room: &Room,
    seats: &[Player],
    browser: Option<&Browser>,
    advice: Option<Vec<String>>,
    also: Also,
) -> Board {
    let sitting = room.sitting();
    let (round, rulebook) = (sitting.round(), sitting.rulebook());
    let position = round.position();
    let turn = position.turn();
    let (over, shared) = (room.is_over(), rulebook.numbers() == Numbers::Shared);
    let waits = Player::BOTH.into_iter().any(|player| room.is_open(player));
    let may_move = !over && !waits && seats.contains(&turn);
    let player = |player: Player| Seated {
        number: player.number(),
        name: room.name(player),
        own_number: (!shared).then(|| i64::try_from(round.number_of(player)).unwrap_or(i64::MAX)),
        on_turn: !over && turn == player,
        you: seats.len() == 1 && seats.contains(&player),
    };
    let offers = rulebook.offers(position).filter(|_| may_move);
    let choices = offers.map(|offer| Choice {
        written: rulebook.write_offer(&offer),
        label: rulebook.label_of_offer(&offer),
        leads_to: offer.result.map(|number| number.to_string()).unwrap_or_default(),
        reason: offer.result.err().map(|why| phrases::refusal(rulebook, why)),
    });
    let status = match also.waits_in_class {
        true => "Waiting for the next to come.".to_owned(),
        false => status(room, seats, waits),
    };
    let mark = if may_move { "● " } else { "" };
    let invitation = browser
        .filter(|_| waits && !seats.is_empty() && !also.waits_in_class)
        .map(|browser| browser.here().url(&format!("/j/{id}#{}", browser.invitation(id).reveal())));
    let qr = invitation.as_deref().map(qr).unwrap_or_default();
    Board {
        id: id.to_string(),
        game: sitting.setup().game.id().to_owned(),
        seq: room.seq(),
        key: Secret::random().reveal().chars().take(20).collect(),
        page_title: format!("{mark}{} · Spot On", rulebook.title()),
        title: rulebook.title().to_owned(),
        goal: describe::goal(rulebook),
        number: shared.then(|| i64::try_from(round.number_of(turn)).unwrap_or(i64::MAX)),
        picture: picture::of_round(round),
        players: Player::BOTH.map(player).into(),
        status,
        choices: choices.collect(),
        actions: actions(room, seats, waits),
        advice,
        invitation,
        qr,
        rules: describe::rules(rulebook),
        book: room.book().map(str::to_owned),
        over,
        also,
    }
}

/// How things stand, in a sentence or two.
fn status(room: &Room, seats: &[Player], waits: bool) -> String {
    let round = room.sitting().round();
    let names = room.all_names();
    let computers = ByPlayer::from_fn(|player| room.is_computer(player));
    let voice = Voice { names: &names, computers, paint: &|_, text| text };
    let dialogue = Dialogue { round, voice: &voice };
    if let Some(ending) = dialogue.ending() {
        return ending.replace('\n', " ");
    }
    if waits {
        return match seats.is_empty() {
            true => "Were you invited? Open the link you were sent.".to_owned(),
            false => "Waiting for your friend to take the seat.".to_owned(),
        };
    }
    let turn = round.position().turn();
    let whose = match (seats.contains(&turn), seats.len()) {
        (true, 1) => "It is your turn.".to_owned(),
        _ => format!("It is {}'s turn.", names[turn]),
    };
    match room.offer() {
        Some((player, offer)) => {
            let what = match offer {
                Offer::TakeBack => "to take the last move back",
                Offer::Rematch => "a rematch",
                Offer::AnotherTarget => "a rematch with another target",
            };
            format!("{whose} {} offers {what}.", names[player])
        }
        None => whose,
    }
}

/// What can be done beside a move.
fn actions(room: &Room, seats: &[Player], waits: bool) -> Vec<(&'static str, &'static str)> {
    let Some(own) = seats.first() else { return vec![] };
    let mut actions = Vec::new();
    let theirs = room.offer().filter(|(player, _)| !seats.contains(player)).map(|(_, offer)| offer);
    let turn = room.sitting().round().position().turn();
    let alone = seats.len() == 2 || room.is_computer(!*own);
    match theirs {
        Some(Offer::TakeBack) => actions.push(("take-back", "Agree to take it back")),
        Some(Offer::Rematch) => actions.push(("rematch", "Agree to a rematch")),
        Some(Offer::AnotherTarget) => actions.push(("another-target", "Agree to another target")),
        None => {}
    }
    if theirs.is_some() {
        actions.push(("decline", "Decline"));
    }
    if room.is_over() {
        if theirs.is_none() {
            // The duel of a day is the same every time, and with another target it would be another game.
            let is_duel = room.sitting().setup().today.is_some();
            actions.push(("rematch", if is_duel { "Practise" } else { "Rematch" }));
            if room.sitting().rulebook().target().is_some() && !is_duel {
                actions.push(("another-target", "Another target"));
            }
        }
    } else if !waits {
        if room.hints() && seats.contains(&turn) {
            actions.extend([("hint", "Hint"), ("why", "Why?")]);
        }
        let has_moved = !room.sitting().round().history().is_empty();
        if room.sitting().setup().undo && has_moved && theirs.is_none() {
            actions.push(("take-back", if alone { "Take back" } else { "Offer to take back" }));
        }
        actions.push(("resign", "Give up"));
    }
    actions
}

/// A link as a picture that phones can read.
pub(super) fn qr(link: &str) -> String {
    use fast_qr::convert::svg::SvgBuilder;
    let Ok(code) = fast_qr::QRBuilder::new(link).build() else { return String::new() };
    SvgBuilder::default().to_str(&code)
}

#[derive(Debug, Deserialize)]
pub struct Asked {
    seq: Option<u64>,
    key: Option<String>,
    #[serde(rename = "move")]
    written: Option<String>,
}

pub async fn make_move(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(asked): Form<Asked>,
) -> Result<Response, Told> {
    let written = asked.written.clone().unwrap_or_default();
    done(&tables, id(&text)?, &browser, &asked, Command::Move(written)).await
}

/// Everything else that a button does.
pub async fn act(
    State(tables): State<Tables>,
    Path((text, what)): Path<(String, String)>,
    browser: Browser,
    Form(asked): Form<Asked>,
) -> Result<Response, Told> {
    let id = id(&text)?;
    let command = match what.as_str() {
        "take-back" => Command::Offer(Offer::TakeBack),
        "rematch" => Command::Offer(Offer::Rematch),
        "another-target" => Command::Offer(Offer::AnotherTarget),
        "decline" => Command::Decline,
        "resign" => Command::Resign,
        "abandon" => Command::Abandon,
        "hint" | "why" => {
            let (said, room) = tables.advise(id, browser.holder(), what == "why", None).await?;
            let seats = seats(&tables, id, Some(&browser)).await?;
            let advice = said.lines().map(str::to_owned).collect();
            let also = Also::of(&tables, id, &room, &seats, Some(&browser)).await?;
            return Ok(html(&board(id, &room, &seats, Some(&browser), Some(advice), also)));
        }
        _ => return Err(Told::nothing_here()),
    };
    done(&tables, id, &browser, &asked, command).await
}

async fn done(
    tables: &Tables,
    id: SittingId,
    browser: &Browser,
    asked: &Asked,
    command: Command,
) -> Result<Response, Told> {
    let key = asked.key.as_ref().map(|key| {
        let bound = [key.as_bytes(), &id.0, &browser.holder().0].map(Hash::of).map(|hash| hash.0).concat();
        (Hash::of(bound), Hash::of(format!("{command:?}")))
    });
    match tables.act(id, browser.holder(), command, asked.seq, key).await {
        // Whoever comes too late sees the board as it is now.
        Ok(_) | Err(Failed::Outdated(_)) => {
            Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response())
        }
        Err(failed) => Err(failed.into()),
    }
}

/// The host plays both seats.
pub async fn both(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
) -> Result<Response, Told> {
    let id = id(&text)?;
    tables.take_seat(id, &browser.invitation(id), None, browser.holder()).await?;
    Ok(Redirect::to(&format!("/r/{id}")).into_response())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct News {
    after: Option<u64>,
}

/// Says when something has changed; what, the page asks by itself.
pub async fn stream(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(news): Query<News>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, Told> {
    let id = id(&text)?;
    let last_seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let mut after: u64 = last_seen.or(news.after).unwrap_or(0);
    tables.heads.room(id).await?;
    let (tell, told) = tokio::sync::mpsc::channel(4);
    tokio::spawn(async move {
        let mut news = tables.live.watch(id);
        loop {
            let Ok(room) = tables.heads.room(id).await else { return };
            if room.seq() > after {
                after = room.seq();
                let changed =
                    sse::Event::default().id(after.to_string()).event("changed").data(after.to_string());
                if tell.send(Ok(changed)).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                changed = news.changed() => if changed.is_err() { return },
                () = tell.closed() => return,
            }
        }
    });
    let stream = tokio_stream::wrappers::ReceiverStream::new(told);
    Ok(Sse::new(stream).keep_alive(sse::KeepAlive::new().interval(HEARTBEAT)))
}
