//! The facts about a game.

use serde::Serialize;

use super::{About, Ladder, Value, Verdict, ladder};
use crate::design::audit::better;
use crate::design::audit::one_line::{self, OneLine};
use crate::design::audit::{self, Against};
use crate::engine::position::Player;
use crate::evaluate::chances::Odds;
use crate::evaluate::opponent::Table;
use crate::format::{Game, Rulebook};
use crate::words;

/// The facts about a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Audit {
    /// The game.
    #[serde(flatten)]
    pub about: About,
    /// Why the game can't be played, although the rule book is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unplayable: Option<String>,
    /// The positions that can come up with a player to move.
    pub positions: u64,
    /// Those where the choice matters.
    pub decisions: u64,
    /// The decisions where the best move isn't obvious.
    pub subtle: u64,
    /// The positions with only one legal move.
    pub forced: u64,
    /// The value of the opening.
    #[serde(flatten)]
    pub opening: Verdict,
    /// Whether every round ends.
    pub always_ends: bool,
    /// Whether a round can be drawn.
    pub can_draw: bool,
    /// The most moves that a round can take; `null` if there's no limit.
    pub longest: Option<u64>,
    /// The longest run of forced moves at the end of a round.
    pub dead_tail: u64,
    /// A round under best play, in notation.
    pub best_line: String,
    /// How often the careful guesser wins from the winning seat; `null` if neither seat wins.
    pub guess: Option<TenDigits>,
    /// A simple rule that always wins from the winning seat, if there is one.
    pub one_line_rule: Option<OneLineRule>,
    /// Why it's not known whether there is such a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_line_rule_unknown: Option<&'static str>,
    /// How often the first player wins.
    pub first_player_wins: ReferencePairs,
    /// How often a round is drawn.
    pub first_player_draws: ReferencePairs,
    /// The rules that never take effect.
    pub never_fires: Vec<NeverFires>,
    /// The author's claims.
    pub claims: Vec<TestedClaim>,
    /// The opponents' ladder, if it was computed.
    pub ladder: Option<Ladder>,
    /// Small changes that make guessing less effective, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Vec<Better>>,
}

/// A simple rule that always wins from the winning seat: `order` or `idea`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct OneLineRule {
    /// Always play the first legal one of these moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
    /// Always leave one of the numbers that this idea covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idea: Option<String>,
    /// The rule in words.
    pub text: String,
}

/// A share for each pair of reference players, the first player's name first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub struct ReferencePairs {
    /// Both play at random.
    pub random_random: TenDigits,
    /// Perfect against random.
    pub perfect_random: TenDigits,
    /// Random against perfect.
    pub random_perfect: TenDigits,
    /// Both play perfectly.
    pub perfect_perfect: TenDigits,
}

/// A rule that never takes effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct NeverFires {
    /// Its key in the rule book.
    pub key: &'static str,
    /// The entry of `moves`, if it's about one.
    #[serde(rename = "move")]
    pub entry: Option<String>,
    /// The fact in words.
    pub text: String,
}

/// A claim of the author and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct TestedClaim {
    /// The claim.
    pub claim: String,
    /// Whether it's true.
    pub holds: bool,
    /// A line of moves that refutes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<String>,
    /// A figure that refutes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<TenDigits>,
}

/// Changes to a rule book that make guessing less effective.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Better {
    /// The changed keys: `target=23`.
    pub settings: Vec<String>,
    /// The value of the opening.
    pub value: Value,
    /// The moves until the end under best play; `null` for draws.
    pub remoteness: Option<u64>,
    /// The positions where the choice matters.
    pub decisions: u64,
    /// Those where the best move isn't obvious.
    pub subtle: u64,
    /// How often the careful guesser wins from the winning seat.
    pub guess: TenDigits,
}

/// A share with ten digits, all exact. The rest would be rounding error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct TenDigits(f64);

impl TenDigits {
    /// Rounds a share.
    pub fn round(share: f64) -> TenDigits {
        TenDigits((share * 1e10).round() / 1e10)
    }
}

/// A game's audit, plus improvements if Spot On searched for them.
pub fn audit(
    game: &Game,
    rulebook: &Rulebook,
    audit: &audit::Audit,
    better_ones: Option<&[better::Better]>,
) -> Audit {
    let figures = &audit.figures;
    let pairs = |share: fn(Odds) -> f64| {
        let odds = &audit.references;
        let share = |odds: Odds| TenDigits::round(share(odds));
        ReferencePairs {
            random_random: share(odds.random_random),
            perfect_random: share(odds.perfect_random),
            random_perfect: share(odds.random_perfect),
            perfect_perfect: share(odds.perfect_perfect),
        }
    };
    let never_fires = audit.never_fires.iter().map(|rule| NeverFires {
        key: rule.key(),
        entry: rule.entry().and_then(|entry| rulebook.entry(entry)).map(|entry| rulebook.entry_key(entry)),
        text: words::audit::never_fires(rulebook, *rule),
    });
    let is_unknown = audit.one_line == OneLine::Unknown;
    Audit {
        about: About::new(game, rulebook),
        unplayable: rulebook.unplayable(),
        positions: figures.positions,
        decisions: figures.decisions,
        subtle: figures.subtle,
        forced: figures.forced,
        opening: Some(figures.opening).into(),
        always_ends: figures.always_ends,
        can_draw: figures.can_draw,
        longest: figures.longest,
        dead_tail: figures.dead_tail,
        best_line: audit.best_line.clone(),
        guess: audit.guess.map(TenDigits::round),
        one_line_rule: one_line_rule(rulebook, &audit.one_line),
        one_line_rule_unknown: is_unknown.then_some("checking every rule takes too long"),
        first_player_wins: pairs(|odds| odds.wins[Player::One]),
        first_player_draws: pairs(Odds::drawn),
        never_fires: never_fires.collect(),
        claims: audit.claims.iter().map(claim).collect(),
        ladder: audit.ladder.as_ref().map(|found| ladder(&Table::new(found.clone()))),
        better: better_ones.map(|found| found.iter().map(better).collect()),
    }
}

fn one_line_rule(rulebook: &Rulebook, found: &OneLine) -> Option<OneLineRule> {
    let OneLine::Found(rule) = found else { return None };
    let (order, idea) = match rule {
        one_line::OneLineRule::Order(order) => {
            let written = order.iter().map(|pick| words::audit::written_pick(rulebook, *pick));
            (Some(written.collect()), None)
        }
        one_line::OneLineRule::Leave { idea, .. } => (None, Some(idea.clone())),
    };
    Some(OneLineRule { order, idea, text: words::audit::rule(rulebook, rule) })
}

fn claim(tested: &audit::TestedClaim) -> TestedClaim {
    let (counterexample, figure) = match &tested.against {
        Some(Against::Line(line) | Against::Endless(line)) => (Some(line.clone()), None),
        Some(Against::Figure(figure)) => (None, Some(TenDigits::round(*figure))),
        None => (None, None),
    };
    TestedClaim { claim: tested.claim.to_string(), holds: tested.holds, counterexample, figure }
}

fn better(better: &better::Better) -> Better {
    Better {
        settings: better.settings.clone(),
        value: better.figures.opening.value.into(),
        remoteness: better.figures.opening.remoteness(),
        decisions: better.figures.decisions,
        subtle: better.figures.subtle,
        guess: TenDigits::round(better.guess),
    }
}
