//! `spoton record`: replays records and prints them in either form.

use std::io::{Write, stdout};

use crate::args::RecordArgs;
use crate::failure::Failure;
use crate::files;

pub fn run(args: &RecordArgs) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut first = true;
    for path in &args.files {
        for (record, _) in files::replay_records(path)? {
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
