//! Moves on the other player's number, in the words that stand on their buttons: nobody here writes them as `@-3`.

use spoton::engine::written::{ON_OTHER, On, Written};
use spoton::format::{Op, Rulebook};

/// A text with the names of such moves in the place of how they are written.
pub fn named(rulebook: &Rulebook, text: &str) -> String {
    let mut pieces = text.split(ON_OTHER);
    let mut said = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let sign = piece.chars().next().map_or(0, char::len_utf8);
        let digits = piece[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len() - sign);
        let (written, rest) = piece.split_at(sign + digits);
        match name(rulebook, written) {
            Some(name) => said.push_str(&format!("“{name}”{rest}")),
            // A whole entry of the rules, which says beside it whose number it changes.
            None if is_entry(rulebook, piece) => said.push_str(piece),
            None => said.push_str(&format!("{ON_OTHER}{piece}")),
        }
    }
    said
}

/// Whether a text begins with an entry of the rules that changes the other number.
fn is_entry(rulebook: &Rulebook, text: &str) -> bool {
    rulebook.moves().iter().any(|entry| entry.on == On::Other && text.starts_with(&entry.op.to_string()))
}

/// What a move on the other number is called.
fn name(rulebook: &Rulebook, operation: &str) -> Option<String> {
    let written = Written { operation: operation.parse().ok()?, on: On::Other };
    let gives = |op: Op| match op {
        Op::Fixed(operation) => operation == written.operation,
        Op::Computed(computed) => computed.kind() == written.operation.kind(),
    };
    let entry = rulebook.moves().iter().find(|entry| entry.on == On::Other && gives(entry.op))?;
    Some(entry.label_of(written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spoton::format::catalog;

    #[test]
    fn strikes_have_their_names_and_all_else_stays() {
        let castles = catalog::draft("two-castles").unwrap().build().unwrap();
        for (text, said) in [
            ("Play @-11. @-3 and -1 win.", "Play “Strike with 11”. “Strike with 3” and -1 win."),
            ("nobody@xerox, +1, @, @é, @-", "nobody@xerox, +1, @, @é, @-"),
            ("(@-prime; on the other number)", "(-prime; on the other number)"),
        ] {
            assert_eq!(named(&castles, text), said);
        }
    }
}
