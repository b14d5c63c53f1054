//! Compares the puzzle order with a simple model. Also plays every puzzle with a solver who always finds the win and
//! one who never does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use spoton::day::Day;
use spoton::design::today::Duel;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::engine::round::Round;
use spoton::format::{BookText, Changes, Draft, Game, Rulebook, Setting, catalog};
use spoton::records::{Circumstances, Record, set_up};
use spoton::solved::outlook::Reason;
use spoton::solved::{SolvedGame, SolvedGames};
use spoton::solver::{Budget, Solver, Value};
use spoton::teach::puzzle::{
    self, Attempt, AttemptState, Became, Course, HARD_ENOUGH, NextPuzzle, NoPuzzles, OwnRound, PuzzleId,
    Puzzles, Served, Shelf, Source, Tried,
};
use spoton::words;

fn game(id: &str, changes: &Changes) -> Game {
    Game::new(BookText::shipped(id).unwrap(), id.to_owned(), changes).unwrap()
}

fn plain(id: &str) -> Game {
    game(id, &Changes::default())
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn next(shelf: &Shelf, tried: &Tried, rounds: &[OwnRound], today: Day) -> NextPuzzle {
    let games = SolvedGames::new(64 << 20);
    puzzle::next(shelf, &Course { tried, rounds, today }, &games, &mut |_| true).unwrap()
}

fn served(next: NextPuzzle) -> Served {
    match next {
        NextPuzzle::Puzzle(served) => *served,
        NextPuzzle::NoneAtAll(why) => panic!("there is none: {why:?}"),
        NextPuzzle::UsedUp { back_on } => panic!("there is none, until {back_on:?}"),
    }
}

fn solver(rulebook: &Arc<Rulebook>) -> Solver {
    Solver::new(Arc::clone(rulebook), &mut Budget::patient(64 << 20)).unwrap()
}

/// Checks that a puzzle is hard enough and that the player to move can force a win.
fn assert_is_one(served: &Served) {
    assert!(served.grade() <= HARD_ENOUGH);
    let round = served.begin();
    let verdict = solver(served.rulebook()).verdict(round.position()).unwrap();
    assert_eq!(verdict.value, Value::Win, "{}", served.id);
    assert!(matches!(round.situation(), Situation::Choose(choices) if choices.len() > 1), "{}", served.id);
}

/// All puzzles of a game in serving order: the book, the variants, the nearby targets.
fn everything(id: &str) -> Vec<(Changes, Vec<PuzzleId>)> {
    let book = plain(id);
    let changes = |variant: Option<&str>, target: Option<i64>| Changes {
        variant: variant.map(str::to_owned),
        settings: target.map(|target| Setting::Target(target.to_string())).into_iter().collect(),
    };
    let mut all = vec![changes(None, None)];
    all.extend(book.draft.variants().map(|variant| changes(Some(variant), None)));
    if let (Some(target), Some(around)) = (book.rulebook().unwrap().target(), book.targets_around()) {
        let mut targets: Vec<i64> = around.filter(|other| *other != target).collect();
        targets.sort_by_key(|other| (other.abs_diff(target), *other));
        all.extend(targets.into_iter().take(24).map(|target| changes(None, Some(target))));
    }
    let mut seen = BTreeSet::new();
    let pool = |changes: Changes| {
        let rulebook = Arc::new(game(id, &changes).rulebook().ok()?);
        if !seen.insert(rulebook.fingerprint()) {
            return None;
        }
        let solved = SolvedGame::new(Arc::clone(&rulebook));
        let puzzles = Puzzles::for_game(&solved, &mut Budget::patient(64 << 20)).unwrap();
        let ids = |puzzles: Puzzles| {
            let pool = puzzles.pool();
            pool.iter().map(|puzzle| PuzzleId::new(&rulebook, puzzles.name(puzzle))).collect::<Vec<_>>()
        };
        Some((changes, puzzles.map(ids).unwrap_or_default()))
    };
    all.into_iter().filter_map(pool).collect()
}

/// Simulates weeks with a game: several puzzles a day, some missed, until none is left.
#[test]
fn puzzles_come_in_order_and_missed_ones_return() {
    for id in ["number-maze", "double-or-add", "operation-target", "race-to-23"] {
        let shelf = Shelf::from_game(plain(id)).unwrap();
        let everything = everything(id);
        let all: Vec<&PuzzleId> = everything.iter().flat_map(|(_, ids)| ids).collect();
        let way = |id: &PuzzleId| everything.iter().position(|(_, ids)| ids.contains(id)).unwrap();
        let mut tried = Tried::default();
        // The model: when each puzzle was last missed, and which were solved.
        let (mut missed, mut solved) = (BTreeMap::new(), BTreeSet::new());
        let (mut today, mut turn, mut came_again) = (day("2026-11-16"), 0_u32, 0);
        loop {
            let due = missed.iter().filter(|(_, missed)| **missed < today);
            let due = due
                .min_by_key(|(id, missed)| (**missed, way(id), (*id).clone()))
                .map(|(id, _): (&PuzzleId, _)| id.clone());
            let new = all.iter().find(|id| !missed.contains_key(*id) && !solved.contains(**id));
            let expected = due.clone().or_else(|| new.map(|id| (*id).clone()));
            let found = next(&shelf, &tried, &[], today);
            let Some(expected) = expected else {
                let NextPuzzle::UsedUp { back_on } = found else { panic!("{id}: something is left") };
                assert_eq!(back_on, missed.values().min().map(|day: &Day| day.next()), "{id}");
                if missed.is_empty() {
                    break;
                }
                today = today.next();
                continue;
            };
            let found = served(found);
            assert_eq!(found.id, expected, "{id} on {today}");
            assert_eq!(found.missed, missed.get(&expected).copied());
            assert_eq!(found.rulebook().fingerprint(), expected.to_string()[..16]);
            came_again += u32::from(due.is_some());
            if turn % 10 == 0 {
                assert_is_one(&found);
            }
            turn += 1;
            if turn % 3 == 0 {
                tried.note(expected.clone(), Became::Missed(today));
                missed.insert(expected, today);
            } else {
                tried.note(expected.clone(), Became::Solved(today));
                missed.remove(&expected);
                assert!(solved.insert(expected), "{id} repeats one that was solved");
            }
            if turn % 7 == 0 {
                today = today.next();
                // Sometimes skips a few days.
                if turn % 2 == 0 {
                    today = today.next().next();
                }
            }
            // The stored text is the full state.
            let kept: Vec<(String, String)> =
                tried.pairs().map(|(id, became)| (id.to_string(), became.to_string())).collect();
            assert_eq!(Tried::read(kept.iter().map(|(id, became)| (&id[..], &became[..]))), tried);
        }
        assert_eq!(solved.len(), all.len());
        assert!(came_again > 3, "{id}: {came_again}");
    }
}

/// All games in turn, without repeats.
#[test]
fn games_take_turns() {
    let shelves: Vec<Shelf> = catalog::ids().map(|id| Shelf::from_game(plain(id)).unwrap()).collect();
    let games = SolvedGames::new(64 << 20);
    let mut tried = Tried::default();
    let today = day("2026-11-16");
    let mut order = Vec::new();
    // Two books have no puzzles themselves and come last.
    let has_some = |id: &&str| !everything(id)[0].1.is_empty();
    let ids: Vec<&str> = catalog::ids().filter(has_some).collect();
    assert_eq!(ids.len(), shelves.len() - 2);
    for _ in 0..2 * ids.len() {
        let course = Course { tried: &tried, rounds: &[], today };
        let found = served(puzzle::next_of_all(&shelves, &course, &games, &mut |_| true).unwrap());
        assert_is_one(&found);
        assert_eq!(tried.result(&found.id), None);
        tried.note(found.id.clone(), Became::Solved(today));
        // An id finds its puzzle, whatever the result was.
        let course = Course { tried: &tried, rounds: &[], today };
        let again = puzzle::by_id(&found.id, &shelves, &course, &games, &mut |_| true).unwrap().unwrap();
        assert_eq!((&again.id, again.grade()), (&found.id, found.grade()));
        assert_eq!(again.begin().position(), found.begin().position());
        order.push(found.game.id().to_owned());
    }
    assert_eq!(order, [&ids[..], &ids[..]].concat());
}

/// A book without puzzles explains why, or serves its variants' puzzles if they have any.
#[test]
fn a_book_without_puzzles_says_so() {
    let today = day("2026-11-16");
    for (id, why) in [("operation-target", NoPuzzles::TooEasy), ("target-twenty-one", NoPuzzles::Endless)] {
        let found = served(next(&Shelf::from_game(plain(id)).unwrap(), &Tried::default(), &[], today));
        assert_eq!(found.book_has_none, Some(why), "{id}");
        assert!(matches!(found.source, Source::Variant(_)), "{id}");
        let said = words::puzzle::about(&found, today);
        assert!(said[0].starts_with("The standard game has no puzzle"), "{said:?}");
        assert!(said[0].contains(", so this one is from the variant "), "{said:?}");
    }
    // With a requested target, the message is about that target.
    let to_7 = Changes { variant: None, settings: vec![Setting::Target("7".to_owned())] };
    let found =
        served(next(&Shelf::from_game(game("number-maze", &to_7)).unwrap(), &Tried::default(), &[], today));
    let Source::Target(target) = found.source else { panic!("{:?}", found.source) };
    let expected =
        format!("This game to 7 has no puzzle that's hard enough, so this one is played to {target}.");
    assert_eq!(words::puzzle::about(&found, today), [expected]);
    let shelf = Shelf::from_game(game("operation-target", &to_7)).unwrap();
    let said = words::puzzle::nothing_left(&next(&shelf, &Tried::default(), &[], today), None, today);
    assert_eq!(said.as_deref(), Some("This game has no puzzles: none of its positions is hard enough."));
    let endless = Changes { variant: Some("subtract".to_owned()), settings: vec![] };
    let shelf = Shelf::from_game(game("double-or-add", &endless)).unwrap();
    let found = next(&shelf, &Tried::default(), &[], today);
    assert!(matches!(found, NextPuzzle::NoneAtAll(NoPuzzles::Endless)));
    let said = words::puzzle::nothing_left(&found, Some("It"), today).unwrap();
    assert_eq!(said, "It has no puzzles: some of its rounds never end.");
    let drawn = Changes { variant: None, settings: vec![Setting::Target("20..60".to_owned())] };
    assert!(Shelf::from_game(game("number-maze", &drawn)).is_err());
}

/// If a game is too large, an error explains it. Cancellation works.
#[test]
fn a_game_that_is_too_large_is_refused_with_a_reason() {
    let settings = ["target=5000000", "range=0,5000000"].map(|set| Setting::Set(set.to_owned())).to_vec();
    let shelf = Shelf::from_game(game("race-to-23", &Changes { variant: None, settings })).unwrap();
    let course = Course { tried: &Tried::default(), rounds: &[], today: day("2026-11-16") };
    let ask = |bytes: u64, goes_on: bool| {
        puzzle::next(&shelf, &course, &SolvedGames::new(bytes), &mut |_| goes_on)
            .err()
            .map(|why| why.to_string())
    };
    assert!(ask(1 << 20, true).unwrap().contains("positions"));
    assert!(ask(1 << 40, false).is_some());
}

fn own_round(id: &str, moves: &[&str], computers: ByPlayer<Option<String>>, day: Option<Day>) -> OwnRound {
    let game = plain(id);
    let rulebook = Arc::new(game.rulebook().unwrap());
    let round = set_up(&rulebook, moves.iter().copied()).unwrap();
    assert!(round.outcome().is_some());
    let circumstances = Circumstances {
        rulebook: id.to_owned(),
        own_file: false,
        variant: None,
        settings: vec![],
        players: ByPlayer(["Ann".to_owned(), "Ben".to_owned()]),
        computers,
        in_match: None,
    };
    OwnRound { record: Record::from_round(&round, &circumstances), day }
}

/// A win given away comes up like a missed puzzle.
#[test]
fn your_own_turning_points_come_the_next_day() {
    // Only +3 would have kept the win at 0.
    let moves = ["+1", "+2", "+4", "+1", "+4", "+1", "+4", "+1", "+4", "+1"];
    let shelf = Shelf::from_game(plain("race-to-23")).unwrap();
    let people = ByPlayer([None, None]);
    let played = day("2026-11-15");
    let rounds = [own_round("race-to-23", &moves, people.clone(), Some(played))];
    let tried = Tried::default();
    let new = served(next(&shelf, &tried, &[], played)).id;
    assert_ne!(new.name(), "0;1");
    assert_eq!(served(next(&shelf, &tried, &rounds, played)).id, new, "it has just been looked back on");
    let found = served(next(&shelf, &tried, &rounds, played.next()));
    assert_eq!((found.id.name(), &found.source), ("0;1", &Source::OwnRound(Some(played))));
    assert_is_one(&found);
    assert_eq!(words::puzzle::about(&found, played), ["You missed this win in your round on 15 Nov."]);
    // Once solved, it never comes up again. Once missed, it comes up again like any other.
    let mut solved = tried.clone();
    solved.note(found.id.clone(), Became::Solved(played.next()));
    assert_eq!(served(next(&shelf, &solved, &rounds, day("2027-01-01"))).id, new);
    let mut missed = tried.clone();
    missed.note(found.id.clone(), Became::Missed(played.next()));
    assert_eq!(served(next(&shelf, &missed, &rounds, played.next())).id, new);
    assert_eq!(served(next(&shelf, &missed, &rounds, played.next().next())).id, found.id);
    // The computer's mistakes, and rounds of other games, don't count.
    let computer = ByPlayer([Some("pip".to_owned()), None]);
    let rounds = [own_round("race-to-23", &moves, computer, Some(played))];
    assert_eq!(served(next(&shelf, &tried, &rounds, played.next())).id, new);
    let other = Shelf::from_game(plain("fair-shares")).unwrap();
    let rounds = [own_round("race-to-23", &moves, people, None)];
    assert!(matches!(served(next(&other, &tried, &rounds, played.next())).source, Source::Book));
}

/// Every mistake of either person counts, but never the computer's.
#[test]
fn every_win_that_was_given_away_comes() {
    // +1 at 0 gave a win away, and +1 at 1 gave it back.
    let moves = ["+1", "+1", "+1", "+1", "+4", "+1", "+4", "+1", "+4", "+1", "+4"];
    let played = day("2026-11-15");
    let shelf = Shelf::from_game(plain("race-to-23")).unwrap();
    let ben = Some("pip".to_owned());
    for (computers, expected) in [
        (ByPlayer([None, None]), &["0;1", "1;1"][..]),
        (ByPlayer([None, ben.clone()]), &["0;1"]),
        (ByPlayer([ben, None]), &["1;1"]),
    ] {
        let rounds = [own_round("race-to-23", &moves, computers, Some(played))];
        let mut tried = Tried::default();
        let mut names = BTreeSet::new();
        loop {
            let found = served(next(&shelf, &tried, &rounds, played.next()));
            if found.source != Source::OwnRound(Some(played)) {
                break;
            }
            assert_is_one(&found);
            names.insert(found.id.name().to_owned());
            tried.note(found.id, Became::Solved(played.next()));
        }
        assert_eq!(names.iter().collect::<Vec<_>>(), expected);
    }
}

/// Daily duels have no shelf, but their records include the rules.
#[test]
fn wins_given_away_in_the_duel_of_a_day_come_too() {
    let played = day("2026-11-15");
    let duel = Duel::for_day(played, &mut Budget::patient(16 << 20)).unwrap();
    let rulebook = Arc::new(duel.game().unwrap().rulebook().unwrap());
    let solved = SolvedGame::new(Arc::clone(&rulebook));
    let puzzles = Puzzles::for_game(&solved, &mut Budget::patient(64 << 20)).unwrap().unwrap();
    let solver = solver(&rulebook);
    let mut round = Round::new(Arc::clone(&rulebook), Player::One);
    let mut given_away = None;
    while let Situation::Choose(choices) = round.situation() {
        let person = round.position().turn() == Player::One;
        let wrong = of_value(&solver, &round, false).first().copied();
        let hard = puzzles.grade(round.position()).is_some_and(|grade| grade <= HARD_ENOUGH);
        let right = of_value(&solver, &round, true).first().copied().or(choices.get(0)).unwrap();
        let choice = match wrong.filter(|_| person && hard && given_away.is_none()) {
            Some(wrong) => {
                given_away = Some(round.position().number());
                wrong
            }
            None => right,
        };
        round.play(Move::Operation(choice)).unwrap();
    }
    let circumstances = Circumstances {
        rulebook: duel.book().id,
        own_file: true,
        variant: None,
        settings: vec![],
        players: ByPlayer(["Ann".to_owned(), "Otto".to_owned()]),
        computers: ByPlayer([None, Some("otto".to_owned())]),
        in_match: None,
    };
    let rounds = [OwnRound { record: Record::from_round(&round, &circumstances), day: Some(played) }];
    let shelves =
        [Shelf::from_game(plain("race-to-23")).unwrap(), Shelf::from_game(plain("number-maze")).unwrap()];
    let games = SolvedGames::new(64 << 20);
    let ask = |today: Day| {
        let course = Course { tried: &Tried::default(), rounds: &rounds, today };
        served(puzzle::next_of_all(&shelves, &course, &games, &mut |_| true).unwrap())
    };
    let found = ask(played.next());
    assert_eq!((found.rulebook().title(), &found.source), (duel.title(), &Source::OwnRound(Some(played))));
    assert_eq!(Some(found.begin().position().number()), given_away);
    assert_eq!(ask(played).source, Source::Book);
    // Its id finds it only if that round is there.
    let by_id = |rounds: &[OwnRound]| {
        let course = Course { tried: &Tried::default(), rounds, today: played.next() };
        let id = found.id.to_string().parse().unwrap();
        puzzle::by_id(&id, &shelves, &course, &games, &mut |_| true).unwrap().map(|again| again.id)
    };
    assert_eq!((by_id(&rounds), by_id(&[])), (Some(found.id.clone()), None));
}

/// A win given away today is never served as new, even if nothing new comes before it.
#[test]
fn a_win_given_away_today_is_not_new() {
    let played = day("2026-11-15");
    let moves = ["+1", "+2", "+4", "+1", "+4", "+1", "+4", "+1", "+4", "+1"];
    let rounds = [own_round("race-to-23", &moves, ByPlayer([None, None]), Some(played))];
    let shelf = Shelf::from_game(plain("race-to-23")).unwrap();
    let mut tried = Tried::default();
    loop {
        let found = served(next(&shelf, &tried, &rounds, played));
        if found.source != Source::Book {
            break;
        }
        assert_ne!(found.id.name(), "0;1");
        tried.note(found.id, Became::Solved(played));
    }
}

/// The text is complete: no two puzzles from the same game look the same.
#[test]
fn the_words_include_the_whole_position() {
    let games = [
        ("half-at-most", None),
        ("target-twenty-one", Some("limited-passes")),
        ("break-it-down", Some("two-divisions")),
        ("fair-shares", Some("never-twice")),
    ];
    for (id, variant) in games {
        let changes = Changes { variant: variant.map(str::to_owned), settings: vec![] };
        let solved = SolvedGame::new(Arc::new(game(id, &changes).rulebook().unwrap()));
        let puzzles = Puzzles::for_game(&solved, &mut Budget::patient(64 << 20)).unwrap().unwrap();
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        let pool = puzzles.pool();
        assert!(pool.len() > 3, "{id}");
        for found in &pool {
            let (round, name) = (puzzles.begin(found), puzzles.name(found));
            // The words alone, without the list of choices.
            if let Some(other) = told.insert(words::puzzle::status(&round), name.clone()) {
                panic!("{id}: {other} and {name} read the same: {}", words::puzzle::status(&round));
            }
        }
    }
}

/// The same with all kinds of state: turns, pools per player and shared, and two numbers.
#[test]
fn the_words_include_every_part_of_a_position() {
    let texts = [
        "start = 1\ntarget = 20\nnumbers = 'separate'\nturns = 4\nmoves = ['+1', '+3', { op = 'x2', uses = 2 }]\nno_repeat = 'both'",
        "start = 1\ntarget = 20\nmoves = ['+1', '+2', { op = 'x2', uses = 3, pool = 'shared' }]\nno_repeat = 'opponent'",
        "start = 1\ntarget = 9\nnumbers = 'separate'\nmoves = ['+1', '+2', { op = '+2', on = 'other', uses = 2 }]\nno_repeat = 'own'",
        "start = 1\ntarget = 9\npasses = 2\nmoves = ['+1', '+3', 'x1']\nno_repeat = 'opponent'\nstuck = 'skips'",
    ];
    for text in texts {
        let rulebook = Arc::new(Draft::read("odd", &format!("title = 'Odd'\n{text}\n")).build().unwrap());
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        let mut rounds = Player::BOTH.map(|first| Round::new(Arc::clone(&rulebook), first)).to_vec();
        let mut seen = BTreeSet::new();
        while let Some(round) = rounds.pop() {
            let Situation::Choose(choices) = round.situation() else { continue };
            let name = rulebook.position_text(round.position());
            if !seen.insert(name.clone()) {
                continue;
            }
            // The text describes the state for each player. Runs once per starter, for full coverage.
            let of_one = round.position().turn() == Player::One;
            if of_one && let Some(other) = told.insert(words::puzzle::status(&round), name.clone()) {
                panic!("{text}:\n{other} and {name} read the same: {}", words::puzzle::status(&round));
            }
            for choice in choices.iter() {
                let mut later = round.clone();
                later.play(Move::Operation(choice)).unwrap();
                rounds.push(later);
            }
        }
        assert!(told.len() > 10, "{text}: {}", told.len());
    }
}

/// If a wrong and a right move leave the same number, the text explains the difference.
#[test]
fn the_proof_shows_the_difference_between_equal_numbers() {
    let text =
        "title = 'Odd'\nstart = 1\ntarget = 15\nmoves = ['+1', '+3', 'x2']\nno_repeat = 'own'\n".to_owned();
    let book = BookText { id: "odd".to_owned(), own_file: true, source_name: "odd.toml".to_owned(), text };
    let shelf = Shelf::from_game(Game::new(book, "odd".to_owned(), &Changes::default()).unwrap()).unwrap();
    let games = SolvedGames::new(64 << 20);
    let (mut tried, today, mut same) = (Tried::default(), day("2026-11-16"), 0);
    loop {
        let course = Course { tried: &tried, rounds: &[], today };
        let get = || puzzle::next(&shelf, &course, &games, &mut |_| true).unwrap();
        let NextPuzzle::Puzzle(first) = get() else { break };
        let solver = solver(first.rulebook());
        for wrong in of_value(&solver, &first.begin(), false) {
            let NextPuzzle::Puzzle(again) = get() else { unreachable!() };
            let mut attempt = Attempt::begin(*again);
            attempt.play(wrong);
            let AttemptState::Missed(proof) = attempt.state() else {
                panic!("a wrong move didn't end the attempt")
            };
            let (played, best) = (proof.played.unwrap(), proof.holding[0]);
            let said = words::puzzle::proof(&attempt, proof, false).join(" ");
            let alike = played.leaves == best.leaves;
            assert_eq!(said.contains("The difference: "), alike, "{said}");
            if alike {
                let write = |reason: Reason| first.rulebook().write(reason.a_move);
                let differs = format!("after {} you can't play {0} next", write(played));
                assert!(said.contains(&differs), "{said}");
                same += 1;
            }
        }
        tried.note(first.id, Became::Solved(today));
    }
    assert!(same > 0);
}

fn of_value(solver: &Solver, round: &Round, wins: bool) -> Vec<Choice> {
    let moves = solver.moves(round.position());
    let fit = moves.iter().filter(|judged| (judged.verdict.value == Value::Win) == wins);
    fit.filter_map(|judged| judged.a_move.choice()).collect()
}

/// The first puzzles of every shipped game.
fn first_puzzles(mut each: impl FnMut(&str, &dyn Fn() -> Served)) -> u32 {
    let games = SolvedGames::new(64 << 20);
    let today = day("2026-11-16");
    let mut count = 0;
    for id in catalog::ids() {
        let shelf = Shelf::from_game(plain(id)).unwrap();
        let mut tried = Tried::default();
        for _ in 0..30 {
            let get = || {
                let course = Course { tried: &tried, rounds: &[], today };
                match puzzle::next(&shelf, &course, &games, &mut |_| true).unwrap() {
                    NextPuzzle::Puzzle(served) => Some(*served),
                    _ => None,
                }
            };
            let Some(first) = get() else { break };
            each(id, &|| get().unwrap());
            count += 1;
            tried.note(first.id, Became::Solved(today));
        }
    }
    count
}

/// Playing any winning move at each turn solves every puzzle.
#[test]
fn holding_the_win_solves_every_puzzle() {
    let count = first_puzzles(|id, get| {
        for pick in [0, 1, usize::MAX] {
            let mut attempt = Attempt::begin(get());
            let solver = solver(attempt.served().rulebook());
            let mut moves = 0;
            while attempt.is_open() {
                assert_eq!(attempt.round().position().turn(), attempt.solver());
                let winning = of_value(&solver, attempt.round(), true);
                attempt.play(winning[pick.min(winning.len() - 1)]);
                moves += 1;
                assert!(moves < 500, "{id}");
            }
            assert_eq!(*attempt.state(), AttemptState::Solved, "{id}: {}", attempt.served().id);
            let said = words::puzzle::solved(&attempt);
            let round = attempt.round();
            match round.outcome() {
                Some(outcome) => {
                    assert_eq!(outcome.winner, Some(attempt.solver()));
                    assert!(said.ends_with(" wins."), "{said}");
                }
                None => {
                    let verdict = solver.verdict(round.position()).unwrap();
                    assert_eq!(verdict.value, Value::Loss, "the opponent is on turn");
                    assert_eq!(
                        said.contains("on your next move, if not before"),
                        verdict.remoteness() == Some(2)
                    );
                }
            }
        }
    });
    assert!(count > 300, "{count}");
}

/// A wrong move ends the puzzle, with a proof that's true in every part.
#[test]
fn a_wrong_move_ends_it_with_the_proof() {
    let mut drawn = 0;
    let count = first_puzzles(|id, get| {
        let mut attempt = Attempt::begin(get());
        let solver = solver(attempt.served().rulebook());
        let rulebook = Arc::clone(attempt.served().rulebook());
        // Not every position has a wrong move, but eventually one does.
        let wrong = loop {
            let wrong = of_value(&solver, attempt.round(), false);
            if let Some(wrong) = wrong.last() {
                break *wrong;
            }
            let winning = of_value(&solver, attempt.round(), true);
            attempt.play(winning[0]);
            assert!(attempt.is_open(), "{id}: {}: nothing could go wrong", attempt.served().id);
        };
        let before = attempt.round().clone();
        attempt.play(wrong);
        let AttemptState::Missed(proof) = attempt.state().clone() else { panic!("{id}: not missed") };
        let played = proof.played.unwrap();
        assert_eq!(played.a_move, Move::Operation(wrong));
        let verdict = solver.move_verdict(before.position(), played.a_move).unwrap();
        assert_eq!(played.verdict, verdict);
        drawn += u32::from(verdict.value == Value::Draw);
        let holding: BTreeSet<String> =
            proof.holding.iter().map(|reason| rulebook.write(reason.a_move)).collect();
        let winning = of_value(&solver, &before, true);
        let expected: BTreeSet<String> =
            winning.iter().map(|choice| rulebook.write(Move::Operation(*choice))).collect();
        assert_eq!((holding.len(), &holding), (proof.holding.len(), &expected));
        // In the proof's line, the solver wins as fast as the first move allows.
        let mut line = before.clone();
        for a_move in &proof.line {
            line.play(*a_move).unwrap();
        }
        assert_eq!(line.outcome().unwrap().winner, Some(attempt.solver()), "{id}");
        let remoteness = solver.verdict(before.position()).unwrap().remoteness().unwrap();
        assert_eq!(proof.line.len() as u64, remoteness);
        let said = words::puzzle::proof(&attempt, &proof, false);
        let written = rulebook.write(played.a_move);
        assert_eq!(said[0], format!("Missed: {written} gives the win away."));
        assert!(said[1].starts_with(&format!("{written} ")), "{said:?}");
        let at_once = rulebook.ends_at_once(before.position(), played.a_move).is_some();
        let what = match verdict.value {
            Value::Loss if at_once => " and loses",
            Value::Draw if at_once => " and draws",
            Value::Loss if verdict.remoteness() == Some(2) => "win",
            Value::Loss => "can force a win",
            Value::Draw => "neither of you can force a win",
            Value::Win => unreachable!(),
        };
        assert!(said[1].contains(what), "{what}: {said:?}");
        assert_eq!(said[2].starts_with("Only "), expected.len() == 1, "{said:?}");
        let named = expected.iter().filter(|holds| said[2].contains(holds.as_str())).count();
        assert!(named == expected.len() || expected.len() > 6, "{said:?}");
        // If both moves give the same number, the text explains the difference.
        let alike = (played.on, played.leaves) == (proof.holding[0].on, proof.holding[0].leaves);
        assert!(said.len() <= 4 + usize::from(alike), "{said:?}");
        // Discovery mode hides all of that.
        let covered = words::puzzle::proof(&attempt, &proof, true);
        assert_eq!(covered.len(), 2);
        assert!(expected.iter().all(|holds| !covered[1].contains(holds.as_str())), "{covered:?}");
        // The attempt is over and never changes again.
        let round = attempt.round().clone();
        attempt.play(wrong);
        attempt.give_up();
        assert_eq!(attempt.round().history().len(), round.history().len());
    });
    assert!(count > 300, "{count}");
    assert_eq!(drawn, 0, "none of the shipped games with puzzles can be drawn");
}

/// Giving up reveals the winning moves.
#[test]
fn giving_up_shows_the_way() {
    let found = served(next(
        &Shelf::from_game(plain("race-to-23")).unwrap(),
        &Tried::default(),
        &[],
        day("2026-11-16"),
    ));
    let mut attempt = Attempt::begin(found);
    attempt.give_up();
    let AttemptState::Missed(proof) = attempt.state() else { panic!("giving up didn't end the attempt") };
    assert_eq!(proof.played, None);
    let said = words::puzzle::proof(&attempt, proof, false);
    assert_eq!(said[0], "You gave up.");
    assert!(said[1].starts_with("Only +") && said[1].contains(" keeps the win. "), "{said:?}");
}

/// The moves since a given move, in words, for either solver.
#[test]
fn moves_are_described() {
    let rulebook = Arc::new(plain("race-to-23").rulebook().unwrap());
    let round = set_up(&rulebook, ["+1", "+2"]).unwrap();
    assert_eq!(words::puzzle::told_since(&round, 0, Player::One), ["You play +1: 1.", "They answer +2: 3."]);
    assert_eq!(words::puzzle::told_since(&round, 1, Player::Two), ["You play +2: 3."]);
}

/// A solver's forced skip is played automatically within a puzzle.
#[test]
fn turns_that_go_over() {
    let text = "title = 'Steps and a quarter'\nstart = 3\ntarget = 56\npast = 'forbidden'\nwinning = [13]\n\
        moves = [{ op = '+digit', uses = 3, pool = 'shared' }, { op = '+prime', to = 4, when = 'odd' }, \
        { op = '+divisor', to = 6 }, { op = '/4', uses = 1, pool = 'shared' }]\n\
        no_repeat = 'opponent'\nstuck = 'skips'\n"
        .to_owned();
    let book =
        BookText { id: "steps".to_owned(), own_file: true, source_name: "steps.toml".to_owned(), text };
    let shelf = Shelf::from_game(Game::new(book, "steps".to_owned(), &Changes::default()).unwrap()).unwrap();
    let games = SolvedGames::new(256 << 20);
    let (mut tried, today, mut went_over) = (Tried::default(), day("2026-11-16"), 0);
    let get = |tried: &Tried| {
        let course = Course { tried, rounds: &[], today };
        served(puzzle::next(&shelf, &course, &games, &mut |_| true).unwrap())
    };
    while went_over < 3 {
        let first = get(&tried);
        assert_eq!(first.source, Source::Book, "one of the puzzles of the book has such a turn");
        let solver = solver(first.rulebook());
        for pick in 0..3 {
            let mut attempt = Attempt::begin(get(&tried));
            let begun = attempt.round().history().len();
            let mut step = pick;
            while attempt.is_open() {
                let winning = of_value(&solver, attempt.round(), true);
                attempt.play(winning[step % winning.len()]);
                step += 1;
            }
            assert_eq!(*attempt.state(), AttemptState::Solved);
            let told = words::puzzle::told_since(attempt.round(), begun, attempt.solver());
            let since = attempt.round().history().iter().skip(begun);
            let mut own = since.filter(|ply| ply.player() == attempt.solver());
            if own.any(|ply| ply.a_move == Move::Skip) {
                assert!(told.contains(&"You can't move: turn skipped.".to_owned()), "{told:?}");
                went_over += 1;
            }
        }
        tried.note(first.id, Became::Solved(today));
    }
}
