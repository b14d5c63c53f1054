//! Checks on random small books that every reason for a refusal is true and that the rules are complete.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::operation::{Kind, Operation};
use spoton::engine::play::{Ending, Move, Refusal, Step};
use spoton::engine::position::{Choice, Player};
use spoton::engine::round::Round;
use spoton::engine::written::{On, Written};
use spoton::format::{NumberList, Pool, Rulebook};
use spoton::words::{describe, phrases};

use crate::support::{any_move, book, cases};
use crate::truth::richer::richer;
use crate::truth::rim::at_the_rim;

/// Trial division for small numbers, otherwise Miller-Rabin with bases that are exact for 64 bits.
fn is_prime(number: i64) -> bool {
    if number < 10_000 {
        return number >= 2 && (2..number).all(|factor| number % factor != 0);
    }
    let (number, twos) = (number as u128, (number - 1).trailing_zeros());
    let power = |base: u128, exponent: u128| {
        let bits = (0..128 - exponent.leading_zeros()).rev();
        bits.fold(1, |found, bit| {
            let square = found * found % number;
            if exponent >> bit & 1 == 1 { square * base % number } else { square }
        })
    };
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
        let mut found = power(base, (number - 1) >> twos);
        let mut passes = found == 1 || found == number - 1;
        for _ in 1..twos {
            found = found * found % number;
            passes |= found == number - 1;
        }
        passes
    })
}

fn is_square(number: i64) -> bool {
    number >= 0 && number.isqrt().pow(2) == number
}

/// Whether a number fits a description: `an odd number`, `a multiple of 2 below 9`.
fn is(number: i64, words: &str) -> bool {
    let mut words = words.split(' ').skip(1);
    let mut holds = true;
    while let Some(word) = words.next() {
        let mut value = || words.next().and_then(|word| word.parse::<i64>().ok()).expect("a number");
        holds &= match word {
            "odd" => number % 2 != 0,
            "even" => number % 2 == 0,
            "prime" => is_prime(number),
            "square" => is_square(number),
            "of" => number % value() == 0,
            "below" => number < value(),
            "above" => number > value(),
            "from" => number >= value(),
            "to" => number <= value(),
            "number" | "multiple" | "and" => true,
            other => panic!("what is {other:?}?"),
        };
    }
    holds
}

/// Whether a list contains a number, by the definition of its items.
fn holds(list: &NumberList, number: i128) -> bool {
    let number = i64::try_from(number).expect("a small number");
    list.written().any(|item| match item.split_once("..") {
        Some((low, high)) => (low.parse().unwrap()..=high.parse::<i64>().unwrap()).contains(&number),
        None => match item.as_str() {
            "prime" => is_prime(number),
            "square" => is_square(number),
            "even" => number % 2 == 0,
            "odd" => number % 2 != 0,
            other => match other.strip_prefix("multiples of ") {
                Some(factor) => number % factor.parse::<i64>().unwrap() == 0,
                None => other.parse() == Ok(number),
            },
        },
    })
}

/// Whether a number fits a description with an amount: `an odd number where 4 is a divisor`.
fn is_place(number: i64, amount: i64, words: &str) -> bool {
    let Some((number_words, of_amount)) = words.split_once("where ") else { return is(number, words) };
    let is_there = number_words.is_empty() || is(number, number_words.trim_end());
    let (named, what) = of_amount.split_once(" is ").expect("what the amount is");
    assert_eq!(named, amount.to_string(), "{words}");
    let has_it = match what.trim_end_matches(" of a number above 0") {
        "a divisor" | "a divisor below the number" => number % amount == 0 && amount < number,
        "a prime factor" => number % amount == 0 && is_prime(amount),
        "a digit" => amount < 10 && number.to_string().contains(&amount.to_string()),
        "at most half the number" => 2 * amount <= number,
        other => panic!("what is {other:?}?"),
    };
    is_there && number >= 1 && has_it
}

/// The number among the words of a reason.
fn word(reason: &str, place: usize) -> i64 {
    let word = reason.split(' ').nth(place).unwrap_or_else(|| panic!("{reason}"));
    word.trim_end_matches(',').parse().unwrap_or_else(|_| panic!("{reason}"))
}

/// Whether a reason against a move is true. The reason is about an entry that could give the move.
fn is_true(round: &Round, written: Written, reason: &str) -> bool {
    let (rulebook, position) = (round.rulebook(), round.position());
    let me = position.turn();
    let before = position.number_of(written.on.affected(me));
    let amount = written.operation.amount();
    let result = written.operation.apply(before);
    let mine = |player: Player| round.history().iter().filter(move |ply| ply.player() == player);
    let last = |player: Player| mine(player).rev().find_map(|ply| ply.a_move.choice());
    let this = rulebook.choice(written);
    if let Some((used, elsewhere)) = reason.split_once("; otherwise ") {
        return is_true(round, written, used) && is_true(round, written, elsewhere);
    }
    if let Some(places) = reason.strip_prefix("only ") {
        // Each place that the reason names would be enough, so the number can't be at any of them.
        let parts = places.split(", or ").flat_map(|part| part.split(" or from "));
        return parts.into_iter().all(|place| !is_place(before, amount, place.trim_start_matches("from ")));
    }
    if reason.ends_with(" leaves a remainder") {
        return word(reason, 3) == amount && word(reason, 0) == before && before % amount != 0;
    }
    if reason.ends_with(" is below 1") {
        return word(reason, 0) == before && before < 1;
    }
    if reason.starts_with("a divisor must be below ") {
        return word(reason, 5) == before && amount == before;
    }
    if reason.contains(" isn't a digit of ") {
        return word(reason, 0) == amount
            && word(reason, 5) == before
            && (amount > 9 || !before.to_string().contains(&amount.to_string()));
    }
    if reason.contains(" is more than half of ") {
        return word(reason, 0) == amount && word(reason, 6) == before && 2 * amount > before;
    }
    if let Some(limit) = reason.strip_prefix("goes below ") {
        return result.unwrap() < limit.parse::<i128>().unwrap();
    }
    if let Some(limit) = reason.strip_prefix("goes above ") {
        return result.unwrap() > limit.parse::<i128>().unwrap();
    }
    if reason.starts_with("goes past ") {
        return rulebook.target() == Some(word(reason, 2)) && rulebook.passes_target(result.unwrap());
    }
    if reason.ends_with(", a forbidden number") {
        return result == Some(word(reason, 2).into()) && holds(rulebook.forbidden(), result.unwrap());
    }
    if reason.contains("used ") {
        return reason.split("; ").all(|reason| used_so_often(round, written, reason));
    }
    match reason {
        "a divisor must be above 1" => amount == 1 && written.operation.kind() == Kind::Divide,
        "leaves a remainder" => before % amount != 0,
        // A skipped turn may come between.
        "it was your own last move" => last(me).is_some() && last(me) == this,
        "it was your opponent's last move" => last(!me).is_some() && last(!me) == this,
        "you have no passes left" => result == Some(before.into()),
        _ if reason.ends_with(" isn't a prime number") => word(reason, 0) == amount && !is_prime(amount),
        _ => panic!("what is {reason:?}?"),
    }
}

/// Whether moves of an entry were played at least as often as a reason claims.
fn used_so_often(round: &Round, written: Written, reason: &str) -> bool {
    let rulebook = round.rulebook();
    let times = match reason {
        _ if reason.contains("used once") => 1,
        _ if reason.contains("used twice") => 2,
        _ => panic!("how often is {reason:?}?"),
    };
    let me = round.position().turn();
    let kind = reason.starts_with("this kind of move was already used");
    let together = reason.ends_with(", the shared limit");
    let from =
        reason.split_once(" from ").and_then(|(_, rest)| rest.split_once(", the ")).map(|(from, _)| from);
    let counts = |ply: &&spoton::engine::round::Ply| {
        let made = ply.a_move.choice().and_then(|choice| rulebook.written(choice));
        made.is_some_and(|made| made.on == written.on && made.operation.kind() == written.operation.kind())
            && (kind || ply.a_move.choice() == rulebook.choice(written))
            && (together || ply.player() == me)
            && from.is_none_or(|words| is(ply.before.number_of(ply.owner), words))
    };
    let limited = rulebook.moves().iter().any(|entry| {
        entry
            .uses
            .is_some_and(|uses| usize::from(uses.limit) == times && (uses.pool == Pool::Shared) == together)
    });
    limited && round.history().iter().filter(counts).count() >= times
}

/// Whether a reason is true that claims an entry has no amount at all.
fn none_is_true(rulebook: &Rulebook, number: i64, written: &str, reason: &str) -> bool {
    let divisors = || (1..number).filter(|divisor| number % divisor == 0);
    // Parses bounds: at least, at most, less than, equal to, from … to.
    let within = |amount: i64| {
        let words: Vec<&str> = reason.split(' ').collect();
        let bound = |first: &str, second: &str| {
            let place = words.windows(2).position(|pair| pair == [first, second])?;
            words[place + 2].parse::<i64>().ok()
        };
        let from = words.iter().position(|word| *word == "from").map(|place| {
            (words[place + 1].parse::<i64>().unwrap(), words[place + 3].parse::<i64>().unwrap())
        });
        bound("at", "least").is_none_or(|least| amount >= least)
            && bound("at", "most").is_none_or(|most| amount <= most)
            && bound("less", "than").is_none_or(|most| amount < most)
            && bound("equal", "to").is_none_or(|just| amount == just)
            && from.is_none_or(|(low, high)| (low..=high).contains(&amount))
    };
    if let Some(words) = reason.strip_prefix("only from ") {
        return words.split(" or from ").all(|words| !is(number, words));
    }
    if reason.ends_with(" is below 1") {
        return word(reason, 0) == number && number < 1;
    }
    let entry = rulebook.moves().iter().find(|entry| entry.to_string() == written).expect("an entry");
    let on = entry.to_string();
    match on.trim_start_matches(['@', '+', '-', '/']) {
        "divisor" => {
            assert!(reason.starts_with("no divisor of "), "{reason}");
            word(reason, 3) == number && !divisors().chain([number]).any(within)
        }
        "prime" => {
            assert!(reason.contains(" has no prime factor"), "{reason}");
            word(reason, 0) == number
                && !divisors().chain([number]).any(|divisor| is_prime(divisor) && within(divisor))
        }
        "digit" => {
            let digits = number.to_string();
            assert!(reason.contains(" has no digit"), "{reason}");
            word(reason, 0) == number
                && !(1..=9).any(|digit| digits.contains(&digit.to_string()) && within(digit))
        }
        "1..half" => word(reason, 2) == number && number / 2 < word(reason, 6),
        other => panic!("what is {other}?"),
    }
}

fn check_refusals(round: &Round) -> Result<(), TestCaseError> {
    let (rulebook, position) = (round.rulebook(), round.position());
    for offer in rulebook.offers(position) {
        let Err(why) = offer.result else { continue };
        if offer.choice.is_none() {
            let entry = rulebook.entry(offer.entry).expect("an entry");
            let number = position.number_of(entry.owner(position.turn()));
            let (written, reason) = (rulebook.write_offer(&offer), phrases::refusal(rulebook, why));
            prop_assert!(
                none_is_true(rulebook, number, &written, &reason),
                "{} at {}: {}",
                written,
                number,
                reason
            );
        }
    }
    for (on, kind) in [On::Own, On::Other].into_iter().flat_map(|on| Kind::ALL.map(|kind| (on, kind))) {
        for amount in 1..=15 {
            let written = Written { operation: Operation::new(kind, amount).expect("an amount"), on };
            let Some(choice) = rulebook.choice(written) else { continue };
            if let Err(why) = rulebook.result(position, choice) {
                let reason = phrases::refusal(rulebook, why);
                prop_assert!(
                    is_true(round, written, &reason),
                    "{} in {}: {}",
                    written,
                    position.number(),
                    reason
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn every_refusal_is_true(rulebook in prop_oneof![richer().prop_map(|text| book(&text)), at_the_rim()], picks in vec(any::<u8>(), 1..12)) {
        let mut round = Round::new(Arc::clone(&rulebook), Player::One);
        for pick in picks {
            if round.outcome().is_some() {
                break;
            }
            check_refusals(&round)?;
            let Some(a_move) = any_move(&round, pick.into()) else { break };
            round.play(a_move).expect("the move is legal");
        }
    }

    #[test]
    fn the_rules_leave_nothing_out(text in richer()) {
        let rulebook = book(&text);
        let rules = describe::rules(&rulebook).join(" ");
        for entry in rulebook.moves() {
            prop_assert!(rules.contains(&format!("{} ({entry}", entry.label())), "{} in {}", entry, rules);
            if !entry.when.is_empty() {
                let only = format!("only from {}", describe::condition(&entry.when));
                prop_assert!(rules.contains(&only), "{} in {}", only, rules);
            }
        }
        if let Some(turns) = rulebook.turns() {
            prop_assert!(rules.contains(&format!("Each player has {turns} turn")), "{}", rules);
        }
        if rulebook.moves().iter().any(|entry| entry.on == On::Other) {
            prop_assert!(rules.contains("your opponent's number"), "{}", rules);
        }
        // Every sentence is complete.
        for rule in describe::rules(&rulebook) {
            prop_assert!(rule.ends_with('.') && !rule.contains("  ") && !rule.contains(" ."), "{}", rule);
        }
    }

    #[test]
    fn conditions_say_what_they_mean(text in richer(), number in -20_i64..60) {
        for entry in book(&text).moves().iter().filter(|entry| !entry.when.is_empty()) {
            let words = describe::condition(&entry.when);
            prop_assert_eq!(is(number, &words), entry.may_be_used_at(number), "{} {}", number, words);
        }
    }
}

/// A reason that never comes up is never checked.
#[test]
fn every_kind_of_reason_comes_up() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::new(cases(1));
    let mut said = String::new();
    for seed in 0..3000_usize {
        let rulebook = book(&richer().new_tree(&mut runner).expect("a book").current());
        let mut round = Round::new(Arc::clone(&rulebook), Player::One);
        for turn in 0..6 {
            for offer in rulebook.offers(round.position()) {
                if let Err(why) = offer.result {
                    said += &format!("{}\n", phrases::refusal(&rulebook, why));
                }
            }
            let Some(a_move) = any_move(&round, seed >> turn) else { break };
            round.play(a_move).expect("the move is legal");
            if round.outcome().is_some() || a_move == Move::Skip {
                break;
            }
        }
    }
    for reason in [
        "only from an odd number",
        "only from a multiple of 2 below 9",
        "only from a number from 2 to 7",
        "only from an odd number above 2",
        " is below 1",
        "no divisor of ",
        " has no prime factor",
        " has no digit ",
        "half of ",
        "goes below ",
        "a forbidden number",
        "this kind of move was already used once",
        ", or where ",
        "already used twice, the shared limit",
        "it was your own last move",
        "it was your opponent's last move",
    ] {
        let times = said.matches(reason).count();
        assert!(times >= 2, "{reason:?} came up {times} times");
    }
}

/// The effect of landing on a number, according to the sentences about lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Wins,
    Loses,
    NotAllowed,
    Nothing,
}

/// The numbers of a list as the rules name them: `5, 7, a number from 3 to 4 or an even number below 20`.
struct Named(Vec<String>);

impl Named {
    /// Parses the first sentence with this start and end.
    fn within(said: &[String], begins: &[&str], ends: &str) -> Named {
        let numbers = said.iter().find_map(|sentence| {
            let rest = begins.iter().find_map(|begin| sentence.strip_prefix(begin))?;
            rest.strip_suffix(ends).filter(|rest| !rest.starts_with("exactly"))
        });
        let items =
            numbers.into_iter().flat_map(|numbers| numbers.split(", ").flat_map(|part| part.split(" or ")));
        Named(items.map(str::to_owned).collect())
    }

    fn names(&self, number: i64) -> bool {
        self.0.contains(&number.to_string())
    }

    fn describes(&self, number: i64) -> bool {
        self.0.iter().filter(|item| item.parse::<i64>().is_err()).any(|item| is(number, item))
    }
}

/// The effect of landing on a number, in the order of the rules.
fn stated(rulebook: &Rulebook, [wins, loses, barred]: [&Named; 3], number: i64) -> Effect {
    match number {
        _ if rulebook.target() == Some(number) => Effect::Nothing,
        _ if barred.names(number) => Effect::NotAllowed,
        _ if wins.names(number) => Effect::Wins,
        _ if loses.names(number) => Effect::Loses,
        _ if barred.describes(number) => Effect::NotAllowed,
        _ if wins.describes(number) => Effect::Wins,
        _ if loses.describes(number) => Effect::Loses,
        _ => Effect::Nothing,
    }
}

/// The real effect of landing on a number.
fn happens(rulebook: &Rulebook, round: &Round, choice: Choice) -> Option<Effect> {
    let position = round.position();
    match rulebook.result(position, choice) {
        Err(Refusal::Forbidden { .. }) => Some(Effect::NotAllowed),
        Err(_) => None,
        Ok(_) => Some(match rulebook.play(position, Move::Operation(choice)) {
            Ok(Step::Over { outcome, .. }) if outcome.ending == Ending::Landed => {
                let owner = rulebook.owner(position, Move::Operation(choice));
                if outcome.winner == Some(owner) { Effect::Wins } else { Effect::Loses }
            }
            _ => Effect::Nothing,
        }),
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    /// The rules and goals cover what happens on every number.
    #[test]
    fn the_rules_say_what_landing_does(rulebook in at_the_rim(), picks in vec(any::<u8>(), 1..12)) {
        let rules = describe::rules(&rulebook);
        let goal: Vec<String> = describe::goal(&rulebook).split_inclusive(". ").map(|said| {
            let said = said.trim().to_owned();
            said.replace(" for the number's owner.", ".")
        }).collect();
        let lands = ["If you land on ", "If your number lands on "];
        let barred = Named::within(&rules, &["No move may land on "], ".");
        let in_rules = [Named::within(&rules, &lands, ", you win."), Named::within(&rules, &lands, ", you lose.")];
        let in_goal = ["wins", "loses"].map(|word| Named::within(&goal, &["Landing on "], &format!(" {word}.")));
        let mut round = Round::new(Arc::clone(&rulebook), Player::One);
        for pick in picks {
            if round.outcome().is_some() {
                break;
            }
            for offer in rulebook.offers(round.position()) {
                let Some(choice) = offer.choice else { continue };
                let written = rulebook.written(choice).expect("the move is on offer");
                let before = round.position().number_of(written.on.affected(round.position().turn()));
                let number = written.operation.apply(before).and_then(|number| i64::try_from(number).ok());
                let (Some(number), Some(happens)) = (number, happens(&rulebook, &round, choice)) else { continue };
                for [wins, loses] in [&in_rules, &in_goal] {
                    prop_assert_eq!(stated(&rulebook, [wins, loses, &barred], number), happens, "{} in {:?} {:?}", number, rules, goal);
                }
            }
            let Some(a_move) = any_move(&round, pick.into()) else { break };
            round.play(a_move).expect("the move is legal");
        }
    }
}

#[test]
fn rules_speak_only_of_listed_numbers_that_count() {
    let rules = |keys: &str| {
        let text = format!(
            "title = 'T'\nstart = 19\ntarget = 20\nrange = [10, 20]\nmoves = ['+1..5', '-1']\n{keys}"
        );
        let rulebook = book(&text);
        format!("{} {}", describe::goal(&rulebook), describe::rules(&rulebook).join(" "))
    };
    let past = rules("past = 'wins'\nlosing = ['even']");
    assert!(past.contains("Landing on an even number below 20 loses."), "{past}");
    assert!(past.contains("If you land on an even number below 20, you lose."), "{past}");
    assert!(
        rules("past = 'forbidden'\nlosing = ['even']").contains("If you land on an even number, you lose.")
    );
    assert!(rules("losing = ['15..25']").contains("you land on a number from 15 to 19, you lose."));
    for never in
        ["winning = [24, 9]", "winning = ['21..30']", "losing = ['multiples of 7']\nforbidden = ['13..15']"]
    {
        let said = rules(never);
        assert!(!said.contains("anding on ") && !said.contains("land on 2"), "{said}");
    }
    let some = rules("winning = [24, 18]");
    assert!(some.contains("Landing on 18 wins.") && some.contains("If you land on 18, you win."), "{some}");
    assert!(rules("forbidden = [22]").contains("No move may land on 22."));
}
