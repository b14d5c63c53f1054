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

/// What stands over the ladder of a game.
pub const FROM_GENTLE_TO_STRONG: &str = "From gentle to strong; = means equally strong here:";
/// What stands over the reference players below it.
pub const FOR_COMPARISON: &str = "For comparison:";

/// The ladder of a game, and the odds of every pair from either seat.
pub(super) fn ladder(table: &Table, rulebook: &Rulebook) -> String {
    let mut page = format!("{FROM_GENTLE_TO_STRONG}\n\n");
    for (index, opponents) in table.rows().iter().enumerate() {
        if index == table.ladder().rungs.len() {
            page.push_str(&format!("\n{FOR_COMPARISON}\n\n"));
        }
        let number = format!("  {}  ", index + 1);
        page.push_str(&format!("{}\n", wrap(&alike(opponents), &number, "     ")));
    }
    for square in squares(table) {
        page.push_str(&square.text());
    }
    page.push_str(&format!("\n{}\n", wrap(exactly(rulebook), "", "")));
    page
}

/// Opponents that play alike in a game.
pub fn alike(opponents: &[Opponent]) -> String {
    let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
    ids.join(" = ")
}

/// A square of shares: the row against the column.
pub struct Square {
    /// What the shares are of.
    pub heading: String,
    /// Out of 100 rounds, as they are written.
    pub rows: Vec<Vec<String>>,
}

/// The odds of every pair from either seat, and how often they draw if they ever do.
pub fn squares(table: &Table) -> Vec<Square> {
    let size = table.rows().len();
    let first_wins = |row: usize, column: usize| table.odds(row, column).wins[Player::One];
    let second_wins = |row: usize, column: usize| table.odds(column, row).wins[Player::Two];
    let drawn = |row: usize, column: usize| table.odds(row, column).drawn();
    let wins = "Wins out of 100 rounds for the one on the left, who goes";
    let mut squares = vec![
        Square::of(format!("{wins} first"), size, first_wins),
        Square::of(format!("{wins} second"), size, second_wins),
    ];
    if (0..size).any(|row| (0..size).any(|column| drawn(row, column) > 5e-4)) {
        let heading = "Draws out of 100 rounds if the one on the left goes first".to_owned();
        squares.push(Square::of(heading, size, drawn));
    }
    squares
}

/// What is said below exact chances.
pub fn exactly(rulebook: &Rulebook) -> &'static str {
    match rulebook.may_repeat() && rulebook.repetition().is_some() {
        true => {
            "These are exact chances, not samples. The house rule about positions that come up again is left aside, \
             and Sage is counted without the habit of avoiding circles."
        }
        false => "These are exact chances, not samples.",
    }
}

impl Square {
    fn of(heading: String, size: usize, share: impl Fn(usize, usize) -> f64) -> Square {
        let row = |row: usize| (0..size).map(|column| format!("{:.1}", share(row, column) * 100.0)).collect();
        Square { heading, rows: (0..size).map(row).collect() }
    }

    fn text(&self) -> String {
        let head: String = (1..=self.rows.len()).map(|number| format!("{number:>7}")).collect();
        let row = |(number, cells): (usize, &Vec<String>)| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>7}")).collect();
            format!("  {number:<3}{cells}\n")
        };
        let rows: String = (1..).zip(&self.rows).map(row).collect();
        format!("\n{}:\n\n     {head}\n{rows}", self.heading)
    }
}
