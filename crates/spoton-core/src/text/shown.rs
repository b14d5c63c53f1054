//! Makes untrusted text safe to display. Rule books, records and names can't control the terminal, hide text
//! or reorder it.

/// Replaces characters that can't be shown.
const STAND_IN: char = '\u{fffd}';

/// Whether a character is invisible, or affects the surrounding text or a terminal: control characters
/// (including U+0080 to U+009F), and characters that set the direction, break lines or have no width.
pub fn is_hidden(c: char) -> bool {
    is_unfit(c)
        || matches!(
            c,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
        )
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Whether a character is forbidden in text for people: control characters, and characters that reorder text.
/// Rule books and records that contain them are rejected.
pub fn is_unfit(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Untrusted text on one line, with each [hidden](is_hidden) character replaced. Keeps the length.
///
/// ```
/// assert_eq!(spoton::format::shown("a\u{1b}[2J\u{9b}b\u{202e}\n"), "a\u{fffd}[2J\u{fffd}b\u{fffd}\u{fffd}");
/// ```
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { STAND_IN } else { c }).collect()
}

/// [`shown`] for several lines: keeps line ends and tabs.
pub fn shown_lines(text: &str) -> String {
    let stays = |c: char| !is_hidden(c) || matches!(c, '\n' | '\t');
    text.replace("\r\n", "\n").chars().map(|c| if stays(c) { c } else { STAND_IN }).collect()
}

/// Text to quote in a message: short, on one line, without [hidden](is_hidden) characters.
pub fn quotable(text: &str) -> String {
    const MOST: usize = 40;
    let mut quoted = shown(&text.chars().take(MOST).collect::<String>());
    if text.chars().nth(MOST).is_some() {
        quoted.push('…');
    }
    quoted
}
