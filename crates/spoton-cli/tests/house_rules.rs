//! House rules that the compiler doesn't check.

use std::collections::{BTreeMap, BTreeSet};
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

/// A file's lines of code, without comments.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines.map(|(number, line)| (number, line.to_lowercase())).collect()
}

/// A game is a file: no code refers to a game by its id, its title or a variant's name.
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
    names.retain(|name| name != "race to"); // a title without its number is too generic
    let mut searched = 0;
    for folder in ["spoton-core/src", "spoton/src", "spoton-cli/src", "spoton-host/src", "spoton-mcp/src"] {
        for path in sources(&crates().join(folder)) {
            let is_test = path.components().any(|part| part.as_os_str() == "tests");
            // The catalog is a plain list.
            if is_test || path.ends_with("format/catalog.rs") {
                continue;
            }
            searched += 1;
            // Code is never indented by two spaces, but the examples in the help are.
            let is_example = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
            for (number, line) in code(&path).into_iter().filter(|(_, line)| !is_example(line)) {
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
    for path in ["spoton-core/src", "spoton/src"].iter().flat_map(|folder| sources(&crates().join(folder))) {
        for (number, line) in code(&path) {
            let found = outside.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{number}: {line}", path.display());
        }
    }
}

/// A command answers and exits. Shared code belongs in the library or in a separate module. Only old spellings run other
/// commands.
#[test]
fn nothing_but_the_command_line_imports_from_commands() {
    let program = crates().join("spoton-cli/src");
    let commands = program.join("commands");
    let name = |path: &Path| path.with_extension("").file_name().unwrap().to_string_lossy().into_owned();
    let mut names: BTreeSet<String> = sources(&commands).iter().map(|path| name(path)).collect();
    names.insert("bot".to_owned());
    for path in sources(&program) {
        if path == program.join("main.rs") || path == commands.join("old.rs") {
            continue;
        }
        for (number, line) in code(&path) {
            let by_name =
                line.contains("crate::commands") || line.contains("crate::{") && line.contains("commands");
            let mut used =
                line.match_indices("super::").flat_map(|(at, found)| names_after(&line[at + found.len()..]));
            let by_folder = path.starts_with(&commands) && used.any(|used| names.contains(used));
            assert!(!by_name && !by_folder, "{}:{number}: {line}", path.display());
        }
    }
    assert!(names.len() > 10, "{names:?}");
}

/// All output goes through the writer that escapes foreign text, except for texts that are entirely our own.
#[test]
fn nothing_is_printed_past_the_writer() {
    let ours = [
        "shown.rs",          // the writer itself
        "screen/tty.rs",     // draws only cells that are already safe
        "solving.rs",        // a progress line: only numbers
        "failure.rs",        // problems are coloured, and already safe
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
            // Any code may check whether an output is a terminal.
            let line = line.replace("stdout().is_terminal()", "").replace("choice(&stdout())", "");
            let line = line.replace("choice(&std::io::stderr())", "").replace("stderr().is_terminal()", "");
            let found =
                ["stdout()", "stderr()", "println!", "print!("].iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{number}: {line}", path.display());
        }
    }
}

/// Every file and folder mentioned on a page for developers exists.
#[test]
fn pages_for_developers_name_files_that_exist() {
    let root = crates().join("..");
    let mut named = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/promises.md", "docs/measuring-speed.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        // The crate of the current section, and the folder of the current row or paragraph.
        let (mut section, mut folder) = ("", PathBuf::new());
        for line in text.lines() {
            match line {
                "## The core" => section = "crates/spoton-core",
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
                    Some(
                        "spoton" | "spoton-core" | "spoton-cli" | "spoton-host" | "spoton-mcp" | "spoton-web",
                    ) => crates().join(word),
                    Some("crates" | "docs" | "fuzz" | ".ci") => root.join(word),
                    None if word.ends_with(".rs") => folder.join(word),
                    _ => continue,
                };
                // Readers will create this file themselves, so it doesn't exist yet.
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

/// Cargo runs only the test programs that `Cargo.toml` lists, so each file of `tests/` belongs to one of them.
#[test]
fn every_test_file_is_part_of_a_test_program() {
    let mut files = 0;
    for member in std::fs::read_dir(crates()).unwrap() {
        let member = member.unwrap().path();
        let manifest = std::fs::read_to_string(member.join("Cargo.toml")).unwrap();
        if !manifest.contains("autotests = false") {
            continue;
        }
        let folder = member.join("tests");
        let is_program = |name: &str| manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
        let (mut names, mut text) = (Vec::new(), String::new());
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if path.extension().is_some_and(|ending| ending == "rs") {
                text += &std::fs::read_to_string(&path).unwrap();
                names.push(name);
            } else if path.join("mod.rs").exists() || path.join("main.rs").exists() {
                names.push(name);
            }
        }
        for name in names {
            let is_module = text.contains(&format!("\nmod {name};\n"));
            assert!(is_module || is_program(&name), "{}: {name} is never run", folder.display());
            files += 1;
        }
    }
    assert!(files > 60, "{files} files");
}

/// Parses the names after `crate::` or enough `super::`: one, or several in braces.
fn names_after(code: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let name = |text| {
        let text = str::trim_start(text);
        &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
    };
    let Some(inside) = code.strip_prefix('{') else { return vec![name(code)] };
    let (mut names, mut depth, mut begins) = (Vec::new(), 0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&inside[begins..at]));
                begins = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

/// The imports between a crate's folders and top-level files, each with its first line. Leaves out tests.
fn uses_between_folders(src: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let top = |path: &Path| {
        let first = path.strip_prefix(src).unwrap().components().next().unwrap();
        Path::new(first.as_os_str()).file_stem().unwrap().to_string_lossy().into_owned()
    };
    let files = sources(src);
    let known: BTreeSet<String> = files.iter().map(|path| top(path)).collect();
    let mut uses = BTreeMap::new();
    for path in &files {
        let inside = path.strip_prefix(src).unwrap().with_extension("");
        let modules: Vec<_> = inside.iter().filter(|part| *part != "mod").collect();
        let from = top(path);
        if matches!(from.as_str(), "lib" | "main") || modules.iter().any(|part| *part == "tests") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let is_comment = |line: &str| line.trim_start().starts_with("//");
        let blanked = |line| if is_comment(line) { "" } else { line };
        let code = text.lines().map(blanked).collect::<Vec<_>>().join("\n");
        let root = "super::".repeat(modules.len());
        for prefix in ["crate::", &root] {
            for (at, _) in code.match_indices(prefix) {
                for name in names_after(&code[at + prefix.len()..]) {
                    if name != from && known.contains(name) {
                        let line = code[..at].matches('\n').count() + 1;
                        let place = format!("{}:{line}", path.display());
                        let of_folder: &mut BTreeMap<_, _> = uses.entry(from.clone()).or_default();
                        of_folder.entry(name.to_owned()).or_insert(place);
                    }
                }
            }
        }
    }
    uses
}

/// A dependency cycle through a folder, if there is one: each step with its line.
fn circle(uses: &BTreeMap<String, BTreeMap<String, String>>, start: &str) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let mut waiting = vec![start];
    while let Some(folder) = waiting.pop() {
        for (next, place) in uses.get(folder).into_iter().flatten() {
            if !came_from.contains_key(next.as_str()) {
                came_from.insert(next, (folder, place));
                waiting.push(next);
            }
        }
    }
    let (mut steps, mut at) = (Vec::new(), start);
    loop {
        let (before, place) = came_from.get(at)?;
        steps.push(format!("{before} uses {at}: {place}"));
        if *before == start {
            steps.reverse();
            return Some(steps);
        }
        at = before;
    }
}

/// The dependencies between a crate's folders and top-level files form no cycle, so you can read each one after those
/// it uses.
#[test]
fn folders_use_each_other_one_way() {
    let mut found = 0;
    for member in std::fs::read_dir(crates()).unwrap() {
        let uses = uses_between_folders(&member.unwrap().path().join("src"));
        for folder in uses.keys() {
            found += uses[folder].len();
            if let Some(steps) = circle(&uses, folder) {
                panic!("{folder} is part of a cycle:\n{}", steps.join("\n"));
            }
        }
    }
    assert!(found > 100, "{found} uses");
}

#[test]
fn a_circle_is_found_with_its_lines() {
    assert_eq!(names_after("words::{map, page}"), ["words"]);
    assert_eq!(names_after("{format::{Draft, Game}, solver}; next"), ["format", "solver"]);
    let uses = |pairs: &[(&str, &str)]| {
        let mut uses: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (from, to) in pairs {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned(), format!("{from}.rs:1"));
        }
        uses
    };
    assert_eq!(circle(&uses(&[("a", "b"), ("b", "c"), ("a", "c")]), "a"), None);
    let found = circle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")]), "b");
    assert_eq!(found.unwrap(), ["b uses c: b.rs:1", "c uses b: c.rs:1"]);
}

/// The files that a module's table lists exist, so readers find them.
#[test]
fn file_tables_are_true() {
    let (mut listed, mut missing) = (0, Vec::new());
    for entry in std::fs::read_dir(crates()).unwrap() {
        let crate_folder = entry.unwrap().path();
        for path in sources(&crate_folder.join("src")) {
            let folder = path.parent().unwrap();
            let inside = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut places: Vec<PathBuf> = inside.filter(|path| path.is_dir()).collect();
            places.extend([folder.to_owned(), crate_folder.join("src"), crate_folder.clone()]);
            let text = std::fs::read_to_string(&path).unwrap();
            for row in text.lines().filter_map(|line| line.strip_prefix("//! | `")) {
                let column = row.split(" | ").next().unwrap();
                let names = column.split('`').filter(|name| name.ends_with(".rs") || name.ends_with('/'));
                for name in names {
                    listed += 1;
                    if !places.iter().any(|place| place.join(name).exists()) {
                        missing.push(format!("{}: {name}", path.display()));
                    }
                }
            }
        }
    }
    assert!(listed > 150, "{listed} files are listed");
    assert_eq!(missing, [""; 0], "these files don't exist");
}
