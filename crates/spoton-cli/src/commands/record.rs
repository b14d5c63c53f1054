//! `spoton record`: replays records and prints them in either form.

use std::io::Write;

use crate::args::RecordArgs;
use crate::failure::Failure;
use crate::files;
use crate::shown::answer_out;

pub fn run(args: &RecordArgs) -> Result<(), Failure> {
    let mut out = answer_out(args.json);
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
