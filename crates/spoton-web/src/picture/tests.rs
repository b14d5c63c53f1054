//! The contents of the pictures.

use std::sync::Arc;

use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Draft, catalog};
use spoton::records::read_move;

use super::emblem::Emblem;
use super::face::{Moment, Mood, face, says};
use super::line::{MOST_ARCS, ROOM};
use super::*;

fn round(text: &str, moves: &[&str]) -> Round {
    let mut round = Round::new(Arc::new(Draft::read("test", text).build().unwrap()), Player::One);
    for written in moves {
        round.play(read_move(written, &round).unwrap()).unwrap();
    }
    round
}

/// Where each hop begins and ends, in percent.
fn ends(svg: &str) -> Vec<(f64, f64)> {
    let hops = svg.split("data-hop=\"").skip(1);
    let ends = hops.map(|hop| hop.split(['"', ' ']).take(2).map(|x| x.parse().unwrap()).collect());
    ends.map(|ends: Vec<f64>| (ends[0], ends[1])).collect()
}

/// The numbers below the line with their positions: on a phone, or on a wide screen.
fn numbers(svg: &str, is_wide: bool) -> Vec<(f64, String)> {
    let texts = svg.split("<text class=\"below").skip(1).filter(|text| is_wide || !text.contains("on-wide"));
    let number = |text: &str| {
        let x = text.split(" x=\"").nth(1)?.split('%').next()?.parse().ok()?;
        Some((x, text.split(['>', '<']).nth(1)?.to_owned()))
    };
    let mut numbers: Vec<(f64, String)> = texts.map(|text| number(text).unwrap()).collect();
    numbers.sort_by(|one, other| one.0.total_cmp(&other.0));
    numbers
}

/// Whether every element is closed in order, and every attribute is quoted.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some((text, after)) = rest.split_once('<') {
        if text.contains('>') || text.contains('&') {
            return false;
        }
        let Some((tag, after)) = after.split_once('>') else { return false };
        rest = after;
        if tag.matches('"').count() % 2 != 0 {
            return false;
        }
        match tag.strip_prefix('/') {
            Some(name) if open.pop() == Some(name) => {}
            Some(_) => return false,
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
    }
    open.is_empty() && rest.is_empty()
}

#[test]
fn every_hop_can_be_seen_at_every_target() {
    for target in [20_i64, 100, 5_000, 1_000_000, 1_000_000_000_000_000_000] {
        let text = format!("title = 'x'\nstart = 1\ntarget = {target}\nmoves = ['+1', 'x2']");
        for moves in [&["+1"][..], &["x2", "x2", "+1", "+1", "x2"], &["+1"; 12]] {
            let round = round(&text, moves);
            let svg = of_round(&round);
            assert!(is_well_formed(&svg), "{svg}");
            let hops = ends(&svg);
            assert_eq!(hops.len(), moves.len().min(MOST_ARCS));
            for (from, to) in hops {
                assert!((from - to).abs() >= ROOM.legible - 0.2, "{target}: {from} to {to}");
                assert!([from, to].iter().all(|x| (0.0..=100.0).contains(x)), "{target}: {from} to {to}");
            }
            // The target is always labelled, and no numbers overlap, on a phone or on a wide screen.
            for (is_wide, pixels) in [(false, 328.0), (true, 900.0)] {
                let numbers = numbers(&svg, is_wide);
                assert!(numbers.iter().any(|(_, number)| *number == target.to_string()), "{numbers:?}");
                for pair in numbers.windows(2) {
                    // Long numbers are smaller.
                    let half = |number: &str| {
                        let digit = if number.len() > 7 { 3.6 } else { 4.5 };
                        digit * number.len() as f64
                    };
                    let apart = (pair[1].0 - pair[0].0) / 100.0 * pixels;
                    assert!(apart >= half(&pair[0].1) + half(&pair[1].1), "{target}: {pair:?}");
                }
            }
        }
    }
}

#[test]
fn each_player_has_a_side_and_own_numbers_have_lines() {
    let maze = round(catalog::text("number-maze").unwrap(), &["x2", "+1"]);
    let svg = of_round(&maze);
    assert!(svg.contains("arc of-1\"") && svg.contains("arc of-2 last"), "{svg}");
    // Above the line, heights are negative.
    let heights: Vec<bool> =
        svg.split("data-hop=\"").skip(1).map(|hop| hop.split(' ').nth(2).unwrap().starts_with('-')).collect();
    assert_eq!(heights, [false, true], "{svg}");
    let duel = round(catalog::text("sequence-math-duel").unwrap(), &["x2", "+1"]);
    let lines = lines(&duel, &spoton::view::moves(&duel));
    assert_eq!(lines.iter().map(|line| line.owner).collect::<Vec<_>>(), Player::BOTH.map(Some));
    assert!(lines[0].svg.contains("arc of-1") && !lines[0].svg.contains("of-2"), "{}", lines[0].svg);
    assert!(lines[1].svg.contains("arc of-2") && !lines[1].svg.contains("of-1"), "{}", lines[1].svg);
}

#[test]
fn two_lines_have_one_scale_and_say_what_is_done_to_each() {
    let castles = round(catalog::text("two-castles").unwrap(), &["@-3", "-1"]);
    let lines = lines(&castles, &spoton::view::moves(&castles));
    let place = |line: &Line, wanted: &str| {
        numbers(&line.svg, false).into_iter().find(|(_, number)| number == wanted).map(|(x, _)| x)
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
    assert!(numbers(&svg, false).iter().any(|(_, number)| number == "4"), "{svg}");
}

#[test]
fn a_look_back_shows_the_better_move_and_where_it_turned() {
    let round = round(catalog::text("race-to-23").unwrap(), &["+1", "+2"]);
    let step = Step { moves: 0, turned: Some(0), better: Some(("+3".to_owned(), 3)) };
    let svg = looking_back(&round, &step).remove(0).svg;
    assert!(svg.contains("arc better") && svg.contains(">+3<") && svg.contains("class=\"turned\""), "{svg}");
    assert!(svg.contains(">+1<") && !svg.contains(">+2<"), "the next move hasn't been made yet: {svg}");
}

#[test]
fn the_large_number_is_always_there_and_fits_a_phone() {
    for (start, size) in [(7_i64, "short"), (1_234_567, "long"), (1_000_000_000_000_000_000, "longest")] {
        // No number is larger than the largest start.
        let text = format!("title = 'x'\nstart = {start}\ntarget = {}\nmoves = ['-1', '-7']", start - 7);
        let svg = of_round(&round(&text, &[]));
        let (_, here) = svg.split_once(&format!("class=\"here {size}\" x=\"")).expect(&svg);
        let x: f64 = here.split('%').next().unwrap().parse().unwrap();
        let pixels = match size {
            "short" => 46.0,
            "long" => 32.0,
            _ => 21.0,
        };
        let half = 0.3 * pixels * start.to_string().len() as f64 / 328.0 * 100.0;
        assert!(x >= half && x <= 100.0 - half, "{start} at {x}%");
        assert!(here.contains(&format!(">{start}<")), "{here}");
    }
}

#[test]
fn the_dot_lands_on_the_ring_or_falls_off_the_line() {
    let text = "title = 'x'\nstart = 0\ntarget = 4\nmoves = ['+1', '+3', '+5']";
    let on_its_way = of_round(&round(text, &["+1"]));
    assert!(!on_its_way.contains("on-target") && !on_its_way.contains("past-target"), "{on_its_way}");
    let landed = of_round(&round(text, &["+1", "+3"]));
    assert!(landed.contains("on-target") && !landed.contains("past-target"), "{landed}");
    let fallen = of_round(&round(text, &["+1", "+5"]));
    assert!(fallen.contains("past-target") && !fallen.contains("on-target"), "{fallen}");
}

#[test]
fn each_hop_has_what_motion_needs() {
    let castles = round(catalog::text("two-castles").unwrap(), &["@-3", "-1"]);
    let lines = lines(&castles, &spoton::view::moves(&castles));
    let moves = |line: &Line| {
        let moves = line.svg.split("data-move=\"").skip(1);
        moves.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!([moves(&lines[0]), moves(&lines[1])], [vec![], vec!["1".to_owned(), "0".to_owned()]]);
    assert!(lines.iter().all(|line| line.svg.contains("data-moves=\"2\"")), "both know the round's length");
    assert!(lines[1].svg.contains(" 15 12\" data-move=\"0\""), "{}", lines[1].svg);
}

#[test]
fn every_opponent_has_its_face_in_every_mood() {
    let mut known = Vec::new();
    for opponent in Opponent::for_people() {
        for mood in Mood::ALL {
            let svg = face(opponent, mood);
            assert!(is_well_formed(&svg) && svg.contains(mood.class()), "{opponent} {mood:?}: {svg}");
            assert!(!known.contains(&svg), "{opponent} {mood:?} looks like another");
            known.push(svg);
        }
        let lines = [Moment::Start, Moment::Won, Moment::Lost].map(|moment| says(opponent, moment));
        assert!(lines.iter().all(|said| said.is_some_and(|said| !said.contains('!'))), "{opponent}");
    }
    assert_eq!(known.len(), 6 * Mood::ALL.len());
    // A changed opponent keeps its face, and others have one, too.
    let dash = Opponent::parse("dash").unwrap();
    let slipping = Opponent::parse("dash:slip=0.5").unwrap();
    assert_eq!(face(slipping, Mood::Waiting), face(dash, Mood::Waiting));
    assert!(is_well_formed(&face(Opponent::perfect(), Mood::Thinking)));
    assert_eq!(says(Opponent::perfect(), Moment::Start), None);
}

#[test]
fn every_icon_is_a_picture() {
    assert!(is_well_formed(icon::LOGO) && is_well_formed(icon::WAITING));
    for (name, svg) in icon::ICONS {
        assert!(is_well_formed(svg) && svg.contains("aria-hidden"), "{name}: {svg}");
    }
}

fn emblem_of(text: &str) -> Emblem {
    Emblem::new(&Arc::new(Draft::read("test", text).build().unwrap()))
}

#[test]
fn every_game_has_an_emblem_inside_its_circle() {
    let odd = [
        "title = 'x'\nstart = 0\ntarget = 1\nmoves = ['+1']",
        "title = 'x'\nstart = 60\nrange = [1, 60]\nmoves = ['-divisor']",
        "title = 'x'\nstart = 1\ntarget = 900000000000000000\nmoves = ['x2', '+1', 'x9']",
        "title = 'x'\nstart = 5\ntarget = 17\nmoves = ['+1', '-1']\nrepetition = 3",
        "title = 'x'\nnumbers = 'separate'\nstart = [3, 9]\ntarget = 30\nmoves = ['+1..6', 'x3']",
        // No move is legal.
        "title = 'x'\nstart = 5\ntarget = 6\nmoves = ['+2']\npast = 'forbidden'",
    ];
    let mut tints = std::collections::BTreeSet::new();
    for text in catalog::ids().filter_map(catalog::text).chain(odd) {
        let emblem = emblem_of(text);
        let svg = emblem.svg();
        assert!(is_well_formed(&svg), "{svg}");
        assert_eq!(svg, emblem_of(text).svg(), "it never changes");
        tints.insert(emblem.tint);
        let inside = |x: f64, y: f64| (x - 48.0).hypot(y - 48.0) <= 46.0;
        for hop in &emblem.hops {
            let top = hop.line + hop.height;
            assert!(inside(hop.from, hop.line) && inside(hop.to, hop.line), "{text}: {hop:?}");
            assert!(inside(f64::midpoint(hop.from, hop.to), top), "{text}: {hop:?}");
        }
        assert!(emblem.dots.iter().chain(&emblem.target).all(|(x, y)| inside(*x, *y)), "{text}: {emblem:?}");
    }
    assert!(tints.len() > 2, "the tints differ: {tints:?}");
}

#[test]
fn an_emblem_shows_the_first_hops() {
    let maze = emblem_of(catalog::text("number-maze").unwrap());
    assert!(maze.hops.len() > 2 && maze.target.is_some() && maze.dots.len() == 1, "{maze:?}");
    assert!(maze.hops[0].height < 0.0 && maze.hops[1].height > 0.0, "the players take turns: {maze:?}");
    let duel = emblem_of(catalog::text("sequence-math-duel").unwrap());
    assert_eq!((duel.lines.len(), duel.dots.len()), (2, 2), "a line each");
    let stuck = emblem_of("title = 'x'\nstart = 5\ntarget = 6\nmoves = ['+2']\npast = 'forbidden'");
    assert!(stuck.hops.is_empty() && stuck.dots.len() == 1, "{stuck:?}");
}
