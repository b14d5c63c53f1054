//! The games that come with Spot On, with all their variants: a file a game, to be read.
//!
//! A file is made of commands, `$ spoton …`, each with what was typed after `>`, and then the answer. Of an answer that
//! would fill pages there is only a hash.

use serde_json::Value as Json;

use crate::program::{ask, hash};
use crate::random_books::Dice;
use crate::support::Folder;
use crate::{beginning, data, side_by_side, update};

/// A command with its answer.
struct Exchange {
    /// The command and what is typed.
    head: String,
    /// As it stands in the file.
    shown: String,
    whole: String,
}

#[test]
fn the_games_that_come_along_are_answered_as_ever() {
    let folder = Folder::new();
    let games: Json = serde_json::from_str(&ask(&folder, &words("games --json"), "")).unwrap();
    let games = games.as_array().unwrap();
    let told: Vec<String> = side_by_side(games.len(), |place| {
        let id = games[place]["game"].as_str().unwrap();
        let variants = games[place]["variants"].as_array().unwrap();
        let variants = variants.iter().map(|variant| variant.as_str().unwrap());
        let ways = [None].into_iter().chain(variants.map(Some));
        compare(id, &ways.flat_map(|variant| Asking::new(id, variant).everything()).collect::<Vec<_>>())
    });
    let told: String = told.concat();
    assert!(told.is_empty(), "other answers than recorded:\n{told}");
    assert_eq!(games.len(), std::fs::read_dir(data("games")).unwrap().count(), "a file for every game");
}

/// What differs from the file of a game; or writes the file.
fn compare(id: &str, exchanges: &[Exchange]) -> String {
    let path = data("games").join(format!("{id}.txt"));
    if update() {
        let text: Vec<String> =
            exchanges.iter().map(|exchange| format!("{}{}", exchange.head, exchange.shown)).collect();
        std::fs::create_dir_all(data("games")).unwrap();
        std::fs::write(path, text.join("\n")).unwrap();
        return String::new();
    }
    let recorded = std::fs::read_to_string(path).unwrap_or_default();
    let recorded: Vec<String> =
        format!("\n{recorded}").split("\n$ ").skip(1).map(|part| format!("$ {part}")).collect();
    let (mut told, mut differing) = (String::new(), 0);
    for (place, Exchange { head, shown, whole }) in exchanges.iter().enumerate() {
        let now = format!("{head}{shown}");
        let known = recorded.get(place).map_or("", |known| known.as_str());
        if known.trim_end_matches('\n') == now.trim_end_matches('\n') {
            continue;
        }
        differing += 1;
        // The first few in full; of the others, which they are.
        if differing > 3 {
            told += &format!("\n== {id}: {head}");
        } else {
            told += &format!(
                "\n== {id}: {head}-- was recorded as:\n{}\n-- and is now:\n{}\n",
                beginning(known.strip_prefix(head.as_str()).unwrap_or(known)),
                beginning(whole)
            );
        }
    }
    if recorded.len() != exchanges.len() {
        told += &format!("\n== {id}: {} commands, and {} were recorded\n", exchanges.len(), recorded.len());
    }
    told
}

fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}

/// How much of an answer is kept.
#[derive(Clone, Copy, PartialEq)]
enum Keep {
    All,
    Hash,
}

use Keep::{All, Hash};

/// Asking about a game or one of its variants, and keeping the answers.
struct Asking {
    folder: Folder,
    /// The game, and its variant as an option.
    game: Vec<String>,
    is_variant: bool,
    dice: Dice,
    exchanges: Vec<Exchange>,
}

impl Asking {
    fn new(id: &str, variant: Option<&str>) -> Asking {
        let mut game = vec![id.to_owned()];
        game.extend(variant.iter().flat_map(|name| ["--variant".to_owned(), (*name).to_owned()]));
        let seed = u64::from_str_radix(&hash(&game.join(" ")), 16).unwrap();
        let (folder, is_variant) = (Folder::new(), variant.is_some());
        Asking { folder, game, is_variant, dice: Dice::new(seed), exchanges: Vec::new() }
    }

    /// Of a variant, what is long and much like the game's own is kept as a hash.
    fn for_the_game_itself(&self) -> Keep {
        if self.is_variant { Hash } else { All }
    }

    fn say(&mut self, args: Vec<String>, typed: &[&str], keep: Keep) -> String {
        let input: String = typed.iter().map(|line| format!("{line}\n")).collect();
        let whole = ask(&self.folder, &args, &input);
        let quoted = |arg: &String| if arg.contains(' ') { format!("'{arg}'") } else { arg.clone() };
        let mut head = format!("$ spoton {}\n", args.iter().map(quoted).collect::<Vec<_>>().join(" "));
        if !typed.is_empty() {
            head += &format!("> {}\n", typed.join(", "));
        }
        let shown = match keep {
            All => whole.clone(),
            Hash => format!("{} in {} bytes\n", hash(&whole), whole.len()),
        };
        self.exchanges.push(Exchange { head, shown, whole: whole.clone() });
        whole
    }

    /// A command about the game.
    fn about(&mut self, name: &str, more: &[&str], keep: Keep) -> String {
        self.at_the_keyboard(name, more, &[], keep)
    }

    fn at_the_keyboard(&mut self, name: &str, more: &[&str], typed: &[&str], keep: Keep) -> String {
        let more = more.iter().map(|arg| (*arg).to_owned());
        let args = [name.to_owned()].into_iter().chain(self.game.iter().cloned()).chain(more).collect();
        self.say(args, typed, keep)
    }

    fn everything(mut self) -> Vec<Exchange> {
        let long = self.for_the_game_itself();
        self.about("rules", &[], long);
        self.about("rules", &["--json"], Hash);
        self.about("rules", &["--markdown"], Hash);
        let moves = self.solving();
        self.about("map", &[], All);
        self.about("map", &["--json"], Hash);
        self.about("map", &["--blank"], Hash);
        self.about("opponents", &[], long);
        self.about("opponents", &["--json"], Hash);
        for idea in ["leave even", "leave 5 10 15", "leave every 4 from 1", "leave every 5 from 3 and 20"] {
            self.about("idea", &[idea], All);
        }
        self.about("idea", &["leave every 5 from 3", "--json"], Hash);
        self.rounds(&moves);
        self.further_away();
        self.exchanges
    }

    /// What positions are worth, along a way that is drawn by lot.
    fn solving(&mut self) -> Vec<String> {
        self.about("solve", &[], All);
        let mut moves: Vec<String> = Vec::new();
        for ply in 0..40 {
            let so_far = moves.join(" ");
            let keep = if ply % 5 == 0 { All } else { Hash };
            let answer = self.about("solve", &["--json", "--moves", &so_far], keep);
            if ply == 3 {
                self.about("solve", &["--moves", &so_far], All);
            }
            let answer: Json = serde_json::from_str(&answer).unwrap();
            let Some(listed) = answer["moves"].as_array() else { break };
            let next = &listed[self.dice.below(listed.len())];
            moves.push(next["move"].as_str().unwrap().to_owned());
            // The way can be seen in what is asked next.
            if keep == Hash {
                let unseen = self.exchanges.len() - 1 - usize::from(ply == 3);
                self.exchanges.remove(unseen);
            }
        }
        moves
    }

    /// Rounds at the keyboard and between computers, their records, and looking back on them.
    fn rounds(&mut self, moves: &[String]) {
        let long = self.for_the_game_itself();
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
        self.at_the_keyboard("play", &["--record", "round.txt"], &typed, long);
        let mut plain = moves.clone();
        plain.push("resign");
        let who = ["--names", "Ann,Bo", "--first", "2", "--record", "round.txt"];
        self.at_the_keyboard("play", &who, &plain, if self.is_variant { All } else { Hash });
        let coached: Vec<&str> =
            moves.iter().flat_map(|a_move| ["hint", a_move, "y"]).chain(["resign"]).collect();
        self.at_the_keyboard("play", &["--coach", "--vs", "momo", "--seed", "5"], &coached, Hash);
        for (one, two) in [("pip", "sage"), ("otto", "careful")] {
            let duel = ["--p1", one, "--p2", two, "--first-to", "2", "--seed", "9", "--record", "duel.txt"];
            self.about("play", &duel, Hash);
        }
        for (file, keep) in [("round.txt", All), ("duel.txt", Hash)] {
            for command in ["record", "record --json", "review", "review --annotate", "review --json"] {
                let mut args = words(command);
                args.push(file.to_owned());
                let is_long = matches!(command, "review --json" | "review --annotate" | "record --json");
                let keep = if is_long { Hash } else { keep };
                self.say(args, &[], keep);
            }
            self.say(vec!["review".to_owned(), "--summary".to_owned(), file.to_owned()], &[], Hash);
        }
        // Last, since from now on nothing is given away any more.
        let end = self.exchanges.len();
        let folder = std::mem::replace(&mut self.folder, Folder::new());
        let discovering: Vec<&str> =
            moves.iter().flat_map(|a_move| ["hint", "why", a_move]).chain(["resign"]).collect();
        self.at_the_keyboard("play", &["--discover", "--record", "round.txt"], &discovering, Hash);
        self.say(words("review round.txt"), &[], All);
        self.about("map", &["--uncover"], long);
        self.about("solve", &[], Hash);
        self.folder = folder;
        assert_eq!(self.exchanges.len(), end + 4);
    }

    /// The same game when there is further to go.
    fn further_away(&mut self) {
        let key = if self.game[0] == "take-away" { "start" } else { "target" };
        // Where all pairs of numbers count, they soon are too many for a test.
        let in_pairs = self.is_variant && self.game[0] == "sequence-math-duel";
        let far = if in_pairs { ["97", "150", "300"] } else { ["97", "1000", "30011"] };
        for (far, keep) in [(far[0], Hash), (far[1], self.for_the_game_itself())] {
            let set = format!("{key}={far}");
            self.about("map", &["--set", &set], keep);
            self.about("map", &["--set", &set, "--json"], Hash);
            self.about("idea", &["--set", &set, "leave every 3 from 1"], keep);
            self.about("solve", &["--set", &set, "--json"], Hash);
        }
        self.about("solve", &["--set", &format!("{key}={}", far[2]), "--json"], All);
    }
}
