//! Who plays what, against whom, and who starts.

use std::path::Path;
use std::sync::Arc;

use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::engine::series::Match;
use spoton::format::{Game, Rulebook, Setting, span_of_targets};
use spoton::people::opponent::Opponent;
use spoton::records::{self, Record};
use spoton::solver::Value;

use super::adaptive::{ADAPTIVE, Adaptive, rungs};
use super::dice::Dice;
use super::keeper::Keeper;
use super::truth::Truth;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::save::Save;

/// Everything that is settled before the first turn.
pub struct Setup {
    pub game: Game,
    pub names: ByPlayer<String>,
    /// Who is a computer, and which.
    pub computers: ByPlayer<Option<Opponent>>,
    /// An opponent that goes up and down with the results.
    pub adaptive: Option<Adaptive>,
    pub dice: Dice,
    /// Who starts the first round.
    pub first: Player,
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
    /// How many of the coach's hints were used up before the round was taken up again.
    pub hints_used: usize,
    /// The rounds of the match that were played before, as they stand in a save.
    pub earlier: Arc<Vec<Record>>,
}

impl Setup {
    /// A single round of a game, without help.
    pub fn new(game: Game, computers: ByPlayer<Option<Opponent>>, first: Player, dice: Dice) -> Setup {
        Setup {
            game,
            names: usual_names(&computers),
            computers,
            adaptive: None,
            dice,
            first,
            series: None,
            round_number: 1,
            resumed: None,
            help: Help::default(),
            undo: true,
            tried_out: false,
            hints_used: 0,
            earlier: Arc::default(),
        }
    }

    /// A round for somebody new: against the gentlest opponent, from a seat that can win.
    pub fn gentle(game: Game, dice: Dice, mebibytes: u64) -> Result<Setup, Failure> {
        let rulebook = Arc::new(game.rulebook()?);
        let gentlest = rungs(&rulebook)?.first().and_then(|rung| rung.first().copied());
        let opening = Round::new(rulebook, Player::One);
        let outlook = Truth::new(mebibytes).outlook(&opening)?;
        let starter_wins = outlook.is_none_or(|outlook| outlook.verdict.value != Value::Loss);
        let first = if starter_wins { Player::One } else { Player::Two };
        Ok(Setup::new(game, ByPlayer([None, gentlest]), first, dice))
    }

    /// Gives a player a name, unless the other has it.
    pub fn call(&mut self, player: Player, name: String) {
        if self.names[!player] != name {
            self.names[player] = name;
        }
    }

    /// What was settled beside the game and the players, in words for a save; nothing where all is as usual.
    pub fn terms(&self) -> Option<String> {
        let terms = [
            (self.help.coach, COACHED),
            (self.help.open, OPEN),
            (!self.undo, NO_UNDO),
            (self.tried_out, TRIED_OUT),
        ];
        let said = terms.into_iter().filter_map(|(holds, word)| holds.then_some(word.to_owned()));
        let hints = (self.hints_used > 0).then(|| format!("{HINTS}{}", self.hints_used));
        let said: Vec<String> = said.chain(hints).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Takes up what a save says was settled.
    fn take_terms(&mut self, terms: &str) {
        for word in terms.split(' ') {
            match word {
                COACHED => self.help.coach = true,
                OPEN => self.help.open = true,
                NO_UNDO => self.undo = false,
                TRIED_OUT => self.tried_out = true,
                word => {
                    let hints = word.strip_prefix(HINTS).and_then(|count| count.parse().ok());
                    self.hints_used = hints.unwrap_or(self.hints_used);
                }
            }
        }
    }

    /// Another target for the rounds to come, up to twice as far; nothing where there is none that fits.
    pub fn another_target(&mut self) -> Option<i64> {
        const ATTEMPTS: usize = 200;
        let now = self.game.draft.build().ok()?.target()?;
        let targets = self.game.targets_around()?;
        self.dice = self.dice.again();
        for attempt in 0..ATTEMPTS {
            let target = self.dice.target(self.round_number, attempt, targets.clone());
            let draft = self.game.draft.clone().set_target("--target", &target.to_string());
            if target != now && draft.build().is_ok() {
                self.game.draft = draft;
                self.game.targets = None;
                self.game.settings.retain(|setting| !matches!(setting, Setting::Target(_)));
                self.game.settings.push(Setting::Target(target.to_string()));
                return Some(target);
            }
        }
        None
    }

    /// The rule book of the round to come, with its target drawn where one is drawn.
    pub fn rulebook(&self) -> Result<Rulebook, Failure> {
        rulebook_for(&self.game, self.dice, self.round_number)
    }
}

const COACHED: &str = "coach";
const OPEN: &str = "open";
const NO_UNDO: &str = "no-undo";
const TRIED_OUT: &str = "tried-out";
const HINTS: &str = "hints-";

/// How much help the players have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Help {
    /// A coach offers hints within a budget, and warns.
    pub coach: bool,
    /// The players want to find out for themselves: nothing is given away.
    pub discover: bool,
    /// Everything is shown: the numbers to leave are marked where there is a place to mark them.
    pub open: bool,
}

/// The one person of a round against a computer.
pub fn only_person<T>(computers: &ByPlayer<Option<T>>) -> Option<Player> {
    match computers {
        ByPlayer([None, Some(_)]) => Some(Player::One),
        ByPlayer([Some(_), None]) => Some(Player::Two),
        _ => None,
    }
}

/// The rule book of a round, with its target drawn where one is drawn.
pub fn rulebook_for(game: &Game, dice: Dice, round: u32) -> Result<Rulebook, Failure> {
    const ATTEMPTS: usize = 1000;
    let Some(targets) = &game.targets else { return Ok(game.rulebook()?) };
    let mut refused = Vec::new();
    for attempt in 0..ATTEMPTS {
        let target = dice.target(round, attempt, targets.clone());
        match game.draft.clone().set_target("--target", &target.to_string()).build() {
            Ok(rulebook) => return Ok(rulebook),
            Err(problems) => refused = problems,
        }
    }
    Err(Failure::Invalid(refused))
}

/// The name that stands for somebody at the keyboard.
pub const HUMAN: &str = "human";

/// The opponent of a name; nothing for a person.
pub fn opponent(name: Option<&str>) -> Result<Option<Opponent>, Failure> {
    let Some(name) = name.filter(|name| !name.eq_ignore_ascii_case(HUMAN)) else { return Ok(None) };
    Opponent::parse(name).map(Some).map_err(|unknown| {
        let also = format!("\n  as well: {ADAPTIVE}, who goes up and down with you, and {HUMAN}");
        Failure::Usage(format!("{unknown}{also}"))
    })
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

/// Tags that a save has beside those of a record, so that a match goes on as it was set up.
pub const SEED: &str = "Seed";
pub const TARGETS: &str = "Targets";
pub const ADAPTS: &str = "Adaptive";
pub const TERMS: &str = "Terms";

/// A setup from a save: the latest one, or the one in a file.
pub fn resume(file: Option<&Path>, help: Help, keeper: &Keeper, folders: &Folders) -> Result<Setup, Failure> {
    let path = match file {
        Some(file) => file.to_owned(),
        None => Save::latest(&folders.saves()?)?,
    };
    let (save, text) = if Save::is_save(&path) {
        let (save, text) = Save::open(&path)?;
        (Some(save), text)
    } else {
        // A record from elsewhere: it stays as it is, and what becomes of the round is kept under a name of its own.
        (None, crate::files::read_records(&path)?)
    };
    let fail = |why: String| Failure::Failed(format!("{}: {why}", path.display()));
    let mut records = records::read_all(&text).map_err(|bad| fail(bad.to_string()))?;
    let last = records.pop().ok_or_else(|| fail("there is no round in it".to_owned()))?;
    let round = last.replay().map_err(|bad| fail(bad.to_string()))?;
    if round.outcome().is_some() {
        return Err(fail("its round is over; there is nothing to go on with".to_owned()));
    }
    let mut series = None;
    if let Some((form, _)) = last.in_match {
        let first = records.first().map_or(last.first, |record| record.first);
        let series = series.insert(Match::new(form, first));
        for record in &records {
            let outcome = record.replay().map_err(|bad| fail(bad.to_string()))?.outcome();
            series.count(outcome.ok_or_else(|| fail("a round before the last is not over".to_owned()))?);
        }
    }
    let tag =
        |name: &str| last.other_tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let computer = |player: Player| opponent(last.computers[player].as_deref());
    let computers = ByPlayer([computer(Player::One)?, computer(Player::Two)?]);
    let round_number = last.in_match.map_or(1, |(_, number)| number);
    let adapts = tag(ADAPTS).and_then(|tag| tag.split_once(' '));
    let adapts = adapts.and_then(|(number, level)| {
        let player = Player::BOTH.into_iter().find(|player| player.number().to_string() == number)?;
        Some((player, computers[player]?, level.to_owned()))
    });
    let adaptive = match adapts {
        Some((player, opponent, level)) => {
            let named = last.players[player] != opponent.title();
            Some(Adaptive::load(player, level, round.rulebook(), named, folders)?)
        }
        None => None,
    };
    let game = last
        .game(tag(TARGETS).and_then(|targets| span_of_targets(targets).ok().flatten()))
        .map_err(|bad| fail(bad.to_string()))?;
    let dice = Dice::new(tag(SEED).and_then(|seed| seed.parse().ok()));
    // Of the first round, so that starters go on alternating.
    let first = if round_number % 2 == 1 { last.first } else { !last.first };
    let mut setup = Setup {
        names: last.players.clone(),
        adaptive,
        series,
        round_number,
        resumed: Some(round),
        help,
        earlier: Arc::new(records),
        ..Setup::new(game, computers, first, dice)
    };
    setup.take_terms(tag(TERMS).unwrap_or_default());
    if let Some(save) = save {
        keeper.adopt(save);
    }
    Ok(setup)
}

/// A setup from a record, to play its round on after so many moves. Whatever match it was part of goes on without it.
pub fn play_on(record: &Record, moves: usize, help: Help, dice: Dice) -> Result<Setup, Failure> {
    let fail = |bad: records::BadRecord| Failure::Failed(bad.to_string());
    let mut begun = record.clone();
    begun.moves.truncate(moves);
    begun.state(None);
    let round = begun.replay().map_err(fail)?;
    let computer = |player: Player| opponent(record.computers[player].as_deref());
    let computers = ByPlayer([computer(Player::One)?, computer(Player::Two)?]);
    let game = record.game(None).map_err(fail)?;
    let mut setup = Setup::new(game, computers, record.first, dice);
    setup.names = record.players.clone();
    setup.help = help;
    setup.resumed = Some(round);
    Ok(setup)
}
