//! What people meet: opponents and their exact chances, hints and reasons, ideas tested, maps of games, rounds looked
//! back on one by one and many together.

pub mod chances;
pub mod coach;
pub mod forced;
pub mod idea;
pub mod map;
pub mod opponent;
pub mod portrait;
pub mod review;
pub mod solved_game;
pub mod summary;
