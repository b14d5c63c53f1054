//! Home: the first screen.

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
use crate::sitting::today;
use crate::solving::look_ahead;

/// Rows for the logo, for each player's arcs and for an item, from the largest window to the smallest.
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
/// The number line's maximum width.
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
            Item::GoOn => ("Continue", "resume your unfinished round"),
            Item::PlayNow => ("Play now", "quick game against an easy opponent"),
            Item::Today => ("Today's duel", ""),
            Item::TwoPlayers => ("Two players", "take turns on this keyboard"),
            Item::AllGames => ("All games", "pick one and see how it plays"),
            Item::Puzzles => ("Puzzles", "win against the best defence"),
            Item::PastRounds => ("Past rounds", "review what mattered"),
            Item::Opponents => ("Opponents", "meet the computer players"),
            Item::OwnRules => ("Your own rules", "invent your own games"),
            Item::Help => ("Help", "how to play and all keys"),
            Item::Leave => ("Quit", ""),
        }
    }
}

pub struct Home {
    items: Vec<Item>,
    cursor: Cursor,
    /// Unfinished rounds, except today's duel.
    saves: Vec<PathBuf>,
    /// A short description of them.
    kept: Option<String>,
    /// A short description of today's duel.
    todays: String,
    /// The last two names, with the rounds each player has won.
    score: Option<(ByPlayer<String>, ByPlayer<u32>)>,
    /// The size of the rounds file at the last count.
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
        // Today's duel gets its own line.
        self.saves.retain(|save| Some(save) != goes_on.as_ref());
        self.kept = match &self.saves[..] {
            [] => None,
            [save] => Some(kept::about(save).unwrap_or_else(|| Item::GoOn.words().1.to_owned())),
            several => Some(format!("choose from {} unfinished rounds", several.len())),
        };
        self.todays =
            if goes_on.is_some() { "resume where you left off".to_owned() } else { streak.beside(day) };
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
        // Cache: reading many rounds is slow, so count again only if the file changed.
        if names.as_ref() != known || length != self.counted {
            self.counted = length;
            self.score = names.map(|names| {
                let score = past::score(&world.folders, &names, None, None);
                (names, score)
            });
        }
    }
}

/// A sample round on a number line.
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
    NumberLine::for_round(&round)
}

/// A quick round against the easiest opponent, from a seat that can win.
pub fn play_now(world: &mut World) -> Result<Board, Failure> {
    let game = game::find(OsStr::new(catalog::FIRST), &Changes::default())?;
    let help = sitting::Help { discover: world.discovers(), ..sitting::Help::default() };
    let mut setup = look_ahead(&world.games, |ahead| Setup::gentle(game, help, world.dice(), ahead))?;
    if let Some(name) = seats::remembered_name(world) {
        setup.call(Player::One, name);
    }
    seats::sit_down(setup, world)
}

/// Today's duel: the unfinished attempt, or a new one.
pub fn todays_duel(world: &mut World) -> Result<Board, Failure> {
    let day = (world.today)();
    // An error in the file was reported at the start and must not block the game.
    let counts = today::streak(&world.folders).unwrap_or_default().takes(day);
    let duel = today::duel(day)?;
    let help = sitting::Help { discover: world.discovers(), ..sitting::Help::default() };
    let mut setup = today::setup(&duel, counts, help, &world.autosave, &world.games, &world.folders)?;
    if let Some(name) = seats::remembered_name(world).filter(|_| setup.resumed.is_none()) {
        setup.call(Player::One, name);
    }
    let mut board = seats::sit_down(setup, world)?;
    // The game is new to everyone, so its rules come first.
    board.brief(describe::moves_in_short(&duel.invented.rulebook));
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
        // The logo, tagline, number line, items and a last line, with gaps if they fit.
        let needs = |logo: u16, arcs: u16, item: u16| logo + 1 + self.line.height(arcs) + items * item + 1;
        let has_rows = |rows: u16| logo::rows(canvas, inset(Rect { height: rows, ..area }, 4)) == rows;
        let fits = |(logo, arcs, item): &(u16, u16, u16)| {
            // Two rows per item leave room for gaps.
            let gaps = if *item > 1 { 3 } else { 1 };
            has_rows(*logo) && needs(*logo, *arcs, *item) + gaps <= area.height
        };
        let (logo, arcs, item) = ROWS.into_iter().find(fits).unwrap_or((1, 0, 1));
        let spare = area.height.saturating_sub(needs(logo, arcs, item));
        // Distribute the spare rows, first below the number line.
        let gap = |place: u16| (spare / 5 + u16::from(spare % 5 > place)).min(3);
        let mut y = gap(2);
        logo::draw(canvas, inset(Rect { height: logo, ..below(area, y) }, 4));
        y += logo + gap(1);
        // In the smallest window the tagline needs the margins.
        let across = Rect { x: area.x.saturating_sub(2), width: area.width + 4, ..area };
        canvas.centred(
            row(across, y),
            Tone::Strong,
            "Take turns changing a number. Land on the target to win.",
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
            // A long title may run to the edge.
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
            true => (Tone::Strong, "Discovery mode: no hints or answers. d turns it off."),
            false => (Tone::Faint, "Using a screen reader? Run: spoton play"),
        };
        canvas.centred(row(area, area.height.saturating_sub(1)), tone, last);
    }

    fn offers(&self) -> Vec<Offer> {
        let discovery = if self.discovers { "end discovery" } else { "discovery" };
        vec![
            Offer::enter("choose"),
            Offer::letter('?', "help"),
            Offer::letter('b', "light/dark"),
            Offer::letter('d', discovery),
            Offer::letter('q', "quit"),
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
                "Discovery mode is on. Find the secrets yourself."
            } else {
                "Discovery mode is off."
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
        // After leaving a round, the cursor is on the item that resumes it.
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
