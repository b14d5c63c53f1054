//! Rules of the house that a compiler does not check.

use std::path::{Path, PathBuf};

use spoton::format::catalog;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// The lines of a file that are code.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines.map(|(number, line)| (number, line.to_lowercase())).collect()
}

/// A game is a file: no code knows one by its id, its title or a variant's name.
#[test]
fn no_code_names_a_game() {
    let mut names = Vec::new();
    for id in catalog::ids() {
        let draft = catalog::draft(id).unwrap();
        names.push(id.to_owned());
        names.push(id.replace('-', "_"));
        names.push(id.replace('-', " "));
        let title = draft.title().unwrap().to_lowercase();
        names.push(title.split(':').next().unwrap().replace("{target}", "").trim().to_owned());
        names.extend(draft.variants().filter(|name| name.contains('-')).map(str::to_owned));
    }
    names.retain(|name| name != "race to"); // what is left of a title without its number says nothing
    let mut searched = 0;
    for folder in ["spoton/src", "spoton-cli/src", "spoton-mcp/src"] {
        for path in sources(&crates().join(folder)) {
            // The catalog's plain list, and the examples in the help.
            let allowed = ["format/catalog.rs", "spoton-cli/src/args.rs"];
            let allowed = |path: &PathBuf| {
                path.parent().is_some_and(|folder| folder.ends_with("spoton-cli/src/args"))
                    || allowed.iter().any(|allowed| path.ends_with(allowed))
            };
            let is_test = path.components().any(|part| part.as_os_str() == "tests");
            if is_test || allowed(&path) {
                continue;
            }
            searched += 1;
            for (number, line) in code(&path) {
                let named = names.iter().find(|name| line.contains(name.as_str()));
                assert_eq!(named, None, "{}:{number}: {line}", path.display());
            }
        }
    }
    assert!(searched > 20, "{searched} files");
}

/// The library is pure: no input, output, clock, environment, threads or global state.
#[test]
fn the_library_touches_nothing_outside() {
    let outside = [
        "std::fs",
        "std::io",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
        "static mut",
        "thread_local",
        "oncelock",
        "lazylock",
        "println!",
        "eprintln!",
    ];
    for path in sources(&crates().join("spoton/src")) {
        for (number, line) in code(&path) {
            let found = outside.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{number}: {line}", path.display());
        }
    }
}

/// A command answers and ends: what it knows, everybody else finds in the library or in a module of its own.
#[test]
fn nothing_but_the_command_line_imports_from_commands() {
    let program = crates().join("spoton-cli/src");
    let commands = program.join("commands");
    let mut searched = 0;
    for path in sources(&program) {
        if path == program.join("main.rs") {
            continue;
        }
        searched += usize::from(path.starts_with(&commands));
        for (number, line) in code(&path) {
            let by_name = line.contains("crate::commands")
                || line.contains("crate::{") && line.contains("commands")
                || path.starts_with(&commands) && line.contains("super::");
            assert!(!by_name, "{}:{number}: {line}", path.display());
        }
    }
    assert!(searched > 10, "{searched} commands");
}

/// What is printed goes through the writer that lets nothing foreign through raw, but for texts that are all our own.
#[test]
fn nothing_is_printed_past_the_writer() {
    let ours = [
        "shown.rs",          // the writer itself
        "screen/tty.rs",     // drawn from cells that are safe already
        "solving.rs",        // a line of progress: numbers
        "failure.rs",        // what is wrong with a rule book comes with colours, and is safe already
        "commands/check.rs", // the same
        "commands/guide.rs",
        "commands/completions.rs",
        "commands/man.rs",
    ];
    let program = crates().join("spoton-cli/src");
    for path in sources(&program) {
        if ours.iter().any(|ours| path == program.join(ours)) {
            continue;
        }
        for (number, line) in code(&path) {
            // Whether it is a terminal may be asked anywhere.
            let line = line.replace("stdout().is_terminal()", "").replace("choice(&stdout())", "");
            let line = line.replace("choice(&std::io::stderr())", "").replace("stderr().is_terminal()", "");
            let found =
                ["stdout()", "stderr()", "println!", "print!("].iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{number}: {line}", path.display());
        }
    }
}

/// Every file and folder that a page for developers names is there.
#[test]
fn pages_for_developers_name_files_that_exist() {
    let root = crates().join("..");
    let mut named = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/promises.md", "docs/measuring-speed.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        // The crate that a section is about, and the folder that a row or a paragraph is about.
        let (mut section, mut folder) = ("", PathBuf::new());
        for line in text.lines() {
            match line {
                "## The library" => section = "crates/spoton",
                "## The program" => section = "crates/spoton-cli",
                "## The web" => section = "crates/spoton-web",
                _ if line.starts_with("## ") => section = "",
                _ => {}
            }
            if line.is_empty() || line.starts_with('|') {
                folder = PathBuf::new();
            }
            for word in line.split('`').skip(1).step_by(2).flat_map(str::split_whitespace) {
                let path = match word.split_once('/').map(|(first, _)| first) {
                    Some("src" | "rulebooks" | "templates" | "static") => root.join(section).join(word),
                    Some("spoton" | "spoton-cli" | "spoton-mcp" | "spoton-web") => crates().join(word),
                    Some("crates" | "docs" | "fuzz" | ".ci") => root.join(word),
                    None if word.ends_with(".rs") => folder.join(word),
                    _ => continue,
                };
                // What the reader is about to make has no file yet.
                if word.contains("my-game") {
                    continue;
                }
                assert!(path.exists(), "{page}: {word}\n{line}");
                named += 1;
                if word.contains('/') {
                    folder = if path.is_dir() { path } else { path.parent().unwrap().to_owned() };
                }
            }
        }
    }
    assert!(named > 150, "{named} names");
}
