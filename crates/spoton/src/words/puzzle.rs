//! Puzzles in words: the task, the difficulty, and why a move was wrong.

use crate::day::Day;
use crate::engine::play::{Move, Step};
use crate::engine::position::{MOST_MOVES, Player, Position};
use crate::engine::round::Round;
use crate::engine::written::Offer;
use crate::format::{Changes, Menu, Numbers, Rulebook, Setting};
use crate::solved::outlook::Reason;
use crate::teach::puzzle::{Attempt, NextPuzzle, NoPuzzles, Proof, Served, Source};
use crate::words::coach::Words;
use crate::words::{describe, menu, page, phrases};

/// The task of every puzzle.
pub const TASK: &str = "Win from here";

/// Shown if a puzzle's result couldn't be saved.
pub const NOT_KEPT: &str = "Your result couldn't be saved, so this puzzle may come up again.";

/// The maximum number of moves shown from a line of best play.
const LONGEST_LINE: usize = 12;

/// The difficulty of a puzzle: `Guessing solves it 1 time in 4.`
///
/// ```
/// use spoton::words::puzzle::grade_in_words;
///
/// assert_eq!(grade_in_words(0.25), "Guessing solves it 1 time in 4.");
/// assert_eq!(grade_in_words(0.4), "Guessing solves it 40% of the time.");
/// assert_eq!(grade_in_words(0.15), "Guessing solves it 15% of the time.");
/// assert_eq!(grade_in_words(0.1234), "Guessing solves it about 12% of the time.");
/// assert_eq!(grade_in_words(0.001), "Guessing solves it 1 time in 1,000.");
/// ```
pub fn grade_in_words(grade: f64) -> String {
    let is_whole = |number: f64| (number - number.round()).abs() < 1e-9;
    let about = |number: f64| if is_whole(number) { "" } else { "about " };
    let (often, seldom) = (grade * 100.0, 1.0 / grade);
    let how_often = match is_whole(seldom) || often < 1.0 {
        true => format!("{}1 time in {}", about(seldom), grouped(seldom.round() as u64)),
        false => format!("{}{often:.0}% of the time", about(often)),
    };
    format!("Guessing solves it {how_often}.")
}

/// A round's state for the player to move. Invariant: different positions have different texts.
pub fn status(round: &Round) -> String {
    let position = round.position();
    let status = match round.rulebook().numbers() {
        Numbers::Shared => format!("The number is {}.", position.number()),
        Numbers::Separate => {
            let other = position.number_of(!position.turn());
            format!("Your number is {}, theirs is {other}.", position.number())
        }
    };
    let turn = match describe::which_turn(round.rulebook(), position) {
        Some(which) => format!("It's your turn, {which}."),
        None => "It's your turn.".to_owned(),
    };
    let mut said = vec![status, turn];
    said.extend(describe::memory(round.rulebook(), position));
    said.join(" ")
}

/// Notes on a puzzle: its source, if that isn't the requested game, and when the player missed it.
pub fn about(served: &Served, today: Day) -> Vec<String> {
    let mut said = Vec::new();
    let none = served.book_has_none.map(|why| {
        let asked = asked_for(&served.asked);
        match why {
            NoPuzzles::Endless => format!("{asked} has no puzzles because some rounds never end"),
            NoPuzzles::TooEasy => format!("{asked} has no puzzle that's hard enough"),
        }
    });
    said.extend(match (none, &served.source) {
        (None, Source::Book) => None,
        (Some(none), Source::Book) => Some(format!("{none}.")),
        (None, Source::Variant(variant)) => {
            Some(format!("This one is from the variant {}.", spoken(variant)))
        }
        (Some(none), Source::Variant(variant)) => {
            Some(format!("{none}, so this one is from the variant {}.", spoken(variant)))
        }
        (None, Source::Target(target)) => Some(format!("This one is played to {target}.")),
        (Some(none), Source::Target(target)) => Some(format!("{none}, so this one is played to {target}.")),
        (_, Source::OwnRound(Some(day))) => {
            Some(format!("You missed this win in your round on {}.", day.in_words_on(today)))
        }
        (_, Source::OwnRound(None)) => Some("You missed this win in one of your rounds.".to_owned()),
    });
    said.extend(served.missed.map(|day| format!("You missed this one on {}.", day.in_words_on(today))));
    said
}

/// The spoken name of a variant: `to-15` is "to 15".
fn spoken(variant: &str) -> String {
    variant.replace('-', " ")
}

/// The name of the requested game.
fn asked_for(asked: &Changes) -> String {
    match (&asked.variant, &asked.settings[..]) {
        (None, []) => "The standard game".to_owned(),
        (None, [Setting::Target(target)]) => format!("This game to {target}"),
        (Some(variant), []) => format!("The variant {}", spoken(variant)),
        (Some(variant), [Setting::Target(target)]) => format!("The variant {} to {target}", spoken(variant)),
        _ => "The game with these settings".to_owned(),
    }
}

/// The sentence for a solved puzzle, which explains why the rest is safe.
pub fn solved(attempt: &Attempt) -> String {
    let round = attempt.round();
    if let Some(last) = round.history().last().filter(|_| round.outcome().is_some()) {
        return format!("{} wins.", round.rulebook().write(last.a_move));
    }
    let ahead = attempt.served().verdict(round);
    match ahead.and_then(|verdict| verdict.remoteness()) {
        Some(2) => "You win on your next move, if not before.".to_owned(),
        _ => "The rest is easy: take any immediate win, avoid any immediate loss, and you win.".to_owned(),
    }
}

/// Explains a missed puzzle in separate sentences. In discovery mode, only reports that the win is gone.
pub fn proof(attempt: &Attempt, proof: &Proof, discover: bool) -> Vec<String> {
    // The round still includes the wrong move. The solver was to move before it.
    let words = Words { rulebook: attempt.round().rulebook(), turn: attempt.solver() };
    let rulebook = words.rulebook;
    let mut said = vec![match proof.played {
        Some(reason) => format!("Missed: {} gives the win away.", rulebook.write(reason.a_move)),
        None => "You gave up.".to_owned(),
    }];
    if discover {
        said.push("Discovery mode is on, so Spot On doesn't show why.".to_owned());
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
        said.push(format!("Best play on both sides: {told}{end}."));
    }
    said
}

/// Explains how the wrong and right moves differ if both give the same number.
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
                (true, true) => format!("neither of you can play {written} next"),
                (true, false) => format!("you can't play {written} next"),
                _ => format!("they can't answer {written}"),
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
    Some(format!("The difference: {wrong}; {right}."))
}

/// The moves that keep the win.
fn holding(rulebook: &Rulebook, holding: &[Reason]) -> String {
    const MOST: usize = 6;
    let moves: Vec<String> = holding.iter().map(|reason| rulebook.write(reason.a_move)).collect();
    match &moves[..] {
        [only] => format!("Only {only} keeps the win."),
        [first, others @ ..] if moves.len() > MOST => {
            format!("{first} and {} other moves keep the win.", others.len())
        }
        _ => format!("{} keep the win.", phrases::and_list(moves)),
    }
}

/// Explains why there is no next puzzle; `None` if there is one. Without a title, the sentence covers all games.
pub fn nothing_left(next: &NextPuzzle, title: Option<&str>, today: Day) -> Option<String> {
    let of = title.map_or_else(String::new, |title| format!(" in {title}"));
    Some(match next {
        NextPuzzle::Puzzle(_) => return None,
        NextPuzzle::NoneAtAll(why) => {
            let why = match why {
                NoPuzzles::Endless => "some of its rounds never end",
                NoPuzzles::TooEasy => "none of its positions is hard enough",
            };
            format!("{} has no puzzles: {why}.", title.unwrap_or("This game"))
        }
        NextPuzzle::UsedUp { back_on: None } => format!("You've solved every puzzle{of}."),
        NextPuzzle::UsedUp { back_on: Some(day) } => {
            let when = if *day == today.next() {
                "tomorrow".to_owned()
            } else {
                format!("on {}", day.in_words_on(today))
            };
            format!("There are no new puzzles{of}. The ones you missed come back {when}.")
        }
    })
}

/// The moves of both sides since a move: `You play x2: 10. They answer +1: 11.`
pub fn told_since(round: &Round, since: usize, solver: Player) -> Vec<String> {
    let rulebook = round.rulebook();
    let told = round.history().iter().skip(since).map(|ply| {
        let is_solver = ply.player() == solver;
        let written = rulebook.write(ply.a_move);
        let who = if is_solver { "You" } else { "They" };
        match ply.a_move {
            Move::Skip => format!("{who} can't move: turn skipped."),
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

/// The choices, one per line, with the key to type and the resulting number.
pub fn choices(round: &Round) -> String {
    let rulebook = round.rulebook();
    let position = round.position();
    let mut lines = menu::lines(round);
    if rulebook.wording().menu() == Menu::Questions {
        // With two questions, a bare number doesn't answer the first.
        lines.iter_mut().for_each(|(key, offer)| *key = rulebook.write_offer(offer));
    }
    // Lists barred moves, even if the book's menu leaves them out, because they matter here.
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
        Err(why) => format!("not allowed: {}", phrases::refusal(rulebook, why)),
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

/// A number with thousands separators: `1,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
