//! Rounds between the same two players: commands, stored forms, and sharing.

#[path = "../support/random_books.rs"]
mod random_books;

mod duels;
mod replaying;
mod rounds;
mod seats;
mod sharing;
mod small_print;
mod today;
mod views;

use spoton::engine::play::Situation;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{BookText, Changes, Game, Setting};
use spoton::sitting::{Cannot, Command, Dice, Event, Lookahead, Setup, Sitting};
use spoton::solved::SolvedGames;

/// A shipped game, with settings such as `target=15`.
fn game(id: &str, settings: &[&str]) -> Game {
    let settings = settings.iter().map(|setting| Setting::Set((*setting).to_owned())).collect();
    let book = BookText::shipped(id).unwrap_or_else(|| panic!("{id} does not come with Spot On"));
    Game::new(book, id.to_owned(), &Changes { variant: None, settings }).unwrap()
}

/// A game from its text.
fn own_game(text: &str) -> Game {
    let book = BookText {
        id: "own".to_owned(),
        own_file: true,
        source_name: "own.toml".to_owned(),
        text: text.to_owned(),
    };
    Game::new(book, "own.toml".to_owned(), &Changes::default()).unwrap()
}

fn two_people(game: Game) -> Setup {
    Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(7))
}

fn against(game: Game, opponent: &str) -> Setup {
    let computers = ByPlayer([None, Some(Opponent::parse(opponent).unwrap())]);
    Setup::new(game, computers, Player::One, Dice::new(7))
}

/// A sitting with its solved games and event log.
struct Table {
    sitting: Sitting,
    games: SolvedGames,
    log: Vec<Event>,
}

impl Table {
    fn sit_down(setup: Setup) -> Table {
        let games = SolvedGames::new(16 << 20);
        let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
        let (sitting, begun) = Sitting::begin(setup, ahead).unwrap();
        Table { sitting, games, log: vec![begun] }
    }

    fn ahead<T>(&mut self, ask: impl FnOnce(&mut Sitting, &mut Lookahead<'_>) -> T) -> T {
        ask(&mut self.sitting, &mut Lookahead { games: &self.games, keep_going: &mut |_| true })
    }

    fn act(&mut self, command: Command) -> Result<(), Cannot> {
        let event = self.sitting.act(command)?;
        self.log.push(event);
        Ok(())
    }

    /// Plays moves in notation; computers move in between.
    fn play(&mut self, moves: &str) {
        for written in moves.split_whitespace() {
            self.computers_play();
            self.act(Command::Write(written.to_owned()))
                .unwrap_or_else(|cannot| panic!("{written}: {cannot}"));
        }
        self.computers_play();
    }

    fn computers_play(&mut self) {
        while let (Some(_), Situation::Choose(_)) =
            (self.sitting.computer(), self.sitting.round().situation())
        {
            self.computer_plays();
        }
    }

    fn computer_plays(&mut self) {
        let choice = self.ahead(|sitting, ahead| sitting.computers_choice(ahead)).unwrap();
        let command = match choice {
            Some(choice) => Command::Play(choice),
            None => Command::Stop,
        };
        self.act(command).unwrap();
    }

    fn hint(&mut self) -> String {
        let (said, event) = self.ahead(|sitting, ahead| sitting.hint(ahead)).unwrap();
        self.log.extend(event);
        said
    }

    fn why(&mut self) -> Vec<String> {
        let (said, event) = self.ahead(|sitting, ahead| sitting.why(ahead)).unwrap();
        self.log.extend(event);
        said
    }

    fn score(&self) -> [u32; 2] {
        self.sitting.setup().series.expect("a match").score().0
    }
}

/// The full visible state of a sitting.
fn state(sitting: &Sitting) -> String {
    let setup = sitting.setup();
    format!(
        "{:?}\n{:?}\n{:?} {:?} {:?}\n{:?} {:?} {} {:?} {} {} {} {:?} {}\n{}\n{:?}\n{:?}\n{:?}\n{}",
        sitting.round().history(),
        sitting.round().outcome(),
        setup.names,
        setup.computers,
        setup.adaptive,
        setup.series,
        setup.first,
        setup.round_number,
        setup.help,
        setup.undo,
        setup.tried_out,
        setup.aside,
        setup.today,
        setup.hints_used,
        setup.dice.seed(),
        setup.earlier,
        setup.game.targets,
        sitting.aftermath(),
        sitting.unfinished().map(|unfinished| unfinished.text()).unwrap_or_default(),
    )
}
