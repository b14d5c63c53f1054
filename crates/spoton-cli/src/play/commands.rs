//! What can be typed at any question of a round beside a move.

use spoton::format::Rulebook;
use spoton::sitting::discovery::View;
use spoton::words::page::wrap;
use spoton::words::{describe, rules};

/// A command of the player on turn.
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
    ("help", Command::Help, "this list"),
    ("rules", Command::Rules, "the rules of this game"),
    ("moves", Command::Moves, "what each operation would give now"),
    ("hint", Command::Hint, "a hint; ask again for the next step"),
    ("why", Command::Why, "what each move leads to"),
    ("idea", Command::Idea, "test your own rule: idea leave 5 10 15"),
    ("finish", Command::Finish, "play the rest, where nobody has a choice any more"),
    ("undo", Command::Undo, "take the last move back"),
    ("save", Command::Save, "keep this round on disk as it stands now, and go on"),
    ("resign", Command::Resign, "give up this round"),
    ("quit", Command::Quit, "leave; a round that has begun is kept"),
];

impl Command {
    pub fn read(line: &str) -> Option<Command> {
        let line = line.trim().to_lowercase();
        // The only one that goes on with words of the player's.
        if line.split_whitespace().next() == Some("idea") {
            return Some(Command::Idea);
        }
        let same =
            |name: &str| line == name || line == "?" && name == "help" || line == "exit" && name == "quit";
        COMMANDS.iter().find(|(name, _, _)| same(name)).map(|(_, command, _)| *command)
    }
}

/// The answer to `help`. `written` tells how moves are written. Only what works in this round is offered.
pub fn help(written: &str, works: impl Fn(Command) -> bool) -> String {
    let answer = format!("Answer the question, or type a move as it is written{written}.");
    let mut lines = vec![wrap(&answer, "", ""), "You can also type:".to_owned()];
    let offered = COMMANDS.iter().filter(|(_, command, _)| works(*command));
    lines.extend(offered.map(|(name, _, about)| format!("  {name:<7} {about}")));
    lines.join("\n")
}

/// The answer to `rules`, as far as a viewer may see it.
pub fn rules_page(rulebook: &Rulebook, view: View) -> String {
    let rules = describe::rules(rulebook).into_iter().chain(rules::notes(rulebook, view).iter().cloned());
    rules.map(|rule| wrap(&rule, "  - ", "    ")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use spoton::format::COMMAND_WORDS;

    /// `check` warns of moves that are called like a command, and knows all of them.
    #[test]
    fn every_command_is_known_to_the_library() {
        assert!(COMMAND_WORDS.iter().all(|word| Command::read(word).is_some()));
        assert!(COMMANDS.iter().all(|(word, _, _)| COMMAND_WORDS.contains(word)));
    }
}
