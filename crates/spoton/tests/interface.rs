//! Guarantees for other programs: errors implement `Error`, and mixing up two games never panics.

use crate::support;

use std::error::Error;
use std::sync::Arc;

use proptest::prelude::*;
use spoton::day::NoSuchDay;
use spoton::design::today::NoStreak;
use spoton::engine::computed::NotComputed;
use spoton::engine::number_kind::NotAKind;
use spoton::engine::operation::NotAnOperation;
use spoton::engine::play::Refusal;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::position_text::BadPosition;
use spoton::engine::round::{CannotPlay, Round};
use spoton::evaluate::chances::{NoOdds, odds};
use spoton::evaluate::opponent::{Ladder, Opponent, UnknownOpponent};
use spoton::format::{BadGame, Draft, Game, Problem, Problems, RulebookBuilder, UnknownVariant};
use spoton::json::{self, BadQuestion};
use spoton::records::{BadMove, BadRecord, Unplayable, read_move};
use spoton::sitting::{BadEvent, Cannot, Dice, Event, Sitting};
use spoton::solved::outlook::Outlook;
use spoton::solver::{Budget, Solver, Unsolved, Value, Verdict};
use spoton::teach::coach;
use spoton::teach::idea::NotUnderstood;
use spoton::teach::map::BadLast;
use spoton::teach::review::{self, Review};
use spoton::words;
use spoton::words::coach::Words;
use support::description::descriptions;
use support::{any_move, book, cases};

#[test]
fn every_error_is_one_and_can_be_handed_on() {
    fn is_error<E: Error + Send + Sync + 'static>() {}
    is_error::<BadEvent>();
    is_error::<BadGame>();
    is_error::<BadLast>();
    is_error::<BadMove>();
    is_error::<BadPosition>();
    is_error::<BadQuestion>();
    is_error::<BadRecord>();
    is_error::<Cannot>();
    is_error::<CannotPlay>();
    is_error::<NoOdds>();
    is_error::<NoStreak>();
    is_error::<NoSuchDay>();
    is_error::<NotAKind>();
    is_error::<NotAnOperation>();
    is_error::<NotComputed>();
    is_error::<NotUnderstood>();
    is_error::<Problem>();
    is_error::<Problems>();
    is_error::<Refusal>();
    is_error::<UnknownOpponent>();
    is_error::<UnknownVariant>();
    is_error::<Unplayable>();
    is_error::<Unsolved>();
}

#[test]
fn all_errors_convert_to_boxed_errors() {
    fn all(text: &str, position: &str, written: &str) -> Result<Verdict, Box<dyn Error>> {
        let rulebook = Arc::new(Draft::read("book.toml", text).build()?);
        let mut round = Round::new(Arc::clone(&rulebook), Player::One);
        round.play(read_move(written, &round)?)?;
        let position = rulebook.read_position(position)?;
        let solver = Solver::from_positions(rulebook, [position], [].into(), &mut Budget::patient(1 << 20))?;
        Ok(solver.verdict(&position).ok_or("the solver doesn't cover its own root")?)
    }
    let five = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']";
    let told = |text, position, written| all(text, position, written).map_err(|error| error.to_string());
    assert_eq!(told(five, "2;1", "+1"), Ok(Verdict::new(Value::Loss, 2)));
    assert!(told("", "2;1", "+1").is_err_and(|error| error.starts_with("book.toml:1:1: `title` is missing")));
    assert!(told(five, "5;1", "+1").is_err_and(|error| error.starts_with("`numbers` takes")));
    assert_eq!(told(five, "2;1", "x2").unwrap_err(), "not one of this game's moves: +1 or +2");
}

#[test]
fn numbers_that_nobody_would_write_do_no_harm() {
    assert_eq!(Dice::new(1).target(1, 0, std::ops::RangeInclusive::new(5, 4)), 5);
    assert_eq!(Verdict::new(Value::Win, u64::MAX).before_move(), Verdict::new(Value::Loss, u64::MAX));
    let problems = RulebookBuilder::new("é").build().unwrap_err();
    let mut place = problems[0].place.clone();
    for span in [0..0, 9..9, 10..10, 999..1000, usize::MAX..usize::MAX] {
        place.span = span;
        assert!(place.line_column().0 >= 1);
    }
}

/// A save may claim any round number and any number of hints.
#[test]
fn the_largest_counts_of_a_save_go_on() {
    let text = "[Rulebook \"number-maze\"]\n[First \"1\"]\n[Match \"first-to 3\"]\n[Round \"4294967295\"]\n\
                [Terms \"coach hints-18446744073709551615\"]\n\n*\n";
    let begun = Event::Begun { text: text.to_owned() };
    let told = [begun, Event::HintTold, Event::Resigned { player: Player::One }];
    let sitting = Sitting::replay(told).expect("the save can be resumed");
    assert_eq!((sitting.setup().round_number, sitting.setup().hints_used), (u32::MAX, usize::MAX));
    assert!(sitting.aftermath().is_some());
}

proptest! {
    #![proptest_config(cases(300))]

    /// One game's solver with a round of another game: the answers are meaningless, but nothing panics.
    #[test]
    fn a_solver_of_another_game_does_no_harm(one in descriptions(), other in descriptions(), pick in 0..16usize) {
        let (one, other) = (book(&one.text()), book(&other.text()));
        let mut round = Round::new(Arc::clone(&one), Player::One);
        for _ in 0..pick {
            if let Some(a_move) = any_move(&round, pick) {
                round.play(a_move).expect("the move is legal");
            }
        }
        let budget = || Budget::patient(1 << 18);
        let Ok(solver) = Solver::new(Arc::clone(&other), &mut budget()) else { return Ok(()) };
        if let Ok(Some(outlook)) = Outlook::for_round(&round, &solver, &mut budget()) {
            let words = Words { rulebook: &other, turn: Player::Two };
            for hint in coach::ladder(&outlook) {
                words.hint(&hint, &outlook);
            }
            words.why(&outlook, None);
        }
        if let Ok(review) = Review::from_round(&round, &solver, &mut budget()) {
            words::review::strip(&review, &Round::new(Arc::clone(&other), Player::Two));
            review::points(&Round::new(Arc::clone(&other), Player::Two), Some(&review));
        }
        for opponent in Opponent::all() {
            opponent.chances_in_round(&round, Some(&solver), None);
            let players = ByPlayer([opponent, Opponent::perfect()]);
            let _ = odds(&one, &players, Player::One, Some(&solver), &mut budget());
        }
        let _ = Ladder::compute(&one, &solver, &mut budget());
        let game = Game::from_number(&one, 3);
        json::solution(&game, &solver, &round);
        spoton::words::solution::in_words(&solver, &round);
    }
}
