//! The tools, described so that a model needs no other documentation.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;

use crate::asked::{AskedCheck, AskedGame, AskedInvention, AskedMove, AskedRound, AskedStart, Nothing};

/// The server's instructions.
pub fn instructions(is_graded: bool) -> &'static str {
    if is_graded { EXAM } else { INSTRUCTIONS }
}

const EXAM: &str = "\
This is an exam in number duels. Two players take turns changing a number. A round ends when a player lands on the \
target, can't move, or has to go past it. You play against a computer, and every move is graded. The games, the \
opponent and your seat are fixed. Call start_round to start the next round. It returns the rules, the round's id and \
your legal moves. Call move on each of your turns, with the expected_turn from the last answer. The opponent \
replies, and you see the new position. Finish each round before you start the next one, until start_round reports \
that the exam is over. A round that you leave unfinished counts as forfeited. If you refuse to choose, the choice \
counts as wrong.";

const INSTRUCTIONS: &str = "\
Spot On is a collection of number duels. Two players take turns changing a number. A round ends when a player lands \
on the target, can't move, or has to go past it. You play against a computer, and every move can be judged exactly \
when the round is over. Start with list_games, then call start_round. It returns the rules, the round's id and your \
legal moves. Call move on each of your turns: the opponent replies immediately, and you see the new position. When \
the round is over, review shows which of your moves mattered and where the round turned. Play only one round without \
hints at a time: finish it or give it up before you start or continue another round, or ask for a hint or a review. A \
round that you leave unfinished counts as forfeited. check_rulebook and start_round also accept your own rule books, \
and invent makes new games.";

/// A tool's effect on rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// Read-only.
    Tells,
    /// Changes or starts a round.
    Changes,
}

/// All tools. An exam has no hints and no undo, and its `start_round` takes no arguments.
pub fn all(is_graded: bool) -> Vec<Tool> {
    let mut tools = every();
    if is_graded {
        tools.retain(|tool| !["take_back", "hint"].contains(&tool.name.as_ref()));
        for tool in tools.iter_mut().filter(|tool| tool.name == START) {
            *tool = self::tool::<Nothing>(
                START,
                "Start a round",
                "Starts the next round of the exam against a computer. Takes no arguments. Returns the round's id, \
                 which the other tools need, the rules and your legal moves. If the opponent goes first, it has \
                 already moved. Finish each round before you start the next one.",
                Does::Changes,
            );
        }
    }
    tools
}

/// A fingerprint of the instructions and tools, which prevents mixing results from different wordings.
pub fn fingerprint(is_graded: bool) -> String {
    let read =
        serde_json::json!({ "instructions": instructions(is_graded), "tools": all(is_graded) }).to_string();
    format!("{:016x}", spoton::format::fingerprint(read.as_bytes()))
}

const START: &str = "start_round";

fn every() -> Vec<Tool> {
    vec![
        tool::<Nothing>(
            "list_games",
            "List the games",
            "Lists the games with their variants, and the opponents.",
            Does::Tells,
        ),
        tool::<AskedGame>(
            "read_rules",
            "Read the rules",
            "Returns the rules of a game, a variant or a rule book in words, with the names of its variants. You \
             don't need it before a round: start_round also returns the rules.",
            Does::Tells,
        ),
        tool::<AskedCheck>(
            "check_rulebook",
            "Check a rule book",
            "Checks whether a rule book is valid. Returns all errors and warnings with line and column. A rule book \
             is a TOML file. A minimal one has four lines: title = \"Nine\", start = 1, target = 9, moves = [\"+1\", \
             \"x2\"]. The resource spoton://rulebook-template explains every key.",
            Does::Tells,
        ),
        tool::<AskedStart>(
            START,
            "Start a round",
            "Starts a round of a game or of your own rule book against a computer. Returns the round's id, which the \
             other tools need, the rules and your legal moves. If the opponent goes first, it has already moved. \
             After 2,000 moves the round is drawn. If a round without hints is in progress, finish it first.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "look",
            "Look at a round",
            "Returns the state of a round: all moves so far, the number or numbers, the player to move, your legal \
             moves, and why other moves aren't allowed. If the round is over, returns how it ended.",
            Does::Tells,
        ),
        tool::<AskedMove>(
            "move",
            "Make a move",
            "Makes your move in a round. The opponent replies immediately, and you see the new position. An illegal \
             move is refused with the reason: it changes nothing, but it's counted. With expected_turn, you can \
             safely repeat a call if its answer was lost: the same move for the same turn counts once. If another \
             round without hints is in progress, finish that one first.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "take_back",
            "Undo a move",
            "Undoes your last move and the opponent's reply. Only for rounds started with take_back.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "give_up",
            "Give up a round",
            "Gives up a round: it ends, and the opponent wins.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "hint",
            "Get a hint",
            "Returns a hint for your turn. Call it again on the same turn for a stronger one, up to the best move. \
             Only for rounds started with hints, and not while another round without hints is in progress.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "review",
            "Review a round",
            "Compares every move of a finished round with perfect play: which choices mattered, which were right, \
             where the round turned and which moves were better. Not while a round without hints is in progress.",
            Does::Tells,
        ),
        tool::<AskedInvention>(
            "invent",
            "Invent a game",
            "Invents a new game and proves three facts: it always ends, it's never drawn, and no simple rule always \
             wins. Returns its rule book, which you can pass to start_round. It doesn't reveal who can force a win.",
            Does::Tells,
        ),
    ]
}

fn tool<T: JsonSchema + 'static>(
    name: &'static str,
    title: &str,
    description: &'static str,
    does: Does,
) -> Tool {
    let annotations = ToolAnnotations::with_title(title)
        .read_only(does == Does::Tells)
        .destructive(false)
        .idempotent(does == Does::Tells)
        .open_world(false);
    Tool::new(name, description, JsonObject::new())
        .with_title(title)
        .with_input_schema::<T>()
        .with_annotations(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_and_every_argument_is_described() {
        for tool in [all(false), all(true)].concat() {
            let schema = tool.schema_as_json_value();
            assert!(tool.description.is_some_and(|description| description.ends_with('.')), "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            for (argument, about) in schema["properties"].as_object().into_iter().flatten() {
                let described = about["description"].as_str().is_some_and(|text| text.ends_with('.'));
                assert!(described, "{}: {argument}: {about}", tool.name);
            }
        }
    }
}
