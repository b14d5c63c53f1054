//! Past rounds: all finished rounds, newest first.

use std::cell::OnceCell;

use ratatui::layout::Rect;
use spoton::engine::play::Ending;
use spoton::engine::position::{ByPlayer, Player};
use spoton::records::{self, RoundResult};
use spoton::sitting::only_person;
use spoton::words::phrases::{self, YOU};

use super::canvas::{Canvas, below, columns, cut, middle, row};
use super::menu::{Cursor, draw_item, draw_list};
use super::review::ReviewView;
use super::text_field::TextField;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::past_rounds::{self, PastRound, PastRounds};

/// The list's maximum width.
const WIDEST: u16 = 124;

pub struct Past {
    /// Newest first.
    rounds: Vec<Kept>,
    /// How many can't be read.
    unreadable: usize,
    /// Why the file can't be read.
    trouble: Option<String>,
    cursor: Cursor,
    /// The filter words, and whether the player is typing them.
    filter: TextField,
    typing: bool,
    /// The round to delete if d is pressed again.
    to_delete: Option<usize>,
}

/// A round and its number.
struct Kept {
    number: usize,
    round: PastRound,
    /// Cache: the game's title.
    title: OnceCell<String>,
}

impl Past {
    pub fn new(world: &World) -> Past {
        let mut past = Past {
            rounds: Vec::new(),
            unreadable: 0,
            trouble: None,
            cursor: Cursor::default(),
            filter: TextField::default(),
            typing: false,
            to_delete: None,
        };
        past.read(&world.folders);
        past
    }

    fn read(&mut self, folders: &Folders) {
        match PastRounds::read(folders) {
            Ok(PastRounds { rounds, unreadable }) => {
                let kept = |(number, round)| Kept { number, round, title: OnceCell::new() };
                self.rounds = (1..).zip(rounds).map(kept).collect();
                self.rounds.reverse();
                self.unreadable = unreadable;
            }
            Err(failure) => self.trouble = Some(failure.to_string()),
        }
    }

    /// The listed rounds: those whose line contains every word of the filter.
    fn listed(&self) -> Vec<&Kept> {
        let filter = self.filter.text().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let fits = |kept: &&Kept| {
            words.is_empty() || {
                let line = format!("{} {}", kept.when(), kept.in_full()).to_lowercase();
                words.iter().all(|word| line.contains(word))
            }
        };
        self.rounds.iter().filter(fits).collect()
    }

    /// A message above the list.
    fn told(&self) -> Option<String> {
        if let Some(trouble) = &self.trouble {
            return Some(format!("Can't read your rounds: {trouble}"));
        }
        let many = u64::try_from(self.unreadable).unwrap_or(u64::MAX);
        (many > 0).then(|| format!("{} couldn't be read.", phrases::count(many, "round", "rounds")))
    }
}

impl Kept {
    fn title(&self) -> &str {
        // An unknown title isn't an error.
        let title = || self.round.record.rulebook().map(|rulebook| rulebook.title().to_owned());
        self.title.get_or_init(|| title().unwrap_or_else(|_| self.round.record.rulebook.clone()))
    }

    /// The day of the round. Rounds from an older Spot On have none and show their number.
    fn when(&self) -> String {
        self.round.day().unwrap_or_else(|| self.number.to_string())
    }

    fn moves(&self) -> String {
        phrases::count(self.round.record.moves.len() as u64, "move", "moves")
    }

    /// The players' names. A person without a name who played a computer is "You".
    fn names(&self) -> ByPlayer<String> {
        let mut names = self.round.record.players.clone();
        if let Some(person) = only_person(&self.round.record.computers)
            && names[person] == person.to_string()
        {
            YOU.clone_into(&mut names[person]);
        }
        names
    }

    fn result(&self) -> String {
        let names = self.names();
        match self.round.record.result {
            RoundResult::Won(winner) => format!("{} beat {}", names[winner], names[!winner]),
            RoundResult::Drawn => format!("{} and {} drew", names.0[0], names.0[1]),
            RoundResult::Open => format!("{} and {}, unfinished", names.0[0], names.0[1]),
        }
    }

    /// All details of the round under the cursor.
    fn in_full(&self) -> String {
        let target = self.round.record.target.as_ref().map(|target| format!(", target {target}"));
        let gave_up = match (self.round.record.ending, self.round.record.result) {
            (Some(Ending::Resigned), RoundResult::Won(winner)) => {
                format!(" {} gave up.", self.names()[!winner])
            }
            _ => String::new(),
        };
        let day = self.round.day().map(|day| format!(" Played on {day}."));
        let in_or_after = match self.round.record.result {
            RoundResult::Open => "after",
            RoundResult::Won(_) | RoundResult::Drawn => "in",
        };
        format!(
            "{}{}. {} went first. {} {in_or_after} {}.{gave_up}{}",
            self.title(),
            target.unwrap_or_default(),
            self.names()[self.round.record.first],
            self.result(),
            self.moves(),
            day.unwrap_or_default(),
        )
    }
}

/// How many rounds two players have won against each other, in one game or in all games, from either seat. The adaptive
/// opponent changes its name, so every computer counts as the adaptive player.
pub fn score(
    folders: &Folders,
    names: &ByPlayer<String>,
    adaptive: Option<Player>,
    game: Option<&str>,
) -> ByPlayer<u32> {
    let mut won = ByPlayer::default();
    // Past rounds reports a file that can't be read.
    let pieces = past_rounds::read(folders).unwrap_or_default();
    let pieces = pieces.iter().map(|(_, bytes)| String::from_utf8_lossy(bytes));
    // Skip rounds with other players before parsing. Names are cut at quotes and backslashes, which records escape.
    let plain = |player: Player| names[player].split(['"', '\\']).next().unwrap_or_default();
    let named: Vec<Player> = Player::BOTH.into_iter().filter(|player| adaptive != Some(*player)).collect();
    let with_both = pieces.filter(|piece| named.iter().all(|player| piece.contains(plain(*player))));
    let rounds = with_both.filter_map(|piece| records::read_all(&piece).ok()).flatten();
    for record in rounds.filter(|record| game.is_none_or(|game| record.rulebook == game)) {
        let RoundResult::Won(winner) = record.result else { continue };
        let sat = |seat: Player, player: Player| match adaptive == Some(player) {
            true => record.computers[seat].is_some(),
            false => record.players[seat] == names[player],
        };
        let won_by = Player::BOTH.into_iter().find(|player| sat(winner, *player) && sat(!winner, !*player));
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
        match (self.rounds.len(), self.filter.text().is_empty()) {
            (0, _) => String::new(),
            (many, true) => phrases::count(many as u64, "round", "rounds"),
            (many, false) => {
                format!("{} of {}", self.listed().len(), phrases::count(many as u64, "round", "rounds"))
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let mut area = middle(area, WIDEST, area.height);
        if let Some(told) = self.told() {
            let taken = canvas.wrapped(area, Tone::Bad, &told) + 1;
            area = below(area, taken);
        }
        if self.typing || !self.filter.text().is_empty() {
            canvas.text(row(area, 0), Tone::Plain, "Find: ");
            let field = Rect { x: area.x + 6, width: area.width.saturating_sub(6), ..row(area, 0) };
            match self.typing {
                true => self.filter.draw(canvas, field),
                false => canvas.text(field, Tone::Strong, &self.filter.text()),
            }
            area = below(area, 2);
        }
        let listed = self.listed();
        let Some(chosen) = listed.get(self.cursor.0) else {
            if self.told().is_none() {
                let words = match self.rounds.is_empty() {
                    true => "No finished rounds yet. Play one, then review it here.",
                    false => "No round matches.",
                };
                canvas.wrapped(below(area, 1), Tone::Plain, words);
            }
            return;
        };
        const IN_FULL: u16 = 3;
        let list = Rect { height: area.height.saturating_sub(IN_FULL + 1), ..area };
        let wide = |text: &dyn Fn(&Kept) -> usize, most: usize| {
            let shown = listed.iter().skip(self.cursor.0.saturating_sub(60)).take(120);
            shown.map(|kept| text(kept)).max().unwrap_or(0).min(most)
        };
        let when = wide(&|kept| kept.when().len(), 10);
        let title = wide(&|kept| columns(kept.title()), 26);
        let moves = wide(&|kept| kept.moves().len(), 14);
        let result = usize::from(list.width).saturating_sub(when + title + moves + 14);
        draw_list(canvas, list, self.cursor, listed.len(), 1, |canvas, place, index, here| {
            let kept = listed[index];
            let line = format!(
                "{:>when$}  {:title$}  {:result$}  {:>moves$}",
                kept.when(),
                fitting(kept.title(), title),
                fitting(&kept.result(), result),
                kept.moves()
            );
            draw_item(canvas, place, &line, here);
        });
        canvas.wrapped(below(area, list.height + 1), Tone::Faint, &chosen.in_full());
    }

    fn offers(&self) -> Vec<Offer> {
        if self.typing {
            return vec![Offer::enter("list"), Offer::escape("all rounds")];
        }
        let mut offers = Vec::new();
        if !self.listed().is_empty() {
            let delete = if self.to_delete.is_some() { "confirm delete" } else { "delete" };
            offers.extend([Offer::enter("review"), Offer::letter('d', delete)]);
        }
        if !self.rounds.is_empty() {
            offers.push(Offer::letter('f', "find"));
        }
        offers.push(Offer::escape(if self.filter.text().is_empty() { "home" } else { "all rounds" }));
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let sure = self.to_delete.take();
        if self.typing {
            if input == Input::ENTER || input == Input::ESCAPE {
                self.typing = false;
                if input == Input::ESCAPE {
                    self.filter.clear();
                }
            } else {
                self.filter.typed(input);
            }
            self.cursor = Cursor::default();
            return Ok(Go::Stay);
        }
        if input == Input::ESCAPE {
            if self.filter.text().is_empty() {
                return Ok(Go::Back);
            }
            self.filter.clear();
            self.cursor = Cursor::default();
            return Ok(Go::Stay);
        }
        if input == Input::letter('f') && !self.rounds.is_empty() {
            self.typing = true;
            return Ok(Go::Stay);
        }
        let listed = self.listed().len();
        if self.cursor.moved(input, listed) {
            return Ok(Go::Stay);
        }
        if input == Input::letter('d') && listed > 0 {
            return self.delete(sure, world);
        }
        let Some(index) = self.cursor.chosen(input, listed) else { return Ok(Go::Stay) };
        let mut record = self.listed()[index].round.record.clone();
        let replayed = record.replay();
        let round = replayed.map_err(|bad| Failure::Failed(format!("Can't show this round: {bad}.")))?;
        record.state(round.outcome());
        Go::open(ReviewView::of_record(record, round, world)?)
    }
}

impl Past {
    /// Deletes the round under the cursor if d was pressed twice.
    fn delete(&mut self, sure: Option<usize>, world: &mut World) -> Result<Go, Failure> {
        let Some(chosen) = self.listed().get(self.cursor.0).map(|kept| kept.number) else {
            return Ok(Go::Stay);
        };
        if sure != Some(chosen) {
            self.to_delete = Some(chosen);
            world.notice = Some("Press d again to delete this round.".to_owned());
            return Ok(Go::Stay);
        }
        let Some(kept) = self.rounds.iter().find(|kept| kept.number == chosen) else { return Ok(Go::Stay) };
        kept.round.remove(&world.folders)?;
        self.rounds.retain(|kept| kept.number != chosen);
        self.cursor = Cursor(self.cursor.0.min(self.listed().len().saturating_sub(1)));
        world.notice = Some("Round deleted.".to_owned());
        Ok(Go::Stay)
    }
}

/// Truncates a string to a width; a cut string ends with `..`.
fn fitting(text: &str, width: usize) -> String {
    match columns(text) {
        length if length <= width => text.to_owned(),
        _ => cut(text, width.saturating_sub(2)).to_owned() + "..",
    }
}
