//! 1,000 random books, one line per book.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::golden::program::{Questions, TOO_LARGE, ask, hash, meaning};
use crate::golden::{beginning, data, side_by_side, update};
use crate::random_books::{Dice, RandomBook, random_book};
use crate::support::Folder;

const BOOKS: usize = 1000;
/// This many books share a folder and the commands that take several files.
const AT_ONCE: usize = 25;
const FILE: &str = "random-books.txt";
/// An answer that this run doesn't check.
const NOT_ASKED: &str = "-";
const REMARK: &str = "\
# One line per random book: number, hash of its text, fingerprint, and hashes of the program's answers by meaning.
# A dash marks exact chances that take too long. Recording again keeps it.
";

/// The kinds of answers, in the order of a line.
const KINDS: [&str; 12] = [
    "text",
    "fingerprint",
    "check",
    "rules",
    "solve",
    "map",
    "chances",
    "idea",
    "duel",
    "record",
    "record-json",
    "review",
];

/// Whether a plain run checks this kind for this book. `SPOTON_ALL=1` and recording check everything.
fn asks(kind: &str, number: usize) -> bool {
    let everything =
        update() || ["SPOTON_ALL", "SPOTON_SHOW"].iter().any(|name| std::env::var_os(name).is_some());
    everything
        || match kind {
            "chances" => number.is_multiple_of(3),
            "rules" | "idea" => number % 3 == 1,
            "map" => number.is_multiple_of(2),
            "duel" => !number.is_multiple_of(2),
            _ => true,
        }
}

/// All answers about a book, by kind.
type Answers = BTreeMap<&'static str, String>;

#[test]
fn random_books_are_answered_as_recorded() {
    if let Some(number) = std::env::var("SPOTON_SHOW").ok().and_then(|number| number.parse().ok()) {
        let answers = answers(number..number + 1, &[]).remove(0);
        let shown: String = KINDS.map(|kind| format!("== {kind}\n{}\n", answers[kind].trim_end())).concat();
        panic!("book {number}, {:?}:\n{shown}", BookArgs::new(number).args);
    }
    let recorded = std::fs::read_to_string(data(FILE)).unwrap_or_default();
    let recorded: Vec<Vec<&str>> = recorded
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| line.split_whitespace().skip(1).collect())
        .collect();
    let chunks = side_by_side(BOOKS / AT_ONCE, |chunk| {
        let first = chunk * AT_ONCE;
        answers(first..first + AT_ONCE, &recorded).into_iter().map(compared).collect::<Vec<_>>()
    });
    let found: Vec<(Vec<String>, Answers)> = chunks.into_iter().flatten().collect();
    if update() {
        let lines =
            found.iter().enumerate().map(|(number, (cells, _))| format!("{number} {}\n", cells.join(" ")));
        let lines: String = lines.collect();
        return std::fs::write(data(FILE), format!("{REMARK}book {}\n{lines}", KINDS.join(" "))).unwrap();
    }
    assert_eq!(recorded.len(), BOOKS, "{FILE} has a line for every book");
    let mut differences: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut report = String::new();
    for (number, ((cells, answers), recorded)) in found.iter().zip(&recorded).enumerate() {
        let differs = |place: &usize| {
            cells[*place] != NOT_ASKED && recorded.get(*place).is_none_or(|known| *known != cells[*place])
        };
        let kinds: Vec<&str> = (0..KINDS.len()).filter(differs).map(|place| KINDS[place]).collect();
        for kind in &kinds {
            differences.entry(kind).or_default().push(number);
        }
        // Three books are enough for a report.
        if !kinds.is_empty() && report.matches("== Book").count() < 3 {
            report +=
                &format!("\n== Book {number}: {}\n{}\n", kinds.join(", "), BookArgs::new(number).in_words());
            for kind in kinds {
                report += &format!("-- {kind} is now:\n{}\n", beginning(&answers[kind]));
            }
        }
    }
    let counts: Vec<String> =
        differences.iter().map(|(kind, books)| format!("{kind}: {} books, {books:?}", books.len())).collect();
    assert!(
        differences.is_empty(),
        "These answers differ from the record.\n{}\n{report}",
        beginning(&counts.join("\n"))
    );
}

/// The cells of a line, with the answers behind them.
fn compared(answers: Answers) -> (Vec<String>, Answers) {
    let cell = |kind: &str| match answers[kind].trim_end() {
        whole @ (TOO_LARGE | NOT_ASKED) => whole.to_owned(),
        whole if kind == "fingerprint" => whole.to_owned(),
        answer => hash(answer),
    };
    (KINDS.map(cell).to_vec(), answers)
}

/// A book and the arguments that name it.
struct BookArgs {
    number: usize,
    book: RandomBook,
    /// The file, with the variant and the settings.
    args: Vec<String>,
}

impl BookArgs {
    fn new(number: usize) -> BookArgs {
        let book = random_book(number as u64);
        let mut args = vec![format!("b{number:04}.toml")];
        args.extend(book.variant.iter().flat_map(|name| ["--variant".to_owned(), (*name).to_owned()]));
        args.extend(book.settings.iter().flat_map(|setting| ["--set".to_owned(), setting.clone()]));
        BookArgs { number, book, args }
    }

    /// The file with the record of the round at the keyboard.
    fn record(&self) -> String {
        format!("r{:04}.txt", self.number)
    }

    fn command(&self, name: &str, more: &[&str]) -> Vec<String> {
        let more = more.iter().map(|arg| (*arg).to_owned());
        [name.to_owned()].into_iter().chain(self.args.iter().cloned()).chain(more).collect()
    }

    fn question(&self, moves: &[String]) -> Json {
        let settings = self.book.settings.iter().filter_map(|setting| setting.split_once('='));
        let settings: serde_json::Map<String, Json> =
            settings.map(|(key, value)| (key.to_owned(), json!(value))).collect();
        let mut question = json!({ "game": self.args[0], "set": settings, "moves": moves });
        if let Some(variant) = self.book.variant {
            question["variant"] = json!(variant);
        }
        question
    }

    fn in_words(&self) -> String {
        format!("{}\n{}", self.args.join(" "), self.book.text)
    }
}

/// Everything about the books with these numbers.
fn answers(numbers: std::ops::Range<usize>, recorded: &[Vec<&str>]) -> Vec<Answers> {
    let folder = Folder::new();
    let books: Vec<BookArgs> = numbers.map(BookArgs::new).collect();
    for asked in &books {
        folder.write(&asked.args[0], &asked.book.text);
    }
    let mut questions = Questions::new(&folder);
    let place = KINDS.iter().position(|kind| *kind == "chances").unwrap();
    let mut all: Vec<Answers> = Vec::new();
    for asked in &books {
        let takes_too_long = recorded.get(asked.number).is_some_and(|cells| cells[place] == NOT_ASKED);
        all.push(of_one(asked, &folder, &mut questions, !takes_too_long));
    }
    questions.end();

    let files: Vec<(String, usize)> = books.iter().map(|asked| (asked.args[0].clone(), 1)).collect();
    in_lines("check", ["check", "--json"], &files, &folder, &mut all);
    let rounds = |(asked, answers): (&BookArgs, &Answers)| {
        (asked.record(), answers["record"].matches("[SpotOn ").count())
    };
    let records: Vec<(String, usize)> = books.iter().zip(&all).map(rounds).collect();
    in_lines("record-json", ["record", "--json"], &records, &folder, &mut all);
    in_lines("review", ["review", "--json"], &records, &folder, &mut all);
    all
}

/// Runs one command on many files. Each file gets the given number of lines.
fn in_lines(
    kind: &'static str,
    command: [&str; 2],
    files: &[(String, usize)],
    folder: &Folder,
    all: &mut [Answers],
) {
    let ask_about = |files: &[(String, usize)]| {
        let files = files.iter().map(|(file, _)| file.clone());
        ask(folder, &command.map(str::to_owned).into_iter().chain(files).collect::<Vec<_>>(), "")
    };
    let together = ask_about(files);
    if together.lines().count() != files.iter().map(|(_, lines)| lines).sum::<usize>() {
        // A rejected file stops the ones after it.
        for (answers, file) in all.iter_mut().zip(files) {
            answers.insert(kind, meaning(&ask_about(std::slice::from_ref(file))));
        }
        return;
    }
    let mut rest = together.split_inclusive('\n');
    for (answers, (_, lines)) in all.iter_mut().zip(files) {
        answers.insert(kind, meaning(&rest.by_ref().take(*lines).collect::<String>()));
    }
}

/// The answers about one book, from commands that take a single book.
fn of_one(asked: &BookArgs, folder: &Folder, questions: &mut Questions, with_chances: bool) -> Answers {
    // All draws come first, so they don't depend on which kinds this run checks.
    let mut dice = Dice::new(1_000_000 + asked.number as u64);
    let (moves, solved) = a_way(asked, questions, &mut dice);
    let idea = an_idea(&mut dice);
    let typed = a_dialogue(&moves, &mut dice);
    let manner: &[&str] = dice.pick(&[&[], &["--first", "2"], &["--names", "Ann,Bo"], &["--coach"]]);
    const WHO: [&str; 9] = ["pip", "dash", "momo", "otto", "nina", "sage", "random", "careful", "perfect"];
    let (one, two, seed) = (dice.pick(&WHO), dice.pick(&WHO), dice.below(1000).to_string());

    let say = |kind: &str, name: &str, more: &[&str]| match asks(kind, asked.number) {
        true => meaning(&ask(folder, &asked.command(name, more), "")),
        false => NOT_ASKED.to_owned(),
    };
    let written = |file: &str| std::fs::read_to_string(folder.file(file)).unwrap_or_default();
    let fingerprint = match solved.as_str() {
        TOO_LARGE => fingerprint(&ask(folder, &asked.command("rules", &["--json"]), "")),
        solved => fingerprint(solved.lines().next().unwrap_or_default()),
    };
    let record = asked.record();
    let play = asked.command("play", &[&["--record", &record], manner].concat());
    ask(folder, &play, &typed);
    let between_computers = ["--p1", one, "--p2", two, "--seed", &seed, "--record", "duel.txt"];
    let mut duel = say("duel", "play", &between_computers);
    if duel != NOT_ASKED {
        duel = written("duel.txt");
        drop(std::fs::remove_file(folder.file("duel.txt")));
    }
    Answers::from([
        ("text", asked.in_words()),
        ("fingerprint", fingerprint),
        ("rules", say("rules", "rules", &["--json"])),
        ("solve", if solved == TOO_LARGE { solved } else { meaning(&solved) }),
        ("map", say("map", "map", &["--json"])),
        (
            "chances",
            if with_chances { say("chances", "opponents", &["--json"]) } else { NOT_ASKED.to_owned() },
        ),
        ("idea", say("idea", "idea", &[&idea, "--json"])),
        ("duel", duel),
        ("record", written(&record)),
    ])
}

fn fingerprint(answer: &str) -> String {
    let answer: Json = serde_json::from_str(answer).unwrap_or_default();
    answer["rulebook_hash"].as_str().unwrap_or("none").to_owned()
}

/// Random moves from the opening, chosen from the program's lists, with its answers along the way.
fn a_way(asked: &BookArgs, questions: &mut Questions, dice: &mut Dice) -> (Vec<String>, String) {
    let (mut moves, mut said) = (Vec::new(), String::new());
    let most = 2 + dice.below(12);
    for _ in 0..most {
        let answer = questions.ask(&asked.question(&moves));
        if answer == TOO_LARGE {
            return (moves, answer);
        }
        said.push_str(&answer);
        let answer: Json = serde_json::from_str(&answer).unwrap_or_default();
        let listed = answer["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
        let Some(next) = listed.get(dice.below(listed.len().max(1))) else { break };
        moves.push(next["move"].as_str().unwrap_or_default().to_owned());
    }
    (moves, said)
}

fn an_idea(dice: &mut Dice) -> String {
    let (step, from) = (dice.between(2, 7), dice.between(0, 9));
    match dice.below(5) {
        0 => "leave even".to_owned(),
        1 => format!("leave odd from {from} to {}", from + 12),
        2 => format!("leave {from} and {}", from + step),
        _ => format!("leave every {step} from {from}"),
    }
}

/// A round in line mode along these moves, with questions and typing errors in between.
fn a_dialogue(moves: &[String], dice: &mut Dice) -> String {
    let mut typed = vec!["moves".to_owned(), "hint".to_owned(), "hint".to_owned(), "why".to_owned()];
    typed.push(format!("idea {}", an_idea(dice)));
    for a_move in moves.iter().filter(|a_move| *a_move != "skip") {
        typed.push(a_move.clone());
        match dice.below(12) {
            0 => typed.extend(["undo".to_owned(), a_move.clone()]),
            1 => typed.push("why".to_owned()),
            2 => typed.extend(["hint"; 3].map(str::to_owned)),
            _ => {}
        }
    }
    let slips = ["1", "2", "add", "x", "double", "", "9", "undo", "add 1", "*2", "halve", "0", "minus 3"];
    typed.extend(
        [dice.pick(&slips), dice.pick(&slips), "why", "finish", "rules", "resign", "resign"]
            .map(str::to_owned),
    );
    typed.join("\n") + "\n"
}
