//! The verdict on a player's idea, in words.

use std::fmt;

use crate::solver::Unsolved;
use crate::teach::idea::{Answer, Exceptions, FORMS, Fails, Idea};
use crate::words::phrases;

/// The reply to a player's idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The verdict in words, or why there isn't one.
    pub said: String,
    /// The number where the idea fails, if play can continue there.
    pub fails_at: Option<i64>,
}

/// Parses an idea and passes it to `test`. If the idea doesn't parse or the game is too large, the reply explains why.
///
/// ```
/// use std::sync::Arc;
/// use spoton::format::Draft;
/// use spoton::solved::SolvedGame;
/// use spoton::solver::Budget;
/// use spoton::words::idea;
///
/// let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
/// let game = SolvedGame::new(Arc::new(Draft::read("five.toml", text).build().unwrap()));
/// let reply = idea::reply("leave 3", |idea| game.test(idea, &mut Budget::patient(1 << 20)))?;
/// assert_eq!(reply.said, "Not true: if you leave 3, your opponent can force a win.");
/// assert_eq!(reply.fails_at, Some(3));
/// # Ok::<(), spoton::solver::Unsolved>(())
/// ```
///
/// # Errors
///
/// [`Unsolved::Stopped`] if the caller cancels.
pub fn reply(text: &str, test: impl FnOnce(&Idea) -> Result<Answer, Unsolved>) -> Result<Reply, Unsolved> {
    let idea: Idea = match text.parse() {
        Ok(idea) => idea,
        Err(why) => return Ok(Reply { said: format!("{why}."), fails_at: None }),
    };
    match test(&idea) {
        Ok(answer) => Ok(Reply { said: in_words(&answer), fails_at: answer.fails_at() }),
        Err(stopped @ Unsolved::Stopped { .. }) => Err(stopped),
        Err(why) => Ok(Reply { said: format!("No answer: {why}."), fails_at: None }),
    }
}

/// The verdict in words.
pub fn in_words(answer: &Answer) -> String {
    match answer {
        Answer::False { number, why } => match why {
            Fails::TheyWin => format!("Not true: if you leave {number}, your opponent can force a win."),
            Fails::TheyHold => {
                format!("Not true: if you leave {number}, your opponent can keep you from winning.")
            }
            Fails::TheyAreStuck { wins: true } => {
                format!("Not true: if you leave {number}, your opponent is stuck and wins.")
            }
            Fails::TheyAreStuck { wins: false } => {
                format!("Not true: if you leave {number}, your opponent is stuck, and it's a draw.")
            }
            Fails::Loses => format!("Not true: landing on {number} loses."),
            Fails::NotLeft => format!("Not true: you can never leave {number} in this game."),
        },
        Answer::Complete { starter, except } => {
            let seat = if *starter { "first" } else { "second" };
            format!(
                "True{except}! Go {seat}, take any immediate win, and otherwise follow it. You always win."
            )
        }
        Answer::Partial { missing: 0, except } => {
            format!("True{except}, but it doesn't cover every situation.")
        }
        Answer::Partial { missing: 1, except } => {
            format!("True{except}, but there is 1 more number to leave.")
        }
        Answer::Partial { missing, except } => {
            let missing = phrases::separated(*missing as u64);
            format!("True{except}, but there are {missing} more numbers to leave.")
        }
        Answer::Circles { except } => {
            format!("True{except}, but following it, you could go in circles forever.")
        }
        Answer::NoSeat { except } => {
            format!("True{except}, but from the start, neither player can force a win.")
        }
        Answer::Nothing => {
            format!(
                "You can't leave any of these numbers to your opponent. Try one of these: {}.",
                FORMS.join("; ")
            )
        }
        Answer::NumberDoesNotDecide { also } => {
            let also = phrases::and_list(also.iter().map(|also| also.in_words()));
            format!(
                "Here the number alone doesn't decide who wins: {also}. You can't test ideas about numbers in this game."
            )
        }
    }
}

impl fmt::Display for Exceptions {
    /// Formats part of a sentence: ` (except 2 and 7, where landing loses)`. Empty if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.numbers() {
            None => write!(f, " (except where landing loses)"),
            Some(none) if none.is_empty() => Ok(()),
            Some(numbers) => write!(f, " (except {}, where landing loses)", phrases::and_list(numbers)),
        }
    }
}
