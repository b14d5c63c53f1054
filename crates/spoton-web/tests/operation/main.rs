//! The server as something to run for good: its limits and rates, its headers, what it does when something goes wrong,
//! and the program with its arguments, logs and copies.

mod description;
mod documented;
mod faults;
mod files;
mod headers;
mod matrix;
#[cfg(unix)]
mod program;
mod rates;
mod seen;
mod slow;
mod support;
mod tidying;
