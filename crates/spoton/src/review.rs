//! A round looked back on: which choices mattered, where it turned, and what would have been better.
//!
//! Forced moves, and moves in a position that was lost anyway, are never called mistakes.

use std::sync::Arc;

use crate::coach::{Outlook, Reason, Then, Words};
use crate::phrases;
use crate::play::{Ending, Move, Outcome};
use crate::position::{ByPlayer, Player, Position};
use crate::round::Round;
use crate::rulebook::{Numbers, Rulebook};
use crate::solver::{Budget, MoveVerdict, Solver, Unsolved, Value, Verdict, distance_to_win};

/// A move that was made, held against what could have been.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// Whose move it was.
    pub player: Player,
    /// The move.
    pub a_move: Move,
    /// The number before it.
    pub from: i64,
    /// The number that it gave.
    pub to: i128,
    /// The best that the player could force before it.
    pub best: Verdict,
    /// What the move made was worth to them.
    pub made: Verdict,
    /// Whether the legal moves were of different worth.
    pub decision: bool,
    /// Whether the difference could not be seen at once.
    pub subtle: bool,
    /// Whether just one move kept the best.
    pub only_one: bool,
    /// The best move and what it leads to.
    pub better: Reason,
}

impl JudgedMove {
    /// Whether the move kept the best that there was.
    pub fn kept(&self) -> bool {
        self.made.value == self.best.value
    }

    /// Whether something was given away.
    pub fn is_mistake(&self) -> bool {
        self.decision && !self.kept()
    }

    /// The mark in a written-back record; mostly empty.
    pub fn mark(&self) -> &'static str {
        match (self.best.value, self.made.value) {
            _ if !self.decision => "",
            (Value::Win, Value::Draw) => "?!",
            (Value::Draw, Value::Loss) => "?",
            (Value::Win, Value::Loss) => "??",
            _ if self.only_one && self.subtle => "!",
            _ => "",
        }
    }

    /// Who can force a win after the move, if anybody.
    pub fn who_can_win(&self) -> Option<Player> {
        match self.made.value {
            Value::Win => Some(self.player),
            Value::Draw => None,
            Value::Loss => Some(!self.player),
        }
    }
}

/// How many choices mattered to a player, and how many of them were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Choices that mattered.
    pub met: u32,
    /// Of these, how many kept the best.
    pub kept: u32,
    /// Choices that mattered without showing at once.
    pub subtle_met: u32,
    /// Of these, how many kept the best.
    pub subtle_kept: u32,
}

impl Tally {
    /// The share of choices that were right; nothing where none mattered.
    pub fn accuracy(self) -> Option<f64> {
        (self.met > 0).then(|| f64::from(self.kept) / f64::from(self.met))
    }

    fn count(&mut self, judged: &JudgedMove) {
        if judged.decision {
            let kept = u32::from(judged.kept());
            self.met += 1;
            self.kept += kept;
            if judged.subtle {
                self.subtle_met += 1;
                self.subtle_kept += kept;
            }
        }
    }
}

/// A round looked back on.
#[derive(Clone, Debug)]
pub struct Review {
    /// What the player who started could force at the opening.
    pub opening: Verdict,
    /// Who started.
    pub first: Player,
    /// The moves in order, skipped turns among them.
    pub moves: Vec<JudgedMove>,
    /// The choices that mattered, by player.
    pub tally: ByPlayer<Tally>,
    /// How the round ended, if it has.
    pub outcome: Option<Outcome>,
    /// In a race: the moves that each player made, and the fewest in which they could have arrived.
    pub par: Option<ByPlayer<(u32, u64)>>,
}

impl Review {
    /// Looks back on a round.
    ///
    /// # Errors
    ///
    /// Where looking ahead from some position takes more than the budget.
    pub fn of(round: &Round, solver: &Solver, budget: &mut Budget<'_>) -> Result<Review, Unsolved> {
        let mut again = Round::new(Arc::clone(round.rulebook()), round.first());
        let opening = Outlook::of(&again, solver, budget)?;
        let opening = match (opening, again.outcome()) {
            (Some(outlook), _) => outlook.verdict,
            (None, Some(outcome)) => Verdict::new(Value::of(outcome, round.first()), 0),
            (None, None) => Verdict::DRAW,
        };
        let mut moves = Vec::new();
        let mut tally = ByPlayer([Tally::default(); 2]);
        for ply in round.history() {
            if let Some(outlook) = Outlook::of(&again, solver, budget)?
                && let Some(judged) = judge(&again, &outlook, ply.a_move, ply.number)
            {
                tally[judged.player].count(&judged);
                moves.push(judged);
            }
            if again.play(ply.a_move).is_err() {
                break;
            }
        }
        let par = par(round, budget)?;
        Ok(Review { opening, first: round.first(), moves, tally, outcome: round.outcome(), par })
    }

    /// The move that decided the round: the last mistake of the player who did not win. Nothing where nobody gave
    /// anything away that was not given back.
    pub fn turning_point(&self) -> Option<(usize, &JudgedMove)> {
        let outcome = self.outcome?;
        // A mistake of the winner comes last only where the other then gave up.
        let last = self.moves.iter().enumerate().rev().find(|(_, judged)| judged.is_mistake());
        last.filter(|(_, judged)| Some(judged.player) != outcome.winner)
    }

    /// Whether any choice mattered to anybody.
    pub fn has_decisions(&self) -> bool {
        Player::BOTH.iter().any(|player| self.tally[*player].met > 0)
    }

    /// Who could force a win after the last move, if anybody.
    pub fn who_could_win_at_the_end(&self) -> Option<Player> {
        match self.moves.last() {
            Some(judged) => judged.who_can_win(),
            None => match self.opening.value {
                Value::Win => Some(self.first),
                Value::Draw => None,
                Value::Loss => Some(!self.first),
            },
        }
    }

    /// Whether a player never gave anything away: by no move, and not by giving up what they still had.
    pub fn is_blameless(&self, player: Player) -> bool {
        let resigned = self
            .outcome
            .is_some_and(|outcome| outcome.ending == Ending::Resigned && outcome.winner == Some(!player));
        let gave_away = resigned && self.who_could_win_at_the_end() != Some(!player);
        !gave_away && self.moves.iter().all(|judged| judged.player != player || !judged.is_mistake())
    }

    /// What a player could force from their seat at the opening.
    pub fn seat(&self, player: Player) -> Value {
        if player == self.first { self.opening.value } else { !self.opening.value }
    }
}

fn judge(round: &Round, outlook: &Outlook, a_move: Move, to: i128) -> Option<JudgedMove> {
    let position = round.position();
    let made = outlook.moves.iter().find(|judged| judged.a_move == a_move)?.verdict;
    let best = outlook.verdict;
    let Weight { decision, subtle } = weigh(round.rulebook(), position, &outlook.moves);
    Some(JudgedMove {
        player: position.turn(),
        a_move,
        from: position.number(),
        to,
        best,
        made,
        decision,
        subtle,
        only_one: outlook.keepers().count() == 1,
        better: *outlook.reasons().first()?,
    })
}

/// Whether it matters what is chosen.
pub(crate) struct Weight {
    /// The legal moves are of different worth.
    pub(crate) decision: bool,
    /// The difference cannot be seen at once: no move wins at once, and some worse one does not lose at once.
    pub(crate) subtle: bool,
}

/// Weighs the choice in a position by what each legal move is worth.
pub(crate) fn weigh(rulebook: &Rulebook, position: &Position, moves: &[MoveVerdict]) -> Weight {
    let best = moves.iter().map(|judged| judged.verdict.value).max();
    let is_worse = |judged: &&MoveVerdict| Some(judged.verdict.value) != best;
    let at_once = |judged: &MoveVerdict| {
        let outcome = rulebook.ends_at_once(position, judged.a_move);
        outcome.map(|outcome| Value::of(outcome, position.turn()))
    };
    let wins_at_once = || moves.iter().any(|judged| at_once(judged) == Some(Value::Win));
    let mut worse = moves.iter().filter(is_worse).peekable();
    let decision = worse.peek().is_some();
    let subtle = decision && !wins_at_once() && worse.any(|judged| at_once(judged) != Some(Value::Loss));
    Weight { decision, subtle }
}

/// In a race, how many moves each player made, and how few would have done.
fn par(round: &Round, budget: &mut Budget<'_>) -> Result<Option<ByPlayer<(u32, u64)>>, Unsolved> {
    let opening = round.rulebook().opening(round.first());
    let Some(fewest) = distance_to_win(round.rulebook(), &opening, budget)? else { return Ok(None) };
    let made = |player| {
        let own = round.history().iter().filter(|ply| ply.player() == player && ply.a_move != Move::Skip);
        own.count() as u32
    };
    Ok(Some(ByPlayer::from_fn(|player| (made(player), fewest[player]))))
}

/// Whom a review in words speaks to, and what it may tell.
pub struct Telling<'a> {
    /// The players' names.
    pub names: &'a ByPlayer<String>,
    /// Who is called "you", where the review is for one player; the other's choices are left out then.
    pub you: Option<Player>,
    /// Whether only the number where the round turned is told, and nothing of what would have been better.
    pub discover: bool,
}

impl Telling<'_> {
    fn name(&self, player: Player) -> &str {
        if self.you == Some(player) { "you" } else { &self.names[player] }
    }

    fn capital(&self, player: Player) -> &str {
        if self.you == Some(player) { "You" } else { &self.names[player] }
    }
}

/// A review in words.
pub fn in_words(review: &Review, round: &Round, telling: &Telling<'_>) -> Vec<String> {
    let turned = review.turning_point().map(|(_, judged)| judged);
    if telling.discover {
        return vec![
            turned.map_or("No single choice decided this round.".to_owned(), |judged| ask(judged, telling)),
        ];
    }
    let mut said = Vec::new();
    if review.has_decisions() {
        said.extend(Player::BOTH.iter().filter_map(|player| tally(review, *player, telling)));
    } else {
        said.push(no_decision(review, telling));
    }
    // Whoever the review is for learns most from their own last mistake, whoever made the one that decided the round.
    let own = |judged: &&JudgedMove| judged.is_mistake() && Some(judged.player) == telling.you;
    let own = review.moves.iter().rev().find(own);
    let chose = |judged: &JudgedMove| {
        format!(
            "at {}, {} chose {}.",
            judged.from,
            telling.name(judged.player),
            written(round, judged.a_move)
        )
    };
    said.extend(turned.map(|judged| format!("The turning point: {}", chose(judged))));
    let slip = own.filter(|own| turned.is_none_or(|turned| !std::ptr::eq(turned, *own)));
    said.extend(slip.map(|judged| format!("Your own slip: {}", chose(judged))));
    said.extend(own.or(turned).map(|judged| format!("Better: {}", better(judged, round, telling))));
    said.extend(gave_up(review, round, telling));
    if let (Some(par), Some(player)) = (&review.par, arrived(round)) {
        let (made, fewest) = par[player];
        let moves = phrases::count(made, "move", "moves");
        said.push(format!("{} took {moves}; {fewest} is possible.", telling.capital(player)));
    }
    said
}

/// Who gave the round up, and what they could still have forced.
fn gave_up(review: &Review, round: &Round, telling: &Telling<'_>) -> Option<String> {
    let outcome = round.outcome().filter(|outcome| outcome.ending == Ending::Resigned)?;
    let loser = !outcome.winner?;
    let could = match review.who_could_win_at_the_end() {
        Some(player) if player == loser => format!(", where {} could still force a win", telling.name(loser)),
        Some(_) => String::new(),
        None => ", where neither could force a win".to_owned(),
    };
    let number = round.number_of(loser);
    Some(format!("{} gave the round up at {number}{could}.", telling.capital(loser)))
}

/// Where the round turned, as a question.
fn ask(judged: &JudgedMove, telling: &Telling<'_>) -> String {
    let who = telling.name(judged.player);
    let turn = if who == "you" { "your turn".to_owned() } else { format!("{who}'s turn") };
    format!("The round turned at {}, on {turn}. What else could {who} have done?", judged.from)
}

/// How many choices mattered to a player, where that is to be told.
fn tally(review: &Review, player: Player, telling: &Telling<'_>) -> Option<String> {
    let Tally { met, kept, .. } = review.tally[player];
    let mattered = phrases::count(met, "choice", "choices");
    let name = &telling.names[player];
    match telling.you {
        Some(you) if you == player && met > 0 => Some(format!("{mattered} mattered. You got {kept}.")),
        Some(you) if you == player => {
            let had = review.moves.iter().any(|judged| judged.player == you);
            had.then(|| {
                "None of your choices mattered: each time, all your moves came to the same.".to_owned()
            })
        }
        // What the other did is told where there is nothing to tell of you.
        Some(you) if review.tally[you].met > 0 => None,
        _ => (met > 0).then(|| format!("{name}: {mattered} mattered. {name} got {kept}.")),
    }
}

/// What is said of one move when somebody steps through a round: what happened, who could force a win after it, and
/// for a mistake what it gave away and what would have been better. Nothing for a move that there was not.
///
/// Where nothing could be given away, because nothing was to choose or all was lost, nothing is said of giving away.
pub fn of_move(review: &Review, place: usize, round: &Round, telling: &Telling<'_>) -> Vec<String> {
    let Some(judged) = review.moves.get(place) else { return Vec::new() };
    let mut said: Vec<String> = happened(round, place, telling).into_iter().collect();
    if telling.discover {
        return said;
    }
    let thing = if judged.best.value == Value::Win { "win" } else { "draw" };
    if judged.is_mistake() {
        said.push(format!("That gave the {thing} away."));
    } else if judged.decision && judged.only_one {
        said.push(format!("It was the only move that kept the {thing}."));
    }
    let last = place + 1 == review.moves.len();
    let by_rules = |outcome: &Outcome| !matches!(outcome.ending, Ending::Resigned | Ending::Stopped);
    let before = forces(judged.best.value, judged.player);
    let after = judged.who_can_win();
    said.push(match (review.outcome.filter(by_rules).filter(|_| last), after) {
        (Some(_), Some(winner)) => format!("With this, {} won.", telling.name(winner)),
        (Some(_), None) => "With this, the round was drawn.".to_owned(),
        (None, Some(player)) if before == after => {
            format!("{} could still force a win.", telling.capital(player))
        }
        (None, None) if before == after => "As before, neither could force a win.".to_owned(),
        (None, Some(player)) => format!("Then {} could force a win.", telling.name(player)),
        (None, None) => "Then neither could force a win.".to_owned(),
    });
    if judged.is_mistake() {
        said.push(format!("Better: {}", better(judged, round, telling)));
    }
    said
}

/// What a move was and the number that it gave, without a word on how good it was. Nothing for a move that there was
/// not.
pub fn happened(round: &Round, place: usize, telling: &Telling<'_>) -> Option<String> {
    let ply = round.history().get(place)?;
    let (from, who) = (ply.before.number(), telling.name(ply.player()));
    Some(match ply.a_move {
        Move::Operation(_) => {
            format!("At {from}, {who} chose {}: {}.", written(round, ply.a_move), ply.number)
        }
        Move::Skip => format!("At {from}, {who} had no move, and the turn went over."),
    })
}

/// A point of a round, for a picture of it: before a move, or at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Whose number it is, and who chooses; at the end whoever moved last.
    pub player: Player,
    /// The number there.
    pub number: i128,
    /// What was chosen there; nothing at the end.
    pub chosen: Option<String>,
    /// Who could force a win there: `1`, `2`, or `=` for neither. Nothing where that is not known.
    pub mark: Option<char>,
    /// Whether the round turned by what was chosen there.
    pub turned: bool,
}

/// The points of a round from the start to the end, with what a review has found out about them.
pub fn points(round: &Round, review: Option<&Review>) -> Vec<Point> {
    let mark = |who: Option<Player>| match who {
        None => '=',
        Some(Player::One) => '1',
        Some(Player::Two) => '2',
    };
    let mark_at = |place: usize| {
        let review = review?;
        let who = match place.checked_sub(1) {
            None => forces(review.opening.value, review.first),
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
            chosen: Some(written(round, ply.a_move)),
            mark: mark_at(place),
            turned: turned == Some(place),
        })
        .collect();
    let player = history.last().map_or(round.first(), |ply| ply.player());
    let number = round.number_of(player);
    points.push(Point { player, number, chosen: None, mark: mark_at(history.len()), turned: false });
    points
}

/// Who can force a win where the player on turn can force so much.
fn forces(value: Value, turn: Player) -> Option<Player> {
    match value {
        Value::Win => Some(turn),
        Value::Draw => None,
        Value::Loss => Some(!turn),
    }
}

/// The move that would have been better, with its proof.
fn better(judged: &JudgedMove, round: &Round, telling: &Telling<'_>) -> String {
    let words = Words { rulebook: round.rulebook(), turn: judged.player };
    let reason = &judged.better;
    match (reason.then, reason.verdict.value) {
        (Then::Answer { .. }, Value::Win) => {
            let other = match telling.name(!judged.player) {
                "you" => "you do".to_owned(),
                name => format!("{name} does"),
            };
            let who = telling.name(judged.player);
            format!("{}: whatever {other}, {who} can force a win.", words.leaves(reason))
        }
        (Then::Answer { .. }, Value::Draw) => {
            format!("{}: then neither can force a win.", words.leaves(reason))
        }
        _ => words.reason(reason),
    }
}

/// The winner, where they won by their own last move: not because the other went past the target or gave up.
fn arrived(round: &Round) -> Option<Player> {
    let outcome = round.outcome().filter(|outcome| outcome.ending != Ending::Resigned)?;
    let last = round.history().last()?.player();
    outcome.winner.filter(|winner| *winner == last)
}

fn no_decision(review: &Review, telling: &Telling<'_>) -> String {
    let why = match review.opening.value {
        Value::Draw => " Neither could have forced a win at any time.".to_owned(),
        value => {
            let winner = if value == Value::Win { review.first } else { !review.first };
            let who = telling.capital(winner);
            format!(" {who} could force a win from the start, and nothing that was chosen changed that.")
        }
    };
    format!("No choice mattered in this round: all moves came to the same.{why}")
}

fn written(round: &Round, a_move: Move) -> String {
    match a_move {
        Move::Operation(choice) => round.rulebook().moves()[choice.place()].operation.to_string(),
        Move::Skip => crate::record::SKIP.to_owned(),
    }
}

/// The moves with the numbers they gave and who could force a win after each: `1`, `2`, or `=` for neither. A caret
/// stands under the turning point. Where both players have a number of their own, the first row tells whose move it was.
pub fn strip(review: &Review, round: &Round) -> String {
    let opening = match review.opening.value {
        Value::Draw => None,
        Value::Win => Some(review.first),
        Value::Loss => Some(!review.first),
    };
    let mark = |who: Option<Player>| who.map_or("=".to_owned(), |player| player.number().to_string());
    let own_numbers = round.rulebook().numbers() == Numbers::Separate;
    let whose = |told: String| if own_numbers { told } else { String::new() };
    let (start, other) = round.rulebook().start();
    let start = if start == other { start.to_string() } else { format!("{start}/{other}") };
    let turned = review.turning_point().map(|(place, _)| place);
    let mut columns = vec![[whose("by".to_owned()), "start".to_owned(), start, mark(opening), String::new()]];
    for (place, judged) in review.moves.iter().enumerate() {
        columns.push([
            whose(judged.player.number().to_string()),
            written(round, judged.a_move),
            judged.to.to_string(),
            mark(judged.who_can_win()),
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
