//! A sitting's setup: the game, the players, the terms, and who starts.

use std::sync::Arc;

use super::adaptive::rungs;
use super::{Adaptive, Cannot, Dice, Lookahead, command_of};
use crate::design::today::{self, Attempt, Duel};
use crate::discovery::{Spoiler, View};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::series::Match;
use crate::evaluate::opponent::Opponent;
use crate::format::{Game, Rulebook, Setting};
use crate::records::{Record, Refusals, is_name};
use crate::solver::Value;
use crate::teach::forced::{self, ForcedEnd};

/// All settings of a round.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game with its settings.
    pub game: Game,
    /// The players' names.
    pub names: ByPlayer<String>,
    /// The computer opponents.
    pub computers: ByPlayer<Option<Opponent>>,
    /// The outside programs, by the names that records use. The caller supplies their moves.
    pub programs: ByPlayer<Option<String>>,
    /// The adaptive opponent.
    pub adaptive: Option<Adaptive>,
    /// The source of all randomness.
    pub dice: Dice,
    /// The starter of the first round.
    pub first: Player,
    /// The match, if any.
    pub series: Option<Match>,
    /// The round number, starting at 1.
    pub round_number: u32,
    /// A resumed round.
    pub resumed: Option<Round>,
    /// The available help.
    pub help: Help,
    /// Whether undo is allowed.
    pub undo: bool,
    /// Whether the round is a try-out that continues a finished one. Try-outs don't count.
    pub tried_out: bool,
    /// Whether this is a side round, which doesn't count and isn't saved.
    pub aside: bool,
    /// The attempt, if this is a daily duel.
    pub today: Option<Attempt>,
    /// The coach's hints used before resuming.
    pub hints_used: usize,
    /// The answers rejected before resuming.
    pub refused: ByPlayer<Refusals>,
    /// The earlier rounds of the match.
    pub earlier: Arc<Vec<Record>>,
}

/// The players' help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Help {
    /// A coach gives warnings and a limited number of hints.
    pub coach: bool,
    /// Discovery mode: no hints or answers.
    pub discover: bool,
    /// Marks the numbers to leave, on surfaces that support it.
    pub open: bool,
}

impl Setup {
    /// A single round of a game without help.
    pub fn new(game: Game, computers: ByPlayer<Option<Opponent>>, first: Player, dice: Dice) -> Setup {
        Setup {
            game,
            names: usual_names(&computers),
            computers,
            programs: ByPlayer::default(),
            adaptive: None,
            dice,
            first,
            series: None,
            round_number: 1,
            resumed: None,
            help: Help::default(),
            undo: true,
            tried_out: false,
            aside: false,
            today: None,
            hints_used: 0,
            refused: ByPlayer::default(),
            earlier: Arc::default(),
        }
    }

    /// A round for a new player: against the easiest opponent, from a winning seat. In discovery mode the person goes
    /// first, since the winning seat is secret.
    ///
    /// # Errors
    ///
    /// If the game is invalid or too large to solve.
    pub fn gentle(game: Game, help: Help, dice: Dice, ahead: &mut Lookahead<'_>) -> Result<Setup, Cannot> {
        let rulebook = Arc::new(game.rulebook()?);
        let gentlest = rungs(&rulebook, ahead)?.first().and_then(|rung| rung.first().copied());
        let opening = Round::new(Arc::clone(&rulebook), Player::One);
        let outlook = ahead.ask(&rulebook, |game, budget| game.outlook(&opening, budget))?;
        let starter_loses = outlook.is_some_and(|outlook| outlook.verdict.value == Value::Loss);
        let is_secret = View::of_player(help.discover).hides(Spoiler::Values);
        let first = if starter_loses && !is_secret { Player::Two } else { Player::One };
        Ok(Setup { help, ..Setup::new(game, ByPlayer([None, gentlest]), first, dice) })
    }

    /// A day's duel, from the winning seat. If it counts, there's no undo. The day determines the randomness, so the
    /// same moves get the same answers everywhere.
    ///
    /// # Errors
    ///
    /// Never, for a duel from this library.
    pub fn today(duel: &Duel, counts: bool) -> Result<Setup, Cannot> {
        let computers = ByPlayer([None, Some(Opponent::parse(today::OPPONENT)?)]);
        let first = if duel.person_goes_first() { Player::One } else { Player::Two };
        Ok(Setup {
            undo: !counts,
            today: Some(Attempt::new(duel.day, counts)),
            ..Setup::new(duel.game()?, computers, first, Dice::new(duel.day.number()))
        })
    }

    /// Switches to practice after the first attempt, which is the one that counts.
    pub(super) fn practise(&mut self) {
        if let Some(attempt) = &mut self.today {
            *attempt = attempt.again();
            self.undo = true;
        }
    }

    /// A side round: perfect play continues from a number that the person has left.
    pub fn aside(rulebook: &Rulebook, number: i64) -> Setup {
        let computers = ByPlayer([None, Some(Opponent::perfect())]);
        let game = Game::from_number(rulebook, number);
        // Perfect play needs no real randomness, so the round is reproducible.
        Setup { aside: true, ..Setup::new(game, computers, Player::Two, Dice::new(0)) }
    }

    /// Gives a seat to an outside program, such as `exec:my-bot`, and derives its name from the command.
    pub fn seat_program(&mut self, player: Player, program: &str) {
        self.programs[player] = Some(program.to_owned());
        let command = command_of(program).unwrap_or(program);
        let fits = |name: &String| is_name(name) && name.chars().count() <= 30;
        let words = || command.split(' ').filter(|word| !word.is_empty());
        let file = words().rfind(|word| word.contains(['/', '.'])).or(words().next()).unwrap_or_default();
        let file = file.rsplit('/').next().unwrap_or_default().to_owned();
        let names = [command.trim().to_owned(), file, "program".to_owned()];
        let name = names.into_iter().find(fits).unwrap_or_default();
        self.names[player] = if self.names[!player] == name { format!("{name} 2") } else { name };
    }

    /// Names a player, unless the name is taken.
    pub fn call(&mut self, player: Player, name: String) {
        if self.names[!player] != name {
            self.names[player] = name;
        }
    }

    /// The only person, against a computer.
    pub fn only_person(&self) -> Option<Player> {
        only_person(&ByPlayer::from_fn(|player| (!self.is_person(player)).then_some(())))
    }

    /// Whether a player is neither a computer nor a program.
    pub fn is_person(&self, player: Player) -> bool {
        self.computers[player].is_none() && self.programs[player].is_none()
    }

    /// A new target for the next rounds, at most twice as far away; `None` if none fits. Avoids targets where the
    /// game plays itself, unless all those tried do.
    pub(super) fn draw_another_target(&self) -> Option<i64> {
        const ATTEMPTS: usize = 200;
        const LOOKED_AT: usize = 20;
        let now = self.game.draft.build().ok()?.target()?;
        let targets = self.game.targets_around()?;
        let dice = self.dice.again();
        let mut fitting = (0..ATTEMPTS)
            .map(|attempt| dice.target(self.round_number, attempt, targets.clone()))
            .filter(|target| *target != now)
            .filter_map(|target| Some((target, self.game.with_target(target).ok()?)))
            .take(LOOKED_AT)
            .peekable();
        let any = fitting.peek().map(|(target, _)| *target);
        let has_choices = |rulebook: Rulebook| {
            let round = Round::new(Arc::new(rulebook), Player::One);
            forced::end_of(&round) == ForcedEnd::ChoicesLeft
        };
        fitting.find_map(|(target, rulebook)| has_choices(rulebook).then_some(target)).or(any)
    }

    /// Sets another target for the next rounds.
    pub(super) fn take_target(&mut self, target: i64) {
        self.dice = self.dice.again();
        // A different target makes it a different game.
        self.today = None;
        let game = &mut self.game;
        game.draft = game.draft.clone().set_target("--target", &target.to_string());
        game.targets = None;
        game.settings.retain(|setting| match setting {
            Setting::Target(_) => false,
            Setting::Set(setting) => !setting.starts_with("target="),
        });
        game.settings.push(Setting::Target(target.to_string()));
    }

    /// The next round's rule book, with its random target, if any.
    ///
    /// # Errors
    ///
    /// If the rule book is invalid or no target fits.
    pub fn rulebook(&self) -> Result<Rulebook, Cannot> {
        rulebook_for(&self.game, self.dice, self.round_number)
    }
}

/// The only person, against a computer.
pub fn only_person<T>(computers: &ByPlayer<Option<T>>) -> Option<Player> {
    match computers {
        ByPlayer([None, Some(_)]) => Some(Player::One),
        ByPlayer([Some(_), None]) => Some(Player::Two),
        _ => None,
    }
}

/// A round's rule book, with its random target, if any.
///
/// # Errors
///
/// If the rule book is invalid or no target fits.
pub fn rulebook_for(game: &Game, dice: Dice, round: u32) -> Result<Rulebook, Cannot> {
    const ATTEMPTS: usize = 1000;
    let Some(targets) = &game.targets else { return Ok(game.rulebook()?) };
    let mut attempts =
        (0..ATTEMPTS).map(|attempt| game.with_target(dice.target(round, attempt, targets.clone())));
    let mut last = None;
    loop {
        match (attempts.next(), last) {
            (Some(Ok(rulebook)), _) => return Ok(rulebook),
            (Some(Err(refused)), _) => last = Some(refused),
            (None, Some(refused)) => return Err(refused.into()),
            // Invariant: there's at least one attempt.
            (None, None) => return Ok(game.rulebook()?),
        }
    }
}

/// The players' default names.
pub fn usual_names(computers: &ByPlayer<Option<Opponent>>) -> ByPlayer<String> {
    let same = computers[Player::One] == computers[Player::Two];
    ByPlayer::from_fn(|player| match computers[player] {
        Some(opponent) if same => format!("{} {}", opponent.title(), player.number()),
        Some(opponent) => opponent.title().to_owned(),
        None => player.to_string(),
    })
}
