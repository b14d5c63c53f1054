//! What may happen at a table on the web, purely: from the events so far and a command to further events, or a refusal.
//!
//! The library's sitting knows the game, the moves and the match. A room adds what only the web has: seats that somebody
//! takes, offers that the other accepts, and rounds that nobody comes back to. It knows no secrets: who holds a seat is
//! the store's to say. The same events always come to the same room.

mod event;

use std::fmt;
use std::sync::Arc;

use spoton::engine::play::Situation;
use spoton::engine::position::{ByPlayer, Player};
use spoton::people::day::Day;
use spoton::people::today::Score;
use spoton::records::{Record, canonical};
use spoton::sitting::{self, Cannot, Sitting};

use crate::ids::SittingId;
use crate::limits::{ABANDONED_AFTER, MOST_EVENTS_OF_A_ROUND};
use crate::names::{self, LOOKS_ALIKE, NAME_FORM};
use crate::store::{Listed, Millis, Stored, WaitsFor};
pub use event::{Event, Offer, read, write};

/// What somebody wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    TakeSeat {
        player: Player,
        name: String,
    },
    MoveSeat {
        player: Player,
    },
    /// A move in any spelling.
    Move(String),
    /// Makes an offer, or accepts the same one of the other player.
    Offer(Offer),
    Decline,
    Resign,
    /// The other player does not come back.
    Abandon,
    /// Goes on to the next partner. Whether it is time for that, the class knows.
    GoOn,
    /// Cancels an invitation that nobody has accepted yet.
    Cancel,
    /// Begins the next round against a computer, with this starter. [`Sitting::next_first`] says who that is, which takes
    /// too long to find out in here.
    PlayAgain {
        first: Player,
        another_target: bool,
    },
    /// A hint or reasons were found for the player on turn, and are about to be told.
    Tell(sitting::Event),
    /// The computer on turn moves.
    ComputerMoves(String),
}

/// Why something cannot be done; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("this seat is not yours")]
    NotYourSeat,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the seat is taken")]
    SeatIsTaken,
    #[error("{NAME_FORM}")]
    BadName,
    #[error("{LOOKS_ALIKE}")]
    LooksAlike,
    #[error("the second player has not come yet")]
    NobodyThere,
    #[error("hints are off in this round")]
    NoHints,
    #[error("you have offered that already; the other player has not answered yet")]
    Offered,
    #[error("there is no offer to decline")]
    NoOffer,
    #[error("the other player has three days for a move")]
    NotYet,
    #[error("one of you has gone on to the next partner")]
    WentOn,
    #[error("this invitation was cancelled")]
    Cancelled,
    #[error("there is no invitation to cancel")]
    NoInvitation,
    #[error(transparent)]
    Cannot(#[from] Cannot),
}

/// A log that does not come to a room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} does not follow from those before it")]
pub struct Damaged {
    pub seq: u64,
}

/// A table with all that happened at it.
#[derive(Clone)]
pub struct Room {
    sitting: Sitting,
    names: ByPlayer<Option<String>>,
    hints: bool,
    book: Option<String>,
    from: Option<(SittingId, usize)>,
    offer: Option<(Player, Offer)>,
    went_on: ByPlayer<bool>,
    cancelled: bool,
    seq: u64,
    /// When the last event came.
    at: Millis,
    /// Since when the player on turn is to do something.
    waits_since: Millis,
    /// What happened last, once anything has.
    last: Option<Event>,
    has_moved: bool,
    events_of_round: usize,
    /// The rounds that are over, in order.
    rounds: Arc<Vec<Record>>,
    /// What the duel of a day came to, if this is the attempt that counts.
    todays: Option<(Day, Score)>,
}

/// What it holds is the log's to tell.
impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Room after event {}", self.seq)
    }
}

impl Room {
    /// The room that a log comes to; `None` if there is no log.
    pub fn replay(log: &[Stored]) -> Result<Option<Room>, Damaged> {
        let Some((first, others)) = log.split_first() else { return Ok(None) };
        let mut room = Room::created(first)?;
        for stored in others {
            room.follow(stored)?;
        }
        Ok(Some(room))
    }

    fn created(stored: &Stored) -> Result<Room, Damaged> {
        let damaged = || Damaged { seq: stored.seq };
        let Some(Event::Created { text, names, hints, book, from }) = read(&stored.body) else {
            return Err(damaged());
        };
        if stored.seq != 1 {
            return Err(damaged());
        }
        let sitting = Sitting::replay([sitting::Event::Begun { text }]).map_err(|_| damaged())?;
        let mut room = Room {
            sitting,
            names,
            hints,
            book,
            from,
            offer: None,
            went_on: ByPlayer::default(),
            cancelled: false,
            seq: 1,
            at: stored.at,
            waits_since: stored.at,
            last: None,
            has_moved: false,
            events_of_round: 1,
            rounds: Arc::default(),
            todays: None,
        };
        room.note_end();
        Ok(room)
    }

    /// Takes one more event of the log in.
    pub fn follow(&mut self, stored: &Stored) -> Result<(), Damaged> {
        let damaged = || Damaged { seq: stored.seq };
        if stored.seq != self.seq + 1 {
            return Err(damaged());
        }
        let event = read(&stored.body).ok_or_else(damaged)?;
        self.take_in(&event, stored.at).map_err(|_| damaged())
    }

    /// Takes one more event in, if it follows.
    fn take_in(&mut self, event: &Event, at: Millis) -> Result<(), Refusal> {
        self.apply(event)?;
        self.seq += 1;
        self.at = at;
        let is_beside = match event {
            // Whoever waits cannot be made to wait longer by what they say meanwhile.
            Event::SeatMoved { .. }
            | Event::Offered { .. }
            | Event::Declined { .. }
            | Event::WentOn { .. }
            | Event::Cancelled { .. } => true,
            Event::Game(event) => {
                matches!(event, sitting::Event::HintTold | sitting::Event::ReasonsTold)
            }
            Event::Created { .. } | Event::SeatTaken { .. } => false,
        };
        if !is_beside {
            self.waits_since = at;
        }
        self.last = Some(event.clone());
        Ok(())
    }

    fn apply(&mut self, event: &Event) -> Result<(), Refusal> {
        match event {
            Event::Created { .. } => return Err(Refusal::SeatIsTaken),
            Event::SeatTaken { player, name } => self.names[*player] = Some(name.clone()),
            Event::SeatMoved { .. } => {}
            Event::Offered { player, offer } => self.offer = Some((*player, *offer)),
            Event::Declined { .. } => self.offer = None,
            Event::WentOn { player } => {
                self.went_on[*player] = true;
                self.offer = None;
            }
            Event::Cancelled { .. } => self.cancelled = true,
            Event::Game(event) => {
                let was_over = self.is_over() && !matches!(event, sitting::Event::RoundBegun { .. });
                self.sitting.apply(event)?;
                self.sitting.let_turns_go_over();
                match event {
                    // What is told to one player says nothing on the other's offer.
                    sitting::Event::HintTold | sitting::Event::ReasonsTold => {}
                    sitting::Event::RoundBegun { .. } => {
                        self.offer = None;
                        self.events_of_round = 0;
                    }
                    _ => self.offer = None,
                }
                self.has_moved |= matches!(event, sitting::Event::Moved { .. });
                if !was_over {
                    self.note_end();
                }
            }
        }
        self.events_of_round += 1;
        Ok(())
    }

    /// Keeps the record of a round that has just come to its end.
    fn note_end(&mut self) {
        if self.is_over() {
            let record = self.record();
            Arc::make_mut(&mut self.rounds).push(record);
            if let Some((attempt, score)) = self.sitting.todays_score().filter(|(attempt, _)| attempt.counts)
            {
                self.todays = Some((attempt.day, score));
            }
        }
    }

    /// The round so far, as it is written down.
    pub fn record(&self) -> Record {
        Record { players: self.all_names(), ..self.sitting.record() }
    }

    /// What a command comes to: further events, and the room after them. `seats` are those that whoever asks holds.
    pub fn decide(
        &self,
        seats: &[Player],
        command: &Command,
        now: Millis,
    ) -> Result<(Vec<Event>, Room), Refusal> {
        let mut events = self.decided(seats, command, now)?;
        let adds = self.events_of_round + events.len();
        let mut after = self.clone();
        for event in &events {
            after.take_in(event, now)?;
        }
        if adds >= MOST_EVENTS_OF_A_ROUND && !after.is_over() {
            let stopped = Event::Game(sitting::Event::Stopped);
            after.take_in(&stopped, now)?;
            events.push(stopped);
        }
        Ok((events, after))
    }

    /// The events of a command. Whether they follow is seen when they are taken in.
    fn decided(&self, seats: &[Player], command: &Command, now: Millis) -> Result<Vec<Event>, Refusal> {
        let own = seats.first().copied();
        let turn = self.sitting.round().position().turn();
        let game = |event: sitting::Event| Ok(vec![Event::Game(event)]);
        match command {
            _ if self.cancelled => Err(Refusal::Cancelled),
            Command::TakeSeat { player, name } => {
                if !self.is_open(*player) {
                    return Err(Refusal::SeatIsTaken);
                }
                if !names::is_fine(name) {
                    return Err(Refusal::BadName);
                }
                if names::look_alike(name, &self.name(!*player)) {
                    return Err(Refusal::LooksAlike);
                }
                Ok(vec![Event::SeatTaken { player: *player, name: name.clone() }])
            }
            Command::MoveSeat { player } if seats.contains(player) => {
                Ok(vec![Event::SeatMoved { player: *player }])
            }
            Command::ComputerMoves(written) => {
                if self.sitting.computer().is_none() {
                    return Err(Refusal::NotYourTurn);
                }
                game(sitting::Event::Moved { player: turn, written: written.clone() })
            }
            _ if own.is_none() => Err(Refusal::NotYourSeat),
            Command::MoveSeat { .. } => Err(Refusal::NotYourSeat),
            Command::Move(written) => {
                self.everybody_is_there()?;
                if !self.is_over() && !seats.contains(&turn) {
                    return Err(Refusal::NotYourTurn);
                }
                // The log has one spelling of each move, whatever was typed.
                let written = canonical(written, self.sitting.round()).into_owned();
                game(sitting::Event::Moved { player: turn, written })
            }
            Command::Tell(_) if !self.hints => Err(Refusal::NoHints),
            Command::Tell(event) => {
                self.everybody_is_there()?;
                if self.is_over() {
                    return Err(Cannot::RoundIsOver.into());
                }
                if !seats.contains(&turn) {
                    return Err(Refusal::NotYourTurn);
                }
                game(event.clone())
            }
            Command::Resign => {
                let player = if seats.contains(&turn) { turn } else { own.unwrap_or(turn) };
                game(self.of_game(sitting::Command::Resign(player))?)
            }
            Command::GoOn => match own.filter(|own| !self.went_on[*own]) {
                Some(player) => Ok(vec![Event::WentOn { player }]),
                None => Err(Refusal::WentOn),
            },
            Command::Cancel => match own.filter(|_| self.waits_for_a_guest()) {
                Some(player) => Ok(vec![Event::Cancelled { player }]),
                None => Err(Refusal::NoInvitation),
            },
            Command::PlayAgain { .. } if !self.sitting.can_swap_seats() => Err(Cannot::SeatsAreFixed.into()),
            Command::PlayAgain { first, another_target } => {
                self.next_round(*another_target, sitting::Command::PlayAgain { first: *first })
            }
            // There is nobody to agree to it.
            Command::Offer(_) if self.is_left_by_anybody() => Err(Refusal::WentOn),
            Command::Offer(offer) => self.offered(seats, *offer),
            Command::Decline => match self.offer {
                Some((player, _)) if !seats.contains(&player) => {
                    Ok(vec![Event::Declined { player: own.unwrap_or(!player) }])
                }
                _ => Err(Refusal::NoOffer),
            },
            Command::Abandon => {
                self.everybody_is_there()?;
                if self.is_over() {
                    return Err(Cannot::RoundIsOver.into());
                }
                if seats.contains(&turn) || !self.is_left(now) {
                    return Err(Refusal::NotYet);
                }
                game(self.of_game(sitting::Command::Abandon)?)
            }
        }
    }

    /// Between two people an offer waits for the same call of the other; else it is done at once.
    fn offered(&self, seats: &[Player], offer: Offer) -> Result<Vec<Event>, Refusal> {
        let Some(own) = seats.first().copied() else { return Err(Refusal::NotYourSeat) };
        let alone = seats.len() == 2 || self.is_computer(!own);
        let asks = match self.offer {
            Some((player, known)) if known == offer => player,
            _ => own,
        };
        // Whatever cannot be done is not offered either.
        let done = match offer {
            Offer::TakeBack if !alone => vec![Event::Game(self.taken_back_for(asks)?)],
            _ => self.done(offer)?,
        };
        match self.offer {
            _ if alone => Ok(done),
            Some((player, known)) if player == own && known == offer => Err(Refusal::Offered),
            Some((player, known)) if player != own && known == offer => Ok(done),
            _ => Ok(vec![Event::Offered { player: own, offer }]),
        }
    }

    fn done(&self, offer: Offer) -> Result<Vec<Event>, Refusal> {
        match offer {
            Offer::TakeBack => Ok(vec![Event::Game(self.of_game(sitting::Command::TakeBack)?)]),
            Offer::Rematch => self.next_round(false, sitting::Command::NextRound),
            Offer::AnotherTarget => self.next_round(true, sitting::Command::NextRound),
        }
    }

    fn next_round(&self, another_target: bool, begin: sitting::Command) -> Result<Vec<Event>, Refusal> {
        let mut later = self.sitting.clone();
        let mut events = Vec::new();
        if another_target {
            events.push(Event::Game(event(later.act(sitting::Command::AnotherTarget)?)?));
        }
        events.push(Event::Game(event(later.act(begin)?)?));
        Ok(events)
    }

    /// What it comes to if one of two people takes back: their own last move is gone, and what came after it.
    fn taken_back_for(&self, asks: Player) -> Result<sitting::Event, Refusal> {
        self.of_game(sitting::Command::TakeBackOf(asks))
    }

    fn of_game(&self, command: sitting::Command) -> Result<sitting::Event, Refusal> {
        event(self.sitting.clone().act(command)?)
    }

    fn everybody_is_there(&self) -> Result<(), Refusal> {
        if self.waits_for_a_guest() { Err(Refusal::NobodyThere) } else { Ok(()) }
    }

    fn waits_for_a_guest(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.is_open(player))
    }

    /// Whether the host cancelled the invitation.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Whether nobody has taken a seat yet.
    pub fn is_open(&self, player: Player) -> bool {
        !self.is_computer(player) && self.names[player].is_none()
    }

    pub fn is_computer(&self, player: Player) -> bool {
        self.sitting.setup().computers[player].is_some()
    }

    pub fn is_over(&self) -> bool {
        self.sitting.round().outcome().is_some()
    }

    /// What a player is called.
    pub fn name(&self, player: Player) -> String {
        let usual = &self.sitting.setup().names[player];
        self.names[player].clone().unwrap_or_else(|| usual.clone())
    }

    pub fn all_names(&self) -> ByPlayer<String> {
        ByPlayer::from_fn(|player| self.name(player))
    }

    pub fn sitting(&self) -> &Sitting {
        &self.sitting
    }

    pub fn hints(&self) -> bool {
        self.hints
    }

    /// The address of the rule book, if it is not one of ours.
    pub fn book(&self) -> Option<&str> {
        self.book.as_deref()
    }

    /// The sitting, and the round in it, that is played on here.
    pub fn from(&self) -> Option<(SittingId, usize)> {
        self.from
    }

    /// What one player has offered the other.
    pub fn offer(&self) -> Option<(Player, Offer)> {
        self.offer
    }

    /// Whether a player has gone on to the next partner, and this is not their round any more.
    pub fn has_gone_on(&self, player: Player) -> bool {
        self.went_on[player]
    }

    /// Whether a person sits there who has not gone on.
    pub fn is_person_here(&self, player: Player) -> bool {
        !self.is_computer(player) && !self.is_open(player) && !self.has_gone_on(player)
    }

    /// Whether one of the players has gone on to the next partner.
    pub fn is_left_by_anybody(&self) -> bool {
        self.went_on.0.contains(&true)
    }

    /// The moves that one of two people would take back, in order.
    pub fn to_take_back(&self, asks: Player) -> Vec<String> {
        match self.taken_back_for(asks) {
            Ok(sitting::Event::TakenBack { moves }) => moves,
            _ => vec![],
        }
    }

    /// The last event that was taken in.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn at(&self) -> Millis {
        self.at
    }

    /// Whether the player on turn has had time enough for a move.
    pub fn is_left(&self, now: Millis) -> bool {
        now >= self.waits_since.saturating_add(ABANDONED_AFTER)
    }

    /// What happened last; `None` if nothing has since the table was set.
    pub fn last(&self) -> Option<&Event> {
        self.last.as_ref()
    }

    /// Which round is played, or was played last, from 1.
    pub fn round_number(&self) -> usize {
        self.rounds.len() + usize::from(!self.is_over())
    }

    /// The rounds that are over, in order.
    pub fn rounds(&self) -> &[Record] {
        &self.rounds
    }

    /// What the duel of a day came to, if it was played here and counts. Rounds after it are for practice.
    pub fn todays(&self) -> Option<(Day, Score)> {
        self.todays
    }

    /// What the list of sittings says of it.
    pub fn listed(&self) -> Listed {
        let waits_for = if self.is_left_by_anybody() || self.cancelled {
            WaitsFor::Nobody
        } else if self.waits_for_a_guest() {
            WaitsFor::Guest
        } else {
            match self.sitting.round().situation() {
                Situation::Over(_) => WaitsFor::Nobody,
                _ if self.sitting.computer().is_some() => WaitsFor::Computer,
                _ => WaitsFor::Player(self.sitting.round().position().turn()),
            }
        };
        Listed { seq: self.seq, at: self.at, moved: self.has_moved, waits_for }
    }
}

/// A command of the game that comes to an event.
fn event(event: Option<sitting::Event>) -> Result<sitting::Event, Refusal> {
    // Only a skipped turn comes to none, and nobody commands that.
    event.ok_or(Refusal::NotYourTurn)
}
