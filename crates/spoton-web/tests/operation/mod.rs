//! The server in production: limits and rates, headers, faults, and the program with its options, logs and backups.

#[cfg(feature = "postgres")]
#[path = "../fixtures/cluster/mod.rs"]
pub mod cluster;
#[cfg(unix)]
mod database_file;
mod description;
mod documented;
mod faults;
mod files;
mod headers;
mod matrix;
mod nodes;
#[cfg(feature = "postgres")]
mod on_postgres;
mod previews;
#[cfg(unix)]
pub mod program;
mod queues;
mod rates;
mod routes;
mod seen;
mod slow;
#[path = "../fixtures/slow/mod.rs"]
mod slow_books;
#[cfg(unix)]
mod sockets;
mod support;
mod tidying;
