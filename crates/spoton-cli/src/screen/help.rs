//! Help: how to play and the keys; and the rules of a game.

use std::cell::Cell;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::format::Rulebook;
use spoton::people::audit::Audit;
use spoton::people::solved_game::SolvedGames;
use spoton::words::{audit, describe};

use super::canvas::{Canvas, inset, row, wrap};
use super::menu::Cursor;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

/// The mark of an item of a list.
const ITEM: &str = "- ";

/// A text to read, longer than the screen perhaps.
struct Page {
    /// Paragraphs; those that stand out are headings.
    paragraphs: Vec<(Tone, String)>,
    top: Cursor,
    /// Whether there is more than fits, as it was drawn last.
    more: Cell<bool>,
}

impl Page {
    fn lines(&self, width: u16) -> Vec<(Tone, String)> {
        let lines = |(tone, text): &(Tone, String)| {
            let tone = *tone;
            // An item of a list keeps its lines together behind its mark.
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
            offers.push(Offer::new(Input::Key(KeyCode::Down), "Down", "read on"));
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

/// How to play, for somebody who has never seen this.
pub struct Help(Page);

impl Help {
    pub fn new() -> Help {
        let head = |text: &str| (Tone::Strong, text.to_owned());
        let say = |text: &str| (Tone::Plain, text.to_owned());
        Help(Page {
            paragraphs: vec![
                head("The game"),
                say(
                    "Two players take turns changing a number, each time with one of a few operations such as +1 and x2. \
                     In most games whoever lands exactly on the target wins, and whoever goes past it loses. In \
                     some, whoever can no longer move has lost. The line above each board says what counts there.",
                ),
                say(""),
                head("While you play"),
                say(
                    "The key on its card chooses an operation; so do the arrow keys with Enter, and the mouse. Where \
                     amounts come from the number, type the amount itself.",
                ),
                say("h   a hint; again for the next step        w   what each move leads to"),
                say("u   take the last move back                i   test an idea of your own"),
                say("m   the map of the game                    g   give up the round"),
                say("?   the rules of the game                  Esc leave; the round is kept"),
                say(""),
                head("Elsewhere"),
                say(
                    "The arrow keys and Enter choose, Esc goes back. Everything that is shown at the bottom can be \
                     clicked. b changes between colours for light and for dark terminals.",
                ),
                say(
                    "After a round you can look back: which choices mattered, and where it turned. Past rounds are kept \
                     for that.",
                ),
                say(
                    "Today's duel is a new game every day, the same for everybody. Your first round of it counts, \
                     and the days that you win in a row are your streak.",
                ),
                say(
                    "In a puzzle you hold a win that does not show. Hold it against the best defence; the first wrong \
                     move ends it, with the proof, and it comes back the next day.",
                ),
                say(
                    "With discovery on (d on Home) you find out how to win: no hints or answers, even after a \
                     round, and the map is covered.",
                ),
                say(""),
                head("In lines, without pictures"),
                say(
                    "spoton play asks and answers in plain lines: for screen readers, and for programs. spoton --help \
                     lists everything else that can be done.",
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

/// The rules of a game. Remarks of its book are left out: some of them tell how to play well.
pub struct Rules {
    title: String,
    page: Page,
}

impl Rules {
    pub fn new(rulebook: &Arc<Rulebook>, games: &SolvedGames) -> Rules {
        let rules = describe::rules(rulebook).into_iter().chain(games.game(rulebook).out_of_reach());
        let paragraphs = rules.map(|rule| (Tone::Plain, format!("{ITEM}{rule}"))).collect();
        let title = format!("The rules of {}", rulebook.title());
        Rules { title, page: Page { paragraphs, top: Cursor::default(), more: Cell::default() } }
    }

    /// The same with the keys that work where it was asked for.
    pub fn with_keys(
        rulebook: &Arc<Rulebook>,
        games: &SolvedGames,
        choosing: &str,
        offers: &[Offer],
    ) -> Rules {
        let mut rules = Rules::new(rulebook, games);
        let offers = offers.iter().filter(|offer| offer.input != Input::letter('?'));
        let keys: Vec<String> = offers.map(|offer| format!("{} {}", offer.key, offer.about)).collect();
        let keys = format!("Keys: {choosing}{}, b light or dark.", keys.join(", "));
        rules.page.paragraphs.extend([(Tone::Plain, String::new()), (Tone::Faint, keys)]);
        rules
    }
}

impl Rules {
    /// What an audit has found out about a game.
    pub fn facts(rulebook: &Rulebook, audit: &Audit) -> Rules {
        let mut paragraphs = Vec::new();
        for section in audit::sections(rulebook, audit) {
            if !paragraphs.is_empty() {
                paragraphs.push((Tone::Plain, String::new()));
            }
            paragraphs.push((Tone::Strong, section.heading.to_owned()));
            paragraphs.extend(section.lines.into_iter().map(|line| (Tone::Plain, format!("{ITEM}{line}"))));
        }
        let title = format!("Facts about {}", rulebook.title());
        Rules { title, page: Page { paragraphs, top: Cursor::default(), more: Cell::default() } }
    }

    /// What each of many moves leads to.
    pub fn of_reasons(reasons: Vec<String>) -> Rules {
        let paragraphs = reasons.into_iter().map(|said| (Tone::Plain, said.trim().to_owned())).collect();
        let page = Page { paragraphs, top: Cursor::default(), more: Cell::default() };
        Rules { title: "What each move leads to".to_owned(), page }
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
