//! A review laid out: the points of a round, and the strip of its moves.

use super::Review;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::Numbers;

/// A point of a round, for a picture of it: before a move, or at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Whose number it is, and who chooses; at the end whose number was changed last.
    pub player: Player,
    /// The number there.
    pub number: i128,
    /// What was chosen there; `None` at the end.
    pub chosen: Option<String>,
    /// Who could force a win there: `1`, `2`, or `=` for neither. `None` if that is not known.
    pub mark: Option<char>,
    /// Whether the round turned by what was chosen there.
    pub turned: bool,
}

/// The points of a round from the start to the end, with what a review has found out about them.
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

/// Who can force a win, as a sign.
fn mark(who: Option<Player>) -> char {
    match who {
        None => '=',
        Some(Player::One) => '1',
        Some(Player::Two) => '2',
    }
}

/// The moves with the numbers they gave and who could force a win after each: `1`, `2`, or `=` for neither. A caret
/// stands under the turning point. If both players have a number of their own, the first row tells whose move it was.
pub fn strip(review: &Review, round: &Round) -> String {
    let own_numbers = round.rulebook().numbers() == Numbers::Separate;
    let whose = |told: String| if own_numbers { told } else { String::new() };
    let (start, other) = round.rulebook().start();
    let start = if start == other { start.to_string() } else { format!("{start}/{other}") };
    let turned = review.turning_point().map(|(place, _)| place);
    let mut columns = vec![[
        whose("by".to_owned()),
        "start".to_owned(),
        start,
        mark(review.opening.value.winner(review.first)).to_string(),
        String::new(),
    ]];
    for (place, judged) in review.moves.iter().enumerate() {
        columns.push([
            whose(judged.player.number().to_string()),
            round.rulebook().write(judged.a_move),
            judged.to.to_string(),
            mark(judged.who_can_win()).to_string(),
            if turned == Some(place) { "^".to_owned() } else { String::new() },
        ]);
    }
    const WIDTH: usize = 78;
    let mut lines: Vec<String> = Vec::new();
    let mut rows: [String; 5] = Default::default();
    for column in columns {
        let width = column.iter().map(String::len).max().unwrap_or(0) + 2;
        if rows[0].len() + width > WIDTH {
            lines.extend(rows.iter_mut().map(std::mem::take));
        }
        for (row, text) in rows.iter_mut().zip(column) {
            row.push_str(&format!("{text:>width$}"));
        }
    }
    lines.extend(rows);
    lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
