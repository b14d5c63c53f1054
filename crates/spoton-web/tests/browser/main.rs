//! The pages in real browsers: alone and together, on bad connections, and with everything browsers add. Needs Chromium
//! and its driver; `./test` at the root installs both.
#![cfg(unix)]

mod counting;
mod drafts;
mod driver;
mod everybody;
mod faults;
mod motion;
mod pictures;
mod rounds;
mod strangers;
