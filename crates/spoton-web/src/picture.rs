//! Pictures as SVG, each a pure function of plain data. Everything is made of a dot and a ring: the dot is the number, the
//! ring is the target, and a move is an arc.
//!
//! | file | picture |
//! |---|---|
//! | `line.rs` | the number line of a round |
//! | `face.rs` | the computer opponents, with their moods and lines |
//! | `emblem.rs` | a game's emblem, from its rule book |
//! | `icon.rs` | the logo and the icons |
//! | `raster.rs` | the app's icon and link previews, as PNG |
//!
//! Handwritten, because the pictures need only a few elements, all with numbers and our own words, so there is nothing
//! that a crate would escape. Colours come from the style sheet.

pub mod emblem;
pub mod face;
pub mod icon;
pub mod line;
pub mod raster;

pub use line::{Line, Step, lines, looking_back, of_round};

#[cfg(test)]
mod tests;
