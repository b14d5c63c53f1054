//! Dependencies are what `deny.toml` allows. `cargo deny` checks more, but not everyone has it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn text(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// The value of a line such as `key = "value"`.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')
}

/// Every package of `Cargo.lock` with its versions. All of them come from a single registry.
fn locked() -> BTreeMap<String, BTreeSet<String>> {
    let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in text("Cargo.lock").split("[[package]]\n").skip(1) {
        let find = |key| package.lines().find_map(|line| value(line, key));
        let name = find("name").unwrap();
        assert!(find("source").is_none_or(|source| source == REGISTRY), "{package}");
        packages.entry(name.to_owned()).or_default().insert(find("version").unwrap().to_owned());
    }
    packages
}

/// Whether `0.22` matches a version such as `0.22.1`.
fn is_version(version: &str, asked: &str) -> bool {
    version == asked || version.strip_prefix(asked).is_some_and(|rest| rest.starts_with('.'))
}

/// A crate has one version, except for the older ones that `deny.toml` lists with a reason.
#[test]
fn nothing_is_there_twice_without_a_reason() {
    let mut packages = locked();
    assert!(packages.len() > 200, "{} packages", packages.len());
    let deny = text("deny.toml");
    for line in deny.lines().filter_map(|line| line.trim().strip_prefix("{ crate = \"")) {
        let (name, asked) = line.split('"').next().unwrap().split_once(':').unwrap();
        let versions = packages.get_mut(name).unwrap_or_else(|| panic!("{name} isn't a dependency"));
        assert!(versions.len() > 1, "{name} has one version, so deny.toml needn't list it");
        let before = versions.len();
        versions.retain(|version| !is_version(version, asked));
        assert_eq!(versions.len(), before - 1, "{name} {asked}");
    }
    let twice: Vec<_> = packages.iter().filter(|(_, versions)| versions.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// The parts of a licence expression between these words, outside brackets.
fn parts<'a>(expression: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut begins) = (Vec::new(), 0, 0);
    for (at, c) in expression.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && expression[at..].starts_with(word) && at >= begins {
            parts.push(&expression[begins..at]);
            begins = at + word.len();
        }
    }
    parts.push(&expression[begins..]);
    parts
}

/// Whether a licence expression can be met with these licences.
fn is_allowed(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let inside = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    parts(expression, " OR ").iter().any(|all| match parts(all, " AND ")[..] {
        [one] if one == expression => {
            inside.map_or(allowed.contains(one), |inside| is_allowed(inside, allowed))
        }
        ref all => all.iter().all(|one| is_allowed(one, allowed)),
    })
}

#[test]
fn licences_are_permissive() {
    let deny = text("deny.toml");
    let list = deny.split("allow = [\n").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let allowed: BTreeSet<&str> = list.lines().map(|line| line.trim().trim_matches([',', '"'])).collect();
    assert!(is_allowed("MIT OR GPL-3.0-only", &allowed) && is_allowed("(MIT OR X) AND Zlib", &allowed));
    assert!(!is_allowed("MIT AND GPL-3.0-only", &allowed) && !is_allowed("(MIT OR X) AND Y", &allowed));

    // Only this platform's dependencies: those of others may not have been downloaded.
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        // Some crates still write the old slash.
        assert!(is_allowed(&licence.replace('/', " OR "), &allowed), "{}: {licence}", package["name"]);
    }
    assert!(packages.len() > 150, "{} packages", packages.len());
}
