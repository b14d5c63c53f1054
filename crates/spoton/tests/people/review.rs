//! Reviews of rounds in random rule books, checked against brute force, including the house rule.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::operation::Kind;
use spoton::engine::play::{Ending, Move, Outcome};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::{Ply, Round};
use spoton::evaluate::summary::Summary;
use spoton::format::{Numbers, Op, Past, Reach, Rulebook};
use spoton::records::{self, Circumstances, Record, Refusals, Refused};
use spoton::solver::{Value, Verdict};
use spoton::teach::review::{Review, Tally};
use spoton::words::review::{Audience, strip};
use spoton::words::summary;

use crate::people::{any_book, books, generous, loses_at_once, shipped, solved, wins_at_once};
use crate::solver::brute::Brute;
use crate::support::{any_move, book, cases, played, played_from};

/// The truth about a move.
pub struct Truth {
    pub player: Player,
    /// The legal moves with their values, best first.
    pub moves: Vec<(Move, Verdict)>,
    pub made: Verdict,
    pub decision: bool,
    pub subtle: bool,
    pub mistake: bool,
    /// The player who could force a win after it.
    pub after: Option<Player>,
}

/// The player who can force a win, given a position's value for the player to move.
pub fn forces(value: Value, turn: Player) -> Option<Player> {
    match value {
        Value::Win => Some(turn),
        Value::Draw => None,
        Value::Loss => Some(!turn),
    }
}

/// The truth about a choice, made or not: the moves with their values, best first; whether it matters; whether the
/// difference is hidden.
fn choice_at(round: &Round) -> (Vec<(Move, Verdict)>, bool, bool) {
    let (rulebook, position) = (round.rulebook(), round.position());
    let brute = Brute::from(rulebook, &[*position], &round.drawn_next_time(), usize::MAX)
        .expect("the search has no limit");
    let moves = brute.moves(position);
    let best = moves[0].1.value;
    let decision = moves.iter().any(|(_, verdict)| verdict.value != best);
    let any_wins =
        moves.iter().any(|(a_move, _)| a_move.choice().is_some_and(|c| wins_at_once(rulebook, position, c)));
    let any_hidden = moves.iter().any(|(a_move, verdict)| {
        verdict.value != best
            && a_move.choice().is_some_and(|choice| !loses_at_once(rulebook, position, choice))
    });
    (moves, decision, decision && !any_wins && any_hidden)
}

fn truth_of(round: &Round, ply: &Ply, after: &Round) -> Truth {
    let (rulebook, position) = (round.rulebook(), round.position());
    let (moves, decision, subtle) = choice_at(round);
    let (_, made) = *moves.iter().find(|(a_move, _)| *a_move == ply.a_move).expect("the move was legal");
    let best = moves[0].1.value;
    // Recomputed from the round after the move.
    let next = *after.position();
    let after = match after.outcome() {
        Some(Outcome { ending, winner })
            if ![Ending::Resigned, Ending::Stopped, Ending::Forfeited].contains(&ending) =>
        {
            winner
        }
        _ => {
            let drawn = after.drawn_next_time();
            let brute = Brute::from(rulebook, &[next], &drawn, usize::MAX).expect("the search has no limit");
            forces(brute.verdict(&next).value, next.turn())
        }
    };
    Truth { player: position.turn(), made, decision, subtle, mistake: made.value != best, after, moves }
}

/// The truth about every move of a round.
pub fn truth(round: &Round) -> Vec<Truth> {
    let mut again = Round::new(Arc::clone(round.rulebook()), round.first());
    let mut told = Vec::new();
    for ply in round.history() {
        let before = again.clone();
        again.play(ply.a_move).expect("the move was legal");
        told.push(truth_of(&before, ply, &again));
    }
    told
}

/// The choice that a player had when they ended the round instead, by an illegal answer or by giving up on their turn.
/// Returns whether the choice matters and whether the difference is hidden.
pub fn left_unmade(round: &Round) -> Option<(Player, bool, bool)> {
    let (outcome, turn) = (round.outcome()?, round.position().turn());
    let (ended_it, instead) = match outcome.ending {
        Ending::Forfeited => (turn, true),
        Ending::Resigned => (!outcome.winner?, outcome.winner? != turn),
        _ => (turn, false),
    };
    let mut before = Round::new(Arc::clone(round.rulebook()), round.first());
    round.history().iter().for_each(|ply| before.play(ply.a_move).expect("the move was legal"));
    let (_, decision, subtle) = instead.then(|| choice_at(&before))?;
    Some((ended_it, decision, subtle))
}

/// The index of the turning point: the last mistake of the player who didn't win, or of either in a draw, unless the
/// opponent gave it back.
pub fn turning_point(round: &Round, truth: &[Truth]) -> Option<usize> {
    let winner = round.outcome().filter(|outcome| outcome.ending != Ending::Forfeited)?.winner;
    let last = truth.iter().rposition(|told| told.mistake && Some(told.player) != winner)?;
    let given_back = truth[last..].iter().any(|told| told.mistake && Some(told.player) == winner);
    // A player who got the result back can only have lost it by another mistake, unless they resigned.
    assert!(!given_back || round.outcome()?.ending == Ending::Resigned, "{}", round.rulebook().rules_line());
    (!given_back).then_some(last)
}

/// The fewest moves that bring a player's number from the start to a win, without the opponent.
pub fn shortest(rulebook: &Rulebook, start: i64) -> Option<u64> {
    type Alone = (i64, Option<usize>, Vec<u8>, u8);
    let mut seen: HashSet<Alone> = HashSet::new();
    let mut waiting: VecDeque<(Alone, u64)> = VecDeque::new();
    waiting.push_back(((start, None, vec![0; rulebook.moves().len()], 0), 0));
    while let Some(((number, last, uses, passes), moves)) = waiting.pop_front() {
        if !seen.insert((number, last, uses.clone(), passes)) {
            continue;
        }
        for (place, rule) in rulebook.moves().iter().enumerate() {
            let Op::Fixed(operation) = rule.op else { unreachable!("these books have fixed moves") };
            let amount = i128::from(operation.amount());
            let from = i128::from(number);
            let to = match operation.kind() {
                Kind::Add => from + amount,
                Kind::Subtract => from - amount,
                Kind::Multiply => from * amount,
                Kind::Divide if from % amount == 0 => from / amount,
                Kind::Divide => continue,
            };
            let spent = rule.uses.is_some_and(|limit| uses[place] >= limit.limit);
            let repeats = rulebook.no_repeat().looks_at_own() && last == Some(place);
            let listed = |list: &[i64]| list.iter().any(|known| i128::from(*known) == to);
            let reaches = rulebook.target().is_some_and(|target| i128::from(target) == to);
            let goes_past = rulebook.target().is_some_and(|target| {
                let target_is_above = rulebook.start().0 < target;
                if target_is_above { to > i128::from(target) } else { to < i128::from(target) }
            });
            let (low, high) = rulebook.range();
            let outside = !goes_past && (to < i128::from(low) || to > i128::from(high));
            let is_pass = to == from;
            let no_pass = is_pass && rulebook.passes().is_some_and(|limit| passes >= limit);
            let barred = goes_past && rulebook.past() == Past::Forbidden;
            if spent || repeats || listed(&rulebook.forbidden().integers) || outside || no_pass || barred {
                continue;
            }
            let wins = reaches && rulebook.reach() == Reach::Wins
                || goes_past && rulebook.past() == Past::Wins
                || listed(&rulebook.winning().integers);
            if wins {
                return Some(moves + 1);
            }
            if reaches || goes_past || listed(&rulebook.losing().integers) {
                continue;
            }
            let mut uses = uses.clone();
            uses[place] += u8::from(rule.uses.is_some());
            let last = rulebook.no_repeat().looks_at_own().then_some(place);
            let passes = passes + u8::from(is_pass && rulebook.passes().is_some());
            waiting.push_back(((to as i64, last, uses, passes), moves + 1));
        }
    }
    None
}

pub fn reviewed(round: &Round) -> Review {
    let solver = solved(round.rulebook());
    generous(|budget| Review::from_round(round, &solver, budget))
}

/// Checks all facts of a review, but not its words.
fn check(round: &Round) {
    let review = reviewed(round);
    let truth = truth(round);
    let rulebook = round.rulebook();
    let here = format!(
        "{:?} {}",
        round.history().iter().map(|ply| ply.number).collect::<Vec<_>>(),
        rulebook.rules_line()
    );

    let opening = rulebook.opening(round.first());
    let from_the_start =
        Brute::from(rulebook, &[opening], &HashSet::new(), usize::MAX).expect("the search has no limit");
    assert_eq!(review.opening, from_the_start.verdict(&opening), "{here}");
    assert_eq!(review.first, round.first());
    assert_eq!(review.outcome, round.outcome());
    assert_eq!(review.seat(round.first()), from_the_start.verdict(&opening).value);
    assert_eq!(forces(review.seat(Player::One), Player::One), forces(review.seat(Player::Two), Player::Two));

    let mut tally = ByPlayer([Tally::default(); 2]);
    assert_eq!(review.moves.len(), truth.len(), "{here}");
    for ((judged, told), ply) in review.moves.iter().zip(&truth).zip(round.history()) {
        assert_eq!((judged.player, judged.a_move), (told.player, ply.a_move));
        assert_eq!((judged.at, judged.owner), (ply.before.number(), ply.owner));
        assert_eq!((judged.from, judged.to), (ply.before.number_of(ply.owner), ply.number));
        assert_eq!((judged.best, judged.made), (told.moves[0].1, told.made), "{here}");
        assert_eq!((judged.decision, judged.subtle), (told.decision, told.subtle), "{here}");
        assert_eq!((judged.kept(), judged.is_mistake()), (!told.mistake, told.mistake), "{here}");
        let forced = told.moves.len() == 1;
        let lost = told.moves[0].1.value == Value::Loss;
        assert!(!(judged.is_mistake() && (forced || lost)), "{here}");
        assert_eq!(judged.who_can_win(), told.after, "{here}");
        let keep = told.moves.iter().filter(|(_, verdict)| verdict.value == told.moves[0].1.value).count();
        assert_eq!(judged.only_one, keep == 1, "{here}");
        let better =
            told.moves.iter().find(|(a_move, _)| *a_move == judged.better.a_move).expect("the move is legal");
        assert_eq!((better.1, judged.better.verdict), (told.moves[0].1, told.moves[0].1), "{here}");
        let mark = match (told.moves[0].1.value, told.made.value) {
            (Value::Win, Value::Draw) => "?!",
            (Value::Draw, Value::Loss) => "?",
            (Value::Win, Value::Loss) => "??",
            _ if told.subtle && keep == 1 => "!",
            _ => "",
        };
        assert_eq!(judged.mark(), mark, "{here}");
        if told.decision {
            let line = &mut tally[told.player];
            line.met += 1;
            line.kept += u32::from(!told.mistake);
            line.subtle_met += u32::from(told.subtle);
            line.subtle_kept += u32::from(told.subtle && !told.mistake);
        }
    }
    // Ending the round instead of choosing counts as a wrong choice.
    let unmade = left_unmade(round).filter(|(_, decision, _)| *decision);
    if let Some((player, _, subtle)) = unmade {
        tally[player].met += 1;
        tally[player].subtle_met += u32::from(subtle);
    }
    assert_eq!(review.tally, tally, "{here}");
    assert_eq!(review.has_decisions(), unmade.is_some() || truth.iter().any(|told| told.decision));
    for player in Player::BOTH {
        let Tally { met, kept, .. } = tally[player];
        assert_eq!(review.tally[player].accuracy(), (met > 0).then(|| f64::from(kept) / f64::from(met)));
    }
    assert_eq!(review.turning_point().map(|(place, _)| place), turning_point(round, &truth), "{here}");
    let could_win = truth.last().map_or(forces(review.opening.value, round.first()), |told| told.after);
    for player in Player::BOTH {
        let erred = truth.iter().any(|told| told.player == player && told.mistake);
        let gave_up = round
            .outcome()
            .is_some_and(|outcome| outcome.ending == Ending::Resigned && outcome.winner == Some(!player));
        let gave_something_up = gave_up && could_win != Some(!player);
        let chose_nothing = unmade.is_some_and(|(who, ..)| who == player);
        let blameless = !erred && !gave_something_up && !chose_nothing;
        assert_eq!(review.is_blameless(player), blameless, "{player:?} {here}");
    }

    // An independent version of the rules, for version 1 books only.
    if let Some(par) = review.par.filter(|_| !rulebook.has_richer_numbers()) {
        let (starter, other) = rulebook.start();
        for player in Player::BOTH {
            let start = if player == round.first() { starter } else { other };
            let own = round.history().iter().filter(|ply| ply.player() == player && ply.a_move != Move::Skip);
            assert_eq!(
                par[player],
                (own.count() as u32, shortest(rulebook, start).expect("the target is reachable")),
                "{here}"
            );
        }
    }
    check_strip(&review, round, &truth);
}

/// The strip shows the same, in rows that fit on a screen.
fn check_strip(review: &Review, round: &Round, truth: &[Truth]) {
    let page = strip(review, round);
    let separate = round.rulebook().numbers() == Numbers::Separate;
    // The player who moved, if the strip shows it; the move, the number, and who can force a win.
    let mut rows = [const { Vec::new() }; 4];
    let mut row = usize::from(!separate);
    let mut carets = Vec::new();
    let mut above = "";
    for line in page.lines() {
        assert!(line.len() <= 78, "{line}");
        if line.trim() == "^" {
            // Directly under the mark of a move.
            let until_there = rows[3].len() - above.split_whitespace().count();
            carets.push(until_there + above[..line.len()].split_whitespace().count() - 2);
            assert!(above.len() == line.len() || above[line.len()..].starts_with(' '), "{page}");
            continue;
        }
        rows[row].extend(line.split_whitespace().map(str::to_owned));
        row = if row == 3 { usize::from(!separate) } else { row + 1 };
        above = line;
    }
    let turned: Vec<usize> = turning_point(round, truth).into_iter().collect();
    assert_eq!(carets, turned, "{page}");
    let [whose, operations, numbers, marks] = rows;
    if separate {
        let movers = round.history().iter().map(|ply| ply.player().number().to_string());
        assert_eq!(whose, std::iter::once("by".to_owned()).chain(movers).collect::<Vec<_>>());
    }
    let mark = |who: Option<Player>| who.map_or("=".to_owned(), |player| player.number().to_string());
    let opening = forces(review.opening.value, round.first());
    let true_marks: Vec<String> =
        std::iter::once(opening).chain(truth.iter().map(|told| told.after)).map(mark).collect();
    assert_eq!(marks, true_marks);
    let true_numbers: Vec<String> = round.history().iter().map(|ply| ply.number.to_string()).collect();
    assert_eq!(numbers[1..], true_numbers);
    assert_eq!((operations.len(), operations[0].as_str()), (marks.len(), "start"), "\n{page}");
}

/// Plays some moves, then perhaps resigns or stops the round.
pub fn some_round(rulebook: &Arc<Rulebook>, first: Player, picks: &[u8], end: u8) -> Round {
    let mut round = Round::new(Arc::clone(rulebook), first);
    for pick in picks {
        let Some(a_move) = any_move(&round, usize::from(*pick)) else { break };
        round.play(a_move).expect("the move is legal");
    }
    match end {
        1 => round.resign(Player::One),
        2 => round.resign(Player::Two),
        3 => round.stop(),
        4 => round.forfeit(),
        _ => {}
    }
    round
}

/// A random rule book with separate races.
pub fn races() -> impl Strategy<Value = String> {
    let moves = prop::sample::select(vec![
        "'+1', 'x2'",
        "'+1', '+3', 'x2'",
        "'+1', { op = 'x2', uses = 1 }",
        "'+1', { op = 'x3', uses = 2 }, '-1'",
        "'+1..3', '/2'",
    ]);
    let words = (
        prop::sample::select(vec!["none", "own"]),
        prop::sample::select(vec!["loses", "forbidden", "wins"]),
        prop::sample::select(vec!["loses", "skips"]),
    );
    (1..4i64, 1..4i64, 5..14i64, moves, words).prop_map(|(a, b, target, moves, (no_repeat, past, stuck))| {
        format!(
            "title = 'Race'\nnumbers = 'separate'\nstart = [{a}, {b}]\ntarget = {target}\nmoves = [{moves}]\n\
             no_repeat = '{no_repeat}'\npast = '{past}'\nstuck = '{stuck}'\n"
        )
    })
}

pub fn any_game() -> impl Strategy<Value = String> {
    prop_oneof![4 => any_book(), 1 => races()]
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_judgement_is_true(
        text in any_game(),
        first in prop::sample::select(&Player::BOTH),
        picks in vec(any::<u8>(), 0..20),
        end in 0..8u8,
    ) {
        let rulebook = book(&text);
        if Brute::new(&rulebook, 250).is_some() {
            check(&some_round(&rulebook, first, &picks, end));
        }
    }

    #[test]
    fn every_judgement_is_true_in_circles(text in books::circles(), picks in vec(any::<u8>(), 0..20)) {
        prop_assume!(crate::support::read(&text).build().is_ok());
        check(&some_round(&book(&text), Player::One, &picks, 0));
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn every_judgement_is_true_of_what_ships(
        name in prop::sample::select(crate::people::everything()),
        picks in vec(any::<u8>(), 0..40),
        end in 0..8u8,
    ) {
        let rulebook = shipped(&name);
        if Brute::new(&rulebook, 500).is_some() {
            check(&some_round(&rulebook, Player::One, &picks, end));
        }
    }
}

/// To 20, 3 is a number to leave: Player 2 doesn't, Player 1 doesn't take advantage, and so on.
#[test]
fn a_round_that_turned_three_times() {
    let round = played(&shipped("number-maze"), "+1 x2 x2 +1 x2 +1");
    check(&round);
    let review = reviewed(&round);
    assert_eq!((review.seat(Player::One), review.seat(Player::Two)), (Value::Loss, Value::Win));
    let marks: Vec<&str> = review.moves.iter().map(|judged| judged.mark()).collect();
    let who: Vec<u8> =
        review.moves.iter().filter_map(|judged| Some(judged.who_can_win()?.number())).collect();
    assert_eq!((marks, who), (vec!["", "??", "??", "??", "!", ""], vec![2, 1, 2, 1, 1, 1]));
}

#[test]
fn a_win_given_back_has_no_turning_point() {
    let mut round = played(&shipped("number-maze"), "+1 x2 x2");
    let mistakes: Vec<bool> = truth(&round).iter().map(|told| told.mistake).collect();
    assert_eq!(mistakes, [false, true, true]);
    // Player 2 could win again but gives up.
    round.resign(Player::Two);
    check(&round);
    let review = reviewed(&round);
    assert!(review.turning_point().is_none());
    // Discovery mode reports the resignation, but not what was possible.
    let names = crate::people::words::names();
    let audience = Audience { names: &names, you: None, discover: true };
    let said = spoton::words::review::in_words(&review, &round, &audience);
    let gave_up = format!("{} gave up.", names[Player::Two]);
    assert_eq!(said, [gave_up.as_str(), "Discovery mode is on: no hints or answers."]);
}

#[test]
fn only_races_show_the_fewest_moves() {
    let race = shipped("sequence-math-duel");
    let review = reviewed(&played_from(&race, Player::Two, "x2 +1 x2 +1 +1 +1 x2 +1 x2"));
    assert_eq!(review.par, Some(ByPlayer([(4, 5), (5, 5)])));
    assert_eq!(reviewed(&played(&shipped("number-maze"), "+1")).par, None);
    assert_eq!(reviewed(&played(&shipped("sequence-math-duel/no-copying"), "+1")).par, None);
}

fn recorded(round: &Round) -> Record {
    let about = Circumstances {
        rulebook: "number-maze".to_owned(),
        own_file: false,
        variant: None,
        settings: vec![],
        players: crate::people::words::names(),
        computers: ByPlayer([None, None]),
        in_match: None,
    };
    Record::from_round(round, &about)
}

/// A player who gives up is blamed for missing a better result; the winner isn't.
#[test]
fn giving_up_is_the_fault_of_the_player_who_does_it() {
    for (moves, who, blameless) in [
        // At 1, Player 2 can force a win: Player 1 gives up nothing, Player 2 everything.
        ("", Player::One, [true, true]),
        ("", Player::Two, [true, false]),
        // Player 2 gave the win away with x2, and Player 1 gave it back.
        ("+1 x2", Player::Two, [true, false]),
        ("+1 x2", Player::One, [false, false]),
        ("+1 x2 x2", Player::One, [false, false]),
    ] {
        let mut round = played(&shipped("number-maze"), moves);
        round.resign(who);
        check(&round);
        let review = reviewed(&round);
        assert_eq!(Player::BOTH.map(|player| review.is_blameless(player)), blameless, "{moves} {who:?}");
    }
}

#[test]
fn a_record_is_marked_once_however_often_it_is_looked_back_on() {
    let round = played(&shipped("number-maze"), "+1 x2 x2 +1 x2 +1");
    let review = reviewed(&round);
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut record = recorded(&round);
    record.other_tags = vec![tag("Accuracy1", "0.999"), tag("Place", "The kitchen table")];
    let marked = review.annotate(&record);
    let marks: Vec<&str> = marked.moves.iter().map(|recorded| recorded.mark.as_str()).collect();
    assert_eq!(marks, ["", "??", "??", "??", "!", ""]);
    assert_eq!(
        marked.other_tags,
        [tag("Place", "The kitchen table"), tag("Accuracy1", "0.500"), tag("Accuracy2", "0.000")]
    );
    assert_eq!(review.annotate(&marked), marked);
}

/// A summary adds up the counts of each round.
#[test]
fn a_summary_adds_up_the_choices_of_all_rounds() {
    let rounds = ["+1 x2 x2 +1 x2 +1", "+1 x2 x2 x2 +1 +1 +1 +1"]
        .map(|moves| played(&shipped("number-maze"), moves))
        .map(|round| (recorded(&round), round.clone(), reviewed(&round)));
    let [one, two] = [&rounds[0].2, &rounds[1].2];
    let summary = Summary::from_rounds(rounds.iter().map(|(record, round, review)| (record, round, review)));
    let lines: Vec<_> = summary.lines().collect();
    assert_eq!(lines.len(), 2);
    for ((seat, line), player) in lines.into_iter().zip(Player::BOTH) {
        let (a, b) = (one.tally[player], two.tally[player]);
        assert!(a.subtle_kept + b.subtle_kept > 0 && a.met > 0 && b.met > 0, "something to add up");
        assert_eq!((seat.player.as_str(), line.rounds), (crate::people::words::names()[player].as_str(), 2));
        let sum = Tally {
            met: a.met + b.met,
            kept: a.kept + b.kept,
            subtle_met: a.subtle_met + b.subtle_met,
            subtle_kept: a.subtle_kept + b.subtle_kept,
        };
        assert_eq!(line.tally, sum, "{seat:?}");
    }
}

/// Refusing to answer, or giving up, at a choice that matters doesn't improve the share of right choices.
#[test]
fn a_rejected_choice_is_not_saved() {
    let counts = |moves: &str, end: fn(&mut Round)| {
        let mut round = played(&shipped("number-maze"), moves);
        end(&mut round);
        check(&round);
        let Tally { met, kept, subtle_met, subtle_kept } = reviewed(&round).tally[Player::One];
        (met, kept, subtle_met, subtle_kept)
    };
    let nothing: fn(&mut Round) = |_| ();
    // At 4, Player 1 must leave 5, which isn't obvious.
    assert_eq!(counts("+1 x2", nothing), (0, 0, 0, 0));
    assert_eq!(counts("+1 x2", Round::forfeit), (1, 0, 1, 0));
    assert_eq!(counts("+1 x2", |round| round.resign(Player::One)), (1, 0, 1, 0));
    // Giving up on the opponent's turn doesn't skip a choice.
    assert_eq!(counts("+1 x2", |round| round.resign(Player::Two)), (0, 0, 0, 0));
    // At 1 every move loses, so nothing counts.
    assert_eq!(counts("", Round::forfeit), (0, 0, 0, 0));
}

/// A forfeited round isn't a win, a draw or a loss. It counts separately, and only against the player who forfeited it.
#[test]
fn a_forfeited_round_counts_apart() {
    let mut round = played(&shipped("number-maze"), "+1 x2");
    round.forfeit();
    let mut record = recorded(&round);
    record.other_tags =
        vec![("Late1".to_owned(), "3".to_owned()), ("Unreadable1".to_owned(), "1".to_owned())];
    let again = records::read_all(&record.to_json().to_string()).unwrap().remove(0);
    assert_eq!((&again, again.to_string().contains(" *\n")), (&record, true));
    assert_eq!(again.replay().unwrap().outcome(), round.outcome());
    let review = reviewed(&round);
    assert!(review.turning_point().is_none());
    let summary = Summary::from_rounds([(&record, &round, &review)]);
    let lines: Vec<_> = summary.lines().map(|(_, line)| *line).collect();
    for line in &lines {
        assert_eq!((line.rounds, line.won + line.drawn + line.lost, line.at_best), (1, 0, 0));
    }
    assert_eq!((lines[0].forfeited, lines[0].unfinished, lines[0].judged), (1, 0, 1));
    assert_eq!((lines[1].forfeited, lines[1].unfinished, lines[1].judged), (0, 1, 0));
    assert_eq!((lines[0].refusals[Refused::Late], lines[0].refusals[Refused::Unreadable]), (3, 1));
    assert_eq!(lines[1].refusals, Refusals::default());
    let page = summary::page(&summary);
    assert!(page.contains("Late: 3") && page.contains("Forfeited: 1"), "{page}");
}
