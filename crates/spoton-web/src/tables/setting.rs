//! A table is set: who is to sit there, what is played, and on which terms.

use std::sync::Arc;

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{BadGame, BookText, Changes, Game, is_hidden};
use spoton::people::opponent::Opponent;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::{Attempt, Duel};
use spoton::records::{Record, is_name};
use spoton::sitting::{self, Cannot, Dice, Help, Lookahead, Setup, Sitting};

use super::{NoTable, Tables, now};
use crate::ids::{Hash, Secret, SittingId, random};
use crate::limits::{MOST_LOOKED_THROUGH, TIME_TO_THINK};
use crate::rates::TooMany;
use crate::room::{Event, Room};
use crate::store::{Book, Invitation, WaitsFor};
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

    /// The gentlest opponent of a game, and who starts so that a person in the first seat can win.
    pub async fn gentlest(&self, game: &Game) -> Result<(NewSeat, Player), NoTable> {
        let game = game.clone();
        let found = self.thinking.about(TIME_TO_THINK, move |ahead| Setup::gentle(game, Dice::new(0), ahead));
        let setup = found.await??;
        let opponent = setup.computers[Player::Two].unwrap_or_else(Opponent::perfect);
        Ok((NewSeat::Computer(opponent), setup.first))
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
