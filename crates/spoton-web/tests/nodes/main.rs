//! Several nodes on one PostgreSQL, tested from outside: real processes that are killed, frozen and cut off while
//! people play. `history.rs` compares everything that clients were told with what the database has.
#![cfg(all(target_os = "linux", feature = "postgres"))]

mod any_node;
mod bells;
mod client;
mod clocks;
#[path = "../fixtures/cluster/mod.rs"]
mod cluster;
mod cut_off;
mod deploys;
mod failover;
mod fleet;
mod frozen;
mod history;
#[path = "../fixtures/nginx/mod.rs"]
#[allow(dead_code, reason = "the tests of a deployment need more of it")]
mod nginx;
mod play;
mod proxy;
#[path = "../fixtures/random/mod.rs"]
#[allow(dead_code, reason = "the tests of stores need more of it")]
mod random;
mod resume;
mod stream;
#[path = "../promises/support.rs"]
#[allow(dead_code, reason = "the promises of one node need more of it")]
mod support;
