//! Problems of rule books as people see them: the line, a caret under the place, and what to do.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use spoton::format::{Problem, Severity};

/// A line longer than this is not shown; the place is named all the same.
const LONGEST_LINE: usize = 300;

/// Something that is no rule book at all can have thousands of mistakes; nobody reads more than these.
const MOST: usize = 50;

pub fn render(problems: &[Problem], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let rendered = problems.iter().map(|problem| {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(&problem.message);
        let source = &problem.place.source;
        let (line, column) = problem.place.line_column();
        let text = source.text.lines().nth(line - 1).unwrap_or_default();
        let mut group: Group<'_> = if text.len() > LONGEST_LINE {
            title.element(Origin::path(&source.name).line(line).char_column(column))
        } else {
            let annotation = AnnotationKind::Primary.span(problem.place.span.clone());
            title.element(Snippet::source(&source.text).path(&source.name).annotation(annotation))
        };
        if let Some(help) = &problem.help {
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
