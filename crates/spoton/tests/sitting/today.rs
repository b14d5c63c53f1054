//! The daily duel in a sitting: what counts, what is saved, and what is only practice.

use spoton::design::today::{Attempt, Duel, HowItEnded, Score};
use spoton::engine::position::Player;
use spoton::sitting::{Cannot, Command, Setup, Sitting};
use spoton::solver::Budget;

use crate::{Table, state};

fn duel(day: &str) -> Duel {
    Duel::of(day.parse().unwrap(), &mut Budget::patient(16 << 20)).unwrap()
}

fn sit_down(day: &str) -> Table {
    let mut table = Table::sit_down(Setup::today(&duel(day), true).unwrap());
    table.computers_play();
    table
}

/// Plays to the end with winning moves for the person. Returns whether there always was one.
fn play_well(table: &mut Table) -> bool {
    let mut could_win = true;
    while table.sitting.round().outcome().is_none() {
        let outlook = table.ahead(|sitting, ahead| sitting.outlook(ahead)).unwrap().unwrap();
        could_win &= outlook.verdict.value == spoton::solver::Value::Win;
        let best = outlook.best().next().unwrap();
        table.act(Command::Play(best)).unwrap();
        table.computers_play();
    }
    could_win
}

/// Every day the person has the winning seat, and the same moves get the same answers.
#[test]
fn the_person_can_win_on_every_day() {
    let mut seconds = 0;
    for number in 0..40 {
        let day = spoton::day::Day::since_1970(20_700 + number).to_string();
        let mut tables = [sit_down(&day), sit_down(&day)];
        seconds += u32::from(tables[0].sitting.setup().first == Player::Two);
        for table in &mut tables {
            assert!(play_well(table), "{day}");
            let (attempt, score) = table.sitting.todays_score().unwrap();
            assert_eq!((attempt.day.to_string(), score.ended), (day.clone(), HowItEnded::Won));
        }
        assert_eq!(state(&tables[0].sitting), state(&tables[1].sitting));
    }
    assert!((5..35).contains(&seconds), "both seats come up: {seconds}");
}

#[test]
fn hints_and_reasons_are_counted_and_kept() {
    let mut table = sit_down("2026-11-15");
    let told = |table: &Table| table.sitting.setup().today.unwrap().hints;
    assert!(!table.sitting.has_begun() && !table.sitting.unfinished().unwrap().has_begun());
    table.hint();
    // Leaving and resuming keeps the count.
    assert!(table.sitting.has_begun() && table.sitting.unfinished().unwrap().has_begun());
    table.hint();
    table.why();
    assert_eq!(told(&table), 3);
    // Repeating it is free.
    table.why();
    assert_eq!(told(&table), 3);
    table.play("+2");
    table.why();
    assert_eq!(told(&table), 4);

    let text = table.sitting.unfinished().unwrap().text();
    assert!(text.contains("[Terms \"no-undo day-2026-11-15 told-4\"]"), "{text}");
    let again = Setup::from_text(&text, 1).unwrap();
    assert_eq!(again.today, Some(Attempt { hints: 4, ..Attempt::new("2026-11-15".parse().unwrap(), true) }));
    assert_eq!((again.undo, again.dice.seed()), (false, 20_261_115));
    assert_eq!(state(&Sitting::replay(table.log.clone()).unwrap()), state(&table.sitting));

    assert!(table.sitting.counts_help());
    table.act(Command::Resign(Player::One)).unwrap();
    let expected = Score { ended: HowItEnded::GaveUp, moves: 2, hints: 4 };
    assert_eq!(table.sitting.todays_score().unwrap().1, expected);
    assert!(!table.sitting.counts_help(), "after the round, everything may be asked");
}

#[test]
fn after_the_first_attempt_all_is_practice_from_the_same_seat() {
    for day in ["2026-11-15", "2026-11-18"] {
        let mut table = sit_down(day);
        let first = table.sitting.round().first();
        assert_eq!(table.act(Command::TakeBack), Err(Cannot::UndoIsOff));
        assert_eq!(table.sitting.todays_score(), None, "it is not over");
        table.act(Command::Resign(Player::One)).unwrap();
        // A try-out after a review isn't an attempt.
        table.act(Command::PlayOn { moves: 0 }).unwrap();
        assert!(table.sitting.setup().undo && !table.sitting.setup().today.unwrap().counts);
        table.act(Command::Resign(Player::One)).unwrap();
        assert_eq!(table.sitting.todays_score(), None);
        table.act(Command::NextRound).unwrap();
        assert_eq!(table.sitting.round().first(), first);
        assert!(table.sitting.setup().undo && !table.sitting.counts_help());
        let text = table.sitting.unfinished().unwrap().text();
        assert!(text.contains(&format!("[Terms \"day-{day} practice\"]")), "{text}");
        table.act(Command::Resign(Player::One)).unwrap();
        let (attempt, _) = table.sitting.todays_score().unwrap();
        assert!(!attempt.counts);
        // With another target, it's a different game.
        table.act(Command::AnotherTarget).unwrap();
        table.act(Command::NextRound).unwrap();
        assert_eq!(table.sitting.setup().today, None);
    }
}
