//! Programs and engines that misbehave: the right account of each, nothing of them is left, and nobody waits for long.

mod support;

use std::process::Stdio;

use serde_json::{Value as Json, json};
use support::{Folder, arena, counted, marked, spoton, wait_for};

/// Two rounds with a program that makes no move, with two more tries on a turn: how many of its answers were illegal,
/// unreadable, late, and how often it died and flooded.
#[track_caller]
fn in_vain(program: &str, options: &[&str]) -> [u64; 5] {
    let args = ["arena", "number-maze", "--p1", program, "--p2", "careful", "--rounds", "2"];
    let folder = Folder::new();
    let all = args.iter().chain(options).chain(&["--names", "bad,careful", "--keep-going", "--json"]);
    let call = spoton(all).folder(&folder);
    let child = call.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mark = format!("SPOTON_PROGRAM={}-", child.id());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{program}: {errors}");
    assert!(errors.ends_with("no round came to its end\n") && !errors.contains("panicked"), "{errors}");
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counted(&answer, "bad", "forfeited"), 2, "{program}");
    assert_eq!(counted(&answer, "careful", "unfinished"), 2, "{program}");
    // Whoever is killed needs a moment to go.
    wait_for("nothing to be left", || marked(&mark).is_empty());
    ["illegal", "unreadable", "late", "died", "flooded"].map(|key| counted(&answer, "bad", key))
}

/// Not long for an answer, where none will come.
const SOON: &[&str] = &["--move-time", "300"];

#[test]
fn a_program_that_misbehaves_is_told_apart_and_cleaned_up() {
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
        // Our own question back.
        ("cat", &[], [0, 6, 0, 0, 0]),
        ("while read line; do echo '{\"move\": 7}'; done", &[], [0, 6, 0, 0, 0]),
        ("while read line; do printf '\\377\\376\\0\\033[2J\\n'; done", &[], [0, 6, 0, 0, 0]),
        ("while read line; do echo '+1 or x2'; done", &["--tries", "5"], [0, 12, 0, 0, 0]),
        // Long lines, of which only the beginning is looked at: words, and JSON that never ends.
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

/// An engine that greets and takes everything, and then does something on `go`.
fn engine(go: &str) -> String {
    format!(
        "engine:while read -r word rest; do case $word in spoton) echo spotonok;; go) {go};; *) echo ok;; esac; done"
    )
}

#[test]
fn an_engine_that_misbehaves_is_told_apart_and_cleaned_up() {
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
    // What is not legal now is told from what is no move.
    assert_eq!(
        in_vain(&engine("echo bestmove x2"), &["--set", "start=15", "--set", "past=forbidden"]),
        [6, 0, 0, 0, 0]
    );
}

/// What a player does beside its answers does not count: floods of complaints, children that go on, long lines first.
#[test]
fn whoever_answers_plays_on_whatever_else_it_does() {
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

/// Whoever writes lines on end answers the first question with the first of them; sooner or later it is a flood.
#[test]
fn a_flood_of_lines_never_plays_on() {
    let [_, unreadable, _, _, flooded] = in_vain("exec:yes no", &["--tries", "3"]);
    assert_eq!(unreadable + flooded, 8);
}

/// A program that gives no answer is not waited for round after round. What may be wrong is told.
#[test]
fn a_program_that_never_answers_is_given_up_on() {
    let silent = "while read l; do echo asked >> asked; done";
    let halves = "while read l; do echo asked >> asked; printf +1; done";
    let dies = "echo asked >> asked; echo oh no >&2; exit 1";
    let greets = "while read -r word rest; do case $word in spoton) echo spotonok;; \
                  go) echo asked >> asked;; *) echo ok;; esac; done";
    for (program, words) in [
        (
            format!("exec:{silent}"),
            "nothing came within 0.3 s. An answer has to be written out at once (flush=True",
        ),
        (
            format!("exec:{halves}"),
            "it wrote something, but no whole answer within 0.3 s. An answer has to end its line",
        ),
        (
            format!("exec:{dies}"),
            "the program ended before it had answered, with exit status 1; it last said: oh no",
        ),
        (format!("engine:{greets}"), "it answered the lines before, but said nothing after"),
    ] {
        for command in [&["arena", "number-maze", "--p2", "careful", "--p1"][..], &["bench"]] {
            let folder = Folder::new();
            let args = command.iter().copied().chain([&*program, "--json"]).chain(SOON.iter().copied());
            let ran = spoton(args).folder(&folder).run();
            assert!(ran.stderr.contains("--keep-going"), "{ran:?}");
            ran.fails_with_json(3, words);
            assert_eq!(folder.read("asked"), "asked\n".repeat(3), "{program}: one turn, with two more tries");
        }
    }
}

/// A program that dies in every round has no result, though it has moved; one that fails now and then has one, with its
/// failures told.
#[test]
fn who_finishes_no_round_is_told_from_who_fails_at_times() {
    let folder = Folder::new();
    folder.write(
        "at-times.sh",
        "while read -r line; do case $line in *'\"round\":2,'*) echo oh no >&2; exit 1;; *) echo +1;; esac; done\n",
    );
    let arena = |program: &str| {
        let args = ["arena", "race-to-23", "--p1", program, "--p2", "careful", "--tries", "0"];
        spoton(args).folder(&folder).run()
    };
    let ran = arena("exec:sh at-times.sh");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stderr.contains("forfeited 1 round: ") && ran.stderr.contains("it last said: oh no"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("Forfeited: 1"), "{ran:?}");
    // Where it is asked again nothing is forfeited, and it is told all the same, once, with what it said then.
    folder.write(
        "crashes.sh",
        "echo hello >&2; while read -r line; do if [ -e calm ]; then rm calm; echo +1; \
         else touch calm; printf 'Error: too hard\\n    at step 1\\nNode.js v1\\n' >&2; exit 7; fi; done\n",
    );
    let args = ["arena", "race-to-23", "--p1", "exec:sh crashes.sh", "--p2", "careful", "--rounds", "4"];
    let ran = spoton(args).folder(&folder).run();
    assert_eq!(ran.status, 0, "{ran:?}");
    let [line] = ran.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{ran:?}") };
    assert!(line.starts_with("spoton: sh crashes.sh failed "), "{line}");
    let end = " times: the program ended before it had answered, with exit status 7; \
               it last said: hello | Error: too hard | Node.js v1";
    assert!(line.ends_with(end), "{line}");
    let ran = arena("exec:while read -r line; do kill -9 $$; done");
    assert!(ran.stderr.contains(", with signal 9 (SIGKILL)"), "{ran:?}");
    let ran = arena("exec:read -r line; echo +1; read -r line; exit 1");
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.stdout.contains("Forfeited: 10"), "what was counted is printed all the same: {ran:?}");
    assert!(ran.stderr.contains("forfeited 20 rounds") && ran.stderr.contains("no round came to its end"));
}

/// A slow program that is honest is waited for, and late answers within the tries of a turn do not end anything.
#[test]
fn a_slow_program_plays() {
    let slow = "exec:while read -r line; do sleep 0.2; echo +1; done";
    let args = ["number-maze", "--p1", slow, "--p2", "careful", "--rounds", "2", "--names", "p,c"];
    let answer = arena(&args);
    assert_eq!([counted(&answer, "p", "late"), counted(&answer, "p", "forfeited")], [0, 0]);
    assert_eq!(answer["unasked"], json!([0, 0]));
}

/// Who writes more than it is asked for may be graded for what it did not mean. The result says so, in each of its forms.
#[test]
fn more_answers_than_questions_make_a_result_unreliable() {
    let twice = "exec:while read -r line; do echo +1; sleep 0.02; echo +1; done";
    let args = ["arena", "number-maze", "--p1", twice, "--p2", "careful", "--rounds", "2"];
    let answer: Json = serde_json::from_str(&spoton(args.iter().chain(&["--json"])).run().success()).unwrap();
    assert!(answer["unasked"][0].as_u64().unwrap() > 0 && answer["unasked"][1] == 0, "{answer}");
    let ran = spoton(args).run();
    let page = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("unreliable, since it wrote something without being asked"), "{page}");
    assert!(page.contains("Only its first answer to each question counted"), "{page}");
    assert!(ran.stderr.contains("wrote something without being asked"), "{ran:?}");
    let folder = Folder::new();
    folder.write(
        "notes.py",
        "import json, sys, time\nfor line in sys.stdin:\n    print('let me see', flush=True)\n    \
         time.sleep(0.002)\n    print(json.loads(line)['legal'][0], flush=True)\n",
    );
    let bench = |options: &[&str]| {
        let args = ["bench", "exec:python3 notes.py", "--keep-going", "--rounds", "1"];
        spoton(args.iter().chain(options)).folder(&folder).run().stdout
    };
    let page = bench(&[]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        page.contains("Unreliable, since ") && page.contains(" answers were no moves, and it wrote"),
        "{page}"
    );
    let answer: Json = serde_json::from_str(&bench(&["--json"])).unwrap();
    assert!(answer["unasked"].as_u64().unwrap() > 0, "{answer}");
    assert!(bench(&["--markdown"]).contains("| exec:python3 notes.py (unreliable) | first |"));
}
