//! Spot On on the web.

pub mod address;
pub mod api;
pub mod app;
pub mod attend;
pub mod books;
pub mod classes;
pub mod codes;
pub mod duels;
pub mod facts;
pub mod files;
pub mod guard;
pub mod ids;
pub mod limits;
pub mod live;
pub mod operation;
pub mod pages;
pub mod panics;
pub mod picture;
pub mod rates;
pub mod room;
pub mod seats;
pub mod serve;
pub mod store;
pub mod tables;
pub mod thinking;
pub mod writer;
