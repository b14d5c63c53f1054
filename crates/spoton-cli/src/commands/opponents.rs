//! `spoton opponents`: names and habits, and for a game the exact odds between them.

use std::io::{Write, stdout};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use spoton::engine::position::Player;
use spoton::format::{Game, Rulebook};
use spoton::people::chances::{NoOdds, Odds};
use spoton::people::opponent::{Ladder, Opponent};
use spoton::solver::{Budget, Solver, Unsolved};

use crate::args::OpponentsArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::progress::{DISCOVERING, is_discovering};
use crate::solving::{in_steps, solve, with_budget};

pub fn run(args: &OpponentsArgs) -> Result<(), Failure> {
    let page = match &args.game {
        None if args.json => format!("{}\n", Json::Array(Opponent::all().map(about).collect())),
        None => everybody(),
        Some(_) if is_discovering(&Folders::usual())? => return Err(Failure::Usage(DISCOVERING.to_owned())),
        Some(name) => {
            let game = game::find(name, &args.changes)?;
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

/// Works the ladder of a game out.
pub fn ladder(rulebook: &Arc<Rulebook>, mebibytes: u64) -> Result<Ladder, Failure> {
    let solver = solve(Arc::clone(rulebook), mebibytes)?;
    with_budget(mebibytes, |budget| of(rulebook, &solver, budget))
}

/// The same where that takes no time that anybody would notice; else why not.
pub fn quick_ladder(rulebook: &Arc<Rulebook>) -> Result<Ladder, Failure> {
    const MEBIBYTES: u64 = 3;
    // Whoever looks three moves ahead looks at so many; everybody else takes less than this.
    let moves = (rulebook.moves().len() as u64).pow(3).max(30);
    let steps = 200_000 / moves;
    let solver = in_steps(MEBIBYTES, steps, |budget| Solver::new(Arc::clone(rulebook), budget))?;
    in_steps(MEBIBYTES, steps, |budget| of(rulebook, &solver, budget))
}

fn of(rulebook: &Rulebook, solver: &Solver, budget: &mut Budget<'_>) -> Result<Ladder, Unsolved> {
    Ladder::of(rulebook, solver, budget).map_err(|why| match why {
        NoOdds::Unsolved(why) => why,
        // It was solved just now.
        NoOdds::NeedsSolution => Unsolved::Stopped { reached: 0 },
    })
}

/// The ladder of a game with the odds of every pair.
struct Table {
    ladder: Ladder,
    /// Who stands on each rung; after the rungs, the reference players.
    rows: Vec<Vec<Opponent>>,
}

impl Table {
    fn of(rulebook: &Arc<Rulebook>, mebibytes: u64) -> Result<Table, Failure> {
        let ladder = ladder(rulebook, mebibytes)?;
        let references =
            Opponent::all().filter(|opponent| opponent.is_reference()).map(|opponent| vec![opponent]);
        let rungs = ladder.rungs.iter().map(|rung| rung.opponents.clone());
        let rows = rungs.chain(references).collect();
        Ok(Table { ladder, rows })
    }

    /// The odds of a round that the first of two rows starts.
    fn odds(&self, first: usize, second: usize) -> Odds {
        self.ladder.odds(self.rows[first][0], self.rows[second][0])
    }

    fn names(&self) -> Vec<String> {
        let name = |opponents: &[Opponent]| {
            let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
            ids.join(" = ")
        };
        self.rows.iter().map(|opponents| name(opponents)).collect()
    }

    fn to_json(&self, game: &Game) -> Json {
        let against = |row: usize| -> Vec<Json> {
            let pairs = self.rows.iter().enumerate().map(|(column, other)| {
                let odds = self.odds(row, column);
                json!({
                    "second": other[0].to_string(),
                    "first_wins": odds.wins[Player::One],
                    "second_wins": odds.wins[Player::Two],
                    "drawn": odds.drawn(),
                })
            });
            pairs.collect()
        };
        let rows: Vec<Json> = self
            .rows
            .iter()
            .enumerate()
            .map(|(index, opponents)| {
                let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
                let strength = self.ladder.rungs.get(index).map(|rung| rung.strength);
                json!({ "opponents": ids, "strength": strength, "going_first_against": against(index) })
            })
            .collect();
        let (rungs, references) = rows.split_at(self.ladder.rungs.len());
        json!({
            "game": game.id(),
            "variant": game.variant,
            "settings": game.written_settings(),
            "levels": self.ladder.has_levels(),
            "rungs": rungs,
            "references": references,
        })
    }

    fn in_words(&self, game: &Game, rulebook: &Rulebook) -> String {
        let changes = game.variant.iter().cloned().chain(game.written_settings());
        let changes: String = changes.map(|change| format!(", {change}")).collect();
        let mut page = format!("{}{changes}\n\n", rulebook.title());
        if let Some(said) = too_few_choices(&self.ladder, game) {
            page.push_str(&format!("{said}\n\n"));
        }
        page.push_str("From the gentlest on; who plays alike stands on one rung:\n\n");
        let names = self.names();
        for (index, name) in names.iter().enumerate() {
            if index == self.ladder.rungs.len() {
                page.push_str("\nFor comparison:\n\n");
            }
            page.push_str(&format!("  {}  {name}\n", index + 1));
        }
        let first_wins = |row: usize, column: usize| self.odds(row, column).wins[Player::One];
        let second_wins = |row: usize, column: usize| self.odds(column, row).wins[Player::Two];
        let drawn = |row: usize, column: usize| self.odds(row, column).drawn();
        let about = "How often out of 100 rounds the one at the left, going";
        page.push_str(&grid(&format!("{about} first, wins against the one above"), names.len(), first_wins));
        page.push_str(&grid(
            &format!("{about} second, wins against the one above"),
            names.len(),
            second_wins,
        ));
        let all = 0..names.len();
        if all.clone().any(|row| all.clone().any(|column| drawn(row, column) > 5e-4)) {
            page.push_str(&grid(&format!("{about} first, draws against the one above"), names.len(), drawn));
        }
        page.push_str("\nThese are exact chances, not samples. Sage, who avoids going in circles, is counted without that habit.\n");
        page
    }
}

/// A square of shares in percent.
fn grid(heading: &str, size: usize, share: impl Fn(usize, usize) -> f64) -> String {
    let head: String = (1..=size).map(|number| format!("{number:>7}")).collect();
    let row = |row: usize| {
        let cells: String = (0..size).map(|column| format!("{:>7.1}", share(row, column) * 100.0)).collect();
        format!("  {:<3}{cells}\n", row + 1)
    };
    format!("\n{heading}:\n\n     {head}\n{}", (0..size).map(row).collect::<String>())
}

/// What is to be said of a game in which all opponents play much the same.
pub fn too_few_choices(ladder: &Ladder, game: &Game) -> Option<String> {
    if ladder.has_levels() {
        return None;
    }
    let deeper = deeper_variant(game);
    let deeper = deeper.map(|name| format!(" Its variant {name} has more: --variant {name}"));
    Some(format!("{TOO_FEW_CHOICES}{}", deeper.unwrap_or_default()))
}

/// The beginning of that.
pub const TOO_FEW_CHOICES: &str = "This game has too few choices for levels.";

/// A variant of the game that has levels.
pub fn deeper_variant(game: &Game) -> Option<String> {
    let names: Vec<String> = game.draft.variants().map(str::to_owned).collect();
    let rungs = |name: &String| {
        let rulebook = Arc::new(game.draft.clone().variant(name).ok()?.build().ok()?);
        let ladder = quick_ladder(&rulebook).ok()?;
        ladder.has_levels().then_some(ladder.rungs.len())
    };
    let counted = names.into_iter().filter_map(|name| Some((rungs(&name)?, name)));
    counted.max_by_key(|(rungs, _)| *rungs).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use spoton::format::catalog;

    use super::*;

    /// Whoever sits down to a shipped game finds the opponents in order.
    #[test]
    fn every_shipped_game_has_its_ladder_quickly() {
        for id in catalog::ids() {
            let draft = catalog::draft(id).unwrap();
            let variants: Vec<String> = draft.variants().map(str::to_owned).collect();
            let ways =
                variants.iter().map(|name| draft.clone().variant(name).unwrap()).chain([draft.clone()]);
            for way in ways {
                let rulebook = Arc::new(way.build().unwrap());
                assert!(quick_ladder(&rulebook).is_ok(), "{id}");
            }
        }
    }

    /// Where that would take longer than anybody wants to wait, it is not waited for.
    #[test]
    fn a_ladder_that_takes_long_is_refused() {
        let text = "title = 'T'\nstart = 0\ntarget = 900\nmoves = ['+1..3', 'x1..3']\n";
        let rulebook = Arc::new(spoton::format::Draft::read("t", text).build().unwrap());
        let refused = quick_ladder(&rulebook).map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("too long"), "{refused}");
    }
}
