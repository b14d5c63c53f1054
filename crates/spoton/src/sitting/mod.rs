//! Rounds between the same two, one after another: everything about them that is the same whatever shows it.
//!
//! Every surface holds a [`Sitting`], gives it commands and tells of the events that come of them; none decides anything
//! by itself. A sitting touches no disk, clock, signal or terminal. It can be written down in two forms: as a save
//! ([`Sitting::unfinished`], [`Setup::from_text`]), and as the log of its events, which [`Sitting::replay`] takes up.
//!
//! ```
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::{BookText, Changes, Game};
//! use spoton::people::solved_game::SolvedGames;
//! use spoton::sitting::{Command, Dice, Lookahead, Setup, Sitting};
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
//!
//! let log = [Some(begun), moved, hint];
//! let again = Sitting::replay(log.into_iter().flatten())?;
//! assert_eq!(again.unfinished().unwrap().text(), sitting.unfinished().unwrap().text());
//! # Ok::<(), spoton::sitting::Cannot>(())
//! ```

mod adaptive;
mod advice;
mod dice;
mod event;
mod lookahead;
mod save;
mod setup;

use std::sync::Arc;

use crate::engine::play::{Move, Situation};
use crate::engine::position::{ByPlayer, Choice, Player, Position};
use crate::engine::round::{CannotPlay, Round};
use crate::engine::series::Match;
use crate::format::{BadGame, Rulebook};
use crate::people::coach::{Foresight, Outlook};
use crate::people::opponent::{Chances, Opponent, UnknownOpponent};
use crate::people::review::Review;
use crate::records::{BadRecord, Record, Unplayable, read_move};
use crate::solver::{Unsolved, Value};
use crate::words::phrases;

pub use adaptive::{ADAPTIVE, AT_A_GLANCE, Adaptive, level_of, rungs, rungs_of};
pub use dice::Dice;
pub use event::{BadEvent, Event};
pub use lookahead::Lookahead;
pub use save::{HUMAN, Unfinished};
pub use setup::{Help, Setup, only_person, rulebook_for, usual_names};

/// Two computers that go on for so long are stopped.
pub const MOST_PLIES: usize = 10_000;

/// Rounds between the same two, and where they stand.
pub struct Sitting {
    setup: Setup,
    /// The round that is played, or was played last.
    round: Round,
    /// How many answers of this round were refused.
    illegal: ByPlayer<u32>,
    /// How many hints were told on this turn, and where that is.
    told: Option<(Position, usize)>,
    /// What the end of the round brought, once it is over.
    aftermath: Option<Aftermath>,
    /// What looking ahead has found out; no part of the state.
    memory: Memory,
}

/// What is remembered of looking ahead in a round.
#[derive(Default)]
struct Memory {
    foresight: Foresight,
    /// Of the player on turn; found once a turn.
    outlook: Option<Arc<Outlook>>,
}

impl Memory {
    fn outlook(&mut self, round: &Round, ahead: &mut Lookahead<'_>) -> Result<Option<Arc<Outlook>>, Cannot> {
        let Memory { foresight, outlook } = self;
        if outlook.is_none() {
            let found = ahead.ask(round.rulebook(), |game, budget| game.outlook(round, foresight, budget))?;
            *outlook = found.map(Arc::new);
        }
        Ok(outlook.clone())
    }

    /// The chances of an opponent's moves here. The game is only solved for those who need that, and some do without in
    /// a game that is too large.
    fn chances(
        &mut self,
        opponent: Opponent,
        round: &Round,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Chances, Cannot> {
        if !opponent.looks_ahead() {
            return opponent.chances_in_round(round, None, None).ok_or(Cannot::NeedsSolution);
        }
        match self.outlook(round, ahead) {
            Ok(outlook) => {
                let solver = ahead.ask(round.rulebook(), |game, budget| game.solver(budget))?;
                let chances = opponent.chances_in_round(round, Some(&solver), outlook.as_deref());
                chances.ok_or(Cannot::NeedsSolution)
            }
            Err(why) if why.is_too_large() => opponent.chances_in_round(round, None, None).ok_or(why),
            Err(why) => Err(why),
        }
    }
}

/// What somebody wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// Makes a move. A turn that goes over is one, and no event: it happens by itself.
    Play(Move),
    /// The same, as records write it.
    Write(String),
    /// Takes back the last move; against a computer, back to the person's own last turn.
    TakeBack,
    /// Counts an answer of the player on turn that was not legal.
    Refuse,
    /// Gives the round up.
    Resign(Player),
    /// Ends a round in which two computers have gone on for too long.
    Stop,
    /// Begins the next round of the match, or the first of another. The starter alternates.
    NextRound,
    /// Takes the round up again after its first so many moves, to try something out.
    PlayOn {
        /// How many.
        moves: usize,
    },
    /// Draws another target for the rounds to come.
    AnotherTarget,
}

/// Why something cannot be done. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cannot {
    /// Looking ahead takes more than there is, or was stopped.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// The move is not legal now.
    #[error(transparent)]
    Refused(#[from] Unplayable),
    /// The round is over.
    #[error("the round is over; there is nothing to go on with")]
    RoundIsOver,
    /// The round is not over yet.
    #[error("the round is not over yet")]
    RoundGoesOn,
    /// It is the other player's turn.
    #[error("it is the other player's turn")]
    NotTheirTurn,
    /// These terms are without taking back.
    #[error("Moves are not taken back in this round.")]
    UndoIsOff,
    /// No choice was made that could be taken back.
    #[error("There is nothing to take back.")]
    NothingToTakeBack,
    /// There is no other target that fits the game.
    #[error("This game has no other target to offer.")]
    NoOtherTarget,
    /// The game cannot be played as it is set up.
    #[error(transparent)]
    BadGame(#[from] BadGame),
    /// An opponent that nobody knows.
    #[error(transparent)]
    UnknownOpponent(#[from] UnknownOpponent),
    /// The opponent needs the game to be solved.
    #[error("this opponent needs the game to be solved")]
    NeedsSolution,
    /// A record cannot be read or replayed.
    #[error("{0}")]
    BadRecord(BadRecord),
    /// A text holds no round.
    #[error("there is no round in it")]
    NoRound,
    /// A match goes on before one of its rounds is over.
    #[error("a round before the last is not over")]
    EarlierRoundOpen,
    /// An event does not follow from what was before it.
    #[error("the event \"{0}\" does not fit here")]
    DoesNotFollow(&'static str),
}

impl Cannot {
    /// Whether the game is too large, or would take too long: what can be done without looking ahead can be done all the
    /// same.
    pub fn is_too_large(&self) -> bool {
        matches!(self, Cannot::Unsolved(why) if !matches!(why, Unsolved::Stopped { .. }))
    }
}

/// What the end of a round brought with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Aftermath {
    /// The round as it was played.
    pub record: Record,
    /// Whether it counts: what is tried out after looking back does not.
    pub counts: bool,
    /// Who sits there next time, if the adaptive opponent went up or down.
    pub next_opponent: Option<Opponent>,
}

impl Aftermath {
    /// Who sits there next time, in words.
    pub fn meets_next(&self) -> Option<String> {
        self.next_opponent
            .map(|opponent| format!("Next time you meet {}. {}.", opponent.title(), opponent.habit()))
    }
}

impl Sitting {
    /// Sits down to the first round, or to one that is taken up again.
    ///
    /// # Errors
    ///
    /// If the game is not valid, or an opponent needs to see through it and cannot: that is better known before the
    /// first word is said.
    pub fn begin(setup: Setup, ahead: &mut Lookahead<'_>) -> Result<(Sitting, Event), Cannot> {
        let mut sitting = Sitting::sit_down(setup)?;
        if sitting.round.outcome().is_none() {
            for opponent in sitting.setup.computers.0.into_iter().flatten() {
                sitting.chances(opponent, ahead)?;
            }
        }
        let begun = Event::Begun { text: sitting.log_text() };
        Ok((sitting, begun))
    }

    fn sit_down(mut setup: Setup) -> Result<Sitting, Cannot> {
        let round = match setup.resumed.take() {
            Some(round) => round,
            None => Round::new(Arc::new(setup.rulebook()?), setup.first),
        };
        let mut sitting = Sitting {
            setup,
            round,
            illegal: ByPlayer::default(),
            told: None,
            aftermath: None,
            memory: Memory::default(),
        };
        sitting.see_whether_it_is_over();
        Ok(sitting)
    }

    /// Takes a sitting up from the log of its events.
    ///
    /// # Errors
    ///
    /// If the log does not begin with [`Event::Begun`], or an event does not follow from those before it.
    pub fn replay(events: impl IntoIterator<Item = Event>) -> Result<Sitting, Cannot> {
        let mut events = events.into_iter();
        let mut sitting = match events.next() {
            Some(Event::Begun { text }) => Sitting::sit_down(Setup::from_text(&text, 0)?)?,
            Some(event) => return Err(Cannot::DoesNotFollow(event.word())),
            None => return Err(Cannot::NoRound),
        };
        for event in events {
            sitting.apply(&event)?;
        }
        sitting.let_turns_go_over();
        Ok(sitting)
    }

    /// Does what somebody wants: the event that it comes to, if it is one.
    ///
    /// # Errors
    ///
    /// If that cannot be done now; nothing has changed then.
    pub fn act(&mut self, command: Command) -> Result<Option<Event>, Cannot> {
        let event = match command {
            Command::Play(Move::Skip) => {
                self.play(Move::Skip)?;
                return Ok(None);
            }
            Command::Play(a_move) => {
                let written = self.rulebook().write(a_move);
                Event::Moved { player: self.round.position().turn(), written }
            }
            Command::Write(written) => Event::Moved { player: self.round.position().turn(), written },
            Command::TakeBack => Event::TakenBack { moves: self.to_take_back()? },
            Command::Refuse => Event::Refused { player: self.round.position().turn() },
            Command::Resign(player) => Event::Resigned { player },
            Command::Stop => Event::Stopped,
            Command::NextRound => {
                let next = self.next_setup();
                let rulebook = next.rulebook()?;
                Event::RoundBegun { target: next.game.targets.as_ref().and_then(|_| rulebook.target()) }
            }
            Command::PlayOn { moves } => Event::PlayedOn { moves },
            Command::AnotherTarget => {
                let target = self.setup.draw_another_target().ok_or(Cannot::NoOtherTarget)?;
                Event::TargetChanged { target }
            }
        };
        self.apply(&event)?;
        Ok(Some(event))
    }

    /// Takes an event into the state. The same events always come to the same state.
    fn apply(&mut self, event: &Event) -> Result<(), Cannot> {
        let over = self.round.outcome().is_some();
        let does_not_follow = || Cannot::DoesNotFollow(event.word());
        match event {
            Event::Begun { .. } => return Err(does_not_follow()),
            Event::Moved { player, written } => {
                self.let_turns_go_over();
                if self.round.outcome().is_some() {
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
                self.setup.hints_used = self.setup.hints_used.saturating_add(told);
            }
            Event::ReasonsTold => self.setup.hints_used = advice::MOST_HINTS,
            Event::Refused { player } => self.illegal[*player] = self.illegal[*player].saturating_add(1),
            Event::Resigned { .. } | Event::Stopped if over => return Err(Cannot::RoundIsOver),
            Event::Resigned { player } => {
                self.round.resign(*player);
                self.see_whether_it_is_over();
            }
            Event::Stopped => {
                self.round.stop();
                self.see_whether_it_is_over();
            }
            Event::RoundBegun { .. } | Event::PlayedOn { .. } | Event::TargetChanged { .. } if !over => {
                return Err(Cannot::RoundGoesOn);
            }
            Event::RoundBegun { target } => {
                let next = self.next_setup();
                let rulebook = match target {
                    Some(target) => next.game.with_target(*target)?,
                    None => next.game.rulebook()?,
                };
                let round = Round::new(Arc::new(rulebook), self.next_starter());
                self.setup = next;
                self.start(round, false);
            }
            Event::PlayedOn { moves } => {
                let plies = self.round.history().get(..*moves).ok_or_else(does_not_follow)?;
                let mut from = Round::new(Arc::clone(self.rulebook()), self.round.first());
                for ply in plies {
                    from.play(ply.a_move).map_err(|_| does_not_follow())?;
                }
                self.start(from, true);
            }
            Event::TargetChanged { target } => {
                self.setup.game.with_target(*target)?;
                self.setup.take_target(*target);
            }
        }
        Ok(())
    }

    fn play(&mut self, a_move: Move) -> Result<(), Cannot> {
        self.round.play(a_move).map_err(|cannot| match cannot {
            CannotPlay::Over => Cannot::RoundIsOver,
            CannotPlay::Refused(_) => Cannot::Refused(Unplayable::new(self.round.rulebook(), cannot)),
        })?;
        self.memory.outlook = None;
        self.see_whether_it_is_over();
        Ok(())
    }

    /// Makes the turns that go over by themselves, as replaying does.
    pub fn let_turns_go_over(&mut self) {
        while self.round.situation() == Situation::Skip && self.play(Move::Skip).is_ok() {}
    }

    fn start(&mut self, round: Round, tried_out: bool) {
        self.round = round;
        self.setup.tried_out = tried_out;
        self.setup.hints_used = 0;
        self.told = None;
        self.aftermath = None;
        self.memory = Memory::default();
        self.see_whether_it_is_over();
    }

    /// Counts a round that has come to its end, and lets the adaptive opponent learn from it.
    fn see_whether_it_is_over(&mut self) {
        let Some(outcome) = self.round.outcome().filter(|_| self.aftermath.is_none()) else { return };
        let mut record = Record::of(&self.round, &save::circumstances(&self.setup));
        let illegal = std::mem::take(&mut self.illegal);
        for player in Player::BOTH.into_iter().filter(|player| illegal[*player] > 0) {
            record.other_tags.push((format!("Illegal{}", player.number()), illegal[player].to_string()));
        }
        let counts = !self.setup.tried_out;
        let a_person_plays = self.a_person_plays();
        // It learns only from people, and nothing from what is tried out.
        let learns = self.setup.adaptive.as_mut().filter(|_| counts && a_person_plays);
        let next_opponent = learns.and_then(|adaptive| {
            let before = adaptive.opponent();
            adaptive.learn(outcome.winner);
            Some(adaptive.opponent()).filter(|opponent| *opponent != before)
        });
        // A save may say that this is any round.
        self.setup.round_number = self.setup.round_number.saturating_add(1);
        if let Some(series) = &mut self.setup.series {
            series.count(outcome);
            Arc::make_mut(&mut self.setup.earlier).push(record.clone());
        }
        self.aftermath = Some(Aftermath { record, counts, next_opponent });
    }

    /// What is settled for the round after this one.
    fn next_setup(&self) -> Setup {
        let mut next = Setup { tried_out: false, hints_used: 0, ..self.setup.clone() };
        // Whoever fits now takes the adaptive opponent's seat.
        if let Some(adaptive) = &self.setup.adaptive {
            let opponent = adaptive.opponent();
            next.computers[adaptive.player] = Some(opponent);
            if !adaptive.named {
                next.call(adaptive.player, opponent.title().to_owned());
            }
        }
        if let Some(series) = next.series.filter(|series| series.result().is_some()) {
            next.first = self.next_starter();
            next.series = Some(Match::new(series.form(), next.first));
            next.round_number = 1;
            next.dice = next.dice.again();
            next.earlier = Arc::default();
        }
        next
    }

    fn next_starter(&self) -> Player {
        // On the side it is always the same that is tried: what can be done at the number that was left.
        if self.setup.aside { self.round.first() } else { !self.round.first() }
    }

    /// What would be taken back, in the order in which it was made.
    fn to_take_back(&self) -> Result<Vec<String>, Cannot> {
        if !self.setup.undo {
            return Err(Cannot::UndoIsOff);
        }
        if self.round.outcome().is_some() {
            return Err(Cannot::RoundIsOver);
        }
        let asks = self.round.position().turn();
        let against_computer = self.setup.computers[!asks].is_some();
        let mut trial = self.round.clone();
        let mut moves = Vec::new();
        loop {
            let ply = trial.undo().ok_or(Cannot::NothingToTakeBack)?;
            moves.push(trial.rulebook().write(ply.a_move));
            if !against_computer || ply.player() == asks {
                break;
            }
        }
        moves.reverse();
        Ok(moves)
    }
}

/// What can be asked of a sitting.
impl Sitting {
    /// Everything that is settled.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The round that is played, or was played last.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// The game that is played, with the target of this round.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.round.rulebook()
    }

    /// What the end of the round brought; `None` while it goes on.
    pub fn aftermath(&self) -> Option<&Aftermath> {
        self.aftermath.as_ref()
    }

    /// The one person who plays against a computer.
    pub fn only_person(&self) -> Option<Player> {
        self.setup.only_person()
    }

    /// Whether there is anybody but computers.
    pub fn a_person_plays(&self) -> bool {
        self.setup.computers.0.iter().any(Option::is_none)
    }

    /// The computer on turn, if it is one.
    pub fn computer(&self) -> Option<Opponent> {
        self.setup.computers[self.round.position().turn()]
    }

    /// Whether there is a match that is not decided yet.
    pub fn match_goes_on(&self) -> bool {
        self.setup.series.is_some_and(|series| series.result().is_none())
    }

    /// How the match stands, or how it ended.
    pub fn match_in_words(&self) -> Option<String> {
        let series = self.setup.series?;
        let names = &self.setup.names;
        Some(match series.result() {
            Some(result) => phrases::match_result(&series, result, names),
            None => phrases::score(&series, names),
        })
    }

    /// Whether this round counts: what is tried out after looking back does not.
    pub fn counts(&self) -> bool {
        !self.setup.tried_out
    }

    /// Whether there is something to keep when the players leave now.
    pub fn has_begun(&self) -> bool {
        !self.round.history().is_empty() || !self.setup.earlier.is_empty()
    }

    /// What would have to be kept if the players had to leave now: the round under way, or the next one of a match.
    /// `None` if nothing goes on, or on the side.
    #[must_use]
    pub fn unfinished(&self) -> Option<Unfinished> {
        if self.setup.aside {
            return None;
        }
        if self.round.outcome().is_none() {
            return Some(Unfinished::of(&self.setup, self.round.clone(), save::Form::Save));
        }
        if !self.match_goes_on() {
            return None;
        }
        let next = self.next_setup();
        let rulebook = next.rulebook().ok()?;
        let round = Round::new(Arc::new(rulebook), self.next_starter());
        Some(Unfinished::of(&next, round, save::Form::Save))
    }

    /// All of the state as a text, for the beginning of a log.
    fn log_text(&self) -> String {
        Unfinished::of(&self.setup, self.round.clone(), save::Form::Log).text()
    }

    /// What the computer on turn chooses. `None` if two of them have gone on for so long that they are to be stopped.
    ///
    /// # Errors
    ///
    /// If it needs to see through the game, and cannot.
    pub fn computers_choice(&mut self, ahead: &mut Lookahead<'_>) -> Result<Option<Choice>, Cannot> {
        let plies = self.round.history().len();
        if !self.a_person_plays() && plies >= MOST_PLIES {
            return Ok(None);
        }
        let Some(opponent) = self.computer() else { return Err(Cannot::NotTheirTurn) };
        let draw = self.setup.dice.draw(self.setup.round_number, plies);
        let choice = self.chances(opponent, ahead)?.pick(draw);
        choice.map(Some).ok_or(Cannot::RoundIsOver)
    }

    /// What the player on turn can force; `None` if the round is over. It is found once a turn.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
    pub fn outlook(&mut self, ahead: &mut Lookahead<'_>) -> Result<Option<Arc<Outlook>>, Cannot> {
        self.memory.outlook(&self.round, ahead)
    }

    fn chances(&mut self, opponent: Opponent, ahead: &mut Lookahead<'_>) -> Result<Chances, Cannot> {
        self.memory.chances(opponent, &self.round, ahead)
    }

    /// What an opponent tends to do here, in a sentence.
    pub fn habit(&mut self, opponent: Opponent, ahead: &mut Lookahead<'_>) -> String {
        // Whoever plays by what each move is worth cannot do so in a game that is too large to be seen through.
        if opponent.looks_ahead() && self.outlook(ahead).is_err() {
            let title = opponent.title();
            return format!(
                "{title} cannot see through a game this large, and only sees what loses at once."
            );
        }
        format!("{}.", opponent.habit())
    }

    /// Looks back on the round.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
    pub fn review(&self, ahead: &mut Lookahead<'_>) -> Result<Review, Cannot> {
        Ok(ahead.ask(self.rulebook(), |game, budget| game.review(&self.round, budget))?)
    }

    /// The seat of a person who lost against the computer, if nobody can win from it against best play; and whether they
    /// gave nothing away themselves.
    pub fn seat_was_lost(&self, ahead: &mut Lookahead<'_>) -> Option<(&'static str, bool)> {
        let winner = self.round.outcome()?.winner?;
        let person = !winner;
        if self.setup.aside || self.only_person() != Some(person) {
            return None;
        }
        let review = self.review(ahead).ok()?;
        let seat = if self.round.first() == person { "first" } else { "second" };
        (review.seat(person) == Value::Loss).then(|| (seat, review.is_blameless(person)))
    }
}
