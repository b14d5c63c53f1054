//! How a game speaks: the sentences of its dialogue, with placeholders.
//!
//! Every sentence has a key in a rule book's `[wording]`, a plain default, and the placeholders that it may use.
//! The table below is the only place that lists them; the reader, the dialogue and the format page follow it.

use super::vocabulary::{Menu, Numbers};

/// What a sentence is for, what it says by default, and what may be filled into it.
#[derive(Debug)]
pub struct SentenceInfo {
    /// Its key in `[wording]`.
    pub key: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// What it says if the rule book does not give it.
    pub default: &'static str,
    /// What it says instead if each player has a number.
    pub default_separate: Option<&'static str>,
    /// The placeholders that it may use.
    pub placeholders: &'static [&'static str],
}

macro_rules! sentences {
    ($($(#[doc = $about:literal])+ $name:ident $key:literal $placeholders:ident
       $default:literal $(separate $separate:literal)?;)+) => {
        /// The sentences of a dialogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Sentence { $($(#[doc = $about])+ $name,)+ }

        impl Sentence {
            /// Every sentence, in the order of a round.
            pub const ALL: &'static [Sentence] = &[$(Sentence::$name),+];

            /// What is known of it.
            pub fn info(self) -> &'static SentenceInfo {
                const INFO: &[SentenceInfo] = &[$(SentenceInfo {
                    key: $key,
                    about: concat!($($about),+),
                    default: $default,
                    default_separate: sentences!(@option $($separate)?),
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
];
const SKIP: &[&str] = &["player", "opponent", "number", "target"];
const ENDING: &[&str] = &["title", "start", "target", "player", "opponent", "number"];
const DRAW: &[&str] = &["title", "start", "target"];
const REPETITION: &[&str] = &["title", "start", "target", "times"];
const WINS: &[&str] = &["title", "target", "winner", "loser"];

sentences! {
    /// before the first turn; nothing is printed where it is empty
    Opening "opening" OPENING "{title}\n{goal}";
    /// between two turns, and before the ending
    Separator "separator" NONE "";
    /// the beginning of a turn
    Turn "turn" TURN "{player}'s turn. The number is {number}."
        separate "{player}'s turn. {Your} number is {number}; {opponent} has {other}.";
    /// the menu, in which `{list}` stands for its items
    Choices "choices" LIST "{list}";
    /// the menu where just one operation is legal; where empty, `choices` serves
    ChoicesOne "choices_one" LIST "";
    /// an operation in the menu
    Item "item" ITEM "{key}. {Operation}";
    /// the same, where its uses or the passes are limited
    ItemLimited "item_limited" ITEM_LIMITED "{key}. {Operation} ({left})";
    /// the same, where it may not be chosen now
    ItemBarred "item_barred" ITEM_BARRED "{key}. {Operation} (not now: {reason})";
    /// between two items
    ItemSeparator "item_separator" NONE "\n";
    /// the question after the menu
    Prompt "prompt" PROMPT "{Your} choice ({keys}): ";
    /// with `menu = "questions"`: the first question
    OperationPrompt "operation_prompt" OPERATION_PROMPT "{player}, choose an operation ({words}): ";
    /// with `menu = "questions"`: the second question
    NumberPrompt "number_prompt" NUMBER_PROMPT "Choose a number ({numbers}): ";
    /// with `menu = "questions"`: what is left of limited uses and passes; not printed where nothing is limited
    Limits "limits" LIMITS "Left for {player}: {limits}.";
    /// after a move
    Moved "moved" MOVED "{You} chose to {operation}. The number is now {number}."
        separate "{You} chose to {operation}. {Your} number is now {number}.";
    /// after a move on the other player's number
    MovedOther "moved_other" MOVED "{You} chose to {operation}. {opponent}'s number is now {other}.";
    /// a turn that goes over
    Skip "skip" SKIP "{player} has no legal move, so the turn is skipped.";
    /// somebody's number landed on the target
    Reached "reached" ENDING "{player} has reached {target}!";
    /// somebody's number went past the target
    Overshot "overshot" ENDING "{player} has gone past {target}!";
    /// somebody's number landed on one of the lists
    Landed "landed" ENDING "{player} has landed on {number}!";
    /// somebody has no legal move, and that ends the round
    Stuck "stuck" ENDING "{player} has no legal move!";
    /// neither player has a legal move
    BothStuck "both_stuck" DRAW "Neither player has a legal move!";
    /// neither player has a legal move, and the number closer to the target wins
    Closest "closest" ENDING "Neither player has a legal move: the number closer to {target} decides!";
    /// all turns are taken, and the number closer to the target wins
    Turns "turns" ENDING "All turns are taken: the number closer to {target} decides!";
    /// somebody gave up
    Resigned "resigned" ENDING "{player} has given up!";
    /// the same position came up too often
    Repetition "repetition" REPETITION "The same position came up {times} times, so it's a draw (house rule).";
    /// two computers went on for too long
    Stopped "stopped" DRAW "This could go on for ever, so it stops here.";
    /// an outside program gave no answer that counts; nobody wins then
    Forfeited "forfeited" ENDING "{player} has given no legal answer, so nobody wins.";
    /// somebody did not come back to a round on the web; nobody wins then
    Abandoned "abandoned" ENDING "{player} did not come back, so nobody wins.";
    /// the last line of a round that somebody won
    Wins "wins" WINS "{winner} wins the game!";
    /// the last line of a drawn round
    Drawn "drawn" DRAW "The game is a draw!";
    /// what `{previous}` says before a player's first move
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
}

/// A sentence taken apart, ready to be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(&'static str),
}

/// What is wrong with the braces of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadTemplate {
    /// This placeholder is not among the sentence's.
    Unknown { name: String, at: usize },
    /// A brace without its partner.
    LoneBrace { brace: char, at: usize },
}

impl BadTemplate {
    /// Where it begins in the sentence, in bytes.
    pub(crate) fn at(&self) -> usize {
        match self {
            BadTemplate::Unknown { at, .. } | BadTemplate::LoneBrace { at, .. } => *at,
        }
    }

    /// How it stands in the sentence.
    pub(crate) fn written(&self) -> String {
        match self {
            BadTemplate::Unknown { name, .. } => format!("{{{name}}}"),
            BadTemplate::LoneBrace { brace, .. } => brace.to_string(),
        }
    }
}

impl Template {
    /// Reads a sentence: `{name}` is a placeholder, `{{` and `}}` are braces.
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

    /// The sentence with its placeholders filled in.
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

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// All sentences of a game and the way its menu behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    menu: Menu,
    sentences: Vec<Template>,
    /// What the rule book itself said, to be written down again with a round.
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
        let mut sentences = Vec::new();
        for sentence in Sentence::ALL.iter().copied() {
            let own = given(sentence);
            let text = own.as_deref().unwrap_or(sentence.default_for(numbers));
            // The reader has refused what does not parse, and a test parses every default.
            let template = Template::parse(text, sentence.info().placeholders)
                .unwrap_or_else(|_| Template(vec![Piece::Text(text.to_owned())]));
            sentences.push(template);
            if let Some(own) = own {
                written.push((sentence.info().key, own));
            }
        }
        Wording { menu: menu.unwrap_or(Menu::All), sentences, given: written }
    }

    /// How the menu behaves.
    pub fn menu(&self) -> Menu {
        self.menu
    }

    /// A sentence, ready to be filled in.
    pub fn sentence(&self, sentence: Sentence) -> &Template {
        &self.sentences[sentence as usize]
    }

    /// What the rule book said itself: keys of `[wording]` with their texts.
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
            for text in [Some(info.default), info.default_separate].into_iter().flatten() {
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
