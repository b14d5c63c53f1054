//! `spoton man`: the man page, from the same definition as the help.

use std::io::{Write, stdout};

use clap::builder::Resettable;
use clap_mangen::Man;

use crate::args::{Args, ManArgs};
use crate::failure::Failure;

pub fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut definition = Args::definition();
    definition.build();
    let command = match &args.command {
        None => definition,
        Some(name) => match definition.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let known = definition.get_subcommands().map(clap::Command::get_name);
                let known: Vec<&str> = known.collect();
                let message = format!("spoton has no command \"{name}\"; it has {}", known.join(", "));
                return Err(Failure::Usage(message));
            }
        },
    };
    // The generator would run its lines together under a heading that says nothing.
    let after_help = command.get_after_help().map(ToString::to_string);
    let version = concat!("spoton ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.after_help(Resettable::Reset)).source(version).manual("Spot On");
    let mut page = Vec::new();
    man.render(&mut page)?;
    page.extend(after_help.map(|help| section(&help)).unwrap_or_default().bytes());
    stdout().write_all(&page)?;
    Ok(())
}

/// What stands below the help as a section of a man page: `Examples:` at its beginning is its heading, and indented lines
/// stay as they are.
fn section(help: &str) -> String {
    let (heading, body) = match help.split_once('\n') {
        Some((first, rest)) if rest.starts_with(' ') && first.split(' ').count() < 3 => {
            (first.trim_end_matches(':').to_uppercase(), rest)
        }
        _ => ("NOTES".to_owned(), help),
    };
    let mut section = format!(".SH \"{heading}\"\n");
    let mut as_it_is = false;
    for line in body.lines() {
        if line.starts_with(' ') != as_it_is {
            as_it_is = !as_it_is;
            section.push_str(if as_it_is { ".nf\n" } else { ".fi\n" });
        }
        section.push_str(&if line.is_empty() { ".PP".to_owned() } else { escaped(line) });
        section.push('\n');
    }
    if as_it_is {
        section.push_str(".fi\n");
    }
    section
}

/// A line that the formatter of man pages takes for nothing but text.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}
