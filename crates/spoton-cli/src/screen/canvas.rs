//! Draws text in tones, and marks clickable areas.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use spoton::format::{shown, shown_lines};

use textwrap::core::Fragment;
use textwrap::wrap_algorithms::wrap_first_fit;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Input;
use super::theme::{Theme, Tone};

/// A clickable area and its input.
pub type Spot = (Rect, Input);

pub struct Canvas<'a> {
    pub buffer: &'a mut Buffer,
    pub theme: Theme,
    /// The clickable areas, filled while drawing.
    pub spots: &'a mut Vec<Spot>,
    /// The position of the text cursor.
    pub caret: Option<Position>,
}

/// A piece of a line.
pub type Piece = (Tone, String);

impl Canvas<'_> {
    pub fn line(&self, pieces: impl IntoIterator<Item = Piece>) -> Line<'static> {
        Line::from_iter(pieces.into_iter().map(|(tone, text)| Span::styled(shown(&text), self.style(tone))))
    }

    /// The style of a tone, without leftovers of earlier drawing.
    fn style(&self, tone: Tone) -> Style {
        Style::reset().patch(self.theme.style(tone))
    }

    /// Draws a line of text, cut at the end of its area.
    pub fn text(&mut self, area: Rect, tone: Tone, text: &str) {
        let line = self.line([(tone, text.to_owned())]);
        self.put(area, line);
    }

    pub fn centred(&mut self, area: Rect, tone: Tone, text: &str) {
        let line = self.line([(tone, text.to_owned())]).centered();
        self.put(area, line);
    }

    /// Draws a line in several tones.
    pub fn pieces(&mut self, area: Rect, pieces: impl IntoIterator<Item = Piece>) {
        let line = self.line(pieces);
        self.put(area, line);
    }

    pub fn put(&mut self, area: Rect, line: Line<'_>) {
        let area = self.visible(area);
        if !area.is_empty() {
            line.render(Rect { height: 1, ..area }, self.buffer);
        }
    }

    /// Draws wrapped text. Returns the number of rows.
    pub fn wrapped(&mut self, area: Rect, tone: Tone, text: &str) -> u16 {
        let area = self.visible(area);
        if area.is_empty() {
            return 0;
        }
        let lines = wrap(text, area.width);
        for (row, line) in area.rows().zip(&lines) {
            self.text(row, tone, line);
        }
        (lines.len() as u16).min(area.height)
    }

    /// Draws wrapped, centred text.
    pub fn wrapped_centred(&mut self, area: Rect, tone: Tone, text: &str) {
        let area = self.visible(area);
        let style = self.style(tone);
        Paragraph::new(shown_lines(text))
            .style(style)
            .centered()
            .wrap(Wrap { trim: true })
            .render(area, self.buffer);
    }

    /// Draws a line across the area.
    pub fn rule(&mut self, area: Rect) {
        let text = self.theme.signs.rule.repeat(usize::from(area.width));
        self.text(area, Tone::Faint, &text);
    }

    /// Draws a box around an area. Returns the area inside.
    pub fn framed(&mut self, area: Rect, tone: Tone, title: &str) -> Rect {
        let area = self.visible(area);
        if area.width < 2 || area.height < 2 {
            return Rect { width: 0, height: 0, ..area };
        }
        let signs = self.theme.signs;
        let [top_left, top_right, bottom_left, bottom_right] = signs.corners;
        let inside = usize::from(area.width) - 2;
        let title: String = if title.is_empty() { String::new() } else { format!(" {title} ") };
        let title = cut(&title, inside);
        let rest = signs.rule.repeat(inside - columns(title));
        self.text(area, tone, &format!("{top_left}{title}{rest}{top_right}"));
        let bottom = Rect { y: area.bottom() - 1, ..area };
        self.text(bottom, tone, &format!("{bottom_left}{}{bottom_right}", signs.rule.repeat(inside)));
        for y in area.y + 1..area.bottom() - 1 {
            self.text(Rect { y, height: 1, width: 1, ..area }, tone, signs.vertical);
            self.text(Rect { y, height: 1, width: 1, x: area.right() - 1 }, tone, signs.vertical);
        }
        Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
    }

    /// Makes an area clickable.
    pub fn spot(&mut self, area: Rect, input: Input) {
        let area = self.visible(area);
        if !area.is_empty() {
            self.spots.push((area, input));
        }
    }

    /// Clears an area.
    pub fn clear(&mut self, area: Rect) {
        ratatui::widgets::Clear.render(self.visible(area), self.buffer);
    }

    fn visible(&self, area: Rect) -> Rect {
        area.intersection(self.buffer.area)
    }
}

/// The width of a string in columns. Some characters are two columns wide.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The longest prefix that fits a width.
pub fn cut(text: &str, width: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken > width
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// Wraps text at word boundaries. Words longer than a line are split.
pub fn wrap(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(1));
    let mut lines = Vec::new();
    // An empty paragraph is an empty line.
    for paragraph in text.split('\n') {
        // A paragraph that fits keeps its spaces, for tables.
        if columns(paragraph) <= width {
            lines.push(paragraph.to_owned());
            continue;
        }
        let mut parts = Vec::new();
        for mut word in paragraph.split_whitespace() {
            while columns(word) > width {
                let first = word.chars().next().map_or(0, char::len_utf8);
                // Always take one character, even if it is too wide.
                let (text, rest) = word.split_at(cut(word, width).len().max(first));
                parts.push(Part { text, space: "" });
                word = rest;
            }
            parts.push(Part { text: word, space: " " });
        }
        for line in wrap_first_fit(&parts, &[width as f64]) {
            let line: String = line.iter().flat_map(|part| [part.text, part.space]).collect();
            lines.push(line.trim_end().to_owned());
        }
    }
    lines
}

/// A word, or a part of one that is longer than a line.
#[derive(Debug)]
struct Part<'a> {
    text: &'a str,
    space: &'static str,
}

impl Fragment for Part<'_> {
    fn width(&self) -> f64 {
        columns(self.text) as f64
    }

    fn whitespace_width(&self) -> f64 {
        columns(self.space) as f64
    }

    fn penalty_width(&self) -> f64 {
        0.0
    }
}

/// The leading sentences that fit on a line, or all of the text if even the first is too long.
pub fn sentences_that_fit(text: &str, width: u16) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at + 1).chain([text.len()]);
    let fitting = ends.map(|end| &text[..end]).filter(|text| columns(text) <= usize::from(width));
    fitting.last().unwrap_or(text)
}

/// As many words as fit, with an ellipsis if any are cut.
pub fn words_that_fit(text: &str, width: u16) -> String {
    const REST: &str = " ...";
    if columns(text) <= usize::from(width) {
        return text.to_owned();
    }
    let fits = |end: &usize| columns(&text[..*end]) + columns(REST) <= usize::from(width);
    let end = text.rmatch_indices(' ').map(|(at, _)| at).find(fits).unwrap_or(0);
    format!("{}{REST}", text[..end].trim_end_matches([',', ':']))
}

/// The row at an offset in an area; empty if there is none.
pub fn row(area: Rect, below: u16) -> Rect {
    let height = u16::from(below < area.height);
    Rect { y: area.y + below.min(area.height), height, ..area }
}

/// An area without its top rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// An area without some columns on both sides.
pub fn inset(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width / 2);
    Rect { x: area.x + columns, width: area.width - 2 * columns, ..area }
}

/// A centred area within another, never larger than the outer one.
pub fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_words_and_never_too_wide() {
        assert_eq!(wrap("add 1 or double", 8), ["add 1 or", "double"]);
        assert_eq!(wrap("abcdefgh i", 3), ["abc", "def", "gh", "i"]);
        assert_eq!(wrap("a\n\nb", 3), ["a", "", "b"]);
        for width in 0..20 {
            for line in wrap("a bb ccc dddddddddddddddd e", width) {
                assert!(line.chars().count() <= usize::from(width.max(1)));
            }
        }
    }
}
