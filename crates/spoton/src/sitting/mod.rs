//! A sitting: rounds between the same two players. All surfaces share it.
//!
//! A surface gives a [`Sitting`] [commands](Command) and shows the [events](Event) it returns. Surfaces decide nothing.
//! A sitting touches no disk, clock, signal or terminal. It has two stored forms: a save ([`Sitting::unfinished`],
//! [`Setup::from_text`]) and its event log. Invariant: the same events always lead to the same state, so
//! [`Sitting::replay`] needs only the log.
//!
//! | file | contents |
//! |---|---|
//! | `command.rs` | commands, and why one can be refused |
//! | `questions.rs` | read-only queries |
//! | `event.rs` | events and their JSON, one per line |
//! | `save.rs` | a sitting as text: records with extra tags; also the first event of a log |
//! | `setup.rs`, `dice.rs` | players, game and terms; seeded random numbers |
//! | `duels.rs` | many rounds against a computer player, for learning programs; `duels/` looks positions up or plays them |
//! | `lookahead.rs`, `memory.rs` | access to the shared `SolvedGames`; cached results for the current turn |
//! | `seats.rs` | who starts the next round; against a computer, you keep the winning seat until you win from it |
//! | `advice.rs`, `adaptive.rs` | hints, reasons and warnings; the opponent that adapts to the results |
//!
//! ```
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::{BookText, Changes, Game};
//! use spoton::sitting::{Command, Dice, Lookahead, Setup, Sitting};
//! use spoton::solved::SolvedGames;
//!
//! let maze = Game::new(BookText::shipped("number-maze").unwrap(), "maze".to_owned(), &Changes::default()).unwrap();
//! let setup = Setup::new(maze, ByPlayer([None, None]), Player::One, Dice::new(7));
//! let games = SolvedGames::new(16 << 20);
//! let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
//!
//! let (mut sitting, begun) = Sitting::begin(setup, ahead)?;
//! let moved = sitting.act(Command::Write("x2".to_owned()))?;
//! let (said, hint) = sitting.hint(ahead)?;
//! assert_eq!(said, "Only one move keeps your win.");
//! assert_eq!(sitting.told_again(ahead)?, [said]);
//!
//! let log = [Some(begun), Some(moved), hint];
//! let again = Sitting::replay(log.into_iter().flatten())?;
//! assert_eq!(again.unfinished().unwrap().text(), sitting.unfinished().unwrap().text());
//! # Ok::<(), spoton::sitting::Cannot>(())
//! ```

mod adaptive;
mod advice;
mod command;
mod dice;
pub mod duels;
mod event;
mod lookahead;
mod memory;
mod questions;
mod save;
mod seats;
mod setup;

use std::sync::Arc;

use crate::engine::play::Move;
use crate::engine::position::{ByPlayer, Player, Position};
use crate::engine::round::{CannotPlay, Round};
use crate::engine::series::Match;
use crate::records::{Record, Refusals, Unplayable, read_move};

pub use adaptive::{ADAPTIVE, AT_A_GLANCE, Adaptive, level_of, rungs, rungs_of};
pub use command::{Aftermath, Cannot, Command};
pub use dice::{Dice, QuickDice};
pub use event::{BadEvent, Event};
pub use lookahead::Lookahead;
use memory::Memory;
pub use save::{ENGINE, HUMAN, PROGRAM, Unfinished, command_of};
pub use setup::{Help, Setup, only_person, rulebook_for, usual_names};

/// Ply limit for rounds between two computers.
pub const MOST_PLIES: usize = 10_000;

/// Plays forced skips and stops a round that takes too long. For rounds without people.
pub fn go_on(round: &mut Round) {
    if round.history().len() < MOST_PLIES {
        round.skip_forced_turns();
    }
    if round.history().len() >= MOST_PLIES {
        round.stop();
    }
}

/// The state of rounds between the same two players. Clones are independent.
///
/// Invariant: unless the round is over, the player to move has a choice. Forced skips follow the command before them.
#[derive(Clone)]
pub struct Sitting {
    /// Copy-on-write: the setup is large, and moves don't change it.
    setup: Arc<Setup>,
    /// The current round, or the last one.
    round: Round,
    /// This round's rejected answers.
    refused: ByPlayer<Refusals>,
    /// The position of the last hints, and how many were shown there.
    told: Option<(Position, usize)>,
    /// The position where the reasons were last shown.
    explained: Option<Position>,
    /// The results of the round, once it's over.
    aftermath: Option<Aftermath>,
    /// Cache: not part of the state.
    memory: Memory,
}

impl Sitting {
    /// Starts the first round or resumes one.
    ///
    /// # Errors
    ///
    /// If the game is invalid, or an opponent needs a solution and there's none. It's better to fail before the first
    /// move.
    pub fn begin(setup: Setup, ahead: &mut Lookahead<'_>) -> Result<(Sitting, Event), Cannot> {
        let mut sitting = Sitting::sit_down(setup)?;
        let begun = Event::Begun { text: sitting.log_text() };
        sitting.skip_forced_turns();
        if sitting.round.outcome().is_none() {
            for opponent in sitting.setup.computers.0.into_iter().flatten() {
                sitting.chances(opponent, ahead)?;
            }
        }
        Ok((sitting, begun))
    }

    /// Creates a sitting without counting anything yet: the starter may be stuck.
    fn sit_down(mut setup: Setup) -> Result<Sitting, Cannot> {
        let round = match setup.resumed.take() {
            Some(round) => round,
            None => Round::new(Arc::new(setup.rulebook()?), setup.first),
        };
        let refused = std::mem::take(&mut setup.refused);
        Ok(Sitting {
            setup: Arc::new(setup),
            round,
            refused,
            told: None,
            explained: None,
            aftermath: None,
            memory: Memory::default(),
        })
    }

    /// Replays an event log to restore a sitting.
    ///
    /// # Errors
    ///
    /// If the log doesn't begin with [`Event::Begun`], or an event doesn't follow from those before it.
    pub fn replay(events: impl IntoIterator<Item = Event>) -> Result<Sitting, Cannot> {
        let mut events = events.into_iter();
        let mut sitting = match events.next() {
            Some(Event::Begun { text }) => Sitting::sit_down(Setup::from_log(&text)?)?,
            Some(event) => return Err(Cannot::DoesNotFollow(event.word())),
            None => return Err(Cannot::NoRound),
        };
        sitting.skip_forced_turns();
        for event in events {
            sitting.apply(&event)?;
        }
        Ok(sitting)
    }

    /// Executes a command. Returns its event.
    ///
    /// # Errors
    ///
    /// If the command isn't possible now. The state is then unchanged.
    pub fn act(&mut self, command: Command) -> Result<Event, Cannot> {
        let event = match command {
            Command::Play(choice) => {
                let written = self.rulebook().write(Move::Operation(choice));
                Event::Moved { player: self.round.position().turn(), written }
            }
            Command::Write(written) => Event::Moved { player: self.round.position().turn(), written },
            Command::TakeBack => {
                let asks = self.round.position().turn();
                let against_computer = !self.setup.is_person(!asks);
                Event::TakenBack { moves: self.to_take_back(against_computer.then_some(asks))? }
            }
            Command::TakeBackOf(player) => Event::TakenBack { moves: self.to_take_back(Some(player))? },
            Command::Refuse(why) => Event::Refused { player: self.round.position().turn(), why },
            Command::Resign(player) => Event::Resigned { player },
            Command::Stop => Event::Stopped,
            Command::Forfeit => Event::Forfeited,
            Command::Abandon => Event::Abandoned,
            Command::NextRound => self.next_round(None)?,
            Command::PlayAgain { first } => {
                let first = Some(first).filter(|first| *first != self.alternating_first());
                self.next_round(first)?
            }
            Command::PlayOn { moves } => Event::PlayedOn { moves },
            Command::AnotherTarget => {
                let target =
                    Arc::make_mut(&mut self.setup).draw_another_target().ok_or(Cannot::NoOtherTarget)?;
                Event::TargetChanged { target }
            }
        };
        self.apply(&event)?;
        Ok(event)
    }

    /// Applies an event, for example from another sitting's log. Deterministic.
    ///
    /// # Errors
    ///
    /// If the event doesn't follow from those before it. The state is then unchanged.
    pub fn apply(&mut self, event: &Event) -> Result<(), Cannot> {
        let over = self.round.outcome().is_some();
        let does_not_follow = || Cannot::DoesNotFollow(event.word());
        match event {
            Event::Begun { .. } => return Err(does_not_follow()),
            Event::Moved { player, written } => {
                if over {
                    return Err(Cannot::RoundIsOver);
                }
                if *player != self.round.position().turn() {
                    return Err(Cannot::NotTheirTurn);
                }
                let a_move = read_move(written, &self.round)?;
                self.play(a_move)?;
            }
            Event::TakenBack { moves } => {
                let before = self.round.clone();
                for expected in moves.iter().rev() {
                    let undone = self.round.undo().map(|ply| before.rulebook().write(ply.a_move));
                    if over || undone.as_ref() != Some(expected) {
                        self.round = before;
                        return Err(does_not_follow());
                    }
                }
                self.memory.outlook = None;
            }
            Event::HintTold => {
                let at = *self.round.position();
                let step = self.hints_told();
                self.told = Some((at, step + 1));
                let told = usize::from(self.setup.help.coach);
                let setup = Arc::make_mut(&mut self.setup);
                setup.hints_used = setup.hints_used.saturating_add(told);
                self.count_help();
            }
            Event::ReasonsTold => {
                self.explained = Some(*self.round.position());
                if self.setup.help.coach {
                    Arc::make_mut(&mut self.setup).hints_used = advice::MOST_HINTS;
                }
                self.count_help();
            }
            Event::Refused { player, why } => self.refused[*player].count(*why),
            Event::Resigned { .. } | Event::Stopped | Event::Forfeited | Event::Abandoned if over => {
                return Err(Cannot::RoundIsOver);
            }
            Event::Resigned { player } => {
                self.round.resign(*player);
                self.see_whether_it_is_over();
            }
            Event::Stopped => {
                self.round.stop();
                self.see_whether_it_is_over();
            }
            Event::Forfeited => {
                self.round.forfeit();
                self.see_whether_it_is_over();
            }
            Event::Abandoned => {
                self.round.abandon();
                self.see_whether_it_is_over();
            }
            Event::RoundBegun { .. } | Event::PlayedOn { .. } | Event::TargetChanged { .. } if !over => {
                return Err(Cannot::RoundGoesOn);
            }
            Event::RoundBegun { first: Some(_), .. } if !self.can_swap_seats() => {
                return Err(Cannot::SeatsAreFixed);
            }
            Event::RoundBegun { target, first } => {
                let next = self.next_setup();
                let rulebook = match target {
                    Some(target) => next.game.with_target(*target)?,
                    None => next.game.rulebook()?,
                };
                let first = first.unwrap_or(self.alternating_first());
                let round = Round::new(Arc::new(rulebook), first);
                self.setup = Arc::new(next);
                self.start(round, false);
            }
            Event::PlayedOn { moves } => {
                let plies = self.round.history().get(..*moves).ok_or_else(does_not_follow)?;
                let mut from = Round::new(Arc::clone(self.rulebook()), self.round.first());
                for ply in plies {
                    from.play(ply.a_move).map_err(|_| does_not_follow())?;
                }
                Arc::make_mut(&mut self.setup).practise();
                self.start(from, true);
            }
            Event::TargetChanged { target } => {
                self.setup.game.with_target(*target)?;
                Arc::make_mut(&mut self.setup).take_target(*target);
            }
        }
        Ok(())
    }

    /// Sets up the next round with this starter; `None` alternates.
    fn next_round(&self, first: Option<Player>) -> Result<Event, Cannot> {
        let next = self.next_setup();
        let rulebook = next.rulebook()?;
        let target = next.game.targets.as_ref().and_then(|_| rulebook.target());
        Ok(Event::RoundBegun { target, first })
    }

    fn play(&mut self, a_move: Move) -> Result<(), Cannot> {
        self.round.play(a_move).map_err(|cannot| match cannot {
            CannotPlay::Over => Cannot::RoundIsOver,
            CannotPlay::Refused(_) => Cannot::Refused(Unplayable::new(self.round.rulebook(), cannot)),
        })?;
        self.memory.outlook = None;
        self.skip_forced_turns();
        Ok(())
    }

    /// Plays forced skips, which the log doesn't contain, and checks whether the round is over.
    fn skip_forced_turns(&mut self) {
        self.round.skip_forced_turns();
        self.see_whether_it_is_over();
    }

    /// Counts help for the line to share.
    fn count_help(&mut self) {
        if let Some(attempt) = &mut Arc::make_mut(&mut self.setup).today {
            attempt.hints = attempt.hints.saturating_add(1);
        }
    }

    fn start(&mut self, round: Round, tried_out: bool) {
        self.round = round;
        let setup = Arc::make_mut(&mut self.setup);
        setup.tried_out = tried_out;
        setup.hints_used = 0;
        self.told = None;
        self.explained = None;
        self.aftermath = None;
        self.memory = Memory::default();
        self.skip_forced_turns();
    }

    /// Counts a finished round and updates the adaptive opponent.
    fn see_whether_it_is_over(&mut self) {
        let Some(outcome) = self.round.outcome().filter(|_| self.aftermath.is_none()) else { return };
        let mut record = Record::from_round(&self.round, &save::circumstances(&self.setup));
        record.tell_refused(&std::mem::take(&mut self.refused));
        let counts = !self.setup.tried_out;
        let a_person_plays = self.a_person_plays();
        // The adaptive opponent learns only from people, and not from try-outs.
        let setup = Arc::make_mut(&mut self.setup);
        let learns = setup.adaptive.as_mut().filter(|_| counts && a_person_plays);
        let next_opponent = learns.and_then(|adaptive| {
            let before = adaptive.opponent();
            adaptive.learn(outcome.winner);
            Some(adaptive.opponent()).filter(|opponent| *opponent != before)
        });
        // Saturates: a save may contain any number.
        let next = setup.round_number.saturating_add(1);
        match &mut setup.series {
            // A try-out doesn't advance the match.
            Some(_) if !counts => {}
            Some(series) => {
                series.count(outcome);
                setup.round_number = next;
                Arc::make_mut(&mut setup.earlier).push(record.clone());
            }
            None => setup.round_number = next,
        }
        self.aftermath = Some(Aftermath { record, counts, next_opponent });
    }

    /// The setup for the next round.
    fn next_setup(&self) -> Setup {
        let mut next = Setup { tried_out: false, hints_used: 0, ..Setup::clone(&self.setup) };
        next.practise();
        // The adaptive opponent plays at its current level.
        if let Some(adaptive) = &self.setup.adaptive {
            let opponent = adaptive.opponent();
            next.computers[adaptive.player] = Some(opponent);
            if !adaptive.named {
                next.call(adaptive.player, opponent.title().to_owned());
            }
        }
        if let Some(series) = next.series.filter(|series| series.result().is_some()) {
            next.first = self.alternating_first();
            next.series = Some(Match::new(series.form(), next.first));
            next.round_number = 1;
            next.dice = next.dice.again();
            next.earlier = Arc::default();
        }
        next
    }

    /// The moves an undo removes, in the order they were made: the last move, or a player's last move with everything
    /// after it. A skipped turn isn't a choice.
    fn to_take_back(&self, of: Option<Player>) -> Result<Vec<String>, Cannot> {
        if !self.setup.undo {
            return Err(Cannot::UndoIsOff);
        }
        if self.round.outcome().is_some() {
            return Err(Cannot::RoundIsOver);
        }
        let mut trial = self.round.clone();
        let mut moves = Vec::new();
        loop {
            let ply = trial.undo().ok_or(Cannot::NothingToTakeBack)?;
            moves.push(trial.rulebook().write(ply.a_move));
            if of.is_none_or(|player| ply.player() == player && ply.a_move != Move::Skip) {
                break;
            }
        }
        moves.reverse();
        Ok(moves)
    }
}
