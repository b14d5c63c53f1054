//! `spoton idea`: tests an idea about a game.

use std::io::Write;
use std::sync::Arc;

use spoton::json;
use spoton::teach::idea::{self, Idea};
use spoton::words;
use spoton::words::page::fold;

use crate::args::IdeaArgs;
use crate::failure::Failure;
use crate::game;
use crate::shown::{answer_out, unplayable_first};
use crate::solving::{ask, games};

pub fn run(args: &IdeaArgs) -> Result<(), Failure> {
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
