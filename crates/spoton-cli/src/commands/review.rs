//! `spoton review`: where a round turned; and over many records, how everybody did.

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use serde_json::{Value as Json, json};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{Draft, Numbers, catalog};
use spoton::people::review::{self, Audience, Review, Tally};
use spoton::records::Record;
use spoton::solver::Value;

use crate::args::ReviewArgs;
use crate::commands::record;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::output::{quoted, wrap};
use crate::progress::{DISCOVERING, is_discovering};
use crate::sitting::setup::only_person;
use crate::sitting::truth::Truth;

pub fn run(args: &ReviewArgs) -> Result<(), Failure> {
    let discover = is_discovering(&Folders::usual())?;
    if discover && (args.json || args.annotate || args.summary) {
        return Err(Failure::Usage(DISCOVERING.to_owned()));
    }
    let truth = Truth::new(args.memory.mebibytes);
    let mut rounds = Vec::new();
    for path in &args.files {
        for (record, round) in record::read(path)? {
            let review = truth.review(&round)?;
            rounds.push((record, round, review));
        }
    }
    let mut out = stdout().lock();
    if args.summary {
        let summary = Summary::of(&rounds);
        let page = if args.json { format!("{}\n", summary.to_json()) } else { summary.in_words() };
        out.write_all(page.as_bytes())?;
        return Ok(());
    }
    for (index, (record, round, review)) in rounds.iter().enumerate() {
        if args.json {
            writeln!(out, "{}", to_json(record, round, review))?;
            continue;
        }
        if index > 0 {
            writeln!(out)?;
        }
        if args.annotate {
            write!(out, "{}", annotated(record, review))?;
        } else {
            let audience = Audience { names: &record.players, you: only_person(&record.computers), discover };
            writeln!(out, "{}", in_words(round, review, &audience))?;
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

/// The review of a round for people: words first, then the strip.
pub fn in_words(round: &Round, review: &Review, audience: &Audience<'_>) -> String {
    let mut said: Vec<String> =
        review::in_words(review, round, audience).iter().map(|line| wrap(line, "", "  ")).collect();
    if !audience.discover && !review.moves.is_empty() {
        said.push(String::new());
        said.push(review::strip(review, round));
        let ByPlayer([one, two]) = audience.names;
        let whose = match round.rulebook().numbers() {
            Numbers::Shared => "",
            Numbers::Separate => "whose move it was, then ",
        };
        let legend = format!(
            "The rows: {whose}the move, the number, and who could force a win there; 1 is {one}, 2 is {two}, = is neither."
        );
        said.push(wrap(&legend, "", "  "));
    }
    said.join("\n")
}

/// The command that takes a round up again at a point of it.
fn play_on(record: &Record, moves: &[&str]) -> String {
    let mut command = format!("spoton play {}", record.rulebook);
    if let Some(variant) = &record.variant {
        command.push_str(&format!(" --variant {variant}"));
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
        command.push_str(&format!(" --target {target}"));
    }
    for (player, option) in Player::BOTH.into_iter().zip(["--p1", "--vs"]) {
        if let Some(computer) = &record.computers[player] {
            command.push_str(&format!(" {option} {computer}"));
        }
    }
    if record.first == Player::Two {
        command.push_str(" --first 2");
    } else if record.computers.0.iter().any(Option::is_some) {
        command.push_str(" --first 1");
    }
    if !moves.is_empty() {
        command.push_str(&format!(" --moves '{}'", moves.join(" ")));
    }
    command
}

/// The record with a mark at every move that deserves one, and the accuracy of both players.
fn annotated(record: &Record, review: &Review) -> Record {
    let mut marked = record.clone();
    for (recorded, judged) in marked.moves.iter_mut().zip(&review.moves) {
        judged.mark().clone_into(&mut recorded.mark);
    }
    for player in Player::BOTH {
        let tag = format!("Accuracy{}", player.number());
        marked.other_tags.retain(|(known, _)| *known != tag);
        if let Some(accuracy) = review.tally[player].accuracy() {
            marked.other_tags.push((tag, format!("{accuracy:.3}")));
        }
    }
    marked
}

fn to_json(record: &Record, round: &Round, review: &Review) -> Json {
    let moves: Vec<Json> = review
        .moves
        .iter()
        .map(|judged| {
            json!({
                "player": judged.player.number(),
                "move": round.rulebook().write(judged.a_move),
                "from": judged.from,
                "to": number(judged.to),
                "best": judged.best.value.word(),
                "made": judged.made.value.word(),
                "decision": judged.decision,
                "subtle": judged.subtle,
                "mark": judged.mark(),
                "better": judged.is_mistake().then(|| round.rulebook().write(judged.better.a_move)),
            })
        })
        .collect();
    let players: Vec<Json> = Player::BOTH
        .map(|player| {
            let tally = review.tally[player];
            json!({
                "player": record.players[player],
                "decisions": tally.met,
                "kept": tally.kept,
                "subtle": tally.subtle_met,
                "subtle_kept": tally.subtle_kept,
                "accuracy": tally.accuracy(),
                "par": review.par.map(|par| par[player].1),
            })
        })
        .to_vec();
    json!({
        "game": record.rulebook,
        "variant": record.variant,
        "settings": record.settings,
        "result": record.result.written(),
        "opening": review.opening.value.word(),
        "turning_point": review.turning_point().map(|(place, judged)| json!({ "move": place + 1, "number": judged.from })),
        "players": players,
        "moves": moves,
    })
}

/// A number; in quotes where it is larger than programs that read JSON can be trusted with.
fn number(number: i128) -> Json {
    i64::try_from(number).map_or_else(|_| number.to_string().into(), Json::from)
}

/// How everybody did, by player, game and seat.
struct Summary(BTreeMap<(String, String, bool), Line>);

#[derive(Default)]
struct Line {
    rounds: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    unfinished: u32,
    /// Rounds that ended at least as well as the seat allows against best play.
    at_best: u32,
    tally: Tally,
    illegal: u32,
}

impl Summary {
    fn of(rounds: &[(Record, Round, Review)]) -> Summary {
        let mut lines: BTreeMap<(String, String, bool), Line> = BTreeMap::new();
        for (record, round, review) in rounds {
            for player in Player::BOTH {
                let key = (record.players[player].clone(), game(record), player == record.first);
                let line = lines.entry(key).or_default();
                line.rounds += 1;
                match round.outcome().map(|outcome| Value::of(outcome, player)) {
                    None => line.unfinished += 1,
                    Some(result) => {
                        match result {
                            Value::Win => line.won += 1,
                            Value::Draw => line.drawn += 1,
                            Value::Loss => line.lost += 1,
                        }
                        line.at_best += u32::from(result >= review.seat(player));
                    }
                }
                let tally = review.tally[player];
                line.tally.met += tally.met;
                line.tally.kept += tally.kept;
                line.tally.subtle_met += tally.subtle_met;
                line.tally.subtle_kept += tally.subtle_kept;
                let tag = format!("Illegal{}", player.number());
                let illegal = record.other_tags.iter().find(|(known, _)| *known == tag);
                line.illegal += illegal.and_then(|(_, count)| count.parse::<u32>().ok()).unwrap_or(0);
            }
        }
        Summary(lines)
    }

    fn to_json(&self) -> Json {
        let lines = self.0.iter().map(|((player, game, first), line)| {
            let over = line.rounds - line.unfinished;
            json!({
                "player": player,
                "game": game,
                "seat": if *first { "first" } else { "second" },
                "rounds": line.rounds,
                "won": line.won,
                "drawn": line.drawn,
                "lost": line.lost,
                "unfinished": line.unfinished,
                "as_good_as_the_seat_allows": line.at_best,
                "as_good_interval": interval(line.at_best, over),
                "decisions": line.tally.met,
                "kept": line.tally.kept,
                "kept_interval": interval(line.tally.kept, line.tally.met),
                "subtle": line.tally.subtle_met,
                "subtle_kept": line.tally.subtle_kept,
                "subtle_interval": interval(line.tally.subtle_kept, line.tally.subtle_met),
                "illegal": line.illegal,
            })
        });
        Json::Array(lines.collect())
    }

    fn in_words(&self) -> String {
        let share = |part: u32, whole: u32| match interval(part, whole) {
            Some([low, high]) => format!("{part} of {whole} ({:.0} to {:.0} %)", low * 100.0, high * 100.0),
            None => "none yet".to_owned(),
        };
        let mut page = String::new();
        for ((player, game, first), line) in &self.0 {
            let seat = if *first { "first" } else { "second" };
            let over = line.rounds - line.unfinished;
            page.push_str(&format!("{player}, {game}, going {seat}\n"));
            page.push_str(&format!(
                "  rounds: {} ({} won, {} drawn, {} lost, {} not finished)\n",
                line.rounds, line.won, line.drawn, line.lost, line.unfinished
            ));
            page.push_str(&format!("  as good as the seat allows: {}\n", share(line.at_best, over)));
            page.push_str(&format!(
                "  choices that mattered, right: {}\n",
                share(line.tally.kept, line.tally.met)
            ));
            page.push_str(&format!(
                "  of these not to be seen at once: {}\n",
                share(line.tally.subtle_kept, line.tally.subtle_met)
            ));
            page.push_str(&format!("  answers that were not legal: {}\n\n", line.illegal));
        }
        page.push_str("In brackets: where the true share lies, 19 times out of 20.\n");
        page
    }
}

/// What was played: settings and variants make games of their own.
fn game(record: &Record) -> String {
    let changes = record.variant.iter().chain(&record.settings);
    changes.fold(record.rulebook.clone(), |game, change| format!("{game} {change}"))
}

/// Where a share lies with 95 % confidence (Wilson's interval); nothing where nothing was counted.
fn interval(part: u32, whole: u32) -> Option<[f64; 2]> {
    const Z: f64 = 1.959_963_984_540_054;
    if whole == 0 {
        return None;
    }
    let (share, count) = (f64::from(part) / f64::from(whole), f64::from(whole));
    let centre = (share + Z * Z / (2.0 * count)) / (1.0 + Z * Z / count);
    let spread =
        Z / (1.0 + Z * Z / count) * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    Some([(centre - spread).max(0.0), (centre + spread).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from a table of Wilson intervals.
    #[test]
    fn intervals_are_wilsons() {
        let close =
            |[low, high]: [f64; 2], (a, b): (f64, f64)| (low - a).abs() < 5e-4 && (high - b).abs() < 5e-4;
        assert!(close(interval(0, 10).unwrap(), (0.0, 0.2775)));
        assert!(close(interval(5, 10).unwrap(), (0.2366, 0.7634)));
        assert!(close(interval(81, 263).unwrap(), (0.2553, 0.3662)));
        assert_eq!(interval(0, 0), None);
    }
}
