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
const WIDTH: usize = 80;

/// Breaks a text into lines of at most 80 columns; the first begins with `first`, the others with `rest`.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut empty = true;
    for word in text.split_whitespace() {
        let length = lines.last().map_or(0, |line| line.chars().count());
        if !empty && length + 1 + word.chars().count() > WIDTH {
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

/// Many short items on a page, several to a line, one below the other; an item that is too long has a line of its own.
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
    const LONGEST: usize = 38;
    let widths: Vec<usize> = items.iter().map(|item| visible(item)).collect();
    let cell = widths.iter().copied().filter(|width| *width <= LONGEST).max().unwrap_or(WIDTH) + 2;
    let in_a_line = ((WIDTH + 2) / cell).max(1);
    let mut lines: Vec<String> = Vec::new();
    // How many items the last line has, and how wide it is.
    let (mut count, mut width) = (in_a_line, 0);
    for (item, item_width) in items.iter().zip(widths) {
        let is_long = item_width > LONGEST;
        match lines.last_mut() {
            Some(line) if count < in_a_line && !is_long => {
                let gap = count * cell - width;
                line.push_str(&" ".repeat(gap));
                line.push_str(item);
                (count, width) = (count + 1, width + gap + item_width);
            }
            _ => {
                lines.push(item.clone());
                (count, width) = (if is_long { in_a_line } else { 1 }, item_width);
            }
        }
    }
    lines.join("\n")
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
