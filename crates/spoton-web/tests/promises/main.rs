//! Promises of the server, tried over real sockets with the real program: what is done once, many at once, and for long.
#![cfg(unix)]

mod churn;
mod client;
mod idle;
mod kept;
mod odd;
mod once;
mod overload;
mod rounds;
mod support;
