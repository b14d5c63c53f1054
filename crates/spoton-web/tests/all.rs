//! All tests of the server in one binary, because linking many takes longer than running them. Tests with a browser,
//! with thousands of connections or with kills and full disks are separate binaries.

mod board;
mod class;
#[cfg(all(unix, feature = "postgres"))]
mod deploy;
mod device;
mod discovery;
mod fair;
mod found;
mod interface;
mod mended;
mod operation;
mod pages;
mod past;
mod plain_browser;
mod puzzles;
mod server;
mod today;
mod words;
mod workshop;
