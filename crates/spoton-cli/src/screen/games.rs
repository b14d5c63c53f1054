//! All games as cards, and the variants of each game.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::Spoiler;
use spoton::format::{Changes, Game, Listed, Rulebook};
use spoton::solver::chart::number_alone_decides;
use spoton::words::{describe, phrases};

use super::board::puzzle::PuzzleView;
use super::canvas::{Canvas, below, row, words_that_fit, wrap};
use super::cards::{Deck, Face, Sketch};
use super::help::Rules;
use super::idea::IdeaTest;
use super::map::MapView;
use super::menu::Cursor;
use super::opponents::Opponents;
use super::set_up::{SetUp, spoken};
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::game::{self, FoundGame};
use crate::puzzles::Desk;
use crate::solving::ask;

/// The meaning of the badges.
const LEGEND: &str = "Moves: with best play. Choices: how often your move matters.";

struct Card {
    name: OsString,
    own_file: bool,
    variants: Vec<String>,
    rulebook: Arc<Rulebook>,
    sketch: Sketch,
}

impl Card {
    fn face(&self) -> Face {
        Face {
            title: self.rulebook.title().to_owned(),
            mark: self.own_file.then_some("your own"),
            text: describe::summary(&self.rulebook),
            suits: self.rulebook.suits().map(str::to_owned),
            badges: self.sketch.badges(),
        }
    }
}

pub struct Games {
    cards: Vec<Card>,
    /// The number of the player's own files with errors.
    invalid: usize,
    deck: Deck,
    /// The card on which f was pressed once. Facts reveal who wins, so f must be pressed twice.
    asked: Option<usize>,
}

impl Games {
    pub fn new(world: &World) -> Games {
        let found = game::all(&world.folders);
        let invalid = found.iter().filter(|found| found.listed.rulebook.is_none()).count();
        let card = |FoundGame { name, listed }: FoundGame| {
            let Listed { own_file, variants, rulebook, .. } = listed;
            let rulebook = Arc::new(rulebook?);
            Some(Card { name, own_file, variants, rulebook, sketch: Sketch::Awaited })
        };
        let cards: Vec<Card> = found.into_iter().filter_map(card).collect();
        let mut deck = Deck::new();
        // The cursor skips a game whose target is out of reach.
        let is_fine = |card: &Card| !world.games.game(&card.rulebook).is_out_of_reach();
        deck.cursor = Cursor(cards.iter().position(is_fine).unwrap_or(0));
        Games { cards, invalid, deck, asked: None }
    }

    fn card(&self) -> Option<&Card> {
        self.cards.get(self.deck.cursor.0)
    }

    /// Shows the facts about a game after f was pressed twice.
    fn facts(&mut self, world: &mut World) -> Result<Go, Failure> {
        let here = self.deck.cursor.0;
        let Some(card) = self.cards.get(here) else { return Ok(Go::Stay) };
        if world.view().hides(Spoiler::Facts) {
            world.notice = Some("Discovery mode is on, so the facts are hidden.".to_owned());
        } else if self.asked.replace(here) != Some(here) {
            world.notice = Some("The facts reveal who wins. Press f again to see them.".to_owned());
        } else {
            match ask(&world.games, &card.rulebook, |game, budget| game.audit(budget)) {
                Ok(audit) => return Go::open(Rules::facts(&card.rulebook, &audit)),
                Err(Failure::TooLarge(why)) => world.notice = Some(format!("No facts: the game is {why}.")),
                Err(failure) => return Err(failure),
            }
        }
        Ok(Go::Stay)
    }
}

impl Screen for Games {
    fn title(&self) -> String {
        "All games".to_owned()
    }

    fn corner(&self) -> String {
        format!("{} of {}", self.deck.cursor.0 + 1, self.cards.len())
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let faces: Vec<Face> = self.cards.iter().map(Card::face).collect();
        let told = match self.invalid as u64 {
            0 => None,
            invalid => {
                let files = phrases::count(invalid, "of your files has", "of your files have");
                Some(format!("{files} errors. See Your own rules."))
            }
        };
        let legend = wrap(LEGEND, area.width).len() as u16;
        let left = area.height.saturating_sub(legend + u16::from(told.is_some()));
        self.deck.draw(canvas, Rect { height: left, ..area }, &faces);
        canvas.wrapped(below(area, left), Tone::Faint, LEGEND);
        if let Some(told) = told {
            canvas.text(row(area, left + legend), Tone::Bad, &words_that_fit(&told, area.width));
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers = vec![Offer::enter("play")];
        if self.card().is_some_and(|card| !card.variants.is_empty()) {
            offers.push(Offer::letter('v', "variants"));
        }
        offers.extend([
            Offer::letter('?', "rules"),
            Offer::letter('m', "map"),
            Offer::letter('p', "puzzles"),
            Offer::letter('o', "opponents"),
            Offer::letter('f', "facts"),
            Offer::escape("back"),
        ]);
        if self.card().is_some_and(|card| number_alone_decides(&card.rulebook)) {
            offers.push(Offer::letter('i', "idea"));
        }
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        if self.deck.moved(input, self.cards.len()) {
            return Ok(Go::Stay);
        }
        if input == Input::ESCAPE {
            return Ok(Go::Back);
        }
        let chosen = self.deck.cursor.chosen(input, self.cards.len()).is_some();
        let Some(card) = self.card() else { return Ok(Go::Stay) };
        match input {
            _ if chosen => {
                let game = game::find(&card.name, &Changes::default())?;
                Go::open(SetUp::for_game(game, world)?)
            }
            Input::Key(KeyCode::Char('v') | KeyCode::Right) => {
                if card.variants.is_empty() {
                    world.notice = Some("This game has no variants.".to_owned());
                    return Ok(Go::Stay);
                }
                Go::open(Ways::new(game::find(&card.name, &Changes::default())?)?)
            }
            Input::Key(KeyCode::Char('m')) => Go::open(MapView::new(Arc::clone(&card.rulebook), world)?),
            Input::Key(KeyCode::Char('i')) => Go::open(IdeaTest::new(Arc::clone(&card.rulebook))),
            Input::Key(KeyCode::Char('o')) => {
                Go::open(Opponents::in_game(world, &card.name.to_string_lossy())?)
            }
            Input::Key(KeyCode::Char('?')) => Go::open(Rules::new(&card.rulebook, world)),
            Input::Key(KeyCode::Char('f')) => self.facts(world),
            Input::Key(KeyCode::Char('p')) => {
                let game = game::find(&card.name, &Changes::default())?;
                Go::open(PuzzleView::new(Desk::of_game(game, &world.folders)?, world)?)
            }
            _ => Ok(Go::Stay),
        }
    }

    // One portrait per wake, so that badges appear as they are computed.
    fn wakes_at(&self) -> Option<Duration> {
        self.cards.iter().any(|card| card.sketch == Sketch::Awaited).then_some(Duration::ZERO)
    }

    fn wake(&mut self, world: &mut World) -> Result<Go, Failure> {
        if let Some(card) = self.cards.iter_mut().find(|card| card.sketch == Sketch::Awaited) {
            card.sketch = Sketch::for_game(&card.rulebook, &world.games);
        }
        Ok(Go::Stay)
    }
}

/// A variant of a game, or the game itself.
struct Way {
    /// `None` for the game itself.
    variant: Option<String>,
    rulebook: Arc<Rulebook>,
    sketch: Sketch,
}

/// The variants of a game.
pub struct Ways {
    game: Game,
    ways: Vec<Way>,
    deck: Deck,
}

impl Ways {
    fn new(game: Game) -> Result<Ways, Failure> {
        let variants = game.draft.variants().map(|name| Some(name.to_owned()));
        let ways = [None].into_iter().chain(variants).filter_map(|variant| {
            let changes = Changes { variant, settings: Vec::new() };
            let rulebook = Arc::new(game.changed(&changes).ok()?.rulebook().ok()?);
            Some(Way { variant: changes.variant, rulebook, sketch: Sketch::Awaited })
        });
        Ok(Ways { ways: ways.collect(), game, deck: Deck::new() })
    }

    /// The variant with the most subtle choices, once all are known. In a tie, the first one.
    fn deepest(&self) -> Option<usize> {
        let mut deepest = None;
        for (index, way) in self.ways.iter().enumerate() {
            let Sketch::Made(portrait) = way.sketch else { return None };
            if portrait.subtle > deepest.map_or(0, |(subtle, _)| subtle) {
                deepest = Some((portrait.subtle, index));
            }
        }
        deepest.map(|(_, index)| index)
    }

    fn faces(&self) -> Vec<Face> {
        let deepest = self.deepest();
        let face = |(index, way): (usize, &Way)| Face {
            title: way.variant.as_deref().map_or("Standard".to_owned(), spoken),
            mark: (deepest == Some(index)).then_some("deepest"),
            text: describe::summary(&way.rulebook),
            suits: None,
            badges: way.sketch.badges(),
        };
        self.ways.iter().enumerate().map(face).collect()
    }
}

impl Screen for Ways {
    fn title(&self) -> String {
        let title = self.ways.first().map_or("", |way| way.rulebook.title());
        format!("Variants: {title}")
    }

    fn corner(&self) -> String {
        format!("{} of {}", self.deck.cursor.0 + 1, self.ways.len())
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let cards = Rect { height: area.height.saturating_sub(1), ..area };
        self.deck.draw(canvas, cards, &self.faces());
        let legend = "Deepest: the most turns where the best move isn't obvious.";
        canvas.text(row(area, area.height.saturating_sub(1)), Tone::Faint, legend);
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers = vec![
            Offer::enter("play"),
            Offer::letter('?', "rules"),
            Offer::letter('m', "map"),
            Offer::escape("back"),
        ];
        let way = self.ways.get(self.deck.cursor.0);
        if way.is_some_and(|way| number_alone_decides(&way.rulebook)) {
            offers.push(Offer::letter('i', "idea"));
        }
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        if self.deck.moved(input, self.ways.len()) {
            return Ok(Go::Stay);
        }
        if matches!(input, Input::ESCAPE | Input::Key(KeyCode::Left)) {
            return Ok(Go::Back);
        }
        let chosen = self.deck.cursor.chosen(input, self.ways.len()).is_some();
        let Some(way) = self.ways.get(self.deck.cursor.0) else { return Ok(Go::Stay) };
        match input {
            _ if chosen => {
                let changes = Changes { variant: way.variant.clone(), settings: Vec::new() };
                Go::open(SetUp::for_game(self.game.changed(&changes)?, world)?)
            }
            Input::Key(KeyCode::Char('m')) => Go::open(MapView::new(Arc::clone(&way.rulebook), world)?),
            Input::Key(KeyCode::Char('i')) => Go::open(IdeaTest::new(Arc::clone(&way.rulebook))),
            Input::Key(KeyCode::Char('?')) => Go::open(Rules::new(&way.rulebook, world)),
            _ => Ok(Go::Stay),
        }
    }

    fn wakes_at(&self) -> Option<Duration> {
        self.ways.iter().any(|way| way.sketch == Sketch::Awaited).then_some(Duration::ZERO)
    }

    fn wake(&mut self, world: &mut World) -> Result<Go, Failure> {
        if let Some(way) = self.ways.iter_mut().find(|way| way.sketch == Sketch::Awaited) {
            way.sketch = Sketch::for_game(&way.rulebook, &world.games);
        }
        Ok(Go::Stay)
    }
}
