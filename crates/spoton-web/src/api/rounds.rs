//! Rounds in the JSON API: create, join, play, watch, export.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json as Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use spoton::discovery::Spoiler;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::json::{self, PlayerNumber};
use spoton::records::Record;
use tokio_stream::Stream;

use super::Problem;
use super::description::{Id, Name, Token};
use super::event::Event;
use super::state::TableState;
use super::truth::{AskedGame, body, too_large};
use crate::address::Address;
use crate::ids::{Hash, Secret, SittingId};
use crate::limits::{LONGEST_WAIT, MOST_EVENTS_AT_ONCE, SECRET_KEY, TIME_TO_THINK};
use crate::live::{Listener, last_seen};
use crate::room::{Command, Offer, Room};
use crate::seats::{Browser, bearer};
use crate::tables::discovery;
use crate::tables::listening::listens;
use crate::tables::writer::Failed;
use crate::tables::{NewSeat, NewTable, NextRound, NoTable, Tables, Terms, game};

/// Returns the hash of the request's bearer token.
pub(super) fn holder(headers: &HeaderMap) -> Option<Hash> {
    bearer(headers).map(|token| token.hash())
}

/// Returns the bearer token's hash, or 401: commands need a seat.
fn must_hold(headers: &HeaderMap) -> Result<Hash, Problem> {
    holder(headers).ok_or_else(|| {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "no token; send your seat's token as Authorization: Bearer TOKEN",
        )
    })
}

/// Returns the seats that the token's holder has.
async fn seats(tables: &Tables, id: SittingId, headers: &HeaderMap) -> Result<Vec<Player>, Problem> {
    match holder(headers) {
        Some(holder) => Ok(tables.store.seats(id, holder).await.map_err(Failed::from)?),
        None => Ok(vec![]),
    }
}

fn id(text: &str) -> Result<SittingId, Problem> {
    text.parse().map_err(|_| Problem::not_found())
}

/// Binds an idempotency key to its sender, sitting and request.
fn key(headers: &HeaderMap, id: SittingId, holder: Hash, asks: &str) -> Option<(Hash, Hash)> {
    let key = headers.get("idempotency-key")?.as_bytes();
    let bound = [key, &id.0[..], &holder.0[..]].map(Hash::digest).map(|hash| hash.0).concat();
    Some((Hash::digest(bound), Hash::digest(asks)))
}

/// A round to create.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AskedTable {
    #[serde(flatten)]
    game: AskedGame,
    /// The players: "me", "friend" or a computer such as "pip". Default: ["me", "friend"].
    seats: Option<[String; 2]>,
    #[schemars(extend("enum" = serde_json::json!([1, 2, null])))]
    first: Option<u8>,
    #[schemars(with = "Option<Name>")]
    name: Option<String>,
    #[serde(default)]
    terms: AskedTerms,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
struct AskedTerms {
    hints: bool,
    take_back: Option<bool>,
    discover: bool,
}

/// An idempotency key. Secrets are derived from it, so a retry gets the same ones and none are stored. It must be
/// hard to guess.
struct MadeFrom<'a>(&'a [u8]);

impl MadeFrom<'_> {
    fn hash(&self, what: &str) -> Hash {
        Hash::digest([what.as_bytes(), b" by the key ", self.0].concat())
    }

    fn id(&self) -> SittingId {
        let mut id = [0; 16];
        id.copy_from_slice(&self.hash("id").0[..16]);
        SittingId(id)
    }

    fn secret(&self, what: &str) -> Secret {
        Secret::from_hash(&self.hash(what))
    }
}

/// Returns the idempotency key of a request that creates a round or joins one.
fn secret_key(headers: &HeaderMap) -> Result<Option<MadeFrom<'_>>, Problem> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    match SECRET_KEY.contains(&key.len()) {
        true => Ok(Some(MadeFrom(key.as_bytes()))),
        false => Err(Problem::bad_request(format!(
            "an Idempotency-Key needs {} to {} characters that are hard to guess, such as a UUID",
            SECRET_KEY.start(),
            SECRET_KEY.end()
        ))),
    }
}

/// Checks whether an earlier request with this key created its round. If so, this one only repeats the answer and
/// stores nothing.
pub async fn is_set_up(tables: &Tables, headers: &HeaderMap) -> bool {
    let Ok(Some(key)) = secret_key(headers) else { return false };
    tables.store.asked(key.hash("key")).await.is_ok_and(|asked| asked.is_some())
}

/// Creates a round.
pub async fn create(
    State(tables): State<Tables>,
    browser: Option<Browser>,
    headers: HeaderMap,
    asked: Result<Body<AskedTable>, JsonRejection>,
) -> Result<Response, Problem> {
    let asked = body(asked)?;
    let key = secret_key(&headers)?;
    let asks = Hash::digest(format!("{asked:?}"));
    let played = asked.game.find_with(&tables).await?;
    let seats = asked.seats.unwrap_or_else(|| ["me".to_owned(), "friend".to_owned()]);
    let seat = |who: &String| match who.as_str() {
        "me" => Ok(NewSeat::Me { name: asked.name.clone() }),
        "friend" => Ok(NewSeat::Friend),
        name => match Opponent::parse(name) {
            Ok(opponent) => Ok(NewSeat::Computer(opponent)),
            Err(unknown) => Err(Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                format!("{unknown}; you can also use \"me\" or \"friend\""),
            )),
        },
    };
    let first = match asked.first {
        None => Player::One,
        Some(number) => {
            Player::from_number(number).ok_or_else(|| Problem::bad_request("\"first\" must be 1 or 2"))?
        }
    };
    let AskedTerms { hints, take_back, discover } = asked.terms;
    let terms = Terms { hints, take_back: take_back.unwrap_or(true), discover };
    let terms = match holder(&headers).or(browser.map(|browser| browser.holder())) {
        Some(holder) => discovery::terms(&tables, holder, terms).await?,
        None => terms,
    };
    let table = NewTable {
        game: played,
        book: asked.game.rulebook.clone(),
        seats: ByPlayer([seat(&seats[0])?, seat(&seats[1])?]),
        first,
        terms,
    };
    let (id, token, secret, key) = match key {
        Some(key) => (key.id(), key.secret("token"), key.secret("invitation"), Some((key.hash("key"), asks))),
        None => (SittingId::random(), Secret::random(), Secret::random(), None),
    };
    let mine: Vec<Player> =
        Player::BOTH.into_iter().filter(|player| seats[*player as usize] == "me").collect();
    let room = tables.set_once(id, table, token.hash(), &secret, key).await?;
    let token_of = |player| mine.contains(&player).then(|| token.reveal().to_owned());
    let is_open = Player::BOTH.into_iter().any(|player| room.is_open(player));
    let invitation =
        || Invitation { url: format!("/j/{id}#{}", secret.reveal()), secret: secret.reveal().to_owned() };
    let answer = NewRound {
        id: id.to_string(),
        seq: room.seq(),
        tokens: Tokens { one: token_of(Player::One), two: token_of(Player::Two) },
        state: TableState::current(&tables, id, room),
        invitation: is_open.then(invitation),
    };
    Ok((StatusCode::CREATED, Body(answer)).into_response())
}

/// A new round.
#[derive(Serialize, JsonSchema)]
pub struct NewRound {
    #[schemars(with = "Id")]
    id: String,
    seq: u64,
    /// Your seats' tokens.
    tokens: Tokens,
    state: TableState,
    /// For your friend: the link and its secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<Invitation>,
}

/// The tokens of the seats that are yours, by player.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Tokens {
    #[serde(rename = "1", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Token>")]
    one: Option<String>,
    #[serde(rename = "2", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Token>")]
    two: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Invitation {
    url: String,
    secret: String,
}

pub async fn look(
    State(tables): State<Tables>,
    Path(text): Path<String>,
) -> Result<Body<TableState>, Problem> {
    let id = id(&text)?;
    let room = tables.rooms.room(id).await?;
    Ok(Body(TableState::current(&tables, id, room)))
}

/// A seat to take.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AskedSeat {
    secret: String,
    #[schemars(with = "Option<Name>")]
    name: Option<String>,
}

/// Joins a round by invitation.
pub async fn take_seat(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    headers: HeaderMap,
    asked: Result<Body<AskedSeat>, JsonRejection>,
) -> Result<Body<Seat>, Problem> {
    let (id, asked) = (id(&text)?, body(asked)?);
    let secret = Secret::sent(&asked.secret);
    // A retry after a lost answer sends the key that the token was derived from.
    let token = secret_key(&headers)?.map(|key| key.secret(&format!("seat {id} {}", secret.reveal())));
    let is_retry = token.is_some();
    let token = token.unwrap_or_else(Secret::random);
    let held = async || match is_retry {
        true => Ok(tables.store.seats(id, token.hash()).await.map_err(Failed::from)?.first().copied()),
        false => Ok::<_, Failed>(None),
    };
    let (player, room) = match held().await? {
        Some(player) => (player, tables.rooms.room(id).await?),
        None => match tables.take_seat(id, &secret, asked.name, token.hash()).await {
            Ok(taken) => taken,
            // The first request may have been saved meanwhile.
            Err(failed) => match held().await {
                Ok(Some(player)) => (player, tables.rooms.room(id).await?),
                _ => return Err(failed.into()),
            },
        },
    };
    Ok(Body(Seat {
        seat: player.into(),
        token: token.reveal().to_owned(),
        seq: room.seq(),
        state: TableState::current(&tables, id, room),
    }))
}

/// A seat that you have taken.
#[derive(Serialize, JsonSchema)]
pub struct Seat {
    seat: PlayerNumber,
    #[schemars(with = "Token")]
    token: String,
    seq: u64,
    state: TableState,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CommandBody {
    #[serde(rename = "move")]
    written: Option<String>,
    expected_seq: Option<u64>,
    decline: bool,
    another_target: bool,
    swap_seats: bool,
    why: bool,
}

/// A command's result.
#[derive(Serialize, JsonSchema)]
pub struct Done {
    seq: u64,
    state: TableState,
}

impl Done {
    fn new(tables: &Tables, id: SittingId, room: Arc<Room>) -> Done {
        Done { seq: room.seq(), state: TableState::current(tables, id, room) }
    }
}

/// A hint or the reasons.
#[derive(Serialize, JsonSchema)]
pub struct Hint {
    said: String,
    #[serde(flatten)]
    done: Done,
}

/// Routes a command from a seat's holder; `command` reads it from the body.
pub fn takes(command: fn(&mut CommandBody) -> Result<Command, Problem>) -> MethodRouter<Tables> {
    post(
        move |State(tables): State<Tables>,
              Path(text): Path<String>,
              headers: HeaderMap,
              asked: Result<Body<CommandBody>, JsonRejection>| async move {
            let mut asked = body(asked)?;
            let command = command(&mut asked)?;
            let holder = must_hold(&headers)?;
            let id = id(&text)?;
            let key = key(&headers, id, holder, &format!("{command:?} {asked:?}"));
            match tables.act(id, holder, command, asked.expected_seq, key).await {
                Ok(room) => Ok(Body(Done::new(&tables, id, room))),
                Err(failed) => Err(told(&tables, id, failed)),
            }
        },
    )
}

pub fn a_move(asked: &mut CommandBody) -> Result<Command, Problem> {
    let written =
        asked.written.take().ok_or_else(|| Problem::bad_request("send \"move\", such as \"+1\""))?;
    match asked.expected_seq {
        Some(_) => Ok(Command::Move(written)),
        None => Err(Problem::bad_request("send \"expected_seq\": the seq of the last state you saw")),
    }
}

pub fn take_back(asked: &mut CommandBody) -> Result<Command, Problem> {
    Ok(if asked.decline { Command::Decline } else { Command::Offer(Offer::TakeBack) })
}

pub fn resign(_: &mut CommandBody) -> Result<Command, Problem> {
    Ok(Command::Resign)
}

pub fn abandon(_: &mut CommandBody) -> Result<Command, Problem> {
    Ok(Command::Abandon)
}

pub fn cancel(_: &mut CommandBody) -> Result<Command, Problem> {
    Ok(Command::Cancel)
}

/// Starts another round, or declines the opponent's offer.
pub async fn rematch(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    headers: HeaderMap,
    asked: Result<Body<CommandBody>, JsonRejection>,
) -> Result<Body<Done>, Problem> {
    let asked = body(asked)?;
    let (holder, id) = (must_hold(&headers)?, id(&text)?);
    let key = key(&headers, id, holder, &format!("rematch {asked:?}"));
    let next = NextRound { another_target: asked.another_target, swap_seats: asked.swap_seats };
    let done = match asked.decline {
        true => {
            tables.act(id, holder, Command::Decline, asked.expected_seq, key).await.map_err(NoTable::from)
        }
        false => tables.next_round(id, holder, next, asked.expected_seq, key).await,
    };
    match done {
        Ok(room) => Ok(Body(Done::new(&tables, id, room))),
        Err(NoTable::Failed(failed)) => Err(told(&tables, id, failed)),
        Err(no_table) => Err(no_table.into()),
    }
}

/// Adds the current state to a conflict.
fn told(tables: &Tables, id: SittingId, failed: Failed) -> Problem {
    let state = match &failed {
        Failed::Outdated(room) => Some(Box::new(TableState::current(tables, id, Arc::clone(room)))),
        _ => None,
    };
    Problem { state, ..failed.into() }
}

pub async fn hint(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    headers: HeaderMap,
    asked: Result<Body<CommandBody>, JsonRejection>,
) -> Result<Body<Hint>, Problem> {
    let asked = body(asked)?;
    let (holder, id) = (must_hold(&headers)?, id(&text)?);
    let (said, room) = tables.advise(id, holder, asked.why, asked.expected_seq).await?;
    Ok(Body(Hint { said, done: Done::new(&tables, id, room) }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct News {
    after: Option<u64>,
    wait: Option<u64>,
}

/// Returns the events since `after`: as a stream, or as a list if the request has `wait`.
pub async fn events(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(news): Query<News>,
    Address(address): Address,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = id(&text)?;
    // Fails if there's no such table.
    tables.rooms.room(id).await?;
    let after = last_seen(&headers, news.after);
    let mut told = tables.live.watch(id);
    let Some(wait) = news.wait else {
        let seats = seats(&tables, id, &headers).await?;
        let listener = Listener { id, seats, after, presence: false, slot: None };
        return Ok(stream(&tables, listener).into_response());
    };
    let wait = Duration::from_secs(wait).min(LONGEST_WAIT);
    let seats = seats(&tables, id, &headers).await?;
    let present = tables.live.arrive(id, seats);
    let mut found = events_after(&tables, id, after).await?;
    if found.is_empty() && !wait.is_zero() {
        // A long poll counts as a stream.
        let _counts = listens(&tables, address)?;
        // On timeout the list is empty.
        let _ = tokio::time::timeout(wait, told.wait_for(|news| news.seq > after)).await;
        found = events_after(&tables, id, after).await?;
    }
    // The player stays present, since the client will most likely ask again.
    present.leave();
    Ok(Body(Events { events: found }).into_response())
}

/// A list of events.
#[derive(Serialize, JsonSchema)]
pub struct Events {
    events: Vec<Event>,
}

/// Returns a table's events after a sequence number. Only committed events: a room is published after its commit.
async fn events_after(tables: &Tables, id: SittingId, after: u64) -> Result<Vec<Event>, Failed> {
    // The announced events are enough: the request has checked before.
    let room = tables.rooms.known(id).await?.room;
    match room.last() {
        _ if room.seq() <= after => Ok(vec![]),
        // Fast path: most listeners lack only the last event.
        Some(last) if room.seq() == after + 1 => Ok(vec![Event::new(room.seq(), room.at(), last)]),
        _ => {
            let found = tables.store.events(id, after, MOST_EVENTS_AT_ONCE).await?;
            found.iter().map(Event::stored).collect::<Option<_>>().ok_or(Failed::Damaged)
        }
    }
}

fn stream(
    tables: &Tables,
    listener: Listener,
) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>> + use<>> {
    let (tables, id) = (tables.clone(), listener.id);
    tables.live.clone().stream(listener, move |after| {
        let tables = tables.clone();
        async move {
            let found = events_after(&tables, id, after).await.ok()?.into_iter();
            let told = |event: Event| {
                let data = serde_json::to_string(&event).ok()?;
                Some((event.seq, sse::Event::default().event("event").data(data)))
            };
            found.map(told).collect()
        }
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AskedRound {
    round: Option<usize>,
}

/// Returns a round's record, finished or not.
fn recorded(room: &Room, asked: &AskedRound) -> Result<Record, Problem> {
    let number = asked.round.unwrap_or(room.round_number());
    if let Some(record) = number.checked_sub(1).and_then(|place| room.rounds().get(place)) {
        return Ok(record.clone());
    }
    match number == room.round_number() {
        true => Ok(room.record()),
        false => Err(Problem::new(StatusCode::NOT_FOUND, "no such round yet")),
    }
}

pub async fn record(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(asked): Query<AskedRound>,
) -> Result<Body<Json>, Problem> {
    let room = tables.rooms.room(id(&text)?).await?;
    Ok(Body(recorded(&room, &asked)?.to_json()))
}

pub async fn record_text(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(asked): Query<AskedRound>,
) -> Result<String, Problem> {
    let room = tables.rooms.room(id(&text)?).await?;
    Ok(recorded(&room, &asked)?.to_string())
}

/// Reviews a finished round.
pub async fn review(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(asked): Query<AskedRound>,
    browser: Option<Browser>,
    headers: HeaderMap,
) -> Result<Body<json::Review>, Problem> {
    let id = id(&text)?;
    let room: Arc<Room> = tables.rooms.room(id).await?;
    let holder = holder(&headers).or(browser.map(|browser| browser.holder()));
    if discovery::of_round(&tables, id, &room, holder).await?.hides(Spoiler::TurningPoint) {
        return Err(Problem::hidden());
    }
    let record = recorded(&room, &asked)?;
    let round = record.replay().map_err(|_| Failed::Damaged)?;
    if round.outcome().is_none() {
        return Err(Problem::new(StatusCode::CONFLICT, "the round isn't over yet"));
    }
    let looked_back = tables.thinking.question(game(&room), TIME_TO_THINK, move |ahead| {
        let review = ahead.ask(round.rulebook(), |game, budget| game.review(&round, budget))?;
        Ok(json::review(&record, &round, &review))
    });
    Ok(Body(too_large(looked_back.await?)?))
}
