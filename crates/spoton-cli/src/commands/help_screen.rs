//! The help screen of `spoton --help`: commands in groups. Clap has no headings for subcommands, so this is a template.

use std::fmt::Write;

use clap::Command;
use clap::builder::{StyledStr, Styles};

use crate::args::Entry;

const OPTIONS: [(&str, &str); 3] = [
    ("--color auto|always|never", "Colours; NO_COLOR also turns them off"),
    ("--background light|dark", "Full screen: the terminal's background"),
    ("--ascii, --no-motion", "Full screen: plain characters, no animation"),
];

/// The template: the whole help screen.
pub fn template(definition: &Command, commands: &[Entry]) -> StyledStr {
    let styles = Styles::styled();
    let (heading, literal) = (*styles.get_header(), *styles.get_literal());
    let mut page = String::new();
    let about = definition.get_about().map(ToString::to_string).unwrap_or_default();
    // Writing to a string never fails.
    let _ = writeln!(page, "{about}");
    let usage = "(without a command: the full-screen game)";
    let _ = writeln!(page, "{heading}Usage:{heading:#} {literal}spoton{literal:#} [COMMAND]  {usage}\n");
    let mut last = "";
    for Entry { group, name, about, .. } in commands {
        let Some(group) = group else { continue };
        let title = if *group == last { "" } else { group };
        let pad = 10 - title.len();
        let _ = write!(page, "{heading}{title}{heading:#}{:pad$}", "");
        let _ = writeln!(page, "{literal}{name:<8}{literal:#}{about}");
        last = group;
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
    use super::super::{COMMANDS, definition};
    use super::*;

    #[test]
    fn the_help_screen_lists_every_visible_command_and_fits_a_terminal() {
        let definition = definition();
        let page = template(&definition, COMMANDS).to_string();
        for command in definition.get_subcommands().filter(|command| !command.is_hide_set()) {
            let line = page.lines().find(|line| {
                line.get(10..).is_some_and(|rest| rest.split(' ').next() == Some(command.get_name()))
            });
            let about = command.get_about().unwrap().to_string();
            assert!(line.unwrap().ends_with(&about), "{page}");
        }
        let mut headings: Vec<&str> = COMMANDS.iter().filter_map(|command| command.group).collect();
        headings.dedup();
        for heading in headings {
            let begins = page.lines().filter(|line| line.starts_with(heading)).count();
            assert_eq!(begins, 1, "{heading} is in several places of the list\n{page}");
        }
        // The last row is for the prompt.
        assert!(page.lines().count() <= 23, "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}
