//! `spoton idea`: is this rule true?

use std::io::{Write, stdout};
use std::sync::Arc;

use serde_json::json;
use spoton::format::Rulebook;
use spoton::people::idea::{self, Answer, Fails, Idea};

use crate::args::IdeaArgs;
use crate::failure::Failure;
use crate::game;
use crate::solving::with_budget;

pub fn run(args: &IdeaArgs) -> Result<(), Failure> {
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let parsed: Idea =
        args.idea.parse().map_err(|why: idea::NotUnderstood| Failure::Usage(format!("this is {why}")))?;
    let tested = test(&parsed, &rulebook, args.memory.mebibytes)?;
    let mut out = stdout().lock();
    if args.json {
        let (answer, number, missing) = match &tested {
            Answer::False { number, .. } => ("false", Some(*number), None),
            Answer::Complete { .. } => ("complete", None, None),
            Answer::Partial { missing } => ("partial", None, Some(*missing)),
            Answer::Circles | Answer::NoSeat => ("partial", None, Some(0)),
            Answer::Nothing => ("nothing", None, None),
            Answer::NumberDoesNotDecide => ("number-does-not-decide", None, None),
        };
        let said = idea::in_words(&tested);
        writeln!(
            out,
            "{}",
            json!({ "game": game.id(), "answer": answer, "number": number, "missing": missing, "said": said })
        )?;
        return Ok(());
    }
    writeln!(out, "{}", idea::in_words(&tested))?;
    if let Answer::False { number, why: Fails::TheyWin | Fails::TheyHold } = tested {
        let (low, high) = rulebook.range();
        let id = game::command_line(&game);
        writeln!(
            out,
            "Play it out against me from there? spoton play {id} --set range={low},{high} --set start={number} --p1 perfect"
        )?;
    }
    Ok(())
}

/// The answer to an idea in words, and the number at which it fails and could be played out.
pub fn answer(
    text: &str,
    rulebook: &Arc<Rulebook>,
    mebibytes: u64,
) -> Result<(String, Option<i64>), Failure> {
    let parsed: Idea = match text.parse() {
        Ok(parsed) => parsed,
        Err(why) => return Ok((format!("This is {why}."), None)),
    };
    match test(&parsed, rulebook, mebibytes) {
        Ok(tested) => {
            let fails_at = match tested {
                Answer::False { number, why: Fails::TheyWin | Fails::TheyHold } => Some(number),
                _ => None,
            };
            Ok((idea::in_words(&tested), fails_at))
        }
        Err(failure @ Failure::Failed(_)) => Ok((format!("No answer: {failure}."), None)),
        Err(failure) => Err(failure),
    }
}

fn test(parsed: &Idea, rulebook: &Arc<Rulebook>, mebibytes: u64) -> Result<Answer, Failure> {
    with_budget(mebibytes, |budget| idea::test(parsed, rulebook, budget))
}
