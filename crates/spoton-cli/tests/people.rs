//! Opponents, coach, discovery mode and review on the command line.

use crate::support;

use serde_json::Value;
use support::{Folder, spoton};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn all_opponents_are_listed_and_ordered_for_a_game() {
    let list = spoton(["games", "--opponents"]).run().success();
    for name in [
        "pip",
        "dash",
        "momo",
        "otto",
        "nina",
        "sage",
        "random",
        "careful",
        "perfect",
        "easy, medium and hard",
    ] {
        assert!(list.contains(name), "{name} is not in {list}");
    }
    let everybody = json(&spoton(["games", "--opponents", "--json"]).run().success());
    assert_eq!(everybody.as_array().unwrap().len(), 9);
    let table = spoton(["opponents", "number-maze"]).run().success();
    assert!(table.contains("  1  pip\n") && table.contains("  6  sage\n"), "{table}");
    let table = json(&spoton(["opponents", "number-maze", "--json"]).run().success());
    assert_eq!(table["levels"], Value::Bool(true));
    let top = table["rungs"].as_array().unwrap().last().unwrap();
    for against in top["going_first_against"].as_array().unwrap() {
        let sum: f64 =
            ["first_wins", "second_wins", "drawn"].iter().map(|key| against[*key].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{against}");
    }
}

#[test]
fn a_game_without_choices_has_no_levels_and_points_to_a_deeper_variant() {
    let folder = Folder::new();
    folder.write(
        "dull.toml",
        "title = \"Dull\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n[variants.deep]\nmoves = [\"+1\", \"+2\", \"x2\"]\ntarget = 30\n",
    );
    let table = spoton(["opponents", "dull.toml"]).folder(&folder).run().success();
    let in_one_line = table.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "This game is too simple for levels. Its variant deep has more: --variant deep";
    assert!(in_one_line.contains(said), "{table}");
    assert!(table.contains("  1  pip = dash = momo = otto = nina = sage\n"), "{table}");
}

#[test]
fn an_opponent_can_be_changed_and_a_wrong_name_is_explained() {
    let ran =
        spoton(["play", "maze", "--p1", "dash:slip=0", "--p2", "hard", "--seed", "1", "--record", "r.txt"]);
    let folder = Folder::new();
    ran.folder(&folder).run().success();
    let record = folder.read("r.txt");
    assert!(
        record.contains("[Player1 \"Dash\"]\n[Computer1 \"dash:slip=0\"]\n[Player2 \"Sage\"]\n"),
        "{record}"
    );
    spoton(["play", "maze", "--vs", "dahs"]).run().fails(2, &["did you mean dash?"]);
    spoton(["play", "maze", "--vs", "dash:slip=7"]).run().fails(2, &["slip=0.1", "from 0 to 1"]);
    spoton(["play", "maze", "--vs", "nobody"]).run().fails(2, &["also: adaptive", "human"]);
    spoton(["play", "maze", "--vs", "PIP", "--p1", "Easy"]).run().success();
    spoton(["review", "r.txt"]).folder(&folder).run().success();
    folder.write("empty.txt", "");
    spoton(["review", "empty.txt"]).folder(&folder).run().fails(2, &["there are no rounds in this file"]);
}

/// Playing works even if nothing can be stored.
#[test]
fn an_unsaved_level_is_reported_and_the_match_continues() {
    let folder = Folder::new();
    folder.write("spoton", "not a folder");
    let ran = spoton(["play", "maze", "--vs", "adaptive", "--rounds", "2"])
        .folder(&folder)
        .answers(&["resign", "resign"])
        .run();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stderr.contains("can't create the folder") && ran.stdout.contains("wins the match 2 to 0"),
        "{ran:?}"
    );
}

#[test]
fn the_adaptive_opponent_goes_up_and_down_and_remembers() {
    let folder = Folder::new();
    // The first player can win immediately here, and resigning always loses.
    let args = ["play", "number-maze", "--rule", "moves=+1,+2,x3", "--target", "3", "--vs", "adaptive"];
    let level_after = |answer: &str| -> u32 {
        spoton(args).folder(&folder).answers(&[answer]).run().success();
        let file = folder.read("spoton/progress.spoton");
        file.trim_end().rsplit(' ').next().unwrap().parse().unwrap()
    };
    let levels: Vec<u32> = ["resign", "+2", "+2", "resign", "+2"].into_iter().map(level_after).collect();
    assert_eq!(levels, [0, 1, 2, 1, 2], "down, up, up, down, up");
    // A saved round resumes against the adaptive opponent, and counts.
    spoton(args.iter().chain(&["--first-to", "1"])).folder(&folder).run().success();
    spoton(["play", "--resume"]).folder(&folder).answers(&["resign"]).run().success();
    assert!(folder.read("spoton/progress.spoton").ends_with(" = 1\n"), "lower after resuming");
    let file = folder.read("spoton/progress.spoton").replace("level", "lxvel");
    std::fs::write(folder.file("spoton/progress.spoton"), file).unwrap();
    let damaged = spoton(args).folder(&folder).answers(&["+2"]).run();
    assert_eq!(damaged.status, 0, "play still works: {damaged:?}");
    assert!(
        damaged.stderr.contains("corrupted") && damaged.stderr.contains("progress.spoton"),
        "{damaged:?}"
    );
}

#[test]
fn the_coach_warns_and_keeps_a_budget_of_hints() {
    let args = ["play", "number-maze", "--rule", "start=11", "--rule", "range=1,20", "--coach"];
    let ran =
        spoton(args).answers(&["x2", "n", "hint", "hint", "hint", "+1", "+1", "hint", "hint", "hint"]).run();
    let printed = &ran.stdout;
    assert!(
        printed.contains("x2 loses immediately. Play it anyway? [y/N] n\nEnter your choice"),
        "{printed}"
    );
    assert!(printed.contains("You've used all your hints for this round."), "{printed}");
    let printed = spoton(args).answers(&["why", "hint"]).run().success();
    assert!(printed.contains("That was your last hint for this round.\n"), "{printed}");
    assert!(ran.stderr.contains("This turn matters. Type hint for help (4 left)."), "{ran:?}");
    let printed = spoton(args).answers(&["x2", "y"]).run().success();
    assert!(
        printed.ends_with("Player 1 has exceeded the goal number!\nPlayer 2 wins the game!\n"),
        "{printed}"
    );
    // Without a coach, there is no question.
    let printed = spoton(&args[..6]).answers(&["x2"]).run().success();
    assert!(printed.ends_with("Player 2 wins the game!\n"), "{printed}");
}

#[test]
fn discovery_gives_nothing_away_until_it_is_turned_off() {
    let folder = Folder::new();
    let run = |args: &[&str], answers: &[&str]| spoton(args).folder(&folder).answers(answers).run();
    let lost = ["+3", "+1", "+1", "+3", "+4", "+1", "+4", "+1", "+4", "+1"];
    run(&["play", "race", "--record", "r.txt"], &lost).success();
    run(&["play", "race", "--discover"], &["+1", "resign"]).success();
    // Discovery mode stays on for the next start.
    let printed =
        run(&["play", "race"], &["hint", "hint", "why", "idea leave 3 8 13 18", "resign"]).success();
    for asked in ["hint", "why"] {
        assert!(
            printed.contains(&format!("{asked}\nDiscovery mode is on: no hints or answers.")),
            "{printed}"
        );
    }
    assert!(!printed.contains("keeps your win"), "{printed}");
    assert!(printed.contains("True! Go "), "ideas are still tested: {printed}");
    run(&["solve", "race"], &[]).fails(2, &["discovery mode is on"]);
    run(&["opponents", "race"], &[]).fails(2, &["discovery mode is on"]);
    run(&["review", "r.txt", "--json"], &[]).fails_with_json(2, "discovery mode is on");
    let review = run(&["review", "r.txt"], &[]).success();
    assert!(
        review.contains("no hints or answers") && review.contains("At 0, Player 1 chose +3: 3."),
        "{review}"
    );
    assert!(!review.contains("turned"), "{review}");
    assert!(!review.contains("Better") && !review.contains("force") && !review.contains('='), "{review}");
    let map = run(&["map", "race"], &[]).success();
    assert!(map.contains("  22 ?") && !map.contains('+'), "{map}");
    assert!(map.contains("How is 22 marked?"), "{map}");
    let map = run(&["map", "race", "--uncover"], &[]).success();
    assert!(map.contains("  22 +") && map.contains("  21 ?") && map.contains("How is 21 marked?"), "{map}");
    let map = run(&["map", "race", "--uncover"], &[]).success();
    assert!(map.contains("  22 +") && map.contains("  21 +") && map.contains("  20 ?"), "{map}");
    let told = run(&["config", "discovery"], &[]).success();
    assert!(
        told.starts_with("Discovery mode is on:") && told.contains("spoton config discovery off"),
        "{told}"
    );
    assert!(run(&["config", "discovery", "off"], &[]).success().starts_with("Discovery mode is off."));
    assert!(run(&["map", "race"], &[]).success().contains("   3 o"));
}

const ROUNDS: &str = "\
[Rulebook \"number-maze\"]
[Target \"10\"]
[Player1 \"Ann\"]
[Player2 \"Ben\"]
[Illegal1 \"2\"]

1. x2 x2 2. +1 x2 0-1

[Rulebook \"sequence-math-duel\"]
[Player1 \"Ann\"]
[Player2 \"Ben\"]

1. x2 x2 2. +1 x2 3. x2 +1 4. x2 x2 5. +1 x2 0-1

[Rulebook \"take-away\"]
[Player1 \"Ann\"]
[Player2 \"Ben\"]
[Computer2 \"sage\"]

1. -3 -2 2. -1 -3 3. -2 -2 4. -3 -1 5. -1 -3 0-1
";

#[test]
fn a_review_shows_the_choices_that_mattered_and_the_turning_point() {
    let folder = Folder::new();
    folder.write("r.txt", ROUNDS);
    let review = spoton(["review", "r.txt"]).folder(&folder).run().success();
    let first = "\
One of Ann's choices mattered. There was a better move.
Turning point: at 4, Ann chose +1.
Better: x2 leaves 8: Ann can force a win.

  start  x2  x2  +1  x2
      1   2   4   5  10
      1   1   1   2   2
                  ^
Rows: the move, the number, and who could force a win there (1 is Ann, 2 is Ben,
  = is neither).
Play from there: spoton play number-maze --target 10 --moves 'x2 x2'
";
    assert!(review.starts_with(first), "{review}");
    assert!(review.contains("Ben took 5 moves; the fewest is 5.\n"), "{review}");
    assert!(
        review.contains(" of your choices mattered. "),
        "against a computer, it speaks to the person: {review}"
    );
    let annotated = spoton(["review", "r.txt", "--annotate"]).folder(&folder).run().success();
    assert!(annotated.contains("[Accuracy1 \"0.000\"]\n\n1. x2 x2 2. +1?? x2 0-1\n"), "{annotated}");
    folder.write("marked.txt", &annotated);
    spoton(["review", "marked.txt"]).folder(&folder).run().success();
    let json_lines = spoton(["review", "r.txt", "--json"]).folder(&folder).run().success();
    let first = json(json_lines.lines().next().unwrap());
    assert_eq!(first["turning_point"]["number"], 4);
    assert_eq!((&first["moves"][2]["mark"], &first["moves"][2]["better"]), (&"??".into(), &"x2".into()));
}

/// The command keeps the opponent, and the review mentions a resignation.
#[test]
fn a_resumed_round_has_the_same_computer_opponent() {
    let folder = Folder::new();
    let tags = "[Rulebook \"number-maze\"]\n[Player1 \"Ann\"]\n[Player2 \"Pip\"]\n[Computer2 \"pip\"]\n";
    folder.write("r.txt", &format!("{tags}[Target \"10\"]\n\n1. x2 x2 2. +1 x2 0-1\n"));
    let review = spoton(["review", "r.txt"]).folder(&folder).run().success();
    let again = "spoton play number-maze --target 10 --vs pip --first 1 --moves 'x2 x2'";
    assert!(review.contains(again), "{review}");
    folder.write("given-up.txt", &format!("{tags}[Target \"10\"]\n[Ending \"resigned\"]\n\n1. x2 x2 0-1\n"));
    let review = spoton(["review", "given-up.txt"]).folder(&folder).run().success();
    assert!(review.contains("You gave up at 4, but could still force a win.\n"), "{review}");
}

#[test]
fn a_summary_counts_by_player_game_and_seat() {
    let folder = Folder::new();
    folder.write("a.txt", ROUNDS);
    folder.write("b.txt", ROUNDS);
    let summary =
        json(&spoton(["review", "a.txt", "b.txt", "--summary", "--json"]).folder(&folder).run().success());
    let line = |player: &str, game: &str| {
        let fits = |line: &&Value| line["player"] == player && line["game"] == game;
        summary.as_array().unwrap().iter().find(fits).unwrap().clone()
    };
    let ann = line("Ann", "number-maze");
    assert_eq!((&ann["seat"], &ann["rounds"], &ann["lost"]), (&"first".into(), &2.into(), &2.into()));
    assert_eq!((&ann["decisions"], &ann["kept"], &ann["illegal"]), (&2.into(), &0.into(), &4.into()));
    assert_eq!(ann["as_good_as_the_seat_allows"], 0);
    assert!(ann["kept_interval"][1].as_f64().unwrap() > 0.6 && ann["kept_interval"][0] == 0.0);
    let ben = line("Ben", "sequence-math-duel");
    assert_eq!((&ben["won"], &ben["as_good_as_the_seat_allows"]), (&2.into(), &2.into()));
    let words = spoton(["review", "a.txt", "--summary"]).folder(&folder).run().success();
    let of = |words: &str, seat: &str| {
        let (_, below) = words.split_once(&format!("{seat}\n")).unwrap_or_else(|| panic!("{words}"));
        below.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    let ann = of(&words, "Ann, number-maze, goes first");
    for said in ["Rounds: 1", "Lost: 1", "At best: 0 of 1", "Right: 0 of 1", "Hidden: 0 of 1", "Illegal: 2"] {
        assert!(ann.contains(said), "{said} is not in {words}");
    }
    // A few rounds aren't enough for an interval.
    assert!(!words.contains(" %"), "{words}");
    let twelve = ROUNDS.repeat(12);
    let words = spoton(["review", "-", "--summary"]).folder(&folder).input(&twelve).run().success();
    let ben = of(&words, "Ben, sequence-math-duel, goes second");
    assert!(ben.contains("At best: 12 of 12 (76-100%)"), "{words}");
}

#[test]
fn records_come_from_standard_input_and_from_the_rounds_played_here() {
    let folder = Folder::new();
    let record = "[Rulebook \"number-maze\"]\n[Player1 \"Ann\"]\n\n1. x2 x2 2. +1 *\n";
    let shown = spoton(["review", "--convert", "-"]).folder(&folder).input(record).run().success();
    assert!(shown.contains("[Player1 \"Ann\"]") && shown.ends_with("1. x2 x2 2. +1 *\n"), "{shown}");
    let reviewed = spoton(["review", "-"]).folder(&folder).input(record).run().success();
    assert_eq!(reviewed, spoton(["review", "-"]).folder(&folder).input(record).run().success());
    spoton(["review"]).folder(&folder).run().fails(1, &["no finished rounds on this computer"]);
    folder.write("spoton/rounds.txt", &format!("{ROUNDS}\n[SpotOn \"1\"]\nnoise\n"));
    let past = spoton(["review", "--json"]).folder(&folder).run();
    assert_eq!(past.stdout.lines().count(), ROUNDS.matches("[Rulebook").count(), "{past:?}");
    assert!(past.stderr.contains("1 round could not be read"), "{past:?}");
    // Headings help to tell the rounds apart.
    folder
        .write("spoton/rounds.txt", &ROUNDS.replacen("[Illegal1", "[UTCDate \"2026.11.15\"]\n[Illegal1", 1));
    let past = spoton(["review"]).folder(&folder).run().success();
    for heading in ["Round 1, 2026-11-15: Number Maze, Ann and Ben\n", "\nRound 3: Take Away, you and Ben\n"]
    {
        assert!(past.contains(heading), "{past}");
    }
}

#[test]
fn a_round_without_a_choice_says_so_and_a_strangers_book_is_reviewed_too() {
    let folder = Folder::new();
    folder.write("dull.toml", "title = \"Dull\"\nstart = 1\ntarget = 3\nmoves = [\"+1\"]\n");
    spoton(["play", "dull.toml", "--record", "dull.txt"])
        .folder(&folder)
        .answers(&["+1", "+1"])
        .run()
        .success();
    let review = spoton(["review", "dull.txt"]).folder(&folder).run().success();
    let said =
        "No choice in this round changed who could force a win. Player 2 could force a win from the start.";
    assert!(review.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(said), "{review}");
    // Resigning before the first move reveals nothing about choices, and isn't the best result.
    let give_up = ["play", "dull.toml", "--record", "given-up.txt"];
    spoton(give_up).folder(&folder).answers(&["resign"]).run().success();
    let review = spoton(["review", "given-up.txt"]).folder(&folder).run().success();
    assert!(review.starts_with("No moves were made, so there's nothing to review."), "{review}");
    let summary = spoton(["review", "--summary", "given-up.txt"]).folder(&folder).run().success();
    let loser = summary.split("\n\n").find(|seat| seat.starts_with("Player 1")).unwrap();
    assert!(loser.contains("At best: 0 of 1"), "{summary}");
    folder.write(
        "odd.toml",
        "title = \"Odd\"\nnumbers = \"separate\"\nstart = [3, 2]\ntarget = 9\nmoves = [\"+2\", { op = \"x2\", uses = 1 }, \"-1\"]\n\
         range = [1, 9]\npast = \"forbidden\"\nstuck = \"skips\"\npasses = 1\nlosing = [7]\nno_repeat = \"both\"\n",
    );
    let answers = ["x2", "+2", "-1", "x2", "+2", "-1", "resign"];
    spoton(["play", "odd.toml", "--record", "odd.txt"]).folder(&folder).answers(&answers).run().success();
    let review = spoton(["review", "odd.txt"]).folder(&folder).run().success();
    assert!(review.contains("Rows: whose move it was, then the move"), "{review}");
}

#[test]
fn refused_answers_are_counted_in_the_record() {
    let folder = Folder::new();
    let args = ["play", "maze", "--target", "3", "--record", "r.txt"];
    spoton(args).folder(&folder).answers(&["x9", "", "nonsense", "x2", "help", "7", "+1"]).run().success();
    let record = folder.read("r.txt");
    assert!(record.contains("[Illegal1 \"2\"]\n[Illegal2 \"1\"]\n"), "{record}");
}
