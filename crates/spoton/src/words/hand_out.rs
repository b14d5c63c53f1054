//! The parts of a blank map for the classroom: a line for the pupil's name, the rules, and room to write.

use std::fmt;

use super::describe;
use super::page::wrap;
use crate::format::Rulebook;

/// The width of a page.
const WIDTH: usize = 80;
/// The gap to fill in after each number.
const GAP: &str = "___";

/// The line for the pupil's name, the title and all the rules, since a class plays from this sheet.
pub(super) fn head(f: &mut fmt::Formatter<'_>, rulebook: &Rulebook) -> fmt::Result {
    writeln!(f, "Name: {}  Date: {}\n", "_".repeat(42), "_".repeat(24))?;
    writeln!(f, "{}\n", rulebook.title())?;
    for rule in describe::rules(rulebook) {
        writeln!(f, "{}", wrap(&rule, "- ", "  "))?;
    }
    writeln!(f)
}

/// The numbers with their gaps, as many per row as fit on a page.
pub(super) fn numbers(f: &mut fmt::Formatter<'_>, numbers: impl Iterator<Item = i64> + Clone) -> fmt::Result {
    let width = numbers.clone().map(|number| number.to_string().len()).max().unwrap_or(1);
    let across = (WIDTH / (width + GAP.len() + 3)).clamp(1, 10);
    let mut written = 0;
    // Streams: a large map as one string could exceed the memory limit.
    for number in numbers {
        write!(f, "  {number:>width$} {GAP}")?;
        written += 1;
        if written % across == 0 {
            f.write_str("\n\n")?;
        }
    }
    if written % across == 0 { Ok(()) } else { f.write_str("\n\n") }
}

/// Lines for the pupil's own rule.
pub(super) fn foot(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "\nMy rule:")?;
    (0..3).try_for_each(|_| writeln!(f, "\n{}", "_".repeat(WIDTH)))
}
