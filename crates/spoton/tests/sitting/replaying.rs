//! A sitting's state equals the replay of its events, and survives saving and resuming.

use spoton::day::Day;
use spoton::design::today::Attempt;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::series::Match;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{BadGame, BookText, Changes, Game, MatchForm, Setting, catalog};
use spoton::records::Refused;
use spoton::sitting::{Adaptive, Cannot, Command, Event, Help, Setup, Sitting};

use crate::random_books::{self, random_book};
use crate::sitting::{Table, game, state, two_people};

/// A random setup.
fn any_setup(dice: &mut random_books::Dice, number: u64) -> Option<Setup> {
    let game = any_game(dice, number)?;
    let opponents: Vec<Opponent> = Opponent::all().collect();
    let computer = |dice: &mut random_books::Dice| dice.chance(35).then(|| dice.pick(&opponents));
    let computers = ByPlayer([computer(dice), computer(dice)]);
    let first = dice.pick(&Player::BOTH);
    let mut setup = Setup::new(game, computers, first, spoton::sitting::Dice::new(number));
    let form = dice.pick(&[None, Some(MatchForm::FirstTo(2)), Some(MatchForm::Rounds(3))]);
    setup.series = form.map(|form| Match::new(form, first));
    setup.help = Help { coach: dice.chance(40), discover: dice.chance(15), open: dice.chance(10) };
    setup.undo = dice.chance(80);
    // A daily duel is never a match. This doesn't use up a random number, so all other random choices stay the same.
    let day = (number.is_multiple_of(5) && form.is_none()).then(|| Day::since_1970(20_000 + number));
    setup.today = day.map(|day| Attempt { day, counts: number.is_multiple_of(10), hints: number % 3 });
    if dice.chance(40) {
        setup.names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
    }
    if computers[Player::Two].is_some() && dice.chance(50) {
        let rungs: Vec<Opponent> = Opponent::for_people().collect();
        let level = dice.below(rungs.len());
        let named = dice.chance(30);
        let adaptive = Adaptive { player: Player::Two, name: "level 5".to_owned(), rungs, level, named };
        setup.computers[Player::Two] = Some(adaptive.opponent());
        if !named {
            setup.call(Player::Two, adaptive.opponent().title().to_owned());
        }
        setup.adaptive = Some(adaptive);
    }
    Some(setup)
}

/// Games with features of version 2 of the format.
const NEWER: [&str; 3] = [
    "title = 'Strikes'\nnumbers = 'separate'\nstart = [12, 15]\ntarget = 0\nmoves = ['-1..half', \
     { op = '-3', on = 'other' }, { op = '+digit', on = 'other', uses = 2 }]\npast = 'forbidden'\nstuck = 'closest'\n\
     no_repeat = 'opponent'\nturns = 9",
    "title = 'Divisors'\nstart = 30\ntarget = 0\nmoves = ['-divisor', { op = '-1', when = 'prime', uses = 1 }]\n\
     losing = ['square', '8..9']",
    "title = 'Each once'\nstart = 0\ntarget = 15\nmoves = [{ op = '+1..5', uses = 1, pool = 'shared' }]\n\
     forbidden = ['multiples of 4']",
];

fn any_game(dice: &mut random_books::Dice, number: u64) -> Option<Game> {
    if dice.chance(15) {
        return Some(crate::sitting::own_game(dice.pick(&NEWER)));
    }
    if dice.chance(50) {
        let random = random_book(number);
        let book = BookText {
            id: format!("book-{number}"),
            own_file: true,
            source_name: "book.toml".to_owned(),
            text: random.text,
        };
        let settings = random.settings.into_iter().map(Setting::Set).collect();
        let changes = Changes { variant: random.variant.map(str::to_owned), settings };
        return Game::new(book, "book.toml".to_owned(), &changes).ok();
    }
    let ids: Vec<&str> = catalog::ids().collect();
    let id = dice.pick(&ids);
    let settings = match dice.below(3) {
        0 => vec![],
        1 => vec![Setting::Target(dice.between(10, 40).to_string())],
        _ => vec![Setting::Target("12..30".to_owned())],
    };
    let changes = Changes { variant: None, settings };
    let game = Game::new(BookText::shipped(id)?, id.to_owned(), &changes).ok()?;
    // Some games have no target above the start.
    let fits = match game.rulebook() {
        Err(BadGame::TargetIsDrawn) => game.with_target(20).is_ok(),
        fits => fits.is_ok(),
    };
    fits.then_some(game)
}

/// Performs a random action. Returns whether it did anything.
fn anything(table: &mut Table, dice: &mut random_books::Dice) -> bool {
    let over = table.sitting.round().outcome().is_some();
    let turn = table.sitting.round().position().turn();
    let computers_turn = table.sitting.computer().is_some() && !over;
    match dice.below(20) {
        0 => table.act(Command::TakeBack).is_ok(),
        1 => table.act(Command::Refuse(dice.pick(&Refused::ALL))).is_ok(),
        2 if dice.below(4) == 0 => table.act(Command::Forfeit).is_ok(),
        2 if dice.below(4) == 0 => table.act(Command::Abandon).is_ok(),
        2 => table.act(Command::Resign(turn)).is_ok(),
        3 => table.act(Command::PlayOn { moves: dice.below(4) }).is_ok(),
        4 => table.act(Command::AnotherTarget).is_ok(),
        5 => table.act(Command::Write("x7".to_owned())).is_ok(),
        6 | 7 => {
            let told = table.ahead(|sitting, ahead| sitting.hint(ahead));
            told.map(|(_, event)| table.log.extend(event)).is_ok()
        }
        8 => {
            let told = table.ahead(|sitting, ahead| sitting.why(ahead));
            told.map(|(_, event)| table.log.extend(event)).is_ok()
        }
        9..=11 if over => table.act(Command::NextRound).is_ok(),
        _ => match table.sitting.round().situation() {
            Situation::Over(_) => table.act(Command::NextRound).is_ok(),
            Situation::Choose(_) if computers_turn => {
                table.computer_plays();
                true
            }
            situation => {
                let moves: Vec<_> = situation.moves().filter_map(Move::choice).collect();
                table.act(Command::Play(dice.pick(&moves))).is_ok()
            }
        },
    }
}

#[test]
fn the_state_is_the_replay_of_its_events() {
    let (mut sittings, mut rounds, mut refused) = (0, 0, 0);
    for number in 0..400 {
        let mut dice = random_books::Dice::new(number + 5000);
        let Some(setup) = any_setup(&mut dice, number) else { continue };
        let games = spoton::solved::SolvedGames::new(1 << 20);
        let ahead = &mut spoton::sitting::Lookahead { games: &games, keep_going: &mut |_| true };
        // Some opponents can't play games that are too large for them.
        let Ok((sitting, begun)) = Sitting::begin(setup, ahead) else { continue };
        let mut table = Table { sitting, games, log: vec![begun] };
        sittings += 1;
        let mut followed = table.sitting.clone();
        for _ in 0..40 {
            let before = state(&table.sitting);
            let events = table.log.len();
            if !anything(&mut table, &mut dice) {
                refused += 1;
                assert_eq!(state(&table.sitting), before, "a refused command changes nothing");
                assert_eq!(table.log.len(), events);
            }
            if matches!(table.log.last(), Some(Event::RoundBegun { .. })) {
                rounds += 1;
            }
            assert_ne!(table.sitting.round().situation(), Situation::Skip, "forced skips are never events");
        }
        // A follower that applies the events one by one has the same state.
        table.log[1..].iter().for_each(|event| followed.apply(event).unwrap());
        assert_eq!(state(&followed), state(&table.sitting));
        // Through JSON and back, as a log is stored.
        let stored: Vec<String> =
            table.log.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let read = stored.iter().map(|line| Event::from_json(&serde_json::from_str(line).unwrap()).unwrap());
        let mut again = Sitting::replay(read).unwrap_or_else(|cannot| panic!("{cannot}: {stored:#?}"));
        assert_eq!(state(&again), state(&table.sitting), "{stored:#?}");
        // Shown hints and rejected answers are restored, too.
        let ahead = &mut spoton::sitting::Lookahead { games: &table.games, keep_going: &mut |_| true };
        let hint = again.hint(ahead).map(|(said, _)| said);
        assert_eq!(hint, table.ahead(|sitting, ahead| sitting.hint(ahead)).map(|(said, _)| said));
    }
    assert!(sittings > 250 && rounds > 200 && refused > 200, "{sittings} {rounds} {refused}");
}

#[test]
fn a_save_takes_up_where_it_was_left() {
    let mut taken_up = 0;
    for number in 0..300 {
        let mut dice = random_books::Dice::new(number + 9000);
        let Some(setup) = any_setup(&mut dice, number) else { continue };
        let games = spoton::solved::SolvedGames::new(1 << 20);
        let ahead = &mut spoton::sitting::Lookahead { games: &games, keep_going: &mut |_| true };
        let Ok((sitting, begun)) = Sitting::begin(setup, ahead) else { continue };
        let mut table = Table { sitting, games, log: vec![begun] };
        for _ in 0..15 {
            anything(&mut table, &mut dice);
        }
        let Some(kept) = table.sitting.unfinished() else { continue };
        let setup = Setup::from_text(&kept.text(), 0).unwrap();
        assert_eq!(setup.series, table.sitting.setup().series);
        if setup.series.is_some() && !setup.tried_out {
            assert_eq!(setup.first, table.sitting.setup().first, "starters keep alternating");
        }
        let again = Table::sit_down(setup);
        assert_eq!(again.sitting.unfinished().unwrap().text(), kept.text());
        taken_up += 1;
    }
    assert!(taken_up > 150, "{taken_up}");
}

#[test]
fn a_round_on_the_side_is_one_in_its_log_as_well() {
    let rulebook = game("number-maze", &[]).rulebook().unwrap();
    let mut table = Table::sit_down(Setup::aside(&rulebook, 5));
    table.computers_play();
    let again = Sitting::replay(table.log.clone()).unwrap();
    assert!(again.setup().aside && again.unfinished().is_none(), "it is never saved");
    assert_eq!(state(&again), state(&table.sitting));
}

#[test]
fn a_log_that_does_not_follow_is_refused() {
    let mut table = Table::sit_down(two_people(game("number-maze", &["target=10"])));
    table.play("x2 x2");
    let log = |change: fn(&mut Vec<Event>)| {
        let mut log = table.log.clone();
        change(&mut log);
        Sitting::replay(log).err()
    };
    assert_eq!(log(|_| ()), None);
    assert_eq!(log(Vec::clear), Some(Cannot::NoRound));
    assert_eq!(log(|log| drop(log.remove(0))), Some(Cannot::DoesNotFollow("moved")));
    assert_eq!(log(|log| log.push(log[0].clone())), Some(Cannot::DoesNotFollow("begun")));
    assert_eq!(log(|log| drop(log.remove(1))), Some(Cannot::NotTheirTurn));
    assert_eq!(
        log(|log| log.push(Event::RoundBegun { target: None, first: None })),
        Some(Cannot::RoundGoesOn)
    );
    let wrong = |log: &mut Vec<Event>| log.push(Event::TakenBack { moves: vec!["+1".to_owned()] });
    assert_eq!(log(wrong), Some(Cannot::DoesNotFollow("taken-back")));
    let unknown = |log: &mut Vec<Event>| {
        log.push(Event::Moved { player: Player::One, written: "x9".to_owned() });
    };
    assert!(log(unknown).unwrap().to_string().contains("not one of this game's moves"));
}

/// A refused event changes nothing, even if its first part would have been possible.
#[test]
fn an_event_that_does_not_follow_changes_nothing() {
    let mut table = Table::sit_down(two_people(game("number-maze", &["target=10"])));
    table.play("x2 x2");
    let refuse = |table: &mut Table, event: Event| {
        let before = state(&table.sitting);
        let why = table.sitting.apply(&event).unwrap_err();
        assert_eq!(state(&table.sitting), before, "{event:?}");
        why
    };
    let undo = |moves: [&str; 2]| Event::TakenBack { moves: moves.map(str::to_owned).to_vec() };
    // The last move is undone first, and only then it shows that the one before was another.
    assert_eq!(refuse(&mut table, undo(["+1", "x2"])), Cannot::DoesNotFollow("taken-back"));
    assert_eq!(refuse(&mut table, undo(["x2", "+1"])), Cannot::DoesNotFollow("taken-back"));
    assert_eq!(refuse(&mut table, Event::TargetChanged { target: 12 }), Cannot::RoundGoesOn);
    table.play("x2 +1 +1");
    assert!(table.sitting.round().outcome().is_some());
    assert_eq!(refuse(&mut table, undo(["+1", "+1"])), Cannot::DoesNotFollow("taken-back"));
    // The start can't be the target, and a target below it would turn the climb around.
    for target in [1, 0] {
        let why = refuse(&mut table, Event::TargetChanged { target });
        assert!(why.to_string().contains("target"), "{why}");
    }
    // A possible target is taken, and the next round has it.
    table.sitting.apply(&Event::TargetChanged { target: 12 }).unwrap();
    table.act(Command::NextRound).unwrap();
    assert_eq!(table.sitting.rulebook().target(), Some(12));
}

#[test]
fn an_invalid_event_is_refused_with_a_reason() {
    for line in [
        "1",
        "{}",
        r#"{"event":"moved"}"#,
        r#"{"event":"moved","player":3,"move":"+1"}"#,
        r#"{"event":"new"}"#,
    ] {
        let bad = Event::from_json(&serde_json::from_str(line).unwrap()).unwrap_err();
        assert!(bad.to_string().starts_with("not an event of a sitting: "), "{bad}");
    }
}

/// Saves are untrusted: log-only terms are ignored there.
#[test]
fn a_save_takes_no_words_of_a_log() {
    let record = |tags: &str| {
        format!("[Rulebook \"number-maze\"]\n[Player2 \"Pip\"]\n[Computer2 \"pip\"]\n{tags}\n1. +1 *\n")
    };
    let setup = |tags: &str| Setup::from_text(&record(tags), 3).unwrap();
    let terms = setup("[Terms \"coach aside round-7 discover no-such-word\"]\n");
    assert!(terms.help.coach && !terms.help.discover && !terms.aside);
    assert_eq!(terms.round_number, 1);
    assert!(Table::sit_down(terms).sitting.unfinished().is_some());
    let rungs = setup("[Adaptive \"2 level abc\"]\n[Rungs \"0 nobody\"]\n")
        .adaptive
        .expect("the opponent is adaptive");
    assert_eq!((rungs.level, rungs.rungs.len(), rungs.named), (0, 1, false));
    let record = record("[Adaptive \"2 level abc\"]\n");
    let named = Setup::from_text(&record.replace("[Player2 \"Pip\"]", "[Player2 \"Robo\"]"), 3).unwrap();
    assert!(named.adaptive.unwrap().named, "the name stays when the opponent changes");
    let person = Setup::from_text(&record.replace("pip", "Human"), 3).unwrap();
    assert_eq!(person.computers, ByPlayer([None, None]));
}
