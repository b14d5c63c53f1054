//! Compares audits of random books with brute force: all figures, all claims with their counterexamples, all one-line
//! rules, and all rules that never matter.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use spoton::design::audit::one_line::{Amount, OneLine, OneLineRule, Pick};
use spoton::design::audit::{Against, Audit, NeverFires, TestedClaim};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::{Claim, Draft, Rulebook};
use spoton::records::set_up;
use spoton::solved::SolvedGame;
use spoton::solver::{Budget, Value, Verdict};

use crate::version2::books::{Book, Item, Version, book};
use crate::version2::matters;
use crate::version2::oracle::{Graph, Habit, Leads, Rules, Spot, Turn, Worth, Written, amounts};

/// All claims. Some of them are false.
const CLAIMS: &str =
    "['ends', 'no-draws', 'skill-wins', 'first-wins', 'second-wins', 'moves <= 6', 'subtle >= 3']";

/// All lines from one opening, by brute force.
pub struct Brute<'a> {
    pub graph: &'a Graph<'a>,
    /// The index of each unfinished position, as the player to move sees it.
    pub seen: Vec<usize>,
}

impl<'a> Brute<'a> {
    pub fn new(graph: &'a Graph<'a>) -> Brute<'a> {
        let mut seen: HashMap<Spot, usize> = HashMap::new();
        for place in (0..graph.nodes.len()).filter(|place| graph.nodes[*place].over.is_none()) {
            seen.entry(graph.as_seen(place)).or_insert(place);
        }
        Brute { graph, seen: seen.into_values().collect() }
    }

    fn turns(&self, place: usize) -> &'a [Turn] {
        &self.graph.nodes[place].turns
    }

    pub fn count(&self, is_one: impl Fn(usize) -> bool) -> u64 {
        self.seen.iter().filter(|place| is_one(**place)).count() as u64
    }

    fn value(&self, place: usize, turn: &Turn) -> i32 {
        match self.graph.worth_of(place, turn) {
            Worth::Win(_) => 1,
            Worth::Draw => 0,
            Worth::Loss(_) => -1,
        }
    }

    pub fn is_decision(&self, place: usize) -> bool {
        let values: BTreeSet<i32> = self.turns(place).iter().map(|turn| self.value(place, turn)).collect();
        values.len() > 1
    }

    pub fn is_subtle(&self, place: usize) -> bool {
        let mover = self.graph.nodes[place].spot.turn;
        let best = self.turns(place).iter().map(|turn| self.value(place, turn)).max();
        let winner = |turn: &Turn| self.graph.ends_at_once(turn).map(|end| end.winner);
        let wins = self.turns(place).iter().any(|turn| winner(turn) == Some(Some(mover)));
        let hides =
            |turn: &&Turn| Some(self.value(place, turn)) != best && winner(turn) != Some(Some(1 - mover));
        self.is_decision(place) && !wins && self.turns(place).iter().any(|turn| hides(&turn))
    }

    fn is_forced(&self, place: usize) -> bool {
        matches!(self.turns(place), [Turn { legal: Some(_), .. }])
    }

    /// The maximum number of moves from a position; `None` if a line never ends.
    pub fn longest(&self, place: usize, known: &mut HashMap<usize, Option<u64>>) -> Option<u64> {
        if let Some(found) = known.get(&place) {
            return *found;
        }
        known.insert(place, None); // revisiting this before it's known means an endless line
        let mut longest = 0;
        for turn in self.turns(place) {
            let after = match turn.leads {
                Leads::Over(_) => 0,
                Leads::To(next) => self.longest(next, known)?,
            };
            longest = longest.max(after + 1);
        }
        known.insert(place, Some(longest));
        Some(longest)
    }

    /// The forced moves in a row from a position to the end of the round; `None` if there is a choice on the
    /// way.
    fn tail(&self, place: usize) -> Option<u64> {
        let (mut at, mut tail) = (place, 0);
        loop {
            if self.graph.nodes[at].over.is_some() {
                return Some(tail);
            }
            if !self.is_forced(at) || tail > self.graph.nodes.len() as u64 {
                return None;
            }
            tail += 1;
            match self.turns(at)[0].leads {
                Leads::Over(_) => return Some(tail),
                Leads::To(next) => at = next,
            }
        }
    }

    pub fn can_end_drawn(&self) -> bool {
        let drawn = |turn: &Turn| matches!(turn.leads, Leads::Over(end) if end.winner.is_none());
        self.graph
            .nodes
            .iter()
            .any(|node| node.over.is_some_and(|end| end.winner.is_none()) || node.turns.iter().any(drawn))
    }

    pub fn chances(&self, habits: [Habit; 2]) -> Option<[f64; 2]> {
        self.graph.chances(0, habits)
    }

    /// Whether a seat always wins if it picks among these turns. `pick` returns `None` if the rule doesn't apply.
    fn always_wins(&self, seat: usize, pick: &dyn Fn(usize) -> Option<Vec<Turn>>) -> bool {
        // A position is won if all its successors are; cycles aren't wins.
        fn won(
            brute: &Brute<'_>,
            place: usize,
            seat: usize,
            pick: &dyn Fn(usize) -> Option<Vec<Turn>>,
            known: &mut HashMap<usize, bool>,
        ) -> bool {
            if let Some(known) = known.get(&place) {
                return *known;
            }
            known.insert(place, false);
            let node = &brute.graph.nodes[place];
            let found = match node.over {
                Some(end) => end.winner == Some(seat),
                None => {
                    let turns = match node.spot.turn == seat && node.turns[0].legal.is_some() {
                        true => pick(place),
                        false => Some(node.turns.clone()),
                    };
                    turns.is_some_and(|turns| {
                        turns.iter().all(|turn| match turn.leads {
                            Leads::Over(end) => end.winner == Some(seat),
                            Leads::To(next) => won(brute, next, seat, pick, known),
                        })
                    })
                }
            };
            known.insert(place, found);
            found
        }
        won(self, 0, seat, pick, &mut HashMap::new())
    }

    /// Whether always playing the first legal one of these moves wins. A move belongs to an entry if the
    /// entry's name matches, whichever entry offers it.
    pub fn order_wins(&self, seat: usize, order: &[(usize, bool)]) -> bool {
        let entries = &self.graph.rules.entries;
        let op = |entry: &Item| (entry.sign, entry.on_other, format!("{:?}", entry.amount));
        self.always_wins(seat, &|place| {
            let spot = &self.graph.nodes[place].spot;
            for (index, largest) in order {
                let entry = &entries[*index];
                let number = spot.numbers[Rules::owner(spot, entry.on_other)];
                // If two entries are written alike, the condition is part of the name.
                let is_alone = entries.iter().filter(|other| op(other) == op(entry)).count() == 1;
                let names = |written: Written| {
                    (written.sign, written.on_other) == (entry.sign, entry.on_other)
                        && amounts(entry, number).contains(&written.amount)
                        && (is_alone || self.graph.rules.condition_holds(spot, *index))
                };
                let mut of_entry: Vec<Turn> = self.turns(place).to_vec();
                of_entry.retain(|turn| turn.legal.is_some_and(|legal| names(legal.written)));
                of_entry.sort_by_key(|turn| turn.legal.map(|legal| legal.written.amount));
                let picked = if *largest { of_entry.last() } else { of_entry.first() };
                if let Some(turn) = picked {
                    return Some(vec![*turn]);
                }
            }
            None
        })
    }

    /// Orders of up to three entries, each with its smallest or largest amount, up to a limit.
    pub fn orders(&self, most: usize) -> Vec<Vec<(usize, bool)>> {
        let entries = &self.graph.rules.entries;
        let amounts =
            |entry: usize| if entries[entry].is_computed() { vec![false, true] } else { vec![false] };
        let picks: Vec<(usize, bool)> = (0..entries.len())
            .flat_map(|entry| amounts(entry).into_iter().map(move |largest| (entry, largest)))
            .collect();
        let (mut all, mut longest): (Vec<Vec<(usize, bool)>>, _) = (vec![], vec![vec![]]);
        for _ in 0..3 {
            let longer = |order: &Vec<(usize, bool)>| -> Vec<Vec<(usize, bool)>> {
                let new = |pick: &&(usize, bool)| order.iter().all(|(entry, _)| *entry != pick.0);
                picks.iter().filter(new).map(|pick| [order.as_slice(), &[*pick]].concat()).collect()
            };
            longest = longest.iter().flat_map(longer).collect();
            if all.len() + longest.len() > most {
                break;
            }
            all.extend(longest.clone());
        }
        all
    }

    /// Whether a player always wins by winning right away if possible and otherwise leaving a number from the set, and
    /// whether all numbers in the set are worth leaving. Only for a shared number.
    fn leaving_wins(&self, seat: usize, holds: &dyn Fn(i64) -> bool) -> bool {
        let number = |place: usize| self.graph.nodes[place].spot.numbers[0];
        for place in &self.seen {
            for turn in self.turns(*place) {
                if let Leads::To(next) = turn.leads
                    && holds(number(next))
                    && self.value(*place, turn) != 1
                {
                    return false;
                }
            }
        }
        self.always_wins(seat, &|place| {
            let mover = self.graph.nodes[place].spot.turn;
            let wins =
                |turn: &&Turn| self.graph.ends_at_once(turn).is_some_and(|end| end.winner == Some(mover));
            if let Some(wins) = self.turns(place).iter().find(wins) {
                return Some(vec![*wins]);
            }
            // Taken literally, the rule allows landing on any of its numbers.
            let fits =
                |turn: &&Turn| turn.legal.is_some_and(|legal| i64::try_from(legal.result).is_ok_and(holds));
            let turns: Vec<Turn> = self.turns(place).iter().filter(fits).copied().collect();
            (!turns.is_empty()).then_some(turns)
        })
    }
}

/// Parses the set of a clause.
fn clause(words: &str) -> Box<dyn Fn(i64) -> bool> {
    let words: Vec<&str> = words.split(' ').collect();
    let number = |word: &str| word.parse::<i64>().expect("a number");
    let bound = |word: &str| words.iter().rposition(|known| *known == word).map(|at| number(words[at + 1]));
    let (from, to) = (bound("from"), bound("to"));
    let within = move |n: i64| from.is_none_or(|from| n >= from) && to.is_none_or(|to| n <= to);
    let is_prime = |n: i64| n > 1 && (2..n).all(|divisor| n % divisor != 0);
    match words[1] {
        "even" => Box::new(move |n| within(n) && n % 2 == 0),
        "odd" => Box::new(move |n| within(n) && n % 2 != 0),
        "primes" => Box::new(move |n| within(n) && is_prime(n)),
        "squares" => Box::new(move |n| within(n) && (0..=n).any(|root| root * root == n)),
        "multiples" => {
            let of = number(words[3]);
            Box::new(move |n| within(n) && n % of == 0)
        }
        "every" => {
            let (step, from) = (number(words[2]), number(words[4]));
            Box::new(move |n| n >= from && within(n) && (n - from) % step == 0)
        }
        single => {
            let single = number(single);
            Box::new(move |n| n == single)
        }
    }
}

fn is_close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

macro_rules! same {
    ($what:literal, $found:expr, $expected:expr) => {
        let (found, expected) = ($found, $expected);
        if found != expected {
            return Err(format!("{}: {found:?}, expected {expected:?}", $what));
        }
    };
}

fn audited(number: u64, version: Version, most: usize) -> Result<Option<Compared>, String> {
    let book = book(number, version);
    let rules = Rules::new(&book);
    let opening = rules.opening(0);
    let Some(graph) = Graph::from(rules, &[opening], most) else { return Ok(None) };
    let text = book.text_with(&[], &[("claims", CLAIMS)]);
    let rulebook = Draft::read("book.toml", &text).build().map_err(|bad| format!("{bad:?}"))?;
    let rulebook = Arc::new(rulebook);
    let game = SolvedGame::new(Arc::clone(&rulebook));
    let audit = game.audit(&mut Budget::patient(1 << 30)).map_err(|why| why.to_string())?;
    let brute = Brute::new(&graph);
    figures_agree(&brute, &audit)?;
    chances_agree(&brute, &audit)?;
    for tested in &audit.claims {
        claim_agrees(&brute, &audit, &rulebook, tested)?;
    }
    one_line_agrees(&book, &brute, &audit)?;
    matters::agree(&graph, &audit.never_fires)?;
    Ok(Some(Compared { one_line: audit.one_line.clone(), never: audit.never_fires.clone() }))
}

/// Counts over many books.
struct Compared {
    one_line: OneLine,
    never: Vec<NeverFires>,
}

fn figures_agree(brute: &Brute<'_>, audit: &Audit) -> Result<(), String> {
    let figures = &audit.figures;
    let opening = match brute.graph.worth(0) {
        Worth::Win(moves) => Verdict::new(Value::Win, moves),
        Worth::Draw => Verdict::DRAW,
        Worth::Loss(moves) => Verdict::new(Value::Loss, moves),
    };
    same!("the opening", figures.opening, opening);
    same!("positions", figures.positions, brute.seen.len() as u64);
    same!("decisions", figures.decisions, brute.count(|place| brute.is_decision(place)));
    same!("subtle", figures.subtle, brute.count(|place| brute.is_subtle(place)));
    same!("forced", figures.forced, brute.count(|place| brute.is_forced(place)));
    let longest = brute.longest(0, &mut HashMap::new());
    same!("longest", figures.longest, longest);
    same!("always ends", figures.always_ends, longest.is_some());
    same!("can be drawn", figures.can_draw, longest.is_none() || brute.can_end_drawn());
    let tails = brute.seen.iter().filter_map(|place| brute.tail(*place));
    same!("the dead tail", figures.dead_tail, tails.max().unwrap_or(0));
    Ok(())
}

fn chances_agree(brute: &Brute<'_>, audit: &Audit) -> Result<(), String> {
    let habit = |word: &str| if word == "random" { Habit::Random } else { Habit::Perfect };
    for (key, odds) in audit.references.by_key() {
        let habits = key.split_once('-').map(|(first, second)| [habit(first), habit(second)]);
        let Some([one, two]) = habits.and_then(|habits| brute.chances(habits)) else { continue };
        let agrees = is_close(odds.wins[Player::One], one) && is_close(odds.wins[Player::Two], two);
        same!("whether the chances agree", (agrees, key), (true, key));
    }
    let (habits, seat) = match brute.graph.worth(0) {
        Worth::Win(_) => ([Habit::Careful, Habit::Perfect], 0),
        Worth::Loss(_) => ([Habit::Perfect, Habit::Careful], 1),
        Worth::Draw => {
            same!("the guess of a drawn game", audit.guess, None);
            return Ok(());
        }
    };
    if let Some(chances) = brute.chances(habits) {
        let agrees = audit.guess.is_some_and(|guess| is_close(guess, chances[seat]));
        same!("whether the guess agrees", (agrees, audit.guess), (true, audit.guess));
    }
    Ok(())
}

fn claim_agrees(
    brute: &Brute<'_>,
    audit: &Audit,
    rulebook: &Arc<Rulebook>,
    tested: &TestedClaim,
) -> Result<(), String> {
    let longest = brute.longest(0, &mut HashMap::new());
    let beats = |habits, seat: usize| brute.chances(habits).map(|wins| wins[seat]);
    let expected = match tested.claim {
        Claim::Ends => longest.is_some(),
        Claim::NoDraws => longest.is_some() && !brute.can_end_drawn(),
        Claim::FirstWins => matches!(brute.graph.worth(0), Worth::Win(_)),
        Claim::SecondWins => matches!(brute.graph.worth(0), Worth::Loss(_)),
        Claim::MovesAtMost(most) => longest.is_some_and(|longest| longest <= most),
        Claim::SubtleAtLeast(least) => brute.count(|place| brute.is_subtle(place)) >= least,
        Claim::SkillWins => {
            let odds = &audit.references;
            let first =
                beats([Habit::Perfect, Habit::Random], 0).unwrap_or(odds.perfect_random.wins[Player::One]);
            let second =
                beats([Habit::Random, Habit::Perfect], 1).unwrap_or(odds.random_perfect.wins[Player::Two]);
            let worse = if first < second { first } else { second };
            same!("whether the skill agrees", is_close(odds.skill(), worse), true);
            worse > 0.75 && !is_close(worse, 0.75)
        }
    };
    let claim = tested.claim.to_string();
    same!("a claim", (&claim, tested.holds), (&claim, expected));
    same!("whether something speaks against it", (&claim, tested.against.is_some()), (&claim, !expected));
    let Some(Against::Line(line) | Against::Endless(line)) = &tested.against else { return Ok(()) };
    let round = set_up(rulebook, line.split_whitespace()).map_err(|bad| format!("{claim}, {line}: {bad}"))?;
    let proves = match tested.claim {
        Claim::Ends => comes_back(&round),
        Claim::NoDraws => comes_back(&round) || round.outcome().is_some_and(|end| end.winner.is_none()),
        Claim::FirstWins => {
            comes_back(&round) || round.outcome().is_some_and(|end| end.winner != Some(Player::One))
        }
        Claim::SecondWins => {
            comes_back(&round) || round.outcome().is_some_and(|end| end.winner != Some(Player::Two))
        }
        Claim::MovesAtMost(most) => round.history().len() as u64 > most || comes_back(&round),
        _ => false,
    };
    same!("whether a line proves it", (&claim, line, proves), (&claim, line, true));
    Ok(())
}

/// Whether the last move of a round, and no earlier one, repeated a position with the same player to move.
fn comes_back(round: &Round) -> bool {
    let mut positions: Vec<_> = round.history().iter().map(|ply| ply.before).collect();
    positions.push(*round.position());
    let last = positions.len() - 1;
    let first_again = (0..positions.len()).find(|at| positions[..*at].contains(&positions[*at]));
    round.outcome().is_none_or(|end| end.winner.is_none()) && first_again == Some(last)
}

fn one_line_agrees(book: &Book, brute: &Brute<'_>, audit: &Audit) -> Result<(), String> {
    let seat = match brute.graph.worth(0) {
        Worth::Win(moves) | Worth::Loss(moves) if moves > 0 => {
            usize::from(matches!(brute.graph.worth(0), Worth::Loss(_)))
        }
        _ => {
            same!("a rule without a winning seat", &audit.one_line, &OneLine::None);
            return Ok(());
        }
    };
    match &audit.one_line {
        OneLine::Found(OneLineRule::Order(order)) => {
            let largest = |pick: &Pick| pick.amount == Amount::Largest;
            let order: Vec<(usize, bool)> =
                order.iter().map(|pick| (pick.entry.place(), largest(pick))).collect();
            same!("whether an order wins", (brute.order_wins(seat, &order), &order), (true, &order));
        }
        OneLine::Found(OneLineRule::Leave { idea, except }) => {
            let (holds, excepted) = (clause(idea), except.numbers());
            // If there are too many to name, the answer excepts all numbers where landing loses.
            let is_excepted = |n: i64| match &excepted {
                Some(numbers) => numbers.contains(&n.into()),
                None => brute.graph.rules.landing_loses(n.into()),
            };
            let wins = brute.leaving_wins(seat, &|n| holds(n) && !is_excepted(n));
            same!("whether an idea wins", (wins, idea), (true, idea));
        }
        OneLine::Unknown => return Ok(()),
        OneLine::None => {}
    }
    if !matches!(audit.one_line, OneLine::Found(OneLineRule::Order(_))) {
        let wins = brute.orders(300).into_iter().find(|order| brute.order_wins(seat, order));
        same!("an order that was not found", wins, None);
    }
    let number_decides = !book.separate
        && book.no_repeat == "none"
        && book.passes.is_none()
        && book.items.iter().all(|item| item.uses.is_none());
    if audit.one_line == OneLine::None && number_decides && book.style.is_multiple_of(2) {
        let numbers: BTreeSet<i64> = brute.graph.nodes.iter().map(|node| node.spot.numbers[0]).collect();
        let (low, high) = (*numbers.first().unwrap_or(&0), *numbers.last().unwrap_or(&0));
        if high - low < 16 {
            for step in 1..=high - low + 1 {
                for from in low..=high {
                    for to in (from..=high).filter(|to| (to - from) % step == 0) {
                        let holds = |n: i64| (from..=to).contains(&n) && (n - from) % step == 0;
                        let wins = brute.leaving_wins(seat, &holds);
                        same!("an idea that was not found", (wins, step, from, to), (false, step, from, to));
                    }
                }
            }
        }
    }
    Ok(())
}

fn all_agree(numbers: Range<u64>, version: Version) {
    let (count, mut compared, mut orders, mut ideas, mut none, mut never) =
        (numbers.end - numbers.start, 0, 0, 0, 0, 0);
    for number in numbers {
        let found = audited(number, version, 400);
        let found =
            found.unwrap_or_else(|why| panic!("book {number}\n{}\n{why}", book(number, version).text()));
        let Some(found) = found else { continue };
        compared += 1;
        never += found.never.len();
        match found.one_line {
            OneLine::Found(OneLineRule::Order(_)) => orders += 1,
            OneLine::Found(OneLineRule::Leave { .. }) => ideas += 1,
            OneLine::None => none += 1,
            OneLine::Unknown => {}
        }
    }
    assert!(compared * 2 > count, "only {compared} of {count} books are small enough");
    // Coverage check: every kind of finding occurs.
    assert!(orders > 20 && ideas > 2 && none > 20 && never > 100, "{orders} {ideas} {none} {never}");
}

/// Perfect play wins immediately. A random player finds the winning move in one of four or one of eight cases.
#[test]
fn skill_wins_more_than_three_times_in_four() {
    let told = |target: u32| {
        let rules = format!("target = {target}\nmoves = ['+1..{target}']");
        let text = format!("title = 'T'\nstart = 0\n{rules}\nclaims = ['skill-wins']");
        let rulebook = Arc::new(Draft::read("book.toml", &text).build().unwrap());
        let audit = SolvedGame::new(rulebook).audit(&mut Budget::patient(1 << 20)).unwrap();
        (audit.references.skill(), audit.claims[0].holds, audit.claims[0].against.clone())
    };
    assert_eq!(told(4), (0.75, false, Some(Against::Figure(0.75))));
    assert_eq!(told(8), (0.875, true, None));
}

#[test]
fn audits_of_version_1_books_agree() {
    all_agree(0..800, Version::One);
}

#[test]
fn audits_of_version_2_books_agree_1() {
    all_agree(0..800, Version::Two);
}

#[test]
fn audits_of_version_2_books_agree_2() {
    all_agree(800..1_600, Version::Two);
}
