//! The bodies of the fuzz targets: how they interpret arbitrary bytes, and the invariants they check.
//!
//! The targets in `fuzz/` search for bytes that break them. The test `corpus` runs them on the corpus.

use std::sync::Arc;

use spoton::engine::operation::Kind;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::{CannotPlay, Round};
use spoton::engine::written::Offer;
use spoton::format::{self, Draft, Problem, Rulebook, Severity, catalog};
use spoton::json;
use spoton::records::{self, Circumstances, Record};
use spoton::solver::{Budget, Solver};
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::typed::{self, Typed};
use spoton::words::{describe, phrases};

/// The maximum number of moves per round.
const MOST_PLIES: usize = 200;

/// A rule book's text and, after a NUL, the choices of a round's moves.
pub fn rulebook(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let mut dice = Dice(parts.next().unwrap_or_default());

    let draft = Draft::read("fuzz.toml", &text);
    let told = format::check(&draft);
    told.iter().for_each(stands_in_its_source);
    let all_valid = told.iter().all(|problem| problem.severity != Severity::Error);
    use_draft(&draft, all_valid, &mut dice);
    let variants: Vec<String> = draft.variants().take(3).map(str::to_owned).collect();
    for variant in variants {
        let varied = draft.clone().variant(&variant).expect("the variant exists");
        use_draft(&varied, all_valid, &mut dice);
    }
}

/// Records in either form, or a save.
pub fn record(bytes: &[u8]) {
    if let Ok(text) = records::unseal(bytes) {
        assert_eq!(records::seal(text).as_bytes(), bytes, "there is one seal for a text");
    }
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(records::unseal(records::seal(&text).as_bytes()), Ok(text.as_ref()));

    let records = match records::read_all(&text) {
        Ok(records) => records,
        Err(bad) => return assert_presentable(&bad.to_string()),
    };
    for record in records.iter().take(20) {
        comes_back(record);
        match record.replay() {
            Ok(round) => {
                assert!(round.history().len() >= record.moves.len());
                tell_everything(&round);
            }
            Err(bad) => assert_presentable(&bad.to_string()),
        }
    }
    let together: String = records.iter().map(|record| format!("{record}\n")).collect();
    assert_eq!(records::read_all(&together), Ok(records));
}

/// A byte that picks a shipped game, then settings, one per line. A line without `=` is a target.
pub fn setting(bytes: &[u8]) {
    let Some((pick, lines)) = bytes.split_first() else { return };
    let ids: Vec<&str> = catalog::ids().collect();
    let mut draft = catalog::draft(ids[usize::from(*pick) % ids.len()]).expect("the game is shipped");
    let mut parts = lines.splitn(2, |byte| *byte == 0);
    let lines = String::from_utf8_lossy(parts.next().unwrap_or_default());
    for line in lines.lines().take(8) {
        draft = match line.contains('=') {
            true => draft.set("--set", line),
            false => draft.set_target("--target", line),
        };
    }
    let mut dice = Dice(parts.next().unwrap_or_default());
    use_draft(&draft, false, &mut dice);
}

/// Bytes that decide what happens next; 0 after the last.
struct Dice<'a>(&'a [u8]);

impl Dice<'_> {
    fn roll(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn are_left(&self) -> bool {
        !self.0.is_empty()
    }
}

fn use_draft(draft: &Draft, must_be_valid: bool, dice: &mut Dice<'_>) {
    match draft.build() {
        Ok(book) => use_book(&Arc::new(book), dice),
        Err(problems) => {
            assert!(!must_be_valid, "{problems:#?}");
            assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
            problems.iter().take(100).for_each(stands_in_its_source);
        }
    }
}

fn use_book(book: &Arc<Rulebook>, dice: &mut Dice<'_>) {
    describe::rules(book).iter().for_each(|rule| assert_presentable(rule));
    assert_presentable(&describe::goal(book));
    comes_back_from_a_line(book);

    let first = if dice.roll().is_multiple_of(2) { Player::One } else { Player::Two };
    let mut round = Round::new(Arc::clone(book), first);
    for _ in 0..MOST_PLIES {
        tell_everything(&round);
        if round.outcome().is_none() {
            let text = book.position_text(round.position());
            assert_eq!(book.read_position(&text), Ok(*round.position()), "{text}");
            assert_presentable(&serde_json::to_string(&json::position(book, round.position())).unwrap());
        }
        if !turn(&mut round, dice) || !dice.are_left() {
            break;
        }
    }
    match dice.roll() {
        1 => round.resign(Player::One),
        2 => round.stop(),
        _ => {}
    }
    tell_everything(&round);
    solve(&round);

    let own_file = Circumstances {
        rulebook: "fuzz".to_owned(),
        own_file: true,
        variant: None,
        settings: vec![],
        players: ByPlayer(["Ada \"A\"".to_owned(), "Bo".to_owned()]),
        computers: ByPlayer([None, None]),
        in_match: book.match_form().map(|form| (form, 1)),
    };
    let record = Record::from_round(&round, &own_file);
    comes_back(&record);
    let version = if book.needs_version_2() { "[SpotOn \"2\"]\n" } else { "[SpotOn \"1\"]\n" };
    assert!(record.to_string().starts_with(version), "{record}");
    let replayed = record.replay().unwrap_or_else(|bad| panic!("{bad}\n{record}"));
    assert_eq!(replayed.history(), round.history());
    assert_eq!(replayed.outcome(), round.outcome());
}

/// A book must survive a round trip through its line, with rules only and with its wording.
fn comes_back_from_a_line(book: &Rulebook) {
    let again = |line: String| {
        assert!(!line.contains('\n'), "{line}");
        let read = Draft::read_line("line", &line).build();
        read.unwrap_or_else(|problems| panic!("{problems:#?}\n{line}"))
    };
    let whole = again(book.whole_line());
    assert_eq!(whole.fingerprint(), book.fingerprint());
    assert_eq!((whole.title(), whole.summary()), (book.title(), book.summary()));
    assert_eq!((whole.moves(), whole.match_form()), (book.moves(), book.match_form()));
    assert_eq!(whole.wording(), book.wording());
    assert_eq!(whole.whole_line(), book.whole_line());
    let rules = again(book.rules_line().replacen('{', "{title = 'T', ", 1));
    assert_eq!(rules.fingerprint(), book.fingerprint());
}

/// One turn, or another action of a player. Returns false if the round is over.
fn turn(round: &mut Round, dice: &mut Dice<'_>) -> bool {
    let book = Arc::clone(round.rulebook());
    let position = *round.position();
    let legal = book.legal(&position);
    match round.situation() {
        Situation::Choose(choices) => assert_eq!(choices, legal),
        Situation::Skip => {
            assert_eq!(book.legal(&position).len(), 0);
            round.play(Move::Skip).expect("the turn is skipped");
            return true;
        }
        Situation::Over(outcome) => {
            assert_eq!(round.outcome(), Some(outcome));
            assert_eq!(round.play(Move::Skip), Err(CannotPlay::Over));
            return false;
        }
    }
    assert!(round.play(Move::Skip).is_err(), "a player with a legal move can't skip");
    for offer in book.offers(&position) {
        let Offer { choice: Some(choice), result, .. } = offer else {
            // An entry without an amount: only its refusal can be checked.
            assert_presentable(&phrases::refusal(&book, offer.result.expect_err("the move isn't legal")));
            continue;
        };
        assert_eq!(legal.contains(choice), result.is_ok());
        let written = book.written(choice).expect("the book has this move");
        let typed = typed::read(&written.to_string(), round);
        match result {
            Ok(number) => {
                assert_eq!(typed, Ok(Typed::Choice(choice)));
                let owner = book.owner(&position, Move::Operation(choice));
                assert_eq!(written.operation.apply(position.number_of(owner)), Some(number));
            }
            Err(why) => {
                assert_presentable(&typed.expect_err("the move isn't legal"));
                assert_presentable(&phrases::refusal(&book, why));
                assert_eq!(book.play(&position, Move::Operation(choice)), Err(why));
            }
        }
    }
    let roll = usize::from(dice.roll());
    type_something(round, roll);
    let choice = legal.get(roll % legal.len()).expect("the index is below the length");
    let before = round.history().len();
    round.play(Move::Operation(choice)).expect("the move is legal");
    if roll >= 240 {
        let after = (*round.position(), round.outcome());
        assert_eq!(round.undo().map(|ply| ply.a_move), Some(Move::Operation(choice)));
        assert_eq!((*round.position(), round.history().len()), (position, before));
        round.play(Move::Operation(choice)).expect("the move is still legal");
        assert_eq!((*round.position(), round.outcome()), after);
    }
    true
}

/// All the kinds of lines that players type.
fn type_something(round: &Round, roll: usize) {
    const LINES: &[&str] = &[
        "",
        "1",
        "2",
        "0",
        "+1",
        "x 2",
        "*2",
        "add",
        "add 1",
        "double",
        "-9",
        "÷",
        "divide by 3",
        "99999999999999999999",
        "@-3",
        "@ + 1",
        "@",
        "subtract 3 from the other number",
        "-2",
        "/3",
    ];
    let line = LINES[roll % LINES.len()];
    match typed::read(line, round) {
        Ok(Typed::Choice(choice)) => assert!(round.rulebook().legal(round.position()).contains(choice)),
        Ok(Typed::Kind(kind)) => match typed::read_number(line, kind, round) {
            Ok(choice) => assert!(round.rulebook().legal(round.position()).contains(choice)),
            Err(why) => assert_presentable(&why),
        },
        Err(why) => assert_presentable(&why),
    }
}

/// Everything that a dialogue could print now.
fn tell_everything(round: &Round) {
    let names = ByPlayer(["Ada".to_owned(), "Bo".to_owned()]);
    let paint = |_, text| text;
    let voice = Voice { names: &names, computers: ByPlayer([false, true]), paint: &paint };
    let dialogue = Dialogue { round, voice: &voice };
    let said = [
        dialogue.opening(),
        dialogue.moved(dialogue.round.history().len().wrapping_sub(1)),
        dialogue.ending(),
        Some(dialogue.separator()),
    ];
    for text in said.into_iter().flatten() {
        assert_presentable(&text);
    }
    assert_eq!(dialogue.ending().is_some(), round.outcome().is_some());
    if dialogue.asks() {
        assert_presentable(&dialogue.turn());
        assert_presentable(&dialogue.prompt());
        assert_presentable(&dialogue.all_moves());
        for kind in Kind::ALL {
            assert_presentable(&dialogue.number_prompt(kind));
        }
    }
}

/// Solves small games, and checks that the answers agree along the round.
fn solve(round: &Round) {
    let mut patience = 3;
    let mut keep_going = |_| {
        patience -= 1;
        patience > 0
    };
    let mut budget = Budget::new(1 << 18, &mut keep_going);
    match Solver::new(Arc::clone(round.rulebook()), &mut budget) {
        Ok(solver) => {
            for ply in round.history() {
                let moves = solver.moves(&ply.before);
                assert_eq!(solver.verdict(&ply.before), moves.first().map(|best| best.verdict));
            }
        }
        Err(unsolved) => assert_presentable(&unsolved.to_string()),
    }
}

/// A record must survive a round trip, in either form.
fn comes_back(record: &Record) {
    for written in [record.to_string(), record.to_json().to_string()] {
        let read = records::read_all(&written);
        assert_eq!(read.as_deref(), Ok(std::slice::from_ref(record)), "{written}");
    }
}

fn stands_in_its_source(problem: &Problem) {
    let place = &problem.place;
    assert!(place.source.text.get(place.span.clone()).is_some(), "{problem}");
    let (line, column) = place.line_column();
    assert!(line > 0 && column > 0);
    assert_presentable(&problem.message);
    problem.help.iter().for_each(|help| assert_presentable(help));
}

/// Output must not contain characters that control a terminal.
fn assert_presentable(text: &str) {
    let unfit = |c: char| {
        c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(unfit), "{text:?}");
}
