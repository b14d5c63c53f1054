//! `spoton` without a terminal: a short guide.

use std::io::{Write, stdout};

use crate::failure::Failure;

const GUIDE: &str = "\
Spot On: two players change a number by turns until someone lands spot on the
target, or shoots past it.

  spoton games          what there is to play
  spoton play GAME      play a round in lines: two people, or --vs easy
  spoton today          today's duel, a new game every day
  spoton puzzle         win from here: a position, and you
  spoton rules GAME     the rules in words
  spoton new FILE       write a game of your own
  spoton --help         everything else

On a terminal, spoton alone opens the full screen: Enter, and you play.
";

pub fn run() -> Result<(), Failure> {
    stdout().write_all(GUIDE.as_bytes())?;
    Ok(())
}
