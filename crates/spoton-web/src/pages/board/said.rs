//! What is said at a board: what has just happened and how things stand, for whoever looks at it.

use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::people::review::{self, Audience};
use spoton::people::today::Attempt;
use spoton::sitting::Event as Game;
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::phrases;

use crate::pages::named::named;
use crate::room::{Command, Event, Offer, Room};
use crate::tables::now;

/// Somebody who looks at a board, with the seats that they hold; a watcher holds none.
#[derive(Clone, Copy)]
pub struct Looker<'a> {
    pub room: &'a Room,
    pub seats: &'a [Player],
}

impl Looker<'_> {
    /// Who is called "you". Whoever holds both seats goes by the names.
    pub fn you(&self) -> Option<Player> {
        match self.seats {
            [own] => Some(*own),
            _ => None,
        }
    }

    pub fn turn(&self) -> Player {
        self.room.sitting().round().position().turn()
    }

    /// Whether a seat has not been taken yet.
    pub fn waits(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.room.is_open(player))
    }

    pub fn may_move(&self) -> bool {
        !self.room.is_over() && !self.waits() && self.seats.contains(&self.turn())
    }

    /// Whether it's the duel of a day, and the attempt that counts.
    pub fn counts(&self) -> bool {
        self.attempt().is_some_and(|attempt| attempt.counts)
    }

    /// Whether this player has done nothing yet in a round that counts.
    pub fn begins_what_counts(&self) -> bool {
        let has_moved =
            |player| self.room.sitting().round().history().iter().any(|ply| ply.player() == player);
        let is_fresh = self.attempt().is_some_and(|attempt| attempt.counts && attempt.hints == 0);
        is_fresh && !self.room.is_over() && self.you().is_some_and(|own| !has_moved(own))
    }

    fn attempt(&self) -> Option<Attempt> {
        self.room.sitting().setup().today
    }

    /// Whether nobody else has to agree to anything.
    pub fn decides_alone(&self) -> bool {
        self.seats.len() == 2 || self.you().is_some_and(|own| self.room.is_computer(!own))
    }

    /// Whether there is a move of their own to take back.
    pub fn may_take_back(&self) -> bool {
        let has_moved =
            self.room.sitting().round().history().iter().any(|ply| self.seats.contains(&ply.player()));
        has_moved && self.room.decide(self.seats, &Command::Offer(Offer::TakeBack), now()).is_ok()
    }

    /// After how many seconds a browser without scripts looks again: soon for a computer, and not too often for a
    /// person. Nothing comes by itself on one's own turn, or after the end.
    pub fn looks_again(&self) -> Option<u32> {
        let asks = self.room.offer().is_some_and(|(player, _)| self.seats.contains(&player));
        let waits = if self.room.is_over() { asks } else { !self.may_move() || asks };
        let computer = !self.waits() && self.room.is_computer(self.turn());
        waits.then_some(if computer { 3 } else { 15 })
    }

    /// What the end means for whoever looks: whether they have won, and the words. Nobody is told what they see anyway.
    pub fn verdict(&self) -> Option<(bool, String)> {
        let winner = self.room.sitting().round().outcome()?.winner?;
        let won = winner == self.you()?;
        let said =
            if won { "You win!".to_owned() } else { format!("This one goes to {}.", self.room.name(winner)) };
        Some((won, said))
    }

    /// Whether the other player has had time enough, so that this one may close the round.
    pub fn may_close(&self) -> bool {
        let goes_on = !self.room.is_over() && !self.waits();
        let waits_for_them = !self.seats.is_empty() && !self.may_move() && !self.decides_alone();
        goes_on && waits_for_them && self.room.is_left(now())
    }

    /// What the other player offers, if this one may answer.
    pub fn offer_to_answer(&self) -> Option<Offer> {
        let (player, offer) = self.room.offer()?;
        (!self.seats.is_empty() && !self.seats.contains(&player)).then_some(offer)
    }

    /// Whether something waits for whoever looks: a move, or an answer.
    pub fn is_called(&self) -> bool {
        self.may_move() || self.offer_to_answer().is_some()
    }

    /// The title of the page: what somebody waits for comes first, so that it is seen on a tab.
    pub fn title(&self) -> String {
        let game = self.room.sitting().rulebook().title();
        if let (Some(offer), Some((player, _))) = (self.offer_to_answer(), self.room.offer()) {
            let what = match offer {
                Offer::TakeBack => "asks to take back",
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

    /// What the page says, and a screen reader speaks, once an event.
    pub fn status(&self) -> String {
        let mut said = Vec::new();
        said.extend(self.happened());
        said.extend(self.stands());
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
                format!("{} has taken the seat.", name(*player))
            }
            Some(Event::Declined { player }) if self.you() == Some(*player) => "You declined.".to_owned(),
            Some(Event::Declined { player }) => format!("{} declined.", name(*player)),
            Some(Event::WentOn { player }) if self.you() == Some(*player) => {
                "You have gone on to the next partner.".to_owned()
            }
            Some(Event::WentOn { player }) => format!("{} has gone on to the next partner.", name(*player)),
            Some(Event::Game(Game::TakenBack { moves })) => {
                format!("{} taken back.", phrases::count(moves.len() as u64, "move was", "moves were"))
            }
            Some(Event::Game(Game::RoundBegun { .. })) => {
                format!("Round {} begins.", self.room.round_number())
            }
            Some(Event::Game(Game::Moved { .. })) => return self.moved(),
            _ => return vec![],
        };
        vec![told]
    }

    /// The last move, with the turns that were skipped after it.
    fn moved(&self) -> Vec<String> {
        let (round, names) = (self.room.sitting().round(), self.room.all_names());
        let audience = Audience { names: &names, you: self.you(), discover: true };
        let history = round.history();
        let chosen = history.iter().rposition(|ply| ply.a_move != Move::Skip).unwrap_or(history.len());
        (chosen..history.len()).filter_map(|place| review::happened(round, place, &audience)).collect()
    }

    fn stands(&self) -> Vec<String> {
        let sitting = self.room.sitting();
        let (round, names) = (sitting.round(), self.room.all_names());
        // Only whoever looks is "you".
        let computers = ByPlayer::from_fn(|player| self.you() != Some(player));
        let voice = Voice { names: &names, computers, paint: &|_, text| text };
        if let Some(ending) = (Dialogue { round, voice: &voice }).ending() {
            return ending.lines().map(str::to_owned).collect();
        }
        if self.waits() {
            let told = match self.seats.is_empty() {
                true => "Were you invited? Open the link you were sent.",
                false => "Waiting for your friend to take the seat.",
            };
            return vec![told.to_owned()];
        }
        let mut said = vec![match self.you() == Some(self.turn()) {
            true => "It is your turn.".to_owned(),
            false => format!("It is {}'s turn.", names[self.turn()]),
        }];
        if self.may_close() {
            said.push("You have waited for three days, and may close the round.".to_owned());
        }
        said.extend(phrases::drawn_next_time(round));
        if (sitting.hints_told() > 0 || sitting.is_explained()) && !self.seats.contains(&self.turn()) {
            said.push(format!("{} was given a hint.", names[self.turn()]));
        }
        said
    }

    /// What is offered, and to whom.
    fn offered(&self) -> Option<String> {
        let (player, offer) = self.room.offer()?;
        let what = match offer {
            Offer::TakeBack => match self.room.to_take_back(player).as_slice() {
                [] => "to take a move back".to_owned(),
                [only] => format!("to take back the move {only}"),
                [first, ..] => format!("to take back the move {first} and what came after it"),
            },
            Offer::Rematch => "for a rematch".to_owned(),
            Offer::AnotherTarget => "for a rematch with another target".to_owned(),
        };
        let [own, other] = [player, !player].map(|player| self.room.name(player));
        Some(match self.you() {
            Some(you) if you == player => format!("You asked {what}; {other} has not answered yet."),
            _ => format!("{own} asks {what}."),
        })
    }
}
