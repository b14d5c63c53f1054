//! The whole engine: the opening, what is legal, what a move leads to, and how a round ends.
//!
//! [`Rulebook::result`] is the one legality check. Listing moves, making them and explaining a refusal
//! all go through it, save where the rule book has told beforehand that it would refuse nothing.

use crate::engine::operation::Operation;
use crate::engine::position::{ByPlayer, Choice, Choices, Player, Position};
use crate::format::{NoRepeat, Numbers, Past, Pool, Reach, Rulebook, Stuck};

/// A turn taken: an operation made, or the turn going over because there was none to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The operation at this place in the rule book.
    Operation(Choice),
    /// A player without a legal operation lets the turn go over. Nobody chooses this: it happens.
    Skip,
}

impl Move {
    /// The operation that was chosen; nothing for a turn that went over.
    pub fn choice(self) -> Option<Choice> {
        match self {
            Move::Operation(choice) => Some(choice),
            Move::Skip => None,
        }
    }
}

/// What the player on turn faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// One of these operations is to be chosen; there is at least one.
    Choose(Choices),
    /// There is none to choose, and the turn goes over.
    Skip,
    /// There is none to choose, and that ends the round.
    Over(Outcome),
}

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The other player's turn. They may be stuck: [`Rulebook::situation`] tells.
    On(Position),
    /// The number that was landed on ended the round. It may be too large for a position.
    Over {
        /// The number landed on, in full.
        number: i128,
        /// How the round ended.
        outcome: Outcome,
    },
}

/// Who won, if anybody, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; nobody where the round is drawn.
    pub winner: Option<Player>,
    /// What brought the round to its end.
    pub ending: Ending,
}

/// What can bring a round to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Somebody landed on the target.
    Reached,
    /// Somebody went past the target.
    Overshot,
    /// Somebody had no legal operation.
    Stuck,
    /// Somebody landed on a number of the `winning` or `losing` list.
    Landed,
    /// The same position came up as often as the house rule allows.
    Repetition,
    /// Somebody gave the round up.
    Resigned,
    /// Two computers went on for too long.
    Stopped,
}

impl Ending {
    const ALL: [Ending; 7] = [
        Ending::Reached,
        Ending::Overshot,
        Ending::Stuck,
        Ending::Landed,
        Ending::Repetition,
        Ending::Resigned,
        Ending::Stopped,
    ];

    /// The word that records and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Reached => "reached",
            Ending::Overshot => "overshot",
            Ending::Stuck => "stuck",
            Ending::Landed => "landed",
            Ending::Repetition => "repetition",
            Ending::Resigned => "resigned",
            Ending::Stopped => "stopped",
        }
    }

    /// The ending with that name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|e| e.name() == name)
    }
}

/// Why an operation may not be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its uses are spent.
    UsedUp {
        /// How often it may be used.
        limit: u8,
        /// By whom.
        pool: Pool,
    },
    /// The player chose it on their own last turn.
    RepeatsOwn,
    /// The opponent chose it last.
    RepeatsOpponent,
    /// The division leaves a remainder.
    Remainder,
    /// It lands on a forbidden number.
    Forbidden {
        /// That number.
        number: i128,
    },
    /// It goes past the target, which is not allowed.
    PastTarget {
        /// The number it would give.
        number: i128,
        /// The target.
        target: i64,
    },
    /// It leaves the range.
    OutOfRange {
        /// The number it would give.
        number: i128,
    },
    /// It leaves the number as it is, and the player has no passes left.
    NoPassLeft {
        /// How many passes each player has.
        limit: u8,
    },
    /// A turn only goes over where no operation is legal.
    NotStuck,
}

impl Rulebook {
    /// The position in which a round begins.
    #[inline]
    pub fn opening(&self, first: Player) -> Position {
        let (starter, other) = self.start();
        let mut numbers = ByPlayer([starter, starter]);
        numbers[!first] = other;
        Position {
            numbers,
            uses: ByPlayer::default(),
            last: ByPlayer::default(),
            passes: ByPlayer::default(),
            turn: first,
        }
    }

    /// The number that a choice gives, or the reason why it may not be chosen.
    ///
    /// # Errors
    ///
    /// The first rule that refuses it.
    pub fn result(&self, position: &Position, choice: Choice) -> Result<i128, Refusal> {
        let turn = position.turn;
        let rule = &self.moves()[choice.place()];

        if let Some(uses) = rule.uses
            && position.uses[turn][choice.place()] >= uses.limit
        {
            return Err(Refusal::UsedUp { limit: uses.limit, pool: uses.pool });
        }
        let no_repeat = self.no_repeat();
        if no_repeat.looks_at_own() && position.last[turn] == Some(choice) {
            return Err(Refusal::RepeatsOwn);
        }
        if no_repeat.looks_at_opponent() && position.last[!turn] == Some(choice) {
            return Err(Refusal::RepeatsOpponent);
        }

        let before = position.numbers[turn];
        let number = rule.operation.apply(before).ok_or(Refusal::Remainder)?;
        if lists(self.forbidden(), number) {
            return Err(Refusal::Forbidden { number });
        }
        match self.target() {
            Some(target) if self.passes_target(number) => {
                if self.past() == Past::Forbidden {
                    return Err(Refusal::PastTarget { number, target });
                }
            }
            _ => {
                let (low, high) = self.range();
                if number < i128::from(low) || number > i128::from(high) {
                    return Err(Refusal::OutOfRange { number });
                }
            }
        }
        if let Some(limit) = self.passes()
            && number == i128::from(before)
            && position.passes[turn] >= limit
        {
            return Err(Refusal::NoPassLeft { limit });
        }
        Ok(number)
    }

    /// The choices that are legal for the player on turn; none where they are stuck.
    #[inline]
    pub fn legal(&self, position: &Position) -> Choices {
        self.quiet.choices(position.number()).unwrap_or_else(|| self.each_that_is_legal(position))
    }

    fn each_that_is_legal(&self, position: &Position) -> Choices {
        let mut legal = Choices::default();
        for place in 0..self.moves().len() {
            let choice = Choice(place as u8);
            legal.insert_if(choice, self.result(position, choice).is_ok());
        }
        legal
    }

    /// What the player on turn faces: a choice, a turn that goes over, or the end of the round.
    #[inline]
    pub fn situation(&self, position: &Position) -> Situation {
        let legal = self.legal(position);
        if !legal.is_empty() {
            return Situation::Choose(legal);
        }
        let turn = position.turn;
        let winner = match self.stuck() {
            Stuck::Loses => Some(!turn),
            Stuck::Wins => Some(turn),
            Stuck::Draws => None,
            Stuck::Skips => {
                if !self.legal(&with_turn_over(position)).is_empty() {
                    return Situation::Skip;
                }
                None
            }
        };
        Situation::Over(Outcome { winner, ending: Ending::Stuck })
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// The reason why the move is not legal here.
    #[inline]
    pub fn play(&self, position: &Position, a_move: Move) -> Result<Step, Refusal> {
        let Move::Operation(choice) = a_move else {
            return match self.situation(position) {
                Situation::Skip => Ok(Step::On(with_turn_over(position))),
                _ => Err(Refusal::NotStuck),
            };
        };
        if let Some(number) = self.quiet.result(position.number(), choice) {
            return Ok(Step::On(self.after(position, number)));
        }
        let number = self.result(position, choice)?;
        if let Some(outcome) = self.landing(position.turn, number) {
            return Ok(Step::Over { number, outcome });
        }
        // A number that goes on lies inside the range, and so fits.
        let number = number as i64;
        let mut next = self.after(position, number);
        self.remember(&mut next, choice, number == position.number());
        Ok(Step::On(next))
    }

    /// How a legal move ends the round at once, if it does: by what it lands on, or because the other player is stuck.
    pub fn ends_at_once(&self, position: &Position, a_move: Move) -> Option<Outcome> {
        match self.play(position, a_move) {
            Ok(Step::Over { outcome, .. }) => Some(outcome),
            Ok(Step::On(next)) => match self.situation(&next) {
                Situation::Over(outcome) => Some(outcome),
                _ => None,
            },
            Err(_) => None,
        }
    }

    /// How landing on a number ends the round for the player who does it, if it does.
    pub(crate) fn landing(&self, mover: Player, number: i128) -> Option<Outcome> {
        let (wins, ending) = if self.target().map(i128::from) == Some(number) {
            (self.reach() == Reach::Wins, Ending::Reached)
        } else if self.passes_target(number) {
            (self.past() == Past::Wins, Ending::Overshot)
        } else if lists(self.winning(), number) {
            (true, Ending::Landed)
        } else if lists(self.losing(), number) {
            (false, Ending::Landed)
        } else {
            return None;
        };
        Some(Outcome { winner: Some(if wins { mover } else { !mover }), ending })
    }

    /// The position after a move to a number that does not end the round, but for what is to be remembered of it.
    #[inline]
    fn after(&self, position: &Position, number: i64) -> Position {
        let mut next = *position;
        match self.numbers() {
            Numbers::Shared => next.numbers = ByPlayer([number; 2]),
            Numbers::Separate => next.numbers[position.turn] = number,
        }
        next.turn = !position.turn;
        next
    }

    /// Keeps of the move that led to a position what the rules look at later.
    fn remember(&self, next: &mut Position, choice: Choice, is_pass: bool) {
        let turn = !next.turn;
        if let Some(uses) = self.moves()[choice.place()].uses {
            next.uses[turn][choice.place()] += 1;
            if uses.pool == Pool::Shared {
                next.uses[!turn][choice.place()] += 1;
            }
        }
        if self.passes().is_some() && is_pass {
            next.passes[turn] += 1;
        }
        match self.no_repeat() {
            NoRepeat::None => {}
            NoRepeat::Own | NoRepeat::Both => next.last[turn] = Some(choice),
            NoRepeat::Opponent => {
                next.last[turn] = Some(choice);
                // What the player now on turn chose last is looked at again only after a skip.
                if self.stuck() != Stuck::Skips {
                    next.last[!turn] = None;
                }
            }
        }
    }

    /// Every choice with what it gives or why it is barred, in the rule book's order.
    pub fn choices<'a>(
        &'a self,
        position: &'a Position,
    ) -> impl Iterator<Item = (Choice, Operation, Result<i128, Refusal>)> + 'a {
        (0..self.moves().len()).map(|place| {
            let choice = Choice(place as u8);
            let operation = self.moves()[place].operation;
            (choice, operation, self.result(position, choice))
        })
    }
}

/// A skipped turn changes whose turn it is and nothing else.
fn with_turn_over(position: &Position) -> Position {
    Position { turn: !position.turn, ..*position }
}

#[inline]
fn lists(sorted: &[i64], number: i128) -> bool {
    !sorted.is_empty() && i64::try_from(number).is_ok_and(|n| sorted.binary_search(&n).is_ok())
}
