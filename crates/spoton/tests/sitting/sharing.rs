//! Shared solutions: all threads use them, the whole book is the key, and they stay within the memory limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Draft, Rulebook};
use spoton::sitting::{Command, Dice, Lookahead, Setup, Sitting};
use spoton::solved::{SolvedGame, SolvedGames};
use spoton::solver::{Budget, Progress, Unsolved};
use spoton::teach::map::Picture;

use crate::game;
use crate::random_books::{self, random_book};

fn book(text: &str) -> Arc<Rulebook> {
    Arc::new(Draft::read("book", text).build().unwrap_or_else(|problems| panic!("{problems:?}")))
}

fn race_to(target: u32) -> Arc<Rulebook> {
    book(&format!("title = 'Race'\nstart = 0\ntarget = {target}\nmoves = ['+1..4']\npast = 'forbidden'\n"))
}

/// A race that needs a table, because of its list.
fn long_race_to(target: u32) -> Arc<Rulebook> {
    let rules = "moves = ['+1..4']\npast = 'forbidden'\nlosing = ['multiples of 700']\n";
    book(&format!("title = 'Race'\nstart = 0\ntarget = {target}\n{rules}"))
}

#[test]
fn two_threads_play_different_sittings_on_one_solution() {
    let games = SolvedGames::new(16 << 20);
    let searches = AtomicUsize::new(0);
    let play = |seed: u64| {
        let mut keep_going = |progress: Progress| {
            searches.fetch_add(usize::from(progress.positions == 0), Ordering::SeqCst);
            true
        };
        let ahead = &mut Lookahead { games: &games, keep_going: &mut keep_going };
        let sage = Opponent::parse("sage").ok();
        let maze = game("number-maze", &["target=500"]);
        let setup = Setup::new(maze, ByPlayer([sage, sage]), Player::One, Dice::new(seed));
        let (mut sitting, _) = Sitting::begin(setup, ahead).unwrap();
        while sitting.round().outcome().is_none() {
            let choice = sitting.computers_choice(ahead).unwrap().unwrap();
            sitting.act(Command::Play(choice)).unwrap();
        }
        let review = sitting.review(ahead).unwrap();
        assert!(review.moves.iter().all(|judged| !judged.is_mistake()), "Sage gives nothing away");
        (sitting.rulebook().clone(), sitting.round().outcome().unwrap().winner)
    };
    let played: Vec<_> = std::thread::scope(|threads| {
        let threads: Vec<_> = (0..2)
            .map(|seed| {
                threads.spawn(move || (0..10).map(|round| play(seed * 10 + round)).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(played.len(), 20);
    // The second player wins at 500 in every thread.
    assert!(played.iter().all(|(_, winner)| *winner == played[0].1));
    // Every thread gets the same solution.
    let solvers = played
        .iter()
        .map(|(rulebook, _)| games.ask(rulebook, &mut |_| true, |game, budget| game.solver(budget)).unwrap());
    let solvers: Vec<_> = solvers.collect();
    assert!(solvers.iter().all(|solver| Arc::ptr_eq(solver, &solvers[0])));
}

#[test]
fn everything_is_found_once() {
    let game = SolvedGame::new(race_to(2000));
    let mut searched = 0;
    let mut ask = |question: &dyn Fn(&SolvedGame, &mut Budget<'_>)| {
        let mut keep_going = |_: Progress| {
            searched += 1;
            true
        };
        question(&game, &mut Budget::new(4 << 20, &mut keep_going));
        std::mem::take(&mut searched)
    };
    let round = Round::new(Arc::clone(game.rulebook()), Player::One);
    assert!(ask(&|game, budget| drop(game.solver(budget).unwrap())) > 0);
    assert_eq!(ask(&|game, budget| drop(game.solver(budget).unwrap())), 0);
    assert_eq!(
        ask(&|game, budget| drop(game.chart(budget).unwrap().unwrap())),
        0,
        "the chart needs no other search"
    );
    assert_eq!(ask(&|game, budget| drop(game.review(&round, budget).unwrap())), 0);
    assert!(ask(&|game, budget| assert!(game.portrait(budget).is_ok())) > 0);
    assert_eq!(ask(&|game, budget| assert!(game.portrait(budget).is_ok())), 0);
}

#[test]
fn a_refusal_is_remembered_until_there_is_more_memory() {
    let game = SolvedGame::new(long_race_to(100_000));
    let ask = |bytes| game.solver(&mut Budget::patient(bytes)).map(|solver| solver.bytes());
    let refused = ask(1000).unwrap_err();
    assert!(matches!(refused, Unsolved::TooLarge { .. }));
    assert_eq!(ask(1000), Err(refused.clone()));
    assert_eq!(ask(500), Err(refused));
    assert!(ask(1 << 20).is_ok_and(|bytes| bytes >= 400_000));
    assert!(ask(1).is_ok(), "what is found is there for everybody");
    // A canceled query can be retried.
    let game = SolvedGame::new(long_race_to(100_000));
    let stopped = game.solver(&mut Budget::new(1 << 20, &mut |_| false));
    assert!(matches!(stopped.err(), Some(Unsolved::Stopped { .. })));
    assert!(game.solver(&mut Budget::patient(1 << 20)).is_ok());
}

#[test]
fn books_with_other_words_stay_apart() {
    let games = SolvedGames::new(1 << 20);
    let plain = "start = 0\ntarget = 20\nmoves = ['+1', '+2']\n";
    let one = book(&format!("title = 'One'\n{plain}"));
    let two = book(&format!("title = 'Two'\n{plain}"));
    let spoken = book(&format!("title = 'One'\n{plain}[wording]\nwins = 'Hurrah, {{winner}}!'\n"));
    assert_eq!(one.fingerprint(), two.fingerprint());
    assert_eq!(one.fingerprint(), spoken.fingerprint());
    let kept = [&one, &two, &spoken].map(|rulebook| games.game(rulebook));
    for (index, game) in kept.iter().enumerate() {
        for other in &kept[index + 1..] {
            assert!(!Arc::ptr_eq(game, other));
        }
    }
    // The same book, parsed again, is the same game.
    assert!(Arc::ptr_eq(&kept[0], &games.game(&book(&format!("title = 'One'\n{plain}")))));
}

/// Two books with the same fingerprint, found by a search of a few minutes.
const ONE: &str = "{start = 1, target = 20, moves = ['+1', 'x2'], losing = [15527720741, 607347644554]}";
const TWO: &str = "{start = 1, target = 21, moves = ['+1', 'x2'], losing = [10460176564, 640240235054]}";
fn forged() -> (Arc<Rulebook>, Arc<Rulebook>) {
    let read = |line: &str| {
        let draft = Draft::read_line("Rules", &line.replacen('{', "{title = 'Forged', ", 1));
        Arc::new(draft.build().unwrap_or_else(|problems| panic!("{problems:?}")))
    };
    (read(ONE), read(TWO))
}

/// Fingerprints are 64-bit and simple, so collisions can be forged. The key is the game's whole line, so games are
/// never confused.
#[test]
fn a_forged_fingerprint_is_no_way_to_anothers_solution() {
    let (one, two) = forged();
    assert_eq!(one.fingerprint(), two.fingerprint(), "they would be taken for each other by it");
    assert_ne!(one.rules_line(), two.rules_line());
    let games = SolvedGames::new(1 << 20);
    let verdict = |rulebook: &Arc<Rulebook>| {
        let solver = games.ask(rulebook, &mut |_| true, |game, budget| game.solver(budget)).unwrap();
        solver.verdict(&rulebook.opening(Player::One)).unwrap()
    };
    assert_ne!(verdict(&one), verdict(&two));
    assert_ne!(verdict(&one), verdict(&two), "in any order");
}

#[test]
fn games_make_room_for_each_other() {
    const LIMIT: u64 = 1 << 20;
    let games = SolvedGames::new(LIMIT);
    let solved = |book| games.ask(&book, &mut |_| true, |game, budget| game.solver(budget));
    let ask = |target| solved(long_race_to(target));
    // Each needs four bytes per number: two of these fit, three don't.
    for target in [100_000, 100_001, 100_002, 200_000] {
        let solver = ask(target).unwrap_or_else(|why| panic!("{target}: {why}"));
        assert!(solver.bytes() >= 4 * u64::from(target) && solver.bytes() < LIMIT);
    }
    // The most recently used one stays cached.
    assert!(Arc::ptr_eq(&ask(200_000).unwrap(), &ask(200_000).unwrap()));
    // Without room for a table, the solver works by stretches (runs of numbers with a common pattern). That isn't
    // possible with counted passes.
    assert!(solved(race_to(300_000)).unwrap().bytes() < 4096);
    let passes = book("title = 'Race'\nstart = 0\ntarget = 300000\nmoves = ['+1..4', 'x1']\npasses = 1\n");
    let too_large =
        games.ask(&passes, &mut |_| true, |game, budget| game.solver(budget).map(|_| ())).unwrap_err();
    assert!(matches!(too_large, Unsolved::TooLarge { budget: LIMIT, .. }), "{too_large:?}");
}

/// All of a round's hints and reasons together stay within the memory limit at all times.
#[test]
fn a_round_with_all_its_help_keeps_to_its_memory() {
    const BESIDE: u64 = 256 << 10;
    for (id, settings, bytes) in [
        ("race-to-23", ["target=200003", "repetition=3"], 1 << 20),
        ("number-maze", ["target=200000", "repetition=3"], 1 << 20),
        ("target-twenty-one", ["target=60000", "repetition=2"], 1 << 20),
        ("double-or-add", ["target=60000", "moves=+1,x2,-1"], 1 << 20),
        ("sequence-math-duel", ["target=4000", "repetition=3"], 1 << 20),
    ] {
        let peak = allocation_counter::measure(|| {
            let games = SolvedGames::new(bytes);
            let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
            let sage = Opponent::parse("sage").ok();
            let setup = Setup::new(game(id, &settings), ByPlayer([None, sage]), Player::One, Dice::new(1));
            let (mut sitting, _) = Sitting::begin(setup, ahead).unwrap();
            let idea = "leave every 5 from 3".parse().unwrap();
            for _ in 0..6 {
                // Some of these queries may be too large, but none may exceed the limit.
                let _ = sitting.hint(ahead);
                let _ = sitting.why(ahead);
                let _ = ahead.ask(sitting.rulebook(), |game, budget| game.test(&idea, budget));
                let _ = ahead.ask(sitting.rulebook(), |game, budget| game.map(None, budget).map(|_| ()));
                let _ = sitting.forced_end(ahead);
                if sitting.round().outcome().is_some() {
                    break;
                }
                let choice = match sitting.computer() {
                    Some(_) => sitting.computers_choice(ahead).unwrap(),
                    None => sitting.rulebook().legal(sitting.round().position()).get(0),
                };
                sitting.act(Command::Play(choice.unwrap())).unwrap();
            }
            let _ = sitting.review(ahead);
        })
        .bytes_max;
        assert!(peak <= bytes + BESIDE, "{id}: {peak} of {bytes}");
        assert!(peak > bytes / 4, "{id}: {peak} of {bytes} shows nothing");
    }
}

/// Repeated positions change a round's game. Its solution is cached for the next turn, and its memory counts.
#[test]
fn what_the_house_rule_makes_of_a_round_counts_as_well() {
    const BYTES: u64 = 1 << 20;
    let mut other_games = 0;
    for number in 0..400 {
        let random = random_book(number);
        let draft = Draft::read("book", &random.text);
        let draft = random.variant.into_iter().try_fold(draft, |draft, name| draft.variant(name));
        let Ok(rulebook) = draft.unwrap().set("--set", "repetition=2").build() else { continue };
        let game = SolvedGame::new(Arc::new(rulebook));
        let Ok(solver) = game.solver(&mut Budget::patient(BYTES)) else { continue };
        let mut dice = random_books::Dice::new(number);
        let mut round = Round::new(Arc::clone(game.rulebook()), Player::One);
        for _ in 0..12 {
            let used = allocation_counter::measure(|| {
                // If it's too large, that is an error.
                let _ = game.outlook(&round, &mut Budget::patient(BYTES));
            });
            assert!(used.bytes_max <= BYTES, "{number}: {} bytes", used.bytes_max);
            assert!(game.bytes() >= solver.bytes() && game.bytes() <= BYTES, "{number}: {}", game.bytes());
            other_games += usize::from(game.bytes() > solver.bytes());
            let moves: Vec<_> = round.situation().moves().collect();
            if moves.is_empty() || round.play(dice.pick(&moves)).is_err() {
                break;
            }
        }
    }
    assert!(other_games > 20, "{other_games}");
}

/// Even if a game lists numbers, Spot On finds without a search that the game is too large for a chart.
#[test]
fn a_chart_of_too_many_numbers_is_refused_immediately() {
    for list in ["losing = [7]", "winning = [50]", "forbidden = [9]"] {
        let far = "title = 'T'\nstart = 1\ntarget = 1000000000000000000\nmoves = ['+1', 'x2']\n";
        let game = SolvedGame::new(book(&format!("{far}{list}\n")));
        let mut asked = 0;
        let used = allocation_counter::measure(|| {
            let mut keep_going = |_: Progress| {
                asked += 1;
                true
            };
            let refused = game.chart(&mut Budget::new(1 << 30, &mut keep_going)).err();
            assert!(matches!(refused, Some(Unsolved::TooLarge { reached: 0, .. })), "{list}");
        });
        assert_eq!((asked, used.bytes_max < 4096), (0, true), "{list}");
        // A map falls back to stretches, which is quick.
        let mut asked = 0;
        let mut keep_going = |_: Progress| {
            asked += 1;
            true
        };
        let map = game.map(None, &mut Budget::new(1 << 30, &mut keep_going)).unwrap();
        assert!(matches!(map.picture, Picture::Ranges(_)), "{list}");
        assert!(asked < 200, "{asked} steps, {list}");
    }
}
