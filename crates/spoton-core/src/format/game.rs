//! A requested game: the text of a rule book with a variant and settings.

use std::ops::RangeInclusive;

use super::{Draft, Problems, Rulebook, UnknownVariant, catalog, quotable};

/// Changes to a rule book: a variant, then settings in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The variant, if any.
    pub variant: Option<String>,
    /// The settings. Later ones win.
    pub settings: Vec<Setting>,
}

/// A change of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `KEY=VALUE`
    Set(String),
    /// A target, or a span of targets such as `20..60`. A span draws one per round.
    Target(String),
}

/// The text of a rule book and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookText {
    /// The id, or a file's name without folder and extension.
    pub id: String,
    /// Whether it's a player's own file, not a game that comes with Spot On.
    pub own_file: bool,
    /// The source name that problems show.
    pub source_name: String,
    /// The text of the rule book.
    pub text: String,
}

impl BookText {
    /// The text of a game that comes with Spot On; `None` for an unknown id.
    pub fn shipped(id: &str) -> Option<BookText> {
        let text = catalog::text(id)?.to_owned();
        Some(BookText { id: id.to_owned(), own_file: false, source_name: format!("{id}.toml"), text })
    }
}

/// A requested game with its changes.
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
    /// The requested name.
    pub name: String,
    /// The rule book without changes.
    pub book: BookText,
    /// The variant, if any.
    pub variant: Option<String>,
    /// The settings, in order.
    pub settings: Vec<Setting>,
    /// The rule book with all changes, except a drawn target.
    pub draft: Draft,
    /// The targets to draw from, if each round draws one.
    pub targets: Option<RangeInclusive<i64>>,
}

/// Why a requested game can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadGame {
    /// There is no such variant.
    #[error("{id}: {unknown}")]
    Variant {
        /// The requested game.
        id: String,
        /// The missing variant.
        unknown: UnknownVariant,
    },
    /// A badly written span of targets.
    #[error("--target {}: write a range of targets from low to high, such as 20..60", quotable(.0))]
    Span(String),
    /// A span of targets with a dash instead of dots.
    #[error("--target {}: write it as {span}", quotable(.written))]
    DashedSpan {
        /// The span as given.
        written: String,
        /// The same with dots.
        span: String,
    },
    /// A single rule book was requested, but each round draws its target.
    #[error("a range of targets works only in play, where each round draws one; give a single target")]
    TargetIsDrawn,
    /// The rule book isn't valid.
    #[error(transparent)]
    Invalid(#[from] Problems),
}

impl Game {
    /// Applies changes to a rule book.
    ///
    /// # Errors
    ///
    /// If there is no such variant, or a span of targets is badly written. [`Game::rulebook`] checks whether
    /// the book is valid.
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
                Setting::Set(setting) => draft.set("--rule", setting),
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

    /// The same game with other changes, replacing the current ones.
    ///
    /// # Errors
    ///
    /// As for [`Game::new`].
    pub fn changed(&self, changes: &Changes) -> Result<Game, BadGame> {
        Game::new(self.book.clone(), self.name.clone(), changes)
    }

    /// The game continued from a number, for books where only the number decides. Play stays within the same
    /// range.
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

    /// The id, or the file's name without folder and extension.
    pub fn id(&self) -> &str {
        &self.book.id
    }

    /// The rule book, for queries about a single target.
    ///
    /// # Errors
    ///
    /// If it isn't valid, or each round draws its target.
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

    /// The targets at half to twice the distance of the game's own. Some may not fit the game.
    pub fn targets_around(&self) -> Option<RangeInclusive<i64>> {
        let rulebook = self.draft.build().ok()?;
        let (target, start) = (rulebook.target()?, rulebook.start().0);
        let far = target.checked_sub(start)?;
        let (near, far) = (start.checked_add(far / 2)?, start.checked_add(far.checked_mul(2)?)?);
        // A game that never goes below zero keeps its targets at zero or above.
        let low = if target.min(start) >= 0 { near.min(far).max(0) } else { near.min(far) };
        Some(low..=near.max(far))
    }

    /// The settings as records write them.
    pub fn written_settings(&self) -> Vec<String> {
        let write = |setting: &Setting| match setting {
            Setting::Set(setting) => Some(setting.clone()),
            Setting::Target(target) if self.targets.is_none() => Some(format!("target={target}")),
            Setting::Target(_) => None,
        };
        self.settings.iter().filter_map(write).collect()
    }
}

/// Parses `20..60`, the targets from 20 to 60. Returns `None` for a single target.
///
/// # Errors
///
/// If the two dots don't have a whole number on each side, the higher number comes first, or there's a dash instead of
/// the dots.
pub fn span_of_targets(target: &str) -> Result<Option<RangeInclusive<i64>>, BadGame> {
    let Some((low, high)) = target.split_once("..") else {
        return match dashed(target) {
            Some(span) => Err(BadGame::DashedSpan { written: target.to_owned(), span }),
            None => Ok(None),
        };
    };
    match (low.trim().parse::<i64>(), high.trim().parse::<i64>()) {
        (Ok(low), Ok(high)) if low <= high => Ok(Some(low..=high)),
        _ => Err(BadGame::Span(target.to_owned())),
    }
}

/// `20..30` for `20-30`.
fn dashed(target: &str) -> Option<String> {
    let whole = |text: &str| text.trim().parse::<i64>().ok();
    // The first character may be a minus sign.
    let (dash, mark) = target.trim().char_indices().skip(1).find(|(_, c)| matches!(c, '-' | '–' | '—'))?;
    let (low, high) = target.trim().split_at(dash);
    let (low, high) = (whole(low)?, whole(&high[mark.len_utf8()..])?);
    Some(format!("{low}..{high}"))
}
