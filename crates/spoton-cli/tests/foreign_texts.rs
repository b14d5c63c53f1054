//! Foreign texts in rule books, records, names and file names never reach a terminal raw, and never change a command to
//! copy.
#![cfg(target_os = "linux")]

use crate::support;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::process::Command;

use support::{Folder, Ran, spoton};

/// Characters that clear the screen, end a line early, start an eight-bit command, change the reading direction or stay
/// hidden.
const NASTY: &str = "\u{1b}[2J\u{1b}]0;t\u{7}\u{8}\u{7f}\u{85}\u{9b}31m\u{9d}\u{61c}\u{200b}\u{200e}\u{200f}\
                     \u{202a}\u{202b}\u{202d}\u{202e}\u{202c}\u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{feff}";

/// The same, without the characters that aren't allowed in a rule book or a record.
const HIDDEN: &str = "\u{200b}\u{200e}\u{200f}\u{61c}\u{feff}";

/// The characters that TOML allows unescaped, in comments and within quotes.
const NASTY_IN_TOML: &str = "\u{85}\u{9b}31m\u{200e}\u{202e}\u{2066}";

fn is_raw(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(
            c,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[track_caller]
fn nothing_raw(ran: &Ran) {
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    for printed in [&ran.stdout, &ran.stderr] {
        assert_eq!(printed.chars().find(|c| is_raw(*c)), None, "{ran:?}");
    }
}

/// A folder with rule books and records under nasty names. Some are in the player's own rule book folder.
fn nasty_folder() -> Folder {
    let folder = Folder::new();
    let valid = "title = 'Fine'\nstart = 1\ntarget = 9\nmoves = ['+1', 'x2']\n";
    let odd = format!("# {NASTY_IN_TOML}\n{valid}moves_ = 1 # {NASTY_IN_TOML}\n");
    let hidden = format!(
        "title = 'A{HIDDEN}B'\nsummary = '{HIDDEN}'\nstart = 1\ntarget = 9\nnotes = ['n{HIDDEN}']\n\
         moves = [{{ op = '+1', label = 'Up{HIDDEN}' }}, 'x2']\n[variants.'v{HIDDEN}']\ntarget = 5\n\
         [wording]\nprompt = '{{player}}{HIDDEN}? '\nopening = 'o{HIDDEN}'\n"
    );
    let broken = format!(
        "title = '{NASTY_IN_TOML}'\nsummary = \"\\u001b[2J\\u0007\"\nstart = '{NASTY_IN_TOML}'\n\
         '{NASTY_IN_TOML}' = 1\n[variants.'{NASTY_IN_TOML}']\ntarget = \"\\u001b\"\n"
    );
    for (name, text) in [("fine", valid), ("odd", &odd), ("hidden", &hidden), ("broken", &broken)] {
        for place in ["", "spoton/rulebooks/"] {
            folder.write(&format!("{place}{name}{NASTY}\n.toml"), text);
            folder.write(&format!("{place}{name}.toml"), text);
        }
    }
    folder.write("raw.toml", &format!("title = '{NASTY}'\n{NASTY}\n"));
    let record = format!("[Rulebook \"number-maze\"]\n[Player1 \"A{HIDDEN}\"]\n[Event \"{HIDDEN}\"]\n");
    folder.write(&format!("r{NASTY}.txt"), &format!("{record}\n1. x2 {{{HIDDEN}}} +1 *\n"));
    folder.write("doubled.txt", &format!("{record}[Event \"x{HIDDEN}\"]\n[Round \"1\"]\n\n1. x2 +1 *\n"));
    folder.write("tag.txt", &format!("{record}[Event \"{NASTY}\"]\n\n1. x2 *\n"));
    folder.write("tag2.txt", &format!("{record}[{NASTY} \"x\"]\n\n1. x2 *\n"));
    folder.write("comment.txt", &format!("{record}\n1. x2 {{{NASTY}}} *\n"));
    folder.write("move.txt", &format!("{record}\n1. x2{NASTY} *\n"));
    folder.write(
        "json.txt",
        "{\"rulebook\":\"number-maze\",\"player1\":\"\\u001b[2J\\u009b\",\"moves\":[\"x2\"]}\n",
    );
    folder.write("json2.txt", "{\"rulebook\":\"\\u202e\\u009b\",\"\\u009b\":1,\"moves\":[\"\\u009b\"]}\n");
    folder
}

#[test]
fn nothing_of_a_rule_book_or_its_name_is_printed_raw() {
    let folder = nasty_folder();
    let mut games: Vec<String> = Vec::new();
    for name in ["fine", "odd", "hidden", "broken"] {
        games.extend([
            format!("{name}.toml"),
            format!("{name}{NASTY}\n.toml"),
            format!("./{name}{NASTY}\n.toml"),
        ]);
        games.push(format!("{name}{NASTY}\n"));
    }
    games.extend(["raw.toml".to_owned(), NASTY.to_owned(), format!("no/{NASTY}.toml")]);
    let commands: [&[&str]; 19] = [
        &["rules"],
        &["rules", "--json"],
        &["rules", "--markdown"],
        &["rules", "--source"],
        &["check"],
        &["check", "--json"],
        &["solve"],
        &["solve", "--json"],
        &["map"],
        &["map", "--json"],
        &["map", "--blank"],
        &["games", "--opponents"],
        &["games", "--opponents", "--json"],
        &["audit"],
        &["audit", "--json"],
        &["audit", "--markdown"],
        &["play"],
        &["play", "--coach"],
        &["play", "--vs", "perfect"],
    ];
    for game in &games {
        for command in commands {
            let args = [&command[..1], &[game.as_str()], &command[1..]].concat();
            let answers =
                ["help", "rules", "moves", "hint", "why", "idea leave 3", NASTY, "+1", "save", "x2"];
            nothing_raw(&spoton(&args).folder(&folder).answers(&answers).run());
        }
        for extra in [&[][..], &["--json"]] {
            let args = [&["idea", game.as_str(), "leave 3 5"], extra].concat();
            nothing_raw(&spoton(&args).folder(&folder).run());
        }
        nothing_raw(&spoton(["new", "made.toml", "--like", game]).folder(&folder).run());
        let _ = std::fs::remove_file(folder.file("made.toml"));
    }
    for args in [&["games"][..], &["games", "--json"], &["play"]] {
        nothing_raw(&spoton(args).folder(&folder).answers(&["?16", "?17", "16", "+1"]).run());
    }
    for name in [format!("new{NASTY}\n.toml"), format!("no/{NASTY}.toml"), format!("fine{NASTY}\n.toml")] {
        nothing_raw(&spoton(["new", &name]).folder(&folder).run());
    }
}

#[test]
fn nothing_of_a_record_or_its_name_is_printed_raw() {
    let folder = nasty_folder();
    let named = format!("r{NASTY}.txt");
    let files = [
        &named,
        "doubled.txt",
        "tag.txt",
        "tag2.txt",
        "comment.txt",
        "move.txt",
        "json.txt",
        "json2.txt",
        NASTY,
    ];
    for file in files {
        for args in [
            &["review", "--convert", file][..],
            &["review", "--convert", file, "--json"],
            &["review", file],
            &["review", file, "--json"],
            &["review", file, "--annotate"],
            &["review", file, "--summary"],
            &["review", file, "--summary", "--json"],
            &["play", &format!("--resume={file}")],
            &["play", "maze", "--target", "2", "--record", &format!("no/{file}")],
        ] {
            nothing_raw(&spoton(args).folder(&folder).answers(&["x2", "save"]).run());
        }
    }
    // A save under such a name.
    spoton(["play", "maze"]).folder(&folder).answers(&["x2"]).run().success();
    let save = folder.saves().into_iter().find(|path| path.to_string_lossy().contains("maze")).unwrap();
    std::fs::copy(&save, folder.file(&format!("s{NASTY}.spoton"))).unwrap();
    let resume = format!("--resume=s{NASTY}.spoton");
    let ran = spoton(["play", &resume]).folder(&folder).answers(&["save", "+1"]).run();
    nothing_raw(&ran);
    assert!(ran.stderr.contains("Saved to "), "{ran:?}");
}

#[test]
fn nothing_of_the_command_line_is_printed_raw() {
    for args in [
        &[NASTY][..],
        &["play", "maze", "--names", &format!("{NASTY},b")],
        &["play", "maze", "--names", &format!("a{HIDDEN},b")],
        &["play", "maze", "--vs", NASTY],
        &["play", "maze", "--variant", NASTY],
        &["play", "maze", "--rule", NASTY],
        &["play", "maze", "--rule", &format!("title={NASTY}")],
        &["play", "maze", "--rule", &format!("title=a{HIDDEN}")],
        &["play", "maze", "--target", NASTY],
        &["play", "maze", "--moves", NASTY],
        &["play", "maze", "--first", NASTY],
        &["solve", "maze", "--json", "--moves", NASTY],
        &["solve", "maze", "--json", "--nothing", NASTY],
        &["map", "maze", "--last", NASTY],
        &["idea", "maze", NASTY],
        &["idea", "maze", NASTY, "--json"],
        &["man", NASTY],
        &["completions", NASTY],
        &["opponents", NASTY],
    ] {
        let ran = spoton(args).input("\u{9b}\u{202e}\nx2\n").run();
        nothing_raw(&ran);
    }
    let line = format!("{{\"game\":\"maze\",\"set\":{{\"title\":\"{HIDDEN}\"}},\"moves\":[]}}\n{NASTY}\n");
    nothing_raw(&spoton(["solve", "maze", "--stdin"]).input(&line).run());
    let name = OsString::from_vec(b"no/\xff\x1b\x9b.toml".to_vec());
    nothing_raw(&spoton([OsString::from("check"), name.clone()]).run());
    nothing_raw(&spoton([OsString::from("new"), name]).run());
}

/// Runs a printed command in a shell. It must not create anything in the folder.
fn run_in_shell(folder: &Folder, command: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", command]).current_dir(folder.path()).env("PATH", path);
    let ran = shell.env("XDG_DATA_HOME", folder.path()).stdin(std::process::Stdio::null()).output().unwrap();
    assert!(!folder.file("X").exists(), "{command}");
    String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap()
}

#[test]
fn commands_to_copy_are_quoted() {
    let folder = Folder::new();
    let record = |tags: &str| {
        format!("[Rulebook \"number-maze\"]\n{tags}[Player1 \"Ann\"]\n\n1. x2 +1 2. x2 +1 3. x2 x2 0-1\n")
    };
    for tags in [
        "[Computer2 \"pip; touch X #\"]\n",
        "[Variant \"a; touch X #\"]\n[Rules \"{start=1,target=20,moves=['+1','x2']}\"]\n",
        "[Setting \"title=$(touch X)\"]\n",
    ] {
        folder.write("r.txt", &record(tags));
        let ran = spoton(["review", "r.txt"]).folder(&folder).run();
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        if let Some(command) = printed.lines().find_map(|line| line.strip_prefix("Play from there: ")) {
            run_in_shell(&folder, command);
        } else {
            assert!(ran.status == 2 || !ran.stdout.contains("touch"), "{ran:?}");
        }
    }
    for name in ["it's; touch X #.toml", "-v.toml", "$(touch X).toml", "a\u{1b}\u{85}\n.toml", "~.toml"] {
        // After two dashes, anything is a name, whatever its first character.
        let ran = spoton(["new", "--", name]).folder(&folder).run().success();
        let command = ran.split_once("Play it with: ").unwrap().1.trim_end();
        let told = run_in_shell(&folder, command);
        assert!(told.contains("turn"), "{name:?}: {command}: {told}");
    }
    let name = "it's; touch X #.toml";
    let ran = spoton(["idea", name, "leave 1"]).folder(&folder).run().success();
    if let Some((_, command)) = ran.split_once("from there? ") {
        run_in_shell(&folder, command.trim_end());
    }
}
