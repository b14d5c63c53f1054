//! The verdict on an idea.

use serde::Serialize;

use super::Whole;
use crate::format::Game;
use crate::teach::idea::{Answer, Exceptions};
use crate::words::idea;

/// The verdict on an idea.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Idea {
    /// The game's id.
    pub game: String,
    /// The verdict.
    pub answer: IdeaVerdict,
    /// If the idea is false: the first number where it fails.
    pub number: Option<i64>,
    /// If the idea is partial: how many numbers it doesn't cover.
    pub missing: Option<usize>,
    /// The numbers it covers where landing loses. `null` if there are too many to list; `said` describes them.
    pub except: Option<Vec<Whole>>,
    /// The verdict in words.
    pub said: String,
}

/// Whether an idea is true and how much it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdeaVerdict {
    /// Leaving some number it covers doesn't force a win.
    False,
    /// Following it from the winning seat always wins.
    Complete,
    /// It's true, but doesn't always win.
    Partial,
    /// It covers no number that can be left.
    Nothing,
    /// In this game, the number alone doesn't decide.
    NumberDoesNotDecide,
}

/// The verdict on an idea.
pub fn idea(game: &Game, answer: &Answer) -> Idea {
    let (verdict, number, missing) = match answer {
        Answer::False { number, .. } => (IdeaVerdict::False, Some(*number), None),
        Answer::Complete { .. } => (IdeaVerdict::Complete, None, None),
        Answer::Partial { missing, .. } => (IdeaVerdict::Partial, None, Some(*missing)),
        Answer::Circles { .. } | Answer::NoSeat { .. } => (IdeaVerdict::Partial, None, Some(0)),
        Answer::Nothing => (IdeaVerdict::Nothing, None, None),
        Answer::NumberDoesNotDecide { .. } => (IdeaVerdict::NumberDoesNotDecide, None, None),
    };
    let except = answer.exceptions().map_or(Some(vec![]), Exceptions::numbers);
    Idea {
        game: game.id().to_owned(),
        answer: verdict,
        number,
        missing,
        except: except.map(|numbers| numbers.into_iter().map(Whole).collect()),
        said: idea::in_words(answer),
    }
}
