//! A sitting on this machine: the library's sitting with its files.
//!
//! Line mode and the full screen each have a [`Sitting`]. It saves unfinished rounds, records finished ones and
//! remembers the adaptive opponent's level. The library does everything else.
//!
//! | file | contents |
//! |---|---|
//! | `autosave.rs` | saves unfinished rounds |
//! | `record_file.rs` | appends finished rounds to a file |
//! | `resume.rs` | resumes a save or a record |

pub mod autosave;
pub mod record_file;
pub mod resume;

use std::ops::Deref;
use std::rc::Rc;

use spoton::engine::play::Move;
use spoton::engine::position::{Choice, Player};
use spoton::format::Rulebook;
use spoton::json::Turn;
use spoton::people::day::Day;
use spoton::people::forced::ForcedEnd;
use spoton::people::opponent::Opponent;
use spoton::people::review::Review;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::{Attempt, PRACTICE, line};
use spoton::sitting::{self, Adaptive, Aftermath, Cannot, Command, Event, Lookahead, Setup};
use spoton::solver::chart::Chart;
use spoton::words::answer::NoMove;

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::programs::{Program, Programs};
use crate::progress::Progress;
use crate::solving::{ask, look_ahead};
use crate::today;
use autosave::Autosave;
use record_file::RecordFile;

pub struct Sitting {
    sitting: sitting::Sitting,
    pub autosave: Autosave,
    /// The games that are solved already.
    games: Rc<SolvedGames>,
    folders: Folders,
    /// The outside programs that play.
    pub programs: Programs,
    /// Where finished rounds are written because somebody asked for it.
    pub record: Option<RecordFile>,
    /// Where those of people are always written, to look back on.
    pub rounds: Option<RecordFile>,
    /// What day it is.
    pub today: fn() -> Day,
}

/// All questions that need no looking ahead go to the library's sitting.
impl Deref for Sitting {
    type Target = sitting::Sitting;

    fn deref(&self) -> &sitting::Sitting {
        &self.sitting
    }
}

/// What the end of a round brought with it.
#[derive(Default)]
pub struct End {
    /// Who sits there next time, in words.
    pub meets_next: Option<String>,
    /// Of the duel of a day: the line to paste, and what became of the streak.
    pub today: Option<(String, String)>,
    /// What could not be remembered or written down: no reason to stop playing.
    pub trouble: Vec<Failure>,
}

impl Sitting {
    /// Sits down to the first round, or to one that is taken up again.
    pub fn begin(
        setup: Setup,
        autosave: Autosave,
        games: &Rc<SolvedGames>,
        folders: &Folders,
    ) -> Result<Sitting, Failure> {
        let (sitting, _) = look_ahead(games, |ahead| sitting::Sitting::begin(setup, ahead))?;
        let (games, folders) = (Rc::clone(games), folders.clone());
        let programs = Programs::default();
        let today = clock::today;
        Ok(Sitting { sitting, autosave, games, folders, programs, record: None, rounds: None, today })
    }

    /// Sits down to a round on the side, to see an idea fail. The round that is under way elsewhere stays what is kept
    /// if the program has to end.
    pub fn aside(
        rulebook: &Rulebook,
        number: i64,
        discover: bool,
        games: &Rc<SolvedGames>,
        folders: &Folders,
    ) -> Result<Sitting, Failure> {
        let mut setup = Setup::aside(rulebook, number);
        setup.help.discover = discover;
        Sitting::begin(setup, Autosave::new(folders.clone()), games, folders)
    }

    fn ahead<T>(
        &mut self,
        ask: impl FnOnce(&mut sitting::Sitting, &mut Lookahead<'_>) -> Result<T, Cannot>,
    ) -> Result<T, Failure> {
        let sitting = &mut self.sitting;
        look_ahead(&self.games, |ahead| ask(sitting, ahead))
    }

    /// Makes a legal move.
    pub fn make(&mut self, a_move: Move) -> Result<(), Failure> {
        self.sitting.act(Command::Play(a_move))?;
        self.autosave.follow(a_move);
        self.keep_up();
        Ok(())
    }

    /// Takes back the last move; against a computer, back to the person's own last turn. What was taken back, in words.
    pub fn take_back(&mut self) -> Result<String, Cannot> {
        let event = self.sitting.act(Command::TakeBack)?;
        self.note();
        let moves = match event {
            Some(Event::TakenBack { moves }) => moves.join(" "),
            _ => String::new(),
        };
        Ok(format!("Taken back: {moves}."))
    }

    /// Does something that needs no more than to be noted.
    pub fn act(&mut self, command: Command) -> Result<Option<Event>, Failure> {
        let event = self.sitting.act(command)?;
        self.note();
        Ok(event)
    }

    /// Notes the round as it stands, or the next one of a match, to be kept if the program has to end.
    pub fn note(&self) {
        if let Some(unfinished) = self.sitting.unfinished() {
            self.autosave.note(unfinished);
            self.keep_up();
        }
    }

    /// Computers among themselves make thousands of moves in no time, and play the same round again for the asking.
    fn keep_up(&self) {
        if self.a_person_plays() {
            self.autosave.keep_up();
        }
    }

    /// The round is over: it is written down, and the level of the adaptive opponent remembered.
    pub fn round_is_over(&mut self) -> End {
        let Some(aftermath) = self.sitting.aftermath().cloned() else { return End::default() };
        let mut end = End { meets_next: aftermath.meets_next(), ..End::default() };
        if aftermath.counts {
            end.trouble.extend(self.remember_level(&aftermath).err());
            for file in self.record.iter_mut().chain(&mut self.rounds) {
                end.trouble.extend(file.add(&aftermath.record).err());
            }
        }
        end.today = self.count_today(&mut end.trouble);
        end.trouble.extend(self.autosave.round_is_over().err());
        // A player who has to leave between two rounds of a match comes back to the next one.
        self.note();
        end
    }

    /// Counts the duel of a day. If that cannot be remembered, it was played all the same.
    fn count_today(&self, trouble: &mut Vec<Failure>) -> Option<(String, String)> {
        let (Attempt { day, counts, .. }, score) = self.todays_score()?;
        let counted = if counts { today::count(&self.folders, day, score) } else { Ok(None) };
        let line = |counted: bool| line(day, (self.today)(), self.rulebook().title(), score, counted);
        Some(match counted {
            Ok(Some(streak)) => (line(true), streak.in_words(day)),
            Ok(None) => (line(false), PRACTICE.to_owned()),
            Err(failure) => {
                trouble.push(failure);
                (line(true), "Your streak could not be kept.".to_owned())
            }
        })
    }

    fn remember_level(&self, aftermath: &Aftermath) -> Result<(), Failure> {
        match &self.setup().adaptive {
            Some(Adaptive { name, level, .. }) if aftermath.counts && self.a_person_plays() => {
                Progress::remember(&self.folders, name, &level.to_string())
            }
            _ => Ok(()),
        }
    }

    /// What the computer on turn chooses. `None` if two of them have gone on for so long that they were stopped.
    pub fn computers_choice(&mut self) -> Result<Option<Choice>, Failure> {
        let choice = self.ahead(|sitting, ahead| sitting.computers_choice(ahead))?;
        if choice.is_none() {
            self.sitting.act(Command::Stop)?;
        }
        Ok(choice)
    }

    /// What the outside program on turn chooses. `None` if it has forfeited the round, or two of them have gone on for so
    /// long that they were stopped.
    pub fn programs_choice(&mut self) -> Result<Option<Choice>, Failure> {
        let round = self.sitting.round().clone();
        let telling = self.programs.telling(round.rulebook())?;
        let Programs { seats, tries, with_legal, progress, .. } = &mut self.programs;
        let Some(program) = &mut seats[round.position().turn()] else { return Ok(None) };
        if self.sitting.goes_on_for_too_long() {
            self.sitting.act(Command::Stop)?;
            return Ok(None);
        }
        let setup = self.sitting.setup();
        let (game, number, with_legal) = (setup.game.clone(), setup.round_number, *with_legal);
        let mut refused: Option<NoMove> = None;
        for _ in 0..=*tries {
            let again = refused.as_ref().map(|no_move| (no_move.why, &*no_move.reason));
            let (game, round) = (&game, &round);
            let telling = telling.as_ref();
            let turn = Turn { game, round, number, with_rules: false, with_legal, telling, refused: again };
            let no_move = match program.choose(turn, progress)? {
                Ok(choice) => return Ok(Some(choice)),
                Err(no_move) => no_move,
            };
            self.sitting.act(Command::Refuse(no_move.why))?;
            refused = Some(no_move);
        }
        program.forfeit(refused);
        self.sitting.act(Command::Forfeit)?;
        Ok(None)
    }

    /// What there is to complain about the programs.
    pub fn trouble(&self) -> Vec<String> {
        self.programs().flat_map(|(name, program)| program.trouble(name)).collect()
    }

    /// The programs that play, with what they are called.
    pub fn programs(&self) -> impl Iterator<Item = (&str, &Program)> {
        let names = &self.setup().names;
        let program = |player: Player| Some((&*names[player], self.programs.seats[player].as_ref()?));
        Player::BOTH.into_iter().filter_map(program)
    }

    pub fn hint(&mut self) -> Result<String, Failure> {
        let (said, event) = self.ahead(|sitting, ahead| sitting.hint(ahead))?;
        self.note_if(event.as_ref());
        Ok(said)
    }

    pub fn why(&mut self) -> Result<Vec<String>, Failure> {
        let (said, event) = self.ahead(|sitting, ahead| sitting.why(ahead))?;
        self.note_if(event.as_ref());
        Ok(said)
    }

    fn note_if(&self, event: Option<&Event>) {
        if event.is_some() {
            self.note();
        }
    }

    /// On a turn that matters, how many hints the coach has to offer.
    pub fn offers_hints(&mut self) -> Result<Option<usize>, Failure> {
        self.ahead(|sitting, ahead| sitting.offers_hints(ahead))
    }

    pub fn forced_end(&mut self) -> Result<ForcedEnd, Failure> {
        self.ahead(|sitting, ahead| sitting.forced_end(ahead))
    }

    pub fn habit(&mut self, opponent: Opponent) -> Result<String, Failure> {
        self.ahead(|sitting, ahead| sitting.habit(opponent, ahead))
    }

    pub fn review(&mut self) -> Result<Review, Failure> {
        self.ahead(|sitting, ahead| sitting.review(ahead))
    }

    /// Who starts the next round if the players just play again.
    pub fn next_first(&mut self) -> Result<Player, Failure> {
        self.ahead(|sitting, ahead| sitting.next_first(ahead))
    }

    pub fn seat_was_lost(&mut self) -> Result<Option<(&'static str, bool)>, Failure> {
        self.ahead(|sitting, ahead| sitting.seat_was_lost(ahead))
    }

    /// The numbers to leave; an empty list if the number alone does not decide, or the game is too large.
    pub fn stones(&self) -> Result<Vec<i64>, Failure> {
        match ask(&self.games, self.rulebook(), |game, budget| game.chart(budget)) {
            Ok(chart) => Ok(chart.iter().flat_map(Chart::stones).collect()),
            // Without marks, the game can be played all the same.
            Err(Failure::TooLarge(_)) => Ok(Vec::new()),
            Err(failure) => Err(failure),
        }
    }

    /// Where files are kept.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// Whom a question about the games goes to.
    pub fn games(&self) -> &Rc<SolvedGames> {
        &self.games
    }

    /// Gives the round up for the player on turn.
    pub fn resign(&mut self) -> Result<(), Failure> {
        let player: Player = self.round().position().turn();
        self.sitting.act(Command::Resign(player))?;
        Ok(())
    }
}
