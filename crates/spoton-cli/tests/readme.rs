//! What the README shows is what the program does.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use spoton::format::catalog;
use support::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// The commands in a page's `console` blocks, each with the output that follows it.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if inside => match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => *output += &format!("{line}\n"),
                (None, None) => panic!("output without a command: {line}"),
            },
            _ => {}
        }
    }
    examples
}

#[test]
fn every_example_of_the_readme_prints_what_it_shows() {
    let folder = Folder::new();
    let program = Path::new(env!("CARGO_BIN_EXE_spoton")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let page = read("README.md");
    let bot = read("examples/bot.py");
    assert!(page.contains(&format!("```python\n{bot}```\n")), "the README shows the example as it is");
    folder.write("examples/bot.py", &bot);
    let examples = examples(&page);
    assert!(examples.len() > 5);
    for (command, expected) in examples {
        let ran = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("XDG_DATA_HOME", folder.path())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected, "$ {command}");
    }
}

#[test]
fn the_readme_names_every_game_and_the_two_commands() {
    let page = read("README.md");
    for id in catalog::ids() {
        assert!(page.contains(&format!("\n{id}  ")), "{id}");
    }
    let tests = "./test";
    assert!(page.contains("\ncargo run --release\n") && page.contains(&format!("\n{tests}\n")));
    assert!(read(".ci/run").contains(tests), "the build machine runs the same tests");
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for (at, _) in read(page).match_indices("](") {
            let text = read(page);
            let link = &text[at + 2..at + text[at..].find(')').unwrap()];
            if !link.starts_with("http") {
                assert!(root().join(link).exists(), "{page}: {link}");
            }
        }
    }
}
