//! A round's status in a sentence or two, for lists.

use spoton::engine::position::Player;
use spoton::words::ending::End;

use crate::room::Room;
use crate::tables::classes;

/// The players who moved on to the next partner, in a sentence.
pub fn went_on(room: &Room) -> String {
    let gone = Player::BOTH.into_iter().filter(|player| room.has_gone_on(*player));
    let gone: Vec<String> = gone.map(|player| room.name(player)).collect();
    format!("{} moved on to the next partner.", gone.join(" and "))
}

/// How it ended, or whose turn it is. `seats` are the reader's.
pub fn status(room: &Room, seats: &[Player]) -> String {
    let (round, names) = (room.sitting().round(), room.all_names());
    let which = match room.round_number() {
        1 => String::new(),
        number => format!("Round {number}. "),
    };
    let you = if let [own] = seats { Some(*own) } else { None };
    let end = End { round, names: &names, you };
    let turn = round.position().turn();
    let status = match end.result().zip(end.how()) {
        Some((result, how)) => format!("{result} {how}"),
        None if room.is_left_by_anybody() => went_on(room),
        None if classes::open_seat(room).is_some() => "Waiting for the second player.".to_owned(),
        None if seats == [turn] => "Your turn.".to_owned(),
        None => format!("{}'s turn.", names[turn]),
    };
    format!("{which}{status}")
}
