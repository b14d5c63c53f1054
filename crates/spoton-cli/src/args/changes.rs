//! Options that change a game.

use clap::{ArgAction, ArgMatches, FromArgMatches};

use spoton::format::{Changes, Setting};

use super::suggest;

/// `--variant`, `--rule` and `--target`.
#[derive(Debug, Default)]
pub struct ChangeArgs(Changes);

impl std::ops::Deref for ChangeArgs {
    type Target = Changes;

    fn deref(&self) -> &Changes {
        &self.0
    }
}

// Not derived, because the relative order of `--rule` and `--target` matters.
impl clap::Args for ChangeArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        const HEADING: &str = "Changes to the game";
        command
            .arg(
                clap::Arg::new("variant")
                    .long("variant")
                    .value_name("NAME")
                    .value_parser(suggest::variant())
                    .hide_possible_values(true)
                    .help("Use a variant of the game")
                    .help_heading(HEADING),
            )
            .arg(
                clap::Arg::new("target")
                    .long("target")
                    .value_name("N")
                    .action(ArgAction::Append)
                    .allow_hyphen_values(true)
                    .help("Change the target; in play, 20..60 draws one per round")
                    .help_heading(HEADING),
            )
            .arg(
                clap::Arg::new("set")
                    .long("rule")
                    .alias("set")
                    .value_name("KEY=VALUE")
                    .action(ArgAction::Append)
                    .allow_hyphen_values(true)
                    .help("Change a rule, such as past=wins or moves=+1..3,x2")
                    .help_heading(HEADING),
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        ChangeArgs::augment_args(command)
    }
}

impl FromArgMatches for ChangeArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ChangeArgs, clap::Error> {
        let of = |id: &str, make: fn(String) -> Setting| {
            let indices = matches.indices_of(id).into_iter().flatten();
            let values = matches.get_many::<String>(id).into_iter().flatten();
            indices.zip(values.map(move |value| make(value.clone()))).collect::<Vec<_>>()
        };
        let mut settings = of("set", Setting::Set);
        settings.extend(of("target", Setting::Target));
        settings.sort_by_key(|(index, _)| *index);
        Ok(ChangeArgs(Changes {
            variant: matches.get_one("variant").cloned(),
            settings: settings.into_iter().map(|(_, setting)| setting).collect(),
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ChangeArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
