//! What the pictures contain.

use super::ROOM;
use super::*;
use spoton::format::{Draft, catalog};
use spoton::records::read_move;
use std::sync::Arc;

fn round(text: &str, moves: &[&str]) -> Round {
    let mut round = Round::new(Arc::new(Draft::read("test", text).build().unwrap()), Player::One);
    for written in moves {
        round.play(read_move(written, &round).unwrap()).unwrap();
    }
    round
}

/// The x coordinates of a path's first and last points.
fn ends(path: &str) -> (f64, f64) {
    let numbers: Vec<f64> = path.split([' ', 'C', 'M']).filter_map(|number| number.parse().ok()).collect();
    (numbers[0], numbers[numbers.len() - 2])
}

/// The numbers below the line, with their positions.
fn numbers(svg: &str) -> Vec<(f64, String)> {
    let texts = svg.split("<text").skip(1).filter(|text| !text.starts_with(" class=\"op"));
    let number = |text: &str| {
        let x = text.split(" x=\"").nth(1)?.split('"').next()?.parse().ok()?;
        Some((x, text.split(['>', '<']).nth(1)?.to_owned()))
    };
    let mut numbers: Vec<(f64, String)> = texts.map(|text| number(text).unwrap()).collect();
    numbers.sort_by(|one, other| one.0.total_cmp(&other.0));
    numbers
}

#[test]
fn every_hop_can_be_seen_at_every_target() {
    for target in [20_i64, 100, 5_000, 1_000_000, 1_000_000_000_000_000_000] {
        let text = format!("title = 'x'\nstart = 1\ntarget = {target}\nmoves = ['+1', 'x2']");
        for moves in [&["+1"][..], &["x2", "x2", "+1", "+1", "x2"], &["+1"; 12]] {
            let round = round(&text, moves);
            let svg = of_round(&round);
            let arcs = svg.split("<path class=\"arc of-").skip(1);
            let arcs: Vec<&str> = arcs.map(|arc| arc.split('"').nth(2).unwrap()).collect();
            assert_eq!(arcs.len(), moves.len().min(MOST_ARCS));
            for (from, to) in arcs.into_iter().map(ends) {
                assert!((from - to).abs() >= ROOM.legible - 0.2, "{target}: {from} to {to}");
                assert!([from, to].iter().all(|x| (0.0..=WIDTH).contains(x)), "{target}: {from} to {to}");
            }
            // The target is always labelled, and no numbers overlap.
            let numbers = numbers(&svg);
            assert!(numbers.iter().any(|(_, number)| *number == target.to_string()), "{numbers:?}");
            for pair in numbers.windows(2) {
                let digits = pair[0].1.len() + pair[1].1.len();
                assert!(pair[1].0 - pair[0].0 >= 4.0 * digits as f64, "{target}: {pair:?}");
            }
        }
    }
}

#[test]
fn each_player_has_a_side_and_own_numbers_have_lines() {
    let maze = round(catalog::text("number-maze").unwrap(), &["x2", "+1"]);
    let svg = of_round(&maze);
    assert!(svg.contains("arc of-1\"") && svg.contains("arc of-2 last"), "{svg}");
    let duel = round(catalog::text("sequence-math-duel").unwrap(), &["x2", "+1"]);
    let lines = lines(&duel, &view::moves(&duel));
    assert_eq!(lines.iter().map(|line| line.owner).collect::<Vec<_>>(), Player::BOTH.map(Some));
    assert!(lines[0].svg.contains("of-1") && !lines[0].svg.contains("of-2"), "{}", lines[0].svg);
    assert!(lines[1].svg.contains("of-2") && !lines[1].svg.contains("of-1"), "{}", lines[1].svg);
}

#[test]
fn two_lines_have_one_scale_and_say_what_is_done_to_each() {
    let castles = round(catalog::text("two-castles").unwrap(), &["@-3", "-1"]);
    let lines = lines(&castles, &view::moves(&castles));
    let place = |line: &Line, wanted: &str| {
        numbers(&line.svg).into_iter().find(|(_, number)| number == wanted).map(|(x, _)| x)
    };
    assert!(place(&lines[0], "15").is_some() && place(&lines[0], "15") == place(&lines[1], "15"));
    assert!(lines[1].svg.contains(">-3<") && !lines[1].svg.contains('@'), "{}", lines[1].svg);
}

#[test]
fn a_number_that_loses_looks_like_no_target() {
    let loses = of_round(&round(catalog::text("twenty-one-loses").unwrap(), &[]));
    assert!(loses.contains("class=\"pit\"") && !loses.contains("class=\"target"), "{loses}");
    let wins = of_round(&round(catalog::text("race-to-23").unwrap(), &[]));
    assert!(wins.contains("class=\"target\"") && !wins.contains("pit"), "{wins}");
}

#[test]
fn the_turning_point_has_its_number() {
    let round = round(catalog::text("race-to-23").unwrap(), &["+3", "+1", "+1", "+4", "+4", "+4", "+4"]);
    let svg = looking_back(&round, &Step { moves: 5, turned: Some(2), better: None }).remove(0).svg;
    assert!(numbers(&svg).iter().any(|(_, number)| number == "4"), "{svg}");
}

#[test]
fn a_look_back_shows_the_better_move_and_where_it_turned() {
    let round = round(catalog::text("race-to-23").unwrap(), &["+1", "+2"]);
    let step = Step { moves: 0, turned: Some(0), better: Some(("+3".to_owned(), 3)) };
    let svg = looking_back(&round, &step).remove(0).svg;
    assert!(svg.contains("arc better") && svg.contains(">+3<") && svg.contains("class=\"turned\""), "{svg}");
    assert!(svg.contains(">+1<") && !svg.contains(">+2<"), "the next move hasn't been made yet: {svg}");
}
