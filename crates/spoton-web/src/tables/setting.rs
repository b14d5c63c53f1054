//! Setting up a table: seats, game and terms.

use std::sync::Arc;

use spoton::design::today::{Attempt, Duel};
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{BookText, Changes, Game};
use spoton::records::Record;
use spoton::sitting::{self, Cannot, Dice, Help, Lookahead, Setup, Sitting};
use spoton::solved::SolvedGames;
use spoton_host::{Finder, NoGame};

use super::{NoTable, Tables};
use crate::ids::{Hash, Secret, SittingId, random};
use crate::limits::{BYTES_OF_A_ROUND, MOST_LOOKED_THROUGH, TIME_TO_THINK, stored_bytes};
use crate::names;
use crate::rates::TooMany;
use crate::room::{self, Event, Room};
use crate::store::{Book, Invitation, Stored, WaitsFor};
use crate::tables::books;
use crate::tables::facts;
use crate::tables::writer::{Access, Done, Failed, Request, Wants, again};

/// A table to set.
#[derive(Clone, Debug)]
pub struct NewTable {
    pub game: Game,
    /// The rule book's text, if it isn't a shipped one.
    pub book: Option<String>,
    pub seats: ByPlayer<NewSeat>,
    pub first: Player,
    pub terms: Terms,
}

/// The player for a seat.
#[derive(Clone, Debug, PartialEq)]
pub enum NewSeat {
    /// The person who sets up the table.
    Me {
        name: Option<String>,
    },
    /// The invited person.
    Friend,
    Computer(Opponent),
}

/// A round's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub hints: bool,
    pub take_back: bool,
    pub discover: bool,
}

impl Terms {
    /// Whether hints are available. Discovery mode turns them off.
    fn tells_hints(self) -> bool {
        self.hints && !self.discover
    }
}

/// A new sitting.
struct Beginning {
    setup: Setup,
    names: ByPlayer<Option<String>>,
    hints: bool,
    /// The sitting and round that this one continues.
    from: Option<(SittingId, usize)>,
}

impl Tables {
    /// Checks that a browser may start another sitting. At its limit of unfinished ones, removes the oldest without a
    /// move.
    async fn may_begin(&self, holder: Hash) -> Result<(), Failed> {
        self.has_room().await?;
        let sittings = self.store.sittings_of(holder, MOST_LOOKED_THROUGH).await?;
        let unfinished: Vec<_> =
            sittings.iter().filter(|(_, listed)| listed.waits_for != WaitsFor::Nobody).collect();
        if unfinished.len() < self.limits.unfinished_of_a_browser {
            return Ok(());
        }
        // Newest first.
        let oldest = unfinished.iter().rev().find(|(_, listed)| !listed.moved);
        let (id, _) = oldest.ok_or(TooMany::UNFINISHED)?;
        self.store.remove(*id).await?;
        self.rooms.forget(*id);
        Ok(())
    }

    /// Sets up a table. `holder` gets the seats that are `me`; a friend joins with the secret.
    pub async fn set(
        &self,
        id: SittingId,
        table: NewTable,
        holder: Hash,
        secret: &Secret,
    ) -> Result<Arc<Room>, NoTable> {
        self.set_in(id, table, holder, secret, None).await
    }

    /// Sets up a table, if a class still lets pupils in.
    pub(crate) async fn set_in(
        &self,
        id: SittingId,
        table: NewTable,
        holder: Hash,
        secret: &Secret,
        open_class: Option<String>,
    ) -> Result<Arc<Room>, NoTable> {
        self.may_begin(holder).await?;
        let (beginning, access) = prepare(table, holder, secret)?;
        self.begin(id, beginning, Access { open_class, ..access }, holder, None).await
    }

    /// Sets up a table once per idempotency key: a retry gets the same table.
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
        let (beginning, access) = prepare(table, holder, secret)?;
        self.begin(id, beginning, access, holder, key).await
    }

    /// Sets up a table that continues a recorded round after some of its moves: against the same computer, or for two
    /// people on one device. `holder` gets every person's seat.
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
        self.begin(id, beginning, access, holder, None).await
    }

    async fn begin(
        &self,
        id: SittingId,
        Beginning { setup, names, hints, from }: Beginning,
        access: Access,
        holder: Hash,
        key: Option<(Hash, Hash)>,
    ) -> Result<Arc<Room>, NoTable> {
        // Checks now that the computer can play this game. Two people need no solver.
        let is_thought_about = setup.computers.0.iter().any(Option::is_some);
        let is_own_book = access.book.is_some();
        let known_by = facts::key(&setup.game);
        let begin = move |ahead: &mut Lookahead<'_>| Sitting::begin(setup.clone(), ahead);
        // Reading an unknown book can take long, so it runs in the pool.
        let (_, begun) = match (is_thought_about, is_own_book) {
            (true, true) => self.thinking.question(known_by, TIME_TO_THINK, begin).await??,
            (true, false) => self.thinking.moves(known_by, TIME_TO_THINK, begin).await??,
            (false, true) => self.thinking.read(move || alone(begin)).await??,
            (false, false) => alone(begin)?,
        };
        let sitting::Event::Begun { text } = begun else { return Err(NoTable::NobodySits) };
        let new_book = match &access.book {
            Some(book) => books::new_bytes(self, book).await.map_err(Failed::from)?,
            None => 0,
        };
        self.rates
            .adds(holder, BYTES_OF_A_ROUND + stored_bytes(text.len()) + new_book)
            .map_err(Failed::from)?;
        let book = access.book.as_ref().map(|book| book.hash.short());
        let seats: Vec<Player> = access.seats.iter().map(|(player, _)| *player).collect();
        let (now, event) = (self.clock.now(), Event::Created { text, names, hints, book, from });
        let first = Stored { seq: 1, at: now, body: room::write(&event, seats.first().copied()) };
        let replay = move || Room::replay(&[first]);
        let room = if is_own_book { self.thinking.read(replay).await? } else { replay() };
        let room = room.ok().flatten().ok_or(Failed::Damaged)?;
        let wants = Wants::Create(event, Arc::new(room));
        let request = Request { id, wants, holder: None, seats, expected_seq: None, key, access, now };
        match self.ask(request).await? {
            Done::Kept(room) => Ok(room),
            Done::Again(seq) => Ok(self.as_it_was(id, seq).await?),
        }
    }

    /// The easiest opponent of a game, and the starter for a person in the first seat. See [`Setup::gentle`].
    pub async fn gentlest(&self, game: &Game, terms: Terms) -> Result<(NewSeat, Player), NoTable> {
        let (key, is_own, game) = (facts::key(game), game.book.own_file, game.clone());
        let help = Help { discover: terms.discover, ..Help::default() };
        let gentle = move |ahead: &mut Lookahead<'_>| Setup::gentle(game.clone(), help, Dice::new(0), ahead);
        // As in `begin`.
        let found = match is_own {
            true => self.thinking.question(key, TIME_TO_THINK, gentle).await,
            false => self.thinking.moves(key, TIME_TO_THINK, gentle).await,
        };
        let setup = found??;
        let opponent = setup.computers[Player::Two].unwrap_or_else(Opponent::perfect);
        Ok((NewSeat::Computer(opponent), setup.first))
    }
}

/// Prepares a new table: its first round, and who may sit there.
fn prepare(table: NewTable, holder: Hash, secret: &Secret) -> Result<(Beginning, Access), NoTable> {
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
    // Today's duel: an attempt that counts has no undo, and the same moves get the same answers everywhere.
    if let Some(day) = Duel::day_of(setup.game.id()).filter(|_| setup.game.book.own_file) {
        setup.today = Some(Attempt::new(day, !terms.take_back));
        setup.dice = Dice::new(day.number());
    }
    let names = ByPlayer::from_fn(|player| match &seats[player] {
        NewSeat::Me { name } => Some(name.clone().unwrap_or_else(|| player.to_string())),
        NewSeat::Friend | NewSeat::Computer(_) => None,
    });
    if !names.0.iter().flatten().all(|name| names::is_fine(name)) {
        return Err(NoTable::BadName);
    }
    let others = ByPlayer::from_fn(|player: Player| {
        names[player].clone().unwrap_or_else(|| setup.names[player].clone())
    });
    if names::look_alike(&others.0[0], &others.0[1]) {
        return Err(NoTable::LooksAlike);
    }
    let book = book.map(|text| Book { hash: Hash::digest(&text), text });
    let guests = Player::BOTH.into_iter().filter(|player| seats[*player] == NewSeat::Friend);
    let access = Access {
        invites: guests.map(|player| Invitation { secret: secret.hash(), player, until: None }).collect(),
        seats: Player::BOTH
            .into_iter()
            .filter(|player| own(&seats[*player]))
            .map(|player| (player, holder))
            .collect(),
        book,
        ..Access::default()
    };
    Ok((Beginning { setup, names, hints: terms.tells_hints(), from: None }, access))
}

/// Runs something that needs no lookahead.
fn alone<T>(run: impl FnOnce(&mut Lookahead<'_>) -> T) -> T {
    run(&mut Lookahead { games: &SolvedGames::new(0), keep_going: &mut |_| false })
}

const FINDER: Finder = Finder { list: "/games lists the games" };

/// A shipped game's rule book. Part of its name is enough.
///
/// # Errors
///
/// Fails if the name is ambiguous or unknown.
pub fn shipped(name: &str) -> Result<BookText, NoGame> {
    FINDER.shipped(name)
}

/// A game by the text of a rule book, or else by its name.
///
/// # Errors
///
/// Fails if no game has this name, or the changes are invalid.
pub fn find_game(name: Option<&str>, text: Option<&str>, changes: &Changes) -> Result<Game, NoTable> {
    let book = match text {
        Some(text) => {
            let (id, source_name) = ("own".to_owned(), "rule book".to_owned());
            BookText { id, own_file: true, source_name, text: text.to_owned() }
        }
        None => shipped(name.unwrap_or_default())?,
    };
    let name = book.id.clone();
    Ok(Game::new(book, name, changes)?)
}

impl Tables {
    /// Like [`find_game`], but parses rule book text in the pool.
    ///
    /// # Errors
    ///
    /// Also fails if too many jobs are waiting.
    pub async fn find_game(
        &self,
        name: Option<&str>,
        text: Option<&str>,
        changes: &Changes,
    ) -> Result<Game, NoTable> {
        let Some(text) = text.map(str::to_owned) else { return find_game(name, None, changes) };
        let changes = changes.clone();
        self.thinking.read(move || find_game(None, Some(&text), &changes)).await?
    }
}
