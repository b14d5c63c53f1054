//! The words that every surface shares, so that a thing is called the same everywhere.
//!
//! ```
//! use spoton::words::phrases;
//!
//! assert_eq!(phrases::or_list(["+1", "+2", "x2"]), "+1, +2 or x2");
//! assert_eq!(phrases::count(2u8, "round", "rounds"), "2 rounds");
//! ```

use crate::engine::computed::{Computed, Source};
use crate::engine::operation::Kind;
use crate::engine::play::Refusal;
use crate::engine::position::{ByPlayer, Choice, EntryIndex, Player};
use crate::engine::round::Round;
use crate::engine::series::{MOST_DRAWS_IN_A_ROW, Match, MatchResult};
use crate::format::{Entry, MatchForm, Op, Pool, Rulebook};
use crate::solver::{Value, Verdict};
use crate::words::describe;

/// `1`, `1 or 2`, `1, 2 or 3`.
pub fn or_list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    join(items, "or")
}

/// `a`, `a and b`, `a, b and c`.
pub fn and_list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    join(items, "and")
}

fn join<T: ToString>(items: impl IntoIterator<Item = T>, word: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {word} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// `1 round`, `2 rounds`.
pub fn count(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

/// The verdict on a valid rule book. If nobody can play it, that comes first.
pub fn is_valid(rulebook: &Rulebook, variants: u64) -> String {
    let and_variants = match variants {
        0 => String::new(),
        _ => format!(", with {}", count(variants, "variant", "variants")),
    };
    let title = rulebook.title();
    match rulebook.unplayable() {
        Some(why) => format!("{why} Apart from that, {title} is valid{and_variants}."),
        None => format!("{title} is valid{and_variants}."),
    }
}

/// `one`, `two` … `twelve`, and then digits.
pub fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// A text that begins a sentence.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `second`, `third` … `11th`.
pub(crate) fn ordinal(number: u8) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => nth(number.into()),
    }
}

/// `4th`
pub(crate) fn nth(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// How often, in words if that is usual.
pub fn times(number: u8) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}

/// What is said when a position has come up so often that the next time draws the round; `None` if it has not. Where the
/// second time does, that would be said of every position, and the rules say it already.
pub fn drawn_next_time(round: &Round) -> Option<String> {
    let most = round.rulebook().repetition().filter(|most| *most > 2)?;
    let again = round.outcome().is_none() && round.drawn_next_time().contains(round.position());
    again.then(|| {
        let next = ordinal(most);
        format!("This position has come up {}: the {next} time it is a draw.", times(most - 1))
    })
}

/// Why an operation may not be chosen, as the rest of a sentence: `goes past 20`.
pub fn refusal(rulebook: &Rulebook, refusal: Refusal) -> String {
    match refusal {
        Refusal::NotOffered => "not one of the moves of this game".to_owned(),
        Refusal::UsedUp { entry, limit, pool } => used_up_text(rulebook.entry(entry), limit, pool),
        Refusal::RepeatsOwn => "it was your own last move".to_owned(),
        Refusal::RepeatsOpponent => "it was the other player's last move".to_owned(),
        Refusal::NotHere { entry, .. } => not_here(rulebook.entry(entry)),
        Refusal::NoAmount { entry, number, amount } => no_amount(rulebook.entry(entry), number, amount),
        Refusal::NoEntry { choice, number, used_up } => no_entry(rulebook, choice, number, used_up),
        Refusal::Remainder => "does not divide evenly".to_owned(),
        Refusal::Forbidden { number } => format!("lands on {number}, which is forbidden"),
        Refusal::PastTarget { target, .. } => format!("goes past {target}"),
        Refusal::OutOfRange { number } => {
            let (low, high) = rulebook.range();
            if number < i128::from(low) { format!("goes below {low}") } else { format!("goes above {high}") }
        }
        Refusal::NoPassLeft { .. } => "leaves the number as it is, and no passes are left".to_owned(),
        Refusal::NotStuck => "a turn cannot be skipped".to_owned(),
    }
}

/// The same of somebody else's move, told to the player whom they play against.
pub fn refusal_to_them(rulebook: &Rulebook, why: Refusal) -> String {
    match why {
        Refusal::RepeatsOwn => "it was their own last move".to_owned(),
        Refusal::RepeatsOpponent => "it was your last move".to_owned(),
        why => refusal(rulebook, why),
    }
}

/// Where an entry may be used, if not at this number: `only from an odd number`.
fn not_here(entry: Option<&Entry>) -> String {
    entry.map_or("not at this number".to_owned(), |entry| {
        format!("only from {}", describe::condition(&entry.when))
    })
}

/// Why none of several entries gives a move now, each named that could: `only from an odd number, or where 4 is a
/// divisor`.
fn no_entry(rulebook: &Rulebook, choice: Choice, number: i64, used_up: u16) -> String {
    let Some(written) = rulebook.written(choice) else { return refusal(rulebook, Refusal::NotOffered) };
    let is_used_up = |index: EntryIndex| used_up & 1 << index.place() != 0;
    let (used, elsewhere): (Vec<EntryIndex>, Vec<EntryIndex>) =
        rulebook.entries_with(written).partition(|index| is_used_up(*index));
    let used: Vec<String> = used
        .into_iter()
        .filter_map(|index| rulebook.entry(index))
        .filter_map(|entry| {
            let uses = entry.uses?;
            Some(used_up_text(Some(entry), uses.limit, uses.pool))
        })
        .collect();
    let elsewhere: Vec<&Entry> = elsewhere.into_iter().filter_map(|index| rulebook.entry(index)).collect();
    let could: Vec<&Entry> =
        elsewhere.iter().copied().filter(|entry| rulebook.is_offered_somewhere(entry, written)).collect();
    let amount = written.operation.amount();
    let only = match could.as_slice() {
        [] if used.is_empty() => elsewhere.first().map(|entry| of_one_entry(entry, number, amount)),
        [] => None,
        [entry] if used.is_empty() => Some(of_one_entry(entry, number, amount)),
        entries => {
            let (computed, fixed): (Vec<&Entry>, Vec<&Entry>) =
                entries.iter().partition(|entry| matches!(entry.op, Op::Computed(_)));
            let from = fixed.iter().map(|entry| format!("from {}", describe::condition(&entry.when)));
            let from = from.collect::<Vec<_>>().join(" or ");
            let places = computed.iter().map(|entry| where_offered(entry, number, amount));
            let all = Some(from).filter(|from| !from.is_empty()).into_iter().chain(places);
            Some(format!("only {}", all.collect::<Vec<_>>().join(", or ")))
        }
    };
    match only {
        Some(only) if used.is_empty() => only,
        Some(only) => format!("{}; otherwise {only}", used.join("; ")),
        None => used.join("; "),
    }
}

/// Why the only entry that could give a move does not give it at this number.
fn of_one_entry(entry: &Entry, number: i64, amount: i64) -> String {
    match entry.may_be_used_at(number) {
        false => not_here(Some(entry)),
        true => no_amount(Some(entry), number, Some(amount)),
    }
}

/// Where a computed entry has an amount, if not at this number: `where 4 is a divisor`.
fn where_offered(entry: &Entry, number: i64, amount: i64) -> String {
    let Op::Computed(computed) = entry.op else { return String::new() };
    let from = match entry.when.as_slice() {
        [] => String::new(),
        when => format!("from {} ", describe::condition(when)),
    };
    let what = match computed.source() {
        Source::Divisor if amount == number => "a divisor and not the number itself",
        Source::Divisor => "a divisor",
        Source::Prime => "a prime factor",
        Source::Digit => "a digit",
        Source::Half => "at most half the number",
    };
    // Every number divides 0, and -14 has a 4; but computed moves begin at 1.
    let positive = if number < 1 && computed.source() != Source::Half { " of a number above 0" } else { "" };
    format!("{from}where {amount} is {what}{positive}")
}

/// Why an entry of `moves` has no uses left: `used twice already, as often as allowed`.
fn used_up_text(entry: Option<&Entry>, limit: u8, pool: Pool) -> String {
    // A move with another amount, or through another entry, may have been made less often, or more.
    let which = match entry {
        Some(Entry { op: Op::Computed(_), .. }) => "this kind of move was ",
        _ => "",
    };
    let times = times(limit);
    let by = match pool {
        Pool::Own => "already",
        Pool::Shared => "by both together",
    };
    let whence = match entry {
        Some(entry) if !entry.when.is_empty() => format!(" from {}", describe::condition(&entry.when)),
        _ => String::new(),
    };
    format!("{which}used {times} {by}{whence}, as often as allowed")
}

/// Why a number does not have an amount: `5 does not divide 12 evenly`.
fn no_amount(entry: Option<&Entry>, number: i64, amount: Option<i64>) -> String {
    let Some(Op::Computed(computed)) = entry.map(|entry| entry.op) else {
        return format!("{number} does not have it");
    };
    if number < 1 {
        return format!("{number} is below 1");
    }
    match amount {
        Some(amount) => wrong_amount(computed, number, amount),
        None => none_of(computed, number),
    }
}

/// Why an amount is none of a number's.
fn wrong_amount(computed: Computed, number: i64, amount: i64) -> String {
    let divides = number % amount.max(1) == 0;
    match computed.source() {
        Source::Divisor if !divides => format!("{amount} does not divide {number} evenly"),
        Source::Divisor if amount == number => format!("{amount} is the number itself"),
        Source::Divisor => "dividing by 1 does not count".to_owned(),
        Source::Prime if divides => format!("{amount} is not a prime number"),
        Source::Prime => format!("{amount} does not divide {number} evenly"),
        Source::Digit => format!("{amount} is not a digit of {number}"),
        Source::Half => format!("{amount} is more than half of {number}"),
    }
}

/// Why a number from 1 on has no amount at all.
fn none_of(computed: Computed, number: i64) -> String {
    let bounds = describe::bounds_of_amounts(computed).map_or(String::new(), |bounds| format!(" {bounds}"));
    match computed.source() {
        Source::Divisor => {
            // As a divisor to divide by, 1 does not count.
            let least = computed.bounds().0.max(if computed.kind() == Kind::Divide { 2 } else { 1 });
            let most = computed.bounds().1;
            let least = (least > 1).then(|| format!("at least {least}"));
            let most = if most < number { format!("at most {most}") } else { format!("less than {number}") };
            format!("no divisor of {number} is {}", and_list(least.into_iter().chain([most])))
        }
        Source::Prime => format!("{number} has no prime factor{bounds}"),
        Source::Digit => format!("{number} has no digit{bounds}"),
        Source::Half => format!("half of {number} is less than {}", computed.bounds().0),
    }
}

/// Within how many moves, as the end of a sentence: ` within 14 moves`. Whoever wins may be quicker, but need not be slower.
pub(crate) fn within(moves: Option<u64>) -> String {
    match moves {
        Some(0) | None => String::new(),
        Some(1) => " in 1 move".to_owned(),
        Some(moves) => format!(" within {moves} moves"),
    }
}

/// What is said before a round that would take more than ten to so many moves.
pub fn beyond_patience(power: u32) -> String {
    let moves = 10_u128.saturating_pow(power);
    format!("If both play their best, this round takes more than {moves} moves: nobody can finish it.")
}

/// The answer in discovery to a player who asks for something that is hidden.
pub const NO_ANSWERS: &str = "Discovery is on: no hints or answers.";

/// Why it is known who wins, and not in how many moves.
pub const LENGTH_IS_UNKNOWN: &str = "the game is too large to count the moves";

/// Who can force what: `Player 2 can force a win within 14 moves`.
///
/// The verdict is that of the player on turn, or of a move that they make.
pub fn verdict(verdict: Verdict, turn: Player, names: &ByPlayer<String>) -> String {
    let within = within(verdict.remoteness());
    match verdict.value {
        Value::Win => format!("{} can force a win{within}", names[turn]),
        Value::Loss => format!("{} can force a win{within}", names[!turn]),
        Value::Draw => "Neither can force a win".to_owned(),
    }
}

/// What is said to somebody who lost from a seat, `first` or `second`, from which nobody can win against best play. A
/// comfort, if they gave nothing away themselves.
pub fn lost_seat(seat: &str, blameless: bool) -> String {
    let cannot = format!("whoever goes {seat} here cannot win against perfect play.");
    if blameless {
        format!("It was not your fault: {cannot}")
    } else {
        format!("It was a hard seat: {cannot}")
    }
}

/// `first to win 3 rounds`, `5 rounds`.
pub fn match_form(form: MatchForm) -> String {
    match form {
        MatchForm::FirstTo(wins) => format!("first to win {}", count(wins, "round", "rounds")),
        MatchForm::Rounds(rounds) => format!("{}, most wins", count(rounds, "round", "rounds")),
    }
}

/// The score between two rounds of a match.
pub fn score(series: &Match, names: &ByPlayer<String>) -> String {
    let ByPlayer([one, two]) = series.score();
    let ByPlayer([name_one, name_two]) = names;
    format!(
        "Score after {}: {name_one}: {one}, {name_two}: {two}.",
        count(series.played(), "round", "rounds")
    )
}

/// The last line of a match.
pub fn match_result(series: &Match, result: MatchResult, names: &ByPlayer<String>) -> String {
    let drawn = match series.is_ended_by_draws() {
        true => format!("{MOST_DRAWS_IN_A_ROW} drawn rounds in a row end the match as it stands.\n"),
        false => String::new(),
    };
    drawn
        + &match result {
            MatchResult::Won(winner) => {
                format!(
                    "{} wins the match {} to {}!",
                    names[winner],
                    series.score()[winner],
                    series.score()[!winner]
                )
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
    fn the_last_time_before_a_draw_is_told() {
        let said_after = |times: u8, moves: usize| {
            let text =
                format!("title = 'x'\nstart = 5\ntarget = 17\nmoves = ['+1', '-1']\nrepetition = {times}");
            let rulebook = Draft::read("x.toml", &text).build().unwrap();
            let mut round = Round::new(Arc::new(rulebook), Player::One);
            for written in ["+1", "-1"].into_iter().cycle().take(moves) {
                round.play(read_move(written, &round).unwrap()).unwrap();
            }
            drawn_next_time(&round)
        };
        let told = "This position has come up twice: the third time it is a draw.";
        assert_eq!(said_after(3, 2).as_deref(), Some(told));
        assert!([0, 1, 4].into_iter().all(|moves| said_after(3, moves).is_none()));
        assert_eq!(said_after(2, 1), None, "every position would say so");
    }

    #[test]
    fn lists_read_well() {
        assert_eq!(or_list([1]), "1");
        assert_eq!(or_list([1, 2]), "1 or 2");
        assert_eq!(or_list([1, 2, 3]), "1, 2 or 3");
        assert_eq!(and_list(["a", "b", "c"]), "a, b and c");
        assert_eq!(or_list::<u8>([]), "");
    }
}
