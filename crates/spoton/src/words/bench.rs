//! How players did on a set of games, as a page and as a table for Markdown.

use crate::people::arena::Asked;
use crate::people::bench::{Score, SeatScore, Set};
use crate::people::opponent::Opponent;
use crate::people::review::Tally;
use crate::people::summary::{self, Line};
use crate::records::Refused;
use crate::words::page::wrap;
use crate::words::phrases;

/// What stands over the scores.
pub fn head(set: &Set, against: &str) -> String {
    let about = format!(
        "Set {} ({} games, fingerprint {}), against {against}",
        set.name,
        set.books.len(),
        set.fingerprint()
    );
    let mut head = format!("{}\n", wrap(&about, "", "  "));
    if against != Opponent::perfect().to_string() {
        head.push_str("Against somebody who slips, setting traps can win more than perfect play does.\n");
    }
    head + "\n"
}

/// How one player did, by seat, and how it was asked if it is a program.
pub fn page(player: &str, score: &Score, asked: Option<&Asked>) -> String {
    let mut page = format!("{player}\n");
    if let Some(asked) = asked {
        page.push_str(&format!("{}\n", wrap(&super::arena::how_asked(asked), "  ", "  ")));
    }
    for (seat, word) in score.seats.iter().zip(["first", "second"]) {
        if seat.got.rounds == 0 && seat.exact().is_none() {
            continue;
        }
        page.push_str(&of_seat(&format!("Going {word}:"), seat));
    }
    if let Some(both) = score.both_seats() {
        page.push_str(&of_seat("Both seats together:", &both));
    }
    let unreadable = score.seats.iter().map(|seat| seat.got.refusals[Refused::Unreadable]).sum();
    if let Some(doubt) = super::arena::doubt(unreadable, score.unasked) {
        page.push_str(&format!("{}\n", wrap(&phrases::capitalised(&doubt), "  ", "  ")));
    }
    page + "\n"
}

fn of_seat(title: &str, seat: &SeatScore) -> String {
    let Tally { met, kept, subtle_met, subtle_kept } = seat.got.tally;
    let lines = [
        title.to_owned(),
        format!(
            "  perfect play wins {}, the careful guesser {}",
            exactly(seat.perfect()),
            exactly(seat.careful())
        ),
        format!("  this player wins {}", won(seat)),
        format!("  choices that mattered: {}", share(kept, met)),
        format!("  those that did not show it: {}", share(subtle_kept, subtle_met)),
        format!("  {}", refused(&seat.got)),
    ];
    lines.map(|line| format!("  {line}\n")).concat()
}

/// The first lines of a table in Markdown.
pub fn table_head() -> String {
    "| player | seat | perfect play wins | careful wins | this player wins | choices right | hidden ones right | illegal | unreadable |\n\
     |---|---|---|---|---|---|---|---|---|\n"
        .to_owned()
}

/// The lines of a player in it.
pub fn table(player: &str, score: &Score) -> String {
    let mut table = String::new();
    for (seat, word) in score.seats.iter().zip(["first", "second"]) {
        if seat.got.rounds == 0 && seat.exact().is_none() {
            continue;
        }
        let Tally { met, kept, subtle_met, subtle_kept } = seat.got.tally;
        table.push_str(&format!(
            "| {} | {word} | {} | {} | {} | {} | {} | {} | {} |\n",
            player.replace('|', "\\|") + if score.unasked > 0 { " (unreliable)" } else { "" },
            exactly(seat.perfect()),
            exactly(seat.careful()),
            won(seat),
            share(kept, met),
            share(subtle_kept, subtle_met),
            seat.got.refusals[Refused::Illegal],
            seat.got.refusals[Refused::Unreadable],
        ));
    }
    table
}

/// How many were won: exactly, if every chance is known, else as played.
fn won(seat: &SeatScore) -> String {
    match seat.exact() {
        Some(exact) => exactly(Some(exact)),
        None => share(seat.got.won, seat.got.over()),
    }
}

fn exactly(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// A share in percent, with where the true one lies 19 times out of 20, and how many it is of.
fn share(part: u32, whole: u32) -> String {
    match summary::interval(part, whole) {
        Some([low, high]) => format!(
            "{:.0} % ({:.0}-{:.0}) of {whole}",
            f64::from(part) / f64::from(whole) * 100.0,
            low * 100.0,
            high * 100.0
        ),
        None => "-".to_owned(),
    }
}

/// Answers that did not count, each kind apart.
fn refused(line: &Line) -> String {
    let counts = line.refusals.iter().map(|(refused, count)| format!("{}: {count}", refused.word()));
    counts.chain([format!("forfeited rounds: {}", line.forfeited)]).collect::<Vec<_>>().join(", ")
}
