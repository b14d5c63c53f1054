//! The server's promises, tested over real sockets with the real program: single requests, concurrency and long runs.
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
