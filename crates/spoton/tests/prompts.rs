//! Prompts for language models and parsing of their answers: the same game in every wording.

use crate::random_books;
use crate::support;

use std::collections::HashSet;
use std::sync::Arc;

use spoton::design::invent::{Bounds, Inventor};
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{Choice, Player};
use spoton::engine::round::Round;
use spoton::engine::written::On;
use spoton::format::{BookText, Changes, Draft, Game, Op, Rulebook, catalog};
use spoton::json;
use spoton::records::Refused;
use spoton::solver::Budget;
use spoton::words::describe;
use spoton::words::prompt::Telling;
use spoton::words::rules;

use random_books::{Dice, random_book};

/// Shipped games with their variants, invented games and random ones.
fn books() -> Vec<(String, Arc<Rulebook>)> {
    let mut books = Vec::new();
    for id in catalog::ids() {
        let draft = catalog::draft(id).unwrap();
        let names: Vec<String> = draft.variants().map(str::to_owned).collect();
        let varied = names.iter().map(|name| (format!("{id} {name}"), draft.clone().variant(name).unwrap()));
        for (name, draft) in varied.chain([(id.to_owned(), draft.clone())]) {
            books.push((name, Arc::new(draft.build().unwrap())));
        }
    }
    let mut inventor = Inventor::new(15, Bounds::of_level(1).unwrap());
    for number in 0..10 {
        let invented = inventor.next(&mut Budget::patient(64 << 20)).unwrap().unwrap();
        books.push((format!("invented {number}"), invented.rulebook));
    }
    for number in 0..600 {
        let book = random_book(number);
        if let Ok(rulebook) = Draft::read("random.toml", &book.text).build() {
            books.push((book.text, Arc::new(rulebook)));
        }
    }
    books
}

/// A round's state at every turn with a choice.
fn turns(rulebook: &Arc<Rulebook>, dice: &mut Dice) -> Vec<Round> {
    let mut turns = Vec::new();
    for first in Player::BOTH {
        let mut round = Round::new(Arc::clone(rulebook), first);
        for _ in 0..12 {
            let moves: Vec<Move> = round.situation().moves().collect();
            if moves.is_empty() {
                break;
            }
            if let Situation::Choose(_) = round.situation() {
                turns.push(round.clone());
            }
            round.play(moves[dice.below(moves.len())]).unwrap();
        }
    }
    turns
}

/// Every written move of the book in a round, legal or not.
fn at_hand(round: &Round) -> Vec<Choice> {
    let rulebook = round.rulebook();
    rulebook.offers(round.position()).filter_map(|offer| offer.choice).collect()
}

/// Moves map one to one: a disguised answer parses back to the true move, and an illegal one stays illegal.
#[test]
fn a_disguise_is_the_same_game_by_other_names() {
    let (mut told, mut refused, mut on_other, mut computed) = (0, 0, 0, 0);
    let mut titles = HashSet::new();
    for (place, (name, book)) in books().into_iter().enumerate() {
        let mut dice = Dice::new(place as u64);
        let plain = Telling::new(&book, true, None).unwrap();
        let Ok(telling) = Telling::new(&book, true, Some(place as u64)) else {
            refused += 1;
            continue;
        };
        told += 1;
        titles.insert(telling.disguise().unwrap().title());
        on_other += usize::from(book.moves().iter().any(|entry| entry.on == On::Other));
        computed += usize::from(book.moves().iter().any(|entry| matches!(entry.op, Op::Computed(_))));
        for round in turns(&book, &mut dice) {
            let at = || format!("{name}\n{}", book.position_text(round.position()));
            let at_hand = at_hand(&round);
            let names: HashSet<String> = at_hand.iter().map(|choice| telling.write(&book, *choice)).collect();
            assert_eq!(names.len(), at_hand.len(), "{}", at());
            let legal: Vec<Choice> = book.legal(round.position()).iter().collect();
            for choice in at_hand {
                let said = telling.write(&book, choice);
                let [disguised, bare] = [format!("Hm.\nMove: {said}."), said.to_uppercase()];
                let true_name = book.write(Move::Operation(choice));
                assert_eq!(telling.read(&disguised, &round), telling.read(&bare, &round), "{}", at());
                // The same move has the same result: it parses to that move, or is refused for the same reason.
                assert_eq!(telling.read(&disguised, &round), plain.read(&true_name, &round), "{}", at());
                match legal.contains(&choice) {
                    true => assert_eq!(telling.read(&disguised, &round), Ok(choice), "{}", at()),
                    false => {
                        let why = telling.read(&disguised, &round).unwrap_err().why;
                        assert_eq!(why, Refused::Illegal, "{}", at());
                    }
                }
                // The reader rejects true names: it doesn't guess.
                let why = telling.read(&format!("move: {true_name}"), &round).unwrap_err().why;
                assert_eq!(why, Refused::Unreadable, "{}", at());
            }
        }
    }
    assert!(
        told > 300 && refused > 20 && on_other > 3 && computed > 20,
        "{told} {refused} {on_other} {computed}"
    );
    assert_eq!(titles.len(), 6, "{titles:?}");
}

/// Only games that go below 0 have no wording.
#[test]
fn a_disguise_is_refused_where_it_has_no_words() {
    let below =
        Draft::read("b.toml", "title = 'B'\nstart = 3\ntarget = -5\nmoves = ['-1', '-2']").build().unwrap();
    let why = Telling::new(&below, true, Some(1)).unwrap_err().to_string();
    assert_eq!(why, "disguises have no words for numbers below 0. Play this game without one");
    assert!(Telling::new(&below, true, None).is_ok());
    for id in catalog::ids() {
        let book = catalog::draft(id).unwrap().build().unwrap();
        let is_below = book.range().0 < 0 && book.target() != Some(0);
        assert_eq!(Telling::new(&book, true, Some(1)).is_err(), is_below, "{id}");
    }
}

/// A disguised prompt contains every disguised name and nothing of the true game: no written move, no label, no
/// title.
#[test]
fn a_disguised_prompt_has_the_same_facts_as_a_plain_one() {
    for (place, (name, book)) in books().into_iter().enumerate() {
        let mut dice = Dice::new(place as u64);
        let plain = Telling::new(&book, true, None).unwrap();
        let disguised = Telling::new(&book, true, Some(place as u64)).ok();
        let unlisted = Telling::new(&book, false, None).unwrap();
        for round in turns(&book, &mut dice) {
            let told = plain.prompt(&round, None);
            let lines: Vec<&str> = told.lines().collect();
            for rule in describe::rules(&book) {
                assert!(told.contains(&format!("- {rule}\n")), "{name}: {rule}");
            }
            let legal = format!("Your legal moves: {}", plain.legal(&round).join(", "));
            assert!(lines.contains(&legal.as_str()) && lines.last() == Some(&"move: MOVE"), "{told}");
            assert!(told.contains(&format!("You are {}.", round.position().turn())), "{told}");
            let numbered =
                |line: &&&str| line.split_once(". Player ").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
            assert_eq!(lines.iter().filter(numbered).count(), round.history().len(), "{told}");
            assert!(!unlisted.prompt(&round, None).contains("legal moves:"));
            let again = plain.prompt(&round, Some((Refused::Illegal, "goes past 20")));
            assert!(again.contains("Your last answer didn't count (illegal): goes past 20.\n"), "{again}");
            let Some(disguised) = &disguised else { continue };
            let told = disguised.prompt(&round, None);
            for entry in book.moves() {
                let called = disguised.disguise().unwrap().entry(entry);
                assert!(told.contains(&format!("{called} (")), "{called}: {told}");
            }
            // Numbers below 0 may appear after an overshoot, or in a list that's never reached.
            let without_lists: String =
                told.replace("now -", "now ").lines().filter(|line| !line.contains(" that is ")).collect();
            for (at, _) in without_lists.match_indices(['+', '-', 'x', '/', '@']) {
                let begins = !without_lists[..at].ends_with(char::is_alphanumeric);
                let goes_on = without_lists[at + 1..].starts_with(|c: char| c.is_ascii_digit());
                assert!(!(begins && goes_on), "{told}");
            }
            assert!(!told.contains(&format!("\"{}\"", book.title())), "{told}");
        }
    }
}

/// A complete prompt.
#[test]
fn prompts_read_well() {
    let book = catalog::draft("number-maze").unwrap().build().unwrap();
    let book = Arc::new(book);
    let mut round = Round::new(Arc::clone(&book), Player::Two);
    support::play(&mut round, "x2");
    let told = Telling::new(&book, true, None).unwrap().prompt(&round, None);
    let [head, tail] = [
        "You are playing \"Number Maze\", a game for two players. You are Player 1.\n\nRules:\n- ",
        "\nThe round so far:\n1. Player 2: x2 (now 2)\n\nNow: The number is 2.\n\nYour legal moves: +1, x2\n\n\
         It's your turn. Think as long as you like. Then end your answer with one line that names one legal move, spelled \
         as in the list:\nmove: MOVE\n",
    ];
    assert!(told.starts_with(head) && told.ends_with(tail), "{told}");
}

#[test]
fn the_parts_add_up_to_the_prompt() {
    let mut dice = Dice::new(4);
    for (name, rulebook) in books().into_iter().step_by(7) {
        let telling = Telling::new(&rulebook, true, None).unwrap();
        for round in turns(&rulebook, &mut dice) {
            let prompt = telling.prompt(&round, None);
            let moves = telling.moves(&round, 0);
            assert_eq!(moves.len(), round.history().len());
            assert!(prompt.contains(&moves.join("\n")), "{name}\n{prompt}");
            assert!(prompt.contains(&telling.standing(&round)), "{name}\n{prompt}");
            assert_eq!(telling.moves(&round, 1), moves.get(1..).unwrap_or_default());
        }
    }
}

/// A player about to be graded sees no spoilers.
#[test]
fn the_words_before_a_round_reveal_nothing() {
    let invented = Inventor::new(15, Bounds::usual()).next(&mut Budget::patient(64 << 20)).unwrap().unwrap();
    let [whole, to_play] = [json::invented(&invented), json::invented_to_play(&invented)]
        .map(|game| serde_json::to_value(game).unwrap());
    assert!(
        whole["certificate"]["value"].is_string() && whole["text"].to_string().contains("can force a win")
    );
    assert!(!to_play.to_string().contains("can force") && to_play["certificate"]["value"].is_null());
    assert!(to_play["certificate"]["remoteness"].is_null());
    let text = to_play["text"].as_str().unwrap();
    assert_eq!(Draft::read("invented.toml", text).build().unwrap(), *invented.rulebook);
    for id in catalog::ids() {
        let game = Game::new(BookText::shipped(id).unwrap(), id.to_owned(), &Changes::default()).unwrap();
        let rulebook = game.rulebook().unwrap();
        let page = rules::markdown_without_remarks(&game, &rulebook);
        assert!(describe::rules(&rulebook).iter().all(|rule| page.contains(rule)), "{page}");
        assert!(!rulebook.notes().iter().any(|note| page.contains(note)), "{page}");
    }
}

/// Results with different prompt texts must not look comparable: the recorded fingerprint changes with the wording.
#[test]
fn a_change_of_wording_changes_the_fingerprint() {
    let recorded = include_str!("prompt-fingerprint.txt").trim();
    assert_eq!(
        spoton::words::prompt::fingerprint(),
        recorded,
        "The prompts' wording has changed. If you mean it, record the new fingerprint and say so in CHANGELOG.md."
    );
}
