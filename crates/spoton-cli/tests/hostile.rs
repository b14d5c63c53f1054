//! Programs and engines that misbehave: Spot On counts each problem correctly and cleans up, and nothing hangs.

use crate::support;

use std::process::Stdio;

use serde_json::{Value as Json, json};
use support::{Folder, arena, counted, marked, spoton, wait_for};

/// Plays two rounds against a program that never makes a move, with two retries per turn. Returns how many answers were
/// illegal, unreadable or late, and how often the program died or flooded.
#[track_caller]
fn in_vain(program: &str, options: &[&str]) -> [u64; 5] {
    let args = ["bot", "arena", "number-maze", "--p1", program, "--p2", "careful", "--rounds", "2"];
    let folder = Folder::new();
    let all = args.iter().chain(options).chain(&["--names", "bad,careful", "--keep-going", "--json"]);
    let call = spoton(all).folder(&folder);
    let child = call.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mark = format!("SPOTON_PROGRAM={}-", child.id());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{program}: {errors}");
    assert!(errors.ends_with("no round was finished\n") && !errors.contains("panicked"), "{errors}");
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counted(&answer, "bad", "forfeited"), 2, "{program}");
    assert_eq!(counted(&answer, "careful", "unfinished"), 2, "{program}");
    // A killed process takes a moment to disappear.
    wait_for("nothing to be left", || marked(&mark).is_empty());
    ["illegal", "unreadable", "late", "died", "flooded"].map(|key| counted(&answer, "bad", key))
}

/// A short time limit, for programs that never answer.
const SOON: &[&str] = &["--move-time", "300"];

#[test]
fn a_misbehaving_program_is_classified_and_cleaned_up() {
    let cases: &[(&str, &[&str], [u64; 5])] = &[
        // illegal, unreadable, late, died, flooded
        ("sleep 1000", SOON, [0, 0, 6, 0, 0]),
        ("cat >/dev/null", SOON, [0, 0, 6, 0, 0]),
        ("exec <&-; sleep 1000", SOON, [0, 0, 6, 0, 0]),
        ("kill -STOP $$; sleep 1000", SOON, [0, 0, 6, 0, 0]),
        ("while :; do printf +1; sleep 0.05; done", SOON, [0, 0, 6, 0, 0]),
        ("exit 3", &[], [0, 0, 0, 6, 0]),
        ("exit 0", &[], [0, 0, 0, 6, 0]),
        ("read line; exit 0", &[], [0, 0, 0, 6, 0]),
        ("kill -9 $$", &[], [0, 0, 0, 6, 0]),
        ("kill -SEGV $$", &[], [0, 0, 0, 6, 0]),
        ("read line; exec >&-; sleep 1000", &[], [0, 0, 0, 6, 0]),
        ("cat /dev/zero", &[], [0, 0, 0, 0, 6]),
        ("while read line; do echo; done", &[], [0, 6, 0, 0, 0]),
        // Echoes our own question.
        ("cat", &[], [0, 6, 0, 0, 0]),
        ("while read line; do echo '{\"move\": 7}'; done", &[], [0, 6, 0, 0, 0]),
        ("while read line; do printf '\\377\\376\\0\\033[2J\\n'; done", &[], [0, 6, 0, 0, 0]),
        ("while read line; do echo '+1 or x2'; done", &["--tries", "5"], [0, 12, 0, 0, 0]),
        // Long lines: words, and JSON that never ends. Only the start of each line matters.
        ("while read line; do head -c 900000 /dev/zero | tr '\\0' x; echo; done", &[], [0, 6, 0, 0, 0]),
        ("while read line; do head -c 900000 /dev/zero | tr '\\0' '['; echo; done", &[], [0, 6, 0, 0, 0]),
        (
            "trap '' TERM INT HUP; while read line; do echo x; done; while :; do sleep 1; done",
            &[],
            [0, 6, 0, 0, 0],
        ),
        ("setsid sleep 1000 & while read line; do echo x; done", &[], [0, 6, 0, 0, 0]),
        ("(sleep 1000 &) ; exec 2>/dev/null; sleep 1000 & exit 1", &[], [0, 0, 0, 6, 0]),
        ("for i in 1 2 3 4 5 6 7 8 9; do setsid sleep 1000 & done; exit 1", &[], [0, 0, 0, 6, 0]),
    ];
    for (command, options, expected) in cases {
        assert_eq!(in_vain(&format!("exec:{command}"), options), *expected, "{command}");
    }
}

/// An engine that greets and accepts everything, and then runs this on `go`.
fn engine(go: &str) -> String {
    format!(
        "engine:while read -r word rest; do case $word in spoton) echo spotonok;; go) {go};; *) echo ok;; esac; done"
    )
}

#[test]
fn a_misbehaving_engine_is_classified_and_cleaned_up() {
    let cases: &[(String, &[&str], [u64; 5])] = &[
        // illegal, unreadable, late, died, flooded
        (engine("sleep 1000"), SOON, [0, 0, 6, 0, 0]),
        (engine("echo info value win; sleep 1000"), SOON, [0, 0, 6, 0, 0]),
        (engine("exec <&-; sleep 1000"), SOON, [0, 0, 6, 0, 0]),
        (engine("kill -STOP $$"), SOON, [0, 0, 6, 0, 0]),
        (engine("trap '' TERM; sleep 1000"), SOON, [0, 0, 6, 0, 0]),
        (engine("echo ok; echo spotonok; sleep 1000"), SOON, [0, 0, 6, 0, 0]),
        (engine("echo error no"), &[], [0, 6, 0, 0, 0]),
        (engine("echo bestmove"), &[], [0, 6, 0, 0, 0]),
        (engine("echo bestmove +1 x2"), &[], [0, 6, 0, 0, 0]),
        (engine("echo bestmove nothing"), &[], [0, 6, 0, 0, 0]),
        (engine("printf 'bestmove \\033[2J\\377\\n'"), &[], [0, 6, 0, 0, 0]),
        (engine("printf 'bestmove '; head -c 900000 /dev/zero | tr '\\0' x; echo"), &[], [0, 6, 0, 0, 0]),
        (engine("exit 0"), &[], [0, 0, 0, 6, 0]),
        (engine("kill -9 $$"), &[], [0, 0, 0, 6, 0]),
        (engine("kill -SEGV $$"), &[], [0, 0, 0, 6, 0]),
        (engine("exec >&-; sleep 1000"), &[], [0, 0, 0, 6, 0]),
        (engine("sleep 1000 & exit 1"), &[], [0, 0, 0, 6, 0]),
        (engine("cat /dev/zero"), &[], [0, 0, 0, 0, 6]),
        (engine("cat /dev/urandom"), &[], [0, 0, 0, 0, 6]),
        (engine("yes info value win"), &[], [0, 0, 0, 0, 6]),
        ("engine:sleep 1000".to_owned(), SOON, [0, 0, 6, 0, 0]),
        ("engine:exit 0".to_owned(), &[], [0, 0, 0, 6, 0]),
        ("engine:cat".to_owned(), SOON, [0, 0, 6, 0, 0]),
        ("engine:setsid sleep 1000 & while read l; do echo error x; done".to_owned(), &[], [0, 6, 0, 0, 0]),
    ];
    for (program, options, expected) in cases {
        assert_eq!(in_vain(program, options), *expected, "{program}");
    }
    // An illegal move differs from an unreadable answer.
    assert_eq!(
        in_vain(&engine("echo bestmove x2"), &["--rule", "start=15", "--rule", "past=forbidden"]),
        [6, 0, 0, 0, 0]
    );
}

/// Side effects don't count: floods on standard error, children that keep running, long lines first.
#[test]
fn a_program_that_answers_plays_on_despite_oddities() {
    for program in [
        "exec:yes >&2 & while read l; do echo +1; done".to_owned(),
        "exec:cat /dev/urandom >&2 & while read l; do echo +1; done".to_owned(),
        "exec:setsid sleep 1000 & trap '' TERM; while read l; do echo +1; done; sleep 1000".to_owned(),
        "exec:while read l; do printf '\\357\\273\\277+1 \\0\\r\\n'; done".to_owned(),
        engine("yes >&2 & echo bestmove +1"),
        engine("head -c 300000 /dev/zero | tr '\\0' x; echo; echo bestmove +1"),
        engine("setsid sleep 1000 & echo bestmove +1"),
    ] {
        let args = ["number-maze", "--p1", &program, "--p2", "careful", "--rounds", "2", "--names", "p,c"];
        let answer = arena(&args);
        assert_eq!(counted(&answer, "p", "won") + counted(&answer, "p", "lost"), 2, "{program}");
        for key in ["illegal", "unreadable", "late", "died", "flooded"] {
            assert_eq!(counted(&answer, "p", key), 0, "{program}: {key}");
        }
    }
}

/// A program that writes endless lines answers the first question with the first line, then floods.
#[test]
fn a_flood_of_lines_never_plays_on() {
    let [_, unreadable, _, _, flooded] = in_vain("exec:yes no", &["--tries", "3"]);
    assert_eq!(unreadable + flooded, 8);
}

/// Spot On gives up on a program that never answers, with a hint on what may be wrong.
#[test]
fn a_program_that_never_answers_is_given_up_on() {
    let silent = "while read l; do echo asked >> asked; done";
    let halves = "while read l; do echo asked >> asked; printf +1; done";
    let dies = "echo asked >> asked; echo oh no >&2; exit 1";
    let greets = "while read -r word rest; do case $word in spoton) echo spotonok;; \
                  go) echo asked >> asked;; *) echo ok;; esac; done";
    for (program, words) in [
        (format!("exec:{silent}"), "it wrote nothing within 0.3 s. Flush each answer (flush=True"),
        (
            format!("exec:{halves}"),
            "it wrote no complete answer within 0.3 s. End each answer with a line break",
        ),
        (
            format!("exec:{dies}"),
            "the program exited before it answered, with exit status 1; its last output: oh no",
        ),
        (format!("engine:{greets}"), "it answered earlier lines, but nothing after"),
    ] {
        for command in [&["bot", "arena", "number-maze", "--p2", "careful", "--p1"][..], &["bot", "bench"]] {
            let folder = Folder::new();
            let args = command.iter().copied().chain([&*program, "--json"]).chain(SOON.iter().copied());
            let ran = spoton(args).folder(&folder).run();
            assert!(ran.stderr.contains("--keep-going"), "{ran:?}");
            ran.fails_with_json(3, words);
            assert_eq!(folder.read("asked"), "asked\n".repeat(3), "{program}: one turn, with two more tries");
        }
    }
}

/// A program that dies in every round has no result, even if it has moved. A program that fails sometimes has a result,
/// which reports the failures.
#[test]
fn never_finishing_differs_from_failing_sometimes() {
    let folder = Folder::new();
    folder.write(
        "at-times.sh",
        "while read -r line; do case $line in *'\"round\":2,'*) echo oh no >&2; exit 1;; *) echo +1;; esac; done\n",
    );
    let arena = |program: &str| {
        let args = ["bot", "arena", "race-to-23", "--p1", program, "--p2", "careful", "--tries", "0"];
        spoton(args).folder(&folder).run()
    };
    let ran = arena("exec:sh at-times.sh");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stderr.contains("forfeited 1 round: ") && ran.stderr.contains("its last output: oh no"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("Forfeited: 1"), "{ran:?}");
    // With retries, the program forfeits nothing. Spot On still reports the failures once, with the last output.
    folder.write(
        "crashes.sh",
        "echo hello >&2; while read -r line; do if [ -e calm ]; then rm calm; echo +1; \
         else touch calm; printf 'Error: too hard\\n    at step 1\\nNode.js v1\\n' >&2; exit 7; fi; done\n",
    );
    let args =
        ["bot", "arena", "race-to-23", "--p1", "exec:sh crashes.sh", "--p2", "careful", "--rounds", "4"];
    let ran = spoton(args).folder(&folder).run();
    assert_eq!(ran.status, 0, "{ran:?}");
    let [line] = ran.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{ran:?}") };
    assert!(line.starts_with("spoton: sh crashes.sh failed "), "{line}");
    let end = " times: the program exited before it answered, with exit status 7; \
               its last output: hello | Error: too hard | Node.js v1";
    assert!(line.ends_with(end), "{line}");
    let ran = arena("exec:while read -r line; do kill -9 $$; done");
    assert!(ran.stderr.contains(", with signal 9 (SIGKILL)"), "{ran:?}");
    let ran = arena("exec:read -r line; echo +1; read -r line; exit 1");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.stdout.contains("Forfeited: 10"), "counts are printed anyway: {ran:?}");
    assert!(ran.stderr.contains("forfeited 20 rounds") && ran.stderr.contains("no round was finished"));
}

/// Spot On waits for a slow program, as long as each answer is within the time limit.
#[test]
fn a_slow_program_plays() {
    let slow = "exec:while read -r line; do sleep 0.2; echo +1; done";
    let args = ["number-maze", "--p1", slow, "--p2", "careful", "--rounds", "2", "--names", "p,c"];
    let answer = arena(&args);
    assert_eq!([counted(&answer, "p", "late"), counted(&answer, "p", "forfeited")], [0, 0]);
    assert_eq!(answer["unasked"], json!([0, 0]));
}

/// If a program writes unsolicited lines, Spot On may grade the wrong line. Every form of the result warns about this.
#[test]
fn more_answers_than_questions_make_a_result_unreliable() {
    let twice = "exec:while read -r line; do echo +1; sleep 0.02; echo +1; done";
    let args = ["bot", "arena", "number-maze", "--p1", twice, "--p2", "careful", "--rounds", "2"];
    let answer: Json = serde_json::from_str(&spoton(args.iter().chain(&["--json"])).run().success()).unwrap();
    assert!(answer["unasked"][0].as_u64().unwrap() > 0 && answer["unasked"][1] == 0, "{answer}");
    let ran = spoton(args).run();
    let page = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("unreliable: it wrote "), "{page}");
    assert!(page.contains("Only the first line after each question counted"), "{page}");
    assert!(ran.stderr.contains("without being asked; Spot On ignored it"), "{ran:?}");
    let folder = Folder::new();
    folder.write(
        "notes.py",
        "import json, sys, time\nfor line in sys.stdin:\n    print('let me see', flush=True)\n    \
         time.sleep(0.002)\n    print(json.loads(line)['legal'][0], flush=True)\n",
    );
    let bench = |options: &[&str]| {
        let args = ["bot", "bench", "exec:python3 notes.py", "--keep-going", "--rounds", "1"];
        spoton(args.iter().chain(options)).folder(&folder).run().stdout
    };
    let page = bench(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("Unreliable: ") && page.contains(" answers weren't moves, and it wrote"), "{page}");
    let answer: Json = serde_json::from_str(&bench(&["--json"])).unwrap();
    assert!(answer["unasked"].as_u64().unwrap() > 0, "{answer}");
    assert!(bench(&["--markdown"]).contains("| exec:python3 notes.py (unreliable) | first |"));
}
