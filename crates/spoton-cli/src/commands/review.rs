//! `spoton review`: turning points of rounds, summaries over many records, and converted records.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use spoton::discovery::Spoiler;
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::evaluate::summary::Summary;
use spoton::format::{Draft, catalog};
use spoton::json;
use spoton::records::Record;
use spoton::sitting::only_person;
use spoton::words::page::wrap;
use spoton::words::phrases;
use spoton::words::review::{self, Audience};
use spoton::words::summary;

use crate::args::{Entry, Memory, json_option, read};
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::output::Colour;
use crate::past_rounds::{self, PastRounds};
use crate::progress::{refuse_if_hidden, view};
use crate::shell::quoted;
use crate::shown::{self, answer_out, coloured_out, json_out};
use crate::solving::{ask, games};

pub const COMMAND: Entry = Entry {
    group: Some("Look"),
    name: "review",
    about: "Review finished rounds: choices and turning points",
    arguments: ReviewArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

const REVIEW_EXAMPLES: &str = "\
Examples:
  spoton review                             (the rounds played here)
  spoton review rounds.txt
  spoton review --summary rounds.txt
  spoton review --convert --json rounds.txt (text records as JSON Lines)";

#[derive(Args, Debug)]
#[command(after_help = REVIEW_EXAMPLES)]
pub struct ReviewArgs {
    /// Record files, or - for standard input [default: rounds played here]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Add up all records by player, game and seat
    #[arg(long, conflicts_with = "annotate")]
    pub summary: bool,

    /// Print the records with marks and accuracy
    #[arg(long, conflicts_with = "json")]
    pub annotate: bool,

    /// Print the records as text, or as JSON with --json
    #[arg(long, requires = "files", conflicts_with_all = ["summary", "annotate"])]
    pub convert: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print JSON Lines; with --summary, one list
    #[arg(long)]
    pub json: bool,
}

fn run(args: &ReviewArgs, colour: Colour) -> Result<(), Failure> {
    if args.convert {
        return convert(&args.files, args.json);
    }
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
        let summary =
            Summary::from_rounds(rounds.iter().map(|(record, round, review)| (record, round, review)));
        match args.json {
            true => out.answer(&json::summary(&summary))?,
            false => out.write_all(colour.headings(&summary::page(&summary)).as_bytes())?,
        }
        return Ok(());
    }
    for (index, (record, round, review)) in rounds.iter().enumerate() {
        if args.json {
            out.answer(&json::review(record, round, review))?;
            continue;
        }
        if index > 0 {
            writeln!(out)?;
        }
        if args.annotate {
            write!(out, "{}", review.annotate(record))?;
        } else {
            // Rounds played here need a heading; users know their own files.
            if args.files.is_empty() {
                let heading = wrap(&heading(index + 1, record, round), "", "  ");
                writeln!(out, "{}", colour.name(&heading))?;
            }
            let audience = Audience { names: &record.players, you: only_person(&record.computers), discover };
            writeln!(out, "{}", colour.review(&review::page(review, round, &audience)))?;
            // Shows no command for a player's own file, which may have moved.
            if let (Some((place, _)), false, false) =
                (review.turning_point(), discover, record.carries_whole_book())
            {
                let moves: Vec<&str> =
                    record.moves[..place].iter().map(|recorded| recorded.written.as_str()).collect();
                writeln!(out, "Play from there: {}", play_on(record, &moves))?;
            }
        }
    }
    Ok(())
}

/// The rounds that people finished on this machine. Reports unreadable ones.
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
        // Keep going if standard error is closed.
        let _ = writeln!(shown::err(), "spoton: {many} could not be read");
    }
    match replayed.is_empty() {
        true => Err(Failure::Failed("no finished rounds on this computer; name a record file".to_owned())),
        false => Ok(replayed),
    }
}

/// The heading of a round: number, date, game and players.
fn heading(number: usize, record: &Record, round: &Round) -> String {
    let day = past_rounds::day(record).map(|day| format!(", {day}")).unwrap_or_default();
    let you = only_person(&record.computers);
    let name = |player: Player| if you == Some(player) { "you" } else { &record.players[player] };
    let (one, two) = (name(Player::One), name(Player::Two));
    format!("Round {number}{day}: {}, {one} and {two}", round.rulebook().title())
}

/// The command that resumes a round from one of its positions.
fn play_on(record: &Record, moves: &[&str]) -> String {
    let mut command = format!("spoton play {}", quoted(&record.rulebook));
    if let Some(variant) = &record.variant {
        command.push_str(&format!(" --variant {}", quoted(variant)));
    }
    for setting in &record.settings {
        command.push_str(&format!(" --rule {}", quoted(setting)));
    }
    // The record's target may differ from the settings, for example if it was random.
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

/// Replays records and prints them as text or JSON.
pub fn convert(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    let mut out = answer_out(json);
    let mut first = true;
    for path in files {
        for (record, _) in files::replay_records(path)? {
            if json {
                writeln!(out, "{}", record.to_json())?;
            } else {
                if !first {
                    writeln!(out)?;
                }
                write!(out, "{record}")?;
            }
            first = false;
        }
    }
    Ok(())
}
