//! The review: a finished round step by step, with the choices that mattered and the turning point.

use std::collections::HashSet;

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Extension, Form};
use serde::Deserialize;
use spoton::discovery::Spoiler;
use spoton::engine::play::Ending;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::Numbers;
use spoton::records::Record;
use spoton::sitting::only_person;
use spoton::solver::Unsolved;
use spoton::teach::review::{self, Review};
use spoton::words;
use spoton::words::phrases::YOU;
use spoton::words::review::Audience;

use super::also::{Also, Todays};
use super::named::named;
use super::preview::{self, Preview};
use super::{ErrorPage, html};
use crate::api::Problem;
use crate::ids::SittingId;
use crate::limits::TIME_TO_THINK;
use crate::picture::emblem::Emblem;
use crate::picture::{self, Step};
use crate::place::Here;
use crate::room::Room;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::discovery;
use crate::tables::writer::Failed;
use crate::tables::{Tables, Terms, game};
use spoton::words::ending::End;

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/r/{id}/look-back", page),
        Route::reads("/r/{id}/picture.png", picture),
        Route::takes("/r/{id}/play-on", Who::Anyone, Stores::Rounds, post(play_on)),
    ]
}

#[derive(Template)]
#[template(path = "look_back.html")]
struct LookBack {
    id: String,
    round: usize,
    /// The number of finished rounds in the sitting.
    rounds: usize,
    title: String,
    lines: Vec<(Option<String>, String)>,
    words: Vec<String>,
    /// Whether there is a turning point.
    turned: bool,
    said: Vec<String>,
    players: Vec<(u8, String)>,
    steps: Vec<Row>,
    step: usize,
    last: usize,
    /// The number of moves made up to the number shown.
    made: usize,
    plays_on: bool,
    /// Whether both players are people, so that the reader plays both seats.
    both_seats: bool,
    /// The result of today's duel.
    today: Option<Todays>,
    /// The link back to the class, if the round belongs to one.
    class: Option<String>,
    /// Whether the move shown can be chosen again.
    chooses_again: bool,
    /// The shared number before the move shown.
    number_before: Option<String>,
    /// Whether the move shown is the turning point.
    shows_turn: bool,
    record: String,
    file: String,
    link: String,
    preview: Option<Preview>,
}

/// A step of the round: one move.
struct Row {
    written: String,
    player: u8,
    who: String,
    to: String,
    turned: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct LookBackQuery {
    /// The round's number in the sitting, from 1. Defaults to the last finished one.
    round: Option<usize>,
    /// The number of moves before the one shown. Defaults to the turning point.
    step: Option<usize>,
}

/// The point where a copy continues a round.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Point {
    round: Option<usize>,
    /// The number of moves before it.
    moves: usize,
}

/// A finished round, with its number.
fn recorded(room: &Room, asked: Option<usize>) -> Result<(usize, Record), ErrorPage> {
    let number = asked.unwrap_or(room.rounds().len());
    let record = number.checked_sub(1).and_then(|place| room.rounds().get(place));
    let is_to_come = number == room.rounds().len() + 1 || asked.is_none();
    match record {
        Some(record) => Ok((number, record.clone())),
        None if is_to_come => Err(ErrorPage::new(StatusCode::CONFLICT, "This round isn't over yet.")),
        None => Err(ErrorPage::nothing_here()),
    }
}

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    asked: Result<Query<LookBackQuery>, QueryRejection>,
    Extension(here): Extension<Here>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let room = tables.rooms.room(id).await?;
    // An invalid query string is ignored.
    let asked = asked.map_or_else(|_| LookBackQuery::default(), |Query(asked)| asked);
    let (number, record) = recorded(&room, asked.round)?;
    let round = record.replay().map_err(|_| Failed::Damaged)?;
    let seats = match &browser {
        Some(browser) => tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?,
        None => vec![],
    };
    let view = discovery::of_round(&tables, id, &room, browser.as_ref().map(Browser::holder)).await?;
    let look = Look {
        // Only a person who played a computer is "you".
        you: only_person(&record.computers).filter(|person| seats.contains(person)),
        computers: ByPlayer::from_fn(|player| record.computers[player].is_some()),
        names: record.players.clone(),
        discover: view.hides(Spoiler::TurningPoint),
        round,
    };
    // The room's result of today's duel belongs to its last round.
    let today = match number == room.round_number() {
        true => Also::for_room(&tables, id, &room, &seats, browser.as_ref()).await?.today,
        false => None,
    };
    let step = asked.step;
    let looked = tables.thinking.question(game(&room), TIME_TO_THINK, move |ahead| {
        let review = ahead.ask(look.round.rulebook(), |game, budget| game.review(&look.round, budget));
        look.at(review, step)
    });
    let looked = looked.await.map_err(Problem::from)?;
    let path = format!("/r/{id}/look-back?round={number}");
    let page = LookBack {
        id: id.to_string(),
        round: number,
        rounds: room.rounds().len(),
        file: format!("{}-round-{number}", room.sitting().setup().game.id()),
        link: here.url(&path),
        preview: Preview::new(
            &here,
            &path,
            format!("A round of {}", looked.title),
            "Step through it, move by move.".to_owned(),
            &format!("/r/{id}/picture.png?round={number}"),
        ),
        today,
        class: class_page(&tables, id, &seats, browser.as_ref()).await?,
        record: record.to_string(),
        ..looked
    };
    // The page depends on the reader.
    Ok(([(header::CACHE_CONTROL, "no-store")], html(&page)).into_response())
}

/// The round as a picture to share, without names.
pub async fn picture(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(asked): Query<LookBackQuery>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let room = tables.rooms.room(id).await?;
    let (_, record) = recorded(&room, asked.round)?;
    let round = record.replay().map_err(|_| Failed::Damaged)?;
    Ok(preview::picture(&Emblem::of_round(&round)))
}

/// The link back to the class: its page for the teacher, and the next partner for a pupil.
async fn class_page(
    tables: &Tables,
    id: SittingId,
    seats: &[Player],
    browser: Option<&Browser>,
) -> Result<Option<String>, ErrorPage> {
    let Some(browser) = browser else { return Ok(None) };
    let Some(class) = tables.store.class_of(id).await.map_err(Failed::from)? else { return Ok(None) };
    let (is_host, is_good) = (class.holder == browser.holder(), class.until > tables.clock.now());
    Ok(match seats.is_empty() {
        true => is_host.then(|| format!("/class/{}", class.code)),
        false => is_good.then(|| format!("/join?code={}", class.code)),
    })
}

/// A finished round and its reader.
struct Look {
    round: Round,
    names: ByPlayer<String>,
    computers: ByPlayer<bool>,
    you: Option<Player>,
    discover: bool,
}

impl Look {
    fn audience(&self) -> Audience<'_> {
        Audience { names: &self.names, you: self.you, discover: self.discover }
    }

    /// The page at a step.
    fn at(&self, review: Result<Review, Unsolved>, step: Option<usize>) -> LookBack {
        let (round, last) = (&self.round, self.round.history().len());
        let (review, words) = match review {
            Ok(review) => {
                let words = self.words(&review);
                (Some(review).filter(|_| !self.discover), words)
            }
            // Without a review, readers can still step through the moves.
            Err(why) => (None, vec![format!("Spot On can't review this round here: the game is {why}.")]),
        };
        let points = review::points(round, review.as_ref());
        let turned = points.iter().position(|point| point.turned);
        // Opens at the turning point, or else at the reader's own mistake.
        let own_slip = review.as_ref().and_then(|review| {
            review.moves.iter().rposition(|judged| judged.is_mistake() && Some(judged.player) == self.you)
        });
        let step = step.or(turned).or(own_slip).unwrap_or(0).min(last);
        let better =
            review.as_ref().and_then(|review| review.moves.get(step)).filter(|judged| judged.is_mistake());
        let better =
            better.map(|judged| (round.rulebook().write(judged.better.a_move), judged.better.leaves));
        let lines = picture::looking_back(round, &Step { moves: step, turned, better });
        let mut names = self.names.clone();
        if let Some(you) = self.you {
            YOU.clone_into(&mut names[you]);
        }
        let row = |(place, ply): (usize, &spoton::engine::round::Ply)| Row {
            written: named(round.rulebook(), &round.rulebook().write(ply.a_move)).replace(['“', '”'], ""),
            player: ply.player().number(),
            who: names[ply.player()].clone(),
            to: ply.number.to_string(),
            turned: turned == Some(place),
        };
        LookBack {
            title: round.rulebook().title().to_owned(),
            lines: lines
                .into_iter()
                .map(|line| (line.owner.map(|owner| names[owner].clone()), line.svg))
                .collect(),
            words: words.iter().map(|said| named(round.rulebook(), said)).collect(),
            turned: turned.is_some(),
            said: self.said(review.as_ref(), step).iter().map(|said| named(round.rulebook(), said)).collect(),
            players: Player::BOTH.map(|player| (player.number(), names[player].clone())).into(),
            steps: round.history().iter().enumerate().map(row).collect(),
            step,
            last,
            made: (step + 1).min(last),
            both_seats: self.computers.0 == [false, false],
            plays_on: self.goes_on_after((step + 1).min(last)),
            chooses_again: step < last && self.goes_on_after(step),
            number_before: round
                .history()
                .get(step)
                .filter(|_| round.rulebook().numbers() == Numbers::Shared)
                .map(|ply| ply.before.number().to_string()),
            shows_turn: turned == Some(step),
            id: String::new(),
            round: 0,
            rounds: 0,
            today: None,
            class: None,
            record: String::new(),
            file: String::new(),
            link: String::new(),
            preview: None,
        }
    }

    /// The whole round's review, without sentences that a step repeats.
    fn words(&self, review: &Review) -> Vec<String> {
        let audience = self.audience();
        let places = 0..self.round.history().len();
        let said: HashSet<String> =
            places.flat_map(|place| words::review::of_move(review, place, &self.round, &audience)).collect();
        let words = words::review::in_words(review, &self.round, &audience);
        words.into_iter().filter(|sentence| !said.contains(sentence)).collect()
    }

    /// A step's texts: its move or, at the end, the result.
    fn said(&self, review: Option<&Review>, step: usize) -> Vec<String> {
        if step == self.round.history().len() {
            let end = End { round: &self.round, names: &self.names, you: self.you };
            // The review's sentences already mention who gave up.
            let has_given_up =
                review.is_some() && self.round.outcome().is_some_and(|end| end.ending == Ending::Resigned);
            return [end.how().filter(|_| !has_given_up), end.verdict()].into_iter().flatten().collect();
        }
        match review {
            Some(review) => words::review::of_move(review, step, &self.round, &self.audience()),
            None => words::review::happened(&self.round, step, &self.audience()).into_iter().collect(),
        }
    }

    /// Whether the round isn't over after this many moves.
    fn goes_on_after(&self, moves: usize) -> bool {
        let mut before = Round::new(self.round.rulebook().clone(), self.round.first());
        let played = self.round.history().iter().take(moves).try_for_each(|ply| before.play(ply.a_move));
        played.is_ok() && before.outcome().is_none()
    }
}

/// Starts a new round from a position of another, against the same computer or for two people on one device.
pub async fn play_on(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(from): Form<Point>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let room = tables.rooms.room(id).await?;
    let (number, record) = recorded(&room, from.round)?;
    let book = match room.book() {
        Some(short) => tables.store.book(short.to_owned()).await.map_err(Failed::from)?,
        None => None,
    };
    let view = discovery::of_round(&tables, id, &room, Some(browser.holder())).await?;
    let terms = Terms { hints: true, take_back: true, discover: view.hides(Spoiler::Advice) };
    let new = SittingId::random();
    tables.play_on(new, (id, number), (&record, from.moves), terms, book, browser.holder()).await?;
    Ok(([browser.cookie()], Redirect::to(&format!("/r/{new}"))).into_response())
}
