//! All rounds that people have finished, in one file: records as `--record` writes them, with dates.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;

use spoton::records::{self, Record};

use crate::clock;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;

/// Only the last part of the file is read, up to this size.
const LARGEST: u64 = 32 * 1024 * 1024;

/// The beginning of every record that Spot On writes.
const BEGINNING: &[u8] = b"[SpotOn ";

/// The tag with the UTC date.
const DAY: &str = "UTCDate";

/// All readable rounds, oldest first.
#[derive(Default)]
pub struct PastRounds {
    pub rounds: Vec<PastRound>,
    /// Number of unreadable rounds.
    pub unreadable: usize,
}

pub struct PastRound {
    pub record: Record,
    /// The round's position in the file, and its bytes.
    at: u64,
    bytes: Vec<u8>,
}

impl PastRounds {
    pub fn read(folders: &Folders) -> Result<PastRounds, Failure> {
        let mut past = PastRounds::default();
        for (at, bytes) in read(folders)? {
            match records::read_all(&String::from_utf8_lossy(&bytes)) {
                Ok(records) => past.rounds.extend(records.into_iter().map(|record| PastRound {
                    record,
                    at,
                    bytes: bytes.clone(),
                })),
                Err(_) => past.unreadable += 1,
            }
        }
        Ok(past)
    }
}

impl PastRound {
    /// The date of the round, if recorded.
    pub fn day(&self) -> Option<String> {
        day(&self.record)
    }

    /// Deletes the round for good. Its bytes are blanked in place, because another program may be appending to the file.
    pub fn remove(&self, folders: &Folders) -> Result<(), Failure> {
        let path = folders.rounds()?;
        let remove = || -> io::Result<()> {
            let mut file = OpenOptions::new().read(true).write(true).open(&path)?;
            file.lock()?;
            file.seek(SeekFrom::Start(self.at))?;
            let mut there = Vec::new();
            (&file).take(self.bytes.len() as u64).read_to_end(&mut there)?;
            if there != self.bytes {
                return Err(io::Error::other("another program has changed it"));
            }
            let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
            file.seek(SeekFrom::Start(self.at))?;
            file.write_all(&self.bytes.iter().map(blank).collect::<Vec<u8>>())?;
            file.sync_all()
        };
        remove().map_err(|error| Failure::file("write", &path, &error))
    }
}

/// The date in a record, such as `2026-11-15`, if any.
pub fn day(record: &Record) -> Option<String> {
    let day = record.other_tags.iter().find(|(tag, _)| tag == DAY);
    day.map(|(_, day)| day.replace('.', "-"))
}

/// A copy of a record with today's date.
pub fn date(record: &Record) -> Record {
    let today = clock::day_of(SystemTime::now()).to_string().replace('-', ".");
    let mut dated = record.clone();
    dated.other_tags.push((DAY.to_owned(), today));
    dated
}

/// The day a file was last written.
pub fn day_of_file(path: &Path) -> Option<String> {
    let written = std::fs::metadata(path).and_then(|about| about.modified()).ok()?;
    Some(clock::day_of(written).to_string())
}

/// The records at the end of the file with their positions. They are split, so a damaged one doesn't hide the rest.
/// Empty if there is no file yet.
pub fn read(folders: &Folders) -> Result<Vec<(u64, Vec<u8>)>, Failure> {
    let path = folders.rounds()?;
    let read = || -> io::Result<(u64, Vec<u8>)> {
        let mut file = files::open(&path)?;
        let mut start = file.metadata()?.len().saturating_sub(LARGEST);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(LARGEST).read_to_end(&mut bytes)?;
        if start > 0 {
            // Skip the rest of a record that begins before `start`.
            let begins = bytes.windows(BEGINNING.len()).position(|piece| piece == BEGINNING);
            let begins = begins.unwrap_or(bytes.len());
            bytes.drain(..begins);
            start += begins as u64;
        }
        Ok((start, bytes))
    };
    match read() {
        Ok((start, bytes)) => Ok(pieces(start, &bytes)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        Err(error) => Err(Failure::file("read", &path, &error)),
    }
}

fn pieces(start: u64, bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let begins = |at: &usize| (*at == 0 || bytes[at - 1] == b'\n') && bytes[*at..].starts_with(BEGINNING);
    let mut ends: Vec<usize> = (1..bytes.len()).filter(begins).collect();
    ends.push(bytes.len());
    let mut from = 0;
    let mut pieces = Vec::new();
    for end in ends {
        let piece = &bytes[from..end];
        if !piece.trim_ascii().is_empty() {
            pieces.push((start + from as u64, piece.to_owned()));
        }
        from = end;
    }
    pieces
}
