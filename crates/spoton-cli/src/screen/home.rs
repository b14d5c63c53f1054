//! Home: what somebody sees first.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use ratatui::layout::Rect;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{Changes, catalog};
use spoton::sitting::{self, Setup};
use spoton::words::describe;

use super::board::Board;
use super::board::puzzle::PuzzleView;
use super::canvas::{Canvas, below, inset, row, words_that_fit};
use super::games::Games;
use super::help::Help;
use super::kept::{self, Kept};
use super::logo;
use super::menu::{Cursor, draw_item, draw_list};
use super::number_line::NumberLine;
use super::opponents::Opponents;
use super::own_rules::OwnRules;
use super::past::{self, Past};
use super::played::Played;
use super::seats;
use super::set_up::SetUp;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::game;
use crate::progress;
use crate::puzzles::Desk;
use crate::solving::look_ahead;
use crate::today;

/// The rows of the name, of the arcs of each player and of an item, from the largest window to the smallest.
const ROWS: [(u16, u16, u16); 11] = [
    (10, 4, 2),
    (10, 3, 2),
    (5, 4, 2),
    (5, 3, 2),
    (5, 2, 2),
    (3, 2, 1),
    (5, 1, 1),
    (3, 1, 1),
    (1, 2, 1),
    (1, 1, 1),
    (1, 0, 1),
];
/// The line is not wider than this.
const WIDEST: u16 = 120;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    GoOn,
    PlayNow,
    Today,
    TwoPlayers,
    AllGames,
    Puzzles,
    PastRounds,
    Opponents,
    OwnRules,
    Help,
    Leave,
}

impl Item {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Item::GoOn => ("Go on", "with the round that you left"),
            Item::PlayNow => ("Play now", "a short round against a gentle opponent"),
            Item::Today => ("Today's duel", ""),
            Item::TwoPlayers => ("Two players", "at this keyboard"),
            Item::AllGames => ("All games", "and how each of them plays"),
            Item::Puzzles => ("Puzzles", "win from here, against the best defence"),
            Item::PastRounds => ("Past rounds", "look back, and see what mattered"),
            Item::Opponents => ("Opponents", "who they are, and what they tend to do"),
            Item::OwnRules => ("Your own rules", "games that you have written"),
            Item::Help => ("Help", "how to play, and the keys"),
            Item::Leave => ("Leave", ""),
        }
    }
}

pub struct Home {
    items: Vec<Item>,
    cursor: Cursor,
    /// The rounds that were left, beside today's duel.
    saves: Vec<PathBuf>,
    /// What they are.
    kept: Option<String>,
    /// How today's duel stands.
    todays: String,
    /// The names that were played under last, with the rounds that each has won.
    score: Option<(ByPlayer<String>, ByPlayer<u32>)>,
    /// How long the file of all rounds was when they were counted.
    counted: Option<u64>,
    line: NumberLine,
    discovers: bool,
}

impl Home {
    pub fn new(world: &mut World) -> Home {
        let mut home = Home {
            items: Vec::new(),
            cursor: Cursor::default(),
            saves: Vec::new(),
            kept: None,
            todays: String::new(),
            score: None,
            counted: None,
            line: example(),
            discovers: false,
        };
        home.refresh(world);
        home.cursor = Cursor(home.items.iter().position(|item| *item == Item::PlayNow).unwrap_or(0));
        home
    }

    fn refresh(&mut self, world: &World) {
        self.discovers = world.discovers();
        let streak = today::streak(&world.folders).unwrap_or_default();
        let day = (world.today)();
        let goes_on = today::kept(&world.folders, day).filter(|_| streak.takes(day));
        self.saves = kept::saves(world);
        // One line is enough for one round.
        self.saves.retain(|save| Some(save) != goes_on.as_ref());
        self.kept = match &self.saves[..] {
            [] => None,
            [save] => Some(kept::about(save).unwrap_or_else(|| Item::GoOn.words().1.to_owned())),
            several => Some(format!("with one of the {} rounds that you left", several.len())),
        };
        self.todays =
            if goes_on.is_some() { "goes on where you left it".to_owned() } else { streak.beside(day) };
        self.items = self.kept.iter().map(|_| Item::GoOn).collect();
        self.items.extend([
            Item::PlayNow,
            Item::Today,
            Item::TwoPlayers,
            Item::AllGames,
            Item::Puzzles,
            Item::PastRounds,
            Item::Opponents,
            Item::OwnRules,
            Item::Help,
            Item::Leave,
        ]);
        let length = world.folders.rounds().ok().and_then(|path| Some(fs::metadata(path).ok()?.len()));
        let names = seats::remembered_names(world);
        let known = self.score.as_ref().map(|(names, _)| names);
        // A file of many rounds takes a while to be read; as long as none is added, it says the same.
        if names.as_ref() != known || length != self.counted {
            self.counted = length;
            self.score = names.map(|names| {
                let score = past::score(&world.folders, &names, None, None);
                (names, score)
            });
        }
    }
}

/// A round on a number line, as a picture of what this is about.
fn example() -> NumberLine {
    let text = "title = 'Example'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']";
    let rulebook = spoton::format::Draft::read("example", text).build();
    let Ok(rulebook) = rulebook else { return NumberLine::empty() };
    let mut round = Round::new(Arc::new(rulebook), Player::One);
    for place in [1, 1, 0, 1] {
        let choice = round.rulebook().legal(round.position()).get(place);
        if let Some(choice) = choice {
            let _ = round.play(spoton::engine::play::Move::Operation(choice));
        }
    }
    NumberLine::of(&round)
}

/// A round at once: against the gentlest opponent, from a seat that can win.
pub fn play_now(world: &mut World) -> Result<Board, Failure> {
    let game = game::find(OsStr::new(catalog::FIRST), &Changes::default())?;
    let mut setup = look_ahead(&world.games, |ahead| Setup::gentle(game, world.dice(), ahead))?;
    setup.help.discover = world.discovers();
    if let Some(name) = seats::remembered_name(world) {
        setup.call(Player::One, name);
    }
    seats::sit_down(setup, world)
}

/// Today's duel: the attempt that was left, or a new one.
pub fn todays_duel(world: &mut World) -> Result<Board, Failure> {
    let day = (world.today)();
    // What is wrong with the file was told at the start, and keeps nobody from playing.
    let counts = today::streak(&world.folders).unwrap_or_default().takes(day);
    let duel = today::duel(day)?;
    let help = sitting::Help { discover: world.discovers(), ..sitting::Help::default() };
    let mut setup = today::setup(&duel, counts, help, &world.autosave, &world.games, &world.folders)?;
    if let Some(name) = seats::remembered_name(world).filter(|_| setup.resumed.is_none()) {
        setup.call(Player::One, name);
    }
    let mut board = seats::sit_down(setup, world)?;
    // Nobody has met this game before, so its rules are told in short.
    board.brief(describe::summary(&duel.invented.rulebook));
    let damaged = if counts { today::damaged(&world.folders, day) } else { None };
    let trouble = damaged.map(|failure| failure.to_string()).or_else(|| world.notice.take());
    let terms = duel.in_words(today::terms(&world.folders, counts));
    board.tell_terms(terms, world);
    world.notice = trouble.or_else(|| world.notice.take());
    Ok(board)
}

impl Screen for Home {
    fn title(&self) -> String {
        "Spot On".to_owned()
    }

    fn corner(&self) -> String {
        match &self.score {
            Some((names, won)) => format!("{}  {} : {}  {}", names.0[0], won.0[0], won.0[1], names.0[1]),
            None => String::new(),
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let items = self.items.len() as u16;
        // The name, what it is about, the line, the items and a last line, with gaps between them if they fit.
        let needs = |logo: u16, arcs: u16, item: u16| logo + 1 + self.line.height(arcs) + items * item + 1;
        let has_rows = |rows: u16| logo::rows(canvas, inset(Rect { height: rows, ..area }, 4)) == rows;
        let fits = |(logo, arcs, item): &(u16, u16, u16)| {
            // Where there is room for two rows an item, there is some for gaps as well.
            let gaps = if *item > 1 { 3 } else { 1 };
            has_rows(*logo) && needs(*logo, *arcs, *item) + gaps <= area.height
        };
        let (logo, arcs, item) = ROWS.into_iter().find(fits).unwrap_or((1, 0, 1));
        let spare = area.height.saturating_sub(needs(logo, arcs, item));
        // What is left goes between them, below the line first.
        let gap = |place: u16| (spare / 5 + u16::from(spare % 5 > place)).min(3);
        let mut y = gap(2);
        logo::draw(canvas, inset(Rect { height: logo, ..below(area, y) }, 4));
        y += logo + gap(1);
        // In the smallest window it takes the margins, too.
        let across = Rect { x: area.x.saturating_sub(2), width: area.width + 4, ..area };
        canvas.centred(
            row(across, y),
            Tone::Strong,
            "Number duels for two: change the number, and think ahead.",
        );
        y += 1 + gap(3);
        let line = below(area, y);
        let line = inset(line, line.width.saturating_sub(WIDEST).max(12) / 2);
        self.line.draw(canvas, Rect { height: self.line.height(arcs).min(line.height), ..line });
        y += self.line.height(arcs) + gap(0);
        let list = below(area, y);
        let list = inset(list, list.width.saturating_sub(60) / 2);
        let rows = list.height.saturating_sub(1);
        let list_area = Rect { height: rows, ..list };
        draw_list(canvas, list_area, self.cursor, self.items.len(), item, |canvas, place, index, here| {
            let (name, about) = self.items[index].words();
            draw_item(canvas, Rect { width: 18.min(place.width), ..place }, name, here);
            // A long title may go on to the edge.
            let x = place.x + 20;
            let beside = Rect { x, width: area.right().saturating_sub(x), ..place };
            let about = match (self.items[index], &self.kept) {
                (Item::GoOn, Some(kept)) => kept,
                (Item::Today, _) => &self.todays,
                _ => about,
            };
            canvas.text(beside, Tone::Faint, &words_that_fit(about, beside.width));
        });
        let (tone, last) = match self.discovers {
            true => (Tone::Strong, "Discovery is on: nothing gives a secret away. d turns it off."),
            false => (Tone::Faint, "With a screen reader, play in lines: spoton play"),
        };
        canvas.centred(row(area, area.height.saturating_sub(1)), tone, last);
    }

    fn offers(&self) -> Vec<Offer> {
        let discovery = if self.discovers { "end discovery" } else { "discovery" };
        vec![
            Offer::enter("choose"),
            Offer::letter('?', "help"),
            Offer::letter('b', "light or dark"),
            Offer::letter('d', discovery),
            Offer::letter('q', "leave"),
        ]
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        if self.cursor.moved(input, self.items.len()) {
            return Ok(Go::Stay);
        }
        if input == Input::letter('q') {
            return Ok(Go::Quit);
        }
        if input == Input::letter('?') {
            return Go::open(Help::new());
        }
        if input == Input::letter('d') {
            progress::discover(&world.folders, !self.discovers)?;
            self.refresh(world);
            let told = if self.discovers {
                "Discovery is on: the secrets are yours to find."
            } else {
                "Discovery is off."
            };
            world.notice = Some(told.to_owned());
            return Ok(Go::Stay);
        }
        let Some(index) = self.cursor.chosen(input, self.items.len()) else { return Ok(Go::Stay) };
        match self.items[index] {
            Item::GoOn => match &self.saves[..] {
                [save] => Go::open(kept::go_on(save, world)?),
                _ => Go::open(Kept::new(world)),
            },
            Item::PlayNow => Go::open(play_now(world)?),
            Item::Today => match Played::of_today(world)? {
                Some(played) => Go::open(played),
                None => Go::open(todays_duel(world)?),
            },
            Item::TwoPlayers => Go::open(SetUp::two_people(world)?),
            Item::AllGames => Go::open(Games::new(world)),
            Item::Puzzles => Go::open(PuzzleView::new(Desk::of_all(&world.folders)?, world)?),
            Item::PastRounds => Go::open(Past::new(world)),
            Item::Opponents => Go::open(Opponents::new(world)?),
            Item::OwnRules => Go::open(OwnRules::new(world)),
            Item::Help => Go::open(Help::new()),
            Item::Leave => Ok(Go::Quit),
        }
    }

    fn returned(&mut self, world: &mut World) -> Result<(), Failure> {
        // Whoever has just left a round may want to go on with it.
        let left = std::mem::take(&mut world.has_left).then_some(world.kept.clone()).flatten();
        let chosen = self.items.get(self.cursor.0).copied();
        self.refresh(world);
        let chosen = match left {
            Some(path) if self.saves.contains(&path) => Some(Item::GoOn),
            Some(_) => Some(Item::Today),
            None => chosen,
        };
        let same = self.items.iter().position(|item| Some(*item) == chosen);
        self.cursor = Cursor(same.unwrap_or(0));
        Ok(())
    }
}
