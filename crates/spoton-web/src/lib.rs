//! Spot On on the web.

pub mod api;
pub mod app;
pub mod books;
pub mod facts;
pub mod guard;
pub mod ids;
pub mod limits;
pub mod live;
pub mod pages;
pub mod picture;
pub mod room;
pub mod seats;
pub mod serve;
pub mod store;
pub mod tables;
pub mod thinking;
pub mod writer;
