//! Precomputed ranges where no move is refused and no round ends.
//!
//! In most rule books only the number decides legality, and most moves are far from the bounds. There the
//! engine can skip most rules, which makes it several times faster. Invariant: this never contradicts the
//! legality check. If it isn't certain, it returns `None`.

use crate::engine::choices::Choices;
use crate::engine::operation::Affine;
use crate::engine::position::Choice;
use crate::engine::rulebook::{Direction, NoRepeat, On, Op, Past, Rulebook};

/// The quiet ranges of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quiet {
    /// From these numbers every move is legal, regardless of history.
    all_legal: Stretch,
    /// Landing on these numbers never ends the round.
    goes_on: Stretch,
    /// The number of fixed moves in the rule book.
    moves: usize,
    /// The effect of every choice on the number. One affine form for all kinds avoids an unpredictable
    /// branch. Empty if some move isn't affine, in which case no number is quiet.
    steps: Vec<Affine>,
}

impl Quiet {
    pub(crate) fn from_rulebook(rulebook: &Rulebook) -> Quiet {
        let (low, high) = rulebook.range();
        let (low, high) = (i128::from(low), i128::from(high));
        let target = rulebook.target().map_or(0, i128::from);
        let far = i128::MAX / 2;
        let past_is_legal = rulebook.past() != Past::Forbidden;
        // If only the number matters: the numbers where a move may land, and those where landing ends
        // nothing.
        let (legal, goes_on) = match rulebook.direction() {
            Some(Direction::Climb) => ((low, if past_is_legal { far } else { target }), (low, target - 1)),
            Some(Direction::Countdown) => {
                ((if past_is_legal { -far } else { target }, high), (target + 1, high))
            }
            None => ((low, high), (low, high)),
        };
        let steps = rulebook.moves().iter().map(|entry| match entry.op {
            Op::Fixed(operation) if entry.on == On::Own && entry.when.is_empty() => operation.as_affine(),
            _ => None,
        });
        let steps: Option<Vec<Affine>> = steps.collect();
        let only_the_number_counts = rulebook.no_repeat() == NoRepeat::None
            && rulebook.passes().is_none()
            && rulebook.turns().is_none()
            && rulebook.forbidden().is_empty()
            && rulebook.moves().iter().all(|entry| entry.uses.is_none())
            && steps.is_some();
        let no_lists = rulebook.winning().is_empty() && rulebook.losing().is_empty();
        let steps = steps.unwrap_or_default();
        let all_legal = steps.iter().fold((low, high), |(low, high), step| {
            (low.max(step.lowest_to(legal.0)), high.min(step.highest_to(legal.1)))
        });
        Quiet {
            all_legal: Stretch::new(all_legal, only_the_number_counts),
            goes_on: Stretch::new(goes_on, no_lists),
            moves: rulebook.moves().len(),
            steps,
        }
    }

    /// All choices, if every one is certainly legal at this number.
    #[inline]
    pub(crate) fn choices<'a>(&self, number: i64) -> Option<Choices<'a>> {
        self.all_legal.holds(number).then(|| Choices::first(self.moves))
    }

    /// The number that a choice gives, if it's certainly legal and the round certainly continues. Also `None` if the
    /// choice isn't from this rule book.
    #[inline]
    pub(crate) fn result(&self, number: i64, choice: Choice) -> Option<i64> {
        if !self.all_legal.holds(number) {
            return None;
        }
        let Affine { factor, addend } = *self.steps.get(choice.index())?;
        let result = number.checked_mul(factor)?.checked_add(addend)?;
        self.goes_on.holds(result).then_some(result)
    }
}

/// A range of integers; may be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stretch {
    low: i64,
    length: u64,
}

impl Stretch {
    /// An inclusive range, or an empty one. Both ends are within the bounds of rule books.
    fn new((low, high): (i128, i128), any: bool) -> Stretch {
        match u64::try_from(high - low + 1) {
            Ok(length) if any => Stretch { low: low as i64, length },
            _ => Stretch::default(),
        }
    }

    #[inline]
    fn holds(self, number: i64) -> bool {
        // Below the low end this wraps to more than any length.
        (number.wrapping_sub(self.low) as u64) < self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::play::{Move, Step};
    use crate::engine::position::Player;
    use crate::engine::written::Offer;
    use crate::format::Draft;

    const MOVES: &[&str] =
        &["'+1', 'x2'", "'-1', '-3'", "'+2', '-2', 'x3'", "'x2', 'x3'", "'-1', 'x2'", "'+1', '/2'", "'x1'"];
    const ENDS: &[&str] = &["target = 12", "target = -9", "range = [-5, 9]", "target = 12\nrange = [-4, 30]"];
    const RULES: &[&str] = &[
        "",
        "past = 'forbidden'",
        "past = 'wins'",
        "winning = [7]",
        "forbidden = [4]",
        "no_repeat = 'own'",
        "passes = 1",
        "numbers = 'separate'",
    ];

    /// All valid books from the lists above.
    fn books() -> impl Iterator<Item = Rulebook> {
        let texts = MOVES.iter().flat_map(|moves| {
            let with_end = move |end| RULES.iter().map(move |rule| (moves, end, rule));
            ENDS.iter().flat_map(with_end)
        });
        texts.filter_map(|(moves, end, rule)| {
            let text = format!("title = 'T'\nstart = 2\nmoves = [{moves}]\n{end}\n{rule}");
            Draft::read("book", &text).build().ok()
        })
    }

    #[test]
    fn it_is_never_at_odds_with_the_rules_and_silent_only_where_it_must_be() {
        let (mut quiet_places, mut quiet_moves) = (0, 0);
        for book in books() {
            let only_the_number_counts = book.quiet.all_legal.length > 0;
            let (low, high) = book.range();
            for number in low..=high {
                let mut position = book.opening(Player::One);
                position.numbers[Player::One] = number;
                let offers: Vec<_> = book.offers(&position).collect();
                let all_legal = offers.iter().all(|offer| offer.result.is_ok());
                assert_eq!(
                    book.quiet.choices(number).is_some(),
                    only_the_number_counts && all_legal,
                    "{book:?}"
                );
                quiet_places += usize::from(only_the_number_counts && all_legal);
                for Offer { choice, result, .. } in offers {
                    let choice = choice.expect("every operation is fixed");
                    let Some(quiet) = book.quiet.result(number, choice) else { continue };
                    quiet_moves += 1;
                    assert_eq!(result, Ok(i128::from(quiet)), "{book:?}");
                    let ends = book.landing_of_number(i128::from(quiet)).is_some();
                    let step = book.play(&position, Move::Operation(choice));
                    assert!(!ends && matches!(step, Ok(Step::On(_))), "{book:?}");
                }
            }
        }
        assert!(quiet_places > 500 && quiet_moves > 1000, "{quiet_places} {quiet_moves}");
    }

    #[test]
    fn the_largest_numbers_do_no_harm() {
        let book =
            "title = 'T'\nstart = 1\ntarget = 1000000000000000000\nmoves = ['x1000000000000000000', '+1']";
        let book = Draft::read("book", book).build().unwrap();
        let [times, plus] = [0, 1].map(Choice::from_index);
        assert_eq!(book.quiet.choices(999_999_999_999_999_999).map(Choices::len), Some(2));
        assert_eq!(book.quiet.result(999_999_999_999_999_999, times), None);
        assert_eq!(book.quiet.result(i64::MIN, times), None);
        assert_eq!(book.quiet.result(i64::MAX, times), None);
        assert_eq!(book.quiet.result(2, plus), Some(3));
    }
}
