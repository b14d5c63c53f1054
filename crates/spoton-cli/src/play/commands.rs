//! Commands that a player can type instead of a move.

use spoton::discovery::View;
use spoton::format::Rulebook;
use spoton::words::page::wrap;
use spoton::words::{describe, rules};

/// A command for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Rules,
    Moves,
    Hint,
    Why,
    Idea,
    Finish,
    Undo,
    Save,
    Resign,
    Quit,
}

const COMMANDS: &[(&str, Command, &str)] = &[
    ("help", Command::Help, "show this list"),
    ("rules", Command::Rules, "show the rules"),
    ("moves", Command::Moves, "show the result of each move"),
    ("hint", Command::Hint, "get a hint; repeat for more"),
    ("why", Command::Why, "see where each move leads"),
    ("idea", Command::Idea, "test your own rule: idea leave 5 10 15"),
    ("finish", Command::Finish, "play the rest if no choices are left"),
    ("undo", Command::Undo, "undo the last move"),
    ("save", Command::Save, "save the round and keep playing"),
    ("resign", Command::Resign, "give up the round"),
    ("quit", Command::Quit, "leave; a round in progress is saved"),
];

impl Command {
    pub fn read(line: &str) -> Option<Command> {
        let line = line.trim().to_lowercase();
        // The only command with an argument.
        if line.split_whitespace().next() == Some("idea") {
            return Some(Command::Idea);
        }
        let same =
            |name: &str| line == name || line == "?" && name == "help" || line == "exit" && name == "quit";
        COMMANDS.iter().find(|(name, _, _)| same(name)).map(|(_, command, _)| *command)
    }
}

/// The answer to `help`: the commands that work in this round. `written` describes how to write a move.
pub fn help(written: &str, works: impl Fn(Command) -> bool) -> String {
    let answer = format!("Answer the question or type a move{written}.");
    let mut lines = vec![wrap(&answer, "", ""), "You can also type:".to_owned()];
    let offered = COMMANDS.iter().filter(|(_, command, _)| works(*command));
    lines.extend(offered.map(|(name, _, about)| format!("  {name:<7} {about}")));
    lines.join("\n")
}

/// The answer to `rules`, without what the viewer may not see.
pub fn rules_page(rulebook: &Rulebook, view: View) -> String {
    let rules = describe::rules(rulebook).into_iter().chain(rules::notes(rulebook, view).iter().cloned());
    rules.map(|rule| wrap(&rule, "  - ", "    ")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use spoton::format::COMMAND_WORDS;

    /// `check` warns about moves named like a command, so the library must know every command.
    #[test]
    fn every_command_is_known_to_the_library() {
        assert!(COMMAND_WORDS.iter().all(|word| Command::read(word).is_some()));
        assert!(COMMANDS.iter().all(|(word, _, _)| COMMAND_WORDS.contains(word)));
    }
}
