//! Line breaking for pages with 80 columns.
//!
//! ```
//! use spoton::words::page::wrap;
//!
//! let text = "Land exactly on the target to win. If you go past it, you lose. That is all there is to know.";
//! let point = wrap(text, "  - ", "    ");
//! let lines: Vec<&str> = point.lines().collect();
//! assert_eq!(lines.len(), 2);
//! assert!(lines[0].starts_with("  - Land") && lines[1].starts_with("    "));
//! assert!(lines.iter().all(|line| line.len() <= 80));
//! ```

use textwrap::core::Fragment;
use textwrap::wrap_algorithms::wrap_first_fit;

/// The width of a page.
pub(crate) const WIDTH: usize = 80;

/// Wraps text at 80 columns. The first line starts with `first`, the others with `rest`.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let words: Vec<Word<'_>> = text.split_whitespace().map(Word).collect();
    let widths = [first, rest].map(|indent| WIDTH as f64 - visible(indent) as f64);
    let indents = [first].into_iter().chain(std::iter::repeat(rest));
    let lines = indents.zip(wrap_first_fit(&words, &widths)).map(|(indent, line)| {
        let words: Vec<&str> = line.iter().map(|Word(word)| *word).collect();
        indent.to_owned() + &words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A word as wide as [`visible`] says, with a space after it.
#[derive(Debug)]
struct Word<'a>(&'a str);

impl Fragment for Word<'_> {
    fn width(&self) -> f64 {
        visible(self.0) as f64
    }

    fn whitespace_width(&self) -> f64 {
        1.0
    }

    fn penalty_width(&self) -> f64 {
        0.0
    }
}

/// Breaks each line that is wider than a page. An indented line continues two columns further in.
///
/// ```
/// use spoton::words::page::fold;
///
/// assert_eq!(fold("Short.\n  This, too."), "Short.\n  This, too.");
/// let folded = fold(&format!("  {}", "word ".repeat(20).trim_end()));
/// assert!(folded.lines().all(|line| line.len() <= 80) && folded.contains("\n    word"));
/// ```
pub fn fold(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        if visible(line) <= WIDTH {
            return line.to_owned();
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let further = if indent.is_empty() { "" } else { "  " };
        wrap(line, indent, &format!("{indent}{further}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Lays out many short items in columns. Most items fit their cell; a longer one takes several cells.
///
/// ```
/// use spoton::words::page::columns;
///
/// let items: Vec<String> = (1..=20).map(|number| format!("{number}. Add {number}")).collect();
/// let page = columns(&items);
/// assert!(page.lines().next().unwrap().starts_with("1. Add 1    2. Add 2"));
/// assert!(page.lines().count() < 6 && page.lines().all(|line| line.len() <= 80));
/// ```
pub fn columns(items: &[String]) -> String {
    columns_within(items, WIDTH)
}

/// [`columns`] for a different page width.
pub(crate) fn columns_within(items: &[String], page_width: usize) -> String {
    let mut widths: Vec<usize> = items.iter().map(|item| visible(item)).collect();
    widths.sort_unstable();
    let most = widths.split_off(widths.len() * 3 / 4);
    // Chooses as few lines as possible, then cells as wide as possible.
    let pages = most.into_iter().map(|width| in_cells(items, width + GAP, page_width));
    pages.rev().min_by_key(Vec::len).unwrap_or_default().join("\n")
}

/// The gap between two cells.
const GAP: usize = 2;

/// Lays out items in cells of a given width, line by line.
fn in_cells(items: &[String], cell: usize, page_width: usize) -> Vec<String> {
    let in_a_line = ((page_width + GAP) / cell).max(1);
    let mut lines: Vec<String> = Vec::new();
    // The number of cells used in the last line, and its width so far.
    let (mut taken, mut width) = (in_a_line, 0);
    for item in items {
        let item_width = visible(item);
        let cells = (item_width + GAP).div_ceil(cell);
        match lines.last_mut() {
            Some(line) if taken + cells <= in_a_line => {
                let gap = taken * cell - width;
                line.push_str(&" ".repeat(gap));
                line.push_str(item);
                (taken, width) = (taken + cells, width + gap + item_width);
            }
            _ => {
                lines.push(item.clone());
                (taken, width) = (cells, item_width);
            }
        }
    }
    lines
}

/// The number of visible characters: escape sequences for colours don't count.
fn visible(text: &str) -> usize {
    let mut seen = 0;
    let mut in_escape = false;
    for c in text.chars() {
        match c {
            '\u{1b}' => in_escape = true,
            'm' if in_escape => in_escape = false,
            _ if !in_escape => seen += 1,
            _ => {}
        }
    }
    seen
}
