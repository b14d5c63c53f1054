//! The board: a round as it is played, and its end.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::format::{Numbers, Past};
use spoton::people::forced::{self, ForcedEnd};
use spoton::sitting::{Command, Event};
use spoton::solver::chart::number_alone_decides;
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::phrases;

use super::canvas::Piece;
use super::help::Rules;
use super::idea::IdeaTest;
use super::map::MapView;
use super::menu::Cursor;
use super::past;
use super::review::ReviewView;
use super::text_field::TextField;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::Sitting;
use ending::Finale;
use flourish::Flourish;
use grid::Seen;
use playing_out::PlayingOut;

mod buttons;
mod counters;
mod draw;
mod ending;
mod flourish;
mod grid;
pub mod keys;
mod playing_out;
mod said;
mod typing;

/// How long a number is on its way.
const GLIDE: Duration = Duration::from_millis(320);
/// How long a computer seems to think.
const THINKS: Duration = Duration::from_millis(650);
/// From one picture of a movement to the next.
const FRAME: Duration = Duration::from_millis(32);

/// What is said if the game is too large to look ahead.
const TOO_LARGE: &str = "No answer: this game is too large to solve here.";
/// More reasons than this have no place beside the board.
const MOST_TOLD: usize = 9;
/// How the coach's offer begins.
const MATTERS: &str = "This turn matters.";

pub struct Board {
    sitting: Sitting,
    /// On which operation the cursor is.
    cursor: Cursor,
    /// How the operations stand if there are many.
    seen: Seen,
    /// The move that is being typed.
    typing: Option<TextField>,
    /// What the coach, or somebody who was asked, has said on this turn.
    told: Vec<String>,
    /// A choice of which the coach has warned; the same again is meant.
    warned: Option<Choice>,
    /// Whether giving up has been asked for once.
    gives_up: bool,
    /// What is said when the rest plays itself.
    plays_itself: Option<String>,
    /// The moves to the end, while they are made one after another.
    playing_out: Option<PlayingOut>,
    glide: Option<Glide>,
    /// When the computer on turn makes its move.
    computer_at: Option<Duration>,
    /// What is said after the round.
    ending: Option<Finale>,
    /// Sparks for a moment, if somebody here has won.
    flourish: Option<Flourish>,
    /// Whether the round was lost from a seat that nobody can win from.
    hard_seat: bool,
    /// Rounds won against each other, as Home counts them.
    won: ByPlayer<u32>,
    /// What the computer tends to do here, if there is one.
    habit: Option<String>,
    /// The numbers to leave, if they are to be marked.
    stones: Vec<i64>,
}

/// A number on its way.
struct Glide {
    player: Player,
    from: i128,
    to: i128,
    begun: Duration,
    now: Duration,
}

impl Glide {
    /// Where it is by now: fast at first, then slower.
    fn at(&self) -> i128 {
        let share = (self.now.saturating_sub(self.begun)).as_secs_f64() / GLIDE.as_secs_f64();
        let left = (1.0 - share.clamp(0.0, 1.0)).powi(3);
        self.to - ((self.to - self.from) as f64 * left) as i128
    }
}

impl Board {
    /// Sits down at a board. A round that is taken up again is where it was.
    pub fn new(sitting: Sitting, world: &mut World) -> Result<Board, Failure> {
        sitting.note();
        // The same as on Home: all rounds between these two, whenever they were played.
        let setup = sitting.setup();
        let adaptive = setup.adaptive.as_ref().map(|adaptive| adaptive.player);
        let won = past::score(&world.folders, &setup.names, adaptive);
        let mut board = Board {
            sitting,
            cursor: Cursor::default(),
            seen: Seen::default(),
            typing: None,
            told: Vec::new(),
            warned: None,
            gives_up: false,
            plays_itself: None,
            playing_out: None,
            glide: None,
            computer_at: None,
            ending: None,
            flourish: None,
            hard_seat: false,
            won,
            habit: None,
            stones: Vec::new(),
        };
        board.begin_again(world)?;
        Ok(board)
    }

    /// Something that the dialogue of the book says, without colours.
    fn said<T>(&self, what: impl Fn(&Dialogue<'_>) -> T) -> T {
        let setup = self.sitting.setup();
        let computers = ByPlayer::from_fn(|player: Player| setup.computers[player].is_some());
        let voice = Voice { names: &setup.names, computers, paint: &|_, text| text };
        what(&Dialogue { round: self.sitting.round(), voice: &voice })
    }

    /// Gets everything ready for whoever is on turn now.
    fn next_turn(&mut self, world: &mut World) -> Result<(), Failure> {
        self.told.clear();
        self.warned = None;
        self.gives_up = false;
        self.plays_itself = None;
        self.computer_at = None;
        self.typing = None;
        loop {
            match self.sitting.round().situation() {
                Situation::Over(_) => return self.round_is_over(world),
                Situation::Skip => {
                    self.sitting.make(Move::Skip)?;
                    world.notice = self.said(|dialogue| dialogue.moved());
                }
                Situation::Choose(_) => break,
            }
        }
        if self.sitting.computer().is_some() {
            let waits = match (world.motion, &self.glide) {
                (false, _) => Duration::ZERO,
                (true, None) => THINKS,
                (true, Some(_)) => GLIDE + THINKS,
            };
            self.computer_at = Some(world.now + waits);
            return Ok(());
        }
        let legal = self.sitting.rulebook().legal(self.sitting.round().position());
        // Nobody is to go past the target by pressing Enter once too often.
        let goes_past = |choice: Choice| {
            let result = self.sitting.rulebook().result(self.sitting.round().position(), choice);
            let loses = self.sitting.rulebook().past() == Past::Loses;
            loses && result.is_ok_and(|number| self.sitting.rulebook().passes_target(number))
        };
        let is_fine = |choice: Choice| legal.contains(choice) && !goes_past(choice);
        // Where amounts are computed, what stood at this place is another move by now.
        if self.goes_by_amounts() || !self.choice_at(self.cursor.0).is_some_and(is_fine) {
            let first = legal.iter().find(|choice| is_fine(*choice)).or(legal.get(0));
            self.cursor = Cursor(first.and_then(|choice| self.place_of(choice)).unwrap_or(0));
        }
        if let Some(left) = self.sitting.offers_hints()? {
            self.told.push(format!("{MATTERS} h helps ({left} left)."));
        }
        // If that is not known, there are choices enough.
        if let Ok(ForcedEnd::Line(line)) = self.sitting.forced_end() {
            self.plays_itself = forced::announcement(self.sitting.round(), &line);
        }
        Ok(())
    }

    fn make(&mut self, a_move: Move, world: &mut World) -> Result<(), Failure> {
        let owner = self.sitting.rulebook().owner(self.sitting.round().position(), a_move);
        let from = self.sitting.round().number_of(owner);
        self.sitting.make(a_move)?;
        self.glide_from(owner, from, world);
        self.next_turn(world)
    }

    /// Lets a player's number be seen on its way to where it is by now.
    fn glide_from(&mut self, player: Player, from: i128, world: &World) {
        let to = self.sitting.round().number_of(player);
        if world.motion {
            self.glide = Some(Glide { player, from, to, begun: world.now, now: world.now });
        }
    }

    /// Chooses what stands at a place on the board.
    fn choose_at(&mut self, place: usize, world: &mut World) -> Result<(), Failure> {
        let rulebook = self.sitting.rulebook();
        let offer = rulebook.offers(self.sitting.round().position()).nth(place);
        match offer.map(|offer| (offer, offer.choice, offer.result)) {
            Some((_, Some(choice), _)) => self.choose(choice, world)?,
            // An entry that has no amount now.
            Some((offer, None, Err(why))) => {
                let why = phrases::refusal(rulebook, why);
                world.notice = Some(format!("{}: {why}.", rulebook.label_of_offer(&offer)));
                self.cursor = Cursor(place);
                self.sitting.act(Command::Refuse)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn choose(&mut self, choice: Choice, world: &mut World) -> Result<(), Failure> {
        let rulebook = self.sitting.rulebook();
        self.cursor = Cursor(self.place_of(choice).unwrap_or(self.cursor.0));
        if let Err(why) = rulebook.result(self.sitting.round().position(), choice) {
            let operation = rulebook.write(Move::Operation(choice));
            let why = phrases::refusal(rulebook, why);
            world.notice = Some(format!("{operation}: {why}."));
            self.sitting.act(Command::Refuse)?;
            return Ok(());
        }
        if self.sitting.warns_of(choice) && self.warned != Some(choice) {
            let operation = rulebook.write(Move::Operation(choice));
            self.warned = Some(choice);
            self.told = vec![format!("{operation} loses at once. Choose it again to play it all the same.")];
            return Ok(());
        }
        self.make(Move::Operation(choice), world)
    }

    fn round_is_over(&mut self, world: &mut World) -> Result<(), Failure> {
        let mut said: Vec<String> = Vec::new();
        // Who won stands above it, for whoever sits at the keyboard.
        let ending = self.said(|dialogue| dialogue.how_it_ended()).unwrap_or_default();
        said.extend(ending.lines().map(str::to_owned));
        let outcome = self.sitting.round().outcome().filter(|_| self.sitting.counts());
        if let Some(winner) = outcome.and_then(|outcome| outcome.winner) {
            self.won[winner] += 1;
        }
        let end = self.sitting.round_is_over();
        let next = end.meets_next;
        if let Some(trouble) = end.trouble.first() {
            world.notice = Some(trouble.to_string());
        }
        let seat = self.sitting.seat_was_lost()?;
        self.hard_seat = seat.is_some();
        if let Some((seat, blameless)) = seat {
            said.push(phrases::lost_seat(seat, blameless));
        }
        if !self.sitting.counts() && !self.sitting.setup().aside {
            said.push("You were trying something out, so this does not count.".to_owned());
        }
        said.extend(next);
        said.extend(self.sitting.match_in_words());
        let finale = Finale::new(&self.sitting, said);
        if finale.won && world.motion {
            let arrives = self.glide.as_ref().map_or(Duration::ZERO, |_| GLIDE);
            self.flourish = Some(Flourish::new(world.now + arrives, world.now));
        }
        self.ending = Some(finale);
        Ok(())
    }

    /// Whether somebody who was asked has said something; what the coach offers by itself is no answer.
    fn tells(&self) -> bool {
        self.ending.is_none() && self.told.iter().any(|said| !said.starts_with(MATTERS))
    }

    /// Puts away what was said. A warning comes again if the move does.
    fn close_told(&mut self) {
        self.told.retain(|said| said.starts_with(MATTERS));
        self.warned = None;
    }

    /// Whether it is a person's turn to choose.
    fn asks(&self) -> bool {
        self.ending.is_none() && self.playing_out.is_none() && self.sitting.computer().is_none()
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let hint = match self.sitting.hint() {
            Err(Failure::TooLarge(_)) => TOO_LARGE.to_owned(),
            hint => hint?,
        };
        self.told.retain(|said| !said.starts_with(MATTERS));
        if self.told.last() == Some(&hint) {
            self.told.push("There is no further hint.".to_owned());
        } else if !self.told.contains(&hint) {
            self.told.push(hint);
        }
        if let Some(left) = self.sitting.offers_hints()? {
            self.told.insert(0, format!("{MATTERS} h helps ({left} left)."));
        }
        Ok(())
    }

    fn undo(&mut self, world: &mut World) -> Result<(), Failure> {
        let said = self.sitting.take_back();
        if said.is_ok() {
            self.glide = None;
            self.next_turn(world)?;
        }
        world.notice = Some(said.unwrap_or_else(|cannot| cannot.to_string()));
        Ok(())
    }

    /// Another round, the other player starting.
    fn again(&mut self, world: &mut World) -> Result<(), Failure> {
        self.sitting.act(Command::NextRound)?;
        self.begin_again(world)
    }

    fn another_target(&mut self, world: &mut World) -> Result<(), Failure> {
        match self.sitting.act(Command::AnotherTarget) {
            Ok(Some(Event::TargetChanged { target })) => {
                self.again(world)?;
                world.notice = Some(format!("The target is {target} now."));
            }
            Ok(_) => {}
            Err(failure) => world.notice = Some(failure.to_string()),
        }
        Ok(())
    }

    fn begin_again(&mut self, world: &mut World) -> Result<(), Failure> {
        self.ending = None;
        self.glide = None;
        self.flourish = None;
        self.playing_out = None;
        self.cursor = Cursor::default();
        // Found out now, so that drawing never has to look ahead.
        self.habit = match self.sitting.setup().computers.0.iter().flatten().next() {
            Some(opponent) => Some(self.sitting.habit(*opponent)?),
            None => None,
        };
        self.stones = if self.sitting.setup().help.open { self.sitting.stones()? } else { Vec::new() };
        self.next_turn(world)
    }

    fn on_turn(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let gives_up = std::mem::take(&mut self.gives_up);
        let operations = self.offered();
        match input {
            Input::ENTER if self.plays_itself.is_some() => self.play_out(world)?,
            Input::Key(KeyCode::Char('h')) => self.hint()?,
            Input::Key(KeyCode::Char('w')) => {
                self.told = match self.sitting.why() {
                    Err(Failure::TooLarge(_)) => vec![TOO_LARGE.to_owned()],
                    why => why?,
                };
                // More than has a place beside the board is for a page of its own.
                if self.told.len() > MOST_TOLD {
                    return Go::open(Rules::of_reasons(std::mem::take(&mut self.told)));
                }
                if self.sitting.setup().help.discover {
                    self.told.push("You can turn it off in Set-up.".to_owned());
                }
            }
            Input::Key(KeyCode::Char('u')) => self.undo(world)?,
            Input::Key(KeyCode::Char('i')) => {
                return Go::open(IdeaTest::new(self.sitting.rulebook().clone()));
            }
            Input::Key(KeyCode::Char('g')) if gives_up => {
                self.sitting.resign()?;
                self.next_turn(world)?;
            }
            Input::Key(KeyCode::Char('g')) => {
                self.gives_up = true;
                world.notice = Some("Press g again to give up this round.".to_owned());
            }
            Input::Key(KeyCode::Left) => {
                self.cursor.moved(Input::Key(KeyCode::Up), operations);
            }
            Input::Key(KeyCode::Right) => {
                self.cursor.moved(Input::Key(KeyCode::Down), operations);
            }
            Input::Key(KeyCode::Char(letter)) => self.by_letter(letter, world)?,
            input => {
                if !self.seen.moves(&mut self.cursor, input, operations)
                    && !self.cursor.moved(input, operations)
                    && let Some(place) = self.cursor.chosen(input, operations)
                {
                    self.choose_at(place, world)?;
                }
            }
        }
        Ok(Go::Stay)
    }

    fn after_the_round(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        match input {
            Input::ENTER => self.again(world)?,
            Input::Key(KeyCode::Char('n')) if !self.sitting.setup().aside => {
                self.another_target(world)?;
            }
            Input::Key(KeyCode::Char('r')) => {
                return Go::open(ReviewView::of_sitting(&mut self.sitting)?);
            }
            _ => {}
        }
        Ok(Go::Stay)
    }
}

impl Screen for Board {
    fn title(&self) -> String {
        let title = self.sitting.rulebook().title();
        // That little is told here has a reason, which is to be seen.
        if self.sitting.setup().help.discover { format!("{title} (discovery)") } else { title.to_owned() }
    }

    // The names in the colours of the players' arcs.
    fn toned_corner(&self) -> Vec<Piece> {
        let names = &self.sitting.setup().names;
        let score = self.sitting.setup().series.map_or(self.won, |series| series.score());
        vec![
            (Tone::Player(Player::One), names[Player::One].clone()),
            (Tone::Plain, format!("  {} : {}  ", score[Player::One], score[Player::Two])),
            (Tone::Player(Player::Two), names[Player::Two].clone()),
        ]
    }

    fn draw(&self, canvas: &mut super::canvas::Canvas<'_>, area: Rect) {
        draw::draw(self, canvas, area);
    }

    fn offers(&self) -> Vec<Offer> {
        if self.ending.is_some() && self.sitting.setup().aside {
            return vec![Offer::enter("once more"), Offer::letter('r', "look back"), Offer::escape("back")];
        }
        if self.ending.is_some() {
            let again = match (self.sitting.match_goes_on(), self.hard_seat) {
                (true, _) => "next round",
                (false, true) => "swap seats, play again",
                (false, false) => "play again",
            };
            let mut offers =
                vec![Offer::enter(again), Offer::letter('r', "look back"), Offer::escape("home")];
            if self.sitting.rulebook().target().is_some() {
                offers.push(Offer::letter('n', "new target"));
            }
            return offers;
        }
        if self.playing_out.is_some() {
            let leave = if self.sitting.setup().aside { "back" } else { "leave" };
            return vec![Offer::enter("see the end"), Offer::escape(leave)];
        }
        if self.sitting.computer().is_some() {
            return vec![Offer::letter('?', "help"), Offer::escape("leave")];
        }
        if self.typing.is_some() {
            return vec![Offer::enter("play it"), Offer::escape("back to the moves")];
        }
        let mut offers = Vec::new();
        if self.types_numbers() {
            offers.push(Offer::new(Input::letter(self.first_sign()), "0-9", "type it"));
        }
        if self.plays_itself.is_some() {
            offers.push(Offer::enter("play it out"));
        }
        offers.push(Offer::letter('h', "hint"));
        if !self.sitting.setup().help.discover {
            offers.push(Offer::letter('w', "why"));
        }
        if self.sitting.setup().undo {
            offers.push(Offer::letter('u', "undo"));
        }
        offers.push(Offer::letter('?', "help"));
        offers.push(Offer::letter('g', "give up"));
        if number_alone_decides(self.sitting.rulebook()) {
            offers.push(Offer::letter('i', "idea"));
        }
        offers.push(Offer::letter('m', "map"));
        offers.push(Offer::escape(match self.sitting.setup().aside {
            _ if self.tells() => "close",
            true => "back",
            false => "leave",
        }));
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        // Nobody has to wait for a picture.
        self.glide = None;
        self.flourish = None;
        if self.leaves_number(input) {
            self.typing = None;
        }
        if self.typing.is_some() {
            return self.type_on(input, world);
        }
        match input {
            Input::ESCAPE if self.tells() => {
                self.close_told();
                Ok(Go::Stay)
            }
            Input::ESCAPE if self.sitting.setup().aside => Ok(Go::Back),
            Input::ESCAPE => Ok(Go::Home),
            _ if self.playing_out.is_some() => {
                self.play_to_the_end(world)?;
                Ok(Go::Stay)
            }
            Input::Key(KeyCode::Char('?')) => {
                Go::open(Rules::with_keys(self.sitting.rulebook(), &self.choosing_keys(), &self.offers()))
            }
            Input::Key(KeyCode::Char('m')) => {
                let map = MapView::new(self.sitting.rulebook().clone(), world)?;
                Go::open(map.at(self.sitting.round().position()))
            }
            _ if self.ending.is_some() => self.after_the_round(input, world),
            _ if self.asks() => self.on_turn(input, world),
            // It is the computer's turn: a player in a hurry sees its move at once.
            _ => {
                self.computer_at = Some(world.now);
                Ok(Go::Stay)
            }
        }
    }

    fn takes_text(&self) -> bool {
        self.typing.is_some()
    }

    fn wakes_at(&self) -> Option<Duration> {
        let frame = self.glide.as_ref().map(|glide| glide.now + FRAME);
        let spark = self.flourish.as_ref().map(|flourish| flourish.now() + FRAME);
        let next = self.playing_out.as_ref().map(PlayingOut::next_at);
        [frame, spark, next, self.computer_at].into_iter().flatten().min()
    }

    fn wake(&mut self, world: &mut World) -> Result<Go, Failure> {
        if let Some(glide) = &mut self.glide {
            glide.now = world.now;
            if glide.now >= glide.begun + GLIDE {
                self.glide = None;
            }
        }
        self.flourish =
            self.flourish.take().and_then(|mut flourish| flourish.goes_on(world.now).then_some(flourish));
        if self.playing_out.as_ref().is_some_and(|playing| playing.next_at() <= world.now) {
            self.play_on(world)?;
        }
        if self.computer_at.is_some_and(|at| at <= world.now) {
            self.computer_at = None;
            if self.sitting.computer().is_some() {
                match self.sitting.computers_choice()? {
                    Some(choice) => self.make(Move::Operation(choice), world)?,
                    None => self.next_turn(world)?,
                }
            }
        }
        Ok(Go::Stay)
    }

    fn returned(&mut self, world: &mut World) -> Result<(), Failure> {
        // From looking back, somebody may want to play on.
        if let Some(moves) = world.play_on.take()
            && self.ending.is_some()
        {
            self.sitting.act(Command::PlayOn { moves })?;
            self.begin_again(world)?;
        }
        Ok(())
    }

    fn left(&mut self, world: &mut World) -> Result<(), Failure> {
        // After the round there is nothing to note; between two rounds of a match the next one is noted already.
        if self.ending.is_none() {
            self.sitting.note();
        }
        let keep =
            if self.ending.is_some() { self.sitting.match_goes_on() } else { self.sitting.has_begun() };
        if let Some(path) = self.sitting.autosave.put_away(keep)? {
            world.kept = Some(path);
            world.has_left = true;
            world.notice = Some("Your round is kept: Go on takes it up again.".to_owned());
        }
        Ok(())
    }
}

impl Board {
    fn own_numbers(&self) -> bool {
        self.sitting.rulebook().numbers() == Numbers::Separate
    }
}
