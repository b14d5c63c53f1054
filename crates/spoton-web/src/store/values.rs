//! The encoding of stored values, shared by all stores that keep rows.

use spoton::engine::position::Player;

use super::WaitsFor;
use crate::ids::{Hash, SittingId};

/// Converts to the databases' signed integers. Only "forever" exceeds them, and it saturates.
pub fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts back. Only a corrupted value is negative.
pub fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Returns the checksum of a log row. The databases needn't have one, and a flipped digit may still be a legal move.
pub fn sum(id: SittingId, seq: i64, at: i64, body: &[u8]) -> Vec<u8> {
    let row = [&id.0[..], &seq.to_be_bytes(), &at.to_be_bytes(), body].concat();
    Hash::digest(row).0[..8].to_vec()
}

/// Returns an event's body. Marks a corrupted one so that nothing can use it.
pub fn damaged_or(body: Vec<u8>, is_whole: bool) -> String {
    match String::from_utf8(body) {
        Ok(body) if is_whole => body,
        Ok(body) => format!("damaged: {body}"),
        Err(error) => format!("damaged: {}", String::from_utf8_lossy(error.as_bytes())),
    }
}

/// Encodes who a sitting waits for. The index of waiting computers uses number 3.
pub fn waits_for_number(waits_for: WaitsFor) -> i64 {
    match waits_for {
        WaitsFor::Nobody => 0,
        WaitsFor::Player(player) => i64::from(player.number()),
        WaitsFor::Computer => 3,
        WaitsFor::Guest => 4,
    }
}

/// Decodes who a sitting waits for.
pub fn waits_for_of(number: i64) -> WaitsFor {
    match number {
        1 => WaitsFor::Player(Player::One),
        2 => WaitsFor::Player(Player::Two),
        3 => WaitsFor::Computer,
        4 => WaitsFor::Guest,
        _ => WaitsFor::Nobody,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sittings_next_player_is_read_back_as_written() {
        let players = Player::BOTH.map(WaitsFor::Player);
        for waits_for in [WaitsFor::Nobody, WaitsFor::Computer, WaitsFor::Guest].into_iter().chain(players) {
            assert_eq!(waits_for_of(waits_for_number(waits_for)), waits_for);
        }
    }

    #[test]
    fn each_part_of_an_event_counts_in_its_sum() {
        let whole = sum(SittingId([1; 16]), 1, 2, b"x2");
        for other in [
            sum(SittingId([2; 16]), 1, 2, b"x2"),
            sum(SittingId([1; 16]), 2, 2, b"x2"),
            sum(SittingId([1; 16]), 1, 3, b"x2"),
            sum(SittingId([1; 16]), 1, 2, b"x3"),
        ] {
            assert_ne!(other, whole);
        }
    }
}
