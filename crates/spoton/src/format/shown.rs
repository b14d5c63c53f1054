//! Foreign texts as they can be shown: whatever a rule book, a record, a name or a file name holds, nothing of it may
//! command a terminal, hide or reorder what stands around it.

/// What stands for a character that cannot be shown.
const STAND_IN: char = '\u{fffd}';

/// Whether a character cannot be seen, or does something to the text around it or to a terminal: control characters,
/// those of U+0080 to U+009F among them, and characters that set the direction, break lines or have no width.
pub fn is_hidden(c: char) -> bool {
    is_unfit(c)
        || matches!(
            c,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
        )
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Whether a character has no business in a text that is written for people: control characters, and those that
/// reorder what stands around them. Rule books and records that have it are refused.
pub(crate) fn is_unfit(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A foreign text on one line, as long as it was, with a stand-in for every character that is [hidden](is_hidden).
///
/// ```
/// assert_eq!(spoton::format::shown("a\u{1b}[2J\u{9b}b\u{202e}\n"), "a\u{fffd}[2J\u{fffd}b\u{fffd}\u{fffd}");
/// ```
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { STAND_IN } else { c }).collect()
}

/// The same for a text of several lines: line ends and tabs stay.
pub fn shown_lines(text: &str) -> String {
    let stays = |c: char| !is_hidden(c) || matches!(c, '\n' | '\t');
    text.replace("\r\n", "\n").chars().map(|c| if stays(c) { c } else { STAND_IN }).collect()
}

/// A text as it can be quoted in a message: short, on one line, without what is [hidden](is_hidden).
pub fn quotable(text: &str) -> String {
    const MOST: usize = 40;
    let mut quoted = shown(&text.chars().take(MOST).collect::<String>());
    if text.chars().nth(MOST).is_some() {
        quoted.push('…');
    }
    quoted
}
