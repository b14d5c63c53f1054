//! Past rounds: what was played to its end, the newest first.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use ratatui::layout::Rect;
use spoton::engine::play::Ending;
use spoton::engine::position::{ByPlayer, Player};
use spoton::records::{self, Record, RoundResult};
use spoton::words::phrases;

use super::canvas::{Canvas, below, columns, cut};
use super::menu::{Cursor, draw_item, draw_list};
use super::review::ReviewView;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::folders::Folders;

/// Only so much of the end of the file is read: more rounds than anybody looks through.
const LARGEST: u64 = 32 * 1024 * 1024;

/// How every record begins that the program has written.
const BEGINNING: &str = "[SpotOn ";

pub struct Past {
    /// The newest first.
    rounds: Vec<Kept>,
    /// How many could not be read.
    unreadable: usize,
    /// Why none of them could be.
    trouble: Option<String>,
    cursor: Cursor,
}

/// A round, and which one it was.
struct Kept {
    number: usize,
    record: Record,
    /// The game's title, found when it is first shown.
    title: OnceCell<String>,
}

impl Past {
    pub fn new(world: &World) -> Past {
        let mut past = Past { rounds: Vec::new(), unreadable: 0, trouble: None, cursor: Cursor::default() };
        let text = match read(&world.folders) {
            Ok(text) => text,
            Err(failure) => {
                past.trouble = Some(failure.to_string());
                return past;
            }
        };
        for piece in pieces(&text) {
            match records::read_all(piece) {
                Ok(records) => {
                    let kept = records.into_iter().zip(past.rounds.len() + 1..);
                    past.rounds.extend(kept.map(|(record, number)| Kept {
                        number,
                        record,
                        title: OnceCell::new(),
                    }));
                }
                Err(_) => past.unreadable += 1,
            }
        }
        past.rounds.reverse();
        past
    }

    /// What is to be said beside the list.
    fn told(&self) -> Option<String> {
        if let Some(trouble) = &self.trouble {
            return Some(format!("The rounds cannot be read: {trouble}"));
        }
        let many = u64::try_from(self.unreadable).unwrap_or(u64::MAX);
        (many > 0).then(|| format!("{} could not be read.", phrases::count(many, "round", "rounds")))
    }
}

impl Kept {
    fn title(&self) -> &str {
        // What the game was called is not worth failing for.
        let title = || self.record.rulebook().map(|rulebook| rulebook.title().to_owned());
        self.title.get_or_init(|| title().unwrap_or_else(|_| self.record.rulebook.clone()))
    }

    fn moves(&self) -> String {
        phrases::count(self.record.moves.len() as u64, "move", "moves")
    }

    fn result(&self) -> String {
        let names = &self.record.players;
        match self.record.result {
            RoundResult::Won(winner) => format!("{} won against {}", names[winner], names[!winner]),
            RoundResult::Drawn => format!("{} and {} drew", names.0[0], names.0[1]),
            RoundResult::Open => format!("{} and {} did not finish", names.0[0], names.0[1]),
        }
    }

    /// The whole line, for the one that the cursor is on.
    fn in_full(&self) -> String {
        let target = self.record.target.as_ref().map(|target| format!(", target {target}"));
        let gave_up = match (self.record.ending, self.record.result) {
            (Some(Ending::Resigned), RoundResult::Won(winner)) => {
                format!(" {} gave up.", self.record.players[!winner])
            }
            _ => String::new(),
        };
        format!(
            "{}{}. {} started. {}; {}.{gave_up}",
            self.title(),
            target.unwrap_or_default(),
            self.record.players[self.record.first],
            self.result(),
            self.moves(),
        )
    }
}

/// The end of the file with the rounds; empty if none was played yet. Bytes that are no text do no harm to the rounds
/// around them.
fn read(folders: &Folders) -> Result<String, Failure> {
    let path = folders.rounds()?;
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(&path)?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(LARGEST)))?;
        file.take(LARGEST).read_to_end(&mut bytes)?;
        if length > LARGEST {
            // The first of them begins somewhere in the middle.
            let begins = bytes.windows(BEGINNING.len()).position(|piece| piece == BEGINNING.as_bytes());
            bytes.drain(..begins.unwrap_or(bytes.len()));
        }
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => Ok(String::from_utf8(bytes)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(String::new())
        }
        Err(error) => Err(Failure::file("read", &path, &error)),
    }
}

/// The records of a text, each by itself, so that a damaged one does not hide the rest.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let next = rest.match_indices(BEGINNING).map(|(at, _)| at);
        let mut next = next.filter(|at| *at > 0 && rest.as_bytes()[at - 1] == b'\n');
        let (piece, after) = rest.split_at(next.next().unwrap_or(rest.len()));
        rest = after;
        Some(piece)
    })
    .filter(|piece| !piece.trim().is_empty())
}

/// How many rounds each of two has won against the other, whoever sat where.
pub fn score(folders: &Folders, names: &ByPlayer<String>) -> ByPlayer<u32> {
    let mut won = ByPlayer::default();
    // If it cannot be read, Past rounds says so.
    let text = read(folders).unwrap_or_default();
    // Most rounds are with somebody else; they need not be read. Quotes and backslashes are written in another way.
    let plain = |player: Player| names[player].split(['"', '\\']).next().unwrap_or_default();
    let with_both =
        pieces(&text).filter(|piece| Player::BOTH.iter().all(|player| piece.contains(plain(*player))));
    for record in with_both.filter_map(|piece| records::read_all(piece).ok()).flatten() {
        let RoundResult::Won(winner) = record.result else { continue };
        let between = (&record.players[winner], &record.players[!winner]);
        let won_by = Player::BOTH.into_iter().find(|player| between == (&names[*player], &names[!*player]));
        if let Some(player) = won_by {
            won[player] += 1;
        }
    }
    won
}

impl Screen for Past {
    fn title(&self) -> String {
        "Past rounds".to_owned()
    }

    fn corner(&self) -> String {
        match self.rounds.len() {
            0 => String::new(),
            many => phrases::count(many as u64, "round", "rounds"),
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let mut area = area;
        if let Some(told) = self.told() {
            let taken = canvas.wrapped(area, Tone::Bad, &told) + 1;
            area = below(area, taken);
        }
        let Some(chosen) = self.rounds.get(self.cursor.0) else {
            if self.told().is_none() {
                let words =
                    "No round has been played to its end yet. Play one, and it can be looked back on here.";
                canvas.wrapped(below(area, 1), Tone::Plain, words);
            }
            return;
        };
        const IN_FULL: u16 = 3;
        let list = Rect { height: area.height.saturating_sub(IN_FULL + 1), ..area };
        let wide = |text: &dyn Fn(&Kept) -> usize, most: usize| {
            let shown = self.rounds.iter().skip(self.cursor.0.saturating_sub(60)).take(120);
            shown.map(text).max().unwrap_or(0).min(most)
        };
        let number = wide(&|kept| kept.number.to_string().len(), 9);
        let title = wide(&|kept| columns(kept.title()), 26);
        let moves = wide(&|kept| kept.moves().len(), 14);
        let result = usize::from(list.width).saturating_sub(number + title + moves + 14);
        draw_list(canvas, list, self.cursor, self.rounds.len(), 1, |canvas, place, index, here| {
            let kept = &self.rounds[index];
            let line = format!(
                "{:>number$}  {:title$}  {:result$}  {:>moves$}",
                kept.number,
                fitting(kept.title(), title),
                fitting(&kept.result(), result),
                kept.moves()
            );
            draw_item(canvas, place, &line, here);
        });
        canvas.wrapped(below(area, list.height + 1), Tone::Faint, &chosen.in_full());
    }

    fn offers(&self) -> Vec<Offer> {
        let look = (!self.rounds.is_empty()).then(|| Offer::enter("look back"));
        look.into_iter().chain([Offer::escape("home")]).collect()
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        if input == Input::ESCAPE {
            return Ok(Go::Back);
        }
        if self.cursor.moved(input, self.rounds.len()) {
            return Ok(Go::Stay);
        }
        let Some(index) = self.cursor.chosen(input, self.rounds.len()) else { return Ok(Go::Stay) };
        let mut record = self.rounds[index].record.clone();
        let replayed = record.replay();
        let round = replayed.map_err(|bad| Failure::Failed(format!("This round cannot be shown: {bad}.")))?;
        record.state(round.outcome());
        Go::open(ReviewView::of_record(record, round, world)?)
    }
}

/// A text that fits into so many characters; what is left out is told by dots.
fn fitting(text: &str, width: usize) -> String {
    match columns(text) {
        length if length <= width => text.to_owned(),
        _ => cut(text, width.saturating_sub(2)).to_owned() + "..",
    }
}
