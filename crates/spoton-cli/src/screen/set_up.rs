//! Set-up: the options of a new round.

use std::ffi::{OsStr, OsString};
use std::rc::Rc;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::View;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::series::Match;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Changes, Game, MatchForm, Rulebook, Setting, catalog};
use spoton::records::{NAME_FORM, is_name};
use spoton::sitting::{Adaptive, Help, Setup, level_of, rulebook_for, rungs_of};
use spoton::solved::SolvedGames;
use spoton::words::opponents::too_few_choices;

use super::board::Board;
use super::canvas::Canvas;
use super::help::Rules;
use super::seats::{NAMES, remembered_names, sit_down, typed_names};
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::game;
use crate::progress;
use crate::sitting::resume::adapting;
use crate::solving::look_ahead;

mod draw;
mod input;
mod words;

/// The name under which the last game is remembered.
const LAST_GAME: &str = "game";

/// A variant's name as people see it.
pub fn spoken(variant: &str) -> String {
    variant.replace('-', " ")
}

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Game,
    Way,
    Target,
    Rival,
    First,
    Form,
    Help,
    Undo,
    Name(Player),
}

/// The opponent.
#[derive(Clone, Debug, PartialEq)]
enum Rival {
    Person,
    /// Adapts to the results.
    Adaptive,
    /// A rung of the game's ladder: one or more equally strong opponents.
    Rung(Vec<Opponent>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// The rule book's target.
    Own,
    Typed(String),
    /// A random target for each round.
    Drawn,
}

/// The player who starts the first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Player(Player),
    Surprise,
}

const FIRSTS: [First; 3] = [First::Player(Player::One), First::Player(Player::Two), First::Surprise];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aid {
    None,
    Coach,
    Open,
    Discover,
}

const AIDS: [Aid; 4] = [Aid::None, Aid::Coach, Aid::Open, Aid::Discover];

/// The match forms on offer, next to the book's own.
const FORMS: [MatchForm; 5] = [
    MatchForm::FirstTo(2),
    MatchForm::FirstTo(3),
    MatchForm::FirstTo(5),
    MatchForm::Rounds(4),
    MatchForm::Rounds(10),
];

/// Column offsets for clicks to the left and right of a value.
const LEFT: usize = 100;
const RIGHT: usize = 200;
const SURPRISE: usize = 300;

pub struct SetUp {
    /// The names of all games.
    games: Vec<OsString>,
    /// The chosen game's index in the list, if it is there.
    place: Option<usize>,
    /// Cache of solved games.
    solved: Rc<SolvedGames>,
    /// The game before and after applying the options chosen here.
    plain: Game,
    game: Game,
    rulebook: Arc<Rulebook>,
    /// The problem with the typed target, if any.
    wrong: Option<String>,
    ways: Vec<Option<String>>,
    way: usize,
    target: Target,
    /// Whether the player is typing the target. If not, a digit starts a new one.
    types_target: bool,
    /// The range of random targets.
    span: Option<(i64, i64)>,
    rivals: Vec<Rival>,
    rival: usize,
    /// A note on a game in which all opponents play alike.
    too_few_choices: Option<String>,
    /// The note that no player can land on the target.
    out_of_reach: Option<String>,
    first: First,
    forms: Vec<Option<MatchForm>>,
    form: usize,
    aid: Aid,
    /// Whether discovery mode is on.
    discovers: bool,
    undo: bool,
    names: ByPlayer<String>,
    here: Row,
}

impl SetUp {
    /// Set-up for two people, with the last game unless its target is out of reach.
    pub fn two_people(world: &World) -> Result<SetUp, Failure> {
        let find = |name: &OsStr| {
            let game = game::find(name, &Changes::default()).ok()?;
            let rulebook = Arc::new(game.rulebook().ok()?);
            (!world.games.game(&rulebook).is_out_of_reach()).then_some(game)
        };
        let last = world.remembered(LAST_GAME).and_then(|name| find(OsStr::new(&name)));
        let game = match last {
            Some(game) => game,
            None => game::find(OsStr::new(catalog::FOR_TWO), &Changes::default())?,
        };
        let mut set_up = SetUp::for_game(game, world)?;
        set_up.rival = 0;
        set_up.here = Row::Game;
        if remembered_names(world).is_none() {
            let unknown = Player::BOTH.into_iter().find(|player| set_up.names[*player].is_empty());
            set_up.here = Row::Name(unknown.unwrap_or(Player::One));
        }
        Ok(set_up)
    }

    /// Set-up for a game against the adaptive opponent.
    pub fn for_game(game: Game, world: &World) -> Result<SetUp, Failure> {
        let valid = game::all(&world.folders).into_iter().filter(|found| found.listed.rulebook.is_some());
        let games: Vec<OsString> = valid.map(|found| found.name).collect();
        let rulebook = Arc::new(game.rulebook()?);
        let mut set_up = SetUp {
            place: games.iter().position(|name| name.to_string_lossy() == game.name),
            games,
            solved: Rc::clone(&world.games),
            plain: game.clone(),
            game,
            rulebook,
            wrong: None,
            ways: Vec::new(),
            way: 0,
            target: Target::Own,
            types_target: false,
            span: None,
            rivals: Vec::new(),
            rival: 0,
            too_few_choices: None,
            out_of_reach: None,
            first: FIRSTS[0],
            forms: Vec::new(),
            form: 0,
            aid: if world.discovers() { Aid::Discover } else { Aid::None },
            discovers: world.discovers(),
            undo: true,
            names: typed_names(world),
            here: Row::Rival,
        };
        set_up.take(set_up.plain.clone())?;
        set_up.rival = 1;
        Ok(set_up)
    }

    /// Chooses a game with its default options.
    fn take(&mut self, game: Game) -> Result<(), Failure> {
        game.rulebook()?;
        let way = game.variant.clone();
        let fits = |variant: &Option<String>| {
            let changes = Changes { variant: variant.clone(), settings: Vec::new() };
            game.changed(&changes).and_then(|game| game.rulebook()).is_ok()
        };
        let variants = game.draft.variants().map(|name| Some(name.to_owned()));
        self.ways = [None].into_iter().chain(variants.filter(fits)).collect();
        self.way = self.ways.iter().position(|known| *known == way).unwrap_or(0);
        self.target = Target::Own;
        self.plain = game;
        self.lay_over()
    }

    /// The options as changes to the game.
    fn changes(&self, target: &Target) -> Changes {
        let target = match target {
            Target::Own => None,
            Target::Typed(typed) => Some(typed.clone()),
            Target::Drawn => self.span.map(|(low, high)| format!("{low}..{high}")),
        };
        let settings = self.plain.settings.iter().cloned().chain(target.map(Setting::Target));
        Changes { variant: self.ways.get(self.way).cloned().flatten(), settings: settings.collect() }
    }

    /// The range of random targets, if there is one.
    fn find_span(&self) -> Option<(i64, i64)> {
        let game = self.plain.changed(&self.changes(&Target::Own)).ok()?;
        let own = game.rulebook().ok()?.target()?;
        let fits = |target: i64| self.with_target(target).is_some();
        let around = game.targets_around()?;
        let end = |target: i64| if fits(target) { target } else { own };
        let (low, high) = (end(*around.start()), end(*around.end()));
        (low < high).then_some((low, high))
    }

    /// The rule book with another target. Returns `None` if it isn't valid.
    fn with_target(&self, target: i64) -> Option<Rulebook> {
        let changes = self.changes(&Target::Typed(target.to_string()));
        self.plain.changed(&changes).ok()?.rulebook().ok()
    }

    /// Applies the options to the game. Keeps an invalid typed target and adds a message.
    fn lay_over(&mut self) -> Result<(), Failure> {
        self.span = self.find_span();
        let game = self.plain.changed(&self.changes(&self.target))?;
        let usual = match self.target {
            Target::Drawn => self.plain.changed(&self.changes(&Target::Own))?.rulebook(),
            _ => game.rulebook(),
        };
        self.wrong = match usual {
            Ok(rulebook) => {
                self.game = game;
                self.rulebook = Arc::new(rulebook);
                None
            }
            Err(failure) if matches!(self.target, Target::Typed(_)) => Some(plainly(&failure.into())),
            Err(failure) => return Err(failure.into()),
        };
        let own_form = self.rulebook.match_form().filter(|form| !FORMS.contains(form));
        let form = self.forms.get(self.form).copied().flatten();
        self.forms = [None].into_iter().chain(FORMS.map(Some)).chain(own_form.map(Some)).collect();
        self.form = self.forms.iter().position(|known| *known == form).unwrap_or(0);
        self.tell_out_of_reach();
        self.find_rivals();
        Ok(())
    }

    /// Updates the note on the target for the chosen game and help.
    fn tell_out_of_reach(&mut self) {
        self.out_of_reach = self.solved.game(&self.rulebook).out_of_reach(self.view());
    }

    /// The view of the players. Leaving discovery mode takes effect when the round starts.
    fn view(&self) -> View {
        View::of_player(self.discovers || self.aid == Aid::Discover)
    }

    fn find_rivals(&mut self) {
        let before = self.rivals.get(self.rival).cloned();
        let ladder = self.solved.game(&self.rulebook).quick_ladder();
        let rungs = look_ahead(&self.solved, |ahead| rungs_of(&self.rulebook, ladder.as_deref(), ahead));
        let rungs = rungs.unwrap_or_default();
        let of_variant = |name: &str| format!("The variant \"{}\" has more.", spoken(name));
        self.too_few_choices =
            ladder.and_then(|ladder| too_few_choices(&ladder, &self.plain, &self.solved, of_variant));
        self.rivals =
            [Rival::Person, Rival::Adaptive].into_iter().chain(rungs.into_iter().map(Rival::Rung)).collect();
        let same = |rival: &Rival| match (rival, &before) {
            (Rival::Rung(opponents), Some(Rival::Rung(before))) => opponents.contains(&before[0]),
            (rival, before) => Some(rival) == before.as_ref(),
        };
        self.rival = self.rivals.iter().position(same).unwrap_or(1);
    }

    fn two_play(&self) -> bool {
        self.rivals.get(self.rival) == Some(&Rival::Person)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Game];
        if self.ways.len() > 1 {
            rows.push(Row::Way);
        }
        if self.rulebook.target().is_some() {
            rows.push(Row::Target);
        }
        rows.extend([Row::Rival, Row::First, Row::Form, Row::Help, Row::Undo, Row::Name(Player::One)]);
        if self.two_play() {
            rows.push(Row::Name(Player::Two));
        }
        rows
    }

    /// The default name of a player.
    fn usual_name(&self, player: Player) -> String {
        match self.rivals.get(self.rival) {
            Some(Rival::Rung(opponents)) if player == Player::Two => opponents[0].title().to_owned(),
            _ => player.to_string(),
        }
    }

    fn shown_name(&self, player: Player) -> String {
        let typed = self.names[player].trim();
        if typed.is_empty() { self.usual_name(player) } else { typed.to_owned() }
    }

    /// The players' names, or an error if they aren't valid.
    fn settled_names(&self, opponent: Option<Opponent>) -> Result<ByPlayer<String>, Failure> {
        let names = ByPlayer::from_fn(|player| match opponent {
            Some(opponent) if player == Player::Two => opponent.title().to_owned(),
            _ => self.shown_name(player),
        });
        let ByPlayer([one, two]) = &names;
        if let Some(name) = [one, two].into_iter().find(|name| !is_name(name)) {
            return Err(Failure::Usage(format!("\"{name}\" can't be a name. Type {NAME_FORM}.")));
        }
        if one == two {
            return Err(Failure::Usage(format!("Both players are called {one}. Change one name.")));
        }
        Ok(names)
    }

    /// Starts the round.
    fn start(&self, world: &mut World) -> Result<Board, Failure> {
        if let Some(wrong) = &self.wrong {
            return Err(Failure::Usage(wrong.clone()));
        }
        let dice = world.dice();
        let rulebook = Arc::new(rulebook_for(&self.game, dice, 1)?);
        let adaptive = match self.rivals[self.rival] {
            Rival::Adaptive => {
                let level = level_of(&self.game, &rulebook);
                Some(adapting(Player::Two, level, &rulebook, false, &world.games, &world.folders)?)
            }
            Rival::Person | Rival::Rung(_) => None,
        };
        let opponent = match &self.rivals[self.rival] {
            Rival::Person => None,
            Rival::Adaptive => adaptive.as_ref().map(Adaptive::opponent),
            Rival::Rung(opponents) => Some(opponents[0]),
        };
        let names = self.settled_names(opponent)?;
        let first = match self.first {
            First::Player(player) => player,
            First::Surprise if dice.coin() => Player::Two,
            First::Surprise => Player::One,
        };
        let mut setup = Setup::new(self.game.clone(), ByPlayer([None, opponent]), first, dice);
        setup.names = names;
        setup.adaptive = adaptive;
        setup.series = self.forms[self.form].map(|form| Match::new(form, first));
        setup.help = Help {
            coach: self.aid == Aid::Coach,
            discover: self.aid == Aid::Discover,
            open: self.aid == Aid::Open,
        };
        setup.undo = self.undo;
        let board = sit_down(setup, world)?;
        self.remember(world);
        Ok(board)
    }

    /// Remembers the choices for next time.
    fn remember(&self, world: &mut World) {
        let typed = ByPlayer::from_fn(|player| self.names[player].trim().to_owned());
        if typed != typed_names(world) {
            let ByPlayer([one, two]) = typed;
            world.remember(NAMES, &format!("{one},{two}"));
        }
        if world.remembered(LAST_GAME).as_ref() != Some(&self.game.name) {
            world.remember(LAST_GAME, &self.game.name);
        }
        let discovers = self.aid == Aid::Discover;
        if world.discovers() != discovers
            && let Err(failure) = progress::discover(&world.folders, discovers)
        {
            world.notice = Some(failure.to_string());
        }
    }
}

/// An error on one line, without command-line options.
fn plainly(failure: &Failure) -> String {
    match failure {
        Failure::Invalid(problems) => match problems.first() {
            Some(problem) => {
                let message = problem.message.replace('`', "");
                let mut letters = message.chars();
                let first = letters.next().map(|first| first.to_ascii_uppercase());
                format!("{}{}.", String::from_iter(first), letters.as_str())
            }
            None => String::new(),
        },
        failure => failure.to_string(),
    }
}

impl Screen for SetUp {
    fn title(&self) -> String {
        "Set-up".to_owned()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        draw::draw(self, canvas, area);
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers =
            vec![Offer::enter("start"), Offer::new(Input::Key(KeyCode::Down), "Up/Down", "select")];
        if !self.takes_text() {
            offers.push(Offer::new(Input::Key(KeyCode::Right), "Left/Right", "change"));
            offers.push(Offer::letter('?', "rules"));
        }
        offers.push(Offer::escape("back"));
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        match input {
            Input::ESCAPE => Ok(Go::Back),
            Input::ENTER => Go::open(self.start(world)?),
            Input::Key(KeyCode::Char('?')) if !self.takes_text() => {
                Go::open(Rules::seen_by(self.view(), &self.rulebook, world))
            }
            input => {
                self.change(input, world)?;
                Ok(Go::Stay)
            }
        }
    }

    fn takes_text(&self) -> bool {
        matches!(self.here, Row::Name(_))
    }
}
