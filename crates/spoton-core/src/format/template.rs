//! A starter rule book.

use super::BookText;

/// A rule book whose comments explain every key.
///
/// ```
/// use spoton::format::{Draft, TEMPLATE};
///
/// assert_eq!(Draft::read("my-game.toml", TEMPLATE).build().unwrap().title(), "My Game");
/// ```
pub const TEMPLATE: &str = include_str!("template.toml");

/// A starter rule book copied from another one.
pub fn text_like(book: &BookText) -> String {
    format!("# Made from the rule book of {}. Change anything you like.\n\n{}", book.id, book.text)
}

#[cfg(test)]
mod tests {
    use crate::format::{Draft, check};

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
