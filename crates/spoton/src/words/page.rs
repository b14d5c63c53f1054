//! Texts that fit a page of 80 columns, for surfaces that print lines.
//!
//! ```
//! use spoton::words::page::wrap;
//!
//! let text = "Whoever lands on the target wins, and whoever goes past it loses, which is soon learnt.";
//! let point = wrap(text, "  - ", "    ");
//! let lines: Vec<&str> = point.lines().collect();
//! assert_eq!(lines.len(), 2);
//! assert!(lines[0].starts_with("  - Whoever") && lines[1].starts_with("    "));
//! assert!(lines.iter().all(|line| line.len() <= 80));
//! ```

/// How many columns a page has.
pub(crate) const WIDTH: usize = 80;

/// Breaks a text into lines of at most 80 columns; the first begins with `first`, the others with `rest`.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut empty = true;
    for word in text.split_whitespace() {
        let length = lines.last().map_or(0, |line| visible(line));
        if !empty && length + 1 + visible(word) > WIDTH {
            lines.push(rest.to_owned());
            empty = true;
        }
        if let Some(line) = lines.last_mut() {
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
    }
    lines.join("\n")
}

/// Breaks each line of a text that is wider than a page. An item of a list keeps its indent, and goes on two further in.
///
/// ```
/// use spoton::words::page::fold;
///
/// assert_eq!(fold("Short.\n  And this, too."), "Short.\n  And this, too.");
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

/// Many short items on a page, several to a line, one below the other. Cells are as wide as most of the items want
/// them; one that is longer takes the place of several.
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

/// The same on a page that is so wide.
pub(crate) fn columns_within(items: &[String], page_width: usize) -> String {
    let mut widths: Vec<usize> = items.iter().map(|item| visible(item)).collect();
    widths.sort_unstable();
    let most = widths.split_off(widths.len() * 3 / 4);
    // As few lines as can be; of those, as wide as can be.
    let pages = most.into_iter().map(|width| in_cells(items, width + GAP, page_width));
    pages.rev().min_by_key(Vec::len).unwrap_or_default().join("\n")
}

/// What lies between two cells.
const GAP: usize = 2;

/// Items in cells of a width, line by line.
fn in_cells(items: &[String], cell: usize, page_width: usize) -> Vec<String> {
    let in_a_line = ((page_width + GAP) / cell).max(1);
    let mut lines: Vec<String> = Vec::new();
    // How many cells of the last line are taken, and how wide it is.
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

/// How many characters of a text are seen: what sets colours is not.
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
