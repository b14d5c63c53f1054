//! The pictures in the README and the docs, drawn by the program.
//!
//! `SPOTON_UPDATE=1 cargo test -p spoton-cli captures` redraws them.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use spoton::engine::position::ByPlayer;
use spoton::format::catalog;

use super::Try;
use super::board::sit_down;

/// The screen size for the pictures.
const SIZE: (u16, u16) = (80, 24);
const COLUMN: f64 = 8.4;
const ROW: f64 = 18.0;
const MARGIN: f64 = 12.0;

/// The SVG frame around screens.
fn framed(size: (u16, u16), screens: &str) -> String {
    let (width, height) = (f64::from(size.0) * COLUMN, f64::from(size.1) * ROW);
    let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 {width:.1} {height:.1}\" \
         width=\"{width:.0}\" role=\"img\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" \
         fill=\"#d8dbe2\">\n{screens}</g>\n</svg>\n"
    )
}

/// An animation of screens in a loop. Without animation support the last one is shown.
fn moving(screens: &[Buffer]) -> String {
    const SECONDS: f64 = 1.6;
    // The last screen is shown longer.
    let all = SECONDS * (screens.len() + 2) as f64;
    let mut pictures = String::new();
    for (index, screen) in screens.iter().enumerate() {
        let last = index + 1 == screens.len();
        let from = SECONDS * index as f64 / all;
        let until = if last { 1.0 } else { SECONDS * (index + 1) as f64 / all };
        let shown = if last { "visible" } else { "hidden" };
        let _ = writeln!(
            pictures,
            "<g visibility=\"{shown}\">\n<animate attributeName=\"visibility\" calcMode=\"discrete\" \
             values=\"hidden;visible;hidden\" keyTimes=\"0;{from:.4};{until:.4}\" dur=\"{all:.1}s\" \
             repeatCount=\"indefinite\"/>\n{}</g>",
            drawn(screen)
        );
    }
    framed((screens[0].area.width, screens[0].area.height), &pictures)
}

/// A screen as SVG.
fn svg(buffer: &Buffer) -> String {
    framed((buffer.area.width, buffer.area.height), &drawn(buffer))
}

fn drawn(buffer: &Buffer) -> String {
    let mut picture = String::new();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let style = buffer[(x, y)].style();
            let from = x;
            let mut text = String::new();
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                text += buffer[(x, y)].symbol();
                x += 1;
            }
            let reversed = style.add_modifier.contains(Modifier::REVERSED);
            if text.trim().is_empty() && !reversed {
                continue;
            }
            let left = MARGIN + f64::from(from) * COLUMN;
            let top = MARGIN + f64::from(y) * ROW;
            let length = f64::from(x - from) * COLUMN;
            if reversed {
                let _ = writeln!(
                    picture,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{length:.1}\" height=\"{ROW}\" fill=\"#d8dbe2\"/>"
                );
            }
            let fill = match style.fg {
                _ if reversed => " fill=\"#16181d\"".to_owned(),
                Some(Color::Rgb(red, green, blue)) => format!(" fill=\"#{red:02x}{green:02x}{blue:02x}\""),
                _ => String::new(),
            };
            let bold = if style.add_modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
            draw_text(&mut picture, &text, (left, top), &format!("{fill}{bold}"));
        }
    }
    picture
}

/// Every word gets an explicit position and length, so that any font works. Blocks and dots are shapes.
fn draw_text(picture: &mut String, text: &str, (left, top): (f64, f64), style: &str) {
    let place = |index: usize| left + index as f64 * COLUMN;
    let letters: Vec<char> = text.chars().collect();
    let mut index = 0;
    for run in letters.chunk_by(|one, other| kind(*one) == kind(*other) && half(*one) == half(*other)) {
        let (x, width) = (place(index), run.len() as f64 * COLUMN);
        match kind(run[0]) {
            Kind::Gap => {}
            Kind::Block => {
                let (from, height) = half(run[0]);
                let _ = writeln!(
                    picture,
                    "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height}\"{style}/>",
                    top + from
                );
            }
            Kind::Dots => {
                for (place_of, letter) in (index..).zip(run) {
                    draw_dots(picture, *letter, (place(place_of), top), style);
                }
            }
            Kind::Word => {
                let word: String = run.iter().collect();
                let word = word.replace('&', "&amp;").replace('<', "&lt;");
                let _ = writeln!(
                    picture,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\"{style}>{word}</text>",
                    top + 13.5
                );
            }
        }
        index += run.len();
    }
}

/// How to draw a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gap,
    Block,
    Dots,
    Word,
}

fn kind(letter: char) -> Kind {
    match letter {
        ' ' => Kind::Gap,
        '█' | '▀' | '▄' => Kind::Block,
        '\u{2800}'..='\u{28ff}' => Kind::Dots,
        _ => Kind::Word,
    }
}

/// A block's top within its row, and its height.
fn half(block: char) -> (f64, f64) {
    match block {
        '▀' => (0.0, ROW / 2.0),
        '▄' => (ROW / 2.0, ROW / 2.0),
        _ => (0.0, ROW),
    }
}

/// Draws the dots of an arc.
fn draw_dots(picture: &mut String, letter: char, (left, top): (f64, f64), style: &str) {
    const BITS: [[u32; 4]; 2] = [[0, 1, 2, 6], [3, 4, 5, 7]];
    for (x, column) in BITS.iter().enumerate() {
        for (y, bit) in column.iter().enumerate() {
            if letter as u32 >> bit & 1 == 1 {
                let (x, y) = (left + (x as f64 + 0.5) * COLUMN / 2.0, top + (y as f64 + 0.5) * ROW / 4.0);
                let _ = writeln!(picture, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.3\"{style}/>");
            }
        }
    }
}

#[track_caller]
fn is_shown(picture: &str, name: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/pictures").join(name);
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, picture).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == picture, "{name} is out of date");
    let texts = ["README.md", "docs/playing.md"].map(|page| fs::read_to_string(root.join(page)).unwrap());
    assert!(
        texts.concat().contains(&format!("pictures/{name}")),
        "neither the README nor the docs show {name}"
    );
}

/// A round from start to end.
#[test]
fn a_round() {
    let mut at = Try::new();
    at.sit_down(catalog::text(catalog::FIRST).unwrap(), |setup| {
        setup.names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
    });
    let mut screens = vec![at.buffer(SIZE)];
    for key in ["2", "2", "1", "2", "2"] {
        at.keys(key);
        screens.push(at.buffer(SIZE));
    }
    at.sees("Spot on.");
    is_shown(&moving(&screens), "round.svg");
}

#[test]
fn the_board() {
    let mut at = Try::new();
    at.enter();
    at.keys("2");
    at.keys("h");
    is_shown(&svg(&at.buffer(SIZE)), "board.svg");
}

#[test]
fn looking_back() {
    let mut at = Try::new();
    sit_down(&mut at, catalog::FIRST, &[]);
    at.keys("12122");
    at.keys("r");
    is_shown(&svg(&at.buffer(SIZE)), "looking-back.svg");
}
