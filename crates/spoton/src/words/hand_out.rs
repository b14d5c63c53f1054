//! What makes a blank map a hand-out: a line for a name, the rules in short, and room to write.

use std::fmt;

use super::describe;
use super::page::wrap;
use crate::format::Rulebook;

/// How many columns a page has.
const WIDTH: usize = 80;
/// Where something is to be written beside a number.
const GAP: &str = "___";

/// The title, a line for a name, and the rules: all of them, since a class plays by what is printed.
pub(super) fn head(f: &mut fmt::Formatter<'_>, rulebook: &Rulebook) -> fmt::Result {
    writeln!(f, "Name: {}  Date: {}\n", "_".repeat(42), "_".repeat(24))?;
    writeln!(f, "{}\n", rulebook.title())?;
    for rule in describe::rules(rulebook) {
        writeln!(f, "{}", wrap(&rule, "- ", "  "))?;
    }
    writeln!(f)
}

/// Numbers, each with a gap beside it, as many to a row as a page has room for.
pub(super) fn numbers(f: &mut fmt::Formatter<'_>, numbers: impl Iterator<Item = i64> + Clone) -> fmt::Result {
    let width = numbers.clone().map(|number| number.to_string().len()).max().unwrap_or(1);
    let across = (WIDTH / (width + GAP.len() + 3)).clamp(1, 10);
    let mut written = 0;
    // One by one: a large map has more numbers than there is memory to spare.
    for number in numbers {
        write!(f, "  {number:>width$} {GAP}")?;
        written += 1;
        if written % across == 0 {
            f.write_str("\n\n")?;
        }
    }
    if written % across == 0 { Ok(()) } else { f.write_str("\n\n") }
}

/// Lines for what was found out.
pub(super) fn foot(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "\nMy rule:")?;
    (0..3).try_for_each(|_| writeln!(f, "\n{}", "_".repeat(WIDTH)))
}
