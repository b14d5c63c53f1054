//! The board: a round and its end.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::Spoiler;
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::format::Numbers;
use spoton::sitting::Command;
use spoton::view::WhyNot;
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

/// The time between animation frames.
const FRAME: Duration = Duration::from_millis(32);

pub struct Board {
    sitting: Sitting,
    /// The move under the cursor.
    cursor: Cursor,
    /// Whether to show the cursor: a move is preselected, or the player moved the cursor on this turn.
    aims: bool,
    /// The card before a round that counts.
    card: Option<Card>,
    /// The layout of a long menu.
    seen: Seen,
    /// The move being typed.
    typing: Option<TextField>,
    /// Advice on this turn, from the coach or at the player's request.
    told: Vec<String>,
    /// A choice the coach warned about. Choosing it again plays it.
    warned: Option<Choice>,
    /// Whether g was pressed once.
    gives_up: bool,
    /// The announcement that the rest is forced.
    plays_itself: Option<String>,
    /// The forced moves while they are played out.
    playing_out: Option<PlayingOut>,
    glide: Option<Glide>,
    /// When the computer's move is due.
    computer_at: Option<Duration>,
    /// The verdict after the round.
    ending: Option<Finale>,
    /// Sparks after a win.
    flourish: Option<Flourish>,
    /// The player who starts the next round by default, if seats can be swapped.
    next_first: Option<Player>,
    /// Rounds of this game that each player has won against the other.
    won: ByPlayer<u32>,
    /// The computer opponent's habit.
    habit: Option<String>,
    /// Advice for the person's first turn.
    briefing: Option<String>,
    /// Whether that advice is shown now.
    is_briefed: bool,
    /// The heading above the advice, if not the default.
    heading: Option<&'static str>,
    /// The stepping stones, if they are marked.
    stones: Vec<i64>,
    /// The note that no player can land on the target.
    out_of_reach: Option<String>,
}

impl Board {
    /// Opens a board. A resumed round continues where it was.
    pub fn new(sitting: Sitting, world: &mut World) -> Result<Board, Failure> {
        sitting.note();
        // The score counts all rounds of this game between these two players.
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

    /// Shows advice on the person's next turn.
    pub fn brief(&mut self, said: String) {
        if self.asks() {
            self.told.insert(0, said);
            self.is_briefed = true;
        } else {
            self.briefing = Some(said);
        }
    }

    /// A sentence from the book's dialogue, without colours.
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
            // The duel's title is a list of its moves, which the board shows.
            Some(attempt) => {
                let (now, day) = ((self.sitting.today)(), attempt.day);
                let which = if day == now { "Today's duel," } else { "The duel of" };
                let practice = if attempt.counts { "" } else { " (practice)" };
                format!("{which} {}{practice}", day.in_words_on(now))
            }
            None => self.sitting.rulebook().title().to_owned(),
        };
        // Explains why there is no advice.
        if setup.help.discover { format!("{title} (discovery)") } else { title }
    }

    // The names in the colours of the players' arcs.
    fn toned_corner(&self) -> Vec<Piece> {
        let names = self.names();
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
            return vec![Offer::enter("play again"), Offer::letter('r', "review"), Offer::escape("back")];
        }
        if self.ending.is_some() {
            let same_seats = self.next_first == Some(self.sitting.round().first());
            let again = match self.sitting.match_goes_on() {
                true => "next round",
                false if self.sitting.setup().today.is_some() => "practise",
                false if self.next_first.is_some() && !same_seats => "swap seats",
                false => "play again",
            };
            let mut offers = vec![Offer::enter(again), Offer::letter('r', "review"), Offer::escape("home")];
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
            return vec![Offer::enter("skip to end"), Offer::escape(leave)];
        }
        if self.sitting.computer().is_some() {
            return vec![Offer::letter('?', "help"), Offer::escape("leave")];
        }
        if self.typing.is_some() {
            return vec![Offer::enter("play"), Offer::escape("cancel")];
        }
        let mut offers = Vec::new();
        if self.types_numbers() {
            offers.push(Offer::new(Input::letter(self.first_sign()), "0-9", "type"));
        }
        if self.plays_itself.is_some() {
            offers.push(Offer::enter("play it out"));
        }
        let requests = self.view().requests;
        if requests.hint.is_ok() {
            offers.extend([Offer::letter('h', "hint"), Offer::letter('w', "why")]);
        }
        if self.sitting.setup().undo {
            offers.push(Offer::letter('u', "undo"));
        }
        offers.push(Offer::letter('?', "help"));
        offers.push(Offer::letter('g', "give up"));
        offers.extend(requests.idea.is_ok().then(|| Offer::letter('i', "idea")));
        offers.extend(requests.map.is_ok().then(|| Offer::letter('m', "map")));
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
        // Any key skips the animation.
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
                let rules = Rules::seen_by(self.sitting.view(), self.sitting.rulebook(), world);
                Go::open(rules.with_keys(&keys, &offers))
            }
            Input::Key(KeyCode::Char('i' | 'm')) if self.view().requests.map == Err(WhyNot::Counts) => {
                let helps = match self.sitting.view().hides(Spoiler::Advice) {
                    true => "",
                    false => " h and w work, but are recorded.",
                };
                world.notice = Some(format!("No ideas or map while today's duel counts.{helps}"));
                Ok(Go::Stay)
            }
            Input::Key(KeyCode::Char('m')) => {
                let map = MapView::new(self.sitting.rulebook().clone(), world)?;
                Go::open(map.at(self.sitting.round().position()))
            }
            _ if self.ending.is_some() => self.after_the_round(input, world),
            _ if self.asks() => self.on_turn(input, world),
            // On the computer's turn, any key makes it move immediately.
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
                    Some(choice) => self.make(choice, world)?,
                    None => self.next_turn(world)?,
                }
            }
        }
        Ok(Go::Stay)
    }

    fn returned(&mut self, world: &mut World) -> Result<(), Failure> {
        // The review may ask to play on from one of its points.
        if let Some(moves) = world.play_on.take()
            && self.ending.is_some()
        {
            self.sitting.act(Command::PlayOn { moves })?;
            self.begin_again(world)?;
        }
        Ok(())
    }

    fn left(&mut self, world: &mut World) -> Result<(), Failure> {
        // After a round there is nothing to save, and the next round of a match is already noted for saving.
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
                None => "Continue",
            };
            world.notice = Some(format!("Round saved. Choose {item} to resume."));
        }
        Ok(())
    }
}

impl Board {
    /// Whether the players can change the target. A daily duel is the same for everyone.
    fn has_other_targets(&self) -> bool {
        let setup = self.sitting.setup();
        self.sitting.rulebook().target().is_some() && !setup.aside && setup.today.is_none()
    }

    /// The name of a player on the screen: the only person is "You".
    fn name(&self, player: Player) -> String {
        match self.sitting.only_person() == Some(player) {
            true => "You".to_owned(),
            false => self.sitting.setup().names[player].clone(),
        }
    }

    fn names(&self) -> ByPlayer<String> {
        ByPlayer::from_fn(|player| self.name(player))
    }

    fn own_numbers(&self) -> bool {
        self.sitting.rulebook().numbers() == Numbers::Separate
    }
}
