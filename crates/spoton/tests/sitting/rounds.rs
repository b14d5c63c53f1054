//! The effects of commands, as players see them.

use spoton::engine::play::Ending;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::series::Match;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{BookText, Changes, Game, MatchForm, Setting};
use spoton::records::Refused;
use spoton::sitting::{Adaptive, Cannot, Command, Dice, Help, Lookahead, MOST_PLIES, Setup, Sitting};
use spoton::solved::SolvedGames;
use spoton::solver::Progress;
use spoton::teach::forced::{self, ForcedEnd};

use crate::sitting::{Table, against, game, own_game, two_people};

/// The starter wins immediately with `+2`, or leaves the win to the opponent.
const QUICK: &str = "title = 'Quick'\nstart = 1\ntarget = 3\nmoves = ['+1', '+2']\npast = 'forbidden'\n";

#[test]
fn undo_against_a_computer_goes_back_to_your_last_turn() {
    let mut table = Table::sit_down(two_people(game("number-maze", &[])));
    table.play("x2 +1 x2");
    table.act(Command::TakeBack).unwrap();
    assert_eq!(table.sitting.round().history().len(), 2);

    // Between two people, the player who asks gets the turn back.
    table.act(Command::TakeBackOf(Player::One)).unwrap();
    assert_eq!(table.sitting.round().history().len(), 0);
    assert_eq!(table.act(Command::TakeBackOf(Player::One)), Err(Cannot::NothingToTakeBack));
    table.play("x2");
    assert_eq!(table.act(Command::TakeBackOf(Player::Two)), Err(Cannot::NothingToTakeBack));

    let mut table = Table::sit_down(against(game("number-maze", &[]), "careful"));
    table.play("x2");
    assert_eq!(table.sitting.round().history().len(), 2, "the computer has answered");
    table.act(Command::TakeBack).unwrap();
    assert_eq!(table.sitting.round().history().len(), 0);
    assert_eq!(table.act(Command::TakeBack), Err(Cannot::NothingToTakeBack));

    let mut table = Table::sit_down(Setup { undo: false, ..two_people(game("number-maze", &[])) });
    table.play("x2");
    assert_eq!(table.act(Command::TakeBack), Err(Cannot::UndoIsOff));
}

#[test]
fn a_finished_round_accepts_only_the_commands_that_still_apply() {
    let mut table = Table::sit_down(two_people(own_game(QUICK)));
    table.play("+2");
    let over = |table: &mut Table, command| table.act(command).unwrap_err();
    assert_eq!(over(&mut table, Command::Write("+1".to_owned())), Cannot::RoundIsOver);
    assert_eq!(over(&mut table, Command::TakeBack), Cannot::RoundIsOver);
    assert_eq!(over(&mut table, Command::Resign(Player::One)), Cannot::RoundIsOver);
    assert_eq!(over(&mut table, Command::Stop), Cannot::RoundIsOver);
    table.act(Command::NextRound).unwrap();
    assert_eq!(over(&mut table, Command::NextRound), Cannot::RoundGoesOn);
    assert_eq!(over(&mut table, Command::AnotherTarget), Cannot::RoundGoesOn);
    assert_eq!(over(&mut table, Command::PlayOn { moves: 0 }), Cannot::RoundGoesOn);
}

#[test]
fn starters_alternate_and_a_match_is_counted() {
    let mut setup = two_people(own_game(QUICK));
    setup.series = Some(Match::new(MatchForm::FirstTo(2), Player::One));
    let mut table = Table::sit_down(setup);
    let mut starters = Vec::new();
    while table.sitting.match_goes_on() {
        if table.sitting.aftermath().is_some() {
            table.act(Command::NextRound).unwrap();
        }
        starters.push(table.sitting.round().first().number());
        table.play("+2");
    }
    // The starter wins.
    assert_eq!((starters, table.score()), (vec![1, 2, 1], [2, 1]));
    assert_eq!(table.sitting.match_in_words().unwrap(), "Player 1 wins the match 2 to 1!");
    assert_eq!(table.sitting.setup().earlier.len(), 3);
    // The opponent starts the next match.
    table.act(Command::NextRound).unwrap();
    assert_eq!((table.sitting.round().first(), table.score()), (Player::Two, [0, 0]));
    assert!(table.sitting.setup().earlier.is_empty());
}

#[test]
fn between_rounds_of_a_match_the_next_one_is_saved() {
    let coach = Help { coach: true, ..Help::default() };
    let mut setup = Setup { help: coach, ..two_people(own_game(QUICK)) };
    setup.series = Some(Match::new(MatchForm::Rounds(2), Player::One));
    let mut table = Table::sit_down(setup);
    table.play("+2");
    let kept = Setup::from_text(&table.sitting.unfinished().unwrap().text(), 0).unwrap();
    assert_eq!((kept.round_number, kept.earlier.len()), (2, 1));
    let round = kept.resumed.unwrap();
    assert_eq!((round.first(), round.history().len()), (Player::Two, 0));
    // Try-outs and hints from one round don't affect the next.
    table.act(Command::PlayOn { moves: 0 }).unwrap();
    table.hint();
    table.play("+2");
    assert!(table.sitting.setup().tried_out && table.sitting.setup().hints_used == 1);
    let kept = Setup::from_text(&table.sitting.unfinished().unwrap().text(), 0).unwrap();
    assert_eq!((kept.tried_out, kept.hints_used, kept.round_number), (false, 0, 2));
    // After the last round, or without a match, there's nothing to save.
    table.act(Command::NextRound).unwrap();
    table.play("+2");
    assert!(table.sitting.unfinished().is_none());
}

#[test]
fn the_adaptive_opponent_goes_up_and_down_with_people() {
    let rungs: Vec<Opponent> = Opponent::for_people().take(3).collect();
    let adaptive = |level| Adaptive {
        player: Player::Two,
        name: "level".to_owned(),
        rungs: rungs.clone(),
        level,
        named: false,
    };
    let setup = |level| {
        let mut setup = against(own_game(QUICK), &adaptive(level).opponent().to_string());
        setup.adaptive = Some(adaptive(level));
        setup
    };
    let level = |table: &Table| table.sitting.setup().adaptive.as_ref().unwrap().level;

    let mut table = Table::sit_down(setup(1));
    table.play("+2"); // the person wins
    assert_eq!(level(&table), 2);
    assert_eq!(table.sitting.aftermath().unwrap().next_opponent, Some(rungs[2]));
    // The opponent stays the same until the next round starts.
    assert_eq!(table.sitting.setup().computers[Player::Two], Some(rungs[1]));
    table.act(Command::NextRound).unwrap();
    assert_eq!(table.sitting.setup().computers[Player::Two], Some(rungs[2]));
    assert_eq!(table.sitting.setup().names[Player::Two], rungs[2].title());
    table.act(Command::Resign(Player::One)).unwrap();
    assert_eq!(level(&table), 1);

    // The level never moves beyond the ends of the ladder, and try-outs don't change it.
    let mut table = Table::sit_down(setup(2));
    table.play("+2");
    assert_eq!((level(&table), table.sitting.aftermath().unwrap().next_opponent), (2, None));
    let mut table = Table::sit_down(setup(0));
    table.act(Command::Resign(Player::One)).unwrap();
    assert_eq!(level(&table), 0);
    table.act(Command::PlayOn { moves: 0 }).unwrap();
    table.play("+2");
    assert_eq!(level(&table), 0);
    assert!(!table.sitting.aftermath().unwrap().counts && !table.sitting.counts());
    // The next round counts again.
    table.act(Command::NextRound).unwrap();
    assert!(table.sitting.counts());
}

#[test]
fn the_coach_has_four_hints_in_a_round() {
    let coached = Help { coach: true, ..Help::default() };
    // In 4 of 5 positions the player can win, so the first turns have hints.
    let setup = Setup { help: coached, ..two_people(game("race-to-23", &[])) };
    let mut table = Table::sit_down(setup.clone());
    assert_eq!(table.ahead(|sitting, ahead| sitting.offers_hints(ahead)).unwrap(), Some(4));
    let first: Vec<String> = (0..3).map(|_| table.hint()).collect();
    assert_eq!(first[0], "Only one move keeps your win.");
    assert_ne!(first[0], first[1]);
    assert_eq!(table.ahead(|sitting, ahead| sitting.offers_hints(ahead)).unwrap(), Some(1));
    // Each turn restarts the ladder; used hints stay used, even after an undo.
    table.play("+1");
    table.act(Command::TakeBack).unwrap();
    table.play("+2 +1");
    let said = table.hint();
    assert!(!said.contains("used up"), "{said}");
    assert_eq!(table.hint(), "You've used all your hints for this round.");
    assert_eq!(table.ahead(|sitting, ahead| sitting.offers_hints(ahead)).unwrap(), None);
    assert_eq!(table.why(), ["You've used all your hints for this round."]);
    table.act(Command::Resign(Player::One)).unwrap();
    table.act(Command::NextRound).unwrap();
    assert_eq!(table.hint(), "Only one move keeps your win.");
    // The reasons reveal more than any hint.
    let mut table = Table::sit_down(setup);
    assert!(table.why().last().unwrap().contains("your last hint"));
    assert_eq!(table.hint(), "You've used all your hints for this round.");
}

#[test]
fn discovery_gives_nothing_away() {
    let discover = Help { coach: true, discover: true, open: false };
    let mut table = Table::sit_down(Setup { help: discover, ..two_people(game("race-to-23", &[])) });
    let told: Vec<String> = (0..3).map(|_| table.hint()).collect();
    assert_eq!(told, ["Discovery mode is on: no hints or answers."; 3]);
    assert_eq!(table.why(), ["Discovery mode is on: no hints or answers."]);
    assert_eq!(table.ahead(|sitting, ahead| sitting.told_again(ahead)).unwrap(), Vec::<String>::new());
    assert_eq!(table.ahead(|sitting, ahead| sitting.offers_hints(ahead)).unwrap(), None);
}

#[test]
fn the_coach_warns_of_immediate_losses() {
    let coached = Setup {
        help: Help { coach: true, ..Help::default() },
        ..two_people(game("number-maze", &["target=10"]))
    };
    let mut table = Table::sit_down(coached);
    table.play("x2 x2 x2");
    let choice =
        |table: &Table, written: &str| table.sitting.rulebook().choice(written.parse().unwrap()).unwrap();
    assert!(table.sitting.warns_of(choice(&table, "x2")), "16 is past 10");
    assert!(!table.sitting.warns_of(choice(&table, "+1")));
    let mut table = Table::sit_down(two_people(game("number-maze", &["target=10"])));
    table.play("x2 x2 x2");
    assert!(!table.sitting.warns_of(choice(&table, "x2")), "nobody coaches");
}

#[test]
fn drawn_targets_are_drawn_for_each_round_and_the_same_for_a_seed() {
    let drawn = || {
        let mut game = game("number-maze", &[]);
        game.targets = Some(20..=60);
        let mut table = Table::sit_down(two_people(game));
        let mut targets = Vec::new();
        for _ in 0..6 {
            targets.push(table.sitting.rulebook().target().unwrap());
            table.act(Command::Resign(Player::One)).unwrap();
            table.act(Command::NextRound).unwrap();
        }
        targets
    };
    let targets = drawn();
    assert!(targets.iter().all(|target| (20..=60).contains(target)));
    assert!(targets.iter().any(|target| *target != targets[0]), "{targets:?}");
    assert_eq!(targets, drawn());
}

#[test]
fn another_target_is_another_one_not_too_far() {
    let mut table = Table::sit_down(two_people(game("number-maze", &[])));
    let mut before = 20;
    for _ in 0..5 {
        table.act(Command::Resign(Player::One)).unwrap();
        table.act(Command::AnotherTarget).unwrap();
        table.act(Command::NextRound).unwrap();
        let target = table.sitting.rulebook().target().unwrap();
        assert!(target != before && target <= 2 * before, "{before} {target}");
        assert_eq!(table.sitting.setup().game.written_settings(), [format!("target={target}")]);
        before = target;
    }
    // For example, if the target is 50, no division is ever possible.
    let mut table = Table::sit_down(two_people(game("break-it-down", &[])));
    for _ in 0..20 {
        table.act(Command::Resign(Player::One)).unwrap();
        table.act(Command::AnotherTarget).unwrap();
        table.act(Command::NextRound).unwrap();
        assert_eq!(forced::end_of(table.sitting.round()), ForcedEnd::ChoicesLeft);
    }
    // If few targets fit, it's still a different one.
    let mut table =
        Table::sit_down(two_people(own_game("title = 'T'\nstart = 0\ntarget = 2\nmoves = ['+1', '+2']\n")));
    for _ in 0..20 {
        let before = table.sitting.rulebook().target();
        table.act(Command::Resign(Player::One)).unwrap();
        table.act(Command::AnotherTarget).unwrap();
        table.act(Command::NextRound).unwrap();
        assert_ne!(table.sitting.rulebook().target(), before);
    }
    let without = "title = 'T'\nstart = 5\nrange = [0, 9]\nmoves = ['-1', '-2']\n";
    let mut table = Table::sit_down(two_people(own_game(without)));
    table.act(Command::Resign(Player::One)).unwrap();
    assert_eq!(table.act(Command::AnotherTarget), Err(Cannot::NoOtherTarget));
}

#[test]
fn rejected_answers_are_in_the_record() {
    let mut table = Table::sit_down(two_people(own_game(QUICK)));
    table.act(Command::Refuse(Refused::Illegal)).unwrap();
    table.act(Command::Refuse(Refused::Illegal)).unwrap();
    table.play("+1");
    table.act(Command::Refuse(Refused::Illegal)).unwrap();
    table.play("+1");
    let tags = |table: &Table| table.sitting.aftermath().unwrap().record.other_tags.clone();
    let counted =
        [("Illegal1", "2"), ("Illegal2", "1")].map(|(tag, count)| (tag.to_owned(), count.to_owned()));
    assert_eq!(tags(&table), counted);
    // Each round starts a new count.
    table.act(Command::NextRound).unwrap();
    table.play("+2");
    assert_eq!(tags(&table), []);
}

#[test]
fn two_computers_that_never_finish_are_stopped() {
    let text = "title = 'T'\nstart = 5\nrange = [0, 9]\nmoves = ['+1', '-1']\nrepetition = 0\n";
    let mut setup = against(own_game(text), "perfect");
    setup.computers[Player::One] = Some(Opponent::perfect());
    let mut table = Table::sit_down(setup);
    table.computers_play();
    let outcome = table.sitting.round().outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ending), (None, Ending::Stopped));
    assert_eq!(table.sitting.round().history().len(), MOST_PLIES);
}

#[test]
fn a_forced_end_is_played_out_unless_a_computer_might_slip() {
    // Only +1 is left.
    let only = "title = 'T'\nstart = 0\ntarget = 6\nmoves = ['+1', 'x3']\npast = 'loses'\n";
    let mut table = Table::sit_down(two_people(own_game(only)));
    table.play("+1 +1 +1");
    let end = |table: &mut Table| table.ahead(|sitting, ahead| sitting.forced_end(ahead)).unwrap();
    let ForcedEnd::Line(line) = end(&mut table) else { panic!("the ending isn't forced") };
    assert_eq!(line.len(), 3);
    // A player who slips may still lose immediately by overshooting. Perfect play doesn't.
    let round = table.sitting.round();
    let with = |opponent| {
        let setup = Setup { resumed: Some(round.clone()), ..against(own_game(only), opponent) };
        end(&mut Table::sit_down(setup))
    };
    assert_eq!(with("dash:slip=0.5"), ForcedEnd::ChoicesLeft);
    assert_eq!(with("perfect"), ForcedEnd::Line(line));
}

#[test]
fn a_loser_in_a_lost_seat_learns_why() {
    let lost = |table: &mut Table| table.ahead(|sitting, ahead| sitting.seat_was_lost(ahead)).unwrap();
    // The starter wins with +2.
    let mut table = Table::sit_down(Setup { first: Player::Two, ..against(own_game(QUICK), "perfect") });
    table.computers_play();
    assert_eq!(lost(&mut table), Some(("second", true)));
    let mut table = Table::sit_down(against(own_game(QUICK), "perfect"));
    table.play("+1");
    assert_eq!(lost(&mut table), None, "this seat could win");
    let mut table = Table::sit_down(two_people(own_game(QUICK)));
    table.play("+2");
    assert_eq!(lost(&mut table), None, "nobody lost against a computer");
    // Giving up without a move needs no consolation.
    let mut table =
        Table::sit_down(against(own_game("title = 'T'\nstart = 0\ntarget = 2\nmoves = ['+1']"), "perfect"));
    table.act(Command::Resign(Player::One)).unwrap();
    assert_eq!(lost(&mut table), None, "nothing was played");
    // Discovery mode doesn't reveal it.
    let mut setup = Setup { first: Player::Two, ..against(own_game(QUICK), "perfect") };
    setup.help.discover = true;
    let mut table = Table::sit_down(setup);
    table.computers_play();
    assert_eq!(lost(&mut table), None, "discovery is on");
}

/// The message about a lost seat is a bonus, so it only appears if the answer is quick to compute.
#[test]
fn a_lost_seat_does_not_hold_up_the_next_question() {
    let large = "title = 'T'\nstart = 1\nrange = [0, 600000]\nmoves = ['+1', '-1', 'x2']\nwinning = [599999]";
    let mut table = Table::sit_down(against(own_game(large), "random"));
    table.act(Command::Resign(Player::One)).unwrap();
    let mut asked = 0;
    let games = SolvedGames::new(1 << 30);
    let mut keep_going = |_: Progress| {
        asked += 1;
        true
    };
    let mut ahead = Lookahead { games: &games, keep_going: &mut keep_going };
    assert_eq!(table.sitting.seat_was_lost(&mut ahead).unwrap(), None, "the seat is unknown");
    assert!((10..=100).contains(&asked), "{asked} steps");
    let mut stopped = |_: Progress| false;
    let mut ahead = Lookahead { games: &games, keep_going: &mut stopped };
    assert!(table.sitting.seat_was_lost(&mut ahead).is_err(), "cancelling stops the search");
}

#[test]
fn a_new_player_starts_from_a_seat_that_can_win() {
    for (id, target, first) in
        [("number-maze", "target=10", Player::One), ("number-maze", "target=15", Player::Two)]
    {
        // In discovery mode, the winning seat is secret.
        for discover in [false, true] {
            let first = if discover { Player::One } else { first };
            let help = Help { discover, ..Help::default() };
            let mut any = Table::sit_down(two_people(game(id, &[target])));
            let setup =
                any.ahead(|_, ahead| Setup::gentle(game(id, &[target]), help, Dice::new(1), ahead)).unwrap();
            assert_eq!((setup.first, setup.only_person()), (first, Some(Player::One)), "{target}");
            assert_eq!(setup.help, help);
        }
    }
}

#[test]
fn an_opponent_that_cannot_solve_the_game_is_reported() {
    // If passes are counted, the solver can't use stretches (runs of numbers with a common pattern).
    let huge = ["target=1000000000000000000", "passes=1"];
    let mut table = Table::sit_down(against(game("number-maze", &huge), "pip"));
    let pip = Opponent::parse("pip").unwrap();
    let said = table.ahead(|sitting, ahead| sitting.habit(pip, ahead)).unwrap();
    assert_eq!(said, "Pip can't solve a game this large, so it guesses.");
    let games = spoton::solved::SolvedGames::new(1 << 20);
    let ahead = &mut spoton::sitting::Lookahead { games: &games, keep_going: &mut |_| true };
    let refused = spoton::sitting::Sitting::begin(against(game("number-maze", &huge), "perfect"), ahead);
    assert!(refused.is_err_and(|cannot| cannot.is_too_large()));
}

/// Random targets are on the same side of the start as the game's own target, before and after a save.
#[test]
fn a_save_draws_the_same_targets() {
    for seed in 0..40 {
        let changes = Changes { variant: None, settings: vec![Setting::Target("12..30".to_owned())] };
        let game =
            Game::new(BookText::shipped("take-away").unwrap(), "take-away".to_owned(), &changes).unwrap();
        let series = Some(Match::new(MatchForm::Rounds(9), Player::One));
        let setup =
            Setup { series, ..Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(seed)) };
        let games = SolvedGames::new(1 << 20);
        let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
        let (sitting, _) = Sitting::begin(setup, ahead).unwrap();
        let setup = Setup::from_text(&sitting.unfinished().unwrap().text(), 0).unwrap();
        let (again, _) = Sitting::begin(setup, ahead).unwrap();
        let targets = |mut sitting: Sitting| {
            let mut targets = vec![sitting.rulebook().target()];
            for _ in 0..5 {
                let turn = sitting.round().position().turn();
                sitting.act(Command::Resign(turn)).unwrap();
                sitting.act(Command::NextRound).unwrap();
                targets.push(sitting.rulebook().target());
            }
            targets
        };
        assert_eq!(targets(again), targets(sitting), "{seed}");
    }
}
