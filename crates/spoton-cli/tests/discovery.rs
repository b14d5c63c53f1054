//! Discovery mode: no command shows who wins, or which numbers matter. Commands and options come from the completions, so
//! that a new one without a decision here fails.

use crate::support;

use std::collections::BTreeSet;

use support::{Folder, spoton};

/// A game whose secret is easy to recognise wherever it appears.
const BOOK: &str = "\
# COMMENT: leave 3, then every 5.
title = \"Race\"
notes = [
  \"NOTE: leave 18.\",  # COMMENT
]
start = 0
target = 23
moves = [\"+1..4\"]
past = \"forbidden\"
claims = [\"ends\", \"no-draws\", \"first-wins\"]

# COMMENT: here the second player wins.
[variants.short]
target = 20
notes = [\"NOTE: leave 15.\"]
claims = [\"second-wins\"]
";

/// A round of this game, lost at 4.
const ROUND: &[&str] = &["+3", "+1", "+1", "+3", "+4", "+1", "+4", "+1", "+4", "+1"];

/// Claims, notes, values, hints, turning points and the numbers to leave.
const SPOILERS: &[&str] = &[
    "COMMENT",
    "NOTE",
    "first-wins",
    "second-wins",
    "force a win",
    "keeps your win",
    "turned at",
    "urning point",
    "turning_point",
    "Better:",
    "choices mattered.",
    "Every 5 from 3",
    "every 5 from 3",
    "\"value\"",
    "\"remoteness\"",
    "\"first_wins\"",
    "first_player_wins",
    "score cp",
    "   3 o",
    "can land on",
];

/// Calls of a command: its arguments, and the lines to type.
type Lines = &'static [(&'static str, &'static [&'static str])];

/// How the test calls each command, and the input it types. Together, a command's calls cover all its options, except those
/// that never show anything.
const ASKED: &[(&str, Lines)] = &[
    (
        "play",
        &[
            (
                "book.toml --coach --record more.txt",
                &["hint", "why", "rules", "help", "+4", "hint", "resign"],
            ),
            (
                "book.toml --vs pip --first 1 --discover=on --names Ann,Ben --seed 3",
                &["hint", "why", "rules", "resign"],
            ),
            ("book.toml --p1 sage --p2 human --first-to 1", &["hint", "rules", "resign"]),
            ("book.toml --moves +3 --rounds 1", &["hint", "why", "finish", "quit"]),
            ("--resume", &["hint", "why", "rules", "quit"]),
            ("book.toml --variant short", &["rules", "hint", "quit"]),
            ("race-to-23 --rule target=21", &["rules", "hint", "quit"]),
            ("race-to-23 --target 21", &["rules", "hint", "quit"]),
            ("operation-target", &["rules", "hint", "quit"]),
        ],
    ),
    (
        "today",
        &[("--date 2026-11-15", &["hint", "why", "rules", "resign"]), ("--date 2026-11-15 --json", &[])],
    ),
    (
        "puzzle",
        &[
            ("book.toml", &["hint", "why", "rules", "help", "resign"]),
            ("book.toml --json", &[]),
            ("race-to-23 --variant none", &[]),
            ("race-to-23 --target 24 --rule start=1", &["resign"]),
        ],
    ),
    ("games", &[("", &[]), ("--long", &[]), ("--json", &[]), ("--opponents", &[])]),
    (
        "rules",
        &[
            ("book.toml", &[]),
            ("book.toml --source", &[]),
            ("book.toml --json", &[]),
            ("book.toml --markdown", &[]),
            ("book.toml --variant short --json", &[]),
            ("two-castles --rule start=20 --target 0", &[]),
            ("race-to-23 --source", &[]),
            ("race-to-23 --json", &[]),
            ("operation-target", &[]),
            ("operation-target --markdown", &[]),
        ],
    ),
    (
        "solve",
        &[
            ("book.toml", &[]),
            ("book.toml --json --moves +3", &[]),
            ("book.toml --stdin", &["+3"]),
            ("book.toml --variant short --rule start=1 --target 19", &[]),
        ],
    ),
    (
        "map",
        &[
            ("book.toml", &[]),
            ("book.toml --json", &[]),
            ("book.toml --blank", &[]),
            ("book.toml --uncover", &[]),
            ("book.toml --last +1,+1 --variant short --rule start=1 --target 19", &[]),
        ],
    ),
    (
        "idea",
        &[
            ("book.toml \"leave 4\"", &[]),
            ("book.toml \"leave 3 8\" --json", &[]),
            ("book.toml \"leave 4\" --variant short --rule start=1 --target 19", &[]),
        ],
    ),
    (
        "opponents",
        &[
            ("", &[]),
            ("--json", &[]),
            ("book.toml", &[]),
            ("book.toml --json --variant short --rule start=1 --target 19", &[]),
        ],
    ),
    (
        "audit",
        &[
            ("book.toml", &[]),
            ("book.toml --json --better --strict", &[]),
            ("book.toml --markdown --variant short --rule start=1 --target 19", &[]),
            ("book.toml --targets 5..30", &[]),
        ],
    ),
    (
        "invent",
        &[
            ("--seed 7 --json --count 2 --level 1", &[]),
            ("--seed 7 --to games --length 3..40 --subtle 1.. --guess 0.9", &[]),
            ("--seed 7 --like book.toml", &[]),
        ],
    ),
    (
        "bot arena",
        &[
            ("book.toml --p1 careful --p2 sage", &[]),
            (
                "book.toml --p1 careful --p2 sage --json --rounds 1 --seat first --record more.jsonl --names A,B",
                &[],
            ),
            ("book.toml --p1 careful --p2 sage --variant short --rule start=1 --target 19", &[]),
        ],
    ),
    (
        "bot bench",
        &[
            ("random --rounds 1 --seat first --vs careful", &[]),
            ("random --json --rounds 1 --fresh 2026-11-15", &[]),
            ("random --markdown --rounds 1", &[]),
        ],
    ),
    (
        "bot engine",
        &[(
            "",
            &[
                "rules {start = 0, target = 23, moves = ['+1..4'], past = 'forbidden'}",
                "position opening",
                "go perfect",
            ],
        )],
    ),
    ("bot check", &[("false --json --answer-time 100", &[])]),
    ("config", &[("", &[]), ("discovery", &[])]),
    ("help", &[("", &[]), ("play", &[])]),
    (
        "review",
        &[
            ("", &[]),
            ("round.txt", &[]),
            ("round.txt --json", &[]),
            ("round.txt --summary", &[]),
            ("round.txt --annotate", &[]),
            ("round.txt --convert", &[]),
            ("round.txt --convert --json", &[]),
        ],
    ),
    (
        "new",
        &[("like.toml --like book.toml", &[]), ("race.toml --like race-to-23", &[]), ("plain.toml", &[])],
    ),
    ("check", &[("book.toml", &[]), ("book.toml --json", &[])]),
    ("completions", &[("bash", &[])]),
    ("man", &[("rules", &[]), ("", &[])]),
    ("arena", &[("book.toml --p1 careful --p2 sage", &[])]),
    ("bench", &[("random --rounds 1", &[])]),
    ("engine", &[("", &["rules race-to-23", "position opening", "go perfect"]), ("--check false", &[])]),
    ("discover", &[("", &[])]),
    ("record", &[("round.txt", &[]), ("round.txt --json", &[])]),
];

/// Commands that the completions don't offer: two tools, and old spellings.
const HIDDEN: &[&str] =
    &["completions", "man", "arena", "bench", "engine", "discover", "opponents", "record"];

/// Options that show nothing: how to run programs, how things look, and random numbers.
const SHOWS_NOTHING: &[&str] = &[
    "help",
    "version",
    "color",
    "memory-limit",
    "seed",
    "tries",
    "move-time",
    "no-legal-list",
    "prompt",
    "disguise",
    "go",
    "keep-going",
    "no-motion",
    "ascii",
    "background",
];

/// Splits a line into words, like a shell.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Every command with its options, taken from the completions that clap offers a shell.
fn defined() -> Vec<(String, BTreeSet<String>)> {
    let offered = |words: &[&str]| -> BTreeSet<String> {
        let line = ["--", "spoton"].iter().chain(words);
        let asked = spoton(line).command().env("SPOTON_COMPLETE", "fish").output().unwrap();
        assert!(asked.status.success(), "{asked:?}");
        let offers = String::from_utf8(asked.stdout).unwrap();
        offers.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect()
    };
    let is_command = |offer: &String| !offer.starts_with('-');
    let mut commands: BTreeSet<String> = offered(&[""]).into_iter().filter(is_command).collect();
    assert!(commands.len() > 14, "{commands:?}");
    assert!(commands.remove("bot"));
    commands
        .extend(offered(&["bot", ""]).into_iter().filter(is_command).map(|command| format!("bot {command}")));
    let options = |command: &String| {
        let options = offered(&command.split(' ').chain(["--"]).collect::<Vec<_>>());
        assert!(options.contains("--help"), "{command}: {options:?}");
        options.iter().filter_map(|option| option.strip_prefix("--")).map(str::to_owned).collect()
    };
    commands.iter().map(|command| (command.clone(), options(command))).collect()
}

/// A folder with the game, a finished round of it, and an unfinished one.
fn folder(discovery: &str) -> Folder {
    let folder = Folder::new();
    folder.write("book.toml", BOOK);
    spoton(["play", "book.toml", "--record", "round.txt"]).folder(&folder).answers(ROUND).run().success();
    spoton(["play", "book.toml"]).folder(&folder).answers(&["+1", "quit"]).run().success();
    spoton(["discover", discovery]).folder(&folder).run().success();
    folder
}

/// Everything that each of the wanted commands shows and writes.
fn shown(folder: &Folder, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let known = |name: &str| ["book.toml", "round.txt"].contains(&name);
    let mut shown = Vec::new();
    for (command, lines) in ASKED.iter().filter(|(command, _)| wanted(command)) {
        for (line, typed) in *lines {
            let args = command.split(' ').map(str::to_owned).chain(words(line));
            let ran = spoton(args).folder(folder).answers(typed).run();
            let mut all = format!("{}\n{}\n", ran.stdout, ran.stderr);
            for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
                let name = entry.file_name().into_string().unwrap();
                if entry.path().is_file() && !known(&name) {
                    all += &folder.read(&name);
                    std::fs::remove_file(entry.path()).unwrap();
                }
            }
            shown.push((format!("{command} {line}"), all));
        }
    }
    shown
}

#[test]
fn every_command_and_option_has_a_decision() {
    let defined = defined();
    let commands = defined.iter().map(|(command, _)| command.as_str());
    let commands: BTreeSet<&str> = commands.chain(HIDDEN.iter().copied()).collect();
    assert_eq!(commands, ASKED.iter().map(|(command, _)| *command).collect());
    for (command, options) in &defined {
        let (_, lines) = ASKED.iter().find(|(asked, _)| asked == command).unwrap();
        let asked: Vec<String> = lines.iter().flat_map(|(line, _)| words(line)).collect();
        for option in options.iter().filter(|option| !SHOWS_NOTHING.contains(&option.as_str())) {
            let named = asked.iter().any(|word| word.split('=').next() == Some(&format!("--{option}")));
            assert!(named, "spoton {command} --{option}: what does it show in discovery?");
        }
    }
}

#[test]
fn no_command_shows_who_wins_or_which_numbers_matter() {
    // A tested guess reveals who wins there. A handout explains the marks to fill in; help, man pages and completions explain
    // the commands.
    let explains = |asked: &str| {
        let begins =
            ["idea ", "man ", "help ", "completions "].iter().any(|begins| asked.starts_with(begins));
        begins || asked.ends_with("--uncover") || asked.ends_with("--blank")
    };
    for (asked, text) in shown(&folder("on"), |_| true) {
        for spoiler in SPOILERS
            .iter()
            .filter(|spoiler| !(explains(&asked) && ["force a win", "urning point"].contains(*spoiler)))
        {
            assert!(!text.contains(spoiler), "spoton {asked} shows {spoiler:?}:\n{text}");
        }
    }
}

/// Without discovery mode, the commands do use the words that the test above looks for.
#[test]
fn without_discovery_they_do() {
    for command in ["audit", "map", "new", "opponents", "play", "review", "rules", "solve"] {
        let shown = shown(&folder("off"), |wanted| wanted == command);
        let tells = |text: &String| SPOILERS.iter().any(|spoiler| text.contains(spoiler));
        assert!(shown.iter().any(|(_, text)| tells(text)), "spoton {command}: {shown:?}");
    }
}

#[test]
fn omissions_are_named_and_the_rest_can_be_played() {
    let folder = folder("on");
    let run = |args: &[&str]| spoton(args).folder(&folder).run().success();
    let source = run(&["rules", "book.toml", "--source"]);
    assert!(
        source.starts_with("# Discovery mode is on: claims, notes and comments are hidden.\n"),
        "{source}"
    );
    folder.write("seen.toml", &source);
    run(&["check", "seen.toml"]);
    let keys = |name: &str| {
        let told: serde_json::Value = serde_json::from_str(&run(&["rules", name, "--json"])).unwrap();
        assert_eq!(told["hidden"], serde_json::json!(["notes", "claims"]));
        (told["keys"].clone(), told["variants"].clone())
    };
    assert_eq!(keys("seen.toml"), keys("book.toml"));
    let page = run(&["rules", "book.toml"]);
    assert!(page.contains("Discovery mode is on: claims, notes and comments are hidden."), "{page}");
}
