//! Names that completions offer: games, variants, opponents and commands. Other values are accepted, too.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use clap::builder::{OsStringValueParser, PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use spoton::format::{Changes, Listed, catalog};
use spoton::people::opponent::Opponent;
use spoton::sitting::{ADAPTIVE, HUMAN};

use super::Args;
use crate::folders::Folders;
use crate::game;

/// Takes whatever `parser` takes; the names are only offered.
#[derive(Clone)]
pub struct Suggest<P> {
    parser: P,
    names: fn() -> BTreeSet<String>,
}

/// A game's id, or anything else that finds one.
pub fn game() -> Suggest<OsStringValueParser> {
    let names = || {
        let own = game::own_names(&Folders::usual()).into_iter().map(|(name, _)| name);
        catalog::ids().map(|id| id.to_string()).chain(own).collect()
    };
    Suggest { parser: OsStringValueParser::new(), names }
}

/// A variant of the game that the command line names.
pub fn variant() -> Suggest<StringValueParser> {
    let names = || {
        // A shell asks with the words of its line after `--`: the program, the command, and then the game.
        let words: Vec<OsString> = std::env::args_os().skip_while(|word| word != "--").skip(2).collect();
        let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
        let is_value = |pair: &&[OsString]| !is_option(&pair[0]) && !is_option(&pair[1]);
        let games = words.windows(2).filter(is_value);
        let games = games.filter_map(|pair| game::find(&pair[1], &Changes::default()).ok());
        games.take(1).flat_map(|game| Listed::of(&game.book).variants).collect()
    };
    Suggest { parser: StringValueParser::new(), names }
}

/// An opponent at a table where people play, too.
pub fn player() -> Suggest<StringValueParser> {
    let names = || computers().chain([ADAPTIVE, HUMAN].map(str::to_owned)).collect();
    Suggest { parser: StringValueParser::new(), names }
}

/// A player where only computers and programs play.
pub fn computer() -> Suggest<StringValueParser> {
    Suggest { parser: StringValueParser::new(), names: || computers().collect() }
}

/// A command of this program.
pub fn command() -> Suggest<StringValueParser> {
    let names =
        || Args::definition().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    Suggest { parser: StringValueParser::new(), names }
}

fn computers() -> impl Iterator<Item = String> {
    let named = Opponent::all().map(|opponent| opponent.to_string());
    named.chain(["easy", "medium", "hard"].map(str::to_owned))
}

impl<P> TypedValueParser for Suggest<P>
where
    P: TypedValueParser,
{
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn parse(&self, command: &Command, arg: Option<&Arg>, value: OsString) -> Result<P::Value, Error> {
        self.parser.parse(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}
