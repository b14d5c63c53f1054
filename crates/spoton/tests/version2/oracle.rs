//! A second engine and a slow solver, written directly from the format's definition. Independent of the
//! library.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::version2::books::{Amount, Book, Condition, Item, Kind, LARGEST_AMOUNT, Listed};

/// A player: 0 is Player 1, 1 is Player 2.
pub type Seat = usize;

pub fn other(seat: Seat) -> Seat {
    1 - seat
}

/// A move as written: `-3`, or `@-3` on the opponent's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Written {
    pub on_other: bool,
    pub sign: char,
    pub amount: i64,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", if self.on_other { "@" } else { "" }, self.sign, self.amount)
    }
}

/// A position: the state that affects the future, according to the format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// A shared number appears twice.
    pub numbers: [i64; 2],
    pub turn: Seat,
    pub last: [Option<Written>; 2],
    /// The uses of each limited entry. Shared uses are in the first player's slot.
    pub used: Vec<[u8; 2]>,
    pub passes: [u8; 2],
    /// The number of turns taken, if `turns` is set.
    pub plies: u16,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    pub winner: Option<Seat>,
    pub why: &'static str,
}

/// The result of a turn.
#[derive(Clone, Debug)]
pub enum Next {
    On(Spot),
    Over(End),
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub struct Legal {
    pub written: Written,
    /// The entry that offers it, whose uses it counts against.
    pub entry: usize,
    pub result: i128,
}

/// The options of the player to move.
#[derive(Clone, Debug)]
pub enum Facing {
    Choose(Vec<Legal>),
    Skip,
    Over(End),
}

/// The effect of landing on a number.
enum Meaning {
    Refused,
    Ends { owner_wins: bool, why: &'static str },
    Nothing,
}

fn is_prime(number: i128) -> bool {
    if number < 2 {
        return false;
    }
    let small: [i128; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if let Some(divisor) = small.into_iter().find(|divisor| number % divisor == 0) {
        return number == divisor;
    }
    if number < 1_000_000 {
        return (2..number).take_while(|divisor| divisor * divisor <= number).all(|d| number % d != 0);
    }
    // The Miller–Rabin test with these bases is exact below 3.3 * 10^24.
    let power = |base: i128, mut exponent: i128| {
        let (mut result, mut square) = (1, base % number);
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result * square % number;
            }
            square = square * square % number;
            exponent /= 2;
        }
        result
    };
    let twos = (number - 1).trailing_zeros();
    small.into_iter().all(|base| {
        let mut found = power(base, (number - 1) >> twos);
        if found == 1 {
            return true;
        }
        for _ in 0..twos {
            if found == number - 1 {
                return true;
            }
            found = found * found % number;
        }
        false
    })
}

impl Kind {
    pub fn holds(self, number: i128) -> bool {
        match self {
            Kind::Even => number % 2 == 0,
            Kind::Odd => number % 2 != 0,
            Kind::Prime => is_prime(number),
            Kind::Square => number >= 0 && number.isqrt() * number.isqrt() == number,
            Kind::Multiples(of) => number % i128::from(of) == 0,
        }
    }
}

impl Condition {
    pub fn holds(self, number: i64) -> bool {
        match self {
            Condition::Kind(kind) => kind.holds(number.into()),
            Condition::Below(than) => number < than,
            Condition::Above(than) => number > than,
            Condition::Between(a, b) => a <= number && number <= b,
        }
    }
}

/// The amounts of an entry at a number, ascending.
pub fn amounts(entry: &Item, number: i64) -> Vec<i64> {
    if let Amount::Fixed(amount) = entry.amount {
        return vec![amount];
    }
    if number < 1 {
        return vec![];
    }
    let most = number.min(LARGEST_AMOUNT);
    let mut found: Vec<i64> = match entry.amount {
        Amount::Divisor => {
            let first = if entry.sign == '/' { 2 } else { 1 };
            (first..=most).filter(|amount| *amount < number && number % amount == 0).collect()
        }
        Amount::Prime => {
            (2..=most).filter(|amount| number % amount == 0 && is_prime((*amount).into())).collect()
        }
        Amount::Digit => (1..=9).filter(|digit| number.to_string().contains(&digit.to_string())).collect(),
        Amount::Half => (1..=LARGEST_AMOUNT.min(number / 2)).collect(),
        Amount::Fixed(_) | Amount::Span(..) => unreachable!("spans are spelled out"),
    };
    found.retain(|amount| entry.from.is_none_or(|from| *amount >= from));
    found.retain(|amount| entry.to.is_none_or(|to| *amount <= to));
    found
}

pub fn apply(number: i64, written: Written) -> Option<i128> {
    let (number, amount) = (i128::from(number), i128::from(written.amount));
    match written.sign {
        '+' => Some(number + amount),
        '-' => Some(number - amount),
        'x' => Some(number * amount),
        _ => (number % amount == 0).then(|| number / amount),
    }
}

pub fn has_integer(list: &[Listed], number: i128) -> bool {
    list.iter().any(|listed| matches!(listed, Listed::Integer(known) if i128::from(*known) == number))
}

pub fn has_span_or_kind(list: &[Listed], number: i128) -> bool {
    list.iter().any(|listed| match listed {
        Listed::Integer(_) => false,
        Listed::Span(from, to) => i128::from(*from) <= number && number <= i128::from(*to),
        Listed::Kind(kind) => kind.holds(number),
    })
}

/// The rules of a book.
pub struct Rules<'a> {
    pub book: &'a Book,
    pub entries: Vec<Item>,
}

impl<'a> Rules<'a> {
    pub fn new(book: &'a Book) -> Rules<'a> {
        Rules { book, entries: book.entries() }
    }

    pub fn opening(&self, first: Seat) -> Spot {
        let (starter, follower) = self.book.start;
        let mut numbers = [starter; 2];
        numbers[other(first)] = follower;
        Spot {
            numbers,
            turn: first,
            last: [None; 2],
            used: vec![[0; 2]; self.entries.len()],
            passes: [0; 2],
            plies: 0,
        }
    }

    pub fn is_past(&self, number: i128) -> bool {
        match (self.book.target.map(i128::from), self.book.climbs()) {
            (Some(target), Some(true)) => number > target,
            (Some(target), Some(false)) => number < target,
            _ => false,
        }
    }

    fn meaning(&self, number: i128) -> Meaning {
        let book = self.book;
        if book.target.map(i128::from) == Some(number) {
            return Meaning::Ends { owner_wins: book.reach == "wins", why: "reached" };
        }
        if has_integer(&book.forbidden, number) {
            return Meaning::Refused;
        }
        if self.is_past(number) {
            return match book.past {
                "forbidden" => Meaning::Refused,
                past => Meaning::Ends { owner_wins: past == "wins", why: "overshot" },
            };
        }
        let (low, high) = book.bounds();
        if number < low.into() || number > high.into() {
            return Meaning::Refused;
        }
        for holds in [has_integer, has_span_or_kind] {
            if holds(&book.forbidden, number) {
                return Meaning::Refused;
            }
            if holds(&book.winning, number) {
                return Meaning::Ends { owner_wins: true, why: "landed" };
            }
            if holds(&book.losing, number) {
                return Meaning::Ends { owner_wins: false, why: "landed" };
            }
        }
        Meaning::Nothing
    }

    /// Whether landing on a number loses for its owner.
    pub fn landing_loses(&self, number: i128) -> bool {
        matches!(self.meaning(number), Meaning::Ends { owner_wins: false, .. })
    }

    /// Whether a number can change: a move may land on it without ending the round, or a player starts with it.
    pub fn may_come_up(&self, number: i64) -> bool {
        let (one, two) = self.book.start;
        [one, two].contains(&number) || matches!(self.meaning(number.into()), Meaning::Nothing)
    }

    /// Whether the rule against repeats refuses a move.
    pub fn repeats(&self, spot: &Spot, written: Written) -> bool {
        let own = spot.last[spot.turn] == Some(written);
        let opponent = spot.last[other(spot.turn)] == Some(written);
        match self.book.no_repeat {
            "own" => own,
            "opponent" => opponent,
            "both" => own || opponent,
            _ => false,
        }
    }

    /// The player whose number a move changes.
    pub fn owner(spot: &Spot, on_other: bool) -> Seat {
        if on_other { other(spot.turn) } else { spot.turn }
    }

    pub fn has_uses_left(&self, spot: &Spot, entry: usize) -> bool {
        match self.entries[entry].uses {
            None => true,
            Some((uses, true)) => spot.used[entry][0] < uses,
            Some((uses, false)) => spot.used[entry][spot.turn] < uses,
        }
    }

    /// The result of a move, if everything but its entry allows it.
    fn allowed(&self, spot: &Spot, written: Written) -> Option<i128> {
        if self.repeats(spot, written) {
            return None;
        }
        let number = spot.numbers[Rules::owner(spot, written.on_other)];
        let result = apply(number, written)?;
        if matches!(self.meaning(result), Meaning::Refused) {
            return None;
        }
        let is_pass = result == i128::from(number);
        let passes_left = self.book.passes.is_none_or(|passes| spot.passes[spot.turn] < passes);
        (!is_pass || passes_left).then_some(result)
    }

    /// All moves of all entries in book order, with their entries. May have duplicates.
    pub fn of_each_entry(&self, spot: &Spot) -> Vec<(usize, Written)> {
        let mut all = Vec::new();
        for (place, entry) in self.entries.iter().enumerate() {
            let number = spot.numbers[Rules::owner(spot, entry.on_other)];
            for amount in amounts(entry, number) {
                all.push((place, Written { on_other: entry.on_other, sign: entry.sign, amount }));
            }
        }
        all
    }

    /// Whether the conditions of an entry allow the number to change.
    pub fn condition_holds(&self, spot: &Spot, entry: usize) -> bool {
        let entry = &self.entries[entry];
        let number = spot.numbers[Rules::owner(spot, entry.on_other)];
        entry.when.iter().all(|condition| condition.holds(number))
    }

    /// The legal moves, each at the entry that offers it.
    pub fn legal(&self, spot: &Spot) -> Vec<Legal> {
        let mut legal: Vec<Legal> = Vec::new();
        for (entry, written) in self.of_each_entry(spot) {
            let is_known = legal.iter().any(|known| known.written == written);
            if is_known || !self.condition_holds(spot, entry) || !self.has_uses_left(spot, entry) {
                continue;
            }
            if let Some(result) = self.allowed(spot, written) {
                legal.push(Legal { written, entry, result });
            }
        }
        legal
    }

    fn by_closeness(&self, spot: &Spot, why: &'static str) -> End {
        let target = self.book.target.expect("closeness needs a target");
        let [one, two] = spot.numbers.map(|number| number.abs_diff(target));
        let winner = match one.cmp(&two) {
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(1),
        };
        End { winner, why }
    }

    pub fn facing(&self, spot: &Spot) -> Facing {
        let legal = self.legal(spot);
        if !legal.is_empty() {
            return Facing::Choose(legal);
        }
        let (turn, stuck) = (spot.turn, self.book.stuck);
        let over = |winner| Facing::Over(End { winner, why: "stuck" });
        match stuck {
            "loses" => over(Some(other(turn))),
            "wins" => over(Some(turn)),
            "draws" => over(None),
            _ if !self.legal(&Spot { turn: other(turn), ..spot.clone() }).is_empty() => Facing::Skip,
            "skips" => over(None),
            _ => Facing::Over(self.by_closeness(spot, "closest")),
        }
    }

    /// The opponent's turn, or the end after the last one.
    fn turn_over(&self, mut spot: Spot) -> Next {
        spot.turn = other(spot.turn);
        if let Some(turns) = self.book.turns {
            spot.plies += 1;
            if spot.plies == 2 * u16::from(turns) {
                return Next::Over(self.by_closeness(&spot, "turns"));
            }
        }
        // Forget state that is never checked.
        match self.book.no_repeat {
            "none" => spot.last = [None; 2],
            "opponent" if !matches!(self.book.stuck, "skips" | "closest") => spot.last[spot.turn] = None,
            _ => {}
        }
        Next::On(spot)
    }

    pub fn skip(&self, spot: &Spot) -> Next {
        self.turn_over(spot.clone())
    }

    pub fn play(&self, spot: &Spot, legal: Legal) -> Next {
        let mover = spot.turn;
        let owner = Rules::owner(spot, legal.written.on_other);
        if let Meaning::Ends { owner_wins, why } = self.meaning(legal.result) {
            let winner = if owner_wins { owner } else { other(owner) };
            return Next::Over(End { winner: Some(winner), why });
        }
        let mut next = spot.clone();
        let number = i64::try_from(legal.result).expect("the number is in the range");
        if number == spot.numbers[owner] && self.book.passes.is_some() {
            next.passes[mover] += 1;
        }
        next.numbers[owner] = number;
        if !self.book.separate {
            next.numbers = [number; 2];
        }
        match self.entries[legal.entry].uses {
            None => {}
            Some((_, true)) => next.used[legal.entry][0] += 1,
            Some((_, false)) => next.used[legal.entry][mover] += 1,
        }
        next.last[mover] = Some(legal.written);
        self.turn_over(next)
    }

    /// A position as a short text.
    pub fn text(&self, spot: &Spot) -> String {
        let pair = |[one, two]: [String; 2]| format!("{one},{two}");
        let numbers = if self.book.separate {
            pair(spot.numbers.map(|number| number.to_string()))
        } else {
            spot.numbers[0].to_string()
        };
        let previous = match self.book.no_repeat {
            "none" => String::new(),
            _ => pair(spot.last.map(|last| last.map_or("-".to_owned(), |written| written.to_string()))),
        };
        let mut uses: Vec<String> = Vec::new();
        for (entry, [one, two]) in self.entries.iter().zip(&spot.used) {
            match entry.uses {
                None => {}
                Some((_, true)) => uses.push(one.to_string()),
                Some((_, false)) => uses.push(format!("{one}/{two}")),
            }
        }
        let passes = self.book.passes.map_or(String::new(), |_| pair(spot.passes.map(|n| n.to_string())));
        let plies = self.book.turns.map_or(String::new(), |_| spot.plies.to_string());
        let turn = (spot.turn + 1).to_string();
        let fields = [numbers, turn, previous, uses.join(","), passes, plies];
        fields.join(";").trim_end_matches(';').to_owned()
    }
}

/// The result of a turn within a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    To(usize),
    Over(End),
}

/// A possible turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// `None` for a skipped turn.
    pub legal: Option<Legal>,
    pub leads: Leads,
}

pub struct Node {
    pub spot: Spot,
    /// How the round ended, if the player to move is stuck and that ends it.
    pub over: Option<End>,
    pub turns: Vec<Turn>,
}

/// A position's or a move's value to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    Win(u64),
    Draw,
    Loss(u64),
}

impl Worth {
    fn from_end(end: End, seat: Seat, remoteness: u64) -> Worth {
        match end.winner {
            None => Worth::Draw,
            Some(winner) if winner == seat => Worth::Win(remoteness),
            Some(_) => Worth::Loss(remoteness),
        }
    }

    /// A move's value to the mover, from the value of its result.
    fn before_move(self) -> Worth {
        match self {
            Worth::Win(moves) => Worth::Loss(moves + 1),
            Worth::Draw => Worth::Draw,
            Worth::Loss(moves) => Worth::Win(moves + 1),
        }
    }
}

/// A player with fixed habits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    Random,
    Careful,
    Perfect,
}

/// All reachable positions, with their values.
pub struct Graph<'a> {
    pub rules: Rules<'a>,
    pub nodes: Vec<Node>,
    places: HashMap<Spot, usize>,
    /// `None` for a draw.
    settled: Vec<Option<Worth>>,
}

impl<'a> Graph<'a> {
    /// Starts from the two openings, which come first.
    pub fn of_openings(book: &'a Book, most: usize) -> Option<Graph<'a>> {
        let rules = Rules::new(book);
        let openings = [0, 1].map(|first| rules.opening(first));
        Graph::from(rules, &openings, most)
    }

    /// Starts from any positions; `None` if more than `most` are reachable.
    pub fn from(rules: Rules<'a>, roots: &[Spot], most: usize) -> Option<Graph<'a>> {
        let mut graph = Graph { rules, nodes: Vec::new(), places: HashMap::new(), settled: Vec::new() };
        for root in roots {
            graph.place(root.clone());
        }
        let mut next = 0;
        while next < graph.nodes.len() {
            if graph.nodes.len() > most {
                return None;
            }
            graph.look_at(next);
            next += 1;
        }
        graph.settle();
        Some(graph)
    }

    fn place(&mut self, spot: Spot) -> usize {
        if let Some(place) = self.places.get(&spot) {
            return *place;
        }
        let place = self.nodes.len();
        self.places.insert(spot.clone(), place);
        self.nodes.push(Node { spot, over: None, turns: vec![] });
        place
    }

    fn look_at(&mut self, place: usize) {
        let spot = self.nodes[place].spot.clone();
        let next: Vec<(Option<Legal>, Next)> = match self.rules.facing(&spot) {
            Facing::Over(end) => {
                self.nodes[place].over = Some(end);
                vec![]
            }
            Facing::Skip => vec![(None, self.rules.skip(&spot))],
            Facing::Choose(legal) => {
                legal.into_iter().map(|legal| (Some(legal), self.rules.play(&spot, legal))).collect()
            }
        };
        for (legal, next) in next {
            let leads = match next {
                Next::On(spot) => Leads::To(self.place(spot)),
                Next::Over(end) => Leads::Over(end),
            };
            self.nodes[place].turns.push(Turn { legal, leads });
        }
    }

    /// Iterates over all positions: finds finished rounds, then wins and losses in one move, in two, and so
    /// on. The rest are draws.
    fn settle(&mut self) {
        self.settled = vec![None; self.nodes.len()];
        let mut open: Vec<usize> = (0..self.nodes.len()).collect();
        for moves in 0.. {
            let found: Vec<(usize, Worth)> =
                open.iter().filter_map(|place| Some((*place, self.ends_in(*place, moves)?))).collect();
            for (place, worth) in &found {
                self.settled[*place] = Some(*worth);
            }
            open.retain(|place| self.settled[*place].is_none());
            if found.is_empty() && moves > 0 {
                break;
            }
        }
    }

    /// The value of a position, if it's decided in exactly this many moves. Values with fewer moves are already known.
    fn ends_in(&self, place: usize, moves: u64) -> Option<Worth> {
        let node = &self.nodes[place];
        if let Some(end) = node.over {
            return Some(Worth::from_end(end, node.spot.turn, 0)).filter(|worth| *worth != Worth::Draw);
        }
        let known: Vec<Option<Worth>> =
            node.turns.iter().map(|turn| self.known_worth(node.spot.turn, turn.leads)).collect();
        if known.contains(&Some(Worth::Win(moves))) {
            return Some(Worth::Win(moves));
        }
        let lost = known.iter().all(|worth| matches!(worth, Some(Worth::Loss(_))));
        (lost && known.contains(&Some(Worth::Loss(moves)))).then_some(Worth::Loss(moves))
    }

    fn known_worth(&self, mover: Seat, leads: Leads) -> Option<Worth> {
        match leads {
            Leads::Over(end) => Some(Worth::from_end(end, mover, 1)),
            Leads::To(next) => self.settled[next].map(Worth::before_move),
        }
    }

    pub fn worth(&self, place: usize) -> Worth {
        self.settled[place].unwrap_or(Worth::Draw)
    }

    pub fn worth_of(&self, place: usize, turn: &Turn) -> Worth {
        self.known_worth(self.nodes[place].spot.turn, turn.leads).unwrap_or(Worth::Draw)
    }

    /// A position as the player to move sees it, in either seat.
    pub fn as_seen(&self, place: usize) -> Spot {
        let mut spot = self.nodes[place].spot.clone();
        if spot.turn == 1 {
            spot.turn = 0;
            spot.numbers.reverse();
            spot.last.reverse();
            spot.passes.reverse();
            for (entry, used) in self.rules.entries.iter().zip(&mut spot.used) {
                if matches!(entry.uses, Some((_, false))) {
                    used.reverse();
                }
            }
        }
        spot
    }

    /// The number of positions as the player to move sees them.
    pub fn len_as_seen(&self) -> usize {
        let seen: std::collections::HashSet<Spot> =
            (0..self.nodes.len()).map(|place| self.as_seen(place)).collect();
        seen.len()
    }

    /// How a turn ends the round right away, by its number or because the opponent is stuck.
    pub fn ends_at_once(&self, turn: &Turn) -> Option<End> {
        match turn.leads {
            Leads::Over(end) => Some(end),
            Leads::To(next) => self.nodes[next].over,
        }
    }

    /// The turns that a player picks with equal probability.
    fn picks(&self, place: usize, habit: Habit) -> Vec<Leads> {
        let turns = &self.nodes[place].turns;
        let rank = |turn: &Turn| match self.worth_of(place, turn) {
            Worth::Win(moves) => (2, u64::MAX - moves),
            Worth::Draw => (1, 0),
            Worth::Loss(moves) => (0, moves),
        };
        let best = turns.iter().map(rank).max();
        let mover = self.nodes[place].spot.turn;
        let at_once = |turn: &Turn| self.ends_at_once(turn).map(|end| end.winner);
        let wins = |turn: &Turn| at_once(turn) == Some(Some(mover));
        let loses = |turn: &Turn| at_once(turn) == Some(Some(other(mover)));
        let fits = |turn: &&Turn| match habit {
            Habit::Random => true,
            Habit::Perfect => Some(rank(turn)) == best,
            Habit::Careful if turns.iter().any(wins) => wins(turn),
            Habit::Careful => !loses(turn) || turns.iter().all(loses),
        };
        turns.iter().filter(fits).map(|turn| turn.leads).collect()
    }

    /// Each player's probability of winning from a position, by iterating to convergence. The remaining probability is
    /// for draws and endless play. Returns `None` if that takes too long.
    pub fn chances(&self, place: usize, habits: [Habit; 2]) -> Option<[f64; 2]> {
        let picks: Vec<Vec<Leads>> = (0..self.nodes.len())
            .map(|place| self.picks(place, habits[self.nodes[place].spot.turn]))
            .collect();
        let sure = |end: &End| [0, 1].map(|seat| if end.winner == Some(seat) { 1.0 } else { 0.0 });
        let mut wins: Vec<[f64; 2]> =
            self.nodes.iter().map(|node| node.over.as_ref().map_or([0.0; 2], sure)).collect();
        for _ in 0..6_000 {
            let mut change: f64 = 0.0;
            for place in (0..self.nodes.len()).rev() {
                if picks[place].is_empty() {
                    continue;
                }
                let mut sum = [0.0; 2];
                for leads in &picks[place] {
                    let chances = match leads {
                        Leads::Over(end) => sure(end),
                        Leads::To(next) => wins[*next],
                    };
                    sum = [sum[0] + chances[0], sum[1] + chances[1]];
                }
                let mean = sum.map(|sum| sum / picks[place].len() as f64);
                change = change.max((mean[0] - wins[place][0]).abs()).max((mean[1] - wins[place][1]).abs());
                wins[place] = mean;
            }
            if change < 1e-16 {
                return Some(wins[place]);
            }
        }
        None
    }

    /// Counts each kind of thing, to test the variety of the books.
    pub fn kinds(&self) -> BTreeMap<String, u32> {
        let mut met: BTreeMap<String, u32> = BTreeMap::new();
        let mut meet = |kind: String| *met.entry(kind).or_default() += 1;
        let book = self.rules.book;
        let who = |end: &End| end.winner.map_or("draw".to_owned(), |winner| format!("Player {}", winner + 1));
        for node in &self.nodes {
            if let Some(end) = &node.over {
                meet(format!("{}: {}", end.why, who(end)));
            }
            let each = self.rules.of_each_entry(&node.spot);
            for turn in &node.turns {
                if let Leads::Over(end) = &turn.leads {
                    meet(format!("{}: {}", end.why, who(end)));
                }
                let Some(legal) = &turn.legal else {
                    meet(format!("a skip under {}", book.stuck));
                    continue;
                };
                let entry = &self.rules.entries[legal.entry];
                let amount = match entry.amount {
                    Amount::Divisor => "divisor",
                    Amount::Prime => "prime",
                    Amount::Digit => "digit",
                    Amount::Half => "half",
                    Amount::Fixed(_) | Amount::Span(..) => "k",
                };
                let at = if entry.on_other { "@" } else { "" };
                meet(format!("a move {at}{}{amount}", entry.sign));
                if entry.on_other
                    && let Leads::Over(end) = &turn.leads
                {
                    let wins = end.winner == Some(node.spot.turn);
                    meet(format!(
                        "{} on the other's number: {}",
                        end.why,
                        if wins { "won" } else { "not won" }
                    ));
                }
                if each.iter().filter(|(_, written)| *written == legal.written).count() > 1 {
                    meet("a move of several entries".to_owned());
                    let first = each.iter().find(|(_, written)| *written == legal.written);
                    if first.is_some_and(|(first, _)| *first != legal.entry) {
                        let by_uses =
                            self.rules.condition_holds(&node.spot, first.map_or(0, |first| first.0));
                        let why = if by_uses { "uses" } else { "a condition" };
                        meet(format!("a move of a later entry because of {why}"));
                    }
                }
            }
            for (place, entry) in self.rules.entries.iter().enumerate() {
                let number = node.spot.numbers[Rules::owner(&node.spot, entry.on_other)];
                for condition in &entry.when {
                    let word = condition.to_string();
                    let word = word.split(' ').next().unwrap_or_default().trim_end_matches('s');
                    meet(format!("{word}: {}", condition.holds(number)));
                }
                if entry.when.len() > 1 && self.rules.condition_holds(&node.spot, place) {
                    meet("several conditions that hold".to_owned());
                }
                if entry.is_computed() && amounts(entry, number).is_empty() {
                    meet("no amount".to_owned());
                }
            }
        }
        met
    }
}
