//! The first steps of reading an answer: unwraps JSON, cuts thinking and removes markup. The rest is plain text.

use serde_json::Value as Json;

use crate::engine::spelling::Words;

/// An answer without its JSON.
pub(super) struct Unwrapped {
    pub text: String,
    /// An object contained `"cut": true`: a length limit ended the answer. Any value but false counts.
    pub is_cut: bool,
}

/// Unwraps JSON anywhere in the text. An object with a `move` at any depth becomes a `move:` line. An object with an
/// `answer` becomes that text.
pub(super) fn without_json(text: &str) -> Unwrapped {
    let mut unwrapped = Unwrapped { text: String::new(), is_cut: false };
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        unwrapped.text.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut objects = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        let length = match objects.next() {
            Some(Ok(object)) => {
                let length = objects.byte_offset();
                unwrapped.is_cut |= is_cut(&object);
                let inner = as_text(&object, &rest[..length]);
                unwrapped.is_cut |= inner.is_cut;
                unwrapped.text.push_str(&inner.text);
                length
            }
            _ => {
                unwrapped.text.push('{');
                1
            }
        };
        rest = &rest[length..];
    }
    unwrapped.text.push_str(rest);
    unwrapped
}

/// The text of an object.
fn as_text(object: &Json, source: &str) -> Unwrapped {
    let moves = moves_in(object);
    // If a key occurs twice, the parser only keeps the last one.
    let has_hidden = occurrences("move", source) > keys("move", object)
        || occurrences("answer", source) > keys("answer", object);
    let text = match (object.get("answer"), &moves[..]) {
        _ if has_hidden => format!("\nmove: {}\n", source.replace([':', '\n'], " ")),
        (Some(Json::String(answer)), []) => return without_json(answer),
        (_, []) => match object {
            Json::Object(keys)
                if keys.iter().any(|(key, value)| is_aside(key) || is_wrapper(key) || has_object(value)) =>
            {
                let keys = keys
                    .iter()
                    .filter(|(key, value)| !is_aside(key) && (is_wrapper(key) || !has_object(value)));
                keys.map(|(key, value)| match value {
                    Json::Object(_) => as_text(value, &value.to_string()).text,
                    Json::String(text) if is_wrapper(key) => format!("\n{}\n", without_json(text).text),
                    value => format!("\n{key}: {value}\n"),
                })
                .collect()
            }
            _ => source.to_owned(),
        },
        _ => format!("\nmove: {}\n", moves.join(", ")),
    };
    Unwrapped { text, is_cut: false }
}

/// Whether an object at any depth says that a length limit ended the answer.
fn is_cut(json: &Json) -> bool {
    match json {
        Json::Object(object) => {
            let is_false = |value: &Json| match value {
                Json::Null | Json::Bool(false) => true,
                Json::Number(number) => number.as_i64() == Some(0),
                Json::String(text) => matches!(&*text.trim().to_lowercase(), "" | "0" | "false" | "no"),
                _ => false,
            };
            object.get("cut").is_some_and(|value| !is_false(value)) || object.values().any(is_cut)
        }
        Json::Array(list) => list.iter().any(is_cut),
        _ => false,
    }
}

fn has_object(json: &Json) -> bool {
    match json {
        Json::Object(_) => true,
        Json::Array(list) => list.iter().any(has_object),
        _ => false,
    }
}

/// Keys around an answer, such as those of a tool call. Objects under any other key don't count.
fn is_wrapper(key: &str) -> bool {
    const WRAPPERS: Words = Words(
        "answer finalanswer final result results response output outputs reply message content text data payload body \
        action decision choice submission play tool tooluse toolcall toolcalls call calls function functioncall \
        arguments args input inputs parameters params",
    );
    let letters = key.chars().filter(char::is_ascii_alphabetic);
    WRAPPERS.has(&letters.collect::<String>().to_lowercase())
}

/// The outermost values of `move`.
fn moves_in(json: &Json) -> Vec<String> {
    match json {
        Json::Object(object) => match object.get("move") {
            Some(Json::String(text)) if !text.trim().is_empty() => vec![text.trim().to_owned()],
            Some(other) => vec![other.to_string()],
            None => object
                .iter()
                .filter(|(key, _)| is_wrapper(key))
                .flat_map(|(_, value)| moves_in(value))
                .collect(),
        },
        Json::Array(list) => list.iter().flat_map(moves_in).collect(),
        // The arguments of a tool call are JSON within JSON.
        Json::String(text) if text.starts_with('{') => {
            serde_json::from_str(text).map_or(Vec::new(), |inner: Json| moves_in(&inner))
        }
        _ => Vec::new(),
    }
}

/// How often a key occurs in the source.
fn occurrences(key: &str, source: &str) -> usize {
    let quoted = format!("\"{key}\"");
    let ends = source.match_indices(&quoted).map(|(at, found)| at + found.len());
    ends.filter(|end| source[*end..].trim_start().starts_with(':')).count()
}

/// How often a key occurs in the parsed object.
fn keys(key: &str, json: &Json) -> usize {
    match json {
        Json::Object(object) => {
            usize::from(object.contains_key(key))
                + object.values().map(|value| keys(key, value)).sum::<usize>()
        }
        Json::Array(list) => list.iter().map(|value| keys(key, value)).sum(),
        _ => 0,
    }
}

/// Whether the name of a tag, JSON key or heading means thinking: `antThinking`, `chain_of_thought`, `analysis`.
pub(super) fn is_thinking(name: &str) -> bool {
    const ROOTS: [&str; 7] = ["think", "thought", "reason", "reflect", "scratchpad", "analysis", "rationale"];
    let name = name.to_lowercase();
    // A plain "reason" isn't thinking. Words such as "reasonable" don't occur as names.
    ROOTS.iter().any(|root| name.contains(root)) && name != "reason"
}

/// Whether a JSON key holds text that doesn't choose a move, such as thinking or other moves.
fn is_aside(key: &str) -> bool {
    const ROOTS: [&str; 10] = [
        "legal",
        "history",
        "candidate",
        "alternative",
        "option",
        "opponent",
        "considered",
        "rejected",
        "previous",
        "explanation",
    ];
    let key = key.to_lowercase();
    is_thinking(&key) || ROOTS.iter().any(|root| key.contains(root))
}
/// One family of models marks thinking with these channels instead of tags.
const CHANNELS: [(&str, &str); 2] =
    [("<|channel|>analysis<|message|>", "<think>"), ("<|channel|>final<|message|>", "</think>")];

/// Escaped brackets. The ampersand must come last.
const ENTITIES: [(&str, &str); 3] = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];

/// Cuts thinking, from an opening tag to the closing one or to the end. A closing tag without an opening one cuts
/// everything before it.
pub(super) fn without_thinking(text: &str) -> String {
    let text = ENTITIES.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain));
    let text = CHANNELS.iter().fold(text, |text, (channel, tag)| text.replace(channel, tag));
    let (mut kept, mut is_open, mut begin) = (String::new(), false, 0);
    for (at, _) in text.match_indices(['<', '[', '◁']) {
        let Some(tag) = Tag::at(&text[at..]).filter(|tag| is_thinking(&tag.name)) else { continue };
        match (tag.closes, is_open) {
            (false, false) => kept.push_str(&text[begin..at]),
            (true, false) => kept.clear(),
            (_, true) => {}
        }
        is_open = !tag.closes;
        begin = at + tag.length;
    }
    if !is_open {
        kept.push_str(&text[begin..]);
    }
    kept
}

/// A tag such as `<think>`, `[/THINK]` or `<|end|>`, without its brackets.
struct Tag {
    name: String,
    closes: bool,
    /// The length in bytes, including the brackets.
    length: usize,
}

impl Tag {
    /// The leading tag.
    fn at(text: &str) -> Option<Tag> {
        // This bound prevents quadratic time on many brackets.
        const LONGEST: usize = 80;
        let begin = text.chars().next()?;
        let end = match begin {
            '<' => '>',
            '[' => ']',
            _ => '▷',
        };
        let (length, _) = text.char_indices().take(LONGEST).find(|(_, c)| *c == end)?;
        let inside = &text[begin.len_utf8()..length];
        let name = inside.trim_start_matches('/').split(' ').next()?.trim_matches(['|', '/']);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphabetic() || "_:-".contains(c));
        is_name.then(|| Tag {
            name: name.to_ascii_lowercase(),
            closes: inside.starts_with('/') || name.starts_with("end_of_"),
            length: length + end.len_utf8(),
        })
    }
}

/// Removes tags, code fences, Markdown and LaTeX. `<move>` becomes a `move:` line.
pub(super) fn without_markup(text: &str) -> String {
    let text = without_struck_out(&text.replace("\r\n", "\n").replace('\r', "\n"));
    let text = UNEQUAL.iter().fold(text, |text, signs| text.replace(signs, "≠"));
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '`' if rest.starts_with("```") => fence(rest, &mut plain),
            '<' => tag(rest, &mut plain),
            '\\' => command(rest, &mut plain),
            '*' => star(rest, &mut plain),
            '_' | '`' | '$' | '"' | '“' | '”' | '„' | '«' | '»' | '{' | '}' | '#' => {
                plain.push(gap(&plain, rest));
                c.len_utf8()
            }
            c => {
                plain.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    plain
}

/// "Not equal" in ASCII.
const UNEQUAL: [&str; 5] = ["=/=", "!=", "/=", "~=", "<>"];

/// The replacement for removed marks: usually a space. If a number continues after them, as in `1{,}000`, or an
/// index or a power begins, as in `x_2`, it's a backslash, so that nothing in front of it is a whole move.
fn gap(plain: &str, rest: &str) -> char {
    // This bound prevents quadratic time on many marks.
    const LONGEST: usize = 40;
    const MARKS: [char; 12] = ['_', '`', '$', '"', '“', '”', '„', '«', '»', '{', '}', '*'];
    // A separator may be between the digits: `1{,}000`.
    let number = plain.trim_end_matches(['.', ',', '\'']);
    let is_separated = number.len() < plain.len() && number.ends_with('\\');
    let is_after_digit = number.ends_with(char::is_numeric) || is_separated;
    let is_after_letter = plain.ends_with(char::is_alphabetic)
        && !plain.chars().rev().nth(1).is_some_and(char::is_alphanumeric);
    let is_raised = is_after_letter && (rest.starts_with(['_', '{']) || rest.starts_with("**"));
    if !is_after_digit && !is_raised {
        return ' ';
    }
    let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
    let mut rest = &rest[..end];
    while let Some(c) = rest.chars().next() {
        let command = rest[c.len_utf8()..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        rest = match c {
            '\\' if command.len() + 1 < rest.len() => command,
            '\\' => command.get(1..).unwrap_or_default(),
            c if MARKS.contains(&c) => &rest[c.len_utf8()..],
            '.' | ',' | '\'' if is_after_digit => &rest[1..],
            c => return if c.is_numeric() { '\\' } else { ' ' },
        };
    }
    ' '
}

/// Cuts struck-out text. An unclosed `<s>` only starts some text.
fn without_struck_out(text: &str) -> String {
    let parts: Vec<&str> = text.split("~~").collect();
    let text = match parts.len() % 2 {
        1 => parts.into_iter().step_by(2).collect::<Vec<_>>().join(" "),
        _ => text.to_owned(),
    };
    let (mut kept, mut rest, mut closes) = (String::new(), text.as_str(), true);
    while let Some(at) = rest.find(['<', '[']) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let tag = Tag::at(rest).filter(|tag| !tag.closes && matches!(&*tag.name, "del" | "strike" | "s"));
        let Some(tag) = tag.filter(|tag| closes || tag.name != "s") else {
            kept.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        let ends = |(at, _): (usize, &str)| {
            let end = Tag::at(&rest[at..]).filter(|end| end.closes && end.name == tag.name)?;
            Some(at + end.length)
        };
        let end = rest.match_indices(['<', '[']).find_map(ends);
        kept.push(' ');
        rest = match end {
            Some(end) => &rest[end..],
            None if tag.name == "s" => {
                closes = false;
                &rest[tag.length..]
            }
            None => "",
        };
    }
    kept + rest
}

/// A code fence, including the language name, if any.
fn fence(text: &str, plain: &mut String) -> usize {
    const INDENTED: usize = 4;
    let ticks = text.len() - text.trim_start_matches('`').len();
    let begins_line = plain.chars().rev().take(INDENTED).find(|c| *c != ' ').is_none_or(|c| c == '\n');
    plain.push(' ');
    if !begins_line {
        return ticks;
    }
    let line = text[ticks..].lines().next().unwrap_or_default();
    // A fence without further lines, such as ```+1```, has its content where others have the language name.
    let content = text[ticks + line.len()..].split("```").next().unwrap_or_default();
    let is_name = line.trim().chars().all(|c| c.is_ascii_alphanumeric()) && !content.trim().is_empty();
    if is_name { ticks + line.len() } else { ticks }
}

fn tag(text: &str, plain: &mut String) -> usize {
    let Some(tag) = Tag::at(text) else {
        plain.push(' ');
        return 1;
    };
    plain.push_str(match (&*tag.name, tag.closes) {
        ("move", false) => "\nmove: ",
        ("move" | "p" | "li" | "div" | "answer", _) | ("br", _) => "\n",
        _ => " ",
    });
    tag.length
}

/// LaTeX commands for formatting.
const LOOKS: Words = Words(
    "boxed fbox text textbf textit texttt textrm mathrm mathbf mathit mathtt left right quad qquad \
    displaystyle",
);

/// A LaTeX command or an escaped character.
fn command(text: &str, plain: &mut String) -> usize {
    let name: String = text[1..].chars().take_while(char::is_ascii_alphabetic).collect();
    match name.as_str() {
        "" => match text[1..].chars().next() {
            Some('*') => plain.push('×'),
            Some(c @ ('+' | '-' | '@' | '/' | '%')) => plain.push(c),
            Some('\\') => plain.push('\n'),
            Some(c) if c.is_ascii_punctuation() => plain.push(gap(plain, text)),
            _ => {
                plain.push('\\');
                return 1;
            }
        },
        "times" | "cdot" | "ast" => plain.push('×'),
        "div" => plain.push('÷'),
        // An escaped line break, not a command
        "n" => plain.push('\n'),
        "to" | "rightarrow" | "Rightarrow" | "implies" => plain.push('→'),
        name if LOOKS.has(name) => plain.push(gap(plain, text)),
        // Any other command becomes a word, which separates the text on both sides.
        name => plain.push_str(&format!(" {name} ")),
    }
    1 + name.len().max(text[1..].chars().next().filter(|_| name.is_empty()).map_or(0, char::len_utf8))
}

/// A single star before a number is a times sign unless another star closes it: `*2*` is emphasis.
fn star(text: &str, plain: &mut String) -> usize {
    let stars = text.len() - text.trim_start_matches('*').len();
    let number = text[stars..].trim_start_matches(' ');
    let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let closing = behind.len() - behind.trim_start_matches('*').len();
    let is_times = stars == 1 && behind.len() < number.len() && closing != 1;
    plain.push(if is_times { '×' } else { gap(plain, text) });
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_becomes_text() {
        for (json, text) in [
            ("{\"move\": \"x2\"}", "move: x2"),
            ("{\"move\": -1}", "move: -1"),
            ("{\"move\": [\"+1\", \"x2\"]}", "move: [\"+1\",\"x2\"]"),
            ("{\"name\": \"play\", \"arguments\": {\"move\": \"x2\"}}", "move: x2"),
            ("{\"arguments\": \"{\\\"move\\\": \\\"x2\\\"}\"}", "move: x2"),
            ("{\"tried\": [{\"move\": \"+1\"}], \"move\": \"x2\"}", "move: x2"),
            ("{\"answer\": \"Hm.\\nmove: +1\"}", "Hm.\nmove: +1"),
            ("{\"answer\": \"{\\\"move\\\": \\\"+1\\\"}\"}", "move: +1"),
            ("{\"n\": 1}", "{\"n\": 1}"),
            ("{\"bad\": {\"move\": \"x2\"}}", ""),
            ("{\"result\": {\"answer\": \"x2\"}}", "x2"),
            ("{move: +1", "{move: +1"),
        ] {
            assert_eq!(without_json(json).text.trim(), text, "{json}");
        }
        let twice = without_json("{\"move\":\"+1\",\"move\":\"x2\"}").text;
        assert!(twice.contains("+1") && twice.contains("x2"), "{twice}");
        for cut in ["true", "\"true\"", "1", "\"yes\""] {
            assert!(
                without_json(&format!("{{\"a\": {{\"answer\": \"+1\", \"cut\": {cut}}}}}")).is_cut,
                "{cut}"
            );
        }
        for whole in ["false", "\"false\"", "0", "null"] {
            assert!(!without_json(&format!("{{\"answer\": \"+1\", \"cut\": {whole}}}")).is_cut, "{whole}");
        }
    }

    #[test]
    fn thinking_is_cut() {
        for (text, kept) in [
            ("<think>+1</think>x2", "x2"),
            ("<THINK>+1</THINK>x2", "x2"),
            ("[THINK]+1[/THINK]x2", "x2"),
            ("◁think▷+1◁/think▷x2", "x2"),
            ("<thinking>+1", ""),
            ("x2<think>+1", "x2"),
            ("+1</think>x2", "x2"),
            ("<think>a<think>b</think>c</think>x2", "x2"),
            ("<|channel|>analysis<|message|>+1<|end|><|channel|>final<|message|>x2", "x2"),
            ("a < b <x2>", "a < b <x2>"),
        ] {
            assert_eq!(without_thinking(text), kept, "{text}");
        }
    }

    #[test]
    fn markup_is_removed() {
        for (text, plain) in [
            ("**move: *2**", "move: ×2"),
            ("*2*", "2"),
            ("\\*2", "×2"),
            ("```json\n+1\n```", "+1"),
            ("```+1```", "+1"),
            ("$\\boxed{\\times 2}$", "× 2"),
            ("\\frac{1}{2}", "frac 1\\ 2"),
            ("1{,}000 **1**.5 x_2 fill_1", "1\\,\\000 1\\.5 x\\2 fill 1"),
            ("<del>+1</del><s>+2</s> x2 [s]+3[/s]", "x2"),
            ("<s> x2", "x2"),
            ("a != b <> c", "a ≠ b ≠ c"),
            ("<move>+1</move>", "move: +1"),
            ("~~x2~~ +1", "+1"),
            ("<b>+1</b>", "+1"),
        ] {
            let words: Vec<String> = without_markup(text).split_whitespace().map(str::to_owned).collect();
            assert_eq!(words.join(" "), plain, "{text}");
        }
    }
}
