//! Text records for people: tags in brackets, then numbered moves, with comments.

use std::fmt;

use super::tags::{RULEBOOK_TAG, Tag, VERSION_TAG, is_tag_name};
use super::{BadRecord, MARKS, Record, RecordedMove, RoundResult, is_move, read_comment};
use crate::format::quotable;

const WIDTH: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (tag, value) in self.tags() {
            let superseded = self.superseded.iter().filter(|(earlier, _)| *earlier == tag);
            for value in superseded.map(|(_, value)| value).chain([&value]) {
                let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                writeln!(f, "[{tag} \"{value}\"]")?;
            }
        }
        writeln!(f)?;
        let mut line = String::new();
        for word in self.words() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                writeln!(f, "{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        writeln!(f, "{line}")
    }
}

impl Record {
    /// The moves as words. Lines may break between them.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (index, recorded) in self.moves.iter().enumerate() {
            if index % 2 == 0 {
                words.push(format!("{}.", index / 2 + 1));
            }
            words.push(format!("{}{}", recorded.written, recorded.mark));
            if !recorded.comment.is_empty() {
                let comment = format!("{{{}}}", recorded.comment.replace('}', ")"));
                words.extend(comment.split_whitespace().map(str::to_owned));
            }
        }
        words.push(self.result.word().to_owned());
        words
    }
}

pub(super) fn read_all(text: &str) -> Result<Vec<Record>, BadRecord> {
    let mut records = Vec::new();
    let mut tags: Vec<Tag> = Vec::new();
    let mut body: Vec<(usize, &str)> = Vec::new();
    let mut first_line = 1;
    let mut in_comment = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        // A bracket inside a comment doesn't start a tag: comments may span lines.
        if line.starts_with('[') && !in_comment {
            if !body.is_empty() {
                records.push(assemble(std::mem::take(&mut tags), std::mem::take(&mut body), first_line)?);
            }
            if tags.is_empty() {
                first_line = number;
            }
            let (name, value) = read_tag(line).ok_or_else(|| {
                BadRecord::at(
                    number,
                    format!("a tag must look like [Result \"1-0\"], not {}", quotable(line)),
                )
            })?;
            tags.push(Tag { line: Some(number), name, value });
        } else if in_comment || !is_remark(line) {
            in_comment = leaves_comment_open(line, in_comment);
            body.push((number, line));
        }
    }
    if !tags.is_empty() || !body.is_empty() {
        records.push(assemble(tags, body, first_line)?);
    }
    Ok(records)
}

/// Whether the text starts with a record's tags. Other files have tags too, so one of ours must be among
/// them.
pub(super) fn begins(text: &str) -> bool {
    let mut in_comment = false;
    let first = text.lines().skip_while(|line| {
        let is_said_before = in_comment || is_remark(line) || line.starts_with('{');
        in_comment = leaves_comment_open(line, in_comment);
        is_said_before
    });
    first.map_while(read_tag).any(|(name, _)| name == VERSION_TAG || name == RULEBOOK_TAG)
}

/// Whether a line is blank or a remark, which may appear anywhere.
fn is_remark(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with(';')
}

/// Whether a `{` is still unclosed after a line.
fn leaves_comment_open(line: &str, mut open: bool) -> bool {
    for c in line.chars() {
        match c {
            '{' => open = true,
            '}' => open = false,
            ';' if !open => break,
            _ => {}
        }
    }
    open
}

fn read_tag(line: &str) -> Option<(String, String)> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let (tag, value) = inner.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut plain = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(chars.next()?),
            '"' => return None,
            _ => plain.push(c),
        }
    }
    is_tag_name(tag).then(|| (tag.to_owned(), plain))
}

fn assemble(tags: Vec<Tag>, body: Vec<(usize, &str)>, first_line: usize) -> Result<Record, BadRecord> {
    let mut record =
        Record::from_tags(tags).map_err(|bad| BadRecord { line: bad.line.or(Some(first_line)), ..bad })?;
    let mut in_comment: Option<String> = None;
    let mut over = false;
    for (number, line) in body {
        let mut rest = line;
        loop {
            rest = rest.trim_start();
            if let Some(mut comment) = in_comment.take() {
                let end = rest.find('}');
                comment.push_str(&rest[..end.unwrap_or(rest.len())]);
                match end {
                    Some(end) => {
                        add_comment(&mut record, &comment, number)?;
                        rest = &rest[end + 1..];
                        continue;
                    }
                    None => {
                        in_comment = Some(comment + " ");
                        break;
                    }
                }
            }
            if rest.is_empty() || rest.starts_with(';') {
                break;
            }
            if let Some(comment) = rest.strip_prefix('{') {
                in_comment = Some(String::new());
                rest = comment;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || c == '{' || c == ';').unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if over {
                return Err(BadRecord::at(
                    number,
                    format!("{} comes after the end of the round", quotable(word)),
                ));
            }
            over = add_word(&mut record, word, number)?;
        }
    }
    match in_comment {
        Some(_) => Err(BadRecord::at(first_line, "a comment isn't closed; add the missing }")),
        None => Ok(record),
    }
}

fn add_comment(record: &mut Record, comment: &str, line: usize) -> Result<(), BadRecord> {
    let comment = read_comment(comment).map_err(|bad| BadRecord { line: Some(line), ..bad })?;
    // A comment before the first move is about the round, and goes into a tag.
    let said = match record.moves.last_mut() {
        Some(last) => &mut last.comment,
        None => {
            let known = record.other_tags.iter().position(|(tag, _)| tag == COMMENT);
            let at = known.unwrap_or_else(|| {
                record.other_tags.push((COMMENT.to_owned(), String::new()));
                record.other_tags.len() - 1
            });
            &mut record.other_tags[at].1
        }
    };
    if !said.is_empty() && !comment.is_empty() {
        said.push(' ');
    }
    said.push_str(&comment);
    Ok(())
}

const COMMENT: &str = "Comment";

/// Reads a word of the moves. Returns true for the result, which ends them.
fn add_word(record: &mut Record, word: &str, line: usize) -> Result<bool, BadRecord> {
    if let Some(result) = RoundResult::parse(word) {
        let stated = record.result;
        if stated != RoundResult::Open && stated != result {
            let message = format!("the moves end with {word}, but [Result] is {}", stated.word());
            return Err(BadRecord::at(line, message));
        }
        record.result = result;
        return Ok(true);
    }
    // Move numbers such as `3.` or `3...` are for people. `3.x2` may omit the space.
    let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_number.len() < word.len() && after_number.starts_with('.');
    let a_move = if is_numbered { after_number.trim_start_matches('.') } else { word };
    if a_move.is_empty() {
        return Ok(false);
    }
    let written = a_move.trim_end_matches(MARKS);
    if !is_move(written) {
        return Err(BadRecord::at(line, format!("\"{}\" isn't a move", quotable(a_move))));
    }
    record.moves.push(RecordedMove {
        written: written.to_owned(),
        mark: a_move[written.len()..].to_owned(),
        comment: String::new(),
    });
    Ok(false)
}
