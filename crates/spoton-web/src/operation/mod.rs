//! The server as something to run for good.
//!
//! | file | what lives there |
//! |---|---|
//! | `arguments.rs` | the command line |
//! | `run.rs` | from start to stop |
//! | `admin.rs` | how it is doing, for whoever runs it: on a port of its own |
//! | `metrics.rs` | what is counted |
//! | `tidying.rs` | what nobody comes back to is taken out |
//! | `lan.rs` | the addresses of this machine, and a class that is to find it |
//! | `logs.rs` | what is written to standard error |

pub mod admin;
pub mod arguments;
pub mod lan;
pub mod logs;
pub mod metrics;
pub mod run;
pub mod tidying;
