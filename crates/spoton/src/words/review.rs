//! A review in words: as a whole and move by move.

use crate::engine::play::{Ending, Move, Outcome};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::written::On;
use crate::format::Numbers;
use crate::solved::outlook::Consequence;
use crate::solver::Value;
use crate::teach::review::{JudgedMove, Review, Tally, Unmade, mark};
use crate::words::coach::Words;
use crate::words::page::wrap;
use crate::words::phrases;

/// The review's reader, and how much to reveal.
pub struct Audience<'a> {
    /// The players' names.
    pub names: &'a ByPlayer<String>,
    /// The player addressed as "you", if the review is for one player. It then leaves out the opponent's choices.
    pub you: Option<Player>,
    /// Discovery mode: reports only what happened.
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
    // Players learn most from their own last mistake, even if another one decided the round.
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
    said.extend(turned.map(|judged| format!("Turning point: {}", chose(judged))));
    let slip = own.filter(|own| turned.is_none_or(|turned| !std::ptr::eq(turned, *own)));
    said.extend(slip.map(|judged| format!("Your mistake: {}", chose(judged))));
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

/// A review as a page: the sentences, then the round as a strip. In discovery mode, only reports what happened.
pub fn page(review: &Review, round: &Round, audience: &Audience<'_>) -> String {
    let mut said: Vec<String> =
        in_words(review, round, audience).iter().map(|line| wrap(line, "", "  ")).collect();
    if audience.discover {
        let happened = (0..round.history().len()).filter_map(|place| happened(round, place, audience));
        said.extend(happened.map(|line| wrap(&line, "", "  ")));
    } else if !review.moves.is_empty() {
        said.push(String::new());
        said.push(strip(review, round));
        let (one, two) = (audience.name(Player::One), audience.name(Player::Two));
        let whose = match round.rulebook().numbers() {
            Numbers::Shared => "",
            Numbers::Separate => "whose move it was, then ",
        };
        let strikes = round.rulebook().moves().iter().any(|entry| entry.on == On::Other);
        let number = if strikes { "the resulting number (with @, the opponent's)" } else { "the number" };
        let legend = format!(
            "Rows: {whose}the move, {number}, and who could force a win there (1 is {one}, 2 is {two}, = is neither)."
        );
        said.push(wrap(&legend, "", "  "));
    }
    said.join("\n")
}

/// Reports who gave up, and whether they could still have forced a win.
fn gave_up(review: &Review, round: &Round, audience: &Audience<'_>) -> Option<String> {
    let loser = who_gave_up(review)?;
    let could = match review.who_could_win_at_the_end() {
        Some(player) if player == loser => ", but could still force a win",
        Some(_) => "",
        None => ", when neither player could force a win",
    };
    let number = round.number_of(loser);
    Some(format!("{} gave up at {number}{could}.", audience.capital(loser)))
}

/// Reports who made no legal move, and whether they could still have forced a win.
fn forfeited(review: &Review, round: &Round, audience: &Audience<'_>) -> Option<String> {
    review.outcome.filter(|outcome| outcome.ending == Ending::Forfeited)?;
    let Unmade { player, best, .. } = review.unmade?;
    let could = match best.value {
        Value::Win => ", but could still force a win",
        Value::Draw => ", when neither player could force a win",
        Value::Loss => "",
    };
    let number = round.number_of(player);
    Some(format!("{} made no legal move at {number}{could}.", audience.capital(player)))
}

fn who_gave_up(review: &Review) -> Option<Player> {
    let outcome = review.outcome.filter(|outcome| outcome.ending == Ending::Resigned)?;
    Some(!outcome.winner?)
}

/// How many of a player's choices mattered, as a sentence; `None` if the review doesn't show it.
fn tally(review: &Review, player: Player, audience: &Audience<'_>) -> Option<String> {
    let Tally { met, kept, .. } = review.tally[player];
    let name = &audience.names[player];
    match audience.you {
        Some(you) if you == player && met > 0 => Some(mattered("your", "You", met, kept)),
        Some(you) if you == player => {
            let had = review.moves.iter().any(|judged| judged.player == you);
            had.then(|| "None of your choices changed who could force a win.".to_owned())
        }
        // Shows the opponent's choices only if none of yours mattered.
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
        // Children read this: no blame.
        (1, 0) => "There was a better move.".to_owned(),
        (2, 0) => "Both times there was a better move.".to_owned(),
        (_, 0) => "Each time there was a better move.".to_owned(),
        (_, kept) => format!("{who} got {} right.", phrases::in_words(kept as usize)),
    };
    format!("{} of {whose} choices mattered. {how}", phrases::capitalised(&phrases::in_words(met as usize)))
}

/// Comments on one move while stepping through a round: what happened and who could force a win after it. For a
/// mistake, adds what it gave away and a better move. Empty if there was no such move.
///
/// A move without a choice or in a lost position gives nothing away.
pub fn of_move(review: &Review, place: usize, round: &Round, audience: &Audience<'_>) -> Vec<String> {
    let Some(judged) = review.moves.get(place) else { return Vec::new() };
    let mut said: Vec<String> = happened(round, place, audience).into_iter().collect();
    if audience.discover {
        return said;
    }
    let thing = if judged.best.value == Value::Win { "win" } else { "draw" };
    if judged.is_mistake() {
        said.push(format!("That gave away the {thing}."));
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
        (Some(_), Some(winner)) => format!("That's how {} won.", audience.name(winner)),
        (Some(_), None) => "That made it a draw.".to_owned(),
        (None, Some(player)) if before == after => {
            format!("{} could still force a win.", audience.capital(player))
        }
        (None, None) if before == after => "As before, neither player could force a win.".to_owned(),
        (None, Some(player)) => format!("After that, {} could force a win.", audience.name(player)),
        (None, None) => "After that, neither player could force a win.".to_owned(),
    });
    if judged.is_mistake() {
        said.push(format!("Better: {}", better(judged, round, audience)));
    }
    said
}

/// Describes a move and its number without judging it. `None` if there was no such move.
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
        Move::Skip => format!("At {at}, {who} couldn't move, so the turn was skipped."),
    })
}

/// The better move with its proof.
fn better(judged: &JudgedMove, round: &Round, audience: &Audience<'_>) -> String {
    let words = Words { rulebook: round.rulebook(), turn: judged.player };
    let reason = &judged.better;
    let them = audience.name(!judged.player);
    match (reason.then, reason.verdict.value) {
        (Consequence::Answer { .. }, Value::Win) => {
            let who = audience.name(judged.player);
            format!("{}: {who} can force a win.", words.leaves(reason, them))
        }
        (Consequence::Answer { .. }, Value::Draw) => {
            format!("{}: neither player can force a win.", words.leaves(reason, them))
        }
        _ => words.reason_about(reason, them),
    }
}

/// The winner, if they won by their own last move: not because the opponent overshot or gave up.
fn arrived(round: &Round) -> Option<Player> {
    let outcome = round.outcome().filter(|outcome| outcome.ending != Ending::Resigned)?;
    let last = round.history().last()?.player();
    outcome.winner.filter(|winner| *winner == last)
}

fn no_decision(review: &Review, audience: &Audience<'_>) -> String {
    if review.moves.is_empty() {
        return "No moves were made, so there's nothing to review.".to_owned();
    }
    let why = match review.opening.value.winner(review.first) {
        None => " Neither player ever could.".to_owned(),
        Some(winner) => {
            let who = audience.capital(winner);
            format!(" {who} could force a win from the start.")
        }
    };
    format!("No choice in this round changed who could force a win.{why}")
}

/// The moves with their numbers and who could force a win after each: `1`, `2`, or `=` for neither. A caret marks the
/// turning point. If each player has a number, the first row shows whose move it was.
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
