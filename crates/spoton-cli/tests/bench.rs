//! `spoton bot bench`: players on the fixed set, next to perfect play and guessing.

use crate::support;

use serde_json::Value as Json;
use support::{Folder, spoton};

fn bench(folder: &Folder, args: &[&str]) -> Vec<Json> {
    let ran = spoton(["bot", "bench"].iter().chain(args).copied().chain(["--json"])).folder(folder).run();
    ran.success().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The reference players match their exact figures, and every choice of a perfect player is right.
#[test]
fn the_references_get_what_is_known_of_them() {
    let folder = Folder::new();
    let answers = bench(&folder, &["random", "careful", "perfect", "--rounds", "2"]);
    assert_eq!(answers.len(), 3);
    let ceilings: f64 =
        answers[2]["seats"].as_array().unwrap().iter().map(|seat| number(&seat["perfect"])).sum();
    assert!((ceilings - 1.0).abs() < 1e-9, "no game is drawn: one of the seats wins it");
    for (answer, key) in answers.iter().zip(["", "careful", "perfect"]) {
        assert_eq!((&answer["set"], answer["games"].as_array().unwrap().len()), (&Json::from("1"), 50));
        for seat in answer["seats"].as_array().unwrap() {
            assert_eq!(seat["got"]["rounds"], 50);
            if !key.is_empty() {
                assert!((number(&seat["exact"]) - number(&seat[key])).abs() < 1e-9, "{seat}");
            }
            assert!(number(&seat["careful"]) < 0.5 * number(&seat["perfect"]), "{seat}");
        }
    }
    for seat in answers[2]["seats"].as_array().unwrap() {
        assert_eq!(seat["got"]["kept"], seat["got"]["decisions"]);
        assert_eq!(number(&seat["got"]["won"]) / 50.0, number(&seat["perfect"]));
    }
}

/// A program is measured like any player, and the result lists its options.
#[test]
fn a_program_is_measured() {
    let folder = Folder::new();
    folder.write(
        "bot.py",
        "import json, sys\nfor line in sys.stdin:\n    print(json.loads(line)['legal'][0], flush=True)\n",
    );
    let args =
        ["exec:python3 bot.py", "--disguise", "3", "--tries", "0", "--vs", "careful", "--seat", "second"];
    let answer = &bench(&folder, &args)[0];
    assert_eq!((&answer["asked"]["disguise"], &answer["asked"]["seat"]), (&3.into(), &"second".into()));
    assert_eq!(answer["seats"][0]["got"]["rounds"], 0);
    let second = &answer["seats"][1];
    assert_eq!((&second["got"]["rounds"], &second["got"]["unreadable"]), (&100.into(), &0.into()));
    assert!(second["exact"].is_null() && number(&second["perfect"]) > number(&second["careful"]));
    let page =
        spoton(["bot", "bench", "exec:python3 bot.py", "--rounds", "1"]).folder(&folder).run().success();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = concat!(
        "Set 1 (50 games, fingerprint 4d8e962d8fd3cfc6), against perfect, going first, seed 1, Spot On ",
        env!("CARGO_PKG_VERSION"),
        " exec:python3 bot.py 1 round of each game. A program was asked up to 3 times per turn"
    );
    assert!(page.starts_with(head), "{page}");
    // A player can do better than perfect play only against an opponent who makes mistakes.
    let says_so = |page: &str| page.contains("traps can win more than perfect play");
    let against_careful =
        spoton(["bot", "bench", "random", "--vs", "careful", "--rounds", "1"]).folder(&folder).run();
    assert!(!says_so(&page) && says_so(&against_careful.success()), "{page}");
    assert!(page.contains("Going first:") && page.contains("illegal: 0, unreadable: 0"), "{page}");
}

/// Everything that affects trust in a result is part of it, in the table and in the JSON.
#[test]
fn a_result_includes_everything_it_depends_on() {
    let folder = Folder::new();
    // The bot has no answer in longer rounds.
    folder.write(
        "bot.py",
        "import json, sys\nfor line in sys.stdin:\n    turn = json.loads(line)\n    \
         print('no idea' if len(turn['history']) > 5 else turn['legal'][0], flush=True)\n",
    );
    let args = ["exec:python3 bot.py", "--rounds", "2", "--seed", "7", "--vs", "careful", "--tries", "0"];
    let answer = &bench(&folder, &args)[0];
    assert_eq!((&answer["set"], &answer["fingerprint"]), (&"1".into(), &"4d8e962d8fd3cfc6".into()));
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&answer["seed"], &answer["against"]), (&7.into(), &"careful".into()));
    assert_eq!((&answer["rounds"], &answer["seat"]), (&2.into(), &"both".into()));
    assert_eq!(answer["move_time"], 10_000);
    for key in ["forfeited", "illegal", "unreadable", "late", "died", "flooded"] {
        let seats = answer["seats"].as_array().unwrap().iter();
        let sum: f64 = seats.map(|seat| number(&seat["got"][key])).sum();
        assert_eq!(number(&answer[key]), sum, "{key}");
    }
    let [forfeited, unreadable] = ["forfeited", "unreadable"].map(|key| number(&answer[key]));
    assert!(forfeited == unreadable && forfeited > 0.0 && forfeited < 100.0, "{forfeited} {unreadable}");
    // A rejected choice doesn't count as right.
    let both = &answer["both_seats"]["got"];
    assert!(number(&both["kept"]) < number(&both["decisions"]), "{both}");
    assert_eq!((&both["clustered_by"], &both["clusters"]), (&"game".into(), &50.into()));

    let args = ["bot", "bench"].iter().chain(&args).chain(&["--markdown"]);
    let table = spoton(args).folder(&folder).run().success();
    let about = concat!(
        "Set 1 (50 games, fingerprint 4d8e962d8fd3cfc6), against careful, both seats, seed 7, Spot On ",
        env!("CARGO_PKG_VERSION"),
        ".\n"
    );
    assert!(table.starts_with(about), "{table}");
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let rows: Vec<Vec<String>> = table.lines().filter(|line| line.starts_with("| ")).map(cells).collect();
    assert_eq!(rows.len(), 3, "{table}");
    let column = |name: &str| -> f64 {
        let place =
            rows[0].iter().position(|known| known == name).unwrap_or_else(|| panic!("{name}: {table}"));
        rows[1..].iter().map(|row| row[place].parse::<f64>().unwrap()).sum()
    };
    assert_eq!(column("rounds"), 100.0);
    for (name, key) in
        [("forfeited", "forfeited"), ("illegal", "illegal"), ("unreadable", "unreadable"), ("late", "late")]
    {
        assert_eq!(column(name), number(&answer[key]), "{name}");
    }
    assert_eq!(column("died or flooded") + column("unasked"), 0.0);
    for said in [
        "2 rounds of each game",
        "asked once per turn",
        "with a list of the legal moves",
        "10 s",
        "95% interval",
    ] {
        assert!(table.contains(said), "{said}: {table}");
    }
}

/// Rounds of one game are similar, so more of them reveal little about other games.
#[test]
fn more_rounds_of_the_same_games_do_not_narrow_the_interval_much() {
    let folder = Folder::new();
    let width = |rounds: &str| {
        let answer = bench(&folder, &["perfect", "--rounds", rounds]).remove(0);
        let both = &answer["both_seats"]["got"];
        assert_eq!(both["kept"], both["decisions"]);
        // The player's odds are known, so this isn't an estimate.
        assert_eq!((&answer["of_ceiling"], &answer["of_ceiling_interval"]), (&1.0.into(), &Json::Null));
        1.0 - number(&both["kept_interval"][0])
    };
    let (few, many) = (width("2"), width("8"));
    assert!(many > 0.05 && many > 0.9 * few, "{few} {many}");
}

#[test]
fn unmeasurable_figures_are_named() {
    spoton(["bot", "bench", "nobody"]).run().fails(2, &["there's no opponent"]);
    spoton(["bot", "bench", "random", "--vs", "exec:cat"])
        .run()
        .fails(2, &["only known against an opponent"]);
    spoton(["bot", "bench", "random", "--fresh", "2026-02-30"]).run().fails(2, &["there is no such day"]);
}

/// The documentation page, and the folder for running its commands.
fn page() -> (String, std::path::PathBuf) {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    (std::fs::read_to_string(repository.join("docs/benchmark-results.md")).unwrap(), repository)
}

/// The table on the page matches what the command prints.
#[test]
fn the_table_of_the_documentation_is_made_by_the_command() {
    let (page, _) = page();
    let command =
        page.lines().find_map(|line| line.trim_start().strip_prefix("spoton bot bench random")).unwrap();
    let args = "bot bench random".split(' ').chain(command.split_whitespace());
    let table = spoton(args).run().success();
    assert!(page.contains(&table), "the table is now\n{table}");
}

/// A bot on fresh games: the figures for both seats are the sums over the seats.
#[test]
fn a_bot_on_fresh_games() {
    let (_, repository) = page();
    let args = ["bot", "bench", "exec:python3 examples/bot.py", "--fresh", "2026-11-16", "--json"];
    let folder = Folder::new();
    let output = spoton(args).folder(&folder).command().current_dir(&repository).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    let both = &answer["both_seats"];
    let sum = |key: &str| {
        answer["seats"].as_array().unwrap().iter().map(|seat| number(&seat["got"][key])).sum::<f64>()
    };
    for key in ["rounds", "won", "decisions", "kept"] {
        assert_eq!(number(&both["got"][key]), sum(key), "{key}");
    }
    assert!((number(&both["perfect"]) - 0.5).abs() < 1e-9, "{both}");
    assert!(
        number(&both["got"]["won"]) / number(&both["got"]["rounds"]) < number(&both["careful"]),
        "{both}"
    );
}
