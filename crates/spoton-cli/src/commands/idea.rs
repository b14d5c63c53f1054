//! `spoton idea`: tests an idea about a game.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use clap::Args;
use spoton::json;
use spoton::teach::idea::{self, Idea};
use spoton::words;
use spoton::words::page::fold;

use crate::args::{Entry, GameArgs, Memory, json_option, read};
use crate::failure::Failure;
use crate::game;
use crate::shown::{answer_out, unplayable_first};
use crate::solving::{ask, games};

pub const COMMAND: Entry = Entry {
    group: Some("Look"),
    name: "idea",
    about: "Test an idea such as \"leave 5 10 15\"",
    arguments: IdeaArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const IDEA_FORMS: &str = "\
An idea lists the numbers to leave to your opponent:
  leave 5 10 15
  leave even, leave odd from 5, leave odd from 9 to 15
  leave every 6 from 2
  leave primes, leave squares to 50, leave multiples of 7
Join several with \"and\".";

#[derive(Args, Debug)]
#[command(after_help = IDEA_FORMS)]
pub struct IdeaArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The idea, with or without quotes
    #[arg(required = true, allow_negative_numbers = true)]
    pub idea: Vec<String>,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

fn run(args: &IdeaArgs) -> Result<(), Failure> {
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let parsed: Idea =
        args.idea.join(" ").parse().map_err(|why: idea::NotUnderstood| Failure::Usage(why.to_string()))?;
    let games = games(args.memory.mebibytes);
    let answer = ask(&games, &rulebook, |game, budget| game.test(&parsed, budget))?;
    if args.json {
        answer_out(true).answer(&json::idea(&game, &answer))?;
        return Ok(());
    }
    unplayable_first(&rulebook)?;
    let mut out = answer_out(false);
    writeln!(out, "{}", fold(&words::idea::in_words(&answer)))?;
    if let Some(number) = answer.fails_at() {
        let (low, high) = rulebook.range();
        let id = game::command_line(&game);
        writeln!(
            out,
            "Play it out from there:\n  spoton play {id} --rule range={low},{high} --rule start={number} --vs perfect --first 2"
        )?;
    }
    Ok(())
}

/// Keeps an idea that starts with a negative number, such as "-3 -8", from being parsed as an option.
pub fn idea_or_option(word: OsString) -> OsString {
    let text = word.to_string_lossy();
    let begins_with_number =
        text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if begins_with_number
        && text.contains(' ')
        && std::env::args_os().nth(1).is_some_and(|command| command == "idea")
    {
        return format!("leave {text}").into();
    }
    word
}
