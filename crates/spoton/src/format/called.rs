//! A game by its name, or a part of it.

use super::{nearest, quotable};
use crate::words::phrases;

/// Why a name does not name one game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadName {
    /// It is a part of several names.
    #[error("\"{}\" could be {}; please type more of it", quotable(.name), phrases::or_list(.could_be))]
    Several {
        /// The name that was given.
        name: String,
        /// The names that it is a part of.
        could_be: Vec<String>,
    },
    /// No game is called that.
    #[error("there is no game \"{}\"; {}", quotable(.name), hint(.meant.as_deref()))]
    Unknown {
        /// The name that was given.
        name: String,
        /// What was perhaps meant.
        meant: Option<String>,
    },
}

fn hint(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => "`spoton games` lists what there is, and a rule book file is named by its path".to_owned(),
    }
}

/// The one name among those that are known which this is, or is a part of.
///
/// ```
/// use spoton::format::called;
///
/// let known = ["number-maze", "number-race", "two-castles"];
/// assert_eq!(called("Maze", known), Ok("number-maze"));
/// assert_eq!(
///     called("number", known).unwrap_err().to_string(),
///     "\"number\" could be number-maze or number-race; please type more of it"
/// );
/// assert_eq!(called("cstles", known).unwrap_err().to_string(), "there is no game \"cstles\"; did you mean \"two-castles\"?");
/// ```
///
/// # Errors
///
/// If it could be several of them, or none.
pub fn called<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Result<&'a str, BadName> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(exactly) = known.iter().find(|known| **known == name) {
        return Ok(exactly);
    }
    let lower = name.to_lowercase();
    let mut parts: Vec<&str> =
        known.iter().copied().filter(|known| !lower.is_empty() && known.contains(&lower)).collect();
    parts.sort_unstable();
    parts.dedup();
    match parts[..] {
        [one] => Ok(one),
        [] => Err(BadName::Unknown { name: name.to_owned(), meant: meant(name, &known).map(str::to_owned) }),
        _ => Err(BadName::Several {
            name: name.to_owned(),
            could_be: parts.into_iter().map(str::to_owned).collect(),
        }),
    }
}

/// What was perhaps meant: a slip in one word of a name is as likely as one in the whole.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let names = || known.iter().copied();
    nearest(name, names()).or_else(|| {
        let word = nearest(name, names().flat_map(|known| known.split('-')))?;
        names().find(|known| known.split('-').any(|part| part == word))
    })
}
