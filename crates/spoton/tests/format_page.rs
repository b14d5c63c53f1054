//! The format page lists every key, word, default and placeholder, and its examples work.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{
    Draft, Menu, NoRepeat, Numbers, On, Past, Pool, Problem, Reach, Rulebook, Sentence, Severity, Stuck,
    catalog, check,
};
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::typed::{self, Typed};

const MINIMAL: &str = "title = 'Minimal'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']\n";

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rulebook-format.md");
    std::fs::read_to_string(path).unwrap()
}

/// The cells of the table under a heading, without its two header rows.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = page();
    let section = page.lines().skip_while(|line| *line != heading).skip(1);
    let section = section.take_while(|line| !line.starts_with('#'));
    let rows = section.filter(|line| line.starts_with('|')).skip(2).map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    assert!(!rows.is_empty(), "no table under {heading}");
    rows
}

/// The names in the first column of a table, in the order of the page.
fn names(heading: &str) -> Vec<String> {
    table(heading).into_iter().map(|row| row[0].trim_matches('`').to_owned()).collect()
}

fn row(heading: &str, name: &str) -> Vec<String> {
    let name = format!("`{name}`");
    table(heading).into_iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{heading}: no {name}"))
}

/// The code blocks in one language.
fn blocks(language: &str) -> Vec<String> {
    let page = page();
    let fence = format!("\n```{language}\n");
    let blocks = page.split(&fence).skip(1);
    blocks.map(|rest| rest[..rest.find("\n```").unwrap() + 1].to_owned()).collect()
}

fn finished(draft: &Draft) -> Rulebook {
    draft.build().unwrap_or_else(|problems| panic!("not a valid book: {problems:#?}"))
}

fn problems(text: &str) -> Vec<Problem> {
    Draft::read("book.toml", text).build().unwrap_err().into()
}

/// The names that the reader lists when it finds an unknown one.
fn known(text: &str) -> BTreeSet<String> {
    let helps = problems(text).into_iter().filter_map(|problem| problem.help);
    let mut lists = helps.filter_map(|help| Some(help.strip_prefix("known: ")?.to_owned()));
    lists.next().unwrap().split(", ").map(str::to_owned).collect()
}

fn as_set(names: Vec<String>) -> BTreeSet<String> {
    let set: BTreeSet<String> = names.iter().cloned().collect();
    assert_eq!(set.len(), names.len(), "duplicates in {names:?}");
    set
}

#[test]
fn every_key_has_its_row_and_nothing_else_has() {
    let unheard_of = "qqqqqqqqqqqqqqqqqqqq = 1";
    assert_eq!(as_set(names("## Keys")), known(unheard_of));
    assert_eq!(as_set(names("### Moves")), known(&format!("moves = [{{ {unheard_of} }}]")));
    assert_eq!(as_set(names("## Wording")), known(&format!("[wording]\n{unheard_of}")));
    let forms = &row("## Keys", "match")[1];
    for form in known(&format!("match = {{ {unheard_of} }}")) {
        assert!(forms.contains(&format!("{{ {form} = ")), "{form}");
    }
}

#[test]
fn every_key_has_its_words_and_default() {
    let book = finished(&Draft::read("minimal.toml", MINIMAL));
    let limited = finished(&Draft::read("limited.toml", MINIMAL).set("--set", "moves={op='+1',uses=1}"));
    let pool = limited.moves()[0].uses.unwrap().pool;
    let keys = [
        ("## Keys", "numbers", Numbers::WORDS, book.numbers().word()),
        ("## Keys", "reach", Reach::WORDS, book.reach().word()),
        ("## Keys", "past", Past::WORDS, book.past().word()),
        ("## Keys", "no_repeat", NoRepeat::WORDS, book.no_repeat().word()),
        ("## Keys", "stuck", Stuck::WORDS, book.stuck().word()),
        ("### Moves", "pool", Pool::WORDS, pool.word()),
        ("### Moves", "on", On::WORDS, limited.moves()[0].on.word()),
        ("## Wording", "menu", Menu::WORDS, book.wording().menu().word()),
    ];
    for (heading, key, words, default) in keys {
        let row = row(heading, key);
        for word in words {
            assert!(row[1].contains(&format!("`\"{word}\"`")), "{key}: {word}");
        }
        assert_eq!(row[2], format!("`\"{default}\"`"), "{key}");
    }
    assert_eq!(row("## Keys", "repetition")[2], format!("`{}`", book.repetition().unwrap()));
    let menus = page().split("### The three menus").nth(1).unwrap().to_owned();
    for menu in Menu::WORDS {
        assert!(menus.contains(&format!("- `menu = \"{menu}\"`:")), "{menu}");
    }
}

#[test]
fn every_claim_has_its_row() {
    let refused = problems(&format!("{MINIMAL}claims = ['bogus']")).remove(0).message;
    let forms = refused.split(" (N up to").next().unwrap().split('"').skip(1).step_by(2);
    let forms: BTreeSet<String> = forms.map(|form| format!("\"{form}\"")).collect();
    assert!(forms.len() > 5, "{forms:?}");
    assert_eq!(as_set(names("## Claims")), forms);
}

/// The quoted names after a word in a message or its help.
fn named_after(message: &str, word: &str) -> BTreeSet<String> {
    let list = message.split(word).nth(1).unwrap_or_else(|| panic!("{message}"));
    let list = list.split(", not ").next().unwrap();
    list.split('"').skip(1).step_by(2).map(|name| format!("`\"{name}\"`")).collect()
}

/// The first column of a table, in backticks.
fn first_column(heading: &str) -> BTreeSet<String> {
    let cells = table(heading).into_iter().map(|row| row[0].clone());
    cells.flat_map(|cell| cell.split(", ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_computed_amount_condition_and_kind_is_listed() {
    let message = problems(&format!("{MINIMAL}[variants.a]\nmoves = ['+bogus']")).remove(0).to_string();
    let computed = named_after(&message, "computed amounts are written");
    assert!(computed.len() > 5, "{message}");
    assert_eq!(first_column("#### Computed amounts"), computed);
    let message =
        problems(&format!("{MINIMAL}[variants.a]\nmoves = [{{ op = '+1', when = 'bogus' }}]")).remove(0);
    let conditions = named_after(&message.to_string(), "takes");
    assert!(conditions.len() > 5, "{message}");
    assert_eq!(first_column("#### Conditions"), conditions);
    let message = problems(&format!("{MINIMAL}winning = ['bogus']")).remove(0).to_string();
    let lists = page().split("### Lists of numbers").nth(1).unwrap().split("```").next().unwrap().to_owned();
    for item in named_after(&message, "takes") {
        assert!(lists.contains(&item.replace('K', "7")), "{item}");
    }
}

#[test]
fn every_sentence_has_its_defaults_and_exactly_its_placeholders() {
    let written = |text: &str| format!("`\"{}\"`", text.replace('\n', "\\n"));
    let mut all = BTreeSet::new();
    for info in Sentence::ALL.iter().map(|sentence| sentence.info()) {
        let row = row("## Wording", info.key);
        assert_eq!(row[2], written(info.default), "{}", info.key);
        assert_eq!(row[3], info.default_separate.map(written).unwrap_or_default(), "{}", info.key);
        let placeholders: Vec<String> =
            info.placeholders.iter().map(|name| format!("`{{{name}}}`")).collect();
        assert_eq!(row[4], placeholders.join(" "), "{}", info.key);
        all.extend(info.placeholders.iter().map(|name| format!("{{{name}}}")));
    }
    assert_eq!(as_set(names("### Placeholders")), all);
}

#[test]
fn every_book_on_the_page_is_valid() {
    let books = blocks("toml");
    assert!(books.len() > 3);
    for text in books {
        let draft = if text.starts_with("# fragment\n") {
            let keys = MINIMAL.lines().filter(|line| {
                let key = line.split(' ').next().unwrap();
                !text.lines().any(|line| line.starts_with(&format!("{key} = ")))
            });
            Draft::read("page.toml", &(keys.collect::<Vec<_>>().join("\n") + "\n" + &text))
        } else {
            Draft::read("page.toml", &text)
        };
        finished(&draft);
        let errors = check(&draft).into_iter().filter(|problem| problem.severity == Severity::Error);
        assert_eq!(errors.collect::<Vec<_>>(), [], "{text}");
    }
}

/// Splits a command into words like a shell, with single quotes only.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (index, part) in command.split('\'').enumerate() {
        match index % 2 {
            0 => {
                let mut bare = part.split(' ').map(str::to_owned);
                words.last_mut().unwrap().push_str(&bare.next().unwrap());
                words.extend(bare);
            }
            _ => words.last_mut().unwrap().push_str(part),
        }
    }
    words
}

#[test]
fn every_option_on_the_page_makes_a_valid_book() {
    let mut tried = 0;
    for command in blocks("sh").iter().flat_map(|block| block.lines()) {
        let words = words(command);
        let Some(mut draft) = catalog::draft(&words[2]) else { continue };
        for option in words[3..].chunks(2) {
            draft = match (option[0].as_str(), &option[1]) {
                ("--variant", name) => draft.variant(name).unwrap(),
                ("--target", target) => draft.set_target("--target", target),
                ("--rule", setting) => draft.set("--rule", setting),
                (other, _) => panic!("{other}"),
            };
            tried += 1;
        }
        finished(&draft);
    }
    assert!(tried > 10);
}

#[test]
fn the_example_with_its_own_wording_plays_as_shown() {
    let book = blocks("toml").into_iter().find(|text| text.contains("Two Frogs")).unwrap();
    let mut round = Round::new(Arc::new(finished(&Draft::read("two-frogs.toml", &book))), Player::One);
    let names = ByPlayer::from_fn(|player: Player| player.to_string());
    let voice = Voice { names: &names, computers: ByPlayer::default(), paint: &|_, text| text };
    let console = blocks("console").remove(0);
    let (command, shown) = console.split_once('\n').unwrap();
    let answers = command.split('\'').nth(1).unwrap().split_terminator("\\n");

    let mut said = Dialogue { round: &round, voice: &voice }.opening().unwrap() + "\n";
    for answer in answers {
        let dialogue = Dialogue { round: &round, voice: &voice };
        said += &format!("{}\n{}\n", dialogue.separator(), dialogue.turn());
        said += &format!("{}{answer}\n", dialogue.prompt());
        let Typed::Choice(choice) = typed::read(answer, &round).unwrap() else { panic!("{answer}") };
        round.play(Move::Operation(choice)).unwrap();
        said += &format!(
            "{}\n",
            Dialogue { round: &round, voice: &voice }.moved(round.history().len() - 1).unwrap()
        );
    }
    let dialogue = Dialogue { round: &round, voice: &voice };
    said += &format!("{}\n{}\n", dialogue.separator(), dialogue.ending().unwrap());
    assert_eq!(said, shown);
}

#[test]
fn every_link_on_the_page_works() {
    let page = page();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchors: BTreeSet<String> = headings
        .map(|line| {
            let kept = line.trim_start_matches('#').trim().to_lowercase();
            let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
            format!("#{}", kept.collect::<String>().replace(' ', "-"))
        })
        .collect();
    for rest in page.split("](").skip(1) {
        let link = &rest[..rest.find(')').unwrap()];
        let found = link.starts_with("https://") || anchors.contains(link) || folder.join(link).exists();
        assert!(found, "{link}");
    }
}
