//! Classes: one code for everyone, and Spot On pairs pupils as they join.
//!
//! A class is only a list of sittings; the seats show who plays where. So a restart loses nobody: pupils who rejoin
//! find their seat or get a new one. After a round, pupils move on to the next partner: an event in the old round
//! records that, and they get a seat with the next waiting pupil.

mod pupils;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Changes, Game, Setting};
use tokio::sync::OwnedMutexGuard;

use crate::codes;
use crate::ids::{Hash, Secret, SittingId};
use crate::limits::{BYTES_OF_A_CLASS, MOST_CLASSES, MOST_OF_A_CLASS, TIME_OF_A_CLASS, stored_bytes};
use crate::room::{Command, Refusal, Room};
use crate::seats::Browser;
use crate::store::{Class, Held, OfClass, Store};
use crate::tables::books;
use crate::tables::writer::Failed;
use crate::tables::{NewSeat, NewTable, NoTable, Tables, Terms};
pub use pupils::{Pupil, place_of, places, pupils};
use pupils::{apart_from_self, told_apart};

/// A class's game and terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plays {
    pub game: String,
    /// Alternatively, a shared rule book's address.
    #[serde(default)]
    pub book: Option<String>,
    pub variant: Option<String>,
    pub target: Option<String>,
    pub hints: bool,
    pub take_back: bool,
    pub discover: bool,
}

impl Plays {
    /// The game, with its text if it isn't a shipped one.
    pub async fn find(&self, tables: &Tables) -> Result<(Game, Option<String>), NoPlace> {
        let text = match &self.book {
            Some(short) => Some(books::shared(tables, short).await?.ok_or(NoPlace::NoGame)?),
            None => None,
        };
        let settings = self.target.clone().map(Setting::Target).into_iter().collect();
        let changes = Changes { variant: self.variant.clone(), settings };
        let game = tables.find_game(Some(&self.game), text.as_deref(), &changes).await?;
        Ok((game, text))
    }

    /// The terms for two pupils.
    pub fn terms(&self) -> Terms {
        Terms { hints: self.hints, take_back: self.take_back, discover: self.discover }
    }

    /// The terms against the computer, with hints unless in discovery mode.
    pub(crate) fn terms_with_computer(&self) -> Terms {
        Terms { hints: !self.discover, ..self.terms() }
    }
}

/// A lock per class (pairing) and per browser (puzzles).
#[derive(Debug, Default)]
pub struct Turns {
    places: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

/// Guard for a lock.
pub(crate) struct Turn {
    // Given back first.
    _stored: Held,
    _own: OwnedMutexGuard<()>,
}

impl Turns {
    /// Waits for a lock: first at this server, so only one of its requests waits for other servers.
    ///
    /// # Errors
    ///
    /// Fails if another server has it for too long.
    pub(crate) async fn take(&self, store: &dyn Store, place: String) -> Result<Turn, Failed> {
        let own = self.lock_for(&place).lock_owned().await;
        let stored = store.lock(place).await?.ok_or(Failed::Busy)?;
        Ok(Turn { _stored: stored, _own: own })
    }

    fn lock_for(&self, place: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        // Drops unused locks now and then.
        if places.len().is_power_of_two() {
            places.retain(|_, place| Arc::strong_count(place) > 1);
        }
        Arc::clone(places.entry(place.to_owned()).or_default())
    }
}

/// The name of a class's lock.
fn lock(code: &str) -> String {
    format!("class {code}")
}

/// Why a pupil can't join.
#[derive(Debug, thiserror::Error)]
pub enum NoPlace {
    #[error("there's no class with this code, or it has expired")]
    Unknown,
    #[error("there's no such game")]
    NoGame,
    #[error("this class is closed; ask your teacher to reopen it")]
    Closed,
    #[error("your partner is still here; finish the round first")]
    NotYet,
    #[error("enter your name, too")]
    NoName,
    #[error("the class is full")]
    Full,
    #[error("you have too many open classes; wait until one expires")]
    TooManyClasses,
    #[error(transparent)]
    NoTable(NoTable),
}

impl From<Failed> for NoPlace {
    fn from(failed: Failed) -> NoPlace {
        NoTable::from(failed).into()
    }
}

impl From<NoTable> for NoPlace {
    fn from(no_table: NoTable) -> NoPlace {
        match no_table {
            NoTable::Failed(Failed::ClosedClass) => NoPlace::Closed,
            no_table => NoPlace::NoTable(no_table),
        }
    }
}

impl From<crate::store::Unavailable> for NoPlace {
    fn from(unavailable: crate::store::Unavailable) -> NoPlace {
        Failed::from(unavailable).into()
    }
}

/// Opens a class.
pub async fn open(tables: &Tables, holder: Hash, mut plays: Plays) -> Result<Class, NoPlace> {
    // Fails early, so the teacher sees that a game is invalid.
    let (game, text) = plays.find(tables).await?;
    game.rulebook().map_err(NoTable::from)?;
    if text.is_none() {
        // Part of a name may match more games in the next version.
        plays.game = game.id().to_owned();
    }
    if tables.store.classes_of(holder, tables.clock.now()).await?.len() >= MOST_CLASSES {
        return Err(NoPlace::TooManyClasses);
    }
    let plays = serde_json::to_string(&plays).unwrap_or_default();
    tables.has_room().await?;
    tables.rates.adds(holder, BYTES_OF_A_CLASS + stored_bytes(plays.len())).map_err(Failed::from)?;
    loop {
        let code = codes::new(codes::OF_CLASS);
        let until = tables.clock.now().saturating_add(TIME_OF_A_CLASS);
        let class = Class { code, holder, until, is_open: true, plays: plays.clone() };
        let is_free = tables.store.class(class.code.clone()).await?.is_none();
        if is_free && tables.store.keep_class(class.clone()).await? {
            return Ok(class);
        }
    }
}

/// A class's game and terms.
pub fn plays(class: &Class) -> Result<Plays, NoPlace> {
    serde_json::from_str(&class.plays).map_err(|_| NoPlace::Unknown)
}

/// The class with this code, unless it has expired.
pub async fn find(tables: &Tables, code: &str) -> Result<Option<Class>, Failed> {
    let class = tables.store.class(code.to_owned()).await?;
    Ok(class.filter(|class| class.until > tables.clock.now()))
}

/// A class's rounds, oldest first.
pub async fn rounds(tables: &Tables, code: &str) -> Result<Vec<(OfClass, Arc<Room>)>, Failed> {
    let sittings = tables.store.class_sittings(code.to_owned()).await?;
    let ids: Vec<SittingId> = sittings.iter().map(|of_class| of_class.id).collect();
    tables.rooms.look(&ids).await?;
    let mut rounds = Vec::new();
    for of_class in sittings {
        match tables.rooms.known(of_class.id).await {
            Ok(seated) => rounds.push((of_class, seated.room)),
            Err(Failed::Unknown | Failed::Damaged) => {}
            Err(failed) => return Err(failed),
        }
    }
    Ok(rounds)
}

/// The open seat, if any.
pub(crate) fn open_seat(room: &Room) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| room.is_open(*player))
}

/// Whether a computer plays.
pub(crate) fn has_computer(room: &Room) -> bool {
    Player::BOTH.into_iter().any(|player| room.is_computer(player))
}

/// The secret for a round's second seat, derived from the class code.
fn secret(code: &str, id: SittingId) -> Secret {
    Secret::from_hash(&Hash::digest(format!("class {code} seats somebody at {id}")))
}

/// A pupil joining with a code.
#[derive(Debug, Default)]
pub struct Comer {
    /// The name they entered, if any.
    pub name: Option<String>,
    /// Whether they take over this device as a new pupil.
    pub is_new: bool,
}

/// The result of joining.
#[derive(Debug)]
pub enum Arrival {
    At(SittingId),
    /// Other pupils played on this device, so the page must ask who this is.
    WhoIsIt(Vec<Pupil>),
}

/// Lets a pupil join: back in their own round, or else with a waiting pupil. Otherwise they wait.
pub async fn arrive(tables: &Tables, code: &str, comer: Comer, holder: Hash) -> Result<Arrival, NoPlace> {
    let _one_at_a_time = tables.turns.take(&*tables.store, lock(code)).await?;
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
            None => seat(tables, &class, pupil.name.clone(), holder, Seek::ANYONE).await.map(Arrival::At),
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
    // A class that closes meanwhile lets nobody in.
    let seek = Seek { is_new: true, ..Seek::ANYONE };
    seat(tables, &class, name, holder, seek).await.map(Arrival::At)
}

/// The player who is waiting for a partner in a round.
pub fn waiting(room: &Room) -> Option<Player> {
    open_seat(room).map(|guest| !guest).filter(|host| !room.has_gone_on(*host))
}

/// The round of the longest-waiting pupil on another device, except `passed_over`.
async fn next_who_waits<'a>(
    tables: &Tables,
    rounds: &'a [(OfClass, Arc<Room>)],
    holder: Hash,
    passed_over: Option<&str>,
) -> Result<Option<&'a (OfClass, Arc<Room>)>, Failed> {
    for round in rounds {
        let (OfClass { id, .. }, room) = round;
        let Some(host) = waiting(room) else { continue };
        let is_own = !tables.rooms.seats(*id, holder).await?.is_empty();
        if !is_own && passed_over != Some(room.name(host).as_str()) {
            return Ok(Some(round));
        }
    }
    Ok(None)
}

/// Whether a player may move on to the next partner: the round is over, or the opponent is away or moved on.
pub fn may_go_on(tables: &Tables, id: SittingId, room: &Room, own: Player) -> bool {
    let has_partner = !has_computer(room) && open_seat(room).is_none();
    has_partner && (room.is_over() || room.is_left_by_anybody() || !tables.live.here(id)[!own])
}

/// Another waiting pupil, perhaps the same partner again.
pub(crate) async fn who_waits_too(
    tables: &Tables,
    code: &str,
    holder: Hash,
) -> Result<Option<String>, Failed> {
    let rounds = rounds(tables, code).await?;
    let found = next_who_waits(tables, &rounds, holder, None).await?;
    Ok(found.and_then(|(_, room)| waiting(room).map(|host| room.name(host))))
}

/// Moves a pupil on to the next partner, but not the one they just played. A pupil who is already waiting may get
/// anyone. Idempotent. `seen` is the last event the pupil saw.
pub async fn go_on(
    tables: &Tables,
    id: SittingId,
    holder: Hash,
    seen: Option<u64>,
) -> Result<SittingId, NoPlace> {
    let class = tables.store.class_of(id).await?.ok_or(NoPlace::Unknown)?;
    let _one_at_a_time = tables.turns.take(&*tables.store, lock(&class.code)).await?;
    let class = find(tables, &class.code).await?.ok_or(NoPlace::Unknown)?;
    let room = tables.rooms.room(id).await?;
    let own = tables.rooms.seats(id, holder).await?.first().copied();
    let own = own.ok_or(Failed::from(Refusal::NotYourSeat))?;
    let name = room.name(own);
    if room.has_gone_on(own) {
        return match place_of(tables, &class.code, &room, (own, holder)).await? {
            Some(place) => Ok(place),
            None => seat(tables, &class, name, holder, Seek::ANYONE).await,
        };
    }
    // Something happened in the meantime, and they should see that first.
    if seen.is_some_and(|seen| seen != room.seq()) {
        return Ok(id);
    }
    let rounds = rounds(tables, &class.code).await?;
    if waiting(&room) == Some(own) {
        return match next_who_waits(tables, &rounds, holder, None).await? {
            Some(_) => seat(tables, &class, name, holder, Seek::ANYONE).await,
            None => Ok(id),
        };
    }
    if !may_go_on(tables, id, &room, own) {
        return Err(NoPlace::NotYet);
    }
    let partner = room.name(!own);
    // Checks for room before the pupil leaves the round.
    if next_who_waits(tables, &rounds, holder, Some(&partner)).await?.is_none() {
        is_not_full(tables, &class.code).await?;
    }
    match tables.act(id, holder, Command::GoOn, Some(room.seq()), None).await {
        Ok(_) => {
            let seek = Seek { passed_over: Some(&partner), ..Seek::ANYONE };
            seat(tables, &class, name, holder, seek).await
        }
        Err(Failed::Outdated(_)) => Ok(id),
        Err(failed) => Err(failed.into()),
    }
}

/// The partner that a pupil looks for.
#[derive(Clone, Copy)]
struct Seek<'a> {
    /// The pupil they just played.
    passed_over: Option<&'a str>,
    /// Whether the pupil joins the class now.
    is_new: bool,
}

impl Seek<'_> {
    const ANYONE: Seek<'static> = Seek { passed_over: None, is_new: false };
}

/// Seats a pupil with a waiting one, or else lets them wait.
async fn seat(
    tables: &Tables,
    class: &Class,
    name: String,
    holder: Hash,
    Seek { passed_over, is_new }: Seek<'_>,
) -> Result<SittingId, NoPlace> {
    let code = &class.code;
    let open_class = || is_new.then(|| code.clone());
    let mut rounds = rounds(tables, code).await?;
    // Checks for room before leaving a round.
    if next_who_waits(tables, &rounds, holder, passed_over).await?.is_none() {
        tables.has_room().await?;
    }
    // Pupils who waited on this device stop waiting, since someone else has it now.
    for (OfClass { id, .. }, room) in &rounds {
        if waiting(room).is_some() && !tables.rooms.seats(*id, holder).await?.is_empty() {
            tables.act(*id, holder, Command::GoOn, None, None).await?;
        }
    }
    while let Some((of_class, _)) = next_who_waits(tables, &rounds, holder, passed_over).await? {
        let of_class = *of_class;
        let secret = secret(code, of_class.id);
        match tables.take_seat_in(of_class.id, &secret, Some(name.clone()), holder, open_class()).await {
            Ok(_) => {
                // The waiting pupil may be playing the computer; that page reports the partner.
                let meanwhile = |(other, room): &&(OfClass, Arc<Room>)| {
                    other.holder == of_class.holder && has_computer(room)
                };
                for (other, _) in rounds.iter().filter(meanwhile) {
                    tables.live.look_again(other.id);
                }
                return Ok(of_class.id);
            }
            // The seat was taken in the meantime.
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
    let id = add(tables, code, table, holder, open_class()).await?;
    // Other waiting pupils can now be paired with this one.
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

/// Adds a round to a class.
async fn add(
    tables: &Tables,
    code: &str,
    table: NewTable,
    holder: Hash,
    open_class: Option<String>,
) -> Result<SittingId, NoPlace> {
    is_not_full(tables, code).await?;
    let id = SittingId::random();
    tables.set_in(id, table, holder, &secret(code, id), open_class).await?;
    tables.store.add_to_class(code.to_owned(), OfClass { id, holder }).await?;
    Ok(id)
}

/// Lets a waiting pupil play the computer, or return to that round.
pub(crate) async fn play_computer(
    tables: &Tables,
    class: &Class,
    room: &Room,
    (own, holder): (Player, Hash),
) -> Result<SittingId, NoPlace> {
    if let Some(place) = place_of(tables, &class.code, room, (own, holder)).await? {
        let room = tables.rooms.room(place).await?;
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
    match add(tables, &class.code, table(name.clone()), holder, None).await {
        // The computer has the same name.
        Err(NoPlace::NoTable(NoTable::LooksAlike)) => {
            add(tables, &class.code, table(apart_from_self(&name)), holder, None).await
        }
        added => added,
    }
}

/// Reopens or closes a class. When a class closes, each waiting pupil gets the computer.
pub(crate) async fn let_in(tables: &Tables, code: &str, is_open: bool) -> Result<(), NoPlace> {
    let _one_at_a_time = tables.turns.take(&*tables.store, lock(code)).await?;
    let class = find(tables, code).await?.ok_or(NoPlace::Unknown)?;
    let class = Class { is_open, ..class };
    tables.store.keep_class(class.clone()).await?;
    if is_open {
        return Ok(());
    }
    for (of_class, room) in rounds(tables, code).await? {
        if let Some(host) = waiting(&room) {
            play_computer(tables, &class, &room, (host, of_class.holder)).await?;
            // Their page redirects there.
            tables.live.look_again(of_class.id);
        }
    }
    Ok(())
}

/// The new round of a pupil who no longer waits in this one: they moved on, or the class closed and they got the
/// computer.
pub(crate) async fn instead_of_waiting(
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
