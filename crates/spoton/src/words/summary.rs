//! Results over many rounds, as a page.

use crate::evaluate::summary::{Line, Share, Summary, Unit};
use crate::records::Refused;
use crate::words::page::{WIDTH, columns_within, wrap};

/// The smallest whole with a meaningful interval.
const ENOUGH: u32 = 10;

/// The summary as a page: a few lines per seat, and the legend.
pub fn page(summary: &Summary) -> String {
    seats(summary) + &legend(summary)
}

/// A few lines per seat.
pub fn seats(summary: &Summary) -> String {
    let mut page = String::new();
    for (seat, line) in summary.lines() {
        let numbers = [
            ("Rounds", line.rounds.to_string()),
            ("Won", share(line.won_share())),
            ("Drawn", line.drawn.to_string()),
            ("Lost", line.lost.to_string()),
            ("At best", share(line.at_best_share())),
            ("Right", share(line.kept_share())),
            ("Hidden", share(line.subtle_share())),
            ("Illegal", line.refusals[Refused::Illegal].to_string()),
        ];
        // Only outside programs have rejected answers, and good ones don't.
        let of_programs = [
            ("Unreadable", line.refusals[Refused::Unreadable]),
            ("Late", line.refusals[Refused::Late]),
            ("Died", line.refusals[Refused::Died]),
            ("Flooded", line.refusals[Refused::Flooded]),
            ("Forfeited", line.forfeited.into()),
        ];
        let of_programs = of_programs.into_iter().filter(|(_, number)| *number > 0);
        let of_programs = of_programs.map(|(name, number)| (name, number.to_string()));
        let numbers = numbers.into_iter().chain(of_programs);
        let numbers: Vec<String> = numbers.map(|(name, number)| format!("{name}: {number}")).collect();
        let who = format!("{}, {}, goes {}", seat.player, seat.game, seat.word());
        page.push_str(&format!("{}\n", wrap(&who, "", "  ")));
        page.push_str(&format!("{}\n\n", indented(&columns_within(&numbers, WIDTH - INDENT.len()))));
    }
    page
}

/// The legend.
pub fn legend(summary: &Summary) -> String {
    let mut page = "At best: rounds with the best possible result against a perfect player.\n\
        Right: correct choices, out of those that mattered.\n\
        Hidden: the same, if the best move wasn't obvious.\n\
        Illegal: answers that broke the rules.\n\
        Unfinished rounds count only as rounds.\n"
        .to_owned();
    let of_programs = |(refused, count): (Refused, u64)| refused != Refused::Illegal && count > 0;
    let has_failed = |line: &Line| line.forfeited > 0 || line.refusals.iter().any(of_programs);
    if summary.lines().any(|(_, line)| has_failed(line)) {
        page += "Unreadable, late, died, flooded: a program did this instead of giving a move.\n\
            Forfeited: rounds that ended this way. A forfeit isn't a win for\n\
            the opponent; it counts only as a round.\n\
            If the missed choice mattered, it counts as wrong.\n";
    }
    let about = match summary.lines().next().map(|(_, line)| line.unit) {
        Some(Unit::Game) => "for other games like these",
        Some(Unit::Round) | None => "for more rounds of the game",
    };
    page + &format!("In brackets, for 10 or more: the 95% interval {about}.\n")
}

/// The indentation of a seat's numbers.
const INDENT: &str = "  ";

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("{INDENT}{line}")).collect::<Vec<_>>().join("\n")
}

/// A share, with its interval if the whole is large enough.
fn share(Share { part, whole, interval }: Share) -> String {
    match interval.filter(|_| whole >= ENOUGH) {
        Some([low, high]) => format!("{part} of {whole} ({:.0}-{:.0}%)", low * 100.0, high * 100.0),
        None if whole > 0 => format!("{part} of {whole}"),
        None => "-".to_owned(),
    }
}
