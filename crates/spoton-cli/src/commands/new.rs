//! `spoton new`: a rule book to begin with.

use std::fs::OpenOptions;
use std::io::{self, Write, stdout};
use std::path::Path;

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::game;
use spoton::format::Changes;

/// A rule book in which remarks explain every key.
pub const TEMPLATE: &str = r#"# A rule book for Spot On. Play it at once:   spoton play THIS-FILE
# See whether it is valid:                     spoton check THIS-FILE
# Lines that begin with # are remarks. Take the # away to use a key.

title = "My Game"
summary = "Raise one shared number from {start} to exactly {target}."
# suits = "whom it suits, in a few words"
# notes = ["A remark that the rules page shows."]

# One number that both change, or a number each.
numbers = "shared"            # or "separate"

# The opening number, and the number to land on. A target below the start makes a countdown.
start = 1
target = 20

# What a player may do on a turn: + - x / and a number; "+1..4" stands for +1, +2, +3 and +4.
# { op = "x2", uses = 3 } may be used three times in a round by each player.
moves = ["+1", "+3", "x2"]

# What happens on the target and past it, for the player who gets there.
reach = "wins"                # or "loses"
past = "loses"                # or "forbidden", or "wins"

# Further numbers that win, lose, or may not be landed on.
# winning = [7]
# losing = [13]
# forbidden = [10]

# The numbers that play must stay within; without it, from the start to the target.
# range = [1, 20]

# May an operation be chosen twice in a row?
# no_repeat = "own"           # not one's own last; or "opponent", or "both"

# How many moves that leave the number as it is (such as x1) each player has in a round.
# passes = 1

# What happens to a player without a legal move.
# stuck = "loses"             # or "wins", "draws", "skips"

# A variant changes some keys:   spoton play THIS-FILE --variant longer
[variants.longer]
target = 40

# How the game speaks. Every sentence has a plain default; this one is an example.
# [wording]
# wins = "{winner} has done it!"
"#;

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let text = match &args.like {
        None => TEMPLATE.to_owned(),
        Some(like) => {
            let game = game::find(like, &Changes::default())?;
            game.rulebook()?;
            let id = &game.id();
            format!(
                "# Made from the rule book of {id}. Change what you like: it is yours now.\n\n{}",
                game.book.text
            )
        }
    };
    let path = &args.file;
    write(path, &text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} exists already, and is left as it is", path.display()))
        }
        _ => Failure::file("write", path, &error),
    })?;
    let name = path.display();
    let mut out = stdout().lock();
    writeln!(out, "Wrote {name}. Play it with: spoton play {name}")?;
    Ok(())
}

/// Writes a new rule book, the whole of it or nothing. What exists already is left as it is.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half a rule book is of no use to anybody.
        let _ = std::fs::remove_file(path);
    }
    written
}

#[cfg(test)]
mod tests {
    use spoton::format::{Draft, check};

    #[test]
    fn the_template_is_valid_and_not_odd() {
        assert_eq!(check(&Draft::read("template", super::TEMPLATE)), []);
    }

    #[test]
    fn every_key_that_is_only_a_remark_works_too() {
        let is_key = |line: &str| {
            let word = |c: char| c.is_ascii_lowercase() || c == '_';
            line.starts_with('[') || line.trim_start_matches(word).starts_with(" = ")
        };
        let used: String = super::TEMPLATE
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(key) if is_key(key) => format!("{key}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let problems = Draft::read("template", &used).build().err();
        assert_eq!(problems, None, "{used}");
    }
}
