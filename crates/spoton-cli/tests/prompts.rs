//! Prompts for language models in the arena: with and without a list, plain and disguised, from either seat.

use crate::support;

use serde_json::{Value as Json, json};
use support::{Folder, Ran, spoton};

/// A program that answers with the legal move at index PICK, and logs the questions.
const PICKS: &str = "import json, sys
for line in sys.stdin:
    turn = json.loads(line)
    open('asked', 'a').write(line)
    legal = turn['legal']
    print('I think so.\\nmove: ' + legal[PICK % len(legal)], flush=True)
";

fn run(folder: &Folder, args: &[&str]) -> Ran {
    spoton(["bot", "arena"].iter().chain(args).copied().chain(["--move-time", "60000", "--json"]))
        .folder(folder)
        .run()
}

fn arena(folder: &Folder, args: &[&str]) -> Json {
    serde_json::from_str(&run(folder, args).success()).unwrap()
}

/// The same moves get the same grades in every disguise.
#[test]
fn a_disguised_game_gets_the_same_grades_for_the_same_moves() {
    for id in ["number-maze", "two-castles", "keep-off-primes", "digit-climb"] {
        let folder = Folder::new();
        folder.write("picks.py", &PICKS.replace("PICK", "1"));
        let args =
            [id, "--p1", "exec:python3 picks.py", "--p2", "careful", "--rounds", "6", "--names", "p,c"];
        let plain = arena(&folder, &[&args[..], &["--prompt"]].concat());
        let asked_plain = folder.read("asked");
        std::fs::remove_file(folder.file("asked")).unwrap();
        let disguised = arena(&folder, &[&args[..], &["--disguise", "7"]].concat());
        let asked = folder.read("asked");
        assert_eq!(plain["played"], disguised["played"], "{id}");
        assert_eq!(plain["played"][0]["rounds"], 3, "{plain}");
        assert_eq!(
            plain["asked"],
            json!({
                "tries": 2,
                "legal_list": true,
                "prompt": true,
                "disguise": null,
                "seat": "both",
                "grammar": 4,
                "prompt_fingerprint": spoton::words::prompt::fingerprint(),
            })
        );
        assert_eq!(disguised["asked"]["disguise"], 7);
        let plain: Json = serde_json::from_str(asked_plain.lines().next().unwrap()).unwrap();
        let told: Json = serde_json::from_str(asked.lines().next().unwrap()).unwrap();
        let keys: Vec<&String> = told.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["round", "player", "prompt", "legal"], "nothing else identifies the game");
        assert_ne!(plain["legal"], told["legal"]);
        assert_eq!(asked.lines().count(), asked_plain.lines().count());
        // An answer with two names isn't an answer, and neither is a move's true name.
        folder.write("picks.py", &PICKS.replace("legal[PICK % len(legal)]", "'+1 -1 x2'"));
        let ran = run(&folder, &[&args[..], &["--disguise", "7", "--tries", "0"]].concat());
        assert_eq!(ran.status, 3, "{ran:?}");
        let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
        let of_program = &answer["played"].as_array().unwrap()[2..];
        let unreadable: u64 = of_program.iter().map(|line| line["unreadable"].as_u64().unwrap()).sum();
        assert_eq!(unreadable, 6, "{answer}");
    }
}

/// `--seat` fixes Player 1's seat, and the result shows the seat's best possible result.
#[test]
fn a_seat_has_its_ceiling() {
    let folder = Folder::new();
    folder.write("picks.py", &PICKS.replace("PICK", "0"));
    for (seat, value) in [("first", "win"), ("second", "loss")] {
        let args =
            ["race-to-23", "--p1", "exec:python3 picks.py", "--p2", "perfect", "--rounds", "5", "--prompt"];
        let answer = arena(&folder, &[&args[..], &["--seat", seat, "--names", "p,c"]].concat());
        let seats: Vec<&Json> = answer["seats"].as_array().unwrap().iter().collect();
        let own: Vec<&&Json> =
            seats.iter().filter(|line| line["name"] == "p" && !line["got"].is_null()).collect();
        assert_eq!(own.len(), 1, "{answer}");
        assert_eq!((&own[0]["seat"], &own[0]["value"]), (&json!(seat), &json!(value)));
        assert_eq!(own[0]["perfect"]["wins"], if seat == "first" { 1.0 } else { 0.0 });
        let guesser = own[0]["careful"]["wins"].as_f64().unwrap();
        assert!((0.0..0.5).contains(&guesser), "{guesser}");
        assert_eq!((&own[0]["got"]["rounds"], &answer["asked"]["seat"]), (&json!(5), &json!(seat)));
    }
}

#[test]
fn an_impossible_prompt_is_refused_before_play() {
    let folder = Folder::new();
    folder.write("below.toml", "title = 'Below'\nstart = 3\ntarget = -5\nmoves = ['-1', '-2']\n");
    let args =
        ["bot", "arena", "below.toml", "--p1", "exec:touch started", "--p2", "careful", "--disguise", "1"];
    let ran = spoton(args).folder(&folder).run();
    ran.fails(2, &["Below: disguises have no words for numbers below 0"]);
    let args = ["bot", "arena", "number-maze", "--p1", "engine:touch started", "--p2", "careful", "--prompt"];
    spoton(args).folder(&folder).run().fails(2, &["engines receive the rules directly"]);
    assert!(!folder.file("started").exists());
}
