//! The command line itself: the help screen, the options of `play`, old spellings, settings and the list of games.

use crate::support;

use serde_json::Value;
use spoton::format::catalog;
use support::{Folder, Ran, spoton};

const RECORDS: &str = "\
[Rulebook \"number-maze\"]
[Target \"10\"]
[Player1 \"Ann\"]
[Player2 \"Ben\"]

1. x2 x2 2. +1 x2 0-1

[Rulebook \"take-away\"]
[Player1 \"Ann\"]
[Player2 \"Ben\"]

1. -3 -2 2. -1 -3 *
";

fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

fn run(folder: &Folder, line: &str, typed: &str) -> Ran {
    spoton(words(line)).folder(folder).input(typed).run()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("r.txt", RECORDS);
    folder
}

#[test]
fn the_help_screen_fits_a_terminal_and_lists_the_commands_in_groups() {
    let help = spoton(["--help"]).run().success();
    // The last row is for the prompt.
    assert!(help.lines().count() <= 23, "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    for heading in ["Play ", "Look ", "Make ", "Programs ", "More "] {
        assert!(help.contains(&format!("\n{heading}")), "{heading}: {help}");
    }
    // Each line has a description. It is also the first line of the command's help.
    let commands =
        help.lines().skip_while(|line| !line.starts_with("Play ")).take_while(|line| !line.is_empty());
    let mut listed = Vec::new();
    for line in commands {
        let (name, about) = line[10..].split_once(' ').unwrap();
        let own = spoton([name, "--help"]).run().success();
        assert_eq!(own.lines().next(), Some(about.trim_start()), "{name}");
        listed.push(name);
    }
    assert_eq!(
        listed.join(" "),
        "play today puzzle games rules solve map idea review new check audit invent bot config help"
    );
    for same in [&["-h"][..], &["help"], &["--color", "never", "help"]] {
        assert_eq!(spoton(same).run().success(), help, "{same:?}");
    }
    assert_eq!(
        spoton(["help", "bot", "arena"]).run().success(),
        spoton(["bot", "arena", "--help"]).run().success()
    );
    spoton(["help", "nope"]).run().fails(2, &["nope"]);
}

#[test]
fn play_lists_thirteen_options() {
    let help = spoton(["play", "--help"]).run().success();
    let options = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    let mut listed: Vec<&str> = options
        .map(|option| option.split([' ', '[']).next().unwrap())
        .filter(|option| *option != "help")
        .collect();
    listed.sort_unstable();
    let mut wanted: Vec<&str> =
        "variant target rule first names vs coach rounds first-to seed record resume moves"
            .split(' ')
            .collect();
    wanted.sort_unstable();
    assert_eq!(listed, wanted);
}

/// Old and new spellings with the same meaning. `typed` goes to standard input.
const SPELLINGS: &[(&str, &str, &str)] = &[
    ("arena number-maze --p1 random --p2 careful", "bot arena number-maze --p1 random --p2 careful", ""),
    (
        "arena number-maze --p1 random --p2 careful --json --memory 64",
        "bot arena number-maze --p1 random --p2 careful --json --memory-limit 64",
        "",
    ),
    (
        "arena number-maze --p1 random --p2 careful --set target=15",
        "bot arena number-maze --p1 random --p2 careful --rule target=15",
        "",
    ),
    (
        "bench random --rounds 1 --markdown --memory 64",
        "bot bench random --rounds 1 --markdown --memory-limit 64",
        "",
    ),
    ("engine", "bot engine", "spoton\nrules number-maze\nposition opening\ngo perfect\nquit\n"),
    ("engine --memory 64", "bot engine --memory-limit 64", "spoton\nquit\n"),
    ("engine --check false --answer-time 200", "bot check false --answer-time 200", ""),
    ("engine --check false --answer-time 200 --json", "bot check false --answer-time 200 --json", ""),
    ("record r.txt", "review --convert r.txt", ""),
    ("record r.txt --json", "review --convert r.txt --json", ""),
    ("record -", "review --convert -", RECORDS),
    ("discover", "config discovery", ""),
    ("discover on", "config discovery on", ""),
    ("discover", "config discovery", ""),
    ("discover off", "config discovery off", ""),
    ("opponents", "games --opponents", ""),
    ("opponents --json", "games --opponents --json", ""),
    ("opponents maze --set target=15 --memory 64", "opponents maze --rule target=15 --memory-limit 64", ""),
    ("play maze --set target=3", "play maze --rule target=3", "x2\n+1\n"),
    ("play maze --set past=wins --target 3", "play maze --rule past=wins --target 3", "x2\nx2\n"),
    ("play maze --target=5 --set=target=3", "play maze --target=5 --rule=target=3", "x2\n+1\n"),
    ("rules maze --set start=2", "rules maze --rule start=2", ""),
    ("solve maze --set start=12 --memory 64", "solve maze --rule start=12 --memory-limit 64", ""),
    ("map maze --set past=wins --memory 64 --json", "map maze --rule past=wins --memory-limit 64 --json", ""),
    (
        "idea maze --memory 64 --set start=2 'leave 5'",
        "idea maze --memory-limit 64 --rule start=2 'leave 5'",
        "",
    ),
    (
        "puzzle maze --set target=34 --memory 64 --json",
        "puzzle maze --rule target=34 --memory-limit 64 --json",
        "",
    ),
    ("audit maze --set target=15 --memory 64", "audit maze --rule target=15 --memory-limit 64", ""),
    ("review r.txt --memory 64", "review r.txt --memory-limit 64", ""),
    ("rules maze --set nonsense", "rules maze --rule nonsense", ""),
    // Options of `play` that its help leaves out.
    (
        "play maze --target 15 --p2 pip --first 1 --seed 3",
        "play maze --target 15 --vs pip --first 1 --seed 3",
        "+1\n",
    ),
];

#[test]
fn every_old_spelling_does_what_the_new_one_does() {
    let (old, new) = (folder(), folder());
    for (old_spelling, new_spelling, typed) in SPELLINGS {
        let (was, is) = (run(&old, old_spelling, typed), run(&new, new_spelling, typed));
        assert_eq!(was.status, is.status, "{old_spelling}: {was:?} {is:?}");
        let in_folder = |text: &str, folder: &Folder| text.replace(&folder.path().display().to_string(), "");
        assert_eq!(in_folder(&was.stdout, &old), in_folder(&is.stdout, &new), "{old_spelling}");
        assert_eq!(in_folder(&was.stderr, &old), in_folder(&is.stderr, &new), "{old_spelling}");
    }
    // `--discover` turns the setting on.
    run(&old, "play maze --discover --p1 human --p2 human", "+1\nresign\n").success();
    assert!(run(&old, "config discovery", "").success().starts_with("Discovery mode is on:"));
}

/// The options for outside programs, which the help of `play` leaves out, work in `play`.
#[test]
fn play_takes_the_options_for_programs() {
    // This program never answers. It writes down its input until it's out of time.
    let input_with = |options: &str| {
        let folder = folder();
        let line = format!("play maze --vs 'exec:cat > log.txt' --first 2 --move-time 300 {options}");
        let ran = run(&folder, &line, "");
        assert!(ran.stdout.contains("no legal answer"), "{options}: {ran:?}");
        folder.read("log.txt")
    };
    let usual = input_with("");
    let (prompt, disguised) = (input_with("--prompt"), input_with("--disguise 1"));
    assert!(usual.len() < prompt.len() && prompt != disguised, "{usual}\n{prompt}\n{disguised}");
    assert!(input_with("--prompt --no-legal-list").len() < prompt.len(), "{prompt}");
    assert_eq!(input_with("--keep-going"), usual);
    // Its first answer isn't a move.
    let forgives = |tries: u8| {
        let program = "exec:read l; echo hm; while read l; do echo +1; done";
        let ran = run(&folder(), &format!("play maze --vs '{program}' --first 2 --tries {tries}"), "");
        !ran.stdout.contains("no legal answer")
    };
    assert_eq!([0, 1].map(forgives), [false, true]);
    let folder = folder();
    let engine = format!("engine:tee log.txt | {} bot engine", env!("CARGO_BIN_EXE_spoton"));
    run(&folder, &format!("play maze --vs '{engine}' --first 2 --go 'depth 3'"), "");
    assert!(folder.read("log.txt").contains("\ngo depth 3"), "{}", folder.read("log.txt"));
}

#[test]
fn old_spellings_are_hidden() {
    let top = spoton(["--help"]).run().success() + &spoton(["man"]).run().success();
    for old in ["arena", "bench", "engine", "record", "discover", "opponents"] {
        assert!(!top.contains(&format!("spoton\\-{old}")) && !top.contains(&format!("  {old} ")), "{old}");
        // Old spellings still have help, with the new spelling.
        let about = spoton([old, "--help"]).run().success();
        assert!(about.starts_with("Old spelling of "), "{about}");
    }
    for command in ["play", "rules", "solve", "map", "idea", "puzzle", "review", "audit", "bot arena"] {
        let words: Vec<&str> = command.split(' ').collect();
        let help = spoton(words.iter().copied().chain(["--help"])).run().success();
        let man = spoton(["man"].iter().chain(&words)).run().success();
        for old in ["--set ", "--memory ", "--set\\f", "\\-\\-set", "\\-\\-memory "] {
            assert!(!help.contains(old) && !man.contains(old), "{command} shows {old}");
        }
    }
    // After a typo, only new spellings are suggested.
    for (typo, new) in [
        ("solve maze --seet 3", "exists: '--rule'"),
        ("solve maze --memry 3", "exists: '--memory-limit'"),
        ("recrod", "exists: 'review --convert'"),
        ("arna", "exist: 'man', 'bot arena'"),
    ] {
        spoton(words(typo)).run().fails(2, &[new]);
    }
    let man = spoton(["man", "play"]).run().success();
    assert!(!man.contains("\\-\\-p1") && !man.contains("\\-\\-tries"), "{man}");
}

/// The table in the documentation has every old spelling, and the page has every visible command.
#[test]
fn the_documentation_lists_the_old_spellings() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command-line.md");
    let page = std::fs::read_to_string(path).unwrap();
    for old in ["arena", "bench", "engine", "record", "discover", "opponents"] {
        assert!(page.contains(&format!("| `spoton {old}")), "{old}");
    }
    for old in ["--set KEY=VALUE", "--memory MIB"] {
        assert!(page.contains(&format!("| `{old}` |")), "{old}");
    }
    for hidden in [
        "--p1",
        "--p2",
        "--tries",
        "--move-time",
        "--prompt",
        "--disguise",
        "--go",
        "--no-legal-list",
        "--keep-going",
        "--discover",
    ] {
        assert!(page.contains(hidden), "{hidden}");
    }
    for command in "play today puzzle games rules solve map idea review new check audit invent config help completions man"
        .split(' ')
    {
        assert!(page.contains(&format!("\n| `{command}")), "{command}");
    }
}

/// One page lists the old spellings, and no other page uses them.
#[test]
fn no_other_page_has_old_spellings() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let others = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
    };
    let mut pages = 0;
    for path in others(".").chain(others("docs")) {
        // The changelog names them as changes.
        if path.ends_with("command-line.md") || path.ends_with("CHANGELOG.md") {
            continue;
        }
        pages += 1;
        let page = std::fs::read_to_string(&path).unwrap();
        for old in ["arena", "bench", "engine", "record", "discover", "opponents"] {
            assert!(!page.contains(&format!("spoton {old}")), "{}: spoton {old}", path.display());
        }
        for line in page.lines().filter(|line| line.contains("spoton ") && !line.contains("spoton-mcp")) {
            assert!(!line.contains("--set ") && !line.contains("--memory "), "{}: {line}", path.display());
        }
    }
    assert!(pages > 20, "{pages}");
}

#[test]
fn config_shows_and_changes_every_setting() {
    let folder = Folder::new();
    let config = |args: &str| run(&folder, &format!("config {args}"), "").success();
    let value = |name: &str| {
        let page = config("");
        let line = page.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    let all = || ["discovery", "motion", "colours", "names"].map(value);
    assert_eq!(all(), ["off", "on", "auto", "-"]);
    config("discovery on");
    config("motion OFF");
    config("colours dark");
    config("names Ann,Ben");
    assert_eq!(all(), ["on", "off", "dark", "Ann,Ben"]);
    assert!(config("discovery").starts_with("Discovery mode is on"));
    assert!(config("colors").starts_with("colours    dark "));
    config("names Ann");
    config("colors auto");
    config("motion on");
    config("discovery off");
    assert_eq!(all(), ["off", "on", "auto", "Ann"]);
    config("names ''");
    assert_eq!(value("names"), "-");
    for (wrong, why) in [
        ("motion maybe", "motion takes on or off"),
        ("colours red", "colours takes auto, light or dark"),
        ("names Ann,Ann", "two different ones"),
        ("names ,Ben", "names takes"),
        ("volume 11", "volume"),
    ] {
        run(&folder, &format!("config {wrong}"), "").fails(2, &[why]);
    }
    assert_eq!(all(), ["off", "on", "auto", "-"]);
    // Names apply to the full screen; a pipe keeps Player 1 and Player 2.
    config("names Ann,Ben");
    let played = run(&folder, "play maze --target 3", "x2\n+1\n").success();
    assert!(played.contains("Player 2") && !played.contains("Ben"), "{played}");
}

#[test]
fn the_list_of_games_has_one_line_per_game() {
    let folder = Folder::new();
    let book = "title = \"Mine\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n";
    folder.write("spoton/rulebooks/kitchen.toml", book);
    folder.write(&format!("spoton/rulebooks/{}.toml", "long-".repeat(30)), book);
    folder.write("spoton/rulebooks/broken.toml", "title = 3\n");
    let games = run(&folder, "games", "").success();
    assert!(games.lines().all(|line| line.chars().count() <= 80), "{games}");
    for id in catalog::ids().chain(["kitchen", "broken"]) {
        assert_eq!(
            games.lines().filter(|line| line.split(' ').next() == Some(id)).count(),
            1,
            "{id}: {games}"
        );
    }
    let long = run(&folder, "games --long", "").success();
    assert!(long.lines().count() > 2 * games.lines().count() && long.contains("Variants: "), "{long}");
    for id in catalog::ids() {
        assert!(long.contains(&format!("{id}  ")), "{long}");
    }
}

#[test]
fn an_audit_has_the_figures_of_the_opponents() {
    for game in ["number-maze", "take-away"] {
        let json =
            |line: &str| -> Value { serde_json::from_str(&spoton(line.split(' ')).run().success()).unwrap() };
        let (audit, odds) =
            (json(&format!("audit {game} --json")), json(&format!("opponents {game} --json")));
        let figures = audit["ladder"].as_object().unwrap();
        assert!(figures.len() > 2);
        for (key, value) in figures {
            assert_eq!(value, &odds[key], "{game} {key}");
        }
        let audit = spoton(["audit", game]).run().success();
        let odds = spoton(["opponents", game]).run().success();
        let figures = |page: &str| -> Vec<String> {
            let lines = page
                .lines()
                .filter(|line| line.contains('.') && line.trim_start().starts_with(char::is_numeric));
            lines.map(str::to_owned).collect()
        };
        let (all, table) = (figures(&audit), figures(&odds));
        assert!(table.len() > 8 && all.ends_with(&table), "{audit}\n{odds}");
    }
}

#[test]
fn man_pages_of_nested_commands() {
    let man = spoton(["man", "bot"]).run().success();
    for command in ["arena", "bench", "engine", "check"] {
        assert!(man.contains(&format!("spoton\\-bot\\-{command}(1)")), "{man}");
        let own = spoton(["man", "bot", command]).run().success();
        assert!(own.contains(&format!("spoton\\-bot\\-{command} \\- ")), "{own}");
    }
    spoton(["man", "bot", "nope"]).run().fails(2, &["spoton bot has no command \"nope\"; it has arena, "]);
    spoton(["man", "nope"]).run().fails(2, &["it has play, today, puzzle, games, rules, solve, "]);
    spoton(["man", "play", "nope"]).run().fails(2, &["spoton play has no command"]);
}
