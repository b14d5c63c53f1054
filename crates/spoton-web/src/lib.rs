//! Spot On on the web.

pub mod ids;
pub mod limits;
pub mod live;
pub mod room;
pub mod store;
pub mod writer;
