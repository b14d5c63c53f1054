//! `spoton puzzle`: puzzles in line mode, and their saved results.

use crate::support;

use serde_json::Value;
use spoton::format::catalog;
use spoton::records::{seal, unseal};
use support::{Folder, Ran, spoton};

const KEPT: &str = "spoton/puzzles.spoton";

fn puzzle(folder: &Folder, args: &[&str], answers: &[&str]) -> Ran {
    spoton([&["puzzle"], args].concat()).folder(folder).answers(answers).run()
}

fn next(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_str(&puzzle(folder, &[args, &["--json"]].concat(), &[]).success()).unwrap()
}

/// The saved results, without the seal.
fn kept(folder: &Folder) -> String {
    std::fs::read(folder.file(KEPT)).map_or(String::new(), |bytes| unseal(&bytes).unwrap().to_owned())
}

fn unwrapped(page: &str) -> String {
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_solved_puzzle_never_returns() {
    let folder = Folder::new();
    let first = next(&folder, &["number-maze"]);
    assert_eq!((&first["position"], &first["grade"]), (&"4;1".into(), &0.25.into()));
    let said = puzzle(&folder, &["maze"], &["+1", "x2"]).success();
    assert!(said.starts_with("Win from here: Number Maze\nLand exactly on 20 to win."), "{said}");
    assert!(said.contains("Guessing solves it 1 time in 4."), "{said}");
    assert!(said.contains("You play +1: 5. They answer +1: 6."), "{said}");
    assert!(said.contains("\nSolved. The rest is easy:"), "{said}");
    assert!(!said.contains("Another one?"), "on a pipe, one is enough: {said}");
    assert_eq!(kept(&folder).lines().count(), 1);
    assert!(kept(&folder).contains(" 4;1 = solved "), "{}", kept(&folder));
    let second = next(&folder, &["number-maze"]);
    assert_ne!(first["puzzle"], second["puzzle"]);
    // Another book's menu also accepts numbers.
    let said = puzzle(&folder, &["race-to-23"], &["4", "1"]).success();
    assert!(said.contains("You play +4: 18."), "{said}");
}

#[test]
fn a_wrong_move_ends_it_with_the_proof_and_it_comes_back() {
    let folder = Folder::new();
    let said = unwrapped(&puzzle(&folder, &["maze"], &["x2", "+1", "+1"]).success());
    let proof = "Missed: x2 gives the win away. x2 leaves 8: they play x2 (16) and can force a win. \
                 Only +1 keeps the win. +1 leaves 5: you can force a win. \
                 Best play on both sides: +1 +1 x2 +1 +1 +1 +1 +1 +1 +1 +1, and you win. \
                 You'll see it again tomorrow.";
    assert!(said.ends_with(proof), "{said}");
    assert_ne!(next(&folder, &["maze"])["position"], "4;1");
    // Pretend that the puzzle was missed long ago.
    let id = kept(&folder).split(" = ").next().unwrap().to_owned();
    folder.write(KEPT, &seal(&format!("{id} = missed 2020-01-31\n")));
    let again = next(&folder, &["maze"]);
    assert_eq!((&again["position"], &again["missed"]), (&"4;1".into(), &"2020-01-31".into()));
    assert_eq!(next(&folder, &[])["position"], "4;1", "nor does it matter that no game was named");
    let said = puzzle(&folder, &["maze"], &["resign"]).success();
    assert!(said.contains("You missed this one on 31 Jan 2020.") && said.contains("You gave up."), "{said}");
    assert!(!kept(&folder).contains("2020"), "{}", kept(&folder));
}

#[test]
fn leaving_a_puzzle_does_not_miss_it() {
    for answers in [&["+1", "quit"][..], &["help", "rules", "moves"], &[]] {
        let folder = Folder::new();
        puzzle(&folder, &["maze"], answers).success();
        assert_eq!(kept(&folder), "");
    }
}

#[test]
fn nothing_is_revealed_before_the_end() {
    let folder = Folder::new();
    let answers = ["hint", "why", "idea leave 5", "undo", "finish", "save", "+7", "", "what?"];
    let said = puzzle(&folder, &["maze"], &answers).success();
    assert_eq!(said.matches("Puzzles have no hints.").count(), 3, "{said}");
    assert_eq!(said.matches("That doesn't work in a puzzle.").count(), 3, "{said}");
    assert_eq!(said.matches("Your move:").count(), answers.len() + 1, "{said}");
    assert!(!said.contains("force"), "{said}");
}

/// The JSON for programs has everything except the solution.
#[test]
fn the_json_never_has_a_value() {
    let folder = Folder::new();
    for game in catalog::ids() {
        let found = next(&folder, &[game]);
        let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
        let expected = ["rulebook_hash", "puzzle", "moves", "position", "grade", "missed", "legal"];
        let about = ["game", "variant", "settings"];
        let rest: Vec<&&String> = keys.iter().filter(|key| !about.contains(&key.as_str())).collect();
        assert_eq!(rest, expected.iter().collect::<Vec<_>>(), "{game}");
        assert!(found["grade"].as_f64().unwrap() <= 0.25);
        assert!(found["legal"].as_array().unwrap().len() > 1);
        // Another command confirms that the moves lead to the position, and that the player can force a win from there.
        let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let moves: Vec<&str> =
            found["moves"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let mut args = vec![
            "solve".to_owned(),
            text("game"),
            "--json".to_owned(),
            format!("--moves={}", moves.join(" ")),
        ];
        if !text("variant").is_empty() {
            args.extend(["--variant".to_owned(), text("variant")]);
        }
        let solved: Value = serde_json::from_str(&spoton(args).run().success()).unwrap();
        assert_eq!(
            (&solved["value"], &solved["rulebook_hash"]),
            (&"win".into(), &found["rulebook_hash"]),
            "{game}"
        );
    }
}

#[test]
fn a_game_without_puzzles_says_so_and_that_is_an_answer() {
    let folder = Folder::new();
    let endless = ["double-or-add", "--variant", "subtract"];
    let said = unwrapped(&puzzle(&folder, &endless, &[]).success());
    assert!(
        said.contains(
            "20, subtract has no puzzles: some of its rounds never end. spoton puzzle double-or-add uses"
        ),
        "{said}"
    );
    let found = next(&folder, &endless);
    assert_eq!(found["puzzle"], Value::Null);
    assert!(found["reason"].as_str().unwrap().ends_with("has no puzzles: some of its rounds never end."));
    let easy = folder.write("easy.toml", "title = 'Easy'\nstart = 1\ntarget = 3\nmoves = ['+1']\n");
    let said = puzzle(&folder, &[easy.to_str().unwrap()], &[]).success();
    assert!(said.starts_with("Easy has no puzzles: none of its positions is hard enough."), "{said}");
}

#[test]
fn contradictory_options_are_refused() {
    let folder = Folder::new();
    for args in [
        &["--target", "15"][..],
        &["maze", "--target", "20..30"],
        &["maze", "--variant", "none"],
        &["nothing"],
    ] {
        assert_eq!(puzzle(&folder, args, &[]).status, 2, "{args:?}");
    }
    let large = ["race-to-23", "--target", "100000000", "--rule", "range=0,100000000", "--memory-limit", "1"];
    let refused = puzzle(&folder, &large, &[]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("positions"), "{}", refused.stderr);
}

/// A corrupted file causes an error message and doesn't change. Playing still works.
#[test]
fn a_damaged_file_of_puzzles_keeps_nobody_from_trying_some() {
    let folder = Folder::new();
    folder.write(KEPT, "no seal\n");
    let damaged = puzzle(&folder, &["maze"], &["x2"]);
    assert_eq!((damaged.status, folder.read(KEPT).as_str()), (0, "no seal\n"));
    assert!(damaged.stderr.contains("puzzles.spoton"), "{}", damaged.stderr);
    assert!(damaged.stdout.contains("Missed: x2 gives the win away."), "{}", damaged.stdout);
    assert!(damaged.stdout.contains("Your result couldn't be saved"), "{}", damaged.stdout);
    assert!(!damaged.stdout.contains("You'll see it again tomorrow."), "{}", damaged.stdout);
    // The same if there is no folder.
    let folder = Folder::new();
    folder.write("spoton", "a file where the folder would be\n");
    let nowhere = puzzle(&folder, &["maze"], &["resign"]);
    assert_eq!(nowhere.status, 0);
    assert!(!nowhere.stdout.contains("You'll see it again tomorrow."), "{}", nowhere.stdout);
}

/// Messages about a game with changes name that game.
#[test]
fn the_game_is_spoken_of_as_it_was_asked_for() {
    let folder = Folder::new();
    let said = unwrapped(&puzzle(&folder, &["operation-target", "--target", "7"], &[]).success());
    assert!(
        said.starts_with("Operation Target to 7 has no puzzles: none of its positions is hard enough."),
        "{said}"
    );
    assert!(said.contains("spoton puzzle operation-target uses the game without changes."), "{said}");
    let said = unwrapped(&puzzle(&folder, &["maze", "--target", "7"], &["quit"]).success());
    assert!(
        said.contains("This game to 7 has no puzzle that's hard enough, so this one is played to "),
        "{said}"
    );
    let said = puzzle(&folder, &["operation-target"], &["quit"]).success();
    assert!(said.starts_with("Win from here: Operation Target, three-operations\n"), "{said}");
}

/// The banned repeat matters as much as the number.
#[test]
fn the_puzzle_shows_everything_that_matters() {
    let folder = Folder::new();
    let said = unwrapped(&puzzle(&folder, &["half-at-most"], &["quit"]).success());
    assert!(said.contains("last, so they can't play it next."), "{said}");
    let passes = ["target-twenty-one", "--variant", "limited-passes"];
    let said = unwrapped(&puzzle(&folder, &passes, &["quit"]).success());
    assert!(said.contains("You have 1 pass left. They have no passes."), "{said}");
}

#[test]
fn discovery_keeps_the_proof_to_itself() {
    let folder = Folder::new();
    spoton(["config", "discovery", "on"]).folder(&folder).run().success();
    let said = puzzle(&folder, &["maze"], &["help", "hint", "x2"]).success();
    assert!(!said.contains("what would have won") && said.contains("  resign  give up\n"), "{said}");
    assert!(said.contains("Missed: x2 gives the win away.\nDiscovery mode is on,"), "{said}");
    assert!(!said.contains("+1 holds") && !said.contains("force"), "{said}");
}

/// A win given away in a round played on this machine.
#[test]
fn your_own_turning_points_come_first() {
    let folder = Folder::new();
    let round = "[SpotOn \"1\"]\n[Rulebook \"race-to-23\"]\n[Player1 \"Ann\"]\n[Player2 \"Ben\"]\n[UTCDate \"2020.02.29\"]\n\n\
                 1. +1 +2 2. +4 +1 3. +4 +1 4. +4 +1 5. +4 +1 0-1\n";
    folder.write("spoton/rounds.txt", round);
    let said = puzzle(&folder, &["race"], &["+3", "quit"]).success();
    assert!(said.contains("You missed this win in your round on 29 Feb 2020."), "{said}");
    assert!(said.contains("The number is 0. It's your turn."), "{said}");
    assert!(next(&folder, &["race"])["moves"].as_array().unwrap().is_empty());
}
