//! `spoton man`: man pages, generated from the same definition as the help.

use std::io::{Write, stdout};

use clap::Args;
use clap::builder::Resettable;
use clap_mangen::Man;

use crate::args::{Entry, json_option, read};
use crate::failure::Failure;

pub const COMMAND: Entry = Entry {
    group: None,
    name: "man",
    about: "Print a man page",
    arguments: ManArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

#[derive(Args, Debug)]
pub struct ManArgs {
    /// A command, such as play or bot arena [default: spoton itself]
    #[arg(value_parser = super::command_name(), hide_possible_values = true)]
    pub command: Vec<String>,
}

fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut definition = super::definition();
    definition.build();
    let mut command = &definition;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| no_such_command(command, name))?;
    }
    let command = command.clone();
    // Rendered separately: the generator would join its lines under the heading EXTRA.
    let after_help = command.get_after_help().map(ToString::to_string);
    let version = concat!("spoton ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.after_help(Resettable::Reset)).source(version).manual("Spot On");
    let mut page = Vec::new();
    man.render(&mut page)?;
    page.extend(after_help.map(|help| section(&help)).unwrap_or_default().bytes());
    stdout().write_all(&page)?;
    Ok(())
}

fn no_such_command(command: &clap::Command, name: &str) -> Failure {
    let listed = command.get_subcommands().filter(|command| !command.is_hide_set());
    let listed: Vec<&str> = listed.map(clap::Command::get_name).collect();
    let known = match &listed[..] {
        [] => "no commands".to_owned(),
        listed => listed.join(", "),
    };
    let parent = command.get_bin_name().unwrap_or("spoton");
    Failure::Usage(format!("{parent} has no command \"{name}\"; it has {known}"))
}

/// The text after the help as a section of a man page. A first line such as `Examples:` becomes the heading. Indented
/// lines keep their line breaks.
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

/// A line escaped for roff.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}
