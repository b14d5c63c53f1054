//! The tones in every terminal, and the signs.

use ratatui::style::{Color, Style};

use spoton::engine::position::Player;

use super::pictures::approve;
use crate::screen::canvas::columns;
use crate::screen::theme::{ASCII, Ground, Palette, Signs, Theme, Tone, UNICODE};

pub const DARK: Theme = Theme { ground: Ground::Dark, palette: Palette::Many, signs: &UNICODE };
const LIGHT: Theme = Theme { ground: Ground::Light, ..DARK };
pub const ASCII_ONLY: Theme = Theme { signs: &ASCII, ..DARK };
const NO_COLOUR: Theme = Theme { palette: Palette::None, ..DARK };

/// Every kind of terminal, by the colours it supports.
pub const THEMES: [(&str, Theme); 5] = [
    ("dark", DARK),
    ("light", LIGHT),
    ("dark, 16 colours", Theme { palette: Palette::Sixteen, ..DARK }),
    ("light, 16 colours", Theme { palette: Palette::Sixteen, ..LIGHT }),
    ("no colour", NO_COLOUR),
];

const TONES: [Tone; 10] = [
    Tone::Plain,
    Tone::Faint,
    Tone::Strong,
    Tone::Number,
    Tone::Target,
    Tone::Good,
    Tone::Bad,
    Tone::Player(Player::One),
    Tone::Player(Player::Two),
    Tone::Chosen,
];

fn told(style: Style) -> String {
    let colours = [style.fg.map(|colour| colour.to_string()), style.bg.map(|colour| format!("on {colour}"))];
    let modifiers = style.add_modifier.iter_names().map(|(name, _)| name.to_lowercase());
    colours.into_iter().flatten().chain(modifiers).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_tone_looks_as_approved() {
    let row = |name: &str, looks: [String; THEMES.len()]| {
        let columns = looks.map(|looks| format!("{looks:<19}"));
        format!("{name:<13}{}", columns.concat()).trim_end().to_owned() + "\n"
    };
    let mut table = row("", THEMES.map(|(terminal, _)| terminal.to_owned()));
    for tone in TONES {
        table += &row(&format!("{tone:?}"), THEMES.map(|(_, theme)| told(theme.style(tone))));
    }
    approve("themes.txt", &table);
}

/// With colours, every tone looks different, except that the target looks like `Good`.
#[test]
fn tones_are_distinguishable() {
    for (terminal, theme) in THEMES.into_iter().filter(|(_, theme)| theme.palette != Palette::None) {
        for (index, one) in TONES.into_iter().enumerate() {
            for other in TONES.into_iter().skip(index + 1) {
                let alike = (one, other) == (Tone::Target, Tone::Good);
                assert_eq!(theme.style(one) == theme.style(other), alike, "{one:?}, {other:?}: {terminal}");
            }
        }
    }
}

/// Without colours, chosen, strong and faint text still stand out.
#[test]
fn without_colours_important_text_is_bold() {
    for tone in TONES {
        let style = NO_COLOUR.style(tone);
        assert_eq!((style.fg, style.bg), (None, None), "{tone:?}");
        let plain = matches!(tone, Tone::Plain | Tone::Player(_));
        assert_eq!(style == Style::new(), plain, "{tone:?}");
        for special in [Tone::Chosen, Tone::Faint].into_iter().filter(|special| *special != tone) {
            assert_ne!(style, NO_COLOUR.style(special), "{tone:?}");
        }
    }
}

/// Relative luminance, as in WCAG.
fn brightness(hex: [u8; 3]) -> f64 {
    let [red, green, blue] = hex.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// WCAG asks for a contrast of 4.5 to 1. The sixteen colours are the terminal's own, so only their brightness is checked.
#[test]
fn every_colour_can_be_read_on_its_ground() {
    use Color::{LightBlue, LightCyan, LightGreen, LightMagenta, LightRed, LightYellow};
    let bright = [LightBlue, LightCyan, LightGreen, LightMagenta, LightRed, LightYellow];
    for (terminal, theme) in THEMES {
        let ground = if theme.ground == Ground::Dark { [0x16, 0x18, 0x1d] } else { [0xff; 3] };
        for tone in TONES {
            match theme.style(tone).fg {
                Some(Color::Rgb(red, green, blue)) => {
                    let (text, ground) = (brightness([red, green, blue]) + 0.05, brightness(ground) + 0.05);
                    let contrast = text.max(ground) / text.min(ground);
                    assert!(contrast >= 4.5, "{tone:?}, {terminal}: {contrast:.2} to 1");
                }
                Some(Color::Blue) => assert_eq!(theme.ground, Ground::Light, "{tone:?}, {terminal}"),
                Some(colour) if bright.contains(&colour) => {
                    assert_eq!(theme.ground, Ground::Dark, "{tone:?}, {terminal}");
                }
                Some(colour) => assert!([Color::Red, Color::Green, Color::Magenta].contains(&colour)),
                None => {}
            }
        }
    }
}

/// Signs on the number line differ without colour.
#[test]
fn signs_take_one_column_and_differ() {
    for (signs, ascii) in [(UNICODE, false), (ASCII, true)] {
        let Signs { rule, line, tick, here, target, hit, stone, turned, block, cursor, arrow, .. } = signs;
        let Signs { dot, vertical, corners, left_right, beyond, sparks, counters, .. } = signs;
        let single = [rule, line, tick, target, hit, stone, turned, block, cursor, dot, vertical];
        for sign in single.into_iter().chain(here).chain(corners).chain(beyond).chain(sparks).chain(counters)
        {
            assert!(columns(sign) == 1 && sign.is_ascii() == ascii, "{sign}");
        }
        assert!(arrow.is_ascii() == ascii && left_right.is_ascii() == ascii);
        let on_the_number_line = [line, tick, here[0], here[1], target, hit, beyond[0], beyond[1]];
        for (index, sign) in on_the_number_line.iter().enumerate() {
            assert!(!on_the_number_line[..index].contains(sign), "{sign}");
        }
    }
}
