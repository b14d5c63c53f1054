//! Engines: our engine's answers, the check of other engines, and rounds in the arena.

use crate::support;

use std::collections::HashSet;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value as Json;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::catalog;
use spoton::solver::{Budget, Solver};
use support::{Folder, arena, counted, marked, spoton, wait_for};

/// The engine's answers to some lines.
fn conversation(lines: &str) -> Vec<String> {
    let said = spoton(["bot", "engine"]).input(lines).run().success();
    said.lines().map(str::to_owned).collect()
}

#[test]
fn the_conversation_of_the_page_is_a_true_one() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engines.md"));
    let page = page.unwrap();
    let lines: Vec<&str> = page
        .lines()
        .skip_while(|line| !line.starts_with("A conversation"))
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    let (asked, answered): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.starts_with("> "));
    assert_eq!(asked.len(), 4);
    let asked: Vec<&str> = asked.iter().filter_map(|line| line.strip_prefix("> ")).collect();
    assert_eq!(conversation(&asked.join("\n")), answered);
}

/// The engine answers a line that it doesn't understand. The line changes nothing, and the next one works.
#[test]
fn every_line_is_answered_and_the_engine_goes_on() {
    let mut input = b"go\nposition opening\n\n \nuci\n\xff\xfe\0\n".to_vec();
    input.extend(b"x".repeat(3 << 20));
    input.extend(b"\nrules {\nrules {start = 1}\nrules {start = 1, target = 9, moves = ['+1', '+2']}\n");
    input.extend(b"position 99;1\nposition opening moves x2\nposition 3;2 moves +1\ngo depth 0\n");
    input.extend(b"go among +1 x2\ngo time 0\nposition 8;1 moves +1\ngo\nposition 3;2 moves +1\ngo perfect among +1\nquit\ngo\n");
    let ran = spoton(["bot", "engine"]).input(input).run();
    let said: Vec<&str> = ran.stdout.lines().collect();
    let first: Vec<&str> = said.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let expected = "error error error error error error error error error ok error error ok error error error ok error ok \
                    info bestmove bye";
    assert_eq!(first, expected.split_whitespace().collect::<Vec<_>>(), "{said:#?}");
    assert_eq!((ran.status, said[said.len() - 2]), (0, "bestmove +1"));
    assert!(said[17].contains("the round is over"), "{}", said[17]);
}

/// Any line gets at least one answer. The lines have words of the protocol in any order, truncated and mixed with bytes
/// that aren't text.
#[test]
fn any_line_gets_an_answer() {
    let words: &[&[u8]] = &[
        b"spoton",
        b"newgame",
        b"rules",
        b"position",
        b"go",
        b"opening",
        b"moves",
        b"among",
        b"depth",
        b"time",
        b"perfect",
        b"{start = 1, target = 9, moves = ['+1', 'x2']}",
        b"{",
        b"9;1",
        b"1;2",
        b"+1",
        b"x2",
        b"@-3",
        b"skip",
        b"0",
        b"255",
        b"99999999999999999999",
        b"-1",
        b"\xff\xfe",
        b"\0",
        b"\r",
        b"\t",
        b"\x1b[2J",
        "\u{feff}\u{202e}".as_bytes(),
        b"",
        b"Quit",
    ];
    let (dice, mut drawn) = (spoton::sitting::Dice::new(15), 0);
    let mut below = |most: usize| {
        drawn += 1;
        (dice.draw(drawn, 0) * most as f64) as usize
    };
    let mut input = Vec::new();
    const LINES: usize = 2000;
    for _ in 0..LINES {
        for _ in 0..below(6) {
            input.extend_from_slice(words[below(words.len())]);
            input.push(b' ');
        }
        // A line with a known answer marks the end of the answers.
        input.extend(b"\nmark\n");
    }
    let said = spoton(["bot", "engine"]).input(input).run().success();
    let mark = conversation("mark\n");
    assert_eq!(mark.len(), 1);
    let answers: Vec<Vec<&str>> =
        said.lines().collect::<Vec<_>>().split(|line| *line == mark[0]).map(<[&str]>::to_vec).collect();
    assert_eq!(answers.len(), LINES + 1, "every line was read");
    assert!(answers[..LINES].iter().all(|answer| !answer.is_empty()));
}

/// At every position of every game, the engine's values and moves match the solution.
#[test]
fn perfect_and_deep_answers_are_those_of_the_solver() {
    for id in catalog::ids() {
        let book = std::sync::Arc::new(catalog::draft(id).unwrap().build().unwrap());
        let solver = Solver::new(book.clone(), &mut Budget::patient(64 << 20)).unwrap();
        // Some of the positions, breadth first.
        let (mut known, mut queue) = (HashSet::new(), vec![Round::new(book.clone(), Player::One)]);
        let (mut asked, mut place) = (format!("rules {}\n", book.rules_line()), 0);
        let mut expected = Vec::new();
        while place < queue.len() && expected.len() < 40 {
            let round = queue[place].clone();
            place += 1;
            let position = *round.position();
            if round.outcome().is_some() || !known.insert(position) {
                continue;
            }
            for a_move in round.situation().moves() {
                let mut next = round.clone();
                next.play(a_move).unwrap();
                queue.push(next);
            }
            if let Situation::Choose(_) = round.situation() {
                asked += &format!("position {}\ngo perfect\ngo depth 3\n", book.position_text(&position));
                expected.push((position, solver.verdict(&position).unwrap()));
            }
        }
        let said = conversation(&asked);
        let mut said = said.iter().skip(1);
        for (position, verdict) in expected {
            assert_eq!(said.next().unwrap(), "ok");
            let at = format!("{id} {}", book.position_text(&position));
            let remoteness = verdict.remoteness().map(|moves| format!(" remoteness {moves}"));
            let proved = format!("value {}{}", verdict.value.word(), remoteness.unwrap_or_default());
            assert_eq!(said.next().unwrap(), &format!("info {proved}"), "{at}");
            let best = said.next().unwrap().strip_prefix("bestmove ").unwrap();
            let choice = book.choice(best.parse().unwrap()).unwrap();
            let worth = solver.move_verdict(&position, Move::Operation(choice)).unwrap();
            assert_eq!(worth, verdict, "{at}: {best}");
            let seen = said.next().unwrap();
            match verdict.remoteness().is_some_and(|moves| moves <= 3) {
                true => assert!(seen.ends_with(&proved), "{at}: {seen}"),
                // A search may prove a draw by visiting every position.
                false => {
                    assert!(seen.ends_with("value unknown") || seen.ends_with("value draw"), "{at}: {seen}")
                }
            }
            said.next().unwrap().strip_prefix("bestmove ").unwrap();
        }
    }
}

/// The check's report and exit status.
fn checked(command: &str, answer_time: &str) -> (Json, i32) {
    let ran = spoton(["bot", "check", command, "--answer-time", answer_time, "--json"]).run();
    (serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{command}: {ran:?}")), ran.status)
}

fn broken(report: &Json) -> Vec<&str> {
    let rules = report["rules"].as_array().unwrap().iter().filter(|rule| rule["kept"] == false);
    rules.map(|rule| rule["rule"].as_str().unwrap()).collect()
}

#[test]
fn positions_and_choices_take_other_spellings() {
    let rules = "rules {start = 1, target = 20, moves = ['+1', 'x2']}\n";
    for moves in ["×2 +1", "× 2 + 1", "*2, add 1", "X2 plus 1"] {
        let said = conversation(&format!("{rules}position opening moves {moves}\ngo perfect among ×2\n"));
        assert_eq!(said[1], "ok", "{moves}: {said:?}");
        assert_eq!(said.last().unwrap(), "bestmove x2", "{moves}: {said:?}");
    }
}

#[test]
fn ours_keeps_every_rule() {
    let (report, status) = checked(&format!("{} engine", env!("CARGO_BIN_EXE_spoton")), "60000");
    assert_eq!((broken(&report), status), (Vec::new(), 0), "{report:#}");
    let remarks: Vec<&Json> = report["rules"].as_array().unwrap().iter().map(|rule| &rule["said"]).collect();
    assert_eq!(remarks.iter().filter(|said| !said.is_null()).count(), 1, "only its name: {report:#}");
}

#[test]
fn the_example_keeps_every_rule() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    let text = std::fs::read_to_string(&example).unwrap();
    assert!(text.lines().count() <= 40);
    let (report, status) = checked(&format!("python3 {}", example.display()), "60000");
    assert_eq!((broken(&report), status), (Vec::new(), 0), "{report:#}");
}

/// If one thing in the example changes, it breaks exactly the matching rules.
#[test]
fn every_protocol_error_is_found() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    let example = std::fs::read_to_string(example).unwrap();
    let cases: &[(&str, &str, &[&str])] = &[
        ("id name Any", "id author Any", &["Identifies itself"]),
        ("\"error not understood\"", "", &["Answers every line"]),
        ("value unknown", "value win remoteness 1", &["Evaluates positions truthfully"]),
        (
            "random.choice(rest[rest.index(\"among\") + 1:])",
            "\"+1\"",
            &["Plays legal moves", "Chooses among the given moves", "Evaluates positions truthfully"],
        ),
        ("return [\"bye\"]", "return [\"bye \"]", &["Exits on quit and at the end of its input"]),
    ];
    for (before, after, expected) in cases {
        let folder = Folder::new();
        assert!(example.contains(before), "{before}");
        let file = folder.write("engine.py", &example.replace(before, after));
        let (report, status) = checked(&format!("python3 {}", file.display()), "2000");
        assert_eq!(status, 1);
        for rule in *expected {
            assert!(broken(&report).contains(rule), "{after}: {rule}: {report:#}");
        }
    }
}

/// The report on a failed rule.
fn said<'r>(report: &'r Json, rule: &str) -> &'r str {
    let rules = report["rules"].as_array().unwrap();
    rules.iter().find(|it| it["rule"] == rule).unwrap()["said"].as_str().unwrap()
}

/// Even a working engine mustn't write anything else, either before the first question or between its answers.
#[test]
fn unknown_protocol_lines_are_reported() {
    const RULE: &str = "Writes only the protocol to standard output";
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    let example = std::fs::read_to_string(example).unwrap();
    let begin = "for line in sys.stdin.buffer:\n";
    let banner = format!("print('Any Move 1.0', flush=True)\n{begin}");
    let notes = format!("{begin}    if line == b'newgame\\n': print('a new one')\n");
    for (after, line) in [(banner, "\"Any Move 1.0\" came "), (notes, "\"a new one\" came after \"newgame\"")]
    {
        let folder = Folder::new();
        let file = folder.write("engine.py", &example.replace(begin, &after));
        let (report, status) = checked(&format!("python3 {}", file.display()), "60000");
        assert_eq!((broken(&report), status), (vec![RULE], 1), "{report:#}");
        assert!(said(&report, RULE).starts_with(line), "{report:#}");
    }
    // An engine that echoes our lines writes something, but it doesn't answer.
    let (report, _) = checked("cat", "300");
    assert_eq!(
        said(&report, "Identifies itself"),
        "after \"spoton\" came \"spoton\", and no answer within the time limit"
    );
    assert_eq!(said(&report, RULE), "\"spoton\" came after \"spoton\"");
}

/// Every line with a wrong answer is reported.
#[test]
fn all_lines_with_a_wrong_answer_are_listed() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    let example = std::fs::read_to_string(example).unwrap();
    let folder = Folder::new();
    let lax = example.replace("(word, rest) == (\"spoton\", [])", "word == \"spoton\"");
    let lax = lax.replace("in (\"rules\", \"position\") and rest or", "in (\"rules\", \"position\") or");
    let file = folder.write("engine.py", &lax);
    let (report, _) = checked(&format!("python3 {}", file.display()), "60000");
    assert_eq!(
        said(&report, "Answers every line"),
        "the answers to \"position\" and \"spoton spoton\" aren't error …"
    );
}

/// The check and the arena diagnose an engine that almost works.
#[test]
fn an_engine_that_almost_works_is_diagnosed() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    let example = std::fs::read_to_string(example).unwrap();
    let answers = "\"bestmove \" + random.choice(rest[rest.index(\"among\") + 1:])";
    let example = example.replace("    print(*lines", "    if lines: print(*lines");
    assert!(example.contains(answers) && example.contains("if lines"));
    for (instead, checked_as, played_as) in [
        (
            "[]",
            "it answered earlier lines, but not this one in time",
            "it answered earlier lines, but nothing after \"go ",
        ),
        (
            "[\"BESTMOVE \" + rest[rest.index(\"among\") + 1]]",
            "\"BESTMOVE +1\", which is not in the protocol: protocol words are lower case",
            "with \"BESTMOVE +1\": protocol words are lower case",
        ),
        (
            "[\"\\x1b[1mbestmove \" + rest[rest.index(\"among\") + 1]]",
            "\"\u{fffd}[1mbestmove +1\", which is not in the protocol: it has control characters",
            "with \"\u{fffd}[1mbestmove +1\": it has control characters",
        ),
        (
            "[\"bestmove: \" + rest[rest.index(\"among\") + 1]]",
            "\"bestmove: +1\", which is not in the protocol: protocol words have no colon",
            "with \"bestmove: +1\": protocol words have no colon",
        ),
        (
            "[sys.stdout.write(\"bestmove \" + rest[rest.index(\"among\") + 1]), sys.stdout.flush()][:0]",
            "came \"bestmove +1\" without a line break; end each answer with one",
            "with \"bestmove +1\" but no line break within",
        ),
        (
            "[\"bestmove \\0\" + rest[rest.index(\"among\") + 1]]",
            "it has control characters",
            "bestmove \"\u{fffd}+1\": it has control characters",
        ),
    ] {
        let folder = Folder::new();
        let whole = format!("[\"info value unknown\", {answers}]");
        let file = folder.write("engine.py", &example.replace(&whole, instead));
        // The check waits this long. It has to cover Python's startup on a busy machine.
        let patience = "4000";
        let (report, status) = checked(&format!("python3 {}", file.display()), patience);
        let told = said(&report, "Chooses among the given moves");
        assert!(status == 1 && told.contains(checked_as), "{instead}: {report:#}");
        let player = format!("engine:python3 {}", file.display());
        let args = [
            "bot",
            "arena",
            "number-maze",
            "--p1",
            &player,
            "--p2",
            "careful",
            "--move-time",
            patience,
            "--tries",
            "0",
        ];
        let ran = spoton(args).run();
        assert!(ran.stderr.contains(played_as), "{instead}: {ran:?}");
        assert!(!ran.stderr.contains("has to end its line"), "{instead}: {ran:?}");
    }
}

/// Whatever an engine does, the check finishes, and none of the engine's processes survives.
#[test]
fn the_check_survives_any_engine() {
    for command in [
        "exit 3",
        "kill -SEGV $$",
        "setsid sleep 1000 & exit 1",
        "cat /dev/urandom",
        "yes ok",
        "exec <&-; sleep 1000",
        "trap '' TERM; setsid sleep 1000 & while :; do sleep 1; done",
        "while read l; do head -c 900000 /dev/zero | tr '\\0' x; echo; done",
        "while read l; do echo ok; echo error x; echo spotonok; echo bestmove +1; echo bye; done",
    ] {
        let args = ["bot", "check", command, "--answer-time", "300", "--json"];
        let folder = Folder::new();
        let child = spoton(args).folder(&folder).command().stdout(Stdio::piped()).spawn().unwrap();
        let mark = format!("SPOTON_PROGRAM={}-", child.id());
        let output = child.wait_with_output().unwrap();
        let report: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["rules"].as_array().unwrap().len(), 10, "{command}: {report:#}");
        assert!(!broken(&report).is_empty() && output.status.code() == Some(1), "{command}: {report:#}");
        wait_for("nothing to be left", || marked(&mark).is_empty());
    }
}

/// A perfect engine gets every choice right in every game, without a list of legal moves. `review` can read the
/// records.
#[test]
fn engines_play_in_the_arena() {
    let engine = format!("engine:{} engine", env!("CARGO_BIN_EXE_spoton"));
    let ids: Vec<&str> = catalog::ids().collect();
    let folder = Folder::new();
    let args = ["--p1", &engine, "--p2", "careful", "--rounds", "4", "--names", "e,c", "--go", "perfect"];
    let args = ids.iter().chain(&args).copied().chain(["--no-legal-list", "--record", "all.jsonl", "--json"]);
    let ran = spoton(["bot", "arena"].into_iter().chain(args)).folder(&folder).run();
    let answers: Vec<Json> = ran.success().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), ids.len());
    for answer in &answers {
        assert_eq!(counted(answer, "e", "rounds"), 4);
        assert_eq!(counted(answer, "e", "as_good_as_the_seat_allows"), 4, "{answer}");
        assert_eq!(counted(answer, "e", "kept"), counted(answer, "e", "decisions"), "{answer}");
        for key in ["forfeited", "illegal", "unreadable", "late", "died", "flooded", "unfinished"] {
            assert_eq!(counted(answer, "e", key), 0, "{key}: {answer}");
        }
    }
    assert!(folder.read("all.jsonl").contains("engine:"));
    spoton(["review", "--summary", "all.jsonl"]).folder(&folder).run().success();
    // With a search of depth 1, it wins less.
    let shallow =
        arena(&["race-to-23", "--p1", &engine, "--p2", "perfect", "--names", "e,p", "--go", "depth 1"]);
    assert!(counted(&shallow, "e", "won") < 10, "{shallow}");
    assert_eq!(counted(&shallow, "e", "forfeited"), 0, "{shallow}");
}

#[test]
fn an_engine_that_cannot_start_is_reported() {
    let args = ["bot", "arena", "number-maze", "--p1", "engine:no-such-engine-anywhere", "--p2", "careful"];
    spoton(args).run().fails(2, &["can't start no-such-engine-anywhere"]);
    spoton(["bot", "arena", "number-maze", "--p1", "engine:", "--p2", "careful"])
        .run()
        .fails(2, &["needs a command"]);
    spoton(["bot", "arena", "number-maze", "--p1", "engine:x", "--p2", "careful", "--go", "fast"])
        .run()
        .fails(2, &["expected depth N"]);
}
