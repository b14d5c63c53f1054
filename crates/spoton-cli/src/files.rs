//! Files that are named on the command line: records to read, rule books to write.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use spoton::engine::round::Round;
use spoton::records::{self, Record};

use crate::failure::Failure;
use crate::shown;

/// More than any file of records that fits on a desk.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// What stands for standard input in the place of a file's name.
pub const STANDARD_INPUT: &str = "-";

/// Opens a file to be read. A pipe or a device is refused: it could be waited for, for ever.
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
        return Err(io::Error::other("it is not a file"));
    }
    Ok(file)
}

/// The records in a file, each of them replayed; what their moves come to stands in them afterwards.
pub fn replay_records(path: &Path) -> Result<Vec<(Record, Round)>, Failure> {
    let replayed = records::replay_all(&read_records(path)?)
        .map_err(|bad| Failure::Usage(format!("{}: {bad}", shown::path(path))))?;
    tell_warnings(path, replayed.iter().map(|(record, _)| record));
    Ok(replayed)
}

/// Tells what is odd about the records of a file.
pub fn tell_warnings<'r>(path: &Path, records: impl IntoIterator<Item = &'r Record>) {
    for (number, record) in (1..).zip(records) {
        for warning in record.warnings() {
            // If nobody listens, the records are read all the same.
            let _ = writeln!(shown::err(), "spoton: {}: round {number}: {warning}", shown::path(path));
        }
    }
}

/// The text of a file with records.
pub fn read_records(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path, LARGEST_FILE + 1).map_err(|error| Failure::reading(path, &error))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let too_large = io::Error::other("it has more than 256 MiB");
        return Err(Failure::reading(path, &too_large));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::Usage(format!("{} is not a text in UTF-8", shown::path(path))))
}

/// What is in a file that was named, or comes by standard input: no more than so many bytes of it.
pub fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new(STANDARD_INPUT) {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else if std::fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Writes a new file, or tells why not.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    write_new(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} exists already, and is left as it is", shown::path(path)))
        }
        _ => Failure::file("write", path, &error),
    })
}

/// Writes a new file, all of it or nothing. A file that exists already is left as it is.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half a rule book is of no use to anybody.
        let _ = std::fs::remove_file(path);
    }
    written
}
