//! `spoton rules`: a game in words.

use std::io::{Write, stdout};

use serde_json::json;
use spoton::format::{Game, Rulebook};
use spoton::words::describe;

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::game;
use crate::output::wrap;

pub fn run(args: &RulesArgs) -> Result<(), Failure> {
    let game = game::find(&args.game.game, &args.game.changes)?;
    let mut out = stdout().lock();
    if args.source {
        out.write_all(game.book.text.as_bytes())?;
        return Ok(());
    }
    let rulebook = game.rulebook()?;
    let page = if args.json {
        to_json(&game, &rulebook) + "\n"
    } else if args.markdown {
        markdown(&game, &rulebook)
    } else {
        plain(&game, &rulebook)
    };
    out.write_all(page.as_bytes())?;
    Ok(())
}

fn to_json(game: &Game, rulebook: &Rulebook) -> String {
    json!({
        "game": game.id(),
        "variant": game.variant,
        "settings": game.written_settings(),
        "rulebook_hash": rulebook.fingerprint(),
        "title": rulebook.title(),
        "summary": rulebook.summary(),
        "suits": rulebook.suits(),
        "rules": describe::rules(rulebook),
        "notes": rulebook.notes(),
        "claims": rulebook.claims().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "variants": game.draft.variants().collect::<Vec<_>>(),
        "keys": rulebook.rules_line(),
    })
    .to_string()
}

/// The sections of the page after the title and the summary: a heading and its points.
fn sections(game: &Game, rulebook: &Rulebook) -> Vec<(&'static str, Vec<String>)> {
    let variant = |name: &str| {
        let Some(varied) = game.draft.clone().variant(name).ok().and_then(|draft| draft.build().ok()) else {
            return name.to_owned();
        };
        if varied.summary() != rulebook.summary() {
            return format!("{name}: {}", varied.summary());
        }
        // Without words of its own, what is different speaks for it.
        let usual = describe::rules(rulebook);
        let different: Vec<String> =
            describe::rules(&varied).into_iter().filter(|rule| !usual.contains(rule)).collect();
        format!("{name}: {}", different.join(" "))
    };
    let variants = match game.variant {
        Some(_) => Vec::new(),
        None => game.draft.variants().map(variant).collect(),
    };
    let sections = [
        ("How to play", describe::rules(rulebook)),
        ("Rulings and remarks", rulebook.notes().to_vec()),
        ("Variants", variants),
    ];
    sections.into_iter().filter(|(_, points)| !points.is_empty()).collect()
}

/// The title, and the summary with whom it suits.
fn head(game: &Game, rulebook: &Rulebook) -> (String, Vec<String>) {
    let title = match &game.variant {
        Some(variant) => format!("{} ({variant})", rulebook.title()),
        None => rulebook.title().to_owned(),
    };
    let suits = rulebook.suits().map(|suits| format!("For {suits}."));
    let summary = Some(rulebook.summary().to_owned()).filter(|summary| !summary.is_empty());
    (title, summary.into_iter().chain(suits).collect())
}

fn plain(game: &Game, rulebook: &Rulebook) -> String {
    let (title, summary) = head(game, rulebook);
    let mut page = format!("{title}\n{}\n", "=".repeat(title.chars().count()));
    for paragraph in summary {
        page.push_str(&format!("\n{}\n", wrap(&paragraph, "", "")));
    }
    for (heading, points) in sections(game, rulebook) {
        page.push_str(&format!("\n{heading}\n"));
        for point in points {
            page.push_str(&wrap(&point, "  - ", "    "));
            page.push('\n');
        }
    }
    page
}

fn markdown(game: &Game, rulebook: &Rulebook) -> String {
    let (title, summary) = head(game, rulebook);
    let mut page = format!("# {title}\n");
    for paragraph in summary {
        page.push_str(&format!("\n{paragraph}\n"));
    }
    for (heading, points) in sections(game, rulebook) {
        page.push_str(&format!("\n## {heading}\n\n"));
        for point in points {
            page.push_str(&format!("- {point}\n"));
        }
    }
    page
}
