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

/// Breaks a text into lines of at most 80 columns; the first begins with `first`, the others with `rest`.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    const WIDTH: usize = 80;
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
