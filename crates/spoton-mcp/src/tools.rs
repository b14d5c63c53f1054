//! The tools: what there is, told so that a model needs nothing else.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;

use crate::asked::{AskedCheck, AskedGame, AskedInvention, AskedMove, AskedRound, AskedStart, Nothing};

/// What is told of the whole server.
pub fn instructions(is_graded: bool) -> &'static str {
    if is_graded { EXAM } else { INSTRUCTIONS }
}

const EXAM: &str = "\
This is an exam in number duels: two players take turns changing a number until one of them lands on the target, cannot move, \
or has to go past. You play against a computer, and every move is graded. The games, the opponent and your seat are set. \
Call start_round to start the next round; it tells the rules, the id of the round and your legal moves. Call move on each of \
your turns, with the expected_turn from the last answer. The opponent replies, and you see the new position. Finish \
each round before you start the next, until start_round says that the exam is over. A round that you leave counts as \
forfeited, and a choice that you refuse counts as wrong.";

const INSTRUCTIONS: &str = "\
Spot On is a collection of number duels: two players change a number by turns until somebody lands on the target, cannot \
move, or has to go past. You play against a computer, and every move can be judged exactly once the round is over. \
Begin with list_games, then start_round; it tells the rules, the id of the round and your legal moves. Call move on each of \
your turns: the opponent replies at once, and you are told how the round stands. When it is over, review tells which of your \
moves mattered and where the round turned. A round without hints goes on alone: play it to the end or give it up before you \
start another, go on with another, or ask for a hint or a review. A round that is left counts as forfeited. check_rulebook and start_round also take rule books of your own, and invent makes new ones.";

/// What a tool does to the rounds that are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// It only tells something.
    Tells,
    /// It changes a round, or begins one.
    Changes,
}

/// Every tool there is. An exam has no hints and no undo, and starts its own rounds.
pub fn all(is_graded: bool) -> Vec<Tool> {
    let mut tools = every();
    if is_graded {
        tools.retain(|tool| !["take_back", "hint"].contains(&tool.name.as_ref()));
        for tool in tools.iter_mut().filter(|tool| tool.name == START) {
            *tool = self::tool::<Nothing>(
                START,
                "Start a round",
                "Starts the next round of the exam against a computer. Takes no arguments. Tells the round's id, which the other \
                 tools ask for, the rules, and your legal moves. If the opponent goes first, it has made its move already. \
                 Finish a round before you start the next.",
                Does::Changes,
            );
        }
    }
    tools
}

const START: &str = "start_round";

fn every() -> Vec<Tool> {
    vec![
        tool::<Nothing>(
            "list_games",
            "List the games",
            "Lists the games there are, with their variants, and the opponents that can be played against.",
            Does::Tells,
        ),
        tool::<AskedGame>(
            "read_rules",
            "Read the rules of a game",
            "Tells the rules of a game, a variant or a rule book in words, with the names of its variants. Rounds need no \
             reading before: start_round tells the rules as well.",
            Does::Tells,
        ),
        tool::<AskedCheck>(
            "check_rulebook",
            "Check a rule book",
            "Tells whether the text of a rule book is valid, and everything that is wrong or odd about it, each with its \
             line and column. A rule book is a TOML file. The shortest one: title = \"Nine\", start = 1, target = 9, moves = \
             [\"+1\", \"x2\"], each on its own line. The resource spoton://rulebook-template shows every key with remarks.",
            Does::Tells,
        ),
        tool::<AskedStart>(
            START,
            "Start a round",
            "Starts a round of a game, or of a rule book of your own, against a computer. Tells the round's id, which the \
             other tools ask for, the rules, and your legal moves. If the opponent goes first, it has made its move already. After \
             2,000 moves a round is stopped, and drawn. Not while a round without hints is under way: finish that first.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "look",
            "Look at a round",
            "Tells how a round stands: every move so far, the number or numbers, whose turn it is, the legal moves, and why \
             others are barred; or how it ended.",
            Does::Tells,
        ),
        tool::<AskedMove>(
            "move",
            "Make a move",
            "Makes your move in a round. The opponent replies at once, and you are told how the round stands then. A move \
             that is not legal is refused with the reason; it changes nothing, but is counted. With expected_turn, a call \
             whose answer got lost can be repeated: the same move for the same turn is made and counted once. Not while another \
             round without hints is under way.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "take_back",
            "Take back a move",
            "Takes back your last move, together with the opponent's reply. Only in rounds that were started with take_back.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "give_up",
            "Give up a round",
            "Gives a round up: it is over, and the opponent has won it.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "hint",
            "Ask for a hint",
            "Tells a hint for your turn; called again on the same turn, a stronger one, up to the best move. Only in rounds \
             that were started with hints, and not while another round without hints is under way.",
            Does::Changes,
        ),
        tool::<AskedRound>(
            "review",
            "Look back on a round",
            "Judges every move of a round that is over against perfect play: which choices mattered, which were kept, where \
             the round turned and what would have been better. Only once the round is over, and not while a round without \
             hints is under way.",
            Does::Tells,
        ),
        tool::<AskedInvention>(
            "invent",
            "Invent a game",
            "Invents a game that nobody has seen, and proves that it always ends, is never drawn and that no simple rule wins \
             it. Gives the text of its rule book, to be handed to start_round as rulebook. Who can force a win is not told.",
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
