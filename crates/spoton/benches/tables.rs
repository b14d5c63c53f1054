//! Speed and size of full tables, compared with a handwritten loop for each game. Run with `cargo bench -p
//! spoton --bench tables`.

use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use spoton::engine::position::Player;
use spoton::format::{Draft, Rulebook, catalog};
use spoton::solver::{Budget, Solver, Value, Verdict, Workers};

/// Verdicts as in the solver's tables, but only for these games: a win in `r` moves is `FAR - r`, a loss is
/// `r - FAR`.
type Cell = i32;
const FAR: Cell = 1 << 30;
const NONE: Cell = Cell::MIN;

fn before_move(cell: Cell) -> Cell {
    cell.signum() - cell
}

fn verdict(cell: Cell) -> Verdict {
    match cell {
        0 => Verdict::DRAW,
        1.. => Verdict::new(Value::Win, (FAR - cell) as u64),
        _ => Verdict::new(Value::Loss, (cell + FAR) as u64),
    }
}

/// The value to the owner of landing on this number, if that ends the round.
fn landed(number: usize, target: usize) -> Option<Cell> {
    match number.cmp(&target) {
        std::cmp::Ordering::Less => None,
        std::cmp::Ordering::Equal => Some(FAR - 1),
        std::cmp::Ordering::Greater => Some(1 - FAR),
    }
}

/// Add 1, add 3 or double your own number, but don't copy the opponent's last move.
fn no_copying(target: usize) -> Verdict {
    let at = |own: usize, other: usize, last: usize| (own * target + other) * 4 + last;
    let mut cells = vec![0; target * target * 4];
    let fill = |cells: &mut [Cell], own: usize, other: usize| {
        for last in 0..4 {
            let mut best = NONE;
            for (choice, to) in [(1, own + 1), (2, own + 3), (3, own * 2)] {
                if choice != last {
                    let worth = landed(to, target);
                    best = best.max(worth.unwrap_or_else(|| before_move(cells[at(other, to, choice)])));
                }
            }
            cells[at(own, other, last)] = best;
        }
    };
    for low in (1..target).rev() {
        for high in (low..target).rev() {
            fill(&mut cells, low, high);
            fill(&mut cells, high, low);
        }
    }
    verdict(cells[at(1, 1, 0)])
}

/// Add 1 to your own number, double it, or push the other's by 3.
fn pushing(target: usize) -> Verdict {
    let mut cells = vec![0; target * target];
    let fill = |cells: &mut [Cell], own: usize, other: usize| {
        let worth = |to: usize| landed(to, target).unwrap_or_else(|| before_move(cells[other * target + to]));
        let pushed = other + 3;
        let push =
            landed(pushed, target).map_or_else(|| before_move(cells[pushed * target + own]), |worth| -worth);
        cells[own * target + other] = worth(own + 1).max(worth(own * 2)).max(push);
    };
    const TILE: usize = 64;
    for low in (0..target).step_by(TILE).rev() {
        for high in (low..target).step_by(TILE).rev() {
            for lower in (low.max(1)..target.min(low + TILE)).rev() {
                for higher in (lower.max(high)..target.min(high + TILE)).rev() {
                    fill(&mut cells, lower, higher);
                    fill(&mut cells, higher, lower);
                }
            }
        }
    }
    verdict(cells[target + 1])
}

/// Add 1 or 2 to a shared number, or subtract 1 from a multiple of 3. Past the target loses. Breadth first,
/// backwards from the endings.
fn up_and_down(target: usize) -> Verdict {
    let down = |number: usize| if number.is_multiple_of(3) { number - 1 } else { 0 };
    let mut open: Vec<u8> = vec![0; target];
    let mut cells: Vec<Cell> = vec![0; target];
    let mut queue: Vec<u32> = Vec::with_capacity(target);
    for number in 1..target {
        let leads_on =
            [number + 1, number + 2, down(number)].into_iter().filter(|to| (1..target).contains(to));
        open[number] = leads_on.count() as u8;
        if number + 2 >= target {
            cells[number] = FAR - 1;
            queue.push(number as u32);
        }
    }
    let mut done = 0;
    while done < queue.len() {
        let number = queue[done] as usize;
        let score = before_move(cells[number]);
        let above = if number % 3 == 2 { number + 1 } else { 0 };
        for before in [number - 1, number.saturating_sub(2), above] {
            if (1..target).contains(&before) && cells[before] == 0 {
                open[before] -= u8::from(score < 0);
                if score > 0 || open[before] == 0 {
                    cells[before] = score;
                    queue.push(before as u32);
                }
            }
        }
        done += 1;
    }
    verdict(cells[1])
}

/// Add 1 to a shared number or double it, but don't repeat your own last move. Past the target loses.
fn no_repeat(target: usize) -> Verdict {
    // Indexed by the last move of the player to move and the opponent's.
    let at = |number: usize, own: usize, other: usize| number * 9 + own * 3 + other;
    let mut cells = vec![0; target * 9];
    for number in (1..target).rev() {
        for own in 0..3 {
            for other in 0..3 {
                if own > 0 && other == 0 {
                    continue; // The opponent has replied to the last move.
                }
                let mut best = NONE;
                for (choice, to) in [(1, number + 1), (2, number * 2)] {
                    if choice != own {
                        let worth = landed(to, target);
                        best = best.max(worth.unwrap_or_else(|| before_move(cells[at(to, other, choice)])));
                    }
                }
                cells[at(number, own, other)] = best;
            }
        }
    }
    verdict(cells[at(1, 0, 0)])
}

/// Add 1 to a shared number, or double it up to three times per player. Past the target loses.
fn three_uses(target: usize) -> Verdict {
    // Indexed by the doublings of the player to move and the opponent's.
    let at = |number: usize, own: usize, other: usize| number * 16 + own * 4 + other;
    let mut cells = vec![0; target * 16];
    for number in (1..target).rev() {
        for own in 0..4 {
            for other in 0..4 {
                let worth = |to: usize, own: usize| {
                    landed(to, target).unwrap_or_else(|| before_move(cells[at(to, other, own)]))
                };
                let mut best = worth(number + 1, own);
                if own < 3 {
                    best = best.max(worth(number * 2, own + 1));
                }
                cells[at(number, own, other)] = best;
            }
        }
    }
    verdict(cells[at(1, 0, 0)])
}

/// Subtract 1, 2 or 3 from a shared number, but not below 0.
fn down_by_three(start: usize) -> Verdict {
    let mut cells = vec![0; start + 1];
    for number in 1..=start {
        let worth = |amount: usize| match number.cmp(&amount) {
            std::cmp::Ordering::Less => NONE,
            std::cmp::Ordering::Equal => FAR - 1,
            std::cmp::Ordering::Greater => before_move(cells[number - amount]),
        };
        cells[number] = worth(1).max(worth(2)).max(worth(3));
    }
    verdict(cells[start])
}

/// Subtract a digit of a shared number, down to 0.
fn minus_a_digit(start: usize) -> Verdict {
    let mut cells = vec![0; start + 1];
    for number in 1..=start {
        let (mut rest, mut best) = (number, NONE);
        while rest > 0 {
            let digit = rest % 10;
            rest /= 10;
            if digit > 0 {
                let worth = if digit == number { FAR - 1 } else { before_move(cells[number - digit]) };
                best = best.max(worth);
            }
        }
        cells[number] = best;
    }
    verdict(cells[start])
}

/// Subtract a divisor of a shared number, but not the number itself. The player who can't move at 1 loses.
fn minus_a_divisor(start: usize) -> Verdict {
    let mut cells = vec![-FAR; start + 1];
    for number in 2..=start {
        let mut best = NONE;
        for small in (1..).take_while(|small| small * small <= number) {
            if number.is_multiple_of(small) {
                best = best.max(before_move(cells[number - small]));
                if small > 1 {
                    best = best.max(before_move(cells[number - number / small]));
                }
            }
        }
        cells[number] = best;
    }
    verdict(cells[start])
}

/// The processor time of this thread, if available. It excludes other processes.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The processor time of a second thread, in nanoseconds.
static HELPED: AtomicU64 = AtomicU64::new(0);

/// Lends a second thread for large tables.
fn lend(help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            help();
            let had = processor_time().unwrap_or_default();
            HELPED.store(had.as_nanos() as u64, Relaxed);
        });
        own();
    });
}

/// Repeats the measurement, because processor time has a resolution of a few milliseconds.
fn timed<T>(run: impl Fn() -> T) -> (Duration, T) {
    let (begun, had) = (Instant::now(), processor_time());
    for times in 1.. {
        let made = black_box(run());
        let took = processor_time().zip(had).map_or_else(|| begun.elapsed(), |(now, before)| now - before);
        if took >= Duration::from_millis(100) {
            return (took / times, made);
        }
    }
    unreachable!("it took no time at all")
}

/// The processor time of the busier of two threads, and the elapsed time; `None` if one thread was enough.
/// The first is the time on an idle machine.
fn in_two<T>(run: impl Fn() -> T) -> Option<(Duration, Duration)> {
    HELPED.store(0, Relaxed);
    let (begun, had) = (Instant::now(), processor_time()?);
    black_box(run());
    let (own, helped) = (processor_time()? - had, Duration::from_nanos(HELPED.load(Relaxed)));
    (helped > Duration::ZERO).then(|| (own.max(helped), begun.elapsed()))
}

fn main() -> std::io::Result<()> {
    let no_copying_at = |target: usize| {
        let draft = catalog::draft("sequence-math-duel").and_then(|draft| draft.variant("no-copying").ok());
        draft.unwrap_or_else(|| panic!("the game isn't shipped")).set_target("--target", &target.to_string())
    };
    let read = |text: String| Draft::read("bench", &format!("title = 'T'\nstart = 1\n{text}"));
    let pushing_at = |target: usize| {
        let moves = "moves = ['+1', 'x2', { op = '+3', on = 'other' }]";
        read(format!("numbers = 'separate'\ntarget = {target}\n{moves}"))
    };
    let up_and_down_at = |target: usize| {
        let moves = "moves = ['+1..2', { op = '-1', when = 'multiple of 3' }]";
        read(format!("target = {target}\n{moves}"))
    };
    let no_repeat_at =
        |target: usize| read(format!("target = {target}\nmoves = ['+1', 'x2']\nno_repeat = 'own'"));
    let three_uses_at =
        |target: usize| read(format!("target = {target}\nmoves = ['+1', {{ op = 'x2', uses = 3 }}]"));
    let down = |text: String| Draft::read("bench", &format!("title = 'T'\n{text}"));
    let down_by_three_at =
        |start: usize| down(format!("start = {start}\ntarget = 0\nmoves = ['-1..3']\npast = 'forbidden'"));
    let minus_a_digit_at = |start: usize| down(format!("start = {start}\ntarget = 0\nmoves = ['-digit']"));
    let minus_a_divisor_at =
        |start: usize| down(format!("start = {start}\nrange = [1, {start}]\nmoves = ['-divisor']"));
    type ByHand = fn(usize) -> Verdict;
    type Book<'a> = &'a dyn Fn(usize) -> Draft;
    type Game<'a> = (&'a str, Book<'a>, ByHand, &'a [usize], usize, u32);
    let games: [Game<'_>; 8] = [
        ("sequence-math-duel no-copying", &no_copying_at, no_copying, &[500, 2000, 5000], 4, 2),
        ("+1, x2, push the other by 3", &pushing_at, pushing, &[1000, 10_000], 1, 2),
        ("one number, mostly up", &up_and_down_at, up_and_down, &[100_000, 10_000_000], 1, 1),
        ("+1, x2, no repeats", &no_repeat_at, no_repeat, &[100_000, 1_000_000], 7, 1),
        ("+1, x2 three times each", &three_uses_at, three_uses, &[100_000, 1_000_000], 16, 1),
        ("down by 1 to 3", &down_by_three_at, down_by_three, &[100_000, 10_000_000], 1, 1),
        ("minus a digit", &minus_a_digit_at, minus_a_digit, &[100_000, 10_000_000], 1, 1),
        ("minus a divisor", &minus_a_divisor_at, minus_a_divisor, &[9_999], 1, 1),
    ];
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "full tables (goal: a ratio of at most 4, or 2 if a shared number goes one way; 8 bytes per cell at any time)"
    )?;
    for (name, book, by_hand, targets, memory_states, players) in games {
        for target in targets {
            let rulebook: Rulebook = book(*target).build().unwrap_or_else(|problems| panic!("{problems:?}"));
            let rulebook = Arc::new(rulebook);
            let solve_with = |workers: Option<Workers>| {
                let mut budget = Budget::patient(1 << 32).with_workers(workers);
                let table = Solver::by_table(Arc::clone(&rulebook), &mut budget);
                let solver = table
                    .unwrap_or_else(|why| panic!("{why}"))
                    .unwrap_or_else(|| panic!("the solver has no table"));
                solver.verdict(&rulebook.opening(Player::One))
            };
            let solve = || solve_with(None);
            let (mut ours, mut reference) = (Duration::MAX, Duration::MAX);
            for _ in 0..3 {
                let (took, found) = timed(solve);
                let (took_by_hand, known) = timed(|| by_hand(*target));
                assert_eq!(found, Some(known), "{name} {target}");
                ours = ours.min(took);
                reference = reference.min(took_by_hand);
            }
            let peak = allocation_counter::measure(|| assert!(solve().is_some())).bytes_max;
            let places = ((target - 1) as f64).powi(players as i32) * memory_states as f64;
            writeln!(
                out,
                "  {name:<36} to {target:>8}: {:8.1} ms, by hand {:8.1} ms, ratio {:4.2}; {:5.2} bytes per cell",
                ours.as_secs_f64() * 1e3,
                reference.as_secs_f64() * 1e3,
                ours.as_secs_f64() / reference.as_secs_f64(),
                peak as f64 / places,
            )?;
            if players == 2
                && let Some((busier, took)) = (0..3).filter_map(|_| in_two(|| solve_with(Some(lend)))).min()
            {
                writeln!(
                    out,
                    "  {:<50} two threads: busier one {:8.1} ms, {:4.2} times as fast; {:8.1} ms elapsed",
                    "",
                    busier.as_secs_f64() * 1e3,
                    ours.as_secs_f64() / busier.as_secs_f64(),
                    took.as_secs_f64() * 1e3,
                )?;
            }
        }
    }
    Ok(())
}
