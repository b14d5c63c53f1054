//! A game's rules as a page of plain text or Markdown. `describe.rs` has the sentences.
//!
//! ```
//! use spoton::discovery::View;
//! use spoton::format::{BookText, Changes, Game, catalog};
//! use spoton::words::rules;
//!
//! let book = BookText::shipped(catalog::FIRST).unwrap();
//! let game = Game::new(book, catalog::FIRST.to_owned(), &Changes::default())?;
//! let page = rules::markdown(&game, &game.rulebook()?, View::of_everything());
//! assert!(page.starts_with("# ") && page.contains("\n## How to play\n\n- "));
//! # Ok::<(), spoton::format::BadGame>(())
//! ```

use std::sync::Arc;

use super::describe;
use super::page::wrap;
use crate::discovery::{LEFT_OUT, Spoiler, View};
use crate::format::{Game, Rulebook};
use crate::solved::SolvedGame;

/// The heading of the notes.
const REMARKS: &str = "Notes";

/// The rules as plain text, without what the viewer may not see.
pub fn plain(game: &Game, rulebook: &Rulebook, view: View) -> String {
    let (title, summary) = head(game, rulebook);
    let mut page = format!("{title}\n{}\n", "=".repeat(title.chars().count()));
    for paragraph in notice(rulebook, view).into_iter().chain(summary) {
        page.push_str(&format!("\n{}\n", wrap(&paragraph, "", "")));
    }
    for (heading, points) in sections(game, rulebook, view) {
        page.push_str(&format!("\n{heading}\n"));
        for point in points {
            page.push_str(&wrap(&point, "  - ", "    "));
            page.push('\n');
        }
    }
    if view.hides(Spoiler::Notes) {
        page.push_str(&format!("\n{LEFT_OUT}\n"));
    }
    page
}

/// The rules as Markdown, without what the viewer may not see.
pub fn markdown(game: &Game, rulebook: &Rulebook, view: View) -> String {
    let mut page = in_markdown(game, rulebook, view);
    if view.hides(Spoiler::Notes) {
        page.push_str(&format!("\n{LEFT_OUT}\n"));
    }
    page
}

/// The rules as Markdown for a player whose play will be graded. Leaves out the notes because they may give the winning
/// idea away.
pub fn markdown_without_remarks(game: &Game, rulebook: &Rulebook) -> String {
    in_markdown(game, rulebook, View::of_player(true))
}

fn in_markdown(game: &Game, rulebook: &Rulebook, view: View) -> String {
    let (title, summary) = head(game, rulebook);
    let mut page = format!("# {title}\n");
    for paragraph in notice(rulebook, view).into_iter().chain(summary) {
        page.push_str(&format!("\n{paragraph}\n"));
    }
    for (heading, points) in sections(game, rulebook, view) {
        page.push_str(&format!("\n## {heading}\n\n"));
        for point in points {
            page.push_str(&format!("- {point}\n"));
        }
    }
    page
}

/// A notice before playing, if the game can't be played or nobody can land on its target. The second is hidden if the
/// viewer may not see the game's facts.
fn notice(rulebook: &Rulebook, view: View) -> Option<String> {
    rulebook.unplayable().or_else(|| SolvedGame::new(Arc::new(rulebook.clone())).out_of_reach(view))
}

/// A book's notes, or none if the viewer may not see them.
pub fn notes(rulebook: &Rulebook, view: View) -> &[String] {
    if view.hides(Spoiler::Notes) { &[] } else { rulebook.notes() }
}

/// The title, then the summary and who the game suits.
fn head(game: &Game, rulebook: &Rulebook) -> (String, Vec<String>) {
    let title = match &game.variant {
        Some(variant) => format!("{} ({variant})", rulebook.title()),
        None => rulebook.title().to_owned(),
    };
    let suits = rulebook.suits().map(|suits| format!("For {suits}."));
    let summary = Some(rulebook.summary().to_owned()).filter(|summary| !summary.is_empty());
    (title, summary.into_iter().chain(suits).collect())
}

/// The sections after the title and summary: a heading and its points.
fn sections(game: &Game, rulebook: &Rulebook, view: View) -> Vec<(&'static str, Vec<String>)> {
    let variant = |name: &str| {
        let Some(varied) = game.draft.clone().variant(name).ok().and_then(|draft| draft.build().ok()) else {
            return name.to_owned();
        };
        if !["", rulebook.summary()].contains(&varied.summary()) {
            return format!("{name}: {}", varied.summary());
        }
        // For a variant without its own summary, lists the rules that differ.
        let usual = describe::rules(rulebook);
        let here = describe::rules(&varied);
        let new = here.iter().filter(|rule| !usual.contains(rule)).cloned();
        let gone: Vec<&str> = usual.iter().filter(|rule| !here.contains(rule)).map(String::as_str).collect();
        let gone = (!gone.is_empty()).then(|| format!("This replaces: {}", gone.join(" ")));
        format!("{name}: {}", new.chain(gone).collect::<Vec<_>>().join(" "))
    };
    let variants = match game.variant {
        Some(_) => Vec::new(),
        None => game.draft.variants().map(variant).collect(),
    };
    let sections = [
        ("How to play", describe::rules(rulebook)),
        (REMARKS, notes(rulebook, view).to_vec()),
        ("Variants", variants),
    ];
    sections.into_iter().filter(|(_, points)| !points.is_empty()).collect()
}
