//! How the worth of a number follows from that of larger ones, and how whole stretches are found from that.

use super::super::sweep::{Memories, ends, goes_up};
use super::super::value::{Score, Value, Verdict};
use super::super::{Budget, Unsolved};
use super::Counting;
use super::strip::{Cell, Place, Strip};
use crate::engine::operation::Affine;
use crate::engine::position::{ByPlayer, Choice, MOST_MOVES, Player};
use crate::format::{Direction, LARGEST, NoRepeat, Rulebook, Stuck};

/// Additions of more than this are looked up among the stretches like multiples; smaller ones among the numbers that were
/// worked out last.
const LONGEST_WINDOW: i64 = 1 << 14;

/// How many numbers are worked out between two looks at the budget.
const PATIENCE: usize = 1 << 10;

/// The game as the strategy sees it: numbers that only go up, and what ends the round.
pub(super) struct Recurrence {
    pub(super) counting: Counting,
    /// -1 if the numbers of the game go down: then they are looked at from below, where they go up as well.
    pub(super) sign: i64,
    pub(super) memories: Memories,
    /// By memory: the moves that may be made, and what is remembered after each.
    legal: Vec<Vec<(usize, usize)>>,
    moves: Vec<Source>,
    /// The moves that are looked up among the stretches.
    far: Vec<Affine>,
    /// By how much the others add at most.
    window: usize,
    pub(super) lowest: i64,
    pub(super) highest: i64,
    /// What somebody who has no legal move comes to, unless their turn is skipped.
    stuck: i64,
    /// If turns are skipped, by memory: what is remembered then. Where the other player has no legal move either, the
    /// round is over.
    skips: Option<Vec<usize>>,
    /// The numbers that nobody is on turn at, in falling order, with what the player who would be on turn comes to there.
    pub(super) ended: Vec<(i64, i64)>,
    /// The numbers beyond the highest: the first of them, and what it comes to to go there.
    beyond: Vec<(i64, i64)>,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum Source {
    /// So many numbers further up.
    Near(usize),
    /// To a stretch, by the place of the move in `far`.
    Far(usize),
}

impl Recurrence {
    /// Refuses if the moves alone take more than the budget, with all that may be remembered of them.
    pub(super) fn of(
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
            Counting::Moves | Counting::Nothing => Memories::of(rulebook),
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
        // Where each player has a number, both are looked at.
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
        // What it comes to for the player who would be on turn at a number that ends the round.
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
        // From the highest down: each listed number, and what lies between.
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

    pub(super) fn bytes(&self) -> u64 {
        let each = |list: &Vec<(usize, usize)>| list.capacity() * size_of::<(usize, usize)>();
        let lists = (self.ended.capacity() + self.beyond.capacity()) * size_of::<(i64, i64)>();
        let skips = self.skips.as_ref().map_or(0, |skips| skips.capacity() * size_of::<usize>());
        (self.legal.iter().map(each).sum::<usize>() + lists + skips) as u64 + self.memories.bytes()
    }

    /// The score of a number, with so much remembered; `None` if play does not come so far.
    pub(super) fn score(&self, strip: &Strip, number: i64, memory: usize) -> Option<i64> {
        if !(self.lowest..=self.highest).contains(&number) {
            return None;
        }
        if self.ended.binary_search_by(|(ended, _)| number.cmp(ended)).is_err() {
            return Some(strip.score(&strip.pieces[strip.find(number)], number, memory));
        }
        // Nobody is on turn there, but it can be asked what would happen.
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

    /// Finds the stretches of all numbers; `None` if there is a number from which somebody alone could not win.
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

/// Where a move leads that is looked up among the stretches. What is too large for the number type lies past everything.
#[inline]
fn result(does: Affine, number: i64) -> i64 {
    number.saturating_mul(does.factor).saturating_add(does.addend)
}

/// The way down, from the highest number to the lowest.
struct Descent<'a> {
    rules: &'a Recurrence,
    strip: Strip,
    /// How many memories there are.
    width: usize,
    /// The next number to be worked out.
    number: i64,
    /// The scores of the numbers above it, the nearest last.
    recent: Vec<i64>,
    /// For each far move the piece that it leads to from the next number.
    leads_to: Vec<usize>,
    steps: u64,
    most_steps: u64,
    /// Whether there was a number from which nothing can be reached that counts.
    hopeless: bool,
}

/// What a far move leads to in a stretch.
#[derive(Clone, Copy)]
struct Input {
    does: Affine,
    piece: usize,
}

impl<'a> Descent<'a> {
    fn new(rules: &'a Recurrence, most_steps: u64) -> Descent<'a> {
        let width = rules.memories.known.len();
        let leads_to = vec![0; rules.far.len()];
        let (strip, number) = (Strip::new(width), rules.highest);
        let (recent, steps, hopeless) = (vec![], 0, false);
        Descent { rules, strip, width, number, recent, leads_to, steps, most_steps, hopeless }
    }

    /// Refuses what passes the budget, and asks whether to go on.
    fn check(&self, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        // A stretch that is found holds no more than half of the numbers that are remembered.
        let numbers = PATIENCE + 2 * self.rules.window + self.rules.beyond.len() + self.remembered();
        let recent = 3 * (self.recent.len() + numbers * self.width) * size_of::<i64>();
        let needs = self.strip.bytes_to_grow(numbers) + recent as u128 + u128::from(self.rules.bytes());
        let needs = if self.steps < self.most_steps { needs } else { u128::MAX };
        budget.require_bytes(self.steps, self.steps.into(), needs)?;
        budget.ask_now(self.steps, None)
    }

    /// Everything above the highest number at which somebody can be on turn.
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

    /// Lets go of scores so far up that they are not looked at again.
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

    /// The score of a number so far above the next one (1 is the nearest).
    #[inline]
    fn above(&self, distance: usize, memory: usize) -> i64 {
        self.recent[self.recent.len() - distance * self.width + memory]
    }

    /// The stretch from the next number down in which no far move changes its piece, and what the far moves lead to there.
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

    /// Works out the numbers of a stretch, one by one until they are found to repeat, and then many at once.
    fn stretch(&mut self, floor: i64, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let (inputs, lowest) = self.inputs(floor);
        let long = |distance: i64| usize::try_from(distance).unwrap_or(usize::MAX);
        let length = long(self.number - lowest).saturating_add(1);
        // All inputs together repeat after so many numbers.
        let common = inputs.iter().fold(1, |common, input| {
            let period = self.strip.pieces[input.piece].period;
            lcm(common, period / gcd(period, input.does.factor))
        });
        let common = long(common);
        // Mostly, what stands above just goes on.
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
                // Counted moves may need several periods of the values to repeat.
                for times in [1, 2, 3, 4, 6, 8, 12] {
                    if self.jump(&inputs, lowest, period.saturating_mul(times)) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// A multiple of a period that is no shorter than the window.
    fn at_least_window(&self, period: usize) -> usize {
        period.saturating_mul(self.rules.window.div_ceil(period.max(1)).max(1))
    }

    /// Whether the values above the next number are those above a number that was looked at before, and a whole period
    /// has gone by since the last time.
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

    /// Where the far moves lead from a number of the stretch.
    #[inline]
    fn places(&self, inputs: &[Input], number: i64) -> [Place; MOST_MOVES] {
        let mut places = [Place::default(); MOST_MOVES];
        for (place, Input { does, piece }) in places.iter_mut().zip(inputs) {
            *place = self.strip.place(&self.strip.pieces[*piece], result(*does, number));
        }
        places
    }

    /// What the next number is worth, for every memory.
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
        // Whoever is stuck may be so because of the last moves, which are seen the other way round after a skip.
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

    /// Adds as many whole periods at once as go on like the last two. Returns whether there were any.
    ///
    /// Say that the numbers of a period are worth `a`, and grew by `d` since the period before. They go on to grow by `d`
    /// if, of what their moves lead to, something is `a + d` in the next period and grows by `d` from then on, and
    /// nothing is more. What grows faster will be more at last, after so many periods as can be computed from the gap.
    fn jump(&mut self, inputs: &[Input], lowest: i64, period: usize) -> bool {
        let fits = (self.number - lowest + 1) as u64;
        if period as u64 > fits || period.saturating_mul(2) > self.remembered() {
            return false;
        }
        let mut periods = (fits / period as u64) as i64;
        let width = self.width;
        let mut pattern = Vec::with_capacity(period * width);
        // The cell of the last period that stands so far from its top, wrapped around, and its growth.
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
                            // In the next period, or still in the one before it.
                            let from = (place + period - addend) % period;
                            let Some(cell) = growth(from, *after) else { return false };
                            let score = cell.score + if addend <= place { cell.slope } else { 0 };
                            (score, cell.slope)
                        }
                        Source::Far(far) => {
                            let Input { does, piece } = inputs[far];
                            let piece = &self.strip.pieces[piece];
                            let cell = self.strip.cell_at(places[far], *after);
                            // Past the end of the number type, everything is the same.
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
        // The last two periods are all that is looked at from now on.
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

/// What is looked for while numbers are worked out one by one: a number whose surroundings come up again.
struct Watch {
    saved: i64,
    /// How often it is looked before a later number takes its place.
    power: u64,
    looks: u64,
    /// After how many numbers the values repeat, once that is known.
    period: Option<usize>,
}

fn gcd(one: i64, two: i64) -> i64 {
    if two == 0 { one } else { gcd(two, one % two) }
}

/// The least common multiple, or the largest number there is if it is larger than that.
fn lcm(one: i64, two: i64) -> i64 {
    (one / gcd(one, two)).saturating_mul(two)
}
