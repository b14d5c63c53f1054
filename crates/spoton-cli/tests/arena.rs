//! `spoton bot arena`: exact odds, results of programs, and programs that misbehave.

use crate::support;

use std::process::Stdio;

use serde_json::{Value as Json, json};
use support::{Folder, arena, arena_in_vain, counted, marked, spoton, wait_for};

fn repository() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn the_chances_of_known_players_are_those_of_the_table() {
    let arena = arena(&["double-or-add", "--p1", "careful", "--p2", "dash"]);
    let table = spoton(["opponents", "double-or-add", "--json"]).run().success();
    let table: Json = serde_json::from_str(&table).unwrap();
    let rows = table["rungs"].as_array().unwrap().iter().chain(table["references"].as_array().unwrap());
    let rows: Vec<&Json> = rows.collect();
    let between = |first: &str, second: &str| {
        let plays = |row: &&&Json| row["opponents"].as_array().unwrap().contains(&json!(first));
        let row = rows.iter().find(plays).unwrap();
        let pairs = row["going_first_against"].as_array().unwrap();
        let other = rows.iter().find(|row| row["opponents"].as_array().unwrap().contains(&json!(second)));
        let other = &other.unwrap()["opponents"][0];
        pairs.iter().find(|pair| pair["second"] == *other).unwrap().clone()
    };
    let (one, two) = (between("careful", "dash"), between("dash", "careful"));
    let close = |a: &Json, b: &Json| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9;
    let exact = &arena["exact"];
    assert!(
        close(&exact[0]["wins"][0], &one["first_wins"]) && close(&exact[0]["wins"][1], &one["second_wins"])
    );
    assert!(
        close(&exact[1]["wins"][1], &two["first_wins"]) && close(&exact[1]["wins"][0], &two["second_wins"])
    );
    assert_eq!(arena["played"], json!([]), "nothing has to be played for that");
}

/// With enough rounds, the results are close to the exact odds, and the same seed plays the same rounds.
#[test]
fn played_rounds_match_the_exact_odds() {
    let args = [
        "number-maze",
        "--p1",
        "careful",
        "--p2",
        "random",
        "--rounds",
        "2000",
        "--seed",
        "5",
        "--names",
        "A,B",
    ];
    let answer = arena(&args);
    for (place, first) in [(0, "first"), (1, "second")] {
        let line = |line: &&Json| line["player"] == "A" && line["seat"] == first;
        let line = answer["played"].as_array().unwrap().iter().find(line).unwrap();
        let exact = answer["exact"][place]["wins"][0].as_f64().unwrap();
        let played = line["won"].as_f64().unwrap() / 1000.0;
        // Five standard deviations; the seed is fixed.
        let spread = 5.0 * (exact * (1.0 - exact) / 1000.0).sqrt();
        assert_eq!(line["rounds"], 1000);
        assert!((played - exact).abs() < spread, "{played} {exact}");
    }
    assert_eq!(arena(&args), answer);
}

/// The example in the repository plays every shipped game, and `review` grades its records the same way.
#[test]
fn the_python_example_plays_and_is_graded() {
    let example = repository().join("examples/bot.py");
    assert!(std::fs::read_to_string(&example).unwrap().lines().count() <= 40);
    let folder = Folder::new();
    let program = format!("exec:python3 {}", example.display());
    let ids: Vec<&str> = spoton::format::catalog::ids().collect();
    let args = ["--p1", &program, "--p2", "careful", "--rounds", "4", "--names", "bot,careful"];
    let args = ids.iter().chain(&args).copied().chain(["--record", "all.jsonl", "--json"]);
    let ran = spoton(["bot", "arena"].into_iter().chain(args)).folder(&folder).run();
    let answers: Vec<Json> = ran.success().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), ids.len());
    let mut played = Vec::new();
    for answer in &answers {
        assert_eq!(counted(answer, "bot", "rounds"), 4, "{answer}");
        for key in ["forfeited", "illegal", "unreadable", "late", "died", "flooded", "unfinished"] {
            assert_eq!(counted(answer, "bot", key), 0, "{key}: {answer}");
        }
        played.extend(answer["played"].as_array().unwrap().iter().cloned());
    }
    let summary = spoton(["review", "--summary", "--json", "all.jsonl"]).folder(&folder).run().success();
    let mut summary: Vec<Json> = serde_json::from_str(&summary).unwrap();
    let order = |line: &Json| line.to_string();
    summary.sort_by_key(order);
    played.sort_by_key(order);
    assert_eq!(summary, played);
}

/// A program that always plays the best move gets every choice right and the best possible result from its seat.
#[test]
fn a_perfect_program_gets_all_that_the_seat_allows() {
    let folder = Folder::new();
    // Race to 23: leave 3, 8, 13, 18, 23.
    folder.write(
        "perfect.py",
        "import json, sys\nfor line in sys.stdin:\n    turn = json.loads(line)\n    \
         n = turn['position']['numbers'][0]\n    step = (23 - n) % 5 or 1\n    print(f'move: +{step}', flush=True)\n",
    );
    let program = format!("exec:python3 {}", folder.file("perfect.py").display());
    let answer =
        arena(&["race-to-23", "--p1", "careful", "--p2", &program, "--rounds", "30", "--names", "c,p"]);
    assert_eq!(counted(&answer, "p", "as_good_as_the_seat_allows"), 30);
    assert_eq!(counted(&answer, "p", "kept"), counted(&answer, "p", "decisions"));
    assert!(counted(&answer, "p", "decisions") > 50);
    let perfect = &answer["in_its_place"][2];
    assert_eq!((&perfect["player"], &perfect["in_place_of"]), (&json!("perfect"), &json!(2)));
    assert_eq!(perfect["exact"][1]["wins"][1], 1.0);
}

/// After an illegal answer, Spot On asks again and gives the reason. The next legal answer counts.
#[test]
fn a_program_gets_a_retry_with_the_reason() {
    let folder = Folder::new();
    // Always doubles; if that isn't legal, adds 1.
    folder.write(
        "doubles.sh",
        "while read -r line; do echo \"$line\" >> asked; case $line in *'\"refused\"'*) echo +1;; *) echo x2;; esac; done\n",
    );
    let args =
        ["bot", "arena", "double-or-add", "--p1", "exec:sh doubles.sh", "--p2", "careful", "--names", "d,c"];
    let options = ["--rounds", "2", "--no-legal-list", "--record", "rounds", "--json"];
    let answer = spoton(args.iter().chain(&options)).folder(&folder).run().success();
    let answer: Json = serde_json::from_str(&answer).unwrap();
    let asked = folder.read("asked");
    let asked: Vec<Json> = asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let again: Vec<&Json> = asked.iter().filter(|turn| turn.get("refused").is_some()).collect();
    assert!(!again.is_empty() && again.len() as u64 == counted(&answer, "d", "illegal"));
    for turn in &again {
        assert_eq!(turn["refused"], json!({ "why": "illegal", "reason": "goes past 20" }));
    }
    assert_eq!(counted(&answer, "d", "won") + counted(&answer, "d", "lost"), 2);
    let rules: Vec<&Json> = asked.iter().filter(|turn| turn.get("rules").is_some()).collect();
    assert_eq!(rules.iter().map(|turn| turn["round"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2]);
    for turn in &asked {
        assert!(turn.get("legal").is_none() && turn["rulebook_hash"].is_string(), "{turn}");
        for spoiler in ["value", "remoteness", "claims", "notes", "best"] {
            assert!(!turn.to_string().contains(spoiler), "{spoiler}: {turn}");
        }
    }
    // The record includes the illegal answer, as a line of JSON whatever the file's name.
    let record: Json = serde_json::from_str(folder.read("rounds").lines().next().unwrap()).unwrap();
    assert_eq!(record["computer1"], "exec:sh doubles.sh");
    assert!(record["tags"]["Illegal1"].is_string());
}

/// A late answer isn't mistaken for the answer to the next question.
#[test]
fn a_late_answer_is_passed_over() {
    let folder = Folder::new();
    folder.write("slow.sh", "read -r line; sleep 2; echo x2; while read -r line; do echo +1; done\n");
    let args = ["bot", "arena", "number-maze", "--p1", "exec:sh slow.sh", "--p2", "careful", "--rounds", "1"];
    let options =
        ["--move-time", "700", "--tries", "100", "--record", "rounds.jsonl", "--names", "slow,c", "--json"];
    let answer = spoton(args.iter().chain(&options)).folder(&folder).run().success();
    let answer: Json = serde_json::from_str(&answer).unwrap();
    assert!(counted(&answer, "slow", "late") >= 1);
    assert_eq!(counted(&answer, "slow", "forfeited"), 0);
    let record: Json = serde_json::from_str(folder.read("rounds.jsonl").trim()).unwrap();
    let own = record["moves"].as_array().unwrap().iter().step_by(2);
    assert!(own.into_iter().all(|written| written == "+1"), "{record}");
    // Several late answers written together count as separate answers; the next one counts for the turn.
    folder.write(
        "lump.sh",
        "read -r a; read -r b; read -r c; printf 'x2\\nx2\\n+1\\n'; while read -r l; do echo +1; done\n",
    );
    let args = ["bot", "arena", "number-maze", "--p1", "exec:sh lump.sh", "--p2", "careful", "--rounds", "1"];
    let options =
        ["--move-time", "700", "--tries", "100", "--record", "lump.jsonl", "--names", "lump,c", "--json"];
    let answer = spoton(args.iter().chain(&options)).folder(&folder).run().success();
    let answer: Json = serde_json::from_str(&answer).unwrap();
    assert!(counted(&answer, "lump", "late") >= 2);
    assert_eq!(counted(&answer, "lump", "forfeited"), 0);
    let record: Json = serde_json::from_str(folder.read("lump.jsonl").trim()).unwrap();
    let mut own = record["moves"].as_array().unwrap().iter().step_by(2);
    assert!(own.all(|written| written == "+1"), "{record}");
}

/// A program may exit after each answer. Spot On then restarts it for each question and sends the rules every time.
#[test]
fn a_program_for_a_single_answer_is_started_again() {
    // It exits immediately, after the next question, or after a late answer.
    let late = "[ -e late ] || { touch late; sleep 2; }; echo +1\n";
    for (script, is_late) in [("echo +1\n", false), ("echo +1; read -r line\n", false), (late, true)] {
        let folder = Folder::new();
        folder.write("once.sh", &format!("read -r line; echo \"$line\" >> asked; {script}"));
        let args =
            ["bot", "arena", "race-to-23", "--p1", "exec:sh once.sh", "--p2", "careful", "--rounds", "2"];
        let patience = if is_late { ["--move-time", "700"] } else { ["--move-time", "60000"] };
        let options = ["--tries", "100", "--names", "once,c", "--json"];
        let ran = spoton(args.iter().chain(&patience).chain(&options)).folder(&folder).run();
        let answer: Json = serde_json::from_str(&ran.success()).unwrap();
        for key in ["died", "forfeited"] {
            assert_eq!(counted(&answer, "once", key), 0, "{script}: {key}: {answer}");
        }
        assert_eq!(counted(&answer, "once", "late") > 0, is_late, "{script}: {answer}");
        assert_eq!(answer["unasked"], json!([0, 0]), "{script}");
        assert!(folder.read("asked").lines().all(|line| line.contains("\"rules\"")));
    }
}

#[test]
#[cfg(unix)]
fn a_signal_makes_the_arena_end_its_programs() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::new();
        let program =
            "exec:echo ready > ready; trap '' TERM INT HUP; setsid sleep 1000 & sleep 1000; sleep 1000";
        let args = ["bot", "arena", "number-maze", "--p1", program, "--p2", "careful"];
        let call = spoton(args).folder(&folder);
        let mut child = call.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mark = format!("SPOTON_PROGRAM={}-", child.id());
        wait_for("the program to start", || folder.file("ready").exists() && marked(&mark).len() >= 2);
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        assert!(!child.wait().unwrap().success());
        wait_for("nothing to be left", || marked(&mark).is_empty());
    }
}

#[test]
fn unusable_players_are_refused_with_advice() {
    let arena = |one: &str| spoton(["bot", "arena", "number-maze", "--p1", one, "--p2", "careful"]).run();
    arena("human").fails(2, &["Use spoton play for people"]);
    arena("adaptive").fails(2, &["Use spoton play for people"]);
    arena("exec:").fails(2, &["needs a command"]);
    arena("carful").fails(2, &["did you mean careful?"]);
    // People and adaptive opponents can't play here, so no error offers them.
    let unknown = arena("nobody");
    assert!(!unknown.stderr.contains("human") && !unknown.stderr.contains("adaptive"), "{unknown:?}");
    unknown.fails(2, &["choose pip, dash, ", "exec:COMMAND"]);
    arena("exec:no-such-program-anywhere").fails(2, &["can't start no-such-program-anywhere"]);
    let folder = Folder::new();
    folder.write("poem.txt", "Roses are red\n");
    let args = [
        "bot",
        "arena",
        "number-maze",
        "--p1",
        "random",
        "--p2",
        "careful",
        "--rounds",
        "2",
        "--record",
        "poem.txt",
    ];
    spoton(args).folder(&folder).run().fails(2, &["isn't a record file"]);
    assert_eq!(folder.read("poem.txt"), "Roses are red\n");
}

/// In a round with a person, a program moves like a computer opponent, and Spot On reports a forfeit.
#[test]
fn a_program_plays_against_a_person() {
    let answers = ["2", "2", "1", "1", "1", "1", "1", "1", "1", "1"];
    let ran = spoton(["play", "number-maze", "--vs", "exec:while read l; do echo +1; done"])
        .answers(&answers)
        .run();
    let said = ran.success();
    assert!(said.contains("(1 or 2): 1\nwhile read l; do echo +1; done chose to Add 1.\n"), "{said}");
    assert!(said.ends_with("Player 1 has reached the goal number!\nPlayer 1 wins the game!\n"), "{said}");
    let ran = spoton(["play", "number-maze", "--vs", "exec:echo oh no >&2; exit 3"]).answers(&answers).run();
    assert!(ran.stdout.contains("has given no legal answer, so nobody wins."), "{ran:?}");
    assert!(
        ran.stderr
            .contains("the program exited before it answered, with exit status 3; its last output: oh no"),
        "{ran:?}"
    );
}

/// Output written together is one answer, however many lines it has. The result is the same every time.
#[test]
fn many_lines_in_one_go_are_one_answer() {
    for (lines, forfeited, unreadable) in [
        ("'+1\\n\\n'", 0, 0),
        ("'thinking\\n+1\\n'", 0, 0),
        ("'+1\\nx2\\n'", 4, 12),
        ("'so\\n+1'; echo", 0, 0),
    ] {
        let program = format!("exec:while read l; do printf {lines}; done");
        let args = ["number-maze", "--p1", &program, "--p2", "careful", "--rounds", "4", "--names", "p,c"];
        let answer = if forfeited == 0 { arena(&args) } else { arena_in_vain(&args) };
        let counts = [counted(&answer, "p", "forfeited"), counted(&answer, "p", "unreadable")];
        assert_eq!(counts, [forfeited, unreadable], "{lines}");
    }
}

/// A plain command runs without a shell, so Spot On notices immediately when its output closes.
#[test]
fn a_plain_command_runs_without_a_shell() {
    let folder = Folder::new();
    folder.write("closes.py", "import os, time\nos.close(1)\ntime.sleep(1000)\n");
    let program = format!("exec:python3 {}", folder.file("closes.py").display());
    let args = ["number-maze", "--p1", &program, "--p2", "careful", "--rounds", "2", "--tries", "0"];
    let answer = arena_in_vain(&[&args[..], &["--names", "p,c"]].concat());
    assert_eq!([counted(&answer, "p", "died"), counted(&answer, "p", "late")], [2, 0]);
}

/// If a program plays, Spot On doesn't finish or save the round without it.
#[test]
fn a_program_is_asked_for_all_its_moves() {
    let folder = Folder::new();
    let program = "exec:while read l; do echo asked >> asked; echo +1; done";
    let args = ["play", "number-maze", "--vs", program, "--moves", "x2 x2 x2 x2"];
    let ran = spoton(args).answers(&["finish", "save", "1", "quit"]).folder(&folder).run();
    assert!(ran.stdout.contains("There are still choices to make."), "{ran:?}");
    assert!(ran.stdout.contains("Rounds with an outside program aren't saved"), "{ran:?}");
    assert!(ran.stderr.contains("Rounds with an outside program aren't saved"), "{ran:?}");
    assert_eq!((ran.status, folder.read("asked")), (0, "asked\n".to_owned()));
    assert_eq!(folder.saves(), Vec::<std::path::PathBuf>::new());
}

/// With random targets there are no exact odds, so the rounds are played.
#[test]
fn drawn_targets_are_played() {
    let answer = arena(&["number-maze", "--target", "15..20", "--p1", "careful", "--p2", "random"]);
    assert_eq!((&answer["exact"], &answer["targets"]), (&Json::Null, &json!("15..20")));
    assert_eq!(counted(&answer, "Careful", "rounds"), 20);
}

/// A command in a file never runs.
#[test]
fn no_file_starts_a_program() {
    let folder = Folder::new();
    folder.write(
        "round.txt",
        "[SpotOn \"1\"]\n[Rulebook \"number-maze\"]\n[Player1 \"Ann\"]\n[Computer2 \"exec:touch started\"]\n\n1. x2 *\n",
    );
    let ran = spoton(["play", "--resume=round.txt"]).answers(&["1", "1"]).folder(&folder).run();
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(!folder.file("started").exists());
}
