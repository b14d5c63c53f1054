//! `--better`: small changes to a rule book that make guessing less effective.
//!
//! Tries every change of one or two keys: the target, an extra move, the repetition ban, the passes, and
//! overshooting. No change makes a game fair: without draws, one seat always wins.

use std::sync::Arc;

use super::one_line::{self, OneLine, Reading};
use super::{Audit, Chances, Figures};
use crate::format::{Direction, Game, NoRepeat, Past, Rulebook};
use crate::solved::SolvedGame;
use crate::solved::lines::Lines;
use crate::solver::{Budget, Unsolved};

/// An improvement.
#[derive(Clone, Debug)]
pub struct Better {
    /// The changed settings: `target=23`.
    pub settings: Vec<String>,
    /// The resulting figures.
    pub figures: Figures,
    /// How often the careful guesser wins from the winning seat.
    pub guess: f64,
}

/// The maximum number of improvements to report.
const MOST: usize = 3;
/// Memory limit per game. Skips changes that need more.
const BYTES: u64 = 4 << 20;

/// The changes that lower the guesser's chances most, best first. Excludes games that can be drawn, have a simple
/// winning rule, or change length too much: to less than half or more than one and a half times the original.
///
/// # Errors
///
/// If the caller cancels.
pub fn better(
    game: &Game,
    rulebook: &Rulebook,
    audit: &Audit,
    budget: &mut Budget<'_>,
) -> Result<Vec<Better>, Unsolved> {
    let least = audit.guess.unwrap_or(1.0);
    let length = audit.figures.opening.remoteness();
    let fits = |figures: &Figures| {
        let is_alike = |moves: u64| length.is_none_or(|length| 2 * moves.abs_diff(length) <= length);
        figures.always_ends && !figures.can_draw && figures.opening.remoteness().is_some_and(is_alike)
    };
    let mut found: Vec<(Better, SolvedGame)> = Vec::new();
    let changes = changes(rulebook);
    for (done, settings) in combinations(&changes).into_iter().enumerate() {
        budget.ask_now(done as u64, None)?;
        let draft = settings.iter().fold(game.draft.clone(), |draft, setting| draft.set("--set", setting));
        let Ok(changed) = draft.build() else { continue };
        let changed = SolvedGame::new(Arc::new(changed));
        let candidate = budget.within(BYTES, |budget| {
            let solver = changed.solver(budget)?;
            let lines = Lines::from_solver(&solver, budget)?;
            let figures = Figures::from_lines(&lines);
            if !fits(&figures) {
                return Ok(None);
            }
            let chances = Chances { solver: &solver, ladder: None };
            let guess = chances.guess(&figures, budget)?;
            Ok(guess.filter(|guess| *guess < least - 1e-9).map(|guess| Better { settings, figures, guess }))
        });
        match candidate {
            Ok(Some(better)) => found.push((better, changed)),
            Ok(None) | Err(Unsolved::TooLarge { .. } | Unsolved::TooLong { .. } | Unsolved::Uncounted) => {}
            Err(why) => return Err(why),
        }
    }
    // Breaks ties by the smaller change, then by order.
    found.sort_by(|(one, _), (two, _)| {
        one.guess.total_cmp(&two.guess).then(one.settings.len().cmp(&two.settings.len()))
    });
    let mut best: Vec<Better> = Vec::new();
    for (better, changed) in found {
        if best.len() == MOST {
            break;
        }
        let is_new = best.iter().all(|known| known.figures != better.figures);
        if is_new && budget.within(BYTES, |budget| has_no_short_rule(&changed, budget))? {
            best.push(better);
        }
    }
    Ok(best)
}

fn has_no_short_rule(game: &SolvedGame, budget: &mut Budget<'_>) -> Result<bool, Unsolved> {
    let solver = game.solver(budget)?;
    let lines = Lines::from_solver(&solver, budget)?;
    Ok(one_line::find(&lines, game, Reading::AsPrinted, budget)? == OneLine::None)
}

/// The changes per key.
fn changes(rulebook: &Rulebook) -> Vec<Vec<String>> {
    let mut by_key = Vec::new();
    if let Some(target) = rulebook.target() {
        let around = (1..=10).flat_map(|far| [target.checked_add(far), target.checked_sub(far)]);
        by_key.push(around.flatten().map(|target| format!("target={target}")).collect());
    }
    let countdown = rulebook.direction() == Some(Direction::Countdown);
    let more: &[&str] = if countdown {
        &["-1", "-2", "-3", "-4", "-5", "-6", "-7", "-divisor", "-digit", "-prime", "/2", "/3"]
    } else {
        &["+1", "+2", "+3", "+4", "+5", "+6", "+7", "x2", "x3", "+digit", "+divisor", "+prime"]
    };
    let known: Vec<String> = rulebook.moves().iter().map(ToString::to_string).collect();
    let new = more.iter().filter(|entry| known.iter().all(|known| known != *entry));
    by_key.push(new.map(|entry| format!("moves={}", rulebook.moves_with(entry))).collect());
    let repeats = [NoRepeat::None, NoRepeat::Own, NoRepeat::Opponent, NoRepeat::Both];
    let others = repeats.into_iter().filter(|no_repeat| *no_repeat != rulebook.no_repeat());
    by_key.push(others.map(|no_repeat| format!("no_repeat={}", no_repeat.word())).collect());
    let passes = [0, 1, 2].into_iter().filter(|passes| rulebook.passes() != Some(*passes));
    by_key.push(passes.map(|passes| format!("passes={passes}")).collect());
    if rulebook.target().is_some() {
        let others = [Past::Loses, Past::Forbidden, Past::Wins].into_iter();
        let others = others.filter(|past| *past != rulebook.past());
        by_key.push(others.map(|past| format!("past={}", past.word())).collect());
    }
    by_key
}

/// Each change on its own, and each pair of changes to different keys.
fn combinations(by_key: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = by_key.iter().flatten().map(|one| vec![one.clone()]).collect();
    for (place, first) in by_key.iter().enumerate() {
        for second in &by_key[place + 1..] {
            let pairs =
                first.iter().flat_map(|one| second.iter().map(move |two| vec![one.clone(), two.clone()]));
            all.extend(pairs);
        }
    }
    all
}
