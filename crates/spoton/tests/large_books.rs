//! Rule books of the maximum size take only a moment, whatever their contents.

use std::time::{Duration, Instant};

use spoton::format::{Draft, LARGEST_FILE, check};

const PLAIN: &str = "title = 'T'\nstart = 1\ntarget = 20\nmoves = ['+1', 'x2']\n";
const NO_MOVES: &str = "title = 'T'\nstart = 1\ntarget = 20\n";

/// A text filled up to the maximum size with repeated pieces.
fn filled(beginning: &str, piece: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = beginning.to_owned();
    for piece in (0..).map(piece) {
        if text.len() + piece.len() + end.len() > LARGEST_FILE {
            break;
        }
        text += &piece;
    }
    text + end
}

/// This thread's processor time: on a busy machine, most of the elapsed time goes to other programs. Falls back to
/// elapsed time.
fn worked(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|field| field.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// Reads, builds and checks a text. None of this may be quadratic.
fn takes_a_moment(what: &str, text: &str) {
    let start = Instant::now();
    let before = worked(start);
    let draft = Draft::read("large.toml", text);
    let finished = draft.build();
    let told = check(&draft);
    assert!(finished.is_ok() || !told.is_empty(), "{what}");
    // An optimized build takes about 0.1 s for the slowest. Quadratic work would take minutes.
    let took = worked(start).saturating_sub(before);
    assert!(took < Duration::from_secs(20), "{what}: {took:?}");
}

#[test]
fn many_variants() {
    let variant = |keys: &'static str| move |index: usize| format!("[variants.v{index}]\n{keys}");
    takes_a_moment("empty", &filled(PLAIN, variant(""), ""));
    takes_a_moment("each to be searched", &filled(PLAIN, variant("target = 90000\n"), ""));
    takes_a_moment("of many moves", &filled(PLAIN, variant("moves = ['+1..16']\ntarget = 90000\n"), ""));
    takes_a_moment("all wrong", &filled(PLAIN, variant("x = 1\n"), ""));
    takes_a_moment("all in contradiction", &filled(PLAIN, variant("target = 1\n"), ""));
    takes_a_moment("with words", &filled(PLAIN, variant("wording.turn = ''\n"), ""));
    let mistakes: String = (0..3000).map(|index| format!("k{index} = 1\n")).collect();
    takes_a_moment("with mistakes", &filled(&format!("{PLAIN}{mistakes}"), variant(""), ""));
    let list: Vec<String> = (0..5000).map(|index| (30 + index).to_string()).collect();
    let list = format!("{PLAIN}winning = [{}]\n", list.join(","));
    takes_a_moment("with a long list", &filled(&list, variant(""), ""));
    takes_a_moment("that extend", &filled("extends = 'double-or-add'\n", variant(""), ""));
}

#[test]
fn long_lists() {
    let moves = |piece: fn(usize) -> String| filled(&format!("{NO_MOVES}moves = ["), piece, "]");
    takes_a_moment("the same move", &moves(|_| "'+1',".to_owned()));
    takes_a_moment("the same span", &moves(|_| "'+1..16',".to_owned()));
    takes_a_moment("moves", &moves(|index| format!("'+{}',", index + 1)));
    takes_a_moment("spans", &moves(|index| format!("'+{}..{}',", index * 16 + 1, index * 16 + 16)));
    takes_a_moment(
        "keys of a move",
        &filled(&format!("{NO_MOVES}moves = [{{"), |i| format!("k{i} = 1,"), "op = '+1'}]"),
    );
    takes_a_moment("claims", &filled(&format!("{PLAIN}claims = ["), |_| "'',".to_owned(), "]"));
    takes_a_moment(
        "numbers",
        &filled(&format!("{PLAIN}losing = ["), |index| format!("{},", index + 21), "]"),
    );
}

#[test]
fn many_mistakes() {
    takes_a_moment("unknown keys", &filled(PLAIN, |index| format!("k{index} = 1\n"), ""));
    takes_a_moment("mistyped keys", &filled(PLAIN, |index| format!("targe{index} = 1\n"), ""));
    takes_a_moment("long keys", &filled(PLAIN, |index| format!("{index:060} = 1\n"), ""));
    takes_a_moment("keys given again", &filled(PLAIN, |_| "target = 20\n".to_owned(), ""));
    takes_a_moment(
        "sentences",
        &filled(&format!("{PLAIN}[wording]\n"), |index| format!("k{index} = ''\n"), ""),
    );
    let braces = "{a}".repeat(1300);
    let keys =
        ["opening", "turn", "choices", "item", "prompt", "moved", "skip", "reached", "overshot", "landed"];
    let sentence = |index: usize| format!("{} = '{braces}'\n", keys[index % keys.len()]);
    takes_a_moment("placeholders", &filled(&format!("{PLAIN}[wording]\n"), sentence, ""));
}

#[test]
fn invalid_toml() {
    for piece in ["=\n", "a=\n", "[", "{", "[[", "a={a=", "a=[{", "'''\n", "é"] {
        takes_a_moment(piece, &filled(PLAIN, |_| piece.to_owned(), ""));
    }
    takes_a_moment("a deep key", &filled("a", |_| ".a".to_owned(), " = 1"));
    takes_a_moment("a deep table", &filled("[a", |_| ".a".to_owned(), "]"));
    takes_a_moment("a long number", &filled(&format!("{PLAIN}range = "), |_| "9".to_owned(), ""));
}
