//! Phrases that all surfaces share.
//!
//! ```
//! use spoton::words::phrases;
//!
//! assert_eq!(phrases::or_list(["+1", "+2", "x2"]), "+1, +2 or x2");
//! assert_eq!(phrases::count(2u8, "round", "rounds"), "2 rounds");
//! ```

pub use spoton_core::text::{
    and_list, capitalised, count, in_words, nth, or_list, ordinal, separated, times, uncapitalised,
};
pub use spoton_core::words::refusal;

use crate::engine::play::Refusal;
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::series::{MOST_DRAWS_IN_A_ROW, Match, MatchResult};
use crate::format::{MatchForm, Rulebook, shown};
use crate::solver::{Value, Verdict};

/// The result for a rule book without errors, in sentences. If the game or a variant is unplayable, mentions that first.
pub fn is_valid(rulebook: &Rulebook, variants: u64, unplayable_variants: &[(String, String)]) -> Vec<String> {
    let and_variants = match variants {
        0 => String::new(),
        _ => format!(", with {}", count(variants, "variant", "variants")),
    };
    let title = rulebook.title();
    match rulebook.unplayable() {
        Some(why) => vec![format!("{why} Otherwise, {title} is valid{and_variants}.")],
        None => {
            let of_variants =
                unplayable_variants.iter().map(|(name, why)| format!("Variant \"{}\": {why}", shown(name)));
            of_variants.chain([format!("{title} is valid{and_variants}.")]).collect()
        }
    }
}

/// Warns that the round is a draw if this position occurs once more; otherwise `None`. If the second time is already
/// a draw, the warning would apply to every position, so only the rules mention it.
pub fn drawn_next_time(round: &Round) -> Option<String> {
    let most = round.rulebook().repetition().filter(|most| *most > 2)?;
    let again = round.outcome().is_none() && round.drawn_next_time().contains(round.position());
    again.then(|| {
        let next = ordinal(most);
        format!("This position has come up {}. The {next} time is a draw.", times(most - 1))
    })
}

/// [`refusal`] for a player by name, such as a computer. `opponent` is the opponent's name; `None` addresses them.
pub(crate) fn refusal_to(rulebook: &Rulebook, why: Refusal, player: &str, opponent: Option<&str>) -> String {
    match (why, opponent) {
        (Refusal::RepeatsOwn, _) => format!("it was {player}'s own last move"),
        (Refusal::RepeatsOpponent, Some(opponent)) => format!("it was {opponent}'s last move"),
        (Refusal::RepeatsOpponent, None) => "it was your last move".to_owned(),
        (Refusal::NoPassLeft { .. }, _) => format!("{player} has no passes left"),
        (why, _) => refusal(rulebook, why),
    }
}

/// Why a player can't make a move, as a sentence: `You can't take 2: that goes past 0.`
pub(crate) fn cannot(rulebook: &Rulebook, label: &str, why: Refusal) -> String {
    let reason = match why {
        Refusal::PastTarget { .. }
        | Refusal::OutOfRange { .. }
        | Refusal::Forbidden { .. }
        | Refusal::Remainder => {
            format!("that {}", refusal(rulebook, why))
        }
        why => refusal(rulebook, why),
    };
    match starts_with_verb(label) {
        true => format!("You can't {}: {reason}.", uncapitalised(label)),
        false => format!("{label} isn't allowed: {reason}."),
    }
}

/// Whether a move's label reads as an action: `Take 3`, but not `Big strike`.
pub(crate) fn starts_with_verb(label: &str) -> bool {
    const VERBS: [&str; 40] = [
        "add", "subtract", "multiply", "divide", "take", "double", "triple", "halve", "step", "strike", "go",
        "move", "grow", "shrink", "climb", "drop", "jump", "hop", "split", "cut", "lose", "gain", "remove",
        "give", "eat", "count", "raise", "lower", "increase", "decrease", "put", "hit", "pick", "choose",
        "draw", "pay", "break", "keep", "use", "play",
    ];
    let verb = label.split(' ').next().unwrap_or_default().to_lowercase();
    VERBS.contains(&verb.as_str())
}

/// ` within 14 moves`, as the end of a sentence: an upper limit under best play by the winner.
pub(crate) fn within(moves: Option<u64>) -> String {
    match moves {
        Some(0) | None => String::new(),
        Some(1) => " in 1 move".to_owned(),
        Some(moves) => format!(" within {} moves", separated(moves)),
    }
}

/// The warning before a round that takes more than 10^`power` moves.
pub fn beyond_patience(power: u32) -> String {
    let moves = separated(10_i128.saturating_pow(power));
    format!("With best play, this round takes more than {moves} moves. Nobody can finish it.")
}

/// The reply in discovery mode to a player who asks for something hidden.
pub const NO_ANSWERS: &str = "Discovery mode is on: no hints or answers.";

/// Explains why a verdict has no number of moves.
pub(crate) const LENGTH_IS_UNKNOWN: &str = "the game is too large to count the moves";

/// A verdict in words: `Player 2 can force a win within 14 moves`.
///
/// Takes the verdict from the point of view of the player to move.
pub fn verdict(verdict: Verdict, turn: Player, names: &ByPlayer<String>) -> String {
    let within = within(verdict.remoteness());
    match verdict.value {
        Value::Win => format!("{} can force a win{within}", names[turn]),
        Value::Loss => format!("{} can force a win{within}", names[!turn]),
        Value::Draw => "Neither can force a win".to_owned(),
    }
}

/// Consolation for a player who lost from a seat (`first` or `second`) that loses against perfect play. It's warmer if
/// they made no mistakes.
pub fn lost_seat(seat: &str, blameless: bool) -> String {
    let cannot = format!("Going {seat}, you can't win here against perfect play.");
    if blameless { format!("It wasn't your fault. {cannot}") } else { format!("Tough seat. {cannot}") }
}

/// `first to 3 wins`; `5 rounds, most wins`.
pub fn match_form(form: MatchForm) -> String {
    match form {
        MatchForm::FirstTo(wins) => format!("first to {}", count(wins, "win", "wins")),
        MatchForm::Rounds(rounds) => format!("{}, most wins", count(rounds, "round", "rounds")),
    }
}

/// A person who plays against a computer.
pub const YOU: &str = "You";

/// The score between rounds of a match.
pub fn score(series: &Match, names: &ByPlayer<String>) -> String {
    let ByPlayer([one, two]) = series.score();
    let ByPlayer([name_one, name_two]) = names;
    format!(
        "Score after {}: {name_one}: {one}, {name_two}: {two}.",
        count(series.played(), "round", "rounds")
    )
}

/// The last line of a match.
pub(crate) fn match_result(series: &Match, result: MatchResult, names: &ByPlayer<String>) -> String {
    let drawn = match series.is_ended_by_draws() {
        true => format!("{MOST_DRAWS_IN_A_ROW} draws in a row end the match.\n"),
        false => String::new(),
    };
    drawn
        + &match result {
            MatchResult::Won(winner) => {
                let wins = if names[winner] == YOU { "win" } else { "wins" };
                let (most, least) = (series.score()[winner], series.score()[!winner]);
                format!("{} {wins} the match {most} to {least}!", names[winner])
            }
            MatchResult::Tied => format!("The match is tied at {} all!", series.score().0[0]),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;
    use crate::records::read_move;
    use std::sync::Arc;

    #[test]
    fn the_last_time_before_a_draw_is_announced() {
        let warned_after = |times: u8, moves: usize| {
            let text =
                format!("title = 'x'\nstart = 5\ntarget = 17\nmoves = ['+1', '-1']\nrepetition = {times}");
            let rulebook = Draft::read("x.toml", &text).build().unwrap();
            let mut round = Round::new(Arc::new(rulebook), Player::One);
            for written in ["+1", "-1"].into_iter().cycle().take(moves) {
                round.play(read_move(written, &round).unwrap()).unwrap();
            }
            drawn_next_time(&round)
        };
        let warning = "This position has come up twice. The third time is a draw.";
        assert_eq!(warned_after(3, 2).as_deref(), Some(warning));
        assert!([0, 1, 4].into_iter().all(|moves| warned_after(3, moves).is_none()));
        assert_eq!(warned_after(2, 1), None, "it would fit every position");
    }
}
