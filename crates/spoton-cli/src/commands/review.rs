//! `spoton review`: where a round turned; and over many records, how everybody did.

use std::io::Write;

use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{Draft, catalog};
use spoton::json;
use spoton::people::review::{self, Audience};
use spoton::people::summary::{self, Summary};
use spoton::records::Record;
use spoton::sitting::discovery::Spoiler;
use spoton::sitting::only_person;
use spoton::words::page::wrap;
use spoton::words::phrases;

use crate::args::ReviewArgs;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::output::Colour;
use crate::past_rounds::{self, PastRounds};
use crate::progress::{refuse_if_hidden, view};
use crate::shell::quoted;
use crate::shown::{self, coloured_out, json_out};
use crate::solving::{ask, games};

pub fn run(args: &ReviewArgs, colour: Colour) -> Result<(), Failure> {
    let folders = Folders::usual();
    if args.json || args.annotate || args.summary {
        refuse_if_hidden(&folders, Spoiler::TurningPoint)?;
    }
    let discover = view(&folders).hides(Spoiler::TurningPoint);
    let games = games(args.memory.mebibytes);
    let mut replayed = Vec::new();
    for path in &args.files {
        replayed.extend(files::replay_records(path)?);
    }
    if args.files.is_empty() {
        replayed = past_rounds(&folders)?;
    }
    let mut rounds = Vec::new();
    for (record, round) in replayed {
        let review = ask(&games, round.rulebook(), |game, budget| game.review(&round, budget))?;
        rounds.push((record, round, review));
    }
    let mut out = if args.json { json_out() } else { coloured_out(colour) };
    if args.summary {
        let summary = Summary::of(rounds.iter().map(|(record, round, review)| (record, round, review)));
        let page = if args.json {
            format!("{}\n", json::summary(&summary))
        } else {
            colour.headings(&summary::page(&summary))
        };
        out.write_all(page.as_bytes())?;
        return Ok(());
    }
    for (index, (record, round, review)) in rounds.iter().enumerate() {
        if args.json {
            writeln!(out, "{}", json::review(record, round, review))?;
            continue;
        }
        if index > 0 {
            writeln!(out)?;
        }
        if args.annotate {
            write!(out, "{}", review.annotate(record))?;
        } else {
            // Whoever named a file knows what is in it; of the rounds played here, nobody knows which is which.
            if args.files.is_empty() {
                let heading = wrap(&heading(index + 1, record, round), "", "  ");
                writeln!(out, "{}", colour.name(&heading))?;
            }
            let audience = Audience { names: &record.players, you: only_person(&record.computers), discover };
            writeln!(out, "{}", colour.review(&review::page(review, round, &audience)))?;
            // A file of the player's own may be anywhere by now; there is no command for it.
            if let (Some((place, _)), false, false) =
                (review.turning_point(), discover, record.carries_whole_book())
            {
                let moves: Vec<&str> =
                    record.moves[..place].iter().map(|recorded| recorded.written.as_str()).collect();
                writeln!(out, "Play on from there: {}", play_on(record, &moves))?;
            }
        }
    }
    Ok(())
}

/// The rounds that people have played here to their end; those that cannot be read or replayed are told of.
fn past_rounds(folders: &Folders) -> Result<Vec<(Record, Round)>, Failure> {
    let past = PastRounds::read(folders)?;
    let mut replayed = Vec::new();
    let mut unreadable = past.unreadable;
    for mut record in past.rounds.into_iter().map(|round| round.record) {
        match record.replay() {
            Ok(round) => {
                record.state(round.outcome());
                replayed.push((record, round));
            }
            Err(_) => unreadable += 1,
        }
    }
    if unreadable > 0 {
        let many = phrases::count(unreadable as u64, "round", "rounds");
        // If nobody listens, the others are looked back on all the same.
        let _ = writeln!(shown::err(), "spoton: {many} could not be read");
    }
    match replayed.is_empty() {
        true => Err(Failure::Failed(
            "no round has been played to its end here; name a file with records".to_owned(),
        )),
        false => Ok(replayed),
    }
}

/// What is said over a round: which it is, when it was played, what, and by whom.
fn heading(number: usize, record: &Record, round: &Round) -> String {
    let day = past_rounds::day(record).map(|day| format!(", {day}")).unwrap_or_default();
    let ByPlayer([one, two]) = &record.players;
    format!("Round {number}{day}: {}, {one} and {two}", round.rulebook().title())
}

/// The command that takes a round up again at a point of it.
fn play_on(record: &Record, moves: &[&str]) -> String {
    let mut command = format!("spoton play {}", quoted(&record.rulebook));
    if let Some(variant) = &record.variant {
        command.push_str(&format!(" --variant {}", quoted(variant)));
    }
    for setting in &record.settings {
        command.push_str(&format!(" --set {}", quoted(setting)));
    }
    // A record may state another target than its settings come to.
    let usual = catalog::draft(&record.rulebook).and_then(|draft| {
        let draft = record.variant.iter().try_fold(draft, |draft, variant| draft.variant(variant)).ok()?;
        let set = |draft: Draft, setting: &String| draft.set("settings", setting);
        record.settings.iter().fold(draft, set).build().ok()?.target()
    });
    if let Some(target) =
        record.target.as_ref().filter(|target| usual.map(|usual| usual.to_string()).as_ref() != Some(target))
    {
        command.push_str(&format!(" --target {}", quoted(target)));
    }
    for (player, option) in Player::BOTH.into_iter().zip(["--p1", "--vs"]) {
        if let Some(computer) = &record.computers[player] {
            command.push_str(&format!(" {option} {}", quoted(computer)));
        }
    }
    if record.first == Player::Two {
        command.push_str(" --first 2");
    } else if record.computers.0.iter().any(Option::is_some) {
        command.push_str(" --first 1");
    }
    if !moves.is_empty() {
        command.push_str(&format!(" --moves {}", quoted(moves.join(" "))));
    }
    command
}
