//! Scores on a set of games, as a page and as a Markdown table.

use crate::design::sets::Set;
use crate::evaluate::bench::{Score, SeatScore, Terms};
use crate::evaluate::opponent::Opponent;
use crate::evaluate::summary::{Line, Share};
use crate::records::Refused;
use crate::words::page::wrap;
use crate::words::phrases;

/// The heading, with everything that the scores depend on except the player.
pub fn head(set: &Set, terms: &Terms) -> String {
    let mut head = format!("{}\n", wrap(&about(set, terms), "", "  "));
    if terms.against != Opponent::perfect() {
        head.push_str("Against an opponent who makes mistakes, traps can win more than perfect play.\n");
    }
    head + "\n"
}

fn about(set: &Set, Terms { version, against, seed, seat, .. }: &Terms) -> String {
    let seats = if *seat == "both" { "both seats".to_owned() } else { format!("going {seat}") };
    let (set, games, fingerprint) = (&set.name, set.books.len(), set.fingerprint());
    format!(
        "Set {set} ({games} games, fingerprint {fingerprint}), against {against}, {seats}, seed {seed}, Spot On {version}"
    )
}

const INTERVALS: &str = "In brackets: the 95% interval for other games of this kind. All rounds of one game count as \
                         one observation, because they aren't independent.";

/// The last lines of a page, which explain its numbers.
pub fn legend() -> String {
    format!("{}\n", wrap(INTERVALS, "", ""))
}

/// One player's score, by seat. For a program, also how it was prompted.
pub fn page(player: &str, terms: &Terms, score: &Score) -> String {
    let mut page = format!("{player}\n{}\n", wrap(&how_played(terms), "  ", "  "));
    for (seat, word) in score.seats().iter().zip(["first", "second"]) {
        if seat.got.rounds == 0 && seat.exact.is_none() {
            continue;
        }
        page.push_str(&of_seat(&format!("Going {word}:"), seat));
    }
    if let Some(both) = score.both_seats() {
        page.push_str(&of_seat("Both seats:", &both));
    }
    if let Some(doubt) = doubt(score) {
        page.push_str(&format!("{}\n", wrap(&doubt, "  ", "  ")));
    }
    page + "\n"
}

/// The number of rounds, and how a program was prompted.
fn how_played(terms: &Terms) -> String {
    let rounds = phrases::count(terms.rounds, "round of each game", "rounds of each game");
    let mut said = format!("{}.", phrases::capitalised(&rounds));
    if let Some(asked) = &terms.asked {
        said.push_str(&format!(" {}", super::arena::how_asked(asked)));
    }
    if let Some(ms) = terms.move_time {
        said.push_str(&format!(" It had {} s per answer.", ms as f64 / 1000.0));
    }
    said
}

fn doubt(score: &Score) -> Option<String> {
    let unreadable = score.all().got.refusals[Refused::Unreadable];
    super::arena::doubt(unreadable, score.unasked).map(|doubt| phrases::capitalised(&doubt))
}

fn of_seat(title: &str, seat: &SeatScore) -> String {
    let mut lines = vec![
        title.to_owned(),
        format!("  perfect play wins {}, careful guessing {}", exactly(seat.perfect), exactly(seat.careful)),
        format!("  this player wins {}", won(seat)),
        format!("  choices that matter, right: {}", share(seat.got.kept_share())),
        format!("  hidden ones, right: {}", share(seat.got.subtle_share())),
        format!("  {}", refused(&seat.got)),
    ];
    if let Some(of_ceiling) = of_ceiling(seat) {
        lines.insert(3, format!("  share of perfect play: {of_ceiling}"));
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// The player's wins as a share of perfect play's wins.
fn of_ceiling(seat: &SeatScore) -> Option<String> {
    let share = seat.of_ceiling?;
    Some(match seat.of_ceiling_interval {
        Some(interval) => format!("{} {}", percent(share), brackets(interval)),
        None => percent(share),
    })
}

const COLUMNS: [&str; 15] = [
    "player",
    "seat",
    "rounds",
    "perfect play wins",
    "careful wins",
    "this player wins",
    "share of perfect play",
    "choices right",
    "hidden choices right",
    "forfeited",
    "illegal",
    "unreadable",
    "late",
    "died or flooded",
    "unasked",
];

/// The Markdown before the rows: everything that the rows depend on, and the column names.
pub fn table_head(set: &Set, terms: &Terms) -> String {
    let about = about(set, terms);
    format!("{about}.\n\n{}|{}\n", row(&COLUMNS.map(str::to_owned)), "---|".repeat(COLUMNS.len()))
}

/// The rows of one player.
pub fn table(player: &str, score: &Score) -> String {
    let mut table = String::new();
    for (seat, word) in score.seats().iter().zip(["first", "second"]) {
        if seat.got.rounds == 0 && seat.exact.is_none() {
            continue;
        }
        let refused = |refused| seat.got.refusals[refused];
        table.push_str(&row(&[
            player.replace('|', "\\|") + if score.unasked > 0 { " (unreliable)" } else { "" },
            word.to_owned(),
            seat.got.rounds.to_string(),
            exactly(seat.perfect),
            exactly(seat.careful),
            won(seat),
            of_ceiling(seat).unwrap_or("-".to_owned()),
            share(seat.got.kept_share()),
            share(seat.got.subtle_share()),
            seat.got.forfeited.to_string(),
            refused(Refused::Illegal).to_string(),
            refused(Refused::Unreadable).to_string(),
            refused(Refused::Late).to_string(),
            (refused(Refused::Died) + refused(Refused::Flooded)).to_string(),
            score.unasked.to_string(),
        ]));
    }
    table
}

fn row(cells: &[String; COLUMNS.len()]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The Markdown after the rows: how each player was prompted, and what the intervals mean.
pub fn table_foot<'a>(players: impl IntoIterator<Item = (&'a str, &'a Terms, &'a Score)>) -> String {
    // Players with the same terms share a line.
    let mut alike: Vec<(String, Vec<&str>)> = Vec::new();
    let mut doubts = String::new();
    for (player, terms, score) in players {
        let how = how_played(terms);
        match alike.iter_mut().find(|(known, _)| *known == how) {
            Some((_, players)) => players.push(player),
            None => alike.push((how, vec![player])),
        }
        doubts.push_str(&doubt(score).map_or(String::new(), |doubt| format!("- {player}: {doubt}\n")));
    }
    let alike = alike.iter().map(|(how, players)| format!("- {}: {how}\n", phrases::and_list(players)));
    format!("\n{}{doubts}\n{INTERVALS}\n", alike.collect::<String>())
}

/// The share of rounds won: exact if all odds are known, otherwise as played.
fn won(seat: &SeatScore) -> String {
    match seat.exact {
        Some(exact) => exactly(Some(exact)),
        None => share(seat.got.won_share()),
    }
}

fn exactly(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}%", share * 100.0))
}

/// A share in percent, with its interval and its whole.
fn share(Share { part, whole, interval }: Share) -> String {
    match interval {
        Some(interval) => {
            let share = f64::from(part) / f64::from(whole);
            format!("{} {} of {whole}", percent(share), brackets(interval))
        }
        None => "-".to_owned(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

fn brackets([low, high]: [f64; 2]) -> String {
    format!("({:.0}-{:.0})", low * 100.0, high * 100.0)
}

/// Rejected answers by kind.
fn refused(line: &Line) -> String {
    let counts = line.refusals.iter().map(|(refused, count)| format!("{}: {count}", refused.word()));
    counts.chain([format!("forfeited rounds: {}", line.forfeited)]).collect::<Vec<_>>().join(", ")
}
