//! Commands that answer and exit: output, JSON, errors and exit status.

use crate::support;

use std::path::Path;

use serde_json::Value;
use spoton::format::catalog;
use support::{Folder, spoton};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn games_lists_every_game_and_the_players_own() {
    let folder = Folder::new();
    folder.write(
        "spoton/rulebooks/kitchen.toml",
        "title = \"Kitchen\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n",
    );
    folder.write("spoton/rulebooks/broken.toml", "title = 3\n");
    let printed = spoton(["games"]).folder(&folder).run().success();
    let list = json(&spoton(["games", "--json"]).folder(&folder).run().success());
    let listed: Vec<&str> =
        list.as_array().unwrap().iter().map(|game| game["game"].as_str().unwrap()).collect();
    for id in catalog::ids().chain(["kitchen", "broken"]) {
        assert!(printed.contains(id) && listed.contains(&id), "{id}: {printed}");
    }
    let of = |id: &str| list.as_array().unwrap().iter().find(|game| game["game"] == id).unwrap().clone();
    assert_eq!(
        (of("kitchen")["valid"].as_bool(), of("broken")["valid"].as_bool()),
        (Some(true), Some(false))
    );
    assert!(of("number-maze")["variants"].as_array().unwrap().contains(&"to-34".into()));
    // The name, or part of it, is enough to play the game.
    for name in ["kitchen", "kitch"] {
        let played = spoton(["play", name]).folder(&folder).run().success();
        assert!(played.starts_with("Kitchen\n"), "{played}");
    }
}

#[test]
fn rules_explain_every_game_and_every_variant() {
    for id in catalog::ids() {
        let draft = catalog::draft(id).unwrap();
        let page = spoton(["rules", id]).run().success();
        let rulebook = draft.build().unwrap();
        assert!(page.starts_with(rulebook.title()), "{page}");
        for rule in rulebook.moves() {
            assert!(page.contains(&rule.to_string()), "{page}");
        }
        let unwrapped = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for note in rulebook.notes() {
            assert!(unwrapped.contains(note), "{note} is not in {page}");
        }
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        for variant in draft.variants() {
            assert!(page.contains(&format!("  - {variant}")), "{page}");
            let markdown = spoton(["rules", id, "--variant", variant, "--markdown"]).run().success();
            assert!(markdown.starts_with("# ") && markdown.contains("\n## How to play\n\n- "), "{markdown}");
        }
        let source = spoton(["rules", id, "--source"]).run().success();
        assert_eq!(source, catalog::text(id).unwrap());
    }
}

#[test]
fn rules_of_a_strangers_file_say_everything_that_matters() {
    let folder = Folder::new();
    folder.write(
        "stranger.toml",
        r#"
title = "Stranger"
numbers = "separate"
start = [3, 5]
target = 40
moves = ["+1..2", { op = "x2", uses = 2, pool = "shared" }, "/2", "x1"]
reach = "loses"
past = "wins"
winning = [30]
losing = [13, 17]
forbidden = [20]
range = [2, 40]
no_repeat = "both"
passes = 2
stuck = "skips"
repetition = 4
match = { first_to = 3 }
"#,
    );
    let page = spoton(["rules", "stranger.toml"]).folder(&folder).run().success();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "Each player has a number. The player who goes first starts at 3, the other at 5.",
        "Multiply by 2 (x2; at most twice per round by both players together)",
        "If you land exactly on 40, you lose.",
        "If you go past 40, you win.",
        "If you land on 30, you win.",
        "If you land on 13 or 17, you lose.",
        "No move may land on 20.",
        "You can't go below 2.",
        "You can only divide if there's no remainder.",
        "You can't repeat your own last move or your opponent's.",
        "Each player has 2 passes per round.",
        "You must move if you can.",
        "If you have no legal move, your turn is skipped. If neither player has one, the round is a draw.",
        "the fourth time the same position comes up with the same player to move, the round is a draw.",
        "Suggested match: first to 3 wins.",
    ] {
        assert!(page.contains(said), "{said} is not in {page}");
    }
    let object = json(&spoton(["rules", "stranger.toml", "--json"]).folder(&folder).run().success());
    assert_eq!((object["game"].as_str(), object["title"].as_str()), (Some("stranger"), Some("Stranger")));
    assert_eq!(object["rulebook_hash"].as_str().map(str::len), Some(16));
}

#[test]
fn check_reports_all_errors_of_all_files_with_their_places() {
    let folder = Folder::new();
    folder.write(
        "good.toml",
        "title = \"Good\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n[variants.long]\ntarget = 99\n",
    );
    folder.write("odd.toml", "title = \"Odd\"\nstart = 1\ntarget = 10\nmoves = [\"+2\"]\n");
    folder.write(
        "bad.toml",
        "titel = \"Bad\"\nstart = 1\ntarget = 1\nmoves = [\"+1\", \"x0\"]\npast = \"win\"\n",
    );
    let checked = spoton(["check", "good.toml"]).folder(&folder).run();
    assert_eq!((checked.status, checked.stderr.as_str()), (0, ""));
    assert_eq!(checked.stdout, "good.toml: Good is valid, with 1 variant.\n");

    let checked = spoton(["check", "odd.toml"]).folder(&folder).run();
    assert_eq!((checked.status, checked.stdout.as_str()), (0, "odd.toml: Odd is valid.\n"));
    assert!(checked.stderr.contains("warning: no sequence of moves lands on the target 10"), "{checked:?}");
    assert!(checked.stderr.contains("odd.toml:3:10"), "{checked:?}");

    let checked = spoton(["check", "good.toml", "bad.toml", "missing.toml"]).folder(&folder).run();
    assert_eq!(checked.status, 2);
    assert_eq!(checked.stdout, "good.toml: Good is valid, with 1 variant.\n1 of 3 rule books are valid.\n");
    for said in [
        "bad.toml:1:1",
        "did you mean `title`?",
        "bad.toml:3:10",
        "bad.toml:4:16",
        "\"x0\"",
        "bad.toml:5:8",
        "did you mean \"wins\"?",
        "5 | past = \"win\"\n  |        ^^^^^",
        "there is no file missing.toml",
    ] {
        assert!(checked.stderr.contains(said), "{said} is not in {}", checked.stderr);
    }
    // Spot On doesn't report a mistyped key as missing too.
    assert!(!checked.stderr.contains("is required"), "{}", checked.stderr);

    let lines = spoton(["check", "--json", "good.toml", "bad.toml", "missing.toml"]).folder(&folder).run();
    assert_eq!(lines.status, 2);
    let lines: Vec<Value> = lines.stdout.lines().map(json).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((lines[0]["valid"].as_bool(), lines[1]["valid"].as_bool()), (Some(true), Some(false)));
    let first = &lines[1]["problems"][0];
    assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(1), Some(1)));
    assert!(lines[2]["error"].as_str().unwrap().contains("missing.toml"));
}

#[test]
fn new_writes_a_playable_game_and_never_overwrites() {
    let folder = Folder::new();
    let written = spoton(["new", "mine.toml"]).folder(&folder).run();
    assert_eq!(written.status, 0, "{written:?}");
    let own = folder.file("spoton/rulebooks");
    let said = format!("move it to this folder:\n  {}\n", own.display());
    assert!(written.stderr.ends_with(&said), "{written:?}");
    assert!(own.is_dir(), "a file can be moved there");
    let there = spoton(["new", "spoton/rulebooks/there.toml"]).folder(&folder).run();
    assert_eq!((there.status, there.stderr.as_str()), (0, ""), "it is there already");
    let checked = spoton(["check", "mine.toml"]).folder(&folder).run();
    assert_eq!((checked.status, checked.stderr.as_str()), (0, ""));
    let played = spoton(["play", "mine.toml"]).folder(&folder).answers(&["x2", "+3"]).run().success();
    assert!(played.contains("The number is 5."), "{played}");
    let before = folder.read("mine.toml");
    spoton(["new", "mine.toml"]).folder(&folder).run().fails(2, &["mine.toml already exists"]);
    assert_eq!(folder.read("mine.toml"), before);
    for id in catalog::ids() {
        let file = format!("like-{id}.toml");
        spoton(["new", &file, "--like", id]).folder(&folder).run().success();
        spoton(["check", &file]).folder(&folder).run().success();
        let (ours, theirs) = (spoton(["rules", &file]).folder(&folder).run(), spoton(["rules", id]).run());
        assert_eq!(ours.success(), theirs.success());
    }
}

#[test]
fn errors_are_json_too_where_json_is_asked_for() {
    for args in [
        &["rules", "nope", "--json"][..],
        &["rules", "maze", "--rule", "moves=x", "--json"],
        &["games", "--json", "--nope"],
    ] {
        let failed = spoton(args).run();
        assert_eq!(failed.status, 2, "{failed:?}");
        assert!(!failed.stderr.is_empty());
        assert!(!json(&failed.stdout)["error"].as_str().unwrap().is_empty(), "{failed:?}");
    }
}

#[test]
fn a_bad_record_is_refused_with_its_place() {
    let folder = Folder::new();
    for (text, words) in [
        ("[Rulebook \"number-maze\"]\n\n1. x2 x3\n", &["round 1", "move 2", "x3"][..]),
        ("[Rulebook \"number-maze\"]\n\n1. x2 ?\n", &["line 3", "?"]),
        ("[Rulebook \"nope\"]\n\n1. x2\n", &["nope", "has no game"]),
        ("[Rulebook \"number-maze\"]\n[Result \"1-0\"]\n\n1. x2 1-0\n", &["ends with 1-0", "end with *"]),
        ("[Rulebook \"number-maze\"\n\n", &["line 1", "a tag must look like"]),
        ("{\"rulebook\":\"number-maze\",\"moves\":[1]}", &["\"1\" isn't a move"]),
        ("[SpotOn \"9\"]\n[Rulebook \"number-maze\"]\n", &["version 9", "newer"]),
    ] {
        folder.write("r.txt", text);
        spoton(["review", "--convert", "r.txt"]).folder(&folder).run().fails(2, words);
    }
}

#[test]
fn every_command_reports_a_missing_file_in_the_same_way() {
    for args in [
        &["check", "missing.toml"][..],
        &["rules", "missing.toml"],
        &["review", "--convert", "missing.toml"],
        &["review", "missing.toml"],
        &["play", "--resume=missing.toml"],
    ] {
        spoton(args).run().fails(2, &["there is no file", "missing.toml"]);
    }
}

#[test]
fn a_folder_instead_of_a_file_is_reported() {
    for args in [&["check", "."][..], &["rules", "./"], &["review", "--convert", "."], &["review", "."]] {
        spoton(args).run().fails(2, &["can't read", "it's a folder"]);
    }
}

#[test]
fn a_rule_book_may_come_by_standard_input() {
    let book = "title = \"Piped\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n";
    let checked = spoton(["check", "-"]).input(book).run().success();
    assert_eq!(checked, "-: Piped is valid.\n");
    let rules = spoton(["rules", "-"]).input(book).run().success();
    assert!(rules.starts_with("Piped\n"), "{rules}");
    spoton(["check", "-"]).input("titel = 3\n").run().fails(2, &["-:1:1", "did you mean `title`?"]);
}

#[test]
fn a_path_is_one_by_its_slash_or_its_ending() {
    let folder = Folder::new();
    let book = "title = \"Mine\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n";
    for name in ["number-maze", "maze", "mine", "number-maze.toml"] {
        folder.write(name, book);
    }
    let title = |name: &str| {
        let rules = spoton(["rules", name]).folder(&folder).run().success();
        rules.lines().next().unwrap().to_owned()
    };
    assert_eq!((title("number-maze"), title("maze")), ("Number Maze".to_owned(), "Number Maze".to_owned()));
    for path in ["./number-maze", "./maze", "number-maze.toml", "mine"] {
        assert_eq!(title(path), "Mine", "{path}");
    }
}

#[test]
fn help_says_what_it_is_and_fits_a_terminal() {
    let help = spoton(["--help"]).run().success();
    assert!(help.starts_with("Spot On: two-player number duels. "), "{help}");
    let man = spoton(["man"]).run().success();
    assert!(man.contains("spoton \\- Spot On: two\\-player number duels. "), "{man}");
    for command in ["play", "solve", "map", "review", "idea", "config", "bot", "audit", "invent"] {
        for option in ["-h", "--help"] {
            let help = spoton([command, option]).run().success();
            let long = help.lines().find(|line| line.chars().count() > 80);
            assert_eq!(long, None, "{command} {option}");
            assert!(!help.contains("possible values: break-it-down"), "{help}");
        }
    }
}

#[test]
fn man_pages_have_a_heading_and_a_line_for_each_example() {
    let man = spoton(["man", "play"]).run().success();
    assert!(man.contains(".SH \"EXAMPLES\"\n.nf\n  spoton play number\\-maze\n"), "{man}");
    assert!(man.contains("\n.fi\n.PP\nWhile playing, type help"), "{man}");
    let man = spoton(["man"]).run().success();
    assert!(man.contains(".SH \"EXIT STATUS\"\n.nf\n  0    success; "), "{man}");
    for command in ["solve", "idea"] {
        let man = spoton(["man", command]).run().success();
        assert!(man.contains(".SH \"NOTES\"\n") && !man.contains("EXTRA"), "{man}");
        assert!(man.contains("\"spoton 0."), "{man}");
    }
}

/// The completions that bash offers for the last of these words, using the script that the program prints.
fn completed(words: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    let script = folder.write("completions.bash", &spoton(["completions", "bash"]).run().success());
    let program = Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let ask = r#"source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9
        _clap_complete_spoton spoton "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = std::process::Command::new("bash");
    bash.args(["--norc", "--noprofile", "-c", ask, "bash"]).arg(script).arg("spoton").args(words);
    bash.env("PATH", path).env("XDG_DATA_HOME", folder.path()).current_dir(folder.path());
    let offered = bash.output().unwrap();
    assert!(offered.status.success(), "{offered:?}");
    let offered = String::from_utf8(offered.stdout).unwrap();
    offered.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn completions_offer_what_fits_the_line() {
    let variants_of = |game: &str| completed(&["play", game, "--variant", ""]);
    assert_eq!(variants_of("number-maze"), ["to-100", "to-15", "to-34", "to-50"]);
    assert_eq!(variants_of("operation"), ["three-operations"]);
    assert!(variants_of("take-away").iter().all(|variant| variant != "to-15"));

    assert!(completed(&["play", "num"]).contains(&"number-maze".to_owned()));
    assert!(completed(&["man", "pl"]).contains(&"play".to_owned()));
    for command in ["help", "man"] {
        assert!(completed(&[command, "bo"]).contains(&"bot".to_owned()));
        assert!(completed(&[command, "bot"]).contains(&"bot".to_owned()));
        assert_eq!(completed(&[command, "bot", ""]), ["arena", "bench", "check", "engine", "--help"]);
        assert_eq!(completed(&[command, "bot", "ar"]), ["arena"]);
    }
    let players = |words: &[&str]| completed(words);
    let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
    let at_a_table = players(&["play", "number-maze", "--vs", ""]);
    for name in ["momo", "careful", "adaptive", "human", "easy"] {
        assert!(has(&at_a_table, name), "{name} is not in {at_a_table:?}");
    }
    for words in [
        &["bot", "arena", "number-maze", "--p1", ""][..],
        &["bot", "arena", "number-maze", "--p2", ""],
        &["bot", "bench", ""],
        &["bot", "bench", "--vs", ""],
    ] {
        let offered = players(words);
        assert!(has(&offered, "careful"), "{words:?}: {offered:?}");
        assert!(!has(&offered, "human") && !has(&offered, "adaptive"), "{words:?}: {offered:?}");
    }
    assert!(!completed(&["--"]).iter().any(|option| option.contains("screen-seed")));
}

#[test]
fn help_man_page_and_completions_know_every_command_and_option() {
    let help = spoton(["--help"]).run().success();
    let man = spoton(["man"]).run().success();
    for command in [
        "play",
        "games",
        "rules",
        "new",
        "check",
        "config",
        "bot",
        "bot arena",
        "bot bench",
        "bot engine",
        "bot check",
        "completions",
        "man",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let is_listed = !["completions", "man"].contains(&command);
        if words.len() == 1 {
            assert_eq!(help.contains(&format!("  {command} ")), is_listed, "{help}");
            assert_eq!(man.contains(&format!("spoton\\-{command}(1)")), is_listed, "{man}");
        }
        let help = spoton(words.iter().copied().chain(["--help"])).run().success();
        assert_eq!(spoton(["help"].iter().chain(&words)).run().success(), help);
        let man = spoton(["man"].iter().chain(&words)).run().success();
        let offered = completed(&words.iter().copied().chain(["--"]).collect::<Vec<_>>());
        // Skip the options of other commands, in the notes below.
        let defined: Vec<&str> = help.lines().filter(|line| line.trim_start().starts_with('-')).collect();
        let defined = defined.join("\n");
        let options: Vec<&str> = defined
            .split(|c: char| c.is_whitespace() || ",[]=;".contains(c))
            .filter(|word| {
                word.starts_with("--")
                    && word.len() > 2
                    && word.chars().skip(2).all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit())
            })
            .collect();
        assert!(!options.is_empty(), "{help}");
        for option in options {
            assert!(
                man.contains(&option.replace('-', "\\-")),
                "{option} is not in the man page of {command}"
            );
            assert!(offered.iter().any(|offer| offer == option), "{option} of {command} is not completed");
        }
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(spoton(["completions", shell]).run().success().contains("spoton"), "{shell}");
    }
    spoton(["man", "nope"]).run().fails(2, &["no command \"nope\""]);
    assert!(spoton(["--version"]).run().success().starts_with("spoton "));
    spoton(["nope"]).run().fails(2, &["nope"]);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for args in [
        &["games"][..],
        &["games", "--json"],
        &["rules", "maze", "--json"],
        &["man", "play"],
        &["completions", "zsh"],
    ] {
        assert_eq!(spoton(args).run().success(), spoton(args).run().success());
    }
}

#[test]
fn a_game_is_found_by_its_title_and_by_a_number_in_it() {
    for title in ["Take Away", "take away", "Keep Off the Primes", "Race to 23"] {
        let rules = spoton(["rules", title]).run().success();
        assert!(rules.to_lowercase().starts_with(&title.to_lowercase()), "{title}: {rules}");
    }
    spoton(["play", "21"]).run().fails(2, &["target-twenty-one", "twenty-one-loses"]);
}

#[test]
fn an_idea_needs_no_quotes() {
    let quoted = spoton(["idea", "maze", "leave even from 4 to 10", "--json"]).run().success();
    let plain = spoton(["idea", "maze", "leave", "even", "from", "4", "to", "10", "--json"]).run().success();
    assert_eq!(plain, quoted);
    let negative = "title = 'Down'\nstart = 10\ntarget = -10\nmoves = ['-1', '-2']\n";
    let folder = Folder::new();
    folder.write("down.toml", negative);
    let quoted = spoton(["idea", "down.toml", "leave -7 -4"]).folder(&folder).run().success();
    for words in [&["leave", "-7", "-4"][..], &["-7", "-4"], &["-7 -4"]] {
        let plain = spoton(["idea", "down.toml"].iter().chain(words)).folder(&folder).run().success();
        assert_eq!(plain, quoted, "{words:?}");
    }
}

#[test]
fn color_always_colours_help_lists_rules_and_reviews() {
    let folder = Folder::new();
    let play = spoton(["play", "maze", "--record", "rounds.txt"]).folder(&folder);
    play.answers(&["x2", "x2", "x2", "x2", "x2"]).run().success();
    for words in [
        &["--help"][..],
        &["puzzle", "--help"],
        &["games"],
        &["games", "--opponents"],
        &["opponents", "maze"],
        &["rules", "maze"],
        &["review", "rounds.txt"],
        &["review", "--summary", "rounds.txt"],
    ] {
        let with = |when: &str| {
            spoton(words.iter().copied().chain(["--color", when])).folder(&folder).run().success()
        };
        let (plain, coloured) = (with("never"), with("always"));
        assert!(!plain.contains('\u{1b}'), "{words:?}: {plain}");
        assert!(coloured.contains('\u{1b}'), "{words:?}: {coloured}");
        assert_eq!(without_colours(&coloured), plain, "{words:?}");
        let joined = spoton(words.iter().copied().chain(["--color=always"])).folder(&folder).run().success();
        assert_eq!(joined, coloured, "{words:?}");
    }
}

/// The lines about mistakes are yellow, the better move is green.
#[test]
fn a_review_colours_mistakes_and_better_moves() {
    let folder = Folder::new();
    for (answers, yellow, green) in [
        (&["x2", "x2", "x2", "x2", "x2"][..], "Turning point: ", Some("Better: ")),
        (&["+1", "x2", "resign"], "Player 1 gave up at 4, but could still force a win.", None),
    ] {
        let args = ["play", "number-maze", "--record", "round.txt"];
        spoton(args).folder(&folder).answers(answers).run().success();
        let page = spoton(["--color", "always", "review", "round.txt"]).folder(&folder).run().success();
        std::fs::remove_file(folder.path().join("round.txt")).unwrap();
        assert!(page.contains(&format!("\u{1b}[33m{yellow}")), "{page}");
        assert!(green.is_none_or(|green| page.contains(&format!("\u{1b}[32m{green}"))), "{page}");
    }
}

fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |plain, piece| plain + piece.split_once('m').map_or(piece, |(_, rest)| rest))
}

#[test]
fn check_counts_and_says_first_if_nobody_can_play() {
    let folder = Folder::new();
    folder.write("good.toml", "title = 'Good'\nstart = 1\ntarget = 5\nmoves = ['+1']\n");
    folder.write("bad.toml", "title = 'Bad'\nstart = 'one'\ntarget = 5\nmoves = ['+0']\n");
    folder.write("stuck.toml", "title = 'My Game'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']\n");
    let stuck = spoton(["check", "stuck.toml"]).folder(&folder).run();
    assert_eq!(stuck.status, 0);
    let verdict = "stuck.toml: The first player can't move, so this game can't be played.";
    assert!(stuck.stdout.starts_with(verdict), "{}", stuck.stdout);
    let why = "\"unplayable\":\"The first player can't move, so this game can't be played.\"";
    for command in ["check", "rules", "audit"] {
        let json = spoton([command, "--json", "stuck.toml"]).folder(&folder).run();
        assert!(json.stdout.contains(why), "{command}: {}", json.stdout);
    }
    for command in ["rules", "audit"] {
        let shown = spoton([command, "stuck.toml"]).folder(&folder).run();
        assert!(shown.stdout.contains("can't be played"), "{command}: {}", shown.stdout);
    }
    let rules = spoton(["rules", "stuck.toml"]).folder(&folder).run().stdout;
    let place = |words: &str| rules.find(words).unwrap_or_else(|| panic!("{words}: {rules}"));
    assert!(place("can't be played") < place("How to play"), "{rules}");
    let new = spoton(["new", "--like", "stuck.toml", "next.toml"]).folder(&folder).run();
    assert!(new.stdout.starts_with("The first player can't move"), "{}", new.stdout);
    for command in ["map", "map --blank", "idea leave 3", "solve", "opponents", "puzzle"] {
        let mut words = command.split(' ');
        let args = words.next().into_iter().chain(["stuck.toml"]).chain(words);
        let shown = spoton(args).folder(&folder).run().stdout;
        assert!(
            shown.starts_with("The first player can't move, so this game can't be played."),
            "{command}: {shown}"
        );
    }
    let first_line = |args: &[&str], line: usize| {
        let shown = spoton(args).folder(&folder).run().success();
        shown.lines().nth(line).unwrap_or_default().trim().to_owned()
    };
    let said = "The first player can't move, so this game can't be played.";
    let arena = ["bot", "arena", "stuck.toml", "--p1", "careful", "--p2", "sage"];
    assert_eq!(first_line(&arena, 2), said);
    assert_eq!(first_line(&["audit", "good.toml", "stuck.toml"], 3), format!("B: {said}"));
    // The target decides whether a game can be played.
    let targets = spoton(["audit", "stuck.toml", "--targets", "20..30"]).folder(&folder).run().success();
    let found = "Targets from 20 to 30\n  The game can't be played with any of these targets.\n";
    assert!(targets.ends_with(found), "{targets}");
    folder.write("lands.toml", "title = 'T'\nstart = 0\ntarget = 9\nmoves = ['+3']\npast = 'forbidden'\n");
    let targets = spoton(["audit", "lands.toml", "--targets", "1..4"]).folder(&folder).run().success();
    let found =
        "Targets from 1 to 4\n  The game can't be played to 1, 2.\n  At every one of the others, Player 1";
    assert!(targets.contains(found), "{targets}");
    let reason = spoton(["puzzle", "--json", "stuck.toml"]).folder(&folder).run().stdout;
    assert!(reason.contains("\"reason\":\"The first player can't move"), "{reason}");
    // A pipe gets the dialogue alone.
    let played = spoton(["play", "stuck.toml"]).folder(&folder).run();
    assert!(played.stderr.starts_with("The first player can't move"), "{}", played.stderr);
    assert!(!played.stdout.contains("can't be played"), "{}", played.stdout);
    // A variant can also be unplayable.
    let book = "title = 'Mine'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']\n[variants.far]\nstart = 50\n";
    folder.write("variant.toml", book);
    let variant = spoton(["check", "variant.toml"]).folder(&folder).run();
    let verdict =
        "variant.toml: Variant \"far\": The first player can't move, so this game can't be played.\n";
    assert!(variant.stdout.starts_with(verdict) && variant.status == 0, "{}", variant.stdout);
    let json = spoton(["check", "--json", "variant.toml"]).folder(&folder).run();
    assert!(json.stdout.contains("\"unplayable_variants\":{\"far\":"), "{}", json.stdout);
    let all = spoton(["check", "good.toml", "bad.toml", "stuck.toml"]).folder(&folder).run();
    assert_eq!(all.status, 2);
    assert!(all.stdout.ends_with("2 of 3 rule books are valid.\n"), "{}", all.stdout);
    assert!(all.stderr.contains("bad.toml: 2 errors.\n"), "{}", all.stderr);
}

#[test]
fn a_name_that_the_computer_has_is_refused() {
    let folder = Folder::new();
    for (args, name) in [
        ("play maze --vs pip --names Pip", "Pip"),
        ("play maze --p1 sage --p2 human --names Sage", "Sage"),
        ("play maze --vs exec:./bot --names ./bot", "./bot"),
    ] {
        let refused = spoton(args.split(' ')).folder(&folder).run();
        let said = format!("--names: your opponent's name is {name}. Choose another name.");
        assert!(refused.status == 2 && refused.stderr.contains(&said), "{args}: {refused:?}");
        assert_eq!(refused.stdout, "", "{args}");
    }
    let fine = spoton("play maze --vs pip --names Zoe".split(' ')).folder(&folder).run();
    assert!(fine.stdout.contains("-- Zoe's Turn --"), "{}", fine.stdout);
}

#[test]
fn rules_say_that_nobody_can_land_on_the_target() {
    let folder = Folder::new();
    for format in [&["rules", "operation-target"][..], &["rules", "operation-target", "--markdown"]] {
        let shown = spoton(format.iter().copied()).folder(&folder).run().stdout;
        assert_eq!(
            shown.matches("Nobody can land on 23. The player who overshoots loses.").count(),
            1,
            "{shown}"
        );
    }
    let other = spoton(["rules", "number-maze"]).folder(&folder).run().stdout;
    assert!(!other.contains("Nobody can land"), "{other}");
}

#[test]
fn no_help_text_is_broken_twice() {
    for command in [
        "play",
        "puzzle",
        "solve",
        "idea",
        "bot arena",
        "bot bench",
        "bot engine",
        "bot check",
        "audit",
        "invent",
        "today",
        "config",
        "review",
    ] {
        let help = spoton(command.split(' ').chain(["--help"])).run().success();
        let (_, notes) = help.split_once("Examples:").unwrap_or(("", &help));
        let lines: Vec<&str> = notes.lines().collect();
        // If one of our lines is too long for 80 columns, a word or two end up alone on the next line.
        for pair in lines.windows(2) {
            let is_rest = pair[0].len() > 70 && !pair[1].is_empty() && pair[1].split(' ').count() < 3;
            assert!(!is_rest || pair[1].ends_with('.'), "{command}: {pair:?}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{command}: {help}");
    }
}
