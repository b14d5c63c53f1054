//! Completion values for games, variants, opponents and other names. Other values are accepted as input.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use clap::builder::{OsStringValueParser, PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Changes, Listed, catalog};
use spoton::sitting::{ADAPTIVE, HUMAN};

use crate::folders::Folders;
use crate::game;

/// A parser that offers names for completion. It accepts the same values as `parser`.
#[derive(Clone)]
pub struct Suggest<P> {
    parser: P,
    names: fn() -> BTreeSet<String>,
}

/// A game: an id, or any other word that finds one.
pub fn game() -> Suggest<OsStringValueParser> {
    let names = || {
        let own = Folders::usual().own_books().into_iter().map(|(name, _)| name);
        catalog::ids().map(|id| id.to_string()).chain(own).collect()
    };
    Suggest { parser: OsStringValueParser::new(), names }
}

/// A variant of the game on the command line.
pub fn variant() -> Suggest<StringValueParser> {
    let names = || {
        let words = words_of_the_line();
        let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
        let is_value = |pair: &&[OsString]| !is_option(&pair[0]) && !is_option(&pair[1]);
        let games = words.windows(2).filter(is_value);
        let games = games.filter_map(|pair| game::find(&pair[1], &Changes::default()).ok());
        games.take(1).flat_map(|game| Listed::from_text(&game.book).variants).collect()
    };
    Suggest { parser: StringValueParser::new(), names }
}

/// A player in a round that people can join.
pub fn player() -> Suggest<StringValueParser> {
    let names = || computers().chain([ADAPTIVE, HUMAN].map(str::to_owned)).collect();
    Suggest { parser: StringValueParser::new(), names }
}

/// A player in a round without people.
pub fn computer() -> Suggest<StringValueParser> {
    Suggest { parser: StringValueParser::new(), names: || computers().collect() }
}

/// One of these words.
pub fn words(names: fn() -> BTreeSet<String>) -> Suggest<StringValueParser> {
    Suggest { parser: StringValueParser::new(), names }
}

/// The words of the line to complete, from the command on. The shell passes them after `--` and the program.
pub fn words_of_the_line() -> Vec<OsString> {
    std::env::args_os().skip_while(|word| word != "--").skip(2).collect()
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
