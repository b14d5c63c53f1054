//! Shows problems in rule books: the line, a caret under the problem, and advice.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use spoton::format::{Problem, Severity, shown, shown_lines};

/// Longer lines aren't shown, only their position.
const LONGEST_LINE: usize = 300;

/// Maximum number of problems shown. A file in another format can have thousands.
const MOST: usize = 50;

/// The text without hidden characters, and the new position of a span in it.
fn shown_around(text: &str, span: &Range<usize>) -> (String, Range<usize>) {
    let (before, rest) = text.split_at(span.start);
    let (marked, after) = rest.split_at(span.len());
    let (before, marked) = (shown_lines(before), shown_lines(marked));
    let span = before.len()..before.len() + marked.len();
    (before + &marked + &shown_lines(after), span)
}

pub fn render(problems: &[Problem], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let rendered = problems.iter().map(|problem| {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let message = shown_lines(&problem.message);
        let title = level.primary_title(&message);
        let source = &problem.place.source;
        let name = shown(&source.name);
        let (line, column) = problem.place.line_column();
        let text = source.text.lines().nth(line - 1).unwrap_or_default();
        let (whole, span) = shown_around(&source.text, &problem.place.span);
        let mut group: Group<'_> = if text.len() > LONGEST_LINE {
            title.element(Origin::path(&name).line(line).char_column(column))
        } else {
            let annotation = AnnotationKind::Primary.span(span);
            title.element(Snippet::source(&whole).path(&name).annotation(annotation))
        };
        let help = problem.help.as_deref().map(shown_lines);
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group]) + "\n"
    });
    let shown: Vec<String> = rendered.take(MOST).collect();
    let more = match problems.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("\nand {more} more\n"),
    };
    shown.join("\n") + &more
}
