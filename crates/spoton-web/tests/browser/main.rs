//! The pages in real browsers: as people use them, one with another, on bad lines, and with everything that browsers
//! add of their own. They need Chromium and its driver; `./test` at the root installs both.
#![cfg(unix)]

mod counting;
mod drafts;
mod driver;
mod everybody;
mod faults;
mod pictures;
mod rounds;
mod strangers;
