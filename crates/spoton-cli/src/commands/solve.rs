//! `spoton solve`: what a position is worth, and every move from it.

use std::collections::HashMap;
use std::io::{BufRead, Read, Write, stdin, stdout};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player, Position};
use spoton::engine::round::Round;
use spoton::format::{Changes, Game, NoRepeat, Numbers, Pool, Rulebook, Setting};
use spoton::records;
use spoton::solver::{Solver, Verdict};
use spoton::words::phrases;

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::progress::{DISCOVERING, is_discovering};
use crate::solving;

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    if is_discovering(&Folders::usual())? {
        return Err(Failure::Usage(DISCOVERING.to_owned()));
    }
    if args.stdin {
        return answer_lines(args);
    }
    let game = game::find(&args.game.game, &args.game.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let moves = args.moves.as_deref().unwrap_or_default();
    let round = set_up(&rulebook, moves.split([' ', ',']).filter(|word| !word.is_empty()))
        .map_err(|(place, why)| Failure::Usage(format!("--moves: move {place}: {why}")))?;
    let solver = solving::solve(Arc::clone(&rulebook), args.memory.mebibytes)?;
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", to_json(&game, &solver, &round))?;
    } else {
        out.write_all(in_words(&solver, &round).as_bytes())?;
    }
    Ok(())
}

/// Plays moves from the opening. The house rule is not applied: the moves only set up a position.
fn set_up<'a>(
    rulebook: &Arc<Rulebook>,
    moves: impl Iterator<Item = &'a str>,
) -> Result<Round, (usize, String)> {
    let mut round = Round::without_house_rule(Arc::clone(rulebook), Player::One);
    for (index, written) in moves.enumerate() {
        let fail = |why: String| (index + 1, format!("{}: {why}", spoton::format::quotable(written)));
        if round.outcome().is_some() {
            return Err(fail("the round was over before it".to_owned()));
        }
        let a_move = records::read_move(written, &round).map_err(fail)?;
        round.play(a_move).map_err(|_| fail("not legal".to_owned()))?;
    }
    Ok(round)
}

/// No question is longer than this.
const LONGEST_LINE: u64 = 1 << 20;

/// A question a line, an answer a line.
fn answer_lines(args: &SolveArgs) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut input = stdin().lock();
    let mut solved: Solved = HashMap::new();
    for number in 1_u64.. {
        let mut line = Vec::new();
        let cannot = |error| Failure::Failed(format!("cannot read standard input: {error}"));
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(cannot)?;
        if read == 0 {
            break;
        }
        let whole = line.last() == Some(&b'\n') || (read as u64) < LONGEST_LINE;
        if !whole {
            input.skip_until(b'\n').map_err(cannot)?;
        }
        let asked = match String::from_utf8(line) {
            Ok(line) if whole => answer(line.trim(), args, &mut solved),
            Ok(_) => Err(Failure::Usage(format!("a question has at most {LONGEST_LINE} bytes"))),
            Err(_) => Err(Failure::Usage("a question is a text in UTF-8".to_owned())),
        };
        let answer = match asked {
            Ok(answer) => answer,
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => json!({ "error": failure.to_string(), "at": number }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

type Solved = HashMap<String, (Game, Arc<Solver>)>;

fn answer(line: &str, args: &SolveArgs, solved: &mut Solved) -> Result<Json, Failure> {
    let (name, changes, moves) = question(line, args).map_err(Failure::Usage)?;
    let key = format!("{name:?} {changes:?}");
    if !solved.contains_key(&key) {
        let game = game::find(&name, &changes)?;
        let rulebook = Arc::new(game.rulebook()?);
        let solver = solving::solve(rulebook, args.memory.mebibytes)?;
        // Only the latest games are kept, so that a long list of questions stays within the budget.
        solved.clear();
        solved.insert(key.clone(), (game, Arc::new(solver)));
    }
    let Some((game, solver)) = solved.get(&key) else { return Err(Failure::Told(1)) };
    let round = set_up(solver.rulebook(), moves.iter().map(String::as_str))
        .map_err(|(place, why)| Failure::Usage(format!("move {place}: {why}")))?;
    Ok(to_json(game, solver, &round))
}

/// A question as a list of moves, or as `{"game":…,"set":{…},"moves":[…]}`.
fn question(line: &str, args: &SolveArgs) -> Result<(std::ffi::OsString, Changes, Vec<String>), String> {
    let mut changes =
        Changes { variant: args.game.changes.variant.clone(), settings: args.game.changes.settings.clone() };
    if !line.trim_start().starts_with('{') {
        let moves = line.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        return Ok((args.game.game.clone(), changes, moves));
    }
    let asked: Json = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let asked = asked.as_object().ok_or("a question is a JSON object")?;
    let mut name = args.game.game.clone();
    let mut moves = Vec::new();
    // The game comes first, wherever it stands.
    let game_first =
        asked.iter().filter(|(key, _)| *key == "game").chain(asked.iter().filter(|(key, _)| *key != "game"));
    for (key, value) in game_first {
        match (key.as_str(), value) {
            ("game", Json::String(game)) => {
                // A game of its own has nothing to do with the changes of the one on the command line.
                changes.variant = None;
                changes.settings.clear();
                name = game.into();
            }
            ("variant", Json::String(variant)) => changes.variant = Some(variant.clone()),
            ("set", Json::Object(settings)) => {
                for (key, value) in settings {
                    let value = match value {
                        Json::String(text) => text.clone(),
                        other => to_toml(other),
                    };
                    changes.settings.push(Setting::Set(format!("{key}={value}")));
                }
            }
            ("moves", Json::Array(list)) => {
                for written in list {
                    moves.push(written.as_str().ok_or("\"moves\" takes a list of texts")?.to_owned());
                }
            }
            ("moves", Json::String(list)) => {
                moves = list.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
            }
            (key, _) => return Err(format!("\"{key}\" is not a key of a question, or has a wrong value")),
        }
    }
    Ok((name, changes, moves))
}

/// A JSON value as TOML writes it.
fn to_toml(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(to_toml).collect::<Vec<_>>().join(", ")),
        Json::Object(keys) => {
            let pairs =
                keys.iter().map(|(key, value)| format!("{} = {}", Json::from(key.as_str()), to_toml(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        // Texts, numbers and truths look the same in both.
        other => other.to_string(),
    }
}

fn to_json(game: &Game, solver: &Solver, round: &Round) -> Json {
    let rulebook = round.rulebook();
    let mut object = Map::new();
    object.insert("game".to_owned(), json!(game.id()));
    if let Some(variant) = &game.variant {
        object.insert("variant".to_owned(), json!(variant));
    }
    let settings = game.written_settings();
    if !settings.is_empty() {
        object.insert("settings".to_owned(), json!(settings));
    }
    object.insert("rulebook_hash".to_owned(), json!(rulebook.fingerprint()));
    if let Some(outcome) = round.outcome() {
        let winner = outcome.winner.map(Player::number);
        object.insert("outcome".to_owned(), json!({ "winner": winner, "ending": outcome.ending.name() }));
        return Json::Object(object);
    }
    object.insert("position".to_owned(), position_json(rulebook, round.position()));
    let verdict = solver.verdict(round.position());
    for (key, value) in verdict_json(verdict) {
        object.insert(key, value);
    }
    let moves: Vec<Json> = solver
        .moves(round.position())
        .into_iter()
        .map(|judged| {
            let mut object = Map::new();
            object.insert("move".to_owned(), json!(rulebook.write(judged.a_move)));
            object.extend(verdict_json(Some(judged.verdict)));
            Json::Object(object)
        })
        .collect();
    object.insert("moves".to_owned(), moves.into());
    let barred: Vec<Json> = rulebook
        .offers(round.position())
        .filter_map(|offer| {
            let reason = phrases::refusal(rulebook, offer.result.err()?);
            Some(json!({ "move": offer.operation.to_string(), "reason": reason }))
        })
        .collect();
    if !barred.is_empty() {
        object.insert("barred".to_owned(), barred.into());
    }
    Json::Object(object)
}

fn verdict_json(verdict: Option<Verdict>) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("value".to_owned(), json!(verdict.map(|verdict| verdict.value.word())));
    object.insert("remoteness".to_owned(), json!(verdict.and_then(Verdict::remoteness)));
    object
}

fn position_json(rulebook: &Rulebook, position: &Position) -> Json {
    let both = |of: &dyn Fn(Player) -> Json| -> Json { Player::BOTH.map(of).to_vec().into() };
    let mut object = Map::new();
    let numbers = match rulebook.numbers() {
        Numbers::Shared => json!([position.number()]),
        Numbers::Separate => both(&|player| json!(position.number_of(player))),
    };
    object.insert("numbers".to_owned(), numbers);
    object.insert("turn".to_owned(), json!(position.turn().number()));
    if rulebook.no_repeat() != NoRepeat::None {
        let previous = |player| {
            let last = position.last_of(player);
            json!(last.map(|choice| rulebook.write(Move::Operation(choice))))
        };
        object.insert("previous".to_owned(), both(&previous));
    }
    let limited = rulebook.entries().filter_map(|(index, entry)| {
        let used = match entry.uses?.pool {
            Pool::Shared => json!(position.uses_of(Player::One, index)),
            Pool::Own => both(&|player| json!(position.uses_of(player, index))),
        };
        Some((entry.to_string(), used))
    });
    let limited: Map<String, Json> = limited.collect();
    if !limited.is_empty() {
        object.insert("uses".to_owned(), limited.into());
    }
    if rulebook.passes().is_some() {
        object.insert("passes".to_owned(), both(&|player| json!(position.passes_of(player))));
    }
    Json::Object(object)
}

fn in_words(solver: &Solver, round: &Round) -> String {
    let rulebook = round.rulebook();
    let names = ByPlayer::from_fn(|player: Player| player.to_string());
    let position = round.position();
    let mut lines = vec![rulebook.title().to_owned(), String::new()];
    if let Some(outcome) = round.outcome() {
        let won =
            outcome.winner.map_or("It is drawn".to_owned(), |winner| format!("{} has won", names[winner]));
        lines.push(format!("The round is over. {won} ({}).\n", outcome.ending.name()));
        return lines.join("\n");
    }
    let turn = position.turn();
    lines.push(match rulebook.numbers() {
        Numbers::Shared => format!("The number is {}, and {turn} is on turn.", position.number()),
        Numbers::Separate => format!(
            "{turn} is on turn with {}; {} has {}.",
            position.number(),
            !turn,
            position.number_of(!turn)
        ),
    });
    if let Some(verdict) = solver.verdict(position) {
        lines.push(format!("{}.", phrases::verdict(verdict, turn, &names)));
    }
    lines.push(String::new());
    for judged in solver.moves(position) {
        let leaves = match judged.a_move {
            Move::Skip => "the turn goes over".to_owned(),
            Move::Operation(choice) => {
                let number = rulebook.result(position, choice).unwrap_or_default();
                format!("from {} to {number}", position.number())
            }
        };
        let said = phrases::verdict(judged.verdict, turn, &names);
        lines.push(format!("  {:<4} {leaves}: {said}.", rulebook.write(judged.a_move)));
    }
    for offer in rulebook.offers(position) {
        if let Err(why) = offer.result {
            lines.push(format!(
                "  {:<4} not now: {}.",
                offer.operation.to_string(),
                phrases::refusal(rulebook, why)
            ));
        }
    }
    lines.join("\n") + "\n"
}
