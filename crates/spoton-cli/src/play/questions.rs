//! Sets up a round in line mode, from the command line or by asking.

use std::ffi::OsString;
use std::rc::Rc;
use std::sync::Arc;

use spoton::design::today::Streak;
use spoton::discovery::View;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::engine::series::Match;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{BadName, MatchForm, Numbers, Rulebook, called, quotable};
use spoton::records::{self, NAME_FORM, is_name};
use spoton::sitting::{
    ADAPTIVE, Dice, Help, Setup, command_of, level_of, only_person, rulebook_for, usual_names,
};
use spoton::solved::SolvedGames;
use spoton::words::describe;
use spoton::words::page::{columns, wrap};
use spoton::words::phrases;
use spoton::words::today::{LATER, line};

use super::Before;
use super::commands::{Command, rules_page};
use super::console::{Answer, Console};
use super::round::{First, PlayArgs};
use super::today::TodayArgs;
use crate::args::Switch;
use crate::clock;
use crate::entropy;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game::{self, FoundGame};
use crate::output::Colour;
use crate::progress::{self, is_discovering_or_tell};
use crate::sitting::autosave::resume_command;
use crate::sitting::resume::{adapting, opponent};
use crate::sitting::today;

/// A setup from the command line. Returns `None` if the player leaves during the questions.
pub fn new(
    args: &PlayArgs,
    help: Help,
    games: &Rc<SolvedGames>,
    folders: &Folders,
    console: &mut dyn Console,
) -> Result<Option<Setup>, Failure> {
    let asked = ByPlayer([args.p1.as_deref(), args.vs.as_deref().or(args.p2.as_deref())]);
    let is_adaptive = |name: &str| name.eq_ignore_ascii_case(ADAPTIVE);
    let mut adapts = Player::BOTH.into_iter().find(|player| asked[*player].is_some_and(is_adaptive));
    let first_rung = Opponent::for_people().next();
    let computer = |player: Player, adapts: Option<Player>| {
        if adapts == Some(player) { Ok(first_rung) } else { opponent(asked[player]) }
    };
    let program = |player: Player| asked[player].filter(|name| command_of(name).is_some());
    let mut computers = ByPlayer([computer(Player::One, adapts)?, computer(Player::Two, adapts)?]);
    let mut given = given_names(args.names.as_deref())?;
    let dice = Dice::new(args.seed.unwrap_or_else(entropy::seed));
    let game = match &args.game {
        Some(name) => name.clone(),
        None => match choose_game(console)? {
            Some(name) => name,
            None => return Ok(None),
        },
    };
    // Without any options, offer the computer as an opponent.
    if args.game.is_none() && asked.0 == [None, None] && console.is_terminal() {
        match against_whom(console)? {
            Some(true) => {
                adapts = Some(Player::Two);
                computers[Player::Two] = first_rung;
            }
            Some(false) if given.is_empty() => match two_names(console)? {
                Some(names) => given = names,
                None => return Ok(None),
            },
            Some(false) => {}
            None => return Ok(None),
        }
    }
    let game = game::find(&game, &args.changes)?;
    if let Some(targets) = &game.targets {
        // If both ends fit, so do the targets between them, except numbers on the book's lists.
        for end in [targets.start(), targets.end()] {
            game.with_target(*end)?;
        }
    }
    let rulebook = rulebook_for(&game, dice, 1)?;
    if let Some(why) = rulebook.unplayable() {
        console.notice(&why)?;
    }
    let adaptive = match adapts {
        Some(player) => Some(adapting(
            player,
            level_of(&game, &rulebook),
            &Arc::new(rulebook.clone()),
            given.len() == 2,
            games,
            folders,
        )?),
        None => None,
    };
    if let Some(adaptive) = &adaptive {
        computers[adaptive.player] = Some(adaptive.opponent());
    }
    let is_person = |player: Player| computers[player].is_none() && program(player).is_none();
    let person = only_person(&ByPlayer::from_fn(|player| (!is_person(player)).then_some(())));
    let names = match (&given[..], person) {
        ([one, two], _) => ByPlayer([one.clone(), two.clone()]),
        ([_], None) => return Err(bad_names()),
        ([name], Some(person)) if usual_names(&computers)[!person] == *name => return Err(taken(name)),
        _ => usual_names(&computers),
    };
    let out_of_reach = games.game(&Arc::new(rulebook.clone())).out_of_reach(View::of_player(help.discover));
    let goal = describe::goal_knowing(&rulebook, out_of_reach.as_deref().filter(|_| console.is_terminal()));
    let Some(first) = first(args.first, &rulebook, &goal, &names, person, dice, console)? else {
        return Ok(None);
    };
    let begun = match &args.moves {
        Some(moves) => Some(begin_with(moves, rulebook, first)?),
        None => None,
    };
    let form = args.first_to.map(MatchForm::FirstTo).or(args.rounds.map(MatchForm::Rounds));
    let mut setup = Setup {
        names: names.clone(),
        adaptive,
        series: form.map(|form| Match::new(form, first)),
        resumed: begun,
        help,
        ..Setup::new(game, computers, first, dice)
    };
    for (player, name) in Player::BOTH.into_iter().filter_map(|player| Some((player, program(player)?))) {
        setup.seat_program(player, name);
    }
    match (&given[..], person) {
        ([_, _], _) => setup.names = names,
        // A program's name derives from its command.
        ([name], Some(person)) if setup.names[!person] == *name => return Err(taken(name)),
        ([name], Some(person)) => setup.call(person, name.clone()),
        _ => {}
    }
    Ok(Some(setup))
}

/// A setup for a day's duel.
pub fn today(args: &TodayArgs, before: Before<'_>) -> Result<Setup, Failure> {
    let Before { console, autosave, games, folders } = before;
    let now = clock::today();
    let day = args.date.unwrap_or(now);
    let streak = today::streak(folders).unwrap_or_else(|failure| {
        failure.tell(false, Colour::none());
        Streak::default()
    });
    // Naming today's date explicitly doesn't turn the duel into practice.
    let counts = day == now && streak.takes(day);
    let duel = today::duel(day)?;
    if let Some(score) = streak.score(day) {
        let line = line(day, now, duel.title(), score, true);
        console.notice(&format!("You've already played this duel:\n{line}\n{}\n", streak.in_words(day)))?;
    } else if day == now && !counts {
        console.notice(&format!("{LATER}\n"))?;
    }
    if counts && let Some((left, path)) = today::left_before(folders, day, &streak) {
        let left = left.in_words_on(now);
        let told = format!(
            "You left the duel of {left} unfinished. Finish it before today's duel and it still counts:"
        );
        let command = resume_command(&path, folders);
        console.notice(&format!("{}\n{command}\n", wrap(&told, "", "")))?;
    }
    if counts && let Some(failure) = today::damaged(folders, day) {
        failure.tell(false, Colour::none());
    }
    let help = Help { discover: is_discovering_or_tell(folders), ..Help::default() };
    let setup = today::setup(&duel, counts, help, autosave, games, folders)?;
    let which = if day == now { "Today's duel," } else { "The duel of" };
    let terms = duel.in_words(today::terms(folders, counts));
    let told = format!("{which} {}. {terms}", day.in_words_on(now));
    // The game is new to everyone. Its opening shows the goal, so this adds the moves.
    let about = describe::moves_in_short(&duel.invented.rulebook);
    console.notice(&format!("{}\n{}\n", wrap(&told, "", ""), wrap(&about, "", "")))?;
    Ok(setup)
}

/// The help options. Discovery mode stays on until it is turned off.
pub fn settle_help(args: &PlayArgs, folders: &Folders) -> Help {
    // If storing discovery mode fails, the game must still start.
    let discover = match args.discover.map(|switch| switch == Switch::On) {
        None => is_discovering_or_tell(folders),
        Some(on) => {
            if let Err(failure) = progress::discover(folders, on) {
                failure.tell(false, Colour::none());
            }
            on
        }
    };
    Help { coach: args.coach, discover, open: false }
}

/// A round that starts after the moves in `--moves`.
fn begin_with(moves: &str, rulebook: Rulebook, first: Player) -> Result<Round, Failure> {
    let mut round = Round::new(Arc::new(rulebook), first);
    for (index, written) in records::listed_moves(moves).enumerate() {
        let fail =
            |why: &str| Failure::Usage(format!("--moves: move {}: {}: {why}", index + 1, quotable(written)));
        let a_move = records::read_move(&records::canonical(written, &round), &round)
            .map_err(|why| fail(&why.to_string()))?;
        round.play(a_move).map_err(|_| fail("the round was already over"))?;
    }
    match round.outcome() {
        Some(_) => {
            Err(Failure::Usage("--moves: these moves end the round. Leave out the last one.".to_owned()))
        }
        None => Ok(round),
    }
}

/// The names given: both, or just the player's own against a computer.
fn given_names(given: Option<&str>) -> Result<Vec<String>, Failure> {
    let names: Vec<&str> = given.into_iter().flat_map(|given| given.split(',')).map(str::trim).collect();
    let is_valid = names.iter().all(|name| is_name(name)) && names.len() <= 2;
    if !is_valid || names.len() == 2 && names[0] == names[1] {
        return Err(bad_names());
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

fn bad_names() -> Failure {
    Failure::Usage(format!(
        "--names takes two different names, such as Ann,Ben, or just yours against a computer. Each is {NAME_FORM}."
    ))
}

/// The error for a player's name that the computer already has.
fn taken(name: &str) -> Failure {
    Failure::Usage(format!("--names: your opponent's name is {name}. Choose another name."))
}

/// Offers the list of games. Returns `None` if the player leaves.
fn choose_game(console: &mut dyn Console) -> Result<Option<OsString>, Failure> {
    let games: Vec<_> =
        game::all(&Folders::usual()).into_iter().filter(|found| found.listed.rulebook.is_some()).collect();
    console.say("What would you like to play?\n")?;
    let title =
        |found: &FoundGame| found.listed.rulebook.as_ref().map_or("", |rulebook| rulebook.title()).to_owned();
    let titles = (1..).zip(&games).map(|(number, found)| format!("{number:2}. {}", title(found)));
    console.say(&columns(&titles.collect::<Vec<_>>()))?;
    console.say("\nType ? before a number to read about that game, such as ?1.")?;
    let by_number = |line: &str| {
        let number = line.trim().parse::<usize>().ok()?;
        games.get(number.checked_sub(1)?)
    };
    loop {
        let line = match console.ask(&format!("Number from 1 to {}, or q to quit: ", games.len()))? {
            Answer::Line(line) => line,
            Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        };
        let line = line.trim();
        if matches!(line, "q" | "quit" | "exit") {
            return Ok(None);
        }
        if let Some(about) = line.strip_prefix('?').and_then(by_number) {
            let told = match &about.listed.rulebook {
                Some(rulebook) => describe::summary(rulebook),
                None => "This rule book has errors. Run spoton check to see them.".to_owned(),
            };
            console.say(&wrap(&format!("{}: {told}", title(about)), "", "  "))?;
            continue;
        }
        let by_name = || called(line, games.iter().map(|found| found.listed.id.as_str()));
        let chosen = match by_number(line) {
            Some(found) => Ok(Some(found)),
            None => by_name().map(|id| games.iter().find(|found| found.listed.id == id)),
        };
        match chosen {
            Ok(Some(found)) => {
                console.say("")?;
                return Ok(Some(found.name.clone()));
            }
            Err(several @ BadName::Several { .. }) => console.say(&format!("{several}."))?,
            _ => console.say(&format!("\"{}\" isn't on the list.", quotable(line)))?,
        }
    }
}

/// Asks whether to play against the computer. Returns `None` if the player leaves.
fn against_whom(console: &mut dyn Console) -> Result<Option<bool>, Failure> {
    loop {
        match console.ask("Play the computer or a friend here? (1 or 2): ")? {
            Answer::Line(line) => match line.trim() {
                "1" => return Ok(Some(true)),
                "2" => return Ok(Some(false)),
                "q" | "quit" | "exit" => return Ok(None),
                _ => console.say("Type 1 or 2, or q to quit.")?,
            },
            Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        }
    }
}

/// Asks two people for their names. Returns no names if they don't give any, and `None` if they leave.
fn two_names(console: &mut dyn Console) -> Result<Option<Vec<String>>, Failure> {
    loop {
        let line = match console.ask("Your names, such as Ann,Ben (or press Enter): ")? {
            Answer::Line(line) => line,
            Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        };
        match line.trim() {
            "" => return Ok(Some(Vec::new())),
            "q" | "quit" | "exit" => return Ok(None),
            names => match given_names(Some(names)) {
                Ok(names) if names.len() == 2 => return Ok(Some(names)),
                _ => console.say(&format!(
                    "Type two different names with a comma between them. Each is {NAME_FORM}."
                ))?,
            },
        }
    }
}

/// Decides who starts. Returns `None` if the player leaves.
fn first(
    asked: Option<First>,
    rulebook: &Rulebook,
    goal: &str,
    names: &ByPlayer<String>,
    person: Option<Player>,
    dice: Dice,
    console: &mut dyn Console,
) -> Result<Option<Player>, Failure> {
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
        // Against a computer the choice of seat is part of the game.
        (Some(First::Choose), Some(person)) => choose_seat(console, rulebook, goal, person),
        (None, Some(person)) if console.is_terminal() => choose_seat(console, rulebook, goal, person),
        (None, _) => Ok(Some(Player::One)),
    }
}

fn choose_seat(
    console: &mut dyn Console,
    rulebook: &Rulebook,
    goal: &str,
    person: Player,
) -> Result<Option<Player>, Failure> {
    let labels = rulebook.moves().iter().map(spoton::format::Entry::label);
    console.say(rulebook.title())?;
    let from = match (rulebook.numbers(), rulebook.start()) {
        (Numbers::Shared, (start, _)) => format!("The number starts at {start}."),
        (Numbers::Separate, (start, other)) if start == other => {
            format!("Each player has a number, starting at {start}.")
        }
        (Numbers::Separate, (start, other)) => {
            format!("Each player has a number. The first player starts at {start}, the second at {other}.")
        }
    };
    console.say(&wrap(&format!("{from} Moves: {}.", phrases::or_list(labels)), "", ""))?;
    console.say(goal)?;
    let chosen = choose_first(console, rulebook, "Do you want to go first or second? (1 or 2): ", person)?;
    if chosen.is_some() {
        console.say("")?;
    }
    Ok(chosen)
}

/// Asks for 1 or 2; 1 means `if_one`.
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
                    Some(Command::Rules) => {
                        console.say(&rules_page(rulebook, progress::view(&Folders::usual())))?
                    }
                    _ => console.say("Type 1 or 2, rules to see the rules, or quit to leave.")?,
                },
            },
            Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        }
    }
}
