//! A board's texts: what just happened and what's next, for the person looking at it.

use spoton::design::today::Attempt;
use spoton::engine::position::Player;
use spoton::sitting::Event as Game;
use spoton::view::{Made, TableView, Viewer};
use spoton::words::phrases;

use crate::pages::named::named;
use crate::room::{Event, Offer, Room};
use crate::store::Millis;

/// A board as one person sees it: the view of its table, plus web-only data.
pub struct BoardView<'a> {
    pub room: &'a Room,
    pub seats: &'a [Player],
    pub table: TableView<'a>,
    /// The time.
    now: Millis,
}

impl<'a> BoardView<'a> {
    pub fn new(room: &'a Room, seats: &'a [Player], now: Millis) -> BoardView<'a> {
        BoardView { room, seats, table: room.view(Viewer::seated(seats)), now }
    }

    /// The player called "you"; `None` for watchers and for two people on one device, who go by their names.
    pub fn you(&self) -> Option<Player> {
        self.table.viewer.alone()
    }

    pub fn turn(&self) -> Player {
        self.room.sitting().round().position().turn()
    }

    /// Whether a seat is still open.
    pub fn waits(&self) -> bool {
        self.table.players.0.iter().any(|player| player.is_open)
    }

    pub fn may_move(&self) -> bool {
        self.table.is_viewers_turn()
    }

    /// Whether it's the attempt at today's duel that counts.
    pub fn counts(&self) -> bool {
        self.attempt().is_some_and(|attempt| attempt.counts)
    }

    /// Whether the round counts and this player hasn't moved or used a hint.
    pub fn begins_what_counts(&self) -> bool {
        let has_moved =
            |player| self.room.sitting().round().history().iter().any(|ply| ply.player() == player);
        let is_fresh = self.attempt().is_some_and(|attempt| attempt.counts && attempt.hints == 0);
        is_fresh && !self.room.is_over() && self.you().is_some_and(|own| !has_moved(own))
    }

    fn attempt(&self) -> Option<Attempt> {
        self.room.sitting().setup().today
    }

    /// Whether no other person has to agree to an undo or a rematch.
    pub fn decides_alone(&self) -> bool {
        self.seats.len() == 2 || self.you().is_some_and(|own| self.room.is_computer(!own))
    }

    /// Whether they have a move to undo.
    pub fn may_take_back(&self) -> bool {
        self.table.requests.undo.is_ok() && !self.room.is_left_by_anybody()
    }

    /// Seconds until a browser without scripts reloads: few if it's a computer's turn, more if it's a person's. `None` on
    /// their own turn and after the end.
    pub fn looks_again(&self) -> Option<u32> {
        let asks = self.room.offer().is_some_and(|(player, _)| self.seats.contains(&player));
        let waits = if self.room.is_over() { asks } else { !self.may_move() || asks };
        let computer = !self.waits() && self.room.is_computer(self.turn());
        waits.then_some(if computer { 3 } else { 15 })
    }

    /// Whether the opponent's time is up, so that this player may close the round.
    pub fn may_close(&self) -> bool {
        let goes_on = !self.room.is_over() && !self.waits();
        let waits_for_them = !self.seats.is_empty() && !self.may_move() && !self.decides_alone();
        goes_on && waits_for_them && self.room.is_left(self.now)
    }

    /// The opponent's offer, if this player may answer it.
    pub fn offer_to_answer(&self) -> Option<Offer> {
        let (player, offer) = self.room.offer()?;
        (!self.seats.is_empty() && !self.seats.contains(&player)).then_some(offer)
    }

    /// Whether it's up to them: a move or an answer is due.
    pub fn is_called(&self) -> bool {
        self.may_move() || self.offer_to_answer().is_some()
    }

    /// The page title. News comes first, so that it shows on a tab.
    pub fn title(&self) -> String {
        let game = self.room.sitting().rulebook().title();
        if let (Some(offer), Some((player, _))) = (self.offer_to_answer(), self.room.offer()) {
            let what = match offer {
                Offer::TakeBack => "asks to undo",
                Offer::Rematch | Offer::AnotherTarget => "asks for a rematch",
            };
            return format!("● {} {what} · {game} · Spot On", self.room.name(player));
        }
        if self.room.is_over() || self.waits() {
            return format!("{game} · Spot On");
        }
        let mark = if self.may_move() { "● " } else { "" };
        format!("{mark}{} · {game} · Spot On", self.whose_turn())
    }

    /// The status line. A screen reader speaks it once per event.
    pub fn status(&self) -> String {
        let mut said = Vec::new();
        said.extend(self.happened());
        said.extend(self.now());
        said.extend(self.offered());
        named(self.room.sitting().rulebook(), &said.join(" "))
    }

    fn whose_turn(&self) -> String {
        match self.you() == Some(self.turn()) {
            true => "Your turn".to_owned(),
            false => format!("{}'s turn", self.room.name(self.turn())),
        }
    }

    fn happened(&self) -> Vec<String> {
        let name = |player: Player| self.room.name(player);
        let told = match self.room.last() {
            Some(Event::SeatTaken { player, .. }) if self.you() != Some(*player) => {
                format!("{} joined.", name(*player))
            }
            Some(Event::Declined { player }) if self.you() == Some(*player) => "You declined.".to_owned(),
            Some(Event::Declined { player }) => format!("{} declined.", name(*player)),
            Some(Event::WentOn { player }) if self.you() == Some(*player) => {
                "You moved on to the next partner.".to_owned()
            }
            Some(Event::WentOn { player }) => format!("{} moved on to the next partner.", name(*player)),
            Some(Event::Game(Game::TakenBack { moves })) => {
                format!("{} undone.", phrases::count(moves.len() as u64, "move", "moves"))
            }
            Some(Event::Game(Game::RoundBegun { .. })) => {
                format!("Round {} begins.", self.room.round_number())
            }
            // At the end, the sentence about how it happened is enough.
            Some(Event::Game(Game::Moved { .. })) if !self.room.is_over() => return self.moved(),
            _ => return vec![],
        };
        vec![told]
    }

    /// The last move, with the skipped turns after it.
    fn moved(&self) -> Vec<String> {
        let chosen = self.table.history().rposition(|made| !made.is_skip()).unwrap_or(0);
        self.table.history().skip(chosen).map(|made| self.made(made)).collect()
    }

    /// A move: `Ben played +3: 8 → 11.`
    fn made(&self, made: Made<'_>) -> String {
        let is_you = self.you() == Some(made.player());
        let who = if is_you { "You".to_owned() } else { self.room.name(made.player()) };
        if made.is_skip() {
            let whose = if is_you { "your" } else { "the" };
            return format!("{who} had no legal move, so {whose} turn was skipped.");
        }
        let whose = match made.owner() {
            owner if owner == made.player() => String::new(),
            owner if self.you() == Some(owner) => "your number ".to_owned(),
            owner => format!("{}'s number ", self.room.name(owner)),
        };
        format!("{who} played {}: {whose}{} → {}.", made.written(), made.from(), made.to())
    }

    fn now(&self) -> Vec<String> {
        let sitting = self.room.sitting();
        let (round, names) = (sitting.round(), self.room.all_names());
        if let Some(end) = self.table.end() {
            return vec![end.how.clone()];
        }
        if self.waits() {
            let told = match self.seats.is_empty() {
                true => "Were you invited? Open the link you were sent.",
                false => "Waiting for your friend to join…",
            };
            return vec![told.to_owned()];
        }
        let mut said = vec![match self.you() == Some(self.turn()) {
            true => "Your turn.".to_owned(),
            false => format!("{}'s turn.", names[self.turn()]),
        }];
        if self.may_close() {
            said.push(format!(
                "{} hasn't moved for three days. You can close the round.",
                names[self.turn()]
            ));
        }
        said.extend(phrases::drawn_next_time(round));
        if (sitting.hints_told() > 0 || sitting.is_explained()) && !self.seats.contains(&self.turn()) {
            said.push(format!("{} used a hint.", names[self.turn()]));
        }
        said
    }

    /// The open offer.
    fn offered(&self) -> Option<String> {
        let (player, offer) = self.room.offer()?;
        let what = match offer {
            Offer::TakeBack => match self.room.to_take_back(player).as_slice() {
                [] => "to undo a move".to_owned(),
                [only] => format!("to undo {only}"),
                [first, ..] => format!("to undo {first} and everything after it"),
            },
            Offer::Rematch => "for a rematch".to_owned(),
            Offer::AnotherTarget => "for a rematch with another target".to_owned(),
        };
        let [own, other] = [player, !player].map(|player| self.room.name(player));
        Some(match self.you() {
            Some(you) if you == player => format!("You asked {what}. {other} hasn't answered yet."),
            _ => format!("{own} asks {what}."),
        })
    }
}
