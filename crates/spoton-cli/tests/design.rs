//! The commands for people who write rule books: audits and invented games.

use crate::support;

use std::path::Path;

use serde_json::{Value, json};
use support::{Folder, spoton};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn audit(args: &[&str]) -> Value {
    lines(&spoton([&["audit", "--json"], args].concat()).run().success()).remove(0)
}

fn unwrapped(page: &str) -> String {
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Known facts about the five books, found by hand and by other programs.
#[test]
fn the_audits_of_the_five_books_say_what_is_known() {
    let known = [
        ("operation-target", [23, 1, 1, 20], ("win", Some(8)), Some(0.5), [0.5, 1.0, 0.5]),
        (
            "sequence-math-duel",
            [237, 106, 33, 0],
            ("win", Some(9)),
            Some(0.2109375),
            [0.4416780094, 1.0, 0.0859375],
        ),
        ("target-twenty-one", [21, 17, 8, 0], ("draw", None), None, [0.5003061571, 1.0, 0.0]),
        ("number-maze", [19, 12, 6, 0], ("loss", Some(14)), Some(0.125), [0.4934425354, 0.9921875, 0.0]),
        ("double-or-add", [19, 7, 6, 9], ("loss", Some(14)), Some(0.125), [0.455078125, 0.875, 0.0]),
    ];
    for (game, counted, (value, remoteness), guess, first_wins) in known {
        let found = audit(&[game]);
        let figures = ["positions", "decisions", "subtle", "forced"].map(|key| found[key].as_u64().unwrap());
        assert_eq!(figures, counted, "{game}");
        assert_eq!((&found["value"], &found["remoteness"]), (&json!(value), &json!(remoteness)), "{game}");
        assert_eq!(found["guess"], json!(guess), "{game}");
        let keys = ["random-random", "perfect-random", "random-perfect"];
        assert_eq!(keys.map(|key| found["first_player_wins"][key].as_f64().unwrap()), first_wins, "{game}");
    }
    let drawn = audit(&["target-twenty-one"]);
    assert_eq!(
        (&drawn["always_ends"], &drawn["can_draw"], &drawn["longest"]),
        (&json!(false), &json!(true), &json!(null))
    );
    assert_eq!(drawn["first_player_draws"]["perfect-perfect"], 1.0);
}

#[test]
fn false_claims_are_reported_with_a_counterexample() {
    assert_eq!(
        audit(&["target-twenty-one"])["claims"],
        json!([
            { "claim": "no-draws", "holds": false, "counterexample": "x1 x1" },
            { "claim": "skill-wins", "holds": true },
        ])
    );
    assert_eq!(
        audit(&["operation-target"])["claims"],
        json!([{ "claim": "skill-wins", "holds": false, "figure": 0.5 }])
    );
    spoton(["audit", "number-maze", "--strict"]).run().success();
    let strict = spoton(["audit", "number-maze", "target-twenty-one", "--strict"]).run();
    assert_eq!(strict.status, 1);
    assert!(strict.stdout.contains("Target Twenty-One"), "the report is printed all the same");
}

#[test]
fn a_sweep_shows_who_wins_at_each_target() {
    let swept = |args: &[&str]| unwrapped(&spoton([&["audit"], args].concat()).run().success());
    let maze = swept(&["number-maze", "--targets", "2..200"]);
    let won = "Player 1 can force a win at 15 of 199: 2, 8, 10, 32, 34, 40, 42, 128, 130, 136, 138, 160, 162, 168, 170.";
    assert!(maze.contains(won), "{maze}");
    for game in ["number-maze", "double-or-add"] {
        let odd = swept(&[game, "--targets", "2..200"]);
        assert!(odd.contains("Player 2 wins by always playing +1 at every odd target."), "{odd}");
    }
    let sequence = swept(&["sequence-math-duel", "--targets", "2..40"]);
    assert!(sequence.contains("At every one of these targets, Player 1 can force a win."), "{sequence}");
    // With +1 to +4 and no overshooting, a player with a multiple of 5 to go has lost.
    let race = swept(&["race-to-23", "--targets", "5..60"]);
    assert!(race.contains("At every multiple of 5, Player 2 can force a win."), "{race}");
    let json =
        lines(&spoton(["audit", "number-maze", "--targets", "1..42", "--json"]).run().success()).remove(0);
    assert_eq!(json["first_player_wins"], json!([2, 8, 10, 32, 34, 40, 42]));
    assert_eq!((&json["unplayable"], &json["pattern"]), (&json!([1]), &json!(null)));
    spoton(["audit", "number-maze", "--targets", "7"]).run().fails(2, &["--targets", "2..200"]);
}

#[test]
fn two_games_are_compared_side_by_side() {
    let page = spoton(["audit", "number-maze", "double-or-add"]).run().success();
    let starred: Vec<&str> = page.lines().filter(|line| line.starts_with('*')).collect();
    assert_eq!(starred.len(), 4, "{page}");
    assert!(starred[0].contains("choices that matter") && starred[0].ends_with('7'), "{page}");
    let same = spoton(["audit", "number-maze", "maze"]).run().success();
    assert!(same.contains("All figures are the same."), "{same}");
}

#[test]
fn better_changes_are_better_and_can_be_played() {
    let found = audit(&["number-maze", "--better"]);
    let better = found["better"].as_array().unwrap();
    assert_eq!(better.len(), 3);
    for one in better {
        assert!(one["guess"].as_f64().unwrap() < 0.125, "{one}");
        let settings: Vec<&str> =
            one["settings"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
        let args: Vec<&str> = settings.iter().flat_map(|setting| ["--rule", setting]).collect();
        let again = audit(&[&["number-maze"], &args[..]].concat());
        for key in ["value", "remoteness", "decisions", "subtle", "guess"] {
            assert_eq!(again[key], one[key], "{one}");
        }
        assert_eq!((&again["can_draw"], &again["one_line_rule"]), (&json!(false), &json!(null)), "{one}");
        let length = again["remoteness"].as_u64().unwrap();
        assert!((7..=21).contains(&length), "within half of 14: {one}");
    }
    let page = spoton(["audit", "number-maze", "--better"]).run().success();
    assert!(page.contains("spoton play number-maze --rule "), "{page}");
    assert!(
        !page.to_lowercase().replace("to make it fair", "").contains("fair"),
        "one seat always wins: {page}"
    );
}

/// `SPOTON_UPDATE=1 cargo test -p spoton-cli --test all design::` updates the page.
#[test]
fn the_documentation_has_the_audits_of_all_games() {
    let page = spoton(["audit", "--markdown"]).run().success();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/audits.md");
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
}

#[test]
fn a_report_fits_a_page_and_lists_rules_that_never_matter() {
    let folder = Folder::new();
    folder.write(
        "odd.toml",
        "title = 'Odd'\nstart = 0\ntarget = 4\nmoves = ['+2', { op = 'x3', uses = 9 }]\nno_repeat = 'own'\n\
         forbidden = [3]\nclaims = ['moves <= 1', 'subtle >= 5', 'first-wins']\n",
    );
    let page = spoton(["audit", "odd.toml"]).folder(&folder).run().success();
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    let page = unwrapped(&page);
    for sentence in [
        "The limit on x3 never rules out a move (uses).",
        "No move ever leads to a forbidden number (forbidden).",
        "(subtle >= 5): not true: there is 1.",
        "(moves <= 1): not true. Play x3 x3.",
    ] {
        assert!(page.contains(sentence), "{sentence}: {page}");
    }
}

#[test]
fn invented_games_can_be_played_checked_and_invented_again() {
    let folder = Folder::new();
    let text = spoton(["invent", "--seed", "20261115"]).run().success();
    assert_eq!(text, spoton(["invent", "--seed", "20261115"]).run().success());
    assert!(text.starts_with("# Invented by Spot On (generator 1, seed 20261115, game 1)"), "{text}");
    folder.write("mine.toml", &text);
    spoton(["check", "mine.toml"]).folder(&folder).run().success();
    let played = spoton(["play", "mine.toml", "--p1", "careful", "--p2", "perfect", "--seed", "1"]);
    assert!(played.folder(&folder).run().success().contains("wins"));
    let made =
        spoton(["invent", "--seed", "5", "--count", "3", "--level", "2", "--to", "."]).folder(&folder).run();
    assert_eq!(made.success().lines().count(), 3);
    assert!(folder.read("invented-5-3.toml").contains("game 3"));
    spoton(["invent", "--seed", "5", "--to", "."]).folder(&folder).run().fails(2, &["already exists"]);
    let json =
        lines(&spoton(["invent", "--seed", "5", "--count", "3", "--level", "2", "--json"]).run().success());
    for (game, number) in json.iter().zip(1..) {
        assert_eq!((&game["seed"], &game["number"]), (&json!(5), &json!(number)));
        let subtle = game["certificate"]["subtle"].as_u64().unwrap();
        assert!((3..=5).contains(&subtle), "{game}");
        assert!(game["text"].as_str().unwrap().contains("title = "));
    }
    spoton(["invent", "--seed", "1", "--length", "1..1"]).run().fails(1, &["wider bounds"]);
    spoton(["invent", "--level", "6"]).run().fails(2, &["--level"]);
    spoton(["invent", "--subtle", "9..3"]).run().fails(2, &["7..21"]);
}

#[test]
fn with_discovery_on_no_audit_gives_the_secret_away() {
    let folder = Folder::new();
    spoton(["config", "discovery", "on"]).folder(&folder).run().success();
    spoton(["audit", "number-maze"]).folder(&folder).run().fails(2, &["iscover"]);
}
