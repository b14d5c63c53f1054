//! Everything around the library that the program, the servers and the Python package share. Unlike the library, it
//! uses files and threads.
//!
//! | module | contents |
//! |---|---|
//! | [`finder`] | finds a game by name, part of a name, path or day |
//! | [`files`] | reads rule book files and lists the user's own |
//! | [`workers`] | solver jobs on threads, in queues: budgets, time limits, cancellation |

pub mod files;
pub mod finder;
pub mod workers;

pub use files::BadFile;
pub use finder::{Finder, Found, NoGame};
