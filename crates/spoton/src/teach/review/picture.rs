//! A review's layout: the points of a round.

use super::Review;
use crate::engine::position::Player;
use crate::engine::round::Round;

/// A point of a round: before a move, or at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The player to move, who owns the number shown. At the end, the owner of the last changed number.
    pub player: Player,
    /// The number.
    pub number: i128,
    /// The move chosen at this point; `None` at the end.
    pub chosen: Option<String>,
    /// The player who could force a win at this point: `1`, `2`, or `=` for neither. `None` if unknown.
    pub mark: Option<char>,
    /// Whether it's the turning point.
    pub turned: bool,
}

/// A round's points from start to end, with the facts from a review.
pub fn points(round: &Round, review: Option<&Review>) -> Vec<Point> {
    let mark_at = |place: usize| {
        let review = review?;
        let who = match place.checked_sub(1) {
            None => review.opening.value.winner(review.first),
            Some(before) => review.moves.get(before)?.who_can_win(),
        };
        Some(mark(who))
    };
    let turned = review.and_then(Review::turning_point).map(|(place, _)| place);
    let history = round.history();
    let mut points: Vec<Point> = (0..)
        .zip(history)
        .map(|(place, ply)| Point {
            player: ply.player(),
            number: ply.before.number().into(),
            chosen: Some(round.rulebook().write(ply.a_move)),
            mark: mark_at(place),
            turned: turned == Some(place),
        })
        .collect();
    let player = history.last().map_or(round.first(), |ply| ply.owner);
    let number = round.number_of(player);
    points.push(Point { player, number, chosen: None, mark: mark_at(history.len()), turned: false });
    points
}

/// The player who can force a win, as a character.
pub(crate) fn mark(who: Option<Player>) -> char {
    match who {
        None => '=',
        Some(Player::One) => '1',
        Some(Player::Two) => '2',
    }
}
