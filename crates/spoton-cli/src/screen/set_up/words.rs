//! What Set-up says: the value of each row, and what it means.

use spoton::engine::position::Player;
use spoton::format::MatchForm;
use spoton::solver::chart;
use spoton::words::{describe, phrases};

use super::{Aid, First, Rival, Row, SetUp, Target, spoken};

impl SetUp {
    /// The value of a row, as it stands there.
    pub(super) fn value(&self, row: Row) -> String {
        match row {
            Row::Game => self.rulebook.title().to_owned(),
            Row::Way => match &self.ways[self.way] {
                None => "the usual way".to_owned(),
                Some(name) => spoken(name),
            },
            Row::Target => match &self.target {
                Target::Own => self.rulebook.target().map(|target| target.to_string()).unwrap_or_default(),
                Target::Typed(typed) => typed.clone(),
                Target::Drawn => match self.span {
                    Some((low, high)) => format!("surprise me: from {low} to {high}"),
                    None => "surprise me".to_owned(),
                },
            },
            Row::Rival => match &self.rivals[self.rival] {
                Rival::Person => "two people here".to_owned(),
                Rival::Adaptive => "one that fits you".to_owned(),
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
                Aid::None => "only when asked".to_owned(),
                Aid::Coach => "a coach".to_owned(),
                Aid::Open => "the numbers to leave are marked".to_owned(),
                Aid::Discover => "discovery: find out yourself".to_owned(),
            },
            Row::Undo => if self.undo { "allowed" } else { "not allowed" }.to_owned(),
            Row::Name(player) => self.names[player].clone(),
        }
    }

    /// What the round is about, as far as that is settled.
    pub(super) fn goal(&self) -> String {
        match &self.target {
            _ if self.wrong.is_some() => String::new(),
            Target::Drawn => "You will see the target when the round begins.".to_owned(),
            Target::Own | Target::Typed(_) => {
                describe::at_a_glance_knowing(&self.rulebook, self.out_of_reach.as_deref())
            }
        }
    }

    /// What is to be said of the row where the cursor is.
    pub(super) fn about(&self) -> Vec<String> {
        let one = |said: &str| vec![said.to_owned()];
        match self.here {
            Row::Game | Row::Way => vec![describe::summary(&self.rulebook)],
            Row::Target => {
                let how = match self.target {
                    Target::Drawn => "A target is drawn for each round. s goes back to the usual one.",
                    Target::Own | Target::Typed(_) => {
                        "Type a number, or take one less or more with the arrow keys. s: one is drawn each round."
                    }
                };
                self.wrong.iter().cloned().chain([how.to_owned()]).collect()
            }
            Row::Rival => {
                let said = match &self.rivals[self.rival] {
                    Rival::Person => "Two people take turns at this keyboard.".to_owned(),
                    Rival::Adaptive => "Gets stronger when you win, and gentler when you lose.".to_owned(),
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
                    true => "Who makes the first move. After that, you take turns to start a round.",
                    false => "Who makes the first move. After a loss, you get the seat that can win.",
                })
            }
            Row::Form => {
                let form = self.forms[self.form];
                let about = match form {
                    None => "A round by itself. Another one is an Enter away.",
                    Some(MatchForm::FirstTo(_)) => "Play until one of you has won that many rounds.",
                    Some(MatchForm::Rounds(_)) => {
                        "All of them are played; whoever has won more of them wins the match."
                    }
                };
                let books_own = form.is_some() && form == self.rulebook.match_form();
                let books_own = books_own.then(|| "This is how the game is usually played.".to_owned());
                [about.to_owned()].into_iter().chain(books_own).collect()
            }
            Row::Help => vec![self.about_help()],
            Row::Undo => match self.undo {
                true => one("u takes the last move back."),
                false => one("No taking back."),
            },
            Row::Name(_) => one("Type a name, or leave it empty. It is remembered, and so is the score."),
        }
    }

    pub(super) fn about_help(&self) -> String {
        match self.aid {
            Aid::None => "Nothing is said by itself; h gives a hint, w tells what each move leads to.",
            Aid::Coach => {
                "The coach says when a turn matters, has a few hints to give, and warns of moves that lose at once."
            }
            Aid::Open if chart::number_alone_decides(&self.rulebook) => {
                "The number line marks what you want to leave to the other player."
            }
            Aid::Open => "In this game more than the number decides, so nothing can be marked.",
            Aid::Discover => {
                "You find out how to win: no hints or answers, even after the round, and the map is covered. This stays on until you change it here."
            }
        }
        .to_owned()
    }
}
