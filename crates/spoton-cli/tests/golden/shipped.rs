//! The shipped games with all their variants: one file per game.
//!
//! A file lists commands, `$ spoton …`, each with the lines typed after `>`, and then the answer by meaning. Long
//! answers are recorded as a hash.

use serde_json::Value as Json;

use crate::golden::program::{ask, hash, meaning};
use crate::golden::{beginning, data, side_by_side, update};
use crate::random_books::Dice;
use crate::support::Folder;

/// A command with its answer.
struct Exchange {
    /// The command and the lines typed.
    head: String,
    /// The answer as recorded.
    recorded: String,
    whole: String,
}

#[test]
fn shipped_games_are_answered_as_recorded() {
    let folder = Folder::new();
    let games: Json = serde_json::from_str(&ask(&folder, &words("games --json"), "")).unwrap();
    let games = games.as_array().unwrap();
    let reports: Vec<String> = side_by_side(games.len(), |place| {
        let id = games[place]["game"].as_str().unwrap();
        let variants = games[place]["variants"].as_array().unwrap();
        let variants = variants.iter().map(|variant| variant.as_str().unwrap());
        let ways = [None].into_iter().chain(variants.map(Some));
        compare(id, &ways.flat_map(|variant| Recorder::new(id, variant).everything()).collect::<Vec<_>>())
    });
    let report: String = reports.concat();
    assert!(report.is_empty(), "These answers differ from the record:\n{report}");
    assert_eq!(games.len(), std::fs::read_dir(data("games")).unwrap().count(), "one file per game");
}

/// Reports what differs from a game's file, or writes the file.
fn compare(id: &str, exchanges: &[Exchange]) -> String {
    let path = data("games").join(format!("{id}.txt"));
    if update() {
        let text: Vec<String> =
            exchanges.iter().map(|exchange| format!("{}{}", exchange.head, exchange.recorded)).collect();
        std::fs::create_dir_all(data("games")).unwrap();
        std::fs::write(path, text.join("\n")).unwrap();
        return String::new();
    }
    let file = std::fs::read_to_string(path).unwrap_or_default();
    let file: Vec<String> =
        format!("\n{file}").split("\n$ ").skip(1).map(|part| format!("$ {part}")).collect();
    let (mut report, mut differing) = (String::new(), 0);
    for (place, Exchange { head, recorded, whole }) in exchanges.iter().enumerate() {
        let now = format!("{head}{recorded}");
        let known = file.get(place).map_or("", |known| known.as_str());
        if known.trim_end_matches('\n') == now.trim_end_matches('\n') {
            continue;
        }
        differing += 1;
        // The first few in full, the others by name.
        if differing > 3 {
            report += &format!("\n== {id}: {head}");
        } else {
            report += &format!(
                "\n== {id}: {head}-- was recorded as:\n{}\n-- and is now:\n{}\n",
                beginning(known.strip_prefix(head.as_str()).unwrap_or(known)),
                beginning(whole)
            );
        }
    }
    if file.len() != exchanges.len() {
        report += &format!("\n== {id}: {} commands, and {} are recorded\n", exchanges.len(), file.len());
    }
    report
}

fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}

/// How much of an answer to record.
#[derive(Clone, Copy, PartialEq)]
enum Keep {
    All,
    Hash,
    Nothing,
}

use Keep::{All, Hash, Nothing};

/// Runs commands about a game or one of its variants and collects the answers.
struct Recorder {
    folder: Folder,
    /// The game, and its variant as an option.
    game: Vec<String>,
    is_variant: bool,
    dice: Dice,
    exchanges: Vec<Exchange>,
}

impl Recorder {
    fn new(id: &str, variant: Option<&str>) -> Recorder {
        let mut game = vec![id.to_owned()];
        game.extend(variant.iter().flat_map(|name| ["--variant".to_owned(), (*name).to_owned()]));
        let seed = u64::from_str_radix(&hash(&game.join(" ")), 16).unwrap();
        let (folder, is_variant) = (Folder::new(), variant.is_some());
        Recorder { folder, game, is_variant, dice: Dice::new(seed), exchanges: Vec::new() }
    }

    fn run(&mut self, args: Vec<String>, typed: &[&str], keep: Keep) -> String {
        let input: String = typed.iter().map(|line| format!("{line}\n")).collect();
        let whole = ask(&self.folder, &args, &input);
        let quoted = |arg: &String| if arg.contains(' ') { format!("'{arg}'") } else { arg.clone() };
        let mut head = format!("$ spoton {}\n", args.iter().map(quoted).collect::<Vec<_>>().join(" "));
        if !typed.is_empty() {
            head += &format!("> {}\n", typed.join(", "));
        }
        // Records are plain text whose format never changes.
        let answer = if args[0] == "record" { whole.clone() } else { meaning(&whole) };
        let recorded = match keep {
            All => answer,
            Hash => format!("{} in {} bytes\n", hash(&answer), answer.len()),
            Nothing => return whole,
        };
        self.exchanges.push(Exchange { head, recorded, whole: whole.clone() });
        whole
    }

    /// A command about the game.
    fn about(&mut self, name: &str, more: &[&str], keep: Keep) -> String {
        self.at_the_keyboard(name, more, &[], keep)
    }

    fn at_the_keyboard(&mut self, name: &str, more: &[&str], typed: &[&str], keep: Keep) -> String {
        let more = more.iter().map(|arg| (*arg).to_owned());
        let args = [name.to_owned()].into_iter().chain(self.game.iter().cloned()).chain(more).collect();
        self.run(args, typed, keep)
    }

    fn everything(mut self) -> Vec<Exchange> {
        // A variant's long answers are much like the game's, so a hash is enough.
        let long = if self.is_variant { Hash } else { All };
        self.about("rules", &["--json"], All);
        let moves = self.solving();
        self.about("map", &["--json"], All);
        self.about("audit", &["--json"], All);
        self.about("opponents", &["--json"], long);
        for idea in ["leave even", "leave 5 10 15", "leave every 4 from 1", "leave every 5 from 3 and 20"] {
            self.about("idea", &[idea, "--json"], All);
        }
        self.rounds(&moves);
        self.further_away();
        self.exchanges
    }

    /// The values along a random line of play.
    fn solving(&mut self) -> Vec<String> {
        let mut moves: Vec<String> = Vec::new();
        for ply in 0..40 {
            let so_far = moves.join(" ");
            let keep = if ply % 5 == 0 { All } else { Nothing };
            let answer = self.about("solve", &["--json", "--moves", &so_far], keep);
            let answer: Json = serde_json::from_str(&answer).unwrap();
            let Some(listed) = answer["moves"].as_array() else { break };
            let next = &listed[self.dice.below(listed.len())];
            moves.push(next["move"].as_str().unwrap().to_owned());
        }
        moves
    }

    /// Rounds in line mode and between computers, by their records and reviews.
    fn rounds(&mut self, moves: &[String]) {
        let moves: Vec<&str> = moves.iter().map(String::as_str).filter(|a_move| *a_move != "skip").collect();
        let mut typed = vec!["moves", "hint", "hint", "hint", "why", "idea leave 3 6 9"];
        for (ply, a_move) in moves.iter().enumerate() {
            typed.push(a_move);
            match ply % 5 {
                1 => typed.extend(["undo", a_move]),
                2 => typed.extend(["why", "nonsense"]),
                3 => typed.extend(["hint", "hint", "hint"]),
                _ => {}
            }
        }
        typed.extend(["finish", "resign"]);
        self.at_the_keyboard("play", &["--record", "round.txt"], &typed, Nothing);
        let mut plain = moves.clone();
        plain.push("resign");
        let who = ["--names", "Ann,Bo", "--first", "2", "--record", "round.txt"];
        self.at_the_keyboard("play", &who, &plain, Nothing);
        let coached: Vec<&str> =
            moves.iter().flat_map(|a_move| ["hint", a_move, "y"]).chain(["resign"]).collect();
        let coach = ["--coach", "--vs", "momo", "--seed", "5", "--record", "round.txt"];
        self.at_the_keyboard("play", &coach, &coached, Nothing);
        for (one, two) in [("pip", "sage"), ("otto", "careful")] {
            let duel = ["--p1", one, "--p2", two, "--first-to", "2", "--seed", "9", "--record", "duel.txt"];
            self.about("play", &duel, Nothing);
        }
        for (file, keep) in [("round.txt", All), ("duel.txt", Hash)] {
            for command in ["record", "review --json", "review --summary --json"] {
                let mut args = words(command);
                args.push(file.to_owned());
                self.run(args, &[], keep);
            }
        }
    }

    /// The same game with a distant target.
    fn further_away(&mut self) {
        let key = if self.game[0] == "take-away" { "start" } else { "target" };
        // Pairs of numbers soon become too many for a test.
        let in_pairs = self.is_variant && self.game[0] == "sequence-math-duel";
        let far = if in_pairs { ["97", "150", "300"] } else { ["97", "1000", "30011"] };
        for far in &far[..2] {
            let set = format!("{key}={far}");
            self.about("map", &["--set", &set, "--json"], Hash);
            self.about("idea", &["--set", &set, "leave every 3 from 1", "--json"], All);
            self.about("solve", &["--set", &set, "--json"], All);
        }
        self.about("solve", &["--set", &format!("{key}={}", far[2]), "--json"], All);
    }
}
