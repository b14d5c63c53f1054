//! Test my idea: checks a player's rule about the numbers to leave.

use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::format::Rulebook;
use spoton::solver::chart;
use spoton::teach::idea::{Answer, FORMS};
use spoton::words::idea::{self, Reply};

use super::board::Board;
use super::canvas::{Canvas, below, inset, row, wrap};
use super::menu::Cursor;
use super::text_field::TextField;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::Sitting;
use crate::solving::idea_reply;

/// The maximum number of stored ideas.
const MOST: usize = 100;

pub struct IdeaTest {
    rulebook: Arc<Rulebook>,
    field: TextField,
    /// The ideas tested here, latest first.
    tested: Vec<Tested>,
    cursor: Cursor,
}

struct Tested {
    idea: String,
    reply: Reply,
}

impl IdeaTest {
    pub fn new(rulebook: Arc<Rulebook>) -> IdeaTest {
        IdeaTest { rulebook, field: TextField::default(), tested: Vec::new(), cursor: Cursor::default() }
    }

    fn test(&mut self, world: &World) -> Result<(), Failure> {
        let text = self.field.text();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Ok(());
        }
        let reply = idea_reply(&world.games, &text, &self.rulebook)?;
        self.tested.retain(|tested| tested.idea != text);
        self.tested.insert(0, Tested { idea: text, reply });
        self.tested.truncate(MOST);
        self.cursor = Cursor::default();
        self.field.clear();
        Ok(())
    }

    /// The number where the chosen idea fails.
    fn fails_at(&self) -> Option<i64> {
        self.tested.get(self.cursor.0)?.reply.fails_at
    }

    fn play_out(&self, number: i64, world: &mut World) -> Result<Go, Failure> {
        let discover = world.discovers();
        let sitting = Sitting::aside(&self.rulebook, number, discover, &world.games, &world.folders)?;
        let board = Board::new(sitting, world)?;
        world.notice = Some(format!("You left {number}. Press Esc to return to your ideas."));
        Go::open(board)
    }

    fn draw_tested(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let texts: Vec<Vec<String>> =
            self.tested.iter().map(|tested| wrap(&tested.reply.said, area.width.saturating_sub(4))).collect();
        let height = |index: usize| texts[index].len() as u16 + 2;
        let mut first = 0;
        while first < self.cursor.0
            && (first..=self.cursor.0).map(|index| u32::from(height(index))).sum::<u32>()
                > u32::from(area.height) + 1
        {
            first += 1;
        }
        let mut y = 0;
        for (index, lines) in texts.iter().enumerate().skip(first) {
            if y + height(index) > area.height + 1 {
                let more = format!("Down: {} more", texts.len() - index);
                canvas.text(row(area, area.height.saturating_sub(1).max(y)), Tone::Faint, &more);
                return;
            }
            let here = index == self.cursor.0;
            let (sign, tone) =
                if here { (canvas.theme.signs.cursor, Tone::Strong) } else { (" ", Tone::Plain) };
            canvas.text(row(area, y), tone, &format!("{sign} {}", self.tested[index].idea));
            let answer = Rect { x: area.x + 4, width: area.width.saturating_sub(4), ..below(area, y + 1) };
            for (line, text) in lines.iter().enumerate() {
                canvas.text(row(answer, line as u16), if here { Tone::Number } else { Tone::Faint }, text);
            }
            y += height(index);
        }
    }
}

impl Screen for IdeaTest {
    fn title(&self) -> String {
        format!("Test my idea: {}", self.rulebook.title())
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let area = inset(area, area.width.saturating_sub(90) / 2);
        if let Some(why) = self.rulebook.unplayable() {
            canvas.wrapped(area, Tone::Plain, &why);
            return;
        }
        let also = chart::what_else_decides(&self.rulebook);
        if !also.is_empty() {
            canvas.wrapped(area, Tone::Plain, &idea::in_words(&Answer::NumberDoesNotDecide { also }));
            return;
        }
        canvas.text(
            row(area, 0),
            Tone::Plain,
            "Which numbers should you leave to your opponent? Type your idea.",
        );
        let inside = canvas.framed(Rect { height: 3, ..below(area, 2) }, Tone::Plain, "Your idea");
        self.field.draw(canvas, inset(inside, 1));
        let forms = format!("Examples: {}.", FORMS.join("; "));
        let y = 5 + canvas.wrapped(below(area, 5), Tone::Faint, &forms);
        self.draw_tested(canvas, below(area, y + 1));
    }

    fn offers(&self) -> Vec<Offer> {
        if !chart::number_alone_decides(&self.rulebook) {
            return vec![Offer::escape("back")];
        }
        let mut offers = vec![Offer::enter("test")];
        if let Some(number) = self.fails_at() {
            let about = format!("play from {number}");
            offers.push(Offer::new(Input::Key(KeyCode::Tab), "Tab", about));
        }
        offers.push(Offer::escape("back"));
        if self.tested.len() > 1 {
            offers.push(Offer::new(Input::Key(KeyCode::Down), "Down", "earlier ideas"));
        }
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        match input {
            Input::ESCAPE => return Ok(Go::Back),
            Input::ENTER => self.test(world)?,
            Input::Key(KeyCode::Tab | KeyCode::F(3)) => {
                if let Some(number) = self.fails_at() {
                    return self.play_out(number, world);
                }
            }
            input => {
                let typed = self.field.typed(input);
                if !typed {
                    self.cursor.moved(input, self.tested.len());
                }
            }
        }
        Ok(Go::Stay)
    }

    fn takes_text(&self) -> bool {
        true
    }
}
