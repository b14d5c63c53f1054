//! Two players' results against each other.

use crate::engine::position::{ByPlayer, Player};
use crate::evaluate::arena::{Meeting, PromptOptions};
use crate::evaluate::chances::Odds;
use crate::evaluate::summary::Summary;
use crate::format::Rulebook;
use crate::records::Refused;
use crate::words::answer::GRAMMAR;
use crate::words::opponents::exactly;
use crate::words::page::wrap;
use crate::words::summary::{legend, seats};
use crate::words::{phrases, prompt};

/// The page with two players' results in one game.
pub fn page(title: &str, rulebook: &Rulebook, names: &ByPlayer<String>, meeting: &Meeting) -> String {
    let ByPlayer([one, two]) = names;
    let mut page = format!("{}\n\n", wrap(&format!("{title}: {one} against {two}"), "", "  "));
    if let Some(why) = rulebook.unplayable() {
        page.push_str(&format!("{}\n\n", wrap(&why, "  ", "  ")));
    }
    if let Some(odds) = &meeting.exact {
        for first in Player::BOTH {
            let line = format!("{} goes first: {}", names[first], in_words(odds[first], names, first));
            page.push_str(&format!("{}\n", wrap(&line, "  ", "    ")));
        }
        page.push_str(&format!("\n{}\n\n", wrap(exactly(rulebook), "  ", "  ")));
    }
    for name in &names.0 {
        page.push_str(&seats(&meeting.summary.of_player(name)));
    }
    if let Some(place) = meeting.in_its_place.first() {
        let (program, other) = (&names[place.player], &names[!place.player]);
        page.push_str(&format!(
            "{}\n",
            wrap(&format!("In place of {program}, against {other}:"), "  ", "  ")
        ));
        for place in &meeting.in_its_place {
            let wins = |first: Player| percent(place.odds[first].wins[place.player]);
            let line = format!(
                "{} wins {} going first, {} going second",
                place.opponent.title(),
                wins(place.player),
                wins(!place.player)
            );
            page.push_str(&format!("{}\n", wrap(&line, "    ", "      ")));
        }
        page.push_str(&format!("{}\n\n", wrap(exactly(rulebook), "  ", "  ")));
    }
    if let Some(asked) = &meeting.asked {
        page.push_str(&format!("{}\n\n", wrap(&how_asked(asked), "  ", "  ")));
    }
    for player in Player::BOTH {
        let lines = meeting.summary.of_player(&names[player]);
        let unreadable = lines.lines().map(|(_, line)| line.refusals[Refused::Unreadable]).sum();
        if let Some(doubt) = doubt(unreadable, meeting.unasked[player]) {
            page.push_str(&format!("{}\n\n", wrap(&format!("{}: {doubt}", names[player]), "  ", "  ")));
        }
    }
    page
}

/// A warning about a result, if the program wrote more than moves.
pub(super) fn doubt(unreadable: u64, unasked: u64) -> Option<String> {
    let no_moves = phrases::count(unreadable, "answer wasn't a move", "answers weren't moves");
    let wrote = format!("wrote {} without being asked", phrases::count(unasked, "time", "times"));
    let what = match (unreadable, unasked) {
        (0, 0) => return None,
        (_, 0) => no_moves,
        (0, _) => format!("unreliable: it {wrote}"),
        (_, _) => format!("unreliable: {no_moves}, and it {wrote}"),
    };
    let counted = "Only the first line after each question counted as its answer.";
    let advice = if unasked > 0 { " Write only answers to standard output." } else { "" };
    Some(format!("{what}. {counted}{advice}"))
}

/// How outside programs were prompted.
pub(crate) fn how_asked(asked: &PromptOptions) -> String {
    let mut said = vec![match asked.tries {
        0 => "A program was asked once per turn".to_owned(),
        tries => format!("A program was asked up to {} times per turn", tries + 1),
    }];
    said.push(
        if asked.legal_list { "with a list of the legal moves" } else { "without a list of the legal moves" }
            .to_owned(),
    );
    if asked.prompt {
        said.push(format!("with a prompt for a language model (fingerprint {})", prompt::fingerprint()));
    }
    if let Some(seed) = asked.disguise {
        said.push(format!("as another story (seed {seed})"));
    }
    if asked.seat != "both" {
        said.push(format!("with Player 1 always going {}", asked.seat));
    }
    said.push(format!("answers read by grammar {GRAMMAR}"));
    format!("{}.", said.join(", "))
}

/// All games together, with an explanation of the numbers.
pub fn last(summary: &Summary, games: usize) -> String {
    if games <= 1 {
        return legend(summary);
    }
    let all = summary.total("all games");
    let per_game = "For a single game, the interval describes more rounds of that game.\n";
    seats(&all) + &legend(&all) + per_game
}

/// Odds, starting with the player who goes first.
fn in_words(odds: Odds, names: &ByPlayer<String>, first: Player) -> String {
    let wins = |player: Player| format!("{} wins {}", names[player], percent(odds.wins[player]));
    let drawn = match odds.drawn() {
        0.0 => String::new(),
        drawn => format!(", drawn {}", percent(drawn)),
    };
    format!("{}, {}{drawn}", wins(first), wins(!first))
}

/// A chance in percent: 0 or 100 only if the result is certain.
fn percent(chance: f64) -> String {
    let rounded = format!("{:.1}%", chance * 100.0);
    match (rounded.as_str(), chance) {
        ("0.0%", chance) if chance > 0.0 => "less than 0.1%".to_owned(),
        ("100.0%", chance) if chance < 1.0 - 1e-12 => "more than 99.9%".to_owned(),
        ("0.0%", _) => "0%".to_owned(),
        ("100.0%", _) => "100%".to_owned(),
        _ => rounded,
    }
}
