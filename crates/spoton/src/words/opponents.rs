//! Computer opponents in words: a game's levels and their odds against each other.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::evaluate::opponent::Table;
//! use spoton::format::{BookText, Changes, Game, catalog};
//! use spoton::solved::SolvedGame;
//! use spoton::words::opponents;
//!
//! let book = BookText::shipped(catalog::FIRST).unwrap();
//! let game = Game::new(book, catalog::FIRST.to_owned(), &Changes::default())?;
//! let rulebook = Arc::new(game.rulebook()?);
//! let ladder = SolvedGame::new(Arc::clone(&rulebook)).quick_ladder().unwrap();
//! let table = Table::new(ladder);
//! let page = opponents::page(&table, &game, &rulebook, None);
//! assert!(page.contains("These odds are exact."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::position::Player;
use crate::evaluate::opponent::{Ladder, Opponent, Table, deeper_variant};
use crate::format::{Game, Rulebook};
use crate::solved::SolvedGames;
use crate::words::describe;
use crate::words::page::wrap;

/// The remark for a game without levels, where all opponents play about equally well. `of_variant` is the surface's
/// sentence about a variant with levels. Returns `None` if the game has levels.
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
    Some(format!("This game is too simple for levels.{}", deeper.unwrap_or_default()))
}

/// A page with a game's opponents and an optional remark at the top.
pub fn page(table: &Table, game: &Game, rulebook: &Rulebook, remark: Option<&str>) -> String {
    let mut page = format!("{}\n\n", describe::title(game, rulebook));
    if let Some(remark) = remark {
        page.push_str(&format!("{}\n\n", wrap(remark, "", "")));
    }
    page + &ladder(table, rulebook)
}

/// The heading for the levels.
pub const FROM_GENTLE_TO_STRONG: &str = "From easy to strong (= means equally strong here):";
/// The heading for the reference players.
pub const FOR_COMPARISON: &str = "For comparison:";

/// A game's levels, with the odds for every pair from both seats.
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

/// Opponents that play equally well in a game: `careful = steady`.
pub fn alike(opponents: &[Opponent]) -> String {
    let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
    ids.join(" = ")
}

/// A square table of percentages: the row against the column.
pub struct Square {
    /// The heading.
    pub heading: String,
    /// The percentages as text.
    pub rows: Vec<Vec<String>>,
}

/// The odds for every pair from both seats, including draws if there are any.
pub fn squares(table: &Table) -> Vec<Square> {
    let size = table.rows().len();
    let first_wins = |row: usize, column: usize| table.odds(row, column).wins[Player::One];
    let second_wins = |row: usize, column: usize| table.odds(column, row).wins[Player::Two];
    let drawn = |row: usize, column: usize| table.odds(row, column).drawn();
    let wins = "Wins in 100 rounds for the opponent on the left, going";
    let mut squares = vec![
        Square::from_shares(format!("{wins} first"), size, first_wins),
        Square::from_shares(format!("{wins} second"), size, second_wins),
    ];
    if (0..size).any(|row| (0..size).any(|column| drawn(row, column) > 5e-4)) {
        let heading = "Draws in 100 rounds if the opponent on the left goes first".to_owned();
        squares.push(Square::from_shares(heading, size, drawn));
    }
    squares
}

/// The remark below exact odds.
pub fn exactly(rulebook: &Rulebook) -> &'static str {
    match rulebook.may_repeat() && rulebook.repetition().is_some() {
        true => {
            "These odds are exact. They ignore the house rule about repeated positions, and Sage's habit of avoiding \
             repeats."
        }
        false => "These odds are exact.",
    }
}

impl Square {
    fn from_shares(heading: String, size: usize, share: impl Fn(usize, usize) -> f64) -> Square {
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
