//! How a round stands, in a sentence or two, for lists.

use spoton::engine::position::{ByPlayer, Player};
use spoton::words::dialogue::{Dialogue, Voice};

use crate::classes;
use crate::room::Room;

/// Who has gone on to the next partner.
pub fn went_on(room: &Room) -> String {
    let gone = Player::BOTH.into_iter().filter(|player| room.has_gone_on(*player));
    let gone: Vec<String> = gone.map(|player| room.name(player)).collect();
    let has = if gone.len() == 1 { "has" } else { "have" };
    format!("{} {has} gone on to the next partner.", gone.join(" and "))
}

/// How it ended, or whose turn it is; `seats` are those of whoever reads it.
pub fn stands(room: &Room, seats: &[Player]) -> String {
    let (round, names) = (room.sitting().round(), room.all_names());
    let which = match room.round_number() {
        1 => String::new(),
        number => format!("Round {number}. "),
    };
    let computers = ByPlayer::from_fn(|player| room.is_computer(player));
    let voice = Voice { names: &names, computers, paint: &|_, text| text };
    let turn = round.position().turn();
    let stands = match (Dialogue { round, voice: &voice }).ending() {
        Some(ending) => ending.replace('\n', " "),
        None if room.is_left_by_anybody() => went_on(room),
        None if classes::open_seat(room).is_some() => "The second player has not come yet.".to_owned(),
        None if seats == [turn] => "It is your turn.".to_owned(),
        None => format!("It is {}'s turn.", names[turn]),
    };
    which + &stands
}
