//! The computer opponents as characters: dots with faces, each with one feature, in four moods. They watch the dot while
//! it hops, and have a line at the start and at the end.

use std::fmt::Write;

use spoton::evaluate::opponent::Opponent;

/// How an opponent feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It's the player's turn.
    Waiting,
    /// It's the opponent's own turn.
    Thinking,
    /// The opponent won.
    Pleased,
    /// The opponent lost.
    Beaten,
}

impl Mood {
    pub const ALL: [Mood; 4] = [Mood::Waiting, Mood::Thinking, Mood::Pleased, Mood::Beaten];

    /// The mood's class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Mood::Waiting => "waiting",
            Mood::Thinking => "thinking",
            Mood::Pleased => "pleased",
            Mood::Beaten => "beaten",
        }
    }
}

/// A character: what tells its face from the others', and what it says.
struct Character {
    id: &'static str,
    /// Drawn behind the dot, on it, and over the eyes.
    behind: &'static str,
    on: &'static str,
    over: &'static str,
    /// Said before the first move, after a win and after a loss.
    says: [&'static str; 3],
}

/// Every character of the ladder. Others have an antenna and say nothing.
const CHARACTERS: &[Character] = &[
    Character {
        id: "pip",
        // A sprout: Pip is new here.
        behind: "<path class=\"stalk\" d=\"M32 17V8\"/><path class=\"leaf\" d=\"M32 10C29 2 21 2 17 4 19 10 25 13 32 10ZM32 9C34 1 42 0 47 2 45 9 39 12 32 9Z\"/>",
        on: "",
        over: "",
        says: ["I'm Pip. I hop wherever I like.", "Did I just win?", "Nice hop. Show me again?"],
    },
    Character {
        id: "dash",
        // A scarf in the wind, and the lines of someone fast.
        behind: "<path class=\"speed\" d=\"M1 28H8M0 36H6M1 44H8\"/><path class=\"cloth\" d=\"M44 50 63 43 58 51 63 57 45 56Z\"/>",
        on: "<path class=\"cloth\" d=\"M11.5 46Q32 60 52.5 46L50 53Q32 66 14 53Z\"/>",
        over: "",
        says: ["Big steps only.", "Zoom. Right on the spot.", "Too fast again."],
    },
    Character {
        id: "momo",
        // Round ears: two more dots.
        behind: "<circle class=\"skin\" cx=\"14\" cy=\"19\" r=\"9\"/><circle class=\"skin\" cx=\"50\" cy=\"19\" r=\"9\"/><circle class=\"inner\" cx=\"14\" cy=\"19\" r=\"4.5\"/><circle class=\"inner\" cx=\"50\" cy=\"19\" r=\"4.5\"/>",
        on: "",
        over: "",
        says: ["I look one hop ahead. Mostly.", "I saw that one coming.", "I didn't see that coming."],
    },
    Character {
        id: "otto",
        // A moustache, brushed every morning.
        behind: "",
        on: "",
        over: "<path class=\"hair\" d=\"M32 43C28 38 20 39 15 46 22 50 29 48 32 45 35 48 42 50 49 46 44 39 36 38 32 43Z\"/>",
        says: ["Let me think three hops ahead.", "Just as I counted.", "Well counted. Another?"],
    },
    Character {
        id: "nina",
        // Glasses, for the endgame.
        behind: "",
        on: "",
        over: "<path class=\"frame\" d=\"M14.5 33a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M32.5 33a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M30.5 31.5Q32 30 33.5 31.5M14.5 31 10 28M49.5 31 54 28\"/>",
        says: ["I know how this ends.", "I like how this ended.", "You found a better ending."],
    },
    Character {
        id: "sage",
        // A beard that took years.
        behind: "",
        on: "<path class=\"beard\" d=\"M10.5 38C10 58 24 64 32 64 40 64 54 58 53.5 38 50 45 42 42 32 42 22 42 14 45 10.5 38Z\"/>",
        over: "<path class=\"beard brow\" d=\"M17 25Q23 20 29 25M35 25Q41 20 47 25\"/>",
        says: ["Take your time. I do.", "A small slip was enough.", "Flawless. Well played."],
    },
];

/// The feature of every other opponent.
const ANTENNA: &str =
    "<path class=\"stalk\" d=\"M32 16V8\"/><circle class=\"skin\" cx=\"32\" cy=\"6\" r=\"4\"/>";

fn character(opponent: Opponent) -> Option<&'static Character> {
    // A changed slip rate makes no other character.
    let id = opponent.to_string();
    let id = id.split(':').next().unwrap_or_default();
    CHARACTERS.iter().find(|character| character.id == id)
}

/// An opponent's face. It's hidden from screen readers, because the name is next to it.
pub fn face(opponent: Opponent, mood: Mood) -> String {
    let character = character(opponent);
    let id = character.map_or("plain", |character| character.id);
    let mut svg = format!(
        "<svg class=\"face {id} {}\" viewBox=\"0 0 64 64\" aria-hidden=\"true\">{}<circle class=\"skin\" cx=\"32\" cy=\"37\" r=\"22\"/>{}",
        mood.class(),
        character.map_or(ANTENNA, |character| character.behind),
        character.map_or("", |character| character.on),
    );
    let _ = write!(svg, "{}{}{}</svg>", eyes(mood), mouth(mood, id), character.map_or("", |c| c.over));
    svg
}

fn eyes(mood: Mood) -> String {
    // Where the pupils look: the script moves them when the dot hops.
    let open = |x: f64, y: f64| {
        format!(
            "<circle class=\"white\" cx=\"23\" cy=\"33\" r=\"5.5\"/><circle class=\"white\" cx=\"41\" cy=\"33\" r=\"5.5\"/>\
             <g class=\"pupils\"><circle cx=\"{}\" cy=\"{}\" r=\"2.8\"/><circle cx=\"{}\" cy=\"{}\" r=\"2.8\"/></g>",
            23.0 + x,
            33.0 + y,
            41.0 + x,
            33.0 + y
        )
    };
    match mood {
        Mood::Waiting => open(0.0, 0.5),
        Mood::Thinking => {
            open(1.6, -2.2) + "<path class=\"line brows\" d=\"M18 26Q23 23 28 25.5M36 23.5Q41 19.5 46 24\"/>"
        }
        Mood::Pleased => {
            "<path class=\"line\" d=\"M17.5 35Q23 27 28.5 35M35.5 35Q41 27 46.5 35\"/>".to_owned()
        }
        Mood::Beaten => open(0.0, 2.0) + "<path class=\"line brows\" d=\"M17 27.5 27 24M37 24 47 27.5\"/>",
    }
}

fn mouth(mood: Mood, id: &str) -> &'static str {
    match mood {
        // A moustache hides the mouth.
        _ if id == "otto" => "",
        Mood::Waiting => "<path class=\"line\" d=\"M25 46.5Q32 51.5 39 46.5\"/>",
        Mood::Thinking => "<path class=\"line\" d=\"M29 48.5H37\"/>",
        Mood::Pleased => {
            "<path class=\"smile\" d=\"M22.5 44.5Q32 47.5 41.5 44.5 40 55 32 55 24 55 22.5 44.5Z\"/>"
        }
        Mood::Beaten => "<path class=\"line\" d=\"M26.5 50Q32 45.5 37.5 50\"/>",
    }
}

/// A moment at which an opponent speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Start,
    Won,
    Lost,
}

/// An opponent's line; `None` if it isn't a character.
pub fn says(opponent: Opponent, moment: Moment) -> Option<&'static str> {
    let [start, won, lost] = character(opponent)?.says;
    Some(match moment {
        Moment::Start => start,
        Moment::Won => won,
        Moment::Lost => lost,
    })
}
