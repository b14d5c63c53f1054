//! What completions offer for a value that may be anything: games, variants and opponents by their names.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use clap::builder::{OsStringValueParser, PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use spoton::format::{Listed, catalog};
use spoton::people::opponent::Opponent;
use spoton::sitting::{ADAPTIVE, HUMAN};

/// Takes whatever `parser` takes; the names are only offered.
#[derive(Clone)]
pub struct Suggest<P> {
    parser: P,
    names: fn() -> BTreeSet<String>,
}

/// A game's id, or anything else that finds one.
pub fn game() -> Suggest<OsStringValueParser> {
    Suggest {
        parser: OsStringValueParser::new(),
        names: || catalog::ids().map(|id| id.to_string()).collect(),
    }
}

/// A variant of some game.
pub fn variant() -> Suggest<StringValueParser> {
    Suggest {
        parser: StringValueParser::new(),
        names: || Listed::shipped().flat_map(|game| game.variants).collect(),
    }
}

/// Somebody to play as or against.
pub fn player() -> Suggest<StringValueParser> {
    let names = || {
        let others = ["easy", "medium", "hard", ADAPTIVE, HUMAN];
        let named = Opponent::all().map(|opponent| opponent.to_string());
        named.chain(others.map(str::to_owned)).collect()
    };
    Suggest { parser: StringValueParser::new(), names }
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
