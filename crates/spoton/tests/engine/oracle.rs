//! A second engine, written directly from the format's definition with big integers and maps, for clarity
//! instead of speed. The library must agree with it on random rounds of random rule books.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{Player, Position};
use spoton::engine::round::{CannotPlay, Round};
use spoton::format::Rulebook;

use crate::support::description::{Description, LARGEST, Offer, descriptions};
use crate::support::{any_move, book, cases, choice, ended, in_short};

/// A player in the plain engine: 1 or 2.
type Seat = u8;

fn other(seat: Seat) -> Seat {
    3 - seat
}

/// A round in the plain engine.
struct Plain<'a> {
    rules: &'a Description,
    /// One number per seat. A shared number changes both.
    numbers: HashMap<Seat, BigInt>,
    turn: Seat,
    /// Each seat's last move.
    last: HashMap<Seat, usize>,
    /// How often each seat has used each move.
    chosen: HashMap<(Seat, usize), u32>,
    /// How often each seat has passed.
    unchanged: HashMap<Seat, u32>,
    /// How often each position has occurred.
    seen: HashMap<String, u32>,
    /// The winner (0: none) and the reason.
    over: Option<String>,
}

impl<'a> Plain<'a> {
    fn new(rules: &'a Description, first: Seat) -> Plain<'a> {
        let (starter, follower) = rules.start;
        let mut plain = Plain {
            rules,
            numbers: HashMap::from([(first, starter.into()), (other(first), follower.into())]),
            turn: first,
            last: HashMap::new(),
            chosen: HashMap::new(),
            unchanged: HashMap::new(),
            seen: HashMap::new(),
            over: None,
        };
        plain.begin_turn();
        plain
    }

    fn is_past(&self, number: &BigInt) -> bool {
        let Some(target) = self.rules.target else { return false };
        let climbs = target > self.rules.start.0;
        if climbs { *number > target.into() } else { *number < target.into() }
    }

    fn is_in(list: &[i64], number: &BigInt) -> bool {
        list.iter().any(|listed| BigInt::from(*listed) == *number)
    }

    /// The exact result, if there is one.
    fn compute(number: &BigInt, offer: &Offer) -> Option<BigInt> {
        let amount = BigInt::from(offer.amount);
        match offer.sign {
            '+' => Some(number + amount),
            '-' => Some(number - amount),
            'x' => Some(number * amount),
            _ => {
                let quotient = number / &amount;
                (&quotient * amount == *number).then_some(quotient)
            }
        }
    }

    /// The result of a move, if the seat may choose the move.
    fn allows(&self, seat: Seat, index: usize) -> Option<BigInt> {
        let rules = self.rules;
        let offer = &rules.moves[index];
        let times = |seat: Seat| self.chosen.get(&(seat, index)).copied().unwrap_or(0);
        if let Some((uses, shared)) = offer.uses {
            let spent = if shared { times(1) + times(2) } else { times(seat) };
            if spent >= uses.into() {
                return None;
            }
        }
        let own = self.last.get(&seat) == Some(&index);
        let opponent = self.last.get(&other(seat)) == Some(&index);
        let barred = match rules.no_repeat {
            "own" => own,
            "opponent" => opponent,
            "both" => own || opponent,
            _ => false,
        };
        if barred {
            return None;
        }
        let result = Plain::compute(&self.numbers[&seat], offer)?;
        if Plain::is_in(&rules.forbidden, &result) {
            return None;
        }
        if self.is_past(&result) {
            if rules.past == "forbidden" {
                return None;
            }
        } else {
            let (a, b) = rules.start;
            let ends = [a, b, rules.target.unwrap_or(a)];
            let natural = (*ends.iter().min().unwrap(), *ends.iter().max().unwrap());
            let (low, high) = rules.range.unwrap_or(natural);
            if result < low.into() || result > high.into() {
                return None;
            }
        }
        if result == self.numbers[&seat]
            && let Some(passes) = rules.passes
            && self.unchanged.get(&seat).copied().unwrap_or(0) >= passes.into()
        {
            return None;
        }
        Some(result)
    }

    fn can_move(&self, seat: Seat) -> bool {
        (0..self.rules.moves.len()).any(|index| self.allows(seat, index).is_some())
    }

    /// Whether the seat to move has to skip.
    fn skips(&self) -> bool {
        self.over.is_none() && !self.can_move(self.turn)
    }

    fn choose(&mut self, index: usize) {
        let seat = self.turn;
        let result = self.allows(seat, index).expect("the choice is legal");
        if result == self.numbers[&seat] {
            *self.unchanged.entry(seat).or_default() += 1;
        }
        *self.chosen.entry((seat, index)).or_default() += 1;
        self.last.insert(seat, index);
        self.numbers.insert(seat, result.clone());
        if !self.rules.separate {
            self.numbers.insert(other(seat), result.clone());
        }
        let end = |wins: bool, why: &str| Some(format!("{} {why}", if wins { seat } else { other(seat) }));
        self.over = if self.rules.target.map(BigInt::from) == Some(result.clone()) {
            end(self.rules.reach == "wins", "reached")
        } else if self.is_past(&result) {
            end(self.rules.past == "wins", "overshot")
        } else if Plain::is_in(&self.rules.winning, &result) {
            end(true, "landed")
        } else if Plain::is_in(&self.rules.losing, &result) {
            end(false, "landed")
        } else {
            None
        };
        if self.over.is_none() {
            self.pass_turn();
        }
    }

    fn pass_turn(&mut self) {
        self.turn = other(self.turn);
        self.begin_turn();
    }

    /// Checks whether the seat to move is stuck, and whether the position has occurred too often.
    fn begin_turn(&mut self) {
        if !self.can_move(self.turn) {
            self.over = match self.rules.stuck {
                "loses" => Some(format!("{} stuck", other(self.turn))),
                "wins" => Some(format!("{} stuck", self.turn)),
                "draws" => Some("draw stuck".to_owned()),
                _ if !self.can_move(other(self.turn)) => Some("draw stuck".to_owned()),
                _ => None,
            };
            if self.over.is_some() {
                return;
            }
        }
        let times = self.seen.entry(self.position()).or_default();
        *times += 1;
        if self.rules.repetition > 0 && *times >= self.rules.repetition.into() {
            self.over = Some("draw repetition".to_owned());
        }
    }

    /// The state that affects later play, according to the format.
    fn position(&self) -> String {
        let mut position = format!("turn {}", self.turn);
        for seat in [1, 2] {
            position += &format!(", {} has {}", seat, self.numbers[&seat]);
            let looked_at = match self.rules.no_repeat {
                "own" | "both" => true,
                "opponent" => seat != self.turn || self.rules.stuck == "skips",
                _ => false,
            };
            if looked_at {
                position += &format!(", last {:?}", self.last.get(&seat));
            }
            if self.rules.passes.is_some() {
                position += &format!(", passes {:?}", self.unchanged.get(&seat).unwrap_or(&0));
            }
        }
        for (index, offer) in self.rules.moves.iter().enumerate() {
            let times = |seat| self.chosen.get(&(seat, index)).copied().unwrap_or(0);
            match offer.uses {
                Some((_, true)) => position += &format!(", use {index}: {}", times(1) + times(2)),
                Some((_, false)) => position += &format!(", use {index}: {} {}", times(1), times(2)),
                None => {}
            }
        }
        position
    }
}

fn seat(player: Player) -> Seat {
    player.number()
}

fn same(plain: &Plain<'_>, round: &Round) -> Result<(), TestCaseError> {
    let book = round.rulebook();
    prop_assert_eq!(&plain.over, &round.outcome().map(in_short));
    for player in Player::BOTH {
        prop_assert_eq!(&plain.numbers[&seat(player)], &BigInt::from(round.number_of(player)));
    }
    if plain.over.is_some() {
        return Ok(());
    }
    let position = round.position();
    prop_assert_eq!(plain.turn, seat(position.turn()));
    let legal = book.legal(position);
    for (index, offer) in book.offers(position).enumerate() {
        let expected = plain.allows(plain.turn, index);
        prop_assert_eq!(book.write_offer(&offer), plain.rules.moves[index].operation());
        prop_assert_eq!(offer.result.ok().map(BigInt::from), expected.clone());
        prop_assert_eq!(offer.choice.is_some_and(|choice| legal.contains(choice)), expected.is_some());
    }
    match round.situation() {
        Situation::Choose(choices) => {
            prop_assert!(!plain.skips());
            prop_assert_eq!(choices, legal);
        }
        Situation::Skip => prop_assert!(plain.skips()),
        Situation::Over(_) => prop_assert!(false, "an unfinished round can't be over"),
    }
    Ok(())
}

/// Corresponding positions of both engines, over several rounds of one book.
#[derive(Default)]
struct Positions {
    ours: HashMap<Position, String>,
    plain: HashMap<String, Position>,
}

impl Positions {
    /// Two positions are equal in one engine exactly if they are in the other.
    fn meet(&mut self, plain: &Plain<'_>, round: &Round) -> Result<(), TestCaseError> {
        if plain.over.is_none() {
            let known = self.ours.entry(*round.position()).or_insert_with(|| plain.position());
            prop_assert_eq!(known, &plain.position());
            let known = self.plain.entry(plain.position()).or_insert(*round.position());
            prop_assert_eq!(known, round.position());
        }
        Ok(())
    }
}

/// Plays the same moves in both engines. An illegal choice must be refused without a change.
fn along(
    rules: &Description,
    book: &Arc<Rulebook>,
    first: Player,
    picks: &[u16],
    positions: &mut Positions,
) -> Result<(), TestCaseError> {
    let mut round = Round::new(Arc::clone(book), first);
    let mut plain = Plain::new(rules, seat(first));
    same(&plain, &round)?;
    positions.meet(&plain, &round)?;
    for pick in picks {
        if plain.over.is_some() {
            break;
        }
        let offers = plain.rules.moves.len();
        let index = usize::from(*pick) % offers;
        let wanted = Move::Operation(choice(book, &rules.moves[index].operation()));
        if plain.skips() {
            prop_assert!(matches!(round.play(wanted), Err(CannotPlay::Refused(_))));
            prop_assert_eq!(round.play(Move::Skip), Ok(()));
            plain.pass_turn();
        } else {
            prop_assert!(matches!(round.play(Move::Skip), Err(CannotPlay::Refused(_))));
            if plain.allows(plain.turn, index).is_none() {
                prop_assert!(matches!(round.play(wanted), Err(CannotPlay::Refused(_))));
                same(&plain, &round)?;
            }
            let legal: Vec<usize> = (0..offers).filter(|i| plain.allows(plain.turn, *i).is_some()).collect();
            // Plays the requested move if it's legal. Otherwise the pick chooses a legal one.
            let index = if legal.contains(&index) { index } else { legal[usize::from(*pick) % legal.len()] };
            let chosen = choice(book, &rules.moves[index].operation());
            prop_assert_eq!(round.play(Move::Operation(chosen)), Ok(()));
            plain.choose(index);
        }
        same(&plain, &round)?;
        positions.meet(&plain, &round)?;
    }
    if plain.over.is_some() {
        prop_assert_eq!(round.play(Move::Skip), Err(CannotPlay::Over));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn the_library_plays_as_the_format_says(
        rules in descriptions(),
        rounds in vec((select(&Player::BOTH), vec(any::<u16>(), 0..40)), 1..4),
    ) {
        let book = book(&rules.text());
        let mut positions = Positions::default();
        for (first, picks) in rounds {
            along(&rules, &book, first, &picks, &mut positions)?;
        }
    }
}

/// Coverage check: random books reach every ending and refusal. Without it, the test above could pass without testing
/// them.
#[test]
fn random_books_meet_every_ending_and_every_refusal() {
    let mut runner = TestRunner::new(cases(1));
    let strategy = (descriptions(), vec(any::<u16>(), 40));
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..1500 {
        let (rules, picks) = strategy.new_tree(&mut runner).unwrap().current();
        let mut round = Round::new(book(&rules.text()), Player::One);
        for pick in picks {
            for result in round.rulebook().offers(round.position()).map(|offer| offer.result) {
                if let Err(why) = result {
                    let name = format!("{why:?}").split(' ').next().unwrap_or_default().to_owned();
                    *met.entry(name).or_default() += 1;
                }
            }
            let Some(a_move) = any_move(&round, pick.into()) else { break };
            round.play(a_move).unwrap();
            if a_move == Move::Skip {
                *met.entry("a skip".to_owned()).or_default() += 1;
            }
        }
        *met.entry(ended(&round)).or_default() += 1;
        let largest = Player::BOTH.map(|player| round.number_of(player).abs()).into_iter().max();
        if largest > Some(i128::from(LARGEST)) {
            *met.entry("a number beyond all bounds".to_owned()).or_default() += 1;
        }
    }
    for expected in [
        "1 reached",
        "2 reached",
        "1 overshot",
        "2 overshot",
        "1 landed",
        "2 landed",
        "1 stuck",
        "2 stuck",
        "draw stuck",
        "draw repetition",
        "open",
        "a skip",
        "a number beyond all bounds",
        "UsedUp",
        "RepeatsOwn",
        "RepeatsOpponent",
        "Remainder",
        "Forbidden",
        "PastTarget",
        "OutOfRange",
        "NoPassLeft",
    ] {
        assert!(met.get(expected).is_some_and(|times| *times >= 5), "{expected}: {met:#?}");
    }
}
