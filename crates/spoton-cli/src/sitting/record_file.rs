//! The file that finished rounds are appended to.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use spoton::records::{Form, Record, form_at_the_beginning};

use crate::failure::Failure;
use crate::folders::Folders;
use crate::past_rounds;
use crate::save::Save;
use crate::shown;

pub struct RecordFile {
    path: PathBuf,
    file: File,
    json: bool,
    /// Whether to date rounds. Only the program's own file has dates.
    dated: bool,
    /// Rounds that couldn't be written yet, oldest first.
    waiting: VecDeque<String>,
}

impl RecordFile {
    /// Opens a file that the player named, before the first move, so that errors surface early. Rejects a file that
    /// contains anything but records.
    pub fn open(path: PathBuf) -> Result<RecordFile, Failure> {
        let mut record_file = RecordFile::at(path)?;
        if let Some(text) = record_file.text()? {
            match form_at_the_beginning(&text) {
                Some(form) if !Save::is_save(&record_file.path) => record_file.json = form == Form::Json,
                _ => {
                    let name = shown::path(&record_file.path);
                    let message =
                        format!("{name} isn't a record file. Choose another file; this one is unchanged.");
                    return Err(Failure::Usage(message));
                }
            }
        }
        Ok(record_file)
    }

    /// The same for programs: an empty file becomes JSON lines.
    pub fn open_for_programs(path: PathBuf) -> Result<RecordFile, Failure> {
        let mut record_file = RecordFile::open(path)?;
        let is_empty = record_file.file.metadata().is_ok_and(|about| about.is_file() && about.len() == 0);
        record_file.json |= is_empty;
        Ok(record_file)
    }

    fn at(path: PathBuf) -> Result<RecordFile, Failure> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let file = file.map_err(|error| Failure::file("write", &path, &error))?;
        let json = path.extension().is_some_and(|ending| ending == "json" || ending == "jsonl");
        Ok(RecordFile { path, file, json, dated: false, waiting: VecDeque::new() })
    }

    /// The file's text. Returns `None` if it is empty or not a regular file.
    fn text(&mut self) -> Result<Option<String>, Failure> {
        let mut bytes = Vec::new();
        let about = self.file.metadata();
        let read = match about {
            Ok(about) if about.is_file() => self.file.read_to_end(&mut bytes),
            other => other.map(|_| 0),
        };
        read.map_err(|error| Failure::file("read", &self.path, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(if text.trim().is_empty() { None } else { Some(text.into_owned()) })
    }

    /// Opens the file of all rounds with people.
    pub fn of_all_rounds(folders: &Folders) -> Result<RecordFile, Failure> {
        let path = folders.rounds()?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::file("create the folder", folder, &error))?;
        }
        Ok(RecordFile { dated: true, ..RecordFile::at(path)? })
    }

    /// Appends a round, after any earlier ones that couldn't be written.
    pub fn add(&mut self, record: &Record) -> Result<(), Failure> {
        let text = match (self.dated, self.json) {
            (true, _) => past_rounds::date(record).to_string(),
            (false, true) => format!("{}\n", record.to_json()),
            (false, false) => record.to_string(),
        };
        self.waiting.push_back(text);
        while let Some(text) = self.waiting.pop_front() {
            if let Err(error) = self.append(&text) {
                self.waiting.push_front(text);
                return Err(Failure::file("write", &self.path, &error));
            }
        }
        Ok(())
    }

    /// Whether some rounds couldn't be written.
    pub fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Appends atomically, even if other programs are writing to the same file.
    fn append(&mut self, text: &str) -> io::Result<()> {
        if !self.file.metadata()?.is_file() {
            return self.file.write_all(text.as_bytes());
        }
        self.file.lock()?;
        let length = self.file.seek(SeekFrom::End(0))?;
        let result = self.gap(length).and_then(|gap| {
            self.file.write_all((gap.to_owned() + text).as_bytes())?;
            self.file.sync_all()
        });
        if result.is_err() {
            // Remove a half-written record.
            let _ = self.file.set_len(length);
        }
        self.file.unlock()?;
        result
    }

    /// The separator before the next record.
    fn gap(&mut self, length: u64) -> io::Result<&'static str> {
        if length == 0 {
            return Ok("");
        }
        let mut last = [0];
        self.file.seek(SeekFrom::Start(length - 1))?;
        self.file.read_exact(&mut last)?;
        Ok(match (last[0], self.json) {
            (b'\n', true) => "",
            (b'\n', false) | (_, true) => "\n",
            (_, false) => "\n\n",
        })
    }
}
