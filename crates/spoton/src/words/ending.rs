//! How a round ended: one verdict, and one sentence about how it happened.

use crate::engine::operation::Kind;
use crate::engine::play::{Ending, Move};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::{Ply, Round};
use crate::format::Stuck;
use crate::words::phrases;

/// A round and its reader.
pub struct End<'a> {
    /// The round.
    pub round: &'a Round,
    /// The players' names.
    pub names: &'a ByPlayer<String>,
    /// The player called "you".
    pub you: Option<Player>,
}

impl End<'_> {
    /// The verdict: `You win!`. `None` while the round continues.
    pub fn verdict(&self) -> Option<String> {
        let outcome = self.round.outcome()?;
        Some(match outcome.winner {
            Some(winner) if self.you == Some(winner) => "You win!".to_owned(),
            Some(winner) if self.you.is_some() => format!("{} wins this one.", self.names[winner]),
            Some(winner) => format!("{} wins!", self.names[winner]),
            None if outcome.ending.is_without_result() => "Nobody wins.".to_owned(),
            None => "It's a draw.".to_owned(),
        })
    }

    /// The result, for lists of rounds: `Ben won.`
    pub fn result(&self) -> Option<String> {
        let outcome = self.round.outcome()?;
        Some(match outcome.winner {
            Some(winner) => format!("{} won.", self.who(winner)),
            None if outcome.ending.is_without_result() => "Nobody won.".to_owned(),
            None => "Draw.".to_owned(),
        })
    }

    /// How it happened: `Ben doubled 11 and overshot 20 by 2.`
    pub fn how(&self) -> Option<String> {
        let outcome = self.round.outcome()?;
        let rulebook = self.round.rulebook();
        let target = rulebook.target().unwrap_or_default();
        let on_turn = self.round.position().turn();
        let closer = || match outcome.winner {
            Some(winner) if self.you == Some(winner) => format!("you're closer to {target}"),
            Some(winner) => format!("{} is closer to {target}", self.names[winner]),
            None => format!("both are equally close to {target}"),
        };
        let far = |ply: &Ply| ply.number.abs_diff(target.into());
        let wins = |ply: &Ply| outcome.winner == Some(ply.owner);
        let landed = |ply: &Ply| match outcome.ending {
            Ending::Overshot if ply.owner != ply.player() => {
                format!(", pushing it {} past {target}", far(ply))
            }
            Ending::Overshot if wins(ply) => format!(" and went {} past {target}", far(ply)),
            Ending::Overshot => format!(" and overshot {target} by {}", far(ply)),
            _ if ply.owner != ply.player() => format!(", bringing it to {}", ply.number),
            Ending::Reached => format!(" and landed exactly on {target}"),
            _ => format!(" and landed on {}", ply.number),
        };
        let number = |ply: &Ply| match (outcome.ending, wins(ply)) {
            (Ending::Landed, true) => ", a winning number",
            (Ending::Landed, false) => ", a losing number",
            (Ending::Reached, false) => ", which loses",
            _ => "",
        };
        Some(match outcome.ending {
            Ending::Reached | Ending::Overshot | Ending::Landed => {
                let ply = self.round.history().last()?;
                format!("{}{}{}.", self.made(ply)?, landed(ply), number(ply))
            }
            Ending::Stuck if rulebook.stuck() == Stuck::Skips => {
                "Neither player has a legal move.".to_owned()
            }
            Ending::Stuck => {
                format!("{} no legal move.", self.with_verb(on_turn, "have", "has"))
            }
            Ending::Closest => format!("Neither player has a legal move, and {}.", closer()),
            Ending::Turns => format!("The turns are used up, and {}.", closer()),
            Ending::Resigned => {
                format!("{} gave up.", self.who(outcome.winner.map_or(on_turn, |winner| !winner)))
            }
            Ending::Repetition => match rulebook.repetition() {
                Some(times) => format!("The same position came up {}.", phrases::times(times)),
                None => "The same position came up too often.".to_owned(),
            },
            Ending::Stopped => "The round reached its limit of moves.".to_owned(),
            Ending::Forfeited => format!("{} made no legal move.", self.who(on_turn)),
            Ending::Abandoned => format!("{} didn't come back.", self.who(on_turn)),
        })
    }

    /// A move in words: `Ben doubled 11`; on the opponent's number, `Ben doubled your 11`.
    fn made(&self, ply: &Ply) -> Option<String> {
        let Move::Operation(choice) = ply.a_move else { return None };
        let operation = self.round.rulebook().operation(choice)?;
        let whose = match ply.owner {
            owner if owner == ply.player() => String::new(),
            owner if self.you == Some(owner) => "your ".to_owned(),
            owner => format!("{}'s ", self.names[owner]),
        };
        let number = format!("{whose}{}", ply.before.number_of(ply.owner));
        let amount = operation.amount();
        let did = match (operation.kind(), amount) {
            (Kind::Add, _) => format!("added {amount} to {number}"),
            (Kind::Subtract, _) => format!("subtracted {amount} from {number}"),
            (Kind::Multiply, 2) => format!("doubled {number}"),
            (Kind::Multiply, _) => format!("multiplied {number} by {amount}"),
            (Kind::Divide, 2) => format!("halved {number}"),
            (Kind::Divide, _) => format!("divided {number} by {amount}"),
        };
        Some(format!("{} {did}", self.who(ply.player())))
    }

    fn who(&self, player: Player) -> &str {
        if self.you == Some(player) { "You" } else { &self.names[player] }
    }

    fn with_verb(&self, player: Player, yours: &str, theirs: &str) -> String {
        format!("{} {}", self.who(player), if self.you == Some(player) { yours } else { theirs })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::format::Draft;
    use crate::records::read_move;

    use super::*;

    fn round(rules: &str, moves: &[&str]) -> Round {
        let text = format!("title = 'x'\n{rules}");
        let mut round = Round::new(Arc::new(Draft::read("x.toml", &text).build().unwrap()), Player::One);
        for written in moves {
            round.play(read_move(written, &round).unwrap()).unwrap();
        }
        round
    }

    #[test]
    fn the_end_is_one_verdict_and_one_sentence() {
        let names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
        let race = "start = 11\ntarget = 20\nmoves = ['+9', 'x2', '+1']";
        let castles = "start = 3\nnumbers = 'separate'\nrange = [0, 9]\nlosing = [0]\nmoves = ['-1', { op = '-3', on = 'other' }]";
        let turns = "start = 0\ntarget = 9\nnumbers = 'separate'\nturns = 1\nmoves = ['+1', '+2']";
        for (rules, moves, you, verdict, how) in [
            (race, &["+1", "x2"][..], Some(Player::One), "You win!", "Ben doubled 12 and overshot 20 by 4."),
            (race, &["x2"], Some(Player::One), "Ben wins this one.", "You doubled 11 and overshot 20 by 2."),
            (race, &["+9"], None, "Ann wins!", "Ann added 9 to 11 and landed exactly on 20."),
            (
                castles,
                &["@-3"],
                Some(Player::Two),
                "Ann wins this one.",
                "Ann subtracted 3 from your 3, bringing it to 0, a losing number.",
            ),
            (turns, &["+1", "+2"], None, "Ben wins!", "The turns are used up, and Ben is closer to 9."),
            (
                turns,
                &["+1", "+1"],
                None,
                "It's a draw.",
                "The turns are used up, and both are equally close to 9.",
            ),
        ] {
            let round = round(rules, moves);
            let end = End { round: &round, names: &names, you };
            assert_eq!(end.verdict().as_deref(), Some(verdict), "{rules} {moves:?}");
            assert_eq!(end.how().as_deref(), Some(how), "{rules} {moves:?}");
        }
        let going_on = round(race, &["+1"]);
        assert_eq!(End { round: &going_on, names: &names, you: None }.how(), None);
    }
}
