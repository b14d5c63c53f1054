//! Help (how to play, keys) and other pages of text: rules, facts, reasons.

use std::cell::Cell;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::design::audit::Audit;
use spoton::discovery::View;
use spoton::format::Rulebook;
use spoton::words::{audit, describe};

use super::canvas::{Canvas, inset, row, wrap};
use super::menu::Cursor;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

/// The bullet of a list item.
const ITEM: &str = "- ";

/// A page of text that can scroll.
struct Page {
    /// Paragraphs. Strong ones are headings.
    paragraphs: Vec<(Tone, String)>,
    top: Cursor,
    /// Whether the last frame left out lines at the end.
    more: Cell<bool>,
}

impl Page {
    fn lines(&self, width: u16) -> Vec<(Tone, String)> {
        let lines = |(tone, text): &(Tone, String)| {
            let tone = *tone;
            // The lines of a list item are indented behind its bullet.
            let (first, rest, text) = match text.strip_prefix(ITEM) {
                Some(item) => (ITEM, "  ", item),
                None => ("", "", &text[..]),
            };
            let indent = first.len() as u16;
            let lines = wrap(text, width.saturating_sub(indent)).into_iter().enumerate();
            lines
                .map(move |(place, line)| (tone, format!("{}{line}", if place == 0 { first } else { rest })))
                .collect::<Vec<_>>()
        };
        self.paragraphs.iter().flat_map(lines).collect()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let area = inset(area, area.width.saturating_sub(90) / 2);
        let lines = self.lines(area.width);
        let last = lines.len().saturating_sub(usize::from(area.height));
        self.more.set(self.top.0 < last);
        for (y, (tone, line)) in lines.iter().skip(self.top.0.min(last)).take(area.height.into()).enumerate()
        {
            canvas.text(row(area, y as u16), *tone, line);
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers = vec![Offer::escape("back")];
        if self.more.get() {
            offers.push(Offer::new(Input::Key(KeyCode::Down), "Down", "more"));
        }
        offers
    }

    fn handle(&mut self, input: Input) -> Result<Go, Failure> {
        if !self.top.moved(input, self.lines(60).len()) {
            return Ok(Go::Back);
        }
        Ok(Go::Stay)
    }
}

/// How to play, for new players.
pub struct Help(Page);

impl Help {
    pub fn new() -> Help {
        let head = |text: &str| (Tone::Strong, text.to_owned());
        let say = |text: &str| (Tone::Plain, text.to_owned());
        Help(Page {
            paragraphs: vec![
                head("The game"),
                say(
                    "Two players take turns changing a number with moves such as +1 and x2. In most games you win \
                     by landing exactly on the target, and you lose if you go past it. In some games you lose if \
                     you can't move. The line above the board shows how to win.",
                ),
                say(""),
                head("While you play"),
                say(
                    "Press the key on a move's card to play it, use the arrow keys and Enter, or click. In games \
                     with variable amounts, type the amount.",
                ),
                say("h   hint; press again for more             w   where each move leads"),
                say("u   undo the last move                     i   test an idea"),
                say("m   map of the game                        g   give up the round"),
                say("?   rules of the game                      Esc leave; the round is saved"),
                say(""),
                head("Everywhere"),
                say(
                    "Choose with the arrow keys and Enter. Esc goes back. You can also click the keys on the bottom \
                     line. b switches between light and dark colours.",
                ),
                say(
                    "After a round, its review shows the choices that mattered. Past rounds lists every round \
                     you finished.",
                ),
                say(
                    "Today's duel is a new game every day, the same for everyone. Your first round counts. Win \
                     several days in a row to build a streak.",
                ),
                say(
                    "Every puzzle has a hidden win. Keep it against the best defence. A wrong move ends the puzzle \
                     and shows why. You can try it again the next day.",
                ),
                say(
                    "In discovery mode (d on Home) you find out how to win. There are no hints or answers, even \
                     after a round, and the map starts out covered.",
                ),
                say(""),
                head("Text mode"),
                say(
                    "spoton play runs the game as plain text, for screen readers and scripts. spoton --help lists \
                     all commands.",
                ),
            ],
            top: Cursor::default(),
            more: Cell::default(),
        })
    }
}

impl Screen for Help {
    fn title(&self) -> String {
        "Help".to_owned()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        self.0.draw(canvas, area);
    }

    fn offers(&self) -> Vec<Offer> {
        self.0.offers()
    }

    fn handle(&mut self, input: Input, _world: &mut World) -> Result<Go, Failure> {
        self.0.handle(input)
    }
}

/// The rules of a game, without the book's notes: some of them reveal how to win.
pub struct Rules {
    title: String,
    page: Page,
}

impl Rules {
    pub fn new(rulebook: &Arc<Rulebook>, world: &World) -> Rules {
        Rules::seen_by(world.view(), rulebook, world)
    }

    /// The rules as a viewer sees them, depending on whether the round started in discovery mode.
    pub fn seen_by(view: View, rulebook: &Arc<Rulebook>, world: &World) -> Rules {
        let out_of_reach = world.games.game(rulebook).out_of_reach(view);
        let rules = rulebook.unplayable().into_iter().chain(describe::rules(rulebook)).chain(out_of_reach);
        let paragraphs = rules.map(|rule| (Tone::Plain, format!("{ITEM}{rule}"))).collect();
        let title = format!("Rules: {}", rulebook.title());
        Rules { title, page: Page { paragraphs, top: Cursor::default(), more: Cell::default() } }
    }

    /// Adds the keys that work on the screen underneath.
    pub fn with_keys(mut self, choosing: &str, offers: &[Offer]) -> Rules {
        let offers = offers.iter().filter(|offer| offer.input != Input::letter('?'));
        let keys: Vec<String> = offers.map(|offer| format!("{} {}", offer.key, offer.about)).collect();
        let keys = format!("Keys: {choosing}{}, b light/dark.", keys.join(", "));
        self.page.paragraphs.extend([(Tone::Plain, String::new()), (Tone::Faint, keys)]);
        self
    }
}

impl Rules {
    /// The facts of an audit.
    pub fn facts(rulebook: &Rulebook, audit: &Audit) -> Rules {
        let mut paragraphs = Vec::new();
        for section in audit::sections(rulebook, audit) {
            if !paragraphs.is_empty() {
                paragraphs.push((Tone::Plain, String::new()));
            }
            paragraphs.push((Tone::Strong, section.heading.to_owned()));
            paragraphs.extend(section.lines.into_iter().map(|line| (Tone::Plain, format!("{ITEM}{line}"))));
        }
        let title = format!("Facts: {}", rulebook.title());
        Rules { title, page: Page { paragraphs, top: Cursor::default(), more: Cell::default() } }
    }

    /// A page of reasons, for games with many moves.
    pub fn of_reasons(reasons: Vec<String>) -> Rules {
        let paragraphs = reasons.into_iter().map(|said| (Tone::Plain, said.trim().to_owned())).collect();
        let page = Page { paragraphs, top: Cursor::default(), more: Cell::default() };
        Rules { title: "Where each move leads".to_owned(), page }
    }
}

impl Screen for Rules {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        self.page.draw(canvas, area);
    }

    fn offers(&self) -> Vec<Offer> {
        self.page.offers()
    }

    fn handle(&mut self, input: Input, _world: &mut World) -> Result<Go, Failure> {
        self.page.handle(input)
    }
}
