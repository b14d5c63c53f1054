//! Every game has a playthrough. For the five original books, it pins every byte of their own sentences, beginning with
//! the dialogues from the books. For all other games, it pins the record: the moves and the result.
//!
//! A file begins with `$ spoton …`, the command, and `> …`, the answers with commas between them; an answer can be
//! empty. The rest is what the program prints, or the record. `SPOTON_UPDATE=1 cargo test --test all playthroughs::` updates
//! it.

use crate::support;

use std::path::{Path, PathBuf};

use spoton::format::catalog;
use support::{Folder, spoton};

struct Playthrough {
    path: PathBuf,
    head: String,
    args: Vec<String>,
    answers: Vec<String>,
    expected: String,
}

/// The books with their own sentences.
const ORIGINAL: [&str; 5] =
    ["number-maze", "double-or-add", "operation-target", "sequence-math-duel", "target-twenty-one"];

impl Playthrough {
    fn is_original(&self) -> bool {
        self.args.get(1).is_some_and(|game| ORIGINAL.contains(&game.as_str()))
    }

    /// The program's output.
    fn printed(&self) -> String {
        let answers: Vec<&str> = self.answers.iter().map(String::as_str).collect();
        spoton(&self.args).answers(&answers).run().success()
    }

    /// The recorded moves and the result.
    fn recorded(&self) -> String {
        let folder = Folder::new();
        let answers: Vec<&str> = self.answers.iter().map(String::as_str).collect();
        let args = self.args.iter().map(String::as_str).chain(["--record", "r.jsonl"]);
        spoton(args).folder(&folder).answers(&answers).run().success();
        let record: serde_json::Value = serde_json::from_str(&folder.read("r.jsonl")).unwrap();
        let moves = record["moves"].as_array().unwrap().iter().map(|made| made.as_str().unwrap().to_owned());
        format!("{}\n{} {}\n", moves.collect::<Vec<_>>().join(" "), record["result"], record["ending"])
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs")
}

fn read(path: PathBuf) -> Playthrough {
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.splitn(3, '\n');
    let (command, answers) = (lines.next().unwrap(), lines.next().unwrap());
    let args = command.strip_prefix("$ spoton ").unwrap_or_else(|| panic!("{}: no command", path.display()));
    let typed = answers.strip_prefix(">").unwrap_or_else(|| panic!("{}: no answers", path.display())).trim();
    let typed: Vec<String> = if typed.is_empty() {
        vec![]
    } else {
        typed.split(',').map(|answer| answer.trim().to_owned()).collect()
    };
    Playthrough {
        head: format!("{command}\n{answers}\n"),
        args: args.split_whitespace().map(str::to_owned).collect(),
        answers: typed,
        expected: lines.next().unwrap_or_default().to_owned(),
        path,
    }
}

fn all() -> Vec<Playthrough> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(read).collect()
}

#[test]
fn every_playthrough_is_as_recorded() {
    let update = std::env::var_os("SPOTON_UPDATE").is_some();
    let mut played = 0;
    for playthrough in all() {
        let printed = if playthrough.is_original() { playthrough.printed() } else { playthrough.recorded() };
        if update {
            std::fs::write(&playthrough.path, format!("{}{printed}", playthrough.head)).unwrap();
        } else {
            assert_eq!(printed, playthrough.expected, "{}", playthrough.path.display());
        }
        played += 1;
    }
    assert!(played > 0);
}

#[test]
fn no_game_is_without_a_playthrough() {
    let args: Vec<Vec<String>> = all().into_iter().map(|playthrough| playthrough.args).collect();
    for id in catalog::ids() {
        assert!(
            args.iter().any(|args| args.get(1).is_some_and(|game| game == id)),
            "{id} has no playthrough"
        );
    }
}

/// Whether the first answers make a move: resigning there leaves a record.
fn made_a_move(playthrough: &Playthrough, answers: &[&str]) -> bool {
    let folder = Folder::new();
    let args = playthrough.args.iter().map(String::as_str).chain(["--record", "r.txt"]);
    let answers = [answers, &["resign"]].concat();
    spoton(args).folder(&folder).answers(&answers).run().success();
    folder.read("r.txt").contains("\n1. ")
}

/// Promise T2: wherever the input ends, Spot On saves the round if it has a move. Resuming it gives the same round.
#[test]
fn the_input_may_end_after_any_line() {
    for mut playthrough in all() {
        playthrough.expected = playthrough.printed();
        for end in 0..playthrough.answers.len() {
            let folder = Folder::new();
            let (before, after) = playthrough.answers.split_at(end);
            let before: Vec<&str> = before.iter().map(String::as_str).collect();
            let after: Vec<&str> = after.iter().map(String::as_str).collect();
            let first = spoton(&playthrough.args).folder(&folder).answers(&before).run();
            assert_eq!(first.status, 0, "{first:?}");
            assert!(playthrough.expected.starts_with(first.stdout.trim_end_matches('\n')), "{first:?}");
            let saves = folder.saves();
            if !made_a_move(&playthrough, &before) {
                assert!(saves.is_empty() && !first.stderr.contains("Saved to"), "{saves:?} {first:?}");
                continue;
            }
            assert_eq!(saves.len(), 1, "{}: cut after {end} lines: {saves:?}", playthrough.path.display());
            assert!(first.stderr.contains(&saves[0].display().to_string()), "{first:?}");
            let second = spoton(["play", "--resume"]).folder(&folder).answers(&after).run();
            assert_eq!(second.status, 0, "{second:?}");
            // If the input ends between a turn's two questions, Spot On asks the first one again. After an invalid
            // answer, it shows the whole turn again. In these cases the rest reads slightly differently.
            let in_between = first.stdout.contains("You can't")
                || first.stdout.contains("isn't allowed")
                || first.stdout.contains("Please");
            if !in_between && !first.stdout.trim_end().ends_with("Choose a number (1-3):") {
                assert!(playthrough.expected.ends_with(&second.stdout), "{second:?}");
                let over = playthrough.expected.ends_with("!\n");
                assert_eq!(folder.saves().is_empty(), over, "only an unfinished round is saved");
            }
        }
    }
}
