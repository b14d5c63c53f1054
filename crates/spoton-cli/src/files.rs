//! Files from the command line: records to read, rule books to write.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use spoton::engine::round::Round;
use spoton::records::{self, Record};

use crate::failure::Failure;
use crate::shown;

/// Limit for record files.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// The file name that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// Opens a regular file for reading. Reading from a pipe or a device could block forever.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(file)
}

/// Reads and replays a file's records. Each record gets the result of its moves.
pub fn replay_records(path: &Path) -> Result<Vec<(Record, Round)>, Failure> {
    let replayed = records::replay_all(&read_records(path)?)
        .map_err(|bad| Failure::Usage(format!("{}: {bad}", shown::path(path))))?;
    tell_warnings(path, replayed.iter().map(|(record, _)| record));
    Ok(replayed)
}

/// Prints warnings about the records of a file.
pub fn tell_warnings<'r>(path: &Path, records: impl IntoIterator<Item = &'r Record>) {
    for (number, record) in (1..).zip(records) {
        for warning in record.warnings() {
            // Keep going if standard error is closed.
            let _ = writeln!(shown::err(), "spoton: {}: round {number}: {warning}", shown::path(path));
        }
    }
}

/// Reads a record file.
pub fn read_records(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path, LARGEST_FILE + 1).map_err(|error| Failure::reading(path, &error))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let too_large = io::Error::other("it is larger than 256 MiB");
        return Err(Failure::reading(path, &too_large));
    }
    String::from_utf8(bytes).map_err(|_| Failure::Usage(format!("{} is not UTF-8 text", shown::path(path))))
}

/// Reads at most `most` bytes from a file or standard input.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new(STANDARD_INPUT) {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Writes a new file. The error names the file.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    write_new(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} already exists; choose another name", shown::path(path)))
        }
        _ => Failure::file("write", path, &error),
    })
}

/// Writes a new file completely or not at all. Never overwrites a file.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // Don't leave half a rule book behind.
        let _ = std::fs::remove_file(path);
    }
    written
}
