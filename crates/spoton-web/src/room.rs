//! Pure state machine of a web table: events + command → new events, or a refusal.
//!
//! The library's sitting knows the game, the moves and the match. A room adds web-only state: open seats, offers
//! between players, and abandoned rounds. It knows no secrets: the store knows who holds a seat. Replay is
//! deterministic: the same events give the same room.

mod event;

use std::fmt;
use std::sync::Arc;

use spoton::day::Day;
use spoton::design::today::Score;
use spoton::engine::play::Situation;
use spoton::engine::position::{ByPlayer, Player};
use spoton::records::{Record, canonical};
use spoton::sitting::{self, Cannot, Sitting};
pub use spoton::view::Offer;
use spoton::view::{Seating, TableView, Viewer};

use crate::ids::SittingId;
use crate::limits::{ABANDONED_AFTER, MOST_EVENTS_OF_A_ROUND};
use crate::names::{self, LOOKS_ALIKE, NAME_FORM};
use crate::store::{Listed, Millis, Stored, WaitsFor};
pub use event::{Event, read, write};

/// A player's command.
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
    /// Makes an offer, or accepts the opponent's same offer.
    Offer(Offer),
    Decline,
    Resign,
    /// Closes the round because the opponent hasn't come back.
    Abandon,
    /// Moves on to the next partner. The class decides whether that's allowed.
    GoOn,
    /// Cancels an open invitation.
    Cancel,
    /// Starts the next round against a computer with this starter, from [`Sitting::next_first`], which is too slow to
    /// run in here.
    PlayAgain {
        first: Player,
        another_target: bool,
    },
    /// Records that the player to move gets a hint or the reasons.
    Tell(sitting::Event),
    /// The computer moves.
    ComputerMoves(String),
}

/// Why a command was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("this isn't your seat")]
    NotYourSeat,
    #[error("it isn't your turn")]
    NotYourTurn,
    #[error("this seat is taken")]
    SeatIsTaken,
    #[error("{NAME_FORM}")]
    BadName,
    #[error("{LOOKS_ALIKE}")]
    LooksAlike,
    #[error("the second player hasn't joined yet")]
    NobodyThere,
    #[error("hints are off in this round")]
    NoHints,
    #[error("you've already offered that; wait for your opponent's answer")]
    Offered,
    #[error("there's no offer to decline")]
    NoOffer,
    #[error("your opponent has three days to move")]
    NotYet,
    #[error("one of you moved on to the next partner")]
    WentOn,
    #[error("this invitation was cancelled")]
    Cancelled,
    #[error("there's no invitation to cancel")]
    NoInvitation,
    #[error(transparent)]
    Cannot(#[from] Cannot),
}

/// A log that can't be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} doesn't follow from those before it")]
pub struct Damaged {
    pub seq: u64,
}

/// A table's state after its events.
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
    /// The last event's time.
    at: Millis,
    /// When the current turn began.
    waits_since: Millis,
    /// The last event since the table was created.
    last: Option<Event>,
    has_moved: bool,
    events_of_round: usize,
    /// The finished rounds, in order.
    rounds: Arc<Vec<Record>>,
    /// The result of today's duel, if this is the attempt that counts.
    todays: Option<(Day, Score)>,
}

/// Short, since the log has the details.
impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Room after event {}", self.seq)
    }
}

impl Room {
    /// Replays a log; `None` if it's empty.
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

    /// Applies the next event of the log.
    pub fn follow(&mut self, stored: &Stored) -> Result<(), Damaged> {
        let damaged = || Damaged { seq: stored.seq };
        if stored.seq != self.seq + 1 {
            return Err(damaged());
        }
        let event = read(&stored.body).ok_or_else(damaged)?;
        self.take_in(&event, stored.at).map_err(|_| damaged())
    }

    /// Applies the next event, if it follows.
    fn take_in(&mut self, event: &Event, at: Millis) -> Result<(), Refusal> {
        self.apply(event)?;
        self.seq += 1;
        self.at = at;
        let is_beside = match event {
            // These don't restart the clock: an offer must not prolong a wait.
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
                match event {
                    // A hint doesn't cancel an offer.
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

    /// Keeps the record of a round that just ended.
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

    /// The round's record so far.
    pub fn record(&self) -> Record {
        Record { players: self.all_names(), ..self.sitting.record() }
    }

    /// Decides on a command: new events and the room after them, or a refusal. `seats` are the caller's.
    pub fn decide(
        &self,
        seats: &[Player],
        command: &Command,
        now: Millis,
    ) -> Result<(Vec<Event>, Room), Refusal> {
        let mut events = self.decided(seats, command, now)?;
        let mut after = self.clone();
        for event in &events {
            after.take_in(event, now)?;
        }
        if after.events_of_round >= MOST_EVENTS_OF_A_ROUND && !after.is_over() {
            let stopped = Event::Game(sitting::Event::Stopped);
            after.take_in(&stopped, now)?;
            events.push(stopped);
        }
        Ok((events, after))
    }

    /// A command's events. [`Room::take_in`] checks that they follow.
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
                // The log uses one spelling per move, no matter what was typed.
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
            // The opponent is gone and can't accept.
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

    /// Between two people, makes or accepts an offer; otherwise does it immediately.
    fn offered(&self, seats: &[Player], offer: Offer) -> Result<Vec<Event>, Refusal> {
        let Some(own) = seats.first().copied() else { return Err(Refusal::NotYourSeat) };
        let alone = seats.len() == 2 || self.is_computer(!own);
        let asks = match self.offer {
            Some((player, known)) if known == offer => player,
            _ => own,
        };
        // Refuses offers that couldn't be carried out.
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
            events.push(Event::Game(later.act(sitting::Command::AnotherTarget)?));
        }
        events.push(Event::Game(later.act(begin)?));
        Ok(events)
    }

    /// The event for an undo between two people: removes the player's own last move and everything after it.
    fn taken_back_for(&self, asks: Player) -> Result<sitting::Event, Refusal> {
        self.of_game(sitting::Command::TakeBackOf(asks))
    }

    fn of_game(&self, command: sitting::Command) -> Result<sitting::Event, Refusal> {
        Ok(self.sitting.clone().act(command)?)
    }

    fn everybody_is_there(&self) -> Result<(), Refusal> {
        if self.waits_for_a_guest() { Err(Refusal::NobodyThere) } else { Ok(()) }
    }

    fn waits_for_a_guest(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.is_open(player))
    }

    /// Whether the host cancelled the invitation.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Whether a seat is open.
    pub fn is_open(&self, player: Player) -> bool {
        !self.is_computer(player) && self.names[player].is_none()
    }

    pub fn is_computer(&self, player: Player) -> bool {
        self.sitting.setup().computers[player].is_some()
    }

    pub fn is_over(&self) -> bool {
        self.sitting.round().outcome().is_some()
    }

    /// A player's name.
    pub fn name(&self, player: Player) -> String {
        let usual = &self.sitting.setup().names[player];
        self.names[player].clone().unwrap_or_else(|| usual.clone())
    }

    pub(crate) fn all_names(&self) -> ByPlayer<String> {
        ByPlayer::from_fn(|player| self.name(player))
    }

    pub fn sitting(&self) -> &Sitting {
        &self.sitting
    }

    pub fn hints(&self) -> bool {
        self.hints
    }

    /// The rule book's address, if it isn't a shipped one.
    pub fn book(&self) -> Option<&str> {
        self.book.as_deref()
    }

    /// The sitting and round that this one continues.
    pub fn from(&self) -> Option<(SittingId, usize)> {
        self.from
    }

    /// The open offer.
    pub fn offer(&self) -> Option<(Player, Offer)> {
        self.offer
    }

    /// Whether a player moved on to the next partner and left this round.
    pub(crate) fn has_gone_on(&self, player: Player) -> bool {
        self.went_on[player]
    }

    /// Whether the seat has a person who hasn't moved on.
    pub(crate) fn is_person_here(&self, player: Player) -> bool {
        !self.is_computer(player) && !self.is_open(player) && !self.has_gone_on(player)
    }

    /// Whether a player moved on to the next partner.
    pub(crate) fn is_left_by_anybody(&self) -> bool {
        self.went_on.0.contains(&true)
    }

    /// The moves that an undo of this player would remove, in order.
    pub fn to_take_back(&self, asks: Player) -> Vec<String> {
        match self.taken_back_for(asks) {
            Ok(sitting::Event::TakenBack { moves }) => moves,
            _ => vec![],
        }
    }

    /// The number of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn at(&self) -> Millis {
        self.at
    }

    /// Whether the player to move has run out of time.
    pub fn is_left(&self, now: Millis) -> bool {
        now >= self.waits_since.saturating_add(ABANDONED_AFTER)
    }

    /// The last event; `None` right after the table was created.
    pub fn last(&self) -> Option<&Event> {
        self.last.as_ref()
    }

    /// The number of the current or last round, from 1.
    pub fn round_number(&self) -> usize {
        self.rounds.len() + usize::from(!self.is_over())
    }

    /// The finished rounds, in order.
    pub fn rounds(&self) -> &[Record] {
        &self.rounds
    }

    /// The result of today's duel, if it was played here and counts. Later rounds are practice.
    pub fn todays(&self) -> Option<(Day, Score)> {
        self.todays
    }

    /// The table as a viewer sees it.
    pub fn view(&self, viewer: Viewer) -> TableView<'_> {
        let open = ByPlayer::from_fn(|player| self.is_open(player));
        let seating = Seating { names: self.all_names(), open, hints: self.hints, offer: self.offer };
        TableView::with(&self.sitting, viewer, &seating)
    }

    /// Its entry in the list of sittings.
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

#[cfg(test)]
mod tests {
    use spoton::format::{BookText, Changes, Game};
    use spoton::sitting::{Dice, Lookahead, Setup};
    use spoton::solved::SolvedGames;

    use super::*;

    fn two_people() -> Room {
        let book = BookText::shipped("race-to-23").unwrap();
        let game = Game::new(book, "race-to-23".to_owned(), &Changes::default()).unwrap();
        let setup = Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(7));
        let ahead = &mut Lookahead { games: &SolvedGames::new(1 << 20), keep_going: &mut |_| true };
        let (_, sitting::Event::Begun { text }) = Sitting::begin(setup, ahead).unwrap() else { panic!() };
        let names = ByPlayer(["Ann", "Ben"].map(|name| Some(name.to_owned())));
        let created = Event::Created { text, names, hints: true, book: None, from: None };
        Room::replay(&[Stored { seq: 1, at: 0, body: write(&created, None) }]).unwrap().unwrap()
    }

    /// Sends events that change nothing until the round has this many and is over.
    fn ends_after(mut room: Room, most: usize) -> Room {
        // The first event sets the table or begins the round.
        for events in 2..=most {
            assert!(!room.is_over(), "over after {} events", events - 1);
            room = room.decide(&[Player::One], &Command::MoveSeat { player: Player::One }, 0).unwrap().1;
        }
        assert!(room.is_over(), "still on after {most} events");
        room
    }

    #[test]
    fn a_round_ends_in_a_draw_after_2000_events_whatever_came_before() {
        let first = ends_after(two_people(), 2000);
        assert_eq!(first.sitting().round().outcome().unwrap().winner, None);
        let after = |room: &Room, command| room.decide(&Player::BOTH, &command, 0).unwrap().1;
        // The events of a round don't count against the rematch.
        ends_after(after(&first, Command::Offer(Offer::Rematch)), 2000);
        let resigned = after(&two_people(), Command::Resign);
        let second = ends_after(after(&resigned, Command::Offer(Offer::Rematch)), 2000);
        assert_eq!(second.sitting().round().outcome().unwrap().winner, None);
    }
}
