//! A game as it was asked for: the text of a rule book, with a variant and settings laid over it.

use std::ops::RangeInclusive;

use super::{Draft, Problems, Rulebook, UnknownVariant, catalog, quotable};

/// What lies over a rule book: a variant, then settings in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The variant to play, if any.
    pub variant: Option<String>,
    /// Further changes, the later ones laid over the earlier.
    pub settings: Vec<Setting>,
}

/// A change to one key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// `KEY=VALUE`
    Set(String),
    /// A target, or a span of targets such as `20..60` of which one is drawn for each round.
    Target(String),
}

/// The text of a rule book, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookText {
    /// The id, or a file's name without folder and ending.
    pub id: String,
    /// Whether it is somebody's own file, not one of the games that come with Spot On.
    pub own_file: bool,
    /// What problems call the text.
    pub source_name: String,
    /// The rule book as it was written.
    pub text: String,
}

impl BookText {
    /// The text of a game that comes with Spot On; `None` if there is none of this id.
    pub fn shipped(id: &str) -> Option<BookText> {
        let text = catalog::text(id)?.to_owned();
        Some(BookText { id: id.to_owned(), own_file: false, source_name: format!("{id}.toml"), text })
    }
}

/// A game that was asked for, with its changes laid over it.
///
/// ```
/// use spoton::format::{BookText, Changes, Game, Setting};
///
/// let maze = BookText::shipped("number-maze").unwrap();
/// let changes = Changes { variant: None, settings: vec![Setting::Target("15".to_owned())] };
/// let game = Game::new(maze, "maze".to_owned(), &changes)?;
/// assert_eq!(game.rulebook()?.target(), Some(15));
/// assert_eq!(game.written_settings(), ["target=15"]);
/// # Ok::<(), spoton::format::BadGame>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// What it was asked for by.
    pub name: String,
    /// The rule book, before anything is laid over it.
    pub book: BookText,
    /// The variant that is played, if any.
    pub variant: Option<String>,
    /// The settings, in their order.
    pub settings: Vec<Setting>,
    /// The rule book with everything laid over it, except for a target that is drawn.
    pub draft: Draft,
    /// The targets to draw from, if one is drawn for each round.
    pub targets: Option<RangeInclusive<i64>>,
}

/// Why a game cannot be played as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadGame {
    /// There is no such variant.
    #[error("{id}: {unknown}")]
    Variant {
        /// The game that was asked for.
        id: String,
        /// The variant that it does not have.
        unknown: UnknownVariant,
    },
    /// A span of targets is not written as one.
    #[error("--target {}: a span of targets is written as the lowest and the highest of them, such as 20..60", quotable(.0))]
    Span(String),
    /// One rule book was asked for, but the target is drawn for each round.
    #[error("a span of targets is for playing, where one is drawn for each round; name one target")]
    TargetIsDrawn,
    /// The rule book is not valid.
    #[error(transparent)]
    Invalid(#[from] Problems),
}

impl Game {
    /// Lays changes over a rule book.
    ///
    /// # Errors
    ///
    /// If there is no such variant, or a span of targets is not written as one. Whether the book is valid is only
    /// asked by [`Game::rulebook`].
    pub fn new(book: BookText, name: String, changes: &Changes) -> Result<Game, BadGame> {
        let mut draft = Draft::read(&book.source_name, &book.text);
        if let Some(variant) = &changes.variant {
            draft = draft
                .variant(variant)
                .map_err(|unknown| BadGame::Variant { id: book.id.clone(), unknown })?;
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
        let Changes { variant, settings } = changes.clone();
        Ok(Game { name, book, variant, settings, draft, targets })
    }

    /// The same game with other changes laid over it, instead of those that were.
    ///
    /// # Errors
    ///
    /// As for [`Game::new`].
    pub fn changed(&self, changes: &Changes) -> Result<Game, BadGame> {
        Game::new(self.book.clone(), self.name.clone(), changes)
    }

    /// The game that goes on from a number, for books in which the number alone decides. Play stays within the same
    /// bounds.
    pub fn from_number(rulebook: &Rulebook, number: i64) -> Game {
        let (low, high) = rulebook.range();
        let text = rulebook.whole_line();
        let draft = Draft::read_line("Rules", &text)
            .set("--set", &format!("range={low},{high}"))
            .set("--set", &format!("start={number}"));
        let name = rulebook.title().to_owned();
        let book = BookText { id: name.clone(), own_file: true, source_name: "Rules".to_owned(), text };
        Game { name, book, variant: None, settings: Vec::new(), draft, targets: None }
    }

    /// The id, or the file's name without folder and ending.
    pub fn id(&self) -> &str {
        &self.book.id
    }

    /// The rule book, for questions that are about one target.
    ///
    /// # Errors
    ///
    /// If it is not valid, or its target is drawn for each round.
    pub fn rulebook(&self) -> Result<Rulebook, BadGame> {
        if self.targets.is_some() {
            return Err(BadGame::TargetIsDrawn);
        }
        Ok(self.draft.build()?)
    }

    /// The rule book with another target.
    ///
    /// # Errors
    ///
    /// If the target does not fit the game.
    pub fn with_target(&self, target: i64) -> Result<Rulebook, BadGame> {
        Ok(self.draft.clone().set_target("--target", &target.to_string()).build()?)
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

/// `20..60`: the targets from 20 to 60. `None` for a single target.
///
/// # Errors
///
/// If there are two dots, but not a whole number on either side or the higher one first.
pub fn span_of_targets(target: &str) -> Result<Option<RangeInclusive<i64>>, BadGame> {
    let Some((low, high)) = target.split_once("..") else { return Ok(None) };
    match (low.trim().parse::<i64>(), high.trim().parse::<i64>()) {
        (Ok(low), Ok(high)) if low <= high => Ok(Some(low..=high)),
        _ => Err(BadGame::Span(target.to_owned())),
    }
}
