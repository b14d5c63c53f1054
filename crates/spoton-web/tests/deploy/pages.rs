//! The page about several nodes names every file, only files that exist, and repeats none of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::nginx::deploy;
use super::support::shipped;
use crate::operation::program::run;

const PAGE: &str = include_str!("../../../../docs/several-nodes.md");

/// Every file below a folder, as paths from it.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match path.is_dir() {
            true => found.extend(files(&path).iter().map(|below| format!("{name}/{below}"))),
            false => drop(found.insert(name)),
        }
    }
    found
}

/// The words of the page, with `a{b,c}d` written out.
fn words() -> Vec<String> {
    let mut words = Vec::new();
    for word in PAGE.split(|c: char| c.is_whitespace() || c == '`' || c == '=' || c == '\'') {
        let parts = word.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        match parts {
            Some((before, (inside, after))) => {
                words.extend(inside.split(',').map(|part| format!("{before}{part}{after}")));
            }
            None => words.push(word.trim_end_matches(['.', ',', ':', ';', ')']).to_owned()),
        }
    }
    words
}

#[test]
fn the_page_names_every_file_and_no_other() {
    let (files, words) = (files(&deploy()), words());
    for file in &files {
        let name = file.rsplit('/').next().unwrap();
        assert!(words.iter().any(|word| word == file || word == name), "{file} isn't on the page");
    }
    let mut named = 0;
    for word in &words {
        let installed =
            word.strip_prefix("/usr/local/lib/spoton/").map(|script| format!("postgresql/{script}"));
        let path = installed.as_deref().or_else(|| word.strip_prefix("./")).unwrap_or(word);
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        if path == "roll" || ["nginx", "postgresql", "systemd"].contains(&folder) && !path.ends_with('/') {
            assert!(files.contains(path), "{word} isn't in the folder");
            named += 1;
        }
    }
    assert!(named > 20, "{named} paths");
    // Settings that are copied into a page become wrong there.
    assert!(!PAGE.contains("```"), "settings belong into the files");
}

/// The settings and the standbys' names that the page mentions exist.
#[test]
fn the_page_names_settings_that_exist() {
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    for name in words().iter().filter(|word| word.starts_with("SPOTON_")) {
        assert!(help.contains(name.as_str()), "{name} isn't an option");
    }
    let settings = shipped("postgresql/spoton.conf");
    for name in words().iter().filter(|word| word.starts_with("spoton_")) {
        assert!(settings.contains(name.as_str()), "{name} isn't in spoton.conf");
    }
    for line in shipped("systemd/web.env").lines().filter(|line| line.starts_with("SPOTON_")) {
        let (name, _) = line.split_once('=').unwrap();
        assert!(help.contains(name), "{name} isn't an option");
    }
}

/// The scripts are installed where the settings and units look for them.
#[test]
fn settings_and_units_run_scripts_that_exist() {
    let mut named = 0;
    for file in files(&deploy()) {
        let text = shipped(&file);
        for (at, prefix) in text.match_indices("/usr/local/lib/spoton/") {
            let rest = &text[at + prefix.len()..];
            let script = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap();
            assert!(deploy().join("postgresql").join(script).exists(), "{file}: {script}");
            named += 1;
        }
    }
    assert!(named >= 3, "{named} scripts");
}
