//! The wording of each page that the program prints, with one snapshot per page. Other tests pin meaning, not words.

use crate::golden::program::ask;
use crate::golden::{beginning, data, update};
use crate::support::Folder;

const BAD_BOOK: &str = "\
title = \"Oops\"
start = 1
target = 1
moves = [\"+ 3\", \"*2\", \"+x\"]
past = \"win\"
speed = 3
";

const OWN_BOOK: &str = "\
title = \"To the Moon\"
summary = \"Climb to exactly {target}.\"
start = 0
target = 21
moves = [\"+1..3\", { op = \"x2\", when = \"even\", uses = 1 }]
no_repeat = \"own\"
claims = [\"no-draws\", \"first-wins\", \"moves <= 5\"]
";

/// The snapshot's name, the command, and the lines typed.
const PAGES: [(&str, &str, &str); 25] = [
    ("guide", "", ""),
    ("help", "--help", ""),
    ("help-play", "play --help", ""),
    ("games", "games", ""),
    ("rules", "rules number-maze", ""),
    ("rules-own", "rules own.toml", ""),
    ("rules-markdown", "rules two-castles --markdown", ""),
    ("solve", "solve double-or-add --moves +1", ""),
    ("solve-too-large", "solve sequence-math-duel --variant no-copying --target 90000 --memory 1", ""),
    ("map", "map number-maze", ""),
    ("map-blank", "map number-maze --blank", ""),
    ("map-large", "map number-maze --target 1000", ""),
    ("idea-false", "idea number-maze 'leave every 4 from 1'", ""),
    ("idea-true", "idea twenty-one-loses 'leave every 4 from 4'", ""),
    ("opponents", "opponents", ""),
    ("odds", "opponents number-maze", ""),
    ("audit", "audit own.toml", ""),
    ("audit-targets", "audit number-maze --targets 2..40", ""),
    ("audit-two", "audit number-maze double-or-add", ""),
    ("audit-better", "audit race-to-23 --better", ""),
    ("check", "check bad.toml own.toml", ""),
    (
        "play",
        "play own.toml --names Ann,Bo --record round.txt",
        "help|hint|hint|hint|why|idea leave even|+9|+1|undo|+1|moves|+3|x2|+2|+2|+1|+2|+3|+2|+3|+1|+1|+2",
    ),
    ("review", "review round.txt", ""),
    ("review-annotate", "review --annotate round.txt", ""),
    ("review-summary", "review --summary round.txt", ""),
];

#[test]
fn every_page_reads_as_in_its_snapshot() {
    let folder = Folder::new();
    folder.write("bad.toml", BAD_BOOK);
    folder.write("own.toml", OWN_BOOK);
    let mut report = String::new();
    for (name, command, typed) in PAGES {
        let args: Vec<String> = command
            .split('\'')
            .enumerate()
            .flat_map(|(place, part)| match place % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect();
        let typed: String =
            typed.split('|').filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
        let page = format!("$ spoton {command}\n{}", ask(&folder, &args, &typed));
        let path = data("pages").join(format!("{name}.txt"));
        if update() {
            std::fs::create_dir_all(data("pages")).unwrap();
            std::fs::write(&path, &page).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != page {
            report += &format!("\n== {name} is now:\n{}\n", beginning(&page));
        }
    }
    assert!(
        report.is_empty(),
        "these pages differ from their snapshots; SPOTON_UPDATE=1 records them:\n{report}"
    );
    // The review pages need a finished round.
    let page = |name: &str| std::fs::read_to_string(data("pages").join(format!("{name}.txt"))).unwrap();
    assert!(page("play").contains(" wins!\n") && page("review").contains("mattered"), "{}", page("review"));
    assert_eq!(std::fs::read_dir(data("pages")).unwrap().count(), PAGES.len(), "one snapshot per page");
}
