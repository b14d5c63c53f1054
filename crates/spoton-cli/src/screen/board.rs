//! The board: a round as it is played, and its end.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::format::Numbers;
use spoton::sitting::Command;
use spoton::sitting::discovery::Spoiler;
use spoton::solver::chart::number_alone_decides;
use spoton::words::dialogue::{Dialogue, Voice};

use super::canvas::Piece;
use super::help::Rules;
use super::map::MapView;
use super::menu::Cursor;
use super::past;
use super::text_field::TextField;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::Sitting;
use card::Card;
use ending::Finale;
use flourish::Flourish;
use glide::{GLIDE, Glide};
use grid::Seen;
use playing_out::PlayingOut;

mod advice;
mod buttons;
mod card;
mod counters;
mod draw;
pub mod ending;
mod flourish;
mod glide;
mod grid;
pub mod keys;
mod playing_out;
pub mod puzzle;
mod rounds;
mod said;
mod turn;
mod typing;

/// From one picture of a movement to the next.
const FRAME: Duration = Duration::from_millis(32);

pub struct Board {
    sitting: Sitting,
    /// On which operation the cursor is.
    cursor: Cursor,
    /// Whether a move is preselected, or the player has moved the cursor on this turn.
    aims: bool,
    /// What is shown before a round that counts.
    card: Option<Card>,
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
    /// Who starts the next round, if the seats can be swapped.
    next_first: Option<Player>,
    /// Rounds of this game won against each other.
    won: ByPlayer<u32>,
    /// What the computer tends to do here, if there is one.
    habit: Option<String>,
    /// What is said on somebody's first turn.
    briefing: Option<String>,
    /// Whether that is what is said now.
    is_briefed: bool,
    /// What stands above that, if not its name.
    heading: Option<&'static str>,
    /// The numbers to leave, if they are to be marked.
    stones: Vec<i64>,
    /// That nobody can land on the target, if that is so.
    out_of_reach: Option<String>,
}

impl Board {
    /// Sits down at a board. A round that is taken up again is where it was.
    pub fn new(sitting: Sitting, world: &mut World) -> Result<Board, Failure> {
        sitting.note();
        // All rounds of this game between these two, whenever they were played.
        let setup = sitting.setup();
        let adaptive = setup.adaptive.as_ref().map(|adaptive| adaptive.player);
        let won = past::score(&world.folders, &setup.names, adaptive, Some(setup.game.id()));
        let mut board = Board {
            sitting,
            cursor: Cursor::default(),
            aims: true,
            card: None,
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
            next_first: None,
            won,
            habit: None,
            briefing: None,
            is_briefed: false,
            heading: None,
            stones: Vec::new(),
            out_of_reach: None,
        };
        board.begin_again(world)?;
        Ok(board)
    }

    /// Says something as soon as a person is on turn.
    pub fn brief(&mut self, said: String) {
        if self.asks() {
            self.told.insert(0, said);
            self.is_briefed = true;
        } else {
            self.briefing = Some(said);
        }
    }

    /// Something that the dialogue of the book says, without colours.
    fn said<T>(&self, what: impl Fn(&Dialogue<'_>) -> T) -> T {
        let setup = self.sitting.setup();
        let computers = ByPlayer::from_fn(|player: Player| setup.computers[player].is_some());
        let voice = Voice { names: &setup.names, computers, paint: &|_, text| text };
        what(&Dialogue { round: self.sitting.round(), voice: &voice })
    }
}

impl Screen for Board {
    fn title(&self) -> String {
        let setup = self.sitting.setup();
        let title = match setup.today.filter(|_| !setup.tried_out) {
            // The game of a day is called by its moves, which stand on the board.
            Some(attempt) => {
                let (now, day) = ((self.sitting.today)(), attempt.day);
                let which = if day == now { "Today's duel," } else { "The duel of" };
                let practice = if attempt.counts { "" } else { " (practice)" };
                format!("{which} {}{practice}", day.in_words_on(now))
            }
            None => self.sitting.rulebook().title().to_owned(),
        };
        // That little is told here has a reason, which is to be seen.
        if setup.help.discover { format!("{title} (discovery)") } else { title }
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
        if self.card.is_some() {
            return Board::offers_on_card("home");
        }
        if self.ending.is_some() && self.sitting.setup().aside {
            return vec![Offer::enter("once more"), Offer::letter('r', "look back"), Offer::escape("back")];
        }
        if self.ending.is_some() {
            let same_seats = self.next_first == Some(self.sitting.round().first());
            let again = match self.sitting.match_goes_on() {
                true => "next round",
                false if self.sitting.setup().today.is_some() => "practise",
                false if self.next_first.is_some() && !same_seats => "swap, play again",
                false => "play again",
            };
            let mut offers =
                vec![Offer::enter(again), Offer::letter('r', "look back"), Offer::escape("home")];
            if self.next_first.is_some() {
                offers.push(Offer::letter('s', if same_seats { "swap seats" } else { "same seats" }));
            }
            if self.has_other_targets() {
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
        if !self.sitting.view().hides(Spoiler::Advice) {
            offers.extend([Offer::letter('h', "hint"), Offer::letter('w', "why")]);
        }
        if self.sitting.setup().undo {
            offers.push(Offer::letter('u', "undo"));
        }
        offers.push(Offer::letter('?', "help"));
        offers.push(Offer::letter('g', "give up"));
        if !self.sitting.counts_help() {
            if number_alone_decides(self.sitting.rulebook()) {
                offers.push(Offer::letter('i', "idea"));
            }
            offers.push(Offer::letter('m', "map"));
        }
        offers.push(Offer::escape(match self.sitting.setup().aside {
            _ if self.tells() => "close",
            true => "back",
            false => "leave",
        }));
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        if self.card.is_some() {
            return self.on_card(input, world);
        }
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
                let (keys, offers) = (self.choosing_keys(), self.offers());
                Go::open(Rules::with_keys(self.sitting.rulebook(), &world.games, &keys, &offers))
            }
            Input::Key(KeyCode::Char('i' | 'm')) if self.sitting.counts_help() => {
                let helps = match self.sitting.view().hides(Spoiler::Advice) {
                    true => ".",
                    false => ": h and w help, and are counted.",
                };
                world.notice = Some(format!("Not while today's duel counts{helps}"));
                Ok(Go::Stay)
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
        if self.card.is_some() {
            return None;
        }
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
            let today = self.sitting.setup().today.filter(|attempt| attempt.counts && self.sitting.counts());
            let item = match today.filter(|attempt| attempt.day == (world.today)()) {
                Some(_) => "Today's duel",
                None => "Go on",
            };
            world.notice = Some(format!("Your round is kept: {item} takes it up again."));
        }
        Ok(())
    }
}

impl Board {
    /// Whether there are other targets to play to. The duel of a day is the same for everybody.
    fn has_other_targets(&self) -> bool {
        let setup = self.sitting.setup();
        self.sitting.rulebook().target().is_some() && !setup.aside && setup.today.is_none()
    }

    fn own_numbers(&self) -> bool {
        self.sitting.rulebook().numbers() == Numbers::Separate
    }
}
