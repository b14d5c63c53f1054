//! The first steps of reading an answer: JSON is unwrapped, thinking is cut, markup is removed. Plain text is left.

use serde_json::Value as Json;

use crate::words::spelling::Words;

/// What is left of an answer once its JSON is unwrapped.
pub(super) struct Unwrapped {
    pub text: String,
    /// An object said `"cut": true`: a length limit ended the answer.
    pub is_cut: bool,
}

/// Unwraps JSON wherever it is: an object with a `move`, however deep, becomes a `move:` line; one with an `answer`
/// becomes that text.
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
                unwrapped.is_cut |= object.get("cut") == Some(&Json::Bool(true));
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

/// What an object says in place of its source.
fn as_text(object: &Json, source: &str) -> Unwrapped {
    let moves = moves_in(object);
    // Of a key that is there twice, the last would hide the first.
    let has_hidden = occurrences("move", source) > keys("move", object)
        || occurrences("answer", source) > keys("answer", object);
    let text = match (object.get("answer"), &moves[..]) {
        _ if has_hidden => format!("\nmove: {}\n", source.replace([':', '\n'], " ")),
        (Some(Json::String(answer)), []) => return without_json(answer),
        (_, []) => source.to_owned(),
        _ => format!("\nmove: {}\n", moves.join(", ")),
    };
    Unwrapped { text, is_cut: false }
}

/// The values of `move` that are nearest to the outside.
fn moves_in(json: &Json) -> Vec<String> {
    match json {
        Json::Object(object) => match object.get("move") {
            Some(Json::String(text)) if !text.trim().is_empty() => vec![text.trim().to_owned()],
            Some(other) => vec![other.to_string()],
            None => object.values().flat_map(moves_in).collect(),
        },
        Json::Array(list) => list.iter().flat_map(moves_in).collect(),
        // The arguments of a tool call are JSON within JSON.
        Json::String(text) if text.starts_with('{') => {
            serde_json::from_str(text).map_or(Vec::new(), |inner: Json| moves_in(&inner))
        }
        _ => Vec::new(),
    }
}

/// How often a key is written.
fn occurrences(key: &str, source: &str) -> usize {
    let quoted = format!("\"{key}\"");
    let ends = source.match_indices(&quoted).map(|(at, found)| at + found.len());
    ends.filter(|end| source[*end..].trim_start().starts_with(':')).count()
}

/// How often it is read.
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

/// The names of tags around thinking.
const THINKING: Words = Words("think thinking thought thoughts reasoning reflection scratchpad");
/// The same as the channels of one family of models.
const CHANNELS: [(&str, &str); 2] =
    [("<|channel|>analysis<|message|>", "<think>"), ("<|channel|>final<|message|>", "</think>")];

/// Cuts thinking: from an opening tag to the closing one, or to the end. Before a closing tag without an opening one,
/// everything is thinking.
pub(super) fn without_thinking(text: &str) -> String {
    let text = CHANNELS.iter().fold(text.to_owned(), |text, (channel, tag)| text.replace(channel, tag));
    let (mut kept, mut is_open, mut begin) = (String::new(), false, 0);
    for (at, _) in text.match_indices(['<', '[', '◁']) {
        let Some(tag) = Tag::at(&text[at..]).filter(|tag| THINKING.has(&tag.name)) else { continue };
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
    /// In bytes, with its brackets.
    length: usize,
}

impl Tag {
    /// The tag that begins a text.
    fn at(text: &str) -> Option<Tag> {
        // Bounded, so that many brackets don't cost the square of their number.
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
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
        is_name.then(|| Tag {
            name: name.to_ascii_lowercase(),
            closes: inside.starts_with('/'),
            length: length + end.len_utf8(),
        })
    }
}

/// Removes tags, code fences, Markdown and LaTeX. `<move>` becomes a `move:` line.
pub(super) fn without_markup(text: &str) -> String {
    let text = without_struck_out(&text.replace("\r\n", "\n").replace('\r', "\n"));
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '`' if rest.starts_with("```") => fence(rest, &mut plain),
            '<' => tag(rest, &mut plain),
            '\\' => command(rest, &mut plain),
            '*' => star(rest, &mut plain),
            '_' | '`' | '$' | '"' | '“' | '”' | '„' | '«' | '»' | '{' | '}' | '#' => {
                plain.push(' ');
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

fn without_struck_out(text: &str) -> String {
    let parts: Vec<&str> = text.split("~~").collect();
    match parts.len() % 2 {
        1 => parts.into_iter().step_by(2).collect::<Vec<_>>().join(" "),
        _ => text.to_owned(),
    }
}

/// A code fence with the name of its language, if it has one.
fn fence(text: &str, plain: &mut String) -> usize {
    const INDENTED: usize = 4;
    let ticks = text.len() - text.trim_start_matches('`').len();
    let begins_line = plain.chars().rev().take(INDENTED).find(|c| *c != ' ').is_none_or(|c| c == '\n');
    plain.push(' ');
    if !begins_line {
        return ticks;
    }
    let line = text[ticks..].lines().next().unwrap_or_default();
    // A fence on one line, such as ```+1```, has its content where others have a name, and so has one without more lines.
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

/// LaTeX commands that only say how something looks.
const LOOKS: Words = Words(
    "boxed fbox text textbf textit texttt textrm mathrm mathbf mathit mathtt left right quad qquad \
    displaystyle",
);

/// A command of LaTeX, or an escaped character.
fn command(text: &str, plain: &mut String) -> usize {
    let name: String = text[1..].chars().take_while(char::is_ascii_alphabetic).collect();
    match name.as_str() {
        "" => match text[1..].chars().next() {
            Some('*') => plain.push('×'),
            Some(c @ ('+' | '-' | '@' | '/')) => plain.push(c),
            Some('\\') => plain.push('\n'),
            Some(c) if c.is_ascii_punctuation() => plain.push(' '),
            _ => {
                plain.push('\\');
                return 1;
            }
        },
        "times" | "cdot" | "ast" => plain.push('×'),
        "div" => plain.push('÷'),
        "to" | "rightarrow" | "Rightarrow" | "implies" => plain.push('→'),
        name if LOOKS.has(name) => plain.push(' '),
        // Any other command is a word, which keeps what is around it apart.
        name => plain.push_str(&format!(" {name} ")),
    }
    1 + name.len().max(text[1..].chars().next().filter(|_| name.is_empty()).map_or(0, char::len_utf8))
}

/// One star before a number is a times sign, unless another one closes it: `*2*` is emphasis.
fn star(text: &str, plain: &mut String) -> usize {
    let stars = text.len() - text.trim_start_matches('*').len();
    let number = text[stars..].trim_start_matches(' ');
    let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let closing = behind.len() - behind.trim_start_matches('*').len();
    let is_times = stars == 1 && behind.len() < number.len() && closing != 1;
    plain.push(if is_times { '×' } else { ' ' });
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
            ("{move: +1", "{move: +1"),
        ] {
            assert_eq!(without_json(json).text.trim(), text, "{json}");
        }
        let twice = without_json("{\"move\":\"+1\",\"move\":\"x2\"}").text;
        assert!(twice.contains("+1") && twice.contains("x2"), "{twice}");
        assert!(without_json("{\"answer\": \"+1\", \"cut\": true}").is_cut);
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
            ("\\frac{1}{2}", "frac 1 2"),
            ("<move>+1</move>", "move: +1"),
            ("~~x2~~ +1", "+1"),
            ("<b>+1</b>", "+1"),
        ] {
            let words: Vec<String> = without_markup(text).split_whitespace().map(str::to_owned).collect();
            assert_eq!(words.join(" "), plain, "{text}");
        }
    }
}
