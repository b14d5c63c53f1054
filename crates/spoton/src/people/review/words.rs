//! A review in words: the whole of it, and move by move.

use super::{JudgedMove, Review, Tally, Unmade, strip};
use crate::engine::play::{Ending, Move, Outcome};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::written::On;
use crate::format::Numbers;
use crate::people::coach::{Consequence, Words};
use crate::solver::Value;
use crate::words::page::wrap;
use crate::words::phrases;

/// Whom a review in words speaks to, and what it may tell.
pub struct Audience<'a> {
    /// The players' names.
    pub names: &'a ByPlayer<String>,
    /// Who is called "you", if the review is for one player; the other's choices are left out then.
    pub you: Option<Player>,
    /// Whether the players find the strategy themselves: then only what happened is told.
    pub discover: bool,
}

impl Audience<'_> {
    fn name(&self, player: Player) -> &str {
        if self.you == Some(player) { "you" } else { &self.names[player] }
    }

    fn capital(&self, player: Player) -> &str {
        if self.you == Some(player) { "You" } else { &self.names[player] }
    }
}

/// A review in words.
pub fn in_words(review: &Review, round: &Round, audience: &Audience<'_>) -> Vec<String> {
    if audience.discover {
        let gave_up = who_gave_up(review).map(|player| format!("{} gave up.", audience.capital(player)));
        return gave_up.into_iter().chain([phrases::NO_ANSWERS.to_owned()]).collect();
    }
    let turned = review.turning_point().map(|(_, judged)| judged);
    let mut said = Vec::new();
    if review.has_decisions() {
        said.extend(Player::BOTH.iter().filter_map(|player| tally(review, *player, audience)));
    } else {
        said.push(no_decision(review, audience));
    }
    // Whoever the review is for learns most from their own last mistake, whoever made the one that decided the round.
    let own = |judged: &&JudgedMove| judged.is_mistake() && Some(judged.player) == audience.you;
    let own = review.moves.iter().rev().find(own);
    let chose = |judged: &JudgedMove| {
        format!(
            "at {}, {} chose {}.",
            judged.at,
            audience.name(judged.player),
            round.rulebook().write(judged.a_move)
        )
    };
    said.extend(turned.map(|judged| format!("The turning point: {}", chose(judged))));
    let slip = own.filter(|own| turned.is_none_or(|turned| !std::ptr::eq(turned, *own)));
    said.extend(slip.map(|judged| format!("Your own slip: {}", chose(judged))));
    said.extend(own.or(turned).map(|judged| format!("Better: {}", better(judged, round, audience))));
    said.extend(gave_up(review, round, audience));
    said.extend(forfeited(review, round, audience));
    if let (Some(par), Some(player)) = (&review.par, arrived(round)) {
        let (made, fewest) = par[player];
        let moves = phrases::count(made, "move", "moves");
        said.push(format!("{} took {moves}; the fewest is {fewest}.", audience.capital(player)));
    }
    said
}

/// A review on a page: the words first, and then the round as a strip; in discovery, only what happened.
pub fn page(review: &Review, round: &Round, audience: &Audience<'_>) -> String {
    let mut said: Vec<String> =
        in_words(review, round, audience).iter().map(|line| wrap(line, "", "  ")).collect();
    if audience.discover {
        let happened = (0..round.history().len()).filter_map(|place| happened(round, place, audience));
        said.extend(happened.map(|line| wrap(&line, "", "  ")));
    } else if !review.moves.is_empty() {
        said.push(String::new());
        said.push(strip(review, round));
        let ByPlayer([one, two]) = audience.names;
        let whose = match round.rulebook().numbers() {
            Numbers::Shared => "",
            Numbers::Separate => "whose move it was, then ",
        };
        let strikes = round.rulebook().moves().iter().any(|entry| entry.on == On::Other);
        let number =
            if strikes { "the number that it gave (with @, the other player's)" } else { "the number" };
        let legend = format!(
            "The rows: {whose}the move, {number}, and who could force a win there; 1 is {one}, 2 is {two}, = is neither."
        );
        said.push(wrap(&legend, "", "  "));
    }
    said.join("\n")
}

/// Who gave the round up, and what they could still have forced.
fn gave_up(review: &Review, round: &Round, audience: &Audience<'_>) -> Option<String> {
    let loser = who_gave_up(review)?;
    let could = match review.who_could_win_at_the_end() {
        Some(player) if player == loser => {
            format!(", where {} could still force a win", audience.name(loser))
        }
        Some(_) => String::new(),
        None => ", where neither could force a win".to_owned(),
    };
    let number = round.number_of(loser);
    Some(format!("{} gave up at {number}{could}.", audience.capital(loser)))
}

/// Who gave no legal move, and what they could still have forced.
fn forfeited(review: &Review, round: &Round, audience: &Audience<'_>) -> Option<String> {
    review.outcome.filter(|outcome| outcome.ending == Ending::Forfeited)?;
    let Unmade { player, best, .. } = review.unmade?;
    let could = match best.value {
        Value::Win => format!(", where {} could still force a win", audience.name(player)),
        Value::Draw => ", where neither could force a win".to_owned(),
        Value::Loss => String::new(),
    };
    let number = round.number_of(player);
    Some(format!("{} made no legal move at {number}{could}.", audience.capital(player)))
}

fn who_gave_up(review: &Review) -> Option<Player> {
    let outcome = review.outcome.filter(|outcome| outcome.ending == Ending::Resigned)?;
    Some(!outcome.winner?)
}

/// How many choices mattered to a player; `None` if that is not told.
fn tally(review: &Review, player: Player, audience: &Audience<'_>) -> Option<String> {
    let Tally { met, kept, .. } = review.tally[player];
    let name = &audience.names[player];
    match audience.you {
        Some(you) if you == player && met > 0 => Some(mattered("your", "You", met, kept)),
        Some(you) if you == player => {
            let had = review.moves.iter().any(|judged| judged.player == you);
            had.then(|| "None of your choices changed who could force a win.".to_owned())
        }
        // What the other did is told only if there is nothing to tell of you.
        Some(you) if review.tally[you].met > 0 => None,
        _ => (met > 0).then(|| mattered(&format!("{name}'s"), name, met, kept)),
    }
}

/// `Two of your choices mattered. You got both right.`
fn mattered(whose: &str, who: &str, met: u32, kept: u32) -> String {
    let how = match (met, kept) {
        (1, 1) => format!("{who} got it right."),
        (2, 2) => format!("{who} got both right."),
        (met, kept) if met == kept => format!("{who} got all of them right."),
        // Children read this, too.
        (1, 0) => "It could have gone better.".to_owned(),
        (2, 0) => "Both could have gone better.".to_owned(),
        (_, 0) => "All of them could have gone better.".to_owned(),
        (_, kept) => format!("{who} got {} right.", phrases::in_words(kept as usize)),
    };
    format!("{} of {whose} choices mattered. {how}", phrases::capitalised(&phrases::in_words(met as usize)))
}

/// What is said of one move when somebody steps through a round: what happened, who could force a win after it, and
/// for a mistake what it gave away and what would have been better. An empty list if there was no such move.
///
/// If nothing could be given away, because there was no choice or all was lost, nothing is said of giving away.
pub fn of_move(review: &Review, place: usize, round: &Round, audience: &Audience<'_>) -> Vec<String> {
    let Some(judged) = review.moves.get(place) else { return Vec::new() };
    let mut said: Vec<String> = happened(round, place, audience).into_iter().collect();
    if audience.discover {
        return said;
    }
    let thing = if judged.best.value == Value::Win { "win" } else { "draw" };
    if judged.is_mistake() {
        said.push(format!("That gave the {thing} away."));
    } else if judged.decision && judged.only_one {
        said.push(format!("It was the only move that kept the {thing}."));
    }
    let last = place + 1 == review.moves.len();
    let by_rules = |outcome: &Outcome| {
        !matches!(outcome.ending, Ending::Resigned | Ending::Stopped) && !outcome.ending.is_without_result()
    };
    let before = judged.best.value.winner(judged.player);
    let after = judged.who_can_win();
    said.push(match (review.outcome.filter(by_rules).filter(|_| last), after) {
        (Some(_), Some(winner)) => format!("That is how {} won.", audience.name(winner)),
        (Some(_), None) => "That is how the round was drawn.".to_owned(),
        (None, Some(player)) if before == after => {
            format!("{} could still force a win.", audience.capital(player))
        }
        (None, None) if before == after => "As before, neither could force a win.".to_owned(),
        (None, Some(player)) => format!("Then {} could force a win.", audience.name(player)),
        (None, None) => "Then neither could force a win.".to_owned(),
    });
    if judged.is_mistake() {
        said.push(format!("Better: {}", better(judged, round, audience)));
    }
    said
}

/// What a move was and the number that it gave, without a word on how good it was. `None` if there was no such
/// move.
pub fn happened(round: &Round, place: usize, audience: &Audience<'_>) -> Option<String> {
    let ply = round.history().get(place)?;
    let (at, who) = (ply.before.number(), audience.name(ply.player()));
    Some(match ply.a_move {
        Move::Operation(_) if ply.owner != ply.player() => format!(
            "At {at}, {who} chose {}: {} went from {} to {}.",
            round.rulebook().write(ply.a_move),
            audience.name(ply.owner),
            ply.before.number_of(ply.owner),
            ply.number
        ),
        Move::Operation(_) => {
            format!("At {at}, {who} chose {}: {}.", round.rulebook().write(ply.a_move), ply.number)
        }
        Move::Skip => format!("At {at}, {who} had no move, so the turn was skipped."),
    })
}

/// The move that would have been better, with its proof.
fn better(judged: &JudgedMove, round: &Round, audience: &Audience<'_>) -> String {
    let words = Words { rulebook: round.rulebook(), turn: judged.player };
    let reason = &judged.better;
    let them = audience.name(!judged.player);
    match (reason.then, reason.verdict.value) {
        (Consequence::Answer { .. }, Value::Win) => {
            let does = if them == "you" { "you do".to_owned() } else { format!("{them} does") };
            let who = audience.name(judged.player);
            format!("{}: whatever {does}, {who} can force a win.", words.leaves(reason, them))
        }
        (Consequence::Answer { .. }, Value::Draw) => {
            format!("{}: then neither can force a win.", words.leaves(reason, them))
        }
        _ => words.reason_about(reason, them),
    }
}

/// The winner, if they won by their own last move: not because the other went past the target or gave up.
fn arrived(round: &Round) -> Option<Player> {
    let outcome = round.outcome().filter(|outcome| outcome.ending != Ending::Resigned)?;
    let last = round.history().last()?.player();
    outcome.winner.filter(|winner| *winner == last)
}

fn no_decision(review: &Review, audience: &Audience<'_>) -> String {
    if review.moves.is_empty() {
        return "No move was made, so there is nothing to look back on.".to_owned();
    }
    let why = match review.opening.value.winner(review.first) {
        None => " Neither could at any time.".to_owned(),
        Some(winner) => {
            let who = audience.capital(winner);
            format!(" {who} could from the start.")
        }
    };
    format!("No choice in this round changed who could force a win.{why}")
}
