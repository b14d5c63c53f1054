//! Moves as people read them: on the opponent's number, `@-3` becomes its button's label.

use spoton::engine::written::{ON_OTHER, On, Written};
use spoton::format::{Op, Rulebook};

/// A button's label as people say it.
pub fn spoken(label: &str) -> &str {
    match label {
        "Multiply by 2" => "Double",
        "Divide by 2" => "Halve",
        label => label,
    }
}

/// Replaces moves on the opponent's number with their labels.
pub fn named(rulebook: &Rulebook, text: &str) -> String {
    let mut pieces = text.split(ON_OTHER);
    let mut said = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let sign = piece.chars().next().map_or(0, char::len_utf8);
        let digits = piece[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len() - sign);
        let (written, rest) = piece.split_at(sign + digits);
        match name(rulebook, written) {
            Some(name) => said.push_str(&format!("“{name}”{rest}")),
            // A whole entry of the rules, whose text already shows whose number it changes.
            None if is_entry(rulebook, piece) => said.push_str(piece),
            None => said.push_str(&format!("{ON_OTHER}{piece}")),
        }
    }
    said
}

/// Whether the text starts with an entry for the other number.
fn is_entry(rulebook: &Rulebook, text: &str) -> bool {
    rulebook.moves().iter().any(|entry| entry.on == On::Other && text.starts_with(&entry.op.to_string()))
}

/// The label for a move on the other number.
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
    fn common_moves_have_a_verb() {
        let maze = catalog::draft("number-maze").unwrap().build().unwrap();
        let labels: Vec<String> = maze.moves().iter().map(|entry| entry.label()).collect();
        let said: Vec<&str> = labels.iter().map(|label| spoken(label)).collect();
        assert_eq!(said, ["Add 1", "Double"]);
        assert_eq!(spoken("Multiply by 3"), "Multiply by 3");
    }

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
