//! Rounds in lanes: the same few instructions for many rounds.
//!
//! Nothing here branches on a number, a choice or an ending. Each is a mask over the lanes, and the compiler
//! vectorizes the loops. A countdown is played as a climb with negated numbers.

use crate::engine::batch::chance::Dice;
use crate::engine::batch::game::{FREE, Game, LIMITED, PLAIN, STUCK};
use crate::engine::batch::lane::Lane;
use crate::engine::batch::{CHUNK, Rounds, Seen, Tally, WAIT};
use crate::engine::position::{ByPlayer, Clock, Player, Position};
use crate::engine::rulebook::{Rulebook, Stuck};

/// 16-bit counters must be flushed before they overflow.
const MOVES_COUNTED: u64 = 1 << 14;

/// The rounds of a book in the narrowest lanes that fit; `None` if none do.
pub(super) fn suited(rulebook: &Rulebook, rounds: usize, most_moves: u32) -> Option<Box<dyn Rounds>> {
    let game = Game::from_rulebook(rulebook, most_moves)?;
    game.lanes::<i16>(rounds).or_else(|| game.lanes::<i32>(rounds)).or_else(|| game.lanes::<i64>(rounds))
}

impl Game {
    fn lanes<T: Lane>(&self, rounds: usize) -> Option<Box<dyn Rounds>> {
        Some(match self.moves.len() {
            0..=2 => Box::new(Lanes::<T, 2>::new(self, rounds)?),
            3..=4 => Box::new(Lanes::<T, 4>::new(self, rounds)?),
            5..=6 => Box::new(Lanes::<T, 6>::new(self, rounds)?),
            7..=8 => Box::new(Lanes::<T, 8>::new(self, rounds)?),
            _ => Box::new(Lanes::<T, 16>::new(self, rounds)?),
        })
    }
}

struct Lanes<T, const M: usize> {
    rules: Rules<T, M>,
    chunks: Vec<Chunk<T>>,
    rounds: usize,
    opening: Position,
    sign: i64,
    kind: u8,
}

/// The rules in the form that lanes use. Slots beyond the book's moves are never legal.
#[derive(Clone, Copy)]
struct Rules<T, const M: usize> {
    factor: [T; M],
    addend: [T; M],
    lowest: [T; M],
    highest: [T; M],
    moves: T,
    start: T,
    target: T,
    /// These are masks: all bits set, or none.
    reach_wins: T,
    past_wins: T,
    stuck_loses: T,
    stuck_draws: T,
    most_moves: T,
}

#[derive(Clone, Copy)]
struct Chunk<T> {
    numbers: [T; CHUNK],
    /// The number of moves made. Its parity gives whose turn it is.
    moves: [T; CHUNK],
}

/// The results of a move, as masks. `won`, `drawn` and `cut_off` are mutually exclusive.
struct Arrival<T> {
    won: T,
    /// Player 1 is the winner.
    by_first: T,
    drawn: T,
    cut_off: T,
}

impl<T: Lane, const M: usize> Rules<T, M> {
    /// Returns `None` if a number doesn't fit the lanes.
    fn from_game(game: &Game) -> Option<Rules<T, M>> {
        let mut rules = Rules {
            factor: [T::ZERO; M],
            addend: [T::ZERO; M],
            lowest: [T::MAX; M],
            highest: [T::MIN; M],
            moves: T::from_wide(game.moves.len() as i128)?,
            start: T::from_wide(game.start.into())?,
            target: game.target.map_or(Some(T::MAX), |target| T::from_wide(target.into()))?,
            reach_wins: T::mask(game.reach_wins),
            past_wins: T::mask(game.past_wins),
            stuck_loses: T::mask(game.stuck == Stuck::Loses),
            stuck_draws: T::mask(matches!(game.stuck, Stuck::Draws | Stuck::Skips)),
            // It needn't fit if it's never checked.
            most_moves: if game.kind == PLAIN { T::MAX } else { T::from_wide(game.most_moves.into())? },
        };
        for (k, step) in game.moves.iter().enumerate() {
            rules.factor[k] = T::from_wide(step.factor.into())?;
            rules.addend[k] = T::from_wide(step.addend.into())?;
            for number in [game.on_turn.0, game.on_turn.1, game.start] {
                T::from_wide(i128::from(number) * i128::from(step.factor) + i128::from(step.addend))?;
            }
            rules.lowest[k] = T::from_wide(game.legal.0)?;
            rules.highest[k] = T::from_wide(game.legal.1).unwrap_or(T::MAX);
        }
        Some(rules)
    }

    #[inline(always)]
    fn result(&self, number: T, k: usize) -> T {
        number.times(self.factor[k]).plus(self.addend[k])
    }

    /// The number after an action, or the same one after [`WAIT`].
    #[inline(always)]
    fn made(&self, number: T, action: u16) -> T {
        if !T::VECTORS {
            return if action == WAIT { number } else { self.result(number, usize::from(action)) };
        }
        let mut next = T::mask(action == WAIT) & number;
        for k in 0..M {
            next = next | (T::mask(action == k as u16) & self.result(number, k));
        }
        next
    }

    #[inline(always)]
    fn is_legal(&self, result: T, k: usize) -> T {
        T::mask(result >= self.lowest[k]) & T::mask(result <= self.highest[k])
    }

    /// The result of landing on a number after this many moves of the round.
    #[inline(always)]
    fn arrival<const KIND: u8>(&self, number: T, moves: T) -> Arrival<T> {
        let mut won = T::mask(number >= self.target);
        let mut by_mover = T::mask(number == self.target).choose(self.reach_wins, self.past_wins);
        let mut drawn = T::ZERO;
        if KIND == STUCK {
            let mut stuck = !won;
            for k in 0..M {
                stuck = stuck & !self.is_legal(self.result(number, k), k);
            }
            by_mover = won.choose(by_mover, self.stuck_loses);
            drawn = stuck & self.stuck_draws;
            won = won | (stuck & !self.stuck_draws);
        }
        // Player 1 makes the odd moves.
        let mover_is_first = T::ZERO.minus(moves & T::ONE);
        let by_first = won & !(by_mover ^ mover_is_first);
        let cut_off = match KIND {
            PLAIN => T::ZERO,
            _ => T::mask(moves >= self.most_moves) & !(won | drawn),
        };
        Arrival { won, by_first, drawn, cut_off }
    }
}

/// Finished rounds, counted per lane.
struct Counts<T> {
    won: [T; CHUNK],
    by_first: [T; CHUNK],
    drawn: [T; CHUNK],
    cut_off: [T; CHUNK],
    longest: [T; CHUNK],
}

impl<T: Lane> Counts<T> {
    fn new() -> Counts<T> {
        let none = [T::ZERO; CHUNK];
        Counts { won: none, by_first: none, drawn: none, cut_off: none, longest: none }
    }

    /// Adds the counts of the lanes in use to the tally.
    fn add_to(&self, tally: &mut Tally, rounds: usize) {
        let sum = |counts: &[T; CHUNK]| counts[..rounds].iter().map(|count| count.wide() as u64).sum::<u64>();
        let (won, by_first) = (sum(&self.won), sum(&self.by_first));
        let ByPlayer([one, two]) = &mut tally.wins;
        *one += by_first;
        *two += won - by_first;
        tally.draws += sum(&self.drawn);
        tally.cut_off += sum(&self.cut_off);
        let longest = self.longest[..rounds].iter().map(|moves| moves.wide() as u64).max();
        tally.longest = tally.longest.max(longest.unwrap_or_default());
    }
}

impl<T: Lane, const M: usize> Lanes<T, M> {
    fn new(game: &Game, rounds: usize) -> Option<Lanes<T, M>> {
        let rules = Rules::from_game(game)?;
        let chunk = Chunk { numbers: [rules.start; CHUNK], moves: [T::ZERO; CHUNK] };
        let chunks = vec![chunk; rounds.div_ceil(CHUNK)];
        Some(Lanes { rules, chunks, rounds, opening: game.opening, sign: game.sign, kind: game.kind })
    }

    fn play<const KIND: u8>(&mut self, moves: u64, dice: &mut [Dice], tally: &mut Tally) {
        let mut rounds = self.rounds;
        for (chunk, dice) in self.chunks.iter_mut().zip(dice) {
            let mut to_make = moves;
            while to_make > 0 {
                let mut counts = Counts::new();
                let mut counted = 0;
                while to_make > 0 && counted < MOVES_COUNTED {
                    let now = dice.ready(to_make);
                    if T::VECTORS {
                        for _ in 0..now {
                            one_move_each::<T, M, KIND>(&self.rules, chunk, dice, &mut counts);
                        }
                    } else {
                        one_after_the_other::<T, M, KIND>(&self.rules, chunk, dice, &mut counts, now);
                    }
                    to_make -= now;
                    counted += now;
                }
                counts.add_to(tally, rounds.min(CHUNK));
            }
            rounds -= rounds.min(CHUNK);
        }
    }

    fn step_in<const KIND: u8>(&mut self, actions: &[u16], seen: &mut Seen) {
        for (c, actions) in actions.chunks(CHUNK).enumerate() {
            let chunk = &mut self.chunks[c];
            let mut action = [WAIT; CHUNK];
            action[..actions.len()].copy_from_slice(actions);
            let (mut rewards, mut ended_by_rules, mut cut) = ([0; CHUNK], [0; CHUNK], [0; CHUNK]);
            for i in 0..CHUNK {
                let waits = T::mask(action[i] == WAIT);
                let next = self.rules.made(chunk.numbers[i], action[i]);
                let moves = chunk.moves[i].plus(!waits & T::ONE);
                let Arrival { won, by_first, drawn, cut_off } = self.rules.arrival::<KIND>(next, moves);
                // Waiting has no result.
                let (won, drawn, cut_off) = (won & !waits, drawn & !waits, cut_off & !waits);
                let ended = won | drawn | cut_off;
                chunk.numbers[i] = ended.choose(self.rules.start, next);
                chunk.moves[i] = !ended & moves;
                let reward = won & by_first.choose(T::ONE, T::ZERO.minus(T::ONE));
                rewards[i] = reward.wide() as i8;
                ended_by_rules[i] = ((won | drawn) & T::ONE).wide() as u8;
                cut[i] = (cut_off & T::ONE).wide() as u8;
            }
            let places = c * CHUNK..c * CHUNK + actions.len();
            seen.rewards[places.clone()].copy_from_slice(&rewards[..actions.len()]);
            seen.ended[places.clone()].copy_from_slice(&ended_by_rules[..actions.len()]);
            seen.cut_off[places].copy_from_slice(&cut[..actions.len()]);
            self.look_at(c, seen);
        }
    }

    fn look_at(&self, chunk: usize, seen: &mut Seen) {
        let Chunk { numbers, moves } = &self.chunks[chunk];
        let first = chunk * CHUNK;
        let rounds = CHUNK.min(self.rounds - first);
        let mut on_turn = [0; CHUNK];
        for i in 0..CHUNK {
            on_turn[i] = 1 + (moves[i] & T::ONE).wide() as u8;
        }
        seen.on_turn[first..first + rounds].copy_from_slice(&on_turn[..rounds]);
        for (k, legal) in seen.legal.chunks_exact_mut(self.rounds).enumerate() {
            if matches!(self.kind, PLAIN | FREE) {
                legal[first..first + rounds].fill(1);
                continue;
            }
            let mut is_legal = [0; CHUNK];
            for i in 0..CHUNK {
                let mask = self.rules.is_legal(self.rules.result(numbers[i], k), k);
                is_legal[i] = (mask & T::ONE).wide() as u8;
            }
            legal[first..first + rounds].copy_from_slice(&is_legal[..rounds]);
        }
    }
}

/// Plays a random legal move in every round of a chunk.
#[inline(always)]
fn one_move_each<T: Lane, const M: usize, const KIND: u8>(
    rules: &Rules<T, M>,
    chunk: &mut Chunk<T>,
    dice: &mut Dice,
    counts: &mut Counts<T>,
) {
    for i in 0..CHUNK {
        one_move::<T, M, KIND>(rules, chunk, dice, counts, i);
    }
}

/// Plays several moves in one round, then in the next. Without vectors that's faster: a round stays in registers.
#[inline(always)]
fn one_after_the_other<T: Lane, const M: usize, const KIND: u8>(
    rules: &Rules<T, M>,
    chunk: &mut Chunk<T>,
    dice: &mut Dice,
    counts: &mut Counts<T>,
    moves: u64,
) {
    for i in 0..CHUNK {
        for _ in 0..moves {
            one_move::<T, M, KIND>(rules, chunk, dice, counts, i);
        }
    }
}

/// Plays a random legal move in a round of a chunk.
#[inline(always)]
fn one_move<T: Lane, const M: usize, const KIND: u8>(
    rules: &Rules<T, M>,
    chunk: &mut Chunk<T>,
    dice: &mut Dice,
    counts: &mut Counts<T>,
    i: usize,
) {
    let number = chunk.numbers[i];
    let (mut results, mut legal) = ([T::ZERO; M], [T::ZERO; M]);
    let all_are_legal = KIND == PLAIN || KIND == FREE;
    let mut choices = if all_are_legal { rules.moves } else { T::ZERO };
    for k in 0..M {
        results[k] = rules.result(number, k);
        if !all_are_legal {
            legal[k] = rules.is_legal(results[k], k);
            choices = choices.minus(legal[k]);
        }
    }
    let (picked, high, low) = choices.pick(dice.high[i], dice.low[i]);
    (dice.high[i], dice.low[i]) = (high, low);
    let (mut next, mut before) = (T::ZERO, T::ZERO);
    for k in 0..M {
        let mut is_it = T::mask(picked == before);
        if !all_are_legal {
            is_it = is_it & legal[k];
            before = before.minus(legal[k]);
        } else {
            before = before.plus(T::ONE);
        }
        next = next | (is_it & results[k]);
    }
    let moves = chunk.moves[i].plus(T::ONE);
    let Arrival { won, by_first, drawn, cut_off } = rules.arrival::<KIND>(next, moves);
    counts.won[i] = counts.won[i].minus(won);
    counts.by_first[i] = counts.by_first[i].minus(by_first);
    counts.drawn[i] = counts.drawn[i].minus(drawn);
    counts.cut_off[i] = counts.cut_off[i].minus(cut_off);
    let ended = won | drawn | cut_off;
    counts.longest[i] = counts.longest[i].larger(ended & moves);
    chunk.numbers[i] = ended.choose(rules.start, next);
    chunk.moves[i] = !ended & moves;
}

impl<T: Lane, const M: usize> Rounds for Lanes<T, M> {
    fn self_play(&mut self, moves: u64, dice: &mut [Dice], tally: &mut Tally) {
        match self.kind {
            PLAIN => self.play::<PLAIN>(moves, dice, tally),
            FREE => self.play::<FREE>(moves, dice, tally),
            LIMITED => self.play::<LIMITED>(moves, dice, tally),
            _ => self.play::<STUCK>(moves, dice, tally),
        }
    }

    fn step(&mut self, actions: &[u16], seen: &mut Seen) {
        match self.kind {
            PLAIN => self.step_in::<PLAIN>(actions, seen),
            FREE => self.step_in::<FREE>(actions, seen),
            LIMITED => self.step_in::<LIMITED>(actions, seen),
            _ => self.step_in::<STUCK>(actions, seen),
        }
    }

    fn look(&self, seen: &mut Seen) {
        (0..self.chunks.len()).for_each(|chunk| self.look_at(chunk, seen));
    }

    fn choose(&self, seen: &Seen, dice: &mut [Dice], actions: &mut [u16]) {
        for (c, (actions, dice)) in actions.chunks_mut(CHUNK).zip(dice).enumerate() {
            let places = c * CHUNK..c * CHUNK + actions.len();
            // Arrays of a fixed length vectorize better.
            let mut legal = [[0_i16; CHUNK]; M];
            let mut choices = [0_i16; CHUNK];
            for (legal, shown) in legal.iter_mut().zip(seen.legal.chunks_exact(self.rounds)) {
                legal
                    .iter_mut()
                    .zip(&shown[places.clone()])
                    .for_each(|(legal, shown)| *legal = (*shown).into());
                choices.iter_mut().zip(&*legal).for_each(|(choices, legal)| *choices += legal);
            }
            dice.ready(1);
            let (mut chosen, mut before) = ([0; CHUNK], [0; CHUNK]);
            let mut picked = [0; CHUNK];
            for i in 0..CHUNK {
                (picked[i], dice.high[i], dice.low[i]) = choices[i].pick(dice.high[i], dice.low[i]);
            }
            for (k, legal) in (0..).zip(&legal) {
                for i in 0..CHUNK {
                    chosen[i] |= i16::mask(before[i] == picked[i]) & -legal[i] & k;
                    before[i] += legal[i];
                }
            }
            actions.iter_mut().zip(chosen).for_each(|(action, chosen)| *action = chosen as u16);
        }
    }

    fn position(&self, round: usize) -> Position {
        let Chunk { numbers, moves } = &self.chunks[round / CHUNK];
        let number = self.sign * numbers[round % CHUNK].wide();
        let is_firsts = moves[round % CHUNK].wide() % 2 == 0;
        let turn = if is_firsts { Player::One } else { Player::Two };
        Position { numbers: ByPlayer([number; 2]), clock: Clock::new(turn, 0), ..self.opening }
    }
}
