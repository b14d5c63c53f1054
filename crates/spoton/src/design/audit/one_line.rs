//! Simple rules that always win. A game that has one soon gets boring.
//!
//! Searches two kinds, simplest first. The first kind is a fixed order of the book's moves: each turn, the player makes
//! the first legal one ("double if you can, otherwise add 1"). A move with several amounts uses its smallest or largest
//! legal one. The second kind is a one-clause idea ("leave every 5 from 3"); the player also takes any immediate win.
//! Either kind must win from the winning seat against every reply.

use std::collections::{BTreeMap, HashMap};

use crate::engine::number_kind::NumberKind;
use crate::engine::play::{Move, Step};
use crate::engine::position::{Choice, EntryIndex, Player, Position};
use crate::format::{Op, Rulebook};
use crate::solved::SolvedGame;
use crate::solved::lines::{Lines, Next, Way};
use crate::solver::chart::number_alone_decides;
use crate::solver::{Budget, Unsolved, Value};
use crate::teach::idea::{Answer, Exceptions, Idea};

/// The result of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneLine {
    /// This rule always wins.
    Found(OneLineRule),
    /// There's no such rule, or neither seat wins.
    None,
    /// No simple rule found before the search limit.
    Unknown,
}

/// A simple rule that wins from the winning seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneLineRule {
    /// Always play the first legal one of these moves.
    Order(Vec<Pick>),
    /// One clause of an idea.
    Leave {
        /// The idea as typed: `leave every 5 from 3`.
        idea: String,
        /// The idea's exceptions: numbers where landing loses.
        except: Exceptions,
    },
}

/// One of a book's moves with one of its amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The entry of `moves`.
    pub entry: EntryIndex,
    /// The amount to use.
    pub amount: Amount,
}

/// How it chooses one of a move's legal amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// It has only one.
    Only,
    /// The smallest legal one.
    Smallest,
    /// The largest legal one.
    Largest,
}

/// Search limit in positions. Counting positions rather than time gives the same result on every machine.
const MOST_STEPS: u64 = 2_000_000;

/// Which moves an entry in the order covers if entries overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// All moves it names, even if another entry provides them. This is how people read it.
    AsPrinted,
    /// Only moves that this entry provides. Never changes because generator 1 depends on it.
    ByEntry,
}

/// Searches for a rule.
pub(crate) fn find(
    lines: &Lines,
    game: &SolvedGame,
    reading: Reading,
    budget: &mut Budget<'_>,
) -> Result<OneLine, Unsolved> {
    let Some(mut search) = Search::for_winner(lines, reading) else { return Ok(OneLine::None) };
    let mut cut = false;
    match search.orders(budget)? {
        OneLine::None => {}
        OneLine::Unknown => cut = true,
        found => return Ok(found),
    }
    search.steps = 0;
    if number_alone_decides(lines.rulebook()) {
        match search.clauses(game, budget)? {
            OneLine::None => {}
            OneLine::Unknown => cut = true,
            found => return Ok(found),
        }
    }
    Ok(if cut { OneLine::Unknown } else { OneLine::None })
}

/// The result of following a rule.
#[derive(PartialEq, Eq)]
enum Followed {
    Wins,
    /// Gives the win away or goes in circles.
    Fails,
    /// Keeps the win so far, but some position has no matching move.
    Stops,
}

struct Search<'a> {
    lines: &'a Lines,
    reading: Reading,
    /// The follower's seat: 0 if they start, otherwise 1.
    seat: u8,
    all_lines_end: bool,
    /// For each position and player to move, the last pass that reached it.
    reached: Vec<[u32; 2]>,
    round: u32,
    steps: u64,
}

/// A position and whose turn it is: 0 for the starter.
type Place = (u32, u8);

impl<'a> Search<'a> {
    /// A search for the winning seat; `None` if no seat wins or there's nothing to play.
    fn for_winner(lines: &'a Lines, reading: Reading) -> Option<Search<'a>> {
        let winner = lines.opening().value.winner(Player::One).filter(|_| lines.len() > 0)?;
        Some(Search {
            lines,
            reading,
            seat: u8::from(winner == Player::Two),
            all_lines_end: lines.in_order().is_some(),
            reached: vec![[0; 2]; lines.len()],
            round: 0,
            steps: 0,
        })
    }

    /// Plays a rule out against every reply. The rule returns the follower's candidate moves; if it returns none, the
    /// line stops.
    fn follow(&mut self, moves: impl Fn(u32) -> Vec<Way>) -> Followed {
        self.round += 1;
        let mut stops = false;
        let mut to_do: Vec<Place> = vec![(0, 0)];
        self.reached[0][0] = self.round;
        let mut found = 0;
        while let Some(place) = to_do.pop() {
            self.steps += 1;
            found += 1;
            let ways = self.ways(place, &moves);
            stops |= ways.is_empty();
            for way in ways {
                if place.1 == self.seat && self.lines.worth(&way).value != Value::Win {
                    return Followed::Fails;
                }
                let Next::On(next) = way.next else { continue };
                let turn = 1 - place.1;
                let reached = &mut self.reached[next as usize][usize::from(turn)];
                if std::mem::replace(reached, self.round) != self.round {
                    to_do.push((next, turn));
                }
            }
        }
        match (stops, self.all_lines_end || self.ends(&moves, found)) {
            (_, false) => Followed::Fails,
            (true, true) => Followed::Stops,
            (false, true) => Followed::Wins,
        }
    }

    fn ways(&self, (index, turn): Place, moves: impl Fn(u32) -> Vec<Way>) -> Vec<Way> {
        if turn == self.seat { moves(index) } else { self.lines.ways(index).to_vec() }
    }

    /// Whether every line ends when following the rule. `found` is the number of nodes on these lines.
    fn ends(&self, moves: impl Fn(u32) -> Vec<Way>, found: usize) -> bool {
        let nexts = |place: Place| {
            let on = move |way: Way| match way.next {
                Next::On(next) => Some((next, 1 - place.1)),
                Next::Over(_) => None,
            };
            self.ways(place, &moves).into_iter().filter_map(on)
        };
        let mut in_degree: HashMap<Place, u32> = HashMap::from([((0, 0), 0)]);
        let mut to_do = vec![(0, 0)];
        while let Some(place) = to_do.pop() {
            for next in nexts(place) {
                if !in_degree.contains_key(&next) {
                    to_do.push(next);
                }
                *in_degree.entry(next).or_default() += 1;
            }
        }
        let mut free: Vec<Place> = if in_degree[&(0, 0)] == 0 { vec![(0, 0)] } else { vec![] };
        let mut removed = 0;
        while let Some(place) = free.pop() {
            removed += 1;
            for next in nexts(place) {
                let left = in_degree.entry(next).and_modify(|left| *left -= 1).or_default();
                if *left == 0 {
                    free.push(next);
                }
            }
        }
        removed == found
    }

    /// Searches for an order of moves, shortest first.
    fn orders(&mut self, budget: &mut Budget<'_>) -> Result<OneLine, Unsolved> {
        let (lines, reading) = (self.lines, self.reading);
        let picks = picks(lines.rulebook());
        // The orders that keep the win so far.
        let mut open: Vec<Vec<Pick>> = vec![vec![]];
        while !open.is_empty() {
            let mut longer = Vec::new();
            for order in &open {
                for pick in picks.iter().filter(|pick| order.iter().all(|before| before.entry != pick.entry))
                {
                    let order = [order.as_slice(), &[*pick]].concat();
                    match self.follow(|index| ordered(lines, &order, index, reading)) {
                        Followed::Wins => return Ok(OneLine::Found(OneLineRule::Order(order))),
                        Followed::Fails => {}
                        Followed::Stops => longer.push(order),
                    }
                    if self.steps > MOST_STEPS {
                        return Ok(OneLine::Unknown);
                    }
                    budget.ask_now(self.steps, None)?;
                }
            }
            open = longer;
        }
        Ok(OneLine::None)
    }

    /// Searches for a clause of an idea. Tries every clause whose numbers are all good to leave: even, odd, primes,
    /// squares, multiples and steps, each with all possible bounds.
    fn clauses(&mut self, game: &SolvedGame, budget: &mut Budget<'_>) -> Result<OneLine, Unsolved> {
        let lines = self.lines;
        let left = left(lines);
        let (clauses, all) = Clauses { left: &left }.list();
        for clause in clauses {
            let moves = |index| leaving(lines, &clause, index);
            if self.follow(moves) == Followed::Wins {
                // Tests the exact words that people will read.
                let text = clause.to_string();
                let idea = text.parse::<Idea>().ok();
                let answer = idea.map(|idea| game.test(&idea, budget)).transpose()?;
                if let Some(Answer::Complete { except, .. }) = answer {
                    return Ok(OneLine::Found(OneLineRule::Leave { idea: text, except }));
                }
            }
            if self.steps > MOST_STEPS {
                return Ok(OneLine::Unknown);
            }
            budget.ask_now(self.steps, None)?;
        }
        Ok(if all { OneLine::None } else { OneLine::Unknown })
    }
}

/// Every move of a book with each of its amounts.
pub(super) fn picks(rulebook: &Rulebook) -> Vec<Pick> {
    let of_entry = |(entry, moves): (EntryIndex, &crate::format::Entry)| {
        let amounts: &[Amount] = match moves.op {
            Op::Fixed(_) => &[Amount::Only],
            Op::Computed(_) => &[Amount::Smallest, Amount::Largest],
        };
        amounts.iter().map(move |amount| Pick { entry, amount: *amount })
    };
    rulebook.entries().flat_map(of_entry).collect()
}

/// The first legal move of an order. A skipped turn isn't a choice.
fn ordered(lines: &Lines, order: &[Pick], index: u32, reading: Reading) -> Vec<Way> {
    let (ways, position) = (lines.ways(index), lines.position(index));
    if let [Way { a_move: Move::Skip, .. }] = ways {
        return ways.to_vec();
    }
    let picked = order.iter().find_map(|pick| {
        let choices = ways.iter().filter_map(|way| way.a_move.choice());
        pick.among(choices, lines.rulebook(), &position, reading)
    });
    let is_picked = |way: &&Way| picked.is_some() && way.a_move.choice() == picked;
    ways.iter().find(is_picked).copied().into_iter().collect()
}

impl Pick {
    /// The legal choice that this pick makes, if there is one.
    pub(super) fn among(
        self,
        legal: impl Iterator<Item = Choice>,
        rulebook: &Rulebook,
        position: &Position,
        reading: Reading,
    ) -> Option<Choice> {
        let is_of_entry = |choice: &Choice| {
            let is_it = match reading {
                Reading::ByEntry => rulebook.entry_of(position, *choice).map(|entry| entry == self.entry),
                Reading::AsPrinted => rulebook
                    .entry(self.entry)
                    .zip(rulebook.written(*choice))
                    .map(|(entry, written)| rulebook.is_named_by(entry, position, written)),
            };
            is_it == Some(true)
        };
        let amount = |choice: &Choice| rulebook.operation(*choice).map(|operation| operation.amount());
        let of_entry = legal.filter(is_of_entry);
        match self.amount {
            Amount::Only | Amount::Smallest => of_entry.min_by_key(amount),
            Amount::Largest => of_entry.max_by_key(amount),
        }
    }
}

/// The moves of a clause's follower: an immediate win, otherwise all that leave one of its numbers.
fn leaving(lines: &Lines, clause: &Clause, index: u32) -> Vec<Way> {
    let ways = lines.ways(index);
    if let Some(wins) = ways.iter().find(|way| way.next == Next::Over(Value::Win)) {
        return vec![*wins];
    }
    if let [Way { a_move: Move::Skip, .. }] = ways {
        return ways.to_vec();
    }
    let fits = |way: &&Way| match way.next {
        Next::On(next) => {
            clause.holds(lines.position(next).number()) && lines.verdict(next).value == Value::Loss
        }
        Next::Over(_) => false,
    };
    ways.iter().filter(fits).copied().collect()
}

/// Every number that a move can leave, whether the next player can move or is stuck, and whether leaving it is good.
fn left(lines: &Lines) -> BTreeMap<i64, bool> {
    let mut left = BTreeMap::new();
    for index in lines.indices() {
        let position = lines.position(index);
        for way in lines.ways(index) {
            if let Ok(Step::On(next)) = lines.rulebook().play(&position, way.a_move) {
                left.insert(next.number(), lines.worth(way).value == Value::Win);
            }
        }
    }
    left
}

/// One clause of an idea.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Clause {
    which: Which,
    from: Option<i64>,
    to: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// Every `step`-th number counted from `through`.
    Every {
        step: i64,
        through: i64,
    },
    Kind(NumberKind),
}

impl Clause {
    fn holds(&self, number: i64) -> bool {
        self.from.is_none_or(|from| number >= from)
            && self.to.is_none_or(|to| number <= to)
            && match self.which {
                Which::Every { step, through } => {
                    (i128::from(number) - i128::from(through)).rem_euclid(step.into()) == 0
                }
                Which::Kind(kind) => kind.holds(number),
            }
    }
}

impl std::fmt::Display for Clause {
    /// As typed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mut from, to) = (self.from, self.to);
        match self.which {
            Which::Every { .. } if from.is_some() && from == to => {
                return write!(f, "leave {}", from.unwrap_or_default());
            }
            Which::Every { step: 2, through } => {
                write!(f, "leave {}", if through.rem_euclid(2) == 0 { "even" } else { "odd" })?;
            }
            Which::Every { step, through } if through.rem_euclid(step) == 0 && from.is_none() => {
                write!(f, "leave multiples of {step}")?;
            }
            Which::Every { step, through } => {
                write!(f, "leave every {step} from {}", from.take().unwrap_or(through))?;
            }
            Which::Kind(NumberKind::Square) => write!(f, "leave squares")?,
            Which::Kind(_) => write!(f, "leave primes")?,
        }
        from.map_or(Ok(()), |from| write!(f, " from {from}"))?;
        to.map_or(Ok(()), |to| write!(f, " to {to}"))
    }
}

/// All clauses that cover only good numbers.
struct Clauses<'a> {
    /// Every number that a move can leave, and whether leaving it is good.
    left: &'a BTreeMap<i64, bool>,
}

impl Clauses<'_> {
    /// List limit: far more than the step limit can follow.
    const MOST: usize = 50_000;

    /// The clauses, unbounded ones first, and whether the list is complete.
    fn list(&self) -> (Vec<Clause>, bool) {
        let mut clauses = Vec::new();
        let (Some((lowest, _)), Some((highest, _))) =
            (self.left.first_key_value(), self.left.last_key_value())
        else {
            return (clauses, true);
        };
        let span = highest.saturating_sub(*lowest).saturating_add(1);
        // Limits the total time: each step size scans all numbers once.
        let most = span.min((1 << 22) / self.left.len() as i64);
        let mut all = most == span;
        for step in (2..=most).chain([1]) {
            if clauses.len() > Clauses::MOST || step > most {
                all = false;
                break;
            }
            let mut by_rest: BTreeMap<i64, Vec<(i64, bool)>> = BTreeMap::new();
            for (number, good) in self.left {
                by_rest.entry((number - lowest).rem_euclid(step)).or_default().push((*number, *good));
            }
            for (rest, numbers) in by_rest {
                add(Which::Every { step, through: lowest + rest }, &numbers, &mut clauses);
            }
        }
        for kind in [NumberKind::Prime, NumberKind::Square] {
            let of_kind = self.left.iter().filter(|(number, _)| kind.holds(**number));
            let numbers: Vec<(i64, bool)> = of_kind.map(|(number, good)| (*number, *good)).collect();
            add(Which::Kind(kind), &numbers, &mut clauses);
        }
        let plain = |clause: &Clause| {
            let bounds = u8::from(clause.from.is_some()) + u8::from(clause.to.is_some());
            let step = match clause.which {
                Which::Every { step, .. } => step,
                Which::Kind(_) => 3,
            };
            (bounds, step, clause.from)
        };
        clauses.sort_by_key(plain);
        (clauses, all)
    }
}

/// Adds a clause for each run of consecutive good numbers, and for each part of a run.
fn add(which: Which, numbers: &[(i64, bool)], clauses: &mut Vec<Clause>) {
    let single = matches!(which, Which::Every { step: 1, .. });
    let mut start = 0;
    for stretch in numbers.split_inclusive(|(_, good)| !good) {
        let good: Vec<i64> = stretch.iter().filter(|(_, good)| *good).map(|(number, _)| *number).collect();
        let is_first = start == 0;
        start += stretch.len();
        let is_last = start == numbers.len() && stretch.len() == good.len();
        for (from, low) in good.iter().enumerate() {
            for (to, high) in good.iter().enumerate().skip(from) {
                let open_below = is_first && from == 0 && !single;
                let open_above = is_last && to + 1 == good.len() && !single;
                // A single number is listed once, as itself.
                if from < to || single || open_below && open_above {
                    let (from, to) = ((!open_below).then_some(*low), (!open_above).then_some(*high));
                    clauses.push(Clause { which, from, to });
                }
            }
            if clauses.len() > Clauses::MOST {
                return;
            }
        }
    }
}
