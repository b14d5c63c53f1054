//! Invented games, on request or daily.

use serde::Serialize;

use super::Value;
use super::audit::TenDigits;
use crate::day::Day;
use crate::design::invent;
use crate::design::today::{self, Duel, Streak};
use crate::words;

/// An invented game with its certificate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Invented {
    /// The generator's version. Its games never change.
    pub generator: u32,
    /// The seed.
    pub seed: u64,
    /// The game's number among those with the same seed, from 1.
    pub number: u64,
    /// The title.
    pub title: String,
    /// The fingerprint of the rules.
    pub rulebook_hash: String,
    /// The facts that the generator checked.
    pub certificate: Certificate,
    /// The rule book.
    pub text: String,
}

/// The facts that the generator checked. The keys mean the same as in an audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// Whether every round ends.
    pub always_ends: bool,
    /// Whether a round can be drawn.
    pub can_draw: bool,
    /// The player who can force a win.
    #[serde(flatten)]
    pub winner: Option<CertifiedWinner>,
    /// The most moves that a round can take; `null` if there's no limit.
    pub longest: Option<u64>,
    /// The positions that can come up with a player to move.
    pub positions: u64,
    /// Those where the choice matters.
    pub decisions: u64,
    /// The decisions where the best move isn't obvious.
    pub subtle: u64,
    /// The positions with only one legal move.
    pub forced: u64,
    /// The longest run of forced moves at the end of a round.
    pub dead_tail: u64,
    /// How often the careful guesser wins from the winning seat.
    pub guess: TenDigits,
    /// Always `null`: no simple rule always wins.
    pub one_line_rule: (),
}

/// The player who can force a win. Left out for a player who is about to play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CertifiedWinner {
    /// The value of the opening.
    pub value: Value,
    /// The moves until the end under best play. The length reveals the winner.
    pub remoteness: Option<u64>,
}

/// The daily duel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Today {
    /// The day.
    pub date: String,
    /// The title.
    pub title: String,
    /// The rules in a sentence.
    pub summary: String,
    /// The fingerprint of the rules.
    pub rulebook_hash: String,
    /// The opponent's id.
    pub opponent: &'static str,
    /// The person's seat: `first` or `second`.
    pub you_go: &'static str,
    /// The facts that the generator checked, without the player who can force a win.
    pub certificate: Certificate,
    /// The rule book.
    pub text: String,
    /// Whether the duel would count if played now.
    pub counts: bool,
    /// The result, if the duel was played and counted.
    pub result: Option<TodaysResult>,
    /// The streak on the duel's day.
    pub streak: StreakLength,
}

/// The result of a duel that counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TodaysResult {
    /// How it ended: `won`, `lost`, `drawn` or `gave-up`.
    pub ended: &'static str,
    /// Both players' moves.
    pub moves: u64,
    /// The hints and reasons shown.
    pub hints: u64,
    /// The line to share.
    pub line: String,
}

/// A streak of days won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StreakLength {
    /// Its length in days.
    pub days: u64,
    /// The longest one so far.
    pub best: u64,
}

/// An invented game with its certificate.
pub fn invented(game: &invent::Invented) -> Invented {
    of_invented(game, true, &game.text)
}

/// The same for a player who is about to play it. Leaves out who can force a win.
pub fn invented_to_play(game: &invent::Invented) -> Invented {
    of_invented(game, false, game.text_without_remarks())
}

fn of_invented(game: &invent::Invented, who_wins: bool, text: &str) -> Invented {
    Invented {
        generator: 1,
        seed: game.seed,
        number: game.number,
        title: game.rulebook.title().to_owned(),
        rulebook_hash: game.rulebook.fingerprint(),
        certificate: certificate(&game.certificate, who_wins),
        text: text.to_owned(),
    }
}

fn certificate(certificate: &invent::Certificate, who_wins: bool) -> Certificate {
    let invent::Certificate { figures, guess } = certificate;
    let (value, remoteness) = (figures.opening.value.into(), figures.opening.remoteness());
    Certificate {
        always_ends: figures.always_ends,
        can_draw: figures.can_draw,
        winner: who_wins.then_some(CertifiedWinner { value, remoteness }),
        longest: figures.longest,
        positions: figures.positions,
        decisions: figures.decisions,
        subtle: figures.subtle,
        forced: figures.forced,
        dead_tail: figures.dead_tail,
        guess: TenDigits::round(*guess),
        one_line_rule: (),
    }
}

/// A day's duel, whether it would count if played now (on `today`), and the streak on the duel's day. Leaves out who
/// can force a win.
pub fn today(duel: &Duel, streak: &Streak, today: Day) -> Today {
    let rulebook = &duel.invented.rulebook;
    let result = streak.score(duel.day).map(|score| TodaysResult {
        ended: score.ended.word(),
        moves: score.moves,
        hints: score.hints,
        line: words::today::line(duel.day, today, duel.title(), score, true),
    });
    Today {
        date: duel.day.to_string(),
        title: duel.title().to_owned(),
        summary: words::describe::summary(rulebook),
        rulebook_hash: rulebook.fingerprint(),
        opponent: today::OPPONENT,
        you_go: if duel.person_goes_first() { "first" } else { "second" },
        certificate: certificate(&duel.invented.certificate, false),
        text: duel.text().to_owned(),
        counts: duel.day == today && streak.takes(duel.day),
        result,
        streak: StreakLength { days: streak.on(duel.day), best: streak.best() },
    }
}
