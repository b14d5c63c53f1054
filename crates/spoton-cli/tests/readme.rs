//! The README and the documentation: every example prints what the page shows, links resolve, and pages stay short.
//!
//! `SPOTON_UPDATE=1 cargo test -p spoton-cli --test all readme::` writes the output into the pages. Read the diff.

use crate::support;

use std::path::{Path, PathBuf};
use std::process::Command;

use spoton::format::catalog;
use support::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every page at the root and in `docs/`.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = Vec::new();
    for folder in ["", "docs/"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                pages.push(format!("{folder}{name}"));
            }
        }
    }
    pages.sort();
    assert!(pages.len() > 10, "{pages:?}");
    pages
}

/// The page with the output of every command in its `console` blocks. The commands of a page share a folder.
fn with_output(page: &str) -> String {
    let folder = Folder::new();
    folder.write("examples/bot.py", &read("examples/bot.py"));
    let mut result = String::new();
    let mut inside = false;
    for line in page.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ => {}
        }
        match line.strip_prefix("$ ").filter(|_| inside) {
            Some(command) => result += &format!("{line}\n{}", output(&folder, command)),
            // Drop the old output: the command has just written the new one.
            None if inside && line != "```console" => {}
            None => result += &format!("{line}\n"),
        }
    }
    result
}

fn output(folder: &Folder, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
    let ran = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder.path())
        .env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()))
        .env("XDG_DATA_HOME", folder.path())
        .output()
        .unwrap();
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn every_example_prints_what_the_page_shows() {
    let mut commands = 0;
    // The library's test `format_page` plays the game of the format page.
    for name in pages().into_iter().filter(|name| name != "docs/rulebook-format.md") {
        let page = read(&name);
        commands += page.lines().filter(|line| line.starts_with("$ ")).count();
        let expected = with_output(&page);
        if std::env::var_os("SPOTON_UPDATE").is_some() {
            std::fs::write(root().join(&name), expected).unwrap();
        } else {
            for (shown, printed) in page.lines().zip(expected.lines()) {
                assert_eq!(shown, printed, "{name}");
            }
            assert_eq!(page, expected, "{name}");
        }
    }
    assert!(commands > 20, "{commands}");
}

#[test]
fn the_readme_has_every_game_and_the_two_commands() {
    let page = read("README.md");
    for id in catalog::ids() {
        assert!(page.contains(&format!("\n{id} ")), "{id}");
    }
    let tests = "./test";
    assert!(page.contains("\ncargo run --release\n") && page.contains(&format!("\n{tests}\n")));
    assert!(read(".ci/run").contains(tests), "CI runs the same tests");
}

/// Relative links and pictures, as Markdown and as HTML. Fragments are not checked.
#[test]
fn every_link_leads_to_a_file() {
    let mut links = 0;
    for name in pages() {
        let page = read(&name);
        let folder = root().join(&name).parent().unwrap().to_owned();
        for (start, end) in [("](", ')'), ("src=\"", '"')] {
            for (at, _) in page.match_indices(start) {
                let link = &page[at + start.len()..];
                let link = &link[..link.find(end).unwrap()];
                let file = link.split('#').next().unwrap();
                if !link.starts_with("http") && !file.is_empty() {
                    links += 1;
                    assert!(folder.join(file).exists(), "{name}: {link}");
                }
            }
        }
    }
    assert!(links > 50, "{links}");
}

/// Short pages get read. Only the generated page, the format reference and the changelog, a log that only grows, may be
/// longer. Code blocks count, except in the README.
#[test]
fn pages_stay_short() {
    const LONG: [&str; 3] = ["docs/audits.md", "docs/rulebook-format.md", "CHANGELOG.md"];
    for name in pages().into_iter().filter(|name| !LONG.contains(&name.as_str())) {
        let page = read(&name);
        let (words, most) = match name.as_str() {
            "README.md" => (words(&without_code(&page)), 900),
            _ => (words(&page), 1500),
        };
        assert!(words <= most, "{name} has {words} words, at most {most}");
    }
    assert!(read("ARCHITECTURE.md").len() <= 8 * 1024);
}

fn words(page: &str) -> usize {
    page.split_whitespace().count()
}

fn without_code(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

/// Six things it does, each with a picture or an example.
#[test]
fn the_readme_shows_everything_it_promises() {
    let page = read("README.md");
    let start = page.find("\n## What it does\n").unwrap();
    let things = &page[start..page.find("\n## Links\n").unwrap()];
    let things: Vec<&str> = things.split("\n### ").skip(1).collect();
    assert_eq!(things.len(), 6);
    for thing in things {
        let shows = thing.contains("](docs/pictures/")
            || thing.contains("src=\"docs/pictures/")
            || thing.contains("```");
        assert!(shows && thing.contains("More: "), "{thing}");
    }
}

/// The sample of the benchmark is too slow to run here.
#[test]
fn the_benchmark_page_has_the_current_grammar() {
    let grammar = format!("read by grammar {}.", spoton::words::answer::GRAMMAR);
    assert!(read("docs/benchmark.md").contains(&grammar), "{grammar}");
}

/// The documentation index leads to every page, so no page is lost.
#[test]
fn the_index_lists_every_page() {
    let index = read("docs/README.md");
    for page in
        pages().iter().filter_map(|page| page.strip_prefix("docs/")).filter(|page| *page != "README.md")
    {
        assert!(index.contains(&format!("({page})")), "{page}");
    }
}
