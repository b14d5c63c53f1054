//! Colours for light and dark terminals, or none, and the characters to draw with.
//!
//! Colour never carries information alone: there is always a character or a word for it.

use std::ffi::OsString;

use ratatui::style::{Color, Modifier, Style};
use spoton::engine::position::Player;

use super::arcs::Pen;

/// The role of a screen element, which determines its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    /// Frames, and what can't be chosen.
    Faint,
    /// Titles and keys.
    Strong,
    /// The number in play.
    Number,
    Target,
    Player(Player),
    /// The item under the cursor.
    Chosen,
    Good,
    Bad,
}

/// The terminal's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    Dark,
    Light,
}

/// The colours available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// No colours: only bold, dim and reverse video.
    None,
    /// The terminal's own sixteen colours.
    Sixteen,
    Many,
}

#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub ground: Ground,
    pub palette: Palette,
    pub signs: &'static Signs,
}

/// The characters to draw with.
#[derive(Debug)]
pub struct Signs {
    pub rule: &'static str,
    pub line: &'static str,
    /// A visited number.
    pub tick: &'static str,
    pub here: [&'static str; 2],
    pub target: &'static str,
    /// A target that loses.
    pub shunned: &'static str,
    /// A target that was hit.
    pub hit: &'static str,
    pub stone: &'static str,
    pub turned: &'static str,
    pub block: &'static str,
    /// The upper and the lower half of a block, if available.
    pub halves: Option<[&'static str; 2]>,
    pub cursor: &'static str,
    pub arrow: &'static str,
    pub dot: &'static str,
    /// The separator of the line to share. Not a minus: some moves begin with one.
    pub between: &'static str,
    pub vertical: &'static str,
    pub corners: [&'static str; 4],
    pub left_right: &'static str,
    /// The arrow keys: left, right, up and down.
    pub arrows: [&'static str; 4],
    /// Marks of a number before the line's start and past its end.
    pub beyond: [&'static str; 2],
    /// A counter, one about to be taken, and one that is gone.
    pub counters: [&'static str; 3],
    /// A small and a large spark.
    pub sparks: [&'static str; 2],
    /// The character set of arcs.
    pub pen: Pen,
}

/// The names of the arrow keys, in the order of [`Signs::arrows`].
const ARROW_KEYS: [&str; 4] = ["Left", "Right", "Up", "Down"];

impl Signs {
    /// A key's name for display, with arrows for arrow keys if available.
    pub fn key(&self, name: &str) -> String {
        ARROW_KEYS
            .into_iter()
            .zip(self.arrows)
            .fold(name.to_owned(), |name, (key, sign)| name.replace(key, sign))
    }
}

pub const UNICODE: Signs = Signs {
    rule: "─",
    line: "─",
    tick: "┴",
    here: ["●", "◆"],
    target: "◎",
    shunned: "╳",
    hit: "◉",
    stone: "▴",
    turned: "▲",
    block: "█",
    halves: Some(["▀", "▄"]),
    cursor: "▸",
    arrow: "→",
    dot: "·",
    between: "·",
    vertical: "│",
    corners: ["╭", "╮", "╰", "╯"],
    left_right: "←→",
    arrows: ["←", "→", "↑", "↓"],
    beyond: ["«", "»"],
    counters: ["●", "○", "·"],
    sparks: ["·", "✦"],
    pen: Pen::Braille,
};

pub const ASCII: Signs = Signs {
    rule: "-",
    line: "-",
    tick: "+",
    here: ["@", "#"],
    target: "X",
    shunned: "!",
    hit: "*",
    stone: "^",
    turned: "^",
    block: "#",
    halves: None,
    cursor: ">",
    arrow: "to",
    dot: "-",
    between: "|",
    vertical: "|",
    corners: ["+", "+", "+", "+"],
    left_right: "left/right",
    arrows: ["<-", "->", "Up", "Down"],
    beyond: ["<", ">"],
    counters: ["O", "o", "."],
    sparks: [".", "*"],
    pen: Pen::Plain,
};

impl Theme {
    /// The theme for the terminal. `ground` and `ascii` are the player's choices.
    pub fn detect(ground: Option<Ground>, ascii: bool, no_colour: bool) -> Theme {
        let variable = |name: &str| std::env::var_os(name).unwrap_or_default();
        Theme::from_environment(ground, ascii, no_colour, &variable)
    }

    fn from_environment(
        ground: Option<Ground>,
        ascii: bool,
        no_colour: bool,
        variable: &dyn Fn(&str) -> OsString,
    ) -> Theme {
        let text = |name: &str| variable(name).to_string_lossy().to_lowercase();
        // Some terminals report "foreground;background" as indices of the sixteen colours.
        let light = || matches!(text("COLORFGBG").rsplit(';').next(), Some("7" | "15"));
        let ground = ground.unwrap_or_else(|| if light() { Ground::Light } else { Ground::Dark });
        let many = matches!(text("COLORTERM").as_str(), "truecolor" | "24bit");
        let palette = match () {
            () if no_colour => Palette::None,
            () if many => Palette::Many,
            () => Palette::Sixteen,
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(text).into_iter().find(|value| !value.is_empty());
        let unicode = locale.is_some_and(|locale| locale.contains("utf-8") || locale.contains("utf8"));
        let bare_console = text("TERM") == "linux";
        let signs = if ascii || !unicode || bare_console { &ASCII } else { &UNICODE };
        Theme { ground, palette, signs }
    }

    /// The theme for the other background.
    pub fn turned_over(self) -> Theme {
        let ground = match self.ground {
            Ground::Dark => Ground::Light,
            Ground::Light => Ground::Dark,
        };
        Theme { ground, ..self }
    }

    pub fn style(self, tone: Tone) -> Style {
        let style = Style::new();
        let style = match tone {
            Tone::Strong | Tone::Number => style.add_modifier(Modifier::BOLD),
            Tone::Target | Tone::Good | Tone::Bad => style.add_modifier(Modifier::BOLD),
            Tone::Chosen => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            Tone::Faint => style.add_modifier(Modifier::DIM),
            Tone::Plain | Tone::Player(_) => style,
        };
        match self.colour(tone) {
            Some(colour) => match tone {
                // Grey needs no dimming.
                Tone::Faint => Style::new().fg(colour),
                _ => style.fg(colour),
            },
            None => style,
        }
    }

    fn colour(self, tone: Tone) -> Option<Color> {
        use Ground::{Dark, Light};
        let rgb = |dark: u32, light: u32| {
            let hex = if self.ground == Dark { dark } else { light };
            Some(Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8))
        };
        match (self.palette, tone) {
            (Palette::None, _) | (_, Tone::Plain | Tone::Strong | Tone::Chosen) => None,
            (Palette::Many, tone) => match tone {
                Tone::Faint => rgb(0x7a_82_92, 0x6b_72_80),
                Tone::Number => rgb(0xff_d1_66, 0x9a_5b_00),
                Tone::Target | Tone::Good => rgb(0x7b_d8_8f, 0x1a_7f_37),
                Tone::Player(Player::One) => rgb(0x6c_c4_ff, 0x09_60_b5),
                Tone::Player(Player::Two) => rgb(0xff_8f_c7, 0xa8_2f_7c),
                Tone::Bad => rgb(0xff_8a_7a, 0xb4_23_18),
                Tone::Plain | Tone::Strong | Tone::Chosen => None,
            },
            (Palette::Sixteen, tone) => match (tone, self.ground) {
                (Tone::Number, Dark) => Some(Color::LightYellow),
                (Tone::Number, Light) => Some(Color::Blue),
                (Tone::Target | Tone::Good, _) => Some(Color::Green),
                (Tone::Player(Player::One), Dark) => Some(Color::LightCyan),
                (Tone::Player(Player::One), Light) => Some(Color::Blue),
                (Tone::Player(Player::Two), Dark) => Some(Color::LightMagenta),
                (Tone::Player(Player::Two), Light) => Some(Color::Magenta),
                (Tone::Bad, _) => Some(Color::Red),
                // Dim text is readable on both backgrounds; none of the sixteen colours is.
                (Tone::Faint, _) | (Tone::Plain | Tone::Strong | Tone::Chosen, _) => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(variables: &[(&str, &str)], no_colour: bool) -> Theme {
        let variable = |name: &str| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map_or(OsString::new(), |(_, value)| value.into())
        };
        Theme::from_environment(None, false, no_colour, &variable)
    }

    #[test]
    fn the_terminal_is_asked_by_its_variables() {
        let theme =
            detect(&[("LANG", "de_DE.UTF-8"), ("COLORFGBG", "0;15"), ("COLORTERM", "truecolor")], false);
        assert_eq!((theme.ground, theme.palette, theme.signs.tick), (Ground::Light, Palette::Many, "┴"));
        let theme = detect(&[("LANG", "C"), ("COLORFGBG", "15;0")], false);
        assert_eq!((theme.ground, theme.palette, theme.signs.tick), (Ground::Dark, Palette::Sixteen, "+"));
        // The first variable found wins.
        assert_eq!(detect(&[("LC_ALL", "C"), ("LANG", "C.UTF-8")], false).signs.tick, "+");
        assert_eq!(detect(&[("LANG", "C.UTF-8"), ("TERM", "linux")], false).signs.tick, "+");
        assert_eq!(detect(&[("COLORTERM", "truecolor")], true).palette, Palette::None);
    }
}
