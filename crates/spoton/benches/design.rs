//! Speed of the design tools: audits of every shipped book, with and without the search for improvements, a sweep over
//! targets, and invented games. Each time is shown next to the time for solving the same game in the same run, so that
//! results from different machines can be compared. Run with `cargo bench -p spoton --bench design`.

use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use spoton::design::audit::better::better;
use spoton::design::audit::sweep::Sweep;
use spoton::design::invent::{Bounds, Inventor};
use spoton::format::{BookText, Changes, Game, catalog};
use spoton::solved::SolvedGame;
use spoton::solver::{Budget, Solver};

/// The game to sweep.
const SWEPT: &str = "number-maze";

fn best_of<T>(times: u32, mut run: impl FnMut() -> T) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..times {
        let begun = Instant::now();
        black_box(run());
        best = best.min(begun.elapsed());
    }
    best
}

fn game(id: &str) -> Game {
    let book = BookText::shipped(id).unwrap_or_else(|| panic!("{id} is shipped"));
    Game::new(book, id.to_owned(), &Changes::default()).unwrap_or_else(|bad| panic!("{bad}"))
}

fn budget() -> Budget<'static> {
    Budget::patient(1 << 30)
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<22} {:>10} {:>10} {:>8} {:>12}", "game", "solve", "audit", "ratio", "and better")?;
    for id in catalog::ids() {
        let game = game(id);
        let rulebook = Arc::new(game.rulebook().unwrap_or_else(|bad| panic!("{bad}")));
        let solve = best_of(5, || Solver::new(Arc::clone(&rulebook), &mut budget()));
        let audit = best_of(5, || SolvedGame::new(Arc::clone(&rulebook)).audit(&mut budget()));
        let solved = SolvedGame::new(Arc::clone(&rulebook));
        let audited = solved.audit(&mut budget()).unwrap_or_else(|why| panic!("{why}"));
        let better =
            best_of(1, || better(&game, &rulebook, &audited, &mut budget()).map(|found| found.len()));
        let ratio = audit.as_secs_f64() / solve.as_secs_f64();
        writeln!(out, "{id:<22} {solve:>10.1?} {audit:>10.1?} {ratio:>8.0} {better:>12.1?}")?;
    }
    let swept = game(SWEPT);
    let sweep =
        best_of(3, || Sweep::over_targets(&swept, 2..=1000, &mut budget()).map(|sweep| sweep.targets.len()));
    let alone = best_of(3, || {
        for target in 2..=1000 {
            let Ok(rulebook) = swept.with_target(target) else { continue };
            let _ = black_box(Solver::new(Arc::new(rulebook), &mut budget()));
        }
    });
    let ratio = sweep.as_secs_f64() / alone.as_secs_f64();
    writeln!(out, "\na sweep over 2..1000: {sweep:.1?}, {ratio:.1} times solving each target alone")?;
    let invented = best_of(3, || {
        let mut inventor = Inventor::new(1, Bounds::usual());
        (0..100).filter(|_| inventor.next(&mut budget()).is_ok_and(|game| game.is_some())).count()
    });
    writeln!(out, "100 invented games: {invented:.1?}")
}
