//! Plain text: lists, counts and numbers as people write them, and untrusted text made safe to show.
//!
//! ```
//! use spoton_core::text;
//!
//! assert_eq!(text::or_list(["+1", "+2", "x2"]), "+1, +2 or x2");
//! assert_eq!(text::count(2u8, "round", "rounds"), "2 rounds");
//! ```

mod shown;

pub use shown::{is_hidden, is_unfit, quotable, shown, shown_lines};

/// `1`, `1 or 2`, `1, 2 or 3`.
pub fn or_list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    join(items, "or")
}

/// `a`, `a and b`, `a, b and c`.
pub fn and_list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    join(items, "and")
}

fn join<T: ToString>(items: impl IntoIterator<Item = T>, word: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {word} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// `1 round`, `2 rounds`, `1,000 rounds`.
pub fn count(number: impl Into<u64>, one: &str, many: &str) -> String {
    match number.into() {
        1 => format!("1 {one}"),
        number => format!("{} {many}", separated(number)),
    }
}

/// A number with thousands separators: `-1,234,567`.
pub fn separated(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut written = if number < 0 { "-".to_owned() } else { String::new() };
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

/// `one`, `two` … `twelve`, then digits.
pub fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// The text with a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `second`, `third` … `11th`.
pub fn ordinal(number: u8) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => nth(number.into()),
    }
}

/// `4th`
pub fn nth(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// `once`, `twice`, `3 times`.
pub fn times(number: u8) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}

/// The text with a lower-case first letter.
pub fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_separators() {
        for (number, written) in [(0, "0"), (-999, "-999"), (1_000, "1,000"), (-12_345, "-12,345")] {
            assert_eq!(separated(number), written);
        }
        assert_eq!(separated(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn lists_read_well() {
        assert_eq!(or_list([1]), "1");
        assert_eq!(or_list([1, 2]), "1 or 2");
        assert_eq!(or_list([1, 2, 3]), "1, 2 or 3");
        assert_eq!(and_list(["a", "b", "c"]), "a, b and c");
        assert_eq!(or_list::<u8>([]), "");
    }
}
