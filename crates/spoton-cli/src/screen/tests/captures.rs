//! The pictures that the README shows, drawn by the program itself: `SPOTON_UPDATE=1 cargo test -p spoton-cli captures`
//! makes them anew.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use spoton::format::catalog;

use super::Try;
use super::board::sit_down;

const COLUMN: f64 = 8.4;
const ROW: f64 = 18.0;
const MARGIN: f64 = 12.0;

/// A screen as a picture for a page.
fn svg(buffer: &Buffer) -> String {
    picture(buffer, "", &drawn(buffer))
}

/// Screens one after another, for as many seconds each, over and over. Who wants no motion sees the last of them.
fn moving(frames: &[Buffer], seconds: f64) -> String {
    let (share, all) = (100.0 / frames.len() as f64, seconds * frames.len() as f64);
    let style = format!(
        "<style>.frame {{ visibility: hidden; animation: show {all}s step-end infinite }}\n\
         @keyframes show {{ 0% {{ visibility: visible }} {share:.3}% {{ visibility: hidden }} }}\n\
         @media (prefers-reduced-motion: reduce) {{ .frame {{ animation: none }} .frame:last-child {{ visibility: visible }} }}\n\
         </style>\n"
    );
    let frame = |(place, buffer): (usize, &Buffer)| {
        let begins = seconds * place as f64;
        format!("<g class=\"frame\" style=\"animation-delay: {begins}s\">\n{}</g>\n", drawn(buffer))
    };
    picture(&frames[0], &style, &frames.iter().enumerate().map(frame).collect::<String>())
}

/// A window with something drawn in it, as large as a screen.
fn picture(screen: &Buffer, style: &str, drawn: &str) -> String {
    let (width, height) = (f64::from(screen.area.width) * COLUMN, f64::from(screen.area.height) * ROW);
    let (full_width, full_height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width:.1} {full_height:.1}\" \
         width=\"{full_width:.0}\" role=\"img\">\n{style}<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" \
         fill=\"#d8dbe2\" xml:space=\"preserve\">\n{drawn}</g>\n</svg>\n"
    )
}

/// What stands on a screen, in its colours.
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

/// Every letter has its own place, so that any font will do; spaces stay, for viewers that do not know about places; blocks
/// are drawn, so that they close up.
fn draw_text(picture: &mut String, text: &str, (left, top): (f64, f64), style: &str) {
    let place = |index: usize| left + index as f64 * COLUMN;
    let last = text.trim_end().chars().count();
    let first = text.chars().take_while(|letter| [' ', '█'].contains(letter)).count();
    let (mut letters, mut places) = (String::new(), Vec::new());
    let mut blocks = 0;
    for (index, letter) in text.chars().chain([' ']).enumerate() {
        if letter == '█' {
            blocks += 1;
        } else if blocks > 0 {
            let (x, width) = (place(index - blocks), blocks as f64 * COLUMN);
            let _ = writeln!(
                picture,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{ROW}\"{style}/>"
            );
            blocks = 0;
        }
        if !(first..last).contains(&index) {
            continue;
        }
        match letter {
            '█' => letters.push(' '),
            '&' => letters += "&amp;",
            '<' => letters += "&lt;",
            letter => letters.push(letter),
        }
        places.push(format!("{:.1}", place(index)));
    }
    if !letters.trim().is_empty() {
        let _ = writeln!(
            picture,
            "<text xml:space=\"preserve\" x=\"{}\" y=\"{:.1}\"{style}>{letters}</text>",
            places.join(" "),
            top + 13.5
        );
    }
}

#[track_caller]
fn is_in_the_readme(picture: &str, name: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/pictures").join(name);
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, picture).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == picture,
        "{name} shows something that is no longer so"
    );
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains(&format!("docs/pictures/{name}")), "the README does not show {name}");
}

#[test]
fn the_board() {
    let mut at = Try::new();
    at.enter();
    at.keys("2");
    at.keys("h");
    is_in_the_readme(&svg(&at.buffer((80, 24))), "board.svg");
}

#[test]
fn looking_back() {
    let mut at = Try::new();
    sit_down(&mut at, catalog::FIRST, &[]);
    at.keys("12122");
    at.keys("r");
    is_in_the_readme(&svg(&at.buffer((80, 24))), "looking-back.svg");
}

#[test]
fn a_round() {
    let mut at = Try::new();
    sit_down(&mut at, "number-maze", &[]);
    let mut frames = vec![at.buffer((80, 24))];
    for key in ["1", "2", "1", "2", "2"] {
        at.keys(key);
        at.settle();
        frames.push(at.buffer((80, 24)));
    }
    is_in_the_readme(&moving(&frames, 1.8), "round.svg");
}
