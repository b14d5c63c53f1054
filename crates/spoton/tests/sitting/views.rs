//! Each viewer's view of a table and possible requests, over whole rounds of every shipped game.

use spoton::engine::play::Situation;
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::catalog;
use spoton::sitting::{Command, Help, Lookahead, Setup, Sitting};
use spoton::solved::SolvedGames;
use spoton::solver::chart;
use spoton::view::{self, Offer, Seating, Stage, TableView, Viewer, WhyNot};

use crate::sitting::{against, game, two_people};

const VIEWERS: [Viewer; 7] = [
    Viewer::Seat(Player::One),
    Viewer::Seat(Player::Two),
    Viewer::Both,
    Viewer::Nobody,
    Viewer::Host,
    Viewer::Program(Player::One),
    Viewer::Program(Player::Two),
];

fn begin(setup: Setup) -> Sitting {
    let games = SolvedGames::new(64 << 20);
    Sitting::begin(setup, &mut Lookahead { games: &games, keep_going: &mut |_| true }).unwrap().0
}

/// Plays a round by a fixed rule and shows every position to every viewer.
fn each_view(mut sitting: Sitting, mut check: impl FnMut(&Sitting, Viewer, &TableView<'_>)) {
    for turn in 0..60 {
        for viewer in VIEWERS {
            check(&sitting, viewer, &TableView::new(&sitting, viewer));
        }
        let Situation::Choose(legal) = sitting.round().situation() else { return };
        let choice = legal.iter().nth(turn * 7 % legal.len()).unwrap();
        sitting.act(Command::Play(choice)).unwrap();
    }
}

#[test]
fn every_viewer_sees_the_same_round_and_only_players_play() {
    let (mut seen, mut over) = (0, 0);
    for id in catalog::ids() {
        each_view(begin(two_people(game(id, &[]))), |sitting, viewer, view| {
            let (round, rulebook) = (sitting.round(), sitting.rulebook());
            seen += 1;
            let history: Vec<String> = view.history().map(|made| made.written()).collect();
            let written: Vec<String> = round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect();
            assert_eq!(history, written, "{id}");
            if let Some(outcome) = round.outcome() {
                over += 1;
                let end = view.end().expect(id);
                assert_eq!((end.outcome, view.moves.len()), (outcome, 0), "{id}");
                let won = outcome.winner.is_some_and(|winner| viewer.plays(winner));
                assert_eq!(end.is_win, won, "{id} {viewer:?}");
                let alone = matches!(viewer, Viewer::Seat(_) | Viewer::Program(_));
                assert_eq!(end.verdict == "You win!", won && alone, "{id} {viewer:?}: {}", end.verdict);
                assert!(!end.how.is_empty() && view.requests.give_up.is_err(), "{id}");
                return;
            }
            let turn = round.position().turn();
            let marked: Vec<bool> = Player::BOTH.map(|player| view.players[player].on_turn).into();
            assert_eq!(marked, Player::BOTH.map(|player| player == turn), "{id} {viewer:?}");
            let legal: Vec<_> = rulebook.legal(round.position()).iter().collect();
            let shown = view.moves.iter().filter(|a_move| a_move.is_legal());
            assert_eq!(shown.filter_map(|a_move| a_move.choice).collect::<Vec<_>>(), legal, "{id}");
            for a_move in &view.moves {
                let result = a_move.choice.and_then(|choice| rulebook.result(round.position(), choice).ok());
                assert_eq!(a_move.to.as_ref().ok().copied(), result, "{id}: {}", a_move.written);
            }
            let plays = match viewer {
                Viewer::Seat(own) | Viewer::Program(own) => own == turn,
                Viewer::Both => true,
                Viewer::Nobody | Viewer::Host => false,
            };
            assert_eq!(view.is_viewers_turn(), plays, "{id} {viewer:?}");
            assert_eq!(view.requests.hint.is_ok(), plays, "{id} {viewer:?}");
            let is_person = matches!(viewer, Viewer::Seat(_) | Viewer::Both);
            let ideas = is_person && chart::number_alone_decides(rulebook);
            assert_eq!(view.requests.idea.is_ok(), ideas, "{id} {viewer:?}");
            assert_eq!(view.moves, view::moves(round), "{id} {viewer:?}");
            let seated = !matches!(viewer, Viewer::Nobody | Viewer::Host);
            assert_eq!(view.requests.give_up.is_ok(), seated, "{id} {viewer:?}");
        });
    }
    assert!(seen > 500 && over > 50, "{seen} views, {over} of finished rounds");
}

#[test]
fn a_person_against_a_computer_is_you() {
    let mut sitting = begin(against(game("number-maze", &[]), "pip"));
    let names = |sitting: &Sitting, viewer| TableView::new(sitting, viewer).names();
    assert_eq!(names(&sitting, Viewer::Seat(Player::One)), ByPlayer(["You".to_owned(), "Pip".to_owned()]));
    assert_eq!(names(&sitting, Viewer::Nobody)[Player::Two], "Pip");
    assert_ne!(names(&sitting, Viewer::Nobody)[Player::One], "You");
    sitting.act(Command::Resign(Player::One)).unwrap();
    let view = TableView::new(&sitting, Viewer::Seat(Player::One));
    let end = view.end().unwrap();
    assert_eq!((end.verdict.as_str(), end.how.as_str()), ("Pip wins this one.", "You gave up."));
}

#[test]
fn a_request_that_is_refused_has_a_reason() {
    let discovery =
        Setup { help: Help { discover: true, ..Help::default() }, ..two_people(game("race-to-23", &[])) };
    let sitting = begin(discovery);
    let one = TableView::new(&sitting, Viewer::Seat(Player::One));
    assert_eq!(one.requests.hint, Err(WhyNot::Discovery));
    assert_eq!((one.requests.idea, one.requests.facts), (Ok(()), Err(WhyNot::Discovery)));
    assert_eq!(TableView::new(&sitting, Viewer::Host).requests.facts, Ok(()));

    let sitting = begin(two_people(game("race-to-23", &[])));
    let seating = Seating::from_sitting(&sitting);
    let view = |seating: &Seating| TableView::with(&sitting, Viewer::Seat(Player::One), seating);
    let off = view(&Seating { hints: false, ..seating.clone() });
    assert_eq!((off.requests.hint, off.requests.idea), (Err(WhyNot::HintsAreOff), Err(WhyNot::HintsAreOff)));
    let not_on_turn =
        TableView::with(&sitting, Viewer::Seat(Player::Two), &Seating { hints: false, ..seating.clone() });
    assert_eq!(not_on_turn.requests.hint, Err(WhyNot::HintsAreOff), "also on the opponent's turn");
    let waiting = view(&Seating { open: ByPlayer([false, true]), ..seating.clone() });
    assert_eq!((waiting.stage, waiting.requests.give_up), (Stage::Open, Err(WhyNot::NobodyThere)));
    let asked = view(&Seating { offer: Some((Player::Two, Offer::TakeBack)), ..seating });
    assert_eq!(asked.requests.undo, Err(WhyNot::OfferIsOpen));

    // A program may get hints, but no other help.
    let view = |hints| {
        let seating = Seating { hints, ..Seating::from_sitting(&sitting) };
        TableView::with(&sitting, Viewer::Program(Player::One), &seating).requests
    };
    assert_eq!((view(true).hint, view(false).hint), (Ok(()), Err(WhyNot::HintsAreOff)));
    assert_eq!((view(true).idea, view(true).map), (Err(WhyNot::Program), Err(WhyNot::Program)));

    // The number alone doesn't decide here.
    let sitting = begin(two_people(game("operation-target", &[])));
    assert_eq!(TableView::new(&sitting, Viewer::Both).requests.idea, Err(WhyNot::NumberIsNotAll));
}

#[test]
fn a_view_is_data_with_the_moves_the_history_and_the_end() {
    let mut over = 0;
    for id in catalog::ids() {
        each_view(begin(two_people(game(id, &[]))), |sitting, viewer, view| {
            let (round, rulebook) = (sitting.round(), sitting.rulebook());
            let data = serde_json::to_value(view).unwrap();
            let list = |key: &str| data[key].as_array().unwrap().clone();
            let legal: Vec<_> =
                list("moves").into_iter().filter(|a_move| a_move["reason"].is_null()).collect();
            let choices: Vec<_> = round.situation().moves().collect();
            assert_eq!(legal.len(), choices.len(), "{id}");
            for (a_move, choice) in legal.iter().zip(choices) {
                assert_eq!(a_move["move"], rulebook.write(choice), "{id}");
                assert!(a_move["to"].is_number() && !a_move["label"].as_str().unwrap().is_empty(), "{id}");
            }
            let history: Vec<_> = list("history").iter().map(|made| made["move"].clone()).collect();
            let written: Vec<_> = round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect();
            assert_eq!(history, written, "{id}");
            let can_ask = data["requests"]["give_up"].is_null();
            assert_eq!(can_ask, viewer.is_seated() && round.outcome().is_none(), "{id} {viewer:?}");
            match round.outcome() {
                None => assert_eq!(data["turn"], round.position().turn().number(), "{id}"),
                Some(outcome) => {
                    over += 1;
                    let winner = outcome.winner.map(Player::number);
                    assert_eq!(data["ending"]["winner"], serde_json::json!(winner), "{id}");
                    assert!(data["turn"].is_null() && data["ending"]["how"].is_string(), "{id}");
                }
            }
        });
    }
    assert!(over > 20, "{over}");
}

/// A player reads about their own move as theirs; everybody else reads the name.
#[test]
fn each_viewer_sees_why_a_computer_cannot_move() {
    let mut sitting = begin(against(game("number-maze", &["no_repeat=opponent"]), "pip"));
    let choice = sitting.round().situation().moves().next().unwrap().choice().unwrap();
    sitting.act(Command::Play(choice)).unwrap();
    let reason = |viewer| {
        let view = TableView::new(&sitting, viewer);
        view.moves.iter().find_map(|a_move| a_move.reason().map(str::to_owned)).unwrap()
    };
    assert_eq!(reason(Viewer::Seat(Player::One)), "it was your last move");
    let name = &TableView::new(&sitting, Viewer::Nobody).players[Player::One].name;
    for viewer in [Viewer::Nobody, Viewer::Host, Viewer::Seat(Player::Two)] {
        assert_eq!(reason(viewer), format!("it was {name}'s last move"), "{viewer:?}");
    }
}
