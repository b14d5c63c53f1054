//! A rule book on one line. Records carry it, so that they replay without the file. Fingerprints hash it.

use toml::de::DeValue;

use super::draft::Draft;
use super::reader::{Layer, Reader};
use super::source::{Place, Problem, Source};
use super::{Entry, MatchForm, NoRepeat, NumberList, Numbers, On, Op, Past, Pool, Reach, Rulebook, Stuck};
use crate::engine::rulebook::{DEFAULT_REPETITION, Sentence};

impl Rulebook {
    /// The keys that affect play, as an inline TOML table. Omits defaults.
    pub fn rules_line(&self) -> String {
        table(&self.playing_keys(true))
    }

    /// The whole book as an inline TOML table: the rules and the wording.
    pub fn whole_line(&self) -> String {
        let mut keys = self.heading();
        keys.extend(self.playing_keys(true));
        keys.extend(self.last_keys());
        table(&keys)
    }

    /// The whole book as the text of a file, one line per key, with notes and claims. This lets people keep
    /// editing a book built from layers.
    ///
    /// ```
    /// use spoton::format::{Draft, catalog};
    ///
    /// let maze = catalog::draft("number-maze").unwrap().variant("to-34")?.build()?;
    /// assert_eq!(Draft::read("maze.toml", &maze.to_toml()).build()?, maze);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_toml(&self) -> String {
        let mut keys = self.heading();
        keys.extend(self.suits.as_ref().map(|suits| ("suits", text(suits))));
        if !self.notes.is_empty() {
            keys.push(("notes", list(self.notes.iter().map(|note| text(note)))));
        }
        keys.extend(self.playing_keys(true));
        if !self.claims.is_empty() {
            keys.push(("claims", list(self.claims.iter().map(|claim| text(&claim.to_string())))));
        }
        keys.extend(self.last_keys());
        keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
    }

    fn heading(&self) -> Vec<(&'static str, String)> {
        let mut keys = vec![("title", text(&self.title_as_given))];
        if !self.summary_as_given.is_empty() {
            keys.push(("summary", text(&self.summary_as_given)));
        }
        keys
    }

    fn last_keys(&self) -> Vec<(&'static str, String)> {
        let mut keys = Vec::new();
        let form = self.match_form.map(|form| match form {
            MatchForm::FirstTo(wins) => format!("{{first_to = {wins}}}"),
            MatchForm::Rounds(rounds) => format!("{{rounds = {rounds}}}"),
        });
        keys.extend(form.map(|form| ("match", form)));
        if !self.wording.given().is_empty() {
            let sentences: Vec<_> =
                self.wording.given().iter().map(|(key, said)| (*key, text(said))).collect();
            keys.push(("wording", table(&sentences)));
        }
        keys
    }

    /// A hash of the rules: 16 hexadecimal digits. Books that play the same have the same hash, whatever
    /// their wording.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", self.fingerprint)
    }

    pub(super) fn find_fingerprint(&self) -> u64 {
        fingerprint(table(&self.playing_keys(false)).as_bytes())
    }

    /// The value of `moves` with one more entry, in the form of a setting: `+1,x2,+4`.
    pub fn moves_with(&self, entry: &str) -> String {
        let entries: Vec<String> = self.moves.iter().map(|entry| move_entry(entry, true)).collect();
        // A list needs no brackets if it holds no tables.
        if entries.iter().any(|entry| entry.starts_with('{')) {
            return list(entries.into_iter().chain([text(entry)]));
        }
        let bare = self.moves.iter().map(ToString::to_string).chain([entry.to_owned()]);
        bare.collect::<Vec<_>>().join(",")
    }

    /// Whether this book needs version 2 of the format, including its wording. A span in a table doesn't:
    /// it's expanded.
    pub fn needs_version_2(&self) -> bool {
        Draft::read_line("book", &self.whole_line()).needs_version_2()
    }

    fn playing_keys(&self, labels: bool) -> Vec<(&'static str, String)> {
        let mut keys = Vec::new();
        let mut add = |key, value: String, is_default: bool| {
            if !is_default {
                keys.push((key, value));
            }
        };
        let word = |word: &str| format!("'{word}'");
        let (low, high) = self.range;
        let (a, b) = self.start;
        let ends = [a, b, self.target.unwrap_or(a)];
        let natural =
            ends.iter().min() == Some(&low) && ends.iter().max() == Some(&high) && self.target.is_some();
        let start = if a == b { a.to_string() } else { format!("[{a}, {b}]") };

        add("numbers", word(self.numbers.word()), self.numbers == Numbers::Shared);
        add("start", start, false);
        add("target", self.target.unwrap_or_default().to_string(), self.target.is_none());
        add("moves", list(self.moves.iter().map(|entry| move_entry(entry, labels))), false);
        add("reach", word(self.reach.word()), self.reach == Reach::Wins);
        add("past", word(self.past.word()), self.past == Past::Loses);
        add("winning", number_list(&self.winning), self.winning.is_empty());
        add("losing", number_list(&self.losing), self.losing.is_empty());
        add("forbidden", number_list(&self.forbidden), self.forbidden.is_empty());
        add("range", format!("[{low}, {high}]"), natural);
        add("no_repeat", word(self.no_repeat.word()), self.no_repeat == NoRepeat::None);
        add("passes", self.passes.unwrap_or_default().to_string(), self.passes.is_none());
        add("stuck", word(self.stuck.word()), self.stuck == Stuck::Loses);
        add("repetition", self.repetition.to_string(), self.repetition == DEFAULT_REPETITION);
        add("turns", self.turns.unwrap_or_default().to_string(), self.turns.is_none());
        keys
    }
}

impl Draft {
    /// Reads a line written by [`Rulebook::rules_line`] or [`Rulebook::whole_line`].
    #[must_use]
    pub fn read_line(name: &str, line: &str) -> Draft {
        let source = Source::new(name, line);
        let whole = Place::new(&source, 0..line.len());
        let mut reader = Reader::new(&source);
        let mut draft = match DeValue::parse(line) {
            Ok(value) if value.get_ref().is_table() => {
                let layer = value.get_ref().as_table().map(|table| reader.layer(table, Layer::Inner));
                layer.unwrap_or_default()
            }
            _ => {
                let message = "not a rule book on one line; it should look like {start = 1, target = 20, moves = ['+1']}";
                reader.problems.push(Problem::error(whole.clone(), message));
                Draft::default()
            }
        };
        draft.problems = reader.problems;
        draft.whole = Some(whole);
        draft
    }

    /// Whether a key here needs version 2 of the format. A span in a table doesn't: it's expanded.
    pub(crate) fn needs_version_2(&self) -> bool {
        let is_new = |entry: &Entry| {
            matches!(entry.op, Op::Computed(_)) || entry.on != On::Own || !entry.when.is_empty()
        };
        let lists = [&self.winning, &self.losing, &self.forbidden];
        let new_sentences = [Sentence::MovedOther, Sentence::Closest, Sentence::Turns];
        self.moves.iter().flat_map(|moves| &moves.value.entries).any(is_new)
            || lists.into_iter().flatten().any(|list| list.value.list.has_descriptions())
            || self.stuck.as_ref().is_some_and(|stuck| stuck.value == Stuck::Closest)
            || self.turns.is_some()
            || new_sentences.iter().any(|sentence| self.wording.contains_key(sentence))
    }

    /// This book's wording with another book's rules.
    pub(crate) fn with_rules_of(self, rules: Draft) -> Draft {
        let is_changed = self.is_changed_by(&rules);
        let (summary, notes) = (self.summary.filter(|_| !is_changed), self.notes.filter(|_| !is_changed));
        let words = Draft {
            title: self.title,
            suits: self.suits,
            claims: self.claims,
            match_form: self.match_form,
            menu: self.menu,
            wording: self.wording,
            whole: self.whole,
            ..Draft::default()
        };
        let both = words.extended_by(rules);
        Draft { summary: both.summary.or(summary), notes: both.notes.or(notes), ..both }
    }
}

fn move_entry(entry: &Entry, labels: bool) -> String {
    let operation = format!("'{}'", entry.op);
    let mut keys = vec![("op", operation.clone())];
    if entry.on != On::Own {
        keys.push(("on", format!("'{}'", entry.on.word())));
    }
    if let Op::Computed(computed) = entry.op {
        let bounds = [("from", computed.from), ("to", computed.to)];
        keys.extend(bounds.into_iter().filter_map(|(key, bound)| Some((key, bound?.to_string()))));
    }
    match &entry.when[..] {
        [] => {}
        [condition] => keys.push(("when", format!("'{condition}'"))),
        several => keys.push(("when", list(several.iter().map(|condition| format!("'{condition}'"))))),
    }
    if let Some(uses) = entry.uses {
        keys.push(("uses", uses.limit.to_string()));
        if uses.pool != Pool::Own {
            keys.push(("pool", format!("'{}'", uses.pool.word())));
        }
    }
    if let Some(label) = entry.label.as_ref().filter(|_| labels) {
        keys.push(("label", text(label)));
    }
    if keys.len() == 1 { operation } else { table(&keys) }
}

fn number_list(numbers: &NumberList) -> String {
    let integers = numbers.integers.len();
    list(numbers.written().enumerate().map(
        |(index, item)| {
            if index < integers { item } else { format!("'{item}'") }
        },
    ))
}

fn table(keys: &[(&str, String)]) -> String {
    let pairs: Vec<String> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// Writes any text as a TOML string on one line.
fn text(text: &str) -> String {
    if !text.contains(['\'', '\n']) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// 64-bit FNV-1a. Every step is invertible, so changing one byte always changes the hash.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
