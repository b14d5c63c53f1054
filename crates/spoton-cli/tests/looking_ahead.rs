//! The uses of a solution: solve, map and idea, and in a round hints, reasons and finishing.

use crate::support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{Folder, spoton, wait_for};

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// `--moves` accepts every spelling that players type; the output always uses the same one.
#[test]
fn moves_are_given_in_any_spelling() {
    let canonical = spoton(["solve", "number-maze", "--moves", "x2 +1", "--json"]).run().success();
    for moves in
        ["×2 +1", "*2,＋1", "X2 +1", "double, add 1", "× 2, + 1", "× 2 + 1", "Multiply by 2, plus one"]
    {
        let answer = spoton(["solve", "number-maze", "--moves", moves, "--json"]).run().success();
        assert_eq!(answer, canonical, "{moves}");
    }
    let begun =
        |moves: &str| spoton(["play", "number-maze", "--moves", moves]).answers(&["+1"]).run().success();
    assert_eq!(begun("×2, add 1"), begun("x2 +1"));
    let ran = spoton(["solve", "number-maze", "--moves", "x2 ÷2"]).run();
    assert!(ran.status == 2 && ran.stderr.contains("move 2: ÷2: not one of this game's moves"), "{ran:?}");
}

#[test]
fn solve_answers_in_the_fixed_form() {
    let answer = spoton(["solve", "number-maze", "--moves", "x2 +1", "--json"]).run().success();
    let hash = lines(&answer)[0]["rulebook_hash"].as_str().unwrap().to_owned();
    let expected = format!(
        "{{\"game\":\"number-maze\",\"rulebook_hash\":\"{hash}\",\"position\":{{\"numbers\":[3],\"turn\":1}},\
         \"value\":\"loss\",\"remoteness\":12,\"moves\":[{{\"move\":\"+1\",\"value\":\"loss\",\"remoteness\":12}},\
         {{\"move\":\"x2\",\"value\":\"loss\",\"remoteness\":10}}]}}\n"
    );
    assert_eq!(answer, expected);
    let over = spoton(["solve", "maze", "--target", "3", "--moves", "x2 +1", "--json"]).run().success();
    assert_eq!(lines(&over)[0]["outcome"], json!({ "winner": 2, "ending": "reached" }));
    assert_eq!(lines(&over)[0]["settings"], json!(["target=3"]));
}

#[test]
fn solve_shows_what_matters_and_what_is_barred() {
    let solve =
        |args: &[&str]| lines(&spoton([&["solve", "--json"], args].concat()).run().success()).remove(0);
    let position = |args: &[&str]| solve(args)["position"].clone();
    let moved = position(&["operation-target", "--moves", "x2"]);
    assert_eq!(moved, json!({ "numbers": [2], "turn": 2, "previous": ["x2", null] }));
    let moved = position(&["sequence-math-duel", "--moves", "x2 +1 +1"]);
    assert_eq!(moved, json!({ "numbers": [3, 2], "turn": 2 }));
    let moved = position(&["double-or-add", "--variant", "three-doublings", "--moves", "x2"]);
    assert_eq!(moved, json!({ "numbers": [2], "turn": 2, "uses": { "x2": [1, 0] } }));
    let moved = position(&["target-twenty-one", "--variant", "limited-passes", "--moves", "x1"]);
    assert_eq!(moved, json!({ "numbers": [0], "turn": 2, "passes": [1, 0] }));
    let barred = solve(&["double-or-add", "--rule", "start=16"]);
    assert_eq!(barred["barred"], json!([{ "move": "x2", "reason": "goes past 20" }]));
    let drawn = solve(&["target-twenty-one"]);
    assert_eq!((&drawn["value"], &drawn["remoteness"]), (&json!("draw"), &Value::Null));
    assert_eq!(drawn["moves"][0], json!({ "move": "+1", "value": "draw", "remoteness": null }));
}

#[test]
fn solve_knows_the_one_move_of_a_player_who_is_stuck() {
    let folder = Folder::new();
    folder.write(
        "skips.toml",
        "title = \"Skips\"\nnumbers = \"separate\"\nstart = 1\ntarget = 4\nmoves = [\"+3\", { op = \"x2\", uses = 1 }]\n\
         past = \"forbidden\"\nstuck = \"skips\"\n",
    );
    let ask = |moves: &str| {
        let answer = spoton(["solve", "skips.toml", "--moves", moves, "--json"]).folder(&folder).run();
        lines(&answer.success()).remove(0)
    };
    // From 2, +3 goes too far, and doubling is used up. The turn passes to a player who can still move.
    let stuck = ask("x2 +3");
    assert_eq!(stuck["outcome"]["winner"], json!(2), "{stuck}");
    let stuck = ask("x2 x2");
    assert_eq!(stuck["outcome"], json!({ "winner": null, "ending": "stuck" }), "{stuck}");
    folder.write(
        "waits.toml",
        "title = \"Waits\"\nnumbers = \"separate\"\nstart = [2, 1]\ntarget = 4\nmoves = [\"+1\", { op = \"-1\", uses = 1 }]\n\
         forbidden = [3]\nrange = [1, 4]\npast = \"forbidden\"\nstuck = \"skips\"\n",
    );
    let answer = spoton(["solve", "waits.toml", "--moves", "-1 +1 +1 -1", "--json"]).folder(&folder).run();
    let waits = lines(&answer.success()).remove(0);
    assert_eq!(waits["moves"], json!([{ "move": "skip", "value": "draw", "remoteness": null }]), "{waits}");
    let stuck = spoton(["solve", "skips.toml", "--moves", "skip", "--json"]).folder(&folder).run();
    stuck.fails_with_json(2, "you can only skip a turn when no move is legal");
}

#[test]
fn solve_in_words_speaks_to_people() {
    let said = spoton(["solve", "number-maze", "--moves", "x2"]).run().success();
    let expected = "\
Number Maze

The number is 2. It's Player 2's turn.
Player 2 can force a win within 13 moves.

  +1   from 2 to 3: Player 2 can force a win within 13 moves.
  x2   from 2 to 4: Player 1 can force a win within 12 moves.
";
    assert_eq!(said, expected);
}

#[test]
fn solve_answers_a_line_each_and_goes_on_after_a_bad_one() {
    let questions = "x2\n\nx2 zz\n{\"game\":\"double-or-add\",\"set\":{\"target\":31},\"moves\":[\"x2\"]}\n{\"game\":\"nope\"}\nnot json {\n{\"foo\":1}\nx2 +1\n";
    let answers = lines(&spoton(["solve", "number-maze", "--stdin"]).input(questions).run().success());
    assert_eq!(answers.len(), 8);
    assert_eq!(answers[0]["position"]["numbers"], json!([2]));
    assert_eq!(answers[1]["position"]["numbers"], json!([1]), "no moves: the opening");
    for (index, at) in [(2, 3), (4, 5), (5, 6), (6, 7)] {
        assert_eq!(answers[index]["at"], json!(at), "{}", answers[index]);
        assert!(answers[index]["error"].is_string());
    }
    assert_eq!((&answers[3]["game"], &answers[3]["remoteness"]), (&json!("double-or-add"), &json!(29)));
    assert_eq!(answers[7]["remoteness"], json!(12));
}

#[test]
fn an_illegal_move_is_refused_with_its_place_and_a_question_too_large_with_its_size() {
    spoton(["solve", "maze", "--moves", "x2 x3"]).run().fails(2, &["move 2", "x3", "+1 or x2"]);
    spoton(["solve", "double", "--rule", "start=16", "--moves", "x2"])
        .run()
        .fails(2, &["move 1", "goes past 20"]);
    let huge = ["solve", "maze", "--target", "1000000000000000000", "--rule", "passes=1"];
    spoton(huge).run().fails(1, &["too large", "999,999,999,999,999,999 positions", "1024 MiB"]);
    let small = ["solve", "seq", "--variant", "no-copying", "--target", "3000", "--memory-limit", "1"];
    spoton(small).run().fails(1, &["too large", "filled the memory limit of 1 MiB", " MiB is enough"]);
    // Huge numbers are no problem if play reaches only a few of them.
    let sparse = ["solve", "maze", "--target", "1000000000000000000", "--rule", "moves=x10,x1000", "--json"];
    assert_eq!(lines(&spoton(sparse).run().success())[0]["value"], "loss");
}

/// If moves only add and multiply, no target is too far away, except for queries that visit every number.
#[test]
fn a_target_without_end_is_answered() {
    let folder = Folder::new();
    let far = ["--target", "999999999999999999"];
    let with = |args: &[&str]| spoton(args.iter().chain(&far)).folder(&folder);
    let solved = lines(&with(&["solve", "maze", "--json"]).run().success()).remove(0);
    let told = (&solved["value"], &solved["remoteness"], solved.get("remoteness_unknown"));
    assert_eq!(told, (&json!("loss"), &json!(999_999_999_999_999_998_u64), None));
    let map = with(&["map", "maze"]).run().success();
    let every = "  every even number from 2 to 999,999,999,999,999,998 +, every odd number from 3\n      to 999,999,999,999,999,997 o\n";
    assert!(map.contains(every), "{map}");
    let map = lines(&with(&["map", "maze", "--json"]).run().success()).remove(0);
    // Nobody can leave the start.
    let start = json!({ "from": 1, "to": 1, "values": ["loss"] });
    let range = json!({ "from": 2, "to": 999_999_999_999_999_998_u64, "values": ["win", "loss"] });
    assert_eq!(map["ranges"], json!([start, range]));
    let play = with(&["play", "maze", "--vs", "perfect", "--record", "r.txt"]);
    let ran = play.answers(&["x2", "why", "x2", "resign"]).run();
    let long =
        "With best play, this round takes more than 100,000,000,000,000,000 moves. Nobody\ncan finish it.\n";
    assert!(ran.stderr.contains(long), "{ran:?}");
    let printed = ran.success();
    assert!(
        printed.contains("Your opponent can force a win within 999,999,999,999,999,996 moves."),
        "{printed}"
    );
    let with_second = with(&["play", "maze", "--vs", "sound", "--first", "2"]);
    let printed = with_second.answers(&["why", "+1", "resign"]).run().success();
    let pattern = "Pattern: leave an odd number from 3 to 999999999999999997.";
    assert!(printed.contains("Sound chose to") && printed.contains(pattern), "{printed}");
    let review = spoton(["review", "r.txt"]).folder(&folder).run().success();
    assert!(review.contains("None of your choices changed who could force a win."), "{review}");
    for (idea, answer) in [
        ("leave odd", "True! Go second"),
        ("leave odd to 999999999999990000", "there are 4,999 more numbers to leave"),
        ("leave every 1000003 from 3", "Not true: if you leave 1000006, your opponent can force a win"),
        ("leave 999999999999999999", "True, but "),
    ] {
        let said = with(&["idea", "maze", idea]).run().success();
        assert!(said.contains(answer), "{said}");
    }
    // Without additions, few numbers come up.
    let said = with(&["idea", "maze", "leave 5", "--rule", "moves=x2,x3"]).run().success();
    assert_eq!(said, "Not true: you can never leave 5 in this game.\n");
    // Listed numbers appear between the ranges.
    let map = with(&["map", "maze", "--rule", "winning=17"]).run().success();
    assert!(
        map.contains("\n  17: # the round ends here (a listed number)\n  every even number from 18 to"),
        "{map}"
    );
    // A query over every position is refused immediately, with its size and an alternative.
    for (command, instead) in [("opponents", "spoton bot arena"), ("audit", "spoton solve or spoton map")] {
        with(&[command, "maze"]).run().fails(1, &["too large: at least 999,999,999,999,99", instead]);
    }
    let arena =
        with(&["bot", "arena", "maze", "--p1", "random", "--p2", "sound", "--rounds", "2", "--json"]).run();
    assert!(arena.stderr.contains("this round takes more than 100,000,000,000,000,000 moves"), "{arena:?}");
    let arena = lines(&arena.success()).remove(0);
    assert_eq!(arena["best_play_is_longer_than"], json!(100_000_000_000_000_000_u64));
    // A race in which each player has a separate number.
    let race = lines(&with(&["solve", "seq", "--json"]).run().success()).remove(0);
    assert_eq!(race["value"], json!("win"));
    // Doubling is quick: the round takes only a few more moves than the target has binary digits.
    assert!(race["remoteness"].as_u64().is_some_and(|moves| (119..260).contains(&moves)), "{race}");
}

/// If the winner is known but not the number of moves, only opponents that don't count moves can play.
#[test]
fn moves_that_nobody_can_count_are_unknown() {
    let folder = Folder::new();
    let game = ["number-maze", "--rule", "moves=+100,+10007,x2", "--rule", "past=forbidden"];
    let with = |first: &[&str], last: &[&str]| {
        let target = ["--target", "1000000000000000000"];
        spoton(first.iter().chain(&game).chain(&target).chain(last)).folder(&folder)
    };
    let solved = lines(&with(&["solve"], &["--json"]).run().success()).remove(0);
    assert_eq!((&solved["value"], &solved["remoteness"]), (&json!("win"), &json!(null)));
    assert_eq!(solved["remoteness_unknown"], json!("the game is too large to count the moves"));
    assert_eq!(solved["moves"][1]["remoteness_unknown"], solved["remoteness_unknown"]);
    let said = with(&["solve"], &[]).run().success();
    assert!(said.contains("\nPlayer 1 can force a win.\n"), "{said}");
    with(&["play"], &["--vs", "perfect"]).run().fails(1, &["too large to count moves", "\"sound\""]);
    let answers = ["hint", "why", "+100", "hint", "hint", "resign"];
    let printed = with(&["play"], &["--vs", "sound"]).answers(&answers).run().success();
    assert!(printed.contains("Only one move keeps your win.\n"), "{printed}");
    assert!(printed.contains("You can force a win.\n  +10007 leaves 10008"), "{printed}");
    assert!(
        printed.contains("You lose if they play perfectly. +") && !printed.contains("longest"),
        "{printed}"
    );
}

#[test]
fn the_map_marks_every_number() {
    let map = spoton(["map", "race-to-23"]).run().success();
    assert!(map.contains("   0 +   1 +   2 +   3 o   4 +"), "{map}");
    assert!(map.contains("  o  stepping stone: leave your opponent here to force a win\n"), "{map}");
    let map = spoton(["map", "number-maze", "--target", "1000"]).run().success();
    let every = "  every even number from 502 to 998 o, every odd number from 503 to 999 +\n";
    assert!(map.contains(every), "{map}");
    let blank = spoton(["map", "race-to-23", "--blank"]).run().success();
    assert!(blank.contains("   3 ___") && !blank.contains("3 o "), "{blank}");
    assert!(blank.starts_with("Name: ____") && blank.ends_with("____\n"), "{blank}");
    // A class plays by the printed page, so it must include all the rules.
    let page = spoton(["rules", "keep-off-primes", "--markdown"]).run().success();
    let (_, rules) = page.split_once("## How to play\n\n").unwrap();
    let (rules, _) = rules.split_once("\n\n").unwrap();
    let hand_out = spoton(["map", "keep-off-primes", "--blank"]).run().success();
    let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(in_one_line(&hand_out).contains(&in_one_line(rules)), "{hand_out}");
    assert!(blank.contains("  +  if it's your turn") && !blank.contains("  =  neither"), "{blank}");
    assert!(blank.lines().all(|line| line.chars().count() <= 80), "{blank}");
    let map = spoton(["map", "sequence-math-duel"]).run().success();
    assert!(map.contains("     1: 5       2: 4 ") && map.contains("    10: 1 "), "{map}");
    let map = spoton(["map", "operation-target"]).run().success();
    assert!(map.contains("   1 +   2 *") && map.contains("it depends on the earlier moves"), "{map}");
    let one = spoton(["map", "operation-target", "--last=-,x2"]).run().success();
    assert!(one.contains("  2 o") && !one.contains('*'), "{one}");
    let square = spoton(["map", "seq", "--variant", "no-copying", "--target", "10"]).run().success();
    assert!(square.contains("   1 2 3 4 5 6 7 8 9\n1  + + "), "{square}");
    let wide = spoton(["map", "seq", "--variant", "no-copying", "--target", "100"]).run().success();
    assert!(wide.contains("doesn't fit on a page; the limit is 40 by 40"), "{wide}");
    let numbers = lines(&spoton(["map", "race-to-23", "--json"]).run().success()).remove(0);
    assert_eq!(
        numbers["numbers"][3],
        json!({ "number": 3, "value": "loss", "remoteness": 8, "ends": false })
    );
    spoton(["map", "maze", "--last", "x2,x2"]).run().fails(2, &["the last moves make no difference"]);
    let painted = spoton(["map", "maze", "--color", "always"]).run().success();
    assert!(painted.contains("\x1b[") && painted.contains('o'), "{painted}");
}

/// If a number has no value, the JSON shows why. It also repeats the query.
#[test]
fn a_map_in_json_separates_ended_rounds_from_unreachable_numbers() {
    let args = [
        "map",
        "race-to-23",
        "--rule",
        "moves=+2,+4",
        "--rule",
        "losing=4",
        "--rule",
        "forbidden=5",
        "--json",
    ];
    let map = lines(&spoton(args).run().success()).remove(0);
    let of =
        |number: usize| (map["numbers"][number]["value"].clone(), map["numbers"][number]["ends"].clone());
    assert_eq!((of(4), of(5)), ((json!(null), json!(true)), (json!(null), json!(false))), "{map}");
    assert_eq!(map.get("last"), None);
    let last = lines(&spoton(["map", "operation-target", "--last=-,x2", "--json"]).run().success()).remove(0);
    assert_eq!(last["last"], json!({ "own": null, "other": "x2" }));
}

#[test]
fn answers_fit_a_page() {
    let folder = Folder::new();
    let huge = "1000000000000000000";
    let names = ["--names", "Wilhelmina of the far north,Bartholomew of the deep south"];
    let play = ["play", "number-maze", "--variant", "to-15", "--record", "r.txt"];
    spoton(play.iter().chain(&names)).folder(&folder).answers(&["x2", "resign"]).run().success();
    for args in [
        &["games", "--opponents"][..],
        &["opponents", "number-maze"],
        &["opponents", "operation-target"],
        &["review", "--summary", "r.txt"],
        &["idea", "race-to-23", "leave every 5 from 3"],
        &["idea", "race-to-23", "leave even from 40"],
        &["map", "number-maze", "--target", huge, "--rule", "moves=x2,x3"],
        &["map", "number-maze", "--target", huge, "--rule", "start=999999999999999900"],
        &["map", "number-maze", "--target", huge],
        &["map", "number-maze", "--target", huge, "--rule", "moves=+1..3,x2", "--rule", "no_repeat=own"],
        &["map", "sequence-math-duel"],
    ] {
        let page = spoton(args).folder(&folder).run().success();
        let wide = page.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{args:?}");
    }
}

#[test]
fn ideas_get_one_of_four_answers() {
    let idea = |game: &str, idea: &str| spoton(["idea", game, idea]).run();
    assert_eq!(
        idea("race-to-23", "leave every 5 from 3").success(),
        "True! Go first, take any immediate win, and otherwise follow it. You always win.\n"
    );
    assert_eq!(
        idea("race-to-23", "leave 13 and 18").success(),
        "True, but there are 2 more numbers to leave.\n"
    );
    let said = idea("race-to-23", "leave 3 9").success();
    assert!(
        said.starts_with(
            "Not true: if you leave 9, your opponent can force a win.\nPlay it out from there:\n"
        ),
        "{said}"
    );
    let command = said.lines().nth(2).and_then(|line| line.split_once("  spoton ")).unwrap().1;
    let played = spoton(command.split_whitespace()).answers(&["+1"]).run().success();
    assert!(played.contains("Perfect chose to add 4.\n"), "{played}");
    idea("race-to-23", "be clever")
        .fails(2, &["I don't understand this idea", "leave 5 10 15", "leave every 6 from 2"]);
    let said = idea("sequence-math-duel", "leave 3").success();
    assert!(said.contains("the number alone doesn't decide who wins: each player has a number"), "{said}");
}

#[test]
fn hints_come_step_by_step_and_restart_each_turn() {
    let answers = ["hint", "hint", "hint", "hint", "hint", "+3", "hint"];
    let printed = spoton(["play", "race-to-23"]).answers(&answers).run().success();
    let expected = "\
Your move (1, 2, 3 or 4): hint
Only one move keeps your win.
Your move (1, 2, 3 or 4): hint
If you leave 1, what can they do?
Your move (1, 2, 3 or 4): hint
You want to leave 3.
Your move (1, 2, 3 or 4): hint
Play +3. +3 leaves 3: you can force a win.
Your move (1, 2, 3 or 4): hint
Play +3. +3 leaves 3: you can force a win.
";
    assert!(printed.contains(expected), "{printed}");
    assert!(printed.contains("hint\nWhatever you choose, your opponent can force a win.\n"), "{printed}");
}

#[test]
fn why_gives_the_proof_with_a_pattern() {
    let printed = spoton(["play", "race-to-23"]).answers(&["why", "+3", "+1", "why"]).run().success();
    let expected = "\
You can force a win within 9 moves.
  +3 leaves 3: you can force a win.
  +1 leaves 1: they play +2 (3) and can force a win.
  +2 leaves 2: they play +1 (3) and can force a win.
  +4 leaves 4: they play +4 (8) and can force a win.
Pattern: leave 3, 8 and so on, every 5 up to 18.
";
    assert!(printed.contains(expected), "{printed}");
    let printed = spoton(["play", "target-twenty-one"]).answers(&["x1", "x1", "x1", "why"]).run().success();
    assert!(
        printed.contains(
            "  x1 leaves 0: the same position for the third time, so it's a draw (house\n    rule).\n"
        ),
        "{printed}"
    );
    let huge = ["play", "maze", "--target", "1000000000000000000", "--rule", "passes=1"];
    let printed = spoton(huge).answers(&["hint", "x2"]).run().success();
    assert!(
        printed.contains("No answer: too large") && printed.contains("chose to Multiply by 2"),
        "{printed}"
    );
}

#[test]
fn finish_plays_what_nobody_can_change_and_records_it() {
    let folder = Folder::new();
    let answers = ["finish", "x2", "x2", "x2", "x2", "finish"];
    let printed = spoton(["play", "double-or-add", "--record", "r.txt"])
        .folder(&folder)
        .answers(&answers)
        .run()
        .success();
    assert!(printed.contains("There are still choices to make.\n"), "{printed}");
    assert!(!printed.contains("all the way"), "announced on a terminal only: {printed}");
    assert!(printed.ends_with("Player 2 has reached 20!\nPlayer 2 wins the game!\n"), "{printed}");
    assert!(
        folder.read("r.txt").ends_with("1. x2 x2 2. x2 x2 3. +1 +1 4. +1 +1 0-1\n"),
        "{}",
        folder.read("r.txt")
    );
}

#[test]
fn the_perfect_opponent_wins_what_can_be_won() {
    for seed in ["1", "2", "3"] {
        let args = ["play", "race-to-23", "--p1", "perfect", "--p2", "random", "--seed", seed];
        assert!(spoton(args).run().success().ends_with("Perfect wins!\n"));
        let args = ["play", "maze", "--p1", "random", "--p2", "perfect", "--seed", seed];
        assert!(spoton(args).run().success().ends_with("Perfect wins the game!\n"));
    }
}

/// Linux figures of a process: its state and processor time.
#[cfg(target_os = "linux")]
fn state_and_time(program: u32) -> (char, Duration) {
    let stat = std::fs::read_to_string(format!("/proc/{program}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = fields[11].parse::<u32>().unwrap() + fields[12].parse::<u32>().unwrap();
    (fields[0].chars().next().unwrap(), ticks * Duration::from_millis(10))
}

/// R5: an interrupt stops a long search. The test allows ten times the promised 100 ms. It measures processor time,
/// which doesn't increase on a busy machine.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_stops_the_search() {
    use std::process::{Command, Stdio};
    // Left alone, this takes more than a minute.
    let rules =
        ["no_repeat=both", "moves=+1..16", "losing=multiples of 7000"].map(|rule| ["--rule", rule]).concat();
    let args = ["solve", "maze", "--target", "900000"].into_iter().chain(rules);
    let mut command = spoton(args).command();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let program = child.id();
    // The program starts watching for interrupts when the search begins. A moment later, it is in the middle of the
    // search.
    wait_for("the watch for interrupts", || {
        let status = std::fs::read_to_string(format!("/proc/{program}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
    });
    let (_, begun) = state_and_time(program);
    wait_for("the search", || state_and_time(program).1 > begun + Duration::from_millis(20));
    assert!(Command::new("kill").args(["-INT", &program.to_string()]).status().unwrap().success());
    let (_, sent) = state_and_time(program);
    // The process stays visible as a zombie until we wait for it.
    wait_for("the end", || state_and_time(program).0 == 'Z');
    let took = state_and_time(program).1 - sent;
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    assert!(ended.stdout.is_empty(), "{ended:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn maps_of_huge_games_keep_to_the_budget() {
    let far = ["map", "operation-target", "--target", "1000000000000", "--memory-limit", "10"];
    let map = spoton(far).run().success();
    assert!(map.contains("1 ") && map.lines().count() < 100, "{map}");
    let none = ["map", "maze", "--rule", "no_repeat=opponent", "--last", "+1,+1"];
    assert!(spoton(none).run().success().contains("No position matches."));
    // Following an idea needs slightly more memory than the solution, which takes four bytes per number. With less
    // memory, it is followed stretch by stretch (one run of numbers after another), with the same result.
    let idea = |mebibytes| {
        spoton(["idea", "maze", "--target", "12000000", "--memory-limit", mebibytes, "leave odd"])
    };
    let said = idea("60").run().success();
    assert!(said.starts_with("Not true: "), "{said}");
    assert_eq!(idea("40").run().success(), said);
}

#[test]
fn only_landing_counts_for_ideas_too() {
    let folder = Folder::new();
    let book = "title = \"L\"\nstart = 5\nrange = [0, 10]\nmoves = [\"+1\", \"-1\"]\nlosing = [5]\nwinning = [7, 3]\n";
    folder.write("l.toml", book);
    let said = spoton(["idea", "l.toml", "leave 5"]).folder(&folder).run().success();
    assert!(said.starts_with("Not true: landing on 5 loses."), "{said}");
    let map = spoton(["map", "l.toml"]).folder(&folder).run().success();
    assert!(
        map.contains("   5 -") && map.contains("   3 #") && map.contains("Landing on 5 later loses."),
        "{map}"
    );
    let said = spoton(["idea", "race", "leave 3 8 13 18 23"]).run().success();
    assert!(said.starts_with("True! Go "), "{said}");
    let said = spoton(["idea", "maze", "leave 1"]).run().success();
    assert!(said.starts_with("Not true: you can never leave 1"), "{said}");
    spoton(["idea", "take-away", "-3"]).run().success();
}

#[test]
fn the_command_that_plays_an_idea_out_asks_for_the_same_game() {
    let said = spoton(["idea", "maze", "--variant", "to-34", "leave 5"]).run().success();
    let command =
        "spoton play number-maze --variant to-34 --rule range=1,34 --rule start=5 --vs perfect --first 2";
    assert!(said.contains(command), "{said}");
}

#[test]
fn hints_do_not_name_a_number_that_two_moves_leave() {
    let printed = spoton(["play", "operation-target"]).answers(&["hint", "hint"]).run().success();
    assert!(printed.contains("hint\nOnly one move keeps your win.\n"), "{printed}");
    assert!(printed.contains("hint\nPlay x2. x2 leaves 2"), "{printed}");
    // After undo and another move, the hints start over.
    let answers = ["x2", "+1", "hint", "undo", "x2", "hint"];
    let printed = spoton(["play", "maze"]).answers(&answers).run().success();
    assert!(
        printed.ends_with("hint\nOnly one move keeps your win.\nEnter your choice (1 or 2):\n"),
        "{printed}"
    );
}

#[test]
fn the_rest_that_never_ends_is_not_played_out() {
    let args = ["play", "target-twenty-one", "--rule", "moves=x1", "--rule", "repetition=0"];
    let printed = spoton(args).answers(&["finish"]).run().success();
    assert!(printed.contains("The rest is too long to play out."), "{printed}");
}

#[test]
fn an_opponent_that_cannot_solve_the_game_is_refused_before_play() {
    let args = ["play", "maze", "--target", "1000000000000", "--rule", "passes=1", "--vs", "perfect"];
    spoton(args).answers(&["+1"]).run().fails(1, &["too large"]);
}
