//! `spoton` without a terminal: a short guide.

use std::io::{Write, stdout};

use crate::failure::Failure;

const GUIDE: &str = "\
Spot On: take turns changing a number. Land exactly on the target to win.

  spoton games          list the games
  spoton play GAME      play a round: two people, or --vs easy
  spoton today          play today's duel, a new game every day
  spoton puzzle         solve a puzzle: find the hidden win
  spoton rules GAME     read the rules
  spoton new FILE       write your own game
  spoton --help         list all commands

On a terminal, spoton without a command opens the full-screen game.
";

pub fn run() -> Result<(), Failure> {
    stdout().write_all(GUIDE.as_bytes())?;
    Ok(())
}
