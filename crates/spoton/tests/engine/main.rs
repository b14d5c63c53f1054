//! A turn, exactly: what the engine does for every key of the format.

mod edges;
mod oracle;
mod positions;
#[path = "../support/mod.rs"]
mod support;
mod turns;
