//! A table is set: who is to sit there, what is played, and on which terms.

use std::sync::Arc;

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{BadGame, BookText, Changes, Game};
use spoton::people::opponent::Opponent;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::{Attempt, Duel};
use spoton::records::Record;
use spoton::sitting::{self, Cannot, Dice, Help, Lookahead, Setup, Sitting};

use super::{NoTable, Tables, now};
use crate::books;
use crate::facts;
use crate::ids::{Hash, Secret, SittingId, random};
use crate::limits::{MOST_LOOKED_THROUGH, TIME_TO_THINK};
use crate::names;
use crate::rates::TooMany;
use crate::room::{self, Event, Room};
use crate::store::{Book, Invitation, Stored, WaitsFor};
use crate::writer::{Access, Done, Failed, Request, Wants, again};

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

impl Tables {
    /// Whether somebody may begin another sitting. If they have very many that are not finished, the oldest without a
    /// move makes room.
    async fn may_begin(&self, holder: Hash) -> Result<(), Failed> {
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
        if !names.0.iter().flatten().all(|name| names::is_fine(name)) {
            return Err(NoTable::BadName);
        }
        let others = ByPlayer::from_fn(|player: Player| {
            names[player].clone().unwrap_or_else(|| setup.names[player].clone())
        });
        if names::look_alike(&others.0[0], &others.0[1]) {
            return Err(NoTable::LooksAlike);
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
        self.begin(id, beginning, access, holder, key).await
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
        // An opponent that has to see through the game, and cannot, says so now. Between people nobody has to think.
        let is_thought_about = setup.computers.0.iter().any(Option::is_some);
        let is_own_book = access.book.is_some();
        let known_by = facts::key(&setup.game);
        let begin = move |ahead: &mut Lookahead<'_>| Sitting::begin(setup.clone(), ahead);
        // Even reading someone's own book may take longer than players want to wait for others.
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
        self.rates.adds(holder, text.len() + new_book).map_err(Failed::from)?;
        let book = access.book.as_ref().map(|book| book.hash.short());
        let seats: Vec<Player> = access.seats.iter().map(|(player, _)| *player).collect();
        let (now, event) = (now(), Event::Created { text, names, hints, book, from });
        let first = Stored { seq: 1, at: now, body: room::write(&event, seats.first().copied()) };
        let replay = move || Room::replay(&[first]);
        let room = if is_own_book { self.thinking.read(replay).await? } else { replay() };
        let room = room.ok().flatten().ok_or(Failed::Damaged)?;
        let wants = Wants::Create(event, Arc::new(room));
        let request = Request { id, wants, seats, expected_seq: None, key, access, now };
        match self.ask(request).await? {
            Done::Kept(room) => Ok(room),
            Done::Again(seq) => Ok(self.as_it_was(id, seq).await?),
        }
    }

    /// The gentlest opponent of a game, and who starts so that a person in the first seat can win. In discovery the person
    /// starts: which seat can win is a secret there.
    pub async fn gentlest(&self, game: &Game, terms: Terms) -> Result<(NewSeat, Player), NoTable> {
        let (key, is_own, game) = (facts::key(game), game.book.own_file, game.clone());
        let gentle = move |ahead: &mut Lookahead<'_>| Setup::gentle(game.clone(), Dice::new(0), ahead);
        // As in `begin`.
        let found = match is_own {
            true => self.thinking.question(key, TIME_TO_THINK, gentle).await,
            false => self.thinking.moves(key, TIME_TO_THINK, gentle).await,
        };
        let setup = found??;
        let opponent = setup.computers[Player::Two].unwrap_or_else(Opponent::perfect);
        Ok((NewSeat::Computer(opponent), if terms.discover { Player::One } else { setup.first }))
    }
}

/// Runs something that has nothing to look ahead for.
fn alone<T>(run: impl FnOnce(&mut Lookahead<'_>) -> T) -> T {
    run(&mut Lookahead { games: &SolvedGames::new(0), keep_going: &mut |_| false })
}

impl Tables {
    /// A game by its name, or by the text of a rule book, which is read off the threads that answer.
    ///
    /// # Errors
    ///
    /// If it can't be played like that, or too many jobs are waiting.
    pub async fn find_game(
        &self,
        name: Option<&str>,
        text: Option<&str>,
        changes: &Changes,
    ) -> Result<Option<Game>, NoTable> {
        if text.is_none() {
            return Ok(find_game(name, None, changes)?);
        }
        let (name, text, changes) = (name.map(str::to_owned), text.map(str::to_owned), changes.clone());
        let read = self.thinking.read(move || find_game(name.as_deref(), text.as_deref(), &changes));
        Ok(read.await??)
    }
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
