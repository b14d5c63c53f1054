//! Spot On on the web.

pub mod ids;
pub mod store;
