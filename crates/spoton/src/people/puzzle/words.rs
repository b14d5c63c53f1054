//! Puzzles in words: what is asked for, how hard it is, and why a move was wrong.

use super::{Attempt, NextPuzzle, NoPuzzles, Proof, Served, Source};
use crate::engine::play::{Move, Step};
use crate::engine::position::{MOST_MOVES, Player, Position};
use crate::engine::round::Round;
use crate::engine::written::Offer;
use crate::format::{Changes, Menu, Numbers, Rulebook, Setting};
use crate::people::coach::{Reason, Words};
use crate::people::day::Day;
use crate::words::{describe, menu, page, phrases};

/// What is asked for.
pub const TASK: &str = "Win from here";

/// What is said if it cannot be noted what became of a puzzle.
pub const NOT_KEPT: &str = "What became of it cannot be kept, so it may come again at any time.";

/// No longer line of best play is told.
const LONGEST_LINE: usize = 12;

/// How hard a puzzle is: `A careful guesser solves this 25 times out of 100.`
///
/// ```
/// use spoton::people::puzzle::grade_in_words;
///
/// assert_eq!(grade_in_words(0.25), "A careful guesser solves this 25 times out of 100.");
/// assert_eq!(grade_in_words(1.0 / 9.0), "A careful guesser solves this about 11 times out of 100.");
/// assert_eq!(grade_in_words(0.001), "A careful guesser solves this once in 1000 tries.");
/// ```
pub fn grade_in_words(grade: f64) -> String {
    let about = |number: f64| if (number - number.round()).abs() < 1e-9 { "" } else { "about " };
    let (often, seldom) = (grade * 100.0, 1.0 / grade);
    let how_often = if often >= 1.0 {
        let times = if often.round() == 1.0 { "time" } else { "times" };
        format!("{}{often:.0} {times} out of 100", about(often))
    } else {
        format!("{}once in {seldom:.0} tries", about(seldom))
    };
    format!("A careful guesser solves this {how_often}.")
}

/// Where a round stands, for whoever is on turn: everything that decides, so that no two positions are told alike.
pub fn stands(round: &Round) -> String {
    let position = round.position();
    let stands = match round.rulebook().numbers() {
        Numbers::Shared => format!("The number is {}.", position.number()),
        Numbers::Separate => {
            let other = position.number_of(!position.turn());
            format!("Your number is {}, theirs is {other}.", position.number())
        }
    };
    let turn = match describe::which_turn(round.rulebook(), position) {
        Some(which) => format!("It is your turn, {which}."),
        None => "It is your turn.".to_owned(),
    };
    let mut said = vec![stands, turn];
    said.extend(describe::memory(round.rulebook(), position));
    said.join(" ")
}

/// What is to be known of a puzzle beside the game and the position: where it comes from, if that is not the game as it
/// was asked for, and when it was missed.
pub fn about(served: &Served, today: Day) -> Vec<String> {
    let mut said = Vec::new();
    let none = served.book_has_none.map(|why| {
        let asked = asked_for(&served.asked);
        match why {
            NoPuzzles::Endless => format!("{asked} has no puzzles, since some rounds never end"),
            NoPuzzles::TooEasy => format!("{asked} has no puzzle that is hard enough"),
        }
    });
    said.extend(match (none, &served.source) {
        (None, Source::Book) => None,
        (Some(none), Source::Book) => Some(format!("{none}.")),
        (None, Source::Variant(variant)) => Some(format!("This is its variant {}.", spoken(variant))),
        (Some(none), Source::Variant(variant)) => {
            Some(format!("{none}; this is its variant {}.", spoken(variant)))
        }
        (None, Source::Target(target)) => Some(format!("This is the game to {target}.")),
        (Some(none), Source::Target(target)) => Some(format!("{none}; here is one to {target}.")),
        (_, Source::OwnRound(Some(day))) => {
            Some(format!("In your round on {} this win was given away.", day.in_words_on(today)))
        }
        (_, Source::OwnRound(None)) => Some("In a round of yours this win was given away.".to_owned()),
    });
    said.extend(served.missed.map(|day| format!("You missed this one on {}.", day.in_words_on(today))));
    said
}

/// The name of a variant as people say it: `to-15` is "to 15".
fn spoken(variant: &str) -> String {
    variant.replace('-', " ")
}

/// What the game is called as it was asked for.
fn asked_for(asked: &Changes) -> String {
    match (&asked.variant, &asked.settings[..]) {
        (None, []) => "The book itself".to_owned(),
        (None, [Setting::Target(target)]) => format!("This game to {target}"),
        (Some(variant), []) => format!("The variant {}", spoken(variant)),
        (Some(variant), [Setting::Target(target)]) => format!("The variant {} to {target}", spoken(variant)),
        _ => "The game with these settings".to_owned(),
    }
}

/// What is said once a puzzle is solved: why nothing can go wrong any more.
pub fn solved(attempt: &Attempt) -> String {
    let round = attempt.round();
    if let Some(last) = round.history().last().filter(|_| round.outcome().is_some()) {
        return format!("{} wins.", round.rulebook().write(last.a_move));
    }
    let ahead = attempt.served().puzzles.solver.verdict(round.position());
    match ahead.and_then(|verdict| verdict.remoteness()) {
        Some(2) => "Whatever they do now, you win with your next move at the latest.".to_owned(),
        _ => "Nothing tricky is left: win at once when you can, never make a move that loses at once, and the win is yours."
            .to_owned(),
    }
}

/// Why a puzzle was missed, sentence by sentence. With discovery on, only that the win is gone.
pub fn proof(attempt: &Attempt, proof: &Proof, discover: bool) -> Vec<String> {
    // The move that was made is still in the round; who made it is on turn before it.
    let words = Words { rulebook: attempt.round().rulebook(), turn: attempt.solver() };
    let rulebook = words.rulebook;
    let mut said = vec![match proof.played {
        Some(reason) => format!("Missed: {} gives the win away.", rulebook.write(reason.a_move)),
        None => "Given up.".to_owned(),
    }];
    if discover {
        said.push("Discovery is on, so why is yours to find out.".to_owned());
        return said;
    }
    said.extend(proof.played.map(|reason| words.reason(&reason)));
    said.extend(proof.holding.first().map(|best| {
        let holding = holding(rulebook, &proof.holding);
        format!("{holding} {}", words.reason(best))
    }));
    said.extend(what_differs(attempt, proof));
    if proof.line.len() > 1 {
        let told = proof.line.iter().take(LONGEST_LINE).map(|a_move| rulebook.write(*a_move));
        let told = told.collect::<Vec<_>>().join(" ");
        let end = if proof.line.len() > LONGEST_LINE { " and so on" } else { ", and you win" };
        said.push(format!("With best play on both sides: {told}{end}."));
    }
    said
}

/// What makes the difference between the move that was made and the one that holds the win, if both give the same number.
fn what_differs(attempt: &Attempt, proof: &Proof) -> Option<String> {
    let (played, best) = (proof.played?, *proof.holding.first()?);
    if (played.on, played.leaves) != (best.on, best.leaves) {
        return None;
    }
    let rulebook = attempt.round().rulebook();
    let before = attempt.round().history().last()?.before;
    let after = |reason: Reason| match rulebook.play(&before, reason.a_move) {
        Ok(Step::On(next)) => Some(next),
        Ok(Step::Over { .. }) | Err(_) => None,
    };
    let (wrong, right) = (after(played)?, after(best)?);
    let solver = before.turn();
    let told = |reason: Reason, next: &Position| {
        let written = rulebook.write(reason.a_move);
        let mut said = Vec::new();
        if wrong.last_of(solver) != right.last_of(solver) {
            let no_repeat = rulebook.no_repeat();
            said.push(match (no_repeat.looks_at_own(), no_repeat.looks_at_opponent()) {
                (true, true) => format!("neither of you may play {written} next"),
                (true, false) => format!("you may not play {written} next"),
                _ => format!("they may not answer {written}"),
            });
        }
        for (index, entry) in rulebook.entries() {
            if wrong.uses_of(solver, index) != right.uses_of(solver, index)
                && let Some(uses) = entry.uses
            {
                let left = uses.limit.saturating_sub(next.uses_of(solver, index));
                let (uses, are) = (phrases::count(left, "use", "uses"), if left == 1 { "is" } else { "are" });
                said.push(format!("{uses} of {} {are} left", entry.label()));
            }
        }
        (!said.is_empty()).then(|| format!("after {written} {}", phrases::and_list(said)))
    };
    let (wrong, right) = (told(played, &wrong)?, told(best, &right)?);
    Some(format!("What differs: {wrong}; {right}."))
}

/// Which moves hold the win.
fn holding(rulebook: &Rulebook, holding: &[Reason]) -> String {
    const MOST: usize = 6;
    let moves: Vec<String> = holding.iter().map(|reason| rulebook.write(reason.a_move)).collect();
    match &moves[..] {
        [only] => format!("Only {only} holds the win."),
        [first, others @ ..] if moves.len() > MOST => {
            format!("{first} and {} other moves hold the win.", others.len())
        }
        _ => format!("{} hold the win.", phrases::and_list(moves)),
    }
}

/// What is said where no puzzle comes next; `None` if one does. Without a title, any game would have done.
pub fn nothing_left(next: &NextPuzzle, title: Option<&str>, today: Day) -> Option<String> {
    let of = title.map_or_else(String::new, |title| format!(" of {title}"));
    Some(match next {
        NextPuzzle::Puzzle(_) => return None,
        NextPuzzle::NoneAtAll(why) => {
            let why = match why {
                NoPuzzles::Endless => "some rounds of it never end",
                NoPuzzles::TooEasy => "no position in it is hard enough",
            };
            format!("{} has no puzzles: {why}.", title.unwrap_or("This game"))
        }
        NextPuzzle::UsedUp { back_on: None } => format!("You have solved every puzzle{of}."),
        NextPuzzle::UsedUp { back_on: Some(day) } => {
            let when = if *day == today.next() {
                "tomorrow".to_owned()
            } else {
                format!("on {}", day.in_words_on(today))
            };
            format!("No new puzzle{of} is left. What you missed comes back {when}.")
        }
    })
}

/// The moves of the defence and the solver since some move, in words: `You play x2: 10. They answer +1: 11.`
pub fn told_since(round: &Round, since: usize, solver: Player) -> Vec<String> {
    let rulebook = round.rulebook();
    let told = round.history().iter().skip(since).map(|ply| {
        let is_solver = ply.player() == solver;
        let written = rulebook.write(ply.a_move);
        let who = if is_solver { "You" } else { "They" };
        match ply.a_move {
            Move::Skip => format!("{who} cannot move: the turn goes over."),
            Move::Operation(_) => {
                let verb = if is_solver { "play" } else { "answer" };
                let whose = match (ply.owner == ply.player(), is_solver) {
                    (true, _) => "",
                    (false, true) => "their number is ",
                    (false, false) => "your number is ",
                };
                format!("{who} {verb} {written}: {whose}{}.", ply.number)
            }
        }
    });
    told.collect()
}

/// What can be chosen, a line each, with what it is typed by and the number that it gives.
pub fn choices(round: &Round) -> String {
    let rulebook = round.rulebook();
    let position = round.position();
    let mut lines = menu::lines(round);
    if rulebook.wording().menu() == Menu::Questions {
        // There, a number alone is no answer to the first question.
        lines.iter_mut().for_each(|(key, offer)| *key = rulebook.write_offer(offer));
    }
    // What is barred is worth knowing, also where the book's menu leaves it out.
    let barred = rulebook.offers(position).filter(|offer| offer.result.is_err());
    let left_out: Vec<Offer> =
        barred.filter(|offer| lines.iter().all(|(_, shown)| shown.choice != offer.choice)).collect();
    lines.extend(left_out.into_iter().map(|offer| (menu::NO_KEY.to_owned(), offer)));
    let gives = |offer: &Offer| match offer.result {
        Ok(number) => {
            let a_move = offer.choice.map_or(Move::Skip, Move::Operation);
            let is_own = rulebook.owner(position, a_move) == position.turn();
            let left = describe::left(rulebook, position, offer).map(|left| format!(" ({left})"));
            let whose = if is_own { "" } else { "their number " };
            format!("{whose}{number}{}", left.unwrap_or_default())
        }
        Err(why) => format!("not now, {}", phrases::refusal(rulebook, why)),
    };
    if lines.len() > MOST_MOVES {
        let legal = lines.iter().filter(|(_, offer)| offer.result.is_ok());
        let items: Vec<String> = legal.map(|(key, offer)| format!("{key}: {}", gives(offer))).collect();
        return page::columns(&items);
    }
    let widest = lines.iter().map(|(key, _)| key.len()).max().unwrap_or(1);
    let line = |(key, offer): &(String, Offer)| {
        format!("  {key:>widest$}  {}: {}", rulebook.label_of_offer(offer), gives(offer))
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
