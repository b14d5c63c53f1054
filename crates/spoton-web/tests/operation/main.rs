//! The server as something to run for good: its limits and rates, its headers, what it does when something goes wrong,
//! and the program with its arguments, logs and copies.

#[cfg(unix)]
mod database_file;
mod description;
mod documented;
mod faults;
mod files;
mod headers;
mod matrix;
#[cfg(unix)]
mod program;
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
