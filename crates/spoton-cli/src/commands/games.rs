//! `spoton games`: the list of games, or of opponents.

use std::io::Write;

use clap::Args;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Listed, shown};
use spoton::json;
use spoton::words::describe;
use spoton::words::page::wrap;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::args::{Entry, json_option, read};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::shown::{coloured_out, json_out};

pub const COMMAND: Entry = Entry {
    group: Some("Play"),
    name: "games",
    about: "List the games",
    arguments: GamesArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

#[derive(Args, Debug)]
pub struct GamesArgs {
    /// Also show summaries and variants
    #[arg(long, conflicts_with_all = ["json", "opponents"])]
    pub long: bool,

    /// List the computer opponents instead, from easy to hard
    #[arg(long)]
    pub opponents: bool,

    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

const WIDTH: usize = 80;
/// Maximum width of the id column. A longer id leaves less room for its summary.
const WIDEST: usize = 24;

fn run(args: &GamesArgs, colour: Colour) -> Result<(), Failure> {
    if args.opponents {
        return opponents(args.json, colour);
    }
    let games = game::all(&Folders::usual());
    let games: Vec<&Listed> = games.iter().map(|found| &found.listed).collect();
    if args.json {
        json_out().answer(&json::games(games.iter().copied()))?;
        return Ok(());
    }
    let page = if args.long { long(&games, colour) } else { short(&games, colour) };
    coloured_out(colour).write_all(page.as_bytes())?;
    Ok(())
}

/// One line per game.
fn short(games: &[&Listed], colour: Colour) -> String {
    let column = games.iter().map(|listed| listed.id.width()).filter(|width| *width <= WIDEST).max();
    let column = column.unwrap_or(0) + 2;
    let mut page = String::new();
    let mut is_own = false;
    for listed in games {
        if listed.own_file && !is_own {
            page.push_str("\nYour own games:\n");
            is_own = true;
        }
        let id = cut(&shown(&listed.id), WIDTH - 30);
        let pad = column.saturating_sub(id.width()).max(2);
        let about = match &listed.rulebook {
            Some(rulebook) => cut(&shown(&describe::summary(rulebook)), WIDTH - id.width() - pad),
            None => "not valid; spoton check shows the errors".to_owned(),
        };
        page.push_str(&format!("{}{:pad$}{about}\n", colour.name(&id), ""));
    }
    page + "\nspoton play GAME starts a round, spoton rules GAME explains a game,\n\
            and spoton games --long shows summaries and variants.\n"
}

/// Takes as many whole sentences as fit. If none fits, cuts the text at a word and adds an ellipsis.
fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    if let Some(end) = ends.filter(|end| text[..*end].width() <= room).last() {
        return text[..end].to_owned();
    }
    let mut width = 1;
    let fits = text.char_indices().take_while(|(_, c)| {
        width += c.width().unwrap_or(0);
        width <= room
    });
    let end = fits.last().map_or(0, |(at, c)| at + c.len_utf8());
    let piece = &text[..end];
    let at_a_word = piece.rsplit_once(' ').map_or(piece, |(words, _)| words);
    format!("{}…", at_a_word.trim_end_matches([',', ';', ':', '.']))
}

/// Every game with its summary and variants.
fn long(games: &[&Listed], colour: Colour) -> String {
    let mut page = String::new();
    for listed in games {
        let Some(rulebook) = &listed.rulebook else {
            let id = colour.name(&listed.id);
            page.push_str(&format!(
                "{id}\n    This rule book isn't valid; spoton check shows the errors.\n\n"
            ));
            continue;
        };
        let mark = if listed.own_file { "  (your own)" } else { "" };
        page.push_str(&format!("{}  {}{mark}\n", colour.name(&listed.id), rulebook.title()));
        page.push_str(&format!("{}\n", wrap(&describe::summary(rulebook), "    ", "    ")));
        if let Some(suits) = rulebook.suits() {
            page.push_str(&format!("{}\n", wrap(&format!("For {suits}."), "    ", "    ")));
        }
        if !listed.variants.is_empty() {
            page.push_str(&format!("{}\n", wrap(&listed.variants.join(", "), "    Variants: ", "    ")));
        }
        page.push('\n');
    }
    page + "spoton play GAME starts a round; spoton rules GAME explains a game.\n"
}

/// Lists all opponents.
pub fn opponents(json: bool, colour: Colour) -> Result<(), Failure> {
    match json {
        true => json_out().answer(&json::opponents())?,
        false => coloured_out(colour).write_all(everybody(colour).as_bytes())?,
    }
    Ok(())
}

fn everybody(colour: Colour) -> String {
    let mut page = "Opponents for --vs NAME, from easy to hard:\n\n".to_owned();
    for opponent in Opponent::for_people() {
        page.push_str(&line(opponent, colour));
    }
    let others = "easy, medium and hard mean pip, momo and sage; adaptive adjusts to your results.";
    page.push_str(&format!("\n{}\n", wrap(others, "  ", "  ")));
    page.push_str("\nReference opponents, which never change:\n\n");
    for opponent in Opponent::all().filter(|opponent| opponent.is_reference()) {
        page.push_str(&line(opponent, colour));
    }
    let more =
        "spoton audit GAME shows their exact odds in a game. NAME:slip=0.1 sets how often an opponent slips.";
    page.push_str(&format!("\n{}\n", wrap(more, "", "")));
    page
}

/// An opponent and its habit, wrapped.
fn line(opponent: Opponent, colour: Colour) -> String {
    let name = opponent.to_string();
    let line =
        format!("{}\n", wrap(&format!("{}.", opponent.habit()), &format!("  {name:<8} "), "           "));
    line.replacen(&name, &colour.name(&name), 1)
}
