//! Lines from standard input, of any length and content.

use std::io::{self, BufRead, Read};

/// Maximum length of a line.
const LONGEST: u64 = 1 << 20;

/// Returns the next line without its line break, or why it is invalid; `None` at the end of the input.
pub fn next(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    let is_whole = line.last() == Some(&b'\n') || (read as u64) < LONGEST;
    if !is_whole {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!("a line can have at most {LONGEST} bytes"))));
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(line) => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
        Err(_) => Err("a line must be UTF-8 text".to_owned()),
    }))
}
