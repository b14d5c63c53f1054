//! What pages and the JSON interface both call: a table is set, taken a seat at and played at. Here it is seen who may.

use std::ops::Deref;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{BadGame, BookText, Changes, Game, is_hidden};
use spoton::people::opponent::Opponent;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::{Attempt, Duel};
use spoton::records::{Record, is_name};
use spoton::sitting::{self, Cannot, Dice, Help, Lookahead, Setup, Sitting};

use crate::ids::{Hash, Secret, SittingId, random};
use tokio::sync::watch;

use crate::books::Opened;
use crate::classes::Turns;
use crate::codes::Tries;
use crate::duels::Duels;
use crate::facts::Known;
use crate::heads::Heads;
use crate::limits::{Limits, MOST_LOOKED_THROUGH, MOST_SWEPT, SWEEP, TIME_OF_A_DEVICE_CODE, TIME_TO_THINK};
use crate::live::Live;
use crate::operation::metrics::Metrics;
use crate::rates::{Rates, TooMany};
use crate::room::{Command, Event, Refusal, Room};
use crate::serve::told_to_stop;
use crate::store::{Book, Invitation, Millis, Store, WaitsFor};
use crate::thinking::Thinking;
use crate::writer::{Access, Done, Failed, Request, Wants, Writer, again};

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

/// A table to be set.
#[derive(Clone, Debug)]
pub struct NewTable {
    pub game: Game,
    /// The text of the rule book, if it is not one of ours.
    pub book: Option<String>,
    pub seats: ByPlayer<NewSeat>,
    pub first: Player,
    pub terms: Terms,
}

/// Who is to sit somewhere.
#[derive(Clone, Debug, PartialEq)]
pub enum NewSeat {
    /// Whoever sets the table.
    Me {
        name: Option<String>,
    },
    /// Whoever is invited.
    Friend,
    Computer(Opponent),
}

/// What is settled beside the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub hints: bool,
    pub take_back: bool,
    pub discover: bool,
}

impl Terms {
    /// Whether hints are told: where everything is to be found out, they are not.
    fn tells_hints(self) -> bool {
        self.hints && !self.discover
    }
}

/// What is settled when a sitting begins.
struct Beginning {
    setup: Setup,
    names: ByPlayer<Option<String>>,
    hints: bool,
    /// The sitting and the round that is played on.
    from: Option<(SittingId, usize)>,
}

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

    /// Whether somebody may begin another sitting. If they have very many that are not finished, the oldest without a
    /// move makes room.
    async fn may_begin(&self, holder: Hash) -> Result<(), Failed> {
        self.rates.begins(holder)?;
        self.has_room().await?;
        let sittings = self.store.sittings_of(holder, MOST_LOOKED_THROUGH).await?;
        let unfinished: Vec<_> =
            sittings.iter().filter(|(_, listed)| listed.waits_for != WaitsFor::Nobody).collect();
        if unfinished.len() < self.limits.unfinished_of_a_browser {
            return Ok(());
        }
        // The latest come first.
        let oldest = unfinished.iter().rev().find(|(_, listed)| !listed.moved);
        let (id, _) = oldest.ok_or(TooMany::UNFINISHED)?;
        self.store.remove(*id).await?;
        self.heads.forget(*id);
        Ok(())
    }

    /// Sets a table. `holder` gets the seats that are `me`; a friend comes by the secret.
    pub async fn set(
        &self,
        id: SittingId,
        table: NewTable,
        holder: Hash,
        secret: &Secret,
    ) -> Result<Arc<Room>, NoTable> {
        self.set_once(id, table, holder, secret, None).await
    }

    /// Sets a table, once for each key: whoever tries again gets the one that was set.
    pub async fn set_once(
        &self,
        id: SittingId,
        table: NewTable,
        holder: Hash,
        secret: &Secret,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, NoTable> {
        if let Some((used, _)) = key
            && let Some(asked) = self.store.asked(used).await.map_err(Failed::from)?
        {
            let Done::Again(seq) = again(&asked, key)? else { return Err(Failed::KeyUsed.into()) };
            return Ok(self.as_it_was(id, seq).await?);
        }
        self.may_begin(holder).await?;
        let NewTable { game, book, seats, first, terms } = table;
        let own = |seat: &NewSeat| matches!(seat, NewSeat::Me { .. });
        let computers = ByPlayer::from_fn(|player| match &seats[player] {
            NewSeat::Computer(opponent) => Some(*opponent),
            NewSeat::Me { .. } | NewSeat::Friend => None,
        });
        if computers.0.iter().all(Option::is_some) {
            return Err(NoTable::NobodySits);
        }
        let dice = Dice::new(u64::from_le_bytes(random()));
        let mut setup = Setup::new(game, computers, first, dice);
        setup.help = Help { discover: terms.discover, ..Help::default() };
        setup.undo = terms.take_back;
        // The duel of a day: what counts cannot be taken back, and the same moves meet the same answers everywhere.
        if let Some(day) = Duel::day_of(setup.game.id()).filter(|_| setup.game.book.own_file) {
            setup.today = Some(Attempt::new(day, !terms.take_back));
            setup.dice = Dice::new(day.number());
        }
        let names = ByPlayer::from_fn(|player| match &seats[player] {
            NewSeat::Me { name } => Some(name.clone().unwrap_or_else(|| player.to_string())),
            NewSeat::Friend | NewSeat::Computer(_) => None,
        });
        let fits = |name: &String| is_name(name) && !name.chars().any(is_hidden);
        let others = ByPlayer::from_fn(|player: Player| {
            names[player].clone().unwrap_or_else(|| setup.names[player].clone())
        });
        if !names.0.iter().flatten().all(fits) || others.0[0] == others.0[1] {
            return Err(NoTable::BadName);
        }
        let book = book.map(|text| Book { hash: Hash::of(&text), text });
        let guests = Player::BOTH.into_iter().filter(|player| seats[*player] == NewSeat::Friend);
        let access = Access {
            burns: None,
            invites: guests.map(|player| Invitation { secret: secret.hash(), player, until: None }).collect(),
            seats: Player::BOTH
                .into_iter()
                .filter(|player| own(&seats[*player]))
                .map(|player| (player, holder))
                .collect(),
            book,
        };
        let beginning = Beginning { setup, names, hints: terms.tells_hints(), from: None };
        self.begin(id, beginning, access, key).await
    }

    /// Sets a table to play a round of another on after so many of its moves: against the same computer as in the record, else on
    /// one screen. `holder` gets every seat that is no computer's.
    pub async fn play_on(
        &self,
        id: SittingId,
        from: (SittingId, usize),
        (record, moves): (&Record, usize),
        terms: Terms,
        book: Option<Book>,
        holder: Hash,
    ) -> Result<Arc<Room>, NoTable> {
        let dice = Dice::new(u64::from_le_bytes(random()));
        let mut setup = Setup::from_record(record, moves, dice)?;
        if setup.resumed.as_ref().is_none_or(|round| round.outcome().is_some()) {
            return Err(Cannot::RoundIsOver.into());
        }
        setup.help = Help { discover: terms.discover, ..Help::default() };
        setup.undo = terms.take_back;
        setup.tried_out = true;
        let names = ByPlayer::from_fn(|player| {
            setup.computers[player].is_none().then(|| setup.names[player].clone())
        });
        let people = Player::BOTH.into_iter().filter(|player| setup.computers[*player].is_none());
        let seats = people.map(|player| (player, holder)).collect();
        let access = Access { seats, book, ..Access::default() };
        self.may_begin(holder).await?;
        let beginning = Beginning { setup, names, hints: terms.tells_hints(), from: Some(from) };
        self.begin(id, beginning, access, None).await
    }

    async fn begin(
        &self,
        id: SittingId,
        Beginning { setup, names, hints, from }: Beginning,
        access: Access,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, NoTable> {
        // An opponent that has to see through the game, and cannot, says so now. Between people nobody has to think.
        let is_thought_about = setup.computers.0.iter().any(Option::is_some);
        let known_by = Hash::of(&setup.game.book.text);
        let begin = move |ahead: &mut Lookahead<'_>| Sitting::begin(setup.clone(), ahead);
        let (_, begun) = match is_thought_about {
            true => self.thinking.soon(known_by, TIME_TO_THINK, begin).await??,
            false => begin(&mut Lookahead { games: &SolvedGames::new(0), keep_going: &mut |_| false })?,
        };
        let sitting::Event::Begun { text } = begun else { return Err(NoTable::NobodySits) };
        let book = access.book.as_ref().map(|book| book.hash.short());
        let request = Request {
            id,
            wants: Wants::Create(Event::Created { text, names, hints, book, from }),
            seats: access.seats.iter().map(|(player, _)| *player).collect(),
            expected_seq: None,
            key,
            access,
            now: now(),
        };
        match self.ask(request).await? {
            Done::Kept(room) => Ok(room),
            Done::Again(seq) => Ok(self.as_it_was(id, seq).await?),
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

    /// The gentlest opponent of a game, and who starts so that a person in the first seat can win.
    pub async fn gentlest(&self, game: &Game) -> Result<(NewSeat, Player), NoTable> {
        let game = game.clone();
        let found = self.thinking.about(TIME_TO_THINK, move |ahead| Setup::gentle(game, Dice::new(0), ahead));
        let setup = found.await??;
        let opponent = setup.computers[Player::Two].unwrap_or_else(Opponent::perfect);
        Ok((NewSeat::Computer(opponent), setup.first))
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

/// A game by its name, or by the text of a rule book.
pub fn find_game(name: Option<&str>, text: Option<&str>, changes: &Changes) -> Result<Option<Game>, BadGame> {
    let book = match (name, text) {
        (_, Some(text)) => {
            let (id, source_name) = ("own".to_owned(), "rule book".to_owned());
            Some(BookText { id, own_file: true, source_name, text: text.to_owned() })
        }
        (Some(name), None) => BookText::shipped(name),
        (None, None) => None,
    };
    let game = |book: BookText| {
        let name = book.id.clone();
        Game::new(book, name, changes)
    };
    book.map(game).transpose()
}
