//! The recurrence for the value of a number from larger ones, and the jumps over whole stretches.

use super::super::sweep::{Memories, ends, goes_up};
use super::super::value::{Score, Value, Verdict};
use super::super::{Budget, Unsolved};
use super::Counting;
use super::strip::{Cell, Place, Strip};
use crate::engine::operation::Affine;
use crate::engine::position::{ByPlayer, Choice, MOST_MOVES, Player};
use crate::format::{Direction, LARGEST, NoRepeat, Rulebook, Stuck};

/// Larger additions are looked up in stretches, like multiples. Smaller ones are looked up among recent
/// numbers.
const LONGEST_WINDOW: i64 = 1 << 14;

/// Numbers per call to the budget.
const PATIENCE: usize = 1 << 10;

/// The game as this strategy sees it: numbers that only go up, and the endings.
pub(super) struct Recurrence {
    pub(super) counting: Counting,
    /// -1 if the game's numbers go down, in which case they are negated so that they go up.
    pub(super) sign: i64,
    pub(super) memories: Memories,
    /// By memory: the legal moves, and the memory after each.
    legal: Vec<Vec<(usize, usize)>>,
    moves: Vec<Source>,
    /// The moves to look up in stretches.
    far: Vec<Affine>,
    /// The largest addition of the other moves.
    window: usize,
    pub(super) lowest: i64,
    pub(super) highest: i64,
    /// The result of being stuck, unless turns are skipped.
    stuck: i64,
    /// If turns are skipped: the memory after a skip, by memory. If the opponent is stuck too, the round
    /// is over.
    skips: Option<Vec<usize>>,
    /// Numbers without a turn, descending, with the result for the player who would move.
    pub(super) ended: Vec<(i64, i64)>,
    /// The numbers above the highest: the first of each range, and the result of going there.
    beyond: Vec<(i64, i64)>,
}

/// Memories for one player who repeats a move: that player is to move, or the other one is.
pub(super) const REPEATS: usize = 0;
pub(super) const REPLIES: usize = 1;

/// The destination of a move.
#[derive(Clone, Copy)]
enum Source {
    /// This many numbers up.
    Near(usize),
    /// Into a stretch; an index into `far`.
    Far(usize),
}

impl Recurrence {
    /// Returns an error if the moves and their memories alone exceed the budget.
    pub(super) fn from_rulebook(
        rulebook: &Rulebook,
        counting: Counting,
        budget: &Budget<'_>,
    ) -> Result<Recurrence, Unsolved> {
        let choices = rulebook.fixed_choices().count();
        let memories = if rulebook.no_repeat() == NoRepeat::None { 1 } else { (choices + 1).pow(2) };
        let each = choices * size_of::<(usize, usize)>() + size_of::<[usize; 8]>();
        budget.require_bytes(0, 1, (memories * each) as u128)?;
        let sign = if goes_up(rulebook) { 1 } else { -1 };
        let memories = match counting {
            Counting::Alone => Memories::alone(rulebook),
            Counting::Moves | Counting::Nothing => Memories::reachable(rulebook),
        };
        let choices: Vec<Choice> = rulebook.fixed_choices().collect();
        let (mut moves, mut far, mut window) = (vec![], vec![], 0);
        for choice in &choices {
            let does = rulebook.operation(*choice).and_then(|operation| operation.as_affine());
            let does = does.unwrap_or(Affine { factor: 1, addend: LARGEST * sign });
            match (Affine { factor: does.factor, addend: does.addend * sign }) {
                Affine { factor: 1, addend } if addend <= LONGEST_WINDOW => {
                    window = window.max(addend as usize);
                    moves.push(Source::Near(addend as usize));
                }
                does => {
                    moves.push(Source::Far(far.len()));
                    far.push(does);
                }
            }
        }
        let after = |(mine, theirs), choice: Choice| {
            let ByPlayer([mine, theirs]) = rulebook.remembered(ByPlayer([mine, theirs]), Player::One, choice);
            memories.place(if counting == Counting::Alone { (mine, None) } else { (theirs, mine) })
        };
        let may_follow = |(mine, theirs): (Option<Choice>, Option<Choice>), choice: Choice| {
            let no_repeat = rulebook.no_repeat();
            !(no_repeat.looks_at_own() && mine == Some(choice)
                || no_repeat.looks_at_opponent() && theirs == Some(choice))
        };
        let legal_after = |memory: &(Option<Choice>, Option<Choice>)| {
            let moves = choices.iter().enumerate().filter(|(_, choice)| may_follow(*memory, **choice));
            moves.filter_map(|(place, choice)| Some((place, after(*memory, *choice)?))).collect()
        };
        let legal = memories.known.iter().map(legal_after).collect();
        let after_skip = |(mine, theirs): &(Option<Choice>, Option<Choice>)| memories.place((*theirs, *mine));
        let skips = (counting != Counting::Alone && rulebook.may_skip())
            .then(|| memories.known.iter().filter_map(after_skip).collect());
        // If each player has a number, include both.
        let (lowest, highest) = ends(rulebook);
        let (_, other) = rulebook.start();
        let (lowest, highest) = match (sign, (lowest.min(other), highest.max(other))) {
            (1, ends) => ends,
            (_, (lowest, highest)) => (-highest, -lowest),
        };
        let of = |value| counting.score(Verdict::new(value, 0));
        let stuck = match rulebook.stuck() {
            _ if counting == Counting::Alone => i64::NONE,
            Stuck::Loses => of(Value::Loss),
            Stuck::Wins => of(Value::Win),
            _ => of(Value::Draw),
        };
        // The result for the player who would move at a number that ends the round.
        let landed = |number: i64| {
            let number = i128::from(number) * i128::from(sign);
            match (rulebook.admits(number), rulebook.landing_of_number(number)) {
                (Err(_), _) => i64::NONE,
                (Ok(()), Some((true, _))) => of(Value::Loss),
                (Ok(()), _) => of(Value::Win),
            }
        };
        let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
        let listed = lists.into_iter().flat_map(|list| list.integers.iter().map(|number| number * sign));
        let mut listed: Vec<i64> = listed.filter(|number| *number > lowest).collect();
        listed.sort_unstable_by(|one, two| two.cmp(one));
        let inside = listed.iter().filter(|number| **number <= highest);
        let ended = inside.map(|number| (*number, landed(*number))).collect();
        // From the highest down: each listed number, and the ranges between.
        let ahead = if sign == 1 { Direction::Climb } else { Direction::Countdown };
        let target = rulebook.target().filter(|_| rulebook.direction() == Some(ahead));
        let mut single: Vec<i64> = listed.into_iter().filter(|number| *number > highest).collect();
        single.extend(target.map(|target| target * sign));
        single.sort_unstable_by(|one, two| two.cmp(one));
        single.dedup();
        let mut beyond = vec![];
        let mut above = i64::MAX;
        for number in single {
            if above > number {
                beyond.push((number + 1, landed(number + 1)));
            }
            beyond.push((number, landed(number)));
            above = number - 1;
        }
        if above > highest {
            beyond.push((highest + 1, landed(highest + 1)));
        }
        Ok(Recurrence {
            counting,
            sign,
            memories,
            legal,
            moves,
            far,
            window,
            lowest,
            highest,
            stuck,
            skips,
            ended,
            beyond,
        })
    }

    /// A book without memory in which one player repeats the same move. The memories are [`REPEATS`] and
    /// [`REPLIES`]. `None` if that isn't one of the moves.
    pub(super) fn repeating(
        choice: Choice,
        rulebook: &Rulebook,
        budget: &Budget<'_>,
    ) -> Result<Option<Recurrence>, Unsolved> {
        let rules = Recurrence::from_rulebook(rulebook, Counting::Nothing, budget)?;
        let Some(place) = rulebook.fixed_choices().position(|known| known == choice) else { return Ok(None) };
        let replies = (0..rules.moves.len()).map(|reply| (reply, REPEATS)).collect();
        Ok(Some(Recurrence { legal: vec![vec![(place, REPLIES)], replies], ..rules }))
    }

    pub(super) fn bytes(&self) -> u64 {
        let each = |list: &Vec<(usize, usize)>| list.capacity() * size_of::<(usize, usize)>();
        let lists = (self.ended.capacity() + self.beyond.capacity()) * size_of::<(i64, i64)>();
        let skips = self.skips.as_ref().map_or(0, |skips| skips.capacity() * size_of::<usize>());
        (self.legal.iter().map(each).sum::<usize>() + lists + skips) as u64 + self.memories.bytes()
    }

    /// The score of a number with a memory; `None` if play can't reach it.
    pub(super) fn score(&self, strip: &Strip, number: i64, memory: usize) -> Option<i64> {
        if !(self.lowest..=self.highest).contains(&number) {
            return None;
        }
        if self.ended.binary_search_by(|(ended, _)| number.cmp(ended)).is_err() {
            return Some(strip.score(&strip.pieces[strip.find(number)], number, memory));
        }
        // No turn happens there, but the value is still defined.
        let best = |memory: usize| {
            let options = self.legal[memory].iter().map(|(place, next)| {
                let result = match self.moves[*place] {
                    Source::Near(addend) => number + addend as i64,
                    Source::Far(far) => result(self.far[far], number),
                };
                strip.score(&strip.pieces[strip.find(result)], result, *next)
            });
            options.filter(|score| *score != i64::NONE).map(|score| self.counting.before_move(score)).max()
        };
        let skipped = || best(self.skips.as_ref()?[memory]).map(|score| self.counting.before_move(score));
        Some(best(memory).or_else(skipped).unwrap_or(self.stuck))
    }

    /// Finds the stretches of all numbers; `None` if a player alone couldn't win from some number.
    pub(super) fn run(&self, most_steps: u64, budget: &mut Budget<'_>) -> Result<Option<Strip>, Unsolved> {
        let mut descent = Descent::new(self, most_steps);
        descent.check(budget)?;
        descent.begin();
        let mut ended = self.ended.iter().copied().peekable();
        while descent.number >= self.lowest {
            if let Some((number, score)) = ended.next_if(|(number, _)| *number == descent.number) {
                descent.push(number, &vec![score; descent.width]);
                continue;
            }
            let floor = ended.peek().map_or(self.lowest, |(number, _)| number + 1);
            descent.stretch(floor, budget)?;
            if descent.hopeless {
                return Ok(None);
            }
            descent.forget();
            descent.check(budget)?;
        }
        let mut strip = descent.strip;
        strip.shrink_to_fit();
        Ok(Some(strip))
    }
}

/// The destination of a far move. If the number type overflows, the move goes past everything.
#[inline]
fn result(does: Affine, number: i64) -> i64 {
    number.saturating_mul(does.factor).saturating_add(does.addend)
}

/// The computation, from the highest number down.
struct Descent<'a> {
    rules: &'a Recurrence,
    strip: Strip,
    /// The number of memories.
    width: usize,
    /// The next number to compute.
    number: i64,
    /// The scores of the numbers above it, nearest last.
    recent: Vec<i64>,
    /// For each far move, the piece it leads to from the next number.
    leads_to: Vec<usize>,
    steps: u64,
    most_steps: u64,
    /// Whether some number had no way to win.
    hopeless: bool,
}

/// The input from a far move within a stretch.
#[derive(Clone, Copy)]
struct Input {
    does: Affine,
    piece: usize,
}

impl<'a> Descent<'a> {
    fn new(rules: &'a Recurrence, most_steps: u64) -> Descent<'a> {
        let width = rules.legal.len();
        let leads_to = vec![0; rules.far.len()];
        let (strip, number) = (Strip::new(width), rules.highest);
        let (recent, steps, hopeless) = (vec![], 0, false);
        Descent { rules, strip, width, number, recent, leads_to, steps, most_steps, hopeless }
    }

    /// Checks the budget, and asks whether to continue.
    fn check(&self, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        // A new stretch holds at most half of the remembered numbers.
        let numbers = PATIENCE + 2 * self.rules.window + self.rules.beyond.len() + self.remembered();
        let recent = 3 * (self.recent.len() + numbers * self.width) * size_of::<i64>();
        let needs = self.strip.bytes_to_grow(numbers) + recent as u128 + u128::from(self.rules.bytes());
        let needs = if self.steps < self.most_steps { needs } else { u128::MAX };
        budget.require_bytes(self.steps, self.steps.into(), needs)?;
        budget.ask_now(self.steps, None)
    }

    /// Starts with everything above the highest number that can have a turn.
    fn begin(&mut self) {
        let mut top = i64::MAX;
        for (bottom, score) in &self.rules.beyond {
            self.strip.push_constant(top, *bottom, *score);
            top = bottom - 1;
        }
        for above in (1..=self.rules.window as i64).rev() {
            let number = self.number.saturating_add(above);
            let piece = self.strip.pieces[self.strip.find(number)];
            let score = self.strip.score(&piece, number, 0);
            self.recent.extend(std::iter::repeat_n(score, self.width));
        }
    }

    fn push(&mut self, number: i64, scores: &[i64]) {
        self.strip.push_number(number, scores);
        self.recent.extend_from_slice(scores);
        self.number = number - 1;
        self.steps += 1;
    }

    /// Drops scores that are too far up to be needed.
    fn forget(&mut self) {
        let keep = (2 * self.rules.window.max(PATIENCE)) * self.width;
        if self.recent.len() > 2 * keep {
            self.recent.drain(..self.recent.len() - keep);
        }
    }

    /// How many numbers above the next one are remembered.
    fn remembered(&self) -> usize {
        self.recent.len() / self.width
    }

    /// The score of the number this far above the next one (1 is the nearest).
    #[inline]
    fn above(&self, distance: usize, memory: usize) -> i64 {
        self.recent[self.recent.len() - distance * self.width + memory]
    }

    /// The far moves' inputs for the next stretch, and its lowest number. The stretch goes down from the next
    /// number as long as each far move stays in one piece.
    fn inputs(&mut self, floor: i64) -> (Vec<Input>, i64) {
        let mut lowest = floor;
        let mut inputs = Vec::with_capacity(self.rules.far.len());
        for (does, leads_to) in self.rules.far.iter().zip(&mut self.leads_to) {
            let number = result(*does, self.number);
            *leads_to = (*leads_to).min(self.strip.pieces.len() - 1);
            while self.strip.pieces[*leads_to].bottom > number {
                *leads_to += 1;
            }
            let piece = *leads_to;
            let stays = does.lowest_to(self.strip.pieces[piece].bottom.into());
            lowest = lowest.max(i64::try_from(stays).unwrap_or(i64::MIN)).min(self.number);
            inputs.push(Input { does: *does, piece });
        }
        (inputs, lowest)
    }

    /// Computes a stretch: one number at a time until it repeats, then many in one jump.
    fn stretch(&mut self, floor: i64, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let (inputs, lowest) = self.inputs(floor);
        let long = |distance: i64| usize::try_from(distance).unwrap_or(usize::MAX);
        let length = long(self.number - lowest).saturating_add(1);
        // The common period of all inputs.
        let common = inputs.iter().fold(1, |common, input| {
            let period = self.strip.pieces[input.piece].period;
            lcm(common, period / gcd(period, input.does.factor))
        });
        let common = long(common);
        // Usually the pattern above just continues.
        let before = lcm(common as i64, self.strip.last_period());
        if self.jump(&inputs, lowest, self.at_least_window(long(before))) {
            return Ok(());
        }
        let mut scores = vec![0; self.width];
        let mut watch = Watch { saved: self.number, power: 1, looks: 0, period: None };
        for done in 1..=length {
            self.work_out(&inputs, &mut scores);
            if scores.contains(&i64::NONE) {
                self.hopeless = true;
                return Ok(());
            }
            self.push(self.number, &scores);
            if done % PATIENCE == 0 {
                self.check(budget)?;
            }
            if done % common == 0 && self.looks_alike(&mut watch) {
                let period = watch.period.unwrap_or(common);
                // Move counts may take several periods of the values to repeat.
                for times in [1, 2, 3, 4, 6, 8, 12] {
                    if self.jump(&inputs, lowest, period.saturating_mul(times)) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// The smallest multiple of a period that is no shorter than the window.
    fn at_least_window(&self, period: usize) -> usize {
        period.saturating_mul(self.rules.window.div_ceil(period.max(1)).max(1))
    }

    /// Whether the values above the next number equal those above an earlier one, with a whole period in
    /// between.
    fn looks_alike(&self, watch: &mut Watch) -> bool {
        let apart = (watch.saved - self.number) as usize;
        if let Some(period) = watch.period {
            return apart.is_multiple_of(period);
        }
        let cells = self.rules.window * self.width;
        let (here, there) = (self.recent.len(), self.recent.len() - apart * self.width);
        let alike = |back: usize| {
            let (one, two) = (self.recent[here - back], self.recent[there - back]);
            one.signum() == two.signum() && (one == i64::NONE) == (two == i64::NONE)
        };
        if (1..=cells).all(alike) {
            watch.period = Some(self.at_least_window(apart));
            return true;
        }
        watch.looks += 1;
        if watch.looks == watch.power {
            (watch.saved, watch.power, watch.looks) = (self.number, watch.power * 2, 0);
        }
        false
    }

    /// The destinations of the far moves from a number of the stretch.
    #[inline]
    fn places(&self, inputs: &[Input], number: i64) -> [Place; MOST_MOVES] {
        let mut places = [Place::default(); MOST_MOVES];
        for (place, Input { does, piece }) in places.iter_mut().zip(inputs) {
            *place = self.strip.place(&self.strip.pieces[*piece], result(*does, number));
        }
        places
    }

    /// Computes the next number, for every memory.
    #[inline]
    fn work_out(&self, inputs: &[Input], scores: &mut [i64]) {
        let places = self.places(inputs, self.number);
        for (memory, score) in scores.iter_mut().enumerate() {
            let mut best = i64::NONE;
            for (place, next) in &self.rules.legal[memory] {
                let option = match self.rules.moves[*place] {
                    Source::Near(addend) => self.above(addend, *next),
                    Source::Far(far) => self.strip.score_at(places[far], *next),
                };
                if option != i64::NONE {
                    best = best.max(self.rules.counting.before_move(option));
                }
            }
            *score = best;
        }
        // A player may be stuck because of the last moves, which swap sides after a skip.
        for memory in 0..scores.len() {
            if scores[memory] != i64::NONE {
                continue;
            }
            let skipped = self.rules.skips.as_ref().map(|skips| skips[memory]);
            match skipped.filter(|other| scores[*other] != i64::NONE) {
                Some(other) => scores[memory] = self.rules.counting.before_move(scores[other]),
                None => {
                    scores[memory] = self.rules.stuck;
                    skipped.into_iter().for_each(|other| scores[other] = self.rules.stuck);
                }
            }
        }
    }

    /// Appends as many whole periods as continue the pattern of the last two. Returns whether there were any.
    ///
    /// Suppose a number of the period has the value `a`, which grew by `d` since the previous period. It
    /// keeps growing by `d` if some result of its moves is `a + d` in the next period and grows by `d` from
    /// then on, and no result is larger. A faster-growing result will overtake it after a number of periods
    /// that follows from the gap.
    fn jump(&mut self, inputs: &[Input], lowest: i64, period: usize) -> bool {
        let fits = (self.number - lowest + 1) as u64;
        if period as u64 > fits || period.saturating_mul(2) > self.remembered() {
            return false;
        }
        let mut periods = (fits / period as u64) as i64;
        let width = self.width;
        let mut pattern = Vec::with_capacity(period * width);
        // The cell of the last period at this distance from its top, wrapped around, and its growth.
        let growth = |place: usize, memory: usize| {
            let distance = period - place;
            let (now, before) = (self.above(distance, memory), self.above(distance + period, memory));
            let alike = now.signum() == before.signum() && now != i64::NONE && before != i64::NONE;
            alike.then(|| Cell { score: now, slope: now - before })
        };
        for place in 0..period {
            let places = self.places(inputs, self.number - place as i64);
            for memory in 0..width {
                let Some(cell) = growth(place, memory) else { return false };
                let next = cell.score.wrapping_add(cell.slope);
                if next.signum() != cell.score.signum() {
                    return false;
                }
                // Being stuck counts like a move that leads nowhere.
                let (mut reached, mut any) = (false, false);
                for (a_move, after) in &self.rules.legal[memory] {
                    let (score, slope) = match self.rules.moves[*a_move] {
                        Source::Near(addend) => {
                            // The result is in the next period, or still in the previous one.
                            let from = (place + period - addend) % period;
                            let Some(cell) = growth(from, *after) else { return false };
                            let score = cell.score + if addend <= place { cell.slope } else { 0 };
                            (score, cell.slope)
                        }
                        Source::Far(far) => {
                            let Input { does, piece } = inputs[far];
                            let piece = &self.strip.pieces[piece];
                            let cell = self.strip.cell_at(places[far], *after);
                            // Beyond the number type's range, every score is the same.
                            let times = match piece.period {
                                1 if cell.slope == 0 => 0,
                                own => {
                                    period as i64 / (own / gcd(own, does.factor))
                                        * (does.factor / gcd(own, does.factor))
                                }
                            };
                            (self.strip.score_at(places[far], *after), cell.slope * times)
                        }
                    };
                    if score == i64::NONE {
                        continue;
                    }
                    any = true;
                    let score = self.rules.counting.before_move(score);
                    let gap = i128::from(next) - i128::from(score);
                    let gains =
                        i128::from(self.rules.counting.slope_before_move(slope)) - i128::from(cell.slope);
                    if gap < 0 {
                        return false;
                    }
                    reached |= gap == 0 && gains == 0;
                    if gains > 0 {
                        periods =
                            periods.min(i64::try_from(gap / gains).unwrap_or(i64::MAX).saturating_add(1));
                    }
                }
                if !any {
                    let can_move = |other: &usize| {
                        self.rules.legal[*other].iter().any(|(a_move, after)| {
                            match self.rules.moves[*a_move] {
                                Source::Near(_) => true,
                                Source::Far(far) => self.strip.score_at(places[far], *after) != i64::NONE,
                            }
                        })
                    };
                    let skips = self.rules.skips.as_ref().map(|skips| skips[memory]);
                    let (score, slope) = match skips.filter(can_move) {
                        Some(other) => {
                            let Some(cell) = growth(place, other) else { return false };
                            let score = self.rules.counting.before_move(cell.score.wrapping_add(cell.slope));
                            (score, self.rules.counting.slope_before_move(cell.slope))
                        }
                        None => (self.rules.stuck, 0),
                    };
                    reached = next == score && cell.slope == slope;
                }
                if !reached {
                    return false;
                }
                pattern.push(Cell { score: next, slope: cell.slope });
            }
        }
        self.steps += period as u64;
        let bottom = self.number - periods * period as i64 + 1;
        // From now on, only the last two periods are needed.
        self.recent.clear();
        for back in (0..2).rev() {
            let last = periods - 1 - back;
            self.recent.extend(pattern.iter().map(|cell| cell.score + cell.slope * last));
        }
        self.strip.push_run(self.number, bottom, pattern);
        self.number = bottom - 1;
        true
    }
}

/// Cycle detection while numbers are computed one by one (Brent's algorithm).
struct Watch {
    saved: i64,
    /// The number of comparisons before a later number replaces the reference.
    power: u64,
    looks: u64,
    /// The period of the values, once known.
    period: Option<usize>,
}

fn gcd(one: i64, two: i64) -> i64 {
    if two == 0 { one } else { gcd(two, one % two) }
}

/// The least common multiple, saturating.
fn lcm(one: i64, two: i64) -> i64 {
    (one / gcd(one, two)).saturating_mul(two)
}
