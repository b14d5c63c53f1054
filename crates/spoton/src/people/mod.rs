//! What people meet: opponents and their exact chances, hints and reasons, ideas tested, rounds looked back on.

pub mod chances;
pub mod coach;
pub mod forced;
pub mod idea;
pub mod opponent;
pub mod portrait;
pub mod review;
pub mod solved_game;
