//! `spoton arena`: computers and outside programs against each other, from both seats.

use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::Game;
use spoton::json;
use spoton::people::arena::{Contestant, Meeting};
use spoton::people::solved_game::SolvedGames;
use spoton::people::summary::Summary;
use spoton::records::is_name;
use spoton::sitting::{ADAPTIVE, Command, Dice, HUMAN, PROGRAM, Setup};
use spoton::words::{arena, describe};

use crate::args::ArenaArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::programs::Programs;
use crate::progress::{DISCOVERING, is_discovering_or_tell};
use crate::shown::{self, answer_out};
use crate::signals;
use crate::sitting::Sitting;
use crate::sitting::autosave::Autosave;
use crate::sitting::record_file::RecordFile;
use crate::sitting::resume::opponent;
use crate::solving::{ProgressLine, ask, games};

/// How many rounds a program plays if nobody says otherwise.
const ROUNDS: u32 = 20;

pub fn run(args: &ArenaArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    if is_discovering_or_tell(&folders) {
        return Err(Failure::Usage(DISCOVERING.to_owned()));
    }
    let players = ByPlayer([player(&args.p1)?, player(&args.p2)?]);
    let asked = args.games.iter().map(|name| game::find(name, &args.changes));
    let asked = asked.collect::<Result<Vec<Game>, Failure>>()?;
    let mut record = args.record.clone().map(RecordFile::open_for_programs).transpose()?;
    let a_program_plays = players.0.iter().any(Option::is_none);
    // The chances of known players are exact; but not over targets that are drawn.
    let is_played = a_program_plays || asked.iter().any(|game| game.targets.is_some());
    let rounds = args.rounds.unwrap_or(if is_played { ROUNDS } else { 0 });
    // Told to end, we end the programs too.
    signals::watch(Autosave::new(folders.clone()))
        .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
    let mut arena = Arena {
        args,
        players,
        games: Rc::new(games(args.memory.mebibytes)),
        folders,
        rounds,
        programs: None,
        total: Summary::default(),
        trouble: Vec::new(),
        begun: 0,
        of: u64::from(rounds) * asked.len() as u64,
        progress: ProgressLine::new(),
    };
    let mut out = answer_out(args.json);
    for game in &asked {
        let page = arena.fight(game, &mut record)?;
        out.write_all(page.as_bytes())?;
        out.flush()?;
    }
    if rounds > 0 && !args.json {
        out.write_all(arena::last(&arena.total, asked.len()).as_bytes())?;
    }
    for trouble in &arena.trouble {
        let _ = writeln!(shown::err(), "spoton: {trouble}");
    }
    match record.is_some_and(|record| record.is_behind()) {
        true => Err(Failure::Failed("not every round could be written down".to_owned())),
        false => Ok(()),
    }
}

/// Who somebody is: an opponent, or a program.
fn player(name: &str) -> Result<Contestant, Failure> {
    if [HUMAN, ADAPTIVE].iter().any(|word| name.eq_ignore_ascii_case(word)) {
        return Err(Failure::Usage(format!(
            "{name} cannot play in the arena: it is for computers and programs. spoton play is for people"
        )));
    }
    if name.strip_prefix(PROGRAM).is_some_and(|command| command.trim().is_empty()) {
        return Err(Failure::Usage(format!(
            "{name} wants a command, such as \"{PROGRAM}python3 my-bot.py\""
        )));
    }
    opponent(Some(name))
}

struct Arena<'a> {
    args: &'a ArenaArgs,
    players: ByPlayer<Contestant>,
    games: Rc<SolvedGames>,
    folders: Folders,
    rounds: u32,
    /// They run on from game to game.
    programs: Option<Programs>,
    total: Summary,
    /// What there is to complain about the programs, so far.
    trouble: Vec<String>,
    /// How many rounds have begun, and how many there will be.
    begun: u64,
    of: u64,
    progress: ProgressLine,
}

impl Arena<'_> {
    /// Plays a game, and says how it went.
    fn fight(&mut self, game: &Game, record: &mut Option<RecordFile>) -> Result<String, Failure> {
        let setup = self.setup(game)?;
        let names = setup.names.clone();
        let rulebook = Arc::new(setup.rulebook()?);
        // With targets that are drawn there is no one answer, and a game that is too large has none; it can be played.
        let known = match game.targets {
            Some(_) => Ok(Meeting::default()),
            None => ask(&self.games, &rulebook, |game, budget| Meeting::known(game, &self.players, budget)),
        };
        let mut meeting = match known {
            Err(Failure::TooLarge(why)) if self.rounds > 0 => {
                let _ = writeln!(shown::err(), "spoton: {}: no exact chances, {why}", game.id());
                Meeting::default()
            }
            known => known?,
        };
        if self.rounds > 0 {
            self.play(setup, record, &mut meeting)?;
        }
        if self.args.json {
            let players = ByPlayer([self.args.p1.clone(), self.args.p2.clone()]);
            return Ok(format!("{}\n", json::meeting(game, &rulebook, &players, &names, &meeting)));
        }
        let title = describe::title(game, &rulebook);
        Ok(arena::page(&title, &rulebook, &names, &meeting))
    }

    fn setup(&self, game: &Game) -> Result<Setup, Failure> {
        let dice = Dice::new(self.args.seed);
        let mut setup = Setup::new(game.clone(), self.players, Player::One, dice);
        for (player, name) in Player::BOTH.into_iter().zip([&self.args.p1, &self.args.p2]) {
            if let Some(command) = name.strip_prefix(PROGRAM) {
                setup.seat_program(player, command);
            }
        }
        if let Some(names) = &self.args.names {
            match names.split(',').map(str::trim).collect::<Vec<_>>()[..] {
                [one, two] if is_name(one) && is_name(two) && one != two => {
                    setup.names = ByPlayer([one.to_owned(), two.to_owned()]);
                }
                _ => {
                    return Err(Failure::Usage(
                        "--names takes two different names, such as Ann,Ben".to_owned(),
                    ));
                }
            }
        }
        Ok(setup)
    }

    fn play(
        &mut self,
        setup: Setup,
        record: &mut Option<RecordFile>,
        meeting: &mut Meeting,
    ) -> Result<(), Failure> {
        let id = setup.game.id().to_owned();
        let mut programs = self.programs.take().unwrap_or_else(|| Programs::of(&setup, &self.args.programs));
        programs.new_game();
        let autosave = Autosave::new(self.folders.clone());
        let mut sitting = Sitting::begin(setup, autosave, &self.games, &self.folders)?;
        sitting.programs = programs;
        sitting.record = record.take();
        let mut gradable = true;
        for number in 1..=self.rounds {
            self.begun += 1;
            self.progress
                .show(|| format!("Round {} of {}: {}", self.begun, self.of, spoton::format::shown(&id)));
            if number > 1 {
                sitting.act(Command::NextRound)?;
            }
            to_its_end(&mut sitting)?;
            // What cannot be written down is tried again after the next round; to tell it once will do.
            let is_known = sitting.record.as_ref().is_some_and(RecordFile::is_behind);
            for trouble in sitting.round_is_over().trouble.into_iter().filter(|_| !is_known) {
                trouble.tell(false, crate::output::Colour::none());
            }
            let review = match gradable.then(|| sitting.review()) {
                None => None,
                Some(Err(Failure::TooLarge(why))) => {
                    let _ = writeln!(shown::err(), "spoton: {id}: moves are not graded, {why}");
                    gradable = false;
                    None
                }
                Some(review) => Some(review?),
            };
            if let Some(aftermath) = sitting.aftermath() {
                meeting.summary.count(&aftermath.record, sitting.round(), review.as_ref());
                self.total.count(&aftermath.record, sitting.round(), review.as_ref());
            }
        }
        self.progress.clear();
        self.trouble = sitting.trouble();
        *record = sitting.record.take();
        self.programs = Some(std::mem::take(&mut sitting.programs));
        Ok(())
    }
}

/// Plays a round to its end.
fn to_its_end(sitting: &mut Sitting) -> Result<(), Failure> {
    loop {
        match sitting.round().situation() {
            Situation::Over(_) => return Ok(()),
            Situation::Skip => sitting.make(Move::Skip)?,
            Situation::Choose(_) => {
                let choice = match sitting.computer() {
                    Some(_) => sitting.computers_choice()?,
                    None => sitting.programs_choice()?,
                };
                if let Some(choice) = choice {
                    sitting.make(Move::Operation(choice))?;
                }
            }
        }
    }
}
