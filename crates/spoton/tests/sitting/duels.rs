//! Batched duels match the same rounds played one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use spoton::design::invent::{Bounds, Inventor};
use spoton::engine::observation::observe;
use spoton::engine::play::{Ending, Move};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Draft, Rulebook, catalog};
use spoton::sitting::duels::{AGENT, Duels, Seat};
use spoton::sitting::{Cannot, Lookahead, QuickDice, go_on};
use spoton::solved::SolvedGames;
use spoton::solver::Budget;

use crate::random_books::{Dice, random_book};

const ROUNDS: usize = 7;

/// A single duel.
struct Alone {
    round: Round,
    dice: QuickDice,
    number: u64,
    /// The agent has seen the end, so the next step restarts.
    told: bool,
}

impl Alone {
    fn begin(
        book: &Arc<Rulebook>,
        seed: u64,
        number: u64,
        seat: Seat,
        opponent: Opponent,
        ahead: &mut Lookahead<'_>,
    ) -> Alone {
        let dice = QuickDice::new(seed, number);
        let round = Round::new(Arc::clone(book), seat.first(dice));
        let mut alone = Alone { round, dice, number, told: false };
        alone.answer(opponent, ahead);
        alone
    }

    fn answer(&mut self, opponent: Opponent, ahead: &mut Lookahead<'_>) {
        go_on(&mut self.round);
        while self.round.outcome().is_none() && self.round.position().turn() != AGENT {
            let draw = self.dice.draw(self.round.history().len() as u32);
            let choice = ahead.chances(opponent, &self.round).unwrap().pick(draw).unwrap();
            self.round.play(Move::Operation(choice)).unwrap();
            go_on(&mut self.round);
        }
    }

    /// Compares everything visible, including the step's results.
    fn assert_shown(&self, duels: &Duels, place: usize, came: Came) {
        let (book, facts) = (self.round.rulebook(), duels.facts()[place]);
        let alphabet = book.alphabet();
        let at = || format!("duel {place} of {book:?}");
        let numbers = Player::BOTH.map(|player| self.round.number_of(player));
        let outcome = self.round.outcome();
        let observed =
            observe(book, &alphabet, self.round.position(), numbers, outcome.is_some(), Player::One);
        let (features, actions) = duels.widths();
        let (mut observations, mut masks) = (vec![[0; 8]; ROUNDS * features], vec![0; ROUNDS * actions]);
        duels.show(&mut observations, &mut masks);
        let shown = &observations[place * features..][..features];
        let shown: Vec<i64> = shown.iter().map(|bytes| i64::from_ne_bytes(*bytes)).collect();
        assert_eq!(shown, observed, "{}", at());
        let choices = alphabet.choices();
        let mut legal = vec![0; choices.len()];
        for choice in self.round.situation().moves().filter_map(Move::choice) {
            legal[alphabet.place(choice).unwrap()] = 1;
        }
        assert_eq!(masks[place * actions..][..actions], legal, "{}", at());
        let stopped = outcome.is_some_and(|outcome| outcome.ending == Ending::Stopped);
        let (reward, terminated, truncated) = match came {
            Came::Began => (0, false, false),
            Came::Illegal => (-1, true, false),
            Came::Moved => {
                let reward = match outcome.and_then(|outcome| outcome.winner) {
                    Some(Player::One) => 1,
                    Some(Player::Two) => -1,
                    None => 0,
                };
                (reward, outcome.is_some() && !stopped, stopped)
            }
        };
        assert_eq!(facts.reward(), reward, "{}", at());
        assert_eq!((facts.is_terminated(), facts.is_truncated()), (terminated, truncated), "{}", at());
        assert_eq!(facts.ending(), outcome.map(|outcome| outcome.ending), "{}", at());
        assert_eq!(duels.illegal().iter().any(|(of, _)| *of == place), came == Came::Illegal, "{}", at());
        assert_eq!(duels.position(place), *self.round.position(), "{}", at());
    }
}

/// The result of a step for one duel.
#[derive(Clone, Copy, PartialEq)]
enum Came {
    Began,
    Moved,
    Illegal,
}

/// Totals over many books.
#[derive(Default)]
struct Went {
    looked_up: usize,
    by_engine: usize,
    endings: BTreeSet<&'static str>,
    begun_again: usize,
}

/// Plays a book both ways, sometimes with arbitrary actions, legal or not. Skips opponents that can't play it.
fn held_against_rounds(book: &Arc<Rulebook>, opponent: &str, seat: Seat, steps: usize, went: &mut Went) {
    held(book, opponent, seat, steps, 5, went);
}

/// The same with a given percentage of arbitrary actions.
fn held(book: &Arc<Rulebook>, opponent: &str, seat: Seat, steps: usize, any_of_100: usize, went: &mut Went) {
    let games = SolvedGames::new(64 << 20);
    let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
    let opponent = Opponent::parse(opponent).unwrap();
    let mut duels = Duels::new(Arc::clone(book), ROUNDS, opponent, seat);
    let seed = |place: usize| 40 + place as u64;
    let seeds: Vec<Option<u64>> = (0..ROUNDS).map(|place| Some(seed(place))).collect();
    if duels.reset(&seeds, |_| true, None, ahead).is_err() {
        return;
    }
    *(if duels.are_looked_up() { &mut went.looked_up } else { &mut went.by_engine }) += 1;
    let begin = |place: usize, number: u64, ahead: &mut Lookahead<'_>| {
        Alone::begin(book, seed(place), number, seat, opponent, ahead)
    };
    let mut alone: Vec<Alone> = (0..ROUNDS).map(|place| begin(place, 1, ahead)).collect();
    for (place, alone) in alone.iter().enumerate() {
        alone.assert_shown(&duels, place, Came::Began);
    }
    let alphabet = book.alphabet();
    let mut random = Dice::new(3);
    for _ in 0..steps {
        let mut came = [Came::Moved; ROUNDS];
        let mut actions = [0; ROUNDS];
        for (place, alone) in alone.iter_mut().enumerate() {
            let any = random.below(alphabet.choices().len() + 2) as i64 - 1;
            let legal: Vec<i64> = alone
                .round
                .situation()
                .moves()
                .filter_map(Move::choice)
                .map(|choice| alphabet.place(choice).unwrap() as i64)
                .collect();
            actions[place] = match legal.is_empty() || random.chance(any_of_100) {
                true => any,
                false => legal[random.below(legal.len())],
            };
            if alone.told {
                *alone = begin(place, alone.number + 1, ahead);
                came[place] = Came::Began;
                went.begun_again += 1;
            } else if alone.round.outcome().is_some() {
                alone.told = true;
            } else if !legal.contains(&actions[place]) {
                (alone.told, came[place]) = (true, Came::Illegal);
            } else {
                let choice = alphabet.choices()[actions[place] as usize];
                alone.round.play(Move::Operation(choice)).unwrap();
                alone.answer(opponent, ahead);
                alone.told = alone.round.outcome().is_some();
            }
            went.endings.extend(alone.round.outcome().map(|outcome| outcome.ending.word()));
        }
        duels.step(&actions.map(i64::to_ne_bytes), ahead).unwrap();
        for (place, alone) in alone.iter().enumerate() {
            alone.assert_shown(&duels, place, came[place]);
        }
    }
}

fn read(text: &str) -> Option<Arc<Rulebook>> {
    Draft::read("book.toml", text).build().ok().map(Arc::new)
}

#[test]
fn shipped_books_against_every_opponent() {
    let mut went = Went::default();
    for id in catalog::ids() {
        let draft = catalog::draft(id).unwrap();
        let variants: Vec<String> = draft.variants().map(str::to_owned).collect();
        let varied = variants.iter().map(|name| draft.clone().variant(name).unwrap());
        for draft in [draft.clone()].into_iter().chain(varied) {
            let book = Arc::new(draft.build().unwrap());
            for (index, opponent) in Opponent::all().enumerate() {
                let seat = [Seat::First, Seat::Second, Seat::Random][index % 3];
                held_against_rounds(&book, &opponent.to_string(), seat, 25, &mut went);
            }
        }
    }
    assert!(went.looked_up > 100 && went.by_engine > 0 && went.begun_again > 1_000);
}

#[test]
fn invented_and_random_books() {
    let mut went = Went::default();
    let mut inventor = Inventor::new(11, Bounds::usual());
    let mut budget = Budget::patient(64 << 20);
    for _ in 0..10 {
        let invented = inventor.next(&mut budget).unwrap().unwrap();
        held_against_rounds(&invented.rulebook, "careful", Seat::Random, 40, &mut went);
        held_against_rounds(&invented.rulebook, "sage", Seat::Second, 40, &mut went);
    }
    for book in (0..300).filter_map(|number| read(&random_book(number).text)) {
        held_against_rounds(&book, "random", Seat::Random, 30, &mut went);
        held_against_rounds(&book, "momo", Seat::Second, 15, &mut went);
    }
    for rules in ["turns = 4", "stuck = 'closest'\npast = 'forbidden'"] {
        let text = format!(
            "title = 'T'\nnumbers = 'separate'\nstart = 1\ntarget = 20\nmoves = ['+3', 'x2']\n{rules}"
        );
        held_against_rounds(&read(&text).unwrap(), "careful", Seat::Random, 40, &mut went);
    }
    assert!(went.looked_up > 100 && went.by_engine > 30, "{} {}", went.looked_up, went.by_engine);
    let known = ["closest", "landed", "overshot", "reached", "repetition", "stuck", "turns"];
    assert!(went.endings.is_superset(&BTreeSet::from(known)), "{:?}", went.endings);
}

/// No position repeats, but the game never ends.
#[test]
fn a_round_that_goes_on_for_too_long_is_stopped() {
    let mut went = Went::default();
    for rules in ["", "\nnumbers = 'separate'"] {
        let text = format!("title = 'Far'\nstart = 1\ntarget = 1000000\nmoves = ['+1', '+2']{rules}");
        held(&read(&text).unwrap(), "random", Seat::Random, 5_100, 0, &mut went);
    }
    assert!(went.looked_up == 2 && went.endings.contains("stopped") && went.begun_again > 0);
}

#[test]
fn some_restart_and_the_others_continue() {
    let games = SolvedGames::new(16 << 20);
    let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
    let maze = Arc::new(catalog::draft("number-maze").unwrap().build().unwrap());
    let careful = Opponent::parse("careful").unwrap();
    let mut duels = Duels::new(maze, 2, careful, Seat::First);
    assert_eq!(duels.step(&[0, 0].map(i64::to_ne_bytes), ahead), Err(Cannot::NotBegun));
    // The first reset starts all rounds, whatever `which` selects.
    duels.reset(&[Some(1), Some(2)], |place| place == 0, None, ahead).unwrap();
    assert_eq!([duels.position(0).number(), duels.position(1).number()], [1, 1]);
    duels.step(&[1, 1].map(i64::to_ne_bytes), ahead).unwrap();
    let there = duels.position(1);
    duels.reset(&[None, None], |place| place == 0, Some(Seat::Second), ahead).unwrap();
    assert_eq!((duels.position(0).number(), duels.position(1)), (2, there));
    // A lost round restarts at the next step, whichever other rounds have restarted in between.
    duels.step(&[0, 9].map(i64::to_ne_bytes), ahead).unwrap();
    assert!(duels.facts()[1].is_terminated() && duels.illegal() == [(1, 9)]);
    duels.reset(&[None, None], |place| place == 0, None, ahead).unwrap();
    assert_eq!(duels.position(1), there);
    duels.step(&[0, 9].map(i64::to_ne_bytes), ahead).unwrap();
    assert!(!duels.facts()[1].is_terminated() && duels.illegal().is_empty());
    assert_eq!(duels.position(1).number(), 1);
}

/// An interrupted step requires a reset, since some rounds have moved and others haven't.
#[test]
fn a_step_that_is_broken_off() {
    let far = "title = 'Far'\nnumbers = 'separate'\nstart = 1\ntarget = 900\nmoves = ['+1', '-1', 'x2']";
    let games = SolvedGames::new(256 << 20);
    let mut duels = Duels::new(read(far).unwrap(), 2, Opponent::parse("perfect").unwrap(), Seat::First);
    let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| false };
    duels.reset(&[Some(1), Some(2)], |_| true, None, ahead).unwrap();
    assert!(matches!(duels.step(&[0, 0].map(i64::to_ne_bytes), ahead), Err(Cannot::Unsolved(_))));
    assert_eq!(duels.step(&[0, 0].map(i64::to_ne_bytes), ahead), Err(Cannot::NotBegun));
    duels.reset(&[None, None], |_| true, None, ahead).unwrap();
}
