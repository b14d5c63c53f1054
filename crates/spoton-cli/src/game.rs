//! From what stands on the command line to a rule book that can be played.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use spoton::format::{Draft, LARGEST_FILE, Rulebook, catalog, nearest, quotable};

use crate::args::{Changes, Setting};
use crate::failure::{Failure, harmless};
use crate::folders::Folders;
use crate::output::quoted;

/// A game that was asked for, with its changes laid over it.
#[derive(Clone, Debug)]
pub struct Game {
    /// What it was asked for by.
    pub name: String,
    /// The id, or the file's name without folder and ending.
    pub id: String,
    /// Whether the rule book is a file of the player's own.
    pub own_file: bool,
    /// The rule book as it was written.
    pub text: String,
    pub variant: Option<String>,
    pub settings: Vec<Setting>,
    /// The rule book with everything laid over it, but for a target that is drawn.
    pub draft: Draft,
    /// The targets to draw from, where one is drawn for each round.
    pub targets: Option<RangeInclusive<i64>>,
}

impl Game {
    /// Finds a game and lays the changes over it.
    pub fn find(name: &OsStr, changes: &Changes) -> Result<Game, Failure> {
        let found = find(name)?;
        let name = if found.own_file { name.to_string_lossy().into_owned() } else { found.id.clone() };
        found.with(name, changes)
    }

    /// The same game with other changes laid over it, instead of those that were.
    pub fn changed(&self, changes: &Changes) -> Result<Game, Failure> {
        let source_name = if self.own_file { harmless(&self.name) } else { format!("{}.toml", self.id) };
        let Game { id, own_file, text, .. } = self.clone();
        Found { id, own_file, source_name, text }.with(self.name.clone(), changes)
    }

    /// The targets from half as far as the game's own to twice as far. Not each of them has to fit the game.
    pub fn targets_around(&self) -> Option<RangeInclusive<i64>> {
        let rulebook = self.draft.build().ok()?;
        let (target, start) = (rulebook.target()?, rulebook.start().0);
        let far = target.checked_sub(start)?;
        let (near, far) = (start.checked_add(far / 2)?, start.checked_add(far.checked_mul(2)?)?);
        // A game that never goes below zero does not need to.
        let low = if target.min(start) >= 0 { near.min(far).max(0) } else { near.min(far) };
        Some(low..=near.max(far))
    }

    /// The rule book, for questions that are about one target.
    pub fn rulebook(&self) -> Result<Rulebook, Failure> {
        if self.targets.is_some() {
            let message =
                "a span of targets is for playing, where one is drawn for each round; name one target";
            return Err(Failure::Usage(message.to_owned()));
        }
        build(&self.draft)
    }

    /// The game that goes on from a number, where the number alone decides. Play stays within the same bounds.
    pub fn from_number(rulebook: &Rulebook, number: i64) -> Game {
        let (low, high) = rulebook.range();
        let text = rulebook.whole_line();
        let draft = Draft::read_line("Rules", &text)
            .set("--set", &format!("range={low},{high}"))
            .set("--set", &format!("start={number}"));
        let name = rulebook.title().to_owned();
        let (id, own_file) = (name.clone(), true);
        Game { name, id, own_file, text, variant: None, settings: Vec::new(), draft, targets: None }
    }

    /// How to ask for this game, as it stands, on a command line.
    pub fn command_line(&self) -> String {
        let variant = self.variant.iter().map(|variant| format!(" --variant {variant}"));
        let settings = self.written_settings();
        let settings = settings.iter().map(|setting| format!(" --set {}", quoted(setting)));
        quoted(&self.name) + &variant.chain(settings).collect::<String>()
    }

    /// The settings as a record writes them.
    pub fn written_settings(&self) -> Vec<String> {
        let write = |setting: &Setting| match setting {
            Setting::Set(setting) => Some(setting.clone()),
            Setting::Target(target) if self.targets.is_none() => Some(format!("target={target}")),
            Setting::Target(_) => None,
        };
        self.settings.iter().filter_map(write).collect()
    }
}

pub fn build(draft: &Draft) -> Result<Rulebook, Failure> {
    draft.build().map_err(Failure::Invalid)
}

/// `20..60`: the targets from 20 to 60.
pub fn span_of_targets(target: &str) -> Result<Option<RangeInclusive<i64>>, Failure> {
    let Some((low, high)) = target.split_once("..") else { return Ok(None) };
    match (low.trim().parse::<i64>(), high.trim().parse::<i64>()) {
        (Ok(low), Ok(high)) if low <= high => Ok(Some(low..=high)),
        _ => Err(Failure::Usage(format!(
            "--target {}: a span of targets goes upwards from one whole number to another, such as 20..60",
            quotable(target)
        ))),
    }
}

struct Found {
    id: String,
    own_file: bool,
    source_name: String,
    text: String,
}

impl Found {
    fn with(self, name: String, changes: &Changes) -> Result<Game, Failure> {
        let Found { id, own_file, source_name, text } = self;
        let mut draft = Draft::read(&source_name, &text);
        if let Some(variant) = &changes.variant {
            draft = draft.variant(variant).map_err(|unknown| Failure::Usage(format!("{id}: {unknown}")))?;
        }
        let mut targets = None;
        for setting in &changes.settings {
            draft = match setting {
                Setting::Set(setting) => draft.set("--set", setting),
                Setting::Target(target) => match span_of_targets(target)? {
                    Some(span) => {
                        targets = Some(span);
                        draft
                    }
                    None => draft.set_target("--target", target),
                },
            };
        }
        let settings = changes.settings.clone();
        Ok(Game { name, id, own_file, text, variant: changes.variant.clone(), settings, draft, targets })
    }
}

/// A shipped game, the player's own by its name, or a file by its path: in this order, and at last by a part of a name.
fn find(name: &OsStr) -> Result<Found, Failure> {
    let own = own_names(&Folders::usual());
    if let Some(name) = name.to_str() {
        if let Some(text) = catalog::text(name) {
            return Ok(shipped(name, text));
        }
        if let Some((_, path)) = own.iter().find(|(known, _)| known == name) {
            return read_file(path);
        }
    }
    let path = Path::new(name);
    let looks_like_path =
        path.extension().is_some_and(|ending| ending == "toml") || path.components().count() > 1;
    if looks_like_path || path.is_file() {
        return read_file(path);
    }
    let name = name.to_string_lossy();
    let lower = name.to_lowercase();
    let mut parts: Vec<&str> =
        known_names(&own).filter(|known| !lower.is_empty() && known.contains(&lower)).collect();
    parts.sort_unstable();
    parts.dedup();
    match parts[..] {
        [id] => match (catalog::text(id), own.iter().find(|(known, _)| known == id)) {
            (Some(text), _) => Ok(shipped(id, text)),
            (None, Some((_, path))) => read_file(path),
            (None, None) => Err(unknown(&name, &own)),
        },
        [] => Err(unknown(&name, &own)),
        _ => Err(Failure::Usage(format!(
            "\"{}\" could be {}; please type more of it",
            quotable(&name),
            spoton::words::phrases::or_list(parts)
        ))),
    }
}

fn shipped(id: &str, text: &str) -> Found {
    Found { id: id.to_owned(), own_file: false, source_name: format!("{id}.toml"), text: text.to_owned() }
}

fn unknown(name: &str, own: &[(String, PathBuf)]) -> Failure {
    // A slip in one word of a name is as likely as one in the whole.
    let word = || nearest(name, known_names(own).flat_map(|known| known.split('-')));
    let of_word = |word: &str| known_names(own).find(|known| known.split('-').any(|part| part == word));
    let hint = match nearest(name, known_names(own)).or_else(|| word().and_then(of_word)) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => "`spoton games` lists what there is, and a rule book file is named by its path".to_owned(),
    };
    Failure::Usage(format!("there is no game \"{}\"; {hint}", quotable(name)))
}

/// What a game can be called by.
fn known_names(own: &[(String, PathBuf)]) -> impl Iterator<Item = &str> {
    let shipped = catalog::ids().map(|id| -> &str { id });
    shipped.chain(own.iter().map(|(known, _)| known.as_str()))
}

/// The player's own rule books by name.
pub fn own_names(folders: &Folders) -> Vec<(String, PathBuf)> {
    let paths = folders.rulebooks().ok().and_then(|folder| own_files(&folder).ok()).unwrap_or_default();
    let named = |path: PathBuf| Some((path.file_stem()?.to_str()?.to_owned(), path));
    let mut own: Vec<(String, PathBuf)> = paths.into_iter().filter_map(named).collect();
    own.sort();
    own
}

/// The rule books in a folder, whatever they are called. A folder that is not there has none.
pub fn own_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    // A pipe of such a name would be waited for, for ever.
    let is_book = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml") && path.is_file();
    let mut own: Vec<PathBuf> = paths.filter(is_book).collect();
    // By name, which is not the order of the paths: `a.toml` comes before `a-b.toml`.
    own.sort_by(|one, two| one.file_stem().cmp(&two.file_stem()));
    Ok(own)
}

fn read_file(path: &Path) -> Result<Found, Failure> {
    let text = read_text(path)?;
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Found { id, own_file: true, source_name: harmless(&path.display().to_string()), text })
}

/// A rule book file's text, no more of it than a rule book may have.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        file.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes: Vec<u8> = read().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Usage(format!("there is no file {}", path.display())),
        _ => Failure::file("read", path, &error),
    })?;
    if bytes.len() > LARGEST_FILE {
        let length = std::fs::metadata(path).map_or(0, |about| about.len()).max(bytes.len() as u64);
        let message = format!("the file has {length} bytes; a rule book has at most {LARGEST_FILE} (64 KiB)");
        return Err(Failure::Usage(format!("{}:1:1: {message}", path.display())));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]);
        let (line, column) = (
            before.matches('\n').count() + 1,
            before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1,
        );
        Failure::Usage(format!("{}:{line}:{column}: the file is not a text in UTF-8", path.display()))
    })
}
