//! Details that players of a sitting would notice: the next opponent, saves, random draws.

use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::series::Match;
use spoton::evaluate::opponent::Opponent;
use spoton::format::MatchForm;
use spoton::records::Refused;
use spoton::sitting::{
    Adaptive, Cannot, Command, Dice, Event, Help, Lookahead, Setup, Sitting, level_of, rungs_of,
};
use spoton::solved::SolvedGames;
use spoton::solver::Unsolved;

use crate::sitting::{game, own_game, two_people};

/// The starter wins immediately with `+2`, or leaves the win to the opponent.
const QUICK: &str = "title = 'Quick'\nstart = 1\ntarget = 3\nmoves = ['+1', '+2']\npast = 'forbidden'\n";

fn people(text: &str) -> Setup {
    two_people(own_game(text))
}

/// Runs a query that looks ahead.
fn ahead<T>(ask: impl FnOnce(&mut Lookahead<'_>) -> T) -> T {
    let games = SolvedGames::new(16 << 20);
    ask(&mut Lookahead { games: &games, keep_going: &mut |_| true })
}

fn begin(setup: Setup) -> Sitting {
    ahead(|ahead| Sitting::begin(setup, ahead)).unwrap().0
}

fn play(sitting: &mut Sitting, moves: &str) {
    for written in moves.split_whitespace() {
        sitting.act(Command::Write(written.to_owned())).unwrap();
    }
}

#[test]
fn a_replayed_round_does_not_count_in_a_match_either() {
    let mut sitting =
        begin(Setup { series: Some(Match::new(MatchForm::FirstTo(2), Player::One)), ..people(QUICK) });
    play(&mut sitting, "+2");
    let before = (sitting.setup().series, sitting.setup().round_number, sitting.setup().earlier.len());
    sitting.act(Command::PlayOn { moves: 0 }).unwrap();
    play(&mut sitting, "+2");
    let after = (sitting.setup().series, sitting.setup().round_number, sitting.setup().earlier.len());
    assert_eq!(after, before);
    assert!(!sitting.aftermath().unwrap().counts);
    // The match continues where it was.
    sitting.act(Command::NextRound).unwrap();
    assert_eq!(sitting.round().first(), Player::Two);
    play(&mut sitting, "+2");
    assert_eq!(sitting.setup().series.unwrap().score(), ByPlayer([1, 1]));
}

#[test]
fn the_next_opponent_is_announced() {
    let rungs: Vec<Opponent> = Opponent::for_people().take(2).collect();
    let (first, second) = (rungs[0], rungs[1]);
    let mut setup = Setup { computers: ByPlayer([None, Some(first)]), ..people(QUICK) };
    setup.adaptive =
        Some(Adaptive { player: Player::Two, name: "level".to_owned(), rungs, level: 0, named: false });
    let mut sitting = begin(setup);
    play(&mut sitting, "+2");
    let said = sitting.aftermath().unwrap().meets_next();
    assert_eq!(said, Some(format!("Next opponent: {}. {}.", second.title(), second.habit())));
    // The opponent is the same as before, so there is no message.
    sitting.act(Command::NextRound).unwrap();
    assert_eq!(sitting.round().first(), Player::Two);
    sitting.act(Command::Resign(Player::Two)).unwrap();
    assert_eq!(sitting.aftermath().unwrap().meets_next(), None);
}

#[test]
fn a_level_belongs_to_the_rules_of_a_game() {
    let level = |text: &str| {
        let game = own_game(text);
        level_of(&game, &game.rulebook().unwrap())
    };
    let quick = level(QUICK);
    assert!(quick.len() > "level ".len() && quick.starts_with("level "), "{quick}");
    assert_eq!(level(&QUICK.replace("Quick", "Another name")), quick);
    assert_ne!(level(&QUICK.replace("target = 3", "target = 4")), quick);
    // A random target doesn't make a different game.
    let mut drawn = own_game(QUICK);
    drawn.targets = Some(3..=9);
    assert_eq!(level_of(&drawn, &drawn.with_target(8).unwrap()), quick);
}

#[test]
fn in_a_game_too_large_only_those_sit_there_who_need_not_see_through_it() {
    let all: Vec<Opponent> = Opponent::for_people().collect();
    let able: Vec<Opponent> = all.iter().copied().filter(|opponent| !opponent.looks_ahead()).collect();
    assert!(!able.is_empty() && able.len() < all.len());
    let rungs = |text: &str| {
        let rulebook = Arc::new(own_game(text).rulebook().unwrap());
        let rungs = ahead(|ahead| rungs_of(&rulebook, None, ahead)).unwrap();
        rungs.into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(rungs(QUICK), all);
    assert_eq!(rungs(&QUICK.replace("target = 3", "target = 1000000000000000\npasses = 1")), able);
    // If numbers only grow, no target is too far away.
    assert_eq!(rungs(&QUICK.replace("target = 3", "target = 1000000000000000")), all);
}

#[test]
fn without_time_to_wait_no_game_is_called_too_large() {
    assert!(!Cannot::from(Unsolved::Stopped { reached: 5 }).is_too_large());
    assert!(!Cannot::RoundIsOver.is_too_large());
    assert!(Cannot::from(Unsolved::TooLong { positions: 5 }).is_too_large());
    // In a game that's too large, Pip plays without looking ahead, but a cancellation still stops it.
    let pip = Opponent::parse("pip").unwrap();
    let setup = Setup::new(game("number-maze", &[]), ByPlayer([None, Some(pip)]), Player::Two, Dice::new(7));
    let games = SolvedGames::new(16 << 20);
    let impatient = &mut Lookahead { games: &games, keep_going: &mut |_| false };
    let stopped = Sitting::begin(setup, impatient).err();
    assert!(matches!(stopped, Some(Cannot::Unsolved(Unsolved::Stopped { .. }))), "{stopped:?}");
    // A canceled query doesn't mean that the coach has nothing to offer.
    let coach = Help { coach: true, ..Help::default() };
    let mut sitting = begin(Setup { help: coach, ..two_people(game("race-to-23", &[])) });
    let stopped = sitting.offers_hints(impatient).err();
    assert!(matches!(stopped, Some(Cannot::Unsolved(Unsolved::Stopped { .. }))), "{stopped:?}");
    assert!(matches!(ahead(|ahead| sitting.offers_hints(ahead)), Ok(Some(_))));
}

#[test]
fn a_round_counts_as_begun_after_a_move_or_an_earlier_round() {
    let mut sitting =
        begin(Setup { series: Some(Match::new(MatchForm::Rounds(3), Player::One)), ..people(QUICK) });
    assert!(!sitting.has_begun());
    play(&mut sitting, "+1");
    assert!(sitting.has_begun());
    play(&mut sitting, "+1");
    sitting.act(Command::NextRound).unwrap();
    assert!(sitting.round().history().is_empty() && sitting.has_begun());
}

#[test]
fn habits_are_described_as_they_are_in_solved_games() {
    let mut sitting = begin(people(QUICK));
    for opponent in Opponent::all() {
        let said = ahead(|ahead| sitting.habit(opponent, ahead)).unwrap();
        assert_eq!(said, format!("{}.", opponent.habit()));
    }
    // An opponent that never looks ahead plays the same in a game that's too large.
    let mut large = begin(people(&QUICK.replace("target = 3", "target = 1000000000000000")));
    for opponent in Opponent::all().filter(|opponent| !opponent.looks_ahead()) {
        let said = ahead(|ahead| large.habit(opponent, ahead)).unwrap();
        assert_eq!(said, format!("{}.", opponent.habit()));
    }
}

#[test]
fn the_coach_speaks_up_only_if_there_is_a_choice() {
    let coached = |text: &str| Setup { help: Help { coach: true, ..Help::default() }, ..people(text) };
    // At 2, only +2 is left, and it loses.
    let mut only = begin(coached(
        "title = 'T'\nstart = 0\ntarget = 4\nmoves = ['+2', '+3']\npast = 'forbidden'\nreach = 'loses'\n",
    ));
    play(&mut only, "+2");
    let choice = only.rulebook().choice("+2".parse().unwrap()).unwrap();
    assert_eq!(only.rulebook().legal(only.round().position()).len(), 1);
    assert!(!only.warns_of(choice));
    // Every move wins, so there's no hint to offer.
    let mut all_win =
        begin(coached("title = 'T'\nstart = 0\ntarget = 1\nmoves = ['+1', '+2']\npast = 'wins'\n"));
    assert_eq!(ahead(|ahead| all_win.offers_hints(ahead)), Ok(None));
    // Here one of two does.
    let mut one_wins = begin(coached(QUICK));
    assert_eq!(ahead(|ahead| one_wins.offers_hints(ahead)), Ok(Some(4)));
}

#[test]
fn reasons_name_the_pattern_to_a_player_who_can_win_with_it() {
    let race = "title = 'Race'\nstart = START\ntarget = 40\nmoves = ['+1..4']\npast = 'forbidden'\n";
    let why = |start: &str| {
        let mut sitting = begin(people(&race.replace("START", start)));
        let (said, event) = ahead(|ahead| sitting.why(ahead)).unwrap();
        assert_eq!(event, None, "without a coach it costs nothing");
        said
    };
    // Every fifth number, counting back from 40, is one to leave.
    let (won, lost) = (why("1"), why("0"));
    let pattern = |said: &[String]| said.iter().any(|line| line.contains("every 5"));
    assert!(pattern(&won), "{won:#?}");
    assert!(!pattern(&lost), "{lost:#?}");
}

#[test]
fn draws_are_uniform_and_independent() {
    let coins = (0..400).filter(|seed| Dice::new(*seed).coin()).count();
    assert!((150..250).contains(&coins), "{coins} of 400");
    // A seed's draws never change in later versions: saves and shared seeds rely on it.
    let first: Vec<bool> = (0..8).map(|seed| Dice::new(seed).coin()).collect();
    assert_eq!(first, FIRST_COINS);
    let dice = Dice::new(7);
    let mut draws: Vec<f64> = (0..20)
        .flat_map(|round| (0..20).map(move |ply| dice.draw(round, ply)))
        .chain((1..20).map(|more| Dice::new(7 + more).draw(0, 0)))
        .collect();
    assert!(draws.iter().all(|draw| (0.0..1.0).contains(draw)));
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    assert!((0.45..0.55).contains(&mean), "{mean}");
    let count = draws.len();
    draws.sort_by(f64::total_cmp);
    draws.dedup();
    assert_eq!(draws.len(), count, "no draw is another's");
    // Targets and moves use separate random streams: a shared stream would give the same relative position.
    let apart = (0..50).filter(|round| {
        let target = dice.target(*round, 0, 0..=999_999) as f64 / 1e6;
        (target - dice.draw(*round, 0)).abs() > 1e-3
    });
    assert!(apart.count() > 40);
}

/// Skipped turns aren't events, but a replay keeps the order of everything after them.
#[test]
fn a_replay_repeats_skipped_turns() {
    // Player 2 is at 7, where +2 and everything else overshoot: their turns are skipped.
    let text = "title = 'T'\nnumbers = 'separate'\nstart = [0, 7]\ntarget = 8\nmoves = ['+2', '+3']\n\
                past = 'forbidden'\nstuck = 'skips'\n";
    for end in [Command::Resign(Player::One), Command::Stop] {
        let games = SolvedGames::new(16 << 20);
        let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
        let setup = Setup { help: Help { coach: true, ..Help::default() }, ..people(text) };
        let (mut sitting, begun) = Sitting::begin(setup, ahead).unwrap();
        let mut log = vec![begun];
        let write = |written: &str| Command::Write(written.to_owned());
        log.push(sitting.act(write("+2")).unwrap());
        assert_eq!(sitting.round().history().last().map(|ply| ply.a_move), Some(Move::Skip));
        let (_, told) = sitting.hint(ahead).unwrap();
        log.extend(told);
        let mut again = Sitting::replay(log.clone()).unwrap();
        assert_eq!(again.hint(ahead).unwrap(), sitting.hint(ahead).unwrap());
        log.truncate(2);
        log.push(sitting.act(end).unwrap());
        let again = Sitting::replay(log).unwrap();
        assert_eq!(again.round().history(), sitting.round().history());
        assert_eq!(again.aftermath(), sitting.aftermath());
    }
}

const FIRST_COINS: [bool; 8] = [true, true, false, false, true, false, false, false];

/// Servers keep logs for years, so the JSON of an event never changes.
#[test]
fn every_event_comes_back_from_its_json() {
    let begun = || Event::Begun { text: "[Game \"x\"]".to_owned() };
    let refused = |player, why| Event::Refused { player, why };
    let round = |target, first| Event::RoundBegun { target, first };
    for (event, json) in [
        (begun(), r#"{"event":"begun","text":"[Game \"x\"]"}"#),
        (
            Event::Moved { player: Player::Two, written: "x2".to_owned() },
            r#"{"event":"moved","player":2,"move":"x2"}"#,
        ),
        (
            Event::TakenBack { moves: vec!["+1".to_owned(), "x2".to_owned()] },
            r#"{"event":"taken-back","moves":["+1","x2"]}"#,
        ),
        (Event::HintTold, r#"{"event":"hint"}"#),
        (Event::ReasonsTold, r#"{"event":"why"}"#),
        (refused(Player::One, Refused::Illegal), r#"{"event":"refused","player":1}"#),
        (refused(Player::Two, Refused::Late), r#"{"event":"refused","player":2,"why":"late"}"#),
        (Event::Forfeited, r#"{"event":"forfeited"}"#),
        (Event::Abandoned, r#"{"event":"abandoned"}"#),
        (Event::Resigned { player: Player::Two }, r#"{"event":"resigned","player":2}"#),
        (Event::Stopped, r#"{"event":"stopped"}"#),
        (round(None, None), r#"{"event":"round-begun"}"#),
        (round(Some(-9), None), r#"{"event":"round-begun","target":-9}"#),
        (round(None, Some(Player::Two)), r#"{"event":"round-begun","first":2}"#),
        (Event::PlayedOn { moves: 3 }, r#"{"event":"played-on","after":3}"#),
        (Event::TargetChanged { target: 12 }, r#"{"event":"target-changed","target":12}"#),
    ] {
        assert_eq!(serde_json::to_string(&event).unwrap(), json);
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(Event::from_json(&json).as_ref(), Ok(&event));
        assert_eq!(json["event"], event.word());
    }
}

#[test]
fn an_opponents_odds_need_no_sitting() {
    let sitting = begin(people(QUICK));
    let chances = ahead(|ahead| ahead.chances(Opponent::perfect(), sitting.round())).unwrap();
    let sure: Vec<String> = chances
        .iter()
        .filter(|(_, chance)| *chance == 1.0)
        .map(|(choice, _)| sitting.rulebook().write(Move::Operation(choice)))
        .collect();
    assert_eq!(sure, ["+2"]);
}

#[test]
fn a_save_follows_the_round_move_by_move() {
    let mut sitting = begin(people(QUICK));
    let mut kept = sitting.unfinished().unwrap();
    assert_eq!((kept.game(), kept.is_over()), ("own", false));
    play(&mut sitting, "+1");
    kept.follow(sitting.round().history()[0].a_move.choice().unwrap());
    assert_eq!(kept.text(), sitting.unfinished().unwrap().text());
    play(&mut sitting, "+1");
    kept.follow(sitting.round().history()[1].a_move.choice().unwrap());
    assert!(kept.is_over());
}

#[test]
fn a_record_is_played_on_after_any_of_its_moves() {
    let mut setup = people(QUICK);
    setup.call(Player::One, "Ann".to_owned());
    let mut sitting = begin(setup);
    play(&mut sitting, "+1 +1");
    let record = &sitting.aftermath().unwrap().record;
    for moves in 0..2 {
        let again = begin(Setup::from_record(record, moves, Dice::new(3)).unwrap());
        assert_eq!(again.round().history(), &sitting.round().history()[..moves]);
        assert_eq!(again.round().outcome(), None);
        assert_eq!(again.setup().names, sitting.setup().names);
    }
}

#[test]
fn a_save_says_only_what_is_out_of_the_usual() {
    let coached = Setup { help: Help { coach: true, ..Help::default() }, ..people(QUICK) };
    let mut sitting = begin(coached);
    let kept = |sitting: &Sitting| sitting.unfinished().unwrap().text();
    assert!(!kept(&sitting).contains("hints-"), "{}", kept(&sitting));
    ahead(|ahead| sitting.hint(ahead)).unwrap();
    assert!(kept(&sitting).contains("hints-1"), "{}", kept(&sitting));
    assert_eq!(Setup::from_text(&kept(&sitting), 0).unwrap().hints_used, 1);
    // The round number is for logs: on disk, every round without a match is the first.
    sitting.act(Command::Resign(Player::One)).unwrap();
    sitting.act(Command::NextRound).unwrap();
    assert!(!kept(&sitting).contains("round-"), "{}", kept(&sitting));
    let (again, begun) = ahead(|ahead| Sitting::begin(sitting.setup().clone(), ahead)).unwrap();
    let Event::Begun { text } = begun else { panic!("{begun:?}") };
    assert!(text.contains("round-2"), "{text}");
    assert_eq!(again.setup().round_number, 2);
    let (_, begun) = ahead(|ahead| Sitting::begin(people(QUICK), ahead)).unwrap();
    let Event::Begun { text } = begun else { panic!("{begun:?}") };
    assert!(!text.contains("round-"), "{text}");
}

#[test]
fn players_have_different_names() {
    let [one, two] = [Opponent::perfect(), Opponent::for_people().next().unwrap()];
    let names =
        |computers| Setup::new(own_game(QUICK), ByPlayer(computers), Player::One, Dice::new(7)).names.0;
    assert_eq!(names([None, None]), ["Player 1", "Player 2"]);
    assert_eq!(names([Some(one), None]), [one.title(), "Player 2"]);
    assert_eq!(names([Some(one), Some(two)]), [one.title(), two.title()]);
    assert_eq!(names([Some(one); 2]), [format!("{} 1", one.title()), format!("{} 2", one.title())]);
    // Names stay unique.
    let mut setup = people(QUICK);
    setup.call(Player::One, "Ann".to_owned());
    setup.call(Player::Two, "Ann".to_owned());
    assert_eq!(setup.names.0, ["Ann", "Player 2"]);
    // The person is recognized in either seat.
    let person = |computers| spoton::sitting::only_person(&ByPlayer(computers));
    assert_eq!(person([None, Some(one)]), Some(Player::One));
    assert_eq!(person([Some(one), None]), Some(Player::Two));
    assert_eq!((person([None, None]), person([Some(one); 2])), (None, None));
}
