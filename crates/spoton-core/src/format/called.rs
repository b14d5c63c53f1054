//! Looks up a game by its name, or a part of it.

use super::{nearest, quotable};
use crate::text;

/// Why a name doesn't identify one game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadName {
    /// Several names contain it.
    #[error("\"{}\" could be {}; type more of the name", quotable(.name), text::or_list(.could_be))]
    Several {
        /// The given name.
        name: String,
        /// The names that contain it.
        could_be: Vec<String>,
    },
    /// No name matches.
    #[error("there is no game \"{}\"{}", quotable(.name), hint(.meant.as_deref()))]
    Unknown {
        /// The given name.
        name: String,
        /// The closest name, if any is close.
        meant: Option<String>,
    },
}

fn hint(meant: Option<&str>) -> String {
    meant.map(|meant| format!("; did you mean \"{meant}\"?")).unwrap_or_default()
}

/// Returns the known name that equals or contains `name`. It also matches titles, with capitals, spaces and
/// digits.
///
/// ```
/// use spoton::format::called;
///
/// let known = ["number-maze", "number-race", "two-castles", "route-sixty-six"];
/// assert_eq!(called("Maze", known), Ok("number-maze"));
/// assert_eq!(called("The Two Castles", known), Ok("two-castles"));
/// assert_eq!(called("66", known), Ok("route-sixty-six"));
/// assert_eq!(
///     called("number", known).unwrap_err().to_string(),
///     "\"number\" could be number-maze or number-race; type more of the name"
/// );
/// assert_eq!(called("cstles", known).unwrap_err().to_string(), "there is no game \"cstles\"; did you mean \"two-castles\"?");
/// ```
///
/// # Errors
///
/// If several names match, or none.
pub fn called<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Result<&'a str, BadName> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(exactly) = known.iter().find(|known| **known == name) {
        return Ok(exactly);
    }
    let spellings = spellings(name);
    if let Some(exactly) = known.iter().find(|known| spellings.iter().any(|spelling| spelling == *known)) {
        return Ok(exactly);
    }
    let is_part = |known: &&str| spellings.iter().any(|spelling| known.contains(spelling));
    let mut parts: Vec<&str> = known.iter().copied().filter(is_part).collect();
    if parts.is_empty() {
        // A title may have more words than the id.
        let has_all_words_of = |spelling: &String, id: &str| {
            let mut words = spelling.split('-');
            id.split('-').all(|of_id| words.any(|word| word == of_id))
        };
        let is_title_of = |id: &&str| spellings.iter().any(|spelling| has_all_words_of(spelling, id));
        parts = known.iter().copied().filter(is_title_of).collect();
    }
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

/// The ways an id could write this name: `Take Away` as `take-away`, `21` as `21` or `twenty-one`.
fn spellings(name: &str) -> Vec<String> {
    let words = || name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let in_words = |word: &str| word.parse().ok().and_then(number_in_words);
    let in_digits: Vec<String> = words().map(str::to_lowercase).collect();
    let in_words: Vec<String> = words().map(|word| in_words(word).unwrap_or(word.to_lowercase())).collect();
    let mut spellings = vec![name.to_lowercase(), in_digits.join("-"), in_words.join("-")];
    spellings.retain(|spelling| !spelling.is_empty());
    spellings
}

fn number_in_words(number: u8) -> Option<String> {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    if let Some(small) = SMALL.get(usize::from(number)) {
        return Some((*small).to_owned());
    }
    let tens = TENS.get(usize::from(number / 10).checked_sub(2)?)?;
    Some(match number % 10 {
        0 => (*tens).to_owned(),
        ones => format!("{tens}-{}", SMALL[usize::from(ones)]),
    })
}

/// The closest known name. A typo in one word counts like one in the whole name.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let names = || known.iter().copied();
    nearest(name, names()).or_else(|| {
        let word = nearest(name, names().flat_map(|known| known.split('-')))?;
        names().find(|known| known.split('-').any(|part| part == word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Listed, catalog};

    #[test]
    fn every_shipped_game_is_found_by_its_title() {
        for game in Listed::shipped() {
            let title = game.rulebook.unwrap().title().to_owned();
            for written in [title.clone(), title.to_lowercase(), title.to_uppercase()] {
                assert_eq!(called(&written, catalog::ids()), Ok(&*game.id), "{written}");
            }
        }
    }

    #[test]
    fn a_number_in_digits_offers_the_games_that_spell_it() {
        let with = |part: &str| catalog::ids().filter(|id| id.contains(part)).collect::<Vec<_>>();
        let mut spelled = with("twenty-one");
        spelled.sort_unstable();
        assert!(spelled.len() > 1);
        let could_be = spelled.into_iter().map(str::to_owned).collect();
        assert_eq!(called("21", catalog::ids()), Err(BadName::Several { name: "21".to_owned(), could_be }));
        assert_eq!(called("23", catalog::ids()).ok(), with("23").first().copied());
    }

    #[test]
    fn numbers_have_words_up_to_ninety_nine() {
        let words = |number| number_in_words(number);
        assert_eq!(
            [0, 7, 12, 20, 21, 90, 99].map(|n| words(n).unwrap()).join(" "),
            "zero seven twelve twenty twenty-one ninety ninety-nine"
        );
        assert_eq!(words(100), None);
        assert_eq!(words(255), None);
    }
}
