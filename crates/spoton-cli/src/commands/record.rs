//! `spoton record`: replays records and prints them in either form.

use std::fs::File;
use std::io::{self, Read, Write, stdout};
use std::path::Path;

use spoton::engine::round::Round;
use spoton::records::{self, Record};

use crate::args::RecordArgs;
use crate::failure::Failure;

/// More than any file of records that fits on a desk.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

pub fn run(args: &RecordArgs) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut first = true;
    for path in &args.files {
        for (record, _) in read(path)? {
            if args.json {
                writeln!(out, "{}", record.to_json())?;
            } else {
                if !first {
                    writeln!(out)?;
                }
                write!(out, "{record}")?;
            }
            first = false;
        }
    }
    Ok(())
}

/// The records in a file, each of them replayed; what their moves come to stands in them afterwards.
pub fn read(path: &Path) -> Result<Vec<(Record, Round)>, Failure> {
    let text = read_text(path)?;
    let invalid = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
    let records = records::read_all(&text).map_err(|bad| invalid(bad.to_string()))?;
    if records.is_empty() {
        return Err(invalid("there is no round in it".to_owned()));
    }
    let replayed = (1..).zip(records).map(|(number, mut record)| {
        let round = record.replay().map_err(|bad| invalid(format!("round {number}: {bad}")))?;
        record.state(round.outcome());
        Ok((record, round))
    });
    replayed.collect()
}

/// The text of a file with records.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let about = std::fs::metadata(path)?;
        if about.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(io::Error::other("it has more than 256 MiB"));
        }
        Ok(bytes)
    };
    let bytes = read().map_err(|error| Failure::file("read", path, &error))?;
    String::from_utf8(bytes).map_err(|_| Failure::Usage(format!("{} is not a text in UTF-8", path.display())))
}
