//! Who plays what, against whom, on which terms, and who starts.

use std::sync::Arc;

use super::adaptive::rungs;
use super::{Adaptive, Cannot, Dice, Lookahead, command_of};
use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::engine::series::Match;
use crate::format::{Game, Rulebook, Setting};
use crate::people::forced::{self, ForcedEnd};
use crate::people::opponent::Opponent;
use crate::people::today::{self, Attempt, Duel};
use crate::records::{Record, Refusals, is_name};
use crate::solver::Value;

/// Everything that is settled before a round.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game, with its settings.
    pub game: Game,
    /// What the players are called.
    pub names: ByPlayer<String>,
    /// Who is a computer, and which.
    pub computers: ByPlayer<Option<Opponent>>,
    /// Who is an outside program, as records name it. Its moves come from whoever runs it.
    pub programs: ByPlayer<Option<String>>,
    /// An opponent that goes up and down with the results.
    pub adaptive: Option<Adaptive>,
    /// All chance comes from here.
    pub dice: Dice,
    /// Who starts the first round.
    pub first: Player,
    /// The match that is played, if any.
    pub series: Option<Match>,
    /// The round to go on with, from 1.
    pub round_number: u32,
    /// A round that was taken up again.
    pub resumed: Option<Round>,
    /// How much help there is.
    pub help: Help,
    /// Whether moves may be taken back.
    pub undo: bool,
    /// Whether the round was taken up from a point of one that was over: it counts for nothing.
    pub tried_out: bool,
    /// Whether this is a round on the side, which counts for nothing and is not kept.
    pub aside: bool,
    /// Whether this is the duel of a day, and which attempt at it.
    pub today: Option<Attempt>,
    /// How many of the coach's hints were used up before the round was taken up again.
    pub hints_used: usize,
    /// How many answers did not count before the round was taken up again.
    pub refused: ByPlayer<Refusals>,
    /// The rounds of the match that were played before.
    pub earlier: Arc<Vec<Record>>,
}

/// How much help the players have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Help {
    /// A coach offers hints within a budget, and warns.
    pub coach: bool,
    /// The players want to find out for themselves: nothing is given away.
    pub discover: bool,
    /// Everything is shown: the numbers to leave are marked, on surfaces that can mark them.
    pub open: bool,
}

impl Setup {
    /// A single round of a game, without help.
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

    /// A round for somebody new: against the gentlest opponent, from a seat that can win.
    ///
    /// # Errors
    ///
    /// If the game is not valid, or is too large to be seen through.
    pub fn gentle(game: Game, dice: Dice, ahead: &mut Lookahead<'_>) -> Result<Setup, Cannot> {
        let rulebook = Arc::new(game.rulebook()?);
        let gentlest = rungs(&rulebook, ahead)?.first().and_then(|rung| rung.first().copied());
        let opening = Round::new(Arc::clone(&rulebook), Player::One);
        let outlook = ahead.ask(&rulebook, |game, budget| game.outlook(&opening, budget))?;
        let starter_wins = outlook.is_none_or(|outlook| outlook.verdict.value != Value::Loss);
        let first = if starter_wins { Player::One } else { Player::Two };
        Ok(Setup::new(game, ByPlayer([None, gentlest]), first, dice))
    }

    /// The duel of a day, from the seat that can win. What counts cannot be taken back. Chance comes from the day as
    /// well, so that the same moves meet the same answers wherever they are made.
    ///
    /// # Errors
    ///
    /// Never, for a duel of this library.
    pub fn today(duel: &Duel, counts: bool) -> Result<Setup, Cannot> {
        let computers = ByPlayer([None, Some(Opponent::parse(today::OPPONENT)?)]);
        let first = if duel.person_goes_first() { Player::One } else { Player::Two };
        Ok(Setup {
            undo: !counts,
            today: Some(Attempt::new(duel.day, counts)),
            ..Setup::new(duel.game()?, computers, first, Dice::new(duel.day.number()))
        })
    }

    /// After the first attempt at the duel of a day, which is the one that counts, nothing is at stake any more.
    pub(super) fn practise(&mut self) {
        if let Some(attempt) = &mut self.today {
            *attempt = attempt.again();
            self.undo = true;
        }
    }

    /// A round on the side: a person has left a number, and perfect play shows what can be done there.
    pub fn aside(rulebook: &Rulebook, number: i64) -> Setup {
        let computers = ByPlayer([None, Some(Opponent::perfect())]);
        let game = Game::from_number(rulebook, number);
        // Perfect play needs no chance that matters, so the same round can be seen again.
        Setup { aside: true, ..Setup::new(game, computers, Player::Two, Dice::new(0)) }
    }

    /// Seats an outside program, such as `exec:my-bot`, under a name made from its command.
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

    /// Gives a player a name, unless the other has it.
    pub fn call(&mut self, player: Player, name: String) {
        if self.names[!player] != name {
            self.names[player] = name;
        }
    }

    /// Who is at the keyboard alone against a computer.
    pub fn only_person(&self) -> Option<Player> {
        only_person(&ByPlayer::from_fn(|player| (!self.is_person(player)).then_some(())))
    }

    /// Whether a player is neither a computer nor a program.
    pub fn is_person(&self, player: Player) -> bool {
        self.computers[player].is_none() && self.programs[player].is_none()
    }

    /// Another target for the rounds to come, up to twice as far; `None` if there is none that fits. A round that plays
    /// itself is drawn only if many others do so as well.
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

    /// Takes another target for the rounds to come.
    pub(super) fn take_target(&mut self, target: i64) {
        self.dice = self.dice.again();
        // With another target it is another game.
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

    /// The rule book of the round to come, with its target drawn if one is drawn.
    ///
    /// # Errors
    ///
    /// If it is not valid, or none of many targets fits.
    pub fn rulebook(&self) -> Result<Rulebook, Cannot> {
        rulebook_for(&self.game, self.dice, self.round_number)
    }
}

/// The one person of a round against a computer.
pub fn only_person<T>(computers: &ByPlayer<Option<T>>) -> Option<Player> {
    match computers {
        ByPlayer([None, Some(_)]) => Some(Player::One),
        ByPlayer([Some(_), None]) => Some(Player::Two),
        _ => None,
    }
}

/// The rule book of a round, with its target drawn if one is drawn.
///
/// # Errors
///
/// If it is not valid, or none of many targets fits.
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
            // There is at least one attempt.
            (None, None) => return Ok(game.rulebook()?),
        }
    }
}

/// What players are called who were given no names.
pub fn usual_names(computers: &ByPlayer<Option<Opponent>>) -> ByPlayer<String> {
    let same = computers[Player::One] == computers[Player::Two];
    ByPlayer::from_fn(|player| match computers[player] {
        Some(opponent) if same => format!("{} {}", opponent.title(), player.number()),
        Some(opponent) => opponent.title().to_owned(),
        None => player.to_string(),
    })
}
