//! Who plays what, against whom, and who starts: from the command line, from questions, or from a save.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use spoton::describe;
use spoton::opponent::Opponent;
use spoton::phrases;
use spoton::position::{ByPlayer, Player};
use spoton::record::{self, NAME_FORM, Record, is_name};
use spoton::round::Round;
use spoton::rulebook::{MatchForm, Rulebook, quotable};
use spoton::series::Match;

use super::commands::{Command, rules_page};
use super::console::{Answer, Console};
use super::dice::Dice;
use super::keeper::Keeper;
use crate::args::{First, PlayArgs, Switch};
use crate::commands::{games, opponents};
use crate::failure::Failure;
use crate::folders;
use crate::game::{self, Game};
use crate::output::Colour;
use crate::progress::{self, Progress, is_discovering};
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
    /// The rounds of the match that were played before, as they stand in a save.
    pub earlier: Arc<Vec<Record>>,
}

/// A setup from the command line; nothing where the player leaves while being asked.
pub fn new(args: &PlayArgs, help: Help, console: &mut dyn Console) -> Result<Option<Setup>, Failure> {
    let asked = ByPlayer([args.p1.as_deref(), args.vs.as_deref().or(args.p2.as_deref())]);
    let is_adaptive = |name: &str| name.eq_ignore_ascii_case(ADAPTIVE);
    let adapts = Player::BOTH.into_iter().find(|player| asked[*player].is_some_and(is_adaptive));
    let first_rung = Opponent::for_people().next();
    let computer =
        |player: Player| if adapts == Some(player) { Ok(first_rung) } else { opponent(asked[player]) };
    let mut computers = ByPlayer([computer(Player::One)?, computer(Player::Two)?]);
    names(args.names.as_deref(), &computers)?;
    let dice = Dice::new(args.seed);
    let game = match &args.game {
        Some(name) => name.clone(),
        None => match choose_game(console)? {
            Some(name) => name,
            None => return Ok(None),
        },
    };
    let game = Game::find(&game, &args.changes)?;
    if let Some(targets) = &game.targets {
        // Both ends must fit; what lies between them does too, but for numbers that the lists take.
        for end in [targets.start(), targets.end()] {
            game::finish(&game.draft.clone().set_target("--target", &end.to_string()))?;
        }
    }
    let rulebook = rulebook_for(&game, dice, 1)?;
    let adaptive = match adapts {
        Some(player) => Some(Adaptive::load(player, Arc::new(rulebook.clone()), args.names.is_some())?),
        None => None,
    };
    if let Some(adaptive) = &adaptive {
        computers[adaptive.player] = Some(adaptive.opponent());
    }
    let names = names(args.names.as_deref(), &computers)?;
    let Some(first) = first(args.first, &rulebook, &names, &computers, dice, console)? else {
        return Ok(None);
    };
    let begun = match &args.moves {
        Some(moves) => Some(begin_with(moves, rulebook, first)?),
        None => None,
    };
    let form = args.first_to.map(MatchForm::FirstTo).or(args.rounds.map(MatchForm::Rounds));
    Ok(Some(Setup {
        game,
        names,
        computers,
        adaptive,
        dice,
        first,
        series: form.map(|form| Match::new(form, first)),
        round_number: 1,
        resumed: begun,
        help,
        earlier: Arc::default(),
    }))
}

/// How much help the players have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Help {
    /// A coach offers hints within a budget, and warns.
    pub coach: bool,
    /// The players want to find out for themselves: nothing is given away.
    pub discover: bool,
}

impl Help {
    /// What was asked for, and what stays on until it is turned off.
    pub fn settle(args: &PlayArgs) -> Result<Help, Failure> {
        if let Some(switch) = args.discover {
            progress::discover(switch == Switch::On)?;
        }
        // Somebody who only wants to play is not kept from it by what is remembered of other things.
        let discover = match is_discovering() {
            Ok(on) => on,
            Err(failure) => {
                failure.tell(false, Colour::none());
                false
            }
        };
        Ok(Help { coach: args.coach, discover })
    }
}

/// A round in which some moves have been made.
fn begin_with(moves: &str, rulebook: Rulebook, first: Player) -> Result<Round, Failure> {
    let mut round = Round::new(Arc::new(rulebook), first);
    for (index, written) in moves.split([' ', ',']).filter(|word| !word.is_empty()).enumerate() {
        let fail =
            |why: &str| Failure::Usage(format!("--moves: move {}: {}: {why}", index + 1, quotable(written)));
        let a_move = record::read_move(written, &round).map_err(|why| fail(&why))?;
        round.play(a_move).map_err(|_| fail("the round was over before it"))?;
    }
    match round.outcome() {
        Some(_) => Err(Failure::Usage("--moves: the round is over after these moves".to_owned())),
        None => Ok(round),
    }
}

/// The rule book of a round, with its target drawn where one is drawn.
pub fn rulebook_for(game: &Game, dice: Dice, round: u32) -> Result<Rulebook, Failure> {
    const ATTEMPTS: usize = 1000;
    let Some(targets) = &game.targets else { return game.rulebook() };
    let mut refused = Vec::new();
    for attempt in 0..ATTEMPTS {
        let target = dice.target(round, attempt, targets.clone());
        match game.draft.clone().set_target("--target", &target.to_string()).finish() {
            Ok(rulebook) => return Ok(rulebook),
            Err(problems) => refused = problems,
        }
    }
    Err(Failure::Invalid(refused))
}

/// The opponent of a name; nothing for a person.
fn opponent(name: Option<&str>) -> Result<Option<Opponent>, Failure> {
    let Some(name) = name.filter(|name| !name.eq_ignore_ascii_case(HUMAN)) else { return Ok(None) };
    Opponent::parse(name).map(Some).map_err(|unknown| {
        let also = format!("\n  as well: {ADAPTIVE}, who goes up and down with you, and {HUMAN}");
        Failure::Usage(format!("{unknown}{also}"))
    })
}

fn names(given: Option<&str>, computers: &ByPlayer<Option<Opponent>>) -> Result<ByPlayer<String>, Failure> {
    let Some(given) = given else {
        let same = computers[Player::One] == computers[Player::Two];
        return Ok(ByPlayer::from_fn(|player| match computers[player] {
            Some(opponent) if same => format!("{} {}", opponent.title(), player.number()),
            Some(opponent) => opponent.title().to_owned(),
            None => player.to_string(),
        }));
    };
    match given.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [one, two] if is_name(one) && is_name(two) && one != two => {
            Ok(ByPlayer([one.to_owned(), two.to_owned()]))
        }
        _ => Err(Failure::Usage(format!(
            "--names takes two different names with a comma between them, such as Ann,Ben; each is {NAME_FORM}"
        ))),
    }
}

/// Offers the list of games; nothing where the player leaves.
fn choose_game(console: &mut dyn Console) -> Result<Option<OsString>, Failure> {
    let games: Vec<_> = games::all().into_iter().filter(|listed| listed.rulebook.is_some()).collect();
    console.say("What would you like to play?\n")?;
    for (number, listed) in (1..).zip(&games) {
        let Some(rulebook) = &listed.rulebook else { continue };
        let first = format!("{number:2}. ");
        console.say(&format!("{first}{}", rulebook.title()))?;
        if !rulebook.summary().is_empty() {
            console.say(&crate::output::wrap(rulebook.summary(), "    ", "    "))?;
        }
    }
    console.say("")?;
    loop {
        let line = match console.ask(&format!("A number from 1 to {}, or q to leave: ", games.len()))? {
            Answer::Line(line) => line,
            Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        };
        let line = line.trim();
        if matches!(line, "q" | "quit" | "exit") {
            return Ok(None);
        }
        let by_number = line.parse::<usize>().ok().and_then(|number| games.get(number.checked_sub(1)?));
        if let Some(listed) = by_number {
            console.say("")?;
            return Ok(Some(listed.id.clone().into()));
        }
        let found: Vec<_> =
            games.iter().filter(|listed| !line.is_empty() && listed.id.contains(line)).collect();
        if let [listed] = found[..] {
            console.say("")?;
            return Ok(Some(listed.id.clone().into()));
        }
        console.say(&format!("\"{}\" is not in the list.", quotable(line)))?;
    }
}

/// Who starts; nothing where the player leaves while being asked.
fn first(
    asked: Option<First>,
    rulebook: &Rulebook,
    names: &ByPlayer<String>,
    computers: &ByPlayer<Option<Opponent>>,
    dice: Dice,
    console: &mut dyn Console,
) -> Result<Option<Player>, Failure> {
    let person = match computers {
        ByPlayer([None, Some(_)]) => Some(Player::One),
        ByPlayer([Some(_), None]) => Some(Player::Two),
        _ => None,
    };
    match (asked, person) {
        (Some(First::One), _) => Ok(Some(Player::One)),
        (Some(First::Two), _) => Ok(Some(Player::Two)),
        (Some(First::Random), _) => Ok(Some(if dice.coin() { Player::Two } else { Player::One })),
        (Some(First::Choose), None) => {
            let ByPlayer([one, two]) = names;
            choose_first(
                console,
                rulebook,
                &format!("Who goes first, {one} or {two}? (1 or 2): "),
                Player::One,
            )
        }
        // Against the computer, who goes first is half of the game.
        (Some(First::Choose), Some(person)) => choose_seat(console, rulebook, person),
        (None, Some(person)) if console.is_terminal() => choose_seat(console, rulebook, person),
        (None, _) => Ok(Some(Player::One)),
    }
}

fn choose_seat(
    console: &mut dyn Console,
    rulebook: &Rulebook,
    person: Player,
) -> Result<Option<Player>, Failure> {
    let labels = rulebook.moves().iter().map(spoton::rulebook::MoveRule::label);
    console.say(rulebook.title())?;
    console.say(&format!("From {}: {}.", rulebook.start().0, phrases::or_list(labels)))?;
    console.say(&describe::goal(rulebook))?;
    let chosen = choose_first(console, rulebook, "Do you want to go first or second? (1 or 2): ", person)?;
    if chosen.is_some() {
        console.say("")?;
    }
    Ok(chosen)
}

/// Asks for 1 or 2, where 1 stands for `if_one`.
fn choose_first(
    console: &mut dyn Console,
    rulebook: &Rulebook,
    prompt: &str,
    if_one: Player,
) -> Result<Option<Player>, Failure> {
    loop {
        match console.ask(prompt)? {
            Answer::Line(line) => match line.trim() {
                "1" | "first" => return Ok(Some(if_one)),
                "2" | "second" => return Ok(Some(!if_one)),
                "q" => return Ok(None),
                line => match Command::read(line) {
                    Some(Command::Quit) => return Ok(None),
                    Some(Command::Rules) => console.say(&rules_page(rulebook))?,
                    _ => {
                        console.say("Please enter 1 or 2. rules shows the rules of the game, quit leaves.")?
                    }
                },
            },
            Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        }
    }
}

/// The name that stands for whichever opponent fits.
const ADAPTIVE: &str = "adaptive";
/// The name that stands for somebody at the keyboard.
const HUMAN: &str = "human";

/// An opponent that goes up a rung when it is beaten and down when it wins, remembered for each game.
pub struct Adaptive {
    pub player: Player,
    /// What its level is remembered by: the rules, whatever the game is called.
    name: String,
    rungs: Vec<Opponent>,
    level: usize,
    /// Whether the player was given a name, so that the rung's own is not shown.
    pub named: bool,
}

impl Adaptive {
    fn load(player: Player, rulebook: Arc<Rulebook>, named: bool) -> Result<Adaptive, Failure> {
        let rungs = match opponents::ladder(&rulebook, opponents::QUICK) {
            Ok(ladder) => ladder.rungs.iter().map(|rung| rung.opponents[0]).collect(),
            // A game too large to be seen through still has the usual order.
            Err(Failure::Failed(_)) => {
                Opponent::for_people().filter(|opponent| !opponent.looks_ahead()).collect()
            }
            Err(failure) => return Err(failure),
        };
        let name = format!("level {}", rulebook.fingerprint());
        let level = Progress::load()?.get(&name).and_then(|level| level.parse().ok()).unwrap_or(0);
        Ok(Adaptive { player, name, rungs, level, named })
    }

    pub fn opponent(&self) -> Opponent {
        self.rungs.get(self.level).or(self.rungs.last()).copied().unwrap_or(Opponent::perfect())
    }

    /// Goes up or down after a round, and remembers it.
    pub fn learn(&mut self, winner: Option<Player>) -> Result<(), Failure> {
        self.level = match winner {
            Some(winner) if winner == self.player => self.level.saturating_sub(1),
            Some(_) => (self.level + 1).min(self.rungs.len().saturating_sub(1)),
            None => self.level,
        };
        Progress::remember(&self.name, &self.level.to_string())
    }
}

/// Tags that a save has beside those of a record, so that a match goes on as it was set up.
pub const SEED: &str = "Seed";
pub const TARGETS: &str = "Targets";
pub const ADAPTS: &str = "Adaptive";

/// A setup from a save: the latest one, or the one in a file.
pub fn resume(file: Option<&Path>, help: Help, keeper: &Keeper) -> Result<Setup, Failure> {
    let path = match file {
        Some(file) => file.to_owned(),
        None => Save::latest(&folders::saves()?)?,
    };
    let (save, text) = if Save::is_save(&path) {
        let (save, text) = Save::open(&path)?;
        (Some(save), text)
    } else {
        // A record from elsewhere: it stays as it is, and what becomes of the round is kept under a name of its own.
        (None, crate::commands::record::read_text(&path)?)
    };
    let fail = |why: String| Failure::Failed(format!("{}: {why}", path.display()));
    let mut records = record::read_all(&text).map_err(|bad| fail(bad.to_string()))?;
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
    let adapts = Player::BOTH.into_iter().find(|player| tag(ADAPTS) == Some(&player.number().to_string()));
    let adaptive = match (adapts, adapts.and_then(|player| computers[player])) {
        (Some(player), Some(opponent)) => {
            let named = last.players[player] != opponent.title();
            Some(Adaptive::load(player, Arc::clone(round.rulebook()), named)?)
        }
        _ => None,
    };
    let setup = Setup {
        game: Game::of_record(&last, tag(TARGETS)).map_err(|bad| fail(bad.to_string()))?,
        names: last.players.clone(),
        computers,
        adaptive,
        dice: Dice::new(tag(SEED).and_then(|seed| seed.parse().ok())),
        // Of the first round, so that starters go on alternating.
        first: if round_number % 2 == 1 { last.first } else { !last.first },
        series,
        round_number,
        resumed: Some(round),
        help,
        earlier: Arc::new(records),
    };
    if let Some(save) = save {
        keeper.adopt(save);
    }
    Ok(setup)
}

impl Game {
    /// The game that a record was made of.
    fn of_record(record: &Record, targets: Option<&str>) -> Result<Game, record::BadRecord> {
        let targets = targets.and_then(|targets| game::span_of_targets(targets).ok().flatten());
        Ok(Game {
            name: record.rulebook.clone(),
            id: record.rulebook.clone(),
            own_file: record.carries_whole_book(),
            text: String::new(),
            variant: record.variant.clone(),
            settings: record.settings.iter().cloned().map(crate::args::Setting::Set).collect(),
            draft: record.draft()?,
            targets,
        })
    }
}
