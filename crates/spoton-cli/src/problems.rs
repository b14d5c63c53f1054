//! Problems of rule books as people see them: the line, a caret under the place, and what to do.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use spoton::format::{Problem, Severity, shown, shown_lines};

/// A line longer than this is not shown; the place is named all the same.
const LONGEST_LINE: usize = 300;

/// Something that is no rule book at all can have thousands of mistakes; nobody reads more than these.
const MOST: usize = 50;

/// A text as it can be shown, and where a stretch of it is then.
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
