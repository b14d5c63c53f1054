//! Opponents in words: how they fare against each other in a game.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::{BookText, Changes, Game, catalog};
//! use spoton::people::opponent::Table;
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::words::opponents;
//!
//! let book = BookText::shipped(catalog::FIRST).unwrap();
//! let game = Game::new(book, catalog::FIRST.to_owned(), &Changes::default())?;
//! let rulebook = Arc::new(game.rulebook()?);
//! let ladder = SolvedGame::new(Arc::clone(&rulebook)).quick_ladder().unwrap();
//! let table = Table::new(ladder);
//! let page = opponents::page(&table, &game, &rulebook, None);
//! assert!(page.contains("These are exact chances, not samples."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::position::Player;
use crate::format::{Game, Rulebook};
use crate::people::opponent::{Ladder, Opponent, Table, deeper_variant};
use crate::people::solved_game::SolvedGames;
use crate::words::describe;
use crate::words::page::wrap;

/// What is said of a game in which all opponents play much the same, with what its surface says of a variant that has
/// levels; `None` if the game has levels itself.
pub fn too_few_choices(
    ladder: &Ladder,
    game: &Game,
    games: &SolvedGames,
    of_variant: impl FnOnce(&str) -> String,
) -> Option<String> {
    if ladder.has_levels() {
        return None;
    }
    let deeper = deeper_variant(game, games).map(|name| format!(" {}", of_variant(&name)));
    Some(format!("This game has too few choices for levels.{}", deeper.unwrap_or_default()))
}

/// The table of a game on a page, with a remark over it if there is one.
pub fn page(table: &Table, game: &Game, rulebook: &Rulebook, remark: Option<&str>) -> String {
    let mut page = format!("{}\n\n", describe::title(game, rulebook));
    if let Some(remark) = remark {
        page.push_str(&format!("{}\n\n", wrap(remark, "", "")));
    }
    page + &ladder(table, rulebook)
}

/// The ladder of a game, and the odds of every pair from either seat.
pub(super) fn ladder(table: &Table, rulebook: &Rulebook) -> String {
    let mut page = "From gentle to strong; = means equally strong here:\n\n".to_owned();
    for (index, opponents) in table.rows().iter().enumerate() {
        if index == table.ladder().rungs.len() {
            page.push_str("\nFor comparison:\n\n");
        }
        let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
        let number = format!("  {}  ", index + 1);
        page.push_str(&format!("{}\n", wrap(&ids.join(" = "), &number, "     ")));
    }
    let size = table.rows().len();
    let first_wins = |row: usize, column: usize| table.odds(row, column).wins[Player::One];
    let second_wins = |row: usize, column: usize| table.odds(column, row).wins[Player::Two];
    let drawn = |row: usize, column: usize| table.odds(row, column).drawn();
    let wins = "Wins out of 100 rounds for the one on the left, who goes";
    page.push_str(&grid(&format!("{wins} first"), size, first_wins));
    page.push_str(&grid(&format!("{wins} second"), size, second_wins));
    if (0..size).any(|row| (0..size).any(|column| drawn(row, column) > 5e-4)) {
        page.push_str(&grid("Draws out of 100 rounds if the one on the left goes first", size, drawn));
    }
    page.push_str(&format!("\n{}\n", wrap(exactly(rulebook), "", "")));
    page
}

/// What is said below exact chances.
pub(super) fn exactly(rulebook: &Rulebook) -> &'static str {
    match rulebook.may_repeat() && rulebook.repetition().is_some() {
        true => {
            "These are exact chances, not samples. The house rule about positions that come up again is left aside, \
             and Sage is counted without the habit of avoiding circles."
        }
        false => "These are exact chances, not samples.",
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
