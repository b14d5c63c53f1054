//! A puzzle on a board, against the defence. The first wrong move ends it.
//!
//! The library's attempt is the source of truth. The player's choices go to the attempt, and the board plays its answers
//! after a pause.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::Spoiler;
use spoton::engine::position::ByPlayer;
use spoton::evaluate::opponent::Opponent;
use spoton::sitting::{Dice, Setup};
use spoton::teach::puzzle::{Attempt, Served, State};
use spoton::words::describe;
use spoton::words::puzzle::{self, TASK};

use super::Board;
use super::card::Card;
use super::ending::Finale;
use super::flourish::Flourish;
use super::glide::GLIDE;
use crate::failure::Failure;
use crate::puzzles::Desk;
use crate::screen::canvas::{Canvas, below, inset};
use crate::screen::help::Rules;
use crate::screen::theme::Tone;
use crate::screen::{Go, Input, Offer, Screen, World};
use crate::sitting::Sitting;
use crate::sitting::autosave::Autosave;

/// One puzzle after another.
pub struct PuzzleView {
    desk: Desk,
    /// The number of puzzles solved.
    solved: usize,
    now: Now,
}

enum Now {
    Trying(Box<Trying>),
    /// No puzzle, and why.
    Nothing(String),
}

struct Trying {
    attempt: Attempt,
    board: Board,
}

impl PuzzleView {
    pub fn new(desk: Desk, world: &mut World) -> Result<PuzzleView, Failure> {
        let mut view = PuzzleView { desk, solved: 0, now: Now::Nothing(String::new()) };
        view.next(world)?;
        if let Now::Trying(trying) = &mut view.now {
            trying.deal_card(&view.desk);
        }
        if let Some(trouble) = view.desk.trouble() {
            // Puzzles also work without stored results.
            world.notice = Some(trouble.to_string());
        }
        Ok(view)
    }

    fn next(&mut self, world: &mut World) -> Result<(), Failure> {
        self.solved = self.desk.solved();
        self.now = match self.desk.next(&world.games)? {
            Ok(served) => Now::Trying(Box::new(Trying::begin(served, &self.desk, world)?)),
            Err(why) => Now::Nothing(why),
        };
        Ok(())
    }

    /// Passes the player's choice on to the attempt, and ends it if it is over.
    fn follow(&mut self, world: &mut World) -> Result<(), Failure> {
        let Now::Trying(trying) = &mut self.now else { return Ok(()) };
        let known = trying.attempt.round().history().len();
        let chosen = trying.board.sitting.round().history().get(known);
        if let Some(choice) = chosen.and_then(|ply| ply.a_move.choice()) {
            trying.attempt.play(choice);
            self.see_whether_it_is_over(world)?;
        }
        Ok(())
    }

    fn see_whether_it_is_over(&mut self, world: &mut World) -> Result<(), Failure> {
        let Now::Trying(trying) = &mut self.now else { return Ok(()) };
        if trying.attempt.is_open() {
            return Ok(());
        }
        let noted = self.desk.note(&trying.attempt);
        trying.end(noted.is_ok(), world);
        if let Err(failure) = noted {
            world.notice = Some(failure.to_string());
        }
        self.solved += usize::from(*trying.attempt.state() == State::Solved);
        Ok(())
    }
}

impl Trying {
    fn begin(served: Served, desk: &Desk, world: &mut World) -> Result<Trying, Failure> {
        let attempt = Attempt::begin(served);
        let (served, solver) = (attempt.served(), attempt.solver());
        let computers = ByPlayer::from_fn(|player| (player != solver).then(Opponent::perfect));
        let mut setup = Setup::new(served.game.clone(), computers, attempt.round().first(), Dice::new(0));
        setup.names =
            ByPlayer::from_fn(|player| if player == solver { "You" } else { "The defence" }.to_owned());
        setup.resumed = Some(attempt.round().clone());
        setup.aside = true;
        setup.undo = false;
        setup.help.discover = world.discovers();
        // A puzzle is never saved and doesn't touch the save of another round.
        let autosave = Autosave::new(world.folders.clone());
        let sitting = Sitting::begin(setup, autosave, &world.games, &world.folders)?;
        let mut board = Board::new(sitting, world)?;
        let mut said = desk.about(served);
        said.push(puzzle::grade_in_words(served.grade()));
        board.told = vec![said.join(" ")];
        board.heading = Some("Puzzle");
        board.habit = Some(puzzle::grade_in_words(served.grade()));
        let mut trying = Trying { attempt, board };
        trying.tell_memory();
        Ok(trying)
    }

    /// Shows a card before the first puzzle, because mistakes count.
    fn deal_card(&mut self, desk: &Desk) {
        let served = self.attempt.served();
        let rules = describe::at_a_glance_with_repeats(served.rulebook(), None);
        let grade = puzzle::grade_in_words(served.grade());
        let terms = "A wrong move ends the puzzle. There's no undo.".to_owned();
        let told = [rules].into_iter().chain(desk.about(served)).chain([grade, terms]);
        self.board.card = Some(Card::new(told.collect()));
    }

    /// Lists everything else that affects the result, because the board shows only the number.
    fn tell_memory(&mut self) {
        let round = self.attempt.round();
        if self.attempt.is_open() && self.board.asks() {
            let memory = describe::memory(round.rulebook(), round.position());
            self.board.told.extend((!memory.is_empty()).then(|| memory.join(" ")));
        }
    }

    /// Shows the verdict in place of the moves.
    fn end(&mut self, is_noted: bool, world: &mut World) {
        let (headline, mut said, won) = match self.attempt.state() {
            State::Open => return,
            State::Solved => ("Solved!".to_owned(), vec![puzzle::solved(&self.attempt)], true),
            State::Missed(proof) => {
                let mut said = puzzle::proof(&self.attempt, proof, world.view().hides(Spoiler::Values));
                said.extend(is_noted.then(|| "You'll see it again tomorrow.".to_owned()));
                (said.remove(0), said, false)
            }
        };
        said.extend((!is_noted).then(|| puzzle::NOT_KEPT.to_owned()));
        let tone = if won { Tone::Good } else { Tone::Bad };
        let board = &mut self.board;
        board.computer_at = None;
        board.told.clear();
        board.typing = None;
        let arrives = board.glide.as_ref().map_or(Duration::ZERO, |_| GLIDE);
        board.flourish = (won && world.motion).then(|| Flourish::new(world.now + arrives, world.now));
        board.ending = Some(Finale::told(tone, won, headline, said));
    }

    /// Makes the attempt's next move on the board.
    fn answer(&mut self, world: &mut World) -> Result<(), Failure> {
        let shown = self.board.sitting.round().history().len();
        if let Some(choice) = self.attempt.round().history().get(shown).and_then(|ply| ply.a_move.choice()) {
            self.board.make(choice, world)?;
            self.tell_memory();
        }
        Ok(())
    }
}

impl Screen for PuzzleView {
    fn title(&self) -> String {
        match &self.now {
            Now::Trying(trying) => {
                let served = trying.attempt.served();
                let title = describe::title(&served.game, served.rulebook());
                let discovery = if trying.board.sitting.setup().help.discover { " (discovery)" } else { "" };
                format!("{TASK}: {title}{discovery}")
            }
            Now::Nothing(_) => "Puzzles".to_owned(),
        }
    }

    fn corner(&self) -> String {
        format!("{} solved", self.solved)
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        match &self.now {
            Now::Trying(trying) => trying.board.draw(canvas, area),
            Now::Nothing(why) => {
                let area = inset(area, area.width.saturating_sub(60) / 2);
                canvas.wrapped_centred(below(area, area.height / 3), Tone::Plain, why);
            }
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let Now::Trying(trying) = &self.now else { return vec![Offer::escape("back")] };
        let board = &trying.board;
        if board.card.is_some() {
            return Board::offers_on_card("back");
        }
        if !trying.attempt.is_open() {
            return vec![Offer::enter("next puzzle"), Offer::letter('?', "rules"), Offer::escape("back")];
        }
        if board.typing.is_some() {
            return board.offers();
        }
        let mut offers = Vec::new();
        if board.asks() && board.types_numbers() {
            offers.push(Offer::new(Input::letter(board.first_sign()), "0-9", "type"));
        }
        offers.extend([Offer::letter('?', "rules"), Offer::letter('g', "give up"), Offer::escape("back")]);
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let offers = self.offers();
        let Now::Trying(trying) = &mut self.now else {
            return Ok(if input == Input::ESCAPE { Go::Back } else { Go::Stay });
        };
        let board = &mut trying.board;
        if board.leaves_number(input) {
            board.typing = None;
        }
        let typing = board.typing.is_some();
        let gives_up = std::mem::take(&mut board.gives_up);
        match input {
            Input::ESCAPE if !typing => return Ok(Go::Back),
            Input::Key(KeyCode::Char('?')) if !typing => {
                let (rulebook, keys) = (trying.attempt.round().rulebook(), board.choosing_keys());
                return Go::open(Rules::new(rulebook, world).with_keys(&keys, &offers));
            }
            input if board.card.is_some() => return board.handle(input, world),
            _ if !trying.attempt.is_open() => {
                if matches!(input, Input::ENTER | Input::Key(KeyCode::Char('n'))) {
                    self.next(world)?;
                } else {
                    // Any key skips the animation.
                    (board.glide, board.flourish) = (None, None);
                }
            }
            Input::Key(KeyCode::Char('g')) if !typing && board.asks() => {
                board.gives_up = !gives_up;
                if gives_up {
                    trying.attempt.give_up();
                    self.see_whether_it_is_over(world)?;
                } else {
                    // In discovery mode there is no answer to show.
                    let sees =
                        if board.sitting.view().hides(Spoiler::Values) { "" } else { " and see the answer" };
                    world.notice = Some(format!("Press g again to give up{sees}."));
                }
            }
            Input::Key(KeyCode::Char('h' | 'w' | 'i' | 'm' | 'u')) if !typing => {
                world.notice = Some("Puzzles have no hints and no undo.".to_owned());
            }
            input => {
                let went = board.handle(input, world)?;
                self.follow(world)?;
                return Ok(went);
            }
        }
        Ok(Go::Stay)
    }

    fn takes_text(&self) -> bool {
        matches!(&self.now, Now::Trying(trying) if trying.board.takes_text())
    }

    fn wakes_at(&self) -> Option<Duration> {
        match &self.now {
            Now::Trying(trying) => trying.board.wakes_at(),
            Now::Nothing(_) => None,
        }
    }

    fn wake(&mut self, world: &mut World) -> Result<Go, Failure> {
        let Now::Trying(trying) = &mut self.now else { return Ok(Go::Stay) };
        // The board's own computer player doesn't know the attempt's defence.
        if trying.board.computer_at.is_some_and(|at| at <= world.now) {
            trying.board.computer_at = None;
            trying.answer(world)?;
        }
        trying.board.wake(world)
    }
}
