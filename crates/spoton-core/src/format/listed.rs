//! Games as lists show them.

use super::{BookText, Draft, Rulebook, catalog};

/// A game in a list.
///
/// ```
/// use spoton::format::{Listed, catalog};
///
/// let games: Vec<Listed> = Listed::shipped().collect();
/// assert_eq!(games.len(), catalog::ids().count());
/// assert!(games.iter().all(|game| game.rulebook.is_some() && !game.own_file));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The id, or a file's name without folder and extension.
    pub id: String,
    /// Whether it's a player's own file.
    pub own_file: bool,
    /// The names of its variants.
    pub variants: Vec<String>,
    /// The rule book; `None` if it isn't valid.
    pub rulebook: Option<Rulebook>,
}

impl Listed {
    /// A game from its text.
    pub fn from_text(book: &BookText) -> Listed {
        let draft = Draft::read(&book.source_name, &book.text);
        Listed {
            id: book.id.clone(),
            own_file: book.own_file,
            variants: draft.variants().map(str::to_owned).collect(),
            rulebook: draft.build().ok(),
        }
    }

    /// The games that come with Spot On, in order.
    pub fn shipped() -> impl Iterator<Item = Listed> {
        catalog::ids().filter_map(|id| Some(Listed::from_text(&BookText::shipped(id)?)))
    }
}
