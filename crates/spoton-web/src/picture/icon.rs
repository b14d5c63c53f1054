//! The logo and the icons, all made of a dot, a ring and arcs. They're hidden from screen readers: words are next to them.

/// The O of "Spot On": a ring, and the dot that lands in it.
pub const LOGO: &str = "<svg class=\"logo\" viewBox=\"0 0 32 32\" aria-hidden=\"true\"><circle class=\"target\" cx=\"16\" cy=\"16\" r=\"12\"/><circle class=\"dot\" cx=\"16\" cy=\"16\" r=\"5.5\"/></svg>";

/// A dot that hops in place while people wait.
pub const WAITING: &str = "<svg class=\"loading\" viewBox=\"0 0 48 32\" aria-hidden=\"true\"><path class=\"axis\" d=\"M4 28H44\"/><circle class=\"waits-dot\" cx=\"24\" cy=\"22\" r=\"6\"/></svg>";

/// Declares icons with their strokes in a square of 24.
macro_rules! icons {
    ($($(#[$about:meta])* $name:ident: $inside:literal),+ $(,)?) => {
        $(
            $(#[$about])*
            pub const $name: &str = concat!("<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">", $inside, "</svg>");
        )+
        /// Every icon by its name.
        pub const ICONS: &[(&str, &str)] = &[$((stringify!($name), $name)),+];
    };
}

icons! {
    /// Two dots, and the hop from one to the other.
    FRIEND: "<circle class=\"full one\" cx=\"5.5\" cy=\"17\" r=\"3.5\"/><circle class=\"full two\" cx=\"18.5\" cy=\"17\" r=\"3.5\"/><path d=\"M5.5 10.5C7 3 17 3 18.5 10.5\"/>",
    /// Two dots on one screen.
    TWO: "<rect x=\"2.5\" y=\"4.5\" width=\"19\" height=\"15\" rx=\"3\"/><circle class=\"full one\" cx=\"8.5\" cy=\"12\" r=\"3\"/><circle class=\"full two\" cx=\"15.5\" cy=\"12\" r=\"3\"/>",
    /// A day with its dot.
    TODAY: "<rect x=\"3\" y=\"5\" width=\"18\" height=\"16\" rx=\"3\"/><path d=\"M8 2.5V7M16 2.5V7\"/><circle class=\"full two\" cx=\"12\" cy=\"14\" r=\"3\"/>",
    /// A ring without its dot.
    PUZZLE: "<path d=\"M16.5 4.5A8.5 8.5 0 1 0 20.5 12\"/><circle class=\"full one\" cx=\"19\" cy=\"6\" r=\"3\"/>",
    /// A large dot and the small ones around it.
    CLASS: "<circle class=\"full one\" cx=\"12\" cy=\"7\" r=\"3.5\"/><circle cx=\"4.5\" cy=\"17.5\" r=\"2.5\"/><circle cx=\"12\" cy=\"18.5\" r=\"2.5\"/><circle cx=\"19.5\" cy=\"17.5\" r=\"2.5\"/>",
    /// An arc being drawn.
    MAKE: "<path d=\"M3 20C4 9 10 5 15 6\"/><path d=\"M13 11 20.5 3.5 22 5 14.5 12.5 12.5 13Z\"/><circle class=\"full two\" cx=\"3.5\" cy=\"20\" r=\"2\"/>",
    /// Rings and dots, side by side.
    GAMES: "<circle cx=\"6.5\" cy=\"6.5\" r=\"3.5\"/><circle class=\"full one\" cx=\"17.5\" cy=\"6.5\" r=\"3\"/><circle class=\"full two\" cx=\"6.5\" cy=\"17.5\" r=\"3\"/><circle cx=\"17.5\" cy=\"17.5\" r=\"3.5\"/>",
    /// A door, with a dot on its way in.
    CODE: "<path d=\"M13 4H18A3 3 0 0 1 21 7V17A3 3 0 0 1 18 20H13\"/><path d=\"M9 12H15M12 9 15 12 12 15\"/><circle class=\"full one\" cx=\"4\" cy=\"12\" r=\"2.5\"/>",
    /// A hop back around the ring.
    PAST: "<path d=\"M4 12A8 8 0 1 1 6.5 18\"/><path d=\"M1.5 9.5 4 12.5 7 10\"/><circle class=\"full one\" cx=\"12\" cy=\"12\" r=\"2.5\"/>",
    /// Steps, each with its dot.
    LADDER: "<path d=\"M3 20H8V15H13V10H18V5H22\"/><circle class=\"full two\" cx=\"5\" cy=\"15\" r=\"2\"/><circle class=\"full one\" cx=\"15.5\" cy=\"5\" r=\"2\"/>",
    /// A page with its lines.
    RULES: "<path d=\"M6 3H18V21H6Z\"/><path d=\"M9 8H15M9 12H15M9 16H13\"/>",
    /// A hop back.
    UNDO: "<path d=\"M4 13C6 5 17 4 20 13\"/><path d=\"M2.5 7.5 4 13.5 9.5 11.5\"/><circle class=\"full\" cx=\"20\" cy=\"17\" r=\"2.5\"/>",
    /// A lamp: a ring with a dot below.
    HINT: "<path d=\"M8.5 15.5A6.5 6.5 0 1 1 15.5 15.5V17H8.5Z\"/><path d=\"M10 20.5H14\"/>",
    /// A ring around what it asks about.
    ASK: "<circle cx=\"12\" cy=\"12\" r=\"9\"/><path d=\"M9.5 9.5A2.5 2.5 0 1 1 12 12.5V14\"/><circle class=\"full\" cx=\"12\" cy=\"17\" r=\"1.3\"/>",
    /// Three dots.
    MORE: "<circle class=\"full\" cx=\"5\" cy=\"12\" r=\"2\"/><circle class=\"full\" cx=\"12\" cy=\"12\" r=\"2\"/><circle class=\"full\" cx=\"19\" cy=\"12\" r=\"2\"/>",
    /// A dot sent to two others.
    SHARE: "<path d=\"M8 11 16 6.5M8 13 16 17.5\"/><circle class=\"full\" cx=\"5.5\" cy=\"12\" r=\"2.5\"/><circle class=\"full\" cx=\"18.5\" cy=\"5.5\" r=\"2.5\"/><circle class=\"full\" cx=\"18.5\" cy=\"18.5\" r=\"2.5\"/>",
    /// A dot that rings.
    SOUND: "<circle class=\"full\" cx=\"6\" cy=\"12\" r=\"3\"/><path d=\"M12 7.5Q15 12 12 16.5M16.5 4.5Q21.5 12 16.5 19.5\"/>",
}
