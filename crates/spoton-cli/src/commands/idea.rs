//! `spoton idea`: is this rule true?

use std::io::Write;
use std::sync::Arc;

use spoton::json;
use spoton::people::idea::{self, Idea};
use spoton::words::page::fold;

use crate::args::IdeaArgs;
use crate::failure::Failure;
use crate::game;
use crate::shown::answer_out;
use crate::solving::{ask, games};

pub fn run(args: &IdeaArgs) -> Result<(), Failure> {
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let parsed: Idea =
        args.idea.join(" ").parse().map_err(|why: idea::NotUnderstood| Failure::Usage(why.to_string()))?;
    let games = games(args.memory.mebibytes);
    let answer = ask(&games, &rulebook, |game, budget| game.test(&parsed, budget))?;
    let mut out = answer_out(args.json);
    if args.json {
        writeln!(out, "{}", json::idea(&game, &answer))?;
        return Ok(());
    }
    writeln!(out, "{}", fold(&idea::in_words(&answer)))?;
    if let Some(number) = answer.fails_at() {
        let (low, high) = rulebook.range();
        let id = game::command_line(&game);
        writeln!(
            out,
            "Play it out against me from there:\n  spoton play {id} --set range={low},{high} --set start={number} --p1 perfect"
        )?;
    }
    Ok(())
}
