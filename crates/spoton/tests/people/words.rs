//! The wording of a review: every number and every claim in it is true.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Ending, Move, Step};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::engine::written::On;
use spoton::solver::Value;
use spoton::teach::review::{Point, points};
use spoton::words::review::{Audience, happened, in_words, of_move};

use crate::people::review::{
    Truth, any_game, left_unmade, reviewed, shortest, some_round, truth, turning_point,
};
use crate::people::{loses_at_once, wins_at_once};
use crate::solver::brute::Brute;
use crate::support::{book, cases};

pub fn names() -> ByPlayer<String> {
    ByPlayer(["Ann".to_owned(), "Bo".to_owned()])
}

pub fn said(round: &Round, you: Option<Player>, discover: bool) -> Vec<String> {
    in_words(&reviewed(round), round, &Audience { names: &names(), you, discover })
}

/// The text between two parts of a sentence.
fn between<'a>(sentence: &'a str, before: &str, after: &str) -> Option<&'a str> {
    sentence.strip_prefix(before)?.strip_suffix(after)
}

/// A round, the truth about it, and the reader of its review.
struct Checked<'a> {
    round: &'a Round,
    truth: &'a [Truth],
    you: Option<Player>,
}

impl Checked<'_> {
    /// A player's name within a sentence.
    fn name(&self, player: Player) -> String {
        if self.you == Some(player) { "you".to_owned() } else { names()[player].clone() }
    }

    fn capital(&self, player: Player) -> String {
        if self.you == Some(player) { "You".to_owned() } else { names()[player].clone() }
    }

    fn count(&self, player: Player) -> (usize, usize) {
        let met = self.truth.iter().filter(|told| told.player == player && told.decision);
        // If a player ended the round instead of choosing, the choice wasn't right.
        let unmade = left_unmade(self.round).is_some_and(|(who, decision, _)| who == player && decision);
        (met.clone().count() + usize::from(unmade), met.filter(|told| !told.mistake).count())
    }

    /// The expected sentence on the choices that mattered, if any.
    fn tally(&self, player: Player) -> Option<String> {
        let (met, kept) = self.count(player);
        let count = ["None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
        let count = |number: usize| count.get(number).map_or(number.to_string(), |word| (*word).to_owned());
        let how = |who: &str| match (met, kept) {
            (1, 0) => "There was a better move.".to_owned(),
            (1, 1) => format!("{who} got it right."),
            (2, 0) => "Both times there was a better move.".to_owned(),
            (2, 2) => format!("{who} got both right."),
            (_, 0) => "Each time there was a better move.".to_owned(),
            _ if met == kept => format!("{who} got all of them right."),
            _ => format!("{who} got {} right.", count(kept).to_lowercase()),
        };
        let tally =
            |whose: &str, who: &str| format!("{} of {whose} choices mattered. {}", count(met), how(who));
        let name = &names()[player];
        let named = Some(tally(&format!("{name}'s"), name)).filter(|_| met > 0);
        match self.you {
            None => named,
            Some(you) if you == player && met > 0 => Some(tally("your", "You")),
            // If none of the player's turns made a difference, the review mentions it. Without any turns, it doesn't.
            Some(you) if you == player && self.truth.iter().any(|told| told.player == you) => {
                Some("None of your choices changed who could force a win.".to_owned())
            }
            Some(you) if you == player => None,
            // The opponent's choices appear only if there's nothing to say about your own.
            Some(you) => named.filter(|_| self.count(you).0 == 0),
        }
    }

    /// The expected sentence if nothing mattered, with the reason.
    fn nothing_mattered(&self) -> String {
        if self.truth.is_empty() {
            return "No moves were made, so there's nothing to review.".to_owned();
        }
        let rulebook = self.round.rulebook();
        let opening = rulebook.opening(self.round.first());
        let brute = Brute::new(rulebook, usize::MAX).expect("the search has no limit");
        let first = self.round.first();
        let why = match crate::people::review::forces(brute.verdict(&opening).value, first) {
            None => "Neither player ever could.".to_owned(),
            Some(winner) => format!("{} could force a win from the start.", self.capital(winner)),
        };
        // The player who could win at the start could still win after every move.
        let before = crate::people::review::forces(brute.verdict(&opening).value, first);
        assert!(self.truth.iter().all(|told| told.after == before));
        format!("No choice in this round changed who could force a win. {why}")
    }

    /// The better move and its proof.
    fn check_better(&self, place: usize, sentence: &str) {
        let told = &self.truth[place];
        let proof = sentence.strip_prefix("Better: ").unwrap_or_else(|| panic!("{sentence}"));
        let who = self.name(told.player);
        let wins = format!(": {who} can force a win.");
        let mut again = Round::new(Arc::clone(self.round.rulebook()), self.round.first());
        for ply in &self.round.history()[..place] {
            again.play(ply.a_move).expect("the move was legal");
        }
        let (rulebook, position) = (again.rulebook(), *again.position());
        let operation = proof.split(' ').next().expect("a word");
        let choice = crate::support::choice(rulebook, operation);
        let number = rulebook.result(&position, choice).expect("the move is legal");
        let (_, worth) = told
            .moves
            .iter()
            .find(|(known, _)| *known == Move::Operation(choice))
            .expect("the move is legal");
        // It's better than the move made, and the best there was.
        assert!(worth.value > told.made.value && worth.value == told.moves[0].1.value, "{sentence}");
        let moved = |verb: &str| format!("{operation} {verb} {number}");
        let owner = rulebook.owner(&position, Move::Operation(choice));
        let strikes = owner != told.player;
        let whose = match self.name(!told.player).as_str() {
            "you" => "your".to_owned(),
            name => format!("{name}'s"),
        };
        let strike = moved(&format!("makes {whose} number"));
        assert_eq!(proof.starts_with(&strike), strikes, "{sentence}");
        let goes = [moved("leaves"), moved("goes to"), strike]
            .into_iter()
            .find(|start| proof.starts_with(start.as_str()));
        let rest = &proof[goes.unwrap_or_else(|| panic!("{sentence}")).len()..];
        let repeats = match rulebook.play(&position, Move::Operation(choice)) {
            Ok(Step::On(next)) => again.drawn_next_time().contains(&next),
            _ => false,
        };
        // If closeness decides, the sentence says how.
        let ending = crate::people::over_after(rulebook, &position, choice).map(|outcome| outcome.ending);
        let by_closeness = matches!(ending, Some(Ending::Closest | Ending::Turns));
        let target = rulebook.target().unwrap_or_default();
        let them = match self.name(!told.player).as_str() {
            "you" => "you are".to_owned(),
            name => format!("{name} is"),
        };
        let (closer, as_close) = match strikes {
            false => (format!(", closer to {target}."), format!(", just as close to {target}.")),
            true => {
                (format!(": {them} further from {target}."), format!(": both are equally close to {target}."))
            }
        };
        let rest = match rest {
            _ if by_closeness && rest == format!(" and wins{closer}") => " and wins.",
            _ if by_closeness && rest == format!(" and draws{as_close}") => " and draws.",
            _ => {
                assert!(!by_closeness, "{sentence}");
                rest
            }
        };
        match rest {
            " and wins." => assert!(wins_at_once(rulebook, &position, choice)),
            " and draws." => {
                let outcome =
                    crate::people::over_after(rulebook, &position, choice).expect("the move ends the round");
                assert_eq!(outcome.winner, None);
            }
            rest if rest == wins => assert_eq!(worth.value, Value::Win),
            ": neither player can force a win." => {
                assert_eq!((worth.value, repeats), (Value::Draw, false))
            }
            _ => {
                let times =
                    between(rest, ": the same position for the ", " time, so it's a draw (house rule).");
                let times = times.unwrap_or_else(|| panic!("{sentence}"));
                let ordinals = ["second", "third", "fourth", "fifth", "6th", "7th", "8th", "9th", "10th"];
                let most = usize::from(rulebook.repetition().expect("a house rule"));
                assert!(repeats && times == ordinals[most - 2]);
            }
        }
        assert!(!loses_at_once(rulebook, &position, choice), "{sentence}");
    }

    /// The player who could force a win when the round stopped.
    fn could_win_at_the_end(&self) -> Option<Player> {
        let (rulebook, first) = (self.round.rulebook(), self.round.first());
        let brute = Brute::new(rulebook, usize::MAX).expect("the search has no limit");
        let opening = || crate::people::review::forces(brute.verdict(&rulebook.opening(first)).value, first);
        self.truth.last().map_or_else(opening, |told| told.after)
    }

    /// The expected sentence after a resignation.
    fn gave_up(&self) -> Option<String> {
        let outcome = self.round.outcome().filter(|outcome| outcome.ending == Ending::Resigned)?;
        let loser = !outcome.winner.expect("the opponent wins");
        let (who, number) = (self.capital(loser), self.round.number_of(loser));
        let could = match self.could_win_at_the_end() {
            None => ", when neither player could force a win".to_owned(),
            Some(winner) if winner == loser => ", but could still force a win".to_owned(),
            Some(_) => String::new(),
        };
        // No consolation for a player who had something to lose and lost it.
        let erred = self.truth.iter().any(|told| told.player == loser && told.mistake);
        assert_eq!(reviewed(self.round).is_blameless(loser), !erred && could.is_empty());
        Some(format!("{who} gave up at {number}{could}."))
    }

    /// The expected sentence after a forfeit.
    fn forfeited(&self) -> Option<String> {
        self.round.outcome().filter(|outcome| outcome.ending == Ending::Forfeited)?;
        let player = self.round.position().turn();
        let (who, number) = (self.capital(player), self.round.number_of(player));
        let could = match self.could_win_at_the_end() {
            None => ", when neither player could force a win".to_owned(),
            Some(winner) if winner == player => ", but could still force a win".to_owned(),
            Some(_) => String::new(),
        };
        Some(format!("{who} made no legal move at {number}{could}."))
    }

    /// The player who reached the target with their own number, in a race.
    fn arrived(&self) -> Option<Player> {
        let outcome = self.round.outcome()?;
        let landed = matches!(outcome.ending, Ending::Reached | Ending::Overshot | Ending::Landed);
        let last = self.round.history().last()?.player();
        outcome.winner.filter(|winner| landed && *winner == last)
    }

    /// Every sentence in order, and no others.
    fn check(&self) {
        let sentences = said(self.round, self.you, false);
        let mut sentences = sentences.iter();
        let mut next = |expected: &str| {
            let sentence = sentences.next().unwrap_or_else(|| panic!("missing: {expected}")).clone();
            assert!(expected.is_empty() || sentence == expected, "{sentence}\nis not\n{expected}");
            sentence
        };
        if Player::BOTH.iter().all(|player| self.count(*player).0 == 0) {
            next(&self.nothing_mattered());
        } else {
            for player in Player::BOTH {
                if let Some(tally) = self.tally(player) {
                    next(&tally);
                }
            }
        }
        let chose = |place: usize| {
            let ply = &self.round.history()[place];
            let choice = ply.a_move.choice().expect("a skipped turn is never a mistake");
            let operation = self.round.rulebook().written(choice).expect("one of the moves");
            let who = self.name(self.truth[place].player);
            format!("at {}, {who} chose {operation}.", ply.before.number())
        };
        let turned = turning_point(self.round, self.truth);
        let own = self.truth.iter().rposition(|told| told.mistake && Some(told.player) == self.you);
        if let Some(place) = turned {
            next(&format!("Turning point: {}", chose(place)));
        }
        if let Some(place) = own.filter(|_| own != turned) {
            next(&format!("Your mistake: {}", chose(place)));
        }
        if let Some(place) = own.or(turned) {
            let better = next("");
            self.check_better(place, &better);
        }
        if let Some(gave_up) = self.gave_up().or_else(|| self.forfeited()) {
            next(&gave_up);
        }
        if let (Some(_), Some(winner)) = (reviewed(self.round).par, self.arrived()) {
            let (starter, other) = self.round.rulebook().start();
            let start = if winner == self.round.first() { starter } else { other };
            let fewest = shortest(self.round.rulebook(), start).expect("the target is reachable");
            let made =
                self.round.history().iter().filter(|ply| ply.player() == winner && ply.a_move != Move::Skip);
            let made = made.count();
            let moves = if made == 1 { "1 move".to_owned() } else { format!("{made} moves") };
            assert!(fewest as usize <= made);
            next(&format!("{} took {moves}; the fewest is {fewest}.", self.capital(winner)));
        }
        assert_eq!(sentences.next(), None);
    }

    /// The comments on each move: every sentence in order, and no others.
    fn check_moves(&self) {
        let review = reviewed(self.round);
        let names = names();
        let audience = |discover| Audience { names: &names, you: self.you, discover };
        let last = self.truth.len();
        for (place, told) in self.truth.iter().enumerate() {
            let ply = &self.round.history()[place];
            let (from, who) = (ply.before.number(), self.name(told.player));
            let happens = match ply.a_move {
                Move::Operation(choice) => {
                    let number =
                        self.round.rulebook().result(&ply.before, choice).expect("the move was legal");
                    let operation = self.round.rulebook().written(choice).expect("one of the moves");
                    if operation.on == On::Other {
                        let (other, before) = (self.name(!told.player), ply.before.number_of(!told.player));
                        format!("At {from}, {who} chose {operation}: {other} went from {before} to {number}.")
                    } else {
                        format!("At {from}, {who} chose {operation}: {number}.")
                    }
                }
                Move::Skip => {
                    assert_eq!(self.round.rulebook().legal(&ply.before).len(), 0);
                    format!("At {from}, {who} couldn't move, so the turn was skipped.")
                }
            };
            assert_eq!(happened(self.round, place, &audience(false)), Some(happens.clone()));
            // Discovery mode adds nothing else.
            assert_eq!(of_move(&review, place, self.round, &audience(true)), std::slice::from_ref(&happens));

            let said = of_move(&review, place, self.round, &audience(false));
            let mut said = said.iter();
            assert_eq!(said.next(), Some(&happens));
            let best = told.moves[0].1.value;
            let kept = match best {
                Value::Win => "win",
                Value::Draw => "draw",
                Value::Loss => "",
            };
            let keep = told.moves.iter().filter(|(_, verdict)| verdict.value == best).count();
            if told.mistake {
                assert!(told.moves.len() > 1 && best != Value::Loss && told.made.value < best);
                assert_eq!(said.next(), Some(&format!("That gave away the {kept}.")));
            } else if keep == 1 && told.moves.len() > 1 {
                assert_eq!(said.next(), Some(&format!("It was the only move that kept the {kept}.")));
            }
            let before = crate::people::review::forces(best, told.player);
            let by_rules = self.round.outcome().filter(|outcome| {
                !matches!(outcome.ending, Ending::Resigned | Ending::Stopped | Ending::Forfeited)
            });
            let then = match (by_rules.filter(|_| place + 1 == last), told.after) {
                (Some(outcome), _) => match outcome.winner {
                    Some(winner) => format!("That's how {} won.", self.name(winner)),
                    None => "That made it a draw.".to_owned(),
                },
                (None, Some(player)) if before == Some(player) => {
                    format!("{} could still force a win.", self.capital(player))
                }
                (None, Some(player)) => format!("After that, {} could force a win.", self.name(player)),
                (None, None) if before.is_none() => "As before, neither player could force a win.".to_owned(),
                (None, None) => "After that, neither player could force a win.".to_owned(),
            };
            assert_eq!(said.next(), Some(&then));
            if told.mistake {
                self.check_better(place, said.next().expect("the sentence about the better move"));
            }
            assert_eq!(said.next(), None);
        }
        assert!(of_move(&review, last, self.round, &audience(false)).is_empty());
        assert_eq!(happened(self.round, last, &audience(false)), None);
    }

    /// The points of the round, for its picture.
    fn check_points(&self) {
        let told = points(self.round, Some(&reviewed(self.round)));
        let mark =
            |who: Option<Player>| who.map_or('=', |player| if player == Player::One { '1' } else { '2' });
        let (rulebook, first) = (self.round.rulebook(), self.round.first());
        let opening = rulebook.opening(first);
        let brute = Brute::new(rulebook, usize::MAX).expect("the search has no limit");
        let opening = crate::people::review::forces(brute.verdict(&opening).value, first);
        let marks = std::iter::once(opening).chain(self.truth.iter().map(|told| told.after)).map(mark);
        assert_eq!(
            told.iter().map(|point| point.mark.expect("the winner is known")).collect::<Vec<_>>(),
            marks.collect::<Vec<_>>()
        );
        let turned = told.iter().position(|point| point.turned);
        assert_eq!(turned, turning_point(self.round, self.truth));
        for (point, ply) in told.iter().zip(self.round.history()) {
            assert_eq!((point.player, point.number), (ply.player(), ply.before.number().into()));
            let operation = ply
                .a_move
                .choice()
                .map(|choice| rulebook.written(choice).expect("one of the moves").to_string());
            assert_eq!(point.chosen, Some(operation.unwrap_or("skip".to_owned())));
        }
        let end = told.last().expect("the list of points isn't empty");
        assert_eq!((end.number, &end.chosen), (self.round.number_of(end.player), &None));
        assert_eq!(self.round.history().last().map_or(first, |ply| ply.owner), end.player);
        // Without a review, the points are the same but have no results.
        let bare = points(self.round, None);
        assert!(bare.iter().all(|point| point.mark.is_none() && !point.turned));
        let same = |(bare, told): (&Point, &Point)| {
            (bare.player, bare.number, &bare.chosen) == (told.player, told.number, &told.chosen)
        };
        assert!(bare.len() == told.len() && bare.iter().zip(&told).all(same));
    }

    /// Discovery mode only reports a resignation.
    fn check_discovery(&self) {
        let sentences = said(self.round, self.you, true);
        let (last, before) = sentences.split_last().expect("a sentence");
        assert_eq!(last, "Discovery mode is on: no hints or answers.");
        let gave_up = self.round.outcome().is_some_and(|outcome| outcome.ending == Ending::Resigned);
        assert_eq!(before.len(), usize::from(gave_up), "{before:?}");
        assert!(before.iter().all(|sentence| sentence.ends_with(" gave up.")), "{before:?}");
    }
}

pub fn check(round: &Round) {
    let truth = truth(round);
    for you in [None, Some(Player::One), Some(Player::Two)] {
        let checked = Checked { round, truth: &truth, you };
        checked.check();
        checked.check_discovery();
        checked.check_moves();
    }
    Checked { round, truth: &truth, you: None }.check_points();
}

proptest! {
    #![proptest_config(cases(350))]

    #[test]
    fn every_sentence_is_true(
        text in any_game(),
        first in prop::sample::select(&Player::BOTH),
        picks in vec(any::<u8>(), 0..20),
        end in 0..8u8,
    ) {
        let rulebook = book(&text);
        if Brute::new(&rulebook, 150).is_some() {
            check(&some_round(&rulebook, first, &picks, end));
        }
    }
}
