//! Files from older versions of Spot On must always load. Never change a golden file: a new version of a form gets new
//! files.

use spoton::engine::play::Ending;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{Draft, MatchForm, Sentence, catalog};
use spoton::records::{Circumstances, Record, RecordedMove, RoundResult, read_all, seal, unseal};

use crate::rounds::circumstances;
use crate::support::{book, ended, finished, played, played_from};

const TEXT: &str = include_str!("../golden/record-1.txt");
const JSON: &str = include_str!("../golden/record-1.jsonl");
const SAVE: &str = include_str!("../golden/save-1.spoton");
/// A record that needs version 2, and one that doesn't although its book used a key of version 2.
const TEXT_2: &str = include_str!("../golden/record-2.txt");
const JSON_2: &str = include_str!("../golden/record-2.jsonl");
const SAVE_2: &str = include_str!("../golden/save-1-record-2.spoton");
const BY_HAND: &str = include_str!("../golden/by-hand-1.txt");

const OWN: &str = r#"
title = "Uphill to {target}"
summary = "It's a climb from {start}."
numbers = "separate"
start = [1, 18]
target = 20
moves = [{ op = "+3", label = "Three \"up\"" }, { op = "x2", uses = 2, pool = "shared" }]
past = "forbidden"
stuck = "skips"
no_repeat = "own"
[wording]
menu = "legal"
turn = "{player}:\n{number}"
"#;

fn shipped(id: &str) -> Draft {
    catalog::draft(id).unwrap()
}

/// The records in the golden files.
fn records() -> Vec<Record> {
    let overshot = played_from(
        &finished(&shipped("number-maze").variant("to-15").unwrap()),
        Player::Two,
        "+1 x2 x2 +1 x2",
    );
    let mut overshot = Record::from_round(
        &overshot,
        &Circumstances {
            variant: Some("to-15".to_owned()),
            players: ByPlayer(["Ada \"A\" Lovelace".to_owned(), "Größe 数".to_owned()]),
            computers: ByPlayer([None, Some("perfect".to_owned())]),
            in_match: Some((MatchForm::FirstTo(3), 2)),
            ..circumstances("number-maze")
        },
    );
    overshot.moves[2] =
        RecordedMove { mark: "?!".to_owned(), comment: "in a hurry".to_owned(), ..overshot.moves[2].clone() };
    overshot.other_tags.push(("Event".to_owned(), "A rainy day".to_owned()));

    let skipping = Record::from_round(
        &played(&book(OWN), "+3 skip x2 skip"),
        &Circumstances { own_file: true, ..circumstances("uphill") },
    );

    let settings = ["target=31", "wording.prompt=Now ({keys}): "];
    let draft = settings.iter().fold(shipped("double-or-add"), |draft, setting| draft.set("--set", setting));
    let mut resigned = played(&finished(&draft), "x2 x2 +1");
    resigned.resign(Player::Two);
    let settings = settings.map(str::to_owned).to_vec();
    let resigned =
        Record::from_round(&resigned, &Circumstances { settings, ..circumstances("double-or-add") });

    let repeated = played(&finished(&shipped("target-twenty-one")), "x1 x2 x3 x1");
    let in_match = Some((MatchForm::Rounds(5), 1));
    let repeated =
        Record::from_round(&repeated, &Circumstances { in_match, ..circumstances("target-twenty-one") });

    vec![overshot, skipping, resigned, repeated]
}

/// Checks that the four records are unchanged.
fn are_as_ever(records: &[Record]) {
    let [overshot, skipping, resigned, repeated] = records else {
        panic!("there are {} records", records.len())
    };
    let replay =
        |record: &Record| -> Round { record.replay().unwrap_or_else(|bad| panic!("{bad}\n{record}")) };

    assert_eq!(ended(&replay(overshot)), "1 overshot");
    assert_eq!(overshot.players.0, ["Ada \"A\" Lovelace", "Größe 数"]);
    assert_eq!(overshot.computers.0, [None, Some("perfect".to_owned())]);
    assert_eq!((overshot.first, overshot.in_match), (Player::Two, Some((MatchForm::FirstTo(3), 2))));
    assert_eq!((overshot.moves[2].mark.as_str(), overshot.moves[2].comment.as_str()), ("?!", "in a hurry"));
    assert_eq!(overshot.other_tags, [("Event".to_owned(), "A rainy day".to_owned())]);

    let round = replay(skipping);
    assert_eq!((ended(&round).as_str(), round.number_of(Player::One)), ("open", 8));
    assert_eq!((round.history().len(), round.rulebook().title()), (4, "Uphill to 20"));
    assert_eq!(round.rulebook().moves()[0].label(), "Three \"up\"");
    let turn = round.rulebook().wording().sentence(Sentence::Turn).fill(str::to_uppercase);
    assert_eq!((turn.as_str(), round.rulebook().wording().menu().word()), ("PLAYER:\nNUMBER", "legal"));

    let round = replay(resigned);
    assert_eq!((ended(&round).as_str(), round.rulebook().target()), ("1 resigned", Some(31)));
    assert_eq!(resigned.settings, ["target=31", "wording.prompt=Now ({keys}): "]);

    assert_eq!(ended(&replay(repeated)), "draw repetition");
    assert_eq!((repeated.result, repeated.ending), (RoundResult::Drawn, Some(Ending::Repetition)));
}

#[test]
fn golden_texts_load() {
    are_as_ever(&read_all(TEXT).unwrap());
}

#[test]
fn golden_json_lines_load() {
    are_as_ever(&read_all(JSON).unwrap());
    assert_eq!(read_all(JSON).unwrap(), read_all(TEXT).unwrap());
}

#[test]
fn golden_saves_load() {
    are_as_ever(&read_all(unseal(SAVE.as_bytes()).unwrap()).unwrap());
}

#[test]
fn golden_records_written_by_hand_load() {
    let records = read_all(BY_HAND).unwrap();
    let ends: Vec<String> = records.iter().map(|record| ended(&record.replay().unwrap())).collect();
    assert_eq!(ends, ["2 reached", "2 overshot", "1 overshot", "open"]);
    assert_eq!(records[2].moves[5].comment, "24 is too much");
}

const STRIKES: &str = r#"
title = "Strikes"
numbers = "separate"
start = [12, 15]
target = 0
moves = [
    "-1..half",
    { op = "-3", on = "other" },
    { op = "-divisor", from = 2, to = 9, when = ["even", "above 3"], uses = 2, label = "Take {amount}" },
]
past = "forbidden"
losing = [7, "3..5", "square"]
stuck = "closest"
turns = 9
[wording]
moved_other = "Ouch: {other}"
"#;

/// The records in the golden files of version 2.
fn records_2() -> Vec<Record> {
    let own = |id: &str| Circumstances { own_file: true, ..circumstances(id) };
    let strikes = Record::from_round(&played(&book(STRIKES), "-1 -5 -5 -2 @-3"), &own("strikes"));
    let each_once = "title = 'Each once'\nstart = 0\ntarget = 15\n\
                     moves = [{ op = '+1..5', uses = 1, pool = 'shared', label = 'Take {amount}' }]";
    let each_once = Record::from_round(&played(&book(each_once), "+5 +4 +3 +2 +1"), &own("each-once"));
    vec![strikes, each_once]
}

#[test]
fn golden_files_of_version_2_load() {
    for text in [TEXT_2, JSON_2, unseal(SAVE_2.as_bytes()).unwrap()] {
        let records = read_all(text).unwrap();
        let ends: Vec<String> = records.iter().map(|record| ended(&record.replay().unwrap())).collect();
        assert_eq!(ends, ["1 landed", "1 reached"]);
        assert_eq!(records, records_2());
    }
}

/// If this fails because a form has changed, keep the old golden files and add new ones.
#[test]
fn new_files_equal_the_newest_golden_files() {
    let texts: Vec<String> = records().iter().map(ToString::to_string).collect();
    assert_eq!(texts.join("\n"), TEXT);
    let lines: String = records().iter().map(|record| format!("{}\n", record.to_json())).collect();
    assert_eq!(lines, JSON);
    assert_eq!(seal(TEXT), SAVE);
    let texts: Vec<String> = records_2().iter().map(ToString::to_string).collect();
    assert_eq!(texts.join("\n"), TEXT_2);
    let lines: String = records_2().iter().map(|record| format!("{}\n", record.to_json())).collect();
    assert_eq!(lines, JSON_2);
    assert_eq!(seal(TEXT_2), SAVE_2);
}
