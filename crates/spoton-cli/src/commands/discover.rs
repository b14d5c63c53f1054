//! `spoton discover`: whether the secrets of the games are the players' own to find.

use std::io::Write;

use crate::args::{DiscoverArgs, Switch};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress;
use crate::shown::out;

pub fn run(args: &DiscoverArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    if let Some(to) = args.to {
        progress::discover(&folders, to == Switch::On)?;
    }
    let told = match progress::is_discovering(&folders)? {
        true => {
            "Discovery is on. There are no hints or answers, even after a round, and maps are covered.\n\
             spoton discover off turns it off."
        }
        false => "Discovery is off. spoton discover on lets a class find the secret for themselves.",
    };
    writeln!(out(), "{told}")?;
    Ok(())
}
