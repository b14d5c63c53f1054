//! A rule book as it was read: anything may be missing or contradict itself.
//!
//! A draft is built in layers (the extended book, the file, a variant, settings), and [`Draft::build`] makes a
//! [`Rulebook`] of it or tells everything that is wrong.

use std::collections::{BTreeMap, BTreeSet};

use super::numbers::GivenNumbers;
use super::shown::quotable;
use super::source::{Located, Place, Problem, Problems, nearest};
use super::vocabulary::{Menu, NoRepeat, Numbers, Past, Reach, Stuck};
use super::wording::Sentence;
use super::{Claim, Entry, MatchForm, Rulebook};

/// Declares the keys once: their fields, and how a later layer replaces them.
macro_rules! keys {
    ($($field:ident: $type:ty,)+) => {
        /// One layer, or several laid over each other.
        #[derive(Clone, Debug, Default)]
        pub struct Draft {
            $(pub(super) $field: Option<Located<$type>>,)+
            pub(super) wording: BTreeMap<Sentence, Located<String>>,
            pub(super) variants: Vec<(String, Draft)>,
            /// Keys that were given with a value that cannot be used: told once, and not told again as missing.
            pub(super) broken: BTreeSet<&'static str>,
            pub(super) problems: Vec<Problem>,
            /// Where to point at for what is missing.
            pub(super) whole: Option<Place>,
            /// Nothing before the first setting.
            pub(super) settings: Option<Settings>,
        }

        impl Draft {
            /// Lays another layer over this one: what it gives replaces what was here, key by key.
            fn lay_over(&mut self, layer: Draft) {
                if self.is_changed_by(&layer) {
                    // A summary speaks of the game that it was written for.
                    self.summary = None;
                }
                $(if layer.$field.is_some() {
                    self.$field = layer.$field;
                    self.broken.remove(stringify!($field));
                })+
                self.broken.extend(layer.broken);
                self.wording.extend(layer.wording);
                for (name, variant) in layer.variants {
                    match self.variants.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) => *known = variant,
                        None => self.variants.push((name, variant)),
                    }
                }
                self.problems.extend(layer.problems);
                self.whole = layer.whole.or(self.whole.take());
            }
        }
    };
}

keys! {
    title: String,
    summary: String,
    suits: String,
    notes: Vec<String>,
    numbers: Numbers,
    start: Start,
    target: i64,
    moves: GivenMoves,
    reach: Reach,
    past: Past,
    winning: GivenNumbers,
    losing: GivenNumbers,
    forbidden: GivenNumbers,
    range: (i64, i64),
    no_repeat: NoRepeat,
    passes: u8,
    stuck: Stuck,
    repetition: u8,
    turns: u8,
    claims: Vec<Claim>,
    match_form: MatchForm,
    menu: Menu,
}

/// The entries of `moves`, with the places where they stand. The operations of a span share theirs.
#[derive(Clone, Debug)]
pub(super) struct GivenMoves {
    pub(super) entries: Vec<Entry>,
    pub(super) places: Vec<Place>,
}

impl GivenMoves {
    /// Each entry with its place.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Entry, &Place)> {
        self.entries.iter().zip(&self.places)
    }
}

/// Where they stand makes no other moves of them.
impl PartialEq for GivenMoves {
    fn eq(&self, other: &GivenMoves) -> bool {
        self.entries == other.entries
    }
}

/// The opening number as a file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// One number, for both players.
    Same(i64),
    /// The starter's and the other player's.
    Pair(i64, i64),
}

impl Start {
    pub(super) fn numbers(self) -> (i64, i64) {
        match self {
            Start::Same(number) => (number, number),
            Start::Pair(starter, other) => (starter, other),
        }
    }
}

/// On which side of the start the target lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The target lies above the start.
    Climb,
    /// The target lies below the start.
    Countdown,
}

/// What is to be known of the settings, since they may not turn a climb into a countdown or back.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The direction of the layers before them.
    pub(super) direction: Option<Direction>,
    /// The last one that gave a start or a target.
    pub(super) place: Option<Place>,
}

/// There is no variant of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no variant \"{}\"{}", quotable(.name), self.hint())]
#[non_exhaustive]
pub struct UnknownVariant {
    /// The name that was asked for.
    pub name: String,
    /// The names that there are.
    pub known: Vec<String>,
}

impl UnknownVariant {
    fn hint(&self) -> String {
        match nearest(&self.name, self.known.iter().map(String::as_str)) {
            Some(meant) => format!("; did you mean \"{meant}\"?"),
            None if self.known.is_empty() => "; this game has none".to_owned(),
            None => format!("; there are: {}", self.known.join(", ")),
        }
    }
}

impl Draft {
    /// The names of the variants, in the order of the file.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|(name, _)| name.as_str())
    }

    /// The title as it was given.
    pub fn title(&self) -> Option<&str> {
        self.title.as_ref().map(|title| title.value.as_str())
    }

    /// Whether a layer makes another game of this book, and not the same game at other numbers.
    pub(super) fn is_changed_by(&self, layer: &Draft) -> bool {
        fn differs<T: PartialEq>(mine: &Option<Located<T>>, theirs: &Option<Located<T>>) -> bool {
            theirs.as_ref().is_some_and(|theirs| mine.as_ref().is_none_or(|mine| mine.value != theirs.value))
        }
        differs(&self.numbers, &layer.numbers)
            || differs(&self.moves, &layer.moves)
            || differs(&self.reach, &layer.reach)
            || differs(&self.past, &layer.past)
            || differs(&self.winning, &layer.winning)
            || differs(&self.losing, &layer.losing)
            || differs(&self.forbidden, &layer.forbidden)
            || differs(&self.range, &layer.range)
            || differs(&self.no_repeat, &layer.no_repeat)
            || differs(&self.passes, &layer.passes)
            || differs(&self.stuck, &layer.stuck)
            || differs(&self.turns, &layer.turns)
    }

    /// This book with a file's own layer over it.
    pub(super) fn extended_by(mut self, layer: Draft) -> Draft {
        self.forget_notes_for(&layer);
        self.lay_over(layer);
        self
    }

    /// Remarks on a game are not true of another. A book's own variants are its author's to tell of.
    fn forget_notes_for(&mut self, layer: &Draft) {
        if self.is_changed_by(layer) {
            self.notes = None;
        }
    }

    /// This book with one of its variants laid over it.
    ///
    /// # Errors
    ///
    /// Where there is no such variant.
    pub fn variant(mut self, name: &str) -> Result<Draft, UnknownVariant> {
        match self.variants.iter().position(|(known, _)| known == name) {
            Some(index) => {
                let (_, layer) = self.variants[index].clone();
                self.lay_over(layer);
                Ok(self)
            }
            None => Err(UnknownVariant {
                name: name.to_owned(),
                known: self.variants().map(str::to_owned).collect(),
            }),
        }
    }

    /// This book with a setting laid over it: `key=value`, as it stands on a command line.
    ///
    /// `option` is what to call it in errors, such as `--set`.
    #[must_use]
    pub fn set(self, option: &str, setting: &str) -> Draft {
        self.with_setting(super::setting::read(option, setting))
    }

    /// This book with another target: short for [`Draft::set`] of `target`.
    #[must_use]
    pub fn set_target(self, option: &str, target: &str) -> Draft {
        self.with_setting(super::setting::read_target(option, target))
    }

    /// This book, whose settings may make it a climb or a countdown, as they may where a book has no target.
    pub(crate) fn turning_either_way(mut self) -> Draft {
        self.settings = Some(Settings { direction: None, place: None });
        self
    }

    fn with_setting(mut self, layer: Draft) -> Draft {
        let direction = self.direction();
        let settings = self.settings.get_or_insert(Settings { direction, place: None });
        let target = layer.target.as_ref().map(|target| &target.place);
        let start = layer.start.as_ref().map(|start| &start.place);
        settings.place = target.or(start).cloned().or(settings.place.take());
        self.forget_notes_for(&layer);
        self.lay_over(layer);
        self
    }

    /// On which side of the start the target lies, where both are given.
    pub(crate) fn direction(&self) -> Option<Direction> {
        let (start, _) = self.start.as_ref()?.value.numbers();
        match self.target.as_ref()?.value {
            target if target > start => Some(Direction::Climb),
            target if target < start => Some(Direction::Countdown),
            _ => None,
        }
    }

    /// The rule book, or everything that is wrong with it.
    ///
    /// # Errors
    ///
    /// Every problem of every layer, and the contradictions between keys.
    pub fn build(&self) -> Result<Rulebook, Problems> {
        super::build::build(self)
    }
}
