//! The tools, one file each, described so that a model needs no other documentation.

mod check_rulebook;
mod give_up;
mod hint;
mod invent;
mod list_games;
mod look;
mod make_move;
mod read_rules;
mod review;
mod start_round;
mod take_back;

use std::pin::Pin;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use spoton::sitting::Command;
use tokio_util::sync::CancellationToken;

use crate::answer::{Answer, Refusal};
use crate::arguments::{AskedRound, read};
use crate::state::ServerState;
use crate::table::Table;

/// Every tool, in the order of the list that models see.
const TOOLS: &[Entry] = &[
    list_games::TOOL,
    read_rules::TOOL,
    check_rulebook::TOOL,
    start_round::TOOL,
    start_round::IN_EXAM,
    look::TOOL,
    make_move::TOOL,
    take_back::TOOL,
    give_up::TOOL,
    hint::TOOL,
    review::TOOL,
    invent::TOOL,
];

/// A tool.
pub struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    does: Does,
    exams: Exams,
    /// Adds the schema of its arguments.
    arguments: fn(Tool) -> Tool,
    call: for<'a> fn(&'a ServerState, JsonObject, &'a CancellationToken) -> Pending<'a>,
}

/// An answer that takes a while.
type Pending<'a> = Pin<Box<dyn Future<Output = Result<Answer, Refusal>> + Send + 'a>>;

/// A tool's effect on rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// Read-only.
    Tells,
    /// Changes or starts a round.
    Changes,
}

/// Whether exams have a tool.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exams {
    /// Exams and other servers.
    Any,
    /// Not exams: they have no hints and no undo.
    Never,
    /// Only exams.
    Only,
}

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

fn of_server(is_graded: bool) -> impl Iterator<Item = &'static Entry> {
    let other = if is_graded { Exams::Never } else { Exams::Only };
    TOOLS.iter().filter(move |entry| entry.exams != other)
}

/// The tools of a server.
pub fn all(is_graded: bool) -> Vec<Tool> {
    of_server(is_graded).map(Entry::tool).collect()
}

/// A fingerprint of the instructions and tools, which prevents mixing results from different wordings.
pub fn fingerprint(is_graded: bool) -> String {
    let read =
        serde_json::json!({ "instructions": instructions(is_graded), "tools": all(is_graded) }).to_string();
    format!("{:016x}", spoton::format::fingerprint(read.as_bytes()))
}

/// A tool of a server by name.
pub fn named(name: &str, is_graded: bool) -> Option<&'static Entry> {
    of_server(is_graded).find(|entry| entry.name == name)
}

impl Entry {
    /// The description for models.
    pub fn tool(&self) -> Tool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.does == Does::Tells)
            .destructive(false)
            .idempotent(self.does == Does::Tells)
            .open_world(false);
        let tool = Tool::new(self.name, self.description, JsonObject::new()).with_title(self.title);
        (self.arguments)(tool).with_annotations(annotations)
    }

    /// Calls the tool.
    pub async fn call(
        &self,
        state: &ServerState,
        arguments: JsonObject,
        gone: &CancellationToken,
    ) -> Result<Answer, Refusal> {
        (self.call)(state, arguments, gone).await
    }
}

/// Runs a command that needs no solver.
fn change(
    state: &ServerState,
    arguments: JsonObject,
    command: impl Fn(&Table) -> Command,
    said: &str,
) -> Result<Answer, Refusal> {
    let AskedRound { round: id } = read(arguments)?;
    let before = state.rounds.find(&id)?;
    let mut after = Table::clone(&before);
    after.sitting.act(command(&before))?;
    let moves = after.sitting.round().history().len();
    state.rounds.replace(&id, &before, after)?.answer(&id, said, moves)
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
