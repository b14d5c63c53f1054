//! `spoton review --convert`: replays records and prints them as text or JSON.

use std::io::Write;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::files;
use crate::shown::answer_out;

pub fn run(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    let mut out = answer_out(json);
    let mut first = true;
    for path in files {
        for (record, _) in files::replay_records(path)? {
            if json {
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
