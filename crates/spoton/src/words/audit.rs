//! Facts about a game: an audit on a page, as text or as Markdown.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::people::solved_game::SolvedGame;
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
use crate::engine::position::{ByPlayer, EntryIndex, Player};
use crate::engine::written::ON_OTHER;
use crate::format::{Claim, Rulebook};
use crate::people::audit::better::Better;
use crate::people::audit::one_line::{Amount, OneLine, OneLineRule, Pick};
use crate::people::audit::sweep::{Pattern, Sweep};
use crate::people::audit::{Against, Audit, NeverFires, TestedClaim};
use crate::people::opponent::Table;

/// A part of a report.
pub struct Section {
    /// Its heading.
    pub heading: &'static str,
    /// Its sentences, a point each.
    pub lines: Vec<String>,
}

/// The whole report in parts, for a surface that lays them out itself.
pub fn sections(rulebook: &Rulebook, audit: &Audit) -> Vec<Section> {
    let mut sections = vec![
        Section { heading: "Who wins", lines: who_wins(rulebook, audit) },
        Section { heading: "How it plays", lines: how_it_plays(rulebook, audit) },
        Section { heading: "Skill and luck", lines: skill(rulebook, audit) },
    ];
    let claims: Vec<String> = audit.claims.iter().map(claim).collect();
    if !claims.is_empty() {
        sections.push(Section { heading: "What the rule book claims", lines: claims });
    }
    let never: Vec<String> = audit.never_fires.iter().map(|rule| never_fires(rulebook, *rule)).collect();
    if !never.is_empty() {
        sections.push(Section { heading: "Rules that never matter", lines: never });
    }
    sections
}

/// A game with its audit, under a title.
#[derive(Clone, Copy)]
pub struct Audited<'a> {
    /// The title, with what was changed.
    pub title: &'a str,
    /// The rule book.
    pub rulebook: &'a Rulebook,
    /// Its audit.
    pub audit: &'a Audit,
}

/// The report as text for lines of 80 columns.
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

/// What stands over the odds of the computer players.
pub const LADDER: &str = "How the computer players fare";

fn ladder(rulebook: &Rulebook, audit: &Audit) -> Option<String> {
    Some(opponents::ladder(&Table::new(audit.ladder.clone()?), rulebook))
}

/// Reports as Markdown. Over several of them it says what the rule books got wrong.
pub fn markdown(games: &[Audited<'_>]) -> String {
    let mut page = String::new();
    if games.len() > 1 {
        let wrong = games.iter().flat_map(|game| {
            let wrong = game.audit.claims.iter().filter(|tested| !tested.holds);
            wrong.map(|tested| format!("- **{}.** {}\n", escaped(game.title), escaped(&claim(tested))))
        });
        let wrong: String = wrong.collect();
        page.push_str(
            "# Facts about the games\n\nEvery figure is exact: it is counted over all lines of play.\n\n",
        );
        page.push_str(&format!("{MATTERS}\n\n"));
        page.push_str("## What the rule books got wrong\n\n");
        page.push_str(if wrong.is_empty() { "Nothing: all of their claims are true.\n" } else { &wrong });
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

/// A text in which nothing is taken for Markdown.
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
            format!("The round is over before it begins: Player 1 has no move. {winner} wins.")
        }
        _ => format!("{}.", phrases::verdict(figures.opening, Player::One, &names)),
    }];
    if !audit.best_line.is_empty() {
        let on = if figures.winner().is_none() && !figures.always_ends { ", and so on" } else { "" };
        let line = cut(&audit.best_line);
        let at =
            if line.contains(ON_OTHER) { " An @ marks a move on the other player's number." } else { "" };
        lines.push(format!("Both at their best: {line}{on}.{at}"));
    }
    if figures.winner().is_some() {
        let or = match rulebook.target() {
            Some(target) if target > rulebook.start().0 => {
                ", or let one player name the target and the other pick the seat"
            }
            Some(_) => ", or let one player name the start and the other pick the seat",
            None => "",
        };
        lines.push(format!("So the seats are not equal. Take turns at going first{or}."));
    }
    lines
}

/// A line of moves that somebody may read: the middle of a long one is left out.
fn cut(line: &str) -> String {
    const MOST: usize = 40;
    let moves: Vec<&str> = line.split(' ').collect();
    if moves.len() <= MOST {
        return moves.join(" ");
    }
    let (begin, end) = (&moves[..MOST / 2], &moves[moves.len() - MOST / 4..]);
    let left_out = moves.len() - begin.len() - end.len();
    format!("{} … ({left_out} more) … {}", begin.join(" "), end.join(" "))
}

fn how_it_plays(rulebook: &Rulebook, audit: &Audit) -> Vec<String> {
    let figures = &audit.figures;
    let mut lines = vec![match (figures.longest, figures.can_draw) {
        (Some(longest), false) => {
            format!("It always ends, after {} at most, and never in a draw.", moves(longest))
        }
        (Some(longest), true) => {
            format!("It always ends, after {} at most, and can end in a draw.", moves(longest))
        }
        (None, _) => "It can go on for ever.".to_owned(),
    }];
    if let (false, Some(times)) = (figures.always_ends, rulebook.repetition()) {
        lines.push(format!(
            "The house rule would make a draw of a position that comes up {}. What is told here leaves it aside.",
            phrases::times(times)
        ));
    }
    if rulebook.may_skip() && !audit.never_fires.contains(&NeverFires::Stuck) {
        lines.push("Skipped turns count as moves here.".to_owned());
    }
    let positions = phrases::count(figures.positions, "position", "positions");
    lines.push(match (figures.decisions, figures.subtle) {
        _ if figures.positions == 0 => "Nobody ever has a move to make.".to_owned(),
        (0, _) => format!("{positions}, and in none of them it matters what you choose."),
        (decisions, subtle) => {
            let shows = match subtle {
                0 => "and it always shows at once".to_owned(),
                subtle if subtle == decisions && subtle == 1 => "and it does not show at once".to_owned(),
                subtle if subtle == decisions => "and it never shows at once".to_owned(),
                subtle => format!("and in {subtle} of those it does not show at once"),
            };
            format!("{positions}. In {decisions} of them it matters what you choose, {shows}.")
        }
    });
    if figures.forced > 0 {
        let tail = match figures.dead_tail {
            0 => String::new(),
            1 => " The last move of a round can be one of these.".to_owned(),
            tail => format!(" Up to {tail} moves in a row before the end can be like that."),
        };
        let one = figures.forced == 1;
        let positions = if one { "In one position" } else { "In" };
        let many = if one { String::new() } else { format!(" {} positions", figures.forced) };
        lines.push(format!("{positions}{many} there is just one move to make.{tail}"));
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
            "A careful guesser, who wins at once or avoids losing at once and otherwise guesses, wins {} from \
             the winning seat ({seat}) against perfect play.",
            out_of_100(guess)
        ));
    }
    match &audit.one_line {
        OneLine::Found(found) => {
            lines.push(format!(
                "One line is all you need to know. Go {} and {}.",
                seat(audit),
                in_a_sentence(rulebook, found)
            ));
        }
        OneLine::None if audit.guess.is_some() && audit.figures.positions > 0 => {
            lines.push("There is no rule of one line that always wins.".to_owned());
        }
        OneLine::Unknown => {
            lines.push(
                "Whether a rule of one line always wins is not known: there are too many to try.".to_owned(),
            );
        }
        OneLine::None => {}
    }
    let odds = &audit.references;
    lines.push(format!(
        "Perfect play beats random play in {} going first, and in {} going second.",
        out_of_100(odds.perfect_random.wins[Player::One]),
        out_of_100(odds.random_perfect.wins[Player::Two])
    ));
    let random = odds.random_random;
    let drawn = match random.drawn() {
        drawn if drawn < 5e-11 => String::new(),
        drawn => format!(" and {} are drawn", share(drawn)),
    };
    lines.push(format!(
        "If both play at random, whoever goes first wins {}{drawn}.",
        out_of_100(random.wins[Player::One])
    ));
    lines
}

/// The seat that wins: `first` or `second`.
fn seat(audit: &Audit) -> &'static str {
    if audit.figures.winner() == Some(Player::One) { "first" } else { "second" }
}

/// A share of 100 rounds.
fn out_of_100(share_of_one: f64) -> String {
    format!("{} of 100 rounds", share(share_of_one))
}

/// A share in hundredths, with as many digits as it takes to tell it from none and from all.
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

/// Two games side by side.
pub fn compared(one: Audited<'_>, two: Audited<'_>) -> String {
    let column = |Audited { rulebook, audit, .. }: Audited<'_>| -> Vec<String> {
        let figures = &audit.figures;
        let winner = figures.winner().map_or("neither".to_owned(), |winner| winner.to_string());
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
        let percent = |chance: f64| share(chance);
        vec![
            winner,
            number(figures.opening.remoteness()),
            yes_or_no(figures.always_ends),
            yes_or_no(figures.can_draw),
            number(figures.longest),
            figures.positions.to_string(),
            figures.decisions.to_string(),
            figures.subtle.to_string(),
            figures.forced.to_string(),
            figures.dead_tail.to_string(),
            audit.guess.map_or("-".to_owned(), percent),
            match &audit.one_line {
                OneLine::Found(OneLineRule::Order(order)) => {
                    let picks: Vec<String> = order.iter().map(|pick| written_pick(rulebook, *pick)).collect();
                    picks.join(", else ")
                }
                OneLine::Found(OneLineRule::Leave { idea, except }) => format!("{idea}{except}"),
                OneLine::None => "none".to_owned(),
                OneLine::Unknown => "not known".to_owned(),
            },
            percent(audit.references.perfect_random.wins[Player::One]),
            percent(audit.references.random_perfect.wins[Player::Two]),
        ]
    };
    const ROWS: [&str; 14] = [
        "can force a win",
        "moves if both play their best",
        "always ends",
        "can be drawn",
        "longest round",
        "positions",
        "choices that matter",
        "without showing it at once",
        "positions with one move",
        "forced moves before the end",
        "careful guesser wins, of 100",
        "rule of one line",
        "perfect first, wins of 100",
        "perfect second, wins of 100",
    ];
    let (left, right) = (column(one), column(two));
    let width = left.iter().map(|cell| cell.chars().count()).max().unwrap_or(0).clamp(8, 24);
    let mut page = format!("A  {}\nB  {}\n\n  {:<30} {:<width$}  B\n", one.title, two.title, "", "A");
    for ((row, left), right) in ROWS.iter().zip(&left).zip(&right) {
        let mark = if left == right { ' ' } else { '*' };
        page.push_str(&format!("{mark} {row:<30} {left:<width$}  {right}\n"));
    }
    page.push_str(if left == right {
        "\nThe two agree in every figure.\n"
    } else {
        "\nThey differ where the star stands.\n"
    });
    page
}

/// The changes that make a game better, each with its facts and the command that plays it.
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

/// What is said if no change makes a game better.
pub const NOTHING_BETTER: &str = "Nothing better was found: no small change makes this game harder for somebody who \
                                  guesses, about as long as it is, without draws and without a simple rule that wins.";

/// A change for the better, with its facts.
pub fn change(better: &Better) -> String {
    let figures = &better.figures;
    let winner = figures.winner().map_or("Nobody".to_owned(), |winner| winner.to_string());
    format!(
        "{}: {winner} can force a win within {}. {} choices matter, {} of them without showing it at once. A careful \
         guesser wins {}.",
        better.settings.join(" and "),
        moves(figures.opening.remoteness().unwrap_or_default()),
        figures.decisions,
        figures.subtle,
        out_of_100(better.guess),
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
    match sweep.pattern() {
        _ if sweep.targets.is_empty() => {
            lines.push("The game cannot be played with any of these targets.".to_owned())
        }
        Pattern::Always(winner) => lines.push(format!("At every one of these targets {}.", wins(winner))),
        Pattern::Rests { divisor, winners } => {
            for winner in each {
                let rests: Vec<i64> =
                    (0..).zip(&winners).filter(|(_, of)| **of == winner).map(|(rest, _)| rest).collect();
                if !rests.is_empty() {
                    lines.push(format!("At {} {}.", with_rests(divisor, &rests), wins(winner)));
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
            Some((1, _)) => "at every one of these targets".to_owned(),
            Some((divisor, rests)) => format!("at {}", with_rests(divisor, &rests)),
            None => format!("at {}", spans(targets)),
        };
        let pick = written_pick(rulebook, *pick);
        lines.push(format!("{winner} wins by always playing {pick}: {which}."));
    }
    if !sweep.unplayable.is_empty() {
        lines.push(format!("The game cannot be played to {}.", spans(&sweep.unplayable)));
    }
    let first = sweep.targets.first().map_or(0, |(target, _)| *target);
    let last = sweep.targets.last().map_or(0, |(target, _)| *target);
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

/// Numbers in order, with neighbours put together: `2, 8, 10 to 14`.
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

/// A rule of one line, as a sentence of its own.
pub fn rule(rulebook: &Rulebook, rule: &OneLineRule) -> String {
    format!("{}.", phrases::capitalised(&in_a_sentence(rulebook, rule)))
}

fn in_a_sentence(rulebook: &Rulebook, rule: &OneLineRule) -> String {
    match rule {
        OneLineRule::Order(order) => {
            let picks: Vec<String> = order.iter().map(|pick| written_pick(rulebook, *pick)).collect();
            match picks.as_slice() {
                [only] => format!("always play {only}"),
                [first, rest @ ..] => format!("play {first} if you may, else {}", rest.join(", else ")),
                [] => "play anything".to_owned(),
            }
        }
        OneLineRule::Leave { idea, except } => format!("win at once if you can, and else {idea}{except}"),
    }
}

/// A move of a rule, as it is written: `+1`, `the largest -divisor`.
pub fn written_pick(rulebook: &Rulebook, pick: Pick) -> String {
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
        Claim::NoDraws => "No round is drawn or goes on for ever".to_owned(),
        Claim::SkillWins => {
            "Perfect play beats random play more than 75 of 100 times from either seat".to_owned()
        }
        Claim::FirstWins => "Whoever goes first can force a win".to_owned(),
        Claim::SecondWins => "Whoever goes second can force a win".to_owned(),
        Claim::MovesAtMost(most) => format!("No round is longer than {}", moves(most)),
        Claim::SubtleAtLeast(least) => {
            let choices = phrases::count(least, "choice matters", "choices matter");
            format!("At least {choices} without showing it at once")
        }
    };
    let verdict = match (&tested.against, tested.claim) {
        (None, _) if tested.holds => "true.".to_owned(),
        (Some(Against::Line(line)), Claim::FirstWins | Claim::SecondWins) => {
            format!("not true. Both at their best: {}.", cut(line))
        }
        (Some(Against::Endless(line)), Claim::FirstWins | Claim::SecondWins) => {
            format!("not true. Both at their best: {}, and so on.", cut(line))
        }
        (Some(Against::Endless(line)), _) => format!("not true. Play {}, and so on for ever.", cut(line)),
        (Some(Against::Line(line)), _) if line.is_empty() => {
            "not true: the round is over before it begins.".to_owned()
        }
        (Some(Against::Line(line)), _) => format!("not true. Play {}.", cut(line)),
        (Some(Against::Figure(figure)), Claim::SkillWins) => {
            format!("not true. From the worse seat it is {}.", out_of_100(*figure))
        }
        (Some(Against::Figure(1.0)), _) => "not true: there is 1.".to_owned(),
        (Some(Against::Figure(figure)), _) => format!("not true: there are {figure}."),
        (None, _) => "not true.".to_owned(),
    };
    format!("{promise} ({}): {verdict}", tested.claim)
}

/// What it means that a rule matters.
pub const MATTERS: &str = "A rule matters if it bars a move in any position that play can reach, including the last one, or \
                           changes how a round ends, even if another rule does the same there.";

/// What is said of a rule that never fires.
pub fn never_fires(rulebook: &Rulebook, rule: NeverFires) -> String {
    let entry = || {
        let entry = rule.entry().and_then(|entry| rulebook.entry(entry));
        entry.map(|entry| rulebook.entry_key(entry)).unwrap_or_default()
    };
    let target = rulebook.target().unwrap_or_default();
    match rule {
        NeverFires::Target => format!("No move ever lands on {target}."),
        NeverFires::Past => format!("No move can go past {target}."),
        NeverFires::Stuck => "Nobody is ever without a move.".to_owned(),
        NeverFires::NoRepeat => "The ban on repeating a move never forbids one (no_repeat).".to_owned(),
        NeverFires::Passes => "The limit on passes never bars a move (passes).".to_owned(),
        NeverFires::Turns => "The turns never run out (turns).".to_owned(),
        NeverFires::Winning => "Nobody ever lands on a number that wins (winning).".to_owned(),
        NeverFires::Losing => "Nobody ever lands on a number that loses (losing).".to_owned(),
        NeverFires::Forbidden => "No move ever comes to a forbidden number (forbidden).".to_owned(),
        // If another entry gives its moves, they can be played all the same.
        NeverFires::Move(index) if shares_moves(rulebook, index) => format!("{} never adds a move.", entry()),
        NeverFires::Move(_) => format!("{} can never be played.", entry()),
        NeverFires::Uses(_) => format!("The limit on {} never bars a move (uses).", entry()),
    }
}

/// Whether another entry could give a move of this one.
fn shares_moves(rulebook: &Rulebook, index: EntryIndex) -> bool {
    let others = rulebook.entries().filter(|(other, _)| *other != index);
    rulebook.entry(index).is_some_and(|entry| others.into_iter().any(|(_, other)| entry.overlaps(other)))
}
