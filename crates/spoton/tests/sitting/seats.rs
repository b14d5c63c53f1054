//! The player who starts the next round: against a computer, the person keeps the winning seat until they win from it.
//!
//! The games here add 1 or 2 up to a target that can't be passed. Leaving a multiple of 3 below the target wins, so
//! the first player can win unless the target itself is a multiple of 3.

use spoton::engine::position::Player;
use spoton::engine::series::Match;
use spoton::format::{Game, MatchForm};
use spoton::sitting::{Cannot, Command, Sitting};

use super::{Table, against, game, own_game, state, two_people};

const PERSON: Player = Player::One;
const COMPUTER: Player = Player::Two;

fn up_to(target: i64) -> Game {
    own_game(&format!(
        "title = 'T'\nstart = 0\ntarget = {target}\nmoves = ['+1', '+2']\npast = 'forbidden'\n"
    ))
}

impl Table {
    fn next_first(&mut self) -> Player {
        self.ahead(|sitting, ahead| sitting.next_first(ahead)).unwrap()
    }

    /// Ends the round as a loss for this player, and starts another.
    fn lost_by(&mut self, player: Player) -> Player {
        self.act(Command::Resign(player)).unwrap();
        self.play_again()
    }

    fn play_again(&mut self) -> Player {
        let first = self.next_first();
        self.act(Command::PlayAgain { first }).unwrap();
        assert_eq!(self.sitting.round().first(), first);
        first
    }
}

#[test]
fn a_person_keeps_the_seat_that_can_win_until_they_have_won_from_it() {
    let mut table = Table::sit_down(against(up_to(4), "perfect"));
    assert_eq!(table.lost_by(PERSON), PERSON);
    assert_eq!(table.lost_by(PERSON), PERSON);
    // 1 leaves 3 to go. After that, the person answers each move so that both add up to 3.
    table.play("+1");
    let rest = 4 - table.sitting.round().position().number();
    table.play(&format!("+{rest}"));
    assert_eq!(table.sitting.round().outcome().unwrap().winner, Some(PERSON));
    assert_eq!(table.play_again(), COMPUTER, "now the computer gets that seat");
    assert_eq!(table.lost_by(PERSON), PERSON);
    assert_eq!(table.lost_by(PERSON), PERSON);
    assert_eq!(state(&Sitting::replay(table.log.clone()).unwrap()), state(&table.sitting));
}

#[test]
fn the_seat_that_can_win_may_be_the_second() {
    let mut table = Table::sit_down(against(up_to(6), "perfect"));
    assert_eq!(table.lost_by(PERSON), COMPUTER, "the first player can't win");
    assert_eq!(table.lost_by(PERSON), COMPUTER);
    assert_eq!(table.lost_by(COMPUTER), PERSON, "won from it");
    assert_eq!(table.lost_by(COMPUTER), COMPUTER, "won from the other one, by luck");
}

#[test]
fn with_drawn_targets_it_is_the_seat_of_the_next_round() {
    let mut game = up_to(4);
    game.targets = Some(4..=40);
    let mut table = Table::sit_down(against(game, "random"));
    let mut seen = [false; 2];
    for _ in 0..20 {
        let first = table.lost_by(PERSON);
        let target = table.sitting.rulebook().target().unwrap();
        assert_eq!(first == PERSON, target % 3 != 0, "{target}");
        seen[usize::from(first == PERSON)] = true;
    }
    assert_eq!(seen, [true; 2]);
    // Another target is another game.
    for _ in 0..10 {
        table.act(Command::Resign(PERSON)).unwrap();
        table.act(Command::AnotherTarget).unwrap();
        let first = table.play_again();
        let target = table.sitting.rulebook().target().unwrap();
        assert_eq!(first == PERSON, target % 3 != 0, "{target}");
    }
}

#[test]
fn swapping_seats_is_an_option() {
    let mut table = Table::sit_down(against(up_to(4), "perfect"));
    for starts in [COMPUTER, COMPUTER, PERSON] {
        table.act(Command::Resign(PERSON)).unwrap();
        assert!(table.sitting.can_swap_seats());
        table.act(Command::PlayAgain { first: starts }).unwrap();
        assert_eq!(table.sitting.round().first(), starts);
    }
    assert_eq!(state(&Sitting::replay(table.log.clone()).unwrap()), state(&table.sitting));
}

#[test]
fn a_replayed_round_does_not_count_as_won() {
    let mut table = Table::sit_down(against(up_to(4), "perfect"));
    table.act(Command::Resign(PERSON)).unwrap();
    table.act(Command::PlayOn { moves: 0 }).unwrap();
    assert_eq!(table.lost_by(COMPUTER), PERSON);
}

#[test]
fn a_game_that_neither_seat_wins_alternates() {
    let endless = "title = 'T'\nstart = 5\nrange = [0, 9]\nmoves = ['+1', '-1']\n";
    let mut table = Table::sit_down(against(own_game(endless), "random"));
    assert_eq!([PERSON; 3].map(|loser| table.lost_by(loser)), [COMPUTER, PERSON, COMPUTER]);
    // In a game too large for a quick answer, Spot On skips this.
    let huge = ["target=1000000000000000000", "passes=1"];
    let mut table = Table::sit_down(against(game("number-maze", &huge), "random"));
    assert_eq!([PERSON; 3].map(|loser| table.lost_by(loser)), [COMPUTER, PERSON, COMPUTER]);
}

#[test]
fn matches_two_people_and_discovery_alternate() {
    let mut discovery = against(up_to(4), "perfect");
    discovery.help.discover = true;
    let mut series = against(up_to(4), "perfect");
    series.series = Some(Match::new(MatchForm::Rounds(2), PERSON));
    for (setup, can_swap) in [(two_people(up_to(4)), false), (series, false), (discovery, true)] {
        let mut table = Table::sit_down(setup);
        assert_eq!([PERSON; 4].map(|loser| table.lost_by(loser)), [COMPUTER, PERSON, COMPUTER, PERSON]);
        table.act(Command::Resign(PERSON)).unwrap();
        assert_eq!(table.sitting.can_swap_seats(), can_swap);
        let swapped = table.act(Command::PlayAgain { first: PERSON });
        assert_eq!(swapped, if can_swap { Ok(()) } else { Err(Cannot::SeatsAreFixed) });
    }
}
