//! The facts (audit) about a game, as a page of text or Markdown.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//! use spoton::words::audit;
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let found = SolvedGame::new(Arc::clone(&maze)).audit(&mut Budget::patient(16 << 20))?;
//! let sections = audit::sections(&maze, &found);
//! assert_eq!(sections[0].lines[0], "Player 2 can force a win within 14 moves.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::page::wrap;
use super::{opponents, phrases};
use crate::design::audit::better::Better;
use crate::design::audit::one_line::{Amount, OneLine, OneLineRule, Pick};
use crate::design::audit::sweep::{Pattern, Sweep};
use crate::design::audit::{Against, Audit, NeverFires, TestedClaim};
use crate::engine::position::{ByPlayer, EntryIndex, Player};
use crate::engine::written::ON_OTHER;
use crate::evaluate::opponent::Table;
use crate::format::{Claim, Rulebook};

/// A section of a report.
pub struct Section {
    /// The heading.
    pub heading: &'static str,
    /// The sentences, one per point.
    pub lines: Vec<String>,
}

/// The sections of a report, for surfaces with their own layout.
pub fn sections(rulebook: &Rulebook, audit: &Audit) -> Vec<Section> {
    let who_wins = rulebook.unplayable().into_iter().chain(who_wins(rulebook, audit)).collect();
    let mut sections = vec![
        Section { heading: "Who wins", lines: who_wins },
        Section { heading: "How it plays", lines: how_it_plays(rulebook, audit) },
        Section { heading: "Skill and luck", lines: skill(rulebook, audit) },
    ];
    let claims: Vec<String> = audit.claims.iter().map(claim).collect();
    if !claims.is_empty() {
        sections.push(Section { heading: "The rule book's claims", lines: claims });
    }
    let never: Vec<String> = audit.never_fires.iter().map(|rule| never_fires(rulebook, *rule)).collect();
    if !never.is_empty() {
        sections.push(Section { heading: "Rules that never matter", lines: never });
    }
    sections
}

/// A game's title and audit.
#[derive(Clone, Copy)]
pub struct Audited<'a> {
    /// The title, with the variant and settings.
    pub title: &'a str,
    /// The rule book.
    pub rulebook: &'a Rulebook,
    /// The audit.
    pub audit: &'a Audit,
}

/// The report as text, wrapped at 80 columns.
pub fn page(Audited { title, rulebook, audit }: Audited<'_>) -> String {
    let mut page = format!("{title}\n");
    for section in sections(rulebook, audit) {
        page.push_str(&format!("\n{}\n", section.heading));
        for line in section.lines {
            page.push_str(&format!("{}\n", wrap(&line, "  ", "    ")));
        }
    }
    if let Some(ladder) = ladder(rulebook, audit) {
        page.push_str(&format!("\n{LADDER}\n\n{ladder}"));
    }
    page
}

/// The heading for the computer opponents' odds.
pub const LADDER: &str = "Computer opponents";

fn ladder(rulebook: &Rulebook, audit: &Audit) -> Option<String> {
    Some(opponents::ladder(&Table::new(audit.ladder.clone()?), rulebook))
}

/// The reports as Markdown. If there are several, a list of false claims comes first.
pub fn markdown(games: &[Audited<'_>]) -> String {
    let mut page = String::new();
    if games.len() > 1 {
        let wrong = games.iter().flat_map(|game| {
            let wrong = game.audit.claims.iter().filter(|tested| !tested.holds);
            wrong.map(|tested| format!("- **{}.** {}\n", escaped(game.title), escaped(&claim(tested))))
        });
        let wrong: String = wrong.collect();
        page.push_str("# Facts about the games\n\nAll figures are exact and cover every possible round.\n\n");
        page.push_str(&format!("{MATTERS}\n\n"));
        page.push_str("## False claims in rule books\n\n");
        page.push_str(if wrong.is_empty() { "None. All claims are true.\n" } else { &wrong });
        page.push('\n');
    }
    let each = games.iter().map(|Audited { title, rulebook, audit }| {
        let mut page = format!("## {}\n", escaped(title));
        for section in sections(rulebook, audit) {
            page.push_str(&format!("\n### {}\n\n", section.heading));
            for line in section.lines {
                page.push_str(&format!("- {}\n", escaped(&line)));
            }
        }
        if let Some(ladder) = ladder(rulebook, audit) {
            page.push_str(&format!("\n### {LADDER}\n\n```text\n{ladder}```\n"));
        }
        page
    });
    page + &each.collect::<Vec<_>>().join("\n")
}

/// Escapes Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn who_wins(rulebook: &Rulebook, audit: &Audit) -> Vec<String> {
    let figures = &audit.figures;
    let names = ByPlayer::from_fn(|player: Player| player.to_string());
    let mut lines = vec![match figures.opening.remoteness() {
        Some(0) => {
            let winner = figures.winner().map_or("Nobody".to_owned(), |winner| names[winner].clone());
            format!("The round is over before it starts: Player 1 has no legal move. {winner} wins.")
        }
        _ => format!("{}.", phrases::verdict(figures.opening, Player::One, &names)),
    }];
    if !audit.best_line.is_empty() {
        let on = if figures.winner().is_none() && !figures.always_ends { ", and so on" } else { "" };
        let line = cut(&audit.best_line);
        let at = if line.contains(ON_OTHER) { " @ marks a move on the opponent's number." } else { "" };
        lines.push(format!("Best play: {line}{on}.{at}"));
    }
    if figures.winner().is_some() {
        let or = match rulebook.target() {
            Some(target) if target > rulebook.start().0 => {
                ", or let one player choose the target and the other choose who goes first"
            }
            Some(_) => ", or let one player choose the start and the other choose who goes first",
            None => "",
        };
        lines.push(format!("To make it fair, take turns going first{or}."));
    }
    lines
}

/// A line of moves. Long lines are shortened in the middle.
fn cut(line: &str) -> String {
    const MOST: usize = 40;
    let moves: Vec<&str> = line.split(' ').collect();
    if moves.len() <= MOST {
        return moves.join(" ");
    }
    let (begin, end) = (&moves[..MOST / 2], &moves[moves.len() - MOST / 4..]);
    let left_out = moves.len() - begin.len() - end.len();
    format!("{} … ({} more) … {}", begin.join(" "), phrases::separated(left_out as u64), end.join(" "))
}

fn how_it_plays(rulebook: &Rulebook, audit: &Audit) -> Vec<String> {
    let figures = &audit.figures;
    let mut lines = vec![match (figures.longest, figures.can_draw) {
        (Some(0), _) => "There is nothing to play.".to_owned(),
        (Some(longest), false) => {
            format!("Every round ends within {}, never in a draw.", moves(longest))
        }
        (Some(longest), true) => {
            format!("Every round ends within {}, perhaps in a draw.", moves(longest))
        }
        (None, _) => "A round can go on forever.".to_owned(),
    }];
    if let (false, Some(times)) = (figures.always_ends, rulebook.repetition()) {
        lines.push(format!(
            "These facts ignore the house rule: a position that comes up {} is a draw.",
            phrases::times(times)
        ));
    }
    if rulebook.may_skip() && !audit.never_fires.contains(&NeverFires::Stuck) {
        lines.push("Skipped turns count as moves here.".to_owned());
    }
    let positions = phrases::count(figures.positions, "position", "positions");
    lines.push(match (figures.decisions, figures.subtle) {
        _ if figures.positions == 0 => "Nobody ever has a legal move.".to_owned(),
        (0, _) => format!("{positions}. Your choice never matters."),
        (decisions, subtle) => {
            let obvious = match subtle {
                0 => "The best move is always obvious.".to_owned(),
                1 if decisions == 1 => "The best move isn't obvious there.".to_owned(),
                subtle if subtle == decisions => "The best move is never obvious.".to_owned(),
                subtle => {
                    format!("In {} of those, the best move isn't obvious.", phrases::separated(subtle))
                }
            };
            format!(
                "{positions}. Your choice matters in {} of them. {obvious}",
                phrases::separated(decisions)
            )
        }
    });
    if figures.forced > 0 {
        let tail = match figures.dead_tail {
            0 => String::new(),
            1 => " The last move of a round can be forced.".to_owned(),
            tail => format!(" Up to {} in a row at the end of a round can be forced.", moves(tail)),
        };
        let positions = phrases::count(figures.forced, "position", "positions");
        lines.push(format!("In {positions}, only one move is legal.{tail}"));
    }
    lines
}

fn moves(number: u64) -> String {
    phrases::count(number, "move", "moves")
}

fn skill(rulebook: &Rulebook, audit: &Audit) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(guess) = audit.guess {
        let seat = seat(audit);
        lines.push(format!(
            "Careful guessing from the winning seat ({seat}) beats perfect play in {}. It takes an immediate win, \
             avoids an immediate loss, and guesses otherwise.",
            of_rounds(guess)
        ));
    }
    match &audit.one_line {
        OneLine::Found(found) => {
            lines.push(format!(
                "A simple rule always wins: go {} and {}.",
                seat(audit),
                in_a_sentence(rulebook, found)
            ));
        }
        OneLine::None if audit.guess.is_some() && audit.figures.positions > 0 => {
            lines.push("No simple rule always wins.".to_owned());
        }
        OneLine::Unknown => {
            lines.push(
                "It's unknown whether a simple rule always wins: there are too many to try.".to_owned(),
            );
        }
        OneLine::None => {}
    }
    let odds = &audit.references;
    lines.push(format!(
        "Perfect play beats random play in {} going first and {} going second.",
        of_rounds(odds.perfect_random.wins[Player::One]),
        percent(odds.random_perfect.wins[Player::Two])
    ));
    let random = odds.random_random;
    let drawn = match random.drawn() {
        drawn if drawn < 5e-11 => String::new(),
        drawn => format!(", and {} are drawn", percent(drawn)),
    };
    lines.push(format!(
        "If both play at random, the player who goes first wins {}{drawn}.",
        of_rounds(random.wins[Player::One])
    ));
    lines
}

/// The winning seat: `first` or `second`.
fn seat(audit: &Audit) -> &'static str {
    if audit.figures.winner() == Some(Player::One) { "first" } else { "second" }
}

/// `25% of rounds`
fn of_rounds(share_of_one: f64) -> String {
    format!("{} of rounds", percent(share_of_one))
}

/// `25%`
fn percent(share_of_one: f64) -> String {
    format!("{}%", share(share_of_one))
}

/// A share in percent, with enough digits to differ from 0 and 100.
fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent <= 1e-9 {
        return "0".to_owned();
    }
    if 100.0 - percent <= 1e-9 {
        return "100".to_owned();
    }
    for digits in 1..=10 {
        let written = format!("{percent:.digits$}");
        let shown: f64 = written.parse().unwrap_or(percent);
        if shown > 0.0 && shown < 100.0 {
            let about = if (shown - percent).abs() > 1e-9 { "about " } else { "" };
            return format!("{about}{}", written.trim_end_matches('0').trim_end_matches('.'));
        }
    }
    if percent < 50.0 { "almost 0".to_owned() } else { "almost 100".to_owned() }
}

/// Compares two games side by side.
pub fn compared(one: Audited<'_>, two: Audited<'_>) -> String {
    let column = |Audited { rulebook, audit, .. }: Audited<'_>| -> Vec<String> {
        let figures = &audit.figures;
        let winner = figures.winner().map_or("neither".to_owned(), |winner| winner.to_string());
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let number = |number: Option<u64>| number.map_or("-".to_owned(), phrases::separated);
        vec![
            winner,
            number(figures.opening.remoteness()),
            yes_or_no(figures.always_ends),
            yes_or_no(figures.can_draw),
            number(figures.longest),
            phrases::separated(figures.positions),
            phrases::separated(figures.decisions),
            phrases::separated(figures.subtle),
            phrases::separated(figures.forced),
            phrases::separated(figures.dead_tail),
            audit.guess.map_or("-".to_owned(), percent),
            match &audit.one_line {
                OneLine::Found(OneLineRule::Order(order)) => {
                    let picks: Vec<String> = order.iter().map(|pick| written_pick(rulebook, *pick)).collect();
                    picks.join(", else ")
                }
                OneLine::Found(OneLineRule::Leave { idea, except }) => format!("{idea}{except}"),
                OneLine::None => "none".to_owned(),
                OneLine::Unknown => "unknown".to_owned(),
            },
            percent(audit.references.perfect_random.wins[Player::One]),
            percent(audit.references.random_perfect.wins[Player::Two]),
        ]
    };
    const ROWS: [&str; 14] = [
        "can force a win",
        "moves under best play",
        "always ends",
        "can be drawn",
        "longest round",
        "positions",
        "choices that matter",
        "not obvious",
        "positions with one move",
        "forced moves before the end",
        "careful guessing wins",
        "simple rule",
        "perfect first beats random",
        "perfect second beats random",
    ];
    let (left, right) = (column(one), column(two));
    let width = left.iter().map(|cell| cell.chars().count()).max().unwrap_or(0).clamp(8, 24);
    let mut page = format!("A  {}\nB  {}\n\n", one.title, two.title);
    let unplayable =
        [("A", one), ("B", two)].map(|(name, of)| Some(format!("{name}: {}\n", of.rulebook.unplayable()?)));
    if unplayable.iter().any(Option::is_some) {
        page.extend(unplayable.into_iter().flatten());
        page.push('\n');
    }
    page.push_str(&format!("  {:<30} {:<width$}  B\n", "", "A"));
    for ((row, left), right) in ROWS.iter().zip(&left).zip(&right) {
        let mark = if left == right { ' ' } else { '*' };
        page.push_str(&format!("{mark} {row:<30} {left:<width$}  {right}\n"));
    }
    page.push_str(if left == right {
        "\nAll figures are the same.\n"
    } else {
        "\nA star marks each difference.\n"
    });
    page
}

/// The changes that improve a game, each with its facts and the command to play it.
pub fn better(title: &str, found: &[Better], play: impl Fn(&[String]) -> String) -> String {
    let mut page = format!("\nMake it better: {title}\n");
    if found.is_empty() {
        page.push_str(&format!("{}\n", wrap(NOTHING_BETTER, "  ", "    ")));
    }
    for better in found {
        let facts = wrap(&change(better), "  ", "    ");
        page.push_str(&format!("{facts}\n      {}\n", play(&better.settings)));
    }
    page
}

/// The reply if no change improves a game.
pub const NOTHING_BETTER: &str = "Spot On tried small changes and found no improvement.";

/// A change that improves a game, with its facts.
pub fn change(better: &Better) -> String {
    let figures = &better.figures;
    let winner = figures.winner().map_or("Nobody".to_owned(), |winner| winner.to_string());
    format!(
        "{}: {winner} can force a win within {}. {} choices matter. In {} of them, the best move isn't \
         obvious. Careful guessing wins {}.",
        better.settings.join(" and "),
        moves(figures.opening.remoteness().unwrap_or_default()),
        phrases::separated(figures.decisions),
        phrases::separated(figures.subtle),
        of_rounds(better.guess),
    )
}

/// A sweep over targets in words.
pub fn sweep(title: &str, rulebook: &Rulebook, sweep: &Sweep) -> String {
    let mut lines = Vec::new();
    let wins = |winner: Option<Player>| match winner {
        Some(winner) => format!("{winner} can force a win"),
        None => "neither player can force a win".to_owned(),
    };
    let each = [Some(Player::One), Some(Player::Two), None];
    let all = match &sweep.unplayable[..] {
        [] => "these targets",
        _ if sweep.targets.is_empty() => {
            lines.push("The game can't be played with any of these targets.".to_owned());
            "these targets"
        }
        unplayable => {
            lines.push(format!("The game can't be played to {}.", spans(unplayable)));
            "the others"
        }
    };
    match sweep.pattern() {
        _ if sweep.targets.is_empty() => {}
        Pattern::Always(winner) => lines.push(format!("At every one of {all}, {}.", wins(winner))),
        Pattern::Rests { divisor, winners } => {
            for winner in each {
                let rests: Vec<i64> =
                    (0..).zip(&winners).filter(|(_, of)| **of == winner).map(|(rest, _)| rest).collect();
                if !rests.is_empty() {
                    lines.push(format!("At {}, {}.", with_rests(divisor, &rests), wins(winner)));
                }
            }
        }
        Pattern::None => {
            for winner in each {
                let targets = sweep.won_by(winner);
                if !targets.is_empty() {
                    let share = format!("{} of {}", targets.len(), sweep.targets.len());
                    lines.push(format!(
                        "{} at {share}: {}.",
                        phrases::capitalised(&wins(winner)),
                        spans(&targets)
                    ));
                }
            }
        }
    }
    for (pick, winner, targets) in &sweep.always {
        let which = match sweep.rests_of(targets) {
            Some((1, _)) => format!("at every one of {all}"),
            Some((divisor, rests)) => format!("at {}", with_rests(divisor, &rests)),
            None => format!("at {}", spans(targets)),
        };
        let pick = written_pick(rulebook, *pick);
        lines.push(format!("{winner} wins by always playing {pick} {which}."));
    }
    let asked = || sweep.targets.iter().map(|(target, _)| *target).chain(sweep.unplayable.iter().copied());
    let (first, last) = (asked().min().unwrap_or_default(), asked().max().unwrap_or_default());
    let mut page = format!("{title}\n\nTargets from {first} to {last}\n");
    for line in lines {
        page.push_str(&format!("{}\n", wrap(&line, "  ", "    ")));
    }
    page
}

/// `every odd target`, `every target that leaves 1 or 3 when divided by 5`
fn with_rests(divisor: i64, rests: &[i64]) -> String {
    match (divisor, rests) {
        (2, [0]) => "every even target".to_owned(),
        (2, _) => "every odd target".to_owned(),
        (divisor, [0]) => format!("every multiple of {divisor}"),
        (divisor, rests) => {
            format!("every target that leaves {} when divided by {divisor}", phrases::or_list(rests))
        }
    }
}

/// Sorted numbers, with consecutive ones joined: `2, 8, 10 to 14`.
fn spans(numbers: &[i64]) -> String {
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => spans.push((*number, *number)),
        }
    }
    let written = spans.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// A simple rule as a sentence.
pub fn rule(rulebook: &Rulebook, rule: &OneLineRule) -> String {
    format!("{}.", phrases::capitalised(&in_a_sentence(rulebook, rule)))
}

fn in_a_sentence(rulebook: &Rulebook, rule: &OneLineRule) -> String {
    match rule {
        OneLineRule::Order(order) => {
            let picks: Vec<String> = order.iter().map(|pick| written_pick(rulebook, *pick)).collect();
            match picks.as_slice() {
                [only] => format!("always play {only}"),
                [first, rest @ ..] => {
                    format!("play {first} if you can, otherwise {}", rest.join(", otherwise "))
                }
                [] => "play anything".to_owned(),
            }
        }
        OneLineRule::Leave { idea, except } => format!("win right away if you can, otherwise {idea}{except}"),
    }
}

/// A move in a simple rule: `+1`, `the largest -divisor`.
pub(crate) fn written_pick(rulebook: &Rulebook, pick: Pick) -> String {
    let entry = rulebook.entry(pick.entry).map(|entry| rulebook.entry_key(entry)).unwrap_or_default();
    match pick.amount {
        Amount::Only => entry,
        Amount::Smallest => format!("the smallest {entry}"),
        Amount::Largest => format!("the largest {entry}"),
    }
}

fn claim(tested: &TestedClaim) -> String {
    let promise = match tested.claim {
        Claim::Ends => "Every round ends".to_owned(),
        Claim::NoDraws => "No round is drawn or goes on forever".to_owned(),
        Claim::SkillWins => {
            "Perfect play beats random play in more than 75% of rounds from either seat".to_owned()
        }
        Claim::FirstWins => "The player who goes first can force a win".to_owned(),
        Claim::SecondWins => "The player who goes second can force a win".to_owned(),
        Claim::MovesAtMost(most) => format!("No round is longer than {}", moves(most)),
        Claim::SubtleAtLeast(least) => {
            let (matter, are) = if least == 1 { ("matters", "is") } else { ("matter", "are") };
            format!("At least {} that {matter} {are}n't obvious", phrases::count(least, "choice", "choices"))
        }
    };
    let verdict = match (&tested.against, tested.claim) {
        (None, _) if tested.holds => "true.".to_owned(),
        (Some(Against::Line(line)), Claim::FirstWins | Claim::SecondWins) => {
            format!("not true. Best play: {}.", cut(line))
        }
        (Some(Against::Endless(line)), Claim::FirstWins | Claim::SecondWins) => {
            format!("not true. Best play: {}, and so on.", cut(line))
        }
        (Some(Against::Endless(line)), _) => format!("not true. Play {}, and so on forever.", cut(line)),
        (Some(Against::Line(line)), _) if line.is_empty() => {
            "not true: the round is over before it starts.".to_owned()
        }
        (Some(Against::Line(line)), _) => format!("not true. Play {}.", cut(line)),
        (Some(Against::Figure(figure)), Claim::SkillWins) => {
            format!("not true. From the worse seat, it's {}.", percent(*figure))
        }
        (Some(Against::Figure(1.0)), _) => "not true: there is 1.".to_owned(),
        (Some(Against::Figure(figure)), _) => format!("not true: there are {figure}."),
        (None, _) => "not true.".to_owned(),
    };
    format!("{promise} ({}): {verdict}", tested.claim)
}

/// The definition of a rule that matters.
pub const MATTERS: &str = "A rule matters if it forbids a move in a reachable position or changes how a round ends, even if \
                           another rule does the same. The final position counts, too.";

/// The sentence for a rule that never matters.
pub fn never_fires(rulebook: &Rulebook, rule: NeverFires) -> String {
    let entry = || {
        let entry = rule.entry().and_then(|entry| rulebook.entry(entry));
        entry.map(|entry| rulebook.entry_key(entry)).unwrap_or_default()
    };
    let target = rulebook.target().unwrap_or_default();
    match rule {
        NeverFires::Target => format!("No move ever lands on {target}."),
        NeverFires::Past => format!("No move can go past {target}."),
        NeverFires::Stuck => "The rule for stuck players (stuck).".to_owned(),
        NeverFires::NoRepeat => "The rule against repeating never rules out a move (no_repeat).".to_owned(),
        NeverFires::Passes => "The limit on passes never rules out a move (passes).".to_owned(),
        NeverFires::Turns => "The turns never run out (turns).".to_owned(),
        NeverFires::Winning => "Nobody ever lands on a number that wins (winning).".to_owned(),
        NeverFires::Losing => "Nobody ever lands on a number that loses (losing).".to_owned(),
        NeverFires::Forbidden => "No move ever leads to a forbidden number (forbidden).".to_owned(),
        // Its moves can still be played through another entry.
        NeverFires::Move(index) if shares_moves(rulebook, index) => format!("{} never adds a move.", entry()),
        NeverFires::Move(_) => format!("{} can never be played.", entry()),
        NeverFires::Uses(_) => format!("The limit on {} never rules out a move (uses).", entry()),
    }
}

/// Whether another entry shares a move with this one.
fn shares_moves(rulebook: &Rulebook, index: EntryIndex) -> bool {
    let others = rulebook.entries().filter(|(other, _)| *other != index);
    rulebook.entry(index).is_some_and(|entry| others.into_iter().any(|(_, other)| entry.overlaps(other)))
}
