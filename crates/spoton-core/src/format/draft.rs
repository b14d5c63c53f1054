//! A rule book as read: keys may be missing or contradict each other.
//!
//! A draft is built in layers: the extended book, the file, a variant, settings. [`Draft::build`] makes a
//! [`Rulebook`] of it, or returns all problems.

use std::collections::{BTreeMap, BTreeSet};

use super::numbers::GivenNumbers;
use super::source::{Located, Place, Problem, Problems, nearest};
use crate::engine::rulebook::{
    Claim, Direction, Entry, MatchForm, Menu, NoRepeat, Numbers, Past, Reach, Rulebook, Sentence, Stuck,
};
use crate::text::quotable;

/// Declares each key once: its field, and how a later layer replaces it.
macro_rules! keys {
    ($($field:ident: $type:ty,)+) => {
        /// One layer, or several merged.
        #[derive(Clone, Debug, Default)]
        pub struct Draft {
            $(pub(super) $field: Option<Located<$type>>,)+
            pub(super) wording: BTreeMap<Sentence, Located<String>>,
            pub(super) variants: Vec<(String, Draft)>,
            /// Keys with an unusable value. They have an error of their own, so they aren't reported as
            /// missing.
            pub(super) broken: BTreeSet<&'static str>,
            pub(super) problems: Vec<Problem>,
            /// The place for errors about missing keys.
            pub(super) whole: Option<Place>,
            /// `None` before the first setting.
            pub(super) settings: Option<Settings>,
        }

        impl Draft {
            /// Merges a layer into this one. Its keys replace the ones here.
            fn lay_over(&mut self, layer: Draft) {
                if self.is_changed_by(&layer) {
                    // A summary describes the game it was written for.
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

/// The entries of `moves` and their places. The moves of a span share one place.
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

/// Places don't matter: the moves are the same.
impl PartialEq for GivenMoves {
    fn eq(&self, other: &GivenMoves) -> bool {
        self.entries == other.entries
    }
}

/// The start as the file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// One number for both players.
    Same(i64),
    /// The starting player's number and the opponent's.
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

/// Context for settings, which can't turn a climb into a countdown or vice versa.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The direction before any setting.
    pub(super) direction: Option<Direction>,
    /// The last setting that set a start or a target.
    pub(super) place: Option<Place>,
}

/// No variant has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no variant \"{}\"{}", quotable(.name), self.hint())]
#[non_exhaustive]
pub struct UnknownVariant {
    /// The given name.
    pub name: String,
    /// The known names.
    pub known: Vec<String>,
}

impl UnknownVariant {
    fn hint(&self) -> String {
        match nearest(&self.name, self.known.iter().map(String::as_str)) {
            Some(meant) => format!("; did you mean \"{meant}\"?"),
            None if self.known.is_empty() => "; this game has none".to_owned(),
            None => format!("; choose from: {}", self.known.join(", ")),
        }
    }
}

impl Draft {
    /// The names of the variants, in file order.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|(name, _)| name.as_str())
    }

    /// The title as given.
    pub fn title(&self) -> Option<&str> {
        self.title.as_ref().map(|title| title.value.as_str())
    }

    /// Whether a layer changes the rules, and not just the numbers.
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

    /// Adds a file's own layer.
    pub(super) fn extended_by(mut self, layer: Draft) -> Draft {
        self.forget_notes_for(&layer);
        self.lay_over(layer);
        self
    }

    /// Drops notes that no longer apply. Variants keep them: their author can replace them.
    fn forget_notes_for(&mut self, layer: &Draft) {
        if self.is_changed_by(layer) {
            self.notes = None;
        }
    }

    /// Applies a variant.
    ///
    /// # Errors
    ///
    /// If there is no such variant.
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

    /// Applies a setting: `key=value`, as on a command line.
    ///
    /// `option` is the name to show in errors, such as `--rule`.
    #[must_use]
    pub fn set(self, option: &str, setting: &str) -> Draft {
        self.with_setting(super::setting::read(option, setting))
    }

    /// Applies another target: short for [`Draft::set`] with `target`.
    #[must_use]
    pub fn set_target(self, option: &str, target: &str) -> Draft {
        self.with_setting(super::setting::read_target(option, target))
    }

    /// Allows settings to turn the book into a climb or a countdown, as in a book without a target.
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

    /// The side of the start that the target is on, if both are given.
    pub(crate) fn direction(&self) -> Option<Direction> {
        let (start, _) = self.start.as_ref()?.value.numbers();
        match self.target.as_ref()?.value {
            target if target > start => Some(Direction::Climb),
            target if target < start => Some(Direction::Countdown),
            _ => None,
        }
    }

    /// Builds the rule book, or returns all problems.
    ///
    /// # Errors
    ///
    /// All problems of all layers, and contradictions between keys.
    pub fn build(&self) -> Result<Rulebook, Problems> {
        super::build::build(self)
    }
}
