//! `spoton opponents`: names and habits, and for a game the exact odds between them.

use std::io::{Write, stdout};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use spoton::chances::{NoOdds, Odds, odds};
use spoton::opponent::{Ladder, Opponent};
use spoton::position::{ByPlayer, Player};
use spoton::rulebook::Rulebook;
use spoton::solver::{Solver, Unsolved};

use crate::args::OpponentsArgs;
use crate::failure::Failure;
use crate::game::Game;
use crate::progress::{DISCOVERING, is_discovering};
use crate::solving::{solve, with_budget};

pub fn run(args: &OpponentsArgs) -> Result<(), Failure> {
    let page = match &args.game {
        None if args.json => format!("{}\n", Json::Array(Opponent::all().map(about).collect())),
        None => everybody(),
        Some(_) if is_discovering()? => return Err(Failure::Usage(DISCOVERING.to_owned())),
        Some(name) => {
            let game = Game::find(name, &args.changes)?;
            let rulebook = Arc::new(game.rulebook()?);
            let table = Table::of(&rulebook, args.memory.mebibytes)?;
            if args.json { format!("{}\n", table.to_json(&game)) } else { table.in_words(&game, &rulebook) }
        }
    };
    stdout().write_all(page.as_bytes())?;
    Ok(())
}

fn about(opponent: Opponent) -> Json {
    json!({
        "opponent": opponent.to_string(),
        "name": opponent.title(),
        "habit": opponent.habit(),
        "reference": opponent.is_reference(),
    })
}

fn everybody() -> String {
    let mut page = "Whom you can play against, with --vs NAME, from the gentlest on:\n\n".to_owned();
    for opponent in Opponent::for_people() {
        page.push_str(&format!("  {:<8} {}.\n", opponent.to_string(), opponent.habit()));
    }
    page.push_str("\n  easy, medium and hard are other names for pip, momo and sage; adaptive goes up and down with you.\n");
    page.push_str("\nFor comparisons, the same for ever:\n\n");
    for opponent in Opponent::all().filter(|opponent| opponent.is_reference()) {
        page.push_str(&format!("  {:<8} {}.\n", opponent.to_string(), opponent.habit()));
    }
    page.push_str("\nspoton opponents GAME tells how they fare in a game; NAME:slip=0.1 makes one slip more or less often.\n");
    page
}

/// The ladder of a game with the odds of every pair.
struct Table {
    ladder: Ladder,
    /// For each two rungs, the odds when the first of them goes first.
    odds: Vec<Vec<Odds>>,
}

/// Works something out that needs odds.
pub fn with_odds<T>(
    rulebook: &Arc<Rulebook>,
    mebibytes: u64,
    run: impl FnOnce(&Solver, &mut spoton::solver::Budget<'_>) -> Result<T, NoOdds>,
) -> Result<T, Failure> {
    let solver = solve(Arc::clone(rulebook), mebibytes)?;
    with_budget(mebibytes, |budget| match run(&solver, budget) {
        Ok(found) => Ok(found),
        Err(NoOdds::Unsolved(why)) => Err(why),
        // It was solved just now.
        Err(NoOdds::NeedsSolution) => Err(Unsolved::Stopped { reached: 0 }),
    })
}

/// The ladder of a game.
pub fn ladder(rulebook: &Arc<Rulebook>, mebibytes: u64) -> Result<Ladder, Failure> {
    with_odds(rulebook, mebibytes, |solver, budget| Ladder::of(rulebook, solver, budget))
}

impl Table {
    fn of(rulebook: &Arc<Rulebook>, mebibytes: u64) -> Result<Table, Failure> {
        with_odds(rulebook, mebibytes, |solver, budget| {
            let ladder = Ladder::of(rulebook, solver, budget)?;
            let mut table = Vec::new();
            for first in &ladder.rungs {
                let mut row = Vec::new();
                for second in &ladder.rungs {
                    let players = ByPlayer([first.opponents[0], second.opponents[0]]);
                    row.push(odds(rulebook, &players, Player::One, Some(solver), budget)?);
                }
                table.push(row);
            }
            Ok(Table { ladder, odds: table })
        })
    }

    fn names(&self) -> Vec<String> {
        let name = |opponents: &[Opponent]| {
            let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
            ids.join(" = ")
        };
        self.ladder.rungs.iter().map(|rung| name(&rung.opponents)).collect()
    }

    fn to_json(&self, game: &Game) -> Json {
        let rungs: Vec<Json> = self
            .ladder
            .rungs
            .iter()
            .zip(&self.odds)
            .map(|(rung, row)| {
                let against: Vec<Json> = row
                    .iter()
                    .zip(&self.ladder.rungs)
                    .map(|(odds, other)| {
                        json!({
                            "second": other.opponents[0].to_string(),
                            "first_wins": odds.wins[Player::One],
                            "second_wins": odds.wins[Player::Two],
                            "drawn": odds.drawn(),
                        })
                    })
                    .collect();
                let opponents: Vec<String> = rung.opponents.iter().map(Opponent::to_string).collect();
                json!({ "opponents": opponents, "strength": rung.strength, "going_first_against": against })
            })
            .collect();
        json!({
            "game": game.id,
            "variant": game.variant,
            "settings": game.written_settings(),
            "levels": self.ladder.has_levels(),
            "rungs": rungs,
        })
    }

    fn in_words(&self, game: &Game, rulebook: &Rulebook) -> String {
        let mut page = format!("{}\n\n", rulebook.title());
        if !self.ladder.has_levels() {
            page.push_str("This game has too few choices for levels.");
            if let Some(deeper) = deeper_variant(game) {
                page.push_str(&format!(" Its variant {deeper} has more: --variant {deeper}"));
            }
            page.push_str("\n\n");
        }
        page.push_str("From the gentlest on; who plays alike stands on one rung:\n\n");
        let names = self.names();
        for (index, name) in names.iter().enumerate() {
            page.push_str(&format!("  {}  {name}\n", index + 1));
        }
        for (heading, first) in [("going first wins", true), ("going second wins", false)] {
            page.push_str(&format!(
                "\nHow often out of 100 rounds the one at the left {heading} against the one above:\n\n"
            ));
            page.push_str(&format!("  {:3}", ""));
            for index in 0..names.len() {
                page.push_str(&format!("{:>7}", index + 1));
            }
            page.push('\n');
            for row in 0..names.len() {
                page.push_str(&format!("  {:<3}", row + 1));
                for column in 0..names.len() {
                    let wins = match first {
                        true => self.odds[row][column].wins[Player::One],
                        false => self.odds[column][row].wins[Player::Two],
                    };
                    page.push_str(&format!("{:>7.1}", wins * 100.0));
                }
                page.push('\n');
            }
        }
        page.push_str("\nThese are exact chances, not samples. Sage, who avoids going in circles, is counted without that habit.\n");
        page
    }
}

/// A variant of the game that has levels.
pub fn deeper_variant(game: &Game) -> Option<String> {
    const MEBIBYTES: u64 = 64;
    let names: Vec<String> = game.draft.variants().map(str::to_owned).collect();
    let rungs = |name: &String| {
        let rulebook = Arc::new(game.draft.clone().variant(name).ok()?.finish().ok()?);
        let ladder = ladder(&rulebook, MEBIBYTES).ok()?;
        ladder.has_levels().then_some(ladder.rungs.len())
    };
    let counted = names.into_iter().filter_map(|name| Some((rungs(&name)?, name)));
    counted.max_by_key(|(rungs, _)| *rungs).map(|(_, name)| name)
}
