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
//! | `today.rs` | the daily duel: the streak, and an unfinished attempt |

pub mod autosave;
pub mod record_file;
pub mod resume;
pub mod today;

use std::ops::Deref;
use std::rc::Rc;

use spoton::day::Day;
use spoton::design::today::Attempt;
use spoton::engine::position::{Choice, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::format::Rulebook;
use spoton::json::Turn;
use spoton::sitting::{self, Adaptive, Aftermath, Cannot, Command, Event, Lookahead, Setup};
use spoton::solved::SolvedGames;
use spoton::solver::chart;
use spoton::teach::forced::ForcedEnd;
use spoton::teach::map::{Map, Mark, Picture};
use spoton::teach::review::Review;
use spoton::words::answer::NoMove;
use spoton::words::today::{PRACTICE, line};

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::programs::{Program, Programs};
use crate::progress::Progress;
use crate::solving::{ask, look_ahead};
use autosave::Autosave;
use record_file::RecordFile;

pub struct Sitting {
    sitting: sitting::Sitting,
    pub autosave: Autosave,
    /// Cache of solved games.
    games: Rc<SolvedGames>,
    folders: Folders,
    /// The outside programs at the table.
    pub programs: Programs,
    /// The record file from the command line.
    pub record: Option<RecordFile>,
    /// The program's own record file of all rounds with people.
    pub rounds: Option<RecordFile>,
    /// The clock.
    pub today: fn() -> Day,
}

/// Everything that doesn't need the solver comes from the library's sitting.
impl Deref for Sitting {
    type Target = sitting::Sitting;

    fn deref(&self) -> &sitting::Sitting {
        &self.sitting
    }
}

/// The consequences of a finished round.
#[derive(Default)]
pub struct End {
    /// A sentence about the next opponent.
    pub meets_next: Option<String>,
    /// For the daily duel: the line to share, and the streak.
    pub today: Option<(String, String)>,
    /// Errors while saving results. They don't stop the game.
    pub trouble: Vec<Failure>,
}

impl Sitting {
    /// Starts the first round, or resumes one.
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

    /// Starts a side round that shows why an idea fails. Its separate autosave never saves, so the saved round is
    /// always the main one.
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

    /// Makes a legal choice, and the forced skips after it.
    pub fn make(&mut self, choice: Choice) -> Result<(), Failure> {
        self.sitting.act(Command::Play(choice))?;
        self.autosave.follow(choice);
        self.keep_up();
        Ok(())
    }

    /// Undoes the last move. Against a computer, goes back to the person's last turn. Returns a sentence about it.
    pub fn take_back(&mut self) -> Result<String, Cannot> {
        let event = self.sitting.act(Command::TakeBack)?;
        self.note();
        let moves = match event {
            Event::TakenBack { moves } => moves.join(" "),
            _ => String::new(),
        };
        Ok(format!("Undone: {moves}."))
    }

    /// Runs a command and passes the round to the autosave.
    pub fn act(&mut self, command: Command) -> Result<Event, Failure> {
        let event = self.sitting.act(command)?;
        self.note();
        Ok(event)
    }

    /// Passes the round, or the next one of a match, to the autosave.
    pub fn note(&self) {
        if let Some(unfinished) = self.sitting.unfinished() {
            self.autosave.note(unfinished);
            self.keep_up();
        }
    }

    /// Saves only rounds with people. Rounds between computers are fast and repeatable.
    fn keep_up(&self) {
        if self.a_person_plays() {
            self.autosave.keep_up();
        }
    }

    /// Records a finished round and the level of the adaptive opponent.
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
        // If you leave a match between two rounds, it resumes with the next one.
        self.note();
        end
    }

    /// Counts the daily duel. If the result can't be saved, the line is still shown.
    fn count_today(&self, trouble: &mut Vec<Failure>) -> Option<(String, String)> {
        let (Attempt { day, counts, .. }, score) = self.todays_score()?;
        let counted = if counts { today::count(&self.folders, day, score) } else { Ok(None) };
        let line = |counted: bool| line(day, (self.today)(), self.rulebook().title(), score, counted);
        Some(match counted {
            Ok(Some(streak)) => (line(true), streak.in_words(day)),
            Ok(None) => (line(false), PRACTICE.to_owned()),
            Err(failure) => {
                trouble.push(failure);
                (line(true), "Your streak couldn't be saved.".to_owned())
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

    /// Returns the choice of the computer or the outside program to move, or `None` if that ended the round.
    pub fn others_choice(&mut self) -> Result<Option<Choice>, Failure> {
        match self.computer() {
            Some(_) => self.computers_choice(),
            None => self.programs_choice(),
        }
    }

    /// Returns the choice of the computer to move, or `None` if a round between computers ran too long and was stopped.
    pub fn computers_choice(&mut self) -> Result<Option<Choice>, Failure> {
        let choice = self.ahead(|sitting, ahead| sitting.computers_choice(ahead))?;
        if choice.is_none() {
            self.sitting.act(Command::Stop)?;
        }
        Ok(choice)
    }

    /// Returns the choice of the outside program to move. Returns `None` if it forfeited the round, or if a round
    /// between programs ran too long and was stopped.
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

    /// Problems with the programs.
    pub fn trouble(&self) -> Vec<String> {
        self.programs().flat_map(|(name, program)| program.trouble(name)).collect()
    }

    /// The programs at the table, with their names.
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

    /// How many hints the coach has left, on a turn that matters.
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

    /// The player who starts the next round by default.
    pub fn next_first(&mut self) -> Result<Player, Failure> {
        self.ahead(|sitting, ahead| sitting.next_first(ahead))
    }

    pub fn seat_was_lost(&mut self) -> Result<Option<(&'static str, bool)>, Failure> {
        self.ahead(|sitting, ahead| sitting.seat_was_lost(ahead))
    }

    /// The stepping stones. Empty if anything besides the number matters, or if the game is too large.
    pub fn stones(&self) -> Result<Vec<i64>, Failure> {
        if !chart::number_alone_decides(self.rulebook()) {
            return Ok(Vec::new());
        }
        match ask(&self.games, self.rulebook(), |game, budget| game.map(None, budget)) {
            Ok(Map { picture: Picture::Strip { lowest, marks, .. }, .. }) => {
                let stones = (lowest..).zip(marks).filter(|(_, mark)| *mark == Mark::Stone);
                Ok(stones.map(|(number, _)| number).collect())
            }
            // Too many numbers to mark.
            Ok(_) => Ok(Vec::new()),
            // The board works without marks.
            Err(Failure::TooLarge(_)) => Ok(Vec::new()),
            Err(failure) => Err(failure),
        }
    }

    /// The program's folders.
    pub fn folders(&self) -> &Folders {
        &self.folders
    }

    /// The cache of solved games.
    pub fn games(&self) -> &Rc<SolvedGames> {
        &self.games
    }

    /// Gives up the round for the player to move.
    pub fn resign(&mut self) -> Result<(), Failure> {
        let player: Player = self.round().position().turn();
        self.sitting.act(Command::Resign(player))?;
        Ok(())
    }
}
