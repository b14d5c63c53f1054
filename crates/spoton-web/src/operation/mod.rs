//! Running the server in production.
//!
//! | file | contents |
//! |---|---|
//! | `arguments.rs` | the command line |
//! | `data.rs` | the database of a server: a file or PostgreSQL |
//! | `run.rs` | start and shutdown |
//! | `admin.rs` | health and metrics on a separate port |
//! | `tidying.rs` | deletes abandoned rounds and rule books |
//! | `lan.rs` | the machine's addresses, for a class on the same network |
//! | `logs.rs` | log lines on standard error |

pub mod admin;
pub mod arguments;
mod data;
pub mod lan;
pub mod logs;
pub mod run;
pub mod tidying;
