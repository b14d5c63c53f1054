//! Classes: one code for all, and whoever comes with it is given somebody to play with.
//!
//! A class is no more than a list of sittings. Who sits where is told by their seats, so nobody is lost if the server
//! stops in between: whoever comes again finds their seat, or gets one. Whoever is through with a round goes on to the next
//! partner: their old round says so, and they are seated with whoever waits.

mod pupils;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, Game, Setting};

use crate::books;
use crate::codes;
use crate::ids::{Hash, Secret, SittingId};
use crate::limits::{MOST_CLASSES, MOST_OF_A_CLASS, TIME_OF_A_CLASS};
use crate::room::{Command, Refusal, Room};
use crate::seats::Browser;
use crate::store::{Class, OfClass};
use crate::tables::{NewSeat, NewTable, NoTable, Tables, Terms, now};
use crate::writer::Failed;
pub use pupils::{Pupil, place_of, places, pupils};
use pupils::{apart_from_self, told_apart};

/// What a class plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plays {
    pub game: String,
    /// The address of a shared rule book instead.
    #[serde(default)]
    pub book: Option<String>,
    pub variant: Option<String>,
    pub target: Option<String>,
    pub hints: bool,
    pub take_back: bool,
    pub discover: bool,
}

impl Plays {
    /// The game, with its text if it is not one of ours.
    pub async fn find(&self, tables: &Tables) -> Result<(Game, Option<String>), NoPlace> {
        let text = match &self.book {
            Some(short) => Some(books::shared(tables, short).await?.ok_or(NoPlace::NoGame)?),
            None => None,
        };
        let settings = self.target.clone().map(Setting::Target).into_iter().collect();
        let changes = Changes { variant: self.variant.clone(), settings };
        let game = tables.find_game(Some(&self.game), text.as_deref(), &changes).await?;
        Ok((game.ok_or(NoPlace::NoGame)?, text))
    }

    /// What is settled beside the game, between two of the class.
    pub fn terms(&self) -> Terms {
        Terms { hints: self.hints, take_back: self.take_back, discover: self.discover }
    }

    /// And while somebody plays the computer: nobody is in their way, so they may ask.
    pub fn terms_with_computer(&self) -> Terms {
        Terms { hints: !self.discover, ..self.terms() }
    }
}

/// Lets one at a time do something: look for somebody to play with, in each class, or try a puzzle, in each browser.
#[derive(Debug, Default)]
pub struct Turns {
    places: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl Turns {
    pub fn of(&self, place: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        // Those where nobody is just now make room.
        if places.len().is_power_of_two() {
            places.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(places.entry(place.to_owned()).or_default())
    }
}

/// Why somebody cannot come in.
#[derive(Debug, thiserror::Error)]
pub enum NoPlace {
    #[error("there is no class with this code, or not any more")]
    Unknown,
    #[error("there is no such game, or not any more")]
    NoGame,
    #[error("nobody else can come in: the class has begun without you")]
    Closed,
    #[error("your partner is here, and the round is not over")]
    NotYet,
    #[error("type your name as well, so that others know who you are")]
    NoName,
    #[error("the class is full")]
    Full,
    #[error("you have opened very many classes; wait until one of them is over")]
    TooManyClasses,
    #[error(transparent)]
    NoTable(#[from] NoTable),
}

impl From<Failed> for NoPlace {
    fn from(failed: Failed) -> NoPlace {
        NoPlace::NoTable(failed.into())
    }
}

impl From<crate::store::Unavailable> for NoPlace {
    fn from(unavailable: crate::store::Unavailable) -> NoPlace {
        Failed::from(unavailable).into()
    }
}

/// Opens a class.
pub async fn open(tables: &Tables, holder: Hash, plays: &Plays) -> Result<Class, NoPlace> {
    // A game that is not valid says so now, to the one who has chosen it.
    plays.find(tables).await?.0.rulebook().map_err(NoTable::from)?;
    if tables.store.classes_of(holder, now()).await?.len() >= MOST_CLASSES {
        return Err(NoPlace::TooManyClasses);
    }
    let plays = serde_json::to_string(plays).unwrap_or_default();
    tables.has_room().await?;
    tables.rates.adds(holder, plays.len()).map_err(Failed::from)?;
    loop {
        let code = codes::new(codes::OF_CLASS);
        let until = now().saturating_add(TIME_OF_A_CLASS);
        let class = Class { code, holder, until, is_open: true, plays: plays.clone() };
        let is_free = tables.store.class(class.code.clone()).await?.is_none();
        if is_free && tables.store.keep_class(class.clone()).await? {
            return Ok(class);
        }
    }
}

/// What a class plays.
pub fn plays(class: &Class) -> Result<Plays, NoPlace> {
    serde_json::from_str(&class.plays).map_err(|_| NoPlace::Unknown)
}

/// A class whose code is still good.
pub async fn find(tables: &Tables, code: &str) -> Result<Option<Class>, Failed> {
    let class = tables.store.class(code.to_owned()).await?;
    Ok(class.filter(|class| class.until > now()))
}

/// The rounds of a class, in the order in which they were begun.
pub async fn rounds(tables: &Tables, code: &str) -> Result<Vec<(OfClass, Arc<Room>)>, Failed> {
    let mut rounds = Vec::new();
    for of_class in tables.store.class_sittings(code.to_owned()).await? {
        match tables.heads.room(of_class.id).await {
            Ok(room) => rounds.push((of_class, room)),
            Err(Failed::Unknown | Failed::Damaged) => {}
            Err(failed) => return Err(failed),
        }
    }
    Ok(rounds)
}

/// The seat that nobody has taken yet.
pub fn open_seat(room: &Room) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| room.is_open(*player))
}

/// Whether a computer plays.
pub fn has_computer(room: &Room) -> bool {
    Player::BOTH.into_iter().any(|player| room.is_computer(player))
}

/// The secret that the second player of a round takes the seat with. Whoever has the code of the class has it.
fn secret(code: &str, id: SittingId) -> Secret {
    Secret::from_hash(&Hash::of(format!("class {code} seats somebody at {id}")))
}

/// Who comes in with a code.
#[derive(Debug, Default)]
pub struct Comer {
    /// The name that was typed, if any.
    pub name: Option<String>,
    /// Whether they say that they are none of those who play at this browser already.
    pub is_new: bool,
}

/// Where a code leads.
#[derive(Debug)]
pub enum Arrival {
    At(SittingId),
    /// Others play at this browser already, and it has to be asked who is here now.
    WhoIsIt(Vec<Pupil>),
}

/// Somebody comes in: back to their own round if they have one, else to whoever waits, else they wait themselves.
pub async fn arrive(tables: &Tables, code: &str, comer: Comer, holder: Hash) -> Result<Arrival, NoPlace> {
    let turn = tables.turns.of(code);
    let _one_at_a_time = turn.lock().await;
    let class = find(tables, code).await?.ok_or(NoPlace::Unknown)?;
    let pupils = pupils(tables, code, holder).await?;
    let known = match &comer.name {
        Some(name) => pupils
            .iter()
            .find(|pupil| pupil.name == *name)
            .or_else(|| pupils.iter().find(|pupil| pupil.is_called(name))),
        None if pupils.len() == 1 => pupils.first(),
        None => None,
    };
    if let Some(pupil) = known {
        return match pupil.place {
            Some(place) => Ok(Arrival::At(place)),
            None => seat(tables, &class, pupil.name.clone(), holder, None).await.map(Arrival::At),
        };
    }
    if !pupils.is_empty() && !comer.is_new {
        return Ok(Arrival::WhoIsIt(pupils));
    }
    if !class.is_open {
        return Err(NoPlace::Closed);
    }
    let name = comer.name.ok_or(NoPlace::NoName)?;
    let rounds = rounds(tables, code).await?;
    let names: HashSet<String> = rounds.iter().flat_map(|(_, room)| room.all_names().0).collect();
    let name = told_apart(name, &names);
    seat(tables, &class, name, holder, None).await.map(Arrival::At)
}

/// Who waits in a round for somebody to play with.
pub fn waiting(room: &Room) -> Option<Player> {
    open_seat(room).map(|guest| !guest).filter(|host| !room.has_gone_on(*host))
}

/// Somebody who waits at another browser, those first who wait longest. Somebody who is to be passed over is not found.
async fn next_who_waits<'a>(
    tables: &Tables,
    rounds: &'a [(OfClass, Arc<Room>)],
    holder: Hash,
    passed_over: Option<&str>,
) -> Result<Option<&'a (OfClass, Arc<Room>)>, Failed> {
    for round in rounds {
        let (OfClass { id, .. }, room) = round;
        let Some(host) = waiting(room) else { continue };
        let is_own = !tables.heads.seats(*id, holder).await?.is_empty();
        if !is_own && passed_over != Some(room.name(host).as_str()) {
            return Ok(Some(round));
        }
    }
    Ok(None)
}

/// Whether somebody may go on from a round to the next partner: it is over, the other player is not there, or has gone
/// on already.
pub fn may_go_on(tables: &Tables, id: SittingId, room: &Room, own: Player) -> bool {
    let is_with_somebody = !has_computer(room) && open_seat(room).is_none();
    is_with_somebody && (room.is_over() || room.is_left_by_anybody() || !tables.live.here(id)[!own])
}

/// With whom somebody who waits could play again, since they wait, too.
pub async fn who_waits_too(tables: &Tables, code: &str, holder: Hash) -> Result<Option<String>, Failed> {
    let rounds = rounds(tables, code).await?;
    let found = next_who_waits(tables, &rounds, holder, None).await?;
    Ok(found.and_then(|(_, room)| waiting(room).map(|host| room.name(host))))
}

/// Somebody goes on to the next partner, who is not the one they have just played with. If they wait already, anybody
/// will do. Pressed twice, it leads to the same place. `seen` is the last event that they know of.
pub async fn go_on(
    tables: &Tables,
    id: SittingId,
    holder: Hash,
    seen: Option<u64>,
) -> Result<SittingId, NoPlace> {
    let class = tables.store.class_of(id).await?.ok_or(NoPlace::Unknown)?;
    let turn = tables.turns.of(&class.code);
    let _one_at_a_time = turn.lock().await;
    let class = find(tables, &class.code).await?.ok_or(NoPlace::Unknown)?;
    let room = tables.heads.room(id).await?;
    let own = tables.heads.seats(id, holder).await?.first().copied();
    let own = own.ok_or(Failed::from(Refusal::NotYourSeat))?;
    let name = room.name(own);
    if room.has_gone_on(own) {
        return match place_of(tables, &class.code, &room, (own, holder)).await? {
            Some(place) => Ok(place),
            None => seat(tables, &class, name, holder, None).await,
        };
    }
    // Something has happened meanwhile: they see it first.
    if seen.is_some_and(|seen| seen != room.seq()) {
        return Ok(id);
    }
    let rounds = rounds(tables, &class.code).await?;
    if waiting(&room) == Some(own) {
        return match next_who_waits(tables, &rounds, holder, None).await? {
            Some(_) => seat(tables, &class, name, holder, None).await,
            None => Ok(id),
        };
    }
    if !may_go_on(tables, id, &room, own) {
        return Err(NoPlace::NotYet);
    }
    let partner = room.name(!own);
    // Nobody gives up their round for nothing.
    if next_who_waits(tables, &rounds, holder, Some(&partner)).await?.is_none() {
        is_not_full(tables, &class.code).await?;
    }
    match tables.act(id, holder, Command::GoOn, Some(room.seq()), None).await {
        Ok(_) => seat(tables, &class, name, holder, Some(&partner)).await,
        Err(Failed::Outdated(_)) => Ok(id),
        Err(failed) => Err(failed.into()),
    }
}

/// Seats somebody with whoever waits; else they wait themselves.
async fn seat(
    tables: &Tables,
    class: &Class,
    name: String,
    holder: Hash,
    passed_over: Option<&str>,
) -> Result<SittingId, NoPlace> {
    let code = &class.code;
    let mut rounds = rounds(tables, code).await?;
    // Nobody steps out of a round for one that cannot begin.
    if next_who_waits(tables, &rounds, holder, passed_over).await?.is_none() {
        tables.has_room().await?;
    }
    // Whoever waited at this browser steps out: nobody is to be seated with somebody who is not there.
    for (OfClass { id, .. }, room) in &rounds {
        if waiting(room).is_some() && !tables.heads.seats(*id, holder).await?.is_empty() {
            tables.act(*id, holder, Command::GoOn, None, None).await?;
        }
    }
    while let Some((of_class, _)) = next_who_waits(tables, &rounds, holder, passed_over).await? {
        let of_class = *of_class;
        match tables.take_seat(of_class.id, &secret(code, of_class.id), Some(name.clone()), holder).await {
            Ok(_) => {
                // Who waited may play the computer meanwhile, and is told there.
                let meanwhile = |(other, room): &&(OfClass, Arc<Room>)| {
                    other.holder == of_class.holder && has_computer(room)
                };
                for (other, _) in rounds.iter().filter(meanwhile) {
                    tables.live.look_again(other.id);
                }
                return Ok(of_class.id);
            }
            // The seat was taken in some other way.
            Err(Failed::NoInvitation | Failed::Refused(Refusal::SeatIsTaken)) => {
                rounds.retain(|(other, _)| other.id != of_class.id);
            }
            Err(failed) => return Err(failed.into()),
        }
    }
    let plays = plays(class)?;
    let (game, book) = plays.find(tables).await?;
    let seats = ByPlayer([NewSeat::Me { name: Some(name) }, NewSeat::Friend]);
    let table = NewTable { game, book, seats, first: Player::One, terms: plays.terms() };
    let id = add(tables, code, table, holder).await?;
    // Those who wait, too, may play with them after all.
    for (other, _) in rounds.iter().filter(|(_, room)| waiting(room).is_some()) {
        tables.live.look_again(other.id);
    }
    Ok(id)
}

async fn is_not_full(tables: &Tables, code: &str) -> Result<(), NoPlace> {
    match tables.store.class_sittings(code.to_owned()).await?.len() {
        MOST_OF_A_CLASS.. => Err(NoPlace::Full),
        _ => Ok(()),
    }
}

/// One more round in a class.
async fn add(tables: &Tables, code: &str, table: NewTable, holder: Hash) -> Result<SittingId, NoPlace> {
    is_not_full(tables, code).await?;
    let id = SittingId::random();
    tables.set(id, table, holder, &secret(code, id)).await?;
    tables.store.add_to_class(code.to_owned(), OfClass { id, holder }).await?;
    Ok(id)
}

/// Somebody who waits plays the computer meanwhile. If they do so already, they go back to it.
pub async fn play_computer(
    tables: &Tables,
    class: &Class,
    room: &Room,
    (own, holder): (Player, Hash),
) -> Result<SittingId, NoPlace> {
    if let Some(place) = place_of(tables, &class.code, room, (own, holder)).await? {
        let room = tables.heads.room(place).await?;
        if has_computer(&room) && !room.is_over() {
            return Ok(place);
        }
    }
    let name = room.name(own);
    let plays = plays(class)?;
    let (game, book) = plays.find(tables).await?;
    let terms = plays.terms_with_computer();
    let (computer, first) = tables.gentlest(&game, terms).await?;
    let table = |name: String| {
        let seats = ByPlayer([NewSeat::Me { name: Some(name) }, computer.clone()]);
        NewTable { game: game.clone(), book: book.clone(), seats, first, terms }
    };
    match add(tables, &class.code, table(name.clone()), holder).await {
        // The computer is called alike.
        Err(NoPlace::NoTable(NoTable::LooksAlike)) => {
            add(tables, &class.code, table(apart_from_self(&name)), holder).await
        }
        added => added,
    }
}

/// Nobody else comes: whoever is left over gets the computer. Or more may come after all.
pub async fn let_in(tables: &Tables, code: &str, is_open: bool) -> Result<(), NoPlace> {
    let turn = tables.turns.of(code);
    let _one_at_a_time = turn.lock().await;
    let class = find(tables, code).await?.ok_or(NoPlace::Unknown)?;
    let class = Class { is_open, ..class };
    tables.store.keep_class(class.clone()).await?;
    if is_open {
        return Ok(());
    }
    for (of_class, room) in rounds(tables, code).await? {
        if let Some(host) = waiting(&room) {
            play_computer(tables, &class, &room, (host, of_class.holder)).await?;
            // Their page leads them there.
            tables.live.look_again(of_class.id);
        }
    }
    Ok(())
}

/// Where somebody plays who does not wait in a round any more: they have gone on from it, or nobody else comes to the class,
/// and they have got the computer.
pub async fn instead_of_waiting(
    tables: &Tables,
    id: SittingId,
    room: &Room,
    browser: Option<&Browser>,
) -> Result<Option<SittingId>, Failed> {
    let (Some(guest), Some(browser)) = (open_seat(room), browser) else { return Ok(None) };
    let is_out = |class: &Class| !class.is_open || room.has_gone_on(!guest);
    let Some(class) = tables.store.class_of(id).await?.filter(is_out) else { return Ok(None) };
    let place = place_of(tables, &class.code, room, (!guest, browser.holder())).await?;
    Ok(place.filter(|place| *place != id))
}
