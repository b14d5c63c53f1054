//! Spot On on the web.

pub mod api;
pub mod guard;
pub mod ids;
pub mod limits;
pub mod live;
pub mod room;
pub mod store;
pub mod tables;
pub mod thinking;
pub mod writer;
