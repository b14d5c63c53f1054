//! Series of rounds between two players, for `bot arena` and `bot bench`.

use std::io::Write;
use std::rc::Rc;

use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::arena::{Contestant, Meeting, PromptOptions};
use spoton::evaluate::opponent::Opponent;
use spoton::evaluate::summary::Summary;
use spoton::format::{Game, Rulebook};
use spoton::sitting::{ADAPTIVE, Dice, HUMAN, Setup, command_of};
use spoton::solved::SolvedGames;

use crate::args::Seats;
use crate::failure::{Failure, NO_ANSWER};
use crate::folders::Folders;
use crate::programs::ProgramArgs;
use crate::programs::Programs;
use crate::shown;
use crate::signals;
use crate::sitting::Sitting;
use crate::sitting::autosave::Autosave;
use crate::sitting::record_file::RecordFile;
use crate::solving::{ProgressLine, games};

/// Parses a player: an opponent, or `None` for a program.
pub fn contestant(name: &str) -> Result<Contestant, Failure> {
    if [HUMAN, ADAPTIVE].iter().any(|word| name.eq_ignore_ascii_case(word)) {
        return Err(Failure::Usage(format!(
            "{name} can't play here: the arena is for opponents and programs. Use spoton play for people"
        )));
    }
    match command_of(name) {
        Some(command) if command.trim().is_empty() => {
            Err(Failure::Usage(format!("{name} needs a command, such as \"{name}python3 my-bot.py\"")))
        }
        Some(_) => Ok(None),
        None => Opponent::parse(name)
            .map(Some)
            .map_err(|unknown| Failure::Usage(format!("{unknown}\n  also: exec:COMMAND and engine:COMMAND"))),
    }
}

/// The players and options of a contest.
pub struct Terms<'a> {
    /// The players as typed: opponents or programs.
    pub players: ByPlayer<String>,
    /// Their names, if given.
    pub names: Option<ByPlayer<String>>,
    pub programs: &'a ProgramArgs,
    pub seats: Seats,
    /// Rounds of each game.
    pub rounds: u32,
    pub seed: u64,
}

pub struct Contest<'a> {
    terms: Terms<'a>,
    pub contestants: ByPlayer<Contestant>,
    pub games: Rc<SolvedGames>,
    folders: Folders,
    /// The programs keep running from game to game.
    programs: Option<Programs>,
    /// The totals over all games.
    pub total: Summary,
    /// Problems with the programs so far.
    trouble: Vec<String>,
    /// Whether one of the programs has forfeited every round so far.
    useless: bool,
    /// Rounds started, and rounds in total.
    begun: u64,
    of: u64,
    pub record: Option<RecordFile>,
}

impl<'a> Contest<'a> {
    /// A contest over this many games.
    pub fn new(
        terms: Terms<'a>,
        games_to_come: usize,
        mebibytes: u64,
        folders: Folders,
    ) -> Result<Contest<'a>, Failure> {
        let ByPlayer([one, two]) = &terms.players;
        let contestants = ByPlayer([contestant(one)?, contestant(two)?]);
        // A signal also ends the programs.
        signals::watch(Autosave::new(folders.clone()))
            .map_err(|error| Failure::Failed(format!("can't set up signal handlers: {error}")))?;
        Ok(Contest {
            contestants,
            games: Rc::new(games(mebibytes)),
            folders,
            programs: None,
            total: Summary::default(),
            trouble: Vec::new(),
            useless: false,
            begun: 0,
            of: u64::from(terms.rounds) * games_to_come as u64,
            record: None,
            terms,
        })
    }

    /// The setup of a game.
    pub fn setup(&self, game: &Game) -> Setup {
        let mut setup = Setup::new(game.clone(), self.contestants, Player::One, Dice::new(self.terms.seed));
        for player in Player::BOTH {
            let name = &self.terms.players[player];
            if command_of(name).is_some() {
                setup.seat_program(player, name);
            }
        }
        if let Some(names) = &self.terms.names {
            setup.names = names.clone();
        }
        setup
    }

    /// How programs receive their turns; `None` without programs.
    pub fn asked(&self) -> Option<PromptOptions> {
        let ProgramArgs { tries, no_legal_list, prompt, disguise, .. } = *self.terms.programs;
        self.contestants.0.iter().any(Option::is_none).then(|| PromptOptions {
            tries,
            legal_list: !no_legal_list,
            prompt: prompt || disguise.is_some(),
            disguise,
            seat: self.terms.seats.word(),
        })
    }

    /// Plays a game's rounds and adds up the results.
    pub fn play(&mut self, setup: &Setup, rulebook: &Rulebook, meeting: &mut Meeting) -> Result<(), Failure> {
        let id = setup.game.id().to_owned();
        let mut programs = match self.programs.take() {
            Some(running) => running,
            None => {
                let mut programs = Programs::for_setup(setup, self.terms.programs);
                programs.progress = ProgressLine::new();
                programs
            }
        };
        let unasked = programs.unasked();
        // Fails before the first round if the game can't be put into a prompt.
        programs.telling(rulebook)?;
        programs.new_game();
        let mut gradable = true;
        for number in 1..=self.terms.rounds {
            self.begun += 1;
            let forfeited = programs.seats.0.iter().flatten().map(|program| program.forfeited).sum::<u64>();
            let forfeited = if forfeited > 0 { format!(", {forfeited} forfeited") } else { String::new() };
            let id = spoton::format::shown(&id);
            programs.progress.has_come(format!("Round {} of {}{forfeited}: {id}", self.begun, self.of));
            let setup =
                Setup { first: self.terms.seats.first(number), round_number: number, ..setup.clone() };
            let autosave = Autosave::new(self.folders.clone());
            let mut sitting = Sitting::begin(setup, autosave, &self.games, &self.folders)?;
            sitting.programs = programs;
            sitting.record = self.record.take();
            to_its_end(&mut sitting)?;
            // The next round retries a failed write, so report the failure only once.
            let is_known = sitting.record.as_ref().is_some_and(RecordFile::is_behind);
            let over = sitting.round_is_over();
            for trouble in over.trouble.into_iter().filter(|_| !is_known) {
                sitting.programs.progress.clear();
                trouble.tell(false, crate::output::Colour::none());
            }
            let review = match gradable.then(|| sitting.review()) {
                None => None,
                Some(Err(Failure::TooLarge(why))) => {
                    sitting.programs.progress.clear();
                    let _ = writeln!(shown::err(), "spoton: {id}: moves aren't graded; {why}");
                    gradable = false;
                    None
                }
                Some(review) => Some(review?),
            };
            if let Some(aftermath) = sitting.aftermath() {
                meeting.summary.count(&aftermath.record, sitting.round(), review.as_ref());
                self.total.count(&aftermath.record, sitting.round(), review.as_ref());
            }
            let wrong = sitting.programs().find_map(|(name, program)| program.never_answered(name));
            if let Some(wrong) = wrong.filter(|_| !self.terms.programs.keep_going) {
                return Err(Failure::NoAnswer(wrong));
            }
            if self.begun == self.of {
                sitting.programs.finish();
            }
            self.trouble = sitting.trouble();
            self.useless = sitting.programs().any(|(_, program)| program.forfeited == self.begun);
            self.record = sitting.record.take();
            programs = std::mem::take(&mut sitting.programs);
        }
        programs.progress.clear();
        let now = programs.unasked();
        meeting.unasked = ByPlayer::from_fn(|player| now[player] - unasked[player]);
        self.programs = Some(programs);
        Ok(())
    }

    /// Reports problems with the programs. Fails if a round wasn't recorded, or if a program didn't finish any round.
    pub fn end(self) -> Result<(), Failure> {
        for trouble in &self.trouble {
            let _ = writeln!(shown::err(), "spoton: {trouble}");
        }
        match self.record.is_some_and(|record| record.is_behind()) {
            true => Err(Failure::Failed("not every round could be recorded".to_owned())),
            false if self.useless => {
                let _ = writeln!(shown::err(), "spoton: no round was finished");
                Err(Failure::Reported(NO_ANSWER))
            }
            false => Ok(()),
        }
    }
}

/// Plays a round to the end.
fn to_its_end(sitting: &mut Sitting) -> Result<(), Failure> {
    while sitting.round().outcome().is_none() {
        if let Some(choice) = sitting.others_choice()? {
            sitting.make(choice)?;
        }
    }
    Ok(())
}
