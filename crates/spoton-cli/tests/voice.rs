//! Spot On speaks plain English: words that read as if translated fail this test, in code, pages, documentation and the
//! names of tests.
//!
//! `voice-exceptions.txt` lists the few legitimate uses. It must match exactly and may only shrink: rewrite the sentence
//! instead of adding a line. `SPOTON_UPDATE=1 cargo test -p spoton-cli --test all voice::` lowers its counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Each phrase matches only whole words, in upper or lower case.
const GIVE_AWAYS: [&str; 40] = [
    "whoever",
    "whomever",
    "whosoever",
    "somebody",
    "stands",
    "anew",
    "parted",
    "thereby",
    "beside",
    "at once",
    "for ever",
    "by turns",
    "of its own",
    "of one's own",
    "that which",
    "none yet",
    "is told",
    "are told",
    "was told",
    "be told",
    "is said",
    "are said",
    "was said",
    "be said",
    "take up again",
    "taken up again",
    "takes up again",
    "look on",
    "looks on",
    "what it comes to",
    "takes back",
    "taken back",
    "as ever",
    "is kept",
    "are kept",
    "good any more",
    "anybody",
    "those who",
    "the one who",
    "what is more",
];

const EXCEPTIONS: &str = "crates/spoton-cli/tests/voice-exceptions.txt";

/// Never raise this: the exceptions may only shrink. All that remain are frozen: generator 1's comments, and a word
/// that goes into the hash of a seat.
const MOST_EXCEPTIONS: usize = 6;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files with texts that people read, as paths from the root.
fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    // Files that are generated, built, frozen or written by others: the original books' dialogues, recorded answers,
    // generator 1's games, and a tool for tests.
    const LEFT_OUT: [&str; 15] = [
        "target",
        "voice.rs",
        "voice-exceptions.txt",
        "set-1.txt",
        "requirements.txt",
        "axe.min.js",
        "playthroughs",
        "golden",
        "corpus",
        "pictures",
        "operation-target.toml",
        "sequence-math-duel.toml",
        "target-twenty-one.toml",
        "number-maze.toml",
        "double-or-add.toml",
    ];
    const ENDINGS: [&str; 13] =
        ["rs", "md", "html", "toml", "py", "pyi", "js", "css", "json", "sh", "txt", "svg", "yml"];
    const SCRIPTS: [&str; 3] = ["test", "run", "compare"];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_hidden = name.starts_with('.') && ![".ci", ".github"].contains(&name.as_str());
        if LEFT_OUT.contains(&name.as_str()) || is_hidden {
            continue;
        }
        if path.is_dir() {
            texts(&path, found);
        } else if path
            .extension()
            .map_or(SCRIPTS.contains(&name.as_str()), |ending| ENDINGS.iter().any(|known| ending == *known))
        {
            found.push(path);
        }
    }
}

/// The names of a file's tests, as words, and of the file itself if it's a test file.
fn test_names(path: &Path, code: &str) -> String {
    let mut names = String::new();
    if path.components().any(|part| part.as_os_str() == "tests") {
        names += &format!("{}\n|\n", path.file_stem().unwrap_or_default().to_string_lossy());
    }
    let mut is_test = false;
    for line in code.lines().map(str::trim_start) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        }
        let declared = line.strip_prefix("async ").unwrap_or(line);
        let rust = declared.strip_prefix("fn ").filter(|_| is_test);
        let python = declared.strip_prefix("def ").filter(|name| name.starts_with("test_"));
        if let Some((name, _)) = rust.or(python).and_then(|name| name.split_once('(')) {
            names += &format!("{name}\n|\n");
            is_test = false;
        }
    }
    names.replace('_', " ")
}

fn count(text: &str, phrase: &str) -> usize {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(phrase)
        .filter(|(at, _)| {
            !is_letter(text[..*at].chars().next_back())
                && !is_letter(text[at + phrase.len()..].chars().next())
        })
        .count()
}

/// The comments and string literals in Rust code, without identifiers.
fn sentences(code: &str) -> String {
    let mut result = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let found = &rest[at..];
        let raw = rest[..at].chars().rev().take_while(|c| *c == '#').count();
        let is_raw = rest[..at - raw].ends_with('r');
        let (text, length) = if found.starts_with("//") {
            let end = found.find('\n').unwrap_or(found.len());
            (&found[2..end], end)
        } else if let Some(inside) = found.strip_prefix('"') {
            let end = match is_raw {
                true => inside.find(&format!("\"{}", "#".repeat(raw))).map(|end| end + 1),
                false => closing_quote(found),
            };
            let end = end.unwrap_or(found.len() - 1);
            (&found[1..end], end + 1)
        } else if found.starts_with("'\"'") || found.starts_with("'\\\"'") {
            // A character literal, not the start of a string.
            ("", found[1..].find('\'').unwrap_or(0) + 2)
        } else {
            ("", 1)
        };
        // Adjacent comment lines are one text; anything else ends a sentence.
        result += text;
        result += if found.starts_with("//") { "\n" } else { "\n|\n" };
        rest = &found[length..];
    }
    result
}

fn closing_quote(literal: &str) -> Option<usize> {
    let mut escaped = false;
    literal.char_indices().skip(1).find_map(|(at, c)| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes.then_some(at)
    })
}

/// A text on one line, without comment markers, so that a phrase across two lines is found.
fn flat(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!', '#', '*']));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ").to_lowercase()
}

#[test]
fn no_sentence_reads_as_if_translated() {
    let mut files = Vec::new();
    texts(&root(), &mut files);
    assert!(files.len() > 500, "{} files", files.len());
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let is = |ending: &str| file.extension().is_some_and(|found| found == ending);
        let names = if is("rs") || is("py") { test_names(&file, &text) } else { String::new() };
        let text = flat(&format!("{names}{}", if is("rs") { sentences(&text) } else { text }));
        for phrase in GIVE_AWAYS {
            let times = count(&text, phrase);
            if times > 0 {
                let path = file.strip_prefix(root()).unwrap().display().to_string();
                found.insert(format!("{path}: {phrase}"), times);
            }
        }
    }
    let recorded: BTreeMap<String, usize> = std::fs::read_to_string(root().join(EXCEPTIONS))
        .unwrap()
        .lines()
        .filter_map(|line| {
            let (times, place) = line.split_once(' ')?;
            Some((place.to_owned(), times.parse().ok()?))
        })
        .collect();
    let exceptions: usize = recorded.values().sum();
    assert!(exceptions <= MOST_EXCEPTIONS, "{EXCEPTIONS} lists {exceptions}, at most {MOST_EXCEPTIONS}");
    let more: Vec<String> = found
        .iter()
        .filter(|(place, times)| recorded.get(*place).is_none_or(|recorded| *times > recorded))
        .map(|(place, times)| format!("{times} {place}"))
        .collect();
    assert!(more.is_empty(), "Rewrite these sentences in plain English:\n{}", more.join("\n"));
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        let lines: String = found.iter().map(|(place, times)| format!("{times} {place}\n")).collect();
        std::fs::write(root().join(EXCEPTIONS), lines).unwrap();
    } else {
        assert!(
            found == recorded,
            "{EXCEPTIONS} lists more than there is. Lower its counts with SPOTON_UPDATE=1."
        );
    }
}

/// The name of a test is a sentence, too: it begins with its subject.
#[test]
fn names_of_tests_begin_with_their_subject() {
    let mut files = Vec::new();
    texts(&root(), &mut files);
    let (mut names, mut wrong) = (0, Vec::new());
    for file in
        files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs" || ending == "py"))
    {
        for name in test_names(file, &std::fs::read_to_string(file).unwrap()).split("\n|\n") {
            let name = name.strip_prefix("test ").unwrap_or(name);
            names += 1;
            if ["what ", "who ", "whom ", "whose ", "of "].iter().any(|start| name.starts_with(start)) {
                wrong.push(format!("{}: {name}", file.display()));
            }
        }
    }
    assert!(names > 1500, "{names} names");
    assert!(wrong.is_empty(), "Begin with the subject:\n{}", wrong.join("\n"));
}

/// A statement begins with its subject. A question may begin with "What".
#[test]
fn comments_and_descriptions_begin_with_their_subject() {
    let mut files = Vec::new();
    texts(&root(), &mut files);
    let (mut lines, mut wrong) = (0, Vec::new());
    for file in &files {
        let name = file.display().to_string();
        let starts: &[&str] = match name.rsplit('.').next() {
            Some("rs") => &["//"],
            Some("py" | "pyi") => &["#", "\"\"\""],
            Some("json") => &["\"description\": \""],
            Some("toml" | "yml" | "sh") => &["#"],
            _ => continue,
        };
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let Some(text) = starts.iter().find_map(|start| line.split_once(start)) else { continue };
            lines += 1;
            let text = text.1.trim_start_matches(['/', '!']).trim_start();
            if begins_without_a_subject(text) || text.split(". ").skip(1).any(begins_without_a_subject) {
                wrong.push(format!("{name}: {text}"));
            }
        }
    }
    assert!(lines > 10_000, "{lines} lines");
    assert!(wrong.is_empty(), "Begin with the subject:\n{}", wrong.join("\n"));
}

fn begins_without_a_subject(sentence: &str) -> bool {
    let word = sentence.split(' ').next().unwrap_or_default();
    ["What", "Who", "Whom", "Whose", "Whoever", "Of"].contains(&word) && !sentence.contains('?')
}

#[test]
fn a_give_away_is_found_in_names_of_tests() {
    let code =
        "#[test]\nfn it_is_told() {}\nfn helper_at_once() {}\n#[tokio::test]\nasync fn so_it_stands() {}\n";
    let names = flat(&test_names(Path::new("x/tests/begins_anew.rs"), code));
    assert_eq!(["anew", "is told", "at once", "stands"].map(|phrase| count(&names, phrase)), [1, 1, 0, 1]);
    assert_eq!(count(&flat(&test_names(Path::new("t.py"), "def test_for_ever(self):\n")), "for ever"), 1);
}

#[test]
fn a_give_away_is_found_as_a_word_and_across_lines() {
    assert_eq!(count("he understands what stands there", "stands"), 1);
    assert_eq!(count(&flat("    /// It is\n    /// told here."), "is told"), 1);
    let code =
        "/// It is\n/// told.\nlet stands = \"a \\\" anew\"; f('\"', r#\"by \"turns\"#); // at\nonce();";
    let text = flat(&sentences(code));
    assert_eq!(
        ["is told", "anew", "turns", "stands", "at once"].map(|phrase| count(&text, phrase)),
        [1, 1, 1, 0, 0]
    );
}
