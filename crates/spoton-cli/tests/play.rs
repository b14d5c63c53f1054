//! Line mode on a pipe: valid and invalid answers, matches, names, random numbers, records and saves.

use crate::support;

use std::fs::File;
use std::time::{Duration, SystemTime};

use support::{Folder, spoton};

#[test]
fn moves_may_be_typed_in_many_ways() {
    for typed in [
        "2",
        "x2",
        "X2",
        "*2",
        "×2",
        " x 2 ",
        "multiply",
        "Multiply by 2",
        "multiply 2",
        "DOUBLE",
        "times 2",
        "✕2",
        "· 2",
        "Ｘ２",
        "double it",
    ] {
        let printed = spoton(["play", "number-maze"]).answers(&[typed]).run().success();
        assert!(printed.contains("Player 1 chose to Multiply by 2.\n"), "{typed}: {printed}");
    }
    for typed in ["1", "+1", "+ 1", "add", "ADD 1", "plus 1", "Add 1", "＋１", "add one"] {
        let printed = spoton(["play", "number-maze"]).answers(&[typed]).run().success();
        assert!(printed.contains("Player 1 chose to Add 1.\n"), "{typed}: {printed}");
    }
    let printed =
        spoton(["play", "take-away"]).answers(&["-2", "−1", "subtract 3", "Take 1", "minus 2"]).run();
    assert!(printed.success().contains("The number is 12.\n"));
}

/// If amounts come from the number, a typed number is the amount, not a menu line.
#[test]
fn a_number_is_the_amount_where_amounts_are_computed() {
    let printed = spoton(["play", "fair-shares"]).answers(&["5", "5", "4", "-10"]).run().success();
    assert!(printed.contains("5. Take away 5, leaving 25\n6. Take away 6, leaving 24\n10. "), "{printed}");
    assert!(
        printed.contains("You chose to take away 5.\n\nPlayer 2's turn. The number is 25.\n"),
        "{printed}"
    );
    assert!(
        printed.contains("You chose to take away 5.\n\nPlayer 1's turn. The number is 20.\n"),
        "{printed}"
    );
    assert!(
        printed.contains("You chose to take away 4.\n\nPlayer 2's turn. The number is 16.\n"),
        "{printed}"
    );
    assert!(printed.contains("You can't take away 10: 16 divided by 10 leaves a remainder."), "{printed}");
    // A sign distinguishes moves with the same amount.
    let printed = spoton(["play", "digit-climb"]).answers(&["2", "x2", "4"]).run().success();
    assert!(printed.contains("(1, +2 or x2): 2\nWhich one: +2 or x2?\n"), "{printed}");
    assert!(printed.contains("+2. Add 2, to 14\nx2. Double, to 24\n"), "{printed}");
    assert!(printed.contains("You chose to add 4."), "{printed}");
}

#[test]
fn a_full_stop_after_a_move_does_no_harm() {
    let printed = spoton(["play", "number-maze"]).answers(&["x2.", "+1!"]).run().success();
    assert!(!printed.contains("I don't understand"), "{printed}");
}

#[test]
fn bad_input_is_refused_with_a_reason_and_number_and_turn_stay() {
    for (typed, reason) in [
        ("", "Please enter 1 or 2."),
        ("0", "Please enter 1 or 2."),
        ("3", "Please enter 1 or 2."),
        ("99999999999999999999999999999999", "Please enter 1 or 2."),
        ("-1", "\"-1\" isn't one of the moves here: +1 or x2."),
        ("+2", "\"+2\" isn't one of the moves here: +1 or x2."),
        ("skip", "I don't understand \"skip\"."),
        ("pass", "I don't understand \"pass\"."),
        ("subtract", "You can't subtract here."),
        ("x2 x2", "I don't understand \"x2 x2\"."),
        ("١", "I don't understand \"١\"."),
    ] {
        let printed = spoton(["play", "number-maze"]).answers(&[typed, "+1"]).run().success();
        let echoed = if typed.is_empty() { String::new() } else { format!(" {typed}") };
        let expected = format!("Enter your choice (1 or 2):{echoed}\n{reason}");
        assert!(printed.contains(&expected), "{typed}: {printed}");
        assert!(printed.contains("Player 1 chose to Add 1.\nNew Current Number: 2\n"), "{typed}: {printed}");
    }
}

#[test]
fn a_barred_move_says_why() {
    let printed = spoton(["play", "double-or-add", "--rule", "start=11"])
        .answers(&["2", "double", "1"])
        .run()
        .success();
    assert!(printed.contains("2. Multiply by 2 (not allowed: goes past 20)\n"), "{printed}");
    assert_eq!(printed.matches("You can't multiply by 2: that goes past 20.\n").count(), 2, "{printed}");
    let printed = spoton(["play", "operation-target"]).answers(&["1", "1", "add", "1"]).run().success();
    assert!(printed.contains("You can't add 1: it was your own last move.\n"), "{printed}");
    let printed = spoton(["play", "race-to-23"]).answers(&["add", "+4"]).run().success();
    assert!(printed.contains("Which one: +1, +2, +3 or +4?\n"), "{printed}");
}

#[test]
fn two_questions_can_be_answered_in_every_way() {
    let answers = ["divide", "multiply", "7", "nonsense", "", "add", "x3", "add 3", "x2"];
    let printed = spoton(["play", "target-twenty-one"]).answers(&answers).run().success();
    let expected = "\
Current Value: 0
Player 1, choose operation (add/multiply): divide
You can't divide here. Please choose +1, +2, +3, x1, x2 or x3.
Player 1, choose operation (add/multiply): multiply
Choose a number (1-3): 7
\"7\" isn't one of the numbers. Please choose 1, 2 or 3.
Choose a number (1-3): nonsense
\"nonsense\" isn't one of the numbers. Please choose 1, 2 or 3.
Choose a number (1-3):
Player 1, choose operation (add/multiply): add
Choose a number (1-3): x3
New Value: 0

Current Value: 0
Player 2, choose operation (add/multiply): add 3
New Value: 3

Current Value: 3
Player 1, choose operation (add/multiply): x2
New Value: 6
";
    assert!(printed.starts_with(expected), "{printed}");
}

#[test]
fn the_numbers_of_the_second_question_show_a_gap() {
    let printed =
        spoton(["play", "target-twenty-one", "--rule", "moves=+1,+2,+5,x2"]).answers(&["add", "5"]).run();
    let printed = printed.success();
    assert!(printed.contains("Choose a number (1, 2 or 5): 5\n"), "{printed}");
}

#[test]
fn results_of_any_size_are_shown_in_full() {
    let args =
        ["play", "number-maze", "--target", "1000000000000000000", "--rule", "moves=+1,x1000000000000000000"];
    let printed = spoton(args).answers(&["+1", "x1000000000000000000"]).run().success();
    let expected = "New Current Number: 2000000000000000000\n\nPlayer 2 has exceeded the goal number!\n";
    assert!(printed.contains(expected), "{printed}");
}

#[test]
fn commands_work_at_any_question_and_cost_no_turn() {
    let answers = ["help", "moves", "rules", "undo", "add", "help", "3", "undo", "quit"];
    let printed = spoton(["play", "target-twenty-one"]).answers(&answers).run().success();
    assert_eq!(printed.matches("  resign  give up the round\n").count(), 2, "{printed}");
    assert!(printed.contains("  +2  Add 2: from 0 to 2\n"), "{printed}");
    assert!(printed.contains("  - If you go past 21, you lose.\n"), "{printed}");
    assert!(printed.contains("There's nothing to undo.\n"), "{printed}");
    assert!(printed.contains("Undone: +3.\n\nCurrent Value: 0\nPlayer 1, choose"), "{printed}");
}

#[test]
fn against_the_computer_undo_goes_back_to_your_own_turn() {
    let printed = spoton(["play", "number-maze", "--vs", "careful", "--seed", "1"])
        .answers(&["+1", "undo", "x2"])
        .run();
    let printed = printed.success();
    assert!(printed.contains("Undone: +1 "), "{printed}");
    assert!(printed.contains("\n\n-- Player 1's Turn --\nCurrent Number: 1\n"), "{printed}");
}

#[test]
fn resigning_and_leaving() {
    let printed = spoton(["play", "number-maze"]).answers(&["+1", "resign"]).run().success();
    assert!(printed.ends_with("resign\n\nPlayer 2 has given up!\nPlayer 1 wins the game!\n"), "{printed}");
    let folder = Folder::new();
    let left = spoton(["play", "number-maze"]).folder(&folder).answers(&["quit"]).run();
    assert_eq!((left.status, folder.saves().len()), (0, 0), "without a move nothing is saved");
    let left = spoton(["play", "number-maze"]).folder(&folder).answers(&["+1", "quit", "+1"]).run();
    assert_eq!((left.status, folder.saves().len()), (0, 1));
    assert!(left.stdout.ends_with("Enter your choice (1 or 2): quit\n"), "{left:?}");
}

#[test]
fn a_match_goes_to_the_first_to_win_enough_rounds() {
    let answers = ["x2", "x2", "+1", "+1", "x2", "+1", "x2", "x2", "+1"];
    let printed = spoton(["play", "number-maze", "--target", "3", "--first-to", "2", "--names", "Ann,Ben"])
        .answers(&answers)
        .run()
        .success();
    assert!(
        printed.contains("Ann wins the game!\n\nScore after 1 round: Ann: 1, Ben: 0.\n\nWelcome"),
        "{printed}"
    );
    assert!(
        printed.contains("-- Ben's Turn --\nCurrent Number: 1\n"),
        "Ben starts the second round: {printed}"
    );
    assert!(printed.ends_with("wins the game!\n\nAnn wins the match 2 to 0!\n"), "{printed}");
}

#[test]
fn all_rounds_are_played_and_a_match_can_be_tied() {
    let args = ["play", "number-maze", "--target", "2", "--rounds", "2"];
    let printed = spoton(args).answers(&["x2", "x2"]).run().success();
    assert!(printed.ends_with("Player 2 wins the game!\n\nThe match is tied at 1 all!\n"), "{printed}");
}

#[test]
fn a_drawn_round_counts_for_nobody() {
    let drawn = ["x1", "x1", "x1", "x1"];
    let mut answers = drawn.repeat(10);
    answers.push("never read");
    let printed = spoton(["play", "target-twenty-one", "--first-to", "1"]).answers(&answers).run().success();
    assert_eq!(printed.matches("so it's a draw (house rule).").count(), 10);
    assert!(printed.contains("Score after 9 rounds: Player 1: 0, Player 2: 0."), "{printed}");
    let end = "10 draws in a row end the match.\nThe match is tied at 0 all!\n";
    assert!(printed.ends_with(end), "{printed}");
}

#[test]
fn the_starter_can_be_given_drawn_and_chosen() {
    let first = |args: &[&str], answers: &[&str]| {
        let printed = spoton([&["play", "number-maze"], args].concat()).answers(answers).run().success();
        let at = printed.find("-- Player ").expect("the text contains a turn");
        printed[at + 10..].chars().next().unwrap()
    };
    assert_eq!(first(&[], &[]), '1');
    assert_eq!(first(&["--first", "2"], &[]), '2');
    assert_eq!(first(&["--first", "choose"], &["what?", "2"]), '2');
    let drawn: Vec<char> =
        (0..20).map(|seed| first(&["--first", "random", "--seed", &seed.to_string()], &[])).collect();
    assert!(drawn.contains(&'1') && drawn.contains(&'2'), "{drawn:?}");
}

#[test]
fn the_same_seed_gives_the_same_rounds() {
    let run = |seed: &str| {
        let args = [
            "play", "maze", "--target", "20..60", "--rounds", "3", "--p1", "random", "--p2", "careful",
            "--first", "random", "--seed", seed,
        ];
        spoton(args).run().success()
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
    let goals: Vec<i64> = run("7")
        .lines()
        .filter_map(|line| line.strip_prefix("Goal Number: "))
        .map(|goal| goal.parse().unwrap())
        .collect();
    assert_eq!(goals.len(), 3);
    assert!(goals.iter().all(|goal| (20..=60).contains(goal)), "{goals:?}");
    assert!(goals[0] != goals[1] || goals[1] != goals[2], "a target is drawn for each round: {goals:?}");
}

#[test]
fn a_computers_seat_is_named_and_its_move_looks_typed() {
    let args = ["play", "sequence-math-duel", "--target", "2", "--p1", "careful"];
    let expected = "\
--- Sequence Math Duel ---

Target Number is 2.

Careful, it's your turn.
Careful's Current Number: 1
Choose an operation:
1. Add 1
2. Multiply by 2
Enter 1 or 2: 1
Careful chose to add 1.
Careful's Current Number is now 2.

Careful has reached the Target Number!
Careful wins the game!
";
    let printed = spoton([&args[..], &["--seed", "4"]].concat()).run().success();
    let other = expected.replace("Enter 1 or 2: 1", "Enter 1 or 2: 2").replace("add 1.", "multiply by 2.");
    assert!(printed == expected || printed == other, "{printed}");
    let printed =
        spoton(["play", "target-twenty-one", "--rule", "start=18", "--p1", "careful", "--names", "Dash,Me"])
            .run();
    let printed = printed.success();
    let expected =
        "Dash, choose operation (add/multiply): add\nChoose a number (1-3): 3\nNew Value: 21\n\nDash wins!\n";
    assert!(printed.ends_with(expected), "{printed}");
}

#[test]
fn an_endless_round_between_computers_is_stopped() {
    let args = [
        "play",
        "target-twenty-one",
        "--rule",
        "moves=x1",
        "--rule",
        "repetition=0",
        "--p1",
        "random",
        "--p2",
        "random",
    ];
    let printed = spoton(args).run().success();
    assert_eq!(printed.matches("New Value: 0\n").count(), 10_000);
    assert!(printed.ends_with(", so it stops here.\nThe game is a draw!\n"));
}

#[test]
fn a_skipped_turn_is_announced_and_nobody_types_it() {
    let folder = Folder::new();
    folder.write(
        "skips.toml",
        "title = \"Skips\"\nnumbers = \"separate\"\nstart = [3, 1]\ntarget = 4\nmoves = [\"x2\", \"-1\"]\n\
         range = [1, 4]\npast = \"forbidden\"\nstuck = \"skips\"\nno_repeat = \"own\"\n",
    );
    let played = spoton(["play", "skips.toml", "--record", "r.txt"])
        .folder(&folder)
        .answers(&["-1", "x2", "x2"])
        .run();
    let printed = played.success();
    assert!(printed.ends_with("Player 1 reached 4.\nPlayer 1 wins!\n"), "{printed}");
    let played = spoton([
        "play",
        "skips.toml",
        "--rule",
        "start=[3, 2]",
        "--rule",
        "moves=-1,x4",
        "--record",
        "r.txt",
    ])
    .folder(&folder)
    .answers(&["-1", "-1"])
    .run();
    let printed = played.success();
    assert!(printed.contains("\n\nPlayer 1 has no legal move, so the turn is skipped.\n\n"), "{printed}");
    assert!(printed.contains("-- ") || printed.contains("Player 2's turn."), "{printed}");
}

#[test]
fn finished_rounds_are_recorded_in_both_forms_and_each_becomes_the_other() {
    let folder = Folder::new();
    for record in ["rounds.txt", "rounds.jsonl"] {
        for _ in 0..2 {
            let args = ["play", "number-maze", "--variant", "to-15", "--rule", "start=2", "--record", record];
            spoton(args).folder(&folder).answers(&["x2", "undo", "x2", "x2", "+1", "x2"]).run().success();
        }
        // An unfinished round is saved to another file.
        spoton(["play", "number-maze", "--record", record]).folder(&folder).answers(&["x2"]).run().success();
    }
    let text = "\
[SpotOn \"1\"]
[Rulebook \"number-maze\"]
[Variant \"to-15\"]
[Setting \"start=2\"]
[Target \"15\"]
[Rules \"{start = 2, target = 15, moves = ['+1', 'x2']}\"]
[Player1 \"Player 1\"]
[Player2 \"Player 2\"]
[First \"1\"]
[Result \"1-0\"]
[Ending \"overshot\"]

1. x2 x2 2. +1 x2 1-0
";
    assert_eq!(folder.read("rounds.txt"), format!("{text}\n{text}"));
    let as_json = spoton(["review", "--convert", "--json", "rounds.txt"]).folder(&folder).run().success();
    assert_eq!(as_json, folder.read("rounds.jsonl"));
    let as_text = spoton(["review", "--convert", "rounds.jsonl"]).folder(&folder).run().success();
    assert_eq!(as_text, folder.read("rounds.txt"));
}

#[test]
fn rounds_are_added_to_a_file_of_records_and_to_no_other() {
    let folder = Folder::new();
    let play = |file: &str| {
        spoton(["play", "number-maze", "--target", "2", "--record", file]).folder(&folder).answers(&["x2"])
    };
    for (file, text) in [
        ("letter.txt", "Dear Ann,\nyour move.\n"),
        ("mine.toml", "title = \"Mine\"\nstart = 1\ntarget = 9\nmoves = [\"+1\"]\n"),
        ("tables.toml", "[wording]\nmenu = \"all\"\n"),
        ("chess.pgn", "[Event \"Hastings\"]\n\n1. e4 e5 *\n"),
        ("package.json", "{ \"name\": \"mine\" }\n"),
    ] {
        folder.write(file, text);
        play(file)
            .run()
            .fails(2, &[&format!("{file} isn't a record file. Choose another file; this one is unchanged.")]);
        assert_eq!(folder.read(file), text);
    }
    folder.write("empty.txt", "\n");
    for file in ["new.txt", "empty.txt", "new.jsonl"] {
        for _ in 0..2 {
            play(file).run().success();
        }
        let rounds = spoton(["review", "--convert", "--json", file]).folder(&folder).run().success();
        assert_eq!(rounds.lines().count(), 2, "{file}: {rounds}");
    }
    // A file keeps the form it started with, whatever its name.
    folder.write("lines.txt", &folder.read("new.jsonl"));
    play("lines.txt").run().success();
    let rounds = spoton(["review", "--convert", "--json", "lines.txt"]).folder(&folder).run().success();
    assert_eq!(rounds.lines().count(), 3, "{rounds}");
}

#[test]
fn a_record_of_your_own_game_needs_no_file() {
    let folder = Folder::new();
    folder.write(
        "mine.toml",
        "title = \"Mine\"\nstart = 1\ntarget = 5\nmoves = [{ op = \"+1\", label = \"Up\" }, \"x2\"]\n\
         [wording]\nprompt = \"Well, {player}? \"\nwins = \"It's \\\"{winner}\\\"!\"\n",
    );
    spoton(["play", "mine.toml", "--record", "r.txt"])
        .folder(&folder)
        .answers(&["up", "x2", "+1"])
        .run()
        .success();
    spoton(["play", "mine.toml"]).folder(&folder).answers(&["up", "x2"]).run().success();
    std::fs::remove_file(folder.file("mine.toml")).unwrap();
    spoton(["review", "--convert", "r.txt"]).folder(&folder).run().success();
    let printed = spoton(["play", "--resume"]).folder(&folder).answers(&["1"]).run().success();
    let ending = "Well, Player 1? 1\nYou chose Up.\n\nPlayer 1 reached 5.\nIt's \"Player 1\"!\n";
    assert!(printed.ends_with(ending), "{printed}");
}

#[test]
fn a_match_resumes_with_its_score_and_its_targets() {
    let args =
        ["play", "number-maze", "--target", "3..9", "--rounds", "4", "--seed", "5", "--names", "Ann,Ben"];
    let answers = ["x2", "+1", "+1", "+1", "+1", "+1", "+1", "+1"].repeat(6);
    let whole = spoton(args).answers(&answers).run().success();
    assert!(whole.contains(" match "), "{whole}");
    let asked = whole.matches("Enter your choice").count();
    for cut in 1..asked {
        let folder = Folder::new();
        spoton(args).folder(&folder).answers(&answers[..cut]).run().success();
        let rest = spoton(["play", "--resume"]).folder(&folder).answers(&answers[cut..]).run();
        assert!(whole.ends_with(&rest.stdout), "cut after {cut}: {rest:?}");
        assert_eq!(folder.saves().len(), 0);
    }
}

#[test]
fn saves_have_names_of_their_own_and_the_latest_is_taken() {
    let folder = Folder::new();
    spoton(["play", "maze"]).folder(&folder).answers(&["+1"]).run().success();
    spoton(["play", "double"])
        .folder(&folder)
        .answers(&["+1", "save", "+1", "save", "+1", "resign"])
        .run()
        .success();
    let names: Vec<_> = folder.saves().iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["0001-number-maze.spoton", "0002-double-or-add.spoton"]);
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(resumed.stdout.starts_with("Current Number: 3\nIt's Player 1's turn.\n"), "{resumed:?}");
    let first = format!("--resume={}", folder.saves()[0].display());
    let resumed = spoton(["play", &first]).folder(&folder).run();
    assert!(resumed.stdout.starts_with("-- Player 2's Turn --\nCurrent Number: 2\n"), "{resumed:?}");
    assert!(resumed.stderr.contains("Number Maze resumed. Moves so far: +1"), "{resumed:?}");
}

#[test]
fn without_a_game_the_list_is_offered() {
    let printed = spoton(["play"]).answers(&["nothing", "?4", "4", "x2"]).run().success();
    assert!(printed.contains(" 4. Number Maze "), "{printed}");
    assert!(
        printed.contains("Number Maze: Add 1 or double one shared number. Land exactly on 20"),
        "{printed}"
    );
    let (list, _) = printed.split_once("Number from 1 to").expect("the next prompt follows the list");
    assert!(list.lines().count() < 23, "it fits a screen:\n{list}");
    assert!(printed.contains("\"nothing\" isn't on the list.\n"), "{printed}");
    assert!(printed.contains("Welcome to Number Maze!\n"), "{printed}");
    // A name works as it does after `spoton play`.
    for typed in ["maze", "Maze", "Number Maze"] {
        let printed = spoton(["play"]).answers(&["21", typed, "x2"]).run().success();
        assert!(
            printed
                .contains("\"21\" could be target-twenty-one or twenty-one-loses; type more of the name.\n"),
            "{printed}"
        );
        assert!(printed.contains("Welcome to Number Maze!\n"), "{typed}: {printed}");
    }
    let guide = spoton([] as [&str; 0]).run().success();
    assert!(guide.contains("spoton play GAME"), "{guide}");
}

#[test]
fn impossible_options_are_refused_before_play() {
    for (args, words) in [
        (&["play", "nope"][..], &["there is no game \"nope\""][..]),
        (&["play", "mze"], &["did you mean \"number-maze\"?"]),
        (&["play", "e"], &["could be"]),
        (&["play", "maze", "--names", "Ann"], &["--names", "Ann,Ben"]),
        (&["play", "maze", "--names", "Ann,Ann"], &["different"]),
        (&["play", "maze", "--vs", "carefull"], &["did you mean careful?"]),
        (
            &["play", "maze", "--variant", "to-16"],
            &["there is no variant \"to-16\"; did you mean \"to-15\"?"],
        ),
        (&["play", "maze", "--target", "60..20"], &["20..60"]),
        (&["play", "maze", "--target", "20-30"], &["--target 20-30: write it as 20..30"]),
        (&["audit", "maze", "--targets", "20-30"], &["--targets 20-30: write it as 20..30"]),
        (&["play", "maze", "--target", "-5"], &["--target:1:1", "climb into a countdown"]),
        (&["play", "maze", "--rule", "moves=+0"], &["--rule:1:7", "+0"]),
        (&["play", "maze", "--first-to", "0"], &["1..=999"]),
        (&["play", "maze", "--first-to", "3", "--rounds", "3"], &["cannot be used with"]),
    ] {
        spoton(args).run().fails(2, words);
    }
}

#[test]
fn a_countdown_below_zero_takes_negative_numbers() {
    let args = ["play", "take-away", "--target", "-5", "--rule", "start=3"];
    let printed = spoton(args).answers(&["-3", "-3", "-2"]).run().success();
    assert!(printed.ends_with("Player 1 wins!\n"), "{printed}");
}

#[test]
fn the_latest_round_is_the_one_that_was_written_last() {
    let folder = Folder::new();
    spoton(["play", "maze"]).folder(&folder).answers(&["+1"]).run().success();
    spoton(["play", "double"]).folder(&folder).answers(&["+1"]).run().success();
    // Long enough ago for any file system's clock.
    for (save, days) in folder.saves().iter().zip([2, 1]) {
        let written = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
        File::options().write(true).open(save).unwrap().set_modified(written).unwrap();
    }
    let first = format!("--resume={}", folder.saves()[0].display());
    spoton(["play", &first]).folder(&folder).answers(&["+1"]).run().success();
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(resumed.stderr.contains("Number Maze resumed. Moves so far: +1 +1"), "{resumed:?}");
}

#[test]
fn a_save_that_fails_does_not_end_the_round() {
    let folder = Folder::new();
    folder.write("spoton", "a file where a folder should be");
    let ran = spoton(["play", "maze", "--target", "3"]).folder(&folder).answers(&["x2", "save", "+1"]).run();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("Not saved: can't create the folder"), "{ran:?}");
    assert!(ran.stdout.ends_with("Player 2 wins the game!\n"), "{ran:?}");
}

#[test]
fn a_resumed_round_keeps_changed_wording() {
    let folder = Folder::new();
    let args = ["play", "maze", "--rule", "wording.turn=HI {player}", "--rule", "title=Foo"];
    spoton(args).folder(&folder).answers(&["+1"]).run().success();
    let resumed = spoton(["play", "--resume"]).folder(&folder).run();
    assert!(resumed.stdout.starts_with("HI Player 2\n"), "{resumed:?}");
    assert!(resumed.stderr.starts_with("Foo resumed."), "{resumed:?}");
}

#[test]
fn resuming_a_foreign_record_leaves_it_unchanged() {
    let folder = Folder::new();
    let text = "; from Ann, by mail\n[Rulebook \"number-maze\"]\n[Player1 \"Ann\"]\n\n1. x2 {your turn!} *\n";
    folder.write("mail.txt", text);
    let printed = spoton(["play", "--resume=mail.txt"]).folder(&folder).answers(&["x2"]).run().success();
    assert!(printed.contains("-- Ann's Turn --\nCurrent Number: 4\n"), "{printed}");
    assert_eq!(folder.read("mail.txt"), text);
    assert_eq!(folder.saves().len(), 1);
    // A save is a record too.
    let save = folder.saves().remove(0);
    let shown = spoton(["review", "--convert", save.to_str().unwrap()]).folder(&folder).run().success();
    assert!(shown.ends_with("\n1. x2 x2 *\n"), "{shown}");
}

#[test]
fn an_operation_means_itself_whatever_another_is_called() {
    let folder = Folder::new();
    folder.write(
        "labels.toml",
        "title = \"Labels\"\nstart = 3\ntarget = 99\nmoves = [{ op = \"x2\", label = \"Same\" }, { op = \"+2\", label = \"x2\" }, { op = \"+5\", label = \"same\" }]\n",
    );
    let printed =
        spoton(["play", "labels.toml"]).folder(&folder).answers(&["x2", "same", "+5"]).run().success();
    assert!(printed.contains("The number is 6."), "{printed}");
    assert!(printed.contains("Which one: x2 or +5?\n"), "{printed}");
    let checked = spoton(["check", "labels.toml"]).folder(&folder).run();
    assert!(checked.stderr.contains("two moves are called \"same\""), "{checked:?}");
}

#[test]
fn both_ends_of_a_span_of_targets_must_fit() {
    spoton(["play", "maze", "--target", "0..5"]).run().fails(2, &["--target:1:1", "climb into a countdown"]);
    spoton(["play", "maze", "--target", "2..1000000000000000001"]).run().fails(2, &["--target:1:1", "10^18"]);
    spoton(["rules", "maze", "--target", "2..5"]).run().fails(2, &["a range of targets works only in play"]);
}

#[test]
fn mistakes_between_an_option_and_a_file_point_at_the_option() {
    let folder = Folder::new();
    folder.write(
        "own.toml",
        "title = \"Own\"\nstart = 5\ntarget = 9\nmoves = [\"+1\"]\nlosing = [7]\nrange = [5, 12]\n",
    );
    for (args, place) in [
        (["rules", "own.toml", "--target", "7"], "--target:1:1"),
        (["rules", "own.toml", "--target", "13"], "--target:1:1"),
        (["rules", "own.toml", "--rule", "start=4"], "--rule:1:7"),
        (["rules", "own.toml", "--rule", "winning=7"], "--rule:1:9"),
    ] {
        spoton(args).folder(&folder).run().fails(2, &[place]);
    }
}

#[test]
fn a_round_can_have_thousands_of_moves() {
    let answers = vec!["1"; 4000];
    let ran = spoton(["play", "maze", "--target", "1000000"]).answers(&answers).run();
    assert!(ran.stdout.contains("Current Number: 4001\n"));
}

#[test]
fn text_from_the_command_line_is_never_printed_raw() {
    for args in [["check", "\u{1b}[31mfoo"], ["play", "\u{1b}[31mfoo"], ["rules", "\u{1b}[31mfoo.toml"]] {
        let ran = spoton(args).run();
        assert_eq!(ran.status, 2);
        assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
    }
}

/// One turn of a printed dialogue, from its first line to the next prompt.
fn turn<'a>(printed: &'a str, first: &str) -> &'a str {
    let begins = printed.find(first).unwrap_or_else(|| panic!("{first:?} is not in\n{printed}"));
    printed[begins..].split("\n\n").next().unwrap()
}

const HALVES: &str = "title = 'Up to Half'\nstart = 100\ntarget = 1\nrange = [1, 100]\nmoves = ['-1..half', '+prime']\npast = 'forbidden'\n";

/// A menu of many moves fits one screen, and so does the answer to `moves`.
#[test]
fn many_moves_are_listed_in_columns() {
    let folder = Folder::new();
    let book = folder.write("halves.toml", HALVES);
    let play = |answers: &[&str]| {
        spoton(["play".as_ref(), book.as_os_str()]).folder(&folder).answers(answers).run().success()
    };
    let printed = play(&["moves"]);
    let opening = turn(&printed, "Player 1's turn. The number is 100.");
    let (menu, moves) = opening.split_once("Your move (1 to 50): moves\n").unwrap();
    for (what, first) in
        [(menu, "1. Subtract 1    2. Subtract 2 "), (moves, "-1 from 100 to 99   -2 from 100 to 98 ")]
    {
        assert!(what.contains(first), "{what}");
        assert!(what.lines().count() < 22 && what.lines().all(|line| line.len() <= 80), "{what}");
    }
    assert!(
        menu.contains("+2. Add 2 (not allowed: goes above 100)")
            && moves.contains("+2 not allowed: goes above 100")
    );
    // The number alone, the move and its name all mean the same.
    for answer in ["12", "-12", "− 12", "subtract 12", "Subtract 12"] {
        let printed = play(&[answer]);
        assert!(
            printed.contains("You chose to subtract 12.\n\nPlayer 2's turn. The number is 88.\n"),
            "{answer}: {printed}"
        );
    }
}

#[test]
fn computed_amounts_are_refused_with_a_reason_and_help_names_moves_that_there_are() {
    let folder = Folder::new();
    let book = folder.write("halves.toml", HALVES);
    let answers = ["-51", "+3", "+2", "help", "-50", "undo", "quit"];
    let printed =
        spoton(["play".as_ref(), book.as_os_str()]).folder(&folder).answers(&answers).run().success();
    for expected in [
        "You can't subtract 51: 51 is more than half of 100.\n",
        "You can't add 3: 100 divided by 3 leaves a remainder.\n",
        "You can't add 2: that goes above 100.\n",
        "type a move, such as -50.",
        "Player 2's turn. The number is 50.\n",
        "Undone: -50.\n",
    ] {
        assert!(printed.contains(expected), "{expected:?} is not in\n{printed}");
    }
}

#[test]
fn why_summarises_very_many_moves() {
    let folder = Folder::new();
    let book = folder.write("halves.toml", HALVES);
    let printed =
        spoton(["play".as_ref(), book.as_os_str()]).folder(&folder).answers(&["why"]).run().success();
    let (_, told) = printed.split_once(": why\n").expect("`why` was typed");
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("  ")).collect();
    // There are fifty amounts up to half. At the highest number, no prime factor can be added.
    assert_eq!(
        lines,
        ["  -1, -2, -3, -4, -5, -6 and 44 other moves: neither of you can force a win."],
        "{told}"
    );
}

#[test]
fn two_questions_ask_for_the_sign_and_then_for_a_computed_amount() {
    let folder = Folder::new();
    let text = "title = 'Two'\nstart = 24\ntarget = 1\nrange = [1, 30]\nmoves = ['-divisor', '/prime', '+1']\n\
                past = 'forbidden'\n[wording]\nmenu = 'questions'\n";
    let book = folder.write("two.toml", text);
    let answers = ["subtract", "5", "6", "/", "3", "-2"];
    let printed =
        spoton(["play".as_ref(), book.as_os_str()]).folder(&folder).answers(&answers).run().success();
    let expected = "Two
Land exactly on 1 to win. You can't go past it.

Player 1's turn. The number is 24.
Player 1, choose a move (add/subtract/divide): subtract
Choose a number (1, 2, 3, 4, 6, 8 or 12): 5
You can't subtract 5: 24 divided by 5 leaves a remainder.
Choose a number (1, 2, 3, 4, 6, 8 or 12): 6
You chose to subtract 6.

Player 2's turn. The number is 18.
Player 2, choose a move (add/subtract/divide): /
Choose a number (2-3): 3
You chose to divide by 3.

Player 1's turn. The number is 6.
Player 1, choose a move (add/subtract/divide): -2
You chose to subtract 2.

Player 2's turn. The number is 4.
Player 2, choose a move (add/subtract/divide):
";
    assert_eq!(printed, expected);
}

#[test]
fn an_at_sign_marks_a_move_on_the_other_number() {
    let folder = Folder::new();
    let text = "title = 'Strike'\nnumbers = 'separate'\nstart = 10\ntarget = 30\nrange = [0, 30]\npast = 'forbidden'\n\
                moves = ['+4', { op = '-3', on = 'other' }]\nturns = 2\n";
    let book = folder.write("strike.toml", text);
    let answers = ["@-3", "-", "@ -3", "2", "+4"];
    let printed =
        spoton(["play".as_ref(), book.as_os_str()]).folder(&folder).answers(&answers).run().success();
    for expected in [
        "Player 1's turn. Your number is 10, Player 2's is 10. Turn 1 of 2.\n",
        "You chose to subtract 3 from the other number: 7.\n\nPlayer 2",
        "Player 2's turn. Your number is 7, Player 1's is 10. Turn 1 of 2.\n",
        "Do you mean @-3? The @ marks your opponent's number.\n",
        "You chose to subtract 3 from the other number: 7.\n\nPlayer 1",
        "Player 1's turn. Your number is 7, Player 2's is 7. Turn 2 of 2.\n",
        ": 8.\n\nNo turns left. The number closer to 30 decides.\nPlayer 2 wins!\n",
    ] {
        assert!(printed.contains(expected), "{expected:?} is not in\n{printed}");
    }
}

#[test]
fn one_name_is_enough_against_the_computer() {
    let round =
        |args: &[&str]| spoton(["play", "number-maze"].iter().chain(args)).answers(&["1", "1", "1"]).run();
    let against = round(&["--vs", "momo", "--names", "Zoe"]).success();
    assert!(against.contains("Zoe's Turn") && against.contains("Momo"), "{against}");
    let second = round(&["--p1", "momo", "--names", "Zoe"]).success();
    assert!(second.contains("Zoe's Turn") && second.contains("Momo"), "{second}");
    round(&["--names", "Zoe"]).fails(2, &["--names takes two different names"]);
    round(&["--vs", "momo", "--names", "Zoe,Zoe"]).fails(2, &["--names takes two different names"]);
    round(&["--vs", "momo", "--names", "A,B,C"]).fails(2, &["--names takes two different names"]);
}
