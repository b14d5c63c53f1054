//! Lines from standard input, however long and whatever is in them.

use std::io::{self, BufRead, Read};

/// No line is longer than this.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, or why it cannot be used; `None` at the end of the input.
pub fn next(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    let is_whole = line.last() == Some(&b'\n') || (read as u64) < LONGEST;
    if !is_whole {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!("a line has at most {LONGEST} bytes"))));
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(line) => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
        Err(_) => Err("a line is a text in UTF-8".to_owned()),
    }))
}
