//! Texts for games of version 2 of the format: rules, refusals, hints, reasons, ideas, reviews and maps.
//!
//! Each file in `transcripts/` is a rule book followed by a conversation: a line starting with `> ` is a question, then
//! comes the answer. One file pins every word. The others pin the meaning: numbers, moves, marks, names and results.
//! `SPOTON_UPDATE=1 cargo test -p spoton --test all version2_words` updates the answers. Read the diff before you commit it.

mod claims;
use crate::support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solved::outlook::Outlook;
use spoton::solver::{Budget, Unsolved, Value};
use spoton::teach::coach;
use spoton::teach::forced::{self, ForcedEnd};
use spoton::teach::map::Mark;
use spoton::words;
use spoton::words::coach::Words;
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::idea;
use spoton::words::map::{self, Look};
use spoton::words::review::{self, Audience};
use spoton::words::typed::{self, Typed};
use spoton::words::{describe, page, solution};

/// Runs with a budget that is never too small.
fn generous<T>(run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>) -> T {
    run(&mut Budget::patient(1 << 28)).unwrap_or_else(|why| panic!("not solved: {why}"))
}

/// A game, its round, and questions about it.
struct Conversation {
    rulebook: Arc<Rulebook>,
    game: SolvedGame,
    round: Round,
    names: ByPlayer<String>,
}

impl Conversation {
    fn new(text: &str) -> Conversation {
        let rulebook = support::book(text);
        assert!(rulebook.has_richer_numbers() || text.contains(".."), "this book is nothing new");
        Conversation {
            game: SolvedGame::new(Arc::clone(&rulebook)),
            round: Round::new(Arc::clone(&rulebook), Player::One),
            names: ByPlayer(["Ann".to_owned(), "Bo".to_owned()]),
            rulebook,
        }
    }

    fn answer(&mut self, asked: &str) -> String {
        let (word, rest) = asked.split_once(' ').unwrap_or((asked, ""));
        match word {
            "goal" => page::wrap(&describe::goal(&self.rulebook), "", ""),
            "rules" => {
                let rules = describe::rules(&self.rulebook);
                rules.iter().map(|rule| page::wrap(rule, "- ", "  ")).collect::<Vec<_>>().join("\n")
            }
            "turn" => self.dialogue(|dialogue| format!("{}\n{}", dialogue.turn(), dialogue.prompt())),
            "moves" => self.dialogue(|dialogue| dialogue.all_moves()),
            "play" => rest.split(' ').map(|line| self.play(line)).collect::<Vec<_>>().join("\n"),
            "say" => self.play(rest),
            "hints" => self.with_words(|words, outlook| {
                coach::ladder(outlook).iter().map(|hint| words.hint(hint, outlook)).collect()
            }),
            "why" => self.why(),
            "idea" => {
                let reply = idea::reply(rest, |idea| self.game.test(idea, &mut Budget::patient(1 << 28)));
                reply.expect("nobody cancels the search").said
            }
            "review" => self.review(rest),
            "steps" => self.steps(),
            "forced" => match forced::end_of(&self.round) {
                ForcedEnd::Line(line) => {
                    words::coach::announcement(&self.round, &line).unwrap_or("(nothing to say)".to_owned())
                }
                other => format!("({other:?})"),
            },
            "map" => {
                let drawn = generous(|budget| self.game.map(None, budget));
                let look = Look {
                    blank: false,
                    paint: &|mark: Mark| mark.letter().to_string(),
                    too_large: &|_| "(too large)".to_owned(),
                };
                map::page(&drawn, &self.rulebook, &look).to_string()
            }
            "solve" => solution::in_words(&generous(|budget| self.game.solver(budget)), &self.round),
            "again" => {
                self.round = Round::new(Arc::clone(&self.rulebook), Player::One);
                "(a new round)".to_owned()
            }
            _ => panic!("unknown question: {asked}"),
        }
    }

    fn dialogue(&self, said: impl FnOnce(&Dialogue<'_>) -> String) -> String {
        let paint = |_, text| text;
        let voice = Voice { names: &self.names, computers: ByPlayer([false, false]), paint: &paint };
        said(&Dialogue { round: &self.round, voice: &voice })
    }

    /// Sends a line and returns the output, including skipped turns.
    fn play(&mut self, line: &str) -> String {
        if self.round.outcome().is_some() {
            return "(the round is over)".to_owned();
        }
        let a_move = match typed::read(line, &self.round) {
            Ok(Typed::Choice(choice)) => Move::Operation(choice),
            Ok(Typed::Kind(kind)) => return self.dialogue(|dialogue| dialogue.number_prompt(kind)),
            Err(why) => return why,
        };
        let mut said = Vec::new();
        let mut next = Some(a_move);
        while let Some(a_move) = next {
            self.round.play(a_move).expect("the move is legal");
            said.extend(
                self.dialogue(|dialogue| {
                    dialogue.moved(dialogue.round.history().len().wrapping_sub(1)).unwrap_or_default()
                })
                .lines()
                .map(str::to_owned),
            );
            let skips = self.round.situation() == spoton::engine::play::Situation::Skip;
            next = skips.then_some(Move::Skip);
        }
        if self.round.outcome().is_some() {
            said.push(self.dialogue(|dialogue| dialogue.ending().unwrap_or_default()));
        }
        said.join("\n")
    }

    fn with_words(&self, said: impl FnOnce(&Words<'_>, &Outlook) -> Vec<String>) -> String {
        let outlook = generous(|budget| self.game.outlook(&self.round, budget));
        let Some(outlook) = outlook else { return "(the round is over)".to_owned() };
        let words = Words { rulebook: &self.rulebook, turn: self.round.position().turn() };
        said(&words, &outlook).join("\n")
    }

    fn why(&self) -> String {
        self.with_words(|words, outlook| {
            let best = outlook.keepers().next().filter(|_| outlook.verdict.value == Value::Win);
            let pattern = best.and_then(|best| generous(|budget| self.game.pattern(best.leaves, budget)));
            words.why(outlook, pattern.as_ref())
        })
    }

    fn review(&self, whom: &str) -> String {
        let found = generous(|budget| self.game.review(&self.round, budget));
        let you = match whom {
            "Ann" => Some(Player::One),
            "Bo" => Some(Player::Two),
            _ => None,
        };
        review::page(&found, &self.round, &Audience { names: &self.names, you, discover: whom == "discover" })
    }

    fn steps(&self) -> String {
        let found = generous(|budget| self.game.review(&self.round, budget));
        let audience = Audience { names: &self.names, you: Some(Player::One), discover: false };
        let steps = (0..found.moves.len())
            .map(|place| review::of_move(&found, place, &self.round, &audience).join(" "));
        steps.collect::<Vec<_>>().join("\n")
    }
}

/// The transcript that pins every word. It has most kinds of sentences.
const IN_WORDS: &str = "strikes.txt";

/// An answer's meaning: its numbers, moves, marks, names and results, without the other words.
fn meaning(answer: &str) -> String {
    let kept = |word: &str| {
        let bare =
            word.trim_matches(|c| matches!(c, '.' | ',' | ':' | ';' | '!' | '?' | '(' | ')' | '"' | '\''));
        let lower = bare.to_lowercase();
        let result = ["win", "los", "draw", "tru"].into_iter().find(|result| lower.starts_with(result));
        match bare {
            "" => Some(word.to_owned()),
            "Ann" | "Bo" | "o" => Some(bare.to_owned()),
            _ if bare.chars().any(|c| !c.is_alphabetic() && !matches!(c, '\'' | '-')) => {
                Some(bare.to_owned())
            }
            _ => result.map(str::to_owned),
        }
    };
    let line = |line: &str| line.split_whitespace().filter_map(kept).collect::<Vec<_>>().join(" ");
    answer.lines().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Repeats a conversation: the book, and every question with its current answer.
fn repeated(text: &str, in_words: bool) -> String {
    let (book, rest) = text.split_once("\n> ").expect("a book and a question");
    let mut conversation = Conversation::new(book);
    let mut again = format!("{}\n", book.trim_end());
    for asked in rest.split("\n> ").filter_map(|part| part.lines().next()) {
        let answer = conversation.answer(asked);
        let answer = if in_words { answer } else { meaning(&answer) };
        again += format!("\n> {asked}\n{}", answer.trim_end()).trim_end();
        again += "\n";
    }
    again
}

#[test]
fn every_transcript_matches() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/version2_words/transcripts");
    let mut count = 0;
    for file in fs::read_dir(folder).expect("the folder") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let again = repeated(&text, path.ends_with(IN_WORDS));
        if std::env::var_os("SPOTON_UPDATE").is_some() {
            fs::write(&path, again).expect("the file is writable");
        } else {
            assert_eq!(again, text, "{}", path.display());
        }
        count += 1;
    }
    assert!(count >= 10, "only {count} transcripts");
}
