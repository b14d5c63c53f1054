//! Tables: the commands that pages and the JSON API share, with authorization.

pub mod books;
pub mod classes;
pub mod daily;
pub mod discovery;
pub mod facts;
pub mod listening;
pub mod nodes;
pub mod room_cache;
mod setting;
pub mod writer;

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use spoton::discovery::Spoiler;
use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::evaluate::opponent::Opponent;
use spoton::format::BadGame;
use spoton::sitting::{self, Cannot};
use spoton::words::phrases;

use crate::ids::{self, Hash, Secret, SittingId};
use tokio::sync::watch;

use crate::clock::Clock;
use crate::codes::Tries;
use crate::limits::{Limits, MOST_SWEPT, SWEEP, TIME_OF_A_DEVICE_CODE, TIME_TO_THINK};
use crate::live::Live;
use crate::live::others::Outbox;
use crate::metrics::Metrics;
use crate::names::{LOOKS_ALIKE, NAME_FORM, look_alike};
use crate::rates::Rates;
use crate::room::{Command, Offer, Refusal, Room};
use crate::stop::told_to_stop;
use crate::store::{Invitation, Millis, Store, WaitsFor};
use crate::tables::books::Opened;
use crate::tables::classes::Turns;
use crate::tables::daily::DailyDuels;
use crate::tables::facts::Known;
use crate::tables::nodes::Heard;
use crate::tables::room_cache::{RoomCache, Seated};
use crate::tables::writer::{Access, Done, Failed, Planted, Request, Wants, Writer};
use crate::thinking::Thinking;
pub use setting::{NewSeat, NewTable, Terms, find_game, shipped};

/// A handle to the service. Cheap to clone; every request has one.
#[derive(Clone)]
pub struct Tables(Arc<Service>);

/// The service behind all tables.
pub struct Service {
    pub store: Arc<dyn Store>,
    pub rooms: Arc<RoomCache>,
    pub live: Arc<Live>,
    pub clock: Clock,
    pub thinking: Thinking,
    pub limits: Limits,
    pub rates: Rates,
    pub metrics: Arc<Metrics>,
    pub turns: Turns,
    pub tries: Tries,
    pub daily: DailyDuels,
    pub opened: Opened,
    pub known: Known,
    /// The news from other servers on this database.
    pub heard: Heard,
    writer: Writer,
    /// The turns that computers are thinking about, by sitting and last event.
    considered: Arc<Mutex<HashSet<(SittingId, u64)>>>,
    /// The pause before a computer's move.
    pause: std::time::Duration,
}

impl Deref for Tables {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.0
    }
}

/// The best opponent that needs no solution.
const SHORT_SIGHTED: &str = "otto:slip=0";

/// The default name of a second player whose usual name is the first player's.
pub(crate) const GUEST: &str = "Guest";

/// Why a table can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum NoTable {
    #[error(transparent)]
    NoGame(#[from] spoton_host::NoGame),
    #[error(transparent)]
    BadGame(#[from] BadGame),
    #[error(transparent)]
    Cannot(#[from] Cannot),
    #[error("{NAME_FORM}")]
    BadName,
    #[error("{LOOKS_ALIKE}")]
    LooksAlike,
    #[error("at least one seat must be \"me\" or \"friend\"")]
    NobodySits,
    #[error(transparent)]
    Failed(#[from] Failed),
    #[error(transparent)]
    TooBusy(#[from] crate::thinking::TooBusy),
}

impl Tables {
    /// Opens the tables of a store. The task ends once all handles are dropped and everything is written.
    pub fn open(store: Arc<dyn Store>, pause: std::time::Duration) -> (Tables, tokio::task::JoinHandle<()>) {
        Tables::open_with(store, pause, Limits::default())
    }

    /// Like [`Tables::open`], with other limits.
    pub fn open_with(
        store: Arc<dyn Store>,
        pause: std::time::Duration,
        limits: Limits,
    ) -> (Tables, tokio::task::JoinHandle<()>) {
        Tables::open_planted(store, pause, limits, Planted::default())
    }

    /// Opens with planted faults.
    #[doc(hidden)]
    pub fn open_planted(
        store: Arc<dyn Store>,
        pause: std::time::Duration,
        limits: Limits,
        planted: Planted,
    ) -> (Tables, tokio::task::JoinHandle<()>) {
        let metrics = Arc::new(Metrics::default());
        let rooms = Arc::new(RoomCache::new(Arc::clone(&store), metrics.stale_rooms.clone(), planted));
        let live = Arc::new(match store.bell() {
            Some(_) => Live::among_others(Arc::new(Outbox::new(ids::name()))),
            None => Live::default(),
        });
        let (writer, written) = Writer::start(
            Arc::clone(&store),
            Arc::clone(&rooms),
            Arc::clone(&live),
            Arc::clone(&metrics),
            planted,
        );
        let service = Service {
            store,
            rooms,
            live,
            clock: Clock::default(),
            thinking: Thinking::default(),
            rates: Rates::new(&limits),
            limits,
            metrics,
            turns: Turns::default(),
            tries: Tries::default(),
            daily: DailyDuels::default(),
            opened: Opened::default(),
            known: Known::default(),
            heard: Heard::default(),
            writer,
            considered: Arc::default(),
            pause,
        };
        let tables = Tables(Arc::new(service));
        (tables, written)
    }

    /// Checks that new sittings may be stored. The last tenth of the space is for moves in current rounds.
    pub(crate) async fn has_room(&self) -> Result<(), Failed> {
        let most = self.limits.data_bytes / 10 * 9;
        match self.store.bytes().await? < most {
            true => Ok(()),
            false => Err(Failed::Full),
        }
    }

    /// Takes the seat that an invitation's secret gives.
    pub async fn take_seat(
        &self,
        id: SittingId,
        secret: &Secret,
        name: Option<String>,
        holder: Hash,
    ) -> Result<(Player, Arc<Room>), Failed> {
        self.take_seat_in(id, secret, name, holder, None).await
    }

    /// Like [`Tables::take_seat`], if a class still lets pupils in.
    pub(crate) async fn take_seat_in(
        &self,
        id: SittingId,
        secret: &Secret,
        name: Option<String>,
        holder: Hash,
        open_class: Option<String>,
    ) -> Result<(Player, Arc<Room>), Failed> {
        let room = self.rooms.room(id).await?;
        let now = self.clock.now();
        let player = self.store.invitation(id, secret.hash(), now).await?.ok_or(Failed::NoInvitation)?;
        self.rates.admit_command(holder)?;
        let usual = match look_alike(&room.name(!player), &player.to_string()) {
            true => GUEST.to_owned(),
            false => player.to_string(),
        };
        let name = name.unwrap_or(usual);
        let access = Access {
            burns: Some(secret.hash()),
            seats: vec![(player, holder)],
            open_class,
            ..Access::default()
        };
        let request = Request {
            id,
            wants: Wants::Command(Command::TakeSeat { player, name }),
            holder: None,
            seats: vec![player],
            expected_seq: None,
            key: None,
            access,
            now,
        };
        match self.ask(request).await? {
            Done::Kept(room) => Ok((player, room)),
            Done::Again(_) => Err(Failed::KeyUsed),
        }
    }

    /// Lets another device take over this holder's seats with a code.
    pub(crate) async fn offer_move(&self, id: SittingId, holder: Hash, code: &str) -> Result<(), Failed> {
        let seats = self.store.seats(id, holder).await?;
        if seats.is_empty() {
            return Err(Refusal::NotYourSeat.into());
        }
        self.rates.admit_command(holder)?;
        let now = self.clock.now();
        let until = Some(now.saturating_add(TIME_OF_A_DEVICE_CODE));
        let invites = seats.iter().zip(DEVICE_SECRETS);
        let invites = invites.map(|(player, kind)| Invitation {
            secret: Hash::digest(format!("{kind} {code}")),
            player: *player,
            until,
        });
        let access = Access { invites: invites.collect(), ..Access::default() };
        let wants = Wants::Access;
        let holder = Some(holder);
        let request = Request { id, wants, holder, seats, expected_seq: None, key: None, access, now };
        self.ask(request).await.map(|_| ())
    }

    /// Whether a device code for this sitting is still valid.
    pub(crate) async fn is_moving(&self, id: SittingId, code: &str) -> Result<bool, Failed> {
        let secret = Hash::digest(format!("{} {code}", DEVICE_SECRETS[0]));
        Ok(self.store.invitation(id, secret, self.clock.now()).await?.is_some())
    }

    /// Whether a device code is valid for any sitting.
    pub(crate) async fn is_device_code(&self, code: &str) -> Result<bool, Failed> {
        let secret = Hash::digest(format!("{} {code}", DEVICE_SECRETS[0]));
        Ok(self.store.invited_where(secret, self.clock.now()).await?.is_some())
    }

    /// Moves a code's seats to this device. If a seat is still open, the new device's secret also becomes an invitation
    /// to it, since the new device's board shows that secret.
    pub(crate) async fn move_seat(
        &self,
        code: &str,
        holder: Hash,
        invitation: impl FnOnce(SittingId) -> Secret,
    ) -> Result<SittingId, Failed> {
        let now = self.clock.now();
        let [secret, second] = DEVICE_SECRETS.map(|kind| Hash::digest(format!("{kind} {code}")));
        let found = self.store.invited_where(secret, now).await?;
        let (id, player) = found.ok_or(Failed::NoInvitation)?;
        let other = self.store.invitation(id, second, now).await?;
        let players: Vec<Player> = [Some(player), other].into_iter().flatten().collect();
        let room = self.rooms.room(id).await?;
        let open = Player::BOTH.into_iter().find(|player| room.is_open(*player));
        let invites = open.map(|player| Invitation { secret: invitation(id).hash(), player, until: None });
        let access = Access {
            burns: Some(secret),
            invites: invites.into_iter().collect(),
            seats: players.iter().map(|player| (*player, holder)).collect(),
            ..Access::default()
        };
        let wants = Wants::Command(Command::MoveSeat { player });
        let seats = players;
        let request = Request { id, wants, holder: None, seats, expected_seq: None, key: None, access, now };
        self.ask(request).await?;
        Ok(id)
    }

    /// Whether a holder has a seat. Looks again before it says no.
    async fn holds_seat(&self, id: SittingId, holder: Hash) -> Result<bool, Failed> {
        if !self.rooms.seats(id, holder).await?.is_empty() {
            return Ok(true);
        }
        Ok(self.rooms.is_shared() && !self.rooms.current(id).await?.seats(holder).is_empty())
    }

    /// Counts a command. Strangers' commands are refused later and don't use up their network's share.
    async fn count(&self, id: SittingId, holder: Hash) -> Result<(), Failed> {
        self.rates.commands(id, holder)?;
        if self.holds_seat(id, holder).await? {
            self.rates.admit_command(holder)?;
        }
        Ok(())
    }

    /// Carries out a command from a seat's holder.
    pub async fn act(
        &self,
        id: SittingId,
        holder: Hash,
        command: Command,
        expected_seq: Option<u64>,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, Failed> {
        self.count(id, holder).await?;
        self.carry_out(id, holder, command, expected_seq, key).await
    }

    /// Like [`Tables::act`], for a command already counted by the rate limit.
    async fn carry_out(
        &self,
        id: SittingId,
        holder: Hash,
        command: Command,
        expected_seq: Option<u64>,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, Failed> {
        // A new round needs room; moves in this one don't.
        let is_new_round = matches!(
            command,
            Command::Offer(Offer::Rematch | Offer::AnotherTarget) | Command::PlayAgain { .. }
        );
        if is_new_round {
            self.has_room().await?;
        }
        // Refused here, so that strangers never load the writer.
        if !self.holds_seat(id, holder).await? {
            return Err(Refusal::NotYourSeat.into());
        }
        // In a class there is no invitation: Spot On pairs pupils.
        if command == Command::Cancel && self.store.class_of(id).await?.is_some() {
            return Err(Refusal::NoInvitation.into());
        }
        let wants = Wants::Command(command);
        let request = Request {
            id,
            wants,
            holder: Some(holder),
            seats: vec![],
            expected_seq,
            key,
            access: Access::default(),
            now: self.clock.now(),
        };
        match self.ask(request).await? {
            Done::Kept(room) => Ok(room),
            Done::Again(seq) => self.as_it_was(id, seq).await,
        }
    }

    /// Starts the next round; between two people, offers or accepts it.
    pub async fn next_round(
        &self,
        id: SittingId,
        holder: Hash,
        NextRound { another_target, swap_seats }: NextRound,
        expected_seq: Option<u64>,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, NoTable> {
        self.count(id, holder).await?;
        let room = self.rooms.room(id).await?;
        let is_alone = room.sitting().can_swap_seats();
        let holds_seat = !self.rooms.seats(id, holder).await?.is_empty();
        let command = if is_alone && room.is_over() && holds_seat {
            let found = self.next_first(id, &room, another_target, holder);
            let found = tokio::time::timeout(TIME_TO_THINK, found).await;
            // If the solution isn't ready in time, the starter alternates.
            let first = found.ok().and_then(Result::ok).unwrap_or(!room.sitting().round().first());
            Command::PlayAgain { first: if swap_seats { !first } else { first }, another_target }
        } else if swap_seats && !is_alone {
            return Err(Failed::from(Refusal::from(Cannot::SeatsAreFixed)).into());
        } else {
            Command::Offer(if another_target { Offer::AnotherTarget } else { Offer::Rematch })
        };
        Ok(self.carry_out(id, holder, command, expected_seq, key).await?)
    }

    /// The player who starts the next round against a computer, unless the person swaps seats. A class in discovery
    /// mode also keeps the winning seat of its pupils' other rounds secret.
    pub async fn next_first(
        &self,
        id: SittingId,
        room: &Arc<Room>,
        another_target: bool,
        holder: Hash,
    ) -> Result<Player, NoTable> {
        if discovery::of_round(self, id, room, Some(holder)).await?.hides(Spoiler::Values) {
            return Ok(!room.sitting().round().first());
        }
        let asked = Arc::clone(room);
        let found = self.thinking.moves(game(room), TIME_TO_THINK, move |ahead| {
            let mut later = asked.sitting().clone();
            if another_target {
                later.act(sitting::Command::AnotherTarget)?;
            }
            later.next_first(ahead)
        });
        Ok(found.await??)
    }

    /// The room after a given event.
    pub(crate) async fn as_it_was(&self, id: SittingId, seq: u64) -> Result<Arc<Room>, Failed> {
        let room = self.rooms.room(id).await?;
        if room.seq() == seq {
            return Ok(room);
        }
        let most = usize::try_from(seq).unwrap_or(usize::MAX);
        let log = self.store.events(id, 0, most).await?;
        Room::replay(&log).map_err(|_| Failed::Damaged)?.map(Arc::new).ok_or(Failed::Unknown)
    }

    /// A hint for the player to move, or the reasons (`why`). Only the player who asked gets the text.
    pub(crate) async fn advise(
        &self,
        id: SittingId,
        holder: Hash,
        why: bool,
        expected_seq: Option<u64>,
    ) -> Result<(String, Arc<Room>), NoTable> {
        self.count(id, holder).await?;
        let seated = self.rooms.current(id).await?;
        let room = Arc::clone(&seated.room);
        // Checks permission before the expensive part.
        may_ask(&seated, holder, self.clock.now())?;
        if discovery::of_round(self, id, &room, Some(holder)).await?.hides(Spoiler::Advice) {
            return Ok((phrases::NO_ANSWERS.to_owned(), room));
        }
        let asked = Arc::clone(&room);
        let told = self.thinking.question(game(&room), TIME_TO_THINK, move |ahead| {
            let mut sitting = asked.sitting().clone();
            match why {
                true => {
                    let (said, event) = sitting.why(ahead)?;
                    // Recorded, so that the opponent sees it.
                    let told_first = !sitting.is_explained() && !sitting.view().hides(Spoiler::Advice);
                    let event = event.or_else(|| told_first.then_some(sitting::Event::ReasonsTold));
                    Ok((said.join("\n"), event))
                }
                false => sitting.hint(ahead),
            }
        });
        let (said, event) = told.await??;
        let room = match event {
            Some(event) => {
                let seq = expected_seq.unwrap_or(room.seq());
                self.carry_out(id, holder, Command::Tell(event), Some(seq), None).await?
            }
            // The same hint again. The seat may have moved to another device meanwhile.
            None => {
                let seated = self.rooms.current(id).await?;
                may_ask(&seated, holder, self.clock.now())?;
                seated.room
            }
        };
        Ok((said, room))
    }

    async fn ask(&self, request: Request) -> Result<Done, Failed> {
        let id = request.id;
        let done = self.writer.ask(request).await?;
        if let Done::Kept(room) = &done
            && room.listed().waits_for == WaitsFor::Computer
        {
            self.let_computer_play(id);
        }
        Ok(done)
    }

    /// Picks up sittings where it's a computer's turn but no job is running: the server was restarted or too busy.
    pub async fn sweep(self, mut stop: watch::Receiver<bool>) {
        loop {
            let since = self.clock.now().saturating_sub(u64::try_from(SWEEP.as_millis()).unwrap_or(0));
            if let Ok(waiting) = self.store.waiting_computers(since, MOST_SWEPT).await {
                for id in waiting {
                    self.let_computer_play(id);
                }
            }
            tokio::select! {
                biased;
                () = tokio::time::sleep(SWEEP) => {}
                () = told_to_stop(&mut stop) => return,
            }
        }
    }

    /// Starts the computer's move. It goes through the same writer as a person's.
    pub fn let_computer_play(&self, id: SittingId) {
        let tables = self.clone();
        tokio::spawn(async move {
            if let Err(failed) = tables.computer_plays(id).await {
                // Another event was faster, or the sweep retries later.
                tracing::debug!("a computer didn't move: {failed}");
            }
        });
    }

    /// A move by [`SHORT_SIGHTED`], which looks only a few moves ahead.
    async fn short_sighted_move(&self, room: &Arc<Room>) -> Result<String, NoTable> {
        let (asked, opponent) = (Arc::clone(room), Opponent::parse(SHORT_SIGHTED).map_err(Cannot::from)?);
        let thinks = self.thinking.question(game(room), TIME_TO_THINK, move |ahead| {
            let (round, setup) = (asked.sitting().round(), asked.sitting().setup());
            let draw = setup.dice.draw(setup.round_number, round.history().len());
            let choice = ahead.chances(opponent, round)?.pick(draw).ok_or(Cannot::RoundIsOver)?;
            Ok::<_, Cannot>(round.rulebook().write(Move::Operation(choice)))
        });
        Ok(thinks.await??)
    }

    /// Makes the computer's move, unless a job is thinking about it already.
    ///
    /// # Errors
    ///
    /// Fails if there is no move to make, another event was faster, or the server is too busy.
    pub async fn computer_plays(&self, id: SittingId) -> Result<(), NoTable> {
        let room = self.rooms.room(id).await?;
        if room.listed().waits_for != WaitsFor::Computer {
            return Ok(());
        }
        // The sweep may find the same turn again.
        let Some(considered) = Considered::begin(&self.considered, (id, room.seq())) else { return Ok(()) };
        let asked = Arc::clone(&room);
        let thinks = self.thinking.moves(game(&room), TIME_TO_THINK, move |ahead| {
            let mut sitting = asked.sitting().clone();
            let choice = sitting.computers_choice(ahead)?;
            let a_move = choice.map(Move::Operation);
            Ok::<_, Cannot>(a_move.map(|a_move| sitting.rulebook().write(a_move)))
        });
        let (thought, ()) = tokio::join!(thinks, tokio::time::sleep(self.pause));
        let written = match thought? {
            // Without a solution, the round continues with a weaker move.
            Err(why @ (Cannot::Unsolved(_) | Cannot::NeedsSolution)) if !self.thinking.is_ending() => {
                tracing::warn!("no solution for a computer's move, so it plays a weaker one: {why}");
                Some(self.short_sighted_move(&room).await?)
            }
            thought => thought?,
        };
        let written = written.ok_or(NoTable::Failed(Failed::Refused(Refusal::NotYourTurn)))?;
        drop(considered);
        let request = Request {
            id,
            wants: Wants::Command(Command::ComputerMoves(written)),
            holder: None,
            seats: vec![],
            expected_seq: Some(room.seq()),
            key: None,
            access: Access::default(),
            now: self.clock.now(),
        };
        // Recursive: after a skipped turn the computer moves again.
        Box::pin(self.ask(request)).await?;
        Ok(())
    }
}

/// The choices for the next round.
#[derive(Clone, Copy, Debug, Default)]
pub struct NextRound {
    pub another_target: bool,
    /// Whether the person takes the other seat.
    pub swap_seats: bool,
}

/// A guard: a computer is thinking about this turn until it is dropped.
struct Considered {
    all: Arc<Mutex<HashSet<(SittingId, u64)>>>,
    turn: (SittingId, u64),
}

impl Considered {
    /// Returns `None` if a job is thinking about it already.
    fn begin(all: &Arc<Mutex<HashSet<(SittingId, u64)>>>, turn: (SittingId, u64)) -> Option<Considered> {
        let is_new = all.lock().unwrap_or_else(PoisonError::into_inner).insert(turn);
        is_new.then(|| Considered { all: Arc::clone(all), turn })
    }
}

impl Drop for Considered {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.turn);
    }
}

/// The kinds of secret behind a device code: the first seat, and the second if one device has both.
const DEVICE_SECRETS: [&str; 2] = ["device", "second seat of device"];

/// Checks that a holder may get a hint now.
fn may_ask(seated: &Seated, holder: Hash, now: Millis) -> Result<(), Failed> {
    let asks = Command::Tell(sitting::Event::HintTold);
    seated.room.decide(&seated.seats(holder), &asks, now)?;
    Ok(())
}

/// Identifies the game of a room.
pub fn game(room: &Room) -> Hash {
    Hash::digest(room.sitting().rulebook().whole_line())
}
