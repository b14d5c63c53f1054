//! The rounds that people have played to their end, in a file of the program's own: the records that `--record` writes,
//! each with the day it was played.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;

use spoton::records::{self, Record};

use crate::clock;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;

/// Only so much of the end of the file is read: more rounds than anybody looks through.
const LARGEST: u64 = 32 * 1024 * 1024;

/// How every record begins that the program has written.
const BEGINNING: &[u8] = b"[SpotOn ";

/// The tag of the day, at Greenwich.
const DAY: &str = "UTCDate";

/// All that could be read, the oldest first.
#[derive(Default)]
pub struct PastRounds {
    pub rounds: Vec<PastRound>,
    /// How many could not be read.
    pub unreadable: usize,
}

pub struct PastRound {
    pub record: Record,
    /// Where it stands in the file, and what stands there.
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
    /// The day it was played, if that was noted.
    pub fn day(&self) -> Option<String> {
        day(&self.record)
    }

    /// Takes the round out of the file for good. It is blanked where it stands, so that nothing else in the file moves
    /// while another program adds to it.
    pub fn remove(&self, folders: &Folders) -> Result<(), Failure> {
        let path = folders.rounds()?;
        let remove = || -> io::Result<()> {
            let mut file = OpenOptions::new().read(true).write(true).open(&path)?;
            file.lock()?;
            file.seek(SeekFrom::Start(self.at))?;
            let mut there = Vec::new();
            (&file).take(self.bytes.len() as u64).read_to_end(&mut there)?;
            if there != self.bytes {
                return Err(io::Error::other("somebody else has changed it"));
            }
            let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
            file.seek(SeekFrom::Start(self.at))?;
            file.write_all(&self.bytes.iter().map(blank).collect::<Vec<u8>>())?;
            file.sync_all()
        };
        remove().map_err(|error| Failure::file("write", &path, &error))
    }
}

/// The day of a round, such as `2026-11-15`, if that was noted in its record.
pub fn day(record: &Record) -> Option<String> {
    let day = record.other_tags.iter().find(|(tag, _)| tag == DAY);
    day.map(|(_, day)| day.replace('.', "-"))
}

/// Notes in a record that its round was played today.
pub fn date(record: &Record) -> Record {
    let today = clock::day_of(SystemTime::now()).to_string().replace('-', ".");
    let mut dated = record.clone();
    dated.other_tags.push((DAY.to_owned(), today));
    dated
}

/// The day on which a file was written last.
pub fn day_of_file(path: &Path) -> Option<String> {
    let written = std::fs::metadata(path).and_then(|about| about.modified()).ok()?;
    Some(clock::day_of(written).to_string())
}

/// The records at the end of the file, each by itself with its place, so that a damaged one does not hide the rest.
/// Empty if no round was played yet.
pub fn read(folders: &Folders) -> Result<Vec<(u64, Vec<u8>)>, Failure> {
    let path = folders.rounds()?;
    let read = || -> io::Result<(u64, Vec<u8>)> {
        let mut file = files::open(&path)?;
        let mut start = file.metadata()?.len().saturating_sub(LARGEST);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(LARGEST).read_to_end(&mut bytes)?;
        if start > 0 {
            // The first of them begins somewhere in the middle.
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
