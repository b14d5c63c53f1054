//! The help screen of `spoton --help`: commands in groups. Clap has no headings for subcommands, so this is a template.

use std::fmt::Write;

use clap::Command;
use clap::builder::{StyledStr, Styles};

/// Every visible command, by heading. A test compares this with the definition.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "today", "puzzle", "games", "rules"]),
    ("Look", &["solve", "map", "idea", "review"]),
    ("Make", &["new", "check", "audit", "invent"]),
    ("Programs", &["bot"]),
    ("More", &["config", "help"]),
];

const OPTIONS: [(&str, &str); 3] = [
    ("--color auto|always|never", "Colours; NO_COLOR also turns them off"),
    ("--background light|dark", "Full screen: the terminal's background"),
    ("--ascii, --no-motion", "Full screen: plain characters, no animation"),
];

/// The template: the whole help screen, with descriptions from the definition.
pub fn template(definition: &Command) -> StyledStr {
    let styles = Styles::styled();
    let (heading, literal) = (*styles.get_header(), *styles.get_literal());
    let mut page = String::new();
    let about = definition.get_about().map(ToString::to_string).unwrap_or_default();
    // Writing to a string never fails.
    let _ = writeln!(page, "{about}");
    let usage = "(without a command: the full-screen game)";
    let _ = writeln!(page, "{heading}Usage:{heading:#} {literal}spoton{literal:#} [COMMAND]  {usage}\n");
    for (title, names) in GROUPS {
        for (place, name) in names.iter().enumerate() {
            let title = if place == 0 { title } else { "" };
            let about = definition.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let pad = 10 - title.len();
            let _ = write!(page, "{heading}{title}{heading:#}{:pad$}", "");
            let _ = writeln!(page, "{literal}{name:<8}{literal:#}{about}");
        }
    }
    page.push('\n');
    for (place, (option, about)) in OPTIONS.iter().enumerate() {
        let title = if place == 0 { "Options" } else { "" };
        let pad = 10 - title.len();
        let _ = write!(page, "{heading}{title}{heading:#}{:pad$}", "");
        let _ = writeln!(page, "{literal}{option:<25}{literal:#}  {about}");
    }
    page.truncate(page.trim_end().len());
    StyledStr::from(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;

    #[test]
    fn the_help_screen_lists_every_visible_command_and_fits_a_terminal() {
        let definition = Args::definition();
        let page = template(&definition).to_string();
        let visible = definition.get_subcommands().filter(|command| !command.is_hide_set());
        let visible: Vec<&Command> = visible.collect();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(visible.len(), listed.len(), "{listed:?}");
        for command in visible {
            let line = page.lines().find(|line| {
                line.get(10..).is_some_and(|rest| rest.split(' ').next() == Some(command.get_name()))
            });
            let about = command.get_about().unwrap().to_string();
            assert!(line.unwrap().ends_with(&about), "{page}");
        }
        // The last row is for the prompt.
        assert!(page.lines().count() <= 23, "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}
