//! The words of Set-up: each option's value and explanation.

use spoton::engine::position::Player;
use spoton::format::MatchForm;
use spoton::solver::chart;
use spoton::words::{describe, phrases};

use super::{Aid, First, Rival, Row, SetUp, Target, spoken};

impl SetUp {
    /// The value of an option.
    pub(super) fn value(&self, row: Row) -> String {
        match row {
            Row::Game => self.rulebook.title().to_owned(),
            Row::Way => match &self.ways[self.way] {
                None => "standard".to_owned(),
                Some(name) => spoken(name),
            },
            Row::Target => match &self.target {
                Target::Own => self.rulebook.target().map(|target| target.to_string()).unwrap_or_default(),
                Target::Typed(typed) => typed.clone(),
                Target::Drawn => match self.span {
                    Some((low, high)) => format!("surprise me: {low} to {high}"),
                    None => "surprise me".to_owned(),
                },
            },
            Row::Rival => match &self.rivals[self.rival] {
                Rival::Person => "a friend here".to_owned(),
                Rival::Adaptive => "adapts to you".to_owned(),
                Rival::Rung(opponents) => opponents[0].title().to_owned(),
            },
            Row::First => match (self.first, self.two_play()) {
                (First::Surprise, _) => "surprise me".to_owned(),
                (First::Player(player), true) => self.shown_name(player),
                (First::Player(Player::One), false) => "you".to_owned(),
                (First::Player(Player::Two), false) => "your opponent".to_owned(),
            },
            Row::Form => self.forms[self.form].map_or("one round".to_owned(), phrases::match_form),
            Row::Help => match self.aid {
                Aid::None => "when you ask".to_owned(),
                Aid::Coach => "coach".to_owned(),
                Aid::Open => "mark stepping stones".to_owned(),
                Aid::Discover => "discovery mode".to_owned(),
            },
            Row::Undo => if self.undo { "on" } else { "off" }.to_owned(),
            Row::Name(player) => self.names[player].clone(),
        }
    }

    /// How to win, if already known.
    pub(super) fn goal(&self) -> String {
        match &self.target {
            _ if self.wrong.is_some() => String::new(),
            Target::Drawn => "You'll see the target when the round starts.".to_owned(),
            Target::Own | Target::Typed(_) => {
                describe::at_a_glance_knowing(&self.rulebook, self.out_of_reach.as_deref())
            }
        }
    }

    /// The explanation of the chosen option.
    pub(super) fn about(&self) -> Vec<String> {
        let one = |said: &str| vec![said.to_owned()];
        match self.here {
            Row::Game | Row::Way => vec![describe::summary(&self.rulebook)],
            Row::Target => {
                let how = match self.target {
                    Target::Drawn => "Each round gets a random target. Press s for the default.",
                    Target::Own | Target::Typed(_) => {
                        "Type a number or use the arrow keys. Press s for a random target each round."
                    }
                };
                self.wrong.iter().cloned().chain([how.to_owned()]).collect()
            }
            Row::Rival => {
                let said = match &self.rivals[self.rival] {
                    Rival::Person => "Take turns on this keyboard.".to_owned(),
                    Rival::Adaptive => "Gets stronger when you win and easier when you lose.".to_owned(),
                    Rival::Rung(opponents) => {
                        let alike = opponents[1..].iter().map(|opponent| opponent.title());
                        let alike = match opponents.len() {
                            1 => String::new(),
                            2 => format!(" {} is just as strong here.", phrases::and_list(alike)),
                            _ => format!(" {} are just as strong here.", phrases::and_list(alike)),
                        };
                        format!("{}.{alike}", opponents[0].habit())
                    }
                };
                let too_few = self.too_few_choices.clone().filter(|_| !self.two_play());
                [said].into_iter().chain(too_few).collect()
            }
            Row::First => {
                let alternates =
                    self.two_play() || self.forms[self.form].is_some() || self.aid == Aid::Discover;
                one(match alternates {
                    true => "Choose who moves first. After that, you take turns going first.",
                    false => "Choose who moves first. After a loss, you get the winning seat.",
                })
            }
            Row::Form => {
                let form = self.forms[self.form];
                let about = match form {
                    None => "One round. Press Enter afterwards to play another.",
                    Some(MatchForm::FirstTo(_)) => "The first to win that many rounds wins the match.",
                    Some(MatchForm::Rounds(_)) => {
                        "Play them all. The player with the most wins takes the match."
                    }
                };
                let books_own = form.is_some() && form == self.rulebook.match_form();
                let books_own = books_own.then(|| "This is the suggested match for this game.".to_owned());
                [about.to_owned()].into_iter().chain(books_own).collect()
            }
            Row::Help => vec![self.about_help()],
            Row::Undo => match self.undo {
                true => one("Press u to undo the last move."),
                false => one("No undo."),
            },
            Row::Name(_) => one("Type a name or leave it empty. Spot On remembers it and keeps score."),
        }
    }

    pub(super) fn about_help(&self) -> String {
        match self.aid {
            Aid::None => "Press h for a hint, or w to see where each move leads.",
            Aid::Coach => {
"The coach points out turns that matter, gives a few hints, and warns you before a move that loses immediately."
            }
            Aid::Open if chart::number_alone_decides(&self.rulebook) => {
                "The number line marks the numbers to leave to your opponent."
            }
            Aid::Open => "Nothing to mark: here the number alone doesn't decide who wins.",
            Aid::Discover => {
"Find out how to win: no hints or answers, even after the round, and the map starts out covered. Stays on until you turn it off."
            }
        }
        .to_owned()
    }
}
