//! What pages and the JSON interface both call: a table is set, taken a seat at and played at. Here it is seen who may.

mod setting;

use std::ops::Deref;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use spoton::engine::position::Player;
use spoton::format::BadGame;
use spoton::sitting::{self, Cannot};

use crate::ids::{Hash, Secret, SittingId};
use tokio::sync::watch;

use crate::books::Opened;
use crate::classes::Turns;
use crate::codes::Tries;
use crate::duels::Duels;
use crate::facts::Known;
use crate::heads::Heads;
use crate::limits::{Limits, MOST_SWEPT, SWEEP, TIME_OF_A_DEVICE_CODE, TIME_TO_THINK};
use crate::live::Live;
use crate::operation::metrics::Metrics;
use crate::rates::Rates;
use crate::room::{Command, Refusal, Room};
use crate::serve::told_to_stop;
use crate::store::{Invitation, Millis, Store, WaitsFor};
use crate::thinking::Thinking;
use crate::writer::{Access, Done, Failed, Request, Wants, Writer};
pub use setting::{NewSeat, NewTable, Terms, find_game};

/// All tables, and who serves them. Every request has its own hold of it.
#[derive(Clone)]
pub struct Tables(Arc<Service>);

/// Who serves the tables.
pub struct Service {
    pub store: Arc<dyn Store>,
    pub heads: Arc<Heads>,
    pub live: Arc<Live>,
    pub thinking: Thinking,
    pub limits: Limits,
    pub rates: Rates,
    pub metrics: Arc<Metrics>,
    pub turns: Turns,
    pub tries: Tries,
    pub duels: Duels,
    pub opened: Opened,
    pub known: Known,
    writer: Writer,
    /// How long a computer seems to think.
    pause: std::time::Duration,
}

impl Deref for Tables {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.0
    }
}

/// What somebody is called whose own name is the other player's.
pub const GUEST: &str = "Guest";

/// Why there is no such table.
#[derive(Debug, thiserror::Error)]
pub enum NoTable {
    #[error(transparent)]
    BadGame(#[from] BadGame),
    #[error(transparent)]
    Cannot(#[from] Cannot),
    #[error("a name has 1 to 32 plain characters, and is not the other player's")]
    BadName,
    #[error("somebody has to sit at the table: one of the seats is \"me\" or \"friend\"")]
    NobodySits,
    #[error(transparent)]
    Failed(#[from] Failed),
    #[error(transparent)]
    TooBusy(#[from] crate::thinking::TooBusy),
}

/// The time now.
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Tables {
    /// Tables that are kept in a store. The task ends when the tables are gone and all is written.
    pub fn open(store: Arc<dyn Store>, pause: std::time::Duration) -> (Tables, tokio::task::JoinHandle<()>) {
        Tables::open_with(store, pause, Limits::default())
    }

    /// The same, with other limits.
    pub fn open_with(
        store: Arc<dyn Store>,
        pause: std::time::Duration,
        limits: Limits,
    ) -> (Tables, tokio::task::JoinHandle<()>) {
        let heads = Arc::new(Heads::new(Arc::clone(&store)));
        let live = Arc::new(Live::default());
        let metrics = Arc::new(Metrics::default());
        let (writer, written) =
            Writer::start(Arc::clone(&store), Arc::clone(&heads), Arc::clone(&live), Arc::clone(&metrics));
        let service = Service {
            store,
            heads,
            live,
            thinking: Thinking::default(),
            rates: Rates::new(&limits),
            limits,
            metrics,
            turns: Turns::default(),
            tries: Tries::default(),
            duels: Duels::default(),
            opened: Opened::default(),
            known: Known::default(),
            writer,
            pause,
        };
        let tables = Tables(Arc::new(service));
        (tables, written)
    }

    /// Whether something new may be kept: a sitting, or a rule book.
    pub async fn has_room(&self) -> Result<(), Failed> {
        let most = self.limits.data_bytes / 10 * 9;
        match self.store.bytes().await? < most {
            true => Ok(()),
            false => Err(Failed::Full),
        }
    }

    /// Takes the seat that a secret gives.
    pub async fn take_seat(
        &self,
        id: SittingId,
        secret: &Secret,
        name: Option<String>,
        holder: Hash,
    ) -> Result<(Player, Arc<Room>), Failed> {
        let room = self.heads.room(id).await?;
        let now = now();
        let player = self.store.invitation(id, secret.hash(), now).await?.ok_or(Failed::NoInvitation)?;
        let usual =
            if room.name(!player) == player.to_string() { GUEST.to_owned() } else { player.to_string() };
        let name = name.unwrap_or(usual);
        let access =
            Access { burns: Some(secret.hash()), seats: vec![(player, holder)], ..Access::default() };
        let request = Request {
            id,
            wants: Wants::Command(Command::TakeSeat { player, name }),
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

    /// Lets whoever brings a code sit down in the place of the holder of a seat, on another device.
    pub async fn offer_move(&self, id: SittingId, holder: Hash, code: &str) -> Result<(), Failed> {
        let seats = self.store.seats(id, holder).await?;
        if seats.is_empty() {
            return Err(Refusal::NotYourSeat.into());
        }
        let now = now();
        let until = Some(now.saturating_add(TIME_OF_A_DEVICE_CODE));
        let invites = seats.iter().zip(DEVICE_SECRETS);
        let invites = invites.map(|(player, kind)| Invitation {
            secret: Hash::of(format!("{kind} {code}")),
            player: *player,
            until,
        });
        let access = Access { invites: invites.collect(), ..Access::default() };
        let wants = Wants::Access;
        let request = Request { id, wants, seats, expected_seq: None, key: None, access, now };
        self.ask(request).await.map(|_| ())
    }

    /// Whether a code for another device is still good.
    pub async fn is_moving(&self, id: SittingId, code: &str) -> Result<bool, Failed> {
        let secret = Hash::of(format!("{} {code}", DEVICE_SECRETS[0]));
        Ok(self.store.invitation(id, secret, now()).await?.is_some())
    }

    /// Moves the seats that a code stands for to this device. If somebody is still to come, they are invited with the
    /// new device's secret as well, since that one is what its board shows.
    pub async fn move_seat(
        &self,
        code: &str,
        holder: Hash,
        invitation: impl FnOnce(SittingId) -> Secret,
    ) -> Result<SittingId, Failed> {
        let now = now();
        let [secret, second] = DEVICE_SECRETS.map(|kind| Hash::of(format!("{kind} {code}")));
        let found = self.store.invited_where(secret, now).await?;
        let (id, player) = found.ok_or(Failed::NoInvitation)?;
        let other = self.store.invitation(id, second, now).await?;
        let players: Vec<Player> = [Some(player), other].into_iter().flatten().collect();
        let room = self.heads.room(id).await?;
        let open = Player::BOTH.into_iter().find(|player| room.is_open(*player));
        let invites = open.map(|player| Invitation { secret: invitation(id).hash(), player, until: None });
        let access = Access {
            burns: Some(secret),
            invites: invites.into_iter().collect(),
            seats: players.iter().map(|player| (*player, holder)).collect(),
            book: None,
        };
        let wants = Wants::Command(Command::MoveSeat { player });
        let request = Request { id, wants, seats: players, expected_seq: None, key: None, access, now };
        self.ask(request).await?;
        Ok(id)
    }

    /// Does what the holder of a seat wants.
    pub async fn act(
        &self,
        id: SittingId,
        holder: Hash,
        command: Command,
        expected_seq: Option<u64>,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, Failed> {
        self.rates.commands(id, holder)?;
        let seats = self.heads.seats(id, holder).await?;
        if seats.is_empty() {
            // Whoever has no seat here does not get as far as the one who writes.
            return Err(Refusal::NotYourSeat.into());
        }
        let wants = Wants::Command(command);
        let request = Request { id, wants, seats, expected_seq, key, access: Access::default(), now: now() };
        match self.ask(request).await? {
            Done::Kept(room) => Ok(room),
            Done::Again(seq) => self.as_it_was(id, seq).await,
        }
    }

    /// A room after one of its events.
    pub async fn as_it_was(&self, id: SittingId, seq: u64) -> Result<Arc<Room>, Failed> {
        let room = self.heads.room(id).await?;
        if room.seq() == seq {
            return Ok(room);
        }
        let most = usize::try_from(seq).unwrap_or(usize::MAX);
        let log = self.store.events(id, 0, most).await?;
        Room::replay(&log).map_err(|_| Failed::Damaged)?.map(Arc::new).ok_or(Failed::Unknown)
    }

    /// A hint for the player on turn, or the reasons; the text is for whoever asked alone.
    pub async fn advise(
        &self,
        id: SittingId,
        holder: Hash,
        why: bool,
        expected_seq: Option<u64>,
    ) -> Result<(String, Arc<Room>), NoTable> {
        self.rates.commands(id, holder).map_err(Failed::from)?;
        let seats = self.heads.seats(id, holder).await?;
        let room = self.heads.room(id).await?;
        // Whether it may be told comes before the work.
        let allowed = room.decide(&seats, &Command::Tell(sitting::Event::HintTold), now());
        allowed.map_err(|refusal| NoTable::Failed(refusal.into()))?;
        let asked = Arc::clone(&room);
        let told = self.thinking.soon(game(&room), TIME_TO_THINK, move |ahead| {
            let mut sitting = asked.sitting().clone();
            match why {
                true => {
                    let (said, event) = sitting.why(ahead)?;
                    // The other player sees that something was told.
                    let told_first = !sitting.is_explained() && !sitting.setup().help.discover;
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
                self.act(id, holder, Command::Tell(event), Some(seq), None).await?
            }
            None => room,
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

    /// Picks up sittings in which a computer is on turn and nobody thinks: the server was stopped meanwhile, or too much
    /// was going on.
    pub async fn sweep(self, mut stop: watch::Receiver<bool>) {
        loop {
            let since = now().saturating_sub(u64::try_from(SWEEP.as_millis()).unwrap_or(0));
            if let Ok(waiting) = self.store.waiting_computers(since, MOST_SWEPT).await {
                for id in waiting {
                    self.let_computer_play(id);
                }
            }
            tokio::select! {
                () = tokio::time::sleep(SWEEP) => {}
                () = told_to_stop(&mut stop) => return,
            }
        }
    }

    /// The computer on turn makes its move, through the same door as everybody.
    pub fn let_computer_play(&self, id: SittingId) {
        let tables = self.clone();
        tokio::spawn(async move {
            if let Err(failed) = tables.computer_plays(id).await {
                // Somebody was faster, or it is picked up again later.
                tracing::debug!("a computer has not moved: {failed}");
            }
        });
    }

    async fn computer_plays(&self, id: SittingId) -> Result<(), NoTable> {
        let room = self.heads.room(id).await?;
        if room.listed().waits_for != WaitsFor::Computer {
            return Ok(());
        }
        let asked = Arc::clone(&room);
        let thinks = self.thinking.soon(game(&room), TIME_TO_THINK, move |ahead| {
            let mut sitting = asked.sitting().clone();
            let choice = sitting.computers_choice(ahead)?;
            let a_move = choice.map(spoton::engine::play::Move::Operation);
            Ok::<_, Cannot>(a_move.map(|a_move| sitting.rulebook().write(a_move)))
        });
        let (thought, ()) = tokio::join!(thinks, tokio::time::sleep(self.pause));
        let written = thought??.ok_or(NoTable::Failed(Failed::Refused(Refusal::NotYourTurn)))?;
        let request = Request {
            id,
            wants: Wants::Command(Command::ComputerMoves(written)),
            seats: vec![],
            expected_seq: Some(room.seq()),
            key: None,
            access: Access::default(),
            now: now(),
        };
        // Two computers in a row, where a turn is skipped, come back here.
        Box::pin(self.ask(request)).await?;
        Ok(())
    }
}

/// What the codes for other devices are kept under: the first of them with the first seat, the second with the other,
/// if somebody plays both.
const DEVICE_SECRETS: [&str; 2] = ["device", "second seat of device"];

/// What the game of a room is known by.
fn game(room: &Room) -> Hash {
    Hash::of(room.sitting().rulebook().whole_line())
}
