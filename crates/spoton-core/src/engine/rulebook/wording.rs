//! The sentences of a game's dialogue, with placeholders.
//!
//! Every sentence has a key in a rule book's `[wording]`, a default, and the placeholders it may use. The table below is
//! the single source for the reader, the dialogue and the format page.

use super::{Menu, Numbers};

/// The purpose, default text and placeholders of a sentence.
#[derive(Debug)]
pub struct SentenceInfo {
    /// The key in `[wording]`.
    pub key: &'static str,
    /// The purpose.
    pub about: &'static str,
    /// The text if the rule book doesn't give one.
    pub default: &'static str,
    /// The default if each player has a number.
    pub default_separate: Option<&'static str>,
    /// The default for a sentence about a person playing against a computer.
    pub default_to_you: Option<&'static str>,
    /// The same default if each player has a number.
    pub default_to_you_separate: Option<&'static str>,
    /// The default for a sentence about a computer playing against a person, if each player has a number.
    pub default_to_computer_separate: Option<&'static str>,
    /// The placeholders it may use.
    pub placeholders: &'static [&'static str],
}

macro_rules! sentences {
    ($($(#[doc = $about:literal])+ $name:ident $key:literal $placeholders:ident
       $default:literal $(separate $separate:literal)? $(you $you:literal)? $(you_separate $you_separate:literal)?
       $(computer_separate $computer_separate:literal)?;)+) => {
        /// The sentences of a dialogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Sentence { $($(#[doc = $about])+ $name,)+ }

        impl Sentence {
            /// Every sentence, in the order of a round.
            pub const ALL: &'static [Sentence] = &[$(Sentence::$name),+];

            /// The purpose, default text and placeholders.
            pub fn info(self) -> &'static SentenceInfo {
                const INFO: &[SentenceInfo] = &[$(SentenceInfo {
                    key: $key,
                    about: concat!($($about),+),
                    default: $default,
                    default_separate: sentences!(@option $($separate)?),
                    default_to_you: sentences!(@option $($you)?),
                    default_to_you_separate: sentences!(@option $($you_separate)?),
                    default_to_computer_separate: sentences!(@option $($computer_separate)?),
                    placeholders: $placeholders,
                }),+];
                &INFO[self as usize]
            }
        }
    };
    (@option) => { None };
    (@option $separate:literal) => { Some($separate) };
}

const NONE: &[&str] = &[];
const OPENING: &[&str] = &["title", "start", "target", "goal"];
const TURN: &[&str] =
    &["title", "start", "target", "player", "opponent", "You", "Your", "number", "other", "previous"];
const LIST: &[&str] =
    &["title", "start", "target", "player", "opponent", "You", "Your", "number", "other", "previous", "list"];
const ITEM: &[&str] = &["key", "Operation", "operation", "result"];
const ITEM_LIMITED: &[&str] = &["key", "Operation", "operation", "result", "left"];
const ITEM_BARRED: &[&str] = &["key", "Operation", "operation", "reason"];
const PROMPT: &[&str] = &["target", "player", "opponent", "You", "Your", "number", "keys"];
const OPERATION_PROMPT: &[&str] = &["target", "player", "opponent", "number", "words"];
const NUMBER_PROMPT: &[&str] = &["target", "player", "opponent", "number", "numbers"];
const LIMITS: &[&str] = &["player", "opponent", "limits"];
const MOVED: &[&str] = &[
    "title",
    "start",
    "target",
    "player",
    "opponent",
    "You",
    "Your",
    "number",
    "other",
    "before",
    "Operation",
    "operation",
    "to_operation",
];
const SKIP: &[&str] = &["player", "opponent", "number", "target"];
const ENDING: &[&str] = &["title", "start", "target", "player", "opponent", "number"];
const DRAW: &[&str] = &["title", "start", "target"];
const REPETITION: &[&str] = &["title", "start", "target", "times"];
const WINS: &[&str] = &["title", "target", "winner", "loser"];

sentences! {
    /// before the first turn; not printed if empty
    Opening "opening" OPENING "{title}\n{goal}";
    /// between two turns, and before the ending
    Separator "separator" NONE "";
    /// the start of a turn
    Turn "turn" TURN "{player}'s turn. The number is {number}."
        separate "{player}'s turn. {Your} number is {number}, {opponent}'s is {other}."
        you "Your turn. The number is {number}."
        you_separate "Your turn. Your number is {number}, {opponent}'s is {other}."
        computer_separate "{player}'s turn. {Your} number is {number}, yours is {other}.";
    /// the menu, with `{list}` for its items
    Choices "choices" LIST "{list}";
    /// the menu if just one move is legal; if empty, `choices` is used
    ChoicesOne "choices_one" LIST "";
    /// a move in the menu
    Item "item" ITEM "{key}. {Operation}";
    /// a move with limited uses or passes
    ItemLimited "item_limited" ITEM_LIMITED "{key}. {Operation} ({left})";
    /// a move that isn't legal now
    ItemBarred "item_barred" ITEM_BARRED "{key}. {Operation} (not allowed: {reason})";
    /// between two items
    ItemSeparator "item_separator" NONE "\n";
    /// the question after the menu
    Prompt "prompt" PROMPT "{Your} move ({keys}): ";
    /// with `menu = "questions"`: the first question
    OperationPrompt "operation_prompt" OPERATION_PROMPT "{player}, choose a move ({words}): "
        you "Choose a move ({words}): ";
    /// with `menu = "questions"`: the second question
    NumberPrompt "number_prompt" NUMBER_PROMPT "Choose a number ({numbers}): ";
    /// with `menu = "questions"`: the limited uses and passes left; not printed if nothing is limited
    Limits "limits" LIMITS "Left for {player}: {limits}." you "Left for you: {limits}.";
    /// after a move
    Moved "moved" MOVED "{You} chose {to_operation}." separate "{You} chose {to_operation}: {number}.";
    /// after a move on the opponent's number
    MovedOther "moved_other" MOVED "{You} chose {to_operation}: {other}.";
    /// a skipped turn
    Skip "skip" SKIP "{player} has no legal move, so the turn is skipped."
        you "You have no legal move, so your turn is skipped.";
    /// a player's number landed on the target
    Reached "reached" ENDING "{player} reached {target}." you "You reached {target}.";
    /// a player's number went past the target
    Overshot "overshot" ENDING "{player} overshot {target} with {number}." you "You overshot {target} with {number}.";
    /// a player's number landed on a number of `winning` or `losing`
    Landed "landed" ENDING "{player} landed on {number}." you "You landed on {number}.";
    /// a player has no legal move, and that ends the round
    Stuck "stuck" ENDING "{player} has no legal move from {number}." you "You have no legal move from {number}.";
    /// neither player has a legal move
    BothStuck "both_stuck" DRAW "Neither player has a legal move.";
    /// neither player has a legal move, and the number closer to the target wins
    Closest "closest" ENDING "Neither player has a legal move. The number closer to {target} decides.";
    /// there are no turns left, and the number closer to the target wins
    Turns "turns" ENDING "No turns left. The number closer to {target} decides.";
    /// a player gave up
    Resigned "resigned" ENDING "{player} gave up." you "You gave up.";
    /// the same position occurred too often
    Repetition "repetition" REPETITION "The same position came up {times} times (house rule).";
    /// two computers could play on forever
    Stopped "stopped" DRAW "This round could go on forever, so it stops here.";
    /// an outside program gave no legal answer; nobody wins
    Forfeited "forfeited" ENDING "{player} gave no legal answer, so nobody wins.";
    /// a player didn't come back to a round on the web; nobody wins
    Abandoned "abandoned" ENDING "{player} didn't come back, so nobody wins." you "You didn't come back, so nobody wins.";
    /// the last line if a player won
    Wins "wins" WINS "{winner} wins!" you "You win!";
    /// the last line of a draw
    Drawn "drawn" DRAW "It's a draw!";
    /// `{previous}` before a player's first move
    None "none" NONE "None";
}

impl Sentence {
    pub(crate) fn from_key(key: &str) -> Option<Sentence> {
        Sentence::ALL.iter().copied().find(|s| s.info().key == key)
    }

    fn default_for(self, numbers: Numbers) -> &'static str {
        let info = self.info();
        match (numbers, info.default_separate) {
            (Numbers::Separate, Some(separate)) => separate,
            _ => info.default,
        }
    }

    fn default_to_you(self, numbers: Numbers) -> Option<&'static str> {
        let info = self.info();
        info.default_to_you_separate.filter(|_| numbers == Numbers::Separate).or(info.default_to_you)
    }

    /// Parses a default. A test checks that every default is valid.
    fn parse(self, text: &str) -> Template {
        Template::parse(text, self.info().placeholders)
            .unwrap_or_else(|_| Template(vec![Piece::Text(text.to_owned())]))
    }
}

/// A parsed sentence, ready to be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(&'static str),
}

/// An error in the braces of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadTemplate {
    /// The sentence has no such placeholder.
    Unknown { name: String, at: usize },
    /// An unmatched brace.
    LoneBrace { brace: char, at: usize },
}

impl BadTemplate {
    /// The byte offset in the sentence.
    pub(crate) fn at(&self) -> usize {
        match self {
            BadTemplate::Unknown { at, .. } | BadTemplate::LoneBrace { at, .. } => *at,
        }
    }

    /// The text as it's written in the sentence.
    pub(crate) fn written(&self) -> String {
        match self {
            BadTemplate::Unknown { name, .. } => format!("{{{name}}}"),
            BadTemplate::LoneBrace { brace, .. } => brace.to_string(),
        }
    }
}

impl Template {
    /// Parses a sentence: `{name}` is a placeholder, `{{` and `}}` are braces.
    pub(crate) fn parse(
        text: &str,
        placeholders: &'static [&'static str],
    ) -> Result<Template, Vec<BadTemplate>> {
        let mut pieces = Vec::new();
        let mut bad = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            let at = text.len() - rest.len() + at;
            rest = &text[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            let name_end = rest.find(['{', '}', '\n']);
            match name_end {
                Some(end) if brace == "{" && rest[end..].starts_with('}') => {
                    let name = &rest[..end];
                    rest = &rest[end + 1..];
                    match placeholders.iter().find(|known| **known == name) {
                        Some(known) => {
                            pieces.push(Piece::Text(std::mem::take(&mut plain)));
                            pieces.push(Piece::Placeholder(known));
                        }
                        None => bad.push(BadTemplate::Unknown { name: name.to_owned(), at }),
                    }
                }
                _ => bad.push(BadTemplate::LoneBrace { brace: if brace == "{" { '{' } else { '}' }, at }),
            }
        }
        plain.push_str(rest);
        pieces.push(Piece::Text(plain));
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        if bad.is_empty() { Ok(Template(pieces)) } else { Err(bad) }
    }

    /// Fills in the placeholders.
    pub fn fill(&self, mut value: impl FnMut(&'static str) -> String) -> String {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Placeholder(name) => filled.push_str(&value(name)),
            }
        }
        filled
    }

    /// Whether the sentence is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// All sentences of a game, and its menu style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    menu: Menu,
    sentences: Vec<Template>,
    /// The defaults for sentences about a person playing against a computer.
    to_you: Vec<Option<Template>>,
    /// The defaults for sentences about a computer playing against a person.
    to_computer: Vec<Option<Template>>,
    /// The rule book's own sentences, which a record carries.
    given: Vec<(&'static str, String)>,
}

impl Wording {
    pub(crate) fn new(
        numbers: Numbers,
        menu: Option<Menu>,
        given: impl Fn(Sentence) -> Option<String>,
    ) -> Wording {
        let mut written = Vec::new();
        if let Some(menu) = menu {
            written.push(("menu", menu.word().to_owned()));
        }
        let (mut sentences, mut to_you, mut to_computer) = (Vec::new(), Vec::new(), Vec::new());
        for sentence in Sentence::ALL.iter().copied() {
            let own = given(sentence);
            // Invariant: the reader has rejected invalid templates.
            sentences.push(sentence.parse(own.as_deref().unwrap_or(sentence.default_for(numbers))));
            let default_to_you = sentence.default_to_you(numbers).filter(|_| own.is_none());
            to_you.push(default_to_you.map(|text| sentence.parse(text)));
            let default_to_computer = sentence
                .info()
                .default_to_computer_separate
                .filter(|_| numbers == Numbers::Separate && own.is_none());
            to_computer.push(default_to_computer.map(|text| sentence.parse(text)));
            if let Some(own) = own {
                written.push((sentence.info().key, own));
            }
        }
        Wording { menu: menu.unwrap_or(Menu::All), sentences, to_you, to_computer, given: written }
    }

    /// The menu style.
    pub fn menu(&self) -> Menu {
        self.menu
    }

    /// A sentence, ready to be filled in.
    pub fn sentence(&self, sentence: Sentence) -> &Template {
        &self.sentences[sentence as usize]
    }

    /// The default for a sentence about a person playing against a computer; `None` if the rule book has its own
    /// sentence or the sentence is the same for everyone.
    pub fn to_you(&self, sentence: Sentence) -> Option<&Template> {
        self.to_you[sentence as usize].as_ref()
    }

    /// The same for a sentence about a computer playing against a person.
    pub fn to_computer(&self, sentence: Sentence) -> Option<&Template> {
        self.to_computer[sentence as usize].as_ref()
    }

    /// The rule book's own sentences: keys of `[wording]` with their texts.
    pub(crate) fn given(&self) -> &[(&'static str, String)] {
        &self.given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_valid_sentence() {
        for sentence in Sentence::ALL {
            let info = sentence.info();
            for text in [
                Some(info.default),
                info.default_separate,
                info.default_to_you,
                info.default_to_you_separate,
                info.default_to_computer_separate,
            ]
            .into_iter()
            .flatten()
            {
                assert!(Template::parse(text, info.placeholders).is_ok(), "{}: {text}", info.key);
            }
        }
    }

    #[test]
    fn placeholders_braces_and_mistakes() {
        let parse = |text| Template::parse(text, &["player", "number"]);
        let filled = parse("{{{player}}} has {number}}}!").unwrap();
        assert_eq!(filled.fill(|name| name.to_uppercase()), "{PLAYER} has NUMBER}!");
        assert_eq!(parse("").unwrap(), Template(vec![]));
        assert_eq!(
            parse("{who} has {number"),
            Err(vec![
                BadTemplate::Unknown { name: "who".into(), at: 0 },
                BadTemplate::LoneBrace { brace: '{', at: 10 }
            ])
        );
        assert_eq!(parse("a } b"), Err(vec![BadTemplate::LoneBrace { brace: '}', at: 2 }]));
        assert_eq!(parse("{}"), Err(vec![BadTemplate::Unknown { name: String::new(), at: 0 }]));
    }
}
