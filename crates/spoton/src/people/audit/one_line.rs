//! A rule of one line that always wins: a game that has one is soon no game any more.
//!
//! Two kinds are looked for, the plainest first. One is a fixed order of the book's moves, of which the first legal one
//! is made every time ("double if you can, else add 1"); a move with several amounts is taken with its smallest or its
//! largest legal one. The other is one clause of an idea ("leave every 5 from 3"), whose follower wins at once whenever
//! that can be done. Either must win from the winning seat against everything that the other player might do.

use std::collections::{BTreeMap, HashMap};

use super::lines::{Lines, Next, Way};
use crate::engine::number_kind::NumberKind;
use crate::engine::play::{Move, Step};
use crate::engine::position::{EntryIndex, Player};
use crate::format::{Op, Rulebook};
use crate::people::idea::{Answer, Exceptions, Idea};
use crate::people::solved_game::SolvedGame;
use crate::solver::chart::number_alone_decides;
use crate::solver::{Budget, Unsolved, Value};

/// What the search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneLine {
    /// This rule always wins.
    Found(OneLineRule),
    /// There is no such rule. Nor is there one if neither seat wins.
    None,
    /// None was found among the plainest, and to look at all of them takes too long.
    Unknown,
}

/// A rule of one line that wins from the winning seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneLineRule {
    /// Every time the first of these that is legal.
    Order(Vec<Pick>),
    /// One clause of an idea.
    Leave {
        /// As it is typed: `leave every 5 from 3`.
        idea: String,
        /// The numbers of it that don't count.
        except: Exceptions,
    },
}

/// A move of a book with one of its amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The entry of `moves`.
    pub entry: EntryIndex,
    /// Which of its legal amounts.
    pub amount: Amount,
}

/// Which amount of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// It has just one.
    Only,
    /// The smallest that is legal.
    Smallest,
    /// The largest that is legal.
    Largest,
}

/// So many positions are looked at before the search is cut. Counted, so that it comes to the same on every machine.
const MOST_STEPS: u64 = 2_000_000;

/// Which moves an entry of an order stands for, if other entries give some of them, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Those that it names, whichever entry gives them now: so people read it.
    AsPrinted,
    /// Those that it gives itself. Generator 1 reads it like this, which never changes.
    ByEntry,
}

/// Looks for a rule.
pub(crate) fn find(
    lines: &Lines,
    game: &SolvedGame,
    reading: Reading,
    budget: &mut Budget<'_>,
) -> Result<OneLine, Unsolved> {
    let Some(mut search) = Search::of(lines, reading) else { return Ok(OneLine::None) };
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

/// The moves that always win from the winning seat if they are made again and again.
pub(super) fn always(lines: &Lines) -> Vec<Pick> {
    let Some(mut search) = Search::of(lines, Reading::AsPrinted) else { return vec![] };
    // Whoever wins without ever moving follows no rule.
    if search.seat == 1 && lines.opening().remoteness() == Some(1) {
        return vec![];
    }
    let reading = search.reading;
    let wins =
        |pick: &Pick| search.follow(|index| ordered(lines, &[*pick], index, reading)) == Followed::Wins;
    picks(lines.rulebook()).into_iter().filter(wins).collect()
}

/// What comes of following a rule.
#[derive(PartialEq, Eq)]
enum Followed {
    Wins,
    /// It gives the win away, or goes round in circles.
    Fails,
    /// So far it holds the win, but somewhere it has nothing to say.
    Stops,
}

struct Search<'a> {
    lines: &'a Lines,
    reading: Reading,
    /// The turns of the follower: 0 if they start, else 1.
    seat: u8,
    all_lines_end: bool,
    /// For each position and each of the players on turn, the last round of the search in which it came up.
    comes_up: Vec<[u32; 2]>,
    round: u32,
    steps: u64,
}

/// A position and whose turn it is: 0 for the player who started.
type Place = (u32, u8);

impl<'a> Search<'a> {
    /// A search for the winning seat; `None` if no seat wins, or there is nothing to play.
    fn of(lines: &'a Lines, reading: Reading) -> Option<Search<'a>> {
        let winner = lines.opening().value.winner(Player::One).filter(|_| lines.len() > 0)?;
        Some(Search {
            lines,
            reading,
            seat: u8::from(winner == Player::Two),
            all_lines_end: lines.in_order().is_some(),
            comes_up: vec![[0; 2]; lines.len()],
            round: 0,
            steps: 0,
        })
    }

    /// Plays a rule out against everything. The rule names the moves that its follower may make in a position; none if
    /// it has nothing to say, and then the round is left there.
    fn follow(&mut self, moves: impl Fn(u32) -> Vec<Way>) -> Followed {
        self.round += 1;
        let mut stops = false;
        let mut to_do: Vec<Place> = vec![(0, 0)];
        self.comes_up[0][0] = self.round;
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
                let comes_up = &mut self.comes_up[next as usize][usize::from(turn)];
                if std::mem::replace(comes_up, self.round) != self.round {
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

    /// Whether all lines end in which the rule is followed, of which so many places come up.
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

    /// Looks for an order of moves, the shortest first.
    fn orders(&mut self, budget: &mut Budget<'_>) -> Result<OneLine, Unsolved> {
        let (lines, reading) = (self.lines, self.reading);
        let picks = picks(lines.rulebook());
        // The orders that hold the win as far as they go.
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

    /// Looks for a clause of an idea. All of them are tried whose numbers are good to leave: even, odd, primes, squares,
    /// multiples, steps; each within any bounds.
    fn clauses(&mut self, game: &SolvedGame, budget: &mut Budget<'_>) -> Result<OneLine, Unsolved> {
        let lines = self.lines;
        let left = left(lines);
        let (clauses, all) = Clauses { left: &left }.list();
        for clause in clauses {
            let moves = |index| leaving(lines, &clause, index);
            if self.follow(moves) == Followed::Wins {
                // The words are what people are told, so they are what is tested in the end.
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
fn picks(rulebook: &Rulebook) -> Vec<Pick> {
    let of_entry = |(entry, moves): (EntryIndex, &crate::format::Entry)| {
        let amounts: &[Amount] = match moves.op {
            Op::Fixed(_) => &[Amount::Only],
            Op::Computed(_) => &[Amount::Smallest, Amount::Largest],
        };
        amounts.iter().map(move |amount| Pick { entry, amount: *amount })
    };
    rulebook.entries().flat_map(of_entry).collect()
}

/// The move of an order: the first that is legal. A skipped turn is no choice, and happens.
fn ordered(lines: &Lines, order: &[Pick], index: u32, reading: Reading) -> Vec<Way> {
    let (ways, position) = (lines.ways(index), lines.position(index));
    if let [Way { a_move: Move::Skip, .. }] = ways {
        return ways.to_vec();
    }
    let rulebook = lines.rulebook();
    let is_of = |way: &Way, entry: EntryIndex| {
        let choice = way.a_move.choice()?;
        Some(match reading {
            Reading::ByEntry => rulebook.entry_of(&position, choice)? == entry,
            Reading::AsPrinted => {
                rulebook.is_named_by(rulebook.entry(entry)?, &position, rulebook.written(choice)?)
            }
        })
    };
    let amount =
        |way: &&Way| way.a_move.choice().and_then(|choice| rulebook.operation(choice)).map(|op| op.amount());
    for pick in order {
        let of_entry = ways.iter().filter(|way| is_of(way, pick.entry) == Some(true));
        let picked = match pick.amount {
            Amount::Only | Amount::Smallest => of_entry.min_by_key(amount),
            Amount::Largest => of_entry.max_by_key(amount),
        };
        if let Some(way) = picked {
            return vec![*way];
        }
    }
    vec![]
}

/// The moves of somebody who follows a clause: one that wins at once, else all that leave one of its numbers.
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

/// Every number that somebody can be left at, on turn or stuck, and whether it is good to leave it.
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
    /// Every number so many steps from this one.
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
    /// As it is typed.
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

/// All clauses that speak of good numbers only.
struct Clauses<'a> {
    /// Every number that can be left, and whether that is good.
    left: &'a BTreeMap<i64, bool>,
}

impl Clauses<'_> {
    /// No more are listed: far more than are followed within the steps.
    const MOST: usize = 50_000;

    /// The clauses, those without bounds first, and whether these are all.
    fn list(&self) -> (Vec<Clause>, bool) {
        let mut clauses = Vec::new();
        let (Some((lowest, _)), Some((highest, _))) =
            (self.left.first_key_value(), self.left.last_key_value())
        else {
            return (clauses, true);
        };
        let span = highest.saturating_sub(*lowest).saturating_add(1);
        // Going through all numbers once for each step takes about so long.
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

/// Adds the clauses about some of the numbers: each stretch of good ones, whole and in part.
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
                // A single number is written as itself, once.
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
