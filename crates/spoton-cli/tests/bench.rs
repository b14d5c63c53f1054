//! `spoton bench`: players on the fixed set, beside what perfect play and guessing would win.

mod support;

use serde_json::Value as Json;
use support::{Folder, spoton};

fn bench(folder: &Folder, args: &[&str]) -> Vec<Json> {
    let ran = spoton(["bench"].iter().chain(args).copied().chain(["--json"])).folder(folder).run();
    ran.success().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(value: &Json) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The references get exactly what is said of them, and every choice of a perfect player is right.
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

/// A program is measured like anybody else, and its switches are told.
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
    let page = spoton(["bench", "exec:python3 bot.py", "--rounds", "1"]).folder(&folder).run().success();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = concat!(
        "Set 1 (50 games, fingerprint 4d8e962d8fd3cfc6), against perfect, going first, seed 1, Spot On ",
        env!("CARGO_PKG_VERSION"),
        " exec:python3 bot.py 1 round of each game. A program was asked up to 3 times on a turn"
    );
    assert!(page.starts_with(head), "{page}");
    // Only against a player who slips can more be had than perfect play has.
    let says_so = |page: &str| page.contains("setting traps can win more than perfect play");
    let against_careful =
        spoton(["bench", "random", "--vs", "careful", "--rounds", "1"]).folder(&folder).run();
    assert!(!says_so(&page) && says_so(&against_careful.success()), "{page}");
    assert!(page.contains("Going first:") && page.contains("illegal: 0, unreadable: 0"), "{page}");
}

/// Whatever lowers trust in a result is a part of it, in the table and in the JSON.
#[test]
fn a_result_tells_all_that_it_depends_on() {
    let folder = Folder::new();
    // In longer rounds it has no idea how to go on.
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
    // A choice that was refused is not kept.
    let both = &answer["both_seats"]["got"];
    assert!(number(&both["kept"]) < number(&both["decisions"]), "{both}");
    assert_eq!((&both["clustered_by"], &both["clusters"]), (&"game".into(), &50.into()));

    let args = ["bench"].iter().chain(&args).chain(&["--markdown"]);
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
    assert_eq!(column("died, flooded") + column("unasked"), 0.0);
    for said in
        ["2 rounds of each game", "asked once on a turn", "told the legal moves", "10 s", "95% interval"]
    {
        assert!(table.contains(said), "{said}: {table}");
    }
}

/// Rounds of one game are alike, so that more of them say little more about other games.
#[test]
fn more_rounds_of_the_same_games_do_not_narrow_the_interval_much() {
    let folder = Folder::new();
    let width = |rounds: &str| {
        let answer = bench(&folder, &["perfect", "--rounds", rounds]).remove(0);
        let both = &answer["both_seats"]["got"];
        assert_eq!(both["kept"], both["decisions"]);
        // Its chances are known, so this is no estimate.
        assert_eq!((&answer["of_ceiling"], &answer["of_ceiling_interval"]), (&1.0.into(), &Json::Null));
        1.0 - number(&both["kept_interval"][0])
    };
    let (few, many) = (width("2"), width("8"));
    assert!(many > 0.05 && many > 0.9 * few, "{few} {many}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    spoton(["bench", "nobody"]).run().fails(2, &["nobody is called"]);
    spoton(["bench", "random", "--vs", "exec:cat"]).run().fails(2, &["only known against an opponent"]);
    spoton(["bench", "random", "--fresh", "2026-02-30"]).run().fails(2, &["there is no such day"]);
}

/// The documentation, and the folder that its commands are run in.
fn page() -> (String, std::path::PathBuf) {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    (std::fs::read_to_string(repository.join("docs/benchmark.md")).unwrap(), repository)
}

/// The table of the page is what the command prints.
#[test]
fn the_table_of_the_documentation_is_made_by_the_command() {
    let (page, _) = page();
    let command = page.lines().find_map(|line| line.strip_prefix("    spoton bench random")).unwrap();
    let args = "bench random".split(' ').chain(command.split_whitespace());
    let table = spoton(args).run().success();
    assert!(page.contains(&table), "the table is now\n{table}");
}

/// A bot on fresh games: the page shows what the command prints, and says of it what is so.
#[test]
fn the_example_of_the_documentation_is_a_true_one() {
    let (page, repository) = page();
    let (_, example) = page.split_once("    spoton bench \"exec:python3 examples/bot.py\" --fresh ").unwrap();
    let (day, rest) = example.split_once("\n\n```text\n").unwrap();
    let (printed, _) = rest.split_once("```").unwrap();
    let args = ["bench", "exec:python3 examples/bot.py", "--fresh", day];
    let folder = Folder::new();
    let run = |args: &[&str]| {
        let call = spoton(args).folder(&folder);
        let output = call.command().current_dir(&repository).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(run(&args).trim_end(), printed.trim_end());
    let answer: Json = serde_json::from_str(&run(&[&args[..], &["--json"]].concat())).unwrap();
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
    let said = format!(
        "it wins {} of {} rounds against perfect play, where {:.0}\ncould be had and careful guessing has {:.0}",
        both["got"]["won"],
        both["got"]["rounds"],
        number(&both["perfect"]) * 100.0,
        number(&both["careful"]) * 100.0
    );
    assert!(page.contains(&said), "{said}");
}
